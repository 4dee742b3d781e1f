package search

import (
	"cmp"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// scratch is what one search needs to work with, used again by the next.
type scratch struct {
	filter filter
	hits   hits

	total      int
	categories []int
	brands     []int
	mounts     []int
	bands      [bandCount]int
	cells      []uint32 // within price, of any condition and region

	keys        []uint64 // to sort with
	extras      []uint32
	found, many []uint32
	gear        []uint16
}

func newScratch(sh *shape) *scratch {
	return &scratch{
		filter:     filter{flags: make([]uint8, len(sh.groups))},
		categories: make([]int, len(models.Categories)), brands: make([]int, len(sh.brands)), mounts: make([]int, len(sh.mounts)),
	}
}

func (c *scratch) reset(s *state) {
	c.total = 0
	clear(c.categories)
	clear(c.brands)
	clear(c.mounts)
	c.bands = [bandCount]int{}
	n := len(s.regions) * conditionCount
	c.cells = slices.Grow(c.cells[:0], n)[:n]
	clear(c.cells)
}

// count counts what a filter lets through, for every facet at once: a listing
// counts for a facet when it meets every restriction but that facet's own.
func (s *state) count(f *filter, c *scratch) {
	if f.byKind {
		s.countKinds(f, c)
	}
	for _, i := range f.whole {
		flags := f.flags[i]
		if flags&(flags-1) == 0 || f.byKind && flags != inAll {
			continue // when two restrictions fail it counts nowhere
		}
		s.countGroup(f, c, &s.shape.groups[i], flags, &s.stock[i])
	}
	for _, gear := range f.part {
		i := s.shape.groupOf[gear]
		if flags := f.flags[i]; flags&(flags-1) != 0 {
			s.countDocs(f, c, &s.shape.groups[i], flags, s.shelves[gear].byPublished)
		}
	}
	for i, d := range f.docs {
		group := s.shape.groupOf[s.gear[d]]
		if flags := f.flags[group]; flags&(flags-1) != 0 {
			s.countDocs(f, c, &s.shape.groups[group], flags, f.docs[i:i+1])
		}
	}
	for _, cell := range f.cells {
		c.total += int(c.cells[cell])
	}
}

// countGroup counts a whole group: by its cube if it has one, and the documents
// between a bound of the price and the next edge of the cube one by one.
func (s *state) countGroup(f *filter, c *scratch, g *group, flags uint8, st *stock) {
	var n int
	var between span
	switch inAll := flags == inAll && !f.byKind; {
	case len(st.byPrice) == 0:
		return
	case !inAll && f.anyCell && f.anyPrice:
		c.add(f, g, flags, len(st.byPrice))
		return
	case st.fine != nil:
		between = f.fine
		n = countCube(f, c, inAll, st.fine, between)
	case st.coarse != nil:
		between = f.coarse
		n = countCube(f, c, inAll, st.coarse, between)
	case inAll:
		s.countDocs(f, c, g, flags, st.byPrice)
		return
	default:
		between = span{before: [2]int32{f.low, f.high}, after: [2]int32{0, -1}, low: -1, high: -1}
	}
	n += s.countRange(f, c, flags, st.byPrice, between.before)
	n += s.countRange(f, c, flags, st.byPrice, between.after)
	c.add(f, g, flags, n)
}

// countKinds counts whole categories, for all facets but brand and mount.
func (s *state) countKinds(f *filter, c *scratch) {
	for kind, group := range s.shape.ofKind {
		if group >= 0 {
			c.categories[kind] = countCube(f, c, f.flags[group] == inAll, s.kinds[kind], f.fine)
		}
	}
}

// countCube counts what is between the rows of a span; what meets all
// restrictions of the gear counts for the facets of price, condition and region.
func countCube[T uint16 | uint32](f *filter, c *scratch, inAll bool, cube *cube[T], between span) int {
	low, high := cube.row(between.low), cube.row(between.high)
	if inAll {
		addCells(c.cells, low, high)
		below := 0
		for b, r := range cube.level.bands { // of any price
			n := sumCells(f, nil, cube.row(r))
			c.bands[b] += n - below
			below = n
		}
	}
	return sumCells(f, low, high)
}

// sumCells counts the cells a filter lets through between two rows.
func sumCells[T uint16 | uint32](f *filter, low, high []T) (n int) {
	switch {
	case high == nil:
	case f.anyCell:
		n = int(high[0])
		if low != nil {
			n -= int(low[0])
		}
	default:
		for _, cell := range f.cells {
			n += int(high[cell+1])
		}
		if low != nil {
			for _, cell := range f.cells {
				n -= int(low[cell+1])
			}
		}
	}
	return n
}

// addCells adds every cell between two rows.
func addCells[T uint16 | uint32](cells []uint32, low, high []T) {
	if high == nil {
		return
	}
	high = high[1 : 1+len(cells)]
	if low == nil {
		for i, n := range high {
			cells[i] += uint32(n)
		}
		return
	}
	low = low[1 : 1+len(cells)]
	for i, n := range high {
		cells[i] += uint32(n - low[i])
	}
}

// countDocs counts documents of a group one by one.
func (s *state) countDocs(f *filter, c *scratch, g *group, flags uint8, docs []uint32) {
	n := 0
	if flags == inAll {
		for _, d := range docs {
			price, cell := s.price[d], s.cell[d]
			in := 0
			if f.cell[cell] {
				in = 1
				c.bands[bandOf(price)]++
			}
			if price >= f.low && price <= f.high {
				c.cells[cell]++
				n += in
			}
		}
	} else if f.anyPrice && f.anyCell {
		n = len(docs)
	} else {
		for _, d := range docs {
			if price := s.price[d]; price >= f.low && price <= f.high && f.cell[s.cell[d]] {
				n++
			}
		}
	}
	c.add(f, g, flags, n)
}

// countRange counts the documents of a range of prices, bands aside.
func (s *state) countRange(f *filter, c *scratch, flags uint8, byPrice []uint32, prices [2]int32) (n int) {
	if prices[0] > prices[1] {
		return 0
	}
	from := s.priceFrom(byPrice, prices[0])
	docs := byPrice[from : from+s.priceFrom(byPrice[from:], prices[1]+1)]
	if flags == inAll && !f.byKind {
		for _, d := range docs {
			c.cells[s.cell[d]]++
		}
	}
	if f.anyCell {
		return len(docs)
	}
	for _, d := range docs {
		if f.cell[s.cell[d]] {
			n++
		}
	}
	return n
}

// add counts n listings of a group for the facets that its flags allow.
func (c *scratch) add(f *filter, g *group, flags uint8, n int) {
	if flags|inCategory == inAll && !f.byKind {
		c.categories[g.category] += n
	}
	if flags|inBrand == inAll && g.brand >= 0 {
		c.brands[g.brand] += n
	}
	if flags|inMount == inAll {
		for _, m := range g.mounts {
			c.mounts[m] += n
		}
	}
}

// facets writes the counts down.
func (c *scratch) facets(f *Facets, s *state, chosen models.Region) {
	for i, n := range c.categories {
		if n > 0 {
			f.Category = append(f.Category, Count{string(models.Categories[i]), n})
		}
	}
	f.Brand = c.counts(f.Brand, s.shape.brands, c.brands)
	f.Mount = c.counts(f.Mount, s.shape.mounts, c.mounts)
	for i, n := range c.bands {
		if n > 0 {
			b := Band{Least: models.Cents(bandEdges[i]), Count: n}
			if i+1 < bandCount {
				b.Most = models.Cents(bandEdges[i+1]) - 1
			}
			f.Price = append(f.Price, b)
		}
	}
	c.cellFacets(f, s, chosen)
}

// cellFacets reads conditions and regions off the cells: each is summed over
// what the other's restriction lets through.
func (c *scratch) cellFacets(facets *Facets, s *state, chosen models.Region) {
	f := &c.filter
	var byCondition [conditionCount]int
	regions := facets.Region
	count := func(r models.Region, n int) {
		for i := range regions {
			if regions[i].Value == string(r) {
				regions[i].Count += n
				return
			}
		}
		regions = append(regions, Count{string(r), n})
	}
	for i, r := range s.regions {
		n := 0
		for k, cell := range c.cells[i*conditionCount : (i+1)*conditionCount] {
			if f.region[i] {
				byCondition[k] += int(cell)
			}
			if f.condition[k] {
				n += int(cell)
			}
		}
		if n == 0 || r == "" {
			continue
		}
		country := r.Country()
		count(country, n)
		if r != country && country == chosen.Country() {
			count(r, n)
		}
	}
	for k, n := range byCondition {
		if n > 0 {
			facets.Condition = append(facets.Condition, Count{string(models.Conditions[k]), n})
		}
	}
	facets.Region = regions
	slices.SortFunc(regions, func(a, b Count) int {
		if by := cmp.Compare(min(len(a.Value), 3), min(len(b.Value), 3)); by != 0 {
			return by // countries before subdivisions
		}
		if by := cmp.Compare(b.Count, a.Count); by != 0 {
			return by
		}
		return cmp.Compare(a.Value, b.Value)
	})
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
