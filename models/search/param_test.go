package search

import (
	"reflect"
	"strings"
	"testing"
)

// Every field of Filter has a parameter in Params with its JSON name, which has
// a value when the field has one, and none without it.
func TestParamsHaveEveryField(t *testing.T) {
	t.Parallel()
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Filter]()) {
		if f.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		i := ParamIndex(name)
		if i < 0 {
			t.Errorf("field %s has no parameter %q", f.Name, name)
			continue
		}
		q, p := &Query{}, &Params[i]
		if n := p.Len(q); n != 0 {
			t.Errorf("%s has %d values in an empty query", name, n)
		}
		field, _ := reflect.TypeFor[Query]().FieldByName(f.Name)
		changeField(q, field)
		if p.Len(q) != 1 || p.At(q, 0) == "" {
			t.Errorf("%s has %d values when %s is set", name, p.Len(q), f.Name)
			continue
		}
		if without := p.Without(*q, 0); p.Len(&without) != 0 || p.Len(q) != 1 {
			t.Errorf("without its value %s has %d values, and the query before %d", name, p.Len(&without), p.Len(q))
		}
	}
}
