package search

import (
	"slices"

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
	cells      []uint32  // by cell: listings that meet the restrictions of gear and price
	values     []int     // by value number
	columns    []uint16  // columns of a cube that the filter admits
	between    []between // by group
	groups     []int32   // extras by group; all 0 between searches

	keys        []uint64 // buffer for sorting
	extra       []uint32 // documents found that do not match by their gear
	found, many []uint32
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

// reset clears the counts and resizes them to the cells of s.
func (c *scratch) reset(s *state) {
	c.total = 0
	clear(c.categories)
	clear(c.brands)
	clear(c.mounts)
	clear(c.between)
	c.bands = [bandCount]uint32{}
	n := len(s.cells.cells)
	c.cells = slices.Grow(c.cells[:0], n)[:n]
	clear(c.cells)
}

// count counts the listings that match a filter, for all facets in one pass.
func (s *state) count(f *filter, c *scratch) {
	if len(f.whole) > 0 {
		s.countWhole(f, c)
	}
	for _, gear := range f.part {
		group := s.shape.groupOf[gear]
		if flags := f.flags[group]; f.counts(flags) != 0 {
			s.addFacets(f, c, group, s.countDocs(f, c, f.details(flags), s.postings[gear].byPublished))
		}
	}
	s.countExtras(f, c)
	for _, cell := range f.cells {
		c.total += int(c.cells[cell])
	}
}

// countWhole counts groups that match as a whole: small groups document by document,
// others by their cubes. The documents between the bounds of the price and the nearest
// edges of the cubes are then counted one by one.
func (s *state) countWhole(f *filter, c *scratch) {
	low, high := s.below(f.low), s.below(f.low+int32(f.width))
	between := len(low.docs) + len(high.docs)
	cubes := f.open != 0 || s.listingsIn(f.counted) >= between // else scanning the groups is faster
	s.countOpen(f, c, low.row, high.row)
	for _, i := range f.counted {
		s.addFacets(f, c, i, s.countGroup(f, c, i, cubes, low.row, high.row))
	}
	if cubes {
		s.countBetween(f, c, low, high)
	}
}

// countGroup counts a whole group: the rows from low to high if cubes are used, else
// all listings that match.
func (s *state) countGroup(f *filter, c *scratch, i uint16, cubes bool, low, high int) int32 {
	details, st := f.details(f.flags[i]), &s.stock[i]
	switch {
	case f.anyCell && f.anyPrice && !details:
		return s.size[i]
	case cubes && st.cube != nil:
		c.between[i].cubed(f.facets[f.flags[i]], details)
		return st.cube.count(f, c, details, low, high)
	case st.few != nil:
		return c.countFew(f, details, st.few)
	}
	n := int32(0)
	g := &s.shape.groups[i]
	for gear := g.from; gear < g.to; gear++ {
		n += s.countDocs(f, c, details, s.postings[gear].byPublished)
	}
	return n
}

// cubed records that a cube counted the group, so that countBetween corrects its
// counts.
func (b *between) cubed(facets uint8, details bool) {
	b.facets = facets
	if details {
		b.detailed = ^uint32(0)
	}
}

// listingsIn returns the number of listings in groups.
func (s *state) listingsIn(groups []uint16) (n int) {
	for _, i := range groups {
		n += int(s.size[i])
	}
	return n
}

// countOpen counts the open facets between two rows.
func (s *state) countOpen(f *filter, c *scratch, low, high int) {
	if f.open&inBrand != 0 {
		s.brands.count(f, c.brands, low, high)
	}
	if f.open&inMount != 0 {
		s.mounts.count(f, c.mounts, low, high)
	}
	if f.open&inCategory == 0 {
		return
	}
	for kind, groups := range s.shape.ofCategory {
		if len(groups) == 0 {
			continue
		}
		matches := f.flags[groups[0]] == inAll
		c.categories[kind] = int(s.kinds[kind].count(f, c, matches, low, high))
		if !matches {
			continue
		}
		for _, i := range groups {
			c.between[i].detailed = ^uint32(0)
		}
	}
}

// details reports whether a group's listings are counted here for the facets of price,
// condition and region. They are not if the cube of their category counts them.
func (f *filter) details(flags uint8) bool { return flags == inAll && !f.byKind() }

// countBetween corrects the counts of cubes by the documents between a bound and the
// edge of its row: it adds those that the rows lack and subtracts those in excess. It
// has no branches that depend on a document, and uses local slices so that the
// compiler need not reload them after each write.
func (s *state) countBetween(f *filter, c *scratch, low, high bound) {
	if len(low.docs)+len(high.docs) == 0 {
		return
	}
	low.by = -low.by
	kinds, groupOf, groups, cells := s.kind, s.shape.groupOf, c.between, c.cells
	in := f.cell[:len(cells)]
	for _, bound := range [...]bound{low, high} {
		by := uint32(bound.by)
		for _, d := range bound.docs {
			kind := kinds[d]
			group, cell := &groups[groupOf[kind.gear()]], kind.cell()
			group.found += by * in[cell]
			cells[cell] += by & group.detailed
		}
	}
	for i := range groups {
		if g := &groups[i]; g.found != 0 {
			c.addFacets(&s.shape.groups[i], f.open|g.facets, int(int32(g.found)))
		}
	}
}

// countDocs counts documents one by one and, if details is set, also their bands and
// cells. It has no branches that depend on a document: conditions are 0 or 1.
func (s *state) countDocs(f *filter, c *scratch, details bool, docs []uint32) int32 {
	n := uint32(0)
	switch {
	case details:
		for _, d := range docs {
			price, cell := s.price[d], s.kind[d].cell()
			in, within := f.cell[cell], f.within(price)
			c.bands[bandOf(price)] += in
			c.cells[cell] += within
			n += in & within
		}
	case f.anyPrice && f.anyCell:
		n = uint32(len(docs))
	default:
		for _, d := range docs {
			n += f.cell[s.kind[d].cell()] & f.within(s.price[d])
		}
	}
	return int32(n)
}

// countExtras counts the documents that do not match by their gear, and stores those
// found in c.extra.
func (s *state) countExtras(f *filter, c *scratch) {
	c.extra = c.extra[:0]
	switch {
	case f.narrow:
		s.countExtraDocs(f, c, f.docs)
	case f.extras != nil:
		s.countTitled(f, c)
	default:
		return
	}
	for i, n := range c.groups {
		if n > 0 {
			s.addFacets(f, c, uint16(i), n)
			c.groups[i] = 0
		}
	}
}

// countTitled counts the documents that match by their titles.
func (s *state) countTitled(f *filter, c *scratch) {
	exact := len(f.whole)+len(f.part) == 0 && !f.restricted && s.titles.deleted.IsEmpty()
	c.eachMany(f.extras, func(docs []uint32) {
		if !exact {
			docs = slices.DeleteFunc(docs, func(d uint32) bool {
				return !s.isExtra(f, d) || !f.admits(s.kind[d].gear())
			})
		}
		s.countExtraDocs(f, c, docs)
	})
}

// countExtraDocs counts documents of any groups one by one, and appends those found to
// c.extra.
func (s *state) countExtraDocs(f *filter, c *scratch, docs []uint32) {
	for _, d := range docs {
		kind, price := s.kind[d], s.price[d]
		group, cell := s.shape.groupOf[kind.gear()], kind.cell()
		in, within := f.cell[cell], f.within(price)
		c.groups[group] += int32(in & within)
		if f.flags[group] != inAll {
			continue
		}
		c.bands[bandOf(price)] += in
		c.cells[cell] += within
		if in&within != 0 {
			c.extra = append(c.extra, d)
		}
	}
}

// countFew is like countDocs for a small group.
func (c *scratch) countFew(f *filter, details bool, few []item) int32 {
	n := uint32(0)
	if details {
		for _, it := range few {
			in, within := f.cell[it.cell], f.within(it.price)
			c.bands[bandOf(it.price)] += in
			c.cells[it.cell] += within
			n += in & within
		}
	} else {
		for _, it := range few {
			n += f.cell[it.cell] & f.within(it.price)
		}
	}
	return int32(n)
}

// addFacets adds n listings of a group to the facets that are not open.
func (s *state) addFacets(f *filter, c *scratch, group uint16, n int32) {
	c.addFacets(&s.shape.groups[group], f.facets[f.flags[group]], int(n))
}

// addFacets adds n listings of a group to the given facets.
func (c *scratch) addFacets(g *group, facets uint8, n int) {
	if facets&inCategory != 0 {
		c.categories[g.category] += n
	}
	if facets&inBrand != 0 && g.brand >= 0 {
		c.brands[g.brand] += n
	}
	if facets&inMount != 0 {
		for _, m := range g.mounts {
			c.mounts[m] += n
		}
	}
}

// facets writes the counts to f.
func (c *scratch) facets(f *Facets, s *state, q *Query) {
	for i, n := range c.categories {
		if n > 0 {
			f.Category = append(f.Category, Count{string(models.Categories[i]), n})
		}
	}
	f.Brand = c.counts(f.Brand, s.shape.brands, c.brands)
	f.Mount = c.counts(f.Mount, s.shape.mounts, c.mounts)
	for i, n := range c.bands {
		if n > 0 {
			b := Band{Min: models.Cents(bandEdges[i]), Count: int(n), Currency: q.Currency}
			if i+1 < bandCount {
				b.Max = models.Cents(bandEdges[i+1]) - 1
			}
			f.Price = append(f.Price, b)
		}
	}
	c.cellFacets(f, s, q)
}

// counts appends the names that have listings to a list, in descending order of their
// counts, then by name. Names must be sorted.
func (c *scratch) counts(list []Count, names []string, numbers []int) []Count {
	c.keys = c.keys[:0]
	for i, n := range numbers {
		if n > 0 {
			c.keys = append(c.keys, ^uint64(n)<<16|uint64(i))
		}
	}
	slices.Sort(c.keys)
	for _, key := range c.keys {
		name := int(key & 0xffff)
		list = append(list, Count{names[name], numbers[name]})
	}
	return list
}
