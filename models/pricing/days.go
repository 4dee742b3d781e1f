package pricing

import "math"

// Asked is a listing at one of its prices, sold or not.
type Asked struct {
	Gear  string // slug
	Grade int
	Day   int     // from which it asked the price
	Price int64   // minor units
	Days  float64 // until it sold, ended or asked another price, or until today
	Sold  bool
}

// Selling is a model of how fast listings sell: the rate of sales a day is constant
// for a listing, and its logarithm is linear in the logarithm of the asking price
// over the estimate, with an intercept for each kind.
type Selling struct {
	All       float64            `json:"all"`       // intercept
	Kinds     map[string]float64 `json:"kinds"`     // what is added to it
	Steepness float64            `json:"steepness"` // less than 0
}

const (
	minSold = 30  // sold listings that the model of selling times requires
	maxDays = 365 // for which listings are observed: longer times would be invented
	clearly = 3   // standard errors by which dearer listings have to sell slower
	maxOver = 2   // of the logarithm of an asking price over the estimate
)

// over returns the logarithm of an asking price over an estimate.
func over(price, estimate int64) float64 {
	return min(max(math.Log(float64(price)/float64(estimate)), -maxOver), maxOver)
}

// LearnDays fits a model of selling times, by Poisson regression of sales on exposure with
// shrunk intercepts. Listings that have not sold count as such. It returns nil if too few have
// sold, or if it is not clear that those that ask more sell slower: then nothing can be said about
// an asking price.
func (m *Model) LearnDays(listings []Asked) *Selling {
	type row struct {
		kind       int
		x, exposed float64
		sold       float64
	}
	number, sold := map[string]int{}, 0.0
	var rows []row
	for _, l := range listings {
		price, ok := m.pastPrice(l.Gear, l.Grade, l.Day)
		if !ok || l.Price <= 0 || !(l.Days >= 0) || math.IsInf(l.Days, 0) {
			continue
		}
		kind := m.catalog[l.Gear].Kind
		if _, known := number[kind]; !known {
			number[kind] = len(number)
		}
		r := row{number[kind], over(l.Price, price), max(l.Days, 0.5), one(l.Sold)}
		rows, sold = append(rows, r), sold+r.sold
	}
	if sold < minSold {
		return nil
	}
	// The coefficients are the intercept, the steepness and the kinds.
	n := 2 + len(number)
	beta := make([]float64, n)
	var exposed float64
	for _, r := range rows {
		exposed += r.exposed
	}
	beta[0] = math.Log(sold / exposed)
	var spread float64 // standard error of the steepness
	for range 25 {
		a, b := newTriangle(n), make([]float64, n)
		for j := range n {
			precision := 4.0 // spread of a half
			if j == 0 {
				precision = 1e-6
			} else if j == 1 {
				precision = 0.01
			}
			a.row(j)[j] = precision
			b[j] = -precision * beta[j]
		}
		b[0] = 0
		for _, r := range rows {
			k := 2 + r.kind
			expected := r.exposed * math.Exp(min(beta[0]+beta[1]*r.x+beta[k], 5))
			at, v := [...]int{0, 1, k}, [...]float64{1, r.x, 1}
			for i, p := range at {
				b[p] += (r.sold - expected) * v[i]
				for j, q := range at {
					if q <= p {
						a.row(p)[q] += expected * v[i] * v[j]
					}
				}
			}
		}
		if !a.factorize() {
			return nil
		}
		spread = math.Sqrt(a.inverseDiagonal()[1])
		for j, step := range a.solve(b) {
			beta[j] += min(max(step, -1), 1)
		}
	}
	if beta[1] > -clearly*spread {
		return nil
	}
	s := &Selling{All: beta[0], Kinds: map[string]float64{}, Steepness: beta[1]}
	for kind, n := range number {
		s.Kinds[kind] = beta[2+n]
	}
	return s
}

// pastPrice returns what a gear sold for in a grade on a day. Before its last sale, where a state
// doesn't go back to, the course and the season of its kind say by how much that was more.
func (m *Model) pastPrice(slug string, grade, day int) (int64, bool) {
	e, ok := m.Estimate(slug, grade, day)
	if s := m.states[slug]; ok && s != nil && day < s.Day {
		c := m.setting(m.catalog[slug])
		e.Price = cents(math.Log(float64(e.Price)) + c.course(c.gear, day) - c.course(c.gear, s.Day) + c.season(day) - c.season(s.Day))
	}
	return e.Price, ok && e.Price > 0
}

// Days returns the days until half of the listings of gear of a kind have sold at an asking
// price, at least one, given the estimate in their grade. It returns false if that is unknown or
// longer than listings are observed.
func (s *Selling) Days(kind string, price, estimate int64) (days int, ok bool) {
	if s == nil || price <= 0 || estimate <= 0 {
		return 0, false
	}
	median := math.Ln2 / math.Exp(s.All+s.Kinds[kind]+s.Steepness*over(price, estimate))
	return int(max(1, math.Round(median))), median <= maxDays
}
