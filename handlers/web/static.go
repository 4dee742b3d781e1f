package web

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/static"
)

// mountStatic serves the files of package static: at a path that contains a hash of
// their content, cached forever, and at their plain name, cached for an hour.
func (s *Server) mountStatic() {
	s.exact["/favicon.ico"] = true
	s.app.Get("/favicon.ico", s.staticFile("favicon.svg"))
	s.app.Get("/static/*", func(c *fiber.Ctx) error {
		path := string(c.Context().URI().PathOriginal())
		if f, ok := static.ByPath(path); ok {
			s.sendFile(c.Context(), f, CacheImmutable)
			return nil
		}
		return s.staticFile(strings.TrimPrefix(path, "/static/"))(c)
	})
}

// staticFile returns the handler that serves the file with a name.
func (s *Server) staticFile(name string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		f, ok := static.ByName(name)
		if !ok {
			return fiber.ErrNotFound
		}
		s.sendFile(c.Context(), f, CacheShort)
		return nil
	}
}

// fileVariant is the key of a cached file response.
type fileVariant struct {
	path, caching string
	enc           Encoding
}

// sendFile sends a file with a Cache-Control field. Compressed text and SVG files are
// cached.
func (s *Server) sendFile(ctx *fasthttp.RequestCtx, f *static.File, caching string) {
	v := fileVariant{f.Path, caching, IdentityEncoding}
	if strings.HasPrefix(f.ContentType, "text/") || strings.HasPrefix(f.ContentType, "image/svg") {
		v.enc = chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))
	}
	cached, ok := s.files.Load(v)
	if !ok {
		file := s.newCachedResponse(f.Body, f.ContentType, v.enc)
		file.header.Set("Cache-Control", caching)
		cached, _ = s.files.LoadOrStore(v, file)
	}
	cached.(*cachedResponse).write(ctx)
}

// SendAsset sends a body that is the same for every caller, or 304 if If-None-Match
// names its ETag, which includes the quotes. Caching is the value of Cache-Control.
// The body is not copied and must not be modified.
func SendAsset(c *fiber.Ctx, contentType, etag, caching string, body []byte) error {
	ctx := c.Context()
	h := &ctx.Response.Header
	h.Set("Etag", etag)
	h.Set("Cache-Control", caching)
	h.SetContentType(contentType)
	if matchesETag(ctx.Request.Header.PeekAll("If-None-Match"), etag) {
		ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
		return nil
	}
	ctx.Response.SetBodyRaw(body)
	return nil
}

// SendFile sends a file, or the range of it that the request asks for, or 304. Etag and
// caching are as in SendAsset.
func SendFile(c *fiber.Ctx, name, contentType, etag, caching string) error {
	ctx := c.Context()
	h := &ctx.Response.Header
	h.Set("Etag", etag)
	h.Set("Cache-Control", caching)
	h.Set("Accept-Ranges", "bytes")
	if matchesETag(ctx.Request.Header.PeekAll("If-None-Match"), etag) {
		ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	size := int(info.Size())
	first, last := 0, size-1
	if asked := ctx.Request.Header.Peek("Range"); len(asked) > 0 && unchanged(ctx, etag) {
		if first, last, err = fasthttp.ParseByteRange(asked, size); err != nil {
			h.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
			ctx.Response.SetStatusCode(fasthttp.StatusRequestedRangeNotSatisfiable)
			return f.Close()
		}
		h.SetContentRange(first, last, size)
		ctx.Response.SetStatusCode(fasthttp.StatusPartialContent)
	}
	h.SetContentType(contentType)
	part := struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, int64(first), int64(last-first+1)), f}
	ctx.Response.SetBodyStream(part, last-first+1)
	return nil
}

// unchanged reports whether a range may be sent: the client names no ETag that the range
// must be of, or the current one.
func unchanged(ctx *fasthttp.RequestCtx, etag string) bool {
	named := ctx.Request.Header.Peek("If-Range")
	return len(named) == 0 || string(named) == etag
}
