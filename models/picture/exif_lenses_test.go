package picture_test

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
)

// TestLensesOfPictures reads lenses as cameras write them: at least 80 % are known, and none is
// taken for another.
func TestLensesOfPictures(t *testing.T) {
	t.Parallel()
	c, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/exif_lenses.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, row := range rows[1:] {
		x := picture.Exposure{Make: row[0], LensMake: row[1], LensModel: row[2]}
		switch g := x.Lens(c); {
		case g == nil:
			t.Logf("%s %q is unknown, want %s", row[0], row[2], row[3])
		case g.Slug() == row[3]:
			known++
		default:
			t.Errorf("%s %q is taken for %s, want %s", row[0], row[2], g.Slug(), row[3])
		}
	}
	n := len(rows) - 1
	t.Logf("%d of %d lenses are known", known, n)
	if n < 60 || float64(known) < 0.8*float64(n) {
		t.Error("80 % of at least 60 must be known")
	}
}
