package admin

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// StolenReport is a report of a stolen serial number, as its reporter and the operators
// see it.
type StolenReport struct {
	ID        string              `json:"id" jsonschema:"UUID of the report"`
	Status    models.StolenStatus `json:"status" jsonschema:"accepted: listings with the serial number are held until an operator has checked them" enum:"open,accepted,rejected"`
	Gear      string              `json:"gear,omitempty" jsonschema:"catalogue slug; absent if it is not in the catalogue"`
	Name      string              `json:"name" jsonschema:"of the item" untrusted:"true"`
	Serial    string              `json:"serial,omitempty" jsonschema:"deleted 60 days after the decision, like the other details" untrusted:"true"`
	StolenOn  models.Day          `json:"stolen_on,omitempty" jsonschema:"day"`
	Place     string              `json:"place,omitempty" untrusted:"true"`
	Police    string              `json:"police_report,omitempty" jsonschema:"number of the police report" untrusted:"true"`
	Photo     *ui.Photo           `json:"photo,omitempty" jsonschema:"document; only the reporter and the operators can see it"`
	At        string              `json:"reported_at"`
	DecidedAt string              `json:"decided_at,omitempty" jsonschema:"when an operator decided"`
	Reporter  *ui.Person          `json:"reporter,omitempty" jsonschema:"only for operators"`
	site      *ui.Site
}

// NewStolenReport returns a report of a stolen serial number. reporter is for operators
// only, nil for the member who reported it and once the account is deleted.
func NewStolenReport(site *ui.Site, r *models.StolenReport, reporter *models.Member) *StolenReport {
	p := &StolenReport{ID: r.ID, Status: r.Status, Gear: r.Gear, Name: r.Name, Serial: r.Serial, StolenOn: r.StolenOn, Place: r.Place, Police: r.Police,
		At: r.At.RFC3339(), DecidedAt: r.DecidedAt.RFC3339(), site: site}
	if r.Photo != "" {
		photo := ui.PrivatePhoto(site, r.Photo, 0, 0, languages.Mark("Proof of theft"))
		p.Photo = &photo
	}
	if reporter != nil {
		person := ui.NewPerson(site, reporter)
		p.Reporter = &person
	}
	return p
}

// statusText describes what has become of the report.
func (p *StolenReport) statusText(ctx context.Context) string {
	switch p.Status {
	case models.StolenAccepted:
		return ui.T(ctx, "Accepted. We'll hold any listing with this serial number.")
	case models.StolenRejected:
		return ui.T(ctx, "Closed. We're not holding listings with this serial number.")
	}
	return ui.T(ctx, "We're checking your report.")
}

// facts returns the facts of the report for display. quote marks what its reporter
// wrote: AsWritten or untrusted.
func (p *StolenReport) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	rows := []ui.Fact{{Name: "Model", Value: p.Gear, Href: ui.GearPath(p.Gear)}, {Name: "Serial number", Value: quote(p.Serial)}, {Name: "Date stolen", Value: ui.DayIn(ctx, p.StolenOn)}, {Name: "Where it was stolen", Value: quote(p.Place)}, {Name: "Police report", Value: quote(p.Police)},
		{Name: "Reported", Value: ui.MomentIn(ctx, p.At)}, {Name: "Status", Value: p.statusText(ctx)}}
	if p.Reporter != nil {
		rows = append(rows, ui.Fact{Name: "Reported by", Value: quote(p.Reporter.Name), Href: ui.SellerPath(p.Reporter.Handle)})
	}
	return rows
}

// Head implements Page. The report is shown on the page of all.
func (p *StolenReport) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your report"), Description: ui.T(ctx, "Your report of a theft."), Path: ui.StolenPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Resource returns the path of the member's reports in the API.
func (p *StolenReport) Resource() string { return "/api/stolen-reports" }

// Markdown implements Page.
func (p *StolenReport) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your report: %s", ui.Untrusted(p.Name)), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Raw("\n")
	m.FactRows(p.facts(ctx, ui.Untrusted))
	return m.Done(w)
}

// StolenReports is the page where a member reports thefts and finds those reported.
type StolenReports struct {
	Reports []*StolenReport `json:"reports" jsonschema:"yours, newest first"`
	Links   []ui.Link       `json:"links"`
	site    *ui.Site
}

// NewStolenReports returns the page of a member's reports.
func NewStolenReports(site *ui.Site, reports []*StolenReport) *StolenReports {
	return &StolenReports{Reports: ui.List(reports), Links: []ui.Link{{Href: "/account", Label: "Your account"}}, site: site}
}

// Head implements Page.
func (p *StolenReports) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Report stolen gear"), Description: ui.T(ctx, "Report the serial number of a stolen camera or lens."), Path: ui.StolenPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

var stolenLead = languages.Mark("Has your camera or lens been stolen? Tell us its serial number. Once we accept your report, we'll check " +
	"any listing with that number before it goes live. We never publish serial numbers or tell sellers who " +
	"reported them.")

// Markdown implements Page.
func (p *StolenReports) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Report stolen gear"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, stolenLead))
	for _, r := range p.Reports {
		m.Section(ui.Untrusted(r.Name))
		m.FactRows(r.facts(ctx, ui.Untrusted))
	}
	m.Links(p.Links)
	return m.Done(w)
}
