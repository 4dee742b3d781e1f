package models

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/secondlight/secondlight/models/problem"
)

// ParseAmount parses an amount as people write it: "1249.50", "€1,250",
// "1.250,00 EUR", "CHF 1'250.-", "1.2k". It returns an error for another
// currency, and as ParseDecimal does.
func (c Currency) ParseAmount(text string) (Cents, error) {
	number, unit := CutCurrency(text)
	if unit != "" && !c.IsUnit(unit) {
		if code := CurrencyOf(unit); code != "" {
			return 0, problem.Errorf("Prices are in %s, not %s.", c.Code, code)
		}
		return 0, c.notAmount(text)
	}
	plain, ok := c.plainDecimal(number)
	if !ok {
		return 0, c.notAmount(text)
	}
	amount, err := c.ParseDecimal(plain)
	if err != nil && plain != text {
		return 0, c.notAmount(text)
	}
	return amount, err
}

// pointGroup matches a number whose only point may separate a group: "1.250".
var pointGroup = regexp.MustCompile(`^\s*[1-9][0-9]{0,2}\.[0-9]{3}\s*$`)

// ParsePrice parses an amount that a person typed into a form. It reads "1.250" as 1250,
// because nobody writes tenths of a cent; ParseAmount refuses it, because programs do.
// Otherwise it is ParseAmount.
func (c Currency) ParsePrice(text string) (Cents, error) {
	number, unit := CutCurrency(text)
	if c.Digits < 3 && pointGroup.MatchString(number) {
		text = strings.TrimSpace(strings.Replace(number, ".", "", 1) + " " + unit)
	}
	return c.ParseAmount(text)
}

// ParseCount parses a whole number that a person typed into a form: "12400", "12,400",
// "12.400", "12 400", "12.4k".
func ParseCount(text string) (int, error) {
	number := strings.TrimSpace(text)
	if pointGroup.MatchString(number) {
		number = strings.Replace(number, ".", "", 1)
	}
	plain, ok := Currency{}.plainDecimal(number)
	n, err := strconv.Atoi(plain)
	if !ok || err != nil || n < 0 {
		return 0, problem.Errorf("%q isn't a whole number. Enter one such as 12,400.", text)
	}
	return n, nil
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

// plainDecimal rewrites a number with grouped digits or a decimal comma as
// ParseDecimal takes it: "1.250,00" and "1 250" are "1250.00" and "1250". Three
// digits after a lone comma are a group; after a lone point they may be either, so
// ParseDecimal decides. It returns false if the separators are inconsistent.
func (c Currency) plainDecimal(s string) (string, bool) {
	s = strings.Map(func(r rune) rune {
		switch r {
		case '\'', '’', '_', '\u00a0', '\u202f', '\u2009':
			return ' '
		}
		return r
	}, s)
	if whole, ok := cutDash(s); ok { // no decimals, so the separators are of groups
		return ungroup(whole)
	}
	s = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(s, "-"), "–"), "., ")
	if n, ok := strings.CutSuffix(strings.ToLower(s), "k"); ok {
		return thousands(n)
	}
	whole, frac := s, ""
	if at := strings.LastIndexAny(s, ".,"); at >= 0 {
		mark, after := s[at:at+1], s[at+1:]
		switch {
		case len(after) == 3 && (mark == "," && c.Digits != 3 || strings.Count(s, mark) > 1) && s[:at] != "0": // a group
		case strings.Count(s, mark) > 1:
			return "", false
		default:
			whole, frac = s[:at], "."+after
		}
	}
	digits, ok := ungroup(whole)
	return digits + frac, ok
}

// cutDash removes the dash that stands for no decimals: "1.250,-", "500.–".
func cutDash(s string) (whole string, ok bool) {
	if whole, ok = strings.CutSuffix(s, "-"); !ok {
		whole, ok = strings.CutSuffix(s, "–")
	}
	trimmed := strings.TrimRight(whole, ".,")
	return trimmed, ok && trimmed != whole
}

// ungroup removes the separators of groups of three digits, which must be all the
// same.
func ungroup(s string) (string, bool) {
	at := strings.IndexAny(s, " .,")
	if at < 0 {
		return s, true
	}
	groups := strings.Split(s, s[at:at+1])
	for i, g := range groups {
		if !allDigits(g) || i > 0 && len(g) != 3 || i == 0 && (g == "" || len(g) > 3) {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

// thousands returns a number of thousands, with at most three decimals, as a plain
// number: "1.2" is "1200".
func thousands(s string) (string, bool) {
	whole, frac, _ := strings.Cut(strings.Replace(strings.TrimSpace(s), ",", ".", 1), ".")
	if whole == "" || len(frac) > 3 {
		return "", false
	}
	return whole + frac + strings.Repeat("0", 3-len(frac)), true
}
