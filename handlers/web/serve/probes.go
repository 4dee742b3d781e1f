package serve

import (
	"bytes"
	"errors"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
)

// Paths of the probes of orchestrators and load balancers.
const (
	livePath  = "/livez"  // 200 while the process answers
	readyPath = "/readyz" // 200 while the server is to receive requests, otherwise 503 and why not
)

// With exclude=database in its query /readyz is 200 while the data cannot be read, too: a
// load balancer that sends requests only to ready servers would have none left, although
// they could answer from their caches.
const (
	excludeParameter = "exclude"
	excludeData      = "database"
)

// Retry-After of a response with status 503, in seconds.
const retryAfter = 5

// errDraining is the readiness error of a server that is shutting down.
var errDraining = errors.New("draining")

// mountProbes serves the probes. They are not charged.
func (s *Server) mountProbes() {
	for path, check := range map[string]func(*fiber.Ctx) error{livePath: func(*fiber.Ctx) error { return nil }, readyPath: s.checkReady} {
		s.exact[path] = true
		s.app.Get(path, func(c *fiber.Ctx) error {
			sendProbe(c.Context(), check(c))
			return nil
		})
	}
}

// checkReady is Readiness without what the query excludes.
func (s *Server) checkReady(c *fiber.Ctx) error {
	if c.Query(excludeParameter) == excludeData && s.away() > 0 && !s.draining.Load() {
		return nil
	}
	return s.Readiness()
}

// isProbe reports whether a path is that of a probe.
func isProbe(path []byte) bool { return string(path) == livePath || string(path) == readyPath }

// Readiness returns why the server is not to receive requests, or nil.
func (s *Server) Readiness() error {
	switch {
	case s.draining.Load():
		return errDraining
	case s.Ready != nil:
		return s.Ready()
	}
	return nil
}

// Drain makes the server unready, so that load balancers send requests elsewhere, and
// makes clients open new connections. It keeps serving until Shutdown is called.
func (s *Server) Drain() { s.draining.Store(true) }

// sendProbe sends the response to a probe: 200, or 503 if there is an err.
func sendProbe(ctx *fasthttp.RequestCtx, err error) {
	h := &ctx.Response.Header
	h.SetContentType("text/plain; charset=utf-8")
	h.Set("Cache-Control", web.CacheNever)
	if err == nil {
		ctx.Response.SetBodyString("ok\n")
		return
	}
	h.Set("Retry-After", strconv.Itoa(retryAfter))
	ctx.Response.SetStatusCode(fasthttp.StatusServiceUnavailable)
	ctx.Response.SetBodyString(err.Error() + "\n")
}

// Starting answers requests until a server is ready to: the probes, and all others with
// 503 and Retry-After. Create one with NewStarting.
type Starting struct {
	listener *pausingListener
	ended    chan struct{}
}

// NewStarting answers requests on a listener until Stop is called.
func NewStarting(ln net.Listener) *Starting {
	s := &Starting{&pausingListener{Listener: ln}, make(chan struct{})}
	server := fasthttp.Server{Handler: handleStarting, DisableKeepalive: true, Concurrency: maxConnsPerAddr, NoDefaultServerHeader: true,
		ReadTimeout: readTime, WriteTimeout: readTime, ReadBufferSize: headerBytes, CloseOnShutdown: true, Logger: silent{}}
	go func() {
		defer close(s.ended)
		_ = server.Serve(s.listener) // ends with the listener
	}()
	return s
}

// Stop stops answering. The listener stays open: connections that are made meanwhile wait
// until a server accepts them.
func (s *Starting) Stop() {
	s.listener.pause()
	<-s.ended
	s.listener.resume()
}

// errStarting is the readiness error of a server that loads its data.
var errStarting = errors.New("loading")

// handleStarting responds to a request while the server starts.
func handleStarting(ctx *fasthttp.RequestCtx) {
	path := ctx.URI().PathOriginal()
	switch {
	case string(path) == livePath:
		sendProbe(ctx, nil)
	case bytes.HasPrefix(path, []byte("/api/")):
		sendProbe(ctx, errStarting)
		ctx.Response.Header.SetContentType(web.ProblemType)
		ctx.Response.SetBodyString(`{"title":"Unavailable","status":503,"code":"unavailable","message":"The site is starting.","hint":"Try again in a few seconds."}`)
	case string(path) == readyPath:
		sendProbe(ctx, errStarting)
	default:
		sendProbe(ctx, errStarting)
		ctx.Response.SetBodyString("The site is starting. Try again in a few seconds.\n")
	}
	ctx.Response.Header.Set("X-Content-Type-Options", "nosniff")
	ctx.Response.Header.SetCanonical(web.HdrVary, []byte(web.Vary))
}

// silent discards what fasthttp logs of connections that fail.
type silent struct{}

// Printf implements fasthttp.Logger.
func (silent) Printf(string, ...any) {}

// pausingListener is a listener whose Accept can be ended without closing it.
type pausingListener struct{ net.Listener }

// Accept implements net.Listener.
func (l *pausingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = net.ErrClosed
	}
	return c, err
}

// pause ends Accept until resume is called.
func (l *pausingListener) pause() { setDeadline(l.Listener, time.Unix(1, 0)) }

func (l *pausingListener) resume() { setDeadline(l.Listener, time.Time{}) }
