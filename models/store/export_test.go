package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// TablesOfMembers returns the tables with foreign keys to members or their
// records, for the test of PersonalData.
func (s *Store) TablesOfMembers(ctx context.Context) (names []string, err error) {
	query := `SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND f."table" IN ('members', 'accounts', 'listings', 'offers', 'conversations', 'searches')`
	if _, ok := s.engine.(postgres); ok {
		query = `SELECT DISTINCT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confrelid::regclass::text IN ('members', 'accounts', 'listings', 'offers', 'conversations', 'searches')`
	}
	err = s.read.SelectContext(ctx, &names, query)
	return names, err
}

// TrendsOf returns the trends of a gear after each of its sales, which are
// eligible and in order, computed incrementally.
func TrendsOf(gear string, sales []models.Sale) (trends []*prices.Trend) {
	state := prices.NewTrendState(gear)
	for _, sale := range sales {
		state.Add(&sale)
		trends = append(trends, state.Trend())
	}
	return trends
}

// MissingListingColumns returns the columns of listings that the database lacks, for tests
// of older schemas.
func (s *Store) MissingListingColumns(ctx context.Context) (missing []string) {
	for _, c := range listingColumns {
		if _, err := s.read.ExecContext(ctx, `SELECT `+c.name+` FROM listings LIMIT 0`); err != nil {
			missing = append(missing, c.name)
		}
	}
	return missing
}

// MigrateTo applies the migrations up to a version, for tests of older schemas.
func (s *Store) MigrateTo(ctx context.Context, version int64) error { return s.migrateTo(ctx, version) }

// OneConnection calls each with a connection that reads.
func (s *Store) OneConnection(ctx context.Context, each func(*sqlx.Conn) error) error {
	c, err := s.read.Connx(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return each(c)
}

// MaxStatements is how many statements a connection to PostgreSQL keeps.
const MaxStatements = maxStatements

// MakeReadOnly makes all further writes fail as on a read-only SQLite database.
func (s *Store) MakeReadOnly(ctx context.Context) error {
	_, err := s.write.ExecContext(ctx, `PRAGMA query_only = 1`)
	return err
}

// IndexedQueries maps indexes to queries that need them, for the test of query plans.
var IndexedQueries = map[string]string{
	"offers_listing":       `SELECT id FROM offers WHERE listing_id = $1`, // as foreign keys do
	"messages_sender":      dailyMessages.query + ` ORDER BY 1 DESC LIMIT 1 OFFSET 9`,
	"changes_at":           lastExpiredChange,
	"sessions_expiry":      `DELETE FROM sessions WHERE expires_at < $1`,
	"listings_sitemap":     sitemapListingsQuery,
	"listings_sitemap max": sitemapModifiedQuery,
	"listings pkey":        sitemapPageQuery,
	"listings_status":      `SELECT ` + hasListed,
	"listing_serials_hash": `SELECT ` + itemOfSale + ` FROM sales s`,
}

// MarkVoided voids sales without the operations around it.
func (s *Store) MarkVoided(ctx context.Context, sales []models.Sale) error {
	return s.update(ctx, func(t *tx) error {
		for i := range sales {
			if _, err := t.ExecContext(ctx, `UPDATE sales SET voided_at = 1 WHERE id = $1`, sales[i].ID); err != nil {
				return err
			}
			touchTrend(t, sales[i].Gear)
		}
		return nil
	})
}

// FailAfterRollUp records a sale in a transaction that fails after the trend was
// updated.
func (s *Store) FailAfterRollUp(ctx context.Context, sale models.Sale) error {
	return s.update(ctx, func(t *tx) error {
		if _, err := addSales(ctx, t, []models.Sale{sale}); err != nil {
			return err
		}
		_, err := rollUpTouched(ctx, t)
		return errors.Join(err, errors.New("the transaction fails"))
	})
}

// Committed commits a transaction and stores its number among those of SQLite.
func (s *Store) Committed(ctx context.Context, number *uint64) error {
	return s.update(ctx, func(t *tx) error {
		*number = s.engine.(sqlite).log.began.Load() + 1
		return t.setSetting(ctx, "committed", fmt.Sprint(*number))
	})
}

// SyncedCommits returns how many of SQLite's transactions are on the disk.
func (s *Store) SyncedCommits() uint64 { return s.engine.(sqlite).log.synced.Load() }

// Locked calls do while a transaction holds the lock of a member.
func (db *database) Locked(ctx context.Context, memberID string, do func()) error {
	return db.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE members SET name = name WHERE id = $1`, memberID)
		if err == nil {
			do()
		}
		return err
	})
}

// Sleep runs a statement of PostgreSQL that takes a while.
func (db *database) Sleep(ctx context.Context, d time.Duration) error {
	_, err := db.read.ExecContext(ctx, `SELECT pg_sleep($1)`, d.Seconds())
	return err
}

// SleepScanning is Sleep on a connection that reads whole tables.
func (db *database) SleepScanning(ctx context.Context, d time.Duration) error {
	_, err := db.scan.ExecContext(ctx, `SELECT pg_sleep($1)`, d.Seconds())
	return err
}

// HoldReaders takes n connections that read, until release is called.
func (db *database) HoldReaders(tb testing.TB, n int) (release func()) {
	var held []*sqlx.Conn
	for range n {
		conn, err := db.read.Connx(tb.Context())
		if err != nil {
			tb.Fatal(err)
		}
		held = append(held, conn)
	}
	return func() {
		for _, conn := range held {
			conn.Close()
		}
	}
}

// ImportSalesAndDie is a batch of an import of sales whose process dies afterwards.
func (s *Store) ImportSalesAndDie(ctx context.Context, sales []models.Sale) (inserted, unchanged int, err error) {
	return s.Trades.AddImportedSales(ctx, sales)
}

// SalesOfItems calls each for the sales that the price index is made from, with what
// identifies the item.
func (s *Store) SalesOfItems(ctx context.Context, each func(sale *models.Sale, item string)) error {
	return s.Prices.eachPricedSale(ctx, "", itemOfSale, each)
}

// TraitsOf returns the traits of a sale from its details.
func TraitsOf(details string) []string { return prices.TraitsOf(details) }

// Evenly returns those of some ids that are chosen evenly, at most max.
func Evenly(max int, ids []string) []string {
	chosen := evenly[string]{max: max}
	for _, id := range ids {
		chosen.add(id, id)
	}
	return chosen.list()
}

// Transition is a transition of the state machine of listings.
type Transition struct {
	Step     models.Step
	From, To models.Status // To is "" if the listing is deleted or returns to its previous state
}

// Transitions returns the state machine of listings, for documentation.
func Transitions() []Transition {
	var all []Transition
	for step, move := range models.ListingTransitions {
		for _, from := range move.From {
			all = append(all, Transition{step, from, move.To})
		}
	}
	return all
}
