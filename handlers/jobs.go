package handlers

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/codes"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// job is work that the program does by itself. Every server runs all jobs; what must
// happen once is claimed in the database.
type job struct {
	name     views.JobName
	interval func(Intervals) time.Duration // nil if something else runs it
	// run does the work and returns errNotDue if there is none. now is set if an operator
	// asks for it.
	run  func(ctx context.Context, now bool) error
	next func() time.Time // when it has work again, if that is not at its next turn; may be nil

	turn    atomic.Int64 // its next turn on this server, in Unix milliseconds; 0 for none
	running sync.Mutex

	recording  sync.Mutex
	recordedAt time.Time
	failed     bool // when it was recorded
}

// errNotDue is returned by jobs that have nothing to do, or of which another server does
// the work.
var errNotDue = errors.New("the job is not due")

// recordInterval limits how often runs without news are recorded.
const recordInterval = time.Minute

// always returns the run of a job that has something to do at every turn.
func always(do func(context.Context) error) func(context.Context, bool) error {
	return func(ctx context.Context, _ bool) error { return do(ctx) }
}

// newJobs returns the jobs of a server. server identifies it to the others.
func (s jobs) newJobs(server string) []*job {
	instant := func(i Intervals) time.Duration { return i.Instant }
	due := func(i Intervals) time.Duration { return i.Due }
	clean := func(i Intervals) time.Duration { return i.Clean }
	return []*job{
		{name: views.JobInstantAlerts, interval: instant, run: s.onOneServer(alertsJob, server, s.AlertNow)},
		{name: views.JobTrendAlerts, interval: instant, run: s.onOneServer(trendsJob, server, s.NotifyTrends)},
		{name: views.JobDeadlines, interval: due, run: always(s.DoDue)},
		{name: views.JobPages, interval: due, run: always(s.reloadTexts)},
		{name: views.JobImports, interval: instant, run: always(s.RunImports)},
		{name: views.JobBulkFiles, interval: due, run: func(ctx context.Context, _ bool) error { return s.bulk.refresh(ctx) }, next: s.bulk.due},
		{name: views.JobEstimates, interval: due, run: s.estimates.refresh, next: s.estimates.due},
		{name: views.JobRates, interval: due, run: s.rates.refresh, next: s.rates.due},
		{name: views.JobCleanup, interval: clean, run: s.cleanUp},
		{name: views.JobPhotoSweep, interval: clean, run: s.SweepPhotos},
		{name: views.JobStorage, interval: clean, run: always(s.storage.measure)},
		{name: views.JobMail, run: s.retry(models.Mail)},
		{name: views.JobWebhooks, run: s.retry(models.Webhook)},
	}
}

// exclusively calls do under a lease, which it renews. It returns errNotDue if another server
// holds the lease.
func (s *app) exclusively(ctx context.Context, lease string, do func(context.Context) error) error {
	held, err := s.store.Exclusive(ctx, lease, do)
	if err == nil && !held {
		return errNotDue
	}
	return err
}

// retentionHour is the hour, UTC, in which data is deleted that was kept for long enough.
const retentionHour = 3

// cleanUp deletes what has had its time: by the settings at night or if an operator asks
// for it, the rest always. At night it also computes the trends that an import left
// outdated whose process died.
func (s jobs) cleanUp(ctx context.Context, now bool) error {
	err := s.store.Accounts.DeleteExpired(ctx)
	if now || s.clock().UTC().Hour() == retentionHour {
		err = errors.Join(err, s.store.RebuildOutdatedTrends(ctx), s.retention.Apply(ctx, s.store))
	}
	return err
}

// retry returns the run of a job that has deliveries tried again that wait after a
// failure.
func (s jobs) retry(kind models.DeliveryKind) func(context.Context, bool) error {
	return func(ctx context.Context, _ bool) error {
		n, err := s.store.Deliveries.RetryDeliveries(ctx, kind)
		if err == nil && n == 0 {
			return errNotDue
		}
		return err
	}
}

// keep runs a job at every turn until ctx ends.
func (s jobs) keep(ctx context.Context, j *job, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		j.turn.Store(s.clock().Add(every).UnixMilli())
		_ = s.perform(ctx, j, false) // it is logged
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// perform runs a job once, unless it runs already, and records the run. It returns
// errNotDue if there was nothing to do.
func (s jobs) perform(ctx context.Context, j *job, now bool) error {
	if !j.running.TryLock() {
		return nil
	}
	defer j.running.Unlock()
	started, begin := s.clock(), time.Now()
	err := s.runTraced(ctx, j, now)
	if errors.Is(err, errNotDue) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		s.log.Error("run background job", "job", j.name, "err", err)
	}
	s.record(ctx, j, started, time.Since(begin), err, now)
	return err
}

// runTraced runs a job in a span, if the server traces.
func (s jobs) runTraced(ctx context.Context, j *job, now bool) error {
	if s.tracer == nil {
		return j.run(ctx, now)
	}
	ctx, span := s.tracer.Start(ctx, "job "+string(j.name))
	defer span.End()
	err := j.run(ctx, now)
	if err != nil && !errors.Is(err, errNotDue) {
		span.SetStatus(codes.Error, "")
	}
	return err
}

// record stores a run of a job: at once if an operator asked for it or its outcome
// changed, otherwise once in a while.
func (s jobs) record(ctx context.Context, j *job, started time.Time, took time.Duration, err error, now bool) {
	j.recording.Lock()
	defer j.recording.Unlock()
	if failed := err != nil; now || failed != j.failed || started.Sub(j.recordedAt) >= recordInterval {
		j.recordedAt, j.failed = started, failed
		if err := s.store.Site.RecordJob(ctx, string(j.name), started, took, err); err != nil && ctx.Err() == nil {
			s.log.Warn("record background job", "job", j.name, "err", err)
		}
	}
}

// RecordDelivery records an attempt to send a delivery as a run of its job. err is nil if
// it was sent.
func (s jobs) RecordDelivery(ctx context.Context, kind models.DeliveryKind, started time.Time, took time.Duration, err error) {
	name := views.JobMail
	if kind == models.Webhook {
		name = views.JobWebhooks
	}
	s.record(ctx, s.job(name), started, took, err, false)
}

// job returns the job with a name, or nil.
func (s *app) job(name views.JobName) *job {
	i := slices.IndexFunc(s.schedule, func(j *job) bool { return j.name == name })
	if i < 0 {
		return nil
	}
	return s.schedule[i]
}

// nextRun returns when a job runs next on this server, 0 if it has no turns.
func (j *job) nextRun() models.Time {
	turn := models.Time(j.turn.Load())
	if turn == 0 || j.next == nil {
		return turn
	}
	return max(turn, models.TimeOf(j.next()))
}

// busy reports whether the job runs.
func (j *job) busy() bool {
	if !j.running.TryLock() {
		return true
	}
	j.running.Unlock()
	return false
}
