package views

import (
	"context"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// Stats holds the price statistics of a set of sales. With status insufficient_data
// only sample_size and last_sold_at are present.
type Stats struct {
	Status     string        `json:"status" jsonschema:"ok, or insufficient_data with fewer than 5 sales" enum:"ok,insufficient_data"`
	Average    *models.Money `json:"average,omitempty"`
	Median     *models.Money `json:"median,omitempty"`
	Low        *models.Money `json:"low,omitempty"`
	High       *models.Money `json:"high,omitempty"`
	P25        *models.Money `json:"p25,omitempty"`
	P75        *models.Money `json:"p75,omitempty"`
	SampleSize int           `json:"sample_size"`
	LastSoldAt string        `json:"last_sold_at,omitempty"`
}

func newStats(site *Site, s prices.Stats) Stats {
	v := Stats{Status: InsufficientData, SampleSize: s.Count, LastSoldAt: s.LastSoldAt.RFC3339()}
	if !s.Enough() {
		return v
	}
	v.Status = "ok"
	v.Average, v.Median = site.money(s.Average), site.money(s.Median)
	v.Low, v.High, v.P25, v.P75 = site.money(s.Low), site.money(s.High), site.money(s.P25), site.money(s.P75)
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
		return t(ctx, "none")
	case a.Average == nil:
		return t(ctx, "%s, from %s", numberIn(ctx, a.Count), moneyIn(ctx, *a.Lowest))
	}
	return t(ctx, "%s, from %s, %s on average", numberIn(ctx, a.Count), moneyIn(ctx, *a.Lowest), moneyIn(ctx, *a.Average))
}

// newActive returns current asking prices.
func newActive(s *Site, a Asking) Active {
	return Active{a.Count, s.money(a.Lowest), s.money(a.Average)}
}

func writeStatsHead(m *markdown, first string) {
	m.head(first, "Median", "Average", "25 %", "75 %", "Low", "High", "Sales", "Last sold")
}

func writeStatsRow(m *markdown, name string, s *Stats) {
	price := func(p *models.Money) string { return moneyOrIn(m.ctx, p, "–") }
	m.row(mdText(t(m.ctx, name)), moneyOrIn(m.ctx, s.Median, t(m.ctx, "too few sales")), price(s.Average), price(s.P25), price(s.P75),
		price(s.Low), price(s.High), numberIn(m.ctx, s.SampleSize), dayIn(m.ctx, s.LastSoldAt))
}

// medians returns the monthly medians in minor units, from the first month to the
// last. Months with too few sales are 0.
func medians(months []prices.TrendMonth) []float64 {
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

// percentOf converts basis points to percent, rounded to one decimal.
func percentOf(basisPoints *int) *float64 {
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

// confidence returns how reliable statistics are, by the number of sales.
func confidence(sales int) string {
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
// is nil when there are too few sales in either period.
type Change struct {
	Direction string   `json:"direction" jsonschema:"rising, falling, steady (within 3 % over 90 days) or insufficient_data" enum:"rising,falling,steady,insufficient_data"`
	Days30    *float64 `json:"change_30d"`
	Days90    *float64 `json:"change_90d"`
	Months12  *float64 `json:"change_12m"`
}

func newChange(t *prices.Trend) Change {
	c := Change{Direction: InsufficientData, Days30: percentOf(t.Change30d), Days90: percentOf(t.Change90d), Months12: percentOf(t.Change12m)}
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

// unknown reports whether there are too few sales for any change.
func (c *Change) unknown() bool {
	return c.Direction == InsufficientData && c.Days30 == nil && c.Days90 == nil && c.Months12 == nil
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

func newMonth(site *Site, m prices.TrendMonth) Month {
	v := Month{Period: m.Month.String(), Status: InsufficientData, Count: m.Count}
	if !m.Enough() {
		return v
	}
	v.Status = "ok"
	v.Average, v.Median, v.P25, v.P75 = site.money(m.Average), site.money(m.Median), site.money(m.P25), site.money(m.P75)
	return v
}

func writeMonths(m *markdown, series []Month) {
	if len(series) == 0 {
		m.raw(t(m.ctx, "No sales yet."), "\n")
		return
	}
	m.head("Month", "Median", "Average", "25 %", "75 %", "Sales")
	for i := range series {
		s := &series[i]
		price := func(p *models.Money) string { return moneyOrIn(m.ctx, p, "–") }
		m.row(monthIn(m.ctx, s.Period), moneyOrIn(m.ctx, s.Median, t(m.ctx, "too few sales")), price(s.Average), price(s.P25), price(s.P75), numberIn(m.ctx, s.Count))
	}
}

// Window is the period the summary covers.
type Window struct {
	From models.Day `json:"from" jsonschema:"day, ISO 8601; empty without sales"`
	To   models.Day `json:"to" jsonschema:"day, ISO 8601; empty without sales"`
	Text string     `json:"text" jsonschema:"description"`
}

// text describes the window in the reader's language.
func (w *Window) text(ctx context.Context) string {
	if w.To == "" {
		return t(ctx, "no sales yet")
	}
	return t(ctx, "the 12 months to %s", dayIn(ctx, w.To))
}

// words replaces the underscores of a code with spaces: "insufficient data".
func words(code string) string { return strings.ReplaceAll(code, "_", " ") }

// steady is the change of the median over 90 days, in basis points, up to which a
// price counts as steady.
const steady = 300

// soldText says how many sales there are, and when the last was.
func (c *ConditionStats) soldText(ctx context.Context) string {
	if c.LastSoldAt == "" {
		return numberIn(ctx, c.SampleSize)
	}
	return t(ctx, "%s, last on %s", numberIn(ctx, c.SampleSize), dayIn(ctx, c.LastSoldAt))
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
