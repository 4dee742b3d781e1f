package search

import (
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// scratch holds the buffers of one search. It is pooled and reused by later searches.
type scratch struct {
	query  Query
	filter filter
	hits   hits
	text   []byte // of a card

	// Counts of the search. A listing counts for a facet if it meets every restriction
	// except the facet's own.
	total      int
	categories []int
	brands     []int
	mounts     []int
	bands      [bandCount]uint32
	defects    defectCounts
	cells      []uint32  // by cell: listings that meet the restrictions of gear and price
	values     []int     // by value number
	columns    []uint16  // columns of a cube that the filter admits
	between    []between // by group
	groups     []int32   // extras by group; all 0 between searches

	keys        []uint64 // buffer for sorting
	extra       []uint32 // documents found that do not match by their gear
	found, many []uint32
	bits, both  []uint64 // buffers of withGearByBits
	set         catalog.GearSet
}

// between holds the state of countBetween for the documents of a group.
type between struct {
	facets   uint8  // facets that the group's cube counted for
	detailed uint32 // all ones if a cube counted its cells, else 0
	found    uint32 // number of documents whose cell the filter admits
}

// newScratch returns the buffers for searches over a catalogue.
func newScratch(l *catalog.Lookup, sh *shape) *scratch {
	return &scratch{
		filter: filter{
			flags: make([]uint8, len(sh.groups)), gear: l.NewSet(), named: l.NewSet(), admitted: l.NewSet(),
			met: make([]uint16, len(sh.groups)), counted: make([]uint16, len(sh.groups)),
		},
		categories: make([]int, len(models.Categories)), brands: make([]int, len(sh.brands)), mounts: make([]int, len(sh.mounts)),
		between: make([]between, len(sh.groups)), groups: make([]int32, len(sh.groups)), set: l.NewSet(),
	}
}

// hits collects the first listings of an order, in order.
type hits struct {
	sort  Sort
	limit int
	after *position // only listings after it are collected; nil for the first page
	list  []hit

	// The following fields allow a cheap test whether a listing comes after the
	// last hit. If the list is full they are the key and time of the last hit.
	key       uint64
	published int64
	late      uint32 // the upper part of published, as in the column
}

// hit is a listing in an order. Hits are ordered by lowest key, then latest time, then
// greatest id. Keys of deals are rounded down, so equal keys have to be compared
// exactly.
type hit struct {
	key       uint64
	published int64
	doc       uint32
}

// reset prepares h for a search and keeps the capacity of its list.
func (h *hits) reset(sort Sort, limit int, after *position) {
	*h = hits{sort: sort, limit: limit, after: after, list: h.list[:0], key: noListing}
}

// full reports whether the list has limit hits.
func (h *hits) full() bool { return len(h.list) == h.limit }

// cubed records that a cube counted the group, so that countBetween corrects its
// counts.
func (b *between) cubed(facets uint8, details bool) {
	b.facets = facets
	if details {
		b.detailed = ^uint32(0)
	}
}
