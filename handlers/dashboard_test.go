package handlers

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// TestDashboard tests the account page of a new member, and of two who trade.
func TestDashboard(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob, op := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	check := func(who *testMember, wants ...string) {
		t.Helper()
		page := who.read(t, "/account")
		text := textOf(page)
		for _, want := range wants {
			if !strings.Contains(text, want) && !strings.Contains(page, want) {
				t.Errorf("the page of %s lacks %q: %s", who.Handle, want, text)
			}
		}
		for _, never := range []string{"account:read", ann.ID, "/api/"} {
			if strings.Contains(text, never) {
				t.Errorf("the page of %s says %s", who.Handle, never)
			}
		}
		sections := []string{`id="waiting"`, `id="selling"`, `id="buying"`, `id="watching"`, `id="searches"`, `id="settings"`, `href="/account/advanced"`}
		if at := func(id string) int { return strings.Index(page, id) }; !slices.IsSortedFunc(sections, func(a, b string) int { return at(a) - at(b) }) || at(sections[0]) < 0 {
			t.Error("the sections are out of order")
		}
	}
	check(ann, "You're all caught up.", "Nothing for sale yet.", "No open offers.", "Press Watch on a listing", "Save a search")
	if page := ann.read(t, "/account"); strings.Contains(page, `href="/admin`) {
		t.Error("a member sees pages for operators")
	}
	check(op, "For operators", `href="/admin"`, "Manage site")

	id := ann.listed(t, "Canon EOS R6 with a story")
	ann.draft(t, models.StatusDraft, func(l *models.Listing) { l.Title = "Half a Leica" })
	bob.ask(t, "PUT", "/api/watchlist/"+id, "", 200)
	bob.ask(t, "POST", "/api/searches", `{"keyword":"canon r6","name":"R6 for me"}`, 201)
	offer := bob.offers(t, id, "1000")
	check(ann, "Reply to the offer", "1 offer · 1 person watching", `href="/account/listings/`+id+`/watchers"`, "Half a Leica", "Finish and publish it", "See all 2 listings")
	check(bob, "Waiting for ann to reply", "Canon EOS R6 with a story", "R6 for me", "Alerts: once a day", "€1,000")
	ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	check(ann, "Agree collection or postage", "Accepted. Arrange delivery with bob")
	check(bob, "Accepted. Arrange delivery with ann")
	bob.ask(t, "POST", "/api/offers/"+offer+"/withdraw", "", 200)
	check(bob, "No open offers.")

	me := ann.ask(t, "GET", "/api/me", "", 200)
	if me["scopes"] == nil || me["selling"] != nil || me["drafts"] != nil {
		t.Errorf("get_me returns %v", me)
	}
}

// TestAdvanced tests that the webhook of a saved search is set, and its secret read,
// under Advanced alone, and by its owner alone.
func TestAdvanced(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6","name":"Sixes"}`, 201)
	at, secret := "/account/advanced/webhooks/"+made["id"].(string), made["webhook_secret"].(string)
	if page := ann.read(t, "/account/advanced"); !strings.Contains(page, `href="`+at+`"`) || !strings.Contains(page, `href="/account/tokens"`) || !strings.Contains(page, `href="/account/connections"`) {
		t.Errorf("the page is %s", page)
	}
	if page := ann.read(t, at); !strings.Contains(page, secret) || !strings.Contains(page, "Standard Webhooks") {
		t.Errorf("the page of the webhook is %s", page)
	}
	search := "/account/searches/" + made["id"].(string)
	if page := ann.read(t, search); strings.Contains(page, secret) || !strings.Contains(page, `href="`+at+`"`) || !strings.Contains(page, "/feeds/") {
		t.Errorf("the page of the search is %s", page)
	}
	if resp, _ := s.do(t, "GET", at, "Cookie", bob.cookie); resp.StatusCode != 404 {
		t.Errorf("somebody else's webhook is %d", resp.StatusCode)
	}
	set := func(who *testMember, webhook string, want int) string {
		t.Helper()
		resp, text := who.post(t, at, url.Values{"webhook": {webhook}, "webhook_events": {"", "trends.changed"}}.Encode())
		if resp.StatusCode != want {
			t.Errorf("setting %q is %d, want %d: %s", webhook, resp.StatusCode, want, text)
		}
		return text
	}
	set(bob, "", 404)
	if text := set(ann, "http://10.0.0.1/", 400); !strings.Contains(text, `value="http://10.0.0.1/"`) {
		t.Errorf("the form loses what was entered: %s", text)
	}
	set(ann, "", 303)
	if got := ann.ask(t, "GET", "/api/searches/"+made["id"].(string), "", 200); got["webhook"] != nil || get(t, got, "webhook_events.0") != "trends.changed" {
		t.Errorf("the search is %v", got)
	}
}

// TestMemberPagesAreForPeople reads every page for members outside Advanced, and checks
// that its text has nothing that only programs need.
func TestMemberPagesAreForPeople(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	c := &scene{T: t, s: s, ann: s.join(t, "ann", models.RoleMember), bob: s.join(t, "bob", models.RoleMember), eve: s.join(t, "eve", models.RoleMember)}
	technical := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|\b(GET|POST|PUT|PATCH|DELETE) /|/api\b|\bHMAC\b|(?i:\bscopes?\b)|\b[a-z]+_[a-z_]+\b|\bwhsec\b`)
	read := 0
	for _, o := range s.Operations() {
		if o.Writes() || o.Page == "" || o.Access != web.Members && o.Access != web.SignedIn || isAdvanced(o.Page) {
			continue
		}
		row := matrix[o.Name]
		path := o.Page
		for name, value := range row.ask(c) {
			path = strings.ReplaceAll(path, "{"+name+"}", value.(string))
		}
		text := textOf(map[string]*testMember{"ann": c.ann, "bob": c.bob}[row.right].read(t, path))
		if found := technical.FindAllString(text, 5); found != nil {
			t.Errorf("%s says %q", path, found)
		}
		read++
	}
	if read < 15 {
		t.Errorf("only %d pages were read", read)
	}
}

// isAdvanced reports whether a page is one of those for programs.
func isAdvanced(page string) bool {
	return slices.ContainsFunc([]string{"/account/advanced", "/account/tokens", "/account/connections", "/oauth"}, func(at string) bool { return strings.HasPrefix(page, at) })
}
