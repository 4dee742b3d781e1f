package search

import (
	"context"
	"slices"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	gearviews "github.com/secondlight/secondlight/views/gear"
	listingviews "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// NewListingComparison returns a comparison of listings. to is the country of the reader,
// "" if it is unknown. missing are ids of listings that are not public; omitted is how
// many more listings were asked for than it takes.
func NewListingComparison(site *ui.Site, parts []listingviews.ListingParts, to models.Region, missing []string, omitted int) *Comparison {
	p := &Comparison{Models: []ComparedModel{}, Listings: []ComparedListing{}, To: to.Country(), Missing: missing, Notice: site.Notice(), ofListings: true, site: site}
	gear := make([]*catalog.Gear, len(parts))
	for i := range parts {
		gear[i] = parts[i].Gear
		p.Listings = append(p.Listings, newComparedListing(site, parts[i], p.To))
	}
	p.Specifications, p.omitted = compareSpecs(gear), omitted
	p.Ref, p.Text = ui.NewRef(p.path()), p.listingsLead(context.Background())
	p.Warnings, p.Links = p.warnings(context.Background()), p.listingLinks(context.Background())
	if len(parts) >= ui.MinCompared {
		p.Href = "/api" + p.Page
	}
	return p
}

func newComparedListing(site *ui.Site, parts listingviews.ListingParts, to models.Region) ComparedListing {
	l := listingviews.NewListing(site, parts)
	c := ComparedListing{Card: l.Card, Item: l.Item, item: parts.Listing.Item, Postage: l.Postage, PostageTo: ui.NewPostageTo(site, parts.Listing, parts.Seller, to), SellerCard: l.SellerCard}
	c.Card.SoldPrice = l.SoldPrice
	if c.PostageTo != nil {
		c.Rates = nil
	}
	if !l.ForSale() {
		c.Deal = nil
	}
	return c
}

// listingGroups returns the facts of the listings as rows. quote marks what members
// wrote: AsWritten or untrusted.
func (p *Comparison) listingGroups(ctx context.Context, quote func(string) string) []comparedGroup {
	return []comparedGroup{p.listingPrices(ctx), p.listingConditions(ctx, quote), p.listingSellers(ctx, quote)}
}

// listingPrices returns the prices of the listings as rows.
func (p *Comparison) listingPrices(ctx context.Context) comparedGroup {
	g := comparedGroup{Heading: ui.T(ctx, "Price")}
	addCells(&g, ui.T(ctx, "Price"), p.Listings, func(l *ComparedListing) comparedCell {
		return comparedCell{Text: l.PriceIn(languages.Of(ctx)), Class: "amount"}
	})
	addRow(&g, ui.T(ctx, "Typical price"), p.Listings, func(l *ComparedListing) string {
		if l.Deal == nil {
			return ""
		}
		return l.Deal.TypicalText(ctx)
	})
	addCells(&g, ui.T(ctx, "Compared with market"), p.Listings, func(l *ComparedListing) comparedCell {
		if l.Deal == nil {
			return comparedCell{}
		}
		return comparedCell{Text: l.Deal.TextIn(ctx), Class: l.Deal.Class()}
	})
	if p.To == "" {
		addRow(&g, ui.T(ctx, "Postage"), p.Listings, func(l *ComparedListing) string { return l.Postage.Text(ctx) })
		return g
	}
	addRow(&g, ui.T(ctx, "Postage to %s", ui.RegionIn(ctx, p.To)), p.Listings, func(l *ComparedListing) string { return l.postageText(ctx) })
	addRow(&g, ui.T(ctx, "Total"), p.Listings, func(l *ComparedListing) string {
		if l.PostageTo == nil || !l.ForSale() {
			return ""
		}
		return ui.MoneyIn(ctx, l.PostageTo.Total)
	})
	return g
}

// postageText returns the postage to the country of the comparison.
func (l *ComparedListing) postageText(ctx context.Context) string {
	switch {
	case l.PickupOnly:
		return ui.T(ctx, ui.PickupOnly)
	case l.PostageTo != nil && l.PostageTo.Free():
		return ui.T(ctx, "Free")
	case l.PostageTo != nil:
		return ui.MoneyIn(ctx, l.PostageTo.Price)
	case len(l.Rates) > 0:
		return ui.T(ctx, "Doesn't post there.") + " " + l.Postage.Text(ctx)
	}
	return ui.T(ctx, "Ask the seller")
}

// listingConditions returns the state of the listed items as rows.
func (p *Comparison) listingConditions(ctx context.Context, quote func(string) string) comparedGroup {
	g := comparedGroup{Heading: ui.T(ctx, "Condition")}
	for _, f := range models.ItemFields {
		if f.Compared {
			addRow(&g, ui.T(ctx, f.Label), p.Listings, func(l *ComparedListing) string { return ui.ItemText(ctx, f, &l.item, quote) })
		}
	}
	g.markDifferences()
	return g
}

// listingSellers returns who sells the listings, where and since when, as rows.
func (p *Comparison) listingSellers(ctx context.Context, quote func(string) string) comparedGroup {
	g := comparedGroup{Heading: ui.T(ctx, "Seller")}
	addCells(&g, ui.T(ctx, "Seller"), p.Listings, func(l *ComparedListing) comparedCell {
		return comparedCell{Text: quote(l.SellerCard.Name), Href: ui.SellerPath(l.Seller)}
	})
	addRow(&g, ui.T(ctx, "Rating"), p.Listings, func(l *ComparedListing) string { return l.SellerCard.TrustText(ctx) })
	addRow(&g, ui.T(ctx, "Location"), p.Listings, func(l *ComparedListing) string { return ui.RegionIn(ctx, l.Region) })
	addRow(&g, ui.T(ctx, "Listed"), p.Listings, func(l *ComparedListing) string { return ui.DayIn(ctx, l.PublishedAt) })
	return g
}

// listingColumns returns the headings of the columns of listings.
func (p *Comparison) listingColumns(ctx context.Context, quote func(string) string) []comparedColumn {
	columns := make([]comparedColumn, len(p.Listings))
	for i := range p.Listings {
		l := &p.Listings[i]
		rest := slices.DeleteFunc(p.ids(), func(id string) bool { return id == l.ID })
		columns[i] = comparedColumn{Link: ui.Link{Href: l.Path(), Label: quote(l.Title)}, Photo: l.Photo, About: l.Title + ", " + l.PriceIn(languages.Of(ctx)), Rest: p.listingsPath(rest...)}
	}
	return columns
}

// listingsTitle returns the heading of a comparison of listings: "Canon EOS R6: 3
// listings compared".
func (p *Comparison) listingsTitle(ctx context.Context) string {
	n := len(p.Listings)
	if n < ui.MinCompared {
		return ui.T(ctx, "Compare listings")
	}
	title := ui.T(ctx, "%s listings compared", ui.NumberIn(ctx, n))
	if gear := p.comparedGear(); len(gear) == 1 && !slices.ContainsFunc(p.Listings, func(l ComparedListing) bool { return l.Gear == "" }) {
		return gear[0].Name + ": " + title
	}
	return title
}

// comparedGear returns the gear of the listings, each once.
func (p *Comparison) comparedGear() []gearviews.GearName {
	var gear []gearviews.GearName
	for i := range p.Listings {
		g := gearviews.GearName{Slug: p.Listings[i].Gear, Name: p.Listings[i].GearName}
		if g.Slug != "" && !slices.Contains(gear, g) {
			gear = append(gear, g)
		}
	}
	return gear
}

// listingsLead summarises a comparison of listings.
func (p *Comparison) listingsLead(ctx context.Context) string {
	switch len(p.Listings) {
	case 0:
		return ui.T(ctx, "Select two to four listings to compare prices, condition and sellers.")
	case 1:
		return ui.T(ctx, "Select another listing to compare with “%s”.", p.Listings[0].Title)
	}
	var low, high *models.Money
	best := 0 // percent, at most 0
	for i := range p.Listings {
		l := &p.Listings[i]
		if !l.ForSale() {
			continue
		}
		price := l.Comparable()
		if low == nil || ui.AmountLess(price, low) {
			low = price
		}
		if high == nil || ui.AmountLess(high, price) {
			high = price
		}
		if l.Deal != nil {
			best = min(best, l.Deal.Percent)
		}
	}
	switch {
	case low == nil:
		return ui.T(ctx, "None of these are still for sale.")
	case best < 0:
		return ui.T(ctx, "%s to %s. Best deal: %s.", ui.MoneyIn(ctx, *low), ui.MoneyIn(ctx, *high), (&ui.Deal{Percent: best}).Chip(ctx))
	}
	return ui.T(ctx, "From %s to %s, side by side.", ui.MoneyIn(ctx, *low), ui.MoneyIn(ctx, *high))
}

// listingLinks returns where to go on from a comparison of listings.
func (p *Comparison) listingLinks(ctx context.Context) []ui.Link {
	links := []ui.Link{}
	gear := p.comparedGear()
	for _, g := range gear {
		links = append(links, ui.Link{Href: ui.GearPath(g.Slug), Label: ui.T(ctx, "%s price history", g.Name)})
	}
	if len(gear) >= ui.MinCompared {
		slugs := ui.Each(gear, func(g *gearviews.GearName) string { return g.Slug })
		links = append(links, ui.Link{Href: ui.ComparePath(slugs...), Label: "Compare the models"})
	}
	return append(links, ui.Link{Href: ui.SearchPath, Label: "Shop all"})
}

// more returns the link to listings to add to the comparison.
func (p *Comparison) more(ctx context.Context) ui.Link {
	if gear := p.comparedGear(); len(gear) == 1 {
		return ui.Link{Href: ui.SearchPath + "?model=" + gear[0].Slug, Label: ui.T(ctx, "Find another %s", gear[0].Name)}
	}
	return ui.Link{Href: ui.SearchPath, Label: ui.T(ctx, "Find more listings")}
}

// comparedSizes is the sizes attribute of a photo in a comparison.
const comparedSizes = "(min-width: 64rem) 16rem, 10rem"
