package views

import (
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// symbols maps currencies to their symbols. Other currencies are written by their
// codes.
var symbols = map[string]string{
	"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "ILS": "₪",
	"AUD": "A$", "CAD": "C$", "NZD": "NZ$", "HKD": "HK$", "SGD": "S$", "MXN": "MX$", "BRL": "R$",
}

// MoneyText formats an amount: "€1,249", "€1,249.50", "CHF 90".
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

// moneyOr formats an amount, or returns none when m is nil.
func moneyOr(m *models.Money, none string) string {
	if m == nil {
		return none
	}
	return MoneyText(*m)
}

// money returns an amount in the site's currency, nil for zero.
func (s *Site) money(amount models.Cents) *models.Money {
	if amount == 0 {
		return nil
	}
	m := s.Currency.Money(amount)
	return &m
}

// percentText formats a change with its sign: "+4.2 %", "−12.5 %", "0 %".
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

// changeText formats a change, or says that there are too few sales when it is nil.
func changeText(percent *float64) string {
	if percent == nil {
		return "too few sales"
	}
	return percentText(*percent)
}

// countText formats a number with its noun: "1 sale", "1,204 sales".
func countText(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return numberText(n) + " " + many
}

// numberText formats a number with thousands separators: "60,000".
func numberText(n int) string {
	s := strconv.Itoa(n)
	if len(s) <= 3 || n < 0 {
		return s
	}
	return numberText(n/1000) + "," + s[len(s)-3:]
}
