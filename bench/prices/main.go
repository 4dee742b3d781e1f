// Command prices measures what the nightly fit of price estimates costs on a site with many
// sales: the time in which the sales are read, sampled and fitted, the memory of the process,
// and one update by a sale.
//
//	go run ./bench/prices -sales 100000000
//
// The sales are generated while they are read, in order of gear and time as a database returns
// them: of all gear of the catalogue, by popularity (Zipf), over ten years, with noise of 7 %.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
)

const (
	years   = 10
	noise   = 0.07
	updates = 100_000
)

func main() {
	sales := flag.Int("sales", 100_000_000, "number of sales")
	flag.Parse()
	if err := run(*sales); err != nil {
		fmt.Fprintln(os.Stderr, "prices:", err)
		os.Exit(1)
	}
}

func run(n int) error {
	gears, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	gear := catalog.PricedGear(gears.All())
	today := models.DayNumber(time.Now())
	m := &market{random: rand.New(rand.NewPCG(1, 2)), today: today}

	began := time.Now()
	sample := pricing.NewSample(today)
	m.sell(gear, n, sample.Add)
	sample.Finish()
	fmt.Printf("%s, %d processors\n", runtime.Version(), runtime.GOMAXPROCS(0))
	fmt.Printf("generated and sampled %d sales of %d gear in %.1f s: %d are chosen\n", m.sold, len(sample.Counts), time.Since(began).Seconds(), len(sample.Sales))

	began = time.Now()
	model := pricing.Fit(gear, sample.Sales, today, pricing.Options{Counts: sample.Counts})
	first := time.Since(began)
	began = time.Now()
	model = pricing.Fit(gear, sample.Sales, today, pricing.Options{Counts: sample.Counts, Tuning: model.Tuning()})
	fmt.Printf("fitted in %.1f s, and from the hyperparameters of the last fit in %.1f s\n", first.Seconds(), time.Since(began).Seconds())

	began = time.Now()
	estimates := prices.EstimatesOf(model, gears.All())
	fmt.Printf("%d estimates with forecasts in %.1f s\n", len(estimates), time.Since(began).Seconds())

	times := make([]time.Duration, updates)
	for i := range times {
		sale := sample.Sales[m.random.IntN(len(sample.Sales))]
		sale.Day = today
		began := time.Now()
		model.Update(sale)
		model.Estimate(sale.Gear, sale.Grade, today)
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	fmt.Printf("one sale and the estimate after it: median %v, 99th percentile %v\n", times[updates/2], times[updates*99/100])
	fmt.Printf("most memory: %s\n", peak())
	return nil
}

// market generates sales.
type market struct {
	random *rand.Rand
	today  int
	sold   int
}

// sell calls add for about n sales, in order of gear and day.
func (m *market) sell(gear []pricing.Gear, n int, add func(pricing.Sale)) {
	var total float64
	for i := range gear {
		total += share(i)
	}
	for i := range gear {
		count := int(math.Ceil(share(i) / total * float64(n)))
		base := 11 + 0.7*m.random.NormFloat64()
		drift := -0.08 + 0.03*m.random.NormFloat64()
		for k := range count {
			age := years * (1 - float64(k)/float64(count))
			grade := m.random.IntN(pricing.Grades)
			log := base + drift*(years-age) - 0.07*float64(grade) + noise*m.random.NormFloat64()
			sale := pricing.Sale{Gear: gear[i].Slug, Grade: grade, Day: m.today - 1 - int(365*age), Price: int64(math.Exp(log))}
			if k%4 == 0 { // sold here, by members
				sale.Seller, sale.Buyer = member(m.random.IntN(n)), member(m.random.IntN(n))
			}
			add(sale)
			m.sold++
		}
	}
}

// share is the share of a gear in the sales, up to a factor.
func share(rank int) float64 { return 1 / math.Pow(float64(rank+10), 0.8) }

// member returns an id of the length of a UUID.
func member(n int) string { return fmt.Sprintf("%036d", n) }

// peak returns the greatest resident memory of the process, on Linux.
func peak() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
