package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models/problem"
)

// Problem is an error response: RFC 9457 problem details with a code, a message and
// a hint.
type Problem struct {
	Type      string // URL of the page that documents the code
	Title     problem.Text
	Status    int
	Code      string
	Message   problem.Text
	Hint      problem.Text
	RequestID string
	Fields    []problem.FieldError
	Links     []Link
}

// Errors of the server itself.
var (
	errUnknownMethod = NewError("method_not_implemented")
	errCrossSite     = NewError("cross_site")
)

// kindStatus is the HTTP status of errors whose code is not in the catalogue, and
// statusCode the error code of errors that fiber returns.
var (
	kindStatus = map[problem.Kind]int{problem.Internal: 500, problem.Invalid: 400, problem.Gone: 410, problem.NotFound: 404, problem.Conflict: 409, problem.Unavailable: 503,
		problem.Unauthenticated: 401, problem.Forbidden: 403, problem.TooMany: 429, problem.Changed: 412}
	statusCode = map[int]string{
		400: "bad_request", 401: "unauthenticated", 403: "cross_site", 404: "page_not_found", 405: "method_not_allowed", 406: "not_acceptable", 408: "request_timeout",
		409: "conflict", 413: "body_too_large", 415: "unsupported_media_type", 429: "rate_limited", 431: "header_too_large", 501: "method_not_implemented", 503: "unavailable",
	}
)

// publicError returns the error to send to the client for err. Errors other than a
// *problem.Error with a code or a kind become unavailable if they are temporary, else
// internal_error, without the cause.
func (s *Site) publicError(err error) *problem.Error {
	var perr *problem.Error
	if errors.As(err, &perr) {
		if _, known := s.codes.lookup(perr.Code); known || perr.Kind != problem.Internal {
			return perr
		}
	}
	var http *fiber.Error
	if errors.As(err, &http) {
		if code, ok := statusCode[http.Code]; ok {
			return NewError(code)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || s.Unavailable != nil && s.Unavailable(err) {
		return NewError("unavailable")
	}
	return NewError("internal_error")
}

// problem returns the error response for err.
func (s *Site) problem(err error, requestID string) *Problem {
	e := s.publicError(err)
	known, ok := s.codes.lookup(e.Code)
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

// writeError replaces the response with an error response in the format that the
// request accepts. If rendering that format fails, it sends JSON.
func (s *responder) writeError(ctx *fasthttp.RequestCtx, state *requestState, err error) {
	allow := string(ctx.Response.Header.Peek("Allow"))
	ctx.Response.Reset()
	p := s.problem(err, state.id)
	s.logServerError(ctx, state, p, err)

	format := errorFormat(ctx, state)
	body, renderErr := s.renderSafely(s.languages.contexts[state.language], s.Layout.Problem(p), format)
	if renderErr != nil {
		s.Log.Error("render error page", "request_id", state.id, "format", format, "err", renderErr)
		format, body = JSON, encodeJSON(s.Layout.Problem(p))
	}
	contentType := format.ContentType()
	state.sent = format
	if format == JSON {
		contentType = problemType
	}
	h := &ctx.Response.Header
	ctx.Response.SetStatusCode(p.Status)
	h.SetContentType(contentType)
	h.Set("Cache-Control", CacheNever)
	s.writeLanguage(h, format, state.language, vary, varyByLanguage)
	countTokens(h, contentType, body)
	h.Set("Link", "<"+p.Type+`>; rel="help", </openapi.json>; rel="service-desc"; type="application/json"`)
	if allow != "" {
		h.Set("Allow", allow)
	}
	if p.Status == fasthttp.StatusUnauthorized || p.Code == "insufficient_scope" {
		h.Set("WWW-Authenticate", s.challenge(ctx, p.Code, state.scope))
	}
	if p.Status == fasthttp.StatusTooManyRequests {
		h.Set("Retry-After", strconv.Itoa(cmp.Or(s.publicError(err).Wait, state.quota.reset)))
	}
	if p.Status == fasthttp.StatusServiceUnavailable {
		h.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	ctx.Response.SetBodyRaw(body)
}

// errorFormat returns the format of an error response: that of the suffix or the
// Accept field. A client that accepts none of the formats gets the one nearest to those
// it accepts.
func errorFormat(ctx *fasthttp.RequestCtx, state *requestState) Format {
	available := []Format{HTML, Markdown, JSON}
	if state.section == api {
		available = []Format{JSON, Markdown, HTML}
	}
	switch {
	case state.suffixed && state.format <= JSON:
		return state.format
	case state.suffixed:
		return JSON
	}
	accept := ctx.Request.Header.PeekAll("Accept")
	if format, ok := choose(accept, available); ok {
		return format
	}
	if acceptsText(accept) {
		return Markdown
	}
	return JSON // a client that does not accept HTML is a program
}

// writeEarlyError sends an error response to a request that could not be parsed and
// therefore did not pass the middleware.
func (s *Server) writeEarlyError(ctx *fasthttp.RequestCtx, err error) {
	state := requestState{at: s.Clock(), section: api, client: client{addr: s.clientAddr(ctx)}}
	state.id = s.requestID(ctx)
	state.quota = s.limiter.charge(state.client, s.apiPolicy, 1, state.at)
	s.writeError(ctx, &state, err)
	s.writeCommonHeaders(ctx)
	s.writeRequestHeaders(ctx, &state)
	s.observe(ctx, &state)
	s.logAccess(ctx, &state)
}

// handleError is the error handler of the router.
func (s *Server) handleError(c *fiber.Ctx, err error) error {
	ctx := c.Context()
	state := stateOf(ctx)
	if state == nil {
		s.writeEarlyError(ctx, err)
		return nil
	}
	var http *fiber.Error
	if errors.As(err, &http) && http.Code == fiber.StatusMethodNotAllowed {
		allow := s.allowedMethods(ctx)
		if ctx.IsOptions() {
			handleOptions(ctx, allow)
			return nil
		}
		ctx.Response.Header.Set("Allow", allow)
		err = &problem.Error{Code: "method_not_allowed",
			Message: problem.Textf("%s isn't allowed here. Allowed methods: %s.", ctx.Method(), allow)}
	}
	if !s.serveStale(ctx, state, err) {
		s.writeError(ctx, state, err)
	}
	return nil
}

// allowedMethods returns the methods of the path of a request, as the Allow header
// lists them.
func (s *Server) allowedMethods(ctx *fasthttp.RequestCtx) string {
	if allow, ok := s.allowed[string(ctx.Path())]; ok {
		return allow + ", OPTIONS"
	}
	return string(ctx.Response.Header.Peek("Allow")) + ", OPTIONS"
}

// handleOptions responds to an OPTIONS request with the allowed methods, and to a
// CORS preflight request. Scripts of other sites may only read: see crossSite.
func handleOptions(ctx *fasthttp.RequestCtx, allow string) {
	h := &ctx.Response.Header
	ctx.Response.SetStatusCode(fasthttp.StatusNoContent)
	ctx.Response.ResetBody()
	h.Set("Allow", allow)
	h.Set("Cache-Control", CacheShort)
	if len(ctx.Request.Header.Peek("Access-Control-Request-Method")) > 0 {
		h.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "Accept, Authorization, If-None-Match, Traceparent")
		h.Set("Access-Control-Max-Age", "86400")
	}
}

// panicError returns the error for a recovered panic, with its stack for the log.
func panicError(value any) error { return fmt.Errorf("panic: %v\n%s", value, debug.Stack()) }

// logServerError logs the cause of an error with a status of 500 or above, except
// 501.
func (s *responder) logServerError(ctx *fasthttp.RequestCtx, state *requestState, p *Problem, err error) {
	if p.Status < 500 || p.Status == 501 {
		return
	}
	if err == errBodiesBusy || err == errTooManyConns || err == errTooManyConnsPerAddr {
		s.overload.Do(func() { s.Log.Warn("reject request", append(s.logFields(ctx, state), slog.Any("err", err))...) })
		return
	}
	s.Log.Error("handle request", append(s.logFields(ctx, state), slog.String("code", p.Code), slog.Any("err", err))...)
}

// slow is how long a request takes that is always in the access log.
const slow = time.Second

// logAccess logs a request at level info if it is in the sample of the access log, and at
// level debug otherwise.
func (s *responder) logAccess(ctx *fasthttp.RequestCtx, state *requestState) {
	level, took := slog.LevelDebug, s.Clock().Sub(state.at)
	if share := s.AccessLog; share > 0 && (ctx.Response.StatusCode() >= 500 || took >= slow || rand.Float64() < share) {
		level = slog.LevelInfo
	}
	if !s.Log.Enabled(context.Background(), level) {
		return
	}
	fields := append(s.logFields(ctx, state), slog.Int("status", ctx.Response.StatusCode()), slog.Int("bytes", bodyLength(ctx)), slog.Duration("took", took))
	if state.op != nil {
		fields = append(fields, slog.String("operation", state.op.Name), slog.String("format", formatNames[state.sent]))
	}
	s.Log.Log(context.Background(), level, "request", fields...)
}

// bodyLength returns the size of a response's body in bytes, or -1 if it is a stream.
func bodyLength(ctx *fasthttp.RequestCtx) int {
	if ctx.Response.IsBodyStream() {
		return -1
	}
	return len(ctx.Response.Body())
}

// traceParent matches a traceparent field (W3C Trace Context): version, trace id,
// parent id and flags. Later versions may append more.
var traceParent = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]*)?$`)

// traceParentOf returns the traceparent field of a request, or "" if it is absent or
// invalid.
func traceParentOf(ctx *fasthttp.RequestCtx) string {
	lines := ctx.Request.Header.PeekAll("Traceparent")
	if len(lines) != 1 || len(lines[0]) > 512 || !traceParent.Match(lines[0]) {
		return ""
	}
	trace := string(lines[0])
	switch {
	case strings.HasPrefix(trace, "ff"), strings.HasPrefix(trace, "00-") && len(trace) != 55,
		trace[3:35] == strings.Repeat("0", 32), trace[36:52] == strings.Repeat("0", 16):
		return ""
	}
	return trace
}

// logFields returns the log fields that identify a request.
func (s *responder) logFields(ctx *fasthttp.RequestCtx, state *requestState) []any {
	fields := []any{slog.String("request_id", state.id), slog.String("client", state.client.String()),
		slog.String("method", string(ctx.Method())), slog.String("uri", string(ctx.RequestURI()))}
	if trace := traceParentOf(ctx); trace != "" {
		fields = append(fields, slog.String("traceparent", trace))
	}
	if span := state.caller.span; span != nil {
		fields = append(fields, slog.String("trace_id", span.SpanContext().TraceID().String()))
	}
	return fields
}
