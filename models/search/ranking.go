package search

import (
	"cmp"
	"slices"
)

// ranking orders gear by the key of the first listing in one of its lists, so that a
// search for the first listings of all gear scans only the gear that may have them.
type ranking struct {
	keys  []uint64 // by gear; the lowest comes first
	order []uint16 // the gear that has listings, by key and then by number
}

// noListing is the key of gear without listings. noTypical is, in an order of deals,
// the key of a listing without a typical price.
const (
	noListing = 1<<64 - 1
	noTypical = 1<<64 - 2
)

// newRanking returns a ranking for a number of gear, none of which has listings.
func newRanking(gear int) ranking {
	return ranking{keys: slices.Repeat([]uint64{noListing}, gear)}
}

// set sets the key of gear and updates the order.
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

// find returns the index at which gear is or would be inserted in order, and reports
// whether it is there.
func (r *ranking) find(gear uint16) (at int, ok bool) {
	return slices.BinarySearchFunc(r.order, gear, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(r.keys[a], r.keys[b]), cmp.Compare(a, b))
	})
}
