package account

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Export is a member's personal data export.
type Export struct {
	Handle string        `json:"handle" jsonschema:"the member's handle, as in the URL of their page"`
	At     string        `json:"exported_at" jsonschema:"when the data was exported" format:"date-time"`
	Tables []ExportTable `json:"tables" jsonschema:"the member's personal data by kind"`
	Links  []ui.Link     `json:"links"`
	site   *ui.Site
	path   string
}

// ExportTable holds the rows of one kind of personal data.
type ExportTable struct {
	Name    string           `json:"name" jsonschema:"identifier"`
	Text    string           `json:"text" jsonschema:"description"`
	Rows    []map[string]any `json:"rows" jsonschema:"rows as objects by column" untrusted:"true"`
	columns []string
}

// NewExport returns the personal data export of a member.
func NewExport(site *ui.Site, id *models.Identity, at models.Time, tables []models.PersonalDataTable) *Export {
	p := newExport(site, id.Member.Handle, "/account/export", at, tables)
	p.Links = []ui.Link{{Href: "/account", Label: "Your account"}, {Href: "/account/delete", Label: "Delete your account"}}
	return p
}

// NewMemberExport returns the personal data export of a member for an operator, who hands it on.
func NewMemberExport(site *ui.Site, handle string, at models.Time, tables []models.PersonalDataTable) *Export {
	p := newExport(site, handle, ui.MembersPath+"/"+handle+"/export", at, tables)
	p.Links = []ui.Link{{Href: ui.WithParams(ui.MembersPath, "keyword", handle), Label: "Members"}}
	return p
}

func newExport(site *ui.Site, handle, path string, at models.Time, tables []models.PersonalDataTable) *Export {
	p := &Export{Handle: handle, At: at.RFC3339(), Tables: []ExportTable{}, site: site, path: path}
	for _, t := range tables {
		table := ExportTable{Name: t.Name, Text: t.Text, Rows: []map[string]any{}, columns: t.Columns}
		for _, values := range t.Rows {
			row := make(map[string]any, len(values))
			own := site.In(currencyOf(t.Columns, values))
			for i, v := range values {
				switch v := v.(type) {
				case models.Time:
					row[t.Columns[i]] = v.RFC3339()
				case models.Cents:
					row[t.Columns[i]] = own.Money(v)
					if t.Name == "sales" && t.Columns[i] == "price" { // for trends
						row[t.Columns[i]] = site.Currency().Money(v)
					}
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

// CurrencyOf returns the stored currency of a row, "" if it has none.
func currencyOf(columns []string, values []any) string {
	if at := slices.Index(columns, "currency"); at >= 0 {
		code, _ := values[at].(string)
		return code
	}
	return ""
}

// cell formats a value of a row for display.
func (e *ExportTable) cell(ctx context.Context, row map[string]any, column string) string {
	if m, ok := row[column].(models.Money); ok {
		return ui.MoneyIn(ctx, m)
	}
	return fmt.Sprint(row[column])
}

// FileName returns the suggested name of the downloaded file.
func (p *Export) fileName() string { return p.Handle + ".json" }

// Head implements Page.
func (p *Export) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your data"), Description: ui.T(ctx, exportText), Path: p.path, NoIndex: true, Crumbs: ui.AccountCrumbs}
}

// exportText is the first paragraph of the page.
var exportText = languages.Mark("Everything we hold about you, except hashed values (passwords, tokens, feed secrets, and the serial numbers and photos we compare), which no one can read.")

// Markdown implements Page.
func (p *Export) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your data"), "").In(ctx)
	m.Paragraph(ui.T(ctx, exportText))
	m.Paragraph(ui.T(ctx, "Exported %s for %s.", ui.MomentIn(ctx, p.At), p.Handle))
	for i := range p.Tables {
		table := &p.Tables[i]
		if len(table.Rows) == 0 {
			continue
		}
		m.Section(table.Text)
		m.Raw("`", table.Name, "`, ", ui.TN(ctx, len(table.Rows), "%s row", "%s rows"), "\n\n")
		m.Head(table.columns...)
		for _, row := range table.Rows {
			cells := make([]string, len(table.columns))
			for c, column := range table.columns {
				cells[c] = ui.MarkdownText(ui.Untrusted(table.cell(ctx, row, column)))
			}
			m.Row(cells...)
		}
	}
	m.Section("Nothing stored")
	for i := range p.Tables {
		if table := &p.Tables[i]; len(table.Rows) == 0 {
			m.Raw("- ", ui.MarkdownText(ui.T(ctx, table.Text)), " `", table.Name, "`\n")
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}
