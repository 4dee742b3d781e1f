package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// SitemapEntry is a listing id or gear slug with the time its page last
// changed.
type SitemapEntry struct {
	Name         string
	LastModified models.Time
}

// SitemapPage is a range of listings in order of id.
type SitemapPage struct {
	After, Last string // its listings have ids above After, up to Last
}

// isIndexable selects the listings that search engines should index.
const isIndexable = `status IN ('active', 'reserved')`

// Queries of sitemaps. Each reads a range of an index.
const (
	sitemapPageQuery     = `SELECT COALESCE(MAX(id), '') AS last, COUNT(*) AS listings FROM (SELECT id FROM listings WHERE id > $1 ORDER BY id LIMIT $2) AS page`
	sitemapModifiedQuery = `SELECT COALESCE(MAX(updated_at), 0) FROM listings WHERE ` + isIndexable + ` AND id > $1 AND id <= $2`
	sitemapListingsQuery = `SELECT id, updated_at FROM listings WHERE ` + isIndexable + ` AND id > $1 AND id <= $2 ORDER BY id`
)

// sitemapBounds remembers the full pages of one size, so that only listings
// added since are read. Their bounds don't change.
type sitemapBounds struct {
	mu      sync.Mutex
	full    map[int][]SitemapPage
	changed map[SitemapPage]sitemapChange
}

// clear forgets the pages.
func (b *sitemapBounds) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.full = nil
	clear(b.changed)
}

// sitemapChange is the latest change of a full page, when it was read.
type sitemapChange struct {
	changed models.Time
	readAt  time.Time
}

// sitemapPatience is for how long the latest change of a full page is not read again.
const sitemapPatience = 5 * time.Minute

// SitemapPages divides the listings of any status, in order of id, into pages of
// size listings; the last may have fewer. Ids grow with time and listings are kept
// after they are sold, so that a new or sold listing moves no bounds.
func (s *Listings) SitemapPages(ctx context.Context, size int) ([]SitemapPage, error) {
	s.sitemaps.mu.Lock()
	defer s.sitemaps.mu.Unlock()
	pages, after := s.sitemaps.full[size], ""
	if len(pages) > 0 {
		after = pages[len(pages)-1].Last
	}
	for {
		var page struct {
			Last     string
			Listings int
		}
		if err := s.read.GetContext(ctx, &page, sitemapPageQuery, after, size); err != nil {
			return nil, err
		}
		if page.Listings < size {
			s.sitemaps.full = map[int][]SitemapPage{size: pages}
			if s.sitemaps.changed == nil {
				s.sitemaps.changed = map[SitemapPage]sitemapChange{}
			}
			if page.Listings == 0 {
				return pages, nil
			}
			return append(slices.Clip(pages), SitemapPage{after, page.Last}), nil
		}
		pages = append(pages, SitemapPage{after, page.Last})
		after = page.Last
	}
}

// SitemapChanges returns the latest change of an indexable listing of each of the pages
// that SitemapPages returns, 0 for those that have none. Those of full pages may be five
// minutes old.
func (s *Listings) SitemapChanges(ctx context.Context, size int) ([]models.Time, error) {
	pages, err := s.SitemapPages(ctx, size)
	if err != nil {
		return nil, err
	}
	s.sitemaps.mu.Lock()
	defer s.sitemaps.mu.Unlock()
	full := len(s.sitemaps.full[size])
	changes := make([]models.Time, len(pages))
	for i, page := range pages {
		stored, ok := s.sitemaps.changed[page]
		if !ok || time.Since(stored.readAt) > sitemapPatience {
			stored.readAt = time.Now()
			if err := s.read.GetContext(ctx, &stored.changed, sitemapModifiedQuery, page.After, page.Last); err != nil {
				return nil, err
			}
		}
		if changes[i] = stored.changed; i < full {
			s.sitemaps.changed[page] = stored
		}
	}
	return changes, nil
}

// SitemapListings returns the indexable listings of a page in order of id.
func (s *Listings) SitemapListings(ctx context.Context, page SitemapPage) ([]SitemapEntry, error) {
	return s.sitemapEntries(ctx, sitemapListingsQuery, page.After, page.Last)
}

// SitemapGear returns all gear with sales and the time of the last sale.
func (s *Listings) SitemapGear(ctx context.Context) ([]SitemapEntry, error) {
	return s.sitemapEntries(ctx, `SELECT gear, as_of FROM trends ORDER BY gear`)
}

func (s *Listings) sitemapEntries(ctx context.Context, query string, args ...any) ([]SitemapEntry, error) {
	rows, err := s.read.QueryxContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var all []SitemapEntry
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var name string
		var changed int64
		err := r.Scan(&name, &changed)
		all = append(all, SitemapEntry{name, models.Time(changed)})
		return err
	})
	return all, err
}
