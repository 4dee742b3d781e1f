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
	return Head{Title: "Import of listings", Description: "What became of the file.", Path: myListingsPath, NoIndex: true, Crumbs: []Link{{myListingsPath, "Your listings"}}}
}

// summary describes the result in words.
func (p *ImportReport) summary() string {
	text := countText(p.Rows, "row", "rows") + ": " + numberText(p.Inserted) + " new, " + numberText(p.Updated) + " brought up to date, " + numberText(p.Unchanged) + " as they were, " +
		numberText(p.NotImported) + " not taken. " + countText(p.Published, "listing", "listings") + " put on sale."
	if p.Unpublished != "" {
		text += " The rest stay drafts: " + p.Unpublished
	}
	return text
}

// firstRejected says that only the first rejected rows are listed, "" when all are.
func (p *ImportReport) firstRejected() string {
	if p.NotImported <= len(p.Rejected) {
		return ""
	}
	return "These are the first " + numberText(len(p.Rejected)) + " of " + numberText(p.NotImported) + "."
}

// Markdown implements Page.
func (p *ImportReport) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, "Import of listings", "")
	m.text(p.summary())
	if len(p.Rejected) > 0 {
		m.section("Rows that were not taken")
		m.text(p.firstRejected())
		m.head("Line", "Reason", "Hint")
		for _, r := range p.Rejected {
			m.row(numberText(r.Line), mdText(r.Reason), mdText(r.Hint))
		}
	}
	m.links(p.Links)
	return m.done(w)
}
