package demo

import (
	"context"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
)

// Fill generates a market and writes it to an empty store in one transaction. It marks
// the store as demonstration data. progress, unless nil, is called with the number of
// rows written and in total.
func Fill(ctx context.Context, db *store.Store, cat *catalog.Catalog, now time.Time, progress func(done, total int)) error {
	d := Generate(cat, Seed, now)
	demo := &store.DemoData{Members: d.Members, Listings: d.Listings, Offers: d.Offers, Sales: byGear(d.Sales, 10_000),
		Ratings: d.Ratings, PastPrices: d.PastPrices, Watches: d.Watches}
	done, total := 0, demo.Rows()
	return db.Site.FillDemo(ctx, demo, func(rows int) {
		done = min(done+rows, total)
		if progress != nil {
			progress(done, total)
		}
	})
}

// byGear splits sales into batches of at least n sales. All sales of a gear are in the
// same batch, so that each trend is computed once.
func byGear(sales []models.Sale, n int) [][]models.Sale {
	groups := map[string][]models.Sale{}
	var order []string
	for _, s := range sales {
		if groups[s.Gear] == nil {
			order = append(order, s.Gear)
		}
		groups[s.Gear] = append(groups[s.Gear], s)
	}
	var batches [][]models.Sale
	var batch []models.Sale
	for _, gear := range order {
		batch = append(batch, groups[gear]...)
		if len(batch) >= n {
			batches, batch = append(batches, batch), nil
		}
	}
	if len(batch) > 0 {
		batches = append(batches, batch)
	}
	return batches
}
