package views

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
)

// NewListing returns the page of a listing.
func NewListing(site *Site, parts ListingParts) *Listing {
	l, gear := parts.Listing, parts.Gear
	p := &Listing{
		Card:        NewCard(site, l, gear, parts.Seller.Handle, parts.Deal),
		Description: l.Text,
		Grade:       newGrade(l.Condition),
		Item:        newItem(&l.Item, namedDefect),
		item:        l.Item,
		Specs:       specsOf(gear),
		Photos:      make([]Photo, 0, len(l.Photos)),
		SellerCard:  NewSellerCard(site, parts.Seller, parts.SellerForSale, parts.SellerSold),
		Postage:     newPostage(site.in(l.Currency), l.Price, l.PostageOr(parts.Seller.Postage)),
		UpdatedAt:   l.UpdatedAt.RFC3339(),
		ClosedAt:    l.ClosedAt.RFC3339(),
		EndReason:   l.EndReason,
		Edition:     l.Version,
		Past:        make([]PastPrice, 0, len(parts.Past)),
		RecentSales: newRecentSales(site, parts.Recent),
		Similar:     list(parts.Similar),
		FromSeller:  list(parts.FromSeller),
		site:        site,
	}
	if parts.Sale == nil || parts.Own || parts.Sale.Eligible() {
		p.SoldPrice = moneyOf(site.in(l.Currency), l.SoldPrice)
	}
	p.SellerCard.rate(parts.Ratings, parts.Responses)
	if l.Demo {
		p.Notice = DemoNotice
	}
	if l.Status == models.StatusActive {
		p.ExpiresAt, p.Estimate = l.ExpiresAt.RFC3339(), newEstimate(site, parts.Estimate)
	}
	for _, past := range parts.Past {
		p.Past = append(p.Past, PastPrice{site.in(l.Currency).Money(past.Price), past.Until.RFC3339()})
	}
	if parts.Own {
		p.Sale, p.Held = newOwnSale(site, parts.Sale), parts.Held
		p.daysToSell = parts.DaysToSell
		p.Steps = stepsOf(l.ID, l.Status)
	}
	for i := range l.Photos {
		p.Photos = append(p.Photos, newPhoto(site, l, i))
	}
	if gear != nil {
		p.Brand, p.Model = gear.Brand, gear.Model
		if parts.Trend != nil {
			p.medians = medians(parts.Trend.Months)
		}
		p.Trend = newTrendBrief(site, gear, parts.Trend, l.Condition)
	}
	p.Links = p.links(context.Background())
	return p
}

// Markdown implements Page.
func (p *Listing) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, untrusted(p.Title), t(ctx, p.Notice)).in(ctx)
	m.raw("\n**", moneyIn(ctx, p.Price), "**", p.approxIn(languages.Of(ctx)), ", ", statusIn(ctx, p.Status), ".")
	if p.Deal != nil {
		m.raw(" ", p.Deal.long(ctx), ".")
	}
	m.raw("\n")
	m.text(p.daysText(ctx))
	m.text(p.statusSentence(ctx))
	m.raw("\n")
	m.factRows(append(p.facts(ctx, untrusted), fact{"Listing", t(ctx, "%s, version %d", p.ID, p.Edition), ""}))
	m.row(t(ctx, "Address"), p.site.URL(p.Page))
	if p.Description != "" {
		m.section("What the seller says")
		m.quote(p.Description)
	}
	m.specs(p.Specs)
	writeTrendBrief(m, p)
	writeRecentSales(m, p.RecentSales)
	m.photos(p.Photos)
	m.section("Seller")
	m.seller(&p.SellerCard)
	m.cards("Similar listings", p.Similar)
	m.cards("More from this seller", p.FromSeller)
	writeSteps(m, p.Steps)
	m.links(p.links(ctx))
	return m.done(w)
}

func writeTrendBrief(m *markdown, p *Listing) {
	if p.Trend == nil && p.Estimate == nil {
		return
	}
	m.section("What it sells for")
	if p.Estimate != nil {
		m.text(p.estimateText(m.ctx))
		writeEstimateLinks(m, p.Estimate)
	}
	if p.Trend == nil {
		return
	}
	writeStatsHead(m, "Sold")
	writeStatsRow(m, "All conditions, 12 months", &p.Trend.Summary)
	writeStatsRow(m, t(m.ctx, "%s, 12 months", t(m.ctx, p.Grade.Label)), &p.Trend.Condition)
	m.raw("\n", t(m.ctx, "Change of the median over 90 days: %s.", changeIn(m.ctx, p.Trend.Change90)), " ",
		m.link(Link{gearPath(p.Gear), "The whole trend"}), "\n")
}

func newTrendBrief(site *Site, gear *catalog.Gear, t *prices.Trend, c models.Condition) *TrendBrief {
	if t == nil {
		t = &prices.Trend{}
	}
	return &TrendBrief{
		Ref:       newRef(gearPath(gear.Slug())),
		Summary:   newStats(site, t.Summary),
		Condition: newStats(site, t.ByCondition[c]),
		Change90:  percentOf(t.Change90d),
	}
}

func (p *Listing) links(ctx context.Context) []Link {
	var links []Link
	if p.Gear != "" {
		links = append(links,
			Link{gearPath(p.Gear), t(ctx, "What %s sells for", p.GearName)},
			Link{pathOf(search.Filter{Model: p.Gear}), t(ctx, "Every %s for sale", p.GearName)})
	}
	return append(links,
		Link{sellerPath(p.Seller), t(ctx, "Everything from %s", p.Seller)},
		Link{pathOf(search.Filter{Category: models.Kind(p.Category)}), t(ctx, "Everything in %s", withinSentence(ctx, cmp.Or(p.Category.Label(), "All categories")))},
		Link{"/guides/condition-grades", t(ctx, "What the grades mean")})
}

// Head implements Page.
func (p *Listing) Head(ctx context.Context) Head {
	h := Head{
		Title:       p.Title + ", " + p.priceIn(languages.Of(ctx)),
		Description: p.Title + ": " + withinSentence(ctx, p.conditionIn(languages.Of(ctx))) + ", " + p.priceIn(languages.Of(ctx)) + ", " + regionIn(ctx, p.Region) + ".",
		Path:        p.pagePath(),
		NoIndex:     p.Status != models.StatusActive && p.Status != models.StatusReserved,
		Crumbs:      p.crumbs(ctx),
	}
	if len(p.Photos) > 0 {
		h.Image = p.site.local(p.Photos[0].largest())
	}
	return h
}

// alternatives links a listing that is not for sale to listings that are.
func (p *Listing) alternatives(ctx context.Context) Link {
	switch {
	case len(p.Similar) > 0:
		return Link{"#similar", t(ctx, "See similar for sale")}
	case p.Gear != "":
		return Link{pathOf(search.Filter{Model: p.Gear}), t(ctx, "See %s for sale", p.GearName)}
	}
	return Link{}
}

// factsBelowGrade returns the facts about the item below its grade.
func (p *Listing) factsBelowGrade(ctx context.Context) []fact {
	model := fact{"Model", p.GearName, ""}
	if p.Gear != "" {
		model.Href = gearPath(p.Gear)
	}
	return append(itemFacts(ctx, &p.item, asWritten)[1:], model, fact{"Type", p.kindText(ctx), ""})
}

// actionPath returns the path of the form with a field. It leads signed-out visitors
// to sign in, and back.
func (p *Listing) actionPath(ctx context.Context, field string) templ.SafeURL {
	if viewerOf(ctx).Handle == "" {
		return templ.SafeURL(signInPath(p.path() + "#" + field))
	}
	return templ.SafeURL("#" + field)
}
