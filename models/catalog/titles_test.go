package catalog_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// otherMounts are other spellings of mounts in titles of lenses.
var otherMounts = map[string]string{
	"Canon EF": "Canon EOS", "Canon FD": "FD", "Canon RF": "RF-mount", "Nikon F": "F-mount", "Nikon Z": "Z-mount", "Sony E": "E-mount", "Sony A": "Sony/Minolta A",
	"Fujifilm X": "Fuji X", "Fujifilm G": "Fuji GFX", "Micro Four Thirds": "MFT", "Four Thirds": "4/3", "Leica L": "L-mount", "Leica M": "M-mount", "Pentax K": "PK",
	"M39": "LTM", "Contax/Yashica": "C/Y", "Olympus OM": "OM", "Minolta MD": "Minolta MC/MD", "Sigma SA": "Sigma", "Samsung NX": "NX", "Mamiya 645": "M645",
}

// TestMountsInTitles resolves the name of every lens followed by each of its mounts.
func TestMountsInTitles(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	total := score{}
	ways := []string{"%s", "%s mount", "for %s", "(%s)", ", %s", "%s fit"}
	byWay := make([]score, len(ways)+1)
	for _, lens := range c.All() {
		if lens.Category.Family() != models.FamilyLens {
			continue
		}
		for _, mount := range lens.Mounts() {
			for i := range byWay {
				tail := cmp.Or(otherMounts[mount], mount)
				if i < len(ways) {
					tail = fmt.Sprintf(ways[i], mount)
				}
				title := lens.Name() + " " + tail
				got := r.Resolve(title)
				switch {
				case got.Gear == lens:
					total.right++
					byWay[i].right++
				case got.Gear == nil:
					total.missed++
					byWay[i].missed++
					t.Logf("%q is not resolved: %s", title, got.Reason)
				default:
					total.wrong++
					byWay[i].wrong++
					t.Logf("%q resolved to %s (%.2f, %s)", title, got.Gear.Slug(), got.Confidence, got.Reason)
				}
			}
		}
	}
	for i, s := range byWay {
		t.Logf("%s: %+v", append(ways, "other")[i], s)
	}
	n := float64(total.right + total.missed + total.wrong)
	right, wrong := float64(total.right)/n, float64(total.wrong)/n
	t.Logf("%.0f titles: right %.4f, unknown %.4f, wrong %.4f", n, right, float64(total.missed)/n, wrong)
	if right < 0.97 || wrong > 0.003 {
		t.Error("97 % must be right and at most 0.3 % wrong")
	}
}

// measureTitles resolves labelled titles, and logs what is not right.
func measureTitles(t *testing.T, c *catalog.Catalog, r *catalog.Resolver, titles [][]string, trusted bool) (s score) {
	for _, row := range titles {
		title, want := row[0], row[1]
		if want != "" && c.Gear(want) == nil {
			t.Errorf("%q: the catalogue has no %s", title, want)
			continue
		}
		got := r.Resolve(title)
		slug := ""
		if got.Gear != nil && (got.Confident() || !trusted) {
			slug = got.Gear.Slug()
		}
		switch {
		case slug == want && want != "":
			s.right++
			continue
		case slug == want:
			s.unresolved++
			continue
		}
		if slug != "" {
			s.wrong++
		}
		if want != "" {
			s.missed++
		}
		if len(row) < 3 || row[2] != "test" || os.Getenv("SECONDLIGHT_ERRORS") != "" {
			t.Logf("%q is %q, got %q (%.2f, %s)", title, want, slug, got.Confidence, got.Reason)
		}
	}
	return s
}

// readTitles reads labelled titles of testdata.
func readTitles(t *testing.T, name string, columns ...string) [][]string {
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return readCSV(t, f, columns...)
}

// TestHardTitles measures the resolver on titles that were once resolved wrongly: those that it
// trusts must be right.
func TestHardTitles(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	s := measureTitles(t, c, r, readTitles(t, "hard_titles.csv", "title", "gear"), true)
	t.Logf("precision %.3f, recall %.3f: %+v", s.precision(), s.recall(), s)
	if s.precision() < 0.985 || s.recall() < 0.8 {
		t.Error("precision must be 0.985 and recall 0.80")
	}
}

// TestTitles measures the resolver on titles in five languages, in two sets: part dev of each, on which
// it was tuned, and part test, which was held out. Of the trusted ones, 98.5 % must be right.
func TestTitles(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	for _, set := range []string{"market_titles.csv", "five_languages.csv"} {
		rows := readTitles(t, set, "title", "gear", "part")
		for _, part := range []string{"dev", "test"} {
			titles := slices.DeleteFunc(slices.Clone(rows), func(row []string) bool { return row[2] != part })
			s := measureTitles(t, c, r, titles, true)
			t.Logf("%s, %s: precision %.3f, recall %.3f: %+v", set, part, s.precision(), s.recall(), s)
			if s.precision() < 0.985 || s.recall() < 0.8 {
				t.Errorf("%s, %s: precision must be 0.985 and recall 0.80", set, part)
			}
		}
	}
}

// TestConfidence compares the confidence with the share of labelled titles that are right. The shares
// are those of all titles, tuned on or not, since those with a low confidence are few.
func TestConfidence(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	levels := map[float64]*score{}
	for _, set := range []string{"market_titles.csv", "five_languages.csv"} {
		for _, row := range readTitles(t, set, "title", "gear", "part") {
			got := r.Resolve(row[0])
			if got.Gear == nil {
				continue
			}
			if levels[got.Confidence] == nil {
				levels[got.Confidence] = &score{}
			}
			if got.Gear == c.Gear(row[1]) {
				levels[got.Confidence].right++
			} else {
				levels[got.Confidence].wrong++
			}
		}
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		s := levels[level]
		n, share := float64(s.right+s.wrong), s.precision()
		t.Logf("confidence %.2f: %d of %.0f right, %.3f %s", level, s.right, n, share, strings.Repeat("=", int(40*share)))
		if chance := 2 * math.Sqrt(level*(1-level)/n); math.Abs(share-level) > chance+0.01 {
			t.Errorf("confidence %.2f: %.3f are right, which is not by chance", level, share)
		}
	}
}
