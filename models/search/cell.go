package search

import (
	"slices"

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
	restricts: func(q *Query) bool { return len(q.Regions) > 0 },
	admits: func(q *Query, value string) bool {
		return slices.ContainsFunc(q.Regions, func(r models.Region) bool { return r.Covers(models.Region(value)) })
	},
	facet: func(f *Facets) *[]Count { return &f.Region },
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

// dimensions lists the properties that vary among listings of the same gear.
var dimensions = [...]dimension{
	enumeration(models.Conditions,
		func(d *Doc) models.Condition { return d.Condition },
		func(q *Query) []models.Condition { return q.Conditions },
		func(f *Facets) *[]Count { return &f.Condition }),
	regions,
	enumeration(models.Functionals,
		func(d *Doc) models.Functional { return d.Functional },
		func(q *Query) []models.Functional { return q.Functional },
		func(f *Facets) *[]Count { return &f.Functional }),
	demonstration,
}
