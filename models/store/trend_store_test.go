package store_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestConcurrentRollUps checks that concurrent updates of a trend include every
// sale.
func TestConcurrentRollUps(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		stores := []*store.Store{open(), open()}
		sales := someSales(800, 3)
		var wg sync.WaitGroup
		for writer := range 8 {
			wg.Go(func() {
				mine := sales[writer*100 : writer*100+100]
				for len(mine) > 0 {
					if _, _, err := stores[writer%2].Trades.ImportSales(context.Background(), mine[:10]); err != nil {
						t.Error(err)
					}
					mine = mine[10:]
				}
			})
		}
		wg.Wait()
		wantTrends(t, stores[0], sales)
		checked, repaired, err := stores[1].Prices.RebuildTrends(t.Context())
		must(t, err)
		if checked != 3 || len(repaired) != 0 {
			t.Errorf("%d trends checked, %v repaired", checked, repaired)
		}
	})
}

func TestRebuildTrends(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		sales := someSales(500, 6)
		_, _, err := s.Trades.ImportSales(ctx, sales)
		must(t, err)
		db := raw(t, url)
		for _, damage := range []string{
			`UPDATE trend_months SET median = median + 1 WHERE gear = 'gear/0' AND month_key = (SELECT MAX(month_key) FROM trend_months WHERE gear = 'gear/0')`,
			`UPDATE trends SET change_12m = 7 WHERE gear = 'gear/1'`,
			`DELETE FROM trend_summaries WHERE gear = 'gear/2' AND condition = ''`,
			`INSERT INTO trend_months SELECT gear, 1, sales, average, median, low, high, p25, p75, last_sold_at FROM trend_summaries WHERE gear = 'gear/3' AND condition = ''`,
			`DELETE FROM trends WHERE gear = 'gear/4'`,
			`INSERT INTO trends (gear, as_of, window_from, all_time) VALUES ('gear/ghost', 1, 1, 1)`,
		} {
			if _, err := db.Exec(damage); err != nil {
				t.Fatal(err)
			}
		}
		checked, repaired, err := s.Prices.RebuildTrends(ctx)
		must(t, err)
		want := []string{"gear/0", "gear/1", "gear/2", "gear/3", "gear/4"}
		if got := slices.DeleteFunc(slices.Clone(repaired), func(g string) bool { return g == "gear/ghost" }); checked != 7 || !slices.Equal(got, want) {
			t.Errorf("%d checked, %v repaired", checked, repaired)
		}
		wantTrends(t, s, sales)
		if _, repaired, err := s.Prices.RebuildTrends(ctx); err != nil || len(repaired) > 0 {
			t.Error("the second rebuild repaired", repaired, err)
		}
	})
}

// TestConditionMonths compares the months of a condition with those of a trend of its
// sales alone.
func TestConditionMonths(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		sales := someSales(800, 2)
		_, _, err := s.Trades.ImportSales(ctx, sales)
		must(t, err)
		for _, condition := range models.Conditions {
			alone := slices.DeleteFunc(slices.Clone(sales), func(sale models.Sale) bool {
				return sale.Gear != "gear/1" || sale.Condition != condition
			})
			months, err := s.Prices.ConditionMonths(ctx, "gear/1", condition)
			must(t, err)
			if want := prices.NewTrend("gear/1", alone).Months; !slices.Equal(months, want) {
				t.Errorf("%s: got months %+v, want %+v", condition, months, want)
			}
		}
		if months, err := s.Prices.ConditionMonths(ctx, "gear/none", "good"); err != nil || len(months) != 0 {
			t.Errorf("gear without sales: got months %v, error %v", months, err)
		}
	})
}
