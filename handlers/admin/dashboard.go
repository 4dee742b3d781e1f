package admin

import (
	"context"
	"runtime"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/admin"
)

// adminOps holds the operations of operators on the dashboard, members and background
// jobs.
type adminOps struct{ Deps }

func (s adminOps) getDashboard() web.Operation {
	return web.Op[struct{}, *views.Admin]{
		Name: "get_dashboard", Path: "/api/admin", Page: "/admin",
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Dashboard",
		Summary:     "Returns open tasks for operators and site health.",
		Description: "Returns open tasks, sales, listings and sign-ups of the last days, models without a price, queues, storage, errors of the server that answers, and versions.",
		Sample:      s.sampleDashboard,
		Do:          s.readDashboard,
	}.Operation()
}

func (s adminOps) readDashboard(ctx context.Context, _ *struct{}) (*views.Admin, error) {
	parts := &views.AdminParts{ForSale: s.Index.Len(), StartedAt: models.TimeOf(s.StartedAt)}
	var err error
	if parts.Waiting, err = s.waitingForOperators(ctx); err != nil {
		return nil, err
	}
	if parts.Sales, err = s.Moderation.SalesActivity(ctx); err != nil {
		return nil, err
	}
	if parts.Listings, err = s.Moderation.ListingActivity(ctx); err != nil {
		return nil, err
	}
	if parts.SignUps, err = s.Moderation.SignUpActivity(ctx); err != nil {
		return nil, err
	}
	if parts.Queues, err = s.Moderation.Queues(ctx); err != nil {
		return nil, err
	}
	if parts.PausedAt, err = s.Deliveries.DeliveriesPaused(ctx); err != nil {
		return nil, err
	}
	schema, err := s.Moderation.Schema(ctx)
	if err != nil {
		return nil, err
	}
	parts.Versions = views.AdminVersions{Program: s.Program, Go: runtime.Version(), API: s.API, Database: schema.Engine, Schema: int(schema.Version)}
	parts.Storage = []views.AdminStorage{views.NewDatabaseStorage(schema.Size)}
	if use := s.Storage.last.Load(); use != nil {
		parts.MeasuredAt, parts.FreeBytes = use.at, use.free
		for _, f := range use.folders {
			parts.Storage = append(parts.Storage, views.NewFolderStorage(f.name, f.bytes))
		}
	}
	if s.Site.Purpose().HasShop() {
		if parts.Unpriced, err = s.Estimates.Unpriced(ctx); err != nil {
			return nil, err
		}
	}
	total, last := s.Errors.Recent()
	parts.ErrorCount = total
	for _, e := range last {
		parts.Errors = append(parts.Errors, views.AdminError{At: models.TimeOf(e.at).RFC3339(), Message: e.message, Cause: e.cause})
	}
	return views.NewAdmin(s.Site, parts), nil
}

// waitingForOperators counts the items that await an operator's decision.
func (s adminOps) waitingForOperators(ctx context.Context) (w views.AdminWaiting, err error) {
	if w.Reports, err = s.Moderation.CountReports(ctx); err != nil {
		return w, err
	}
	if w.Sales, err = s.Trades.CountSalesToReview(ctx); err != nil {
		return w, err
	}
	checks, err := s.Moderation.CountChecks(ctx)
	if err != nil {
		return w, err
	}
	w.Held, w.Possession, w.Stolen, w.PhotoNotes = checks.Held, checks.Possession, checks.Stolen, checks.Photos
	if w.Contact, err = s.Records.CountContactMessages(ctx, models.ContactOpen); err != nil {
		return w, err
	}
	w.Pages, w.Portfolio = len(s.Settings.Pages.Refused()), len(s.Settings.Library.Portfolio().Problems)
	runs, err := s.Records.JobRuns(ctx)
	for _, run := range runs {
		if run.Error != "" {
			w.FailingJobs++
		}
	}
	return w, err
}

// sampleDashboard returns an example dashboard.
func (s adminOps) sampleDashboard() *views.Admin {
	return views.NewAdmin(s.Site, &views.AdminParts{
		Waiting: views.AdminWaiting{Reports: 2, Held: 1}, ForSale: 412,
		Sales: models.Activity{Day: 3, Week: 24, Month: 97}, Listings: models.Activity{Day: 11, Week: 68, Month: 240}, SignUps: models.Activity{Day: 1, Week: 9, Month: 31},
		Queues: []models.Queue{{Kind: models.Mail, Waiting: 4, Retried: 1, OldestAt: sample.Day}, {Kind: models.Webhook}}, PausedAt: sample.Day,
		Storage: []views.AdminStorage{views.NewDatabaseStorage(118 << 20), {Name: "photos", Megabytes: 5230}}, FreeBytes: 81 << 30, MeasuredAt: sample.Day,
		ErrorCount: 1, Errors: []views.AdminError{{At: sample.Day.RFC3339(), Message: "run background job", Cause: "the disk is full"}}, StartedAt: sample.Day,
		Versions: views.AdminVersions{Program: "0.2.0", Go: "go1.25.3", API: s.API, Database: "SQLite", Schema: 28},
		Unpriced: market.SampleUnpriced(s.Catalog),
	})
}
