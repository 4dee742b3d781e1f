package serve

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/valyala/fasthttp"
)

// writeEarlyError sends an error response to a request that could not be parsed and
// therefore did not pass the middleware.
func (s *Server) writeEarlyError(ctx *fasthttp.RequestCtx, err error) {
	state := web.RequestState{At: s.Clock(), Section: web.API, Client: limit.Client{Addr: s.clientAddr(ctx)}}
	state.ID = s.requestID(ctx)
	state.Quota = s.limiter.Charge(state.Client, s.apiPolicy, 1, state.At)
	s.writeError(ctx, &state, err)
	s.writeCommonHeaders(ctx)
	s.writeRequestHeaders(ctx, &state)
	s.observe(ctx, &state)
	s.logAccess(ctx, &state)
}

// handleError is the error handler of the router.
func (s *Server) handleError(c *fiber.Ctx, err error) error {
	ctx := c.Context()
	state := web.StateOf(ctx)
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
// CORS preflight request. Scripts of other sites may read everywhere, and write to the API: see
// crossSite.
func handleOptions(ctx *fasthttp.RequestCtx, allow string) {
	h := &ctx.Response.Header
	ctx.Response.SetStatusCode(fasthttp.StatusNoContent)
	ctx.Response.ResetBody()
	h.Set("Allow", allow)
	h.Set("Cache-Control", web.CacheShort)
	if len(ctx.Request.Header.Peek("Access-Control-Request-Method")) > 0 {
		methods, fields := "GET, HEAD, OPTIONS", "Accept, Authorization, If-None-Match, Traceparent"
		if isAPI(ctx.Path()) {
			methods, fields = allow, fields+", Content-Type, Idempotency-Key, If-Match, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name"
		}
		h.Set("Access-Control-Allow-Methods", methods)
		h.Set("Access-Control-Allow-Headers", fields)
		h.Set("Access-Control-Max-Age", "86400")
	}
}
