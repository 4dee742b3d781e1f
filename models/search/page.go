package search

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// compare returns a negative number if hit a comes before b, a positive one if it
// comes after.
func (s *lists) compare(by Sort, a, b *hit) int {
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
func (s *lists) position(by Sort, this *hit) position {
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
func (h *hits) offer(s *state, d uint32, key uint64) {
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
	last := len(h.list) - 1
	at := h.rank(s, &this, last)
	copy(h.list[at+1:], h.list[at:last])
	h.list[at] = this
	if h.full() {
		last := &h.list[len(h.list)-1]
		h.key, h.published, h.late = last.key, last.published, uint32(last.published>>16)
	}
}

// rank returns the index of a hit among the first n, most often the end.
func (h *hits) rank(s *state, this *hit, n int) int {
	low, high := 0, n
	for mid := n - 1; low < high; mid = int(uint(low+high) >> 1) {
		if s.compare(h.sort, this, &h.list[mid]) < 0 {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// collect collects the first listings of the order. It scans sorted lists from the
// cursor on, and stops each scan when no later listing can come before the last hit.
func (c *scratch) collect(s *state, f *filter) {
	h := &c.hits
	switch {
	case h.sort == Price || h.sort == PriceDesc:
		c.collectPrices(s, f)
	case h.sort == Total:
		c.collectTotals(s, f)
	case h.sort == Relevance && f.keyword:
		c.collectTiers(s, f)
	default:
		c.collectDocs(s, f)
		c.collectGear(s, f, nil, 0)
	}
}

// collectTiers collects the most relevant listings. All listings of a tier come before
// those of the next.
func (c *scratch) collectTiers(s *state, f *filter) {
	h := &c.hits
	first := uint8(0)
	if h.after != nil {
		first = h.after.tier
	}
	if first == 0 && !f.narrow {
		for _, gear := range f.names {
			h.walk(s, f, gear, 0)
		}
	}
	if first <= 1 && !h.full() {
		c.collectGear(s, f, f.named, 1)
	}
	if !h.full() {
		c.collectDocs(s, f)
	}
}

// collectDocs offers the documents in c.extra.
func (c *scratch) collectDocs(s *state, f *filter) {
	h := &c.hits
	if h.sort == Relevance && f.titled() {
		for _, d := range c.extra {
			if s.late[d] >= h.late || h.key > tierOfTitles {
				h.offer(s, d, tierOfTitles)
			}
		}
		return
	}
	for _, d := range c.extra {
		if key := f.key(s, h.sort, d); key < h.key || key == h.key && s.published(d) >= h.published {
			h.offer(s, d, key)
		}
	}
}

// key returns the key of a document in an order.
func (f *filter) key(s *state, by Sort, d uint32) uint64 {
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
		return f.totalKey(s, d)
	default:
		return 0
	}
}

// collectGear scans the lists of all gear that a filter admits, except the gear in
// but, which may be nil.
func (c *scratch) collectGear(s *state, f *filter, but catalog.GearSet, tier uint64) {
	h := &c.hits
	if f.narrow {
		return
	}
	if f.all && c.collectFront(s, f) {
		return
	}
	if f.all && f.stockOf(s) > s.live/8 { // with fewer listings, scanning the gear in any order is fast
		h.collectRanked(s, f)
		return
	}
	for _, i := range f.met {
		for gear := s.shape.groups[i].from; gear < s.shape.groups[i].to; gear++ {
			if !h.skips(s, gear) && (but == nil || !but.Has(gear)) {
				h.walk(s, f, uint16(gear), tier)
			}
		}
	}
	for _, gear := range f.part {
		if but == nil || !but.Has(int(gear)) {
			h.walk(s, f, gear, tier)
		}
	}
}

// collectRanked scans the lists of all gear in the order of their first listings,
// until a first listing comes after the last hit.
func (h *hits) collectRanked(s *state, f *filter) {
	if h.sort == Deal {
		for _, gear := range s.best.order {
			if s.best.keys[gear] > h.key {
				return
			}
			h.walk(s, f, gear, 0)
		}
		return
	}
	for _, gear := range s.newest.order {
		if s.newest.keys[gear] > ^uint64(h.published) {
			return
		}
		h.walk(s, f, gear, 0)
	}
}

// skips reports whether gear has no listing that comes before the last hit.
func (h *hits) skips(s *state, gear int) bool {
	first, last := s.newest.keys[gear], ^uint64(h.published)
	if h.sort == Deal {
		first, last = s.best.keys[gear], h.key
	}
	return first > last || first == noListing
}

// walk offers the listings of one gear.
func (h *hits) walk(s *state, f *filter, gear uint16, tier uint64) {
	switch {
	case f.flags[s.shape.groupOf[gear]] != inAll || h.skips(s, int(gear)):
	case h.sort == Deal:
		h.walkDeals(s, f, s.postings[gear].byDeal)
	default:
		h.walkNewest(s, f, s.postings[gear].byPublished, tier)
	}
}

// walkNewest offers documents ordered by time, newest first.
func (h *hits) walkNewest(s *state, f *filter, docs []uint32, tier uint64) {
	if h.after != nil && uint64(h.after.tier) == tier {
		docs = docs[sort.Search(len(docs), func(i int) bool { return s.published(docs[i]) <= h.after.published }):]
	}
	for _, d := range docs {
		if s.late[d] < h.late {
			return
		}
		if f.passes(s, d) {
			h.offer(s, d, tier)
		}
	}
}

// walkDeals offers documents of one gear ordered by deal, best first.
func (h *hits) walkDeals(s *state, f *filter, docs []uint32) {
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
		if f.passes(s, d) {
			h.offer(s, d, key)
		}
	}
}

// stockOf returns the number of listings of the gear that a filter admits.
func (f *filter) stockOf(s *state) int {
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
func (c *scratch) collectPrices(s *state, f *filter) {
	h := &c.hits
	c.collectDocs(s, f)
	if f.narrow {
		return
	}
	// With hits distributed evenly, one in live/total listings is a hit.
	if f.stockOf(s)/h.limit > s.live/c.total {
		h.walkPrices(s, f)
		return
	}
	h.scanStock(s, f)
}

// scanStock offers the documents of all gear that the filter admits.
func (h *hits) scanStock(s *state, f *filter) {
	for _, i := range f.met {
		for gear := s.shape.groups[i].from; gear < s.shape.groups[i].to; gear++ {
			h.scanPrices(s, f, s.postings[gear].byPublished)
		}
	}
	for _, gear := range f.part {
		if f.flags[s.shape.groupOf[gear]] == inAll {
			h.scanPrices(s, f, s.postings[gear].byPublished)
		}
	}
}

// scanPrices offers documents that are not ordered by price.
func (h *hits) scanPrices(s *state, f *filter, docs []uint32) {
	for _, d := range docs {
		if f.passes(s, d) {
			if key := f.key(s, h.sort, d); key <= h.key {
				h.offer(s, d, key)
			}
		}
	}
}

// walkPrices offers all documents in the order of the price.
func (h *hits) walkPrices(s *state, f *filter) {
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
		for docs = docs[s.priceFrom(docs, low):]; h.walkUp(s, f, docs) && first < last; docs = s.buckets[first] {
			first++
		}
		return
	}
	docs := s.buckets[last]
	for docs = docs[:s.priceFrom(docs, high+1)]; h.walkDown(s, f, docs) && first < last; docs = s.buckets[last] {
		last--
	}
}

// walkUp offers documents from first to last. It reports whether to continue.
func (h *hits) walkUp(s *state, f *filter, docs []uint32) bool {
	for _, d := range docs {
		if !h.offerPriced(s, f, d) {
			return false
		}
	}
	return true
}

// walkDown offers documents from last to first. It reports whether to continue.
func (h *hits) walkDown(s *state, f *filter, docs []uint32) bool {
	for _, d := range slices.Backward(docs) {
		if !h.offerPriced(s, f, d) {
			return false
		}
	}
	return true
}

// matches reports whether a document of any gear meets the filter, by its gear.
func (f *filter) matches(s *state, d uint32) bool {
	kind := s.kind[d]
	return f.cell[kind.cell()]&meetsAll(f.flags[s.shape.groupOf[kind.gear()]]) != 0 && f.has(kind.gear()) && f.within(s.price[d]) != 0
}

// offerPriced offers a document of a scan in the order of the price. It reports false
// if the document, and so all that follow, comes after the last hit.
func (h *hits) offerPriced(s *state, f *filter, d uint32) bool {
	if !f.matches(s, d) {
		return true
	}
	key := f.key(s, h.sort, d)
	if key > h.key {
		return false
	}
	h.offer(s, d, key)
	return true
}

// page adds the cards of the hits from an index on to a result, with the cursor of the
// next page, "" if there is none. One hit more than the page's limit must have been
// collected, if there are as many.
func (c *scratch) page(s *state, r *Result, from int, q *Query, m *match) {
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

// totalKey returns the key of a document in the order Total.
func (f *filter) totalKey(s *state, d uint32) uint64 {
	charge := f.charges.of[s.postage[d]]
	if charge == refused {
		return notShipped + uint64(s.price[d])
	}
	return uint64(s.price[d]) + uint64(charge)
}

// collectTotals collects the lowest totals: first of the listings that are shipped, then
// of the others. As collectPrices does, it scans either all documents in the order of
// the price or all gear that the filter admits.
func (c *scratch) collectTotals(s *state, f *filter) {
	h := &c.hits
	c.collectDocs(s, f)
	if f.narrow {
		return
	}
	ship := f.charges.listings > 0 && (h.after == nil || h.after.tier == 0)
	listings := f.charges.listings
	if !ship {
		listings = s.live - listings
	}
	if found := c.total * listings / s.live; found == 0 || f.stockOf(s)/h.limit <= s.live/found {
		h.scanStock(s, f)
		return
	}
	if ship {
		h.walkTotals(s, f, true)
	}
	if h.key >= notShipped {
		h.walkTotals(s, f, false)
	}
}

// walkTotals offers the documents that are shipped, or those that are not, in the order
// of the price, from the first that can come after the cursor to the last that can come
// before the last hit.
func (h *hits) walkTotals(s *state, f *filter, ship bool) {
	low, high := f.low, f.low+int32(f.width)-1
	floor := uint64(notShipped) // the least key of a document is floor plus its price
	if ship {
		floor = uint64(f.charges.min)
	}
	switch a := h.after; {
	case a != nil && a.tier == 0 && ship:
		low = max(low, a.price+a.typical-f.charges.max)
	case a != nil && a.tier != 0:
		low = max(low, a.price)
	}
	if low > high {
		return
	}
	for row, last := s.level.row(low), s.level.row(high); row <= last; row++ {
		docs := s.buckets[row]
		for _, d := range docs[s.priceFrom(docs, low):] {
			if floor+uint64(s.price[d]) > h.key {
				return
			}
			if !f.matches(s, d) {
				continue
			}
			if key := f.totalKey(s, d); key <= h.key && (key < notShipped) == ship {
				h.offer(s, d, key)
			}
		}
	}
}

// shipping appends what the first n hits cost delivered to the cheapest of countries.
func (s *state) shipping(list []Shipping, found []hit, n int, countries []models.Region) []Shipping {
	for i := range found[:n] {
		d := found[i].doc
		terms, price, to := s.postages.list[s.postage[d]].to(countries)
		list = append(list, Shipping{to, terms, models.Cents(s.price[d]), price, s.currency})
	}
	return list
}

// collectFront collects the first listings of the order from its front. It reports
// false, and collects nothing, if some of them may not be in the front.
func (c *scratch) collectFront(s *state, f *filter) bool {
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

// collectPage collects the listings of the page after a position, one more than the
// limit, and those before it. It returns the number of those before, 0 if more than
// maxBack pages precede the page.
func (c *scratch) collectPage(s *state, f *filter, q *Query, after *position) (before int) {
	if after == nil {
		c.hits.reset(q.Sort, q.Limit+1, nil)
		c.collect(s, f)
		return 0
	}
	c.hits.reset(q.Sort, (maxBack+1)*q.Limit+1, nil)
	c.collect(s, f)
	before = sort.Search(len(c.hits.list), func(i int) bool {
		p := s.position(q.Sort, &c.hits.list[i])
		return q.Sort.compare(&p, after) > 0
	})
	if before <= maxBack*q.Limit || !c.hits.full() {
		return before
	}
	c.hits.reset(q.Sort, q.Limit+1, after)
	c.collect(s, f)
	return 0
}

// maxBack is how many pages from the first one a search still links its previous page.
const maxBack = 10

// passes reports whether a document meets the restrictions of condition, region and price.
func (f *filter) passes(s *state, d uint32) bool {
	return f.cell[s.kind[d].cell()] != 0 && uint32(s.price[d]-f.low) < f.width
}
