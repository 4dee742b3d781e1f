package store_test

import (
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestSitemapPages checks that pages hold every listing for sale once, and that
// their bounds stay when listings are sold or published.
func TestSitemapPages(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		if pages, err := s.Listings.SitemapPages(ctx, 4); err != nil || len(pages) != 0 {
			t.Fatalf("pages without listings: %v, %v", pages, err)
		}
		owner := seller(t, s)
		publish := func(n int) (ids []string) {
			listings := make([]models.Listing, n)
			for i := range listings {
				listings[i] = someListing(owner, i)
			}
			must(t, s.Listings.InsertListings(ctx, listings))
			for i := range listings {
				ids = append(ids, listings[i].ID)
			}
			return ids
		}
		// read returns the bounds of the pages, and the listings on them.
		read := func() (pages []store.SitemapPage, ids []string) {
			pages, err := s.Listings.SitemapPages(ctx, 4)
			must(t, err)
			changes, err := open().Listings.SitemapChanges(ctx, 4) // of a server that remembers none
			must(t, err)
			for i, page := range pages {
				listings, err := s.Listings.SitemapListings(ctx, page)
				must(t, err)
				var newest models.Time
				for _, l := range listings {
					ids, newest = append(ids, l.Name), max(newest, l.LastModified)
				}
				if changes[i] != newest {
					t.Errorf("page %+v changed %d, its newest listing %d", page, changes[i], newest)
				}
			}
			return pages, ids
		}
		all := publish(10)
		before, ids := read()
		if len(before) != 3 || !slices.Equal(ids, all) {
			t.Fatalf("%d pages of %q, want 3 of %q", len(before), ids, all)
		}
		for _, id := range all[1:6] {
			must(t, advance(ctx, s, id, models.Move{Step: models.End, Reason: "kept"}))
		}
		want := slices.Concat(all[:1], all[6:], publish(3))
		after, ids := read()
		if !slices.Equal(after[:2], before[:2]) || len(after) != 4 || !slices.Equal(ids, want) {
			t.Errorf("pages %v of %q, want %v… of %q", after, ids, before[:2], want)
		}
	})
}
