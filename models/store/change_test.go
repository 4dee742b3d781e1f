package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// timeout is the time limit for changes that must arrive, on a busy machine.
// BenchmarkFreshness measures the actual latency.
const timeout = time.Minute

// following records when a follower receives each change.
type following struct {
	mu    sync.Mutex
	heard map[models.Change]time.Time
	wake  chan struct{}
	end   chan error
}

// follow follows changes until the test ends.
func follow(t testing.TB, s *store.Store, from models.Position) *following {
	t.Helper()
	f := &following{heard: map[models.Change]time.Time{}, wake: make(chan struct{}, 1), end: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		f.end <- s.Follow(ctx, store.Mark{Position: from}, func(_ context.Context, entries []models.Entry) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			for _, c := range models.ChangesOf(entries) {
				if _, again := f.heard[c]; !again {
					f.heard[c] = time.Now()
				}
			}
			select {
			case f.wake <- struct{}{}:
			default:
			}
			return nil
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-f.end; !errors.Is(err, context.Canceled) {
			t.Errorf("Follow returned %v", err)
		}
	})
	return f
}

// wait waits for changes and returns those that did not arrive in time.
func (f *following) wait(most time.Duration, changes ...models.Change) (missing []models.Change) {
	deadline := time.After(most)
	for {
		missing = nil
		f.mu.Lock()
		for _, c := range changes {
			if f.heard[c].IsZero() {
				missing = append(missing, c)
			}
		}
		f.mu.Unlock()
		if len(missing) == 0 {
			return nil
		}
		select {
		case <-f.wake:
		case <-deadline:
			return missing
		}
	}
}

// changesSince returns the number of changes between two positions.
func changesSince(t testing.TB, s *store.Store, from, now models.Position) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	count := 0
	err := s.Follow(ctx, store.Mark{Position: from}, func(_ context.Context, entries []models.Entry) error {
		count += len(entries)
		return nil
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	return count
}

func position(t testing.TB, s *store.Store) models.Position {
	t.Helper()
	p, err := s.Position(t.Context())
	must(t, err)
	return p
}

// TestFollow checks that changes made between taking the position and following
// are delivered, of every kind and from other stores.
func TestFollow(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		writer, reader, ctx := open(), open(), t.Context()
		from := position(t, reader)
		owner := seller(t, writer)
		listings := []models.Listing{someListing(owner, 1), someListing(owner, 2)}
		must(t, writer.Listings.InsertListings(ctx, listings))
		early := []models.Change{{Kind: models.MemberChanged, Subject: owner},
			{Kind: models.ListingChanged, Subject: listings[0].ID}, {Kind: models.ListingChanged, Subject: listings[1].ID}}
		local, remote := follow(t, writer, from), follow(t, reader, from)
		for _, f := range []*following{local, remote} {
			if missing := f.wait(timeout, early...); missing != nil {
				t.Error("missing changes", missing)
			}
		}
		_, _, err := writer.Trades.ImportSales(ctx, []models.Sale{{Gear: listings[0].Gear, Condition: listings[0].Condition, Price: 5, SoldAt: someTime, Region: "DE"}})
		must(t, err)
		late := models.Change{Kind: models.GearChanged, Subject: listings[0].Gear}
		for _, f := range []*following{local, remote} {
			if missing := f.wait(timeout, late); missing != nil {
				t.Error("missing changes", missing)
			}
		}
	})
}

// TestFollowFailure checks that an error of the receiver ends Follow, and that
// following can resume at the same position.
func TestFollowFailure(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		from := position(t, s)
		owner := seller(t, s)
		refused := errors.New("refused")
		if err := s.Follow(t.Context(), store.Mark{Position: from}, func(context.Context, []models.Entry) error { return refused }); !errors.Is(err, refused) {
			t.Errorf("got %v", err)
		}
		if missing := follow(t, s, from).wait(timeout, models.Change{Kind: models.MemberChanged, Subject: owner}); missing != nil {
			t.Error("missing changes", missing)
		}
	})
}

// TestFollowPruned checks that old changes are pruned, and that only followers
// before the pruned position get ErrReload.
func TestFollowPruned(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now()
		clock := func() time.Time { return now }
		s, ctx := storetest.Open(t, url, clock), t.Context()
		old := position(t, s)
		owner := seller(t, s)
		listings := make([]models.Listing, 5200) // more than a batch of changes
		for i := range listings {
			listings[i] = someListing(owner, i)
		}
		must(t, s.Listings.InsertListings(ctx, listings))
		newer := position(t, s)
		now = now.Add(models.ChangeRetention + time.Hour)
		follow(t, s, newer)
		awaitNone(t, url, `SELECT COUNT(*) FROM changes`)
		err := s.Follow(ctx, store.Mark{Position: old}, func(context.Context, []models.Entry) error { return nil })
		if !errors.Is(err, store.ErrReload) {
			t.Errorf("got %v, want ErrReload", err)
		}
		f := follow(t, s, newer)
		must(t, advance(ctx, s, listings[0].ID, models.Move{Step: models.End}))
		if missing := f.wait(timeout, models.Change{Kind: models.ListingChanged, Subject: listings[0].ID}); missing != nil {
			t.Error("missing changes", missing)
		}
	})
}

// awaitNone waits until a count query returns 0.
func awaitNone(t testing.TB, url, count string, args ...any) {
	t.Helper()
	db, left := raw(t, url), 0
	for deadline := time.Now().Add(timeout); ; time.Sleep(10 * time.Millisecond) {
		must(t, db.QueryRow(count, args...).Scan(&left))
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d changes were not pruned", left)
		}
	}
}

// TestFollowPastLongTransaction checks that an open transaction on PostgreSQL,
// whatever it has written, does not delay the changes of others.
func TestFollowPastLongTransaction(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	s, ctx := storetest.Open(t, url, nil), t.Context()
	owner := seller(t, s)
	f := follow(t, s, position(t, s))
	long, err := raw(t, url).Begin()
	must(t, err)
	defer long.Rollback()
	if _, err := long.Exec(`INSERT INTO settings (name, value) VALUES ('open', '')`); err != nil {
		t.Fatal(err)
	}
	listings := []models.Listing{someListing(owner, 1)}
	must(t, s.Listings.InsertListings(ctx, listings))
	if missing := f.wait(timeout, models.Change{Kind: models.ListingChanged, Subject: listings[0].ID}); missing != nil {
		t.Fatal("delayed changes", missing)
	}
}

// TestFollowAfterReconnect checks that changes written while the listener was
// disconnected are delivered.
func TestFollowAfterReconnect(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	s, ctx := storetest.Open(t, url, nil), t.Context()
	owner := seller(t, s)
	f := follow(t, s, position(t, s))
	db := raw(t, url)
	for i := range 3 {
		if _, err := db.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`); err != nil {
			t.Fatal(err)
		}
		listings := []models.Listing{someListing(owner, i)}
		for s.Listings.InsertListings(ctx, listings) != nil { // its own connection was cut too
			time.Sleep(10 * time.Millisecond)
		}
		if missing := f.wait(timeout, models.Change{Kind: models.ListingChanged, Subject: listings[0].ID}); missing != nil {
			t.Fatal("missing changes", missing)
		}
	}
}

// TestFreshness checks that two stores receive every committed change of eight
// writers, and logs the latency.
func TestFreshness(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		latencies := freshness(t, open, 40)
		t.Logf("%d commits by 8 writers to 2 stores: latency median %v, 99th percentile %v, max %v", len(latencies)/2,
			latencies[len(latencies)/2], latencies[len(latencies)*99/100], latencies[len(latencies)-1])
	})
}

// BenchmarkFreshness reports the 99th percentile of the latency of changes on
// two stores with eight writers.
func BenchmarkFreshness(b *testing.B) {
	for _, engine := range []struct {
		name string
		url  func(testing.TB) string
	}{{"sqlite", storetest.SQLite}, {"postgres", storetest.Postgres}} {
		b.Run(engine.name, func(b *testing.B) {
			url := engine.url(b)
			latencies := freshness(b, func() *store.Store { return storetest.Open(b, url, nil) }, max(b.N/8, 1))
			b.ReportMetric(float64(latencies[len(latencies)*99/100].Microseconds())/1000, "ms-p99")
		})
	}
}

// freshness lets eight writers insert listings through two stores, checks that
// both stores receive every change, and returns the sorted latencies.
func freshness(t testing.TB, open func() *store.Store, each int) []time.Duration {
	t.Helper()
	stores := []*store.Store{open(), open()}
	owner := seller(t, stores[0])
	var followers []*following
	for _, s := range stores {
		followers = append(followers, follow(t, s, position(t, s)))
	}
	var mu sync.Mutex
	committed := map[models.Change]time.Time{}
	var wg sync.WaitGroup
	for writer := range 8 {
		wg.Go(func() {
			for i := range each {
				listings := []models.Listing{someListing(owner, i)}
				if err := stores[writer%2].Listings.InsertListings(context.Background(), listings); err != nil {
					t.Error(err)
					return
				}
				now := time.Now()
				mu.Lock()
				committed[models.Change{Kind: models.ListingChanged, Subject: listings[0].ID}] = now
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	var all []models.Change
	for c := range committed {
		all = append(all, c)
	}
	var latencies []time.Duration
	for i, f := range followers {
		if missing := f.wait(timeout, all...); missing != nil {
			t.Fatalf("store %d lost %d of %d listings", i, len(missing), len(all))
		}
		f.mu.Lock() // changes may be delivered again
		for c, at := range committed {
			latencies = append(latencies, max(0, f.heard[c].Sub(at)))
		}
		f.mu.Unlock()
	}
	slices.Sort(latencies)
	return latencies
}

// TestFollowOtherProcess checks that a listing added by another process is
// delivered, and logs the latency.
func TestFollowOtherProcess(t *testing.T) {
	t.Parallel()
	if url := os.Getenv("TEST_WRITE_LISTING_TO"); url != "" {
		s := storetest.Open(t, url, nil)
		owner, err := s.Accounts.Member(t.Context(), "seller-0")
		must(t, err)
		listings := []models.Listing{someListing(owner.ID, 1)}
		must(t, s.Listings.InsertListings(t.Context(), listings))
		fmt.Printf("wrote %s at %d\n", listings[0].ID, time.Now().UnixMilli())
		return
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url, nil)
		seller(t, s)
		f := follow(t, s, position(t, s))
		other := exec.Command(os.Args[0], "-test.run", "^TestFollowOtherProcess$")
		other.Env = append(os.Environ(), "TEST_WRITE_LISTING_TO="+url)
		said, err := other.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		var id string
		var at int64
		_, rest, _ := strings.Cut(string(said), "wrote ")
		if _, err := fmt.Sscanf(rest, "%s at %d", &id, &at); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		change := models.Change{Kind: models.ListingChanged, Subject: id}
		if missing := f.wait(timeout, change); missing != nil {
			t.Fatal("missing changes", missing)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		t.Logf("delivered after %v", f.heard[change].Sub(time.UnixMilli(at)))
	})
}

// TestFollowUnordered checks that the changes of a process that died after its commit,
// before they had positions, are delivered within two seconds.
func TestFollowUnordered(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	s := storetest.Open(t, url, nil)
	f := follow(t, s, position(t, s))
	_, err := raw(t, url).Exec(`INSERT INTO unordered_changes (kind, subject, event, member_id, version, at) VALUES ('listing', 'left', '', '', 0, 0)`)
	must(t, err)
	start, change := time.Now(), models.Change{Kind: models.ListingChanged, Subject: "left"}
	if missing := f.wait(timeout, change); missing != nil {
		t.Fatal("missing changes", missing)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("delivered after %v", took)
	}
}

// TestPositionOfCommit checks that a commit reports a position at which its changes are
// visible to readers, with many writers.
func TestPositionOfCommit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		stores := []*store.Store{open(), open()}
		owner := seller(t, stores[0])
		var wg sync.WaitGroup
		for writer := range 8 {
			s := stores[writer%2]
			wg.Go(func() {
				for i := range 20 {
					before, err := s.Position(context.Background())
					if err != nil {
						t.Error(err)
						return
					}
					listings := []models.Listing{someListing(owner, i)}
					if err := s.Listings.InsertListings(context.Background(), listings); err != nil {
						t.Error(err)
						return
					}
					entries, err := s.Entries(context.Background(), before, 1000)
					if err != nil || !slices.ContainsFunc(entries, func(e models.Entry) bool { return e.Subject == listings[0].ID }) {
						t.Errorf("a commit is not among the %d changes after its beginning: %v", len(entries), err)
					}
				}
			})
		}
		wg.Wait()
	})
}
