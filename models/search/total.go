package search

import (
	"math"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// Shipping says what a listing costs delivered to the country of a search.
type Shipping struct {
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

// countPostages counts the listings of each postage.
func (s *state) countPostages() {
	for _, n := range s.postage {
		s.postages.list[n].listings++
	}
}

// to returns the terms and the price of shipping to a country.
func (p *postage) to(country models.Region) (ShippingTerms, models.Cents) {
	switch p.Postage {
	case "":
		return NotStated, 0
	case models.PickupOnly:
		return Pickup, 0
	}
	if price, ok := p.rates.To(country); ok {
		return Ships, price
	}
	return NotShipped, 0
}

// charges holds what listings add to the price in the order Total.
type charges struct {
	of       []int32 // by number of the postage; refused if it is not shipped
	min, max int32   // of the listings that are shipped
	listings int     // how many are shipped
}

// refused is the charge of a listing that is not shipped to the country of a search,
// and notShipped the first of its keys in the order Total.
const (
	refused    = -1
	notShipped = 1 << 40
)

// set sets the charges for a country.
func (c *charges) set(p *postages, country models.Region) {
	*c = charges{of: slices.Grow(c.of[:0], len(p.list))[:len(p.list)], min: math.MaxInt32}
	for n := range p.list {
		c.of[n] = refused
		terms, price := p.list[n].to(country)
		if listings := p.list[n].listings; listings > 0 && (terms == Ships || terms == NotStated) {
			c.of[n] = price32(price)
			c.min, c.max, c.listings = min(c.min, c.of[n]), max(c.max, c.of[n]), c.listings+listings
		}
	}
}

// totalKey returns the key of a document in the order Total.
func (s *state) totalKey(f *filter, d uint32) uint64 {
	charge := f.charges.of[s.postage[d]]
	if charge == refused {
		return notShipped + uint64(s.price[d])
	}
	return uint64(s.price[d]) + uint64(charge)
}

// collectTotals collects the lowest totals: first of the listings that are shipped, then
// of the others. As collectPrices does, it scans either all documents in the order of
// the price or all gear that the filter admits.
func (s *state) collectTotals(f *filter, c *scratch) {
	h := &c.hits
	s.collectDocs(f, c)
	if f.narrow {
		return
	}
	ship := f.charges.listings > 0 && (h.after == nil || h.after.tier == 0)
	listings := f.charges.listings
	if !ship {
		listings = s.live - listings
	}
	if found := c.total * listings / s.live; found == 0 || s.stockOf(f)/h.limit <= s.live/found {
		s.scanStock(f, h)
		return
	}
	if ship {
		s.walkTotals(f, h, true)
	}
	if h.key >= notShipped {
		s.walkTotals(f, h, false)
	}
}

// walkTotals offers the documents that are shipped, or those that are not, in the order
// of the price, from the first that can come after the cursor to the last that can come
// before the last hit.
func (s *state) walkTotals(f *filter, h *hits, ship bool) {
	low, high := f.low, f.low+int32(f.width)-1
	floor := uint64(notShipped) // the least key of a document is floor plus its price
	if ship {
		floor = uint64(f.charges.min)
	}
	switch a := h.after; {
	case a != nil && a.tier == 0 && ship:
		low = max(low, a.price+a.typical-f.charges.max)
	case a != nil && a.tier != 0:
		low = max(low, a.price)
	}
	if low > high {
		return
	}
	for row, last := s.level.row(low), s.level.row(high); row <= last; row++ {
		docs := s.buckets[row]
		for _, d := range docs[s.priceFrom(docs, low):] {
			if floor+uint64(s.price[d]) > h.key {
				return
			}
			if !s.matches(f, d) {
				continue
			}
			if key := s.totalKey(f, d); key <= h.key && (key < notShipped) == ship {
				s.offer(h, d, key)
			}
		}
	}
}

// shipping appends what the first n hits cost delivered to a country.
func (s *state) shipping(list []Shipping, found []hit, n int, country models.Region) []Shipping {
	for i := range found[:n] {
		d := found[i].doc
		terms, price := s.postages.list[s.postage[d]].to(country)
		list = append(list, Shipping{terms, models.Cents(s.price[d]), price, s.currency})
	}
	return list
}
