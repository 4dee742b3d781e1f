package store_test

import (
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

const (
	newPassword = "another few words"
	home        = "192.0.2.1" // where members sign in
)

// credentials are one of each kind that lets somebody act for a member.
type credentials struct {
	account              *models.Account
	id                   *models.Identity // of a request that was authenticated with the session
	session              string
	token, child         string
	emailCode, resetCode string
}

// credentialsOf creates credentials of a member, and a passkey.
func credentialsOf(t *testing.T, s *store.Store, memberID string) *credentials {
	t.Helper()
	ctx := t.Context()
	var c credentials
	var err error
	c.account, err = s.Accounts.Account(ctx, memberID)
	must(t, err)
	c.session = session(t, s, memberID, home)
	c.emailCode, err = s.Accounts.BeginEmailChange(ctx, c.account, "mallory@example.org", c.session) // ends the others
	must(t, err)
	c.account, err = s.Accounts.Account(ctx, memberID)
	must(t, err)
	c.id, err = s.Accounts.Session(ctx, c.session)
	must(t, err)
	c.token, err = s.Tokens.CreateToken(ctx, memberID, &models.Token{Name: "token", Scopes: models.RoleMember.Scopes()})
	must(t, err)
	by, err := s.Tokens.TokenIdentity(ctx, c.token)
	must(t, err)
	c.child, err = s.Tokens.CreateTokenFor(ctx, by, &models.Token{Name: "child", Scopes: models.RoleMember.Scopes()})
	must(t, err)
	c.resetCode, err = s.Accounts.BeginPasswordReset(ctx, c.account.Email)
	must(t, err)
	must(t, s.Accounts.AddPasskey(ctx, c.account, &models.Passkey{KeyID: models.NewSecret(), Name: "phone", Credential: "{}"}))
	return &c
}

// valid returns the names of the credentials that still work. The password is that
// of the account now.
func (c *credentials) valid(t *testing.T, s *store.Store, password string) (names []string) {
	t.Helper()
	ctx := t.Context()
	add := func(name string, works bool) {
		if works {
			names = append(names, name)
		}
	}
	id, err := s.Accounts.Session(ctx, c.session)
	must(t, err)
	add("session", id != nil)
	for name, secret := range map[string]string{"token": c.token, "child token": c.child} {
		id, err := s.Tokens.TokenIdentity(ctx, secret)
		must(t, err)
		add(name, id != nil)
	}
	_, err = s.Accounts.ConfirmEmail(ctx, c.emailCode, password, home, "")
	add("email code", err == nil)
	_, err = s.Accounts.ResetPassword(ctx, c.resetCode, "words of an intruder")
	add("reset code", err == nil)
	keys, err := s.Accounts.Passkeys(ctx, c.account.MemberID)
	must(t, err)
	for _, k := range keys {
		add("passkey", !k.Suspended)
	}
	// Requests that were authenticated before must not create new ones.
	_, err = s.Accounts.BeginSession(ctx, c.account, "", home)
	add("new session", err == nil)
	_, err = s.Tokens.CreateTokenFor(ctx, c.id, &models.Token{Name: "late", Scopes: models.RoleMember.Scopes()})
	add("new token", err == nil)
	add("new passkey", s.Accounts.AddPasskey(ctx, c.account, &models.Passkey{KeyID: models.NewSecret(), Name: "late", Credential: "{}"}) == nil)
	_, err = s.Accounts.BeginEmailChange(ctx, c.account, "late@example.org", c.session)
	add("new email code", err == nil)
	return names
}

// TestRecoveryEndsCredentials checks that no credential from before a reset, an undo
// or a change works afterwards.
func TestRecoveryEndsCredentials(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		recover  func(*testing.T, *store.Store, *credentials) (password string)
		keepsKey bool
	}{
		{name: "reset", recover: func(t *testing.T, s *store.Store, c *credentials) string {
			code, err := s.Accounts.BeginPasswordReset(t.Context(), c.account.Email)
			must(t, err)
			_, err = s.Accounts.ResetPassword(t.Context(), code, newPassword)
			must(t, err)
			return newPassword
		}},
		{name: "change of the password", keepsKey: true, recover: func(t *testing.T, s *store.Store, c *credentials) string {
			_, err := s.Accounts.ChangePassword(t.Context(), c.account, goodPassword, newPassword, home)
			must(t, err)
			return newPassword
		}},
		{name: "change of the address", recover: func(t *testing.T, s *store.Store, c *credentials) string {
			code, err := s.Accounts.BeginEmailChange(t.Context(), c.account, "new@example.org", "")
			must(t, err)
			_, err = s.Accounts.ConfirmEmail(t.Context(), code, goodPassword, home, "")
			must(t, err)
			return goodPassword
		}},
		{name: "undo", recover: func(t *testing.T, s *store.Store, c *credentials) string {
			ctx := t.Context()
			change, err := s.Accounts.ChangePassword(ctx, c.account, goodPassword, "words of an intruder", home)
			must(t, err)
			*c = *credentialsOf(t, s, c.account.MemberID)
			email, reset, err := s.Accounts.UndoChange(ctx, change.Undo)
			must(t, err)
			if email != c.account.Email {
				t.Errorf("restored %q", email)
			}
			for _, password := range []string{goodPassword, "words of an intruder"} {
				_, err := s.Accounts.SignIn(ctx, email, password, home)
				wantError(t, err, problem.Unauthenticated, "sign_in_failed")
			}
			_, err = s.Accounts.ResetPassword(ctx, reset, newPassword)
			must(t, err)
			return newPassword
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, url string) {
				s := storetest.Open(t, url, nil)
				m := account(t, s, "jane")
				c := credentialsOf(t, s, m.ID)
				password := tt.recover(t, s, c)
				valid := c.valid(t, s, password)
				if tt.keepsKey && len(valid) == 1 && valid[0] == "passkey" {
					return
				}
				if len(valid) > 0 {
					t.Errorf("these still work: %q", valid)
				}
				keys, err := s.Accounts.Passkeys(t.Context(), m.ID)
				must(t, err)
				must(t, s.Accounts.KeepPasskey(t.Context(), m.ID, keys[0].ID))
				if keys, err = s.Accounts.Passkeys(t.Context(), m.ID); err != nil || keys[0].Suspended {
					t.Errorf("a passkey that is kept is %+v, %v", keys[0], err)
				}
			})
		})
	}
}

// TestEmailChangeKeepsItsSession checks that a change of the address ends every
// session except the one that made it.
func TestEmailChangeKeepsItsSession(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		m := account(t, s, "jane")
		account(t, s, "john")
		mine, other := session(t, s, m.ID, home), session(t, s, m.ID, home)
		a, err := s.Accounts.Account(ctx, m.ID)
		must(t, err)
		code, err := s.Accounts.BeginEmailChange(ctx, a, "john@example.org", mine)
		must(t, err)
		if code != "" {
			t.Error("got a code for an address of another account")
		}
		id, err := s.Accounts.Session(ctx, mine)
		must(t, err)
		code, err = s.Accounts.BeginEmailChange(ctx, &id.Account, "new@example.org", mine)
		must(t, err)
		_, err = s.Accounts.ResetPassword(ctx, code, "words for another purpose")
		wantError(t, err, problem.NotFound, "code_invalid")
		_, err = s.Accounts.ConfirmEmail(ctx, code, "not the password", home, mine)
		wantError(t, err, problem.Invalid, "invalid_parameter")
		change, err := s.Accounts.ConfirmEmail(ctx, code, goodPassword, home, mine)
		must(t, err)
		if change.OldEmail != "jane@example.org" || change.Account.Email != "new@example.org" {
			t.Errorf("got %+v", change)
		}
		if id, err := s.Accounts.Session(ctx, mine); id == nil || err != nil {
			t.Errorf("the session that changed the address ended: %v", err)
		}
		if id, err := s.Accounts.Session(ctx, other); id != nil || err != nil {
			t.Errorf("another session is valid: %v", err)
		}
		_, err = s.Accounts.SignIn(ctx, "new@example.org", goodPassword, home)
		must(t, err)
	})
}

// TestUndoOfTakeovers checks who wins when a member and an intruder who knows the
// password change the account in turns: the member, whose address was there first.
func TestUndoOfTakeovers(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { now = now.Add(time.Second); return now }), t.Context()
		jane := account(t, s, "jane").ID
		password := goodPassword
		moveTo := func(email string) (undo string) {
			t.Helper()
			a, err := s.Accounts.Account(ctx, jane)
			must(t, err)
			code, err := s.Accounts.BeginEmailChange(ctx, a, email, "")
			must(t, err)
			change, err := s.Accounts.ConfirmEmail(ctx, code, password, home, "")
			must(t, err)
			return change.Undo
		}
		reset := func(email string) (undo string) {
			t.Helper()
			code, err := s.Accounts.BeginPasswordReset(ctx, email)
			must(t, err)
			change, err := s.Accounts.ResetPassword(ctx, code, newPassword)
			must(t, err)
			password = newPassword
			return change.Undo
		}
		works := func(undo string, want bool) {
			t.Helper()
			email, _, err := s.Accounts.UndoChange(ctx, undo)
			if (err == nil) != want {
				t.Errorf("undo: %q, %v", email, err)
			}
		}

		// The intruder takes the address, changes it again, and resets the password.
		janes := moveTo("mallory@example.org")
		mallorys := moveTo("mallory@example.com")
		last := reset("mallory@example.com")
		works(janes, true)
		works(janes, false)
		works(mallorys, false)
		works(last, false)
		reset("jane@example.org")

		// The intruder returns the address, to take it back after the reset.
		moveTo("mallory@example.org")
		mallorys = moveTo("jane@example.org")
		reset("jane@example.org")
		works(mallorys, false)

		// A link ends after 72 hours.
		janes = moveTo("new@example.org")
		now = now.Add(72 * time.Hour)
		works(janes, false)
	})
}

// TestChangesAreLimited checks the limit of changes that can be undone, which does
// not apply to resets.
func TestChangesAreLimited(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		jane := account(t, s, "jane").ID
		var err error
		for range 11 {
			var a *models.Account
			a, err = s.Accounts.Account(ctx, jane)
			must(t, err)
			if _, err = s.Accounts.ChangePassword(ctx, a, goodPassword, goodPassword, home); err != nil {
				break
			}
		}
		wantError(t, err, problem.TooMany, "too_many_changes")
		code, err := s.Accounts.BeginPasswordReset(ctx, "jane@example.org")
		must(t, err)
		_, err = s.Accounts.ResetPassword(ctx, code, newPassword)
		must(t, err)
	})
}

// TestPreHijack checks that whoever signs up with the address of another person gets
// nothing when that person confirms it.
func TestPreHijack(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		mallorys := registration("mallory")
		mallorys.Email, mallorys.Password = "jane@example.org", "words of an intruder"
		planted, err := s.Accounts.SignUp(ctx, mallorys)
		must(t, err)
		account(t, s, "john")
		john, err := s.Accounts.SignIn(ctx, "john@example.org", goodPassword, home)
		must(t, err)
		moved, err := s.Accounts.BeginEmailChange(ctx, john, "jane@example.org", "")
		must(t, err)
		for range 6 {
			_, _, err = s.Accounts.ConfirmSignUp(ctx, planted, goodPassword, "", home)
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		_, _, err = s.Accounts.ConfirmSignUp(ctx, planted, "words of an intruder", "", home)
		wantError(t, err, problem.TooMany, "too_many_guesses")

		code, err := s.Accounts.SignUp(ctx, registration("jane"))
		must(t, err)
		_, _, err = s.Accounts.ConfirmSignUp(ctx, code, goodPassword, "", "198.51.100.1")
		must(t, err)
		_, _, err = s.Accounts.ConfirmSignUp(ctx, planted, "words of an intruder", "", "198.51.100.1")
		wantError(t, err, problem.NotFound, "code_invalid")
		_, err = s.Accounts.ConfirmEmail(ctx, moved, goodPassword, "198.51.100.1", "")
		wantError(t, err, problem.NotFound, "code_invalid")
	})
}
