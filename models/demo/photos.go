package demo

import (
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// design holds everything a drawing depends on. It is encoded in the key of a
// photograph, so that the picture can be drawn from its name alone:
//
//	demo-mirrorless-1-2-a1b2c3d4-front
//	demo-lens-zoom-24t70f28-0-a1b2c3d4-glass
type design struct {
	category models.Category
	shape    int     // variant of the drawing within a category
	from, to float64 // focal range of a lens, millimetres
	aperture float64 // of a lens, f-number
	wear     int     // 0 (unused) to 6
	model    uint16  // seed for features of the model
	copy     uint16  // seed for features of the item: background, light, scratches
	view     string
}

var views = map[string][]string{
	models.FamilyCamera: {"front", "top", "back", "detail"},
	models.FamilyLens:   {"front", "glass", "mount", "detail"},
}

// photos returns one to four views of an item.
func (w *writer) photos(gear *models.Gear, l *models.Listing) []models.Photo {
	h := fnv.New32a()
	h.Write([]byte(gear.Slug()))
	d := design{
		category: gear.Category, shape: shapeOf(gear),
		from: gear.FocalMin, to: gear.FocalMax, aperture: gear.Aperture,
		wear:  models.ConditionNew.Rank() - l.Condition.Rank(),
		model: uint16(h.Sum32() ^ h.Sum32()>>16), copy: uint16(w.d.Uint32()),
	}
	if d.from == 0 {
		d.from, d.to = 50, 50
	}
	if d.aperture == 0 {
		d.aperture = 4
	}
	n := 1 + w.d.weighted([]float64{2, 3, 3, 2})
	photos := make([]models.Photo, n)
	for i, view := range views[gear.Category.Family()][:n] {
		d.view = view
		photos[i] = models.Photo{
			Key: d.key(), Alt: fmt.Sprintf(viewAlts[gear.Category.Family()+view], gear.Name()),
			Width: 1280, Height: 960,
		}
	}
	return photos
}

var viewAlts = map[string]string{
	"camerafront":  "Drawing of a %s from the front",
	"cameratop":    "Drawing of a %s from above",
	"cameraback":   "Drawing of the back of a %s",
	"cameradetail": "Drawing of a detail of a %s",
	"lensfront":    "Drawing of a %s standing upright",
	"lensglass":    "Drawing of the front glass of a %s",
	"lensmount":    "Drawing of the mount of a %s",
	"lensdetail":   "Drawing of the rings of a %s",
}

// key encodes the design; parseKey decodes it. The words of a category are joined by
// hyphens, as in the addresses of the photographs that were drawn first.
func (d design) key() string {
	build := strconv.Itoa(d.shape)
	if d.category.Family() == models.FamilyLens {
		build = focal(d.from)
		if d.to > d.from {
			build += "t" + focal(d.to)
		}
		build += "f" + strconv.Itoa(int(math.Round(d.aperture*10)))
	}
	return fmt.Sprintf("demo-%s-%s-%d-%04x%04x-%s", strings.ReplaceAll(string(d.category), "_", "-"), build, d.wear, d.model, d.copy, d.view)
}

// focal formats a focal length, rounded to at least one millimetre.
func focal(mm float64) string { return strconv.Itoa(max(1, int(math.Round(mm)))) }

var (
	keyPattern  = regexp.MustCompile(`^demo-([a-z-]+)-([0-9tf]+)-([0-6])-([0-9a-f]{4})([0-9a-f]{4})-([a-z]+)$`)
	lensPattern = regexp.MustCompile(`^([1-9]\d{0,3})(?:t([1-9]\d{0,3}))?f([1-9]\d{0,3})$`)
)

// parseKey decodes a key. It returns false if key would not produce it.
func parseKey(key string) (design, bool) {
	m := keyPattern.FindStringSubmatch(key)
	if m == nil {
		return design{}, false
	}
	d := design{category: models.Category(strings.ReplaceAll(m[1], "-", "_")), view: m[6]}
	if d.category.Family() == models.FamilyLens {
		f := lensPattern.FindStringSubmatch(m[2])
		if f == nil {
			return design{}, false
		}
		d.from, _ = strconv.ParseFloat(f[1], 64)
		d.to, _ = strconv.ParseFloat(f[2], 64)
		d.to = max(d.to, d.from)
		tenths, _ := strconv.Atoi(f[3])
		d.aperture = float64(tenths) / 10
	} else {
		shape, err := strconv.Atoi(m[2])
		if err != nil {
			return design{}, false
		}
		d.shape = shape
	}
	d.wear, _ = strconv.Atoi(m[3])
	model, _ := strconv.ParseUint(m[4], 16, 16)
	copied, _ := strconv.ParseUint(m[5], 16, 16)
	d.model, d.copy = uint16(model), uint16(copied)
	return d, d.category.Family() != "" && d.shape < shapes && d.key() == key && hasView(d)
}

func hasView(d design) bool {
	for _, view := range views[d.category.Family()] {
		if view == d.view {
			return true
		}
	}
	return false
}

// shapes is the number of variants in a category.
const shapes = 4

// shapeOf returns the variant that is most similar to the real camera.
func shapeOf(g *models.Gear) int {
	model := strings.ToLower(g.Model)
	starts := func(prefixes ...string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(model, p) {
				return true
			}
		}
		return false
	}
	switch g.Category {
	case "mirrorless":
		switch {
		case starts("x-t", "zf", "z f", "om-", "e-m", "om ", "x-h1"):
			return 1 // hump and dials
		case starts("x-e", "x-pro", "x-a", "x-m", "alpha 6", "alpha 5", "alpha 7c", "zv", "nex", "e-p", "pen", "eos m1", "eos m2", "eos m3", "eos m6", "dmc-gx", "dmc-gm", "dmc-gf", "dc-gx", "cl", "tl", "fp", "1 "):
			return 2 // flat top
		}
	case "dslr":
		switch {
		case starts("eos-1d", "eos 1d", "d1", "d2h", "d2x", "d3s", "d3x", "d4", "d5 ", "d6 ") || model == "d3" || model == "d4" || model == "d5" || model == "d6":
			return 2 // built-in grip
		case starts("eos 5d", "eos 6d", "eos 7d", "d7", "d8", "d5", "k-1", "k-3", "alpha 9"):
			return 1
		}
	case "film_slr":
		switch {
		case g.Year >= 1986 || starts("eos", "f4", "f5", "f6", "f100", "f80", "f90", "f801", "dynax"):
			return 2 // plastic and grip
		case g.Year >= 1976:
			return 1 // black
		}
	case "medium_format":
		switch {
		case starts("rolleiflex", "rolleicord", "c220", "c330", "mat", "yashica-mat", "autocord", "seagull"):
			return 1 // two lenses
		case starts("gfx", "645", "x1d", "x2d", "67", "s2", "s3", "7", "6", "ga645", "gw690"):
			return 2 // eye level
		}
	case "compact":
		switch {
		case isFilm(g):
			return 2
		case starts("x100", "q", "x1", "x2", "rx1r", "x70", "xf10", "gr", "dp", "coolpix a"):
			return 1 // fixed prime
		}
	case "instant":
		if starts("sx-70", "slr 680", "slr680") {
			return 1 // folding
		}
	}
	return 0
}
