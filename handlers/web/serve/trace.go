package serve

import (
	"context"

	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/handlers/web"
)

// startSpan starts the span of a request, below that of its traceparent field, if the
// server traces requests. What the operation does is below it: see Caller.context.
func (s *responder) startSpan(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	if s.Tracer == nil {
		return
	}
	parent := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": traceParentOf(ctx)})
	_, state.Caller.Span = s.Tracer.Start(parent, "request", trace.WithSpanKind(trace.SpanKindServer))
}

// endSpan ends the span of a request. It has neither the address nor values of parameters,
// which may be secret.
func (s *responder) endSpan(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	span := state.Caller.Span
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
		attribute.Int("http.response.status_code", o.Status), attribute.String("request_id", state.ID))
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
