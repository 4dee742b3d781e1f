package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// dimension describes a property of listings that a search may restrict. It has few
// values; "" means no value.
type dimension struct {
	value func(*Doc) string

	restricts func(*Query) bool                 // reports whether the query restricts it
	admits    func(q *Query, value string) bool // reports whether a query that restricts it admits a value

	order []string               // the values of an enumeration, in the order of the facet; nil for others
	facet func(*Facets) *[]Count // nil for none
}

// enumeration returns the dimension of a property with fixed values. A search may select
// several of them.
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

// regions is the dimension of regions. A country includes its subdivisions.
var regions = dimension{
	value:     func(d *Doc) string { return string(d.Region) },
	restricts: func(q *Query) bool { return q.Region != "" },
	admits:    func(q *Query, value string) bool { return q.Region.Covers(models.Region(value)) },
	facet:     func(f *Facets) *[]Count { return &f.Region },
}

// demonstration is the dimension of demonstration data: "true", or "" for real
// listings.
var demonstration = dimension{
	value: func(d *Doc) string {
		if d.Demo {
			return "true"
		}
		return ""
	},
	restricts: func(q *Query) bool { return q.Demo != nil },
	admits:    func(q *Query, value string) bool { return (value != "") == *q.Demo },
}

// Indexes in dimensions.
const (
	byCondition  = 0
	byRegion     = 1
	byFunctional = 2
)

// values holds the values of a listing, one per dimension.
type values [len(dimensions)]string

// valuesOf returns the values of a document.
func valuesOf(d *Doc) (v values) {
	for i := range dimensions {
		v[i] = dimensions[i].value(d)
	}
	return v
}

// cells numbers the combinations of values that listings have. A combination is called
// a cell; cubes count listings per cell. Values and cells are never removed.
type cells struct {
	numbers map[value]uint16
	values  []value // by number; number 0 means any value
	cellNo  map[values]uint16
	cells   []cell

	item       []itemNumber              // by cell
	enumerated [len(dimensions)][]uint16 // the numbers of the values in order, 0 for those no listing has
}

// value is a value of a dimension.
type value struct {
	dimension int
	text      string
}

// cell holds the numbers of a combination of values, one per dimension.
type cell [len(dimensions)]uint16

// subdivisionCells and countryCells bound the number of cells. From subdivisionCells
// on, a subdivision that would need a new cell is counted as its country; from
// countryCells on, a country as no region. The cell numbers above countryCells are
// enough for all combinations of the enumerations.
const (
	subdivisionCells = 1 << 14
	countryCells     = 1 << 15
)

// newCells returns cells without any combination.
func newCells() *cells {
	c := &cells{numbers: map[value]uint16{}, values: []value{{dimension: -1}}, cellNo: map[values]uint16{}}
	for i := range dimensions {
		c.enumerated[i] = make([]uint16, len(dimensions[i].order))
	}
	return c
}

// cell returns the number of the cell with the given values, and adds it if there is
// none.
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
	c.item = append(c.item, itemOf(models.Condition(v[byCondition]), models.Functional(v[byFunctional])))
	return n
}

// fold replaces a region that is invalid, or that would exceed the bounds on cells, by
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

// number returns the number of a value, and adds it if it has none.
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

// restrictCells computes the cells that a query admits.
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
		f.every.admitAll(c)
		f.admission = f.every
		f.margins = append(f.margins, 0)
		return
	}
	f.refused = slices.Grow(f.refused[:0], len(c.values))[:len(c.values)]
	for n, v := range c.values {
		f.refused[n] = 0
		switch {
		case n == 0 || restricted>>v.dimension&1 == 0:
		case !dimensions[v.dimension].admits(q, v.text):
			f.refused[n] = 1 << v.dimension
		case restricted == 1<<v.dimension:
			f.margins = append(f.margins, n)
		}
	}
	some := &f.some
	some.resize(len(c.cells))
	n := 0
	for i := range c.cells {
		missing := uint8(0)
		for _, value := range c.cells[i] {
			missing |= f.refused[value]
		}
		in := (uint32(missing) - 1) >> 31 // 1 if missing is 0; branch-free because a branch is often mispredicted
		some.missing[i], some.cell[i], some.cells[n] = missing, in, uint16(i)
		n += int(in)
	}
	some.cells = some.cells[:n]
	f.admission = *some
}

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
	facets.Region = c.regionFacet(facets.Region, s.cells, q.Region.Country())
}

// regionFacet appends the countries, each including its subdivisions, and then the
// subdivisions of the chosen country, both in descending order of their counts.
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
	slices.SortFunc(list, compareRegions)
	return list
}

// compareRegions orders the counts of regions: countries before subdivisions, then the most
// frequent first.
func compareRegions(a, b Count) int {
	return cmp.Or(cmp.Compare(min(len(a.Value), 3), min(len(b.Value), 3)), cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
}
