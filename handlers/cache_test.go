package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// cacheMarket is a market whose members write at random, and its pages.
type cacheMarket struct {
	*testServer
	dice     *rand.Rand
	members  []*testMember
	operator *testMember
	listings []string
	offers   []string
}

func newCacheMarket(t *testing.T, store *store.Store) *cacheMarket {
	cfg := quiet(emptyMarket(t))
	cfg.Store = store
	cfg.Feed = search.NewFeed(cfg.Index, store, market.CardRenderer(&cfg.Site, cfg.Catalog), cfg.Log)
	m := &cacheMarket{testServer: serveTest(t, build(cfg)), dice: rand.New(rand.NewPCG(1, 2))}
	must(cfg.Feed.Load(t.Context()))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- cfg.Feed.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	for _, handle := range []string{"ann", "bob", "cid"} {
		m.members = append(m.members, m.join(t, handle, models.RoleMember))
	}
	m.operator = m.join(t, "olga", models.RoleOperator)
	for len(m.listings) < 12 {
		m.publish(t)
	}
	return m
}

func one[T any](m *cacheMarket, of []T) T { return of[m.dice.IntN(len(of))] }

func (m *cacheMarket) money() string {
	return fmt.Sprintf(`{"amount":"%d.00","currency":"EUR"}`, 300+100*m.dice.IntN(12))
}

// call sends a request as a member, and returns the id in a successful response.
func (m *cacheMarket) call(t *testing.T, who *testMember, method, path, body string) (id string) {
	resp, text := m.send(t, method, path, body, "Authorization", "Bearer "+who.token, "Content-Type", "application/json", "Accept", "application/json", "If-Match", "*")
	if resp.StatusCode >= 500 {
		t.Fatalf("%s %s %s is %d: %s", method, path, body, resp.StatusCode, text)
	}
	var answer struct{ ID string }
	if resp.StatusCode < 300 {
		_ = json.Unmarshal([]byte(text), &answer) // not every response has an id
	}
	return answer.ID
}

func (m *cacheMarket) publish(t *testing.T) {
	gear := one(m, []string{"canon/eos-r6", "canon/eos-r5", "sony/alpha-7-iii", "nikon/z6", ""})
	seller := one(m, m.members)
	id := m.call(t, seller, "POST", "/api/listings", fmt.Sprintf(`{"gear":%q,"title":"%s boxed %d","category":"mirrorless","region":"DE","condition":%q,"price":%s}`,
		gear, strings.ReplaceAll(gear, "/", " "), m.dice.IntN(9), one(m, []string{"good", "excellent"}), m.money()))
	if id != "" {
		m.call(t, seller, "POST", "/api/listings/"+id+"/publish", "")
		m.listings = append(m.listings, id)
	}
}

// write does one random write, which may be refused.
func (m *cacheMarket) write(t *testing.T) (what string) {
	who, listing := one(m, m.members), one(m, m.listings)
	at := "/api/listings/" + listing
	switch n := m.dice.IntN(16); n {
	case 0:
		m.publish(t)
		return "publish"
	case 1, 2:
		m.call(t, who, "PATCH", at, `{"price":`+m.money()+`,"title":"Camera `+fmt.Sprint(m.dice.IntN(99))+`"}`)
		return "edit"
	case 3, 4:
		if id := m.call(t, who, "POST", at+"/offers", `{"amount":`+m.money()+`}`); id != "" {
			m.offers = append(m.offers, id)
		}
		return "offer"
	case 5, 6, 7:
		if len(m.offers) > 0 {
			offer := "/api/offers/" + one(m, m.offers)
			step := one(m, []string{"/accept", "/decline", "/complete", "/rating"})
			for _, who := range m.members { // one of them is the right one
				m.call(t, who, "POST", offer+step, map[string]string{"/rating": `{"stars":4,"text":"Thanks."}`}[step])
			}
			return step
		}
	case 8:
		m.call(t, who, "POST", at+"/sold", `{"price":`+m.money()+`}`)
		return "sale"
	case 9:
		m.call(t, who, "POST", at+"/messages", `{"text":"Is it still for sale?"}`)
		return "message"
	case 10:
		m.call(t, who, one(m, []string{"PUT", "DELETE"}), "/api/blocks/"+one(m, m.members).Handle, "")
		return "block"
	case 11:
		who.post(t, m.operation(t, "edit_profile").Page, fmt.Sprintf("name=Name+%d", m.dice.IntN(99)))
		return "rename"
	case 12, 13:
		_, _, err := m.store.Trades.ImportSales(t.Context(), []models.Sale{{Gear: one(m, []string{"canon/eos-r6", "nikon/z6"}), Condition: "good", Region: "DE",
			Price: models.Cents(50_000 + m.dice.IntN(9000)), SoldAt: models.TimeOf(testNow) - models.Time(m.dice.IntN(1e9))}})
		must(err)
		m.settle(t.Context())
		return "import"
	case 14:
		m.call(t, m.operator, "POST", at+one(m, []string{"/hide", "/restore"}), `{"note":"x"}`)
		return "moderate a listing"
	}
	m.call(t, m.operator, "POST", "/api/members/"+who.Handle+one(m, []string{"/suspend", "/reinstate"}), `{"note":"x"}`)
	return "moderate a member"
}

func (m *cacheMarket) pages() []string {
	pages := []string{"/", "/listings", "/listings?category=camera", "/listings?brand=canon&category=mirrorless", "/listings?brand=sony&category=camera&sort=price",
		"/listings?model=canon/eos-r6", "/listings?seller=ann", "/listings?keyword=boxed", "/listings?keyword=r6&sort=deal", "/listings?budget=-700&condition=good",
		"/api/listings/search?brand=nikon", "/gear", "/gear/canon", "/gear?keyword=z6", "/gear/canon/eos-r6", "/gear/sony/alpha-7-iii.json", "/gear/canon/eos-r6.csv",
		"/sellers/ann", "/sellers/bob.md", "/sellers/cid.json", "/guides", "/sitemap.xml"}
	for _, id := range m.listings {
		pages = append(pages, "/listings/"+id, "/api/listings/"+id)
	}
	return pages
}

// uncached is a cookie that a response is rendered for.
var uncached = []string{"Cookie", "notice=none"}

// TestCachedPagesAreCurrent compares cached pages with newly rendered ones after random
// writes. Each write must be visible in the next response.
func TestCachedPagesAreCurrent(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		t.Parallel()
		m := newCacheMarket(t, storetest.Open(t, url, nil))
		writes := 50
		if raceEnabled {
			writes = 10
		}
		for i := range writes {
			what := m.write(t)
			for n := range 10 {
				page := one(m, m.pages())
				if n == 0 {
					page = "/"
				}
				_, got := m.do(t, "GET", page)
				if n == 0 {
					m.trends.Forget()
				}
				_, want := m.do(t, "GET", page, uncached...)
				m.do(t, "GET", page)
				if got, want = withoutRequestID(got), withoutRequestID(want); got != want {
					at := differsAt(got, want)
					t.Fatalf("after write %d, %s, %s has %q in the cache, and %q when rendered", i, what, page, excerpt(got, at), excerpt(want, at))
				}
			}
		}
		if hits := m.CacheHits(); hits < uint64(3*writes) {
			t.Errorf("of %d requests %d were answered from the cache", 20*writes, hits)
		}
	})
}

// differsAt returns the index of the first byte in which two texts differ.
func differsAt(a, b string) (at int) {
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return at
}

// excerpt returns the part of a text around an index.
func excerpt(text string, at int) string { return text[max(at-200, 0):min(at+200, len(text))] }

// withoutRequestID removes the request id from an error.
func withoutRequestID(body string) string {
	from := strings.Index(body, `"request_id":"`)
	if from < 0 {
		from = strings.Index(body, "equest id")
	}
	if from < 0 {
		return body
	}
	return body[:from] + body[min(from+60, len(body)):]
}

// TestPrivateWritesKeepTheCache holds that refused and private writes, and cookies of
// other programs, leave cached responses in use.
func TestPrivateWritesKeepTheCache(t *testing.T) {
	t.Parallel()
	m := newCacheMarket(t, storetest.Open(t, storetest.SQLite(t), nil))
	pages := []string{"/", "/listings", "/listings?keyword=boxed", "/gear/canon/eos-r6", "/sellers/ann", "/listings/" + m.listings[0], "/sitemap.xml"}
	warm := func() {
		for range 2 {
			for _, page := range pages {
				m.do(t, "GET", page)
			}
		}
	}
	hit := func(what string, header ...string) {
		t.Helper()
		for _, page := range pages {
			before := m.CacheHits()
			if m.do(t, "GET", page, header...); m.CacheHits() != before+1 {
				t.Errorf("%s: %s is not answered from the cache", what, page)
			}
		}
	}
	warm()
	hit("nothing")
	hit("a cookie of another program", "Cookie", "_ga=GA1.1.2; theme=dark")
	hit("an unknown session", "Cookie", m.SessionCookie()+"=0123456789")
	for range 20 {
		m.send(t, "POST", "/sign-out", "", "Sec-Fetch-Site", "same-origin")
		m.send(t, "POST", "/api/listings", `{"title":"x"}`, "Content-Type", "application/json")
		m.call(t, m.members[0], "POST", "/api/listings", `{"price":"free"}`)
	}
	hit("refused writes")
	m.call(t, m.members[0], "POST", "/api/listings/"+m.listings[0]+"/messages", `{"text":"Hello?"}`)
	m.call(t, m.members[1], "POST", "/api/listings/"+m.listings[0]+"/messages", `{"text":"Hello?"}`)
	m.call(t, m.members[0], "PUT", "/api/watchlist/"+m.listings[0], "")
	hit("private writes")
}

// TestMembersShareCachedPages holds that a member gets the cached page of everybody
// with their own links, as if it were rendered for them.
func TestMembersShareCachedPages(t *testing.T) {
	t.Parallel()
	m := newCacheMarket(t, storetest.Open(t, storetest.SQLite(t), nil))
	ann := m.members[0]
	for _, op := range m.Operations() {
		if !op.Shared || strings.Contains(op.Page, "{") || op.Page == "" {
			continue
		}
		_, want := m.do(t, "GET", op.Page, "Accept", "text/html", "Cookie", "notice=none; "+ann.cookie)
		for i := range 4 {
			resp, got := m.do(t, "GET", op.Page, "Accept", "text/html", "Cookie", ann.cookie)
			if got != want {
				t.Errorf("request %d of a member for %s:\n%s\nrendered for them it is\n%s", i, op.Page, got, want)
			}
			if resp.Header.Get("Cache-Control") != web.CachePrivate {
				t.Errorf("%s for a member: Cache-Control %s", op.Page, resp.Header.Get("Cache-Control"))
			}
		}
		if _, body := m.do(t, "GET", op.Page, "Accept", "text/html"); strings.Contains(body, `href="/account"`) || !strings.Contains(body, `href="/sign-in"`) {
			t.Errorf("%s shows a stranger the links of a member", op.Page)
		}
	}
	for range 3 {
		m.do(t, "GET", "/listings", "Accept", "text/html", "Cookie", ann.cookie)
	}
	before := m.CacheHits()
	if m.do(t, "GET", "/listings", "Accept", "text/html", "Cookie", ann.cookie, "Accept-Encoding", "gzip"); m.CacheHits() != before+1 {
		t.Error("a member's page is not made from the cached one")
	}
}
