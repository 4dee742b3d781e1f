package store_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

var rows = flag.Int("rows", 20_000, "listings in the benchmark of a full load")

func BenchmarkEachActiveListing(b *testing.B) {
	bothEngines(b, func(b *testing.B, s *store.Store) {
		ctx := b.Context()
		members := sellers(100)
		must(b, s.Accounts.InsertMembers(ctx, members))
		start := time.Now()
		for done := 0; done < *rows; {
			batch := make([]models.Listing, min(5000, *rows-done))
			for i := range batch {
				batch[i] = someListing(members[i%100].ID, done+i)
			}
			must(b, s.Listings.InsertListings(ctx, batch))
			done += len(batch)
		}
		b.Logf("inserted %d listings in %v", *rows, time.Since(start))
		for b.Loop() {
			n := 0
			must(b, s.Listings.EachActiveListing(ctx, func(*models.Listing) error { n++; return nil }))
			if n != *rows {
				b.Fatal(n)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(*rows), "ns/listing")
	})
}

// BenchmarkImportSales imports 60,000 sales of 400 gear.
func BenchmarkImportSales(b *testing.B) {
	bothEngines(b, func(b *testing.B, s *store.Store) {
		round := 0
		for b.Loop() {
			sales := someSales(60_000, 400)
			for i := range sales {
				sales[i].ExternalID = fmt.Sprint(round, "-", i)
			}
			round++
			inserted, _, err := s.Trades.ImportSales(b.Context(), sales)
			must(b, err)
			if inserted != len(sales) {
				b.Fatal(inserted)
			}
		}
	})
}

func BenchmarkTrend(b *testing.B) {
	bothEngines(b, func(b *testing.B, s *store.Store) {
		_, _, err := s.Trades.ImportSales(b.Context(), someSales(60_000, 400))
		must(b, err)
		for b.Loop() {
			trend, err := s.Prices.Trend(b.Context(), "gear/7")
			must(b, err)
			if trend.AllTime == 0 {
				b.Fatal("no sales")
			}
		}
	})
}

func BenchmarkListingsByID(b *testing.B) {
	bothEngines(b, func(b *testing.B, s *store.Store) {
		members := sellers(1)
		must(b, s.Accounts.InsertMembers(b.Context(), members))
		listings, ids := make([]models.Listing, 5000), make([]string, 24)
		for i := range listings {
			listings[i] = someListing(members[0].ID, i)
		}
		must(b, s.Listings.InsertListings(b.Context(), listings))
		for i := range ids {
			ids[i] = listings[i*200].ID
		}
		for b.Loop() {
			found, err := s.Listings.ListingsByID(b.Context(), ids)
			must(b, err)
			if len(found) != len(ids) {
				b.Fatal(len(found))
			}
		}
	})
}

func bothEngines(b *testing.B, bench func(b *testing.B, s *store.Store)) {
	b.Run("sqlite", func(b *testing.B) { bench(b, storetest.Open(b, storetest.SQLite(b), nil)) })
	b.Run("postgres", func(b *testing.B) { bench(b, storetest.Open(b, storetest.Postgres(b), nil)) })
}

// someSales returns n sales of the given number of gear over five years.
func someSales(n, gear int) []models.Sale {
	random := rand.New(rand.NewPCG(1, 2))
	sales := make([]models.Sale, n)
	for i := range sales {
		sales[i] = models.Sale{
			Gear: fmt.Sprintf("gear/%d", random.IntN(gear)), Condition: models.Conditions[random.IntN(len(models.Conditions))],
			Price: models.Cents(10_000 + random.IntN(200_000)), SoldAt: someTime - models.Time(random.Int64N(5*365*24*3600*1000)), Region: "DE",
		}
	}
	return sales
}
