package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestUnstorableLookups checks that lookups of text that databases can't store
// find nothing.
func TestUnstorableLookups(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		for _, text := range []string{"\x00", "a\x00b", "\xff", "\xed\xa0\x80"} {
			_, err := s.Accounts.Member(ctx, text)
			wantError(t, err, problem.NotFound, "member_not_found")
			_, err = s.Listings.Listing(ctx, text)
			wantError(t, err, problem.NotFound, "listing_not_found")
			wantError(t, advance(ctx, s, text, models.Move{Step: models.End}), problem.NotFound, "listing_not_found")
			if trend, err := s.Prices.Trend(ctx, text); err != nil || trend.AllTime != 0 {
				t.Error(trend, err)
			}
			if ids, err := s.Accounts.MemberIDs(ctx, []string{text}); err != nil || len(ids) != 0 {
				t.Error(ids, err)
			}
		}
	})
}

// TestConstraints checks that the schema rejects listings without a seller and
// negative prices.
func TestConstraints(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		if s.Listings.InsertListings(ctx, []models.Listing{someListing("nobody", 1)}) == nil {
			t.Error("inserted a listing without a seller")
		}
		negative := someListing(seller(t, s), 1)
		negative.Price = -1
		if s.Listings.InsertListings(ctx, []models.Listing{negative}) == nil {
			t.Error("inserted a negative price")
		}
		empty := true
		must(t, s.Listings.EachActiveListing(ctx, func(*models.Listing) error { empty = false; return nil }))
		if !empty {
			t.Error("a rejected listing was stored")
		}
	})
}

// TestCancelledUpdate checks that a cancelled transaction returns the context's
// error, also if it was rolled back before its next statement.
func TestCancelledUpdate(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		listings := make([]models.Listing, 3000) // written in three steps
		owner := seller(t, s)
		for i := range listings {
			listings[i] = someListing(owner, i)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		steps := 0
		err := s.Site.FillDemo(ctx, &store.DemoData{Listings: listings}, func(int) {
			if steps++; steps == 2 { // what comes again is prepared by now
				stop()
				must(t, s.SetDemo(t.Context(), false)) // waits until this transaction is rolled back
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		if counts, err := s.Counts(t.Context()); err != nil || counts.Listings != 0 {
			t.Errorf("cancelled: %+v, %v", counts, err)
		}
	})
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		ctx := t.Context()
		var wg sync.WaitGroup
		for range 4 { // several processes start at once on a new database
			s, err := store.Open(ctx, url, nil)
			must(t, err)
			defer s.Close()
			wg.Go(func() {
				if err := s.Migrate(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		storetest.Open(t, url, nil) // migrates again
	})
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "mysql://localhost", "sqlite:", "sqlite::memory:", "sqlite:/nowhere/at/all/x.db", "postgres://user:secret@127.0.0.1:1/x?sslmode=disable", "postgres://user:secret@%zz/"} {
		s, err := store.Open(t.Context(), url, nil)
		if err == nil {
			s.Close()
			t.Errorf("Open(%q) succeeded", url)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("error contains the password: %q", err)
		}
	}
}

// TestClock checks that ids and timestamps come from the store's clock.
func TestClock(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		then := time.Date(2031, 2, 3, 4, 5, 6, 7_000_000, time.UTC)
		s := storetest.Open(t, url, func() time.Time { return then })
		listings := []models.Listing{someListing(seller(t, s), 1)}
		must(t, s.Listings.InsertListings(t.Context(), listings))
		l := listings[0]
		if l.CreatedAt != models.TimeOf(then) || l.ID[:13] != models.NewID(then)[:13] || l.ID[14] != '7' {
			t.Errorf("%+v", l)
		}
	})
}
