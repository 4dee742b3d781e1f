package search

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

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
