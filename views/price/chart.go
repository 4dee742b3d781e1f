package price

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// chart draws a monthly price series: the median as a line with a dot for every
// month, the range from the 25th to the 75th percentile as a band behind it. A month
// with too few sales leaves a gap. A forecast is a fan from the day of its estimate on.
type chart struct {
	width, height float64 // of the viewBox
	first, last   int     // months since year 0
	low, high     float64 // ends of the price axis, in whole currency units
	language      *languages.Language
	step          float64 // between two grid lines of the price axis
	runs          [][]chartPoint
	overall       [][]chartPoint // of all conditions, if runs are of one
	fan           []chartPoint   // of the forecast, after the estimate itself; p25 and p75 are the ends of its range
}

// chartPoint is one month of a chart, with prices in whole currency units.
type chartPoint struct {
	month            int
	median, p25, p75 float64
	about            string // tooltip of the month
}

// Margins around the plot for the axes, in units of the viewBox.
const (
	chartLeft, chartRight = 58, 14
	chartTop, chartBottom = 14, 30
)

// ChartData are the series of a chart.
type ChartData struct {
	Months  []Month
	Overall []Month   // of all conditions, for comparison, or nil
	Fan     *Estimate // with its forecast, or nil
}

// NewChart lays out the months of a series that have enough sales. It returns nil if the
// series has none.
func NewChart(l *languages.Language, data ChartData, width, height float64) *chart {
	series, overall := data.Months, data.Overall
	c := &chart{language: l, width: width, height: height, low: math.Inf(1), high: math.Inf(-1)}
	for i := range series {
		c.runs = c.add(c.runs, &series[i])
	}
	if len(c.runs) == 0 {
		return nil
	}
	for i := range overall {
		c.overall = c.add(c.overall, &overall[i])
	}
	if len(overall) == 0 {
		overall = series
	}
	c.first, c.last = monthNumber(overall[0].Period), monthNumber(overall[len(overall)-1].Period)
	c.addFan(data.Fan)
	c.scale()
	return c
}

// addFan adds the forecast of an estimate.
func (c *chart) addFan(e *Estimate) {
	months := e.Months()
	if len(months) == 0 {
		return
	}
	add := func(period string, low, median, high *models.Money) {
		p := chartPoint{monthNumber(period), ui.Units(median), ui.Units(low), ui.Units(high), ""}
		p.about = ui.LocalMonth(c.language, period) + ": " + c.language.Money(low.Amount, low.Currency) + " – " + c.language.Money(high.Amount, high.Currency)
		c.fan = append(c.fan, p)
		c.low, c.high = min(c.low, p.p25), max(c.high, p.p75)
	}
	add(monthOf(e.Day), &e.Low, &e.Median, &e.High)
	for i := range months {
		add(months[i].Period, &months[i].Low, &months[i].Median, &months[i].High)
	}
	c.last = max(c.last, c.fan[len(c.fan)-1].month)
}

// add appends a month with enough sales to the last run of consecutive months, or begins
// a new run after a gap.
func (c *chart) add(runs [][]chartPoint, s *Month) [][]chartPoint {
	if s.Median == nil || s.P25 == nil || s.P75 == nil {
		return runs
	}
	p := chartPoint{monthNumber(s.Period), ui.Units(s.Median), ui.Units(s.P25), ui.Units(s.P75), ""}
	p.about = ui.LocalMonth(c.language, s.Period) + ": " + c.language.Money(s.Median.Amount, s.Median.Currency) + ", " +
		c.language.Plural(s.Count, "%s sale", "%s sales", c.language.Number(s.Count))
	c.low, c.high = min(c.low, p.p25, p.median), max(c.high, p.p75, p.median)
	if n := len(runs); n > 0 && runs[n-1][len(runs[n-1])-1].month == p.month-1 {
		runs[n-1] = append(runs[n-1], p)
		return runs
	}
	return append(runs, []chartPoint{p})
}

// scale extends the price axis to round numbers, with about five grid lines.
func (c *chart) scale() {
	span := max(c.high-c.low, c.high*0.1, 1)
	rough := span / 4
	c.step = math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 2.5, 5, 10} {
		if c.step*factor >= rough {
			c.step *= factor
			break
		}
	}
	c.step = max(c.step, 1)
	c.low, c.high = math.Floor(c.low/c.step)*c.step, math.Ceil(c.high/c.step)*c.step
	if c.low == c.high {
		c.high += c.step
	}
}

// x returns the horizontal coordinate of a month.
func (c *chart) x(month int) float64 {
	if c.first == c.last {
		return (chartLeft + c.width - chartRight) / 2
	}
	return chartLeft + (c.width-chartLeft-chartRight)*float64(month-c.first)/float64(c.last-c.first)
}

// y returns the vertical coordinate of a price.
func (c *chart) y(price float64) float64 {
	return c.height - chartBottom - (c.height-chartTop-chartBottom)*(price-c.low)/(c.high-c.low)
}

// Draw writes the contents of the svg element. It uses classes only, because the
// content security policy forbids inline styles.
func (c *chart) Draw(b *strings.Builder, currency string) {
	for price := c.low; price <= c.high+c.step/2; price += c.step {
		y := c.y(price)
		fmt.Fprintf(b, `<path class="grid" d="M%d %sH%s"/><text x="%d" y="%s" text-anchor="end">%s</text>`,
			chartLeft, Coordinate(y), Coordinate(c.width-chartRight), chartLeft-8, Coordinate(y+4), c.language.Money(strconv.FormatFloat(price, 'f', -1, 64), currency))
	}
	c.drawMonths(b)
	c.drawFan(b)
	for _, run := range c.overall {
		c.drawOverall(b, run)
	}
	for _, run := range c.runs {
		c.drawRun(b, run)
	}
}

// drawMonths writes the time axis, labelled by year when it is long and by month
// otherwise.
func (c *chart) drawMonths(b *strings.Builder) {
	every := 12
	for _, n := range []int{1, 2, 3, 6} {
		if float64((c.last-c.first)/n+1)*52 <= c.width-chartLeft {
			every = n
			break
		}
	}
	for m := c.first; m <= c.last; m++ {
		if m%every != 0 && c.first != c.last {
			continue
		}
		label := ui.LocalMonth(c.language, models.MonthKey(m).String())
		name, year, _ := strings.Cut(label, " ")
		if every == 12 {
			label = year
		} else if m%12 != 0 && c.first != c.last {
			label = name
		}
		c.drawTick(b, m, label)
	}
	c.drawTimeAxis(b)
}

// drawTick writes the mark and the label of a month on the time axis.
func (c *chart) drawTick(b *strings.Builder, month int, label string) {
	x, base := Coordinate(c.x(month)), c.height-chartBottom
	fmt.Fprintf(b, `<path class="tick" d="M%s %sv5"/><text x="%s" y="%s" text-anchor="middle">%s</text>`, x, Coordinate(base), x, Coordinate(base+20), label)
}

// drawTimeAxis writes the line of the time axis.
func (c *chart) drawTimeAxis(b *strings.Builder) {
	fmt.Fprintf(b, `<path class="axis" d="M%d %sH%s"/>`, chartLeft, Coordinate(c.height-chartBottom), Coordinate(c.width-chartRight))
}

// drawFan draws the forecast: its ranges as a band and its medians as a dotted line.
func (c *chart) drawFan(b *strings.Builder) {
	if len(c.fan) == 0 {
		return
	}
	first, last := &c.fan[0], &c.fan[len(c.fan)-1]
	fmt.Fprintf(b, `<path class="fan" d="%s"><title>%s; %s</title></path><path class="forecast" d="%s"/>`, c.bandPath(c.fan),
		templ.EscapeString(first.about), templ.EscapeString(last.about), c.medianPath(c.fan))
}

// medianPath returns the path through the medians of consecutive months.
func (c *chart) medianPath(points []chartPoint) string {
	var path strings.Builder
	command := "M"
	for _, p := range points {
		path.WriteString(command + Coordinate(c.x(p.month)) + " " + Coordinate(c.y(p.median)))
		command = "L"
	}
	return path.String()
}

// bandPath returns the outline of the ranges of consecutive months.
func (c *chart) bandPath(points []chartPoint) string {
	var path strings.Builder
	command := "M"
	for _, p := range points {
		path.WriteString(command + Coordinate(c.x(p.month)) + " " + Coordinate(c.y(p.p75)))
		command = "L"
	}
	for _, p := range slices.Backward(points) {
		path.WriteString("L" + Coordinate(c.x(p.month)) + " " + Coordinate(c.y(p.p25)))
	}
	return path.String() + "Z"
}

// drawYears writes the time axis of a depreciation, whose months are those since its beginning.
func (c *chart) drawYears(b *strings.Builder) {
	for years := 0; 12*years <= c.last; years++ {
		label := strconv.Itoa(years)
		if years == c.last/12 {
			label = c.language.Plural(years, "%s year", "%s years", label)
		}
		c.drawTick(b, 12*years, label)
	}
	c.drawTimeAxis(b)
}

// drawOverall draws the medians of a run of all conditions.
func (c *chart) drawOverall(b *strings.Builder, run []chartPoint) {
	fmt.Fprintf(b, `<path class="overall" d="%s"/>`, c.medianPath(run))
}

// drawRun writes the band, the line and the dots of a run of consecutive months.
func (c *chart) drawRun(b *strings.Builder, run []chartPoint) {
	if len(run) == 1 {
		fmt.Fprintf(b, `<path class="whisker" d="M%s %sV%s"/>`, Coordinate(c.x(run[0].month)), Coordinate(c.y(run[0].p75)), Coordinate(c.y(run[0].p25)))
	} else {
		fmt.Fprintf(b, `<path class="band" d="%s"/><path class="median" d="%s"/>`, c.bandPath(run), c.medianPath(run))
	}
	for _, p := range run {
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="2.5"><title>%s</title></circle>`, Coordinate(c.x(p.month)), Coordinate(c.y(p.median)), templ.EscapeString(p.about))
	}
}

// Coordinate formats a length with at most one decimal.
func Coordinate(f float64) string {
	return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64)
}

// SeriesAbout returns the accessible description of the chart of a series.
func SeriesAbout(ctx context.Context, series []Month) string {
	var first, last *Month
	for i := range series {
		if series[i].Median == nil {
			continue
		}
		if first == nil {
			first = &series[i]
		}
		last = &series[i]
	}
	if first == nil {
		return ui.T(ctx, "No month has had the %d sales we need to show a price.", prices.MinSales)
	}
	return ui.T(ctx, "The median went from %s in %s to %s in %s. The band is the middle half of prices. Months with fewer than %d sales are left blank.",
		ui.MoneyIn(ctx, *first.Median), ui.MonthIn(ctx, first.Period), ui.MoneyIn(ctx, *last.Median), ui.MonthIn(ctx, last.Period), prices.MinSales)
}

// SeriesChart renders the chart of a series for a page, once for wide and once for narrow
// screens, on which the wide one is too small to read. about returns its accessible title
// and description.
func SeriesChart(data ChartData, currency string, about func(context.Context) (title, description string)) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b strings.Builder
		title, description := about(ctx)
		wide := NewChart(languages.Of(ctx), data, 880, 330)
		if wide == nil {
			b.WriteString(`<p class="few">` + templ.EscapeString(description) + `</p>`)
		} else {
			wide.figure(&b, "wide", title, description, currency)
			NewChart(languages.Of(ctx), data, 360, 270).figure(&b, "narrow", title, description, currency)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// figure writes the svg element of a chart inside a page.
func (c *chart) figure(b *strings.Builder, name, title, about, currency string) {
	fmt.Fprintf(b, `<svg class="chart %[1]s" viewBox="0 0 %[2]g %[3]g" role="img" aria-labelledby="%[1]s-title %[1]s-about"><title id="%[1]s-title">%[4]s</title><desc id="%[1]s-about">%[5]s</desc>`,
		name, c.width, c.height, templ.EscapeString(title), templ.EscapeString(about))
	c.Draw(b, currency)
	b.WriteString(`</svg>`)
}

// ChartStyle is the style sheet of the chart as a file, where the site's own is not
// loaded.
const ChartStyle = `<style>svg{font:12px system-ui,sans-serif;background:#fbfaf7}text{fill:#5f564d}` +
	`.name{font-size:15px;font-weight:600;fill:#1a1613}.grid{stroke:#dfd9cf}.axis,.tick{stroke:#8b8175}.band{fill:#c02f0c;opacity:.14}` +
	`.whisker{stroke:#c02f0c;opacity:.35;stroke-width:3}.median{fill:none;stroke:#c02f0c;stroke-width:2;stroke-linejoin:round}.overall{fill:none;stroke:#8b8175;stroke-width:1.5;stroke-dasharray:4 4}circle{fill:#c02f0c}` +
	`.fan{fill:#1a1613;opacity:.1}.forecast{fill:none;stroke:#1a1613;stroke-width:2;stroke-dasharray:2 4}` +
	`@media (prefers-color-scheme:dark){svg{background:#15110f}text{fill:#b8aa9c}.name{fill:#f2ebe2}.grid{stroke:#38302a}.axis,.tick,.overall{stroke:#85776a}` +
	`.fan{fill:#f2ebe2}.forecast{stroke:#f2ebe2}.band,circle{fill:#ff7a52}.median,.whisker{stroke:#ff7a52}}</style>`
