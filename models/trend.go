package models

import (
	"cmp"
	"slices"
	"sort"
)

// MinSales is the number of sales a statistic requires. With fewer sales it is
// reported as insufficient_data.
const MinSales = 5

// Stats describes the prices of a set of sales. Quartiles and median are R-7
// quantiles (linear interpolation, the default of most tools), rounded half up
// to the minor unit.
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

// Enough reports whether there are enough sales to state prices.
func (s Stats) Enough() bool { return s.Count >= MinSales }

// Trend is the price history of a gear. It is a pure function of its sales, so
// that all replicas agree, and is updated with every sale. AsOf is the time of
// the last sale, from which the window and the changes are measured.
type Trend struct {
	Gear        string
	AsOf        Time                // time of the last sale
	WindowFrom  Time                // a year before AsOf, exclusive start of the window
	AllTime     int                 // total number of sales
	Summary     Stats               // of the window, all conditions
	ByCondition map[Condition]Stats // of the window
	Months      []TrendMonth        // all months with sales, oldest first, all conditions

	// Changes of the median in basis points (−1250 is −12.5 %): the last 30 or
	// 90 days compared with the 30 or 90 days before, and the last 90 days
	// compared with the same days a year earlier. Nil if either period has
	// fewer than MinSales sales.
	Change30d, Change90d, Change12m *int
}

// TrendMonth holds the statistics of one month.
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

// NewTrend computes the trend of a gear from all its sales, in any order. It
// uses only SoldAt, Condition and Price. All periods exclude their start and
// include their end.
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

// yearBefore returns the time a year earlier. 29 February becomes 1 March.
func yearBefore(t Time) Time { return TimeOf(t.Std().AddDate(-1, 0, 0)) }

// between returns the sales in (after, upTo]. The sales must be sorted by time.
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

// statsOf returns the statistics of one or more sales sorted by time.
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

// quartile returns the R-7 quantile q/4 of sorted prices, rounded half up: the
// price at index (n−1)·q/4, interpolated linearly.
func quartile(prices []Cents, q int) Cents {
	at := (len(prices) - 1) * q
	i, quarters := at/4, Cents(at%4)
	if quarters == 0 {
		return prices[i]
	}
	return (4*prices[i] + quarters*(prices[i+1]-prices[i]) + 2) / 4
}

// change returns the change of the median from earlier to later in basis
// points, or nil if either has too few sales.
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

// Deal compares an asking price with the sold prices of the same gear in the
// same condition.
type Deal struct {
	Percent int   // difference from the median, rounded: −12 is 12 % below
	Typical Cents // the median
	Sales   int   // number of sales, at least MinSales
}

// DealOf compares a price with the median of a condition. It returns false if
// there are too few sales.
func (t *Trend) DealOf(price Cents, c Condition) (Deal, bool) {
	s, ok := t.ByCondition[c]
	if !ok || !s.Enough() || s.Median <= 0 {
		return Deal{}, false
	}
	return Deal{Percent: roundPercent(int64(price-s.Median), int64(s.Median)), Typical: s.Median, Sales: s.Count}, true
}

// roundPercent returns 100·part/whole, rounded half away from zero.
func roundPercent(part, whole int64) int {
	if part < 0 {
		return -roundPercent(-part, whole)
	}
	return int((200*part + whole) / (2 * whole))
}
