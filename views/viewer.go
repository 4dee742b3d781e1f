package views

import "context"

// Viewer is who reads a page in a browser. The HTML face alone depends on it, and
// never in what it says of anybody's listings.
type Viewer struct {
	Handle   string // "" for nobody signed in
	Name     string
	Operator bool
	Unread   int    // messages
	Notice   string // what was just done, "" for nothing
	Form     *Form  // the form that was refused, nil for none
}

// Form is a form that was refused, to be shown again as it was filled in.
type Form struct {
	Operation string              // that did not take it
	Values    map[string][]string // as typed, but for what is secret
	Error     *Error
}

type viewerKey struct{}

// Read is a context in which pages are rendered for the viewer; nil is anybody.
func (v *Viewer) Read(ctx context.Context) context.Context {
	if v == nil {
		return ctx
	}
	return context.WithValue(ctx, viewerKey{}, v)
}

// viewerOf is who a page is rendered for.
func viewerOf(ctx context.Context) *Viewer {
	if v, ok := ctx.Value(viewerKey{}).(*Viewer); ok {
		return v
	}
	return &Viewer{}
}

// formOf is the form of an operation as it was refused, else an empty one.
func formOf(ctx context.Context, operation string) *Form {
	if f := viewerOf(ctx).Form; f != nil && f.Operation == operation {
		return f
	}
	return &Form{Operation: operation}
}

// value is what a field shows: what was typed, else what is so now.
func (f *Form) value(name, now string) string {
	if values, ok := f.Values[name]; ok {
		return values[0]
	}
	return now
}

// chosen reports whether a choice is made: as it was typed, else as it is now.
func (f *Form) chosen(name, value string, now bool) bool {
	if f.Error == nil {
		return now
	}
	for _, v := range f.Values[name] {
		if v == value {
			return true
		}
	}
	return false
}

// fault is what is wrong with a field, "" for nothing.
func (f *Form) fault(name string) string {
	if f.Error == nil {
		return ""
	}
	for _, e := range f.Error.Errors {
		if e.Field == name {
			return e.Message
		}
	}
	return ""
}
