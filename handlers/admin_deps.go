package handlers

import (
	"log/slog"
	"time"

	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	adminviews "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// adminDeps are the stores and services that the operations use.
type adminDeps struct {
	Listings   *store.Listings
	Trades     *store.Trades
	Accounts   *store.Accounts
	Deliveries *store.Deliveries
	Moderation *store.Moderation
	Records    *store.Site
	Store      *store.Store
	Site       *ui.Site
	Catalog    *catalog.Catalog
	Index      *search.Index
	Gear       *gearNames
	Uploads    *photoUploads
	Mailer     *mailer
	Settings   *siteSettings
	Checklist  *checklister
	Leases     *leases
	Backups    *backups
	Storage    *storage
	Schedule   *schedule
	Errors     *loggedErrors
	Mail       adminviews.MailSettings
	DataDir    string
	API        string // version of the API
	Program    string
	StartedAt  time.Time
	Server     *serve.Server
	Log        *slog.Logger
	Clock      models.Clock
}
