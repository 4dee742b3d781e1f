package listing

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// GearSuggestion is gear that matches a title.
type GearSuggestion struct {
	Gear   string `json:"gear"`
	Name   string `json:"gear_name"`
	ui.Ref        // to the form for this gear
}

// SellStart is the page where a new listing begins: its empty form, and the drafts that
// the seller has begun before.
type SellStart struct {
	Keyword   string                 `json:"keyword,omitempty"`
	Gear      string                 `json:"gear,omitempty"`
	GearName  string                 `json:"gear_name,omitempty"`
	Suggested []GearSuggestion       `json:"suggestions"`
	Guide     *priceviews.PriceGuide `json:"price_guide,omitempty"`
	Links     []ui.Link              `json:"links"`

	drafts []ui.Card
	form   *ListingForm
	site   *ui.Site
}

// NewSellStart returns the page where a new listing begins. title is what the seller
// calls it, "" for nothing yet; form is that of the new draft, nil for a sample.
func NewSellStart(site *ui.Site, title string, form *ListingForm, drafts []*models.Listing) *SellStart {
	p := &SellStart{Keyword: title, Suggested: []GearSuggestion{}, form: form, site: site}
	if form != nil {
		p.Gear, p.GearName, p.Guide = form.Gear, form.names(form.Gear), form.Guide
		for _, g := range form.Matching {
			if g.Slug() != p.Gear {
				p.Suggested = append(p.Suggested, GearSuggestion{g.Slug(), g.Name(), ui.NewRef(ui.SellPath(g.Slug(), title))})
			}
		}
	}
	for _, l := range drafts {
		p.drafts = append(p.drafts, ui.NewCard(site, l, nil, "", nil))
	}
	p.Links = []ui.Link{{Href: "/account/listings", Label: "Your listings"}, {Href: ui.ValuationPath, Label: "Value all your gear"}, {Href: "/guides/selling-well", Label: "Selling well"}, {Href: "/guides/condition-grades", Label: "What each condition means"}}
	return p
}

// Head implements Page.
func (p *SellStart) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Sell a camera or lens"), Description: ui.T(ctx, "List a used camera or lens for sale."), Path: "/sell", NoIndex: true}
}

// Markdown implements Page.
func (p *SellStart) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Sell a camera or lens"), "").In(ctx)
	if p.Keyword != "" {
		m.Paragraph(ui.T(ctx, "You sell: %s", ui.Untrusted(p.Keyword)))
	}
	if p.Gear != "" {
		m.Raw("\n", ui.T(ctx, "That is"), " ", m.Link(ui.Link{Href: ui.GearPath(p.Gear), Label: p.GearName}), " (`", p.Gear, "`).\n")
	}
	if len(p.Suggested) > 0 {
		m.Section("Which model it may be")
		for _, g := range p.Suggested {
			m.Raw("- ", m.Link(ui.Link{Href: ui.GearPath(g.Gear), Label: g.Name}), " (`", g.Gear, "`)\n")
		}
	}
	priceviews.WritePriceHelper(m, p.Guide)
	m.Paragraph(ui.T(ctx, "Create the draft with POST /api/listings, or the tool create_listing; then publish it."))
	m.Links(p.Links)
	return m.Done(w)
}
