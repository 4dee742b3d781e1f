package handlers

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// member is an account on a test server.
type testMember struct {
	*models.Member
	server *testServer
	role   models.Role // that they joined with
	token  string      // with every scope of the role
	cookie string      // of a browser that is signed in
}

// newMarketServer starts a server on its own empty market, which the test may change.
// Its index follows the database.
func newMarketServer(t testing.TB, change ...func(*Config)) *testServer {
	t.Helper()
	cfg := quiet(emptyMarket(t))
	for _, c := range change {
		c(&cfg)
	}
	feed := search.NewFeed(cfg.Index, cfg.Store, market.CardRenderer(&cfg.Site, cfg.Catalog), cfg.Log)
	feed.Estimate(cfg.Site.Currency())
	cfg.Feed = feed
	s := serveTest(t, build(cfg))
	must(feed.Load(context.Background()))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- feed.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	return s
}

// join creates a member on a test server.
func (s *testServer) join(t testing.TB, handle string, role models.Role) *testMember {
	t.Helper()
	ctx := context.Background()
	m, err := s.store.Accounts.CreateAccount(ctx, models.Registration{Handle: handle, Region: "DE", Email: handle + "@example.org", Password: "correct horse battery " + handle}, role)
	if err != nil {
		t.Fatal(err)
	}
	token, err := s.store.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "test", Scopes: role.Scopes()})
	if err != nil {
		t.Fatal(err)
	}
	member := &testMember{Member: m, server: s, role: role, token: token}
	member.beginSession()
	return member
}

// beginSession signs the member's browser in.
func (m *testMember) beginSession() {
	ctx := context.Background()
	a, err := m.server.store.Accounts.Account(ctx, m.ID)
	must(err)
	secret, err := m.server.store.Accounts.BeginSession(ctx, a, "test", "192.0.2.1")
	must(err)
	m.cookie = m.server.SessionCookie() + "=" + secret
}

// publish publishes a draft of the member in the store.
func (m *testMember) publish(t testing.TB, id string) {
	t.Helper()
	if _, err := m.server.store.Listings.Advance(context.Background(), id, models.Move{Step: models.Publish, Seller: m.ID}); err != nil {
		t.Fatal(err)
	}
}

// addPasskey adds a passkey that no authenticator has.
func (m *testMember) addPasskey(key *models.Passkey) {
	ctx := context.Background()
	a, err := m.server.store.Accounts.Account(ctx, m.ID)
	must(err)
	key.KeyID, key.Credential = models.NewSecret(), "{}"
	must(m.server.store.Accounts.AddPasskey(ctx, a, key))
}

// ask calls the API as the member, with a JSON body or "". The response must have the
// status. It returns the JSON of the response.
func (m *testMember) ask(t testing.TB, method, path, body string, status int, header ...string) map[string]any {
	t.Helper()
	header = append(header, "Authorization", "Bearer "+m.token, "Content-Type", "application/json", "Accept", "application/json")
	resp, text := m.server.send(t, method, path, body, header...)
	if resp.StatusCode != status {
		t.Fatalf("%s %s %s as %s is %d, want %d: %s", method, path, body, m.Handle, resp.StatusCode, status, text)
	}
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	return answer
}

// post sends a form as the member's browser does. It returns the response and its body.
func (m *testMember) post(t testing.TB, path, form string, header ...string) (*http.Response, string) {
	t.Helper()
	header = append(header, "Cookie", m.cookie, "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
	return m.server.send(t, "POST", path, form, header...)
}

// read requests a page as the member's browser does. The page must exist.
func (m *testMember) read(t testing.TB, path string) string {
	t.Helper()
	resp, body := m.server.do(t, "GET", path, "Cookie", m.cookie, "Accept", "text/html")
	if resp.StatusCode != 200 {
		t.Fatalf("%s for %s is %d: %.300s", path, m.Handle, resp.StatusCode, body)
	}
	if cached := resp.Header.Get("Cache-Control"); !strings.Contains(cached, "private") && !strings.Contains(cached, "no-store") {
		t.Errorf("%s for %s may be cached by others: %s", path, m.Handle, cached)
	}
	return body
}

// patience is how long tests wait for an event: much longer than it takes on a busy,
// slow machine.
const patience = 2 * time.Minute

// eventually repeats a check until it succeeds, since the index follows the database.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v: not %s", patience, what)
		}
	}
}
