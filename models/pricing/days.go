package pricing

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Asked is a listing, sold or not.
type Asked struct {
	Gear  string // slug
	Grade int
	Day   int     // of its publication
	Price int64   // minor units, as asked last
	Days  float64 // until it sold or ended, or until today
	Sold  bool
}

// selling is a model of how fast listings sell: the rate of sales a day is constant
// for a listing, and its logarithm is linear in the logarithm of the asking price
// over the estimate, with an intercept for each kind.
type selling struct {
	kinds     map[string]float64 // intercepts
	all       float64
	steepness float64
}

// minSold is the number of sold listings that the model of selling times requires.
const minSold = 30

// LearnDays fits the model of selling times, by Poisson regression of sales on
// exposure with shrunk intercepts. Listings that have not sold count as such.
func (m *Model) LearnDays(listings []Asked) {
	m.selling = nil
	type row struct {
		kind       int
		x, exposed float64
		sold       float64
	}
	number, sold := map[string]int{}, 0.0
	var rows []row
	for _, l := range listings {
		e, ok := m.Estimate(l.Gear, l.Grade, l.Day)
		if !ok || l.Price <= 0 || !(l.Days >= 0) || math.IsInf(l.Days, 0) {
			continue
		}
		kind := m.catalog[l.Gear].Kind
		if _, known := number[kind]; !known {
			number[kind] = len(number)
		}
		r := row{number[kind], math.Log(float64(l.Price) / float64(e.Price)), max(l.Days, 0.5), one(l.Sold)}
		rows, sold = append(rows, r), sold+r.sold
	}
	if sold < minSold {
		return
	}
	// The coefficients are the intercept, the steepness and the kinds.
	n := 2 + len(number)
	beta := make([]float64, n)
	var exposed float64
	for _, r := range rows {
		exposed += r.exposed
	}
	beta[0] = math.Log(sold / exposed)
	for range 25 {
		a, b := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
		for j := range n {
			precision := 4.0 // spread of a half
			if j == 0 {
				precision = 1e-6
			} else if j == 1 {
				precision = 0.01
			}
			a.SetSym(j, j, precision)
			b.SetVec(j, -precision*beta[j])
		}
		b.SetVec(0, 0)
		for _, r := range rows {
			k := 2 + r.kind
			x := min(max(r.x, -2), 2)
			expected := r.exposed * math.Exp(min(beta[0]+beta[1]*x+beta[k], 5))
			at, v := [...]int{0, 1, k}, [...]float64{1, x, 1}
			for i, p := range at {
				b.SetVec(p, b.AtVec(p)+(r.sold-expected)*v[i])
				for j, q := range at {
					if q >= p {
						a.SetSym(p, q, a.At(p, q)+expected*v[i]*v[j])
					}
				}
			}
		}
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(a) || chol.SolveVecTo(&step, b) != nil {
			return
		}
		for j := range beta {
			beta[j] += min(max(step.AtVec(j), -1), 1)
		}
	}
	m.selling = &selling{kinds: map[string]float64{}, all: beta[0], steepness: min(beta[1], 0)}
	for _, kind := range slices.Sorted(maps.Keys(number)) {
		m.selling.kinds[kind] = beta[2+number[kind]]
	}
}

// Days returns the days until half of the listings at an asking price have sold, and
// false if too little is known.
func (m *Model) Days(slug string, grade, day int, price int64) (float64, bool) {
	e, ok := m.Estimate(slug, grade, day)
	if !ok || m.selling == nil || price <= 0 {
		return 0, false
	}
	s := m.selling
	x := min(max(math.Log(float64(price)/float64(e.Price)), -2), 2)
	return math.Ln2 / math.Exp(s.all+s.kinds[m.catalog[slug].Kind]+s.steepness*x), true
}
