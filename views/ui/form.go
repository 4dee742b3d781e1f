package ui

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Input is a field of a form. Its texts are translated when it is rendered, like those of
// Choice.
type Input struct {
	Name, Label string
	Help        string // hint below the label, "" for none
	Type        string // of the HTML element; "" is text
	Value       string // current value
	Required    bool
	Rows        int // of a textarea; 0 means 5

	Autocomplete string // HTML autocomplete attribute
	Placeholder  string
	InputMode    string // HTML inputmode attribute
	MaxLength    int    // in characters; 0 for no limit
}

// Choice is one of several values of a field.
type Choice struct {
	Value, Label, Meaning string
	Chosen                bool // for checkboxes
}

// kind returns the HTML type of the input.
func (in *Input) kind() string { return cmp.Or(in.Type, "text") }

// rows returns the number of rows of a textarea.
func (in *Input) rows() string { return strconv.Itoa(cmp.Or(in.Rows, 5)) }

// ID returns the HTML id of a field, unique among the forms of a page.
func (f *Form) ID(name string) string { return strings.ReplaceAll(f.Operation+"-"+name, "_", "-") }

// shown returns the value the field is rendered with. Passwords are never rendered.
func (f *Form) shown(in *Input) string {
	if in.Type == "password" {
		return ""
	}
	return f.Value(in.Name, in.Value)
}

// attributes returns the optional attributes of a field.
func (f *Form) attributes(ctx context.Context, in *Input) templ.Attributes {
	a := templ.Attributes{}
	var described []string
	if f.ErrorOf(in.Name) != nil {
		a["aria-invalid"] = "true"
		described = append(described, f.ID(in.Name)+"-fault")
	}
	if in.Help != "" {
		described = append(described, f.ID(in.Name)+"-help")
	}
	for name, value := range map[string]string{"aria-describedby": strings.Join(described, " "), "autocomplete": in.Autocomplete,
		"placeholder": T(ctx, in.Placeholder), "inputmode": in.InputMode} {
		if value != "" {
			a[name] = value
		}
	}
	if in.Name == f.Focus {
		a["autofocus"] = true
	}
	if in.MaxLength > 0 {
		a["maxlength"] = strconv.Itoa(in.MaxLength)
	}
	return a
}

// Form is a rejected form, rendered again with what was entered and the errors. The
// zero value with an Operation is an empty form.
type Form struct {
	Operation string              // that rejected it
	Values    map[string][]string // as entered, without secrets
	Error     *Error
	Focus     string // field that gets the focus, "" for the error message
}

// FormOf returns the rejected form of an operation, or an empty form.
func FormOf(ctx context.Context, operation string) *Form {
	if f := ViewerOf(ctx).Form; f != nil && f.Operation == operation {
		return f
	}
	return &Form{Operation: operation}
}

// Value returns what was entered in a field, or current when the form is new.
func (f *Form) Value(name, current string) string {
	if values, ok := f.Values[name]; ok {
		return values[0]
	}
	return current
}

// Chosen reports whether a choice is selected: as it was entered, or current when
// the form is new.
func (f *Form) Chosen(name, value string, current bool) bool {
	if f.Error == nil {
		return current
	}
	for _, v := range f.Values[name] {
		if v == value {
			return true
		}
	}
	return false
}

// ErrorOf returns the error of a field, nil for none.
func (f *Form) ErrorOf(name string) *FieldError {
	if f.Error == nil {
		return nil
	}
	for i := range f.Error.Errors {
		if f.Error.Errors[i].Field == name {
			return &f.Error.Errors[i]
		}
	}
	return nil
}

// message returns what is wrong with the form, for people.
func (f *Form) message(ctx context.Context) string {
	switch n := len(f.Error.Errors); n {
	case 0:
		return cmp.Or(errorIn(ctx, f.Error.Message), f.Error.lead(ctx))
	case 1:
		return f.Error.Errors[0].Text(ctx)
	default:
		return T(ctx, "Check these %d fields:", n)
	}
}

// hint returns what to do about it, for people, or "".
func (f *Form) hint(ctx context.Context) string {
	if f.Error.Code == "missing_parameter" {
		return "" // it names the parameter
	}
	return errorIn(ctx, f.Error.Hint)
}

// Text returns what is wrong with a field, for people.
func (e *FieldError) Text(ctx context.Context) string {
	l := languages.Of(ctx)
	label := func(field string) string { return fieldLabel(l, field, l.TextIn("field", "This field")) }
	if text := (errorText{l, label}).of(e.Message); text != "" {
		return text
	}
	return T(ctx, "Check: %s", Capitalized(label(e.Field)))
}

// fieldLabel returns what a field is called, or unknown if it has no name in the language.
func fieldLabel(l *languages.Language, field, unknown string) string {
	if l == languages.English {
		return fieldWords(field)
	}
	if known, ok := fieldLabels[field]; ok {
		return l.TextIn("field", known)
	}
	return unknown
}

// fieldLabels names the fields of forms, with those of models.ItemFields, in messages that
// are translated.
var fieldLabels = map[string]string{
	"address":         "Address",
	"amount":          "Amount",
	"bio":             "About you",
	"budget":          "Budget",
	"budget_max":      "Maximum price",
	"budget_min":      "Minimum price",
	"carrier":         "Courier",
	"category":        "Category",
	"country":         "Country",
	"description":     "Description",
	"email":           "Email address",
	"every":           "How often",
	"expires_at":      "Last day",
	"file":            "File",
	"gear":            "Model",
	"handle":          "Username",
	"items":           "Your gear",
	"keyword":         "Search",
	"listing":         "Listing",
	"meet_at":         "Time",
	"member":          "Member",
	"message":         "Message",
	"name":            "Name",
	"note":            "Note",
	"old_password":    "Current password",
	"password":        "Password",
	"payment":         "Payment",
	"payment_link":    "Payment link",
	"photo":           "Photo",
	"photos":          "Photos",
	"place":           "Place",
	"police_report":   "Police report number",
	"postage":         "Postage",
	"price":           "Price",
	"query":           "Search",
	"reason":          "Reason",
	"region":          "Location",
	"scopes":          "Permissions",
	"seller":          "Seller",
	"seller_messages": "Messages",
	"ship_to":         "Postage to",
	"stars":           "Rating",
	"status":          "Status",
	"stolen_on":       "Day",
	"text":            "Text",
	"title":           "Title",
	"tracking":        "Tracking number",
	"tracking_url":    "Tracking link",
	"webhook":         "Webhook address",
	"webhook_events":  "Events",
}

// WrongText counts the fields with errors.
func (f *Form) WrongText(ctx context.Context) string {
	if n := len(f.Error.Errors); n > 1 {
		return T(ctx, "Check these %d fields:", n)
	}
	return T(ctx, "Check this field:")
}

func init() {
	for _, f := range models.ItemFields {
		fieldLabels[f.Name] = f.FieldLabel()
	}
}
