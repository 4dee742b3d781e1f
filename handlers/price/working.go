package price

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/price"
)

// workingInput names the gear whose estimates are explained.
type workingInput struct {
	Brand string `json:"brand" in:"path" jsonschema:"brand by slug or any common name" example:"canon"`
	Model string `json:"model" in:"path" jsonschema:"model by slug or any common name" example:"eos-r6"`
}

func (s priceOps) explainEstimate() web.Operation {
	return web.Op[workingInput, *views.PriceWorking]{
		Name: "explain_estimate", Path: "/api/prices/{brand}/{model}", Page: "/prices/{brand}/{model}", Tag: "Prices", Shared: true, NoTool: true,
		DependsOn: func(*views.PriceWorking) []string { return nil },
		Title:     "Explain a price estimate", Summary: "Returns the prices that the estimates of a model are made from, with their weights.",
		Description: "Returns the anonymous sales that count, what similar models add, and the constants, so that anyone can recompute the estimates of all conditions to the cent; docs/recompute_estimates.py does. Made every night.",
		Errors:      []string{"gear_not_found", "no_estimate"},
		Formats:     []web.Format{web.CSV},
		Canonical: func(param func(string) string) string {
			gear, err := s.Catalog.FindGear(param("brand"), param("model"), s.Gear.Popularity)
			if err != nil {
				return ""
			}
			return "/prices/" + gear.Slug()
		},
		Do: s.doExplainEstimate,
	}.Operation()
}

func (s priceOps) doExplainEstimate(ctx context.Context, in *workingInput) (*views.PriceWorking, error) {
	gear, err := s.Catalog.FindGear(in.Brand, in.Model, s.Gear.Popularity)
	if err != nil {
		return nil, s.Gear.NotFound(in.Brand + "/" + in.Model)
	}
	working, day, err := s.Prices.PriceWorking(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	if working == nil {
		return nil, &problem.Error{Kind: problem.NotFound, Code: "no_estimate", Message: problem.Textf("There's no price estimate for the %s.", gear.Name()), Hint: problem.Textf("There isn't enough data.")}
	}
	return views.NewPriceWorking(s.Site, gear, working, day), nil
}
