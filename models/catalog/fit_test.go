package catalog

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/secondlight/secondlight/models"
)

func TestFits(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	const (
		no     = "no"
		native = "native"
		crops  = "native, crops"

		damages = "Can damage the camera: lenses from before 1977 press on the metering lever unless they were converted to AI."
	)
	adapter := func(name string) string { return "by " + name }
	cropped := func(name string) string { return "by " + name + ", crops" }
	manual := func(name string) string { return "by " + name + ", manual" }
	for _, test := range []struct{ camera, lens, want string }{
		// Canon
		{"canon/eos-r6", "canon/rf-50mm-f1-2l-usm", native},
		{"canon/eos-r6", "canon/ef-50mm-f1-4-usm", adapter("Mount Adapter EF-EOS R")},
		{"canon/eos-r6", "canon/ef-s-17-55mm-f2-8-is-usm", cropped("Mount Adapter EF-EOS R")},
		{"canon/eos-r6", "canon/rf-s-18-45mm-f4-5-6-3-is-stm", crops},
		{"canon/eos-r7", "canon/rf-s-18-45mm-f4-5-6-3-is-stm", native},
		{"canon/eos-r7", "canon/ef-s-17-55mm-f2-8-is-usm", adapter("Mount Adapter EF-EOS R")},
		{"canon/eos-r6", "canon/ef-m-22mm-f2-stm", no},
		{"canon/eos-r6", "canon/fd-50mm-f1-4-s-s-c", manual("Canon FD to Canon RF adapter")},
		{"canon/eos-5d-mark-iii", "canon/ef-50mm-f1-4-usm", native},
		{"canon/eos-5d-mark-iii", "canon/ef-s-17-55mm-f2-8-is-usm", no},
		{"canon/eos-5d-mark-iii", "canon/rf-50mm-f1-2l-usm", no},
		{"canon/eos-5d-mark-iii", "canon/fd-50mm-f1-4-s-s-c", no},
		{"canon/eos-5d-mark-iii", "nikon/ai-s-nikkor-50mm-f1-4", manual("Nikon F to Canon EF adapter")},
		{"canon/eos-5d-mark-iii", "pentax/super-takumar-50mm-f1-4", manual("M42 to Canon EF adapter")},
		{"canon/eos-5d-mark-iii", "sigma/18-35mm-f1-8-dc-hsm-art", crops},
		{"canon/eos-700d", "canon/ef-s-17-55mm-f2-8-is-usm", native},
		{"canon/eos-700d", "canon/ef-50mm-f1-4-usm", native},
		{"canon/eos-700d", "sigma/18-35mm-f1-8-dc-hsm-art", native},
		{"canon/eos-d30", "canon/ef-s-17-55mm-f2-8-is-usm", no},
		{"canon/eos-m50", "canon/ef-m-22mm-f2-stm", native},
		{"canon/eos-m50", "canon/ef-50mm-f1-4-usm", adapter("Mount Adapter EF-EOS M")},
		{"canon/eos-m50", "canon/rf-50mm-f1-2l-usm", no},
		{"canon/7-rangefinder", "canon/50mm-f0-95-dream-lens", native},
		{"canon/p-rangefinder", "canon/50mm-f0-95-dream-lens", no},
		{"canon/7-rangefinder", "canon/50mm-f1-4-ltm", native},
		{"blackmagic/pocket-cinema-camera-6k", "canon/ef-s-17-55mm-f2-8-is-usm", native},
		// Nikon
		{"nikon/z-6ii", "nikon/nikkor-z-50mm-f1-8-s", native},
		{"nikon/z-6ii", "nikon/af-s-nikkor-50mm-f1-8g", adapter("FTZ II")},
		{"nikon/z-6ii", "nikon/af-s-dx-nikkor-35mm-f1-8g", cropped("FTZ II")},
		{"nikon/z-6ii", "sony/fe-50mm-f1-8", adapter("Megadap ETZ21 Pro")},
		{"nikon/d850", "nikon/af-s-dx-nikkor-35mm-f1-8g", crops},
		{"nikon/d90", "nikon/af-s-dx-nikkor-35mm-f1-8g", native},
		{"nikon/d850", "nikon/nikkor-z-50mm-f1-8-s", no},
		{"nikon/d850", "canon/ef-50mm-f1-4-usm", no},
		{"nikon/d850", "zenit/helios-44-2-58mm-f2", no},
		{"nikon/fm2", "nikon/af-nikkor-50mm-f1-8d", native},
		{"nikon/fm2", "nikon/af-s-nikkor-50mm-f1-8g", no},
		{"nikon/f100", "nikon/af-s-nikkor-50mm-f1-8g", native},
		{"nikon/f100", "nikon/af-s-dx-nikkor-35mm-f1-8g", no},
		{"nikon/f6", "nikon/af-s-nikkor-70-200mm-f2-8e-fl-ed-vr", no},
		{"nikon/d40", "nikon/af-nikkor-50mm-f1-8d", native},
		{"nikon/d850", "nikon/nikkor-q-135mm-f2-8", "no: " + damages},
		{"nikon/f100", "nikon/nikkor-s-50mm-f1-4", "no: " + damages},
		{"nikon/f80", "nikon/gn-nikkor-45mm-f2-8", "no: " + damages},
		{"nikon/d850", "nikon/nikkor-50mm-f2", "native: " + damages},
		{"nikon/f2", "nikon/nikkor-q-135mm-f2-8", native},
		{"nikon/nikkormat-ftn", "nikon/nikkor-h-85mm-f1-8", native},
		{"nikon/df", "nikon/nikkor-o-35mm-f2", native},
		{"nikon/d5300", "nikon/nikkor-p-105mm-f2-5", native},
		{"nikon/d850", "nikon/ai-s-nikkor-50mm-f1-4", native},
		{"nikon/z-6ii", "nikon/nikkor-s-50mm-f1-4", adapter("FTZ II")},
		{"sony/alpha-7-iii", "nikon/nikkor-s-50mm-f1-4", manual("Nikon F to Sony E adapter")},
		{"nikon/d7000", "nikon/af-p-dx-nikkor-70-300mm-f4-5-6-3g-ed-vr", no},
		{"nikon/d3200", "nikon/af-p-dx-nikkor-18-55mm-f3-5-5-6g-vr", no},
		{"nikon/d5100", "nikon/af-p-nikkor-70-300mm-f4-5-5-6e-ed-vr", no},
		{"nikon/d800", "nikon/af-p-nikkor-70-300mm-f4-5-5-6e-ed-vr", native},
		{"nikon/d5600", "nikon/af-p-dx-nikkor-70-300mm-f4-5-6-3g-ed-vr", native},
		{"nikon/1-v1", "nikon/1-nikkor-32mm-f1-2", native},
		{"nikon/1-v1", "nikon/af-s-nikkor-50mm-f1-8g", adapter("FT1")},
		{"fujifilm/finepix-s5-pro", "nikon/af-nikkor-50mm-f1-8d", native},
		// Sony, Minolta
		{"sony/alpha-7-iii", "sony/fe-50mm-f1-8", native},
		{"sony/alpha-7-iii", "sony/e-16-55mm-f2-8-g", crops},
		{"sony/nex-5n", "sony/fe-50mm-f1-8", native},
		{"sony/alpha-7-iii", "sony/50mm-f1-4", adapter("LA-EA5")},
		{"sony/alpha-7-iii", "minolta/af-35mm-f1-4-g", adapter("LA-EA5")},
		{"sony/alpha-7-iii", "canon/ef-50mm-f1-4-usm", adapter("Metabones EF-E or Sigma MC-11")},
		{"sony/alpha-7-iii", "sigma/35mm-f1-4-dg-dn-art", native},
		{"sony/alpha-7-iii", "sigma/35mm-f1-4-dg-hsm-art", native},
		{"sony/alpha-7-iii", "sigma/24-35mm-f2-dg-hsm-art", adapter("Metabones EF-E or Sigma MC-11")},
		{"sony/alpha-7-iii", "canon/rf-50mm-f1-2l-usm", no},
		{"sony/alpha-7-iii", "zenit/helios-44-2-58mm-f2", manual("M42 to Sony E adapter")},
		{"sony/alpha-77", "minolta/af-35mm-f1-4-g", native},
		{"sony/alpha-77", "sony/fe-50mm-f1-8", no},
		{"sony/rx1r-ii", "sony/fe-50mm-f1-8", no},
		{"sony/rx100-iii", "sony/e-16-55mm-f2-8-g", no},
		// Leica, L mount, rangefinders
		{"sigma/bf", "sigma/35mm-f1-4-dg-dn-art", native},
		{"sigma/bf", "sony/fe-50mm-f1-8", no},
		{"leica/sl2", "leica/summicron-m-50mm-f2", adapter("Leica M-Adapter-L")},
		{"leica/sl2", "leica/summicron-r-50mm-f2", manual("Leica R-Adapter-L")},
		{"leica/m6", "leica/summicron-m-50mm-f2", native},
		{"leica/m6", "leica/summitar-50mm-f2", adapter("Leica LTM-M adapter")},
		{"leica/m6", "leica/summicron-r-50mm-f2", no},
		{"leica/iiif", "leica/summitar-50mm-f2", native},
		{"leica/iiif", "leica/summicron-m-50mm-f2", no},
		{"leica/iiif", "zenit/helios-40-85mm-f1-5", no},
		{"zenit/3m", "zenit/helios-40-85mm-f1-5", native},
		{"zenit/3m", "leica/summitar-50mm-f2", no},
		{"leica/q2", "leica/summicron-m-50mm-f2", no},
		{"contax/g1", "contax/g-planar-t-35mm-f2", native},
		// Fujifilm, Micro Four Thirds, Pentax
		{"fujifilm/x-t3", "fujifilm/xf-35mm-f2-r-wr", native},
		{"fujifilm/x-t3", "canon/ef-50mm-f1-4-usm", adapter("Fringer EF-FX Pro II")},
		{"fujifilm/x-t3", "fujifilm/gf-45mm-f2-8-r-wr", no},
		{"fujifilm/x100v", "fujifilm/xf-35mm-f2-r-wr", no},
		{"fujifilm/gfx-50r", "fujifilm/gf-45mm-f2-8-r-wr", native},
		{"fujifilm/gfx-50r", "canon/ef-50mm-f1-4-usm", cropped("Fringer EF-GFX Pro")},
		{"olympus/om-d-e-m5-mark-ii", "panasonic/lumix-g-25mm-f1-7-asph", native},
		{"olympus/om-d-e-m5-mark-ii", "olympus/zuiko-digital-ed-12-60mm-f2-8-4-swd", adapter("Olympus MMF-3 or Panasonic DMW-MA1")},
		{"olympus/e-3", "olympus/m-zuiko-digital-25mm-f1-8", no},
		{"olympus/e-3", "olympus/zuiko-auto-s-50mm-f1-8", manual("Olympus MF-1")},
		{"pentax/k-1", "pentax/smc-fa-31mm-f1-8-al-limited", native},
		{"pentax/k-1", "pentax/smc-da-35mm-f2-4-al", crops},
		{"pentax/k1000", "pentax/smc-da-35mm-f2-4-al", no},
		{"pentax/mx", "pentax/hd-d-fa-70-210mm-f4-ed-sdm-wr", no},
		{"pentax/k1000", "pentax/hd-d-fa-50mm-f1-4-sdm-aw", no},
		{"pentax/k1000", "pentax/hd-d-fa-28-105mm-f3-5-5-6-ed-dc-wr", no},
		{"pentax/k1000", "pentax/hd-fa-43mm-f1-9-limited", native},
		{"pentax/mz-s", "pentax/hd-d-fa-28-105mm-f3-5-5-6-ed-dc-wr", native},
		{"pentax/mz-s", "pentax/hd-d-fa-50mm-f1-4-sdm-aw", no},
		{"pentax/k-1", "pentax/hd-d-fa-50mm-f1-4-sdm-aw", native},
		{"pentax/q-s1", "pentax/smc-m-85mm-f2", manual("Pentax Adapter Q for K-mount lens")},
		{"pentax/k-1", "pentax/super-takumar-50mm-f1-4", manual("Pentax Mount Adapter K")},
		{"pentax/spotmatic", "pentax/super-takumar-50mm-f1-4", native},
		{"canon/eos-r6", "tamron/sp-90mm-f2-5-macro-52b", manual("Tamron Adaptall to Canon RF adapter")},
		{"olympus/om-1", "tamron/sp-90mm-f2-5-macro-52b", adapter("Tamron Adaptall-2 mount")},
		// Medium and large format
		{"hasselblad/500c-m", "hasselblad/planar-cf-80mm-f2-8", native},
		{"hasselblad/500c-m", "hasselblad/planar-fe-110mm-f2", no},
		{"hasselblad/203fe", "hasselblad/planar-fe-110mm-f2", native},
		{"hasselblad/swc-m", "hasselblad/planar-cf-80mm-f2-8", no},
		{"hasselblad/h5d-50", "hasselblad/hc-80mm-f2-8", native},
		{"hasselblad/h5d-50", "hasselblad/planar-cf-80mm-f2-8", manual("Hasselblad CF")},
		{"kiev/88cm", "carl-zeiss-jena/biometar-80mm-f2-8", native},
		{"kiev/88", "carl-zeiss-jena/biometar-80mm-f2-8", no},
		{"hasselblad/h1", "hasselblad/hcd-28mm-f4", no},
		{"hasselblad/h5d-50", "hasselblad/hcd-28mm-f4", native},
		{"mamiya/rz67-pro-ii", "mamiya/sekor-c-127mm-f3-8", native},
		{"mamiya/rb67-pro-s", "mamiya/sekor-z-110mm-f2-8-w", no},
		{"mamiya/7", "mamiya/g-75mm-f3-5-l", no},
		{"nons/sl660", "canon/ef-50mm-f1-4-usm", native},
		{"sony/alpha-7-iii", "leica/summicron-m-50mm-f2", adapter("Techart LM-EA9")},
		{"hasselblad/500c-m", "hasselblad/distagon-f-50mm-f2-8", no},
		{"hasselblad/203fe", "hasselblad/distagon-f-50mm-f2-8", native},
		{"rollei/rolleiflex-sl66", "rollei/planar-hft-80mm-f2-8-pq", no},
		{"rollei/rolleiflex-6008", "rollei/planar-hft-80mm-f2-8-pq", native},
		{"mamiya/m645-1000s", "mamiya/80mm-f2-8", no},
		{"mamiya/645-afd", "mamiya/sekor-c-80mm-f2-8-n", native},
		{"leica/m5", "leica/super-angulon-21mm-f3-4", "no: Can damage the camera: the rear of the lens hits the arm of the light meter."},
		{"leica/m6", "leica/super-angulon-21mm-f3-4", native},
		{"canon/eos-c300", "canon/ef-s-17-55mm-f2-8-is-usm", native},
		{"sony/fx6", "zeiss/cp-2-50mm-t2-1", native},
		{"sony/fx6", "dzofilm/vespid-35mm-t2-1", adapter("Metabones EF-E or Sigma MC-11")},
		{"nikon/nikonos-v", "nikon/ai-s-nikkor-50mm-f1-4", no},
		{"hasselblad/x1d-ii-50c", "canon/ef-50mm-f1-4-usm", cropped("Techart TCX-01")},
		{"sony/alpha-7-iii", "nikon/af-s-nikkor-50mm-f1-8g", adapter("Monster LA-FE1 or LA-FE2")},
		{"sony/alpha-7-iii", "nikon/ai-s-nikkor-50mm-f1-4", manual("Nikon F to Sony E adapter")},
		{"sony/alpha-7-iii", "pentax/smc-fa-31mm-f1-8-al-limited", adapter("Monster LA-KE1")},
		// Not a camera and a lens
		{"canon/eos-r6", "canon/extender-ef-1-4x-iii", no},
		{"canon/eos-r6", "canon/eos-r6", no},
	} {
		camera, lens := c.Gear(test.camera), c.Gear(test.lens)
		if camera == nil || lens == nil {
			t.Errorf("%s and %s are not both in the catalogue", test.camera, test.lens)
			continue
		}
		fit, ok := c.Fits(camera, lens)
		if got := fitText(fit, ok); got != test.want && got+": "+fit.Note != test.want {
			t.Errorf("%s on %s: got %s, want %s", test.lens, test.camera, got, test.want)
		}
		if back, also := c.Fits(lens, camera); back != fit || also != ok {
			t.Errorf("%s on %s: %+v in the other order", test.lens, test.camera, back)
		}
	}
}

func fitText(fit Fit, ok bool) string {
	if !ok {
		return "no"
	}
	text := "native"
	if fit.Adapter != "" {
		text = "by " + fit.Adapter
	}
	if fit.Manual {
		text += ", manual"
	}
	if fit.Crops {
		text += ", crops"
	}
	return text
}

// The set of the search is that of all pairs without manual adapters.
func TestFittingSet(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	l := c.Lookup()
	for i, slug := range []string{"canon/eos-r6", "sony/alpha-7-iii", "leica/m6", "nikon/fm2", "sony/rx1r-ii", "canon/ef-50mm-f1-4-usm", "leica/q2", "canon/extender-ef-1-4x-iii"} {
		set, n := l.Fitting(slug), 0
		for _, f := range c.Fitting(c.Gear(slug)) {
			if number, _ := l.Catalogued(f.Gear.Slug()); !f.Manual && !f.Never {
				n++
				if !set.Has(number) {
					t.Errorf("the set of %s lacks %s", slug, f.Gear.Slug())
				}
			}
		}
		if set.Len() != n || (n == 0) != (i == 4 || i > 5) {
			t.Errorf("the set of %s has %d gear, want %d", slug, set.Len(), n)
		}
	}
	if !l.Fitting("nobody/nothing").Empty() {
		t.Error("gear fits what does not exist")
	}
}

// Cameras have one mount, or none if the lens is fixed.
func TestMountsOfCameras(t *testing.T) {
	t.Parallel()
	for _, g := range readCatalog(t).All() {
		if g.Category.Family() != models.FamilyCamera {
			continue
		}
		if len(g.Mounts()) > 1 {
			t.Errorf("%s has the mounts %s", g.Slug(), g.Mount)
		}
		if g.FocalMin > 0 && g.Mount != "" {
			t.Errorf("%s has a lens and a mount", g.Slug())
		}
		if fixed := g.Category == "compact" || g.Category == "action_cam"; fixed && g.Mount != "" {
			t.Errorf("%s is a %s with a mount", g.Slug(), g.Category)
		}
	}
}

// Adapters say what a lens can still do on them.
func TestKeeps(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, test := range []struct {
		camera, lens string
		want         Keeps
	}{
		{"canon/eos-r6", "canon/rf-50mm-f1-2l-usm", Keeps{}},
		{"canon/eos-r6", "canon/ef-50mm-f1-4-usm", Keeps{true, true, true}},
		{"canon/eos-r6", "canon/fd-50mm-f1-4-s-s-c", Keeps{Infinity: true}},
		{"sony/alpha-7-iii", "leica/summicron-m-50mm-f2", Keeps{Autofocus: true, Infinity: true}},
		{"leica/sl2", "leica/summicron-m-50mm-f2", Keeps{Aperture: true, Infinity: true}},
		{"nikon/d850", "zenit/helios-44-2-58mm-f2", Keeps{}},
	} {
		if fit, _ := c.Fits(c.Gear(test.camera), c.Gear(test.lens)); fit.Keeps != test.want {
			t.Errorf("%s on %s keeps %+v, want %+v", test.lens, test.camera, fit.Keeps, test.want)
		}
	}
}

// No lens that can damage a camera fits it without saying so before everything else.
func TestDamages(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, g := range c.now().cameras {
		for _, f := range c.Fitting(g) {
			if strings.Contains(f.Note, "amage the camera") && !f.Damages() {
				t.Errorf("%s on %s: %q", f.Gear.Slug(), g.Slug(), f.Note)
			}
		}
	}
	old := c.Gear("nikon/nikkor-q-135mm-f2-8")
	harmed := 0
	for _, f := range c.Fitting(old) {
		if f.Damages() && f.Never {
			harmed++
		}
	}
	if harmed < 30 {
		t.Errorf("%d cameras are harmed by %s", harmed, old.Slug())
	}
}

func TestReadFitsErrors(t *testing.T) {
	t.Parallel()
	const gear = "brand,model,brand_slug,model_slug,category,mount,format,focal_min,focal_max,aperture,year,exif_make,exif_models,aliases\n" +
		"Canon,EOS R6,canon,eos-r6,mirrorless,Canon RF,Full frame,,,,2020,Canon,Canon EOS R6,R6\n"
	for row, want := range map[string]string{
		"Nikon F,,Canon RF,,full,":   `"Nikon F" or "Canon RF" is no mount`,
		"Canon RF,,canon/r,,full,":   `"Canon RF" or "canon/r" is no mount`,
		"Canon RF,,Canon RF,,most,":  `function "most"`,
		"Canon RF,[,Canon RF,,full":  "wrong number of fields",
		"Canon RF,[,Canon RF,,full,": "error parsing regexp",
	} {
		_, err := ReadCatalog(fstest.MapFS{
			catalogFile:  {Data: []byte(gear)},
			adaptersFile: {Data: []byte(strings.Join(adapterColumns, ",") + "\n" + row + "\n")},
		})
		if err == nil || !strings.Contains(err.Error(), "adapters.csv:2: ") && !strings.Contains(err.Error(), "adapters.csv: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %s", row, err, want)
		}
	}
}

func BenchmarkFitting(b *testing.B) {
	c := readCatalog(b)
	l := c.Lookup()
	b.ResetTimer()
	for i := range b.N {
		l.fits.sets.Clear()
		l.Fitting([]string{"canon/eos-r6", "nikon/d850"}[i%2])
	}
	b.ReportMetric(float64(l.Fitting("canon/eos-r6").Len()), "gear")
}

// What works differently is said of lenses that bodies of their mount can't drive.
func TestFitNotes(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	for _, test := range []struct{ camera, lens, says string }{
		{"nikon/f3", "nikon/nikkor-s-50mm-f1-4", "Lift the camera’s metering lever"},
		{"nikon/d5300", "nikon/nikkor-s-50mm-f1-4", "No metering"},
		{"nikon/d7000", "nikon/af-p-dx-nikkor-18-55mm-f3-5-5-6g-vr", "don’t focus"},
		{"nikon/d7200", "nikon/af-p-dx-nikkor-18-55mm-f3-5-5-6g-vr", "goes to sleep"},
		{"pentax/mx", "pentax/hd-d-fa-28-105mm-f3-5-5-6-ed-dc-wr", "no aperture ring"},
		{"pentax/k-5", "pentax/hd-d-fa-50mm-f1-4-sdm-aw", "stays wide open"},
		{"minolta/dynax-7000i", "sony/70-400mm-f4-5-6-g-ssm", "Focus by hand"},
		{"minolta/dynax-9", "sony/70-400mm-f4-5-6-g-ssm", "updated for SSM"},
		{"minolta/dynax-7", "sony/70-400mm-f4-5-6-g-ssm", ""},
		{"mamiya/rz67-pro-ii", "mamiya/sekor-c-127mm-f3-8", "RBL"},
		{"nikon/f100", "nikon/af-s-dx-nikkor-35mm-f1-8g", "doesn't cover the film"},
		{"nikon/fm2", "nikon/af-s-nikkor-50mm-f1-8g", "no aperture ring"},
		{"nikon/f6", "nikon/af-s-nikkor-70-200mm-f2-8e-fl-ed-vr", "electromagnetic diaphragm"},
		{"nikon/d3500", "nikon/ai-s-nikkor-50mm-f1-4", "No metering"},
		{"nikon/d3500", "nikon/af-nikkor-50mm-f1-8d", "no focus motor"},
		{"nikon/d850", "zenit/helios-44-2-58mm-f2", "adapter that contains a lens"},
		{"canon/eos-5d-mark-iii", "canon/ef-s-17-55mm-f2-8-is-usm", "don’t mount here"},
		{"canon/eos-5d-mark-iii", "canon/fd-50mm-f1-4-s-s-c", "adapter that contains a lens"},
		{"canon/eos-5d-mark-iii", "pentax/super-takumar-50mm-f1-4", "touches some lenses"},
		{"leica/r8", "leica/summicron-r-50mm-f2", "can damage the contacts"},
		{"mamiya/m645-1000s", "mamiya/80mm-f2-8", "no aperture ring"},
	} {
		fit, _ := c.Fits(c.Gear(test.camera), c.Gear(test.lens))
		if !strings.Contains(fit.Note, test.says) || test.says == "" && fit.Note != "" {
			t.Errorf("%s on %s: %q, want %q", test.lens, test.camera, fit.Note, test.says)
		}
	}
}
