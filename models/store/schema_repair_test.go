package store_test

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/migrations"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// another returns the URL of another empty database on the same engine.
func another(t *testing.T, url string) string {
	if strings.HasPrefix(url, "sqlite:") {
		return storetest.EmptySQLite(t)
	}
	return storetest.EmptyPostgres(t)
}

// schema describes every column and index of a database.
func schema(t *testing.T, db *sql.DB, url string) (objects []string) {
	t.Helper()
	query := `SELECT tbl_name || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_master WHERE name NOT LIKE '%goose%' AND name <> 'sqlite_sequence'`
	if !strings.HasPrefix(url, "sqlite:") {
		query = `SELECT indexname || ' ' || indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE '%goose%'
			UNION SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '%goose%'`
	}
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var object string
		must(t, rows.Scan(&object))
		objects = append(objects, object)
	}
	must(t, rows.Err())
	slices.Sort(objects)
	return objects
}

// migrationVersions returns the versions of all migrations.
func migrationVersions(t *testing.T) (versions []int64) {
	t.Helper()
	names, err := fs.Glob(migrations.Files, "*.sql")
	must(t, err)
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.ParseInt(number, 10, 64)
		must(t, err)
		versions = append(versions, version)
	}
	return versions
}

// TestWrongRecord checks that a database starts whose record of migrations misses one
// that was applied, or contains one that was not, for every migration, with and without
// those after it.
func TestWrongRecord(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	versions := migrationVersions(t)
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		s, db := storetest.Open(t, url, nil), raw(t, url)
		want := schema(t, db, url)
		run := func(text string) {
			t.Helper()
			_, err := db.Exec(text)
			must(t, err)
		}
		check := func(what string, version int64) {
			t.Helper()
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatalf("%s %d: %v", what, version, err)
			}
			var recorded int
			must(t, db.QueryRow(`SELECT COUNT(DISTINCT version_id) FROM goose_db_version WHERE version_id > 0 AND is_applied`).Scan(&recorded))
			if got := schema(t, db, url); !slices.Equal(got, want) || recorded != len(versions) {
				t.Fatalf("%s %d: %d migrations recorded, the schema is\n%q, want\n%q", what, version, recorded, got, want)
			}
		}
		for _, version := range part(versions) {
			run(`DELETE FROM goose_db_version WHERE version_id = ` + strconv.FormatInt(version, 10))
			check("applied, not recorded:", version)
			run(`DELETE FROM goose_db_version WHERE version_id >= ` + strconv.FormatInt(version, 10))
			check("applied, not recorded from", version)
		}
		run(`DROP TABLE goose_db_version`)
		check("no record of", 0)
	})
}

// TestUnappliedMigration checks that a migration that is recorded but was not applied
// is applied, for every migration.
func TestUnappliedMigration(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	versions := migrationVersions(t)
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		storetest.Open(t, url, nil)
		want := schema(t, raw(t, url), url)
		for _, version := range part(versions) {
			url := another(t, url)
			s, err := store.Open(t.Context(), url, nil)
			must(t, err)
			must(t, s.MigrateTo(t.Context(), version-1))
			_, err = raw(t, url).Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (` + strconv.FormatInt(version, 10) + `, TRUE)`)
			must(t, err)
			if err := s.Migrate(t.Context()); err != nil {
				t.Errorf("recorded, not applied: %d: %v", version, err)
			} else if got := schema(t, raw(t, url), url); !slices.Equal(got, want) {
				t.Errorf("recorded, not applied: %d: the schema is\n%q, want\n%q", version, got, want)
			}
			must(t, s.Close())
		}
	})
}

// TestIncompleteSchema checks that a database that lacks a part of the schema is
// refused.
func TestIncompleteSchema(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url, nil)
		_, err := raw(t, url).Exec(`DROP TABLE reports`)
		must(t, err)
		if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "reports") || !strings.Contains(err.Error(), "incomplete") {
			t.Errorf("got %v", err)
		}
	})
}

// TestIncompleteFile checks that a file that is not a complete database is refused with
// a sentence, and left as it is.
func TestIncompleteFile(t *testing.T) {
	t.Parallel()
	url := storetest.EmptySQLite(t)
	s, err := store.Open(t.Context(), url, nil)
	must(t, errors.Join(err, s.Migrate(t.Context()), s.Close()))
	whole, err := os.ReadFile(strings.TrimPrefix(url, "sqlite:"))
	must(t, err)
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"empty":     {nil, "is empty (0 bytes)"},
		"short":     {whole[:20], "not an SQLite database"},
		"text":      {[]byte(strings.Repeat("no database ", 100)), "not an SQLite database"},
		"truncated": {whole[:len(whole)/2], "is incomplete"},
	} {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, c.content, 0o600))
		s, err := store.Open(t.Context(), "sqlite:"+path, nil)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "restore a backup") {
			t.Errorf("%s: got %v", name, err)
		}
		if left, err := os.ReadFile(path); err != nil || string(left) != string(c.content) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}
