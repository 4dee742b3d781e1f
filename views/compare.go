package views

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Comparison compares models or listings side by side.
type Comparison struct {
	Ref
	Models         []ComparedModel   `json:"gear" jsonschema:"the compared models, in the order of the request; empty if listings are compared"`
	Listings       []ComparedListing `json:"listings" jsonschema:"the compared listings, in the order of the request; empty if models are compared"`
	To             models.Region     `json:"ship_to,omitempty" jsonschema:"country that postage_to is for; absent if it is unknown"`
	Specifications []ComparedSpec    `json:"specifications" jsonschema:"specifications known for at least one of the models, or for the gear of one of the listings"`
	Unresolved     []*UnresolvedGear `json:"unresolved,omitempty" jsonschema:"names that do not say which gear is meant; only on the page"`
	Warnings       []string          `json:"warnings,omitempty" jsonschema:"what was left out; only on the page"`
	Text           string            `json:"text"`
	Links          []Link            `json:"links"`
	Notice         string            `json:"notice,omitempty"`
	Missing        []string          `json:"-"` // ids of listings that are not public
	omitted        int               // models or listings
	ofListings     bool
	site           *Site
}

// ComparedSpec is a specification of the compared models or listings.
type ComparedSpec struct {
	Name    string   `json:"name"`
	Values  []string `json:"values" jsonschema:"value of each model or listing, in their order; empty if unknown"`
	Differs bool     `json:"differs" jsonschema:"true if the values differ"`
}

// compareSpecs returns the specifications that at least one of the gear has, in the order
// of specsOf. Gear that is not in the catalogue is nil. The name is in the heading of the
// column already.
func compareSpecs(gear []*catalog.Gear) []ComparedSpec {
	rows := []ComparedSpec{}
	for i, g := range gear {
		at := 0 // where the next new row belongs
		for _, spec := range specsOf(g) {
			if spec.Name == "Brand" || spec.Name == "Model" {
				continue
			}
			row := slices.IndexFunc(rows, func(r ComparedSpec) bool { return r.Name == spec.Name })
			if row < 0 {
				row = at
				rows = slices.Insert(rows, row, ComparedSpec{Name: spec.Name, Values: make([]string, len(gear))})
			}
			rows[row].Values[i] = spec.Value
			at = row + 1
		}
	}
	for i := range rows {
		first := rows[i].Values[0]
		rows[i].Differs = slices.ContainsFunc(rows[i].Values, func(v string) bool { return v != first })
	}
	return rows
}

// comparedGroup is a group of rows under a heading.
type comparedGroup struct {
	Heading string
	Rows    []comparedRow
}

// comparedRow is a row of the table: a heading and a cell for each column.
type comparedRow struct {
	Name    string
	Cells   []comparedCell
	Differs bool
}

// comparedCell is a text with, optionally, the path it links to and its CSS class.
type comparedCell struct{ Text, Href, Class string }

// addRow adds a row with a text for each column, unless all are empty.
func addRow[T any](g *comparedGroup, name string, columns []T, text func(*T) string) {
	addCells(g, name, columns, func(column *T) comparedCell { return comparedCell{Text: text(column)} })
}

// addCells adds a row with a cell for each column, unless all are empty.
func addCells[T any](g *comparedGroup, name string, columns []T, cell func(*T) comparedCell) {
	row, known := comparedRow{Name: name}, false
	for i := range columns {
		c := cell(&columns[i])
		known = known || c.Text != ""
		if c.Text == "" {
			c.Text = "–"
		}
		row.Cells = append(row.Cells, c)
	}
	if known {
		g.Rows = append(g.Rows, row)
	}
}

// markDifferences marks the rows whose cells differ.
func (g *comparedGroup) markDifferences() {
	for i := range g.Rows {
		cells := g.Rows[i].Cells
		g.Rows[i].Differs = slices.ContainsFunc(cells, func(c comparedCell) bool { return c.Text != cells[0].Text })
	}
}

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

// comparedColumn is the heading of a column.
type comparedColumn struct {
	Link
	Photo *Photo
	About string // distinguishes columns with the same label
	Rest  string // path of the page without the column
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

// warnings says what was left out: listings that are not public, and that more models or
// listings were asked for than a comparison takes.
func (p *Comparison) warnings(ctx context.Context) []string {
	var all []string
	switch n := len(p.Missing); {
	case n == 1:
		all = append(all, t(ctx, "One of the listings is no longer available."))
	case n > 1:
		all = append(all, t(ctx, "%s of the listings are no longer available.", numberIn(ctx, n)))
	}
	switch {
	case p.omitted == 0:
	case p.ofListings:
		all = append(all, t(ctx, "You can compare up to %d listings at a time. The others were left out.", MaxComparedListings))
	default:
		all = append(all, t(ctx, "You can compare up to %d models at a time. The others were left out.", MaxCompared))
	}
	return all
}

// path returns the canonical path of the page.
func (p *Comparison) path() string {
	if p.ofListings {
		return p.listingsPath(p.ids()...)
	}
	return comparePath(p.slugs()...)
}

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
