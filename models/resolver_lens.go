package models

import (
	"math"
	"slices"
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
	letters    map[string]bool // the words of the name besides focal length and aperture
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
	for _, w := range withoutOptics(g, r.words(g.Model)) {
		switch {
		case isGeneration(w):
			entry.generation = w
		case r.brands[w] == "":
			entry.letters[w] = true
			x.letters[w] = true
		}
	}
	f := focal{g.FocalMin, g.FocalMax}
	x.byFocal[f] = append(x.byFocal[f], entry)
}

// has tells whether some lens has these focal lengths.
func (x *lensIndex) has(from, to string) bool {
	a, err := strconv.ParseFloat(from, 64)
	b, err2 := strconv.ParseFloat(to, 64)
	return err == nil && err2 == nil && x.byFocal[focal{a, b}] != nil
}

// lens finds the lens that a title without a body offers, and the words of its
// name. The Resolution has no Reason when the title does not say a focal length.
func (r *Resolver) lens(t *title) (Resolution, map[string]bool) {
	if t.focalEnd < 0 || t.belongsToBody(t.focalEnd) {
		return Resolution{}, nil
	}
	var best lensEntry
	least, ties := math.MaxInt, 0
	said, fit := r.lenses.candidates(t)
	for _, e := range fit {
		missing := len(e.letters)
		for _, w := range said {
			if e.letters[w] {
				missing--
			}
		}
		switch {
		case missing < least:
			best, least, ties = e, missing, 1
		case missing == least:
			ties++
		}
	}
	switch {
	case best.gear == nil:
		return Resolution{Reason: ReasonUnknown}, nil
	case ties > 1:
		return Resolution{Reason: ReasonAmbiguous}, nil
	}
	confidence := 0.95 - 0.07*float64(least)
	if least > 0 && len(fit) > 1 {
		confidence -= 0.15 // others fit too, and say more that the title does not
	}
	return Resolution{best.gear, max(0.5, confidence), ReasonLens}, best.letters
}

// candidates are the lenses that nothing in a title speaks against, and the
// words it has of lenses' names.
func (x *lensIndex) candidates(t *title) (said []string, fit []lensEntry) {
	said, generation := t.lensLetters()
	apertures := t.apertures(t.focalEnd)
	for _, e := range x.byFocal[t.focal] {
		opens := func(n float64) bool { return math.Abs(e.gear.Aperture-n) < 0.06 }
		if e.generation == generation && t.allowsLensBrand(e.gear) &&
			(len(apertures) == 0 || e.gear.Aperture == 0 || slices.ContainsFunc(apertures, opens)) {
			fit = append(fit, e)
		}
	}
	for _, soft := range [...]bool{false, true} {
		for _, w := range said {
			if soft != (softLetters[w] || fillers[w]) {
				continue
			}
			with := slices.DeleteFunc(slices.Clone(fit), func(e lensEntry) bool { return !e.letters[w] })
			if len(with) > 0 || !soft {
				fit = with
			}
		}
	}
	return said, fit
}

// readFocal is the first focal length of a title that is for sale, and the word
// it ends at; −1 when there is none.
func (t *title) readFocal() (at int, f focal) {
	for i := 0; i < t.offered; i++ {
		mm, ok := strings.CutSuffix(t.words[i].text, "mm")
		ok = ok || t.isBarePrime(i) || i > 0 && t.isBareZoom(i-1)
		if !ok || !isNumber(mm) || t.isFilm(i) {
			continue
		}
		f.max, _ = strconv.ParseFloat(mm, 64)
		f.min = f.max
		if i > 0 && (t.isZoom(i-1) || t.isBareZoom(i-1)) {
			f.min, _ = strconv.ParseFloat(t.words[i-1].text, 64)
		}
		return i, f
	}
	return -1, f
}

// isBareZoom tells whether two numbers without "mm" are the focal lengths of a
// zoom that exists: "70-200 f2.8".
func (t *title) isBareZoom(i int) bool {
	if !isNumber(t.text(i)) || !isNumber(t.text(i+1)) || len(t.text(i+1)) < 2 || t.text(i) == t.text(i+1) {
		return false
	}
	return t.r.lenses.has(t.text(i), t.text(i+1))
}

// isBarePrime tells whether a number without "mm" is a focal length by the
// aperture behind it: "50 1.8".
func (t *title) isBarePrime(i int) bool {
	return isNumber(t.text(i)) && stops[t.text(i+1)] && !countWords[t.text(i+2)] && t.r.lenses.has(t.text(i), t.text(i))
}

// stops are f-numbers that are hardly anything else.
var stops = wordSet("0.95 1.1 1.2 1.4 1.5 1.7 1.8 1.9 2.2 2.4 2.5 2.8 3.5 4.5 5.6 6.3")

func aperturelike(w string) bool {
	n, err := strconv.ParseFloat(w, 64)
	return err == nil && strings.Contains(w, ".") && n >= 0.7 && n < 12
}

// apertures are what the f-number beside the focal length at a word can be; none
// is said when there are none. Points may have been lost: "f1 8", "f 2 8"; of
// "f 4 5 6", which is f/4-5.6 or f/4.5-6, both.
func (t *title) apertures(at int) []float64 {
	for _, i := range [...]int{at + 1, at + 2, at - 1, at - 2} {
		if i < 0 || i >= len(t.words) {
			continue
		}
		w := t.words[i].text
		if w == "f" && i == at+1 && i+1 < len(t.words) {
			i++
			w = t.words[i].text
		}
		n, err := strconv.ParseFloat(strings.TrimPrefix(w, "f"), 64)
		switch {
		case err != nil, !isFNumber(w) && i < at, !isFNumber(w) && !aperturelike(w) && len(w) > 1:
			continue
		case strings.Contains(w, "."):
			return []float64{n}
		case i+1 == len(t.words) || lostDecimal(t.words[i+1].text) == 0:
			if isFNumber(w) {
				return []float64{n}
			}
			continue
		case i+2 < len(t.words) && lostDecimal(t.words[i+2].text) > 0 && (i+3 == len(t.words) || lostDecimal(t.words[i+3].text) == 0):
			return []float64{n + lostDecimal(t.words[i+1].text), n}
		}
		return []float64{n + lostDecimal(t.words[i+1].text)}
	}
	return nil
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

// lensLetters are the words of a title that lenses have in their names, each
// once.
func (t *title) lensLetters() (said []string, generation string) {
	for _, w := range t.words[:t.offered] {
		switch {
		case isGeneration(w.text):
			generation = w.text
		case t.r.lenses.letters[w.text] && !w.quantity && !slices.Contains(said, w.text):
			said = append(said, w.text)
		}
	}
	return said, generation
}

// belongsToBody tells whether the focal length at a word is that of a lens that
// comes with a body which the catalogue does not have.
func (t *title) belongsToBody(at int) bool {
	named := false // something stands before it that is no word of a lens
	for i, w := range t.words[:at] {
		if named && (withWords[w.text] || w.text == "kit") {
			return true
		}
		named = named || w.brand == "" && !w.filler && !w.quantity && !t.r.lenses.letters[w.text]
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
var softLetters = wordSet("art contemporary sports if telephoto auto standard for prime x m t mc")

var filmWords = wordSet("film slr camera cameras rangefinder format point compact")

var lensMakers = wordSet("sigma tamron tokina samyang rokinon zeiss helios laowa viltrox meike soligor vivitar")

// lensSeries are the letters that stand for a brand's lenses by themselves.
var lensSeries = map[string]string{
	"ef": "canon", "rf": "canon", "fd": "canon", "nd": "canon", "nikkor": "nikon", "fe": "sony", "gm": "sony", "sal": "sony",
	"xf": "fujifilm", "xc": "fujifilm", "zuiko": "olympus", "takumar": "pentax", "rokkor": "minolta",
}
