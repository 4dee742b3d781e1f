package search

import (
	"cmp"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"
)

// loader builds a state from many documents at once. It reads all documents, numbers
// them so that documents accessed together are adjacent in memory, and allocates each
// column and each list once.
type loader struct {
	x      *core
	s      *state
	docs   rawDocs // in input order
	ofGear []int   // by gear: number of documents

	batches chan []titled
	batch   []titled
	reading sync.WaitGroup // tracks the goroutine that reads titles and cards
	titles  *titleReader
	terms   []uint32 // of every title, in input order
	ends    []int    // by document: end of its terms in terms
	cards   []uint32 // by document: the address of its card
}

// rawDoc is a document as read from the input.
type rawDoc struct {
	id        ID
	published int64
	price     int32
	seller    uint32
	postage   uint32
	kind      kind
	rare      RareValues
	defects   defectSet
}

// rawDocs is a list that never moves its elements when it grows.
type rawDocs struct {
	parts [][]rawDoc
	len   int
}

const partSize = 1 << 12

func (a *rawDocs) add(doc rawDoc) {
	if a.len%partSize == 0 {
		a.parts = append(a.parts, make([]rawDoc, partSize))
	}
	a.parts[a.len/partSize][a.len%partSize] = doc
	a.len++
}

func (a *rawDocs) at(i uint32) *rawDoc { return &a.parts[i/partSize][i%partSize] }

// titled is a document whose title and card have to be read.
type titled struct {
	gear  int
	title string
	card  []byte
}

// Documents are read in batches.
const (
	titlesInBatch = 512
	maxBatches    = 8
)

// newLoader returns a loader for the listings of x in a currency. The caller must call end.
// Reading titles and compressing cards takes the longest, so a goroutine does it
// concurrently.
func newLoader(x *core, currency string) *loader {
	l := &loader{x: x, s: newState(x.lookup, x.shape), ofGear: make([]int, x.lookup.Size()), titles: newTitleReader(x.lookup), batches: make(chan []titled, maxBatches)}
	l.s.currency = currency
	batches := l.batches
	l.reading.Go(func() {
		for batch := range batches {
			l.read(batch)
		}
	})
	return l
}

// push adds a document. It returns an error if it is invalid.
func (l *loader) push(doc *Doc) error {
	e, err := l.x.entry(doc)
	if err != nil {
		return err
	}
	l.add(&e)
	if l.batch = append(l.batch, titled{e.gear, doc.Title, e.card}); len(l.batch) == titlesInBatch {
		l.batches <- l.batch
		l.batch = make([]titled, 0, titlesInBatch)
	}
	return nil
}

// end ends the goroutine once it has read all documents. It may still run when end returns.
func (l *loader) end() {
	if l.batches != nil {
		close(l.batches)
		l.batches = nil
	}
}

// add adds a document without its title.
func (l *loader) add(e *entry) {
	s := l.s
	l.docs.add(rawDoc{e.id, e.published, e.price, s.sellers.number(e.seller), s.postages.number(e.postage), s.kindOf(e), e.rare, e.defects})
	l.ofGear[e.gear]++
	if s.lookup.At(e.gear).ModelSlug != "" {
		s.postings[e.gear].typical[e.item] = e.typical
	}
}

// read appends the terms of the titles and the cards of a batch.
func (l *loader) read(batch []titled) {
	packed := l.pack(batch)
	for i, doc := range batch {
		l.terms = l.titles.foreign(l.terms, doc.gear, doc.title)
		l.ends = append(l.ends, len(l.terms))
		l.cards = append(l.cards, l.s.cards.put(packed[i]))
	}
}

// pack compresses the cards of a batch on all processors.
func (l *loader) pack(batch []titled) [][]byte {
	packed := make([][]byte, len(batch))
	for i := range batch {
		packed[i] = batch[i].card
	}
	cards := &l.s.cards
	cards.train(packed)
	share(len(packed), func(from, to int) {
		for i := from; i < to; i++ {
			packed[i] = cards.pack(packed[i])
		}
	})
	return packed
}

// state returns the state of all documents added.
func (l *loader) state() *state {
	l.batches <- l.batch
	l.end()
	s := l.s
	unique := l.unique()
	s.live = len(unique)
	s.level = newLevel(s.live, s.cells, sample(unique, func(d dated) int32 { return d.price }))
	order, byPublished := l.order(unique)
	s.makeColumns(len(order))
	share(len(order), func(from, to int) { l.fillColumns(order, from, to) })
	var byPrice []uint32
	var work sync.WaitGroup
	work.Go(func() { l.fillPostings(byPublished) })
	work.Go(func() { byPrice = s.sortPrices() })
	work.Go(s.fillTable)
	work.Go(s.sellers.linkAll)
	work.Go(s.countPostages)
	work.Go(func() { l.fillCards(order) })
	work.Go(func() { l.fillRare(order) })
	work.Go(func() { l.fillTitles(order) })
	work.Wait()
	s.fillFront(&s.latest)
	s.fillFront(&s.deals)
	s.divide(byPrice)
	return s
}

// share divides the range from 0 to n among GOMAXPROCS goroutines and waits for them.
func share(n int, work func(from, to int)) {
	var parts sync.WaitGroup
	count := runtime.GOMAXPROCS(0)
	for i := range count {
		parts.Go(func() { work(i*n/count, (i+1)*n/count) })
	}
	parts.Wait()
}

// dated holds the fields of a document that its order depends on.
type dated struct {
	published int64
	price     int32
	doc       uint32 // index in input order
}

// unique returns the documents without those replaced by a later document with the
// same id, grouped by gear and then newest first.
func (l *loader) unique() []dated {
	ids := make([]ID, l.docs.len)
	for d := range ids {
		ids[d] = l.docs.at(uint32(d)).id
	}
	unique := make([]dated, len(ids))
	byGear := make([][]dated, len(l.ofGear)) // subslices of unique
	for gear, rest := 0, unique; gear < len(byGear); gear++ {
		n := l.ofGear[gear]
		byGear[gear], rest = rest[:0:n], rest[n:]
	}
	last := newIDTable(2 * len(ids)) // of documents with the same id the last is used
	for d := uint32(len(ids)); d > 0; d-- {
		doc := l.docs.at(d - 1)
		if _, known := last.find(ids, &doc.id); !known {
			last.put(ids, d)
			gear := doc.kind.gear()
			byGear[gear] = append(byGear[gear], dated{doc.published, doc.price, d - 1})
		}
	}
	unique = unique[:0] // removes the gaps left by duplicates
	for gear, docs := range byGear {
		slices.SortFunc(docs, func(a, b dated) int {
			if a.published != b.published {
				return cmp.Compare(b.published, a.published)
			}
			return compareIDs(&ids[b.doc], &ids[a.doc])
		})
		unique = append(unique, docs...)
		l.ofGear[gear] = len(docs)
	}
	return unique
}

// order numbers the documents by bucket and then by gear, so that scanning a bucket or
// a gear's list accesses adjacent memory. It returns the input indexes by document
// number, and the document numbers in the order of unique.
func (l *loader) order(unique []dated) (order, numbers []uint32) {
	level := l.s.level
	order, numbers = make([]uint32, len(unique)), make([]uint32, len(unique))
	next := make([]uint32, len(level.edges)+1) // by row
	for i, d := range unique {
		row := level.row(d.price)
		numbers[i] = uint32(row)
		next[row+1]++
	}
	for r := range level.edges {
		next[r+1] += next[r]
	}
	for i, d := range unique {
		row := numbers[i]
		numbers[i] = next[row]
		order[next[row]] = d.doc
		next[row]++
	}
	return order, numbers
}

// makeColumns allocates the columns for n documents.
func (s *state) makeColumns(n int) {
	s.ids, s.price, s.kind, s.postage = make([]ID, n), make([]int32, n), make([]kind, n), make([]uint32, n)
	s.late, s.early, s.sellers.next = make([]uint32, n), make([]uint16, n), make([]uint32, n)
}

// fillColumns fills the columns of the documents from from up to, but not including,
// to.
func (l *loader) fillColumns(order []uint32, from, to int) {
	s := l.s
	for d := from; d < to; d++ {
		doc := l.docs.at(order[d])
		s.ids[d], s.price[d], s.kind[d], s.postage[d] = doc.id, doc.price, doc.kind, doc.postage
		s.late[d], s.early[d] = uint32(doc.published>>16), uint16(doc.published)
		s.sellers.next[d] = doc.seller // replaced by linkAll
	}
}

// fillRare fills the rare columns and the lists of flaws.
func (l *loader) fillRare(order []uint32) {
	for d, from := range order {
		doc := l.docs.at(from)
		l.s.rare.add(uint32(d), &doc.rare)
		l.s.flaws.put(doc.kind.gear(), uint32(d), doc.defects)
	}
	for i := range l.s.rare {
		l.s.rare[i] = slices.Clip(l.s.rare[i])
	}
	for gear, list := range l.s.flaws.lists {
		l.s.flaws.lists[gear] = slices.Clone(list) // without spare capacity
	}
}

// fillTable makes the table of ids.
func (s *state) fillTable() {
	s.table = newIDTable(s.live)
	for d := range s.ids {
		s.table.put(s.ids, uint32(d)+1)
	}
}

// fillPostings makes the posting lists of all gear as subslices of two arrays.
// byPublished holds all documents, grouped by gear and then newest first.
func (l *loader) fillPostings(byPublished []uint32) {
	s := l.s
	byDeal := make([]uint32, len(byPublished))
	for gear, n := range l.ofGear {
		list := &s.postings[gear]
		list.byPublished, byPublished = byPublished[:n:n], byPublished[n:]
		list.byDeal, byDeal = byDeal[:n:n], byDeal[n:]
		s.size[s.shape.groupOf[gear]] += int32(n)
	}
	share(len(s.postings), func(from, to int) {
		var deals []deal
		for gear := from; gear < to; gear++ {
			deals = s.sortDeals(&s.postings[gear], deals)
		}
	})
	for gear := range s.postings {
		s.updateRankings(gear)
	}
}

// fillTitles sets the documents of every term. It waits until all titles are read.
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
			l.s.titles.set(term, docs[n])
		}
	}
}

// fillCards fills the addresses of the cards. It waits until all cards are stored.
func (l *loader) fillCards(order []uint32) {
	l.reading.Wait()
	cards := &l.s.cards
	cards.at = make([]uint32, len(order))
	for d, from := range order {
		cards.at[d], l.cards[from] = l.cards[from], noCard
	}
	for _, at := range l.cards { // of documents that were replaced
		cards.remove(at)
	}
}

// termsOf returns the terms of a document, given its input index.
func (l *loader) termsOf(doc uint32) []uint32 {
	from := 0
	if doc > 0 {
		from = l.ends[doc-1]
	}
	return l.terms[from:l.ends[doc]]
}

// countPostages counts the listings of each postage.
func (s *state) countPostages() {
	for _, n := range s.postage {
		s.postages.list[n].listings++
	}
}

// Load replaces all listings. Of several documents with the same id the last is used.
// On error the index is unchanged.
func (x *core) Load(docs iter.Seq2[Doc, error]) error {
	loaders := map[string]*loader{"": newLoader(x, "")}
	defer func() {
		for _, l := range loaders {
			l.end()
		}
	}()
	for doc, err := range docs {
		if err != nil {
			return err
		}
		l := loaders[doc.Currency]
		if l == nil {
			l = newLoader(x, doc.Currency)
			loaders[doc.Currency] = l
		}
		if err := l.push(&doc); err != nil {
			return err
		}
	}
	var main *state
	var foreign []*state
	for _, code := range slices.Sorted(maps.Keys(loaders)) {
		if l := loaders[code]; code == "" {
			main = l.state()
		} else {
			foreign = append(foreign, l.state())
		}
	}
	shareTypical(main, foreign)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state, x.foreign = main, foreign
	x.version.Add(1)
	return nil
}
