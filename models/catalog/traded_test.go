package catalog

import (
	"testing"
)

// TestTradedModels looks up models that are traded used, which were listed before the catalogue was
// read: testdata/traded.csv has titles as dealers write them, and the gear that each names, empty
// for none. At least 95 % must be in the catalogue, and nearly all be found by the title.
func TestTradedModels(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "traded.csv")
	c, present, found, models := readCatalog(t), 0, 0, len(rows)
	for _, row := range rows {
		g := c.Gear(row[1])
		if g == nil {
			t.Logf("%s is missing", row[0])
			continue
		}
		present++
		if of := c.Resolver().Resolve(row[0]).Gear; of == g {
			found++
		} else {
			t.Logf("%q is %v, want %s", row[0], of, row[1])
		}
	}
	t.Logf("of %d models %d are in the catalogue, %d found by their titles", models, present, found)
	if models < 300 || float64(present) < 0.95*float64(models) || float64(found) < 0.93*float64(models) {
		t.Errorf("of %d models %d are in the catalogue, %d found by their titles", models, present, found)
	}
}
