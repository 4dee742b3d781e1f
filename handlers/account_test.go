package handlers

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// testBrowser is somebody at a server under test who keeps cookies, as browsers do.
type testBrowser struct {
	server  *testServer
	cookies map[string]string
}

func (s *testServer) browser() *testBrowser { return &testBrowser{s, map[string]string{}} }

func (b *testBrowser) send(t testing.TB, method, path, form string) (*http.Response, string) {
	t.Helper()
	header := []string{"Accept", "text/html", "User-Agent", "Browser/1.0"}
	for name, value := range b.cookies {
		header = append(header, "Cookie", name+"="+value)
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

// fill sends a form of names and values, which must lead to a page; it returns where.
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

// mails takes the mails that wait to be sent, the oldest first.
func (s *testServer) mails(t testing.TB) []models.Delivery {
	t.Helper()
	mails, err := s.store.ClaimDeliveries(context.Background(), 100)
	must(err)
	for _, m := range mails {
		must(s.store.Delivered(context.Background(), m.ID))
	}
	return mails
}

var linkForm = regexp.MustCompile(`https?://\S+`)

// mailed takes the one mail that waits, and the path of the one link in it.
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

// TestSigningUp follows somebody from the form to the account and out again.
func TestSigningUp(t *testing.T) {
	s := newMarketServer(t)
	b := s.browser()
	if body := b.read(t, "/about"); !strings.Contains(body, `href="/sign-in"`) {
		t.Error("nobody is offered to sign in")
	}
	b.read(t, "/sign-up")
	to := b.fill(t, "/sign-up", "handle", "Jane-Doe", "name", "Jane <i>Doe</i>", "region", "DE", "email", " Jane@Example.org ", "password", janesPassword)
	if to != "/sign-up/sent" {
		t.Errorf("signing up leads to %s", to)
	}
	b.read(t, to)
	link := s.mailed(t, "jane@example.org", "Confirm")
	for range 3 { // programs that look through mail open every link
		if body := b.read(t, link); !strings.Contains(body, `action="/sign-up/confirm"`) {
			t.Fatalf("no button: %s", body)
		}
	}
	code := link[strings.Index(link, "code=")+5:]
	if resp, body := b.send(t, "POST", "/sign-in", formBody("email", "jane@example.org", "password", janesPassword)); resp.StatusCode != 401 {
		t.Errorf("signed in before the address was confirmed: %d %s", resp.StatusCode, body)
	}
	if to := b.fill(t, "/sign-up/confirm", "code", code); to != "/sign-in" {
		t.Errorf("confirming leads to %s", to)
	}
	if len(b.cookies) != 1 || !strings.Contains(b.read(t, "/sign-in"), "account is ready") {
		t.Errorf("the page does not say that the account is ready, or has signed in by itself: %v", b.cookies)
	}
	if resp, _ := b.send(t, "POST", "/sign-up/confirm", formBody("code", code)); resp.StatusCode != 404 {
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
	kept := b.cookies["session"]
	if to := b.fill(t, "/sign-out"); to != "/" || b.cookies["session"] != "" {
		t.Errorf("signing out leads to %s with %v", to, b.cookies)
	}
	b.cookies["session"] = kept
	if resp, _ := b.send(t, "GET", "/account", ""); resp.StatusCode != 303 {
		t.Errorf("a session that was ended is good: %d", resp.StatusCode)
	}
}
