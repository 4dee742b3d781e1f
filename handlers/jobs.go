package handlers

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	adminviews "github.com/secondlight/secondlight/views/admin"
)

// job is work that the program does by itself. Every server runs all jobs; what must
// happen once is claimed in the database.
type job struct {
	name     adminviews.JobName
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

// Intervals are the intervals of the background jobs. Every server runs all of them;
// work that must happen once is claimed in the database.
type Intervals struct {
	Instant time.Duration // instant searches, price drops and changed trends
	Due     time.Duration // daily and weekly searches, reminders, expired listings and offers, sales to confirm, bulk files
	Clean   time.Duration // deletion of expired data
}

// DefaultIntervals are the intervals of a production server.
var DefaultIntervals = Intervals{Instant: 2 * time.Second, Due: 30 * time.Second, Clean: time.Hour}

// errNotDue is returned by jobs that have nothing to do, or of which another server does
// the work.
var errNotDue = errors.New("the job is not due")

// recordInterval limits how often runs without news are recorded.
const recordInterval = time.Minute

// always returns the run of a job that has something to do at every turn.
func always(do func(context.Context) error) func(context.Context, bool) error {
	return func(ctx context.Context, _ bool) error { return do(ctx) }
}

// schedule runs the background jobs of a server.
type schedule struct {
	jobs   []*job
	store  *store.Site
	clock  models.Clock
	log    *slog.Logger
	tracer trace.Tracer // nil if nothing is traced
}

// start runs the jobs at their turns, in a group, until ctx ends.
func (s *schedule) start(ctx context.Context, group *sync.WaitGroup, intervals Intervals) {
	for _, j := range s.jobs {
		if j.interval != nil {
			group.Go(func() { s.keep(ctx, j, j.interval(intervals)) })
		}
	}
}

// keep runs a job at every turn until ctx ends.
func (s *schedule) keep(ctx context.Context, j *job, every time.Duration) {
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
func (s *schedule) perform(ctx context.Context, j *job, now bool) error {
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
func (s *schedule) runTraced(ctx context.Context, j *job, now bool) error {
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
func (s *schedule) record(ctx context.Context, j *job, started time.Time, took time.Duration, err error, now bool) {
	j.recording.Lock()
	defer j.recording.Unlock()
	if failed := err != nil; now || failed != j.failed || started.Sub(j.recordedAt) >= recordInterval {
		j.recordedAt, j.failed = started, failed
		if err := s.store.RecordJob(ctx, string(j.name), started, took, err); err != nil && ctx.Err() == nil {
			s.log.Warn("record background job", "job", j.name, "err", err)
		}
	}
}

// RecordDelivery records an attempt to send a delivery as a run of its job. err is nil if
// it was sent.
func (s *schedule) RecordDelivery(ctx context.Context, kind models.DeliveryKind, started time.Time, took time.Duration, err error) {
	name := adminviews.JobMail
	if kind == models.Webhook {
		name = adminviews.JobWebhooks
	}
	s.record(ctx, s.job(name), started, took, err, false)
}

// job returns the job with a name, or nil.
func (s *schedule) job(name adminviews.JobName) *job {
	i := slices.IndexFunc(s.jobs, func(j *job) bool { return j.name == name })
	if i < 0 {
		return nil
	}
	return s.jobs[i]
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
