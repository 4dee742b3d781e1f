package search

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"

	"github.com/secondlight/secondlight/models/catalog"
)

// hits collects the first listings of an order, in order.
type hits struct {
	sort  Sort
	limit int
	after *position // only listings after it are collected; nil for the first page
	list  []hit

	// The following fields allow a cheap test whether a listing comes after the
	// last hit. If the list is full they are the key and time of the last hit.
	key       uint64
	published int64
	late      uint32 // the upper part of published, as in the column
}

// hit is a listing in an order. Hits are ordered by lowest key, then latest time, then
// greatest id. Keys of deals are rounded down, so equal keys have to be compared
// exactly.
type hit struct {
	key       uint64
	published int64
	doc       uint32
}

// reset prepares h for a search and keeps the capacity of its list.
func (h *hits) reset(sort Sort, limit int, after *position) {
	*h = hits{sort: sort, limit: limit, after: after, list: h.list[:0], key: noListing}
}

// full reports whether the list has limit hits.
func (h *hits) full() bool { return len(h.list) == h.limit }

// dealKey returns the key of a document in the order Deal.
func (s *state) dealKey(d uint32) uint64 { return dealKey(s.price[d], s.typicalOf(d)) }

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

// compare returns a negative number if hit a comes before b, a positive one if it
// comes after.
func (s *state) compare(by Sort, a, b *hit) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	if by == Deal {
		if c := compareDeals(s.price[a.doc], s.typicalOf(a.doc), s.price[b.doc], s.typicalOf(b.doc)); c != 0 {
			return c
		}
	}
	if a.published != b.published {
		return cmp.Compare(b.published, a.published)
	}
	return compareIDs(&s.ids[b.doc], &s.ids[a.doc])
}

// position returns the position of a hit in an order.
func (s *state) position(by Sort, this *hit) position {
	p := position{price: s.price[this.doc], published: this.published, id: s.ids[this.doc]}
	switch by {
	case Relevance:
		p.tier = uint8(this.key)
	case Deal:
		p.typical = s.typicalOf(this.doc)
	case Total:
		if p.tier = uint8(this.key / notShipped); p.tier == 0 {
			p.typical = int32(this.key - uint64(p.price))
		}
	}
	return p
}

// compare returns a negative number if position a comes before b, a positive one if it
// comes after.
func (by Sort) compare(a, b *position) int {
	c := 0
	switch by {
	case Relevance:
		c = cmp.Compare(a.tier, b.tier)
	case Price:
		c = cmp.Compare(a.price, b.price)
	case PriceDesc:
		c = cmp.Compare(b.price, a.price)
	case Deal:
		c = compareDeals(a.price, a.typical, b.price, b.typical)
	case Total:
		c = cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(int64(a.price)+int64(a.typical), int64(b.price)+int64(b.typical)))
	}
	if c != 0 {
		return c
	}
	if c = cmp.Compare(b.published, a.published); c != 0 {
		return c
	}
	return compareIDs(&b.id, &a.id)
}

// offer inserts a document into the hits if it is among the first.
func (s *state) offer(h *hits, d uint32, key uint64) {
	if key > h.key {
		return
	}
	this := hit{key, s.published(d), d}
	if h.after != nil {
		if p := s.position(h.sort, &this); h.sort.compare(&p, h.after) <= 0 {
			return
		}
	}
	if !h.full() {
		h.list = append(h.list, this)
	} else if s.compare(h.sort, &this, &h.list[len(h.list)-1]) >= 0 {
		return
	}
	at := len(h.list) - 1
	for ; at > 0 && s.compare(h.sort, &this, &h.list[at-1]) < 0; at-- {
		h.list[at] = h.list[at-1]
	}
	h.list[at] = this
	if h.full() {
		last := &h.list[len(h.list)-1]
		h.key, h.published, h.late = last.key, last.published, uint32(last.published>>16)
	}
}

// collect collects the first listings of the order. It scans sorted lists from the
// cursor on, and stops each scan when no later listing can come before the last hit.
func (s *state) collect(f *filter, c *scratch) {
	h := &c.hits
	switch {
	case h.sort == Price || h.sort == PriceDesc:
		s.collectPrices(f, c)
	case h.sort == Total:
		s.collectTotals(f, c)
	case h.sort == Relevance && f.keyword:
		s.collectTiers(f, c)
	default:
		s.collectDocs(f, c)
		s.collectGear(f, c, nil, 0)
	}
}

// collectTiers collects the most relevant listings. All listings of a tier come before
// those of the next.
func (s *state) collectTiers(f *filter, c *scratch) {
	h := &c.hits
	first := uint8(0)
	if h.after != nil {
		first = h.after.tier
	}
	if first == 0 && !f.narrow {
		for _, gear := range f.names {
			s.walk(f, h, gear, 0)
		}
	}
	if first <= 1 && !h.full() {
		s.collectGear(f, c, f.named, 1)
	}
	if !h.full() {
		s.collectDocs(f, c)
	}
}

// collectDocs offers the documents in c.extra.
func (s *state) collectDocs(f *filter, c *scratch) {
	h := &c.hits
	for _, d := range c.extra {
		if key := s.key(f, h.sort, d); key < h.key || key == h.key && s.published(d) >= h.published {
			s.offer(h, d, key)
		}
	}
}

// key returns the key of a document in an order.
func (s *state) key(f *filter, by Sort, d uint32) uint64 {
	switch by {
	case Relevance:
		return uint64(f.tier(s.kind[d].gear()))
	case Price:
		return uint64(s.price[d])
	case PriceDesc:
		return uint64(beyond - s.price[d])
	case Deal:
		return s.dealKey(d)
	case Total:
		return s.totalKey(f, d)
	default:
		return 0
	}
}

// collectGear scans the lists of all gear that a filter admits, except the gear in
// but, which may be nil.
func (s *state) collectGear(f *filter, c *scratch, but catalog.GearSet, tier uint64) {
	h := &c.hits
	if f.narrow {
		return
	}
	if f.all && s.collectFront(f, c) {
		return
	}
	if f.all && s.stockOf(f) > s.live/8 { // with fewer listings, scanning the gear in any order is fast
		s.collectRanked(f, h)
		return
	}
	for _, i := range f.met {
		for gear := s.shape.groups[i].from; gear < s.shape.groups[i].to; gear++ {
			if but == nil || !but.Has(gear) {
				s.walk(f, h, uint16(gear), tier)
			}
		}
	}
	for _, gear := range f.part {
		if but == nil || !but.Has(int(gear)) {
			s.walk(f, h, gear, tier)
		}
	}
}

// collectRanked scans the lists of all gear in the order of their first listings,
// until a first listing comes after the last hit.
func (s *state) collectRanked(f *filter, h *hits) {
	if h.sort == Deal {
		for _, gear := range s.best.order {
			if s.best.keys[gear] > h.key {
				return
			}
			s.walk(f, h, gear, 0)
		}
		return
	}
	for _, gear := range s.newest.order {
		if s.newest.keys[gear] > ^uint64(h.published) {
			return
		}
		s.walk(f, h, gear, 0)
	}
}

// walk offers the listings of one gear.
func (s *state) walk(f *filter, h *hits, gear uint16, tier uint64) {
	switch {
	case f.flags[s.shape.groupOf[gear]] != inAll:
	case h.sort == Deal:
		if best := s.best.keys[gear]; best <= h.key && best != noListing {
			s.walkDeals(f, h, s.postings[gear].byDeal)
		}
	default:
		if newest := s.newest.keys[gear]; newest <= ^uint64(h.published) && newest != noListing {
			s.walkNewest(f, h, s.postings[gear].byPublished, tier)
		}
	}
}

// walkNewest offers documents ordered by time, newest first.
func (s *state) walkNewest(f *filter, h *hits, docs []uint32, tier uint64) {
	if h.after != nil && uint64(h.after.tier) == tier {
		docs = docs[sort.Search(len(docs), func(i int) bool { return s.published(docs[i]) <= h.after.published }):]
	}
	for _, d := range docs {
		if s.late[d] < h.late {
			return
		}
		if s.passes(f, d) {
			s.offer(h, d, tier)
		}
	}
}

// walkDeals offers documents of one gear ordered by deal, best first.
func (s *state) walkDeals(f *filter, h *hits, docs []uint32) {
	if a := h.after; a != nil {
		docs = docs[sort.Search(len(docs), func(i int) bool {
			return compareDeals(s.price[docs[i]], s.typicalOf(docs[i]), a.price, a.typical) >= 0
		}):]
	}
	for _, d := range docs {
		key := s.dealKey(d)
		if key > h.key || key == noTypical && h.key == noTypical && s.published(d) < h.published {
			return
		}
		if s.passes(f, d) {
			s.offer(h, d, key)
		}
	}
}

// stockOf returns the number of listings of the gear that a filter admits.
func (s *state) stockOf(f *filter) int {
	n := s.listingsIn(f.met)
	for _, gear := range f.part {
		if f.flags[s.shape.groupOf[gear]] == inAll {
			n += len(s.postings[gear].byPublished)
		}
	}
	return n
}

// collectPrices collects the lowest or highest prices. It scans either all documents
// in the order of the price or all gear that the filter admits, whichever is expected
// to be faster.
func (s *state) collectPrices(f *filter, c *scratch) {
	h := &c.hits
	s.collectDocs(f, c)
	if f.narrow {
		return
	}
	// With hits distributed evenly, one in live/total listings is a hit.
	if s.stockOf(f)/h.limit > s.live/c.total {
		s.walkPrices(f, h)
		return
	}
	s.scanStock(f, h)
}

// scanStock offers the documents of all gear that the filter admits.
func (s *state) scanStock(f *filter, h *hits) {
	for _, i := range f.met {
		for gear := s.shape.groups[i].from; gear < s.shape.groups[i].to; gear++ {
			s.scanPrices(f, h, s.postings[gear].byPublished)
		}
	}
	for _, gear := range f.part {
		if f.flags[s.shape.groupOf[gear]] == inAll {
			s.scanPrices(f, h, s.postings[gear].byPublished)
		}
	}
}

// scanPrices offers documents that are not ordered by price.
func (s *state) scanPrices(f *filter, h *hits, docs []uint32) {
	for _, d := range docs {
		if s.passes(f, d) {
			if key := s.key(f, h.sort, d); key <= h.key {
				s.offer(h, d, key)
			}
		}
	}
}

// walkPrices offers all documents in the order of the price.
func (s *state) walkPrices(f *filter, h *hits) {
	low, high := f.low, f.low+int32(f.width)-1
	if h.after != nil && h.sort == Price {
		low = max(low, h.after.price)
	} else if h.after != nil {
		high = min(high, h.after.price)
	}
	if low > high {
		return
	}
	first, last := s.level.row(low), s.level.row(high)
	if h.sort == Price {
		docs := s.buckets[first]
		for docs = docs[s.priceFrom(docs, low):]; s.walkUp(f, h, docs) && first < last; docs = s.buckets[first] {
			first++
		}
		return
	}
	docs := s.buckets[last]
	for docs = docs[:s.priceFrom(docs, high+1)]; s.walkDown(f, h, docs) && first < last; docs = s.buckets[last] {
		last--
	}
}

// walkUp offers documents from first to last. It reports whether to continue.
func (s *state) walkUp(f *filter, h *hits, docs []uint32) bool {
	for _, d := range docs {
		if !s.offerPriced(f, h, d) {
			return false
		}
	}
	return true
}

// walkDown offers documents from last to first. It reports whether to continue.
func (s *state) walkDown(f *filter, h *hits, docs []uint32) bool {
	for _, d := range slices.Backward(docs) {
		if !s.offerPriced(f, h, d) {
			return false
		}
	}
	return true
}

// matches reports whether a document of any gear meets the filter, by its gear.
func (s *state) matches(f *filter, d uint32) bool {
	kind := s.kind[d]
	return f.cell[kind.cell()]&meetsAll(f.flags[s.shape.groupOf[kind.gear()]]) != 0 && f.has(kind.gear()) && f.within(s.price[d]) != 0
}

// offerPriced offers a document of a scan in the order of the price. It reports false
// if the document, and so all that follow, comes after the last hit.
func (s *state) offerPriced(f *filter, h *hits, d uint32) bool {
	if !s.matches(f, d) {
		return true
	}
	key := s.key(f, h.sort, d)
	if key > h.key {
		return false
	}
	s.offer(h, d, key)
	return true
}

// page adds the cards of the hits from an index on to a result, with the cursor of the
// next page, "" if there is none. One hit more than the page's limit must have been
// collected, if there are as many.
func (s *state) page(r *Result, c *scratch, from int, q *Query, m *match) {
	h := &c.hits
	found := h.list[from:]
	if len(found) > q.Limit {
		found = found[:q.Limit]
		r.NextCursor = q.cursor(s.position(h.sort, &found[q.Limit-1]), m)
	}
	for i := range found {
		d, start := found[i].doc, len(r.text)
		r.text, c.text = s.cards.appendJSON(r.text, c.text, d, &s.ids[d])
		r.Cards = append(r.Cards, json.RawMessage(r.text[start:len(r.text):len(r.text)]))
	}
}
