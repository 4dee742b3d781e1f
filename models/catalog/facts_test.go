package catalog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/secondlight/secondlight/models"
)

// mountsOfNames are the mounts that a word in the name of a lens stands for. Brands with other
// meanings of the word are left out.
var mountsOfNames = []struct{ word, mount, except string }{
	{`\bGFX\b`, "Fujifilm G", ""}, {`\bLTM\b`, "M39", ""}, {`\b(VM|ZM)\b`, "Leica M", ""}, {`\bZE\b`, "Canon EF", ""}, {`\bZF\b`, "Nikon F", ""},
	{`\bMFT\b`, "Micro Four Thirds", ""}, {`\bQBM\b`, "Rollei QBM", ""}, {`\bFE\b`, "Sony E", "hasselblad"}, {`(^| )RF\b`, "Canon RF", "minolta"},
	{`\bEF-M\b`, "Canon EF-M", ""}, {`\bEF-S\b`, "Canon EF-S", ""}, {`^EF `, "Canon EF", ""}, {`^Prakticar`, "Praktica B", ""},
	{` X$`, "Fujifilm X", ""}, {` E$`, "Sony E", "hasselblad"}, {` Z$`, "Nikon Z", "canon"},
}

// TestMountsOfNames checks that lenses with a mount in their name have it.
func TestMountsOfNames(t *testing.T) {
	t.Parallel()
	lenses := 0
	for _, rule := range mountsOfNames {
		word := regexp.MustCompile(rule.word)
		for _, g := range readCatalog(t).All() {
			if g.Category.Family() != models.FamilyLens || g.BrandSlug == rule.except || !word.MatchString(g.Model) {
				continue
			}
			lenses++
			if !strings.Contains(", "+g.Mount+", ", ", "+rule.mount+", ") {
				t.Errorf("%s is for %s, not %s", g.Slug(), g.Mount, rule.mount)
			}
		}
	}
	if lenses < 200 {
		t.Errorf("only %d lenses have a mount in their name", lenses)
	}
}

// TestYearsOfMounts checks that no gear is older than its mount.
func TestYearsOfMounts(t *testing.T) {
	t.Parallel()
	first := map[string]int{"Canon RF": 2018, "Nikon Z": 2018, "Canon EF-M": 2012, "Nikon 1": 2011, "Fujifilm X": 2012, "Fujifilm G": 2016, "Hasselblad X": 2016, "Leica L": 2014, "Sony E": 2010, "Canon EF": 1987}
	for _, g := range readCatalog(t).All() {
		if mounts := g.Mounts(); len(mounts) == 1 && g.Year > 0 && g.Year < first[mounts[0]] {
			t.Errorf("%s of %d is older than %s", g.Slug(), g.Year, g.Mount)
		}
	}
}

// TestIndependentMounts checks that makers of lenses for several mounts have them in the catalogue.
func TestIndependentMounts(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, g := range readCatalog(t).All() {
		if strings.Contains(" sigma tamron tokina samyang viltrox laowa ttartisan 7artisans meike yongnuo zeiss voigtlander irix sirui mitakon ", " "+g.BrandSlug+" ") {
			for _, mount := range g.Mounts() {
				count[mount]++
			}
		}
	}
	for mount, least := range map[string]int{"Nikon Z": 100, "Canon RF": 50, "Fujifilm X": 110, "Leica L": 75, "Sony E": 270, "Canon EF": 200} {
		if count[mount] < least {
			t.Errorf("%d lenses of independent makers are for %s, want %d", count[mount], mount, least)
		}
	}
	t.Log(count)
}

// TestLaunchPrices checks that launch prices are those of press releases, in a currency that
// existed, and that a model was not much cheaper than the one it replaced.
func TestLaunchPrices(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, test := range []struct {
		gear      string
		low, high float64
	}{
		{"canon/eos-5d-mark-ii", 2450, 2550}, {"canon/eos-5d-mark-iii", 3200, 3400}, {"canon/eos-r", 2450, 2550}, {"nikon/z-6", 2250, 2350}, {"nikon/z-7", 3700, 3850},
		{"nikon/nikkor-z-24-70mm-f4-s", 1050, 1150}, {"nikon/af-s-nikkor-70-200mm-f2-8g-ed-vr-ii", 2000, 2400}, {"olympus/om-d-e-m1-mark-ii", 1950, 2050},
	} {
		if p := c.Gear(test.gear).launchPrice(); p < test.low || p > test.high {
			t.Errorf("%s cost %.0f, want %.0f to %.0f", test.gear, p, test.low, test.high)
		}
	}
	mark := regexp.MustCompile(`^(.+?)(-mark)?-(ii|iii|iv|v)$`)
	generation := map[string]string{"ii": "", "iii": "-ii", "iv": "-iii", "v": "-iv"}
	for _, g := range c.All() {
		if strings.HasSuffix(g.LaunchPrice, "EUR") && g.Year < firstEuro {
			t.Errorf("%s of %d cost %s", g.Slug(), g.Year, g.LaunchPrice)
		}
		m := mark.FindStringSubmatch(g.ModelSlug)
		if m == nil || g.launchPrice() == 0 {
			continue
		}
		before := m[1]
		if earlier := generation[m[3]]; earlier != "" {
			before += m[2] + earlier
		}
		if old := c.Gear(g.BrandSlug + "/" + before); old != nil && old.Category == g.Category && old.launchPrice() > 0 {
			if ratio := g.launchPrice() / old.launchPrice(); ratio < 0.45 || ratio > 1.9 {
				t.Errorf("%s cost %.2f times what %s cost", g.Slug(), ratio, old.Slug())
			}
		}
	}
}

// TestLaunchPricesInDollars compares converted prices with those in euros at the launch.
func TestLaunchPricesInDollars(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		year           int
		dollars, euros float64
	}{
		{2005, 3299, 3399}, {2008, 2699, 2499}, {2012, 3499, 3299}, {2012, 2999, 2899}, {2013, 1299, 1199}, {2017, 3299, 3799}, {2018, 1999, 2299}, {2018, 2299, 2499},
		{2020, 3899, 4389}, {2021, 2499, 2799}, {2022, 2499, 2899}, {2022, 1699, 1999}, {2023, 3999, 4599},
	} {
		got := (&Gear{Year: test.year, LaunchPrice: fmt.Sprintf("%.2f USD", test.dollars)}).launchPrice()
		if ratio := got / test.euros; ratio < 0.9 || ratio > 1.1 {
			t.Errorf("%.0f dollars in %d are %.0f euros, want %.0f", test.dollars, test.year, got, test.euros)
		}
	}
	for text, want := range map[string]float64{"100.00 EUR": 100, "100.00 CHF": 0, "": 0} {
		if got := (&Gear{LaunchPrice: text}).launchPrice(); got != want {
			t.Errorf("%q: %.0f, want %.0f", text, got, want)
		}
	}
}

// TestAliasesOfLenses checks that the aliases of a lens have its focal length and aperture:
// otherwise they are those of another lens.
func TestAliasesOfLenses(t *testing.T) {
	t.Parallel()
	number := func(m []string) float64 {
		if m == nil {
			return 0
		}
		n, _ := strconv.ParseFloat(m[1], 64)
		return n
	}
	aperture, focal := regexp.MustCompile(`\b[fT]/?(\d+(?:\.\d+)?)`), regexp.MustCompile(`(\d+(?:\.\d+)?)(?:-\d+)? ?mm`)
	for _, g := range readCatalog(t).All() {
		for _, alias := range g.Aliases {
			f, n := number(focal.FindStringSubmatch(alias)), number(aperture.FindStringSubmatch(alias))
			if g.Category.Family() == models.FamilyLens && (f > 0 && f != g.FocalMin || n > 0 && n != g.Aperture) {
				t.Errorf("%q is another lens than %s", alias, g.Slug())
			}
		}
	}
}

// TestOpticsOfCompacts checks that nearly all digital compacts have a sensor, a focal length and an aperture.
func TestOpticsOfCompacts(t *testing.T) {
	t.Parallel()
	compacts, unknown := 0, map[string]int{}
	for _, g := range readCatalog(t).All() {
		if g.Category == "compact" && !g.onFilm() {
			compacts++
			for field, missing := range map[string]bool{"sensor": g.Format == "", "focal length": g.FocalMin == 0, "aperture": g.Aperture == 0} {
				if missing {
					unknown[field]++
				}
			}
		}
	}
	t.Logf("of %d digital compacts, these have none: %v", compacts, unknown)
	for field, n := range unknown {
		if n > compacts/4 {
			t.Errorf("%d of %d digital compacts have no %s", n, compacts, field)
		}
	}
}

// TestSourcedRows checks that facts need a source and the day it was checked.
func TestSourcedRows(t *testing.T) {
	t.Parallel()
	const gear = "brand,model,brand_slug,model_slug,category,mount,format,focal_min,focal_max,aperture,year,exif_make,exif_models,aliases\n" +
		"Canon,IXUS 1,canon,ixus-1,compact,,,,,,2001,,,\nSigma,30mm f/1.4,sigma,30mm-f1-4,lens_prime,Sony E,APS-C,30,30,1.4,2016,,,\n"
	for _, test := range []struct{ file, row, want string }{
		{factsFile, "sigma/30mm-f1-4,mount,\"Sony E, Canon RF\",maker,2026-11-27", ""},
		{factsFile, "sigma/30mm-f1-4,mount,Sony E,,2026-11-27", "no source"},
		{factsFile, "sigma/31mm-f1-4,mount,Sony E,maker,2026-11-27", "unknown gear"},
		{factsFile, "sigma/30mm-f1-4,mount,Sony E,maker,yesterday", "cannot parse"},
		{factsFile, "sigma/30mm-f1-4,weight,300,maker,2026-11-27", "unknown field"},
		{factsFile, "sigma/30mm-f1-4,aperture,wide,maker,2026-11-27", "is not a number"},
		{factsFile, "sigma/30mm-f1-4,category,lens,maker,2026-11-27", "unknown category"},
		{sensorFile, "canon/ixus-1,1/2.7-inch,database,2026-11-27", ""},
		{sensorFile, "canon/ixus-1,large,database,2026-11-27", "unknown format"},
		{sensorFile, "sigma/30mm-f1-4,APS-C,database,2026-11-27", "has the format APS-C"},
	} {
		value := map[string]string{factsFile: "field,value", sensorFile: "format"}[test.file]
		c, err := ReadCatalog(fstest.MapFS{
			catalogFile: {Data: []byte(gear)},
			test.file:   {Data: []byte("gear," + value + ",source,checked\n" + test.row + "\n")},
		})
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.row, err)
		case test.want == "" && test.file == factsFile && c.Gear("sigma/30mm-f1-4").Mount != "Sony E, Canon RF":
			t.Errorf("%s: the mount is %q", test.row, c.Gear("sigma/30mm-f1-4").Mount)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got error %v, want %q", test.row, err, test.want)
		}
	}
}

// TestSourceOf checks that every value of all gear says where it is from.
func TestSourceOf(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, test := range []struct{ gear, field, want string }{
		{"canon/eos-r6", "mount", "lensfun 0.3.3 2026-11-21"},
		{"canon/eos-r6", "year", "general knowledge "},
		{"canon/eos-r6", "launch_price", "general knowledge "},
		{"viltrox/af-16mm-f1-8", "mount", "lensfun 1c8b8f078aae 2026-11-27"},
		{"canon/ef-1200mm-f5-6l-usm", "aperture", "exiftool 38bdbace3037 2026-11-27"},
		{"nikon/fm2-t", "mount", "general knowledge "},
	} {
		source := c.Gear(test.gear).SourceOf(test.field)
		if got := source.Text + " " + string(source.Checked); got != test.want {
			t.Errorf("the %s of %s is from %q, want %q", test.field, test.gear, got, test.want)
		}
	}
	eachField(func(field string, _ int) {
		for _, g := range c.All() {
			if g.SourceOf(field).Text == "" {
				t.Errorf("the %s of %s has no source", field, g.Slug())
			}
		}
	})
	correction, err := c.NewCorrection("canon/eos-r6", GearValues{Brand: "Canon", Model: "EOS R6", Category: "mirrorless", Mount: "Canon RF", Format: "Full frame", Year: 2021}, models.Currency{Code: "EUR", Digits: 2})
	if err != nil {
		t.Fatal(err)
	}
	correction.At = models.TimeOf(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC))
	own := c.Copy()
	if err := own.Correct([]GearCorrection{*correction}); err != nil {
		t.Fatal(err)
	}
	if source := own.Gear("canon/eos-r6").SourceOf("year"); source != (Source{ownSource, "2027-03-01"}) {
		t.Errorf("a corrected year is from %+v", source)
	}
}

// TestDifferences compares gear of another source with the catalogue.
func TestDifferences(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, test := range []struct {
		theirs *Gear
		want   string
	}{
		{&Gear{Brand: "Canon", Model: "EOS R9", BrandSlug: "canon", ModelSlug: "eos-r9"}, "gear//Canon EOS R9"},
		{&Gear{BrandSlug: "canon", ModelSlug: "eos-r6", Mount: "Canon RF", Format: "Full frame"}, ""},
		{&Gear{BrandSlug: "canon", ModelSlug: "ef-50mm-f1-8-stm", Mount: "Canon EF, Nikon F", FocalMin: 50, FocalMax: 55, Aperture: 1.8}, "mount/Canon EF/Canon EF, Nikon F focal_max/50/55"},
	} {
		var got []string
		for _, d := range c.Differences(test.theirs) {
			got = append(got, d.Column+"/"+d.Ours+"/"+d.Theirs)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.theirs.Slug(), got, test.want)
		}
	}
}

// TestLensNamed resolves lenses as cameras write them, none of which the catalogue has as such.
func TestLensNamed(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, test := range []struct{ maker, name, want string }{
		{"OLYMPUS IMAGING CORP.", "OLYMPUS M.12-40mm F2.8", "olympus/m-zuiko-digital-ed-12-40mm-f2-8-pro"},
		{"Canon", "TAMRON SP 24-70mm F/2.8 Di VC USD G2 A032", "tamron/sp-24-70mm-f2-8-di-vc-usd-g2"},
		{"Canon", "30mm F1.4 DC DN | Contemporary 016", "sigma/30mm-f1-4-dc-dn-contemporary"},
		{"SONY", "24-70mm F2.8 DG DN II | Art 024", "sigma/24-70mm-f2-8-dg-dn-ii-art"},
		{"NIKON CORPORATION", "200.0-500.0 mm f/5.6", "nikon/af-s-nikkor-200-500mm-f5-6e-ed-vr"},
		{"Panasonic", "LUMIX G 25/F1.7", "panasonic/lumix-g-25mm-f1-7-asph"},
		{"Canon", "EF135mm f/2L USM", "canon/ef-135mm-f2l-usm"},
		{"RICOH IMAGING COMPANY, LTD.", "HD PENTAX-D FA 24-70mm F2.8ED SDM WR", "pentax/hd-d-fa-24-70mm-f2-8-ed-sdm-wr"},
		{"LEICA CAMERA AG", "Summilux-M 1:1.4/50 ASPH.", "leica/summilux-m-50mm-f1-4-asph"},
		{"OM Digital Solutions", "OM 12-40mm F2.8 II", "om-system/m-zuiko-digital-ed-12-40mm-f2-8-pro-ii"},
		{"NIKON", "VR 70-200mm f/2.8E", "nikon/af-s-nikkor-70-200mm-f2-8e-fl-ed-vr"},
		{"SONY", "----", ""},
		{"Canon", "50mm", ""},
		{"Canon", "EF 24-200mm f/2.8L", ""},
		{"NIKON", "Nikon Z 9", ""},
	} {
		got := ""
		if g := c.LensNamed(test.maker, test.name); g != nil {
			got = g.Slug()
		}
		if got != test.want {
			t.Errorf("%s %q is %q, want %q", test.maker, test.name, got, test.want)
		}
	}
}
