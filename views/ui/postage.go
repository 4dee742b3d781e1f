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

// PostageForm is the postage that a form begins with.
type PostageForm struct {
	Postage  models.Postage
	Home     models.Region   // country of the seller, "" if unknown
	Currency models.Currency // of the prices
}

// postageChoices returns what postage can be. unset says what no choice means, "" if one is needed.
func postageChoices(unset string) []Choice {
	choices := []Choice{{Value: models.PostageRows, Label: languages.Mark("A price for each region")}, {Value: "free", Label: languages.Mark("Free postage")}, {Value: string(models.PickupOnly), Label: PickupOnly}}
	if unset != "" {
		choices = append([]Choice{{Value: "", Label: unset}}, choices...)
	}
	return choices
}

// choice returns the choice that a postage is.
func (p *PostageForm) choice(unset string) string {
	switch text := p.Postage.Text(p.Currency); {
	case p.Postage == models.PickupOnly:
		return string(models.PickupOnly)
	case text == "free":
		return text
	case p.Postage == "" && unset != "":
		return ""
	}
	return models.PostageRows
}

// postagePreset is what a carrier charges for a parcel within a country.
type postagePreset struct {
	name     string
	country  models.Region
	currency string
	price    models.Cents
}

// postagePresets are prices of parcels bought online, as of January 2025.
var postagePresets = []postagePreset{{languages.Mark("DHL up to 2 kg"), "DE", "EUR", 619}, {languages.Mark("DHL up to 5 kg"), "DE", "EUR", 769}}

// presets returns what carriers charge within the seller's country.
func (p *PostageForm) presets() []postagePreset {
	return slices.DeleteFunc(slices.Clone(postagePresets), func(each postagePreset) bool {
		return each.country != p.Home.Country() || each.currency != p.Currency.Code
	})
}

// postageRow is a price of a form: within a region that has a name, or one that is typed.
type postageRow struct{ To, Name, Price string }

// rows returns the rows of a form: as they were sent, or else the seller's country, the European
// Union, the world, other countries of the postage, and one to fill in.
func (p *PostageForm) rows(ctx context.Context, f *Form) (rows []postageRow) {
	named := map[models.Region]string{models.RegionEU: RegionIn(ctx, models.RegionEU), models.RegionWorld: T(ctx, "Worldwide")}
	regions := []models.Region{models.RegionEU, models.RegionWorld}
	if home := p.Home.Country(); home != "" {
		named[home], regions = RegionIn(ctx, home), append([]models.Region{home}, regions...)
	}
	if to, sent := f.Values["postage_to"], f.Values["postage_price"]; len(to) > 0 && len(to) == len(sent) {
		for i := range to {
			rows = append(rows, postageRow{to[i], named[models.Region(to[i])], sent[i]})
		}
		return rows
	}
	prices := map[models.Region]string{}
	if p.choice("-") == models.PostageRows {
		for _, r := range p.Postage.Rates() {
			prices[r.To] = p.Currency.Decimal(r.Price)
		}
	}
	for _, r := range regions {
		rows = append(rows, postageRow{string(r), named[r], prices[r]})
	}
	for _, r := range p.Postage.Rates() {
		if named[r.To] == "" {
			rows = append(rows, postageRow{RegionIn(ctx, r.To), "", prices[r.To]})
		}
	}
	return append(rows, postageRow{})
}

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
