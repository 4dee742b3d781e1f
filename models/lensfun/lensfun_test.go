package lensfun

import (
	"bytes"
	"encoding/xml"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

const (
	database033 = "/usr/share/lensfun/version_1" // of Debian's liblensfun-data-v1
	committed   = "../../content/catalog/"
)

func TestCommittedCatalogueIsLensfuns(t *testing.T) {
	if _, err := os.Stat(database033); err != nil {
		t.Skip("the lensfun database is not installed: ", err)
	}
	for name, write := range map[string]func(io.Writer, fs.FS) error{"lensfun.csv": WriteCSV, "mounts.csv": WriteMountsCSV} {
		want, err := os.ReadFile(committed + name)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the order of maps must not show
			var got bytes.Buffer
			if err := write(&got, os.DirFS(database033)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Fatalf("%s is not what `secondlight catalog lensfun %s` writes", committed+name, database033)
			}
		}
	}
}

// Every row of the tables must still hit something: what names.csv names and
// what years.csv dates stands in the catalogue.
func TestTablesAreUsed(t *testing.T) {
	c, err := catalog.ReadCatalog(committedOnly(t))
	if err != nil {
		t.Fatal(err)
	}
	for key, rows := range corrections() {
		for _, row := range rows {
			brand, model := key[0], row.model
			set(&brand, row.brand)
			slug := models.Slug(brand) + "/" + models.Slug(model)
			switch {
			case !slices.Contains([]string{"twin", "fix", "with", "drop"}, row.why):
				t.Errorf("names.csv: %s %s: what is %q?", key[0], key[1], row.why)
			case row.category != "" && !row.category.Valid():
				t.Errorf("names.csv: %s %s: no category %q", key[0], key[1], row.category)
			case row.why != "drop" && model != "" && c.Gear(slug) == nil:
				t.Errorf("names.csv: %s %s: no %s", key[0], key[1], slug)
			case row.why == "drop" && c.Gear(models.Slug(key[0])+"/"+models.Slug(key[1])) != nil:
				t.Errorf("names.csv: %s %s is not dropped", key[0], key[1])
			}
		}
	}
	for slug, year := range years() {
		if g := c.Gear(slug); g == nil || g.Year != year {
			t.Errorf("years.csv: %s is not of %d", slug, year)
		}
	}
}

func committedOnly(t *testing.T) fs.FS {
	t.Helper()
	text, err := os.ReadFile(committed + "lensfun.csv")
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{"lensfun.csv": {Data: text}}
}

// small has one of each trap of the database.
const small = `<!DOCTYPE lensdatabase SYSTEM "lensfun-database.dtd"><lensdatabase>
<mount><name>Canon EF</name><compat>M42</compat></mount>
<mount><name>Canon EF-S</name></mount>
<mount><name>Nikon F AF</name></mount><mount><name>Nikon F AI-S</name></mount>
<mount><name lang="de">Pentax K (deutsch)</name><name>Pentax K</name></mount>
<mount><name>Sony E</name></mount><mount><name>M42</name></mount><mount><name>Leica M</name></mount>
<mount><name>Generic</name></mount>
<camera><maker>Canon</maker><model>Canon EOS 700D</model><model lang="en">EOS 700D</model><mount>Canon EF-S</mount><cropfactor>1.613</cropfactor></camera>
<camera><maker>Canon</maker><model>Canon EOS Kiss X7i</model><model lang="en">EOS Kiss X7i</model><mount>Canon EF-S</mount><cropfactor>1.613</cropfactor></camera>
<camera><maker>NIKON CORPORATION</maker><maker lang="en">Nikon</maker><model>NIKON D90</model><model lang="en">D90</model><mount>Nikon F AF</mount><cropfactor>1.523</cropfactor></camera>
<camera><maker>Sony</maker><model>ILCE-7M3</model><model lang="en">Alpha 7 III</model><mount>Sony E</mount><cropfactor>1</cropfactor></camera>
<camera><maker>Sony</maker><model>Cybershot</model><model lang="en">Cyber-shot</model><variant>DSC-F717</variant><mount>sony707</mount><cropfactor>3.933</cropfactor></camera>
<camera><maker>Sony</maker><model>Cybershot</model><model lang="en">Cyber-shot</model><variant>DSC-F707</variant><mount>sony707</mount><cropfactor>3.933</cropfactor></camera>
<camera><maker>Leica</maker><model>D-LUX2</model><model lang="en">Digilux 2</model><mount>panasonicLX1</mount><cropfactor>4.45</cropfactor></camera>
<camera><maker>Generic</maker><model>Crop-factor 1.1</model><mount>Generic</mount><cropfactor>1.1</cropfactor></camera>
<camera><maker>Aparat</maker><model>Смена</model><mount>Generic</mount><cropfactor>1</cropfactor></camera>
<lens><maker>Canon</maker><model>Canon EF 17-40mm f/4L USM</model><mount>Canon EF</mount><cropfactor>1.6</cropfactor></lens>
<lens><maker>Canon</maker><model>EF35mm f/1.4L II USM (750)</model><model lang="en">Canon EF 35mm f/1.4L II USM</model><mount>Canon EF-S</mount><cropfactor>1.6</cropfactor></lens>
<lens><maker>Canon</maker><model>Canon EF 300mm f/4L IS USM + EF 1.4x extender III</model><mount>Canon EF</mount><cropfactor>1</cropfactor></lens>
<lens><maker>Carl Zeiss</maker><model>DSC-F707 &amp; compatibles (Standard)</model><model lang="en">fixed lens</model><mount>sony707</mount><focal min="9.7" max="48.5"/><aperture min="2"/><cropfactor>3.933</cropfactor></lens>
<lens><maker>Sigma</maker><model>Sigma 30mm f/1.4 EX DC HSM</model><mount>Canon EF</mount><cropfactor>1.6</cropfactor></lens>
<lens><maker>Sigma</maker><model>Sigma 30mm f/1.4 EX DC HSM</model><mount>Nikon F AF</mount><mount>Pentak K</mount><cropfactor>1.53</cropfactor></lens>
<lens><maker>Zeiss</maker><model>Carl Zeiss Distagon T* 2,8/21 ZE</model><mount>Canon EF</mount><cropfactor>1</cropfactor></lens>
<lens><maker>Zeiss</maker><model>Carl Zeiss Distagon T* 2,8/21 ZF.2</model><mount>Nikon F AI-S</mount><cropfactor>1</cropfactor></lens>
<lens><maker>Pentax</maker><model>Pentax SMC Takumar 50mm f/1.4</model><mount>Sony E</mount><mount>M42</mount><cropfactor>1</cropfactor></lens>
</lensdatabase>`

func TestRead(t *testing.T) {
	gear, err := Read(fstest.MapFS{"small.xml": {Data: []byte(small)}, "timestamp.txt": {Data: []byte("1")}})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := catalog.WriteGear(&got, gear); err != nil {
		t.Fatal(err)
	}
	want := `brand,model,brand_slug,model_slug,category,mount,format,focal_min,focal_max,aperture,year,exif_make,exif_models,aliases
Canon,EF 17-40mm f/4L USM,canon,ef-17-40mm-f4l-usm,lens_zoom,Canon EF,Full frame,17,40,4,2003,Canon,Canon EF 17-40mm f/4L USM,
Canon,EF 35mm f/1.4L II USM,canon,ef-35mm-f1-4l-ii-usm,lens_prime,Canon EF,Full frame,35,35,1.4,2015,Canon,EF35mm f/1.4L II USM (750),
Canon,EOS 700D,canon,eos-700d,dslr,Canon EF-S,APS-C,,,,2013,Canon,Canon EOS 700D|Canon EOS Kiss X7i,700D|EOS Kiss X7i|Kiss X7i
Canon,Extender EF 1.4x III,canon,extender-ef-1-4x-iii,accessory,Canon EF,,,,,,,,1.4x III extender
Leica,D-Lux 2,leica,d-lux-2,compact,,1/1.6-inch,,,,2005,Leica,D-LUX2,
Nikon,D90,nikon,d90,dslr,Nikon F,APS-C,,,,2008,NIKON CORPORATION,NIKON D90,
Pentax,SMC Takumar 50mm f/1.4,pentax,smc-takumar-50mm-f1-4,lens_prime,M42,Full frame,50,50,1.4,1972,Pentax,Pentax SMC Takumar 50mm f/1.4,
Sigma,30mm f/1.4 EX DC HSM,sigma,30mm-f1-4-ex-dc-hsm,lens_prime,"Canon EF, Nikon F, Pentax K",APS-C,30,30,1.4,2005,Sigma,Sigma 30mm f/1.4 EX DC HSM,
Sony,Alpha 7 III,sony,alpha-7-iii,mirrorless,Sony E,Full frame,,,,2018,Sony,ILCE-7M3,A7 III|A7 Mark III|ILCE-7M3
Sony,Cyber-shot DSC-F707,sony,cyber-shot-dsc-f707,compact,,2/3-inch,9.7,48.5,2,2001,,,DSC-F707
Sony,Cyber-shot DSC-F717,sony,cyber-shot-dsc-f717,compact,,2/3-inch,9.7,48.5,2,2002,,,DSC-F717
Zeiss,Distagon T* 21mm f/2.8,zeiss,distagon-t-21mm-f2-8,lens_prime,"Canon EF, Nikon F",Full frame,21,21,2.8,2008,Zeiss,"Carl Zeiss Distagon T* 2,8/21 ZE|Carl Zeiss Distagon T* 2,8/21 ZF.2",Distagon 2.8/21|Distagon 2.8/21 ZE|Distagon 2.8/21 ZF.2
`
	if got.String() != want {
		t.Errorf("the small database is\n%swant\n%s", got.String(), want)
	}
}

func TestReadRefuses(t *testing.T) {
	for want, fsys := range map[string]fstest.MapFS{
		"no *.xml files":      {"notes.txt": {}},
		"broken.xml: ":        {"a.xml": {Data: []byte(small)}, "broken.xml": {Data: []byte("<lensdatabase><camera>")}},
		"html.xml: ":          {"html.xml": {Data: []byte("<html></html>")}},
		"empty.xml: EOF":      {"empty.xml": {}},
		`crop.xml: strconv.P`: {"crop.xml": {Data: []byte("<lensdatabase><lens><cropfactor>wide</cropfactor></lens></lensdatabase>")}},
	} {
		if _, err := Read(fsys); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read fails with %v, want %s", err, want)
		}
	}
}

func TestReadOptics(t *testing.T) {
	for name, want := range map[string]optics{
		"EF 17-40mm f/4L USM":             {"EF 17-40mm f/4L USM", 17, 40, 4},
		"1 Nikkor AW 11-27.5mm f/3.5-5.6": {"1 Nikkor AW 11-27.5mm f/3.5-5.6", 11, 27.5, 3.5},
		"FDn 50mm 1:1.4":                  {"FDn 50mm f/1.4", 50, 50, 1.4},
		"smc M Macro 1:4 50mm":            {"smc M Macro 50mm f/4", 50, 50, 4},
		"XR Rikenon 1:1.4 50mm":           {"XR Rikenon 50mm f/1.4", 50, 50, 1.4},
		"Elmarit-M 1:2.8/28":              {"Elmarit-M 28mm f/2.8", 28, 28, 2.8},
		"Retina-Curtagon 1:4/28mm":        {"Retina-Curtagon 28mm f/4", 28, 28, 4},
		"Skoparex 1:3,4/35":               {"Skoparex 35mm f/3.4", 35, 35, 3.4},
		"Summicron TL 1:2 23 ASPH.":       {"Summicron TL 23mm f/2 ASPH.", 23, 23, 2},
		"Distagon T* 2/35 ZF.2":           {"Distagon T* 35mm f/2 ZF.2", 35, 35, 2},
		"MC Variozenitar 2.8-3.5/25-45":   {"MC Variozenitar 25-45mm f/2.8-3.5", 25, 45, 2.8},
		"Touit 2.8/50M":                   {"Touit 50mm f/2.8M", 50, 50, 2.8},
		"DG NOCTICRON 42.5/F1.2":          {"DG NOCTICRON 42.5mm f/1.2", 42.5, 42.5, 1.2},
		"S 20-60/F3.5-5.6":                {"S 20-60mm f/3.5-5.6", 20, 60, 3.5},
		"35mm T1.5 Cine Lens":             {"35mm T1.5 Cine Lens", 35, 35, 1.5},
		"MC Wide-Auto 1:2.8 f=24mm":       {"MC Wide-Auto 24mm f/2.8", 24, 24, 2.8},
		"MD 35mm 1/2.8":                   {"MD 35mm f/2.8", 35, 35, 2.8},
		"AF-S VR Nikkor 400mm f_2.8G ED":  {"AF-S VR Nikkor 400mm f/2.8G ED", 400, 400, 2.8},
		"23mmF1.4XM":                      {"23mm f/1.4XM", 23, 23, 1.4},
		"AF-S Nikkor 24-85 mm f/3.5-4.5G": {"AF-S Nikkor 24-85mm f/3.5-4.5G", 24, 85, 3.5},
		"E 17-28mm F2.8-2.8":              {"E 17-28mm f/2.8", 17, 28, 2.8},
		"E 20mm F2.8 F050":                {"E 20mm f/2.8 F050", 20, 20, 2.8},
		"SP 90mm f/2.8 Di Macro 1:1":      {"SP 90mm f/2.8 Di Macro 1:1", 90, 90, 2.8},
		"Zuiko Digital ED 7-14mm f/4.0":   {"Zuiko Digital ED 7-14mm f/4", 7, 14, 4},
		"VCL-ECF1 fisheye converter":      {"VCL-ECF1 fisheye converter", 0, 0, 0},
		"":                                {},
	} {
		if got := readOptics(name); got != want {
			t.Errorf("readOptics(%q) = %+v, want %+v", name, got, want)
		}
	}
}

func TestFormatOfCrop(t *testing.T) {
	for crop, want := range map[float64]string{
		1: "Full frame", 1.005: "Full frame", 1.282: "APS-H", 1.5: "APS-C", 1.622: "APS-C", 1.739: "APS-C",
		2: "Four Thirds", 2.21: "Four Thirds", 2.72: "1-inch", 2.94: "1-inch", 3.933: "2/3-inch", 4.843: "1/1.8-inch",
		5.58: "1/2.3-inch", 0.8: "44x33 medium format", 0.72: "48x36 medium format", 0: "", -1: "",
	} {
		if got := formatOfCrop(crop); got != want {
			t.Errorf("a crop factor of %g is %q, want %q", crop, got, want)
		}
	}
}

// Whatever the database says, what is made of it is a catalogue.
func FuzzRead(f *testing.F) {
	f.Add("Canon", "Canon EOS 700D", "EOS 700D", "EF 17-40mm f/4L USM", "Canon EF", "1.6", "17")
	f.Add("A b", "B|C", "a B", "70-24mm f/0 | 9999mm", "M42", "Inf", "NaN")
	f.Add("Sigma", "30mm | Art 019", "Cyber-shot", "Sigma 1:3,4/35 + EF 1.4x extender", "no such", "-1", "1e9")
	f.Add("Ab", "X1", "Y2", "50mm f/2", "M42", "1", "50")
	f.Add("#", "Смена", "×", "+ f=0mm 1:2.8 f/64", "Generic", "0.5", "0")
	f.Fuzz(func(t *testing.T, maker, model, english, lens, mount, crop, focal string) {
		var text strings.Builder
		text.WriteString("<lensdatabase>")
		for _, swap := range []bool{false, true} {
			if swap {
				model, english, maker = english, model, strings.ToUpper(maker)
			}
			element(&text, "camera", "<maker>", maker, "</maker><model>", model, `</model><model lang="en">`, english, "</model><mount>", mount, "</mount><cropfactor>", crop, "</cropfactor>")
			element(&text, "lens", "<maker>", maker, "</maker><model>", lens, "</model><mount>", mount, "</mount><mount>Nikon F</mount>", "", `<focal min="24" max="`, focal, `"/><cropfactor>`, crop, "</cropfactor>")
		}
		text.WriteString("</lensdatabase>")
		if _, err := decode(strings.NewReader(text.String())); err != nil {
			t.Skip(err)
		}
		var csv bytes.Buffer
		if err := WriteCSV(&csv, fstest.MapFS{"a.xml": {Data: []byte(text.String())}}); err != nil {
			t.Fatal(err)
		}
		if _, err := catalog.ReadCatalog(fstest.MapFS{"lensfun.csv": {Data: csv.Bytes()}}); err != nil {
			t.Errorf("%v\n%s", err, csv.String())
		}
	})
}

// element writes XML of which every second part is text.
func element(w *strings.Builder, name string, parts ...string) {
	w.WriteString("<" + name + ">")
	for i, part := range parts {
		if i%2 == 0 {
			w.WriteString(part)
		} else {
			xml.EscapeText(w, []byte(part))
		}
	}
	w.WriteString("</" + name + ">")
}
