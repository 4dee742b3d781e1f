package serve

import (
	"slices"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
)

// headerField is a response header field.
type headerField struct{ key, value []byte }

// commonFields returns the header fields of every response.
func commonFields(https bool) []headerField {
	fields := []headerField{
		{[]byte("Vary"), []byte(web.Vary)},
		{web.HdrContentSecurity, []byte(web.ContentSecurityPolicy(""))},
		{[]byte("X-Content-Type-Options"), []byte("nosniff")},
		{[]byte("Referrer-Policy"), []byte("strict-origin-when-cross-origin")},
		{[]byte("Permissions-Policy"), []byte("camera=(), geolocation=(), microphone=(), payment=(), usb=()")},
		{web.HdrOpenerPolicy, []byte("same-origin")},
		{[]byte("Access-Control-Allow-Origin"), []byte("*")},
		{[]byte("Access-Control-Expose-Headers"), []byte(web.ExposedHeaders)},
	}
	if https {
		fields = append(fields, headerField{[]byte("Strict-Transport-Security"), []byte("max-age=31536000; includeSubDomains")})
	}
	return fields
}

// writeCommonHeaders adds the fields of every response. It does not overwrite those
// that a handler has set.
func (s *responder) writeCommonHeaders(ctx *fasthttp.RequestCtx) {
	h := &ctx.Response.Header
	for _, f := range s.common {
		if len(h.PeekCanonical(f.key)) == 0 {
			h.SetCanonical(f.key, f.value)
		}
	}
	if len(h.PeekCanonical(web.HdrCacheControl)) == 0 {
		h.SetCanonical(web.HdrCacheControl, []byte(web.CacheNever))
	}
}

// writeRequestHeaders writes the fields that differ between requests: the client's
// quota and the request id.
func (s *responder) writeRequestHeaders(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	state.Quota.WriteHeaders(&ctx.Response.Header)
	ctx.Response.Header.SetCanonical(web.HdrRequestID, []byte(state.ID))
	if s.isPopup(ctx.Path()) {
		ctx.Response.Header.SetCanonical(web.HdrOpenerPolicy, []byte("unsafe-none"))
	}
}

// isPopup reports whether a path is that of a page that other origins wait for. Any other
// opener policy, in the page or in a redirect on the way to it, makes the window look
// closed to its opener.
func (s *responder) isPopup(path []byte) bool {
	return slices.ContainsFunc(s.PopupPaths, func(popup string) bool {
		return len(path) >= len(popup) && string(path[:len(popup)]) == popup && (len(path) == len(popup) || path[len(popup)] == '/')
	})
}

// Redirect redirects to a path of this site, which may include a query, with a 3xx
// status.
func (s *responder) Redirect(ctx *fasthttp.RequestCtx, to string, status int) {
	ctx.Response.Reset()
	ctx.Response.SetStatusCode(status)
	ctx.Response.Header.Set("Location", web.EscapeHeader(to))
	ctx.Response.Header.Set("Cache-Control", web.CacheShort)
	ctx.Response.Header.SetContentType("text/plain; charset=utf-8")
	ctx.Response.SetBodyString("See " + s.BaseURL + web.EscapeHeader(to) + "\n")
}
