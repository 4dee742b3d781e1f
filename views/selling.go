package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
)

// GearSuggestion is gear that matches a title.
type GearSuggestion struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
	Ref         // to the form for this gear
}

// SellStart is the page where a new listing begins: its empty form, and the drafts that
// the seller has begun before.
type SellStart struct {
	Keyword   string           `json:"keyword,omitempty"`
	Gear      string           `json:"gear,omitempty"`
	GearName  string           `json:"gear_name,omitempty"`
	Suggested []GearSuggestion `json:"suggestions"`
	Guide     *PriceGuide      `json:"price_guide,omitempty"`
	Links     []Link           `json:"links"`

	drafts []Card
	form   *ListingForm
	site   *Site
}

// NewSellStart returns the page where a new listing begins. title is what the seller
// calls it, "" for nothing yet; form is that of the new draft, nil for a sample.
func NewSellStart(site *Site, title string, form *ListingForm, drafts []*models.Listing) *SellStart {
	p := &SellStart{Keyword: title, Suggested: []GearSuggestion{}, form: form, site: site}
	if form != nil {
		p.Gear, p.GearName, p.Guide = form.Gear, form.names(form.Gear), form.Guide
		for _, g := range form.Matching {
			if g.Slug() != p.Gear {
				p.Suggested = append(p.Suggested, GearSuggestion{g.Slug(), g.Name(), newRef(sellPath(g.Slug(), title))})
			}
		}
	}
	for _, l := range drafts {
		p.drafts = append(p.drafts, NewCard(site, l, nil, "", nil))
	}
	p.Links = []Link{{"/account/listings", "Your listings"}, {valuationPath, "Value all your gear"}, {"/guides/selling-well", "Selling well"}, {"/guides/condition-grades", "What the grades mean"}}
	return p
}

// Head implements Page.
func (p *SellStart) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Sell a camera or a lens"), Description: t(ctx, "Put a used camera or lens on sale."), Path: "/sell", NoIndex: true}
}

// Markdown implements Page.
func (p *SellStart) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Sell a camera or a lens"), "").in(ctx)
	if p.Keyword != "" {
		m.text(t(ctx, "You sell: %s", untrusted(p.Keyword)))
	}
	if p.Gear != "" {
		m.raw("\n", t(ctx, "That is"), " ", m.link(Link{gearPath(p.Gear), p.GearName}), " (`", p.Gear, "`).\n")
	}
	if len(p.Suggested) > 0 {
		m.section("Which gear it may be")
		for _, g := range p.Suggested {
			m.raw("- ", m.link(Link{gearPath(g.Gear), g.Name}), " (`", g.Gear, "`)\n")
		}
	}
	writePriceHelper(m, p.Guide)
	m.text(t(ctx, "Create the draft with POST /api/listings, or the tool create_listing; then publish it."))
	m.links(p.Links)
	return m.done(w)
}
