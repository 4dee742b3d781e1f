package admin

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Reports is the moderation queue.
type Reports struct {
	Waiting       int           `json:"waiting" jsonschema:"number of open reports" min:"0"`
	WaitingSales  int           `json:"waiting_sales" jsonschema:"number of sales to review, see list_sales" min:"0"`
	WaitingChecks int           `json:"waiting_checks" jsonschema:"number of photos, serial numbers and thefts to check, see list_checks" min:"0"`
	Reports       []*Report     `json:"reports" jsonschema:"open reports, oldest first, at most 100"`
	NextCursor    string        `json:"next_cursor,omitempty"`
	Recent        []*AuditEntry `json:"recent" jsonschema:"last moderation actions"`
	Links         []ui.Link     `json:"links"`
	query         ReportQuery
	next          string
	site          *ui.Site
}

// ReportQuery selects reports of the moderation queue by all fields that are set.
type ReportQuery struct {
	Keyword string // in the title of the listing or in the report
	Seller  string // handle
	Reason  string
}

// path returns the path of the reports that q selects.
func (q ReportQuery) path() string {
	return ui.WithParams(ui.ModerationPath, "keyword", q.Keyword, "seller", q.Seller, "reason", q.Reason)
}

// NewReports returns the moderation queue. waiting counts all open reports, sales
// those to review and checks those to decide; recent are the last moderation actions.
func NewReports(site *ui.Site, reports []*Report, waiting, sales, checks int, recent []*AuditEntry, query ReportQuery, next ui.Next) *Reports {
	p := &Reports{Waiting: waiting, WaitingSales: sales, WaitingChecks: checks, Reports: ui.List(reports), Recent: ui.List(recent), NextCursor: next.Cursor, query: query, next: next.Path(query.path()), site: site}
	p.Links = p.links(context.Background())
	return p
}

func (p *Reports) links(ctx context.Context) []ui.Link {
	links := []ui.Link{{Href: ui.ChecksPath, Label: ui.T(ctx, "Checks: %s", ui.NumberIn(ctx, p.WaitingChecks))}, {Href: ui.SalesPath, Label: ui.T(ctx, "Sales to review: %s", ui.NumberIn(ctx, p.WaitingSales))},
		{Href: ui.HeldWordsPath, Label: "Words that hold a listing"}, {Href: ui.AuditPath, Label: "Full audit log"}, {Href: "/account", Label: "Your account"}}
	if p.next != "" {
		links = append([]ui.Link{{Href: p.next, Label: "More reports"}}, links...)
	}
	return links
}

// After implements web.PagedPage.
func (p *Reports) After() string { return p.NextCursor }

// Head implements Page.
func (p *Reports) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Moderation"), Description: ui.T(ctx, "Open reports."), Path: p.query.path(), NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

func (p *Reports) lead(ctx context.Context) string {
	switch {
	case p.Waiting == 0:
		return ui.T(ctx, "No open reports.")
	case len(p.Reports) == 0 && p.query != ReportQuery{}:
		return ui.T(ctx, "No open reports match.")
	}
	return ui.TN(ctx, p.Waiting, "%s open report", "%s open reports")
}

// Markdown implements Page.
func (p *Reports) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Moderation"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	for _, r := range p.Reports {
		m.Section(ui.T(ctx, r.Reason.Label) + ": " + ui.Untrusted(r.Listing.Title))
		writeReport(m, r)
	}
	if len(p.Recent) > 0 {
		m.Section("Recent activity")
		writeAuditTable(m, p.Recent)
	}
	m.Links(p.links(ctx))
	return m.Done(w)
}

// ModeratedReports lists the actions taken on several reports.
type ModeratedReports struct {
	Entries []*AuditEntry `json:"entries" jsonschema:"entries of the audit log, one for each listing or seller"`
	site    *ui.Site
}

// NewModeratedReports returns the page of the actions taken on several reports.
func NewModeratedReports(site *ui.Site, entries []*AuditEntry) *ModeratedReports {
	return &ModeratedReports{Entries: ui.List(entries), site: site}
}

// Head implements Page.
func (p *ModeratedReports) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Done"), Description: ui.T(ctx, "Actions taken on these reports."), Path: ui.ModerationPath, NoIndex: true}
}

// Markdown implements Page.
func (p *ModeratedReports) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Done"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Raw("\n")
	writeAuditTable(m, p.Entries)
	return m.Done(w)
}

// AuditEntry records one moderation action.
type AuditEntry struct {
	ID       string      `json:"id" jsonschema:"UUID of the entry"`
	Action   string      `json:"action" jsonschema:"action" enum:"close_report,hide_listing,restore_listing,suspend_member,reinstate_member,approve_sale,void_sale,verify_possession,reject_possession,release_hold,keep_hold,accept_stolen,reject_stolen,close_photo_notes,edit_held_words,edit_site,set_up,set_role,send_password_reset,export_member,replace_email,end_sessions,delete_member,run_job,edit_text,correct_gear,remove_correction,start_import,make_backup,download_backup,delete_backup,resume_deliveries"`
	Operator ui.Person   `json:"operator" jsonschema:"operator who acted"`
	Listing  *ui.Topic   `json:"listing,omitempty" jsonschema:"affected listing"`
	Member   *ui.Person  `json:"member,omitempty" jsonschema:"affected member"`
	Sale     *SaleRecord `json:"sale,omitempty" jsonschema:"affected sale"`
	Note     string      `json:"note" jsonschema:"reason" untrusted:"true"`
	DoneAt   string      `json:"done_at"`
	from     string      // path of the page it was made on, if not the moderation queue
	undo     string      // path that reverts the action, "" when it cannot be reverted
	site     *ui.Site
}

// actions maps moderation actions to their codes in the audit trail.
var actions = map[models.ModerationAction]string{models.DismissReports: "close_report", models.RemoveListing: "hide_listing", models.RestoreListing: "restore_listing",
	models.SuspendSeller: "suspend_member", models.UnsuspendSeller: "reinstate_member",
	models.ApproveSale: "approve_sale", models.VoidSale: "void_sale",
	models.VerifyPossession: "verify_possession", models.RejectPossession: "reject_possession", models.ReleaseHold: "release_hold", models.KeepHold: "keep_hold",
	models.AcceptStolen: "accept_stolen", models.RejectStolen: "reject_stolen", models.ClosePhotoNotes: "close_photo_notes", models.EditHeldWords: "edit_held_words",
	models.EditSite: "edit_site", models.SetUpSite: "set_up",
	models.SetRole: "set_role", models.SendReset: "send_password_reset", models.ExportMember: "export_member", models.ReplaceEmail: "replace_email", models.EndSessions: "end_sessions", models.DeleteMember: "delete_member", models.RunJob: "run_job", models.EditText: "edit_text",
	models.CorrectGear: "correct_gear", models.UncorrectGear: "remove_correction", models.ImportFile: "start_import",
	models.MakeBackup: "make_backup", models.DownloadBackup: "download_backup", models.DeleteBackup: "delete_backup", models.ResumeDeliveries: "resume_deliveries"}

// actionTexts describes the codes of the audit trail in words, before what they are about.
var actionTexts = map[string]string{"close_report": languages.Mark("Closed the reports on"), "hide_listing": languages.Mark("Hid"), "restore_listing": languages.Mark("Restored"), "suspend_member": languages.Mark("Suspended"), "reinstate_member": languages.Mark("Reinstated"),
	"approve_sale": languages.Mark("Approved the sale of"), "void_sale": languages.Mark("Cancelled the sale of"),
	"verify_possession": languages.Mark("Confirmed the photo of"), "reject_possession": languages.Mark("Rejected the photo of"), "release_hold": languages.Mark("Released"), "keep_hold": languages.Mark("Kept off the site"),
	"accept_stolen": languages.Mark("Accepted"), "reject_stolen": languages.Mark("Rejected"), "close_photo_notes": languages.Mark("Closed photo notes on"), "edit_held_words": languages.Mark("Changed the words that hold a listing"),
	"edit_site": languages.Mark("Changed the settings of the site"), "set_up": languages.Mark("Set up the site"),
	"set_role": languages.Mark("Changed the role of"), "send_password_reset": languages.Mark("Sent a password reset link to"), "export_member": languages.Mark("Exported the data of"), "replace_email": languages.Mark("Changed the email address of"), "end_sessions": languages.Mark("Signed out"), "delete_member": languages.Mark("Deleted the account of"), "run_job": languages.Mark("Ran a job"), "edit_text": languages.Mark("Changed a text of the site"),
	"correct_gear": languages.Mark("Changed the catalogue"), "remove_correction": languages.Mark("Removed a change to the catalogue"), "start_import": languages.Mark("Imported a file"),
	"make_backup": languages.Mark("Made a backup"), "download_backup": languages.Mark("Downloaded a backup"), "delete_backup": languages.Mark("Deleted a backup"),
	"resume_deliveries": languages.Mark("Resumed email and webhooks")}

// NewAuditEntry returns an entry of the audit trail. l is the listing it is about,
// nil when it was deleted or the entry is about something else; m is the member and
// sale the sale, nil otherwise. suspended reports whether m is suspended now.
func NewAuditEntry(site *ui.Site, e *models.AuditEntry, operator *models.Member, l *models.Listing, m *models.Member, sale *SaleRecord, suspended bool) *AuditEntry {
	p := &AuditEntry{ID: e.ID, Action: actions[e.Action], Operator: ui.NewPerson(site, operator), Sale: sale, Note: e.Note, DoneAt: e.At.RFC3339(), site: site}
	switch {
	case sale != nil:
	case m != nil:
		person := ui.NewPerson(site, m)
		p.Member = &person
		if suspended && e.Action == models.SuspendSeller {
			p.undo = ui.ModerationPath + "/members/" + m.Handle + "/reinstate"
		}
	case l != nil:
		topic := ui.NewTopic(site, l)
		p.Listing = &topic
		if l.Status == models.StatusRemoved && e.Action == models.RemoveListing {
			p.undo = ui.ModerationPath + "/listings/" + l.ID + "/restore"
		}
	case e.Action == models.AcceptStolen || e.Action == models.RejectStolen:
		p.Listing = &ui.Topic{ID: e.Subject, Title: languages.Mark("A report of a theft")}
	case slices.Contains(siteActions, e.Action):
	default:
		p.Listing = &ui.Topic{ID: e.Subject, Title: languages.Mark("A listing that was deleted")}
	}
	return p
}

// siteActions are the actions on the site as a whole.
var siteActions = []models.ModerationAction{models.EditSite, models.SetUpSite, models.EditHeldWords, models.RunJob, models.EditText, models.CorrectGear, models.UncorrectGear, models.ImportFile,
	models.MakeBackup, models.DownloadBackup, models.DeleteBackup, models.ResumeDeliveries}

// undoText returns the label of the button that reverts the action.
func (e *AuditEntry) undoText(ctx context.Context) string {
	if e.Member != nil {
		return ui.T(ctx, "Reinstate %s", e.Member.Handle)
	}
	return ui.T(ctx, "Restore the listing")
}

// AtChecks makes the page of checks the page of the entry, and returns the entry.
func (e *AuditEntry) AtChecks() *AuditEntry {
	e.from = ui.ChecksPath
	return e
}

// AtMembers makes the page of members, with the one the entry is about, the page of the
// entry.
func (e *AuditEntry) AtMembers() {
	if e.Member != nil {
		e.from = MemberQuery{Keyword: e.Member.Handle}.path()
	}
}

// Head implements Page.
func (e *AuditEntry) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Done"), Description: ui.T(ctx, "Your recent actions."), Path: cmp.Or(e.from, ui.ModerationPath), NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Markdown implements Page.
func (e *AuditEntry) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(e.site, ui.T(ctx, "Done"), ui.T(ctx, e.site.Notice())).In(ctx)
	m.Raw("\n")
	writeAuditTable(m, []*AuditEntry{e})
	return m.Done(w)
}

func writeAuditTable(m *ui.Markdown, entries []*AuditEntry) {
	m.Head("When", "Operator", "Action", "Target", "Why", "Entry")
	for _, e := range entries {
		to := ""
		if e.Sale != nil {
			to = ui.Untrusted(e.Sale.Title) + ", " + e.Sale.ID
		} else if e.Member != nil {
			to = m.Person(e.Member)
		} else if e.Listing != nil {
			to = m.Topic(e.Listing) + ", " + e.Listing.ID
		}
		m.Row(ui.MomentIn(m.Context, e.DoneAt), m.Person(&e.Operator), e.Action, to, ui.MarkdownText(ui.Untrusted(e.Note)), e.ID)
	}
}

// AuditQuery selects entries of the audit trail by all fields that are set.
type AuditQuery struct {
	Member string // handle
	Action string // as in the entries
}

// AuditActions lists the codes of actions in the audit trail.
func AuditActions() []string { return slices.Sorted(maps.Values(actions)) }

// ParseAuditAction returns the action with a code.
func ParseAuditAction(code string) (action models.ModerationAction, ok bool) {
	for action, c := range actions {
		if c == code {
			return action, true
		}
	}
	return "", false
}

// Audit is the page of the audit trail.
type Audit struct {
	Entries    []*AuditEntry `json:"entries" jsonschema:"newest first, at most 100"`
	NextCursor string        `json:"next_cursor,omitempty"`
	Links      []ui.Link     `json:"links"`
	query      AuditQuery
	next       string
	site       *ui.Site
}

// NewAudit returns a page of the audit trail.
func NewAudit(site *ui.Site, entries []*AuditEntry, query AuditQuery, next ui.Next) *Audit {
	p := &Audit{Entries: ui.List(entries), NextCursor: next.Cursor, query: query, site: site}
	if p.next = next.Path(p.path()); p.next != "" {
		p.Links = append(p.Links, ui.Link{Href: p.next, Label: "Older entries"})
	}
	if query != (AuditQuery{}) {
		p.Links = append(p.Links, ui.Link{Href: ui.AuditPath, Label: "Full audit log"})
	}
	p.Links = append(p.Links, ui.Link{Href: ui.ModerationPath, Label: "Moderation"}, ui.Link{Href: "/account", Label: "Your account"})
	return p
}

func (p *Audit) path() string {
	return ui.WithParams(ui.AuditPath, "member", p.query.Member, "type", p.query.Action)
}

// lead says that there are no entries, "" if there are some.
func (p *Audit) lead(ctx context.Context) string {
	switch {
	case len(p.Entries) > 0:
		return ""
	case p.query != (AuditQuery{}):
		return ui.T(ctx, "No entries match.")
	}
	return ui.T(ctx, "No activity yet.")
}

// actionNames names the codes of the audit trail, to choose from.
var actionNames = map[string]string{"close_report": languages.Mark("Reports closed"), "hide_listing": languages.Mark("Listing hidden"), "restore_listing": languages.Mark("Listing restored"),
	"suspend_member": languages.Mark("Member suspended"), "reinstate_member": languages.Mark("Member reinstated"), "approve_sale": languages.Mark("Sale approved"), "void_sale": languages.Mark("Sale cancelled"),
	"verify_possession": languages.Mark("Photo verification approved"), "reject_possession": languages.Mark("Photo verification rejected"),
	"release_hold": languages.Mark("Held listing approved"), "keep_hold": languages.Mark("Held listing removed"),
	"accept_stolen": languages.Mark("Theft accepted"), "reject_stolen": languages.Mark("Theft rejected"), "close_photo_notes": languages.Mark("Photo notes closed"),
	"edit_site": languages.Mark("Site settings changed"), "set_up": languages.Mark("Site set up"), "set_role": languages.Mark("Role changed"),
	"send_password_reset": languages.Mark("Password link sent"), "export_member": languages.Mark("Member’s data exported"), "replace_email": languages.Mark("Email address changed"), "end_sessions": languages.Mark("Member signed out"), "delete_member": languages.Mark("Account deleted"), "run_job": languages.Mark("Job run"),
	"edit_held_words": languages.Mark("Held words changed"), "edit_text": languages.Mark("Text changed"), "correct_gear": languages.Mark("Catalogue changed"), "remove_correction": languages.Mark("Catalogue change removed"), "start_import": languages.Mark("File imported"),
	"make_backup": languages.Mark("Backup made"), "download_backup": languages.Mark("Backup downloaded"), "delete_backup": languages.Mark("Backup deleted"), "resume_deliveries": languages.Mark("Email and webhooks resumed")}

// actionChoices returns the actions to choose from, in the order of their names.
func actionChoices(ctx context.Context) []ui.Choice {
	choices := []ui.Choice{{Label: languages.Mark("Any action")}}
	for _, code := range AuditActions() {
		choices = append(choices, ui.Choice{Value: code, Label: ui.T(ctx, actionNames[code])})
	}
	slices.SortFunc(choices[1:], func(a, b ui.Choice) int { return strings.Compare(a.Label, b.Label) })
	return choices
}

// Head implements Page.
func (p *Audit) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Audit log"), Description: ui.T(ctx, "Everything operators have done, newest first."), Path: p.path(), NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.ModerationPath, Label: "Moderation"}}}
}

// After implements web.PagedPage.
func (p *Audit) After() string { return p.NextCursor }

// Markdown implements Page.
func (p *Audit) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Audit log"), ui.T(ctx, p.site.Notice())).In(ctx)
	if lead := p.lead(ctx); lead != "" {
		m.Paragraph(lead)
	} else {
		m.Raw("\n")
		writeAuditTable(m, p.Entries)
	}
	m.Links(p.Links)
	return m.Done(w)
}
