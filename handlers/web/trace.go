package web

import (
	"context"

	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// startSpan starts the span of a request, below that of its traceparent field, if the
// server traces requests. What the operation does is below it: see Caller.context.
func (s *responder) startSpan(ctx *fasthttp.RequestCtx, state *requestState) {
	if s.Tracer == nil {
		return
	}
	parent := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": traceParentOf(ctx)})
	_, state.caller.span = s.Tracer.Start(parent, "request", trace.WithSpanKind(trace.SpanKindServer))
}

// endSpan ends the span of a request. It has neither the address nor values of parameters,
// which may be secret.
func (s *responder) endSpan(ctx *fasthttp.RequestCtx, state *requestState) {
	span := state.caller.span
	if span == nil {
		return
	}
	defer span.End()
	if !span.IsRecording() {
		return
	}
	o := s.observation(ctx, state)
	span.SetName(o.Operation)
	span.SetAttributes(attribute.String("http.request.method", knownMethod(ctx)), attribute.String("http.response.format", o.Format),
		attribute.Int("http.response.status_code", o.Status), attribute.String("request_id", state.id))
	if o.Status >= fasthttp.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}

// knownMethod returns the method of a request, "_OTHER" if it is none that the server knows.
func knownMethod(ctx *fasthttp.RequestCtx) string {
	if methodKnown(ctx.Method()) {
		return string(ctx.Method())
	}
	return "_OTHER"
}

// startToolSpan starts the span of a tool call below that of its request, if that is
// recorded. The caller must call end with the status.
func (s *Endpoint) startToolSpan(ctx context.Context, op *Operation) (_ context.Context, end func(status int)) {
	request := CallerOf(ctx).span
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
