package admin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/admin"
)

const adminJobsPage = "/admin/jobs"

// Limits of jobs that operators run: how long one may take, and how long the response
// waits for it.
const (
	jobTime = 10 * time.Minute
	jobWait = 5 * time.Second
)

func (s adminOps) listJobs() web.Operation {
	return web.Op[struct{}, *views.AdminJobs]{
		Name: "list_jobs", Path: "/api/admin/jobs", Page: adminJobsPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Jobs",
		Summary:     "Lists the background jobs with their last runs.",
		Description: "Returns what the site does by itself: when each job ran last, on whichever server, how long it took, whether it failed and why, and when it runs next. Run one with run_job.",
		Sample: func() *views.AdminJobs {
			return views.NewAdminJobs(s.Site, []views.AdminJob{*s.sampleJob()})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.AdminJobs, error) {
			runs, err := s.Records.JobRuns(ctx)
			if err != nil {
				return nil, err
			}
			list := make([]views.AdminJob, len(s.Schedule.Jobs))
			for i, j := range s.Schedule.Jobs {
				list[i] = views.NewAdminJob(s.Site, j.Name, runs[string(j.Name)], j.Busy(), j.NextRun())
			}
			return views.NewAdminJobs(s.Site, list), nil
		},
	}.Operation()
}

type runJobInput struct {
	Job views.JobName `json:"job" in:"path" jsonschema:"name of the job, from list_jobs" example:"cleanup"`
}

func (s adminOps) runJob() web.Operation {
	return web.Op[runJobInput, *views.AdminJob]{
		Name: "run_job", Method: http.MethodPost, Path: "/api/admin/jobs/{job}/run", Page: adminJobsPage + "/{job}/run", Form: adminJobsPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Run a job", Done: "Job started.",
		Summary:     "Runs a background job now.",
		Description: "Runs the job on the server that answers, for up to 5 seconds; the result running means it's still going. The audit log records it. Jobs without work return nothing_to_do.",
		Errors:      []string{"nothing_to_do"},
		Sample:      s.sampleJob,
		Do:          s.doRunJob,
	}.Operation()
}

func (s adminOps) doRunJob(ctx context.Context, in *runJobInput) (*views.AdminJob, error) {
	j := s.Schedule.Job(in.Job)
	ended := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobTime)
		defer cancel()
		ended <- s.Schedule.Perform(ctx, j, true)
	}()
	wait := time.NewTimer(jobWait)
	defer wait.Stop()
	select {
	case err := <-ended:
		if errors.Is(err, job.ErrNotDue) {
			return nil, &problem.Error{Kind: problem.Conflict, Code: "nothing_to_do", Message: problem.Textf("This job has nothing to do now."), Hint: problem.Textf("It may have already run, or another server is running it.")}
		}
	case <-wait.C:
	}
	if _, err := s.Moderation.Record(ctx, caller.ID(ctx), models.RunJob, "job", string(in.Job)); err != nil {
		return nil, err
	}
	runs, err := s.Records.JobRuns(ctx)
	if err != nil {
		return nil, err
	}
	page := views.NewAdminJob(s.Site, j.Name, runs[string(j.Name)], j.Busy(), j.NextRun())
	return &page, nil
}

// sampleJob returns an example job.
func (s adminOps) sampleJob() *views.AdminJob {
	j := views.NewAdminJob(s.Site, views.JobCleanup, models.JobRun{StartedAt: sample.Day, Took: 240, Error: "the database is locked", FailedAt: sample.Day}, false, sample.Day.Add(time.Hour))
	return &j
}
