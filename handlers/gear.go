package handlers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// gearInput are the parameters of a search in the catalogue.
type gearInput struct {
	Keyword string `json:"keyword,omitempty" jsonschema:"a model as people write it, such as a7iii or nifty fifty; typos are corrected" example:"nifty fifty"`
	Limit   int    `json:"limit,omitempty" jsonschema:"gear a page, 1 to 100" min:"1" max:"100" default:"24" example:"24"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is"`
}

func (s *Server) findGear() Operation {
	return Op[gearInput, *views.GearIndex]{
		Name:    "find_gear",
		Path:    "/api/gear",
		Page:    "/gear",
		Tag:     "Gear",
		Title:   "Find gear",
		Summary: "Finds camera and lens models in the catalogue by any name they are sold under.",
		Description: "Answers with models of the catalogue, each with its slug, what it sold for and how many are for sale. " +
			"Use it to learn the slug that get_trend and the model parameter of search_listings want. Without keyword it lists every brand and the gear most sold; get_brand lists a brand's whole catalogue.",
		Errors: []string{"invalid_parameter", "invalid_cursor"},
		Do:     s.doFindGear,
	}.Operation()
}

func (s *Server) doFindGear(ctx context.Context, in *gearInput) (*views.GearIndex, error) {
	keyword := strings.Join(strings.Fields(in.Keyword), " ")
	if keyword == "" {
		return s.gearIndex(ctx, in.Limit)
	}
	gear, _ := s.lookup.Gear(keyword)
	page, next, err := pageOf(gear, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	cards, err := s.gearCards(ctx, page)
	if err != nil {
		return nil, err
	}
	return views.NewGearSearch(&s.site, keyword, len(gear), cards, next), nil
}

// gearIndex is every brand, and the gear most sold.
func (s *Server) gearIndex(ctx context.Context, limit int) (*views.GearIndex, error) {
	slugs, err := s.store.MostSold(ctx, limit)
	if err != nil {
		return nil, err
	}
	cards, err := s.gearCards(ctx, s.catalogued(slugs))
	if err != nil {
		return nil, err
	}
	return views.NewGearIndex(&s.site, len(s.catalog.All()), s.brandCards(), cards), nil
}

// catalogued is the gear of slugs; sales may name gear that an older catalogue had.
func (s *Server) catalogued(slugs []string) []*models.Gear {
	var gear []*models.Gear
	for _, slug := range slugs {
		if g := s.catalog.Gear(slug); g != nil {
			gear = append(gear, g)
		}
	}
	return gear
}

type brandInput struct {
	Brand  string `json:"brand" in:"path" jsonschema:"slug of the brand" example:"canon"`
	Limit  int    `json:"limit,omitempty" jsonschema:"gear a page, 1 to 100" min:"1" max:"100" default:"100" example:"100"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is"`
}

func (s *Server) getBrand() Operation {
	return Op[brandInput, *views.GearIndex]{
		Name:        "get_brand",
		Path:        "/api/gear/{brand}",
		Page:        "/gear/{brand}",
		Tag:         "Gear",
		Title:       "Get a brand",
		Summary:     "The models of one brand.",
		Description: "Answers with the models of one brand in the catalogue, each with its slug, what it sold for and how many are for sale.",
		Errors:      []string{"brand_not_found", "invalid_cursor"},
		Do:          s.readBrand,
	}.Operation()
}

func (s *Server) readBrand(ctx context.Context, in *brandInput) (*views.GearIndex, error) {
	brand := s.catalog.Brand(in.Brand)
	if brand == nil {
		return nil, s.brandNotFound(in.Brand)
	}
	page, next, err := pageOf(brand.Gear, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	cards, err := s.gearCards(ctx, page)
	if err != nil {
		return nil, err
	}
	return views.NewBrandPage(&s.site, brand.Slug, brand.Name, len(brand.Gear), cards, next), nil
}

func (s *Server) brandNotFound(slug string) error {
	err := &models.Error{Kind: models.NotFound, Code: "brand_not_found",
		Message: fmt.Sprintf("The catalogue has no brand with the slug %q.", slug),
		Hint:    "GET /api/gear lists every brand."}
	if near := nearest(models.Slug(slug), s.names.brands); near != "" {
		err.Hint = fmt.Sprintf("Did you mean %s? GET /api/gear lists every brand.", near)
		err.Links = []models.ErrorLink{{Href: "/gear/" + near, Label: s.catalog.Brand(near).Name}}
	}
	return err
}

type trendInput struct {
	Brand string `json:"brand" in:"path" jsonschema:"slug of the brand" example:"canon"`
	Model string `json:"model" in:"path" jsonschema:"slug of the model" example:"eos-r6"`
}

// trendListingsShown is how many listings for sale a gear's page shows.
const trendListingsShown = 12

func (s *Server) getTrend() Operation {
	return Op[trendInput, *views.Trend]{
		Name:    "get_trend",
		Path:    "/api/trends/{brand}/{model}",
		Page:    "/gear/{brand}/{model}",
		Tag:     "Gear",
		Title:   "Get a price trend",
		Summary: "What one camera or lens sells for, month by month and by condition.",
		Description: "Answers with the price history of one model, made of completed sales and never of asking prices: median, quartiles, by condition, by month, " +
			"how the median moved over 30 days, 90 days and 12 months, and what is for sale now. Use it to judge whether a price is fair. " +
			"Figures made of fewer than five sales say insufficient_data. Take brand and model from the slug find_gear gives.",
		Errors: []string{"gear_not_found"},
		Faces:  []Face{CSV, SVG},
		Do:     s.readTrend,
	}.Operation()
}

func (s *Server) readTrend(ctx context.Context, in *trendInput) (*views.Trend, error) {
	gear := s.catalog.Gear(in.Brand + "/" + in.Model)
	if gear == nil {
		return nil, s.gearNotFound(in.Brand + "/" + in.Model)
	}
	trend, err := s.store.Trend(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	found, err := s.index.Search(search.Query{Filter: search.Filter{Model: gear.Slug()}, Sort: search.Deal, Limit: trendListingsShown})
	if err != nil {
		return nil, err
	}
	cards, err := decodeCards(found)
	if err != nil {
		return nil, err
	}
	parts := views.TrendParts{Gear: gear, Trend: trend, Listings: cards, Photos: s.photosWith(gear.Slug())}
	parts.Active, parts.Lowest, parts.Average = s.index.Asking(gear.Slug())
	return views.NewTrend(&s.site, parts), nil
}

// photosShown is how many photographs taken with it a gear's page shows.
const photosShown = 6

func (s *Server) photosWith(gear string) []views.PhotoCard {
	photos := s.photographs().With(gear)
	return views.NewPhotoCards(&s.site, photos[:min(len(photos), photosShown)])
}

// gearNotFound names the nearest gear.
func (s *Server) gearNotFound(slug string) error {
	err := &models.Error{Kind: models.NotFound, Code: "gear_not_found",
		Message: fmt.Sprintf("The catalogue has no gear with the slug %q.", slug),
		Hint:    "Find the slug with GET /api/gear?keyword=…"}
	near := s.catalog.Nearest(slug, 3)
	if len(near) == 0 {
		return err
	}
	var slugs []string
	for _, g := range near {
		slugs = append(slugs, g.Slug())
		err.Links = append(err.Links, models.ErrorLink{Href: "/gear/" + g.Slug(), Label: g.Name()})
	}
	err.Hint = "Did you mean " + strings.Join(slugs, " or ") + "? Or find the slug with GET /api/gear?keyword=…"
	return err
}

// gearCards are gear with what it sold for and what is asked for it.
func (s *Server) gearCards(ctx context.Context, gear []*models.Gear) ([]views.GearCard, error) {
	slugs := make([]string, len(gear))
	for i, g := range gear {
		slugs[i] = g.Slug()
	}
	trends, err := s.store.Trends(ctx, slugs)
	if err != nil {
		return nil, err
	}
	cards := make([]views.GearCard, len(gear))
	for i, g := range gear {
		forSale, lowest, _ := s.index.Asking(g.Slug())
		cards[i] = views.NewGearCard(&s.site, g, forSale, lowest, trends[g.Slug()])
	}
	return cards, nil
}

func (s *Server) brandCards() []views.BrandCard {
	brands := s.catalog.Brands()
	cards := make([]views.BrandCard, len(brands))
	for i, b := range brands {
		cards[i] = views.NewBrandCard(&s.site, b.Slug, b.Name, len(b.Gear), s.index.CountBrand(b.Slug))
	}
	return cards
}

// isNotFound reports whether a reader asked for what is not there.
func isNotFound(err error) bool {
	var told *models.Error
	return errors.As(err, &told) && told.Kind == models.NotFound
}
