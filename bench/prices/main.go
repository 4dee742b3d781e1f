// Command prices tries the price estimates on markets: it fits them to the sales before a day
// and predicts those after it. Markets are generated, of several laws and sizes, or read from a
// file.
//
//	go run ./bench/prices                                    # all laws, 50 to 20,000 sales
//	go run ./bench/prices -law collectors -sales 50,1000     # some of them
//	go run ./bench/prices -drop 60000                        # how fast estimates follow a drop
//	go run ./bench/prices -index 60000                       # the price index against the truth
//	go run ./bench/prices -law dealers -unknown 1            # no site knows who is a dealer
//	go run ./bench/prices -market sales.csv                  # day,gear,grade,price[,dealer or private]
//
// A site has a part of the sales of its market. What is predicted are other sales of the same
// market, in the 60 days after: so also a site with 50 sales is judged by thousands.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/pricing"
)

func main() {
	names := flag.String("law", "demonstration,collectors,launches,dealers", "laws of markets, separated by commas")
	sizes := flag.String("sales", "20,50,100,250,1000,20000", "numbers of sales of a site, separated by commas")
	seed := flag.Uint64("seed", 1, "seed of the markets")
	file := flag.String("market", "", "CSV file with a market")
	drop := flag.Int("drop", 0, "see how fast estimates follow a drop, with so many sales")
	index := flag.Int("index", 0, "compare the price index with the truth, with so many sales")
	unknown := flag.Float64("unknown", 0, "share of sales of which a site doesn't know whether a dealer sold")
	minimum := flag.Int("cell", 100, "predictions from which a cell is printed")
	flag.Parse()
	for i := range laws {
		laws[i].unknown = *unknown
	}
	if err := run(*names, *sizes, *file, *seed, *minimum, *drop, *index); err != nil {
		fmt.Fprintln(os.Stderr, "prices:", err)
		os.Exit(1)
	}
}

func run(names, sizes, file string, seed uint64, minimum, drop, index int) error {
	all, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return err
	}
	gear := catalog.PricedGear(all.All())
	if file != "" {
		m, err := readMarket(file, gear)
		if err != nil {
			return err
		}
		printTable(file, len(m.sales), predict(m, len(m.sales), maxTests, seed), minimum)
		return nil
	}
	for name := range strings.SplitSeq(names, ",") {
		if at := slices.IndexFunc(laws, func(l law) bool { return l.name == name }); drop+index > 0 {
			switch {
			case at >= 0 && drop > 0:
				printDrop(&laws[at], gear, int(marketDay.Unix()/86400), drop, seed)
			case at >= 0:
				printIndex(&laws[at], all, index, seed)
			}
			continue
		}
		for word := range strings.SplitSeq(sizes, ",") {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is not a number above 0", word)
			}
			start := time.Now()
			var checks []check
			for k := range repeats(n) {
				m, err := marketOf(name, all, gear, n, seed+uint64(k))
				if err != nil {
					return err
				}
				checks = append(checks, predict(m, n, maxTests/repeats(n), seed+uint64(k))...)
			}
			printTable(name, n, checks, minimum)
			fmt.Printf("%v\n\n", time.Since(start).Round(time.Second))
		}
	}
	return nil
}

// repeats returns how many markets a size is tried on: small sites are a matter of luck.
func repeats(n int) int {
	switch {
	case n <= 100:
		return 40
	case n <= 250:
		return 10
	case n <= 5_000:
		return 4
	}
	return 1
}

// marketDay is the day of generated markets.
var marketDay = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// marketOf returns a market with at least n sales before its day.
func marketOf(name string, all *catalog.Catalog, gear []pricing.Gear, n int, seed uint64) (*market, error) {
	day := int(marketDay.Unix() / 86400)
	if name == "demonstration" {
		m := &market{gear: gear, day: day - testDays}
		for _, s := range demo.Generate(all, seed, marketDay).Sales {
			m.sales = append(m.sales, sale{Sale: s.Priced()})
		}
		return m, nil
	}
	at := slices.IndexFunc(laws, func(l law) bool { return l.name == name })
	if at < 0 {
		return nil, fmt.Errorf("no law %q", name)
	}
	return newMarket(&laws[at], gear, day, testDays, max(n, 60_000), seed), nil
}

// some returns n evenly likely sales before the day, or all.
func (m *market) some(n int, seed uint64) []pricing.Sale {
	var before []pricing.Sale
	for i := range m.sales {
		if m.sales[i].Day < m.day {
			before = append(before, m.sales[i].Sale)
		}
	}
	random := rand.New(rand.NewPCG(seed, 5))
	random.Shuffle(len(before), func(i, j int) { before[i], before[j] = before[j], before[i] })
	return before[:min(n, len(before))]
}
