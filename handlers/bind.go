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

// maxParameter is the most characters a parameter's value has unless it says otherwise.
const maxParameter = 1000

// maxValues is how many values a list has at most.
const maxValues = 100

// bindPlan is how a request becomes an operation's input, prepared once.
//
// Each exported field of the input is one parameter, and its tags say which:
//
//	json:"budget_min,omitempty"  its name; without omitempty it is required
//	in:"path"                    it stands in the path
//	in:"If-Match"                it is a header field; forms and tools give it by its name
//	jsonschema:"…"               its description, one sentence
//	example:"800"                a value to show
//	enum:"newest,price"          the values allowed
//	min:"1" max:"100"            the range of a number
//	default:"24"                 the value when it is not given
//	maxlength:"10000"            the most characters of a text, 1,000 when it is not said
//	format:"password"            its format, in the words of JSON Schema; a password is never shown again
//	sep:"lines"                  several values are one to a line, not separated by commas
//	sep:"none"                   several values are given one by one, and empty and equal ones count
//
// Everything else stands in the query, or in the body of a write: as JSON, or as
// a form sends it.
//
// A field is a string, a bool, an int, a models.Money, an upload, a type over one
// of these, a type that implements encoding.TextUnmarshaler, or a slice of those,
// which may be repeated or separated. A pointer to any is nil when nothing was
// given, and to the zero value when what was given is empty.
type bindPlan struct {
	in     reflect.Type
	params []param
	body   bool // the operation has a body, where the parameters stand
}

// param is one parameter of an operation.
type param struct {
	Name, Description, Example, Default string

	Path     bool   // stands in the path
	Header   string // the header field it stands in, "" for none
	Required bool
	Optional bool     // a pointer: given and empty is not the same as not given
	Repeat   bool     // may be given several times
	Lines    bool     // several values are one to a line
	Each     bool     // several values are given one by one, each in its place
	Enum     []string // the values allowed; empty for any
	Min, Max *int64   // the range of a number; nil for none
	Longest  int      // characters of a value
	Format   string   // in the words of JSON Schema

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
		Lines:       field.Tag.Get("sep") == "lines",
		Each:        field.Tag.Get("sep") == "none",
		Format:      field.Tag.Get("format"),
		Longest:     maxParameter,
		index:       field.Index,
		typ:         field.Type,
	}
	if in := field.Tag.Get("in"); !p.Path {
		p.Header = in
	}
	if tag := field.Tag.Get("maxlength"); tag != "" {
		longest, err := strconv.Atoi(tag)
		if err != nil {
			return p, fmt.Errorf("maxlength: %w", err)
		}
		p.Longest = longest
	}
	if name == "" || name == "-" || p.Description == "" {
		return p, fmt.Errorf("wants a json name and a jsonschema description")
	}
	if p.typ.Kind() == reflect.Pointer {
		p.Optional, p.Required, p.typ = true, false, p.typ.Elem()
	}
	if p.typ.Kind() == reflect.Slice && !unmarshals(p.typ) {
		p.Repeat, p.typ = true, p.typ.Elem()
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
	case p.typ == reflect.TypeFor[models.Money]():
		return setMoney, nil
	case p.typ == reflect.TypeFor[upload]():
		return setUpload, nil
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

// setMoney reads an amount as a form writes it, "450.00", and as a body does, with
// its currency behind it.
func setMoney(v reflect.Value, s string) error {
	amount, currency, _ := strings.Cut(s, " ")
	v.Set(reflect.ValueOf(models.Money{Amount: amount, Currency: currency}))
	return nil
}

// pair is one parameter as it was given, decoded.
type pair struct{ name, value string }

// request is everything a request says to an operation.
type request struct {
	path   func(string) string // values of the path; nil when they come by name, as a tool's do
	header func(string) string // header fields; nil when they come by name
	pairs  []pair
	stray  []pair // in the query of a request whose parameters stand in its body
	files  []file
}

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
		if p := &b.plan.params[i]; p.inQuery() {
			values := p.values(nil, &request{pairs: b.pairs})
			if !p.Repeat {
				values = values[:min(len(values), 1)]
			}
			appendQuery(&query, p.Name, values)
		}
	}
	return query.String()
}

// inQuery reports whether the parameter stands in the query, or in the body.
func (p *param) inQuery() bool { return !p.Path && p.Header == "" }

// bind makes an input of the values in the path and of a raw query string. The
// strings of the input may alias rawQuery.
func (plan *bindPlan) bind(path func(string) string, rawQuery string, strict bool) (bound, error) {
	pairs, err := parseQuery(rawQuery)
	if err != nil {
		return bound{}, err
	}
	return plan.bindGiven(&request{path: path, pairs: pairs}, strict)
}

// bindGiven makes an input of what a request says. When strict, a parameter the
// operation does not know is refused, and so is a second value of a parameter
// that has one. Everything wrong is told at once.
func (plan *bindPlan) bindGiven(g *request, strict bool) (bound, error) {
	in := reflect.New(plan.in)
	var faults []fault
	var space [4]string // more than most parameters have
	for i := range plan.params {
		p := &plan.params[i]
		if p.typ == reflect.TypeFor[upload]() {
			if wrong := p.bindFiles(in.Elem().FieldByIndex(p.index), g); wrong != nil {
				faults = append(faults, *wrong)
			}
			continue
		}
		values := p.values(space[:0], g)
		if len(values) > 1 && !p.Repeat {
			if strict {
				faults = append(faults, fault{models.FieldError{Field: p.Name, Code: "duplicate_parameter",
					Message: fmt.Sprintf("%s is given %d times and takes one value.", p.Name, len(values))}, "Give " + p.Name + " once."})
			}
			values = values[:1]
		}
		if len(values) == 0 && p.Default != "" {
			values = append(values, p.Default)
		}
		if len(values) == 0 && !p.Required && !(p.Optional && g.names(p.Name)) {
			continue
		}
		field := in.Elem().FieldByIndex(p.index)
		if p.Optional {
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if wrong := p.bind(field, values); wrong != nil {
			faults = append(faults, *wrong)
		}
	}
	if strict {
		faults = append(faults, plan.unknown(g)...)
	}
	if len(faults) > 0 {
		return bound{}, refuse(faults)
	}
	return bound{in.Interface(), plan, g.pairs}, nil
}

// names reports whether a request gives a parameter, if only as empty.
func (g *request) names(name string) bool {
	return slices.ContainsFunc(g.pairs, func(p pair) bool { return p.name == name })
}

// values appends the values a request has for a parameter to none. An empty
// value, as forms send for a field left alone, does not count.
func (p *param) values(none []string, g *request) []string {
	values := none
	switch {
	case p.Path && g.path != nil:
		return append(values, g.path(p.Name))
	case p.Header != "" && g.header != nil:
		if value := strings.TrimSpace(g.header(p.Header)); value != "" {
			return append(values, value)
		}
		return values
	}
	for _, pair := range g.pairs {
		switch {
		case pair.name != p.Name:
		case p.Each:
			if len(values) <= maxValues {
				values = append(values, strings.TrimSpace(pair.value))
			}
		case !p.Repeat:
			value := pair.value
			if p.Format != "password" {
				value = strings.TrimSpace(value)
			}
			if value != "" {
				values = append(values, value)
			}
		default:
			for v := range strings.SplitSeq(pair.value, p.separator()) {
				if v = strings.TrimSpace(v); v != "" && len(values) <= maxValues && !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		}
	}
	return values
}

// split cuts the values of a list apart.
func (p *param) split(value string) []string {
	if p.Each {
		return []string{value}
	}
	return strings.Split(value, p.separator())
}

func (p *param) separator() string {
	if p.Lines {
		return "\n"
	}
	return ","
}

// bind sets the field; it returns what is wrong with the values, or nil.
func (p *param) bind(field reflect.Value, values []string) *fault {
	if len(values) == 0 {
		if p.Required {
			return p.missing()
		}
		return nil
	}
	if len(values) > maxValues {
		return &fault{models.FieldError{Field: p.Name, Code: "invalid_value", Message: fmt.Sprintf("%s has more than %d values.", p.Name, maxValues)}, ""}
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
		if !p.Path && len(value) > p.Longest && utf8.RuneCountInString(value) > p.Longest {
			return &fault{models.FieldError{Field: p.Name, Code: "invalid_value",
				Message: fmt.Sprintf("%s is longer than %d characters.", p.Name, p.Longest)}, ""}
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

func (p *param) missing() *fault {
	return &fault{models.FieldError{Field: p.Name, Code: "missing_parameter", Message: p.Name + " is required."},
		fmt.Sprintf("Add %s: %s", p.Name, p.Description)}
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
func (plan *bindPlan) unknown(g *request) []fault {
	var faults []fault
	for _, pair := range g.stray {
		faults = append(faults, fault{models.FieldError{Field: pair.name, Code: "unknown_parameter",
			Message: fmt.Sprintf("The query has a parameter %q, and this address takes what it is told in the body.", pair.name)}, "Send it in the body."})
	}
	var seen []string
	check := func(name string) {
		if plan.takes(name, g) || slices.Contains(seen, name) {
			return
		}
		seen = append(seen, name)
		faults = append(faults, fault{models.FieldError{Field: name, Code: "unknown_parameter",
			Message: fmt.Sprintf("There is no parameter %q.", name)}, plan.known(name)})
	}
	for _, pair := range g.pairs {
		check(pair.name)
	}
	for _, file := range g.files {
		check(file.field)
	}
	return faults
}

// takes reports whether a request gives one of the parameters by this name.
func (plan *bindPlan) takes(name string, g *request) bool {
	for i := range plan.params {
		p := &plan.params[i]
		if p.Name == name && !(p.Path && g.path != nil) && !(p.Header != "" && g.header != nil) {
			return true
		}
	}
	return false
}

// known says which parameters there are, and which was probably meant.
func (plan *bindPlan) known(name string) string {
	var names []string
	for _, p := range plan.params {
		if p.inQuery() {
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
	if raw == "" {
		return nil, nil
	}
	pairs := make([]pair, 0, strings.Count(raw, "&")+1)
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
		pairs = append(pairs, pair{name, value})
	}
	return pairs, nil
}

// clean reports whether s is UTF-8 without control characters other than white space.
func clean(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
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
