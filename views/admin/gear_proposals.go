package admin

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/catalog"
	gearviews "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// GearProposals is the page of proposed corrections of the catalogue.
type GearProposals struct {
	Proposals []GearProposal `json:"proposals" jsonschema:"those that agree are one, at most 200"`
	Links     []ui.Link      `json:"links"`
	site      *ui.Site
}

// GearProposal is what members or other sites propose.
type GearProposal struct {
	ID      string          `json:"id" jsonschema:"for decide_gear_proposal"`
	Gear    string          `json:"gear" jsonschema:"catalogue slug brand/model"`
	Known   bool            `json:"in_catalogue" jsonschema:"false for a model that the catalogue lacks"`
	Values  []ProposedValue `json:"values" jsonschema:"fields that would change"`
	Members int             `json:"members" jsonschema:"members who propose it"`
	Sites   []string        `json:"sites" jsonschema:"sites whose owners say so" untrusted:"true"`
	Sources []string        `json:"sources" jsonschema:"where it can be checked" untrusted:"true"`
	At      string          `json:"proposed_at" jsonschema:"when it was first proposed"`
}

// ProposedValue is a value of a proposal.
type ProposedValue struct {
	Field    string `json:"field"`
	Now      string `json:"now,omitempty" jsonschema:"of the catalogue"`
	Proposed string `json:"proposed" untrusted:"true"`
}

// NewGearProposals returns the page of open proposals, which are sorted by gear and document.
func NewGearProposals(site *ui.Site, c *catalog.Catalog, open []catalog.GearProposal) *GearProposals {
	p := &GearProposals{Proposals: []GearProposal{}, Links: []ui.Link{{Href: ui.AdminCatalogPath, Label: "Catalogue"}, {Href: ui.AdminCatalogPath + "/export", Label: "Contribute your corrections"}}, site: site}
	for i := range open {
		if i == 0 || open[i].Gear != open[i-1].Gear || open[i].Document != open[i-1].Document {
			p.Proposals = append(p.Proposals, newGearProposal(c, &open[i]))
		}
		last := &p.Proposals[len(p.Proposals)-1]
		if open[i].Site == "" {
			last.Members++
		} else {
			last.Sites = append(last.Sites, open[i].Site)
		}
		if source := open[i].Source; source != "" && !slices.Contains(last.Sources, source) {
			last.Sources = append(last.Sources, source)
		}
	}
	return p
}

// newGearProposal returns a proposal without those who make it.
func newGearProposal(c *catalog.Catalog, p *catalog.GearProposal) GearProposal {
	row := GearProposal{ID: p.ID, Gear: p.Gear, Values: []ProposedValue{}, Sites: []string{}, Sources: []string{}, At: p.At.RFC3339()}
	var now catalog.GearValues
	if g := c.Gear(p.Gear); g != nil {
		row.Known, now = true, catalog.ValuesOf(g)
	}
	if proposed, err := p.Correction(); err == nil {
		for _, field := range proposed.Fields {
			row.Values = append(row.Values, ProposedValue{field, now.Text(field), proposed.Values.Text(field)})
		}
	}
	return row
}

var proposalsLead = languages.Mark("What members and other sites say is wrong or missing. Nothing changes until you accept it.")

// Head implements Page.
func (p *GearProposals) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Proposed corrections"), Description: ui.T(ctx, proposalsLead), Path: ui.GearProposalsPath, NoIndex: true,
		Crumbs: ui.AdminCrumbs(ctx, ui.Link{Href: ui.AdminCatalogPath, Label: ui.T(ctx, "Catalogue")})}
}

// text says what is proposed, and what the catalogue has.
func (v *ProposedValue) text(ctx context.Context) string {
	label := ui.ChoiceLabel(ctx, gearviews.ProposedChoices, v.Field)
	if v.Now == "" {
		return label + ": " + ui.Untrusted(v.Proposed)
	}
	return label + ": " + v.Now + " → " + ui.Untrusted(v.Proposed)
}

// by says who proposes it.
func (g *GearProposal) by(ctx context.Context) string {
	var all []string
	if g.Members > 0 {
		all = append(all, ui.TN(ctx, g.Members, "%s member", "%s members"))
	}
	for _, site := range g.Sites {
		all = append(all, ui.Untrusted(site))
	}
	return strings.Join(all, ", ")
}

// Markdown implements Page.
func (p *GearProposals) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Proposed corrections"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, proposalsLead))
	if len(p.Proposals) == 0 {
		m.Paragraph(ui.T(ctx, "There are none."))
	}
	for i := range p.Proposals {
		g := &p.Proposals[i]
		m.Raw("\n- ", g.Gear, " (", g.ID, "), ", ui.MarkdownText(g.by(ctx)), ", ", g.At, "\n")
		for n := range g.Values {
			m.Raw("  - ", ui.MarkdownText(g.Values[n].text(ctx)), "\n")
		}
		for _, source := range g.Sources {
			m.Raw("  - ", ui.MarkdownText(ui.Untrusted(source)), "\n")
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}
