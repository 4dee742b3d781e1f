package serve

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/time/rate"

	"github.com/secondlight/secondlight/handlers/web"
)

// slow is how long a request takes that is always in the access log.
const slow = time.Second

// Requests that clients failed are logged in bursts of so many of each status, and in the long run
// so many a second.
const loggedBurst, loggedPerSecond = 50, 5

// clientErrors limits what requests with a status of 400 to 499 add to the log.
type clientErrors [100]struct {
	limit   *rate.Limiter
	leftOut atomic.Int64 // since the last that was logged
}

func newClientErrors() *clientErrors {
	c := new(clientErrors)
	for i := range c {
		c[i].limit = rate.NewLimiter(loggedPerSecond, loggedBurst)
	}
	return c
}

// logClientError logs a request that its client failed, by which the X-Request-Id is found. The
// query, which may contain secrets, and the address of the client are not in it.
func (s *responder) logClientError(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	status := ctx.Response.StatusCode()
	e := &s.clientErrors[status-400]
	if !e.limit.Allow() {
		e.leftOut.Add(1)
		return
	}
	path := string(ctx.Path())
	fields := []any{slog.String("request_id", state.ID), slog.Int("status", status), slog.String("code", state.Code),
		slog.String("method", string(ctx.Method())), slog.String("path", path[:min(len(path), maxLoggedPath)])}
	if id := state.Caller.Identity; id != nil {
		fields = append(fields, slog.String("member", id.Handle))
	}
	if n := e.leftOut.Swap(0); n > 0 {
		fields = append(fields, slog.Int64("left_out", n))
	}
	s.Log.Info("answer with an error", fields...)
}

// maxLoggedPath is how many bytes of a path are logged.
const maxLoggedPath = 200

// logAccess logs a request at level info if it is in the sample of the access log, and at
// level debug otherwise. One that its client failed is logged in any case.
func (s *responder) logAccess(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	level, took := slog.LevelDebug, s.Clock().Sub(state.At)
	if share := s.AccessLog; share > 0 && (ctx.Response.StatusCode() >= 500 || took >= slow || rand.Float64() < share) {
		level = slog.LevelInfo
	}
	if status := ctx.Response.StatusCode(); level < slog.LevelInfo && status >= 400 && status < 500 {
		s.logClientError(ctx, state)
	}
	if !s.Log.Enabled(context.Background(), level) {
		return
	}
	fields := append(s.logFields(ctx, state), slog.Int("status", ctx.Response.StatusCode()), slog.Int("bytes", bodyLength(ctx)), slog.Duration("took", took))
	if state.Op != nil {
		fields = append(fields, slog.String("operation", state.Op.Name), slog.String("format", formatNames[state.Sent]))
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
func (s *responder) logFields(ctx *fasthttp.RequestCtx, state *web.RequestState) []any {
	client := state.Client.String()
	if id := state.Caller.Identity; id != nil {
		client = "member " + id.Handle
	}
	fields := []any{slog.String("request_id", state.ID), slog.String("client", client),
		slog.String("method", string(ctx.Method())), slog.String("uri", string(ctx.RequestURI()))}
	if trace := traceParentOf(ctx); trace != "" {
		fields = append(fields, slog.String("traceparent", trace))
	}
	if span := state.Caller.Span; span != nil {
		fields = append(fields, slog.String("trace_id", span.SpanContext().TraceID().String()))
	}
	return fields
}
