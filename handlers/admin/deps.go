// Package admin has the operations of those who run the site.
package admin

import (
	"log/slog"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings   *store.Listings
	Trades     *store.Trades
	Accounts   *store.Accounts
	Deliveries *store.Deliveries
	Moderation *store.Moderation
	Records    *store.Site
	Imports    *store.Imports
	Store      *store.Store
	Site       *ui.Site
	Catalog    *catalog.Catalog
	Index      *search.Index
	Gear       *market.Names
	Estimates  *market.Estimates
	Uploads    *photo.Uploads
	Mailer     *mailer.Mailer
	Settings   *settings.Settings
	Checklist  *Checklists
	Leases     *job.Leases
	Backups    *Backups
	Storage    *Storage
	Guard      *delivery.Guard // of addresses that photographs are fetched from
	Schedule   *job.Schedule
	Errors     *LoggedErrors
	Mail       *MailServers
	DataDir    string
	API        string // version of the API
	Program    string
	StartedAt  time.Time
	Log        *slog.Logger
	Clock      models.Clock
}
