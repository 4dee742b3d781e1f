package handlers

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"

	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/query"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/sentence"
	searchviews "github.com/secondlight/secondlight/views/search"
	"golang.org/x/text/language"
)

// services are what several nouns use, besides what the configuration holds.
type services struct {
	leases    *job.Leases
	words     *searchviews.Vocabulary
	names     *market.Names
	amounts   *market.Amounts
	estimates *market.Estimates
	trends    *market.Trends
	cards     *market.Cards
	guides    *market.Guides
	queries   *query.Reader
	party     *webauthn.WebAuthn // nil if passkeys are not available
	mailer    *mailer.Mailer

	mailServers *admin.MailServers
	photoStore  *picture.Store // photos of listings
	uploads     *photo.Uploads
	avifs       *photo.AVIFs
	checklists  *admin.Checklists
	settings    *settings.Settings
	pages       *content.Pages
	editor      *portfolio.Editor
	completer   *document.Completer
	hub         *watch.EventHub
}

// newServices returns services that call the server when they are used.
func newServices(cfg *Config, server func() *serve.Server) *services {
	db, site := cfg.Store, &cfg.Site
	changed := func(tags ...string) { server().Changed(tags...) }
	s := &services{
		leases:      &job.Leases{Store: db, Server: rand.Text()},
		words:       market.WordsOf(site, cfg.Catalog),
		names:       &market.Names{Prices: db.Prices, Catalog: cfg.Catalog, Index: cfg.Index, Log: cfg.Log, Clock: cfg.Clock},
		trends:      &market.Trends{Prices: db.Prices, Trades: db.Trades, Clock: cfg.Clock},
		amounts:     &market.Amounts{Listings: db.Listings, Site: site},
		party:       account.NewRelyingParty(site),
		mailServers: &admin.MailServers{Records: db.Site, Box: cfg.box(), SMTP: cfg.SMTP, From: cfg.MailFrom},
		mailer:      &mailer.Mailer{Deliveries: db.Deliveries, Site: site, Outbox: cfg.outbox},
		photoStore:  picture.NewStore(cfg.Files),
		editor:      newEditor(cfg),
		completer:   document.NewCompleter(cfg.Catalog, func() []web.ErrorCode { return server().ErrorCodes() }),
		hub:         watch.NewEventHub(db),
	}
	s.estimates = &market.Estimates{Prices: db.Prices, Store: db, Site: site, Catalog: cfg.Catalog, Feed: cfg.Feed, Leases: s.leases, StartedAt: cfg.Clock(), Changed: changed, Log: cfg.Log, Clock: cfg.Clock}
	s.cards = &market.Cards{Accounts: db.Accounts, Trends: s.trends, Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Estimates: s.estimates}
	s.guides = &market.Guides{Prices: db.Prices, Site: site, Index: cfg.Index, Cards: s.cards, Estimates: s.estimates, Clock: cfg.Clock}
	s.queries = &query.Reader{Accounts: db.Accounts, Site: site, Index: cfg.Index, Words: s.words, Gear: s.names, Binder: bind.NewBinder[query.Input](&vocabulary),
		Sentences: &sentence.Reader{Catalog: cfg.Catalog, Popularity: s.names.Popularity}}
	s.avifs = photo.NewAVIFs(cfg.Log)
	s.uploads = &photo.Uploads{Listings: db.Listings, Site: db.Site, Photos: s.photoStore, Log: cfg.Log, Clock: cfg.Clock, Started: cfg.Clock()}
	s.checklists = &admin.Checklists{Accounts: db.Accounts, Records: db.Site, Site: site, Library: cfg.Library, Party: s.party, DataDir: cfg.DataDir}
	s.settings = newSettings(cfg, func(tags []language.Tag) { server().OfferLanguages(tags) })
	s.pages = s.settings.Pages
	return s
}

// newSettings returns the settings and the pages of the site. They call offer with its
// languages.
func newSettings(cfg *Config, offer func([]language.Tag)) *settings.Settings {
	s := &settings.Settings{
		Prices: cfg.Store.Prices, Records: cfg.Store.Site, Store: cfg.Store, Site: &cfg.Site, Catalog: cfg.Catalog, Index: cfg.Index, Feed: cfg.Feed, Library: cfg.Library,
		Demo: &settings.DemoJob{Fill: cfg.FillDemo, Start: make(chan struct{}, 1)}, Convertible: cfg.ExchangeRates != "", DataDir: cfg.DataDir, OfferLanguages: offer, Log: cfg.Log, Clock: cfg.Clock,
	}
	s.Texts.Store(&settings.WrittenTexts{})
	s.Pages = content.OpenPages(os.DirFS(filepath.Join(cfg.DataDir, "pages")), settings.LanguageCodes(cfg.Site.Languages()), s.Facts(), cfg.Log)
	return s
}

// newEditor returns the editor of the portfolio. If servers share the files of the owner, it
// tells the others that they have changed; they find out by themselves too, but later.
func newEditor(cfg *Config) *portfolio.Editor {
	if cfg.Mirror == nil {
		var local *blob.Mirror
		if cfg.DataDir != "" {
			local = blob.NewMirror(nil, blob.Folder(cfg.DataDir))
		}
		return portfolio.NewEditor(local, cfg.Library)
	}
	editor := portfolio.NewEditor(cfg.Mirror, cfg.Library)
	editor.Changed = func() {
		ctx, cancel := context.WithTimeout(context.Background(), settings.ReloadTime)
		defer cancel()
		if err := cfg.Store.Site.FilesChanged(ctx); err != nil {
			cfg.Log.Warn("tell other servers about changed files", "err", err)
		}
	}
	return editor
}
