package catalog

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestOldSlugs checks that every slug that was ever published leads to gear, and to no choice.
func TestOldSlugs(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	published, err := os.ReadFile("testdata/slugs.txt")
	if err != nil {
		t.Fatal(err)
	}
	slugs := strings.Fields(string(published))
	for _, m := range c.Moves() {
		slugs = append(slugs, m.From)
	}
	if len(slugs) < 5800 {
		t.Errorf("only %d slugs", len(slugs))
	}
	for _, slug := range slugs {
		brand, model, _ := strings.Cut(slug, "/")
		g := c.Gear(slug)
		if g == nil {
			t.Errorf("%s leads nowhere: add it to moves.csv", slug)
			continue
		}
		for _, name := range [][2]string{{brand, model}, {"", slug}} {
			if found, err := c.FindGear(name[0], name[1], func(string) int { return 0 }); err != nil || found != g {
				t.Errorf("%q is %v, %v, want %s", name, found, err, g.Slug())
			}
		}
	}
}

// TestMovesErrors checks that a file of moves names the line of a mistake.
func TestMovesErrors(t *testing.T) {
	t.Parallel()
	const gear = "brand,model,brand_slug,model_slug,category,mount,format,focal_min,focal_max,aperture,year,exif_make,exif_models,aliases\n" +
		"Nikon,FM2,nikon,fm2,film_slr,Nikon F,,,,,1982,,,\nNikon,FM2/T,nikon,fm2-t,film_slr,Nikon F,,,,,1993,,,\n"
	for rows, want := range map[string]string{
		"nikon/fm2,nikon/fm2-t\nnikon/old,nikon/fm2": "",
		"nikon/fm2,nikon/fm9":                        `moves.csv:2: can't move "nikon/fm2"`,
		"nikon/fm2,nikon/fm2":                        "can't move",
		"nikon/old,nikon/fm2\nnikon/old,nikon/fm2-t": "moves.csv:3: nikon/old is moved twice",
	} {
		_, err := ReadCatalog(fstest.MapFS{catalogFile: {Data: []byte(gear)}, movesFile: {Data: []byte("from,gear\n" + rows + "\n")}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", rows, err, want)
		}
	}
}

// TestMoved reads titles of gear that was split.
func TestMoved(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, test := range []struct {
		slug, title, want string
		certain           bool
	}{
		{"nikon/fm2", "Nikon FM2/T titan", "nikon/fm2-t", true},
		{"nikon/fm2", "Nikon FM2n", "nikon/fm2", true},
		{"nikon/fm2", "", "nikon/fm2", false},
		{"nikon/fm2", "Nikon F3/T", "nikon/fm2", false},
		{"nikon/f3", "Nikon F3/T body", "nikon/f3-t", true},
		{"leica/m-typ-262", "Leica M-D (Typ 262)", "leica/m-d-typ-262", true},
		{"rollei/rolleiflex-6008", "Rolleiflex 6008 AF", "rollei/rolleiflex-6008-af", true},
		{"rollei/rolleiflex-6008", "Rolleiflex 6008 Integral", "rollei/rolleiflex-6008-integral", true},
		{"hasselblad/h3d", "Hasselblad H3D-39", "hasselblad/h3d-39", true},
		{"leica/summarit-m-50mm-f2-5", "Leica Summarit-M 50mm f/2.4", "leica/summarit-m-50mm-f2-4", true},
		{"exakta/kine-exakta", "", "exakta/kine", true},
		{"panasonic/lumix-dc-gf10", "anything", "panasonic/lumix-dc-gx880", true},
	} {
		if got, certain := c.Moved(test.slug, test.title); got != test.want || certain != test.certain {
			t.Errorf("%s %q: %s, %t, want %s, %t", test.slug, test.title, got, certain, test.want, test.certain)
		}
	}
}
