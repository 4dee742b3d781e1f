package search

import (
	"cmp"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// loader builds a state from many documents at once: it gathers them as they come,
// numbers them anew so that neighbours are looked at together, and makes each
// column and each list once.
type loader struct {
	x      *Index
	s      *state
	docs   arrivals
	ofGear []int // how many there are

	reading sync.WaitGroup // the titles, beside everything else
	titles  *titleReader
	terms   []uint32 // of every title, in the order of arrival
	ends    []int    // where the terms of each end
}

// arrival is a document as it came.
type arrival struct {
	id        ID
	card      []byte
	published int64
	price     int32
	seller    uint32
	kind      kind
}

// arrivals is a list that does not move what is in it when it grows.
type arrivals struct {
	parts [][]arrival
	len   int
}

const partSize = 1 << 12

func (a *arrivals) add(doc arrival) {
	if a.len%partSize == 0 {
		a.parts = append(a.parts, make([]arrival, partSize))
	}
	a.parts[a.len/partSize][a.len%partSize] = doc
	a.len++
}

func (a *arrivals) at(i uint32) *arrival { return &a.parts[i/partSize][i%partSize] }

// titled is a document whose title is to be read.
type titled struct {
	gear  int
	title string
}

func newLoader(x *Index) *loader {
	return &loader{x: x, s: newState(x.lookup, x.shape), ofGear: make([]int, x.lookup.Size()), titles: newTitleReader(x.lookup)}
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
	l.docs.add(arrival{e.id, e.card, e.published, e.price, s.sellerNumber(e.seller), s.kindOf(e)})
	l.ofGear[e.gear]++
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
	s.level = newLevel(s.live, s.cells, sample(kept, func(d dated) int32 { return d.price }))
	order, byPublished := l.order(kept)
	s.makeColumns(len(order))
	share(len(order), func(from, to int) { l.fillColumns(order, from, to) })
	var byPrice []uint32
	var work sync.WaitGroup
	work.Go(func() { l.fillShelves(byPublished) })
	work.Go(func() { byPrice = s.sortPrices() })
	work.Go(s.fillTable)
	work.Go(s.linkAll)
	work.Go(func() { l.fillTitles(order) })
	work.Wait()
	s.fill(&s.latest)
	s.fill(&s.deals)
	s.divide(byPrice)
	return s
}

// share cuts n things into as many parts as there are processors, and works on all
// parts at once.
func share(n int, work func(from, to int)) {
	var parts sync.WaitGroup
	count := runtime.GOMAXPROCS(0)
	for i := range count {
		parts.Go(func() { work(i*n/count, (i+1)*n/count) })
	}
	parts.Wait()
}

// dated is of a document what it is put into order by.
type dated struct {
	published int64
	price     int32
	doc       uint32 // in the order of arrival
}

// kept is the documents to keep, those of one gear together and the newest first.
func (l *loader) kept() []dated {
	ids := make([]ID, l.docs.len)
	for d := range ids {
		ids[d] = l.docs.at(uint32(d)).id
	}
	kept := make([]dated, len(ids))
	byGear := make([][]dated, len(l.ofGear)) // parts of it
	for gear, rest := 0, kept; gear < len(byGear); gear++ {
		n := l.ofGear[gear]
		byGear[gear], rest = rest[:0:n], rest[n:]
	}
	last := newIDTable(2 * len(ids)) // of documents with one id the last counts
	for d := uint32(len(ids)); d > 0; d-- {
		doc := l.docs.at(d - 1)
		if _, known := last.find(ids, &doc.id); !known {
			last.place(ids, d)
			gear := doc.kind.gear()
			byGear[gear] = append(byGear[gear], dated{doc.published, doc.price, d - 1})
		}
	}
	kept = kept[:0] // closes the gaps of what does not count
	for gear, docs := range byGear {
		slices.SortFunc(docs, func(a, b dated) int {
			if a.published != b.published {
				return cmp.Compare(b.published, a.published)
			}
			return compareIDs(&ids[b.doc], &ids[a.doc])
		})
		kept = append(kept, docs...)
		l.ofGear[gear] = len(docs)
	}
	return kept
}

// order numbers the documents to keep anew: those of one bucket together, in it
// those of one gear. So neither who walks a bucket nor who walks a gear jumps
// about in memory. It is the old numbers by the new ones, and the new numbers in
// the order of kept.
func (l *loader) order(kept []dated) (order, numbers []uint32) {
	level := l.s.level
	order, numbers = make([]uint32, len(kept)), make([]uint32, len(kept))
	next := make([]uint32, len(level.edges)+1) // by row
	for i, d := range kept {
		row := level.row(d.price)
		numbers[i] = uint32(row)
		next[row+1]++
	}
	for r := range level.edges {
		next[r+1] += next[r]
	}
	for i, d := range kept {
		row := numbers[i]
		numbers[i] = next[row]
		order[next[row]] = d.doc
		next[row]++
	}
	return order, numbers
}

func (s *state) makeColumns(n int) {
	s.ids, s.price, s.kind, s.cards = make([]ID, n), make([]int32, n), make([]kind, n), make([][]byte, n)
	s.late, s.early, s.next = make([]uint32, n), make([]uint16, n), make([]uint32, n)
}

func (l *loader) fillColumns(order []uint32, from, to int) {
	s := l.s
	for d := from; d < to; d++ {
		doc := l.docs.at(order[d])
		s.ids[d], s.price[d], s.kind[d], s.cards[d] = doc.id, doc.price, doc.kind, doc.card
		s.late[d], s.early[d] = uint32(doc.published>>16), uint16(doc.published)
		s.next[d] = doc.seller // until it is linked
	}
}

// linkAll lists the documents of every seller, who stands in the place of the next.
func (s *state) linkAll() {
	for d, seller := range s.next {
		s.link(uint32(d), seller)
	}
}

func (s *state) fillTable() {
	s.table = newIDTable(s.live)
	for d := range s.ids {
		s.table.place(s.ids, uint32(d)+1)
	}
}

// fillShelves makes the lists of every gear out of one array each, without room
// to spare, from all documents, those of one gear together and the newest first.
func (l *loader) fillShelves(byPublished []uint32) {
	s := l.s
	byDeal := make([]uint32, len(byPublished))
	for gear, n := range l.ofGear {
		shelf := &s.shelves[gear]
		shelf.byPublished, byPublished = byPublished[:n:n], byPublished[n:]
		shelf.byDeal, byDeal = byDeal[:n:n], byDeal[n:]
		s.size[s.shape.groupOf[gear]] += int32(n)
	}
	share(len(s.shelves), func(from, to int) {
		var deals []deal
		for gear := from; gear < to; gear++ {
			deals = s.sortDeals(&s.shelves[gear], deals)
		}
	})
	for gear := range s.shelves {
		s.noteHeads(gear)
	}
}

// deal is a document of a shelf: its price, the typical one, and its place among
// the newest, where the deals are the same.
type deal struct {
	price, typical int32
	place          uint32
}

// sortDeals orders byDeal as compareDocDeals does; deals is room to work in.
func (s *state) sortDeals(shelf *shelf, deals []deal) []deal {
	deals = deals[:0]
	for i, d := range shelf.byPublished {
		deals = append(deals, deal{s.price[d], s.typicalOf(d), uint32(i)})
	}
	slices.SortFunc(deals, func(a, b deal) int {
		if by := compareDeals(a.price, a.typical, b.price, b.typical); by != 0 {
			return by
		}
		return cmp.Compare(a.place, b.place)
	})
	for i := range deals {
		shelf.byDeal[i] = shelf.byPublished[deals[i].place]
	}
	return deals
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
