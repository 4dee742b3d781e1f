// Package storetest runs a test on every engine the store supports.
//
// For PostgreSQL it uses the server of TEST_DATABASE_URL, or starts a temporary cluster
// once per test binary if PostgreSQL is installed. Without either, PostgreSQL tests are
// skipped, or fail if CI is "true".
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// init makes the hashes of passwords cheap: tests hash many.
func init() { models.PasswordParams.Memory, models.PasswordParams.Iterations = 64, 1 }

// Each runs test on SQLite and, unless the race detector is on, on PostgreSQL, each time
// with an empty database; tests of concurrency always run on both. Every
// call of open returns another Store on that database, migrated to the latest schema
// and closed when the test ends.
func Each(t *testing.T, test func(t *testing.T, open func() *store.Store)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) {
		test(t, func() *store.Store { return Open(t, url, nil) })
	})
}

// EachURL is Each for tests that open the database themselves, with Open.
func EachURL(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	each(t, SQLite, Postgres, test)
}

// EachEmpty is EachURL for tests of migrations: the databases have no tables.
func EachEmpty(t *testing.T, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	each(t, EmptySQLite, EmptyPostgres, test)
}

func each(t *testing.T, sqlite, postgres func(testing.TB) string, test func(t *testing.T, databaseURL string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, sqlite(t)) })
	if name, _, _ := strings.Cut(t.Name(), "/"); !raceEnabled || concurrent[name] {
		t.Run("postgres", func(t *testing.T) { test(t, postgres(t)) })
	}
}

// concurrent names the tests of Each, EachURL and EachEmpty in which several goroutines or
// servers use one database at the same time. Under the race detector only these run on
// PostgreSQL: the code of the others is the same for both engines, and runs on SQLite.
var concurrent = map[string]bool{
	"TestBackupDuringWrites":        true,
	"TestChangeFeed":                true,
	"TestClaims":                    true,
	"TestCloseListing":              true,
	"TestConcurrentHandover":        true,
	"TestConcurrentLoginAttempts":   true,
	"TestConcurrentMessages":        true,
	"TestConcurrentOffers":          true,
	"TestConcurrentPurchases":       true,
	"TestConcurrentRollUps":         true,
	"TestDueSearchesAreClaimedOnce": true,
	"TestEditListing":               true,
	"TestFeedFollowsExchangeRates":  true,
	"TestFeedFollowsOtherProcesses": true,
	"TestFollow":                    true,
	"TestFollowAfterReconnect":      true,
	"TestFollowFailure":             true,
	"TestFollowOtherProcess":        true,
	"TestFollowPastLongTransaction": true,
	"TestFollowPruned":              true,
	"TestFollowUnordered":           true,
	"TestFreshness":                 true,
	"TestHoldDecisions":             true,
	"TestImportListingsRace":        true,
	"TestLease":                     true,
	"TestMigrate":                   true,
	"TestOperatorsStepDownAtOnce":   true,
	"TestPhotos":                    true,
	"TestPosition":                  true,
	"TestPositionOfCommit":          true,
	"TestRefreshTokenOnce":          true,
	"TestSerialRace":                true,
	"TestSnapshotOfPrunedChanges":   true,
	"TestTrendAlertsAreQueuedOnce":  true,
	"TestTrendsFollowOtherServers":  true,
	"TestWebhooksTakeTurns":         true,
}

// Open returns a Store that is migrated to the latest schema and closed when the test
// ends.
func Open(t testing.TB, databaseURL string, clock models.Clock) *store.Store {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, databaseURL, clock)
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

// SQLite returns the URL of a new SQLite database for Open, which is deleted after the
// test. It is a copy of one that was migrated once: migrating takes longer than most tests.
func SQLite(t testing.TB) string {
	t.Helper()
	url := EmptySQLite(t)
	if err := os.WriteFile(strings.TrimPrefix(url, "sqlite:"), migratedSQLite(), 0o600); err != nil {
		t.Fatal(err)
	}
	return url
}

// EmptySQLite returns the URL of a SQLite database that doesn't exist yet, which is
// deleted after the test.
func EmptySQLite(t testing.TB) string {
	return "sqlite:" + filepath.Join(t.TempDir(), "test.db")
}

// migratedSQLite returns the file of a migrated database.
var migratedSQLite = sync.OnceValue(func() []byte {
	dir, err := os.MkdirTemp("", "secondlight-template-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if err := migrate("sqlite:" + path); err != nil {
		panic(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return file
})

// migrate creates the latest schema in a database.
func migrate(databaseURL string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, databaseURL, nil)
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
}

// Postgres returns the URL of an empty PostgreSQL database for Open: a migrated one that
// later tests use again, or a new one on the server of TEST_DATABASE_URL, where nothing
// stays. Without a server the test is skipped, or fails if CI is "true".
func Postgres(t testing.TB) string {
	t.Helper()
	server := serverFor(t)
	template, err := postgresTemplate()
	if err != nil {
		t.Fatal(err)
	}
	if template == emptyTemplate {
		return newDatabase(t, server, template)
	}
	return reusedDatabase(t, server, template)
}

// EmptyPostgres is Postgres, but the database has no tables.
func EmptyPostgres(t testing.TB) string {
	t.Helper()
	return newDatabase(t, serverFor(t), emptyTemplate)
}

// emptyTemplate is the name of the database of every server that has nothing in it.
const emptyTemplate = "template0"

// serverFor returns the URL of the server for a test of PostgreSQL.
func serverFor(t testing.TB) string {
	t.Helper()
	server, err := postgresServer()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("PostgreSQL must be tested in CI: ", err)
		}
		t.Skip("NOT TESTED ON POSTGRESQL: ", err)
	}
	return server
}

// FillDisk makes every further write to a PostgreSQL database fail as if the server's
// disk were full.
func FillDisk(t testing.TB, databaseURL string) {
	t.Helper()
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(`
		CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
		DO $$ DECLARE name text; BEGIN
			FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
				EXECUTE format('CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE OR DELETE ON %I EXECUTE FUNCTION disk_full()', name);
			END LOOP;
		END $$`)
	if err != nil {
		t.Fatal(err)
	}
}

// postgresTemplate returns the name of a migrated database of the temporary cluster, to
// copy, or of an empty one on the server of TEST_DATABASE_URL.
var postgresTemplate = sync.OnceValues(func() (string, error) {
	if os.Getenv("TEST_DATABASE_URL") != "" {
		return emptyTemplate, nil
	}
	server, err := postgresServer()
	if err != nil {
		return "", err
	}
	const name = "migrated"
	if err := execute(server, `CREATE DATABASE `+name+` TEMPLATE `+emptyTemplate); err != nil {
		return "", err
	}
	return name, migrate(databaseOn(server, name))
})
