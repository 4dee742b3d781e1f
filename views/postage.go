package views

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Postage is what shipping an item costs. It is empty if the seller has not said.
type Postage struct {
	PickupOnly bool          `json:"pickup_only,omitempty" jsonschema:"true if it is not shipped"`
	Rates      []PostageRate `json:"postage,omitempty" jsonschema:"what shipping costs by region, the most specific first: EU is every other member state, WORLD every other country; absent if the seller has not said"`
}

// PostageRate is what shipping an item to a region costs.
type PostageRate struct {
	To     string       `json:"to" jsonschema:"ISO 3166 code of a country, EU or WORLD"`
	Name   string       `json:"name"`
	Price  models.Money `json:"postage" jsonschema:"what shipping costs"`
	Total  models.Money `json:"total_price" jsonschema:"price and postage"`
	isFree bool
}

// postageHelp says how a seller writes postage.
const postageHelp = "By country, EU and world: DE 6.90, EU 14.90, world 29. Or write free, or pickup if you don't ship."

// AppendPostage appends the postage of a listing to the JSON of its card, as the JSON of
// the listing has it. It returns card if the seller has not said.
func AppendPostage(site *Site, card []byte, price models.Cents, postage models.Postage) []byte {
	if postage == "" {
		return card
	}
	p := newPostage(site, price, postage)
	return append(append(slices.Clip(card[:len(card)-1]), ','), appendAny(nil, &p)[1:]...)
}

// newPostage returns the postage of a listing with a price.
func newPostage(site *Site, price models.Cents, postage models.Postage) Postage {
	p := Postage{PickupOnly: postage == models.PickupOnly}
	for _, r := range postage.Rates() {
		rate := PostageRate{To: string(r.To), Name: RegionName(r.To), Price: site.Currency.Money(r.Price), Total: site.Currency.Money(price + r.Price), isFree: r.Price == 0}
		switch r.To {
		case models.RegionWorld:
			rate.Name = "Worldwide"
		case models.RegionEU:
			rate.Name = "European Union"
		}
		p.Rates = append(p.Rates, rate)
	}
	return p
}

// text describes a rate: "€6.90, €956.90 in total", "Free".
func (r *PostageRate) text() string {
	if r.isFree {
		return "Free"
	}
	return MoneyText(r.Price) + ", " + MoneyText(r.Total) + " in total"
}

// text describes the postage in one line, "" if the seller has not said.
func (p *Postage) text() string {
	var parts []string
	for _, f := range p.rows() {
		parts = append(parts, f.Name+": "+f.Value)
	}
	return strings.Join(parts, "; ")
}

// facts returns the postage among other facts of a listing.
func (p *Postage) facts() []fact {
	rows := p.rows()
	for i := range rows {
		if !p.PickupOnly {
			rows[i].Name = "Postage, " + rows[i].Name
		}
	}
	return rows
}

// rows returns the postage by region.
func (p *Postage) rows() []fact {
	if p.PickupOnly {
		return []fact{{"Postage", "Pick-up only", ""}}
	}
	rows := make([]fact, len(p.Rates))
	for i := range p.Rates {
		rows[i] = fact{p.Rates[i].Name, p.Rates[i].text(), ""}
	}
	return rows
}
