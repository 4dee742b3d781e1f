//go:build !race

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// hang is for how long PostgreSQL, Redis and S3 are gone, and for how long they hang. Both are
// left out if it is 0: tests of package handlers test them, without load.
var hang = flag.Duration("hang", 0, "how long PostgreSQL hangs in TestOutages, Redis and S3 in TestServiceOutages")

const (
	working    = 2 * time.Second // between outages
	maxAnswer  = 5 * time.Second // of any request
	maxReturn  = time.Second     // until all is fresh after the return
	maxReplace = time.Minute     // until nothing of a database that was replaced is shown
)

// TestOutages kills PostgreSQL under two servers with readers and writers, makes it hang,
// fails over to a standby, and replaces the database by an older copy. No request fails with
// 500 or takes longer than 5 seconds, searches and cached pages are always answered, all is
// fresh within a second after the return, nothing of the database that was replaced is shown
// after a minute, and no write is lost that was acknowledged.
func TestOutages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 20 seconds")
	}
	primary := storetest.NewServer(t)
	standby := primary.Standby()
	program := buildProgram(t)
	o := newOutages(t, primary.Either(standby), nil, program, program)
	ctx, cancel := context.WithCancel(t.Context())
	var load sync.WaitGroup
	t.Cleanup(func() { cancel(); load.Wait() })
	o.load(ctx, t, &load)
	time.Sleep(working)

	if *hang > 0 {
		o.outage(t, "killed", func() { primary.Kill(); time.Sleep(*hang) }, primary.Start)
		o.outage(t, "hung", func() { primary.Pause(); time.Sleep(*hang) }, primary.Resume)
	}
	o.outage(t, "failed over", func() { primary.Kill(); time.Sleep(2 * time.Second) }, standby.Promote)
	o.replace(t, standby)

	cancel()
	load.Wait()
	o.check(t)
	o.report(t)
}

// outages is servers under load whose database goes away.
type outages struct {
	url     string
	servers []*crash
	readers []outageReader
	awaited []string // names of the readers that must get fresh responses after a return
	writers []*outageWriter
	says    string       // what a server logs when it notices a return; "" if it need not
	seller  string       // id of a member
	writing sync.RWMutex // held by writes

	mu       sync.Mutex
	slowest  map[string]time.Duration
	statuses map[string]map[int]int
	stale    map[string]int
	fresh    []string
}

// outageReader is a request that is sent again and again.
type outageReader struct {
	name, method, path, body string
	header                   []string
	cached                   bool // always answered
}

// newOutages starts a server of each of the programs, with some settings, on a database that
// is migrated.
func newOutages(t *testing.T, url string, settings []string, programs ...string) *outages {
	t.Helper()
	then := time.Now().AddDate(-1, 0, 0) // accounts of last year are not subject to the limits of new ones
	clock := func() time.Time { return then }
	s := storetest.Open(t, url, func() time.Time { return clock() })
	ctx := t.Context()
	member := func(handle string) (id, token string) {
		m, err := s.Accounts.CreateAccount(ctx, models.Registration{Handle: handle, Email: handle + "@example.org", Password: "correct horse battery " + handle}, models.RoleMember)
		if err == nil {
			id = m.ID
			token, err = s.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "test", Scopes: models.RoleMember.Scopes()})
		}
		if err != nil {
			t.Fatal(err)
		}
		return id, token
	}
	o := &outages{url: url, awaited: []string{"token", "session", "listing", "search"}, slowest: map[string]time.Duration{}, statuses: map[string]map[int]int{}, stale: map[string]int{}}
	var token string
	o.seller, token = member("seller")
	clock = time.Now
	account, err := s.Accounts.Account(ctx, o.seller)
	if err != nil {
		t.Fatal(err)
	}
	session, err := s.Accounts.BeginSession(ctx, account, "test", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	steady := o.insert(t, s, "steady", 1)[0]
	for i, program := range programs {
		c := newOutageServer(t, program, url, settings)
		o.servers = append(o.servers, c)
		id, token := member(fmt.Sprintf("writer-%d", i))
		w := &outageWriter{outages: o, server: c, member: id, token: token, name: fmt.Sprintf("writer-%d", i), price: 10000}
		w.listing = o.insertOf(t, s, id, w.name, 1)[0]
		o.writers = append(o.writers, w)
	}
	bearer := []string{"Authorization", "Bearer " + token}
	tool := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_listings","arguments":{"keyword":"r6"}}}`
	o.readers = []outageReader{
		{name: "listing", path: "/listings/" + steady, cached: true},
		{name: "gear", path: "/gear/canon/eos-r6", cached: true},
		{name: "listing in JSON", path: "/api/listings/" + steady, cached: true},
		{name: "search", path: "/listings?keyword=r6", cached: true},
		{name: "search in JSON", path: "/api/listings/search?keyword=canon", cached: true},
		{name: "search with a token", path: "/api/listings/search?keyword=eos", header: bearer, cached: true},
		{name: "search with MCP", method: http.MethodPost, path: "/api/mcp", body: tool, cached: true,
			header: []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-06-18"}},
		{name: "token", path: "/api/me", header: bearer},
		{name: "session", path: "/account", header: []string{"Cookie", "session=" + session, "Accept", "text/html"}},
		{name: "health", path: "/api/health"},
	}
	for _, c := range o.servers {
		for i := range o.readers {
			for range 3 { // so that it is cached
				if status, _, body := c.ask(t, &o.readers[i]); status != http.StatusOK {
					t.Fatalf("%s is %d: %s", o.readers[i].name, status, body)
				}
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return o
}

// newOutageServer starts the program.
func newOutageServer(t *testing.T, program, url string, settings []string) *crash {
	t.Helper()
	c := &crash{program: program, url: url, data: t.TempDir(), client: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}
	c.env = append(os.Environ(), "DATABASE_URL="+url, "DATA_DIR="+c.data, "LISTEN_ADDR=127.0.0.1:0", "BASE_URL=", "LOG_FORMAT=text", "DEMO=false", "RATE_LIMIT=1000000", "TRUSTED_PROXIES=127.0.0.1")
	c.env = append(c.env, settings...)
	var err error
	if c.log, err = os.Create(filepath.Join(c.data, "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.kill()
		c.log.Close()
		if said, err := os.ReadFile(c.log.Name()); err == nil && t.Failed() {
			t.Logf("log of the program:\n%s", said[max(0, len(said)-6000):])
		}
	})
	c.start(t)
	return c
}

// insert puts listings of the seller up for sale and returns their ids.
func (o *outages) insert(t *testing.T, s *store.Store, title string, n int) []string {
	t.Helper()
	return o.insertOf(t, s, o.seller, title, n)
}

func (o *outages) insertOf(t *testing.T, s *store.Store, sellerID, title string, n int) (ids []string) {
	t.Helper()
	listings := make([]models.Listing, n)
	for i := range listings {
		listings[i] = models.Listing{SellerID: sellerID, Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprintf("Canon EOS R6 %s %d", title, i), Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
			Price: 10000, Region: "DE", Status: models.StatusActive, PublishedAt: models.TimeOf(time.Now())}
	}
	if err := s.Listings.InsertListings(t.Context(), listings); err != nil {
		t.Fatal(err)
	}
	for i := range listings {
		ids = append(ids, listings[i].ID)
	}
	return ids
}

// ask sends a request. The status is 0 if there was no response.
func (c *crash) ask(t *testing.T, r *outageReader) (status int, header http.Header, body string) {
	req, err := http.NewRequest(r.method, c.address+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Error(err)
		return 0, nil, ""
	}
	for i := 0; i < len(r.header); i += 2 {
		req.Header.Set(r.header[i], r.header[i+1])
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, nil, err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil, err.Error()
	}
	return resp.StatusCode, resp.Header, string(text)
}

// load starts the readers and writers of all servers, which run until ctx ends.
func (o *outages) load(ctx context.Context, t *testing.T, load *sync.WaitGroup) {
	for _, s := range o.servers {
		for i := range o.readers {
			load.Go(func() { o.read(ctx, t, s, &o.readers[i]) })
		}
	}
	for _, w := range o.writers {
		load.Go(func() { w.run(ctx, t) })
	}
}

// read sends a request again and again until ctx ends.
func (o *outages) read(ctx context.Context, t *testing.T, c *crash, r *outageReader) {
	for ctx.Err() == nil && !t.Failed() {
		began := time.Now()
		status, header, body := c.ask(t, r)
		o.record(t, r.name, began, status, header, body, r.cached)
		time.Sleep(20 * time.Millisecond)
	}
}

// record counts a response and fails the test if it is one that no outage excuses.
func (o *outages) record(t *testing.T, name string, began time.Time, status int, header http.Header, body string, cached bool) {
	took := time.Since(began)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.slowest[name] = max(o.slowest[name], took)
	if o.statuses[name] == nil {
		o.statuses[name] = map[int]int{}
	}
	o.statuses[name][status]++
	if header.Get("X-Stale") != "" {
		o.stale[name]++
		if header.Get("Age") == "" {
			t.Errorf("%s has X-Stale without Age", name)
		}
	}
	switch {
	case took > maxAnswer:
		t.Errorf("%s took %v", name, took)
	case status == http.StatusServiceUnavailable && header.Get("Retry-After") == "":
		t.Errorf("%s is a 503 without Retry-After: %.300s", name, body)
	case status == http.StatusServiceUnavailable && cached:
		t.Errorf("%s is not answered: %.300s", name, body)
	case status != http.StatusServiceUnavailable && status/100 != 2:
		t.Errorf("%s is %d: %.300s", name, status, body)
	}
}

// outage makes the database go away and return, and measures after how long requests get
// fresh responses again.
func (o *outages) outage(t *testing.T, name string, begin, end func()) {
	t.Helper()
	begin()
	logged := make([]int64, len(o.servers)) // bytes
	for i, c := range o.servers {
		logged[i] = c.logSize(t)
	}
	end()
	returned := time.Now()
	var asking sync.WaitGroup
	fresh := make(chan time.Duration, 100)
	for _, c := range o.servers {
		asking.Go(func() { fresh <- c.awaitFresh(t, &outageReader{path: "/readyz"}, returned) })
		for _, name := range o.awaited {
			r := o.reader(name)
			asking.Go(func() { fresh <- c.awaitFresh(t, &r, returned) })
		}
	}
	for i, c := range o.servers {
		asking.Go(func() { fresh <- c.awaitLog(t, logged[i], o.says, returned) })
	}
	asking.Wait()
	close(fresh)
	var last time.Duration
	for at := range fresh {
		last = max(last, at)
	}
	o.fresh = append(o.fresh, fmt.Sprintf("%s: what is asked after %v is fresh", name, last.Round(time.Millisecond)))
	if last > maxReturn {
		t.Errorf("%s: requests are answered as before only after %v", name, last)
	}
	for _, w := range o.writers { // each writes again
		w.await(t)
	}
	o.check(t)
	time.Sleep(working)
}

// awaitFresh returns how long after a moment the first request was sent that got a response
// which is not stale.
func (c *crash) awaitFresh(t *testing.T, r *outageReader, since time.Time) time.Duration {
	for time.Since(since) < patience {
		at := time.Since(since)
		if status, header, _ := c.ask(t, r); status == http.StatusOK && header.Get("X-Stale") == "" {
			return at
		}
		time.Sleep(5 * time.Millisecond)
	}
	return patience
}

func (o *outages) reader(name string) outageReader {
	return o.readers[slices.IndexFunc(o.readers, func(r outageReader) bool { return r.name == name })]
}

// replace replaces the database by a copy that lacks listings which both servers show.
func (o *outages) replace(t *testing.T, server *storetest.Server) {
	t.Helper()
	o.writing.Lock() // what is written after the copy was made is lost
	dump := server.Dump()
	s, err := store.Open(t.Context(), o.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	phantoms := o.insert(t, s, "phantom", 200)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.awaitPhantoms(t, phantoms[0], 200, http.StatusOK)
	server.Replace(dump)
	began := time.Now()
	o.writing.Unlock()
	o.awaitPhantoms(t, phantoms[0], 0, http.StatusNotFound)
	o.fresh = append(o.fresh, fmt.Sprintf("replaced: the last phantom is gone after %v", time.Since(began).Round(time.Millisecond)))
	for _, w := range o.writers {
		w.await(t)
	}
	o.awaitPhantoms(t, phantoms[0], 0, http.StatusNotFound) // nor do later changes bring it back
}

// awaitPhantoms waits until both servers find a number of phantoms and the page of one has
// a status.
func (o *outages) awaitPhantoms(t *testing.T, id string, total, status int) {
	t.Helper()
	began := time.Now()
	for _, c := range o.servers {
		for {
			page, _, _ := c.ask(t, &outageReader{path: "/listings/" + id})
			_, _, found := c.ask(t, &outageReader{path: "/api/listings/search?keyword=phantom&limit=1"})
			if page == status && strings.Contains(found, fmt.Sprintf(`"total":%d,`, total)) {
				break
			}
			if time.Since(began) > maxReplace {
				t.Fatalf("a phantom's page is %d, want %d; the search has %.200s", page, status, found)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// check compares the database with what was acknowledged.
func (o *outages) check(t *testing.T) {
	t.Helper()
	o.writing.Lock()
	defer o.writing.Unlock()
	s, err := store.Open(context.Background(), o.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, w := range o.writers {
		l, err := s.Listings.Listing(context.Background(), w.listing)
		if err != nil || int(l.Price) < w.acknowledged || int(l.Price) > w.price {
			t.Errorf("%s: the price is %v, acknowledged was %d, sent was %d (%v)", w.name, l.Price, w.acknowledged, w.price, err)
		}
		for _, id := range w.drafts {
			if l, err := s.Listings.OwnListing(context.Background(), id, w.member); err != nil || l.Status != models.StatusDraft {
				t.Errorf("%s: a draft that was acknowledged is %v (%v)", w.name, l, err)
			}
		}
	}
}

// report logs what was counted.
func (o *outages) report(t *testing.T) {
	for _, w := range o.writers {
		t.Logf("%s: %d prices and %d drafts were acknowledged", w.name, w.count, len(w.drafts))
	}
	for _, line := range o.fresh {
		t.Log(line)
	}
	for name, statuses := range o.statuses {
		t.Logf("%s: %v, %d stale, at most %v", name, statuses, o.stale[name], o.slowest[name].Round(time.Millisecond))
	}
}

// outageWriter raises the price of a listing, and adds a draft now and then.
type outageWriter struct {
	*outages
	server              *crash
	member, token, name string
	listing             string
	price               int // that was sent last, in cents
	acknowledged        int
	count               int      // of acknowledged prices
	drafts              []string // that were acknowledged
}

func (w *outageWriter) run(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil && !t.Failed() {
		w.writing.RLock()
		w.price++
		price := map[string]string{"amount": fmt.Sprintf("%d.%02d", w.price/100, w.price%100), "currency": "EUR"}
		if status, _ := w.send(t, "edit", http.MethodPatch, "/api/listings/"+w.listing, map[string]any{"price": price}); status == http.StatusOK {
			w.acknowledged = w.price
			w.count++
		}
		if w.price%10 == 0 {
			status, id := w.send(t, "draft", http.MethodPost, "/api/listings", map[string]any{"gear": "canon/eos-r6", "title": w.name, "condition": "good", "region": "DE", "price": price})
			if status == http.StatusCreated {
				w.drafts = append(w.drafts, id)
			}
		}
		w.writing.RUnlock()
		time.Sleep(10 * time.Millisecond)
	}
}

// send sends a write and returns its status, and the id in the response.
func (w *outageWriter) send(t *testing.T, name, method, path string, body any) (status int, id string) {
	content, _ := json.Marshal(body) // maps of strings
	r := outageReader{method: method, path: path, body: string(bytes.TrimSpace(content)),
		header: []string{"Authorization", "Bearer " + w.token, "Content-Type", "application/json", "If-Match", "*"}}
	began := time.Now()
	status, header, text := w.server.ask(t, &r)
	w.record(t, name, began, status, header, text, false)
	var answer struct{ ID string }
	_ = json.Unmarshal([]byte(text), &answer) // an error has none
	return status, answer.ID
}

// await waits until another write is acknowledged.
func (w *outageWriter) await(t *testing.T) {
	t.Helper()
	count := func() int {
		w.writing.Lock()
		defer w.writing.Unlock()
		return w.count
	}
	before := count()
	for deadline := time.Now().Add(patience); count() == before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) || t.Failed() {
			t.Fatalf("%s does not write again", w.name)
		}
	}
}
