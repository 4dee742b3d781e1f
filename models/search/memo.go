package search

import "github.com/secondlight/secondlight/models/cache"

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
