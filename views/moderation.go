package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Reports is the moderation queue.
type Reports struct {
	Waiting       int           `json:"waiting" jsonschema:"number of open reports" min:"0"`
	WaitingSales  int           `json:"waiting_sales" jsonschema:"number of sales to review, see list_sales" min:"0"`
	WaitingChecks int           `json:"waiting_checks" jsonschema:"number of photos, serial numbers and thefts to check, see list_checks" min:"0"`
	Reports       []*Report     `json:"reports" jsonschema:"open reports, oldest first, at most 50"`
	Recent        []*AuditEntry `json:"recent" jsonschema:"last moderation actions"`
	Links         []Link        `json:"links"`
	site          *Site
}

// Paths of the moderation queue and of the audit trail.
const (
	moderationPath = "/account/moderation"
	auditPath      = moderationPath + "/audit"
)

// NewReports returns the moderation queue. waiting counts all open reports, sales
// those to review and checks those to decide; recent are the last moderation actions.
func NewReports(site *Site, reports []*Report, waiting, sales, checks int, recent []*AuditEntry) *Reports {
	p := &Reports{Waiting: waiting, WaitingSales: sales, WaitingChecks: checks, Reports: list(reports), Recent: list(recent), site: site}
	p.Links = p.links(context.Background())
	return p
}

func (p *Reports) links(ctx context.Context) []Link {
	return []Link{{checksPath, t(ctx, "Checks: %s", numberIn(ctx, p.WaitingChecks))}, {salesPath, t(ctx, "Sales to review: %s", numberIn(ctx, p.WaitingSales))},
		{auditPath, "The whole audit trail"}, {"/account", "Your account"}}
}

// Head implements Page.
func (p *Reports) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Moderation"), Description: t(ctx, "Reports that wait for an operator."), Path: moderationPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

func (p *Reports) lead(ctx context.Context) string {
	if p.Waiting == 0 {
		return t(ctx, "No open reports.")
	}
	return tn(ctx, p.Waiting, "%s report waits.", "%s reports wait.")
}

// Markdown implements Page.
func (p *Reports) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Moderation"), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	for _, r := range p.Reports {
		m.section(t(ctx, r.Reason.Label) + ": " + untrusted(r.Listing.Title))
		m.report(r)
	}
	if len(p.Recent) > 0 {
		m.section("Done last")
		m.auditTable(p.Recent)
	}
	m.links(p.links(ctx))
	return m.done(w)
}

// AuditEntry records one moderation action.
type AuditEntry struct {
	ID       string      `json:"id" jsonschema:"UUID of the entry"`
	Action   string      `json:"action" jsonschema:"action" enum:"close_report,hide_listing,restore_listing,suspend_member,reinstate_member,approve_sale,void_sale,verify_possession,reject_possession,release_hold,keep_hold,accept_stolen,reject_stolen,close_photo_notes,edit_site,set_up,make_backup,download_backup,delete_backup"`
	Operator Person      `json:"operator" jsonschema:"operator who acted"`
	Listing  *Topic      `json:"listing,omitempty" jsonschema:"affected listing"`
	Member   *Person     `json:"member,omitempty" jsonschema:"affected member"`
	Sale     *SaleRecord `json:"sale,omitempty" jsonschema:"affected sale"`
	Note     string      `json:"note" jsonschema:"reason" untrusted:"true"`
	DoneAt   string      `json:"done_at"`
	atChecks bool        // made on the page of checks
	undo     string      // path that reverts the action, "" when it cannot be reverted
	site     *Site
}

// actions maps moderation actions to their codes in the audit trail.
var actions = map[models.ModerationAction]string{models.DismissReports: "close_report", models.RemoveListing: "hide_listing", models.RestoreListing: "restore_listing",
	models.SuspendSeller: "suspend_member", models.UnsuspendSeller: "reinstate_member",
	models.ApproveSale: "approve_sale", models.VoidSale: "void_sale",
	models.VerifyPossession: "verify_possession", models.RejectPossession: "reject_possession", models.ReleaseHold: "release_hold", models.KeepHold: "keep_hold",
	models.AcceptStolen: "accept_stolen", models.RejectStolen: "reject_stolen", models.ClosePhotoNotes: "close_photo_notes",
	models.EditSite: "edit_site", models.SetUpSite: "set_up",
	models.MakeBackup: "make_backup", models.DownloadBackup: "download_backup", models.DeleteBackup: "delete_backup"}

// actionTexts describes the codes of the audit trail in words.
var actionTexts = map[string]string{"close_report": languages.Mark("Closed the reports on"), "hide_listing": languages.Mark("Hid"), "restore_listing": languages.Mark("Restored"), "suspend_member": languages.Mark("Suspended"), "reinstate_member": languages.Mark("Reinstated"),
	"approve_sale": languages.Mark("Approved the sale of"), "void_sale": languages.Mark("Voided the sale of"),
	"verify_possession": languages.Mark("Confirmed the photo of"), "reject_possession": languages.Mark("Rejected the photo of"), "release_hold": languages.Mark("Released"), "keep_hold": languages.Mark("Kept off the site"),
	"accept_stolen": languages.Mark("Accepted"), "reject_stolen": languages.Mark("Rejected"), "close_photo_notes": languages.Mark("Closed the notes on the photos of"),
	"edit_site": languages.Mark("Changed the settings of the site"), "set_up": languages.Mark("Set up the site"),
	"make_backup": languages.Mark("Made a backup"), "download_backup": languages.Mark("Downloaded a backup"), "delete_backup": languages.Mark("Deleted a backup")}

// NewAuditEntry returns an entry of the audit trail. l is the listing it is about,
// nil when it was deleted or the entry is about something else; m is the member and
// sale the sale, nil otherwise. suspended reports whether m is suspended now.
func NewAuditEntry(site *Site, e *models.AuditEntry, operator *models.Member, l *models.Listing, m *models.Member, sale *SaleRecord, suspended bool) *AuditEntry {
	p := &AuditEntry{ID: e.ID, Action: actions[e.Action], Operator: newPerson(site, operator), Sale: sale, Note: e.Note, DoneAt: e.At.RFC3339(), site: site}
	switch {
	case sale != nil:
	case m != nil:
		person := newPerson(site, m)
		p.Member = &person
		if suspended && e.Action == models.SuspendSeller {
			p.undo = moderationPath + "/members/" + m.Handle + "/reinstate"
		}
	case l != nil:
		topic := newTopic(site, l)
		p.Listing = &topic
		if l.Status == models.StatusRemoved && e.Action == models.RemoveListing {
			p.undo = moderationPath + "/listings/" + l.ID + "/restore"
		}
	case e.Action == models.AcceptStolen || e.Action == models.RejectStolen:
		p.Listing = &Topic{ID: e.Subject, Title: languages.Mark("A report of a theft")}
	case e.OfSite():
	default:
		p.Listing = &Topic{ID: e.Subject, Title: languages.Mark("A listing that was deleted")}
	}
	return p
}

// undoText returns the label of the button that reverts the action.
func (e *AuditEntry) undoText(ctx context.Context) string {
	if e.Member != nil {
		return t(ctx, "Reinstate %s", e.Member.Handle)
	}
	return t(ctx, "Restore the listing")
}

// AtChecks makes the page of checks the page of the entry, and returns the entry.
func (e *AuditEntry) AtChecks() *AuditEntry {
	e.atChecks = true
	return e
}

// Head implements Page.
func (e *AuditEntry) Head(ctx context.Context) Head {
	path := moderationPath
	if e.atChecks {
		path = checksPath
	}
	return Head{Title: t(ctx, "Done"), Description: t(ctx, "What you did, as the audit trail has it."), Path: path, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Markdown implements Page.
func (e *AuditEntry) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(e.site, t(ctx, "Done"), t(ctx, e.site.notice())).in(ctx)
	m.raw("\n")
	m.auditTable([]*AuditEntry{e})
	return m.done(w)
}

func (m *markdown) auditTable(entries []*AuditEntry) {
	m.head("When", "Operator", "Did", "Target", "Why", "Entry")
	for _, e := range entries {
		to := ""
		if e.Sale != nil {
			to = untrusted(e.Sale.Title) + ", " + e.Sale.ID
		} else if e.Member != nil {
			to = m.person(e.Member)
		} else if e.Listing != nil {
			to = m.topic(e.Listing) + ", " + e.Listing.ID
		}
		m.row(momentIn(m.ctx, e.DoneAt), m.person(&e.Operator), e.Action, to, mdText(untrusted(e.Note)), e.ID)
	}
}

// Audit is the page of the audit trail.
type Audit struct {
	Entries []*AuditEntry `json:"entries" jsonschema:"newest first, at most 100"`
	Links   []Link        `json:"links"`
	site    *Site
}

// NewAudit returns the page of the audit trail.
func NewAudit(site *Site, entries []*AuditEntry) *Audit {
	return &Audit{Entries: list(entries), Links: []Link{{moderationPath, "Moderation"}, {"/account", "Your account"}}, site: site}
}

// Head implements Page.
func (p *Audit) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Audit trail"), Description: t(ctx, "What operators did, the newest first."), Path: auditPath, NoIndex: true, Crumbs: []Link{accountCrumb, {moderationPath, "Moderation"}}}
}

// Markdown implements Page.
func (p *Audit) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Audit trail"), t(ctx, p.site.notice())).in(ctx)
	m.raw("\n")
	if len(p.Entries) > 0 {
		m.auditTable(p.Entries)
	} else {
		m.raw(t(ctx, "Operators have done nothing yet."), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}
