package models_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestConversations(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		id := inStatus(t, s, jane, models.StatusActive)
		_, _, err := s.Write(ctx, id, jane, "to myself")
		wantError(t, err, models.Forbidden, "own_listing")
		_, _, err = s.Write(ctx, inStatus(t, s, jane, models.StatusDraft), john, "hello")
		wantError(t, err, models.NotFound, "listing_not_found")
		for _, text := range []string{"", "  \n", strings.Repeat("x", models.MaxMessage+1), "\x00", "\xff"} {
			_, _, err = s.Write(ctx, id, john, text)
			wantError(t, err, models.Invalid, "invalid_parameter")
		}
		first, m, err := s.Write(ctx, id, john, " Is the shutter quiet? ")
		must(t, err)
		if m.Text != "Is the shutter quiet?" || m.At != someTime {
			t.Errorf("got %+v", m)
		}
		now = now.Add(time.Minute)
		again, _, err := s.Write(ctx, id, john, "And the box?")
		must(t, err)
		other, _, err := s.Write(ctx, id, olga, "Mine!")
		must(t, err)
		if again.ID != first.ID || other.ID == first.ID {
			t.Error("conversations are mixed up")
		}
		unread := func(memberID string, want int) {
			t.Helper()
			n, err := s.CountUnread(ctx, memberID)
			must(t, err)
			if n != want {
				t.Errorf("%d messages wait, want %d", n, want)
			}
		}
		unread(jane, 3)
		unread(john, 0)
		now = now.Add(time.Minute)
		_, _, err = s.Reply(ctx, first.ID, jane, "Very.")
		must(t, err)
		_, _, err = s.Reply(ctx, first.ID, olga, "Me too")
		wantError(t, err, models.NotFound, "conversation_not_found")
		list, err := s.Conversations(ctx, jane, models.ConversationKey{}, 10)
		must(t, err)
		if len(list) != 2 || list[0].ID != first.ID || list[0].LastText != "Very." || list[0].Unread != 2 || list[1].Unread != 1 {
			t.Errorf("got %+v", list)
		}
		next, err := s.Conversations(ctx, jane, models.ConversationKey{UpdatedAt: list[0].UpdatedAt, ID: list[0].ID}, 10)
		must(t, err)
		if len(next) != 1 || next[0].ID != other.ID {
			t.Errorf("got %+v", next)
		}
		_, messages, err := s.Messages(ctx, first.ID, jane, 0, 2)
		must(t, err)
		if len(messages) != 2 || messages[0].Text != "And the box?" || messages[1].SenderID != jane {
			t.Errorf("got %+v", messages)
		}
		_, older, err := s.Messages(ctx, first.ID, jane, messages[0].At, 10)
		must(t, err)
		if len(older) != 1 || older[0].Text != "Is the shutter quiet?" {
			t.Errorf("got %+v", older)
		}
		_, _, err = s.Messages(ctx, first.ID, olga, 0, 10)
		wantError(t, err, models.NotFound, "conversation_not_found")
		unread(jane, 1)
		unread(john, 1)

		must(t, s.Block(ctx, jane, john, true))
		_, _, err = s.Reply(ctx, first.ID, john, "Hello?")
		wantError(t, err, models.Forbidden, "blocked")
		_, err = s.MakeOffer(ctx, id, john, 100, "")
		wantError(t, err, models.Forbidden, "blocked")
		must(t, s.Block(ctx, jane, john, false))
		_, _, err = s.Reply(ctx, first.ID, john, "Hello?")
		must(t, err)
		for i := range models.MessagesPerHour {
			if _, _, err = s.Reply(ctx, first.ID, john, fmt.Sprint(i)); err != nil {
				break
			}
		}
		wantError(t, err, models.TooMany, "too_many_messages")
	})
}

func TestWatches(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		id := inStatus(t, s, jane, models.StatusActive)
		must(t, s.PutWatch(ctx, john, id))
		must(t, s.PutWatch(ctx, john, id))
		wantError(t, s.PutWatch(ctx, john, "nothing"), models.NotFound, "listing_not_found")
		drop := func(price models.Cents, want int) {
			t.Helper()
			_, err := s.EditListing(ctx, id, jane, 0, func(l *models.Listing) error { l.Price = price; return nil })
			must(t, err)
			var mu sync.Mutex
			var drops []models.PriceDrop
			var group sync.WaitGroup
			for range 4 { // replicas may all look at once
				group.Go(func() {
					some, err := s.TakeDrops(ctx, id, func(drops []models.PriceDrop) []models.Delivery {
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
				t.Errorf("at %d: told %+v, want %d", price, drops, want)
			}
		}
		drop(124000, 0) // too little to tell
		drop(110000, 1)
		drop(124900, 0)
		drop(110000, 0) // down again, and no news
		drop(105000, 1)
		list, err := s.Watches(ctx, john)
		must(t, err)
		if len(list) != 1 || list[0].ListingID != id || list[0].Price != 124900 {
			t.Errorf("got %+v", list)
		}
		if mail, err := s.ClaimDeliveries(ctx, 10); err != nil || len(mail) != 2 {
			t.Errorf("%d mails, %v", len(mail), err)
		}
		dropped, err := s.Dropped(ctx, 10)
		must(t, err)
		if len(dropped) != 0 {
			t.Errorf("still untold: %q", dropped)
		}
		must(t, s.DeleteWatch(ctx, john, id))
		must(t, s.DeleteWatch(ctx, john, id))
		if list, _ := s.Watches(ctx, john); len(list) != 0 {
			t.Errorf("still there: %+v", list)
		}
	})
}

func TestRatings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		o, err := s.MakeOffer(ctx, inStatus(t, s, jane, models.StatusActive), john, 100, "")
		must(t, err)
		_, err = s.Rate(ctx, o.ID, john, 5, "Quick and kind")
		wantError(t, err, models.Conflict, "wrong_status")
		for _, a := range []models.Answer{{Step: models.Accept, By: jane}, {Step: models.Complete, By: john}} {
			_, err := s.AnswerOffer(ctx, o.ID, a)
			must(t, err)
		}
		for _, stars := range []int{0, 6, -1} {
			_, err = s.Rate(ctx, o.ID, john, stars, "")
			wantError(t, err, models.Invalid, "invalid_parameter")
		}
		_, err = s.Rate(ctx, o.ID, olga, 5, "")
		wantError(t, err, models.NotFound, "offer_not_found")
		_, err = s.Rate(ctx, o.ID, john, 4, "Quick and kind")
		must(t, err)
		_, err = s.Rate(ctx, o.ID, john, 1, "on second thoughts")
		wantError(t, err, models.Conflict, "rated_already")
		back, err := s.Rate(ctx, o.ID, jane, 5, "")
		must(t, err)
		if back.RatedID != john {
			t.Errorf("rated %s", back.RatedID)
		}
		st, err := s.Standing(ctx, jane)
		must(t, err)
		if st != (models.Standing{Ratings: 1, Stars: 4}) || st.Average() != 40 {
			t.Errorf("got %+v", st)
		}
		list, err := s.Ratings(ctx, jane, 10)
		must(t, err)
		if len(list) != 1 || list[0].Text != "Quick and kind" {
			t.Errorf("got %+v", list)
		}
	})
}

func TestReportsAndJudgements(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		m, err := s.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		id := inStatus(t, s, jane, models.StatusReserved)
		wantError(t, s.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "dislike"}), models.Invalid, "invalid_parameter")
		wantError(t, s.AddReport(ctx, &models.Report{ListingID: "nothing", ReporterID: john, Reason: "spam"}), models.NotFound, "listing_not_found")
		must(t, s.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "stolen", Text: "It is mine"}))
		wantError(t, s.AddReport(ctx, &models.Report{ListingID: id, ReporterID: john, Reason: "spam"}), models.Conflict, "reported_already")
		open1, err := s.OpenReports(ctx, 10)
		must(t, err)
		if len(open1) != 1 || open1[0].Reason != "stolen" {
			t.Errorf("got %+v", open1)
		}
		_, err = s.Judge(ctx, m.ID, id, "burn", "")
		wantError(t, err, models.Invalid, "invalid_parameter")
		_, err = s.Judge(ctx, m.ID, id, models.RemoveListing, "looks stolen")
		must(t, err)
		_, err = s.Listing(ctx, id)
		wantError(t, err, models.NotFound, "listing_not_found")
		_, err = s.Judge(ctx, m.ID, id, models.RestoreListing, "was hers")
		must(t, err)
		l, err := s.Listing(ctx, id)
		must(t, err)
		if l.Status != models.StatusReserved {
			t.Errorf("restored as %s", l.Status)
		}
		if list, _ := s.OpenReports(ctx, 10); len(list) != 0 {
			t.Errorf("still open: %+v", list)
		}
		trail, err := s.Audit(ctx, 10)
		must(t, err)
		if len(trail) != 2 || trail[0].Action != models.RestoreListing || trail[1].Note != "looks stolen" || trail[1].OperatorID != m.ID {
			t.Errorf("got %+v", trail)
		}
		_, err = s.JudgeMember(ctx, m.ID, jane, true, "three of them")
		must(t, err)
		if a, err := s.Account(ctx, jane); err != nil || !a.Suspended() {
			t.Errorf("not suspended: %+v %v", a, err)
		}
		_, err = s.JudgeMember(ctx, m.ID, m.ID, true, "")
		wantError(t, err, models.Conflict, "wrong_status")
		_, err = s.JudgeMember(ctx, m.ID, jane, false, "she explained")
		must(t, err)
		if a, err := s.Account(ctx, jane); err != nil || a.Suspended() {
			t.Errorf("still suspended: %+v %v", a, err)
		}
		if trail, err = s.Audit(ctx, 10); err != nil || len(trail) != 4 {
			t.Errorf("got %+v %v", trail, err)
		}
	})
}
