package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/trade"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
	"github.com/secondlight/secondlight/views/viewstest"
)

// listed publishes a listing of a member.
func (m *testMember) listed(t testing.TB, title string) string {
	t.Helper()
	l := []models.Listing{{SellerID: m.ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: title, Text: "Used at weekends.", Item: models.Item{Condition: "excellent", Functional: models.FullyWorking},
		Price: 124900, Region: "DE", Status: models.StatusDraft}}
	must(m.server.store.Listings.InsertListings(context.Background(), l))
	_, err := m.server.store.Listings.Advance(context.Background(), l[0].ID, models.Move{Step: models.Publish, Seller: m.ID})
	must(err)
	return l[0].ID
}

// offers makes an offer on a listing and returns its id.
func (m *testMember) offers(t testing.TB, listing, amount string) string {
	t.Helper()
	return m.ask(t, "POST", "/api/listings/"+listing+"/offers", `{"amount":{"amount":"`+amount+`","currency":"EUR"}}`, 201)["id"].(string)
}

// listingStatus returns the public status of a listing.
func (s *testServer) listingStatus(t testing.TB, id string) string {
	t.Helper()
	_, body := s.do(t, "GET", "/api/listings/"+id)
	var l struct{ Status string }
	if err := json.Unmarshal([]byte(body), &l); err != nil {
		t.Fatal(err)
	}
	return l.Status
}

func steps(offer map[string]any) string { return strings.Trim(fmt.Sprint(offer["steps"]), "[]") }

// TestOfferIsNegotiated follows an offer from the first price to the sale, and
// checks at every turn what each side may do, and that the other is notified.
func TestOfferIsNegotiated(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	listing := ann.listed(t, "Canon EOS R6")

	made := bob.ask(t, "POST", "/api/listings/"+listing+"/offers", `{"amount":{"amount":"1000.00","currency":"EUR"},"message":"I could fetch it."}`, 201)
	id := made["id"].(string)
	if made["status"] != "pending" || made["role"] != "buyer" || steps(made) != "withdraw" || made["your_turn"] != false || made["listing"] != listing {
		t.Errorf("made: %v", made)
	}
	got := ann.ask(t, "GET", "/api/offers/"+id, "", 200)
	if got["role"] != "seller" || steps(got) != "accept counter decline" || got["your_turn"] != true || got["rounds_left"] != 7.0 {
		t.Errorf("the seller reads %v", got)
	}
	for _, turn := range []struct {
		by     *testMember
		amount string
		status string
	}{{ann, "1200.00", "countered"}, {bob, "1100.00", "pending"}, {ann, "1150.50", "countered"}} {
		got = turn.by.ask(t, "POST", "/api/offers/"+id+"/counter", `{"amount":{"amount":"`+turn.amount+`","currency":"EUR"},"message":"`+turn.amount+`, then"}`, 200)
		if got["status"] != turn.status || got["amount"].(map[string]any)["amount"] != turn.amount || got["your_turn"] != false {
			t.Errorf("countered with %s: %v", turn.amount, got)
		}
	}
	rounds := got["rounds"].([]any)
	if last := rounds[3].(map[string]any); len(rounds) != 4 || last["by"] != "seller" || last["message"] != "1150.50, then" {
		t.Errorf("rounds %v", rounds)
	}
	if e := ann.ask(t, "POST", "/api/offers/"+id+"/accept", "", 403); e["code"] != "not_your_turn" {
		t.Errorf("accepting one's own price: %v", e)
	}
	if got = bob.ask(t, "POST", "/api/offers/"+id+"/accept", "", 200); got["status"] != "accepted" || steps(got) != "withdraw" || got["expires_at"] != nil {
		t.Errorf("accepted: %v", got)
	}
	if status := s.listingStatus(t, listing); status != "reserved" {
		t.Errorf("the listing is %s", status)
	}
	if got := ann.ask(t, "GET", "/api/offers/"+id, "", 200); steps(got) != "complete withdraw" {
		t.Errorf("the seller of an accepted offer reads %v", got)
	}
	if e := bob.ask(t, "POST", "/api/offers/"+id+"/complete", "", 403); e["code"] != "not_your_turn" {
		t.Errorf("completed by the buyer: %v", e)
	}
	if got = ann.ask(t, "POST", "/api/offers/"+id+"/complete", "", 200); got["status"] != "completed" || steps(got) != "" {
		t.Errorf("completed: %v", got)
	}
	if got = bob.ask(t, "GET", "/api/offers/"+id, "", 200); steps(got) != "confirm dispute" || got["your_turn"] != true || got["expires_at"] == nil {
		t.Errorf("the buyer of a completed offer reads %v", got)
	}
	if got = bob.ask(t, "POST", "/api/offers/"+id+"/confirm", "", 200); got["status"] != "confirmed" || steps(got) != "" {
		t.Errorf("confirmed: %v", got)
	}
	for _, step := range []string{"accept", "decline", "withdraw", "complete", "confirm"} {
		if e := bob.ask(t, "POST", "/api/offers/"+id+"/"+step, "", 409); e["code"] != "wrong_status" {
			t.Errorf("%s of a confirmed offer: %v", step, e)
		}
	}
	l, err := s.store.Listings.Listing(context.Background(), listing)
	must(err)
	trend, err := s.store.Prices.Trend(context.Background(), "canon/eos-r6")
	must(err)
	if l.Status != models.StatusSold || l.SoldPrice != 115050 || trend.Summary.Count != 0 { // both are new
		t.Errorf("the listing is %s for %d, the trend %+v", l.Status, l.SoldPrice, trend.Summary)
	}
	mails := s.mails(t)
	if len(mails) != 7 {
		t.Fatalf("%d mails", len(mails))
	}
	notified := map[string]int{}
	for _, mail := range mails {
		notified[mail.Recipient]++
		if !strings.Contains(mail.Body, "/account/offers/"+id) || strings.Contains(mail.Subject+mail.Body, "@example.org") || strings.Contains(mail.Body, "fetch") {
			t.Errorf("mail %+v", mail)
		}
	}
	if notified["ann@example.org"] != 4 || notified["bob@example.org"] != 3 {
		t.Errorf("notified were %v", notified)
	}
}

// TestOffersAreRefused tests the error of each invalid step.
func TestOffersAreRefused(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob, eve := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "eve", models.RoleMember)
	listing, taken := ann.listed(t, "Canon EOS R6"), ann.listed(t, "Canon EOS R6, reserved")
	_, err := s.store.Listings.Advance(context.Background(), taken, models.Move{Step: models.Reserve, Seller: ann.ID})
	must(err)
	id := bob.offers(t, listing, "1000")
	unknown := "019aa7d2-7c00-7000-8000-00000000ffff"
	const amount = `{"amount":{"amount":"900.00","currency":"EUR"}}`
	for _, c := range []struct {
		who          *testMember
		path, body   string
		status       int
		code, inBody string
	}{
		{ann, "/api/listings/" + listing + "/offers", amount, 403, "own_listing", ""},
		{bob, "/api/listings/" + listing + "/offers", amount, 409, "offer_exists", ""},
		{bob, "/api/listings/" + taken + "/offers", amount, 409, "not_for_sale", ""},
		{bob, "/api/listings/" + unknown + "/offers", amount, 404, "listing_not_found", ""},
		{eve, "/api/listings/" + listing + "/offers", `{"amount":{"amount":"900.00","currency":"USD"}}`, 400, "invalid_parameter", "amount"},
		{eve, "/api/listings/" + listing + "/offers", `{"amount":{"amount":"900.005","currency":"EUR"}}`, 400, "invalid_parameter", "amount"},
		{eve, "/api/listings/" + listing + "/offers", `{"amount":{"amount":"0","currency":"EUR"}}`, 400, "invalid_parameter", "amount"},
		{eve, "/api/listings/" + listing + "/offers", `{"amount":{"amount":"-5","currency":"EUR"}}`, 400, "invalid_parameter", "amount"},
		{eve, "/api/listings/" + listing + "/offers", `{"amount":"900","message":"` + strings.Repeat("é", 1001) + `"}`, 400, "invalid_parameter", "message"},
		{eve, "/api/listings/" + listing + "/offers", `{"message":"hello"}`, 400, "missing_parameter", "amount"},
		{bob, "/api/offers/" + id + "/accept", "", 403, "not_your_turn", ""},
		{bob, "/api/offers/" + id + "/decline", "", 403, "not_your_turn", ""},
		{bob, "/api/offers/" + id + "/counter", amount, 403, "not_your_turn", ""},
		{ann, "/api/offers/" + id + "/withdraw", "", 403, "not_your_turn", ""},
		{ann, "/api/offers/" + id + "/complete", "", 409, "wrong_status", ""},
		{ann, "/api/offers/" + id + "/counter", `{"amount":{"amount":"900.00","currency":"GBP"}}`, 400, "invalid_parameter", "amount"},
		{eve, "/api/offers/" + id + "/accept", "", 404, "offer_not_found", ""},
		{eve, "/api/offers/" + id + "/counter", amount, 404, "offer_not_found", ""},
		{eve, "/api/offers/" + id + "/decline", "", 404, "offer_not_found", ""},
		{eve, "/api/offers/" + id + "/withdraw", "", 404, "offer_not_found", ""},
		{eve, "/api/offers/" + id + "/complete", "", 404, "offer_not_found", ""},
		{ann, "/api/offers/" + unknown + "/accept", "", 404, "offer_not_found", ""},
	} {
		e := c.who.ask(t, "POST", c.path, c.body, c.status)
		if e["code"] != c.code || e["hint"] == "" {
			t.Errorf("%s %s by %s: %v", c.path, c.body, c.who.Handle, e)
		}
		if c.inBody != "" && !strings.Contains(fmt.Sprint(e["errors"]), "field:"+c.inBody) {
			t.Errorf("%s %s does not name %s: %v", c.path, c.body, c.inBody, e)
		}
	}
	eve.ask(t, "GET", "/api/offers/"+id, "", 404)
	if offers := eve.ask(t, "GET", "/api/offers", "", 200)["offers"].([]any); len(offers) != 0 {
		t.Errorf("eve reads %v", offers)
	}

	members := []*testMember{ann, bob}
	for i := range models.MaxProposals - 1 {
		members[i%2].ask(t, "POST", "/api/offers/"+id+"/counter", fmt.Sprintf(`{"amount":"%d"}`, 1100+i), 200)
	}
	last := members[(models.MaxProposals-1)%2]
	if got := last.ask(t, "GET", "/api/offers/"+id, "", 200); got["rounds_left"] != 0.0 || strings.Contains(steps(got), "counter") {
		t.Errorf("after the last round: %v", got)
	}
	if e := last.ask(t, "POST", "/api/offers/"+id+"/counter", `{"amount":"1"}`, 409); e["code"] != "too_many_rounds" {
		t.Errorf("one round more: %v", e)
	}
}

// TestBuyersAreNotified tests that buyers are notified when their offer ends because
// the listing is gone or the offer has expired.
func TestBuyersAreNotified(t *testing.T) {
	t.Parallel()
	clock := &testClock{now: testNow}
	s := newMarketServer(t, clock.drive(t))
	ann, bob, eve := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "eve", models.RoleMember)
	notified := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, mail := range s.mails(t) {
			got = append(got, mail.Recipient+": "+mail.Subject)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s sent %q, want %q", what, got, want)
		}
	}
	traded := ann.listed(t, "Leica M6")
	won, lost := bob.offers(t, traded, "1000"), eve.offers(t, traded, "900")
	ann.ask(t, "POST", "/api/offers/"+won+"/accept", "", 200)
	s.mails(t)
	ann.ask(t, "POST", "/api/offers/"+won+"/complete", "", 200)
	notified("a sale", "bob@example.org: Is everything OK with Leica M6?", "eve@example.org: Offer closed: Leica M6 is no longer for sale")
	if got := eve.ask(t, "GET", "/api/offers/"+lost, "", 200); got["status"] != "declined" || got["rounds_left"] != 0.0 {
		t.Errorf("the offer that lost is %v", got)
	}
	ended := ann.listed(t, "Leica M3")
	bob.offers(t, ended, "1000")
	s.mails(t)
	ann.ask(t, "POST", "/api/listings/"+ended+"/end", `{"reason":"kept"}`, 200)
	notified("an end", "bob@example.org: Offer closed: Leica M3 is no longer for sale")
	open := ann.listed(t, "Leica M2")
	bob.offers(t, open, "1000")
	ann.ask(t, "POST", "/api/offers/"+eve.offers(t, open, "900")+"/counter", `{"amount":"950"}`, 200)
	s.mails(t)
	clock.add(models.OfferLifetime)
	must(s.store.Trades.ExpireOffers(context.Background()))
	notified("time", "ann@example.org: Your offer of €950 for Leica M2 has expired", "bob@example.org: Your offer of €1,000 for Leica M2 has expired")
	must(s.store.Trades.ExpireOffers(context.Background()))
	notified("time, once more")
}

// TestOffersAreListed tests the order, the filters and the pages of the list.
func TestOffersAreListed(t *testing.T) {
	t.Parallel()
	clock := &testClock{now: testNow}
	s := newMarketServer(t, clock.drive(t))
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	var ids []string
	for i := range 5 {
		clock.add(time.Minute)
		ids = append([]string{bob.offers(t, ann.listed(t, fmt.Sprintf("Canon EOS R6 number %d", i)), "1000")}, ids...)
	}
	clock.add(time.Minute)
	mine := ann.offers(t, bob.listed(t, "Canon EOS R6 of Bob's"), "900")
	list := func(query string) (got []string, next string) {
		t.Helper()
		page := ann.ask(t, "GET", "/api/offers"+query, "", 200)
		for _, o := range page["offers"].([]any) {
			got = append(got, o.(map[string]any)["id"].(string))
		}
		next, _ = page["next_cursor"].(string)
		return got, next
	}
	want := func(query string, want ...string) {
		t.Helper()
		if got, _ := list(query); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", query, got, want)
		}
	}
	ann.ask(t, "POST", "/api/offers/"+ids[4]+"/decline", "", 200)
	all := append([]string{mine, ids[4]}, ids[:4]...)
	slices.Sort(all[:2]) // of one instant, by id
	slices.Reverse(all[:2])
	want("", all...)
	want("?role=buyer", mine)
	want("?role=seller&status=pending", ids[:4]...)
	want("?status=declined", ids[4])
	o, err := s.store.Trades.Offer(context.Background(), ids[2], ann.ID)
	must(err)
	want("?listing="+o.ListingID, ids[2])
	want("?listing=nonsense")
	var paged []string
	for next, query := "", "?limit=2"; ; query = "?limit=2&cursor=" + url.QueryEscape(next) {
		var got []string
		if got, next = list(query); len(got) > 2 {
			t.Fatalf("%s has %v", query, got)
		}
		if paged = append(paged, got...); next == "" {
			break
		}
	}
	if !slices.Equal(paged, all) {
		t.Errorf("page by page %v, want %v", paged, all)
	}
	for _, query := range []string{"?cursor=x", "?cursor=AAAA", "?status=open", "?role=other", "?limit=0", "?limit=101", "?page=2"} {
		ann.ask(t, "GET", "/api/offers"+query, "", 400)
	}

	clock.add(models.OfferLifetime)
	want("?status=pending")
	want("?status=expired", append([]string{mine}, ids[:4]...)...)
	if e := ann.ask(t, "POST", "/api/offers/"+ids[0]+"/accept", "", 409); e["code"] != "wrong_status" {
		t.Errorf("accepting one that expired: %v", e)
	}
	if got := ann.ask(t, "GET", "/api/offers/"+ids[0], "", 200); got["status"] != "expired" || steps(got) != "" {
		t.Errorf("one that nobody answered is %v", got)
	}
	bob.offers(t, o.ListingID, "1000") // again
}

// TestOfferPages tests the pages of offers in a browser: the form on the listing, the
// thread, the steps, and an invalid form.
func TestOfferPages(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	listing := ann.listed(t, "Canon EOS R6")
	page := "/listings/" + listing

	resp, nobody := s.do(t, "GET", page, "Accept", "text/html")
	if resp.StatusCode != 200 || !strings.Contains(nobody, `href="/sign-in?next=`+url.QueryEscape(page)+`"`) || strings.Contains(nobody, `action="`+page+`/offers"`) {
		t.Error("the listing does not lead nobody to sign in")
	}
	resp, _ = s.send(t, "POST", page+"/offers", "amount=900", "Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
	if to := resp.Header.Get("Location"); resp.StatusCode != http.StatusSeeOther || to != "/sign-in?next="+url.QueryEscape(page) {
		t.Errorf("an offer of nobody's is %d to %s", resp.StatusCode, to)
	}
	if own := ann.read(t, page); strings.Contains(own, page+"/offers") {
		t.Error("the seller is asked for an offer")
	}
	if form := bob.read(t, page); !strings.Contains(form, `action="`+page+`/offers"`) || !strings.Contains(form, "Not enough sales to estimate a price: 5 more needed.") {
		t.Error("the listing has no form for an offer")
	}
	const typed = "amount=12%2C345%2C00&message=Would+you+%3Cb%3Etake%3C%2Fb%3E+that%3F"
	resp, body := bob.post(t, page+"/offers", typed)
	if resp.StatusCode != 400 || !strings.Contains(body, `value="12,345,00"`) || !strings.Contains(body, "Would you &lt;b&gt;take&lt;/b&gt; that?</textarea>") ||
		!strings.Contains(body, `id="make-offer-amount-fault"`) || !strings.Contains(body, `aria-invalid="true"`) {
		t.Errorf("a form that is wrong is %d without what was typed", resp.StatusCode)
	}
	resp, _ = bob.post(t, page+"/offers", "amount=1000%2C50&message=Would+you+%3Cb%3Etake%3C%2Fb%3E+that%3F")
	at := resp.Header.Get("Location")
	if resp.StatusCode != http.StatusSeeOther || !strings.HasPrefix(at, "/account/offers/") {
		t.Fatalf("an offer is %d to %s", resp.StatusCode, at)
	}
	if body := bob.read(t, at); !strings.Contains(body, "€1,000.50") || !strings.Contains(body, "&lt;b&gt;take") || !strings.Contains(body, `action="`+at+`/withdraw"`) ||
		strings.Contains(body, `action="`+at+`/accept"`) {
		t.Error("the buyer's page is not right")
	}
	resp, body = ann.post(t, at+"/counter", "amount=lots&message=no")
	if resp.StatusCode != 400 || !strings.Contains(body, `value="lots"`) || !strings.Contains(body, `>no</textarea>`) || !strings.Contains(body, `action="`+at+`/accept"`) {
		t.Errorf("a counter-offer that is wrong is %d", resp.StatusCode)
	}
	if resp, body = bob.post(t, at+"/accept", ""); resp.StatusCode != 403 || !strings.Contains(body, "other member&#39;s turn") || !strings.Contains(body, "<h1") {
		t.Errorf("a step out of turn is %d", resp.StatusCode)
	}
	for _, step := range []struct {
		by         *testMember
		step, form string
	}{{ann, "counter", "amount=1200&message=no"}, {bob, "accept", ""}, {ann, "complete", ""}, {bob, "confirm", ""}} {
		for _, who := range []*testMember{ann, bob} {
			s.sameFacts(t, who, at)
			s.sameFacts(t, who, "/account/offers")
		}
		resp, _ := step.by.post(t, at+"/"+step.step, step.form)
		if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != at {
			t.Errorf("%s is %d to %s", step.step, resp.StatusCode, resp.Header.Get("Location"))
		}
	}
	s.sameFacts(t, bob, at)
	s.sameFacts(t, bob, "/account/offers?status=confirmed&role=buyer")
	steps := func(body string) int { // forms of the page, except that of messages
		return strings.Count(body, `action="`+at) - strings.Count(body, `action="`+at+`/messages"`)
	}
	if body := bob.read(t, at); !strings.Contains(body, `action="`+at+`/rating"`) || steps(body) != 1 {
		t.Error("after the sale there is no way to rate, or a step left")
	}
	if resp, _ := bob.post(t, at+"/rating", "stars=5&text=As+described."); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("rating is %d", resp.StatusCode)
	}
	if body := bob.read(t, at); steps(body) > 0 {
		t.Error("who has rated is asked again")
	}
	if body := ann.read(t, at); !strings.Contains(body, `action="`+at+`/rating"`) {
		t.Error("the other side cannot rate")
	}
	s.sameFacts(t, ann, at)
}

// sameFacts checks that a member's page states the same facts in all formats.
func (s *testServer) sameFacts(t *testing.T, who *testMember, path string) {
	t.Helper()
	formats := map[string]string{}
	for _, format := range []string{"text/html", "text/markdown", "application/json"} {
		resp, body := s.do(t, "GET", path, "Cookie", who.cookie, "Accept", format)
		if resp.StatusCode != 200 || !strings.Contains(resp.Header.Get("Cache-Control"), "private") {
			t.Fatalf("%s as %s is %d, %s", path, format, resp.StatusCode, resp.Header.Get("Cache-Control"))
		}
		formats[format] = body
	}
	for _, format := range []string{"text/html", "text/markdown"} {
		missing, err := viewstest.Missing([]byte(formats["application/json"]), formats[format])
		must(err)
		if len(missing) > 0 {
			t.Errorf("%s as %s does not state %s", path, format, strings.Join(missing, "; "))
		}
	}
}

// TestOfferSamples checks the samples of the reference against their schemas.
func TestOfferSamples(t *testing.T) {
	t.Parallel()
	s := build(quiet(emptyMarket(t)))
	for _, op := range trade.Operations(s.trade) {
		resolved, err := vocabulary.SchemaOf(op.OutputType()).Resolve(nil)
		must(err)
		var value any
		sample, err := web.EncodeJSON(op.Sample())
		must(err)
		must(json.Unmarshal(sample, &value))
		if err := resolved.Validate(value); err != nil {
			t.Errorf("the sample of %s: %v", op.Name, err)
		}
	}
}

// testClock is a clock that moves only when set.
type testClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *testClock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// drive makes a server and its store use the clock.
func (c *testClock) drive(t testing.TB) func(*Config) {
	return func(cfg *Config) {
		cfg.Clock = c.time
		cfg.Store = storetest.Open(t, storetest.SQLite(t), c.time)
	}
}

// TestConcurrentOffers lets fifty requests for one thing come at once, to
// two servers on one database: one is done, the others are told why not.
func TestConcurrentOffers(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		requests := 50
		if raceEnabled {
			requests = 12 // all must be served before their deadline
		}
		var servers []*testServer
		for range 2 {
			servers = append(servers, newMarketServer(t, func(cfg *Config) { cfg.Store = storetest.Open(t, database, func() time.Time { return testNow }) }))
		}
		s, ctx := servers[0], context.Background()
		ann, bob := s.join(t, "ann", models.RoleOperator), s.join(t, "bob", models.RoleMember)
		// race sends them all at once and returns how many succeeded.
		race := func(what string, request func(i int) (token, path, body string), code string) (won int) {
			t.Helper()
			statuses, bodies := make([]int, requests), make([]string, requests)
			var group sync.WaitGroup
			for i := range requests {
				token, path, body := request(i)
				group.Go(func() {
					resp, text := servers[i%2].send(t, "POST", path, body, "Authorization", "Bearer "+token, "Content-Type", "application/json")
					statuses[i], bodies[i] = resp.StatusCode, text
				})
			}
			group.Wait()
			for i, status := range statuses {
				switch {
				case status/100 == 2:
					won++
				case status != http.StatusConflict || !strings.Contains(code+" ", bodyCode(bodies[i])+" "):
					t.Errorf("%s: lost by %d %s", what, status, bodies[i])
				}
			}
			if won != 1 {
				t.Errorf("%s: %d winners", what, won)
			}
			return won
		}

		listing := ann.listed(t, "Canon EOS R6")
		var offers []string
		for i := range requests {
			m := []models.Member{{Handle: fmt.Sprintf("buyer-%d", i), Name: "Buyer"}}
			must(s.store.Accounts.InsertMembers(ctx, m))
			o, err := s.store.Trades.MakeOffer(ctx, listing, m[0].ID, models.Cents(100000+i), "", models.DeliveryRequest{})
			must(err)
			offers = append(offers, o.ID)
		}
		race("accept", func(i int) (string, string, string) { return ann.token, "/api/offers/" + offers[i] + "/accept", "" }, "not_for_sale wrong_status")
		accepted := ann.ask(t, "GET", "/api/offers?status=accepted", "", 200)["offers"].([]any)
		if status := s.listingStatus(t, listing); len(accepted) != 1 || status != "reserved" {
			t.Errorf("%d offers are accepted, the listing is %s", len(accepted), status)
		}

		traded := ann.listed(t, "Canon EOS R6 of Bob's choice")
		race("offer", func(int) (string, string, string) {
			return bob.token, "/api/listings/" + traded + "/offers", `{"amount":"1111"}`
		}, "offer_exists")
		id := bob.ask(t, "GET", "/api/offers", "", 200)["offers"].([]any)[0].(map[string]any)["id"].(string)
		ann.ask(t, "POST", "/api/offers/"+id+"/accept", "", 200)
		race("complete", func(int) (string, string, string) { return ann.token, "/api/offers/" + id + "/complete", "" }, "wrong_status")
		race("confirm", func(int) (string, string, string) { return bob.token, "/api/offers/" + id + "/confirm", "" }, "wrong_status")
		trend, err := s.store.Prices.Trend(ctx, "canon/eos-r6")
		must(err)
		if trend.AllTime != 1 || trend.Summary.Count != 1 {
			t.Errorf("the trend counts %d of %d sales", trend.Summary.Count, trend.AllTime)
		}

		free := ann.listed(t, "Canon EOS R6 to be reserved")
		race("reserve", func(int) (string, string, string) { return ann.token, "/api/listings/" + free + "/reserve", "" }, "wrong_status")
	})
}

// bodyCode returns the code of an error.
func bodyCode(body string) string {
	var e struct{ Code string }
	if json.Unmarshal([]byte(body), &e) != nil || e.Code == "" {
		return "none"
	}
	return e.Code
}

// TestOfferOnAnIDInUpperCase tests that ids are case-insensitive, like UUIDs.
func TestOfferOnAnIDInUpperCase(t *testing.T) {
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	ben.offers(t, strings.ToUpper(ann.listed(t, "Canon EOS R6")), "1000.00")
}
