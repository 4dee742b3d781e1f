//go:build linux

package handlers

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/storetest"
)

const (
	maxOutageWait = 5 * time.Second // of a request while the database is away
	maxReturn     = time.Second     // until all is fresh after the return
)

// newWatchedServer returns a server on a database that may go away.
func newWatchedServer(t *testing.T, server *storetest.Server) *testServer {
	t.Helper()
	cfg := quiet(emptyMarket(t))
	cfg.Clock = time.Now
	cfg.Store = storetest.Open(t, server.URL, nil)
	cfg.Feed = search.NewFeed(cfg.Index, cfg.Store, market.CardRenderer(&cfg.Site, cfg.Catalog), cfg.Log)
	s := serveTest(t, build(cfg))
	must(cfg.Feed.Load(t.Context()))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- cfg.Feed.Run(ctx) }()
	go func() { ended <- cfg.Store.Watch(ctx) }()
	t.Cleanup(func() { cancel(); <-ended; <-ended })
	return s
}

// offer puts a listing of the member up for sale and returns its path.
func (m *testMember) offer(title string) string {
	l := []models.Listing{{SellerID: m.ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: title, Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
		Price: 90000, Region: "DE", Status: models.StatusActive, PublishedAt: models.TimeOf(time.Now())}}
	must(m.server.store.Listings.InsertListings(context.Background(), l))
	m.server.feed.Settle(context.Background())
	return "/listings/" + l[0].ID
}

// TestReplaced replaces the database under two servers by an older copy: what it does not
// have disappears from both, what is written later is found, and cursors of the database
// that is gone are refused.
func TestReplaced(t *testing.T) {
	server := storetest.NewServer(t)
	servers := []*testServer{newWatchedServer(t, server), newWatchedServer(t, server)}
	ann := servers[0].join(t, "ann", models.RoleMember)
	ann.offer("Canon EOS R6 before")
	dump := server.Dump()
	var phantoms []string
	for i := range 40 {
		phantoms = append(phantoms, ann.offer(fmt.Sprintf("Canon EOS R6 phantom %d", i)))
	}
	search := func(s *testServer, keyword string) string {
		_, body := s.do(t, "GET", "/api/listings/search?limit=1&keyword="+keyword)
		return body
	}
	await := func(what string, done func(s *testServer) bool) {
		t.Helper()
		began := time.Now()
		for _, s := range servers {
			for !done(s) {
				if time.Since(began) > time.Minute {
					t.Fatalf("%s: not within a minute", what)
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		t.Logf("%s after %v", what, time.Since(began).Round(time.Millisecond))
	}
	await("phantoms are found", func(s *testServer) bool { return strings.Contains(search(s, "phantom"), `"total":40,`) })
	_, cursor, err := ann.server.store.PublicChanges(t.Context(), "", 1000)
	must(err)
	for range 3 {
		ann.server.do(t, "GET", phantoms[0])
	}
	server.Replace(dump)
	await("phantoms are gone", func(s *testServer) bool { return strings.Contains(search(s, "phantom"), `"total":0,`) })
	for _, s := range servers {
		for _, path := range []string{phantoms[0], phantoms[39]} {
			if resp, _ := s.do(t, "GET", path); resp.StatusCode != 404 {
				t.Errorf("%s is %d", path, resp.StatusCode)
			}
		}
	}
	if resp, body := ann.server.do(t, "GET", "/api/changes?since="+cursor); resp.StatusCode != 410 {
		t.Errorf("an old cursor is %d: %s", resp.StatusCode, body)
	}
	for i := range 60 { // past the positions of before
		ann.offer(fmt.Sprintf("Canon EOS R6 after %d", i))
	}
	await("what is written later is found", func(s *testServer) bool { return strings.Contains(search(s, "after"), `"total":60,`) })
	if body := search(servers[1], "r6"); !strings.Contains(body, `"total":61,`) {
		t.Errorf("the index has %.200s", body)
	}
}

// TestOutage kills and pauses PostgreSQL under a server: what is cached, and searches, are
// answered and say that they may be outdated, everything else is a 503 within 5 seconds, and
// all is fresh within a second after the return.
func TestOutage(t *testing.T) {
	server := storetest.NewServer(t)
	s := newWatchedServer(t, server)
	ann := s.join(t, "ann", models.RoleMember)
	listings := make([]string, 3)
	for i := range listings {
		listings[i] = ann.offer("Canon EOS R6")
	}
	for range 3 {
		for _, page := range []string{listings[0], "/gear/canon/eos-r6", "/sellers/ann", "/"} {
			if resp, body := s.do(t, "GET", page); resp.StatusCode != 200 || resp.Header.Get("X-Stale") != "" {
				t.Fatalf("%s is %d, X-Stale %s: %.300s", page, resp.StatusCode, resp.Header.Get("X-Stale"), body)
			}
		}
	}
	token := "Bearer " + ann.token
	for i, outage := range []struct {
		name       string
		begin, end func()
	}{
		{"gone", server.Kill, server.Start},
		{"hung", server.Pause, server.Resume},
	} {
		t.Run(outage.name, func(t *testing.T) {
			other := listings[i+1] // not cached
			requests := []struct {
				name, method, path string
				header             []string
				status             int
			}{
				{"cached listing", "GET", listings[0], nil, 200},
				{"cached listing of a member", "GET", listings[0], []string{"Cookie", ann.cookie}, 200},
				{"cached gear", "GET", "/gear/canon/eos-r6", nil, 200},
				{"cached seller", "GET", "/sellers/ann", nil, 200},
				{"cached home page", "GET", "/", nil, 200},
				{"search", "GET", "/api/listings/search?keyword=r6", nil, 200},
				{"search with a token", "GET", "/api/listings/search?keyword=canon", []string{"Authorization", token}, 200},
				{"other listing", "GET", other, nil, 503},
				{"account", "GET", "/api/me", []string{"Authorization", token}, 503},
				{"health", "GET", "/api/health", nil, 503},
				{"write", "POST", "/api/listings", []string{"Authorization", token, "Content-Type", "application/json"}, 503},
			}
			outage.begin()
			over := false
			defer func() {
				if !over {
					outage.end()
				}
			}()
			// The first requests find out that the database is away.
			for round := range 2 {
				for _, r := range requests {
					began := time.Now()
					content := ""
					if r.method == "POST" {
						content = "{}"
					}
					resp, body := s.send(t, r.method, r.path, content, r.header...)
					took := time.Since(began)
					if took > maxOutageWait {
						t.Errorf("%s took %v", r.name, took)
					}
					if resp.StatusCode >= 500 && (resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "") {
						t.Errorf("%s is %d, Retry-After %q: %s", r.name, resp.StatusCode, resp.Header.Get("Retry-After"), body)
					}
					if round == 0 {
						continue
					}
					if resp.StatusCode != r.status {
						t.Errorf("%s is %d, want %d: %.300s", r.name, resp.StatusCode, r.status, body)
					}
					if stale := resp.Header.Get("X-Stale") != "" && resp.Header.Get("Age") != ""; stale != (resp.StatusCode == 200) {
						t.Errorf("%s is %d with X-Stale %q, Age %q", r.name, resp.StatusCode, resp.Header.Get("X-Stale"), resp.Header.Get("Age"))
					}
				}
				for deadline := time.Now().Add(maxOutageWait); s.store.Away() == 0 && time.Now().Before(deadline); {
					time.Sleep(10 * time.Millisecond)
				}
			}
			for s.Readiness() == nil {
				time.Sleep(50 * time.Millisecond)
			}
			if resp, body := s.do(t, "GET", "/readyz"); resp.StatusCode != 503 || !strings.Contains(body, "database") {
				t.Errorf("/readyz is %d %s", resp.StatusCode, body)
			}
			if resp, body := s.do(t, "GET", "/readyz?exclude=database"); resp.StatusCode != 200 {
				t.Errorf("without the database /readyz is %d %s", resp.StatusCode, body)
			}
			outage.end()
			over = true
			began := time.Now()
			for time.Since(began) < patience {
				resp, _ := s.do(t, "GET", other)
				if resp.StatusCode == 200 && resp.Header.Get("X-Stale") == "" && s.Readiness() == nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			took := time.Since(began)
			t.Logf("fresh after %v", took)
			if took > maxReturn && !raceEnabled {
				t.Errorf("not within %v", maxReturn)
			}
			for _, path := range []string{other, "/readyz", "/api/listings/search?keyword=r6"} {
				if resp, body := s.do(t, "GET", path); resp.StatusCode != 200 || resp.Header.Get("X-Stale") != "" {
					t.Errorf("%s is %d after the return: %.300s", path, resp.StatusCode, body)
				}
			}
		})
	}
}
