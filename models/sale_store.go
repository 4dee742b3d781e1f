package models

import (
	"context"
	"maps"
	"slices"

	"github.com/jmoiron/sqlx"
)

// ImportSales inserts completed sales in one transaction and updates the trend
// of every gear concerned. Sales with a known ExternalID or ID are left
// unchanged. Gear and SoldAt are required; ID is set if it is empty.
func (s *Store) ImportSales(ctx context.Context, sales []Sale) (inserted, unchanged int, err error) {
	for i := range sales {
		if sales[i].ID == "" {
			sales[i].ID = s.newID()
		}
	}
	err = s.update(ctx, func(t *tx) (err error) {
		inserted, err = t.addSales(ctx, sales)
		return err
	})
	return inserted, len(sales) - inserted, err
}

// addSales inserts the sales that are new, updates the trends of their gear,
// and returns the number inserted.
func (t *tx) addSales(ctx context.Context, sales []Sale) (inserted int, err error) {
	touched := map[string]bool{}
	row := func(i int) []any {
		v := &sales[i]
		return []any{v.ID, nullable(v.ExternalID), v.Gear, v.Condition, v.Price, v.SoldAt, v.Region, nullable(v.ListingID), v.Demo}
	}
	err = t.insertReturning(ctx, `sales (id, external_id, gear, condition, price, sold_at, region, listing_id, demo)`,
		`ON CONFLICT DO NOTHING RETURNING gear`, len(sales), row, func(r *sqlx.Rows) error {
			var gear string
			err := r.Scan(&gear)
			touched[gear] = true
			inserted++
			return err
		})
	if err != nil {
		return 0, err
	}
	for _, gear := range slices.Sorted(maps.Keys(touched)) { // in a fixed order, to avoid deadlocks
		if _, err := t.rollUp(ctx, gear); err != nil {
			return 0, err
		}
	}
	return inserted, nil
}

// CountSales returns the number of sales from which the trends are computed.
func (s *Store) CountSales(ctx context.Context) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT CAST(COALESCE(SUM(all_time), 0) AS BIGINT) FROM trends`)
	return n, err
}
