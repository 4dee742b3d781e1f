package store_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/migrations"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// expansion is what a later release may do to the schema while this one runs.
var expansion = []string{
	`ALTER TABLE listings ADD COLUMN later BIGINT NOT NULL DEFAULT 7`,
	`ALTER TABLE accounts ADD COLUMN later TEXT NOT NULL DEFAULT ''`,
	`CREATE TABLE later (id TEXT PRIMARY KEY, listing_id TEXT NOT NULL REFERENCES listings (id))`,
	`CREATE INDEX listings_later ON listings (later)`,
	`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)`,
}

// TestLaterSchema checks that the program runs on the schema of a later release, which it
// leaves as it is, unless that says that it can't.
func TestLaterSchema(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		ctx, s := t.Context(), storetest.Open(t, url, nil)
		db := raw(t, url)
		for _, statement := range expansion {
			_, err := db.Exec(statement)
			must(t, err)
		}
		want := schema(t, db, url)
		must(t, s.Migrate(ctx))
		must(t, s.CheckSchema(ctx))
		anna := account(t, s, "anna")
		listings := []models.Listing{someListing(anna.ID, 1)}
		must(t, s.Listings.InsertListings(ctx, listings))
		if l, err := s.Listings.OwnListing(ctx, listings[0].ID, anna.ID); err != nil || l.Title != listings[0].Title {
			t.Errorf("read %+v, %v", l, err)
		}
		if got := schema(t, db, url); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("the schema became\n%q, was\n%q", got, want)
		}
		_, err := db.Exec(`UPDATE settings SET value = '99999' WHERE name = 'compatible_since'`)
		must(t, err)
		for name, err := range map[string]error{"migrate": s.Migrate(ctx), "check": s.CheckSchema(ctx)} {
			if err == nil || !strings.Contains(err.Error(), "99999") || !strings.Contains(err.Error(), "newer") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestEarlierSchema checks that a schema that is to be migrated is not run on.
func TestEarlierSchema(t *testing.T) {
	t.Parallel()
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), url, nil)
		must(t, err)
		defer s.Close()
		for _, c := range []struct {
			version int64
			says    string
		}{{0, "no schema yet"}, {released, "the database has schema 24"}} {
			must(t, s.MigrateTo(t.Context(), c.version))
			if err := s.CheckSchema(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "secondlight migrate") {
				t.Errorf("schema %d: %v", c.version, err)
			}
		}
		must(t, s.Migrate(t.Context()))
		must(t, s.CheckSchema(t.Context()))
	})
}

// contraction matches a statement that a program of an earlier release may not survive.
var contraction = regexp.MustCompile(`(?i)\b(DROP (TABLE|COLUMN|CONSTRAINT)|RENAME|ADD CONSTRAINT|SET NOT NULL|ALTER COLUMN)\b`)

// TestContractionsAreDeclared checks that migrations that remove or rename something say
// which releases still run on the schema.
func TestContractionsAreDeclared(t *testing.T) {
	t.Parallel()
	const since = 36 // whose migration begins the contract
	names, err := fs.Glob(migrations.Files, "*.sql")
	must(t, err)
	for i, version := range migrationVersions(t) {
		text, err := fs.ReadFile(migrations.Files, names[i])
		must(t, err)
		if found := contraction.Find(text); version > since && found != nil && !strings.Contains(string(text), "compatible_since") {
			t.Errorf("%s contains %q: set compatible_since in settings, or say in a comment with that word why earlier releases run on", names[i], found)
		}
	}
}
