package pricing_test

import (
	"math"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestSample compares a fit to a sample of many sales with a fit to all of them.
func TestSample(t *testing.T) {
	m := newMarket(1, 60, 60_000)
	slices.SortStableFunc(m.sales, func(a, b pricing.Sale) int {
		if a.Gear != b.Gear {
			return map[bool]int{true: -1, false: 1}[a.Gear < b.Gear]
		}
		return a.Day - b.Day
	})
	sample := pricing.NewSample(m.day)
	sold := map[string]int{}
	for _, s := range m.sales {
		sold[s.Gear]++
		sample.Add(s)
	}
	sample.Add(pricing.Sale{Gear: "gear-000", Grade: 2, Day: m.day, Price: 1}) // today
	sample.Add(pricing.Sale{Gear: "gear-000", Grade: 9, Day: 1, Price: 1})
	sample.Finish()
	chosen := map[string]int{}
	for _, s := range sample.Sales {
		chosen[s.Gear]++
	}
	for gear, n := range sold {
		if c := sample.Counts[gear]; c.Sales != n || chosen[gear] != min(n, 1000) {
			t.Errorf("%s: %d of %d sales are chosen, counted are %+v", gear, chosen[gear], n, c)
		}
	}
	options := pricing.Options{Counts: sample.Counts}
	all, some := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{}), pricing.Fit(m.gear, sample.Sales, m.day, options)
	if all.Sales() != some.Sales() {
		t.Errorf("fitted to %d and %d sales", all.Sales(), some.Sales())
	}
	for gear := range sold {
		a, ok := all.Estimate(gear, 2, m.day)
		b, also := some.Estimate(gear, 2, m.day)
		if ok != also || a.Sales != b.Sales || a.SameGrade != b.SameGrade || a.FirstDay != b.FirstDay || a.LastDay != b.LastDay || ok && math.Abs(float64(a.Price)/float64(b.Price)-1) > 0.03 {
			t.Errorf("%s: %+v from all sales, %+v from the sample", gear, a, b)
		}
	}
}
