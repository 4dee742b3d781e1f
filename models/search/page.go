package search

import (
	"cmp"
	"encoding/hex"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// hits keeps the first listings of an order: a heap with the last of them on top.
type hits struct {
	sort  Sort
	limit int
	after *place // only what stands behind it counts; nil for the beginning
	heap  []hit
}

type hit struct {
	place
	doc uint32
}

func (h *hits) reset(sort Sort, limit int, after *place) {
	h.sort, h.limit, h.after, h.heap = sort, limit, after, h.heap[:0]
}

func (h *hits) full() bool { return len(h.heap) == h.limit }

// compare orders two places; below 0 when a comes first.
func (sort Sort) compare(a, b *place) int {
	by := 0
	switch sort {
	case Relevance:
		by = cmp.Compare(a.tier, b.tier)
	case Price:
		by = cmp.Compare(a.price, b.price)
	case PriceDesc:
		by = cmp.Compare(b.price, a.price)
	case Deal:
		by = compareDeals(a, b)
	}
	if by != 0 {
		return by
	}
	if by = cmp.Compare(b.published, a.published); by != 0 {
		return by
	}
	return compareIDs(&b.id, &a.id)
}

// compareDeals compares price ÷ typical without dividing; what has no typical
// price comes last.
func compareDeals(a, b *place) int {
	if a.typical == 0 || b.typical == 0 {
		return cmp.Compare(min(b.typical, 1), min(a.typical, 1))
	}
	return cmp.Compare(int64(a.price)*int64(b.typical), int64(b.price)*int64(a.typical))
}

// offer considers a document for the page.
func (s *state) offer(h *hits, d uint32, tier uint8) {
	if h.sort != Relevance {
		tier = 0
	}
	p := place{tier: tier, price: s.price[d], published: s.published[d], id: s.ids[d]}
	if h.sort == Deal {
		p.typical = s.typicalOf(d)
	}
	if h.after != nil && h.sort.compare(&p, h.after) <= 0 {
		return
	}
	if !h.full() {
		h.heap = append(h.heap, hit{p, d})
		h.up(len(h.heap) - 1)
	} else if h.sort.compare(&p, &h.heap[0].place) < 0 {
		h.heap[0] = hit{p, d}
		h.down(0)
	}
}

func (h *hits) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if h.sort.compare(&h.heap[i].place, &h.heap[parent].place) <= 0 {
			return
		}
		h.heap[i], h.heap[parent] = h.heap[parent], h.heap[i]
		i = parent
	}
}

func (h *hits) down(i int) {
	for {
		last := 2*i + 1
		if last >= len(h.heap) {
			return
		}
		if last+1 < len(h.heap) && h.sort.compare(&h.heap[last+1].place, &h.heap[last].place) > 0 {
			last++
		}
		if h.sort.compare(&h.heap[last].place, &h.heap[i].place) <= 0 {
			return
		}
		h.heap[i], h.heap[last] = h.heap[last], h.heap[i]
		i = last
	}
}

// collect finds the first listings of the order.
func (s *state) collect(f *filter, c *scratch) {
	h := &c.hits
	if h.sort != Relevance || f.named == nil {
		s.collectDocs(f, h, func(uint8) bool { return true })
		if !f.narrow {
			s.collectGear(f, h, f.gear, 0)
		}
		return
	}
	for tier := uint8(0); tier < 3 && !h.full(); tier++ { // what is in the next tier comes behind
		if h.after != nil && h.after.tier > tier {
			continue
		}
		s.collectDocs(f, h, func(of uint8) bool { return of == tier })
		switch {
		case f.narrow:
		case tier == 0:
			s.collectGear(f, h, f.named, tier)
		case tier == 1:
			c.rest = append(c.rest[:0], f.gear...)
			c.rest.AndNot(f.named)
			s.collectGear(f, h, c.rest, tier)
		}
	}
}

// collectDocs considers the documents of a filter that are in a tier.
func (s *state) collectDocs(f *filter, h *hits, in func(tier uint8) bool) {
	for _, d := range f.docs {
		gear := int(s.gear[d])
		if tier := f.tier(gear); in(tier) && f.flags[s.shape.groupOf[gear]] == inAll {
			s.consider(f, h, d, tier)
		}
	}
}

// collectGear walks the lists of a set of gear (nil for all) from the cursor on,
// each only as far as something may still come before the last hit. Only deals
// need a second pass: what has no typical price comes behind all the rest.
func (s *state) collectGear(f *filter, h *hits, set models.GearSet, tier uint8) {
	for pass := range 2 {
		for i := range s.shape.groups {
			if f.flags[i] != inAll {
				continue
			}
			g := &s.shape.groups[i]
			for gear := g.from; gear < g.to; gear++ {
				if set == nil || set.Has(gear) {
					s.walk(f, h, &s.shelves[gear], tier, pass)
				}
			}
		}
		if h.sort != Deal || h.full() && h.heap[0].typical > 0 {
			return
		}
	}
}

// walk offers the listings of one gear.
func (s *state) walk(f *filter, h *hits, shelf *shelf, tier uint8, pass int) {
	switch {
	case len(shelf.byPrice) == 0:
	case h.sort == Price:
		s.walkPrices(f, h, shelf.byPrice, tier)
	case h.sort == PriceDesc:
		s.walkPricesDown(f, h, shelf.byPrice, tier)
	case h.sort == Deal && pass == 0:
		s.walkDeals(f, h, shelf, tier)
	case h.sort == Deal:
		s.walkUntypical(f, h, shelf, tier)
	default:
		s.walkNewest(f, h, shelf.byPublished, tier)
	}
}

func (s *state) walkNewest(f *filter, h *hits, docs []uint32, tier uint8) {
	from := 0
	if h.after != nil && h.after.tier == tier {
		from = s.publishedFrom(docs, h.after.published)
	}
	for _, d := range docs[from:] {
		if h.full() && s.published[d] < h.heap[0].published {
			return
		}
		s.consider(f, h, d, tier)
	}
}

func (s *state) walkPrices(f *filter, h *hits, docs []uint32, tier uint8) {
	low := f.low
	if h.after != nil {
		low = max(low, h.after.price)
	}
	for _, d := range docs[s.priceFrom(docs, low):] {
		if s.price[d] > f.high || h.full() && s.price[d] > h.heap[0].price {
			return
		}
		s.consider(f, h, d, tier)
	}
}

func (s *state) walkPricesDown(f *filter, h *hits, docs []uint32, tier uint8) {
	high := f.high
	if h.after != nil {
		high = min(high, h.after.price)
	}
	for i := s.priceFrom(docs, high+1) - 1; i >= 0; i-- {
		d := docs[i]
		if s.price[d] < f.low || h.full() && s.price[d] < h.heap[0].price {
			return
		}
		s.consider(f, h, d, tier)
	}
}

// walkDeals walks by price: nothing can be a better deal than the price divided
// by the greatest typical price of the gear.
func (s *state) walkDeals(f *filter, h *hits, shelf *shelf, tier uint8) {
	if shelf.mostTypical == 0 || h.after != nil && h.after.typical == 0 {
		return
	}
	best := place{typical: shelf.mostTypical}
	for _, d := range shelf.byPrice[s.priceFrom(shelf.byPrice, f.low):] {
		best.price = s.price[d]
		if best.price > f.high || h.full() && compareDeals(&best, &h.heap[0].place) > 0 {
			return
		}
		if s.typicalOf(d) > 0 {
			s.consider(f, h, d, tier)
		}
	}
}

func (s *state) walkUntypical(f *filter, h *hits, shelf *shelf, tier uint8) {
	for _, d := range shelf.byPublished {
		if h.full() && h.heap[0].typical == 0 && s.published[d] < h.heap[0].published {
			return
		}
		if s.typicalOf(d) == 0 {
			s.consider(f, h, d, tier)
		}
	}
}

// consider offers a document that meets the restrictions of condition, region and price.
func (s *state) consider(f *filter, h *hits, d uint32, tier uint8) {
	if f.cell[s.cell[d]] && s.price[d] >= f.low && s.price[d] <= f.high {
		s.offer(h, d, tier)
	}
}

// page writes the hits down in order. One more than the page holds was
// collected, to know whether there is another page.
func (s *state) page(h *hits, q *Query) (list []Hit, next string) {
	slices.SortFunc(h.heap, func(a, b hit) int { return h.sort.compare(&a.place, &b.place) })
	found := h.heap
	if len(found) > q.Limit {
		found = found[:q.Limit]
		next = q.cursor(found[q.Limit-1].place)
	}
	list = make([]Hit, len(found))
	text := make([]byte, 0, 36*len(found))
	for i := range found {
		text = appendID(text, &found[i].id)
	}
	all := string(text)
	for i := range found {
		list[i] = Hit{ID: all[36*i : 36*i+36], Card: s.cards[found[i].doc]}
	}
	return list, next
}

func appendID(text []byte, id *ID) []byte {
	var b [36]byte
	hex.Encode(b[:8], id[:4])
	hex.Encode(b[9:13], id[4:6])
	hex.Encode(b[14:18], id[6:8])
	hex.Encode(b[19:23], id[8:10])
	hex.Encode(b[24:], id[10:])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return append(text, b[:]...)
}
