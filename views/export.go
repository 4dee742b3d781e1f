package views

import (
	"context"
	"fmt"
	"io"

	"github.com/secondlight/secondlight/models"
)

// Export is a member's personal data export.
type Export struct {
	Handle string        `json:"handle" jsonschema:"your handle, as in the URL of your page"`
	At     string        `json:"exported_at" jsonschema:"when the data was exported" format:"date-time"`
	Tables []ExportTable `json:"tables" jsonschema:"your personal data by kind"`
	Links  []Link        `json:"links"`
	site   *Site
}

// ExportTable holds the rows of one kind of personal data.
type ExportTable struct {
	Name    string           `json:"name" jsonschema:"identifier"`
	Text    string           `json:"text" jsonschema:"description"`
	Rows    []map[string]any `json:"rows" jsonschema:"rows as objects by column" untrusted:"true"`
	columns []string
}

// NewExport returns the personal data export of a member.
func NewExport(site *Site, id *models.Identity, at models.Time, tables []models.PersonalDataTable) *Export {
	p := &Export{Handle: id.Member.Handle, At: at.RFC3339(), Tables: []ExportTable{},
		Links: []Link{{"/account", "Your account"}, {"/account/delete", "Delete your account"}}, site: site}
	for _, t := range tables {
		table := ExportTable{Name: t.Name, Text: t.Text, Rows: []map[string]any{}, columns: t.Columns}
		for _, values := range t.Rows {
			row := make(map[string]any, len(values))
			for i, v := range values {
				switch v := v.(type) {
				case models.Time:
					row[t.Columns[i]] = v.RFC3339()
				case models.Cents:
					row[t.Columns[i]] = site.Currency().Money(v)
				default:
					row[t.Columns[i]] = v
				}
			}
			table.Rows = append(table.Rows, row)
		}
		p.Tables = append(p.Tables, table)
	}
	return p
}

// cell formats a value of a row for display.
func (t *ExportTable) cell(row map[string]any, column string) string {
	if m, ok := row[column].(models.Money); ok {
		return MoneyText(m)
	}
	return fmt.Sprint(row[column])
}

// fileName returns the suggested name of the downloaded file.
func (p *Export) fileName() string { return p.Handle + ".json" }

// Head implements Page.
func (p *Export) Head(ctx context.Context) Head {
	return Head{Title: "Your data", Description: exportText, Path: "/account/export", NoIndex: true, Crumbs: accountCrumbs}
}

// exportText is the first paragraph of the page.
const exportText = "Everything the site holds about you, except hashes: nobody can read a password, a token or the secret of a feed from them, or the serial numbers and photos we compare."

// Markdown implements Page.
func (p *Export) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, "Your data", "")
	m.text(exportText)
	m.text("As of " + p.At + ", for " + p.Handle + ".")
	for i := range p.Tables {
		t := &p.Tables[i]
		if len(t.Rows) == 0 {
			continue
		}
		m.section(t.Text)
		m.raw("`", t.Name, "`, ", countText(len(t.Rows), "row", "rows"), "\n\n")
		m.head(t.columns...)
		for _, row := range t.Rows {
			cells := make([]string, len(t.columns))
			for c, column := range t.columns {
				cells[c] = mdText(untrusted(t.cell(row, column)))
			}
			m.row(cells...)
		}
	}
	m.section("Of these nothing")
	for _, t := range p.Tables {
		if len(t.Rows) == 0 {
			m.raw("- ", t.Text, " `", t.Name, "`\n")
		}
	}
	m.links(p.Links)
	return m.done(w)
}
