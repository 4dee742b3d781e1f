package gear

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views/ui"
)

// Proposal is a value that a reader proposed for gear.
type Proposal struct {
	Gear  string    `json:"gear" jsonschema:"catalogue slug brand/model"`
	Name  string    `json:"gear_name"`
	Field string    `json:"field"`
	Value string    `json:"value" jsonschema:"as proposed"`
	Links []ui.Link `json:"links"`
	site  *ui.Site
}

// NewProposal returns the page of a proposal.
func NewProposal(site *ui.Site, g *catalog.Gear, field, value string) *Proposal {
	return &Proposal{Gear: g.Slug(), Name: g.Name(), Field: field, Value: value, Links: []ui.Link{{Href: ui.GearPath(g.Slug()), Label: g.Name()}}, site: site}
}

// correctionPath returns the path of the form that reports a mistake in the specifications.
func correctionPath(g *catalog.Gear) string { return ui.GearPath(g.Slug()) + "/corrections" }

// NewCorrection returns the page with the form that reports a mistake in the specifications of
// gear.
func NewCorrection(site *ui.Site, g *catalog.Gear) *ui.FormPage {
	return ui.NewFormPage(site, correctionPath(g), g.Name(), languages.Mark("Tell us what's wrong. We'll check it before anything changes."), correctionForm(g), ui.Link{Href: ui.GearPath(g.Slug()), Label: g.Name()})
}

// ProposedChoices are the fields of which a reader can propose a value.
var ProposedChoices = []ui.Choice{
	{Value: "model", Label: languages.Mark("Model")},
	{Value: "category", Label: languages.Mark("Category")},
	{Value: "mount", Label: languages.Mark("Mount")},
	{Value: "format", Label: languages.Mark("Sensor or film")},
	{Value: "focal_min", Label: languages.Mark("Shortest focal length")},
	{Value: "focal_max", Label: languages.Mark("Longest focal length")},
	{Value: "aperture", Label: languages.Mark("Maximum aperture")},
	{Value: "year", Label: languages.Mark("Released")},
	{Value: "launch_price", Label: languages.Mark("Launch price")},
	{Value: "aliases", Label: languages.Mark("Another name")},
}

var proposalLead = languages.Mark("We'll check it before anything changes.")

// Head implements Page.
func (p *Proposal) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your correction"), Description: ui.T(ctx, proposalLead), Path: ui.GearPath(p.Gear), NoIndex: true}
}

// text says what was proposed.
func (p *Proposal) text(ctx context.Context) string {
	return p.Name + ", " + ui.ChoiceLabel(ctx, ProposedChoices, p.Field) + ": " + p.Value
}

// Markdown implements Page.
func (p *Proposal) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your correction"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.MarkdownText(p.text(ctx)))
	m.Paragraph(ui.T(ctx, proposalLead))
	m.Links(p.Links)
	return m.Done(w)
}
