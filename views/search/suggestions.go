package search

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Suggestions is what somebody may mean who is still typing a search.
type Suggestions struct {
	Query       string       `json:"q" jsonschema:"the text that was typed" untrusted:"true"`
	Suggestions []Suggestion `json:"suggestions" jsonschema:"at most 8, the likeliest first"`
	site        *ui.Site
}

// Suggestion is gear, a brand or a category.
type Suggestion struct {
	Kind    string `json:"kind" enum:"gear,brand,category" jsonschema:"what is suggested"`
	Value   string `json:"value" jsonschema:"value of the search parameter model, brand or category"`
	Label   string `json:"label"`
	Alias   string `json:"alias,omitempty" jsonschema:"the other name of the gear that was typed, such as nifty fifty"`
	ForSale int    `json:"for_sale" jsonschema:"listings for sale now" min:"0"`
	ui.Ref         // the search, or the price trend of gear that nobody sells now
}

// NewSuggestions returns the suggestions for a text. ForSale returns the number of
// listings of one.
func NewSuggestions(site *ui.Site, text string, found []catalog.Suggestion, forSale func(catalog.Suggestion) int) *Suggestions {
	p := &Suggestions{Query: text, Suggestions: make([]Suggestion, len(found)), site: site}
	for i, s := range found {
		p.Suggestions[i] = newSuggestion(s, forSale(s))
	}
	return p
}

func newSuggestion(s catalog.Suggestion, forSale int) Suggestion {
	switch {
	case s.Gear != nil:
		slug := s.Gear.Slug()
		v := Suggestion{Kind: "gear", Value: slug, Label: s.Gear.Name(), Alias: s.Alias, ForSale: forSale}
		if forSale == 0 {
			v.Ref = ui.NewRef(ui.GearPath(slug))
			return v
		}
		return v.leadingTo(search.Filter{Model: slug})
	case s.Brand != nil:
		return Suggestion{Kind: "brand", Value: s.Brand.Slug, Label: s.Brand.Name, ForSale: forSale}.leadingTo(search.Filter{Brands: []string{s.Brand.Slug}})
	}
	return Suggestion{Kind: "category", Value: string(s.Kind), Label: ui.CategoryText(string(s.Kind)), ForSale: forSale}.leadingTo(search.Filter{Category: s.Kind})
}

// leadingTo returns the suggestion with a reference to a search.
func (s Suggestion) leadingTo(f search.Filter) Suggestion {
	s.Ref = ui.NewRef(ui.PathOf(f))
	return s
}

// text returns the suggestion as text: "Canon EF 50mm f/1.8 II (nifty fifty)".
func (s *Suggestion) text(ctx context.Context) string {
	switch {
	case s.Alias != "":
		return s.Label + " (" + s.Alias + ")"
	case s.Kind == "category":
		return ui.T(ctx, s.Label)
	}
	return s.Label
}

// Head implements Page.
func (p *Suggestions) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Search suggestions"), Description: ui.T(ctx, "Cameras, lenses, brands and categories whose names start with this."), Path: ui.WithParam("/api/suggest", "q", p.Query), NoIndex: true}
}

// Markdown implements Page.
func (p *Suggestions) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Search suggestions"), "").In(ctx)
	m.Raw("\n")
	for i := range p.Suggestions {
		s := &p.Suggestions[i]
		m.Raw("- ", m.Link(ui.Link{Href: s.Page, Label: s.text(ctx)}), ": ", ui.TN(ctx, s.ForSale, "%s listing", "%s listings"), "\n")
	}
	return m.Done(w)
}
