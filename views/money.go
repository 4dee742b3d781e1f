package views

import (
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// symbols are what people write before an amount; a currency that is not here
// is written by its code.
var symbols = map[string]string{
	"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "ILS": "₪",
	"AUD": "A$", "CAD": "C$", "NZD": "NZ$", "HKD": "HK$", "SGD": "S$", "MXN": "MX$", "BRL": "R$",
}

// MoneyText is an amount for people: "€1,249", "€1,249.50", "CHF 90".
func MoneyText(m models.Money) string {
	whole, frac, _ := strings.Cut(m.Amount, ".")
	var b strings.Builder
	b.Grow(len(m.Amount) + 8)
	if rest, negative := strings.CutPrefix(whole, "-"); negative {
		b.WriteString("−")
		whole = rest
	}
	if symbol, ok := symbols[m.Currency]; ok {
		b.WriteString(symbol)
	} else {
		b.WriteString(m.Currency)
		b.WriteString("\u00a0")
	}
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	if strings.Trim(frac, "0") != "" {
		b.WriteByte('.')
		b.WriteString(frac)
	}
	return b.String()
}

// moneyOr is the amount for people, or a word where there is none.
func moneyOr(m *models.Money, none string) string {
	if m == nil {
		return none
	}
	return MoneyText(*m)
}

// money is the wire form of an amount that may be missing: nil for zero.
func (s *Site) money(amount models.Cents) *models.Money {
	if amount == 0 {
		return nil
	}
	m := s.Currency.Money(amount)
	return &m
}

// percentText is a change for people: "+4.2 %", "−12.5 %", "0 %".
func percentText(percent float64) string {
	sign := "+"
	if percent < 0 {
		sign, percent = "−", -percent
	}
	if percent == 0 {
		sign = ""
	}
	return sign + strconv.FormatFloat(percent, 'f', -1, 64) + " %"
}

// changeText is a change for people, or why there is none.
func changeText(percent *float64) string {
	if percent == nil {
		return "too few sales"
	}
	return percentText(*percent)
}

// countText is a number for people with its noun: "1 sale", "1,204 sales".
func countText(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return numberText(n) + " " + many
}

// numberText is a number for people: "60,000".
func numberText(n int) string {
	s := strconv.Itoa(n)
	if len(s) <= 3 || n < 0 {
		return s
	}
	return numberText(n/1000) + "," + s[len(s)-3:]
}
