package demo

import (
	"hash/fnv"
	"math"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// estimate returns an anchor for gear that is not in anchors.csv, from its launch price,
// or without one from its kind, age, brand and optics. It is rare: sellers of well-known
// gear are in anchors.csv.
func estimate(g *catalog.Gear) anchor {
	luck := hashOf(g, 0xffff)
	a := anchor{slug: g.Slug(), launch: estimateLaunch(g), popularity: (0.2 + 0.8*luck) * abundance(g)}
	price := estimatePrice(g)
	if isFilm(g) || isVintage(g) && g.Category.Family() == models.FamilyLens {
		a.course = "steady"
	} else if launched := launchPrice(g); launched > 0 {
		price = launched
	}
	a.price = max(12, price*(0.85+0.3*luck))
	return a
}

// launchPrice returns the catalogue's launch price in euros, or 0. One in dollars is
// without tax, and about the same number.
func launchPrice(g *catalog.Gear) float64 { return g.Priced().LaunchPrice }

// hashOf returns a number from 0 to 1 that is fixed for a gear.
func hashOf(g *catalog.Gear, mask uint64) float64 {
	h := fnv.New64a()
	h.Write([]byte(g.Slug()))
	return float64(h.Sum64()&mask) / float64(mask)
}

// estimateLaunch returns a month of the catalogue's year, or of a likely one.
func estimateLaunch(g *catalog.Gear) time.Time {
	year := g.Year
	switch {
	case year != 0:
	case isFilm(g) || g.Category.Family() == models.FamilyLens && isVintage(g):
		year = 1965 + int(20*hashOf(g, 0xff0000))
	default:
		year = 2004 + int(12*hashOf(g, 0xff0000))
	}
	return time.Date(year, time.Month(1+11*hashOf(g, 0xff00000000)), 1, 0, 0, 0, 0, time.UTC)
}

// abundance returns how much there is of a kind of gear that is not in anchors.csv, in
// units of popularity.
func abundance(g *catalog.Gear) float64 {
	switch g.Category {
	case compact:
		if isFilm(g) {
			return 0.7
		}
		return 0.16
	case actionCam:
		return 0.3
	case largeFormat, mediumFormat:
		return 0.5
	default:
		return 1
	}
}

// brandFactors are price factors of brands; the default is 1.
var brandFactors = map[string]float64{
	"leica": 2.6, "hasselblad": 2.2, "alpa": 4, "phase-one": 2, "arri": 5, "zeiss": 1.5, "contax": 2, "rollei": 1.2, "linhof": 1.6, "angenieux": 3, "schneider-kreuznach": 1.3, "rodenstock": 1.4,
	"voigtlander": 1.15, "sigma": 0.62, "tamron": 0.55, "tokina": 0.42, "samyang": 0.36, "rokinon": 0.36, "yongnuo": 0.2, "7artisans": 0.2, "ttartisan": 0.2, "meike": 0.22, "viltrox": 0.32, "brightin-star": 0.22,
	"sirui": 0.4, "mitakon": 0.6, "irix": 0.5, "zenit": 0.6, "lzos": 0.6, "komz": 0.6, "fed": 0.6, "zorki": 0.6, "praktica": 0.55, "pentacon": 0.55, "kodak": 0.55, "vivitar": 0.5, "soligor": 0.4, "cosina": 0.45, "chinon": 0.5,
	"casio": 0.55, "samsung": 0.6, "aee": 0.3, "akaso": 0.3, "sjcam": 0.3, "fantec": 0.3, "hama": 0.3, "ge": 0.4, "hp": 0.35, "vtech": 0.2, "benq": 0.35, "agfaphoto": 0.35, "toshiba": 0.35, "polaroid": 0.7,
	"intova": 0.4, "coleman": 0.35, "bell-plus-howell": 0.3, "aiptek": 0.3, "sanyo": 0.5, "yi": 0.4, "gitup": 0.3,
}

// estimatePrice returns a price in euros: of gear that is steady the used one, of other
// gear that at launch.
func estimatePrice(g *catalog.Gear) float64 {
	if g.Mount == "Lens board" {
		return 120 + 0.6*g.FocalMin // whoever made it: the shutter and the image circle are what costs
	}
	price := cameraPrice(g)
	if g.Category.Family() == models.FamilyLens {
		price = lensPrice(g)
	}
	if factor, ok := brandFactors[g.BrandSlug]; ok {
		price *= factor
	}
	if g.Category.Family() == models.FamilyLens && !isVintage(g) {
		price = max(price, lensFloors[g.BrandSlug])
	}
	return price
}

// lensFloors are the prices at launch below which a brand sells no lens.
var lensFloors = map[string]float64{
	"leica": 1400, "hasselblad": 1200, "voigtlander": 480, "zeiss": 700, "laowa": 380, "7artisans": 75, "ttartisan": 80, "viltrox": 150, "phase-one": 2500, "contax": 350,
}

func cameraPrice(g *catalog.Gear) float64 {
	film := isFilm(g)
	switch {
	case g.Category == filmSLR && g.Year < 1960:
		return 130
	case g.Category == filmSLR && g.Year >= 1985:
		return 42
	case g.Category == filmSLR:
		return 68
	case g.Category == mediumFormat && film && g.Mount == "":
		return 170
	case g.Category == mediumFormat && film:
		return 420
	case g.Category == mediumFormat:
		return 5200
	case g.Category == largeFormat:
		return 480
	case g.Category == instant:
		return 75
	case g.Category == rangefinder && film && g.Mount == "":
		return 75
	case g.Category == rangefinder && film:
		return 210
	case g.Category == rangefinder:
		return 2500
	case g.Category == compact && film:
		return 62
	case g.Category == actionCam:
		return 300
	case g.Category == compact && g.Format != "" && slices.Contains([]string{"Full frame", "APS-C", "1.5-inch", "Four Thirds"}, g.Format):
		return 1000
	case g.Category == compact && g.Format == "1-inch":
		return 750
	case g.Category == compact:
		return 230
	case g.Category == dslr && g.Year < 2003:
		return 1100
	default:
		return 700
	}
}

// lensPrice returns the price of a lens without its brand's factor. Price follows glass:
// the entrance pupil of long lenses, the speed of all, and the angle of wide ones.
func lensPrice(g *catalog.Gear) float64 {
	if isVintage(g) {
		return vintagePrice(g)
	}
	long, crop := longAperture(g), 1.0
	switch g.Format {
	case "APS-C":
		crop = 1.5
	case "Micro Four Thirds", "Four Thirds":
		crop = 2
	case "1-inch":
		crop = 2.7
	}
	size := 1 / math.Sqrt(crop)
	wide := 450 * max(0, 35/(g.FocalMin*crop)-1) * math.Pow(2.8/long, 0.8)
	switch {
	case g.FocalMax > g.FocalMin*1.1: // a zoom
		speed := 950 * math.Pow(2.8/long, 2.6)
		return size * (60 + min(wide, 500) + speed + 0.5*math.Pow(pupil(g), 1.75))
	case g.Category == lensFisheye:
		return size * 650
	default:
		speed := 120 * math.Pow(1.8/max(long, 0.9), 2.2)
		return size * (60 + min(wide, 1200) + speed + 0.14*math.Pow(pupil(g), 2.15))
	}
}

// vintagePrice returns the used price of a lens for manual focus.
func vintagePrice(g *catalog.Gear) float64 {
	if g.FocalMax > g.FocalMin*1.1 {
		return 30 + 0.35*pupil(g)
	}
	wide := min(200*max(0, 35/max(g.FocalMin, 8)-1), 450) * 2.8 / max(g.Aperture, 1)
	fast := 340 * max(0, 1.7/max(g.Aperture, 0.9)-1)
	glass := 0.8 * math.Pow(max(0, pupil(g)-25), 1.35)
	if g.FocalMin > 20 && g.FocalMin < 41 && g.Aperture < 2.5 {
		fast += 90
	}
	return 38 + wide + fast + glass
}
