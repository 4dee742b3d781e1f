package pricing_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestBasis estimates the prices of each gear again from the basis of a fit, after it was
// written as JSON: they are the same, and a sale of the day of the fit moves them.
func TestBasis(t *testing.T) {
	m := newMarket(3, 40, 4000)
	fitted := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	text, err := json.Marshal(fitted.Basis())
	if err != nil {
		t.Fatal(err)
	}
	var basis pricing.Basis
	if err := json.Unmarshal(text, &basis); err != nil {
		t.Fatal(err)
	}
	stated := 0
	for _, g := range m.gear {
		sales := slices.DeleteFunc(slices.Clone(m.sales), func(s pricing.Sale) bool { return s.Gear != g.Slug })
		same := basis.Model(g, sales, nil)
		sale := pricing.Sale{Gear: g.Slug, Grade: 2, Day: m.day, Price: 1}
		late := sale
		late.Day++
		for grade := range pricing.Grades {
			want, ok := fitted.Estimate(g.Slug, grade, m.day)
			got, also := same.Estimate(g.Slug, grade, m.day)
			if ok != also || got != want {
				t.Errorf("%s in grade %d: %+v, fitted %+v", g.Slug, grade, got, want)
			}
			if !ok {
				continue
			}
			stated++
			sale.Price = want.Price * 9 / 10
			more := basis.Model(g, append(slices.Clone(sales), sale, late), nil)
			after, _ := more.Estimate(g.Slug, grade, m.day)
			if after.Sales != want.Sales+1 || after.Price >= want.Price && after.Borrowed < 0.9 && len(sales) < 50 && grade == 2 {
				t.Errorf("%s in grade %d after a cheap sale: %+v, before %+v", g.Slug, grade, after, want)
			}
			working, ok := more.Working(g.Slug, append(slices.Clone(sales), sale, late))
			if !ok || working.Grades[grade].Stated && working.Terms[0].Kind == "" {
				t.Errorf("%s has no working", g.Slug)
			}
		}
	}
	if stated < 100 {
		t.Errorf("%d estimates are stated", stated)
	}
}
