package bench

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
)

const trendGear = "canon/eos-5d-mark-iii"

// BenchmarkTrend compares reading the rolled-up trend of a gear, as requests do, with
// computing it from its sales over five years, on SQLite. It fails if the results
// differ.
func BenchmarkTrend(b *testing.B) {
	for _, sales := range []int{1000, 20_000} {
		path := filepath.Join(b.TempDir(), "trend.db")
		store := newSalesStore(b, path, sales)
		raw, err := sql.Open("sqlite", path)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { raw.Close() })
		rolledUp := func() (*prices.Trend, error) { return store.Prices.Trend(b.Context(), trendGear) }
		computed := func() (*prices.Trend, error) { return trendOf(b.Context(), raw, trendGear) }
		got, err := rolledUp()
		if err != nil {
			b.Fatal(err)
		}
		want, err := computed()
		if err != nil {
			b.Fatal(err)
		}
		if got.AllTime != sales || !reflect.DeepEqual(got, want) {
			b.Fatalf("rolled up\n%+v\ncomputed\n%+v", got, want)
		}
		b.Run(fmt.Sprint(sales, "-sales/rolled-up"), func(b *testing.B) { readTrends(b, rolledUp) })
		b.Run(fmt.Sprint(sales, "-sales/raw"), func(b *testing.B) { readTrends(b, computed) })
	}
}

// readTrends calls read until the benchmark ends.
func readTrends(b *testing.B, read func() (*prices.Trend, error)) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(); err != nil {
			b.Fatal(err)
		}
	}
}

// newSalesStore returns a store with n sales of trendGear in a new database.
func newSalesStore(b *testing.B, path string, n int) *store.Store {
	b.Helper()
	ctx := b.Context()
	store, err := store.Open(ctx, "sqlite:"+path, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	if err := store.Migrate(ctx); err != nil {
		b.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(3, 7))
	last := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sales := make([]models.Sale, n)
	for i := range sales {
		condition := dice.IntN(len(models.Conditions))
		sales[i] = models.Sale{
			Gear: trendGear, Condition: models.Conditions[condition], Region: regions[dice.IntN(len(regions))],
			Price:  models.Cents(120_000 - 9_000*condition + dice.IntN(30_000)),
			SoldAt: models.TimeOf(last.Add(-time.Duration(dice.IntN(5*365*24)) * time.Hour)),
		}
	}
	if _, _, err := store.Trades.ImportSales(ctx, sales); err != nil {
		b.Fatal(err)
	}
	return store
}

// TrendOf computes a trend from its sales.
func trendOf(ctx context.Context, db *sql.DB, gear string) (*prices.Trend, error) {
	rows, err := db.QueryContext(ctx, `SELECT sold_at, condition, price FROM sales WHERE gear = $1 ORDER BY sold_at`, gear)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var sales []models.Sale
	for rows.Next() {
		var sale models.Sale
		if err := rows.Scan(&sale.SoldAt, &sale.Condition, &sale.Price); err != nil {
			return nil, err
		}
		sales = append(sales, sale)
	}
	return prices.NewTrend(gear, sales), rows.Err()
}
