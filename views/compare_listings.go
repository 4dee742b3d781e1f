package views

import (
	"context"
	"slices"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// NewListingComparison returns a comparison of listings. to is the country of the reader,
// "" if it is unknown. missing are ids of listings that are not public; omitted is how
// many more listings were asked for than it takes.
func NewListingComparison(site *Site, parts []ListingParts, to models.Region, missing []string, omitted int) *Comparison {
	p := &Comparison{Models: []ComparedModel{}, Listings: []ComparedListing{}, To: to.Country(), Missing: missing, Notice: site.notice(), ofListings: true, site: site}
	gear := make([]*catalog.Gear, len(parts))
	for i := range parts {
		gear[i] = parts[i].Gear
		p.Listings = append(p.Listings, newComparedListing(site, parts[i], p.To))
	}
	p.Specifications, p.omitted = compareSpecs(gear), omitted
	p.Ref, p.Text = newRef(p.path()), p.listingsLead(context.Background())
	p.Warnings, p.Links = p.warnings(context.Background()), p.listingLinks(context.Background())
	if len(parts) >= MinCompared {
		p.Href = "/api" + p.Page
	}
	return p
}

func newComparedListing(site *Site, parts ListingParts, to models.Region) ComparedListing {
	l := NewListing(site, parts)
	c := ComparedListing{Card: l.Card, Item: l.Item, item: parts.Listing.Item, Postage: l.Postage, PostageTo: newPostageTo(site, parts.Listing, parts.Seller, to), SellerCard: l.SellerCard}
	c.Card.SoldPrice = l.SoldPrice
	if c.PostageTo != nil {
		c.Rates = nil
	}
	if !l.forSale() {
		c.Deal = nil
	}
	return c
}

// listingGroups returns the facts of the listings as rows. quote marks what members
// wrote: asWritten or untrusted.
func (p *Comparison) listingGroups(ctx context.Context, quote func(string) string) []comparedGroup {
	return []comparedGroup{p.listingPrices(ctx), p.listingConditions(ctx, quote), p.listingSellers(ctx, quote)}
}

// listingPrices returns the prices of the listings as rows.
func (p *Comparison) listingPrices(ctx context.Context) comparedGroup {
	g := comparedGroup{Heading: t(ctx, "Price")}
	addCells(&g, t(ctx, "Price"), p.Listings, func(l *ComparedListing) comparedCell {
		return comparedCell{Text: l.priceIn(languages.Of(ctx)), Class: "amount"}
	})
	addRow(&g, t(ctx, "Typical price"), p.Listings, func(l *ComparedListing) string {
		if l.Deal == nil {
			return ""
		}
		return l.Deal.typicalText(ctx)
	})
	addCells(&g, t(ctx, "Against the market"), p.Listings, func(l *ComparedListing) comparedCell {
		if l.Deal == nil {
			return comparedCell{}
		}
		return comparedCell{Text: l.Deal.text(ctx), Class: l.Deal.class()}
	})
	if p.To == "" {
		addRow(&g, t(ctx, "Postage"), p.Listings, func(l *ComparedListing) string { return l.Postage.text(ctx) })
		return g
	}
	addRow(&g, t(ctx, "Postage to %s", regionIn(ctx, p.To)), p.Listings, func(l *ComparedListing) string { return l.postageText(ctx) })
	addRow(&g, t(ctx, "Total"), p.Listings, func(l *ComparedListing) string {
		if l.PostageTo == nil || !l.forSale() {
			return ""
		}
		return moneyIn(ctx, l.PostageTo.Total)
	})
	return g
}

// postageText returns the postage to the country of the comparison.
func (l *ComparedListing) postageText(ctx context.Context) string {
	switch {
	case l.PickupOnly:
		return t(ctx, pickupOnly)
	case l.PostageTo != nil && l.PostageTo.free():
		return t(ctx, "Free")
	case l.PostageTo != nil:
		return moneyIn(ctx, l.PostageTo.Price)
	case len(l.Rates) > 0:
		return t(ctx, "Not shipped there.") + " " + l.Postage.text(ctx)
	}
	return t(ctx, "Ask the seller")
}

// listingConditions returns the state of the listed items as rows.
func (p *Comparison) listingConditions(ctx context.Context, quote func(string) string) comparedGroup {
	g := comparedGroup{Heading: t(ctx, "Condition")}
	for _, f := range models.ItemFields {
		if f.Compared {
			addRow(&g, t(ctx, f.Label), p.Listings, func(l *ComparedListing) string { return itemText(ctx, f, &l.item, quote) })
		}
	}
	g.markDifferences()
	return g
}

// listingSellers returns who sells the listings, where and since when, as rows.
func (p *Comparison) listingSellers(ctx context.Context, quote func(string) string) comparedGroup {
	g := comparedGroup{Heading: t(ctx, "Seller")}
	addCells(&g, t(ctx, "Seller"), p.Listings, func(l *ComparedListing) comparedCell {
		return comparedCell{Text: quote(l.SellerCard.Name), Href: sellerPath(l.Seller)}
	})
	addRow(&g, t(ctx, "Rating"), p.Listings, func(l *ComparedListing) string { return l.SellerCard.trustText(ctx) })
	addRow(&g, t(ctx, "Location"), p.Listings, func(l *ComparedListing) string { return regionIn(ctx, l.Region) })
	addRow(&g, t(ctx, "Published"), p.Listings, func(l *ComparedListing) string { return dayIn(ctx, l.PublishedAt) })
	return g
}

// listingColumns returns the headings of the columns of listings.
func (p *Comparison) listingColumns(ctx context.Context, quote func(string) string) []comparedColumn {
	columns := make([]comparedColumn, len(p.Listings))
	for i := range p.Listings {
		l := &p.Listings[i]
		rest := slices.DeleteFunc(p.ids(), func(id string) bool { return id == l.ID })
		columns[i] = comparedColumn{Link: Link{l.path(), quote(l.Title)}, Photo: l.Photo, About: l.Title + ", " + l.priceIn(languages.Of(ctx)), Rest: p.listingsPath(rest...)}
	}
	return columns
}

// listingsTitle returns the heading of a comparison of listings: "Canon EOS R6: 3
// listings compared".
func (p *Comparison) listingsTitle(ctx context.Context) string {
	n := len(p.Listings)
	if n < MinCompared {
		return t(ctx, "Compare listings")
	}
	title := t(ctx, "%s listings compared", numberIn(ctx, n))
	if gear := p.comparedGear(); len(gear) == 1 && !slices.ContainsFunc(p.Listings, func(l ComparedListing) bool { return l.Gear == "" }) {
		return gear[0].Name + ": " + title
	}
	return title
}

// comparedGear returns the gear of the listings, each once.
func (p *Comparison) comparedGear() []GearName {
	var gear []GearName
	for i := range p.Listings {
		g := GearName{p.Listings[i].Gear, p.Listings[i].GearName}
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
		return t(ctx, "Choose two to four listings to see their prices, condition and sellers side by side.")
	case 1:
		return t(ctx, "Choose another listing to compare with “%s”.", p.Listings[0].Title)
	}
	var low, high *models.Money
	best := 0 // percent, at most 0
	for i := range p.Listings {
		l := &p.Listings[i]
		if !l.forSale() {
			continue
		}
		price := l.Comparable()
		if low == nil || amountLess(price, low) {
			low = price
		}
		if high == nil || amountLess(high, price) {
			high = price
		}
		if l.Deal != nil {
			best = min(best, l.Deal.Percent)
		}
	}
	switch {
	case low == nil:
		return t(ctx, "None of these is for sale any more.")
	case best < 0:
		return t(ctx, "From %s to %s. The best deal is %s.", moneyIn(ctx, *low), moneyIn(ctx, *high), (&Deal{Percent: best}).chip(ctx))
	}
	return t(ctx, "From %s to %s, side by side.", moneyIn(ctx, *low), moneyIn(ctx, *high))
}

// listingLinks returns where to go on from a comparison of listings.
func (p *Comparison) listingLinks(ctx context.Context) []Link {
	links := []Link{}
	gear := p.comparedGear()
	for _, g := range gear {
		links = append(links, Link{gearPath(g.Slug), t(ctx, "What %s sells for", g.Name)})
	}
	if len(gear) >= MinCompared {
		slugs := make([]string, len(gear))
		for i := range gear {
			slugs[i] = gear[i].Slug
		}
		links = append(links, Link{comparePath(slugs...), "Compare the models"})
	}
	return append(links, Link{searchPath, "Shop all"})
}

// more returns the link to listings to add to the comparison.
func (p *Comparison) more(ctx context.Context) Link {
	if gear := p.comparedGear(); len(gear) == 1 {
		return Link{searchPath + "?model=" + gear[0].Slug, t(ctx, "Find another %s", gear[0].Name)}
	}
	return Link{searchPath, t(ctx, "Find more listings")}
}

// comparedSizes is the sizes attribute of a photo in a comparison.
const comparedSizes = "(min-width: 64rem) 16rem, 10rem"
