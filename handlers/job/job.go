// Package job runs background jobs, and makes sure that one server does what must happen once.
package job

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

// Job is work that the program does by itself. Every server runs all jobs; what must
// happen once is claimed in the database.
type Job struct {
	Name     adminviews.JobName
	Interval func(Intervals) time.Duration // nil if something else runs it
	// run does the work and returns ErrNotDue if there is none. now is set if an operator
	// asks for it.
	Run  func(ctx context.Context, now bool) error
	Next func() time.Time // when it has work again, if that is not at its next turn; may be nil

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

// ErrNotDue is returned by jobs that have nothing to do, or of which another server does
// the work.
var ErrNotDue = errors.New("the job is not due")

// recordInterval limits how often runs without news are recorded.
const recordInterval = time.Minute

// Always returns the run of a job that has something to do at every turn.
func Always(do func(context.Context) error) func(context.Context, bool) error {
	return func(ctx context.Context, _ bool) error { return do(ctx) }
}

// Schedule runs the background jobs of a server.
type Schedule struct {
	Jobs   []*Job
	Store  *store.Site
	Clock  models.Clock
	Log    *slog.Logger
	Tracer trace.Tracer // nil if nothing is traced
}

// Start runs the jobs at their turns, in a group, until ctx ends.
func (s *Schedule) Start(ctx context.Context, group *sync.WaitGroup, intervals Intervals) {
	for _, j := range s.Jobs {
		if j.Interval != nil {
			group.Go(func() { s.keep(ctx, j, j.Interval(intervals)) })
		}
	}
}

// keep runs a job at every turn until ctx ends.
func (s *Schedule) keep(ctx context.Context, j *Job, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		j.turn.Store(s.Clock().Add(every).UnixMilli())
		_ = s.Perform(ctx, j, false) // it is logged
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Perform runs a job once, unless it runs already, and records the run. It returns
// ErrNotDue if there was nothing to do.
func (s *Schedule) Perform(ctx context.Context, j *Job, now bool) error {
	if !j.running.TryLock() {
		return nil
	}
	defer j.running.Unlock()
	started, begin := s.Clock(), time.Now()
	err := s.runTraced(ctx, j, now)
	if errors.Is(err, ErrNotDue) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		s.Log.Error("run background job", "job", j.Name, "err", err)
	}
	s.record(ctx, j, started, time.Since(begin), err, now)
	return err
}

// runTraced runs a job in a span, if the server traces.
func (s *Schedule) runTraced(ctx context.Context, j *Job, now bool) error {
	if s.Tracer == nil {
		return j.Run(ctx, now)
	}
	ctx, span := s.Tracer.Start(ctx, "job "+string(j.Name))
	defer span.End()
	err := j.Run(ctx, now)
	if err != nil && !errors.Is(err, ErrNotDue) {
		span.SetStatus(codes.Error, "")
	}
	return err
}

// record stores a run of a job: at once if an operator asked for it or its outcome
// changed, otherwise once in a while.
func (s *Schedule) record(ctx context.Context, j *Job, started time.Time, took time.Duration, err error, now bool) {
	j.recording.Lock()
	defer j.recording.Unlock()
	if failed := err != nil; now || failed != j.failed || started.Sub(j.recordedAt) >= recordInterval {
		j.recordedAt, j.failed = started, failed
		if err := s.Store.RecordJob(ctx, string(j.Name), started, took, err); err != nil && ctx.Err() == nil {
			s.Log.Warn("record background job", "job", j.Name, "err", err)
		}
	}
}

// RecordDelivery records an attempt to send a delivery as a run of its job. err is nil if
// it was sent.
func (s *Schedule) RecordDelivery(ctx context.Context, kind models.DeliveryKind, started time.Time, took time.Duration, err error) {
	name := adminviews.JobMail
	if kind == models.Webhook {
		name = adminviews.JobWebhooks
	}
	s.record(ctx, s.Job(name), started, took, err, false)
}

// Job returns the job with a name, or nil.
func (s *Schedule) Job(name adminviews.JobName) *Job {
	i := slices.IndexFunc(s.Jobs, func(j *Job) bool { return j.Name == name })
	if i < 0 {
		return nil
	}
	return s.Jobs[i]
}

// NextRun returns when a job runs next on this server, 0 if it has no turns.
func (j *Job) NextRun() models.Time {
	turn := models.Time(j.turn.Load())
	if turn == 0 || j.Next == nil {
		return turn
	}
	return max(turn, models.TimeOf(j.Next()))
}

// Busy reports whether the job runs.
func (j *Job) Busy() bool {
	if !j.running.TryLock() {
		return true
	}
	j.running.Unlock()
	return false
}
