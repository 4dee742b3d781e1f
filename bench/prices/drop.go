package main

import (
	"fmt"
	"math"

	"github.com/secondlight/secondlight/models/pricing"
)

// A drop is a change of all prices in dropDays, of which estimates that are updated by each sale
// have to hold as much as possible after checkedDays.
const (
	dropSize = 0.12
	dropDays = 30
	dropTest = 180
)

var (
	checkedDays = []int{30, 60, 90, 120, 180}
	salesAYear  = []int{6, 12, 25, 50}
)

// printDrop prints which share of a drop of 12 % is in the estimates of gear that sells often.
func printDrop(l *law, catalog []pricing.Gear, day, n int, seed uint64) {
	calm := *l
	calm.replaced, calm.hyped = 0, 0
	m := newMarket(&calm, catalog, day, dropTest, n, seed)
	known := m.some(n, seed)
	tuning := pricing.Fit(catalog, known, day, pricing.Options{}).Tuning()
	without, with := pricing.Fit(catalog, known, day, pricing.Options{Tuning: tuning}), pricing.Fit(catalog, known, day, pricing.Options{Tuning: tuning})
	count := map[string]int{}
	for i := range m.sales {
		if s := &m.sales[i]; s.Day >= day-365 && s.Day < day {
			count[s.Gear]++
		}
	}
	shares := map[[2]int][]float64{} // by sales a year and days
	next := 0
	for i := range m.sales {
		s := m.sales[i].Sale
		if s.Day < day {
			continue
		}
		for next < len(checkedDays) && s.Day >= day+checkedDays[next] {
			addShares(shares, count, with, without, checkedDays[next], day)
			next++
		}
		without.Update(s)
		s.Price = int64(math.Round(float64(s.Price) * (1 - dropSize*min(1, float64(s.Day-day)/dropDays))))
		with.Update(s)
	}
	for ; next < len(checkedDays); next++ {
		addShares(shares, count, with, without, checkedDays[next], day)
	}
	fmt.Printf("%s: share of a drop of %.0f %% in %d days that is in the estimates\n%-14s", l.name, 100*dropSize, dropDays, "sales a year")
	for _, days := range checkedDays {
		fmt.Printf("%9d d", days)
	}
	fmt.Println()
	for class, least := range salesAYear {
		fmt.Printf("%5d or more ", least)
		for _, days := range checkedDays {
			list := shares[[2]int{class, days}]
			fmt.Printf("%9.0f %%", 100*medianOf(list))
		}
		fmt.Println(" of", len(shares[[2]int{class, checkedDays[0]}]), "models")
	}
}

// addShares adds the shares of the drop that are in the estimates of each gear some days after it.
func addShares(shares map[[2]int][]float64, count map[string]int, with, without *pricing.Model, days, day int) {
	for slug, n := range count {
		class := -1
		for i, least := range salesAYear {
			if n >= least {
				class = i
			}
		}
		if class < 0 {
			continue
		}
		a, ok := with.Estimate(slug, 2, day+days)
		b, known := without.Estimate(slug, 2, day+days)
		if ok && known {
			id := [2]int{class, days}
			shares[id] = append(shares[id], math.Log(float64(a.Price)/float64(b.Price))/math.Log(1-dropSize))
		}
	}
}
