package models_test

import (
	"errors"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestNewAccountsAreLimited holds that a new account does so much a day, an old
// one more, and an operator what it wants.
func TestNewAccountsAreLimited(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		id := inStatus(t, s, jane, models.StatusActive)
		c, _, err := s.Write(ctx, id, john, "hello")
		must(t, err)
		write := func(n int) (err error) {
			for range n {
				if _, _, err = s.Reply(ctx, c.ID, john, "hello"); err != nil {
					break
				}
			}
			return err
		}
		must(t, write(49))
		wantError(t, write(1), models.TooMany, "too_many_messages")
		offers := func(n int) (err error) {
			for range n {
				var o *models.Offer
				if o, err = s.MakeOffer(ctx, id, john, 100, ""); err != nil {
					break
				}
				if _, err = s.AnswerOffer(ctx, o.ID, models.Answer{Step: models.Withdraw, By: john}); err != nil {
					break
				}
			}
			return err
		}
		must(t, offers(60))
		wantError(t, offers(1), models.TooMany, "too_many_today")
		publish := func(n int) (err error) {
			for range n {
				draft := inStatus(t, s, john, models.StatusDraft)
				if _, err = s.Advance(ctx, draft, models.Move{Step: models.Publish, Seller: john}); err != nil {
					break
				}
			}
			return err
		}
		must(t, publish(50))
		refused := publish(1)
		wantError(t, refused, models.TooMany, "too_many_today")
		var told *models.Error
		errors.As(refused, &told)
		wait := time.Duration(told.Wait) * time.Second
		now = now.Add(wait - 2*time.Second)
		wantError(t, offers(1), models.TooMany, "too_many_today")
		now = now.Add(2 * time.Second) // as long as was told
		must(t, offers(1))
		must(t, publish(1))
		must(t, write(50))
		wantError(t, write(1), models.TooMany, "too_many_messages")
		now = now.Add(models.NewAccount)
		must(t, write(59))
		must(t, publish(60))
	})
}

// TestResponses holds how fast a seller is said to answer, and when nothing is said.
func TestResponses(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := account(t, s, "jane").ID
		is := func(asked, answered int, median time.Duration) {
			t.Helper()
			r, err := s.Responses(ctx, jane)
			must(t, err)
			if r != (models.Responses{Asked: asked, Answered: answered, Median: median}) {
				t.Errorf("got %+v, want %d of %d in %s", r, answered, asked, median)
			}
		}
		is(0, 0, 0)
		ask := func(handle string, answer time.Duration) {
			t.Helper()
			c, first, err := s.Write(ctx, inStatus(t, s, jane, models.StatusActive), account(t, s, handle).ID, "hello")
			must(t, err)
			if !first.First {
				t.Error("the first message is not news")
			}
			if answer > 0 {
				now = now.Add(answer)
				_, m, err := s.Reply(ctx, c.ID, jane, "hi")
				must(t, err)
				if !m.First {
					t.Error("the answer is not news")
				}
				_, m, err = s.Reply(ctx, c.ID, jane, "hi again")
				must(t, err)
				if m.First {
					t.Error("the second answer is news before the first was read")
				}
			}
		}
		ask("one", time.Hour)
		ask("two", 2*time.Hour)
		ask("three", 3*time.Hour)
		ask("four", 4*time.Hour)
		is(4, 4, 0)
		ask("five", 0)
		is(4, 4, 0) // who waits less than a day does not count yet
		now = now.Add(25 * time.Hour)
		is(5, 4, 3*time.Hour)
		for _, handle := range []string{"six", "seven", "eight", "nine"} {
			ask(handle, 0)
		}
		now = now.Add(25 * time.Hour)
		is(9, 4, 0) // most went unanswered
	})
}

// TestMessagesOfOneMoment holds that messages that come at once are told apart:
// each is read once, and a page begins where the last ended.
func TestMessagesOfOneMoment(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, func() time.Time { return time.UnixMilli(int64(someTime)) }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		c, _, err := s.Write(ctx, inStatus(t, s, jane, models.StatusActive), john, "1")
		must(t, err)
		for _, text := range []string{"2", "3"} {
			_, _, err := s.Reply(ctx, c.ID, john, text)
			must(t, err)
		}
		_, last, err := s.Messages(ctx, c.ID, jane, 0, 2)
		must(t, err)
		_, first, err := s.Messages(ctx, c.ID, jane, last[0].At, 2)
		must(t, err)
		if len(last) != 2 || last[0].Text != "2" || len(first) != 1 || first[0].Text != "1" {
			t.Errorf("got %+v, then %+v", last, first)
		}
		_, m, err := s.Reply(ctx, c.ID, john, "4")
		must(t, err)
		if n, err := s.CountUnread(ctx, jane); err != nil || n != 1 || !m.First {
			t.Errorf("%d wait, %v, %+v", n, err, m)
		}
	})
}
