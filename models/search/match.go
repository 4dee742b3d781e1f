package search

import (
	"slices"

	"github.com/secondlight/secondlight/models/cache"
	"github.com/secondlight/secondlight/models/catalog"
)

// match is the result of looking up a keyword's words in the catalogue.
//
// A listing matches if the words can be divided into runs of one to models.MaxRun
// consecutive words that, joined without spaces, are terms of the listing's gear or of
// its title. Lists of gear are ascending and must not be modified.
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

// memo caches the matches of keywords, which depend on the catalogue only.
type memo = cache.Cache[string, *match]

// memoLimit is the capacity of a memo in bytes, enough for about 30,000 keywords.
// Keywords longer than keywordLimit bytes are not cached.
const (
	memoLimit    = 32 << 20
	keywordLimit = 200
)

// size returns the approximate size in bytes of a match and its keyword in a memo.
func (m *match) size(keyword string) int {
	numbers := len(m.named) + len(m.whole) + len(m.part)
	for i := range m.runs {
		if m.owns(i) {
			numbers += len(m.reach[i+1])
		}
	}
	const fixed, word = 300, 150 // structs, strings and slices
	return fixed + 2*len(keyword) + word*len(m.words) + 2*numbers
}

// owns reports whether reach[i+1] was allocated for the match. Usually it is a list of
// the lookup.
func (m *match) owns(i int) bool {
	reached := m.reach[i+1]
	for _, r := range m.runs[i] {
		if sameList(reached, r.gear) {
			return false
		}
	}
	for _, before := range m.reach[:i+1] {
		if sameList(reached, before) {
			return false
		}
	}
	return true
}

// sameList reports whether two lists share the same memory.
func sameList(a, b []uint16) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
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
