package handlers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestReplicasSeeEachOther runs two servers on one PostgreSQL while eight
// writers commit listings through either: every committed listing is found by
// searching both. The time from commit to found is logged, not tested; the
// benchmark of the store measures it.
func TestReplicasSeeEachOther(t *testing.T) {
	url := storetest.Postgres(t)
	replicas := []*testServer{newReplica(t, url), newReplica(t, url)}
	stores := []*store.Store{replicas[0].store, replicas[1].store}
	seller := models.Member{Handle: "eight-writers", Name: "Eight Writers", Region: "DE"}
	members := []models.Member{seller}
	if err := stores[0].Accounts.InsertMembers(t.Context(), members); err != nil {
		t.Fatal(err)
	}

	const writers, each = 8, 25
	type committed struct {
		word string
		at   time.Time
	}
	written := make(chan committed, writers*each)
	var work sync.WaitGroup
	for w := range writers {
		work.Go(func() {
			for i := range each {
				word := fmt.Sprintf("zq%dx%d", w, i)
				err := stores[w%2].Listings.InsertListings(t.Context(), []models.Listing{{
					SellerID: members[0].ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6 " + word,
					Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking}, Price: 90000, Region: "DE",
					Status: models.StatusActive, PublishedAt: models.TimeOf(testNow),
				}})
				if err != nil {
					t.Error(err)
					return
				}
				written <- committed{word, time.Now()}
			}
		})
	}
	go func() { work.Wait(); close(written) }()

	var mu sync.Mutex
	var waits []time.Duration
	var readers sync.WaitGroup
	for c := range written {
		for _, replica := range replicas {
			readers.Go(func() {
				if !replica.finds(c.word) {
					t.Errorf("the listing %s was committed and is not found", c.word)
				}
				mu.Lock()
				defer mu.Unlock()
				waits = append(waits, time.Since(c.at))
			})
		}
	}
	readers.Wait()
	for _, replica := range replicas {
		_, body := replica.do(t, "GET", "/api/listings/search?seller=eight-writers&limit=1")
		if want := fmt.Sprintf(`"total":%d,`, writers*each); !strings.Contains(body, want) {
			t.Errorf("a server does not answer %s: %.200s", want, body)
		}
	}
	slices.Sort(waits)
	t.Logf("%d listings by %d writers on two servers: 99th percentile from commit to found %v", writers*each, writers, waits[len(waits)*99/100])
}

// finds searches until there is a result for a word.
func (s *testServer) finds(word string) bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if found, err := s.index.Search(search.Query{Filter: search.Filter{Keyword: word}}); err == nil && found.Total == 1 {
			return true
		}
	}
	return false
}

// newReplica returns a server with its own store and index on a shared database.
func newReplica(t *testing.T, url string) *testServer {
	t.Helper()
	cfg := quiet(m())
	cfg.Store = storetest.Open(t, url, nil)
	cfg.Index = search.New(cfg.Catalog.Lookup())
	feed := search.NewFeed(cfg.Index, cfg.Store, market.CardRenderer(&testSite, cfg.Catalog), cfg.Log)
	cfg.Feed = feed
	s := build(cfg)
	if err := feed.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = feed.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return serveTest(t, s)
}
