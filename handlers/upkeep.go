package handlers

import (
	"sync/atomic"

	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/bulk"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/market"
)

// upkeep is what works in the background and what operators see of it.
type upkeep struct {
	schedule *job.Schedule
	idle     atomic.Int64 // see onOneServer
	rates    *market.Rates
	bulk     *bulk.Bulk
	backups  *admin.Backups
	storage  *admin.Storage
	errors   *admin.LoggedErrors
}

// newUpkeep returns upkeep without jobs.
func newUpkeep(cfg *Config, shared *services, errors *admin.LoggedErrors) *upkeep {
	db, site, leases := cfg.Store, &cfg.Site, shared.leases
	u := &upkeep{
		schedule: &job.Schedule{Store: db.Site, Clock: cfg.Clock, Log: cfg.Log, Tracer: cfg.Tracer},
		rates:    &market.Rates{Prices: db.Prices, Site: site, Leases: leases, Guard: cfg.Webhooks, Log: cfg.Log, Clock: cfg.Clock, Source: cfg.ExchangeRates},
		bulk:     &bulk.Bulk{Prices: db.Prices, Site: site, Index: cfg.Index, Feed: cfg.Feed, Catalog: cfg.Catalog, Estimates: shared.estimates, Leases: leases, Files: cfg.Files, DataDir: cfg.DataDir, Clock: cfg.Clock},
		backups:  &admin.Backups{Moderation: db.Moderation, Records: db.Site, Store: db, Site: site, Files: cfg.Files, Log: cfg.Log, Clock: cfg.Clock, Leases: leases, Box: cfg.box(), Dir: cfg.BackupDir, Wanted: make(chan struct{}, 1)},
		storage:  &admin.Storage{Clock: cfg.Clock, Dir: cfg.DataDir},
		errors:   errors,
	}
	u.idle.Store(int64(job.DefaultIntervals.Due))
	return u
}
