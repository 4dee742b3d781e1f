package handlers

import (
	"cmp"
	"context"
	"log/slog"
	"net/mail"
	"net/netip"
	"path/filepath"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/sealed"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
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
	outbox  string // folder in DataDir of emails that no mail server sends; "" without DataDir
	// Files stores the photos and the other files that all servers of the site share; nil
	// means DataDir.
	Files blob.Bucket
	// Mirror fetches the owner's files from Files to DataDir; nil if they are there.
	Mirror *blob.Mirror

	// SecretKey encrypts the secrets that the owner enters; "" means a key in a file of DataDir.
	SecretKey string

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
	// SiteID identifies the site, and Instance the running server.
	SiteID, Instance string

	Clock models.Clock // nil means time.Now
	Log   *slog.Logger // nil means slog.Default
}

// keyFile is the file in DataDir with the key of the secrets that the owner enters.
const keyFile = "secret.key"

// box returns what encrypts the secrets that the owner enters.
func (c *Config) box() sealed.Box {
	return sealed.Box{Secret: c.SecretKey, File: filepath.Join(c.DataDir, keyFile)}
}

// complete returns the configuration with its defaults filled in, and the record of errors
// logged from now on.
func (c Config) complete() (*Config, *admin.LoggedErrors) {
	log := admin.NewErrorLog(cmp.Or(c.Log, slog.Default()).Handler())
	c.Log = slog.New(log)
	c.Webhooks = cmp.Or(c.Webhooks, &delivery.Guard{})
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Files == nil && c.DataDir != "" {
		c.Files = blob.Folder(c.DataDir)
	}
	if c.BackupDir == "" && c.DataDir != "" {
		c.BackupDir = filepath.Join(c.DataDir, "backups")
	}
	if c.DataDir != "" {
		c.outbox = filepath.Join(c.DataDir, "outbox")
	}
	c.Site.Adjustable()
	c.Site.Clock = c.Clock
	return &c, log.LoggedErrors
}
