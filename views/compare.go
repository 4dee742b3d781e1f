package views

import (
	"context"
	"io"
	"strconv"
)

// specGroup returns the specifications as rows.
func (p *Comparison) specGroup(ctx context.Context) comparedGroup {
	g := comparedGroup{Heading: t(ctx, "Specifications")}
	for i := range p.Specifications {
		addRow(&g, t(ctx, p.Specifications[i].Name), p.Specifications[i].Values, func(v *string) string { return t(ctx, *v) })
	}
	g.markDifferences()
	return g
}

// groups returns the rows of the table. quote marks what members wrote: asWritten or
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
func (p *Comparison) links(ctx context.Context) []Link {
	if p.ofListings {
		return p.listingLinks(ctx)
	}
	return p.modelLinks()
}

// note explains the table.
func (p *Comparison) note(ctx context.Context) string {
	if p.ofListings {
		return t(ctx, "A dot marks what differs. The typical price is the median of what the same model sold for in the same condition.")
	}
	return t(ctx, "A dot marks specifications that differ. Prices by condition are medians of sold prices, with the number of sales in brackets.")
}

// Head implements Page.
func (p *Comparison) Head(ctx context.Context) Head {
	h := Head{Title: p.title(ctx), Description: p.lead(ctx), Path: p.path(), NoIndex: p.path() != comparePath(), Crumbs: []Link{{"/gear", gearCrumb(ctx)}}}
	if p.ofListings {
		h.Crumbs = []Link{{searchPath, t(ctx, "For sale")}}
	}
	return h
}

// Markdown implements Page. Rows that differ are marked with ≠.
func (p *Comparison) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.title(ctx), t(ctx, p.Notice)).in(ctx)
	m.text(p.lead(ctx))
	for _, notice := range p.warnings(ctx) {
		m.text(notice)
	}
	for i := range p.Unresolved {
		writeUnresolved(m, p.Unresolved[i])
	}
	if len(p.columns(ctx, untrusted)) > 0 {
		m.raw("\n")
		writeComparison(m, p)
		m.text(t(ctx, "≠ marks what differs."))
		if !p.ofListings {
			m.text(t(ctx, "Prices by condition are medians, with the number of sales in brackets."))
		}
	}
	m.raw("\n", t(ctx, "Page"), ": ", p.site.URL(p.Page), "\n")
	m.links(p.links(ctx))
	return m.done(w)
}

// writeComparison writes the table of a comparison.
func writeComparison(m *markdown, p *Comparison) {
	head := []string{""}
	for _, column := range p.columns(m.ctx, untrusted) {
		head = append(head, m.link(column.Link))
	}
	m.head(head...)
	m.row(p.keyRow(m.ctx)...)
	for _, group := range p.groups(m.ctx, untrusted) {
		for _, row := range group.Rows {
			m.row(comparedRowMarkdown(m, &row)...)
		}
	}
}

// comparedRowMarkdown returns the cells of a row.
func comparedRowMarkdown(m *markdown, row *comparedRow) []string {
	cells := []string{mdText(row.Name)}
	if row.Differs {
		cells[0] = "≠ " + cells[0]
	}
	for _, cell := range row.Cells {
		if cell.Href != "" {
			cells = append(cells, m.link(Link{cell.Href, cell.Text}))
		} else {
			cells = append(cells, mdText(cell.Text))
		}
	}
	return cells
}

// keyRow returns what identifies each column in the API.
func (p *Comparison) keyRow(ctx context.Context) []string {
	name, keys := t(ctx, "Slug"), p.slugs()
	if p.ofListings {
		name, keys = t(ctx, "Id"), p.ids()
	}
	row := []string{name}
	for _, key := range keys {
		row = append(row, "`"+key+"`")
	}
	return row
}
