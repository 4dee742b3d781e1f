package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		m := account(t, s, "jane")
		a, err := s.Accounts.Account(ctx, m.ID)
		must(t, err)
		one, err := s.Accounts.BeginSession(ctx, a, "A browser "+strings.Repeat("ü", 200), "192.0.2.1")
		must(t, err)
		two := session(t, s, m.ID, "192.0.2.1")
		signedIn := func(secret string) bool {
			t.Helper()
			id, err := s.Accounts.Session(ctx, secret)
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
		must(t, s.Accounts.EndSession(ctx, one))
		if signedIn(one) {
			t.Error("still signed in")
		}
		other, err := s.Accounts.BeginSession(ctx, a, "Another browser", "192.0.2.1")
		must(t, err)
		one = session(t, s, m.ID, "192.0.2.1")
		must(t, s.Accounts.EndSessionsOf(ctx, m.ID, "Another browser"))
		if signedIn(other) || !signedIn(one) {
			t.Error("the sessions of one device did not end alone")
		}
		must(t, s.Accounts.EndSessions(ctx, m.ID))
		if signedIn(one) {
			t.Error("still signed in everywhere")
		}
	})
}

// TestLastUseIsBestEffort checks that sessions and tokens are valid while the last
// use can't be stored, and after the clock is set back.
func TestLastUseIsBestEffort(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		m := account(t, s, "jane")
		session := session(t, s, m.ID, "192.0.2.1")
		token, err := s.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "test", Scopes: models.RoleMember.Scopes()})
		must(t, err)
		check := func(when string) {
			t.Helper()
			if id, err := s.Accounts.Session(ctx, session); err != nil || id == nil {
				t.Errorf("session, %s: %v, %v", when, id, err)
			}
			if id, err := s.Tokens.TokenIdentity(ctx, token); err != nil || id == nil {
				t.Errorf("token, %s: %v, %v", when, id, err)
			}
		}
		now = now.Add(-20 * 24 * time.Hour)
		check("the clock was set back")
		if strings.HasPrefix(url, "sqlite:") {
			must(t, s.MakeReadOnly(ctx))
		} else {
			storetest.FillDisk(t, url)
		}
		now = now.Add(40 * 24 * time.Hour)
		check("no write succeeds")
		if err := s.Accounts.EndSession(ctx, session); !store.IsUnavailable(err) {
			t.Errorf("a failed write: %v", err)
		}
	})
}
