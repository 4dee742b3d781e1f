package price

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	views "github.com/secondlight/secondlight/views/price"
)

// valuationInput is the list of items to value.
type valuationInput struct {
	Items []prices.ValuationItem `json:"items" jsonschema:"up to 200 items; each an object, or a text such as: 2x Canon EOS R6, excellent" sep:"rows" maxvalues:"200" object:"true" example:"Canon EOS R6, excellent"`
}

// itemsPerRequest is the number of items of a valuation that count as one request.
const itemsPerRequest = 10

func (s priceOps) valueGear() web.Operation {
	return web.Op[valuationInput, *views.Valuation]{
		Name: "value_gear", Method: http.MethodPost, Path: "/api/valuations", Page: "/prices/valuation", ReadOnly: true, Tag: "Prices",
		Cost:  func(in *valuationInput) int { return (len(in.Items) + itemsPerRequest - 1) / itemsPerRequest },
		Title: "Value gear", Summary: "Values a list of cameras and lenses.",
		Description: "Returns for each item its price range from completed sales (low, median, high), and the sum. " +
			"An item that may be several models has the status ambiguous and candidates: ask which, and send it again with the slug. What is left out of the sum is named. Every 10 items count as one request. Nothing is stored.",
		Errors: []string{"invalid_parameter"},
		Sample: s.sampleValuation,
		Do: func(ctx context.Context, in *valuationInput) (*views.Valuation, error) {
			return s.valuation(ctx, in.Items)
		},
	}.Operation()
}

func (s priceOps) showValuation() web.Operation {
	return web.Op[struct{}, *views.Valuation]{
		Name: "show_valuation", Page: "/prices/valuation", Tag: "Prices", Shared: true,
		DependsOn: func(*views.Valuation) []string { return nil },
		Title:     "Value several items", Summary: "The form of a valuation.",
		Description: "Shows the form for a list of items. Programs use value_gear.",
		Do: func(context.Context, *struct{}) (*views.Valuation, error) {
			return views.NewValuation(s.Site, nil), nil
		},
	}.Operation()
}

// valuation values items. It reads the sales of all gear at once.
func (s priceOps) valuation(ctx context.Context, items []prices.ValuationItem) (*views.Valuation, error) {
	parts, names := make([]views.ValuationParts, len(items)), make([]string, len(items))
	for i, item := range items {
		item.Name = input.OneLine(item.Name)
		parts[i].Item, names[i] = item, item.Name
	}
	var slugs []string
	err := s.Gear.FindAllNamed(ctx, names, func(i int, gear *catalog.Gear, candidates []*catalog.Gear) {
		parts[i].Gear, parts[i].Candidates = gear, candidates
		web.Progress(ctx, i+1, len(items))
		if gear != nil {
			slugs = append(slugs, gear.Slug())
		}
	})
	if err != nil {
		return nil, err
	}
	trends, err := s.Prices.Trends(ctx, slugs)
	if err != nil {
		return nil, err
	}
	for i := range parts {
		if p := &parts[i]; p.Gear != nil {
			condition, _ := p.Item.Grade()
			p.Trend, p.Estimate = trends[p.Gear.Slug()], s.Estimates.Of(p.Gear.Slug(), condition)
		}
	}
	return views.NewValuation(s.Site, parts), nil
}

// sampleValuation returns an example valuation.
func (s priceOps) sampleValuation() *views.Valuation {
	stats := prices.Stats{Count: 31, P25: 98000, Median: 105000, P75: 112000}
	return views.NewValuation(s.Site, []views.ValuationParts{
		{Item: prices.ValuationItem{Name: "Canon EOS R6", Condition: "excellent"}, Gear: s.Catalog.Gear("canon/eos-r6"), Estimate: market.SampleEstimate(),
			Trend: &prices.Trend{Summary: stats, ByCondition: map[models.Condition]prices.Stats{models.ConditionExcellent: stats}}},
		{Item: prices.ValuationItem{Name: "a7 iii or iv"}, Candidates: s.Gear.Catalogued([]string{"sony/alpha-7-iii", "sony/alpha-7-iv"})},
	})
}
