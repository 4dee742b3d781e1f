package store_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// A forgery is a way to forge sales of gear that has honest ones.
type forgery struct {
	known int    // honest sales
	price string // that of the forged sales, in forgedPrices
	ring  int    // how many accounts the forgers sell to each
}

var forgedPrices = map[string]func(i int) models.Cents{
	"high":   func(int) models.Cents { return 100_000 * 39 / 10 },
	"low":    func(int) models.Cents { return 100_000 * 26 / 100 },
	"cents":  func(i int) models.Cents { return models.Cents(i % 100) },
	"subtle": func(int) models.Cents { return 101_900 },
}

// honestSalesKnown are the numbers of honest sales that forgers meet.
var honestSalesKnown = []int{0, 5, 12, 60, 400}

// forgeries returns all of them. Every fifth has each price, ring and number of honest sales
// at least once.
func forgeries() (all []forgery) {
	for _, price := range slices.Sorted(maps.Keys(forgedPrices)) {
		for _, ring := range []int{1, 9} {
			for i := range honestSalesKnown {
				known := honestSalesKnown[(i+len(all)/len(honestSalesKnown))%len(honestSalesKnown)]
				all = append(all, forgery{known, price, ring})
			}
		}
	}
	return all
}

// TestForgedSales has ten new accounts sell 50 items each, to one accomplice or
// in a ring, beside different numbers of honest sales. No public median may move
// by more than 2 %, no price may become public, and voiding the sales must
// restore the trend.
func TestForgedSales(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		members := sellers(40)
		must(t, s.Accounts.InsertMembers(t.Context(), members))
		for _, f := range part(forgeries()) {
			forge(t, s, f, members[:30], members[30:])
		}
	})
}

// forge sells as f says, and checks the trend after each step.
func forge(t *testing.T, s *store.Store, f forgery, honest, fresh []models.Member) {
	t.Helper()
	ctx := t.Context()
	gear := fmt.Sprintf("forged/%d-%s-%d", f.known, f.price, f.ring)
	sales := honestSales(gear, f.known, honest)
	_, _, err := s.Trades.ImportSales(ctx, sales)
	must(t, err)
	before, err := s.Prices.Trend(ctx, gear)
	must(t, err)
	forged := forgedSales(gear, forgedPrices[f.price], fresh, f.ring)
	for batch := range 5 {
		_, _, err := s.Trades.ImportSales(ctx, forged[100*batch:100*(batch+1)])
		must(t, err)
		after, err := s.Prices.Trend(ctx, gear)
		must(t, err)
		wantUnmoved(t, before, after)
	}
	wantTrend(t, s, gear, append(sales, forged...))
	must(t, s.MarkVoided(ctx, forged))
	restored, err := s.Prices.Trend(ctx, gear)
	must(t, err)
	if got, want := jsonOf(restored), jsonOf(before); got != want {
		t.Errorf("%s: voiding the sales leaves\n%s\nwant\n%s", gear, got, want)
	}
}

// honestSales returns sales of a year around a price of 1,000, half of them
// imported and a few by newcomers.
func honestSales(gear string, n int, members []models.Member) []models.Sale {
	random := rand.New(rand.NewPCG(uint64(n), 4))
	sales := make([]models.Sale, n)
	for i := range sales {
		sales[i] = models.Sale{
			ID: models.NewID(time.Now()), Gear: gear, Condition: models.Conditions[2+random.IntN(2)], Region: "DE",
			Price:  models.Cents(80_000 + random.IntN(40_000)),
			SoldAt: someTime - models.Time((n-i)*24*3600*1000*300/n),
		}
		if i%2 == 0 {
			sales[i].Source, sales[i].Newcomer = models.SaleByMembers, i%10 == 8
			sales[i].SellerID, sales[i].BuyerID = members[i%len(members)].ID, members[(i*7+1)%len(members)].ID
		}
	}
	return sales
}

// forgedSales returns 50 sales of each fresh member, to as many others as ring
// says.
func forgedSales(gear string, price func(i int) models.Cents, fresh []models.Member, ring int) (sales []models.Sale) {
	for i := range 50 * len(fresh) {
		seller := i % len(fresh)
		buyer := (seller + 1 + i/len(fresh)%ring) % len(fresh)
		sales = append(sales, models.Sale{
			ID: models.NewID(time.Now()), Gear: gear, Condition: models.Conditions[2+i/7%2], Region: "DE", Price: price(i),
			SoldAt: someTime + models.Time(i*3600*1000), Source: models.SaleByMembers, Newcomer: true,
			SellerID: fresh[seller].ID, BuyerID: fresh[buyer].ID,
		})
	}
	return sales
}

// wantUnmoved checks that the same medians are public and moved by at most 2 %.
func wantUnmoved(t *testing.T, before, after *prices.Trend) {
	t.Helper()
	old, now := mediansOf(before), mediansOf(after)
	for figure, median := range now {
		was, public := old[figure]
		if shift := 50 * (median - was); !public || shift > was || -shift > was {
			t.Errorf("%s: the median of %s is %d, before %d", after.Gear, figure, median, was)
		}
	}
	for figure := range old {
		if _, public := now[figure]; !public {
			t.Errorf("%s: the median of %s is no longer public", after.Gear, figure)
		}
	}
}

// mediansOf returns the public medians by figure.
func mediansOf(t *prices.Trend) map[string]models.Cents {
	medians := map[string]models.Cents{}
	add := func(figure string, s prices.Stats) {
		if s.Enough() {
			medians[figure] = s.Median
		}
	}
	add("all", t.Summary)
	for c, s := range t.ByCondition {
		add(string(c), s)
	}
	for _, m := range t.Months {
		add(m.Month.String(), m.Stats)
	}
	return medians
}

// wantTrend checks that the stored trend of a gear equals the one computed from its sales.
func wantTrend(t *testing.T, s *store.Store, gear string, sales []models.Sale) {
	t.Helper()
	got, err := s.Prices.Trend(context.Background(), gear)
	must(t, err)
	if diff := trendDiff(got, prices.NewTrend(gear, sales)); diff != "" {
		t.Error(diff)
	}
}

// TestHeldSales checks that sales with unusual prices are marked until they are
// approved.
func TestHeldSales(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx, db := storetest.Open(t, url, nil), t.Context(), raw(t, url)
		members := sellers(2)
		must(t, s.Accounts.InsertMembers(ctx, members))
		sales := sold("2026-11-20", models.ConditionGood, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100)
		dear := sold("2026-11-21", models.ConditionGood, 401)[0]
		dear.ID, dear.Source, dear.SellerID, dear.BuyerID = models.NewID(time.Now()), models.SaleByMembers, members[0].ID, members[1].ID
		sales = append(sales, dear)
		_, _, err := s.Trades.ImportSales(ctx, sales)
		must(t, err)
		want := func(held bool, count int) {
			t.Helper()
			var got bool
			must(t, db.QueryRow(`SELECT held FROM sales WHERE price = 401`).Scan(&got))
			trend, err := s.Prices.Trend(ctx, dear.Gear)
			must(t, err)
			if got != held || trend.Summary.Count != count || trend.AllTime != 11 || trend.Uncounted.Held != 11-count {
				t.Errorf("held %v, want %v: %+v", got, held, trend)
			}
		}
		want(true, 10)
		if _, err := db.Exec(`UPDATE sales SET approved_at = 1 WHERE price = 401`); err != nil {
			t.Fatal(err)
		}
		_, _, err = s.Prices.RebuildTrends(ctx)
		must(t, err)
		want(false, 11)
	})
}

// TestTrendsFollowOtherServers has two servers record sales in turn, in order
// and out of order, with failures and voided sales in between.
func TestTrendsFollowOtherServers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		servers, ctx := []*store.Store{open(), open()}, t.Context()
		random := rand.New(rand.NewPCG(5, 6))
		members := sellers(6)
		must(t, servers[0].Accounts.InsertMembers(ctx, members))
		const gear = "canon/eos-r6"
		var sales []models.Sale
		for i := range 150 {
			s := servers[random.IntN(2)]
			sale := models.Sale{ID: models.NewID(time.Now()), Gear: gear, Condition: models.ConditionGood, Region: "DE", Price: models.Cents(900 + random.IntN(200)),
				SoldAt: someTime + models.Time(i*3*24*3600*1000), Source: models.SaleByMembers, Newcomer: random.IntN(4) == 0,
				SellerID: members[random.IntN(3)].ID, BuyerID: members[3+random.IntN(3)].ID}
			switch random.IntN(8) {
			case 0: // out of order
				sale.SoldAt -= models.Time(random.IntN(40) * 24 * 3600 * 1000)
			case 1: // unusual
				sale.Price *= 5
			case 2:
				sale.Source, sale.SellerID, sale.BuyerID = models.SaleImported, "", ""
			}
			failed, cancel := context.WithCancel(ctx)
			cancel()
			if _, _, err := s.Trades.ImportSales(failed, []models.Sale{sale}); err == nil {
				t.Fatal("a cancelled import succeeded")
			}
			if err := s.FailAfterRollUp(ctx, sale); err == nil {
				t.Fatal("a failing transaction succeeded")
			}
			_, _, err := s.Trades.ImportSales(ctx, []models.Sale{sale})
			must(t, err)
			sales = append(sales, sale)
			if random.IntN(10) == 0 {
				void := random.IntN(len(sales))
				must(t, s.MarkVoided(ctx, sales[void:void+1]))
				sales[void].VoidedAt = 1
			}
			if i%10 == 9 {
				wantTrend(t, s, gear, sales)
			}
		}
		wantTrend(t, servers[0], gear, sales)
		if _, repaired, err := servers[1].Prices.RebuildTrends(ctx); err != nil || len(repaired) > 0 {
			t.Error("repaired", repaired, err)
		}
	})
}

// TestMethodOfTrends checks that migrating computes trends of another method
// again.
func TestMethodOfTrends(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		sales := someSales(300, 3)
		_, _, err := s.Trades.ImportSales(ctx, sales)
		must(t, err)
		for _, statement := range []string{
			`UPDATE trends SET method = 1 WHERE gear IN ('gear/0', 'gear/1')`,
			`UPDATE trend_summaries SET median = 1`,
		} {
			if _, err := raw(t, url).Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		must(t, s.Migrate(ctx))
		for gear, outdated := range map[string]bool{"gear/0": false, "gear/1": false, "gear/2": true} {
			trend, err := s.Prices.Trend(ctx, gear)
			must(t, err)
			if (trend.Summary.Median == 1) != outdated {
				t.Errorf("%s: median %d", gear, trend.Summary.Median)
			}
		}
	})
}
