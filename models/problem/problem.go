// Package problem defines the errors reported to clients: what is wrong with a
// request and how to correct it, as in RFC 9457 problem details.
package problem

// Kind classifies errors. Each kind maps to an HTTP status.
type Kind int

// The kinds of errors.
const (
	Internal        Kind = iota // 500: the cause is logged, not reported
	Invalid                     // 400: the request is malformed
	NotFound                    // 404: the resource does not exist or is not visible to the client
	Conflict                    // 409: the resource is in a conflicting state or already exists
	Unavailable                 // 503: temporarily unavailable
	Unauthenticated             // 401: sign-in required
	Forbidden                   // 403: not allowed
	TooMany                     // 429: too many requests
	Changed                     // 412: a precondition failed
	Gone                        // 410: the resource existed and is no longer available
)

// Error is an error with the information a client needs to correct the request.
// Cause is only logged.
type Error struct {
	Kind    Kind
	Code    string // snake_case, documented at /errors/{code}
	Message Text   // what is wrong
	Hint    Text   // what to do about it; nil to correct Fields, if there are any
	Fields  []FieldError
	Links   []Link // helpful pages
	Wait    int    // seconds until a retry may succeed; 0 if unknown
	Cause   error
}

// FieldError is an error in a field of a request.
type FieldError struct {
	Field, Code string
	Message     Text
	Candidates  []string // values that may have been meant, the likeliest first
}

// Unresolved reports a name that means nothing, or several things.
type Unresolved struct {
	Kind       string   // what it should name: "mount"
	Text       string   // the name as written
	Several    bool     // it means each of Candidates
	Candidates []string // values that may have been meant, the likeliest first
	Names      []string // what people call the candidates; nil for the same
	Known      Text     // how to find the valid names
}

// UnresolvedName is the code of field errors made of an Unresolved.
const UnresolvedName = "unresolved_name"

// Error implements error.
func (u *Unresolved) Error() string { return u.Message().String() }

// Message says what is wrong with the name.
func (u *Unresolved) Message() Text {
	if u.Several {
		return Textf("%q can mean more than one %s.", u.Text, u.Kind)
	}
	return Textf("There's no %s %q.", u.Kind, u.Text)
}

// Hint suggests the candidates and says how to find the valid names.
func (u *Unresolved) Hint() Text {
	if len(u.Candidates) == 0 {
		return u.Known
	}
	choice := Textf("Did you mean %s?", Or(u.Candidates))
	if u.Names != nil {
		choice = Textf("Did you mean %s?", Or(u.Names)).ForPrograms("Did you mean %s?", Or(u.Candidates))
	}
	return choice.And(u.Known)
}

// Link is a link to a helpful page.
type Link struct{ Href, Label string }

// Error implements error. The text includes the cause.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Code + ": " + e.Message.String() + ": " + e.Cause.Error()
	}
	return e.Code + ": " + e.Message.String()
}

// Advice returns what to do about the error: Hint, or to correct the fields.
func (e *Error) Advice() Text {
	if e.Hint != nil || len(e.Fields) == 0 {
		return e.Hint
	}
	names := make(Fields, len(e.Fields))
	for i, f := range e.Fields {
		names[i] = f.Field
	}
	return Textf("Correct %s and try again.", names)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
