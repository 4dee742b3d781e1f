package web

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models/problem"
)

// ErrorCode documents an error code. A code never changes its meaning.
type ErrorCode struct {
	Code    string
	Status  int // HTTP status
	Title   string
	Meaning string // why the error occurs, one or more sentences
	Repair  string // what the caller can do about it, one or more sentences
}

// commonCodes are the error codes of the framework.
var commonCodes = []ErrorCode{
	{Code: "invalid_parameter", Status: 400, Title: "Invalid parameter", Meaning: "One or more parameters have an invalid value.", Repair: "See errors: it lists each invalid field, the reason, and the allowed values."},
	{Code: "invalid_value", Status: 400, Title: "Invalid value", Meaning: "The value of a field isn't allowed. This code appears in errors, next to the field.", Repair: "Use a value that the message allows."},
	{Code: "unknown_parameter", Status: 400, Title: "Unknown parameter", Meaning: "The API rejects unknown parameters, so that a typo doesn't silently change the result.", Repair: "Use the name that the hint suggests, or remove the parameter."},
	{Code: "missing_parameter", Status: 400, Title: "Missing parameter", Meaning: "A required parameter is missing.", Repair: "Add the parameter listed in errors."},
	{Code: "duplicate_parameter", Status: 400, Title: "Duplicate parameter", Meaning: "A parameter that takes one value was sent several times.", Repair: "Send it once. Parameters that can be repeated are arrays in /openapi.json."},
	{Code: "invalid_cursor", Status: 400, Title: "Invalid cursor", Meaning: "The cursor is malformed or belongs to another list or search.", Repair: "Remove cursor to start from the first page, and copy next_cursor without changes."},
	{Code: "invalid_encoding", Status: 400, Title: "Invalid encoding", Meaning: "The URL or the body is not valid UTF-8, or the URL is not percent-encoded.", Repair: "Encode values as UTF-8 and, in a URL, percent-encode them."},
	{Code: "bad_request", Status: 400, Title: "Bad request", Meaning: "The request is malformed.", Repair: "Check the request line, the headers and the body."},
	{Code: "unauthenticated", Status: 401, Title: "Sign in required", Meaning: "You need to sign in to do this.", Repair: "Sign in at /sign-in, or send a token as Authorization: Bearer sl_…. See /auth.md for how to get one."},
	{Code: "invalid_token", Status: 401, Title: "Invalid token", Meaning: "The token is unknown, expired or revoked.", Repair: "Create a token at /account/tokens and send it as Authorization: Bearer sl_…. Public data needs no token."},
	{Code: "cross_site", Status: 403, Title: "Cross-site request blocked", Meaning: "A browser sent this request from a page of another site.", Repair: "Send it from a page of this site, or from a program other than a browser."},
	{Code: "insufficient_scope", Status: 403, Title: "Insufficient scope", Meaning: "The token doesn't have the scope this needs.", Repair: "Create a token with the scope that the message names at /account/tokens."},
	{Code: "session_required", Status: 403, Title: "Session required", Meaning: "This can't be done with a token, only while signed in with a browser.", Repair: "Sign in at /sign-in and try again there."},
	{Code: "operators_only", Status: 403, Title: "Operators only", Meaning: "Only operators of the site can do this.", Repair: "To bring something to an operator's attention, send a report."},
	{Code: "account_suspended", Status: 403, Title: "Account suspended", Meaning: "An operator has suspended your account. You can still read and close it, but not change anything.", Repair: "Contact the operator. See /about for how."},
	{Code: "page_not_found", Status: 404, Title: "Page not found", Meaning: "There is no page at this address.", Repair: "Start at / or /developers. /openapi.json lists every API endpoint."},
	{Code: "method_not_allowed", Status: 405, Title: "Method not allowed", Meaning: "This address doesn't support the request method.", Repair: "Use a method listed in the Allow header."},
	{Code: "not_acceptable", Status: 406, Title: "Not acceptable", Meaning: "The Accept header excludes every media type that this address supports.", Repair: "Accept one of the media types in the message, or send no Accept header."},
	{Code: "request_timeout", Status: 408, Title: "Request timeout", Meaning: "The request took too long to arrive.", Repair: "Check your connection and try again."},
	{Code: "conflict", Status: 409, Title: "Conflict", Meaning: "The resource has changed since you read it.", Repair: "Read it again, then repeat the change if it still applies."},
	{Code: "idempotency_in_progress", Status: 409, Title: "Request in progress", Meaning: "The first request with this Idempotency-Key is still being processed.", Repair: "Wait a second and send the same request again. It won't be executed twice."},
	{Code: "idempotency_answer_lost", Status: 409, Title: "Response lost", Meaning: "The request with this Idempotency-Key was executed, but its response is no longer stored.", Repair: "Don't send it again. Read the current state instead."},
	{Code: "body_too_large", Status: 413, Title: "Body too large", Meaning: "The request body is larger than the limit.", Repair: "Send at most 1 MB (32 KB to MCP), 4 MB as a member, or 32 MB when uploading photos."},
	{Code: "unsupported_media_type", Status: 415, Title: "Unsupported media type", Meaning: "The media type of the request body isn't supported.", Repair: "Send application/json."},
	{Code: "unresolved_name", Status: 422, Title: "Name not resolved", Meaning: "A name in the request means nothing here, or several things.", Repair: "Use one of the candidates; the likeliest is the first."},
	{Code: "idempotency_key_reused", Status: 422, Title: "Idempotency key reused", Meaning: "This Idempotency-Key was already used for a different request.", Repair: "Use a new key for each write, and the same key only to retry the same write."},
	{Code: "precondition_required", Status: 428, Title: "Precondition required", Meaning: "This change needs an If-Match header.", Repair: "Read the resource first and send its ETag in If-Match."},
	{Code: "rate_limited", Status: 429, Title: "Too many requests", Meaning: "You've reached the limit of requests per minute.", Repair: "Wait the number of seconds in Retry-After. The RateLimit header of every response shows what is left."},
	{Code: "too_many_keys", Status: 429, Title: "Too many idempotency keys", Meaning: "You've reached the limit of Idempotency-Keys per day.", Repair: "Send the request without Idempotency-Key, or wait until the oldest keys expire after 24 hours."},
	{Code: "too_many_streams", Status: 429, Title: "Too many streams", Meaning: "You've reached the limit of 8 open streams of events and subscriptions.", Repair: "Close a stream, or follow several things with one."},
	{Code: "header_too_large", Status: 431, Title: "Header too large", Meaning: "The URL and the headers are larger than the limit.", Repair: "Shorten the URL, or clear the cookies of this site."},
	{Code: "internal_error", Status: 500, Title: "Internal error", Meaning: "Something went wrong on our side.", Repair: "Try again in a moment. If it keeps happening, contact us with the request id."},
	{Code: "method_not_implemented", Status: 501, Title: "Method not implemented", Meaning: "The server doesn't support this request method.", Repair: "Use GET to read."},
	{Code: "unavailable", Status: 503, Title: "Service unavailable", Meaning: "The site can't respond to this request right now.", Repair: "Wait the number of seconds in Retry-After and try again."},
}

// errorCatalogue holds every error code of a site.
type errorCatalogue struct {
	all    []ErrorCode // by status
	byCode map[string]*ErrorCode
}

// newErrorCatalogue returns a catalogue of the common codes and the site's own.
func newErrorCatalogue(own []ErrorCode) *errorCatalogue {
	c := &errorCatalogue{all: slices.Concat(commonCodes, own), byCode: map[string]*ErrorCode{}}
	slices.SortStableFunc(c.all, func(a, b ErrorCode) int { return a.Status - b.Status })
	for i := range c.all {
		c.byCode[c.all[i].Code] = &c.all[i]
	}
	return c
}

// lookup returns the documentation of a code, and whether there is any.
func (c *errorCatalogue) lookup(code string) (ErrorCode, bool) {
	known := c.byCode[code]
	if known == nil {
		return ErrorCode{}, false
	}
	return *known, true
}

// NewError returns an error with one of the common codes, and its documentation as
// message and hint. It panics on any other code.
func NewError(code string) *problem.Error {
	for _, c := range commonCodes {
		if c.Code == code {
			return c.New()
		}
	}
	panic("error code " + code + " is not one of the common codes")
}

// New returns an error with the code, and its documentation as message and hint.
func (c *ErrorCode) New() *problem.Error {
	return &problem.Error{Code: c.Code, Message: c.Meaning, Hint: c.Repair}
}

// ErrorCodes returns every error code of the site, sorted by status.
func (s *Server) ErrorCodes() []ErrorCode { return s.codes.all }

// HasErrorCode reports whether a code is documented.
func (s *Server) HasErrorCode(code string) bool { return s.codes.byCode[code] != nil }

// sentenceCase returns a code as words: "listing_not_found" as "Listing not found".
func sentenceCase(code string) string {
	words := strings.ReplaceAll(code, "_", " ")
	if words == "" {
		return "Error"
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
