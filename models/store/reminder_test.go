package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestReminders(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := account(t, s, "jane").ID
		must(t, s.Accounts.SetLanguage(ctx, jane, "de"))
		id := inStatus(t, s, jane, models.StatusActive)
		inStatus(t, s, jane, models.StatusEnded)
		remind := func(want int) {
			t.Helper()
			var mu sync.Mutex
			var reminded []string
			var group sync.WaitGroup
			for range 3 {
				group.Go(func() {
					err := s.Watches.QueueReminders(ctx, models.TimeOf(now.Add(5*24*time.Hour)), 10, func(l *models.Listing, language string) models.Delivery {
						mu.Lock()
						defer mu.Unlock()
						reminded = append(reminded, l.ID)
						if language != "de" {
							t.Errorf("the language of the seller is %q", language)
						}
						return models.Delivery{Kind: models.Mail, MemberID: l.SellerID, Subject: "Reminder", Body: "It expires."}
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if len(reminded) != want || want == 1 && reminded[0] != id {
				t.Errorf("reminders of %q, want %d", reminded, want)
			}
		}
		remind(0)
		now = now.Add(models.ListingLifetime - 4*24*time.Hour)
		remind(1)
		remind(0)
		must(t, advance(ctx, s, id, models.Move{Step: models.End, Seller: jane}))
		must(t, advance(ctx, s, id, models.Move{Step: models.Relist, Seller: jane}))
		remind(0)
		now = now.Add(models.ListingLifetime - 4*24*time.Hour)
		remind(1)
		must(t, s.Accounts.DeleteExpired(ctx))
	})
}
