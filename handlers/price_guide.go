package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// priceGuide returns the sold prices and selling times of gear in a condition; "" is all
// conditions.
func (s *app) priceGuide(ctx context.Context, gear *models.Gear, condition models.Condition) (*views.PriceGuide, error) {
	trend, err := s.store.Trend(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	times, err := s.store.SellingTimes(ctx, gear.Slug(), models.TimeOf(s.clock()))
	if err != nil {
		return nil, err
	}
	parts := views.PriceGuideParts{Gear: gear, Condition: condition, Trend: trend, Times: times}
	parts.Active, parts.Lowest, parts.Average = s.index.Asking(gear.Slug())
	return views.NewPriceGuide(&s.site, parts), nil
}
