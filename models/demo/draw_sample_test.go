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

// TestDrawSample writes facts to check, of 200 random gear and of the 100 that sold most:
// go test ./models/demo -run DrawSample -draw 1 writes sample-1.csv into the temporary folder.
// What was found is in models/catalog/testdata/checked.csv.
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
	most := slices.SortedFunc(slices.Values(gears().All()), func(a, b *catalog.Gear) int { return cmp.Compare(sold[b.Slug()], sold[a.Slug()]) })
	f, err := os.Create(os.TempDir() + "/sample-" + strconv.FormatUint(*drawSeed, 10) + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := csv.NewWriter(f)
	for i, g := range append(all[:200], most[:100]...) {
		sample := "random"
		if i >= 200 {
			sample = "most sold"
		}
		for _, value := range [][2]string{
			{"name", g.Name()}, {"category", string(g.Category)}, {"mount", g.Mount}, {"format", g.Format},
			{"focal", number2(g.FocalMin, g.FocalMax)}, {"aperture", strconv.FormatFloat(g.Aperture, 'f', -1, 64)},
			{"year", strconv.Itoa(g.Year)}, {"launch_price", g.LaunchPrice}, {"aliases", strings.Join(g.Aliases, "|")},
		} {
			if value[1] != "" && value[1] != "0" {
				out.Write([]string{sample, g.Slug(), value[0], value[1], "", ""})
			}
		}
	}
	out.Flush()
}

func number2(low, high float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(low, 'f', -1, 64)+"-"+strconv.FormatFloat(high, 'f', -1, 64), "-0")
}
