package serve

import (
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
)

// observe reports a response to Config.Observe.
func (s *responder) observe(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	if s.Observe != nil {
		s.Observe(s.observation(ctx, state))
	}
}

// observation describes a response.
func (s *responder) observation(ctx *fasthttp.RequestCtx, state *web.RequestState) web.Observation {
	o := web.Observation{Operation: "other", Status: ctx.Response.StatusCode(), Took: s.Clock().Sub(state.At)}
	switch {
	case state.Op != nil:
		o.Operation, o.Format = state.Op.Name, formatNames[state.Sent]
	case state.Section == web.Assets:
		o.Operation = "file"
	}
	return o
}

// formatNames are the formats in metrics.
var formatNames = [web.Formats]string{web.HTML: "html", web.Markdown: "markdown", web.JSON: "json", web.CSV: "csv", web.SVG: "svg", web.Atom: "atom", web.JSONFeed: "json_feed"}
