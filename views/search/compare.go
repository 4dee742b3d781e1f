package search

import (
	"context"
	"io"
	"strconv"

	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// specGroup returns the specifications as rows.
func (p *Comparison) specGroup(ctx context.Context) comparedGroup {
	g := comparedGroup{Heading: ui.T(ctx, "Specifications")}
	for i := range p.Specifications {
		name := p.Specifications[i].Name
		addRow(&g, ui.T(ctx, name), p.Specifications[i].Values, func(v *string) string { return ui.Spec{Name: name, Value: *v}.ValueIn(ctx) })
	}
	g.markDifferences()
	return g
}

// groups returns the rows of the table. quote marks what members wrote: AsWritten or
// untrusted.
func (p *Comparison) groups(ctx context.Context, quote func(string) string) []comparedGroup {
	groups := []comparedGroup{p.priceGroup(ctx)}
	if p.ofListings {
		groups = p.listingGroups(ctx, quote)
	}
	if specs := p.specGroup(ctx); len(specs.Rows) > 0 {
		groups = append(groups, specs)
	}
	return groups
}

// columns returns the headings of the columns. quote marks what members wrote.
func (p *Comparison) columns(ctx context.Context, quote func(string) string) []comparedColumn {
	if p.ofListings {
		return p.listingColumns(ctx, quote)
	}
	return p.modelColumns()
}

// span returns the number of columns of the table, with that of the row headings.
func (p *Comparison) span() string { return strconv.Itoa(len(p.Models) + len(p.Listings) + 1) }

// title returns the heading of the page.
func (p *Comparison) title(ctx context.Context) string {
	if p.ofListings {
		return p.listingsTitle(ctx)
	}
	return p.modelsTitle(ctx)
}

// lead summarises the comparison.
func (p *Comparison) lead(ctx context.Context) string {
	if p.ofListings {
		return p.listingsLead(ctx)
	}
	return p.modelsLead(ctx)
}

// links returns where to go on.
func (p *Comparison) links(ctx context.Context) []ui.Link {
	if p.ofListings {
		return p.listingLinks(ctx)
	}
	return p.modelLinks()
}

// note explains the table.
func (p *Comparison) note(ctx context.Context) string {
	if p.ofListings {
		return ui.T(ctx, "Dots mark differences. Typical price: our estimate for the same model in the same condition, or else its median sold price.")
	}
	return ui.T(ctx, "Dots mark specs that differ. Prices by condition are median sold prices, with the number of sales in brackets.")
}

// Head implements Page.
func (p *Comparison) Head(ctx context.Context) ui.Head {
	h := ui.Head{Title: p.title(ctx), Description: p.lead(ctx), Path: p.path(), NoIndex: p.path() != ui.ComparePath(), Crumbs: []ui.Link{{Href: "/gear", Label: ui.GearCrumb(ctx)}}}
	if p.ofListings {
		h.Crumbs = []ui.Link{{Href: ui.SearchPath, Label: ui.T(ctx, "For sale")}}
	}
	return h
}

// Markdown implements Page. Rows that differ are marked with ≠.
func (p *Comparison) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.lead(ctx))
	for _, notice := range p.warnings(ctx) {
		m.Paragraph(notice)
	}
	for i := range p.Unresolved {
		priceviews.WriteUnresolved(m, p.Unresolved[i])
	}
	if len(p.columns(ctx, ui.Untrusted)) > 0 {
		m.Raw("\n")
		writeComparison(m, p)
		m.Paragraph(ui.T(ctx, "≠ marks differences."))
		if !p.ofListings {
			m.Paragraph(ui.T(ctx, "Prices by condition are median sold prices, with the number of sales in brackets."))
		}
	}
	m.Raw("\n", ui.T(ctx, "Page"), ": ", p.site.URL(p.Page), "\n")
	m.Links(p.links(ctx))
	return m.Done(w)
}

// writeComparison writes the table of a comparison.
func writeComparison(m *ui.Markdown, p *Comparison) {
	head := []string{""}
	for _, column := range p.columns(m.Context, ui.Untrusted) {
		head = append(head, m.Link(column.Link))
	}
	m.Head(head...)
	m.Row(p.keyRow(m.Context)...)
	for _, group := range p.groups(m.Context, ui.Untrusted) {
		for _, row := range group.Rows {
			m.Row(comparedRowMarkdown(m, &row)...)
		}
	}
}

// comparedRowMarkdown returns the cells of a row.
func comparedRowMarkdown(m *ui.Markdown, row *comparedRow) []string {
	cells := []string{ui.MarkdownText(row.Name)}
	if row.Differs {
		cells[0] = "≠ " + cells[0]
	}
	for _, cell := range row.Cells {
		if cell.Href != "" {
			cells = append(cells, m.Link(ui.Link{Href: cell.Href, Label: cell.Text}))
		} else {
			cells = append(cells, ui.MarkdownText(cell.Text))
		}
	}
	return cells
}

// keyRow returns what identifies each column in the API.
func (p *Comparison) keyRow(ctx context.Context) []string {
	name, keys := ui.T(ctx, "Slug"), p.slugs()
	if p.ofListings {
		name, keys = ui.T(ctx, "Id"), p.ids()
	}
	row := []string{name}
	for _, key := range keys {
		row = append(row, "`"+key+"`")
	}
	return row
}
