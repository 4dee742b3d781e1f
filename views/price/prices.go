// Package price renders what gear sells for: statistics, estimates, charts, the price guide, the
// price index, valuations and the gear that a member owns.
package price

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views/ui"
)

// Prices is the page of prices: a price guide, a question which gear is meant, or the price
// index and the most-sold gear.
type Prices struct {
	Guide      *PriceGuide     `json:"price_guide,omitempty"`
	Unresolved *UnresolvedGear `json:"unresolved,omitempty" jsonschema:"the name that does not say which gear is meant"`
	Index      *PriceIndex     `json:"index,omitempty" jsonschema:"how prices moved, if no gear is given; absent with too few sales"`
	Popular    []ui.GearCard   `json:"popular,omitempty" jsonschema:"the most-sold models, if no gear is given"`
	Links      []ui.Link       `json:"links"`
	Notice     string          `json:"notice,omitempty"`

	condition models.Condition
	price     string
	index     *PriceIndex // with the rows of its charts
	site      *ui.Site
}

// UnresolvedGear is a name that does not say which gear is meant.
type UnresolvedGear struct {
	Name       string          `json:"name" jsonschema:"the name as given"`
	Candidates []GearCandidate `json:"candidates" jsonschema:"what it may mean, most sold first; empty if the catalogue has nothing like it"`
}

// GearCandidate is gear that a name may mean.
type GearCandidate struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
}

// NewUnresolvedGear returns a name with the gear that it may mean.
func NewUnresolvedGear(name string, gear []*catalog.Gear) *UnresolvedGear {
	u := &UnresolvedGear{Name: name, Candidates: []GearCandidate{}}
	for _, g := range gear {
		u.Candidates = append(u.Candidates, GearCandidate{g.Slug(), g.Name()})
	}
	return u
}

// Question asks which gear a name means.
func (u *UnresolvedGear) Question(ctx context.Context) string {
	if len(u.Candidates) == 0 {
		return ui.T(ctx, "No camera or lens found for “%s”. Check the spelling, or enter its brand and model.", u.Name)
	}
	return ui.T(ctx, "Which “%s” do you mean?", u.Name)
}

// NewPrices returns the page of a price guide.
func NewPrices(site *ui.Site, guide *PriceGuide) *Prices {
	return &Prices{Guide: guide, Links: guide.Links, Notice: site.Notice(), condition: guide.Condition, price: guide.askingValue(), site: site}
}

// NewPriceQuestion returns the page that asks which gear is meant. condition and price
// are what was entered.
func NewPriceQuestion(site *ui.Site, unresolved *UnresolvedGear, condition models.Condition, price string) *Prices {
	return &Prices{Unresolved: unresolved, Links: priceLinks(), Notice: site.Notice(), condition: condition, price: price, site: site}
}

// NewPriceStart returns the page without gear. The index may be nil.
func NewPriceStart(site *ui.Site, index *PriceIndex, popular []ui.GearCard) *Prices {
	p := &Prices{Popular: popular, Links: priceLinks(), Notice: site.Notice(), index: index, site: site}
	if index != nil {
		p.Index = &PriceIndex{Month: index.Month, All: index.All, Text: index.Text, Charts: ui.Each(index.Charts, (*PriceChart).withoutRows)}
	}
	return p
}

func priceLinks() []ui.Link {
	return []ui.Link{{Href: "/prices/valuation", Label: "Value several items"}, {Href: ui.AccuracyPath, Label: "Accuracy of the estimates"}, {Href: "/compare", Label: "Compare models"}, {Href: "/gear", Label: "All brands"}, {Href: "/guides/reading-a-price-trend", Label: "Reading a price history"}}
}

// priceLead introduces the price check.
var priceLead = languages.Mark("Check an asking price, or find out what to charge, based on completed sales.")

// name returns the name to fill into the form.
func (p *Prices) name() string {
	switch {
	case p.Guide != nil:
		return p.Guide.GearName
	case p.Unresolved != nil:
		return p.Unresolved.Name
	}
	return ""
}

func (p *Prices) title(ctx context.Context) string {
	if p.Guide != nil {
		return p.Guide.title(ctx)
	}
	if p.index != nil {
		return ui.T(ctx, "What used cameras and lenses sell for")
	}
	return ui.T(ctx, "What's it worth?")
}

// Personal reports whether the page tells the owner of the site what to do.
func (p *Prices) Personal() bool { return len(p.Popular) == 0 && p.Guide == nil && p.Unresolved == nil }

// Head implements Page.
func (p *Prices) Head(ctx context.Context) ui.Head {
	if p.Guide != nil {
		return p.Guide.Head(ctx)
	}
	h := ui.Head{Title: p.title(ctx), Description: ui.T(ctx, priceLead), Path: "/prices"}
	if p.index != nil {
		h.Description = p.index.lead(ctx)
	}
	if p.Unresolved != nil {
		h.Path, h.NoIndex = ui.PricesPath(p.Unresolved.Name, string(p.condition), p.price), true
	}
	return h
}

// candidatePath returns the path of the page with a candidate.
func (p *Prices) candidatePath(c GearCandidate) string {
	return ui.PricesPath(c.Gear, string(p.condition), p.price)
}

// Markdown implements Page.
func (p *Prices) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	switch {
	case p.Guide != nil:
		writePriceGuide(m, p.Guide)
	case p.Unresolved != nil:
		WriteUnresolved(m, p.Unresolved)
	default:
		m.Paragraph(ui.T(ctx, priceLead))
		if p.index != nil {
			writePriceIndex(m, p.index)
		}
		if len(p.Popular) > 0 {
			m.Section("Most sold")
			m.GearTable(p.Popular)
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// WriteUnresolved asks which gear is meant.
func WriteUnresolved(m *ui.Markdown, u *UnresolvedGear) {
	m.Paragraph(u.Question(m.Context))
	m.Raw("\n")
	for _, c := range u.Candidates {
		m.Raw("- ", ui.MarkdownText(c.Name), " (`", c.Gear, "`)\n")
	}
}

// CSV writes the rows of all charts as CSV, none if the page is about one model.
func (p *Prices) CSV(w io.Writer) error {
	var charts []*PriceChart
	if p.index != nil {
		for i := range p.index.Charts {
			charts = append(charts, &p.index.Charts[i])
		}
	}
	return indexCSV(w, p.site.Demo(), charts...)
}

// Schema describes the files of sold prices as a dataset, nil for demonstration data and price
// guides.
func (p *Prices) Schema() ui.Thing {
	if p.site.Demo() || p.Guide != nil {
		return nil
	}
	var files []ui.Thing
	for _, name := range []string{"sales.csv.gz", "history.csv.gz", "trends.csv.gz", "estimates.csv.gz"} {
		files = append(files, ui.NewThing("DataDownload", "contentUrl", p.site.URL("/data/"+name), "encodingFormat", "text/csv"))
	}
	ctx := context.Background()
	return ui.NewThing("Dataset", "name", p.site.Name()+": sold prices of used cameras and lenses", "description", ui.T(ctx, priceLead), "url", p.site.URL("/prices"), "isAccessibleForFree", true,
		"creator", ui.NewThing("Organization", "name", p.site.Name(), "url", p.site.BaseURL), "distribution", files)
}
