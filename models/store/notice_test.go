package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestNotices checks which notices every step sends.
func TestNotices(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now().UTC()
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		s.SendNotices(func(n *models.Notice) models.Delivery {
			return models.Delivery{Kind: models.Mail, MemberID: n.To, Subject: string(n.Kind) + " by " + n.By, Body: n.Title + " " + n.ID}
		})
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		operator, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		wantNotices := func(want ...string) {
			t.Helper()
			mails, err := s.Deliveries.ClaimDeliveries(ctx, 100)
			must(t, err)
			var got []string
			for _, m := range mails {
				got = append(got, m.Recipient+" "+m.Subject)
				must(t, s.Deliveries.Delivered(ctx, m.ID))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("notices %q, want %q", got, want)
			}
		}
		var listing string
		offer := func(buyer string) string {
			t.Helper()
			o, err := s.Trades.MakeOffer(ctx, listing, buyer, 40000, "", models.DeliveryRequest{})
			must(t, err)
			return o.ID
		}
		answer := func(id string, step models.OfferStep, by string) {
			t.Helper()
			_, err := s.Trades.AnswerOffer(ctx, id, store.Answer{Step: step, By: by, Amount: 45000})
			must(t, err)
		}
		fresh := func() { listing = inStatus(t, s, jane, models.StatusActive) }
		const toJane, toJohn, toOlga = "jane@example.org ", "john@example.org ", "olga@example.org "

		fresh()
		first := offer(john)
		wantNotices(toJane + "offer_made by john")
		answer(first, models.Counter, jane)
		wantNotices(toJohn + "offer_countered by jane")
		answer(first, models.Accept, john)
		wantNotices(toJane + "offer_accepted by john")
		answer(first, models.Withdraw, jane)
		wantNotices(toJohn + "offer_withdrawn by jane")
		second := offer(olga)
		answer(second, models.Decline, jane)
		wantNotices(toJane+"offer_made by olga", toOlga+"offer_declined by jane")

		won, _ := offer(john), offer(olga)
		answer(won, models.Accept, jane)
		wantNotices(toJane+"offer_made by john", toJane+"offer_made by olga", toJohn+"offer_accepted by jane")
		answer(won, models.Complete, jane)
		wantNotices(toJohn+"offer_completed by jane", toOlga+"offer_closed by ")
		dispute := store.Answer{Step: models.Dispute, By: john, Message: "The meter is dead"}
		_, err = s.Trades.AnswerOffer(ctx, won, dispute)
		must(t, err)
		wantNotices(toJane + "sale_disputed by john")
		answer(won, models.Confirm, john)
		wantNotices(toJane + "sale_confirmed by john")
		voidSale := func() {
			t.Helper()
			sales, err := s.Trades.SalesByListing(ctx, []string{listing})
			must(t, err)
			_, err = s.Trades.ReviewSale(ctx, operator.ID, sales[listing].ID, models.VoidSale, "")
			must(t, err)
		}
		voidSale()
		wantNotices(toJane+"sale_voided by ", toJohn+"sale_voided by ")

		fresh()
		silent := offer(john)
		answer(silent, models.Accept, jane)
		answer(silent, models.Complete, jane)
		wantNotices(toJane+"offer_made by john", toJohn+"offer_accepted by jane", toJohn+"offer_completed by jane")
		now = now.Add(models.ConfirmationPeriod)
		must(t, s.Trades.ConfirmSales(ctx, 10))
		wantNotices(toJane+"sale_unopposed by ", toJohn+"sale_unopposed by ")
		must(t, s.Trades.ConfirmSales(ctx, 10))
		wantNotices()

		for _, gone := range []func(){
			func() { must(t, advance(ctx, s, listing, models.Move{Step: models.End, Seller: jane})) },
			func() { must(t, advance(ctx, s, listing, models.Move{Step: models.Sell, Seller: jane, Price: 41000})) },
			func() {
				_, err := s.Moderation.Moderate(ctx, operator.ID, listing, models.RemoveListing, "")
				must(t, err)
			},
		} {
			fresh()
			offer(john)
			wantNotices(toJane + "offer_made by john")
			gone()
			wantNotices(toJohn + "offer_closed by ")
		}

		fresh()
		offer(john)
		answer(offer(olga), models.Counter, jane)
		wantNotices(toJane+"offer_made by john", toJane+"offer_made by olga", toOlga+"offer_countered by jane")
		now = now.Add(models.OfferLifetime)
		offer(john) // in place of the one that nobody answered
		wantNotices(toJane+"offer_made by john", toJohn+"offer_expired by ")
		must(t, s.Trades.ExpireOffers(ctx))
		wantNotices(toJane + "offer_expired by ") // jane made the last proposal
		must(t, s.Trades.ExpireOffers(ctx))
		wantNotices()
		must(t, advance(ctx, s, listing, models.Move{Step: models.Expire}))
		wantNotices(toJane+"listing_expired by ", toJohn+"offer_closed by ")

		fresh()
		c, _, err := s.Trades.SendMessage(ctx, listing, john, "Is it still there?")
		must(t, err)
		_, _, err = s.Trades.SendMessage(ctx, listing, john, "Hello?")
		must(t, err)
		wantNotices(toJane + "message_written by john")
		_, _, err = s.Trades.Reply(ctx, c.ID, jane, "It is")
		must(t, err)
		wantNotices(toJohn + "message_written by jane")

		offer(olga)
		wantNotices(toJane + "offer_made by olga")
		_, err = s.Moderation.ModerateMember(ctx, operator.ID, olga, true, "")
		must(t, err)
		must(t, s.Accounts.DeleteAccount(ctx, jane))
		wantNotices() // olga is suspended
	})
}

// TestNoticesAreAtomic checks that a failed step sends no notice, and that a
// step fails if its notice can't be queued.
func TestNoticesAreAtomic(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		id := inStatus(t, s, jane, models.StatusActive)
		s.SendNotices(func(n *models.Notice) models.Delivery {
			return models.Delivery{Kind: models.Mail, MemberID: n.To, Subject: fmt.Sprint(n.Kind), Body: "a\x00b"} // which PostgreSQL stores nowhere
		})
		refused := false
		if _, err := s.Trades.MakeOffer(ctx, id, john, 40000, "", models.DeliveryRequest{}); err != nil {
			var e *problem.Error
			if refused = true; errors.As(err, &e) {
				t.Errorf("got %v", err)
			}
		}
		offers, err := s.Trades.Offers(ctx, john, store.OfferKey{}, 10)
		must(t, err)
		mails, err := s.Deliveries.ClaimDeliveries(ctx, 10)
		must(t, err)
		if refused != (len(offers) == 0) || len(mails) != len(offers) {
			t.Errorf("refused: %v, %d offers, %d mails", refused, len(offers), len(mails))
		}
		s.SendNotices(func(n *models.Notice) models.Delivery {
			return models.Delivery{Kind: models.Mail, MemberID: n.To, Subject: string(n.Kind), Body: ""}
		})
		_, err = s.Trades.MakeOffer(ctx, id, jane, 40000, "", models.DeliveryRequest{})
		wantError(t, err, problem.Forbidden, "own_listing")
		if mails, err = s.Deliveries.ClaimDeliveries(ctx, 10); err != nil || len(mails) != 0 {
			t.Errorf("mails %+v, %v", mails, err)
		}
	})
}
