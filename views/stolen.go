package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
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
	Photo     *Photo              `json:"photo,omitempty" jsonschema:"document; only the reporter and the operators can see it"`
	At        string              `json:"reported_at"`
	DecidedAt string              `json:"decided_at,omitempty" jsonschema:"when an operator decided"`
	Reporter  *Person             `json:"reporter,omitempty" jsonschema:"only for operators"`
	site      *Site
}

// NewStolenReport returns a report of a stolen serial number. reporter is for operators
// only, nil for the member who reported it and once the account is deleted.
func NewStolenReport(site *Site, r *models.StolenReport, reporter *models.Member) *StolenReport {
	p := &StolenReport{ID: r.ID, Status: r.Status, Gear: r.Gear, Name: r.Name, Serial: r.Serial, StolenOn: r.StolenOn, Place: r.Place, Police: r.Police,
		At: r.At.RFC3339(), DecidedAt: r.DecidedAt.RFC3339(), site: site}
	if r.Photo != "" {
		photo := privatePhoto(site, r.Photo, 0, 0, languages.Mark("Document of the theft"))
		p.Photo = &photo
	}
	if reporter != nil {
		person := newPerson(site, reporter)
		p.Reporter = &person
	}
	return p
}

// statusText describes what has become of the report.
func (p *StolenReport) statusText(ctx context.Context) string {
	switch p.Status {
	case models.StolenAccepted:
		return t(ctx, "Accepted. Listings with this serial number are held.")
	case models.StolenRejected:
		return t(ctx, "Closed. Listings with this serial number aren't held.")
	}
	return t(ctx, "It's open: an operator is checking it.")
}

// facts returns the facts of the report for display. quote marks what its reporter
// wrote: asWritten or untrusted.
func (p *StolenReport) facts(ctx context.Context, quote func(string) string) []fact {
	rows := []fact{{"Model", p.Gear, gearPath(p.Gear)}, {"Serial number", quote(p.Serial), ""}, {"Stolen on", dayIn(ctx, p.StolenOn), ""}, {"Where", quote(p.Place), ""}, {"Police report", quote(p.Police), ""},
		{"Reported", momentIn(ctx, p.At), ""}, {"Status", p.statusText(ctx), ""}}
	if p.Reporter != nil {
		rows = append(rows, fact{"Reported by", quote(p.Reporter.Name), sellerPath(p.Reporter.Handle)})
	}
	return rows
}

// Head implements Page. The report is shown on the page of all.
func (p *StolenReport) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Your report"), Description: t(ctx, "A theft you reported."), Path: stolenPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Resource returns the path of the member's reports in the API.
func (p *StolenReport) Resource() string { return "/api/stolen-reports" }

// Markdown implements Page.
func (p *StolenReport) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Your report: %s", untrusted(p.Name)), t(ctx, p.site.notice())).in(ctx)
	m.raw("\n")
	m.factRows(p.facts(ctx, untrusted))
	return m.done(w)
}

// StolenReports is the page where a member reports thefts and finds those reported.
type StolenReports struct {
	Reports []*StolenReport `json:"reports" jsonschema:"yours, newest first"`
	Links   []Link          `json:"links"`
	site    *Site
}

// NewStolenReports returns the page of a member's reports.
func NewStolenReports(site *Site, reports []*StolenReport) *StolenReports {
	return &StolenReports{Reports: list(reports), Links: []Link{{"/account", "Your account"}}, site: site}
}

// Head implements Page.
func (p *StolenReports) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Report stolen gear"), Description: t(ctx, "Report the serial number of a stolen camera or lens."), Path: stolenPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

var stolenLead = languages.Mark("Was your camera or lens stolen? Tell us its serial number. Once an operator has accepted your report, nobody can sell an item with that number here before we've checked it. " +
	"We don't publish serial numbers, and sellers don't learn who reported them.")

// Markdown implements Page.
func (p *StolenReports) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Report stolen gear"), t(ctx, p.site.notice())).in(ctx)
	m.text(t(ctx, stolenLead))
	for _, r := range p.Reports {
		m.section(untrusted(r.Name))
		m.factRows(r.facts(ctx, untrusted))
	}
	m.links(p.Links)
	return m.done(w)
}
