package store_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestImportSalesRollsUp(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		sales := someSales(3000, 5)
		for i := range sales {
			sales[i].ExternalID = fmt.Sprint(i)
		}
		for _, part := range [][]models.Sale{sales[:1000], sales[500:2000], sales} {
			inserted, unchanged, err := s.Trades.ImportSales(ctx, part)
			must(t, err)
			if inserted+unchanged != len(part) || inserted%1000 != 0 || inserted == 0 {
				t.Errorf("%d inserted, %d unchanged of %d", inserted, unchanged, len(part))
			}
		}
		wantTrends(t, s, sales)

		at, err := s.Position(ctx)
		must(t, err)
		if inserted, unchanged, err := s.Trades.ImportSales(ctx, sales); inserted != 0 || unchanged != 3000 || err != nil {
			t.Error("imported again:", inserted, unchanged, err)
		}
		if now, err := s.Position(ctx); err != nil || changesSince(t, s, at, now) != 0 {
			t.Error("an import without changes logged changes", err)
		}
		none, err := s.Prices.Trend(ctx, "gear/none")
		must(t, err)
		if !reflect.DeepEqual(none, &prices.Trend{Gear: "gear/none"}) {
			t.Errorf("a gear without sales: %+v", none)
		}
		counts, err := s.Counts(ctx)
		must(t, err)
		if counts != (store.Counts{Sales: 3000}) {
			t.Errorf("%+v", counts)
		}
	})
}
