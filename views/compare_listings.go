package views

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// ComparedListing is one listing of a comparison.
type ComparedListing struct {
	Card
	Defects    []Named      `json:"defects"`
	Included   []string     `json:"included" untrusted:"true"`
	Shutter    int          `json:"shutter_count,omitempty"`
	Postage                 // without rates if there is PostageTo
	PostageTo  *PostageRate `json:"postage_to,omitempty" jsonschema:"postage to the country of the comparison; absent if that is unknown, or if it isn't shipped there"`
	SellerCard SellerCard   `json:"seller_profile"`
}

// NewListingComparison returns a comparison of listings. to is the country of the reader,
// "" if it is unknown. missing are ids of listings that are not public; omitted is how
// many more listings were asked for than it takes.
func NewListingComparison(site *Site, parts []ListingParts, to models.Region, missing []string, omitted int) *Comparison {
	p := &Comparison{Models: []ComparedModel{}, Listings: []ComparedListing{}, To: to.Country(), Missing: missing, Notice: site.notice(), ofListings: true, site: site}
	gear := make([]*models.Gear, len(parts))
	for i := range parts {
		gear[i] = parts[i].Gear
		p.Listings = append(p.Listings, newComparedListing(site, parts[i], p.To))
	}
	p.Specifications = compareSpecs(gear)
	p.Ref, p.Text, p.Links = newRef(p.path()), p.listingsLead(), p.listingLinks()
	p.warn(omitted)
	if len(parts) >= MinCompared {
		p.Href = "/api" + p.Page
	}
	return p
}

func newComparedListing(site *Site, parts ListingParts, to models.Region) ComparedListing {
	l := NewListing(site, parts)
	c := ComparedListing{Card: l.Card, Defects: l.Defects, Included: l.Included, Shutter: l.Shutter, Postage: l.Postage, PostageTo: newPostageTo(site, parts.Listing, parts.Seller, to), SellerCard: l.SellerCard}
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
func (p *Comparison) listingGroups(quote func(string) string) []comparedGroup {
	return []comparedGroup{p.listingPrices(), p.listingConditions(quote), p.listingSellers(quote)}
}

// listingPrices returns the prices of the listings as rows.
func (p *Comparison) listingPrices() comparedGroup {
	g := comparedGroup{Heading: "Price"}
	addCells(&g, "Price", p.Listings, func(l *ComparedListing) comparedCell {
		return comparedCell{Text: l.priceText(), Class: "amount"}
	})
	addRow(&g, "Typical price", p.Listings, func(l *ComparedListing) string {
		if l.Deal == nil {
			return ""
		}
		return MoneyText(l.Deal.Typical)
	})
	addCells(&g, "Against the market", p.Listings, func(l *ComparedListing) comparedCell {
		if l.Deal == nil {
			return comparedCell{}
		}
		return comparedCell{Text: l.Deal.Text, Class: l.Deal.class()}
	})
	if p.To == "" {
		addRow(&g, "Postage", p.Listings, func(l *ComparedListing) string { return l.Postage.text() })
		return g
	}
	addRow(&g, "Postage to "+RegionName(p.To), p.Listings, func(l *ComparedListing) string { return l.postageText() })
	addRow(&g, "Total", p.Listings, func(l *ComparedListing) string {
		if l.PostageTo == nil || !l.forSale() {
			return ""
		}
		return MoneyText(l.PostageTo.Total)
	})
	return g
}

// postageText returns the postage to the country of the comparison.
func (l *ComparedListing) postageText() string {
	switch {
	case l.PickupOnly:
		return pickupOnly
	case l.PostageTo != nil && l.PostageTo.isFree:
		return "Free"
	case l.PostageTo != nil:
		return MoneyText(l.PostageTo.Price)
	case len(l.Rates) > 0:
		return "Not shipped there. " + l.Postage.text()
	}
	return "Ask the seller"
}

// listingConditions returns the state of the listed items as rows.
func (p *Comparison) listingConditions(quote func(string) string) comparedGroup {
	g := comparedGroup{Heading: "Condition"}
	add := func(name string, text func(*ComparedListing) string) { addRow(&g, name, p.Listings, text) }
	add("Condition", func(l *ComparedListing) string { return l.Condition.Label() })
	add("Works", func(l *ComparedListing) string { return l.Functional.Label() })
	add("Defects", func(l *ComparedListing) string {
		if len(l.Defects) == 0 {
			return "None disclosed"
		}
		return labels(context.Background(), l.Defects)
	})
	add("Included", func(l *ComparedListing) string { return quote(join(l.Included)) })
	add("Shutter count", func(l *ComparedListing) string {
		if l.Shutter == 0 {
			return ""
		}
		return numberText(l.Shutter)
	})
	g.markDifferences()
	return g
}

// listingSellers returns who sells the listings, where and since when, as rows.
func (p *Comparison) listingSellers(quote func(string) string) comparedGroup {
	g := comparedGroup{Heading: "Seller"}
	addCells(&g, "Seller", p.Listings, func(l *ComparedListing) comparedCell {
		return comparedCell{Text: quote(l.SellerCard.Name), Href: sellerPath(l.Seller)}
	})
	addRow(&g, "Rating", p.Listings, func(l *ComparedListing) string { return l.SellerCard.trustText(context.Background()) })
	addRow(&g, "Location", p.Listings, func(l *ComparedListing) string { return RegionName(l.Region) })
	addRow(&g, "Published", p.Listings, func(l *ComparedListing) string { return DayText(l.PublishedAt) })
	return g
}

// listingColumns returns the headings of the columns of listings.
func (p *Comparison) listingColumns(quote func(string) string) []comparedColumn {
	columns := make([]comparedColumn, len(p.Listings))
	for i := range p.Listings {
		l := &p.Listings[i]
		rest := slices.DeleteFunc(p.ids(), func(id string) bool { return id == l.ID })
		columns[i] = comparedColumn{Link: Link{l.path(), quote(l.Title)}, Photo: l.Photo, About: l.Title + ", " + l.priceText(), Rest: p.listingsPath(rest...)}
	}
	return columns
}

// ids returns the ids of the listings.
func (p *Comparison) ids() []string {
	ids := make([]string, len(p.Listings))
	for i := range p.Listings {
		ids[i] = p.Listings[i].ID
	}
	return ids
}

// listingsPath returns the path of the comparison of listings for the same reader.
func (p *Comparison) listingsPath(ids ...string) string {
	if len(ids) == 0 {
		return comparePath()
	}
	path := "/compare?listing=" + strings.Join(ids, ",")
	if p.To != "" {
		path += "&ship_to=" + string(p.To)
	}
	return path
}

// listingsTitle returns the heading of a comparison of listings: "Canon EOS R6: 3
// listings compared".
func (p *Comparison) listingsTitle() string {
	n := len(p.Listings)
	if n < MinCompared {
		return "Compare listings"
	}
	title := countText(n, "listing", "listings") + " compared"
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
func (p *Comparison) listingsLead() string {
	switch len(p.Listings) {
	case 0:
		return "Choose two to four listings to see their prices, condition and sellers side by side."
	case 1:
		return "Choose another listing to compare with “" + p.Listings[0].Title + "”."
	}
	var low, high *models.Money
	best := 0 // percent, at most 0
	for i := range p.Listings {
		l := &p.Listings[i]
		if !l.forSale() {
			continue
		}
		if low == nil || amountLess(&l.Price, low) {
			low = &l.Price
		}
		if high == nil || amountLess(high, &l.Price) {
			high = &l.Price
		}
		if l.Deal != nil {
			best = min(best, l.Deal.Percent)
		}
	}
	switch {
	case low == nil:
		return "None of these is for sale any more."
	case best < 0:
		return "From " + MoneyText(*low) + " to " + MoneyText(*high) + ". The best deal is " + (&Deal{Percent: best}).chip(context.Background()) + "."
	}
	return "From " + MoneyText(*low) + " to " + MoneyText(*high) + ", side by side."
}

// listingLinks returns where to go on from a comparison of listings.
func (p *Comparison) listingLinks() []Link {
	links := []Link{}
	gear := p.comparedGear()
	for _, g := range gear {
		links = append(links, Link{gearPath(g.Slug), "What " + g.Name + " sells for"})
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
func (p *Comparison) more() Link {
	if gear := p.comparedGear(); len(gear) == 1 {
		return Link{searchPath + "?model=" + gear[0].Slug, "Find another " + gear[0].Name}
	}
	return Link{searchPath, "Find more listings"}
}

// comparedSizes is the sizes attribute of a photo in a comparison.
const comparedSizes = "(min-width: 64rem) 16rem, 10rem"
