package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// IndexPrices computes the price index of today from the sales that estimates are fitted to,
// and stores it. There must be a fit.
func (s *Prices) IndexPrices(ctx context.Context, catalog *catalog.Catalog) error {
	now := s.now()
	b := prices.NewIndexBuilder(catalog.All(), now)
	if err := s.eachPricedSale(ctx, "", itemOfSale, b.Add); err != nil {
		return err
	}
	index, err := unlessEnded(ctx, func() *prices.PriceIndex { return b.Index(models.DayOf(models.DayNumber(now.Std()))) })
	if err != nil {
		return err
	}
	return s.StorePriceIndex(ctx, index)
}

// StorePriceIndex stores the price index. There must be a fit.
func (s *Prices) StorePriceIndex(ctx context.Context, index *prices.PriceIndex) error {
	text, err := json.Marshal(index)
	if err != nil {
		return fmt.Errorf("store price index: %w", err)
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE price_fits SET market_at = $1, market = $2`, s.now(), string(text))
		return err
	})
}

// PriceIndex returns the stored price index, nil if there is none.
func (s *Prices) PriceIndex(ctx context.Context) (index *prices.PriceIndex, err error) {
	if err = s.readJSON(ctx, &index, `SELECT market FROM price_fits WHERE market <> ''`); err != nil {
		return nil, fmt.Errorf("read price index: %w", err)
	}
	return index, nil
}

// SellingTimes returns the selling times of a gear's listings in public sales
// within a year before upTo, by condition, and of all conditions under "".
func (s *Prices) SellingTimes(ctx context.Context, gear string, upTo models.Time) (map[models.Condition]prices.SellingTime, error) {
	var rows []struct {
		Condition models.Condition
		Took      int64
	}
	err := s.read.SelectContext(ctx, &rows, `SELECT s.condition AS condition, l.closed_at - l.published_at AS took FROM sales s
		JOIN listings l ON l.id = s.listing_id
		WHERE s.gear = $1 AND s.sold_at > $2 AND s.sold_at <= $3 AND l.published_at > 0 AND l.closed_at >= l.published_at AND `+publicSale,
		gear, prices.YearBefore(upTo), upTo)
	if err != nil {
		return nil, err
	}
	took := map[models.Condition][]models.Cents{}
	for _, r := range rows {
		days := models.Cents((r.Took + int64(models.DayMillis) - 1) / int64(models.DayMillis))
		took[r.Condition], took[""] = append(took[r.Condition], days), append(took[""], days)
	}
	times := map[models.Condition]prices.SellingTime{}
	for condition, days := range took {
		t := prices.SellingTime{Count: len(days)}
		if t.Enough() {
			slices.Sort(days)
			at := func(i int) models.Cents { return days[i] }
			t.P25, t.Median, t.P75 = int(prices.Quartile(len(days), at, 1)), int(prices.Quartile(len(days), at, 2)), int(prices.Quartile(len(days), at, 3))
		}
		times[condition] = t
	}
	return times, nil
}
