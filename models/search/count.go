package search

import (
	"slices"

	"github.com/secondlight/secondlight/models"
)

// scratch is what one search needs to work with, used again by the next.
type scratch struct {
	filter filter
	hits   hits

	// What was counted: a listing counts for a facet when it meets every
	// restriction but that facet's own.
	total      int
	categories []int
	brands     []int
	mounts     []int
	bands      [bandCount]uint32
	cells      []uint32  // that meets the restrictions of gear and price
	values     []int     // by the number of a value
	between    []between // by group
	groups     []int32   // the extras by group; 0 between searches

	keys        []uint64 // to sort with
	loose       []uint32 // what is found and does not match by its gear
	found, many []uint32
	set         models.GearSet
}

// between is what countBetween does with the documents of a group.
type between struct {
	facets   uint8  // that its cube counted for
	detailed uint32 // all ones when a cube counted its cells, else 0
	found    uint32 // documents that a filter of cells lets through
}

func newScratch(l *models.Lookup, sh *shape) *scratch {
	return &scratch{
		filter: filter{
			flags: make([]uint8, len(sh.groups)), gear: l.NewSet(), named: l.NewSet(),
			met: make([]uint16, len(sh.groups)), counted: make([]uint16, len(sh.groups)),
		},
		categories: make([]int, len(models.Categories)), brands: make([]int, len(sh.brands)), mounts: make([]int, len(sh.mounts)),
		between: make([]between, len(sh.groups)), groups: make([]int32, len(sh.groups)), set: l.NewSet(),
	}
}

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

// count counts what a filter lets through, for every facet at once.
func (s *state) count(f *filter, c *scratch) {
	if len(f.whole) > 0 {
		s.countWhole(f, c)
	}
	for _, gear := range f.part {
		group := s.shape.groupOf[gear]
		if flags := f.flags[group]; f.counts(flags) != 0 {
			s.spread(f, c, group, s.countDocs(f, c, f.details(flags), s.shelves[gear].byPublished))
		}
	}
	s.countExtras(f, c)
	for _, cell := range f.cells {
		c.total += int(c.cells[cell])
	}
}

// countWhole counts whole groups: small ones document by document, the others by
// their cubes, all together made good by the documents between the bounds of the
// price and the edges of the cubes.
func (s *state) countWhole(f *filter, c *scratch) {
	low, high := s.below(f.low), s.below(f.low+int32(f.width))
	between := len(low.docs) + len(high.docs)
	cubes := f.open != 0 || s.stocked(f.counted) >= between // else looking through the groups is faster
	s.countOpen(f, c, low.row, high.row)
	for _, i := range f.counted {
		s.spread(f, c, i, s.countGroup(f, c, i, cubes, low.row, high.row))
	}
	if cubes {
		s.countBetween(f, c, low, high)
	}
}

// countGroup counts a whole group: between two rows when cubes are to be used,
// else all that is let through.
func (s *state) countGroup(f *filter, c *scratch, i uint16, cubes bool, low, high int) int32 {
	details, st := f.details(f.flags[i]), &s.stock[i]
	switch {
	case f.anyCell && f.anyPrice && !details:
		return s.size[i]
	case cubes && st.small != nil:
		c.between[i].cubed(f.facets[f.flags[i]], details)
		return countCube(f, c, details, st.small, low, high)
	case cubes && st.large != nil:
		c.between[i].cubed(f.facets[f.flags[i]], details)
		return countCube(f, c, details, st.large, low, high)
	case st.few != nil:
		return c.countFew(f, details, st.few)
	}
	n := int32(0)
	g := &s.shape.groups[i]
	for gear := g.from; gear < g.to; gear++ {
		n += s.countDocs(f, c, details, s.shelves[gear].byPublished)
	}
	return n
}

// cubed notes that a cube has counted a group, so that what it missed is counted too.
func (b *between) cubed(facets uint8, details bool) {
	b.facets = facets
	if details {
		b.detailed = ^uint32(0)
	}
}

// stocked is how many listings groups have.
func (s *state) stocked(groups []uint16) (n int) {
	for _, i := range groups {
		n += int(s.size[i])
	}
	return n
}

// countOpen counts for the open facets what is between two rows.
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
		found := f.flags[groups[0]] == inAll
		c.categories[kind] = int(countCube(f, c, found, s.kinds[kind], low, high))
		if !found {
			continue
		}
		for _, i := range groups {
			c.between[i].detailed = ^uint32(0)
		}
	}
}

// details reports whether a group's listings count for the facets of price,
// condition and region here, and not by its category.
func (f *filter) details(flags uint8) bool { return flags == inAll && !f.byKind() }

// countCube counts what is between two rows, and with details also its bands and cells.
func countCube[T uint16 | uint32](f *filter, c *scratch, details bool, cube *cube[T], low, high int) int32 {
	if details {
		addCells(c.cells, cube.row(low), cube.row(high))
		below := int32(0)
		for b, r := range cube.level.bands { // of any price
			n := sumCells(f, nil, cube.row(r))
			c.bands[b] += uint32(n - below)
			below = n
		}
	}
	return sumCells(f, cube.row(low), cube.row(high))
}

// sumCells counts the cells a filter lets through between two rows.
func sumCells[T uint16 | uint32](f *filter, low, high []T) (n int32) {
	switch {
	case f.anyCell:
		if high != nil {
			n = int32(high[0])
		}
		if low != nil {
			n -= int32(low[0])
		}
	default:
		if high != nil {
			for _, cell := range f.cells {
				n += int32(high[1+cell])
			}
		}
		if low != nil {
			for _, cell := range f.cells {
				n -= int32(low[1+cell])
			}
		}
	}
	return n
}

// addCells adds every cell between two rows.
func addCells[T uint16 | uint32](cells []uint32, low, high []T) {
	if high != nil {
		for i, n := range high[1 : 1+len(cells)] {
			cells[i] += uint32(n)
		}
	}
	if low != nil {
		for i, n := range low[1 : 1+len(cells)] {
			cells[i] -= uint32(n)
		}
	}
}

// countBetween counts the documents between two bounds that the rows of cubes
// miss, and takes those back that they have too many. It branches on nothing that
// a document says, and holds on to all that it looks at: a write to one list would
// make the compiler look for the others again.
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
			c.spread(&s.shape.groups[i], f.open|g.facets, int(int32(g.found)))
		}
	}
}

// countDocs counts documents one by one, and with details also their bands and
// cells. It branches on nothing that a document says: what is so is 1.
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

// countExtras counts what does not match by its gear, and keeps what is found.
func (s *state) countExtras(f *filter, c *scratch) {
	c.loose = c.loose[:0]
	switch {
	case f.narrow:
		s.countLoose(f, c, f.docs)
	case f.extras != nil:
		s.countTitled(f, c)
	default:
		return
	}
	for i, n := range c.groups {
		if n > 0 {
			s.spread(f, c, uint16(i), n)
			c.groups[i] = 0
		}
	}
}

// countTitled counts what matches by its title.
func (s *state) countTitled(f *filter, c *scratch) {
	sure := len(f.whole)+len(f.part) == 0 && f.model == nil && s.titles.dead.IsEmpty()
	c.eachMany(f.extras, func(docs []uint32) {
		if !sure {
			docs = slices.DeleteFunc(docs, func(d uint32) bool {
				return !s.isExtra(f, d) || !f.isModel(s.kind[d].gear())
			})
		}
		s.countLoose(f, c, docs)
	})
}

// countLoose counts documents of any groups one by one, and keeps those that are
// found.
func (s *state) countLoose(f *filter, c *scratch, docs []uint32) {
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
			c.loose = append(c.loose, d)
		}
	}
}

// countFew is countDocs for a small group.
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

// spread counts n listings of a group for the facets that are not open.
func (s *state) spread(f *filter, c *scratch, group uint16, n int32) {
	c.spread(&s.shape.groups[group], f.facets[f.flags[group]], int(n))
}

// spread counts n listings of a group for facets.
func (c *scratch) spread(g *group, facets uint8, n int) {
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

// facets writes the counts down.
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
			b := Band{Least: models.Cents(bandEdges[i]), Count: int(n)}
			if i+1 < bandCount {
				b.Most = models.Cents(bandEdges[i+1]) - 1
			}
			f.Price = append(f.Price, b)
		}
	}
	c.cellFacets(f, s, q)
}

// counts appends the names with listings to a list, the most frequent first,
// equal ones by name; names are sorted.
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
