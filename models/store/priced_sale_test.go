package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestPricedSales imports sales that count and some that do not: a second one of a
// pair, a newcomer's, a declared one and one at a price that is held.
func TestPricedSales(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		members := sellers(4)
		must(t, s.Accounts.InsertMembers(ctx, members))
		var sales []models.Sale
		add := func(days int, price models.Cents, change func(*models.Sale)) {
			sale := models.Sale{
				ID: models.NewID(time.Now()), Gear: "priced/one", Condition: models.ConditionGood, Region: "DE", Price: price,
				SoldAt: someTime + models.Time(days)*24*3600*1000, Source: models.SaleByMembers, SellerID: members[0].ID, BuyerID: members[1].ID,
			}
			change(&sale)
			sales = append(sales, sale)
		}
		imported := func(sale *models.Sale) { sale.Source, sale.SellerID, sale.BuyerID = models.SaleImported, "", "" }
		for i := range 12 {
			add(i, 50_000+models.Cents(i), imported)
		}
		add(20, 51_000, func(*models.Sale) {})
		add(21, 52_000, func(sale *models.Sale) { sale.SellerID, sale.BuyerID = sale.BuyerID, sale.SellerID })
		add(22, 53_000, func(*models.Sale) {})
		add(23, 54_000, func(sale *models.Sale) { sale.SellerID, sale.Newcomer = members[2].ID, true })
		add(24, 55_000, func(sale *models.Sale) { sale.SellerID, sale.Source = members[2].ID, models.SaleDeclared })
		add(25, 500_000, func(sale *models.Sale) { sale.SellerID = members[2].ID })
		add(26, 56_000, func(sale *models.Sale) { sale.Gear = "" })
		_, _, err := s.Trades.ImportSales(ctx, sales)
		must(t, err)
		sample, err := s.Prices.PricedSales(ctx)
		must(t, err)
		priced := sample.Sales
		if len(priced) != 13 {
			t.Fatalf("%d sales count, want 13: %+v", len(priced), priced)
		}
		first := int(someTime / (24 * 3600 * 1000))
		want := []pricing.Sale{
			{Gear: "priced/one", Grade: 3, Day: first, Price: 50_000, Traits: []string{"region DE", "seller unknown"}},
			{Gear: "priced/one", Grade: 3, Day: first + 20, Price: 51_000, Seller: members[0].ID, Buyer: members[1].ID, Traits: []string{"region DE"}},
		}
		if got := []pricing.Sale{priced[0], priced[12]}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}
