package demo

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo/drawing"
)

// look is how the models of a brand whose names begin with one of the prefixes look.
type look struct {
	brands   string // separated by spaces; "" for any
	prefixes string // of the model slug, separated by spaces; "" for any
	shape    drawing.Shape
	colours  string // letters of drawing.Colour, each as likely as often as it stands there
}

// looks are the cameras that have a look of their own, by category. The first that
// fits counts.
var looks = map[models.Category][]look{
	mirrorless: {
		{"nikon canon", "z-9 eos-r1 eos-r3", drawing.Gripped, "k"}, {"olympus", "om-d-e-m1x", drawing.Gripped, "k"},
		{"nikon", "z-fc", drawing.RetroHump, "ssk"}, {"nikon", "z-f", drawing.RetroHump, "kks"}, {"nikon", "z-30 1-", drawing.Pocketable, "kks"},
		{"sigma", "", drawing.CinemaBox, "ks"}, {"sony", "fx zr", drawing.CinemaBox, "g"}, {"nikon", "zr", drawing.CinemaBox, "k"}, {"blackmagic", "", drawing.CinemaBox, "k"}, {"canon", "eos-c50", drawing.CinemaBox, "k"},
		{"sony", "alpha-7c", drawing.FlatTopped, "kks"}, {"sony", "alpha-7 alpha-9 alpha-1", drawing.Angular, "k"}, {"sony", "zv", drawing.FlatTopped, "kkw"}, {"sony", "alpha-6", drawing.FlatTopped, "kkks"}, {"sony", "nex alpha-5", drawing.Pocketable, "kks"},
		{"fujifilm", "x-t x-h1", drawing.RetroHump, "kks"}, {"fujifilm", "x-e x-a x-m", drawing.FlatTopped, "ks"}, {"fujifilm", "x-pro", drawing.FlatTopped, "kkg"}, {"fujifilm", "x-h2 x-s", drawing.Plain, "k"},
		{"olympus om-system", "om-d om-3 om-5", drawing.RetroHump, "ks"}, {"om-system", "om-1", drawing.RetroHump, "k"}, {"olympus", "pen-e-pm air", drawing.Pocketable, "ksw"}, {"olympus", "pen", drawing.FlatTopped, "ssk"},
		{"panasonic", "lumix-dmc-gm lumix-dmc-gf lumix-dc-gx8", drawing.Pocketable, "ksr"}, {"panasonic", "lumix-dc-gx lumix-dmc-gx lumix-dc-s9", drawing.FlatTopped, "kks"},
		{"canon", "eos-m50", drawing.Plain, "kkw"}, {"canon", "eos-m5", drawing.Plain, "k"}, {"canon", "eos-m", drawing.Pocketable, "kkw"}, {"canon", "eos-r50", drawing.Plain, "kw"},
		{"leica", "sl", drawing.Sculptured, "k"}, {"leica", "", drawing.FlatTopped, "ks"}, {"pentax", "q", drawing.Pocketable, "kws"}, {"samsung", "nx1", drawing.Plain, "k"}, {"samsung", "", drawing.Pocketable, "kw"}, {"hasselblad", "", drawing.FlatTopped, "s"},
	},
	dslr: {
		{"canon", "eos-1d", drawing.GrippedDSLR, "k"}, {"nikon", "d1 d2 d3x d3s d4 d5- d6-", drawing.GrippedDSLR, "k"}, {"kodak", "", drawing.GrippedDSLR, "k"}, {"nikon", "df", drawing.ProSLR, "sk"},
		{"canon", "eos-5d eos-6d eos-7d eos-90d eos-80d eos-70d", drawing.Prosumer, "k"}, {"nikon", "d5 d6 d7 d8", drawing.Prosumer, "k"}, {"pentax", "k-1 k-3 kp", drawing.Prosumer, "kks"}, {"sony", "alpha-9 alpha-77", drawing.Prosumer, "k"},
		{"canon", "eos-200d eos-250d", drawing.Plain, "kkw"}, {"pentax", "k-r k-x k-s", drawing.Plain, "kwr"},
	},
	rangefinder: {
		{"fujifilm hasselblad", "", drawing.Panoramic, "g"}, {"contax", "g1 g2", drawing.AutofocusStyle, "c"}, {"konica", "hexar", drawing.BessaStyle, "k"}, {"epson", "", drawing.BessaStyle, "k"}, {"pixii", "", drawing.DigitalFinder, "g"},
		{"leica", "m8 m9 m10 m11 m-typ m-e m-p m-monochrom", drawing.DigitalFinder, "kks"}, {"leica", "m-ev1", drawing.FlatTopped, "k"}, {"leica", "i ii iii", drawing.ScrewMount, "s"}, {"leica", "cl", drawing.BessaStyle, "k"}, {"leica", "m6 m7 m4-p m5 mp m-a", drawing.Plain, "ks"}, {"leica", "", drawing.Plain, "sssk"},
		{"canon", "ii iv 7 p-r vi vl vt l1", drawing.ScrewMount, "s"}, {"zorki fed", "", drawing.ScrewMount, "s"}, {"voigtlander", "bessa", drawing.BessaStyle, "kks"}, {"zeiss-ikon", "zm sw", drawing.BessaStyle, "ks"}, {"minolta", "cle", drawing.BessaStyle, "k"},
		{"nikon zeiss-ikon kiev", "", drawing.Plain, "s"}, {"olympus", "35-rc 35-rd 35-sp 35-dc", drawing.FixedFinder, "ssk"}, {"", "", drawing.FixedFinder, "sssk"},
	},
	filmSLR: {
		{"nikon", "f100 f80 f90 f801 f50 f55 f60 f65 f70 f75 f401 f501 f601 f301 pronea", drawing.PlasticSLR, "k"}, {"nikon", "f3 f4 f5 f6", drawing.ProSLR, "k"}, {"nikon", "f2 f-", drawing.ProSLR, "ssk"}, {"nikon", "f", drawing.Plain, "sk"}, {"canon", "f-1 new-f-1 ef-", drawing.ProSLR, "k"}, {"canon", "ae-1 a-1 av-1 at-1 al-1", drawing.BlackSLR, "ssk"}, {"canon", "eos t", drawing.PlasticSLR, "k"},
		{"olympus", "om-3ti om-4ti", drawing.SmallSLR, "c"}, {"olympus", "is", drawing.PlasticSLR, "k"}, {"olympus", "om-101 om-77", drawing.PlasticSLR, "k"}, {"olympus", "om pen", drawing.SmallSLR, "ssk"}, {"pentax", "mx me mv mg", drawing.SmallSLR, "ssk"}, {"pentax", "lx", drawing.ProSLR, "k"}, {"pentax", "k1000 km kx k2 s es", drawing.Plain, "sssk"},
		{"contax leica", "", drawing.ProSLR, "k"}, {"minolta", "xd xe xk xm", drawing.BlackSLR, "ssk"}, {"minolta", "x-", drawing.BlackSLR, "kks"}, {"minolta", "dynax 7000 9000 5000 vectis", drawing.PlasticSLR, "k"},
	},
	mediumFormat: {
		{"hasselblad", "x1d x2d 907", drawing.Sculptured, "g"}, {"hasselblad", "h", drawing.BigSLR, "g"}, {"hasselblad", "swc 903 905 swa", drawing.Plain, "s"}, {"hasselblad", "", drawing.Plain, "sssk"},
		{"fujifilm", "gfx-50r gfx-100rf", drawing.FlatDigital, "kks"}, {"fujifilm", "gfx", drawing.EyeLevel, "k"}, {"fujifilm", "gx680", drawing.BellowsBox, "k"}, {"fujifilm", "gf6", drawing.Folder, "k"}, {"fujifilm fujica", "", drawing.BigRangefinder, "k"},
		{"mamiya", "7", drawing.BigRangefinder, "kkc"}, {"mamiya", "6 press universal", drawing.BigRangefinder, "k"}, {"mamiya", "rb67 rz67", drawing.BellowsBox, "k"}, {"mamiya", "c2 c3", drawing.TwinLens, "k"}, {"mamiya", "six", drawing.Folder, "s"}, {"mamiya", "zd", drawing.EyeLevel, "k"}, {"mamiya", "", drawing.PrismBox, "k"},
		{"pentax", "67 6x7", drawing.BigSLR, "k"}, {"pentax", "645z 645d", drawing.EyeLevel, "k"}, {"pentax contax", "", drawing.PrismBox, "k"}, {"bronica", "rf645", drawing.BigRangefinder, "k"}, {"bronica", "s2 ec", drawing.Plain, "s"}, {"bronica", "", drawing.PrismBox, "k"},
		{"pentacon exakta kiev", "6 six", drawing.BigSLR, "s"}, {"kiev salyut", "", drawing.Plain, "s"}, {"rollei", "rolleiflex-6 rolleiflex-s", drawing.Plain, "k"}, {"rollei", "", drawing.TwinLens, "ss"}, {"plaubel", "", drawing.Folder, "k"}, {"leica phase-one", "", drawing.EyeLevel, "k"},
		{"holga", "", drawing.ToyCamera, "kkkp"}, {"diana lomography", "f diana", drawing.ToyCamera, "p"}, {"lomography", "lubitel", drawing.TwinLens, "k"}, {"lomography", "", drawing.ToyCamera, "k"}, {"yashica minolta lubitel seagull ricoh", "", drawing.TwinLens, "k"}, {"zeiss-ikon", "ikoflex", drawing.TwinLens, "k"}, {"voigtlander", "brillant", drawing.TwinLens, "k"},
		{"kodak agfa", "brownie clack", drawing.BoxCamera, "k"}, {"graflex", "", drawing.BigRangefinder, "k"}, {"linhof horseman brooks", "", drawing.BigRangefinder, "k"}, {"seagull", "203", drawing.Folder, "s"}, {"zeiss-ikon voigtlander agfa kodak iskra moskva", "", drawing.Folder, "s"},
	},
	largeFormat: {
		{"graflex busch burke-james mpp horseman toyo", "", drawing.PressCamera, "k"}, {"sinar cambo arca-swiss calumet", "", drawing.Monorail, "k"}, {"linhof", "", drawing.PressCamera, "s"},
	},
	compact: {
		{"fujifilm", "x100 x-half", drawing.PrimeLens, "ssk"}, {"leica", "q", drawing.FullFrame, "kkks"}, {"leica", "x", drawing.PrimeLens, "ks"}, {"leica", "d-lux", drawing.DialCompact, "kks"}, {"sony", "rx1r rx1-", drawing.FullFrame, "k"}, {"sony", "rx10- rx10", drawing.Bridge, "k"}, {"sony", "rx cyber-shot-dsc-rx1", drawing.Slim, "k"},
		{"ricoh", "gr1 gr21 gr10", drawing.MetalCompact, "kks"}, {"ricoh", "gr", drawing.Slim, "k"}, {"sigma", "dp", drawing.FullFrame, "k"}, {"nikon", "coolpix-a-", drawing.Slim, "k"}, {"nikon", "coolpix-a", drawing.Slim, "ks"}, {"fujifilm", "x70 xf10", drawing.Slim, "ks"}, {"nikon", "coolpix-p9 coolpix-p10 coolpix-b coolpix-l", drawing.Bridge, "k"},
		{"canon", "powershot-sx powershot-g3-x", drawing.Bridge, "k"}, {"canon", "powershot-g powershot-v1", drawing.DialCompact, "k"}, {"canon", "powershot-s", drawing.Slim, "ks"}, {"panasonic", "lumix-dc-fz lumix-dmc-fz", drawing.Bridge, "k"}, {"panasonic", "lumix-dmc-lx lumix-dc-lx", drawing.DialCompact, "kks"}, {"olympus", "stylus-1 xz", drawing.DialCompact, "k"},
		{"olympus", "mju xa", drawing.Clamshell, "kkc"}, {"olympus", "trip-35 pen", drawing.SeleniumRing, "s"}, {"canon", "demi dial", drawing.SeleniumRing, "s"}, {"ricoh", "auto-half", drawing.SeleniumRing, "s"}, {"contax", "t2 t3 tvs tix", drawing.MetalCompact, "c"}, {"nikon", "28ti 35ti", drawing.MetalCompact, "c"}, {"minolta", "tc-1", drawing.MetalCompact, "c"}, {"leica", "minilux cm", drawing.MetalCompact, "c"}, {"konica", "hexar", drawing.MetalCompact, "ks"}, {"fujifilm", "klasse natura", drawing.MetalCompact, "ks"},
		{"rollei", "35 b35 c35", drawing.TinyMetal, "ssk"}, {"minox", "35", drawing.TinyMetal, "k"}, {"minox", "", drawing.Subminiature, "s"}, {"lomography", "lc", drawing.Clamshell, "k"}, {"lomography kodak harman ilford dubblefilm", "simple m35 ultra ektar ez sprocket fisheye", drawing.PlasticToy, "pkr"},
		{"werra robot agfa kodak argus", "", drawing.SeleniumRing, "s"}, {"widelux horizon", "", drawing.MetalCompact, "k"},
	},
	instant: {
		{"polaroid", "sx-70 slr-680 690", drawing.FoldingSLR, "s"}, {"mint", "slr", drawing.FoldingSLR, "s"}, {"polaroid", "land-camera 600se 110b", drawing.PackFilm, "s"}, {"fujifilm", "fp-1", drawing.PackFilm, "k"}, {"mint", "instantkon", drawing.PackFilm, "k"}, {"fujifilm leica lomography", "", drawing.RoundInstant, "ppwk"}, {"kodak canon", "", drawing.RoundInstant, "pw"},
	},
	actionCam: {{"dji", "osmo-pocket", drawing.PocketGimbal, "k"}, {"insta360", "x one-x", drawing.StickCamera, "k"}, {"insta360", "", drawing.Plain, "k"}, {"ricoh", "theta", drawing.StickCamera, "kw"}},
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
func shapeOf(g *catalog.Gear) drawing.Shape {
	if l := lookOf(g); l != nil {
		return l.shape
	}
	switch {
	case g.Category == filmSLR && g.Year >= 1986:
		return drawing.PlasticSLR
	case g.Category == filmSLR && g.Year >= 1976:
		return drawing.BlackSLR
	case g.Category == mediumFormat && isFilm(g) && g.Mount == "":
		return drawing.Folder
	case g.Category == mediumFormat && !isFilm(g):
		return drawing.EyeLevel
	case g.Category == compact && isFilm(g) && g.Year != 0 && g.Year < 1976:
		return drawing.SeleniumRing
	case g.Category == compact && isFilm(g):
		return drawing.FilmZoom
	}
	return drawing.Plain
}

// coloursOf returns the finishes that a model was sold in, the usual ones more often.
func coloursOf(g *catalog.Gear) []drawing.Colour {
	letters := "k"
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
	colours := make([]drawing.Colour, len(letters))
	for i := range letters {
		colours[i] = drawing.Colour(letters[i : i+1])
	}
	return colours
}

// lensColours returns the letters of the finishes of a lens.
func lensColours(g *catalog.Gear) string {
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
