package handlers

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/oauth"
	"github.com/secondlight/secondlight/handlers/photo"
	portfolioops "github.com/secondlight/secondlight/handlers/portfolio"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/ucp"
	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/store"
	accountviews "github.com/secondlight/secondlight/views/account"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// New returns the site's server. It does not listen yet.
func New(cfg Config) *Server { return build(cfg) }

// build is New with additional operations, for tests.
func build(given Config, more ...web.Operation) *Server {
	cfg, logged := given.complete()
	s := &Server{cfg: cfg, health: &health{cfg: cfg}}
	s.services = newServices(cfg, func() *serve.Server { return s.Server })
	s.upkeep = newUpkeep(cfg, s.services, logged)
	watching := newWatch(cfg, s.services)
	s.Server = serve.New(s.webConfig(watching.Updates()))
	s.nounDeps = newNounDeps(cfg, s.services, s.upkeep, watching, s.Server)
	s.Alerts = watch.Alerts{Deps: watching, Kits: s.price}
	s.schedule.Jobs = s.jobs()
	cfg.Store.SendNotices(tradeviews.EmailTemplates(&cfg.Site))
	cfg.Store.SendWebhooks(accountviews.AccountEventBody(&cfg.Site))
	if cfg.Feed != nil {
		cfg.Feed.OnUpdate(s.updated)
	}
	s.estimates.Start()
	if cfg.Dev {
		more = append(more, s.home.ShowPrimitives())
	}
	s.mountFiles()
	s.MountRedirect("/sell/price", "/prices")
	s.MountRedirect("/account/moderation/audit", admin.AdminAuditPage)
	s.Mount(append(s.operations(s.health.operation()), more...))
	cfg.Site.Tools = formTools(s.Operations())
	s.mountRest()
	s.settings.Reload()
	return s
}

// webConfig returns the configuration of the framework.
func (s *Server) webConfig(updates web.Updates) web.Config {
	cfg, db, site := s.cfg, s.cfg.Store, &s.cfg.Site
	w := web.Config{
		Name: site.Name, BaseURL: site.BaseURL,
		Layout:     layout{site, db.Trades, s.checklists, cfg.Log},
		Vocabulary: &vocabulary, Results: results, Codes: codes.All, API: document.Deps{Site: site, Catalog: cfg.Catalog, Tools: tools, Toolsets: toolsets, OAuth: oauthFlow(), Webhooks: watch.Webhooks(site)}.APIInfo(),
		Auth: authenticator{db, site}, Scopes: strings.Fields(models.DefaultScopes.String()), Idempotency: idempotencyStore{db}, Completer: s.completer, Updates: updates,
		Version: s.settings.Version, Ready: func() error { return ready(db) }, Away: db.Away,
		// While the database does not answer, all errors are due to that.
		Unavailable: func(err error) bool { return store.IsUnavailable(err) || blob.IsUnavailable(err) || db.Away() > 0 },
		SignIn:      account.SignInPage, PopupPaths: []string{account.SignInPage, oauth.AuthorizePath}, SessionLife: store.MaxSessionAge,
		AssetPaths: []string{"/photos/", "/gallery-photos/", "/previews/", "/pictures/"},
		Languages:  settings.LanguageTags(languages.All), Localize: localizer(site.Zone), InZone: languages.InZone, Hidden: s.settings.Hidden,
		RateLimit: cfg.RateLimit, Redis: cfg.Redis, TrustedProxies: cfg.TrustedProxies,
		AccessLog: cfg.AccessLog, Tracer: cfg.Tracer,
		Clock: cfg.Clock, Log: cfg.Log,
	}
	if cfg.Metrics != nil {
		w.Observe = cfg.Metrics.observe
	}
	if cfg.Feed != nil {
		w.Settle = s.settle
	}
	return w
}

// oauthFlow describes how apps get access to accounts.
func oauthFlow() web.OAuthFlow {
	scopes := map[string]string{}
	for scope, text := range accountviews.ScopeText {
		scopes[string(scope)] = text
	}
	return web.OAuthFlow{Authorize: oauth.AuthorizePath, Token: oauth.TokenPath, Scopes: scopes}
}

// mountFiles serves photos, pictures, bulk files and backups.
func (s *Server) mountFiles() {
	cfg := s.cfg
	photos := &photo.Photos{Listings: cfg.Store.Listings, Photos: s.photoStore, Charge: s.Charge, Identify: s.Identify, Log: cfg.Log, Known: cfg.Store.Listings.HasPhoto, Turns: photo.NewTurns(), AVIFs: s.avifs}
	if cfg.DataDir != "" {
		photos.Dir = filepath.Join(cfg.DataDir, "photos")
	}
	s.mountPhotos(photos)
	(&photo.Previews{Site: &cfg.Site, Files: cfg.Files, Server: s.Server, Log: cfg.Log, Photos: photos}).Mount(s)
	s.bulk.Mount(s.MountFile)
	s.MountFile(ui.OEmbedPath, s.gear.SendOEmbed)
	s.Get("/gear/:brand/:model/card", s.gear.SendCard)
	s.admin.MountBrand(s)
	s.text.MountTextPictures(s)
	s.admin.MountGearPictures(s)
	s.backups.Mount(s)
}

// mountPhotos serves /photos/{key}-{width}.jpg for the keys of public listings
// and models.PhotoWidths, and /photos/{key}-{size}.jpg for portfolio photos; any other
// file is photo_not_found.
func (s *Server) mountPhotos(p *photo.Photos) {
	s.Get("/photos/:file", func(c *fiber.Ctx) error {
		if key, size, ok := portfolioops.PictureName(c.Params("file")); ok && s.cfg.Library != nil {
			return s.portfolio.SendPicture(c, s.Identify, key, size)
		}
		return p.Serve(c)
	})
	s.Get("/gallery-photos/:gallery/:file", s.portfolio.SendGalleryFile)
}

// mountRest serves everything that is neither an operation nor a file. The language that a member chooses for
// pages is also that of their emails.
func (s *Server) mountRest() {
	s.watch.Mount(s)
	s.MountLanguage(ui.LanguagePath, func(ctx context.Context, code string) error {
		return s.cfg.Store.Accounts.SetLanguage(ctx, caller.ID(ctx), code)
	})
	s.oauth.MountOAuth(s)
	s.document.Mount(s.Server)
	ucp.Deps{Listings: s.cfg.Store.Listings, Site: &s.cfg.Site, Index: s.cfg.Index, Cards: s.cards, Queries: s.queries, Log: s.cfg.Log}.Mount(s.Server)
}

// formTools returns the descriptions of operations that forms expose to browser agents.
func formTools(operations []*web.Operation) map[string]ui.FormTool {
	tools := map[string]ui.FormTool{}
	for _, op := range operations {
		tools[op.Name] = ui.FormTool{Name: op.Name, Description: op.Summary, Params: op.ParameterDescriptions()}
	}
	return tools
}
