package mcp

import (
	"context"

	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/handlers/web"
)

// observeTool returns a context for a tool call, and a function that reports its result to
// Config.Observe and Config.Tracer.
func (s *Endpoint) observeTool(ctx context.Context, op *web.Operation) (_ context.Context, done func(error)) {
	started := s.site.Clock()
	ctx, end := s.startToolSpan(ctx, op)
	return ctx, func(err error) {
		status := fasthttp.StatusOK
		if err != nil {
			status = s.site.Problem(err, "").Status
		}
		end(status)
		if s.site.Observe != nil {
			s.site.Observe(web.Observation{Operation: op.Name, Format: "mcp", Status: status, Took: s.site.Clock().Sub(started)})
		}
	}
}

// startToolSpan starts the span of a tool call below that of its request, if that is
// recorded. The caller must call end with the status.
func (s *Endpoint) startToolSpan(ctx context.Context, op *web.Operation) (_ context.Context, end func(status int)) {
	request := web.CallerOf(ctx).Span
	if request == nil || !request.IsRecording() {
		return ctx, func(int) {}
	}
	ctx, span := s.site.Tracer.Start(trace.ContextWithSpan(ctx, request), op.Name)
	return ctx, func(status int) {
		span.SetAttributes(attribute.String("http.response.format", "mcp"), attribute.Int("http.response.status_code", status))
		if status >= fasthttp.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
