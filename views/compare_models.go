package views

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// ComparedModel holds the prices of one model of a comparison.
type ComparedModel struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
	Ref
	Sold        PricePoint       `json:"sold_for" jsonschema:"sold prices of the last 12 months, all conditions"`
	ByCondition []ConditionPrice `json:"by_condition" jsonschema:"conditions with at least 5 sales, best first"`
	Change90    *float64         `json:"change_90d" jsonschema:"change of the median over 90 days in percent"`
	ForSale     int              `json:"for_sale" jsonschema:"listings for sale now"`
	Lowest      *models.Money    `json:"lowest,omitempty" jsonschema:"lowest asking price now"`
	MedianDays  int              `json:"median_days,omitempty" jsonschema:"median days to sell; absent with fewer than 5 sales"`
}

// PricePoint is the typical range of sold prices.
type PricePoint struct {
	Status     string        `json:"status" jsonschema:"ok, or insufficient_data with fewer than 5 sales" enum:"ok,insufficient_data"`
	P25        *models.Money `json:"p25,omitempty"`
	Median     *models.Money `json:"median,omitempty"`
	P75        *models.Money `json:"p75,omitempty"`
	SampleSize int           `json:"sample_size"`
}

// ConditionPrice is the typical price of one condition.
type ConditionPrice struct {
	Condition  models.Condition `json:"condition"`
	Median     models.Money     `json:"median"`
	SampleSize int              `json:"sample_size"`
}

// ComparedParts holds what a model of a comparison is made of.
type ComparedParts struct {
	Gear  *models.Gear
	Trend *models.Trend // nil without sales
	Time  models.SellingTime
	Asked Asking
}

// NewComparison returns a comparison of models. unresolved are names to ask about.
// omitted is how many more models were asked for than it takes.
func NewComparison(site *Site, parts []ComparedParts, unresolved []*UnresolvedGear, omitted int) *Comparison {
	p := &Comparison{Models: []ComparedModel{}, Listings: []ComparedListing{}, Unresolved: unresolved, Notice: site.notice(), site: site}
	gear := make([]*models.Gear, len(parts))
	for i := range parts {
		gear[i] = parts[i].Gear
		p.Models = append(p.Models, newComparedModel(site, &parts[i]))
	}
	p.Specifications = compareSpecs(gear)
	p.Ref, p.Text = newRef(p.path()), p.modelsLead()
	p.warn(omitted)
	if len(parts) >= MinCompared {
		p.Href = "/api" + p.Page
	}
	p.Links = []Link{}
	for _, m := range p.Models {
		p.Links = append(p.Links, Link{gearPath(m.Gear), m.Name})
	}
	p.Links = append(p.Links, Link{"/prices", "Check a price"}, Link{"/gear", "All brands"})
	return p
}

func newComparedModel(site *Site, part *ComparedParts) ComparedModel {
	t := part.Trend
	if t == nil {
		t = &models.Trend{}
	}
	m := ComparedModel{
		Gear: part.Gear.Slug(), Name: part.Gear.Name(), Ref: newRef(gearPath(part.Gear.Slug())), Sold: newPricePoint(site, t.Summary),
		ByCondition: []ConditionPrice{}, Change90: percentOf(t.Change90d), ForSale: part.Asked.Count, Lowest: site.money(part.Asked.Lowest),
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

func newPricePoint(site *Site, s models.Stats) PricePoint {
	if !s.Enough() {
		return PricePoint{Status: InsufficientData, SampleSize: s.Count}
	}
	return PricePoint{"ok", site.money(s.P25), site.money(s.Median), site.money(s.P75), s.Count}
}

// priceGroup returns the prices of the models as rows.
func (p *Comparison) priceGroup() comparedGroup {
	g := comparedGroup{Heading: "Prices"}
	add := func(name string, text func(*ComparedModel) string) { addRow(&g, name, p.Models, text) }
	add("Median sold", func(m *ComparedModel) string { return moneyOr(m.Sold.Median, "too few sales") })
	add("Typical range", func(m *ComparedModel) string {
		if m.Sold.Median == nil {
			return ""
		}
		return MoneyText(*m.Sold.P25) + " – " + MoneyText(*m.Sold.P75)
	})
	for _, c := range models.Conditions {
		add(c.Label(), func(m *ComparedModel) string { return m.conditionText(c) })
	}
	add("Sales, 12 months", func(m *ComparedModel) string { return numberText(m.Sold.SampleSize) })
	add("Change, 90 days", func(m *ComparedModel) string {
		if m.Change90 == nil {
			return ""
		}
		return percentText(*m.Change90)
	})
	add("For sale", func(m *ComparedModel) string { return numberText(m.ForSale) })
	add("From", func(m *ComparedModel) string { return moneyOr(m.Lowest, "") })
	add("Time to sell", func(m *ComparedModel) string {
		if m.MedianDays == 0 {
			return ""
		}
		return countText(m.MedianDays, "day", "days")
	})
	return g
}

// conditionText returns the price in a condition, "" with too few sales.
func (m *ComparedModel) conditionText(c models.Condition) string {
	for _, price := range m.ByCondition {
		if price.Condition == c {
			return MoneyText(price.Median) + " (" + numberText(price.SampleSize) + ")"
		}
	}
	return ""
}

// modelColumns returns the headings of the columns of models.
func (p *Comparison) modelColumns() []comparedColumn {
	columns := make([]comparedColumn, len(p.Models))
	for i, m := range p.Models {
		columns[i] = comparedColumn{Link: Link{gearPath(m.Gear), m.Name}, About: m.Name, Rest: p.without(m.Gear)}
	}
	return columns
}

// slugs returns the slugs of the models.
func (p *Comparison) slugs() []string {
	var slugs []string
	for _, m := range p.Models {
		slugs = append(slugs, m.Gear)
	}
	return slugs
}

// comparePath returns the path of the comparison of gear.
func comparePath(slugs ...string) string {
	if len(slugs) == 0 {
		return "/compare"
	}
	return "/compare?gear=" + strings.Join(slugs, ",")
}

// without returns the path of the page without a model.
func (p *Comparison) without(gear string) string {
	return comparePath(slices.DeleteFunc(p.slugs(), func(slug string) bool { return slug == gear })...)
}

// with returns the path of the page with another model.
func (p *Comparison) with(gear string) string {
	return comparePath(append(p.slugs(), gear)...)
}

// modelsTitle returns the heading of a comparison of models.
func (p *Comparison) modelsTitle() string {
	if len(p.Models) < MinCompared {
		return "Compare cameras and lenses"
	}
	var names []string
	for _, m := range p.Models {
		names = append(names, m.Name)
	}
	return strings.Join(names, " vs ")
}

// modelsLead summarises a comparison of models.
func (p *Comparison) modelsLead() string {
	switch len(p.Models) {
	case 0:
		return "Add two to six models to see their specifications and sold prices side by side. To compare listings, check Compare on their cards."
	case 1:
		return "Add another model to compare with the " + p.Models[0].Name + "."
	}
	var low, high *ComparedModel
	for i := range p.Models {
		m := &p.Models[i]
		if m.Sold.Median == nil {
			continue
		}
		if low == nil || amountLess(m.Sold.Median, low.Sold.Median) {
			low = m
		}
		if high == nil || amountLess(high.Sold.Median, m.Sold.Median) {
			high = m
		}
	}
	if low == nil || low == high {
		return "Specifications and sold prices of the last 12 months, side by side."
	}
	return "Cheapest: " + low.Name + ", typically " + MoneyText(*low.Sold.Median) + ". Most expensive: " + high.Name + ", typically " + MoneyText(*high.Sold.Median) + "."
}
