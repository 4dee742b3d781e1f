package admin

import (
	"cmp"
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// JobName identifies a background job.
type JobName string

// The background jobs.
const (
	JobInstantAlerts JobName = "instant_alerts"
	JobTrendAlerts   JobName = "trend_alerts"
	JobDeadlines     JobName = "deadlines"
	JobPages         JobName = "pages"
	JobImports       JobName = "imports"
	JobBulkFiles     JobName = "bulk_files"
	JobEstimates     JobName = "price_estimates"
	JobRates         JobName = "exchange_rates"
	JobCleanup       JobName = "cleanup"
	JobPhotoSweep    JobName = "photo_sweep"
	JobStorage       JobName = "storage"
	JobBackup        JobName = "backup"
	JobMail          JobName = "mail"
	JobWebhooks      JobName = "webhooks"
)

// JobNames lists the background jobs.
var JobNames = []JobName{JobInstantAlerts, JobTrendAlerts, JobDeadlines, JobPages, JobImports, JobBulkFiles, JobEstimates, JobRates, JobCleanup, JobPhotoSweep, JobBackup, JobStorage, JobMail, JobWebhooks}

// jobTexts says what each job does.
var jobTexts = map[JobName]ui.Choice{
	JobBackup:        {Label: languages.Mark("Nightly backup"), Meaning: languages.Mark("A backup of the site, a trial of restoring it, and a copy at the second place.")},
	JobInstantAlerts: {Label: languages.Mark("Instant alerts"), Meaning: languages.Mark("New matches for saved searches, and price drops on watched listings.")},
	JobTrendAlerts:   {Label: languages.Mark("Trend webhooks"), Meaning: languages.Mark("Webhooks for changed price histories.")},
	JobDeadlines:     {Label: languages.Mark("Deadlines"), Meaning: languages.Mark("Daily and weekly alerts, reminders, expired listings and offers, and sales to confirm.")},
	JobPages:         {Label: languages.Mark("Your pages"), Meaning: languages.Mark("Reloads the “pages” folder when files change.")},
	JobImports:       {Label: languages.Mark("Imports"), Meaning: languages.Mark("Processes uploaded import files.")},
	JobBulkFiles:     {Label: languages.Mark("Nightly files"), Meaning: languages.Mark("Listings, price histories and the catalogue as files to download.")},
	JobRates:         {Label: languages.Mark("Exchange rates"), Meaning: languages.Mark("Reads exchange rates from the file or address in EXCHANGE_RATES.")},
	JobEstimates:     {Label: languages.Mark("Price estimates"), Meaning: languages.Mark("Estimates prices nightly and checks their accuracy.")},
	JobCleanup:       {Label: languages.Mark("Clean-up"), Meaning: languages.Mark("Deletes expired sessions, links and other out-of-date records.")},
	JobPhotoSweep:    {Label: languages.Mark("Unused photos"), Meaning: languages.Mark("Moves photos that no listing uses to the trash.")},
	JobStorage:       {Label: languages.Mark("Storage"), Meaning: languages.Mark("Measures disk usage.")},
	JobMail:          {Label: languages.Mark("Email"), Meaning: languages.Mark("Sends queued emails. Run it to retry failed ones.")},
	JobWebhooks:      {Label: languages.Mark("Webhooks"), Meaning: languages.Mark("Sends queued webhooks. Run it to retry failed ones.")},
}

// JobResult is the outcome of the last run of a job.
type JobResult string

// The outcomes. A job that runs now is JobRunning, whatever its last run.
const (
	JobNever   JobResult = "never_run"
	JobRunning JobResult = "running"
	JobDone    JobResult = "done"
	JobFailed  JobResult = "failed"
)

// JobResults lists the outcomes.
var JobResults = []JobResult{JobNever, JobRunning, JobDone, JobFailed}

// AdminJobs lists the background jobs.
type AdminJobs struct {
	Jobs  []AdminJob `json:"jobs" jsonschema:"background jobs and their last runs, on whichever server"`
	Links []ui.Link  `json:"links"`
	site  *ui.Site
}

// AdminJob is a background job and its last run.
type AdminJob struct {
	Job       JobName   `json:"job" jsonschema:"name of the job, for run_job"`
	Label     string    `json:"label"`
	Text      string    `json:"text" jsonschema:"what it does"`
	Result    JobResult `json:"result" jsonschema:"outcome of the last run"`
	StartedAt string    `json:"started_at,omitempty" jsonschema:"when the last run began"`
	Took      int64     `json:"took_ms,omitempty" jsonschema:"how long it took, in milliseconds" min:"0"`
	Error     string    `json:"error,omitempty" jsonschema:"why it failed" untrusted:"true"`
	FailedAt  string    `json:"failed_at,omitempty" jsonschema:"when it failed last"`
	NextAt    string    `json:"next_at,omitempty" jsonschema:"when it runs next on this server; absent if it runs when there is something to do"`
	site      *ui.Site
}

// NewAdminJob returns a job. run is its last run, and next when it runs next, 0 if it has
// no turns.
func NewAdminJob(site *ui.Site, name JobName, run models.JobRun, running bool, next models.Time) AdminJob {
	j := AdminJob{Job: name, Label: jobTexts[name].Label, Text: jobTexts[name].Meaning, Result: JobDone, Took: run.Took, Error: run.Error, site: site}
	switch {
	case running:
		j.Result = JobRunning
	case run.StartedAt == 0:
		j.Result = JobNever
	case run.Error != "":
		j.Result = JobFailed
	}
	j.StartedAt, j.FailedAt, j.NextAt = instant(run.StartedAt), instant(run.FailedAt), instant(next)
	return j
}

// instant formats a time as in RFC 3339, "" for the zero time.
func instant(at models.Time) string {
	if at == 0 {
		return ""
	}
	return at.RFC3339()
}

// NewAdminJobs returns the page of the background jobs.
func NewAdminJobs(site *ui.Site, jobs []AdminJob) *AdminJobs {
	return &AdminJobs{Jobs: ui.List(jobs), Links: []ui.Link{{Href: ui.AdminPath, Label: "Dashboard"}, {Href: ui.AuditPath, Label: "Audit log"}}, site: site}
}

// resultText says how the last run went.
func (j *AdminJob) resultText(ctx context.Context) string {
	switch j.Result {
	case JobNever:
		return ui.T(ctx, "Hasn't run yet")
	case JobRunning:
		return ui.T(ctx, "Running")
	case JobFailed:
		return ui.T(ctx, "Failed")
	}
	return languages.Of(ctx).TextIn("result of a job", "Done")
}

// tookText says how long the last run took.
func (j *AdminJob) tookText(ctx context.Context) string {
	if j.Took < 1000 {
		return strconv.FormatInt(j.Took, 10) + " ms"
	}
	return languages.Of(ctx).Decimal(strconv.FormatFloat(float64(j.Took)/1000, 'f', 1, 64)) + " s"
}

// nextText says when the job runs next.
func (j *AdminJob) nextText(ctx context.Context) string {
	if j.NextAt == "" {
		return ui.T(ctx, "as needed")
	}
	return ui.MomentIn(ctx, j.NextAt)
}

// facts returns what is known of the job for display.
func (j *AdminJob) facts(ctx context.Context) (rows []ui.Fact) {
	if j.StartedAt != "" {
		rows = append(rows, ui.Fact{Name: "Last run", Value: ui.MomentIn(ctx, j.StartedAt)}, ui.Fact{Name: "Duration", Value: j.tookText(ctx)})
	}
	if j.FailedAt != "" && j.Result != JobFailed {
		rows = append(rows, ui.Fact{Name: "Last failure", Value: ui.MomentIn(ctx, j.FailedAt)})
	}
	return append(rows, ui.Fact{Name: "Next run", Value: j.nextText(ctx)})
}

// Head implements Page.
func (p *AdminJobs) Head(ctx context.Context) ui.Head { return jobsHead(ctx) }

func jobsHead(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Jobs"), Description: ui.T(ctx, "Background jobs: last run, next run, run now."), Path: ui.JobsPath, NoIndex: true, Crumbs: ui.AccountCrumbs}
}

// Markdown implements Page.
func (p *AdminJobs) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Jobs"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Raw("\n")
	writeJobTable(m, p.Jobs)
	m.Links(p.Links)
	return m.Done(w)
}

// writeJobTable writes a table of jobs.
func writeJobTable(m *ui.Markdown, jobs []AdminJob) {
	m.Head("Job", "Name", "What it does", "Result", "Last run", "Milliseconds", "Why", "Last failure", "Next run")
	for i := range jobs {
		j := &jobs[i]
		why := "–"
		if j.Error != "" {
			why = ui.MarkdownText(ui.Untrusted(j.Error))
		}
		m.Row(ui.MarkdownText(ui.T(m.Context, j.Label)), "`"+string(j.Job)+"`", ui.MarkdownText(ui.T(m.Context, j.Text)), string(j.Result), cmp.Or(ui.MomentIn(m.Context, j.StartedAt), "–"),
			strconv.FormatInt(j.Took, 10), why, cmp.Or(ui.MomentIn(m.Context, j.FailedAt), "–"), j.nextText(m.Context))
	}
}

// Head implements Page. The page is that of all jobs.
func (j *AdminJob) Head(ctx context.Context) ui.Head { return jobsHead(ctx) }

// Markdown implements Page.
func (j *AdminJob) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(j.site, ui.T(ctx, "Jobs"), ui.T(ctx, j.site.Notice())).In(ctx)
	m.Raw("\n")
	writeJobTable(m, []AdminJob{*j})
	return m.Done(w)
}
