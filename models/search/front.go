package search

import (
	"container/heap"
	"slices"
	"sort"
)

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
func (s *state) frontSize() int { return max(frontLeast, s.live/32) }

// newFronts sets the empty fronts of both orders.
func (s *state) newFronts() {
	s.latest = front{compare: s.compareNewest, of: func(list *postingList) []uint32 { return list.byPublished }}
	s.deals = front{compare: s.compareDocDeals, of: func(list *postingList) []uint32 { return list.byDeal }}
}

// front returns the front of an order: deals for Deal, else latest.
func (s *state) front(by Sort) *front {
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
func (s *state) insertFront(f *front, d uint32) {
	at, _ := f.find(d)
	full, others := s.frontSize(), len(f.list) < s.live-1
	if at == len(f.list) && others || at >= full {
		return
	}
	f.list = slices.Insert(f.list[:min(len(f.list), full-1)], at, s.frontItem(d))
}

// frontItem returns the front item of a document.
func (s *state) frontItem(d uint32) frontItem { return frontItem{d, s.price[d], s.kind[d]} }

// removeFront removes a document from a front.
func (s *state) removeFront(f *front, d uint32) {
	if at, ok := f.find(d); ok {
		f.list = slices.Delete(f.list, at, at+1)
	}
}

// reorderFront updates a front after the order of one gear's documents changed.
func (s *state) reorderFront(f *front, gear int) {
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
func (s *state) fillFront(f *front) {
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

func (m *merge) Len() int           { return len(m.docs) }
func (m *merge) Less(i, j int) bool { return m.compare(m.docs[i][0], m.docs[j][0]) < 0 }
func (m *merge) Swap(i, j int)      { m.docs[i], m.docs[j] = m.docs[j], m.docs[i] }
func (m *merge) Push(docs any)      { m.docs = append(m.docs, docs.([]uint32)) }
func (m *merge) Pop() any {
	last := m.docs[len(m.docs)-1]
	m.docs = m.docs[:len(m.docs)-1]
	return last
}

// collectFront collects the first listings of the order from its front. It reports
// false, and collects nothing, if some of them may not be in the front.
func (s *state) collectFront(f *filter, c *scratch) bool {
	h, front := &c.hits, s.front(c.hits.sort)
	list, whole := front.list, len(front.list) == s.live
	// With hits distributed evenly, limit of them are in the front if
	// total*len(list) >= limit*live. The factor 2 allows for uneven distribution.
	if !whole && c.total*len(list) < 2*h.limit*s.live {
		return false
	}
	if h.after != nil {
		list = list[sort.Search(len(list), func(i int) bool {
			this := s.position(h.sort, &hit{published: s.published(list[i].doc), doc: list[i].doc})
			return h.sort.compare(&this, h.after) > 0
		}):]
	}
	for i := range list {
		a := &list[i]
		if meetsAll(f.flags[s.shape.groupOf[a.kind.gear()]])&f.cell[a.kind.cell()]&f.within(a.price) == 0 {
			continue
		}
		if h.list = append(h.list, hit{published: s.published(a.doc), doc: a.doc}); h.full() {
			return true
		}
	}
	if !whole {
		h.list = h.list[:0]
	}
	return whole
}
