package pricing

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// The traits of a sale by who sold it. A sale without any is by a private seller: estimates are for
// those. Unknown sellers are a mix.
const (
	SellerClass   = "seller"
	DealerTrait   = "seller dealer"
	UnknownSeller = "seller unknown"
)

// fitTraits estimates the effects of traits, given the effects of grades, and what sales say about
// each. Those of sellers are estimated first, from the sales that the operators vouch for alone:
// otherwise members could decide what dealers get. Sales are in order of gear and day.
func (e *effects) fitTraits(sales []Sale, prior map[string]float64) {
	e.Known = information(sales)
	e.Traits = backfit(sales, e, prior, e.fitSellers(sales, prior))
}

// fitSellers returns the effects of the sellers of sales, and corrects what is known about them: what
// dealers get is known from dealers beside private sellers.
func (e *effects) fitSellers(sales []Sale, prior map[string]float64) map[string]float64 {
	sellers := map[string]float64{}
	for _, t := range []string{DealerTrait, UnknownSeller} {
		if _, sold := e.Known[t]; sold {
			sellers[t] = prior[t]
		}
	}
	if len(sellers) == 0 {
		return nil
	}
	vouched := vouchedFor(sales)
	compared := information(vouched)
	var learned map[string]float64
	if compared[DealerTrait]+compared[UnknownSeller] > 0 {
		learned = backfit(vouched, e, prior, nil)
	}
	known := information(slices.DeleteFunc(vouched, func(s Sale) bool { return slices.Contains(s.Traits, UnknownSeller) }))
	for t := range sellers {
		if e.Known[t] = known[t]; compared[t] > 0 {
			sellers[t] = learned[t]
		}
	}
	return sellers
}

// vouchedFor returns the sales that the operators vouch for.
func vouchedFor(sales []Sale) (vouched []Sale) {
	for i := range sales {
		if sales[i].Seller == "" && sales[i].Buyer == "" {
			vouched = append(vouched, sales[i])
		}
	}
	return vouched
}

// backfit estimates by how much sales with a trait differ from those of the same gear in the
// same quarter, by backfitting (Buja, Hastie and Tibshirani 1989). An effect is shrunk to that of a
// prior, and outliers have less weight, by Huber's function. Effects that are fixed stay.
func backfit(sales []Sale, e *effects, prior, fixed map[string]float64) map[string]float64 {
	with := map[string][]int{} // sales with the trait
	for i := range sales {
		for _, t := range sales[i].Traits {
			with[t] = append(with[t], i)
		}
	}
	if len(with) == 0 {
		return prior
	}
	names := slices.Sorted(maps.Keys(with)) // in order, for the same rounding every time
	effect := make(map[string]float64, len(with))
	residuals := make([]float64, len(sales))
	for i := range sales {
		residuals[i] = math.Log(float64(sales[i].Price)) - e.Grade[sales[i].Grade]
	}
	for _, t := range names {
		effect[t] = prior[t]
		if fixed, ok := fixed[t]; ok {
			effect[t] = fixed
		}
		for _, i := range with[t] {
			residuals[i] -= effect[t]
		}
	}
	shrinkage := e.Noise * e.Noise / (traitSpread * traitSpread)
	for range 10 {
		centre(sales, residuals)
		for _, t := range names {
			if _, ok := fixed[t]; ok {
				continue
			}
			var sum, weight float64
			for _, i := range with[t] {
				r := residuals[i] + effect[t]
				w := min(1, 1.345*e.Noise/max(math.Abs(residuals[i]), 1e-12))
				sum, weight = sum+w*(r-prior[t]), weight+w
			}
			next := prior[t] + sum/(weight+shrinkage)
			for _, i := range with[t] {
				residuals[i] += effect[t] - next
			}
			effect[t] = next
		}
	}
	balance(sales, names, with, effect)
	maps.Copy(effect, fixed)
	return effect
}

// information returns what sales say about the effect of each trait, as a number of sales that
// are compared with what is known exactly: k with the trait and n−k without it, of the same gear
// in the same quarter, are worth k(n−k)/n. Sales are in order of gear and day.
func information(sales []Sale) map[string]float64 {
	known, with := map[string]float64{}, map[string]int{}
	for same := range runs(sales, sameQuarter) {
		clear(with)
		for i := range same {
			for _, t := range same[i].Traits {
				with[t]++
			}
		}
		for t, k := range with {
			known[t] += float64(k) * float64(len(same)-k) / float64(len(same))
		}
	}
	return known
}

// minKnown is the information from which the effect of a trait in a kind is known: its error is
// then a third of the noise of a price at most, so that the ranges of estimates with it hold
// about as many sales as those without.
const minKnown = 10

// Effects returns by kind the known effects on the logarithm of a price of the traits of one
// class, the first word of their names.
func (m *Model) Effects(class string) map[string]map[string]float64 {
	effects := map[string]map[string]float64{}
	for kind, e := range m.pool.kinds {
		for t, effect := range e.Traits {
			if classOf(t) != class || e.Known[t] < minKnown {
				continue
			}
			if effects[kind] == nil {
				effects[kind] = map[string]float64{}
			}
			effects[kind][t] = effect
		}
	}
	return effects
}

// classOf returns the class of a trait, the first word of its name.
func classOf(trait string) string {
	class, _, _ := strings.Cut(trait, " ")
	return class
}

// balance shifts the effects of a class of traits so that their mean over all sales is 0, if
// nearly every sale has one trait of the class and none has several: such effects can't be
// told from the level of the gear. Those of sellers are compared with private ones instead. The class is the first word of the names. Estimates are
// then for a sale in the usual region.
func balance(sales []Sale, names []string, with map[string][]int, effect map[string]float64) {
	several := map[string]bool{}
	for i := range sales {
		for k, t := range sales[i].Traits {
			class := classOf(t)
			if slices.ContainsFunc(sales[i].Traits[:k], func(other string) bool { return classOf(other) == class }) {
				several[class] = true
			}
		}
	}
	count, sum := map[string]int{}, map[string]float64{}
	for _, t := range names {
		count[classOf(t)] += len(with[t])
		sum[classOf(t)] += float64(len(with[t])) * effect[t]
	}
	for _, t := range names {
		class := classOf(t)
		if n := count[class]; class != SellerClass && !several[class] && 10*n >= 9*len(sales) {
			effect[t] -= sum[class] / float64(n)
		}
	}
}

// centre subtracts the mean of each gear in each quarter.
func centre(sales []Sale, residuals []float64) {
	from := 0
	for same := range runs(sales, sameQuarter) {
		var sum float64
		for _, r := range residuals[from : from+len(same)] {
			sum += r
		}
		for i := range same {
			residuals[from+i] -= sum / float64(len(same))
		}
		from += len(same)
	}
}
