//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/demo"
)

// market is a filled database and what shoppers look for in it.
type market struct {
	catalog  *models.Catalog
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
	catalog, err := models.ReadCatalog(content.Catalog())
	if err != nil {
		return nil, err
	}
	store, err := models.Open(ctx, "sqlite:"+filepath.Join(folder, "secondlight.db"), nil)
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

func (m *market) fill(ctx context.Context, store *models.Store, listings int, dice *rand.Rand) error {
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
	err = store.EachActiveListing(ctx, func(l *models.Listing) error {
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
		if err := store.InsertListings(ctx, batch); err != nil {
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

func mostSold(ctx context.Context, store *models.Store) (string, error) {
	gear, err := store.MostSold(ctx, 1)
	if err != nil || len(gear) == 0 {
		return "", fmt.Errorf("no gear was sold: %w", err)
	}
	return gear[0], nil
}

// queries is a source of searches, no two alike, each as a shopper might write it
// who wants what one of the patterns is: so that nearly all find something.
func (m *market) queries(seed uint64) func() string {
	dice := rand.New(rand.NewPCG(seed, 2))
	asked := map[string]bool{}
	return func() string {
		for {
			q := m.query(dice)
			if !asked[q] {
				asked[q] = true
				return q
			}
		}
	}
}

func (m *market) query(dice *rand.Rand) string {
	l := m.patterns[dice.IntN(len(m.patterns))]
	gear := m.catalog.Gear(l.Gear)
	often := func(percent int) bool { return dice.IntN(100) < percent }
	q := url.Values{"limit": {"24"}}
	if often(60) {
		q.Set("keyword", keyword(l, gear, dice))
	}
	if often(30) {
		q.Add("brand", gear.BrandSlug)
		if often(25) {
			q.Add("brand", m.catalog.Gear(m.patterns[dice.IntN(len(m.patterns))].Gear).BrandSlug)
		}
	}
	if often(30) {
		q.Set("category", string(l.Category))
		if often(40) && l.Category.Family() != "" {
			q.Set("category", l.Category.Family())
		}
	}
	if often(60) {
		price := int(l.Price / 100)
		least, most := roundDown(price*(30+dice.IntN(60))/100), roundUp(price*(110+dice.IntN(90))/100)
		q.Set("budget", [...]string{strconv.Itoa(most), fmt.Sprintf("%d-%d", least, most), strconv.Itoa(least) + "-"}[dice.IntN(3)])
	}
	if often(30) {
		country, _, _ := strings.Cut(string(l.Region), "-")
		q.Set("region", country)
	}
	if often(35) {
		q.Add("condition", string(l.Condition))
		if other := models.Conditions[dice.IntN(len(models.Conditions))]; often(60) && other != l.Condition {
			q.Add("condition", string(other))
		}
	}
	if often(60) {
		q.Set("sort", [...]string{"relevance", "newest", "price", "-price", "deal"}[dice.IntN(5)])
	}
	return "/api/listings/search?" + q.Encode()
}

// roundDown is the least amount that somebody types for about as much: "450", not "487".
func roundDown(amount int) int { return amount / roundStep(amount) * roundStep(amount) }

// roundUp is the greatest.
func roundUp(amount int) int { return roundDown(amount + roundStep(amount) - 1) }

func roundStep(amount int) int {
	step := 10
	for _, up := range [...]int{50, 100, 500} {
		if amount >= 10*up {
			step = up
		}
	}
	return step
}

// keyword is what somebody types who looks for the gear of a listing: its name, a
// name of its own, its brand, or its name with a word of the title, such as
// "x100v boxed".
func keyword(l *models.Listing, gear *models.Gear, dice *rand.Rand) string {
	words := strings.FieldsFunc(l.Title, func(r rune) bool { return strings.ContainsRune(" ,|–", r) })
	switch n := dice.IntN(10); {
	case n < 4:
		return strings.ToLower(gear.Model)
	case n < 6:
		return strings.ToLower(gear.Name())
	case n == 6:
		return strings.ToLower(gear.Brand)
	case n == 7 && len(gear.Aliases) > 0:
		return gear.Aliases[dice.IntN(len(gear.Aliases))]
	default:
		return strings.ToLower(gear.Model) + " " + words[dice.IntN(len(words))]
	}
}
