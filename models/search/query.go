package search

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
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

// NamedLimit is the maximum length of Result.Named.
const NamedLimit = 5

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

// Result is the result of a search. It may be passed to SearchInto repeatedly, which
// overwrites its cards.
type Result struct {
	Total      int               // number of listings on all pages, exact
	Cards      []json.RawMessage // cards of the listings on the page
	text       []byte            // of the cards
	Shipping   []Shipping        // of each of the Cards; none without Query.ShipTo
	Approx     []models.Approx   // prices of the Cards in Query.Currency, zero if they are in it; none if all are in the currency of the site
	Facets     Facets
	NextCursor string // "" on the last page

	// HasPrevious is set if there is a page before this one and it is known.
	// PreviousCursor is its cursor, "" if it is the first.
	HasPrevious    bool
	PreviousCursor string

	DidYouMean string    // a keyword with more results, "" for none
	Keyword    string    // the keyword searched for, if it was corrected; else ""
	Named      []string  // slugs of gear that the keyword names in full, for sale or not; at most NamedLimit; shared, must not be modified
	Warnings   []Warning // changes made to the query
}

// reset clears r and keeps the capacity of its slices.
func (r *Result) reset() {
	for i := range Params {
		if counts := Params[i].Facet; counts != nil {
			list := counts(&r.Facets)
			*list = (*list)[:0]
		}
	}
	r.Facets.Price = r.Facets.Price[:0]
	*r = Result{Cards: r.Cards[:0], text: r.text[:0], Shipping: r.Shipping[:0], Approx: r.Approx[:0], Warnings: r.Warnings[:0], Facets: r.Facets}
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

// bandEdges lists the lowest price of each band.
var bandEdges = [...]int32{0, 100_00, 250_00, 500_00, 1000_00, 2000_00, 4000_00}

const bandCount = len(bandEdges)

// bandOf returns the index of the band of a price.
func bandOf(price int32) uint8 { return bands[min(uint32(price)/bandStep, uint32(len(bands)-1))] }

// bands maps price/bandStep to the index of the band. All edges are multiples of
// bandStep.
var bands = func() (bands [4000_00/bandStep + 1]uint8) {
	for step := range bands {
		for int(bands[step])+1 < bandCount && int32(step)*bandStep >= bandEdges[bands[step]+1] {
			bands[step]++
		}
	}
	return bands
}()

const bandStep = 50_00

// Warning describes a change made to a query so that it could be answered.
type Warning struct {
	Code    string // "corrected", "clamped" or "shortened"
	Field   string // "keyword" or "limit"
	Message string
}

// normal sets defaults, clamps the limit with a warning in r, and returns a
// *problem.Error for an unknown sort.
func (q *Query) normal(r *Result) error {
	q.Seller = strings.ToLower(q.Seller)
	if q.Sort == "" {
		q.Sort = Relevance
	}
	if !slices.Contains(Sorts, q.Sort) {
		return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: problem.Textf("There is no sort %s.", quoted(string(q.Sort))),
			Hint:   problem.Textf("Use relevance, newest, price, -price, total or deal."),
			Fields: []problem.FieldError{{Field: "sort", Code: "invalid_value", Message: problem.Programf("must be relevance, newest, price, -price, total or deal")}}}
	}
	if q.Sort == Total && q.ShipTo == "" {
		return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: problem.Programf("The sort total needs ship_to."),
			Hint:   problem.Programf("Add the country to ship to, such as ship_to=DE."),
			Fields: []problem.FieldError{{Field: "ship_to", Code: "missing", Message: problem.Programf("must be a country, for the sort total")}}}
	}
	switch {
	case q.Limit == 0:
		q.Limit = DefaultLimit
	case q.Limit < 1:
		q.Limit = 1
		r.Warnings = append(r.Warnings, Warning{"clamped", "limit", "limit is at least 1"})
	case q.Limit > MaxLimit:
		q.Limit = MaxLimit
		r.Warnings = append(r.Warnings, Warning{"clamped", "limit", "limit is at most 100"})
	}
	return nil
}

// quoted returns s in quotation marks, shortened to 40 bytes.
func quoted(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return "“" + s + "”"
}
