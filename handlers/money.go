package handlers

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/english"
)

// cents parses the amount of a field, as people write it. The error names the field.
func (s *app) cents(field string, m models.Money) (models.Cents, error) {
	var fieldErrors web.FieldErrors
	amount := s.readAmount(field, m, &fieldErrors)
	return amount, fieldErrors.Err()
}

// readAmount parses the amount of a field, as people write it. It adds a field error if
// the text is not an amount, or in another currency than the site's.
func (s *app) readAmount(field string, m models.Money, fieldErrors *web.FieldErrors) models.Cents {
	amount, err := s.site.Currency().ParseAmount(m.Text())
	if err != nil {
		fieldErrors.Add(field, english.Sentence(err.Error()), "")
	}
	return amount
}

// readPostage reads postage as a seller writes it.
func (s *app) readPostage(text string, fieldErrors *web.FieldErrors) models.Postage {
	p, err := s.site.Currency().ParsePostage(text)
	if err != nil {
		fieldErrors.Add("postage", english.Sentence(err.Error()), "Write pickup, free, or prices by region, such as DE 6.90, EU 14.90, world 29.")
	}
	return p
}
