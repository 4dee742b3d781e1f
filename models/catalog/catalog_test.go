package catalog

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/secondlight/secondlight/models"
)

// readCatalog reads the catalogue of the site.
func readCatalog(t testing.TB) *Catalog {
	t.Helper()
	c, err := ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestKnownGear(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, want := range []struct {
		slug               string
		category           models.Category
		mount, format      string
		min, max, aperture float64
		exifMake, exif     string
	}{
		{"canon/eos-r6", "mirrorless", "Canon RF", "Full frame", 0, 0, 0, "Canon", "Canon EOS R6"},
		{"canon/eos-700d", "dslr", "Canon EF-S", "APS-C", 0, 0, 0, "Canon", "Canon EOS Kiss X7i"},
		{"canon/eos-300d", "dslr", "Canon EF-S", "APS-C", 0, 0, 0, "Canon", "Canon EOS DIGITAL REBEL"},
		{"canon/eos-5d-mark-iii", "dslr", "Canon EF", "Full frame", 0, 0, 0, "CANON", "CANON EOS 5D MARK III"},
		{"canon/eos-1d-mark-iv", "dslr", "Canon EF", "APS-H", 0, 0, 0, "Canon", "Canon EOS-1D Mark IV"},
		{"canon/eos-d30", "dslr", "Canon EF", "APS-C", 0, 0, 0, "Canon", "Canon EOS D30"},
		{"canon/eos-m50", "mirrorless", "Canon EF-M", "APS-C", 0, 0, 0, "Canon", "Canon EOS KISS M"},
		{"canon/ixus-750", "compact", "", "1/1.8-inch", 7.7, 23.1, 2.8, "Canon", "Canon PowerShot SD550"},
		{"canon/powershot-g7-x", "compact", "", "1-inch", 8.8, 36.8, 1.8, "Canon", "Canon PowerShot G7 X 16:9"},
		{"canon/powershot-g1-x-mark-iii", "compact", "", "APS-C", 15, 45, 2.8, "Canon", "Canon PowerShot G1 X Mark III"},
		{"nikon/d90", "dslr", "Nikon F", "APS-C", 0, 0, 0, "NIKON CORPORATION", "NIKON D90"},
		{"nikon/d800e", "dslr", "Nikon F", "Full frame", 0, 0, 0, "NIKON CORPORATION", "NIKON D800E"},
		{"nikon/z-6ii", "mirrorless", "Nikon Z", "Full frame", 0, 0, 0, "NIKON CORPORATION", "NIKON Z 6_2"},
		{"nikon/1-v1", "mirrorless", "Nikon 1", "1-inch", 0, 0, 0, "NIKON CORPORATION", "NIKON 1 V1"},
		{"nikon/coolpix-8800", "compact", "", "2/3-inch", 8.9, 89.1, 2.8, "NIKON", "E8800"},
		{"sony/alpha-7-iii", "mirrorless", "Sony E", "Full frame", 0, 0, 0, "SONY", "ILCE-7M3"},
		{"sony/alpha-77", "dslr", "Sony A", "APS-C", 0, 0, 0, "SONY", "SLT-A77V"},
		{"sony/alpha-700", "dslr", "Sony A", "APS-C", 0, 0, 0, "SONY", "DSLR-A700"},
		{"sony/nex-5n", "mirrorless", "Sony E", "APS-C", 0, 0, 0, "SONY", "NEX-5N"},
		{"sony/rx100-iii", "compact", "", "1-inch", 8.8, 25.7, 1.8, "SONY", "DSC-RX100M3"},
		{"sony/rx100", "compact", "", "1-inch", 10.4, 37.1, 1.8, "SONY", "DSC-RX100"},
		{"sony/rx1r-ii", "compact", "", "Full frame", 35, 35, 2, "SONY", "DSC-RX1RM2"},
		{"fujifilm/x-t3", "mirrorless", "Fujifilm X", "APS-C", 0, 0, 0, "FUJIFILM", "X-T3"},
		{"fujifilm/x100v", "compact", "", "APS-C", 23, 23, 2, "FUJIFILM", "X100V"},
		{"fujifilm/gfx-50r", "medium_format", "Fujifilm G", "44x33 medium format", 0, 0, 0, "FUJIFILM", "GFX 50R"},
		{"fujifilm/finepix-s5-pro", "dslr", "Nikon F", "APS-C", 0, 0, 0, "FUJIFILM", "FinePix S5Pro"},
		{"olympus/om-d-e-m5-mark-ii", "mirrorless", "Micro Four Thirds", "Micro Four Thirds", 0, 0, 0, "OLYMPUS IMAGING CORP.", "E-M5MarkII"},
		{"olympus/om-d-e-m10-mark-iii", "mirrorless", "Micro Four Thirds", "Micro Four Thirds", 0, 0, 0, "OLYMPUS CORPORATION", "E-M10 Mark III"},
		{"olympus/pen-e-p5", "mirrorless", "Micro Four Thirds", "Micro Four Thirds", 0, 0, 0, "OLYMPUS IMAGING CORP.", "E-P5"},
		{"olympus/e-3", "dslr", "Four Thirds", "Four Thirds", 0, 0, 0, "OLYMPUS IMAGING CORP.", "E-3"},
		{"olympus/mju-ii", "compact", "", "35mm film", 35, 35, 2.8, "", ""},
		{"panasonic/lumix-dmc-g80", "mirrorless", "Micro Four Thirds", "Micro Four Thirds", 0, 0, 0, "Panasonic", "DMC-G85"},
		{"panasonic/lumix-dc-tz90", "compact", "", "1/2.3-inch", 4.3, 129, 3.3, "Panasonic", "DC-TZ90"},
		{"panasonic/lumix-dmc-lx3", "compact", "", "1/1.6-inch", 5.1, 12.8, 2, "Panasonic", "DMC-LX3"},
		{"panasonic/lumix-dc-s1r", "mirrorless", "Leica L", "Full frame", 0, 0, 0, "Panasonic", "DC-S1R"},
		{"pentax/k-1", "dslr", "Pentax K", "Full frame", 0, 0, 0, "RICOH IMAGING COMPANY, LTD.", "PENTAX K-1"},
		{"pentax/k-m", "dslr", "Pentax K", "APS-C", 0, 0, 0, "PENTAX", "PENTAX K2000"},
		{"pentax/k-01", "mirrorless", "Pentax K", "APS-C", 0, 0, 0, "PENTAX", "PENTAX K-01"},
		{"pentax/q7", "mirrorless", "Pentax Q", "1/1.7-inch", 0, 0, 0, "PENTAX", "PENTAX Q7"},
		{"samsung/nx1", "mirrorless", "Samsung NX", "APS-C", 0, 0, 0, "SAMSUNG", "NX1"},
		{"sigma/sd-quattro", "mirrorless", "Sigma SA", "APS-C", 0, 0, 0, "SIGMA", "sd Quattro"},
		{"leica/m-typ-240", "rangefinder", "Leica M", "Full frame", 0, 0, 0, "Leica Camera AG", "LEICA M (Typ 240)"},
		{"leica/q-typ-116", "compact", "", "Full frame", 28, 28, 1.7, "LEICA CAMERA AG", "LEICA Q (Typ 116)"},
		{"leica/d-lux-4", "compact", "", "1/1.6-inch", 5.1, 12.8, 2, "LEICA", "D-LUX 4"},
		{"epson/r-d1", "rangefinder", "Leica M", "APS-C", 0, 0, 0, "SEIKO EPSON CORP.", "R-D1"},
		{"hasselblad/h3d", "medium_format", "Hasselblad H", "48x36 medium format", 0, 0, 0, "Hasselblad", "Hasselblad H3D"},
		{"zenit/122k", "film_slr", "Pentax K", "35mm film", 0, 0, 0, "", ""},
		{"gopro/hero4-black", "action_cam", "", "", 0, 0, 0, "GoPro", "HERO4 Black"},
		{"dji/mavic-2-pro", "other", "", "", 0, 0, 0, "Hasselblad", "L1D-20c"},

		{"canon/ef-50mm-f1-8-stm", "lens_prime", "Canon EF", "Full frame", 50, 50, 1.8, "Canon", "EF50mm f/1.8 STM"},
		{"canon/ef-17-40mm-f4l-usm", "lens_zoom", "Canon EF", "Full frame", 17, 40, 4, "Canon", "EF17-40mm f/4L USM"},
		{"canon/ef-35mm-f1-4l-ii-usm", "lens_prime", "Canon EF", "Full frame", 35, 35, 1.4, "", ""},
		{"canon/ef-s-18-55mm-f4-5-6-is-stm", "lens_zoom", "Canon EF-S", "APS-C", 18, 55, 4, "", ""},
		{"canon/rf-24-105mm-f4l-is-usm", "lens_zoom", "Canon RF", "Full frame", 24, 105, 4, "Canon", "RF24-105mm F4 L IS USM"},
		{"canon/new-fd-50mm-f1-4", "lens_prime", "Canon FD", "Full frame", 50, 50, 1.4, "", ""},
		{"nikon/af-s-dx-nikkor-35mm-f1-8g", "lens_prime", "Nikon F", "APS-C", 35, 35, 1.8, "", ""},
		{"nikon/af-dc-nikkor-135mm-f2d", "lens_prime", "Nikon F", "Full frame", 135, 135, 2, "", ""},
		{"nikon/af-micro-nikkor-105mm-f2-8d", "lens_macro", "Nikon F", "Full frame", 105, 105, 2.8, "", ""},
		{"nikon/af-s-nikkor-400mm-f2-8g-ed-vr", "lens_prime", "Nikon F", "Full frame", 400, 400, 2.8, "", ""},
		{"nikon/1-nikkor-aw-11-27-5mm-f3-5-5-6", "lens_zoom", "Nikon 1", "1-inch", 11, 27.5, 3.5, "", ""},
		{"sony/e-10-18mm-f4-oss", "lens_zoom", "Sony E", "APS-C", 10, 18, 4, "SONY", "E 10-18mm F4 OSS"},
		{"sony/fe-90mm-f2-8-macro-g-oss", "lens_macro", "Sony E", "Full frame", 90, 90, 2.8, "SONY", "FE 90mm F2.8 Macro G OSS"},
		{"fujifilm/xf-18-55mm-f2-8-4-r-lm-ois", "lens_zoom", "Fujifilm X", "APS-C", 18, 55, 2.8, "FUJIFILM", "XF18-55mmF2.8-4 R LM OIS"},
		{"olympus/m-zuiko-digital-ed-40-150mm-f2-8-pro", "lens_zoom", "Micro Four Thirds", "Micro Four Thirds", 40, 150, 2.8, "OLYMPUS", "OLYMPUS M.40-150mm F2.8"},
		{"panasonic/leica-dg-nocticron-42-5mm-f1-2-asph-power-ois", "lens_prime", "Micro Four Thirds", "Micro Four Thirds", 42.5, 42.5, 1.2, "Panasonic", "LEICA DG NOCTICRON 42.5/F1.2"},
		{"pentax/hd-d-fa-28-105mm-f3-5-5-6-ed-dc-wr", "lens_zoom", "Pentax K", "Full frame", 28, 105, 3.5, "", ""},
		{"pentax/smc-m-macro-100mm-f4", "lens_macro", "Pentax K", "Full frame", 100, 100, 4, "", ""},
		{"sigma/18-35mm-f1-8-dc-hsm-art", "lens_zoom", "Canon EF, Nikon F, Sony A, Pentax K, Sigma SA", "APS-C", 18, 35, 1.8, "", ""},
		{"sigma/35mm-f1-2-dg-dn-art", "lens_prime", "Sony E, Leica L", "Full frame", 35, 35, 1.2, "Sigma", "35mm F1.2 DG DN | Art 019"},
		{"tamron/20mm-f2-8-di-iii-osd-m1-2", "lens_prime", "Sony E", "Full frame", 20, 20, 2.8, "Tamron", "E 20mm F2.8 F050"},
		{"tamron/sp-90mm-f2-8-di-vc-usd-macro-1-1", "lens_macro", "Canon EF, Nikon F, Sony A", "Full frame", 90, 90, 2.8, "", ""},
		{"tokina/af-14-20mm-f2-at-x-pro-dx", "lens_zoom", "Nikon F, Canon EF", "APS-C", 14, 20, 2, "", ""},
		{"samyang/35mm-t1-5-cine-lens", "lens_prime", "Canon EF", "Full frame", 35, 35, 1.5, "", ""},
		{"samyang/8mm-f2-8-umc-fish-eye", "lens_fisheye", "Sony E, Fujifilm X, Samsung NX", "APS-C", 8, 8, 2.8, "", ""},
		{"zeiss/distagon-t-21mm-f2-8", "lens_prime", "Canon EF, Nikon F, Pentax K", "Full frame", 21, 21, 2.8, "", ""},
		{"voigtlander/skoparex-35mm-f3-4", "lens_prime", "DKL", "Full frame", 35, 35, 3.4, "", ""},
		{"zenit/mc-zenitar-16mm-f2-8", "lens_fisheye", "Canon EF, Nikon F, Pentax K, M42", "Full frame", 16, 16, 2.8, "", ""},
		{"canon/extender-ef-2x-iii", "accessory", "Canon EF", "", 0, 0, 0, "", ""},
	} {
		g := c.Gear(want.slug)
		if g == nil {
			t.Errorf("%s is missing", want.slug)
			continue
		}
		if g.Category != want.category || g.Mount != want.mount || g.Format != want.format {
			t.Errorf("%s is %s, %q, %q, want %s, %q, %q", want.slug, g.Category, g.Mount, g.Format, want.category, want.mount, want.format)
		}
		if g.FocalMin != want.min || g.FocalMax != want.max || g.Aperture != want.aperture {
			t.Errorf("%s is %g-%g mm f/%g, want %g-%g mm f/%g", want.slug, g.FocalMin, g.FocalMax, g.Aperture, want.min, want.max, want.aperture)
		}
		if want.exif != "" && c.ByEXIF(want.exifMake, want.exif) != g {
			t.Errorf("%s does not have the EXIF name %q %q", want.slug, want.exifMake, want.exif)
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for slug, want := range map[string][]string{
		"canon/eos-700d":               {"EOS Rebel T5i", "Kiss X7i", "T5i", "DS126431"},
		"canon/eos-5d-mark-iii":        {"5D3", "5D Mark III"},
		"canon/eos-5ds-r":              {"5DSR"},
		"canon/ef-50mm-f1-8-ii":        {"nifty fifty", "fantastic plastic"},
		"canon/ef-50mm-f1-8-stm":       {"nifty fifty"},
		"canon/ixus-750":               {"IXY Digital 700", "PowerShot SD550"},
		"sony/alpha-7-iii":             {"A7 III", "ILCE-7M3", "A7M3"},
		"olympus/om-d-e-m5-mark-ii":    {"E-M5 II", "EM5 Mark II"},
		"panasonic/lumix-dmc-g80":      {"G80", "G85", "DMC-G81"},
		"panasonic/lumix-dc-gx9":       {"GX7 Mark III"},
		"zeiss/milvus-50mm-f1-4":       {"Milvus 1.4/50"},
		"sony/dt-18-55mm-f3-5-5-6-sam": {"SAL1855"},
	} {
		g := c.Gear(slug)
		if g == nil {
			t.Errorf("%s is missing", slug)
			continue
		}
		for _, alias := range want {
			if !slices.Contains(g.Aliases, alias) {
				t.Errorf("%s does not have the alias %q, but %q", slug, alias, g.Aliases)
			}
		}
	}
}

func TestCatalogIsConsistent(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	if n := countCSV(t, "../../content/catalog/lensfun.csv"); n < 1600 {
		t.Errorf("lensfun.csv has %d gear, want at least 1,600", n)
	}
	if n := countCSV(t, "../../content/catalog/aliases.csv"); n < 500 {
		t.Errorf("aliases.csv has %d aliases, want at least 500", n)
	}
	if n := countCSV(t, "../../content/catalog/launch_prices.csv"); n < 3500 {
		t.Errorf("launch_prices.csv has %d prices, want at least 3,500", n)
	}
	names := map[string]string{}
	for i, g := range c.All() {
		if i > 0 && bySlug(c.All()[i-1], g) >= 0 {
			t.Errorf("%s is not sorted", g.Slug())
		}
		if slices.Contains(strings.Fields(strings.ToLower(g.Model)), strings.ToLower(g.Brand)) {
			t.Errorf("%s repeats its brand in %q", g.Slug(), g.Model)
		}
		if g.ModelSlug != models.Slug(g.Model) {
			t.Errorf("the slug of %s %s is %s", g.Brand, g.Model, g.ModelSlug)
		}
		if strings.TrimSpace(g.Model) != g.Model || strings.Contains(g.Model, "  ") {
			t.Errorf("%s has stray spaces in %q", g.Slug(), g.Model)
		}
		lens := g.Category.Family() == models.FamilyLens
		if lens && (g.Mount == "" || g.FocalMin == 0 && strings.Contains(g.Model, "mm")) {
			t.Errorf("%s is a lens without focal length or mount", g.Slug())
		}
		if prime := g.FocalMin == g.FocalMax; lens && g.Category != "lens_fisheye" && g.Category != "lens_macro" && prime == (g.Category == "lens_zoom") {
			t.Errorf("%s, %g-%g mm, is a %s", g.Slug(), g.FocalMin, g.FocalMax, g.Category)
		}
		compact := g.BrandSlug + strings.ReplaceAll(g.ModelSlug, "-", "")
		if other := names[compact]; other != "" {
			t.Errorf("%s and %s have the same name", g.Slug(), other)
		}
		names[compact] = g.Slug()
		for _, name := range g.EXIF {
			if c.ByEXIF(name.Make, name.Model) != g {
				t.Errorf("EXIF name %q %q is not unique to %s", name.Make, name.Model, g.Slug())
			}
		}
	}
}

func countCSV(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(text, []byte("\n")) - 1
}

func TestBrands(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	n := 0
	for _, b := range c.Brands() {
		if got := c.Brand(b.Slug); got == nil || got.Name != b.Name {
			t.Errorf("Brand(%q) = %v", b.Slug, got)
		}
		if !slices.Equal(c.GearOfBrand(b.Slug), b.Gear) {
			t.Errorf("GearOfBrand(%q) is not the gear of the brand", b.Slug)
		}
		for _, g := range b.Gear {
			if g.Brand != b.Name || c.Gear(g.Slug()) != g {
				t.Errorf("%s is not of brand %s", g.Slug(), b.Name)
			}
		}
		n += len(b.Gear)
	}
	if n != len(c.All()) {
		t.Errorf("brands have %d gear, catalogue has %d", n, len(c.All()))
	}
	if c.Brand("nobody") != nil || c.GearOfBrand("nobody") != nil || c.Gear("nobody/nothing") != nil || c.ByEXIF("", "") != nil {
		t.Error("found gear that does not exist")
	}
}

func TestReadCatalogErrors(t *testing.T) {
	t.Parallel()
	const header = "brand,model,brand_slug,model_slug,category,mount,format,focal_min,focal_max,aperture,year,exif_make,exif_models,aliases\n"
	const row = "Canon,EOS R6,canon,eos-r6,mirrorless,Canon RF,Full frame,,,,2020,Canon,Canon EOS R6,R6\n"
	for want, files := range map[string][3]string{
		"lensfun.csv: the columns must be":                             {"brand,model\n", "", ""},
		"lensfun.csv:3: duplicate gear canon/eos-r6":                   {header + row + row, "", ""},
		"additions.csv:2: duplicate gear canon/eos-r6":                 {header + row, header + row, ""},
		`lensfun.csv:2: unknown category "camera"`:                     {header + strings.Replace(row, "mirrorless", "camera", 1), "", ""},
		`lensfun.csv:2: "canon/EOS-R6" is not a slug`:                  {header + strings.Replace(row, "eos-r6", "EOS-R6", 1), "", ""},
		`lensfun.csv:2: brand slug "cannon" does not match`:            {header + strings.Replace(row, "canon,", "cannon,", 1), "", ""},
		`lensfun.csv:3: brand "CANON" is also spelt "Canon"`:           {header + row + strings.NewReplacer("Canon,EOS", "CANON,EOS", "eos-r6", "eos-r7").Replace(row), "", ""},
		`lensfun.csv:2: year "MMXX" is not a number`:                   {header + strings.Replace(row, "2020", "MMXX", 1), "", ""},
		"lensfun.csv:2: invalid year 1066":                             {header + strings.Replace(row, "2020", "1066", 1), "", ""},
		`lensfun.csv:2: focal_min "NaN" is not`:                        {header + strings.Replace(row, "frame,,", "frame,NaN,", 1), "", ""},
		"lensfun.csv:2: invalid focal range 70-24":                     {header + strings.Replace(row, "frame,,", "frame,70,24", 1), "", ""},
		"lensfun.csv:2: exif_models without exif_make":                 {header + strings.Replace(row, "2020,Canon", "2020,", 1), "", ""},
		`additions.csv:2: EXIF name "Canon" "Canon EOS R6" of canon/r`: {header + row, header + strings.Replace(row, "eos-r6", "r", 1), ""},
		`aliases.csv:2: unknown gear "canon/eos-r7"`:                   {header + row, header, "gear,alias\ncanon/eos-r7,R7\n"},
		"aliases.csv:2: empty alias of canon/eos-r6":                   {header + row, header, "gear,alias\ncanon/eos-r6, \n"},
		"lensfun.csv:3: record on line 3: wrong number":                {header + row + "Canon\n", "", ""},
		"lensfun.csv: EOF":                                             {" ", "", ""},
	} {
		fsys := fstest.MapFS{}
		for i, name := range []string{catalogFile, additionsFile, aliasesFile} {
			if files[i] != "" {
				fsys[name] = &fstest.MapFile{Data: []byte(strings.TrimPrefix(files[i], " "))}
			}
		}
		_, err := ReadCatalog(fsys)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ReadCatalog: got error %v, want %s…", err, want)
		}
	}
	for want, rows := range map[string]string{
		`launch_prices.csv:2: unknown gear "canon/eos-r7"`: "canon/eos-r7,1499.00 EUR\n",
		`launch_prices.csv:2: launch price "much EUR" is`:  "canon/eos-r6,much EUR\n",
		`launch_prices.csv:2: launch price "2499.00" is`:   "canon/eos-r6,2499.00\n",
		"launch_prices.csv:3: canon/eos-r6 has two":        "canon/eos-r6,2499.00 EUR\ncanon/eos-r6,2599.00 EUR\n",
	} {
		_, err := ReadCatalog(fstest.MapFS{catalogFile: {Data: []byte(header + row)}, launchFile: {Data: []byte("gear,launch_price\n" + rows)}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ReadCatalog: got error %v, want %s…", err, want)
		}
	}
	if _, err := ReadCatalog(fstest.MapFS{}); err == nil {
		t.Error("ReadCatalog succeeds without lensfun.csv")
	}
	c, err := ReadCatalog(fstest.MapFS{catalogFile: {Data: []byte(header + row)}})
	if err != nil || len(c.All()) != 1 {
		t.Errorf("ReadCatalog of lensfun.csv alone: %v", err)
	}
}

func TestWriteGear(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	var text bytes.Buffer
	if err := WriteGear(&text, c.All()); err != nil {
		t.Fatal(err)
	}
	again, err := ReadCatalog(fstest.MapFS{catalogFile: {Data: text.Bytes()}})
	if err != nil {
		t.Fatal(err)
	}
	var more bytes.Buffer
	if err := WriteGear(&more, again.All()); err != nil || more.String() != text.String() {
		t.Errorf("gear differs after writing and reading: %v", err)
	}
	for _, bad := range []*Gear{
		{Brand: "A", Model: "B", Aliases: []string{"a|b"}},
		{Brand: "A", Model: "B", EXIF: []EXIFName{{"A", "b|c"}}},
		{Brand: "A", Model: "B", EXIF: []EXIFName{{"A", "b"}, {"B", "b"}}},
	} {
		if WriteGear(&more, []*Gear{bad}) == nil {
			t.Errorf("WriteGear accepts %v", bad)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for asked, want := range map[string]string{
		"canon/r6":               "canon/eos-r6",
		"cannon/eos-r6":          "canon/eos-r6",
		"cannon/eos-5d-mark-3":   "canon/eos-5d-mark-iii",
		"canon/rebel-t5i":        "canon/eos-700d",
		"rebel-t5i":              "canon/eos-700d",
		"sony/a7-iii":            "sony/alpha-7-iii",
		"sony/alpha-7iii":        "sony/alpha-7-iii",
		"nikon/d90x":             "nikon/d90",
		"fuji/x-t3":              "fujifilm/x-t3",
		"olympus/em5-ii":         "olympus/om-d-e-m5-mark-ii",
		"Canon/EF 50mm f/1.8 SM": "canon/ef-50mm-f1-8-stm",
		"zzz/qqq":                "",
		"":                       "",
		"/":                      "",
		"\x00/\xff":              "",
	} {
		got := ""
		if near := c.Nearest(asked, 5); len(near) > 5 {
			t.Errorf("Nearest(%q, 5) has %d", asked, len(near))
		} else if len(near) > 0 {
			got = near[0].Slug()
		}
		if got != want {
			t.Errorf("Nearest(%q) = %q, want %q", asked, got, want)
		}
	}
	if len(c.Nearest("canon/r6", 0)) != 0 || len(c.Nearest("canon/r6", -1)) != 0 {
		t.Error("Nearest returns more than n")
	}
	for _, text := range hostileNames {
		if few, many := c.Nearest(text, 3), c.Nearest(text, 10_000); !slices.Equal(few, many[:min(3, len(many))]) {
			t.Errorf("Nearest(%q, 3) = %v, of 10,000 %v", text, few, many[:min(3, len(many))])
		}
	}
}

func TestCatalogConcurrently(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c.Nearest("canon/r6", 3)
			c.ByEXIF("SONY", "ILCE-7M3")
			c.Brand("canon")
		})
	}
	wg.Wait()
}

func TestEXIFNameKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]EXIFName{
		{{"NIKON CORPORATION", "NIKON D90"}, {"Nikon", "D90"}},
		{{"Canon", "EF50mm f/1.8 STM"}, {"Canon", "Canon EF 50mm F1.8 STM"}},
		{{" OLYMPUS CORPORATION\x00", "E-M5MarkII \x00"}, {"Olympus Imaging Corp.", "e-m5 Mark II"}},
	} {
		if same[0].Key() != same[1].Key() {
			t.Errorf("keys of %v and %v differ", same[0], same[1])
		}
	}
	for _, differ := range [][2]EXIFName{
		{{"Nikon", "D80"}, {"Nikon", "D800"}},
		{{"Canon", "Canon EOS 5D"}, {"Canon", "Canon EOS 5D Mark II"}},
		{{"Pentax", "K-3"}, {"Ricoh", "K-3"}},
		{{"Leica", "M"}, {"LeicaM", ""}},
	} {
		if differ[0].Key() == differ[1].Key() {
			t.Errorf("keys of %v and %v are equal", differ[0], differ[1])
		}
	}
}

func BenchmarkReadCatalog(b *testing.B) {
	for b.Loop() {
		readCatalog(b)
	}
}

func BenchmarkNewLookup(b *testing.B) {
	for b.Loop() {
		readCatalog(b).Lookup()
	}
}

func BenchmarkNearest(b *testing.B) {
	c := readCatalog(b)
	for b.Loop() {
		c.Nearest("cannon/eos-5d-mark-3", 5)
	}
}

// hostileNames are names that cost as much as possible and mean nothing.
var hostileNames = map[string]string{
	"optics":         "50mm f1.8 35mm f1.4 24-70mm f2",
	"a brand":        "canon " + strings.Repeat("qxz ", 8),
	"a word of many": "sony lens",
	"typos":          strings.Repeat("cannno nikkno ", 12),
	"one word":       strings.Repeat("canonnikon", 30),
	"short words":    strings.Repeat("a b c d e f g h ", 20),
	"digits":         strings.Repeat("1 2 3 4 5 6 7 8 ", 20),
	"optics, long":   strings.Repeat("50mm 1.8 70-200mm ", 20),
	"brands":         strings.Repeat("canon nikon sony ", 20),
	"slug":           "canon/" + strings.Repeat("ef-50mm-f1-8-", 20),
	"unknown slug":   "zzz/" + strings.Repeat("ef-50mm-f1-8-", 20),
}

func BenchmarkHostileNames(b *testing.B) {
	c := readCatalog(b)
	c.Resolver()
	c.Nearest("canon/r6", 1)
	for name, text := range hostileNames {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = c.FindGear("", text, bestsellers)
				c.Resolver().Resolve(text)
			}
		})
		b.Run(name+", nearest", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Nearest(text, 5)
			}
		})
	}
}
