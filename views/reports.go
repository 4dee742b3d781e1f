package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
)

// Report is a report of a listing to the operators.
type Report struct {
	ID         string  `json:"id" jsonschema:"UUID of the report"`
	Reason     Named   `json:"reason" jsonschema:"reason of the report"`
	Text       string  `json:"text,omitempty" jsonschema:"plain text" untrusted:"true"`
	ReportedAt string  `json:"reported_at"`
	Listing    *Topic  `json:"listing,omitempty" jsonschema:"reported listing; only for operators"`
	Seller     *Person `json:"sold_by,omitempty" jsonschema:"seller of the listing; only for operators"`
	Reporter   *Person `json:"reporter,omitempty" jsonschema:"member who reported it; only for operators"`
	listing    string
	status     models.Status
	site       *Site
}

// NewReport returns the page of a report. l, seller and reporter are for operators
// only, and nil for the member who reported.
func NewReport(site *Site, r *models.Report, l *models.Listing, seller, reporter *models.Member) *Report {
	p := &Report{ID: r.ID, Reason: Named{r.Reason, reasons[r.Reason].Label}, Text: r.Text, ReportedAt: r.At.RFC3339(), listing: r.ListingID, site: site}
	if l != nil {
		topic, s, by := newTopic(site, l), newPerson(site, seller), newPerson(site, reporter)
		p.Listing, p.Seller, p.Reporter, p.status = &topic, &s, &by, l.Status
	}
	return p
}

// Head implements Page.
func (p *Report) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Your report"), Description: t(ctx, "What you reported to the operators."), Path: listingPath(p.listing), NoIndex: true}
}

// Resource returns the path of the reported listing in the API.
func (p *Report) Resource() string { return "/api/listings/" + p.listing }

// Markdown implements Page.
func (p *Report) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Your report"), t(ctx, p.site.notice())).in(ctx)
	m.raw("\n")
	writeReport(m, p)
	return m.done(w)
}

// writeReport writes the facts of a report.
func writeReport(m *markdown, p *Report) {
	m.head("Fact", "Value")
	m.row(t(m.ctx, "Report"), p.ID)
	m.row(t(m.ctx, "Reason"), mdText(t(m.ctx, p.Reason.Label)))
	m.row(t(m.ctx, "Reported"), momentIn(m.ctx, p.ReportedAt))
	if p.Listing != nil {
		m.row(t(m.ctx, "Listing"), m.topic(p.Listing)+", "+p.Listing.ID)
		m.row(t(m.ctx, "Seller"), m.person(p.Seller))
		m.row(t(m.ctx, "Reported by"), m.person(p.Reporter))
	}
	if p.Text != "" {
		m.raw("\n")
		m.quote(p.Text)
	}
}
