package models

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"

	"github.com/secondlight/secondlight/models/problem"
)

// Cents is an amount of money in the minor unit of the site's currency: cents
// for EUR, yen for JPY.
type Cents int64

// Money is an amount in the API: a decimal string, which readers can't round by
// accident, and an ISO 4217 code.
type Money struct {
	Amount   string `json:"amount" jsonschema:"decimal amount, such as 1249.00"`
	Currency string `json:"currency" jsonschema:"ISO 4217 code, such as EUR"`
}

// Amount is an amount in minor units with its currency. It is encoded in JSON
// as Money.
type Amount struct {
	Cents    Cents
	Currency Currency
}

// Money returns the amount as used in the API.
func (a Amount) Money() Money { return a.Currency.Money(a.Cents) }

// Plain formats the amount as Currency.Plain does.
func (a Amount) Plain() string { return a.Currency.Plain(a.Cents) }

// MarshalJSON implements json.Marshaler.
func (a Amount) MarshalJSON() ([]byte, error) { return json.Marshal(a.Money()) }

// Currency is the currency of the site.
type Currency struct {
	Code   string // ISO 4217, upper case
	Digits int    // decimals of the minor unit: 2 for EUR, 0 for JPY
}

// ParseCurrency parses an ISO 4217 code, ignoring case.
func ParseCurrency(code string) (Currency, error) {
	unit, err := currency.ParseISO(strings.TrimSpace(code))
	if err != nil {
		return Currency{}, problem.Errorf("%q isn't an ISO 4217 currency code such as EUR or USD.", code)
	}
	digits, _ := currency.Standard.Rounding(unit)
	return Currency{Code: unit.String(), Digits: digits}, nil
}

// Money returns an amount as used in the API.
func (c Currency) Money(amount Cents) Money {
	return Money{Amount: c.Decimal(amount), Currency: c.Code}
}

// Decimal formats an amount with all its decimals: 124900 is "1249.00" in EUR.
func (c Currency) Decimal(amount Cents) string {
	var space [24]byte
	text := strconv.AppendInt(space[:0], int64(amount), 10)
	if c.Digits == 0 {
		return string(text)
	}
	first := 0
	if amount < 0 {
		first = len("-")
	}
	for len(text)-first <= c.Digits {
		text = slices.Insert(text, first, '0')
	}
	return string(slices.Insert(text, len(text)-c.Digits, '.'))
}

// Plain formats an amount without decimals if they are zero: "1249", "1249.50".
func (c Currency) Plain(amount Cents) string {
	whole, frac, _ := strings.Cut(c.Decimal(amount), ".")
	if strings.Trim(frac, "0") == "" {
		return whole
	}
	return whole + "." + frac
}

// Whole rounds a positive amount to the major unit: 103125 is 103100 in EUR.
func (c Currency) Whole(amount Cents) Cents {
	unit := Cents(1)
	for range c.Digits {
		unit *= 10
	}
	return (amount + unit/2) / unit * unit
}

// MaxAmount is the largest accepted amount in minor units: ten million in a
// currency with two decimals. It prevents overflow of sums.
const MaxAmount Cents = 1_000_000_000

// ParseDecimal parses a non-negative amount such as "1249", "1249.5" or
// "1249.00". It rejects signs, exponents, separators, more decimals than the
// currency has except zeros after three, and amounts above MaxAmount.
func (c Currency) ParseDecimal(s string) (Cents, error) {
	whole, frac, dotted := strings.Cut(s, ".")
	if len(frac) > c.Digits && strings.Trim(frac[c.Digits:], "0") == "" && len(frac) != 3 {
		frac, dotted = frac[:c.Digits], c.Digits > 0
	}
	if whole == "" || len(whole) > 12 || len(frac) > c.Digits || dotted && frac == "" || !allDigits(whole) || !allDigits(frac) {
		return 0, problem.Errorf("%q isn't an amount. Use digits with up to %d decimal places, such as %s.", s, c.Digits, c.Decimal(124900))
	}
	n, _ := strconv.ParseInt(whole+frac+strings.Repeat("0", c.Digits-len(frac)), 10, 64)
	if Cents(n) > MaxAmount {
		return 0, problem.Errorf("%q is more than the maximum of %s.", s, c.Decimal(MaxAmount))
	}
	return Cents(n), nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Set parses an amount as written in a request: "450.00", "€1,250", "400 USD".
// It never fails: the amount is validated where it is used, by
// Currency.ParseAmount.
func (m *Money) Set(text string) error {
	m.Amount, m.Currency = CutCurrency(text)
	return nil
}

// Text returns the amount as written: "450.00 EUR".
func (m Money) Text() string { return strings.TrimSpace(m.Amount + " " + m.Currency) }
