package store_test

import (
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestCategoryFamilies(t *testing.T) {
	t.Parallel()
	for family, want := range map[string]int{models.FamilyCamera: 9, models.FamilyLens: 4} {
		got := 0
		for _, c := range models.Categories {
			if c.Family() == family {
				got++
			}
		}
		if got != want {
			t.Errorf("%s has %d categories, want %d", family, got, want)
		}
	}
	for _, written := range []string{"film_slr", "film-slr", "Film SLR", "FILM_SLR", "slr film"} {
		var c models.Category
		var k models.Kind
		if err := c.Set(written); err != nil || c != "film_slr" {
			t.Errorf("%q is the category %q, %v", written, c, err)
		}
		if err := k.Set(written); err != nil || k != "film_slr" {
			t.Errorf("%q is the kind %q, %v", written, k, err)
		}
	}
}

// TestCategoriesOfEarlierVersions checks what the migration makes of categories that were
// spelled with hyphens, in listings, agreements and saved searches.
func TestCategoriesOfEarlierVersions(t *testing.T) {
	t.Parallel()
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		ctx := t.Context()
		s, err := store.Open(ctx, url, nil)
		must(t, err)
		defer s.Close()
		must(t, s.MigrateTo(ctx, 15))
		db := raw(t, url)
		for _, statement := range []string{
			`INSERT INTO members (id, handle, name, region, bio, joined_at, demo) VALUES ('m', 'jane', 'Jane', 'DE', '', 1, FALSE)`,
			`INSERT INTO accounts (member_id, email, password, role, created_at, suspended_at) VALUES ('m', 'jane@example.org', '', 'member', 1, 0)`,
			`INSERT INTO searches (id, member_id, name, query, every, email, webhook, webhook_secret, created_at, looked_at, due_at, feed_hash) VALUES
				('1', 'm', 'a', 'keyword=film-slr&category=film-slr', 'daily', FALSE, '', 'x', 1, 1, 1, '1'),
				('2', 'm', 'b', 'category=lens-prime&brand=canon', 'daily', FALSE, '', 'x', 1, 1, 1, '2'),
				('3', 'm', 'c', 'category=mirrorless&model=om-system%2Fom-1', 'daily', FALSE, '', 'x', 1, 1, 1, '3')`,
			`INSERT INTO listings (id, seller_id, gear, category, title, text, condition, functional, defects, included, shutter, serial, price, region, status, demo,
					created_at, published_at, updated_at, closed_at, sold_price)
				VALUES ('l', 'm', '', 'action-cam', 'A camera', '', 'good', 'untested', '', '', 0, '', 100, 'DE', 'active', FALSE, 1, 1, 1, 0, 0)`,
		} {
			_, err := db.ExecContext(ctx, statement)
			must(t, err)
		}
		must(t, s.Migrate(ctx))
		for query, want := range map[string]string{
			`SELECT category FROM listings`:             "action_cam",
			`SELECT query FROM searches WHERE id = '1'`: "keyword=film-slr&category=film_slr",
			`SELECT query FROM searches WHERE id = '2'`: "category=lens_prime&brand=canon",
			`SELECT query FROM searches WHERE id = '3'`: "category=mirrorless&model=om-system%2Fom-1",
		} {
			var got string
			must(t, db.QueryRowContext(ctx, query).Scan(&got))
			if got != want {
				t.Errorf("%s is %q, want %q", query, got, want)
			}
		}
	})
}
