package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models/pricing"
)

// maxTests bounds the sales that are predicted of all markets of a size.
const maxTests = 30_000

// check is what was predicted of a sale.
type check struct {
	kind, evidence, grade, price, source string

	stated                        bool
	error, width, bias            float64 // bias is against the truth, NaN if unknown
	below, above                  bool
	median, last, fading, hedonic float64 // errors of other methods, NaN where they say nothing
}

// predict fits a site's part of a market and predicts at most a number of the other sales after its
// day.
func predict(m *market, n, most int, seed uint64) []check {
	known := m.some(n, seed)
	fit := pricing.Fit(m.gear, known, m.day, pricing.Options{})
	dealers := fit.Effects(pricing.SellerClass)
	others := newBaselines(m.gear, known, m.day)
	kinds := map[string]string{}
	for i := range m.gear {
		kinds[m.gear[i].Slug] = m.gear[i].Kind
	}
	var tests []*sale
	for i := range m.sales {
		if s := &m.sales[i]; s.Day >= m.day && kinds[s.Gear] != "" {
			tests = append(tests, s)
		}
	}
	var checks []check
	most = min(most, len(tests))
	for i := range most {
		s := tests[i*len(tests)/most]
		c := check{kind: kinds[s.Gear], evidence: evidence(others.count[s.Gear]), grade: gradeGroup(s.Grade), price: "unknown", source: "private", bias: math.NaN()}
		if s.dealer {
			c.source = "dealer"
		}
		if e, ok := fit.Estimate(s.Gear, s.Grade, s.Day); ok {
			if effect, known := dealers[kinds[s.Gear]][pricing.DealerTrait]; known && slices.Contains(s.Traits, pricing.DealerTrait) {
				for _, amount := range []*int64{&e.Price, &e.Most.Low, &e.Most.High} {
					*amount = int64(math.Round(float64(*amount) * math.Exp(effect)))
				}
			}
			c.stated, c.error, c.price = true, relative(float64(e.Price), s.Price), priceClass(e.Price)
			c.below, c.above = s.Price < e.Most.Low, s.Price > e.Most.High
			c.width = math.Log(float64(e.Most.High) / float64(max(e.Most.Low, 1)))
			if s.truth > 0 {
				c.bias = math.Log(float64(e.Price)) - s.truth
			}
		}
		c.median, c.last, c.fading, c.hedonic = others.errors(s)
		checks = append(checks, c)
	}
	return checks
}

func relative(estimate float64, price int64) float64 {
	return math.Abs(estimate/float64(price) - 1)
}

// evidence names the class of a gear by its own sales.
func evidence(n int) string {
	switch {
	case n == 0:
		return "0"
	case n < 3:
		return "1-2"
	case n < 10:
		return "3-9"
	case n < 30:
		return "10-29"
	}
	return "30+"
}

func gradeGroup(grade int) string {
	return []string{"new to excellent", "new to excellent", "new to excellent", "good, well used", "good, well used", "heavily used", "faulty"}[grade]
}

// priceClass names the class of an estimate. By the price itself, errors would decide on it.
func priceClass(price int64) string {
	for _, limit := range []int64{50, 100, 250, 500, 1000, 2500} {
		if price < 100*limit {
			return fmt.Sprintf("under %4d", limit)
		}
	}
	return "2500 and more"
}

// baselines predict a price without a model.
type baselines struct {
	day    int
	count  map[string]int
	grades map[gradeKey][]pricing.Sale
	gear   map[string][]pricing.Sale
	effect [pricing.Grades]float64 // pooled, for the hedonic price
}

type gradeKey struct {
	gear  string
	grade int
}

func newBaselines(gear []pricing.Gear, sales []pricing.Sale, day int) *baselines {
	b := &baselines{day: day, count: map[string]int{}, grades: map[gradeKey][]pricing.Sale{}, gear: map[string][]pricing.Sale{}}
	sales = slices.Clone(sales)
	slices.SortFunc(sales, func(a, b pricing.Sale) int { return cmp.Compare(a.Day, b.Day) })
	for _, s := range sales {
		b.count[s.Gear]++
		b.grades[gradeKey{s.Gear, s.Grade}] = append(b.grades[gradeKey{s.Gear, s.Grade}], s)
		b.gear[s.Gear] = append(b.gear[s.Gear], s)
	}
	var differences [pricing.Grades][]float64
	for _, list := range b.gear {
		middle := medianOf(logs(list))
		for _, s := range list {
			differences[s.Grade] = append(differences[s.Grade], math.Log(float64(s.Price))-middle)
		}
	}
	for grade := range differences {
		if len(differences[grade]) > 0 {
			b.effect[grade] = medianOf(differences[grade])
		}
	}
	return b
}

// errors returns the errors of the 12 months' median of the grade, its last sale, a median that
// fades in 90 days, and the level of the gear of the last 120 days with pooled effects of grades.
func (b *baselines) errors(s *sale) (median, last, fading, hedonic float64) {
	median, last, fading, hedonic = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	same := b.grades[gradeKey{s.Gear, s.Grade}]
	if year := after(same, b.day-365); len(year) > 0 {
		median = relative(math.Exp(medianOf(logs(year))), s.Price)
	}
	if len(same) > 0 {
		last = relative(float64(same[len(same)-1].Price), s.Price)
		fading = relative(fadingMedian(same, b.day), s.Price)
	}
	list := b.gear[s.Gear]
	if recent := after(list, b.day-120); len(recent) > 2 {
		list = recent
	}
	if len(list) > 0 {
		var levels []float64
		for _, other := range list {
			levels = append(levels, math.Log(float64(other.Price))-b.effect[other.Grade])
		}
		hedonic = relative(math.Exp(medianOf(levels)+b.effect[s.Grade]), s.Price)
	}
	return median, last, fading, hedonic
}

func after(list []pricing.Sale, day int) []pricing.Sale {
	at := slices.IndexFunc(list, func(s pricing.Sale) bool { return s.Day >= day })
	if at < 0 {
		return nil
	}
	return list[at:]
}

func logs(list []pricing.Sale) (logs []float64) {
	for _, s := range list {
		logs = append(logs, math.Log(float64(s.Price)))
	}
	return logs
}

// fadingMedian returns the weighted median of prices, whose weights halve in 90 days.
func fadingMedian(list []pricing.Sale, day int) float64 {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b pricing.Sale) int { return cmp.Compare(a.Price, b.Price) })
	weight := func(s *pricing.Sale) float64 { return math.Exp2(-float64(day-s.Day) / 90) }
	total, sum := 0.0, 0.0
	for i := range list {
		total += weight(&list[i])
	}
	for i := range list {
		if sum += weight(&list[i]); sum >= total/2 {
			return float64(list[i].Price)
		}
	}
	return 0
}

func medianOf(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// An 80 % range should hold between least and most of the sales.
const (
	leastHeld = 0.76
	mostHeld  = 0.85
)

// printTable prints the accuracy of all checks and of each class with enough of them that are stated,
// with the interval of 95 % in which the share in the range of 80 % is. A share outside of 76 to 85 %
// is marked with !, and with !! if that is not chance. The last line counts the cells of kind, evidence
// and grade, and those in which it is not chance: as if there were only the one, and of so many (Bonferroni 1936).
func printTable(name string, n int, checks []check, minimum int) {
	fmt.Printf("%s, %d sales\n%-44s %6s %7s %6s %9s %6s %6s %6s %6s %6s | %6s %6s %6s %6s %6s\n", name, n,
		"cell", "sales", "stated%", "in80%", "95 %", "below", "above", "err%", "bias%", "width", "ours", "median", "last", "fading", "hedon.")
	cells := map[string][]*check{}
	for i := range checks {
		c := &checks[i]
		for _, cell := range []string{"all", "kind " + c.kind, "evidence " + c.evidence, "grade " + c.grade, "estimate " + c.price, "source " + c.source,
			"cell " + c.kind + ", " + c.evidence + ", " + c.grade} {
			cells[cell] = append(cells[cell], c)
		}
	}
	var large []held
	for _, cell := range slices.Sorted(maps.Keys(cells)) {
		h := printCell(cell, cells[cell], minimum)
		if h.n < minimum || !strings.HasPrefix(cell, "cell ") {
			continue
		}
		large = append(large, h)
	}
	count := func(is func(held) bool) (n int) {
		for _, h := range large {
			if is(h) {
				n++
			}
		}
		return n
	}
	fmt.Printf("%s, %d sales: %d cells, %d under 76 %% and %d over 85 %%", name, n, len(large),
		count(func(h held) bool { return h.share() < leastHeld }), count(func(h held) bool { return h.share() > mostHeld }))
	for _, tests := range []int{1, len(large)} {
		z := math.Sqrt2 * math.Erfinv(1-0.05/float64(max(tests, 1)))
		fmt.Printf("; beyond chance of %d: %d and %d", tests, count(func(h held) bool { _, high := h.interval(z); return high < leastHeld }), count(func(h held) bool { low, _ := h.interval(z); return low > mostHeld }))
	}
	fmt.Println()
}

// held counts the sales that were in a range.
type held struct{ n, in int }

func (h held) share() float64 { return float64(h.in) / float64(max(h.n, 1)) }

// oneInterval is the number of standard errors of an interval of 95 %.
const oneInterval = 1.96

// interval returns the binomial interval of the share for a number of standard errors (Wilson 1927).
func (h held) interval(z float64) (low, high float64) {
	n := float64(max(h.n, 1))
	middle, half := h.share()+z*z/(2*n), z*math.Sqrt(h.share()*(1-h.share())/n+z*z/(4*n*n))
	return (middle - half) / (1 + z*z/n), (middle + half) / (1 + z*z/n)
}

// printCell prints the accuracy of checks, if there are enough, and returns how many were in the range.
func printCell(name string, checks []*check, minimum int) held {
	var errors, biases, widths, ours, medians, lasts, fadings, hedonics []float64
	stated, below, above := 0, 0, 0
	for _, c := range checks {
		if !c.stated {
			continue
		}
		stated++
		errors, widths = append(errors, c.error), append(widths, c.width)
		if !math.IsNaN(c.bias) {
			biases = append(biases, c.bias)
		}
		if c.below {
			below++
		}
		if c.above {
			above++
		}
		if !math.IsNaN(c.median) && !math.IsNaN(c.hedonic) {
			ours, medians, lasts, fadings, hedonics = append(ours, c.error), append(medians, c.median), append(lasts, c.last), append(fadings, c.fading), append(hedonics, c.hedonic)
		}
	}
	h := held{stated, stated - below - above}
	if stated < minimum && name != "all" {
		return h
	}
	low, high := h.interval(oneInterval)
	mark := ""
	switch {
	case high < leastHeld || low > mostHeld:
		mark = " !!"
	case h.share() < leastHeld || h.share() > mostHeld:
		mark = " !"
	}
	of := func(n int) float64 { return 100 * float64(n) / float64(max(stated, 1)) }
	p := func(list []float64) float64 { return 100 * medianOf(list) }
	fmt.Printf("%-44s %6d %7.1f %6.1f %4.0f–%-4.0f %6.1f %6.1f %6.1f %6.1f %6.2f | %6.1f %6.1f %6.1f %6.1f %6.1f%s\n", name, len(checks), 100*float64(stated)/float64(len(checks)),
		100*h.share(), 100*low, 100*high, of(below), of(above), p(errors), p(biases), medianOf(widths), p(ours), p(medians), p(lasts), p(fadings), p(hedonics), mark)
	return h
}

// sellerTraits returns the traits of a sale by who sold it: "dealer", "private", or unknown.
func sellerTraits(seller string) []string {
	switch seller {
	case "dealer":
		return []string{pricing.DealerTrait}
	case "private":
		return nil
	}
	return []string{pricing.UnknownSeller}
}

// readMarket reads a market whose last 60 days are predicted: day (ISO 8601), slug of the gear,
// grade from 0, price, and who sold it if that is known: dealer or private.
func readMarket(file string, gear []pricing.Gear) (*market, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows := csv.NewReader(f)
	rows.FieldsPerRecord = -1
	m := &market{gear: gear}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			m.day -= testDays
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		if len(row) < 4 {
			return nil, fmt.Errorf("a row has %d columns, not day,gear,grade,price", len(row))
		}
		at, e1 := time.Parse(time.DateOnly, row[0])
		grade, e2 := strconv.Atoi(row[2])
		price, e3 := strconv.ParseFloat(row[3], 64)
		if err := cmp.Or(e1, e2, e3); err != nil {
			return nil, err
		}
		s := sale{Sale: pricing.Sale{Gear: row[1], Grade: grade, Day: int(at.Unix() / 86400), Price: int64(math.Round(100 * price))}}
		seller := ""
		if len(row) > 4 {
			seller = row[4]
		}
		s.dealer, s.Traits = seller == "dealer", sellerTraits(seller)
		m.sales, m.day = append(m.sales, s), max(m.day, s.Day)
	}
}
