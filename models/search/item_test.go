package search

import (
	"reflect"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// A field of an item that names a filter has a parameter, and a number or a day the column
// that the parameter restricts. The index has no other fields.
func TestItemFilters(t *testing.T) {
	t.Parallel()
	full := models.Listing{Item: storetest.FullItem(t)}
	values := RareOf(&full)
	for _, f := range models.ItemFields {
		without := full
		if err := f.Set(&without.Item); err != nil {
			t.Fatal(err)
		}
		column := -1
		for i, value := range RareOf(&without) {
			if value != values[i] {
				column = i
			}
		}
		if rare := f.Filter != "" && (f.Kind == models.NumberField || f.Kind == models.DayField); rare != (column >= 0) {
			t.Errorf("%s has the filter %q, and a row of rare: %v", f.Name, f.Filter, column >= 0)
			continue
		}
		if f.Filter == "" {
			continue
		}
		if i := ParamIndex(f.Filter); i < 0 || Params[i].Label == "" {
			t.Errorf("%s has the filter %q, which is no parameter with a label", f.Name, f.Filter)
			continue
		}
		if column < 0 {
			continue
		}
		q := &Query{}
		changeField(q, filterField(t, f.Filter))
		if low, high := rare[column].want(q); low == 0 && high == 0 {
			t.Errorf("%s does not restrict the column of %s", f.Filter, f.Name)
		}
	}
}

// filterField returns the field of Filter with a JSON name.
func filterField(t *testing.T, name string) reflect.StructField {
	t.Helper()
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Query]()) {
		if got, _, _ := strings.Cut(f.Tag.Get("json"), ","); got == name && !f.Anonymous {
			return f
		}
	}
	t.Fatalf("no field %s", name)
	return reflect.StructField{}
}
