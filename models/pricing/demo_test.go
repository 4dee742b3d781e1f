//go:build !race

package pricing_test

import (
	"hash/crc32"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/pricing"
)

var demoDay = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

// demoNoise is the standard deviation of the demonstration's prices around what
// they are made from. No range of 80 % of them can be narrower than demoWidth.
const (
	demoNoise = 0.07
	demoWidth = 2 * 1.2816 * demoNoise
)

// demoMarket returns the gear and the sales of the demonstration market.
func demoMarket(t testing.TB) ([]pricing.Gear, []pricing.Sale, int) {
	cat, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	var gear []pricing.Gear
	for _, g := range cat.All() {
		gear = append(gear, g.Priced())
	}
	var sales []pricing.Sale
	for _, s := range demo.Generate(cat, demo.Seed, demoDay).Sales {
		sales = append(sales, s.Priced())
	}
	return gear, sales, int(demoDay.Unix() / 86400)
}

// TestDemonstrationMarket predicts the last months of the demonstration market, of
// every fifth gear unless -months is 12.
func TestDemonstrationMarket(t *testing.T) {
	gear, sales, day := demoMarket(t)
	every := 5
	if *months >= 12 {
		every = 1
	}
	some := map[string]bool{}
	for _, g := range gear {
		some[g.Slug] = int(crc32.ChecksumIEEE([]byte(g.Slug)))%every == 0 // the same when the catalogue grows
	}
	gear = slices.DeleteFunc(gear, func(g pricing.Gear) bool { return !some[g.Slug] })
	sales = slices.DeleteFunc(sales, func(s pricing.Sale) bool { return !some[s.Gear] })
	start := time.Now()
	checks := pricing.Backtest(gear, sales, day, *months)
	t.Logf("%d sales of %d gear, %d months in %v", len(sales), len(gear), *months, time.Since(start))
	wantAccurate(t, checks, demoWidth, 1)
}

// BenchmarkFit measures the nightly fit and estimates of the demonstration market; the
// fit starts from the one of the day before.
func BenchmarkFit(b *testing.B) {
	gear, sales, day := demoMarket(b)
	previous := pricing.Fit(gear, sales, day-1, pricing.Options{}).Tuning()
	b.ReportAllocs()
	for b.Loop() {
		model := pricing.Fit(gear, sales, day, pricing.Options{Tuning: previous})
		for _, g := range gear {
			for grade := range pricing.Grades {
				model.Estimate(g.Slug, grade, day)
			}
		}
	}
}
