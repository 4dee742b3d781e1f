package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestConversations(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		id := inStatus(t, s, jane, models.StatusActive)
		_, _, err := s.Trades.SendMessage(ctx, id, jane, "to myself")
		wantError(t, err, problem.Forbidden, "own_listing")
		_, _, err = s.Trades.SendMessage(ctx, inStatus(t, s, jane, models.StatusDraft), john, "hello")
		wantError(t, err, problem.NotFound, "listing_not_found")
		for _, text := range []string{"", "  \n", strings.Repeat("x", models.MaxMessage+1), "\x00", "\xff"} {
			_, _, err = s.Trades.SendMessage(ctx, id, john, text)
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		first, m, err := s.Trades.SendMessage(ctx, id, john, " Is the shutter quiet? ")
		must(t, err)
		if m.Text != "Is the shutter quiet?" || m.At != someTime {
			t.Errorf("got %+v", m)
		}
		now = now.Add(time.Minute)
		again, _, err := s.Trades.SendMessage(ctx, id, john, "And the box?")
		must(t, err)
		other, _, err := s.Trades.SendMessage(ctx, id, olga, "Mine!")
		must(t, err)
		if again.ID != first.ID || other.ID == first.ID {
			t.Error("wrong conversations")
		}
		unread := func(memberID string, want int) {
			t.Helper()
			n, err := s.Trades.CountUnread(ctx, memberID)
			must(t, err)
			if n != want {
				t.Errorf("%d unread messages, want %d", n, want)
			}
		}
		unread(jane, 3)
		_, _, err = s.Trades.Messages(ctx, first.ID, jane, 0, 10)
		must(t, err)
		unread(jane, 3) // reading the messages marks nothing
		unread(john, 0)
		now = now.Add(time.Minute)
		_, _, err = s.Trades.Reply(ctx, first.ID, jane, "Very.")
		must(t, err)
		_, _, err = s.Trades.Reply(ctx, first.ID, olga, "Me too")
		wantError(t, err, problem.NotFound, "conversation_not_found")
		list, err := s.Trades.Conversations(ctx, jane, store.ConversationKey{}, 10)
		must(t, err)
		if len(list) != 2 || list[0].ID != first.ID || list[0].LastText != "Very." || list[0].Unread != 0 || list[1].Unread != 1 {
			t.Errorf("got %+v", list)
		}
		next, err := s.Trades.Conversations(ctx, jane, store.ConversationKey{UpdatedAt: list[0].UpdatedAt, ID: list[0].ID}, 10)
		must(t, err)
		if len(next) != 1 || next[0].ID != other.ID {
			t.Errorf("got %+v", next)
		}
		_, messages, err := s.Trades.Messages(ctx, first.ID, jane, 0, 2)
		must(t, err)
		if len(messages) != 2 || messages[0].Text != "And the box?" || messages[1].SenderID != jane {
			t.Errorf("got %+v", messages)
		}
		_, older, err := s.Trades.Messages(ctx, first.ID, jane, messages[0].At, 10)
		must(t, err)
		if len(older) != 1 || older[0].Text != "Is the shutter quiet?" {
			t.Errorf("got %+v", older)
		}
		_, _, err = s.Trades.Messages(ctx, first.ID, olga, 0, 10)
		wantError(t, err, problem.NotFound, "conversation_not_found")
		unread(jane, 1)
		unread(john, 1)
		wantError(t, s.Trades.MarkRead(ctx, first.ID, olga), problem.NotFound, "conversation_not_found")
		must(t, s.Trades.MarkRead(ctx, first.ID, john))
		unread(john, 0)
		must(t, s.Trades.MarkRead(ctx, other.ID, jane))
		unread(jane, 0)

		must(t, s.Trades.Block(ctx, jane, john, true))
		_, _, err = s.Trades.Reply(ctx, first.ID, john, "Hello?")
		wantError(t, err, problem.Forbidden, "blocked")
		_, err = s.Trades.MakeOffer(ctx, id, john, 100, "", models.DeliveryRequest{})
		wantError(t, err, problem.Forbidden, "blocked")
		must(t, s.Trades.Block(ctx, jane, john, false))
		_, _, err = s.Trades.Reply(ctx, first.ID, john, "Hello?")
		must(t, err)
		for i := range models.MessagesPerHour {
			if _, _, err = s.Trades.Reply(ctx, first.ID, john, fmt.Sprint(i)); err != nil {
				break
			}
		}
		wantError(t, err, problem.TooMany, "too_many_messages")
	})
}

// TestResponseStats checks when a response time is stated.
func TestResponseStats(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := account(t, s, "jane").ID
		is := func(asked, answered int, median time.Duration) {
			t.Helper()
			r, err := s.Trades.ResponseStats(ctx, jane)
			must(t, err)
			if r != (models.ResponseStats{Conversations: asked, Answered: answered, Median: median}) {
				t.Errorf("got %+v, want %d of %d in %s", r, answered, asked, median)
			}
		}
		is(0, 0, 0)
		ask := func(handle string, answer time.Duration) {
			t.Helper()
			c, first, err := s.Trades.SendMessage(ctx, inStatus(t, s, jane, models.StatusActive), account(t, s, handle).ID, "hello")
			must(t, err)
			if !first.FirstUnread {
				t.Error("FirstUnread is not set on the first message")
			}
			if answer > 0 {
				now = now.Add(answer)
				_, m, err := s.Trades.Reply(ctx, c.ID, jane, "hi")
				must(t, err)
				if !m.FirstUnread {
					t.Error("FirstUnread is not set on the reply")
				}
				_, m, err = s.Trades.Reply(ctx, c.ID, jane, "hi again")
				must(t, err)
				if m.FirstUnread {
					t.Error("FirstUnread is set on the second reply before the first was read")
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
		now = now.Add(store.ResponsePeriod)
		is(0, 0, 0) // long ago
	})
}

// TestConcurrentMessages checks that messages sent at the same time are
// distinct: each is counted as read once, and pages don't overlap.
func TestConcurrentMessages(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, func() time.Time { return time.UnixMilli(int64(someTime)) }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		c, _, err := s.Trades.SendMessage(ctx, inStatus(t, s, jane, models.StatusActive), john, "1")
		must(t, err)
		for _, text := range []string{"2", "3"} {
			_, _, err := s.Trades.Reply(ctx, c.ID, john, text)
			must(t, err)
		}
		_, last, err := s.Trades.Messages(ctx, c.ID, jane, 0, 2)
		must(t, err)
		must(t, s.Trades.MarkRead(ctx, c.ID, jane))
		_, first, err := s.Trades.Messages(ctx, c.ID, jane, last[0].At, 2)
		must(t, err)
		if len(last) != 2 || last[0].Text != "2" || len(first) != 1 || first[0].Text != "1" {
			t.Errorf("got %+v, then %+v", last, first)
		}
		_, m, err := s.Trades.Reply(ctx, c.ID, john, "4")
		must(t, err)
		if n, err := s.Trades.CountUnread(ctx, jane); err != nil || n != 1 || !m.FirstUnread {
			t.Errorf("%d unread, %v, %+v", n, err, m)
		}
	})
}
