package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestTrendAlertsAreQueuedOnce checks that with several servers, of which some stop
// between any two steps, each change of a trend is in exactly one webhook, and that the
// changes of a gear within the interval are in one.
func TestTrendAlertsAreQueuedOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		clock := func() time.Time { return now }
		s, ctx := storetest.Open(t, url, clock), t.Context()
		servers := []*store.Store{s, storetest.Open(t, url, clock)}
		search := &models.SavedSearch{MemberID: account(t, s, "jane").ID, Name: "All", Every: models.Instant, Webhook: "https://example.org/hook",
			WebhookEvents: []models.WebhookEvent{models.TrendsChanged}}
		_, err := s.Watches.AddSearch(ctx, search)
		must(t, err)
		sold := 0
		sell := func(gear string) {
			t.Helper()
			sold++
			_, _, err := s.Trades.ImportSales(ctx, []models.Sale{{Gear: gear, Condition: "good", Price: models.Cents(1000 + sold), SoldAt: someTime, Region: "DE"}})
			must(t, err)
		}
		var mu sync.Mutex
		var sent []string // gear and position of each trend in a webhook
		round := func(s *store.Store) {
			changes, err := s.Watches.UnreadTrendChanges(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			var alerts []store.TrendAlert
			for _, e := range changes.Entries {
				alerts = append(alerts, store.TrendAlert{SearchID: search.ID, Gear: e.Subject, Position: e.Position})
			}
			if err := s.Watches.RecordTrendAlerts(ctx, changes, alerts); err != nil {
				t.Error(err)
			}
			due, err := s.Watches.DueTrendSearches(ctx, 10)
			if err != nil {
				t.Error(err)
			}
			for i := range due {
				alerts, err := s.Watches.DueTrendAlerts(ctx, due[i].ID)
				if err != nil {
					t.Error(err)
				}
				err = s.Watches.QueueTrendAlerts(ctx, &due[i], alerts, func(claimed []store.TrendAlert) (out []models.Delivery) {
					mu.Lock()
					defer mu.Unlock()
					for _, a := range claimed {
						sent = append(sent, fmt.Sprint(a.Gear, " ", a.Position))
					}
					return nil // as if it was delivered at once
				})
				if err != nil {
					t.Error(err)
				}
			}
		}
		work := func(want ...string) {
			t.Helper()
			sent = nil
			var group sync.WaitGroup
			for i := range 4 {
				group.Go(func() { round(servers[i%2]) })
			}
			group.Wait()
			for range 3 { // what a server lost to another
				round(s)
			}
			var gear []string
			for _, of := range sent {
				var name string
				fmt.Sscan(of, &name)
				gear = append(gear, name)
			}
			slices.Sort(gear)
			if !slices.Equal(gear, want) {
				t.Errorf("webhooks about %q, want %q", sent, want)
			}
		}
		sell("canon/eos-r6")
		sell("nikon/z-6")
		sell("canon/eos-r6")
		work("canon/eos-r6", "nikon/z-6")
		work()
		sell("canon/eos-r6")
		sell("sony/alpha-7-iii")
		work("sony/alpha-7-iii") // the other had its webhook
		sell("canon/eos-r6")
		now = now.Add(6 * time.Minute)
		work("canon/eos-r6")

		// A server that stops before it records what it read leaves it to the next.
		sell("nikon/z-6")
		if changes, err := s.Watches.UnreadTrendChanges(ctx); err != nil || len(changes.Entries) != 1 {
			t.Errorf("unread: %+v, %v", changes, err)
		}
		work("nikon/z-6")

		// While a webhook waits, changes are collected; a new address discards them.
		now = now.Add(6 * time.Minute)
		must(t, s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Webhook, Recipient: search.Webhook, MemberID: search.MemberID, SearchID: search.ID}))
		sell("nikon/z-6")
		work()
		_, err = s.Watches.EditSearch(ctx, search.ID, search.MemberID, 0, func(search *models.SavedSearch) error { search.Webhook += "/new"; return nil })
		must(t, err)
		work()
		_, err = s.Watches.EditSearch(ctx, search.ID, search.MemberID, 0, func(search *models.SavedSearch) error {
			search.WebhookEvents = []models.WebhookEvent{"listings.published", "listings.published"}
			return nil
		})
		must(t, err)
		sell("nikon/z-6")
		if list, err := s.Watches.TrendSearches(ctx, "", 10); err != nil || len(list) != 0 {
			t.Errorf("searches for trends: %+v, %v", list, err)
		}
		now = now.Add(time.Hour)
		must(t, s.Accounts.DeleteExpired(ctx))
	})
}
