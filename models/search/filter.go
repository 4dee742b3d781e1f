package search

import (
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// filter is a query resolved against the index.
type filter struct {
	flags   []uint8         // by group
	whole   []uint16        // groups whose gear all matches the keyword and the model
	part    []uint16        // the other gear that matches them
	all     bool            // all gear matches
	keyword bool            // the query has a keyword
	gear    catalog.GearSet // all gear that matches; unset if all
	names   []uint16        // the gear that the keyword names in full
	named   catalog.GearSet // names as a set

	restricted bool            // the query restricts the model or the specifications of the gear
	admitted   catalog.GearSet // if restricted, the gear that meets it, whatever the keyword
	matched    []uint16        // if restricted, the gear in admitted that matches the keyword
	groups     []uint16        // buffer of whole
	rest       []uint16        // buffer of part

	extras *roaring.Bitmap // documents that match by their titles, see scratch.extras; nil for none
	wanted defectSet       // Filter.Defects, if anyOf
	noneOf defectSet       // Filter.WithoutDefects
	anyOf  bool            // the query has Filter.Defects
	docs   []uint32        // if narrow, the only documents to test
	narrow bool            // the query has a list of candidates, see core.candidates

	refused []uint8 // by value number: the bit of its dimension if the query does not admit it, else 0
	margins []int   // margins whose sum is the listings admitted; none if they have to be counted by cell
	admission
	anyCell  bool      // no dimension is restricted
	some     admission // buffer for admission if a dimension is restricted
	every    admission // buffer for admission if none is
	low      int32     // the lowest price, in minor units
	width    uint32    // number of prices from low on; 0 for an empty range
	anyPrice bool
	charges  charges // if the order is Total

	// open has the bits of the open facets: those of the gear that no restriction applies
	// to except their own. The cubes and margins of all listings count them, without the
	// groups.
	open uint8
	// facets holds, by flags, the other facets of the gear that a group counts for.
	facets [inAll + 1]uint8

	// met lists the whole groups with listings that meet the restrictions of the gear,
	// counted those that count for a facet that is not open.
	met, counted []uint16
}

// byKind reports whether the listings found are whole categories, so that their cubes
// count the facets of price, condition and region.
func (f *filter) byKind() bool { return f.open&inCategory != 0 }

// counts returns 1 for the flags of groups that have to be counted, else 0.
func (f *filter) counts(flags uint8) uint32 { return uint32(min(f.facets[flags], 1)) }

// openFacets sets open and facets.
func (f *filter) openFacets(q *Query) {
	category, brand, mount := q.Category == "", len(q.Brands) == 0, q.Mount == ""
	f.open = 0
	if f.all && !f.narrow {
		margins := len(f.margins) > 0 && !q.NoFacets
		if brand && mount {
			f.open |= inCategory
		}
		if margins && category && mount {
			f.open |= inBrand
		}
		if margins && category && brand {
			f.open |= inMount
		}
	}
	f.facets[inAll] = inAll &^ f.open
	for _, missing := range [...]uint8{inCategory, inBrand, inMount} {
		f.facets[inAll&^missing] = 0
		if !q.NoFacets {
			f.facets[inAll&^missing] = missing &^ f.open // each facet ignores its own restriction
		}
	}
}

// within returns 1 for a price in the range, else 0.
func (f *filter) within(price int32) (in uint32) {
	if uint32(price-f.low) < f.width {
		in = 1
	}
	return in
}

// has reports whether gear matches the keyword by its own terms.
func (f *filter) has(gear uint16) bool { return f.all || f.gear.Has(int(gear)) }

// admits reports whether gear is of the query's model and has its specifications.
func (f *filter) admits(gear uint16) bool { return !f.restricted || f.admitted.Has(int(gear)) }

// addAll adds gear to a set.
func addAll(set catalog.GearSet, gear []uint16) {
	for _, g := range gear {
		set.Add(int(g))
	}
}

// tier returns the tier of Relevance of gear that matches: 0 if it is named in full, 1
// if it matches by its own terms, 2 otherwise.
func (f *filter) tier(gear uint16) uint8 {
	switch {
	case !f.keyword || f.named.Has(int(gear)):
		return 0
	case f.has(gear):
		return 1
	default:
		return tierOfTitles
	}
}

// tierOfTitles is the tier of documents that match by their titles only.
const tierOfTitles = 2

// titled reports whether the documents that a search counts one by one match by their titles
// only.
func (f *filter) titled() bool { return f.keyword && !f.narrow && !f.byDefects() }

// restrictPrice sets the range of prices.
func (f *filter) restrictPrice(q *Query) {
	f.anyPrice = q.Min == nil && q.Max == nil
	low, high := models.Cents(0), models.Cents(beyond-1)
	if q.Min != nil {
		low = min(max(q.Min.Cents, 0), beyond-1)
	}
	if q.Max != nil {
		high = min(q.Max.Cents, beyond-1)
	}
	f.low, f.width = int32(low), uint32(max(high-low+1, 0))
}

// details reports whether a group's listings are counted here for the facets of price,
// condition and region. They are not if the cube of their category counts them.
func (f *filter) details(flags uint8) bool { return flags == inAll && !f.byKind() }

// admission holds the cells that a query admits.
type admission struct {
	missing []uint8  // by cell: bit set of the dimensions that do not admit it
	cell    []uint32 // by cell: 1 if admitted, else 0
	cells   []uint16 // the admitted cells, ascending
}

// resize sets the lengths of all lists to the number of cells.
func (a *admission) resize(cells int) {
	a.missing = slices.Grow(a.missing[:0], cells)[:cells]
	a.cell = slices.Grow(a.cell[:0], cells)[:cells]
	a.cells = slices.Grow(a.cells[:0], cells)[:cells]
}

// admitAll admits all cells. It reuses the entries of earlier calls, because cells are
// only added, unless there are fewer cells than before.
func (a *admission) admitAll(c *cells) {
	n := min(len(a.cell), len(c.cells))
	a.missing, a.cell, a.cells = a.missing[:n], a.cell[:n], a.cells[:n]
	for ; n < len(c.cells); n++ {
		a.missing, a.cell, a.cells = append(a.missing, 0), append(a.cell, 1), append(a.cells, uint16(n))
	}
}

const beyond = 1 << 30 // greater than every price

// charges holds what listings add to the price in the order Total.
type charges struct {
	of       []int32 // by number of the postage; refused if it is not shipped
	min, max int32   // of the listings that are shipped
	listings int     // how many are shipped
}

// refused is the charge of a listing that is not shipped to the countries of a search,
// and notShipped the first of its keys in the order Total.
const (
	refused    = -1
	notShipped = 1 << 40
)

// set sets the charges for the cheapest of countries.
func (c *charges) set(p *postages, countries []models.Region) {
	*c = charges{of: slices.Grow(c.of[:0], len(p.list))[:len(p.list)], min: math.MaxInt32}
	for n := range p.list {
		c.of[n] = refused
		terms, price, _ := p.list[n].to(countries)
		if listings := p.list[n].listings; listings > 0 && (terms == Ships || terms == NotStated) {
			c.of[n] = price32(price)
			c.min, c.max, c.listings = min(c.min, c.of[n]), max(c.max, c.of[n]), c.listings+listings
		}
	}
}
