package handlers

import (
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/english"
)

// cents parses the amount of a field, which is in the site's currency or has none. It
// accepts a decimal comma. Errors name the field.
func (s *app) cents(field string, m models.Money) (models.Cents, error) {
	c := s.site.Currency
	if m.Currency != "" && !strings.EqualFold(m.Currency, c.Code) {
		if _, err := models.ParseCurrency(m.Currency); err != nil {
			return 0, web.InvalidField(field, fmt.Sprintf("%q is not a valid amount. Enter a number, such as %s.", m.Amount+" "+m.Currency, c.Decimal(124900)), "")
		}
		return 0, web.InvalidField(field, fmt.Sprintf("Prices are in %s, not %s.", c.Code, m.Currency),
			fmt.Sprintf("Enter %s in %s.", field, c.Code))
	}
	amount, err := c.ParseDecimal(strings.Replace(m.Amount, ",", ".", 1))
	if err != nil {
		return 0, web.InvalidField(field, english.Sentence(err.Error()), "")
	}
	return amount, nil
}
