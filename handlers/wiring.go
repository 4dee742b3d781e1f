package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	gearviews "github.com/secondlight/secondlight/views/gear"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// TrendOf returns the page of gear.
func (s *app) trendOf(ctx context.Context, gear *catalog.Gear) (*gearviews.Trend, error) {
	return s.gearDeps().TrendOf(ctx, gear)
}

// OfferCards returns offers of the caller for a list.
func (s *app) offerCards(ctx context.Context, offers []models.Offer) ([]tradeviews.OfferCard, error) {
	return s.tradeDeps().OfferCards(ctx, offers)
}

// watched returns what the caller watches.
func (s *app) watched(ctx context.Context) ([]watchviews.Watch, error) {
	return s.watchDeps().Watched(ctx, "")
}

// NotifyKits queues emails about items whose value moved, given gear with new sales.
func (s *app) notifyKits(ctx context.Context, gear []string) error {
	return s.priceDeps().NotifyKits(ctx, gear)
}

// NotifyKitsOfFit does the same after a new fit of price estimates, for all gear.
func (s *app) notifyKitsOfFit(ctx context.Context) error {
	return s.priceDeps().NotifyKitsOfFit(ctx)
}
