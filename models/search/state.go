package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/secondlight/secondlight/models"
)

const conditionCount = 7 // of models.Conditions

// state is the listings, as arrays over document numbers and lists of numbers.
type state struct {
	lookup *models.Lookup
	shape  *shape
	live   int

	ids   []ID
	price []int32  // removed for removed documents
	late  []uint32 // published, Unix milliseconds: the upper 32 bits of 48
	early []uint16 // and the lower 16
	kind  []kind
	next  []uint32 // another document of the same seller, none at the end
	cards [][]byte

	table   idTable
	shelves []shelf // by gear
	newest  ranking // of gear by its newest listing
	best    ranking // of gear by its best deal
	latest  front
	deals   front
	stock   []stock // by group
	size    []int32 // listings by group: beside stock, to be looked through faster

	level   *level
	buckets [][]uint32      // by row of the level: the documents in it, by price, then by number
	kinds   []*cube[uint32] // by category
	brands  *margins
	mounts  *margins

	cells    *cells
	sellers  map[string]uint32
	ofSeller []uint32 // the first document of each, to go on from with next
	titles   titles
	free     []uint32 // numbers to use again
}

const (
	removed = -1        // for a price
	none    = 1<<32 - 1 // for a document
)

// kind is the gear of a listing and its cell, by their numbers.
type kind uint32

func (k kind) gear() uint16 { return uint16(k >> 16) }
func (k kind) cell() uint16 { return uint16(k) }

// shelf is the listings of one gear.
type shelf struct {
	byPublished []uint32              // the newest first
	byDeal      []uint32              // the best first, what has no typical price last
	typical     [conditionCount]int32 // 0 for none
}

// stock is the listings of one group.
//
// It has one of them: all listings of a small group, in no order, or the cube of
// another, of numbers as wide as it needs.
type stock struct {
	few   []item
	small *cube[uint16]
	large *cube[uint32]
}

// item is what is to be counted of a listing.
type item struct {
	price int32
	cell  uint16
}

func newState(l *models.Lookup, sh *shape) *state {
	s := &state{
		lookup: l, shape: sh, shelves: make([]shelf, l.Size()), newest: newRanking(l.Size()), best: newRanking(l.Size()), stock: make([]stock, len(sh.groups)), size: make([]int32, len(sh.groups)),
		cells: newCells(), sellers: map[string]uint32{}, titles: newTitles(),
	}
	s.newFronts()
	s.redivide()
	return s
}

// published is when a document was published.
func (s *state) published(d uint32) int64 { return int64(s.late[d])<<16 | int64(s.early[d]) }

// set writes a document's columns.
func (s *state) set(d uint32, e *entry) {
	s.ids[d], s.price[d], s.cards[d] = e.id, e.price, e.card
	s.late[d], s.early[d] = uint32(e.published>>16), uint16(e.published)
	s.kind[d] = s.kindOf(e)
	s.live++
}

// kindOf returns the kind of an entry. It makes the cubes larger when its cell is
// new and they have no room for it.
func (s *state) kindOf(e *entry) kind {
	k := kind(e.gear)<<16 | kind(s.cells.cell(e.values))
	if len(s.cells.cells) > s.level.cells || len(s.cells.values) > s.level.values {
		s.redivide()
	}
	return k
}

func (s *state) put(e *entry) {
	s.remove(&e.id)
	d := s.number()
	s.set(d, e)
	s.link(d, s.sellerNumber(e.seller))
	s.table.insert(s.ids, d)
	s.titles.add(d, e.terms)

	shelf := &s.shelves[e.gear]
	if s.lookup.At(e.gear).ModelSlug != "" && shelf.typical[e.condition] != e.typical {
		now := shelf.typical
		now[e.condition] = e.typical
		s.setTypical(e.gear, now)
	}
	at, _ := slices.BinarySearchFunc(shelf.byPublished, d, s.compareNewest)
	shelf.byPublished = slices.Insert(shelf.byPublished, at, d)
	at, _ = slices.BinarySearchFunc(shelf.byDeal, d, s.compareDocDeals)
	shelf.byDeal = slices.Insert(shelf.byDeal, at, d)
	s.noteHeads(e.gear)
	s.advance(&s.latest, d)
	s.advance(&s.deals, d)

	s.insertPrice(d)
	s.tally(d, 1)
}

// remove takes a listing out. Its number is used again only when its seller and
// the words of its title have forgotten it, see tidy.
func (s *state) remove(id *ID) {
	d, ok := s.table.find(s.ids, id)
	if !ok {
		return
	}
	s.table.remove(s.ids, id)
	s.retreat(&s.latest, d)
	s.retreat(&s.deals, d)
	gear := s.kind[d].gear()
	shelf := &s.shelves[gear]
	at, _ := slices.BinarySearchFunc(shelf.byPublished, d, s.compareNewest)
	shelf.byPublished = slices.Delete(shelf.byPublished, at, at+1)
	at, _ = slices.BinarySearchFunc(shelf.byDeal, d, s.compareDocDeals)
	shelf.byDeal = slices.Delete(shelf.byDeal, at, at+1)
	s.noteHeads(int(gear))

	s.removePrice(d)
	s.tally(d, -1)

	s.price[d], s.cards[d] = removed, nil
	s.titles.dead.Add(d)
	s.live--
}

// tidy makes sellers and titles forget what was removed, once it is a notable
// part, fills the fronts that are spent, and divides the prices anew when there are
// many more than before.
func (s *state) tidy() {
	s.fill(&s.latest)
	s.fill(&s.deals)
	if s.live > 2*s.level.listings+1024 {
		s.redivide()
	}
	if int(s.titles.dead.GetCardinality()) > 1024+s.live/64 {
		for n := range s.ofSeller {
			s.unlinkRemoved(&s.ofSeller[n])
		}
		s.free = append(s.free, s.titles.forget()...)
	}
}

// tally counts a document in, or out with by −1.
func (s *state) tally(d uint32, by int) {
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
	switch {
	case st.small != nil && count <= math.MaxUint16 && count >= cubeUntil && st.small.add(price, cell, by):
	case st.large != nil && count >= cubeUntil && st.large.add(price, cell, by):
	case st.small != nil || st.large != nil || count >= cubeFrom:
		s.fit(i)
	case by > 0:
		st.few = append(st.few, item{price, cell})
	default:
		at, last := slices.Index(st.few, item{price, cell}), len(st.few)-1
		st.few[at], st.few = st.few[last], st.few[:last]
	}
}

// fit gives a group the cube that it is worth, if any.
func (s *state) fit(i int) {
	st, count := &s.stock[i], s.size[i]
	st.few, st.small, st.large = nil, nil, nil
	switch {
	case count < cubeFrom:
		g := &s.shape.groups[i]
		st.few = make([]item, 0, count)
		for gear := g.from; gear < g.to; gear++ {
			for _, d := range s.shelves[gear].byPublished {
				st.few = append(st.few, item{s.price[d], s.kind[d].cell()})
			}
		}
	case count <= math.MaxUint16:
		st.small = newCube[uint16](s, uint16(i))
	default:
		st.large = newCube[uint32](s, uint16(i))
	}
}

// number is a free document number.
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
	s.cards = append(s.cards, nil)
	return uint32(len(s.ids) - 1)
}

func (s *state) sellerNumber(handle string) uint32 {
	n, ok := s.sellers[handle]
	if !ok {
		n = uint32(len(s.ofSeller))
		s.sellers[handle] = n
		s.ofSeller = append(s.ofSeller, none)
	}
	return n
}

// link adds a document to those of its seller.
func (s *state) link(d, seller uint32) {
	s.next[d] = s.ofSeller[seller]
	s.ofSeller[seller] = d
}

// unlinkRemoved takes the removed documents out of a seller's.
func (s *state) unlinkRemoved(first *uint32) {
	for at := first; *at != none; {
		if s.price[*at] == removed {
			*at = s.next[*at]
		} else {
			at = &s.next[*at]
		}
	}
}

// docsOf is a seller's documents, in no order.
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

// setTypical changes a gear's typical prices, and so the order of its deals.
func (s *state) setTypical(gear int, now [conditionCount]int32) {
	shelf := &s.shelves[gear]
	if shelf.typical != now {
		shelf.typical = now
		slices.SortFunc(shelf.byDeal, s.compareDocDeals)
		s.noteHeads(gear)
		s.rearrange(&s.deals, gear)
	}
}

// noteHeads notes what stands first in the lists of a gear.
func (s *state) noteHeads(gear int) {
	shelf := &s.shelves[gear]
	if len(shelf.byPublished) == 0 {
		s.newest.set(gear, noListing)
		s.best.set(gear, noListing)
		return
	}
	s.newest.set(gear, ^uint64(s.published(shelf.byPublished[0])))
	s.best.set(gear, s.dealKey(shelf.byDeal[0]))
}

// typicalOf is the typical price of a document's gear at its condition.
func (s *state) typicalOf(d uint32) int32 {
	return s.shelves[s.kind[d].gear()].typical[s.conditionOf(s.kind[d].cell())]
}

// conditionOf returns the index in models.Conditions of the condition of a cell.
func (s *state) conditionOf(cell uint16) uint8 { return s.cells.condition[cell] }

// compareNewest puts the newer document first, then the greater id.
func (s *state) compareNewest(a, b uint32) int {
	if by := cmp.Compare(s.published(b), s.published(a)); by != 0 {
		return by
	}
	return compareIDs(&s.ids[b], &s.ids[a])
}

// compareDocDeals puts the better deal of one gear first.
func (s *state) compareDocDeals(a, b uint32) int {
	if by := compareDeals(s.price[a], s.typicalOf(a), s.price[b], s.typicalOf(b)); by != 0 {
		return by
	}
	return s.compareNewest(a, b)
}

func (s *state) idsOf(docs []uint32) []string {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = s.ids[d].String()
	}
	return ids
}
