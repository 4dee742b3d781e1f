package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// codeOf returns the code in an emailed link.
func codeOf(link string) string { return link[strings.Index(link, "code=")+5:] }

// mailsTo removes the queued emails and returns the links in those to an address, by
// subject without the name of the site.
func (s *testServer) mailsTo(t testing.TB, address string) map[string]string {
	t.Helper()
	links := map[string]string{}
	for _, m := range s.mails(t) {
		if m.Recipient == address {
			subject, _, _ := strings.Cut(m.Subject, " – ")
			links[subject] = s.linkIn(t, m)
		}
	}
	return links
}

// TestResetEndsCredentials tests that nothing from before a reset of the password works
// after it: a session, a token, a token created with it, the code of a new address, a
// second reset code, and a passkey until the member keeps it.
func TestResetEndsCredentials(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane := s.join(t, "jane", models.RoleMember)
	intruder, b := s.browser(), s.browser()
	intruder.signIn(t, jane)
	intruder.fill(t, "/account/settings/email", "email", "mallory@example.org", "password", passwordOf(jane))
	emailCode := codeOf(s.mailsTo(t, "mallory@example.org")["Confirm your new email address"])
	intruderToken := &testMember{Member: jane.Member, server: s}
	intruderToken.token = s.tokenOf(t, jane, models.RoleMember.Scopes())
	child := &testMember{Member: jane.Member, server: s}
	child.token = intruderToken.ask(t, "POST", "/api/tokens", `{"name":"child","scopes":["account:read"]}`, 201)["token"].(string)
	jane.addPasskey(&models.Passkey{Name: "phone"})
	jane.addPasskey(&models.Passkey{Name: "key of an intruder"})

	var resetCodes []string
	for range 2 {
		b.fill(t, "/reset-password", "email", "jane@example.org")
		resetCodes = append(resetCodes, codeOf(s.mailsTo(t, "jane@example.org")["Set a new password"]))
	}
	b.fill(t, "/reset-password/new", "code", resetCodes[0], "password", "another few words")
	undo := s.mailed(t, "jane@example.org", "Your password was changed")

	if resp, _ := intruder.send(t, "GET", "/account", ""); resp.StatusCode != 303 {
		t.Errorf("the session: %d", resp.StatusCode)
	}
	intruderToken.ask(t, "GET", "/api/me", "", 401)
	child.ask(t, "GET", "/api/me", "", 401)
	for _, c := range []struct{ path, form string }{
		{"/account/email/confirm", formBody("code", emailCode, "password", "another few words")},
		{"/reset-password/new", formBody("code", resetCodes[1], "password", "words of an intruder")},
	} {
		if resp, body := s.browser().send(t, "POST", c.path, c.form); resp.StatusCode != 404 {
			t.Errorf("%s with an old code: %d %s", c.path, resp.StatusCode, body)
		}
	}
	keys, err := s.store.Accounts.Passkeys(context.Background(), jane.ID)
	must(err)
	for _, k := range keys {
		if !k.Suspended {
			t.Errorf("the passkey %q can be used", k.Name)
		}
	}

	if to := b.fill(t, "/sign-in", "email", "jane@example.org", "password", "another few words"); to != "/account/passkeys" {
		t.Errorf("signing in leads to %s", to)
	}
	if page := b.read(t, "/account/passkeys"); strings.Count(page, "/keep\"") != 2 || !strings.Contains(page, "Keep your passkeys?") {
		t.Errorf("the passkeys are %s", page)
	}
	b.fill(t, "/account/passkeys/"+keys[0].ID+"/keep")
	b.fill(t, "/account/passkeys/"+keys[1].ID+"/remove")
	if page := b.read(t, "/account/passkeys"); strings.Contains(page, "Keep your passkeys?") || !strings.Contains(page, "phone") {
		t.Errorf("the passkeys are %s", page)
	}
	if to := s.browser().fill(t, "/sign-in", "email", "jane@example.org", "password", "another few words"); to != "/account" {
		t.Errorf("signing in leads to %s", to)
	}
	if !strings.HasPrefix(undo, "/account/undo?code=") {
		t.Errorf("the notice links to %s", undo)
	}
}

// tokenOf creates a token of a member.
func (s *testServer) tokenOf(t testing.TB, m *testMember, scopes models.Scopes) (secret string) {
	t.Helper()
	secret, err := s.store.Tokens.CreateToken(context.Background(), m.ID, &models.Token{Name: "token", Scopes: scopes})
	must(err)
	return secret
}

// TestUndoingAChange tests that both addresses are notified of a change of the address,
// and that the link in the notice undoes it with one click, once.
func TestUndoingAChange(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane := s.join(t, "jane", models.RoleMember)
	intruder := s.browser()
	intruder.signIn(t, jane)
	intruder.fill(t, "/account/settings/email", "email", "mallory@example.org", "password", passwordOf(jane))
	confirm := s.mailsTo(t, "mallory@example.org")["Confirm your new email address"]
	if resp, _ := intruder.send(t, "POST", "/account/email/confirm", formBody("code", codeOf(confirm), "password", "not the password")); resp.StatusCode != 400 {
		t.Errorf("confirmed without the password: %d", resp.StatusCode)
	}
	intruder.fill(t, "/account/email/confirm", "code", codeOf(confirm), "password", passwordOf(jane))
	intruder.read(t, "/account/settings")
	links := map[string]string{}
	for _, m := range s.mails(t) {
		if !strings.HasPrefix(m.Subject, "Your email address was changed") || strings.Contains(m.Body, "mallory") {
			t.Errorf("got %+v", m)
		}
		links[m.Recipient] = s.linkIn(t, m)
	}
	undo := links["jane@example.org"]
	if len(links) != 2 || links["mallory@example.org"] == "" || undo == "" {
		t.Fatalf("the notices are %v", links)
	}
	intruder.fill(t, "/account/settings/password", "old_password", passwordOf(jane), "password", "words of an intruder")
	s.mails(t)

	b := s.browser()
	for range 2 { // opening the link changes nothing
		if page := b.read(t, undo); !strings.Contains(page, `action="/account/undo"`) {
			t.Fatalf("the page is %s", page)
		}
	}
	intruder.read(t, "/account")
	if to := b.fill(t, "/account/undo", "code", codeOf(undo)); to != "/reset-password/sent" {
		t.Errorf("undoing leads to %s", to)
	}
	reset := s.mailed(t, "jane@example.org", "Set a new password")
	if resp, _ := intruder.send(t, "GET", "/account", ""); resp.StatusCode != 303 {
		t.Errorf("the intruder is still in: %d", resp.StatusCode)
	}
	for _, email := range []string{"jane@example.org", "mallory@example.org"} {
		for _, password := range []string{passwordOf(jane), "words of an intruder"} {
			if resp, _ := s.browser().send(t, "POST", "/sign-in", formBody("email", email, "password", password)); resp.StatusCode != http.StatusUnauthorized {
				t.Errorf("signing in as %s with %q is %d", email, password, resp.StatusCode)
			}
		}
	}
	if resp, _ := b.send(t, "POST", "/account/undo", formBody("code", codeOf(undo))); resp.StatusCode != 404 {
		t.Errorf("undone twice: %d", resp.StatusCode)
	}
	b.fill(t, "/reset-password/new", "code", codeOf(reset), "password", "another few words")
	b.fill(t, "/sign-in", "email", "jane@example.org", "password", "another few words")
}

// TestRevokingAParent tests that a token is refused as soon as the one that created it
// is revoked, and that the member is notified of every new token.
func TestRevokingAParent(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	made := ann.ask(t, "POST", "/api/tokens", `{"name":"http://evil.example","scopes":["account:read","tokens:write"]}`, 201)
	if mails := s.mails(t); len(mails) != 1 || mails[0].Recipient != "ann@example.org" || strings.Contains(mails[0].Body+mails[0].Subject, "evil.") ||
		!strings.HasPrefix(mails[0].Subject, "An access token was created") {
		t.Errorf("the notices are %+v", mails)
	}
	parent := &testMember{Member: ann.Member, server: s, token: made["token"].(string)}
	child := &testMember{Member: ann.Member, server: s}
	child.token = parent.ask(t, "POST", "/api/tokens", `{"name":"child","scopes":["account:read"]}`, 201)["token"].(string)
	child.ask(t, "GET", "/api/me", "", 200)
	ann.ask(t, "DELETE", fmt.Sprint("/api/tokens/", made["id"]), "", 200)
	if e := child.ask(t, "GET", "/api/me", "", 401); e["code"] != "invalid_token" {
		t.Errorf("got %v", e)
	}
	for range store.MaxTokens - 1 {
		ann.ask(t, "POST", "/api/tokens", `{"name":"many","scopes":["account:read"]}`, 201)
	}
	if e := ann.ask(t, "POST", "/api/tokens", `{"name":"many","scopes":["account:read"]}`, 409); e["code"] != "too_many_tokens" || e["hint"] == "" {
		t.Errorf("got %v", e)
	}
}

// TestTokensShareAQuota tests that the tokens and sessions of a member share one quota,
// and that other members have their own.
func TestTokensShareAQuota(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	remaining := func(header ...string) int {
		resp, _ := s.send(t, "GET", "/api/gear", "", header...)
		n, err := strconv.Atoi(resp.Header.Get("RateLimit-Remaining"))
		must(err)
		return n
	}
	first := remaining("Authorization", "Bearer "+ann.token)
	for i := range 50 {
		token := &models.Token{Name: "token", Scopes: models.RoleMember.Scopes()}
		secret, err := s.store.Tokens.CreateToken(context.Background(), ann.ID, token)
		must(err)
		if n := remaining("Authorization", "Bearer "+secret); n != first-1-i {
			t.Fatalf("token %d has %d requests left, want %d", i, n, first-1-i)
		}
		if i >= store.MaxTokens-2 { // there is one already, and the next
			must(s.store.Tokens.RevokeToken(context.Background(), ann.ID, token.ID))
		}
	}
	if n := remaining("Cookie", ann.cookie); n != first-51 {
		t.Errorf("the browser has %d requests left, want %d", n, first-51)
	}
	if n := remaining("Authorization", "Bearer "+bob.token); n != first {
		t.Errorf("another member has %d requests left, want %d", n, first)
	}
}

// TestScopes tests that each of the scopes for tokens, moderation and watching is needed
// for what it allows, and allows nothing else.
func TestScopes(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	s.join(t, "bad", models.RoleMember)
	allowed := map[models.Scope]string{models.TokensWrite: "POST /api/tokens", models.WatchWrite: "POST /api/searches", models.Moderation: "POST /api/members/bad/suspend"}
	bodies := map[string]string{"POST /api/tokens": `{"name":"new","scopes":["tokens:write"]}`, "POST /api/searches": `{"keyword":"canon r6"}`, "POST /api/members/bad/suspend": `{}`}
	for _, scope := range models.AllScopes {
		holder := &testMember{Member: op.Member, server: s, token: s.tokenOf(t, op, models.Scopes{scope})}
		for request, body := range bodies {
			method, path, _ := strings.Cut(request, " ")
			resp, text := s.send(t, method, path, body, "Authorization", "Bearer "+holder.token, "Content-Type", "application/json")
			if want := allowed[scope] == request; want != (resp.StatusCode < 300) || !want && !strings.Contains(text, "insufficient_scope") {
				t.Errorf("%s with %s is %d %s", request, scope, resp.StatusCode, text)
			}
		}
	}
}
