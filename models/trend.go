package models

// MinSales is how many sales a figure needs; with fewer it says
// insufficient_data instead of a number.
const MinSales = 5

// Stats describes the prices of a set of sales. Quartiles and median are the
// nearest-rank-interpolated quantiles of the sorted prices (R-7, the default of
// most tools), rounded half up to a whole minor unit.
type Stats struct {
	Count      int   `db:"sales"`
	Average    Cents `db:"average"`
	Median     Cents `db:"median"`
	Low        Cents `db:"low"`
	High       Cents `db:"high"`
	P25        Cents `db:"p25"`
	P75        Cents `db:"p75"`
	LastSoldAt Time  `db:"last_sold_at"`
}

// Enough reports whether there are sales enough to state prices.
func (s Stats) Enough() bool { return s.Count >= MinSales }

// Trend is the price history of one gear: a pure function of its sales, so that
// every replica and every rebuild agrees. It is rolled up when a sale lands.
// AsOf is the day of the last sale; the window and the changes count back from it.
type Trend struct {
	Gear        string
	AsOf        Time                // the last sale
	WindowFrom  Time                // start of the 12 months that end at AsOf
	AllTime     int                 // sales ever
	Summary     Stats               // of the window, all conditions
	ByCondition map[Condition]Stats // of the window
	Months      []TrendMonth        // every month that has sales, oldest first, all conditions

	// Changes of the median in basis points (−1250 is −12.5 %): the last 30 or 90
	// days against the 30 or 90 days before them, and the last 90 days against
	// the same 90 days a year earlier. Nil when either side has fewer than MinSales.
	Change30d, Change90d, Change12m *int
}

// TrendMonth is one month of a trend.
type TrendMonth struct {
	Month MonthKey `db:"month_key"`
	Stats
}

// Deal compares an asking price with what the same gear sold for in the same
// condition over the trend's window.
type Deal struct {
	Percent int   // asking price against the median, rounded: −12 is 12 % under
	Typical Cents // the median
	Sales   int   // how many sales the median is made of, at least MinSales
}

// DealOf compares price with the trend's median at a condition; false when the
// trend has too few sales there to say.
func (t *Trend) DealOf(price Cents, c Condition) (Deal, bool) {
	s, ok := t.ByCondition[c]
	if !ok || !s.Enough() || s.Median <= 0 {
		return Deal{}, false
	}
	return Deal{Percent: roundPercent(int64(price-s.Median), int64(s.Median)), Typical: s.Median, Sales: s.Count}, true
}

// roundPercent is 100·part/whole rounded half away from zero.
func roundPercent(part, whole int64) int {
	if part < 0 {
		return -roundPercent(-part, whole)
	}
	return int((200*part + whole) / (2 * whole))
}
