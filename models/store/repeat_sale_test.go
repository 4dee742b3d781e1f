package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestRepeatSalesOfListings sells items again, one through offers and others as recorded
// before, and computes the price index: it counts pairs of counted sales of the same serial
// number, and sums them up from five on.
func TestRepeatSalesOfListings(t *testing.T) {
	t.Parallel()
	catalog, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	must(t, err)
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC).AddDate(-3, 0, 0)
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		added := sellers(8)
		for i := range added {
			added[i].JoinedAt = s.Now()
		}
		must(t, s.Accounts.InsertMembers(ctx, added))
		var members []string
		for _, m := range added {
			members = append(members, m.ID)
		}
		members[2] = account(t, s, "leaving").ID
		sales := 0
		// sell sells an item as its listing and returns the id of the listing.
		sell := func(serial, gear string, from, to int, price models.Cents, condition models.Condition, change func(*models.Sale)) {
			l := someListing(members[from], sales)
			l.Gear, l.Serial, l.Condition, l.Status, l.Photos = gear, serial, condition, models.StatusSold, nil
			l.Included, l.Shutter, l.Defects = []string{"Original box", "strap"}, 21_000, []models.Defect{"dust"}
			one := []models.Listing{l}
			must(t, s.Listings.InsertListings(ctx, one))
			sales++
			sale := models.Sale{Gear: gear, Condition: condition, Price: price, SoldAt: models.TimeOf(now), Region: "DE", ListingID: one[0].ID, Source: models.SaleByMembers, SellerID: members[from], BuyerID: members[to]}
			if change != nil {
				change(&sale)
			}
			_, _, err := s.Trades.ImportSales(ctx, []models.Sale{sale})
			must(t, err)
		}
		const r6, z6 = "canon/eos-r6", "nikon/z6"
		good, worse := models.ConditionGood, models.ConditionWellUsed
		now = now.Add(2 * models.NewcomerPeriod)
		offered := item(t, s, members[0], "OFFER-1234", func(l *models.Listing) { l.Gear = r6 })
		publishAs(t, s, offered, members[0])
		buy(t, s, offered, members[0], members[1])
		for i := 1; i <= 4; i++ {
			sell(fmt.Sprintf("SN-471%d", i), r6, i, i+1, 100_000, good, nil)
		}
		sell("SN-4711", z6, 5, 6, 90_000, good, nil)                                                                       // another brand
		sell("ONCE-471", r6, 6, 7, 90_000, good, nil)                                                                      // never again
		sell("DECL-471", r6, 6, 7, 90_000, good, func(s *models.Sale) { s.Source = models.SaleDeclared })                  // does not count
		sell("n/a", r6, 6, 7, 90_000, good, func(s *models.Sale) { s.Source, s.SourceName = models.SaleImported, "shop" }) // not a number

		now = now.AddDate(2, 0, 0)
		sell("sn 4711", r6, 2, 3, 75_000, good, nil) // written otherwise
		sell("SN-4712", r6, 3, 4, 75_000, good, nil)
		sell("SN-4713", r6, 4, 5, 75_000, good, nil)
		sell("SN-4714", r6, 5, 6, 60_000, worse, nil)
		sell("SN-4719", z6, 5, 6, 90_000, good, nil)
		sell("DECL-471", r6, 7, 6, 90_000, good, nil)
		sell("n/a", r6, 7, 6, 90_000, good, nil)

		stored := func() *prices.PriceIndex {
			t.Helper()
			now = now.AddDate(0, 2, 0)
			establish(t, url)
			must(t, s.Prices.StorePriceFit(ctx, &prices.PriceFit{Day: "2026-11-21", MadeAt: s.Now()}, nil))
			must(t, s.Prices.IndexPrices(ctx, catalog))
			index, err := s.Prices.PriceIndex(ctx)
			must(t, err)
			return index
		}
		priced, err := s.Prices.PricedSales(ctx)
		must(t, err)
		traits := []string{"region DE", "shutter from 20000", "defect dust", "with box"}
		if !slices.ContainsFunc(priced.Sales, func(s pricing.Sale) bool { return slices.Equal(s.Traits, traits) }) {
			t.Errorf("no sale has the traits %q: %+v", traits, priced.Sales)
		}
		if index := stored(); len(index.RepeatSales) != 0 {
			t.Errorf("four pairs are summed up: %+v", index.RepeatSales)
		}
		again := item(t, s, members[1], "offer 1234", func(l *models.Listing) { l.Gear = r6 })
		publishAs(t, s, again, members[1])
		buy(t, s, again, members[1], members[2])

		establish(t, url)
		items := map[string]int{}
		must(t, s.SalesOfItems(ctx, func(sale *models.Sale, item string) {
			if item != "" {
				items[sale.Gear+" "+item]++
			}
		}))
		pairs := 0
		for _, n := range items {
			if n == 2 {
				pairs++
			}
		}
		if len(items) != 6 || pairs != 5 { // one of DECL-471 does not count
			t.Errorf("%d items, %d of which sold twice: %v", len(items), pairs, items)
		}
		index := stored()
		// 400 then 400 of the one through offers; 3 times 0.75, once 0.6.
		want := prices.RepeatSales{Kind: "mirrorless", Pairs: 5, Years: 2, Percent: -24, Same: 4, Worse: 1}
		if len(index.RepeatSales) != 1 || index.RepeatSales[0] != want {
			t.Errorf("%+v, want %+v", index.RepeatSales, want)
		}
		text, err := json.Marshal(index)
		must(t, err)
		for key := range items {
			if _, item, _ := strings.Cut(key, " "); strings.Contains(string(text), item) {
				t.Errorf("the hash of a serial number is published: %s", text)
			}
		}
		must(t, s.Accounts.DeleteAccount(ctx, members[2]))
		if index := stored(); len(index.RepeatSales) != 0 {
			t.Errorf("what a deleted member sold is still known: %+v", index.RepeatSales)
		}
	})
}
