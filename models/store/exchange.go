package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
)

// RatesSubject is the subject of the change of the site that exchange rates were added.
const RatesSubject = "rates"

// Limits of SaveRates: days in a transaction, and the last days of a file whose rates
// replace those of before.
const (
	rateDays      = 100
	correctedDays = 10
)

// SaveRates stores exchange rates by day, which are in ascending order. Rates of days that
// are known stay as they are, unless they are among the last days. It returns the number of
// rates that are new or differ from those of before. All servers follow the change.
func (s *Prices) SaveRates(ctx context.Context, days []models.DayRates) (changed int, err error) {
	var list []models.Day
	if err := s.read.SelectContext(ctx, &list, `SELECT DISTINCT day FROM exchange_rates`); err != nil {
		return 0, err
	}
	known := make(map[models.Day]bool, len(list))
	for _, day := range list {
		known[day] = true
	}
	var fresh []models.DayRates
	for i, d := range days {
		if !known[d.Day] || i >= len(days)-correctedDays {
			fresh = append(fresh, d)
		}
	}
	for part := range slices.Chunk(fresh, rateDays) {
		n, err := s.saveRates(ctx, part)
		if changed += n; err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// saveRates stores the rates of some days in one transaction.
func (s *Prices) saveRates(ctx context.Context, days []models.DayRates) (changed int, err error) {
	var rows [][]any
	for _, d := range days {
		for _, code := range slices.Sorted(maps.Keys(d.Rates)) {
			rows = append(rows, []any{code, d.Day, d.Rates[code]})
		}
	}
	err = s.update(ctx, func(t *tx) error {
		changed = 0
		err := t.insertReturning(ctx, `exchange_rates (currency, day, rate)`,
			`ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate WHERE exchange_rates.rate <> excluded.rate RETURNING day`,
			len(rows), func(i int) []any { return rows[i] }, func(r *sqlx.Rows) error {
				var day models.Day
				changed++
				return r.Scan(&day)
			})
		if err == nil && changed > 0 {
			t.changed(models.SiteChanged, RatesSubject)
		}
		return err
	})
	return changed, err
}

// LatestRates returns the last exchange rate of each currency, none if there are none.
// offered is whether members may use other currencies than the site's.
func (s *Prices) LatestRates(ctx context.Context, main models.Currency, offered bool) (*models.Rates, error) {
	r, err := ratesOn(ctx, s.read, main, models.LatestDay)
	if err != nil {
		return nil, err
	}
	r.Offer(offered)
	return r, nil
}

// RatesOn returns the exchange rates of a day: of each currency the
// last one until then.
func (s *Prices) RatesOn(ctx context.Context, main models.Currency, day models.Day) (*models.Rates, error) {
	return ratesOn(ctx, s.read, main, day)
}

func ratesOn(ctx context.Context, from sqlx.QueryerContext, main models.Currency, day models.Day) (*models.Rates, error) {
	var rows []struct {
		Currency string
		Day      models.Day
		Rate     string
	}
	err := sqlx.SelectContext(ctx, from, &rows, `WITH RECURSIVE codes (code) AS (
			SELECT MIN(currency) FROM exchange_rates
			UNION ALL SELECT (SELECT MIN(currency) FROM exchange_rates WHERE currency > code) FROM codes WHERE code IS NOT NULL)
		SELECT r.currency, r.day, r.rate FROM codes JOIN exchange_rates r ON r.currency = code
		WHERE r.day = (SELECT MAX(day) FROM exchange_rates WHERE currency = code AND day <= $1)`, day)
	if err != nil {
		return nil, err
	}
	r := &models.Rates{Main: main, Rates: make(map[string]models.DayRate, len(rows))}
	for _, row := range rows {
		if err := r.Add(row.Currency, row.Day, row.Rate); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// MainCurrency returns the currency of the site: that of the owner's settings, or else of
// Options.
func (s *Prices) MainCurrency(ctx context.Context) (models.Currency, error) {
	return s.mainCurrency(ctx, s.read)
}

func (db *database) mainCurrency(ctx context.Context, from sqlx.QueryerContext) (models.Currency, error) {
	var documents []string
	if err := sqlx.SelectContext(ctx, from, &documents, `SELECT document FROM site_settings WHERE id = 1`); err != nil || len(documents) == 0 {
		return db.currency, err
	}
	set, err := models.ParseSiteSettings(documents[0])
	if err != nil {
		return models.Currency{}, err
	}
	return db.currency.Or(set.Currency), nil
}

// convertSale sets the price of a sale in another currency than the site's from what was
// paid, at the rate of its day.
func convertSale(ctx context.Context, t *tx, sale *models.Sale) error {
	if sale.Currency == "" {
		return nil
	}
	main, err := t.db.mainCurrency(ctx, t)
	if err != nil {
		return err
	}
	rates, err := ratesOn(ctx, t, main, sale.Day())
	if err != nil {
		return err
	}
	return sale.Convert(rates)
}

// maxAsked bounds the listings that selling times are learned from.
const maxAsked = 100_000

// askedListings returns the listings of gear published in the last year, as package pricing wants
// them, once for each price that they asked, with prices in the currency of the site: those of items
// that work fully, which estimates are of, without drafts and removed ones. Of many it returns
// evenly chosen ones.
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
	// Past prices are those that ended unsold; each price is asked from the end of the one before.
	const before = `COALESCE((SELECT MAX(e.until) FROM listing_prices e WHERE e.listing_id = l.id AND e.until > l.published_at `
	const asked = ` WHERE l.published_at > $1 AND l.published_at <= $2 AND l.gear <> '' AND l.functional = 'fully_working' AND l.status NOT IN ('draft', 'removed') ` +
		`AND NOT EXISTS (SELECT 1 FROM sales s WHERE s.listing_id = l.id AND (s.newcomer OR s.held))`
	rows, err := s.scan.QueryxContext(ctx, `SELECT l.id, l.gear, l.condition, l.price, l.currency, l.status, `+before+`), l.published_at), l.closed_at FROM listings l`+asked+`
		UNION ALL SELECT l.id, l.gear, l.condition, p.price, l.currency, '', `+before+` AND e.until < p.until), l.published_at), p.until FROM listings l JOIN listing_prices p ON p.listing_id = l.id AND p.until > l.published_at`+asked,
		prices.YearBefore(now), now)
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
