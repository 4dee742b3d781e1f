//go:build !race

package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// earlierShapes is the number of variants in keys of earlier versions.
const earlierShapes = 4

// earlierKeys returns keys of earlier versions, one for every category, variant and view.
func earlierKeys() []string {
	var keys []string
	for _, c := range models.Categories {
		for _, view := range views[c.Family()] {
			for shape := range earlierShapes {
				d := design{category: c, shape: shape, wear: 2 * shape, model: uint16(shape * 7919), copy: uint16(shape * 104), view: view}
				if c.Family() == models.FamilyLens {
					focals := [earlierShapes][2]float64{{50, 50}, {24, 70}, {200, 600}, {8, 8}}
					d.from, d.to, d.aperture = focals[shape][0], focals[shape][1], 1.2*float64(shape+1)
				}
				keys = append(keys, d.key())
			}
		}
	}
	return keys
}

// aKeyOf returns keys of earlier versions and one for every look of the catalogue's
// cameras and lenses.
func aKeyOf() []string {
	keys := earlierKeys()
	type look struct {
		category models.Category
		shape    int
		colour   colour
	}
	seen := map[look]bool{}
	for _, g := range gears().All() {
		if g.Category.Family() == "" {
			continue
		}
		for _, k := range coloursOf(g) {
			l := look{g.Category, shapeOf(g), k}
			if seen[l] {
				continue
			}
			seen[l] = true
			d := design{category: l.category, shape: l.shape, colour: k, wear: len(seen) % 7, model: uint16(len(seen) * 7919), copy: uint16(len(seen) * 104), view: views[g.Category.Family()][0]}
			d.from, d.to, d.aperture = max(g.FocalMin, 1), max(g.FocalMax, 1), max(g.Aperture, 1)
			keys = append(keys, d.key())
		}
	}
	return keys
}

func TestDraw(t *testing.T) {
	keys := aKeyOf()
	if testing.Short() {
		keys = keys[:20]
	}
	most := map[int]int{320: 14_500, 640: 40_000}
	for i, key := range keys {
		t.Run(key, func(t *testing.T) {
			for width, limit := range most {
				if width == 640 && i%4 != 0 {
					continue // the small ones show what there is
				}
				b, err := Draw(key, width)
				if err != nil {
					t.Fatal(err)
				}
				if len(b) > limit {
					t.Errorf("%d bytes at %d pixels, want at most %d", len(b), width, limit)
				}
				img, err := jpeg.Decode(bytes.NewReader(b))
				if err != nil || img.Bounds() != image.Rect(0, 0, width, width*3/4) {
					t.Fatalf("%v, %v", img.Bounds(), err)
				}
				if width == 320 && contrast(img) < 70 {
					t.Errorf("contrast %d: there is hardly anything in the picture", contrast(img))
				}
			}
		})
	}
}

// contrast returns the difference between the lightest and the darkest pixel near the
// centre, 0 to 255.
func contrast(img image.Image) int {
	low, high := 255, 0
	b := img.Bounds()
	for y := b.Dy() / 4; y < b.Dy()*3/4; y += 2 {
		for x := b.Dx() / 4; x < b.Dx()*3/4; x += 2 {
			r, g, bl, _ := img.At(x, y).RGBA()
			v := int(r+g+bl) / 3 >> 8
			low, high = min(low, v), max(high, v)
		}
	}
	return high - low
}

func TestDrawIsAFunctionOfTheKey(t *testing.T) {
	const key = "demo-film-slr-0-4-a1b2c3d4-front"
	a, err := Draw(key, 320)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := Draw(key, 320)
	if !bytes.Equal(a, b) {
		t.Error("two drawings of one key differ")
	}
	if other, _ := Draw("demo-film-slr-0-4-a1b2c3d5-front", 320); bytes.Equal(a, other) {
		t.Error("another copy looks the same")
	}
}

// TestLooksAreTrue checks the silhouettes and finishes of well-known gear.
func TestLooksAreTrue(t *testing.T) {
	for slug, want := range map[string]struct {
		shape   int
		colours string
	}{
		"canon/eos-r6": {plain, "k"}, "nikon/z-9": {gripped, "k"}, "nikon/z-fc": {retroHump, "ks"}, "sony/alpha-7-iv": {angular, "k"}, "sony/fx3": {cinemaBox, "g"}, "sigma/bf": {cinemaBox, "ks"},
		"fujifilm/x-t5": {retroHump, "ks"}, "fujifilm/x100vi": {primeLens, "ks"}, "ricoh/gr-iii": {slim, "k"}, "leica/q3": {fullFrame, "ks"}, "canon/eos-5d-mark-iv": {prosumer, "k"}, "nikon/d6": {dslrGripped, "k"},
		"hasselblad/x2d-ii-100c": {sculptured, "g"}, "hasselblad/500c-m": {plain, "ks"}, "fujifilm/gfx-100s": {eyeLevel, "k"}, "mamiya/7-ii": {bigRangefinder, "ck"}, "rollei/rolleiflex-2-8f": {twinLens, "s"},
		"pentax/67": {bigSLR, "k"}, "zeiss-ikon/nettar": {folder, "s"}, "mamiya/rb67-pro-s": {bellowsBox, "k"}, "holga/120n": {toyCamera, "kp"}, "kodak/brownie-hawkeye": {boxCamera, "k"}, "bronica/etrsi": {prismBox, "k"},
		"leica/m6": {plain, "ks"}, "leica/m10": {digitalFinder, "ks"}, "leica/iiif": {screwMount, "s"}, "olympus/35-rc": {fixedFinder, "ks"}, "hasselblad/xpan": {panoramic, "g"}, "contax/g2": {autofocusStyle, "c"}, "voigtlander/bessa-r2a": {bessaStyle, "ks"},
		"nikon/f3": {proSLR, "k"}, "nikon/f100": {plasticSLR, "k"}, "olympus/om-1": {smallSLR, "ks"}, "pentax/k1000": {plain, "ks"}, "contax/t2": {metalCompact, "c"}, "olympus/mju-ii": {clamshell, "ck"}, "olympus/trip-35": {seleniumRing, "s"},
		"rollei/35": {tinyMetal, "ks"}, "minox/b": {subminiature, "s"}, "sony/rx10-iv": {bridge, "k"}, "canon/powershot-g16": {dialCompact, "k"}, "polaroid/sx-70": {foldingSLR, "s"}, "polaroid/land-camera-250": {packFilm, "s"},
		"fujifilm/instax-mini-11": {roundInstant, "kpw"}, "graflex/crown-graphic": {pressCamera, "k"}, "sinar/p2": {monorail, "k"}, "dji/osmo-pocket-3": {pocketGimbal, "k"}, "insta360/x4": {stickCamera, "k"}, "gopro/hero12-black": {plain, "k"},
		"canon/rf-600mm-f4l-is-usm": {plain, "w"}, "canon/ef-70-200mm-f2-8l-is-ii-usm": {plain, "w"}, "canon/ef-200mm-f2-8l-ii-usm": {plain, "k"}, "canon/ef-24-105mm-f4l-is-usm": {plain, "k"}, "sony/fe-200-600mm-f5-6-6-3-g-oss": {plain, "w"},
		"sony/fe-70-200mm-f2-8-gm-oss-ii": {plain, "w"}, "nikon/nikkor-z-600mm-f4-tc-vr-s": {plain, "k"}, "leica/summicron-50mm-f2-rigid": {plain, "ms"}, "zenit/helios-44-2-58mm-f2": {plain, "m"}, "contax/g-planar-t-45mm-f2": {plain, "s"},
	} {
		g := gears().Gear(slug)
		if g == nil {
			t.Errorf("%s is not in the catalogue", slug)
			continue
		}
		var letters []string
		for _, k := range coloursOf(g) {
			letters = append(letters, string(k))
		}
		slices.Sort(letters)
		if got := strings.Join(slices.Compact(letters), ""); shapeOf(g) != want.shape || got != want.colours {
			t.Errorf("%s has shape %d in %s, want %d in %s", slug, shapeOf(g), got, want.shape, want.colours)
		}
	}
	silhouettes := map[string]bool{}
	for _, g := range gears().All() {
		if g.Category.Family() == models.FamilyCamera {
			silhouettes[fmt.Sprint(g.Category, shapeOf(g))] = true
		}
	}
	if len(silhouettes) < 55 {
		t.Errorf("%d silhouettes", len(silhouettes))
	}
}

func TestDrawRefuses(t *testing.T) {
	if _, err := Draw("demo-film-slr-0-4-a1b2c3d4-side", 320); err == nil {
		t.Error("drew a view there is not")
	}
	if _, err := Draw("demo-film-slr-0-4-a1b2c3d4-front", 400); err == nil {
		t.Error("drew a width there is not")
	}
}

// BenchmarkDraw draws a photograph, as its first request does.
func BenchmarkDraw(b *testing.B) {
	keys := aKeyOf()
	for _, width := range models.PhotoWidths {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			for i := range b.N {
				if _, err := Draw(keys[i*7%len(keys)], width); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
