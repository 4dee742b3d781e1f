package search

import (
	"cmp"
	"slices"
	"sort"

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
		by = compareDeals(a.price, a.typical, b.price, b.typical)
	}
	if by != 0 {
		return by
	}
	if by = cmp.Compare(b.published, a.published); by != 0 {
		return by
	}
	return compareIDs(&b.id, &a.id)
}

// compareDeals compares price ÷ typical of two listings without dividing; what
// has no typical price comes last.
func compareDeals(price, typical, otherPrice, otherTypical int32) int {
	if typical == 0 || otherTypical == 0 {
		return cmp.Compare(min(otherTypical, 1), min(typical, 1))
	}
	return cmp.Compare(int64(price)*int64(otherTypical), int64(otherPrice)*int64(typical))
}

// offer considers a document for the page.
func (s *state) offer(h *hits, d uint32, tier uint8) {
	if h.sort != Relevance {
		tier = 0
	}
	p := place{tier: tier, price: s.price[d], published: s.published(d), id: s.ids[d]}
	if h.sort == Deal {
		p.typical = s.typicalOf(d)
	}
	switch {
	case h.after != nil && h.sort.compare(&p, h.after) <= 0:
	case !h.full():
		h.heap = append(h.heap, hit{p, d})
		h.up(len(h.heap) - 1)
	case h.sort.compare(&p, &h.heap[0].place) < 0:
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

// collect finds the first listings of the order. It walks sorted lists from the
// cursor on, each only as far as something may still come before the last hit.
func (s *state) collect(f *filter, c *scratch) {
	h := &c.hits
	switch {
	case h.sort == Relevance && f.named != nil:
		s.collectTiers(f, h)
	case h.sort == Price || h.sort == PriceDesc:
		s.collectDocs(f, h, anyTier)
		s.collectPrices(f, h)
	default:
		s.collectDocs(f, h, anyTier)
		s.collectGear(f, h, nil, 0)
	}
}

// collectTiers finds the most relevant listings: what is in a tier comes before
// all that is in the next.
func (s *state) collectTiers(f *filter, h *hits) {
	for tier := uint8(0); tier < 3 && !h.full(); tier++ {
		if h.after != nil && h.after.tier > tier {
			continue
		}
		s.collectDocs(f, h, tier)
		switch {
		case f.narrow:
		case tier == 0:
			for gear := range f.named.All() {
				if f.flags[s.shape.groupOf[gear]] == inAll {
					s.walk(f, h, gear, tier)
				}
			}
		case tier == 1:
			s.collectGear(f, h, f.named, tier)
		}
	}
}

const anyTier = 3

// collectDocs considers the documents of a filter that are in a tier.
func (s *state) collectDocs(f *filter, h *hits, tier uint8) {
	for _, d := range f.docs {
		gear := int(s.gear[d])
		if f.flags[s.shape.groupOf[gear]] == inAll {
			if of := f.tier(gear); of == tier || tier == anyTier {
				s.consider(f, h, d, of)
			}
		}
	}
}

// collectGear walks the lists of all gear that a filter lets through, but for
// some gear (nil for none).
func (s *state) collectGear(f *filter, h *hits, but models.GearSet, tier uint8) {
	for _, i := range f.whole {
		st := &s.stock[i]
		if f.flags[i] != inAll || len(st.byPrice) == 0 || h.sort != Deal && h.full() && st.newest < h.heap[0].published {
			continue
		}
		for gear := s.shape.groups[i].from; gear < s.shape.groups[i].to; gear++ {
			if but == nil || !but.Has(gear) {
				s.walk(f, h, gear, tier)
			}
		}
	}
	for _, gear := range f.part {
		if f.flags[s.shape.groupOf[gear]] == inAll && (but == nil || !but.Has(int(gear))) {
			s.walk(f, h, int(gear), tier)
		}
	}
}

// walk offers the listings of one gear.
func (s *state) walk(f *filter, h *hits, gear int, tier uint8) {
	newest := s.newest[gear]
	switch {
	case newest < 0:
	case h.sort == Deal:
		if best := s.best[gear]; !h.full() || !h.behind(best.price, best.typical, newest) {
			s.walkDeals(f, h, &s.shelves[gear])
		}
	case !h.full() || newest >= h.heap[0].published:
		s.walkNewest(f, h, s.shelves[gear].byPublished, tier)
	}
}

// behind reports whether a deal, published at that time or before, comes behind
// the last hit.
func (h *hits) behind(price, typical int32, published int64) bool {
	last := &h.heap[0]
	by := compareDeals(price, typical, last.price, last.typical)
	return by > 0 || by == 0 && typical == 0 && published < last.published
}

func (s *state) walkNewest(f *filter, h *hits, docs []uint32, tier uint8) {
	if h.after != nil && h.after.tier == tier {
		docs = docs[sort.Search(len(docs), func(i int) bool { return s.published(docs[i]) <= h.after.published }):]
	}
	for _, d := range docs {
		if h.full() && s.published(d) < h.heap[0].published {
			return
		}
		s.consider(f, h, d, tier)
	}
}

func (s *state) walkDeals(f *filter, h *hits, shelf *shelf) {
	docs := shelf.byDeal
	if a := h.after; a != nil {
		docs = docs[sort.Search(len(docs), func(i int) bool {
			return compareDeals(s.price[docs[i]], s.typicalOf(docs[i]), a.price, a.typical) >= 0
		}):]
	}
	for _, d := range docs {
		if h.full() && h.behind(s.price[d], shelf.typical[s.cell[d]%conditionCount], s.published(d)) {
			return
		}
		s.consider(f, h, d, 0)
	}
}

// collectPrices finds the lowest or highest prices: whole groups are walked by
// price, other gear is looked through.
func (s *state) collectPrices(f *filter, h *hits) {
	low, high := f.low, f.high
	if h.after != nil && h.sort == Price {
		low = max(low, h.after.price)
	} else if h.after != nil {
		high = min(high, h.after.price)
	}
	for _, i := range f.whole {
		if docs := s.stock[i].byPrice; f.flags[i] != inAll || len(docs) == 0 {
			continue
		} else if h.sort == Price {
			s.walkPrices(f, h, docs, low, high)
		} else {
			s.walkPricesDown(f, h, docs, low, high)
		}
	}
	for _, gear := range f.part {
		if f.flags[s.shape.groupOf[gear]] != inAll {
			continue
		}
		for _, d := range s.shelves[gear].byPublished {
			if price := s.price[d]; price >= low && price <= high && f.cell[s.cell[d]] {
				if !h.full() || h.sort == Price && price <= h.heap[0].price || h.sort == PriceDesc && price >= h.heap[0].price {
					s.offer(h, d, 0)
				}
			}
		}
	}
}

func (s *state) walkPrices(f *filter, h *hits, docs []uint32, low, high int32) {
	if h.full() && s.price[docs[0]] > h.heap[0].price {
		return
	}
	for _, d := range docs[s.priceFrom(docs, low):] {
		if s.price[d] > high || h.full() && s.price[d] > h.heap[0].price {
			return
		}
		s.consider(f, h, d, 0)
	}
}

func (s *state) walkPricesDown(f *filter, h *hits, docs []uint32, low, high int32) {
	if h.full() && s.price[docs[len(docs)-1]] < h.heap[0].price {
		return
	}
	for i := s.priceFrom(docs, high+1) - 1; i >= 0; i-- {
		d := docs[i]
		if s.price[d] < low || h.full() && s.price[d] < h.heap[0].price {
			return
		}
		s.consider(f, h, d, 0)
	}
}

// consider offers a document that meets the restrictions of condition, region and price.
func (s *state) consider(f *filter, h *hits, d uint32, tier uint8) {
	if f.cell[s.cell[d]] && s.price[d] >= f.low && s.price[d] <= f.high {
		s.offer(h, d, tier)
	}
}

// page appends the hits to a list in order. One more than the page holds was
// collected, to know whether there is another page.
func (s *state) page(list []Hit, h *hits, q *Query, m *match) (page []Hit, next string) {
	slices.SortFunc(h.heap, func(a, b hit) int { return h.sort.compare(&a.place, &b.place) })
	found := h.heap
	if len(found) > q.Limit {
		found = found[:q.Limit]
		next = q.cursor(found[q.Limit-1].place, m)
	}
	for i := range found {
		list = append(list, Hit{ID: found[i].id, Card: s.cards[found[i].doc]})
	}
	return list, next
}
