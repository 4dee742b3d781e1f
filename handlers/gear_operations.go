package handlers

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/catalog"
	gearviews "github.com/secondlight/secondlight/views/gear"
)

// gearOperations returns the operations of the package.
func gearOperations(deps gearDeps) []web.Operation {
	gear := gearOps{deps}
	return []web.Operation{
		gear.findGear(),
		gear.getBrand(),
		gear.getTrend(),
		gear.identifyGear(),
	}
}

// trendOf returns the page of gear.
func (s gearDeps) trendOf(ctx context.Context, gear *catalog.Gear) (*gearviews.Trend, error) {
	return s.readTrend(ctx, &trendInput{Brand: gear.BrandSlug, Model: gear.ModelSlug})
}
