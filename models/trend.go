package models

import (
	"cmp"
	"slices"
	"sort"
)

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
// AsOf is the instant of the last sale; the window and the changes count back from it.
type Trend struct {
	Gear        string
	AsOf        Time                // the last sale
	WindowFrom  Time                // a year before AsOf; the window is after it, up to AsOf
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

// The spans that changes compare.
const (
	day    Time = 24 * 60 * 60 * 1000
	days30      = 30 * day
	days90      = 90 * day
)

// NewTrend computes the trend of a gear from all of its sales, in any order;
// only their SoldAt, Condition and Price count. The window and every span of a
// change leave out their first instant and take in their last.
func NewTrend(gear string, sales []Sale) *Trend {
	t := &Trend{Gear: gear, AllTime: len(sales)}
	if len(sales) == 0 {
		return t
	}
	sales = slices.SortedStableFunc(slices.Values(sales), func(a, b Sale) int { return cmp.Compare(a.SoldAt, b.SoldAt) })
	t.AsOf = sales[len(sales)-1].SoldAt
	t.WindowFrom = yearBefore(t.AsOf)

	window := between(sales, t.WindowFrom, t.AsOf)
	t.Summary = statsOf(window)
	t.ByCondition = map[Condition]Stats{}
	for condition, group := range byCondition(window) {
		t.ByCondition[condition] = statsOf(group)
	}
	for start := 0; start < len(sales); {
		month, end := MonthOf(sales[start].SoldAt), start+1
		for end < len(sales) && MonthOf(sales[end].SoldAt) == month {
			end++
		}
		t.Months = append(t.Months, TrendMonth{month, statsOf(sales[start:end])})
		start = end
	}

	t.Change30d = change(between(sales, t.AsOf-2*days30, t.AsOf-days30), between(sales, t.AsOf-days30, t.AsOf))
	t.Change90d = change(between(sales, t.AsOf-2*days90, t.AsOf-days90), between(sales, t.AsOf-days90, t.AsOf))
	t.Change12m = change(between(sales, t.WindowFrom-days90, t.WindowFrom), between(sales, t.AsOf-days90, t.AsOf))
	return t
}

// yearBefore is the same instant a year earlier; 29 February becomes 1 March.
func yearBefore(t Time) Time { return TimeOf(t.Std().AddDate(-1, 0, 0)) }

// between are the sales after one instant and up to another, of sales by time.
func between(sales []Sale, after, upTo Time) []Sale {
	from := sort.Search(len(sales), func(i int) bool { return sales[i].SoldAt > after })
	to := sort.Search(len(sales), func(i int) bool { return sales[i].SoldAt > upTo })
	return sales[from:to]
}

func byCondition(sales []Sale) map[Condition][]Sale {
	groups := map[Condition][]Sale{}
	for _, s := range sales {
		groups[s.Condition] = append(groups[s.Condition], s)
	}
	return groups
}

// statsOf describes the prices of sales by time; at least one.
func statsOf(sales []Sale) Stats {
	prices := make([]Cents, len(sales))
	var sum Cents
	for i, s := range sales {
		prices[i] = s.Price
		sum += s.Price
	}
	slices.Sort(prices)
	n := Cents(len(prices))
	return Stats{
		Count: len(prices), Average: (2*sum + n) / (2 * n), Low: prices[0], High: prices[n-1],
		P25: quartile(prices, 1), Median: quartile(prices, 2), P75: quartile(prices, 3),
		LastSoldAt: sales[len(sales)-1].SoldAt,
	}
}

// quartile is the R-7 quantile q/4 of sorted prices, rounded half up: it lies
// (n−1)·q/4 steps from the first price, between two prices in proportion.
func quartile(prices []Cents, q int) Cents {
	at := (len(prices) - 1) * q
	i, quarters := at/4, Cents(at%4)
	if quarters == 0 {
		return prices[i]
	}
	return (4*prices[i] + quarters*(prices[i+1]-prices[i]) + 2) / 4
}

// change is how far the median of later is from that of earlier, in basis
// points; nil when either has too few sales to say.
func change(earlier, later []Sale) *int {
	if len(earlier) < MinSales || len(later) < MinSales {
		return nil
	}
	from, to := statsOf(earlier).Median, statsOf(later).Median
	if from == 0 {
		return nil
	}
	points := roundPercent(100*int64(to-from), int64(from))
	return &points
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
