// Package demo generates demonstration data for a new site: sellers, listings with
// drawn photographs, and five years of sales at plausible prices. All of it is marked
// as demonstration data. The result depends only on the catalogue, the seed and the
// day.
package demo

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
)

// Seed is the seed that Fill uses.
const Seed uint64 = 1839

// Numbers of generated rows.
const (
	Sellers        = 400
	ActiveListings = 5_000
	Sales          = 60_000
	Years          = 5 // of sales, up to the day of generation

	soldListings     = 600
	reservedListings = 120
	endedListings    = 90
	expiredListings  = 30
)

// Data is a generated market. Insert members first, then listings, offers, sales and
// the rest, which refer to each other in this order.
type Data struct {
	Members    []models.Member
	Listings   []models.Listing
	Offers     []store.DemoOffer
	Sales      []models.Sale
	Ratings    []models.Rating
	PastPrices []store.DemoPrice
	Watches    []store.DemoWatch
}

// Generate generates a market for the catalogue's gear as of the start of now's day in
// UTC. It is a pure function of its arguments.
func Generate(cat *catalog.Catalog, seed uint64, now time.Time) *Data {
	g := &generator{seed: seed, now: now.UTC().Truncate(24 * time.Hour)}
	g.market = newMarket(cat, g.now)
	d := &Data{Members: g.members()}
	d.Sales = g.sales()
	d.Listings = g.listings(d.Members, d.Sales)
	g.trade(d)
	return d
}

type generator struct {
	seed   uint64
	now    time.Time
	market *market
}

// dice generates random numbers with several distributions.
type dice struct{ *rand.Rand }

// dice returns an independent generator for a part of the data, so that a change in
// one part does not affect the others.
func (g *generator) dice(part string) dice {
	h := fnv.New64a()
	h.Write([]byte(part))
	return dice{rand.New(rand.NewPCG(g.seed, h.Sum64()))}
}

// chance returns true with probability p.
func (d dice) chance(p float64) bool { return d.Float64() < p }

// between returns a number uniformly distributed between low and high.
func (d dice) between(low, high float64) float64 { return low + d.Float64()*(high-low) }

// triangle returns a number between low and high with a triangular distribution.
func (d dice) triangle(low, high float64) float64 {
	return low + (d.Float64()+d.Float64())/2*(high-low)
}

// lognormal returns a log-normally distributed number with median 1.
func (d dice) lognormal(sigma float64) float64 { return math.Exp(d.NormFloat64() * sigma) }

// pick returns one of the choices.
func pick[T any](d dice, choices []T) T { return choices[d.IntN(len(choices))] }

// weighted returns an index of weights, with a probability proportional to its weight.
func (d dice) weighted(weights []float64) int {
	var sum float64
	for _, w := range weights {
		sum += w
	}
	at := d.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// share divides n in proportion to the weights. Each part is rounded up or down at
// random, and the parts add up to n.
func (d dice) share(n int, weights []float64) []int {
	var sum, reached float64
	for _, w := range weights {
		sum += w
	}
	start, given := d.Float64(), 0
	parts := make([]int, len(weights))
	for i, w := range weights {
		reached += w
		upTo := int(reached/sum*float64(n) + start)
		if i == len(weights)-1 {
			upTo = n
		}
		upTo = min(upTo, n)
		parts[i], given = upTo-given, upTo
	}
	return parts
}

// id returns a UUIDv7 with the given time.
func (d dice) id(at models.Time) string {
	var id uuid.UUID
	a, b := d.Uint64(), d.Uint64()
	for i := range 8 {
		id[i], id[8+i] = byte(a>>(8*i)), byte(b>>(8*i))
	}
	for i := range 6 {
		id[i] = byte(int64(at) >> (40 - 8*i))
	}
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// sales returns exactly Sales sales, distributed over months and gear by demand.
func (g *generator) sales() []models.Sale {
	d := g.dice("sales")
	from := g.now.AddDate(-Years, 0, 0)
	months := monthsBetween(from, g.now)
	weights := make([]float64, len(months))
	for i, m := range months {
		weights[i] = m.to.Sub(m.from).Hours() * season(m.from, 0.06) * (1 + 0.05*float64(i)/12)
	}
	sales := make([]models.Sale, 0, Sales)
	for i, n := range d.share(Sales, weights) {
		for j, n := range d.share(n, g.market.demand(months[i].from)) {
			for range n {
				sales = append(sales, g.sale(d, g.market.goods[j], months[i]))
			}
		}
	}
	slices.SortFunc(sales, func(a, b models.Sale) int {
		return cmp.Or(cmp.Compare(a.SoldAt, b.SoldAt), cmp.Compare(a.ID, b.ID))
	})
	return sales
}

func (g *generator) sale(d dice, item *good, m month) models.Sale {
	at := m.from.Add(time.Duration(d.Float64() * float64(m.to.Sub(m.from))))
	at = at.Truncate(24 * time.Hour).Add(time.Duration(d.IntN(16*60)+7*60) * time.Minute)
	c := g.condition(d, item, at)
	soldAt := models.TimeOf(at)
	return models.Sale{
		ID: d.id(soldAt), Gear: item.gear.Slug(), Condition: c, SoldAt: soldAt,
		Price:  g.market.sold(d, item, c, at),
		Region: words().Regions[d.weighted(regionWeights())].Code,
		Demo:   true,
	}
}

// condition returns a random condition, worse for older models.
func (g *generator) condition(d dice, item *good, at time.Time) models.Condition {
	age := min(item.age(at), 25)
	return models.Conditions[d.weighted([]float64{
		max(1, 4-age*0.6),  // new
		max(4, 22-age*1.2), // like new
		30,                 // excellent
		24 + age*0.4,       // good
		6 + age*0.6,        // well used
		1 + age*0.25,       // heavily used
		0.8 + age*0.16,     // faulty
	})]
}

type month struct{ from, to time.Time }

// monthsBetween splits a period at the first of each month.
func monthsBetween(from, to time.Time) []month {
	var months []month
	for from.Before(to) {
		next := time.Date(from.Year(), from.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		if next.After(to) {
			next = to
		}
		months = append(months, month{from, next})
		from = next
	}
	return months
}

// season returns a seasonal factor around 1: high before summer and before Christmas,
// low in January and February.
func season(day time.Time, swing float64) float64 {
	year := 2 * math.Pi * float64(day.YearDay()) / 365.25
	return 1 - swing*(0.7*math.Cos(year-0.6)+0.3*math.Cos(2*year-0.8))
}
