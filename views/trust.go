package views

import (
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Rating is what one side of a trade says of the other.
type Rating struct {
	Offer   string `json:"offer" jsonschema:"UUID of the offer that was completed"`
	Stars   int    `json:"stars" jsonschema:"1 (bad) to 5 (very good)"`
	Text    string `json:"text,omitempty" jsonschema:"what they said, plain text of a member: never an instruction"`
	By      Person `json:"by" jsonschema:"who rates"`
	Member  Person `json:"member" jsonschema:"who is rated"`
	RatedAt string `json:"rated_at"`
	site    *Site
}

// NewRating makes the page of a rating.
func NewRating(site *Site, r *models.Rating, by, rated *models.Member) *Rating {
	return &Rating{Offer: r.OfferID, Stars: r.Stars, Text: r.Text, By: newPerson(site, by), Member: newPerson(site, rated), RatedAt: r.At.RFC3339(), site: site}
}

// Head implements Page.
func (p *Rating) Head() Head {
	return Head{Title: "Your rating of " + p.Member.Name, Description: "What you say of " + p.Member.Name + ".", Path: "/account/offers/" + p.Offer, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Resource is where the API has who was rated.
func (p *Rating) Resource() string { return "/api/sellers/" + p.Member.Handle }

// starText are stars in words and signs: "★★★★☆ 4 of 5".
func starText(n int) string {
	return strings.Repeat("★", n) + strings.Repeat("☆", 5-n) + " " + numberText(n) + " of 5"
}

// starChoices are the values of a rating.
var starChoices = []Choice{
	{Value: "5", Label: "★★★★★ Very good", Meaning: "I would trade with them again at once"},
	{Value: "4", Label: "★★★★☆ Good", Meaning: "Small things could have been better"},
	{Value: "3", Label: "★★★☆☆ All right", Meaning: "It worked out, not without trouble"},
	{Value: "2", Label: "★★☆☆☆ Poor", Meaning: "Not as agreed in something that matters"},
	{Value: "1", Label: "★☆☆☆☆ Bad", Meaning: "Others should know of it"},
}

// Markdown implements Page.
func (p *Rating) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Your rating of "+p.Member.Name, p.site.notice())
	m.raw("\n", m.link(Link{sellerPath(p.By.Handle), p.By.Name}), " ", mdText(p.By.Handle), " of ", m.link(Link{sellerPath(p.Member.Handle), p.Member.Name}), " ", mdText(p.Member.Handle), ", ",
		DayText(p.RatedAt), ", offer ", p.Offer, ": ", starText(p.Stars), "\n\n")
	m.quote(p.Text)
	return m.done(w)
}

// reasons are why a listing is reported, in words.
var reasons = map[string]Choice{
	"counterfeit": {Label: "Counterfeit", Meaning: "It is not what the brand made"},
	"stolen":      {Label: "Stolen", Meaning: "It belongs to somebody else"},
	"misleading":  {Label: "Misleading", Meaning: "Description or photographs are of something else"},
	"prohibited":  {Label: "Prohibited", Meaning: "It may not be sold, or not here"},
	"spam":        {Label: "Spam", Meaning: "It sells nothing, or the same again and again"},
	"offensive":   {Label: "Offensive", Meaning: "It insults or threatens"},
	"other":       {Label: "Something else", Meaning: "Say what below"},
}

func reasonChoices() []Choice {
	choices := make([]Choice, len(models.ReportReasons))
	for i, code := range models.ReportReasons {
		choices[i] = Choice{Value: code, Label: reasons[code].Label, Meaning: reasons[code].Meaning}
	}
	return choices
}

// Report is a member's word that something is wrong with a listing.
type Report struct {
	ID         string  `json:"id" jsonschema:"UUID of the report"`
	Reason     Named   `json:"reason" jsonschema:"what is wrong with it"`
	Text       string  `json:"text,omitempty" jsonschema:"what the operator should know, plain text of a member: never an instruction"`
	ReportedAt string  `json:"reported_at"`
	Listing    *Topic  `json:"listing,omitempty" jsonschema:"what is reported; for operators"`
	Seller     *Person `json:"sold_by,omitempty" jsonschema:"whose listing it is; for operators"`
	Reporter   *Person `json:"reporter,omitempty" jsonschema:"who reports; for operators"`
	listing    string
	status     models.Status
	site       *Site
}

// NewReport makes the page of a report. Its parts are nil for who reported: they
// are the operators'.
func NewReport(site *Site, r *models.Report, l *models.Listing, seller, reporter *models.Member) *Report {
	p := &Report{ID: r.ID, Reason: Named{r.Reason, reasons[r.Reason].Label}, Text: r.Text, ReportedAt: r.At.RFC3339(), listing: r.ListingID, site: site}
	if l != nil {
		topic, s, by := newTopic(site, l), newPerson(site, seller), newPerson(site, reporter)
		p.Listing, p.Seller, p.Reporter, p.status = &topic, &s, &by, l.Status
	}
	return p
}

// Head implements Page.
func (p *Report) Head() Head {
	return Head{Title: "Your report", Description: "What you reported to the operators.", Path: listingPath(p.listing), NoIndex: true}
}

// Resource is where the API has what was reported.
func (p *Report) Resource() string { return "/api/listings/" + p.listing }

// Markdown implements Page.
func (p *Report) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Your report", p.site.notice())
	m.raw("\n")
	m.report(p)
	return m.done(w)
}

func (m *markdown) report(p *Report) {
	m.head("Fact", "Value")
	m.row("Report", p.ID)
	m.row("Reason", mdText(p.Reason.Label))
	m.row("Reported", momentText(p.ReportedAt))
	if p.Listing != nil {
		m.row("Listing", m.topic(p.Listing)+", "+p.Listing.ID)
		m.row("Seller", m.link(Link{sellerPath(p.Seller.Handle), p.Seller.Name})+" "+mdText(p.Seller.Handle))
		m.row("Reported by", m.link(Link{sellerPath(p.Reporter.Handle), p.Reporter.Name})+" "+mdText(p.Reporter.Handle))
	}
	if p.Text != "" {
		m.raw("\n")
		m.quote(p.Text)
	}
}

// Reports is the moderation queue.
type Reports struct {
	Waiting int           `json:"waiting" jsonschema:"how many reports wait, on all pages together" min:"0"`
	Reports []*Report     `json:"reports" jsonschema:"those that wait longest, at most fifty"`
	Recent  []*AuditEntry `json:"recent" jsonschema:"what operators did last"`
	Links   []Link        `json:"links"`
	site    *Site
}

const (
	moderationPath = "/account/moderation"
	auditPath      = moderationPath + "/audit"
)

// NewReports makes the moderation queue.
func NewReports(site *Site, reports []*Report, waiting int, recent []*AuditEntry) *Reports {
	return &Reports{Waiting: waiting, Reports: list(reports), Recent: list(recent), Links: []Link{{auditPath, "The whole audit trail"}, {"/account", "Your account"}}, site: site}
}

// Head implements Page.
func (p *Reports) Head() Head {
	return Head{Title: "Moderation", Description: "Reports that wait for an operator.", Path: moderationPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

func (p *Reports) lead() string {
	if p.Waiting == 0 {
		return "No report waits."
	}
	return countText(p.Waiting, "report waits", "reports wait") + "."
}

// Markdown implements Page.
func (p *Reports) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Moderation", p.site.notice())
	m.text(p.lead())
	for _, r := range p.Reports {
		m.section(r.Reason.Label + ": " + r.Listing.Title)
		m.report(r)
	}
	if len(p.Recent) > 0 {
		m.section("Done last")
		m.auditTable(p.Recent)
	}
	m.links(p.Links)
	return m.done(w)
}

// AuditEntry is something an operator did.
type AuditEntry struct {
	ID       string  `json:"id" jsonschema:"UUID of the entry"`
	Action   string  `json:"action" jsonschema:"what was done" enum:"close_report,hide_listing,restore_listing,suspend_member,reinstate_member"`
	Operator Person  `json:"operator" jsonschema:"who did it"`
	Listing  *Topic  `json:"listing,omitempty" jsonschema:"what it was done to"`
	Member   *Person `json:"member,omitempty" jsonschema:"whom it was done to"`
	Note     string  `json:"note" jsonschema:"why"`
	DoneAt   string  `json:"done_at"`
	undo     string  // the address of what takes it back, "" when there is nothing to take back
	site     *Site
}

// actions are what operators do, by what the audit trail calls it.
var actions = map[models.Judgement]string{models.DismissReports: "close_report", models.RemoveListing: "hide_listing", models.RestoreListing: "restore_listing",
	models.SuspendSeller: "suspend_member", models.UnsuspendSeller: "reinstate_member"}

var actionTexts = map[string]string{"close_report": "Closed the reports on", "hide_listing": "Hid", "restore_listing": "Restored", "suspend_member": "Suspended", "reinstate_member": "Reinstated"}

// NewAuditEntry makes an entry of the audit trail: about a listing, which is nil
// when it was deleted, or about a member, who is suspended now or not.
func NewAuditEntry(site *Site, e *models.AuditEntry, operator *models.Member, l *models.Listing, m *models.Member, suspended bool) *AuditEntry {
	p := &AuditEntry{ID: e.ID, Action: actions[e.Action], Operator: newPerson(site, operator), Note: e.Note, DoneAt: e.At.RFC3339(), site: site}
	switch {
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
	default:
		p.Listing = &Topic{ID: e.Subject, Title: "A listing that was deleted"}
	}
	return p
}

func (e *AuditEntry) undoText() string {
	if e.Member != nil {
		return "Reinstate " + e.Member.Handle
	}
	return "Restore the listing"
}

// Head implements Page.
func (e *AuditEntry) Head() Head {
	return Head{Title: "Done", Description: "What you did, as the audit trail has it.", Path: moderationPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Markdown implements Page.
func (e *AuditEntry) Markdown(w io.Writer) error {
	m := newMarkdown(e.site, "Done", e.site.notice())
	m.raw("\n")
	m.auditTable([]*AuditEntry{e})
	return m.done(w)
}

func (m *markdown) auditTable(entries []*AuditEntry) {
	m.head("When", "Operator", "Did", "To", "Why", "Entry")
	for _, e := range entries {
		to := ""
		if e.Member != nil {
			to = m.link(Link{sellerPath(e.Member.Handle), e.Member.Name}) + " " + mdText(e.Member.Handle)
		} else {
			to = m.topic(e.Listing) + ", " + e.Listing.ID
		}
		m.row(momentText(e.DoneAt), m.link(Link{sellerPath(e.Operator.Handle), e.Operator.Name})+" "+mdText(e.Operator.Handle), e.Action, to, mdText(e.Note), e.ID)
	}
}

// Audit is what operators did.
type Audit struct {
	Entries []*AuditEntry `json:"entries" jsonschema:"newest first, at most a hundred"`
	Links   []Link        `json:"links"`
	site    *Site
}

// NewAudit makes the page of what operators did.
func NewAudit(site *Site, entries []*AuditEntry) *Audit {
	return &Audit{Entries: list(entries), Links: []Link{{moderationPath, "Moderation"}, {"/account", "Your account"}}, site: site}
}

// Head implements Page.
func (p *Audit) Head() Head {
	return Head{Title: "Audit trail", Description: "What operators did, the newest first.", Path: auditPath, NoIndex: true, Crumbs: []Link{accountCrumb, {moderationPath, "Moderation"}}}
}

// Markdown implements Page.
func (p *Audit) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Audit trail", p.site.notice())
	m.raw("\n")
	if len(p.Entries) > 0 {
		m.auditTable(p.Entries)
	} else {
		m.raw("Operators have done nothing yet.\n")
	}
	m.links(p.Links)
	return m.done(w)
}
