package catalog

import (
	"encoding/csv"
	"math"
	"os"
	"strings"
	"testing"
)

// TestChecked reads testdata/checked.csv: facts of gear drawn at random, and of the gear that sold
// most, with a verdict for each. TestDrawSample of models/demo draws such a sample. Facts that were
// right stay so, and wrong ones were corrected. Of each field, at most 2 % are wrong in the
// catalogue, by the upper end of the exact 95 % interval.
func TestChecked(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "checked.csv")
	c := readCatalog(t)
	count := map[string]*struct{ checked, wrong, unsure int }{}
	for _, row := range rows {
		slug, field, value, verdict, right := row[2], row[3], row[4], row[5], row[6]
		n := count[field]
		if n == nil {
			n = &struct{ checked, wrong, unsure int }{}
			count[field] = n
		}
		switch verdict {
		case "right":
			n.checked++
			right = value
		case "wrong":
			n.checked++
			n.wrong++
		case "unsure":
			n.unsure++
			continue
		}
		g := c.Gear(slug)
		if g == nil {
			t.Errorf("%s is missing", slug)
		} else if got := factOf(g, field); got != right && (field != "name" || !strings.Contains("|"+strings.Join(g.Aliases, "|")+"|", "|"+strings.TrimPrefix(right, g.Brand+" ")+"|")) {
			t.Errorf("the %s of %s is %q, want %q", field, slug, got, right)
		}
	}
	for field, n := range count {
		low, high := interval(n.wrong, n.checked)
		t.Logf("%-12s %d of %d wrong: %.1f %% (%.1f to %.1f %%), %d unsure", field, n.wrong, n.checked, 100*float64(n.wrong)/float64(n.checked), 100*low, 100*high, n.unsure)
		if high > 0.02 {
			t.Errorf("%s: %d of %d are wrong, which may be %.1f %% of all", field, n.wrong, n.checked, 100*high)
		}
	}
}

// factOf returns a field as testdata/checked.csv has it.
func factOf(g *Gear, field string) string {
	switch field {
	case "name":
		return g.Name()
	case "category":
		return string(g.Category)
	case "mount":
		return g.Mount
	case "format":
		return g.Format
	case "focal":
		if g.FocalMax > g.FocalMin {
			return formatNumber(g.FocalMin) + "-" + formatNumber(g.FocalMax)
		}
		return formatNumber(g.FocalMin)
	case "aperture":
		return formatNumber(g.Aperture)
	case "year":
		return formatNumber(float64(g.Year))
	case "launch_price":
		return g.LaunchPrice
	}
	return strings.Join(g.Aliases, "|")
}

// interval returns the exact 95 % interval (Clopper-Pearson) of a share of which k of n were found.
func interval(k, n int) (low, high float64) {
	atMost := func(k int, p float64) (sum float64) {
		for i := range k + 1 {
			choose, _ := math.Lgamma(float64(n + 1))
			a, _ := math.Lgamma(float64(i + 1))
			b, _ := math.Lgamma(float64(n - i + 1))
			sum += math.Exp(choose - a - b + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
		}
		return sum
	}
	find := func(enough func(p float64) bool) float64 {
		from, to := 0.0, 1.0
		for range 60 {
			if middle := (from + to) / 2; enough(middle) {
				to = middle
			} else {
				from = middle
			}
		}
		return to
	}
	if k > 0 {
		low = find(func(p float64) bool { return 1-atMost(k-1, p) >= 0.025 })
	}
	return low, find(func(p float64) bool { return atMost(k, p) <= 0.025 })
}

// readTable returns the rows of a CSV file of testdata, without its heading.
func readTable(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}
