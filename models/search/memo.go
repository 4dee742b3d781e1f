package search

import (
	"sync"
	"sync/atomic"
)

// memo keeps what the catalogue makes of keywords, which never changes. It is
// bounded by bytes; what makes room for another keyword is one that was not
// asked for since the hand came by last (the CLOCK algorithm), so that keywords
// which come again and again stay.
type memo struct {
	mu     sync.RWMutex
	byWord map[string]*noted
	clock  []*noted
	hand   int
	size   int // bytes, about
}

// noted is a keyword in the memo.
type noted struct {
	keyword string
	match   *match
	asked   atomic.Bool
}

// memoLimit is how many bytes a memo takes, some 30,000 keywords, and keywordLimit
// how long the keywords in it are: longer ones are made up.
const (
	memoLimit    = 32 << 20
	keywordLimit = 200
)

// get is what was put for a keyword; nil for none.
func (o *memo) get(keyword string) *match {
	o.mu.RLock()
	n := o.byWord[keyword]
	o.mu.RUnlock()
	if n == nil {
		return nil
	}
	if !n.asked.Load() {
		n.asked.Store(true)
	}
	return n.match
}

func (o *memo) put(keyword string, m *match) {
	if len(keyword) > keywordLimit {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byWord == nil {
		o.byWord = map[string]*noted{}
	}
	if o.byWord[keyword] != nil {
		return // somebody else was faster
	}
	n := &noted{keyword: keyword, match: m}
	for o.size += n.size(); o.size > memoLimit && len(o.clock) > 0; {
		o.turn()
	}
	o.byWord[keyword] = n
	o.clock = append(o.clock, n)
}

// turn moves the hand by one keyword and drops it, unless it was asked for.
func (o *memo) turn() {
	if o.hand >= len(o.clock) {
		o.hand = 0
	}
	n := o.clock[o.hand]
	if n.asked.Swap(false) {
		o.hand++
		return
	}
	last := len(o.clock) - 1
	o.clock[o.hand], o.clock[last] = o.clock[last], nil
	o.clock = o.clock[:last]
	delete(o.byWord, n.keyword)
	o.size -= n.size()
}

// size is about how many bytes a keyword takes.
func (n *noted) size() int {
	m := n.match
	numbers := len(m.named) + len(m.whole) + len(m.part)
	for i := range m.runs {
		if m.owns(i) {
			numbers += len(m.reach[i+1])
		}
	}
	const fixed, word = 300, 150 // structs, strings and slices
	return fixed + 2*len(n.keyword) + word*len(m.words) + 2*numbers
}

// owns reports whether the list of what the words up to the ith reach was made
// for them. Most often it is one that the lookup has anyway.
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

// sameList reports whether two lists are one in memory.
func sameList(a, b []uint16) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
