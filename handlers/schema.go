package handlers

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// typeSchemas are the types whose schema their Go type does not tell: the words
// of the domain, which have fixed values, and types that write their own JSON.
var typeSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[models.Category]():   enum(models.Categories...),
	reflect.TypeFor[models.Condition]():  enum(models.Conditions...),
	reflect.TypeFor[models.Defect]():     enum(models.Defects...),
	reflect.TypeFor[models.Functional](): enum(models.Functionals...),
	reflect.TypeFor[models.Status]():     enum(models.StatusDraft, models.StatusActive, models.StatusReserved, models.StatusSold, models.StatusEnded, models.StatusExpired, models.StatusRemoved),
	reflect.TypeFor[models.Scope]():      enum(models.AllScopes...),
	reflect.TypeFor[models.Region]():     {Type: "string", Pattern: `^([A-Z]{2}(-[A-Z0-9]{1,3})?)?$`},

	reflect.TypeFor[models.OfferStatus](): enum(models.OfferStatuses...),
	reflect.TypeFor[models.OfferStep]():   enum(models.OfferSteps...),
}

func init() {
	typeSchemas[reflect.TypeFor[models.Amount]()] = schemaOf(reflect.TypeFor[models.Money]())
	typeSchemas[reflect.TypeFor[views.CardList]()] = &jsonschema.Schema{Type: "array", Items: schemaOf(reflect.TypeFor[views.Card]())}
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

// schemaOf is the schema of a type, complete in itself and closed: the one call
// that every published schema comes from. Pages never write null for a list, and
// leave absent what is optional, so null is allowed only where a field that is
// always there may have no value. It panics on a type that has no schema.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: typeSchemas})
	if err != nil {
		panic(fmt.Sprintf("schema of %s: %v", t, err))
	}
	describeFields(t, s)
	walkSchema(s, func(s *jsonschema.Schema) {
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

// inputSchema is the schema of an operation's input as one object.
func (o *Operation) inputSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for i := range o.plan.params {
		p := &o.plan.params[i]
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
		property := p.schema()
		property.Description = p.Description
		s.Properties[p.Name] = property
	}
	if o.takesKey() {
		s.Properties[keyArgument] = keySchema(keyText)
	}
	return s
}

// keySchema is the schema of an idempotency key.
func keySchema(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1), MaxLength: jsonschema.Ptr(keyLongest), Description: description}
}

// schema is the schema of a parameter, without its description.
func (p *param) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	switch {
	case p.typ == reflect.TypeFor[upload]():
		s.ContentEncoding = "base64"
	case !unmarshals(p.typ):
		s = schemaOf(p.typ)
	}
	if p.Longest != maxParameter && s.Type == "string" {
		s.MaxLength = jsonschema.Ptr(p.Longest)
	}
	s.Format = p.Format
	if len(p.Enum) > 0 {
		s = enum(p.Enum...)
	}
	if p.Min != nil {
		s.Minimum = jsonschema.Ptr(float64(*p.Min))
	}
	if p.Max != nil {
		s.Maximum = jsonschema.Ptr(float64(*p.Max))
	}
	if p.Repeat {
		s = &jsonschema.Schema{Type: "array", Items: s}
	}
	if p.Default != "" {
		s.Default = p.literal(p.Default)
	}
	return s
}

// literal is a value of the parameter as JSON, from how requests write it.
func (p *param) literal(text string) json.RawMessage {
	var value any = text
	if p.typ == reflect.TypeFor[models.Money]() {
		amount, currency, _ := strings.Cut(text, " ")
		b, _ := json.Marshal(models.Money{Amount: amount, Currency: currency})
		return b
	}
	if kind := p.typ.Kind(); kind != reflect.String && !unmarshals(p.typ) && p.typ != reflect.TypeFor[upload]() {
		return json.RawMessage(text)
	}
	if p.Repeat {
		value = p.split(text)
	}
	b, _ := json.Marshal(value)
	return b
}

// dropNull takes null out of a schema's types. Clones of a schema share their
// list of types, so it is not changed in place.
func dropNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
}

// walkSchema calls visit for a schema and everything in it, the outermost first.
func walkSchema(s *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	visit(s)
	for _, property := range s.Properties {
		walkSchema(property, visit)
	}
	if s.Items != nil {
		walkSchema(s.Items, visit)
	}
}

// components are named schemas, each written once and referred to by the others.
type components struct {
	schemas map[string]*jsonschema.Schema
	names   map[string]string // fingerprint of a schema to its name
}

// componentsOf names the schema of every struct that the types are made of.
func componentsOf(types ...reflect.Type) *components {
	c := &components{schemas: map[string]*jsonschema.Schema{}, names: map[string]string{}}
	for _, t := range types {
		c.collect(t)
	}
	for _, s := range c.schemas {
		for name, property := range s.Properties {
			s.Properties[name] = c.refer(property)
		}
	}
	return c
}

func (c *components) collect(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		if t == reflect.TypeFor[views.CardList]() {
			t = reflect.TypeFor[views.Card]()
			c.collect(t)
			return
		}
		c.collect(t.Elem())
		return
	case reflect.Struct:
	default:
		return
	}
	if typeSchemas[t] != nil {
		return // written as another type
	}
	if _, done := c.schemas[t.Name()]; done {
		return
	}
	s := schemaOf(t)
	c.names[fingerprint(s)] = t.Name()
	walkSchema(s, func(s *jsonschema.Schema) { s.AdditionalProperties = nil })
	s.Description = nouns[t.Name()]
	c.schemas[t.Name()] = s
	for _, field := range reflect.VisibleFields(t) {
		if field.IsExported() && !field.Anonymous {
			c.collect(field.Type)
		}
	}
}

// refer puts references in the place of what has a name.
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

// fingerprint is equal for schemas that are the same but for their description,
// for null, and for whether they are closed.
func fingerprint(s *jsonschema.Schema) string {
	s = s.CloneSchemas()
	s.Description = ""
	dropNull(s)
	walkSchema(s, func(s *jsonschema.Schema) { s.AdditionalProperties = nil })
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
