package search

import (
	"context"
	"io"
	"slices"

	"github.com/secondlight/secondlight/views/ui"
)

// SearchOptions are the options of the result of a search.
type SearchOptions struct {
	Include []string `json:"include,omitempty" enum:"facets,photos" jsonschema:"facets: counts by filter; photos: URLs"`
}

// SearchResult is the result of a search.
type SearchResult struct {
	Total      int               `json:"total" jsonschema:"exact number of listings found"`
	Listings   []ui.ListingBrief `json:"listings"`
	Gear       []GearCount       `json:"gear,omitempty" jsonschema:"gear that the keyword names"`
	NextCursor string            `json:"next_cursor,omitempty"`
	DidYouMean string            `json:"did_you_mean,omitempty" jsonschema:"a keyword that finds more" untrusted:"true"`
	Filters    string            `json:"filters,omitempty" jsonschema:"the search as it was understood" untrusted:"true"`
	Understood []Understood      `json:"understood,omitempty" jsonschema:"words of the keyword that were read as filters"`
	Relax      []RelaxCount      `json:"relax,omitempty" jsonschema:"if nothing is found: which filters to leave out, and what is found without each"`
	Warnings   []ui.Warning      `json:"warnings,omitempty" jsonschema:"what was corrected"`
	Facets     []FacetCounts     `json:"facets,omitempty"`
	page       *Listings
	cards      []ui.Card
}

// GearCount is gear with its number of listings.
type GearCount struct {
	Gear    string `json:"gear" jsonschema:"catalogue slug"`
	Name    string `json:"gear_name"`
	ForSale int    `json:"for_sale"`
}

// RelaxCount is a parameter of a search that finds nothing, with what it finds without.
type RelaxCount struct {
	Parameter string `json:"parameter,omitempty" jsonschema:"absent if the search keeps one parameter or none"`
	Keyword   string `json:"keyword,omitempty" jsonschema:"the shorter keyword" untrusted:"true"`
	Total     int    `json:"total"`
}

// FacetCounts holds the number of listings for each value of a filter.
type FacetCounts struct {
	Parameter string       `json:"parameter" jsonschema:"argument of search_listings"`
	Values    []ValueCount `json:"values"`
}

// ValueCount is a value of a filter with its number of listings.
type ValueCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Result returns what search_listings returns.
func (p *Listings) Result(o *SearchOptions) *SearchResult {
	cards, err := p.decodeCards()
	r := &SearchResult{Total: p.Total, Listings: ui.Briefs(cards), NextCursor: p.NextCursor, DidYouMean: p.DidYouMean, Warnings: slices.Clone(p.Warnings), Understood: p.Understood, page: p, cards: cards}
	if err != nil {
		panic("views: " + err.Error()) // a bug: the site encoded them
	}
	r.Gear = ui.Each(p.Gear, func(g *NamedGear) GearCount { return GearCount{g.Slug, g.Name, g.ForSale} })
	r.Filters = p.Query.Terms()
	for _, relaxed := range p.Relax {
		r.Relax = append(r.Relax, RelaxCount{relaxed.Parameter, relaxed.Keyword, relaxed.Total})
	}
	if slices.Contains(o.Include, "facets") {
		r.Facets = p.facets().counts()
	}
	if slices.Contains(o.Include, "photos") {
		for i := range cards {
			if photo := cards[i].Photo; photo != nil {
				r.Listings[i].Photo = photo.Src
			}
		}
	}
	return r
}

// counts returns the facets without their labels and links.
func (f *Facets) counts() []FacetCounts {
	var all []FacetCounts
	for kind := range facetSpecs {
		spec := &facetSpecs[kind]
		if spec.key == "without_defects" {
			continue // all others than those with the defect
		}
		if values := *spec.list(f); len(values) > 0 {
			all = append(all, FacetCounts{spec.param.Name, ui.Each(values, func(v *ui.Facet) ValueCount { return ValueCount{v.Value, v.Count} })})
		}
	}
	return all
}

// Text implements web.ToolResult.
func (r *SearchResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, "Listings", "")
	m.Raw(ui.CountText(r.Total, "listing", "listings"), ". ")
	if n := len(r.cards); n < r.Total {
		m.Raw(ui.NumberText(n), " shown, ", p.Query.OrderText(context.Background()), " first. ")
	}
	m.Raw("Page of a listing: ", p.site.URL(ui.ListingPath("{id}")), "\n")
	if r.Filters != "" {
		m.Raw("Filters: ", ui.Untrusted(r.Filters), "\n")
	}
	for _, warning := range p.Warnings {
		m.Paragraph("Note: " + warning.Message)
	}
	for _, less := range r.Relax {
		switch {
		case less.Keyword != "":
			m.Raw("With keyword ", ui.Untrusted(less.Keyword), ": ", ui.NumberText(less.Total), "\n")
		case less.Parameter != "":
			m.Raw("Without ", less.Parameter, ": ", ui.NumberText(less.Total), "\n")
		}
	}
	if p.DidYouMean != "" {
		m.Paragraph("Did you mean " + ui.Untrusted(p.DidYouMean) + "?")
	}
	m.Demo(p.Notice != "")
	m.Raw("\n")
	m.Lines(r.cards)
	for _, f := range r.Facets {
		m.Raw("\n", f.Parameter, ":")
		for i, v := range f.Values {
			m.Raw([]string{" ", ", "}[min(i, 1)], v.Value, " ", ui.NumberText(v.Count))
		}
		m.Raw("\n")
	}
	switch {
	case p.NextCursor != "":
		m.Raw("\nNext: get_listing (id), or search_listings with cursor=", p.NextCursor, "\n")
	case r.Total > 0:
		m.Raw("\nNext: get_listing (id).\n")
	}
	return m.Done(w)
}
