package price

import (
	"context"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Stats holds the price statistics of a set of sales. With status insufficient_data
// only sample_size and last_sold_at are present.
type Stats struct {
	Status     string        `json:"status" jsonschema:"ok, or insufficient_data with fewer than 5 sales" enum:"ok,insufficient_data"`
	Average    *models.Money `json:"average,omitempty" jsonschema:"mean of the middle half of the prices"`
	Median     *models.Money `json:"median,omitempty"`
	Low        *models.Money `json:"low,omitempty" jsonschema:"a tenth of the prices are lower"`
	High       *models.Money `json:"high,omitempty" jsonschema:"a tenth of the prices are higher"`
	P25        *models.Money `json:"p25,omitempty"`
	P75        *models.Money `json:"p75,omitempty"`
	SampleSize int           `json:"sample_size"`
	LastSoldAt string        `json:"last_sold_at,omitempty"`
}

func NewStats(site *ui.Site, s prices.Stats) Stats {
	v := Stats{Status: InsufficientData, SampleSize: s.Count, LastSoldAt: s.LastSoldAt.RFC3339()}
	if !s.Enough() {
		return v
	}
	v.Status = "ok"
	v.Average, v.Median = site.Money(s.Average), site.Money(s.Median)
	v.Low, v.High, v.P25, v.P75 = site.Money(s.Low), site.Money(s.High), site.Money(s.P25), site.Money(s.P75)
	return v
}

// ConditionStats holds the statistics of one condition.
type ConditionStats struct {
	Condition models.Condition `json:"condition"`
	Label     string           `json:"label"`
	Stats
}

// Active summarises the current asking prices.
type Active struct {
	Count   int           `json:"count"`
	Lowest  *models.Money `json:"lowest,omitempty"`
	Average *models.Money `json:"average,omitempty"`
}

// text describes asking prices: "3, from €900, €950 on average".
func (a *Active) text(ctx context.Context) string {
	switch {
	case a.Count == 0 || a.Lowest == nil:
		return ui.T(ctx, "none")
	case a.Count == 1:
		return ui.T(ctx, "%s, at %s", ui.NumberIn(ctx, a.Count), ui.MoneyIn(ctx, *a.Lowest))
	case a.Average == nil:
		return ui.T(ctx, "%s, from %s", ui.NumberIn(ctx, a.Count), ui.MoneyIn(ctx, *a.Lowest))
	}
	return ui.T(ctx, "%s, from %s, %s on average", ui.NumberIn(ctx, a.Count), ui.MoneyIn(ctx, *a.Lowest), ui.MoneyIn(ctx, *a.Average))
}

// newActive returns current asking prices.
func newActive(s *ui.Site, a Asking) Active {
	return Active{a.Count, s.Money(a.Lowest), s.Money(a.Average)}
}

func WriteStatsHead(m *ui.Markdown, first string) {
	m.Head(first, "Median", "Average", "25%", "75%", "Low", "High", "Sales", "Last sold")
}

func WriteStatsRow(m *ui.Markdown, name string, s *Stats) {
	price := func(p *models.Money) string { return ui.MoneyOrIn(m.Context, p, "–") }
	m.Row(ui.MarkdownText(ui.T(m.Context, name)), ui.MoneyOrIn(m.Context, s.Median, ui.T(m.Context, "not enough sales")), price(s.Average), price(s.P25), price(s.P75),
		price(s.Low), price(s.High), ui.NumberIn(m.Context, s.SampleSize), ui.DayIn(m.Context, s.LastSoldAt))
}

// Medians returns the monthly medians in minor units, from the first month to the
// last. Months with too few sales are 0.
func Medians(months []prices.TrendMonth) []float64 {
	if len(months) == 0 {
		return nil
	}
	first, last := months[0].Month, months[len(months)-1].Month
	line := make([]float64, last-first+1)
	for i := range months {
		if months[i].Enough() {
			line[months[i].Month-first] = float64(months[i].Median)
		}
	}
	return line
}

// InsufficientData is the status of a figure with fewer than five sales.
const InsufficientData = "insufficient_data"

// PercentOf converts basis points to percent, rounded to one decimal.
func PercentOf(basisPoints *int) *float64 {
	if basisPoints == nil {
		return nil
	}
	n, half := *basisPoints, 5
	if n < 0 {
		half = -half
	}
	percent := float64((n+half)/10) / 10
	return &percent
}

// Confidence returns how reliable statistics are, by the number of sales.
func Confidence(sales int) string {
	switch {
	case sales >= 30:
		return "high"
	case sales >= 12:
		return "medium"
	case sales >= prices.MinSales:
		return "low"
	}
	return InsufficientData
}

// Change describes how the median has changed, in percent with one decimal. A change
// is nil when there are too few sales in either period, or if it may be chance: see prices.Trend.
type Change struct {
	Direction string   `json:"direction" jsonschema:"rising, falling, steady (within 3 % over 90 days), or insufficient_data if the sales don't tell" enum:"rising,falling,steady,insufficient_data"`
	Days30    *float64 `json:"change_30d"`
	Days90    *float64 `json:"change_90d"`
	Months12  *float64 `json:"change_12m"`
}

func NewChange(t *prices.Trend) Change {
	c := Change{Direction: InsufficientData, Days30: PercentOf(t.Change30d), Days90: PercentOf(t.Change90d), Months12: PercentOf(t.Change12m)}
	switch {
	case t.Change90d == nil:
	case *t.Change90d > steady:
		c.Direction = "rising"
	case *t.Change90d < -steady:
		c.Direction = "falling"
	default:
		c.Direction = "steady"
	}
	return c
}

// TextIn states the changes that are known.
func (c *Change) TextIn(ctx context.Context) string {
	var known []string
	for _, change := range []struct {
		percent *float64
		text    string
	}{{c.Days30, languages.Mark("%s in 30 days")}, {c.Days90, languages.Mark("%s in 90 days")}, {c.Months12, languages.Mark("%s against a year ago")}} {
		if change.percent != nil {
			known = append(known, ui.T(ctx, change.text, ui.PercentIn(ctx, *change.percent)))
		}
	}
	if len(known) == 0 && c.Direction == InsufficientData {
		return ""
	}
	if len(known) == 0 {
		return ui.T(ctx, "No clear change in the median.")
	}
	if c.Direction == "rising" || c.Direction == "falling" { // never “steady” beside a fall in a year
		return ui.T(ctx, "Median, all conditions: %s (%s).", ui.T(ctx, Words(c.Direction)), ui.Join(known))
	}
	return ui.T(ctx, "Change in median, all conditions: %s.", ui.Join(known))
}

// Month holds the statistics of one month. With fewer than five sales only its count
// and status are present.
type Month struct {
	Period  string        `json:"period" jsonschema:"month, such as 2026-11"`
	Status  string        `json:"status" jsonschema:"ok, or insufficient_data with fewer than 5 sales" enum:"ok,insufficient_data"`
	Average *models.Money `json:"average,omitempty"`
	Median  *models.Money `json:"median,omitempty"`
	P25     *models.Money `json:"p25,omitempty"`
	P75     *models.Money `json:"p75,omitempty"`
	Count   int           `json:"sample_size"`
}

func NewMonth(site *ui.Site, m prices.TrendMonth) Month {
	v := Month{Period: m.Month.String(), Status: InsufficientData, Count: m.Count}
	if !m.Enough() {
		return v
	}
	v.Status = "ok"
	v.Average, v.Median, v.P25, v.P75 = site.Money(m.Average), site.Money(m.Median), site.Money(m.P25), site.Money(m.P75)
	return v
}

func WriteMonths(m *ui.Markdown, series []Month) {
	if len(series) == 0 {
		m.Raw(ui.T(m.Context, "No sales yet."), "\n")
		return
	}
	m.Head("Month", "Median", "Average", "25%", "75%", "Sales")
	for i := range series {
		s := &series[i]
		price := func(p *models.Money) string { return ui.MoneyOrIn(m.Context, p, "–") }
		m.Row(ui.MonthIn(m.Context, s.Period), ui.MoneyOrIn(m.Context, s.Median, ui.T(m.Context, "not enough sales")), price(s.Average), price(s.P25), price(s.P75), ui.NumberIn(m.Context, s.Count))
	}
}

// Window is the period that sold figures cover: the 12 months up to the last sale.
type Window struct {
	From   models.Day `json:"from" jsonschema:"day, ISO 8601; empty without sales"`
	To     models.Day `json:"to" jsonschema:"day of the last sale, ISO 8601; empty without sales"`
	Text   string     `json:"text" jsonschema:"description"`
	recent bool       // whether it ends in the last 12 months
}

// NewWindow returns the window of a trend, which may be nil.
func NewWindow(s *ui.Site, t *prices.Trend) (w Window) {
	if t != nil && t.AsOf != 0 {
		w.From, w.To = ui.Day(t.WindowFrom), ui.Day(t.AsOf)
		w.recent = t.AsOf > prices.YearBefore(models.TimeOf(s.Now()))
	}
	w.Text = w.TextIn(context.Background())
	return w
}

// Sold is what gear sold for, in a condition or in all: nothing that is asked or estimated.
type Sold struct {
	Stats
	Basis      string      `json:"basis" jsonschema:"completed sales, never asking prices" enum:"sold"`
	Window     Window      `json:"window" jsonschema:"the period of these figures"`
	Confidence string      `json:"confidence" jsonschema:"of these figures: high from 30 sales, medium from 12, low from 5, insufficient_data below" enum:"high,medium,low,insufficient_data"`
	Recent     []SoldPrice `json:"recent,omitempty" jsonschema:"the last sales, newest first; on the page of the model"`
	Text       string      `json:"text" jsonschema:"the figures in words" maxlength:"500"`
}

// SoldPrice is one sale.
type SoldPrice struct {
	SoldAt    string           `json:"sold_at"`
	Condition models.Condition `json:"condition"`
	Price     models.Money     `json:"price"`
}

// NewSold returns what statistics of a trend, which may be nil, say about sales.
func NewSold(s *ui.Site, t *prices.Trend, stats prices.Stats) Sold {
	v := Sold{Stats: NewStats(s, stats), Basis: "sold", Window: NewWindow(s, t), Confidence: Confidence(stats.Count)}
	v.Text = v.TextIn(context.Background())
	return v
}

// AddRecent adds the last sales.
func (s *Sold) AddRecent(site *ui.Site, sales []models.Sale) {
	s.Recent = ui.Each(sales, func(sale *models.Sale) SoldPrice {
		return SoldPrice{sale.SoldAt.RFC3339(), sale.Condition, site.Currency().Money(sale.Price)}
	})
}

// TextIn states the median, or how many sales it takes.
func (s *Sold) TextIn(ctx context.Context) string {
	if s.Window.To == "" {
		return s.Window.TextIn(ctx)
	}
	sales, text := ui.TN(ctx, s.SampleSize, "%s sale", "%s sales"), ""
	if !s.Window.recent {
		text = noSaleText(ctx, string(s.Window.To)) + " "
	}
	if s.Median == nil {
		return text + ui.T(ctx, "%s in %s: not enough for a median, %s more needed.", sales, s.Window.TextIn(ctx), ui.NumberIn(ctx, prices.MinSales-s.SampleSize))
	}
	return text + ui.T(ctx, "Median sold price %s, and half sold for %s to %s: %s in %s. Reliability: %s.", ui.MoneyIn(ctx, *s.Median), ui.MoneyOrIn(ctx, s.P25, ""), ui.MoneyOrIn(ctx, s.P75, ""), sales, s.Window.TextIn(ctx), ui.T(ctx, Words(s.Confidence)))
}

// noSaleText says that the last sale was more than a year ago.
func noSaleText(ctx context.Context, last string) string {
	return ui.T(ctx, "No sale in the last 12 months; the last was on %s.", ui.DayIn(ctx, last))
}

// FewText says how many more sales a price takes.
func (s *Stats) FewText(ctx context.Context) string {
	if n := prices.MinSales - s.SampleSize; n > 0 {
		return ui.T(ctx, "Not enough sales to estimate a price: %s more needed.", ui.NumberIn(ctx, n))
	}
	return ui.T(ctx, "Not enough sales to estimate a price yet.")
}

// TextIn describes the window in the reader's language.
func (w *Window) TextIn(ctx context.Context) string {
	if w.To == "" {
		return ui.T(ctx, "No sales yet.")
	}
	return ui.T(ctx, "the 12 months to %s", ui.DayIn(ctx, w.To))
}

// SalesText says how many sales there are in the window, and if none of them is of the last 12 months.
func (w *Window) SalesText(ctx context.Context, sales int) string {
	if w.To == "" {
		return w.TextIn(ctx)
	}
	text := ui.T(ctx, "%s in %s.", ui.TN(ctx, sales, "%s sale", "%s sales"), w.TextIn(ctx))
	if !w.recent {
		return noSaleText(ctx, string(w.To)) + " " + text
	}
	return text
}

// Words returns a code as people read it: "not enough sales".
func Words(code string) string {
	if code == InsufficientData {
		return languages.Mark("not enough sales")
	}
	return strings.ReplaceAll(code, "_", " ")
}

// steady is the change of the median over 90 days, in basis points, up to which a
// price counts as steady.
const steady = 300

// SoldText says how many sales there are, and when the last was.
func (c *ConditionStats) SoldText(ctx context.Context) string {
	if c.LastSoldAt == "" {
		return ui.NumberIn(ctx, c.SampleSize)
	}
	return ui.T(ctx, "%s, last sold %s", ui.NumberIn(ctx, c.SampleSize), ui.DayIn(ctx, c.LastSoldAt))
}

// monthNumber parses a month such as 2026-11 into a models.MonthKey. It returns -1
// when period is not a month.
func monthNumber(period string) int {
	year, month, _ := strings.Cut(period, "-")
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	return y*12 + m - 1
}

// monthOf returns the month of a day: 2026-11 for 2026-11-21.
func monthOf(day models.Day) string { return string(day)[:min(len(day), len("2006-01"))] }

// Asking summarises the listings for sale. Its amounts are 0 without listings.
type Asking struct {
	Count           int
	Lowest, Average models.Cents
}

// recentHead names the columns of the table of the last sales.
var recentHead = []string{"Sold", "Condition", "Price"}

// cells returns the columns of a sale.
func (s *SoldPrice) cells(ctx context.Context) []string {
	return []string{ui.DayIn(ctx, s.SoldAt), ui.T(ctx, s.Condition.Label()), ui.MoneyIn(ctx, s.Price)}
}

// WriteRecent writes the last sales, nothing without any.
func WriteRecent(m *ui.Markdown, sales []SoldPrice) {
	if len(sales) == 0 {
		return
	}
	m.Section("Last sales")
	m.Head(recentHead...)
	for i := range sales {
		m.Row(sales[i].cells(m.Context)...)
	}
}
