// Package storetest runs a test on every engine the store supports.
//
// PostgreSQL is a throw-away cluster made from the binaries of this machine,
// once for a test program, or the server of TEST_DATABASE_URL. Where there is
// neither, the PostgreSQL half is skipped, or fails when CI is set.
package storetest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// Each runs test once on SQLite and once on PostgreSQL, on an empty database
// of its own. Every call of open is another Store on that database, migrated,
// and closed when the test ends.
func Each(t *testing.T, test func(t *testing.T, open func() *models.Store)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) {
		test(t, func() *models.Store { return Open(t, url, nil) })
	})
}

// EachURL is Each for tests that open the database themselves.
func EachURL(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// Open opens and migrates a store that is closed when the test ends.
func Open(t testing.TB, databaseURL string, clock models.Clock) *models.Store {
	t.Helper()
	ctx := context.Background()
	s, err := models.Open(ctx, databaseURL, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

// SQLite is the address of a new database in a file that goes with the test.
func SQLite(t testing.TB) string {
	return "sqlite:" + filepath.Join(t.TempDir(), "test.db")
}

// Postgres is the address of a new, empty PostgreSQL database that goes with
// the test. Without a server the test is skipped; with CI set it fails.
func Postgres(t testing.TB) string {
	t.Helper()
	server, err := postgresServer()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("PostgreSQL must be tested in CI: ", err)
		}
		t.Skip("NOT TESTED ON POSTGRESQL: ", err)
	}
	return newDatabase(t, server)
}
