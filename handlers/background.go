package handlers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/secondlight/secondlight/models"
	adminviews "github.com/secondlight/secondlight/views/admin"
)

// Background runs the background jobs until ctx is done.
func (s *app) Background(ctx context.Context, intervals Intervals) error {
	s.idle.Store(int64(intervals.Due))
	var group sync.WaitGroup
	s.schedule.start(ctx, &group, intervals)
	group.Go(func() { s.backups.run(ctx) })
	group.Go(func() { s.runDemo(ctx) })
	group.Wait()
	ctx = context.WithoutCancel(ctx)
	return errors.Join(s.leases.release(ctx, alertsJob), s.leases.release(ctx, trendsJob))
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
func (s *app) onOneServer(leases *leases, name string, do func(context.Context) error) func(context.Context, bool) error {
	var seen uint64
	var at time.Time
	return func(ctx context.Context, asked bool) error {
		version, now, idle := s.index.Version(), time.Now(), time.Duration(s.idle.Load())
		if !asked && version == seen && now.Sub(at) < idle {
			return errNotDue
		}
		held, err := leases.hold(ctx, name, max(leaseTime, 2*idle))
		if err != nil {
			return err
		}
		if !held {
			return errNotDue
		}
		seen, at = version, now
		return do(ctx)
	}
}

// newJobs returns the jobs of a server.
func (s *app) newJobs() []*job {
	alerts := alerts{s.watchDeps()}
	instant := func(i Intervals) time.Duration { return i.Instant }
	due := func(i Intervals) time.Duration { return i.Due }
	clean := func(i Intervals) time.Duration { return i.Clean }
	return []*job{
		{name: adminviews.JobInstantAlerts, interval: instant, run: s.onOneServer(s.leases, alertsJob, alerts.AlertNow)},
		{name: adminviews.JobTrendAlerts, interval: instant, run: s.onOneServer(s.leases, trendsJob, alerts.NotifyTrends)},
		{name: adminviews.JobDeadlines, interval: due, run: always(func(ctx context.Context) error { return errors.Join(alerts.DoDue(ctx), s.readSitemaps(ctx)) })},
		{name: adminviews.JobPages, interval: due, run: always(s.settings.reloadTexts)},
		{name: adminviews.JobImports, interval: instant, run: always(s.adminDeps().RunImports)},
		{name: adminviews.JobBulkFiles, interval: due, run: func(ctx context.Context, _ bool) error { return s.bulk.refresh(ctx) }, next: s.bulk.due},
		{name: adminviews.JobEstimates, interval: due, run: s.estimates.refresh, next: s.estimates.due},
		{name: adminviews.JobRates, interval: due, run: s.rates.refresh, next: s.rates.due},
		{name: adminviews.JobCleanup, interval: clean, run: s.cleanUp},
		{name: adminviews.JobPhotoSweep, interval: clean, run: s.uploads.SweepPhotos},
		{name: adminviews.JobStorage, interval: clean, run: always(s.storage.measure)},
		{name: adminviews.JobMail, run: s.retry(models.Mail)},
		{name: adminviews.JobWebhooks, run: s.retry(models.Webhook)},
	}
}

// retentionHour is the hour, UTC, in which data is deleted that was kept for long enough.
const retentionHour = 3

// cleanUp deletes what has had its time: by the settings at night or if an operator asks
// for it, the rest always. At night it also computes the trends that an import left
// outdated whose process died.
func (s *app) cleanUp(ctx context.Context, now bool) error {
	err := s.store.Accounts.DeleteExpired(ctx)
	if now || s.clock().UTC().Hour() == retentionHour {
		err = errors.Join(err, s.store.RebuildOutdatedTrends(ctx), s.retention.Apply(ctx, s.store))
	}
	return err
}

// retry returns the run of a job that has deliveries tried again that wait after a
// failure.
func (s *app) retry(kind models.DeliveryKind) func(context.Context, bool) error {
	return func(ctx context.Context, _ bool) error {
		n, err := s.store.Deliveries.RetryDeliveries(ctx, kind)
		if err == nil && n == 0 {
			return errNotDue
		}
		return err
	}
}

// readSitemaps reads what crawlers would wait for.
func (s *app) readSitemaps(ctx context.Context) error {
	_, err := s.store.Listings.SitemapChanges(ctx, sitemapListings)
	return err
}

// runDemo makes the data that is wanted, now and when it is requested, until ctx ends.
func (s *app) runDemo(ctx context.Context) {
	j := s.demo
	for {
		if j.wanted.Load() && j.fill != nil {
			s.log.Info("make demonstration data")
			if err := j.fill(ctx); err != nil && ctx.Err() == nil {
				s.log.Error("make demonstration data", "err", err)
				if err := s.store.GiveUpDemo(ctx); err != nil {
					s.log.Error("give up demonstration data", "err", err)
				}
			}
			s.settings.reloadSite()
			if s.library != nil {
				s.library.Reload()
			}
			s.server.Changed()
		}
		select {
		case <-ctx.Done():
			return
		case <-j.start:
		}
	}
}
