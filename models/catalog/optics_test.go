package catalog_test

import (
	"os"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

func TestOpticsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]catalog.Focal{"85": 85, "85mm": 85, " 18.5 MM": 18.5, "18,5": 18.5, "0": 0, "-5": 0, "wide": 0, "1e3": 0, "nan": 0, "99999": 0, "": 0} {
		var f catalog.Focal
		if err := f.Set(text); (err == nil) != (want > 0) || f != want {
			t.Errorf("focal length %q is %v, %v; want %v", text, f, err, want)
		}
	}
	for text, want := range map[string]catalog.FNumber{"2.8": 2.8, "f/2.8": 2.8, "F2,8": 2.8, "ƒ/1.4": 1.4, "1:2.8": 2.8, "T1.5": 1.5, "fast": 0, "0": 0, "128": 0} {
		var f catalog.FNumber
		if err := f.Set(text); (err == nil) != (want > 0) || f != want {
			t.Errorf("f-number %q is %v, %v; want %v", text, f, err, want)
		}
	}
	for text, want := range map[string]catalog.Sensor{"full-frame": "full_frame", "full_frame": "full_frame", "Full Frame": "full_frame", "FF": "full_frame", "APSC": "aps_c", "MFT": "micro_four_thirds",
		"m4/3": "micro_four_thirds", `1"`: "1_inch", "medium format": "medium_format", "6x6": "6x6", "35mm film": "35mm_film", "holographic": ""} {
		if got, ok := catalog.ParseSensor(text); ok != (want != "") || got != want {
			t.Errorf("sensor %q is %q, %v; want %q", text, got, ok, want)
		}
	}
}

func TestEquivalentFocalLengths(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		gear      catalog.Gear
		low, high float64
	}{
		{catalog.Gear{Format: "Full frame", FocalMin: 24, FocalMax: 70}, 24, 70},
		{catalog.Gear{Format: "APS-C", FocalMin: 23, FocalMax: 23}, 35, 35},
		{catalog.Gear{Format: "APS-C", Mount: "Canon EF-S", FocalMin: 10, FocalMax: 22}, 16, 35},
		{catalog.Gear{Format: "APS-C", Mount: "Canon EF, Nikon F", FocalMin: 10, FocalMax: 20}, 15, 30},
		{catalog.Gear{Format: "Micro Four Thirds", FocalMin: 12, FocalMax: 40}, 24, 80},
		{catalog.Gear{Format: "6x6", FocalMin: 80, FocalMax: 80}, 44, 44},
		{catalog.Gear{FocalMin: 5, FocalMax: 20}, 0, 0},
		{catalog.Gear{Format: "Full frame"}, 0, 0},
	} {
		if low, high := test.gear.Equivalent(); low != test.low || high != test.high {
			t.Errorf("%+v is equivalent to %v to %v mm, want %v to %v", test.gear, low, high, test.low, test.high)
		}
	}
}

// Every format of the catalogue can be searched for, and all but a few very rare ones
// have a crop factor.
func TestFormatsOfTheCatalogue(t *testing.T) {
	t.Parallel()
	gears, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[catalog.Sensor]bool{}
	for _, s := range catalog.Sensors {
		if parsed, ok := catalog.ParseSensor(s.Label()); named[s] || !ok || parsed != s {
			t.Errorf("sensor %q is listed twice, or its name is not understood", s)
		}
		named[s] = true
	}
	for _, g := range gears.All() {
		switch {
		case g.Format == "":
		case g.CropFactor() == 0 && g.FocalMin > 0:
			t.Errorf("%s has the format %q without a crop factor", g.Slug(), g.Format)
		case g.Category.Family() == models.FamilyLens && !named[g.Sensor()]:
			t.Errorf("%s covers %q, which cannot be searched for", g.Slug(), g.Format)
		}
	}
}
