package serve

import (
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
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
			s.sendFile(c.Context(), f, web.CacheImmutable)
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
		s.sendFile(c.Context(), f, web.CacheShort)
		return nil
	}
}

// fileVariant is the key of a cached file response.
type fileVariant struct {
	path, caching string
	enc           web.Encoding
}

// sendFile sends a file with a Cache-Control field. Compressed text and SVG files are
// cached.
func (s *Server) sendFile(ctx *fasthttp.RequestCtx, f *static.File, caching string) {
	v := fileVariant{f.Path, caching, web.IdentityEncoding}
	if strings.HasPrefix(f.ContentType, "text/") || strings.HasPrefix(f.ContentType, "image/svg") {
		v.enc = web.ChooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))
	}
	cached, ok := s.files.Load(v)
	if !ok {
		file := s.newCachedResponse(f.Body, f.ContentType, v.enc)
		if file.etag.enc == web.Brotli {
			file.body = compressFile(f.Body)
		}
		file.header.Set("Cache-Control", caching)
		cached, _ = s.files.LoadOrStore(v, file)
	}
	cached.(*cachedResponse).write(ctx)
}
