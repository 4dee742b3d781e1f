package search

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// delivery returns the delivery of the i-th card, nil if the search names no country.
func (p *Listings) delivery(i int) *ui.Delivery {
	if i >= len(p.shipping) {
		return nil
	}
	d := ui.NewDelivery(p.site, p.shipping[i])
	return &d
}

// decodeCards decodes the cards, each with its delivery and its fit.
func (p *Listings) decodeCards() ([]ui.Card, error) {
	cards, err := p.Cards.Decode()
	for i := range cards {
		cards[i].Delivery = p.delivery(i)
		if p.fitOf != nil {
			cards[i].Fit = p.fitOf(cards[i].Gear)
		}
	}
	return cards, err
}

// appendCards appends the cards as a JSON array, each with its fit and its delivery as its
// last members.
func (p *Listings) appendCards(dst []byte) []byte {
	if p.fields != nil {
		return p.appendFields(dst)
	}
	if p.fitOf != nil {
		cards, err := p.decodeCards()
		if err != nil {
			panic("views: " + err.Error()) // a bug: the site encoded them
		}
		return ui.AppendAny(dst, cards)
	}
	if len(p.shipping) == 0 {
		return p.Cards.AppendJSON(dst)
	}
	dst = append(dst, '[')
	for i, card := range p.Cards {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, card[:len(card)-1]...), `,"delivery":`...)
		dst = append(ui.AppendAny(dst, p.delivery(i)), '}')
	}
	return append(dst, ']')
}

// appendFields appends the chosen fields of the cards as a JSON array.
func (p *Listings) appendFields(dst []byte) []byte {
	cards, err := p.decodeCards()
	if err != nil {
		panic("views: " + err.Error()) // a bug: the site encoded them
	}
	chosen := make([]map[string]json.RawMessage, len(cards))
	for i := range cards {
		if err := json.Unmarshal(ui.AppendAny(nil, &cards[i]), &chosen[i]); err != nil {
			panic("views: " + err.Error())
		}
		maps.DeleteFunc(chosen[i], func(name string, _ json.RawMessage) bool { return !slices.Contains(p.fields, name) })
	}
	return ui.AppendAny(dst, chosen)
}

// Personal implements web.PersonalPage: what a search without a country shows in the
// order Total depends on the member's.
func (p *Listings) Personal() bool { return p.countryOf != "" || p.emptyShop() }

// asksCountry reports whether the page asks for the country to deliver to.
func (p *Listings) asksCountry() bool { return p.countryOf == Unknown }

// listsCountries reports whether the page has the list of countries: if it shows what
// listings cost delivered, or asks for the country.
func (p *Listings) listsCountries() bool {
	return p.asksCountry() || p.Query.Sort == search.Total || len(p.Query.ShipTo) > 0
}

// totalPath returns the path of the search by total price.
func (p *Listings) totalPath() string {
	q := p.Query
	q.Sort = search.Total
	return q.Path()
}

// sortParameter is the name of the parameter for the order of a search.
const sortParameter = "sort"

// deliverHidden returns the other parameters of the search, as hidden fields of the form
// that chooses the country.
func (p *Listings) deliverHidden() []ui.Spec {
	if !p.asksCountry() {
		return p.Query.Hidden("ship_to")
	}
	return append(p.Query.Hidden("ship_to", sortParameter), ui.Spec{Name: sortParameter, Value: string(search.Total)})
}

// EmptyShop reports whether nothing is for sale, whatever the search is.
func (p *Listings) emptyShop() bool {
	return p.Total == 0 && len(p.Query.Chosen(languages.English, p.words.names)) == 0
}
