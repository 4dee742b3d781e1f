package search

import (
	"slices"

	"github.com/secondlight/secondlight/models/catalog"
)

// state holds the listings in one currency. core.mu guards it.
type state struct {
	cubes
	lookup   *catalog.Lookup
	currency string // of all its listings; "" for that of the site

	table    idTable
	sellers  sellers
	rare     rareLists
	flaws    flaws
	postages postages
	titles   titles
	cards    cardStore
	free     []uint32 // document numbers to reuse
	mapped   *block   // the snapshot that arrays may be in, nil for none
}

// newState returns an empty state.
func newState(l *catalog.Lookup, sh *shape) *state {
	s := &state{lookup: l, sellers: newSellers(), postages: newPostages(), titles: newTitles(), flaws: newFlaws(l.Size()), cards: newCardStore()}
	s.shape, s.cells = sh, newCells()
	s.postings, s.newest, s.best = make([]postingList, l.Size()), newRanking(l.Size()), newRanking(l.Size())
	s.stock, s.size = make([]stock, len(sh.groups)), make([]int32, len(sh.groups))
	s.newFronts()
	s.redivide()
	return s
}

// set writes a document's columns.
func (s *state) set(d uint32, e *entry) {
	s.ids[d], s.price[d], s.postage[d] = e.id, e.price, s.postages.number(e.postage)
	s.postages.add(s.postage[d], 1)
	s.cards.at[d] = s.cards.add(e.card)
	s.late[d], s.early[d] = uint32(e.published>>16), uint16(e.published)
	s.kind[d] = s.kindOf(e)
	s.live++
}

// put adds an entry, and removes the listing with the same id if there is one.
func (s *state) put(e *entry) {
	s.remove(&e.id)
	d := s.number()
	s.set(d, e)
	s.sellers.add(d, e.seller)
	s.rare.add(d, &e.rare)
	s.flaws.put(uint16(e.gear), d, e.defects)
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
	s.flaws.remove(gear, d)
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
		s.sellers.compact(s.price)
		s.rare.compact(s.price)
		s.free = append(s.free, s.titles.removeDeleted()...)
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
	s.sellers.next = append(s.sellers.next, none)
	s.postage = append(s.postage, 0)
	s.cards.at = append(s.cards.at, noCard)
	return uint32(len(s.ids) - 1)
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
				if typical.Improbable > now[i].Improbable {
					now[i] = typical
				}
			}
		}
		for _, s := range all {
			s.setTypical(gear, now)
		}
	}
}
