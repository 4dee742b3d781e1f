// Package store reads and writes the site's data in SQLite or PostgreSQL.
package store

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/models"
)

// Store reads and writes the site's data in SQLite or PostgreSQL. It is safe
// for concurrent use, and any number of stores, in one or several processes,
// may be open on the same database.
//
// Errors that callers can correct are of type *problem.Error; all others come
// from the database.
type Store struct {
	*database
	Listings   *Listings
	Trades     *Trades
	Accounts   *Accounts
	Tokens     *Tokens
	Watches    *Watches
	Deliveries *Deliveries
	Prices     *Prices
	Moderation *Moderation
	Imports    *Imports
	Galleries  *Galleries
	Site       *Site
}

// Options configures the connections to a database. The zero value is valid.
type Options struct {
	Currency         models.Currency      // of the site, unless the owner has set another; EUR by default
	Clock            models.Clock         // for ids and timestamps; nil means time.Now
	MaxConnections   int                  // of queries; 0 means 12 on PostgreSQL, and 4 that read on SQLite
	StatementTimeout time.Duration        // of PostgreSQL, for all but reads of whole tables; 0 for none
	Tracing          trace.TracerProvider // makes spans of statements below those of their contexts; nil makes none
	LockTimeout      time.Duration        // how long a statement waits for a lock; 0 means 10 seconds on SQLite, and none on PostgreSQL
	Log              *slog.Logger         // nil means slog.Default
}

// Open opens the database at databaseURL, "sqlite:PATH" (created if missing) or
// "postgres://…", without timeouts. Call Migrate before using it. The clock is used for
// ids and timestamps; nil means time.Now.
func Open(ctx context.Context, databaseURL string, clock models.Clock) (*Store, error) {
	return OpenWith(ctx, databaseURL, Options{Clock: clock})
}

// OpenWith is Open with options.
func OpenWith(ctx context.Context, databaseURL string, o Options) (*Store, error) {
	db, err := openDatabase(databaseURL, o)
	if err != nil {
		return nil, err
	}
	if err := db.engine.connect(ctx, db); err != nil {
		db.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return newStore(db), nil
}

// Counts holds the number of records.
type Counts struct {
	Listings int // active
	Sales    int
	Members  int
}

// Counts counts the rows of the tables. It is slow and meant for startup and
// reports.
func (s *Store) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := s.read.QueryRowxContext(ctx, `SELECT
		(SELECT COUNT(*) FROM listings WHERE status = 'active'),
		(SELECT COUNT(*) FROM sales),
		(SELECT COUNT(*) FROM members)`).Scan(&c.Listings, &c.Sales, &c.Members)
	return c, err
}

// IsEmpty reports whether there are no members, listings or sales.
func (s *Store) IsEmpty(ctx context.Context) (bool, error) { return isEmpty(ctx, s.read) }

func isEmpty(ctx context.Context, q sqlx.QueryerContext) (bool, error) {
	var some bool
	err := sqlx.GetContext(ctx, q, &some, `SELECT EXISTS (SELECT 1 FROM members)
		OR EXISTS (SELECT 1 FROM listings) OR EXISTS (SELECT 1 FROM sales)`)
	return !some, err
}

// demoSetting says whether there is demonstration data: "true", "false", "wanted" until it
// is made, "failed" if it could not be made, "" if nobody has said.
const demoSetting = "demo"

// Demo reports whether the database holds demonstration data.
func (s *Store) Demo(ctx context.Context) (bool, error) {
	value, err := s.setting(ctx, demoSetting)
	return value == "true", err
}

// DemoWanted reports whether demonstration data is still to be made, because the owner
// chose it when they set up the site.
func (s *Store) DemoWanted(ctx context.Context) (bool, error) {
	value, err := s.setting(ctx, demoSetting)
	return value == "wanted", err
}

// SetDemo stores whether the database holds demonstration data.
func (s *Store) SetDemo(ctx context.Context, demo bool) error {
	return s.update(ctx, func(t *tx) error {
		return t.setSetting(ctx, demoSetting, strconv.FormatBool(demo))
	})
}

// Listings stores listings, their photos, and what is checked before they are public.
type Listings struct {
	*database
	prices *Prices
}

// Trades stores offers, agreements, hand-overs, conversations, sales and ratings.
type Trades struct {
	*database
	listings *Listings
}

// Accounts stores members and how they sign in: passwords, sessions, passkeys and emailed codes.
type Accounts struct {
	*database
}

// Tokens stores API tokens, grants of chat clients, and responses by idempotency key.
type Tokens struct {
	*database
	accounts *Accounts
}

// Watches stores what members follow: saved searches, watched listings and gear, and the
// gear they own.
type Watches struct {
	*database
}

// Deliveries stores queued email and webhooks.
type Deliveries struct {
	*database
}

// Prices stores trends, estimates, the price index and exchange rates.
type Prices struct {
	*database
	listings *Listings
}

// Moderation stores reports, decisions of operators, and the queue of checks.
type Moderation struct {
	*database
	listings *Listings
}

// Imports stores what imports of listings and sales have done.
type Imports struct {
	*database
}

// Galleries stores projects that are delivered to clients, and what these choose.
type Galleries struct {
	*database
	accounts *Accounts
}

// Site stores the site's settings, texts, messages to its owner, jobs and leases.
type Site struct {
	*database
	accounts *Accounts
	listings *Listings
}

// newStore returns the stores on a database.
func newStore(db *database) *Store {
	s := &Store{
		database:   db,
		Listings:   &Listings{database: db},
		Trades:     &Trades{database: db},
		Accounts:   &Accounts{database: db},
		Tokens:     &Tokens{database: db},
		Watches:    &Watches{database: db},
		Deliveries: &Deliveries{database: db},
		Prices:     &Prices{database: db},
		Moderation: &Moderation{database: db},
		Imports:    &Imports{database: db},
		Galleries:  &Galleries{database: db},
		Site:       &Site{database: db},
	}
	s.Listings.prices = s.Prices
	s.Trades.listings = s.Listings
	s.Tokens.accounts = s.Accounts
	s.Prices.listings = s.Listings
	s.Galleries.accounts = s.Accounts
	s.Moderation.listings = s.Listings
	s.Site.accounts, s.Site.listings = s.Accounts, s.Listings
	return s
}
