package main

import (
	"fmt"
	"math"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// printIndex prints how many of the points of the price index have the true change of prices in
// their range of 80 %. The truth is a chain of months: how the true prices of gear changed from one
// to the next, weighed by its sales in both.
func printIndex(l *law, all *catalog.Catalog, n int, seed uint64) {
	day := int(marketDay.Unix() / 86400)
	m := newMarket(l, catalog.PricedGear(all.All()), day, 0, n, seed)
	b := prices.NewIndexBuilder(all.All(), models.TimeOf(marketDay))
	byGear := map[string][]*sale{}
	for i := range m.sales {
		byGear[m.sales[i].Gear] = append(byGear[m.sales[i].Gear], &m.sales[i])
	}
	sold := map[string]map[string]map[models.MonthKey]float64{} // by kind, gear and month
	for _, g := range all.All() {
		gear := map[models.MonthKey]float64{}
		for _, s := range byGear[g.Slug()] {
			at := models.TimeOf(time.Unix(int64(s.Day)*86400, 0))
			b.Add(&models.Sale{Gear: s.Gear, Condition: models.Conditions[s.Grade], Price: models.Cents(s.Price), SoldAt: at}, "")
			gear[models.MonthOf(at)]++
		}
		for _, kind := range []string{"", string(g.Category)} {
			if sold[kind] == nil {
				sold[kind] = map[string]map[models.MonthKey]float64{}
			}
			sold[kind][g.Slug()] = gear
		}
	}
	start := time.Now()
	x := b.Index(models.DayOf(day))
	fmt.Printf("%s, %d sales: index in %v\n", l.name, len(m.sales), time.Since(start).Round(time.Millisecond))
	held, points, squares := 0, 0, 0.0
	for _, series := range append([]prices.IndexSeries{x.All}, x.Kinds...) {
		in, rms, width := 0, 0.0, 0.0
		for _, p := range series.Points[min(1, len(series.Points)):] {
			truth := 100 * math.Exp(m.chain(sold[series.Name], series.Points[0].Month, p.Month))
			rms += (p.Value/truth - 1) * (p.Value/truth - 1)
			width += (p.High - p.Low) / p.Value
			if truth >= p.Low && truth <= p.High {
				in++
			}
		}
		n := max(1, len(series.Points)-1)
		fmt.Printf("  %-16s %4d points, %3.0f %% in range, off by %4.1f %%, width %4.1f %%\n", series.Name, n, 100*float64(in)/float64(n), 100*math.Sqrt(rms/float64(n)), 100*width/float64(n))
		held, points, squares = held+in, points+n, squares+rms
	}
	fmt.Printf("  %-16s %4d points, %3.0f %% in range, off by %4.1f %%\n", "all series", points, 100*float64(held)/float64(points), 100*math.Sqrt(squares/float64(points)))
}

// chain returns the true change of the logarithm of prices between the middles of two months.
func (m *market) chain(sold map[string]map[models.MonthKey]float64, from, to models.MonthKey) (change float64) {
	middle := func(month models.MonthKey) int {
		return int(time.Date(int(month/12), time.Month(month%12+1), 15, 0, 0, 0, 0, time.UTC).Unix() / 86400)
	}
	for month := from; month < to; month++ {
		sum, weight := 0.0, 0.0
		for gear, sales := range sold {
			if a, b := sales[month], sales[month+1]; a > 0 && b > 0 {
				sum += (a + b) * (m.truth(gear, middle(month+1)) - m.truth(gear, middle(month)))
				weight += a + b
			}
		}
		change += sum / max(weight, 1)
	}
	return change
}
