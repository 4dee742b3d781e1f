package models

import (
	"slices"
	"strings"
	"unicode"

	"github.com/secondlight/secondlight/models/number"
	"github.com/secondlight/secondlight/models/problem"
)

// ParseAmount parses an amount as people write it: "1249.50", "€1,250",
// "1.250,00 EUR", "CHF 1'250.-", "1.2k". It reads "1.250" as 1250, unless the currency has three
// decimals. It returns an error for another currency, and as ParseDecimal does.
func (c Currency) ParseAmount(text string) (Cents, error) {
	written, unit := CutCurrency(text)
	if unit != "" && !c.IsUnit(unit) {
		if code := CurrencyOf(unit); code != "" {
			return 0, problem.Errorf("Prices are in %s, not %s.", c.Code, code)
		}
		return 0, c.notAmount(text)
	}
	plain, ok := number.Plain(written, c.Digits)
	if !ok {
		return 0, c.notAmount(text)
	}
	amount, err := c.ParseDecimal(plain)
	if err != nil && plain != text {
		return 0, c.notAmount(text)
	}
	return amount, err
}

// ParseCount parses a whole number as people write it: "12400", "12,400", "12.400", "12 400",
// "12.4k".
func ParseCount(text string) (int, error) {
	n, ok := number.Whole(text)
	if !ok {
		return 0, problem.Errorf("%q isn't a whole number. Enter one such as 12,400.", text)
	}
	return int(n), nil
}

func (c Currency) notAmount(text string) error {
	return problem.Errorf("%q isn't an amount. Enter a number with up to %d decimal places, such as %s.", text, c.Digits, c.Decimal(124900))
}

// currencySigns are the signs of currencies. "$" and "¥" stand for the site's
// currency if it has them.
var currencySigns = map[string][]string{
	"€": {"EUR"}, "£": {"GBP"}, "$": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "TWD"}, "us$": {"USD"}, "ca$": {"CAD"}, "c$": {"CAD"}, "a$": {"AUD"}, "au$": {"AUD"},
	"¥": {"JPY", "CNY"}, "yen": {"JPY"}, "zł": {"PLN"}, "kč": {"CZK"}, "kr": {"SEK", "NOK", "DKK"}, "sfr": {"CHF"}, "fr": {"CHF"}, "₩": {"KRW"}, "ft": {"HUF"},
	"euro": {"EUR"}, "euros": {"EUR"}, "dollar": {"USD"}, "dollars": {"USD"}, "bucks": {"USD"}, "quid": {"GBP"}, "pounds": {"GBP"},
}

// IsUnit reports whether a code or sign may denote the currency.
func (c Currency) IsUnit(unit string) bool {
	return strings.EqualFold(unit, c.Code) || slices.Contains(currencySigns[strings.ToLower(unit)], c.Code)
}

// CurrencyOf returns the code of a currency by code or sign, or "".
func CurrencyOf(unit string) string {
	if codes := currencySigns[strings.ToLower(unit)]; len(codes) > 0 {
		return codes[0]
	}
	if c, err := ParseCurrency(unit); err == nil {
		return c.Code
	}
	return ""
}

// CutCurrency separates the number in a text from the code or sign of a currency
// before or after it.
func CutCurrency(text string) (number, unit string) {
	number = strings.TrimSpace(text)
	isUnit := func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) }
	if end := strings.IndexFunc(number, func(r rune) bool { return !isUnit(r) }); end > 0 {
		return strings.TrimSpace(number[end:]), number[:end]
	}
	if end := len(strings.TrimRightFunc(number, isUnit)); end > 0 && end < len(number) && !strings.EqualFold(number[end:], "k") {
		return strings.TrimSpace(number[:end]), number[end:]
	}
	return number, ""
}
