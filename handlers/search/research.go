package search

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// The operations search and fetch have the names, the arguments and the results that the deep
// research of chat clients expects of an MCP server.

// findInput is a question.
type findInput struct {
	Query string `json:"query" jsonschema:"names of gear, or words of listings" required:"true" maxlength:"200" example:"canon eos r6"`
}

// foundGear and foundListings are the maximum numbers of pages that a search returns.
const (
	foundGear     = 5
	foundListings = 10
)

func (s searchOps) find() web.Operation {
	return web.Op[findInput, *views.Findings]{
		Name: "search", Path: "/api/research/search", Tag: "Research", Shared: true, DependsOn: cachetag.OnMarket[*views.Findings],
		Title: "Search", Summary: "Searches price histories and listings of used cameras and lenses.",
		Description: "Returns the pages of models that the words name, with what they sell for, then of listings for sale. Read one with fetch. search_listings has filters.",
		Errors:      []string{"missing_parameter"},
		Do: func(_ context.Context, in *findInput) (*views.Findings, error) {
			text := input.OneLine(in.Query)
			gear, _ := s.Catalog.Lookup().RankedGear(text, s.Gear.Popularity)
			var links []ui.Link
			for _, g := range gear[:min(len(gear), foundGear)] {
				links = append(links, ui.Link{Href: ui.GearPath(g.Slug()), Label: g.Name() + ": sold prices"})
			}
			found, err := s.Index.Search(search.Query{Filter: search.Filter{Keyword: text}, Limit: foundListings, NoFacets: true})
			if err != nil {
				return nil, err
			}
			cards, err := s.Cards.Decode(found)
			if err != nil {
				return nil, err
			}
			for i := range cards {
				links = append(links, ui.Link{Href: cards[i].Page, Label: ui.Commas(cards[i].Title, cards[i].PriceText(), cards[i].ConditionText())})
			}
			return views.NewFindings(s.Site, links), nil
		},
	}.Operation()
}

// fetchInput names a page.
type fetchInput struct {
	ID string `json:"id" jsonschema:"id from search, the path of a page" required:"true" maxlength:"200" example:"/gear/canon/eos-r6"`
}

func (s searchOps) fetch() web.Operation {
	return web.Op[fetchInput, *views.Fetched]{
		Name: "fetch", Path: "/api/research/fetch", Tag: "Research", Shared: true, Live: true,
		Title: "Fetch a page", Summary: "Returns the text of a public page of the site.",
		Description: "Returns the page as Markdown: of a model what it sells for, of a listing everything about it. Ids come from search; paths such as /prices or /guides work, too.",
		Errors:      []string{"missing_parameter", "page_not_found", "listing_not_found", "gear_not_found"},
		Do: func(ctx context.Context, in *fetchInput) (*views.Fetched, error) {
			path, _, _ := strings.Cut(strings.TrimPrefix(in.ID, s.Site.BaseURL), "?")
			title, text, err := s.ReadPage(ctx, path)
			if err != nil {
				return nil, err
			}
			return views.NewFetched(s.Site, path, title, text), nil
		},
	}.Operation()
}
