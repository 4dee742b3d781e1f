package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
)

// maxAsked bounds the listings that selling times are learned from.
const maxAsked = 100_000

// askedListings returns the listings of gear published in the last year, as package pricing wants
// them, with prices in the currency of the site: those of items that work fully, which estimates
// are of, without drafts and removed ones. Of many it returns evenly chosen ones.
func (s *Listings) askedListings(ctx context.Context) ([]pricing.Asked, error) {
	main, err := s.prices.MainCurrency(ctx)
	if err != nil {
		return nil, err
	}
	rates, err := s.prices.LatestRates(ctx, main, true)
	if err != nil {
		return nil, err
	}
	now := s.now()
	rows, err := s.scan.QueryxContext(ctx, `SELECT id, gear, condition, price, currency, status, published_at, closed_at FROM listings
		WHERE published_at > $1 AND published_at <= $2 AND gear <> '' AND functional = 'fully_working' AND status NOT IN ('draft', 'removed')`, prices.YearBefore(now), now)
	if err != nil {
		return nil, err
	}
	chosen := evenly[pricing.Asked]{max: maxAsked}
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var l models.Listing
		if err := r.Scan(&l.ID, &l.Gear, &l.Condition, &l.Price, &l.Currency, &l.Status, &l.PublishedAt, &l.ClosedAt); err != nil {
			return err
		}
		price, ok := rates.InMain(l.Price, l.Currency)
		if !ok {
			return nil // without a rate its price cannot be compared
		}
		until := l.ClosedAt
		if until == 0 {
			until = now
		}
		chosen.add(l.ID, pricing.Asked{Gear: l.Gear, Grade: slices.Index(models.Conditions, l.Condition), Day: int(l.PublishedAt / models.DayMillis), Price: int64(price.Cents),
			Days: float64(until-l.PublishedAt) / float64(models.DayMillis), Sold: l.Status == models.StatusSold})
		return nil
	})
	return chosen.list(), err
}

// evenly chooses at most max of many values by a hash of their ids, so that the choice does
// not depend on their order.
type evenly[T any] struct {
	max      int
	kept     []hashed[T]
	halvings int // leading zero bits of the hashes that are kept
}

// hashed is a value with its id.
type hashed[T any] struct {
	id    string
	hash  uint64
	value T
}

func (e *evenly[T]) add(id string, value T) {
	hash := sha256.Sum256([]byte(id))
	h := hashed[T]{id, binary.BigEndian.Uint64(hash[:]), value}
	omitted := func(h hashed[T]) bool { return bits.LeadingZeros64(h.hash) < e.halvings }
	if omitted(h) {
		return
	}
	if e.kept = append(e.kept, h); len(e.kept) > e.max {
		e.halvings++
		e.kept = slices.DeleteFunc(e.kept, omitted)
	}
}

// list returns what is chosen, in order of ids.
func (e *evenly[T]) list() (values []T) {
	slices.SortFunc(e.kept, func(a, b hashed[T]) int { return strings.Compare(a.id, b.id) })
	for i := range e.kept {
		values = append(values, e.kept[i].value)
	}
	return values
}
