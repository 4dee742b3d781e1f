// Package home renders the home page, and previews of themes.
package home

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	adminviews "github.com/secondlight/secondlight/views/admin"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	priceviews "github.com/secondlight/secondlight/views/price"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Home is the home page.
type Home struct {
	Name        string                       `json:"name"`
	Summary     string                       `json:"summary"`
	ForSale     int                          `json:"for_sale"`
	Sales       int                          `json:"sales" jsonschema:"number of completed sales in the trends"`
	Gear        int                          `json:"gear_count" jsonschema:"models in the catalogue" min:"0"`
	Categories  []ui.Facet                   `json:"categories"`
	Deals       []ui.Card                    `json:"deals" jsonschema:"listings below what they sell for, the most unlikely price first"`
	Newest      []ui.Card                    `json:"newest"`
	Movers      []TrendLine                  `json:"movers" jsonschema:"gear with the largest changes of the sold median over 90 days"`
	Photograph  *portfolioviews.PhotoCard    `json:"photograph,omitempty" jsonschema:"newest photo of the portfolio"`
	Projects    []portfolioviews.ProjectCard `json:"projects,omitempty" jsonschema:"projects of the portfolio, newest first"`
	Photographs []portfolioviews.PhotoCard   `json:"photographs,omitempty" jsonschema:"newest photos of the portfolio"`
	Journal     []JournalLine                `json:"journal,omitempty" jsonschema:"newest entries of the journal"`
	Text        string                       `json:"text,omitempty" jsonschema:"the owner's text, Markdown"`
	Quote       string                       `json:"quote,omitempty" jsonschema:"quotation chosen by the owner"`
	Links       []ui.Link                    `json:"links"`
	Demo        bool                         `json:"demo,omitempty"`
	Notice      string                       `json:"notice,omitempty"`
	Checklist   *adminviews.Checklist        `json:"-"` // for the owner of a new site, nil for others
	sections    []models.HomeSection         // that are shown, in order
	layout      models.HomeLayout
	site        *ui.Site
}

// JournalLine is an entry of the journal on the home page.
type JournalLine struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Date        string `json:"date" jsonschema:"day, ISO 8601"`
	ui.Ref
}

// TrendLine is the price change of one gear in a list.
type TrendLine struct {
	ui.GearCard
	Change90 float64 `json:"change_90d" jsonschema:"percent"`
}

// HomeParts holds what the home page is made of.
type HomeParts struct {
	ForSale, Sales, Gear int
	Categories           []search.Count
	Deals, Newest        []ui.Card
	Movers               []TrendLine
	Photograph           *portfolioviews.PhotoCard // nil without a portfolio
	Projects             []portfolioviews.ProjectCard
	Photographs          []portfolioviews.PhotoCard
	Journal              []JournalLine
}

// NewTrendLine returns the price change of one gear. It reports false when there are
// too few sales to know the change over 90 days.
func NewTrendLine(card ui.GearCard, trend *prices.Trend) (TrendLine, bool) {
	change := priceviews.PercentOf(trend.Change90d)
	if change == nil {
		return TrendLine{}, false
	}
	return TrendLine{card, *change}, true
}

// NewHome returns the home page.
func NewHome(site *ui.Site, parts HomeParts) *Home {
	all := (&ui.Query{Sort: search.Newest}).Write(nil)
	p := &Home{
		Name:    site.Name(),
		ForSale: parts.ForSale, Sales: parts.Sales, Gear: parts.Gear,
		Categories: searchviews.NewVocabulary(site, ui.Names{}).List(searchviews.ByCategory, &all, &search.Facets{Category: parts.Categories}),
		Deals:      ui.List(parts.Deals), Newest: ui.List(parts.Newest),
		Movers: ui.List(parts.Movers), Photograph: parts.Photograph,
		Links: site.Existing([]ui.Link{
			{Href: ui.SearchPath, Label: "Shop all"}, {Href: "/gear", Label: "All price histories"},
			{Href: "/guides/condition-grades", Label: "What each condition means"},
		}),
		Projects: parts.Projects, Photographs: parts.Photographs, Journal: parts.Journal, Text: site.Settings().HomeText, Quote: site.Settings().HomeQuote,
		Demo: site.Demo(), Notice: site.Notice(), sections: site.Settings().HomeSections(), layout: cmp.Or(site.Settings().HomeLayout, models.StreamLayout), site: site,
	}
	if site.Purpose().HasShop() {
		p.Links = append(p.Links, ui.Link{Href: "/developers", Label: "For developers"})
	} else {
		p.Links = []ui.Link{{Href: "/portfolio", Label: "The whole portfolio"}}
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
	begins := func(layouts ...models.HomeLayout) bool { return p.work() && slices.Contains(layouts, p.layout) }
	if !shows(models.HomeProjects, false) && !begins(models.TilesLayout) || !p.site.Purpose().HasPortfolio() {
		p.Projects = nil
	}
	if !shows(models.HomePhotos, false) && !begins(models.StreamLayout, models.StripLayout) || !p.site.Purpose().HasPortfolio() {
		p.Photographs = nil
	}
	if !shows(models.HomeJournal, false) {
		p.Journal = nil
	}
	if !shows(models.HomeText, false) {
		p.Text = ""
	}
	if !shows(models.HomeQuote, false) {
		p.Quote = ""
	}
	if !shows(models.HomeCategories, true) {
		p.Categories = []ui.Facet{}
	}
	if !shows(models.HomeDeals, true) {
		p.Deals = []ui.Card{}
	}
	if !shows(models.HomeMovers, true) {
		p.Movers = []TrendLine{}
	}
	if !shows(models.HomeNewest, true) {
		p.Newest = []ui.Card{}
	}
}

// work reports whether the page begins with the work of a photographer who has no shop.
func (p *Home) work() bool {
	return slices.Contains(p.sections, models.HomeHero) && !p.site.Purpose().HasShop() && p.Photograph != nil
}

// text returns the owner's text, which package content sanitises.
func (p *Home) text() templ.Component { return templ.Raw(content.HTML(p.Text)) }

// feeds returns the feeds of the listings and of the journal.
func (p *Home) feeds() []ui.Alternate {
	if !p.site.Purpose().HasShop() {
		return append(ui.FeedAlternates("/portfolio"), ui.FeedAlternates("/journal")...)
	}
	return append(ui.FeedAlternates(ui.SearchPath), ui.FeedAlternates("/journal")...)
}

// headline returns the owner's tagline, or what the site is.
func (p *Home) headline(ctx context.Context) string {
	switch tagline := p.site.Settings().Tagline; {
	case tagline != "":
		return tagline
	case p.site.ThemeHeadline(ctx) != "":
		return p.site.ThemeHeadline(ctx)
	case !p.site.Purpose().HasShop():
		return ui.T(ctx, "Photographs by %s", cmp.Or(p.site.Owner(), p.Name))
	}
	return ui.T(ctx, "Used cameras and lenses, and what they're worth")
}

// isNew reports whether the site has nothing to show yet.
func (p *Home) isNew() bool { return p.ForSale == 0 && p.Sales == 0 && p.Photograph == nil }

// Personal reports whether the page tells its owner what to do.
func (p *Home) Personal() bool { return p.isNew() }

// summary says in a sentence what the site offers.
func (p *Home) summary(ctx context.Context) string {
	if !p.site.Purpose().HasShop() {
		return ui.T(ctx, "Projects, photographs and the gear behind them.")
	}
	switch {
	case p.ForSale == 0 && p.Sales == 0:
		return ui.T(ctx, "Opening soon. Come back in a few days.")
	case p.Sales == 0:
		return ui.TN(ctx, p.ForSale, "%s used camera or lens for sale.", "%s used cameras and lenses for sale.")
	}
	sales := ui.TN(ctx, p.Sales, "%s completed sale", "%s completed sales")
	return ui.TN(ctx, p.ForSale, "%s used camera or lens, priced against %s.", "%s used cameras and lenses, each priced against %s.", sales)
}

// Head implements Page.
func (p *Home) Head(ctx context.Context) ui.Head {
	title := ui.T(ctx, "%s: used cameras and lenses, and what they're worth", p.Name)
	if p.site.Settings().Tagline != "" || !p.site.Purpose().HasShop() {
		title = p.Name + ": " + p.headline(ctx)
	}
	return ui.Head{Title: title, Description: p.summary(ctx), Path: "/",
		Alternates: p.feeds()}
}

// Markdown implements Page.
func (p *Home) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.Name, ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.summary(ctx))
	if p.site.Purpose().HasShop() {
		m.Paragraph(p.figures(ctx))
	}
	if c := p.Photograph; c != nil {
		m.Raw("\n", ui.T(ctx, "From our portfolio:"), " ", m.Link(ui.Link{Href: c.Page, Label: c.Title}), ", ", ui.MarkdownText(c.Project), ".")
		if about := c.About(); about != "" {
			m.Raw(" ", ui.MarkdownText(about), ".")
		}
		m.Raw("\n")
	}
	p.writeOwn(ctx, m)
	m.Facets("What's for sale", ui.FacetGroup{Key: "category", Label: "Category", Facets: p.Categories, Param: "category"})
	m.Cards("Best deals", p.Deals)
	m.Cards("New listings", p.Newest)
	if len(p.Movers) > 0 {
		m.Section("Biggest price changes")
		m.Head("Model", "Category", "Year", "Price", "Sales", "For sale", "Lowest asking price", "90 days")
		for i := range p.Movers {
			l := &p.Movers[i]
			m.Row(append(m.GearCells(&l.GearCard), ui.PercentIn(ctx, l.Change90))...)
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// writeOwn writes the sections of the portfolio and the owner's texts.
func (p *Home) writeOwn(ctx context.Context, m *ui.Markdown) {
	if p.Text != "" {
		m.Body(p.Text)
	}
	if p.Quote != "" {
		m.Raw("\n> ", ui.MarkdownText(p.Quote), "\n")
	}
	if len(p.Projects) > 0 {
		m.Section("Projects")
	}
	for i := range p.Projects {
		c := &p.Projects[i]
		m.Raw("- ", m.Link(ui.Link{Href: c.Page, Label: c.Title}), ": ", ui.MarkdownText(c.Description), "\n")
	}
	portfolioviews.WritePhotoTable(m, "Newest photographs", p.Photographs)
	if len(p.Journal) > 0 {
		m.Section("Journal")
	}
	for i := range p.Journal {
		l := &p.Journal[i]
		m.Raw("- ", m.Link(ui.Link{Href: l.Page, Label: l.Title}), ", ", ui.DayIn(ctx, l.Date), "\n")
	}
}

// figures says how much there is on the site.
func (p *Home) figures(ctx context.Context) string {
	return ui.T(ctx, "%s models, %s listings, %s sales.", ui.NumberIn(ctx, p.Gear), ui.NumberIn(ctx, p.ForSale), ui.NumberIn(ctx, p.Sales))
}

// Schema describes the site and, if it has one, its search.
func (p *Home) Schema() ui.Thing {
	if !p.site.Purpose().HasShop() {
		return ui.NewThing("WebSite", "name", p.Name, "url", p.site.URL("/"), "description", p.Summary)
	}
	return ui.NewThing("WebSite", "name", p.Name, "url", p.site.URL("/"), "description", p.Summary,
		"potentialAction", ui.NewThing("SearchAction",
			"target", ui.NewThing("EntryPoint", "urlTemplate", p.site.URL(ui.SearchPath+"?keyword={search_term_string}")),
			"query-input", "required name=search_term_string"))
}
