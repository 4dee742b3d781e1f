package price

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/views/ui"
)

// PriceWorking is the page that shows how the price estimates of a gear follow from its
// sales.
type PriceWorking struct {
	ui.Ref
	Gear       string             `json:"gear" jsonschema:"slug of the model"`
	Name       string             `json:"name" jsonschema:"brand and model"`
	Day        models.Day         `json:"estimated_on" jsonschema:"day of the estimates; the sales before it are used" format:"date" maxlength:"10"`
	Version    int                `json:"method_version" jsonschema:"version of the method" min:"1"`
	Conditions []models.Condition `json:"conditions" jsonschema:"conditions with an estimate, in the order of estimates and weights"`
	Estimates  []WorkedEstimate   `json:"estimates" jsonschema:"the estimate of each condition"`
	Terms      []PriceTerm        `json:"terms" jsonschema:"the prices that the estimates are made from, oldest sale last"`
	Formula    string             `json:"formula" jsonschema:"how an estimate follows from the terms" maxlength:"1000"`
	Links      []ui.Link          `json:"links"`
	Notice     string             `json:"notice,omitempty"`
	site       *ui.Site
}

// WorkedEstimate is an estimate to the cent with what it is computed with. The last five
// figures are logarithms.
type WorkedEstimate struct {
	Condition models.Condition `json:"condition"`
	Low       models.Money     `json:"low" jsonschema:"8 of 10 sales are from low to high"`
	HalfLow   models.Money     `json:"half_low" jsonschema:"half of the sales are from half_low to half_high"`
	Median    models.Money     `json:"median"`
	HalfHigh  models.Money     `json:"half_high" jsonschema:"half of the sales are from half_low to half_high"`
	High      models.Money     `json:"high" jsonschema:"8 of 10 sales are from low to high"`
	Constant  float64          `json:"constant" jsonschema:"added to the weighted sum of the terms"`
	ToLow     float64          `json:"to_low" jsonschema:"added to the estimate for low"`
	ToHalfLow float64          `json:"to_half_low" jsonschema:"added to the estimate for half_low"`
	ToHalfUp  float64          `json:"to_half_high" jsonschema:"added to the estimate for half_high"`
	ToHigh    float64          `json:"to_high" jsonschema:"added to the estimate for high"`
}

// PriceTerm is a price that estimates are made from.
type PriceTerm struct {
	Kind       pricing.TermKind `json:"kind" jsonschema:"sale: of this model; similar: what similar models sell for; start: where the computation started"`
	Day        models.Day       `json:"day,omitempty" jsonschema:"day of the sale" format:"date" maxlength:"10"`
	Condition  models.Condition `json:"condition,omitempty" jsonschema:"condition of what was sold"`
	Price      float64          `json:"price" jsonschema:"in the site's currency; of a sale to the cent" min:"0"`
	Adjustment float64          `json:"adjustment" jsonschema:"logarithm that takes the price to excellent condition, today's age and no season"`
	Weights    []float64        `json:"weights" jsonschema:"weight in the estimate of each condition; all terms add up to 1"`
}

// workingFormula says how to recompute an estimate.
var workingFormula = languages.Mark("log(estimate) = a constant + the sum of weight × (log(price) + adjustment) over every price used. The ends of each range are a fixed factor away. Recent sales weigh more; outliers and repeat sales within one group of people weigh less.")

// NewPriceWorking returns the page of a gear for its working of a day.
func NewPriceWorking(site *ui.Site, gear *catalog.Gear, w *pricing.Working, day models.Day) *PriceWorking {
	p := &PriceWorking{Ref: ui.NewRef(ui.PriceWorkingPath(gear.Slug())), Gear: gear.Slug(), Name: gear.Name(), Day: day, Version: pricing.Version, Formula: workingFormula, Notice: site.Notice(), site: site,
		Links: []ui.Link{{Href: ui.PriceWorkingPath(gear.Slug()) + ".csv", Label: "All data (CSV)"}, {Href: ui.GearPath(gear.Slug()), Label: "Price history"}, {Href: ui.AccuracyPath, Label: "How accurate are our estimates?"}}}
	var grades []int
	for grade, f := range w.Grades {
		if f.Stated {
			grades = append(grades, grade)
			p.Conditions = append(p.Conditions, models.Conditions[grade])
			p.Estimates = append(p.Estimates, p.estimate(w, grade))
		}
	}
	for _, t := range slices.Backward(w.Terms) {
		term := PriceTerm{Kind: t.Kind, Price: t.Price / site.MinorUnits(), Adjustment: t.Adjustment}
		if t.Kind == pricing.SaleTerm {
			term.Day, term.Condition = models.DayOf(t.Day), models.Conditions[t.Grade]
		}
		for _, grade := range grades {
			term.Weights = append(term.Weights, t.Weights[grade])
		}
		p.Terms = append(p.Terms, term)
	}
	return p
}

// estimate returns the estimate of a grade.
func (p *PriceWorking) estimate(w *pricing.Working, grade int) WorkedEstimate {
	f := &w.Grades[grade]
	log := f.Constant
	for _, t := range w.Terms {
		log += t.Weights[grade] * (math.Log(t.Price) + t.Adjustment)
	}
	money := func(to float64) models.Money {
		return p.site.Currency().Money(models.Cents(math.Round(math.Exp(log + to))))
	}
	return WorkedEstimate{models.Conditions[grade], money(f.Low), money(f.HalfLow), money(0), money(f.HalfHigh), money(f.High), f.Constant, f.Low, f.HalfLow, f.HalfHigh, f.High}
}

// CSV writes the terms and then the figures of each condition. The columns of conditions
// have weights in the rows of terms.
func (p *PriceWorking) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 15, 64) }
	head := []string{"row", "day", "sold_condition", "price", "adjustment"}
	for _, condition := range p.Conditions {
		head = append(head, string(condition))
	}
	c.Write(head)
	for _, t := range p.Terms {
		row := []string{string(t.Kind), string(t.Day), string(t.Condition), number(t.Price), number(t.Adjustment)}
		for _, weight := range t.Weights {
			row = append(row, number(weight))
		}
		c.Write(row)
	}
	for _, figure := range workedFigures {
		row := []string{figure.name, "", "", "", ""}
		for i := range p.Estimates {
			row = append(row, figure.of(&p.Estimates[i]))
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// workedFigures are the rows of the CSV after the terms.
var workedFigures = func() (figures []struct {
	name string
	of   func(*WorkedEstimate) string
}) {
	add := func(name string, of func(*WorkedEstimate) string) {
		figures = append(figures, struct {
			name string
			of   func(*WorkedEstimate) string
		}{name, of})
	}
	for _, f := range []struct {
		name string
		of   func(*WorkedEstimate) float64
	}{
		{"constant", func(e *WorkedEstimate) float64 { return e.Constant }},
		{"to_low", func(e *WorkedEstimate) float64 { return e.ToLow }},
		{"to_half_low", func(e *WorkedEstimate) float64 { return e.ToHalfLow }},
		{"to_half_high", func(e *WorkedEstimate) float64 { return e.ToHalfUp }},
		{"to_high", func(e *WorkedEstimate) float64 { return e.ToHigh }},
	} {
		add(f.name, func(e *WorkedEstimate) string { return strconv.FormatFloat(f.of(e), 'g', 15, 64) })
	}
	for _, f := range []struct {
		name string
		of   func(*WorkedEstimate) models.Money
	}{
		{"low", func(e *WorkedEstimate) models.Money { return e.Low }},
		{"half_low", func(e *WorkedEstimate) models.Money { return e.HalfLow }},
		{"median", func(e *WorkedEstimate) models.Money { return e.Median }},
		{"half_high", func(e *WorkedEstimate) models.Money { return e.HalfHigh }},
		{"high", func(e *WorkedEstimate) models.Money { return e.High }},
	} {
		add(f.name, func(e *WorkedEstimate) string { return f.of(e).Amount })
	}
	return figures
}()

// termsShown is the number of terms in the table of the page; all are in the CSV.
const termsShown = 50

// heaviest returns the terms with the most weight in the first table's usual condition, and
// its index.
func (p *PriceWorking) heaviest() (terms []PriceTerm, usual int) {
	usual = max(0, slices.Index(p.Conditions, models.ConditionExcellent))
	terms = slices.Clone(p.Terms)
	slices.SortStableFunc(terms, func(a, b PriceTerm) int { return cmp.Compare(math.Abs(b.Weights[usual]), math.Abs(a.Weights[usual])) })
	return terms[:min(len(terms), termsShown)], usual
}

// workingTable is a table of the page.
type workingTable struct {
	heading string
	head    []string
	rows    [][]string
}

// tables returns the tables of the page.
func (p *PriceWorking) tables(ctx context.Context) []workingTable {
	estimates := workingTable{heading: languages.Mark("Estimates"), head: []string{languages.Mark("Condition"), languages.Mark("Estimate"), languages.Mark("Half sell for"), languages.Mark("80% sell for")}}
	for i := range p.Estimates {
		e := &p.Estimates[i]
		estimates.rows = append(estimates.rows, []string{ui.T(ctx, e.Condition.Label()), ui.MoneyIn(ctx, e.Median), ui.T(ctx, "%s to %s", ui.MoneyIn(ctx, e.HalfLow), ui.MoneyIn(ctx, e.HalfHigh)), ui.T(ctx, "%s to %s", ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High))})
	}
	terms, usual := p.heaviest()
	prices := workingTable{heading: languages.Mark("What goes into them"), head: []string{languages.Mark("Price of"), languages.Mark("Day"), languages.Mark("Condition"), languages.Mark("Price"), languages.Mark("Adjusted"), languages.Mark("Weight")}}
	for i := range terms {
		term := &terms[i]
		money := func(amount float64) string {
			return ui.MoneyIn(ctx, p.site.Currency().Money(models.Cents(math.Round(amount*p.site.MinorUnits()))))
		}
		day, condition := "–", "–"
		if term.Kind == pricing.SaleTerm {
			day, condition = ui.DayIn(ctx, term.Day), ui.T(ctx, term.Condition.Label())
		}
		prices.rows = append(prices.rows, []string{ui.T(ctx, termNames[term.Kind]), day, condition, money(term.Price), money(term.Price * math.Exp(term.Adjustment)), shareIn(ctx, 1, math.Round(1000*term.Weights[usual])/10)})
	}
	return []workingTable{estimates, prices}
}

var termNames = map[pricing.TermKind]string{
	pricing.SaleTerm: languages.Mark("Sale"), pricing.SimilarTerm: languages.Mark("Similar models"), pricing.StartTerm: languages.Mark("Start"),
}

// title returns the heading of the page.
func (p *PriceWorking) title(ctx context.Context) string {
	return ui.T(ctx, "How we estimate the price of the %s", p.Name)
}

// lead sums up the page.
func (p *PriceWorking) lead(ctx context.Context) string {
	return ui.T(ctx, "Every price behind the %s estimate, and how much each counts. Anyone can recalculate it, to the cent.", ui.DayIn(ctx, p.Day))
}

// shownText says which prices the table has.
func (p *PriceWorking) shownText(ctx context.Context) string {
	_, usual := p.heaviest()
	return ui.T(ctx, "The %s most influential prices for “%s” condition, adjusted to excellent condition, today's age and no seasonal effect. The CSV has them all.", ui.NumberIn(ctx, min(len(p.Terms), termsShown)), ui.T(ctx, p.Conditions[usual].Label()))
}

// Head implements Page.
func (p *PriceWorking) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.title(ctx), Description: p.lead(ctx), Path: p.Page, Crumbs: []ui.Link{{Href: "/prices", Label: ui.T(ctx, "Price check")}, {Href: ui.GearPath(p.Gear), Label: p.Name}}}
}

// Markdown implements Page.
func (p *PriceWorking) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	m.Raw("\n", ui.T(ctx, "Page"), ": ", p.site.URL(p.Page), "\n")
	m.Paragraph(p.lead(ctx))
	m.Paragraph(ui.T(ctx, p.Formula))
	m.Paragraph(p.shownText(ctx))
	for _, table := range p.tables(ctx) {
		m.Section(table.heading)
		m.Head(table.head...)
		for _, row := range table.rows {
			m.Row(row...)
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}
