package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// testBrowser is a client of a test server that stores cookies.
type testBrowser struct {
	server  *testServer
	cookies map[string]string
}

func (s *testServer) browser() *testBrowser { return &testBrowser{s, map[string]string{}} }

func (b *testBrowser) send(t testing.TB, method, path, form string) (*http.Response, string) {
	t.Helper()
	header := []string{"Accept", "text/html"}
	var cookies []string
	for name, value := range b.cookies {
		cookies = append(cookies, name+"="+value)
	}
	if len(cookies) > 0 {
		header = append(header, "Cookie", strings.Join(cookies, "; "))
	}
	if method == "POST" {
		header = append(header, "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
	}
	resp, body := b.server.send(t, method, path, form, header...)
	for _, c := range resp.Cookies() {
		if b.cookies[c.Name] = c.Value; c.Value == "" || c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return resp, body
}

// fill sends a form of names and values, which must redirect, and returns the location.
func (b *testBrowser) fill(t testing.TB, path string, values ...string) (to string) {
	t.Helper()
	resp, body := b.send(t, "POST", path, formBody(values...))
	if resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s with %q is %d: %s", path, values, resp.StatusCode, body)
	}
	return resp.Header.Get("Location")
}

func formBody(values ...string) string {
	form := url.Values{}
	for i := 0; i+1 < len(values); i += 2 {
		form.Add(values[i], values[i+1])
	}
	return form.Encode()
}

func (b *testBrowser) read(t testing.TB, path string) string {
	t.Helper()
	resp, body := b.send(t, "GET", path, "")
	if resp.StatusCode != 200 {
		t.Fatalf("%s is %d to %q: %.300s", path, resp.StatusCode, resp.Header.Get("Location"), body)
	}
	return body
}

// mails removes and returns the queued emails, oldest first.
func (s *testServer) mails(t testing.TB) []models.Delivery {
	t.Helper()
	mails, err := s.store.Deliveries.ClaimDeliveries(context.Background(), 100)
	must(err)
	for _, m := range mails {
		must(s.store.Deliveries.Delivered(context.Background(), m.ID))
	}
	return mails
}

var linkForm = regexp.MustCompile(`https?://\S+`)

// mailed removes and returns the only queued email and the path of its only link.
func (s *testServer) mailed(t testing.TB, to, subject string) (path string) {
	t.Helper()
	mails := s.mails(t)
	if len(mails) != 1 || mails[0].Recipient != to || !strings.Contains(mails[0].Subject, subject) {
		t.Fatalf("mails are %+v, want one to %s about %s", mails, to, subject)
	}
	return s.linkIn(t, mails[0])
}

func (s *testServer) linkIn(t testing.TB, m models.Delivery) string {
	t.Helper()
	links := linkForm.FindAllString(m.Body, -1)
	if len(links) != 1 || !strings.HasPrefix(links[0], s.site.BaseURL+"/") {
		t.Fatalf("the mail has the links %q: %s", links, m.Body)
	}
	return strings.TrimPrefix(links[0], s.site.BaseURL)
}

const janesPassword = "a few words in a row"

// TestSigningUp tests signing up, verifying the address and signing out.
func TestSigningUp(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	b := s.browser()
	if body := b.read(t, "/about"); !strings.Contains(body, `href="/sign-in"`) {
		t.Error("nobody is offered to sign in")
	}
	b.read(t, "/sign-up")
	if body := b.read(t, "/sign-up?next=%2Fsell"); !strings.Contains(body, `name="next" value="/sell"`) || !strings.Contains(b.read(t, "/sign-in?next=%2Fsell"), `href="/sign-up?next=%2Fsell"`) {
		t.Error("signing up doesn't lead back to the page in next")
	}
	to := b.fill(t, "/sign-up", "handle", "Jane-Doe", "name", "Jane <i>Doe</i>", "region", "DE", "email", " Jane@Example.org ", "password", janesPassword, "next", "/sell")
	if to != "/sign-up/sent" {
		t.Errorf("signing up leads to %s", to)
	}
	b.read(t, to)
	link := s.mailed(t, "jane@example.org", "Confirm")
	other := s.browser()
	for range 3 { // programs that look through mail open every link
		for who, asks := range map[*testBrowser]bool{b: false, other: true} {
			if body := who.read(t, link); !strings.Contains(body, `action="/sign-up/confirm"`) || strings.Contains(body, `name="password"`) != asks {
				t.Fatalf("no button, or asks for the password, which it should: %t: %s", asks, body)
			}
		}
	}
	code := link[strings.Index(link, "code=")+5:]
	if resp, body := b.send(t, "POST", "/sign-in", formBody("email", "jane@example.org", "password", janesPassword)); resp.StatusCode != 401 {
		t.Errorf("signed in before the address was confirmed: %d %s", resp.StatusCode, body)
	}
	if resp, body := other.send(t, "POST", "/sign-up/confirm", formBody("code", code, "password", "words of an intruder")); resp.StatusCode != 400 || !strings.Contains(body, `value="`+code+`"`) {
		t.Errorf("confirmed with another password: %d %s", resp.StatusCode, body)
	}
	if strings.Contains(link, "next") {
		t.Errorf("the email has text of its recipient's choice: %s", link)
	}
	if to := b.fill(t, "/sign-up/confirm", "code", code); to != "/sell" {
		t.Errorf("confirming leads to %s", to)
	}
	if !strings.Contains(b.read(t, "/account"), "jane@example.org") {
		t.Error("confirming does not sign in")
	}
	b.fill(t, "/sign-out")
	if resp, _ := b.send(t, "POST", "/sign-up/confirm", formBody("code", code, "password", janesPassword)); resp.StatusCode != 404 {
		t.Errorf("a code is good twice: %d", resp.StatusCode)
	}
	if resp, _ := b.send(t, "GET", "/account", ""); resp.StatusCode != 303 || resp.Header.Get("Location") != "/sign-in?next=%2Faccount" {
		t.Errorf("the account for nobody is %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	if body := b.read(t, "/sign-in?next=%2Fgear"); !strings.Contains(body, `name="next" value="/gear"`) {
		t.Error("the form forgets where to go on to")
	}
	if to := b.fill(t, "/sign-in", "email", "JANE@example.org", "password", janesPassword, "next", "/gear"); to != "/gear" {
		t.Errorf("signing in leads to %s", to)
	}
	body := b.read(t, "/account")
	if !strings.Contains(body, "Jane &lt;i&gt;Doe&lt;/i&gt;") || !strings.Contains(body, "jane@example.org") || strings.Contains(body, `href="/sign-in"`) {
		t.Errorf("the account says %s", body)
	}
	session := b.cookies[s.SessionCookie()]
	if to := b.fill(t, "/sign-out"); to != "/" || b.cookies[s.SessionCookie()] != "" {
		t.Errorf("signing out leads to %s with %v", to, b.cookies)
	}
	b.cookies[s.SessionCookie()] = session
	if resp, _ := b.send(t, "GET", "/account", ""); resp.StatusCode != 303 {
		t.Errorf("a session that was ended is good: %d", resp.StatusCode)
	}
}

// signIn signs a browser in as a member created by join.
func (b *testBrowser) signIn(t testing.TB, m *testMember) {
	t.Helper()
	if to := b.fill(t, "/sign-in", "email", m.Handle+"@example.org", "password", passwordOf(m)); to != "/account" {
		t.Fatalf("signing in leads to %s", to)
	}
}

func passwordOf(m *testMember) string { return "correct horse battery " + m.Handle }

// TestSessionFixation tests that signing in starts a new session and ends the one the
// browser had before.
func TestSessionFixation(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane, mallory := s.join(t, "jane", models.RoleMember), s.join(t, "mallory", models.RoleMember)
	for _, planted := range []string{"a-secret-of-mallory", strings.TrimPrefix(mallory.cookie, s.SessionCookie()+"=")} {
		b := s.browser()
		b.cookies[s.SessionCookie()] = planted
		b.signIn(t, jane)
		if b.cookies[s.SessionCookie()] == planted {
			t.Error("the browser is signed in with the session it brought along")
		}
		if id, err := s.store.Accounts.Session(context.Background(), planted); id != nil || err != nil {
			t.Errorf("the session the browser brought along is %v, %v", id, err)
		}
	}
	one, two := s.browser(), s.browser()
	one.signIn(t, jane)
	two.signIn(t, jane)
	if one.cookies[s.SessionCookie()] == two.cookies[s.SessionCookie()] {
		t.Error("two browsers share a session")
	}
	resp, _ := one.send(t, "POST", "/sign-in", formBody("email", "jane@example.org", "password", passwordOf(jane)))
	cookie := resp.Header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Lax", "path=/", "secure", "__Host-"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie is not %s: %s", want, cookie)
		}
	}
	one.fill(t, "/account/sign-out-everywhere")
	if resp, _ := two.send(t, "GET", "/account", ""); resp.StatusCode != 303 {
		t.Errorf("signed out everywhere, and still in: %d", resp.StatusCode)
	}
	if resp, body := s.send(t, "POST", "/sign-in", formBody("email", "jane@example.org", "password", passwordOf(jane)),
		"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "cross-site"); resp.StatusCode != 403 || resp.Header.Get("Set-Cookie") != "" {
		t.Errorf("another site signs a browser in: %d %s", resp.StatusCode, body)
	}
}

// TestSignInLeadsNowhereElse tests that signing in never redirects to another site.
func TestSignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane := s.join(t, "jane", models.RoleMember)
	for _, next := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "javascript:alert(1)", "/\t/evil.example",
		"/%09/evil.example\r\nSet-Cookie: a=b", "\\\\evil.example", "http:evil.example", " //evil.example"} {
		b := s.browser()
		resp, body := b.send(t, "POST", "/sign-in", formBody("email", "jane@example.org", "password", passwordOf(jane), "next", next))
		if to := resp.Header.Get("Location"); resp.StatusCode != 303 || to != "/account" {
			t.Errorf("next %q is %d to %q: %s", next, resp.StatusCode, to, body)
		}
		if body := b.read(t, "/sign-in?next="+url.QueryEscape(strings.ReplaceAll(next, "\t", ""))); strings.Contains(body, "evil") {
			t.Errorf("the form goes on to %q", next)
		}
	}
}

// answerOf returns a response without the parts that differ between requests.
func answerOf(resp *http.Response, body string) string {
	for name := range resp.Header {
		if strings.HasPrefix(name, "Ratelimit") || name == "X-Request-Id" || name == "Date" {
			resp.Header.Del(name)
		}
	}
	var b strings.Builder
	must(resp.Header.Write(&b))
	return resp.Status + "\n" + b.String() + "\n" + body
}

// anySession matches the cookie of a session, which is random.
var anySession = regexp.MustCompile(`session=[A-Za-z0-9_-]{43}`)

// TestNobodyLearnsWhoHasAnAccount tests that answers are the same, byte by byte,
// whether an address has an account or not, and the log is the same too.
func TestNobodyLearnsWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	s.join(t, "jane", models.RoleMember)
	john := s.join(t, "john", models.RoleMember)
	for _, c := range []struct {
		path           string
		values         []string
		known, unknown string // subjects of the mails
	}{
		{"/sign-up", []string{"handle", "newcomer", "password", janesPassword}, "You already have an account", "Confirm your email address"},
		{"/reset-password", nil, "Set a new password", "No account with this email address"},
		{"/sign-in", []string{"password", "not the password at all"}, "", ""},
		{"/account/settings/email", []string{"password", passwordOf(john)}, "This email address already has an account", "Confirm your new email address"},
	} {
		answers := map[string]string{}
		for email, subject := range map[string]string{"jane@example.org": c.known, "none@example.org": c.unknown} {
			b := s.browser()
			if strings.HasPrefix(c.path, "/account") {
				b.signIn(t, john)
			}
			resp, body := b.send(t, "POST", c.path, formBody(append(c.values, "email", email)...))
			answers[email] = anySession.ReplaceAllString(strings.ReplaceAll(answerOf(resp, body), email, "ADDRESS"), "session=SECRET")
			var subjects []string
			for _, m := range s.mails(t) {
				if s.linkIn(t, m); m.Recipient == email {
					subjects = append(subjects, m.Subject)
				}
			}
			if subject != "" && (len(subjects) != 1 || !strings.HasPrefix(subjects[0], subject)) || subject == "" && len(subjects) > 0 {
				t.Errorf("%s for %s mails %q, want %q", c.path, email, subjects, subject)
			}
		}
		if answers["jane@example.org"] != answers["none@example.org"] {
			t.Errorf("%s tells who has an account:\n%s\n\n%s", c.path, answers["jane@example.org"], answers["none@example.org"])
		}
	}
}

// TestLoginAttemptsAreLimited tests the limits of sign-in attempts per account and per
// IP address, and of emails per mailbox.
func TestLoginAttemptsAreLimited(t *testing.T) {
	t.Parallel()
	now := testNow
	store := func(c *Config) { c.Clock = func() time.Time { return now } }
	s := newMarketServer(t, store)
	jane := s.join(t, "jane", models.RoleMember)
	signIn := func(email, password string) (int, string) {
		resp, body := s.browser().send(t, "POST", "/sign-in", formBody("email", email, "password", password))
		if resp.StatusCode == 429 && resp.Header.Get("Retry-After") == "" {
			t.Error("429 without Retry-After")
		}
		return resp.StatusCode, body
	}
	for i := range 6 {
		if status, body := signIn("jane@example.org", "wrong password"); status != 401 {
			t.Fatalf("attempt %d is %d: %s", i, status, body)
		}
	}
	if status, body := signIn("jane@example.org", passwordOf(jane)); status != 429 || !strings.Contains(body, "Wait 1 second and") {
		t.Errorf("the seventh attempt, with the right password, is %d: %.2000s", status, body)
	}
	slowed := 0
	for i := range 40 {
		if status, _ := signIn("somebody"+strings.Repeat("x", i)+"@example.org", "wrong password"); status == 429 {
			slowed++
		}
	}
	if slowed == 0 {
		t.Error("one IP address may try to sign in to forty accounts")
	}
	var statuses []int
	for range 6 {
		resp, _ := s.browser().send(t, "POST", "/reset-password", formBody("email", "victim@example.org"))
		statuses = append(statuses, resp.StatusCode)
	}
	if statuses[0] != 303 || statuses[5] != 429 {
		t.Errorf("six mails to one mailbox are %d", statuses)
	}
}

// TestResettingThePassword tests resetting a forgotten password.
func TestResettingThePassword(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane := s.join(t, "jane", models.RoleMember)
	old, b := s.browser(), s.browser()
	old.signIn(t, jane)
	if to := b.fill(t, "/reset-password", "email", "jane@example.org"); to != "/reset-password/sent" {
		t.Errorf("asking leads to %s", to)
	}
	b.read(t, "/reset-password/sent")
	link := s.mailed(t, "jane@example.org", "Set a new password")
	resp, _ := b.send(t, "GET", link, "")
	if resp.StatusCode != 200 || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the page of the code is %d with Cache-Control %q", resp.StatusCode, resp.Header.Get("Cache-Control"))
	}
	code := link[strings.Index(link, "code=")+5:]
	if resp, body := b.send(t, "POST", "/reset-password/new", formBody("code", code, "password", "short")); resp.StatusCode != 400 ||
		!strings.Contains(body, `value="`+code+`"`) || strings.Contains(body, `value="short"`) {
		t.Errorf("a short password is %d: %s", resp.StatusCode, body)
	}
	if to := b.fill(t, "/reset-password/new", "code", code, "password", "another few words"); to != "/sign-in" {
		t.Errorf("setting it leads to %s", to)
	}
	if resp, _ := old.send(t, "GET", "/account", ""); resp.StatusCode != 303 {
		t.Errorf("who had the old password is still in: %d", resp.StatusCode)
	}
	b.fill(t, "/sign-in", "email", "jane@example.org", "password", "another few words")
}

// TestSettings changes every setting of an account.
func TestSettings(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane := s.join(t, "jane", models.RoleMember)
	b, other := s.browser(), s.browser()
	b.signIn(t, jane)
	other.signIn(t, jane)
	b.fill(t, "/account/settings", "name", " Jane  <b>Doe</b> ", "region", "US-CA", "bio", "One.\r\nTwo & three.", "seller_kind", "dealer")
	if body := b.read(t, "/account/settings"); !strings.Contains(body, "Jane &lt;b&gt;Doe&lt;/b&gt;") || !strings.Contains(body, "Profile saved") ||
		!strings.Contains(body, `value="US-CA" selected`) || !strings.Contains(body, `value="dealer" selected`) || !strings.Contains(body, "Unknown browser, since") {
		t.Errorf("the settings are %s", body)
	}
	if body := b.read(t, "/sellers/jane"); !strings.Contains(body, "Jane &lt;b&gt;Doe&lt;/b&gt;") || !strings.Contains(body, "Two &amp; three.") {
		t.Error("others do not see the change")
	}
	b.fill(t, "/account/settings", "name", "Jane", "seller_kind", "")
	if body := b.read(t, "/account/settings"); strings.Contains(body, `value="dealer" selected`) {
		t.Errorf("the member still is a dealer: %s", body)
	}
	for _, wrong := range [][]string{{"name", ""}, {"name", strings.Repeat("a", 61)}, {"name", "Jane", "region", "XX"}, {"name", "Jane", "seller_kind", "shop"}, {"name", "Jane", "bio", strings.Repeat("a", 2001)}} {
		if resp, _ := b.send(t, "POST", "/account/settings", formBody(wrong...)); resp.StatusCode != 400 && resp.StatusCode != 422 {
			t.Errorf("%.40q is %d", wrong, resp.StatusCode)
		}
	}

	if resp, _ := b.send(t, "POST", "/account/settings/email", formBody("email", "new@example.org", "password", "wrong password")); resp.StatusCode != 400 {
		t.Errorf("a new address with a wrong password is %d", resp.StatusCode)
	}
	b.fill(t, "/account/settings/email", "email", "new@example.org", "password", passwordOf(jane))
	var link string
	for _, m := range s.mails(t) {
		if m.Recipient == "new@example.org" {
			link = s.linkIn(t, m)
		} else if m.Recipient != "jane@example.org" || strings.Contains(m.Body, "code=") {
			t.Errorf("the old address is notified by %+v", m)
		}
	}
	s.browser().read(t, link)
	b.fill(t, "/account/email/confirm", "code", link[strings.Index(link, "code=")+5:], "password", passwordOf(jane))
	if body := b.read(t, "/account"); !strings.Contains(body, "new@example.org") {
		t.Error("the address is not changed")
	}
	s.mails(t)
	other = s.browser()
	to := other.fill(t, "/sign-in", "email", "new@example.org", "password", passwordOf(jane))
	other.read(t, to)

	before := b.cookies[s.SessionCookie()]
	b.fill(t, "/account/settings/password", "old_password", passwordOf(jane), "password", "words of a new kind")
	if b.cookies[s.SessionCookie()] == before {
		t.Error("the session outlived the password")
	}
	b.read(t, "/account")
	if resp, _ := other.send(t, "GET", "/account", ""); resp.StatusCode != 303 {
		t.Errorf("another browser outlived the password: %d", resp.StatusCode)
	}
	s.mailed(t, "new@example.org", "Your password was changed")
	s.browser().fill(t, "/sign-in", "email", "new@example.org", "password", "words of a new kind")
}

// TestLeaving exports the data of an account and deletes it.
func TestLeaving(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane := s.join(t, "jane", models.RoleMember)
	b := s.browser()
	b.signIn(t, jane)
	if body := b.read(t, "/account/delete"); !strings.Contains(body, `href="/account/export"`) {
		t.Error("the export is not offered first")
	}
	page := b.read(t, "/account/export")
	resp, exported := b.send(t, "GET", "/account/export.json", "")
	if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the export is %d %v", resp.StatusCode, resp.Header)
	}
	var all struct {
		Tables []struct {
			Name, Text string
			Rows       []map[string]any
		}
	}
	must(json.Unmarshal([]byte(exported), &all))
	rows := map[string]int{}
	for _, table := range all.Tables {
		rows[table.Name] = len(table.Rows)
	}
	if rows["accounts"] != 1 || rows["tokens"] != 1 || rows["sessions"] != 2 || !strings.Contains(exported, `"email":"jane@example.org"`) {
		t.Errorf("the export has %v: %s", rows, exported)
	}
	if strings.Contains(exported, "argon2") || strings.Contains(exported, "_hash") {
		t.Error("the export tells hashes")
	}
	for _, table := range all.Tables {
		if row := fmt.Sprintf(`<th scope="row">%s</th><td>%d</td>`, html.EscapeString(table.Text), len(table.Rows)); !strings.Contains(page, row) {
			t.Errorf("the page of the export has no %s", row)
		}
	}
	if _, text := b.send(t, "GET", "/account/export.md", ""); !strings.Contains(text, "jane@example.org") {
		t.Error("the export as text does not tell the same")
	}
	if resp, _ := s.send(t, "GET", "/account/export.json", "", "Authorization", "Bearer "+jane.token); resp.StatusCode != 403 {
		t.Errorf("a token may export: %d", resp.StatusCode)
	}
	if resp, _ := b.send(t, "POST", "/account/delete", formBody("password", "wrong password")); resp.StatusCode != 400 {
		t.Errorf("deleting with a wrong password is %d", resp.StatusCode)
	}
	if to := b.fill(t, "/account/delete", "password", passwordOf(jane)); to != "/" || b.cookies[s.SessionCookie()] != "" {
		t.Errorf("deleting leads to %s with %v", to, b.cookies)
	}
	if resp, _ := b.send(t, "POST", "/sign-in", formBody("email", "jane@example.org", "password", passwordOf(jane))); resp.StatusCode != 401 {
		t.Errorf("signed in to a deleted account: %d", resp.StatusCode)
	}
	if resp, _ := s.send(t, "GET", "/api/me", "", "Authorization", "Bearer "+jane.token); resp.StatusCode != 401 {
		t.Errorf("a token outlived its account: %d", resp.StatusCode)
	}
	if resp, _ := s.do(t, "GET", "/sellers/jane"); resp.StatusCode != 404 {
		t.Errorf("the page of a seller who left is %d", resp.StatusCode)
	}
}

// TestSuspended tests that a suspended member can only read and close the account.
func TestSuspended(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane, operator := s.join(t, "jane", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	listings := []models.Listing{{SellerID: jane.ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6", Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
		Price: 90000, Region: "DE", Status: models.StatusActive}}
	must(s.store.Listings.InsertListings(context.Background(), listings))
	_, err := s.store.Moderation.ModerateMember(context.Background(), operator.ID, jane.ID, true, "test")
	must(err)
	b := s.browser()
	b.signIn(t, jane)
	if body := b.read(t, "/account"); !strings.Contains(body, "suspended") {
		t.Error("the account does not say that it is suspended")
	}
	if me := jane.ask(t, "GET", "/api/me", "", 200); me["suspended"] != true {
		t.Errorf("got %v", me)
	}
	if resp, _ := b.send(t, "POST", "/account/settings", formBody("name", "Somebody else")); resp.StatusCode != 403 {
		t.Errorf("a suspended member changes the profile: %d", resp.StatusCode)
	}
	b.read(t, "/account/export")
	b.fill(t, "/account/delete", "password", passwordOf(jane))
}

// TestNothingIsInjectedIntoMail tests that input never reaches the headers of an
// email, nor its text, except for the handle.
func TestNothingIsInjectedIntoMail(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	b := s.browser()
	for _, email := range []string{"jane@example.org\r\nBcc: victim@example.org", "jane@example.org\nSubject: x", "Jane <jane@example.org>", "jane@example.org, victim@example.org",
		"jane@example.org%0d%0aBcc: victim@example.org", "\"a\r\nb\"@example.org", "jane", "@example.org", "jane@example.org\x00"} {
		for _, path := range []string{"/sign-up", "/reset-password"} {
			resp, _ := b.send(t, "POST", path, formBody("handle", "newcomer", "email", email, "password", janesPassword))
			if resp.StatusCode != 400 {
				t.Errorf("%s with %q is %d", path, email, resp.StatusCode)
			}
		}
	}
	if mails := s.mails(t); len(mails) > 0 {
		t.Errorf("mails went out: %+v", mails)
	}
	b.fill(t, "/sign-up", "handle", "newcomer", "name", "Win http://evil.example now\r\nBcc: victim@example.org", "email", "jane@example.org", "password", janesPassword)
	for _, m := range s.mails(t) {
		if strings.ContainsAny(m.Subject+m.Recipient, "\r\n") || strings.Contains(m.Body, "evil.") { // a code has no full stop
			t.Errorf("the mail is %+v", m)
		}
		s.linkIn(t, m)
	}
}

// TestPasskeysAreRefused tests ceremonies that were never started, were started by
// another member, or end with invalid data. The e2e tests use a real authenticator.
func TestPasskeysAreRefused(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	jane, john := s.join(t, "jane", models.RoleMember), s.join(t, "john", models.RoleMember)
	tell := func(m *testMember, path string, values map[string]any) (int, map[string]any) {
		header := []string{"Content-Type", "application/json", "Accept", "application/json", "Sec-Fetch-Site", "same-origin"}
		if m != nil {
			header = append(header, "Cookie", m.cookie)
		}
		body, err := json.Marshal(values)
		must(err)
		resp, text := s.send(t, "POST", path, string(body), header...)
		var answer map[string]any
		must(json.Unmarshal([]byte(text), &answer))
		if resp.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s sets %s", path, resp.Header.Get("Set-Cookie"))
		}
		return resp.StatusCode, answer
	}
	status, begun := tell(nil, "/sign-in/passkey/begin", nil)
	options, _ := begun["options"].(map[string]any)
	if status != 200 || options["rpId"] != "secondlight.example" || options["userVerification"] != "required" || options["allowCredentials"] != nil {
		t.Fatalf("signing in begins with %d %v", status, begun)
	}
	nonsense := func(ceremony any) map[string]any {
		return map[string]any{"ceremony": ceremony, "credential": `{"id":"x"}`, "name": "key"}
	}
	for i, want := range []string{"passkey_refused", "code_invalid"} { // a ceremony ends once, however it ends
		if _, answer := tell(nil, "/sign-in/passkey", nonsense(begun["ceremony"])); answer["code"] != want {
			t.Errorf("try %d is %v, want %s", i, answer, want)
		}
	}
	if status, answer := tell(jane, "/account/passkeys/begin", map[string]any{"password": "wrong password"}); status != 400 {
		t.Errorf("a passkey for who does not know the password is %d %v", status, answer)
	}
	if status, _ := tell(nil, "/account/passkeys/begin", map[string]any{"password": "x"}); status != 401 {
		t.Errorf("a passkey for nobody is %d", status)
	}
	_, begun = tell(jane, "/account/passkeys/begin", map[string]any{"password": passwordOf(jane)})
	if options, _ = begun["options"].(map[string]any); options["user"] == nil {
		t.Fatalf("adding begins with %v", begun)
	}
	for _, c := range []struct {
		m    *testMember
		path string
		code string
	}{{john, "/account/passkeys", "code_invalid"}, {nil, "/sign-in/passkey", "code_invalid"}, {jane, "/account/passkeys", "passkey_refused"}} {
		if _, answer := tell(c.m, c.path, nonsense(begun["ceremony"])); answer["code"] != c.code {
			t.Errorf("%s is %v, want %s", c.path, answer, c.code)
		}
	}
	if resp, _ := jane.post(t, "/account/passkeys/01932f0a-7b1c-7000-8000-000000000001/remove", ""); resp.StatusCode != 404 {
		t.Errorf("removing a passkey that is not there is %d", resp.StatusCode)
	}
	for base, possible := range map[string]bool{"http://localhost:8080": true, "https://cafe.de": true, "http://127.0.0.1:8080": false, "http://[::1]:8080": false} {
		if party := account.NewRelyingParty(&ui.Site{BaseURL: base}); (party != nil) != possible {
			t.Errorf("passkeys at %s: %v", base, party != nil)
		}
	}
	addressed := newMarketServer(t, func(c *Config) { c.Site.BaseURL = "http://127.0.0.1:8080" })
	if resp, body := addressed.do(t, "GET", "/sign-in", "Accept", "text/html"); resp.StatusCode != 200 || strings.Contains(body, "passkey") {
		t.Error("passkeys are offered where there can be none")
	}
	if resp, _ := addressed.send(t, "POST", "/sign-in/passkey/begin", "{}", "Content-Type", "application/json", "Accept", "application/json"); resp.StatusCode != 501 {
		t.Errorf("a passkey where there can be none is %d", resp.StatusCode)
	}
}
