package search

import (
	"container/heap"
	"slices"
	"sort"
)

// front is the first listings of all gear in an order, with what a filter asks of
// each at hand. A search that finds its page among them need not look into the
// lists of every gear. What is for sale and not in it comes behind its last.
type front struct {
	compare func(a, b uint32) int
	of      func(*shelf) []uint32 // the list of one gear in that order
	list    []ahead
}

// ahead is a listing in a front.
type ahead struct {
	doc   uint32
	price int32
	kind  kind
}

// frontLeast is how many listings a front is filled with at the least. Tests have
// fronts smaller than their markets.
var frontLeast = 1 << 13

// frontFull is how many a front is filled with, and again when it has only half
// of them left: a part of all, so that as much of what is rare is found in it.
func (s *state) frontFull() int { return max(frontLeast, s.live/32) }

func (s *state) newFronts() {
	s.latest = front{compare: s.compareNewest, of: func(shelf *shelf) []uint32 { return shelf.byPublished }}
	s.deals = front{compare: s.compareDocDeals, of: func(shelf *shelf) []uint32 { return shelf.byDeal }}
}

// front is the front of an order; there is one of the newest and one of deals.
func (s *state) front(by Sort) *front {
	if by == Deal {
		return &s.deals
	}
	return &s.latest
}

func (f *front) find(d uint32) (at int, ok bool) {
	return slices.BinarySearchFunc(f.list, d, func(a ahead, d uint32) int { return f.compare(a.doc, d) })
}

// advance takes in a new document, unless it comes behind the last and others do
// that are not in the front either.
func (s *state) advance(f *front, d uint32) {
	at, _ := f.find(d)
	full, others := s.frontFull(), len(f.list) < s.live-1
	if at == len(f.list) && others || at >= full {
		return
	}
	f.list = slices.Insert(f.list[:min(len(f.list), full-1)], at, s.aheadOf(d))
}

func (s *state) aheadOf(d uint32) ahead { return ahead{d, s.price[d], s.kind[d]} }

// retreat takes a document out.
func (s *state) retreat(f *front, d uint32) {
	if at, ok := f.find(d); ok {
		f.list = slices.Delete(f.list, at, at+1)
	}
}

// rearrange puts the documents of one gear where they belong now.
func (s *state) rearrange(f *front, gear int) {
	others := len(f.list) < s.live // they come behind the last
	rest := slices.DeleteFunc(f.list, func(a ahead) bool { return int(a.kind.gear()) == gear })
	docs := f.of(&s.shelves[gear])
	full := s.frontFull()
	f.list = make([]ahead, 0, full)
	for len(f.list) < full && (len(rest) > 0 || len(docs) > 0 && !others) {
		if len(rest) == 0 || len(docs) > 0 && f.compare(docs[0], rest[0].doc) < 0 {
			f.list, docs = append(f.list, s.aheadOf(docs[0])), docs[1:]
		} else {
			f.list, rest = append(f.list, rest[0]), rest[1:]
		}
	}
}

// fill makes a front anew, from the lists of all gear, when it is spent.
func (s *state) fill(f *front) {
	full := s.frontFull()
	if len(f.list) >= min(full/2, s.live) {
		return
	}
	f.list = f.list[:0]
	lists := &merge{compare: f.compare}
	for gear := range s.shelves {
		if docs := f.of(&s.shelves[gear]); len(docs) > 0 {
			lists.docs = append(lists.docs, docs)
		}
	}
	heap.Init(lists)
	for len(f.list) < full && lists.Len() > 0 {
		d := lists.docs[0][0]
		f.list = append(f.list, s.aheadOf(d))
		if lists.docs[0] = lists.docs[0][1:]; len(lists.docs[0]) == 0 {
			heap.Pop(lists)
		} else {
			heap.Fix(lists, 0)
		}
	}
}

// merge is a heap of lists, of which the one with the first document is on top.
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

// collectFront finds the first listings of the order in its front; it reports
// false, and finds nothing, when they may not all be there.
func (s *state) collectFront(f *filter, c *scratch) bool {
	h, front := &c.hits, s.front(c.hits.sort)
	list, whole := front.list, len(front.list) == s.live
	// As many as are wanted are there, when what is found is spread evenly. Twice
	// as many is often enough also when it is not.
	if !whole && c.total*len(list) < 2*h.limit*s.live {
		return false
	}
	if h.after != nil {
		list = list[sort.Search(len(list), func(i int) bool {
			this := s.place(h.sort, &hit{published: s.published(list[i].doc), doc: list[i].doc})
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
