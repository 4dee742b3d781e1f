package serve

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"golang.org/x/time/rate"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/handlers/web/mcp"
	"github.com/secondlight/secondlight/handlers/web/openapi"
)

// Limits of requests and connections.
const (
	readTime    = 5 * time.Second
	writeTime   = 30 * time.Second
	idleTime    = 60 * time.Second
	headerBytes = 16 << 10
	// writeBytes is large enough to write any page with one system call. Every open
	// connection has a buffer of this size, which takes up to 1 GB for all connections.
	writeBytes = 64 << 10
)

// New returns a server without operations. Call Mount to add them, then Listen.
func New(cfg web.Config) *Server {
	site := web.NewSite(cfg)
	perMinute := cfg.RateLimit
	if perMinute <= 0 {
		perMinute = 100
	}
	s := &Server{
		responder: responder{
			Site:         site,
			languages:    newLanguages(&cfg),
			cache:        newResponseCache(),
			common:       commonFields(site.HTTPS, false),
			commonJSON:   commonFields(site.HTTPS, true),
			limiter:      limit.NewLocal(),
			apiPolicy:    limit.NewPolicy("default", perMinute),
			pagePolicy:   limit.NewPolicy("pages", 10*perMinute),
			timePolicy:   limit.NewPolicy("time", processorTime*max(perMinute, 100)),
			clientErrors: newClientErrors(),
			overload:     rate.Sometimes{Interval: time.Second},
		},
		exact:         map[string]bool{},
		allowed:       map[string]string{},
		apiPages:      map[string]bool{},
		free:          map[string]bool{},
		passCookie:    []byte(site.PassCookie() + "="),
		sessionCookie: []byte(site.SessionCookie() + "="),
	}
	if site.Settle == nil {
		site.Settle = func(context.Context) { s.Changed() }
	}
	if cfg.Redis != nil {
		s.shared = limit.NewShared(cfg.Redis, s.Log)
		s.limiter = s.shared
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	s.Describer = openapi.NewDescriber(site)
	s.Endpoint = mcp.NewEndpoint(site, mcp.Host{
		Stream: s.streamHandler, OpenStream: s.streams.open, WatchAccess: s.watchAccess, Challenge: s.challenge, Charge: s.chargeCaller, Measure: s.measureTool, ReadQuota: s.readQuota, Stopping: s.stopping,
	})
	s.app = fiber.New(fiber.Config{
		DisableStartupMessage: true,
		CaseSensitive:         true,
		StrictRouting:         true,
		ErrorHandler:          s.handleError,
		ReadTimeout:           readTime,
		WriteTimeout:          writeTime,
		IdleTimeout:           idleTime,
		ReadBufferSize:        headerBytes,
		WriteBufferSize:       writeBytes,
		Concurrency:           2 * maxConns, // limitListener has the lower limit
		// receiveBody reads and limits bodies. With this limit fasthttp calls the
		// handler when the first byte of a body has arrived.
		StreamRequestBody: true,
		BodyLimit:         1,
		// readForm parses multipart forms.
		DisablePreParseMultipartForm: true,
	})
	s.mountStatic()
	s.mountProbes()
	return s
}

// Handler returns the handler of every request, for tests and benchmarks that need
// no connection. Call it after everything is mounted.
func (s *Server) Handler() fasthttp.RequestHandler { return s.middleware(s.app.Handler()) }

// Listen serves requests until Shutdown is called. It returns when the listener is
// closed, while requests may still be in progress: wait for Shutdown to return.
func (s *Server) Listen(ln net.Listener) error {
	server := s.app.Server()
	server.Handler = s.Handler()
	server.HeaderReceived = s.headerReceived
	limited := s.newLimitListener(ln)
	s.listener.Store(limited)
	return s.app.Listener(limited)
}

// Shutdown ends subscriptions, accepts the pending connections, closes the listener and waits
// for requests in progress.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop()
	if ln := s.listener.Load(); ln != nil {
		ln.finish(ctx)
	}
	err := s.app.ShutdownWithContext(ctx)
	if s.shared != nil {
		err = errors.Join(err, s.shared.Close())
	}
	return err
}

// StatusOf returns the status that somebody who isn't signed in gets at an address of the
// site, a path that may have a query. Call it after everything is mounted.
func (s *Server) StatusOf(address string) int {
	var req fasthttp.Request
	req.SetRequestURI(address)
	req.SetHost(strings.TrimPrefix(strings.TrimPrefix(s.BaseURL, "https://"), "http://"))
	req.Header.Set("Accept", "text/html, */*;q=0.5")
	var ctx fasthttp.RequestCtx
	ctx.Init(&req, nil, nil)
	s.Handler()(&ctx)
	return ctx.Response.StatusCode()
}
