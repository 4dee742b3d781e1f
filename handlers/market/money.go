package market

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Amounts reads amounts as people write them.
type Amounts struct {
	Listings *store.Listings
	Site     *ui.Site
}

// Cents parses the amount of a field, as people write it. The error names the field.
func (s *Amounts) Cents(field string, m models.Money) (models.Cents, error) {
	var fieldErrors web.FieldErrors
	amount := s.readAmount(field, m, &fieldErrors)
	return amount, fieldErrors.Err()
}

// readAmount parses the amount of a field, as people write it. It adds a field error if
// the text is not an amount, or in another currency than the site's.
func (s *Amounts) readAmount(field string, m models.Money, fieldErrors *web.FieldErrors) models.Cents {
	amount, err := s.Site.Currency().ParseAmount(m.Text())
	if err != nil {
		fieldErrors.Add(field, problem.TextOf(err), nil)
	}
	return amount
}

// ReadPrice reads the asking price of a listing as people write it: in its currency, or in
// another one that members may use.
func (s *Amounts) ReadPrice(l *models.Listing, m models.Money, fieldErrors *web.FieldErrors) {
	rates := s.Site.Rates()
	price, err := rates.ParseAmount(m.Text(), rates.Of(l.Currency))
	if err == nil {
		err = l.SetPrice(price, rates)
	}
	if err != nil {
		fieldErrors.Add("price", problem.TextOf(err), nil)
	}
}

// AmountIn parses the amount of a field in the currency of a listing, in which its offers
// and its sale are.
func (s *Amounts) AmountIn(ctx context.Context, field, listingID string, m models.Money) (models.Cents, error) {
	listings, err := s.Listings.AllListingsByID(ctx, []string{strings.ToLower(listingID)})
	if err != nil {
		return 0, err
	}
	own := s.Site.Currency()
	if l := listings[strings.ToLower(listingID)]; l != nil {
		own = own.Or(l.Currency)
	}
	amount, err := own.ParseAmount(m.Text())
	if err != nil {
		var fieldErrors web.FieldErrors
		fieldErrors.Add(field, problem.TextOf(err), nil)
		return 0, fieldErrors.Err()
	}
	return amount, nil
}

// ReadPostage reads postage as a seller writes it, in a currency. A price alone is that within home.
func (s *Amounts) ReadPostage(text string, in models.Currency, home models.Region, fieldErrors *web.FieldErrors) models.Postage {
	p, err := in.ParsePostage(text, home)
	if err != nil {
		fieldErrors.Add("postage", problem.TextOf(err), problem.Textf("Enter pickup, free, or prices by region, such as DE 6.90, EU 14.90, world 29."))
	}
	return p
}
