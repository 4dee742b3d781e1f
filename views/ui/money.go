package ui

import (
	"math"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// MoneyText formats an amount in English: "€1,249", "€1,249.50", "CHF 90".
func MoneyText(m models.Money) string { return languages.English.Money(m.Amount, m.Currency) }

// MoneyOr formats an amount, or returns none when m is nil.
func MoneyOr(m *models.Money, none string) string {
	if m == nil {
		return none
	}
	return MoneyText(*m)
}

// Money returns an amount in the site's currency, nil for zero.
func (s *Site) Money(amount models.Cents) *models.Money { return MoneyOf(s.Currency(), amount) }

// MoneyOf returns an amount in a currency, nil for zero.
func MoneyOf(c models.Currency, amount models.Cents) *models.Money {
	if amount == 0 {
		return nil
	}
	m := c.Money(amount)
	return &m
}

// CountText formats a number with its noun: "1 sale", "1,204 sales".
func CountText(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return NumberText(n) + " " + many
}

// NumberText formats a number in English: "60,000".
func NumberText(n int) string { return languages.English.Number(n) }

func Amount(m *models.Money) string {
	if m == nil {
		return ""
	}
	return m.Amount
}

// AmountLess compares two amounts in the same currency.
func AmountLess(a, b *models.Money) bool {
	if len(a.Amount) != len(b.Amount) {
		return len(a.Amount) < len(b.Amount)
	}
	return a.Amount < b.Amount
}

// Units returns an amount in whole currency units. It is for drawing only: the
// conversion is not exact.
func Units(m *models.Money) float64 {
	f, _ := strconv.ParseFloat(m.Amount, 64)
	return f
}

// MinorUnits returns how many of its minor units a unit of the site's currency has.
func (s *Site) MinorUnits() float64 { return math.Pow10(s.Currency().Digits) }
