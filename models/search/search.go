package search

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Search returns the result of a query. It returns a *problem.Error of kind Invalid
// for an unknown sort and for a cursor that is invalid or belongs to another search.
func (x *core) Search(q Query) (*Result, error) {
	result := &Result{}
	if err := x.SearchInto(result, q); err != nil {
		return nil, err
	}
	return result, nil
}

// SearchInto is like Search but overwrites result and reuses the capacity of its
// slices. Callers that pool results avoid most allocations.
func (x *core) SearchInto(result *Result, q Query) error {
	result.reset()
	c := x.scratch.Get().(*scratch)
	defer x.release(c)
	c.query = q // a local copy would be allocated for each search
	return x.search(result, &c.query, c)
}

// release returns the buffers of a search to the pool, without the query, which
// belongs to the caller.
func (x *core) release(c *scratch) {
	c.query = Query{}
	x.scratch.Put(c)
}

// search computes the result of q in result, using the buffers of c.
func (x *core) search(result *Result, q *Query, c *scratch) error {
	if err := q.normal(result); err != nil {
		return err
	}
	m := x.match(q.Keyword)
	after, err := q.parseCursor(m)
	if err != nil {
		return err
	}
	if m.cut {
		result.Warnings = append(result.Warnings, Warning{"shortened", "keyword", fmt.Sprintf("only the first %d words were looked for", catalog.KeywordLimit)})
	}

	x.mu.RLock()
	defer x.mu.RUnlock()
	original := m
	if fixed, warnings := x.correct(m); fixed != nil && !q.verbatim() {
		m = x.matchWords(fixed)
		result.Keyword = strings.Join(fixed, " ")
		result.DidYouMean = result.Keyword
		result.Warnings = append(result.Warnings, warnings...)
	}
	result.Named = m.slugs
	if x.divided(q) {
		x.searchParts(result, q, m, original, after)
		return nil
	}
	s := x.state
	f := x.filter(s, c, q, m)
	c.reset(s)
	s.count(f, c)
	c.facets(&result.Facets, s, q)
	result.Total = c.total
	if c.total == 0 {
		if len(m.slugs) > 0 {
			return nil // the gear is known but not for sale; fewer words would mean other gear
		}
		better := withoutOne(m.words, func(words []string) int {
			c.reset(s)
			s.count(x.filter(s, c, q, x.matchWords(words)), c)
			return c.total
		})
		if better != "" {
			result.DidYouMean = better
		}
		return nil
	}
	before := s.collectPage(f, c, q, after)
	s.page(result, c, before, q, original)
	if q.ShipTo != "" {
		result.Shipping = s.shipping(result.Shipping, c.hits.list[before:], len(result.Cards), q.ShipTo)
	}
	if before > 0 {
		result.HasPrevious = true
	}
	if start := before - q.Limit; start > 0 {
		result.PreviousCursor = q.cursor(s.position(q.Sort, &c.hits.list[start-1]), original)
	}
	return nil
}

// maxBack is the number of pages before a page of which the previous one is found.
const maxBack = 10

// collectPage collects the listings of the page after a position, one more than the
// limit, and those before it. It returns the number of those before, 0 if more than
// maxBack pages precede the page.
func (s *state) collectPage(f *filter, c *scratch, q *Query, after *position) (before int) {
	if after == nil {
		c.hits.reset(q.Sort, q.Limit+1, nil)
		s.collect(f, c)
		return 0
	}
	c.hits.reset(q.Sort, (maxBack+1)*q.Limit+1, nil)
	s.collect(f, c)
	before = sort.Search(len(c.hits.list), func(i int) bool {
		p := s.position(q.Sort, &c.hits.list[i])
		return q.Sort.compare(&p, after) > 0
	})
	if before <= maxBack*q.Limit || !c.hits.full() {
		return before
	}
	c.hits.reset(q.Sort, q.Limit+1, after)
	s.collect(f, c)
	return 0
}

// withoutOne returns the keyword with the most results among those with one word left
// out, the first of several. It returns "" if none has results.
func withoutOne(words []string, count func(words []string) int) (keyword string) {
	if len(words) < 2 {
		return ""
	}
	highest := 0
	for i := range words {
		fewer := slices.Delete(slices.Clone(words), i, i+1)
		if n := count(fewer); n > highest {
			highest, keyword = n, strings.Join(fewer, " ")
		}
	}
	return keyword
}

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

	extras *roaring.Bitmap // documents that match by their titles, see state.extras; nil for none
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
		margins := len(f.margins) > 0
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
	for _, missing := range [...]uint8{inCategory, inBrand, inMount} {
		f.facets[inAll&^missing] = missing &^ f.open // each facet ignores its own restriction
	}
	f.facets[inAll] = inAll &^ f.open
}

// listGroups sets met and counted, so that later steps need not scan all groups. It
// writes every group and overwrites those that do not qualify, because a branch would
// often be mispredicted.
func (f *filter) listGroups(s *state) {
	f.met, f.counted = f.met[:len(f.flags)], f.counted[:len(f.flags)]
	met, counted := 0, 0
	for _, i := range f.whole {
		flags, stocked := f.flags[i], uint32(min(s.size[i], 1))
		f.met[met] = i
		met += int(stocked & meetsAll(flags))
		f.counted[counted] = i
		counted += int(stocked & f.counts(flags))
	}
	f.met, f.counted = f.met[:met], f.counted[:counted]
}

// within returns 1 for a price in the range, else 0.
func (f *filter) within(price int32) (in uint32) {
	if uint32(price-f.low) < f.width {
		in = 1
	}
	return in
}

// passes reports whether a document meets the restrictions of condition, region and price.
func (s *state) passes(f *filter, d uint32) bool {
	return f.cell[s.kind[d].cell()] != 0 && uint32(s.price[d]-f.low) < f.width
}

// filter resolves a query. The result is stored in c and valid until its next use.
func (x *core) filter(s *state, c *scratch, q *Query, m *match) *filter {
	f := &c.filter
	*f = filter{flags: f.flags, gear: f.gear, named: f.named, docs: f.docs[:0], refused: f.refused, margins: f.margins, some: f.some, every: f.every, met: f.met, counted: f.counted,
		admitted: f.admitted, matched: f.matched, groups: f.groups, rest: f.rest, charges: charges{of: f.charges.of}}
	x.shape.flag(f.flags, q)
	f.restrictCells(s.cells, q)
	f.restrictPrice(q)
	if q.Sort == Total {
		f.charges.set(&s.postages, q.ShipTo)
	}
	f.matchGear(x.shape, m)
	f.extras = s.extras(c, m)
	f.restrictGear(x, q)
	f.restrictDocs(x, s, q)
	f.openFacets(q)
	f.listGroups(s)
	return f
}

// matchGear sets the gear that matches the keyword.
func (f *filter) matchGear(sh *shape, m *match) {
	f.whole, f.part, f.all, f.keyword, f.names = m.whole, m.part, m.all, !m.all, m.named
	if f.all {
		return
	}
	clear(f.gear)
	clear(f.named)
	for _, i := range f.whole {
		for gear := sh.groups[i].from; gear < sh.groups[i].to; gear++ {
			f.gear.Add(gear)
		}
	}
	addAll(f.gear, f.part)
	addAll(f.named, f.names)
}

// has reports whether gear matches the keyword by its own terms.
func (f *filter) has(gear uint16) bool { return f.all || f.gear.Has(int(gear)) }

// restrictDocs restricts the documents to the candidates of the query, if it has any.
func (f *filter) restrictDocs(x *core, s *state, q *Query) {
	candidates := x.candidates(s, f, q)
	if candidates == nil {
		return
	}
	f.narrow, f.whole, f.part = true, nil, nil
	for d := range candidates {
		gear := s.kind[d].gear()
		if f.admits(gear) && (f.has(gear) || f.extras != nil && f.extras.Contains(d)) {
			f.docs = append(f.docs, d)
		}
	}
	f.extras = nil
}

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
		return 2
	}
}

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
