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
	"github.com/secondlight/secondlight/views/ui"
)

// GearShipped is the state of gear that is as the catalogue is shipped. The others are
// those of corrections.
const GearShipped = "shipped"

// CatalogGear is gear in the list of the catalogue.
type CatalogGear struct {
	Slug     string          `json:"gear"`
	Name     string          `json:"name"`
	Category models.Category `json:"category"`
	Mount    string          `json:"mount,omitempty"`
	Year     int             `json:"year,omitempty" jsonschema:"year of introduction"`
	State    string          `json:"state" jsonschema:"shipped, added by the owner, corrected by the owner, or redundant: the shipped catalogue has the correction by now" enum:"shipped,added,corrected,redundant"`
}

// AdminCatalog is the page that searches the catalogue and lists what the owner corrected.
type AdminCatalog struct {
	Keyword    string        `json:"keyword,omitempty"`
	Show       string        `json:"show" jsonschema:"all gear, or the corrections in a state"`
	Total      int           `json:"total" jsonschema:"number of results"`
	Added      int           `json:"added" jsonschema:"gear that the owner added"`
	Corrected  int           `json:"corrected" jsonschema:"gear that the owner corrected"`
	Redundant  int           `json:"redundant" jsonschema:"corrections that the shipped catalogue has by now"`
	Gear       []CatalogGear `json:"gear"`
	NextCursor string        `json:"next_cursor,omitempty"`
	Links      []ui.Link     `json:"links"`
	next       ui.Next
	site       *ui.Site
}

// What AdminCatalog shows.
const (
	ShowAllGear     = "all"
	ShowCorrections = "corrections"
	ShowRedundant   = "redundant"
)

// NewCatalogGear returns gear for the list.
func NewCatalogGear(g *catalog.Gear, state string) CatalogGear {
	return CatalogGear{Slug: g.Slug(), Name: g.Name(), Category: g.Category, Mount: g.Mount, Year: g.Year, State: state}
}

// NewAdminCatalog returns the page of some gear. The counts are set by the caller.
func NewAdminCatalog(site *ui.Site, keyword, show string, total int, gear []CatalogGear, next ui.Next) *AdminCatalog {
	return &AdminCatalog{Keyword: keyword, Show: show, Total: total, Gear: ui.List(gear), NextCursor: next.Cursor, next: next,
		Links: []ui.Link{{Href: ui.AdminCatalogPath + "/new", Label: "Add gear"}, {Href: ui.GearProposalsPath, Label: "Proposed corrections"}, {Href: ui.AdminCatalogPath + "/export", Label: "Contribute your corrections"}, {Href: ui.AdminImportsPath, Label: "Imports"}}, site: site}
}

// Head implements Page.
func (p *AdminCatalog) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Catalogue"), Description: ui.T(ctx, catalogLead), Path: ui.AdminCatalogPath, NoIndex: true, Crumbs: ui.AdminCrumbs(ctx)}
}

var catalogLead = languages.Mark("Add missing cameras and lenses, and correct mistakes. Changes apply to search, prices and imports straight away, and survive updates.")

// After implements web.PagedPage.
func (p *AdminCatalog) After() string { return p.NextCursor }

// path returns the path of the page, with its parameters.
func (p *AdminCatalog) path() string {
	path := ui.WithParams(ui.AdminCatalogPath, "keyword", p.Keyword)
	if p.Show != ShowAllGear {
		path = ui.WithParam(path, "show", p.Show)
	}
	return path
}

// more returns the path of the next page, "" if there is none.
func (p *AdminCatalog) more() string { return p.next.Path(p.path()) }

// summary counts the corrections.
func (p *AdminCatalog) summary(ctx context.Context) string {
	if p.Added+p.Corrected+p.Redundant == 0 {
		return ui.T(ctx, "You haven't changed anything yet.")
	}
	text := ui.T(ctx, "%s added, %s corrected.", ui.NumberIn(ctx, p.Added), ui.NumberIn(ctx, p.Corrected))
	if p.Redundant > 0 {
		text += " " + ui.TN(ctx, p.Redundant, "%s of your corrections is now in the standard catalogue. You can remove it.", "%s of your corrections are now in the standard catalogue. You can remove them.")
	}
	return text
}

// gearStates names the states of gear.
var gearStates = []ui.Choice{
	{Value: GearShipped, Label: languages.Mark("As shipped")},
	{Value: string(catalog.GearAdded), Label: languages.Mark("Added by you")},
	{Value: string(catalog.GearCorrected), Label: languages.Mark("Corrected by you")},
	{Value: string(catalog.GearRedundant), Label: languages.Mark("No longer needed")},
}

// showChoices are the parts of the catalogue that are shown.
var showChoices = []ui.Choice{
	{Value: ShowAllGear, Label: languages.Mark("All gear")},
	{Value: ShowCorrections, Label: languages.Mark("Your changes")},
	{Value: ShowRedundant, Label: languages.Mark("Changes no longer needed")},
}

// path returns the path of the form that corrects the gear.
func (g *CatalogGear) path() string { return ui.AdminCatalogPath + "/" + g.Slug }

// Markdown implements Page.
func (p *AdminCatalog) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Catalogue"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, catalogLead))
	m.Paragraph(p.summary(ctx))
	m.Paragraph(ui.T(ctx, "Shown: %s", ui.ChoiceLabel(ctx, showChoices, p.Show)) + " (" + p.Show + ")")
	if p.Keyword != "" {
		m.Paragraph(ui.T(ctx, "Search: %s", ui.MarkdownText(p.Keyword)))
	}
	m.Paragraph(ui.TN(ctx, p.Total, "%s result", "%s results"))
	m.Raw("\n")
	m.Head("Gear", "Slug", "Category", "Mount", "Released", "State")
	for i := range p.Gear {
		g := &p.Gear[i]
		m.Row(m.Link(ui.Link{Href: g.path(), Label: g.Name}), ui.MarkdownText(g.Slug), ui.T(ctx, g.Category.Label())+" ("+string(g.Category)+")", ui.MarkdownText(cmp.Or(g.Mount, "–")), ui.YearText(g.Year), ui.ChoiceLabel(ctx, gearStates, g.State)+" ("+g.State+")")
	}
	m.More(p.more())
	m.Links(p.Links)
	return m.Done(w)
}

// AdminGear is the page that adds or corrects gear.
type AdminGear struct {
	Slug        string          `json:"gear,omitempty" jsonschema:"catalogue slug such as canon/eos-r6; absent for gear to add"`
	State       string          `json:"state,omitempty" jsonschema:"shipped, added by the owner, corrected by the owner, or redundant: the shipped catalogue has the correction by now" enum:"shipped,added,corrected,redundant"`
	Brand       string          `json:"brand"`
	Model       string          `json:"model" jsonschema:"name without the brand"`
	Category    models.Category `json:"category,omitempty"`
	Mount       string          `json:"mount,omitempty" jsonschema:"mounts, the most usual first, separated by commas; absent for a fixed lens"`
	Format      string          `json:"format,omitempty" jsonschema:"sensor or film; of a lens, the largest that it covers"`
	FocalMin    float64         `json:"focal_min,omitempty" jsonschema:"shortest focal length in millimetres"`
	FocalMax    float64         `json:"focal_max,omitempty" jsonschema:"longest focal length in millimetres"`
	Aperture    float64         `json:"aperture,omitempty" jsonschema:"largest aperture as an f-number"`
	Year        int             `json:"year,omitempty" jsonschema:"year of introduction"`
	LaunchPrice string          `json:"launch_price,omitempty" jsonschema:"price when it came out, such as 2499.00 EUR"`
	Aliases     []string        `json:"aliases" jsonschema:"other names and nicknames"`
	Picture     string          `json:"picture,omitempty" jsonschema:"path of the owner's picture"`
	Fields      []string        `json:"corrected" jsonschema:"names of the values that differ from the shipped catalogue"`
	Shipped     []ui.Spec       `json:"shipped" jsonschema:"the shipped catalogue's specifications; empty if it lacks the gear"`
	Links       []ui.Link       `json:"links"`
	site        *ui.Site
}

// NewAdminGear returns the page of gear with its correction, nil for none, and as it is
// shipped, nil if it isn't. Without gear it is the page that adds some.
func NewAdminGear(site *ui.Site, g *catalog.Gear, correction *catalog.GearCorrection, shipped *catalog.Gear, state string) *AdminGear {
	p := &AdminGear{Aliases: []string{}, Fields: []string{}, Shipped: ui.SpecsOf(shipped), Links: []ui.Link{{Href: ui.AdminCatalogPath, Label: "Catalogue"}}, site: site}
	if correction != nil {
		p.Fields = ui.List(correction.Fields)
	}
	if g == nil {
		return p
	}
	p.Slug, p.State, p.Brand, p.Model, p.Category, p.Mount, p.Format = g.Slug(), state, g.Brand, g.Model, g.Category, g.Mount, g.Format
	p.FocalMin, p.FocalMax, p.Aperture, p.Year, p.LaunchPrice, p.Aliases = g.FocalMin, g.FocalMax, g.Aperture, g.Year, g.LaunchPrice, ui.List(g.Aliases)
	if g.Picture != "" {
		p.Picture = ui.GearPicturePath(g.Picture)
	}
	p.Links = append(p.Links, ui.Link{Href: ui.GearPath(g.Slug()), Label: "View its page"})
	return p
}

// path returns the path of the page.
func (p *AdminGear) path() string {
	if p.Slug == "" {
		return ui.AdminCatalogPath + "/new"
	}
	return ui.AdminCatalogPath + "/" + p.Slug
}

// operation returns the name of the operation of the form.
func (p *AdminGear) operation() string {
	if p.Slug == "" {
		return "add_gear"
	}
	return "correct_gear"
}

// action returns the path that the form is sent to.
func (p *AdminGear) action() string {
	if p.Slug == "" {
		return ui.AdminCatalogPath
	}
	return p.path()
}

// title returns the heading of the page.
func (p *AdminGear) title(ctx context.Context) string {
	if p.Slug == "" {
		return ui.T(ctx, "Add gear")
	}
	return p.Brand + " " + p.Model
}

// stateText says how the gear relates to the shipped catalogue.
func (p *AdminGear) stateText(ctx context.Context) string {
	switch p.State {
	case string(catalog.GearAdded):
		return ui.T(ctx, "You added this. It's not in the built-in catalogue.")
	case string(catalog.GearCorrected):
		return ui.T(ctx, "Edited by you. Updates won't overwrite your changes.")
	case string(catalog.GearRedundant):
		return ui.T(ctx, "Your correction is now in the standard catalogue. You can remove it here.")
	case GearShipped:
		return ui.T(ctx, "Standard entry. Updates won't overwrite your changes.")
	}
	return ui.T(ctx, "Search, prices and imports use it straight away.")
}

// Head implements Page.
func (p *AdminGear) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.title(ctx), Description: p.stateText(ctx), Path: p.path(), NoIndex: true,
		Crumbs: ui.AdminCrumbs(ctx, ui.Link{Href: ui.AdminCatalogPath, Label: ui.T(ctx, "Catalogue")})}
}

// Markdown implements Page.
func (p *AdminGear) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.MarkdownText(p.title(ctx)), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.stateText(ctx))
	m.Raw("\n")
	m.Head("Value", "Now")
	row := func(label, value string) { m.Row(ui.T(ctx, label), ui.MarkdownText(cmp.Or(value, "–"))) }
	row("Slug", p.Slug)
	row("State", p.State)
	row("Brand", p.Brand)
	row("Model", p.Model)
	row("Category", string(p.Category))
	row("Mount", p.Mount)
	row("Sensor or film", p.Format)
	row("Shortest focal length", numberOr(p.FocalMin))
	row("Longest focal length", numberOr(p.FocalMax))
	row("Maximum aperture", numberOr(p.Aperture))
	row("Released", numberOr(float64(p.Year)))
	row("Launch price", p.LaunchPrice)
	row("Other names", strings.Join(p.Aliases, ", "))
	row("Photo", p.Picture)
	row("Changed by you", strings.Join(p.Fields, ", "))
	if len(p.Shipped) > 0 {
		m.Section("As shipped")
		m.Head("Value", "Shipped")
		for _, s := range p.Shipped {
			m.Row(ui.T(ctx, s.Name), ui.MarkdownText(ui.T(ctx, s.Value)))
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// numberOr formats a number, 0 as "".
func numberOr(n float64) string {
	if n == 0 {
		return ""
	}
	return ui.Decimal(n)
}

// CatalogExport is the page that exports the owner's corrections.
type CatalogExport struct {
	Gear int `json:"gear" jsonschema:"number of gear in the file"`
	catalog.Shared
	Links []ui.Link `json:"links"`
	site  *ui.Site
}

// NewCatalogExport returns the page of a signed file.
func NewCatalogExport(site *ui.Site, shared catalog.Shared) *CatalogExport {
	return &CatalogExport{Gear: max(0, strings.Count(shared.File, "\n")-1), Shared: shared, Links: []ui.Link{{Href: ui.AdminCatalogPath, Label: "Catalogue"}}, site: site}
}

var exportLead = languages.Mark("All gear that you added or corrected, in the format of the catalogue's own files. Send it to the project, and the next release may have it; as JSON it is signed, and owners of other sites can import it. Photos aren't part of the file.")

// Head implements Page.
func (p *CatalogExport) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Export your corrections"), Description: ui.T(ctx, exportLead), Path: ui.AdminCatalogPath + "/export", NoIndex: true,
		Crumbs: ui.AdminCrumbs(ctx, ui.Link{Href: ui.AdminCatalogPath, Label: ui.T(ctx, "Catalogue")})}
}

// CSV writes the file.
func (p *CatalogExport) CSV(w io.Writer) error {
	_, err := io.WriteString(w, p.File)
	return err
}

// Markdown implements Page.
func (p *CatalogExport) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Export your corrections"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, exportLead))
	m.Paragraph(ui.T(ctx, "Models in the file: %s", strconv.Itoa(p.Gear)))
	m.Raw("\n", p.Site, " ", p.Key, " ", p.Signature, "\n")
	m.Raw("\n```\n", strings.ReplaceAll(p.File, "```", "'''"), "```\n")
	m.Links(p.Links)
	return m.Done(w)
}
