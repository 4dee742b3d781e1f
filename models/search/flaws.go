package search

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// defectSet is a set of models.Defects: a bit for each index.
type defectSet uint32

// defectSetOf returns the set of some defects, without unknown ones.
func defectSetOf(defects []models.Defect) (set defectSet) {
	for _, d := range defects {
		if i := slices.Index(models.Defects, d); i >= 0 {
			set |= 1 << i
		}
	}
	return set
}

// flaws holds the documents with defects.
type flaws struct {
	lists [][]rareValue // by gear: ascending by number; the value of a document is its defectSet
	bits  []uint64      // a bit for each document in lists
}

// newFlaws returns no documents of a number of gear.
func newFlaws(gear int) flaws { return flaws{lists: make([][]rareValue, gear)} }

// find returns the index of a document in the list of its gear, or where it would be.
func (f *flaws) find(gear uint16, d uint32) int {
	at, _ := slices.BinarySearchFunc(f.lists[gear], d, func(v rareValue, d uint32) int { return int(v.doc()) - int(d) })
	return at
}

// has reports whether a document has defects.
func (f *flaws) has(d uint32) bool { return int(d/64) < len(f.bits) && f.bits[d/64]>>(d%64)&1 != 0 }

// mark sets the bit of a document.
func (f *flaws) mark(d uint32) {
	for int(d/64) >= len(f.bits) {
		f.bits = append(f.bits, 0)
	}
	f.bits[d/64] |= 1 << (d % 64)
}

// markAll sets the bits of all documents in lists.
func (f *flaws) markAll() {
	for _, list := range f.lists {
		for _, v := range list {
			f.mark(v.doc())
		}
	}
}

// put adds a document, unless it has no defects.
func (f *flaws) put(gear uint16, d uint32, set defectSet) {
	if set != 0 {
		at := f.find(gear, d)
		f.lists[gear] = slices.Insert(f.lists[gear], at, newRareValue(uint32(set), d))
		f.mark(d)
	}
}

// remove removes a document, if it has defects.
func (f *flaws) remove(gear uint16, d uint32) {
	if !f.has(d) {
		return
	}
	at := f.find(gear, d)
	f.lists[gear] = slices.Delete(f.lists[gear], at, at+1)
	f.bits[d/64] &^= 1 << (d % 64)
}

// of returns the defects of a document.
func (f *flaws) of(gear uint16, d uint32) defectSet {
	if !f.has(d) {
		return 0
	}
	return defectSet(f.lists[gear][f.find(gear, d)].value())
}

// byDefects reports whether the query restricts the defects.
func (f *filter) byDefects() bool { return f.anyOf || f.noneOf != 0 }

// hasDefects and lacksDefects report whether an item with a set of defects meets Filter.Defects and
// Filter.WithoutDefects.
func (f *filter) hasDefects(set defectSet) bool   { return !f.anyOf || set&f.wanted != 0 }
func (f *filter) lacksDefects(set defectSet) bool { return set&f.noneOf == 0 }

// docsOf yields all documents that may meet a filter, or count for a facet of it.
func (s *state) docsOf(f *filter) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for gear := range s.postings {
			g := uint16(gear)
			if bits.OnesCount8(f.flags[s.shape.groupOf[g]]) < 2 || !f.has(g) || !f.admits(g) {
				continue
			}
			for _, d := range s.postings[gear].byPublished {
				if !yield(d) {
					return
				}
			}
		}
		if f.extras == nil {
			return
		}
		for it := f.extras.Iterator(); it.HasNext(); {
			if d := it.Next(); s.price[d] != removed && !f.has(s.kind[d].gear()) && !yield(d) {
				return
			}
		}
	}
}

// defectCounts counts the listings found by defects, as a facet counts: with every other restriction. Counts
// are by index in models.Defects.
type defectCounts struct {
	with    [32]int // for the facet of Filter.Defects
	without [32]int // those that have a defect, for the facet of Filter.WithoutDefects
	base    int     // listings that meet all restrictions but WithoutDefects
	skipped bool    // there are too many to count
}

// add adds the counts of another part of the listings.
func (c *defectCounts) add(more *defectCounts) {
	addTo(c.with[:], more.with[:])
	addTo(c.without[:], more.without[:])
	c.base, c.skipped = c.base+more.base, c.skipped || more.skipped
}

// count adds by one to the counts of the defects in a set.
func (set defectSet) count(counts *[32]int) {
	for ; set != 0; set &= set - 1 {
		counts[bits.TrailingZeros32(uint32(set))]++
	}
}

// restrictDefects removes the documents that the query does not admit by their defects, and counts the
// facets of the defects.
func (c *scratch) restrictDefects(s *state, f *filter, docs []uint32) []uint32 {
	return slices.DeleteFunc(docs, func(d uint32) bool {
		set := s.flaws.of(s.kind[d].gear(), d)
		has, lacks := f.hasDefects(set), f.lacksDefects(set)
		if f.meets(s, d) {
			if lacks {
				set.count(&c.defects.with)
			}
			if has {
				set.count(&c.defects.without)
				c.defects.base++
			}
		}
		return !has || !lacks
	})
}

// meets reports whether a document meets the restrictions of category, brand, mount, cells and price.
func (f *filter) meets(s *state, d uint32) bool {
	kind := s.kind[d]
	return f.cell[kind.cell()]&f.within(s.price[d])&meetsAll(f.flags[s.shape.groupOf[kind.gear()]]) != 0
}

// maxFlaws is the number of listings with defects up to which the defects of those found are counted: more
// would take longer than the rest of the search.
const maxFlaws = 1 << 14

// countDefects counts the facets of the defects of a search that does not restrict them; restrictDefects does
// for others.
func (c *scratch) countDefects(s *state) {
	f := &c.filter
	if f.byDefects() {
		return
	}
	n := 0
	if !f.narrow {
		for _, i := range f.met {
			for gear := s.shape.groups[i].from; gear < s.shape.groups[i].to && n <= maxFlaws; gear++ {
				n += c.addFlaws(s, uint16(gear))
			}
		}
		for _, gear := range f.part {
			if f.flags[s.shape.groupOf[gear]] == inAll && n <= maxFlaws {
				n += c.addFlaws(s, gear)
			}
		}
	}
	for _, d := range c.extra {
		if s.flaws.has(d) && n <= maxFlaws {
			s.flaws.of(s.kind[d].gear(), d).count(&c.defects.with)
			n++
		}
	}
	c.defects.without, c.defects.base, c.defects.skipped = c.defects.with, c.total, n > maxFlaws
}

// addFlaws counts the listings of gear with defects that the filter admits, and returns how many have any.
func (c *scratch) addFlaws(s *state, gear uint16) int {
	list := s.flaws.lists[gear]
	for _, v := range list {
		d := v.doc()
		if c.filter.cell[s.kind[d].cell()]&c.filter.within(s.price[d]) != 0 {
			defectSet(v.value()).count(&c.defects.with)
		}
	}
	return len(list)
}

// facets writes the counts to f.
func (c *defectCounts) facets(f *Facets) {
	if c.skipped {
		return
	}
	for i, d := range models.Defects {
		if n := c.with[i]; n > 0 {
			f.Defects = append(f.Defects, Count{string(d), n})
		}
		if n := c.without[i]; n > 0 && n < c.base {
			f.WithoutDefects = append(f.WithoutDefects, Count{string(d), c.base - n})
		}
	}
}
