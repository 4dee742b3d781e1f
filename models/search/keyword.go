package search

import (
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models"
)

// match is what the catalogue makes of a keyword's words.
//
// A listing matches when the words can be cut into runs of one to
// models.MaxRun neighbours, each of which is, written as one word, a term of its
// gear or of its title. Lists of gear are ascending and must not be changed.
type match struct {
	words   []string
	cut     bool                 // there were more words than are looked at
	unknown []int                // the words that no gear's terms explain, alone or with neighbours
	runs    [][models.MaxRun]run // runs[i][k] is words[i-k : i+1] written as one
	reach   [][]uint16           // reach[i] is the gear whose terms alone make up words[:i]

	all   bool     // all gear matches: there are no words
	named []uint16 // the gear that matches by its own terms and that the words name in full
	slugs []string // of named gear, at most NamedLimit
	whole []uint16 // groups all of whose gear matches by its own terms
	part  []uint16 // the rest of the gear that does
}

// run is some neighbouring words written as one.
type run struct {
	term string
	gear []uint16 // that has it
}

func newMatch(x *Index, words []string, cut bool) *match {
	m := &match{words: words, cut: cut, all: len(words) == 0}
	m.read(x)
	m.divide(x.shape, m.reach[len(words)])
	if m.all {
		return m
	}
	named := x.lookup.Named(words)
	for _, gear := range m.reach[len(words)] {
		if named.Has(int(gear)) {
			m.named = append(m.named, gear)
			if len(m.slugs) < NamedLimit {
				m.slugs = append(m.slugs, x.lookup.At(int(gear)).Slug())
			}
		}
	}
	return m
}

// read finds the gear of all runs, and what they reach.
func (m *match) read(x *Index) {
	m.runs, m.reach = make([][models.MaxRun]run, len(m.words)), make([][]uint16, len(m.words)+1)
	m.reach[0] = x.shape.every
	known := make([]bool, len(m.words))
	for i := range m.words {
		for k := 0; k < models.MaxRun && k <= i; k++ {
			r := &m.runs[i][k]
			r.term = m.words[i]
			if k > 0 {
				r.term = strings.Join(m.words[i-k:i+1], "")
			}
			if r.gear = x.lookup.Numbers(r.term); len(r.gear) > 0 {
				m.reach[i+1] = either(m.reach[i+1], common(r.gear, m.reach[i-k]))
				for at := i - k; at <= i; at++ {
					known[at] = true
				}
			}
		}
	}
	for i := range known {
		if !known[i] {
			m.unknown = append(m.unknown, i)
		}
	}
}

// common is what stands in both of two ascending lists. It may be one of them.
func common(a, b []uint16) []uint16 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 || len(b) == int(b[len(b)-1])+1 && a[len(a)-1] <= b[len(b)-1] {
		return a // b has every number
	}
	var both []uint16
	for _, n := range a {
		at, ok := slices.BinarySearch(b, n)
		if b = b[at:]; ok {
			both = append(both, n)
		}
	}
	return both
}

// either is what stands in one of two ascending lists. It may be one of them.
func either(a, b []uint16) []uint16 {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := append(slices.Clip(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// divide finds the groups that match as a whole.
func (m *match) divide(sh *shape, gear []uint16) {
	for len(gear) > 0 {
		i := sh.groupOf[gear[0]]
		n := 1
		for n < len(gear) && sh.groupOf[gear[n]] == i {
			n++
		}
		if n == sh.groups[i].to-sh.groups[i].from {
			m.whole = append(m.whole, i)
		} else {
			m.part = append(m.part, gear[:n]...)
		}
		gear = gear[n:]
	}
}

// extras is the documents that match only with the help of their titles, among
// them some that do not count (see isExtra); nil for none. It is shared.
func (s *state) extras(c *scratch, m *match) *roaring.Bitmap {
	// reached[i] is the documents that need their titles to make up words[:i].
	var reached [models.KeywordLimit + 1]*roaring.Bitmap
	for i := range m.words {
		for k := 0; k < models.MaxRun && k <= i; k++ {
			r, before, all := &m.runs[i][k], reached[i-k], reached[i+1]
			titled := s.titles.docs[r.term]
			switch {
			case titled != nil && i == k:
				all = union(all, titled) // whatever the gear
			case titled != nil:
				all = union(all, s.withGear(c, titled, m.reach[i-k], r.gear))
				if before != nil {
					all = union(all, roaring.And(before, titled))
				}
			}
			if before != nil && len(r.gear) > 0 {
				all = union(all, s.withGear(c, before, r.gear, m.reach[i-k]))
			}
			reached[i+1] = all
		}
	}
	return reached[len(m.words)]
}

// isExtra reports whether one of the extras counts: a longer run may cover its
// gear after all, and what was removed is still named.
func (s *state) isExtra(f *filter, d uint32) bool {
	return s.price[d] != removed && !f.gear.Has(int(s.kind[d].gear()))
}

// union adds b to what a has, leaving both as they are; nil is the empty set.
func union(a, b *roaring.Bitmap) *roaring.Bitmap {
	switch {
	case b == nil || b.IsEmpty():
		return a
	case a == nil:
		return b
	default:
		return roaring.Or(a, b)
	}
}

// askCost is how many documents of a bitmap are gone through in the time in which it
// is asked whether it has one.
const askCost = 8

// withGear is the documents of docs whose gear is in one list and not in
// another; nil for none. No document of docs has gear of the other.
func (s *state) withGear(c *scratch, docs *roaring.Bitmap, gear, without []uint16) *roaring.Bitmap {
	size := int(docs.GetCardinality())
	cost := 0 // of asking for every listing of the gear
	for _, g := range gear {
		if cost += askCost * len(s.shelves[g].byPublished); cost >= size {
			break
		}
	}
	c.found = c.found[:0]
	if cost < size {
		for _, g := range gear {
			if _, in := slices.BinarySearch(without, g); in {
				continue
			}
			for _, d := range s.shelves[g].byPublished {
				if docs.Contains(d) {
					c.found = append(c.found, d)
				}
			}
		}
		slices.Sort(c.found)
	} else {
		clear(c.set)
		addAll(c.set, gear)
		c.eachMany(docs, func(docs []uint32) {
			for _, d := range docs {
				if c.set.Has(int(s.kind[d].gear())) {
					c.found = append(c.found, d)
				}
			}
		})
	}
	if len(c.found) == 0 {
		return nil
	}
	return roaring.BitmapOf(c.found...)
}

// eachMany hands over the documents of a bitmap by the hundred.
func (c *scratch) eachMany(docs *roaring.Bitmap, do func([]uint32)) {
	if c.many == nil {
		c.many = make([]uint32, 512)
	}
	for it := docs.ManyIterator(); ; {
		n := it.NextMany(c.many)
		if n == 0 {
			return
		}
		do(c.many[:n])
	}
}

// knows reports whether any listing could match a term: a gear of the
// catalogue or a title has it.
func (s *state) knows(term string) bool { return s.lookup.HasTerm(term) || s.titles.count(term) > 0 }

// listings is how many listings have a term, by gear or by title.
func (s *state) listings(term string) int {
	n := s.titles.count(term)
	for _, g := range s.lookup.Numbers(term) {
		n += len(s.shelves[g].byPublished)
	}
	return n
}

// correct replaces each word that nothing knows by the term of the catalogue
// that it most likely meant, or else by that of a title; nil when it changes nothing.
func (s *state) correct(m *match) (fixed []string, warnings []Warning) {
	for _, i := range m.unknown {
		w := m.words[i]
		if !models.Correctable(w) || models.KnownWord(m.words, i, s.knows) {
			continue
		}
		better := s.lookup.Correct(w, s.listings)
		if better == "" {
			better = models.NearestWord(w, s.titles.words, s.listings)
		}
		if better == "" {
			continue
		}
		if fixed == nil {
			fixed = slices.Clone(m.words)
		}
		fixed[i] = better
		warnings = append(warnings, Warning{"corrected", "keyword", w + " → " + better})
	}
	return fixed, warnings
}

// words yields the terms of titles that a misspelt word may have meant.
func (t *titles) words(yield func(string) bool) {
	for term := range t.docs {
		if models.Correctable(term) && !yield(term) {
			return
		}
	}
}

// matchWords is match for words.
func (x *Index) matchWords(words []string) *match { return x.match(strings.Join(words, " ")) }

// match is what the catalogue makes of a keyword.
func (x *Index) match(keyword string) *match {
	if m := x.memo.get(keyword); m != nil {
		return m
	}
	keyword = strings.Clone(keyword) // it may stand in a buffer that is used again
	words, cut := models.KeywordWords(keyword)
	m := newMatch(x, words, cut)
	x.memo.put(keyword, m)
	return m
}
