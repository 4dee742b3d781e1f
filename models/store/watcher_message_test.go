package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestMessageWatchers tests who gets a message to the watchers of a listing, and that its
// seller does not learn who they are until they answer.
func TestMessageWatchers(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		id := map[string]string{}
		for _, handle := range []string{"jane", "watcher", "second", "asked", "offered", "blocker", "blocked", "declined", "stranger"} {
			id[handle] = account(t, s, handle).ID
		}
		jane := id["jane"]
		listing := inStatus(t, s, jane, models.StatusActive)
		write := func(by, listing, text, want string) {
			t.Helper()
			_, err := s.Trades.MessageWatchers(ctx, listing, by, text)
			if code := codeOf(err); code != want {
				t.Errorf("%q is %q, want %q", text, code, want)
			}
		}
		inbox := func(handle string) int {
			t.Helper()
			found, err := s.Trades.Conversations(ctx, id[handle], store.ConversationKey{}, 100)
			must(t, err)
			return len(found)
		}
		write(jane, listing, "Still available.", "no_new_watchers")
		for _, handle := range []string{"jane", "watcher", "asked", "offered", "blocker", "blocked", "declined"} {
			must(t, s.Watches.AddWatch(ctx, id[handle], listing))
		}
		_, _, err := s.Trades.SendMessage(ctx, listing, id["asked"], "Is it boxed?")
		must(t, err)
		_, err = s.Trades.MakeOffer(ctx, listing, id["offered"], 10000, "", models.DeliveryRequest{})
		must(t, err)
		must(t, s.Trades.Block(ctx, id["blocker"], jane, true))
		must(t, s.Trades.Block(ctx, jane, id["blocked"], true))
		must(t, s.Trades.SetSellerMessages(ctx, id["declined"], false))

		write(id["watcher"], listing, "Not mine.", "listing_not_found")
		write(jane, inStatus(t, s, jane, models.StatusEnded), "Ended.", "not_for_sale")
		write(jane, listing, "  ", "invalid_parameter")
		write(jane, listing, "\x00", "invalid_parameter")
		write(jane, listing, "Now €50 less.", "")
		write(jane, listing, "Really.", "no_new_watchers")
		for handle, want := range map[string]int{"watcher": 1, "asked": 1, "offered": 0, "blocker": 0, "blocked": 0, "declined": 0, "stranger": 0, "jane": 1} {
			if got := inbox(handle); got != want {
				t.Errorf("%s has %d conversations, want %d", handle, got, want)
			}
		}
		w, err := s.Trades.WatchersOf(ctx, listing, jane)
		must(t, err)
		if *w != (models.Watchers{Count: 6, LastText: "Now €50 less.", LastAt: someTime}) {
			t.Errorf("watchers are %+v", w)
		}
		if _, err := s.Trades.WatchersOf(ctx, listing, id["watcher"]); codeOf(err) != "listing_not_found" {
			t.Errorf("a watcher counts watchers: %v", err)
		}
		if counts, err := s.Trades.CountWatchers(ctx, []string{listing}); err != nil || counts[listing] != 6 {
			t.Errorf("counts are %v, %v", counts, err)
		}

		got, err := s.Trades.Conversations(ctx, id["watcher"], store.ConversationKey{}, 1)
		must(t, err)
		hidden := got[0].ID
		if got[0].Unread != 1 || got[0].LastText != "Now €50 less." {
			t.Errorf("the watcher got %+v", got[0])
		}
		_, _, err = s.Trades.Reply(ctx, hidden, jane, "Hello?")
		wantError(t, err, problem.NotFound, "conversation_not_found")
		if c, err := s.Trades.ConversationOn(ctx, listing, id["watcher"], jane); c != nil || err != nil {
			t.Errorf("the seller finds %+v, %v", c, err)
		}
		tables, err := s.Accounts.PersonalData(ctx, jane)
		must(t, err)
		if text := fmt.Sprint(tables); strings.Contains(text, id["watcher"]) || strings.Contains(text, hidden) || !strings.Contains(text, "Now €50 less.") {
			t.Error("the seller's export says who watches, or lacks the message")
		}

		// A second message is for those who have come since.
		now = now.Add(time.Hour)
		must(t, s.Watches.AddWatch(ctx, id["second"], listing))
		write(jane, listing, "Still here.", "")
		if inbox("second") != 1 || inbox("watcher") != 1 || inbox("jane") != 1 {
			t.Error("the second message went to others")
		}

		// The watcher answers.
		_, _, err = s.Trades.Reply(ctx, hidden, id["watcher"], "I'll take it.")
		must(t, err)
		_, messages, err := s.Trades.Messages(ctx, hidden, jane, 0, 10)
		must(t, err)
		if len(messages) != 2 || inbox("jane") != 2 {
			t.Errorf("the seller reads %+v", messages)
		}
		_, _, err = s.Trades.Reply(ctx, hidden, jane, "Great.")
		must(t, err)
		stats, err := s.Trades.ResponseStats(ctx, jane)
		must(t, err)
		if stats.Answered != 0 {
			t.Errorf("writing first counts as an answer: %+v", stats)
		}
		must(t, s.Accounts.DeleteAccount(ctx, jane))
	})
}

// TestMessageTrader tests that a seller writes first to somebody who made an offer, once
// until they answer.
func TestMessageTrader(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		listing := inStatus(t, s, jane, models.StatusActive)
		o, err := s.Trades.MakeOffer(ctx, listing, john, 10000, "", models.DeliveryRequest{})
		must(t, err)
		var conversation string
		write := func(by, want string) {
			t.Helper()
			now = now.Add(time.Second)
			c, err := s.Trades.MessageTrader(ctx, o.ID, by, "Hello.")
			if code := codeOf(err); code != want {
				t.Fatalf("writing is %q, want %q", code, want)
			}
			if err == nil {
				conversation = c.ID
			}
		}
		answer := func(step models.OfferStep, by string) {
			t.Helper()
			_, err := s.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: step, By: by, Amount: 9000})
			must(t, err)
		}
		write(olga, "offer_not_found")
		write(jane, "")
		write(jane, "not_answered")
		_, _, err = s.Trades.Reply(ctx, conversation, jane, "Hello?")
		wantError(t, err, problem.Conflict, "not_answered")
		must(t, s.Trades.Block(ctx, john, jane, true))
		write(jane, "blocked")
		must(t, s.Trades.Block(ctx, john, jane, false))
		answer(models.Decline, jane)
		write(jane, "not_answered")
		o, err = s.Trades.MakeOffer(ctx, listing, john, 11000, "", models.DeliveryRequest{}) // a new offer is an answer
		must(t, err)
		write(jane, "")
		write(jane, "not_answered")
		answer(models.Accept, jane) // those who trade arrange it
		write(jane, "")
		write(jane, "")
		answer(models.Withdraw, john)
		write(jane, "not_answered")
		write(john, "")
		write(jane, "")

		for range models.MessagesPerHour {
			if _, err = s.Trades.MessageTrader(ctx, o.ID, jane, "Again."); err != nil {
				break
			}
		}
		wantError(t, err, problem.TooMany, "too_many_messages")
		must(t, s.Watches.AddWatch(ctx, olga, listing))
		_, err = s.Trades.MessageWatchers(ctx, listing, jane, "Still here.")
		wantError(t, err, problem.TooMany, "too_many_messages")
	})
}

// TestMessagesToWatchersCount tests that a message to many counts once.
func TestMessagesToWatchersCount(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, listing := account(t, s, "jane").ID, ""
		var watchers []string
		for i := range 3 {
			watchers = append(watchers, account(t, s, fmt.Sprintf("watcher-%d", i)).ID)
		}
		sent := 0
		var err error
		for err == nil && sent < 100 {
			listing = inStatus(t, s, jane, models.StatusActive)
			for _, w := range watchers {
				must(t, s.Watches.AddWatch(ctx, w, listing))
			}
			if _, err = s.Trades.MessageWatchers(ctx, listing, jane, "Look."); err == nil {
				sent++
			}
		}
		if wantError(t, err, problem.TooMany, "too_many_messages"); sent != 50 {
			t.Errorf("a new account sent %d messages to watchers", sent)
		}
		if n, err := s.Trades.CountUnread(ctx, slices.Min(watchers)); err != nil || n != 50 {
			t.Errorf("a watcher has %d unread messages, %v", n, err)
		}
	})
}

// codeOf returns the code of an error, "" if it is nil.
func codeOf(err error) string {
	var e *problem.Error
	if err != nil && !errors.As(err, &e) {
		return err.Error()
	}
	if e == nil {
		return ""
	}
	return e.Code
}
