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
)

// Error is an error with the information a client needs to correct the request.
// Cause is only logged.
type Error struct {
	Kind    Kind
	Code    string // snake_case, documented at /errors/{code}
	Message string // what is wrong, one sentence
	Hint    string // how to correct the request, one sentence
	Fields  []FieldError
	Links   []Link // helpful pages
	Wait    int    // seconds until a retry may succeed; 0 if unknown
	Cause   error
}

// FieldError is an error in a field of a request.
type FieldError struct{ Field, Code, Message string }

// Link is a link to a helpful page.
type Link struct{ Href, Label string }

// Error implements error. The text includes the cause.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Code + ": " + e.Message + ": " + e.Cause.Error()
	}
	return e.Code + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
