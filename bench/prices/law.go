package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/secondlight/secondlight/models/pricing"
)

// law describes how prices of a market come about.
type law struct {
	name    string
	film    float64 // weight of film and classic gear among what sells
	zipf    float64 // exponent of the popularity of gear
	rise    float64 // of film and classic gear in a year, as a logarithm
	noise   float64 // median over gear of the standard deviation of a price
	differ  float64 // by how much gear differ in it, as a logarithm
	freedom int     // degrees of freedom of the noise: few are fat tails

	replaced  float64 // share of digital gear that a successor makes cheaper, in the four years unless the catalogue has it
	hyped     float64 // share of gear that is sought after for some months
	dealers   float64 // share of sales by dealers, who get 13 % more
	unknown   float64 // share of sales of which a site doesn't know whether a dealer sold
	misgraded float64 // share of private sales in another grade than stated
	outliers  float64 // share of sales of parts, bundles, and prices with a typo
}

// laws are those of the markets that are generated. Sizes of effects follow what is known of
// used cameras: a fifth to a third lost in the first year, then 5 to 15 % a year; successors
// cost a model 5 to 16 % within weeks.
var laws = []law{
	{name: "collectors", film: 4, zipf: 0.6, rise: 0.05, noise: 0.11, differ: 0.4, freedom: 4, misgraded: 0.1, outliers: 0.01},
	{name: "launches", film: 0.4, zipf: 1, rise: 0.01, noise: 0.07, differ: 0.3, freedom: 5, replaced: 0.6, hyped: 0.05, outliers: 0.01},
	{name: "dealers", film: 1, zipf: 0.9, rise: 0.02, noise: 0.08, differ: 0.35, freedom: 5, replaced: 0.4, hyped: 0.02, dealers: 0.4, misgraded: 0.24, outliers: 0.025},
}

// marketYears is the time before the day of a market in which its sales are, testDays that after it.
const (
	marketYears = 4
	testDays    = 60
	daysPerYear = 365.25
)

// sale is a sale with what the reader of a market may not know.
type sale struct {
	pricing.Sale
	dealer bool
	truth  float64 // logarithm of the median of such sales, in minor units; 0 if unknown
}

// market is gear and its sales, of which those from day on are predicted.
type market struct {
	gear  []pricing.Gear
	sales []sale
	day   int
	truth func(gear string, when int) float64 // logarithm of the price of a gear on a day; nil if unknown
}

// model is the course of a gear's price.
type model struct {
	*pricing.Gear
	base, noise     float64
	wander          []float64 // by month
	grades          [pricing.Grades]float64
	launch          int
	replaced, weeks int
	cut             float64
	hyped           int
	hype            float64
}

// newMarket returns a market with about n sales before a day, and those of some days after it.
func newMarket(l *law, catalog []pricing.Gear, day, after, n int, seed uint64) *market {
	random := rand.New(rand.NewPCG(seed, 11))
	m := &market{gear: catalog, day: day}
	var models []*model
	var shares []float64
	total := 0.0
	for rank, i := range random.Perm(len(catalog)) {
		g := l.model(random, &catalog[i], day)
		share := math.Pow(float64(rank+3), -l.zipf)
		if classic(g.Gear) {
			share *= l.film
		}
		if g.launch >= day {
			continue
		}
		total += share
		models, shares = append(models, g), append(shares, total)
	}
	launches := map[string]int{}
	for _, g := range models {
		launches[g.Slug] = g.launch
	}
	shocks := map[string][]float64{}
	for _, g := range models {
		if launch, known := launches[g.Successor]; known && g.cut > 0 {
			g.replaced = launch
		}
		if shocks[g.Kind] == nil {
			shocks[g.Kind] = walk(random, 0.008)
		}
	}
	n += n * after / (marketYears * 365)
	for len(m.sales) < n {
		at, _ := slices.BinarySearch(shares, total*random.Float64())
		g := models[min(at, len(models)-1)]
		when := day + after - 1 - random.IntN(marketYears*365+after)
		if when < g.launch+30 {
			continue
		}
		m.sales = append(m.sales, l.sale(random, g, shocks[g.Kind], when, day))
	}
	slices.SortStableFunc(m.sales, func(a, b sale) int { return a.Day - b.Day })
	courses := map[string]*model{}
	for _, g := range models {
		courses[g.Slug] = g
	}
	m.truth = func(gear string, when int) float64 {
		return l.log(courses[gear], shocks[courses[gear].Kind], when, day)
	}
	return m
}

// classic reports whether gear is of film or older than digital cameras.
func classic(g *pricing.Gear) bool { return g.Year > 0 && g.Year < 1998 }

// model draws the course of a gear's price.
func (l *law) model(random *rand.Rand, g *pricing.Gear, day int) *model {
	m := &model{Gear: g, launch: day - 8*365, noise: l.noise * math.Exp(l.differ*random.NormFloat64()), wander: walk(random, 0.012)}
	if g.Year > 0 {
		m.launch = int((float64(g.Year-1970) + random.Float64()) * daysPerYear)
	}
	switch {
	case g.LaunchPrice > 0:
		m.base = math.Log(100*g.LaunchPrice) - 0.05 + 0.2*random.NormFloat64()
	default:
		m.base = math.Log(100*250) + 0.7*random.NormFloat64()
	}
	for grade, effect := range [pricing.Grades]float64{0.13, 0.07, 0, -0.09, -0.2, -0.38, -0.85} {
		m.grades[grade] = effect * (1 + 0.15*random.NormFloat64())
	}
	if !classic(g) && random.Float64() < l.replaced {
		m.replaced, m.weeks, m.cut = day-random.IntN(marketYears*365), 2+random.IntN(6), 0.05+0.11*random.Float64()
	}
	if random.Float64() < l.hyped {
		m.hyped, m.hype = day-random.IntN(marketYears*365), 0.15+0.25*random.Float64()
	}
	return m
}

// walk returns a random walk by month.
func walk(random *rand.Rand, step float64) []float64 {
	list := make([]float64, marketYears*12+8)
	for i := 1; i < len(list); i++ {
		list[i] = list[i-1] + step*random.NormFloat64()
	}
	return list
}

// log returns the logarithm of the price of a gear in the best-sold grade on a day.
func (l *law) log(m *model, shock []float64, when, day int) float64 {
	month := min(max(0, (when-day+marketYears*365)/31), len(shock)-1)
	log := m.base + m.wander[month] + shock[month] + 0.012*math.Sin(2*math.Pi*float64(when)/daysPerYear)
	age := max(0, float64(when-m.launch)/daysPerYear)
	if classic(m.Gear) {
		log += -0.5 + l.rise*float64(when-day)/daysPerYear
	} else {
		log -= 0.22*min(age, 1) + 0.09*min(max(age-1, 0), 9) + 0.02*max(age-10, 0)
	}
	if m.cut > 0 {
		log -= m.cut * min(1, max(0, float64(when-m.replaced)/float64(7*m.weeks)))
	}
	if m.hype > 0 {
		since := float64(when - m.hyped)
		log += m.hype * max(0, min(since/120, 1-(since-120)/300))
	}
	return log
}

// sale draws a sale of a gear on a day.
func (l *law) sale(random *rand.Rand, m *model, shock []float64, when, day int) sale {
	grade := []int{0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6}[random.IntN(15)]
	dealer := random.Float64() < l.dealers
	truth := l.log(m, shock, when, day) + m.grades[grade]
	stated := grade
	if !dealer && random.Float64() < l.misgraded {
		stated = min(max(0, grade+1-2*random.IntN(2)), pricing.Grades-1)
		truth = l.log(m, shock, when, day) + m.grades[stated]
	}
	noise := m.noise * []float64{1, 1, 1, 1, 1.1, 1.35, 2.2}[grade]
	if truth < math.Log(100*60) {
		noise *= 1.5
	}
	log := l.log(m, shock, when, day) + m.grades[grade] + noise*student(random, l.freedom)
	if dealer {
		log += math.Log(1.13)
	}
	if random.Float64() < l.outliers {
		log += []float64{-1.5, -0.7, 0.5, 0.9, math.Log(10)}[random.IntN(5)]
	}
	s := sale{Sale: pricing.Sale{Gear: m.Slug, Grade: stated, Day: when, Price: int64(math.Round(math.Exp(log)))}, dealer: dealer, truth: truth}
	switch {
	case l.dealers > 0 && random.Float64() < l.unknown:
		s.Traits = []string{pricing.UnknownSeller}
	case dealer:
		s.Traits = []string{pricing.DealerTrait}
	}
	return s
}

// student returns a number from Student's t-distribution with unit scale.
func student(random *rand.Rand, freedom int) float64 {
	var sum float64
	for range freedom {
		z := random.NormFloat64()
		sum += z * z
	}
	return random.NormFloat64() / math.Sqrt(sum/float64(freedom))
}
