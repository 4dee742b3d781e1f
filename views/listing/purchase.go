package listing

import (
	"context"
	"net/url"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Deliver states in every format what the listing costs delivered to a country.
func (p *Listing) Deliver(to models.Region) {
	p.DeliverToReader(to)
	p.Delivery = p.deliver
}

// DeliverToReader states on the page what the listing costs delivered to the country of its
// reader, "" if it is unknown.
func (p *Listing) DeliverToReader(to models.Region) {
	if to == "" {
		return
	}
	s := search.Shipping{To: to, Terms: search.NotShipped, Price: p.cents}
	if p.Price.Currency != p.site.Currency().Code {
		s.Currency = p.Price.Currency
	}
	switch postage, ok := p.terms.To(to); {
	case p.PickupOnly:
		s.Terms = search.Pickup
	case p.terms == "":
		s.Terms = search.NotStated
	case ok:
		s.Terms, s.Postage = search.Ships, postage
	}
	d := ui.NewDelivery(p.site, s)
	p.deliver = &d
}

// deliverTo returns the country that the total price is for, in words, "" if it is unknown.
func (p *Listing) deliverTo(ctx context.Context) string {
	if p.deliver == nil {
		return ""
	}
	return ui.RegionIn(ctx, p.deliver.To)
}

// deliveryFacts says where the item is from and how it gets to the buyer.
func (p *Listing) deliveryFacts(ctx context.Context) (facts []ui.Fact) {
	if p.Region != "" {
		facts = append(facts, ui.Fact{Name: "From", Value: ui.RegionIn(ctx, p.Region)})
	}
	if postage := p.Postage.Facts(ctx); len(postage) > 0 {
		facts = append(facts, postage...)
	} else {
		facts = append(facts, ui.Fact{Name: "Postage", Value: ui.T(ctx, "Postage not given")})
	}
	if !p.PickupOnly {
		facts = append(facts, ui.Fact{Name: "Collection", Value: ui.T(ctx, "By arrangement")})
	}
	return facts
}

// typicalNow states the typical price that the asking price is compared with, "" if it isn't known.
func (p *Listing) typicalNow(ctx context.Context) string {
	if p.Deal == nil || !p.ForSale() {
		return ""
	}
	return ui.T(ctx, "Typical price in this condition: %s", ui.MoneyIn(ctx, p.Deal.Typical))
}

// protections say what protects a buyer, each with the page that explains it.
var protections = []ui.Link{
	{Href: "/buying", Label: languages.Mark("Photos, price and description are saved when you agree.")},
	{Href: "/safety", Label: languages.Mark("You pay the seller directly: choose a way that lets you get your money back.")},
	{Href: "/buying", Label: languages.Mark("Report a problem within 7 days of delivery, and we step in.")},
}

// shareAddress returns the address of an email that shares the listing.
func (p *Listing) shareAddress() string {
	return "mailto:?body=" + url.PathEscape(p.site.URL(p.Page))
}
