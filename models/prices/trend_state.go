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

	rings      map[int32]*ring    // of the members of counted sales, by number of the member
	members    map[string]int32   // number by id
	conditions []models.Condition // by number
	sources    []SourceCount      // by number; the first are members

	asOf   models.Time
	window period
	month  period       // the last month
	months []TrendMonth // those before

	last30, before30, last90, before90, yearAgo period // moved by trend
}

// leftOut is a sale that no statistic counts.
type leftOut struct {
	soldAt models.Time
	reason reason
}

// reason is why a sale is left out.
type reason uint8

const (
	held      reason = iota // the price is unusual
	repeated                // its members are connected already
	newcomers               // neither member is established
)

// ring is a group of members who are connected by counted sales of the gear. It ends when
// they have not traded for a year.
type ring struct {
	within *ring // the ring that it is part of, or nil
	last   models.Time
}

// Bounds of periods that are open.
const (
	always  models.Time = math.MinInt64
	forever models.Time = math.MaxInt64
)

func NewTrendState(gear string) *trendState {
	return &trendState{
		Gear: gear, Last: models.SaleKey{SoldAt: always}, asOf: always, rings: map[int32]*ring{}, members: map[string]int32{},
		sources: []SourceCount{{Source: models.SaleByMembers}},
	}
}

// Add adds an eligible sale and reports whether its price is held. It must
// follow all sales added before.
func (s *trendState) Add(sale *models.Sale) bool {
	s.Last = models.SaleKey{SoldAt: sale.SoldAt, ID: sale.ID}
	s.all++
	condition := s.conditionNumber(sale.Condition)
	vouched := sale.VouchedFor()
	switch {
	case !vouched && sale.Newcomer:
		s.leaveOut(leftOut{sale.SoldAt, newcomers})
		return false
	case !vouched && s.connected(sale):
		s.leaveOut(leftOut{sale.SoldAt, repeated})
		return false
	case sale.ApprovedAt == 0 && (sale.OutOfRange || s.unusual(sale.Price, condition)):
		s.leaveOut(leftOut{sale.SoldAt, held})
		return true
	}
	if !vouched {
		s.connect(sale)
	}
	s.count(sale, condition)
	return false
}

// count adds a sale that is not left out.
func (s *trendState) count(sale *models.Sale, condition int) {
	counted := trendSale{soldAt: sale.SoldAt, price: sale.Price, condition: uint16(condition), seller: noSeller}
	switch {
	case sale.VouchedFor():
		counted.source = s.sourceNumber(sale.Source, sale.SourceName)
	case sale.ByBuyer:
		counted.seller = s.memberNumber(sale.BuyerID)
	default:
		counted.seller = s.memberNumber(sale.SellerID)
	}
	month := models.MonthOf(sale.SoldAt)
	if len(s.sales) > 0 && models.MonthOf(s.sales[len(s.sales)-1].soldAt) != month {
		s.months = append(s.months, s.lastMonth())
	}
	s.sales = append(s.sales, counted)
	s.month.slide(s.sales, month.Start()-1, forever)
	s.asOf = sale.SoldAt
	s.window.slide(s.sales, YearBefore(s.asOf), forever)
}

// ringOf returns the ring of a member at a time, nil if there is none.
func (s *trendState) ringOf(id string, at models.Time) *ring {
	r := s.rings[s.memberNumber(id)]
	for r != nil && r.within != nil {
		if r.within.within != nil {
			r.within = r.within.within // so that the next search is shorter
		}
		r = r.within
	}
	if r == nil || r.last <= YearBefore(at) {
		return nil
	}
	return r
}

// connected reports whether counted sales of the gear connect the members of a sale already.
func (s *trendState) connected(sale *models.Sale) bool {
	if sale.SellerID == "" || sale.BuyerID == "" {
		return false
	}
	r := s.ringOf(sale.SellerID, sale.SoldAt)
	return r != nil && r == s.ringOf(sale.BuyerID, sale.SoldAt)
}

// connect joins the rings of the members of a sale.
func (s *trendState) connect(sale *models.Sale) {
	joined := s.ringOf(sale.SellerID, sale.SoldAt)
	if joined == nil {
		joined = &ring{}
	}
	joined.last = sale.SoldAt
	if r := s.ringOf(sale.BuyerID, sale.SoldAt); r != nil && r != joined {
		r.within = joined
	}
	for _, id := range []string{sale.SellerID, sale.BuyerID} {
		if id != "" {
			s.rings[s.memberNumber(id)] = joined
		}
	}
}

// unusual reports whether a price is far from the median that the sales of a
// condition had before.
func (s *trendState) unusual(price models.Cents, condition int) bool {
	known := s.window.condition(condition)
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
	if len(s.sales) == 0 {
		return &Trend{Gear: s.Gear}
	}
	t := &Trend{Gear: s.Gear, AllTime: s.all, AsOf: s.asOf, WindowFrom: YearBefore(s.asOf)}
	t.Summary = s.window.stats()
	t.ByCondition = map[models.Condition]Stats{}
	for n, condition := range s.conditions {
		if stats := s.window.condition(n).stats(); stats.Count > 0 {
			t.ByCondition[condition] = stats
		}
	}
	t.Months = append(slices.Clone(s.months), s.lastMonth())
	t.Sources, t.Uncounted = s.windowSources(), s.windowUncounted()

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
func (s *trendState) EachCountedPrice(each func(gear string, condition models.Condition, price models.Cents, month models.MonthKey) error) error {
	counted := s.countedSales()
	slices.SortStableFunc(counted, func(a, b trendSale) int { return cmp.Compare(a.price, b.price) })
	list := func(condition models.Condition, used *counts, among func(*trendSale) bool) error {
		if used.prices.len < MinSales {
			return nil
		}
		for i := range counted {
			sale := &counted[i]
			if !among(sale) {
				continue
			}
			if err := each(s.Gear, condition, sale.price, models.MonthOf(sale.soldAt)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := list("", &s.window.counts, func(*trendSale) bool { return true }); err != nil {
		return err
	}
	for n, condition := range s.conditions {
		if err := list(condition, s.window.condition(n), func(sale *trendSale) bool { return int(sale.condition) == n }); err != nil {
			return err
		}
	}
	return nil
}

// countedSales returns the sales of the window that count: of each seller those up to the limit
// of the condition.
func (s *trendState) countedSales() (counted []trendSale) {
	type sellerIn struct {
		seller    int32
		condition uint16
	}
	sales := map[sellerIn]int{}
	for _, sale := range s.sales[s.window.from:s.window.to] {
		by := sellerIn{sale.seller, sale.condition}
		if sales[by]++; sale.seller == noSeller || sales[by] <= s.window.conditions[sale.condition].limit {
			counted = append(counted, sale)
		}
	}
	return counted
}

// windowSources returns the sources of the counted sales of the window.
func (s *trendState) windowSources() (sources []SourceCount) {
	members := s.window.prices.len
	for n, sales := range s.window.sources {
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
func (s *trendState) windowUncounted() Uncounted {
	for from := YearBefore(s.asOf); len(s.LeftOut) > 0 && s.LeftOut[0].soldAt <= from; s.LeftOut = s.LeftOut[1:] {
		*s.LeftOut[0].counter(&s.uncounted)--
	}
	u := s.uncounted
	u.OverLimit = s.window.sales - s.window.prices.len
	return u
}

func (s *trendState) leaveOut(sale leftOut) {
	s.LeftOut = append(s.LeftOut, sale)
	*sale.counter(&s.uncounted)++
}

// counter returns the field that counts the sale.
func (sale leftOut) counter(u *Uncounted) *int {
	switch sale.reason {
	case held:
		return &u.Held
	case repeated:
		return &u.Repeated
	}
	return &u.Newcomers
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

// NewTrend computes the trend of a gear from its sales, in any order. Periods
// exclude their start and include their end; those that end with AsOf include
// all later sales.
//
// Nobody can set a public price alone. Only eligible sales count, and of those
// the operators do not vouch for:
//
//   - The seller or the buyer is established (see models.EstablishedReach). Otherwise
//     a sale changes no figure, neither a median nor a count. If only the buyer is, it
//     is the buyer's sale for the limit below.
//   - Its members are not connected by counted sales of the gear yet, directly or
//     through others. So k accounts that trade among each other have at most k − 1
//     sales of a gear. Members who haven't traded the gear for a year start again.
//   - In each set of sales that statistics are made of (a condition in the
//     window, in a month or in a period of a change) the earliest sales of each
//     seller count, at most a fifth of all that then count. So a price takes five
//     sellers.
//
// Of all sales, a price over four times the median that its condition had before, or under
// a quarter of it, is held until an operator approves it, from 10 sales in the window on,
// and so is one that was far from its estimate when the sale was confirmed
// (Sale.OutOfRange).
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
