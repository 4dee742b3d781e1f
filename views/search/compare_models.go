package search

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// ComparedParts holds what a model of a comparison is made of.
type ComparedParts struct {
	Gear     *catalog.Gear
	Trend    *prices.Trend    // nil without sales
	Estimate *prices.Estimate // nil if nothing can be said
	Time     prices.SellingTime
	Asked    priceviews.Asking
}

// NewComparison returns a comparison of models. unresolved are names to ask about.
// omitted is how many more models were asked for than it takes.
func NewComparison(site *ui.Site, parts []ComparedParts, unresolved []*priceviews.UnresolvedGear, omitted int) *Comparison {
	p := &Comparison{Models: []ComparedModel{}, Listings: []ComparedListing{}, Unresolved: unresolved, Notice: site.Notice(), site: site}
	gear := make([]*catalog.Gear, len(parts))
	for i := range parts {
		gear[i] = parts[i].Gear
		p.Models = append(p.Models, newComparedModel(site, &parts[i]))
	}
	p.Specifications, p.omitted = compareSpecs(gear), omitted
	p.Ref, p.Text = ui.NewRef(p.path()), p.modelsLead(context.Background())
	p.Warnings, p.Links = p.warnings(context.Background()), p.modelLinks()
	if len(parts) >= ui.MinCompared {
		p.Href = "/api" + p.Page
	}
	return p
}

// modelLinks returns where to go on from a comparison of models.
func (p *Comparison) modelLinks() []ui.Link {
	links, estimated := []ui.Link{}, false
	for _, m := range p.Models {
		links = append(links, ui.Link{Href: ui.GearPath(m.Gear), Label: m.Name})
		estimated = estimated || m.Estimate != nil
	}
	links = append(links, ui.Link{Href: "/prices", Label: "Check a price"}, ui.Link{Href: "/gear", Label: "All brands"})
	if estimated {
		links = append(links, ui.Link{Href: ui.AccuracyPath, Label: "Accuracy of the estimates"})
	}
	return links
}

func newComparedModel(site *ui.Site, part *ComparedParts) ComparedModel {
	t := part.Trend
	if t == nil {
		t = &prices.Trend{}
	}
	m := ComparedModel{
		Gear: part.Gear.Slug(), Name: part.Gear.Name(), Ref: ui.NewRef(ui.GearPath(part.Gear.Slug())), Sold: newPricePoint(site, t),
		ByCondition: []ConditionPrice{}, Estimate: priceviews.NewEstimate(site, part.Estimate, part.Trend), Change90: priceviews.PercentOf(t.Change90d), Change12: priceviews.PercentOf(t.Change12m), ForSale: part.Asked.Count, Lowest: site.Money(part.Asked.Lowest),
	}
	if part.Time.Enough() {
		m.MedianDays = part.Time.Median
	}
	for _, c := range models.Conditions {
		if s := t.ByCondition[c]; s.Enough() {
			m.ByCondition = append(m.ByCondition, ConditionPrice{c, site.Currency().Money(s.Median), s.Count})
		}
	}
	return m
}

func newPricePoint(site *ui.Site, t *prices.Trend) PricePoint {
	p, s := PricePoint{Status: priceviews.InsufficientData, SampleSize: t.Summary.Count, Window: priceviews.NewWindow(site, t)}, t.Summary
	if s.Enough() {
		p.Status, p.P25, p.Median, p.P75 = "ok", site.Money(s.P25), site.Money(s.Median), site.Money(s.P75)
	}
	return p
}

// price returns the price of a model: the estimate, or else the sold median; nil without both.
func (m *ComparedModel) price() *models.Money {
	if m.Estimate != nil {
		return &m.Estimate.Median
	}
	return m.Sold.Median
}

// priceGroup returns the prices of the models as rows.
func (p *Comparison) priceGroup(ctx context.Context) comparedGroup {
	g := comparedGroup{Heading: ui.T(ctx, "Prices")}
	add := func(name string, text func(*ComparedModel) string) { addRow(&g, name, p.Models, text) }
	for i, name := range comparedEstimate {
		addCells(&g, ui.T(ctx, name), p.Models, func(m *ComparedModel) comparedCell {
			if m.Estimate == nil {
				return comparedCell{}
			}
			f := m.Estimate.Facts(ctx)[i]
			return comparedCell{Text: f.Value, Href: f.Href}
		})
	}
	add(ui.T(ctx, "Estimated on"), func(m *ComparedModel) string {
		if m.Estimate == nil {
			return ""
		}
		return ui.DayIn(ctx, m.Estimate.Day)
	})
	add(ui.T(ctx, "Median sold price"), func(m *ComparedModel) string { return ui.MoneyOrIn(ctx, m.Sold.Median, ui.T(ctx, "not enough sales")) })
	add(ui.T(ctx, "Typical range"), func(m *ComparedModel) string {
		if m.Sold.Median == nil {
			return ""
		}
		return ui.MoneyIn(ctx, *m.Sold.P25) + " – " + ui.MoneyIn(ctx, *m.Sold.P75)
	})
	for _, c := range models.Conditions {
		add(ui.T(ctx, "Median sold price, %s", ui.WithinSentence(ctx, c.Label())), func(m *ComparedModel) string { return m.conditionText(ctx, c) })
	}
	add(ui.T(ctx, "Sales"), func(m *ComparedModel) string { return m.Sold.Window.SalesText(ctx, m.Sold.SampleSize) })
	add(ui.T(ctx, "Change, 90 days"), func(m *ComparedModel) string { return changeText(ctx, m.Change90) })
	add(ui.T(ctx, "Change, 12 months"), func(m *ComparedModel) string { return changeText(ctx, m.Change12) })
	add(ui.T(ctx, "For sale"), func(m *ComparedModel) string { return ui.NumberIn(ctx, m.ForSale) })
	add(ui.T(ctx, "For sale from"), func(m *ComparedModel) string { return ui.MoneyOrIn(ctx, m.Lowest, "") })
	add(ui.T(ctx, "Time to sell"), func(m *ComparedModel) string {
		if m.MedianDays == 0 {
			return ""
		}
		return ui.TN(ctx, m.MedianDays, "%s day", "%s days")
	})
	return g
}

// changeText states a change in percent, "" for nil.
func changeText(ctx context.Context, percent *float64) string {
	if percent == nil {
		return ""
	}
	return ui.PercentIn(ctx, *percent)
}

// comparedEstimate names the rows of the facts of an estimate.
var comparedEstimate = []string{
	languages.Mark("Estimated price"), languages.Mark("80% sell for"), languages.Mark("Half sell for"), languages.Mark("Estimate for condition"),
}

// ConditionText returns the price in a condition, "" with too few sales.
func (m *ComparedModel) conditionText(ctx context.Context, c models.Condition) string {
	for _, price := range m.ByCondition {
		if price.Condition == c {
			return ui.MoneyIn(ctx, price.Median) + " (" + ui.NumberIn(ctx, price.SampleSize) + ")"
		}
	}
	return ""
}

// modelColumns returns the headings of the columns of models.
func (p *Comparison) modelColumns() []comparedColumn {
	return ui.Each(p.Models, func(m *ComparedModel) comparedColumn {
		return comparedColumn{Link: ui.Link{Href: ui.GearPath(m.Gear), Label: m.Name}, About: m.Name, Rest: p.without(m.Gear)}
	})
}

// without returns the path of the page without a model.
func (p *Comparison) without(gear string) string {
	return ui.ComparePath(slices.DeleteFunc(p.slugs(), func(slug string) bool { return slug == gear })...)
}

// with returns the path of the page with another model.
func (p *Comparison) with(gear string) string {
	return ui.ComparePath(append(p.slugs(), gear)...)
}

// modelsTitle returns the heading of a comparison of models.
func (p *Comparison) modelsTitle(ctx context.Context) string {
	if len(p.Models) < ui.MinCompared {
		return ui.T(ctx, "Compare cameras and lenses")
	}
	return strings.Join(ui.Each(p.Models, func(m *ComparedModel) string { return m.Name }), ui.T(ctx, " vs "))
}

// modelsLead summarises a comparison of models.
func (p *Comparison) modelsLead(ctx context.Context) string {
	switch len(p.Models) {
	case 0:
		return ui.T(ctx, "Add two to six models to compare specs and sold prices. To compare listings, tick Compare on their cards.")
	case 1:
		return ui.T(ctx, "Add another model to compare with the %s.", p.Models[0].Name)
	}
	var low, high *ComparedModel
	for i := range p.Models {
		m := &p.Models[i]
		price := m.price()
		if price == nil {
			continue
		}
		if low == nil || ui.AmountLess(price, low.price()) {
			low = m
		}
		if high == nil || ui.AmountLess(high.price(), price) {
			high = m
		}
	}
	if low == nil || low == high {
		return ui.T(ctx, "Specs and prices, side by side.")
	}
	return ui.T(ctx, "Cheapest: %s (about %s). Most expensive: %s (about %s).", low.Name, ui.MoneyIn(ctx, *low.price()), high.Name, ui.MoneyIn(ctx, *high.price()))
}
