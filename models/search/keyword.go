package search

import (
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models"
)

// match is what the catalogue makes of a keyword's words.
//
// A listing matches when the words can be cut into runs of one to
// models.MaxRun neighbours, each of which is, written as one word, a term of its
// gear or of its title.
type match struct {
	words   []string
	cut     bool                 // there were more words than are looked at
	unknown []int                // the words that no gear's terms explain, alone or with neighbours
	runs    [][models.MaxRun]run // runs[i][k] is words[i-k : i+1] written as one
	reach   []models.GearSet     // reach[i] is the gear whose terms alone make up words[:i]

	gear  models.GearSet // that matches by its own terms, whatever its titles say; nil without words: all
	named models.GearSet // the part of gear that the words name in full; nil without words
	slugs []string       // of named gear, at most NamedLimit
	whole []uint16       // groups all of whose gear is in gear
	part  []uint16       // the rest of gear
}

// run is some neighbouring words written as one.
type run struct {
	term string
	gear models.GearSet // nil when no gear has it
}

func newMatch(x *Index, words []string, cut bool) *match {
	l := x.lookup
	m := &match{words: words, cut: cut, runs: make([][models.MaxRun]run, len(words)), reach: make([]models.GearSet, len(words)+1)}
	if len(words) == 0 {
		for i := range x.shape.groups {
			m.whole = append(m.whole, uint16(i))
		}
		return m
	}
	m.reach[0] = l.NewSet()
	for g := range l.Size() {
		m.reach[0].Add(g)
	}
	for i := range words {
		if !models.KnownWord(words, i, l.HasTerm) {
			m.unknown = append(m.unknown, i)
		}
		m.reach[i+1] = l.NewSet()
		for k := 0; k < models.MaxRun && k <= i; k++ {
			r := run{term: strings.Join(words[i-k:i+1], "")}
			if l.HasTerm(r.term) {
				r.gear = l.NewSet()
				l.GearWith(r.gear, r.term)
				step := slices.Clone(r.gear)
				step.And(m.reach[i-k])
				m.reach[i+1].Or(step)
			}
			m.runs[i][k] = r
		}
	}
	m.gear = m.reach[len(words)]
	m.named = l.Named(words)
	m.named.And(m.gear)
	for g := range m.named.All() {
		if slug := l.At(g).Slug(); len(m.slugs) < NamedLimit {
			m.slugs = append(m.slugs, slug)
		}
	}
	m.divide(x.shape)
	return m
}

// divide finds the groups that match as a whole.
func (m *match) divide(sh *shape) {
	for i, g := range sh.groups {
		n := 0
		for gear := g.from; gear < g.to; gear++ {
			if m.gear.Has(gear) {
				n++
			}
		}
		if n == g.to-g.from {
			m.whole = append(m.whole, uint16(i))
			continue
		}
		for gear := g.from; n > 0 && gear < g.to; gear++ {
			if m.gear.Has(gear) {
				m.part = append(m.part, uint16(gear))
			}
		}
	}
}

// extras is the documents that match only with the help of their titles,
// ascending. It lives in c.
func (s *state) extras(c *scratch, m *match) []uint32 {
	some := false
	for i := range m.runs {
		for _, r := range m.runs[i] {
			some = some || s.titles.docs[r.term] != nil
		}
	}
	if !some {
		return nil
	}
	// reached[i] is the documents that need their titles to make up words[:i].
	reached := make([]*roaring.Bitmap, len(m.words)+1)
	for i := range m.words {
		var all *roaring.Bitmap
		for k := 0; k < models.MaxRun && k <= i; k++ {
			r, before := m.runs[i][k], reached[i-k]
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
			if before != nil && r.gear != nil {
				all = union(all, s.withGear(c, before, r.gear, m.reach[i-k]))
			}
		}
		reached[i+1] = all
	}
	found := reached[len(m.words)]
	if found == nil {
		return nil
	}
	c.extras = c.extras[:0]
	c.eachMany(found, func(docs []uint32) {
		for _, d := range docs {
			// A longer run may cover the gear after all; what was removed is still named.
			if !m.gear.Has(int(s.gear[d])) && s.price[d] != removed {
				c.extras = append(c.extras, d)
			}
		}
	})
	return c.extras
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

// withGear is the documents of docs whose gear is in set; nil for none. No
// document of docs has gear that is in without (nil for none).
func (s *state) withGear(c *scratch, docs *roaring.Bitmap, set, without models.GearSet) *roaring.Bitmap {
	size := int(docs.GetCardinality())
	listings := 0
	c.gear = c.gear[:0]
	for g := range set.All() {
		if without == nil || !without.Has(g) {
			c.gear = append(c.gear, uint16(g))
			if listings += len(s.shelves[g].byPublished); listings >= size {
				break
			}
		}
	}
	c.found = c.found[:0]
	if listings < size {
		for _, g := range c.gear {
			for _, d := range s.shelves[g].byPublished {
				if docs.Contains(d) {
					c.found = append(c.found, d)
				}
			}
		}
		slices.Sort(c.found)
	} else {
		c.eachMany(docs, func(docs []uint32) {
			for _, d := range docs {
				if set.Has(int(s.gear[d])) {
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

// memo keeps what the catalogue makes of keywords, which never changes.
type memo struct {
	mu      sync.RWMutex
	matches map[string]*match
}

// The memo is bounded: by the number of keywords, each of which may take some
// kilobytes, and by their length in bytes.
const (
	memoLimit  = 2048
	memoLength = 200
)

func (x *Index) match(keyword string) *match {
	if len(keyword) > memoLength {
		words, cut := models.KeywordWords(keyword)
		return newMatch(x, words, cut)
	}
	x.memo.mu.RLock()
	m := x.memo.matches[keyword]
	x.memo.mu.RUnlock()
	if m != nil {
		return m
	}
	keyword = strings.Clone(keyword) // it may stand in a buffer that is used again
	words, cut := models.KeywordWords(keyword)
	m = newMatch(x, words, cut)
	x.memo.mu.Lock()
	defer x.memo.mu.Unlock()
	if len(x.memo.matches) >= memoLimit || x.memo.matches == nil {
		x.memo.matches = make(map[string]*match)
	}
	x.memo.matches[keyword] = m
	return m
}

// matchWords is match for words.
func (x *Index) matchWords(words []string) *match { return x.match(strings.Join(words, " ")) }
