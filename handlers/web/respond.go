package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/klauspost/compress/gzip"
	brotli "github.com/molecule-man/go-brrr"
	"github.com/valyala/fasthttp"
	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/models/problem"
)

// readHandler returns the handler of an operation that reads, in one section. It
// negotiates the format, binds the input, runs the operation and renders its page,
// before it writes to the response.
func (s *responder) readHandler(op *Operation, section section) fiber.Handler {
	available := op.AllFormats(section == api)
	return func(c *fiber.Ctx) error {
		if s.hidden(op) {
			return fiber.ErrNotFound
		}
		ctx := c.Context()
		state := stateOf(ctx)
		state.op = op
		if path, status := redirection(op, c, section); path != "" {
			if state.suffixed {
				path += state.format.Suffix()
			}
			s.Redirect(ctx, withQuery(path, ctx), status)
			return nil
		}
		format, err := negotiate(ctx, state, available)
		if err != nil {
			return err
		}
		state.sent = format
		if err := op.authorize(&state.caller); err != nil {
			return s.denyAccess(ctx, op, err, section == pages && format == HTML, string(ctx.RequestURI()))
		}
		query := string(ctx.URI().QueryString())
		if format.feed() && section == pages && op.FeedQuery != "" {
			query += "&" + op.FeedQuery // the first value of a parameter wins
		}
		opCtx, cancel := state.caller.context()
		defer cancel()
		in, err := op.plan.bind(pathParams(c), query, section == api)
		if err != nil {
			return op.allFaults(opCtx, &in, err)
		}
		page, err := op.Do(opCtx, &in.in)
		if err != nil {
			return err
		}
		if page, ok := page.(ReleasedPage); ok {
			defer page.Release()
		}
		r := response{op: op, page: page, format: format, section: section, suffixed: state.suffixed, path: ctx.URI().PathOriginal(), in: &in,
			language: s.languages.in(format, state.language), private: op.Access != Everybody || state.caller.Identity != nil}
		if s.cacheable(ctx, &r) {
			return s.sendCacheable(ctx, &r, available)
		}
		if r.body, err = s.renderTo(s.languages.contexts[r.language], responseBuffer(ctx), page, format, s.viewer(ctx, format)); err != nil {
			return fmt.Errorf("render %s as %s: %w", op.Name, format, err)
		}
		s.send(ctx, &r, acceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding")).fast)
		return nil
	}
}

// denyAccess responds to a caller who may not call an operation. It redirects an
// anonymous browser to the sign-in page, which leads back to the path in back, and
// otherwise returns err.
func (s *responder) denyAccess(ctx *fasthttp.RequestCtx, op *Operation, err error, browser bool, back string) error {
	if browser && err == errUnauthenticated {
		seeOther(ctx, s.SignIn+"?next="+url.QueryEscape(back))
		return nil
	}
	stateOf(ctx).scope = op.Scope
	return err
}

// responseBuffer returns the empty buffer that fasthttp has for the response body.
func responseBuffer(ctx *fasthttp.RequestCtx) []byte { return ctx.Response.SwapBody(nil)[:0] }

// negotiate returns the format that a request asks for by suffix or Accept field, or
// an error if it is not available.
func negotiate(ctx *fasthttp.RequestCtx, state *requestState, available []Format) (Format, error) {
	if state.suffixed {
		for _, f := range available {
			if f == state.format {
				return f, nil
			}
		}
		return 0, &problem.Error{Kind: problem.NotFound, Code: "page_not_found",
			Message: problem.Textf("This page isn't available as %s. Available formats: %s.", state.format, listFormats(available)),
			Hint:    problem.Textf("Remove the suffix or use that of another format.")}
	}
	format, ok := choose(ctx.Request.Header.PeekAll("Accept"), available)
	if !ok {
		return 0, &problem.Error{Kind: problem.Invalid, Code: "not_acceptable",
			Message: problem.Programf("No supported media type in the Accept header. Supported: %s.", listFormats(available)),
			Hint:    problem.Programf("Accept one of these media types, or send no Accept header.")}
	}
	return format, nil
}

// listFormats returns the media types of formats, separated by commas.
func listFormats(available []Format) string {
	return strings.Join(mediaTypes(available), ", ")
}

// redirection returns the path that a request is redirected to, with the status, or "".
func redirection(o *Operation, c *fiber.Ctx, section section) (path string, status int) {
	if section == pages && o.Moved != nil {
		if path := o.Moved(pathParams(c)); path != "" {
			return path, fasthttp.StatusMovedPermanently
		}
	}
	if path, other := canonicalOrLower(o, c, section); other {
		return path, fasthttp.StatusPermanentRedirect
	}
	return "", 0
}

// canonicalOrLower returns the path that a request should have been sent to, and whether
// that is another: the canonical path of the page, or the path in lower case.
func canonicalOrLower(o *Operation, c *fiber.Ctx, section section) (path string, other bool) {
	requested := c.Context().URI().PathOriginal()
	if section == pages && o.Canonical != nil {
		if path = o.Canonical(pathParams(c)); path != "" {
			return path, path != string(requested)
		}
	}
	return foldPath(requested)
}

// foldPath returns a path with its letters in lower case, except those of percent
// escapes, and whether it had others. Path parameters of operations that read are
// slugs, ids and codes, which are in lower case.
func foldPath(path []byte) (lower string, folded bool) {
	escaped := 0 // characters left of a percent escape
	isUpper := func(c byte) bool {
		switch {
		case escaped > 0:
			escaped--
			return false
		case c == '%':
			escaped = 2
		}
		return 'A' <= c && c <= 'Z'
	}
	if folded = slices.ContainsFunc(path, isUpper); !folded {
		return "", false
	}
	buf := bytes.Clone(path)
	escaped = 0
	for i, c := range buf {
		if isUpper(c) {
			buf[i] = c + 'a' - 'A'
		}
	}
	return string(buf), true
}

// pathParams returns a function that returns decoded path parameters. Values that
// cannot be decoded are returned as they are.
func pathParams(c *fiber.Ctx) func(string) string {
	return func(name string) string {
		raw := c.Params(name)
		if s, err := url.PathUnescape(raw); err == nil && ValidText(s) {
			return strings.Clone(s)
		}
		return strings.Clone(raw)
	}
}

// renderTo appends a page in a format, in the language of ctx, to dst. The viewer affects
// HTML only; nil stands for an anonymous one.
func (s *Site) renderTo(ctx context.Context, dst []byte, page Page, format Format, viewer *Viewer) ([]byte, error) {
	if a, ok := page.(JSONAppender); ok && format == JSON {
		return a.AppendJSON(dst), nil
	}
	buf := bytes.NewBuffer(dst)
	err := s.write(ctx, buf, page, format, viewer)
	return buf.Bytes(), err
}

// write renders a page in a format.
func (s *Site) write(ctx context.Context, buf *bytes.Buffer, page Page, format Format, viewer *Viewer) error {
	switch format {
	case HTML:
		return s.Layout.Document(ctx, buf, page, viewer)
	case Markdown:
		return page.Markdown(ctx, &indexedMarkdown{buf: buf, index: s.url("/llms.txt")})
	case CSV:
		return page.(CSVPage).CSV(buf)
	case SVG:
		return page.(SVGPage).SVG(buf)
	case Atom:
		return page.(FeedPage).Atom(buf)
	case JSONFeed:
		return page.(FeedPage).JSONFeed(buf)
	}
	return encodeTo(buf, page)
}

// Render returns a page in English in a format for an anonymous viewer. The page must have the
// format. A panic of the page is returned as an error.
func (s *Site) Render(page Page, format Format) ([]byte, error) {
	return s.renderSafely(context.Background(), page, format)
}

// renderSafely renders a page in a format, in the language of ctx, for an anonymous
// viewer. It returns a panic as an error.
func (s *Site) renderSafely(ctx context.Context, page Page, format Format) (body []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicError(r)
		}
	}()
	return s.renderTo(ctx, nil, page, format, nil)
}

// EncodeJSON returns the JSON encoding of v as responses contain it: without HTML
// escaping and without a trailing newline.
func EncodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := encodeTo(&buf, v)
	return buf.Bytes(), err
}

// encodeTo appends the JSON encoding of v to buf.
func encodeTo(buf *bytes.Buffer, v any) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	buf.Truncate(buf.Len() - 1) // the newline that Encode adds
	return nil
}

// encodeJSON returns the JSON encoding of a page, or that of an internal error if it
// cannot be encoded.
func encodeJSON(page Page) []byte {
	b, err := EncodeJSON(page)
	if err != nil {
		return []byte(`{"title":"Internal error","status":500,"code":"internal_error","message":"Something went wrong on our side.","hint":"Try again in a moment."}`)
	}
	return b
}

// response is a page rendered in a format.
type response struct {
	op       *Operation
	page     Page
	format   Format
	body     []byte
	section  section
	suffixed bool
	language int
	path     []byte // without suffix
	in       *bound
	private  bool // depends on the caller, shared caches must not store it
}

// pageVersion returns the version of a page, 0 for none.
func pageVersion(page Page) int64 {
	if p, ok := page.(VersionedPage); ok {
		return p.Version()
	}
	return 0
}

// send writes a rendered page to the response, or 304 if the client has it. It takes
// ownership of r.body.
func (s *responder) send(ctx *fasthttp.RequestCtx, r *response, enc Encoding) {
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
func (s *responder) newCachedPage(r *response, enc Encoding) *cachedResponse {
	f := s.newCachedResponse(bytes.Clone(r.body), r.format.ContentType(), enc)
	if f.etag.version = pageVersion(r.page); f.etag.version != 0 {
		f.header.SetCanonical(hdrETag, f.etag.append(nil))
	}
	s.writeResourceHeaders(&f.header, r)
	return f
}

// newCachedResponse returns a public response with a body, compressed with enc. It
// keeps a reference to body.
func (s *responder) newCachedResponse(body []byte, contentType string, enc Encoding) *cachedResponse {
	f := &cachedResponse{}
	f.body, f.etag = encoded(body, enc)
	s.writeContentHeaders(&f.header, contentType, f.etag)
	countTokens(&f.header, contentType, body)
	return f
}

// encoded returns a body compressed with enc, and its ETag. Bodies smaller than
// minCompressed are not compressed.
func encoded(body []byte, enc Encoding) ([]byte, entityTag) {
	if len(body) < minCompressed {
		enc = IdentityEncoding
	}
	etag := entityTag{sum: xxh3.Hash(body), enc: enc, set: true}
	if enc != IdentityEncoding {
		body = compress(body, enc)
	}
	return body, etag
}

// writeContentHeaders writes the status and header fields of a public response.
func (s *responder) writeContentHeaders(h *fasthttp.ResponseHeader, contentType string, etag entityTag) {
	h.SetStatusCode(fasthttp.StatusOK)
	h.SetContentType(contentType)
	if etag.enc != IdentityEncoding {
		h.SetContentEncoding(etag.enc.String())
	}
	var buf [56]byte
	h.SetCanonical(hdrETag, etag.append(buf[:0]))
	h.SetCanonical(hdrCacheControl, []byte(CachePublic))
	for _, field := range s.common {
		h.SetCanonical(field.key, field.value)
	}
}

// writeResourceHeaders writes the header fields that depend on the operation and the
// address: Vary, Cache-Control, Link, Content-Location and X-Robots-Tag.
func (s *responder) writeResourceHeaders(h *fasthttp.ResponseHeader, r *response) {
	s.writeLanguage(h, r.format, r.language, varyByCaller, varyByCallerLanguage)
	switch {
	case r.private:
		h.SetCanonical(hdrCacheControl, []byte(CachePrivate))
	case r.op.MaxAge > 0:
		h.SetCanonical(hdrCacheControl, strconv.AppendInt([]byte("public, max-age="), int64(r.op.MaxAge), 10))
	}
	if r.op.Live || r.op.Writes() {
		h.Del("Etag")
		h.SetCanonical(hdrCacheControl, []byte(CacheNever))
	}
	var buf [1536]byte
	h.SetCanonical(hdrLink, s.appendLinks(buf[:0], r))
	if r.section == pages && !r.op.Writes() {
		h.SetCanonical(hdrContentLocation, []byte(Address(string(r.path), r.format, r.in.query())))
	}
	if r.suffixed || r.section == api {
		h.SetCanonical(hdrRobots, []byte("noindex"))
	}
	if r.format == SVG {
		h.SetCanonical(hdrContentSecurity, []byte(drawingPolicy))
	}
}

// Address returns the path and query of a page in a format, given its path in HTML
// and its encoded query: "/gear.md?keyword=r6".
func Address(path string, format Format, query string) string {
	return escapeHeader(string(appendAddress(nil, path, format, query)))
}

// appendAddress appends the path and query of a page in a format to dst, without
// escaping.
func appendAddress(dst []byte, path string, format Format, query string) []byte {
	if format != HTML && path == "/" {
		path = "/index"
	}
	dst = append(append(dst, path...), format.Suffix()...)
	if query != "" {
		dst = append(append(dst, '?'), query...)
	}
	return dst
}

// appendLinks appends the value of the Link field: the canonical address of the
// page, its other formats, its next page, and the documents that describe the site.
func (s *responder) appendLinks(dst []byte, r *response) []byte {
	if r.op.Page != "" && !r.op.Writes() {
		canonical := escapeHeader(s.canonicalOf(r.page))
		dst = append(append(append(dst, '<'), s.BaseURL...), canonical...)
		dst = append(dst, `>; rel="canonical", `...)
		path, query, _ := strings.Cut(canonical, "?")
		for _, f := range r.op.pageFormats {
			if f != r.format || r.section == api {
				dst = appendAddress(append(dst, '<'), path, f, query)
				dst = append(append(append(dst, `>; rel="alternate"; type="`...), f.MediaType()...), `", `...)
			}
		}
	}
	if next := r.next(); next != "" {
		dst = append(append(append(dst, '<'), next...), `>; rel="next", `...)
	}
	return append(dst, siteLinks...)
}

// next returns the address of the request with the cursor of the next page, or "" if
// there is none. The format of the address is that of the request.
func (r *response) next() string {
	p, ok := r.page.(PagedPage)
	if !ok || r.in == nil {
		return ""
	}
	cursor := p.After()
	i := slices.IndexFunc(cursorParams[:], func(name string) bool { return r.in.plan.accepts(name, &request{}) })
	if cursor == "" || i < 0 {
		return ""
	}
	query := r.in.queryWith(cursorParams[i], cursor)
	if r.suffixed {
		return Address(string(r.path), r.format, query)
	}
	return escapeHeader(string(r.path) + "?" + query)
}

// cursorParams are the parameters that continue a list, and a feed.
var cursorParams = [...]string{"cursor", "since"}

// canonicalOf returns the canonical path of a page, with its query.
func (s *Site) canonicalOf(page Page) string {
	if p, ok := page.(CanonicalPage); ok {
		return p.Canonical()
	}
	return s.Layout.Head(page).Path
}

// siteLinks are the links of every page to the documents that describe the site.
const siteLinks = `</llms.txt>; rel="describedby"; type="text/plain", ` +
	`</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json", ` +
	`</.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json", ` +
	`</openapi.json>; rel="service-desc"; type="application/json", ` +
	`</developers>; rel="service-doc"; type="text/html"`

// minCompressed is the smallest size in bytes of a body that is compressed.
const minCompressed = 1024

// Compression levels. Responses that are sent once are compressed with gzip, at a level
// that takes a sixth of the time of brotli for a search page and makes it a tenth
// larger.
const (
	brotliLevel = 3
	gzipLevel   = 1
)

var (
	brotliWriters = sync.Pool{New: func() any { w, _ := brotli.NewWriter(io.Discard, brotliLevel); return w }}
	gzipWriters   = sync.Pool{New: func() any { w, _ := gzip.NewWriterLevel(nil, gzipLevel); return w }}
)

// compressor is implemented by *brotli.Writer and *gzip.Writer.
type compressor interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

// newCompressor returns a compressor that writes to out. Release it after Close.
func newCompressor(enc Encoding, out io.Writer) compressor {
	w := compressors(enc).Get().(compressor)
	w.Reset(out)
	return w
}

// releaseCompressor makes a compressor available again.
func releaseCompressor(enc Encoding, w compressor) { compressors(enc).Put(w) }

func compressors(enc Encoding) *sync.Pool {
	if enc == Brotli {
		return &brotliWriters
	}
	return &gzipWriters
}

// compress returns body compressed with enc, which must not be IdentityEncoding.
func compress(body []byte, enc Encoding) []byte {
	out := bytes.NewBuffer(make([]byte, 0, len(body)/4+64))
	w := newCompressor(enc, out)
	defer releaseCompressor(enc, w)
	// Writing to memory does not fail.
	_, _ = w.Write(body)
	_ = w.Close()
	return out.Bytes()
}

// indexedMarkdown is a writer that inserts a link to the index of the site below the
// heading of a page's Markdown.
type indexedMarkdown struct {
	buf   *bytes.Buffer
	index string // URL of llms.txt
	done  bool
}

// Write implements io.Writer. The heading must be written in one call.
func (w *indexedMarkdown) Write(p []byte) (int, error) {
	rest := p
	if end := bytes.IndexByte(p, '\n') + 1; end > 0 && !w.done {
		w.done = true
		w.buf.Write(p[:end])
		w.buf.WriteString("\n> Everything on this site: [llms.txt](" + w.index + ")\n")
		rest = p[end:]
	}
	w.buf.Write(rest)
	return len(p), nil
}
