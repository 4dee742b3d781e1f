package admin

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	listingviews "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// Report is a report of a listing to the operators.
type Report struct {
	ID         string     `json:"id" jsonschema:"UUID of the report"`
	Reason     ui.Named   `json:"reason" jsonschema:"reason of the report"`
	Text       string     `json:"text,omitempty" jsonschema:"plain text" untrusted:"true"`
	ReportedAt string     `json:"reported_at"`
	Listing    *ui.Topic  `json:"listing,omitempty" jsonschema:"reported listing; only for operators"`
	Seller     *ui.Person `json:"sold_by,omitempty" jsonschema:"seller of the listing; only for operators"`
	Reporter   *ui.Person `json:"reporter,omitempty" jsonschema:"member who reported it; only for operators"`
	listing    string
	status     models.Status
	site       *ui.Site
}

// NewReport returns the page of a report. l, seller and reporter are for operators
// only, and nil for the member who reported.
func NewReport(site *ui.Site, r *models.Report, l *models.Listing, seller, reporter *models.Member) *Report {
	p := &Report{ID: r.ID, Reason: ui.Named{Code: r.Reason, Label: listingviews.Reasons[r.Reason].Label}, Text: r.Text, ReportedAt: r.At.RFC3339(), listing: r.ListingID, site: site}
	if l != nil {
		topic, s, by := ui.NewTopic(site, l), ui.NewPerson(site, seller), ui.NewPerson(site, reporter)
		p.Listing, p.Seller, p.Reporter, p.status = &topic, &s, &by, l.Status
	}
	return p
}

// Head implements Page.
func (p *Report) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your report"), Description: ui.T(ctx, "Your report."), Path: ui.ListingPath(p.listing), NoIndex: true}
}

// Resource returns the path of the reported listing in the API.
func (p *Report) Resource() string { return "/api/listings/" + p.listing }

// Markdown implements Page.
func (p *Report) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your report"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Raw("\n")
	writeReport(m, p)
	return m.Done(w)
}

// writeReport writes the facts of a report.
func writeReport(m *ui.Markdown, p *Report) {
	m.Head("Detail", "Value")
	m.Row(ui.T(m.Context, "Report"), p.ID)
	m.Row(ui.T(m.Context, "Reason"), ui.MarkdownText(ui.T(m.Context, p.Reason.Label)))
	m.Row(ui.T(m.Context, "Reported"), ui.MomentIn(m.Context, p.ReportedAt))
	if p.Listing != nil {
		m.Row(ui.T(m.Context, "Listing"), m.Topic(p.Listing)+", "+p.Listing.ID)
		m.Row(ui.T(m.Context, "Seller"), m.Person(p.Seller))
		m.Row(ui.T(m.Context, "Reported by"), m.Person(p.Reporter))
	}
	if p.Text != "" {
		m.Raw("\n")
		m.Quote(p.Text)
	}
}

// otherHandle returns the username of a person whose name is another.
func otherHandle(p *ui.Person) string {
	if p.Handle == p.Name {
		return ""
	}
	return p.Handle
}
