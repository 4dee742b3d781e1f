package handlers

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/static"
)

// mountStatic serves the files of package static: for ever at the address that
// names their content, and for an hour at their plain name.
func (s *Server) mountStatic() {
	s.exact["/favicon.ico"] = true
	s.app.Get("/favicon.ico", s.staticFile("favicon.svg"))
	s.app.Get("/static/*", func(c *fiber.Ctx) error {
		path := string(c.Context().URI().PathOriginal())
		if f, ok := static.ByPath(path); ok {
			s.sendFile(c.Context(), f, cacheImmutable)
			return nil
		}
		return s.staticFile(strings.TrimPrefix(path, "/static/"))(c)
	})
}

// staticFile serves the file called name.
func (s *Server) staticFile(name string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		f, ok := static.ByName(name)
		if !ok {
			return fiber.ErrNotFound
		}
		s.sendFile(c.Context(), f, cacheShort)
		return nil
	}
}

// fileVariant is a file as it is sent.
type fileVariant struct {
	path, caching string
	enc           Encoding
}

// sendFile sends a file, compressed once for all who want it so.
func (s *Server) sendFile(ctx *fasthttp.RequestCtx, f *static.File, caching string) {
	v := fileVariant{f.Path, caching, Identity}
	if strings.HasPrefix(f.ContentType, "text/") || strings.HasPrefix(f.ContentType, "image/svg") {
		v.enc = chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))
	}
	made, ok := s.files.Load(v)
	if !ok {
		file := s.finishBytes(f.Body, f.ContentType, v.enc)
		file.header.Set("Cache-Control", caching)
		made, _ = s.files.LoadOrStore(v, file)
	}
	made.(*finished).write(ctx)
}

// sendAsset sends bytes that are the same for everybody, or 304 when the client
// has what the tag names. The bytes are not copied and must not change.
func sendAsset(c *fiber.Ctx, contentType, etag, caching string, body []byte) error {
	ctx := c.Context()
	h := &ctx.Response.Header
	h.Set("Etag", etag)
	h.Set("Cache-Control", caching)
	h.SetContentType(contentType)
	if known(ctx.Request.Header.PeekAll("If-None-Match"), etag) {
		ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
		return nil
	}
	ctx.Response.SetBodyRaw(body)
	return nil
}
