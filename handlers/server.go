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
	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/bulk"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/oauth"
	"github.com/secondlight/secondlight/handlers/photo"
	portfolioops "github.com/secondlight/secondlight/handlers/portfolio"
	"github.com/secondlight/secondlight/handlers/query"
	searchops "github.com/secondlight/secondlight/handlers/search"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
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
	watch.Alerts
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
	photos := &photo.Photos{Listings: s.store.Listings, Photos: s.photoStore, Server: s.server, Log: s.log, Known: s.store.Listings.HasPhoto, Turns: photo.NewTurns()}
	if cfg.DataDir != "" {
		photos.Dir = filepath.Join(cfg.DataDir, "photos")
	}
	s.mountPhotos(photos)
	(&photo.Previews{Site: s.site, Files: s.files, Server: s.server, Log: s.log, Photos: photos}).Mount()
	s.bulk = &bulk.Bulk{Prices: s.store.Prices, Site: s.site, Index: s.index, Leases: s.leases, Files: s.files, DataDir: s.dataDir, Server: s.server, Clock: s.clock}
	s.bulk.Mount()
	s.estimates.Start()
	s.schedule.Jobs = s.newJobs()
	s.adminDeps().MountBrand()
	s.textDeps().MountTextPictures()
	s.adminDeps().MountGearPictures()
	s.backups = &admin.Backups{Moderation: s.store.Moderation, Records: s.store.Site, Store: s.store, Site: s.site, Files: s.files, Server: s.server, Log: s.log, Clock: s.clock, Dir: cfg.backupDir(), Wanted: make(chan struct{}, 1)}
	s.backups.Mount()
	if cfg.Dev {
		more = append(more, s.homeDeps().ShowPrimitives())
	}
	s.server.MountRedirect("/sell/price", "/prices")
	s.server.MountRedirect("/account/moderation/audit", admin.AdminAuditPage)
	s.server.Mount(append(s.operations(), more...))
	s.describeForms()
	s.watchDeps().Mount()
	s.mountLanguage()
	s.oauthDeps().MountOAuth()
	s.documentDeps().Mount()
	s.settings.Reload()
	return &Server{s.server, s, watch.Alerts{Deps: s.watchDeps()}}
}

// newApp returns what the operations share.
func newApp(cfg Config) *app {
	log := admin.NewErrorLog(cmp.Or(cfg.Log, slog.Default()).Handler())
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
		errors:  log.LoggedErrors,
		tracer:  cfg.Tracer,
		program: cfg.Version,
		id:      rand.Text(),
		clock:   cfg.Clock,
		guard:   cmp.Or(cfg.Webhooks, &delivery.Guard{}),
		party:   account.NewRelyingParty(&cfg.Site),
		dataDir: cfg.DataDir,
		files:   cfg.files(),

		retention: cfg.Retention,
		demo:      &settings.DemoJob{Fill: cfg.FillDemo, Start: make(chan struct{}, 1)},

		mailSettings: admin.MailSettings(cfg.SMTP, cfg.MailFrom),

		searchBuffers: searchops.NewSearchBuffers(),
		searchBinder:  bind.NewBinder[query.Input](&vocabulary),
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	s.completer = document.NewCompleter(s.catalog, func() []web.ErrorCode { return s.server.ErrorCodes() })
	s.leases = &job.Leases{Store: s.store, Server: s.id}
	s.schedule = &job.Schedule{Store: s.store.Site, Clock: s.clock, Log: s.log, Tracer: s.tracer}
	s.site.Adjustable()
	if s.mirror != nil {
		s.editor.Changed = s.filesChanged
	}
	s.hub = watch.NewEventHub(cfg.Store)
	s.idle.Store(int64(job.DefaultIntervals.Due))
	s.health = &health{app: s, dataDir: cfg.DataDir}
	s.site.Clock = s.clock
	s.words = market.WordsOf(s.site, cfg.Catalog)
	s.startedAt = s.clock()
	s.convertible = cfg.ExchangeRates != ""
	s.photoStore = picture.NewStore(s.files)
	s.addServices(&cfg)
	s.pages = content.OpenPages(os.DirFS(filepath.Join(cfg.DataDir, "pages")), settings.LanguageCodes(s.site.Languages()), s.settings.Facts(), s.log)
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
	ctx, cancel := context.WithTimeout(context.Background(), settings.ReloadTime)
	defer cancel()
	if err := s.store.Site.FilesChanged(ctx); err != nil {
		s.log.Warn("tell other servers about changed files", "err", err)
	}
}

// RunImports runs the imports whose files are on this server.
func (s *Server) RunImports(ctx context.Context) error {
	return admin.ImportOps{Deps: s.app.adminDeps()}.RunImports(ctx)
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
	s.settings.Reload()
	if err := s.pages.Reload(context.Background()); err != nil {
		s.log.Warn("read pages", "err", err)
	}
	s.server.Changed()
}

// webConfig returns the configuration of the framework.
func (s *app) webConfig(cfg *Config) web.Config {
	w := web.Config{
		Name: s.site.Name, BaseURL: cfg.Site.BaseURL,
		Layout: layout{s}, Vocabulary: &vocabulary, Results: results, Codes: codes.All, API: s.documentDeps().ApiInfo(),
		Auth: authenticator{s}, Scopes: strings.Fields(models.DefaultScopes.String()), Idempotency: idempotencyStore{s.store}, Completer: s.completer, Updates: s.watchDeps().Updates(),
		Version: s.settings.Version, Ready: s.ready, Unavailable: s.unavailable, Away: s.store.Away, SignIn: account.SignInPage, PopupPaths: []string{account.SignInPage, oauth.AuthorizePath}, SessionLife: store.MaxSessionAge,
		AssetPaths: []string{"/photos/", "/previews/", "/pictures/"},
		Languages:  settings.LanguageTags(languages.All), Localize: localize, Hidden: s.settings.Hidden,
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
func (s *app) mountPhotos(p *photo.Photos) {
	s.server.Get("/photos/:file", func(c *fiber.Ctx) error {
		if key, size, ok := portfolioops.PictureName(c.Params("file")); ok && s.library != nil {
			return portfolioops.PortfolioOps{Deps: s.portfolioDeps()}.SendPicture(c, key, size)
		}
		return p.Serve(c)
	})
}

// addServices makes what the operations share. Some of it gets the server later.
func (s *app) addServices(cfg *Config) {
	s.storage = &admin.Storage{Clock: s.clock, Dir: cfg.DataDir}
	s.rates = &market.Rates{Prices: s.store.Prices, Site: s.site, Leases: s.leases, Guard: s.guard, Log: s.log, Clock: s.clock, Source: cfg.ExchangeRates}
	s.estimates = &market.Estimates{Prices: s.store.Prices, Store: s.store, Site: s.site, Catalog: s.catalog, Feed: s.feed, Leases: s.leases, StartedAt: s.startedAt, Log: s.log, Clock: s.clock}
	s.amounts = &market.Amounts{Listings: s.store.Listings, Site: s.site}
	s.cards = &market.Cards{Accounts: s.store.Accounts, Prices: s.store.Prices, Site: s.site, Catalog: s.catalog, Index: s.index, Estimates: s.estimates}
	s.checklists = &admin.Checklists{Accounts: s.store.Accounts, Records: s.store.Site, Site: s.site, Library: s.library, Party: s.party, DataDir: s.dataDir}
	s.gear = &market.Names{Prices: s.store.Prices, Catalog: s.catalog, Index: s.index, Log: s.log, Clock: s.clock}
	s.mailer = &mailer.Mailer{Deliveries: s.store.Deliveries, Site: s.site}
	s.uploads = &photo.Uploads{Listings: s.store.Listings, Photos: s.photoStore, Log: s.log, Clock: s.clock, Started: s.clock()}
	s.guides = &market.Guides{Prices: s.store.Prices, Site: s.site, Index: s.index, Cards: s.cards, Estimates: s.estimates, Clock: s.clock}
	s.queries = &query.Reader{Accounts: s.store.Accounts, Site: s.site, Index: s.index, Words: s.words, Gear: s.gear, Binder: s.searchBinder}
	s.settings = &settings.Settings{Prices: s.store.Prices, Records: s.store.Site, Store: s.store, Site: s.site, Catalog: s.catalog, Index: s.index, Feed: s.feed, Library: s.library, Demo: s.demo, Convertible: s.convertible, DataDir: s.dataDir, Log: s.log, Clock: s.clock}
	s.settings.Texts.Store(&settings.WrittenTexts{})
}
