package pricing_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/pricing"
)

// months is how long the back-test of the demonstration market is; with 12 it is of all
// gear, and other tests try more, too.
var months = flag.Int("months", 2, "months of the back-test of the demonstration market; 12 for all that there is to try")

// TestSecondMarket has the bars of the demonstration market hold within a third in
// a market of other laws.
func TestSecondMarket(t *testing.T) {
	m := newMarket(1, 300, 15_000)
	checks := pricing.Backtest(m.gear, m.sales, m.day, 3)
	wantAccurate(t, checks, 2*1.6377*marketNoise, 4.0/3)
	if cold := pricing.Summarize(checks, pricing.BySameGrade)[0]; cold.Class.Name != "0 of the gear" || cold.Error > 0.15*4/3 {
		t.Errorf("gear without sales: %+v", cold)
	}
}

// chance returns by how much the share of n sales in a range of 80 % may differ by chance: two and
// a half standard deviations.
func chance(n int) float64 { return 2.5 * math.Sqrt(0.8*0.2/float64(n)) }

// wantAccurate checks the accuracy of estimates. width is that of a range of 80 %
// if everything but the noise were known, and slack multiplies all tolerances.
func wantAccurate(t *testing.T, checks []pricing.Check, width, slack float64) {
	t.Helper()
	for _, class := range []func(*pricing.Check) pricing.Class{pricing.BySameGrade, pricing.ByCrowd, pricing.ByKind, pricing.ByPrice, pricing.ByCell} {
		t.Log("\n" + tableOf(pricing.Summarize(checks, class), width))
	}
	all := pricing.Summarize(checks, pricing.All)[0]
	t.Log("\n" + tableOf([]pricing.Accuracy{all}, width))
	if off := math.Abs(all.InMost - 0.8); off > max(slack*0.02, chance(all.Stated)) {
		t.Errorf("the range of 80 %% holds %.1f %%", 100*all.InMost)
	}
	if all.Width > 1.15*slack*width {
		t.Errorf("the range of 80 %% is %.2f times as wide as it could be", all.Width/width)
	}
	if all.Ours > all.MedianError || all.Ours > all.LastError {
		t.Errorf("the error is %.2f %%, that of medians %.2f %%, of last sales %.2f %%", 100*all.Ours, 100*all.MedianError, 100*all.LastError)
	}
	limits := map[string]float64{"20+": 0.053, "3–10": 0.08}
	for _, a := range pricing.Summarize(checks, pricing.BySameGrade) {
		if limit := limits[a.Class.Name]; limit > 0 && a.Error > slack*limit*(1+1.5/math.Sqrt(float64(a.Stated))) {
			t.Errorf("%s sales in the grade: the median error is %.2f %%", a.Class.Name, 100*a.Error)
		}
	}
	for _, a := range pricing.Summarize(checks, pricing.ByCell) {
		if a.Stated >= 200 && math.Abs(a.InMost-0.8) > max(slack*0.05, chance(a.Stated)) {
			t.Errorf("%s sales: the range of 80 %% holds %.1f %%", a.Class.Name, 100*a.InMost)
		}
	}
}

func tableOf(rows []pricing.Accuracy, width float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %6s %6s %6s %6s %6s %6s %6s | %6s %6s %6s %6s\n", "", "sales", "stated", "error", "in 10", "50 %", "80 %", "width", "sales", "error", "median", "last")
	for _, a := range rows {
		fmt.Fprintf(&b, "%-22s %6d %6d %6.2f %6.1f %6.1f %6.1f %6.2f | %6d %6.2f %6.2f %6.2f\n", a.Class.Name, a.Sales, a.Stated, 100*a.Error, 100*a.Within10, 100*a.InHalf, 100*a.InMost, a.Width/width,
			a.Compared, 100*a.Ours, 100*a.MedianError, 100*a.LastError)
	}
	return b.String()
}

// TestForecast predicts the sales of a month from those before the five months before it.
// The range that holds 80 % of them widens with time, so that it still does.
func TestForecast(t *testing.T) {
	m := newMarket(1, 300, 15_000)
	today := m.day - 183
	model := pricing.Fit(m.gear, m.sales, today, pricing.Options{})
	stated, within := 0, 0
	for _, s := range m.sales {
		if s.Day < m.day-60 {
			continue
		}
		if e, ok := model.Estimate(s.Gear, s.Grade, s.Day); ok {
			stated++
			if s.Price >= e.Most.Low && s.Price <= e.Most.High {
				within++
			}
		}
	}
	if share := float64(within) / float64(stated); stated < 300 || share < 0.74 || share > 0.86 {
		t.Errorf("%d of %d sales are in the range of 80 %%", within, stated)
	} else {
		t.Logf("%.1f %% of %d sales are in the range of 80 %%", 100*share, stated)
	}
}

// TestForgedSales has a tenth of a year's sales of every gear forged by a ring within
// the rules of counting, see forged. No estimate of gear with 20 sales a year may move by
// 3 %, even if they all come in 30 days, when they are more than half of what is sold.
// With -months 12 there are more prices and periods.
func TestForgedSales(t *testing.T) {
	m := newMarket(2, 150, 12_000)
	honest := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	count := map[string]int{}
	for _, s := range m.sales {
		if s.Day >= m.day-365 {
			count[s.Gear]++
		}
	}
	factors, spans := []float64{0.85, 1.3}, []int{30}
	if *months >= 12 {
		spans = []int{30, 90, 365}
		factors = []float64{0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.1, 1.2, 1.3, 1.5, 2}
	}
	for name, pairs := range rings {
		for _, span := range spans {
			for _, factor := range factors {
				random := rand.New(rand.NewPCG(3, 4))
				sales := slices.Clone(m.sales)
				for _, gear := range slices.Sorted(maps.Keys(count)) {
					sales = append(sales, forged(honest, random, pairs, gear, int(math.Round(float64(count[gear])/9)), span, factor)...)
				}
				worst, mean, which := moved(honest, pricing.Fit(m.gear, sales, m.day, pricing.Options{Tuning: honest.Tuning()}), count)
				t.Logf("%s, prices times %.2f in %d days move estimates by %.2f %%, at most %.2f %% of %s with %d sales", name, factor, span, 100*mean, 100*worst, which, count[which])
				if worst > 0.03 {
					t.Errorf("%s, prices times %.2f in %d days move an estimate by %.2f %%", name, factor, span, 100*worst)
				}
			}
		}
	}
}

// moved returns by how much the estimates of gear with 20 sales or more differ.
func moved(before, after *pricing.Model, count map[string]int) (worst, mean float64, which string) {
	n := 0.0
	for _, gear := range slices.Sorted(maps.Keys(count)) {
		was, ok := before.Estimate(gear, 2, before.Day)
		is, ok2 := after.Estimate(gear, 2, before.Day)
		if ok && ok2 && count[gear] >= 20 {
			change := math.Abs(float64(is.Price)/float64(was.Price) - 1)
			if n, mean = n+1, mean+change; change > worst {
				worst, which = change, gear
			}
		}
	}
	return worst, mean / n, which
}

// rings lists who sells to whom in rings of six, the fewest sellers and buyers that the
// rules of counting require.
var rings = map[string][][2]int{
	"everybody with everybody": {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}},
	"one seller":               {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}},
	"unconnected pairs":        {{0, 1}, {2, 3}, {4, 5}},
}

// forged returns sales of the last days among the members of a ring, at most two of a
// pair in a grade.
func forged(m *pricing.Model, random *rand.Rand, pairs [][2]int, gear string, n, span int, factor float64) (sales []pricing.Sale) {
	for _, i := range random.Perm(2 * len(pairs) * pricing.Grades)[:min(n, 2*len(pairs)*pricing.Grades)] {
		pair, grade := pairs[i%len(pairs)], i/len(pairs)%pricing.Grades
		day := m.Day - 1 - random.IntN(span)
		if e, ok := m.Estimate(gear, grade, day); ok {
			sales = append(sales, pricing.Sale{Gear: gear, Grade: grade, Day: day, Price: int64(factor * float64(e.Price)), Seller: fmt.Sprint("ring ", pair[0]), Buyer: fmt.Sprint("ring ", pair[1])})
		}
	}
	return sales
}

// TestFitIsPure fits shuffled sales and updates unrelated gear.
func TestFitIsPure(t *testing.T) {
	m := newMarket(5, 40, 1500)
	first := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	shuffled := slices.Clone(m.sales)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	second := pricing.Fit(m.gear, shuffled, m.day, pricing.Options{})
	before, _ := first.Estimate("gear-003", 2, m.day+5)
	for _, s := range m.sales {
		if s.Gear != "gear-003" {
			second.Update(s)
		}
	}
	after, ok := second.Estimate("gear-003", 2, m.day+5)
	if !ok || fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("%+v, of shuffled sales and others' updates %+v", before, after)
	}
}

// TestEstimate checks what an estimate says beside its price.
func TestEstimate(t *testing.T) {
	m := newMarket(1, 60, 4000)
	model := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	counts := map[string]int{}
	for _, s := range m.sales {
		counts[s.Gear]++
	}
	for _, g := range m.gear {
		var worse int64 = math.MaxInt64
		for grade := range pricing.Grades {
			e, ok := model.Estimate(g.Slug, grade, m.day)
			if !ok {
				continue
			}
			if e.Price > worse {
				t.Errorf("%s costs %d in grade %d, %d in a better one", g.Slug, e.Price, grade, worse)
			}
			worse = e.Price
			if e.Sales != counts[g.Slug] || e.Quick != e.Half.Low || e.Patient != e.Half.High {
				t.Errorf("%s: %+v", g.Slug, e)
			}
			later, _ := model.Estimate(g.Slug, grade, m.day+180)
			if ratio(later.Most) < ratio(e.Most) {
				t.Errorf("%s: the range is %v today and %v in half a year", g.Slug, e.Most, later.Most)
			}
		}
	}
	if _, ok := model.Estimate("nobody/knows", 2, m.day); ok {
		t.Error("a price of unknown gear")
	}
	if _, ok := pricing.Fit(m.gear, nil, m.day, pricing.Options{}).Estimate("gear-003", 2, m.day); ok {
		t.Error("a price without any sale")
	}
}

// TestNothingComparable tests that gear that hasn't sold has an estimate only if its launch price
// is known, or gear of its kind and brand has sold, and enough such gear has shown how good its
// estimates are.
func TestNothingComparable(t *testing.T) {
	few, m := newMarket(1, 60, 4000), newMarket(1, 600, 4000)
	for i := range m.gear {
		m.gear[i].LaunchPrice *= float64(i % 2)
	}
	unsold := []pricing.Gear{m.gear[0], m.gear[0], m.gear[0]}
	for i := range unsold {
		unsold[i].Slug, unsold[i].LaunchPrice = fmt.Sprint("unsold/", i), 0
	}
	unsold[1].Brand = "Unsold"
	unsold[2].Brand, unsold[2].LaunchPrice = "Unsold", 1000
	model := pricing.Fit(append(m.gear, unsold...), m.sales, m.day, pricing.Options{})
	for i, want := range []bool{true, false, true} {
		if e, ok := model.Estimate(unsold[i].Slug, 2, m.day); ok != want {
			t.Errorf("%+v is estimated as %+v, %v", unsold[i], e, ok)
		}
	}
	unsold[0].Brand = few.gear[0].Brand
	model = pricing.Fit(append(few.gear, unsold[0]), few.sales, few.day, pricing.Options{})
	if e, ok := model.Estimate(unsold[0].Slug, 2, few.day); ok {
		t.Errorf("without errors, it is estimated as %+v", e)
	}
}

func ratio(r pricing.Range) float64 { return float64(r.High) / float64(r.Low) }

// TestDays recovers how fast listings sell at different prices.
func TestDays(t *testing.T) {
	m := newMarket(1, 60, 4000)
	model := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	random := rand.New(rand.NewPCG(9, 9))
	var listings []pricing.Asked
	for range 3000 {
		gear := m.gear[random.IntN(20)].Slug
		e, ok := model.Estimate(gear, 2, m.day)
		if !ok {
			continue
		}
		over := 0.8 + 0.5*random.Float64()
		took := random.ExpFloat64() * 20 * math.Pow(over, 5)
		listings = append(listings, pricing.Asked{Gear: gear, Grade: 2, Day: m.day, Price: int64(over * float64(e.Price)), Days: min(took, 60), Sold: took < 60})
	}
	if selling := model.LearnDays(listings[:20]); selling != nil {
		t.Errorf("%+v is learned from 20 listings", selling)
	}
	careless := slices.Clone(listings) // who buy at any price
	for i := range careless {
		took := random.ExpFloat64() * 20
		careless[i].Days, careless[i].Sold = min(took, 60), took < 60
	}
	if selling := model.LearnDays(careless); selling != nil {
		t.Errorf("%+v is learned from buyers who don't care", selling)
	}
	selling := model.LearnDays(listings)
	kind := m.gear[slices.IndexFunc(m.gear, func(g pricing.Gear) bool { return g.Slug == "gear-003" })].Kind
	for over, want := range map[float64]float64{0.85: 20 * math.Pow(0.85, 5) * math.Ln2, 1: 20 * math.Ln2, 1.2: 20 * math.Pow(1.2, 5) * math.Ln2} {
		if days, ok := selling.Days(kind, int64(over*100_000), 100_000); !ok || math.Abs(float64(days)/want-1) > 0.2 {
			t.Errorf("at %.2f times the price %d days, want %.1f", over, days, want)
		}
	}
	for name, of := range map[string]struct {
		*pricing.Selling
		price int64
	}{"no model": {nil, 100_000}, "a price nobody pays": {selling, 1_000_000}, "no price": {selling, 0}} {
		if days, ok := of.Days(kind, of.price, 100_000); ok {
			t.Errorf("%s: %d days", name, days)
		}
	}
}

// TestPastPrice compares sales of a year ago with what gear sold for then and with what it sells
// for now.
func TestPastPrice(t *testing.T) {
	m := newMarket(1, 60, 4000)
	model := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	var off, offNow float64
	for _, s := range m.sales {
		then, ok := model.PastPrice(s.Gear, s.Grade, s.Day)
		now, _ := model.Estimate(s.Gear, s.Grade, m.day)
		if ok && s.Day > m.day-380 && s.Day < m.day-340 {
			off += math.Log(float64(s.Price) / float64(then))
			offNow += math.Log(float64(s.Price) / float64(now.Price))
		}
	}
	if offNow == 0 || math.Abs(off) > math.Abs(offNow)/2 {
		t.Errorf("sales are off by %.2f in all, from prices of today by %.2f", off, offNow)
	}
}

// FuzzUpdate adds absurd sales. Estimates must stay finite and in order.
func FuzzUpdate(f *testing.F) {
	m := newMarket(1, 30, 1000)
	f.Add(2, 20_001, int64(100), 0, 20_100)
	f.Add(9, math.MaxInt, int64(math.MinInt64), -1, math.MinInt)
	f.Add(0, -300_000, int64(math.MaxInt64), 6, 300_000)
	fitted := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	f.Fuzz(func(t *testing.T, grade, day int, price int64, asked, on int) {
		model := fitted.Forget("gear-001")
		for i := range 12 {
			model.Update(pricing.Sale{Gear: "gear-001", Grade: grade, Day: day + i, Price: price, Seller: fmt.Sprint(i)})
			model.Update(pricing.Sale{Gear: "gear-001", Grade: 2, Day: 20_000 - i, Price: 50_000})
		}
		e, ok := model.Estimate("gear-001", asked, on)
		d := e.Direction
		if ok && (e.Price <= 0 || e.Most.Low > e.Half.Low || e.Half.Low > e.Half.High || e.Half.High > e.Most.High || e.Most.Low < 0 ||
			math.IsNaN(d.Change) || !(d.Low <= d.Change && d.Change <= d.High) || !(e.Borrowed >= 0 && e.Borrowed <= 1)) {
			t.Errorf("%+v", e)
		}
	})
}

// BenchmarkUpdate measures one sale of gear with many, and logs the 99th percentile.
func BenchmarkUpdate(b *testing.B) {
	m := newMarket(1, 300, 15_000)
	model := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{})
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		sale := m.sales[i%len(m.sales)]
		sale.Day, sale.Seller, sale.Buyer = m.day+i/1000, fmt.Sprint(i%5000), fmt.Sprint(i%4999)
		start := time.Now()
		model.Update(sale)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
}
