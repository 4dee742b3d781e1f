package storetest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// FullItem returns an item with a value in every field, and fails if a field has no row
// in models.ItemFields.
func FullItem(t testing.TB) models.Item {
	t.Helper()
	var item models.Item
	for i, f := range models.ItemFields {
		values := []string{fmt.Sprintf("%s of the item", f.Name)}
		switch f.Kind {
		case models.CodeField:
			values = f.Choices[1:2]
		case models.CodesField:
			values = f.Choices[:2]
		case models.LinesField:
			values = append(values, "a second line")
		case models.NumberField:
			values = []string{fmt.Sprint(7001 + i)}
		case models.DayField:
			values = []string{fmt.Sprintf("2027-03-%02d", 1+i)}
		}
		if err := f.Set(&item, values...); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	v := reflect.ValueOf(item)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("models.ItemFields has no row of the field %s", v.Type().Field(i).Name)
		}
	}
	return item
}
