package search

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// match is the result of looking up a keyword's words in the catalogue.
//
// A listing matches if the words can be divided into runs of one to models.MaxRun
// consecutive words, each of which, joined without spaces, is a term of the listing's
// gear or of its title. Lists of gear are ascending and must not be modified.
type match struct {
	words   []string
	cut     bool                  // the keyword has more words than models.KeywordLimit
	unknown []int                 // indexes of the words that are in no run that is a term of any gear
	runs    [][catalog.MaxRun]run // runs[i][k] is words[i-k : i+1] joined
	reach   [][]uint16            // reach[i] is the gear that matches words[:i] by its own terms

	all   bool     // there are no words, so all gear matches
	named []uint16 // the gear that matches by its own terms and whose full name the words contain
	slugs []string // slugs of named, at most NamedLimit
	whole []uint16 // groups whose gear all matches by its own terms
	part  []uint16 // the gear that matches by its own terms and is not in whole
}

// run is a sequence of consecutive words, joined.
type run struct {
	term string
	gear []uint16 // gear that has the term
}

// newMatch returns the match of words. cut reports whether the keyword had more words.
func newMatch(x *core, words []string, cut bool) *match {
	m := &match{words: words, cut: cut, all: len(words) == 0}
	m.read(x)
	m.whole, m.part = x.shape.divide(m.reach[len(words)], nil, nil)
	if m.all {
		return m
	}
	named := x.lookup.ExactNames(words)
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

// read looks up all runs and computes runs, reach and unknown.
func (m *match) read(x *core) {
	m.runs, m.reach = make([][catalog.MaxRun]run, len(m.words)), make([][]uint16, len(m.words)+1)
	m.reach[0] = x.shape.every
	known := make([]bool, len(m.words))
	for i := range m.words {
		for k := 0; k < catalog.MaxRun && k <= i; k++ {
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

// common returns the intersection of two ascending lists. The result may share memory
// with either list.
func common(a, b []uint16) []uint16 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 || len(b) == int(b[len(b)-1])+1 && a[len(a)-1] <= b[len(b)-1] {
		return a // b has every number from 0 to its last
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

// either returns the union of two ascending lists. The result may share memory with
// either list.
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

// knows reports whether a term is known: gear of the catalogue or a title has it.
func (x *core) knows(term string) bool {
	if x.lookup.HasTerm(term) {
		return true
	}
	for s := range x.states {
		if s.titles.count(term) > 0 {
			return true
		}
	}
	return false
}

// listings returns the number of listings that have a term, by gear or by title.
func (x *core) listings(term string) (n int) {
	for s := range x.states {
		n += s.titles.count(term)
		for _, g := range x.lookup.Numbers(term) {
			n += len(s.postings[g].byPublished)
		}
	}
	return n
}

// correct replaces each unknown word by the term of the catalogue, or else of a title,
// that was most likely meant. It returns nil if it replaces none.
func (x *core) correct(m *match) (fixed []string, warnings []Warning) {
	for _, i := range m.unknown {
		w := m.words[i]
		if !models.Correctable(w) || catalog.KnownWord(m.words, i, x.knows) {
			continue
		}
		better := x.lookup.Correct(w, x.listings)
		if better == "" {
			better = models.NearestWord(w, x.titleWords, x.listings)
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

// titleWords yields the terms of all titles that are candidates for correcting a misspelt
// word.
func (x *core) titleWords(yield func(string) bool) {
	for s := range x.states {
		for word := range s.titles.words {
			if !yield(word) {
				return
			}
		}
	}
}

// words yields the terms of titles that are candidates for correcting a misspelt word.
func (t *titles) words(yield func(string) bool) {
	for term := range t.common {
		if models.Correctable(term) && !yield(term) {
			return
		}
	}
	for term := range t.rare {
		if models.Correctable(term) && !yield(term) {
			return
		}
	}
}

// matchWords is like match for words.
func (x *core) matchWords(words []string) *match { return x.match(strings.Join(words, " ")) }

// match returns the match of a keyword, from the cache if it is there.
func (x *core) match(keyword string) *match {
	if m, ok := x.memo.Get(keyword); ok {
		return m
	}
	keyword = strings.Clone(keyword) // the caller may reuse its buffer
	words, cut := catalog.KeywordWords(keyword)
	m := newMatch(x, words, cut)
	if len(keyword) > keywordLimit {
		return m
	}
	return x.memo.Add(strings.Clone(keyword), m, m.size(keyword))
}
