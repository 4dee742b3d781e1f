package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// openWith returns a store with options on a database that exists.
func openWith(t *testing.T, url string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.OpenWith(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestLockTimeout holds a lock in one store, and checks how long a write of another
// waits for it.
func TestLockTimeout(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		holder := storetest.Open(t, url, nil)
		member := seller(t, holder)
		s := openWith(t, url, store.Options{LockTimeout: 200 * time.Millisecond})
		err := holder.Locked(t.Context(), member, func() {
			started := time.Now()
			err := s.Accounts.EditMember(t.Context(), member, "Jane", "", "")
			if took := time.Since(started); !store.IsUnavailable(err) || took < 150*time.Millisecond || took > 5*time.Second {
				t.Errorf("%v after %v, want unavailable after 200 ms", err, took)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Accounts.EditMember(t.Context(), member, "Jane", "", ""); err != nil {
			t.Errorf("once the lock was released: %v", err)
		}
	})
}

// TestStatementTimeout checks that PostgreSQL ends statements that take too long, except
// reads of whole tables, and that a URL may set its own.
func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	storetest.Open(t, url, nil)
	for _, c := range []struct {
		name, url string
		ends      bool
	}{
		{"setting", url, true},
		{"URL", url + "&statement_timeout=0", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openWith(t, c.url, store.Options{StatementTimeout: 100 * time.Millisecond})
			if err := s.Sleep(t.Context(), 300*time.Millisecond); store.IsUnavailable(err) != c.ends {
				t.Errorf("a slow statement returned %v", err)
			}
			if err := s.SleepScanning(t.Context(), 300*time.Millisecond); err != nil {
				t.Errorf("a read of a whole table returned %v", err)
			}
		})
	}
}

// TestMaxConnections holds all connections and checks that the next query waits for one.
func TestMaxConnections(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		storetest.Open(t, url, nil)
		s := openWith(t, url, store.Options{MaxConnections: 2})
		release := s.HoldReaders(t, 2)
		waiting, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := s.Ping(waiting); err == nil {
			t.Error("a third connection was opened")
		}
		release()
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestBusyServerIsThere locks the table that Watch reads, so that only queries of others are
// answered, until Watch has given up on a connection.
func TestBusyServerIsThere(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.Postgres(t), nil)
	watching, stop := context.WithCancel(t.Context())
	var watch sync.WaitGroup
	watch.Go(func() { _ = s.Watch(watching) })
	defer watch.Wait()
	defer stop()
	must(t, s.OneConnection(t.Context(), func(c *sqlx.Conn) error {
		lock, err := c.BeginTxx(t.Context(), nil)
		must(t, err)
		defer lock.Rollback()
		_, err = lock.Exec(`LOCK TABLE settings`)
		must(t, err)
		for waiting := 0; waiting < 2; {
			must(t, lock.Get(&waiting, `SELECT COUNT(*) FROM pg_locks WHERE relation = 'settings'::regclass AND NOT granted`))
			if away := s.Away(); away > 0 {
				t.Fatalf("away for %v, while queries are answered", away)
			}
		}
		return nil
	}))
}

// TestDeadlines ends statements and transactions by the deadline of their context.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url, nil)
		const endless = `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000000000) SELECT COUNT(*) FROM c`
		for what, run := range map[string]func(ctx context.Context, c *sqlx.Conn) error{
			"statement": func(ctx context.Context, c *sqlx.Conn) error { return c.GetContext(ctx, new(int64), endless) },
			"commit": func(ctx context.Context, c *sqlx.Conn) error {
				tx, err := c.BeginTxx(ctx, nil)
				must(t, err)
				<-ctx.Done()
				return tx.Commit()
			},
		} {
			must(t, s.OneConnection(t.Context(), func(c *sqlx.Conn) error {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				if err := run(ctx, c); !store.IsUnavailable(err) {
					t.Errorf("%s after its deadline: %v", what, err)
				}
				return nil
			}))
		}
	})
}
