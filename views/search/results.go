package search

import (
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Listings is the page of a search.
type Listings struct {
	Query      ui.Query     `json:"query" jsonschema:"the search as it was understood"`
	Total      int          `json:"total" jsonschema:"exact number of listings found"`
	Gear       []NamedGear  `json:"gear" jsonschema:"gear that the keyword names in full, for sale or not"`
	Cards      ui.CardList  `json:"listings"`
	Facets     Facets       `json:"facets"`
	NextCursor string       `json:"next_cursor,omitempty" jsonschema:"give it as cursor to read on; absent on the last page"`
	DidYouMean string       `json:"did_you_mean,omitempty" jsonschema:"a keyword that finds more" untrusted:"true"`
	Relax      []Relaxation `json:"relax,omitempty" jsonschema:"if nothing is found: which filters to leave out, and how many listings there are without each"`
	Understood []Understood `json:"understood,omitempty" jsonschema:"words of the keyword that were read as filters of the query"`
	Links      SearchLinks  `json:"links"`
	Warnings   []ui.Warning `json:"warnings" jsonschema:"what was corrected or clamped"`
	Notice     string       `json:"notice,omitempty"`

	corrected      string   // the keyword that was searched for instead of the query's; "" if it was not corrected
	used           *Used    // of a category page; nil for a search
	typed          string   // the keyword as it was typed, if it was read as a sentence
	unused         []string // words of the keyword that were left out
	hasPrevious    bool     // there is a page before this one, and it is known
	previousCursor string   // its cursor, "" for the first page
	shipping       []search.Shipping
	fields         []string                  // of listings in JSON, nil for all
	full           bool                      // the page has all filters
	fitOf          func(gear string) *ui.Fit // nil if the search has no gear to fit
	countryOf      CountryOf

	site    *ui.Site
	words   *Vocabulary
	encoded ui.EncodedQuery
	found   search.Facets // counts from which facets computes Facets
	done    func()
}

// Found is the result of a search. If Done is not nil its slices are valid until Done
// is called; Listings.Release calls it.
type Found struct {
	Query      ui.Query
	Total      int
	Gear       []NamedGear
	Cards      ui.CardList
	Shipping   []search.Shipping         // of each of the cards, if Query.ShipTo is set
	View       string                    // "compact" for compactFields, "full" for a page with all filters
	Fields     []string                  // of listings in JSON, nil for all
	FitOf      func(gear string) *ui.Fit // how gear goes on Query.Fits, nil without it
	CountryOf  CountryOf                 // "" if the request names Query.ShipTo
	Facets     search.Facets
	NextCursor string
	DidYouMean string
	Unmatched  []string // words that neither gear nor a title has
	Reading    Reading
	Used       *Used  // of a category page
	Corrected  string // the keyword searched for, if it was corrected
	Relax      []search.Relaxation
	Warnings   []ui.Warning
	Done       func()

	HasPrevious    bool   // there is a page before this one, and it is known
	PreviousCursor string // its cursor, "" for the first page
}

// Reading says how a keyword that is a sentence was read: the zero value for others.
type Reading struct {
	Text    string // as it was typed
	Parts   []Understood
	Ignored []string // words that say something that can't be searched for
}

// Understood is a filter that words of a keyword were read as.
type Understood struct {
	Words     string `json:"words" jsonschema:"what was read, as it was written" untrusted:"true"`
	Parameter string `json:"parameter" jsonschema:"name of the filter"`
	Value     string `json:"value" jsonschema:"value of the filter"`
}

// NamedGear describes gear that a keyword names in full.
type NamedGear struct {
	Slug    string `json:"gear"`
	Name    string `json:"gear_name"`
	Href    string `json:"href" jsonschema:"path in the API of what it sells for"`
	Page    string `json:"page" jsonschema:"path of the page of the gear"`
	ForSale int    `json:"for_sale" jsonschema:"listings for sale now"`
}

// SearchLinks holds the URLs related to a search.
type SearchLinks struct {
	Self  string `json:"self"`
	Next  string `json:"next,omitempty"`
	Prev  string `json:"prev,omitempty" jsonschema:"the page before; absent on the first page, and after the eleventh"`
	First string `json:"first"`
	Page  string `json:"page" jsonschema:"the same search as a page"`
}

// CountryOf says where the country of a search in the order Total is from, if the
// request does not name it.
type CountryOf string

// OfMember and Unknown are the sources of a country. A page whose country is unknown
// asks for it, and is in the order Price.
const (
	OfMember CountryOf = "member"
	Unknown  CountryOf = "unknown"
)

// Relaxation says what a search that finds nothing would find without one of its
// parameters.
type Relaxation struct {
	Parameter string `json:"parameter" jsonschema:"parameter to remove or shorten; keyword if the search is another"`
	Keyword   string `json:"keyword,omitempty" jsonschema:"the shorter keyword" untrusted:"true"`
	Total     int    `json:"total" jsonschema:"number of listings of that search"`
	ui.Ref           // to that search
	label     string // of the parameter
	query     ui.Query
}
