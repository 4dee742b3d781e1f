package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views"
)

// trendOf returns the page of gear.
func (s *app) trendOf(ctx context.Context, gear *catalog.Gear) (*views.Trend, error) {
	return s.gearDeps().trendOf(ctx, gear)
}

// offerCards returns offers of the caller for a list.
func (s *app) offerCards(ctx context.Context, offers []models.Offer) ([]views.OfferCard, error) {
	return s.tradeDeps().offerCards(ctx, offers)
}

// watched returns what the caller watches.
func (s *app) watched(ctx context.Context) ([]views.Watch, error) {
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
