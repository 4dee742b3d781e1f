package pricing_test

import (
	"math"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestWorking recomputes the estimates of all gear of a market from their workings.
func TestWorking(t *testing.T) {
	m := newMarket(1, 80, 3000)
	model := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	byGear := map[string][]pricing.Sale{}
	for _, s := range m.sales {
		byGear[s.Gear] = append(byGear[s.Gear], s)
	}
	estimates := 0
	for _, g := range m.gear {
		w, ok := model.Working(g.Slug, byGear[g.Slug])
		for grade := range pricing.Grades {
			e, stated := model.Estimate(g.Slug, grade, m.day)
			if stated != (ok && w.Grades[grade].Stated) {
				t.Errorf("%s in grade %d is stated: %v", g.Slug, grade, stated)
			}
			if !stated {
				continue
			}
			estimates++
			f := w.Grades[grade]
			log, sum := f.Constant, 0.0
			for _, term := range w.Terms {
				log += term.Weights[grade] * (math.Log(term.Price) + term.Adjustment)
				sum += term.Weights[grade]
			}
			got := [5]int64{pricing.Cents(log), pricing.Cents(log + f.Low), pricing.Cents(log + f.HalfLow), pricing.Cents(log + f.HalfHigh), pricing.Cents(log + f.High)}
			if want := [5]int64{e.Price, e.Most.Low, e.Half.Low, e.Half.High, e.Most.High}; got != want || math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s in grade %d: got %v of weights that add up to %v, want %v", g.Slug, grade, got, sum, want)
			}
		}
	}
	if estimates < 300 {
		t.Errorf("only %d estimates", estimates)
	}
}
