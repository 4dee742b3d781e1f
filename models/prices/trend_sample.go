package prices

import (
	"sort"

	"github.com/secondlight/secondlight/models"
)

// The rules of NewTrend.
const (
	sellerShare     = 5  // one seller has at most a fifth of the sales
	unusualFactor   = 4  // a price over 4 times the median, or under a quarter, is held
	unusualFrom     = 10 // number of sales from which prices are compared with the median
	maxSourcesNamed = 50 // of one gear; others count as imports without a name
)

// sample is a set of sales that statistics are made of. In each condition only
// the earliest sales of each seller count.
type sample struct {
	counts
	conditions []*tally // by number of the condition; nil without sales
	sources    []int    // by number of the source: its sales
}

// counts holds the prices of the sales that count.
type counts struct {
	prices priceList
	sales  int         // including those that do not count
	last   models.Time // of all sales
}

func (c *counts) stats() Stats {
	stats := c.prices.stats()
	stats.LastSoldAt = c.last
	return stats
}

// add adds a sale that is not earlier than the others.
func (s *sample) add(sale *trendSale) {
	s.sales++
	s.last = sale.soldAt
	s.sources = grown(s.sources, int(sale.source))
	s.sources[sale.source]++
	s.conditions = grown(s.conditions, int(sale.condition))
	t := s.conditions[sale.condition]
	if t == nil {
		t = &tally{limit: 1, sellers: map[int32]*sellerSales{}, atLeast: []int{0}}
		s.conditions[sale.condition] = t
	}
	t.add(sale, &s.prices)
}

// remove removes the earliest sale.
func (s *sample) remove(sale *trendSale) {
	s.sales--
	s.sources[sale.source]--
	t := s.conditions[sale.condition]
	t.remove(sale, &s.prices)
	if t.sales == 0 {
		s.conditions[sale.condition] = nil
	}
}

// condition returns the counts of a condition, empty without sales.
func (s *sample) condition(n int) *counts {
	if s == nil || n >= len(s.conditions) || s.conditions[n] == nil {
		return &counts{}
	}
	return &s.conditions[n].counts
}

// grown returns a slice that has an element at i.
func grown[T any](list []T, i int) []T {
	for len(list) <= i {
		var zero T
		list = append(list, zero)
	}
	return list
}

// tally holds the sales of a sample in one condition. Of each seller the
// earliest count, up to a limit: the largest number that is at most a fifth of
// all sales that then count, but at least 1. Sales that the operators vouch for
// always count.
//
// Adding or removing a sale moves the limit by at most one, and fewer than
// sellerShare sellers exceed it, so that both take constant time besides the
// update of the prices.
type tally struct {
	counts
	limit   int
	sellers map[int32]*sellerSales
	ranked  []*sellerSales // most sales first
	atLeast []int          // by number above 0: sellers with at least as many sales
}

// sellerSales holds the sales of one seller, earliest first.
type sellerSales struct {
	prices []models.Cents
	rank   int // index in ranked
}

func (t *tally) add(sale *trendSale, whole *priceList) {
	t.sales++
	t.last = sale.soldAt
	if sale.seller == noSeller {
		t.count(sale.price, whole)
	} else {
		s := t.sellers[sale.seller]
		if s == nil {
			s = &sellerSales{rank: len(t.ranked)}
			t.sellers[sale.seller] = s
			t.ranked = append(t.ranked, s)
		}
		s.prices = append(s.prices, sale.price)
		n := len(s.prices)
		t.atLeast = grown(t.atLeast, n)
		t.swap(s.rank, t.atLeast[n])
		t.atLeast[n]++
		if n <= t.limit {
			t.count(sale.price, whole)
		}
	}
	t.moveLimit(whole)
}

// remove removes the earliest sale.
func (t *tally) remove(sale *trendSale, whole *priceList) {
	t.sales--
	t.discount(sale.price, whole)
	if sale.seller != noSeller {
		s := t.sellers[sale.seller]
		n := len(s.prices)
		if n > t.limit {
			t.count(s.prices[t.limit], whole)
		}
		s.prices = s.prices[1:]
		t.atLeast[n]--
		t.swap(s.rank, t.atLeast[n])
		if n == 1 {
			delete(t.sellers, sale.seller)
			t.ranked = t.ranked[:s.rank]
		}
	}
	t.moveLimit(whole)
}

// moveLimit restores the limit after a change.
func (t *tally) moveLimit(whole *priceList) {
	for next := t.limit + 1; next < len(t.atLeast) && sellerShare*next <= t.prices.len+t.atLeast[next]; next++ {
		for _, s := range t.ranked[:t.atLeast[next]] {
			t.count(s.prices[t.limit], whole)
		}
		t.limit = next
	}
	for t.limit > 1 && sellerShare*t.limit > t.prices.len {
		t.limit--
		for _, s := range t.ranked[:t.atLeast[t.limit+1]] {
			t.discount(s.prices[t.limit], whole)
		}
	}
}

func (t *tally) count(price models.Cents, whole *priceList) {
	t.prices.insert(price)
	whole.insert(price)
}

func (t *tally) discount(price models.Cents, whole *priceList) {
	t.prices.remove(price)
	whole.remove(price)
}

// swap exchanges two sellers in the ranking.
func (t *tally) swap(i, j int) {
	t.ranked[i], t.ranked[j] = t.ranked[j], t.ranked[i]
	t.ranked[i].rank, t.ranked[j].rank = i, j
}

// period is a sample of the sales in a period of time.
type period struct {
	from, to int // the sales, as indexes in trendState.sales
	sample
}

// slide moves the period to (after, upTo], neither of which is earlier than
// before. sales are all sales, by time.
func (p *period) slide(sales []trendSale, after, upTo models.Time) {
	from, to := indexAfter(sales, after), indexAfter(sales, upTo)
	if from >= p.to {
		*p = period{from: from, to: from}
	}
	for ; p.from < from; p.from++ {
		p.remove(&sales[p.from])
	}
	for ; p.to < to; p.to++ {
		p.add(&sales[p.to])
	}
}

// trendSale holds what trends use of a sale. Names are replaced by numbers to
// save memory.
type trendSale struct {
	soldAt    models.Time
	price     models.Cents
	seller    int32 // the member whose sale it is, or noSeller if the operators vouch for it
	condition uint16
	source    uint8
}

const noSeller = -1

// indexAfter returns the index of the first sale after a time.
func indexAfter(sales []trendSale, t models.Time) int {
	return sort.Search(len(sales), func(i int) bool { return sales[i].soldAt > t })
}
