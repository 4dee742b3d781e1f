package demo

import (
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
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

type generator struct {
	seed   uint64
	now    time.Time
	market *market
}

// dice returns an independent generator for a part of the data, so that a change in
// one part does not affect the others.
func (g *generator) dice(part string) dice {
	h := fnv.New64a()
	h.Write([]byte(part))
	return dice{rand.New(rand.NewPCG(g.seed, h.Sum64()))}
}

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
