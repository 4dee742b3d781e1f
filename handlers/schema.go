package handlers

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/models"
)

// typeSchemas are the types whose schema their Go type does not tell: the words
// of the domain, which have fixed values, and types that write their own JSON.
var typeSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[models.Category]():   enum(models.Categories...),
	reflect.TypeFor[models.Condition]():  enum(models.Conditions...),
	reflect.TypeFor[models.Functional](): enum(models.Functionals...),
	reflect.TypeFor[models.Status]():     enum(models.StatusActive, models.StatusReserved, models.StatusSold, models.StatusEnded, models.StatusExpired),
	reflect.TypeFor[models.Region]():     {Type: "string", Pattern: `^([A-Z]{2}(-[A-Z0-9]{1,3})?)?$`},
}

// enum is the schema of a string that has fixed values.
func enum[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// enumOf are the values of a type that has fixed ones, else nil.
func enumOf(t reflect.Type) []string {
	s := typeSchemas[t]
	if s == nil {
		return nil
	}
	var values []string
	for _, v := range s.Enum {
		values = append(values, v.(string))
	}
	return values
}
