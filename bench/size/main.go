//go:build linux

// Command size measures what an index costs by its number of listings: the time to build
// it, its memory, searches and changes. It generates the listings, because inserting ten
// million into a database takes an hour.
//
//	go run ./bench/size                           # 60,000, 1,000,000 and 10,000,000 listings
//	go run ./bench/size -listings 60000,1000000
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

func main() {
	sizes := flag.String("listings", "60000,1000000,10000000", "numbers of listings, separated by commas")
	flag.Parse()
	fmt.Printf("%s, %d processors\n", runtime.Version(), runtime.GOMAXPROCS(0))
	fmt.Println("  listings     build   memory   B/listing   search p50      p99   changes/s")
	for word := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(word)
		if err == nil {
			var m measured
			m, err = measure(n)
			fmt.Println(m)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "size:", err)
			os.Exit(1)
		}
	}
}

// measured is what an index of some listings costs.
type measured struct {
	listings int
	build    time.Duration
	memory   int // bytes
	p50, p99 time.Duration
	changes  float64 // a second
}

func (m measured) String() string {
	return fmt.Sprintf("%10d  %6.1f s  %4d MB   %9d   %7d µs  %4d µs   %9.0f", m.listings, m.build.Seconds(), m.memory>>20, m.memory/m.listings, m.p50.Microseconds(), m.p99.Microseconds(), m.changes)
}

// measure measures an index of n listings in this process.
func measure(n int) (measured, error) {
	g, err := newGenerator()
	if err != nil {
		return measured{}, err
	}
	m := measured{listings: n}
	before := resident()
	x := search.New(g.lookup)
	debug.SetGCPercent(50)
	began := time.Now()
	if err := x.Load(g.docs(n)); err != nil {
		return m, err
	}
	m.build = time.Since(began)
	m.memory = resident() - before
	m.p50, m.p99, err = g.searches(x, 20_000)
	if err != nil {
		return m, err
	}
	const changes = 2000
	began = time.Now()
	for i := range changes {
		if err := x.Put(g.doc(n + i)); err != nil {
			return m, err
		}
	}
	m.changes = changes / time.Since(began).Seconds()
	return m, nil
}

// resident returns the resident memory of this process without garbage.
func resident() int {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}

// generator generates listings of the gear of the catalogue, few of it common and most rare.
type generator struct {
	r      *rand.Rand
	lookup *catalog.Lookup
	gear   []*catalog.Gear
	render search.Render
}

func newGenerator() (*generator, error) {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return nil, err
	}
	site := ui.Site{BaseURL: "https://secondlight.example", Defaults: ui.SiteSettings{Currency: models.Currency{Code: "EUR", Digits: 2}}}
	site.Adjustable()
	g := &generator{r: rand.New(rand.NewPCG(1, 1)), lookup: catalog.Lookup(), render: market.CardRenderer(&site, catalog)}
	for i := range g.lookup.Size() {
		if this := g.lookup.At(i); this.ModelSlug != "" {
			g.gear = append(g.gear, this)
		}
	}
	g.r.Shuffle(len(g.gear), func(i, j int) { g.gear[i], g.gear[j] = g.gear[j], g.gear[i] })
	return g, nil
}

// pick returns gear, the first more often than the last.
func (g *generator) pick() *catalog.Gear {
	return g.gear[min(int(math.Pow(float64(len(g.gear)), g.r.Float64())), len(g.gear)-1)]
}

var (
	notes   = []string{"boxed", "serviced", "with strap", "one owner", "spare battery", "with hood", "mint", "low shutter count"}
	regions = []models.Region{"DE", "FR", "IT", "ES", "NL", "GB", "US-CA", "US-NY", "AT", "PL"}
)

// doc returns the i-th listing with the card of a site.
func (g *generator) doc(i int) search.Doc {
	gear, at := g.pick(), models.Time(1_700_000_000_000+int64(i)*3000)
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:], uint64(at)<<16|7<<12|uint64(g.r.IntN(4096)))
	binary.BigEndian.PutUint64(id[8:], 1<<63|g.r.Uint64()>>2)
	l := models.Listing{ID: id.String(), Gear: gear.Slug(), Category: gear.Category, Title: fmt.Sprint(gear.Name(), " ", notes[g.r.IntN(len(notes))], " ", g.r.IntN(1000)),
		Item: models.Item{Condition: models.Conditions[g.r.IntN(len(models.Conditions))], Functional: models.FullyWorking}, Price: models.Cents(1000 * (5 + g.r.IntN(200))),
		Region: regions[g.r.IntN(len(regions))], Status: models.StatusActive, PublishedAt: at, Photos: []models.Photo{{Key: fmt.Sprintf("%016x", g.r.Uint64()), Width: 1600, Height: 1200}}}
	seller := fmt.Sprint("seller-", g.r.IntN(20_000))
	typical := models.Cents(1000 * (5 + g.r.IntN(200)))
	deal := &prices.Deal{Percent: g.r.IntN(60) - 30, Typical: prices.Typical{Price: typical, Low: typical * 9 / 10, High: typical * 11 / 10, Sales: 5 + g.r.IntN(90)}}
	return search.Doc{ID: l.ID, Gear: l.Gear, Category: l.Category, Condition: l.Condition, Functional: l.Functional, Region: l.Region, Seller: seller, Title: l.Title,
		Price: l.Price, Published: at, Typical: prices.Typical{Price: 40_000, Low: 34_000, High: 47_000}, Card: g.render(&l, seller, deal)}
}

// docs yields n listings.
func (g *generator) docs(n int) iter.Seq2[search.Doc, error] {
	return func(yield func(search.Doc, error) bool) {
		for i := range n {
			if !yield(g.doc(i), nil) {
				return
			}
		}
	}
}

// searches returns the median and the 99th percentile of the time of n searches.
func (g *generator) searches(x *search.Index, n int) (p50, p99 time.Duration, err error) {
	var result search.Result
	times := make([]time.Duration, n)
	for i := range times {
		q := g.query()
		began := time.Now()
		if err := x.SearchInto(&result, q); err != nil {
			return 0, 0, err
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	return times[n/2], times[n*99/100], nil
}

// query returns a search for gear, a category or words, with other restrictions.
func (g *generator) query() search.Query {
	q := search.Query{Limit: 24, Sort: []search.Sort{search.Relevance, search.Newest, search.Price, search.Deal}[g.r.IntN(4)]}
	gear := g.pick()
	switch g.r.IntN(4) {
	case 0:
		q.Keyword = strings.ToLower(gear.Model)
	case 1:
		q.Brands = []string{gear.BrandSlug}
	case 2:
		q.Category = models.Kind(gear.Category)
	default:
		q.Keyword = strings.ToLower(gear.Brand) + " " + notes[g.r.IntN(2)]
	}
	if g.r.IntN(2) == 0 {
		q.Regions = []models.Region{regions[g.r.IntN(len(regions))]}
	}
	if g.r.IntN(2) == 0 {
		q.Max = &models.Amount{Cents: models.Cents(10000 * (1 + g.r.IntN(20))), Currency: models.Currency{Code: "EUR", Digits: 2}}
	}
	return q
}
