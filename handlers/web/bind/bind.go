// Package bind turns queries, bodies and arguments of tools into the input of operations,
// and describes that input as JSON Schema.
package bind

import (
	"cmp"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/number"
	"github.com/secondlight/secondlight/models/plain"
	"github.com/secondlight/secondlight/models/problem"
)

// MaxValueLength is the maximum length of a parameter's value, in characters, if
// the field has no maxlength tag.
const MaxValueLength = 1000

// Limits of a request's parameters.
const (
	MaxParams = 200 // parameters in a query, a form or the arguments of a tool
	maxValues = 100 // values of a repeatable parameter without a maxvalues tag
)

// Plan describes how requests are bound to an operation's input type. It is
// prepared once per operation.
//
// Each exported field of the input is a parameter, defined by its tags:
//
//	json:"budget_min,omitempty"  name; required without omitempty
//	in:"path"                    path parameter
//	in:"If-Match"                header field; forms and tools send it under its name
//	jsonschema:"…"               description, one sentence
//	example:"800"                example value
//	enum:"newest,price"          allowed values
//	min:"1" max:"100"            range of a number
//	default:"24"                 value if the parameter is absent
//	maxlength:"10000"            maximum length in characters; the default is 1,000
//	format:"password"            JSON Schema format; a password is never written back into a form
//	maxvalues:"200"              maximum number of values of a list; the default is 100
//	sep:"lines"                  a value is a list separated by line breaks, not by commas
//	sep:"rows"                   like lines, but duplicate values count
//	sep:"none"                   a value is never split; empty and duplicate values count
//	object:"true"                a value may also be a JSON object with the fields of its type, which has a method Set
//
// A parameter without an in tag is in the query, or in the body of a write: a JSON
// object or an HTML form.
//
// The type of a field is string, bool, int, int64, Upload, a type whose underlying
// type is one of these, a type that implements encoding.TextUnmarshaler or has a
// method Set(string) error, or a slice of those for a parameter that may be
// repeated. A pointer to one of these is nil if the parameter is absent and points
// to the zero value if it is empty.
//
// An input with a field of type FieldErrors is bound from any request: the field lists
// what is invalid, and invalid parameters are as if they were absent. A field of type
// Corrections lists what was understood in part.
type Plan struct {
	In        reflect.Type
	Params    []Param
	rejected  []int // index of the field of type FieldErrors, nil for none
	corrected []int // index of the field of type Corrections, nil for none
	Body      bool  // the parameters are in the request body
	aliases   *Aliases
}

// Corrections are the values of a request that were understood in part, with what was
// understood.
type Corrections []problem.FieldError

// corrector is implemented by types that may understand a text in part. Correction returns
// what a value that was set from a text leaves out, nil for nothing.
type corrector interface {
	Correction(text string) problem.Text
}

// Param is one parameter of an operation.
type Param struct {
	Name, Description, Example, Default string

	Path      bool   // is in the path
	Header    string // header field that contains it, "" for none
	Required  bool
	Optional  bool              // is a pointer, which distinguishes empty from absent
	Repeat    bool              // may have several values
	Lines     bool              // a value is a list separated by line breaks
	Rows      bool              // as Lines, but duplicate values count
	Unsplit   bool              // a value is never split into a list
	Object    bool              // a value may be a JSON object
	NoTool    bool              // tools ignore it, because their results have a form of their own
	Enum      []string          // allowed values; empty for any
	words     map[string]string // other words for values
	Min, Max  *int64            // range of a number; nil for no limit
	MaxLength int               // of a value, in characters
	MaxValues int               // of a list
	Format    string            // of JSON Schema

	Index  []int        // of the field in the input
	Typ    reflect.Type // of one value
	set    func(reflect.Value, string) error
	read   func(string) (string, error) // of Override, nil for none
	Schema *jsonschema.Schema           // without description; set by describe
}

// PlanFor returns the plan for an input type. It returns an error if a tag is
// invalid or if a path and the fields have different path parameters.
func PlanFor(in reflect.Type, paths ...string) (*Plan, error) {
	if in.Kind() != reflect.Struct {
		return nil, fmt.Errorf("input %s is not a struct", in)
	}
	plan := &Plan{In: in}
	for _, field := range reflect.VisibleFields(in) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		if field.Type == reflect.TypeFor[FieldErrors]() {
			plan.rejected = field.Index
			continue
		}
		if field.Type == reflect.TypeFor[Corrections]() {
			plan.corrected = field.Index
			continue
		}
		p, err := paramOf(field)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", field.Name, err)
		}
		plan.Params = append(plan.Params, p)
	}
	var named []string
	for _, p := range plan.Params {
		if p.Path {
			named = append(named, p.Name)
		}
	}
	slices.Sort(named)
	for _, path := range paths {
		if inPath := PathNames(path); path != "" && !slices.Equal(inPath, named) {
			return nil, fmt.Errorf("path %s has the parameters %q, the input %q", path, inPath, named)
		}
	}
	return plan, nil
}

// Override replaces what the tags of a field say about a parameter, for an input that
// several operations share. Zero fields replace nothing.
type Override struct {
	Required                      bool
	Description, Example, Default string
	MaxLength                     int
	// Read returns a value as a program would write it, from what a person typed.
	Read func(text string) (string, error)
}

// Override applies overrides by the name of the parameter.
func (plan *Plan) Override(overrides map[string]Override) error {
	for name, o := range overrides {
		i := slices.IndexFunc(plan.Params, func(p Param) bool { return p.Name == name })
		if i < 0 {
			return fmt.Errorf("there is no parameter %s to override", name)
		}
		p := &plan.Params[i]
		p.Required = p.Required || o.Required
		p.Description, p.Example, p.Default = cmp.Or(o.Description, p.Description), cmp.Or(o.Example, p.Example), cmp.Or(o.Default, p.Default)
		p.MaxLength, p.read = cmp.Or(o.MaxLength, p.MaxLength), o.Read
	}
	return nil
}

// paramOf returns the parameter that a field of an input defines.
func paramOf(field reflect.StructField) (Param, error) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	p := Param{
		Name:        name,
		Description: field.Tag.Get("jsonschema"),
		Example:     field.Tag.Get("example"),
		Default:     field.Tag.Get("default"),
		Path:        field.Tag.Get("in") == "path",
		Required:    !strings.Contains(options, "omitempty"),
		Lines:       field.Tag.Get("sep") == "lines" || field.Tag.Get("sep") == "rows",
		Rows:        field.Tag.Get("sep") == "rows",
		Unsplit:     field.Tag.Get("sep") == "none",
		Format:      field.Tag.Get("format"),
		Object:      field.Tag.Get("object") == "true",
		NoTool:      field.Tag.Get("tool") == "-",
		MaxLength:   MaxValueLength,
		MaxValues:   maxValues,
		Index:       field.Index,
		Typ:         field.Type,
	}
	if in := field.Tag.Get("in"); !p.Path {
		p.Header = in
	}
	for tag, limit := range map[string]*int{"maxlength": &p.MaxLength, "maxvalues": &p.MaxValues} {
		if text := field.Tag.Get(tag); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				return p, fmt.Errorf("%s: %w", tag, err)
			}
			*limit = n
		}
	}
	if name == "" || name == "-" || p.Description == "" {
		return p, fmt.Errorf("needs a json name and a jsonschema description")
	}
	if p.Typ.Kind() == reflect.Pointer {
		p.Optional, p.Required, p.Typ = true, false, p.Typ.Elem()
	}
	if p.Typ.Kind() == reflect.Slice && !unmarshals(p.Typ) {
		p.Repeat, p.Typ = true, p.Typ.Elem()
	}
	if tag := field.Tag.Get("enum"); tag != "" {
		p.Enum = strings.Split(tag, ",")
	}
	for tag, limit := range map[string]**int64{"min": &p.Min, "max": &p.Max} {
		if text := field.Tag.Get(tag); text != "" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return p, fmt.Errorf("%s: %w", tag, err)
			}
			*limit = &n
		}
	}
	var err error
	p.set, err = p.setter()
	return p, err
}

// unmarshals reports whether a type implements encoding.TextUnmarshaler.
func unmarshals(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// setter returns the function that parses one value of the parameter.
func (p *Param) setter() (func(reflect.Value, string) error, error) {
	switch {
	case p.Object && Settable(p.Typ):
		return p.setObject, nil
	case Settable(p.Typ):
		return func(v reflect.Value, s string) error { return v.Addr().Interface().(setter).Set(s) }, nil
	case p.Typ == reflect.TypeFor[Upload]():
		return setUpload, nil
	case unmarshals(p.Typ):
		return func(v reflect.Value, s string) error {
			return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
		}, nil
	case p.Typ.Kind() == reflect.String:
		return func(v reflect.Value, s string) error { v.SetString(s); return nil }, nil
	case p.Typ.Kind() == reflect.Bool:
		return setBool, nil
	case p.Typ.Kind() == reflect.Int, p.Typ.Kind() == reflect.Int64:
		return p.setInt, nil
	}
	return nil, fmt.Errorf("type %s cannot be read from a request", p.Typ)
}

func setBool(v reflect.Value, s string) error {
	switch s {
	case "true", "1":
		v.SetBool(true)
	case "false", "0":
		v.SetBool(false)
	default:
		return problem.Errorf("%q isn't true or false.", s)
	}
	return nil
}

func (p *Param) setInt(v reflect.Value, s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	ok := err == nil
	if !ok {
		n, ok = number.Whole(s)
	}
	switch {
	case !ok:
		return p.notWhole(s)
	case p.Min != nil && n < *p.Min:
		return problem.Errorf("%s must be at least %d; it is %d.", problem.Field(p.Name), *p.Min, n)
	case p.Max != nil && n > *p.Max:
		return problem.Errorf("%s must be at most %d; it is %d.", problem.Field(p.Name), *p.Max, n)
	}
	v.SetInt(n)
	return nil
}

// RangeText returns the range of a number in words: "from 1 to 100". It is "" without a
// range.
func (p *Param) RangeText() string {
	var text []string
	if p.Min != nil {
		text = append(text, "from", strconv.FormatInt(*p.Min, 10))
	}
	if p.Max != nil {
		text = append(text, "to", strconv.FormatInt(*p.Max, 10))
	}
	return strings.Join(text, " ")
}

// notWhole returns the error of a text that is no whole number.
func (p *Param) notWhole(s string) error {
	switch {
	case p.Min != nil && p.Max != nil:
		return problem.Errorf("%q isn't a whole number from %d to %d.", s, *p.Min, *p.Max)
	case p.Min != nil:
		return problem.Errorf("%q isn't a whole number from %d.", s, *p.Min)
	case p.Max != nil:
		return problem.Errorf("%q isn't a whole number up to %d.", s, *p.Max)
	}
	return problem.Errorf("%q isn't a whole number.", s)
}

// setter is implemented by types that parse their own values, as flag.Value does.
type setter interface{ Set(text string) error }

func Settable(t reflect.Type) bool { return reflect.PointerTo(t).Implements(reflect.TypeFor[setter]()) }

// Pair is a decoded parameter of a request.
type Pair struct{ Name, Value string }

// Request holds the parameters of a request.
type Request struct {
	Path      func(string) string // path parameters; nil if they are in pairs, as in a tool call
	Header    func(string) string // header fields; nil if they are in pairs
	Pairs     []Pair
	misplaced []Pair // query parameters of a request whose parameters belong in its body
	files     []file
}

// Bound is the result of binding a request.
type Bound struct {
	In    any // pointer to the operation's input type
	Plan  *Plan
	pairs []Pair
}

// Query returns the query parameters that the operation has, encoded, in the order
// of the plan; "" for none.
func (b *Bound) Query() string {
	var query strings.Builder
	for i := range b.Plan.Params {
		if p := &b.Plan.Params[i]; p.InQuery() {
			values := p.values(nil, &Request{Pairs: b.pairs})
			if !p.Repeat {
				values = values[:min(len(values), 1)]
			}
			AppendQuery(&query, p.Name, values)
		}
	}
	return query.String()
}

// QueryWith is like query, with another value of one parameter.
func (b *Bound) QueryWith(name, value string) string {
	changed := *b
	changed.pairs = slices.DeleteFunc(slices.Clone(b.pairs), func(p Pair) bool { return p.Name == name })
	changed.pairs = append(changed.pairs, Pair{name, value})
	return changed.Query()
}

// InQuery reports whether the parameter is in the query or in the body.
func (p *Param) InQuery() bool { return !p.Path && p.Header == "" }

// Bind binds path parameters and a raw query string. The strings of the input may
// alias rawQuery.
func (plan *Plan) Bind(path func(string) string, rawQuery string, strict bool) (Bound, error) {
	pairs, err := parseQuery(rawQuery)
	if err != nil {
		return Bound{}, err
	}
	return plan.BindRequest(&Request{Path: path, Pairs: pairs}, strict)
}

// BindRequest binds a request. If strict, unknown parameters and repeated values
// of a parameter that takes one are errors; otherwise they are ignored. The error
// is a *problem.Error that lists every invalid field; the result then holds the valid
// ones.
func (plan *Plan) BindRequest(req *Request, strict bool) (Bound, error) {
	in := reflect.New(plan.In)
	var fieldErrors []FieldError
	var buf [4]string // enough for most parameters
	for i := range plan.Params {
		p := &plan.Params[i]
		if p.Typ == reflect.TypeFor[Upload]() {
			if wrong := p.bindFiles(in.Elem().FieldByIndex(p.Index), req); wrong != nil {
				fieldErrors = append(fieldErrors, *wrong)
			}
			continue
		}
		values := p.values(buf[:0], req)
		if len(values) > 1 && !p.Repeat {
			if strict {
				fieldErrors = append(fieldErrors, FieldError{problem.FieldError{Field: p.Name, Code: "duplicate_parameter",
					Message: problem.Programf("%s takes one value; the request has %d.", p.Name, len(values))}, problem.Programf("Send %s once.", p.Name)})
			}
			values = values[:1]
		}
		if len(values) == 0 && p.Default != "" {
			values = append(values, p.Default)
		}
		if len(values) == 0 && !p.Required && !(p.Optional && req.names(p.Name)) {
			continue
		}
		field := in.Elem().FieldByIndex(p.Index)
		if p.Optional {
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if wrong := p.bind(field, values); wrong != nil {
			fieldErrors = append(fieldErrors, *wrong)
			if plan.rejected != nil {
				in.Elem().FieldByIndex(p.Index).SetZero()
			}
		} else if plan.corrected != nil {
			p.noteCorrections(in.Elem().FieldByIndex(plan.corrected).Addr().Interface().(*Corrections), field, values)
		}
	}
	if strict {
		fieldErrors = append(fieldErrors, plan.unknownParams(req)...)
	}
	b := Bound{in.Interface(), plan, req.Pairs}
	if plan.rejected != nil {
		in.Elem().FieldByIndex(plan.rejected).Set(reflect.ValueOf(FieldErrors(fieldErrors)))
		return b, nil
	}
	if len(fieldErrors) > 0 {
		return b, InvalidRequest(fieldErrors)
	}
	return b, nil
}

// maxListLength is the maximum length in bytes of a value that is a list.
const maxListLength = 4 * maxValues * MaxValueLength

// names reports whether the request has the parameter, even if it is empty.
func (req *Request) names(name string) bool {
	return slices.ContainsFunc(req.Pairs, func(p Pair) bool { return p.Name == name })
}

// values appends the values of the parameter in a request to dst, without characters that
// change the direction of text. Empty values, which forms send for blank fields, are skipped
// unless p.Unsplit.
func (p *Param) values(dst []string, req *Request) []string {
	values := dst
	switch {
	case p.Path && req.Path != nil:
		return append(values, req.Path(p.Name))
	case p.Header != "" && req.Header != nil:
		if value := strings.TrimSpace(req.Header(p.Header)); value != "" {
			return append(values, value)
		}
		return values
	}
	for _, pair := range req.Pairs {
		if pair.Name != p.Name {
			continue
		}
		if p.Format != "password" {
			pair.Value = plain.Directions(pair.Value)
		}
		switch {
		case p.Unsplit:
			values = append(values, strings.TrimSpace(pair.Value))
		case !p.Repeat:
			value := pair.Value
			if p.Format != "password" {
				value = strings.TrimSpace(value)
			}
			if value != "" {
				values = append(values, value)
			}
		case len(pair.Value) > maxListLength && p.Typ != reflect.TypeFor[Upload]():
			return make([]string, p.MaxValues+1) // too many values
		default:
			for _, v := range p.splitWords(p.split(pair.Value)) {
				if v = strings.TrimSpace(v); v != "" && len(values) <= p.MaxValues && (p.Rows || !slices.Contains(values, v)) {
					values = append(values, v)
				}
			}
		}
	}
	return values
}

// splitter is implemented by types whose values may have commas.
type splitter interface{ Split(list string) []string }

// split splits a value that is a list.
func (p *Param) split(value string) []string {
	switch {
	case p.Unsplit:
		return []string{value}
	case p.Lines:
		return strings.Split(value, "\n")
	}
	value = listMarks.Replace(value)
	if s, ok := reflect.Zero(p.Typ).Interface().(splitter); ok {
		return s.Split(value)
	}
	return strings.Split(value, ",")
}

// listMarks replaces the other marks between the values of a list by commas.
var listMarks = strings.NewReplacer(";", ",", "|", ",")

// alternatives matches what is between the values of a list in a sentence.
var alternatives = regexp.MustCompile(`(?i)\s+(?:or|and|oder|und)\s+|\s*[/&+]\s*`)

// Alternatives returns the values of a list that is written as a sentence, such as "Germany or
// Austria", nil if the text has only one.
func Alternatives(text string) []string {
	if !strings.ContainsAny(text, " \t/&+") || !alternatives.MatchString(text) { // most values are one word
		return nil
	}
	return alternatives.Split(strings.TrimSpace(text), -1)
}

// splitWords splits values that only make sense as a list in a sentence.
func (p *Param) splitWords(values []string) (all []string) {
	if !Settable(p.Typ) {
		return values
	}
	fails := func(text string) bool {
		return reflect.New(p.Typ).Interface().(setter).Set(strings.TrimSpace(text)) != nil
	}
	for _, v := range values {
		if parts := Alternatives(v); parts != nil && fails(v) && !slices.ContainsFunc(parts, fails) {
			all = append(all, parts...)
		} else {
			all = append(all, v)
		}
	}
	return all
}

// bind parses values into field. It returns an error for the first invalid one.
func (p *Param) bind(field reflect.Value, values []string) *FieldError {
	if len(values) == 0 {
		if p.Required {
			return p.Missing()
		}
		return nil
	}
	if len(values) > p.MaxValues {
		return &FieldError{problem.FieldError{Field: p.Name, Code: "invalid_value", Message: problem.Textf("%s has more than %d values.", problem.Field(p.Name), p.MaxValues)}, problem.Textf("Send the rest in another request.")}
	}
	if p.Repeat {
		field.Grow(len(values))
		field.SetLen(len(values))
	}
	for i, value := range values {
		target := field
		if p.Repeat {
			target = field.Index(i)
		}
		if !p.Path && len(value) > p.MaxLength && utf8.RuneCountInString(value) > p.MaxLength {
			return &FieldError{problem.FieldError{Field: p.Name, Code: "invalid_value",
				Message: problem.Textf("%s is longer than %d characters.", problem.Field(p.Name), p.MaxLength)}, nil}
		}
		if p.read != nil {
			var err error
			if value, err = p.read(value); err != nil {
				var wrong FieldErrors
				wrong.AddErr(p.Name, err)
				return &wrong[0]
			}
		}
		if !Settable(p.Typ) && len(p.Enum) > 0 {
			if value = p.spelling(value); value == "" {
				return p.NotAllowed(values[i])
			}
		}
		if err := p.set(target, value); err != nil {
			var wrong FieldErrors
			wrong.AddErr(p.Name, err)
			return &wrong[0]
		}
	}
	return nil
}

// noteCorrections adds what the values of a field leave out of the texts that they are from.
func (p *Param) noteCorrections(to *Corrections, field reflect.Value, values []string) {
	for i, text := range values {
		value := field
		if p.Repeat {
			value = field.Index(i)
		}
		c, ok := value.Interface().(corrector)
		if !ok {
			return
		}
		if note := c.Correction(text); note != nil {
			*to = append(*to, problem.FieldError{Field: p.Name, Code: "corrected", Message: note})
		}
	}
}

// spelling returns the allowed value that a value is, regardless of case and of how its
// words are joined: "Film SLR" and "film-slr" are "film_slr". It returns "" if there is
// none.
func (p *Param) spelling(value string) string {
	if slices.Contains(p.Enum, value) {
		return value
	}
	if other := p.words[oneSpelling(value)]; slices.Contains(p.Enum, other) {
		return other
	}
	for _, allowed := range p.Enum {
		if oneSpelling(allowed) == oneSpelling(value) {
			return allowed
		}
	}
	return ""
}

func oneSpelling(value string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(value))
}

// Missing returns the error of a required parameter that is absent.
func (p *Param) Missing() *FieldError {
	return &FieldError{problem.FieldError{Field: p.Name, Code: "missing_parameter", Message: problem.Textf("%s is required.", problem.Field(p.Name))},
		problem.Programf("Add %s: %s", p.Name, p.Description)}
}

// NotAllowed returns the error of a value outside the enum. Its hint suggests the
// most similar allowed value.
func (p *Param) NotAllowed(value string) *FieldError {
	f := &FieldError{problem.FieldError{Field: p.Name, Code: "invalid_value",
		Message: problem.Textf("%q isn't a valid %s; allowed values: %s.", value, problem.Field(p.Name), problem.Codes(p.Enum))}, nil}
	if near := fuzzy.NearestName(value, p.Enum); near != "" {
		f.Hint = problem.Programf("Did you mean `%s`?", near)
	}
	return f
}

// unknownParams returns an error for each of the first maxFieldErrors parameters of a
// request that the operation does not have. The hints suggest the most similar names.
func (plan *Plan) unknownParams(req *Request) []FieldError {
	var fieldErrors []FieldError
	for _, pair := range req.misplaced {
		if len(fieldErrors) >= maxFieldErrors {
			return fieldErrors
		}
		fieldErrors = append(fieldErrors, FieldError{problem.FieldError{Field: pair.Name, Code: "unknown_parameter",
			Message: problem.Programf("The query has a parameter %q, but this address reads parameters from the body.", pair.Name)}, problem.Programf("Send it in the body.")})
	}
	var seen []string
	check := func(name string) {
		if len(fieldErrors) >= maxFieldErrors || plan.Accepts(name, req) || slices.Contains(seen, name) {
			return
		}
		seen = append(seen, name)
		fieldErrors = append(fieldErrors, FieldError{problem.FieldError{Field: name, Code: "unknown_parameter",
			Message: problem.Programf("There is no parameter %q.", name)}, plan.suggest(name, req)})
	}
	for _, pair := range req.Pairs {
		check(pair.Name)
	}
	for _, file := range req.files {
		check(file.field)
	}
	return fieldErrors
}

// Accepts reports whether a request may contain a parameter under this name.
func (plan *Plan) Accepts(name string, req *Request) bool {
	for i := range plan.Params {
		p := &plan.Params[i]
		if p.Name == name && !(p.Path && req.Path != nil) && !(p.Header != "" && req.Header != nil) {
			return true
		}
	}
	return false
}

// maxFieldErrors is the maximum number of field errors in a response.
const maxFieldErrors = 20

// FieldError is an error in one parameter, with a hint for fixing it.
type FieldError struct {
	problem.FieldError
	Hint problem.Text
}

// InvalidRequest returns one error for the field errors of a request, of which it lists
// the first maxFieldErrors. There must be at least one.
func InvalidRequest(fieldErrors []FieldError) *problem.Error {
	first := fieldErrors[0]
	e := &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: first.Message, Hint: first.Hint}
	if first.Code != "invalid_value" && !slices.ContainsFunc(fieldErrors, func(f FieldError) bool { return f.Code != first.Code }) {
		e.Code = first.Code
	}
	for _, f := range fieldErrors[:min(len(fieldErrors), maxFieldErrors)] {
		if len(fieldErrors) > 1 {
			f.Message = f.Message.And(f.Hint)
		}
		e.Fields = append(e.Fields, f.FieldError)
	}
	if len(fieldErrors) > 1 {
		e.Message = problem.Programf("%d parameters are invalid.", len(fieldErrors)).And(first.Message)
		if len(fieldErrors) >= maxFieldErrors {
			e.Message = problem.Programf("At least %d parameters are invalid.", maxFieldErrors).And(first.Message)
		}
		e.Hint = problem.Programf("Correct the fields listed in errors and try again.")
	}
	return e
}

// FieldErrorsOf returns the field errors of an error. That of a single field has the
// hint of the error; those of several have theirs in their messages.
func FieldErrorsOf(e *problem.Error) []FieldError {
	all := make([]FieldError, len(e.Fields))
	for i, f := range e.Fields {
		all[i] = FieldError{FieldError: f}
	}
	if len(all) == 1 {
		all[0].Hint = e.Hint
	}
	return all
}

// errTooManyParams reports a request with more than MaxParams parameters.
var errTooManyParams = &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter",
	Message: problem.Programf("The request has more than %d parameters.", MaxParams), Hint: problem.Programf("Send fewer parameters, or several requests.")}

// parseQuery parses a raw query string. Invalid percent-encoding, invalid UTF-8 and
// control characters are errors.
func parseQuery(raw string) ([]Pair, error) {
	if raw == "" {
		return nil, nil
	}
	pairs := make([]Pair, 0, min(strings.Count(raw, "&")+1, MaxParams))
	for raw != "" {
		var part string
		part, raw, _ = strings.Cut(raw, "&")
		if part == "" {
			continue
		}
		if len(pairs) == MaxParams {
			return nil, errTooManyParams
		}
		name, value, _ := strings.Cut(part, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil || !ValidText(name) || !ValidText(value) {
			return nil, &problem.Error{Kind: problem.Invalid, Code: "invalid_encoding",
				Message: problem.Programf("The query string is not percent-encoded UTF-8."),
				Hint:    problem.Programf("Encode every value as UTF-8, then percent-encode it: keyword=caf%C3%A9.")}
		}
		pairs = append(pairs, Pair{name, value})
	}
	return pairs, nil
}

// DropUnknown returns a raw query without parameters that the plan doesn't have. It leaves a
// query that can't be parsed as it is.
func (plan *Plan) DropUnknown(raw string) string {
	pairs, err := parseQuery(raw)
	if err != nil || !slices.ContainsFunc(pairs, func(p Pair) bool { return !plan.inQuery(p.Name) }) {
		return raw
	}
	return strings.Join(slices.DeleteFunc(strings.Split(raw, "&"), func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		name, _ = url.QueryUnescape(name)
		return !plan.inQuery(name)
	}), "&")
}

// inQuery reports whether a query may contain a parameter under this name.
func (plan *Plan) inQuery(name string) bool {
	return slices.ContainsFunc(plan.Params, func(p Param) bool { return p.Name == name && p.InQuery() })
}

// ValidText reports whether s is valid UTF-8 without control characters other than tab,
// line feed and carriage return.
func ValidText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}

// AppendQuery appends the values of a parameter to a query string.
func AppendQuery(b *strings.Builder, name string, values []string) {
	for _, v := range values {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(name))
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(v))
	}
}

// FieldErrors collects the invalid fields of a request. The zero value is ready to
// use.
type FieldErrors []FieldError

// Add adds an invalid value. The message is a sentence; the hint explains how to fix the
// value and may be nil.
func (f *FieldErrors) Add(field string, message, hint problem.Text) {
	f.AddCode(field, "invalid_value", message, hint)
}

// AddCode adds an error with a code other than invalid_value.
func (f *FieldErrors) AddCode(field, code string, message, hint problem.Text) {
	*f = append(*f, FieldError{problem.FieldError{Field: field, Code: code, Message: message}, hint})
}

// AddErr adds the error of parsing a value, if it is not nil. A *problem.Unresolved keeps
// its candidates. Of a *problem.Error with field errors it adds those of fields that have
// none yet.
func (f *FieldErrors) AddErr(field string, err error) {
	if err == nil {
		return
	}
	var e *problem.Error
	if errors.As(err, &e) && len(e.Fields) > 0 {
		for _, more := range FieldErrorsOf(e) {
			if !slices.ContainsFunc(*f, func(known FieldError) bool { return known.Field == more.Field }) {
				*f = append(*f, more)
			}
		}
		return
	}
	var u *problem.Unresolved
	if errors.As(err, &u) {
		*f = append(*f, FieldError{problem.FieldError{Field: field, Code: problem.UnresolvedName, Message: u.Message(), Candidates: u.Candidates}, u.Hint()})
		return
	}
	f.Add(field, problem.TextOf(err), nil)
}

// Fields returns the names of the fields with errors.
func (f FieldErrors) Fields() map[string]bool {
	names := make(map[string]bool, len(f))
	for _, wrong := range f {
		names[wrong.Field] = true
	}
	return names
}

// Err returns one *problem.Error for everything that was added, or nil.
func (f FieldErrors) Err() error {
	if len(f) == 0 {
		return nil
	}
	return InvalidRequest(f)
}

// InvalidField returns the error for a single invalid value; hint may be nil.
func InvalidField(field string, message, hint problem.Text) error {
	var f FieldErrors
	f.Add(field, message, hint)
	return f.Err()
}

var PathName = regexp.MustCompile(`\{(\w+)\}`)

// PathNames returns the names of the parameters in a path, sorted.
func PathNames(path string) []string {
	var names []string
	for _, m := range PathName.FindAllStringSubmatch(path, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// Upload is a file in a request: a part of a multipart form, or base64 in JSON.
type Upload struct {
	Name  string // file name given by the client: for display only, never a path to open
	Bytes []byte
}

// file is an upload and the name of its form field.
type file struct {
	field string
	Upload
}

// bindFiles sets a field of type Upload or []Upload from the files of a request.
func (p *Param) bindFiles(field reflect.Value, req *Request) *FieldError {
	var all []Upload
	for _, f := range req.files {
		if f.field == p.Name {
			all = append(all, f.Upload)
		}
	}
	for _, pair := range req.Pairs {
		if pair.Name != p.Name || pair.Value == "" {
			continue
		}
		encoded := pair.Value
		if head, rest, ok := strings.Cut(encoded, ";base64,"); ok && strings.HasPrefix(head, "data:") {
			encoded = rest
		}
		content, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return &FieldError{problem.FieldError{Field: p.Name, Code: "invalid_value", Message: problem.Programf("%s isn't valid base64.", p.Name)},
				problem.Programf("Send the file's bytes as base64 (RFC 4648), or the request as multipart/form-data.")}
		}
		all = append(all, Upload{Bytes: content})
	}
	switch {
	case len(all) == 0 && p.Required:
		return p.Missing()
	case len(all) > maxFiles, len(all) > 1 && !p.Repeat:
		return &FieldError{problem.FieldError{Field: p.Name, Code: "duplicate_parameter", Message: problem.Textf("%s has too many files.", problem.Field(p.Name))}, problem.Textf("Send them in several requests.")}
	case p.Repeat:
		field.Set(reflect.ValueOf(all))
	case len(all) == 1:
		field.Set(reflect.ValueOf(all[0]))
	}
	return nil
}

// setUpload is never called: bindFiles binds files.
func setUpload(reflect.Value, string) error { return nil }

// setObject sets a value that is a JSON object, or a text that the method Set of its
// type parses.
func (p *Param) setObject(v reflect.Value, text string) error {
	if !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
		return v.Addr().Interface().(setter).Set(text)
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(v.Addr().Interface())
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType) && wrongType.Type.Kind() == reflect.Int:
		return problem.Errorf("%s: %s isn't a whole number.", p.Name, wrongType.Field)
	case errors.As(err, &wrongType):
		return problem.Errorf("%s: %s isn't a string.", p.Name, wrongType.Field)
	}
	return fmt.Errorf("%s: %s", p.Name, strings.TrimPrefix(err.Error(), "json: "))
}

// maxFiles is the maximum number of files in a request.
const maxFiles = 20
