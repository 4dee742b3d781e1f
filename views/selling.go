package views

import (
	"context"
	"io"
	"net/url"

	"github.com/secondlight/secondlight/models"
)

// GearSuggestion is gear that matches a title.
type GearSuggestion struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
	Ref         // to the form for this gear
}

// SellStart is the page where a new listing begins: a search for the gear, then the
// form.
type SellStart struct {
	Keyword   string           `json:"keyword,omitempty"`
	Gear      string           `json:"gear,omitempty"`
	GearName  string           `json:"gear_name,omitempty"`
	Suggested []GearSuggestion `json:"suggestions"`
	Guide     *PriceGuide      `json:"price_guide,omitempty"`
	Links     []Link           `json:"links"`

	form           ListingForm
	notInCatalogue bool // the seller chose NoGear
	site           *Site
}

// NewSellStart returns the page where a new listing begins. chosen is a slug, NoGear
// or "" while nothing is chosen. names returns the name of gear by its slug. form is
// nil for a sample.
func NewSellStart(site *Site, title string, suggested []*models.Gear, form *ListingForm, chosen string, names func(string) string) *SellStart {
	p := &SellStart{Keyword: title, Suggested: []GearSuggestion{}, site: site}
	if form != nil {
		p.form = *form
	}
	p.form.names = names
	if p.notInCatalogue = chosen == NoGear; p.notInCatalogue {
		p.form.Gear = ""
	} else if chosen != "" {
		p.Gear, p.GearName = chosen, names(chosen)
	}
	for _, g := range suggested {
		p.form.Suggested = append(p.form.Suggested, g.Slug())
		if g.Slug() != p.Gear {
			p.Suggested = append(p.Suggested, GearSuggestion{g.Slug(), g.Name(), newRef(sellPath(g.Slug(), title))})
		}
	}
	p.Links = []Link{{"/account/listings", "Your listings"}, {valuationPath, "Value all your gear"}, {"/guides/selling-well", "Selling well"}, {"/guides/condition-grades", "What the grades mean"}}
	return p
}

// sellPath returns the path of the form for gear with a title. Either may be "".
func sellPath(gear, title string) string {
	q := url.Values{}
	for name, value := range map[string]string{"gear": gear, "title": title} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/sell"
	}
	return "/sell?" + q.Encode()
}

// Head implements Page.
func (p *SellStart) Head(ctx context.Context) Head {
	return Head{Title: "Sell a camera or a lens", Description: "Put a used camera or lens on sale.", Path: "/sell", NoIndex: true}
}

// Markdown implements Page.
func (p *SellStart) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, "Sell a camera or a lens", "")
	if p.Keyword != "" {
		m.text("You sell: " + untrusted(p.Keyword))
	}
	if p.Gear != "" {
		m.raw("\nThat is ", m.link(Link{gearPath(p.Gear), p.GearName}), " (`", p.Gear, "`).\n")
	}
	if len(p.Suggested) > 0 {
		m.section("Which gear it may be")
		for _, g := range p.Suggested {
			m.raw("- ", m.link(Link{gearPath(g.Gear), g.Name}), " (`", g.Gear, "`)\n")
		}
	}
	m.priceHelper(p.Guide)
	m.text("Create the draft with POST /api/listings, or the tool create_listing; then publish it.")
	m.links(p.Links)
	return m.done(w)
}

// chosen returns the chosen slug, NoGear or "".
func (p *SellStart) chosen() string {
	if p.notInCatalogue {
		return NoGear
	}
	return p.Gear
}

// showsForm reports whether the form is rendered: once gear is chosen, and when f
// was rejected.
func (p *SellStart) showsForm(f *Form) bool {
	return p.Gear != "" || p.notInCatalogue || f.Error != nil
}
