// Package handlers answers requests. Every operation of the site is defined
// once (see Op) and mounted on every face from that definition.
package handlers

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// Config is what a server is made of.
type Config struct {
	Store   *models.Store
	Catalog *models.Catalog
	Index   *search.Index      // moves on when the data changes, and finished responses with it
	Library *portfolio.Library // the photographer's portfolio; nil for none
	Site    views.Site
	DataDir string // where photographs and other files are kept

	// Webhooks says where webhooks may go; nil is to public addresses.
	Webhooks *delivery.Guard

	// RateLimit is how many requests a minute a client may make to the API;
	// pages allow ten times as many. 0 means 100.
	RateLimit int
	// Dev adds /ui, a page of everything pages are made of.
	Dev bool
	// TrustedProxies are the networks whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix

	Clock models.Clock // nil means time.Now
	Log   *slog.Logger // nil means slog.Default
}

// Server is the site over HTTP.
type Server struct {
	app      *fiber.App
	store    *models.Store
	catalog  *models.Catalog
	lookup   *models.Lookup
	resolver func() *models.Resolver // made when it is first needed
	index    *search.Index
	library  *portfolio.Library
	names    names
	words    *views.Vocabulary
	rooms    *sync.Pool // of *searchRoom

	site    views.Site
	log     *slog.Logger
	clock   models.Clock
	version func() uint64 // moves on when finished responses are out of date
	writes  atomic.Uint64 // of this server: who wrote reads what they wrote
	guard   *delivery.Guard
	proxies []netip.Prefix

	ops    []Operation
	exact  map[string]bool // addresses whose ending is not a face's suffix
	common []field

	party *webauthn.WebAuthn // nil where passkeys cannot be

	limiter               *limiter
	apiPolicy, pagePolicy *policy
	cache                 *cache
	files                 sync.Map // fileVariant to *finished

	shelf *picture.Shelf // the photographs of listings

	stopping context.Context // ends when Shutdown begins
	stop     context.CancelFunc
}

// Limits of one request.
const (
	readTime    = 5 * time.Second
	writeTime   = 30 * time.Second
	idleTime    = 60 * time.Second
	headerBytes = 16 << 10
	// writeBytes holds any page, so that it leaves in one system call. Every open
	// connection has such a buffer, and connections bounds what they take: 1 GB.
	writeBytes  = 64 << 10
	connections = 16 << 10
	bodyBytes   = 4 << 20
)

// New builds the server; it does not listen yet.
func New(cfg Config) *Server { return build(cfg) }

// build is New with more operations, which tests bring.
func build(cfg Config, more ...Operation) *Server {
	s := &Server{
		store:   cfg.Store,
		catalog: cfg.Catalog,
		lookup:  models.NewLookup(cfg.Catalog.All()),
		index:   cfg.Index,
		library: cfg.Library,
		names:   namesOf(cfg.Catalog),
		site:    cfg.Site,
		log:     cfg.Log,
		clock:   cfg.Clock,
		proxies: cfg.TrustedProxies,
		exact:   map[string]bool{},
		common:  commonFields(cfg.Site.HTTPS()),
		party:   newRelyingParty(&cfg.Site),
		limiter: newLimiter(),
		cache:   newCache(),
	}
	s.resolver = sync.OnceValue(func() *models.Resolver { return models.NewResolver(cfg.Catalog) })
	s.store.SendNotices(views.Letters(&s.site))
	s.words, s.rooms = wordsOf(&s.site, cfg.Catalog), newRooms()
	s.version = func() uint64 {
		version := cfg.Index.Version() + s.writes.Load()
		if s.library != nil {
			version += s.library.Version()
		}
		return version
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.guard = cfg.Webhooks; s.guard == nil {
		s.guard = &delivery.Guard{}
	}
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
		AppName:               cfg.Site.Name,
		DisableStartupMessage: true,
		CaseSensitive:         true,
		StrictRouting:         true,
		ErrorHandler:          s.onError,
		ReadTimeout:           readTime,
		WriteTimeout:          writeTime,
		IdleTimeout:           idleTime,
		ReadBufferSize:        headerBytes,
		WriteBufferSize:       writeBytes,
		Concurrency:           connections,
		BodyLimit:             bodyBytes,
		// A form is read where it is needed, by readForm.
		DisablePreParseMultipartForm: true,
	})
	s.mountStatic()
	s.mountPreviews(cfg.DataDir, s.mountPhotos(cfg.DataDir))
	if cfg.Dev {
		more = append(more, s.showPrimitives())
	}
	s.mount(append(s.operations(), more...))
	s.MountMCP(mcpPath, s.newMCP())
	s.mountWatching()
	s.mountDocuments()
	s.mountSitemaps()
	s.mountOpenSearch()
	server := s.app.Server()
	server.Handler = s.front(s.app.Handler())
	server.HeaderReceived = s.roomFor
	return s
}

// App is the server's router, for tests.
func (s *Server) App() *fiber.App { return s.app }

// Listen serves until Shutdown. It returns when the listener closes, which is
// before the last requests are answered: wait for Shutdown.
func (s *Server) Listen(ln net.Listener) error { return s.app.Listener(ln) }

// Shutdown stops listening, ends subscriptions, and waits for the requests
// under way.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop()
	return s.app.ShutdownWithContext(ctx)
}
