package listing

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// RejectedRow is a row of a CSV file that was not imported.
type RejectedRow struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	Hint   string `json:"hint"`
}

// ImportParts holds what an import report is made of.
type ImportParts struct {
	Report      models.ImportReport
	Rejected    []RejectedRow
	Published   int
	Unpublished string // why the other drafts were not published, "" when all were
}

// ImportReport is the result of importing a CSV file of listings.
type ImportReport struct {
	Rows        int           `json:"rows"`
	Inserted    int           `json:"inserted"`
	Updated     int           `json:"updated"`
	Unchanged   int           `json:"unchanged"`
	Published   int           `json:"published"`
	Unpublished string        `json:"unpublished,omitempty" jsonschema:"why the other drafts of the file were not published"`
	Rejected    []RejectedRow `json:"rejected" jsonschema:"the first 100 rows that were not imported"`
	NotImported int           `json:"rejected_total" jsonschema:"how many rows were not imported"`
	Links       []ui.Link     `json:"links"`
	site        *ui.Site
}

// NewImportReport returns the report of an import.
func NewImportReport(site *ui.Site, parts ImportParts) *ImportReport {
	r := parts.Report
	return &ImportReport{Rows: r.Rows, Inserted: r.Inserted, Updated: r.Updated, Unchanged: r.Unchanged, Published: parts.Published, Unpublished: parts.Unpublished,
		Rejected: ui.List(parts.Rejected), NotImported: r.Rejected, Links: []ui.Link{{Href: ui.MyListingsPath, Label: "Your listings"}, {Href: ui.MyListingsPath + ".csv", Label: "Export all as CSV"}}, site: site}
}

// Shown reports that the page is rendered as the response to the form, without a
// redirect.
func (p *ImportReport) Shown() bool { return true }

// Head implements Page.
func (p *ImportReport) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Import results"), Description: ui.T(ctx, "Import results."), Path: ui.MyListingsPath, NoIndex: true, Crumbs: []ui.Link{{Href: ui.MyListingsPath, Label: ui.T(ctx, "Your listings")}}}
}

// summary describes the result in words.
func (p *ImportReport) summary(ctx context.Context) string {
	number := func(n int) string { return ui.NumberIn(ctx, n) }
	text := ui.TN(ctx, p.Rows, "%s row: %s added, %s updated, %s unchanged, %s skipped.", "%s rows: %s added, %s updated, %s unchanged, %s skipped.",
		number(p.Inserted), number(p.Updated), number(p.Unchanged), number(p.NotImported)) +
		" " + ui.TN(ctx, p.Published, "%s listing published.", "%s listings published.")
	if p.Unpublished != "" {
		text += " " + ui.T(ctx, "The rest are still drafts: %s", ui.T(ctx, p.Unpublished))
	}
	return text
}

// firstRejected says that only the first rejected rows are listed, "" when all are.
func (p *ImportReport) firstRejected(ctx context.Context) string {
	if p.NotImported <= len(p.Rejected) {
		return ""
	}
	return ui.T(ctx, "Showing the first %s of %s.", ui.NumberIn(ctx, len(p.Rejected)), ui.NumberIn(ctx, p.NotImported))
}

// Markdown implements Page.
func (p *ImportReport) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Import results"), "").In(ctx)
	m.Paragraph(p.summary(ctx))
	if len(p.Rejected) > 0 {
		m.Section("Rows we couldn’t import")
		m.Paragraph(p.firstRejected(ctx))
		m.Head("Line", "Reason", "Hint")
		for _, r := range p.Rejected {
			m.Row(ui.NumberIn(ctx, r.Line), ui.MarkdownText(ui.T(ctx, r.Reason)), ui.MarkdownText(ui.T(ctx, r.Hint)))
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}
