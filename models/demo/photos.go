package demo

import (
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// design holds everything a drawing depends on. It is encoded in the key of a
// photograph, so that the picture can be drawn from its name alone:
//
//	demo-mirrorless-1k-2-a1b2c3d4-front
//	demo-lens-zoom-24t70f28k-0-a1b2c3d4-glass
//
// Keys of earlier versions have no colour; the seeds choose it.
type design struct {
	category models.Category
	shape    int     // variant of the drawing within a category
	colour   colour  // of the body
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
func (w *writer) photos(gear *catalog.Gear, l *models.Listing) []models.Photo {
	h := fnv.New32a()
	h.Write([]byte(gear.Slug()))
	d := design{
		category: gear.Category, shape: shapeOf(gear), colour: pick(w.d, coloursOf(gear)),
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
	for i, view := range shownViews(gear.Category.Family(), d.copy, n) {
		d.view = view
		photos[i] = models.Photo{
			Key: d.key(), Alt: fmt.Sprintf(viewAlts[gear.Category.Family()+view], withArticle(gear.Name())),
			Width: 1280, Height: 960,
		}
	}
	return photos
}

// shownViews returns n views of an item, whose copy is a seed. One of two items is shown from the
// front first, so that neighbours in a list look different.
func shownViews(family string, copy uint16, n int) []string {
	lead := leads[int(copy)%len(leads)]
	shown := []string{views[family][lead]}
	for i, view := range views[family] {
		if i != lead {
			shown = append(shown, view)
		}
	}
	return shown[:n]
}

// withArticle returns a name with "a" or "an" before it.
func withArticle(name string) string {
	if strings.ContainsAny(name[:1], "AEIO") {
		return "an " + name
	}
	return "a " + name
}

var viewAlts = map[string]string{
	"camerafront":  "Drawing of %s from the front",
	"cameratop":    "Drawing of %s from above",
	"cameraback":   "Drawing of the back of %s",
	"cameradetail": "Drawing of a detail of %s",
	"lensfront":    "Drawing of %s from the side",
	"lensglass":    "Drawing of the front glass of %s",
	"lensmount":    "Drawing of the mount of %s",
	"lensdetail":   "Drawing of the rings of %s",
}

// key encodes the design; parseKey decodes it.
func (d design) key() string {
	build := strconv.Itoa(d.shape)
	if d.category.Family() == models.FamilyLens {
		build = focal(d.from)
		if d.to > d.from {
			build += "t" + focal(d.to)
		}
		build += "f" + strconv.Itoa(int(math.Round(d.aperture*10)))
	}
	return fmt.Sprintf("demo-%s-%s%s-%d-%04x%04x-%s", keyWord(d.category), build, d.colour, d.wear, d.model, d.copy, d.view)
}

// keyWord returns a category as keys spell it: with hyphens.
func keyWord(c models.Category) string { return strings.ReplaceAll(string(c), "_", "-") }

// focal formats a focal length, rounded to at least one millimetre.
func focal(mm float64) string { return strconv.Itoa(max(1, int(math.Round(mm)))) }

var (
	keyPattern  = regexp.MustCompile(`^demo-([a-z-]+)-([0-9tf]+)([a-z]?)-([0-6])-([0-9a-f]{4})([0-9a-f]{4})-([a-z]+)$`)
	lensPattern = regexp.MustCompile(`^([1-9]\d{0,3})(?:t([1-9]\d{0,3}))?f([1-9]\d{0,3})$`)
)

// parseKey decodes a key. It returns false if key would not produce it.
func parseKey(key string) (design, bool) {
	m := keyPattern.FindStringSubmatch(key)
	if m == nil {
		return design{}, false
	}
	d := design{colour: colour(m[3]), view: m[7]}
	for _, c := range models.Categories {
		if keyWord(c) == m[1] {
			d.category = c
		}
	}
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
	d.wear, _ = strconv.Atoi(m[4])
	model, _ := strconv.ParseUint(m[5], 16, 16)
	copied, _ := strconv.ParseUint(m[6], 16, 16)
	d.model, d.copy = uint16(model), uint16(copied)
	return d, d.category.Family() != "" && d.shape < shapes && d.colour.valid() && d.key() == key && hasView(d)
}

func hasView(d design) bool {
	for _, view := range views[d.category.Family()] {
		if view == d.view {
			return true
		}
	}
	return false
}
