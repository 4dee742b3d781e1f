package models

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// Store reads and writes the site's data in SQLite or PostgreSQL. It is safe for
// concurrent use, and any number of stores, in one process or in many, may be
// open on one database.
//
// Errors the reader can repair are *Error; every other error is the database's.
type Store struct {
	*database
	*AccountStore
	*AlertStore
}

// AccountStore is the part of a Store about accounts: passwords, sessions,
// passkeys, API tokens and idempotency keys.
type AccountStore struct{ *database }

// AlertStore is the part of a Store about what members wait for: saved searches
// and watchlists.
type AlertStore struct{ *database }

// Open opens the database at databaseURL, "sqlite:PATH" (created when it is
// missing) or "postgres://…". Call Migrate before anything else. The clock
// stamps ids and times; nil is time.Now.
func Open(ctx context.Context, databaseURL string, clock Clock) (*Store, error) {
	db, err := openDatabase(databaseURL, clock)
	if err != nil {
		return nil, err
	}
	if err := db.Ping(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return &Store{db, &AccountStore{db}, &AlertStore{db}}, nil
}

// Counts is how much there is.
type Counts struct {
	Listings int // for sale now
	Sales    int
	Members  int
}

// Counts counts by reading the tables: meant for a start or a report, not for
// every request.
func (s *Store) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := s.read.QueryRowxContext(ctx, `SELECT
		(SELECT COUNT(*) FROM listings WHERE status = 'active'),
		(SELECT COUNT(*) FROM sales),
		(SELECT COUNT(*) FROM members)`).Scan(&c.Listings, &c.Sales, &c.Members)
	return c, err
}

// IsEmpty reports whether there is no member, listing or sale.
func (s *Store) IsEmpty(ctx context.Context) (bool, error) {
	var some bool
	err := s.read.GetContext(ctx, &some, `SELECT EXISTS (SELECT 1 FROM members)
		OR EXISTS (SELECT 1 FROM listings) OR EXISTS (SELECT 1 FROM sales)`)
	return !some, err
}

// Demo reports whether the database was filled with demonstration data.
func (s *Store) Demo(ctx context.Context) (bool, error) {
	value, err := s.setting(ctx, "demo")
	return value == "true", err
}

// SetDemo remembers whether the database holds demonstration data.
func (s *Store) SetDemo(ctx context.Context, demo bool) error {
	return s.update(ctx, func(t *tx) error {
		return t.set(ctx, "demo", strconv.FormatBool(demo))
	})
}

// FillDemo writes demonstration data into an empty store and marks it as such,
// in one transaction: whoever stops it half-way leaves the store empty. Each
// batch of sales holds all sales of its gear. Wrote is told how
// many rows were written since it was last called; when a lost race makes the
// engine begin again, it hears of rows twice.
func (s *Store) FillDemo(ctx context.Context, members []Member, listings []Listing, sales [][]Sale, wrote func(rows int)) error {
	all := make([]*Listing, len(listings))
	for i := range listings {
		all[i] = &listings[i]
		s.stamp(all[i])
	}
	return s.update(ctx, func(t *tx) error {
		if err := t.set(ctx, "demo", "true"); err != nil {
			return err
		}
		if err := t.insertMembers(ctx, members); err != nil {
			return fmt.Errorf("write members: %w", err)
		}
		wrote(len(members))
		for batch := range slices.Chunk(all, 1000) {
			if err := t.insertListings(ctx, batch); err != nil {
				return fmt.Errorf("write listings: %w", err)
			}
			wrote(len(batch))
		}
		for _, batch := range sales {
			if _, err := t.addSales(ctx, batch); err != nil {
				return fmt.Errorf("write sales: %w", err)
			}
			wrote(len(batch))
		}
		return nil
	})
}
