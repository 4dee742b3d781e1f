// Package shopper makes searches like those of shoppers, for benchmarks.
package shopper

import (
	"math/rand/v2"
	"net/url"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
)

// Shopper writes searches as shoppers do. Each is made for one of the listings, so that
// nearly all find something.
type Shopper struct {
	catalog  *catalog.Catalog
	listings []*models.Listing
	dice     *rand.Rand
	asked    map[string]bool
}

// New returns a shopper. The listings must be of gear of the catalogue.
func New(catalog *catalog.Catalog, listings []*models.Listing, seed uint64) *Shopper {
	return &Shopper{catalog, listings, rand.New(rand.NewPCG(seed, 2)), map[string]bool{}}
}

// Next returns a search that Next has not returned before.
func (s *Shopper) Next() search.Query {
	for {
		q := s.query()
		if address := Address(&q); !s.asked[address] {
			s.asked[address] = true
			return q
		}
	}
}

// Address returns the address of a search in the API.
func Address(q *search.Query) string {
	values := url.Values{}
	for i := range search.Params {
		p := &search.Params[i]
		for j := range p.Len(q) {
			values.Add(p.Name, p.At(q, j))
		}
	}
	return "/api/listings/search?" + values.Encode()
}

func (s *Shopper) query() search.Query {
	l := s.listings[s.dice.IntN(len(s.listings))]
	gear := s.catalog.Gear(l.Gear)
	often := func(percent int) bool { return s.dice.IntN(100) < percent }
	q := search.Query{Limit: search.DefaultLimit}
	if often(60) {
		q.Keyword = s.keyword(l, gear)
	}
	if often(30) {
		q.Brands = []string{gear.BrandSlug}
		if often(25) {
			q.Brands = append(q.Brands, s.catalog.Gear(s.listings[s.dice.IntN(len(s.listings))].Gear).BrandSlug)
		}
	}
	if often(30) {
		q.Category = models.Kind(l.Category)
		if often(40) && l.Category.Family() != "" {
			q.Category = models.Kind(l.Category.Family())
		}
	}
	if often(60) {
		price := int(l.Price / 100)
		least, most := roundDown(price*(30+s.dice.IntN(60))/100), roundUp(price*(110+s.dice.IntN(90))/100)
		kind := s.dice.IntN(3)
		if kind != 0 {
			q.Min = amount(least)
		}
		if kind != 2 {
			q.Max = amount(most)
		}
	}
	if often(30) {
		q.Regions = []models.Region{l.Region.Country()}
	}
	if often(35) {
		q.Conditions = []models.Condition{l.Condition}
		if other := models.Conditions[s.dice.IntN(len(models.Conditions))]; often(60) && other != l.Condition {
			q.Conditions = append(q.Conditions, other)
		}
	}
	q.Sort = q.DefaultSort()
	if often(60) {
		q.Sort = [...]search.Sort{search.Relevance, search.Newest, search.Price, search.PriceDesc, search.Deal}[s.dice.IntN(5)]
	}
	return q
}

func amount(units int) *models.Amount {
	return &models.Amount{Cents: models.Cents(units * 100), Currency: models.Currency{Code: "EUR", Digits: 2}}
}

// roundDown is the least amount that somebody types for about as much: "450", not "487".
func roundDown(amount int) int { return amount / roundStep(amount) * roundStep(amount) }

// roundUp is the greatest.
func roundUp(amount int) int { return roundDown(amount + roundStep(amount) - 1) }

func roundStep(amount int) int {
	step := 10
	for _, up := range [...]int{50, 100, 500} {
		if amount >= 10*up {
			step = up
		}
	}
	return step
}

// keyword is what somebody types who looks for the gear of a listing: its name, a
// name of its own, its brand, or its name with a word of the title, such as
// "x100v boxed".
func (s *Shopper) keyword(l *models.Listing, gear *catalog.Gear) string {
	words := strings.FieldsFunc(l.Title, func(r rune) bool { return strings.ContainsRune(" ,|–", r) })
	switch n := s.dice.IntN(10); {
	case n < 4:
		return strings.ToLower(gear.Model)
	case n < 6:
		return strings.ToLower(gear.Name())
	case n == 6:
		return strings.ToLower(gear.Brand)
	case n == 7 && len(gear.Aliases) > 0:
		return gear.Aliases[s.dice.IntN(len(gear.Aliases))]
	default:
		return strings.ToLower(gear.Model) + " " + words[s.dice.IntN(len(words))]
	}
}
