package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// BenchmarkRecordSale records one more sale of a gear that has many, and reports
// percentiles in milliseconds. Every tenth is by a newcomer.
func BenchmarkRecordSale(b *testing.B) {
	for engine, url := range storeURLs {
		for _, known := range []int{1000, 10_000, 100_000} {
			b.Run(fmt.Sprint(engine, "/", known, "-sales"), func(b *testing.B) {
				store := storetest.Open(b, url(b), nil)
				sales := newSaleMaker(b, store, known)
				for done := 0; done < known; done += 1000 {
					importSales(b, store, sales.make(1000))
				}
				var took []time.Duration
				for b.Loop() {
					sale := sales.make(1)
					start := time.Now()
					importSales(b, store, sale)
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
				b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "p99-ms")
			})
		}
	}
}

// BenchmarkImportSales imports sales of 400 gear in batches of 500, in order of
// time, as the import of a file does.
func BenchmarkImportSales(b *testing.B) {
	for engine, url := range storeURLs {
		b.Run(engine, func(b *testing.B) {
			store := storetest.Open(b, url(b), nil)
			sales := newSaleMaker(b, store, 60_000)
			sales.gear = 400
			rows := 0
			for b.Loop() {
				importSales(b, store, sales.make(500))
				rows += 500
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

var storeURLs = map[string]func(testing.TB) string{
	"sqlite":   storetest.SQLite,
	"postgres": storetest.Postgres,
}

func importSales(b *testing.B, store *store.Store, sales []models.Sale) {
	if _, _, err := store.Trades.ImportSales(b.Context(), sales); err != nil {
		b.Fatal(err)
	}
}

// saleMaker makes sales in order of time, half of them between members.
type saleMaker struct {
	random  *rand.Rand
	members []models.Member
	gear    int
	every   time.Duration
	last    time.Time
}

// newSaleMaker returns a maker whose first n sales take five years.
func newSaleMaker(b *testing.B, store *store.Store, n int) *saleMaker {
	members := make([]models.Member, 1000)
	for i := range members {
		members[i] = models.Member{Handle: fmt.Sprint("member-", i), Name: "Member", Region: "DE"}
	}
	if err := store.Accounts.InsertMembers(b.Context(), members); err != nil {
		b.Fatal(err)
	}
	return &saleMaker{rand.New(rand.NewPCG(1, 2)), members, 1, 5 * 365 * 24 * time.Hour / time.Duration(n), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func (m *saleMaker) make(n int) []models.Sale {
	sales := make([]models.Sale, n)
	for i := range sales {
		m.last = m.last.Add(m.every)
		condition := m.random.IntN(len(models.Conditions))
		sales[i] = models.Sale{
			ID: models.NewID(time.Now()), Gear: fmt.Sprint("gear/", m.random.IntN(m.gear)), Condition: models.Conditions[condition], Region: "DE",
			Price: models.Cents(120_000 - 9_000*condition + m.random.IntN(30_000)), SoldAt: models.TimeOf(m.last),
		}
		if m.random.IntN(2) == 0 {
			sales[i].Source, sales[i].Newcomer = models.SaleByMembers, m.random.IntN(5) == 0
			sales[i].SellerID, sales[i].BuyerID = m.member(), m.member()
		}
	}
	return sales
}

func (m *saleMaker) member() string { return m.members[m.random.IntN(len(m.members))].ID }
