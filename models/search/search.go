package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models"
)

// Search answers a query. It fails, with a *models.Error of kind Invalid, on an
// unknown sort and on a cursor that was not made by this search.
func (x *Index) Search(q Query) (*Result, error) {
	result := &Result{}
	if err := x.SearchInto(result, q); err != nil {
		return nil, err
	}
	return result, nil
}

// SearchInto is Search for a caller who searches often: it writes the answer
// into result, over what was there, in the slices that are there. Whoever keeps
// one result for each request at work, in a sync.Pool, makes next to no garbage.
func (x *Index) SearchInto(result *Result, q Query) error {
	result.reset()
	if err := q.normal(result); err != nil {
		return err
	}
	m := x.match(q.Keyword)
	after, err := q.place(m)
	if err != nil {
		return err
	}
	if m.cut {
		result.Warnings = append(result.Warnings, Warning{"shortened", "keyword", fmt.Sprintf("only the first %d words were looked for", models.KeywordLimit)})
	}

	c := x.scratch.Get().(*scratch)
	defer x.scratch.Put(c)
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.state
	asked := m
	if fixed, warnings := s.correct(m); fixed != nil {
		m = x.matchWords(fixed)
		result.Keyword = strings.Join(fixed, " ")
		result.DidYouMean = result.Keyword
		result.Warnings = append(result.Warnings, warnings...)
	}
	result.Named = m.slugs
	f := x.filter(s, c, &q, m)
	c.reset(s)
	s.count(f, c)
	c.facets(&result.Facets, s, &q)
	result.Total = c.total
	if c.total == 0 {
		if len(m.slugs) > 0 {
			return nil // none is for sale, and a word less would mean another thing
		}
		if better := x.withoutOne(s, c, &q, m.words); better != "" {
			result.DidYouMean = better
		}
		return nil
	}
	c.hits.reset(q.Sort, q.Limit+1, after)
	s.collect(f, c)
	result.Cards, result.NextCursor = s.page(result.Cards, &c.hits, &q, asked)
	return nil
}

// withoutOne is the keyword that finds most when one word is left out, the
// first of them on a tie; "" when all find nothing.
func (x *Index) withoutOne(s *state, c *scratch, q *Query, words []string) (keyword string) {
	if len(words) < 2 {
		return ""
	}
	most := 0
	for i := range words {
		fewer := slices.Delete(slices.Clone(words), i, i+1)
		c.reset(s)
		s.count(x.filter(s, c, q, x.matchWords(fewer)), c)
		if c.total > most {
			most, keyword = c.total, strings.Join(fewer, " ")
		}
	}
	return keyword
}

// filter is a query made ready.
type filter struct {
	flags   []uint8        // by group
	whole   []uint16       // groups all of whose gear matches the keyword and the model
	part    []uint16       // the rest of the gear that does
	all     bool           // all gear does
	keyword bool           // there is one
	gear    models.GearSet // all gear that does, unless all
	names   []uint16       // the gear that the keyword names in full
	named   models.GearSet // the same
	model   []uint16       // the gear of the model that is asked for; nil for any

	extras *roaring.Bitmap // what matches by its title, see state.extras; nil for none
	docs   []uint32        // when narrow, all there is to look at
	narrow bool            // one seller is asked for

	admitted []bool   // by the number of a value
	margins  []int    // that make up what is let through; none when it takes single cells
	missing  []uint8  // by cell: the dimensions, as bits, that do not admit it
	cell     []uint32 // by cell: 1 for those that are let through
	cells    []uint16 // those that are let through
	anyCell  bool     // no dimension is restricted
	low      int32    // the least price
	width    uint32   // and how many prices from there on
	anyPrice bool

	// open is the facets of the gear that no restriction of the gear holds for, but
	// their own: cubes and margins of all listings tell them without a look at groups.
	open uint8
	// facets is, by flags, the other facets of the gear that a group counts for.
	facets [inAll + 1]uint8

	// The whole groups with listings that meet the restrictions of the gear, and
	// those that count for a facet that is not open.
	met, counted []uint16
}

// byKind reports whether what is found is whole categories: their cubes tell the
// facets of price, condition and region.
func (f *filter) byKind() bool { return f.open&inCategory != 0 }

// counts is 1 for the flags of groups that have to be counted, else 0.
func (f *filter) counts(flags uint8) uint32 { return uint32(min(f.facets[flags], 1)) }

// openFacets finds the facets that are open, and what the others count.
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
		f.facets[inAll&^missing] = missing &^ f.open // each facet forgives its own restriction
	}
	f.facets[inAll] = inAll &^ f.open
}

// listGroups lists the whole groups that there is something to do with, so that
// nothing that follows looks at all of them. It writes down each, and the next over
// those that are not meant: a branch would often be guessed wrong.
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

// within is 1 for a price in the range, else 0.
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

// filter makes a query ready. What it returns lives in c.
func (x *Index) filter(s *state, c *scratch, q *Query, m *match) *filter {
	f := &c.filter
	*f = filter{flags: f.flags, gear: f.gear, named: f.named, docs: f.docs[:0], admitted: f.admitted, missing: f.missing, margins: f.margins, cell: f.cell, cells: f.cells, met: f.met, counted: f.counted}
	x.shape.flag(f.flags, q)
	f.restrictCells(s.cells, q)
	f.restrictPrice(q)
	f.matchGear(x.shape, m)
	f.extras = s.extras(c, m)
	if q.Model != "" {
		f.restrictModel(x, q.Model)
	}
	if q.Seller != "" {
		f.restrictSeller(s, q.Seller)
	}
	f.openFacets(q)
	f.listGroups(s)
	return f
}

// matchGear takes over the gear that matches.
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

// has reports whether gear matches, whatever the titles say.
func (f *filter) has(gear uint16) bool { return f.all || f.gear.Has(int(gear)) }

// inModel reports whether gear is of a model slug, with or without brand.
func inModel(x *Index, model string, gear uint16) bool {
	g := x.lookup.At(int(gear))
	brand, slug, branded := strings.Cut(model, "/")
	if branded {
		return g.BrandSlug == brand && g.ModelSlug == slug
	}
	return g.ModelSlug == model
}

// restrictModel keeps the gear of a model.
func (f *filter) restrictModel(x *Index, model string) {
	f.model = make([]uint16, 0, 1)
	if gear, ok := x.lookup.Catalogued(model); ok {
		f.model = append(f.model, uint16(gear))
	} else {
		for _, gear := range x.shape.every {
			if inModel(x, model, gear) {
				f.model = append(f.model, gear)
			}
		}
	}
	f.whole, f.part = nil, nil
	for _, gear := range f.model {
		if f.has(gear) {
			f.part = append(f.part, gear)
		}
	}
	f.names, f.all = common(f.names, f.part), false
	clear(f.gear)
	addAll(f.gear, f.part)
}

// restrictSeller keeps the listings of a seller.
func (f *filter) restrictSeller(s *state, handle string) {
	f.narrow, f.whole, f.part = true, nil, nil
	for _, d := range s.docsOf(handle) {
		gear := s.kind[d].gear()
		if f.isModel(gear) && (f.has(gear) || f.extras != nil && f.extras.Contains(d)) {
			f.docs = append(f.docs, d)
		}
	}
	f.extras = nil
}

// isModel reports whether gear is of the model that is asked for, if any.
func (f *filter) isModel(gear uint16) bool { return f.model == nil || slices.Contains(f.model, gear) }

func addAll(set models.GearSet, gear []uint16) {
	for _, g := range gear {
		set.Add(int(g))
	}
}

// tier is where relevance puts a document that matches.
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
