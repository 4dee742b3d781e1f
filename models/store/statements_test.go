package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestPreparedStatements checks that a connection prepares a query when it runs again, that it
// keeps a limited number of statements, and that a query goes on after a migration.
func TestPreparedStatements(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.Postgres(t), nil)
	ctx := t.Context()
	must(t, s.OneConnection(ctx, func(c *sqlx.Conn) error {
		ask := func(query string, args ...any) (n int, err error) {
			err = c.GetContext(ctx, &n, query, args...)
			return n, err
		}
		prepared := func() int {
			t.Helper()
			n, err := ask(`SELECT COUNT(*) FROM pg_prepared_statements`)
			must(t, err)
			return n
		}
		others := prepared() // since the store was opened
		for i, want := range []int{0, 1, 1} {
			if n, err := ask(`SELECT CAST($1 AS INT) + 1`, i); err != nil || n != i+1 {
				t.Fatalf("run %d returns %d, %v", i+1, n, err)
			}
			if n := prepared() - others; n != want {
				t.Errorf("after run %d, %d statements are prepared, want %d", i+1, n, want)
			}
		}
		for i := range 2 * store.MaxStatements {
			query := fmt.Sprintf(`SELECT CAST($1 AS INT) + %d`, i)
			for range 2 {
				if n, err := ask(query, 1); err != nil || n != i+1 {
					t.Fatalf("%s returns %d, %v", query, n, err)
				}
			}
		}
		if n := prepared(); n == 0 || n > store.MaxStatements {
			t.Errorf("%d statements are prepared, want at most %d", n, store.MaxStatements)
		}
		return migratedQuery(t, ctx, c, ask)
	}))
}

// migratedQuery runs a query before and after the type of its column changes.
func migratedQuery(t *testing.T, ctx context.Context, c *sqlx.Conn, ask func(query string, args ...any) (int, error)) error {
	t.Helper()
	const query = `SELECT n FROM migrated WHERE n = $1`
	if _, err := c.ExecContext(ctx, `CREATE TEMPORARY TABLE migrated (n INT); INSERT INTO migrated VALUES (7)`); err != nil {
		return err
	}
	for range 3 {
		if n, err := ask(query, 7); err != nil || n != 7 {
			t.Fatalf("before the migration: %d, %v", n, err)
		}
	}
	if _, err := c.ExecContext(ctx, `ALTER TABLE migrated ALTER n TYPE BIGINT`); err != nil {
		return err
	}
	if _, err := ask(query, 7); err == nil {
		t.Error("a prepared query of other columns has no error")
	}
	n, err := ask(query, 7)
	if n != 7 {
		t.Errorf("after the migration: %d", n)
	}
	return err
}
