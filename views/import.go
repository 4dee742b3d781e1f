package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
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
	Links       []Link        `json:"links"`
	site        *Site
}

// NewImportReport returns the report of an import.
func NewImportReport(site *Site, parts ImportParts) *ImportReport {
	r := parts.Report
	return &ImportReport{Rows: r.Rows, Inserted: r.Inserted, Updated: r.Updated, Unchanged: r.Unchanged, Published: parts.Published, Unpublished: parts.Unpublished,
		Rejected: list(parts.Rejected), NotImported: r.Rejected, Links: []Link{{myListingsPath, "Your listings"}, {myListingsPath + ".csv", "Export all of them as CSV"}}, site: site}
}

// Shown reports that the page is rendered as the response to the form, without a
// redirect.
func (p *ImportReport) Shown() bool { return true }

// Head implements Page.
func (p *ImportReport) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Import of listings"), Description: t(ctx, "What became of the file."), Path: myListingsPath, NoIndex: true, Crumbs: []Link{{myListingsPath, t(ctx, "Your listings")}}}
}

// summary describes the result in words.
func (p *ImportReport) summary(ctx context.Context) string {
	number := func(n int) string { return numberIn(ctx, n) }
	text := tn(ctx, p.Rows, "%s row: %s new, %s updated, %s unchanged, %s not imported.", "%s rows: %s new, %s updated, %s unchanged, %s not imported.",
		number(p.Inserted), number(p.Updated), number(p.Unchanged), number(p.NotImported)) +
		" " + tn(ctx, p.Published, "%s listing published.", "%s listings published.")
	if p.Unpublished != "" {
		text += " " + t(ctx, "The rest stay drafts: %s", t(ctx, p.Unpublished))
	}
	return text
}

// firstRejected says that only the first rejected rows are listed, "" when all are.
func (p *ImportReport) firstRejected(ctx context.Context) string {
	if p.NotImported <= len(p.Rejected) {
		return ""
	}
	return t(ctx, "These are the first %s of %s.", numberIn(ctx, len(p.Rejected)), numberIn(ctx, p.NotImported))
}

// Markdown implements Page.
func (p *ImportReport) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Import of listings"), "").in(ctx)
	m.text(p.summary(ctx))
	if len(p.Rejected) > 0 {
		m.section("Rows we couldn’t import")
		m.text(p.firstRejected(ctx))
		m.head("Line", "Reason", "Hint")
		for _, r := range p.Rejected {
			m.row(numberIn(ctx, r.Line), mdText(t(ctx, r.Reason)), mdText(t(ctx, r.Hint)))
		}
	}
	m.links(p.Links)
	return m.done(w)
}
