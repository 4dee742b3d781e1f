package views

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
)

// Home is the home page.
type Home struct {
	Name       string               `json:"name"`
	Summary    string               `json:"summary"`
	ForSale    int                  `json:"for_sale"`
	Sales      int                  `json:"sales" jsonschema:"number of completed sales in the trends"`
	Gear       int                  `json:"gear_count" jsonschema:"models in the catalogue" min:"0"`
	Categories []Facet              `json:"categories"`
	Deals      []Card               `json:"deals" jsonschema:"listings furthest below what they sell for"`
	Newest     []Card               `json:"newest"`
	Movers     []TrendLine          `json:"movers" jsonschema:"gear with the largest changes of the sold median over 90 days"`
	Photograph *PhotoCard           `json:"photograph,omitempty" jsonschema:"newest photo of the portfolio"`
	Links      []Link               `json:"links"`
	Demo       bool                 `json:"demo,omitempty"`
	Notice     string               `json:"notice,omitempty"`
	Checklist  *Checklist           `json:"-"` // for the owner of a new site, nil for others
	sections   []models.HomeSection // that are shown, in order
	site       *Site
}

// TrendLine is the price change of one gear in a list.
type TrendLine struct {
	GearCard
	Change90 float64 `json:"change_90d" jsonschema:"percent"`
}

// HomeParts holds what the home page is made of.
type HomeParts struct {
	ForSale, Sales, Gear int
	Categories           []search.Count
	Deals, Newest        []Card
	Movers               []TrendLine
	Photograph           *PhotoCard // nil without a portfolio
}

// NewTrendLine returns the price change of one gear. It reports false when there are
// too few sales to know the change over 90 days.
func NewTrendLine(card GearCard, trend *prices.Trend) (TrendLine, bool) {
	change := percentOf(trend.Change90d)
	if change == nil {
		return TrendLine{}, false
	}
	return TrendLine{card, *change}, true
}

// NewHome returns the home page.
func NewHome(site *Site, parts HomeParts) *Home {
	all := (&Query{Sort: search.Newest}).write(nil)
	p := &Home{
		Name:    site.Name(),
		ForSale: parts.ForSale, Sales: parts.Sales, Gear: parts.Gear,
		Categories: NewVocabulary(site, Names{}).list(byCategory, &all, &search.Facets{Category: parts.Categories}),
		Deals:      list(parts.Deals), Newest: list(parts.Newest),
		Movers: list(parts.Movers), Photograph: parts.Photograph,
		Links: site.existing([]Link{
			{searchPath, "Shop all"}, {"/gear", "Every camera and lens, with its price history"},
			{"/guides/condition-grades", "What the grades mean"}, {"/developers", "For developers and agents"},
		}),
		Demo: site.Demo(), Notice: site.notice(), sections: site.Settings().homeSections(), site: site,
	}
	p.hide()
	p.Summary = p.summary(context.Background())
	return p
}

// hide removes what the owner doesn't show.
func (p *Home) hide() {
	shows := func(section models.HomeSection, shop bool) bool {
		return slices.Contains(p.sections, section) && (!shop || p.site.Purpose().HasShop())
	}
	if !shows(models.HomeHero, false) || !p.site.Purpose().HasPortfolio() {
		p.Photograph = nil
	}
	if !shows(models.HomeCategories, true) {
		p.Categories = []Facet{}
	}
	if !shows(models.HomeDeals, true) {
		p.Deals = []Card{}
	}
	if !shows(models.HomeMovers, true) {
		p.Movers = []TrendLine{}
	}
	if !shows(models.HomeNewest, true) {
		p.Newest = []Card{}
	}
}

// feeds returns the feeds of the listings and of the journal.
func (p *Home) feeds() []Alternate {
	if !p.site.Purpose().HasShop() {
		return feedAlternates("/journal")
	}
	return append(feedAlternates(searchPath), feedAlternates("/journal")...)
}

// headline returns the owner's tagline, or what the site is.
func (p *Home) headline(ctx context.Context) string {
	switch tagline := p.site.Settings().Tagline; {
	case tagline != "":
		return tagline
	case p.site.themeHeadline(ctx) != "":
		return p.site.themeHeadline(ctx)
	case !p.site.Purpose().HasShop():
		return t(ctx, "Photographs by %s", cmp.Or(p.site.Owner(), p.Name))
	}
	return t(ctx, "Used cameras and lenses, and what they are worth")
}

// isNew reports whether the site has nothing to show yet.
func (p *Home) isNew() bool { return p.ForSale == 0 && p.Sales == 0 && p.Photograph == nil }

// Personal reports whether the page tells its owner what to do.
func (p *Home) Personal() bool { return p.isNew() }

// summary says in a sentence what the site offers.
func (p *Home) summary(ctx context.Context) string {
	if !p.site.Purpose().HasShop() {
		return t(ctx, "Projects, photographs and the gear behind them.")
	}
	switch {
	case p.ForSale == 0 && p.Sales == 0:
		return t(ctx, "We’re opening soon. Come back in a few days.")
	case p.Sales == 0:
		return tn(ctx, p.ForSale, "%s used camera or lens for sale.", "%s used cameras and lenses for sale.")
	}
	sales := tn(ctx, p.Sales, "%s real sale", "%s real sales")
	return tn(ctx, p.ForSale, "%s used camera or lens for sale, priced against %s.", "%s used cameras and lenses for sale, priced against %s.", sales)
}

// Head implements Page.
func (p *Home) Head(ctx context.Context) Head {
	title := t(ctx, "%s: used cameras and lenses, and what they are worth", p.Name)
	if p.site.Settings().Tagline != "" || !p.site.Purpose().HasShop() {
		title = p.Name + ": " + p.headline(ctx)
	}
	return Head{Title: title, Description: p.summary(ctx), Path: "/",
		Alternates: p.feeds()}
}

// Markdown implements Page.
func (p *Home) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.Name, t(ctx, p.Notice)).in(ctx)
	m.text(p.summary(ctx))
	m.raw("\n")
	m.head("Fact", "Value")
	m.row(t(ctx, "For sale"), numberIn(ctx, p.ForSale))
	m.row(t(ctx, "Completed sales"), numberIn(ctx, p.Sales))
	m.row(t(ctx, "Cameras and lenses in the catalogue"), numberIn(ctx, p.Gear))
	if c := p.Photograph; c != nil {
		m.raw("\n", t(ctx, "From the portfolio:"), " ", m.link(Link{c.Page, c.Title}), ", ", mdText(c.Project), ".")
		if about := c.about(); about != "" {
			m.raw(" ", mdText(about), ".")
		}
		m.raw("\n")
	}
	m.facets("What is for sale", facetGroup{"category", "Category", p.Categories, "category"})
	m.cards("Best deals", p.Deals)
	m.cards("Newest", p.Newest)
	if len(p.Movers) > 0 {
		m.section("Prices on the move")
		m.head("Gear", "Kind", "Year", "Sold median, 12 months", "Sales", "For sale", "Lowest asked", "90 days")
		for i := range p.Movers {
			l := &p.Movers[i]
			m.row(append(m.gearCells(&l.GearCard), percentIn(ctx, l.Change90))...)
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// Schema describes the site and, if it has one, its search.
func (p *Home) Schema() thing {
	if !p.site.Purpose().HasShop() {
		return newThing("WebSite", "name", p.Name, "url", p.site.URL("/"), "description", p.Summary)
	}
	return newThing("WebSite", "name", p.Name, "url", p.site.URL("/"), "description", p.Summary,
		"potentialAction", newThing("SearchAction",
			"target", newThing("EntryPoint", "urlTemplate", p.site.URL(searchPath+"?keyword={search_term_string}")),
			"query-input", "required name=search_term_string"))
}
