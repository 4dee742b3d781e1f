package views

import (
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Admin is the dashboard of the site's operators.
type Admin struct {
	Waiting    AdminWaiting   `json:"waiting" jsonschema:"what waits for a decision"`
	ForSale    int            `json:"for_sale" jsonschema:"number of listings for sale" min:"0"`
	Sales      AdminActivity  `json:"sales" jsonschema:"completed sales"`
	Listings   AdminActivity  `json:"listings" jsonschema:"listings that were published"`
	SignUps    AdminActivity  `json:"sign_ups" jsonschema:"accounts that were created"`
	Mail       AdminQueue     `json:"mail" jsonschema:"email that waits to be sent"`
	Webhooks   AdminQueue     `json:"webhooks" jsonschema:"webhooks that wait to be sent"`
	PausedAt   string         `json:"deliveries_paused_at,omitempty" jsonschema:"since when email and webhooks are paused, as after a restore; absent if they are sent"`
	Storage    []AdminStorage `json:"storage" jsonschema:"what the database and the folders of the data folder occupy"`
	FreeSpace  int            `json:"free_megabytes,omitempty" jsonschema:"free space of the disk with the data folder; absent if unknown" min:"0"`
	MeasuredAt string         `json:"measured_at,omitempty" jsonschema:"when the folders were measured"`
	ErrorCount int            `json:"error_count" jsonschema:"number of errors in the log of this server since its start" min:"0"`
	Errors     []AdminError   `json:"errors" jsonschema:"last errors in the log of this server, newest first, at most 20"`
	StartedAt  string         `json:"started_at" jsonschema:"when this server started"`
	Versions   AdminVersions  `json:"versions" jsonschema:"versions of the program and the database"`
	Links      []Link         `json:"links"`
	site       *Site
}

// AdminWaiting counts what waits for a decision.
type AdminWaiting struct {
	Reports     int `json:"reports" jsonschema:"open reports of listings" min:"0"`
	Sales       int `json:"sales" jsonschema:"disputed sales, and sales with an unusual price" min:"0"`
	Held        int `json:"held_listings" jsonschema:"listings held because of their serial number or a word" min:"0"`
	Possession  int `json:"possession_photos" jsonschema:"photos of an item beside a code" min:"0"`
	Stolen      int `json:"stolen_reports" jsonschema:"reports of stolen serial numbers" min:"0"`
	PhotoNotes  int `json:"photo_notes" jsonschema:"listings with odd photos" min:"0"`
	Contact     int `json:"contact_messages" jsonschema:"open messages to the owner" min:"0"`
	FailingJobs int `json:"failing_jobs" jsonschema:"background jobs whose last run failed" min:"0"`
}

// AdminActivity counts what happened in the last days.
type AdminActivity struct {
	Day   int `json:"last_day" jsonschema:"in the last 24 hours" min:"0"`
	Week  int `json:"last_7_days" jsonschema:"in the last 7 days" min:"0"`
	Month int `json:"last_30_days" jsonschema:"in the last 30 days" min:"0"`
}

// AdminQueue is what waits to be sent.
type AdminQueue struct {
	Waiting  int    `json:"waiting" jsonschema:"number of deliveries that wait" min:"0"`
	Retried  int    `json:"retried" jsonschema:"number of those that failed before" min:"0"`
	OldestAt string `json:"oldest_at,omitempty" jsonschema:"when the oldest was queued; absent if none waits"`
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
}

// NewAdmin returns the dashboard.
func NewAdmin(site *Site, parts *AdminParts) *Admin {
	p := &Admin{Waiting: parts.Waiting, ForSale: parts.ForSale, Sales: AdminActivity(parts.Sales), Listings: AdminActivity(parts.Listings), SignUps: AdminActivity(parts.SignUps),
		Storage: list(parts.Storage), FreeSpace: int(parts.FreeBytes >> 20), ErrorCount: parts.ErrorCount, Errors: list(parts.Errors), StartedAt: parts.StartedAt.RFC3339(),
		Versions: parts.Versions, site: site}
	p.MeasuredAt, p.PausedAt = instant(parts.MeasuredAt), instant(parts.PausedAt)
	for _, q := range parts.Queues {
		queue := AdminQueue{Waiting: q.Waiting, Retried: q.Retried, OldestAt: instant(q.OldestAt)}
		if q.Kind == models.Mail {
			p.Mail = queue
		} else {
			p.Webhooks = queue
		}
	}
	for _, e := range adminMenu[1:] {
		p.Links = append(p.Links, e.Link)
	}
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
func (p *Admin) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Dashboard"), Description: t(ctx, "What waits, and how the site is doing."), Path: adminPath, NoIndex: true, Crumbs: accountCrumbs}
}

// adminTask is something that waits for a decision, and where it is made.
type adminTask struct {
	Link
	count int
}

// tasks returns what waits.
func (p *Admin) tasks() []adminTask {
	w := &p.Waiting
	return []adminTask{
		{Link{moderationPath, languages.Mark("Reports")}, w.Reports},
		{Link{salesPath, languages.Mark("Sales to review")}, w.Sales},
		{Link{checksPath, languages.Mark("Held listings")}, w.Held},
		{Link{checksPath, languages.Mark("Photos with a code")}, w.Possession},
		{Link{checksPath, languages.Mark("Reported thefts")}, w.Stolen},
		{Link{checksPath, languages.Mark("Odd photos")}, w.PhotoNotes},
		{Link{adminContactPath, languages.Mark("Contact messages")}, w.Contact},
		{Link{jobsPath, languages.Mark("Failing jobs")}, w.FailingJobs},
	}
}

// lead says how much waits.
func (p *Admin) lead(ctx context.Context) string {
	n := 0
	for _, task := range p.tasks() {
		n += task.count
	}
	if n == 0 {
		return t(ctx, "Nothing waits for you.")
	}
	return tn(ctx, n, "%s thing waits for you.", "%s things wait for you.")
}

// pausedNote says that email and webhooks are paused, and how to send them; "" if they are
// not.
func (p *Admin) pausedNote(ctx context.Context) string {
	if p.PausedAt == "" {
		return ""
	}
	return t(ctx, "Email and webhooks have been paused since %s, as after a restore. To send them, run secondlight deliveries resume on the server.", momentIn(ctx, p.PausedAt))
}

// activityRow is a row of the table of what happened.
type activityRow struct {
	label string
	AdminActivity
}

func (p *Admin) activity() []activityRow {
	return []activityRow{{languages.Mark("Sales"), p.Sales}, {languages.Mark("New listings"), p.Listings}, {languages.Mark("Sign-ups"), p.SignUps}}
}

// queueRow is a row of the table of what waits to be sent.
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
	return momentIn(ctx, q.OldestAt)
}

// megabytes formats a size.
func megabytes(ctx context.Context, n int) string { return numberIn(ctx, n) + " MB" }

// label returns the label of a row of the table of storage: that of a folder is its name.
func (s *AdminStorage) label(ctx context.Context) string {
	if s.Name == databaseName {
		return t(ctx, databaseName)
	}
	return s.Name
}

// storageNote says when the folders were measured, and how much space is left.
func (p *Admin) storageNote(ctx context.Context) string {
	if p.MeasuredAt == "" {
		return t(ctx, "The folders are measured once an hour.")
	}
	text := t(ctx, "Measured %s.", momentIn(ctx, p.MeasuredAt))
	if p.FreeSpace > 0 {
		text += " " + t(ctx, "%s left on the disk.", megabytes(ctx, p.FreeSpace))
	}
	return text
}

// errorsNote says how many errors there were since the start.
func (p *Admin) errorsNote(ctx context.Context) string {
	since := momentIn(ctx, p.StartedAt)
	if p.ErrorCount == 0 {
		return t(ctx, "No errors since the start of this server on %s.", since)
	}
	return tn(ctx, p.ErrorCount, "%s error", "%s errors") + " " + t(ctx, "since the start of this server on %s.", since)
}

// versions returns the versions as facts.
func (p *Admin) versions() []fact {
	v := &p.Versions
	return []fact{{"Secondlight", v.Program, ""}, {"Go", v.Go, ""}, {"API", v.API, ""}, {"Database", v.Database, ""}, {"Schema", strconv.Itoa(v.Schema), ""}}
}

// Markdown implements Page.
func (p *Admin) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Dashboard"), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	if note := p.pausedNote(ctx); note != "" {
		m.text(note)
	}
	m.section("Waiting")
	m.head("What", "Number")
	for _, task := range p.tasks() {
		m.row(m.link(task.Link), numberIn(ctx, task.count))
	}
	m.section("Activity")
	m.head("What", "Last 24 hours", "7 days", "30 days")
	for _, a := range p.activity() {
		m.row(t(ctx, a.label), numberIn(ctx, a.Day), numberIn(ctx, a.Week), numberIn(ctx, a.Month))
	}
	m.text(tn(ctx, p.ForSale, "%s listing for sale.", "%s listings for sale."))
	m.section("Queues")
	m.head("Queue", "Waiting", "Tried before", "Oldest")
	for _, q := range p.queues() {
		m.row(t(ctx, q.label), numberIn(ctx, q.Waiting), numberIn(ctx, q.Retried), q.oldest(ctx))
	}
	m.section("Storage")
	m.head("Folder", "Size")
	for i := range p.Storage {
		m.row(mdText(p.Storage[i].label(ctx)), megabytes(ctx, p.Storage[i].Megabytes))
	}
	m.text(p.storageNote(ctx))
	m.section("Errors")
	m.text(p.errorsNote(ctx))
	for _, e := range p.Errors {
		m.raw("\n- ", momentIn(ctx, e.At), ": ", mdText(e.Message))
		if e.Cause != "" {
			m.raw(" ", mdText(untrusted(e.Cause)))
		}
	}
	m.raw("\n")
	m.section("Versions")
	m.factRows(p.versions())
	m.links(p.Links)
	return m.done(w)
}
