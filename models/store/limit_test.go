package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestNewAccountLimits checks that the daily limits apply to new accounts only,
// and not to operators.
func TestNewAccountLimits(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		id := inStatus(t, s, jane, models.StatusActive)
		c, _, err := s.Trades.SendMessage(ctx, id, john, "hello")
		must(t, err)
		write := func(n int) (err error) {
			for range n {
				if _, _, err = s.Trades.Reply(ctx, c.ID, john, "hello"); err != nil {
					break
				}
			}
			return err
		}
		must(t, write(49))
		wantError(t, write(1), problem.TooMany, "too_many_messages")
		offers := func(n int) (err error) {
			for range n {
				var o *models.Offer
				if o, err = s.Trades.MakeOffer(ctx, id, john, 100, "", models.DeliveryRequest{}); err != nil {
					break
				}
				if _, err = s.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: models.Withdraw, By: john}); err != nil {
					break
				}
			}
			return err
		}
		must(t, offers(60))
		wantError(t, offers(1), problem.TooMany, "too_many_today")
		publish := func(n int) (err error) {
			for range n {
				draft := inStatus(t, s, john, models.StatusDraft)
				if _, err = s.Listings.Advance(ctx, draft, models.Move{Step: models.Publish, Seller: john}); err != nil {
					break
				}
			}
			return err
		}
		must(t, publish(50))
		refused := publish(1)
		wantError(t, refused, problem.TooMany, "too_many_today")
		var e *problem.Error
		errors.As(refused, &e)
		wait := time.Duration(e.Wait) * time.Second
		now = now.Add(wait - 2*time.Second)
		wantError(t, offers(1), problem.TooMany, "too_many_today")
		now = now.Add(2 * time.Second) // past the wait
		must(t, offers(1))
		must(t, publish(1))
		must(t, write(50))
		wantError(t, write(1), problem.TooMany, "too_many_messages")
		now = now.Add(store.NewAccountPeriod)
		must(t, write(59))
		must(t, publish(60))
	})
}
