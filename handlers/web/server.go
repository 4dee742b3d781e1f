// Package web is an HTTP framework. An operation is defined once (see Op) and served
// as HTML pages, as a JSON API, as Markdown and as a tool of the Model Context
// Protocol. Every response follows the same rules for content negotiation, rate
// limits, caching, idempotency and errors.
//
// The package does not depend on the site's domain, which it receives in Config.
package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/singleflight"
	"golang.org/x/text/language"
	"golang.org/x/time/rate"
)

// Config configures a Server.
type Config struct {
	Name    func() string // name of the site, which may change
	BaseURL string        // scheme and host without a trailing slash: "https://secondlight.example"

	Layout      Layout
	Vocabulary  *Vocabulary
	Results     []Result    // what tools return instead of pages
	Codes       []ErrorCode // error codes of the site, in addition to those of the framework
	API         APIInfo
	Auth        Authenticator
	Idempotency IdempotencyStore
	Updates     Updates   // nil takes no subscriptions
	Completer   Completer // nil completes only values that the operations define

	// Version returns a number that changes when all cached responses become outdated.
	Version func() uint64
	// Ready returns why the server is not to receive requests, such as a database that
	// does not answer, or nil. It may be nil.
	Ready func() error
	// Unavailable reports whether an error is temporary, such as a full disk: the
	// response is a 503. It may be nil.
	Unavailable func(error) bool
	// Away returns for how long the data cannot be read, 0 if it can. Meanwhile cached
	// responses are sent even if they may be outdated. It may be nil.
	Away func() time.Duration
	// Settle waits until responses reflect the writes that are complete, and reports
	// what they changed to Server.Changed. It is called after each write; nil drops all
	// cached responses.
	Settle func(context.Context)
	// Scopes are the scopes that clients may ask members for with OAuth, nil if the site
	// has no authorization server.
	Scopes []string
	// Languages are the languages that HTML and Markdown can be in. The first is for
	// clients that ask for none of them, until OfferLanguages; nil means English. JSON is in
	// English.
	Languages []language.Tag
	// Hidden reports whether an operation is not part of the site at the moment: its
	// addresses are not found, and no document lists it. It may be nil.
	Hidden func(*Operation) bool
	// Localize returns a copy of ctx in which pages are in one of the languages. It may be
	// nil.
	Localize func(ctx context.Context, language language.Tag) context.Context
	// SignIn is the path of the sign-in page.
	SignIn string
	// PopupPaths are paths, with those below them, of pages that other origins open as
	// pop-up windows and wait for, such as that of signing in.
	PopupPaths []string
	// SessionLife is the lifetime of the session cookie.
	SessionLife time.Duration
	// AssetPaths are path prefixes, in addition to /static/, whose requests do not count
	// towards the rate limit unless a handler calls Charge.
	AssetPaths []string

	// RateLimit is the number of requests per minute that a client may make to the API;
	// pages allow ten times as many. 0 means 100.
	RateLimit int
	// Redis counts the requests to all servers towards one rate limit. If it is nil or does
	// not answer, each server has its own.
	Redis *Redis
	// TrustedProxies are the networks whose X-Forwarded-For and X-Request-Id fields are
	// trusted.
	TrustedProxies []netip.Prefix

	// Observe is called after each response and tool call; it may be nil.
	Observe func(Observation)
	// Tracer makes a span of each request and tool call; nil makes none.
	Tracer trace.Tracer
	// AccessLog is the share of requests that are logged, from 0 to 1. Above 0, those that
	// fail or are slow are logged in any case.
	AccessLog float64

	Clock func() time.Time // nil means time.Now
	Log   *slog.Logger     // nil means slog.Default
}

// APIInfo describes the API for its documentation.
type APIInfo struct {
	Version              string
	Summary, Description string
	Contact              func() string     // name of the contact
	Tags                 map[string]string // descriptions of tags
	Implementation       func() *mcp.Implementation
	Instructions         string   // of the MCP server, for language models
	Tools                []Tool   // in the order in which they are listed
	Toolsets             []string // names of the sets of tools
	Apps                 []App
}

// Server serves operations over HTTP. Create one with New.
type Server struct {
	app         *fiber.App
	site        Config
	layout      Layout
	vocabulary  *Vocabulary
	codes       *errorCatalogue
	problemType reflect.Type // type of error pages
	auth        Authenticator
	keys        IdempotencyStore
	log         *slog.Logger
	clock       func() time.Time
	version     func() uint64
	proxies     []netip.Prefix
	https       bool

	ops          []Operation
	eventStreams []*EventStream
	tools        []*tool           // in the order in which they are listed
	exact        map[string]bool   // paths whose extension is not a format's suffix
	allowed      map[string]string // Allow header of paths that patterns with other methods match
	apiPages     map[string]bool   // first elements of the paths of pages that are in the API too
	documents    []string          // path prefixes of XML documents
	common       []headerField

	listener              atomic.Pointer[limitListener] // nil until Listen is called
	limiter               limiter
	shared                *sharedLimiter // the limiter, nil if it is local
	apiPolicy, pagePolicy *policy
	bodies                bodyBudget
	streams               streamCount
	overload              rate.Sometimes // limits what clients that exceed the limits add to the log
	cache                 *responseCache
	building              singleflight.Group // of XML documents
	sessionCookie         []byte             // name of the session cookie, with "="
	languages             *languages
	files                 sync.Map // fileVariant to *cachedResponse

	free     map[string]bool // API paths that are not charged
	draining atomic.Bool     // see Drain

	conns         atomic.Int64  // open connections
	rejectedConns atomic.Uint64 // connections beyond the limits

	stopping context.Context // cancelled when Shutdown is called
	stop     context.CancelFunc
}

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
func New(cfg Config) *Server {
	https := strings.HasPrefix(cfg.BaseURL, "https://")
	s := &Server{
		site:       cfg,
		layout:     cfg.Layout,
		vocabulary: cfg.Vocabulary,
		codes:      newErrorCatalogue(cfg.Codes),
		auth:       cfg.Auth,
		keys:       cfg.Idempotency,
		log:        cmp.Or(cfg.Log, slog.Default()),
		clock:      cfg.Clock,
		version:    cfg.Version,
		proxies:    cfg.TrustedProxies,
		https:      https,
		exact:      map[string]bool{},
		allowed:    map[string]string{},
		apiPages:   map[string]bool{},
		free:       map[string]bool{},
		common:     commonFields(https),
		limiter:    newLocalLimiter(),
		overload:   rate.Sometimes{Interval: time.Second},
		cache:      newResponseCache(),
	}
	if cfg.Redis != nil {
		s.shared = newSharedLimiter(cfg.Redis, s.log)
		s.limiter = s.shared
	}
	s.sessionCookie = []byte(s.SessionCookie() + "=")
	s.languages = newLanguages(&cfg)
	s.problemType = reflect.TypeOf(s.layout.Problem(&Problem{})).Elem()
	if s.clock == nil {
		s.clock = time.Now
	}
	limit := cfg.RateLimit
	if limit <= 0 {
		limit = 100
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	s.apiPolicy, s.pagePolicy = newPolicy("default", limit), newPolicy("pages", 10*limit)
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

// settle makes responses reflect a write, whether it was accepted or refused.
func (s *Server) settle(ctx context.Context) {
	if s.site.Settle != nil {
		s.site.Settle(ctx)
	} else {
		s.Changed()
	}
}

// App returns the router, for tests.
func (s *Server) App() *fiber.App { return s.app }

// Get adds a route for a handler that is not an operation.
func (s *Server) Get(path string, handler fiber.Handler) { s.app.Get(path, handler) }

// Post adds a route for a form handler that is not an operation.
func (s *Server) Post(path string, handler fiber.Handler) { s.app.Post(path, handler) }

// RateLimits returns the number of requests per minute that a client may make to the
// API and to pages.
func (s *Server) RateLimits() (api, pages int) { return s.apiPolicy.limit, s.pagePolicy.limit }

// Operations returns the operations in the order they were mounted, without hidden ones.
func (s *Server) Operations() []*Operation {
	all := make([]*Operation, 0, len(s.ops))
	for i := range s.ops {
		if op := &s.ops[i]; !s.hidden(op) {
			all = append(all, op)
		}
	}
	return all
}

// hidden reports whether an operation is not part of the site at the moment.
func (s *Server) hidden(op *Operation) bool { return s.site.Hidden != nil && s.site.Hidden(op) }

// API returns the operations that have an API path.
func (s *Server) API() []*Operation {
	return slices.DeleteFunc(s.Operations(), func(o *Operation) bool { return o.Path == "" })
}

// url returns the absolute URL of a path on this site.
func (s *Server) url(path string) string { return s.site.BaseURL + path }

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
		err = errors.Join(err, s.shared.redis.Close())
	}
	return err
}
