package search

import (
	"cmp"
	"slices"

	"github.com/secondlight/secondlight/models/catalog"
)

const (
	conditionCount  = 7 // len(models.Conditions)
	functionalCount = 4 // len(models.Functionals)
)

// state holds the listings: columns indexed by document number, and lists of document
// numbers. core.mu guards it.
type state struct {
	lookup   *catalog.Lookup
	shape    *shape
	currency string // of all its listings; "" for that of the site
	live     int

	ids   []ID
	price []int32  // in minor units; removed for removed documents
	late  []uint32 // published, Unix milliseconds: the upper 32 bits of 48
	early []uint16 // published: the lower 16 bits
	kind  []kind
	next  []uint32 // the next document of the same seller, none for the last

	postage []uint32 // its number
	cards   cardStore

	table    idTable
	postings []postingList // by gear
	newest   ranking       // gear by newest listing
	best     ranking       // gear by best deal
	latest   front
	deals    front
	stock    []stock // by group
	size     []int32 // by group: number of listings; not in stock so that scans access adjacent memory

	level   *level
	buckets [][]uint32 // by row of the level: its documents, by price and then by number
	kinds   []cube     // by category
	brands  *margins
	mounts  *margins

	cells    *cells
	sellers  map[string]uint32
	ofSeller []uint32 // by seller number: the first document, continued by next
	rare     [len(rare)][]rareValue
	postages postages
	titles   titles
	free     []uint32 // document numbers to reuse
}

const (
	removed = -1        // price of a removed document
	none    = 1<<32 - 1 // no document
)

// kind holds the numbers of a listing's gear and cell.
type kind uint32

func (k kind) gear() uint16 { return uint16(k >> 16) }
func (k kind) cell() uint16 { return uint16(k) }

// postingList holds the listings of one gear.
type postingList struct {
	byPublished []uint32 // the newest first
	byDeal      []uint32 // the best first, what has no typical price last
	typical     [itemCount]typicalPrice
}

// stock holds the listings of one group: a small group has all of them in few, in no
// particular order, a larger group has a cube.
type stock struct {
	few  []item
	cube cube
}

// item holds the fields of a listing that are counted.
type item struct {
	price int32
	cell  uint16
}

// newState returns an empty state.
func newState(l *catalog.Lookup, sh *shape) *state {
	s := &state{
		lookup: l, shape: sh, postings: make([]postingList, l.Size()), newest: newRanking(l.Size()), best: newRanking(l.Size()), stock: make([]stock, len(sh.groups)), size: make([]int32, len(sh.groups)),
		cells: newCells(), sellers: map[string]uint32{}, postages: newPostages(), titles: newTitles(), cards: newCardStore(),
	}
	s.newFronts()
	s.redivide()
	return s
}

// published returns when a document was published, in Unix milliseconds.
func (s *state) published(d uint32) int64 { return int64(s.late[d])<<16 | int64(s.early[d]) }

// set writes a document's columns.
func (s *state) set(d uint32, e *entry) {
	s.ids[d], s.price[d], s.postage[d] = e.id, e.price, s.postages.number(e.postage)
	s.postages.add(s.postage[d], 1)
	s.cards.at[d] = s.cards.add(e.card)
	s.late[d], s.early[d] = uint32(e.published>>16), uint16(e.published)
	s.kind[d] = s.kindOf(e)
	s.live++
}

// kindOf returns the kind of an entry. It makes the level again if the entry has a new
// value that exceeds the capacity of margins.
func (s *state) kindOf(e *entry) kind {
	k := kind(e.gear)<<16 | kind(s.cells.cell(e.values))
	if len(s.cells.values) > s.level.values {
		s.redivide()
	}
	return k
}

// put adds an entry, and removes the listing with the same id if there is one.
func (s *state) put(e *entry) {
	s.remove(&e.id)
	d := s.number()
	s.set(d, e)
	s.link(d, s.sellerNumber(e.seller))
	s.addRare(d, &e.rare)
	s.table.insert(s.ids, d)
	s.titles.add(d, e.terms)

	s.setTypicalAt(e)
	list := &s.postings[e.gear]
	at, _ := slices.BinarySearchFunc(list.byPublished, d, s.compareNewest)
	list.byPublished = slices.Insert(list.byPublished, at, d)
	at, _ = slices.BinarySearchFunc(list.byDeal, d, s.compareDocDeals)
	list.byDeal = slices.Insert(list.byDeal, at, d)
	s.updateRankings(e.gear)
	s.insertFront(&s.latest, d)
	s.insertFront(&s.deals, d)

	s.insertPrice(d)
	s.updateCounts(d, 1)
}

// remove removes a listing, if it exists. Its document number is reused only after
// compact has removed it from the lists of sellers, rare columns and titles.
func (s *state) remove(id *ID) {
	d, ok := s.table.find(s.ids, id)
	if !ok {
		return
	}
	s.table.remove(s.ids, id)
	s.removeFront(&s.latest, d)
	s.removeFront(&s.deals, d)
	gear := s.kind[d].gear()
	list := &s.postings[gear]
	at, _ := slices.BinarySearchFunc(list.byPublished, d, s.compareNewest)
	list.byPublished = slices.Delete(list.byPublished, at, at+1)
	at, _ = slices.BinarySearchFunc(list.byDeal, d, s.compareDocDeals)
	list.byDeal = slices.Delete(list.byDeal, at, at+1)
	s.updateRankings(int(gear))

	s.removePrice(d)
	s.updateCounts(d, -1)

	s.postages.add(s.postage[d], -1)
	s.cards.set(d, nil)
	s.price[d] = removed
	s.titles.deleted.Add(d)
	s.live--
}

// compact fills the fronts again if necessary, makes the level again if the number of
// listings has more than doubled, and removes deleted documents from sellers, rare
// columns and titles once they are a considerable share.
func (s *state) compact() {
	s.fillFront(&s.latest)
	s.fillFront(&s.deals)
	if s.live > 2*s.level.listings+1024 {
		s.redivide()
	}
	if int(s.titles.deleted.GetCardinality()) > 1024+s.live/64 {
		for n := range s.ofSeller {
			s.unlinkRemoved(&s.ofSeller[n])
		}
		s.compactRare()
		s.free = append(s.free, s.titles.removeDeleted()...)
	}
}

// updateCounts adds by, 1 or −1, to all counts of a document.
func (s *state) updateCounts(d uint32, by int) {
	i := int(s.shape.groupOf[s.kind[d].gear()])
	st, price, cell := &s.stock[i], s.price[d], s.kind[d].cell()
	s.size[i] += int32(by)
	count := s.size[i]
	g := &s.shape.groups[i]
	if !s.kinds[g.category].add(price, cell, by) {
		s.countKind(g.category)
	}
	if g.brand >= 0 {
		s.brands.add(g.brand, price, s.cells.cells[cell], by)
	}
	for _, mount := range g.mounts {
		s.mounts.add(mount, price, s.cells.cells[cell], by)
	}
	from := s.level.cubeFrom()
	switch {
	case st.cube != nil && count >= from/2 && st.cube.add(price, cell, by):
	case st.cube != nil || count >= from:
		s.rebuildGroup(i)
	case by > 0:
		st.few = append(st.few, item{price, cell})
	default:
		at, last := slices.Index(st.few, item{price, cell}), len(st.few)-1
		st.few[at], st.few = st.few[last], st.few[:last]
	}
}

// rebuildGroup makes the list or the cube of a group, depending on its size.
func (s *state) rebuildGroup(i int) {
	st, count := &s.stock[i], s.size[i]
	st.few, st.cube = nil, nil
	switch {
	case count < s.level.cubeFrom():
		g := &s.shape.groups[i]
		st.few = make([]item, 0, count)
		for gear := g.from; gear < g.to; gear++ {
			for _, d := range s.postings[gear].byPublished {
				st.few = append(st.few, item{s.price[d], s.kind[d].cell()})
			}
		}
	default:
		st.cube = newCube(s, uint16(i))
	}
}

// number returns a free document number.
func (s *state) number() uint32 {
	if n := len(s.free); n > 0 {
		d := s.free[n-1]
		s.free = s.free[:n-1]
		return d
	}
	s.ids = append(s.ids, ID{})
	s.price = append(s.price, 0)
	s.late = append(s.late, 0)
	s.early = append(s.early, 0)
	s.kind = append(s.kind, 0)
	s.next = append(s.next, none)
	s.postage = append(s.postage, 0)
	s.cards.at = append(s.cards.at, noCard)
	return uint32(len(s.ids) - 1)
}

// sellerNumber returns the number of a seller, and adds the seller if it is new.
func (s *state) sellerNumber(handle string) uint32 {
	n, ok := s.sellers[handle]
	if !ok {
		n = uint32(len(s.ofSeller))
		s.sellers[handle] = n
		s.ofSeller = append(s.ofSeller, none)
	}
	return n
}

// link adds a document to the list of its seller.
func (s *state) link(d, seller uint32) {
	s.next[d] = s.ofSeller[seller]
	s.ofSeller[seller] = d
}

// unlinkRemoved removes the removed documents from a seller's list.
func (s *state) unlinkRemoved(first *uint32) {
	for at := first; *at != none; {
		if s.price[*at] == removed {
			*at = s.next[*at]
		} else {
			at = &s.next[*at]
		}
	}
}

// docsOf returns a seller's documents, in no particular order.
func (s *state) docsOf(handle string) (docs []uint32) {
	n, ok := s.sellers[handle]
	if !ok {
		return nil
	}
	for d := s.ofSeller[n]; d != none; d = s.next[d] {
		if s.price[d] != removed {
			docs = append(docs, d)
		}
	}
	return docs
}

// setTypicalAt sets the typical price of an entry's gear for its condition and functional state.
func (s *state) setTypicalAt(e *entry) {
	now := s.postings[e.gear].typical
	if s.lookup.At(e.gear).ModelSlug != "" && now[e.item] != e.typical {
		now[e.item] = e.typical
		s.setTypical(e.gear, now)
	}
}

// shareTypical makes the typical prices of all gear the same in all states, where a state
// has one.
func shareTypical(main *state, foreign []*state) {
	if len(foreign) == 0 {
		return
	}
	all := append([]*state{main}, foreign...)
	for gear := range main.postings {
		var now [itemCount]typicalPrice
		for _, s := range all {
			for i, typical := range s.postings[gear].typical {
				if typical.Price > now[i].Price {
					now[i] = typical
				}
			}
		}
		for _, s := range all {
			s.setTypical(gear, now)
		}
	}
}

// setTypical sets a gear's typical prices and updates the order of its deals.
func (s *state) setTypical(gear int, now [itemCount]typicalPrice) {
	list := &s.postings[gear]
	if list.typical != now {
		list.typical = now
		slices.SortFunc(list.byDeal, s.compareDocDeals)
		s.updateRankings(gear)
		s.reorderFront(&s.deals, gear)
	}
}

// updateRankings updates the rankings after a change of a gear's lists.
func (s *state) updateRankings(gear int) {
	list := &s.postings[gear]
	if len(list.byPublished) == 0 {
		s.newest.set(gear, noListing)
		s.best.set(gear, noListing)
		return
	}
	s.newest.set(gear, ^uint64(s.published(list.byPublished[0])))
	s.best.set(gear, s.dealKey(list.byDeal[0]))
}

// typicalOf returns the typical price of a document's gear for its condition and functional state.
func (s *state) typicalOf(d uint32) int32 { return s.typicalPriceOf(d).Price }

// typicalPriceOf returns the typical price of a document's gear for its condition and functional
// state, with the low end of its range.
func (s *state) typicalPriceOf(d uint32) *typicalPrice {
	return &s.postings[s.kind[d].gear()].typical[s.itemOf(d)]
}

// itemOf returns the number of a document's condition and functional state.
func (s *state) itemOf(d uint32) itemNumber { return s.cells.item[s.kind[d].cell()] }

// compareNewest orders documents by newest first, then by descending id.
func (s *state) compareNewest(a, b uint32) int {
	if by := cmp.Compare(s.published(b), s.published(a)); by != 0 {
		return by
	}
	return compareIDs(&s.ids[b], &s.ids[a])
}

// compareDocDeals orders documents of any gear by best deal first, then as
// compareNewest does.
func (s *state) compareDocDeals(a, b uint32) int {
	if by := compareDeals(s.price[a], s.typicalOf(a), s.price[b], s.typicalOf(b)); by != 0 {
		return by
	}
	return s.compareNewest(a, b)
}

// idsOf returns the ids of documents.
func (s *state) idsOf(docs []uint32) []string {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = s.ids[d].String()
	}
	return ids
}
