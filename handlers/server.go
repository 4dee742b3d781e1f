// Package handlers implements the operations of the site, one file per resource, and
// mounts them on the framework of package web.
package handlers

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/store"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// Server serves the site over HTTP and runs its background jobs.
type Server struct {
	*serve.Server
	*app
	alerts
}

// Starting answers requests until a Server listens.
type Starting = serve.Starting

// NewStarting answers requests on a listener until a Server is ready to take it over: the
// probes, and all others with 503.
func NewStarting(ln net.Listener) *Starting { return serve.NewStarting(ln) }

// New returns the site's server. It does not listen yet.
func New(cfg Config) *Server { return build(cfg) }

// build is New with additional operations, for tests.
func build(cfg Config, more ...web.Operation) *Server {
	s := newApp(cfg)
	s.server = serve.New(s.webConfig(&cfg))
	s.settings.Server, s.estimates.Server = s.server, s.server
	if s.feed != nil {
		s.feed.OnUpdate(s.updated)
	}
	photos := &photos{Listings: s.store.Listings, Photos: s.photoStore, Server: s.server, Log: s.log, known: s.store.Listings.HasPhoto, turns: newTurns()}
	if cfg.DataDir != "" {
		photos.dir = filepath.Join(cfg.DataDir, "photos")
	}
	s.mountPhotos(photos)
	(&previews{Site: s.site, Files: s.files, Server: s.server, Log: s.log, photos: photos}).mount()
	s.bulk = &bulk{Prices: s.store.Prices, Site: s.site, Index: s.index, Leases: s.leases, Files: s.files, DataDir: s.dataDir, Server: s.server, Clock: s.clock}
	s.bulk.mount()
	s.estimates.start()
	s.schedule.jobs = s.newJobs()
	s.adminDeps().mountBrand()
	s.textDeps().mountTextPictures()
	s.adminDeps().mountGearPictures()
	s.backups = &backups{Moderation: s.store.Moderation, Records: s.store.Site, Store: s.store, Site: s.site, Files: s.files, Server: s.server, Log: s.log, Clock: s.clock, dir: cfg.backupDir(), wanted: make(chan struct{}, 1)}
	s.backups.mount()
	if cfg.Dev {
		more = append(more, s.homeDeps().showPrimitives())
	}
	s.server.MountRedirect("/sell/price", "/prices")
	s.server.MountRedirect("/account/moderation/audit", adminAuditPage)
	s.server.Mount(append(s.operations(), more...))
	s.describeForms()
	s.watchDeps().mount()
	s.mountLanguage()
	s.oauthDeps().mountOAuth()
	s.documentDeps().mount()
	s.settings.reloadSite()
	return &Server{s.server, s, alerts{s.watchDeps()}}
}

// newApp returns what the operations share.
func newApp(cfg Config) *app {
	log := newErrorLog(cmp.Or(cfg.Log, slog.Default()).Handler())
	s := &app{
		store:   cfg.Store,
		catalog: cfg.Catalog,
		index:   cfg.Index,
		feed:    cfg.Feed,
		library: cfg.Library,
		editor:  portfolio.NewEditor(cfg.mirror(), cfg.Library),
		mirror:  cfg.Mirror,
		site:    &cfg.Site,
		log:     slog.New(log),
		errors:  log.loggedErrors,
		tracer:  cfg.Tracer,
		program: cfg.Version,
		id:      rand.Text(),
		clock:   cfg.Clock,
		guard:   cmp.Or(cfg.Webhooks, &delivery.Guard{}),
		party:   newRelyingParty(&cfg.Site),
		dataDir: cfg.DataDir,
		files:   cfg.files(),

		retention: cfg.Retention,
		demo:      &demoJob{fill: cfg.FillDemo, start: make(chan struct{}, 1)},

		mailSettings: mailSettings(cfg.SMTP, cfg.MailFrom),

		searchBuffers: newSearchBuffers(),
		searchBinder:  web.NewBinder[searchInput](&vocabulary),
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	s.completer = newCompleter(s.catalog, func() []web.ErrorCode { return s.server.ErrorCodes() })
	s.leases = &leases{store: s.store, server: s.id}
	s.schedule = &schedule{store: s.store.Site, clock: s.clock, log: s.log, tracer: s.tracer}
	s.site.Adjustable()
	if s.mirror != nil {
		s.editor.Changed = s.filesChanged
	}
	s.hub = newEventHub(cfg.Store)
	s.idle.Store(int64(DefaultIntervals.Due))
	s.health = &health{app: s, dataDir: cfg.DataDir}
	s.site.Clock = s.clock
	s.words = wordsOf(s.site, cfg.Catalog)
	s.startedAt = s.clock()
	s.convertible = cfg.ExchangeRates != ""
	s.photoStore = picture.NewStore(s.files)
	s.addServices(&cfg)
	s.pages = content.OpenPages(os.DirFS(filepath.Join(cfg.DataDir, "pages")), languageCodes(s.site.Languages()), s.settings.facts(), s.log)
	s.settings.Pages = s.pages
	s.store.SendNotices(tradeviews.EmailTemplates(s.site))
	return s
}

// files returns where the files of the site are stored, nil for nowhere.
func (c *Config) files() blob.Bucket {
	if c.Files == nil && c.DataDir != "" {
		return blob.Folder(c.DataDir)
	}
	return c.Files
}

// mirror returns the mirror of the owner's files, nil without a data folder.
func (c *Config) mirror() *blob.Mirror {
	if c.Mirror == nil && c.DataDir != "" {
		return blob.NewMirror(nil, blob.Folder(c.DataDir))
	}
	return c.Mirror
}

// filesChanged tells the other servers that files of the owner have changed. They find out
// by themselves too, but later.
func (s *app) filesChanged() {
	ctx, cancel := context.WithTimeout(context.Background(), reloadTime)
	defer cancel()
	if err := s.store.Site.FilesChanged(ctx); err != nil {
		s.log.Warn("tell other servers about changed files", "err", err)
	}
}

// RunImports runs the imports whose files are on this server.
func (s *Server) RunImports(ctx context.Context) error {
	return importOps{s.app.adminDeps()}.RunImports(ctx)
}

// RecordDelivery records an attempt to send a delivery as a run of its job. err is nil if
// it was sent.
func (s *Server) RecordDelivery(ctx context.Context, kind models.DeliveryKind, started time.Time, took time.Duration, err error) {
	s.schedule.RecordDelivery(ctx, kind, started, took, err)
}

// UseFiles reads the owner's files again, after the mirror has fetched changes.
func (s *Server) UseFiles() {
	if s.library != nil {
		s.library.Reload()
	}
	s.settings.reloadSite()
	if err := s.pages.Reload(context.Background()); err != nil {
		s.log.Warn("read pages", "err", err)
	}
	s.server.Changed()
}

// webConfig returns the configuration of the framework.
func (s *app) webConfig(cfg *Config) web.Config {
	w := web.Config{
		Name: s.site.Name, BaseURL: cfg.Site.BaseURL,
		Layout: layout{s}, Vocabulary: &vocabulary, Results: results, Codes: errorCodes, API: s.documentDeps().apiInfo(),
		Auth: authenticator{s}, Scopes: strings.Fields(models.DefaultScopes.String()), Idempotency: idempotencyStore{s.store}, Completer: s.completer, Updates: s.watchDeps().updates(),
		Version: s.settings.version, Ready: s.ready, Unavailable: s.unavailable, Away: s.store.Away, SignIn: signInPage, PopupPaths: []string{signInPage, authorizePath}, SessionLife: store.MaxSessionAge,
		AssetPaths: []string{"/photos/", "/previews/", "/pictures/"},
		Languages:  languageTags(languages.All), Localize: localize, Hidden: s.settings.hidden,
		RateLimit: cfg.RateLimit, Redis: cfg.Redis, TrustedProxies: cfg.TrustedProxies,
		AccessLog: cfg.AccessLog, Tracer: cfg.Tracer,
		Clock: s.clock, Log: s.log,
	}
	if cfg.Metrics != nil {
		w.Observe = cfg.Metrics.observe
	}
	if s.feed != nil {
		w.Settle = s.settle
	}
	return w
}

// unavailable reports whether an error is temporary. While the database does not answer,
// all errors are due to that.
func (s *app) unavailable(err error) bool {
	return store.IsUnavailable(err) || blob.IsUnavailable(err) || s.store.Away() > 0
}

// describeForms gives views the operation descriptions that forms expose to browser agents.
func (s *app) describeForms() {
	s.site.Tools = map[string]ui.FormTool{}
	for _, op := range s.server.Operations() {
		s.site.Tools[op.Name] = ui.FormTool{Name: op.Name, Description: op.Summary, Params: op.ParameterDescriptions()}
	}
}

// backupDir returns the folder of backups, "" without a data folder.
func (c *Config) backupDir() string {
	if c.BackupDir == "" && c.DataDir != "" {
		return filepath.Join(c.DataDir, "backups")
	}
	return c.BackupDir
}

// mountPhotos serves /photos/{key}-{width}.jpg for the keys of public listings
// and models.PhotoWidths, and /photos/{key}-{size}.jpg for portfolio photos; any other
// file is photo_not_found.
func (s *app) mountPhotos(p *photos) {
	s.server.Get("/photos/:file", func(c *fiber.Ctx) error {
		if key, size, ok := pictureName(c.Params("file")); ok && s.library != nil {
			return portfolioOps{s.portfolioDeps()}.sendPicture(c, key, size)
		}
		return p.serve(c)
	})
}

// addServices makes what the operations share. Some of it gets the server later.
func (s *app) addServices(cfg *Config) {
	s.storage = &storage{Clock: s.clock, dir: cfg.DataDir}
	s.rates = &exchangeRates{Prices: s.store.Prices, Site: s.site, Leases: s.leases, Guard: s.guard, Log: s.log, Clock: s.clock, source: cfg.ExchangeRates}
	s.estimates = &estimates{Prices: s.store.Prices, Store: s.store, Site: s.site, Catalog: s.catalog, Feed: s.feed, Leases: s.leases, StartedAt: s.startedAt, Log: s.log, Clock: s.clock}
	s.amounts = &amounts{Listings: s.store.Listings, Site: s.site}
	s.cards = &cardMaker{Accounts: s.store.Accounts, Prices: s.store.Prices, Site: s.site, Catalog: s.catalog, Index: s.index, Estimates: s.estimates}
	s.checklists = &checklister{Accounts: s.store.Accounts, Records: s.store.Site, Site: s.site, Library: s.library, Party: s.party, DataDir: s.dataDir}
	s.gear = &gearNames{Prices: s.store.Prices, Catalog: s.catalog, Index: s.index, Log: s.log, Clock: s.clock}
	s.mailer = &mailer{Deliveries: s.store.Deliveries, Site: s.site}
	s.uploads = &photoUploads{Listings: s.store.Listings, Photos: s.photoStore, Log: s.log, Clock: s.clock, Started: s.clock()}
	s.guides = &priceGuides{Prices: s.store.Prices, Site: s.site, Index: s.index, Cards: s.cards, Estimates: s.estimates, Clock: s.clock}
	s.queries = &queryReader{Accounts: s.store.Accounts, Site: s.site, Index: s.index, Words: s.words, Gear: s.gear, Binder: s.searchBinder}
	s.settings = &siteSettings{Prices: s.store.Prices, Records: s.store.Site, Store: s.store, Site: s.site, Catalog: s.catalog, Index: s.index, Feed: s.feed, Library: s.library, Demo: s.demo, Convertible: s.convertible, DataDir: s.dataDir, Log: s.log, Clock: s.clock}
	s.settings.texts.Store(&writtenTexts{})
}
