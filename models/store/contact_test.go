package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// contactCode returns the code of an error, "" for none.
func contactCode(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// TestContactMessages tests a message from its form to its deletion: who is emailed, what
// is refused, and how long it is stored.
func TestContactMessages(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		_, err := s.Accounts.CreateAccount(ctx, models.Registration{Handle: "olga", Email: "olga@example.org", Password: "correct horse battery"}, models.RoleOperator)
		must(t, err)
		jane := account(t, s, "jane")
		render := func(o *models.Account) models.Delivery {
			return models.Delivery{Kind: models.Mail, MemberID: o.MemberID, Subject: "To " + o.MemberID, Body: "Text"}
		}
		send := func(m models.ContactMessage) (*models.ContactMessage, error) {
			m.Status = max(m.Status, models.ContactOpen)
			return &m, s.Site.AddContactMessage(ctx, &m, render)
		}

		stamp, err := s.Site.NewContactStamp(ctx)
		must(t, err)
		for _, c := range []struct {
			name, stamp, want string
			after             time.Duration
		}{
			{"forged", "B" + stamp[1:], "form_expired", 0},
			{"none", "", "form_expired", 0},
			{"fast", stamp, "form_too_fast", 0},
			{"in time", stamp, "", 5 * time.Second},
			{"old", stamp, "form_expired", 25 * time.Hour},
		} {
			at := now
			now = now.Add(c.after)
			if err := s.Site.CheckContactStamp(ctx, c.stamp); contactCode(err) != c.want {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
			now = at
		}

		visitor := models.ContactMessage{Name: "  Vera \n Visitor ", Email: "Vera@Example.org", Topic: models.ContactPrint, About: "/portfolio/iceland", Text: " A print? ", Stamp: stamp}
		first, err := send(visitor)
		must(t, err)
		if first.Name != "Vera Visitor" || first.Email != "vera@example.org" || first.Text != "A print?" {
			t.Errorf("stored %+v", first)
		}
		if _, err := send(visitor); contactCode(err) != "form_expired" {
			t.Errorf("sent twice: %v", err)
		}
		spam := visitor
		spam.Stamp, spam.Status = "another", models.ContactSpam
		if _, err := send(spam); err != nil {
			t.Error(err)
		}
		member := models.ContactMessage{MemberID: jane.ID, Name: "Jane", Email: "jane@example.org", Topic: models.ContactJob, About: "//evil.example", Text: "A job"}
		second, err := send(member)
		must(t, err)
		if second.About != "" {
			t.Errorf("it is about %q", second.About)
		}
		for field, change := range map[string]func(*models.ContactMessage){
			"name":  func(m *models.ContactMessage) { m.Name = " " },
			"email": func(m *models.ContactMessage) { m.Email = "a@b\r\nBcc: c@d" },
			"topic": func(m *models.ContactMessage) { m.Topic = "casino" },
			"text":  func(m *models.ContactMessage) { m.Text = strings.Repeat("x", models.MaxContactText+1) },
		} {
			m := member
			change(&m)
			_, err := send(m)
			var p *problem.Error
			if !errors.As(err, &p) || len(p.Fields) != 1 || p.Fields[0].Field != field {
				t.Errorf("a wrong %s: %v", field, err)
			}
		}

		emails, err := s.Deliveries.ClaimDeliveries(ctx, 10)
		must(t, err)
		if len(emails) != 2 || emails[0].Recipient != "olga@example.org" || emails[0].ReplyTo != "vera@example.org" || emails[1].ReplyTo != "jane@example.org" {
			t.Errorf("the emails are %+v", emails)
		}

		if _, err := s.Site.SetContactStatus(ctx, first.ID, models.ContactDone); err != nil {
			t.Error(err)
		}
		for status, want := range map[models.ContactStatus]int{models.ContactOpen: 1, models.ContactDone: 1, models.ContactSpam: 1} {
			list, err := s.Site.ContactMessages(ctx, status, "", 10)
			must(t, err)
			if n, err := s.Site.CountContactMessages(ctx, status); len(list) != want || n != want || err != nil {
				t.Errorf("%s: %d listed, %d counted, %v", status, len(list), n, err)
			}
		}
		if list, err := s.Site.ContactMessages(ctx, models.ContactOpen, second.ID, 10); err != nil || len(list) != 0 {
			t.Errorf("before the oldest there are %v, %v", list, err)
		}
		if err := s.Site.DeleteContactMessage(ctx, "none"); contactCode(err) != "contact_message_not_found" {
			t.Error(err)
		}

		now = now.Add(models.SpamPeriod + time.Hour)
		must(t, s.Accounts.DeleteExpired(ctx))
		for status, want := range map[models.ContactStatus]int{models.ContactDone: 1, models.ContactSpam: 0} {
			if n, err := s.Site.CountContactMessages(ctx, status); n != want || err != nil {
				t.Errorf("after a month: %d of %s, %v", n, status, err)
			}
		}
		now = now.Add(models.ContactPeriod)
		must(t, s.Accounts.DeleteExpired(ctx))
		if n, err := s.Site.CountContactMessages(ctx, models.ContactDone); n != 0 || err != nil {
			t.Errorf("after half a year: %d, %v", n, err)
		}
	})
}

// TestContactLimits tests that clients are slowed down, and that those who are don't slow
// down others, however many: only the emails about their messages end.
func TestContactLimits(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		allowed := 0
		for range 10 {
			if contactCode(s.Site.LimitContact(ctx, "192.0.2.1", "")) == "" {
				allowed++
			}
		}
		if allowed != 5 || s.Site.LimitContact(ctx, "192.0.2.2", "") != nil {
			t.Errorf("%d messages of an address were allowed", allowed)
		}
		if err := s.Site.LimitContact(ctx, "192.0.2.1", ""); contactCode(err) != "too_many_messages" || !strings.Contains(err.Error(), "Too many messages") {
			t.Errorf("the limit is %v", err)
		}
		_, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		write := func(client string) {
			t.Helper()
			must(t, s.Site.LimitContact(ctx, client, ""))
			m := &models.ContactMessage{Name: "x", Email: "x@example.org", Topic: models.ContactOther, Text: "x", Status: models.ContactOpen}
			must(t, s.Site.AddContactMessage(ctx, m, func(o *models.Account) models.Delivery {
				return models.Delivery{Kind: models.Mail, MemberID: o.MemberID, Subject: "x", Body: "x"}
			}))
		}
		for i := range 100 {
			write(fmt.Sprintf("198.51.%d.1", i))
		}
		inNetwork := 0
		for i := range 100 {
			if contactCode(s.Site.LimitContact(ctx, fmt.Sprintf("2001:db8:0:%x::", i), "")) == "" {
				inNetwork++
			}
		}
		if inNetwork != 21 || s.Site.LimitContact(ctx, "2001:db8:1::", "") != nil {
			t.Errorf("%d messages of a /48 network were allowed, want 21", inNetwork)
		}
		write("192.0.2.3")
		due, err := s.Deliveries.ClaimDeliveries(ctx, 1000)
		must(t, err)
		stored, err := s.Site.CountContactMessages(ctx, models.ContactOpen)
		must(t, err)
		if stored != 101 || len(due) != 61 {
			t.Errorf("%d messages were stored and %d emailed, want 101 and 61", stored, len(due))
		}
	})
}

// TestUnsentMail tests that an email that failed is listed with the reason, can be queued
// again, and is deleted in the end.
func TestUnsentMail(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		fail := func(permanent bool) string {
			t.Helper()
			due, err := s.Deliveries.ClaimDeliveries(ctx, 1)
			must(t, err)
			_, err = s.Deliveries.Failed(ctx, &due[0], "the mail server answered 550", permanent)
			must(t, err)
			return due[0].ID
		}
		count := func(want models.MailCounts) {
			t.Helper()
			if got, err := s.Deliveries.CountMail(ctx); got != want || err != nil {
				t.Errorf("counted %+v, %v, want %+v", got, err, want)
			}
		}
		must(t, s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: "jane@example.org", Subject: "Hello", Body: "Text"}))
		failed := fail(true)
		must(t, s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: "john@example.org", Subject: "Hello", Body: "Text"}))
		count(models.MailCounts{Waiting: 1, Failed: 1})
		fail(false)
		count(models.MailCounts{Retrying: 1, Failed: 1})
		list, err := s.Deliveries.UnsentMail(ctx, 10)
		must(t, err)
		if len(list) != 2 || list[0].ID != failed || list[0].Error != "the mail server answered 550" || list[0].FailedAt == 0 || list[1].FailedAt != 0 || list[0].Body != "" {
			t.Errorf("listed %+v", list)
		}
		must(t, s.Deliveries.Requeue(ctx, failed))
		if err := s.Deliveries.Requeue(ctx, failed); contactCode(err) != "email_not_found" {
			t.Errorf("queued twice: %v", err)
		}
		count(models.MailCounts{Waiting: 1, Retrying: 1})
		if again := fail(true); again != failed {
			t.Errorf("sent %s", again)
		}
		now = now.Add(store.FailedMailPeriod + time.Hour)
		must(t, s.Accounts.DeleteExpired(ctx))
		count(models.MailCounts{Retrying: 1})
	})
}
