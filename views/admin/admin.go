// Package admin renders the pages of the site's operators, and what members report to them.
package admin

import (
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// Admin is the dashboard of the site's operators.
type Admin struct {
	Waiting    AdminWaiting    `json:"waiting" jsonschema:"open tasks"`
	ForSale    int             `json:"for_sale" jsonschema:"number of listings for sale" min:"0"`
	Sales      AdminActivity   `json:"sales" jsonschema:"completed sales"`
	Listings   AdminActivity   `json:"listings" jsonschema:"listings that were published"`
	SignUps    AdminActivity   `json:"sign_ups" jsonschema:"accounts that were created"`
	Mail       AdminQueue      `json:"mail" jsonschema:"queued email"`
	Webhooks   AdminQueue      `json:"webhooks" jsonschema:"webhooks that wait to be sent"`
	PausedAt   string          `json:"deliveries_paused_at,omitempty" jsonschema:"since when email and webhooks are paused, as after a restore; absent if they are sent"`
	Storage    []AdminStorage  `json:"storage" jsonschema:"what the database and the folders of the data folder occupy"`
	FreeSpace  int             `json:"free_megabytes,omitempty" jsonschema:"free space of the disk with the data folder; absent if unknown" min:"0"`
	MeasuredAt string          `json:"measured_at,omitempty" jsonschema:"when the folders were measured"`
	ErrorCount int             `json:"error_count" jsonschema:"number of errors in the log of this server since its start" min:"0"`
	Errors     []AdminError    `json:"errors" jsonschema:"last errors in the log of this server, newest first, at most 20"`
	StartedAt  string          `json:"started_at" jsonschema:"when this server started"`
	Versions   AdminVersions   `json:"versions" jsonschema:"versions of the program and the database"`
	Unpriced   *price.Unpriced `json:"unpriced,omitempty" jsonschema:"models without a price; absent if every model has one, or before the first estimates"`
	Links      []ui.Link       `json:"links"`
	site       *ui.Site
}

// AdminWaiting counts the items that await an operator.
type AdminWaiting struct {
	Reports     int `json:"reports" jsonschema:"open reports of listings" min:"0"`
	Sales       int `json:"sales" jsonschema:"disputed sales, and sales with an unusual price" min:"0"`
	Held        int `json:"held_listings" jsonschema:"listings held because of their serial number or a word" min:"0"`
	Possession  int `json:"possession_photos" jsonschema:"photos of an item beside a code" min:"0"`
	Stolen      int `json:"stolen_reports" jsonschema:"reports of stolen serial numbers" min:"0"`
	PhotoNotes  int `json:"photo_notes" jsonschema:"listings with odd photos" min:"0"`
	Contact     int `json:"contact_messages" jsonschema:"open messages to the owner" min:"0"`
	FailingJobs int `json:"failing_jobs" jsonschema:"background jobs whose last run failed" min:"0"`
	Pages       int `json:"page_files" jsonschema:"files of pages that can't be used" min:"0"`
	Portfolio   int `json:"portfolio_files" jsonschema:"files of the portfolio that can't be shown" min:"0"`
}

// AdminActivity counts what happened in the last days.
type AdminActivity struct {
	Day   int `json:"last_day" jsonschema:"in the last 24 hours" min:"0"`
	Week  int `json:"last_7_days" jsonschema:"in the last 7 days" min:"0"`
	Month int `json:"last_30_days" jsonschema:"in the last 30 days" min:"0"`
}

// AdminQueue describes pending deliveries.
type AdminQueue struct {
	Waiting  int    `json:"waiting" jsonschema:"number of deliveries that wait" min:"0"`
	Retried  int    `json:"retried" jsonschema:"number of those that failed before" min:"0"`
	OldestAt string `json:"oldest_at,omitempty" jsonschema:"when the oldest was queued; absent if none is"`
}

// AdminStorage is the size of the database or of a folder.
type AdminStorage struct {
	Name      string `json:"name" jsonschema:"Database, or the name of the folder"`
	Megabytes int    `json:"megabytes" jsonschema:"size, rounded up" min:"0"`
}

// AdminError is an error in the log.
type AdminError struct {
	At      string `json:"at"`
	Message string `json:"message" jsonschema:"what failed"`
	Cause   string `json:"cause,omitempty" jsonschema:"why" untrusted:"true"`
}

// AdminVersions are the versions of the program and the database.
type AdminVersions struct {
	Program  string `json:"program" jsonschema:"release of the program"`
	Go       string `json:"go" jsonschema:"Go release it was built with"`
	API      string `json:"api_version" jsonschema:"version of the API"`
	Database string `json:"database" jsonschema:"database engine"`
	Schema   int    `json:"schema" jsonschema:"version of the database schema" min:"0"`
}

// AdminParts holds what the dashboard is made of.
type AdminParts struct {
	Waiting                  AdminWaiting
	ForSale                  int
	Sales, Listings, SignUps models.Activity
	Queues                   []models.Queue
	PausedAt                 models.Time // 0 if deliveries are not paused
	Storage                  []AdminStorage
	FreeBytes                uint64 // 0 if unknown
	MeasuredAt               models.Time
	ErrorCount               int
	Errors                   []AdminError
	StartedAt                models.Time
	Versions                 AdminVersions
	Unpriced                 *prices.Unpriced // nil before the first fit
}

// NewAdmin returns the dashboard.
func NewAdmin(site *ui.Site, parts *AdminParts) *Admin {
	p := &Admin{Waiting: parts.Waiting, ForSale: parts.ForSale, Sales: AdminActivity(parts.Sales), Listings: AdminActivity(parts.Listings), SignUps: AdminActivity(parts.SignUps),
		Storage: ui.List(parts.Storage), FreeSpace: int(parts.FreeBytes >> 20), ErrorCount: parts.ErrorCount, Errors: ui.List(parts.Errors), StartedAt: parts.StartedAt.RFC3339(),
		Versions: parts.Versions, Unpriced: price.NewUnpriced(parts.Unpriced), site: site}
	p.MeasuredAt, p.PausedAt = instant(parts.MeasuredAt), instant(parts.PausedAt)
	for _, q := range parts.Queues {
		queue := AdminQueue{Waiting: q.Waiting, Retried: q.Retried, OldestAt: instant(q.OldestAt)}
		if q.Kind == models.Mail {
			p.Mail = queue
		} else {
			p.Webhooks = queue
		}
	}
	p.Links = ui.AdminLinks(models.RoleOperator)[1:]
	return p
}

// databaseName is the name of the database in the table of storage.
var databaseName = languages.Mark("Database")

// NewDatabaseStorage returns the size of the database.
func NewDatabaseStorage(bytes int64) AdminStorage { return NewFolderStorage(databaseName, bytes) }

// NewFolderStorage returns the size of a folder.
func NewFolderStorage(name string, bytes int64) AdminStorage {
	return AdminStorage{Name: name, Megabytes: int((bytes + 1<<20 - 1) >> 20)}
}

// Head implements Page.
func (p *Admin) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Dashboard"), Description: ui.T(ctx, "To-dos and site health."), Path: ui.AdminPath, NoIndex: true, Crumbs: ui.AccountCrumbs}
}

// adminTask is something that waits for a decision, and where it is made.
type adminTask struct {
	ui.Link
	count int
}

// tasks returns the pending tasks with their numbers.
func (p *Admin) tasks() []adminTask {
	w := &p.Waiting
	return []adminTask{
		{ui.Link{Href: ui.ModerationPath, Label: languages.Mark("Reports")}, w.Reports},
		{ui.Link{Href: ui.SalesPath, Label: languages.Mark("Sales to review")}, w.Sales},
		{ui.Link{Href: ui.ChecksPath, Label: languages.Mark("Held listings")}, w.Held},
		{ui.Link{Href: ui.ChecksPath, Label: languages.Mark("Photo verification")}, w.Possession},
		{ui.Link{Href: ui.ChecksPath, Label: languages.Mark("Stolen gear reports")}, w.Stolen},
		{ui.Link{Href: ui.ChecksPath, Label: languages.Mark("Suspicious photos")}, w.PhotoNotes},
		{ui.Link{Href: ui.AdminContactPath, Label: languages.Mark("Contact messages")}, w.Contact},
		{ui.Link{Href: ui.JobsPath, Label: languages.Mark("Failing jobs")}, w.FailingJobs},
		{ui.Link{Href: ui.TextsPath, Label: languages.Mark("Files of pages to repair")}, w.Pages},
		{ui.Link{Href: ui.EditorPath, Label: languages.Mark("Files of the portfolio to repair")}, w.Portfolio},
	}
}

// lead says how much waits.
func (p *Admin) lead(ctx context.Context) string {
	n := 0
	for _, task := range p.tasks() {
		n += task.count
	}
	if n == 0 {
		return ui.T(ctx, "Nothing to do.")
	}
	return ui.TN(ctx, n, "%s thing to do", "%s things to do")
}

// pausedNote says that email and webhooks are paused, and how to send them; "" if they are
// not.
func (p *Admin) pausedNote(ctx context.Context) string {
	if p.PausedAt == "" {
		return ""
	}
	return ui.T(ctx, "Email and webhooks have been paused since %s, probably after a restore. To start sending again, run “secondlight deliveries resume” on the server.", ui.MomentIn(ctx, p.PausedAt))
}

// activityRow is a row of the table of recent activity.
type activityRow struct {
	label string
	AdminActivity
}

func (p *Admin) activity() []activityRow {
	return []activityRow{{languages.Mark("Sales"), p.Sales}, {languages.Mark("New listings"), p.Listings}, {languages.Mark("Sign-ups"), p.SignUps}}
}

// queueRow is a row of the table of pending deliveries.
type queueRow struct {
	label string
	AdminQueue
}

func (p *Admin) queues() []queueRow {
	return []queueRow{{languages.Mark("Email"), p.Mail}, {languages.Mark("Webhooks"), p.Webhooks}}
}

// oldest returns when the oldest delivery was queued, "–" if none waits.
func (q *AdminQueue) oldest(ctx context.Context) string {
	if q.OldestAt == "" {
		return "–"
	}
	return ui.MomentIn(ctx, q.OldestAt)
}

// megabytes formats a number of MB.
func megabytes(ctx context.Context, n int) string { return sizeText(ctx, float64(n)) }

// label returns the label of a row of the table of storage: that of a folder is its name.
func (s *AdminStorage) label(ctx context.Context) string {
	if s.Name == databaseName {
		return ui.T(ctx, databaseName)
	}
	return s.Name
}

// storageNote says when the folders were measured, and how much space is left.
func (p *Admin) storageNote(ctx context.Context) string {
	if p.MeasuredAt == "" {
		return ui.T(ctx, "Folder sizes are updated hourly.")
	}
	text := ui.T(ctx, "Measured %s.", ui.MomentIn(ctx, p.MeasuredAt))
	if p.FreeSpace > 0 {
		text += " " + ui.T(ctx, "%s of disk space left.", megabytes(ctx, p.FreeSpace))
	}
	return text
}

// errorsNote says how many errors there were since the start.
func (p *Admin) errorsNote(ctx context.Context) string {
	since := ui.MomentIn(ctx, p.StartedAt)
	if p.ErrorCount == 0 {
		return ui.T(ctx, "No errors since this server started on %s.", since)
	}
	return ui.TN(ctx, p.ErrorCount, "%s error", "%s errors") + " " + ui.T(ctx, "since this server started on %s.", since)
}

// versions returns the versions as facts.
func (p *Admin) versions() []ui.Fact {
	v := &p.Versions
	return []ui.Fact{{Name: "Secondlight", Value: v.Program}, {Name: "Go", Value: v.Go}, {Name: "API", Value: v.API}, {Name: "Database", Value: v.Database}, {Name: "Schema", Value: strconv.Itoa(v.Schema)}}
}

// Markdown implements Page.
func (p *Admin) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Dashboard"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	if note := p.pausedNote(ctx); note != "" {
		m.Paragraph(note)
	}
	m.Section("To do")
	m.Head("What", "Number")
	for _, task := range p.tasks() {
		m.Row(m.Link(task.Link), ui.NumberIn(ctx, task.count))
	}
	m.Section("Activity")
	m.Head("What", "Last 24 hours", "7 days", "30 days")
	for _, a := range p.activity() {
		m.Row(ui.T(ctx, a.label), ui.NumberIn(ctx, a.Day), ui.NumberIn(ctx, a.Week), ui.NumberIn(ctx, a.Month))
	}
	m.Paragraph(ui.TN(ctx, p.ForSale, "%s listing for sale.", "%s listings for sale."))
	price.WriteUnpriced(m, p.Unpriced)
	m.Section("Queues")
	m.Head("Queue", "Queued", "Retrying", "Oldest")
	for _, q := range p.queues() {
		m.Row(ui.T(ctx, q.label), ui.NumberIn(ctx, q.Waiting), ui.NumberIn(ctx, q.Retried), q.oldest(ctx))
	}
	m.Section("Storage")
	m.Head("Folder", "Size")
	for i := range p.Storage {
		m.Row(ui.MarkdownText(p.Storage[i].label(ctx)), megabytes(ctx, p.Storage[i].Megabytes))
	}
	m.Paragraph(p.storageNote(ctx))
	m.Section("Errors")
	m.Paragraph(p.errorsNote(ctx))
	for _, e := range p.Errors {
		m.Raw("\n- ", ui.MomentIn(ctx, e.At), ": ", ui.MarkdownText(e.Message))
		if e.Cause != "" {
			m.Raw(" ", ui.MarkdownText(ui.Untrusted(e.Cause)))
		}
	}
	m.Raw("\n")
	m.Section("Versions")
	m.FactRows(p.versions())
	m.Links(p.Links)
	return m.Done(w)
}
