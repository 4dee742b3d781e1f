package models_test

import (
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestSessions(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		m := account(t, s, "jane")
		one, err := s.BeginSession(ctx, m.ID, "A browser "+strings.Repeat("ü", 200))
		must(t, err)
		two, err := s.BeginSession(ctx, m.ID, "")
		must(t, err)
		signedIn := func(secret string) bool {
			t.Helper()
			id, err := s.Session(ctx, secret)
			must(t, err)
			if id != nil && (id.Member.Handle != "jane" || !id.Session || !id.Scopes.Has(models.OffersWrite)) {
				t.Errorf("got %+v", id)
			}
			return id != nil
		}
		if one == two || !signedIn(one) || !signedIn(two) || signedIn("") || signedIn("else") {
			t.Error("wrong sessions")
		}
		for range 3 { // each use keeps it alive
			now = now.Add(20 * 24 * time.Hour)
			if !signedIn(one) {
				t.Error("a used session ended")
			}
		}
		if signedIn(two) {
			t.Error("an unused session did not end")
		}
		must(t, s.EndSession(ctx, one))
		if signedIn(one) {
			t.Error("still signed in")
		}
		one, err = s.BeginSession(ctx, m.ID, "")
		must(t, err)
		must(t, s.EndSessions(ctx, m.ID))
		if signedIn(one) {
			t.Error("still signed in everywhere")
		}
	})
}
