package catalog

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// lensIndex finds lenses by focal length. Words such as "usm", "vr" and "macro"
// distinguish lenses with the same focal length.
type lensIndex struct {
	byFocal map[focal][]lensEntry
	letters map[string]bool // words in the names of lenses
}

type focal struct{ min, max float64 }

type lensEntry struct {
	gear       *Gear
	letters    map[string]bool // words of the name other than focal length and aperture
	generation string          // "mk2", or "" for the first
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

// has reports whether a lens has these focal lengths.
func (x *lensIndex) has(from, to string) bool {
	a, err := strconv.ParseFloat(from, 64)
	b, err2 := strconv.ParseFloat(to, 64)
	return err == nil && err2 == nil && x.byFocal[focal{a, b}] != nil
}

// lens returns the lens offered by a title without a body, and the words of its
// name. The Resolution has no Reason if the title has no focal length.
func (r *Resolver) lens(t *title) (Resolution, map[string]bool) {
	if t.focalEnd < 0 || t.belongsToBody(t.focalEnd) {
		return Resolution{}, nil
	}
	var best lensEntry
	least, ties := math.MaxInt, 0
	mentioned, fit := r.lenses.candidates(t)
	for _, e := range fit {
		missing := 0
		for w := range e.letters {
			if !slices.Contains(mentioned, w) && !t.isMountLetter(w) {
				missing++
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
		confidence -= 0.15 // other lenses with more words are compatible, too
	}
	if len(fit) == 1 && len(t.apertures(t.focalEnd)) > 0 {
		confidence = max(confidence, 0.82) // no other of the brand has both numbers
	}
	if t.foreign {
		confidence -= 0.3 // a word in another script may be its name
	}
	return Resolution{best.gear, max(0.5, confidence), ReasonLens}, best.letters
}

// candidates returns the lenses compatible with a title, and the words in it
// that occur in lens names.
func (x *lensIndex) candidates(t *title) (mentioned []string, fit []lensEntry) {
	mentioned, generation := t.lensLetters()
	hard := func(w string) bool { return !optionalLensWords[w] && !fillers[w] && !t.isMountLetter(w) }
	apertures := t.apertures(t.focalEnd)
	for _, e := range x.byFocal[t.focal] {
		opens := func(n float64) bool { return math.Abs(e.gear.Aperture-n) < 0.06 }
		if e.generation == generation && t.allowsLensBrand(e.gear) &&
			(len(apertures) == 0 || e.gear.Aperture == 0 || slices.ContainsFunc(apertures, opens)) {
			fit = append(fit, e)
		}
	}
	if len(t.mounts) > 0 {
		if with := slices.DeleteFunc(slices.Clone(fit), func(e lensEntry) bool { return !t.fitsMounts(e.gear) }); len(with) > 0 {
			fit = with
		}
	}
	for _, soft := range [...]bool{false, true} {
		for _, w := range mentioned {
			if soft == hard(w) {
				continue
			}
			with := slices.DeleteFunc(slices.Clone(fit), func(e lensEntry) bool { return !e.letters[w] })
			if len(with) > 0 || !soft {
				fit = with
			}
		}
	}
	return mentioned, fit
}

// readFocal returns the first focal length offered by a title and the index of
// its last word, or −1 if there is none.
func (t *title) readFocal() (at int, f focal) {
	for i := 0; i < t.offered; i++ {
		mm, ok := strings.CutSuffix(t.words[i].text, "mm")
		ok = ok || t.isBarePrime(i) || i > 0 && t.isBareZoom(i-1)
		if !ok || !models.IsNumber(mm) || t.isFilm(i) {
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

// isBareZoom reports whether two numbers without "mm" are the focal lengths of
// an existing zoom: "70-200 f2.8".
func (t *title) isBareZoom(i int) bool {
	if !models.IsNumber(t.text(i)) || !models.IsNumber(t.text(i+1)) || len(t.text(i+1)) < 2 || t.text(i) == t.text(i+1) {
		return false
	}
	return t.r.lenses.has(t.text(i), t.text(i+1))
}

// isBarePrime reports whether a number without "mm" is a focal length followed
// by an aperture: "50 1.8".
func (t *title) isBarePrime(i int) bool {
	next := t.text(i + 1)
	return models.IsNumber(t.text(i)) && (commonFNumbers[next] || isFNumber(next)) && !countWords[t.text(i+2)] && t.r.lenses.has(t.text(i), t.text(i))
}

// markAperture marks an f-number or T-number at a word as a quantity: "70-200 f4" is no Nikon F4.
func (t *title) markAperture(i int) {
	if w := t.text(i); isFNumber(w) || isTNumber(w) {
		t.words[i].quantity = true
	}
}

// commonFNumbers are numbers that are almost always f-numbers.
var commonFNumbers = models.WordSet("0.95 1.1 1.2 1.4 1.5 1.7 1.8 1.9 2.2 2.4 2.5 2.8 3.5 4.5 5.6 6.3")

func looksLikeAperture(w string) bool {
	n, err := strconv.ParseFloat(w, 64)
	return err == nil && strings.Contains(w, ".") && n >= 0.7 && n < 12
}

// apertures returns the possible f-numbers next to the focal length at a word,
// or nil. Decimal points may be missing: "f1 8", "f 2 8". For "f 4 5 6" it
// returns both readings, f/4-5.6 and f/4.5-6.
func (t *title) apertures(at int) []float64 {
	if w := t.text(at + 1); isTNumber(w) {
		n, _ := strconv.ParseFloat(w[1:], 64)
		return []float64{n}
	}
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
		case err != nil, !isFNumber(w) && i < at, !isFNumber(w) && !looksLikeAperture(w) && len(w) > 1:
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

// lostDecimal parses "8" or "8g" as the digit after a missing decimal point.
func lostDecimal(w string) float64 {
	if len(w) == 0 || len(w) > 2 || !models.IsDigit(w[0]) || len(w) == 2 && models.IsDigit(w[1]) {
		return 0
	}
	return float64(w[0]-'0') / 10
}

func isFNumber(w string) bool { return len(w) > 1 && w[0] == 'f' && models.IsNumber(w[1:]) }

func isGeneration(w string) bool {
	return len(w) == 3 && strings.HasPrefix(w, "mk") && models.IsDigit(w[2])
}

// lensLetters returns the distinct words of a title that occur in lens names,
// and the generation.
func (t *title) lensLetters() (mentioned []string, generation string) {
	for _, w := range t.words[:t.offered] {
		switch {
		case isGeneration(w.text):
			generation = w.text
		case t.r.lenses.letters[w.text] && (!w.quantity || w.mount) && !slices.Contains(mentioned, w.text):
			mentioned = append(mentioned, w.text)
		}
	}
	return mentioned, generation
}

// belongsToBody reports whether the focal length at a word is that of a lens
// sold with a body that is not in the catalogue.
func (t *title) belongsToBody(at int) bool {
	named := false // a word before it does not occur in lens names
	for i, w := range t.words[:at] {
		if named && (withWords[w.text] || w.text == "kit") {
			return true
		}
		named = named || w.brand == "" && !w.filler && !w.quantity && !t.r.lenses.letters[w.text]
		if !lensMakers[w.brand] && w.series == nil && w.brand == "" && !w.quantity && !w.filler && mixed(w.text) && !t.startsQuantity(i) && !t.r.lenses.letters[w.text] {
			return true
		}
	}
	return false
}

func (t *title) allowsLensBrand(g *Gear) bool {
	for brand := range t.brands {
		if canonicalBrand(brand) == canonicalBrand(g.BrandSlug) {
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

// optionalLensWords are words in lens names that people add, omit or use as
// praise. One that matches no lens of the focal length is ignored.
var optionalLensWords = models.WordSet("art contemporary sports if telephoto auto standard for prime x m t mc")

var filmWords = models.WordSet("film slr camera cameras rangefinder format point compact")

var lensMakers = models.WordSet("sigma tamron tokina samyang rokinon zeiss helios laowa viltrox meike soligor vivitar")

// lensSeries maps lens series to brands.
var lensSeries = map[string]string{
	"ef": "canon", "rf": "canon", "fd": "canon", "nd": "canon", "nikkor": "nikon", "fe": "sony", "gm": "sony", "sal": "sony",
	"xf": "fujifilm", "xc": "fujifilm", "zuiko": "olympus", "takumar": "pentax", "rokkor": "minolta",
}
