package store_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// listingStatuses are all states of a listing.
var listingStatuses = []models.Status{models.StatusDraft, models.StatusActive, models.StatusReserved, models.StatusSold, models.StatusEnded, models.StatusExpired, models.StatusRemoved}

// constraint is a constraint of the schema: the values it allows, and some it
// refuses. Values is nil for a range.
type constraint struct {
	table, column   string
	values          []string
	allowed, refuse []any
}

func (c *constraint) name() string { return c.table + "_" + c.column }

// oneOf returns the constraint of a column to values, as SQL literals.
func oneOf[T ~string](table, column string, values []T, others ...T) constraint {
	c := constraint{table: table, column: column, refuse: []any{"nonsense", "ACTIVE", " "}}
	for _, v := range slices.Concat(others, values) {
		c.values, c.allowed = append(c.values, string(v)), append(c.allowed, string(v))
	}
	return c
}

// amounts returns the constraint of a column to amounts of at least least.
func amounts(table, column string, least models.Cents) constraint {
	return constraint{table: table, column: column, allowed: []any{least, models.MaxAmount}, refuse: []any{least - 1, models.MaxAmount + 1}}
}

// constraints are the constraints on the values of columns.
func constraints() []constraint {
	offers := slices.Concat(models.OfferStatuses, []models.OfferStatus{"confirmed", "disputed"})
	slices.Sort(offers)
	return []constraint{
		oneOf("listings", "status", listingStatuses),
		oneOf("listings", "condition", models.Conditions, ""),
		oneOf("listings", "functional", models.Functionals, ""),
		amounts("listings", "price", 0),
		oneOf("offers", "status", slices.Compact(offers)),
		amounts("offers", "amount", 1),
		oneOf("sales", "condition", models.Conditions),
		amounts("sales", "price", 0),
		oneOf("sales", "status", []models.SaleStatus{models.SaleWaiting, models.SaleDisputed, models.SaleConfirmed}),
		oneOf("sales", "source", []models.SaleSource{models.SaleImported, models.SaleByShop, models.SaleByMembers, models.SaleDeclared}),
	}
}

var literal = regexp.MustCompile(`'([^']*)'`)

// definition returns the SQL of a constraint, from the schema of the database.
func (c *constraint) definition(t *testing.T, db *sql.DB, url string) (definition string) {
	t.Helper()
	query := `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = $1`
	if strings.HasPrefix(url, "sqlite:") {
		query = `SELECT substr(sql, instr(sql, 'WHEN'), instr(sql, 'BEGIN') - instr(sql, 'WHEN')) FROM sqlite_master WHERE name = $1 || '_inserted'`
	}
	must(t, db.QueryRow(query, c.name()).Scan(&definition))
	return definition
}

// TestColumnConstraints checks that the schema allows the values the program knows
// and no others, in new and in changed rows.
func TestColumnConstraints(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		owner := seller(t, s)
		must(t, s.Listings.InsertListings(ctx, []models.Listing{someListing(owner, 1)}))
		db := raw(t, url)
		exec := func(query string, args ...any) error { _, err := db.Exec(query, args...); return err }
		must(t, exec(`INSERT INTO sales (id, gear, condition, price, sold_at, region, demo) VALUES ('s', 'canon/eos-r6', 'good', 100, 1, 'DE', FALSE)`))
		must(t, exec(`INSERT INTO offers (id, listing_id, buyer_id, seller_id, status, amount, rounds, created_at, updated_at, expires_at)
			SELECT 'o', id, seller_id, seller_id, 'pending', 100, 1, 1, 1, 1 FROM listings`))
		for _, c := range constraints() {
			var words []string
			for _, m := range literal.FindAllStringSubmatch(c.definition(t, db, url), -1) {
				words = append(words, m[1])
			}
			slices.Sort(words)
			if slices.Sort(c.values); !slices.Equal(words, c.values) {
				t.Errorf("%s allows %q, the program knows %q", c.name(), words, c.values)
			}
			update := fmt.Sprintf(`UPDATE %s SET %s = $1`, c.table, c.column)
			for _, v := range c.allowed {
				if err := exec(update, v); err != nil {
					t.Errorf("%s refuses %v: %v", c.name(), v, err)
				}
			}
			for _, v := range c.refuse {
				for _, statement := range []string{update, copied(t, db, c)} {
					if err := exec(statement, v); err == nil || !strings.Contains(err.Error(), c.name()) {
						t.Errorf("%s with %v: %v", statement, v, err)
					}
				}
			}
		}
	})
}

// copied returns a statement that inserts a copy of the row in a constraint's table
// with another id and with $1 in its column.
func copied(t *testing.T, db *sql.DB, c constraint) string {
	t.Helper()
	rows, err := db.Query(`SELECT * FROM ` + c.table)
	must(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(t, err)
	values := slices.Clone(columns)
	values[slices.Index(columns, "id")] = `'another'`
	values[slices.Index(columns, c.column)] = `$1`
	return fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM %s`, c.table, strings.Join(columns, ", "), strings.Join(values, ", "), c.table)
}

// TestConstraintsOnOldRows checks that rows that violate the constraints don't stop
// the migration that adds them, and stay readable.
func TestConstraintsOnOldRows(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		must(t, s.Listings.InsertListings(ctx, []models.Listing{someListing(seller(t, s), 1)}))
		db := raw(t, url)
		exec := func(query string) { t.Helper(); _, err := db.Exec(query); must(t, err) }
		for _, c := range constraints() {
			if strings.HasPrefix(url, "sqlite:") {
				exec(`DROP TRIGGER ` + c.name() + `_inserted`)
				exec(`DROP TRIGGER ` + c.name() + `_updated`)
			} else {
				exec(`ALTER TABLE ` + c.table + ` DROP CONSTRAINT ` + c.name())
			}
		}
		for _, index := range []string{"offers_listing", "messages_sender", "changes_at", "sessions_expiry", "listings_sitemap"} {
			exec(`DROP INDEX ` + index)
		}
		exec(`DELETE FROM goose_db_version WHERE version_id = 13`)
		exec(`UPDATE listings SET condition = 'splendid'`)
		must(t, s.Migrate(ctx))
		must(t, s.Listings.EachActiveListing(ctx, func(l *models.Listing) error {
			if l.Condition != "splendid" {
				t.Errorf("condition %q", l.Condition)
			}
			return nil
		}))
		if _, err := db.Exec(`UPDATE listings SET condition = 'marvellous'`); err == nil {
			t.Error("the constraint is not back")
		}
	})
}

var placeholder = regexp.MustCompile(`\$\d`)

// TestQueryPlans checks that the queries that need an index use it.
func TestQueryPlans(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		storetest.Open(t, url, nil)
		db := raw(t, url)
		db.SetMaxOpenConns(1) // for SET
		explain := `EXPLAIN QUERY PLAN `
		if !strings.HasPrefix(url, "sqlite:") {
			_, err := db.Exec(`SET enable_seqscan = off`) // which is faster on an empty table
			must(t, err)
			explain = `EXPLAIN `
		}
		for index, query := range store.IndexedQueries {
			plan := planOf(t, db, explain+placeholder.ReplaceAllString(query, "'1'"))
			name, _, _ := strings.Cut(index, " ")
			if !strings.Contains(plan, name) || strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "SCAN listings\n") || index == "listings_status" && strings.Contains(plan, "SCAN l") {
				t.Errorf("%s doesn't use %s:\n%s", query, index, plan)
			}
		}
	})
}

func planOf(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(t, err)
	var plan strings.Builder
	for rows.Next() {
		cells := make([]any, len(columns))
		var line sql.NullString
		for i := range cells {
			cells[i] = new(any)
		}
		cells[len(cells)-1] = &line
		must(t, rows.Scan(cells...))
		plan.WriteString(line.String + "\n")
	}
	must(t, rows.Err())
	return plan.String()
}
