package bind

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Vocabulary describes the types and properties in a site's responses, so that they
// have the same schema everywhere.
type Vocabulary struct {
	// Types are the schemas of types that reflection cannot describe: strings with fixed
	// values, and types with their own JSON encoding.
	Types map[reflect.Type]*jsonschema.Schema
	// Elements maps types with their own JSON encoding to the types that describe it: of a
	// list, its elements. Those must not contain such types.
	Elements map[reflect.Type]reflect.Type
	// Properties are the descriptions and limits of properties by name. A jsonschema or
	// enum tag of a field takes precedence.
	Properties map[string]jsonschema.Schema
	// Nouns are the descriptions of named schemas by Go type name.
	Nouns map[string]string

	mu      sync.Mutex
	schemas map[reflect.Type]*jsonschema.Schema // by SchemaOf
}

// Enum returns the schema of a string with fixed values.
func Enum[T ~string](values ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

// enumOf returns the fixed values of a type, or nil.
func (v *Vocabulary) enumOf(t reflect.Type) []string {
	s := v.Types[t]
	if s == nil {
		return nil
	}
	var values []string
	for _, value := range s.Enum {
		values = append(values, value.(string))
	}
	return values
}

// SchemaOf returns the schema of a type, which does not allow additional properties.
// Null is allowed only for fields that are always present and have no value, since
// pages never encode lists as null and omit optional fields. It panics if the type has
// no schema. The caller may change the result. The fields of v must not change after
// the first call, because each schema is computed once.
func (v *Vocabulary) SchemaOf(t reflect.Type) *jsonschema.Schema {
	return v.SharedSchema(t).CloneSchemas()
}

// SharedSchema returns SchemaOf that the caller must not change.
func (v *Vocabulary) SharedSchema(t reflect.Type) *jsonschema.Schema {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.schemas[t]
	if s == nil {
		s = v.newSchema(t)
		if v.schemas == nil {
			v.schemas = map[reflect.Type]*jsonschema.Schema{}
		}
		v.schemas[t] = s
	}
	return s
}

// newSchema computes the schema of a type.
func (v *Vocabulary) newSchema(t reflect.Type) *jsonschema.Schema {
	types := maps.Clone(v.Types)
	if types == nil {
		types = map[reflect.Type]*jsonschema.Schema{}
	}
	for encoded, element := range v.Elements {
		switch {
		case element == t:
		case encoded.Kind() == reflect.Slice:
			types[encoded] = &jsonschema.Schema{Type: "array", Items: v.schemaWith(v.Types, element)}
		default:
			types[encoded] = v.schemaWith(v.Types, element)
		}
	}
	return v.schemaWith(types, t)
}

// schemaWith returns the schema of a type, given those of the types that it may contain.
func (v *Vocabulary) schemaWith(types map[reflect.Type]*jsonschema.Schema, t reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", t, err))
	}
	v.describeFields(t, s)
	WalkSchema(s, func(s *jsonschema.Schema) {
		for name, property := range s.Properties {
			if slices.Contains(property.Types, "array") || !slices.Contains(s.Required, name) {
				dropNull(property)
			}
		}
		if s.Items != nil {
			dropNull(s.Items)
		}
	})
	return s
}

// ParamSchema returns the schema of a parameter, without its description.
func (v *Vocabulary) ParamSchema(p *Param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	switch {
	case p.Typ == reflect.TypeFor[Upload]():
		s.ContentEncoding = "base64"
	case !unmarshals(p.Typ):
		s = v.SchemaOf(p.Typ)
	}
	if p.MaxLength != MaxValueLength && s.Type == "string" {
		s.MaxLength = jsonschema.Ptr(p.MaxLength)
	}
	s.Format = p.Format
	if len(p.Enum) > 0 {
		s = Enum(p.Enum...)
	}
	if p.Min != nil {
		s.Minimum = jsonschema.Ptr(float64(*p.Min))
	}
	if p.Max != nil {
		s.Maximum = jsonschema.Ptr(float64(*p.Max))
	}
	if p.Repeat {
		s = &jsonschema.Schema{Type: "array", Items: s}
		if p.MaxValues != maxValues {
			s.MaxItems = jsonschema.Ptr(p.MaxValues)
		}
	}
	if p.Default != "" {
		s.Default = p.Literal(p.Default)
	}
	return s
}

// Literal returns the JSON encoding of a parameter value in the syntax of a query.
func (p *Param) Literal(text string) json.RawMessage {
	var value any = text
	if p.Repeat && Settable(p.Typ) {
		var literals []json.RawMessage
		for _, text := range p.split(text) {
			one := *p
			one.Repeat = false
			literals = append(literals, one.Literal(text))
		}
		b, _ := json.Marshal(literals)
		return b
	}
	if Settable(p.Typ) {
		v := reflect.New(p.Typ)
		if err := v.Interface().(setter).Set(text); err == nil {
			b, _ := json.Marshal(v.Interface())
			return b
		}
	}
	if kind := p.Typ.Kind(); kind != reflect.String && !unmarshals(p.Typ) && p.Typ != reflect.TypeFor[Upload]() {
		return json.RawMessage(text)
	}
	if p.Repeat {
		value = p.split(text)
	}
	b, _ := json.Marshal(value)
	return b
}

// dropNull removes null from the types of a schema. It does not modify the slice of
// types, which clones of the schema share.
func dropNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
}

// WalkSchema calls visit for a schema and then for every schema in it.
func WalkSchema(s *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	visit(s)
	for _, property := range s.Properties {
		WalkSchema(property, visit)
	}
	if s.Items != nil {
		WalkSchema(s.Items, visit)
	}
}

// components holds named schemas that refer to each other.
type components struct {
	vocabulary *Vocabulary
	Schemas    map[string]*jsonschema.Schema
	names      map[string]string // fingerprint of a schema to its name
}

// Components returns the named schemas of the structs in types and in their fields.
func (v *Vocabulary) Components(types ...reflect.Type) *components {
	c := &components{vocabulary: v, Schemas: map[string]*jsonschema.Schema{}, names: map[string]string{}}
	for _, t := range types {
		c.collect(t)
	}
	for _, s := range c.Schemas {
		for name, property := range s.Properties {
			s.Properties[name] = c.refer(property)
		}
	}
	return c
}

// collect adds the schemas of the structs in a type.
func (c *components) collect(t reflect.Type) {
	if element := c.vocabulary.Elements[t]; element != nil {
		c.collect(element)
		return
	}
	if c.vocabulary.Types[t] != nil {
		return // described by the vocabulary
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		c.collect(t.Elem())
		return
	case reflect.Struct:
	default:
		return
	}
	if _, done := c.Schemas[t.Name()]; done {
		return
	}
	s := c.vocabulary.SchemaOf(t)
	c.names[fingerprint(s)] = t.Name()
	WalkSchema(s, func(s *jsonschema.Schema) { s.AdditionalProperties = nil })
	s.Description = c.vocabulary.Nouns[t.Name()]
	c.Schemas[t.Name()] = s
	for _, field := range reflect.VisibleFields(t) {
		if field.IsExported() && !field.Anonymous && field.Tag.Get("json") != "-" {
			c.collect(field.Type)
		}
	}
}

// refer replaces named schemas in s by references.
func (c *components) refer(s *jsonschema.Schema) *jsonschema.Schema {
	if name, ok := c.names[fingerprint(s)]; ok {
		ref := "#/components/schemas/" + name
		if slices.Contains(s.Types, "null") {
			return &jsonschema.Schema{Description: s.Description, AnyOf: []*jsonschema.Schema{{Ref: ref}, {Type: "null"}}}
		}
		return &jsonschema.Schema{Description: s.Description, Ref: ref}
	}
	for name, property := range s.Properties {
		s.Properties[name] = c.refer(property)
	}
	if s.Items != nil {
		s.Items = c.refer(s.Items)
	}
	return s
}

// fingerprint returns a string that is equal for schemas that differ only in their
// description, in null, and in whether they allow additional properties.
func fingerprint(s *jsonschema.Schema) string {
	s = s.CloneSchemas()
	s.Description = ""
	dropNull(s)
	WalkSchema(s, func(s *jsonschema.Schema) { s.AdditionalProperties = nil })
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
