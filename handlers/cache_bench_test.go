package handlers

import (
	"io"
	"log/slog"
	"net"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// request is one request to a handler, without a network.
func requestFor(uri string, header ...string) *fasthttp.RequestCtx {
	ctx := &fasthttp.RequestCtx{}
	ctx.Init(&fasthttp.Request{}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, nil)
	ctx.Request.SetRequestURI(uri)
	ctx.Request.Header.SetHost("secondlight.example")
	for i := 0; i+1 < len(header); i += 2 {
		ctx.Request.Header.Add(header[i], header[i+1])
	}
	return ctx
}

func browser(uri string) *fasthttp.RequestCtx {
	return requestFor(uri, "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "User-Agent", "Mozilla/5.0")
}

func serveOnce(handler fasthttp.RequestHandler, ctx *fasthttp.RequestCtx) {
	ctx.Response.Reset()
	handler(ctx)
	if _, err := ctx.Response.WriteTo(io.Discard); err != nil || ctx.Response.StatusCode() != 200 {
		panic(ctx.Response.String())
	}
}

// BenchmarkPage is what a hot page costs beside Fiber sending fixed bytes of
// the same size.
func BenchmarkPage(b *testing.B) {
	cfg := m()
	cfg.RateLimit, cfg.Log = 1_000_000_000, slog.New(slog.NewTextHandler(io.Discard, nil))
	s := New(cfg)
	ctx := browser("/listings?keyword=r6")
	for range 3 {
		serveOnce(s.Handler(), ctx)
	}
	body := append([]byte{}, ctx.Response.Body()...)
	b.Run("cached", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			serveOnce(s.Handler(), ctx)
		}
	})
	fixed := fiber.New()
	fixed.Get("/listings", func(c *fiber.Ctx) error {
		c.Set("Content-Type", "text/html; charset=utf-8")
		return c.Send(body)
	})
	b.Run("fixed", func(b *testing.B) {
		handler, ctx := fixed.Handler(), browser("/listings?keyword=r6")
		b.ReportAllocs()
		for b.Loop() {
			serveOnce(handler, ctx)
		}
	})
	for _, accept := range []string{"text/html", "text/markdown", "application/json"} {
		b.Run("made "+accept, func(b *testing.B) {
			ctx := requestFor("/listings?keyword=r6", "Accept", accept, "Cookie", "a=b")
			b.ReportAllocs()
			for b.Loop() {
				serveOnce(s.Handler(), ctx)
			}
		})
	}
}
