package search

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// dimension is a property of listings that a search may restrict and that has a
// facet. It has few values; "" stands for no value.
type dimension struct {
	value func(*Doc) string

	restricts func(*Query) bool                 // whether the query restricts it
	admits    func(q *Query, value string) bool // whether a query that restricts it admits a value

	order []string // the values of an enumeration, in the order of the facet; nil for others
	facet func(*Facets) *[]Count
}

// enumeration returns the dimension of a property with fixed values, several of
// which a search may name.
func enumeration[T ~string](order []T, of func(*Doc) T, wanted func(*Query) []T, facet func(*Facets) *[]Count) dimension {
	d := dimension{
		value:     func(d *Doc) string { return string(of(d)) },
		restricts: func(q *Query) bool { return len(wanted(q)) > 0 },
		admits:    func(q *Query, value string) bool { return slices.Contains(wanted(q), T(value)) },
		facet:     facet,
	}
	for _, v := range order {
		d.order = append(d.order, string(v))
	}
	return d
}

// regions is the dimension of regions, where a country covers its subdivisions.
var regions = dimension{
	value:     func(d *Doc) string { return string(d.Region) },
	restricts: func(q *Query) bool { return q.Region != "" },
	admits:    func(q *Query, value string) bool { return q.Region.Covers(models.Region(value)) },
	facet:     func(f *Facets) *[]Count { return &f.Region },
}

// byRegion is the index of regions in dimensions.
const byRegion = 1

// values are the values of a listing, one for each dimension.
type values [len(dimensions)]string

func valuesOf(d *Doc) (v values) {
	for i := range dimensions {
		v[i] = dimensions[i].value(d)
	}
	return v
}

// cells numbers the combinations of values that listings have. A combination is
// a cell; cubes count listings by it. Neither numbers nor cells are removed.
type cells struct {
	numbers map[value]uint16
	values  []value // by number; number 0 stands for any value
	cellNo  map[values]uint16
	cells   []cell

	condition  []uint8                   // by cell: the index of its condition in models.Conditions
	enumerated [len(dimensions)][]uint16 // the numbers of the values in order, 0 for those no listing has
}

// value is a value of a dimension.
type value struct {
	dimension int
	text      string
}

// cell is a combination of values, by their numbers.
type cell [len(dimensions)]uint16

// Bounds on the number of cells. From subdivisionCells on, subdivisions that
// would add a cell count as their country, and from countryCells on countries as
// no region. What is left up to the range of a cell number is enough for the
// enumerations.
const (
	subdivisionCells = 1 << 14
	countryCells     = 1 << 15
)

func newCells() *cells {
	c := &cells{numbers: map[value]uint16{}, values: []value{{dimension: -1}}, cellNo: map[values]uint16{}}
	for i := range dimensions {
		c.enumerated[i] = make([]uint16, len(dimensions[i].order))
	}
	return c
}

// cell returns the number of the cell with these values, a new one if there is none.
func (c *cells) cell(v values) uint16 {
	n, ok := c.cellNo[v]
	if ok {
		return n
	}
	if folded := c.fold(v); folded != v {
		return c.cell(folded)
	}
	var numbers cell
	for i, text := range v {
		numbers[i] = c.number(value{i, text})
	}
	n = uint16(len(c.cells))
	c.cells = append(c.cells, numbers)
	c.cellNo[v] = n
	c.condition = append(c.condition, uint8(slices.Index(dimensions[0].order, v[0])))
	return n
}

// fold replaces a region that is not valid, or that there is no cell left for, by
// its country or by none.
func (c *cells) fold(v values) values {
	region := models.Region(v[byRegion])
	if region == "" {
		return v
	}
	country := region.Country()
	switch {
	case len(c.cells) >= countryCells || !country.Valid():
		v[byRegion] = ""
	case len(c.cells) >= subdivisionCells || !region.Valid():
		v[byRegion] = string(country)
	}
	return v
}

// number returns the number of a value, a new one if it has none.
func (c *cells) number(v value) uint16 {
	n, ok := c.numbers[v]
	if !ok {
		n = uint16(len(c.values))
		c.numbers[v] = n
		c.values = append(c.values, v)
		if at := slices.Index(dimensions[v.dimension].order, v.text); at >= 0 {
			c.enumerated[v.dimension][at] = n
		}
	}
	return n
}

// restrictCells finds the cells that a query admits.
func (f *filter) restrictCells(c *cells, q *Query) {
	restricted := uint8(0)
	for i := range dimensions {
		if dimensions[i].restricts(q) {
			restricted |= 1 << i
		}
	}
	f.anyCell = restricted == 0
	f.margins = f.margins[:0]
	if f.anyCell {
		f.admitAll(c)
		f.margins = append(f.margins, 0)
		return
	}
	f.admitted = slices.Grow(f.admitted[:0], len(c.values))[:len(c.values)]
	for n, v := range c.values {
		f.admitted[n] = n == 0 || restricted>>v.dimension&1 == 0 || dimensions[v.dimension].admits(q, v.text)
		if n > 0 && restricted == 1<<v.dimension && f.admitted[n] {
			f.margins = append(f.margins, n)
		}
	}
	f.missing, f.cell, f.cells = f.missing[:0], f.cell[:0], f.cells[:0]
	for i, numbers := range c.cells {
		missing, in := uint8(0), uint32(0)
		for d, n := range numbers {
			if !f.admitted[n] {
				missing |= 1 << d
			}
		}
		if missing == 0 {
			in = 1
			f.cells = append(f.cells, uint16(i))
		}
		f.missing, f.cell = append(f.missing, missing), append(f.cell, in)
	}
}

// admitAll admits all cells.
func (f *filter) admitAll(c *cells) {
	f.missing, f.cell, f.cells = f.missing[:0], f.cell[:0], f.cells[:0]
	for i := range c.cells {
		f.missing, f.cell, f.cells = append(f.missing, 0), append(f.cell, 1), append(f.cells, uint16(i))
	}
}

// cellFacets writes the facets of the dimensions from the counts of the cells:
// the facet of a dimension counts the cells that all others admit.
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
		list := dimensions[i].facet(facets)
		for at, number := range s.cells.enumerated[i] {
			if n := c.values[number]; number != 0 && n > 0 {
				*list = append(*list, Count{dimensions[i].order[at], n})
			}
		}
	}
	facets.Region = c.regionFacet(facets.Region, s.cells, q.Region.Country())
}

// regionFacet appends the countries, with their subdivisions counted in, and
// then the subdivisions of the chosen country, each the most frequent first.
func (c *scratch) regionFacet(list []Count, all *cells, chosen models.Region) []Count {
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
		if region != country && country == chosen {
			add(region, n)
		}
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(
			cmp.Compare(min(len(a.Value), 3), min(len(b.Value), 3)), // countries before subdivisions
			cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Value, b.Value))
	})
	return list
}
