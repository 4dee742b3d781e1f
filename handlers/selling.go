package handlers

import (
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// sellingOperations are what sellers do about their listings.
func (s *Server) sellingOperations() []Operation { return nil }

// cents reads an amount of money that a field gives, in the site's currency or
// without one. A decimal comma is one.
func (s *Server) cents(field string, m models.Money) (models.Cents, error) {
	c := s.site.Currency
	if m.Currency != "" && !strings.EqualFold(m.Currency, c.Code) {
		return 0, refuse([]fault{{models.FieldError{Field: field, Code: "invalid_value", Message: fmt.Sprintf("Prices here are in %s, not in %s.", c.Code, m.Currency)},
			fmt.Sprintf("Give %s in %s.", field, c.Code)}})
	}
	amount, err := c.ParseDecimal(strings.Replace(m.Amount, ",", ".", 1))
	if err != nil {
		return 0, refuse([]fault{{models.FieldError{Field: field, Code: "invalid_value", Message: sentence(err.Error())}, ""}})
	}
	return amount, nil
}
