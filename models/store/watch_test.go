package store_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

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

// TestPriceChangesAreRead checks that the watchers of a listing are notified of a lower price by
// several servers that follow the change log, of which any stops between any two steps, and when
// the log does not have all changes.
func TestPriceChangesAreRead(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		clock := func() time.Time { return now }
		s, ctx := storetest.Open(t, url, clock), t.Context()
		servers := []*store.Store{s, storetest.Open(t, url, clock)}
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		id, other := inStatus(t, s, jane, models.StatusActive), inStatus(t, s, jane, models.StatusActive)
		must(t, s.Watches.AddWatch(ctx, john, id))
		must(t, s.Watches.AddWatch(ctx, john, other))
		// read returns the drops that a server finds, and whether it looks at all watches for them.
		read := func(s *store.Store, stops bool) (drops []models.Cents, all bool, err error) {
			changes, err := s.Watches.UnreadPriceChanges(ctx)
			if err != nil {
				return nil, false, err
			}
			ids := make([]string, len(changes.Entries))
			for i, e := range changes.Entries {
				ids[i] = e.Subject
			}
			if changes.Missed {
				ids, err = s.Watches.ListingsWithPriceDrops(ctx, 10)
			} else {
				ids, err = s.Watches.PriceDropsOf(ctx, ids)
			}
			for _, id := range ids {
				some, _, failed := s.Watches.QueuePriceDrops(ctx, id, "", 10, nil)
				err = errors.Join(err, failed)
				for _, d := range some {
					drops = append(drops, d.To)
				}
			}
			if err == nil && !stops {
				err = s.Watches.PriceChangesRead(ctx, changes)
			}
			return drops, changes.Missed, err
		}
		price := func(of string, to models.Cents) {
			t.Helper()
			_, err := s.Listings.EditListing(ctx, of, jane, 0, func(l *models.Listing) error { l.Price = to; return nil })
			must(t, err)
		}
		advance := func(steps ...models.Step) {
			t.Helper()
			for _, step := range steps {
				_, err := s.Listings.Advance(ctx, id, models.Move{Step: step, At: models.TimeOf(now)})
				must(t, err)
			}
		}
		for _, c := range []struct {
			name    string
			do      func()
			want    []models.Cents
			scanned bool // all watches are read
		}{
			{name: "a new job", do: func() { price(id, 110000) }, want: []models.Cents{110000}, scanned: true},
			{name: "no change"},
			{name: "an edit", do: func() {
				_, err := s.Listings.EditListing(ctx, id, jane, 0, func(l *models.Listing) error { l.Title += " II"; return nil })
				must(t, err)
			}},
			{name: "a drop", do: func() { price(id, 100000) }, want: []models.Cents{100000}},
			{name: "less than 3%", do: func() { price(id, 97001) }},
			{name: "exactly 3%", do: func() { price(id, 97000) }, want: []models.Cents{97000}},
			{name: "down and up again", do: func() { price(id, 50000); price(id, 97000) }},
			{name: "up and down again", do: func() { price(id, 120000); price(id, 97000) }},
			{name: "up and lower", do: func() { price(id, 120000); price(id, 90000) }, want: []models.Cents{90000}},
			{name: "two listings", do: func() { price(id, 80000); price(other, 80000) }, want: []models.Cents{80000, 80000}},
			{name: "while reserved", do: func() { advance(models.Reserve); price(id, 70000) }},
			{name: "for sale again", do: func() { advance(models.Relist) }, want: []models.Cents{70000}},
			{name: "while removed", do: func() { price(id, 50000); advance(models.Remove) }},
			{name: "restored", do: func() { advance(models.Restore) }, want: []models.Cents{50000}},
			{name: "a member who watches later", do: func() {
				must(t, s.Watches.AddWatch(ctx, account(t, s, "ann").ID, id))
				price(id, 49000)
			}},
			{name: "lower than both know", do: func() { price(id, 40000) }, want: []models.Cents{40000, 40000}},
			{name: "pruned changes", do: func() {
				price(id, 30000)
				now = now.Add(models.ChangeRetention + time.Hour)
				follow(t, s, position(t, s)) // prunes
				awaitNone(t, url, `SELECT COUNT(*) FROM changes`)
			}, want: []models.Cents{30000, 30000}, scanned: true},
			{name: "another log", do: func() {
				price(id, 20000)
				_, err := raw(t, url).Exec(`UPDATE settings SET value = 'restored' WHERE name = 'changes_log'`)
				must(t, err)
			}, want: []models.Cents{20000, 20000}, scanned: true},
		} {
			if c.do != nil {
				c.do()
			}
			var got []models.Cents
			var mu sync.Mutex
			var group sync.WaitGroup
			for i, server := range append(servers, servers...) {
				group.Go(func() {
					drops, scanned, err := read(server, i > 0) // some stop before they record what they read
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Errorf("%s: %v", c.name, err)
					}
					got = append(got, drops...)
					if scanned && !c.scanned {
						t.Errorf("%s: all watches are read", c.name)
					}
				})
			}
			group.Wait()
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: drops to %d, want %d", c.name, got, c.want)
			}
			if rest, scanned, err := read(s, false); err != nil || len(rest) != 0 || scanned {
				t.Errorf("%s: afterwards drops to %d, read all watches: %t, %v", c.name, rest, scanned, err)
			}
		}

		// A server that stops before it has queued everything leaves the rest to the next.
		price(id, 10000)
		some, _, err := servers[1].Watches.QueuePriceDrops(ctx, id, "", 1, nil)
		must(t, err)
		if rest, _, err := read(s, false); err != nil || len(some) != 1 || len(rest) != 1 {
			t.Errorf("queued %d and then %d, want 1 and 1: %v", len(some), len(rest), err)
		}
	})
}
