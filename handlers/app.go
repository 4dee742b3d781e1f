package handlers

import (
	"context"
	"log/slog"
	"net/mail"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/bulk"
	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/query"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	adminviews "github.com/secondlight/secondlight/views/admin"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Config configures a Server.
type Config struct {
	Store   *store.Store
	Catalog *catalog.Catalog
	Index   *search.Index
	Feed    *search.Feed       // updates Index; nil if nothing does
	Library *portfolio.Library // the photographer's portfolio; may be nil
	Site    ui.Site
	DataDir string // where photos, the owner's pages and other files are stored
	// Files stores the photos and the other files that all servers of the site share; nil
	// means DataDir.
	Files blob.Bucket
	// Mirror fetches the owner's files from Files to DataDir; nil if they are there.
	Mirror *blob.Mirror

	BackupDir string         // where backups are stored; "" means backups in DataDir
	SMTP      *delivery.SMTP // mail server, nil if email is written to a folder
	MailFrom  mail.Address   // sender of email
	// FillDemo fills the database with demonstration data; nil offers none.
	FillDemo func(context.Context) error

	// Webhooks decides which webhook addresses are allowed; nil allows public addresses.
	Webhooks *delivery.Guard

	// ExchangeRates is a file or an https URL with exchange rates: listings may be in other
	// currencies than the site's. "" means that they may not.
	ExchangeRates string

	// RateLimit is the number of API requests a client may make per minute;
	// pages allow ten times as many. 0 means 100.
	RateLimit int
	// Redis counts the requests to all servers towards one rate limit; nil if each server
	// has its own.
	Redis *limit.Redis
	// Dev adds /ui, a page that shows every interface component.
	Dev bool
	// TrustedProxies are the networks whose X-Forwarded-For header is trusted.
	TrustedProxies []netip.Prefix

	// Retention says how long data is kept that nobody needs any more.
	Retention store.Retention

	// Metrics counts the requests; nil counts none.
	Metrics *Metrics
	// Tracer makes spans of requests, tool calls and background jobs; nil makes none.
	Tracer trace.Tracer
	// AccessLog is the share of requests that are logged, from 0 to 1.
	AccessLog float64

	// Version is that of the program, for its operators.
	Version string

	Clock models.Clock // nil means time.Now
	Log   *slog.Logger // nil means slog.Default
}

// app holds what the operations share.
type app struct {
	server *serve.Server // set before serving

	store       *store.Store
	catalog     *catalog.Catalog
	index       *search.Index
	feed        *search.Feed // nil if nothing updates the index
	library     *portfolio.Library
	editor      *portfolio.Editor
	pages       *content.Pages
	completer   *document.Completer
	words       *searchviews.Vocabulary
	site        *ui.Site
	log         *slog.Logger
	clock       func() time.Time
	guard       *delivery.Guard
	party       *webauthn.WebAuthn // nil if passkeys are not available
	photoStore  *picture.Store     // photos of listings
	bulk        *bulk.Bulk
	estimates   *market.Estimates
	gear        *market.Names
	cards       *market.Cards
	guides      *market.Guides
	amounts     *market.Amounts
	queries     *query.Reader
	uploads     *photo.Uploads
	mailer      *mailer.Mailer
	settings    *settings.Settings
	checklists  *admin.Checklists
	rates       *market.Rates
	convertible bool // whether there are exchange rates
	dataDir     string
	files       blob.Bucket  // nil without a data folder
	mirror      *blob.Mirror // of the owner's files; nil if they are stored in the data folder
	demo        *settings.DemoJob
	health      *health
	storage     *admin.Storage
	errors      *admin.LoggedErrors
	tracer      trace.Tracer // nil if nothing is traced
	schedule    *job.Schedule
	leases      *job.Leases
	idle        atomic.Int64 // see onOneServer
	retention   store.Retention
	program     string // its version
	startedAt   time.Time
	id          string // of this server, as the holder of leases
	hub         *watch.EventHub
	backups     *admin.Backups

	mailSettings adminviews.MailSettings // how email is sent

	searchBuffers *sync.Pool // of *searchBuffer
	searchBinder  *bind.Binder[query.Input]
}
