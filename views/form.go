package views

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Input is a field of a form.
type Input struct {
	Name, Label string
	Help        string // what to write, "" when the label says it
	Type        string // of HTML; "" is text
	Value       string // what is so now
	Required    bool
	Rows        int // of a textarea; 0 is five

	Autocomplete string // what a browser may fill in, in HTML's words
	Placeholder  string
	InputMode    string // the keyboard of a phone
	MaxLength    int    // characters; 0 for any
}

// Choice is one of several values of a field.
type Choice struct {
	Value, Label, Meaning string
	Chosen                bool // now, where any number may be
}

func (in *Input) kind() string { return cmp.Or(in.Type, "text") }

func (in *Input) rows() string { return strconv.Itoa(cmp.Or(in.Rows, 5)) }

// id is that of a field: the forms of a page share none.
func (f *Form) id(name string) string { return strings.ReplaceAll(f.Operation+"-"+name, "_", "-") }

// shown is what the field shows; a password is never sent back.
func (f *Form) shown(in *Input) string {
	if in.Type == "password" {
		return ""
	}
	return f.value(in.Name, in.Value)
}

// attributes are those a field has only now and then.
func (f *Form) attributes(in *Input) templ.Attributes {
	a := templ.Attributes{}
	var described []string
	if f.fault(in.Name) != "" {
		a["aria-invalid"] = "true"
		described = append(described, f.id(in.Name)+"-fault")
	}
	if in.Help != "" {
		described = append(described, f.id(in.Name)+"-help")
	}
	for name, value := range map[string]string{"aria-describedby": strings.Join(described, " "), "autocomplete": in.Autocomplete,
		"placeholder": in.Placeholder, "inputmode": in.InputMode} {
		if value != "" {
			a[name] = value
		}
	}
	if in.MaxLength > 0 {
		a["maxlength"] = strconv.Itoa(in.MaxLength)
	}
	return a
}
