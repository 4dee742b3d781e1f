package search

import (
	"iter"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// loader builds a state from many documents at once: it gathers the columns as
// they come, numbers the documents anew so that neighbours are looked at together,
// and sorts each list once.
type loader struct {
	x      *Index
	s      *state
	seller []uint32 // in the order of arrival

	reading sync.WaitGroup // the titles, beside everything else
	titles  *titleReader
	terms   []uint32 // of every title, in the order of arrival
	ends    []int    // where the terms of each end
}

// titled is a document whose title is to be read.
type titled struct {
	gear  int
	title string
}

func newLoader(x *Index) *loader {
	return &loader{x: x, s: newState(x.lookup, x.shape), titles: newTitleReader(x.lookup)}
}

// addAll gathers all documents. Their titles, which take longest, are handed on to
// be read while the next documents come; they may be read still when it returns.
func (l *loader) addAll(docs iter.Seq2[Doc, error]) error {
	const size, ahead = 512, 8
	batches := make(chan []titled, ahead)
	defer close(batches)
	l.reading.Go(func() {
		for batch := range batches {
			l.read(batch)
		}
	})
	batch := make([]titled, 0, size)
	for doc, err := range docs {
		if err != nil {
			return err
		}
		e, err := l.x.entry(&doc)
		if err != nil {
			return err
		}
		l.add(&e)
		if batch = append(batch, titled{e.gear, doc.Title}); len(batch) == size {
			batches <- batch
			batch = make([]titled, 0, size)
		}
	}
	batches <- batch
	return nil
}

func (l *loader) add(e *entry) {
	s := l.s
	s.set(s.number(), e)
	l.seller = append(l.seller, s.sellerNumber(e.seller))
	if s.lookup.At(e.gear).ModelSlug != "" {
		s.shelves[e.gear].typical[e.condition] = e.typical
	}
}

func (l *loader) read(batch []titled) {
	for _, doc := range batch {
		l.terms = l.titles.foreign(l.terms, doc.gear, doc.title)
		l.ends = append(l.ends, len(l.terms))
	}
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
	s.fill(&s.latest)
	s.fill(&s.deals)
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

// fillTitles lists the documents of every term, in their order.
func (l *loader) fillTitles(order []uint32) {
	l.reading.Wait()
	docs := make([][]uint32, len(l.titles.terms))
	for to, from := range order {
		for _, term := range l.termsOf(from) {
			docs[term] = append(docs[term], uint32(to))
		}
	}
	for n, term := range l.titles.terms {
		if len(docs[n]) > 0 {
			l.s.titles.docs[term] = roaring.BitmapOf(docs[n]...)
		}
	}
}

func (l *loader) termsOf(doc uint32) []uint32 {
	from := 0
	if doc > 0 {
		from = l.ends[doc-1]
	}
	return l.terms[from:l.ends[doc]]
}
