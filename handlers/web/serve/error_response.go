package serve

import (
	"cmp"
	"log/slog"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
)

// writeError replaces the response with an error response in the format that the
// request accepts. If rendering that format fails, it sends JSON.
func (s *responder) writeError(ctx *fasthttp.RequestCtx, state *web.RequestState, err error) {
	allow := string(ctx.Response.Header.Peek("Allow"))
	ctx.Response.Reset()
	p := s.Problem(err, state.ID)
	state.Code = p.Code
	s.logServerError(ctx, state, p, err)

	format := errorFormat(ctx, state)
	body, renderErr := s.RenderSafely(s.languages.contexts[state.Language], s.Layout.Problem(p), format)
	if renderErr != nil {
		s.Log.Error("render error page", "request_id", state.ID, "format", format, "err", renderErr)
		format, body = web.JSON, web.EncodePage(s.Layout.Problem(p))
	}
	contentType := format.ContentType()
	state.Sent = format
	if format == web.JSON {
		contentType = web.ProblemType
	}
	h := &ctx.Response.Header
	ctx.Response.SetStatusCode(p.Status)
	h.SetContentType(contentType)
	h.Set("Cache-Control", web.CacheNever)
	s.writeLanguage(h, format, state.Language, web.Vary, web.VaryLanguage)
	countTokens(h, contentType, body)
	h.Set("Link", "<"+p.Type+`>; rel="help", `+apiLink)
	if allow != "" {
		h.Set("Allow", allow)
	}
	if p.Status == fasthttp.StatusUnauthorized || p.Code == "insufficient_scope" {
		h.Set("WWW-Authenticate", s.challenge(ctx, p.Code, state.Scope))
	}
	if p.Status == fasthttp.StatusTooManyRequests {
		h.Set("Retry-After", strconv.Itoa(cmp.Or(s.PublicError(err).Wait, state.Quota.Reset)))
	}
	if p.Status == fasthttp.StatusServiceUnavailable {
		h.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	ctx.Response.SetBodyRaw(body)
}

// errorFormat returns the format of an error response: that of the suffix or the
// Accept field. A client that accepts none of the formats gets the one nearest to those
// it accepts.
func errorFormat(ctx *fasthttp.RequestCtx, state *web.RequestState) web.Format {
	available := []web.Format{web.HTML, web.Markdown, web.JSON}
	if state.Section == web.API {
		available = []web.Format{web.JSON, web.Markdown, web.HTML}
	}
	switch {
	case state.Suffixed && state.Format <= web.JSON:
		return state.Format
	case state.Suffixed:
		return web.JSON
	}
	accept := ctx.Request.Header.PeekAll("Accept")
	if format, ok := web.Choose(accept, available); ok {
		return format
	}
	if web.AcceptsText(accept) {
		return web.Markdown
	}
	return web.JSON // a client that does not accept HTML is a program
}

// logServerError logs the cause of an error with a status of 500 or above, except
// 501.
func (s *responder) logServerError(ctx *fasthttp.RequestCtx, state *web.RequestState, p *web.Problem, err error) {
	if p.Status < 500 || p.Status == 501 {
		return
	}
	if err == limit.ErrBodiesBusy || err == errTooManyConns || err == errTooManyConnsPerAddr {
		s.overload.Do(func() { s.Log.Warn("reject request", append(s.logFields(ctx, state), slog.Any("err", err))...) })
		return
	}
	s.Log.Error("handle request", append(s.logFields(ctx, state), slog.String("code", p.Code), slog.Any("err", err))...)
}

// challenge returns the WWW-Authenticate field of an error response (RFC 6750, RFC
// 9728).
func (s *responder) challenge(ctx *fasthttp.RequestCtx, code, scope string) string {
	field := `Bearer realm="` + strings.ReplaceAll(web.EscapeHeader(s.Name()), "%20", " ") + `"`
	if s.Scopes != nil {
		resource := ""
		if path := string(ctx.Path()); web.IsMCP(path) {
			resource = path
		}
		field += `, resource_metadata="` + s.URL(web.ResourceMetadataPath+resource) + `"`
	}
	switch code {
	case "invalid_token", "insufficient_scope":
		field += `, error="` + code + `"`
	}
	if scope != "" {
		field += `, scope="` + scope + `"`
	}
	return field
}
