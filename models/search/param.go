package search

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// Params lists the parameters of a search in the order of its URL. Cursors, URLs, forms,
// JSON and the arguments of the tool are derived from it.
//
// The index matches specifications of gear by shape.admits, properties with few values by a
// row of dimensions, and numbers that few listings have by a row of rare.
var Params = [...]Param{
	{Name: "keyword", Label: "Keyword", field: keyword{}},
	{Name: "category", Label: "Category", Argument: "camera, lens: family", field: one(func(q *Query) *models.Kind { return &q.Category }), Facet: func(f *Facets) *[]Count { return &f.Category }},
	{Name: "brand", Label: "Brand", field: many(func(q *Query) *[]string { return &q.Brands }, nil), Facet: func(f *Facets) *[]Count { return &f.Brand }},
	{Name: "model", Label: "Model", Argument: "any name", field: one(func(q *Query) *string { return &q.Model })},
	{Name: "mount", Label: "Mount", field: one(func(q *Query) *string { return &q.Mount }), Facet: func(f *Facets) *[]Count { return &f.Mount }},
	{Name: "condition", Label: "Condition", field: many(func(q *Query) *[]models.Condition { return &q.Conditions }, models.Conditions), Facet: func(f *Facets) *[]Count { return &f.Condition }},
	{Name: "functional", Label: "Works", field: many(func(q *Query) *[]models.Functional { return &q.Functional }, models.Functionals), Facet: func(f *Facets) *[]Count { return &f.Functional }},
	{Name: Budget, Label: "Price", Argument: "-800, 500-800, 500-", field: budget{}},
	{Name: "deal", Label: "Deal", Argument: "below its fair range", field: one(func(q *Query) *prices.Verdict { return &q.Deal })},
	{Name: "region", Label: "Region", Argument: "DE, US-CA, EU", field: one(func(q *Query) *models.Region { return &q.Region }), Facet: func(f *Facets) *[]Count { return &f.Region }},
	{Name: "seller", Label: "Seller", field: one(func(q *Query) *string { return &q.Seller })},
	{Name: "focal_min", Label: "Focal length from", field: numeric("%s mm and longer", func(q *Query) *catalog.Focal { return &q.FocalMin }),
		Control: &Control{Group: "Focal length", Label: "From", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "focal_max", Label: "Focal length to", field: numeric("up to %s mm", func(q *Query) *catalog.Focal { return &q.FocalMax }),
		Control: &Control{Group: "Focal length", Label: "To", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "equivalent_min", Label: "Full-frame equivalent from", field: numeric("equivalent to %s mm and longer", func(q *Query) *catalog.Focal { return &q.EquivalentMin }),
		Control: &Control{Group: "Full-frame equivalent", Label: "From", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "equivalent_max", Label: "Full-frame equivalent to", field: numeric("equivalent to %s mm at most", func(q *Query) *catalog.Focal { return &q.EquivalentMax }),
		Control: &Control{Group: "Full-frame equivalent", Label: "To", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "aperture_max", Label: "Aperture", Argument: "f-number", field: numeric("f/%s or faster", func(q *Query) *catalog.FNumber { return &q.ApertureMax }),
		Control: &Control{Group: "Maximum aperture", Label: "At least as fast as", Before: "f/", Min: "0.5", Step: "any"}},
	{Name: "sensor", Label: "Sensor or film", field: one(func(q *Query) *catalog.Sensor { return &q.Sensor }),
		Control: &Control{Group: "Sensor or film format", Label: "Sensor or film format", Hidden: true, Options: sensorOptions()}},
	{Name: "fits", Label: "Compatibility", Argument: "gear", field: one(func(q *Query) *string { return &q.Fits }),
		Control: &Control{Group: "Camera or lens", Label: "Fits my camera or lens", Hidden: true, Gear: true}},
	{Name: "released_min", Label: "Released", field: numeric("released %s or later", func(q *Query) *int { return &q.ReleasedMin }),
		Control: &Control{Group: "Release year", Label: "From", Min: "1839", Step: "1"}},
	{Name: "shutter_max", Label: "Shutter count", field: numeric("at most %s shutter actuations", func(q *Query) *int { return &q.ShutterMax }),
		Control: &Control{Group: "Shutter count", Label: "Up to", Unit: "shots", Min: "1", Step: "1"}},
	{Name: "demo", Label: "Demonstration", field: choice{func(q *Query) **bool { return &q.Demo }, "demonstration data only", "no demonstration data"},
		Control: &Control{Group: "Demonstration listings", Label: "Demonstration listings", Hidden: true, Options: []Option{{"", "Show"}, {"false", "Hide"}, {"true", "Only these"}}}},
	{Name: "currency", field: one(func(q *Query) *string { return &q.Currency })},
	{Name: "ship_to", Argument: "country", field: one(func(q *Query) *models.Region { return &q.ShipTo })},
	{Name: "sort", field: order{}},
	{Name: "limit", field: limit{}},
}

// Budget is the name of the parameter for Query.Min and Query.Max.
const Budget = "budget"

// Param describes a parameter of a search: the fields of Query it sets and how its
// values are written.
type Param struct {
	Name  string // in URLs and JSON
	Label string // displayed name; "" if it does not restrict the search

	// Argument describes the parameter in the list of tools, "" if its name says enough.
	Argument string

	// Control is the parameter's control in the form for specifications. It is nil for
	// parameters with a facet or a form of their own.
	Control *Control

	// Facet returns the counts of the parameter's values in a result. It is nil for
	// parameters without a facet, and for the budget, whose facet is Facets.Price.
	Facet func(*Facets) *[]Count

	field
}

// Control describes a control of a form: a selection if it has options, the name of gear
// or a number.
type Control struct {
	Group   string // heading; adjacent parameters share one
	Label   string
	Hidden  bool     // the label is for screen readers, because the heading says the same
	Options []Option // of a selection, the default first
	Gear    bool     // gear, whose slug is displayed as its name

	// Before and Unit are written before and after a number. Min and Step are its
	// attributes.
	Before, Unit, Min, Step string
}

// Option is a value of a selection.
type Option struct{ Value, Label string }

// sensorOptions returns the sensor and film formats to choose from.
func sensorOptions() []Option {
	options := []Option{{"", "Any"}}
	for _, s := range catalog.Sensors {
		options = append(options, Option{string(s), s.Label()})
	}
	return options
}

// ParamIndex returns the index in Params of the parameter with a name, or -1.
func ParamIndex(name string) int {
	return slices.IndexFunc(Params[:], func(p Param) bool { return p.Name == name })
}

// field accesses the values of a parameter in a query.
type field interface {
	// Len returns the number of values, 0 if q has the default.
	Len(q *Query) int
	// At returns the i-th value as written in a URL, before escaping.
	At(q *Query, i int) string
	// Remove removes the i-th value. It does not modify slices in place.
	Remove(q *Query, i int)
	// Many reports whether the parameter may be repeated.
	Many() bool
	// Literal reports whether values are numbers or booleans in JSON, not strings.
	Literal() bool
	// Text returns the displayed text of a value.
	Text(value string) string
	// Compare orders repeated values as in a URL.
	Compare(a, b string) int
	// Sort sorts repeated values by Compare. It does not modify slices in place.
	Sort(q *Query)
}

// sealed is a field that cursors depend on. The others are those that Query.seal hashes
// itself, and the limit, which may change from page to page.
type sealed interface {
	// seal adds the values to a hash. There must be at least one.
	seal(q *Query, h digest) digest
}

// Without returns a copy of q without the i-th value of the parameter.
func (p *Param) Without(q Query, i int) Query {
	p.Remove(&q, i)
	return q
}

// scalar implements the methods common to fields with at most one value.
type scalar struct{}

func (scalar) Many() bool               { return false }
func (scalar) Literal() bool            { return false }
func (scalar) Compare(a, b string) int  { return cmp.Compare(a, b) }
func (scalar) Text(value string) string { return value }
func (scalar) Sort(*Query)              {}

// text is a field with one value, "" for none.
type text[T ~string] struct {
	scalar
	of func(*Query) *T
}

// one returns the field of a string in a query.
func one[T ~string](of func(*Query) *T) text[T] { return text[T]{of: of} }

func (t text[T]) Len(q *Query) int {
	if *t.of(q) == "" {
		return 0
	}
	return 1
}
func (t text[T]) At(q *Query, _ int) string      { return string(*t.of(q)) }
func (t text[T]) Remove(q *Query, _ int)         { *t.of(q) = "" }
func (t text[T]) Text(value string) string       { return labelOf(T(value)) }
func (t text[T]) seal(q *Query, h digest) digest { return h.text(string(*t.of(q))) }

// number is a field with one number, 0 for none.
type number[T ~int | ~float64] struct {
	scalar
	text string // displayed text, with %s for the number
	of   func(*Query) *T
}

// numeric returns the field of a number in a query.
func numeric[T ~int | ~float64](text string, of func(*Query) *T) number[T] {
	return number[T]{text: text, of: of}
}

func (n number[T]) Len(q *Query) int {
	if *n.of(q) == 0 {
		return 0
	}
	return 1
}
func (n number[T]) At(q *Query, _ int) string {
	return strconv.FormatFloat(float64(*n.of(q)), 'f', -1, 64)
}
func (n number[T]) Remove(q *Query, _ int)   { *n.of(q) = 0 }
func (n number[T]) Literal() bool            { return true }
func (n number[T]) Text(value string) string { return strings.Replace(n.text, "%s", value, 1) }
func (n number[T]) seal(q *Query, h digest) digest {
	return h.number(math.Float64bits(float64(*n.of(q))))
}

// choice is a field that is true, false or nil.
type choice struct {
	of      func(*Query) **bool
	yes, no string // displayed texts
}

func (choice) Many() bool              { return false }
func (choice) Literal() bool           { return true }
func (choice) Compare(a, b string) int { return cmp.Compare(a, b) }
func (choice) Sort(*Query)             {}

func (c choice) Len(q *Query) int {
	if *c.of(q) == nil {
		return 0
	}
	return 1
}
func (c choice) At(q *Query, _ int) string { return strconv.FormatBool(**c.of(q)) }
func (c choice) Remove(q *Query, _ int)    { *c.of(q) = nil }
func (c choice) Text(value string) string {
	if value == "true" {
		return c.yes
	}
	return c.no
}
func (c choice) seal(q *Query, h digest) digest {
	return h.text(strconv.FormatBool(**c.of(q)))
}

// keyword is the field Keyword. Query.seal hashes its words.
type keyword struct{ scalar }

func (keyword) Len(q *Query) int          { return min(len(q.Keyword), 1) }
func (keyword) At(q *Query, _ int) string { return q.Keyword }

// Remove removes the keyword. If the sort was the default, which depends on the
// keyword, it remains the default.
func (keyword) Remove(q *Query, _ int) {
	byDefault := q.Sort == q.DefaultSort()
	q.Keyword = ""
	if byDefault {
		q.Sort = q.DefaultSort()
	}
}

// list is a field with any number of values.
type list[T ~string] struct {
	of    func(*Query) *[]T
	order []T // all values in the order of URLs; nil for alphabetical order
}

// many returns the field of a slice in a query.
func many[T ~string](of func(*Query) *[]T, order []T) list[T] { return list[T]{of, order} }

func (l list[T]) Many() bool                { return true }
func (l list[T]) Literal() bool             { return false }
func (l list[T]) Len(q *Query) int          { return len(*l.of(q)) }
func (l list[T]) At(q *Query, i int) string { return string((*l.of(q))[i]) }
func (l list[T]) Remove(q *Query, i int) {
	*l.of(q) = slices.Delete(slices.Clone(*l.of(q)), i, i+1)
}

func (l list[T]) Compare(a, b string) int { return l.compare(T(a), T(b)) }

func (l list[T]) compare(a, b T) int {
	return cmp.Or(cmp.Compare(slices.Index(l.order, a), slices.Index(l.order, b)), cmp.Compare(a, b))
}

func (l list[T]) Text(value string) string { return labelOf(T(value)) }

// labelOf returns the label of a value of a type with labels, or else the value.
func labelOf[T ~string](value T) string {
	if labelled, ok := any(value).(interface{ Label() string }); ok {
		return labelled.Label()
	}
	return string(value)
}

func (l list[T]) Sort(q *Query) {
	if values := l.of(q); !slices.IsSortedFunc(*values, l.compare) {
		*values = slices.SortedFunc(slices.Values(*values), l.compare)
	}
}

// seal hashes the set of values: order and repetition do not matter.
func (l list[T]) seal(q *Query, h digest) digest {
	values, sum := *l.of(q), digest(0)
	for i, v := range values {
		if !slices.Contains(values[:i], v) {
			sum += newDigest.text(string(v))
		}
	}
	return h.number(uint64(sum))
}

// budget is the field for the range from Min to Max.
type budget struct{ scalar }

func (budget) Len(q *Query) int {
	if q.Min == nil && q.Max == nil {
		return 0
	}
	return 1
}

// At returns "500-1000", "500-" without a maximum, or "800" without a minimum.
func (budget) At(q *Query, _ int) string {
	switch {
	case q.Min != nil && q.Max != nil:
		return q.Min.Plain() + "-" + q.Max.Plain()
	case q.Min != nil:
		return q.Min.Plain() + "-"
	}
	return q.Max.Plain()
}

func (budget) Remove(q *Query, _ int)         { q.Min, q.Max = nil, nil }
func (budget) seal(q *Query, h digest) digest { return h.amount(q.Min).amount(q.Max) }

// order is the field Sort. Query.seal hashes it.
type order struct{ scalar }

func (order) Len(q *Query) int {
	if q.Sort == q.DefaultSort() {
		return 0
	}
	return 1
}
func (order) At(q *Query, _ int) string { return string(q.Sort) }
func (order) Remove(q *Query, _ int)    { q.Sort = q.DefaultSort() }

// limit is the field Limit.
type limit struct{ scalar }

func (limit) Len(q *Query) int {
	if q.Limit == 0 || q.Limit == DefaultLimit {
		return 0
	}
	return 1
}
func (limit) At(q *Query, _ int) string { return strconv.Itoa(q.Limit) }
func (limit) Remove(q *Query, _ int)    { q.Limit = DefaultLimit }
