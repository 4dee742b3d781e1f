package store_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

const (
	someVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636 appendix B
	someClient   = "https://chat.example/client.json"
	someResource = "https://secondlight.example/api/mcp"
)

func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// grant creates a grant of a member who is signed in, and returns its code.
func grant(t *testing.T, s *store.Store, by *models.Identity) (*models.Grant, string) {
	t.Helper()
	g := &models.Grant{ClientID: someClient, ClientName: "Chat", RedirectURI: "https://chat.example/back", Resource: someResource,
		Scopes: models.Scopes{models.ListingsWrite, models.AccountRead}, Challenge: challengeOf(someVerifier)}
	code, err := s.Tokens.CreateGrant(t.Context(), by, g)
	must(t, err)
	return g, code
}

func signedIn(t *testing.T, s *store.Store, memberID string) *models.Identity {
	t.Helper()
	id, err := s.Accounts.Session(t.Context(), session(t, s, memberID, home))
	must(t, err)
	return id
}

func exchange(s *store.Store, t *testing.T, code string) (*models.GrantTokens, error) {
	return s.Tokens.ExchangeCode(t.Context(), &models.TokenRequest{Secret: code, ClientID: someClient, Verifier: someVerifier})
}

func refresh(s *store.Store, t *testing.T, token string) (*models.GrantTokens, error) {
	return s.Tokens.RefreshTokens(t.Context(), &models.TokenRequest{Secret: token, ClientID: someClient})
}

// wantOAuth fails the test unless err is an OAuth error with a code.
func wantOAuth(t *testing.T, err error, code string) {
	t.Helper()
	var oauth *models.OAuthError
	if !errors.As(err, &oauth) || oauth.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

// TestGrant follows a grant from the code to its end.
func TestGrant(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := signedIn(t, s, account(t, s, "jane").ID)
		identity := func(token string) *models.Identity {
			t.Helper()
			id, err := s.Tokens.TokenIdentity(ctx, token)
			must(t, err)
			return id
		}
		count := func() int {
			t.Helper()
			grants, err := s.Tokens.Grants(ctx, jane.Member.ID)
			must(t, err)
			return len(grants)
		}
		_, code := grant(t, s, jane)
		if count() != 0 {
			t.Error("a grant is listed before its code is exchanged")
		}
		first, err := exchange(s, t, code)
		must(t, err)
		if first.Lifetime != models.AccessTokenLifetime || first.Scopes.String() != "listings:write account:read" || count() != 1 {
			t.Errorf("got %+v, %d grants", first, count())
		}
		if id := identity(first.Access); id == nil || id.Audience != someResource || id.Scopes.String() != "listings:write account:read" || id.Session {
			t.Errorf("the access token is of %+v", id)
		}
		if tokens, err := s.Tokens.Tokens(ctx, jane.Member.ID); err != nil || len(tokens) != 0 {
			t.Errorf("access tokens are listed with those the member created: %v, %v", tokens, err)
		}
		for name, secret := range map[string]string{"code": code, "refresh token": first.Refresh} {
			if identity(secret) != nil {
				t.Errorf("the %s is accepted as an access token", name)
			}
		}

		// A narrower access token, then the scopes of the grant again.
		narrow, err := s.Tokens.RefreshTokens(ctx, &models.TokenRequest{Secret: first.Refresh, ClientID: someClient, Resource: someResource, Scopes: models.Scopes{models.AccountRead}})
		must(t, err)
		if id := identity(narrow.Access); id == nil || id.Scopes.String() != "account:read" {
			t.Errorf("the narrower token is of %+v", id)
		}
		for _, c := range []struct {
			request models.TokenRequest
			code    string
		}{
			{models.TokenRequest{ClientID: someClient, Scopes: models.Scopes{models.AccountRead, models.OffersWrite}}, "invalid_scope"},
			{models.TokenRequest{ClientID: someClient, Scopes: models.Scopes{models.TokensWrite}}, "invalid_scope"},
			{models.TokenRequest{ClientID: "https://other.example/client.json"}, "invalid_grant"},
			{models.TokenRequest{ClientID: someClient, Resource: "https://other.example/"}, "invalid_target"},
		} {
			c.request.Secret = narrow.Refresh
			_, err := s.Tokens.RefreshTokens(ctx, &c.request)
			wantOAuth(t, err, c.code)
		}
		wide, err := refresh(s, t, narrow.Refresh) // the refused requests did not use it up
		must(t, err)
		if id := identity(wide.Access); id == nil || !id.Scopes.Has(models.ListingsWrite) {
			t.Errorf("the wide token is of %+v", id)
		}

		// Access tokens expire after an hour, the grant after 90 days.
		now = now.Add(time.Hour)
		if identity(wide.Access) != nil {
			t.Error("an access token is valid after an hour")
		}
		now = now.Add(models.GrantLifetime - 90*time.Minute)
		last, err := refresh(s, t, wide.Refresh)
		must(t, err)
		if last.Lifetime != 30*time.Minute {
			t.Errorf("a token of a grant that ends in 30 minutes lives %v", last.Lifetime)
		}
		now = now.Add(30 * time.Minute)
		if _, err := refresh(s, t, last.Refresh); err == nil || identity(last.Access) != nil || count() != 0 {
			t.Errorf("a grant is valid after 90 days: %v", err)
		}
	})
}

// TestCodeOnce checks that whatever is wrong with the exchange of a code ends its grant.
func TestCodeOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane := signedIn(t, s, account(t, s, "jane").ID)
		good := models.TokenRequest{ClientID: someClient, Verifier: someVerifier, RedirectURI: "https://chat.example/back", Resource: someResource}
		for name, c := range map[string]struct {
			change func(*models.TokenRequest)
			code   string
		}{
			"another client":      {func(r *models.TokenRequest) { r.ClientID = "https://other.example/client.json" }, "invalid_grant"},
			"no client":           {func(r *models.TokenRequest) { r.ClientID = "" }, "invalid_grant"},
			"another verifier":    {func(r *models.TokenRequest) { r.Verifier = strings.Repeat("x", 43) }, "invalid_grant"},
			"no verifier":         {func(r *models.TokenRequest) { r.Verifier = "" }, "invalid_grant"},
			"the challenge":       {func(r *models.TokenRequest) { r.Verifier = challengeOf(someVerifier) }, "invalid_grant"},
			"a long verifier":     {func(r *models.TokenRequest) { r.Verifier = strings.Repeat("x", 129) }, "invalid_grant"},
			"another redirect":    {func(r *models.TokenRequest) { r.RedirectURI += "/" }, "invalid_grant"},
			"another resource":    {func(r *models.TokenRequest) { r.Resource = "https://other.example" }, "invalid_target"},
			"61 seconds later":    {func(*models.TokenRequest) { now = now.Add(61 * time.Second) }, "invalid_grant"},
			"exactly at its end":  {func(*models.TokenRequest) { now = now.Add(60 * time.Second) }, "invalid_grant"},
			"a refresh with code": {nil, "invalid_grant"},
		} {
			_, code := grant(t, s, jane)
			r := good
			r.Secret = code
			if c.change == nil {
				_, err := s.Tokens.RefreshTokens(ctx, &r)
				wantOAuth(t, err, c.code)
				continue
			}
			c.change(&r)
			_, err := s.Tokens.ExchangeCode(ctx, &r)
			wantOAuth(t, err, c.code)
			again := good
			again.Secret = code
			if _, err := s.Tokens.ExchangeCode(ctx, &again); err == nil {
				t.Errorf("%s: the code is still valid", name)
			}
		}

		_, code := grant(t, s, jane)
		tokens, err := exchange(s, t, code)
		must(t, err)
		_, err = exchange(s, t, code)
		wantOAuth(t, err, "invalid_grant")
		if id, _ := s.Tokens.TokenIdentity(ctx, tokens.Access); id != nil {
			t.Error("an access token is valid after its code was used again")
		}
		_, err = refresh(s, t, tokens.Refresh)
		wantOAuth(t, err, "invalid_grant")
	})
}

// TestRefreshTokenOnce checks that the reuse of a refresh token ends the grant, and that
// of several concurrent refreshes at most one succeeds.
func TestRefreshTokenOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		jane := signedIn(t, s, account(t, s, "jane").ID)
		_, code := grant(t, s, jane)
		first, err := exchange(s, t, code)
		must(t, err)
		second, err := refresh(s, t, first.Refresh)
		must(t, err)
		for _, wrong := range []string{"", "slr_", "slr_x.y", second.Access, code, "\x00"} {
			_, err := refresh(s, t, wrong)
			wantOAuth(t, err, "invalid_grant")
		}
		third, err := refresh(s, t, second.Refresh)
		must(t, err)
		_, err = refresh(s, t, first.Refresh)
		wantOAuth(t, err, "invalid_grant")
		_, err = refresh(s, t, third.Refresh)
		wantOAuth(t, err, "invalid_grant")
		for _, tokens := range []*models.GrantTokens{first, second, third} {
			if id, _ := s.Tokens.TokenIdentity(ctx, tokens.Access); id != nil {
				t.Error("an access token is valid after a refresh token was used again")
			}
		}

		for _, use := range []string{"code", "refresh token"} {
			_, code := grant(t, s, jane)
			once := func() error { _, err := exchange(s, t, code); return err }
			if use == "refresh token" {
				tokens, err := exchange(s, t, code)
				must(t, err)
				once = func() error { _, err := refresh(s, t, tokens.Refresh); return err }
			}
			var mu sync.Mutex
			var all sync.WaitGroup
			succeeded := 0
			for range 8 {
				all.Go(func() {
					if once() == nil {
						mu.Lock()
						succeeded++
						mu.Unlock()
					}
				})
			}
			all.Wait()
			grants, err := s.Tokens.Grants(ctx, jane.Member.ID)
			must(t, err)
			if succeeded != 1 || len(grants) != 0 {
				t.Errorf("a %s was used %d times at once; %d grants are left", use, succeeded, len(grants))
			}
		}
	})
}

// TestGrantsEndWithCredentials checks that whatever ends a member's credentials ends
// their grants, and that a request authenticated before cannot create one.
func TestGrantsEndWithCredentials(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		operator, err := s.Accounts.CreateAccount(ctx, models.Registration{Handle: "operator", Email: "operator@example.org", Password: "correct horse battery"}, models.RoleOperator)
		must(t, err)
		for i, c := range []struct {
			name string
			end  func(*models.Identity) error
		}{
			{"reset of the password", func(by *models.Identity) error {
				code, err := s.Accounts.BeginPasswordReset(ctx, by.Account.Email)
				must(t, err)
				_, err = s.Accounts.ResetPassword(ctx, code, "words that are new here")
				return err
			}},
			{"change of the address", func(by *models.Identity) error {
				_, err := s.Accounts.BeginEmailChange(ctx, &by.Account, "elsewhere@example.org", "")
				return err
			}},
			{"suspension", func(by *models.Identity) error {
				_, err := s.Moderation.ModerateMember(ctx, operator.ID, by.Member.ID, true, "spam")
				return err
			}},
			{"deletion", func(by *models.Identity) error { return s.Accounts.DeleteAccount(ctx, by.Member.ID) }},
		} {
			by := signedIn(t, s, account(t, s, fmt.Sprint("jane-", i)).ID)
			_, code := grant(t, s, by)
			_, pending := grant(t, s, by)
			tokens, err := exchange(s, t, code)
			must(t, err)
			consent, err := s.Tokens.BeginConsent(ctx, by, "secret", "request")
			must(t, err)
			must(t, c.end(by))
			if id, _ := s.Tokens.TokenIdentity(ctx, tokens.Access); id != nil {
				t.Errorf("%s: the access token is valid", c.name)
			}
			_, err = refresh(s, t, tokens.Refresh)
			wantOAuth(t, err, "invalid_grant")
			_, err = exchange(s, t, pending)
			wantOAuth(t, err, "invalid_grant")
			if _, err := s.Tokens.CreateGrant(ctx, by, &models.Grant{ClientID: someClient, Scopes: models.DefaultScopes}); err == nil {
				t.Errorf("%s: a request authenticated before creates a grant", c.name)
			}
			if c.name != "suspension" { // which ends the session
				_, err = s.Tokens.EndConsent(ctx, by, "secret", consent)
				wantError(t, err, problem.Forbidden, "consent_invalid")
			}
		}
	})
}

func TestConsent(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := signedIn(t, s, account(t, s, "jane").ID), signedIn(t, s, account(t, s, "john").ID)
		code, err := s.Tokens.BeginConsent(ctx, jane, "session", `{"state":"a b"}`)
		must(t, err)
		for _, c := range []struct {
			by            *models.Identity
			session, code string
		}{{john, "session", code}, {jane, "other session", code}, {jane, "", code}, {jane, "session", ""}, {jane, "session", code + "x"}, {jane, "session", "\x00"}} {
			_, err := s.Tokens.EndConsent(ctx, c.by, c.session, c.code)
			wantError(t, err, problem.Forbidden, "consent_invalid")
		}
		request, err := s.Tokens.EndConsent(ctx, jane, "session", code)
		if err != nil || request != `{"state":"a b"}` {
			t.Errorf("got %q, %v", request, err)
		}
		_, err = s.Tokens.EndConsent(ctx, jane, "session", code)
		wantError(t, err, problem.Forbidden, "consent_invalid")
		code, err = s.Tokens.BeginConsent(ctx, jane, "session", "{}")
		must(t, err)
		now = now.Add(10 * time.Minute)
		_, err = s.Tokens.EndConsent(ctx, jane, "session", code)
		wantError(t, err, problem.Forbidden, "consent_invalid")

		// The oldest of too many open pages expires.
		oldest, err := s.Tokens.BeginConsent(ctx, jane, "session", "{}")
		must(t, err)
		for range 20 {
			now = now.Add(time.Second)
			code, err = s.Tokens.BeginConsent(ctx, jane, "session", "{}")
			must(t, err)
		}
		_, err = s.Tokens.EndConsent(ctx, jane, "session", oldest)
		wantError(t, err, problem.Forbidden, "consent_invalid")
		_, err = s.Tokens.EndConsent(ctx, jane, "session", code)
		must(t, err)
	})
}

func TestGrantLimits(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := signedIn(t, s, account(t, s, "jane").ID), signedIn(t, s, account(t, s, "john").ID)
		connect := func(by *models.Identity) *models.GrantTokens {
			t.Helper()
			_, code := grant(t, s, by)
			tokens, err := exchange(s, t, code)
			must(t, err)
			now = now.Add(time.Second)
			return tokens
		}
		others := connect(john)
		first, second := connect(jane), connect(jane)
		for range store.MaxGrants - 2 {
			connect(jane)
		}
		first, err := refresh(s, t, first.Refresh) // now the second was not used for longest
		must(t, err)
		connect(jane)
		grants, err := s.Tokens.Grants(ctx, jane.Member.ID)
		must(t, err)
		if len(grants) != store.MaxGrants {
			t.Errorf("a member has %d grants", len(grants))
		}
		_, err = refresh(s, t, second.Refresh)
		wantOAuth(t, err, "invalid_grant")
		first, err = refresh(s, t, first.Refresh)
		must(t, err)
		if _, err := refresh(s, t, others.Refresh); err != nil {
			t.Errorf("the grant of another member ended: %v", err)
		}

		// Of the access tokens of a grant only the newest are valid.
		var all []string
		for range 8 {
			now = now.Add(time.Second)
			first, err = refresh(s, t, first.Refresh)
			must(t, err)
			all = append(all, first.Access)
		}
		valid := 0
		for _, token := range all {
			if id, _ := s.Tokens.TokenIdentity(ctx, token); id != nil {
				valid++
			}
		}
		if valid != 5 {
			t.Errorf("%d of 8 access tokens are valid", valid)
		}

		// Tokens of grants don't count as those a member created.
		for range store.MaxTokens {
			_, err := s.Tokens.CreateToken(ctx, jane.Member.ID, &models.Token{Name: "mine", Scopes: models.RoleMember.Scopes()})
			must(t, err)
		}
		now = now.Add(models.GrantLifetime)
		must(t, s.Accounts.DeleteExpired(ctx))
		if tables, err := s.Accounts.PersonalData(ctx, jane.Member.ID); err != nil || rowsOf(tables, "oauth_grants") != 0 {
			t.Errorf("expired grants are stored: %v", err)
		}
	})
}

func rowsOf(tables []models.PersonalDataTable, name string) int {
	i := slices.IndexFunc(tables, func(t models.PersonalDataTable) bool { return t.Name == name })
	return len(tables[i].Rows)
}

func TestRevokeGranted(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		member := account(t, s, "jane")
		jane := signedIn(t, s, member.ID)
		_, code := grant(t, s, jane)
		tokens, err := exchange(s, t, code)
		must(t, err)
		own, err := s.Tokens.CreateToken(ctx, member.ID, &models.Token{Name: "mine", Scopes: models.RoleMember.Scopes()})
		must(t, err)
		for _, unknown := range []string{"", "slr_x.y", "sl_x", own, code, "\x00"} {
			must(t, s.Tokens.RevokeGranted(ctx, someClient, unknown))
		}
		for _, token := range []string{tokens.Access, tokens.Refresh} {
			wantOAuth(t, s.Tokens.RevokeGranted(ctx, "https://other.example/client.json", token), "invalid_client")
		}
		for _, token := range []string{own, tokens.Access} {
			if id, _ := s.Tokens.TokenIdentity(ctx, token); id == nil {
				t.Error("a token was revoked by a client that doesn't have it")
			}
		}
		must(t, s.Tokens.RevokeGranted(ctx, someClient, tokens.Access))
		if id, _ := s.Tokens.TokenIdentity(ctx, tokens.Access); id != nil {
			t.Error("a revoked access token is valid")
		}
		next, err := refresh(s, t, tokens.Refresh)
		must(t, err)
		must(t, s.Tokens.RevokeGranted(ctx, someClient, tokens.Refresh)) // the used one
		if id, _ := s.Tokens.TokenIdentity(ctx, next.Access); id != nil {
			t.Error("an access token is valid after its grant was revoked")
		}
		_, err = refresh(s, t, next.Refresh)
		wantOAuth(t, err, "invalid_grant")

		john := signedIn(t, s, account(t, s, "john").ID)
		g, _ := grant(t, s, jane)
		wantError(t, s.Tokens.EndGrant(ctx, john.Member.ID, g.ID), problem.NotFound, "connection_not_found")
		wantError(t, s.Tokens.EndGrant(ctx, member.ID, "\x00"), problem.NotFound, "connection_not_found")
		must(t, s.Tokens.EndGrant(ctx, member.ID, g.ID))
		wantError(t, s.Tokens.EndGrant(ctx, member.ID, g.ID), problem.NotFound, "connection_not_found")
	})
}

func TestRegisteredClients(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		register := func() *models.OAuthClient {
			t.Helper()
			now = now.Add(time.Millisecond)
			c := &models.OAuthClient{Name: "Editor", RedirectURIs: []string{"http://127.0.0.1/back", "com.example.app:/back"}}
			must(t, s.Tokens.RegisterClient(ctx, c))
			return c
		}
		known := func(c *models.OAuthClient) bool {
			t.Helper()
			got, err := s.Tokens.Client(ctx, c.ID)
			must(t, err)
			return got != nil && slices.Equal(got.RedirectURIs, c.RedirectURIs) && got.Name == c.Name
		}
		used, unused := register(), register()
		jane := signedIn(t, s, account(t, s, "jane").ID)
		_, err := s.Tokens.CreateGrant(ctx, jane, &models.Grant{ClientID: used.ID, Scopes: models.DefaultScopes, Challenge: challengeOf("x")})
		must(t, err)
		if !known(used) || !known(unused) {
			t.Error("a registered client is unknown")
		}
		for _, id := range []string{"", "x", "\x00"} {
			if c, err := s.Tokens.Client(ctx, id); c != nil || err != nil {
				t.Errorf("Client(%q) = %v, %v", id, c, err)
			}
		}
		now = now.Add(7*24*time.Hour + time.Second)
		must(t, s.Accounts.DeleteExpired(ctx))
		if known(unused) || !known(used) {
			t.Errorf("after a week the unused client is known: %v, the other one: %v", known(unused), known(used))
		}
		now = now.Add(180 * 24 * time.Hour)
		must(t, s.Accounts.DeleteExpired(ctx))
		if known(used) {
			t.Error("a client is stored long after it was used")
		}
	})
}

func TestRedirectURIs(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://claude.ai/api/mcp/auth_callback": true, "https://vscode.dev/redirect": true, "https://chatgpt.com/connector_platform_oauth_redirect": true,
		"https://app.example:8443/back?from=x": true, "http://127.0.0.1/": true, "http://127.0.0.1:33418/": true, "http://localhost:3118/callback": true, "http://[::1]:1/x": true,
		"cursor://anysphere.cursor-retrieval/oauth/user-x/callback": true, "com.example.app:/back": true,
		"http://example.org/back": false, "http://localhost.example.org/": false, "http://127.0.0.1.example.org/": false, "http://127.0.0.1@example.org/": false,
		"javascript:alert(1)": false, "javascript://example.org/%0aalert(1)": false, "data:text/html,x": false, "vbscript:x": false, "file:///etc/passwd": false, "blob:https://x": false, "about:blank": false,
		"https://example.org/#": false, "https://example.org/#a": false, "https://jane@example.org/": false, "https:///x": false, "https:example.org": false, "//example.org/": false,
		"/back": false, "": false, "https://example.org/a b": false, "https://example.org/\r\nX: y": false, "https://exämple.org/": false, "https://example.org/\\x": false,
		"HTTPS://example.org/": true, "ftp://example.org/": false, "ws://example.org/": false, "unknown://x": false, "https://example.org/" + strings.Repeat("x", 500): false,
	} {
		if got := models.ValidRedirectURI(address); got != want {
			t.Errorf("ValidRedirectURI(%q) = %v, want %v", address, got, want)
		}
	}
	c := models.OAuthClient{RedirectURIs: []string{"https://app.example/back", "http://127.0.0.1:3000/back?a=b", "http://localhost/back", "http://[::1]/back", "com.example.app:/back"}}
	for address, want := range map[string]bool{
		"https://app.example/back": true, "http://127.0.0.1:3000/back?a=b": true, "http://127.0.0.1:59999/back?a=b": true, "http://127.0.0.1/back?a=b": true,
		"http://localhost:1/back": true, "http://[::1]:8/back": true, "com.example.app:/back": true,
		"https://app.example/back/": false, "https://app.example/back?x=y": false, "https://app.example:8443/back": false, "https://app.example.org/back": false, "https://APP.example/back": false,
		"http://app.example/back": false, "https://app.example/Back": false, "https://app.example/x/../back": false, "https://app.example/%62ack": false,
		"http://127.0.0.1:3000/back": false, "http://127.0.0.1:3000/back?a=c": false, "http://127.0.0.2:3000/back?a=b": false, "http://127.0.0.1:3000/other?a=b": false,
		"http://localhost:1@example.org/back": false, "http://localhost:x/back": false, "http://jane@localhost/back": false, "http://localhost.:1/back": false, "http://localhost:1/back#x": false,
		"com.example.app:/other": false, "": false,
	} {
		if got := c.Redirects(address); got != want {
			t.Errorf("Redirects(%q) = %v, want %v", address, got, want)
		}
	}
}
