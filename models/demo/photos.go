package demo

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo/drawing"
)

// photos returns one to four views of an item.
func (w *writer) photos(gear *catalog.Gear, l *models.Listing) []models.Photo {
	h := fnv.New32a()
	h.Write([]byte(gear.Slug()))
	d := drawing.Design{
		Category: gear.Category, Shape: shapeOf(gear), Colour: pick(w.d, coloursOf(gear)),
		From: gear.FocalMin, To: gear.FocalMax, Aperture: gear.Aperture,
		Wear:  models.ConditionNew.Rank() - l.Condition.Rank(),
		Model: uint16(h.Sum32() ^ h.Sum32()>>16), Copy: uint16(w.d.Uint32()),
	}
	if d.From == 0 {
		d.From, d.To = 50, 50
	}
	if d.Aperture == 0 {
		d.Aperture = 4
	}
	n := 1 + w.d.weighted([]float64{2, 3, 3, 2})
	photos := make([]models.Photo, n)
	for i, shown := range d.Views(n) {
		photos[i] = models.Photo{
			Key: shown.Key(), Alt: fmt.Sprintf(viewAlts[gear.Category.Family()+shown.View], withArticle(gear.Name())),
			Width: 1280, Height: 960,
		}
	}
	return photos
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

// glance is what one sees of a picture at a glance.
type glance struct {
	of    string // a model, or a family of categories
	view  string
	scene int
}

// separate changes the scenes of listings, which are sorted by publication, where two that are for
// sale would look alike: two of one model, and those near each other among all or in a category.
func separate(listings []models.Listing) {
	shown, last := map[glance]bool{}, map[models.Category][]glance{}
	for i := range listings {
		l := &listings[i]
		if l.Status != models.StatusActive || len(l.Photos) == 0 {
			continue
		}
		first, _ := drawing.ParseKey(l.Photos[0].Key)
		ofModel, ofFamily := glance{l.Gear, first.View, 0}, glance{l.Category.Family(), first.View, 0}
		for range drawing.Scenes {
			ofModel.scene, ofFamily.scene = first.Scene(), first.Scene()
			if !shown[ofModel] && !slices.Contains(last[""], ofFamily) && !slices.Contains(last[l.Category], ofFamily) {
				break
			}
			first = first.NextScene()
		}
		shown[ofModel] = true
		for _, list := range []models.Category{"", l.Category} {
			last[list] = append(last[list][max(0, len(last[list])-3):], ofFamily)
		}
		for j := range l.Photos {
			d, _ := drawing.ParseKey(l.Photos[j].Key)
			d.Copy = first.Copy
			l.Photos[j].Key = d.Key()
		}
	}
}
