package search

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// marketRates are random rates of the currencies of a market.
func (m *market) marketRates(t *testing.T, day int) (*models.Rates, map[string]string) {
	t.Helper()
	texts := map[string]string{
		"USD": fmt.Sprintf("1.%04d", m.r.IntN(9999)), "JPY": fmt.Sprintf("%d.%02d", 120+m.r.IntN(60), m.r.IntN(99)), "KWD": fmt.Sprintf("0.%06d", 300_000+m.r.IntN(99_999)),
	}
	rates, err := models.NewRates(digitsOf(""), models.DayRates{Day: models.Day(fmt.Sprintf("2026-11-%02d", 1+day)), Rates: texts})
	if err != nil {
		t.Fatal(err)
	}
	return rates, texts
}

// Listings in several currencies are found, counted and ordered as exact decimals say, in
// the currency of the reader: totals, facets, order and every page, while listings and
// rates change.
func TestOracleOfCurrencies(t *testing.T) {
	t.Parallel()
	if raceEnabled {
		t.Skip("runs without the race detector")
	}
	m := &market{r: rand.New(rand.NewPCG(18, 7)), lookup: realLookup(), currencies: []string{"USD", "JPY", "KWD"}}
	o, x := newOracle(m.lookup), New(m.lookup)
	var docs []Doc
	for range 1500 {
		docs = append(docs, m.doc())
	}
	load(t, x, docs)
	for _, d := range docs {
		o.put(d)
	}
	const queries = 300
	withHits, pages := 0, 0
	for i := range queries {
		switch {
		case i%20 == 0:
			var rates *models.Rates
			rates, o.rates = m.marketRates(t, i/20%28)
			x.SetRates(rates)
			clear(o.shown)
		case i%10 == 9:
			m.change(t, x, o)
		}
		q := m.query()
		if d := o.docs[m.r.IntN(len(o.docs))]; d != nil && m.r.IntN(4) == 0 { // a bound at the price of a listing
			q.Max = &models.Amount{Cents: o.priceFor(q.Currency, d), Currency: models.Currency{Code: q.Currency}}
			q.Min = nil
		}
		want := o.search(q)
		if why := allPages(x, q, want, &pages); why != "" {
			t.Fatalf("query %d %+v: %s", i, q, why)
		}
		if want.total > 0 {
			withHits++
		}
		gear := m.gear().Slug()
		if n, lowest, average := x.Asking(gear); m.lookup.At(m.lookup.Number(gear, "")).ModelSlug != "" {
			wantN, wantLowest, wantAverage := o.asking(gear)
			if n != wantN || lowest != wantLowest || average != wantAverage {
				t.Fatalf("%s: asking %d from %d, on average %d; want %d, %d, %d", gear, n, lowest, average, wantN, wantLowest, wantAverage)
			}
		}
	}
	if withHits < 75 {
		t.Errorf("only %d of %d queries found anything: the test tests little", withHits, queries)
	}
	t.Logf("%d queries, %d with hits, %d pages", queries, withHits, pages)
}

// asking returns what Asking does.
func (o *oracle) asking(gear string) (n int, lowest, average models.Cents) {
	sum := new(big.Rat)
	for _, d := range o.docs {
		if d == nil || d.Gear != gear {
			continue
		}
		price := o.priceFor("", d)
		if n++; n == 1 || price < lowest {
			lowest = price
		}
		sum.Add(sum, o.value(d.Price, d.Currency))
	}
	if n == 0 {
		return 0, 0, 0
	}
	sum.Mul(sum, big.NewRat(100, int64(n)))
	return n, lowest, models.Cents(new(big.Int).Quo(sum.Num(), sum.Denom()).Int64())
}

// 10,000 prices in random currencies are sorted by their exact values.
func TestPricesSortExactly(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(7, 18)), lookup: realLookup(), currencies: []string{"USD", "JPY", "KWD"}}
	o, x := newOracle(m.lookup), newCore(m.lookup)
	x.rates, o.rates = m.marketRates(t, 0)
	var list []ranked
	for range 10_000 {
		code := m.currency()
		list = append(list, ranked{part: x.partOf(code), position: position{price: int32(m.price()), currency: code}})
	}
	slices.SortFunc(list, func(a, b ranked) int { return Price.compareRanked(&a, &b) })
	var before *big.Rat
	for _, a := range list {
		value := o.value(models.Cents(a.price), a.currency)
		if before != nil && value.Cmp(before) < 0 {
			t.Fatalf("%s after %s", value.FloatString(6), before.FloatString(6))
		}
		before = value
	}
}

func TestFractionBelow(t *testing.T) {
	t.Parallel()
	const limit = 40
	var all []*big.Rat
	for n := range int64(limit + 1) {
		for d := int64(1); d <= limit; d++ {
			all = append(all, big.NewRat(n, d))
		}
	}
	slices.SortFunc(all, (*big.Rat).Cmp)
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		x := big.NewRat(r.Int64N(5000), 1+r.Int64N(3000))
		if r.IntN(4) == 0 {
			x = all[r.IntN(len(all))]
		}
		n, d, exact := fractionBelow(x, limit)
		at, _ := slices.BinarySearchFunc(all, x, func(a, x *big.Rat) int { return cmpAbove(a, x) })
		want := all[at-1]
		if got := big.NewRat(int64(n), int64(d)); got.Cmp(want) != 0 || exact != (got.Cmp(x) == 0) {
			t.Fatalf("below %s is %d/%d, exactly %v; want %s", x, n, d, exact, want)
		}
	}
}

// cmpAbove orders fractions that are at most x before it.
func cmpAbove(a, x *big.Rat) int {
	if a.Cmp(x) <= 0 {
		return -1
	}
	return 1
}

// A listing that changes its currency is in one part only, and one without a rate in none.
func TestCurrencyOfListingChanges(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(3, 3)), lookup: realLookup()}
	x := New(m.lookup)
	rates, err := models.NewRates(digitsOf(""), models.DayRates{Day: "2026-11-20", Rates: map[string]string{"USD": "2"}})
	if err != nil {
		t.Fatal(err)
	}
	x.SetRates(rates)
	d := m.doc()
	d.Price = 10000
	for _, c := range []struct {
		currency string
		want     int // between 45 and 55 euros
	}{{"", 0}, {"USD", 1}, {"", 0}, {"USD", 1}, {"ISK", 0}} {
		d.Currency = c.currency
		if err := x.Put(d); err != nil {
			t.Fatal(err)
		}
		r, err := x.Search(Query{Min: &models.Amount{Cents: 4500}, Max: &models.Amount{Cents: 5500}})
		if err != nil || r.Total != c.want || x.Len() != 1 {
			t.Errorf("in %q: %d listings of %d, %v; want %d", c.currency, r.Total, x.Len(), err, c.want)
		}
		if c.want == 1 && (len(r.Approx) != 1 || r.Approx[0].Cents != 5000 || r.Approx[0].Day != "2026-11-20") {
			t.Errorf("about %+v", r.Approx)
		}
	}
}

// A listing in another currency is below the range of its estimate if its price, converted
// and rounded once, is below the low end.
func TestBelowRangeInOtherCurrencies(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(5, 9)), lookup: realLookup(), currencies: []string{"USD", "JPY", "KWD"}}
	x, gear := New(m.lookup), realLookup().At(0)
	d := Doc{ID: m.id(), Gear: gear.Slug(), Category: gear.Category, Condition: models.ConditionGood, Seller: "ann", Title: gear.Name()}
	check := func(rates *models.Rates, low models.Cents) {
		t.Helper()
		x.SetRates(rates)
		d.Typical = prices.Typical{Price: low + 100, Low: low, High: low + 300, Sales: 9}
		if err := x.Put(d); err != nil {
			t.Fatal(err)
		}
		price, ok := rates.InMain(d.Price, d.Currency)
		want := 0
		if ok && price.Cents < low {
			want = 1
		}
		if r, err := x.Search(Query{Filter: Filter{Deal: prices.BelowRange}}); err != nil || r.Total != want {
			t.Fatalf("%d %s, about %+v, below %d: %d listings, %v; want %d", d.Price, d.Currency, price, low, r.Total, err, want)
		}
	}
	for i := range 80 {
		rates, _ := m.marketRates(t, i%28)
		if i%2 == 0 { // half of the prices end in half a cent
			var err error
			if rates, err = models.NewRates(digitsOf(""), models.DayRates{Day: "2026-11-20", Rates: map[string]string{"USD": "2", "JPY": "200"}}); err != nil {
				t.Fatal(err)
			}
		}
		d.Price, d.Currency = 100+models.Cents(m.r.IntN(500_000)), m.pick(m.currencies...)
		price, _ := rates.InMain(d.Price, d.Currency)
		for by := models.Cents(-1); by <= 1; by++ {
			check(rates, max(price.Cents+by, 1))
		}
	}
}
