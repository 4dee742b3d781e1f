package problem

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Format is a format as of fmt.Sprintf: one or more sentences, or a part of one.
// Translations are found by it, so it is a constant.
type Format string

// Text is the text of an error, in parts for people and parts for programs. It is nil if
// there is none.
type Text []Part

// Part is a part of a text: for both audiences, for programs only, or worded differently
// for each. Values from the request are arguments, never part of the format.
type Part struct {
	Format  Format // shown to people, and to programs if Program is ""; "" if for programs only
	Args    []any  // string, int, float64, Text, Field, Fields, Codes or Or
	Program string // sent to programs instead; may name parameters, ids and paths
}

// Field is an argument of a text: the name of a field or parameter.
type Field string

// Fields is an argument of a text: several names of fields.
type Fields []string

// String returns the names, separated by commas.
func (f Fields) String() string { return strings.Join(f, ", ") }

// Codes is an argument of a text: values of a parameter, which people read as words.
type Codes []string

// String returns the values, separated by commas.
func (c Codes) String() string { return strings.Join(c, ", ") }

// Or is an argument of a text: alternatives, joined by "or". People read them as words.
type Or []string

// Textf returns a text for everybody. It is nil for the format "".
func Textf(format Format, args ...any) Text {
	if format == "" {
		return nil
	}
	own := make([]any, len(args))
	for i, arg := range args {
		own[i] = argument(arg)
	}
	return Text{{Format: format, Args: own}}
}

// Programf returns a text for programs only. It is not translated.
func Programf(format string, args ...any) Text {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return Text{{Program: format}}
}

// ForPrograms returns the text, of one part, with other words for programs.
func (t Text) ForPrograms(format string, args ...any) Text {
	return Text{{Format: t[0].Format, Args: t[0].Args, Program: fmt.Sprintf(format, args...)}}
}

// argument returns an argument as one of the types that Part allows.
func argument(arg any) any {
	switch arg := arg.(type) {
	case Text, Field, Fields, Codes, Or:
		return arg
	case []byte:
		return string(arg)
	case error:
		return arg.Error()
	case fmt.Stringer:
		return arg.String()
	}
	switch v := reflect.ValueOf(arg); {
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return int(v.Uint())
	case v.CanFloat():
		return v.Float()
	}
	return fmt.Sprint(arg)
}

// And returns the text followed by another one.
func (t Text) And(more Text) Text { return append(t[:len(t):len(t)], more...) }

// String returns the text for programs, in English.
func (t Text) String() string {
	parts := make([]string, len(t))
	for i, p := range t {
		switch {
		case p.Program != "":
			parts[i] = p.Program
		case len(p.Args) == 0:
			parts[i] = string(p.Format)
		default:
			parts[i] = fmt.Sprintf(string(p.Format), p.Args...)
		}
	}
	return strings.Join(parts, " ")
}

// String returns the list in English: "a, b or c".
func (o Or) String() string { return o.Join(" or ") }

// Join returns the list with a translation of " or " before the last value.
func (o Or) Join(or string) string {
	n := len(o) - 1
	if n < 1 {
		return strings.Join(o, "")
	}
	return strings.Join(o[:n], ", ") + or + o[n]
}

// MarshalText implements encoding.TextMarshaler. It returns the text for programs.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Text) UnmarshalText(text []byte) error {
	*t = nil
	if len(text) > 0 {
		*t = Text{{Program: string(text)}}
	}
	return nil
}

// ValueError reports a value that can't be parsed. What it says is a sentence.
type ValueError struct{ Text Text }

// Errorf returns a *ValueError.
func Errorf(format Format, args ...any) error { return &ValueError{Textf(format, args...)} }

// TextOf returns what a *ValueError says, or the text of another error for programs only.
func TextOf(err error) Text {
	var e *ValueError
	if errors.As(err, &e) {
		return e.Text
	}
	return Programf("%s.", strings.TrimSuffix(err.Error(), "."))
}

// Error implements error.
func (e *ValueError) Error() string { return strings.TrimSuffix(e.Text.String(), ".") }
