package handlers

import (
	"encoding"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/secondlight/secondlight/models"
)

// maxParameter is the longest value of one parameter, in bytes.
const maxParameter = 1000

// bindPlan is how a request becomes an operation's input, prepared once.
//
// Each exported field of the input is one parameter, and its tags say which:
//
//	json:"budget_min,omitempty"  its name, in the query and everywhere else; without omitempty it is required
//	in:"path"                    it stands in the path; everything else is in the query
//	jsonschema:"…"               its description, one sentence
//	example:"800"                a value to show
//	enum:"newest,price"          the values allowed
//	min:"1" max:"100"            the range of a number
//	default:"24"                 the value when it is not given
//
// A field is a string, a bool, an int, a type over one of these, a type that
// implements encoding.TextUnmarshaler, or a slice of those, which may be
// repeated or separated by commas.
type bindPlan struct {
	in     reflect.Type
	params []param
}

// param is one parameter of an operation.
type param struct {
	Name, Description, Example, Default string

	Path     bool // stands in the path, not in the query
	Required bool
	Repeat   bool     // may be given several times
	Enum     []string // the values allowed; empty for any
	Min, Max *int64   // the range of a number; nil for none

	index []int
	typ   reflect.Type // of one value
	set   func(reflect.Value, string) error
}

// planFor prepares the binding of a type, and checks that the paths and the
// fields name the same path parameters.
func planFor(in reflect.Type, paths ...string) (*bindPlan, error) {
	if in.Kind() != reflect.Struct {
		return nil, fmt.Errorf("input %s is not a struct", in)
	}
	plan := &bindPlan{in: in}
	for _, field := range reflect.VisibleFields(in) {
		if field.Anonymous || !field.IsExported() {
			continue
		}
		p, err := paramOf(field)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", field.Name, err)
		}
		plan.params = append(plan.params, p)
	}
	var named []string
	for _, p := range plan.params {
		if p.Path {
			named = append(named, p.Name)
		}
	}
	slices.Sort(named)
	for _, path := range paths {
		if inPath := pathNames(path); path != "" && !slices.Equal(inPath, named) {
			return nil, fmt.Errorf("path %s has the parameters %q, the input %q", path, inPath, named)
		}
	}
	return plan, nil
}

var pathName = regexp.MustCompile(`\{(\w+)\}`)

// pathNames are the parameters in a path, sorted.
func pathNames(path string) []string {
	var names []string
	for _, m := range pathName.FindAllStringSubmatch(path, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

func paramOf(field reflect.StructField) (param, error) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	p := param{
		Name:        name,
		Description: field.Tag.Get("jsonschema"),
		Example:     field.Tag.Get("example"),
		Default:     field.Tag.Get("default"),
		Path:        field.Tag.Get("in") == "path",
		Required:    !strings.Contains(options, "omitempty"),
		index:       field.Index,
		typ:         field.Type,
	}
	if name == "" || name == "-" || p.Description == "" {
		return p, fmt.Errorf("wants a json name and a jsonschema description")
	}
	if field.Type.Kind() == reflect.Slice && !unmarshals(field.Type) {
		p.Repeat, p.typ = true, field.Type.Elem()
	}
	p.Enum = enumOf(p.typ)
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

func unmarshals(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// setter is the function that reads one value of the parameter.
func (p *param) setter() (func(reflect.Value, string) error, error) {
	switch {
	case unmarshals(p.typ):
		return func(v reflect.Value, s string) error {
			return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
		}, nil
	case p.typ.Kind() == reflect.String:
		return func(v reflect.Value, s string) error { v.SetString(s); return nil }, nil
	case p.typ.Kind() == reflect.Bool:
		return setBool, nil
	case p.typ.Kind() == reflect.Int, p.typ.Kind() == reflect.Int64:
		return p.setInt, nil
	}
	return nil, fmt.Errorf("type %s cannot be read from a request", p.typ)
}

func setBool(v reflect.Value, s string) error {
	switch s {
	case "true", "1":
		v.SetBool(true)
	case "false", "0":
		v.SetBool(false)
	default:
		return fmt.Errorf("%q is not true or false", s)
	}
	return nil
}

func (p *param) setInt(v reflect.Value, s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a whole number%s", s, p.rangeText())
	case p.Min != nil && n < *p.Min:
		return fmt.Errorf("%s must be at least %d; it is %d", p.Name, *p.Min, n)
	case p.Max != nil && n > *p.Max:
		return fmt.Errorf("%s must be at most %d; it is %d", p.Name, *p.Max, n)
	}
	v.SetInt(n)
	return nil
}

// rangeText is the range of a number in words: " from 1 to 100".
func (p *param) rangeText() string {
	text := ""
	if p.Min != nil {
		text += " from " + strconv.FormatInt(*p.Min, 10)
	}
	if p.Max != nil {
		text += " to " + strconv.FormatInt(*p.Max, 10)
	}
	return text
}

// pair is one parameter as it was given, decoded.
type pair struct{ name, value string }

// bound is a request made into an input.
type bound struct {
	in    any // pointer to the operation's input type
	plan  *bindPlan
	pairs []pair
}

// query is the parameters the operation knows, escaped, in the plan's order; ""
// for none.
func (b *bound) query() string {
	var query strings.Builder
	for i := range b.plan.params {
		if p := &b.plan.params[i]; !p.Path {
			values := p.given(nil, b.pairs)
			if !p.Repeat {
				values = values[:min(len(values), 1)]
			}
			appendQuery(&query, p.Name, values)
		}
	}
	return query.String()
}

// bind makes an input of the values in the path and of a raw query string. When
// strict, a parameter the operation does not know is refused, and so is a
// second value of a parameter that has one. Everything wrong is told at once.
// The strings of the input may alias rawQuery.
func (plan *bindPlan) bind(path func(string) string, rawQuery string, strict bool) (bound, error) {
	pairs, err := parseQuery(rawQuery)
	if err != nil {
		return bound{}, err
	}
	in := reflect.New(plan.in)
	var faults []fault
	for i := range plan.params {
		p := &plan.params[i]
		values := p.given(path, pairs)
		if len(values) > 1 && !p.Repeat {
			if strict {
				faults = append(faults, fault{models.FieldError{Field: p.Name, Code: "duplicate_parameter",
					Message: fmt.Sprintf("%s is given %d times and takes one value.", p.Name, len(values))}, "Give " + p.Name + " once."})
			}
			values = values[:1]
		}
		if len(values) == 0 && p.Default != "" {
			values = []string{p.Default}
		}
		if wrong := p.bind(in.Elem().FieldByIndex(p.index), values); wrong != nil {
			faults = append(faults, *wrong)
		}
	}
	if strict {
		faults = append(faults, plan.unknown(pairs)...)
	}
	if len(faults) > 0 {
		return bound{}, refuse(faults)
	}
	return bound{in.Interface(), plan, pairs}, nil
}

// given are the values a request has for a parameter. An empty value, as forms
// send for a field left alone, is none.
func (p *param) given(path func(string) string, pairs []pair) []string {
	if p.Path {
		return []string{path(p.Name)}
	}
	var values []string
	for _, pair := range pairs {
		switch {
		case pair.name != p.Name:
		case !p.Repeat:
			if pair.value != "" {
				values = append(values, pair.value)
			}
		default:
			for _, v := range strings.Split(pair.value, ",") {
				if v = strings.TrimSpace(v); v != "" && !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		}
	}
	return values
}

// bind sets the field; it returns what is wrong with the values, or nil.
func (p *param) bind(field reflect.Value, values []string) *fault {
	if len(values) == 0 {
		if p.Required {
			return &fault{models.FieldError{Field: p.Name, Code: "missing_parameter", Message: p.Name + " is required."},
				fmt.Sprintf("Add %s: %s", p.Name, p.Description)}
		}
		return nil
	}
	if p.Repeat {
		field.Set(reflect.MakeSlice(field.Type(), len(values), len(values)))
	}
	for i, value := range values {
		target := field
		if p.Repeat {
			target = field.Index(i)
		}
		if len(value) > maxParameter && !p.Path {
			return &fault{models.FieldError{Field: p.Name, Code: "invalid_value",
				Message: fmt.Sprintf("%s is longer than %d bytes.", p.Name, maxParameter)}, ""}
		}
		if len(p.Enum) > 0 && !slices.Contains(p.Enum, value) {
			return p.notAllowed(value)
		}
		if err := p.set(target, value); err != nil {
			return &fault{models.FieldError{Field: p.Name, Code: "invalid_value", Message: strings.TrimSuffix(err.Error(), ".") + "."}, ""}
		}
	}
	return nil
}

// notAllowed names the values that are allowed, and the one that was probably meant.
func (p *param) notAllowed(value string) *fault {
	f := &fault{models.FieldError{Field: p.Name, Code: "invalid_value",
		Message: fmt.Sprintf("%q is not a value of %s; the values are %s.", value, p.Name, strings.Join(p.Enum, ", "))}, ""}
	if near := nearest(value, p.Enum); near != "" {
		f.hint = fmt.Sprintf("Did you mean `%s`?", near)
	}
	return f
}

// unknown are the parameters the operation does not have, each with the nearest it has.
func (plan *bindPlan) unknown(pairs []pair) []fault {
	var faults []fault
	var seen []string
	for _, pair := range pairs {
		known := slices.ContainsFunc(plan.params, func(p param) bool { return !p.Path && p.Name == pair.name })
		if known || slices.Contains(seen, pair.name) {
			continue
		}
		seen = append(seen, pair.name)
		faults = append(faults, fault{models.FieldError{Field: pair.name, Code: "unknown_parameter",
			Message: fmt.Sprintf("There is no parameter %q.", pair.name)}, plan.known(pair.name)})
	}
	return faults
}

// known says which parameters there are, and which was probably meant.
func (plan *bindPlan) known(name string) string {
	var names []string
	for _, p := range plan.params {
		if !p.Path {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return "Leave it out: this address takes no parameters."
	}
	if near := nearest(name, names); near != "" {
		return fmt.Sprintf("Did you mean `%s`?", near)
	}
	return fmt.Sprintf("This address takes %s.", strings.Join(names, ", "))
}

// fault is what is wrong with a parameter, and how to repair it.
type fault struct {
	models.FieldError
	hint string
}

// refuse makes one error of everything that is wrong with a request.
func refuse(faults []fault) *models.Error {
	first := faults[0]
	e := &models.Error{Kind: models.Invalid, Code: "invalid_parameter", Message: first.Message, Hint: first.hint}
	if first.Code != "invalid_value" && !slices.ContainsFunc(faults, func(f fault) bool { return f.Code != first.Code }) {
		e.Code = first.Code
	}
	for _, f := range faults {
		if len(faults) > 1 && f.hint != "" {
			f.Message += " " + f.hint
		}
		e.Fields = append(e.Fields, f.FieldError)
	}
	if len(faults) > 1 {
		e.Message = fmt.Sprintf("%d parameters are wrong. %s", len(faults), first.Message)
		e.Hint = "Correct the fields that errors names and ask again."
	}
	if e.Hint == "" {
		e.Hint = "Correct " + first.Field + " and ask again."
	}
	return e
}

// parseQuery splits a raw query string. It refuses escapes that cannot be
// decoded, bytes that are not UTF-8 and control characters, instead of guessing.
func parseQuery(raw string) ([]pair, error) {
	var pairs []pair
	for raw != "" {
		var part string
		part, raw, _ = strings.Cut(raw, "&")
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil || !clean(name) || !clean(value) {
			return nil, &models.Error{Kind: models.Invalid, Code: "invalid_encoding",
				Message: "The query string is not percent-encoded UTF-8.",
				Hint:    "Encode every value as UTF-8 and then percent-encode it, such as keyword=caf%C3%A9."}
		}
		pairs = append(pairs, pair{name, strings.TrimSpace(value)})
	}
	return pairs, nil
}

// clean reports whether s is UTF-8 without control characters other than white space.
func clean(s string) bool {
	for _, r := range s {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}

func appendQuery(b *strings.Builder, name string, values []string) {
	for _, v := range values {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(name))
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(v))
	}
}

// nearest is the candidate that word was probably meant to be, or "". A word may
// be a candidate misspelt, a part of one, or one with something added.
func nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	if len(word) > 64 {
		return ""
	}
	best, limit := "", max(len(word)/2, 2)+1
	for _, c := range candidates {
		if d := distance(word, c); d < limit && d < len(word) {
			best, limit = c, d
		}
	}
	return best
}

// distance is the number of letters between a word and a candidate, or one of
// the candidate's parts, which counts as one letter more.
func distance(word, candidate string) int {
	d := levenshtein.ComputeDistance(word, candidate)
	if strings.HasPrefix(word, candidate) {
		d = min(d, 1)
	}
	for _, part := range strings.FieldsFunc(candidate, func(r rune) bool { return r == '_' || r == '-' }) {
		d = min(d, levenshtein.ComputeDistance(word, part)+1)
	}
	return d
}

// sentence begins with a capital, but for a name such as next_cursor, and ends
// with a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if first, _, _ := strings.Cut(s, " "); !strings.Contains(first, "_") {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	return s
}
