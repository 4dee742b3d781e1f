package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func TestLevelCutsAtRoundPrices(t *testing.T) {
	t.Parallel()
	dice := rand.New(rand.NewPCG(1, 1))
	spread := make([]int32, 5000) // from 20 to 2000, as many between 20 and 200 as above
	for i := range spread {
		spread[i] = 20_00
		for range 2 * dice.IntN(100) {
			spread[i] += spread[i] / 43
		}
	}
	for name, sample := range map[string][]int32{
		"spread":       spread,
		"none":         nil,
		"one":          {450_00},
		"alike":        slices.Repeat([]int32{450_00}, 100),
		"nearly alike": append(slices.Repeat([]int32{450_00}, 100), 1, 449_99, 450_01, 12_345_678),
	} {
		l := newLevel(len(sample), newCells(), slices.Clone(sample))
		if !slices.IsSorted(l.edges) || len(slices.Compact(slices.Clone(l.edges))) != len(l.edges) || l.edges[len(l.edges)-1] != beyond {
			t.Errorf("%s: edges %v", name, l.edges)
		}
		if limit := 4*parts + bandCount; len(l.edges) > limit {
			t.Errorf("%s: %d edges, at most %d are allowed", name, len(l.edges), limit)
		}
		for b, row := range l.bands {
			if b+1 < bandCount && l.edges[row] != bandEdges[b+1] {
				t.Errorf("%s: band %d ends at %d", name, b, l.edges[row])
			}
		}
		for r, edge := range l.edges[:len(l.edges)-1] {
			if l.row(edge-1) != r || l.row(edge) != r+1 {
				t.Errorf("%s: prices about %d are in rows %d and %d, not %d and %d", name, edge, l.row(edge-1), l.row(edge), r, r+1)
			}
		}
	}
	l := newLevel(len(spread), newCells(), slices.Clone(spread))
	in := make([]int, len(l.edges))
	for _, price := range spread {
		in[l.row(price)]++
	}
	if most := slices.Max(in); most > len(spread)/parts {
		t.Errorf("%d of %d listings are in one bucket", most, len(spread))
	}
	for _, typed := range []int32{30_00, 50_00, 70_00, 150_00, 200_00, 300_00, 400_00} {
		if !slices.Contains(l.edges, typed) {
			t.Errorf("no edge at %d: %v", typed, l.edges)
		}
	}
}

func TestRoundest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ least, most, near, want int32 }{
		{1, beyond, 500, 1_000_000_000},
		{437_00, 512_00, 450_00, 500_00},
		{437_00, 499_99, 440_00, 450_00},
		{501_00, 549_99, 536_00, 540_00},
		{110_00, 490_00, 260_00, 300_00},
		{7, 7, 9, 7},
		{13, 14, 0, 13},
	} {
		if got := roundest(test.least, test.most, test.near); got != test.want {
			t.Errorf("roundest(%d, %d, %d) = %d, want %d", test.least, test.most, test.near, got, test.want)
		}
	}
}

// A listing that is dearer or cheaper than all others of its group is counted,
// and so is its going.
func TestCubesGrow(t *testing.T) {
	t.Parallel()
	m := &market{r: rand.New(rand.NewPCG(9, 9)), lookup: realLookup()}
	o, x := newOracle(m.lookup), New(m.lookup)
	doc := func(price models.Cents) Doc {
		d := m.doc()
		d.Gear, d.Category, d.Price = "nikon/d800", "dslr", price
		return d
	}
	check := func(after string) {
		t.Helper()
		pages := 0
		for _, q := range []Query{
			{Min: cents(1000_00)}, {Max: cents(100_00)}, {Min: cents(100_00), Max: cents(1000_00)},
			{Filter: Filter{Brands: []string{"nikon"}}, Max: cents(299_99)}, {Filter: Filter{Category: "dslr", Conditions: models.Conditions[:2]}, Min: cents(300_01)},
		} {
			q.Limit = 24
			if why := allPages(x, q, o.search(q), &pages); why != "" {
				t.Errorf("after %s: %+v: %s", after, q, why)
			}
		}
	}
	var docs []Doc
	for range 2 * minCubeFrom {
		docs = append(docs, doc(300_00))
	}
	load(t, x, docs)
	for _, d := range docs {
		o.put(d)
	}
	check("loading")
	for _, price := range []models.Cents{5_00, 9000_00, 301_00, 9000_00} {
		d := doc(price)
		if err := x.Put(d); err != nil {
			t.Fatal(err)
		}
		o.put(d)
		check(fmt.Sprintf("adding one at %d", price))
		if price == 301_00 {
			x.Remove(d.ID)
			o.remove(d.ID)
			check("removing it")
		}
	}
}

func cents(n models.Cents) *models.Amount { return &models.Amount{Cents: n} }
