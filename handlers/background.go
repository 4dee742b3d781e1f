package handlers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/store"
	adminviews "github.com/secondlight/secondlight/views/admin"
)

// Background runs the background jobs until ctx is done.
func (s *Server) Background(ctx context.Context, intervals job.Intervals) error {
	s.idle.Store(int64(intervals.Due))
	var group sync.WaitGroup
	s.schedule.Start(ctx, &group, intervals)
	group.Go(func() { s.backups.Run(ctx) })
	group.Go(func() { s.avifs.Run(ctx) })
	group.Go(func() { s.runDemo(ctx) })
	group.Wait()
	ctx = context.WithoutCancel(ctx)
	return errors.Join(s.leases.Release(ctx, alertsJob), s.leases.Release(ctx, trendsJob))
}

// alertsJob and trendsJob are the names of the leases of the servers that queue instant
// alerts and webhooks about trends.
const (
	alertsJob = "instant alerts"
	trendsJob = "trend alerts"
)

// onOneServer returns the run of a job that calls do on one server at a time: when the
// index has changed, when an operator asks for it, and at an interval in any case, to
// finish the work of a server that stopped and to repeat what failed.
func (s *Server) onOneServer(leases *job.Leases, name string, do func(context.Context) error) func(context.Context, bool) error {
	var seen uint64
	var at time.Time
	return func(ctx context.Context, asked bool) error {
		version, now, idle := s.cfg.Index.Version(), time.Now(), time.Duration(s.idle.Load())
		if !asked && version == seen && now.Sub(at) < idle {
			return job.ErrNotDue
		}
		held, err := leases.Hold(ctx, name, max(job.LeaseTime, 2*idle))
		if err != nil {
			return err
		}
		if !held {
			return job.ErrNotDue
		}
		seen, at = version, now
		return do(ctx)
	}
}

// jobs returns the jobs of a server.
func (s *Server) jobs() []*job.Job {
	instant := func(i job.Intervals) time.Duration { return i.Instant }
	due := func(i job.Intervals) time.Duration { return i.Due }
	clean := func(i job.Intervals) time.Duration { return i.Clean }
	return []*job.Job{
		{Name: adminviews.JobInstantAlerts, Interval: instant, Run: s.onOneServer(s.leases, alertsJob, s.AlertNow)},
		{Name: adminviews.JobTrendAlerts, Interval: instant, Run: s.onOneServer(s.leases, trendsJob, s.NotifyTrends)},
		{Name: adminviews.JobDeadlines, Interval: due, Run: s.meetDeadlines},
		{Name: adminviews.JobPages, Interval: due, Run: job.Always(s.settings.ReloadTexts)},
		{Name: adminviews.JobImports, Interval: instant, Run: job.Always(s.RunImports)},
		{Name: adminviews.JobBulkFiles, Interval: due, Run: func(ctx context.Context, _ bool) error { return s.bulk.Refresh(ctx) }, Next: s.bulk.Due},
		{Name: adminviews.JobEstimates, Interval: due, Run: s.estimates.Refresh, Next: s.estimates.Due},
		{Name: adminviews.JobRates, Interval: due, Run: s.rates.Refresh, Next: s.rates.Due},
		{Name: adminviews.JobCleanup, Interval: clean, Run: s.cleanUp},
		{Name: adminviews.JobPhotoSweep, Interval: clean, Run: s.uploads.Sweep},
		{Name: adminviews.JobBackup, Interval: clean, Run: s.backups.Nightly},
		{Name: adminviews.JobStorage, Interval: clean, Run: job.Always(s.storage.Measure)},
		{Name: adminviews.JobMail, Run: s.retry(models.Mail)},
		{Name: adminviews.JobWebhooks, Run: s.retry(models.Webhook)},
	}
}

// meetDeadlines does what is due, unless the clock is in doubt, as cleanUp reports.
func (s *Server) meetDeadlines(ctx context.Context, now bool) error {
	err := s.cfg.Store.Site.CheckClock(ctx, now)
	switch {
	case errors.As(err, new(*store.ClockJump)):
		return job.ErrNotDue
	case err != nil:
		return err
	}
	return errors.Join(s.DoDue(ctx), readSitemaps(ctx, s.cfg.Store.Listings))
}

// retentionHour is the hour, UTC, in which data is deleted that was kept for long enough.
const retentionHour = 3

// cleanUp deletes what has had its time: by the settings at night or if an operator asks
// for it, the rest always. At night it also computes the trends that an import left
// outdated whose process died, and updates the statistics of the database.
func (s *Server) cleanUp(ctx context.Context, now bool) error {
	night := now || s.cfg.Clock().UTC().Hour() == retentionHour
	var err error
	if night {
		err = s.cfg.Store.RebuildOutdatedTrends(ctx)
	}
	if jump := s.cfg.Store.Site.CheckClock(ctx, now); jump != nil {
		return errors.Join(err, jump)
	}
	err = errors.Join(err, s.cfg.Store.Accounts.DeleteExpired(ctx), delivery.CleanOutbox(s.cfg.outbox, s.cfg.Clock().Add(-delivery.OutboxPeriod), ""))
	if night {
		err = errors.Join(err, s.cfg.Retention.Apply(ctx, s.cfg.Store), s.cfg.Store.Site.Optimize(ctx))
	}
	return err
}

// retry returns the run of a job that has deliveries tried again that wait after a
// failure.
func (s *Server) retry(kind models.DeliveryKind) func(context.Context, bool) error {
	return func(ctx context.Context, _ bool) error {
		n, err := s.cfg.Store.Deliveries.RetryDeliveries(ctx, kind)
		if err == nil && n == 0 {
			return job.ErrNotDue
		}
		return err
	}
}

// readSitemaps warms the sitemap cache.
func readSitemaps(ctx context.Context, listings *store.Listings) error {
	_, err := listings.SitemapChanges(ctx, document.SitemapListings)
	return err
}

// runDemo makes the data that is wanted, now and when it is requested, until ctx ends.
func (s *Server) runDemo(ctx context.Context) {
	j := s.settings.Demo
	for {
		if j.Wanted.Load() && j.Fill != nil {
			s.cfg.Log.Info("make demonstration data")
			if err := j.Fill(ctx); err != nil && ctx.Err() == nil {
				s.cfg.Log.Error("make demonstration data", "err", err)
				if err := s.cfg.Store.GiveUpDemo(ctx); err != nil {
					s.cfg.Log.Error("give up demonstration data", "err", err)
				}
			}
			s.UseFiles()
		}
		select {
		case <-ctx.Done():
			return
		case <-j.Start:
		}
	}
}
