package store_test

import (
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestRatings(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		o, err := s.Trades.MakeOffer(ctx, inStatus(t, s, jane, models.StatusActive), john, 100, "", models.DeliveryRequest{})
		must(t, err)
		_, err = s.Trades.Rate(ctx, o.ID, john, 5, "Quick and kind")
		wantError(t, err, problem.Conflict, "wrong_status")
		for _, a := range []store.Answer{{Step: models.Accept, By: jane}, {Step: models.Complete, By: jane}} {
			_, err := s.Trades.AnswerOffer(ctx, o.ID, a)
			must(t, err)
		}
		for _, stars := range []int{0, 6, -1} {
			_, err = s.Trades.Rate(ctx, o.ID, john, stars, "")
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		_, err = s.Trades.Rate(ctx, o.ID, olga, 5, "")
		wantError(t, err, problem.NotFound, "offer_not_found")
		_, err = s.Trades.Rate(ctx, o.ID, john, 4, "Quick and kind")
		must(t, err)
		_, err = s.Trades.Rate(ctx, o.ID, john, 1, "on second thoughts")
		wantError(t, err, problem.Conflict, "rated_already")
		back, err := s.Trades.Rate(ctx, o.ID, jane, 5, "")
		must(t, err)
		if back.RatedID != john {
			t.Errorf("rated %s", back.RatedID)
		}
		if hidden, err := s.Trades.Seller(ctx, jane); err != nil || hidden.Ratings != 0 {
			t.Errorf("before the sale is confirmed: %+v %v", hidden, err)
		}
		_, err = s.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: models.Confirm, By: john})
		must(t, err)
		seller, err := s.Trades.Seller(ctx, jane)
		must(t, err)
		if seller.Handle != "jane" || seller.RatingSummary != (models.RatingSummary{Ratings: 1, Stars: 4}) || seller.Average() != 40 {
			t.Errorf("got the seller %+v", seller)
		}
		list, err := s.Trades.Ratings(ctx, jane, 10)
		must(t, err)
		if len(list) != 1 || list[0].Text != "Quick and kind" {
			t.Errorf("got %+v", list)
		}
	})
}
