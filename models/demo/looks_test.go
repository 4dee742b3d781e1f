//go:build !race

package demo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/demo/drawing"
)

// TestLooksAreTrue checks the silhouettes and finishes of well-known gear.
func TestLooksAreTrue(t *testing.T) {
	for slug, want := range map[string]struct {
		shape   drawing.Shape
		colours string
	}{
		"canon/eos-r6": {drawing.Plain, "k"}, "nikon/z-9": {drawing.Gripped, "k"}, "nikon/z-fc": {drawing.RetroHump, "ks"}, "sony/alpha-7-iv": {drawing.Angular, "k"}, "sony/fx3": {drawing.CinemaBox, "g"}, "sigma/bf": {drawing.CinemaBox, "ks"},
		"fujifilm/x-t5": {drawing.RetroHump, "ks"}, "fujifilm/x100vi": {drawing.PrimeLens, "ks"}, "ricoh/gr-iii": {drawing.Slim, "k"}, "leica/q3": {drawing.FullFrame, "ks"}, "canon/eos-5d-mark-iv": {drawing.Prosumer, "k"}, "nikon/d6": {drawing.GrippedDSLR, "k"},
		"hasselblad/x2d-ii-100c": {drawing.Sculptured, "g"}, "hasselblad/500c-m": {drawing.Plain, "ks"}, "fujifilm/gfx-100s": {drawing.EyeLevel, "k"}, "mamiya/7-ii": {drawing.BigRangefinder, "ck"}, "rollei/rolleiflex-2-8f": {drawing.TwinLens, "s"},
		"pentax/67": {drawing.BigSLR, "k"}, "zeiss-ikon/nettar": {drawing.Folder, "s"}, "mamiya/rb67-pro-s": {drawing.BellowsBox, "k"}, "holga/120n": {drawing.ToyCamera, "kp"}, "kodak/brownie-hawkeye": {drawing.BoxCamera, "k"}, "bronica/etrsi": {drawing.PrismBox, "k"},
		"leica/m6": {drawing.Plain, "ks"}, "leica/m10": {drawing.DigitalFinder, "ks"}, "leica/iiif": {drawing.ScrewMount, "s"}, "olympus/35-rc": {drawing.FixedFinder, "ks"}, "hasselblad/xpan": {drawing.Panoramic, "g"}, "contax/g2": {drawing.AutofocusStyle, "c"}, "voigtlander/bessa-r2a": {drawing.BessaStyle, "ks"},
		"nikon/f3": {drawing.ProSLR, "k"}, "nikon/f100": {drawing.PlasticSLR, "k"}, "olympus/om-1": {drawing.SmallSLR, "ks"}, "pentax/k1000": {drawing.Plain, "ks"}, "contax/t2": {drawing.MetalCompact, "c"}, "olympus/mju-ii": {drawing.Clamshell, "ck"}, "olympus/trip-35": {drawing.SeleniumRing, "s"},
		"rollei/35": {drawing.TinyMetal, "ks"}, "minox/b": {drawing.Subminiature, "s"}, "sony/rx10-iv": {drawing.Bridge, "k"}, "canon/powershot-g16": {drawing.DialCompact, "k"}, "polaroid/sx-70": {drawing.FoldingSLR, "s"}, "polaroid/land-camera-250": {drawing.PackFilm, "s"},
		"fujifilm/instax-mini-11": {drawing.RoundInstant, "kpw"}, "graflex/crown-graphic": {drawing.PressCamera, "k"}, "sinar/p2": {drawing.Monorail, "k"}, "dji/osmo-pocket-3": {drawing.PocketGimbal, "k"}, "insta360/x4": {drawing.StickCamera, "k"}, "gopro/hero12-black": {drawing.Plain, "k"},
		"canon/rf-600mm-f4l-is-usm": {drawing.Plain, "w"}, "canon/ef-70-200mm-f2-8l-is-ii-usm": {drawing.Plain, "w"}, "canon/ef-200mm-f2-8l-ii-usm": {drawing.Plain, "k"}, "canon/ef-24-105mm-f4l-is-usm": {drawing.Plain, "k"}, "sony/fe-200-600mm-f5-6-6-3-g-oss": {drawing.Plain, "w"},
		"sony/fe-70-200mm-f2-8-gm-oss-ii": {drawing.Plain, "w"}, "nikon/nikkor-z-600mm-f4-tc-vr-s": {drawing.Plain, "k"}, "leica/summicron-50mm-f2-rigid": {drawing.Plain, "ms"}, "zenit/helios-44-2-58mm-f2": {drawing.Plain, "m"}, "contax/g-planar-t-45mm-f2": {drawing.Plain, "s"},
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
