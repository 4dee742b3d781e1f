package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
)

// Suggestions is what somebody may mean who is still typing a search.
type Suggestions struct {
	Query       string       `json:"q" jsonschema:"the text that was typed" untrusted:"true"`
	Suggestions []Suggestion `json:"suggestions" jsonschema:"at most 8, the likeliest first"`
	site        *Site
}

// Suggestion is gear, a brand or a category.
type Suggestion struct {
	Kind    string `json:"kind" enum:"gear,brand,category" jsonschema:"what is suggested"`
	Value   string `json:"value" jsonschema:"value of the search parameter model, brand or category"`
	Label   string `json:"label"`
	Alias   string `json:"alias,omitempty" jsonschema:"the other name of the gear that was typed, such as nifty fifty"`
	ForSale int    `json:"for_sale" jsonschema:"listings for sale now" min:"0"`
	Ref            // the search, or the price trend of gear that nobody sells now
}

// NewSuggestions returns the suggestions for a text. forSale returns the number of
// listings of one.
func NewSuggestions(site *Site, text string, found []catalog.Suggestion, forSale func(catalog.Suggestion) int) *Suggestions {
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
			v.Ref = newRef(gearPath(slug))
			return v
		}
		return v.leadingTo(search.Filter{Model: slug})
	case s.Brand != nil:
		return Suggestion{Kind: "brand", Value: s.Brand.Slug, Label: s.Brand.Name, ForSale: forSale}.leadingTo(search.Filter{Brands: []string{s.Brand.Slug}})
	}
	return Suggestion{Kind: "category", Value: string(s.Kind), Label: categoryText(string(s.Kind)), ForSale: forSale}.leadingTo(search.Filter{Category: s.Kind})
}

// leadingTo returns the suggestion with a reference to a search.
func (s Suggestion) leadingTo(f search.Filter) Suggestion {
	s.Ref = newRef(pathOf(f))
	return s
}

// text returns the suggestion as text: "Canon EF 50mm f/1.8 II (nifty fifty)".
func (s *Suggestion) text(ctx context.Context) string {
	switch {
	case s.Alias != "":
		return s.Label + " (" + s.Alias + ")"
	case s.Kind == "category":
		return t(ctx, s.Label)
	}
	return s.Label
}

// Head implements Page.
func (p *Suggestions) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Search suggestions"), Description: t(ctx, "Cameras, lenses, brands and categories whose names begin like this."), Path: withParam("/api/suggest", "q", p.Query), NoIndex: true}
}

// Markdown implements Page.
func (p *Suggestions) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Search suggestions"), "").in(ctx)
	m.raw("\n")
	for i := range p.Suggestions {
		s := &p.Suggestions[i]
		m.raw("- ", m.link(Link{s.Page, s.text(ctx)}), ": ", tn(ctx, s.ForSale, "%s listing", "%s listings"), "\n")
	}
	return m.done(w)
}
