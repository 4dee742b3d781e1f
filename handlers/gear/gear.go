package gear

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/gear"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// gearOps holds the operations on the gear catalogue.
type gearOps struct{ Deps }

// gearInput are the parameters of a catalogue search.
type gearInput struct {
	Keyword string `json:"keyword,omitempty" jsonschema:"model by any common name, such as a7iii or nifty fifty; typos are corrected" example:"nifty fifty"`
	Limit   int    `json:"limit,omitempty" jsonschema:"gear per page, 1 to 100" min:"1" max:"100" default:"24" example:"24"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s gearOps) findGear() web.Operation {
	return web.Op[gearInput, *views.GearIndex]{
		Name:      "find_gear",
		Path:      "/api/gear",
		Page:      "/gear",
		Tag:       "Gear",
		Shared:    true,
		DependsOn: catalogSources,
		Title:     "Find gear",
		Summary:   "Finds camera and lens models by any common name.",
		Description: "Returns models of the catalogue, each with its slug, sold prices and the number for sale. " +
			"Use it to get the slug that get_trend and the model parameter of search_listings take. Without keyword it returns every brand and the best-selling gear; get_brand lists all gear of a brand.",
		Errors: []string{"invalid_parameter", "invalid_cursor"},
		Do:     s.doFindGear,
	}.Operation()
}

func (s gearOps) doFindGear(ctx context.Context, in *gearInput) (*views.GearIndex, error) {
	keyword := strings.Join(strings.Fields(in.Keyword), " ")
	if keyword == "" {
		return s.gearIndex(ctx, in.Limit)
	}
	gear, _ := s.Catalog.Lookup().RankedGear(keyword, s.Gear.Popularity)
	page, next, err := web.PageOf(gear, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	cards, err := s.Cards.OfGear(ctx, page)
	if err != nil {
		return nil, err
	}
	return views.NewGearSearch(s.Site, keyword, len(gear), cards, ui.NewNext(next, in.Limit, 24)), nil
}

// gearIndex returns the page of all brands and the best-selling gear.
func (s gearOps) gearIndex(ctx context.Context, limit int) (*views.GearIndex, error) {
	slugs, err := s.Cards.Trends.MostSold(ctx, limit)
	if err != nil {
		return nil, err
	}
	cards, err := s.Cards.OfGear(ctx, s.Gear.Catalogued(slugs))
	if err != nil {
		return nil, err
	}
	return views.NewGearIndex(s.Site, len(s.Catalog.All()), s.brandCards(), cards), nil
}

type brandInput struct {
	Brand  string `json:"brand" in:"path" jsonschema:"brand by slug or any common name" example:"canon"`
	Limit  int    `json:"limit,omitempty" jsonschema:"gear per page, 1 to 100" min:"1" max:"100" default:"100" example:"100"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s gearOps) getBrand() web.Operation {
	return web.Op[brandInput, *views.GearIndex]{
		Name:        "get_brand",
		Path:        "/api/gear/{brand}",
		Page:        "/gear/{brand}",
		Tag:         "Gear",
		Shared:      true,
		DependsOn:   catalogSources,
		Title:       "Get a brand",
		Summary:     "Lists the models of a brand, most sold first.",
		Description: "Returns the models of a brand in the catalogue, most sold first, each with its slug, sold prices and the number for sale.",
		Errors:      []string{"brand_not_found", "invalid_cursor"},
		Canonical: func(param func(string) string) string {
			slug, err := s.Catalog.BrandNames().Resolve(param("brand"))
			if err != nil {
				return ""
			}
			return "/gear/" + slug
		},
		Do: s.readBrand,
	}.Operation()
}

func (s gearOps) readBrand(ctx context.Context, in *brandInput) (*views.GearIndex, error) {
	slug, err := s.Catalog.BrandNames().Resolve(in.Brand)
	if err != nil {
		return nil, s.brandNotFound(in.Brand, err)
	}
	brand := s.Catalog.Brand(slug)
	cards, err := s.Cards.OfGear(ctx, brand.Gear)
	if err != nil {
		return nil, err
	}
	cards, next, err := mostSoldFirst(cards, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	return views.NewBrandPage(s.Site, brand.Slug, brand.Name, len(brand.Gear), cards, ui.NewNext(next, in.Limit, 100)), nil
}

// mostSoldFirst sorts cards by their number of sales and returns up to limit of them
// after a cursor, with the cursor of the next page, "" on the last. The cursor names the
// last card, so that sales between two requests move few cards to another page.
func mostSoldFirst(cards []ui.GearCard, cursor string, limit int) (page []ui.GearCard, next string, err error) {
	sales, slug, err := web.ReadCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	compare := func(a, b *ui.GearCard) int {
		return cmp.Or(cmp.Compare(b.Sales, a.Sales), cmp.Compare(a.Slug, b.Slug))
	}
	slices.SortFunc(cards, func(a, b ui.GearCard) int { return compare(&a, &b) })
	if cursor != "" {
		last := &ui.GearCard{Sales: int(sales), Slug: slug}
		cards = slices.DeleteFunc(cards, func(c ui.GearCard) bool { return compare(&c, last) <= 0 })
	}
	if len(cards) > limit {
		cards = cards[:limit]
		next = web.WriteCursor(int64(cards[limit-1].Sales), cards[limit-1].Slug)
	}
	return cards, next, nil
}

// brandNotFound returns brand_not_found with links to the brands that a slug may mean.
func (s gearOps) brandNotFound(slug string, unresolved error) error {
	err := &problem.Error{Kind: problem.NotFound, Code: "brand_not_found",
		Message: problem.Programf("The catalogue has no brand with the slug %q.", slug),
		Hint:    market.FindBrandHint}
	var u *problem.Unresolved
	if !errors.As(unresolved, &u) {
		return err
	}
	for _, near := range u.Candidates {
		err.Links = append(err.Links, problem.Link{Href: "/gear/" + near, Label: s.Catalog.Brand(near).Name})
	}
	u.Known = market.FindBrandHint
	err.Hint = u.Hint()
	return err
}

type trendInput struct {
	Brand     string           `json:"brand" in:"path" jsonschema:"brand by slug or any common name" example:"canon"`
	Model     string           `json:"model" in:"path" jsonschema:"model by slug or any common name" example:"eos-r6"`
	Years     int              `json:"years,omitempty" jsonschema:"number of years in the series; default: all" min:"1" max:"10" example:"1"`
	Condition models.Condition `json:"condition,omitempty" jsonschema:"grade of the sales in the series, of the estimate and of the listings; default: all" example:"excellent"`
}

// What the page of a gear shows: active listings, most of them on the price range only, and the
// last sales.
const (
	trendListingsShown = 24
	recentShown        = 5
)

func (s gearOps) getTrend() web.Operation {
	return web.Op[trendInput, *views.Trend]{
		Name:      "get_trend",
		Path:      "/api/trends/{brand}/{model}",
		Page:      "/gear/{brand}/{model}",
		Tag:       "Gear",
		Shared:    true,
		DependsOn: trendSources,
		Title:     "Get a price trend",
		Summary:   "Returns sold prices of one camera or lens by month and by condition.",
		Description: "Returns the price history of one model, based on completed sales, not asking prices: median and quartiles overall, by condition and by month, " +
			"changes of the median over 30 days, 90 days and 12 months, active listings, and what fits it. Use it to check whether a price is fair. " +
			"Figures based on fewer than five sales are marked insufficient_data. Get brand and model from the slug in find_gear.",
		Errors:  []string{"gear_not_found"},
		Formats: []web.Format{web.CSV, web.SVG},
		Canonical: func(param func(string) string) string {
			gear, err := s.Catalog.FindGear(param("brand"), param("model"), s.Gear.Popularity)
			if err != nil {
				return ""
			}
			return "/gear/" + gear.Slug()
		},
		Do: s.readTrend,
	}.Operation()
}

func (s Deps) readTrend(ctx context.Context, in *trendInput) (*views.Trend, error) {
	gear, err := s.Catalog.FindGear(in.Brand, in.Model, s.Gear.Popularity)
	if err != nil {
		return nil, s.Gear.NotFound(in.Brand + "/" + in.Model)
	}
	trend, err := s.Prices.Trend(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	filter := search.Filter{Model: gear.Slug()}
	if in.Condition != "" {
		filter.Conditions = []models.Condition{in.Condition}
	}
	found, err := s.Index.Search(search.Query{Filter: filter, Sort: search.Deal, Limit: trendListingsShown, NoFacets: true})
	if err != nil {
		return nil, err
	}
	cards, err := s.Cards.Decode(found)
	if err != nil {
		return nil, err
	}
	parts := views.TrendParts{
		Gear: gear, Trend: trend, Listings: cards, InGrade: found.Total, Photos: s.photosWith(gear.Slug()),
		Fits: s.Catalog.Fitting(gear), Popularity: s.Gear.Popularity, Years: in.Years, Grade: in.Condition,
		Grades: s.Estimates.ByGrade(gear.Slug()), Index: s.Estimates.Current.Load().Index,
	}
	if parts.Recent, err = s.Trades.RecentSales(ctx, gear.Slug(), models.Conditions, recentShown); err != nil {
		return nil, err
	}
	if parts.Estimate, err = s.Estimates.Forecast(ctx, gear.Slug(), in.Condition); err != nil {
		return nil, err
	}
	if in.Condition != "" {
		if parts.Months, err = s.Prices.ConditionMonths(ctx, gear.Slug(), in.Condition); err != nil {
			return nil, err
		}
	}
	parts.Active, parts.Lowest, parts.Average = s.Index.Asking(gear.Slug())
	if !s.Site.Demo() {
		parts.Highest = s.Index.Highest(gear.Slug()) // for search engines, which the demonstration is not for
	}
	return views.NewTrend(s.Site, parts), nil
}

// photosShown is the number of portfolio photos on the page of a gear.
const photosShown = 6

// photosWith returns portfolio photos taken with a gear.
func (s Deps) photosWith(gear string) []portfolioviews.PhotoCard {
	photos := s.Library.Portfolio().With(gear)
	return portfolioviews.NewPhotoCards(s.Site, photos[:min(len(photos), photosShown)])
}

// brandCards returns the cards of all brands.
func (s gearOps) brandCards() []views.BrandCard {
	brands := s.Catalog.Brands()
	cards := make([]views.BrandCard, len(brands))
	for i, b := range brands {
		cards[i] = views.NewBrandCard(s.Site, b.Slug, b.Name, len(b.Gear), s.Index.CountBrand(b.Slug))
	}
	return cards
}

// catalogSources returns what a page of the catalogue is made of.
func catalogSources(p *views.GearIndex) []string {
	switch {
	case p.BrandSlug != "":
		return []string{cachetag.Brand(p.BrandSlug)}
	case p.Keyword == "":
		return []string{cachetag.Market}
	}
	var tags []string
	for i := range p.Gear {
		tags = append(tags, cachetag.Gear(p.Gear[i].Slug))
	}
	return tags
}

// trendSources returns what the page of gear is made of.
func trendSources(p *views.Trend) []string { return []string{cachetag.Gear(p.Gear)} }
