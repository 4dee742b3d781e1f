package demo

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// colour is the finish of a body or a lens.
type colour string

const (
	blackFinish    colour = "k"
	silverFinish   colour = "s" // cameras: chrome over leather
	titaniumFinish colour = "c" // champagne
	graphiteFinish colour = "g"
	whiteFinish    colour = "w"
	redFinish      colour = "r"
	pastelFinish   colour = "p"
	manualFinish   colour = "m" // lenses: black, with ribbed metal rings
)

// valid reports whether c is a finish, or "" in a key of an earlier version.
func (c colour) valid() bool {
	return c == "" || strings.Contains("kscgwrpm", string(c)) && len(c) == 1
}

// The variants of cameras in each category. The first of a category is the usual one.
const (
	plain = 0

	// Mirrorless cameras.
	retroHump  = 1
	flatTopped = 2
	gripped    = 4 // with a built-in vertical grip
	angular    = 5
	pocketable = 6
	cinemaBox  = 7
	sculptured = 8 // also digital medium format

	// DSLRs and film SLRs.
	prosumer    = 1
	dslrGripped = 2
	blackSLR    = 1
	plasticSLR  = 2
	proSLR      = 4
	smallSLR    = 5

	// Rangefinders.
	screwMount     = 4
	fixedFinder    = 5
	digitalFinder  = 6
	panoramic      = 7
	bessaStyle     = 8
	autofocusStyle = 9

	// Medium format, on film unless it says otherwise.
	twinLens       = 1
	eyeLevel       = 2 // digital
	bigRangefinder = 4
	folder         = 5
	bigSLR         = 6
	bellowsBox     = 7
	toyCamera      = 9
	boxCamera      = 10
	prismBox       = 11
	flatDigital    = 12 // digital

	// Compacts.
	primeLens    = 1
	filmZoom     = 2
	bridge       = 4
	slim         = 5
	clamshell    = 6
	fullFrame    = 7
	seleniumRing = 8
	metalCompact = 9
	tinyMetal    = 10
	plasticToy   = 11
	dialCompact  = 12
	subminiature = 13
	packFilm     = 2
	roundInstant = 3
	foldingSLR   = 1
	pressCamera  = 1
	monorail     = 2
	pocketGimbal = 1
	stickCamera  = 2
	shapes       = 14 // in no category more
)

// look is how the models of a brand whose names begin with one of the prefixes look.
type look struct {
	brands   string // separated by spaces; "" for any
	prefixes string // of the model slug, separated by spaces; "" for any
	shape    int
	colours  colour // letters, each as likely as often as it stands there
}

// looks are the cameras that have a look of their own, by category. The first that
// fits counts.
var looks = map[models.Category][]look{
	mirrorless: {
		{"nikon canon", "z-9 eos-r1 eos-r3", gripped, "k"}, {"olympus", "om-d-e-m1x", gripped, "k"},
		{"nikon", "z-fc", retroHump, "ssk"}, {"nikon", "z-f", retroHump, "kks"}, {"nikon", "z-30 1-", pocketable, "kks"},
		{"sigma", "", cinemaBox, "ks"}, {"sony", "fx zr", cinemaBox, "g"}, {"nikon", "zr", cinemaBox, "k"}, {"blackmagic", "", cinemaBox, "k"}, {"canon", "eos-c50", cinemaBox, "k"},
		{"sony", "alpha-7c", flatTopped, "kks"}, {"sony", "alpha-7 alpha-9 alpha-1", angular, "k"}, {"sony", "zv", flatTopped, "kkw"}, {"sony", "alpha-6", flatTopped, "kkks"}, {"sony", "nex alpha-5", pocketable, "kks"},
		{"fujifilm", "x-t x-h1", retroHump, "kks"}, {"fujifilm", "x-e x-a x-m", flatTopped, "ks"}, {"fujifilm", "x-pro", flatTopped, "kkg"}, {"fujifilm", "x-h2 x-s", plain, "k"},
		{"olympus om-system", "om-d om-3 om-5", retroHump, "ks"}, {"om-system", "om-1", retroHump, "k"}, {"olympus", "pen-e-pm air", pocketable, "ksw"}, {"olympus", "pen", flatTopped, "ssk"},
		{"panasonic", "lumix-dmc-gm lumix-dmc-gf lumix-dc-gx8", pocketable, "ksr"}, {"panasonic", "lumix-dc-gx lumix-dmc-gx lumix-dc-s9", flatTopped, "kks"},
		{"canon", "eos-m50", plain, "kkw"}, {"canon", "eos-m5", plain, "k"}, {"canon", "eos-m", pocketable, "kkw"}, {"canon", "eos-r50", plain, "kw"},
		{"leica", "sl", sculptured, "k"}, {"leica", "", flatTopped, "ks"}, {"pentax", "q", pocketable, "kws"}, {"samsung", "nx1", plain, "k"}, {"samsung", "", pocketable, "kw"}, {"hasselblad", "", flatTopped, "s"},
	},
	dslr: {
		{"canon", "eos-1d", dslrGripped, "k"}, {"nikon", "d1 d2 d3x d3s d4 d5- d6-", dslrGripped, "k"}, {"kodak", "", dslrGripped, "k"}, {"nikon", "df", proSLR, "sk"},
		{"canon", "eos-5d eos-6d eos-7d eos-90d eos-80d eos-70d", prosumer, "k"}, {"nikon", "d5 d6 d7 d8", prosumer, "k"}, {"pentax", "k-1 k-3 kp", prosumer, "kks"}, {"sony", "alpha-9 alpha-77", prosumer, "k"},
		{"canon", "eos-200d eos-250d", plain, "kkw"}, {"pentax", "k-r k-x k-s", plain, "kwr"},
	},
	rangefinder: {
		{"fujifilm hasselblad", "", panoramic, "g"}, {"contax", "g1 g2", autofocusStyle, "c"}, {"konica", "hexar", bessaStyle, "k"}, {"epson", "", bessaStyle, "k"}, {"pixii", "", digitalFinder, "g"},
		{"leica", "m8 m9 m10 m11 m-typ m-e m-p m-monochrom", digitalFinder, "kks"}, {"leica", "m-ev1", flatTopped, "k"}, {"leica", "i ii iii", screwMount, "s"}, {"leica", "cl", bessaStyle, "k"}, {"leica", "m6 m7 m4-p m5 mp m-a", plain, "ks"}, {"leica", "", plain, "sssk"},
		{"canon", "ii iv 7 p-r vi vl vt l1", screwMount, "s"}, {"zorki fed", "", screwMount, "s"}, {"voigtlander", "bessa", bessaStyle, "kks"}, {"zeiss-ikon", "zm sw", bessaStyle, "ks"}, {"minolta", "cle", bessaStyle, "k"},
		{"nikon zeiss-ikon kiev", "", plain, "s"}, {"olympus", "35-rc 35-rd 35-sp 35-dc", fixedFinder, "ssk"}, {"", "", fixedFinder, "sssk"},
	},
	filmSLR: {
		{"nikon", "f100 f80 f90 f801 f50 f55 f60 f65 f70 f75 f401 f501 f601 f301 pronea", plasticSLR, "k"}, {"nikon", "f3 f4 f5 f6", proSLR, "k"}, {"nikon", "f2 f-", proSLR, "ssk"}, {"nikon", "f", plain, "sk"}, {"canon", "f-1 new-f-1 ef-", proSLR, "k"}, {"canon", "ae-1 a-1 av-1 at-1 al-1", blackSLR, "ssk"}, {"canon", "eos t", plasticSLR, "k"},
		{"olympus", "om-3ti om-4ti", smallSLR, "c"}, {"olympus", "is", plasticSLR, "k"}, {"olympus", "om-101 om-77", plasticSLR, "k"}, {"olympus", "om pen", smallSLR, "ssk"}, {"pentax", "mx me mv mg", smallSLR, "ssk"}, {"pentax", "lx", proSLR, "k"}, {"pentax", "k1000 km kx k2 s es", plain, "sssk"},
		{"contax leica", "", proSLR, "k"}, {"minolta", "xd xe xk xm", blackSLR, "ssk"}, {"minolta", "x-", blackSLR, "kks"}, {"minolta", "dynax 7000 9000 5000 vectis", plasticSLR, "k"},
	},
	mediumFormat: {
		{"hasselblad", "x1d x2d 907", sculptured, "g"}, {"hasselblad", "h", bigSLR, "g"}, {"hasselblad", "swc 903 905 swa", plain, "s"}, {"hasselblad", "", plain, "sssk"},
		{"fujifilm", "gfx-50r gfx-100rf", flatDigital, "kks"}, {"fujifilm", "gfx", eyeLevel, "k"}, {"fujifilm", "gx680", bellowsBox, "k"}, {"fujifilm", "gf6", folder, "k"}, {"fujifilm fujica", "", bigRangefinder, "k"},
		{"mamiya", "7", bigRangefinder, "kkc"}, {"mamiya", "6 press universal", bigRangefinder, "k"}, {"mamiya", "rb67 rz67", bellowsBox, "k"}, {"mamiya", "c2 c3", twinLens, "k"}, {"mamiya", "six", folder, "s"}, {"mamiya", "zd", eyeLevel, "k"}, {"mamiya", "", prismBox, "k"},
		{"pentax", "67 6x7", bigSLR, "k"}, {"pentax", "645z 645d", eyeLevel, "k"}, {"pentax contax", "", prismBox, "k"}, {"bronica", "rf645", bigRangefinder, "k"}, {"bronica", "s2 ec", plain, "s"}, {"bronica", "", prismBox, "k"},
		{"pentacon exakta kiev", "6 six", bigSLR, "s"}, {"kiev salyut", "", plain, "s"}, {"rollei", "rolleiflex-6 rolleiflex-s", plain, "k"}, {"rollei", "", twinLens, "ss"}, {"plaubel", "", folder, "k"}, {"leica phase-one", "", eyeLevel, "k"},
		{"holga", "", toyCamera, "kkkp"}, {"diana lomography", "f diana", toyCamera, "p"}, {"lomography", "lubitel", twinLens, "k"}, {"lomography", "", toyCamera, "k"}, {"yashica minolta lubitel seagull ricoh", "", twinLens, "k"}, {"zeiss-ikon", "ikoflex", twinLens, "k"}, {"voigtlander", "brillant", twinLens, "k"},
		{"kodak agfa", "brownie clack", boxCamera, "k"}, {"graflex", "", bigRangefinder, "k"}, {"linhof horseman brooks", "", bigRangefinder, "k"}, {"seagull", "203", folder, "s"}, {"zeiss-ikon voigtlander agfa kodak iskra moskva", "", folder, "s"},
	},
	largeFormat: {
		{"graflex busch burke-james mpp horseman toyo", "", pressCamera, "k"}, {"sinar cambo arca-swiss calumet", "", monorail, "k"}, {"linhof", "", pressCamera, "s"},
	},
	compact: {
		{"fujifilm", "x100 x-half", primeLens, "ssk"}, {"leica", "q", fullFrame, "kkks"}, {"leica", "x", primeLens, "ks"}, {"leica", "d-lux", dialCompact, "kks"}, {"sony", "rx1r rx1-", fullFrame, "k"}, {"sony", "rx10- rx10", bridge, "k"}, {"sony", "rx cyber-shot-dsc-rx1", slim, "k"},
		{"ricoh", "gr1 gr21 gr10", metalCompact, "kks"}, {"ricoh", "gr", slim, "k"}, {"sigma", "dp", fullFrame, "k"}, {"nikon", "coolpix-a-", slim, "k"}, {"nikon", "coolpix-a", slim, "ks"}, {"fujifilm", "x70 xf10", slim, "ks"}, {"nikon", "coolpix-p9 coolpix-p10 coolpix-b coolpix-l", bridge, "k"},
		{"canon", "powershot-sx powershot-g3-x", bridge, "k"}, {"canon", "powershot-g powershot-v1", dialCompact, "k"}, {"canon", "powershot-s", slim, "ks"}, {"panasonic", "lumix-dc-fz lumix-dmc-fz", bridge, "k"}, {"panasonic", "lumix-dmc-lx lumix-dc-lx", dialCompact, "kks"}, {"olympus", "stylus-1 xz", dialCompact, "k"},
		{"olympus", "mju xa", clamshell, "kkc"}, {"olympus", "trip-35 pen", seleniumRing, "s"}, {"canon", "demi dial", seleniumRing, "s"}, {"ricoh", "auto-half", seleniumRing, "s"}, {"contax", "t2 t3 tvs tix", metalCompact, "c"}, {"nikon", "28ti 35ti", metalCompact, "c"}, {"minolta", "tc-1", metalCompact, "c"}, {"leica", "minilux cm", metalCompact, "c"}, {"konica", "hexar", metalCompact, "ks"}, {"fujifilm", "klasse natura", metalCompact, "ks"},
		{"rollei", "35 b35 c35", tinyMetal, "ssk"}, {"minox", "35", tinyMetal, "k"}, {"minox", "", subminiature, "s"}, {"lomography", "lc", clamshell, "k"}, {"lomography kodak harman ilford dubblefilm", "simple m35 ultra ektar ez sprocket fisheye", plasticToy, "pkr"},
		{"werra robot agfa kodak argus", "", seleniumRing, "s"}, {"widelux horizon", "", metalCompact, "k"},
	},
	instant: {
		{"polaroid", "sx-70 slr-680 690", foldingSLR, "s"}, {"mint", "slr", foldingSLR, "s"}, {"polaroid", "land-camera 600se 110b", packFilm, "s"}, {"fujifilm", "fp-1", packFilm, "k"}, {"mint", "instantkon", packFilm, "k"}, {"fujifilm leica lomography", "", roundInstant, "ppwk"}, {"kodak canon", "", roundInstant, "pw"},
	},
	actionCam: {{"dji", "osmo-pocket", pocketGimbal, "k"}, {"insta360", "x one-x", stickCamera, "k"}, {"insta360", "", plain, "k"}, {"ricoh", "theta", stickCamera, "kw"}},
}

// lookOf returns the look of a camera, or nil.
func lookOf(g *catalog.Gear) *look {
	for i, l := range looks[g.Category] {
		brand := l.brands == "" || slices.Contains(strings.Fields(l.brands), g.BrandSlug)
		model := l.prefixes == "" || slices.ContainsFunc(strings.Fields(l.prefixes), func(p string) bool { return strings.HasPrefix(g.ModelSlug+"-", p) })
		if brand && model {
			return &looks[g.Category][i]
		}
	}
	return nil
}

// shapeOf returns the variant that is most similar to the real camera.
func shapeOf(g *catalog.Gear) int {
	if l := lookOf(g); l != nil {
		return l.shape
	}
	switch {
	case g.Category == filmSLR && g.Year >= 1986:
		return plasticSLR
	case g.Category == filmSLR && g.Year >= 1976:
		return blackSLR
	case g.Category == mediumFormat && isFilm(g) && g.Mount == "":
		return folder
	case g.Category == mediumFormat && !isFilm(g):
		return eyeLevel
	case g.Category == compact && isFilm(g) && g.Year != 0 && g.Year < 1976:
		return seleniumRing
	case g.Category == compact && isFilm(g):
		return filmZoom
	}
	return plain
}

// coloursOf returns the finishes that a model was sold in, the usual ones more often.
func coloursOf(g *catalog.Gear) []colour {
	letters := colour("k")
	l := lookOf(g)
	switch {
	case g.Category.Family() == models.FamilyLens:
		letters = lensColours(g)
	case l != nil:
		letters = l.colours
	case g.Category == filmSLR && g.Year < 1972:
		letters = "ssssk"
	case g.Category == filmSLR && g.Year < 1985:
		letters = "ssk"
	case g.Category == mediumFormat && isFilm(g):
		letters = "sk"
	case g.Category == compact && isFilm(g):
		letters = "kkc"
	case g.Category == compact:
		letters = "kkkssrg"
	case g.Category == instant:
		letters = "wkp"
	}
	colours := make([]colour, len(letters))
	for i := range letters {
		colours[i] = letters[i : i+1]
	}
	return colours
}

// lensColours returns the finishes of a lens.
func lensColours(g *catalog.Gear) colour {
	model := strings.ToLower(g.Model)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(model, p) })
	}
	long := g.FocalMax >= 200
	switch {
	case g.BrandSlug == "canon" && long && g.Year >= 1981 && has("l is", "l usm", "2.8l", "4l", "5.6l", "7.1l", "8l") && !has("rf 24-", "180mm") && !(g.FocalMin == g.FocalMax && has("200mm f/2.8l")):
		return "w"
	case g.BrandSlug == "sony" && (long || has("50-150")) && has("gm", " g oss", "g ssm", "macro g", "g oss") && !has("70-300", "70-350", "18-", "24-", "28-"):
		return "w"
	case g.BrandSlug == "minolta" && has("apo"), (g.BrandSlug == "olympus" || g.BrandSlug == "om-system") && has("150-400", "50-200mm f/2.8 is"), g.BrandSlug == "fujifilm" && has("xf 200mm", "500mm"):
		return "w"
	case g.BrandSlug == "contax" && has("g "):
		return "s"
	case isVintage(g) && g.Year != 0 && g.Year < 1966:
		return "ssm"
	case isVintage(g):
		return "m"
	case g.BrandSlug == "leica" && !isAutofocus(g), g.BrandSlug == "voigtlander" && has("vm"), g.BrandSlug == "light-lens-lab":
		return "mms"
	case !isAutofocus(g):
		return "m"
	case (g.BrandSlug == "olympus" || g.BrandSlug == "panasonic") && g.Category == lensPrime && g.FocalMax <= 75:
		return "kks"
	default:
		return "k"
	}
}
