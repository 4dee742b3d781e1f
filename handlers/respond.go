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
	"time"

	"github.com/andybalholm/brotli"
	"github.com/cespare/xxhash/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// workTime is how long an operation may take before the reader gets a 503.
const workTime = 15 * time.Second

// answer is the handler of an operation at one of its addresses: negotiate,
// bind, do, render into a buffer, and only then commit.
func (s *Server) answer(op *Operation, where side) fiber.Handler {
	offers := op.offers(where == api)
	return func(c *fiber.Ctx) error {
		ctx := c.Context()
		x := exchangeOf(ctx)
		face, err := wanted(ctx, x, offers)
		if err != nil {
			return err
		}
		in, err := op.plan.bind(pathParams(c), string(ctx.URI().QueryString()), where == api)
		if err != nil {
			return err
		}
		work, cancel := context.WithTimeout(context.Background(), workTime)
		defer cancel()
		page, err := op.Do(work, &in.in)
		if err != nil {
			return err
		}
		buf := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(buf)
		if err := s.renderTo(buf, page, face); err != nil {
			return fmt.Errorf("render %s as %s: %w", op.Name, face, err)
		}
		enc := chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))
		f := s.finish(response{op: op, page: page, face: face, body: buf.Bytes(), where: where, suffixed: x.suffixed,
			path: string(ctx.URI().PathOriginal()), query: in.query}, enc)
		if !op.Live && s.keeps(ctx, x) && s.cache.wants(ctx.RequestURI()) {
			f.body = bytes.Clone(f.body)
			s.keep(ctx, x, offers, face, enc, f)
		}
		f.copyTo(ctx)
		return nil
	}
}

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

// render writes one face of a page into memory of its own.
func (s *Server) render(page views.Page, face Face) ([]byte, error) {
	var buf bytes.Buffer
	err := s.renderTo(&buf, page, face)
	return buf.Bytes(), err
}

// renderTo writes one face of a page into a buffer, instead of what was in it.
func (s *Server) renderTo(buf *bytes.Buffer, page views.Page, face Face) error {
	buf.Reset()
	switch face {
	case HTML:
		return views.Document(&s.site, page).Render(context.Background(), buf)
	case Markdown:
		return page.Markdown(buf)
	case CSV:
		return page.(CSVPage).CSV(buf)
	case SVG:
		return page.(SVGPage).SVG(buf)
	}
	if a, ok := page.(views.JSONAppender); ok {
		buf.Write(a.AppendJSON(buf.AvailableBuffer()))
		return nil
	}
	return encodeTo(buf, page)
}

// buffers hold faces while they are rendered and sent.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// renderSafely is render for pages that must not bring the answer down with them.
func (s *Server) renderSafely(page views.Page, face Face) (body []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
		}
	}()
	return s.render(page, face)
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

// response is a rendered face on its way to become a finished one.
type response struct {
	op       *Operation
	page     views.Page
	face     Face
	body     []byte
	where    side
	suffixed bool
	path     string // without suffix
	query    string // canonical, without the question mark
}

// finish makes a rendered face a complete response in an encoding.
func (s *Server) finish(r response, enc Encoding) *finished {
	f := s.finishBytes(r.body, r.face.ContentType(), enc)
	h := &f.header
	if r.op.Live {
		f.etag = ""
		h.Del("Etag")
		h.Set("Cache-Control", cacheNever)
	}
	h.Set("Link", s.links(&r))
	if r.where == pages {
		h.Set("Content-Location", address(r.path, r.face, r.query))
	}
	if r.suffixed || r.where == api {
		h.Set("X-Robots-Tag", "noindex")
	}
	return f
}

// finishBytes makes bytes that anybody may have a complete response in an encoding.
func (s *Server) finishBytes(body []byte, contentType string, enc Encoding) *finished {
	f := &finished{body: body, etag: etagOf(body)}
	h := &f.header
	if len(body) >= minCompressed && enc != Identity {
		f.body = compress(body, enc)
		f.etag = strings.TrimSuffix(f.etag, `"`) + "-" + enc.String() + `"`
		h.SetContentEncoding(enc.String())
	}
	h.SetStatusCode(fasthttp.StatusOK)
	h.SetContentType(contentType)
	h.Set("Etag", f.etag)
	h.Set("Cache-Control", cachePublic)
	for _, field := range s.common {
		h.SetCanonical(field.key, field.value)
	}
	return f
}

// etagOf is a strong validator of the bytes.
func etagOf(body []byte) string { return fmt.Sprintf(`"%016x"`, xxhash.Sum64(body)) }

// address is where a face of a page is: "/gear.md?keyword=r6".
func address(path string, face Face, query string) string {
	if face != HTML && path == "/" {
		path = "/index"
	}
	path += face.Suffix()
	if query != "" {
		path += "?" + query
	}
	return escapeHeader(path)
}

// nextPage is a page that goes on at another address.
type nextPage interface{ Next() string }

// links is the Link field of an answer: the page's canonical address, its other
// faces, where it goes on, and the documents that describe the site.
func (s *Server) links(r *response) string {
	var b strings.Builder
	link := func(href, rest string) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString("<" + escapeHeader(href) + ">; " + rest)
	}
	if r.op.Page != "" {
		canonical := r.page.Head().Path
		link(s.site.BaseURL+canonical, `rel="canonical"`)
		path, query, _ := strings.Cut(canonical, "?")
		for _, f := range r.op.offers(false) {
			if f != r.face || r.where == api {
				link(address(path, f, query), `rel="alternate"; type="`+f.MediaType()+`"`)
			}
		}
	}
	if next, ok := r.page.(nextPage); ok && next.Next() != "" {
		link(next.Next(), `rel="next"`)
	}
	for _, doc := range siteLinks {
		link(doc.href, doc.rest)
	}
	return b.String()
}

// siteLinks are the documents that describe the site to programs.
var siteLinks = []struct{ href, rest string }{
	{"/llms.txt", `rel="describedby"; type="text/plain"`},
	{"/openapi.json", `rel="service-desc"; type="application/json"`},
	{"/developers", `rel="service-doc"; type="text/html"`},
}

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
