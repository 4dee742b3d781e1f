package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Prices is the page of prices: a price guide, a question which gear is meant, or the price
// index and the most-sold gear.
type Prices struct {
	Guide      *PriceGuide     `json:"price_guide,omitempty"`
	Unresolved *UnresolvedGear `json:"unresolved,omitempty" jsonschema:"the name that does not say which gear is meant"`
	Index      *PriceIndex     `json:"index,omitempty" jsonschema:"how prices moved, if no gear is given; absent with too few sales"`
	Popular    []GearCard      `json:"popular,omitempty" jsonschema:"the most-sold models, if no gear is given"`
	Links      []Link          `json:"links"`
	Notice     string          `json:"notice,omitempty"`

	condition models.Condition
	price     string
	index     *PriceIndex // with the rows of its charts
	site      *Site
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

// question asks which gear a name means.
func (u *UnresolvedGear) question(ctx context.Context) string {
	if len(u.Candidates) == 0 {
		return t(ctx, "No camera or lens found for “%s”. Check the spelling, or enter its brand and model.", u.Name)
	}
	return t(ctx, "Which one do you mean by “%s”?", u.Name)
}

// NewPrices returns the page of a price guide.
func NewPrices(site *Site, guide *PriceGuide) *Prices {
	return &Prices{Guide: guide, Links: guide.Links, Notice: site.notice(), condition: guide.Condition, price: guide.askingValue(), site: site}
}

// NewPriceQuestion returns the page that asks which gear is meant. condition and price
// are what was entered.
func NewPriceQuestion(site *Site, unresolved *UnresolvedGear, condition models.Condition, price string) *Prices {
	return &Prices{Unresolved: unresolved, Links: priceLinks(), Notice: site.notice(), condition: condition, price: price, site: site}
}

// NewPriceStart returns the page without gear. The index may be nil.
func NewPriceStart(site *Site, index *PriceIndex, popular []GearCard) *Prices {
	p := &Prices{Popular: popular, Links: priceLinks(), Notice: site.notice(), index: index, site: site}
	if index != nil {
		p.Index = &PriceIndex{Month: index.Month, All: index.All, Text: index.Text}
		for i := range index.Charts {
			p.Index.Charts = append(p.Index.Charts, index.Charts[i].withoutRows())
		}
	}
	return p
}

func priceLinks() []Link {
	return []Link{{"/prices/valuation", "Value several items"}, {accuracyPath, "Accuracy of the estimates"}, {"/compare", "Compare models"}, {"/gear", "All brands"}, {"/guides/reading-a-price-trend", "Reading a price trend"}}
}

// priceLead introduces the price check.
var priceLead = languages.Mark("Check an asking price, or find out what to ask, against real sales of the last 12 months.")

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
		return t(ctx, "What used gear sells for")
	}
	return t(ctx, "What's it worth?")
}

// Personal reports whether the page tells the owner of the site what to do.
func (p *Prices) Personal() bool { return len(p.Popular) == 0 && p.Guide == nil && p.Unresolved == nil }

// Head implements Page.
func (p *Prices) Head(ctx context.Context) Head {
	if p.Guide != nil {
		return p.Guide.Head(ctx)
	}
	h := Head{Title: p.title(ctx), Description: t(ctx, priceLead), Path: "/prices"}
	if p.index != nil {
		h.Description = p.index.lead(ctx)
	}
	if p.Unresolved != nil {
		h.Path, h.NoIndex = pricesPath(p.Unresolved.Name, string(p.condition), p.price), true
	}
	return h
}

// candidatePath returns the path of the page with a candidate.
func (p *Prices) candidatePath(c GearCandidate) string {
	return pricesPath(c.Gear, string(p.condition), p.price)
}

// Markdown implements Page.
func (p *Prices) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.title(ctx), t(ctx, p.Notice)).in(ctx)
	switch {
	case p.Guide != nil:
		writePriceGuide(m, p.Guide)
	case p.Unresolved != nil:
		writeUnresolved(m, p.Unresolved)
	default:
		m.text(t(ctx, priceLead))
		if p.index != nil {
			writePriceIndex(m, p.index)
		}
		if len(p.Popular) > 0 {
			m.section("Most sold")
			m.gearTable(p.Popular)
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// writeUnresolved asks which gear is meant.
func writeUnresolved(m *markdown, u *UnresolvedGear) {
	m.text(u.question(m.ctx))
	m.raw("\n")
	for _, c := range u.Candidates {
		m.raw("- ", mdText(c.Name), " (`", c.Gear, "`)\n")
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
