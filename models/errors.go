package models

// Kind sorts failures by who can repair them; the faces map it to a status.
type Kind int

// The kinds of failure.
const (
	Internal        Kind = iota // ours: the cause goes to the log, never to the reader
	Invalid                     // the request is wrong: 400
	NotFound                    // there is no such thing, or it is not yours to see: 404
	Conflict                    // it changed meanwhile, or exists already: 409
	Unavailable                 // not now: 503
	Unauthenticated             // nobody is signed in: 401
	Forbidden                   // it is known who asks, and that they may not: 403
	TooMany                     // too often: 429
	Changed                     // it is not any more what the request says it is: 412
)

// Error is a failure told to the reader: what happened, and how to repair this
// very request. Cause is for the log only.
type Error struct {
	Kind    Kind
	Code    string // snake_case, documented at /errors/{code}
	Message string // what is wrong, one sentence
	Hint    string // how to repair this request, one sentence
	Fields  []FieldError
	Links   []ErrorLink // where to go instead
	Wait    int         // seconds after which to ask again; 0 when nobody knows
	Cause   error
}

// FieldError is what is wrong with one field of a request.
type FieldError struct{ Field, Code, Message string }

// ErrorLink is a place to go instead.
type ErrorLink struct{ Href, Label string }

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Code + ": " + e.Message + ": " + e.Cause.Error()
	}
	return e.Code + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Cause }
