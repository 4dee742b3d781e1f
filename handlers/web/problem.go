package web

import (
	"context"
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/models/problem"
)

// kindStatus is the HTTP status of errors whose code is not in the catalogue.
var kindStatus = map[problem.Kind]int{problem.Internal: 500, problem.Invalid: 400, problem.Gone: 410, problem.NotFound: 404, problem.Conflict: 409, problem.Unavailable: 503,
	problem.Unauthenticated: 401, problem.Forbidden: 403, problem.TooMany: 429, problem.Changed: 412}

// StatusCode is the error code of errors that fiber returns.
var StatusCode = map[int]string{
	400: "bad_request", 401: "unauthenticated", 403: "cross_site", 404: "page_not_found", 405: "method_not_allowed", 406: "not_acceptable", 408: "request_timeout",
	409: "conflict", 413: "body_too_large", 415: "unsupported_media_type", 429: "rate_limited", 431: "header_too_large", 501: "method_not_implemented", 503: "unavailable",
}

// PublicError returns the error to send to the client for err. Errors other than a
// *problem.Error with a code or a kind become unavailable if they are temporary, else
// internal_error, without the cause.
func (s *Site) PublicError(err error) *problem.Error {
	var perr *problem.Error
	if errors.As(err, &perr) {
		if _, known := s.Codes.Lookup(perr.Code); known || perr.Kind != problem.Internal {
			return perr
		}
	}
	var http *fiber.Error
	if errors.As(err, &http) {
		if code, ok := StatusCode[http.Code]; ok {
			return NewError(code)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || s.Unavailable != nil && s.Unavailable(err) {
		return NewError("unavailable")
	}
	return NewError("internal_error")
}

// Problem returns the error response for err.
func (s *Site) Problem(err error, requestID string) *Problem {
	e := s.PublicError(err)
	known, ok := s.Codes.Lookup(e.Code)
	if !ok {
		known = ErrorCode{Status: kindStatus[e.Kind], Title: problem.Programf("%s", sentenceCase(e.Code)), Repair: problem.Textf("Correct the request and try again.")}
	}
	p := &Problem{
		Type:      s.BaseURL + "/errors/" + e.Code,
		Title:     known.Title,
		Status:    known.Status,
		Code:      e.Code,
		Message:   clip(e.Message),
		Hint:      clip(e.Advice()),
		RequestID: requestID,
		Fields:    clipFields(e.Fields),
	}
	if p.Hint == nil {
		p.Hint = known.Repair
	}
	for _, l := range e.Links {
		p.Links = append(p.Links, Link(l))
	}
	return p
}

// Limits of an error response, which may quote what the client has sent.
const (
	maxErrorText   = 1000 // bytes of a message or hint
	maxErrorQuote  = 300  // bytes of a value that a longer message quotes
	maxErrorFields = 8000 // bytes of all field errors
)

// clip shortens a text to maxErrorText bytes: first what it quotes, and if that is not
// enough, to a text for programs.
func clip(t problem.Text) problem.Text {
	if len(t.String()) <= maxErrorText {
		return t
	}
	short := make(problem.Text, len(t))
	for i, p := range t {
		short[i] = problem.Part{Format: p.Format, Program: p.Program}
		for _, arg := range p.Args {
			if text, ok := arg.(string); ok {
				arg = clipString(text, maxErrorQuote)
			}
			short[i].Args = append(short[i].Args, arg)
		}
	}
	if text := short.String(); len(text) > maxErrorText {
		return problem.Programf("%s", clipString(text, maxErrorText))
	}
	return short
}

// clipString shortens a string to a number of bytes.
func clipString(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// clipFields returns the first field errors, shortened, up to maxErrorFields bytes.
func clipFields(all []problem.FieldError) []problem.FieldError {
	var clipped []problem.FieldError
	size := 0
	for _, f := range all {
		f.Field, f.Message = clipString(f.Field, maxErrorText), clip(f.Message)
		if size += len(f.Field) + len(f.Message.String()); size > maxErrorFields && len(clipped) > 0 {
			break
		}
		clipped = append(clipped, f)
	}
	return clipped
}
