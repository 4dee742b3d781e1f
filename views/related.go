package views

// Related returns links to the listings of the page.
func (p *Listings) Related() []Link {
	cards, err := p.Cards.Decode()
	if err != nil {
		return nil // Markdown reports the same error
	}
	return cardLinks(cards)
}

// Related returns links to the seller, the gear and similar listings.
func (p *Listing) Related() []Link {
	links := []Link{{sellerPath(p.Seller), p.Seller}}
	if p.Gear != "" {
		links = append(links, Link{gearPath(p.Gear), p.GearName})
	}
	return append(links, cardLinks(p.Similar)...)
}

// Related returns links to the listings of the gear.
func (p *Trend) Related() []Link { return cardLinks(p.Listings) }

// Related returns links to the seller's listings for sale.
func (p *Seller) Related() []Link { return cardLinks(p.Listings) }

// Related returns links to the gear of the page.
func (p *GearIndex) Related() []Link {
	var links []Link
	for _, g := range p.Gear {
		links = append(links, Link{gearPath(g.Slug), g.Name})
	}
	return links
}

// cardLinks returns links to listings for clients that read them without a page.
func cardLinks(cards []Card) []Link {
	var links []Link
	for _, c := range cards {
		links = append(links, Link{listingPath(c.ID), untrusted(c.Title)})
	}
	return links
}
