package models

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models/problem"
)

// Postage is the price that a seller charges for shipping, by region: "pickup" if an item is
// not shipped, or rates in minor units, such as "DE=690 EU=1490 WORLD=2900". "" means
// that the seller has not said.
type Postage string

// PickupOnly is the postage of an item that is not shipped.
const PickupOnly Postage = "pickup"

// postageFree is the postage of an item that is shipped free to every country.
const postageFree Postage = "WORLD=0"

// RegionWorld stands for every country in a postage rate.
const RegionWorld Region = "WORLD"

// MaxPostageRates is the maximum number of rates, and MaxPostageText that of
// characters in which they are written.
const (
	MaxPostageRates = 12
	MaxPostageText  = 300
)

// PostageRows is the postage of a form that has a price for each region.
const PostageRows = "rates"

// PostageRate is the postage to a country, to RegionEU or to RegionWorld.
type PostageRate struct {
	To    Region
	Price Cents
}

// PostageRates are the rates of a listing, the most specific first.
type PostageRates []PostageRate

// Rates returns the rates, those of countries first.
func (p Postage) Rates() (rates PostageRates) {
	for _, field := range strings.Fields(string(p)) {
		to, price, ok := strings.Cut(field, "=")
		if n, err := strconv.ParseInt(price, 10, 64); ok && err == nil {
			rates = append(rates, PostageRate{Region(to), Cents(n)})
		}
	}
	return rates
}

// To returns the postage to a region: that of the country, or else of RegionEU or
// RegionWorld. It returns false if the item is not shipped there, or if the seller has
// not said.
func (p Postage) To(r Region) (Cents, bool) { return p.Rates().To(r) }

// To returns the postage to a region, or false if there is none.
func (rates PostageRates) To(r Region) (Cents, bool) {
	for _, rate := range rates {
		if rate.To == RegionWorld || rate.To.Covers(r) {
			return rate.Price, true
		}
	}
	return 0, false
}

// PostageOr returns the postage of the listing, or else the default of its seller. Amounts
// of the default are in the currency of the site, so that it applies to a listing in
// another currency only if it has none.
func (l *Listing) PostageOr(sellers Postage) Postage {
	if l.Postage != "" || l.Currency != "" && sellers != PickupOnly && sellers != postageFree {
		return l.Postage
	}
	return sellers
}

// nextRate matches the space between a price and the region of the next rate.
var nextRate = regexp.MustCompile(`(?i)(\d\s*\p{Sc}?|\bfree|\bkostenlos)\s+(\pL[^,;]*?[\s:=])`)

// ParsePostage parses postage as a seller writes it: "pickup", "free", or rates by
// region, such as "DE 6.90, EU 14.90, world 29" or "DE=6.90 EU=14.90", in English or
// German. A price alone is that within the country of home, "" if it is not known. "" stays "".
func (c Currency) ParsePostage(text string, home Region) (Postage, error) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(text)) {
	case "":
		return "", nil
	case "pickup", "pickuponly", "abholung", "nurabholung":
		return PickupOnly, nil
	case "free", "kostenlos":
		return postageFree, nil
	}
	if price, err := c.ParseAmount(text); err == nil {
		if home == "" {
			return "", problem.Errorf("%q needs a region and a price, such as DE 6.90.", text)
		}
		return NewPostage([]PostageRate{{To: home.Country(), Price: price}}), nil
	}
	text = nextRate.ReplaceAllString(text, "$1;$2")
	var rates []PostageRate
	for _, field := range strings.FieldsFunc(strings.ReplaceAll(text, ", ", ";"), func(r rune) bool { return r == ';' || r == '\n' }) {
		rate, err := c.parseRate(strings.TrimSpace(field))
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(rates, func(r PostageRate) bool { return r.To == rate.To }) {
			return "", problem.Errorf("%s is listed twice.", rate.To)
		}
		rates = append(rates, rate)
	}
	if len(rates) > MaxPostageRates {
		return "", problem.Errorf("Enter at most %d regions.", MaxPostageRates)
	}
	return NewPostage(rates), nil
}

// NewPostage returns postage by region.
func NewPostage(rates []PostageRate) Postage {
	rates = slices.Clone(rates)
	slices.SortStableFunc(rates, func(a, b PostageRate) int { return a.To.breadth() - b.To.breadth() })
	fields := make([]string, len(rates))
	for i, r := range rates {
		fields[i] = string(r.To) + "=" + strconv.FormatInt(int64(r.Price), 10)
	}
	return Postage(strings.Join(fields, " "))
}

// breadth orders the regions of rates: the most specific first.
func (r Region) breadth() int {
	switch r {
	case RegionWorld:
		return 2
	case RegionEU:
		return 1
	}
	return 0
}

// parseRate parses a region and a price: "DE 6.90", "Germany: free".
func (c Currency) parseRate(text string) (PostageRate, error) {
	at := strings.LastIndexAny(text, " :=")
	if at > 0 && c.IsUnit(text[at+1:]) { // "DE 6.90 EUR"
		text = strings.TrimSpace(text[:at])
		at = strings.LastIndexAny(text, " :=")
	}
	if at < 0 || strings.ContainsAny(text[:at], "0123456789") {
		return PostageRate{}, problem.Errorf("%q needs a region and a price, such as DE 6.90.", text)
	}
	var rate PostageRate
	name, price := strings.Trim(text[:at], " :="), text[at+1:]
	if slices.Contains([]string{"world", "worldwide", "welt", "weltweit"}, strings.ToLower(name)) {
		rate.To = RegionWorld
	} else if err := rate.To.Set(name); err != nil || rate.To != rate.To.Country() {
		return PostageRate{}, problem.Errorf("%q isn't a country, EU or world.", name)
	}
	if strings.EqualFold(price, "free") || strings.EqualFold(price, "kostenlos") {
		return rate, nil
	}
	var err error
	rate.Price, err = c.ParseAmount(price)
	return rate, err
}

// Text returns postage as ParsePostage takes it.
func (p Postage) Text(c Currency) string {
	switch p {
	case PickupOnly:
		return "pick-up only"
	case postageFree:
		return "free"
	}
	rates := p.Rates()
	fields := make([]string, len(rates))
	for i, r := range rates {
		name := string(r.To)
		if r.To == RegionWorld {
			name = "world"
		}
		price := "free"
		if r.Price > 0 {
			price = c.Decimal(r.Price)
		}
		fields[i] = name + " " + price
	}
	return strings.Join(fields, ", ")
}
