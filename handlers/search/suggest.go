package search

import (
	"context"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/search"
)

// suggestInput is what somebody has typed so far.
type suggestInput struct {
	Text string `json:"q" jsonschema:"what has been typed so far; the last word may be incomplete" required:"true" maxlength:"100" example:"canon eos r"`
}

// searchSuggestions is the maximum number of suggestions, and searchSuggestionsAge the
// seconds that a browser may use them again for the same text.
const (
	searchSuggestions    = 8
	searchSuggestionsAge = 300
)

func (s searchOps) suggestSearches() web.Operation {
	return web.Op[suggestInput, *views.Suggestions]{
		Name: "suggest_searches", Path: "/api/suggest", Tag: "Listings", Shared: true, NoTool: true, MaxAge: searchSuggestionsAge,
		DependsOn: cachetag.OnMarket[*views.Suggestions],
		Title:     "Suggest searches",
		Summary:   "Suggests gear, brands and categories as someone types a search.",
		Description: "Returns up to 8 models, brands and categories that the text may mean, by name or nickname, the best-selling first, each with the number for sale and the search it stands for. " +
			"They come from the catalogue alone. To search, use search_listings.",
		Errors: []string{"invalid_parameter", "missing_parameter"},
		Do: func(_ context.Context, in *suggestInput) (*views.Suggestions, error) {
			text := input.OneLine(in.Text)
			return views.NewSuggestions(s.Site, text, s.Catalog.Suggest(text, searchSuggestions, s.Gear.Popularity), s.countSuggested), nil
		},
	}.Operation()
}

// countSuggested returns the number of listings of a suggestion.
func (s searchOps) countSuggested(suggested catalog.Suggestion) int {
	switch {
	case suggested.Gear != nil:
		return s.Index.CountGear(suggested.Gear.Slug())
	case suggested.Brand != nil:
		return s.Index.CountBrand(suggested.Brand.Slug)
	}
	found, err := s.Index.Search(search.Query{Filter: search.Filter{Category: suggested.Kind}, Limit: 1, NoFacets: true})
	if err != nil {
		return 0
	}
	return found.Total
}
