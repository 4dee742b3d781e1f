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

// SendAsset sends a body that is the same for every caller, or the range of it that the
// request asks for, or 304 if If-None-Match names its ETag, which includes the quotes. Caching is the value of Cache-Control.
// The body is not copied and must not be modified.
func SendAsset(c *fiber.Ctx, contentType, etag, caching string, body []byte) error {
	ctx := c.Context()
	h := &ctx.Response.Header
	h.Set("Etag", etag)
	h.Set("Cache-Control", caching)
	h.SetContentType(contentType)
	h.Set("Accept-Ranges", "bytes")
	if matchesETag(ctx.Request.Header.PeekAll("If-None-Match"), etag) {
		ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
		return nil
	}
	first, last, ok := askedRange(ctx, etag, len(body))
	if ok {
		ctx.Response.SetBodyRaw(body[first : last+1])
	}
	return nil
}

// SendFile sends a file as SendContent does.
func SendFile(c *fiber.Ctx, name, contentType, etag, caching string) error {
	return SendContent(c, contentType, etag, caching, func() (io.ReadSeekCloser, int64, error) {
		f, err := os.Open(name)
		if err != nil {
			return nil, 0, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, 0, errors.Join(err, f.Close())
		}
		return f, info.Size(), nil
	})
}

// SendContent sends what open returns, with its size in bytes, or the range of it that the
// request asks for, or 304. It closes it. Etag and caching are as in SendAsset.
func SendContent(c *fiber.Ctx, contentType, etag, caching string, open func() (io.ReadSeekCloser, int64, error)) error {
	ctx := c.Context()
	h := &ctx.Response.Header
	h.Set("Etag", etag)
	h.Set("Cache-Control", caching)
	h.Set("Accept-Ranges", "bytes")
	if matchesETag(ctx.Request.Header.PeekAll("If-None-Match"), etag) {
		ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
		return nil
	}
	in, bytes, err := open()
	if err != nil {
		return err
	}
	size := int(bytes)
	first, last, ok := askedRange(ctx, etag, size)
	if !ok {
		return in.Close()
	}
	if _, err := in.Seek(int64(first), io.SeekStart); err != nil {
		return errors.Join(err, in.Close())
	}
	h.SetContentType(contentType)
	part := struct {
		io.Reader
		io.Closer
	}{io.LimitReader(in, int64(last-first+1)), in}
	ctx.Response.SetBodyStream(part, last-first+1)
	return nil
}

// askedRange returns the first and last byte to send of a body of size bytes, all or the
// range that the request asks for, and sets the status and Content-Range. ok is false if
// there is no such range: then there is nothing to send.
func askedRange(ctx *fasthttp.RequestCtx, etag string, size int) (first, last int, ok bool) {
	asked := ctx.Request.Header.Peek("Range")
	if len(asked) == 0 || !unchanged(ctx, etag) {
		return 0, size - 1, true
	}
	h := &ctx.Response.Header
	first, last, err := fasthttp.ParseByteRange(asked, size)
	if err != nil {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		ctx.Response.SetStatusCode(fasthttp.StatusRequestedRangeNotSatisfiable)
		return 0, 0, false
	}
	h.SetContentRange(first, last, size)
	ctx.Response.SetStatusCode(fasthttp.StatusPartialContent)
	return first, last, true
}

// unchanged reports whether a range may be sent: the client names no ETag that the range
// must be of, or the current one.
func unchanged(ctx *fasthttp.RequestCtx, etag string) bool {
	named := ctx.Request.Header.Peek("If-Range")
	return len(named) == 0 || string(named) == etag
}
