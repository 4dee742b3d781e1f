package search

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// categoryInput names a category page.
type categoryInput struct {
	Section string `json:"section" in:"path" jsonschema:"cameras, lenses, accessories, or a brand" example:"lenses"`
}

// partInput names a category page within another.
type partInput struct {
	categoryInput
	Part string `json:"part" in:"path" jsonschema:"a category, a mount, or cameras or lenses of a brand" example:"fujifilm-x"`
}

func (s searchOps) browseCategory() web.Operation {
	return web.Op[categoryInput, *views.Listings]{
		Name: "browse_category", Page: "/used/{section}", Tag: "Listings", Shared: true, DependsOn: cachetag.OnMarket[*views.Listings],
		Title: "Browse a category", Summary: "Lists what is for sale of a category or a brand.",
		Description: "The page of a category or a brand: its listings, the lowest price and narrower categories. Its JSON is that of the search.",
		Errors:      []string{"page_not_found"},
		Do: func(_ context.Context, in *categoryInput) (*views.Listings, error) {
			return s.browse(in.Section)
		},
	}.Operation()
}

func (s searchOps) browsePart() web.Operation {
	return web.Op[partInput, *views.Listings]{
		Name: "browse_part_of_category", Page: "/used/{section}/{part}", Tag: "Listings", Shared: true, DependsOn: cachetag.OnMarket[*views.Listings],
		Title: "Browse part of a category", Summary: "Lists what is for sale of a part of a category or of a brand.",
		Description: "The page of a category of cameras or lenses, of the lenses for a mount, or of the cameras or lenses of a brand. Its JSON is that of the search.",
		Errors:      []string{"page_not_found"},
		Do: func(_ context.Context, in *partInput) (*views.Listings, error) {
			return s.browse(in.Section + "/" + in.Part)
		},
	}.Operation()
}

// browse returns the category page with a path after "/used/".
func (s searchOps) browse(path string) (*views.Listings, error) {
	f, ok := usedFilter(s.Catalog, path)
	if !ok {
		return nil, &problem.Error{Kind: problem.NotFound, Code: "page_not_found", Message: problem.Textf("There's no such category."),
			Links: []problem.Link{{Href: ui.UsedPrefix + "cameras", Label: "Cameras"}, {Href: ui.UsedPrefix + "lenses", Label: "Lenses"}}}
	}
	cheapest, err := s.Index.Search(search.Query{Filter: f, Sort: search.Price, Limit: 1, NoFacets: true})
	if err != nil {
		return nil, err
	}
	query := search.Query{Filter: f, Sort: search.Newest, Limit: search.DefaultLimit}
	buffer := s.Buffers.Get().(*searchBuffer)
	if err := s.Index.SearchInto(&buffer.result, query); err != nil {
		buffer.release()
		return nil, err
	}
	found := s.viewResult(&query, buffer)
	if found.Used, err = s.Words.NewUsed(&f, &buffer.result.Facets, s.Cards.List(cheapest)); err != nil {
		buffer.release()
		return nil, err
	}
	buffer.page.Set(s.Words, found)
	return &buffer.page, nil
}

// usedFilter returns the filter of the category page with a path after "/used/".
func usedFilter(c *catalog.Catalog, path string) (search.Filter, bool) {
	section, _, _ := strings.Cut(path, "/")
	var brands []string
	if c.Brand(section) != nil {
		brands = []string{section}
	}
	for _, f := range ui.UsedFilters(c.MountNames().Values, brands) {
		if ui.UsedPath(&f) == ui.UsedPrefix+path {
			return f, true
		}
	}
	return search.Filter{}, false
}
