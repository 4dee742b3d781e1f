package catalog_test

import (
	"encoding/csv"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

var readRealCatalog = sync.OnceValues(func() (*catalog.Catalog, error) {
	return catalog.ReadCatalog(os.DirFS("../../content/catalog"))
})

var newRealResolver = sync.OnceValue(func() *catalog.Resolver {
	c, _ := readRealCatalog()
	return c.Resolver()
})

func realResolver(t testing.TB) (*catalog.Catalog, *catalog.Resolver) {
	c, err := readRealCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return c, newRealResolver()
}

// realTitles returns marketplace titles by source id. They are not
// redistributable, so they are read from outside the repository or from the
// file named by SECONDLIGHT_TITLES.
func realTitles(t testing.TB) map[string]string {
	name := os.Getenv("SECONDLIGHT_TITLES")
	if name == "" {
		name = "../../../shared/data/real-titles.csv"
	}
	f, err := os.Open(name)
	if err != nil {
		t.Skipf("SKIPPED: no real titles to measure the resolver on (%v); set SECONDLIGHT_TITLES", err)
	}
	defer f.Close()
	titles := map[string]string{}
	for _, row := range readCSV(t, f, "source_id", "title") {
		titles[row[0]] = row[1]
	}
	return titles
}

func readCSV(t testing.TB, f *os.File, columns ...string) [][]string {
	t.Helper()
	r := csv.NewReader(f)
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, column := range columns {
		if rows[0][i] != column {
			t.Fatalf("%s: column %d is %q, not %q", f.Name(), i, rows[0][i], column)
		}
	}
	return rows[1:]
}

// score counts the results of a resolver for labelled titles.
type score struct{ right, wrong, missed, unresolved int }

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }
func (s score) recall() float64 {
	return float64(s.right) / float64(max(1, s.right+s.missed))
}

// TestResolverOnRealTitles measures precision and recall on manually labelled
// titles: part dev, on which the resolver was tuned, and part test, which was
// held out.
func TestResolverOnRealTitles(t *testing.T) {
	t.Parallel()
	titles := realTitles(t)
	catalog, r := realResolver(t)
	f, err := os.Open("testdata/labels.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scores := map[string]*score{"dev": {}, "test": {}}
	for _, row := range readCSV(t, f, "source_id", "gear", "note", "part") {
		id, want, note, part := row[0], row[1], row[2], row[3]
		title, ok := titles[id]
		s := scores[part]
		switch {
		case !ok:
			t.Errorf("%s: no such title", id)
			continue
		case s == nil:
			t.Errorf("%s: no part %q", id, part)
			continue
		case want != "" && catalog.Gear(want) == nil:
			t.Errorf("%s: the catalogue has no %s", id, want)
			continue
		}
		if missing, ok := strings.CutPrefix(note, "not in catalogue: "); ok && catalog.Gear(missing) != nil {
			t.Errorf("%s: the catalogue has %s by now; label it", id, missing)
			continue
		}
		got := r.Resolve(title)
		slug := ""
		if got.Gear != nil {
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
		t.Logf("%s: %q is %q, got %q (%.2f, %s)", part, title, want, slug, got.Confidence, got.Reason)
	}
	labelled := 0
	for _, part := range []string{"dev", "test"} {
		s := *scores[part]
		labelled += s.right + s.missed + s.unresolved
		t.Logf("%s: precision %.3f, recall %.3f (%d right, %d wrong, %d missed, %d rightly unresolved)",
			part, s.precision(), s.recall(), s.right, s.wrong, s.missed, s.unresolved)
		if s.precision() < 0.98 || s.recall() < 0.90 {
			t.Errorf("%s: precision must be 0.98 and recall 0.90", part)
		}
	}
	if labelled < 320 {
		t.Errorf("only %d labels", labelled)
	}
}

// TestResolverOnAllTitles reports the results for all real titles.
func TestResolverOnAllTitles(t *testing.T) {
	t.Parallel()
	titles := realTitles(t)
	_, r := realResolver(t)
	reasons := map[string]int{}
	resolved := 0
	start := time.Now()
	for _, title := range titles {
		got := r.Resolve(title)
		reasons[got.Reason]++
		if got.Gear != nil {
			resolved++
		}
		if (got.Gear != nil) != (got.Confidence > 0) || got.Confidence > 1 || got.Reason == "" {
			t.Fatalf("%q: %+v", title, got)
		}
	}
	t.Logf("%d of %d titles resolve, %.0f titles/s; %v", resolved, len(titles), float64(len(titles))/time.Since(start).Seconds(), reasons)
}

// handMade are synthetic titles of difficult cases.
var handMade = []struct{ title, gear string }{
	{"Canon EOS 700D + 18-55mm", "canon/eos-700d"},
	{"canon 0mm f1.8", ""},
	{"canon 0 1.8", ""},
	{"canon rebel t5i 18mp dslr", "canon/eos-700d"},
	{"Canon Kiss X7i boxed", "canon/eos-700d"},
	{"canon eos rebel t5i / eos 700d / kiss x7i", "canon/eos-700d"},
	{"canon eos 5d", "canon/eos-5d"},
	{"Canon EOS 5D Mark II body", "canon/eos-5d-mark-ii"},
	{"cannon 5dmkii body w/ 50mm", "canon/eos-5d-mark-ii"},
	{"canon 5d2 full frame camera", "canon/eos-5d-mark-ii"},
	{"canon 5D MkIII", "canon/eos-5d-mark-iii"},
	{"Canon EOS 5D Mark III 22.3MP", "canon/eos-5d-mark-iii"},
	{"canon 1d 4 15 mp dslr camera", "canon/eos-1d"},
	{"canon eos 1d mark i 4 2mp", "canon/eos-1d"},
	{"canon 1d 4 body", "canon/eos-1d-mark-iv"},
	{"nikon d80 10 2 mp digital slr", "nikon/d80"},
	{"nikon d800 36 3 mp", "nikon/d800"},
	{"nikon d 90 body only", "nikon/d90"},
	{"nikkon d3100 kit with 18-55 vr", "nikon/d3100"},
	{"sony a7 body", "sony/alpha-7"},
	{"sony a7iii body", "sony/alpha-7-iii"},
	{"Sony ILCE-7M3 silver", "sony/alpha-7-iii"},
	{"Sony α7 III mirrorless", "sony/alpha-7-iii"},
	{"sony a7r ii camera", "sony/alpha-7r-ii"},
	{"sony a7s 12mp body", "sony/alpha-7s"},
	{"canon powershot g1 x 14.3 mp", "canon/powershot-g1-x"},
	{"canon powershot g1x mkii 12.8mp", "canon/powershot-g1-x-mark-ii"},
	{"canon powershot sx510 hs black", "canon/powershot-sx510-hs"},
	{"canon powershot s100 12 1 mp digital camera", "canon/powershot-s100"},
	{"canon eos m 18 0 mp compact system camera", "canon/eos-m"},
	{"canon eos m2 18 0 mp", "canon/eos-m2"},
	{"panasonic dmc fz200k 12 1mp", "panasonic/lumix-dmc-fz200"},
	{"pansonic lumix gh2 16 mp body", "panasonic/lumix-dmc-gh2"},
	{"olympus e pl 1 12mp", "olympus/pen-e-pl1"},
	{"olympus om-d e-m5 mark ii silver", "olympus/om-d-e-m5-mark-ii"},
	{"pentax k 3 23 4 mp digital slr", "pentax/k-3"},
	{"pentax k-x red", "pentax/k-x"},
	{"fuji film x-e2 black", "fujifilm/x-e2"},
	{"fuji xt3", "fujifilm/x-t3"},
	{"fujifilm x series x100s 16 3 mp silver", "fujifilm/x100s"},
	{"sony nex 5n 16 1 mp", "sony/nex-5n"},
	{"sony slt a99v 24.3mp", "sony/alpha-99"},
	{"sony cyber shot dsc rx100 ii", "sony/rx100-ii"},
	{"nikon coolpix p7800 12mp", "nikon/coolpix-p7800"},
	{"nikon 1 j1 white w 10-30mm", "nikon/1-j1"},
	{"leica q2 black", "leica/q2"},
	{"Canon EOS R6 full frame mirrorless", "canon/eos-r6"},
	{"nikon d90 with battery charger and strap", "nikon/d90"},
	{"for parts nikon d70 6 1 mp", "nikon/d70"},
	{"nikon f3 hp 35mm film slr", "nikon/f3"},
	{"nikon fm2 manual focus film camera", "nikon/fm2"},
	{"canon ae-1 program w/ 50mm f1.8", "canon/ae-1-program"},
	{"olympus om-1 35mm film", "olympus/om-1"},
	{"leica m6 ttl 0.72 black", "leica/m6-ttl"},
	{"pentax k1000 with 50mm f2", "pentax/k1000"},
	{"Canon EF 50mm f/1.8 STM nifty fifty", "canon/ef-50mm-f1-8-stm"},
	{"canon ef 24-70mm f/2.8l ii usm lens boxed", "canon/ef-24-70mm-f2-8l-ii-usm"},
	{"Sigma 35mm f/1.4 DG HSM Art for Canon", "sigma/35mm-f1-4-dg-hsm-art"},
	{"Helios 44-2 58mm f2 m42", "zenit/helios-44-2-58mm-f2"},
	{"sony fe 85mm f1.8", "sony/fe-85mm-f1-8"},
	{"nikkor z 50mm f1.8 s", "nikon/nikkor-z-50mm-f1-8-s"},
	{"Fujinon XF 35mm f/1.4 R lens for X-T3", "fujifilm/xf-35mm-f1-4-r"},
	{"sony w800 20 mp digital camera", "sony/cyber-shot-dsc-w800"},
	{"sony cyber shot dsc w80 7 2 mp", "sony/cyber-shot-dsc-w80"},
	{"sony dsc-w830/b 20.1mp", "sony/cyber-shot-dsc-w830"},
	{"dscw830 silver sony", "sony/cyber-shot-dsc-w830"},
	{"panasonic DMC-TZ30EB-S", "panasonic/lumix-dmc-tz30"},
	{"canon powershot sx500 is 16mp", "canon/powershot-sx500-is"},
	{"canon powershot sx40 hs 12 1 mp", "canon/powershot-sx40-hs"},
	{"canon powershot sx400 is", "canon/powershot-sx400-is"},
	{"canon powershot a1000 is 10 0 mp", "canon/powershot-a1000-is"},
	{"canon digital ixus 75 / powershot sd750", "canon/ixus-75"},
	{"canon powershot elph 135 16mp", "canon/ixus-145"},
	{"canon powershot 135 16 megapixel compact camera", "canon/ixus-145"},
	{"samsung wb350f white", "samsung/wb350f"},
	{"kodak easy share z612 is", "kodak/easyshare-z612"},
	{"casio exilim ex h30bk 16 1mp", "casio/exilim-ex-h30"},
	{"gopro hero 3 black edition 12 mp", "gopro/hero3-black-edition"},
	{"nikon z fc kit 16-50mm", "nikon/z-fc"},
	{"canon eos r6 mk ii body", "canon/eos-r6-mark-ii"},
	{"canon R5 mark ii", "canon/eos-r5-mark-ii"},
	{"sony a6700 mirrorless", "sony/alpha-6700"},
	{"fujifilm x100vi silver", "fujifilm/x100vi"},
	{"om system om-1 mark ii", "om-system/om-1-mark-ii"},
	{"hasselblad 500c/m with 80mm planar", "hasselblad/500c-m"},
	{"mamiya rb67 pro s", "mamiya/rb67-pro-s"},
	{"rollei 35 s silver", "rollei/35s"},
	{"yashica mat 124g", "yashica/mat-124g"},
	{"polaroid sx-70 land camera", "polaroid/sx-70"},
	{"leica m3 double stroke", "leica/m3"},
	{"contax t2 titanium", "contax/t2"},
	{"nikon z 50mm f/1.8 s lens", "nikon/nikkor-z-50mm-f1-8-s"},
	{"tamron 28-75mm f2.8 di iii vxd g2 sony", "tamron/28-75mm-f2-8-di-iii-vxd-g2"},
	{"nikon af-s 18-55mm f3.5-5.6g vr ii for d3200", "nikon/af-s-dx-vr-nikkor-18-55mm-f3-5-5-6g-ii"},
	{"battery for nikon d90", ""},
	{"nikon d90 battery grip", ""},
	{"charger compatible with canon eos 700d", ""},
	{"leather case strap for sony a7 iii", ""},
	{"screen protector fits nikon d800", ""},
	{"canon 5d mark ii instruction manual", ""},
	{"lens cap for canon ef 50mm f/1.8 stm", ""},
	{"64gb memory card for nikon d3200", ""},
	{"remote for canon eos 70d", ""},
	{"d3100 d5100 d90 battery", ""},
	{"nikon d3100 d5100 bodies", ""},
	{"lp-e6 replaces canon battery 5d mark ii 7d", ""},
	{"lot of 2 nikon d80 bodies", ""},
	{"hikvision ds-2cd2032-i 3mp ip camera", ""},
	{"sony handycam hdr-cx405 camcorder", ""},
	{"1080p webcam with microphone", ""},
	{"car dash cam dvr 1080p", ""},
	{"canon digital camera 10mp", ""},
	{"nikon coolpix 12 mp digital camera", ""},
	{"12.1 megapixel camera", ""},
	{"nikon d8000 body", ""},
	{"canon eos 5d mark ix", ""},
	{"canon eos 6d mark iii body", ""},
	{"sony dsc-w8300 20mp", ""},
	{"canon powershot sx4000 hs", ""},
	{"canon powershot g1 x mark vii", ""},
	{"leica m 99", ""},
	{"canon eos 9999d with 18-55mm f3.5-5.6 is lens", ""},
	{"canon ef 50mm f/9.5 lens", ""},
	{"", ""},
	{"   ", ""},
	{"canon eos 5d mark i 12 8 megapixels", "canon/eos-5d"},
	{"Panasonic S5 II X", "panasonic/lumix-dc-s5-iix"},
	{"panasonic gh5s body", "panasonic/lumix-dc-gh5s"},
	{"ricoh gr iiix", "ricoh/gr-iiix"},
	{"leica m10 r black", "leica/m10-r"},
	{"olympus pen-f silver", "olympus/pen-f"},
	{"canon t3 dslr", "canon/eos-1100d"},
	{"canon eos 300d", "canon/eos-300d"},
	{"canon eos 3000", "canon/eos-3000"},
	{"canon 5d mark iii with BG-E11 battery grip", "canon/eos-5d-mark-iii"},
	{"Canon EOS 6D DSLR Camera Body Black w/ Battery & Charger", "canon/eos-6d"},
	{"canon 70-200 f2.8 l is ii", "canon/ef-70-200mm-f2-8l-is-ii-usm"},
	{"sony 24-70 gm ii", "sony/fe-24-70mm-f2-8-gm-ii"},
	{"nikon z 50 1.8 s", "nikon/nikkor-z-50mm-f1-8-s"},
	{"jupiter 12 35mm f2.8", "zenit/jupiter-12-35mm-f2-8"},
	{"Nikkor AF-S 50mm f1.8 G lens for D750", "nikon/af-s-nikkor-50mm-f1-8g"},
	{"canon ef s 55 250mm f 4 5 6 is ii", "canon/ef-s-55-250mm-f4-5-6-is-ii"},
	{"canon powershot s110 12.1mp", "canon/powershot-s110"},
	{"Canon 18-55mm IS STM kit lens from 700D", ""},
	{"Canon LP-E6N battery for EOS 5D Mark III 5D Mark IV 6D 7D", ""},
	{"Nikon MB-D12 grip for D800 D810", ""},
	{"SmallRig cage for Sony A7 III A7R III", ""},
	{"Nikon D5300 camera bag", ""},
	{"Canon AE-1 Program manual book", ""},
	{"52mm UV filter", ""},
	{"nikon d750 box only", ""},
	{"polaroid 600 film pack", ""},
	{"metabones ef-e mount t smart adapter v", "metabones/ef-e-smart-adapter-v"},
	{"Canon EOS 5D Mark II, Canon EOS 7D, lenses and bag", ""},
	{"canon powershot s110 digital elph 2 1 megapixel", "canon/ixus-v"},
	{"unknown 18 60mm lens canon f3.5", ""},
	{"canon ef 50mm f/1.8 iv lens", ""},
	{"nikon f mount lens", ""},
	{"fujifilm gfx 9000r", ""},
}

func TestResolver(t *testing.T) {
	t.Parallel()
	catalog, r := realResolver(t)
	for _, tt := range handMade {
		if tt.gear != "" && catalog.Gear(tt.gear) == nil {
			t.Errorf("%q: the catalogue has no %s", tt.title, tt.gear)
			continue
		}
		got := r.Resolve(tt.title)
		slug := ""
		if got.Gear != nil {
			slug = got.Gear.Slug()
		}
		if slug != tt.gear {
			t.Errorf("%q is %q, got %q (%.2f, %s)", tt.title, tt.gear, slug, got.Confidence, got.Reason)
		}
		if (got.Gear != nil) != (got.Confidence > 0) || got.Confidence > 1 || got.Reason == "" {
			t.Errorf("%q: %+v", tt.title, got)
		}
	}
}

// TestResolverOnCatalog checks that the name of every gear resolves to it or,
// in a few cases, to nothing, but never to other gear.
func TestResolverOnCatalog(t *testing.T) {
	t.Parallel()
	catalog, r := realResolver(t)
	total, missed := 0, 0
	for _, g := range catalog.All() {
		if g.Category.Family() == "" {
			continue
		}
		total++
		got := r.Resolve(g.Name())
		switch {
		case got.Gear == g:
		case got.Gear != nil:
			t.Errorf("%q is %s, got %s", g.Name(), g.Slug(), got.Gear.Slug())
		default:
			missed++
			t.Logf("%q is not resolved: %s", g.Name(), got.Reason)
		}
	}
	if missed*100 > total {
		t.Errorf("%d of %d names are not resolved", missed, total)
	}
}

// TestResolverUnknownGear removes every seventh gear from the catalogue and
// checks that very few of their names resolve to other gear, and fewer without doubt.
// Those that do differ only by a word, such as "AE-1 Program" from "AE-1".
func TestResolverUnknownGear(t *testing.T) {
	t.Parallel()
	full, _ := realResolver(t)
	gone := map[string]bool{}
	for i, g := range full.All() {
		gone[g.Slug()] = i%7 == 3
	}
	r := catalogWithout(t, gone).Resolver()
	asked, wrong, sure := map[string]int{}, map[string]int{}, map[string]int{}
	for _, g := range full.All() {
		family := g.Category.Family()
		if !gone[g.Slug()] || family == "" {
			continue
		}
		asked[family]++
		if got := r.Resolve(g.Name()); got.Gear != nil {
			wrong[family]++
			if got.Confident() {
				sure[family]++
			}
			t.Logf("%q resolved to %s (%.2f)", g.Name(), got.Gear.Slug(), got.Confidence)
		}
	}
	t.Logf("resolved to other gear: %v of %v, %v without doubt", wrong, asked, sure)
	for family, most := range map[string][2]float64{models.FamilyCamera: {0.05, 0.025}, models.FamilyLens: {0.12, 0.07}} {
		n := float64(asked[family])
		if all, without := float64(wrong[family])/n, float64(sure[family])/n; all > most[0] || without > most[1] {
			t.Errorf("%s: %.3f of the missing gear resolved to other gear, and %.3f without doubt, want at most %v", family, all, without, most)
		}
	}
}

func catalogWithout(t *testing.T, gone map[string]bool) *catalog.Catalog {
	rest := fstest.MapFS{}
	for _, name := range []string{"lensfun.csv", "additions.csv", "aliases.csv"} {
		f, err := os.Open("../../content/catalog/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := csv.NewReader(f)
		in.Comment = '#'
		rows, err := in.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		rows = slices.DeleteFunc(rows, func(row []string) bool {
			return gone[row[0]] || len(row) > 3 && gone[row[2]+"/"+row[3]] // an alias of it, or its own row
		})
		var out strings.Builder
		csv.NewWriter(&out).WriteAll(rows)
		rest[name] = &fstest.MapFile{Data: []byte(out.String())}
	}
	c, err := catalog.ReadCatalog(rest)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestResolverLongTitle(t *testing.T) {
	t.Parallel()
	_, r := realResolver(t)
	title, done := strings.Repeat("canon eos 5d mark ii 18 55mm f3 5 ", 100_000), make(chan struct{})
	start := time.Now()
	go func() { r.Resolve(title); close(done) }()
	select {
	case <-done:
		t.Logf("a title of 3.4 MB took %v", time.Since(start))
	case <-time.After(time.Minute): // it takes a blink; looking from each word at all others takes many minutes
		t.Error("a title of 3.4 MB takes more than a minute")
	}
}

// TestResolvePartsOfNames reads up to three neighbouring words of every name, as people search
// for gear: no part of a name panics, whatever it lacks.
func TestResolvePartsOfNames(t *testing.T) {
	t.Parallel()
	c, r := realResolver(t)
	seen := map[string]bool{}
	for _, g := range c.All() {
		words := strings.Fields(g.Name())
		for from := range words {
			for to := from + 1; to <= min(from+3, len(words)); to++ {
				part := strings.Join(words[from:to], " ")
				if !seen[part] {
					seen[part] = true
					r.Resolve(part)
					r.Resolve(part + " lens")
				}
			}
		}
	}
}

func FuzzResolve(f *testing.F) {
	_, r := realResolver(f)
	for _, tt := range handMade {
		f.Add(tt.title)
	}
	f.Fuzz(func(t *testing.T, title string) {
		got := r.Resolve(title)
		if (got.Gear != nil) != (got.Confidence > 0) || got.Confidence > 1 || got.Reason == "" {
			t.Errorf("%q: %+v", title, got)
		}
		if again := r.Resolve(title); again != got {
			t.Errorf("%q: %+v, then %+v", title, got, again)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	_, r := realResolver(b)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		r.Resolve(handMade[i%len(handMade)].title)
	}
}

// BenchmarkNames builds what reads names and titles, and measures its memory with the catalogue's.
func BenchmarkNames(b *testing.B) {
	memory := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for range b.N {
		before := memory()
		c, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
		if err != nil {
			b.Fatal(err)
		}
		gear := float64(len(c.All()))
		b.ReportMetric((memory()-before)/gear, "B/gear")
		c.Lookup()
		c.Resolver()
		b.ReportMetric((memory()-before)/gear, "B/gear-with-names")
		runtime.KeepAlive(c)
	}
}
