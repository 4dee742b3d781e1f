package search

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

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
	Unmatched  []string  // words of the keyword that neither gear nor a title has, and that were left out
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
		return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: problem.Textf("There's no sort %s.", quoted(string(q.Sort))),
			Hint:   problem.Textf("Use relevance, newest, price, -price, total or deal."),
			Fields: []problem.FieldError{{Field: "sort", Code: "invalid_value", Message: problem.Programf("must be relevance, newest, price, -price, total or deal")}}}
	}
	if q.Sort == Total && len(q.ShipTo) == 0 {
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

// NamedLimit is the maximum length of Result.Named.
const NamedLimit = 5
