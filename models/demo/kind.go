package demo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// The categories that this package treats on their own.
const (
	mirrorless   models.Category = "mirrorless"
	dslr         models.Category = "dslr"
	rangefinder  models.Category = "rangefinder"
	filmSLR      models.Category = "film_slr"
	mediumFormat models.Category = "medium_format"
	largeFormat  models.Category = "large_format"
	compact      models.Category = "compact"
	instant      models.Category = "instant"
	actionCam    models.Category = "action_cam"
	lensPrime    models.Category = "lens_prime"
	lensZoom     models.Category = "lens_zoom"
	lensMacro    models.Category = "lens_macro"
	lensFisheye  models.Category = "lens_fisheye"
)

// kind classifies gear by what sellers say about it and pack with it.
type kind string

const (
	autofocusLens  kind = "autofocus_lens"
	manualLens     kind = "manual_lens"
	digitalBody    kind = "digital_body"    // digital, for interchangeable lenses
	digitalCompact kind = "digital_compact" // digital, with a fixed lens
	actionCamera   kind = "action_camera"
	filmBody       kind = "film_body"    // for film and interchangeable lenses
	filmCompact    kind = "film_compact" // for film, with a fixed lens
	instantCamera  kind = "instant_camera"
	viewCamera     kind = "view_camera" // for sheet film
)

func kindOf(g *catalog.Gear) kind {
	switch {
	case g.Category.Family() == models.FamilyLens && isAutofocus(g):
		return autofocusLens
	case g.Category.Family() == models.FamilyLens:
		return manualLens
	case g.Category == largeFormat:
		return viewCamera
	case g.Category == instant:
		return instantCamera
	case g.Category == actionCam:
		return actionCamera
	case isFilm(g) && g.Mount == "":
		return filmCompact
	case isFilm(g):
		return filmBody
	case g.Mount == "":
		return digitalCompact
	default:
		return digitalBody
	}
}

// isFilm reports whether g is a camera for film, sheet film or instant pictures.
func isFilm(g *catalog.Gear) bool {
	switch g.Category {
	case filmSLR, largeFormat, instant:
		return true
	case mediumFormat:
		return !strings.Contains(g.Format, "medium format")
	case rangefinder, compact:
		return strings.Contains(g.Format, "film") || strings.Contains(g.Format, "frame") && strings.Contains(g.Format, "half") || g.Format == "Minox 8x11"
	default:
		return false
	}
}

// manualMounts are mounts without autofocus, autofocusMounts those with little else.
var manualMounts = []string{
	"Leica M", "M39", "M42", "Leica R", "Canon FD", "Canon FL", "Minolta MD", "Contax/Yashica", "Olympus OM", "Konica AR", "Exakta", "DKL",
	"Hasselblad V", "Mamiya RZ67", "Mamiya RB67", "Mamiya TLR", "Mamiya 7", "Mamiya 6", "Mamiya 645", "Pentax 67", "Bronica SQ", "Bronica ETR", "XPan",
	"Contax rangefinder", "Praktica B", "Pentacon Six", "Kiev 88", "Rollei QBM", "Olympus Pen F", "Nikon S", "Tamron Adaptall", "Lens board", "Fujica X",
	"Mamiya E", "Mamiya Press", "Contarex", "Alpa", "T2", "Bronica S2", "Petri", "Miranda", "C mount",
}

// manualBrands make lenses without autofocus, except for those that begin with AF.
var manualBrands = []string{
	"7artisans", "ttartisan", "voigtlander", "laowa", "mitakon", "brightin-star", "irix", "zeiss", "samyang", "meyer-optik-gorlitz", "lensbaby", "lomography",
	"thypoch", "light-lens-lab", "zenit", "lzos", "belomo", "slr-magic", "angenieux", "sirui", "opteka", "fotasy", "fujian", "meike", "beroflex", "carl-zeiss-jena",
}

// isAutofocus reports whether a lens has autofocus. In doubt it has not, so that no
// listing promises what the lens can't do.
func isAutofocus(g *catalog.Gear) bool {
	model, mounts := strings.ToLower(g.Model), g.Mounts()
	starts := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(model, p) })
	}
	switch {
	case len(mounts) == 0, slices.ContainsFunc(mounts, func(m string) bool { return slices.Contains(manualMounts, m) }):
		return false
	case slices.Contains(manualBrands, g.BrandSlug):
		return starts("af ", "batis", "touit", "sniper", "aurora")
	case g.Year != 0 && g.Year < 1985, g.Aperture >= 8 && g.BrandSlug != "canon":
		return false
	case g.BrandSlug == "nikon":
		return starts("af", "nikkor z", "1 nikkor") && !strings.Contains(model, "noct")
	case g.BrandSlug == "pentax":
		return starts("hd", "smc da", "smc fa", "smc d fa", "smc f ", "smc d-fa", "d fa", "01", "02", "06")
	case g.BrandSlug == "canon":
		return starts("ef", "rf") && !strings.Contains(model, "dual")
	case g.BrandSlug == "tokina":
		return strings.Contains(model, "af") || starts("firin 100", "opera", "atx-i", "atx-m")
	case g.BrandSlug == "leica":
		return strings.Contains(model, "-sl ") || strings.Contains(model, "-tl ")
	}
	return slices.Contains([]string{"sony", "sigma", "tamron", "fujifilm", "panasonic", "olympus", "om-system", "minolta", "konica-minolta", "hasselblad", "viltrox", "yongnuo", "samsung"}, g.BrandSlug) &&
		!starts("xpan", "zuiko auto", "body cap", "m.zuiko digital 15mm f/8", "gf 30mm f/5.6 t/s", "gf 110mm f/5.6 t/s", "lumix s 26mm", "dt mirror")
}

// isVintage reports whether a lens is from the days of manual focus.
func isVintage(g *catalog.Gear) bool {
	if g.Year != 0 {
		return g.Year < 1985
	}
	return !isAutofocus(g) && !slices.Contains(manualBrands[:20], g.BrandSlug)
}

// pupil returns the diameter of a lens's entrance pupil at its long end in
// millimetres; prices and sizes follow it.
func pupil(g *catalog.Gear) float64 { return g.FocalMax / max(longAperture(g), 0.8) }

// longAperture returns the f-number of a lens at its long end: "f/3.5-5.6" has 5.6.
func longAperture(g *catalog.Gear) float64 {
	aperture := max(g.Aperture, 1)
	_, numbers, ok := strings.Cut(g.Model, "f/")
	if !ok || g.FocalMax <= g.FocalMin {
		return aperture
	}
	numbers, _, _ = strings.Cut(numbers, " ")
	if _, long, ok := strings.Cut(numbers, "-"); ok {
		aperture = max(aperture, number(strings.TrimRight(long, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
	}
	return aperture
}

// isTelephoto reports whether a lens is long and fast enough for a foot and a case of
// its own.
func isTelephoto(g *catalog.Gear) bool { return g.FocalMax >= 200 && pupil(g) >= 66 }

// electronicShutter lists cameras for interchangeable lenses without a shutter that
// could be counted.
var electronicShutter = []string{
	"nikon/z-8", "nikon/z-9", "nikon/zr", "sony/alpha-9-iii", "sony/fx30", "sony/fx2", "sony/zv-e10-ii", "sigma/fp", "sigma/fp-l", "sigma/bf",
	"panasonic/lumix-dc-s9", "canon/eos-c50", "canon/eos-r5-c", "olympus/air-a01", "sony/alpha-qx1",
}

// countsShutter reports whether sellers can read the shutter count of a camera.
func countsShutter(g *catalog.Gear) bool {
	return (g.Category == mirrorless || g.Category == dslr) && g.Mount != "" && g.BrandSlug != "blackmagic" && !slices.Contains(electronicShutter, g.Slug())
}

// mechanicalBrands make cameras for film that need no battery at all.
var mechanicalBrands = []string{
	"hasselblad", "rollei", "holga", "diana", "lubitel", "lomography", "seagull", "kiev", "zenit", "zorki", "fed", "agfa", "iskra", "moskva", "salyut", "exakta", "ihagee",
	"zeiss-ikon", "voigtlander", "leica", "bronica", "mamiya", "kodak", "argus", "agat", "smena", "vilia", "ilford", "harman", "werra", "robot", "widelux", "horizon",
	"graflex", "plaubel", "alpa", "miranda", "petri", "topcon", "praktica", "pentacon", "edixa", "chaika", "halina", "brooks", "linhof", "horseman", "dubblefilm",
}

// takesBattery reports whether a camera for film surely has a battery that a seller
// would mention.
func takesBattery(g *catalog.Gear) bool {
	return isFilm(g) && g.Category != largeFormat && g.Category != mediumFormat && g.Category != instant && g.Year >= 1976 &&
		!slices.Contains(mechanicalBrands, g.BrandSlug) && g.Slug() != "pentax/17" && !slices.Contains([]string{"pentax/k1000", "nikon/fm", "nikon/fm2", "nikon/fm3a", "nikon/fm10"}, g.Slug())
}

// number parses a decimal number, or returns 0.
func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return n
}
