package prices

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// trendState computes the trend of a gear from its sales, added one by one in
// the order of SaleKey.compare. The cost of adding a sale hardly depends on the
// number of sales, and the result only on the sales.
type trendState struct {
	Gear string
	Last models.SaleKey // of the last sale added
	all  int            // number of sales added

	sales     []trendSale // without those left out
	LeftOut   []leftOut   // of the window
	uncounted Uncounted   // of LeftOut

	pairs      map[memberPair]int // number of sales that are not left out
	members    map[string]int32   // number by id
	conditions []models.Condition // by number
	sources    []SourceCount      // by number; the first are members

	asOf   models.Time
	window period
	month  period       // the last month
	months []TrendMonth // those before

	last30, before30, last90, before90, yearAgo period // moved by trend
}

// LeftOut is a sale that no statistic counts.
type leftOut struct {
	soldAt models.Time
	held   bool // otherwise it repeats a pair of members
}

// memberPair identifies the sales between two members in either direction.
type memberPair struct {
	first, second int32 // numbers of the members, in order
	condition     int
}

// Bounds of periods that are open.
const (
	always  models.Time = math.MinInt64
	forever models.Time = math.MaxInt64
)

func NewTrendState(gear string) *trendState {
	return &trendState{
		Gear: gear, Last: models.SaleKey{SoldAt: always}, asOf: always, pairs: map[memberPair]int{}, members: map[string]int32{},
		sources: []SourceCount{{Source: models.SaleByMembers}},
	}
}

// Add adds an eligible sale and reports whether its price is held. It must
// follow all sales added before.
func (s *trendState) Add(sale *models.Sale) (held bool) {
	s.Last = models.SaleKey{SoldAt: sale.SoldAt, ID: sale.ID}
	s.all++
	condition := s.conditionNumber(sale.Condition)
	pair, both := s.pairOf(sale, condition)
	switch {
	case sale.VouchedFor():
	case both && s.pairs[pair] == maxPerPair:
		s.leaveOut(leftOut{soldAt: sale.SoldAt})
		return false
	case sale.ApprovedAt == 0 && s.unusual(sale.Price, condition):
		s.leaveOut(leftOut{soldAt: sale.SoldAt, held: true})
		return true
	case both:
		s.pairs[pair]++
	}
	s.count(sale, condition)
	return false
}

// count adds a sale that is not left out.
func (s *trendState) count(sale *models.Sale, condition int) {
	vouchedFor := sale.VouchedFor()
	counted := trendSale{soldAt: sale.SoldAt, price: sale.Price, condition: uint16(condition), seller: noSeller, newcomer: sale.Newcomer && !vouchedFor}
	if vouchedFor {
		counted.source = s.sourceNumber(sale.Source, sale.SourceName)
	} else {
		counted.seller = s.memberNumber(sale.SellerID)
	}
	month := models.MonthOf(sale.SoldAt)
	if len(s.sales) > 0 && models.MonthOf(s.sales[len(s.sales)-1].soldAt) != month {
		s.months = append(s.months, s.lastMonth())
	}
	s.sales = append(s.sales, counted)
	s.month.slide(s.sales, month.Start()-1, forever)
	if established := s.window.established.sales > 0; !counted.newcomer || !established {
		s.asOf = sale.SoldAt
	}
	s.window.slide(s.sales, YearBefore(s.asOf), forever)
}

// unusual reports whether a price is far from the median that the established
// sales of a condition had before.
func (s *trendState) unusual(price models.Cents, condition int) bool {
	known := s.window.established.condition(condition)
	if known.prices.len < unusualFrom {
		return false
	}
	median := known.prices.median()
	return price*unusualFactor < median || price > median*unusualFactor
}

// lastMonth returns the statistics of the month of the last sale.
func (s *trendState) lastMonth() TrendMonth {
	return TrendMonth{models.MonthOf(s.sales[len(s.sales)-1].soldAt), s.month.stats()}
}

// Trend returns the trend of all sales added.
func (s *trendState) Trend() *Trend {
	t := &Trend{Gear: s.Gear, AllTime: s.all}
	if len(s.sales) == 0 {
		return t
	}
	t.AsOf, t.WindowFrom = s.asOf, YearBefore(s.asOf)
	t.Summary = s.window.stats()
	t.ByCondition = map[models.Condition]Stats{}
	for n, condition := range s.conditions {
		if stats := s.window.conditionStats(n); stats.Count > 0 {
			t.ByCondition[condition] = stats
		}
	}
	t.Months = append(slices.Clone(s.months), s.lastMonth())
	t.Sources, t.Uncounted = s.windowSources(t.Summary.Count), s.windowUncounted(t.Summary.Count)

	s.last30.slide(s.sales, t.AsOf-models.Days30, forever)
	s.before30.slide(s.sales, t.AsOf-2*models.Days30, t.AsOf-models.Days30)
	s.last90.slide(s.sales, t.AsOf-models.Days90, forever)
	s.before90.slide(s.sales, t.AsOf-2*models.Days90, t.AsOf-models.Days90)
	s.yearAgo.slide(s.sales, t.WindowFrom-models.Days90, t.WindowFrom)
	t.Change30d = change(s.before30.stats(), s.last30.stats())
	t.Change90d = change(s.before90.stats(), s.last90.stats())
	t.Change12m = change(s.yearAgo.stats(), s.last90.stats())
	return t
}

// EachCountedPrice calls each for the prices that the statistics of the window count.
func (s *trendState) EachCountedPrice(each func(gear string, condition models.Condition, price models.Cents) error) error {
	list := func(condition models.Condition, used *counts) error {
		if used.prices.len < MinSales {
			return nil
		}
		for i := range used.prices.len {
			if err := each(s.Gear, condition, used.prices.at(i)); err != nil {
				return err
			}
		}
		return nil
	}
	used := func(established *counts, all func(*sample) *counts) *counts {
		if s.window.all == nil {
			return established
		}
		return chosen(established, all(s.window.all))
	}
	if err := list("", used(&s.window.established.counts, func(all *sample) *counts { return &all.counts })); err != nil {
		return err
	}
	for n, condition := range s.conditions {
		if err := list(condition, used(s.window.established.condition(n), func(all *sample) *counts { return all.condition(n) })); err != nil {
			return err
		}
	}
	return nil
}

// windowSources returns the sources of the counted sales of the window.
func (s *trendState) windowSources(counted int) (sources []SourceCount) {
	members := counted
	for n, sales := range s.window.established.sources {
		if n > 0 && sales > 0 {
			sources = append(sources, SourceCount{s.sources[n].Source, s.sources[n].Name, sales})
			members -= sales
		}
	}
	if members > 0 {
		sources = append(sources, SourceCount{Source: models.SaleByMembers, Sales: members})
	}
	slices.SortFunc(sources, func(a, b SourceCount) int {
		return cmp.Or(strings.Compare(string(a.Source), string(b.Source)), strings.Compare(a.Name, b.Name))
	})
	return sources
}

// windowUncounted returns why sales of the window are not among the counted
// ones.
func (s *trendState) windowUncounted(counted int) Uncounted {
	for from := YearBefore(s.asOf); len(s.LeftOut) > 0 && s.LeftOut[0].soldAt <= from; s.LeftOut = s.LeftOut[1:] {
		*s.LeftOut[0].counter(&s.uncounted)--
	}
	used := &s.window.established.counts
	if s.window.all != nil {
		used = chosen(used, &s.window.all.counts)
	}
	u := s.uncounted
	u.OverLimit = used.sales - used.prices.len
	u.Newcomers = s.window.to - s.window.from - counted - u.OverLimit
	return u
}

func (s *trendState) leaveOut(sale leftOut) {
	s.LeftOut = append(s.LeftOut, sale)
	*sale.counter(&s.uncounted)++
}

// counter returns the field that counts the sale.
func (sale leftOut) counter(u *Uncounted) *int {
	if sale.held {
		return &u.Held
	}
	return &u.Repeated
}

func (s *trendState) conditionNumber(c models.Condition) int {
	n := slices.Index(s.conditions, c)
	if n < 0 {
		n = len(s.conditions)
		s.conditions = append(s.conditions, c)
	}
	return n
}

func (s *trendState) memberNumber(id string) int32 {
	n, known := s.members[id]
	if !known {
		n = int32(len(s.members))
		s.members[id] = n
	}
	return n
}

// sourceNumber returns the number of a source. Names beyond maxSourcesNamed are
// omitted.
func (s *trendState) sourceNumber(source models.SaleSource, name string) uint8 {
	for ; ; name = "" {
		n := slices.IndexFunc(s.sources, func(known SourceCount) bool { return known.Source == source && known.Name == name })
		if n < 0 && (len(s.sources) <= maxSourcesNamed || name == "") {
			n = len(s.sources)
			s.sources = append(s.sources, SourceCount{Source: source, Name: name})
		}
		if n >= 0 {
			return uint8(n)
		}
	}
}

// pairOf returns the members of a sale, and whether both are known.
func (s *trendState) pairOf(sale *models.Sale, condition int) (pair memberPair, both bool) {
	if sale.SellerID == "" || sale.BuyerID == "" {
		return memberPair{}, false
	}
	seller, buyer := s.memberNumber(sale.SellerID), s.memberNumber(sale.BuyerID)
	return memberPair{min(seller, buyer), max(seller, buyer), condition}, true
}

// NewTrend computes the trend of a gear from its sales, in any order. Periods
// exclude their start and include their end; those that end with AsOf include
// newcomers' sales after it.
//
// Nobody can make a public price alone. Only eligible sales count, and of those
// the operators do not vouch for:
//
//   - In one condition the same two members count twice. Who sold to whom is
//     irrelevant.
//   - A price over four times the median that its condition had before, or under
//     a quarter of it, is held until an operator approves it. The median is that
//     of the window without newcomers, from at least 10 sales.
//   - In each set of sales that statistics are made of (a condition in the
//     window, in a month or in a period of a change) the earliest sales of each
//     seller count, at most a fifth of all that then count, but at least 2.
//   - Newcomers' sales may not move the median of a set by more than 0.99 % from
//     what it is without them: otherwise all of them are omitted. So whatever new
//     accounts add, a published median moves by less than 2 %. They do not make a
//     price public: with fewer than MinSales other sales they only add to the
//     count, which stays below MinSales. Nor do they move AsOf, and with it the
//     window, unless all sales are newcomers'.
//
// LastSoldAt is the time of the last sale of a set, whether or not it is within
// its seller's limit.
func NewTrend(gear string, sales []models.Sale) *Trend {
	state := NewTrendState(gear)
	for _, sale := range eligible(sales) {
		state.Add(&sale)
	}
	return state.Trend()
}
