package demo

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// The months of the prices in anchors.csv of gear that rises and that is steady.
var (
	risingBase = time.Date(2021, 11, 1, 0, 0, 0, 0, time.UTC)
	steadyBase = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
)

// market models the prices and the demand of gear.
type market struct {
	goods  []*good         // most popular first
	shared map[string]bool // aliases of several gear, such as "nifty fifty"
}

// good is gear with its market data.
type good struct {
	anchor
	gear     *catalog.Gear
	replaced time.Time // launch of the successor; zero if there is none
}

func newMarket(cat *catalog.Catalog, now time.Time) *market {
	anchors := map[string]anchor{}
	for _, a := range readAnchors() {
		anchors[a.slug] = a
	}
	m := &market{shared: map[string]bool{}}
	seen := map[string]bool{}
	for _, g := range cat.All() {
		for _, alias := range g.Aliases {
			m.shared[alias] = m.shared[alias] || seen[alias]
			seen[alias] = true
		}
		a, known := anchors[g.Slug()]
		if !known {
			a = estimate(g)
		}
		if a.launch.IsZero() {
			a.launch = estimateLaunch(g)
		}
		if a.price == 0 {
			a.price = launchPrice(g)
		}
		if g.Category.Family() != "" && a.launch.Before(now) {
			m.goods = append(m.goods, &good{anchor: a, gear: g, replaced: anchors[a.successor].launch})
		}
	}
	slices.SortStableFunc(m.goods, func(a, b *good) int {
		return cmp.Or(cmp.Compare(b.popularity, a.popularity), strings.Compare(a.gear.Slug(), b.gear.Slug()))
	})
	return m
}

// age returns the years since launch.
func (g *good) age(at time.Time) float64 { return max(0, yearsBetween(g.launch, at)) }

// demand returns weights for how many of each good are sold in a month: about 140 goods
// sell several times a month, some occasionally, and the long tail rarely. Gear that is
// not launched has weight 0.
func (m *market) demand(month time.Time) []float64 {
	const busy, floor = 140, 4.55
	type ranked struct {
		index int
		score float64
	}
	order := make([]ranked, 0, len(m.goods))
	for i, g := range m.goods {
		if g.launch.Before(month) {
			order = append(order, ranked{i, g.popularity * g.attention(month)})
		}
	}
	slices.SortStableFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.index, b.index))
	})
	demand := make([]float64, len(m.goods))
	for rank, o := range order {
		r := float64(rank)
		if rank < busy {
			demand[o.index] = floor + 7*(1/(1+r/12)-1/(1.0+busy/12))
		} else {
			demand[o.index] = 1.2*math.Exp(-(r-busy)/110) + 0.012*min(o.score, 1)
		}
	}
	return demand
}

// supply returns weights for how many of each good are for sale at a time. They follow
// what people own, but are flatter, because unpopular gear stays unsold for longer.
func (m *market) supply(at time.Time) []float64 {
	supply := make([]float64, len(m.goods))
	for i, g := range m.goods {
		score := g.popularity * g.attention(at)
		supply[i] = math.Pow(score/10, 1.3) + 0.12*min(score, 1)
	}
	return supply
}

// attention returns the factor of a good's popularity in a month: it grows over the
// first year, and rises when a successor is launched.
func (g *good) attention(month time.Time) float64 {
	a := min(1, 0.35+g.age(month)*0.65)
	if since := month.Sub(g.replaced).Hours() / 24 / 30; !g.replaced.IsZero() && since > 0 {
		a *= 1 + 0.4*math.Exp(-since/6)
	}
	return a
}

// value returns the price of a good in excellent condition on a day, in euros.
func (g *good) value(at time.Time) float64 {
	v := g.price * g.retained(at) * season(at, 0.02)
	if since := at.Sub(g.replaced).Hours() / 24 / 30; !g.replaced.IsZero() {
		v *= 1 - 0.11*smoothstep((since+1)/4)
	}
	return v
}

// retained returns the fraction of its price in anchors.csv that a good is worth.
func (g *good) retained(at time.Time) float64 {
	age, lens := g.age(at), g.gear.Category.Family() == models.FamilyLens
	switch {
	case g.course == "steady":
		return g.settled(at)
	case g.course == "rises" && (isFilm(g.gear) || g.launch.Year() < 2001):
		years := yearsBetween(risingBase, at)
		return 1 + 0.085*min(years, 2.5) + 0.02*max(0, years-2.5)
	case g.course == "rises":
		return 0.72 + 0.3*smoothstep((age-0.5)/3) - 0.015*max(0, age-5)
	case g.course == "holds":
		return 0.62 + 0.22*math.Exp(-0.3*age)
	case lens:
		return 0.33 + 0.45*math.Exp(-0.12*age)
	case g.gear.Category == "dslr":
		return 0.12 + 0.74*math.Exp(-0.18*age)
	default:
		return 0.16 + 0.72*math.Exp(-0.15*age)
	}
}

// settled returns the price factor of steady gear. What has been on the market for long
// has become a little dearer over the years; what is new was dearer still at launch.
func (g *good) settled(at time.Time) float64 {
	years := yearsBetween(at, steadyBase)
	if isFilm(g.gear) || g.launch.Year() < 2001 {
		return 1 - 0.025*min(years, 5)
	}
	decay := func(at time.Time) float64 { return 0.75 + 0.5*math.Exp(-0.35*g.age(at)) }
	return decay(at) / decay(steadyBase)
}

// yearsBetween returns the years from one time to another, negative if to is earlier.
func yearsBetween(from, to time.Time) float64 { return to.Sub(from).Hours() / 24 / 365.25 }

func smoothstep(x float64) float64 {
	x = min(max(x, 0), 1)
	return x * x * (3 - 2*x)
}

// premium is the price factor of each condition.
var premium = map[models.Condition]float64{
	models.ConditionNew: 1.17, models.ConditionLikeNew: 1.08, models.ConditionExcellent: 1,
	models.ConditionGood: 0.90, models.ConditionWellUsed: 0.78, models.ConditionHeavilyUsed: 0.61,
	models.ConditionFaulty: 0.36,
}

// sold returns a random sale price: most are near the value, a few far off.
func (m *market) sold(d dice, g *good, c models.Condition, at time.Time) models.Cents {
	price := g.value(at) * premium[c] * d.lognormal(0.07)
	switch {
	case d.chance(0.006):
		price *= d.between(0.5, 0.7)
	case d.chance(0.004):
		price *= d.between(1.4, 1.8)
	}
	return whole(price)
}

// asked returns a random asking price, from a bargain to an optimistic one.
func (m *market) asked(d dice, g *good, c models.Condition, at time.Time) models.Cents {
	price := g.value(at) * premium[c] * (1 + d.triangle(-0.15, 0.25))
	if d.chance(0.03) {
		price *= d.between(0.75, 0.9)
	}
	return askable(d, price)
}

// whole rounds an amount as buyers and sellers do.
func whole(euros float64) models.Cents {
	step := 1.0
	if euros >= 300 {
		step = 5
	}
	return models.Cents(max(5, math.Round(euros/step)*step) * 100)
}

// askable rounds an amount to a typical asking price, such as 449, 450 or 445.
func askable(d dice, euros float64) models.Cents {
	step := 5.0
	if euros >= 200 {
		step = 10
	}
	if euros >= 2000 {
		step = 50
	}
	price := max(step, math.Round(euros/step)*step)
	if d.chance(0.45) && price > 20 {
		price--
	}
	return models.Cents(price * 100)
}
