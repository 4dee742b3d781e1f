package handlers

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// answer is the handler of an operation that reads, at one of its addresses:
// negotiate, bind, do, render, and only then commit.
func (s *Server) answer(op *Operation, where side) fiber.Handler {
	offers := op.offers(where == api)
	return func(c *fiber.Ctx) error {
		ctx := c.Context()
		x := exchangeOf(ctx)
		face, err := wanted(ctx, x, offers)
		if err != nil {
			return err
		}
		if err := op.allow(&x.caller); err != nil {
			return s.refuse(ctx, op, err, where == pages && face == HTML, string(ctx.RequestURI()))
		}
		query := string(ctx.URI().QueryString())
		if face.feed() && where == pages && op.FeedQuery != "" {
			query += "&" + op.FeedQuery // what the address says itself comes first, and counts
		}
		in, err := op.plan.bind(pathParams(c), query, where == api)
		if err != nil {
			return err
		}
		work := x.caller.work()
		defer work.end()
		page, err := op.Do(work, &in.in)
		if err != nil {
			return err
		}
		body, err := s.renderTo(takeBody(ctx), page, face, s.viewer(ctx, work, face))
		if err != nil {
			return fmt.Errorf("render %s as %s: %w", op.Name, face, err)
		}
		r := response{op: op, page: page, face: face, body: body, where: where, suffixed: x.suffixed, path: ctx.URI().PathOriginal(), in: &in,
			private: op.Access != Everybody || x.caller.Identity != nil}
		enc := chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))
		if !op.Live && x.keeps(ctx) && s.cache.wants(ctx.RequestURI()) {
			f := s.finish(&r, enc)
			s.keep(ctx, x, offers, face, enc, f)
			f.write(ctx)
		} else {
			s.send(ctx, &r, enc)
		}
		if page, ok := page.(releasedPage); ok {
			page.Release()
		}
		return nil
	}
}

// refuse answers who may not: a browser nobody is signed in with is sent to sign
// in, and from there back; everybody else gets the error, and what would help them in.
func (s *Server) refuse(ctx *fasthttp.RequestCtx, op *Operation, err error, browser bool, back string) error {
	if browser && err == errUnauthenticated {
		seeOther(ctx, "/sign-in?next="+url.QueryEscape(back))
		return nil
	}
	exchangeOf(ctx).scope = op.Scope
	return err
}

// releasedPage is a page made in memory that is used again. It is released when
// it was sent; one that never is, is garbage like any other.
type releasedPage interface{ Release() }

// takeBody is the memory fasthttp keeps for the body of a response, empty.
func takeBody(ctx *fasthttp.RequestCtx) []byte { return ctx.Response.SwapBody(nil)[:0] }

// keep puts a finished response into the cache.
func (s *Server) keep(ctx *fasthttp.RequestCtx, x *exchange, offers []Face, face Face, enc Encoding, f *finished) {
	if x.suffixed {
		offers = []Face{face}
	}
	s.cache.put(string(ctx.RequestURI()), offers, face, enc, f, x.epoch)
}

// wanted is the face a request asks for out of those an address has.
func wanted(ctx *fasthttp.RequestCtx, x *exchange, offers []Face) (Face, error) {
	if x.suffixed {
		for _, f := range offers {
			if f == x.face {
				return f, nil
			}
		}
		return 0, &models.Error{Kind: models.NotFound, Code: "page_not_found",
			Message: fmt.Sprintf("This page has no %s face; it has %s.", x.face, listFaces(offers)),
			Hint:    "Take the suffix off, or use that of another face."}
	}
	face, ok := choose(ctx.Request.Header.PeekAll("Accept"), offers)
	if !ok {
		return 0, &models.Error{Kind: models.Invalid, Code: "not_acceptable",
			Message: fmt.Sprintf("Nothing here is acceptable to you; there is %s.", listFaces(offers)),
			Hint:    "Ask for one of these types, or send no Accept field."}
	}
	return face, nil
}

func listFaces(offers []Face) string {
	var types []string
	for _, f := range offers {
		types = append(types, f.MediaType())
	}
	return strings.Join(types, ", ")
}

// pathParams reads the parameters in the path, decoded. What cannot be decoded
// is passed on as it is, and found nowhere.
func pathParams(c *fiber.Ctx) func(string) string {
	return func(name string) string {
		raw := c.Params(name)
		if s, err := url.PathUnescape(raw); err == nil && clean(s) {
			return strings.Clone(s)
		}
		return strings.Clone(raw)
	}
}

// CSVPage and SVGPage are pages that have these faces too.
type (
	CSVPage interface{ CSV(w io.Writer) error }
	SVGPage interface{ SVG(w io.Writer) error }
)

// renderTo appends one face of a page to dst. The HTML is for a viewer, nil for
// anybody; the other faces are the same for everybody who may have them.
func (s *Server) renderTo(dst []byte, page views.Page, face Face, viewer *views.Viewer) ([]byte, error) {
	if a, ok := page.(views.JSONAppender); ok && face == JSON {
		return a.AppendJSON(dst), nil
	}
	buf := bytes.NewBuffer(dst)
	err := s.write(buf, page, face, viewer)
	return buf.Bytes(), err
}

func (s *Server) write(buf *bytes.Buffer, page views.Page, face Face, viewer *views.Viewer) error {
	switch face {
	case HTML:
		return views.Document(&s.site, page).Render(viewer.Read(context.Background()), buf)
	case Markdown:
		return page.Markdown(&indexed{buf: buf, site: &s.site})
	case CSV:
		return page.(CSVPage).CSV(buf)
	case SVG:
		return page.(SVGPage).SVG(buf)
	case Atom, JSONFeed:
		feed, err := page.(views.FeedPage).Feed()
		if err != nil {
			return err
		}
		if face == Atom {
			return feed.Atom(buf)
		}
		return feed.JSON(buf)
	}
	return encodeTo(buf, page)
}

// renderSafely is renderTo into new memory for pages that must not bring the
// answer down with them.
func (s *Server) renderSafely(page views.Page, face Face) (body []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	return s.renderTo(nil, page, face, nil)
}

// encode is a value's JSON as every face of the site writes it: characters of
// HTML stay as they are.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := encodeTo(&buf, v)
	return buf.Bytes(), err
}

func encodeTo(buf *bytes.Buffer, v any) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	buf.Truncate(buf.Len() - 1) // the line feed that Encode adds
	return nil
}

// encodeJSON is encode for values that cannot fail.
func encodeJSON(page views.Page) []byte {
	b, err := encode(page)
	if err != nil {
		return []byte(`{"title":"Internal error","status":500,"code":"internal_error","message":"Something is wrong on our side.","hint":"Ask again in a moment."}`)
	}
	return b
}

// response is a rendered face on its way out.
type response struct {
	op       *Operation
	page     views.Page
	face     Face
	body     []byte
	where    side
	suffixed bool
	path     []byte // without suffix
	in       *bound
	private  bool // nobody but the caller may keep it
}

// versionedPage is a page of something that is edited under If-Match.
type versionedPage interface{ Version() int64 }

// pageVersion is the version of what a page shows, 0 for none.
func pageVersion(page views.Page) int64 {
	if p, ok := page.(versionedPage); ok {
		return p.Version()
	}
	return 0
}

// send writes a rendered face into the response; the body becomes the response's own.
func (s *Server) send(ctx *fasthttp.RequestCtx, r *response, enc Encoding) {
	body, etag := encoded(r.body, enc)
	etag.version = pageVersion(r.page)
	s.writeHead(&ctx.Response.Header, r.face.ContentType(), etag)
	countTokens(&ctx.Response.Header, r.face.ContentType(), r.body)
	s.locate(&ctx.Response.Header, r)
	if !r.op.Live && !r.op.Writes() && etag.known(ctx) {
		notModified(ctx)
		return
	}
	ctx.Response.SwapBody(body)
}

// finish makes a rendered face a complete response in memory of its own, for many requests.
func (s *Server) finish(r *response, enc Encoding) *finished {
	f := s.finishBytes(bytes.Clone(r.body), r.face.ContentType(), enc)
	if f.etag.version = pageVersion(r.page); f.etag.version != 0 {
		f.header.SetCanonical(hdrETag, f.etag.append(nil))
	}
	s.locate(&f.header, r)
	return f
}

// finishBytes makes bytes that anybody may have a complete response in an encoding.
func (s *Server) finishBytes(body []byte, contentType string, enc Encoding) *finished {
	f := &finished{}
	f.body, f.etag = encoded(body, enc)
	s.writeHead(&f.header, contentType, f.etag)
	countTokens(&f.header, contentType, body)
	return f
}

// encoded is a body in an encoding, if it is worth its while, with its validator.
func encoded(body []byte, enc Encoding) ([]byte, entityTag) {
	if len(body) < minCompressed {
		enc = Identity
	}
	etag := entityTag{sum: xxh3.Hash(body), enc: enc, set: true}
	if enc != Identity {
		body = compress(body, enc)
	}
	return body, etag
}

// writeHead writes the fields of an answer that anybody may have.
func (s *Server) writeHead(h *fasthttp.ResponseHeader, contentType string, etag entityTag) {
	h.SetStatusCode(fasthttp.StatusOK)
	h.SetContentType(contentType)
	if etag.enc != Identity {
		h.SetContentEncoding(etag.enc.String())
	}
	var space [56]byte
	h.SetCanonical(hdrETag, etag.append(space[:0]))
	h.SetCanonical(hdrCacheControl, []byte(cachePublic))
	for _, field := range s.common {
		h.SetCanonical(field.key, field.value)
	}
}

// locate adds what an answer says about its address.
func (s *Server) locate(h *fasthttp.ResponseHeader, r *response) {
	h.SetCanonical(hdrVary, []byte(varyByCaller))
	if r.private {
		h.SetCanonical(hdrCacheControl, []byte(cachePrivate))
	}
	if r.op.Live || r.op.Writes() {
		h.Del("Etag")
		h.SetCanonical(hdrCacheControl, []byte(cacheNever))
	}
	var space [1536]byte
	h.SetCanonical(hdrLink, s.appendLinks(space[:0], r))
	if r.where == pages && !r.op.Writes() {
		h.SetCanonical(hdrContentLocation, []byte(address(string(r.path), r.face, r.in.query())))
	}
	if r.suffixed || r.where == api {
		h.SetCanonical(hdrRobots, []byte("noindex"))
	}
}

// address is where a face of a page is: "/gear.md?keyword=r6".
func address(path string, face Face, query string) string {
	return escapeHeader(string(appendAddress(nil, path, face, query)))
}

func appendAddress(dst []byte, path string, face Face, query string) []byte {
	if face != HTML && path == "/" {
		path = "/index"
	}
	dst = append(append(dst, path...), face.Suffix()...)
	if query != "" {
		dst = append(append(dst, '?'), query...)
	}
	return dst
}

// nextPage is a page that goes on at another address, as a page and in the API;
// "" when it does not.
type nextPage interface{ Next(api bool) string }

// canonicalPage is a page that knows its address without making its whole Head.
type canonicalPage interface{ Canonical() string }

// appendLinks appends the Link field of an answer: the page's canonical address,
// its other faces, where it goes on, and the documents that describe the site.
func (s *Server) appendLinks(dst []byte, r *response) []byte {
	if r.op.Page != "" && !r.op.Writes() {
		canonical := escapeHeader(canonicalOf(r.page))
		dst = append(append(append(dst, '<'), s.site.BaseURL...), canonical...)
		dst = append(dst, `>; rel="canonical", `...)
		path, query, _ := strings.Cut(canonical, "?")
		for _, f := range r.op.pageFaces {
			if f != r.face || r.where == api {
				dst = appendAddress(append(dst, '<'), path, f, query)
				dst = append(append(append(dst, `>; rel="alternate"; type="`...), f.MediaType()...), `", `...)
			}
		}
	}
	if p, ok := r.page.(nextPage); ok {
		if next := p.Next(r.where == api); next != "" {
			dst = append(append(append(dst, '<'), escapeHeader(next)...), `>; rel="next", `...)
		}
	}
	return append(dst, siteLinks...)
}

func canonicalOf(page views.Page) string {
	if p, ok := page.(canonicalPage); ok {
		return p.Canonical()
	}
	return page.Head().Path
}

// siteLinks are the documents that describe the site to programs.
const siteLinks = `</llms.txt>; rel="describedby"; type="text/plain", ` +
	`</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json", ` +
	`</.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json", ` +
	`</openapi.json>; rel="service-desc"; type="application/json", ` +
	`</developers>; rel="service-doc"; type="text/html"`

// minCompressed is the size in bytes from which compression is worth its while.
const minCompressed = 1024

// Levels of compression. On the page of a search, 42 KB, the next brotli level
// saves 4 % and takes four times as long; what nobody asks for twice is
// compressed as well.
const (
	brotliLevel = 3
	gzipLevel   = 3
)

var (
	brotliWriters = sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }}
	gzipWriters   = sync.Pool{New: func() any { w, _ := gzip.NewWriterLevel(nil, gzipLevel); return w }}
)

// compressor is what the two codings' writers have in common.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// compress writes body in a coding other than Identity.
func compress(body []byte, enc Encoding) []byte {
	out := bytes.NewBuffer(make([]byte, 0, len(body)/4+64))
	pool := &gzipWriters
	if enc == Brotli {
		pool = &brotliWriters
	}
	w := pool.Get().(compressor)
	defer pool.Put(w)
	w.Reset(out)
	// Writing to memory does not fail.
	_, _ = w.Write(body)
	_ = w.Close()
	return out.Bytes()
}
