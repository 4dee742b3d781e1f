package search

import "github.com/secondlight/secondlight/models"

// Shipping is the price of a listing delivered to a country of a search.
type Shipping struct {
	To      models.Region // the one with the lowest postage, or else the first
	Terms   ShippingTerms
	Price   models.Cents // asking price
	Postage models.Cents // 0 unless Terms is Ships

	Currency string // of both; "" for that of the site
}

// ShippingTerms says whether a listing is shipped to a country.
type ShippingTerms string

// Ships, NotStated, NotShipped and Pickup are the terms of shipping.
const (
	Ships      ShippingTerms = "ships"
	NotStated  ShippingTerms = "not_stated"  // the seller has not said
	NotShipped ShippingTerms = "not_shipped" // to other countries only
	Pickup     ShippingTerms = "pickup_only" // not shipped at all
)

// ShippingTermsList lists all terms of shipping.
var ShippingTermsList = []ShippingTerms{Ships, NotStated, NotShipped, Pickup}

// postages numbers the different postages of listings. They are far fewer than the
// listings, because most sellers have one for all, so that a search looks up what each
// of them charges instead of each listing.
type postages struct {
	numbers map[models.Postage]uint32
	list    []postage // by number
	free    []uint32  // numbers to reuse
}

// postage is what shipping costs by region.
type postage struct {
	models.Postage
	rates    models.PostageRates
	listings int // how many have it
}

// newPostages returns no postages.
func newPostages() postages { return postages{numbers: map[models.Postage]uint32{}} }

// number returns the number of a postage, and adds it if it has none.
func (p *postages) number(text models.Postage) uint32 {
	n, ok := p.numbers[text]
	if ok {
		return n
	}
	if last := len(p.free) - 1; last >= 0 {
		n, p.free = p.free[last], p.free[:last]
	} else {
		n, p.list = uint32(len(p.list)), append(p.list, postage{})
	}
	p.numbers[text], p.list[n] = n, postage{Postage: text, rates: text.Rates()}
	return n
}

// add adds by to the number of listings with a postage, and removes it if none are left.
func (p *postages) add(n uint32, by int) {
	this := &p.list[n]
	if this.listings += by; this.listings == 0 {
		delete(p.numbers, this.Postage)
		p.list[n], p.free = postage{}, append(p.free, n)
	}
}

// to returns the terms and the price of shipping to the cheapest of countries, of which there
// is at least one.
func (p *postage) to(countries []models.Region) (terms ShippingTerms, lowest models.Cents, to models.Region) {
	switch p.Postage {
	case "":
		return NotStated, 0, countries[0]
	case models.PickupOnly:
		return Pickup, 0, countries[0]
	}
	terms, to = NotShipped, countries[0]
	for _, country := range countries {
		if price, ok := p.rates.To(country); ok && (terms == NotShipped || price < lowest) {
			terms, lowest, to = Ships, price, country
		}
	}
	return terms, lowest, to
}
