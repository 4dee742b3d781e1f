package models

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// SitemapEntry is a listing id or gear slug with the time its page last
// changed.
type SitemapEntry struct {
	Name         string
	LastModified Time
}

// isIndexable selects the listings that search engines should index.
const isIndexable = `status IN ('active', 'reserved')`

// SitemapListings returns up to limit indexable listings in order of id, after
// skipping skip.
func (s *Store) SitemapListings(ctx context.Context, skip, limit int) ([]SitemapEntry, error) {
	return s.sitemapEntries(ctx, `SELECT id, updated_at FROM listings WHERE `+isIndexable+` ORDER BY id LIMIT $1 OFFSET $2`, limit, skip)
}

// SitemapListingParts divides the indexable listings, in order of id, into
// parts of the given size and returns the last change of each part.
func (s *Store) SitemapListingParts(ctx context.Context, size int) ([]Time, error) {
	var parts []Time
	err := s.read.SelectContext(ctx, &parts, `SELECT MAX(updated_at) FROM (
			SELECT updated_at, (ROW_NUMBER() OVER (ORDER BY id) - 1) / $1 AS part FROM listings WHERE `+isIndexable+`
		) AS numbered GROUP BY part ORDER BY part`, size)
	return parts, err
}

// SitemapGear returns all gear with sales and the time of the last sale.
func (s *Store) SitemapGear(ctx context.Context) ([]SitemapEntry, error) {
	return s.sitemapEntries(ctx, `SELECT gear, as_of FROM trends ORDER BY gear`)
}

func (s *Store) sitemapEntries(ctx context.Context, query string, args ...any) ([]SitemapEntry, error) {
	rows, err := s.read.QueryxContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var all []SitemapEntry
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var name string
		var changed int64
		err := r.Scan(&name, &changed)
		all = append(all, SitemapEntry{name, Time(changed)})
		return err
	})
	return all, err
}
