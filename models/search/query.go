package search

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Sort is the order of the listings found.
type Sort string

// The orders. Where two listings are equal the newer comes first, then the
// greater id.
const (
	Relevance Sort = "relevance" // gear named in full, gear that matches, text that matches; in each the newest first
	Newest    Sort = "newest"
	Price     Sort = "price"
	PriceDesc Sort = "-price"
	Deal      Sort = "deal" // price divided by the typical price, those without typical price last
)

// Sorts lists every order, the default first.
var Sorts = []Sort{Relevance, Newest, Price, PriceDesc, Deal}

// Limits of Query.Limit.
const (
	DefaultLimit = 24
	MaxLimit     = 100
)

// NamedLimit is how many gear Result.Named has at most.
const NamedLimit = 5

// Query is a search. Its zero value finds everything, in the order of Relevance.
type Query struct {
	Filter
	Min *models.Amount `json:"budget_min,omitempty"` // inclusive, nil for none
	Max *models.Amount `json:"budget_max,omitempty"` // inclusive, nil for none

	Sort   Sort   `json:"sort"`  // "" is Relevance
	Limit  int    `json:"limit"` // 1 to MaxLimit; 0 is DefaultLimit, other values are clamped with a warning
	Cursor string `json:"-"`     // NextCursor of the previous page, "" for the first page
}

// DefaultSort returns the order of a search that names none: Relevance with a
// keyword, else Newest.
func (q *Query) DefaultSort() Sort {
	if q.Keyword != "" {
		return Relevance
	}
	return Newest
}

// Result is what a search found. It may be given to SearchInto again and again.
type Result struct {
	Total      int               // exact, of all pages
	Cards      []json.RawMessage // of the listings of the page; shared, they must not be changed
	Facets     Facets
	NextCursor string    // "" on the last page
	DidYouMean string    // a keyword that finds more, "" for none
	Keyword    string    // the keyword that was looked for, when it was corrected; else ""
	Named      []string  // slugs of gear that the keyword names in full, for sale or not, at most NamedLimit; shared
	Warnings   []Warning // what was changed in the query
}

// reset empties a result and keeps the capacity of its slices.
func (r *Result) reset() {
	facets := r.Facets
	for i := range Params {
		if of := Params[i].Facet; of != nil {
			*of(&facets) = (*of(&facets))[:0]
		}
	}
	facets.Price = facets.Price[:0]
	*r = Result{Cards: r.Cards[:0], Warnings: r.Warnings[:0], Facets: facets}
}

// Count is one value of a facet.
type Count struct {
	Value string
	Count int
}

// Band is a range of prices: Least ≤ price ≤ Most, where Most is 0 in the band
// without end. Bands do not overlap and leave no gap, so that "500-999.99" as a
// budget finds exactly what its band counted.
type Band struct {
	Least, Most models.Cents
	Count       int
}

// bandEdges are the prices at which bands begin.
var bandEdges = [...]int32{0, 100_00, 250_00, 500_00, 1000_00, 2000_00, 4000_00}

const bandCount = len(bandEdges)

// bandOf is the band of a price.
func bandOf(price int32) uint8 { return bands[min(uint32(price)/bandStep, uint32(len(bands)-1))] }

// bands is the band of every step of the price; all edges are multiples of it.
var bands = func() (bands [4000_00/bandStep + 1]uint8) {
	for step := range bands {
		for int(bands[step])+1 < bandCount && int32(step)*bandStep >= bandEdges[bands[step]+1] {
			bands[step]++
		}
	}
	return bands
}()

const bandStep = 50_00

// Warning says what was changed in a query that could still be answered.
type Warning struct {
	Code    string // "corrected", "clamped" or "shortened"
	Field   string // "keyword" or "limit"
	Message string
}

// normal fills in defaults, notes in r what it clamps, and refuses what it cannot use.
func (q *Query) normal(r *Result) error {
	q.Seller = strings.ToLower(q.Seller)
	if q.Sort == "" {
		q.Sort = Relevance
	}
	if !slices.Contains(Sorts, q.Sort) {
		return &models.Error{Kind: models.Invalid, Code: "invalid_parameter", Message: "There is no sort " + quoted(string(q.Sort)) + ".",
			Hint:   "Use relevance, newest, price, -price or deal.",
			Fields: []models.FieldError{{Field: "sort", Code: "invalid_value", Message: "must be relevance, newest, price, -price or deal"}}}
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

func quoted(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return "“" + s + "”"
}
