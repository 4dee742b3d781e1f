package price

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// PriceIndex is the index of the market: how the prices of the same gear in the same
// condition moved.
type PriceIndex struct {
	Month  string       `json:"month" jsonschema:"the last month, such as 2026-10" maxlength:"7"`
	All    IndexGroup   `json:"all" jsonschema:"all gear"`
	Charts []PriceChart `json:"charts" jsonschema:"what the index is about; the rows of each are at its href"`
	Text   string       `json:"text" jsonschema:"the index in words" maxlength:"1000"`
}

// IndexGroup is the index of a group of gear: 100 in its first month.
type IndexGroup struct {
	Name       string       `json:"name" maxlength:"100"`
	From       string       `json:"from" jsonschema:"month in which the index is 100" maxlength:"7"`
	Value      float64      `json:"index" jsonschema:"in the last month" min:"0"`
	Change12   *IndexChange `json:"change_12m,omitempty" jsonschema:"absent with fewer than 20 sales in one of the months"`
	Change36   *IndexChange `json:"change_36m,omitempty" jsonschema:"absent with fewer than 20 sales in one of the months"`
	SampleSize int          `json:"sample_size" max:"1000000000"`
	points     []prices.IndexPoint
}

// PriceCharts are the charts of the index.
var PriceCharts = []string{"kinds", "brands", "movers", "holders", "seasons", "depreciation"}

// chartTexts are the title of each chart and what explains it.
var chartTexts = map[string][2]string{
	"kinds":        {languages.Mark("Prices by category"), languages.Mark("Like-for-like price index (first month = 100), for all models, the best-selling categories and the one that rose most.")},
	"brands":       {languages.Mark("Prices by brand"), languages.Mark("Like-for-like price index (first month = 100), for the six best-selling brands.")},
	"movers":       {languages.Mark("Biggest price changes in 12 months"), languages.Mark("Last three months against the same months a year earlier, like for like. Only models with at least 20 sales across both periods and a statistically clear trend.")},
	"holders":      {languages.Mark("Hold their value best"), languages.Mark("Last six months against the same months three years earlier, like for like. Only models with at least 20 sales across both periods, ranked by the lower end of the 80% range.")},
	"depreciation": {languages.Mark("Depreciation by category"), languages.Mark("What the same model in the same condition sells for over the years (start = 100), for the six best-selling categories.")},
	"seasons":      {languages.Mark("Prices by season"), languages.Mark("How each month's prices compare with the year's average, like for like.")},
}

// IndexMethod explains how the index is made.
var IndexMethod = languages.Mark("The index compares sales of the same model in the same condition, month by month, using a regression of " +
	"log price on model, condition and month. Outliers and repeat sales by one person carry less weight. " +
	"Months with fewer than 20 sales are left out. Updated nightly.")

// allGear is the name of the index of all gear.
var allGear = languages.Mark("All gear")

// NewPriceIndex returns the index with its charts but without their rows. It returns nil
// without an index, or if there are too few sales for one.
func NewPriceIndex(site *ui.Site, index *prices.PriceIndex, catalog *catalog.Catalog) *PriceIndex {
	if index == nil || len(index.All.Points) < 2 {
		return nil
	}
	p := &PriceIndex{Month: index.All.Points[len(index.All.Points)-1].Month.String(), All: newIndexGroup(index.All, allGear), Charts: []PriceChart{}}
	for _, name := range PriceCharts {
		if c := NewPriceChart(site, index, catalog, name); c.drawn() {
			p.Charts = append(p.Charts, *c)
		}
	}
	p.Text = p.lead(context.Background())
	return p
}

func newIndexGroup(s prices.IndexSeries, name string) IndexGroup {
	g := IndexGroup{Name: name, SampleSize: s.Sales, points: s.Points, Change12: newIndexChange(s.Year), Change36: newIndexChange(s.Three)}
	if n := len(s.Points); n > 0 {
		g.From, g.Value = s.Points[0].Month.String(), tenths(s.Points[n-1].Value)
	}
	return g
}

// tenths rounds to one decimal.
func tenths(f float64) float64 { return math.Round(f*10)/10 + 0 } // −0 becomes 0

// NewPriceChart returns a chart of the index, which may be nil.
func NewPriceChart(site *ui.Site, index *prices.PriceIndex, catalog *catalog.Catalog, name string) *PriceChart {
	if index == nil {
		index = &prices.PriceIndex{}
	}
	c := &PriceChart{Ref: ui.Ref{Href: "/api" + ui.ChartsPath + name, Page: ui.ChartsPath + name}, Chart: name, Title: chartTexts[name][0], Method: IndexMethod, Notice: site.Notice(), about: chartTexts[name][1], site: site,
		Links: []ui.Link{{Href: "/prices", Label: "Price index"}, {Href: ui.AccuracyPath, Label: "Accuracy of the estimates"}, {Href: "/guides/reading-a-price-trend", Label: "Reading a price history"}}}
	gear := func(list []prices.GearChange) {
		for _, g := range list {
			if model := catalog.Gear(g.Gear); model != nil {
				c.Rows = append(c.Rows, IndexRow{Name: g.Gear, Label: model.Name(), Value: g.Percent, Low: g.Low, High: g.High, SampleSize: g.Sales})
			}
		}
	}
	switch name {
	case "kinds":
		all := index.All
		all.Name = "all"
		c.setGroups(append([]prices.IndexSeries{all}, index.Kinds...), func(kind string) string { return cmp.Or(models.Category(kind).Label(), allGear) })
	case "brands":
		c.setGroups(index.Brands, func(slug string) string {
			if b := catalog.Brand(slug); b != nil {
				return b.Name
			}
			return slug
		})
	case "movers":
		gear(index.Rising)
		falling := slices.Clone(index.Falling)
		slices.Reverse(falling)
		gear(falling)
		slices.SortStableFunc(c.Rows, func(a, b IndexRow) int { return cmp.Compare(b.Value, a.Value) })
	case "holders":
		gear(index.Holders)
		slices.SortStableFunc(c.Rows, func(a, b IndexRow) int { return cmp.Compare(b.Value, a.Value) })
	case "depreciation":
		c.setDepreciation(index)
	case "seasons":
		for _, s := range index.Seasons {
			share, month := s.Share, seasonName(languages.English, s.Month)
			c.Rows = append(c.Rows, IndexRow{Name: month, Label: month, Value: s.Percent, Low: s.Low, High: s.High, Share: &share})
		}
	}
	return c
}

// seasonName returns the name of a month of the year.
func seasonName(l *languages.Language, month int) string {
	name, _, _ := strings.Cut(ui.LocalMonth(l, fmt.Sprintf("2026-%02d", month)), " ")
	return name
}

// setGroups sets the groups of series that have at least half of their months.
func (p *PriceChart) setGroups(list []prices.IndexSeries, label func(string) string) {
	for _, s := range list {
		n := len(s.Points)
		if n < 6 || 2*n <= int(s.Points[n-1].Month-s.Points[0].Month) {
			continue
		}
		g := newIndexGroup(s, label(s.Name))
		p.Groups = append(p.Groups, g)
		for _, point := range s.Points {
			p.Rows = append(p.Rows, IndexRow{Name: s.Name, Label: g.Name, Period: point.Month.String(), Value: tenths(point.Value), Low: tenths(point.Low), High: tenths(point.High), SampleSize: point.Sales})
		}
	}
}

// withoutRows returns the chart as the page of the index has it in JSON.
func (p *PriceChart) withoutRows() PriceChart {
	short := *p
	if len(p.Groups) > 0 || p.Chart == "depreciation" {
		short.Rows = nil
	}
	short.Links, short.Method, short.Notice = nil, "", ""
	return short
}

// drawn reports whether there is something to draw.
func (p *PriceChart) drawn() bool { return len(p.Rows) > 0 }

// lead states the index in words.
func (p *PriceIndex) lead(ctx context.Context) string {
	year := p.All.Change12
	if year == nil {
		return ui.T(ctx, "Like-for-like prices, month by month, from %s.", ui.TN(ctx, p.All.SampleSize, "%s sale", "%s sales"))
	}
	var text string
	change := strings.TrimLeft(ui.PercentIn(ctx, math.Abs(year.Percent)), "+")
	switch {
	case year.High < 0:
		text = ui.T(ctx, "Like for like, used cameras and lenses sell for %s less than a year ago.", change)
	case year.Low > 0:
		text = ui.T(ctx, "Like for like, used cameras and lenses sell for %s more than a year ago.", change)
	case year.steady():
		text = ui.T(ctx, "Like for like, prices are about the same as a year ago.")
	default:
		text = ui.T(ctx, "The sales don’t show whether prices rose or fell in a year.")
	}
	var known []IndexGroup
	for i := range p.Charts {
		if p.Charts[i].Chart == "kinds" {
			known = slices.DeleteFunc(slices.Clone(p.Charts[i].Groups), func(g IndexGroup) bool { return g.Change12 == nil || g.Name == allGear })
		}
	}
	if len(known) > 1 {
		slices.SortStableFunc(known, func(a, b IndexGroup) int { return cmp.Compare(b.Change12.Percent, a.Change12.Percent) })
		if best, worst := known[0], known[len(known)-1]; best.Change12.Low > worst.Change12.High {
			text += " " + ui.T(ctx, "Strongest category: %s (%s). Weakest: %s (%s).", ui.T(ctx, best.Name), ui.PercentIn(ctx, best.Change12.Percent), ui.T(ctx, worst.Name), ui.PercentIn(ctx, worst.Change12.Percent))
		}
	}
	return text + " " + ui.T(ctx, "Based on %s until %s.", ui.TN(ctx, p.All.SampleSize, "%s sale", "%s sales"), ui.MonthIn(ctx, p.Month))
}

// groupHead names the columns of the table of groups.
var groupHead = []string{languages.Mark("Index"), languages.Mark("12 months"), languages.Mark("3 years"), languages.Mark("Sales")}

// cells returns the figures of a group for its row in a table.
func (g *IndexGroup) cells(ctx context.Context) []string {
	return []string{languages.Of(ctx).Decimal(strconv.FormatFloat(g.Value, 'f', 1, 64)), g.Change12.text(ctx), g.Change36.text(ctx), ui.NumberIn(ctx, g.SampleSize)}
}

// rangeOfChange states a change with its range: "−5.2% (−5.7% to −4.6%)".
func rangeOfChange(ctx context.Context, percent, low, high float64) string {
	return ui.PercentIn(ctx, percent) + " (" + ui.T(ctx, "%s to %s", ui.PercentIn(ctx, low), ui.PercentIn(ctx, high)) + ")"
}

// head returns the columns of the table of the rows.
func (p *PriceChart) head() []string {
	switch p.Chart {
	case "kinds", "brands":
		return []string{"Month", "Index", languages.Mark("80% range"), "Sales"}
	case "depreciation":
		return []string{"Category", languages.Mark("Years"), "Price change", "Sales"}
	case "seasons":
		return []string{"Month", languages.Mark("Compared with the year's average"), languages.Mark("Share of sales")}
	}
	return []string{"Model", languages.Mark("Price change"), "Sales"}
}

// cells returns the figures of a row for the table.
func (p *PriceChart) cells(ctx context.Context, r *IndexRow) []string {
	number := func(f float64) string { return languages.Of(ctx).Decimal(strconv.FormatFloat(f, 'f', 1, 64)) }
	switch p.Chart {
	case "kinds", "brands":
		return []string{number(r.Value), ui.T(ctx, "%s to %s", number(r.Low), number(r.High)), ui.NumberIn(ctx, r.SampleSize)}
	case "depreciation":
		return []string{ui.NumberIn(ctx, r.Years), rangeOfChange(ctx, r.Value, r.Low, r.High), ui.NumberIn(ctx, r.SampleSize)}
	case "seasons":
		return []string{rangeOfChange(ctx, r.Value, r.Low, r.High), languages.Of(ctx).Percent(strconv.FormatFloat(*r.Share, 'f', 1, 64))}
	}
	return []string{rangeOfChange(ctx, r.Value, r.Low, r.High), ui.NumberIn(ctx, r.SampleSize)}
}

// label returns the first cell of a row.
func (p *PriceChart) label(ctx context.Context, r *IndexRow) string {
	if r.Period != "" {
		return ui.MonthIn(ctx, r.Period)
	}
	return p.name(ctx, r.Label)
}

// name returns a name in the reader's language, if it is not one of gear or brands.
func (p *PriceChart) name(ctx context.Context, name string) string {
	switch p.Chart {
	case "kinds", "depreciation":
		return ui.T(ctx, name)
	case "seasons":
		for month := 1; month <= 12; month++ {
			if seasonName(languages.English, month) == name {
				return seasonName(languages.Of(ctx), month)
			}
		}
	}
	return name
}

// of returns the rows of a group.
func (p *PriceChart) of(g *IndexGroup) (rows []IndexRow) {
	for _, r := range p.Rows {
		if r.Label == g.Name {
			rows = append(rows, r)
		}
	}
	return rows
}

// href returns the page of a row's gear or brand, "" for others.
func (p *PriceChart) href(name string) string {
	if p.Chart == "movers" || p.Chart == "holders" {
		return ui.GearPath(name)
	}
	return ""
}

// Head implements Page.
func (p *PriceChart) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, p.Title), Description: ui.T(ctx, p.about), Path: p.Page, Crumbs: []ui.Link{{Href: "/prices", Label: ui.T(ctx, "Prices")}}}
}

// lead explains the chart, or says that there is none yet.
func (p *PriceChart) lead(ctx context.Context) string {
	if !p.drawn() {
		return ui.T(ctx, "Not enough sales for this chart yet.")
	}
	return ui.T(ctx, p.about)
}

// Markdown implements Page.
func (p *PriceChart) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, p.Title), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.lead(ctx))
	writePriceChart(m, p)
	if p.Chart == "depreciation" && p.drawn() {
		m.Section("Ranges and sales counts")
		writeIndexRows(m, p, p.Rows)
	}
	for i := range p.Groups {
		m.Section(p.name(ctx, p.Groups[i].Name))
		writeIndexRows(m, p, p.of(&p.Groups[i]))
	}
	m.Paragraph(ui.T(ctx, p.Method))
	m.Raw("\n", ui.T(ctx, "Page"), ": ", p.site.URL(p.Page), "\n")
	m.Links(p.Links)
	return m.Done(w)
}

// writePriceIndex writes the index.
func writePriceIndex(m *ui.Markdown, p *PriceIndex) {
	m.Paragraph(p.lead(m.Context))
	for i := range p.Charts {
		c := &p.Charts[i]
		m.Section(c.Title)
		m.Paragraph(ui.T(m.Context, c.about))
		writePriceChart(m, c)
		m.Raw("\n", m.Link(ui.Link{Href: c.Page, Label: c.Title}), "\n")
	}
	m.Paragraph(ui.T(m.Context, IndexMethod))
}

// writePriceChart writes the table of a chart: its groups, or else its rows.
func writePriceChart(m *ui.Markdown, p *PriceChart) {
	if p.Chart == "depreciation" {
		writeDepreciationTables(m, p)
		return
	}
	if len(p.Groups) == 0 {
		writeIndexRows(m, p, p.Rows)
		return
	}
	m.Raw("\n")
	m.Head(append([]string{"Name"}, groupHead...)...)
	for i := range p.Groups {
		g := &p.Groups[i]
		m.Row(append([]string{ui.MarkdownText(p.name(m.Context, g.Name))}, g.cells(m.Context)...)...)
	}
}

func writeIndexRows(m *ui.Markdown, p *PriceChart, rows []IndexRow) {
	if len(rows) == 0 {
		return
	}
	m.Raw("\n")
	m.Head(p.head()...)
	for i := range rows {
		label := ui.MarkdownText(p.label(m.Context, &rows[i]))
		if href := p.href(rows[i].Name); href != "" {
			label = m.Link(ui.Link{Href: href, Label: rows[i].Label})
		}
		m.Row(append([]string{label}, p.cells(m.Context, &rows[i])...)...)
	}
}

// CSV writes the rows of the chart as CSV (RFC 4180).
func (p *PriceChart) CSV(w io.Writer) error { return indexCSV(w, p.site.Demo(), p) }

func indexCSV(w io.Writer, demo bool, charts ...*PriceChart) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	c.Write([]string{"chart", "name", "period", "value", "low", "high", "sample_size", "share", "demo", "years", "repeat_sales"})
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
	for _, p := range charts {
		for _, r := range p.Rows {
			share, years, pairs := "", "", ""
			if r.Share != nil {
				share = number(*r.Share)
			}
			if r.Years > 0 {
				years = strconv.Itoa(r.Years)
			}
			if n := p.pairs(r.Name); n > 0 {
				pairs = strconv.Itoa(n)
			}
			c.Write([]string{p.Chart, r.Name, r.Period, number(r.Value), number(r.Low), number(r.High), strconv.Itoa(r.SampleSize), share, strconv.FormatBool(demo), years, pairs})
		}
	}
	c.Flush()
	return c.Error()
}

// drawnGroups is the number of groups that are drawn: more lines can't be told apart.
const drawnGroups = 6

// lines returns the groups that are drawn: the most sold ones, with the one whose prices rose most
// among them. The months of a depreciation are those since its beginning.
func (p *PriceChart) lines() (groups []IndexGroup) {
	if p.Chart != "depreciation" {
		groups = slices.Clone(p.Groups[:min(len(p.Groups), drawnGroups)])
		if best := p.strongest(); best >= drawnGroups {
			groups[drawnGroups-1] = p.Groups[best]
		}
		return groups
	}
	for _, c := range p.curves() {
		g := IndexGroup{Name: c.label, points: []prices.IndexPoint{{Value: 100}}}
		for _, r := range c.years {
			if r != nil {
				g.points = append(g.points, prices.IndexPoint{Month: models.MonthKey(12 * r.Years), Value: 100 + r.Value})
			}
		}
		groups = append(groups, g)
	}
	return groups[:min(len(groups), drawnGroups)]
}

// strongest returns the index of the group whose prices rose most in a year, -1 if none is known.
func (p *PriceChart) strongest() int {
	best := -1
	for i := range p.Groups {
		if c := p.Groups[i].Change12; c != nil && (best < 0 || c.Percent > p.Groups[best].Change12.Percent) {
			best = i
		}
	}
	return best
}

// multiple is the small chart of a group beside that of all gear.
type multiple struct {
	name, change string
	svg          templ.Component
}

// multiples returns a small chart for each group but that of all gear, with the same axes.
func (p *PriceChart) multiples(ctx context.Context, all *IndexGroup) (list []multiple) {
	const width, height, edge = 200.0, 80.0, 4.0
	low, high, first, last := 100.0, 100.0, math.MaxInt, 0
	for _, g := range append([]IndexGroup{*all}, p.Groups...) {
		for _, point := range g.points {
			low, high = min(low, point.Value), max(high, point.Value)
			first, last = min(first, int(point.Month)), max(last, int(point.Month))
		}
	}
	path := func(g *IndexGroup) string {
		var b strings.Builder
		command := "M"
		for _, point := range g.points {
			b.WriteString(command + Coordinate(edge+(width-2*edge)*float64(int(point.Month)-first)/float64(max(last-first, 1))) + " " +
				Coordinate(edge+(height-2*edge)*(high-point.Value)/max(high-low, 1)))
			command = "L"
		}
		return b.String()
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		if g.Name == allGear {
			continue
		}
		m := multiple{name: p.name(ctx, g.Name), change: "–"}
		if g.Change12 != nil {
			m.change = ui.T(ctx, "%s in a year", ui.PercentIn(ctx, g.Change12.Percent))
		}
		m.svg = templ.Raw(fmt.Sprintf(`<svg class="chart" viewBox="0 0 %g %g" aria-hidden="true"><path class="axis" d="M0 %[3]sH%[1]g"/><path class="overall" d="%[4]s"/><path class="median" d="%[5]s"/></svg>`,
			width, height, Coordinate(edge+(height-2*edge)*(high-100)/max(high-low, 1)), path(all), path(g)))
		list = append(list, m)
	}
	return list
}

// picture draws the chart for a page, once for wide and once for narrow screens.
func (p *PriceChart) picture() templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b strings.Builder
		for _, size := range []struct {
			name  string
			width float64
		}{{"wide", 880}, {"narrow", 360}} {
			drawing, height := p.draw(ctx, size.width)
			id := p.Chart + "-" + size.name
			fmt.Fprintf(&b, `<svg class="chart %[2]s" viewBox="0 0 %[3]g %[4]g" role="img" aria-labelledby="%[1]s-title %[1]s-about"><title id="%[1]s-title">%[5]s</title><desc id="%[1]s-about">%[6]s</desc>%[7]s</svg>`,
				id, size.name, size.width, height, templ.EscapeString(ui.T(ctx, p.Title)), templ.EscapeString(ui.T(ctx, p.about)), drawing)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// indexStyle is what ChartStyle lacks for charts of the index.
const indexStyle = `<style>.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke:#c02f0c}.line-1,.line-3,.line-5{stroke:#1a1613}.line-2,.line-3{stroke-dasharray:8 4}.line-4,.line-5{stroke-dasharray:2 3}.bar{fill:#c02f0c}.spread{stroke:#1a1613;stroke-width:1.5}` +
	`@media (prefers-color-scheme:dark){.line{stroke:#ff7a52}.line-1,.line-3,.line-5{stroke:#f2ebe2}.bar{fill:#ff7a52}.spread{stroke:#f2ebe2}}</style>`

// SVG writes the chart as a standalone SVG file with its own light and dark colours.
func (p *PriceChart) SVG(ctx context.Context, w io.Writer) error {
	const width, head = 880, 34
	drawing, height := p.draw(ctx, width)
	name := ui.T(ctx, p.Title)
	title := name
	if p.Notice != "" {
		title += " (" + ui.T(ctx, "demo data") + ")"
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %g" width="%[1]d" height="%[2]g" role="img" aria-labelledby="title about"><title id="title">%[3]s</title><desc id="about">%[4]s</desc>%[5]s<text class="name" x="14" y="24">%[6]s</text><g transform="translate(0 %[7]d)">%[8]s</g></svg>`+"\n",
		width, height+head, templ.EscapeString(name), templ.EscapeString(p.lead(ctx)), ChartStyle+indexStyle, templ.EscapeString(title+" – "+p.site.Name()), head, drawing)
	return err
}

// draw returns the contents of the svg element with a width, and its height.
func (p *PriceChart) draw(ctx context.Context, width float64) (drawing string, height float64) {
	switch {
	case !p.drawn():
		return fmt.Sprintf(`<text x="14" y="24">%s</text>`, templ.EscapeString(p.lead(ctx))), 40
	case len(p.Groups) > 0, p.Chart == "depreciation":
		return p.drawLines(ctx, width)
	}
	return p.drawBars(ctx, width)
}

// drawLines draws the index of the most sold groups by month, or their depreciation.
func (p *PriceChart) drawLines(ctx context.Context, width float64) (string, float64) {
	height, labels := 380.0, 150.0
	if width < 500 {
		height, labels = 320, 96
	}
	c := &chart{language: languages.Of(ctx), width: width - labels, height: height, first: math.MaxInt, low: 100, high: 100}
	for _, g := range p.lines() {
		for _, point := range g.points {
			c.first, c.last = min(c.first, int(point.Month)), max(c.last, int(point.Month))
			c.low, c.high = min(c.low, point.Value), max(c.high, point.Value)
		}
	}
	c.scale()
	var b strings.Builder
	for value := c.low; value <= c.high+c.step/2; value += c.step {
		class, y := "grid", c.y(value)
		if value == 100 {
			class = "axis"
		}
		fmt.Fprintf(&b, `<path class="%s" d="M%d %sH%s"/><text x="%d" y="%s" text-anchor="end">%s</text>`, class, chartLeft, Coordinate(y), Coordinate(c.width-chartRight), chartLeft-8, Coordinate(y+4), strconv.FormatFloat(value, 'f', -1, 64))
	}
	depreciation := p.Chart == "depreciation"
	if depreciation {
		c.drawYears(&b)
	} else {
		c.drawMonths(&b)
	}
	type end struct {
		y    float64
		name string
	}
	var ends []end
	for i, g := range p.lines() {
		path, previous := "", -2
		for _, point := range g.points {
			command := "L"
			if path == "" || !depreciation && int(point.Month) != previous+1 { // a gap
				command = "M"
			}
			previous = int(point.Month)
			path += command + Coordinate(c.x(previous)) + " " + Coordinate(c.y(point.Value))
		}
		fmt.Fprintf(&b, `<path class="line line-%d" d="%s"/>`, i, path)
		ends = append(ends, end{c.y(g.points[len(g.points)-1].Value), p.name(ctx, g.Name)})
	}
	slices.SortFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	at := math.Inf(-1)
	for _, e := range ends {
		at = max(e.y+4, at+15)
		fmt.Fprintf(&b, `<text x="%s" y="%s">%s</text>`, Coordinate(c.width-chartRight+6), Coordinate(at), templ.EscapeString(e.name))
	}
	if !depreciation {
		p.drawMonthly(ctx, &b, c)
	}
	return b.String(), height
}

// drawMonthly writes a mark for each month of the first line, with the values of all lines, which
// site.js shows beside the pointer.
func (p *PriceChart) drawMonthly(ctx context.Context, b *strings.Builder, c *chart) {
	lines := p.lines()
	values := map[models.MonthKey][]string{}
	for _, g := range lines {
		for _, point := range g.points {
			values[point.Month] = append(values[point.Month], p.name(ctx, g.Name)+" "+c.language.Decimal(strconv.FormatFloat(tenths(point.Value), 'f', 1, 64)))
		}
	}
	for _, point := range lines[0].points {
		fmt.Fprintf(b, `<circle class="month" cx="%s" cy="%s" r="2.5"><title>%s: %s</title></circle>`, Coordinate(c.x(int(point.Month))), Coordinate(c.y(point.Value)),
			ui.LocalMonth(c.language, point.Month.String()), templ.EscapeString(strings.Join(values[point.Month], ", ")))
	}
}

// minBars is the smallest change, in percent, at which the axis of the bars ends: a month that differs
// by 1 % from the year has a short bar.
const minBars = 10

// drawBars draws a bar for each row from zero to its value, with its range. On a wide drawing the
// name is before the bar, otherwise above it.
func (p *PriceChart) drawBars(ctx context.Context, width float64) (string, float64) {
	rowHeight, top, names, beside := 40.0, 8.0, 14.0, 0.0
	if width > 500 {
		rowHeight, names, beside = 26, 280, 16
	}
	low, high := 0.0, 0.0
	for _, r := range p.Rows {
		low, high = min(low, r.Low), max(high, r.High)
	}
	if low < 0 {
		low = min(low, -minBars)
	}
	if high > 0 || low == 0 {
		high = max(high, minBars)
	}
	right := width - 70
	x := func(value float64) float64 { return names + (right-names)*(value-low)/(high-low) }
	var b strings.Builder
	height := top + rowHeight*float64(len(p.Rows)) + 8
	for i := range p.Rows {
		r, y := &p.Rows[i], top+rowHeight*float64(i)
		from, to := min(x(0), x(r.Value)), max(x(0), x(r.Value))
		fmt.Fprintf(&b, `<text x="14" y="%[1]s">%[2]s</text><text x="%[3]s" y="%[4]s">%[5]s</text>`, Coordinate(y+14), templ.EscapeString(p.name(ctx, r.Label)),
			Coordinate(max(x(r.High), to)+8), Coordinate(y+30-beside), ui.PercentIn(ctx, r.Value))
		fmt.Fprintf(&b, `<rect class="bar" x="%s" y="%s" width="%s" height="10"/>`, Coordinate(from), Coordinate(y+21-beside), Coordinate(max(to-from, 1)))
		fmt.Fprintf(&b, `<path class="spread" d="M%s %sH%s"/>`, Coordinate(x(r.Low)), Coordinate(y+26-beside), Coordinate(x(r.High)))
		fmt.Fprintf(&b, `<path class="axis" d="M%s %sv18"/>`, Coordinate(x(0)), Coordinate(y+17-beside)) // not through the names
	}
	return b.String(), height
}
