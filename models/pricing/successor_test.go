package pricing_test

import (
	"math"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestSuccessor lets the price of gear fall by 10 % in the three months after its successor comes out. What
// earlier successors cost is expected of the next ones, before anything sells for less, and the range is wider.
func TestSuccessor(t *testing.T) {
	const drop, every = 0.1, 10
	m := newMarket(1, 120, 12_000)
	day := func(i int) int { return m.day - 45 - 80*(i%every) }
	numbers := map[string]int{}
	gear, sales := slices.Clone(m.gear), []pricing.Sale{}
	var calm []pricing.Sale // without the drop
	for i := range m.gear {
		gear[i].Successor = "next/" + gear[i].Slug
		gear = append(gear, pricing.Gear{Slug: gear[i].Successor, Name: "Next", Brand: gear[i].Brand, Kind: gear[i].Kind, Family: gear[i].Family, Year: 1970 + int(float64(day(i))/365.25)})
		numbers[gear[i].Slug] = i
		for j := range 3 {
			sales = append(sales, pricing.Sale{Gear: gear[i].Successor, Grade: 2, Day: day(i) + j, Price: 100_000})
		}
	}
	for _, s := range m.sales {
		i := numbers[s.Gear]
		since := float64(s.Day-day(i)) / 90
		if since >= 0 && i%every == 0 {
			continue // nothing of the last ones
		}
		calm = append(calm, s)
		s.Price = int64(float64(s.Price) * math.Exp(-drop*min(max(since, 0), 1)))
		sales = append(sales, s)
	}
	with, without := pricing.Fit(gear, sales, m.day, pricing.Options{}), pricing.Fit(m.gear, calm, m.day, pricing.Options{})
	change, wider, n := 0.0, 0.0, 0.0
	for i := 0; i < len(m.gear); i += every {
		is, ok := with.Estimate(m.gear[i].Slug, 2, m.day)
		was, ok2 := without.Estimate(m.gear[i].Slug, 2, m.day)
		if ok && ok2 {
			change += math.Log(float64(is.Price) / float64(was.Price))
			wider += math.Log(ratio(is.Most) / ratio(was.Most))
			n++
		}
	}
	if change /= n; n < 8 || change > -0.6*drop/2 || change < -1.4*drop/2 || wider < 0 {
		t.Errorf("half way, %.1f %% of a drop of %.0f %% is expected of %.0f gear, and ranges are wider by %.1f %%", 100*change, 100*drop, n, 100*wider/n)
	}
}
