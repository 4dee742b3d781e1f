package views

// Related are the listings of a search, as links.
func (p *Listings) Related() []Link {
	cards, err := p.Cards.Decode()
	if err != nil {
		return nil // the Markdown face says so
	}
	return cardLinks(cards)
}

// Related are the gear, the seller, and listings like it.
func (p *Listing) Related() []Link {
	links := []Link{{sellerPath(p.Seller), p.SellerCard.Name}}
	if p.Gear != "" {
		links = append(links, Link{gearPath(p.Gear), p.GearName})
	}
	return append(links, cardLinks(p.Similar)...)
}

// Related are the listings of the gear.
func (p *Trend) Related() []Link { return cardLinks(p.Listings) }

// Related are the seller's listings for sale.
func (p *Seller) Related() []Link { return cardLinks(p.Listings) }

// Related are the gear on the page.
func (p *GearIndex) Related() []Link {
	var links []Link
	for _, g := range p.Gear {
		links = append(links, Link{gearPath(g.Slug), g.Name})
	}
	return links
}

func cardLinks(cards []Card) []Link {
	var links []Link
	for _, c := range cards {
		links = append(links, Link{listingPath(c.ID), c.Title})
	}
	return links
}
