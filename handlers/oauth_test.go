package handlers

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
)

const (
	oauthVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636 appendix B
	oauthRedirect = "https://chat.example/callback"
	oauthState    = "state of the client & more"
)

func s256(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// oauthTest is a server with a registered client.
type oauthTest struct {
	*testServer
	clientID string
}

func newOAuthTest(t *testing.T, change ...func(*Config)) *oauthTest {
	t.Helper()
	s := &oauthTest{testServer: newMarketServer(t, change...)}
	s.clientID = s.register(t, `{"client_name":"Chat","redirect_uris":["`+oauthRedirect+`","http://127.0.0.1/back","com.example.app:/back","https://chat.example/with?query=1"]}`)
	return s
}

// register registers a client and returns its id.
func (s *oauthTest) register(t *testing.T, metadata string) string {
	t.Helper()
	resp, body := s.send(t, "POST", "/oauth/register", metadata, "Content-Type", "application/json")
	var client struct {
		ID string `json:"client_id"`
	}
	if err := json.Unmarshal([]byte(body), &client); err != nil || resp.StatusCode != 201 || client.ID == "" {
		t.Fatalf("registration is %d: %s", resp.StatusCode, body)
	}
	return client.ID
}

// request returns the parameters of a valid authorization request, with changes: name,
// value, …. A value of "-" removes a parameter.
func (s *oauthTest) request(changes ...string) url.Values {
	q := url.Values{"response_type": {"code"}, "client_id": {s.clientID}, "redirect_uri": {oauthRedirect}, "state": {oauthState},
		"code_challenge": {s256(oauthVerifier)}, "code_challenge_method": {"S256"}, "resource": {testSite.BaseURL + "/api/mcp"},
		"scope": {"account:read listings:write"}}
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "-" {
			q.Del(changes[i])
		} else {
			q.Set(changes[i], changes[i+1])
		}
	}
	return q
}

var consentField = regexp.MustCompile(`name="consent" value="([^"]+)"`)

// authorize opens the consent page as a member.
func (m *testMember) authorize(t *testing.T, query url.Values) (*http.Response, string) {
	t.Helper()
	return m.server.do(t, "GET", "/oauth/authorize?"+query.Encode(), "Cookie", m.cookie, "Accept", "text/html", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate")
}

// consentCode opens the consent page, which must exist, and returns its one-time code.
func (m *testMember) consentCode(t *testing.T, query url.Values) string {
	t.Helper()
	resp, body := m.authorize(t, query)
	found := consentField.FindStringSubmatch(body)
	if resp.StatusCode != 200 || found == nil {
		t.Fatalf("the consent page is %d to %q: %.600s", resp.StatusCode, resp.Header.Get("Location"), body)
	}
	return found[1]
}

// allow sends the form of the consent page and returns the parameters that the client
// gets.
func (m *testMember) allow(t *testing.T, query url.Values, scopes ...string) url.Values {
	t.Helper()
	form := url.Values{"consent": {m.consentCode(t, query)}, "decision": {"allow"}, "scopes": append([]string{""}, scopes...)}
	resp, body := m.post(t, "/oauth/authorize", form.Encode())
	back, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || resp.StatusCode != 303 {
		t.Fatalf("the decision is %d to %q: %.300s", resp.StatusCode, resp.Header.Get("Location"), body)
	}
	return back.Query()
}

// code returns an authorization code for a request.
func (m *testMember) code(t *testing.T, query url.Values) string {
	t.Helper()
	code := m.allow(t, query, strings.Fields(query.Get("scope"))...).Get("code")
	if code == "" {
		t.Fatal("the client gets no code")
	}
	return code
}

// tokenCall sends a form to an endpoint and returns the response's status and fields.
func (s *oauthTest) tokenCall(t *testing.T, path string, form url.Values, header ...string) (int, map[string]any) {
	t.Helper()
	header = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)
	resp, body := s.send(t, "POST", path, form.Encode(), header...)
	var fields map[string]any
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		t.Fatalf("%s is %d: %s", path, resp.StatusCode, body)
	}
	if resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s may be cached: %q", path, resp.Header.Get("Cache-Control"))
	}
	return resp.StatusCode, fields
}

// exchange returns the form that exchanges a code.
func (s *oauthTest) exchange(code string, changes ...string) url.Values {
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {s.clientID}, "redirect_uri": {oauthRedirect},
		"code_verifier": {oauthVerifier}, "resource": {testSite.BaseURL + "/api/mcp"}}
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "-" {
			form.Del(changes[i])
		} else {
			form.Set(changes[i], changes[i+1])
		}
	}
	return form
}

// refreshForm returns the form that refreshes a token.
func (s *oauthTest) refreshForm(token string, changes ...string) url.Values {
	return s.exchange("", append([]string{"grant_type", "refresh_token", "refresh_token", token, "code", "-", "redirect_uri", "-", "code_verifier", "-"}, changes...)...)
}

// connect connects the client to a member and returns its tokens.
func (s *oauthTest) connect(t *testing.T, m *testMember, scope string) (access, refresh string) {
	t.Helper()
	status, fields := s.tokenCall(t, "/oauth/token", s.exchange(m.code(t, s.request("scope", scope))))
	if status != 200 {
		t.Fatalf("the exchange is %d: %v", status, fields)
	}
	return fields["access_token"].(string), fields["refresh_token"].(string)
}

// works reports whether an access token is accepted.
func (s *oauthTest) works(t *testing.T, token string) bool {
	t.Helper()
	resp, _ := s.do(t, "GET", "/api/me", "Authorization", "Bearer "+token)
	return resp.StatusCode == 200
}

func TestOAuthMetadata(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	get := func(path string) map[string]any {
		t.Helper()
		resp, body := s.do(t, "GET", path)
		var doc map[string]any
		if err := json.Unmarshal([]byte(body), &doc); err != nil || resp.StatusCode != 200 || resp.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Fatalf("%s is %d, %v: %s", path, resp.StatusCode, resp.Header, body)
		}
		return doc
	}
	for _, path := range []string{"", "/api/mcp", "/api/mcp/member"} {
		doc := get("/.well-known/oauth-protected-resource" + path)
		if doc["resource"] != testSite.BaseURL+path || fmt.Sprint(doc["authorization_servers"]) != "["+testSite.BaseURL+"]" || len(doc["scopes_supported"].([]any)) != 5 {
			t.Errorf("%s is described by %v", path, doc)
		}
	}
	doc := get("/.well-known/oauth-authorization-server")
	for name, want := range map[string]string{
		"issuer": testSite.BaseURL, "authorization_endpoint": testSite.BaseURL + "/oauth/authorize", "token_endpoint": testSite.BaseURL + "/oauth/token",
		"revocation_endpoint": testSite.BaseURL + "/oauth/revoke", "registration_endpoint": testSite.BaseURL + "/oauth/register",
		"response_types_supported": "[code]", "code_challenge_methods_supported": "[S256]", "token_endpoint_auth_methods_supported": "[none]",
		"grant_types_supported": "[authorization_code refresh_token]", "authorization_response_iss_parameter_supported": "true", "client_id_metadata_document_supported": "true",
	} {
		if fmt.Sprint(doc[name]) != want {
			t.Errorf("%s is %v, want %s", name, doc[name], want)
		}
	}
	if strings.Contains(fmt.Sprint(doc["scopes_supported"]), "tokens:write") {
		t.Error("apps may create tokens")
	}
}

// linkBack matches the link to an app that gets no access.
var linkBack = regexp.MustCompile(regexp.QuoteMeta(oauthRedirect) + `\?[^"]*`)

// TestAuthorizationRequests tests what is shown and what is refused, and that nobody is sent
// to an app before they have consented.
func TestAuthorizationRequests(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann := s.join(t, "ann", models.RoleMember)
	const page, shown = "page", "consent"
	for _, c := range []struct {
		name    string
		changes []string
		want    string // "consent", "page" and the error's code, or the error that the app is told by a link
	}{
		{"valid", nil, shown},
		{"no scope", []string{"scope", "-"}, shown},
		{"offline access", []string{"scope", "offline_access"}, shown},
		{"a scope and offline access", []string{"scope", "account:read offline_access"}, shown},
		{"no state", []string{"state", "-"}, shown},
		{"no resource", []string{"resource", "-"}, shown},
		{"the site", []string{"resource", testSite.BaseURL}, shown},
		{"the site with a slash", []string{"resource", testSite.BaseURL + "/"}, shown},
		{"the API", []string{"resource", testSite.BaseURL + "/api"}, shown},
		{"the member endpoint", []string{"resource", testSite.BaseURL + "/api/mcp/member"}, shown},
		{"a toolset", []string{"resource", testSite.BaseURL + "/api/mcp?toolset=sell"}, shown},
		{"a slash after the endpoint", []string{"resource", testSite.BaseURL + "/api/mcp/"}, shown},
		{"loopback", []string{"redirect_uri", "http://127.0.0.1/back"}, shown},
		{"loopback with a port", []string{"redirect_uri", "http://127.0.0.1:54321/back"}, shown},
		{"private scheme", []string{"redirect_uri", "com.example.app:/back"}, shown},
		{"an unknown parameter", []string{"prompt", "consent"}, shown},
		{"response_mode query", []string{"response_mode", "query"}, shown},

		{"no client", []string{"client_id", "-"}, page + " invalid_client"},
		{"unknown client", []string{"client_id", "019aa7d2-7c00-7000-8000-000000000001"}, page + " invalid_client"},
		{"a client that is not text", []string{"client_id", "\xff\x00"}, page + " invalid_client"},
		{"no redirect", []string{"redirect_uri", "-"}, page + " invalid_redirect_uri"},
		{"another host", []string{"redirect_uri", "https://mallory.example/callback"}, page + " invalid_redirect_uri"},
		{"another path", []string{"redirect_uri", oauthRedirect + "/more"}, page + " invalid_redirect_uri"},
		{"a query", []string{"redirect_uri", oauthRedirect + "?next=1"}, page + " invalid_redirect_uri"},
		{"a fragment", []string{"redirect_uri", oauthRedirect + "#x"}, page + " invalid_redirect_uri"},
		{"http", []string{"redirect_uri", "http://chat.example/callback"}, page + " invalid_redirect_uri"},
		{"a port", []string{"redirect_uri", "https://chat.example:444/callback"}, page + " invalid_redirect_uri"},
		{"a subdomain", []string{"redirect_uri", "https://www.chat.example/callback"}, page + " invalid_redirect_uri"},
		{"a suffix of the host", []string{"redirect_uri", "https://chat.example.mallory.example/callback"}, page + " invalid_redirect_uri"},
		{"user information", []string{"redirect_uri", "https://chat.example@mallory.example/callback"}, page + " invalid_redirect_uri"},
		{"upper case", []string{"redirect_uri", "https://chat.example/Callback"}, page + " invalid_redirect_uri"},
		{"dots", []string{"redirect_uri", "https://chat.example/x/../callback"}, page + " invalid_redirect_uri"},
		{"an escape", []string{"redirect_uri", "https://chat.example/%63allback"}, page + " invalid_redirect_uri"},
		{"a backslash", []string{"redirect_uri", `https://mallory.example\@chat.example/callback`}, page + " invalid_redirect_uri"},
		{"a line break", []string{"redirect_uri", oauthRedirect + "\r\nSet-Cookie: x=y"}, page + " invalid_redirect_uri"},
		{"another loopback path", []string{"redirect_uri", "http://127.0.0.1:54321/other"}, page + " invalid_redirect_uri"},
		{"another loopback address", []string{"redirect_uri", "http://127.0.0.2/back"}, page + " invalid_redirect_uri"},
		{"localhost for 127.0.0.1", []string{"redirect_uri", "http://localhost/back"}, page + " invalid_redirect_uri"},
		{"loopback in user information", []string{"redirect_uri", "http://127.0.0.1@mallory.example/back"}, page + " invalid_redirect_uri"},
		{"loopback in a host", []string{"redirect_uri", "http://127.0.0.1.mallory.example/back"}, page + " invalid_redirect_uri"},
		{"javascript", []string{"redirect_uri", "javascript:alert(1)"}, page + " invalid_redirect_uri"},
		{"another private scheme", []string{"redirect_uri", "com.example.other:/back"}, page + " invalid_redirect_uri"},
		{"a long state", []string{"state", strings.Repeat("x", 4000)}, page + " bad_request"},

		{"no response type", []string{"response_type", "-"}, "unsupported_response_type"},
		{"the implicit flow", []string{"response_type", "token"}, "unsupported_response_type"},
		{"a hybrid flow", []string{"response_type", "code token"}, "unsupported_response_type"},
		{"response mode fragment", []string{"response_mode", "fragment"}, "invalid_request"},
		{"response mode form_post", []string{"response_mode", "form_post"}, "invalid_request"},
		{"a request object", []string{"request", "eyJhbGciOiJub25lIn0.e30."}, "request_not_supported"},
		{"a request URI", []string{"request_uri", "https://mallory.example/request"}, "request_not_supported"},
		{"no challenge", []string{"code_challenge", "-"}, "invalid_request"},
		{"no method", []string{"code_challenge_method", "-"}, "invalid_request"},
		{"neither", []string{"code_challenge_method", "-", "code_challenge", "-"}, "invalid_request"},
		{"method plain", []string{"code_challenge_method", "plain", "code_challenge", oauthVerifier}, "invalid_request"},
		{"method in lower case", []string{"code_challenge_method", "s256"}, "invalid_request"},
		{"a short challenge", []string{"code_challenge", "abc"}, "invalid_request"},
		{"a padded challenge", []string{"code_challenge", s256(oauthVerifier) + "="}, "invalid_request"},
		{"a challenge in base64", []string{"code_challenge", strings.Repeat("+", 43)}, "invalid_request"},
		{"an empty challenge", []string{"code_challenge", ""}, "invalid_request"},
		{"unknown scope", []string{"scope", "root"}, "invalid_scope"},
		{"one unknown scope", []string{"scope", "account:read root"}, "invalid_scope"},
		{"the scope of tokens", []string{"scope", "tokens:write"}, "invalid_scope"},
		{"moderation by a member", []string{"scope", "moderation"}, "invalid_scope"},
		{"scopes with a comma", []string{"scope", "account:read,listings:write"}, "invalid_scope"},
		{"another server", []string{"resource", "https://mallory.example/api/mcp"}, "invalid_target"},
		{"a server with the same prefix", []string{"resource", testSite.BaseURL + ".mallory.example/api/mcp"}, "invalid_target"},
		{"user information in the resource", []string{"resource", "https://secondlight.example@mallory.example/api/mcp"}, "invalid_target"},
		{"the server over http", []string{"resource", "http://secondlight.example/api/mcp"}, "invalid_target"},
		{"another path of the server", []string{"resource", testSite.BaseURL + "/api/listings"}, "invalid_target"},
		{"a resource with a fragment", []string{"resource", testSite.BaseURL + "/api/mcp#x"}, "invalid_target"},
		{"a relative resource", []string{"resource", "/api/mcp"}, "invalid_target"},
		{"an empty resource", []string{"resource", ""}, "invalid_target"},
	} {
		t.Run(c.name, func(t *testing.T) {
			query := s.request(c.changes...)
			resp, body := ann.authorize(t, query)
			back, err := url.Parse(resp.Header.Get("Location"))
			must(err)
			code, isPage := strings.CutPrefix(c.want, page+" ")
			switch {
			case c.want == shown:
				if resp.StatusCode != 200 || !consentField.MatchString(body) {
					t.Errorf("is %d to %q: %.600s", resp.StatusCode, back, body)
				}
			case isPage:
				if want := 400; resp.StatusCode != want || resp.Header.Get("Location") != "" || !strings.Contains(resp.Header.Get("Link"), "/errors/"+code+">") {
					t.Errorf("is %d to %q, %s: %.300s", resp.StatusCode, back, resp.Header.Get("Link"), body)
				}
			default:
				back, err = url.Parse(html.UnescapeString(linkBack.FindString(body)))
				must(err)
				q := back.Query()
				if resp.StatusCode != 400 || resp.Header.Get("Location") != "" || !strings.Contains(body, "Continue to chat.example") || back.Scheme+"://"+back.Host+back.Path != oauthRedirect || q.Get("error") != c.want || q.Get("iss") != testSite.BaseURL ||
					q.Get("state") != query.Get("state") || q.Has("code") || q.Get("error_description") == "" {
					t.Errorf("is %d to %q", resp.StatusCode, back)
				}
			}
		})
	}
	for _, name := range []string{"client_id", "redirect_uri", "state", "scope", "code_challenge", "code_challenge_method", "response_type", "resource"} {
		t.Run("twice "+name, func(t *testing.T) {
			query := s.request()
			query.Add(name, query.Get(name))
			resp, body := ann.authorize(t, query)
			linked := name != "client_id" && name != "redirect_uri"
			if to := linkBack.FindString(body); linked != strings.Contains(to, "error=") || resp.StatusCode != 400 || resp.Header.Get("Location") != "" {
				t.Errorf("is %d to %q, with a link to %q", resp.StatusCode, resp.Header.Get("Location"), to)
			}
		})
	}
	t.Run("signs in first", func(t *testing.T) {
		target := "/oauth/authorize?" + s.request().Encode()
		for _, header := range [][]string{nil, {"Cookie", s.SessionCookie() + "=unknown"}, {"Authorization", "Bearer " + ann.token}} {
			resp, _ := s.do(t, "GET", target, append([]string{"Accept", "text/html"}, header...)...)
			if to := resp.Header.Get("Location"); resp.StatusCode != 303 || to != "/sign-in?next="+url.QueryEscape(target) || resp.Header.Get("Cross-Origin-Opener-Policy") != "unsafe-none" {
				t.Errorf("with %v is %d to %q", header, resp.StatusCode, to)
			}
		}
		resp, body := s.do(t, "GET", "/sign-in?next="+url.QueryEscape(target), "Accept", "text/html")
		if resp.StatusCode != 200 || resp.Header.Get("Cross-Origin-Opener-Policy") != "unsafe-none" || !strings.Contains(body, `name="next" value="/oauth/authorize?client_id=`) {
			t.Errorf("the sign-in page is %d: %.600s", resp.StatusCode, body)
		}
		form := url.Values{"email": {"ann@example.org"}, "password": {"correct horse battery ann"}, "next": {target}}
		resp, _ = s.send(t, "POST", "/sign-in", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
		if resp.StatusCode != 303 || resp.Header.Get("Location") != target || resp.Header.Get("Cross-Origin-Opener-Policy") != "unsafe-none" {
			t.Errorf("signing in is %d to %q", resp.StatusCode, resp.Header.Get("Location"))
		}
	})
}

// TestNobodyIsSentAway tests that no address of the site redirects to another one that a
// link or a form names, whoever follows it: neither by parameters, paths and header fields,
// nor to a client that somebody registered.
func TestNobodyIsSentAway(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newOAuthTest(t)
	ann, olga := s.join(t, "ann", models.RoleMember), s.join(t, "olga", models.RoleOperator)
	redirects := 0
	for _, evil := range []string{"https://evil.example/cb", "//evil.example/cb", `/\evil.example/cb`} {
		s.clientID = s.register(t, `{"redirect_uris":["https://evil.example/cb"]}`)
		query := s.request("redirect_uri", evil, "response_type", "bogus")
		for _, name := range []string{"next", "url", "to", "return", "return_to", "redirect", "redirect_to", "back", "from", "about", "id", "gear", "keyword", "email", "name", "code"} {
			query.Set(name, evil)
		}
		for _, route := range s.App().GetRoutes(true) {
			if route.Method != "GET" && route.Method != "POST" || route.Path == watch.EventsPath {
				continue
			}
			path := routeParameter.ReplaceAllString(strings.ReplaceAll(route.Path, "*", url.PathEscape(evil)), url.PathEscape(evil))
			for _, who := range []*testMember{nil, ann, olga} {
				header := []string{"Accept", "text/html", "Referer", evil, "X-Forwarded-Host", "evil.example", "Forwarded", "host=evil.example", "X-Original-URL", evil, "Sec-Fetch-Site", "same-origin"}
				if who != nil {
					header = append(header, "Cookie", who.cookie)
				}
				var resp *http.Response
				if route.Method == "GET" {
					resp, _ = s.do(t, "GET", path+"?"+query.Encode(), header...)
				} else {
					resp, _ = s.send(t, "POST", path, query.Encode(), append(header, "Content-Type", "application/x-www-form-urlencoded")...)
				}
				for _, name := range []string{"Location", "Refresh", "Content-Location"} {
					to := resp.Header.Get(name)
					u, err := url.Parse(to)
					if err != nil || u.Host != "" && !strings.HasPrefix(to, testSite.BaseURL+"/") || strings.HasPrefix(strings.ReplaceAll(to, `\`, "/"), "//") {
						t.Errorf("%s %s with %s: %s is %q", route.Method, route.Path, evil, name, to)
					}
				}
				if resp.Header.Get("Location") != "" {
					redirects++
				}
				if who != nil && resp.Header.Get("Set-Cookie") != "" {
					who.beginSession()
				}
			}
		}
	}
	if redirects < 100 {
		t.Errorf("only %d of the responses were redirects", redirects)
	}
}

var routeParameter = regexp.MustCompile(`:\w+`)

// TestConsentPage tests what the page says, and its header.
func TestConsentPage(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann, operator := s.join(t, "ann", models.RoleMember), s.join(t, "operator", models.RoleOperator)
	resp, body := ann.authorize(t, s.request())
	for _, want := range []string{"Connect Chat?", "<b>chat.example</b>", "ann", "Create, edit and end listings", "Read your listings", "19 Feb 2027", "Apps choose their own names"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page doesn't say %q: %s", want, body)
		}
	}
	if strings.Contains(body, "Make and reply to offers") {
		t.Error("the page asks for more than the app does")
	}
	csp := resp.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "form-action 'self' https:;") || !strings.Contains(csp, "frame-ancestors 'none'") || !strings.Contains(csp, "script-src 'self'") {
		t.Errorf("the policy is %s", csp)
	}
	if resp.Header.Get("Cross-Origin-Opener-Policy") != "unsafe-none" || !strings.Contains(resp.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("the header is %v", resp.Header)
	}
	for redirect, want := range map[string]string{"http://127.0.0.1:5555/back": "form-action 'self' https: http://127.0.0.1:5555;", "com.example.app:/back": "form-action 'self' https: com.example.app:;"} {
		resp, body := ann.authorize(t, s.request("redirect_uri", redirect))
		if !strings.Contains(resp.Header.Get("Content-Security-Policy"), want) {
			t.Errorf("the policy for %s is %s", redirect, resp.Header.Get("Content-Security-Policy"))
		}
		if strings.HasPrefix(redirect, "http") && !strings.Contains(body, "runs on your computer") {
			t.Error("the page doesn't say that the app runs on the member's computer")
		}
	}
	// A name can neither be markup nor look like other text.
	s.clientID = s.register(t, `{"client_name":"<b>\u202eevil\u202c</b>\n\u0000 `+strings.Repeat("x", 100)+`","redirect_uris":["`+oauthRedirect+`"]}`)
	if _, body := ann.authorize(t, s.request()); !strings.Contains(body, "Connect &lt;b&gt;evil&lt;/b&gt; xxx") || strings.Contains(body, strings.Repeat("x", 61)) || strings.Contains(body, "\u202e") {
		t.Errorf("the page is %.900s", body)
	}
	s.clientID = s.register(t, `{"redirect_uris":["`+oauthRedirect+`"]}`)
	if _, body := ann.authorize(t, s.request()); !strings.Contains(body, "Connect chat.example?") {
		t.Error("an app without a name isn't called by its host")
	}
	if _, body := operator.authorize(t, s.request("scope", "moderation account:read")); !strings.Contains(body, "suspend members") {
		t.Error("an operator can't let an app moderate")
	}
	if _, body := ann.authorize(t, s.request("scope", "moderation account:read")); strings.Contains(body, "suspend members") || !strings.Contains(body, "Read your listings") {
		t.Error("a member is asked for moderation")
	}
}

// TestConsentDecisions tests who can answer the consent page, and how often.
func TestConsentDecisions(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	firstBrowser := ann.cookie
	ann.beginSession()
	form := []string{"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html"}
	with := func(more ...string) []string { return slices.Concat(form, more) }
	sameSite := func(more ...string) []string { return append(with("Sec-Fetch-Site", "same-origin"), more...) }
	allow := func(code string) string {
		return url.Values{"consent": {code}, "decision": {"allow"}, "scopes": {"", "account:read", "listings:write"}}.Encode()
	}
	for _, c := range []struct {
		name   string
		header []string
		body   func(code string) string
		status int
		want   string // the error's code, or what the Location has
	}{
		{"allowed", sameSite("Cookie", ann.cookie), allow, 303, "code=slc_"},
		{"allowed by an old browser", with("Cookie", ann.cookie, "Origin", testSite.BaseURL), allow, 303, "code=slc_"},
		{"denied", sameSite("Cookie", ann.cookie), func(code string) string { return "decision=deny&scopes=account:read&consent=" + code }, 303, "error=access_denied"},
		{"neither", sameSite("Cookie", ann.cookie), func(code string) string { return "scopes=account:read&consent=" + code }, 303, "error=access_denied"},
		{"both", sameSite("Cookie", ann.cookie), func(code string) string { return allow(code) + "&decision=deny" }, 303, "error=access_denied"},
		{"no scopes", sameSite("Cookie", ann.cookie), func(code string) string { return "decision=allow&scopes=&consent=" + code }, 303, "error=access_denied"},
		{"more scopes than asked", sameSite("Cookie", ann.cookie), func(code string) string { return "decision=allow&scopes=offers:write&consent=" + code }, 303, "error=access_denied"},
		{"cross-site", with("Cookie", ann.cookie, "Sec-Fetch-Site", "cross-site"), allow, 403, "cross_site"},
		{"same-site", with("Cookie", ann.cookie, "Sec-Fetch-Site", "same-site"), allow, 403, "cross_site"},
		{"another origin", with("Cookie", ann.cookie, "Origin", "https://mallory.example"), allow, 403, "cross_site"},
		{"origin null", with("Cookie", ann.cookie, "Origin", "null"), allow, 403, "cross_site"},
		{"no consent value", sameSite("Cookie", ann.cookie), func(string) string { return "decision=allow&scopes=account:read" }, 403, "consent_invalid"},
		{"an empty consent value", sameSite("Cookie", ann.cookie), func(string) string { return allow("") }, 403, "consent_invalid"},
		{"a wrong consent value", sameSite("Cookie", ann.cookie), func(code string) string { return allow(code[1:] + "x") }, 403, "consent_invalid"},
		{"two consent values", sameSite("Cookie", ann.cookie), func(code string) string { return allow(code) + "&consent=x" }, 403, "consent_invalid"},
		{"the consent of another member", sameSite("Cookie", bob.cookie), allow, 403, "consent_invalid"},
		{"the consent of another session", sameSite("Cookie", firstBrowser), allow, 403, "consent_invalid"},
		{"nobody", sameSite(), allow, 401, "unauthenticated"},
		{"a token", sameSite("Authorization", "Bearer "+ann.token), allow, 401, "unauthenticated"},
		{"JSON", []string{"Content-Type", "application/json", "Accept", "text/html", "Sec-Fetch-Site", "same-origin", "Cookie", ann.cookie},
			func(code string) string { return `{"decision":"allow","consent":"` + code + `"}` }, 415, "unsupported_media_type"},
		{"an unreadable body", sameSite("Cookie", ann.cookie), func(code string) string { return "consent=%zz" }, 400, "invalid_encoding"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := ann.consentCode(t, s.request())
			resp, body := s.send(t, "POST", "/oauth/authorize", c.body(code), c.header...)
			to := resp.Header.Get("Location")
			if resp.StatusCode != c.status || c.status == 303 && (!strings.HasPrefix(to, oauthRedirect+"?") || !strings.Contains(to, c.want)) ||
				c.status != 303 && (to != "" || !strings.Contains(resp.Header.Get("Link"), "/errors/"+c.want+">")) {
				t.Errorf("is %d to %q, want %d, %s: %.300s", resp.StatusCode, to, c.status, c.want, body)
			}
			if c.status == 303 {
				back, err := url.Parse(to)
				must(err)
				if q := back.Query(); q.Get("state") != oauthState || q.Get("iss") != testSite.BaseURL {
					t.Errorf("the client gets %v", q)
				}
				if resp, _ := s.send(t, "POST", "/oauth/authorize", allow(code), sameSite("Cookie", ann.cookie)...); resp.StatusCode != 403 {
					t.Errorf("the page was answered twice: %d to %q", resp.StatusCode, resp.Header.Get("Location"))
				}
			}
		})
	}
	t.Run("a request stays as it was shown", func(t *testing.T) {
		code := ann.consentCode(t, s.request())
		resp, _ := ann.post(t, "/oauth/authorize?redirect_uri=https://mallory.example/", allow(code)+"&redirect_uri=https://mallory.example/&client_id=x&state=y")
		if to := resp.Header.Get("Location"); !strings.HasPrefix(to, oauthRedirect+"?code=") || !strings.Contains(to, url.QueryEscape(oauthState)) {
			t.Errorf("goes to %q", to)
		}
	})
	t.Run("a redirect URI keeps its query", func(t *testing.T) {
		got := ann.allow(t, s.request("redirect_uri", "https://chat.example/with?query=1", "state", "-"), "account:read")
		if got.Get("query") != "1" || got.Get("code") == "" || got.Has("state") {
			t.Errorf("the client gets %v", got)
		}
	})
	t.Run("suspended", func(t *testing.T) {
		carl, operator := s.join(t, "carl", models.RoleMember), s.join(t, "operator", models.RoleOperator)
		code := carl.consentCode(t, s.request())
		_, err := s.store.Moderation.ModerateMember(context.Background(), operator.ID, carl.ID, true, "spam")
		must(err)
		if resp, _ := carl.post(t, "/oauth/authorize", allow(code)); resp.StatusCode != 401 {
			t.Errorf("a suspended member's old session allows an app with %d", resp.StatusCode)
		}
		carl.beginSession()
		if resp, body := carl.authorize(t, s.request()); resp.StatusCode != 400 || !strings.Contains(body, "error=access_denied") {
			t.Errorf("a suspended member is asked: %d: %.600s", resp.StatusCode, body)
		}
	})
	t.Run("email", func(t *testing.T) {
		due, err := s.store.Accounts.PersonalData(context.Background(), ann.ID)
		must(err)
		if !strings.Contains(fmt.Sprint(due), "An app was connected") {
			t.Error("the member is not notified")
		}
	})
}

// TestTokenRequests tests requests for tokens, each with a new code or refresh token.
func TestTokenRequests(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann := s.join(t, "ann", models.RoleMember)
	other := s.register(t, `{"client_name":"Other","redirect_uris":["`+oauthRedirect+`"]}`)
	for _, c := range []struct {
		name    string
		changes []string
		want    string // the error, "" for tokens
	}{
		{"valid", nil, ""},
		{"no redirect", []string{"redirect_uri", "-"}, ""},
		{"no resource", []string{"resource", "-"}, ""},
		{"resource with a slash", []string{"resource", testSite.BaseURL + "/api/mcp/"}, ""},
		{"an unknown field", []string{"client_secret", "x"}, ""},
		{"no grant type", []string{"grant_type", "-"}, "invalid_request"},
		{"the password grant", []string{"grant_type", "password", "username", "ann@example.org", "password", "correct horse battery ann"}, "unsupported_grant_type"},
		{"client credentials", []string{"grant_type", "client_credentials"}, "unsupported_grant_type"},
		{"the device grant", []string{"grant_type", "urn:ietf:params:oauth:grant-type:device_code"}, "unsupported_grant_type"},
		{"no client", []string{"client_id", "-"}, "invalid_request"},
		{"another client", []string{"client_id", other}, "invalid_grant"},
		{"an unknown client", []string{"client_id", "https://example.com/other.json"}, "invalid_grant"},
		{"no code", []string{"code", "-"}, "invalid_request"},
		{"an empty code", []string{"code", ""}, "invalid_request"},
		{"an unknown code", []string{"code", "slc_" + models.NewSecret()}, "invalid_grant"},
		{"a code that is not text", []string{"code", "\xff"}, "invalid_request"},
		{"a code with NUL", []string{"code", "\x00"}, "invalid_request"},
		{"no verifier", []string{"code_verifier", "-"}, "invalid_grant"},
		{"an empty verifier", []string{"code_verifier", ""}, "invalid_grant"},
		{"a wrong verifier", []string{"code_verifier", strings.Repeat("a", 43)}, "invalid_grant"},
		{"the challenge as verifier", []string{"code_verifier", s256(oauthVerifier)}, "invalid_grant"},
		{"a verifier in another case", []string{"code_verifier", strings.ToLower(oauthVerifier)}, "invalid_grant"},
		{"a verifier with a space", []string{"code_verifier", oauthVerifier + " "}, "invalid_grant"},
		{"a long verifier", []string{"code_verifier", strings.Repeat("a", 129)}, "invalid_grant"},
		{"another redirect", []string{"redirect_uri", "https://mallory.example/"}, "invalid_grant"},
		{"another registered redirect", []string{"redirect_uri", "http://127.0.0.1/back"}, "invalid_grant"},
		{"an empty resource", []string{"resource", ""}, "invalid_target"},
		{"another server", []string{"resource", "https://mallory.example/api/mcp"}, "invalid_target"},
		{"another resource of the server", []string{"resource", testSite.BaseURL + "/api/mcp/member"}, "invalid_target"},
		{"the whole site", []string{"resource", testSite.BaseURL}, "invalid_target"},
	} {
		t.Run("code: "+c.name, func(t *testing.T) {
			code := ann.code(t, s.request())
			status, fields := s.tokenCall(t, "/oauth/token", s.exchange(code, c.changes...))
			s.checkTokens(t, status, fields, c.want)
		})
	}
	for _, c := range []struct {
		name    string
		changes []string
		want    string
		spent   bool // whether the refresh token is of no use afterwards
	}{
		{"valid", nil, "", true},
		{"no resource", []string{"resource", "-"}, "", true},
		{"the same scopes", []string{"scope", "listings:write account:read"}, "", true},
		{"fewer scopes", []string{"scope", "account:read"}, "", true},
		{"offline access", []string{"scope", "account:read offline_access"}, "", true},
		{"more scopes", []string{"scope", "account:read offers:write"}, "invalid_scope", false},
		{"another scope", []string{"scope", "messages:write"}, "invalid_scope", false},
		{"the scope of tokens", []string{"scope", "tokens:write"}, "invalid_scope", false},
		{"moderation", []string{"scope", "moderation"}, "invalid_scope", false},
		{"an unknown scope", []string{"scope", "root"}, "invalid_scope", false},
		{"no client", []string{"client_id", "-"}, "invalid_request", false},
		{"another client", []string{"client_id", other}, "invalid_grant", false},
		{"another resource", []string{"resource", testSite.BaseURL + "/api/mcp/member"}, "invalid_target", false},
		{"another server", []string{"resource", "https://mallory.example"}, "invalid_target", false},
		{"no token", []string{"refresh_token", "-"}, "invalid_request", false},
		{"an unknown token", []string{"refresh_token", "slr_" + models.NewSecret() + "." + models.NewSecret()}, "invalid_grant", false},
		{"a token as code", []string{"grant_type", "authorization_code"}, "invalid_request", false},
	} {
		t.Run("refresh: "+c.name, func(t *testing.T) {
			_, token := s.connect(t, ann, "account:read listings:write")
			status, fields := s.tokenCall(t, "/oauth/token", s.refreshForm(token, c.changes...))
			s.checkTokens(t, status, fields, c.want)
			if i := slices.Index(c.changes, "scope"); i >= 0 && c.want == "" && fields["scope"] != strings.TrimSuffix(c.changes[i+1], " offline_access") {
				t.Errorf("the scopes are %v", fields["scope"])
			}
			if status, fields := s.tokenCall(t, "/oauth/token", s.refreshForm(token)); (status == 200) == c.spent {
				t.Errorf("the refresh token afterwards is %d: %v", status, fields)
			}
		})
	}
	for _, c := range []struct{ name, contentType, body string }{
		{"JSON", "application/json", `{"grant_type":"refresh_token"}`},
		{"no media type", "", "grant_type=refresh_token"},
		{"multipart", "multipart/form-data; boundary=x", "--x--"},
		{"nothing", "application/x-www-form-urlencoded", ""},
		{"bad escape", "application/x-www-form-urlencoded", "grant_type=%zz"},
		{"a field twice", "application/x-www-form-urlencoded", "grant_type=refresh_token&grant_type=refresh_token&client_id=x&refresh_token=y"},
		{"two resources", "application/x-www-form-urlencoded", "grant_type=refresh_token&client_id=x&refresh_token=y&resource=a&resource=b"},
	} {
		t.Run("body: "+c.name, func(t *testing.T) {
			resp, body := s.send(t, "POST", "/oauth/token", c.body, "Content-Type", c.contentType)
			if resp.StatusCode != 400 || !strings.Contains(body, `"error":"invalid_request"`) {
				t.Errorf("is %d: %s", resp.StatusCode, body)
			}
		})
	}
	t.Run("GET", func(t *testing.T) {
		for _, path := range []string{"/oauth/token", "/oauth/revoke", "/oauth/register"} {
			if resp, _ := s.do(t, "GET", path); resp.StatusCode != 405 {
				t.Errorf("%s is %d", path, resp.StatusCode)
			}
		}
	})
}

// checkTokens checks the response to a token request.
func (s *oauthTest) checkTokens(t *testing.T, status int, fields map[string]any, wantError string) {
	t.Helper()
	if wantError != "" {
		if status != 400 || fields["error"] != wantError || fields["error_description"] == "" || fields["access_token"] != nil {
			t.Errorf("is %d, want %s: %v", status, wantError, fields)
		}
		return
	}
	if status != 200 || fields["token_type"] != "Bearer" || fields["expires_in"] != 3600.0 || fields["scope"] == "" || !s.works(t, fmt.Sprint(fields["access_token"])) {
		t.Errorf("is %d: %v", status, fields)
	}
}

// TestReuse tests that what was used twice ends the access of both users.
func TestReuse(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann := s.join(t, "ann", models.RoleMember)
	t.Run("code", func(t *testing.T) {
		code := ann.code(t, s.request())
		_, first := s.tokenCall(t, "/oauth/token", s.exchange(code))
		status, again := s.tokenCall(t, "/oauth/token", s.exchange(code))
		s.checkTokens(t, status, again, "invalid_grant")
		if s.works(t, first["access_token"].(string)) {
			t.Error("the access token works after the code was used again")
		}
		status, refreshed := s.tokenCall(t, "/oauth/token", s.refreshForm(first["refresh_token"].(string)))
		s.checkTokens(t, status, refreshed, "invalid_grant")
	})
	t.Run("code after a wrong verifier", func(t *testing.T) {
		code := ann.code(t, s.request())
		s.tokenCall(t, "/oauth/token", s.exchange(code, "code_verifier", strings.Repeat("x", 43)))
		status, fields := s.tokenCall(t, "/oauth/token", s.exchange(code))
		s.checkTokens(t, status, fields, "invalid_grant")
	})
	t.Run("refresh token", func(t *testing.T) {
		access, refresh := s.connect(t, ann, "account:read")
		_, second := s.tokenCall(t, "/oauth/token", s.refreshForm(refresh))
		if !s.works(t, access) {
			t.Error("a refresh ends the access token that is in use")
		}
		status, fields := s.tokenCall(t, "/oauth/token", s.refreshForm(refresh))
		s.checkTokens(t, status, fields, "invalid_grant")
		status, fields = s.tokenCall(t, "/oauth/token", s.refreshForm(second["refresh_token"].(string)))
		s.checkTokens(t, status, fields, "invalid_grant")
		if s.works(t, access) || s.works(t, second["access_token"].(string)) {
			t.Error("an access token works after a refresh token was used again")
		}
	})
	t.Run("one grant ends, not the other", func(t *testing.T) {
		access, _ := s.connect(t, ann, "account:read")
		code := ann.code(t, s.request())
		s.tokenCall(t, "/oauth/token", s.exchange(code))
		s.tokenCall(t, "/oauth/token", s.exchange(code))
		if !s.works(t, access) {
			t.Error("another connection of the member ended")
		}
	})
}

// TestMixUp tests that tokens, codes and secrets are of use only as what they are.
func TestMixUp(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann := s.join(t, "ann", models.RoleMember)
	access, refresh := s.connect(t, ann, "account:read")
	code := ann.code(t, s.request())
	_, session, _ := strings.Cut(ann.cookie, "=")
	for name, secret := range map[string]string{"refresh token": refresh, "code": code, "session": session} {
		if s.works(t, secret) {
			t.Errorf("a %s works as an access token", name)
		}
	}
	for name, secret := range map[string]string{"access token": access, "code": code, "personal token": ann.token, "session": session} {
		if status, fields := s.tokenCall(t, "/oauth/token", s.refreshForm(secret)); status != 400 {
			t.Errorf("a %s works as a refresh token: %v", name, fields)
		}
	}
	if resp, _ := s.do(t, "GET", "/account", "Cookie", s.SessionCookie()+"="+access, "Accept", "text/html"); resp.StatusCode != 303 {
		t.Errorf("an access token works as a session: %d", resp.StatusCode)
	}

	// A token of another server with a copy of the database is not accepted.
	by, err := s.store.Accounts.Session(context.Background(), session)
	must(err)
	for resource, want := range map[string]bool{testSite.BaseURL: true, testSite.BaseURL + "/api/mcp": true, testSite.BaseURL + "/api": true,
		"https://old.example": false, "https://old.example/api/mcp": false, testSite.BaseURL + ".old.example": false, testSite.BaseURL + "/other": false} {
		code, err := s.store.Tokens.CreateGrant(context.Background(), by, &models.Grant{ClientID: s.clientID, Scopes: models.DefaultScopes, Resource: resource, Challenge: s256(oauthVerifier)})
		must(err)
		tokens, err := s.store.Tokens.ExchangeCode(context.Background(), &models.TokenRequest{Secret: code, ClientID: s.clientID, Verifier: oauthVerifier})
		must(err)
		if got := s.works(t, tokens.Access); got != want {
			t.Errorf("a token for %s works: %v", resource, got)
		}
	}

	// A token does no more than its scopes, and cannot manage credentials.
	for _, c := range []struct {
		method, path string
		want         int
	}{{"GET", "/api/me", 200}, {"GET", "/api/offers", 200}, {"POST", "/api/listings", 403}, {"GET", "/api/tokens", 403}, {"POST", "/api/tokens", 403}, {"GET", "/api/connections", 403}, {"GET", "/api/reports", 403}} {
		resp, body := s.send(t, c.method, c.path, "{}", "Authorization", "Bearer "+access, "Content-Type", "application/json")
		if resp.StatusCode != c.want {
			t.Errorf("%s %s is %d: %.200s", c.method, c.path, resp.StatusCode, body)
		}
	}
}

func TestRevocation(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann := s.join(t, "ann", models.RoleMember)
	other := s.register(t, `{"redirect_uris":["`+oauthRedirect+`"]}`)
	for _, c := range []struct {
		name            string
		form            func(access, refresh string) url.Values
		status          int
		access, refresh bool // whether they work afterwards
	}{
		{"refresh token", func(_, r string) url.Values { return url.Values{"token": {r}, "client_id": {s.clientID}} }, 200, false, false},
		{"with a hint", func(_, r string) url.Values {
			return url.Values{"token": {r}, "client_id": {s.clientID}, "token_type_hint": {"refresh_token"}}
		}, 200, false, false},
		{"with a wrong hint", func(a, _ string) url.Values {
			return url.Values{"token": {a}, "client_id": {s.clientID}, "token_type_hint": {"refresh_token"}}
		}, 200, false, true},
		{"access token", func(a, _ string) url.Values { return url.Values{"token": {a}, "client_id": {s.clientID}} }, 200, false, true},
		{"another client", func(_, r string) url.Values { return url.Values{"token": {r}, "client_id": {other}} }, 400, true, true},
		{"another client's access token", func(a, _ string) url.Values { return url.Values{"token": {a}, "client_id": {other}} }, 400, true, true},
		{"no client", func(_, r string) url.Values { return url.Values{"token": {r}} }, 400, true, true},
		{"no token", func(_, _ string) url.Values { return url.Values{"client_id": {s.clientID}} }, 400, true, true},
		{"unknown token", func(_, _ string) url.Values { return url.Values{"token": {"x"}, "client_id": {s.clientID}} }, 200, true, true},
		{"a personal token", func(_, _ string) url.Values { return url.Values{"token": {ann.token}, "client_id": {s.clientID}} }, 200, true, true},
		{"a token twice", func(a, r string) url.Values { return url.Values{"token": {a, r}, "client_id": {s.clientID}} }, 400, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			access, refresh := s.connect(t, ann, "account:read")
			if status, fields := s.tokenCall(t, "/oauth/revoke", c.form(access, refresh)); status != c.status {
				t.Errorf("is %d: %v", status, fields)
			}
			if got := s.works(t, access); got != c.access {
				t.Errorf("the access token works: %v", got)
			}
			if status, _ := s.tokenCall(t, "/oauth/token", s.refreshForm(refresh)); (status == 200) != c.refresh {
				t.Errorf("the refresh token is %d", status)
			}
		})
	}
	if !s.works(t, ann.token) {
		t.Error("a personal token was revoked")
	}
}

func TestRegistration(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	redirects := func(list ...string) string {
		text, err := json.Marshal(map[string]any{"redirect_uris": list})
		must(err)
		return string(text)
	}
	many := make([]string, 21)
	for i := range many {
		many[i] = "https://chat.example/" + strconv.Itoa(i)
	}
	for _, c := range []struct{ name, body, want string }{
		{"https", redirects("https://chat.example/back"), ""},
		{"loopback", redirects("http://127.0.0.1:3000/back", "http://localhost/back", "http://[::1]/back"), ""},
		{"private schemes", redirects("com.example.app:/back", "cursor://anysphere.cursor-retrieval/oauth/callback", "vscode://publisher.extension/auth"), ""},
		{"twenty", redirects(many[:20]...), ""},
		{"unknown metadata", `{"redirect_uris":["https://chat.example/back"],"logo_uri":"https://chat.example/logo","scope":"x","software_id":"y","jwks":{"keys":[]}}`, ""},
		{"with a secret", `{"redirect_uris":["https://chat.example/back"],"token_endpoint_auth_method":"client_secret_basic"}`, ""},
		{"with an id of its own", `{"client_id":"mine","redirect_uris":["https://chat.example/back"]}`, ""},
		{"both grants", `{"redirect_uris":["https://chat.example/back"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"]}`, ""},
		{"no redirects", `{"client_name":"x"}`, "invalid_redirect_uri"},
		{"an empty list", redirects(), "invalid_redirect_uri"},
		{"too many", redirects(many...), "invalid_redirect_uri"},
		{"an empty redirect", redirects(""), "invalid_redirect_uri"},
		{"a relative one", redirects("/back"), "invalid_redirect_uri"},
		{"javascript", redirects("javascript:alert(1)"), "invalid_redirect_uri"},
		{"javascript after a good one", redirects("https://chat.example/back", "javascript://chat.example/%0aalert(1)"), "invalid_redirect_uri"},
		{"JavaScript in capitals", redirects("JavaScript:alert(1)"), "invalid_redirect_uri"},
		{"data", redirects("data:text/html,<script>"), "invalid_redirect_uri"},
		{"file", redirects("file:///etc/passwd"), "invalid_redirect_uri"},
		{"http", redirects("http://chat.example/back"), "invalid_redirect_uri"},
		{"http on a private network", redirects("http://192.168.1.1/back"), "invalid_redirect_uri"},
		{"a fragment", redirects("https://chat.example/back#x"), "invalid_redirect_uri"},
		{"an empty fragment", redirects("https://chat.example/back#"), "invalid_redirect_uri"},
		{"user information", redirects("https://ann:secret@chat.example/back"), "invalid_redirect_uri"},
		{"a wildcard", redirects("https://*"), ""}, // is a host like others, and matches itself alone
		{"a space", redirects("https://chat.example/a b"), "invalid_redirect_uri"},
		{"a line break", redirects("https://chat.example/\r\nX: y"), "invalid_redirect_uri"},
		{"a long one", redirects("https://chat.example/" + strings.Repeat("x", 500)), "invalid_redirect_uri"},
		{"the implicit grant", `{"redirect_uris":["https://chat.example/back"],"grant_types":["implicit"]}`, "invalid_client_metadata"},
		{"the implicit response", `{"redirect_uris":["https://chat.example/back"],"response_types":["token"]}`, "invalid_client_metadata"},
		{"a string for the list", `{"redirect_uris":"https://chat.example/back"}`, "invalid_client_metadata"},
		{"numbers", `{"redirect_uris":[1]}`, "invalid_client_metadata"},
		{"a list", `[]`, "invalid_client_metadata"},
		{"nothing", ``, "invalid_client_metadata"},
		{"no JSON", `redirect_uris=https://chat.example/back`, "invalid_client_metadata"},
		{"huge", `{"redirect_uris":["https://chat.example/back"],"client_name":"` + strings.Repeat("x", 17<<10) + `"}`, "invalid_client_metadata"},
		{"deep", strings.Repeat("[", 16000), "invalid_client_metadata"},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, body := s.send(t, "POST", "/oauth/register", c.body, "Content-Type", "application/json")
			var fields map[string]any
			must(json.Unmarshal([]byte(body), &fields))
			switch {
			case c.want != "" && (resp.StatusCode != 400 || fields["error"] != c.want):
				t.Errorf("is %d, want %s: %s", resp.StatusCode, c.want, body)
			case c.want == "" && (resp.StatusCode != 201 || fields["token_endpoint_auth_method"] != "none" || fields["client_secret"] != nil || fields["client_id"] == "mine" || fields["client_id_issued_at"] == nil):
				t.Errorf("is %d: %s", resp.StatusCode, body)
			}
		})
	}
	t.Run("rate limit", func(t *testing.T) {
		s := newMarketServer(t, func(cfg *Config) { cfg.RateLimit = 100 })
		accepted := 0
		for range 30 {
			resp, _ := s.send(t, "POST", "/oauth/register", redirects("https://chat.example/back"), "Content-Type", "application/json")
			if resp.StatusCode == 201 {
				accepted++
			} else if resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
				t.Fatalf("is %d", resp.StatusCode)
			}
		}
		if accepted != 20 {
			t.Errorf("%d registrations in a minute", accepted)
		}
	})
	t.Run("cross-site", func(t *testing.T) {
		resp, _ := s.send(t, "POST", "/oauth/register", redirects("https://chat.example/back"), "Content-Type", "application/json", "Sec-Fetch-Site", "cross-site")
		if resp.StatusCode != 403 {
			t.Errorf("is %d", resp.StatusCode)
		}
	})
}

// documentHost serves metadata documents over HTTPS as example.com.
type documentHost struct {
	*httptest.Server
	mu    sync.Mutex
	serve func(http.ResponseWriter, *http.Request)
	hits  atomic.Int32
}

func newDocumentHost(t *testing.T) *documentHost {
	h := &documentHost{}
	h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.hits.Add(1)
		h.mu.Lock()
		serve := h.serve
		h.mu.Unlock()
		serve(w, r)
	}))
	h.StartTLS()
	t.Cleanup(h.Close)
	return h
}

// id returns the address of a document on the host.
func (h *documentHost) id(path string) string {
	return "https://example.com:" + h.URL[strings.LastIndex(h.URL, ":")+1:] + path
}

// document makes the host send a document, with $ID for its address.
func (h *documentHost) document(id, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.serve = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, strings.ReplaceAll(text, "$ID", id))
	}
}

// loopbackResolver resolves every name to this machine.
type loopbackResolver struct{}

func (loopbackResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if host == "private.example.com" {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// guard returns a guard that allows the host and nothing else.
func (h *documentHost) guard() *delivery.Guard {
	roots := x509.NewCertPool()
	roots.AddCert(h.Certificate())
	return &delivery.Guard{Resolver: loopbackResolver{}, Roots: roots, Allow: func(to netip.AddrPort) bool {
		return to.Addr().IsLoopback() && strings.HasSuffix(h.URL, fmt.Sprint(":", to.Port()))
	}}
}

// TestClientDocuments tests the documents of real clients, and hostile ones.
func TestClientDocuments(t *testing.T) {
	t.Parallel()
	host := newDocumentHost(t)
	s := newOAuthTest(t, func(cfg *Config) { cfg.Webhooks = host.guard() })
	ann := s.join(t, "ann", models.RoleMember)

	for file, redirects := range map[string][]string{
		"claude.json":  {"https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback", "http://localhost:53682/callback"},
		"chatgpt.json": {"https://chatgpt.com/connector_platform_oauth_redirect"},
		"vscode.json":  {"http://127.0.0.1:33418/", "http://127.0.0.1:51000/", "https://vscode.dev/redirect"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata/oauth", file))
		must(err)
		for i, redirect := range redirects {
			t.Run(fmt.Sprint(file, " ", i), func(t *testing.T) {
				id := regexp.MustCompile(`https://example.com(/[^"]*)`).FindSubmatch(text)
				s := *s
				s.clientID = host.id(string(id[1]))
				host.document(s.clientID, strings.Replace(string(text), string(id[0]), s.clientID, 1))
				q := s.request("redirect_uri", redirect)
				_, page := ann.authorize(t, q)
				if !strings.Contains(page, "<b>example.com</b> wants") {
					t.Errorf("the page doesn't name the host: %.900s", page)
				}
				status, fields := s.tokenCall(t, "/oauth/token", s.exchange(ann.code(t, q), "redirect_uri", redirect))
				s.checkTokens(t, status, fields, "")
				status, fields = s.tokenCall(t, "/oauth/token", s.refreshForm(fields["refresh_token"].(string)))
				s.checkTokens(t, status, fields, "")
			})
		}
	}

	const good = `{"client_id":"$ID","client_name":"Chat","redirect_uris":["` + oauthRedirect + `"]}`
	variant := func(fields string) string { return strings.Replace(good, "}", ","+fields+"}", 1) }
	send := func(status int, contentType, body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	for i, c := range []struct {
		name, text string
		serve      func(http.ResponseWriter, *http.Request)
		ok         bool
	}{
		{name: "the least", text: good, ok: true},
		{name: "none", text: variant(`"token_endpoint_auth_method":"none"`), ok: true},
		{name: "prefers a key and supports none", text: variant(`"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_methods_supported":["private_key_jwt","none"]`), ok: true},
		{name: "unknown fields", text: variant(`"policy_uri":"https://x","contacts":["a"],"x":{"y":[1]}`), ok: true},
		{name: "only a key", text: variant(`"token_endpoint_auth_method":"private_key_jwt"`)},
		{name: "a key and secrets", text: variant(`"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_post"]`)},
		{name: "a secret", text: variant(`"client_secret":"x"`)},
		{name: "a method with a secret", text: variant(`"token_endpoint_auth_method":"client_secret_basic"`)},
		{name: "another client_id", text: strings.Replace(good, "$ID", "https://claude.ai/client.json", 1)},
		{name: "a client_id with a query", text: strings.Replace(good, "$ID", "$ID?x", 1)},
		{name: "no client_id", text: `{"redirect_uris":["` + oauthRedirect + `"]}`},
		{name: "no redirects", text: `{"client_id":"$ID"}`},
		{name: "another redirect", text: strings.Replace(good, oauthRedirect, "https://other.example/", 1)},
		{name: "a javascript redirect", text: strings.Replace(good, oauthRedirect, "javascript:alert(1)", 1)},
		{name: "a javascript redirect beside a good one", text: strings.Replace(good, `"`+oauthRedirect+`"`, `"`+oauthRedirect+`","javascript:alert(1)"`, 1)},
		{name: "a redirect with a fragment", text: strings.Replace(good, oauthRedirect, oauthRedirect+"#x", 1)},
		{name: "an http redirect", text: strings.Replace(good, oauthRedirect, "http://chat.example/callback", 1)},
		{name: "the implicit grant", text: variant(`"grant_types":["implicit"]`)},
		{name: "the wrong types", text: strings.Replace(good, `["`+oauthRedirect+`"]`, `"`+oauthRedirect+`"`, 1)},
		{name: "a list", text: `[` + good + `]`},
		{name: "no JSON", text: `<html>`},
		{name: "half of it", text: good[:40]},
		{name: "two documents", text: good + good},
		{name: "nothing", text: ``},
		{name: "HTML", serve: send(200, "text/html", good)},
		{name: "404", serve: send(404, "application/json", good)},
		{name: "500", serve: send(500, "application/json", good)},
		{name: "204", serve: send(204, "application/json", "")},
		{name: "huge", serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"x":"`)
			for range 1000 {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		}},
		{name: "a huge header", serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("X", strings.Repeat("x", 64<<10))
		}},
		{name: "a redirect to itself", serve: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }},
		{name: "a redirect to a private host", serve: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusTemporaryRedirect)
		}},
		{name: "a redirect to the document of another", serve: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://claude.ai/oauth/claude-code-client-metadata", http.StatusMovedPermanently)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := host.id("/client-" + strconv.Itoa(i) + ".json")
			host.document(id, c.text)
			if c.serve != nil {
				host.mu.Lock()
				host.serve = func(w http.ResponseWriter, r *http.Request) {
					c.serve(w, r)
				}
				host.mu.Unlock()
			}
			before := host.hits.Load()
			resp, body := ann.authorize(t, s.request("client_id", id))
			switch {
			case c.ok && (resp.StatusCode != 200 || !strings.Contains(body, "Connect Chat?")):
				t.Errorf("is %d: %.600s", resp.StatusCode, body)
			case !c.ok && (resp.StatusCode != 400 || resp.Header.Get("Location") != "" || strings.Contains(body, "169.254")):
				t.Errorf("is %d to %q: %.600s", resp.StatusCode, resp.Header.Get("Location"), body)
			}
			if hits := host.hits.Load() - before; hits != 1 {
				t.Errorf("the host got %d requests", hits)
			}
			ann.authorize(t, s.request("client_id", id))
			if hits := host.hits.Load() - before; hits != 1 {
				t.Error("neither documents nor failures are cached")
			}
		})
	}

	hits := host.hits.Load()
	for name, id := range map[string]string{
		"http": strings.Replace(host.id("/x.json"), "https", "http", 1), "no path": host.id(""), "only a slash": host.id("/"), "a fragment": host.id("/x.json#y"),
		"user information": strings.Replace(host.id("/x.json"), "https://", "https://jane@", 1), "dots": host.id("/a/../x.json"), "a private name": "https://private.example.com/x.json",
		"a private address": "https://10.0.0.1/x.json", "loopback": "https://127.0.0.1/x.json", "localhost": "https://localhost/x.json", "metadata": "https://169.254.169.254/latest.json",
		"IPv6 loopback": "https://[::1]/x.json", "a number": "https://2130706433/x.json", "another port": "https://example.com:6379/x.json", "file": "file:///etc/passwd", "javascript": "javascript:alert(1)",
		"data": "data:application/json,{}", "this server": testSite.BaseURL + "/client.json", "a space": host.id("/a b.json"), "a backslash": host.id(`/\x.json`),
		"a long one": host.id("/" + strings.Repeat("x", 500)), "a certificate of another": strings.Replace(host.id("/x.json"), "example.com", "other.example", 1),
	} {
		t.Run(name, func(t *testing.T) {
			resp, body := ann.authorize(t, s.request("client_id", id))
			if resp.StatusCode != 400 || resp.Header.Get("Location") != "" || !strings.Contains(resp.Header.Get("Link"), "/errors/invalid_client>") {
				t.Errorf("%s is %d: %.600s", id, resp.StatusCode, body)
			}
		})
	}
	if got := host.hits.Load(); got != hits {
		t.Errorf("the host got %d requests", got-hits)
	}

	t.Run("slow", func(t *testing.T) {
		released := make(chan struct{})
		defer close(released)
		host.mu.Lock()
		host.serve = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, "{")
			w.(http.Flusher).Flush()
			<-released
		}
		host.mu.Unlock()
		start := time.Now()
		resp, _ := ann.authorize(t, s.request("client_id", host.id("/slow.json")))
		if took := time.Since(start); resp.StatusCode != 400 || took > 10*time.Second {
			t.Errorf("is %d after %v", resp.StatusCode, took)
		}
	})
	t.Run("slow hosts of one member", func(t *testing.T) {
		released, started := make(chan struct{}), make(chan struct{}, 10)
		host.mu.Lock()
		host.serve = func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/tarpit") {
				started <- struct{}{}
				<-released
				return
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, strings.ReplaceAll(good, "$ID", host.id(r.URL.Path)))
		}
		host.mu.Unlock()
		mallory, bob := s.join(t, "mallory", models.RoleMember), s.join(t, "bob", models.RoleMember)
		var all sync.WaitGroup
		all.Go(func() { mallory.authorize(t, s.request("client_id", host.id("/tarpit.json"))) })
		<-started
		for i := range 10 {
			if resp, _ := mallory.authorize(t, s.request("client_id", host.id(fmt.Sprint("/tarpit", i, ".json")))); resp.StatusCode != 429 {
				t.Errorf("another document for the same member is %d", resp.StatusCode)
			}
		}
		if resp, _ := bob.authorize(t, s.request("client_id", host.id("/quick.json"))); resp.StatusCode != 200 {
			t.Errorf("a document for another member is %d", resp.StatusCode)
		}
		close(released)
		all.Wait()
	})
	t.Run("nobody makes the server fetch", func(t *testing.T) {
		before := host.hits.Load()
		resp, _ := s.do(t, "GET", "/oauth/authorize?"+s.request("client_id", host.id("/new.json")).Encode(), "Accept", "text/html")
		if resp.StatusCode != 303 || host.hits.Load() != before {
			t.Errorf("is %d", resp.StatusCode)
		}
	})
	t.Run("asked for at once", func(t *testing.T) {
		id := host.id("/busy.json")
		host.document(id, good)
		before := host.hits.Load()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { ann.authorize(t, s.request("client_id", id)) })
		}
		all.Wait()
		if hits := host.hits.Load() - before; hits != 1 {
			t.Errorf("the host got %d requests", hits)
		}
	})
}

// TestMCPChallenges tests what a client without the needed token is asked for.
func TestMCPChallenges(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann := s.join(t, "ann", models.RoleMember)
	access, _ := s.connect(t, ann, "account:read")
	call := func(tool string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`
	}
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	const metadata = `resource_metadata="https://secondlight.example/.well-known/oauth-protected-resource/api/mcp`
	for _, c := range []struct {
		name, path, token, body string
		status                  int
		challenge               string // what it has besides metadata; "" for none
	}{
		{"initialize", "/api/mcp", "", initialize, 200, ""},
		{"list", "/api/mcp", "", list, 200, ""},
		{"a public tool", "/api/mcp", "", call("find_gear"), 200, ""},
		{"a member tool", "/api/mcp", "", call("read_offers"), 401, `", scope="listings:write offers:write messages:write watch:write account:read"`},
		{"a tool that writes", "/api/mcp", "", call("publish_listing"), 401, `", scope="listings:write offers:write messages:write watch:write account:read"`},
		{"a tool of operators", "/api/mcp", "", call("read_moderation"), 401, `", scope="listings:write offers:write messages:write watch:write account:read moderation"`},
		{"an unknown tool", "/api/mcp", "", call("nonsense"), 200, ""},
		{"a wrong token", "/api/mcp", "sl_x", call("read_offers"), 401, `", error="invalid_token"`},
		{"a wrong token for a public tool", "/api/mcp", "sl_x", call("find_gear"), 401, `", error="invalid_token"`},
		{"the scope", "/api/mcp", access, call("read_offers"), 200, ""},
		{"another scope", "/api/mcp", access, call("publish_listing"), 403, `", error="insufficient_scope", scope="account:read listings:write"`},
		{"a public tool with a token", "/api/mcp", access, call("find_gear"), 200, ""},
		{"every scope", "/api/mcp", ann.token, call("publish_listing"), 200, ""},
		{"members: initialize", "/api/mcp/member", "", initialize, 401, `/member", scope="listings:write offers:write messages:write watch:write account:read"`},
		{"members: list", "/api/mcp/member", "", list, 401, `/member", scope="listings:write offers:write`},
		{"members: a public tool", "/api/mcp/member", "", call("find_gear"), 401, `/member", scope="listings:write offers:write`},
		{"members: a member tool", "/api/mcp/member", "", call("read_offers"), 401, `/member", scope="listings:write offers:write messages:write watch:write account:read"`},
		{"members: no message", "/api/mcp/member", "", "{", 401, `/member", scope=`},
		{"members: initialize with a token", "/api/mcp/member", access, initialize, 200, ""},
		{"members: a public tool with a token", "/api/mcp/member", access, call("find_gear"), 200, ""},
		{"members: the scope", "/api/mcp/member", access, call("read_offers"), 200, ""},
		{"members: another scope", "/api/mcp/member", access, call("make_offer"), 403, `/member", error="insufficient_scope", scope="account:read offers:write"`},
		{"members: a wrong token", "/api/mcp/member", "sl_x", initialize, 401, `/member", error="invalid_token"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}
			if c.token != "" {
				header = append(header, "Authorization", "Bearer "+c.token)
			}
			resp, body := s.send(t, "POST", c.path, c.body, header...)
			challenge := resp.Header.Get("WWW-Authenticate")
			if resp.StatusCode != c.status || c.challenge == "" && challenge != "" || c.challenge != "" && !strings.Contains(challenge, metadata+c.challenge) {
				t.Errorf("is %d with %q: %.300s", resp.StatusCode, challenge, body)
			}
			var message struct {
				ID     int `json:"id"`
				Result struct {
					IsError bool           `json:"isError"`
					Meta    map[string]any `json:"_meta"`
					Content []any          `json:"content"`
				} `json:"result"`
			}
			if c.status != 200 && strings.Contains(c.body, "tools/call") && !strings.Contains(challenge, "invalid_token") && !strings.Contains(c.body, "find_gear") {
				if err := json.Unmarshal([]byte(body), &message); err != nil || message.ID != 7 || !message.Result.IsError || len(message.Result.Content) == 0 ||
					fmt.Sprint(message.Result.Meta["mcp/www_authenticate"]) != "["+challenge+"]" {
					t.Errorf("the result is %s", body)
				}
			}
		})
	}
	for path, want := range map[string]string{"/api/me": testSite.BaseURL + "/.well-known/oauth-protected-resource\"", "/api/offers": "oauth-protected-resource\""} {
		resp, _ := s.do(t, "GET", path)
		if challenge := resp.Header.Get("WWW-Authenticate"); resp.StatusCode != 401 || !strings.Contains(challenge, want) {
			t.Errorf("%s is %d with %q", path, resp.StatusCode, challenge)
		}
	}
}

// TestConnections tests the page and the API of the apps a member connected, and what
// ends them.
func TestConnections(t *testing.T) {
	t.Parallel()
	s := newOAuthTest(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	access, refresh := s.connect(t, ann, "account:read")
	list := ann.ask(t, "GET", "/api/connections", "", 200)["connections"].([]any)
	if len(list) != 1 {
		t.Fatalf("the connections are %v", list)
	}
	connection := list[0].(map[string]any)
	if connection["app"] != "Chat" || connection["host"] != "chat.example" || fmt.Sprint(connection["scopes"]) != "[account:read]" || connection["expires_at"] != "2027-02-19T09:00:00Z" {
		t.Errorf("the connection is %v", connection)
	}
	if tokens := ann.ask(t, "GET", "/api/tokens", "", 200)["tokens"].([]any); len(tokens) != 1 {
		t.Errorf("access tokens are among %v", tokens)
	}
	page := ann.read(t, "/account/connections")
	id := connection["id"].(string)
	if !strings.Contains(page, "Chat") || !strings.Contains(page, "Read your listings") || !strings.Contains(page, `action="/account/connections/`+id+`/end"`) {
		t.Errorf("the page is %s", page)
	}
	if other := bob.ask(t, "GET", "/api/connections", "", 200)["connections"].([]any); len(other) != 0 {
		t.Errorf("another member sees %v", other)
	}
	if resp, _ := bob.post(t, "/account/connections/"+id+"/end", ""); resp.StatusCode != 404 {
		t.Errorf("another member ends it with %d", resp.StatusCode)
	}
	bob.ask(t, "DELETE", "/api/connections/"+id, "", 404)
	if export := ann.read(t, "/account/export"); !strings.Contains(export, "Apps you connected") {
		t.Error("the personal data lacks the connection")
	}
	if resp, _ := ann.post(t, "/account/connections/"+id+"/end", ""); resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/connections" {
		t.Errorf("it ends with %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	if status, _ := s.tokenCall(t, "/oauth/token", s.refreshForm(refresh)); status != 400 || s.works(t, access) {
		t.Error("the app has access after it was disconnected")
	}

	ends := map[string]func(*testMember){
		"changed password": func(m *testMember) {
			resp, body := m.post(t, "/account/settings/password", url.Values{"old_password": {"correct horse battery " + m.Handle}, "password": {"another few words " + m.Handle}}.Encode())
			if resp.StatusCode != 303 {
				t.Errorf("changing the password is %d: %.600s", resp.StatusCode, body)
			}
		},
		"reset": func(m *testMember) {
			code, err := s.store.Accounts.BeginPasswordReset(context.Background(), m.Handle+"@example.org")
			must(err)
			_, err = s.store.Accounts.ResetPassword(context.Background(), code, "another few words")
			must(err)
		},
		"changed address": func(m *testMember) {
			account, err := s.store.Accounts.Account(context.Background(), m.ID)
			must(err)
			_, err = s.store.Accounts.BeginEmailChange(context.Background(), account, "new-"+m.Handle+"@example.org", "")
			must(err)
		},
		"suspension": func(m *testMember) {
			operator := s.join(t, "op-"+m.Handle, models.RoleOperator)
			operator.ask(t, "POST", "/api/members/"+m.Handle+"/suspend", `{"note":"spam"}`, 200)
		},
		"deletion": func(m *testMember) { must(s.store.Accounts.DeleteAccount(context.Background(), m.ID)) },
	}
	i := 0
	for name, end := range ends {
		i++
		t.Run(name, func(t *testing.T) {
			m := s.join(t, fmt.Sprint("carl-", i), models.RoleMember)
			access, refresh := s.connect(t, m, "account:read")
			pending := m.code(t, s.request())
			if !s.works(t, access) {
				t.Fatal("the token doesn't work")
			}
			end(m)
			if s.works(t, access) {
				t.Error("the access token works")
			}
			status, fields := s.tokenCall(t, "/oauth/token", s.refreshForm(refresh))
			s.checkTokens(t, status, fields, "invalid_grant")
			status, fields = s.tokenCall(t, "/oauth/token", s.exchange(pending))
			s.checkTokens(t, status, fields, "invalid_grant")
		})
	}
}
