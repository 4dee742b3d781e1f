package models_test

import (
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestDeliveryRetries(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		must(t, s.Queue(ctx, models.Delivery{Kind: models.Webhook, Recipient: "https://example.org", Body: "1"}, models.Delivery{Kind: models.Mail, Recipient: "jane@example.org", Body: "2"}))
		first, err := s.ClaimDeliveries(ctx, 10)
		must(t, err)
		again, err := s.ClaimDeliveries(ctx, 10)
		must(t, err)
		if len(first) != 2 || len(again) != 0 {
			t.Fatalf("claimed %d, then %d", len(first), len(again))
		}
		must(t, s.Delivered(ctx, first[0].ID))
		attempts := 0
		for range 40 {
			now = now.Add(48 * time.Hour)
			due, err := s.ClaimDeliveries(ctx, 10)
			must(t, err)
			if len(due) == 0 {
				break
			}
			attempts = due[0].Attempts
			if due[0].ID != first[1].ID {
				t.Errorf("got %+v", due)
			}
			if _, err := s.Failed(ctx, &due[0]); err != nil {
				t.Fatal(err)
			}
		}
		if attempts != 12 {
			t.Errorf("given up after %d attempts", attempts)
		}
	})
}
