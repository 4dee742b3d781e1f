package prices

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

var depreciationDay = models.TimeOf(time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC))

// knownMarket is a market of gear of which each falls at a rate of its own.
type knownMarket struct {
	catalog []*catalog.Gear
	rates   map[string]float64 // by slug, of the log price in a year
	sales   []models.Sale
}

// add adds gear with sales that are spread evenly over 6 years. Those of the first years are
// in the best conditions, unless the gear sells in one only: that must not look like
// depreciation.
func (m *knownMarket) add(r *rand.Rand, kind models.Category, rate float64, sales int, oneCondition bool) {
	g := &catalog.Gear{BrandSlug: string(kind), ModelSlug: fmt.Sprint(len(m.catalog)), Category: kind}
	m.catalog, m.rates[g.Slug()] = append(m.catalog, g), rate
	for n := range sales {
		years := 6 * float64(n) / float64(sales)
		condition := r.IntN(2 + int(years)/2)
		if oneCondition {
			condition = 0
		}
		price := 1e5 * math.Exp(float64(len(m.catalog)%7)/3-0.12*float64(condition)+rate*years+0.08*r.NormFloat64())
		at := depreciationDay.Std().AddDate(-6, 0, 0).Add(time.Duration(years * 365.25 * 24 * float64(time.Hour)))
		m.sales = append(m.sales, models.Sale{Gear: g.Slug(), Condition: models.Conditions[condition], Price: models.Cents(price), SoldAt: models.TimeOf(at)})
	}
}

// TestDepreciation estimates the depreciation of markets in which it is known: about 80 % of
// the ranges of the kinds hold the mean of their gear, and no fewer of the ranges of the gear.
func TestDepreciation(t *testing.T) {
	t.Parallel()
	yearly := map[models.Category]float64{"mirrorless": -0.16, "lens_prime": -0.04, "film_slr": 0.05}
	type held struct{ in, all int }
	var kindRanges, gearRanges held
	check := func(h *held, what string, rate float64, c YearsChange, limit float64) {
		want, years := 100*math.Expm1(rate*float64(c.Years)), float64(c.Years)
		if h.all++; c.Low <= want && want <= c.High {
			h.in++
		}
		if math.Abs(c.Percent-want) > limit*years || c.High-c.Low > 2*limit*years || c.Sales < MinIndexSales {
			t.Errorf("%s after %d years is %+v, want about %.1f", what, c.Years, c, want)
		}
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := knownMarket{rates: map[string]float64{}}
		for _, kind := range []models.Category{"mirrorless", "lens_prime", "film_slr"} {
			for i := range 15 {
				m.add(r, kind, yearly[kind]+0.02*r.NormFloat64(), 30+40*(i%6), false) // 5 to 38 a year
			}
		}
		m.add(r, "compact", -0.4, 30, true) // few sales of gear that falls fast: they are no outliers
		b := NewIndexBuilder(m.catalog, depreciationDay)
		for i := range m.sales {
			b.Add(&m.sales[i], "")
		}
		kinds, gear := b.depreciation(0.08)
		if len(kinds) != len(yearly) || len(kinds[0].Years) != len(DepreciationYears) || len(gear) < 40 {
			t.Fatalf("seed %d: %d gear and %+v", seed, len(gear), kinds)
		}
		for _, d := range kinds {
			for _, c := range d.Years {
				check(&kindRanges, d.Kind, yearly[models.Category(d.Kind)], c, 2)
			}
		}
		for slug, changes := range gear {
			limit := 12.0
			if slug == m.catalog[45].Slug() {
				limit = 5
			}
			for _, c := range changes {
				check(&gearRanges, slug, m.rates[slug], c, limit)
			}
		}
	}
	for what, h := range map[string]held{"kinds": kindRanges, "gear": gearRanges} {
		t.Logf("%s: %d of %d", what, h.in, h.all)
		if share := float64(h.in) / float64(h.all); share < 0.7 || share > 0.95 {
			t.Errorf("%d of %d ranges of %s hold the depreciation", h.in, h.all, what)
		}
	}
}

// TestRepeatSales builds the index of a market of which each kind of gear falls alike, but
// each item by more: pairs of sales of the same item count, some do not.
func TestRepeatSales(t *testing.T) {
	t.Parallel()
	g := &catalog.Gear{BrandSlug: "canon", ModelSlug: "eos-r6", Category: "mirrorless"}
	at := func(years float64) models.Time {
		return depreciationDay.Add(-time.Duration(years * 365.25 * 24 * float64(time.Hour)))
	}
	type sold struct {
		years     float64 // before the day
		condition int
		seller    string
		price     models.Cents
	}
	for what, test := range map[string]struct {
		first, second sold
		want          RepeatSales // of five such pairs
	}{
		"same grade":   {sold{3, 2, "a", 100000}, sold{1, 2, "b", 64000}, RepeatSales{Years: 2, Percent: -36, Same: 5}},
		"worse grade":  {sold{3, 2, "a", 100000}, sold{0.5, 3, "b", 50000}, RepeatSales{Years: 2.5, Percent: -50, Worse: 5}},
		"better grade": {sold{3, 2, "", 100000}, sold{2, 1, "", 110000}, RepeatSales{Years: 1, Percent: 10, Better: 5}},
		"too soon":     {sold{3, 2, "a", 100000}, sold{2.7, 2, "b", 64000}, RepeatSales{}},
		"sent back":    {sold{3, 2, "a", 100000}, sold{1, 2, "a", 64000}, RepeatSales{}},
	} {
		for _, n := range []int{MinRepeatSales - 1, MinRepeatSales} {
			b := NewIndexBuilder([]*catalog.Gear{g}, depreciationDay)
			for _, s := range []sold{test.first, test.second} {
				for i := range n {
					seller := s.seller
					if seller != "" {
						seller += fmt.Sprint(i)
					}
					b.Add(&models.Sale{Gear: g.Slug(), Condition: models.Conditions[s.condition], Price: s.price, SoldAt: at(s.years), SellerID: seller}, fmt.Sprint("item", i))
				}
			}
			list := b.repeatSales()
			if want := test.want; n < MinRepeatSales || want.Years == 0 {
				if len(list) != 0 {
					t.Errorf("%s: %d pairs are summed up as %+v", what, n, list)
				}
			} else if want.Kind, want.Pairs = "mirrorless", n; len(list) != 1 || list[0] != want {
				t.Errorf("%s: %+v, want %+v", what, list, want)
			}
		}
	}
}

// TestRepeatSalesCountOnceMore checks that a pair of sales of one item moves the depreciation
// of its gear and the index, and that only the latest of a gear are used.
func TestRepeatSalesCountOnceMore(t *testing.T) {
	t.Parallel()
	g := &catalog.Gear{BrandSlug: "canon", ModelSlug: "eos-r6", Category: "mirrorless"}
	build := func(item func(i int) string) *PriceIndex {
		b := NewIndexBuilder([]*catalog.Gear{g}, depreciationDay)
		for _, years := range []int{3, 0} {
			for i := range 40 {
				price := 100000 * math.Exp(-0.1*float64(3-years))
				if i < 20 && years == 0 {
					price *= 0.9 // what is known by its serial number lost more
				}
				b.Add(&models.Sale{Gear: g.Slug(), Condition: models.Conditions[2], Price: models.Cents(price), SoldAt: depreciationDay - models.Time(years*365+40)*24*60*60*1000}, item(i))
			}
		}
		return b.Index("2026-11-21")
	}
	plain := build(func(int) string { return "" })
	known := build(func(i int) string {
		if i < 20 {
			return fmt.Sprint(i)
		}
		return ""
	})
	for what, of := range map[string]func(*PriceIndex) IndexChange{
		"depreciation": func(x *PriceIndex) IndexChange { return x.GearDepreciation["canon/eos-r6"][0].IndexChange },
		"index":        func(x *PriceIndex) IndexChange { return *x.Kinds[0].Three },
	} {
		// 20 of 40 comparisons are 10 % lower; with the pairs it is 40 of 60 at most.
		before, after := of(plain).Percent, of(known).Percent
		if math.Abs(before - -29.7) > 0.3 || after > before-0.5 || after < before-2.5 {
			t.Errorf("the %s is %.1f %% without pairs and %.1f %% with them", what, before, after)
		}
	}
	if len(known.RepeatSales) != 1 || known.RepeatSales[0].Pairs != 20 || len(plain.RepeatSales) != 0 {
		t.Errorf("%+v, without serial numbers %+v", known.RepeatSales, plain.RepeatSales)
	}
	b := NewIndexBuilder([]*catalog.Gear{g}, depreciationDay)
	for years := range 2 {
		for i := range gearRepeats + 5 {
			price := models.Cents(100000)
			if years == 1 && i >= gearRepeats {
				price = 50000
			}
			b.Add(&models.Sale{Gear: g.Slug(), Condition: models.Conditions[2], Price: price, SoldAt: depreciationDay - models.Time((2-years)*365)*24*60*60*1000}, fmt.Sprint(i))
		}
	}
	if half := math.Log(0.5); len(b.repeats) != gearRepeats || math.Abs(b.repeats[4].change-half) > 1e-9 || b.repeats[5].change != 0 {
		t.Errorf("%d pairs, of which the fifth fell by %f", len(b.repeats), b.repeats[4].change)
	}
}

// BenchmarkIndex builds the index of a million sales of 2,000 gear, a third of them of items
// that sold before.
func BenchmarkIndex(b *testing.B) {
	var gears []*catalog.Gear
	for i := range 2000 {
		gears = append(gears, &catalog.Gear{BrandSlug: fmt.Sprint("brand-", i%50), ModelSlug: fmt.Sprint(i), Category: models.Categories[i%len(models.Categories)]})
	}
	for b.Loop() {
		r := rand.New(rand.NewPCG(1, 1))
		x := NewIndexBuilder(gears, depreciationDay)
		for _, g := range gears {
			for i := range 500 {
				years := 10 * float64(i) / 500
				at := depreciationDay.Std().AddDate(-10, 0, 0).Add(time.Duration(years * 365.25 * 24 * float64(time.Hour)))
				price := 1e5 * math.Exp(-0.1*years+0.08*r.NormFloat64())
				x.Add(&models.Sale{Gear: g.Slug(), Condition: models.Conditions[r.IntN(4)], Price: models.Cents(price), SoldAt: models.TimeOf(at)}, fmt.Sprint(i%333))
			}
		}
		x.Index("2026-11-21")
		b.ReportMetric(float64(len(x.repeats)), "pairs")
		b.ReportMetric(float64(len(x.cells)), "cells")
	}
}
