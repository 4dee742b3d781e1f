package store_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

func at(text string) models.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return models.TimeOf(t)
}

// sold returns sales of one day in one condition.
func sold(day string, condition models.Condition, prices ...models.Cents) []models.Sale {
	sales := make([]models.Sale, len(prices))
	for i, price := range prices {
		sales[i] = models.Sale{Gear: "canon/eos-r6", SoldAt: at(day), Condition: condition, Price: price}
	}
	return sales
}

// TestTrendStats compares with values computed by hand: R-7 puts quantile q of
// n sorted prices at index (n−1)·q.
func TestTrendStats(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		prices []models.Cents
		want   prices.Stats
	}{
		{"one", []models.Cents{500}, prices.Stats{Count: 1, Average: 500, Median: 500, Low: 500, High: 500, P25: 500, P75: 500}},
		// average 1.5, quartiles 1.25, 1.5 and 1.75
		{"two, halves go up", []models.Cents{2, 1}, prices.Stats{Count: 2, Average: 2, Median: 2, Low: 1, High: 2, P25: 1, P75: 2}},
		// average 5/3, quartiles on the first half steps: 1, 1 and 2
		{"three", []models.Cents{1, 3, 1}, prices.Stats{Count: 3, Average: 2, Median: 1, Low: 1, High: 3, P25: 1, P75: 2}},
		// steps 0.3, 0.75, 1.5, 2.25 and 2.7: 10+0.3·10, 10+0.75·10, 20+0.5·10, 30+0.25·70 and 30+0.7·70; average (20+30)/2
		{"four", []models.Cents{100, 10, 30, 20}, prices.Stats{Count: 4, Average: 25, Median: 25, Low: 13, High: 79, P25: 18, P75: 48}},
		{"five", []models.Cents{5, 4, 3, 2, 1}, prices.Stats{Count: 5, Average: 3, Median: 3, Low: 1, High: 5, P25: 2, P75: 4}},
		{"free", []models.Cents{0, 0}, prices.Stats{Count: 2}},
		{"largest", []models.Cents{models.MaxAmount, models.MaxAmount}, prices.Stats{Count: 2, Average: models.MaxAmount,
			Median: models.MaxAmount, Low: models.MaxAmount, High: models.MaxAmount, P25: models.MaxAmount, P75: models.MaxAmount}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.want.LastSoldAt = at("2026-11-20")
			trend := prices.NewTrend("canon/eos-r6", sold("2026-11-20", models.ConditionGood, test.prices...))
			if trend.Summary != test.want {
				t.Errorf("summary %+v, want %+v", trend.Summary, test.want)
			}
			if got := trend.ByCondition[models.ConditionGood]; got != test.want || len(trend.ByCondition) != 1 {
				t.Errorf("by condition %+v", trend.ByCondition)
			}
			if len(trend.Months) != 1 || trend.Months[0].Stats != test.want || trend.Months[0].Month.String() != "2026-11" {
				t.Errorf("months %+v", trend.Months)
			}
		})
	}
}

func TestTrendWindow(t *testing.T) {
	t.Parallel()
	trend := prices.NewTrend("canon/eos-r6", slices.Concat(
		sold("2026-11-20", models.ConditionGood, 300),
		sold("2025-11-21", models.ConditionFaulty, 100), // the first day of the window
		sold("2025-11-20", models.ConditionNew, 900),    // a year before the last sale: outside
		sold("2021-02-03", models.ConditionNew, 1000),
	))
	if trend.AsOf != at("2026-11-20") || trend.WindowFrom != at("2025-11-20") || trend.AllTime != 4 {
		t.Errorf("%+v", trend)
	}
	if s := trend.Summary; s.Count != 2 || s.Average != 200 || s.LastSoldAt != at("2026-11-20") {
		t.Errorf("summary %+v", s)
	}
	if _, ok := trend.ByCondition[models.ConditionNew]; ok || trend.ByCondition[models.ConditionFaulty].Low != 100 {
		t.Errorf("by condition %+v", trend.ByCondition)
	}
	var months []string
	for _, m := range trend.Months {
		months = append(months, m.Month.String())
	}
	if want := []string{"2021-02", "2025-11", "2026-11"}; !slices.Equal(months, want) {
		t.Errorf("months %v, want %v", months, want)
	}
	if trend.Months[1].Count != 2 {
		t.Errorf("2025-11: %+v", trend.Months[1])
	}
}

func TestTrendLeapDay(t *testing.T) {
	t.Parallel()
	if trend := prices.NewTrend("g", sold("2028-02-29", models.ConditionGood, 1)); trend.WindowFrom != at("2027-03-01") {
		t.Errorf("window from %s", trend.WindowFrom.RFC3339())
	}
}

func TestTrendChanges(t *testing.T) {
	t.Parallel()
	const good = models.ConditionGood
	five := func(price models.Cents) []models.Cents {
		return []models.Cents{price - 2, price - 1, price, price + 1, price + 2}
	}
	points := func(n int) *int { return &n }
	for _, test := range []struct {
		name               string
		sales              []models.Sale
		d30, d90, months12 *int
	}{
		{"nothing", nil, nil, nil, nil},
		{"too few before", slices.Concat(sold("2026-11-20", good, five(100)...), sold("2026-10-10", good, 1, 2, 3, 4)), nil, nil, nil},
		// 1000 → 875 within 30 days is −12.5 %; both lie within the last 90 days
		{"30 days", slices.Concat(sold("2026-11-20", good, five(875)...), sold("2026-10-20", good, five(1000)...)), points(-1250), nil, nil},
		// 30 days before 20 November is 21 October: its sales are in the earlier span
		{"the edge of 30 days", slices.Concat(sold("2026-11-20", good, five(200)...), sold("2026-10-21", good, five(100)...)), points(10000), nil, nil},
		// 90 days before 20 November is 22 August, 180 days is 24 May
		{"90 days", slices.Concat(sold("2026-11-20", good, five(300)...), sold("2026-05-25", good, five(200)...)), nil, points(5000), nil},
		{"more than 180 days ago", slices.Concat(sold("2026-11-20", good, five(300)...), sold("2026-05-24", good, five(200)...)), nil, nil, nil},
		// the last 90 days against the 90 days that end a year before: 22 August 2025 is out, 23 August is in
		{"12 months", slices.Concat(sold("2026-11-20", good, five(200)...), sold("2025-08-23", good, five(300)...)), nil, nil, points(-3333)},
		{"12 months, a year ago to the day", slices.Concat(sold("2026-11-20", good, five(200)...), sold("2025-11-20", good, five(300)...)), nil, nil, points(-3333)},
		{"more than 15 months ago", slices.Concat(sold("2026-11-20", good, five(200)...), sold("2025-08-22", good, five(300)...)), nil, nil, nil},
		// of five prices each, 5 % apart is what chance does: less is not stated, and more only if they agree
		{"within chance", slices.Concat(sold("2026-11-20", good, five(960)...), sold("2026-10-20", good, five(1000)...)), nil, nil, nil},
		{"of prices that differ", slices.Concat(sold("2026-11-20", good, 500, 600, 875, 1100, 1200), sold("2026-10-20", good, 700, 800, 1000, 1200, 1300)), nil, nil, nil},
		{"from nothing", slices.Concat(sold("2026-11-20", good, five(200)...), sold("2026-10-20", good, 0, 0, 0, 0, 0)), nil, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			trend := prices.NewTrend("g", test.sales)
			for _, c := range []struct {
				span      string
				got, want *int
			}{{"30d", trend.Change30d, test.d30}, {"90d", trend.Change90d, test.d90}, {"12m", trend.Change12m, test.months12}} {
				if !reflect.DeepEqual(c.got, c.want) {
					t.Errorf("%s: got %s, want %s", c.span, show(c.got), show(c.want))
				}
			}
		})
	}
}

func show(n *int) any {
	if n == nil {
		return "nothing"
	}
	return *n
}

// TestTrendProperties checks for random sales that the statistics are ordered
// and independent of the order of sales, that the months and conditions add up,
// and that quartiles are rounded exactly.
func TestTrendProperties(t *testing.T) {
	t.Parallel()
	sale := rapid.Custom(func(t *rapid.T) models.Sale {
		return models.Sale{
			Gear:      "g",
			SoldAt:    models.Time(rapid.Int64Range(1_500_000_000_000, 1_800_000_000_000).Draw(t, "sold at")),
			Condition: rapid.SampledFrom(models.Conditions).Draw(t, "condition"),
			Price:     models.Cents(rapid.Int64Range(0, int64(models.MaxAmount)).Draw(t, "price")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		sales := rapid.SliceOf(sale).Draw(t, "sales")
		trend := prices.NewTrend("g", sales)
		if shuffled := prices.NewTrend("g", rapid.Permutation(sales).Draw(t, "shuffled")); !reflect.DeepEqual(trend, shuffled) {
			t.Fatalf("trend depends on the order of sales: %+v, %+v", trend, shuffled)
		}
		var inMonths, inConditions int
		for _, m := range trend.Months {
			inMonths += m.Count
			checkStats(t, m.Stats)
		}
		for _, s := range trend.ByCondition {
			inConditions += s.Count
			checkStats(t, s)
		}
		if inMonths != len(sales) || trend.AllTime != len(sales) || inConditions != trend.Summary.Count {
			t.Fatalf("%d sales: %d in months, %d in conditions, %+v", len(sales), inMonths, inConditions, trend)
		}
		if len(sales) == 0 {
			return
		}
		checkStats(t, trend.Summary)
		var prices []models.Cents
		for _, s := range sales {
			if s.SoldAt > trend.WindowFrom {
				prices = append(prices, s.Price)
			}
		}
		slices.Sort(prices)
		for q, got := range map[int64]models.Cents{1: trend.Summary.P25, 2: trend.Summary.Median, 3: trend.Summary.P75} {
			if want := exactQuartile(prices, q); got != want {
				t.Fatalf("quartile %d of %v: got %d, want %d", q, prices, got, want)
			}
		}
	})
}

func checkStats(t *rapid.T, s prices.Stats) {
	if s.Count < 1 || s.Low > s.P25 || s.P25 > s.Median || s.Median > s.P75 || s.P75 > s.High || s.Average < s.Low || s.Average > s.High {
		t.Fatalf("out of order: %+v", s)
	}
}

func exactQuartile(sorted []models.Cents, q int64) models.Cents { return exactQuantile(sorted, q, 4) }

// exactQuantile computes the R-7 quantile q/parts with rational numbers, rounded half up.
func exactQuantile(sorted []models.Cents, q, parts int64) models.Cents {
	step := big.NewRat(int64(len(sorted)-1)*q, parts)
	i := (len(sorted) - 1) * int(q) / int(parts)
	price := new(big.Rat).SetInt64(int64(sorted[i]))
	if i+1 < len(sorted) {
		gap := new(big.Rat).SetInt64(int64(sorted[i+1] - sorted[i]))
		price.Add(price, gap.Mul(gap, step.Sub(step, new(big.Rat).SetInt64(int64(i)))))
	}
	price.Add(price, big.NewRat(1, 2))
	return models.Cents(new(big.Int).Quo(price.Num(), price.Denom()).Int64())
}

func jsonOf(t *prices.Trend) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestHonestShops checks that rules against rings leave the figures of honest markets: shops that
// sell much to buyers who are new, some of whom sell on to another shop.
func TestHonestShops(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                   string
		shops, each, resold    int // sales of each shop, and how many of a hundred buyers sell to the next shop
		others, counted, among int // sellers of one item, and at least how many sales count, of all
	}{
		{"one shop among others", 1, 30, 0, 12, 15, 42},
		{"five shops", 5, 30, 0, 0, 150, 150},
		{"five shops and others, with trade-ins", 5, 30, 10, 40, 190, 208},
		{"collectors who sell on", 0, 0, 0, 60, 60, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			var sales []models.Sale
			sell := func(seller, buyer string) {
				sales = append(sales, models.Sale{ID: fmt.Sprintf("%04d", len(sales)), Gear: "g", Condition: models.ConditionGood, Price: models.Cents(90_000 + random.IntN(20_000)),
					Source: models.SaleByMembers, SellerID: seller, BuyerID: buyer})
			}
			for i := range max(c.each, c.others) {
				for shop := range c.shops {
					if i < c.each {
						buyer := fmt.Sprint("buyer-", shop, "-", i)
						sell(fmt.Sprint("shop-", shop), buyer)
						if random.IntN(100) < c.resold {
							sell(buyer, fmt.Sprint("shop-", (shop+1)%c.shops))
						}
					}
				}
				if i < c.others { // each bought from the one before
					sell(fmt.Sprint("collector-", i), fmt.Sprint("collector-", i+1))
				}
			}
			for i := range sales {
				sales[i].SoldAt = at("2026-01-01") + models.Time(i)*300*models.DayMillis/models.Time(len(sales))
			}
			if trend := prices.NewTrend("g", sales); trend.Summary.Count < c.counted || trend.AllTime != c.among {
				t.Errorf("of %d sales %d count, want %d of %d: %+v", trend.AllTime, trend.Summary.Count, c.counted, c.among, trend.Uncounted)
			}
		})
	}
}
