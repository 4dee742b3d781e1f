package store_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
)

// TestTrendRules compares trends of random sales with a reference that follows
// the rules of NewTrend step by step, and the trends after each sale with those
// computed from all sales up to it.
func TestTrendRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sales := drawSales(t)
		got, want := prices.NewTrend("g", sales), referenceTrend("g", sales)
		if diff := trendDiff(got, want); diff != "" {
			t.Fatal(diff)
		}
		ordered := eligibleInOrder(sales)
		for i, got := range store.TrendsOf("g", ordered) {
			if diff := trendDiff(got, prices.NewTrend("g", ordered[:i+1])); diff != "" {
				t.Fatalf("after sale %d of %d: %s", i+1, len(ordered), diff)
			}
		}
	})
}

// drawSales returns sales of few members in few conditions, so that every rule
// applies.
func drawSales(t *rapid.T) []models.Sale {
	member := rapid.SampledFrom([]string{"ada", "ben", "cleo", "dan", "eve", "flo", "gus", "hal", "ida"})
	sources := []models.SaleSource{models.SaleByMembers, models.SaleByMembers, models.SaleByMembers, models.SaleByShop, models.SaleImported, "", models.SaleDeclared}
	span := rapid.SampledFrom([]int64{20, 100, 400, 1200}).Draw(t, "days")
	newcomers := rapid.IntRange(0, 3).Draw(t, "newcomers")
	outliers := rapid.IntRange(0, 3).Draw(t, "outliers")
	n := rapid.IntRange(0, 150).Draw(t, "n")
	sales := make([]models.Sale, n)
	for i := range sales {
		s := &sales[i]
		*s = models.Sale{
			ID: fmt.Sprintf("%d-%d", rapid.IntRange(0, 9).Draw(t, "id"), i), Gear: "g", Source: rapid.SampledFrom(sources).Draw(t, "source"),
			Condition: rapid.SampledFrom(models.Conditions[2:4]).Draw(t, "condition"),
			Price:     models.Cents(rapid.IntRange(900, 1100).Draw(t, "price")),
			SoldAt:    at("2024-02-20") + models.Time(rapid.Int64Range(0, span).Draw(t, "day")*24*3600*1000),
		}
		if rapid.IntRange(0, 9).Draw(t, "outlier") < outliers {
			s.Price = rapid.SampledFrom([]models.Cents{0, 1, 249, 250, 251, 3999, 4000, 4001, 9000}).Draw(t, "unusual price")
			s.OutOfRange = rapid.Bool().Draw(t, "out of range")
		}
		if s.Source == models.SaleByMembers {
			s.SellerID, s.BuyerID = member.Draw(t, "seller"), member.Draw(t, "buyer")+rapid.SampledFrom([]string{"", "1", "2", "3", "4", "5", "6", "7"}).Draw(t, "buyer's number")
			s.Newcomer = rapid.IntRange(0, 5).Draw(t, "newcomer") < newcomers
			s.ByBuyer = rapid.IntRange(0, 3).Draw(t, "by buyer") == 0
			if rapid.IntRange(0, 5).Draw(t, "approved") == 0 {
				s.ApprovedAt = 1
			}
		}
		switch rapid.IntRange(0, 20).Draw(t, "status") {
		case 0:
			s.Status = models.SaleWaiting
		case 1:
			s.VoidedAt = 1
		}
	}
	return sales
}

func trendDiff(got, want *prices.Trend) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf("got\n%s\nwant\n%s", jsonOf(got), jsonOf(want))
}

// reference computes a trend from the sales that no statistic leaves out.
type reference struct {
	sales                    []models.Sale
	held, repeated, newcomer []models.Time
}

func referenceTrend(gear string, all []models.Sale) *prices.Trend {
	var r reference
	ordered := eligibleInOrder(all)
	for _, sale := range ordered {
		between := sale.Source == models.SaleByMembers
		switch {
		case between && sale.Newcomer:
			r.newcomer = append(r.newcomer, sale.SoldAt)
		case between && r.connected(sale):
			r.repeated = append(r.repeated, sale.SoldAt)
		case sale.ApprovedAt == 0 && (sale.OutOfRange || r.unusual(sale)):
			r.held = append(r.held, sale.SoldAt)
		default:
			r.sales = append(r.sales, sale)
		}
	}
	if len(r.sales) == 0 {
		return &prices.Trend{Gear: gear}
	}
	t := &prices.Trend{Gear: gear, AllTime: len(ordered)}
	t.AsOf = r.asOf()
	t.WindowFrom = aYearBefore(t.AsOf)
	window := r.between(t.WindowFrom, distant)
	t.Summary = publishedOf(window)
	t.ByCondition = map[models.Condition]prices.Stats{}
	for _, c := range models.Conditions {
		if stats := publishedOf(only(window, func(s models.Sale) bool { return s.Condition == c })); stats.Count > 0 {
			t.ByCondition[c] = stats
		}
	}
	for _, s := range r.sales {
		month := models.MonthOf(s.SoldAt)
		if n := len(t.Months); n == 0 || t.Months[n-1].Month != month {
			stats := publishedOf(only(r.sales, func(s models.Sale) bool { return models.MonthOf(s.SoldAt) == month }))
			t.Months = append(t.Months, prices.TrendMonth{Month: month, Stats: stats})
		}
	}
	const day = 24 * 3600 * 1000
	t.Change30d = changeBetween(r.between(t.AsOf-60*day, t.AsOf-30*day), r.between(t.AsOf-30*day, distant))
	t.Change90d = changeBetween(r.between(t.AsOf-180*day, t.AsOf-90*day), r.between(t.AsOf-90*day, distant))
	t.Change12m = changeBetween(r.between(t.WindowFrom-90*day, t.WindowFrom), r.between(t.AsOf-90*day, distant))

	recent := func(times []models.Time) (n int) {
		for _, at := range times {
			if at > t.WindowFrom {
				n++
			}
		}
		return n
	}
	t.Uncounted = prices.Uncounted{Held: recent(r.held), Repeated: recent(r.repeated), Newcomers: recent(r.newcomer), OverLimit: len(window) - len(limited(window))}
	bySource := map[models.SaleSource]int{}
	for _, s := range window {
		if s.Source != models.SaleByMembers {
			bySource[s.Source]++
		}
	}
	if n := t.Summary.Count - bySource[models.SaleImported] - bySource[models.SaleByShop]; n > 0 {
		bySource[models.SaleByMembers] = n
	}
	for source, n := range bySource {
		t.Sources = append(t.Sources, prices.SourceCount{Source: source, Sales: n})
	}
	slices.SortFunc(t.Sources, func(a, b prices.SourceCount) int { return cmp.Compare(a.Source, b.Source) })
	return t
}

func eligibleInOrder(sales []models.Sale) []models.Sale {
	sales = slices.Clone(sales)
	for i := range sales {
		sales[i].Source, sales[i].Status = cmp.Or(sales[i].Source, models.SaleImported), cmp.Or(sales[i].Status, models.SaleConfirmed)
	}
	sales = only(sales, func(s models.Sale) bool { return s.Eligible() })
	slices.SortStableFunc(sales, func(a, b models.Sale) int {
		return cmp.Or(cmp.Compare(a.SoldAt, b.SoldAt), strings.Compare(a.ID, b.ID))
	})
	return sales
}

func only(sales []models.Sale, is func(models.Sale) bool) (some []models.Sale) {
	for _, s := range sales {
		if is(s) {
			some = append(some, s)
		}
	}
	return some
}

// connected reports whether sales connect the members of a sale, through members who have
// traded since a year before.
func (r *reference) connected(sale models.Sale) bool {
	type ring struct {
		members map[string]bool
		last    models.Time
	}
	var rings []ring
	for _, s := range r.sales {
		if s.Source != models.SaleByMembers {
			continue
		}
		joined := ring{map[string]bool{s.SellerID: true, s.BuyerID: true}, s.SoldAt}
		var apart []ring
		for _, other := range rings {
			switch {
			case other.last <= aYearBefore(s.SoldAt): // forgotten
			case other.members[s.SellerID] || other.members[s.BuyerID]:
				maps.Copy(joined.members, other.members)
			default:
				apart = append(apart, other)
			}
		}
		rings = append(apart, joined)
	}
	return slices.ContainsFunc(rings, func(r ring) bool {
		return r.last > aYearBefore(sale.SoldAt) && r.members[sale.SellerID] && r.members[sale.BuyerID]
	})
}

func (r *reference) unusual(sale models.Sale) bool {
	if len(r.sales) == 0 {
		return false
	}
	known := limited(only(r.between(aYearBefore(r.asOf()), distant), func(s models.Sale) bool { return s.Condition == sale.Condition }))
	if len(known) < 10 {
		return false
	}
	median := statsOf(known).Median
	return 4*sale.Price < median || sale.Price > 4*median
}

func (r *reference) asOf() models.Time { return r.sales[len(r.sales)-1].SoldAt }

const distant models.Time = 1 << 60

func (r *reference) between(after, upTo models.Time) []models.Sale {
	return only(r.sales, func(s models.Sale) bool { return s.SoldAt > after && s.SoldAt <= upTo })
}

func aYearBefore(t models.Time) models.Time {
	then := t.Std()
	if then.Month() == time.February && then.Day() == 29 {
		return models.TimeOf(time.Date(then.Year()-1, 3, 1, 0, 0, 0, 0, time.UTC))
	}
	return models.TimeOf(then.AddDate(-1, 0, 0))
}

// publishedOf returns the published statistics of a set.
func publishedOf(set []models.Sale) prices.Stats {
	stats := statsOf(limited(set))
	stats.LastSoldAt = lastOf(set)
	return stats
}

func lastOf(sales []models.Sale) models.Time {
	if len(sales) == 0 {
		return 0
	}
	return sales[len(sales)-1].SoldAt
}

// limited returns the sales of a set that are within the limits of their sellers.
func limited(set []models.Sale) (counted []models.Sale) {
	for _, c := range models.Conditions {
		some := only(set, func(s models.Sale) bool { return s.Condition == c })
		limit := len(some)
		for ; limit > 1 && 5*limit > len(firstOf(some, limit)); limit-- {
		}
		counted = append(counted, firstOf(some, max(limit, 1))...)
	}
	return counted
}

// firstOf returns the first sales of each seller, up to a limit.
func firstOf(sales []models.Sale, limit int) (first []models.Sale) {
	of := map[string]int{}
	return only(sales, func(s models.Sale) bool {
		if s.Source != models.SaleByMembers {
			return true
		}
		seller := s.SellerID
		if s.ByBuyer {
			seller = s.BuyerID
		}
		of[seller]++
		return of[seller] <= limit
	})
}

// statsOf returns the statistics of sales, without LastSoldAt.
func statsOf(sales []models.Sale) (stats prices.Stats) {
	var figures []models.Cents
	for _, s := range sales {
		figures = append(figures, s.Price)
	}
	if len(figures) == 0 {
		return stats
	}
	slices.Sort(figures)
	var sum models.Cents
	middle := figures[len(figures)/4 : len(figures)-len(figures)/4]
	for _, price := range middle {
		sum += price
	}
	n := models.Cents(len(middle))
	return prices.Stats{Count: len(figures), Average: (2*sum + n) / (2 * n), Low: exactQuantile(figures, 1, 10), High: exactQuantile(figures, 9, 10),
		P25: exactQuartile(figures, 1), Median: exactQuartile(figures, 2), P75: exactQuartile(figures, 3)}
}

func changeBetween(earlier, later []models.Sale) *int {
	from, to := publishedOf(earlier), publishedOf(later)
	if from.Count < 5 || to.Count < 5 || from.Median == 0 || to.Median == 0 {
		return nil
	}
	variance := 0.0 // of the logarithm of the change
	for _, s := range []prices.Stats{from, to} {
		spread := max(0.05, float64(s.P75-s.P25)/1.349/float64(s.Median))
		variance += 1.2533 * 1.2533 * spread * spread / float64(s.Count)
	}
	if change := math.Log(float64(to.Median) / float64(from.Median)); change*change <= 1.2816*1.2816*variance {
		return nil
	}
	diff, half := 10_000*int(to.Median-from.Median), int(from.Median)/2
	points := (diff + half) / int(from.Median)
	if diff < 0 {
		points = -((-diff + half) / int(from.Median))
	}
	return &points
}
