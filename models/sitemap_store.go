package models

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Dated is the id of a listing, or the slug of gear, and when what is shown of
// it last changed.
type Dated struct {
	Name    string
	Changed Time
}

// offeredListing is what a search engine may send people to: what is for sale,
// or about to be sold.
const offeredListing = `status IN ('active', 'reserved')`

// ListingDates are the listings on offer in the order of their ids, without the
// first skip, at most limit.
func (s *Store) ListingDates(ctx context.Context, skip, limit int) ([]Dated, error) {
	return s.dated(ctx, `SELECT id, updated_at FROM listings WHERE `+offeredListing+` ORDER BY id LIMIT $1 OFFSET $2`, limit, skip)
}

// ListingDateParts cuts the listings on offer, in the order of their ids, into
// parts of size, and gives the newest change of each.
func (s *Store) ListingDateParts(ctx context.Context, size int) ([]Time, error) {
	var parts []Time
	err := s.read.SelectContext(ctx, &parts, `SELECT MAX(updated_at) FROM (
			SELECT updated_at, (ROW_NUMBER() OVER (ORDER BY id) - 1) / $1 AS part FROM listings WHERE `+offeredListing+`
		) AS numbered GROUP BY part ORDER BY part`, size)
	return parts, err
}

// GearDates are all gear with sales and the time of the last of them.
func (s *Store) GearDates(ctx context.Context) ([]Dated, error) {
	return s.dated(ctx, `SELECT gear, as_of FROM trends ORDER BY gear`)
}

func (s *Store) dated(ctx context.Context, query string, args ...any) ([]Dated, error) {
	rows, err := s.read.QueryxContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var all []Dated
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var name string
		var changed int64
		err := r.Scan(&name, &changed)
		all = append(all, Dated{name, Time(changed)})
		return err
	})
	return all, err
}
