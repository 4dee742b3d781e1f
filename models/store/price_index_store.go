package store

import (
	"context"
	"encoding/json"
	"fmt"

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
