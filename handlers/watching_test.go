package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/storetest"
	"github.com/secondlight/secondlight/views"
)

// turnedClock is a clock that a test turns.
type turnedClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *turnedClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *turnedClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// hosts resolves names for tests: nothing goes out.
type hosts map[string]string

func (h hosts) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if addr, ok := h[host]; ok {
		return []netip.Addr{netip.MustParseAddr(addr)}, nil
	}
	return nil, fmt.Errorf("no host %s", host)
}

var testHosts = hosts{"hook.example": "93.184.215.14", "inside.example": "10.0.0.7"}

// newClockedMarket is an empty market whose clock a test turns.
func newClockedMarket(t testing.TB) (*testServer, *turnedClock) {
	t.Helper()
	clock := &turnedClock{at: testNow}
	store, err := models.Open(context.Background(), "sqlite:"+filepath.Join(t.TempDir(), "market.db"), clock.now)
	must(err)
	must(store.Migrate(context.Background()))
	t.Cleanup(func() { store.Close() })
	return newMarketServer(t, func(cfg *Config) {
		cfg.Store, cfg.Clock, cfg.Webhooks = store, clock.now, &delivery.Guard{Resolver: testHosts}
		cfg.Index = search.New(models.NewLookup(cfg.Catalog.All()))
	}), clock
}

// sells puts a listing of a member up for sale, and waits until searches find it.
func (m *testMember) sells(t testing.TB, title, gear string, price models.Cents) string {
	t.Helper()
	now := models.TimeOf(m.server.clock())
	l := []models.Listing{{SellerID: m.ID, Title: title, Gear: gear, Category: "mirrorless", Condition: "excellent", Functional: "fully_working", Price: price, Region: "DE",
		Status: models.StatusDraft, CreatedAt: now, UpdatedAt: now}}
	must(m.server.store.InsertListings(context.Background(), l))
	_, err := m.server.store.Advance(context.Background(), l[0].ID, models.Move{Step: models.Publish, Seller: m.ID})
	must(err)
	m.server.awaitIndex(t, l[0].ID, true)
	return l[0].ID
}

// awaitIndex waits until a listing is, or is not, found.
func (s *testServer) awaitIndex(t testing.TB, id string, there bool) {
	t.Helper()
	eventually(t, fmt.Sprintf("%s there=%v in the index", id, there), func() bool {
		found, err := s.index.Search(search.Query{Sort: search.Newest, Limit: search.MaxLimit})
		must(err)
		cards, err := decodeCards(found)
		must(err)
		return slices.ContainsFunc(cards, func(c views.Card) bool { return c.ID == id }) == there
	})
}

// queued takes what is queued to go out.
func (s *testServer) queued(t testing.TB) []models.Delivery {
	t.Helper()
	list, err := s.store.ClaimDeliveries(context.Background(), 100)
	must(err)
	for _, d := range list {
		must(s.store.Delivered(context.Background(), d.ID))
	}
	return list
}

func TestWatchlist(t *testing.T) {
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	id := ann.sells(t, "Canon EOS R6", "canon/eos-r6", 100000)
	answer := bob.ask(t, "PUT", "/api/watchlist/"+id, "", 200)
	if answer["price_then"].(map[string]any)["amount"] != "1000.00" || answer["drop"] != nil {
		t.Errorf("watching: %v", answer)
	}
	price := func(cents models.Cents) {
		t.Helper()
		_, err := s.store.EditListing(context.Background(), id, ann.ID, 0, func(l *models.Listing) error { l.Price = cents; return nil })
		must(err)
		must(s.AlertNow(context.Background()))
	}
	for _, c := range []struct {
		price models.Cents
		mails int
	}{{98000, 0}, {90000, 1}, {90000, 0}, {99000, 0}, {90000, 0}, {89000, 0}, {85000, 1}} {
		price(c.price)
		mails := s.queued(t)
		if len(mails) != c.mails {
			t.Fatalf("at %d: %d mails", c.price, len(mails))
		}
		for _, m := range mails {
			if m.Recipient != "bob@example.org" || !strings.Contains(m.Subject, "Canon EOS R6") || !strings.Contains(m.Body, "/listings/"+id) {
				t.Errorf("mail %+v", m)
			}
		}
	}
	list := bob.ask(t, "GET", "/api/watchlist", "", 200)["watches"].([]any)
	first := list[0].(map[string]any)
	if len(list) != 1 || first["drop"].(map[string]any)["amount"] != "150.00" || first["listing"].(map[string]any)["price"].(map[string]any)["amount"] != "850.00" {
		t.Errorf("watchlist %v", list)
	}
	page := bob.read(t, "/account/watchlist")
	for _, want := range []string{"Canon EOS R6", "150", "850", "1,000", `action="/account/watchlist/` + id + `/remove"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if got := ann.ask(t, "GET", "/api/watchlist", "", 200)["watches"].([]any); len(got) != 0 {
		t.Errorf("somebody else's list: %v", got)
	}
	for m, watches := range map[*testMember]bool{bob: true, s.join(t, "eve", models.RoleMember): false} {
		page := m.read(t, "/listings/"+id)
		if strings.Contains(page, `action="/account/watchlist/`+id+`"`) == watches || strings.Contains(page, "watch</a> this listing") != watches {
			t.Errorf("to %s the listing's page does not say whether it is watched", m.Handle)
		}
	}
	bob.ask(t, "PUT", "/api/watchlist/019aa7d2-7c00-7000-8000-000000000000", "", 404)
	resp, _ := bob.post(t, "/account/watchlist/"+id+"/remove", "")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/watchlist" {
		t.Errorf("removing is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if got := bob.ask(t, "DELETE", "/api/watchlist/"+id, "", 200)["watches"].([]any); len(got) != 0 {
		t.Errorf("left: %v", got)
	}
	price(10000)
	if mails := s.queued(t); len(mails) != 0 {
		t.Errorf("mail after unwatching: %+v", mails)
	}
	resp, _ = bob.post(t, "/account/watchlist/"+id, "")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/watchlist" {
		t.Errorf("watching is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
}

func TestSavedSearchesAreKept(t *testing.T) {
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6","budget":"-900","brand":["canon"],"every":"weekly","email":false,"webhook":"https://hook.example/a"}`, 201)
	id := made["id"].(string)
	if made["every"] != "weekly" || made["email"] != false || made["webhook"] != "https://hook.example/a" || made["name"] != "canon r6" ||
		!strings.HasPrefix(made["webhook_secret"].(string), "whsec_") {
		t.Errorf("made %v", made)
	}
	query, err := url.ParseQuery(made["query"].(string))
	if err != nil || query.Get("keyword") != "canon r6" || query.Get("budget") == "" || query.Get("brand") != "canon" || query.Has("sort") || query.Has("limit") {
		t.Errorf("kept as %q", made["query"])
	}
	same := ann.ask(t, "POST", "/api/searches", `{"query":"/listings?brand=canon&keyword=canon+r6&budget=-900&sort=deal&limit=3","name":"The same"}`, 201)
	if same["query"] != made["query"] || same["email"] != true || same["every"] != "daily" {
		t.Errorf("the same is %v", same)
	}
	for body, field := range map[string]string{
		`{"query":"colour=red"}`: "query", `{"query":"budget=x"}`: "query", `{"query":"keyword=a","keyword":"b"}`: "query", `{"region":"QQQ"}`: "region",
		`{"every":"hourly"}`: "every", `{"webhook":"http://127.0.0.1/"}`: "webhook", `{"webhook":"https://inside.example/"}`: "webhook",
		`{"webhook":"http://[::ffff:10.0.0.1]/"}`: "webhook", `{"webhook":"http://2130706433/"}`: "webhook", `{"webhook":"ftp://hook.example/"}`: "webhook",
		`{"name":"` + strings.Repeat("n", 101) + `"}`: "name",
	} {
		got := ann.ask(t, "POST", "/api/searches", body, 400)
		if first := got["errors"].([]any)[0].(map[string]any); first["field"] != field {
			t.Errorf("%s is refused for %v", body, first)
		}
	}
	edited := ann.ask(t, "PATCH", "/api/searches/"+id, `{"name":"Sixes","every":"instant","webhook":""}`, 200)
	if edited["name"] != "Sixes" || edited["every"] != "instant" || edited["webhook"] != nil || edited["query"] != made["query"] || edited["email"] != false {
		t.Errorf("edited %v", edited)
	}
	ann.ask(t, "PATCH", "/api/searches/"+id, `{"webhook":"http://inside.example/"}`, 400)
	resp, _ := s.do(t, "GET", "/api/searches/"+id, "Authorization", "Bearer "+ann.token)
	tag := resp.Header.Get("ETag")
	ann.ask(t, "PATCH", "/api/searches/"+id, `{"every":"daily"}`, 200, "If-Match", tag)
	if got := ann.ask(t, "PATCH", "/api/searches/"+id, `{"every":"weekly"}`, 412, "If-Match", tag); got["code"] != "search_changed" {
		t.Errorf("an old ETag: %v", got)
	}
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		bob.ask(t, method, "/api/searches/"+id, "", 404)
	}
	bob.ask(t, "POST", "/api/searches/"+id+"/rotate", "", 404)
	bob.ask(t, "POST", "/api/searches/"+id+"/test", "", 404)
	if got := ann.ask(t, "GET", "/api/searches", "", 200)["searches"].([]any); len(got) != 2 {
		t.Errorf("kept: %v", got)
	}
	ann.ask(t, "DELETE", "/api/searches/"+id, "", 200)
	ann.ask(t, "GET", "/api/searches/"+id, "", 404)
	if got := bob.ask(t, "GET", "/api/searches", "", 200)["searches"].([]any); len(got) != 0 {
		t.Errorf("somebody else's: %v", got)
	}
}

func TestSearchesAreSavedInABrowser(t *testing.T) {
	s, _ := newClockedMarket(t)
	ann := s.join(t, "ann", models.RoleMember)
	_, results := s.do(t, "GET", "/listings?keyword=canon+r6&budget=-900", "Accept", "text/html")
	const save = "/account/searches/new?query=keyword%3Dcanon%2Br6%26budget%3D900"
	if !strings.Contains(results, `href="`+save+`"`) {
		t.Fatalf("the results have no link to %s: %s", save, results)
	}
	resp, _ := s.do(t, "GET", save, "Accept", "text/html")
	if to := resp.Header.Get("Location"); resp.StatusCode != 303 || to != "/sign-in?next="+url.QueryEscape(save) {
		t.Errorf("for nobody it is %d to %s", resp.StatusCode, to)
	}
	form := ann.read(t, save)
	for _, want := range []string{`name="query" value="keyword=canon+r6&amp;budget=900"`, `value="canon r6"`, "Keyword: canon r6"} {
		if !strings.Contains(form, want) {
			t.Errorf("the form does not have %s", want)
		}
	}
	resp, body := ann.post(t, "/account/searches", "query=keyword%3Dcanon%2Br6&name=Sixes&every=instant&email=&webhook=http%3A%2F%2F10.0.0.1%2F")
	if resp.StatusCode != 400 || !strings.Contains(body, `value="keyword=canon+r6"`) || !strings.Contains(body, `value="Sixes"`) || !strings.Contains(body, "not public") {
		t.Errorf("a wrong form is %d: %s", resp.StatusCode, body)
	}
	resp, _ = ann.post(t, "/account/searches", "query=keyword%3Dcanon%2Br6&name=Sixes&every=instant&email=&email=true&webhook=")
	at := resp.Header.Get("Location")
	if resp.StatusCode != 303 || !strings.HasPrefix(at, "/account/searches/") {
		t.Fatalf("saving is %d to %s", resp.StatusCode, at)
	}
	page := ann.read(t, at)
	for _, want := range []string{"<h1>Sixes</h1>", "/feeds/", "whsec_", `action="` + at + `/rotate"`, `action="` + at + `/delete"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	resp, _ = ann.post(t, at, "name=Sevens&every=daily&email=&webhook=")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != at {
		t.Errorf("changing is %d", resp.StatusCode)
	}
	if got := ann.ask(t, "GET", "/api"+strings.TrimPrefix(at, "/account"), "", 200); got["name"] != "Sevens" || got["email"] != false || got["every"] != "daily" {
		t.Errorf("changed to %v", got)
	}
	if !strings.Contains(ann.read(t, "/account/searches"), "Sevens") {
		t.Error("the list does not have it")
	}
	for _, step := range []string{"/rotate", "/delete"} {
		if resp, _ := ann.post(t, at+step, ""); resp.StatusCode != 303 {
			t.Errorf("%s is %d", step, resp.StatusCode)
		}
	}
}

func TestAListingAlertsASearchOnce(t *testing.T) {
	s, clock := newClockedMarket(t)
	ctx := context.Background()
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	bob.sells(t, "Canon EOS R6 from before", "canon/eos-r6", 80000)
	clock.add(time.Minute)
	ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6","budget":"-900","every":"instant","name":"Sixes","webhook":"https://hook.example/a"}`, 201)
	look := func(mails int) []models.Delivery {
		t.Helper()
		for range 2 { // as two replicas do
			must(s.AlertNow(ctx))
		}
		must(s.DoDue(ctx))
		out := s.queued(t)
		if len(out) != 2*mails { // a webhook with each
			t.Fatalf("%d deliveries, want %d: %+v", len(out), 2*mails, out)
		}
		return out
	}
	look(0)
	ann.sells(t, "Canon EOS R6 of her own", "canon/eos-r6", 80000)
	bob.sells(t, "Canon EOS R6 at too much", "canon/eos-r6", 95000)
	bob.sells(t, "Nikon Z6", "nikon/z-6", 80000)
	look(0)
	clock.add(time.Minute)
	id := bob.sells(t, "Canon EOS R6 like new", "canon/eos-r6", 85000)
	for _, d := range look(1) {
		switch d.Kind {
		case models.Mail:
			if d.Recipient != "ann@example.org" || !strings.Contains(d.Subject, "Sixes") || !strings.Contains(d.Body, "Canon EOS R6 like new\n") || !strings.Contains(d.Body, "/listings/"+id) ||
				!strings.Contains(d.Body, "850") || !strings.HasPrefix(d.Secret, s.site.BaseURL+"/unsubscribe/") {
				t.Errorf("mail %+v", d)
			}
		case models.Webhook:
			var hook struct {
				Event    string
				Search   struct{ Name, URL string }
				Listings []struct{ ID string }
			}
			must(json.Unmarshal([]byte(d.Body), &hook))
			if d.Recipient != "https://hook.example/a" || hook.Event != "listings.published" || hook.Search.Name != "Sixes" || len(hook.Listings) != 1 || hook.Listings[0].ID != id {
				t.Errorf("webhook %+v", d)
			}
		}
	}
	look(0)
	clock.add(time.Hour)
	for _, move := range []models.Move{{Step: models.End}, {Step: models.Relist}} { // published once already
		move.Seller = bob.ID
		_, err := s.store.Advance(ctx, id, move)
		must(err)
		s.awaitIndex(t, id, move.Step == models.Relist)
	}
	_, err := s.store.EditListing(ctx, id, bob.ID, 0, func(l *models.Listing) error { l.Price = 70000; l.Title = "Canon EOS R6 cheaper"; return nil })
	must(err)
	look(0)
	page := ann.ask(t, "GET", "/api/searches", "", 200)["searches"].([]any)[0].(map[string]any)
	told := ann.ask(t, "GET", "/api/searches/"+page["id"].(string), "", 200)["alerts"].([]any)
	if len(told) != 1 || told[0].(map[string]any)["id"] != id {
		t.Errorf("told of %v", told)
	}
}

func TestDigestsGoOutWhenTheyAreDue(t *testing.T) {
	s, clock := newClockedMarket(t)
	ctx := context.Background()
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"daily","name":"Day"}`, 201)
	ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"weekly","name":"Week"}`, 201)
	var got []string
	for day := range 15 {
		for n := range 2 {
			bob.sells(t, fmt.Sprintf("Canon number %d of day %d", n, day), "canon/eos-r6", 80000)
		}
		clock.add(23*time.Hour + 59*time.Minute)
		must(s.AlertNow(ctx))
		must(s.DoDue(ctx))
		early := s.queued(t)
		clock.add(time.Minute)
		must(s.DoDue(ctx))
		must(s.DoDue(ctx))
		for _, d := range s.queued(t) {
			got = append(got, fmt.Sprintf("%d %s", day+1, d.Subject))
			if k := strings.Count(d.Body, "/listings/"); k != map[bool]int{true: 2, false: 14}[strings.HasPrefix(d.Subject, "Day")] {
				t.Errorf("%s has %d listings", d.Subject, k)
			}
		}
		if len(early) > 0 {
			t.Errorf("day %d: too early: %+v", day+1, early)
		}
	}
	var want []string
	for day := 1; day <= 15; day++ {
		want = append(want, fmt.Sprintf("%d Day: 2 new listings", day))
		if day%7 == 0 {
			want = append(want, fmt.Sprintf("%d Week: 14 new listings", day))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("went out:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestListingsExpireAfterAReminder(t *testing.T) {
	s, clock := newClockedMarket(t)
	ctx := context.Background()
	bob := s.join(t, "bob", models.RoleMember)
	id := bob.sells(t, "Canon EOS R6", "canon/eos-r6", 80000)
	var got []string
	for range 65 {
		must(s.DoDue(ctx))
		must(s.DoDue(ctx))
		for _, d := range s.queued(t) {
			got = append(got, fmt.Sprintf("%d %s %s", int(clock.now().Sub(testNow).Hours()/24), d.Recipient, d.Subject))
		}
		clock.add(24 * time.Hour)
	}
	if want := []string{"55 bob@example.org Canon EOS R6 expires on 20 Jan 2027", "60 bob@example.org Canon EOS R6 has expired"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	l, err := s.store.Listing(ctx, id)
	must(err)
	if l.Status != models.StatusExpired {
		t.Errorf("the listing is %s", l.Status)
	}
}

func TestFeedsOfSavedSearchesAreSecret(t *testing.T) {
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	id := bob.sells(t, "Canon EOS R6 & more", "canon/eos-r6", 80000)
	bob.sells(t, "Nikon Z6", "nikon/z-6", 80000)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6"}`, 201)
	atom := strings.TrimPrefix(made["atom"].(string), s.site.BaseURL)
	feed := strings.TrimPrefix(made["json_feed"].(string), s.site.BaseURL)
	if len(strings.TrimSuffix(strings.TrimPrefix(atom, "/feeds/"), ".atom")) < 40 {
		t.Errorf("the address %s can be guessed", atom)
	}
	for address, contentType := range map[string]string{atom: "application/atom+xml", feed: "application/feed+json"} {
		resp, body := s.do(t, "GET", address)
		if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), contentType) {
			t.Fatalf("%s is %d %s", address, resp.StatusCode, resp.Header.Get("Content-Type"))
		}
		if resp.Header.Get("Cache-Control") != "private, no-store" || !strings.Contains(resp.Header.Get("X-Robots-Tag"), "noindex") {
			t.Errorf("%s may be kept or found: %v", address, resp.Header)
		}
		if !strings.Contains(body, id) || strings.Contains(body, "Nikon") || !strings.Contains(body, s.site.BaseURL+address) {
			t.Errorf("%s: %s", address, body)
		}
	}
	bare := strings.TrimSuffix(atom, ".atom")
	for _, address := range []string{bare, bare + ".md", bare + ".json", "/feeds/" + strings.Repeat("a", 43) + ".atom", "/feeds/x.feed.json", "/feeds/%00.atom", bare[:len(bare)-1] + ".atom"} {
		if resp, _ := s.do(t, "GET", address); resp.StatusCode != 404 {
			t.Errorf("%s is %d", address, resp.StatusCode)
		}
	}
	for _, address := range []string{"/openapi.json", "/sitemap.xml", "/llms.txt", "/listings?keyword=canon"} {
		if _, body := s.do(t, "GET", address); strings.Contains(body, bare) {
			t.Errorf("%s names the feed", address)
		}
	}
	ann.ask(t, "POST", "/api/searches/"+made["id"].(string)+"/rotate", "", 200)
	if resp, _ := s.do(t, "GET", atom); resp.StatusCode != 404 {
		t.Errorf("the old address is %d", resp.StatusCode)
	}
	again := ann.ask(t, "GET", "/api/searches/"+made["id"].(string), "", 200)
	if resp, _ := s.do(t, "GET", strings.TrimPrefix(again["atom"].(string), s.site.BaseURL)); resp.StatusCode != 200 || again["webhook_secret"] == made["webhook_secret"] {
		t.Errorf("the new address is %d", resp.StatusCode)
	}
	ann.ask(t, "DELETE", "/api/searches/"+made["id"].(string), "", 200)
	if resp, _ := s.do(t, "GET", strings.TrimPrefix(again["atom"].(string), s.site.BaseURL)); resp.StatusCode != 404 {
		t.Errorf("the feed of a deleted search is %d", resp.StatusCode)
	}
}

func TestMailIsEndedInOneClick(t *testing.T) {
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"instant","name":"<b>"}`, 201)
	bob.sells(t, "Canon EOS R6", "canon/eos-r6", 80000)
	must(s.AlertNow(context.Background()))
	mails := s.queued(t)
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	stop := strings.TrimPrefix(mails[0].Secret, s.site.BaseURL)
	if resp, body := s.do(t, "GET", stop); resp.StatusCode != 200 || !strings.Contains(body, `method="post" action="`+stop+`"`) || strings.Contains(body, "<b>") {
		t.Errorf("%s is %d: %s", stop, resp.StatusCode, body)
	}
	email := func() any { return ann.ask(t, "GET", "/api/searches/"+made["id"].(string), "", 200)["email"] }
	if resp, _ := s.send(t, "POST", stop[:len(stop)-2]+"xx", "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded"); resp.StatusCode != 404 || email() != true {
		t.Errorf("a guess is %d", resp.StatusCode)
	}
	if resp, body := s.send(t, "POST", stop, "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded"); resp.StatusCode != 200 || !strings.Contains(body, "No more mail") || email() != false {
		t.Errorf("%s is %d", stop, resp.StatusCode)
	}
}

func TestWebhooksAreTestedFromThePage(t *testing.T) {
	var signature, body string
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		signature, body = r.Header.Get(delivery.SignatureHeader), string(content)
	}))
	defer receiver.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(receiver.URL, "http://"), ":")
	s, clock := newClockedMarket(t)
	local := &delivery.Guard{Resolver: hosts{"hook.example": "127.0.0.1"}, Allow: func(netip.AddrPort) bool { return true }}
	s.guard = local
	ann := s.join(t, "ann", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","webhook":"http://hook.example:`+port+`/"}`, 201)
	path := "/account/searches/" + made["id"].(string)
	if resp, _ := ann.post(t, path+"/test", ""); resp.StatusCode != 303 || resp.Header.Get("Location") != path {
		t.Fatalf("testing is %d", resp.StatusCode)
	}
	sender := delivery.New(delivery.Config{Store: s.store, Clock: clock.now, Guard: local, Log: s.log, Outbox: t.TempDir()})
	if n, err := sender.Once(context.Background()); n != 1 || err != nil {
		t.Fatalf("sent %d, %v", n, err)
	}
	want := fmt.Sprintf("t=%d,v1=%s", clock.now().Unix(), delivery.Sign(made["webhook_secret"].(string), clock.now().Unix(), body))
	if signature != want || !strings.Contains(body, `"event":"test"`) {
		t.Errorf("signature %s of %s, want %s", signature, body, want)
	}
	none := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon"}`, 201)
	ann.ask(t, "POST", "/api/searches/"+none["id"].(string)+"/test", "", 400)
}

// TestTwoReplicasTellOnce runs two servers on one PostgreSQL, both with everything
// the site does by itself: each listing is told to each search once.
func TestTwoReplicasTellOnce(t *testing.T) {
	database := storetest.Postgres(t)
	replicas := []*testServer{newReplica(t, database), newReplica(t, database)}
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	for _, r := range replicas {
		work.Go(func() {
			must(r.Background(ctx, Rounds{Instant: 2 * time.Millisecond, Due: 20 * time.Millisecond, Clean: time.Hour}))
		})
	}
	ann, bob := replicas[0].join(t, "ann", models.RoleMember), replicas[1].join(t, "bob", models.RoleMember)
	const searches, listings = 3, 8
	for i := range searches {
		ann.ask(t, "POST", "/api/searches", fmt.Sprintf(`{"keyword":"canon r6","every":"instant","name":"Search %d"}`, i), 201)
	}
	told := map[string]int{}
	collect := func() {
		mails, err := replicas[0].store.ClaimDeliveries(context.Background(), 100)
		must(err)
		for _, m := range mails {
			must(replicas[0].store.Delivered(context.Background(), m.ID))
			name, _, _ := strings.Cut(m.Subject, ":")
			for line := range strings.Lines(m.Body) {
				if _, id, ok := strings.Cut(strings.TrimSpace(line), "/listings/"); ok {
					told[name+" "+id]++
				}
				if strings.HasPrefix(line, "The price of") {
					told["drop"]++
				}
			}
		}
	}
	var ids []string
	for i := range listings {
		ids = append(ids, bob.sells(t, fmt.Sprintf("Canon EOS R6 number %d", i), "canon/eos-r6", 90000))
	}
	ann.ask(t, "PUT", "/api/watchlist/"+ids[0], "", 200)
	_, err := replicas[1].store.EditListing(ctx, ids[0], bob.ID, 0, func(l *models.Listing) error { l.Price = 50000; return nil })
	must(err)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if collect(); len(told) == searches*listings+2 { // the drop names its listing too
			break
		}
	}
	stop()
	work.Wait()
	collect()
	if len(told) != searches*listings+2 {
		t.Errorf("told %d of %d: %v", len(told), searches*listings+2, told)
	}
	for what, times := range told {
		if times != 1 {
			t.Errorf("%s was told %d times", what, times)
		}
	}
}
