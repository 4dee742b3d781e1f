//go:build linux

// Package market fills a database with listings for benchmarks.
package market

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/secondlight/secondlight/bench/shopper"
	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/store"
)

// Market is a filled database and what shoppers look for in it.
type Market struct {
	Catalog  *catalog.Catalog
	Patterns []*models.Listing // of the demonstration data, all for sale
	Popular  string            // gear with the most sales
	Began    time.Time

	Added int           // listings that Fill has added to the demonstration data
	Took  time.Duration // to add them
}

// Open opens the database in a folder, and creates it if it doesn't exist.
func Open(ctx context.Context, folder string) (*store.Store, error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, err
	}
	store, err := store.Open(ctx, "sqlite:"+filepath.Join(folder, "secondlight.db"), nil)
	if err != nil {
		return nil, err
	}
	return store, store.Migrate(ctx)
}

// Fill fills an empty database with the demonstration data, and adds listings after the pattern
// of its own until there are as many as wanted, with other prices, days and notes.
func Fill(ctx context.Context, store *store.Store, listings int, seed uint64) (*Market, error) {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return nil, err
	}
	m := &Market{Catalog: catalog, Began: time.Now()}
	if err := m.fill(ctx, store, listings, rand.New(rand.NewPCG(seed, 1))); err != nil {
		return nil, fmt.Errorf("fill with listings: %w", err)
	}
	m.Popular, err = mostSold(ctx, store)
	return m, err
}

func (m *Market) fill(ctx context.Context, store *store.Store, listings int, dice *rand.Rand) error {
	empty, err := store.IsEmpty(ctx)
	if err != nil {
		return err
	}
	if empty {
		if err := demo.Fill(ctx, store, m.Catalog, m.Began, nil); err != nil {
			return err
		}
	}
	have := 0
	err = store.Listings.EachActiveListing(ctx, func(l *models.Listing) error {
		if have++; l.Demo && m.Catalog.Gear(l.Gear) != nil {
			m.Patterns = append(m.Patterns, l)
		}
		return nil
	})
	if err != nil || have >= listings {
		return err
	}
	added := time.Now()
	for left := listings - have; left > 0; {
		batch := make([]models.Listing, min(left, 2000))
		for i := range batch {
			batch[i] = m.Another(dice)
		}
		if err := store.Listings.InsertListings(ctx, batch); err != nil {
			return err
		}
		left -= len(batch)
	}
	m.Added, m.Took = listings-have, time.Since(added)
	fmt.Printf("filled with %d listings in %.0f s\n", listings, time.Since(m.Began).Seconds())
	return nil
}

// Another returns a listing of gear of the demonstration data at another price on another day. It
// is not marked as demonstration data, by which patterns are known again.
func (m *Market) Another(dice *rand.Rand) models.Listing {
	notes := []string{"boxed", "serviced", "with strap", "one owner", "smoke free home", "spare battery", "with hood", "no reserve"}
	l := *m.Patterns[dice.IntN(len(m.Patterns))]
	l.ID, l.ExternalID, l.Demo = "", "", false
	l.Title = fmt.Sprintf("%.180s %s %d", l.Title, notes[dice.IntN(len(notes))], dice.IntN(100_000))
	l.Price = max(100, l.Price*models.Cents(70+dice.IntN(70))/100)
	l.PublishedAt = models.TimeOf(m.Began.Add(-time.Duration(dice.IntN(200*24*3600)) * time.Second))
	l.CreatedAt, l.UpdatedAt = l.PublishedAt, l.PublishedAt
	return l
}

func mostSold(ctx context.Context, store *store.Store) (string, error) {
	gear, err := store.Prices.MostSold(ctx, 1)
	if err != nil || len(gear) == 0 {
		return "", fmt.Errorf("no gear was sold: %w", err)
	}
	return gear[0], nil
}

// Queries returns a source of addresses of searches in the API, no two alike.
func (m *Market) Queries(seed uint64) func() string {
	shop := shopper.New(m.Catalog, m.Patterns, seed)
	return func() string {
		q := shop.Next()
		return shopper.Address(&q)
	}
}
