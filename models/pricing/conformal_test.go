package pricing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestRangesHold calibrates ranges by errors of cells that differ: in their size by kind, by number of
// sales and by grade, and by a bias of a kind. 76 to 85 % of later errors have to be in the range of
// each cell with 150 errors, and of one with 15 errors at least 70 %. On both sides are some of the others.
func TestRangesHold(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	cells := []struct {
		kind             string
		sales, grade     int
		size, bias, need float64
		errors           int
	}{
		{"mirrorless", 12, 2, 1, 0, 0.76, 400},
		{"mirrorless", 12, 6, 2.2, 0, 0.76, 150},
		{"mirrorless", 0, 2, 0.6, 0, 0.76, 150},
		{"film_slr", 12, 2, 1.8, 0, 0.76, 150},
		{"film_slr", 0, 2, 2, 0, 0.76, 150},
		{"compact", 1, 2, 1, 1.2, 0.76, 150},
		{"compact", 0, 4, 1, 1.2, 0.76, 150},
		{"instant", 4, 2, 2, 0, 0.7, 15},
	}
	draw := func(i, n int) pricing.Errors {
		e := pricing.Errors{Kind: cells[i].kind, Sales: cells[i].sales, Grade: cells[i].grade}
		for range n {
			e.Z = append(e.Z, cells[i].bias+cells[i].size*random.NormFloat64())
		}
		return e
	}
	const markets = 6 // so that the luck of one does not decide
	missed := make([][2]float64, len(cells))
	for range markets {
		var known []pricing.Errors
		for i := range cells {
			known = append(known, draw(i, cells[i].errors))
		}
		for i := range cells {
			later := draw(i, 2000)
			below, above := pricing.Missed(known, &later)
			missed[i][0], missed[i][1] = missed[i][0]+below/markets, missed[i][1]+above/markets
		}
	}
	for i, c := range cells {
		below, above := missed[i][0], missed[i][1]
		if held := 1 - below - above; held < c.need || c.errors > 15 && held > 0.85 || min(below, above) < 0.04 {
			t.Errorf("%+v: %.1f %% are in the range, %.1f %% below and %.1f %% above", c, 100*held, 100*below, 100*above)
		}
	}
}
