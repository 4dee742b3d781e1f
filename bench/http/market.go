//go:build linux

package main

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

// market is a filled database and what shoppers look for in it.
type market struct {
	catalog  *catalog.Catalog
	patterns []*models.Listing // of the demonstration data, all for sale
	popular  string            // gear with the most sales
	cookie   string            // of a member who is signed in
	writer   *writer
	began    time.Time
}

// openMarket opens the market in a folder and makes it when it is not there: the
// demonstration data, and further listings after the pattern of its own
// until there are as many as wanted, with other prices, days and notes.
func openMarket(ctx context.Context, folder string, listings int, seed uint64) (*market, error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, err
	}
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return nil, err
	}
	store, err := store.Open(ctx, "sqlite:"+filepath.Join(folder, "secondlight.db"), nil)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	if err := store.Migrate(ctx); err != nil {
		return nil, err
	}
	m := &market{catalog: catalog, began: time.Now()}
	if err := m.fill(ctx, store, listings, rand.New(rand.NewPCG(seed, 1))); err != nil {
		return nil, fmt.Errorf("fill %s: %w", folder, err)
	}
	if m.popular, err = mostSold(ctx, store); err != nil {
		return nil, err
	}
	if err := m.addMembers(ctx, store); err != nil {
		return nil, fmt.Errorf("add members: %w", err)
	}
	return m, nil
}

func (m *market) fill(ctx context.Context, store *store.Store, listings int, dice *rand.Rand) error {
	began := time.Now()
	empty, err := store.IsEmpty(ctx)
	if err != nil {
		return err
	}
	if empty {
		if err := demo.Fill(ctx, store, m.catalog, began, nil); err != nil {
			return err
		}
	}
	have := 0
	err = store.Listings.EachActiveListing(ctx, func(l *models.Listing) error {
		if have++; l.Demo && m.catalog.Gear(l.Gear) != nil {
			m.patterns = append(m.patterns, l)
		}
		return nil
	})
	if err != nil || have >= listings {
		return err
	}
	for left := listings - have; left > 0; {
		batch := make([]models.Listing, min(left, 2000))
		for i := range batch {
			batch[i] = another(m.patterns[dice.IntN(len(m.patterns))], began, dice)
		}
		if err := store.Listings.InsertListings(ctx, batch); err != nil {
			return err
		}
		left -= len(batch)
	}
	fmt.Printf("filled with %s listings in %.0f s\n", thousands(listings), time.Since(began).Seconds())
	return nil
}

// another is a listing of the same gear at another price on another day. It is
// not marked as demonstration data, by which patterns are known again.
func another(pattern *models.Listing, now time.Time, dice *rand.Rand) models.Listing {
	notes := []string{"boxed", "serviced", "with strap", "one owner", "smoke free home", "spare battery", "with hood", "no reserve"}
	l := *pattern
	l.ID, l.ExternalID, l.Demo = "", "", false
	l.Title = fmt.Sprintf("%.180s %s %d", pattern.Title, notes[dice.IntN(len(notes))], dice.IntN(100_000))
	l.Price = max(100, l.Price*models.Cents(70+dice.IntN(70))/100)
	l.PublishedAt = models.TimeOf(now.Add(-time.Duration(dice.IntN(200*24*3600)) * time.Second))
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

// queries is a source of addresses of searches, no two alike.
func (m *market) queries(seed uint64) func() string {
	shop := shopper.New(m.catalog, m.patterns, seed)
	return func() string {
		q := shop.Next()
		return shopper.Address(&q)
	}
}
