package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

const goodPassword = "three words in a row"

func registration(name string) models.Registration {
	return models.Registration{Handle: name, Region: "DE", Email: name + "@example.org", Password: goodPassword}
}

// account adds a member with an account.
func account(t testing.TB, s *store.Store, name string) *models.Member {
	t.Helper()
	m, err := s.Accounts.CreateAccount(t.Context(), registration(name), models.RoleMember)
	must(t, err)
	return m
}

// session begins a session of a member and returns its secret.
func session(t testing.TB, s *store.Store, memberID, client string) string {
	t.Helper()
	a, err := s.Accounts.Account(t.Context(), memberID)
	must(t, err)
	secret, err := s.Accounts.BeginSession(t.Context(), a, "", client)
	must(t, err)
	return secret
}

func TestRegistrationErrors(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t), nil)
	for _, tt := range []struct {
		name  string
		spoil func(*models.Registration)
		field string
	}{
		{"no handle", func(r *models.Registration) { r.Handle = "" }, "handle"},
		{"short handle", func(r *models.Registration) { r.Handle = "ab" }, "handle"},
		{"long handle", func(r *models.Registration) { r.Handle = strings.Repeat("a", 31) }, "handle"},
		{"handle with a path", func(r *models.Registration) { r.Handle = "../etc" }, "handle"},
		{"handle with markup", func(r *models.Registration) { r.Handle = "<script>" }, "handle"},
		{"handle of those who left", func(r *models.Registration) { r.Handle = "former-member" }, "handle"},
		{"no address", func(r *models.Registration) { r.Email = "" }, "email"},
		{"no domain", func(r *models.Registration) { r.Email = "jane@" }, "email"},
		{"a name beside it", func(r *models.Registration) { r.Email = "Jane <jane@example.org>" }, "email"},
		{"a header behind it", func(r *models.Registration) { r.Email = "jane@example.org\r\nBcc: all@example.org" }, "email"},
		{"long name", func(r *models.Registration) { r.Name = strings.Repeat("n", 61) }, "name"},
		{"broken name", func(r *models.Registration) { r.Name = "\xff" }, "name"},
		{"region", func(r *models.Registration) { r.Region = "Germany" }, "region"},
		{"short password", func(r *models.Registration) { r.Password = "short" }, "password"},
		{"long password", func(r *models.Registration) { r.Password = strings.Repeat("long", 51) }, "password"},
		{"simple password", func(r *models.Registration) { r.Password = "aaaaaaaaaaaaaaaa" }, "password"},
		{"common password", func(r *models.Registration) { r.Password = "Password123" }, "password"},
		{"the address again", func(r *models.Registration) { r.Password = r.Email }, "password"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := registration("jane-doe")
			tt.spoil(&r)
			_, err := s.Accounts.CreateAccount(t.Context(), r, models.RoleMember)
			wantError(t, err, problem.Invalid, "invalid_parameter")
			var e *problem.Error
			if errors.As(err, &e) && (len(e.Fields) != 1 || e.Fields[0].Field != tt.field) {
				t.Errorf("got fields %+v, want %s", e.Fields, tt.field)
			}
		})
	}
}

func TestSignUp(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := registration("jane")
		jane.Next = "/sell"
		code, err := s.Accounts.SignUp(ctx, jane)
		must(t, err)
		if _, err := s.Accounts.Member(ctx, "jane"); err == nil {
			t.Error("the handle is reserved before the address is confirmed")
		}
		if _, err := s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, "192.0.2.1"); err == nil {
			t.Error("signed in before the address is confirmed")
		}
		const client = "192.0.2.1"
		_, _, err = s.Accounts.ConfirmSignUp(ctx, code+"x", goodPassword, "", client)
		wantError(t, err, problem.NotFound, "code_invalid")
		m, next, err := s.Accounts.ConfirmSignUp(ctx, code, goodPassword, "", client)
		must(t, err)
		if m.Handle != "jane" || m.Name != "jane" || m.Region != "DE" || next != "/sell" {
			t.Errorf("got %+v and %q", m, next)
		}
		_, _, err = s.Accounts.ConfirmSignUp(ctx, code, goodPassword, "", client)
		wantError(t, err, problem.NotFound, "code_invalid")

		devices := registration("kim")
		devices.Device = "secret of a browser"
		code, err = s.Accounts.SignUp(ctx, devices)
		must(t, err)
		for _, device := range []string{"", "secret of another"} {
			_, _, err = s.Accounts.ConfirmSignUp(ctx, code, "", device, client)
			wantError(t, err, problem.Invalid, "invalid_parameter")
			if s.Accounts.SignedUpFrom(ctx, code, device) {
				t.Errorf("signed up from %q", device)
			}
		}
		if !s.Accounts.SignedUpFrom(ctx, code, devices.Device) {
			t.Error("did not sign up from its device")
		}
		_, _, err = s.Accounts.ConfirmSignUp(ctx, code, "", devices.Device, client)
		must(t, err)

		again := registration("other")
		again.Email = "JANE@Example.org"
		code, err = s.Accounts.SignUp(ctx, again)
		must(t, err)
		if code != "" {
			t.Error("got a code for an address that has an account")
		}
		_, err = s.Accounts.SignUp(ctx, registration("jane"))
		wantError(t, err, problem.Conflict, "handle_taken")

		first, err := s.Accounts.SignUp(ctx, registration("twice"))
		must(t, err)
		other := registration("twice")
		other.Email = "somebody@example.org"
		second, err := s.Accounts.SignUp(ctx, other)
		must(t, err)
		_, _, err = s.Accounts.ConfirmSignUp(ctx, second, goodPassword, "", client)
		must(t, err)
		_, _, err = s.Accounts.ConfirmSignUp(ctx, first, goodPassword, "", client)
		wantError(t, err, problem.Conflict, "handle_taken")

		code, err = s.Accounts.SignUp(ctx, registration("late"))
		must(t, err)
		now = now.Add(25 * time.Hour)
		_, _, err = s.Accounts.ConfirmSignUp(ctx, code, goodPassword, "", client)
		wantError(t, err, problem.NotFound, "code_invalid")
	})
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		m := account(t, s, "jane")
		a, err := s.Accounts.SignIn(ctx, " Jane@example.org ", goodPassword, "192.0.2.1")
		must(t, err)
		if a.MemberID != m.ID || a.Role != models.RoleMember {
			t.Errorf("got %+v", a)
		}
		_, unknown := s.Accounts.SignIn(ctx, "nobody@example.org", goodPassword, "192.0.2.2")
		_, wrong := s.Accounts.SignIn(ctx, "jane@example.org", "not the password", "192.0.2.3")
		if unknown == nil || wrong == nil || unknown.Error() != wrong.Error() {
			t.Errorf("errors of an unknown address and a wrong password differ: %v and %v", unknown, wrong)
		}
		for range 4 {
			_, err = s.Accounts.SignIn(ctx, "jane@example.org", "not the password", "192.0.2.3")
			wantError(t, err, problem.Unauthenticated, "sign_in_failed")
		}
		_, err = s.Accounts.SignIn(ctx, "jane@example.org", "not the password", "192.0.2.3")
		wantError(t, err, problem.Unauthenticated, "sign_in_failed")
		_, err = s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, "192.0.2.3")
		wantError(t, err, problem.TooMany, "too_many_guesses")
		_, err = s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, "192.0.2.4")
		must(t, err)
		now = now.Add(time.Hour)
		_, err = s.Accounts.SignIn(ctx, "jane@example.org", goodPassword, "192.0.2.3")
		must(t, err)
		_, err = s.Accounts.SignIn(ctx, "jane@example.org", "not the password", "192.0.2.3")
		wantError(t, err, problem.Unauthenticated, "sign_in_failed")
	})
}

// TestSuspension checks the effects of suspending and reinstating a member on
// listings and offers.
func TestSuspension(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now().UTC()
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		operator, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		active, reserved, hidden, ended := inStatus(t, s, jane, models.StatusActive), inStatus(t, s, jane, models.StatusReserved),
			inStatus(t, s, jane, models.StatusActive), inStatus(t, s, jane, models.StatusEnded)
		_, err = s.Moderation.Moderate(ctx, operator.ID, hidden, models.RemoveListing, "")
		must(t, err)
		lost, err := s.Trades.MakeOffer(ctx, active, john, 40000, "", models.DeliveryRequest{})
		must(t, err)
		johns := inStatus(t, s, john, models.StatusActive)
		made, err := s.Trades.MakeOffer(ctx, johns, jane, 40000, "", models.DeliveryRequest{})
		must(t, err)
		_, err = s.Trades.AnswerOffer(ctx, made.ID, store.Answer{Step: models.Accept, By: john})
		must(t, err)
		moderate := func(suspend bool) {
			t.Helper()
			now = now.Add(time.Minute)
			_, err := s.Moderation.ModerateMember(ctx, operator.ID, jane, suspend, "")
			must(t, err)
		}
		are := func(want map[string]models.Status) {
			t.Helper()
			for id, status := range want {
				l, err := s.Moderation.ListingInAnyStatus(ctx, id)
				must(t, err)
				if l.Status != status {
					t.Errorf("a listing is %s, want %s", l.Status, status)
				}
			}
		}
		moderate(true)
		moderate(true) // a second time has no effect
		are(map[string]models.Status{active: models.StatusRemoved, reserved: models.StatusRemoved, hidden: models.StatusRemoved, ended: models.StatusEnded, johns: models.StatusActive})
		for id, want := range map[string]models.OfferStatus{lost.ID: models.OfferDeclined, made.ID: models.OfferWithdrawn} {
			if o, err := s.Trades.Offer(ctx, id, john); err != nil || o.Status != want {
				t.Errorf("an offer is %+v (%v), want %s", o, err, want)
			}
		}
		moderate(false)
		moderate(false)
		are(map[string]models.Status{active: models.StatusActive, reserved: models.StatusReserved, hidden: models.StatusRemoved, ended: models.StatusEnded})
	})
}

func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		m := account(t, s, "jane")
		active, draft := someListing(m.ID, 1), someListing(m.ID, 2)
		draft.Status = models.StatusDraft
		both := []models.Listing{active, draft}
		must(t, s.Listings.InsertListings(ctx, both))
		browser := session(t, s, m.ID, "192.0.2.1")
		secret, err := s.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "bot", Scopes: models.RoleMember.Scopes()})
		must(t, err)

		moderate := func(suspend bool) {
			t.Helper()
			_, err := s.Moderation.ModerateMember(ctx, m.ID, m.ID, suspend, "")
			must(t, err)
		}
		moderate(true)
		if id, _ := s.Accounts.Session(ctx, browser); id != nil {
			t.Error("the session of a suspended member is valid")
		}
		id, err := s.Tokens.TokenIdentity(ctx, secret)
		must(t, err)
		if !id.Account.Suspended() {
			t.Error("not suspended")
		}
		moderate(false)

		must(t, s.Accounts.DeleteAccount(ctx, m.ID))
		if id, err := s.Tokens.TokenIdentity(ctx, secret); id != nil || err != nil {
			t.Errorf("the token of a deleted account is valid: %v, %v", id, err)
		}
		_, err = s.Accounts.Member(ctx, "jane")
		wantError(t, err, problem.NotFound, "member_not_found")
		got, err := s.Listings.Listing(ctx, both[0].ID)
		must(t, err)
		if got.Status != models.StatusEnded || got.Serial != "" {
			t.Errorf("got %s with serial number %q", got.Status, got.Serial)
		}
		wantError(t, s.Accounts.DeleteAccount(ctx, m.ID), problem.NotFound, "member_not_found")
		account(t, s, "jane") // the handle and the address are free again
	})
}
