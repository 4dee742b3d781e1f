package models

import (
	"math"
	"strconv"
	"strings"
)

// lensIndex finds lenses by focal length; letters ("usm", "vr", "macro") tell
// those of one focal length apart.
type lensIndex struct {
	byFocal map[focal][]lensEntry
	letters map[string]bool // every word that some lens has in its name
}

type focal struct{ min, max float64 }

type lensEntry struct {
	gear       *Gear
	letters    map[string]bool // the words of the name that are no figures
	generation string          // "mk2", or empty for the first
}

func newLensIndex() *lensIndex {
	return &lensIndex{byFocal: map[focal][]lensEntry{}, letters: map[string]bool{}}
}

func (x *lensIndex) add(g *Gear, r *Resolver) {
	if g.FocalMin == 0 {
		return
	}
	entry := lensEntry{gear: g, letters: map[string]bool{}}
	for _, w := range r.words(g.Model) {
		switch {
		case isGeneration(w):
			entry.generation = w
		case !isDigit(w[0]) && !isFNumber(w) && r.brands[w] == "":
			entry.letters[w] = true
			x.letters[w] = true
		}
	}
	f := focal{g.FocalMin, g.FocalMax}
	x.byFocal[f] = append(x.byFocal[f], entry)
}

// lens finds the lens that a title without a body offers. The Resolution has no
// Reason when the title does not say a focal length.
func (r *Resolver) lens(t *title) Resolution {
	at, f := t.focal()
	if at < 0 || t.belongsToBody(at) {
		return Resolution{}
	}
	aperture := t.aperture(at)
	said, generation := t.lensLetters()
	var best *Gear
	least, ties := math.MaxInt, 0
	for _, e := range r.lenses.candidates(t, f, aperture, generation, said) {
		missing := len(e.letters)
		for w := range said {
			if e.letters[w] {
				missing--
			}
		}
		switch {
		case missing < least:
			best, least, ties = e.gear, missing, 1
		case missing == least:
			ties++
		}
	}
	switch {
	case best == nil:
		return Resolution{Reason: ReasonUnknown}
	case ties > 1:
		return Resolution{Reason: ReasonAmbiguous}
	}
	return Resolution{best, max(0.5, 0.95-0.05*float64(least)), ReasonLens}
}

// candidates are the lenses that nothing in the title speaks against.
func (x *lensIndex) candidates(t *title, f focal, aperture float64, generation string, said map[string]bool) []lensEntry {
	var fit []lensEntry
	for _, e := range x.byFocal[f] {
		if e.generation == generation && t.allowsLensBrand(e.gear) &&
			(aperture == 0 || e.gear.Aperture == 0 || math.Abs(e.gear.Aperture-aperture) < 0.06) {
			fit = append(fit, e)
		}
	}
	for w := range said {
		var with []lensEntry
		for _, e := range fit {
			if e.letters[w] {
				with = append(with, e)
			}
		}
		if len(with) > 0 || !softLetters[w] {
			fit = with
		} else {
			delete(said, w)
		}
	}
	return fit
}

// focal is the first focal length of a title that is for sale, and the word it
// ends at; −1 when there is none.
func (t *title) focal() (at int, f focal) {
	for i := 0; i < t.offered; i++ {
		mm, ok := strings.CutSuffix(t.words[i].text, "mm")
		if !ok && i+1 < len(t.words) && isNumber(mm) && !strings.Contains(mm, ".") && aperturelike(t.words[i+1].text) {
			ok = true // "50 1.8"
		}
		if !ok || !isNumber(mm) || t.isFilm(i) {
			continue
		}
		f.max, _ = strconv.ParseFloat(mm, 64)
		f.min = f.max
		if i > 0 && isNumber(t.words[i-1].text) {
			if n, _ := strconv.ParseFloat(t.words[i-1].text, 64); n >= 4 && n < f.max {
				f.min = n
			}
		}
		return i, f
	}
	return -1, f
}

func aperturelike(w string) bool {
	n, err := strconv.ParseFloat(w, 64)
	return err == nil && strings.Contains(w, ".") && n >= 0.7 && n < 12
}

// aperture is the f-number beside the focal length at a word; 0 when none is
// said. Points may have been lost: "f1 8", "f 2 8", "1 4".
func (t *title) aperture(at int) float64 {
	for _, i := range [...]int{at + 1, at + 2, at - 1, at - 2} {
		if i < 0 || i >= len(t.words) {
			continue
		}
		w := t.words[i].text
		if isFNumber(w) || aperturelike(w) && i > at {
			n, _ := strconv.ParseFloat(strings.TrimPrefix(w, "f"), 64)
			if i+1 < len(t.words) && !strings.Contains(w, ".") && len(w) == 2 {
				n += lostDecimal(t.words[i+1].text)
			}
			return n
		}
		if i == at+1 && i+1 < len(t.words) && w == "f" {
			w = t.words[i+1].text
			i++
		}
		if i > at && len(w) == 1 && isDigit(w[0]) && i+1 < len(t.words) {
			return float64(w[0]-'0') + lostDecimal(t.words[i+1].text)
		}
	}
	return 0
}

// lostDecimal reads "8" and "8g" behind a lost point.
func lostDecimal(w string) float64 {
	if len(w) == 0 || len(w) > 2 || !isDigit(w[0]) || len(w) == 2 && isDigit(w[1]) {
		return 0
	}
	return float64(w[0]-'0') / 10
}

func isFNumber(w string) bool { return len(w) > 1 && w[0] == 'f' && isNumber(w[1:]) }

func isGeneration(w string) bool { return len(w) == 3 && strings.HasPrefix(w, "mk") && isDigit(w[2]) }

// lensLetters are the words of a title that lenses have in their names.
func (t *title) lensLetters() (said map[string]bool, generation string) {
	said = map[string]bool{}
	for _, w := range t.words[:t.offered] {
		switch {
		case isGeneration(w.text):
			generation = w.text
		case t.r.lenses.letters[w.text] && !fillers[w.text] && w.brand == "":
			said[w.text] = true
		}
	}
	return said, generation
}

// belongsToBody tells whether the focal length at a word is that of a lens that
// comes with a body which the catalogue does not have.
func (t *title) belongsToBody(at int) bool {
	for i, w := range t.words[:at] {
		if withWords[w.text] || w.text == "kit" {
			return true
		}
		if !lensMakers[w.brand] && w.series == nil && w.brand == "" && !w.quantity && !w.filler && mixed(w.text) && !t.counts(i) && !t.r.lenses.letters[w.text] {
			return true
		}
	}
	return false
}

func (t *title) allowsLensBrand(g *Gear) bool {
	for brand := range t.brands {
		if kin(brand) == kin(g.BrandSlug) {
			return true
		}
	}
	if len(t.brands) > 0 {
		return false
	}
	for _, w := range t.words {
		if lensSeries[w.text] == g.BrandSlug {
			return true
		}
	}
	return false
}

// softLetters are words in the names of lenses that people add, leave out or
// use for praise; one that no lens of that focal length has says nothing.
var softLetters = wordSet("lens zoom art contemporary sports ed if asph aspherical pro super telephoto af mf auto macro mc new the standard for a prime e f l t m")

var filmWords = wordSet("film slr camera cameras rangefinder format point compact")

var lensMakers = wordSet("sigma tamron tokina samyang rokinon zeiss helios laowa viltrox meike soligor vivitar")

// lensSeries are the letters that stand for a brand's lenses by themselves.
var lensSeries = map[string]string{
	"ef": "canon", "rf": "canon", "fd": "canon", "nd": "canon", "nikkor": "nikon", "fe": "sony", "gm": "sony", "sal": "sony",
	"xf": "fujifilm", "xc": "fujifilm", "zuiko": "olympus", "takumar": "pentax", "rokkor": "minolta",
}
