package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// reset clears the counts and resizes them to the cells of s.
func (c *scratch) reset(s *state) {
	c.total = 0
	clear(c.categories)
	clear(c.brands)
	clear(c.mounts)
	clear(c.between)
	c.bands = [bandCount]uint32{}
	c.defects = defectCounts{}
	n := len(s.cells.cells)
	c.cells = slices.Grow(c.cells[:0], n)[:n]
	clear(c.cells)
}

// count counts the listings that match a filter, for all facets in one pass.
func (c *scratch) count(s *state, f *filter) {
	if len(f.whole) > 0 {
		c.countWhole(s, f)
	}
	for _, gear := range f.part {
		group := s.shape.groupOf[gear]
		if flags := f.flags[group]; f.counts(flags) != 0 {
			c.addGroup(s, f, group, c.countDocs(s, f, f.details(flags), s.postings[gear].byPublished))
		}
	}
	c.countExtras(s, f)
	for _, cell := range f.cells {
		c.total += int(c.cells[cell])
	}
}

// countWhole counts groups that match as a whole: small groups document by document,
// others by their cubes. The documents between the bounds of the price and the nearest
// edges of the cubes are then counted one by one.
func (c *scratch) countWhole(s *state, f *filter) {
	low, high := s.below(f.low), s.below(f.low+int32(f.width))
	between := len(low.docs) + len(high.docs)
	cubes := f.open != 0 || s.listingsIn(f.counted) >= between // else scanning the groups is faster
	c.countOpen(s, f, low.row, high.row)
	for _, i := range f.counted {
		c.addGroup(s, f, i, c.countGroup(s, f, i, cubes, low.row, high.row))
	}
	if cubes {
		c.countBetween(s, f, low, high)
	}
}

// countGroup counts a whole group: the rows from low to high if cubes are used, else
// all listings that match.
func (c *scratch) countGroup(s *state, f *filter, i uint16, cubes bool, low, high int) int32 {
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
		n += c.countDocs(s, f, details, s.postings[gear].byPublished)
	}
	return n
}

// countOpen counts the open facets between two rows.
func (c *scratch) countOpen(s *state, f *filter, low, high int) {
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

// countBetween corrects the counts of cubes by the documents between a bound and the
// edge of its row: it adds those that the rows lack and subtracts those in excess. It
// has no branches that depend on a document, and uses local slices so that the
// compiler need not reload them after each write.
func (c *scratch) countBetween(s *state, f *filter, low, high bound) {
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
func (c *scratch) countDocs(s *state, f *filter, details bool, docs []uint32) int32 {
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
func (c *scratch) countExtras(s *state, f *filter) {
	c.extra = c.extra[:0]
	switch {
	case f.byDefects():
		c.countExtraDocs(s, f, c.restrictDefects(s, f, f.docs))
	case f.narrow:
		c.countExtraDocs(s, f, f.docs)
	case f.extras != nil:
		c.countTitled(s, f)
	default:
		return
	}
	for i, n := range c.groups {
		if n > 0 {
			c.addGroup(s, f, uint16(i), n)
			c.groups[i] = 0
		}
	}
}

// countTitled counts the documents that match by their titles.
func (c *scratch) countTitled(s *state, f *filter) {
	exact := len(f.whole)+len(f.part) == 0 && !f.restricted && s.titles.deleted.IsEmpty()
	c.eachMany(f.extras, func(docs []uint32) {
		if !exact {
			docs = slices.DeleteFunc(docs, func(d uint32) bool {
				return !f.isExtra(s, d) || !f.admits(s.kind[d].gear())
			})
		}
		c.countExtraDocs(s, f, docs)
	})
}

// countExtraDocs counts documents of any groups one by one, and appends those found to
// c.extra.
func (c *scratch) countExtraDocs(s *state, f *filter, docs []uint32) {
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

// addGroup adds n listings of a group to the facets that are not open.
func (c *scratch) addGroup(s *state, f *filter, group uint16, n int32) {
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
	c.defects.facets(f)
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

// cellFacets writes the facets of the dimensions from the counts per cell. The facet
// of a dimension counts the cells that all other dimensions admit.
func (c *scratch) cellFacets(facets *Facets, s *state, q *Query) {
	c.values = slices.Grow(c.values[:0], len(s.cells.values))[:len(s.cells.values)]
	clear(c.values)
	for i, n := range c.cells {
		if n == 0 {
			continue
		}
		numbers, missing := &s.cells.cells[i], c.filter.missing[i]
		switch {
		case missing == 0:
			for _, number := range numbers {
				c.values[number] += int(n)
			}
		case missing&(missing-1) == 0:
			c.values[numbers[bits.TrailingZeros8(missing)]] += int(n)
		}
	}
	for i := range dimensions {
		if dimensions[i].order == nil {
			continue
		}
		list := dimensions[i].facet(facets)
		for at, number := range s.cells.enumerated[i] {
			if n := c.values[number]; number != 0 && n > 0 {
				*list = append(*list, Count{dimensions[i].order[at], n})
			}
		}
	}
	facets.Region = c.regionFacet(facets.Region, s.cells, q.Regions)
}

// regionFacet appends the countries, each including its subdivisions, and then the
// subdivisions of the countries of chosen regions, both in descending order of their counts.
func (c *scratch) regionFacet(list []Count, all *cells, chosen []models.Region) []Count {
	add := func(r models.Region, n int) {
		for i := range list {
			if list[i].Value == string(r) {
				list[i].Count += n
				return
			}
		}
		list = append(list, Count{string(r), n})
	}
	for number, n := range c.values {
		v := all.values[number]
		if n == 0 || v.dimension != byRegion || v.text == "" {
			continue
		}
		region := models.Region(v.text)
		country := region.Country()
		add(country, n)
		if region != country && slices.ContainsFunc(chosen, func(r models.Region) bool { return r.Country() == country }) {
			add(region, n)
		}
	}
	slices.SortFunc(list, compareRegions)
	return list
}

// compareRegions orders the counts of regions: countries before subdivisions, then the most
// frequent first.
func compareRegions(a, b Count) int {
	return cmp.Or(cmp.Compare(min(len(a.Value), 3), min(len(b.Value), 3)), cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
}
