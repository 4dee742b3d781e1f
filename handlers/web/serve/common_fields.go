package serve

import (
	"bytes"
	"slices"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
)

// headerField is a response header field.
type headerField struct{ key, value []byte }

var hdrContentTypeOptions = []byte("X-Content-Type-Options")

// dataPolicy is the Content-Security-Policy of JSON, which browsers show as a text.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

// commonFields returns the header fields of every response: of JSON, or of all others.
func commonFields(https, json bool) []headerField {
	fields := []headerField{
		{[]byte("Vary"), []byte(web.Vary)},
		{hdrContentTypeOptions, []byte("nosniff")},
		{[]byte("Access-Control-Allow-Origin"), []byte("*")},
		{[]byte("Access-Control-Expose-Headers"), []byte(web.ExposedHeaders)},
	}
	if json {
		fields = append(fields, headerField{web.HdrContentSecurity, []byte(dataPolicy)})
	} else {
		fields = append(fields,
			headerField{web.HdrContentSecurity, []byte(web.ContentSecurityPolicy(""))},
			headerField{[]byte("Referrer-Policy"), []byte("strict-origin-when-cross-origin")},
			headerField{[]byte("Permissions-Policy"), []byte("camera=(), geolocation=(), microphone=(), payment=(), usb=()")},
			headerField{web.HdrOpenerPolicy, []byte("same-origin")})
	}
	if https {
		fields = append(fields, headerField{[]byte("Strict-Transport-Security"), []byte("max-age=31536000; includeSubDomains")})
	}
	return fields
}

// commonTo returns the fields of every response of a content type.
func commonTo(s *responder, contentType []byte) []headerField {
	if media, _, _ := bytes.Cut(contentType, []byte(";")); bytes.HasPrefix(media, []byte("application/")) && bytes.HasSuffix(media, []byte("json")) {
		return s.commonJSON
	}
	return s.common
}

// writeCommonHeaders adds the fields of every response. It does not overwrite those
// that a handler has set.
func (s *responder) writeCommonHeaders(ctx *fasthttp.RequestCtx) {
	h := &ctx.Response.Header
	if len(h.PeekCanonical(hdrContentTypeOptions)) > 0 {
		return // with the content
	}
	for _, f := range commonTo(s, h.ContentType()) {
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
