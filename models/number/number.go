// Package number reads numbers as people write them in forms, searches, files and JSON, in
// English and in German.
package number

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// pointGroup matches a number whose only point may separate a group: "1.250".
var pointGroup = regexp.MustCompile(`^[1-9][0-9]{0,2}\.[0-9]{3}$`)

// IsPointGroup reports whether a number is read as a whole one by people, and as one with
// three decimals by programs: "1.250".
func IsPointGroup(text string) bool { return pointGroup.MatchString(strings.TrimSpace(text)) }

// Plain rewrites a number that has at most the given decimals without separators of groups and
// with a decimal point: "1.250,00", "1 250" and "1.250,-" are "1250.00", "1250" and "1250",
// "1.2k" is "1200". Three digits after a lone comma or point are a group, unless there may be
// three decimals: nobody writes tenths of a cent. It returns false if the separators are
// inconsistent.
func Plain(text string, decimals int) (string, bool) {
	s := strings.TrimSpace(blanks.Replace(text))
	if decimals < 3 && IsPointGroup(s) {
		return strings.Replace(s, ".", "", 1), true
	}
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
		case len(after) == 3 && (mark == "," && decimals != 3 || strings.Count(s, mark) > 1) && s[:at] != "0": // a group
		case strings.Count(s, mark) > 1:
			return "", false
		default:
			whole, frac = s[:at], "."+after
		}
	}
	digits, ok := ungroup(whole)
	return digits + frac, ok
}

// blanks replaces the separators of groups that are neither a point nor a comma by a space.
var blanks = strings.NewReplacer("'", " ", "’", " ", "_", " ", "\u00a0", " ", "\u202f", " ", "\u2009", " ")

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
		if strings.Trim(g, "0123456789") != "" || i > 0 && len(g) != 3 || i == 0 && (g == "" || len(g) > 3) {
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

// Whole reads a whole number that is not negative: "12400", "12,400", "12.400", "12 400",
// "12.4k".
func Whole(text string) (n int64, ok bool) {
	plain, ok := Plain(text, 0)
	n, err := strconv.ParseInt(plain, 10, 64)
	return n, ok && err == nil && n >= 0
}

// JSON returns a number of a JSON text as a program means it, whole ones without a fraction:
// 24.0 and 2.4e1 are "24". Three decimals are followed by a zero, so that they are no group.
// Whole numbers keep all their digits.
func JSON(n json.Number) string {
	f, err := n.Float64()
	if err != nil || math.Abs(f) >= 1<<53 {
		return n.String()
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if _, frac, _ := strings.Cut(text, "."); len(frac) == 3 {
		return text + "0"
	}
	return text
}

// Words and signs of ranges.
const (
	upTo = `(?:not more than|no more than|less than|cheaper than|up to|at most|under|below|maximum|maximal|max|` +
		`nicht mehr als|nicht über|weniger als|billiger als|günstiger als|höchstens|unter|bis zu|bis|<=?|≤|-|–|—|−)`
	from = `(?:between|more than|at least|starting at|starting from|over|above|from|minimum|mindestens|mind|min|` +
		`zwischen|mehr als|teurer als|über|von|ab|>=?|≥)`
	dash = `(?:to\b|and\b|until\b|bis zu\b|bis\b|und\b|\.\.+|…|-+|–|—|−|;)`
)

var (
	beforeMaximum = regexp.MustCompile(`(?i)^` + upTo + `[.:]?\s*`)
	beforeMinimum = regexp.MustCompile(`(?i)^` + from + `[.:]?\s*`)
	afterMaximum  = regexp.MustCompile(`(?i)\s*\b(?:max|maximum|maximal|or less|at most|oder weniger|höchstens)\.?$`)
	afterMinimum  = regexp.MustCompile(`(?i)\s*(?:\+|-|–|—|−|\.\.+|…|\b(?:and up|and more|or more|upwards|minimum|min|oder mehr|und mehr|aufwärts)\.?)$`)
	// between matches what separates the bounds: the last digit or the unit of the first is before it.
	between = regexp.MustCompile(`(?i)\s*(?:,\s+` + upTo + `?|` + dash + `|\s` + upTo + `)[.:]?\s*`)

	noCents   = regexp.MustCompile(`([0-9])[.,][-–—]+([^0-9]|$)`)
	list      = regexp.MustCompile(`^(\d+),(\d{4,})$`)
	ambiguous = regexp.MustCompile(`^(?:\d{2}|(?:\p{Sc}|[A-Z]{3})?\s*\d{3})[, ]\d{3}\s*(?:\p{Sc}|[A-Za-z]{0,5})$`)
	number    = regexp.MustCompile(`\d+`)
	leading   = regexp.MustCompile(`^[\d.,]+`)
)

// Ambiguous is the error of a text that is a range to some, and one number to others.
type Ambiguous struct{ Low, High string }

// Error implements error.
func (a *Ambiguous) Error() string {
	return "may be " + a.Low + "-" + a.High + " or " + a.Low + a.High
}

// Range returns the bounds of a range of prices as they are written: "500-800", "€500 to €800",
// "bis 800 €", "500+". An open bound is "". A number alone is the upper bound. The error is
// an *Ambiguous.
func Range(text string) (low, high string, err error) {
	if strings.Trim(text, digits+"-") == "" && strings.Count(text, "-") < 2 { // as programs write it
		low, high, ranged := strings.Cut(text, "-")
		if !ranged {
			low, high = "", low
		}
		return low, high, nil
	}
	given := text
	text = strings.TrimSpace(noCents.ReplaceAllString(blanks.Replace(text), "$1$2"))
	if !strings.ContainsAny(text, digits) {
		return "", given, nil // an error quotes it
	}
	if ambiguous.MatchString(text) {
		if two := number.FindAllString(text, 2); two[1] != "000" {
			return "", "", &Ambiguous{two[0], two[1]}
		}
	}
	if m := list.FindStringSubmatch(text); m != nil {
		return m[1], m[2], nil
	}
	for _, at := range between.FindAllStringIndex(text, -1) {
		if low, high = text[:at[0]], text[at[1]:]; strings.ContainsAny(low, digits) && strings.ContainsAny(high, digits) {
			low, high = beforeMinimum.ReplaceAllString(low, ""), beforeMaximum.ReplaceAllString(high, "")
			return inThousands(low, high), high, nil
		}
	}
	for _, maximum := range []*regexp.Regexp{beforeMaximum, afterMaximum} {
		if rest := maximum.ReplaceAllString(text, ""); rest != text {
			return "", rest, nil
		}
	}
	for _, minimum := range []*regexp.Regexp{beforeMinimum, afterMinimum} {
		if rest := minimum.ReplaceAllString(text, ""); rest != text {
			return rest, "", nil
		}
	}
	return "", text, nil
}

const digits = "0123456789"

// inThousands returns the lower bound in the unit of the upper one: of "1-2k" it is "1k".
func inThousands(low, high string) string {
	thousand := func(s string) bool { return strings.ContainsAny(s, "kK") }
	of := func(s string) float64 {
		n, _ := strconv.ParseFloat(strings.Replace(leading.FindString(s), ",", ".", 1), 64)
		return n
	}
	if thousand(high) && !thousand(low) && of(low) < of(high) {
		return low + "k"
	}
	return low
}
