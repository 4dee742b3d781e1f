package views

import (
	"encoding/json"

	"github.com/secondlight/secondlight/models"
)

// Listings is the page of a search.
type Listings struct {
	Query      Query       `json:"query" jsonschema:"the search as it was understood"`
	Total      int         `json:"total" jsonschema:"exact number of listings found"`
	Cards      CardList    `json:"listings"`
	Facets     Facets      `json:"facets"`
	NextCursor string      `json:"next_cursor,omitempty" jsonschema:"give it as cursor to read on; absent on the last page"`
	DidYouMean string      `json:"did_you_mean,omitempty" jsonschema:"a keyword that finds more"`
	Links      SearchLinks `json:"links"`
	Warnings   []Warning   `json:"warnings" jsonschema:"what was corrected or clamped"`
	Notice     string      `json:"notice,omitempty"`
	site       *Site
}

// Query is a search as the site understood it: what is not restricted is absent.
type Query struct {
	Keyword    string             `json:"keyword,omitempty"`
	Category   string             `json:"category,omitempty"`
	Brands     []string           `json:"brand,omitempty"`
	Model      string             `json:"model,omitempty"`
	Mount      string             `json:"mount,omitempty"`
	Conditions []models.Condition `json:"condition,omitempty"`
	Region     models.Region      `json:"region,omitempty"`
	Seller     string             `json:"seller,omitempty"`
	Min        *models.Money      `json:"budget_min,omitempty"`
	Max        *models.Money      `json:"budget_max,omitempty"`
	Sort       string             `json:"sort"`
	Limit      int                `json:"limit"`
}

// CardList is a list of cards kept as the JSON each was finished into, so that
// a search copies bytes; Decode reads them for the faces that need the fields.
type CardList []json.RawMessage

// Facets count the listings found, by what a shopper may narrow.
type Facets struct {
	Category  []Facet `json:"category"`
	Brand     []Facet `json:"brand"`
	Condition []Facet `json:"condition"`
	Region    []Facet `json:"region"`
	Mount     []Facet `json:"mount"`
	Price     []Facet `json:"price"`
}

// Facet is one value of a facet. Each facet counts with every other
// restriction applied but its own, so that choosing another value is a real choice.
type Facet struct {
	Value  string `json:"value"`
	Label  string `json:"label"`
	Count  int    `json:"count"`
	Href   string `json:"href" jsonschema:"the search narrowed to this value, or widened again when it is chosen"`
	Active bool   `json:"active,omitempty" jsonschema:"true when the search is narrowed to this value"`
}

// SearchLinks are where to go from a search.
type SearchLinks struct {
	Self  string `json:"self"`
	Next  string `json:"next,omitempty"`
	First string `json:"first"`
	HTML  string `json:"html" jsonschema:"the same search as a page"`
}

// Warning says what the site changed in a request it could still answer.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
}
