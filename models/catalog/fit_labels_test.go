package catalog

import (
	"strings"
	"testing"
)

// TestLabelledFits compares pairs of testdata/fits.csv, which a dealer labelled: at most 3 % may be
// wrong, and none unsafe, which is a lens that can damage the camera and doesn't say so.
func TestLabelledFits(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "fits.csv")
	c, count, wrong := readCatalog(t), map[string]int{}, 0
	for _, row := range rows {
		camera, lens := c.Gear(row[0]), c.Gear(row[1])
		if camera == nil || lens == nil {
			t.Errorf("%s and %s are not both in the catalogue", row[0], row[1])
			continue
		}
		fit, ok := c.Fits(camera, lens)
		got := label(fit, ok)
		count[row[2]]++
		switch {
		case row[2] == "damage" && !fit.Damages():
			t.Errorf("unsafe: %s on %s is %s: %q", row[1], row[0], got, fit.Note)
		case got != row[2]:
			t.Logf("%s on %s is %s: %q, want %s", row[1], row[0], got, fit.Note, row[2])
			wrong++
		}
	}
	t.Logf("%d of %d pairs are wrong: %v", wrong, len(rows), count)
	if len(rows) < 141 || float64(wrong) > 0.03*float64(len(rows)) {
		t.Errorf("%d of %d pairs are wrong, want at most 3 %% of at least 140", wrong, len(rows))
	}
}

// label names a fit as testdata/fits.csv does.
func label(fit Fit, ok bool) string {
	if fit.Damages() {
		return "damage"
	}
	if !ok {
		return "no"
	}
	text := "native"
	if fit.Manual {
		text = "manual"
	} else if fit.Adapter != "" {
		text = "adapter"
	}
	if fit.Crops {
		text += " crops"
	}
	return strings.TrimSpace(text)
}
