package ui

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// Delivery is what a listing costs delivered to a country of a search.
type Delivery struct {
	To      models.Region        `json:"to" jsonschema:"ISO 3166 code of the country"`
	Terms   search.ShippingTerms `json:"terms" jsonschema:"ships; not_stated: the seller has not said; not_shipped: to other countries only; pickup_only"`
	Postage *models.Money        `json:"postage,omitempty" jsonschema:"only if it ships"`
	Total   *models.Money        `json:"total_price,omitempty" jsonschema:"price and postage; only if it ships"`
	isFree  bool
}

// NewDelivery returns the delivery of a listing.
func NewDelivery(site *Site, s search.Shipping) Delivery {
	d := Delivery{To: s.To, Terms: s.Terms}
	if s.Terms == search.Ships {
		own := site.In(s.Currency)
		postage, total := own.Money(s.Postage), own.Money(s.Price+s.Postage)
		d.Postage, d.Total, d.isFree = &postage, &total, s.Postage == 0
	}
	return d
}

// TextIn describes the delivery in the reader's language: "€566.90 with €6.90 postage to
// Germany". It is "" for nil.
func (d *Delivery) TextIn(ctx context.Context) string {
	if d == nil {
		return ""
	}
	country := RegionIn(ctx, d.To)
	switch {
	case d.Terms == search.Pickup:
		return T(ctx, "Collection only")
	case d.Terms == search.NotShipped:
		return T(ctx, "Doesn't post to %s", country)
	case d.Terms == search.NotStated || d.Total == nil:
		return T(ctx, "Postage not given")
	case d.isFree:
		return T(ctx, "Free postage to %s", country)
	}
	return T(ctx, "%s including %s postage to %s", MoneyIn(ctx, *d.Total), MoneyIn(ctx, *d.Postage), country)
}
