package gear

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/catalog"
	views "github.com/secondlight/secondlight/views/gear"
)

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	gear := gearOps{deps}
	return []web.Operation{
		gear.findGear(),
		gear.getBrand(),
		gear.getTrend(),
		gear.getBadge(),
		gear.identifyGear(),
		gear.correctionForm(),
		gear.proposeCorrection(),
	}
}

// TrendOf returns the page of gear.
func (s Deps) TrendOf(ctx context.Context, gear *catalog.Gear) (*views.Trend, error) {
	return s.readTrend(ctx, &trendInput{Brand: gear.BrandSlug, Model: gear.ModelSlug})
}
