package handlers

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
	"github.com/secondlight/secondlight/views/ui"
)

// turnedClock is a clock set by a test.
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

// hosts resolves host names in tests, without DNS.
type hosts map[string]string

func (h hosts) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if addr, ok := h[host]; ok {
		return []netip.Addr{netip.MustParseAddr(addr)}, nil
	}
	return nil, fmt.Errorf("no host %s", host)
}

var testHosts = hosts{"hook.example": "93.184.215.14", "inside.example": "10.0.0.7"}

// newClockedMarket returns an empty market with a clock set by the test.
func newClockedMarket(t testing.TB) (*testServer, *turnedClock) {
	t.Helper()
	return newClockedMarketIn(t, storetest.SQLite(t))
}

// newClockedMarketIn is newClockedMarket with the given database.
func newClockedMarketIn(t testing.TB, databaseURL string) (*testServer, *turnedClock) {
	t.Helper()
	clock := &turnedClock{at: testNow}
	store := storetest.Open(t, databaseURL, clock.now)
	return newMarketServer(t, func(cfg *Config) {
		cfg.Store, cfg.Clock, cfg.Webhooks = store, clock.now, &delivery.Guard{Resolver: testHosts}
		cfg.Index = search.New(cfg.Catalog.Lookup())
	}), clock
}

// sells publishes a listing of a member and waits until it is indexed.
func (m *testMember) sells(t testing.TB, title, gear string, price models.Cents) string {
	t.Helper()
	return m.sellsOne(t, title, gear, models.FullyWorking, price)
}

// sellsOne is sells, of an item that may have a fault.
func (m *testMember) sellsOne(t testing.TB, title, gear string, works models.Functional, price models.Cents) string {
	t.Helper()
	now := models.TimeOf(m.server.clock())
	l := []models.Listing{{SellerID: m.ID, Title: title, Gear: gear, Category: "mirrorless", Item: models.Item{Condition: "excellent", Functional: works}, Price: price, Region: "DE",
		Status: models.StatusDraft, CreatedAt: now, UpdatedAt: now}}
	must(m.server.store.Listings.InsertListings(context.Background(), l))
	_, err := m.server.store.Listings.Advance(context.Background(), l[0].ID, models.Move{Step: models.Publish, Seller: m.ID})
	must(err)
	m.server.awaitIndex(t, l[0].ID, true)
	return l[0].ID
}

// awaitIndex waits until a search finds a listing, or no longer finds it, and no change waits for the index.
func (s *testServer) awaitIndex(t testing.TB, id string, there bool) {
	t.Helper()
	if !s.feed.Settle(t.Context()) {
		t.Fatal("the index does not follow")
	}
	eventually(t, fmt.Sprintf("%s there=%v in the index", id, there), func() bool {
		found, err := s.index.Search(search.Query{Sort: search.Newest, Limit: search.MaxLimit})
		must(err)
		cards, err := ui.CardList(found.Cards).Decode()
		must(err)
		return slices.ContainsFunc(cards, func(c ui.Card) bool { return c.ID == id }) == there
	})
}

// queued removes and returns the queued deliveries.
func (s *testServer) queued(t testing.TB) []models.Delivery {
	t.Helper()
	list, err := s.store.Deliveries.ClaimDeliveries(context.Background(), 100)
	must(err)
	for _, d := range list {
		must(s.store.Deliveries.Delivered(context.Background(), d.ID))
	}
	return list
}

func TestAListingAlertsASearchOnce(t *testing.T) {
	t.Parallel()
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
		_, err := s.store.Listings.Advance(ctx, id, move)
		must(err)
		s.awaitIndex(t, id, move.Step == models.Relist)
	}
	_, err := s.store.Listings.EditListing(ctx, id, bob.ID, 0, func(l *models.Listing) error { l.Price = 70000; l.Title = "Canon EOS R6 cheaper"; return nil })
	must(err)
	look(0)
	page := ann.ask(t, "GET", "/api/searches", "", 200)["searches"].([]any)[0].(map[string]any)
	alerts := ann.ask(t, "GET", "/api/searches/"+page["id"].(string), "", 200)["alerts"].([]any)
	if len(alerts) != 1 || alerts[0].(map[string]any)["id"] != id {
		t.Errorf("the alerts are %v", alerts)
	}
}

func TestDigestsGoOutWhenTheyAreDue(t *testing.T) {
	t.Parallel()
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

// TestManyMatchesAreCounted publishes more listings at once than an alert lists: the
// others are counted, once.
func TestManyMatchesAreCounted(t *testing.T) {
	t.Parallel()
	s, clock := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6","every":"instant","name":"Sixes","webhook":"https://hook.example/a"}`, 201)
	clock.add(time.Minute)
	now := models.TimeOf(clock.now())
	const published = watch.MaxAlertListings + 57
	listings := make([]models.Listing, published)
	for i := range listings {
		listings[i] = models.Listing{SellerID: bob.ID, Title: "Canon EOS R6", Gear: "canon/eos-r6", Category: "mirrorless", Item: models.Item{Condition: "excellent", Functional: "fully_working"},
			Price: 80000, Region: "DE", Status: models.StatusActive, CreatedAt: now, PublishedAt: now, UpdatedAt: now}
	}
	must(s.store.Listings.InsertListings(context.Background(), listings))
	eventually(t, "all listings in the index", func() bool {
		found, err := s.index.Search(search.Query{})
		must(err)
		return found.Total == published
	})
	must(s.AlertNow(context.Background()))
	out := s.queued(t)
	if len(out) != 2 {
		t.Fatalf("%d deliveries, want an email and a webhook", len(out))
	}
	for _, d := range out {
		switch d.Kind {
		case models.Mail:
			if d.Subject != "Sixes: 457 new listings" || !strings.Contains(d.Body, "… and 432 more.") || !strings.Contains(d.Body, "See all matches: "+s.site.BaseURL+"/listings?keyword=canon+r6") {
				t.Errorf("mail %q: %.300s", d.Subject, d.Body)
			}
		case models.Webhook:
			var hook struct {
				Total    int
				Site     string
				Search   struct{ Page string }
				Listings []struct{ ID string }
			}
			must(json.Unmarshal([]byte(d.Body), &hook))
			if hook.Total != published || len(hook.Listings) != watch.MaxAlertListings || hook.Site != s.site.BaseURL || hook.Search.Page != "/listings?keyword=canon+r6" {
				t.Errorf("webhook: total %d, %d listings, page %q of %q", hook.Total, len(hook.Listings), hook.Search.Page, hook.Site)
			}
		}
	}
	must(s.AlertNow(context.Background()))
	if again := s.queued(t); len(again) != 0 {
		t.Errorf("alerted again: %+v", again)
	}
}

// TestFailingSearchRepeatsNothing makes the alerts of one search fail: the others are
// sent, the round is not repeated, and the search is run again later.
func TestFailingSearchRepeatsNothing(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	s, clock := newClockedMarketIn(t, url)
	ctx := context.Background()
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	instant := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"instant","name":"Failing"}`, 201)
	ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"instant","name":"Working"}`, 201)
	daily := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"daily","name":"Failing by day"}`, 201)
	ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","every":"daily","name":"Working by day"}`, 201)
	db, err := sql.Open("sqlite", strings.TrimPrefix(url, "sqlite:"))
	must(err)
	defer db.Close()
	_, err = db.Exec(fmt.Sprintf(`CREATE TRIGGER failing BEFORE INSERT ON alerts WHEN NEW.search_id IN ('%s', '%s') BEGIN SELECT RAISE(ABORT, 'failing'); END`, instant["id"], daily["id"]))
	must(err)
	bob.sells(t, "Canon EOS R6", "canon/eos-r6", 80000)

	s.idle.Store(int64(time.Hour))
	thisJob, otherJob := s.onOneServer(&job.Leases{Store: s.store, Server: "this"}, alertsJob, s.AlertNow), s.onOneServer(&job.Leases{Store: s.store, Server: "other"}, alertsJob, s.AlertNow)
	alerts := func(ctx context.Context) error { return ignoreNotDue(thisJob(ctx, false)) }
	other := func(ctx context.Context) error { return ignoreNotDue(otherJob(ctx, false)) }
	wantSubjects := func(when string, want ...string) {
		t.Helper()
		var got []string
		for _, d := range s.queued(t) {
			name, _, _ := strings.Cut(d.Subject, ":")
			got = append(got, name)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got alerts of %q, want %q", when, got, want)
		}
	}
	if err := alerts(ctx); err == nil || !strings.Contains(err.Error(), instant["id"].(string)) {
		t.Errorf("the error %v does not name the search", err)
	}
	wantSubjects("first round", "Working")
	must(alerts(ctx)) // the index has not changed
	bob.sells(t, "Canon EOS R5", "canon/eos-r5", 80000)
	must(other(ctx)) // holds no lease
	wantSubjects("while another server has the lease")
	if err := alerts(ctx); err == nil {
		t.Error("the search does not fail")
	}
	wantSubjects("second round", "Working")

	clock.add(25 * time.Hour)
	if err := s.DoDue(ctx); err == nil {
		t.Error("the digest does not fail")
	}
	wantSubjects("digests", "Working by day")
	must(s.DoDue(ctx)) // the digest that failed is not due at once
	_, err = db.Exec(`DROP TRIGGER failing`)
	must(err)
	clock.add(time.Hour)
	must(s.DoDue(ctx))
	must(other(ctx)) // the lease has expired
	wantSubjects("afterwards", "Failing", "Failing by day")
}

func TestListingsExpireAfterAReminder(t *testing.T) {
	t.Parallel()
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
	if want := []string{"55 bob@example.org Your listing expires on Wed 20 Jan 2027: Canon EOS R6", "60 bob@example.org Your listing Canon EOS R6 has expired"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	l, err := s.store.Listings.Listing(ctx, id)
	must(err)
	if l.Status != models.StatusExpired {
		t.Errorf("the listing is %s", l.Status)
	}
}

func TestMailIsEndedInOneClick(t *testing.T) {
	t.Parallel()
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
		t.Errorf("a guessed secret is %d", resp.StatusCode)
	}
	if resp, body := s.send(t, "POST", stop, "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded"); resp.StatusCode != 200 || !strings.Contains(body, "get any more emails") || email() != false {
		t.Errorf("%s is %d", stop, resp.StatusCode)
	}
}

func TestWebhooksAreTestedFromThePage(t *testing.T) {
	t.Parallel()
	var signature, body string
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		signature, body = r.Header.Get(delivery.SignatureHeader), string(content)
	}))
	defer receiver.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(receiver.URL, "http://"), ":")
	s, clock := newClockedMarket(t)
	local := &delivery.Guard{Resolver: hosts{"hook.example": "127.0.0.1"}, Allow: func(netip.AddrPort) bool { return true }}
	*s.cfg.Webhooks = *local
	ann := s.join(t, "ann", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon","webhook":"http://hook.example:`+port+`/"}`, 201)
	path := "/account/searches/" + made["id"].(string)
	if resp, _ := ann.post(t, path+"/test", ""); resp.StatusCode != 303 || resp.Header.Get("Location") != path {
		t.Fatalf("testing is %d", resp.StatusCode)
	}
	sender := delivery.New(delivery.Config{Store: s.store, Clock: clock.now, Guard: local, Log: s.log, Outbox: t.TempDir()})
	if n, err := sender.SendDue(context.Background()); n != 1 || err != nil {
		t.Fatalf("sent %d, %v", n, err)
	}
	want := fmt.Sprintf("t=%d,v1=%s", clock.now().Unix(), delivery.Sign(made["webhook_secret"].(string), clock.now().Unix(), body))
	if signature != want || !strings.Contains(body, `"event":"test"`) {
		t.Errorf("signature %s of %s, want %s", signature, body, want)
	}
	for range store.MaxWebhookTests - 1 {
		ann.ask(t, "POST", "/api/searches/"+made["id"].(string)+"/test", "", 200)
	}
	resp, refused := s.send(t, "POST", "/api/searches/"+made["id"].(string)+"/test", "", "Authorization", "Bearer "+ann.token)
	if wait := resp.Header.Get("Retry-After"); resp.StatusCode != 429 || wait != "3601" || !strings.Contains(refused, "too_many_tests") {
		t.Errorf("one test too many is %d, Retry-After %q: %s", resp.StatusCode, wait, refused)
	}
	none := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon"}`, 201)
	ann.ask(t, "POST", "/api/searches/"+none["id"].(string)+"/test", "", 400)
}

// TestTwoReplicasNotifyOnce runs two servers with background jobs on one PostgreSQL
// database: each search is notified of each listing once.
func TestTwoReplicasNotifyOnce(t *testing.T) {
	database := storetest.Postgres(t)
	replicas := []*testServer{newReplica(t, database), newReplica(t, database)}
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	for _, r := range replicas {
		work.Go(func() {
			must(r.Background(ctx, job.Intervals{Instant: 2 * time.Millisecond, Due: 20 * time.Millisecond, Clean: time.Hour}))
		})
	}
	ann, bob := replicas[0].join(t, "ann", models.RoleMember), replicas[1].join(t, "bob", models.RoleMember)
	const searches, listings = 3, 8
	for i := range searches {
		ann.ask(t, "POST", "/api/searches", fmt.Sprintf(`{"keyword":"canon r6","every":"instant","name":"Search %d"}`, i), 201)
	}
	notified := map[string]int{}
	collect := func() {
		mails, err := replicas[0].store.Deliveries.ClaimDeliveries(context.Background(), 100)
		must(err)
		for _, m := range mails {
			must(replicas[0].store.Deliveries.Delivered(context.Background(), m.ID))
			name, _, _ := strings.Cut(m.Subject, ":")
			named := map[string]bool{}
			for line := range strings.Lines(m.Body) {
				if _, id, ok := strings.Cut(strings.TrimSpace(line), "/listings/"); ok && !named[id] {
					named[id] = true
					notified[name+" "+id]++
				}
				if strings.HasPrefix(line, "Price drop: a listing") {
					notified["drop"]++
				}
			}
		}
	}
	var ids []string
	for i := range listings {
		ids = append(ids, bob.sells(t, fmt.Sprintf("Canon EOS R6 number %d", i), "canon/eos-r6", 90000))
	}
	ann.ask(t, "PUT", "/api/watchlist/"+ids[0], "", 200)
	_, err := replicas[1].store.Listings.EditListing(ctx, ids[0], bob.ID, 0, func(l *models.Listing) error { l.Price = 50000; return nil })
	must(err)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if collect(); len(notified) == searches*listings+2 { // the drop names its listing too
			break
		}
	}
	stop()
	work.Wait()
	collect()
	if len(notified) != searches*listings+2 {
		t.Errorf("%d of %d notifications: %v", len(notified), searches*listings+2, notified)
	}
	for what, times := range notified {
		if times != 1 {
			t.Errorf("%s was sent %d times", what, times)
		}
	}
}
