package pricing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestChange lets the price of gear fall by 12 %. After two months an estimate follows sales that
// are vouched for and those of members who don't know each other, but not those of four pairs.
func TestChange(t *testing.T) {
	m := newMarket(2, 150, 12_000)
	fitted := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	count := map[string]int{}
	for _, s := range m.sales {
		if s.Day >= m.day-365 {
			count[s.Gear]++
		}
	}
	for _, of := range []struct {
		name      string
		sales     int // in the two months
		low, high float64
		member    func(i int) string
	}{
		{"vouched for", 16, 0.6, 1.2, func(int) string { return "" }},
		{"of members", 24, 0.5, 1.2, func(i int) string { return fmt.Sprint("member ", i) }},
		{"of four pairs", 24, -0.2, 0.4, func(i int) string { return fmt.Sprint("pair ", i/2%4) }},
	} {
		sum, n := 0.0, 0.0
		random := rand.New(rand.NewPCG(1, 1))
		for _, g := range m.gear {
			before, ok := fitted.Estimate(g.Slug, 2, m.day)
			if !ok || count[g.Slug] < 20 {
				continue
			}
			model := fitted.Known(g.Slug)
			for i := range of.sales {
				price := 0.88 * float64(before.Price) * math.Exp(0.06*random.NormFloat64())
				model.Update(pricing.Sale{Gear: g.Slug, Grade: 2, Day: m.day + i*60/of.sales, Price: int64(price), Seller: of.member(2 * i), Buyer: of.member(2*i + 1)})
			}
			after, _ := model.Estimate(g.Slug, 2, m.day+60)
			still, _ := fitted.Estimate(g.Slug, 2, m.day+60)
			sum, n = sum+math.Log(float64(after.Price)/float64(still.Price))/math.Log(0.88), n+1
		}
		if share := sum / n; n < 20 || share < of.low || share > of.high {
			t.Errorf("sales %s: %.0f %% of a drop is in the estimates of %.0f gear", of.name, 100*share, n)
		} else {
			t.Logf("sales %s: %.0f %% of a drop is in the estimates of %.0f gear", of.name, 100*share, n)
		}
	}
}
