package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	gearviews "github.com/secondlight/secondlight/views/gear"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// trendOf returns the page of gear.
func (s *app) trendOf(ctx context.Context, gear *catalog.Gear) (*gearviews.Trend, error) {
	return s.gearDeps().trendOf(ctx, gear)
}

// offerCards returns offers of the caller for a list.
func (s *app) offerCards(ctx context.Context, offers []models.Offer) ([]tradeviews.OfferCard, error) {
	return s.tradeDeps().offerCards(ctx, offers)
}

// watched returns what the caller watches.
func (s *app) watched(ctx context.Context) ([]watchviews.Watch, error) {
	return s.watchDeps().watches(ctx, "")
}

// notifyKits queues emails about items whose value moved, given gear with new sales.
func (s *app) notifyKits(ctx context.Context, gear []string) error {
	return s.priceDeps().notifyKits(ctx, gear)
}

// notifyKitsOfFit does the same after a new fit of price estimates, for all gear.
func (s *app) notifyKitsOfFit(ctx context.Context) error {
	return s.priceDeps().notifyKitsOfFit(ctx)
}
