package store_test

import (
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
					some, err := s.Watches.QueuePriceDrops(ctx, id, func(drops []models.PriceDrop) []models.Delivery {
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
