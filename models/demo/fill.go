package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Fill invents a market and writes it into an empty store; progress, when it is
// not nil, is told how many rows of how many are written. The store is marked
// as demonstration data first, so that a part of it is so too.
func Fill(ctx context.Context, store *models.Store, cat *models.Catalog, now time.Time, progress func(done, total int)) error {
	d := Generate(cat, Seed, now)
	done, total := 0, len(d.Members)+len(d.Listings)+len(d.Sales)
	wrote := func(n int) {
		done += n
		if progress != nil {
			progress(done, total)
		}
	}
	if err := store.SetDemo(ctx, true); err != nil {
		return err
	}
	if err := store.InsertMembers(ctx, d.Members); err != nil {
		return fmt.Errorf("write members: %w", err)
	}
	wrote(len(d.Members))
	for rest := d.Listings; len(rest) > 0; {
		n := min(len(rest), 1000)
		if err := store.InsertListings(ctx, rest[:n]); err != nil {
			return fmt.Errorf("write listings: %w", err)
		}
		wrote(n)
		rest = rest[n:]
	}
	for _, batch := range byGear(d.Sales, 10_000) {
		if _, _, err := store.ImportSales(ctx, batch); err != nil {
			return fmt.Errorf("write sales: %w", err)
		}
		wrote(len(batch))
	}
	return nil
}

// byGear cuts sales into batches of about n that each hold all sales of their
// gear, so that each trend is rolled up once.
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
