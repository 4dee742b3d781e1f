package store_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestWatches(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		id := inStatus(t, s, jane, models.StatusActive)
		must(t, s.Watches.AddWatch(ctx, john, id))
		must(t, s.Watches.AddWatch(ctx, john, id))
		wantError(t, s.Watches.AddWatch(ctx, john, "nothing"), problem.NotFound, "listing_not_found")
		drop := func(price models.Cents, want int) {
			t.Helper()
			_, err := s.Listings.EditListing(ctx, id, jane, 0, func(l *models.Listing) error { l.Price = price; return nil })
			must(t, err)
			var mu sync.Mutex
			var drops []models.PriceDrop
			var group sync.WaitGroup
			for range 4 { // replicas may all look at once
				group.Go(func() {
					some, _, err := s.Watches.QueuePriceDrops(ctx, id, "", 10, func(drops []models.PriceDrop) []models.Delivery {
						return []models.Delivery{{Kind: models.Mail, Recipient: "john@example.org", Body: "cheaper"}}
					})
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Error(err)
					}
					drops = append(drops, some...)
				})
			}
			group.Wait()
			if len(drops) != want || want == 1 && (drops[0].MemberID != john || drops[0].To != price) {
				t.Errorf("at %d: drops %+v, want %d", price, drops, want)
			}
		}
		drop(124000, 0) // too little to tell
		drop(110000, 1)
		drop(124900, 0)
		drop(110000, 0) // down again, without a notice
		drop(105000, 1)
		list, err := s.Watches.Watches(ctx, john)
		must(t, err)
		if len(list) != 1 || list[0].ListingID != id || list[0].Price != 124900 {
			t.Errorf("got %+v", list)
		}
		if mail, err := s.Deliveries.ClaimDeliveries(ctx, 10); err != nil || len(mail) != 2 {
			t.Errorf("%d mails, %v", len(mail), err)
		}
		dropped, err := s.Watches.ListingsWithPriceDrops(ctx, 10)
		must(t, err)
		if len(dropped) != 0 {
			t.Errorf("unnotified price drops: %q", dropped)
		}
		must(t, s.Watches.DeleteWatch(ctx, john, id))
		must(t, s.Watches.DeleteWatch(ctx, john, id))
		if list, _ := s.Watches.Watches(ctx, john); len(list) != 0 {
			t.Errorf("still there: %+v", list)
		}
	})
}

// TestManyWatchers checks that the watchers of a listing are notified of a price drop in batches, each once.
func TestManyWatchers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		seller := account(t, s, "jane").ID
		id := inStatus(t, s, seller, models.StatusActive)
		var want []string
		for _, handle := range []string{"ann", "bob", "cid", "dan", "eve"} {
			want = append(want, account(t, s, handle).ID)
			must(t, s.Watches.AddWatch(ctx, want[len(want)-1], id))
		}
		slices.Sort(want)
		_, err := s.Listings.EditListing(ctx, id, seller, 0, func(l *models.Listing) error { l.Price /= 2; return nil })
		must(t, err)
		var told []string
		var sizes []int
		for after := ""; ; {
			drops, next, err := s.Watches.QueuePriceDrops(ctx, id, after, 2, nil)
			must(t, err)
			for _, d := range drops {
				told = append(told, d.MemberID)
				if d.From != 2*d.To {
					t.Errorf("from %d to %d", d.From, d.To)
				}
			}
			sizes = append(sizes, len(drops))
			if after = next; next == "" {
				break
			}
		}
		if !slices.Equal(told, want) || !slices.Equal(sizes, []int{2, 2, 1}) {
			t.Errorf("told %q in parts of %d, want %q", told, sizes, want)
		}
		if again, _, err := s.Watches.QueuePriceDrops(ctx, id, "", 10, nil); err != nil || len(again) != 0 {
			t.Errorf("told again: %+v, %v", again, err)
		}
	})
}
