package demo

import (
	"cmp"
	"encoding/csv"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/catalog"
)

var drawSeed = flag.Uint64("draw", 0, "seed of a sample of the catalogue that TestDrawSample writes")

// TestDrawSample writes facts to check: those of 200 random gear and of the 100 that sold most, and
// then of further random gear until there are 300 of each field.
// go test ./models/demo -run DrawSample -draw 1 writes sample-1.csv into the temporary folder.
// What a sample held is in models/catalog/testdata/checked.csv.
func TestDrawSample(t *testing.T) {
	if *drawSeed == 0 {
		t.Skip("no -draw")
	}
	all := slices.Clone(gears().All())
	random := rand.New(rand.NewPCG(*drawSeed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	sold := map[string]int{}
	for _, s := range data().Sales {
		sold[s.Gear]++
	}
	most := slices.SortedFunc(slices.Values(gears().All()), func(a, b *catalog.Gear) int { return cmp.Compare(sold[b.Slug()], sold[a.Slug()]) })[:100]
	drawn, fields := [][]string{{"sample", "gear", "field", "value"}}, map[string]int{}
	draw := func(sample string, gear []*catalog.Gear, enough int) {
		for _, g := range gear {
			for _, v := range factsOf(g) {
				if v[1] != "" && v[1] != "0" && fields[v[0]] < enough {
					fields[v[0]]++
					drawn = append(drawn, []string{sample, g.Slug(), v[0], v[1]})
				}
			}
		}
	}
	draw("random", all[:200], len(all))
	draw("most sold", most, len(all))
	draw("more", all[200:], 300)
	f, err := os.Create(os.TempDir() + "/sample-" + strconv.FormatUint(*drawSeed, 10) + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := csv.NewWriter(f).WriteAll(drawn); err != nil {
		t.Fatal(err)
	}
}

// factsOf lists the fields of gear that can be wrong.
func factsOf(g *catalog.Gear) [][2]string {
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	focal := number(g.FocalMin)
	if g.FocalMax > g.FocalMin {
		focal += "-" + number(g.FocalMax)
	}
	return [][2]string{
		{"name", g.Name()}, {"category", string(g.Category)}, {"mount", g.Mount}, {"format", g.Format}, {"focal", focal}, {"aperture", number(g.Aperture)},
		{"year", strconv.Itoa(g.Year)}, {"launch_price", g.LaunchPrice}, {"aliases", strings.Join(g.Aliases, "|")},
	}
}
