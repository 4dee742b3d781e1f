package handlers

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/viewstest"
)

var stampField = regexp.MustCompile(`name="stamp" value="([^"]*)"`)

// contactForm returns a filled-in contact form, as it is after a pause.
func (s *testServer) contactForm(t *testing.T, clock *testClock, more ...string) url.Values {
	t.Helper()
	_, page := s.do(t, "GET", "/contact?topic=print&about=/portfolio/iceland", "Accept", "text/html")
	stamp := stampField.FindStringSubmatch(page)
	if stamp == nil || !strings.Contains(page, `value="/portfolio/iceland"`) || !strings.Contains(page, `<option value="print" selected`) {
		t.Fatalf("the form is %s", page)
	}
	clock.add(5 * time.Second)
	form := url.Values{"stamp": {stamp[1]}, "about": {"/portfolio/iceland"}, "name": {"Vera Visitor"}, "email": {"vera@example.org"}, "topic": {"print"}, "text": {"Is it\nfor sale?"}, "website": {""}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// sendContact sends the contact form as a visitor.
func (s *testServer) sendContact(t *testing.T, form url.Values) (*http.Response, string) {
	t.Helper()
	return s.send(t, "POST", "/contact", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
}

// TestContactForm tests a visitor's message from the form to the operators, and what the
// form refuses.
func TestContactForm(t *testing.T) {
	t.Parallel()
	clock := &testClock{now: testNow}
	s := newMarketServer(t, clock.drive(t))
	op := s.join(t, "the-operator", models.RoleOperator)

	form := s.contactForm(t, clock)
	resp, _ := s.sendContact(t, form)
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/contact/sent" {
		t.Fatalf("sent with %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	mails := s.mails(t)
	if len(mails) != 1 || mails[0].Recipient != "the-operator@example.org" || mails[0].ReplyTo != "vera@example.org" || !strings.Contains(mails[0].Body, "> Is it\n> for sale?\n") || strings.Contains(mails[0].Body, "vera@") {
		t.Errorf("the emails are %+v", mails)
	}
	list := op.ask(t, "GET", "/api/admin/contact", "", 200)
	id, _ := get(t, list, "contact_messages.0.id").(string)
	if list["open"] != 1.0 || get(t, list, "contact_messages.0.email") != "vera@example.org" || get(t, list, "contact_messages.0.about") != "/portfolio/iceland" {
		t.Errorf("listed %v", list)
	}

	for name, c := range map[string]struct {
		change func(url.Values)
		status int
		text   string
	}{
		"sent twice": {func(f url.Values) { f.Set("stamp", form.Get("stamp")) }, 409, "has already been sent"},
		"forged":     {func(f url.Values) { f.Set("stamp", "nonsense") }, 409, "expired"},
		"no stamp":   {func(f url.Values) { f.Del("stamp") }, 409, "expired"},
		"no address": {func(f url.Values) { f.Set("email", "nowhere") }, 400, "Enter your email address"},
		"no text":    {func(f url.Values) { f.Set("text", " ") }, 400, ""},
	} {
		f := s.contactForm(t, clock)
		c.change(f)
		resp, page := s.sendContact(t, f)
		if resp.StatusCode != c.status || !strings.Contains(html.UnescapeString(page), c.text) || !strings.Contains(page, "Vera Visitor") {
			t.Errorf("%s is %d without %q", name, resp.StatusCode, c.text)
		}
	}
	fast := s.contactForm(t, clock)
	clock.add(-4 * time.Second)
	if resp, page := s.sendContact(t, fast); resp.StatusCode != 429 || !strings.Contains(page, "Sent too quickly") || !strings.Contains(page, fast.Get("stamp")) || resp.Header.Get("Retry-After") == "" {
		t.Errorf("within a second: %d", resp.StatusCode)
	}

	clock.add(time.Hour)
	if resp, _ := s.sendContact(t, s.contactForm(t, clock, "website", "https://casino.example")); resp.StatusCode != 303 || len(s.mails(t)) != 0 {
		t.Errorf("spam is %d, and must look sent and reach nobody", resp.StatusCode)
	}
	if spam := op.ask(t, "GET", "/api/admin/contact?status=spam", "", 200); get(t, spam, "contact_messages.0.name") != "Vera Visitor" || spam["open"] != 1.0 {
		t.Errorf("the spam is %v", spam)
	}
	if resp, _ := op.post(t, "/admin/contact/"+id, "status=done"); resp.StatusCode != 303 || op.ask(t, "GET", "/api/admin/contact", "", 200)["open"] != 0.0 {
		t.Errorf("filed with %d", resp.StatusCode)
	}
	op.ask(t, "DELETE", "/api/admin/contact/"+id, "", 200)
	op.ask(t, "DELETE", "/api/admin/contact/"+id, "", 404)

	limited := 0
	for range 8 {
		if resp, _ := s.sendContact(t, s.contactForm(t, clock)); resp.StatusCode == 429 {
			limited++
			clock.add(-5 * time.Second)
		}
	}
	if limited == 0 {
		t.Error("the messages of an address are not limited")
	}
}

// TestContactOfMembers tests that members write by the API and by an agent, with their name.
func TestContactOfMembers(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op, ann := s.join(t, "the-operator", models.RoleOperator), s.join(t, "ann", models.RoleMember)
	if page := ann.read(t, "/contact"); !strings.Contains(page, `value="ann@example.org"`) {
		t.Error("the form lacks the member's address")
	}
	const message = `{"name":"Ann","email":"ann@example.org","topic":"job","text":"A wedding in May"}`
	if resp, _ := s.send(t, "POST", "/api/contact", message, "Content-Type", "application/json"); resp.StatusCode != 401 {
		t.Errorf("without a token: %d", resp.StatusCode)
	}
	ann.ask(t, "POST", "/api/contact", message, 201)
	if list := op.ask(t, "GET", "/api/admin/contact", "", 200); get(t, list, "contact_messages.0.member.handle") != "ann" {
		t.Errorf("listed %v", list)
	}
	if _, export := s.do(t, "GET", "/account/export", "Cookie", ann.cookie, "Accept", "application/json"); !strings.Contains(export, "A wedding in May") {
		t.Error("the message is not in the member's data")
	}
}

// linkedInText matches what a mail client makes a link, in words of others.
var linkedInText = regexp.MustCompile(`\w:/|//|www\.|\w@|mailto:|tel:|javascript:|evil\S*\.\w|\d\.\d+\.\d`)

// TestContactInjections tests that what visitors write stays text: on the page of messages
// in every format, and in emails.
func TestContactInjections(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	for i := range viewstest.Injections {
		text := plainText(viewstest.Injections[i])
		name := []rune(input.OneLine(strings.ReplaceAll(text, "\n", " ")))
		m := &models.ContactMessage{Name: "z " + string(name[:min(len(name), 50)]), Email: "zqx@example.org", Topic: models.ContactOther, About: text, Text: "z " + text, Status: models.ContactOpen}
		must(s.admin.AddMessage(t.Context(), m))
	}
	const page = "/admin/contact?limit=100"
	_, markdown := s.do(t, "GET", page, "Cookie", op.cookie, "Accept", "text/markdown")
	for _, wrong := range viewstest.CheckMarkdown(markdown, testSite.BaseURL) {
		t.Errorf("as Markdown: %s", wrong)
	}
	_, text := s.do(t, "GET", page, "Cookie", op.cookie, "Accept", "text/html")
	count(t, page, text, false)
	for _, m := range s.mails(t) {
		text := norm.NFKC.String(strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(m.Subject+"\n"+m.Body, testSite.BaseURL, ""), "。", ".")))
		if found := linkedInText.FindString(text); found != "" || strings.ContainsAny(m.Subject, "\r\n") || m.ReplyTo != "zqx@example.org" {
			t.Errorf("the email has %q: %s", found, text)
		}
	}
}
