package search

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// lists holds the documents in the orders Newest and Deal: those of each gear, and the
// first of all.
type lists struct {
	columns
	postings []postingList // by gear
	newest   ranking       // gear by newest listing
	best     ranking       // gear by best deal
	latest   front
	deals    front
}

// postingList holds the listings of one gear.
type postingList struct {
	byPublished []uint32 // the newest first
	byDeal      []uint32 // the best first, what has no typical price last
	typical     [itemCount]typicalPrice
}

// typicalOf returns what the price of a document is divided by for the order Deal, 0 if its
// typical price is unknown.
func (s *lists) typicalOf(d uint32) int32 { return s.typicalPriceOf(d).Improbable }

// typicalPriceOf returns the typical price of a document's gear for its condition and functional
// state, with the low end of its range.
func (s *lists) typicalPriceOf(d uint32) *typicalPrice {
	return &s.postings[s.kind[d].gear()].typical[s.itemOf(d)]
}

// compareDocDeals orders documents of any gear by best deal first, then as
// compareNewest does.
func (s *lists) compareDocDeals(a, b uint32) int {
	if by := compareDeals(s.price[a], s.typicalOf(a), s.price[b], s.typicalOf(b)); by != 0 {
		return by
	}
	return s.compareNewest(a, b)
}

// dealKey returns the key of a document in the order Deal.
func (s *lists) dealKey(d uint32) uint64 { return dealKey(s.price[d], s.typicalOf(d)) }

// dealKey returns price divided by typical as a fixed-point number with 32 fractional
// bits, rounded down, or noTypical if typical is 0.
func dealKey(price, typical int32) uint64 {
	if typical == 0 {
		return noTypical
	}
	return uint64(price) << 32 / uint64(typical)
}

// compareDeals compares price ÷ typical of two listings without dividing. A listing
// without a typical price comes last.
func compareDeals(price, typical, otherPrice, otherTypical int32) int {
	if typical == 0 || otherTypical == 0 {
		return cmp.Compare(min(otherTypical, 1), min(typical, 1))
	}
	return cmp.Compare(int64(price)*int64(otherTypical), int64(otherPrice)*int64(typical))
}

// updateRankings updates the rankings after a change of a gear's lists.
func (s *lists) updateRankings(gear int) {
	list := &s.postings[gear]
	if len(list.byPublished) == 0 {
		s.newest.set(gear, noListing)
		s.best.set(gear, noListing)
		return
	}
	s.newest.set(gear, ^uint64(s.published(list.byPublished[0])))
	s.best.set(gear, s.dealKey(list.byDeal[0]))
}

// setTypical sets a gear's typical prices and updates the order of its deals.
func (s *lists) setTypical(gear int, now [itemCount]typicalPrice) {
	list := &s.postings[gear]
	if list.typical != now {
		list.typical = now
		slices.SortFunc(list.byDeal, s.compareDocDeals)
		s.updateRankings(gear)
		s.reorderFront(&s.deals, gear)
	}
}

// asking returns the number of a gear's listings, their lowest price and the sum of their
// prices.
func (s *lists) asking(gear int) (count int, lowest, sum models.Cents) {
	docs := s.postings[gear].byPublished
	lowest = models.MaxAmount
	for _, d := range docs {
		price := models.Cents(s.price[d])
		lowest, sum = min(lowest, price), sum+price
	}
	return len(docs), lowest, sum
}

// docsIn yields the documents of groups.
func (s *lists) docsIn(groups []uint16) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, i := range groups {
			for gear := s.shape.groups[i].from; gear < s.shape.groups[i].to; gear++ {
				for _, d := range s.postings[gear].byPublished {
					if !yield(d) {
						return
					}
				}
			}
		}
	}
}

// ranking orders gear by the key of the first listing in one of its lists, so that a
// search for the first listings of all gear scans only the gear that may have them.
type ranking struct {
	keys  []uint64 // by gear; the lowest comes first
	order []uint16 // the gear that has listings, by key and then by number
}

// noListing is the key of gear without listings. noTypical is, in an order of deals,
// the key of a listing without a typical price.
const (
	noListing = 1<<64 - 1
	noTypical = 1<<64 - 2
)

// newRanking returns a ranking for a number of gear, none of which has listings.
func newRanking(gear int) ranking {
	return ranking{keys: slices.Repeat([]uint64{noListing}, gear)}
}

// set sets the key of gear and updates the order.
func (r *ranking) set(gear int, key uint64) {
	this := uint16(gear)
	if r.keys[gear] == key {
		return
	}
	if at, ok := r.find(this); ok {
		r.order = slices.Delete(r.order, at, at+1)
	}
	r.keys[gear] = key
	if at, _ := r.find(this); key != noListing {
		r.order = slices.Insert(r.order, at, this)
	}
}

// find returns the index at which gear is or would be inserted in order, and reports
// whether it is there.
func (r *ranking) find(gear uint16) (at int, ok bool) {
	return slices.BinarySearchFunc(r.order, gear, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(r.keys[a], r.keys[b]), cmp.Compare(a, b))
	})
}

// front caches the first listings of all gear in an order, with the fields that
// filters test. A search that finds its page in the front need not scan the lists of
// every gear. All listings for sale that are not in the front come after its last.
type front struct {
	compare func(a, b uint32) int
	of      func(*postingList) []uint32 // returns the list of one gear in that order
	list    []frontItem                 // in order
}

// frontItem is a listing in a front.
type frontItem struct {
	doc   uint32
	price int32
	kind  kind
}

// frontLeast is the minimum of frontSize. It is a variable so that tests can use
// fronts smaller than their indexes.
var frontLeast = 1 << 13

// frontSize returns the number of listings that a front is filled with. A front is
// filled again when it has fewer than half as many. It is a fixed share of all
// listings, so that the share of rare listings found in the front does not depend on
// the size of the index.
func (s *lists) frontSize() int { return max(frontLeast, s.live/32) }

// newFronts sets the empty fronts of both orders.
func (s *lists) newFronts() {
	s.latest = front{compare: s.compareNewest, of: func(list *postingList) []uint32 { return list.byPublished }}
	s.deals = front{compare: s.compareDocDeals, of: func(list *postingList) []uint32 { return list.byDeal }}
}

// front returns the front of an order: deals for Deal, else latest.
func (s *lists) front(by Sort) *front {
	if by == Deal {
		return &s.deals
	}
	return &s.latest
}

// find returns the index at which d is or would be inserted, and reports whether it is
// in the front.
func (f *front) find(d uint32) (at int, ok bool) {
	return slices.BinarySearchFunc(f.list, d, func(a frontItem, d uint32) int { return f.compare(a.doc, d) })
}

// insertFront inserts a new document, unless it comes after the last and there are
// other documents that are not in the front.
func (s *lists) insertFront(f *front, d uint32) {
	at, _ := f.find(d)
	full, others := s.frontSize(), len(f.list) < s.live-1
	if at == len(f.list) && others || at >= full {
		return
	}
	f.list = slices.Insert(f.list[:min(len(f.list), full-1)], at, s.frontItem(d))
}

// frontItem returns the front item of a document.
func (s *lists) frontItem(d uint32) frontItem { return frontItem{d, s.price[d], s.kind[d]} }

// removeFront removes a document from a front.
func (s *lists) removeFront(f *front, d uint32) {
	if at, ok := f.find(d); ok {
		f.list = slices.Delete(f.list, at, at+1)
	}
}

// reorderFront updates a front after the order of one gear's documents changed.
func (s *lists) reorderFront(f *front, gear int) {
	others := len(f.list) < s.live // they come after the last
	rest := slices.DeleteFunc(f.list, func(a frontItem) bool { return int(a.kind.gear()) == gear })
	docs := f.of(&s.postings[gear])
	full := s.frontSize()
	f.list = make([]frontItem, 0, full)
	for len(f.list) < full && (len(rest) > 0 || len(docs) > 0 && !others) {
		if len(rest) == 0 || len(docs) > 0 && f.compare(docs[0], rest[0].doc) < 0 {
			f.list, docs = append(f.list, s.frontItem(docs[0])), docs[1:]
		} else {
			f.list, rest = append(f.list, rest[0]), rest[1:]
		}
	}
}

// fillFront fills a front from the lists of all gear if it has fewer than half of
// frontSize listings.
func (s *lists) fillFront(f *front) {
	full := s.frontSize()
	if len(f.list) >= min(full/2, s.live) {
		return
	}
	f.list = f.list[:0]
	lists := &merge{compare: f.compare}
	for gear := range s.postings {
		if docs := f.of(&s.postings[gear]); len(docs) > 0 {
			lists.docs = append(lists.docs, docs)
		}
	}
	heap.Init(lists)
	for len(f.list) < full && lists.Len() > 0 {
		d := lists.docs[0][0]
		f.list = append(f.list, s.frontItem(d))
		if lists.docs[0] = lists.docs[0][1:]; len(lists.docs[0]) == 0 {
			heap.Pop(lists)
		} else {
			heap.Fix(lists, 0)
		}
	}
}

// merge is a heap of non-empty lists, ordered by their first documents.
type merge struct {
	compare func(a, b uint32) int
	docs    [][]uint32
}

func (m *merge) Len() int { return len(m.docs) }

func (m *merge) Less(i, j int) bool { return m.compare(m.docs[i][0], m.docs[j][0]) < 0 }

func (m *merge) Swap(i, j int) { m.docs[i], m.docs[j] = m.docs[j], m.docs[i] }

func (m *merge) Push(docs any) { m.docs = append(m.docs, docs.([]uint32)) }

func (m *merge) Pop() any {
	last := m.docs[len(m.docs)-1]
	m.docs = m.docs[:len(m.docs)-1]
	return last
}

// deal is a document of a posting list: its price, its typical price, and its index in
// byPublished, which orders equal deals.
type deal struct {
	price, typical int32
	index          uint32
}

// sortDeals fills byDeal in the order of compareDocDeals. deals is a buffer; it
// returns the grown buffer.
func (s *lists) sortDeals(list *postingList, deals []deal) []deal {
	deals = deals[:0]
	for i, d := range list.byPublished {
		deals = append(deals, deal{s.price[d], s.typicalOf(d), uint32(i)})
	}
	slices.SortFunc(deals, func(a, b deal) int {
		if by := compareDeals(a.price, a.typical, b.price, b.typical); by != 0 {
			return by
		}
		return cmp.Compare(a.index, b.index)
	})
	for i := range deals {
		list.byDeal[i] = list.byPublished[deals[i].index]
	}
	return deals
}
