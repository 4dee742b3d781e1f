package sentence

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/number"
)

const currencies = `€|\$|£|¥|eur|euros?|usd|dollars?|gbp|pounds?|chf|franken`

var (
	amount      = regexp.MustCompile(`(?i)^(?:` + currencies + `)?\s*\d[\d.,']*\s*(?:,-|k)?\s*(?:` + currencies + `)?$`)
	hasCurrency = regexp.MustCompile(`(?i)[€$£¥]|(?:^|[\s\d])(?:` + currencies + `)$`)
	focal       = regexp.MustCompile(`^(\d{1,4}(?:[.,]\d)?)\s*(mm|er)?$`)
	widest      = regexp.MustCompile(`^(?:f/?)?(\d{1,2}[.,]\d{1,2})$|^f/(\d{1,2})$`)
	startsRange = models.WordSet("under below up at less cheaper max max. maximum bis unter hochstens nicht weniger billiger gunstiger between more over above from minimum min min. mindestens mind. " +
		"zwischen mehr teurer uber von ab starting for fur < > <= >= ≤ ≥")
	endsRange = models.WordSet("max max. maximum or less more oder weniger mehr up aufwarts min minimum")
)

// maxAmountWords is the number of words of a range of prices: "not more than 1500 US dollars".
const maxAmountWords = 7

// readAmount reads a range of prices, or a limit of the shutter count.
func (s *reading) readAmount(i int) int {
	first := s.words[i].key
	if !startsRange[first] && !strings.ContainsAny(first[:1], "0123456789<>") && !hasCurrency.MatchString(s.words[i].text) {
		return 0
	}
	var low, high string
	to := s.longest(i, maxAmountWords, func(to int) (ok bool) {
		low, high, ok = s.rangeOf(i, to)
		return ok
	})
	if to == i || to < len(s.words) && s.words[to].key == "mm" {
		return 0
	}
	if s.shutter && !hasCurrency.MatchString(s.text(i, to)) && s.value("shutter_max") == "" {
		if n, ok := number.Whole(high); ok && (n >= 2000 || to < len(s.words) && shutterWords[s.words[to].key]) {
			if to < len(s.words) && shutterWords[s.words[to].key] {
				to++
			}
			return s.add(i, to, Term{"shutter_max", strconv.FormatInt(n, 10)})
		}
	}
	text := low + "-" + high
	if low == "" {
		text = high
	}
	return s.add(i, to, Term{"budget", text})
}

// rangeOf returns the bounds of the range of prices that words are, "" for none.
func (s *reading) rangeOf(from, to int) (low, high string, ok bool) {
	text, start := s.text(from, to), s.words[from].key
	if !strings.ContainsAny(text, "0123456789") {
		return "", "", false
	}
	if forWords[start] {
		text = s.text(from+1, to)
	}
	low, high, err := number.Range(text)
	if err != nil || low != "" && !amount.MatchString(low) || high != "" && !amount.MatchString(high) || low+high == "" {
		return "", "", false
	}
	if widest.MatchString(low) {
		return "", "", false // "35mm 1.4 bis 300"
	}
	said := hasCurrency.MatchString(text) || !forWords[start] && startsRange[start] && low+high != text || to-from > 1 && endsRange[s.words[to-1].key]
	return low, high, said
}

// Shares of a price and of a focal length that "around" includes, on both sides.
const (
	aboutPrice = 0.2
	aboutFocal = 0.06
)

// readAbout reads a price or a focal length that need not be exact: "around 800".
func (s *reading) readAbout(i int) int {
	at := s.skip(i, aboutWords)
	if at == i {
		return 0
	}
	at = s.skip(at, articles) // "um die 800"
	to := s.longest(at, 2, func(to int) bool {
		text := s.text(at, to)
		return amount.MatchString(text) || focal.MatchString(strings.ToLower(text))
	})
	if to == at {
		return 0
	}
	text := strings.ToLower(s.text(at, to))
	if m := focal.FindStringSubmatch(text); m != nil && (m[2] == "mm" || strings.ContainsAny(m[1], ".,") || s.family() == models.FamilyLens) && !hasCurrency.MatchString(text) {
		n, _ := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
		return s.add(i, to, Term{"focal_min", fmt.Sprint(math.Round(n * (1 - aboutFocal)))}, Term{"focal_max", fmt.Sprint(math.Round(n * (1 + aboutFocal)))})
	}
	digits, unit := models.CutCurrency(text)
	n, ok := number.Whole(digits)
	if !ok {
		return 0
	}
	bound := func(share float64) string { return strconv.Itoa(int(math.Round(float64(n) * share))) }
	return s.add(i, to, Term{"budget", strings.TrimSpace(bound(1-aboutPrice) + "-" + bound(1+aboutPrice) + " " + unit)})
}
