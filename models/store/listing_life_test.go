package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// inStatus adds a listing in the given status.
func inStatus(t testing.TB, s *store.Store, sellerID string, status models.Status) string {
	t.Helper()
	l := someListing(sellerID, 1)
	l.Status, l.Serial = models.StatusDraft, "S-"+models.NewID(time.Now()) // each another item
	one := []models.Listing{l}
	must(t, s.Listings.InsertListings(t.Context(), one))
	steps := map[models.Status][]models.Move{
		models.StatusActive:   {{Step: models.Publish}},
		models.StatusReserved: {{Step: models.Publish}, {Step: models.Reserve}},
		models.StatusSold:     {{Step: models.Publish}, {Step: models.Sell, Price: 5}},
		models.StatusEnded:    {{Step: models.Publish}, {Step: models.End}},
		models.StatusExpired:  {{Step: models.Publish}, {Step: models.Expire}},
		models.StatusRemoved:  {{Step: models.Publish}, {Step: models.Remove}},
	}
	for _, move := range steps[status] {
		must(t, advance(t.Context(), s, one[0].ID, move))
	}
	return one[0].ID
}

// TestListingTransitions takes every step from every status.
func TestListingTransitions(t *testing.T) {
	t.Parallel()
	statuses := []models.Status{models.StatusDraft, models.StatusActive, models.StatusReserved, models.StatusSold, models.StatusEnded, models.StatusExpired, models.StatusRemoved}
	to := map[models.Step]map[models.Status]models.Status{
		models.Publish: {models.StatusDraft: models.StatusActive},
		models.Reserve: {models.StatusActive: models.StatusReserved},
		models.Sell:    {models.StatusActive: models.StatusSold, models.StatusReserved: models.StatusSold},
		models.End:     {models.StatusActive: models.StatusEnded, models.StatusReserved: models.StatusEnded},
		models.Relist:  {models.StatusReserved: models.StatusActive, models.StatusEnded: models.StatusActive, models.StatusExpired: models.StatusActive},
		models.Expire:  {models.StatusActive: models.StatusExpired},
		models.Remove: {models.StatusActive: models.StatusRemoved, models.StatusReserved: models.StatusRemoved, models.StatusSold: models.StatusRemoved,
			models.StatusEnded: models.StatusRemoved, models.StatusExpired: models.StatusRemoved},
		models.Restore: {models.StatusRemoved: models.StatusActive},
		models.Discard: {models.StatusDraft: ""},
		models.Void:    {models.StatusSold: models.StatusEnded},
	}
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		owner := seller(t, s)
		for step, allowed := range to {
			for _, from := range statuses {
				id := inStatus(t, s, owner, from)
				l, err := s.Listings.Advance(ctx, id, models.Move{Step: step, Seller: owner, Price: 100})
				want, ok := allowed[from]
				if !ok {
					wantError(t, err, problem.Conflict, "wrong_status")
					continue
				}
				must(t, err)
				if l.Status != want {
					t.Errorf("%s from %s led to %q, want %q", step, from, l.Status, want)
				}
				got, err := s.Listings.OwnListing(ctx, id, owner)
				if want == "" {
					wantError(t, err, problem.NotFound, "listing_not_found")
					continue
				}
				must(t, err)
				if got.Status != want || got.Version != l.Version {
					t.Errorf("%s from %s: got %s at version %d, want %s at %d", step, from, got.Status, got.Version, want, l.Version)
				}
			}
		}
	})
}

func TestAdvanceRequiresOwner(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		draft, active := inStatus(t, s, jane, models.StatusDraft), inStatus(t, s, jane, models.StatusActive)
		wantError(t, advance(ctx, s, draft, models.Move{Step: models.Publish, Seller: john}), problem.NotFound, "listing_not_found")
		wantError(t, advance(ctx, s, active, models.Move{Step: models.End, Seller: john}), problem.Forbidden, "not_yours")
		_, err := s.Listings.OwnListing(ctx, draft, john)
		wantError(t, err, problem.NotFound, "listing_not_found")
		_, err = s.Listings.EditListing(ctx, draft, john, 0, func(*models.Listing) error { return nil })
		wantError(t, err, problem.NotFound, "listing_not_found")
		wantError(t, advance(ctx, s, active, models.Move{Step: models.Sell, Seller: jane}), problem.Invalid, "invalid_parameter")
		wantError(t, advance(ctx, s, active, models.Move{Step: models.End, Seller: jane, Reason: "because"}), problem.Invalid, "invalid_parameter")
		must(t, advance(ctx, s, active, models.Move{Step: models.Sell, Seller: jane, Price: 100}))
	})
}

func TestEditListing(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := account(t, s, "jane").ID
		id := inStatus(t, s, jane, models.StatusActive)
		before, err := s.Listings.OwnListing(ctx, id, jane)
		must(t, err)
		if before.ExpiresAt != someTime.Add(models.ListingLifetime) {
			t.Errorf("expires at %v", before.ExpiresAt.Std())
		}
		price := func(cents models.Cents) func(*models.Listing) error {
			return func(l *models.Listing) error { l.Price = cents; return nil }
		}
		now = now.Add(time.Hour)
		after, err := s.Listings.EditListing(ctx, id, jane, before.Version, price(100000))
		must(t, err)
		_, err = s.Listings.EditListing(ctx, id, jane, before.Version, price(90000))
		wantError(t, err, problem.Changed, "listing_changed")
		same, err := s.Listings.EditListing(ctx, id, jane, 0, price(100000))
		must(t, err)
		if same.Version != after.Version || after.Version != before.Version+1 || after.UpdatedAt == before.UpdatedAt {
			t.Errorf("versions %d, %d, %d", before.Version, after.Version, same.Version)
		}
		past, err := s.Listings.PastPrices(ctx, id)
		must(t, err)
		if !slices.Equal(past, []models.PastPrice{{Until: models.TimeOf(now), Price: before.Price}}) {
			t.Errorf("past prices %+v", past)
		}
		now = now.Add(time.Hour)
		_, err = s.Listings.EditListing(ctx, id, jane, 0, price(80000))
		must(t, err)
		now = now.Add(time.Hour)
		raised, err := s.Listings.EditListing(ctx, id, jane, 0, price(95000))
		must(t, err)
		read, err := s.Listings.OwnListing(ctx, id, jane)
		must(t, err)
		for i := range 2 * store.MaxPastPrices {
			now = now.Add(time.Hour)
			_, err = s.Listings.EditListing(ctx, id, jane, 0, price(models.Cents(96000+i)))
			must(t, err)
		}
		past, err = s.Listings.PastPrices(ctx, id)
		must(t, err)
		if n := len(past); n != store.MaxPastPrices || past[0].Until >= past[n-1].Until || past[n-1].Price != models.Cents(96000+2*store.MaxPastPrices-2) {
			t.Errorf("%d past prices: %+v", n, past)
		}
		var indexed models.Cents
		must(t, s.Listings.EachActiveListing(ctx, func(l *models.Listing) error { indexed = l.EarlierPrice; return nil }))
		if raised.EarlierPrice != 80000 || read.EarlierPrice != 80000 || indexed != 80000 || before.EarlierPrice != 0 {
			t.Errorf("lowest earlier prices %d, %d and %d, before %d", raised.EarlierPrice, read.EarlierPrice, indexed, before.EarlierPrice)
		}
		_, err = s.Listings.EditListing(ctx, id, jane, 0, func(l *models.Listing) error { l.Title = " "; return nil })
		wantError(t, err, problem.Invalid, "invalid_parameter")
		must(t, advance(ctx, s, id, models.Move{Step: models.End, Seller: jane}))
		_, err = s.Listings.EditListing(ctx, id, jane, 0, price(1))
		wantError(t, err, problem.Conflict, "wrong_status")

		must(t, advance(ctx, s, id, models.Move{Step: models.Relist, Seller: jane}))
		now = now.Add(models.ListingLifetime)
		due, err := s.Listings.DueListings(ctx, models.TimeOf(now), 10)
		must(t, err)
		if !slices.Equal(due, []string{id}) {
			t.Errorf("due are %v", due)
		}
	})
}

// race runs do concurrently and returns how often it succeeded. Failures must
// be errors for readers.
func race(t *testing.T, n int, do func(i int) error) (won int) {
	t.Helper()
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = do(i) })
	}
	group.Wait()
	for _, err := range errs {
		var e *problem.Error
		switch {
		case err == nil:
			won++
		case !errors.As(err, &e) || e.Kind != problem.Conflict:
			t.Errorf("failed with %v", err)
		}
	}
	return won
}

// TestConcurrentPurchases has 100 buyers buy a listing at once on two servers: one gets it.
func TestConcurrentPurchases(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		stores := []*store.Store{open(), open()}
		s, ctx := stores[0], context.Background()
		jane := account(t, s, "jane").ID
		buyers := make([]models.Member, 100)
		for i := range buyers {
			buyers[i] = models.Member{Handle: fmt.Sprint("buyer-", i), Name: "Buyer"}
		}
		must(t, s.Accounts.InsertMembers(ctx, buyers))
		for _, how := range []models.BuyNow{models.BuyConfirm, models.BuyInstant} {
			id := inStatus(t, s, jane, models.StatusActive)
			_, err := s.Listings.EditListing(ctx, id, jane, 0, func(l *models.Listing) error { l.BuyNow = how; return nil })
			must(t, err)
			won := race(t, len(buyers), func(i int) error {
				_, err := stores[i%2].Trades.Buy(ctx, id, buyers[i].ID, 0, models.DeliveryRequest{Method: models.Pickup})
				return err
			})
			offers, err := s.Trades.FilterOffers(ctx, jane, store.OfferFilter{ListingID: id}, store.OfferKey{}, 200)
			must(t, err)
			if won != 1 || len(offers) != 1 || !offers[0].Reserves() {
				t.Errorf("%s: %d buyers have it, %+v", how, won, offers)
			}
		}
	})
}

func TestConcurrentOffers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		stores := []*store.Store{open(), open()}
		s, ctx := stores[0], context.Background()
		jane := account(t, s, "jane").ID
		id := inStatus(t, s, jane, models.StatusActive)
		offers := make([]string, 50)
		for i := range offers {
			m := models.Member{Handle: "buyer-" + string(rune('a'+i/26)) + string(rune('a'+i%26)), Name: "Buyer"}
			members := []models.Member{m}
			must(t, s.Accounts.InsertMembers(ctx, members))
			o, err := s.Trades.MakeOffer(ctx, id, members[0].ID, models.Cents(50000+i), "", models.DeliveryRequest{})
			must(t, err)
			offers[i] = o.ID
		}
		answer := func(step models.OfferStep) func(int) error {
			return func(i int) error {
				_, err := stores[i%2].Trades.AnswerOffer(ctx, offers[i], store.Answer{Step: step, By: jane})
				return err
			}
		}
		if won := race(t, 50, answer(models.Accept)); won != 1 {
			t.Errorf("%d offers were accepted", won)
		}
		l, err := s.Listings.Listing(ctx, id)
		must(t, err)
		if l.Status != models.StatusReserved {
			t.Errorf("the listing is %s", l.Status)
		}
		wantError(t, advance(ctx, s, id, models.Move{Step: models.Sell, Seller: jane, Price: 1}), problem.Conflict, "offer_accepted")
		var accepted string
		list, err := s.Trades.Offers(ctx, jane, store.OfferKey{}, 100)
		must(t, err)
		for _, o := range list {
			if o.Status == models.OfferAccepted {
				accepted = o.ID
			}
		}
		won := race(t, 50, func(i int) error {
			_, err := stores[i%2].Trades.AnswerOffer(ctx, accepted, store.Answer{Step: models.Complete, By: jane})
			return err
		})
		if won != 1 {
			t.Errorf("completed %d times", won)
		}
		if sales, err := s.Trades.SalesOf(ctx, jane, store.SaleKey{}, 100); err != nil || len(sales) != 1 {
			t.Errorf("sales %+v, %v", sales, err)
		}
		list, err = s.Trades.Offers(ctx, jane, store.OfferKey{}, 100)
		must(t, err)
		for _, o := range list {
			if want := map[bool]models.OfferStatus{true: models.OfferCompleted, false: models.OfferDeclined}[o.ID == accepted]; o.Status != want {
				t.Errorf("an offer is %s, want %s", o.Status, want)
			}
		}

		free := inStatus(t, s, jane, models.StatusActive)
		if won := race(t, 50, func(i int) error {
			return advance(ctx, stores[i%2], free, models.Move{Step: models.Reserve, Seller: jane})
		}); won != 1 {
			t.Errorf("reserved %d times", won)
		}
	})
}

// TestTransitionsAreDocumented compares the diagram in docs/reference/listing-states.md with
// Transitions.
func TestTransitionsAreDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/reference/listing-states.md")
	if err != nil {
		t.Fatal(err)
	}
	_, drawing, _ := strings.Cut(string(doc), "stateDiagram-v2\n")
	drawing, _, _ = strings.Cut(drawing, "```")
	want := []string{"[*] --> draft: create"}
	for _, m := range store.Transitions() {
		to := string(m.To)
		if to == "" {
			to = "[*]"
		}
		want = append(want, fmt.Sprintf("%s --> %s: %s", m.From, to, m.Step))
	}
	var drawn []string
	for line := range strings.Lines(drawing) {
		drawn = append(drawn, strings.TrimSpace(line))
	}
	slices.Sort(want)
	slices.Sort(drawn)
	if !slices.Equal(drawn, want) {
		t.Errorf("docs/reference/listing-states.md draws\n%s\nthe table has\n%s", strings.Join(drawn, "\n"), strings.Join(want, "\n"))
	}
}

// TestStepsLockListings holds a listing while a step of it begins, and changes it and its
// offer to what several other steps lead to: the same status, but an accepted offer, or a
// listing removed from another one. The step must see the change. On SQLite writers wait
// before they read.
func TestStepsLockListings(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	s := storetest.Open(t, url, nil)
	jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
	const accept = `UPDATE offers SET status = 'accepted' WHERE listing_id = $1`
	for name, c := range map[string]struct {
		from   models.Status
		step   func(id string) error
		change string
		want   string // error code
		after  models.Status
	}{
		"relist": {models.StatusReserved, sellerStep(s, models.Move{Step: models.Relist, Seller: jane}), accept, "offer_accepted", models.StatusReserved},
		"end":    {models.StatusReserved, sellerStep(s, models.Move{Step: models.End, Seller: jane}), accept, "offer_accepted", models.StatusReserved},
		"sell":   {models.StatusReserved, sellerStep(s, models.Move{Step: models.Sell, Price: 5, Seller: jane}), accept, "offer_accepted", models.StatusReserved},
		"restore": {models.StatusRemoved, func(id string) error {
			_, err := s.Moderation.Moderate(context.Background(), olga, id, models.RestoreListing, "")
			return err
		}, `UPDATE listings SET removed_from = 'sold' WHERE id = $1`, "", models.StatusSold},
	} {
		t.Run(name, func(t *testing.T) {
			db, id := raw(t, url), inStatus(t, s, jane, models.StatusActive)
			_, err := s.Trades.MakeOffer(t.Context(), id, john, 40000, "", models.DeliveryRequest{})
			must(t, err)
			must(t, advance(t.Context(), s, id, models.Move{Step: map[models.Status]models.Step{models.StatusReserved: models.Reserve, models.StatusRemoved: models.Remove}[c.from]}))
			other, err := db.BeginTx(t.Context(), nil)
			must(t, err)
			defer other.Rollback()
			_, err = other.ExecContext(t.Context(), `UPDATE listings SET version = version + 2 WHERE id = $1`, id)
			must(t, err)
			_, err = other.ExecContext(t.Context(), c.change, id)
			must(t, err)
			done := make(chan error, 1)
			go func() { done <- c.step(id) }()
			for waits := false; !waits; {
				must(t, db.QueryRowContext(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits))
			}
			must(t, other.Commit())
			err = <-done
			var e *problem.Error
			if errors.As(err, &e) && e.Code != c.want || (err != nil) != (c.want != "") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			l, err := s.Listings.OwnListing(t.Context(), id, jane)
			must(t, err)
			if l.Status != c.after {
				t.Errorf("the listing is %s, want %s", l.Status, c.after)
			}
		})
	}
}

func sellerStep(s *store.Store, move models.Move) func(id string) error {
	return func(id string) error { return advance(context.Background(), s, id, move) }
}
