package handlers

import (
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/static"
)

// mountStatic serves the files of package static: for ever at the address that
// names their content, and for an hour at their plain name.
func (s *Server) mountStatic() {
	s.exact["/robots.txt"], s.exact["/favicon.ico"] = true, true
	s.app.Get("/robots.txt", staticFile("robots.txt"))
	s.app.Get("/favicon.ico", staticFile("favicon.svg"))
	s.app.Get("/static/*", func(c *fiber.Ctx) error {
		path := string(c.Context().URI().PathOriginal())
		if f, ok := static.ByPath(path); ok {
			return sendFile(c, f, cacheImmutable)
		}
		if f, ok := static.ByName(path[len("/static/"):]); ok {
			return sendFile(c, f, cacheShort)
		}
		return fiber.ErrNotFound
	})
}

func staticFile(name string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		f, ok := static.ByName(name)
		if !ok {
			return fiber.ErrNotFound
		}
		return sendFile(c, f, cacheShort)
	}
}

// sendFile sends a file's bytes, or 304 when the client has them.
func sendFile(c *fiber.Ctx, f *static.File, caching string) error {
	return sendAsset(c, f.ContentType, `"`+f.Hash+`"`, caching, f.Body)
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
