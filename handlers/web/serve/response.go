package serve

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
)

var hdrMarkdownTokens = []byte("X-Markdown-Tokens")

// countTokens sets X-Markdown-Tokens on a Markdown response with an uncompressed
// body.
func countTokens(h *fasthttp.ResponseHeader, contentType string, body []byte) {
	if contentType == web.Markdown.ContentType() {
		h.SetCanonical(hdrMarkdownTokens, strconv.AppendInt(nil, int64(len(body)+3)/4, 10))
	}
}

// drawingPolicy is the Content-Security-Policy of drawings, which browsers also show on
// their own: they have a style sheet in them, and load and run nothing.
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

// framedPolicy is that of drawings that other sites may show in a frame.
const framedPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors *"

// response is a page rendered in a format.
type response struct {
	op       *web.Operation
	page     web.Page
	format   web.Format
	body     []byte
	section  web.Section
	suffixed bool
	language int
	path     []byte // without suffix
	in       *bind.Bound
	private  bool // depends on the caller, shared caches must not store it
}

// pageVersion returns the version of a page, 0 for none.
func pageVersion(page web.Page) int64 {
	if p, ok := page.(web.VersionedPage); ok {
		return p.Version()
	}
	return 0
}

// send writes a rendered page to the response, or 304 if the client has it. It takes
// ownership of r.body.
func (s *responder) send(ctx *fasthttp.RequestCtx, r *response, enc web.Encoding) {
	body, etag := encoded(r.body, enc)
	etag.version = pageVersion(r.page)
	s.writeContentHeaders(&ctx.Response.Header, r.format.ContentType(), etag)
	countTokens(&ctx.Response.Header, r.format.ContentType(), r.body)
	s.writeResourceHeaders(&ctx.Response.Header, r)
	if !r.op.Live && !r.op.Writes() && etag.matches(ctx) {
		notModified(ctx)
		return
	}
	ctx.Response.SwapBody(body)
}

// newCachedPage returns a rendered page as a cached response. It copies r.body.
func (s *responder) newCachedPage(r *response, enc web.Encoding) *cachedResponse {
	f := s.newCachedResponse(bytes.Clone(r.body), r.format.ContentType(), enc)
	if f.etag.version = pageVersion(r.page); f.etag.version != 0 {
		f.header.SetCanonical(web.HdrETag, f.etag.append(nil))
	}
	s.writeResourceHeaders(&f.header, r)
	return f
}

// newCachedResponse returns a public response with a body, compressed with enc. It
// keeps a reference to body.
func (s *responder) newCachedResponse(body []byte, contentType string, enc web.Encoding) *cachedResponse {
	f := &cachedResponse{}
	f.body, f.etag = encoded(body, enc)
	s.writeContentHeaders(&f.header, contentType, f.etag)
	countTokens(&f.header, contentType, body)
	return f
}

// writeContentHeaders writes the status and header fields of a public response.
func (s *responder) writeContentHeaders(h *fasthttp.ResponseHeader, contentType string, etag entityTag) {
	h.SetStatusCode(fasthttp.StatusOK)
	h.SetContentType(contentType)
	if etag.enc != web.IdentityEncoding {
		h.SetContentEncoding(etag.enc.String())
	}
	var buf [56]byte
	h.SetCanonical(web.HdrETag, etag.append(buf[:0]))
	h.SetCanonical(web.HdrCacheControl, []byte(web.CachePublic))
	for _, field := range commonTo(s, h.ContentType()) {
		h.SetCanonical(field.key, field.value)
	}
}

// writeResourceHeaders writes the header fields that depend on the operation and the
// address: Vary, Cache-Control, Link, Content-Location and X-Robots-Tag.
func (s *responder) writeResourceHeaders(h *fasthttp.ResponseHeader, r *response) {
	s.writeLanguage(h, r.format, r.language, web.VaryCaller, web.VaryCallerLanguage)
	switch {
	case r.private:
		h.SetCanonical(web.HdrCacheControl, []byte(web.CachePrivate))
	case r.op.MaxAge > 0:
		h.SetCanonical(web.HdrCacheControl, strconv.AppendInt([]byte("public, max-age="), int64(r.op.MaxAge), 10))
	}
	if r.op.Live || r.op.Writes() {
		h.Del("Etag")
		h.SetCanonical(web.HdrCacheControl, []byte(web.CacheNever))
	}
	var buf [1536]byte
	h.SetCanonical(web.HdrLink, s.appendLinks(buf[:0], r))
	if r.section == web.Pages && !r.op.Writes() {
		h.SetCanonical(web.HdrContentLocation, []byte(web.Address(string(r.path), r.format, r.in.Query())))
	}
	if r.suffixed || r.section == web.API {
		h.SetCanonical(web.HdrRobots, []byte("noindex"))
	}
	if r.format == web.SVG {
		policy := drawingPolicy
		if r.op.Framed {
			policy = framedPolicy
		}
		h.SetCanonical(web.HdrContentSecurity, []byte(policy))
	}
}

// appendLinks appends the value of the Link field: the next page, the description of the API
// and, on pages, the canonical address, the other formats and the documents that describe the
// site. HTML has most of them in itself.
func (s *responder) appendLinks(dst []byte, r *response) []byte {
	html, page := r.format == web.HTML, r.section != web.API
	if page && r.op.Page != "" && !r.op.Writes() {
		canonical := web.EscapeHeader(s.CanonicalOf(r.page))
		if !html {
			dst = append(append(append(dst, '<'), s.BaseURL...), canonical...)
			dst = append(dst, `>; rel="canonical", `...)
		}
		path, query, _ := strings.Cut(canonical, "?")
		for _, f := range r.op.PageFormats {
			if f != r.format && (!html || f == web.Markdown) {
				dst = web.AppendAddress(append(dst, '<'), path, f, query)
				dst = append(append(append(dst, `>; rel="alternate"; type="`...), f.MediaType()...), `", `...)
			}
		}
	}
	if next := r.next(); next != "" && !html {
		dst = append(append(append(dst, '<'), next...), `>; rel="next", `...)
	}
	if !page {
		return append(dst, apiLink...)
	}
	dst = append(dst, siteLinks...)
	if html {
		return dst // the catalogue of APIs has the description
	}
	return append(append(dst, ", "...), apiLink...)
}

// next returns the address of the request with the cursor of the next page, or "" if
// there is none. The format of the address is that of the request.
func (r *response) next() string {
	p, ok := r.page.(web.PagedPage)
	if !ok || r.in == nil {
		return ""
	}
	cursor := p.After()
	i := slices.IndexFunc(cursorParams[:], func(name string) bool { return r.in.Plan.Accepts(name, &bind.Request{}) })
	if cursor == "" || i < 0 {
		return ""
	}
	query := r.in.QueryWith(cursorParams[i], cursor)
	if r.suffixed {
		return web.Address(string(r.path), r.format, query)
	}
	return web.EscapeHeader(string(r.path) + "?" + query)
}

// cursorParams are the parameters that continue a list, and a feed.
var cursorParams = [...]string{"cursor", "since"}

// apiLink is the link of every response of the API to its description.
const apiLink = `</openapi.json>; rel="service-desc"`

// siteLinks are the links of every page to the documents that list all others.
const siteLinks = `</llms.txt>; rel="describedby"; type="text/plain", </.well-known/api-catalog>; rel="api-catalog"`

// responseBuffer returns the empty buffer that fasthttp has for the response body.
func responseBuffer(ctx *fasthttp.RequestCtx) []byte { return ctx.Response.SwapBody(nil)[:0] }
