package web

import (
	"github.com/valyala/fasthttp"
)

// observe reports a response to Config.Observe.
func (s *responder) observe(ctx *fasthttp.RequestCtx, state *requestState) {
	if s.Observe != nil {
		s.Observe(s.observation(ctx, state))
	}
}

// observation describes a response.
func (s *responder) observation(ctx *fasthttp.RequestCtx, state *requestState) Observation {
	o := Observation{Operation: "other", Status: ctx.Response.StatusCode(), Took: s.Clock().Sub(state.at)}
	switch {
	case state.op != nil:
		o.Operation, o.Format = state.op.Name, formatNames[state.sent]
	case state.section == assets:
		o.Operation = "file"
	}
	return o
}

// formatNames are the formats in metrics.
var formatNames = [formats]string{HTML: "html", Markdown: "markdown", JSON: "json", CSV: "csv", SVG: "svg", Atom: "atom", JSONFeed: "json_feed"}
