package price

import (
	"context"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/views/ui"
)

// Accuracy is the page that says how price estimates are made and how accurate they were.
type Accuracy struct {
	ui.Ref
	Method  string     `json:"method" jsonschema:"how the estimates are made and checked" maxlength:"1000"`
	Version int        `json:"method_version" jsonschema:"version of the method" min:"1"`
	Day     models.Day `json:"estimated_on,omitempty" jsonschema:"day of the current estimates; absent before the first" format:"date" maxlength:"10"`
	Sales   int        `json:"sample_size"`
	Gear    int        `json:"gear_count" jsonschema:"number of models with an estimate" min:"0"`

	CheckedAt  string        `json:"checked_at,omitempty" jsonschema:"when the estimates were checked; absent before the first check" format:"date-time" maxlength:"30"`
	Months     int           `json:"months,omitempty" jsonschema:"number of months whose sales were predicted" min:"1"`
	All        *AccuracyRow  `json:"all,omitempty" jsonschema:"all sales that were predicted"`
	BySales    []AccuracyRow `json:"by_sales" jsonschema:"by the number of earlier sales of the model, fewest first"`
	ByCategory []AccuracyRow `json:"by_category" jsonschema:"by category"`
	PerModel   *AccuracyRow  `json:"per_model,omitempty" jsonschema:"the last sale of each model, so that each counts once"`
	ByGrade    []AccuracyRow `json:"by_condition" jsonschema:"by condition, best first"`
	ByPrice    []AccuracyRow `json:"by_price" jsonschema:"by the estimate, lowest first"`
	Forgery    *ForgeryTest  `json:"forgery,omitempty" jsonschema:"what forged sales would change"`
	Unpriced   *Unpriced     `json:"unpriced,omitempty" jsonschema:"models without a price; absent if every model has one"`
	Text       string        `json:"text" jsonschema:"the accuracy in words" maxlength:"1000"`
	Links      []ui.Link     `json:"links"`
	Notice     string        `json:"notice,omitempty"`
	site       *ui.Site
}

// AccuracyRow states how accurate the estimates of a group of sales were.
type AccuracyRow struct {
	Label       string  `json:"label" jsonschema:"number of earlier sales, or the category" maxlength:"50"`
	Sales       int     `json:"sample_size" jsonschema:"number of sales that were predicted"`
	Stated      int     `json:"estimates" jsonschema:"number of sales for which there was an estimate" min:"0"`
	Error       float64 `json:"median_error" jsonschema:"half of the estimates were closer to the price, in percent of it" min:"0" max:"1000"`
	Within10    float64 `json:"within_10" jsonschema:"share of estimates within 10 % of the price, in percent" min:"0" max:"100"`
	InHalf      float64 `json:"in_range_50" jsonschema:"share of prices in the range that should hold 50 %" min:"0" max:"100"`
	InMost      float64 `json:"in_range_80" jsonschema:"share of prices in the range that should hold 80 %" min:"0" max:"100"`
	Compared    int     `json:"compared" jsonschema:"number of sales that also have a median to compare with: at least 5 sales in the condition in the year before" min:"0"`
	Ours        float64 `json:"error_compared" jsonschema:"median error of the estimates of the compared sales, in percent" min:"0" max:"1000"`
	MedianError float64 `json:"error_of_medians" jsonschema:"median error of the median of the condition, in percent" min:"0" max:"1000"`
	LastError   float64 `json:"error_of_last_sale" jsonschema:"median error of the last price of the condition, in percent" min:"0" max:"1000"`
}

// ForgeryTest states by how much estimates move if sales are forged.
type ForgeryTest struct {
	Gear   int     `json:"gear_count" jsonschema:"models with at least 20 sales in the year" min:"0"`
	Forged int     `json:"forged" jsonschema:"forged sales, at half of the price: a tenth of all in the year" min:"0"`
	Mean   float64 `json:"mean_change" jsonschema:"average change of the estimates, in percent" min:"0" max:"1000"`
	Most   float64 `json:"greatest_change" jsonschema:"greatest change of an estimate, in percent" min:"0" max:"1000"`
}

// AccuracyMethod explains how estimates are made and checked.
var AccuracyMethod = languages.Mark("Every night we estimate what each model sells for in each condition. Recent sales count for more; " +
	"outliers and repeat sales by one person count for less. Where we know a sale's region, faults, " +
	"accessories or shutter count, we allow for them. Models with few sales borrow from similar ones " +
	"(category, brand, age and optics). The range is set so that 80% of sales fall inside it. To check, we " +
	"predict each month of the last year using only earlier sales, then compare with the prices paid.")

// NewAccuracy returns the page. fit and unpriced are nil before the first fit.
func NewAccuracy(site *ui.Site, fit *prices.PriceFit, unpriced *prices.Unpriced) *Accuracy {
	p := &Accuracy{Ref: ui.NewRef(ui.AccuracyPath), Method: AccuracyMethod, Version: pricing.Version, BySales: []AccuracyRow{}, ByCategory: []AccuracyRow{}, ByGrade: []AccuracyRow{}, ByPrice: []AccuracyRow{}, Unpriced: NewUnpriced(unpriced), Notice: site.Notice(), site: site,
		Links: []ui.Link{{Href: "/data/sales.csv.gz", Label: "Sales used (CSV)"}, {Href: "/data/manifest.json", Label: "All files to download"}, {Href: "/prices", Label: "Check a price"}, {Href: "/guides/reading-a-price-trend", Label: "Reading a price history"}}}
	if fit != nil {
		p.Day, p.Sales, p.Gear = fit.Day, fit.Sales, fit.Gear
		p.setReport(fit.Accuracy, fit.AccuracyAt)
	}
	p.Text = p.lead(context.Background())
	return p
}

// setReport sets the figures of a report, which may be nil.
func (p *Accuracy) setReport(r *pricing.Report, at models.Time) {
	if r == nil {
		return
	}
	p.CheckedAt, p.Months = at.RFC3339(), r.Months
	if r.All.Sales > 0 {
		all := newAccuracyRow(&r.All, languages.Mark("All"))
		p.All = &all
	}
	for i := range r.BySales {
		p.BySales = append(p.BySales, newAccuracyRow(&r.BySales[i], r.BySales[i].Class.Name))
	}
	for i := range r.ByKind {
		p.ByCategory = append(p.ByCategory, newAccuracyRow(&r.ByKind[i], models.Category(r.ByKind[i].Class.Name).Label()))
	}
	if r.PerGear.Sales > 0 {
		once := newAccuracyRow(&r.PerGear, languages.Mark("Each model counted once"))
		p.PerModel = &once
	}
	for i := range r.ByGrade {
		p.ByGrade = append(p.ByGrade, newAccuracyRow(&r.ByGrade[i], models.Conditions[r.ByGrade[i].Class.Rank].Label()))
	}
	for i := range r.ByPrice {
		if class := r.ByPrice[i].Class.Rank; class >= 0 {
			p.ByPrice = append(p.ByPrice, newAccuracyRow(&r.ByPrice[i], priceClasses[class]))
		}
	}
	if f := r.Forgery; f.Gear > 0 {
		p.Forgery = &ForgeryTest{f.Gear, f.Forged, shareOf(f.Mean), shareOf(f.Most)}
	}
}

// priceClasses are the labels of the classes of pricing.ByPrice, in the currency of the site.
var priceClasses = []string{languages.Mark("under 50"), languages.Mark("under 100"), languages.Mark("under 250"), languages.Mark("under 500"), languages.Mark("under 1000"), languages.Mark("under 2500"), languages.Mark("2500 and more")}

func newAccuracyRow(a *pricing.Accuracy, label string) AccuracyRow {
	return AccuracyRow{Label: label, Sales: a.Sales, Stated: a.Stated, Error: shareOf(a.Error), Within10: shareOf(a.Within10), InHalf: shareOf(a.InHalf), InMost: shareOf(a.InMost),
		Compared: a.Compared, Ours: shareOf(a.Ours), MedianError: shareOf(a.MedianError), LastError: shareOf(a.LastError)}
}

// shareOf returns a share in percent with one decimal.
func shareOf(share float64) float64 { return math.Round(share*1000) / 10 }

// shareIn formats a percentage without a sign, "–" if it is of no sales.
func shareIn(ctx context.Context, of int, percent float64) string {
	if of == 0 {
		return "–"
	}
	return languages.Of(ctx).Percent(strconv.FormatFloat(percent, 'f', 1, 64))
}

// lead states the accuracy.
func (p *Accuracy) lead(ctx context.Context) string {
	if p.All == nil || p.All.Stated == 0 {
		return ui.T(ctx, "We haven't tested our estimates yet. We'll do so nightly once there are sales.")
	}
	a := p.All
	text := ui.T(ctx, "%s of prices paid fell inside our 80%% range, and half of our estimates were within %s of the price.", shareIn(ctx, a.Stated, a.InMost), shareIn(ctx, a.Stated, a.Error))
	if careful := p.careful(ctx); len(careful) > 0 {
		text += " " + ui.T(ctx, "Treat with care: %s.", ui.Join(careful))
	}
	return text + " " + ui.T(ctx, "Tested on %s, each predicted only from earlier sales.", ui.TN(ctx, a.Stated, "%s sale", "%s sales"))
}

// A kind or a condition is to be treated with care if fewer than leastShare percent of its prices
// were in the range, of at least fewestStated.
const (
	leastShare   = 75
	fewestStated = 50
)

// careful names what to treat with care, with the share of its prices in the range.
func (p *Accuracy) careful(ctx context.Context) (list []string) {
	for _, rows := range [][]AccuracyRow{p.ByCategory, p.ByGrade} {
		for i := range rows {
			if r := &rows[i]; r.Stated >= fewestStated && r.InMost < leastShare {
				list = append(list, ui.WithinSentence(ctx, r.Label)+" ("+shareIn(ctx, r.Stated, r.InMost)+")")
			}
		}
	}
	return list
}

// comparisonText compares the estimates with simpler ones, "" without any.
func (p *Accuracy) comparisonText(ctx context.Context) string {
	a := p.All
	if a == nil || a.Compared == 0 {
		return ""
	}
	return ui.T(ctx, "Where a condition had at least 5 sales in the previous year (%s), our estimate was off by %s. The median of those sales was off by %s, and the most recent price by %s.",
		ui.TN(ctx, a.Compared, "%s sale", "%s sales"), shareIn(ctx, 1, a.Ours), shareIn(ctx, 1, a.MedianError), shareIn(ctx, 1, a.LastError))
}

// forgeryText says what forged sales would change, "" if that is unknown.
func (p *Accuracy) forgeryText(ctx context.Context) string {
	f := p.Forgery
	if f == nil {
		return ""
	}
	return ui.T(ctx, "Stress test: we add %s fake sales at half price (a tenth of all sales for each of %s), made by six people selling to each other. Estimates move by %s on average, and %s at most.",
		ui.NumberIn(ctx, f.Forged), ui.TN(ctx, f.Gear, "%s model", "%s models"), shareIn(ctx, 1, f.Mean), shareIn(ctx, 1, f.Most))
}

// basisText says what the current estimates are made from, "" without any.
func (p *Accuracy) basisText(ctx context.Context) string {
	if p.Day == "" {
		return ""
	}
	text := ui.T(ctx, "Current estimates: %s, based on %s, updated %s. Method %s.", ui.TN(ctx, p.Gear, "%s model", "%s models"), ui.TN(ctx, p.Sales, "%s sale", "%s sales"), ui.DayIn(ctx, p.Day), ui.NumberIn(ctx, p.Version))
	if p.CheckedAt != "" {
		text += " " + ui.T(ctx, "Checked on %s over %s.", ui.DayIn(ctx, p.CheckedAt), ui.TN(ctx, p.Months, "%s month", "%s months"))
	}
	return text
}

// recomputeText says how to recompute the medians.
var recomputeText = languages.Mark("The file lists every sale behind our medians, by model and condition, without names or dates. Rows with no condition cover all conditions. Take the median of any model and condition and you'll get the figure we show, to the cent.")

// accuracyTable is one table of the page.
type accuracyTable struct {
	heading, first string
	rows           []AccuracyRow
	compared       bool // with the columns that compare the estimates with simpler ones
}

// tables returns the tables of the page that have rows.
func (p *Accuracy) tables() (tables []accuracyTable) {
	var all []AccuracyRow
	for _, row := range []*AccuracyRow{p.All, p.PerModel} {
		if row != nil {
			all = append(all, *row)
		}
	}
	for _, table := range []accuracyTable{
		{languages.Mark("By category"), languages.Mark("Category"), slices.Concat(p.ByCategory, all), false},
		{languages.Mark("By condition"), languages.Mark("Condition"), p.ByGrade, false},
		{languages.Mark("By price"), p.site.Currency().Code, p.ByPrice, false},
		{languages.Mark("By number of earlier sales"), languages.Mark("Sales of the model"), slices.Concat(p.BySales, all), true},
	} {
		if len(table.rows) > 0 {
			tables = append(tables, table)
		}
	}
	return tables
}

// ownColumns is the number of columns of a table that compares nothing, without the first.
const ownColumns = 6

// head names the columns of a table after the first.
func (t *accuracyTable) head() []string {
	return t.columns([]string{
		languages.Mark("In 80% range"), languages.Mark("Typical error"), languages.Mark("Within 10%"), languages.Mark("In 50% range"), languages.Mark("Estimates"), languages.Mark("Sales"),
		languages.Mark("Compared"), languages.Mark("Estimate"), languages.Mark("Median"), languages.Mark("Last price"),
	})
}

// cells returns the columns of a row after the first.
func (t *accuracyTable) cells(ctx context.Context, r *AccuracyRow) []string {
	return t.columns([]string{
		shareIn(ctx, r.Stated, r.InMost), shareIn(ctx, r.Stated, r.Error), shareIn(ctx, r.Stated, r.Within10), shareIn(ctx, r.Stated, r.InHalf), ui.NumberIn(ctx, r.Stated), ui.NumberIn(ctx, r.Sales),
		ui.NumberIn(ctx, r.Compared), shareIn(ctx, r.Compared, r.Ours), shareIn(ctx, r.Compared, r.MedianError), shareIn(ctx, r.Compared, r.LastError),
	})
}

// columns returns those that the table has.
func (t *accuracyTable) columns(all []string) []string {
	if t.compared {
		return all
	}
	return all[:ownColumns]
}

// title returns the heading of the page.
func (p *Accuracy) title(ctx context.Context) string {
	return ui.T(ctx, "How accurate are our price estimates?")
}

// Head implements Page.
func (p *Accuracy) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.title(ctx), Description: p.lead(ctx), Path: ui.AccuracyPath, Crumbs: []ui.Link{{Href: "/prices", Label: ui.T(ctx, "Price check")}}}
}

// Markdown implements Page.
func (p *Accuracy) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	m.Raw("\n", ui.T(ctx, "Page"), ": ", p.site.URL(p.Page), "\n")
	for _, text := range []string{p.lead(ctx), p.comparisonText(ctx), p.basisText(ctx)} {
		if text != "" {
			m.Paragraph(text)
		}
	}
	for _, table := range p.tables() {
		m.Section(table.heading)
		m.Head(append([]string{table.first}, table.head()...)...)
		for i := range table.rows {
			m.Row(append([]string{ui.MarkdownText(ui.T(ctx, table.rows[i].Label))}, table.cells(ctx, &table.rows[i])...)...)
		}
	}
	WriteUnpriced(m, p.Unpriced)
	if forgery := p.forgeryText(ctx); forgery != "" {
		m.Section("If someone fakes sales")
		m.Raw(ui.MarkdownText(forgery), "\n")
	}
	m.Section("How we make our estimates")
	m.Raw(ui.MarkdownText(ui.T(ctx, p.Method)), "\n")
	m.Section("Check it yourself")
	m.Raw(ui.MarkdownText(ui.T(ctx, recomputeText)), "\n")
	m.Links(p.Links)
	return m.Done(w)
}
