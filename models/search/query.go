package search

import (
	"strings"

	"github.com/secondlight/secondlight/models"
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
	Deal      Sort = "deal"  // the least likely price first, see prices.Typical; listings without a typical price last
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

	// ShipTo are the countries to deliver to, of which the one with the lowest postage counts. Total requires one.
	ShipTo []models.Region `json:"ship_to,omitempty" jsonschema:"country to deliver to, or several, of which the cheapest counts" maxvalues:"10"`

	Sort   Sort   `json:"sort"`  // "" is Relevance
	Limit  int    `json:"limit"` // 1 to MaxLimit; 0 is DefaultLimit, other values are clamped with a warning
	Cursor string `json:"-"`     // NextCursor of the previous page, "" for the first page

	NoFacets bool `json:"-"` // Result.Facets stays empty
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

// Facets counts the listings found by the values of each parameter. Each facet counts
// with every restriction applied except its own, so that the count of a value is the
// total of the search with this value in place of its own. Values without listings are
// omitted.
type Facets struct {
	Category   []Count // concrete categories, in the order of models.Categories
	Brand      []Count // slugs, the most frequent first
	Condition  []Count // best first
	Functional []Count // best first
	Defects    []Count // in the order of models.Defects; left out, as WithoutDefects, if too many listings have one
	// WithoutDefects counts the listings without each of the defects that some have.
	WithoutDefects []Count
	Region         []Count // countries including their subdivisions, the most frequent first; then the subdivisions of the selected countries
	Mount          []Count // names, the most frequent first
	Price          []Band  // ascending
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
