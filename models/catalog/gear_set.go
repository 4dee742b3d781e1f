package catalog

import (
	"math/bits"
)

// GearSet is a bit set of gear numbers of a Lookup.
type GearSet []uint64

// Add adds a number to the set.
func (s GearSet) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Has reports whether the set contains a number.
func (s GearSet) Has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// And sets s to the intersection of s and t.
func (s GearSet) And(t GearSet) {
	for i := range s {
		s[i] &= t[i]
	}
}

// Or sets s to the union of s and t.
func (s GearSet) Or(t GearSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// AndNot removes the numbers in t from s.
func (s GearSet) AndNot(t GearSet) {
	for i := range s {
		s[i] &^= t[i]
	}
}

// Empty reports whether the set is empty.
func (s GearSet) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Len returns the number of elements.
func (s GearSet) Len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// All iterates over the numbers in ascending order.
func (s GearSet) All() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// fill adds the numbers below n, which must be all that the set has room for but the last 63.
func (s GearSet) fill(n int) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if rest := n & 63; rest > 0 {
		s[len(s)-1] = 1<<rest - 1
	}
}

func (s GearSet) addAll(numbers []uint16) {
	for _, i := range numbers {
		s.Add(int(i))
	}
}
