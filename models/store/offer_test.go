package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestOfferTransitions takes every step of an offer as either side from every
// status.
func TestOfferTransitions(t *testing.T) {
	t.Parallel()
	type move struct {
		step models.OfferStep
		by   string
	}
	paths := map[models.OfferStatus][]move{
		models.OfferPending:   {},
		models.OfferCountered: {{models.Counter, "seller"}},
		models.OfferAccepted:  {{models.Accept, "seller"}},
		models.OfferDeclined:  {{models.Decline, "seller"}},
		models.OfferWithdrawn: {{models.Withdraw, "buyer"}},
		models.OfferCompleted: {{models.Accept, "seller"}, {models.Complete, "seller"}},
		models.OfferDisputed:  {{models.Accept, "seller"}, {models.Complete, "seller"}, {models.Dispute, "buyer"}},
		models.OfferConfirmed: {{models.Accept, "seller"}, {models.Complete, "seller"}, {models.Confirm, "buyer"}},
	}
	leads := map[models.OfferStatus]map[move]models.OfferStatus{
		models.OfferPending: {
			{models.Counter, "seller"}: models.OfferCountered, {models.Accept, "seller"}: models.OfferAccepted,
			{models.Decline, "seller"}: models.OfferDeclined, {models.Withdraw, "buyer"}: models.OfferWithdrawn,
		},
		models.OfferCountered: {
			{models.Counter, "buyer"}: models.OfferPending, {models.Accept, "buyer"}: models.OfferAccepted, {models.Decline, "buyer"}: models.OfferDeclined,
			{models.Withdraw, "buyer"}: models.OfferWithdrawn, {models.Withdraw, "seller"}: models.OfferWithdrawn,
		},
		models.OfferAccepted: {
			{models.Withdraw, "buyer"}: models.OfferWithdrawn, {models.Withdraw, "seller"}: models.OfferWithdrawn,
			{models.Complete, "seller"}: models.OfferCompleted,
		},
		models.OfferCompleted: {{models.Confirm, "buyer"}: models.OfferConfirmed, {models.Dispute, "buyer"}: models.OfferDisputed},
		models.OfferDisputed:  {{models.Confirm, "buyer"}: models.OfferConfirmed},
	}
	listing := map[models.OfferStatus]models.Status{models.OfferAccepted: models.StatusReserved, models.OfferCompleted: models.StatusSold,
		models.OfferDisputed: models.StatusSold, models.OfferConfirmed: models.StatusSold}
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		ids := map[string]string{"seller": account(t, s, "jane").ID, "other": account(t, s, "olga").ID}
		answer := func(id string, m move) (*models.Offer, error) {
			return s.Trades.AnswerOffer(ctx, id, store.Answer{Step: m.step, By: ids[m.by], Amount: 45000, Message: "Meet me there"})
		}
		for from, path := range paths {
			ids["buyer"] = account(t, s, "john-"+string(from)).ID // a new account makes so many offers a day
			for _, step := range models.OfferSteps {
				for _, by := range []string{"seller", "buyer", "other"} {
					id := inStatus(t, s, ids["seller"], models.StatusActive)
					o, err := s.Trades.MakeOffer(ctx, id, ids["buyer"], 40000, "Would you take 400?", models.DeliveryRequest{})
					must(t, err)
					for _, m := range path {
						_, err := answer(o.ID, m)
						must(t, err)
					}
					m := move{step, by}
					got, err := answer(o.ID, m)
					want, ok := leads[from][m]
					switch {
					case by == "other":
						wantError(t, err, problem.NotFound, "offer_not_found")
					case !ok:
						if err == nil {
							t.Errorf("%s by the %s of one that is %s: done", step, by, from)
						}
					case err != nil:
						t.Errorf("%s by the %s of one that is %s: %v", step, by, from, err)
					case got.Status != want:
						t.Errorf("%s by the %s of one that is %s led to %s, want %s", step, by, from, got.Status, want)
					default:
						l, err := s.Listings.Listing(ctx, id)
						must(t, err)
						wantListing := listing[want]
						if wantListing == "" {
							wantListing = models.StatusActive
						}
						if l.Status != wantListing {
							t.Errorf("%s by the %s of one that is %s: the listing is %s, want %s", step, by, from, l.Status, wantListing)
						}
					}
					// An open offer would prevent the next one.
					_, _ = answer(o.ID, move{models.Withdraw, "buyer"})
				}
			}
		}
	})
}

func TestOfferLimits(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		id, sold := inStatus(t, s, jane, models.StatusActive), inStatus(t, s, jane, models.StatusSold)
		for _, amount := range []models.Cents{0, -1, models.MaxAmount + 1} {
			_, err := s.Trades.MakeOffer(ctx, id, john, amount, "", models.DeliveryRequest{})
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		_, err := s.Trades.MakeOffer(ctx, id, jane, 100, "", models.DeliveryRequest{})
		wantError(t, err, problem.Forbidden, "own_listing")
		_, err = s.Trades.MakeOffer(ctx, sold, john, 100, "", models.DeliveryRequest{})
		wantError(t, err, problem.Conflict, "not_for_sale")
		_, err = s.Trades.MakeOffer(ctx, inStatus(t, s, jane, models.StatusDraft), john, 100, "", models.DeliveryRequest{})
		wantError(t, err, problem.NotFound, "listing_not_found")
		o, err := s.Trades.MakeOffer(ctx, id, john, 100, "first", models.DeliveryRequest{})
		must(t, err)
		_, err = s.Trades.MakeOffer(ctx, id, john, 100, "", models.DeliveryRequest{})
		wantError(t, err, problem.Conflict, "offer_exists")
		sides := []string{jane, john}
		for i := range models.MaxProposals - 1 {
			_, err := s.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: models.Counter, By: sides[i%2], Amount: models.Cents(200 + i), Message: "then"})
			must(t, err)
		}
		_, err = s.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: models.Counter, By: sides[(models.MaxProposals-1)%2], Amount: 300})
		wantError(t, err, problem.Conflict, "too_many_rounds")
		rounds, err := s.Trades.Proposals(ctx, o.ID)
		must(t, err)
		if len(rounds) != models.MaxProposals || rounds[0] != (models.Proposal{ByBuyer: true, Amount: 100, Message: "first", At: someTime}) || rounds[1].ByBuyer {
			t.Errorf("proposals %+v", rounds)
		}
		got, err := s.Trades.Offer(ctx, o.ID, john)
		must(t, err)
		if !slices.Contains(got.Steps(john), models.Accept) || slices.Contains(got.Steps(jane), models.Accept) {
			t.Errorf("%s: steps of john %v, of jane %v", got.Status, got.Steps(john), got.Steps(jane))
		}

		now = now.Add(models.OfferLifetime)
		_, err = s.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: models.Accept, By: john})
		wantError(t, err, problem.Conflict, "wrong_status")
		must(t, s.Trades.ExpireOffers(ctx))
		got, err = s.Trades.Offer(ctx, o.ID, jane)
		must(t, err)
		if got.Status != models.OfferExpired {
			t.Errorf("the offer is %s", got.Status)
		}
		_, err = s.Trades.MakeOffer(ctx, id, john, 100, "again", models.DeliveryRequest{})
		must(t, err)
		must(t, advance(ctx, s, id, models.Move{Step: models.End, Seller: jane}))
		list, err := s.Trades.Offers(ctx, john, store.OfferKey{}, 10)
		must(t, err)
		if len(list) != 2 || list[0].Status != models.OfferDeclined || list[1].Status != models.OfferExpired {
			t.Errorf("offers %+v", list)
		}
		next, err := s.Trades.Offers(ctx, john, store.OfferKey{UpdatedAt: list[0].UpdatedAt, ID: list[0].ID}, 10)
		must(t, err)
		if len(next) != 1 || next[0].ID != list[1].ID {
			t.Errorf("the second page is %+v", next)
		}
		_, err = s.Trades.Offer(ctx, o.ID, account(t, s, "olga").ID)
		wantError(t, err, problem.NotFound, "offer_not_found")
	})
}
