package price

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/price"
)

// priceOps holds the operations on what gear sells for: price guides, valuations and
// comparisons.
type priceOps struct{ Deps }

// priceInput is the gear, condition and asking price to check.
type priceInput struct {
	Gear       string            `json:"gear" jsonschema:"camera or lens by any name, or its slug" maxlength:"200" example:"canon/eos-r6"`
	Condition  models.Condition  `json:"condition,omitempty" jsonschema:"condition grade; default: all conditions" example:"excellent"`
	Price      string            `json:"price,omitempty" jsonschema:"asking price to assess: 1100 or 1100.00 EUR" example:"1100.00 EUR"`
	Functional models.Functional `json:"functional,omitempty" jsonschema:"default: fully working"`
	Shutter    int               `json:"shutter_count,omitempty" jsonschema:"compared with those for sale" min:"1" max:"10000000"`
}

func (s priceOps) getPrice() web.Operation {
	return web.Op[priceInput, *views.PriceGuide]{
		Name: "get_price", Path: "/api/price-guide", Tag: "Prices", Shared: true, DependsOn: priceSources,
		Title: "Get a price", Summary: "Returns what a camera or lens sells for, and whether an asking price is fair.",
		Description: "Takes any name, a condition and an asking price. Returns the price: an estimate with the range of 8 of 10 sales and what it is based on, by condition if none is given; the verdict on the asking price; what it sold for, days to sell, what is for sale, and advice for buyer and seller. " +
			"For several items use value_gear; for the history get_trend.",
		Errors: []string{"unresolved_name", "gear_not_found", "invalid_parameter"},
		Do:     s.doGetPrice,
	}.Operation()
}

func (s priceOps) doGetPrice(ctx context.Context, in *priceInput) (*views.PriceGuide, error) {
	price, err := s.askingPrice(in.Price)
	if err != nil {
		return nil, err
	}
	gear, err := s.gearNamed(in.Gear)
	if err != nil {
		return nil, err
	}
	return s.Guides.Guide(ctx, gear, market.Asked{Condition: in.Condition, Functional: in.Functional, Shutter: in.Shutter, Price: price})
}

// pricesInput is what is entered on the page of prices.
type pricesInput struct {
	Gear      string           `json:"gear,omitempty" jsonschema:"camera or lens by any name, or its slug" maxlength:"200" example:"canon/eos-r6"`
	Condition models.Condition `json:"condition,omitempty" jsonschema:"condition grade; default: all conditions" example:"excellent"`
	Price     string           `json:"price,omitempty" jsonschema:"asking price to assess: 1100 or 1100.00 EUR" example:"1100.00 EUR"`
}

// popularShown is the number of most-sold models on the page of prices.
const popularShown = 12

func (s priceOps) showPrices() web.Operation {
	return web.Op[pricesInput, *views.Prices]{
		Name: "show_prices", Path: "/api/prices", Page: "/prices", Tag: "Prices", Shared: true, NoTool: true, DependsOn: pricesSources, Formats: []web.Format{web.CSV},
		Title: "Price index", Summary: "How prices moved, by kind and brand.",
		Description: "Returns the price index: what the same gear in the same condition sells for, by kind and brand over time, the greatest moves, the best holders of value, the seasons, and the depreciation by kind. " +
			"Computed every night. With gear it returns the price guide of get_price. The months of each chart are at its href, as JSON and CSV.",
		Errors: []string{"invalid_parameter"},
		Do:     s.doShowPrices,
	}.Operation()
}

func (s priceOps) doShowPrices(ctx context.Context, in *pricesInput) (*views.Prices, error) {
	name := input.OneLine(in.Gear)
	if name == "" {
		slugs, err := s.Cards.Trends.MostSold(ctx, popularShown)
		if err != nil {
			return nil, err
		}
		popular, err := s.Cards.OfGear(ctx, s.Gear.Catalogued(slugs))
		if err != nil {
			return nil, err
		}
		return views.NewPriceStart(s.Site, s.priceIndex(), popular), nil
	}
	price, err := s.askingPrice(in.Price)
	if err != nil {
		return nil, err
	}
	gear, candidates := s.Gear.FindNamed(name)
	if gear == nil {
		return views.NewPriceQuestion(s.Site, views.NewUnresolvedGear(name, candidates), in.Condition, in.Price), nil
	}
	guide, err := s.Guides.Guide(ctx, gear, market.Asked{Condition: in.Condition, Price: price})
	if err != nil {
		return nil, err
	}
	return views.NewPrices(s.Site, guide), nil
}

// priceIndex returns the index of the last fit, nil if there is none.
func (s Deps) priceIndex() *views.PriceIndex {
	return views.NewPriceIndex(s.Site, s.Estimates.Current.Load().Index, s.Catalog)
}

type priceChartInput struct {
	Chart string `json:"chart" in:"path" jsonschema:"the chart" enum:"kinds,brands,movers,holders,seasons,depreciation" example:"kinds"`
}

func (s priceOps) getPriceChart() web.Operation {
	return web.Op[priceChartInput, *views.PriceChart]{
		Name: "get_price_chart", Path: "/api/prices/charts/{chart}", Page: "/prices/charts/{chart}", Tag: "Prices", Shared: true,
		DependsOn: func(*views.PriceChart) []string { return nil }, Formats: []web.Format{web.CSV, web.SVG},
		Title: "Price chart", Summary: "Returns a chart of the price index, with its figures.",
		Description: "Returns one chart of the price index as a picture (SVG) and its figures: kinds and brands by month (100 is the first month), the models that moved most in 12 months, " +
			"those that held their value best in 3 years, the seasons, or the depreciation: the change after 1, 2, 3 and 5 years by kind, and items that sold twice. Each index and change has a range of 80 %, except those of such items.",
		Errors: []string{"invalid_parameter"},
		Do: func(_ context.Context, in *priceChartInput) (*views.PriceChart, error) {
			return views.NewPriceChart(s.Site, s.Estimates.Current.Load().Index, s.Catalog, in.Chart), nil
		},
	}.Operation()
}

func (s priceOps) getPriceAccuracy() web.Operation {
	return web.Op[struct{}, *views.Accuracy]{
		Name: "get_price_accuracy", Path: "/api/prices/accuracy", Page: "/prices/accuracy", Tag: "Prices", Shared: true,
		DependsOn: func(*views.Accuracy) []string { return nil }, // dropped after each fit and update
		Title:     "Accuracy of price estimates", Summary: "How accurate the price estimates were.",
		Description: "Returns the errors of the estimates of the last 12 months, each month predicted from before it, by category, condition, price and number of earlier sales, and with each model counted once, beside those of the median and of the last price; " +
			"how many prices were in the stated ranges; which models have no price; and by how much forged sales would move the estimates. Checked every night.",
		Do: func(ctx context.Context, _ *struct{}) (*views.Accuracy, error) {
			unpriced, err := s.Estimates.Unpriced(ctx)
			if err != nil {
				return nil, err
			}
			return views.NewAccuracy(s.Site, s.Estimates.Current.Load().Fit, unpriced), nil
		},
	}.Operation()
}

// askingPrice parses an optional asking price; 0 is none.
func (s Deps) askingPrice(text string) (models.Cents, error) {
	var price models.Money
	if err := price.Set(text); err != nil || price == (models.Money{}) {
		return 0, err
	}
	amount, err := s.Amounts.Cents("price", price)
	if err == nil && amount == 0 {
		err = web.InvalidField("price", problem.Textf("%s must be greater than zero.", problem.Field("price")), nil)
	}
	return amount, err
}

// gearNamed returns the gear that a name, a slug or a title means. If the name may mean
// several, the error lists them.
func (s Deps) gearNamed(name string) (*catalog.Gear, error) {
	gear, candidates := s.Gear.FindNamed(name)
	switch {
	case gear != nil:
		return gear, nil
	case len(candidates) == 0:
		return nil, s.Gear.NotFound(strings.ToLower(name))
	}
	return nil, ambiguousGear([]*views.UnresolvedGear{views.NewUnresolvedGear(name, candidates)})
}

// ambiguousGear returns the error for names that may mean several models.
func ambiguousGear(names []*views.UnresolvedGear) error {
	var fieldErrors web.FieldErrors
	for _, name := range names {
		unresolved := &problem.Unresolved{Kind: "gear", Text: name.Name, Several: true, Known: market.FindGearHint}
		for _, c := range name.Candidates {
			unresolved.Candidates, unresolved.Names = append(unresolved.Candidates, c.Gear), append(unresolved.Names, c.Name)
		}
		fieldErrors.AddErr("gear", unresolved)
	}
	return fieldErrors.Err()
}

// priceSources returns what a price guide is made of.
func priceSources(p *views.PriceGuide) []string { return []string{cachetag.Gear(p.Gear)} }

// pricesSources returns what the page of prices is made of. The order of candidates and
// the most-sold models depend on all sales.
func pricesSources(p *views.Prices) []string {
	if p.Guide != nil {
		return priceSources(p.Guide)
	}
	return []string{cachetag.Market}
}
