package ui

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
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

// PostageHelp says how a seller writes postage.
var PostageHelp = languages.Mark("For example, “6.90” within your country, or “DE 6.90, EU 14.90, world 29”. Enter “free” for free postage, or “pickup” for collection only.")

// AppendPostage appends the postage of a listing to the JSON of its card, as the JSON of
// the listing has it. It returns card if the seller has not said.
func AppendPostage(site *Site, card []byte, price models.Cents, currency string, postage models.Postage) []byte {
	if postage == "" {
		return card
	}
	p := NewPostage(site.In(currency), price, postage)
	return append(append(slices.Clip(card[:len(card)-1]), ','), AppendAny(nil, &p)[1:]...)
}

// NewPostage returns the postage of a listing with a price.
func NewPostage(c models.Currency, price models.Cents, postage models.Postage) Postage {
	p := Postage{PickupOnly: postage == models.PickupOnly}
	for _, r := range postage.Rates() {
		p.Rates = append(p.Rates, newPostageRate(c, price, r))
	}
	return p
}

// NewPostageTo returns the postage of a listing to a country, nil if it isn't shipped
// there, if the seller has not said, or for "".
func NewPostageTo(site *Site, l *models.Listing, seller *models.Member, country models.Region) *PostageRate {
	price, ok := l.PostageOr(seller.Postage).To(country)
	if !ok || country == "" {
		return nil
	}
	rate := newPostageRate(site.In(l.Currency), l.Price, models.PostageRate{To: country, Price: price})
	return &rate
}

func newPostageRate(c models.Currency, price models.Cents, r models.PostageRate) PostageRate {
	rate := PostageRate{To: string(r.To), Name: RegionName(r.To), Price: c.Money(r.Price), Total: c.Money(price + r.Price), isFree: r.Price == 0}
	switch r.To {
	case models.RegionWorld:
		rate.Name = "Worldwide"
	case models.RegionEU:
		rate.Name = "European Union"
	}
	return rate
}

// text describes a rate: "€6.90, €956.90 in total", "Free".
func (r *PostageRate) text(ctx context.Context) string {
	if r.Free() {
		return T(ctx, "Free")
	}
	return T(ctx, "%s (%s in total)", MoneyIn(ctx, r.Price), MoneyIn(ctx, r.Total))
}

// name returns the name of the region in the reader's language.
func (r *PostageRate) name(ctx context.Context) string {
	if r.To == string(models.RegionWorld) {
		return T(ctx, "Worldwide")
	}
	return RegionIn(ctx, models.Region(r.To))
}

const PickupOnly = "Collection only"

// Text describes the postage in one line, "" if the seller has not said.
func (p *Postage) Text(ctx context.Context) string {
	if p.PickupOnly {
		return T(ctx, PickupOnly)
	}
	var parts []string
	for _, f := range p.Rows(ctx) {
		parts = append(parts, f.Name+": "+f.Value)
	}
	return strings.Join(parts, "; ")
}

// Facts returns the postage among other facts of a listing.
func (p *Postage) Facts(ctx context.Context) []Fact {
	rows := p.Rows(ctx)
	for i := range rows {
		if !p.PickupOnly {
			rows[i].Name = T(ctx, "Postage (%s)", rows[i].Name)
		}
	}
	return rows
}

// Rows returns the postage by region.
func (p *Postage) Rows(ctx context.Context) []Fact {
	if p.PickupOnly {
		return []Fact{{"Postage", T(ctx, PickupOnly), ""}}
	}
	return Each(p.Rates, func(r *PostageRate) Fact { return Fact{r.name(ctx), r.text(ctx), ""} })
}

// Free reports whether the seller pays the postage.
func (r *PostageRate) Free() bool { return r.isFree }
