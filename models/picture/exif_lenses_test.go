package picture_test

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
)

// TestLensesOfPictures reads lenses as cameras write them, in two sets, of which the second was held
// out: at least 80 % are known, and none is taken for another.
func TestLensesOfPictures(t *testing.T) {
	t.Parallel()
	c, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"exif_lenses.csv", "exif_lenses_held_out.csv"} {
		f, err := os.Open("testdata/" + set)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		known, n := 0, 0
		for _, row := range rows[1:] {
			got := ""
			if g := (&picture.Exposure{Make: row[0], LensMake: row[1], LensModel: row[2]}).Lens(c); g != nil {
				got = g.Slug()
			}
			if row[3] != "" {
				n++
			}
			switch {
			case got == row[3] && got != "":
				known++
			case got == "":
				t.Logf("%s %q is unknown, want %q", row[0], row[2], row[3])
			default:
				t.Errorf("%s %q is taken for %s, want %q", row[0], row[2], got, row[3])
			}
		}
		t.Logf("%s: %d of %d lenses are known", set, known, n)
		if n < 60 || float64(known) < 0.8*float64(n) {
			t.Errorf("%s: 80 %% of at least 60 must be known", set)
		}
	}
}
