package store

import (
	"context"
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
