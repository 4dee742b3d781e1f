package search

import (
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// loader builds a state from many documents at once: it gathers the columns as
// they come, numbers the documents anew so that neighbours are looked at together,
// and sorts each list once.
type loader struct {
	x      *Index
	s      *state
	titles titleReader
	seller []uint32            // in the order of arrival
	terms  map[string][]uint32 // by term of a title, in the order of arrival
}

func newLoader(x *Index) *loader {
	return &loader{x: x, s: newState(x.lookup, x.shape), titles: titleReader{lookup: x.lookup}, terms: map[string][]uint32{}}
}

func (l *loader) add(doc *Doc) error {
	e, err := l.x.entry(doc, l.titles.foreign)
	if err != nil {
		return err
	}
	s := l.s
	d := s.number()
	s.set(d, &e)
	l.seller = append(l.seller, s.sellerNumber(e.seller))
	for _, term := range e.terms {
		list := l.terms[term]
		if list == nil {
			term = strings.Clone(term) // not the whole title with it
		}
		if len(list) == 0 || list[len(list)-1] != d {
			l.terms[term] = append(list, d)
		}
	}
	if s.lookup.At(e.gear).ModelSlug != "" {
		s.shelves[e.gear].typical[e.condition] = e.typical
	}
	return nil
}

// state finishes the work.
func (l *loader) state() *state {
	s := l.s
	kept := l.kept()
	s.live = len(kept)
	s.level = newLevel(s.live, len(s.regions), s.sample(kept))
	order := l.order(kept)
	renumber(&s.ids, order)
	renumber(&s.price, order)
	renumber(&s.late, order)
	renumber(&s.early, order)
	renumber(&s.kind, order)
	renumber(&s.cards, order)
	s.next = make([]uint32, len(order))
	for to, from := range order {
		s.link(uint32(to), l.seller[from])
	}
	s.table = newIDTable(len(order))
	for d := range order {
		s.table.place(s.ids, uint32(d)+1)
	}
	var byPrice []uint32
	var work sync.WaitGroup
	work.Go(func() { s.fillShelves(kept) })
	work.Go(func() { byPrice = s.sortPrices() })
	work.Go(func() { l.fillTitles(order) })
	work.Wait()
	s.divide(byPrice)
	return s
}

// kept is the documents to keep, those of one gear together and the newest first.
func (l *loader) kept() []uint32 {
	s := l.s
	last := newIDTable(len(s.ids)) // of documents with one id the last counts
	byGear := make([][]uint32, s.lookup.Size())
	for d := len(s.ids) - 1; d >= 0; d-- {
		if _, known := last.find(s.ids, &s.ids[d]); !known {
			last.place(s.ids, uint32(d)+1)
			gear := s.kind[d].gear()
			byGear[gear] = append(byGear[gear], uint32(d))
		}
	}
	kept := make([]uint32, 0, last.used)
	for _, docs := range byGear {
		slices.SortFunc(docs, s.compareNewest)
		kept = append(kept, docs...)
	}
	return kept
}

// order numbers the documents to keep anew: those of one bucket together, in it
// those of one gear. So neither who walks a bucket nor who walks a gear jumps
// about in memory. It is the old numbers by the new ones, and makes the new
// numbers of kept.
func (l *loader) order(kept []uint32) []uint32 {
	s := l.s
	next := make([]int, len(s.level.edges)+1) // by row
	for _, d := range kept {
		next[s.level.row(s.price[d])+1]++
	}
	for r := range s.level.edges {
		next[r+1] += next[r]
	}
	order := make([]uint32, len(kept))
	for i, d := range kept {
		row := s.level.row(s.price[d])
		order[next[row]] = d
		kept[i] = uint32(next[row])
		next[row]++
	}
	return order
}

func renumber[T any](column *[]T, order []uint32) {
	moved := make([]T, len(order))
	for to, from := range order {
		moved[to] = (*column)[from]
	}
	*column = moved
}

// fillShelves makes the lists of every gear out of one array each, without room
// to spare, from all documents, those of one gear together and the newest first.
func (s *state) fillShelves(byPublished []uint32) {
	byDeal := slices.Clone(byPublished)
	for from, to := 0, 0; from < s.live; from = to {
		gear := s.kind[byPublished[from]].gear()
		for to = from; to < s.live && s.kind[byPublished[to]].gear() == gear; to++ {
		}
		shelf := &s.shelves[gear]
		shelf.byPublished, shelf.byDeal = byPublished[from:to:to], byDeal[from:to:to]
		slices.SortFunc(shelf.byDeal, s.compareDocDeals)
		s.noteHeads(int(gear))
		s.stock[s.shape.groupOf[gear]].count += to - from
	}
}

// sortPrices is all documents by price, then by number.
func (s *state) sortPrices() []uint32 {
	keys := make([]uint64, s.live)
	for d, price := range s.price {
		keys[d] = uint64(price)<<32 | uint64(d)
	}
	slices.Sort(keys)
	docs := make([]uint32, s.live)
	for i, key := range keys {
		docs[i] = uint32(key)
	}
	return docs
}

func (l *loader) fillTitles(order []uint32) {
	const gone = 1<<32 - 1
	renumbered := make([]uint32, 0)
	if n := len(order); n > 0 {
		renumbered = make([]uint32, slices.Max(order)+1)
	}
	for i := range renumbered {
		renumbered[i] = gone
	}
	for to, from := range order {
		renumbered[from] = uint32(to)
	}
	for term, docs := range l.terms {
		kept := docs[:0]
		for _, d := range docs {
			if int(d) < len(renumbered) && renumbered[d] != gone {
				kept = append(kept, renumbered[d])
			}
		}
		if len(kept) > 0 {
			slices.Sort(kept)
			l.s.titles.docs[term] = roaring.BitmapOf(kept...)
		}
	}
}
