package home

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	gearviews "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// Primitives is a page with every component of the site's pages. It is served in
// development only.
type Primitives struct {
	Cards []ui.Card        `json:"cards"`
	Trend *gearviews.Trend `json:"trend,omitempty"`
	site  *ui.Site

	sellers []ui.SellerCard
	gear    []ui.GearCard
	postage ui.PostageForm
}

// NewPrimitives returns the page of components. trend may be nil.
func NewPrimitives(site *ui.Site, cards []ui.Card, trend *gearviews.Trend) *Primitives {
	stars, price := 4.8, site.Currency().Money(143600)
	return &Primitives{
		Cards: ui.List(cards), Trend: trend, site: site,
		sellers: []ui.SellerCard{{Handle: "jane", Name: "Jane Doe", Ref: ui.NewRef(ui.SellerPath("jane")), Region: "DE", Since: "2024-03", ForSale: 3, Sold: 12, Stars: &stars, Ratings: 9}, {Handle: "john", Name: "John", Ref: ui.NewRef(ui.SellerPath("john")), Since: "2026-11"}},
		gear:    []ui.GearCard{{Slug: "canon/eos-r6", Name: "Canon EOS R6", Ref: ui.NewRef(ui.GearPath("canon/eos-r6")), Category: "mirrorless", Mount: "Canon RF", ForSale: 15, Lowest: &price, Estimate: &price, Grade: models.ConditionExcellent, Median: &price, Sales: 343}, {Slug: "alpa/9d", Name: "Alpa 9d", Ref: ui.NewRef(ui.GearPath("alpa/9d")), Category: "film_slr"}},
		postage: ui.PostageForm{Postage: "DE=690 EU=1490", Home: "DE", Currency: site.Currency()},
	}
}

// forms returns a new form and one that was rejected.
func (p *Primitives) forms() []*ui.Form {
	wrong := &ui.Error{Errors: []ui.FieldError{{Field: "title", Message: problem.Textf("Tell us what you're selling.")}, {Field: "price", Message: problem.Textf("Enter a price.")}}}
	return []*ui.Form{{Operation: "sheet_new"}, {Operation: "sheet_rejected", Error: wrong, Values: map[string][]string{"title": {""}, "box": {"b"}}}}
}

// choices returns choices of a form.
func (p *Primitives) choices() []ui.Choice {
	return []ui.Choice{{Value: "a", Label: "Free postage", Chosen: true}, {Value: "b", Label: "Collection only", Meaning: "Unused, in original packaging."}}
}

// facets returns more values of a facet than are shown at once, the first one chosen.
func (p *Primitives) facets() []ui.Facet {
	all := make([]ui.Facet, ui.FacetShown+3)
	for i := range all {
		all[i] = ui.Facet{Value: "canon", Label: "Canon", Count: 1234 - i, Active: i == 0}.Leading("#")
	}
	return all
}

// states returns a card in each state that changes its look: without a photo and verified, reduced,
// in another state, and delivered.
func (p *Primitives) states() []ui.Card {
	cards := make([]ui.Card, 5)
	for i := range cards {
		cards[i] = p.Cards[i%len(p.Cards)]
	}
	higher := models.Money{Amount: "9999.00", Currency: cards[1].Price.Currency}
	cards[0].Photo, cards[0].Deal, cards[0].VerifiedAt = nil, nil, "2026-11-20T09:00:00Z"
	cards[1].EarlierPrice = &higher
	cards[2].Status, cards[3].Status, cards[3].SoldPrice = models.StatusReserved, models.StatusSold, &cards[3].Price
	cards[4].Delivery = &ui.Delivery{To: "DE", Terms: search.Ships, Postage: &cards[4].Price, Total: &higher}
	return cards
}

// Head implements Page.
func (p *Primitives) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Primitives"), Description: ui.T(ctx, "Everything the pages of this site are made of."), Path: "/ui", NoIndex: true}
}

// Markdown implements Page.
func (p *Primitives) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Primitives"), "").In(ctx)
	m.Paragraph(ui.T(ctx, "Everything the pages of this site are made of; the HTML format shows it."))
	m.Cards("Cards", p.Cards)
	return m.Done(w)
}

// colours returns the colour tokens of tailwind.config.js.
func (p *Primitives) colours() []string {
	return []string{"paper", "sheet", "tray", "ink", "pencil", "rule", "edge", "safelight", "glow", "onlight"}
}
