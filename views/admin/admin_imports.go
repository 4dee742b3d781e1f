package admin

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	listingviews "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// AdminImports is the page that imports files and lists the latest imports.
type AdminImports struct {
	Imports []*AdminImport `json:"imports" jsonschema:"the latest first"`
	Running string         `json:"running,omitempty" jsonschema:"id of the import that runs; absent if none does"`
	Links   []ui.Link      `json:"links"`
	handle  string
	region  models.Region
	site    *ui.Site
}

// AdminImport is an import of a file.
type AdminImport struct {
	ID         string                     `json:"id" jsonschema:"id of the import"`
	Name       string                     `json:"name" jsonschema:"name of the file" untrusted:"true"`
	Source     models.ImportSource        `json:"source" jsonschema:"what the file is, as its header says" enum:"listings,sales,ebay,shopify,woocommerce"`
	Status     models.ImportStatus        `json:"status" jsonschema:"whether the import runs" enum:"prepared,running,done,cancelled,failed"`
	Percent    int                        `json:"percent" jsonschema:"how much of the file is read"`
	Rows       int                        `json:"rows" jsonschema:"rows read"`
	Inserted   int                        `json:"inserted" jsonschema:"new listings or sales"`
	Updated    int                        `json:"updated" jsonschema:"known listings that have changed"`
	Unchanged  int                        `json:"unchanged" jsonschema:"known listings or sales without changes"`
	Skipped    int                        `json:"skipped" jsonschema:"rows of a shop's file that aren't on sale there, or are only pictures"`
	Unresolved int                        `json:"unresolved" jsonschema:"listings whose gear the catalogue doesn't have"`
	Refused    int                        `json:"rejected_total" jsonschema:"how many rows were not imported"`
	Rejected   []listingviews.RejectedRow `json:"rejected" jsonschema:"the first 100 rows that were not imported"`
	Photos     int                        `json:"photos_added" jsonschema:"photos that were added to listings"`
	PhotosLeft int                        `json:"photos_missing" jsonschema:"photos that rows name and that aren't added yet"`
	NoPhotos   []ImportedPhoto            `json:"missing_photos,omitempty" jsonschema:"why photos aren't added, at most 100"`
	Columns    []ImportColumn             `json:"columns,omitempty" jsonschema:"of a prepared import: the columns of the file, in its order"`
	Remembered bool                       `json:"columns_remembered,omitempty" jsonschema:"whether the columns are matched as in an earlier file with the same header"`
	Error      string                     `json:"error,omitempty" jsonschema:"why the file can't be read"`
	StartedAt  string                     `json:"started_at" jsonschema:"when the import started, RFC 3339 UTC"`
	FinishedAt string                     `json:"finished_at,omitempty" jsonschema:"when the import ended, RFC 3339 UTC; absent while it runs"`
	Links      []ui.Link                  `json:"links"`
	rejects    func(io.Writer) error
	site       *ui.Site
}

// ImportColumn is a column of a file that is to be matched.
type ImportColumn struct {
	Title  string   `json:"title" jsonschema:"name in the file" untrusted:"true"`
	Column string   `json:"column" jsonschema:"what it seems to be: a column of listings or of sales, or ignore"`
	Values []string `json:"values" jsonschema:"of the first rows" untrusted:"true"`
}

// ImportedPhoto is a photo that a row names and that isn't added.
type ImportedPhoto struct {
	Line   int    `json:"line" jsonschema:"line of the row in the file"`
	Name   string `json:"name" jsonschema:"file name or address" untrusted:"true"`
	Reason string `json:"reason"`
	Hint   string `json:"hint,omitempty"`
}

// NewAdminImports returns the page of imports. Rows without a seller are of the member
// with a handle, and those of shops without a place in a region.
func NewAdminImports(site *ui.Site, all []*models.Import, handle string, region models.Region) *AdminImports {
	p := &AdminImports{Imports: []*AdminImport{}, Links: []ui.Link{{Href: "/docs/import", Label: languages.Mark("How to import a shop")}, {Href: ui.AdminCatalogPath, Label: "Catalogue"}, {Href: ui.MyListingsPath, Label: "Your listings"}}, handle: handle, region: region, site: site}
	for _, im := range all {
		entry := NewAdminImport(site, im, nil)
		entry.Rejected, entry.Links = []listingviews.RejectedRow{}, []ui.Link{} // on its own page
		p.Imports = append(p.Imports, entry)
		if im.Status == models.ImportRunning {
			p.Running = im.ID
		}
	}
	return p
}

// NewAdminImport returns the page of an import. rejects writes its rejected rows as CSV.
func NewAdminImport(site *ui.Site, im *models.Import, rejects func(io.Writer) error) *AdminImport {
	r := &im.Report
	p := &AdminImport{ID: im.ID, Name: im.Name, Source: im.Source, Status: im.Status, Rows: r.Rows, Inserted: r.Inserted, Updated: r.Updated, Unchanged: r.Unchanged,
		Skipped: r.Skipped, Unresolved: r.Unresolved, Refused: r.Rejected, Error: im.Error, StartedAt: im.StartedAt.RFC3339(), FinishedAt: im.FinishedAt.RFC3339(),
		Links: []ui.Link{{Href: ui.AdminImportsPath, Label: "Imports"}}, rejects: rejects, site: site}
	p.Rejected = ui.Each(im.Rejected, func(row *models.RejectedRow) listingviews.RejectedRow {
		return listingviews.RejectedRow{Line: row.Line, Reason: row.Reason, Hint: row.Hint}
	})
	p.Photos, p.PhotosLeft = r.Photos, r.PhotosLeft
	for _, row := range r.NoPhotos {
		p.NoPhotos = append(p.NoPhotos, ImportedPhoto(row))
	}
	switch {
	case im.Status == models.ImportDone:
		p.Percent = 100
	case im.Bytes > 0:
		p.Percent = int(min(im.BytesRead*100/im.Bytes, 99))
	}
	return p
}

// ignoredColumn is the choice of a column that is left out.
const ignoredColumn = "ignore"

// ShowColumns shows the header and the first rows of a file, with what its columns seem to be
// by our names, "" for one that is left out.
func (p *AdminImport) ShowColumns(header []string, rows [][]string, columns []string, source models.ImportSource, remembered bool) {
	p.Source, p.Remembered = source, remembered
	for i, title := range header {
		c := ImportColumn{Title: title, Column: cmp.Or(columns[i], ignoredColumn), Values: []string{}}
		for _, row := range rows {
			value := ""
			if i < len(row) {
				value = catalog.Clip(strings.Join(strings.Fields(row[i]), " "), maxSample)
			}
			c.Values = append(c.Values, value)
		}
		p.Columns = append(p.Columns, c)
	}
}

// maxSample is how much of a value is shown, in characters.
const maxSample = 60

// matchable reports whether the columns of the file are to be matched: those of shops are known.
func (p *AdminImport) matchable() bool {
	return p.Source == models.ListingsFile || p.Source == models.SalesFile
}

// samples returns how many rows are shown.
func (p *AdminImport) samples() int {
	if len(p.Columns) == 0 {
		return 0
	}
	return len(p.Columns[0].Values)
}

// columnChoices are what a column of a file can be.
var columnChoices = func() []ui.Choice {
	choices := []ui.Choice{
		{Value: ignoredColumn, Label: languages.Mark("Leave out")},
		{Value: "title", Label: languages.Mark("Title")},
		{Value: "price", Label: languages.Mark("Price")},
		{Value: "photos", Label: languages.Mark("Photos")},
		{Value: "external_id", Label: languages.Mark("Item number")},
		{Value: "brand", Label: languages.Mark("Brand")},
		{Value: "model", Label: languages.Mark("Model")},
		{Value: "gear", Label: languages.Mark("Model in the catalogue")},
		{Value: "category", Label: languages.Mark("Category")},
		{Value: "description", Label: languages.Mark("Description")},
		{Value: "region", Label: languages.Mark("Location")},
		{Value: "postage", Label: languages.Mark("Postage")},
		{Value: "currency", Label: languages.Mark("Currency")},
		{Value: "seller", Label: languages.Mark("Seller")},
		{Value: "published_at", Label: languages.Mark("Listed on")},
		{Value: "sold_at", Label: languages.Mark("Sold on")},
		{Value: "source", Label: languages.Mark("Where it was sold")},
		{Value: "seller_kind", Label: languages.Mark("Dealer or private")},
	}
	for _, f := range models.ItemFields {
		if !f.Private {
			choices = append(choices, ui.Choice{Value: f.Name, Label: f.FieldLabel()})
		}
	}
	return choices
}()

// ColumnLabel returns the name of a column of listings or of sales, in English.
func ColumnLabel(name string) string {
	return ui.ChoiceLabel(context.Background(), columnChoices, name)
}

// importSources names what files are.
var importSources = []ui.Choice{
	{Value: string(models.ListingsFile), Label: languages.Mark("Listings")},
	{Value: string(models.SalesFile), Label: languages.Mark("Sales")},
	{Value: string(models.EBayFile), Label: languages.Mark("eBay export")},
	{Value: string(models.ShopifyFile), Label: languages.Mark("Shopify export")},
	{Value: string(models.WooCommerceFile), Label: languages.Mark("WooCommerce export")},
}

// importKinds are what the rows of a file can be that isn't a shop's.
var importKinds = []ui.Choice{
	{Value: string(models.ListingsFile), Label: languages.Mark("Items for sale")},
	{Value: string(models.SalesFile), Label: languages.Mark("Past sales"), Meaning: languages.Mark("They count towards price history.")},
}

// importStatuses names the statuses of imports.
var importStatuses = []ui.Choice{
	{Value: string(models.ImportPrepared), Label: languages.Mark("Waiting for you to match the columns")},
	{Value: string(models.ImportRunning), Label: languages.Mark("Import is running")},
	{Value: string(models.ImportDone), Label: languages.Mark("Imported")},
	{Value: string(models.ImportCancelled), Label: languages.Mark("Import cancelled")},
	{Value: string(models.ImportFailed), Label: languages.Mark("Import failed")},
}

var importsLead = languages.Mark("Import your stock and past sales from a CSV file, in our format or exported from eBay, Shopify or WooCommerce. We'll detect which.")

// Head implements Page.
func (p *AdminImports) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Imports"), Description: ui.T(ctx, importsLead), Path: ui.AdminImportsPath, NoIndex: true, Crumbs: ui.AdminCrumbs(ctx)}
}

// Markdown implements Page.
func (p *AdminImports) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Imports"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, importsLead))
	if p.Running != "" {
		m.Paragraph(ui.T(ctx, "Running: %s", p.Running))
	}
	for _, im := range p.Imports {
		m.Section(ui.MarkdownText(ui.Untrusted(im.Name)))
		im.write(m)
	}
	m.Links(p.Links)
	return m.Done(w)
}

// path returns the path of the page.
func (p *AdminImport) path() string { return ui.AdminImportsPath + "/" + p.ID }

// running reports whether the import runs.
func (p *AdminImport) running() bool { return p.Status == models.ImportRunning }

// Undone implements UndonePage: a prepared import has not started.
func (p *AdminImport) Undone() bool { return p.Status == models.ImportPrepared }

// Head implements Page.
func (p *AdminImport) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Import"), Description: p.summary(ctx), Path: p.path(), NoIndex: true,
		Crumbs: ui.AdminCrumbs(ctx, ui.Link{Href: ui.AdminImportsPath, Label: ui.T(ctx, "Imports")})}
}

// CSV writes all rejected rows.
func (p *AdminImport) CSV(w io.Writer) error {
	if p.rejects == nil {
		return nil
	}
	return p.rejects(w)
}

// summary describes the result in words.
func (p *AdminImport) summary(ctx context.Context) string {
	number := func(n int) string { return ui.NumberIn(ctx, n) }
	return ui.TN(ctx, p.Rows, "%s row: %s added, %s updated, %s unchanged, %s skipped.", "%s rows: %s added, %s updated, %s unchanged, %s skipped.",
		number(p.Inserted), number(p.Updated), number(p.Unchanged), number(p.Refused))
}

// facts are the figures of the import.
func (p *AdminImport) facts(ctx context.Context) []ui.Fact {
	return []ui.Fact{
		{Name: "Rows read", Value: ui.NumberIn(ctx, p.Rows)},
		{Name: languages.Mark("New"), Value: ui.NumberIn(ctx, p.Inserted)},
		{Name: "Updated", Value: ui.NumberIn(ctx, p.Updated)},
		{Name: "Unchanged", Value: ui.NumberIn(ctx, p.Unchanged)},
		{Name: "Not imported", Value: ui.NumberIn(ctx, p.Refused)},
		{Name: "Skipped", Value: ui.NumberIn(ctx, p.Skipped)},
		{Name: "Not in the catalogue", Value: ui.NumberIn(ctx, p.Unresolved)},
		{Name: languages.Mark("Photos added"), Value: ui.NumberIn(ctx, p.Photos)},
		{Name: languages.Mark("Photos missing"), Value: ui.NumberIn(ctx, p.PhotosLeft)},
	}
}

// statusText describes the status in words.
func (p *AdminImport) statusText(ctx context.Context) string {
	switch p.Status {
	case models.ImportPrepared:
		return ui.T(ctx, "Nothing has been imported yet.")
	case models.ImportRunning:
		if p.Photos+p.PhotosLeft > 0 {
			return ui.T(ctx, "Adding photos: %s of %s.", ui.NumberIn(ctx, p.Photos), ui.NumberIn(ctx, p.Photos+p.PhotosLeft))
		}
		return ui.T(ctx, "Importing: %s%% done.", strconv.Itoa(p.Percent))
	case models.ImportCancelled:
		return ui.T(ctx, "Cancelled. The rows above were imported. Import the file again to add the rest.")
	case models.ImportFailed:
		return strings.TrimSpace(ui.T(ctx, "The import failed.") + " " + ui.T(ctx, p.Error))
	}
	return ui.T(ctx, "Done.")
}

// Markdown implements Page.
func (p *AdminImport) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Import"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.MarkdownText(ui.Untrusted(p.Name)))
	p.write(m)
	m.Links(p.Links)
	return m.Done(w)
}

// write writes everything about the import.
func (p *AdminImport) write(m *ui.Markdown) {
	ctx := m.Context
	m.Raw("\n")
	m.Head("Value", "Now")
	m.Row(ui.T(ctx, "Id"), p.ID)
	m.Row(ui.T(ctx, "File"), ui.ChoiceLabel(ctx, importSources, string(p.Source))+" ("+string(p.Source)+")")
	m.Row(ui.T(ctx, "Status"), ui.ChoiceLabel(ctx, importStatuses, string(p.Status))+" ("+string(p.Status)+")")
	m.Row(ui.T(ctx, "Read"), languages.Of(m.Context).Percent(strconv.Itoa(p.Percent)))
	for _, f := range p.facts(ctx) {
		m.Row(ui.T(ctx, f.Name), f.Value)
	}
	m.Row(ui.T(ctx, "Started"), p.StartedAt)
	m.Row(ui.T(ctx, "Finished"), cmp.Or(p.FinishedAt, "–"))
	if p.Error != "" {
		m.Paragraph(ui.MarkdownText(ui.T(ctx, p.Error)))
	}
	if len(p.Columns) > 0 {
		m.Raw("\n")
		m.Head("Column", "Is", "First values")
		for _, c := range p.Columns {
			m.Row(ui.MarkdownText(ui.Untrusted(c.Title)), c.Column, ui.MarkdownText(ui.Untrusted(strings.Join(c.Values, " · "))))
		}
	}
	if len(p.NoPhotos) > 0 {
		m.Raw("\n")
		m.Head("Line", "Photo", "Reason", "Hint")
		for _, r := range p.NoPhotos {
			m.Row(ui.NumberIn(ctx, r.Line), ui.MarkdownText(ui.Untrusted(r.Name)), ui.MarkdownText(ui.T(ctx, r.Reason)), ui.MarkdownText(ui.T(ctx, r.Hint)))
		}
	}
	if len(p.Rejected) > 0 {
		m.Raw("\n")
		m.Head("Line", "Reason", "Hint")
		for _, r := range p.Rejected {
			m.Row(ui.NumberIn(ctx, r.Line), ui.MarkdownText(ui.T(ctx, r.Reason)), ui.MarkdownText(ui.T(ctx, r.Hint)))
		}
	}
}
