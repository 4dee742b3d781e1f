package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
)

// maxJobError is the greatest length of a stored error, in bytes.
const maxJobError = 1000

// RecordJob stores the run of a job in place of the one before. err is nil if it succeeded.
func (s *Site) RecordJob(ctx context.Context, job string, started time.Time, took time.Duration, err error) error {
	run := models.JobRun{Job: job, StartedAt: models.TimeOf(started), Took: took.Milliseconds()}
	if err != nil {
		run.Error, run.FailedAt = jobError(err), run.StartedAt
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO job_runs (job, started_at, took, error, failed_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (job) DO UPDATE SET started_at = excluded.started_at, took = excluded.took, error = excluded.error,
				failed_at = CASE WHEN excluded.failed_at > 0 THEN excluded.failed_at ELSE job_runs.failed_at END`,
			run.Job, run.StartedAt, run.Took, run.Error, run.FailedAt)
		return err
	})
}

// jobError returns the beginning of an error that the database can store.
func jobError(err error) string {
	text := err.Error()
	if !models.Storable(text) {
		return "unprintable error"
	}
	if len(text) <= maxJobError {
		return text
	}
	end := maxJobError
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// JobRuns returns the last run of each job that has run, by its name.
func (s *Site) JobRuns(ctx context.Context) (map[string]models.JobRun, error) {
	var list []models.JobRun
	if err := s.read.SelectContext(ctx, &list, `SELECT job, started_at, took, error, failed_at FROM job_runs`); err != nil {
		return nil, err
	}
	runs := make(map[string]models.JobRun, len(list))
	for _, run := range list {
		runs[run.Job] = run
	}
	return runs, nil
}

// Lease acquires or extends the exclusive right to do the named work for a
// duration, and reports whether the holder has it. It has not while another
// holder's lease lasts.
func (db *database) Lease(ctx context.Context, name, holder string, d time.Duration) (held bool, err error) {
	now := db.now()
	err = db.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE leases.holder = excluded.holder OR leases.until <= $4`,
			name, holder, now.Add(d), now)
		held = n == 1
		return err
	})
	return held, err
}

// ReleaseLease ends a lease of the holder, if there is one.
func (db *database) ReleaseLease(ctx context.Context, name, holder string) error {
	return db.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM leases WHERE name = $1 AND holder = $2`, name, holder)
		return err
	})
}

// exclusiveLease is how long others wait after a program has stopped in a call of
// Exclusive.
const exclusiveLease = 2 * time.Minute

// Exclusive calls do, unless another call with the same name is running, in whichever
// program that uses the database: then held is false. The context of do ends if the right is
// lost, because the database could not be reached for long.
func (db *database) Exclusive(ctx context.Context, name string, do func(context.Context) error) (held bool, err error) {
	holder := rand.Text()
	if held, err := db.Lease(ctx, name, holder, exclusiveLease); err != nil || !held {
		return false, err
	}
	working, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		for {
			select {
			case <-working.Done():
				return
			case <-time.After(exclusiveLease / 4):
			}
			if held, err := db.Lease(working, name, holder, exclusiveLease); err == nil && !held {
				stop(fmt.Errorf("the lease %q was lost", name))
			}
		}
	})
	err = do(working)
	stop(nil)
	renewing.Wait()
	return true, errors.Join(err, db.ReleaseLease(context.WithoutCancel(ctx), name, holder))
}

// serverLease begins the names of the leases of running servers, and serverLeaseTime is how long
// that of a killed one lasts.
const (
	serverLease     = "server "
	serverLeaseTime = 30 * time.Second
)

// Announce records that a server runs on the database, for Inspect, until ctx ends, and returns
// its error. The database of an embedded server is locked as a file instead.
func (db *database) Announce(ctx context.Context, instance string) error {
	for db.link != nil {
		_, _ = db.Lease(ctx, serverLease+instance, instance, serverLeaseTime) // fails in an outage, and is repeated
		select {
		case <-ctx.Done():
			_ = db.ReleaseLease(context.WithoutCancel(ctx), serverLease+instance, instance) // or it ends by itself
			return ctx.Err()
		case <-time.After(serverLeaseTime / 3):
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

// lockName makes other transactions that lock the same name wait until this one ends.
func lockName(ctx context.Context, t *tx, name string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO leases (name, holder, until) VALUES ($1, '', 0) ON CONFLICT (name) DO UPDATE SET until = 0`, name)
	return err
}

// lockMember makes other transactions that lock the member wait until this one ends,
// so that what they count does not change meanwhile. It returns the member's role, or
// "" for a member without an account.
func lockMember(ctx context.Context, t *tx, memberID string) (role models.Role, err error) {
	var roles []models.Role
	err = t.SelectContext(ctx, &roles, `UPDATE accounts SET role = role WHERE member_id = $1 RETURNING role`, memberID)
	if err != nil || len(roles) == 0 {
		return "", err
	}
	return roles[0], nil
}
