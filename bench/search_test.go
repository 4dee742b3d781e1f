package bench

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
)

const (
	small = 60_000
	large = 1_000_000
)

var (
	regions = []models.Region{"DE", "FR", "IT", "ES", "NL", "GB", "US-CA", "US-NY", "US-TX", "JP", "AT", "PL"}
	extras  = []string{"", "", "body", "boxed", "mint", "with box", "low shutter count", "serviced", "black", "silver", "body only", "kit", "near mint condition", "incl battery charger", "tested", "great condition"}
)

// lookup returns the lookup of the real catalogue.
var lookup = sync.OnceValue(func() *catalog.Lookup {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		panic(err)
	}
	return catalog.Lookup()
})

// market generates listings of gear in the real catalogue. It is deterministic for a
// seed. A few models are common and most are rare.
type market struct {
	r     *rand.Rand
	gear  []*catalog.Gear
	sums  []float64 // cumulative shares of gear
	base  []float64 // typical prices of gear, in minor units
	cards [][]byte
}

// newMarket returns a market with a seed.
func newMarket(seed uint64) *market {
	m := &market{r: rand.New(rand.NewPCG(seed, 7))}
	l := lookup()
	for i := range l.Size() {
		if g := l.At(i); g.ModelSlug != "" {
			m.gear = append(m.gear, g)
		}
	}
	m.r.Shuffle(len(m.gear), func(i, j int) { m.gear[i], m.gear[j] = m.gear[j], m.gear[i] })
	sum := 0.0
	for i := range m.gear {
		sum += 1 / (float64(i) + 40)
		m.sums = append(m.sums, sum)
		m.base = append(m.base, 3000*math.Exp(m.r.Float64()*4.5))
	}
	for range 4096 { // cards of typical size, shared to save memory
		m.cards = append(m.cards, []byte(`{"id":"`+strings.Repeat("x", 360)+`"}`))
	}
	return m
}

// draw returns the index of random gear, weighted by its share.
func (m *market) draw() int {
	at := m.r.Float64() * m.sums[len(m.sums)-1]
	low, high := 0, len(m.sums)-1
	for low < high {
		if mid := (low + high) / 2; m.sums[mid] < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// doc returns the i-th listing.
func (m *market) doc(i int) search.Doc {
	n := m.draw()
	g := m.gear[n]
	condition := m.r.IntN(7)
	worth := m.base[n] * (1.1 - 0.12*float64(condition))
	price := int(worth*(0.75+m.r.Float64()/2)) / 500 * 500
	at := int64(1_700_000_000_000) + int64(i)*30_000 + m.r.Int64N(30_000)
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:], uint64(at)<<16|7<<12|uint64(m.r.IntN(4096)))
	binary.BigEndian.PutUint64(id[8:], 1<<63|m.r.Uint64()>>2)
	return search.Doc{
		ID: id.String(), Gear: g.Slug(), Category: g.Category, Condition: models.Conditions[condition],
		Functional: functional(i), Region: regions[m.r.IntN(len(regions))], Seller: fmt.Sprint("seller-", m.r.IntN(4000)),
		Title: g.Name() + " " + extras[m.r.IntN(len(extras))], Price: models.Cents(max(500, price)),
		Published: models.Time(at), Typical: prices.Typical{Price: models.Cents(worth), Low: models.Cents(worth * 87 / 100), High: models.Cents(worth * 115 / 100)}, Card: m.cards[i%len(m.cards)], Rare: search.RareOf(&models.Listing{Item: models.Item{ItemDetails: models.ItemDetails{Shutter: shutterCount(g, i)}}}),
		Postage: postage(i),
	}
}

// shutterCount returns the shutter count of the i-th listing: every other digital
// camera with a shutter states it.
func shutterCount(g *catalog.Gear, i int) int {
	if g.Category != "dslr" && g.Category != "mirrorless" || i%2 == 0 {
		return 0
	}
	return i * 7919 % 200_000
}

// postage returns what the i-th listing's seller charges for shipping. A third of 4,000
// sellers have not said and some don't ship; the others have 1,000 different rates.
func postage(i int) models.Postage {
	switch seller := i * 7919 % 4000; {
	case seller%3 == 0:
		return ""
	case seller%15 == 1:
		return models.PickupOnly
	default:
		return models.Postage(fmt.Sprintf("DE=%d EU=%d WORLD=%d", 400+seller%1000, 900+2*(seller%1000), 1900+5*(seller%1000)))
	}
}

// functional returns whether the i-th listing works. Most do.
func functional(i int) models.Functional {
	switch share := i * 7919 % 100; {
	case share < 86:
		return models.FullyWorking
	case share < 91:
		return models.MinorFault
	case share < 94:
		return models.NotWorking
	}
	return models.Untested
}

// docs yields n listings.
func (m *market) docs(n int) iter.Seq2[search.Doc, error] {
	return func(yield func(search.Doc, error) bool) {
		for i := range n {
			if !yield(m.doc(i), nil) {
				return
			}
		}
	}
}

// pick returns a random element.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// cents returns an amount of n major units.
func cents(n int) *models.Amount {
	return &models.Amount{Cents: models.Cents(n * 100), Currency: site.Currency()}
}

// queries returns n typical queries: by model, brand or category, with and without
// other restrictions, in every order. Some search for words of titles if text is set.
func (m *market) queries(n int, text bool) []search.Query {
	r := m.r
	var list []search.Query
	for len(list) < n {
		g := m.gear[m.draw()]
		var q search.Query
		switch w := r.IntN(100); {
		case w < 25:
			q.Keyword = g.Name()
		case w < 40:
			q.Keyword = strings.ToLower(g.Model)
			q.Sort = pick(r, search.Price, search.Deal, search.Relevance)
			q.Regions = []models.Region{pick(r, regions...)}
		case w < 45:
			q.Keyword = g.Brand
			q.Conditions = []models.Condition{models.ConditionExcellent, models.ConditionLikeNew}
		case w < 50:
			q.Keyword = strings.ToLower(g.Brand) + pick(r, " lens", " camera")
			q.Max = cents(pick(r, 300, 500, 800, 1000))
		case w < 55:
			q.Keyword = pick(r, "50mm 1.8", "85mm", "macro lens", "24-70", "film slr", "dslr", "35mm f/1.4")
		case w < 65:
			q.Category = models.Kind(pick(r, "mirrorless", "dslr", "compact", "lens_prime", "lens_zoom", "camera", "lens"))
			q.Sort = search.Newest
		case w < 73:
			q.Category = models.Kind(pick(r, "mirrorless", "dslr", "camera", "lens"))
			q.Min, q.Max = cents(pick(r, 0, 100, 250, 500)), cents(pick(r, 600, 800, 1000, 1500))
			q.Sort = pick(r, search.Price, search.Newest, search.PriceDesc)
		case w < 81:
			q.Brands = []string{g.BrandSlug}
			q.Category = models.Kind(pick(r, "camera", "lens"))
		case w < 86:
			q.Brands = []string{g.BrandSlug}
			q.Regions = []models.Region{pick[models.Region](r, "DE", "US", "FR")}
			q.Sort = search.Newest
		case w < 90:
			q.Category = "lens"
			q.Mount = pick(r, "Canon EF", "Nikon F", "Sony E", "Micro Four Thirds")
			q.Conditions = []models.Condition{pick(r, models.Conditions...)}
		case w < 94:
			q.Category = models.Kind(pick(r, "mirrorless", "lens_prime", "camera"))
			q.Regions = []models.Region{pick(r, regions...)}
			q.Sort = search.Deal
		case w < 96:
			q.Sort = search.Newest
		case w < 98:
			q.Min, q.Max = cents(500), cents(1000)
		default:
			if !text {
				continue
			}
			q.Keyword = strings.ToLower(g.Brand) + pick(r, " boxed", " serviced", " mint")
		}
		list = append(list, q)
	}
	return list
}

// BenchmarkSearchBuild measures loading an index, and reports its memory without the
// cards. It fails if a large index takes more than 60 bytes per listing.
func BenchmarkSearchBuild(b *testing.B) {
	for _, n := range []int{small, large} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			docs := make([]search.Doc, 0, n)
			for d := range newMarket(1).docs(n) {
				d.Card = nil
				docs = append(docs, d)
			}
			lookup()
			var x *search.Index
			before := heap()
			b.ResetTimer()
			for range b.N {
				x = search.New(lookup())
				if err := x.Load(each(docs)); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/float64(n)*1e6, "s/million")
			// Each listing's reference to its card, which holds the number of its postage
			// too, is not counted.
			const reference = 16
			bytes := float64(heap()-before)/float64(n) - reference
			b.ReportMetric(bytes, "B/listing")
			if n == large && bytes > 60 { // a small index is dominated by its fixed size
				b.Errorf("%.1f bytes a listing, at most 60 are allowed", bytes)
			}
			runtime.KeepAlive(x)
			runtime.KeepAlive(docs)
		})
	}
}

// each yields docs.
func each(docs []search.Doc) iter.Seq2[search.Doc, error] {
	return func(yield func(search.Doc, error) bool) {
		for i := range docs {
			if !yield(docs[i], nil) {
				return
			}
		}
	}
}

// heap returns the bytes of allocated heap objects after garbage collection.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

var indexes sync.Map // *search.Index by number of listings

// indexOf returns an index of n listings, shared by all benchmarks.
func indexOf(b testing.TB, n int) *search.Index {
	if x, ok := indexes.Load(n); ok {
		return x.(*search.Index)
	}
	x := search.New(lookup())
	if err := x.Load(newMarket(1).docs(n)); err != nil {
		b.Fatal(err)
	}
	indexes.Store(n, x)
	runtime.GC()
	return x
}

// BenchmarkSearch measures searches by concurrent clients, including copying the cards
// to a buffer.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{small, large} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := indexOf(b, n)
			queries := newMarket(2).queries(2000, true)
			b.ReportAllocs()
			b.SetParallelism(4 / min(4, runtime.GOMAXPROCS(0)))
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				var body []byte
				var result search.Result
				for i := rand.IntN(len(queries)); pb.Next(); i++ {
					if err := x.SearchInto(&result, queries[i%len(queries)]); err != nil {
						b.Error(err)
						return
					}
					body = body[:0]
					for _, card := range result.Cards {
						body = append(body, card...)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "queries/s")
		})
	}
}

// BenchmarkSearchBelow measures the searches of BenchmarkSearch among the listings below the
// range of their estimates.
func BenchmarkSearchBelow(b *testing.B) {
	for _, n := range []int{small, large} {
		x := indexOf(b, n)
		queries := newMarket(2).queries(2000, true)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var result search.Result
			b.ReportAllocs()
			found := 0
			for i := range b.N {
				q := queries[i%len(queries)]
				q.Deal = prices.BelowRange
				if err := x.SearchInto(&result, q); err != nil {
					b.Fatal(err)
				}
				found += result.Total
			}
			b.ReportMetric(float64(found)/float64(b.N), "listings")
		})
	}
}

// BenchmarkSearchTotal compares searches in the order of the price and postage with the
// same searches in the order of the price.
func BenchmarkSearchTotal(b *testing.B) {
	for _, n := range []int{small, large} {
		x := indexOf(b, n)
		for _, sort := range []search.Sort{search.Price, search.Total} {
			queries := newMarket(2).queries(2000, true)
			for i := range queries {
				queries[i].Sort, queries[i].ShipTo = sort, []models.Region{pick[models.Region](rand.New(rand.NewPCG(uint64(i), 1)), "DE", "FR", "US")}
			}
			b.Run(fmt.Sprint(n, "/", sort), func(b *testing.B) {
				var result search.Result
				b.ReportAllocs()
				for i := range b.N {
					if err := x.SearchInto(&result, queries[i%len(queries)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
