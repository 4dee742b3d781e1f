package listing

import (
	"cmp"
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	gearviews "github.com/secondlight/secondlight/views/gear"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// NewListing returns the page of a listing.
func NewListing(site *ui.Site, parts ListingParts) *Listing {
	l, gear := parts.Listing, parts.Gear
	p := &Listing{
		Card:        ui.NewCard(site, l, gear, parts.Seller.Handle, parts.Deal),
		Description: l.Text,
		Grade:       newGrade(l.Condition),
		Item:        ui.NewItem(&l.Item, ui.NamedDefect),
		item:        l.Item,
		Specs:       ui.SpecsOf(gear),
		Photos:      make([]ui.Photo, 0, len(l.Photos)),
		SellerCard:  ui.NewSellerCard(site, parts.Seller, parts.SellerForSale, parts.SellerSold),
		Postage:     ui.NewPostage(site.In(l.Currency), l.Price, l.PostageOr(parts.Seller.Postage)),
		UpdatedAt:   l.UpdatedAt.RFC3339(),
		ClosedAt:    l.ClosedAt.RFC3339(),
		EndReason:   l.EndReason,
		Edition:     l.Version,
		Past:        make([]PastPrice, 0, len(parts.Past)),
		RecentSales: newRecentSales(site, parts.Recent),
		Similar:     ui.List(parts.Similar),
		FromSeller:  ui.List(parts.FromSeller),
		site:        site,
		terms:       l.PostageOr(parts.Seller.Postage),
		cents:       l.Price,
	}
	if parts.Sale == nil || parts.Own || parts.Sale.Eligible() {
		p.SoldPrice = ui.MoneyOf(site.In(l.Currency), l.SoldPrice)
	}
	if l.BuyNow.Allowed() {
		p.BuyNow = l.BuyNow
	}
	p.SellerCard.Rate(parts.Ratings, parts.Responses)
	if gear == nil {
		p.NewModel = l.Gear
	}
	if l.Demo {
		p.Notice = ui.DemoNotice
	}
	if l.Status == models.StatusActive {
		p.ExpiresAt, p.Estimate = l.ExpiresAt.RFC3339(), priceviews.NewEstimate(site, parts.Estimate, parts.Trend)
	}
	for _, past := range parts.Past {
		p.Past = append(p.Past, PastPrice{site.In(l.Currency).Money(past.Price), past.Until.RFC3339()})
	}
	if parts.Own {
		p.Sale, p.Held = newOwnSale(site, parts.Sale), parts.Held
		p.daysToSell = parts.DaysToSell
		p.Steps = stepsOf(l.ID, l.Status)
	}
	p.Photos = ui.NewPhotos(site, l)
	if gear != nil {
		p.Brand, p.Model = gear.Brand, gear.Model
		if parts.Trend != nil {
			p.medians = priceviews.Medians(parts.Trend.Months)
		}
		p.Trend = newTrendBrief(site, gear, parts.Trend, l.Condition)
	}
	p.Links = p.links(context.Background())
	return p
}

// Markdown implements Page.
func (p *Listing) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.Untrusted(p.Title), ui.T(ctx, p.Notice)).In(ctx)
	m.Raw("\n**", ui.MoneyIn(ctx, p.Price), "**", p.ApproxIn(languages.Of(ctx)), ", ", ui.StatusIn(ctx, p.Status), ".")
	if p.Deal != nil {
		m.Raw(" ", p.Deal.Long(ctx), ".")
	}
	m.Raw("\n")
	m.Paragraph(p.Delivery.TextIn(ctx))
	m.Paragraph(p.daysText(ctx))
	m.Paragraph(p.statusSentence(ctx))
	m.Raw("\n")
	m.FactRows(append(p.facts(ctx, ui.Untrusted), ui.Fact{Name: "Listing", Value: ui.T(ctx, "%s, version %d", p.ID, p.Edition)}))
	m.Row(ui.T(ctx, "Address"), p.site.URL(p.Page))
	if p.Description != "" {
		m.Section("What the seller says")
		m.Quote(p.Description)
	}
	m.Specs(p.Specs)
	writeTrendBrief(m, p)
	writeRecentSales(m, p.RecentSales)
	m.Photos(p.Photos)
	m.Section("Seller")
	m.Seller(&p.SellerCard)
	m.Cards("Similar listings", p.Similar)
	m.Cards("More from this seller", p.FromSeller)
	writeSteps(m, p.Steps)
	m.Links(p.links(ctx))
	return m.Done(w)
}

func writeTrendBrief(m *ui.Markdown, p *Listing) {
	if p.Trend == nil && p.Estimate == nil {
		return
	}
	m.Section("Price history")
	if p.Estimate != nil {
		m.Paragraph(p.estimateText(m.Context))
		priceviews.WriteEstimateLinks(m, p.Estimate)
	}
	if p.Trend == nil {
		return
	}
	m.Paragraph(p.soldText(m.Context))
	priceviews.WriteStatsHead(m, "Sold")
	priceviews.WriteStatsRow(m, "All conditions", &p.Trend.Summary)
	priceviews.WriteStatsRow(m, ui.T(m.Context, p.Grade.Label), &p.Trend.Condition)
	m.Raw("\n",
		m.Link(ui.Link{Href: ui.GearPath(p.Gear), Label: "Full price history"}), "\n")
}

func newTrendBrief(site *ui.Site, gear *catalog.Gear, t *prices.Trend, c models.Condition) *gearviews.TrendBrief {
	if t == nil {
		t = &prices.Trend{}
	}
	return &gearviews.TrendBrief{
		Ref:       ui.NewRef(ui.GearPath(gear.Slug())),
		Window:    priceviews.NewWindow(site, t),
		Summary:   priceviews.NewStats(site, t.Summary),
		Condition: priceviews.NewStats(site, t.ByCondition[c]),
		Change90:  priceviews.PercentOf(t.Change90d),
	}
}

func (p *Listing) links(ctx context.Context) []ui.Link {
	var links []ui.Link
	if p.Gear != "" {
		links = append(links,
			ui.Link{Href: ui.GearPath(p.Gear), Label: ui.T(ctx, "%s price history", p.GearName)},
			ui.Link{Href: ui.PathOf(search.Filter{Model: p.Gear}), Label: ui.T(ctx, "Shop all %s", p.GearName)})
	}
	return append(links,
		ui.Link{Href: ui.SellerPath(p.Seller), Label: ui.T(ctx, "All listings from %s", p.Seller)},
		ui.Link{Href: ui.PathOf(search.Filter{Category: models.Kind(p.Category)}), Label: ui.T(ctx, "More in “%s”", ui.T(ctx, cmp.Or(p.Category.Label(), "All categories")))},
		ui.Link{Href: "/guides/condition-grades", Label: ui.T(ctx, "What each condition means")})
}

// Head implements Page.
func (p *Listing) Head(ctx context.Context) ui.Head {
	h := ui.Head{
		Title:       p.Title + ", " + p.PriceIn(languages.Of(ctx)),
		Description: p.Title + ": " + ui.WithinSentence(ctx, p.ConditionIn(languages.Of(ctx))) + ", " + p.PriceIn(languages.Of(ctx)) + ", " + ui.RegionIn(ctx, p.Region) + ".",
		Path:        p.pagePath(),
		NoIndex:     p.Status != models.StatusActive && p.Status != models.StatusReserved,
		Crumbs:      p.crumbs(ctx),
	}
	if len(p.Photos) > 0 {
		h.Image = p.site.Local(p.Photos[0].Largest())
	}
	return h
}

// alternatives links a listing that is not for sale to listings that are.
func (p *Listing) alternatives(ctx context.Context) ui.Link {
	switch {
	case len(p.Similar) > 0:
		return ui.Link{Href: "#similar", Label: ui.T(ctx, "See similar for sale")}
	case p.Gear != "":
		return ui.Link{Href: ui.PathOf(search.Filter{Model: p.Gear}), Label: ui.T(ctx, "See %s for sale", p.GearName)}
	}
	return ui.Link{}
}

// factsBelowGrade returns the facts about the item below its grade.
func (p *Listing) factsBelowGrade(ctx context.Context) []ui.Fact {
	model := ui.Fact{Name: "Model", Value: p.modelText(ctx)}
	if p.Gear != "" {
		model.Href = ui.GearPath(p.Gear)
	}
	return append(ui.ItemFacts(ctx, &p.item, ui.AsWritten)[1:], model, ui.Fact{Name: "Type", Value: p.KindText(ctx)})
}

// actionPath returns the path of the form with a field. It leads signed-out visitors
// to sign in, and back.
func (p *Listing) actionPath(ctx context.Context, field string) templ.SafeURL {
	if ui.ViewerOf(ctx).Handle == "" {
		return templ.SafeURL(ui.SignInPath(p.Path() + "#" + field))
	}
	return templ.SafeURL("#" + field)
}
