package store_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// feedChanges is the number of changes of TestChangeFeed; make feed sets it.
var feedChanges = flag.Int("changes", 600, "changes that writers make while readers follow the change feed")

// TestChangeFeed lets eight writers on two stores publish listings, in transactions of
// different lengths of which some are rolled back, while readers on both stores follow
// the change feed and resume at random, also from cursors of long ago. Every reader
// must read every published listing once, all in the same order.
func TestChangeFeed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		stores := []*store.Store{open(), open()}
		owner := seller(t, stores[0])
		_, start, err := stores[0].PublicChanges(t.Context(), "", 100)
		must(t, err)
		began := time.Now()

		var made atomic.Int64
		var writing sync.WaitGroup
		published := make([][]string, 8) // by writer
		for w := range published {
			writing.Go(func() { published[w] = publish(t, stores[w%2], owner, &made) })
		}
		written := make(chan struct{})
		go func() { writing.Wait(); close(written) }()

		var reading sync.WaitGroup
		read := make([][]models.Entry, 4) // by reader
		resumed := make([]int, len(read))
		for r := range read {
			reading.Go(func() { read[r], resumed[r] = followFeed(t, stores[r%2], start, written) })
		}
		reading.Wait()

		want := map[string]bool{}
		for _, ids := range published {
			for _, id := range ids {
				want[id] = true
			}
		}
		for r := range read {
			if !slices.Equal(read[r], read[0]) {
				t.Errorf("reader %d read in another order than reader 0", r)
			}
			left := maps.Clone(want)
			for _, e := range read[r] {
				if e.Event != models.ListingPublished || e.Kind != models.ListingChanged || e.Version != 1 || e.MemberID != owner {
					t.Fatalf("read %+v", e)
				}
				if !left[e.Subject] {
					t.Fatalf("reader %d read %s twice, or it was rolled back", r, e.Subject)
				}
				delete(left, e.Subject)
			}
			if len(left) > 0 {
				t.Errorf("reader %d lost %d of %d changes", r, len(left), len(want))
			}
		}
		if !t.Failed() {
			t.Logf("%d changes by 8 writers on 2 stores in %v: 4 readers, resumed %v times, read each once in the same order", len(want), time.Since(began).Round(time.Millisecond), resumed)
		}
	})
}

// publish publishes listings in transactions of 1 to 10 until feedChanges are made by
// all writers, and returns the ids of those that were committed.
func publish(t *testing.T, s *store.Store, owner string, made *atomic.Int64) (ids []string) {
	for {
		n := 1 + rand.IntN(10)
		if made.Add(int64(n)) > int64(*feedChanges+n) {
			return ids
		}
		listings := make([]models.Listing, n)
		for i := range listings {
			listings[i] = someListing(owner, i)
			listings[i].Photos = nil
		}
		rollBack := rand.IntN(20) == 0
		if rollBack {
			listings[n-1].Price = -1 // refused by the database
		}
		err := s.Listings.InsertListings(context.Background(), listings)
		for store.IsUnavailable(err) { // locked for too long, and rolled back
			err = s.Listings.InsertListings(context.Background(), listings)
		}
		if (err != nil) != rollBack {
			t.Errorf("insert listings: %v", err)
			return ids
		}
		for i := range listings {
			if err == nil {
				ids = append(ids, listings[i].ID)
			}
		}
	}
}

// followFeed reads the change feed from a cursor on, in pages of different lengths,
// until it has read everything after written is closed. Now and then it forgets what it
// has read after a cursor of before and resumes there: it must read the same again.
func followFeed(t *testing.T, s *store.Store, start string, written <-chan struct{}) (all []models.Entry, resumed int) {
	type mark struct {
		cursor string
		read   int
	}
	marks := []mark{{start, 0}}
	at := marks[0]
	for {
		var ended bool
		select {
		case <-written:
			ended = true
		default:
		}
		limit := 1 + rand.IntN(100)
		if ended {
			limit = 1000
		}
		page, next, err := s.PublicChanges(context.Background(), at.cursor, limit)
		if err != nil {
			t.Error(err)
			return all, resumed
		}
		for i, e := range page {
			switch k := at.read + i; {
			case k == len(all):
				all = append(all, e)
			case all[k] != e:
				t.Errorf("read %+v again as %+v", all[k], e)
				return all, resumed
			}
		}
		at = mark{next, at.read + len(page)}
		marks = append(marks, at)
		switch {
		case ended && len(page) < limit && at.read == len(all):
			return all, resumed
		case !ended && rand.IntN(50) == 0:
			at = marks[max(0, len(marks)-1-rand.IntN(40))]
			resumed++
		case len(page) == 0:
			time.Sleep(time.Millisecond)
		}
	}
}

// TestChangeEvents checks which events the steps of a listing, a trade and a member
// have, to whom they belong, and that drafts and private events are not published.
func TestChangeEvents(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		operator, err := s.Accounts.CreateAccount(ctx, registration("bob"), models.RoleOperator) // who is established
		must(t, err)
		ann, bob := seller(t, s), operator.ID
		_, at, err := s.PublicChanges(ctx, "", 100)
		must(t, err)
		position, err := s.Position(ctx)
		must(t, err)
		expect := func(public, private string) {
			t.Helper()
			var events, own []string
			page, next, err := s.PublicChanges(ctx, at, 100)
			must(t, err)
			for _, e := range page {
				events = append(events, fmt.Sprint(e.Event, e.Version))
			}
			all, err := s.Entries(ctx, position, 100)
			must(t, err)
			for _, e := range all {
				position = e.Position
				if e.Event != "" && !e.Public() {
					own = append(own, fmt.Sprint(e.Event, map[string]string{ann: ">ann", bob: ">bob"}[e.MemberID]))
				}
			}
			at = next
			if got := strings.Join(events, " "); got != public {
				t.Errorf("public events %q, want %q", got, public)
			}
			if got := strings.Join(own, " "); got != private {
				t.Errorf("private events %q, want %q", got, private)
			}
		}
		l := someListing(ann, 1)
		must(t, s.Listings.CreateListing(ctx, &l))
		edit := func(price models.Cents, text string) {
			t.Helper()
			_, err := s.Listings.EditListing(ctx, l.ID, ann, 0, func(l *models.Listing) error { l.Price, l.Text = price, text; return nil })
			must(t, err)
		}
		edit(100_00, "a draft")
		expect("", "")
		must(t, advance(ctx, s, l.ID, models.Move{Step: models.Publish, Seller: ann}))
		expect("listing_published3", "")
		edit(90_00, "a draft")
		edit(90_00, "published")
		edit(90_00, "published")
		expect("listing_price_changed4 listing_updated5", "")
		o, err := s.Trades.MakeOffer(ctx, l.ID, bob, 8000, "", models.DeliveryRequest{})
		must(t, err)
		expect("", "offer_made>ann")
		answer := func(step models.OfferStep, by string) {
			t.Helper()
			_, err := s.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: step, By: by})
			must(t, err)
		}
		answer(models.Accept, ann)
		expect("listing_reserved6", "offer_accepted>bob")
		c, _, err := s.Trades.SendMessage(ctx, l.ID, bob, "When?")
		must(t, err)
		_, _, err = s.Trades.Reply(ctx, c.ID, bob, "Today?")
		must(t, err)
		_, _, err = s.Trades.Reply(ctx, c.ID, ann, "Today.")
		must(t, err)
		expect("", "message_received>ann message_received>ann message_received>bob")
		answer(models.Complete, ann)
		expect("listing_sold7", "offer_completed>bob")
		answer(models.Confirm, bob)
		expect("seller_updated0 listing_updated7 trend_changed0", "sale_confirmed>ann")
		must(t, advance(ctx, s, l.ID, models.Move{Step: models.Remove}))
		expect("listing_removed8", "")
		must(t, s.Accounts.EditMember(ctx, ann, "Ann", "DE", "Leica"))
		expect("seller_updated0", "")
	})
}

// TestChangeCursors checks the errors of cursors that cannot be continued from.
func TestChangeCursors(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now()
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		_, old, err := s.PublicChanges(ctx, "", 1)
		must(t, err)
		seller(t, s)
		page, current, err := s.PublicChanges(ctx, old, 1)
		must(t, err)
		if len(page) != 1 || page[0].Event != models.SellerUpdated {
			t.Fatalf("read %+v", page)
		}
		id, last, err := s.ChangeLog(ctx)
		must(t, err)
		if models.Cursor(id, last) != current {
			t.Errorf("the cursor of %d is not %s", last, current)
		}
		for cursor, code := range map[string]string{
			"x": "invalid_cursor", id + ".": "invalid_cursor", id + ".-1": "invalid_cursor", id + ".zzzzzzzzzzzzzzzzzzz": "invalid_cursor",
			models.Cursor(id, last+1): "changes_expired", models.Cursor("another", last): "changes_expired", current: "",
		} {
			_, _, err := s.PublicChanges(ctx, cursor, 1)
			var e *problem.Error
			if code == "" && err != nil || code != "" && (!errors.As(err, &e) || e.Code != code) {
				t.Errorf("%q: %v, want %q", cursor, err, code)
			}
		}
		now = now.Add(models.ChangeRetention + time.Hour)
		follow(t, s, last) // prunes
		awaitNone(t, url, `SELECT COUNT(*) FROM changes`)
		_, _, err = s.PublicChanges(ctx, old, 1)
		wantError(t, err, problem.Gone, "changes_expired")
		for _, cursor := range []string{"", current} {
			if page, next, err := s.PublicChanges(ctx, cursor, 1); err != nil || len(page) != 0 || next != current {
				t.Errorf("after %q: %v, %q, %v", cursor, page, next, err)
			}
		}
	})
}
