package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestAccountWebhooks checks which events the webhooks of accounts are sent, what their log says,
// and that a delivery can be sent again.
func TestAccountWebhooks(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now().UTC().Truncate(time.Millisecond)
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		s.SendWebhooks(func(event models.AccountEvent, n *models.Notice) string { return string(event) + " " + n.Title })
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		set := func(member, address string, events ...models.AccountEvent) {
			t.Helper()
			must(t, s.Watches.SetAccountWebhook(ctx, &models.AccountWebhook{MemberID: member, URL: address, Events: events}, false))
		}
		for _, bad := range []models.AccountWebhook{{URL: "file:///etc/passwd", Events: models.AccountEvents}, {URL: "https://user:pass@example.org", Events: models.AccountEvents}, {URL: "https://example.org"}, {URL: "https://example.org", Events: []models.AccountEvent{"offer.lost"}}} {
			bad.MemberID = jane
			wantError(t, s.Watches.SetAccountWebhook(ctx, &bad, false), problem.Invalid, "invalid_parameter")
		}
		set(jane, "https://jane.example/hook", models.AccountEvents...)
		set(john, "https://john.example/hook", models.OfferAcceptedEvent, models.ItemSentEvent, models.SaleConfirmedEvent, models.PriceDroppedEvent)
		claim := func() []models.Delivery {
			t.Helper()
			list, err := s.Deliveries.ClaimDeliveries(ctx, 100, models.Webhook)
			must(t, err)
			return list
		}
		var sent []models.Delivery
		wantSent := func(want ...string) {
			t.Helper()
			var got []string
			sent = claim()
			for i := range sent {
				event, _, _ := strings.Cut(sent[i].Body, " ")
				got = append(got, sent[i].Host()+" "+event)
				must(t, s.Deliveries.Delivered(ctx, sent[i].ID))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("sent %q, want %q", got, want)
			}
		}
		answer := func(id string, step models.OfferStep, by string) {
			t.Helper()
			_, err := s.Trades.AnswerOffer(ctx, id, store.Answer{Step: step, By: by})
			must(t, err)
		}
		listing := inStatus(t, s, jane, models.StatusActive)
		o, err := s.Trades.MakeOffer(ctx, listing, john, 40000, "", models.DeliveryRequest{})
		must(t, err)
		wantSent("jane.example offer.made")
		answer(o.ID, models.Accept, jane)
		wantSent("john.example offer.accepted")
		answer(o.ID, models.Complete, jane)
		wantSent() // john doesn't want offer.completed
		answer(o.ID, models.Confirm, john)
		wantSent("jane.example sale.confirmed")
		log, err := s.Watches.WebhookLog(ctx, jane, 10)
		must(t, err)
		if len(log) != 2 || log[0].Event != models.SaleConfirmedEvent || log[0].SentAt != models.TimeOf(now) || log[0].Attempts != 1 || log[0].ID != sent[0].ID {
			t.Errorf("the log is %+v", log)
		}

		// It is sent again under its id, for its member only.
		wantError(t, s.Watches.RedeliverWebhook(ctx, john, log[0].ID), problem.NotFound, "delivery_not_found")
		must(t, s.Watches.RedeliverWebhook(ctx, jane, log[0].ID))
		must(t, s.Watches.RedeliverWebhook(ctx, jane, log[0].ID))
		wantSent("jane.example sale.confirmed")
		if sent[0].ID != log[0].ID || sent[0].Body != log[0].Body {
			t.Errorf("sent %+v again, want %+v", sent[0], log[0])
		}

		// A failure is in the log.
		for range store.MaxWebhookTests {
			must(t, s.Watches.TestAccountWebhook(ctx, jane))
		}
		wantError(t, s.Watches.TestAccountWebhook(ctx, jane), problem.TooMany, "too_many_tests")
		failed := claim()[0]
		_, err = s.Deliveries.Failed(ctx, &failed, "the receiver answered 500", true)
		must(t, err)
		log, err = s.Watches.WebhookLog(ctx, jane, 100)
		must(t, err)
		if i := slices.IndexFunc(log, func(e models.WebhookEntry) bool { return e.ID == failed.ID }); i < 0 || log[i].FailedAt == 0 || log[i].Error != "the receiver answered 500" || log[i].Event != models.WebhookTestEvent {
			t.Errorf("the log is %+v", log)
		}

		// A price drop of a watched listing; then nothing waits for a removed webhook.
		watched := inStatus(t, s, jane, models.StatusActive)
		must(t, s.Watches.AddWatch(ctx, john, watched))
		_, err = s.Listings.EditListing(ctx, watched, jane, 0, func(l *models.Listing) error { l.Price /= 2; return nil })
		must(t, err)
		_, _, err = s.Watches.QueuePriceDrops(ctx, watched, "", 10, nil)
		must(t, err)
		drops := claim()
		if !slices.ContainsFunc(drops, func(d models.Delivery) bool {
			return d.Host() == "john.example" && strings.HasPrefix(d.Body, "price.dropped ")
		}) {
			t.Errorf("queued %+v", drops)
		}
		secret := func() string {
			w, err := s.Watches.AccountWebhook(ctx, john)
			must(t, err)
			return w.Secret
		}
		before := secret()
		set(john, "https://john.example/other", models.OfferAcceptedEvent)
		if secret() != before {
			t.Error("the secret has changed")
		}
		must(t, s.Watches.SetAccountWebhook(ctx, &models.AccountWebhook{MemberID: john, URL: "https://john.example/other", Events: models.AccountEvents}, true))
		if secret() == before {
			t.Error("the secret has not changed")
		}
		set(john, "")
		if w, err := s.Watches.AccountWebhook(ctx, john); w != nil || err != nil {
			t.Errorf("%+v, %v", w, err)
		}
	})
}
