package search

import (
	"cmp"
	"slices"
)

// ranking is gear in the order of what stands first in one of its lists, so that
// a search for the first of all gear looks only at gear that may have them.
type ranking struct {
	keys  []uint64 // by gear; the least comes first
	order []uint16 // the gear that has listings: by key, then by number
}

// noListing is the key of gear without listings, noTypical in an order of deals
// that of a listing without typical price.
const (
	noListing = 1<<64 - 1
	noTypical = 1<<64 - 2
)

func newRanking(gear int) ranking {
	return ranking{keys: slices.Repeat([]uint64{noListing}, gear)}
}

func (r *ranking) set(gear int, key uint64) {
	this := uint16(gear)
	if r.keys[gear] == key {
		return
	}
	if at, ok := r.find(this); ok {
		r.order = slices.Delete(r.order, at, at+1)
	}
	r.keys[gear] = key
	if at, _ := r.find(this); key != noListing {
		r.order = slices.Insert(r.order, at, this)
	}
}

func (r *ranking) find(gear uint16) (at int, ok bool) {
	return slices.BinarySearchFunc(r.order, gear, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(r.keys[a], r.keys[b]), cmp.Compare(a, b))
	})
}
