package search

import (
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// Sort is an order of listings.
type Sort string

// Relevance, Newest, Price, PriceDesc, Total and Deal are the orders. Equal listings
// are ordered newest first, then by descending id.
const (
	Relevance Sort = "relevance" // gear named in full, then matching gear, then matching titles; each newest first
	Newest    Sort = "newest"
	Price     Sort = "price"
	PriceDesc Sort = "-price"
	Total     Sort = "total" // price and postage to Query.ShipTo, 0 if it is not stated; listings that are not shipped there last, by price
	Deal      Sort = "deal"  // price divided by the typical price; listings without one last
)

// Sorts lists all orders, the default first.
var Sorts = []Sort{Relevance, Newest, Price, PriceDesc, Total, Deal}

// DefaultLimit and MaxLimit are the default and the maximum of Query.Limit.
const (
	DefaultLimit = 24
	MaxLimit     = 100
)

// Query describes a search. The zero value matches all listings, in the order
// Relevance.
type Query struct {
	Filter
	Min *models.Amount `json:"budget_min,omitempty"` // inclusive, nil for none
	Max *models.Amount `json:"budget_max,omitempty"` // inclusive, nil for none

	// Currency is that of the reader, "" for that of the site. Facets.Price has its bands, and
	// listings in other currencies have an approximate price in it.
	Currency string `json:"currency,omitempty" jsonschema:"currency of the reader, ISO 4217, for the budget and approximate prices; that of the site by default" maxlength:"3" example:"EUR"`

	ShipTo models.Region `json:"ship_to,omitempty" jsonschema:"country to deliver to"` // Total requires it

	Sort   Sort   `json:"sort"`  // "" is Relevance
	Limit  int    `json:"limit"` // 1 to MaxLimit; 0 is DefaultLimit, other values are clamped with a warning
	Cursor string `json:"-"`     // NextCursor of the previous page, "" for the first page
}

// DefaultSort returns the order of a search without a sort parameter: Relevance if it
// has a keyword, else Newest.
func (q *Query) DefaultSort() Sort {
	if q.Keyword != "" {
		return Relevance
	}
	return Newest
}

// verbatim reports whether the keyword is in quotation marks: it is not corrected then.
func (q *Query) verbatim() bool {
	return len(q.Keyword) > 1 && strings.HasPrefix(q.Keyword, `"`) && strings.HasSuffix(q.Keyword, `"`)
}

// GearFilter restricts a search to gear with certain specifications, or that fits a
// camera or lens. Gear whose
// specification is unknown does not match. A lens or a camera with a fixed lens matches
// a range of focal lengths if it can be set to one of them: a zoom whose own range
// overlaps it, so that from 200 mm finds every lens that reaches 200 mm.
type GearFilter struct {
	FocalMin      catalog.Focal   `json:"focal_min,omitempty" jsonschema:"lenses that reach this focal length in mm" example:"70"`
	FocalMax      catalog.Focal   `json:"focal_max,omitempty" jsonschema:"lenses that go down to this focal length in mm" example:"200"`
	EquivalentMin catalog.Focal   `json:"equivalent_min,omitempty" jsonschema:"focal_min converted to full frame" example:"24"`
	EquivalentMax catalog.Focal   `json:"equivalent_max,omitempty" jsonschema:"focal_max converted to full frame" example:"35"`
	ApertureMax   catalog.FNumber `json:"aperture_max,omitempty" jsonschema:"f-number wide open, at most" example:"2.8"`
	Sensor        catalog.Sensor  `json:"sensor,omitempty" jsonschema:"sensor or film format: full_frame, aps_c, micro_four_thirds, 35mm_film; of a lens, the largest it covers" example:"full_frame"`
	Fits          string          `json:"fits,omitempty" jsonschema:"what fits this gear, natively or by an adapter; lenses that crop too" example:"canon/eos-r6"`
	ReleasedMin   int             `json:"released_min,omitempty" jsonschema:"year: released then or later" min:"1800" max:"2100" example:"2018"`
}

// Filter restricts a search. The zero value has no restrictions. A listing must meet
// all restrictions, and match one of the values of those with several. No listing
// matches an unknown value.
//
// The struct tags describe each field as an input parameter. Every field needs an
// entry in Params.
type Filter struct {
	Keyword    string              `json:"keyword,omitempty" jsonschema:"model, nickname or words of a listing" maxlength:"200" example:"r6 mk ii"`
	Category   models.Kind         `json:"category,omitempty" jsonschema:"a category, or camera or lens for the family" enum:"camera,lens,mirrorless,dslr,rangefinder,film_slr,medium_format,large_format,compact,instant,action_cam,lens_prime,lens_zoom,lens_macro,lens_fisheye,accessory,other" example:"camera"`
	Brands     []string            `json:"brand,omitempty" jsonschema:"brand by any common name, or several" example:"canon"`
	Model      string              `json:"model,omitempty" jsonschema:"one model by any common name, or its slug" example:"canon/eos-r6"`
	Mount      string              `json:"mount,omitempty" jsonschema:"lens mount by any common name" example:"Canon RF"`
	Conditions []models.Condition  `json:"condition,omitempty" jsonschema:"grade, or several" example:"excellent"`
	Functional []models.Functional `json:"functional,omitempty" jsonschema:"working state, or several" example:"fully_working"`
	// Deal is BelowRange or "": the asking price is less than the low end of the range of the
	// estimate of the gear in its condition. Listings without such a range don't match.
	Deal   prices.Verdict `json:"deal,omitempty" jsonschema:"below: under the range in which 8 of 10 sell" enum:"below" example:"below"`
	Region models.Region  `json:"region,omitempty" jsonschema:"country by name or code (DE), subdivision (US-CA), or EU" example:"DE"`
	Seller string         `json:"seller,omitempty" jsonschema:"handle of a seller"`
	GearFilter
	ShutterMax int   `json:"shutter_max,omitempty" jsonschema:"shutter count at most, if known" min:"1" max:"10000000" example:"50000"`
	Demo       *bool `json:"demo,omitempty" jsonschema:"true: only demonstration data; false: none" example:"false"`
}

// Facets counts the listings found by the values of each parameter. Each facet counts
// with every restriction applied except its own, so that the count of a value is the
// total of the search with this value in place of its own. Values without listings are
// omitted.
type Facets struct {
	Category   []Count // concrete categories, in the order of models.Categories
	Brand      []Count // slugs, the most frequent first
	Condition  []Count // best first
	Functional []Count // best first
	Region     []Count // countries including their subdivisions, the most frequent first; then the subdivisions of the selected country
	Mount      []Count // names, the most frequent first
	Price      []Band  // ascending
}

// Count is the number of listings with a value of a facet.
type Count struct {
	Value string
	Count int
}

// Band is a range of prices in minor units: Min ≤ price ≤ Max, or Min ≤ price if Max
// is 0. Bands do not overlap and leave no gaps, so that the budget "500-999.99"
// finds exactly the listings counted in its band.
type Band struct {
	Min, Max models.Cents
	Count    int
	Currency string // "" for that of the site
}
