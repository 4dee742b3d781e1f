package prices

import (
	"math"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models"
)

// MinSales is the number of sales a statistic requires. With fewer sales it is
// reported as insufficient_data.
const MinSales = 5

// Stats describes the prices of a set of sales. Median, quartiles, Low and High
// are R-7 quantiles (linear interpolation, the default of most tools). Average is the
// mean without the lowest and the highest quarter of the prices, rounded down to whole
// sales. All are rounded half up to the minor unit. None of them follows a few
// extreme prices.
type Stats struct {
	Count      int          `db:"sales"`
	Average    models.Cents `db:"average"`
	Median     models.Cents `db:"median"`
	Low        models.Cents `db:"low"`  // a tenth of the prices are lower
	High       models.Cents `db:"high"` // a tenth are higher
	P25        models.Cents `db:"p25"`
	P75        models.Cents `db:"p75"`
	LastSoldAt models.Time  `db:"last_sold_at"`
}

// Enough reports whether there are enough sales to state prices.
func (s Stats) Enough() bool { return s.Count >= MinSales }

// Trend is the price history of a gear. It is a pure function of its sales, so
// that all replicas agree, and is updated with every sale. AsOf is the time of
// the last sale, from which the window and the changes are measured.
type Trend struct {
	Gear        string
	AsOf        models.Time                // time of the last sale that is not left out
	WindowFrom  models.Time                // a year before AsOf, exclusive start of the window
	AllTime     int                        // number of confirmed sales, including those that do not count; 0 if none counts
	Summary     Stats                      // of the window, all conditions
	ByCondition map[models.Condition]Stats // of the window
	Months      []TrendMonth               // all months with sales, oldest first, all conditions
	Sources     []SourceCount              // of the window
	Uncounted   Uncounted                  // of the window

	// Changes of the median in basis points (−1250 is −12.5 %): the last 30 or
	// 90 days compared with the 30 or 90 days before, and the last 90 days
	// compared with the same days a year earlier. Nil if either period has
	// fewer than MinSales sales, or if the change's range of 80 % includes zero.
	Change30d, Change90d, Change12m *int
}

// SourceCount is the number of counted sales from one source.
type SourceCount struct {
	Source models.SaleSource `json:"source"`
	Name   string            `json:"name,omitempty"` // of an import
	Sales  int               `json:"sales"`
}

// Uncounted holds the number of confirmed sales that do not count, by reason.
type Uncounted struct {
	Held      int // the price is unusual and no operator has approved it
	Repeated  int // of members whom sales of the gear connect already
	OverLimit int // further sales of the same seller
	Newcomers int // neither the seller nor the buyer is established
}

// TrendMonth holds the statistics of one month.
type TrendMonth struct {
	Month models.MonthKey `db:"month_key"`
	Stats
}

// TrendMethod is the number of the method of NewTrend. Trends stored with
// another are computed again.
const TrendMethod = 3

// eligible returns the eligible sales in order of time.
func eligible(sales []models.Sale) []models.Sale {
	sales = slices.Clone(sales)
	for i := range sales {
		sales[i].SetDefaults()
	}
	sales = slices.DeleteFunc(sales, func(s models.Sale) bool { return !s.Eligible() })
	slices.SortStableFunc(sales, func(a, b models.Sale) int { return a.Key().Compare(b.Key()) })
	return sales
}

// YearBefore returns the time a year earlier. 29 February becomes the start of
// 1 March, so that a later time has a later result.
func YearBefore(t models.Time) models.Time {
	then := t.Std()
	if year, month, day := then.Date(); month == time.February && day == 29 {
		return models.TimeOf(time.Date(year-1, time.March, 1, 0, 0, 0, 0, time.UTC))
	}
	return models.TimeOf(then.AddDate(-1, 0, 0))
}

// change returns the change of the median in basis points, or nil if either
// period has too few sales or its range of 80 % includes zero.
func change(earlier, later Stats) *int {
	if !earlier.Enough() || !later.Enough() || earlier.Median == 0 || later.Median == 0 {
		return nil
	}
	if math.Abs(math.Log(float64(later.Median)/float64(earlier.Median))) <= 1.2816*math.Hypot(earlier.medianError(), later.medianError()) {
		return nil
	}
	points := roundPercent(100*int64(later.Median-earlier.Median), int64(earlier.Median))
	return &points
}

// leastSpread is the standard deviation of prices that a few sales are taken to have at least.
const leastSpread = 0.05

// medianError returns the standard error of the logarithm of the median, by the quartiles as
// those of a normal distribution.
func (s Stats) medianError() float64 {
	spread := float64(s.P75-s.P25) / 1.349 / float64(s.Median)
	return 1.2533 * max(spread, leastSpread) / math.Sqrt(float64(s.Count))
}

// Typical is the price of gear in one condition that asking prices are compared
// with: what it is estimated to sell for, or else the median of its sales.
type Typical struct {
	Price     models.Cents
	Low, High models.Cents // 8 of 10 sales are from Low to High by the estimate, 0 without one
	Sales     int          // number of sales it is based on, at least MinSales
}

// usualLow is the low end of the range of an ordinary estimate, in percent of its median.
const usualLow = 85

// Improbable returns a price that hardly anything sells for: as far below the low end of the range
// as that is below the price, in percent. The lower an asking price is compared with it, the
// more unlikely it is, whether the range is narrow or wide: deals are in the order of that.
func (t Typical) Improbable() models.Cents {
	if t.Price <= 0 {
		return 0
	}
	low := t.Low
	if !t.Estimated() {
		low = t.Price * usualLow / 100
	}
	return max(1, low*low/t.Price)
}

// Estimated reports whether the price is an estimate, with a range.
func (t Typical) Estimated() bool { return t.High > 0 }

// TypicalOf returns the typical price of a condition. It returns false if there
// are too few sales, or none in the year before now.
func (t *Trend) TypicalOf(c models.Condition, now models.Time) (Typical, bool) {
	s, ok := t.ByCondition[c]
	if !ok || !s.Enough() || s.Median <= 0 || s.LastSoldAt <= YearBefore(now) {
		return Typical{}, false
	}
	return Typical{Price: s.Median, Sales: s.Count}, true
}

// Deal compares an asking price with the typical price of the same gear in the
// same condition.
type Deal struct {
	Percent int // difference from the typical price, rounded: −12 is 12 % below
	Typical
}

// Deal compares an asking price with the typical price.
func (t Typical) Deal(price models.Cents) Deal {
	return Deal{roundPercent(int64(price-t.Price), int64(t.Price)), t}
}

// roundPercent returns 100·part/whole, rounded half away from zero.
func roundPercent(part, whole int64) int {
	if part < 0 {
		return -roundPercent(-part, whole)
	}
	return int((200*part + whole) / (2 * whole))
}
