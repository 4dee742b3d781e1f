package store_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestFitLearnsFromListings fits sales of listings: those that asked less sold sooner, and those
// with a fault for a quarter less.
func TestFitLearnsFromListings(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		catalog, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
		must(t, err)
		by := seller(t, s)
		const day = models.Time(24 * 3600 * 1000)
		var listings []models.Listing
		var sales []models.Sale
		asked := []struct {
			percent models.Cents // of the price
			days    models.Time
		}{{92, 4}, {100, 15}, {108, 50}}
		for i := range 400 {
			ask := asked[i%3]
			l := someListing(by, i)
			l.Photos, l.Status, l.Price = nil, models.StatusSold, 1000*ask.percent
			l.ClosedAt = s.Now() - models.Time(401-i)*day
			l.PublishedAt = l.ClosedAt - ask.days*day
			l.SoldPrice = 100_000 + models.Cents(i*7%13)*200
			if i%4 == 0 {
				l.Functional, l.SoldPrice, l.Price = models.MinorFault, l.SoldPrice*3/4, l.Price/100 // which estimates aren't of
			}
			if i%5 == 0 && i%4 > 0 { // it is still for sale
				l.Status, l.ClosedAt, l.SoldPrice = models.StatusActive, 0, 0
				l.PublishedAt = s.Now() - ask.days*day
			}
			listings = append(listings, l)
		}
		must(t, s.Listings.InsertListings(ctx, listings))
		for _, l := range listings {
			if l.Status == models.StatusSold {
				sales = append(sales, models.Sale{Gear: l.Gear, Condition: l.Condition, Price: l.SoldPrice, SoldAt: l.ClosedAt, Region: l.Region, ListingID: l.ID})
			}
		}
		_, _, err = s.Trades.ImportSales(ctx, sales)
		must(t, err)
		must(t, s.Prices.FitPrices(ctx, catalog.All()))
		fit, err := s.Prices.PriceFit(ctx)
		must(t, err)
		before := 0
		for _, ask := range asked {
			days, ok := fit.Listings.Selling.Days("mirrorless", int64(ask.percent), 100)
			if least := before * 3 / 2; !ok || days <= least || days > int(ask.days)*2 {
				t.Errorf("at %d %% of the price it takes %d days, listings took %d, at less %d", ask.percent, days, ask.days, before)
			}
			before = days
		}
		if effect, ok := fit.Listings.Effect("mirrorless", "works minor_fault"); !ok || math.Abs(math.Exp(effect)-0.75) > 0.03 {
			t.Errorf("the price of one with a fault is %.2f times that without, %v", math.Exp(effect), ok)
		}
		e := &prices.Estimate{Gear: "canon/eos-r6", Median: 100_000, Low: 90_000, High: 110_000, HalfLow: 95_000, HalfHigh: 105_000}
		if got := e.For(models.MinorFault, "mirrorless", fit); got == nil || got.Median < 72_000 || got.Median > 78_000 || got.High >= 85_000 || e.For(models.FullyWorking, "mirrorless", nil) != e {
			t.Errorf("the estimate of one with a fault is %+v", got)
		}
		for _, unknown := range []*prices.Estimate{e.For(models.NotWorking, "mirrorless", fit), e.For(models.MinorFault, "dslr", fit), e.For(models.MinorFault, "mirrorless", nil)} {
			if unknown != nil {
				t.Errorf("an effect is made up: %+v", unknown)
			}
		}
	})
}

// TestEvenly chooses ids in two orders.
func TestEvenly(t *testing.T) {
	t.Parallel()
	var ids []string
	for i := range 1000 {
		ids = append(ids, fmt.Sprintf("%04d", i))
	}
	chosen := store.Evenly(100, ids)
	slices.Reverse(ids)
	if len(chosen) < 25 || len(chosen) > 100 || !slices.IsSorted(chosen) || !slices.Equal(chosen, store.Evenly(100, ids)) || chosen[0] > "0200" || chosen[len(chosen)-1] < "0800" {
		t.Errorf("%d are chosen: %v", len(chosen), chosen)
	}
	if all := store.Evenly(1000, ids); len(all) != 1000 {
		t.Errorf("%d of 1000 are chosen", len(all))
	}
}
