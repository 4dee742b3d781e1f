package pricing

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// fitTraits estimates by how much sales with a trait differ from those of the same gear in the
// same quarter, given the effects of grades, by backfitting (Buja, Hastie and Tibshirani 1989).
// An effect is shrunk to that of a prior, and outliers have less weight, by Huber's function.
// Sales are in order of gear and day.
func fitTraits(sales []Sale, e *effects, prior map[string]float64) map[string]float64 {
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
		for _, i := range with[t] {
			residuals[i] -= prior[t]
		}
	}
	shrinkage := e.Noise * e.Noise / (traitSpread * traitSpread)
	for range 10 {
		centre(sales, residuals)
		for _, t := range names {
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
	balance(len(sales), names, with, effect)
	return effect
}

// balance shifts the effects of a class of traits, the first word of their names, of which
// nearly every sale has one, so that their mean over all sales is 0: how much of it belongs to
// the level of the gear can't be known. Estimates are then for a sale in the usual region.
func balance(sales int, names []string, with map[string][]int, effect map[string]float64) {
	class := func(trait string) string { before, _, _ := strings.Cut(trait, " "); return before }
	count, sum := map[string]int{}, map[string]float64{}
	for _, t := range names {
		count[class(t)] += len(with[t])
		sum[class(t)] += float64(len(with[t])) * effect[t]
	}
	for _, t := range names {
		if n := count[class(t)]; 10*n >= 9*sales {
			effect[t] -= sum[class(t)] / float64(n)
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
