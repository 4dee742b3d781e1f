package handlers

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

var tokenSecret = regexp.MustCompile(`sl_[A-Za-z0-9_-]{43}`)

// TestTokens tests the life of a token: it is created with scopes, shown once, valid
// for those scopes only, and invalid after it is revoked.
func TestTokens(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	made := ann.ask(t, "POST", "/api/tokens", `{"name":"watcher","scopes":["account:read","tokens:write"],"expires_at":"2099-01-31"}`, 201)
	secret, _ := made["token"].(string)
	if !tokenSecret.MatchString(secret) || made["expires_at"] != "2099-02-01T00:00:00Z" || fmt.Sprint(made["scopes"]) != "[account:read tokens:write]" {
		t.Fatalf("the token is %v", made)
	}
	id := made["id"].(string)
	resp, text := s.send(t, "POST", "/api/tokens", `{"name":"another","scopes":["offers:write","account:read"]}`, "Authorization", "Bearer "+ann.token, "Content-Type", "application/json")
	if resp.StatusCode != 201 || resp.Header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(resp.Header.Get("Location"), "/api/tokens/") {
		t.Fatalf("a token is made with %d, %v: %s", resp.StatusCode, resp.Header, text)
	}
	ann.ask(t, "GET", resp.Header.Get("Location"), "", 200)

	watcher := &testMember{Member: ann.Member, server: s, token: secret}
	list := watcher.ask(t, "GET", "/api/tokens", "", 200)
	if all := list["tokens"].([]any); len(all) != 3 || strings.Contains(fmt.Sprint(list), secret) {
		t.Errorf("the tokens are %v", list)
	}
	for _, page := range []string{"/account/tokens", "/account/tokens/" + id} {
		if body := ann.read(t, page); !strings.Contains(body, "watcher") || strings.Contains(body, secret) {
			t.Errorf("%s is %s", page, body)
		}
	}
	for _, c := range []struct {
		who    *testMember
		method string
		path   string
		body   string
		status int
		code   any
	}{
		// A token creates and revokes only tokens with a subset of its scopes.
		{watcher, "POST", "/api/tokens", `{"name":"more","scopes":["account:read","offers:write"]}`, 403, "insufficient_scope"},
		{watcher, "POST", "/api/tokens", `{"name":"longer","scopes":["account:read"],"expires_at":"2099-02-01"}`, 400, "invalid_parameter"},
		{watcher, "POST", "/api/tokens", `{"name":"as long","scopes":["account:read"],"expires_at":"2099-02-01T00:00:00Z"}`, 201, nil},
		{watcher, "DELETE", strings.TrimSpace(resp.Header.Get("Location")), "", 403, "insufficient_scope"},
		{ann, "POST", "/api/tokens", `{"name":"x","scopes":[]}`, 400, "missing_parameter"},
		{ann, "POST", "/api/tokens", `{"name":"x","scopes":["all"]}`, 400, "invalid_parameter"},
		{ann, "POST", "/api/tokens", `{"name":"","scopes":["account:read"]}`, 400, "missing_parameter"},
		{ann, "POST", "/api/tokens", `{"name":"x","scopes":["account:read"],"expires_at":"soon"}`, 400, "invalid_parameter"},
		{ann, "POST", "/api/tokens", `{"name":"x","scopes":["account:read"],"expires_at":"2001-01-01"}`, 400, "invalid_parameter"},
		{ann, "POST", "/api/tokens", `{"name":"` + strings.Repeat("x", 61) + `","scopes":["account:read"]}`, 400, "invalid_parameter"},
		{bob, "GET", "/api/tokens/" + id, "", 404, "token_not_found"},
		{bob, "DELETE", "/api/tokens/" + id, "", 404, "token_not_found"},
		{ann, "DELETE", "/api/tokens/nonsense", "", 404, "token_not_found"},
		{watcher, "DELETE", "/api/tokens/" + id, "", 200, nil},
		{ann, "DELETE", "/api/tokens/" + id, "", 404, "token_not_found"},
		{watcher, "GET", "/api/tokens", "", 401, "invalid_token"},
	} {
		if answer := c.who.ask(t, c.method, c.path, c.body, c.status); answer["code"] != c.code {
			t.Errorf("%s %s %s is %v, want %v", c.method, c.path, c.body, answer, c.code)
		}
	}
}

// TestTokenInheritsExpiry tests that a token expires no later than the one that created it.
func TestTokenInheritsExpiry(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	end := models.TimeOf(time.Date(2099, 1, 2, 3, 4, 5, 0, time.UTC))
	secret, err := s.store.Tokens.CreateToken(context.Background(), ann.ID, &models.Token{Name: "short", Scopes: models.RoleMember.Scopes(), ExpiresAt: end})
	must(err)
	ann.token = secret
	if made := ann.ask(t, "POST", "/api/tokens", `{"name":"child","scopes":["account:read"]}`, 201); made["expires_at"] != end.RFC3339() {
		t.Errorf("the child is %v", made)
	}
}

// TestTokenPage tests that a new token is shown once in a browser, and that a
// rejected form keeps its input.
func TestTokenPage(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	form := url.Values{"name": {"<b>laptop</b>"}, "scopes": {"", "tokens:write", "messages:write"}, "expires_at": {"2099-12-31"}}
	resp, body := ann.post(t, "/account/tokens", form.Encode())
	secret := tokenSecret.FindString(body)
	if resp.StatusCode != 201 || secret == "" || resp.Header.Get("Cache-Control") != "no-store" || strings.Contains(body, "<b>laptop") || !strings.Contains(body, "Copy it now") {
		t.Fatalf("the answer is %d, %s: %s", resp.StatusCode, resp.Header.Get("Cache-Control"), body)
	}
	ann.token = secret
	ann.ask(t, "GET", "/api/tokens", "", 200)
	if page := ann.read(t, "/account/tokens"); strings.Contains(page, secret) || !strings.Contains(page, "tokens:write, messages:write") {
		t.Errorf("the list is %s", page)
	}
	resp, body = ann.post(t, "/account/tokens", "name=tablet&scopes=&expires_at=2099-12-31")
	if resp.StatusCode != 400 || !strings.Contains(body, `value="tablet"`) || !strings.Contains(body, `id="create-token-scopes-fault"`) {
		t.Errorf("a form without scopes is %d: %s", resp.StatusCode, body)
	}
	revoke := regexp.MustCompile(`laptop&lt;/b&gt;</a>[\s\S]*?action="(/account/tokens/[0-9a-f-]{36}/revoke)"`).FindStringSubmatch(ann.read(t, "/account/tokens"))
	if revoke == nil {
		t.Fatal("the token cannot be revoked")
	}
	if resp, _ := bob.post(t, revoke[1], ""); resp.StatusCode != 404 {
		t.Errorf("somebody else's token is revoked with %d", resp.StatusCode)
	}
	if resp, _ := ann.post(t, revoke[1], ""); resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/tokens" {
		t.Errorf("a token is revoked with %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	ann.ask(t, "GET", "/api/tokens", "", 401)
}

// TestTokensAreOfTheRole tests that each way to create a token refuses each scope that the
// role of its member lacks, and says which ones there are.
func TestTokensAreOfTheRole(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	for _, role := range models.Roles {
		ann := s.join(t, "the-"+string(role), role)
		bearer := &testMember{server: s, token: ann.token}
		if shown := ann.read(t, "/account/tokens"); strings.Contains(shown, `value="admin"`) != role.May(models.Admin) {
			t.Errorf("the form offers a %s other scopes than theirs", role)
		}
		for _, scope := range models.AllScopes {
			resp, body := ann.post(t, "/account/tokens", url.Values{"name": {"x"}, "scopes": {string(scope)}}.Encode())
			bySession, _ := s.send(t, "POST", "/api/tokens", `{"name":"x","scopes":["`+string(scope)+`"]}`, "Cookie", ann.cookie, "Sec-Fetch-Site", "same-origin", "Content-Type", "application/json")
			byToken, _ := s.send(t, "POST", "/api/tokens", `{"name":"x","scopes":["`+string(scope)+`"]}`, "Authorization", "Bearer "+bearer.token, "Content-Type", "application/json")
			want := [3]int{201, 201, 201}
			if !role.May(scope) {
				want = [3]int{400, 400, 403}
				if !strings.Contains(body, "have the scope "+string(scope)) {
					t.Errorf("the form doesn't say what is wrong: %.600s", body)
				}
			}
			if got := [3]int{resp.StatusCode, bySession.StatusCode, byToken.StatusCode}; got != want {
				t.Errorf("%s for a %s is %d, want %d", scope, role, got, want)
			}
			tokens, err := s.store.Tokens.Tokens(t.Context(), ann.ID)
			must(err)
			for _, token := range tokens[:len(tokens)-1] { // the last one is bearer's
				if err := role.CheckScopes(token.Scopes); err != nil {
					t.Errorf("a %s has a token with the scopes %s", role, token.Scopes)
				}
				must(s.store.Tokens.RevokeToken(t.Context(), ann.ID, token.ID))
			}
		}
	}
}

// TestRoleEndsTokens tests that no token of an operator who was demoted calls any operation
// of operators, also after they have the role again, and that the answer names it.
func TestRoleEndsTokens(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, op := s.join(t, "ann", models.RoleOperator), s.join(t, "the-operator", models.RoleOperator)
	kept := s.tokenOf(t, ann, models.RoleMember.Scopes())
	for _, role := range []models.Role{models.RoleMember, models.RoleOperator} {
		m := op.ask(t, "PUT", "/api/admin/members/ann/role", `{"role":"`+string(role)+`"}`, 200)
		if want := map[models.Role]string{models.RoleMember: "[test]", models.RoleOperator: "<nil>"}[role]; fmt.Sprint(m["ended_tokens"]) != want {
			t.Errorf("role %s ends %v, want %s", role, m["ended_tokens"], want)
		}
		for _, o := range s.Operations() {
			if o.Access != web.Operators {
				continue
			}
			for token, want := range map[string]int{ann.token: 401, kept: 403} {
				resp, text := s.request(t, o, map[string]any{}, "Authorization", "Bearer "+token)
				if resp.StatusCode != want {
					t.Errorf("%s of a former operator is %d, want %d: %.200s", o.Name, resp.StatusCode, want, text)
				}
			}
		}
	}
}
