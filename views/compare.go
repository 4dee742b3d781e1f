package views

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// MinCompared and MaxCompared limit the number of models in a comparison.
const (
	MinCompared = 2
	MaxCompared = 6
)

// Comparison compares models side by side: their specifications and prices.
type Comparison struct {
	Ref
	Models         []ComparedModel   `json:"gear" jsonschema:"the compared models, in the order of the request"`
	Specifications []ComparedSpec    `json:"specifications" jsonschema:"specifications known for at least one of the models"`
	Unresolved     []*UnresolvedGear `json:"unresolved,omitempty" jsonschema:"names that do not say which gear is meant; only on the page"`
	Text           string            `json:"text"`
	Links          []Link            `json:"links"`
	Notice         string            `json:"notice,omitempty"`
	site           *Site
}

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

// ComparedSpec is a specification of the compared models.
type ComparedSpec struct {
	Name    string   `json:"name"`
	Values  []string `json:"values" jsonschema:"value of each model, in the order of gear; empty if unknown"`
	Differs bool     `json:"differs" jsonschema:"true if the models differ"`
}

// ComparedParts holds what a model of a comparison is made of.
type ComparedParts struct {
	Gear  *models.Gear
	Trend *models.Trend // nil without sales
	Time  models.SellingTime
	Asked Asking
}

// NewComparison returns a comparison. unresolved are names to ask about.
func NewComparison(site *Site, parts []ComparedParts, unresolved []*UnresolvedGear) *Comparison {
	p := &Comparison{Models: []ComparedModel{}, Specifications: compareSpecs(parts), Unresolved: unresolved, Notice: site.notice(), site: site}
	for _, part := range parts {
		p.Models = append(p.Models, newComparedModel(site, &part))
	}
	p.Ref, p.Text = newRef(p.path()), p.lead()
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
			m.ByCondition = append(m.ByCondition, ConditionPrice{c, site.Currency.Money(s.Median), s.Count})
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

// compareSpecs returns the specifications that at least one model has, in the order of
// specsOf. The name is the heading of the column already.
func compareSpecs(parts []ComparedParts) []ComparedSpec {
	rows := []ComparedSpec{}
	for i, part := range parts {
		at := 0 // where the next new row belongs
		for _, spec := range specsOf(part.Gear) {
			if spec.Name == "Brand" || spec.Name == "Model" {
				continue
			}
			row := slices.IndexFunc(rows, func(r ComparedSpec) bool { return r.Name == spec.Name })
			if row < 0 {
				row = at
				rows = slices.Insert(rows, row, ComparedSpec{Name: spec.Name, Values: make([]string, len(parts))})
			}
			rows[row].Values[i] = spec.Value
			at = row + 1
		}
	}
	for i := range rows {
		first := rows[i].Values[0]
		rows[i].Differs = slices.ContainsFunc(rows[i].Values, func(v string) bool { return v != first })
	}
	return rows
}

// comparedRow is a row of the table: a heading and a cell for each model.
type comparedRow struct {
	Name    string
	Cells   []string
	Differs bool
}

// specRows returns the specifications as rows.
func (p *Comparison) specRows() []comparedRow {
	var rows []comparedRow
	for _, s := range p.Specifications {
		row := comparedRow{Name: s.Name, Differs: s.Differs}
		for _, v := range s.Values {
			if v == "" {
				v = "–"
			}
			row.Cells = append(row.Cells, v)
		}
		rows = append(rows, row)
	}
	return rows
}

// priceRows returns the prices as rows, without those that no model has.
func (p *Comparison) priceRows() []comparedRow {
	var rows []comparedRow
	add := func(name string, cell func(*ComparedModel) string) {
		row, known := comparedRow{Name: name}, false
		for i := range p.Models {
			text := cell(&p.Models[i])
			known = known || text != ""
			if text == "" {
				text = "–"
			}
			row.Cells = append(row.Cells, text)
		}
		if known {
			rows = append(rows, row)
		}
	}
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
	return rows
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

// path returns the canonical path of the page.
func (p *Comparison) path() string { return comparePath(p.slugs()...) }

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

func (p *Comparison) title() string {
	if len(p.Models) < MinCompared {
		return "Compare cameras and lenses"
	}
	var names []string
	for _, m := range p.Models {
		names = append(names, m.Name)
	}
	return strings.Join(names, " vs ")
}

// lead summarises the comparison.
func (p *Comparison) lead() string {
	switch len(p.Models) {
	case 0:
		return "Add two to six models to see their specifications and sold prices side by side."
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

// amountLess compares two amounts in the same currency.
func amountLess(a, b *models.Money) bool {
	if len(a.Amount) != len(b.Amount) {
		return len(a.Amount) < len(b.Amount)
	}
	return a.Amount < b.Amount
}

// Head implements Page.
func (p *Comparison) Head(ctx context.Context) Head {
	return Head{Title: p.title(), Description: p.Text, Path: p.path(), NoIndex: len(p.Models) > 0, Crumbs: []Link{{"/gear", "Gear"}}}
}

// Markdown implements Page. Rows that differ are marked with ≠.
func (p *Comparison) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.title(), p.Notice)
	m.text(p.Text)
	for i := range p.Unresolved {
		m.unresolved(p.Unresolved[i])
	}
	if len(p.Models) > 0 {
		m.raw("\n")
		m.comparison(p)
		m.text("≠ marks specifications that differ. Prices by condition are medians, with the number of sales in brackets.")
	}
	m.raw("\nPage: ", p.site.URL(p.Page), "\n")
	m.links(p.Links)
	return m.done(w)
}

// comparison writes the table of a comparison.
func (m *markdown) comparison(p *Comparison) {
	head := []string{""}
	slugs := []string{"Slug"}
	for _, model := range p.Models {
		head = append(head, mdText(model.Name))
		slugs = append(slugs, "`"+model.Gear+"`")
	}
	m.head(head...)
	m.row(slugs...)
	for _, row := range slices.Concat(p.specRows(), p.priceRows()) {
		name := mdText(row.Name)
		if row.Differs {
			name = "≠ " + name
		}
		cells := []string{name}
		for _, cell := range row.Cells {
			cells = append(cells, mdText(cell))
		}
		m.row(cells...)
	}
}

// columns returns the number of columns of the table.
func (p *Comparison) columns() string { return strconv.Itoa(len(p.Models) + 1) }
