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
	Title   problem.Text
	Meaning problem.Text // why the error occurs
	Repair  problem.Text // what the caller can do about it
}

// commonCodes are the error codes of the framework.
var commonCodes = []ErrorCode{
	{Code: "invalid_parameter", Status: 400, Title: problem.Programf("Invalid parameter"), Meaning: problem.Programf("One or more parameters have an invalid value."), Repair: problem.Programf("See errors: it lists each invalid field, the reason, and the allowed values.")},
	{Code: "invalid_value", Status: 400, Title: problem.Textf("Invalid value"), Meaning: problem.Programf("The value of a field isn't allowed. This code appears in errors, next to the field."), Repair: problem.Textf("Use one of the values listed in the message.")},
	{Code: "unknown_parameter", Status: 400, Title: problem.Programf("Unknown parameter"), Meaning: problem.Programf("The API rejects unknown parameters, so that a typo doesn't silently change the result."), Repair: problem.Programf("Use the name that the hint suggests, or remove the parameter.")},
	{Code: "missing_parameter", Status: 400, Title: problem.Programf("Missing parameter"), Meaning: problem.Programf("A required parameter is missing."), Repair: problem.Programf("Add the parameter listed in errors.")},
	{Code: "duplicate_parameter", Status: 400, Title: problem.Programf("Duplicate parameter"), Meaning: problem.Programf("A parameter that takes one value was sent several times."), Repair: problem.Textf("Send it once.").And(problem.Programf("Parameters that can be repeated are arrays in /openapi.json."))},
	{Code: "invalid_cursor", Status: 400, Title: problem.Programf("Invalid cursor"), Meaning: problem.Programf("The cursor is malformed or belongs to another list or search."), Repair: problem.Programf("Remove cursor to start from the first page, and copy next_cursor without changes.")},
	{Code: "invalid_encoding", Status: 400, Title: problem.Textf("Invalid encoding"), Meaning: problem.Programf("The URL or the body is not valid UTF-8, or the URL is not percent-encoded."), Repair: problem.Programf("Encode values as UTF-8 and, in a URL, percent-encode them.")},
	{Code: "bad_request", Status: 400, Title: problem.Textf("Bad request"), Meaning: problem.Textf("The request is malformed."), Repair: problem.Programf("Check the request line, the headers and the body.")},
	{Code: "unauthenticated", Status: 401, Title: problem.Textf("Sign in required"), Meaning: problem.Textf("You need to sign in to do this."), Repair: problem.Programf("Sign in at /sign-in, or send a token as Authorization: Bearer sl_…. See /auth.md for how to get one.")},
	{Code: "invalid_token", Status: 401, Title: problem.Programf("Invalid token"), Meaning: problem.Programf("The token is unknown, expired or revoked."), Repair: problem.Programf("Create a token at /account/tokens and send it as Authorization: Bearer sl_…. Public data needs no token.")},
	{Code: "cross_site", Status: 403, Title: problem.Textf("Cross-site request blocked"), Meaning: problem.Textf("A browser sent this request from a page of another site."), Repair: problem.Textf("Send it from a page of this site, or from a program other than a browser.")},
	{Code: "insufficient_scope", Status: 403, Title: problem.Programf("Insufficient scope"), Meaning: problem.Programf("The token doesn't have the scope this needs."), Repair: problem.Programf("Create a token with the scope that the message names at /account/tokens.")},
	{Code: "session_required", Status: 403, Title: problem.Textf("Session required"), Meaning: problem.Programf("This can't be done with a token, only while signed in with a browser."), Repair: problem.Programf("Sign in at /sign-in and try again there.")},
	{Code: "operators_only", Status: 403, Title: problem.Textf("Operators only"), Meaning: problem.Textf("Only operators of the site can do this."), Repair: problem.Textf("To bring something to our attention, send a report.")},
	{Code: "account_suspended", Status: 403, Title: problem.Textf("Account suspended"), Meaning: problem.Textf("We've suspended your account. You can still view everything and delete it, but you can't make changes."), Repair: problem.Textf("Contact us.").And(problem.Programf("See /about for how."))},
	{Code: "page_not_found", Status: 404, Title: problem.Textf("Page not found"), Meaning: problem.Textf("There's no page at this address."), Repair: problem.Programf("Start at / or /developers. /openapi.json lists every API endpoint.")},
	{Code: "method_not_allowed", Status: 405, Title: problem.Textf("Method not allowed"), Meaning: problem.Textf("This address doesn't support the request method."), Repair: problem.Programf("Use a method listed in the Allow header.")},
	{Code: "not_acceptable", Status: 406, Title: problem.Textf("Not acceptable"), Meaning: problem.Programf("The Accept header excludes every media type that this address supports."), Repair: problem.Programf("Accept one of the media types in the message, or send no Accept header.")},
	{Code: "request_timeout", Status: 408, Title: problem.Textf("Request timeout"), Meaning: problem.Textf("The request took too long to arrive."), Repair: problem.Textf("Check your connection and try again.")},
	{Code: "conflict", Status: 409, Title: problem.Textf("Conflict"), Meaning: problem.Textf("The resource has changed since you read it."), Repair: problem.Textf("Fetch it again, then reapply your change if it's still needed.")},
	{Code: "idempotency_in_progress", Status: 409, Title: problem.Textf("Request in progress"), Meaning: problem.Programf("The first request with this Idempotency-Key is still being processed."), Repair: problem.Textf("Wait a second and send the same request again. It won't be executed twice.")},
	{Code: "idempotency_answer_lost", Status: 409, Title: problem.Textf("Response lost"), Meaning: problem.Programf("The request with this Idempotency-Key was executed, but its response is no longer stored."), Repair: problem.Textf("Don't resend it. Fetch the current state instead.")},
	{Code: "not_confirmed", Status: 409, Title: problem.Programf("Not confirmed"), Meaning: problem.Programf("The person whom the MCP client asked to confirm this didn't."), Repair: problem.Programf("Nothing was changed. Ask what they want instead before you call the tool again.")},
	{Code: "body_too_large", Status: 413, Title: problem.Textf("Body too large"), Meaning: problem.Textf("The request body is larger than the limit."), Repair: problem.Textf("Send at most 1 MB (32 KB to MCP), 4 MB as a member, or 32 MB when uploading photos.")},
	{Code: "unsupported_media_type", Status: 415, Title: problem.Programf("Unsupported media type"), Meaning: problem.Programf("The media type of the request body isn't supported."), Repair: problem.Programf("Send application/json.")},
	{Code: "unresolved_name", Status: 422, Title: problem.Textf("Name not resolved"), Meaning: problem.Textf("A name in the request matches nothing, or more than one thing."), Repair: problem.Textf("Use one of the candidates, most likely first.")},
	{Code: "idempotency_key_reused", Status: 422, Title: problem.Textf("Idempotency key reused"), Meaning: problem.Programf("This Idempotency-Key was already used for a different request."), Repair: problem.Textf("Use a new key for each write, and the same key only to retry the same write.")},
	{Code: "precondition_required", Status: 428, Title: problem.Textf("Precondition required"), Meaning: problem.Programf("This change needs an If-Match header."), Repair: problem.Programf("Read the resource first and send its ETag in If-Match.")},
	{Code: "rate_limited", Status: 429, Title: problem.Textf("Too many requests"), Meaning: problem.Textf("You've reached the limit of requests per minute."), Repair: problem.Programf("Wait the number of seconds in Retry-After. The RateLimit header of every response shows what is left.")},
	{Code: "too_many_keys", Status: 429, Title: problem.Textf("Too many idempotency keys"), Meaning: problem.Textf("You've reached the limit of Idempotency-Keys per day."), Repair: problem.Programf("Send the request without Idempotency-Key, or wait until the oldest keys expire after 24 hours.")},
	{Code: "too_many_streams", Status: 429, Title: problem.Textf("Too many streams"), Meaning: problem.Textf("You've reached the limit of 8 open streams of events and subscriptions."), Repair: problem.Textf("Close a stream, or subscribe to several topics on one.")},
	{Code: "header_too_large", Status: 431, Title: problem.Programf("Header too large"), Meaning: problem.Programf("The URL and the headers are larger than the limit."), Repair: problem.Programf("Shorten the URL, or clear the cookies of this site.")},
	{Code: "internal_error", Status: 500, Title: problem.Textf("Internal error"), Meaning: problem.Textf("Something went wrong on our side."), Repair: problem.Textf("Try again in a moment.").And(problem.Programf("If it keeps happening, contact us with the request id."))},
	{Code: "method_not_implemented", Status: 501, Title: problem.Textf("Method not implemented"), Meaning: problem.Textf("The server doesn't support this request method."), Repair: problem.Programf("Use GET to read.")},
	{Code: "unavailable", Status: 503, Title: problem.Textf("Service unavailable"), Meaning: problem.Textf("The site can't respond to this request right now."), Repair: problem.Programf("Wait the number of seconds in Retry-After and try again.")},
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

// Lookup returns the documentation of a code, and whether there is any.
func (c *errorCatalogue) Lookup(code string) (ErrorCode, bool) {
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

// sentenceCase returns a code as words: "listing_not_found" as "Listing not found".
func sentenceCase(code string) string {
	words := strings.ReplaceAll(code, "_", " ")
	if words == "" {
		return "Error"
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
