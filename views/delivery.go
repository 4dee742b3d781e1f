package views

import (
	"context"
	"html"
	"io"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// Delivery is what a listing costs delivered to the country of a search.
type Delivery struct {
	To      models.Region        `json:"to" jsonschema:"ISO 3166 code of the country"`
	Terms   search.ShippingTerms `json:"terms" jsonschema:"ships; not_stated: the seller has not said; not_shipped: to other countries only; pickup_only"`
	Postage *models.Money        `json:"postage,omitempty" jsonschema:"only if it ships"`
	Total   *models.Money        `json:"total_price,omitempty" jsonschema:"price and postage; only if it ships"`
	isFree  bool
}

// newDelivery returns the delivery of a listing to a country.
func newDelivery(site *Site, to models.Region, s search.Shipping) Delivery {
	d := Delivery{To: to, Terms: s.Terms}
	if s.Terms == search.Ships {
		own := site.in(s.Currency)
		postage, total := own.Money(s.Postage), own.Money(s.Price+s.Postage)
		d.Postage, d.Total, d.isFree = &postage, &total, s.Postage == 0
	}
	return d
}

// text describes the delivery in the reader's language: "€566.90 with €6.90 postage to
// Germany". It is "" for nil.
func (d *Delivery) text(ctx context.Context) string {
	if d == nil {
		return ""
	}
	country := regionIn(ctx, d.To)
	switch {
	case d.Terms == search.Pickup:
		return t(ctx, "Pick-up only")
	case d.Terms == search.NotShipped:
		return t(ctx, "Not shipped to %s", country)
	case d.Terms == search.NotStated || d.Total == nil:
		return t(ctx, "Postage not stated")
	case d.isFree:
		return t(ctx, "Free postage to %s", country)
	}
	return t(ctx, "%s with %s postage to %s", moneyIn(ctx, *d.Total), moneyIn(ctx, *d.Postage), country)
}

// delivery returns the delivery of the i-th card, nil if the search names no country.
func (p *Listings) delivery(i int) *Delivery {
	if i >= len(p.shipping) {
		return nil
	}
	d := newDelivery(p.site, p.Query.ShipTo, p.shipping[i])
	return &d
}

// decodeCards decodes the cards, each with its delivery.
func (p *Listings) decodeCards() ([]Card, error) {
	cards, err := p.Cards.Decode()
	for i := range cards {
		cards[i].Delivery = p.delivery(i)
	}
	return cards, err
}

// appendCards appends the cards as a JSON array, each with its delivery as its last
// member.
func (p *Listings) appendCards(dst []byte) []byte {
	if len(p.shipping) == 0 {
		return p.Cards.appendJSON(dst)
	}
	dst = append(dst, '[')
	for i, card := range p.Cards {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, card[:len(card)-1]...), `,"delivery":`...)
		dst = append(appendAny(dst, p.delivery(i)), '}')
	}
	return append(dst, ']')
}

// Personal implements web.PersonalPage: what a search without a country shows in the
// order Total depends on the member's.
func (p *Listings) Personal() bool { return p.countryOf != "" || p.emptyShop() }

// CountryOf says where the country of a search in the order Total is from, if the
// request does not name it.
type CountryOf string

// OfMember and Unknown are the sources of a country. A page whose country is unknown
// asks for it, and is in the order Price.
const (
	OfMember CountryOf = "member"
	Unknown  CountryOf = "unknown"
)

// asksCountry reports whether the page asks for the country to deliver to.
func (p *Listings) asksCountry() bool { return p.countryOf == Unknown }

// sortParameter is the name of the parameter for the order of a search.
const sortParameter = "sort"

// deliverHidden returns the other parameters of the search, as hidden fields of the form
// that chooses the country.
func (p *Listings) deliverHidden() []Spec {
	if !p.asksCountry() {
		return p.Query.hidden("ship_to")
	}
	return append(p.Query.hidden("ship_to", sortParameter), Spec{Name: sortParameter, Value: string(search.Total)})
}

// countryOptions renders the options of a selection of countries, after one labelled
// none.
func countryOptions(chosen models.Region, none string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		before, after, ok := strings.Cut(allCountryOptions()[languages.Of(ctx)], `value="`+string(chosen)+`"`)
		if !ok {
			_, err := io.WriteString(w, `<option value="">`+none+`</option>`+before)
			return err
		}
		_, err := io.WriteString(w, `<option value="">`+none+`</option>`+before+`value="`+string(chosen)+`" selected`+after)
		return err
	})
}

// allCountryOptions returns the options of all countries as HTML in each language. They
// are rendered once, because there are many.
var allCountryOptions = sync.OnceValue(func() map[*languages.Language]string {
	all := map[*languages.Language]string{}
	for _, l := range languages.All {
		var b strings.Builder
		for _, c := range regionChoices(l, "", "")[1:] {
			b.WriteString(`<option value="` + c.Value + `">` + html.EscapeString(c.Label) + `</option>`)
		}
		all[l] = b.String()
	}
	return all
})

// toolSuffix is what the name of a form that chooses the country ends in, to differ from
// the other forms of the page.
func toolSuffix(big bool) string {
	if big {
		return "_by_total_price"
	}
	return "_with_postage"
}
