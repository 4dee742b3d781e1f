package catalog

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// variableAperture matches the apertures of a zoom: "f/4-5.6".
var variableAperture = regexp.MustCompile(`f/[0-9.]+-[0-9]`)

// named reports whether a title mentions a word of the name of a lens.
func (e *lensEntry) named(mentioned []string) bool {
	return slices.ContainsFunc(mentioned, func(w string) bool { return !fillers[w] && (e.letters.has(w) || e.also.has(w)) })
}

// has reports whether a word occurs in the name of a lens, or "tilt" and "shift" are meant by its
// letters.
func (e *lensEntry) has(w string) bool {
	switch {
	case e.letters.has(w) || e.also.has(w):
		return true
	case w == "tilt" || w == "shift":
		return e.letters.has("ts") || e.letters.has("t") && e.letters.has("s")
	}
	return w == "macro" && (e.gear.Category == "lens_macro" || e.gear.FocalMin < e.gear.FocalMax)
}

// stabilized reports whether a title that names other features of a lens omits its stabilizer: it
// may be the version without.
func (e *lensEntry) stabilized(mentioned []string) bool {
	return slices.ContainsFunc(mentioned, func(w string) bool { return lensFeatures[w] }) &&
		slices.ContainsFunc(stabilizers, func(w string) bool { return e.letters.has(w) && !slices.Contains(mentioned, w) })
}

var (
	lensFeatures = models.WordSet("ex dg usm stm hsm ed swd ssm usd pzd")
	stabilizers  = []string{"is", "vr", "os", "vc", "oss", "ois"}
)

// otherZoom reports whether the focal length is the long end of a zoom that is not in the
// catalogue: "17-300mm".
func (t *title) otherZoom() bool {
	mm := formatNumber(t.focal.max)
	for rest := t.raw; ; {
		i := strings.Index(rest, mm)
		if i < 0 || mm == "" {
			return false
		}
		if i > 1 && rest[i-1] == '-' && models.IsDigit(rest[i-2]) && strings.HasPrefix(strings.TrimLeft(rest[i+len(mm):], " "), "mm") {
			start := i - 2
			for start > 0 && models.IsDigit(rest[start-1]) {
				start--
			}
			low, _ := strconv.ParseFloat(rest[start:i-1], 64)
			return low >= 6 && low < t.focal.max && (start == 0 || !isLetterByte(rest[start-1]) && rest[start-1] != '-')
		}
		rest = rest[i+len(mm):]
	}
}

// secondAperture returns the second of two f-numbers that follow the focal length, those of a zoom, or
// "". A word may precede them: "14-42mm EZ 3.5-5.6".
func (t *title) secondAperture() string {
	i := t.focalEnd + 1
	if w := t.text(i); w != "" && !isFNumber(w) && !models.IsDigit(w[0]) {
		i++
	}
	a, b := strings.TrimPrefix(t.text(i), "f"), t.text(i+1)
	if models.IsNumber(a) && (commonFNumbers[b] || len(b) == 1 && models.IsDigit(b[0])) {
		return b
	}
	return ""
}

// lens returns the lens offered by a title without a body, and the words of its
// name. The Resolution has no Reason if the title has no focal length.
func (r *Resolver) lens(t *title) (Resolution, wordList) {
	if t.focalEnd < 0 || t.belongsToBody(t.focalEnd) {
		return Resolution{}, nil
	}
	if t.focal.min == t.focal.max && t.otherZoom() {
		return Resolution{Reason: ReasonUnknown}, nil
	}
	if secondLens(t) {
		return Resolution{Reason: ReasonSeveral}, nil
	}
	var best lensEntry
	least, ties := math.MaxInt, 0
	mentioned, fit := r.lenses.candidates(t)
	ranged, aperture := t.secondAperture() != "", len(t.apertures(t.focalEnd)) > 0
	for _, e := range fit {
		missing := e.missing(t)
		if e.variable && !ranged && aperture {
			missing++ // "70-210mm f/4" is less likely one of f/4-5.6
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
	case ties > 1, !aperture && !best.named(mentioned) && (len(fit) > 1 || r.lenses.several(best.gear)):
		return Resolution{Reason: ReasonAmbiguous}, nil
	}
	confidence := 0.95 - 0.07*float64(least)
	if least > 0 && len(fit) > 1 {
		confidence -= 0.15 // other lenses with more words are compatible, too
	}
	if len(fit) == 1 && (aperture || t.focal.min < t.focal.max) && (best.gear.Year >= 1990 || len(best.gear.EXIF) > 0) {
		confidence = max(confidence, 0.82) // no other of the brand has both numbers; of older lenses, not all are known
	}
	if len(t.mounts) > 0 && !t.fitsMounts(best.gear) {
		confidence -= 0.1
		if !r.lensMakers[best.gear.BrandSlug] {
			confidence -= 0.1 // the mounts of makers of cameras are complete
		}
	}
	if namesOther(t, best, mentioned) {
		confidence = min(confidence, 0.78)
	}
	if best.stabilized(mentioned) || best.lacksVersion(mentioned) || best.letters.has("ai") && best.letters.has("s") && slices.Contains(mentioned, "ai") && !slices.Contains(mentioned, "s") {
		confidence = min(confidence, 0.78) // the version without, or AI instead of AI-S
	}
	return Resolution{best.gear, max(0.4, confidence), ReasonLens}, best.letters
}

// missing returns the number of words of the name of a lens that a title omits; a number counts twice, since
// the Helios 44M is not the 44M-4.
func (e *lensEntry) missing(t *title) (n int) {
	mentioned, _ := t.lensLetters()
	for _, w := range e.letters {
		if !slices.Contains(mentioned, w) && !isMountLetter(t, w) && w != "zoom" && w != "auto" && seriesBrand(w) != e.gear.BrandSlug {
			n += 1 + btoi(models.IsNumber(w))
		}
	}
	return n
}

// namesOther reports whether a title mentions a word of lenses that this one has not, so that it may be
// another, which the catalogue lacks: "smc M" of an "smc A".
func namesOther(t *title, e lensEntry, mentioned []string) bool {
	return slices.ContainsFunc(mentioned, func(w string) bool {
		plain := changesNothing(w) && !(w == "hd" && t.r.lenses.short[[2]string{e.gear.BrandSlug, w}])
		own := t.r.cameraMakers[e.gear.BrandSlug] && t.r.lenses.short[[2]string{e.gear.BrandSlug, w}] // "MD" of a Rokkor
		mount := !own && (isMountLetter(t, w) || t.r.hasMount(e.gear, w))
		return !e.has(w) && !plain && !praise[w] && !mount && !ordinary(t, w)
	})
}

// several reports whether the brand of a lens has others of its focal lengths.
func (x *lensIndex) several(g *Gear) bool {
	return slices.ContainsFunc(x.byFocal[focal{g.FocalMin, g.FocalMax}], func(e lensEntry) bool { return e.gear != g && e.gear.BrandSlug == g.BrandSlug })
}

// lacksVersion reports whether a title omits a word that tells a lens from an earlier one: the "D" of an
// AF Nikkor, "New" of an FD lens.
func (e *lensEntry) lacksVersion(mentioned []string) bool {
	return slices.ContainsFunc([]string{"new", "d", "hs", "close"}, func(w string) bool { return e.letters.has(w) && !slices.Contains(mentioned, w) })
}

// secondLens reports whether another zoom, or focal length with an aperture, follows that of the first lens.
func secondLens(t *title) bool {
	if slices.ContainsFunc(t.r.names[t.text(t.focalEnd-1)+t.text(t.focalEnd)], spelling.isLens) {
		return false // "Helios 40-2 85mm"
	}
	for i := t.focalEnd + 2; i < t.offered-1; i++ {
		zoom := i+2 < t.offered && t.isBareZoom(i)
		if zoom {
			i++
		}
		mm := strings.TrimSuffix(t.text(i), "mm")
		if !models.IsNumber(mm) || strings.Contains(mm, ".") || t.words[i-1].mount || !zoom && !t.isBarePrime(i) && mm == t.text(i) {
			continue
		}
		if next := t.text(i + 1); (zoom || isFNumber(next) || commonFNumbers[next]) && mm != formatNumber(t.focal.max) {
			return true
		}
	}
	return false
}

// candidates returns the lenses compatible with a title, and the words in it
// that occur in lens names.
func (x *lensIndex) candidates(t *title) (mentioned []string, fit []lensEntry) {
	mentioned, generation := t.lensLetters()
	hard := func(w string) bool {
		return (!optionalLensWords[w] || w == "m" && t.brands["leica"]) && !fillers[w] && (w != "stm" || t.brands["canon"])
	}
	apertures := t.apertures(t.focalEnd)
	for _, e := range x.byFocal[t.focal] {
		if e.generation == generation && e.opens(apertures) && t.allowsLensBrand(e.gear) && !t.lacks(e) {
			fit = append(fit, e)
		}
	}
	if len(fit) > 1 && len(apertures) > 0 {
		fit = narrow(fit, func(e lensEntry) bool { return slices.Contains(apertures, e.gear.Aperture) })
	}
	if second := t.secondAperture(); second != "" {
		fit = slices.DeleteFunc(fit, func(e lensEntry) bool { return e.variable && !strings.Contains(e.gear.Model, "-"+second) })
	}
	if len(t.mounts) > 0 {
		fit = narrow(fit, func(e lensEntry) bool { return t.fitsMounts(e.gear) })
	}
	if len(fit) > 1 && len(t.brands) > 0 {
		fit = narrow(fit, func(e lensEntry) bool { return t.brands[e.gear.BrandSlug] })
	}
	for _, soft := range [...]bool{false, true} {
		for _, w := range mentioned {
			if soft == hard(w) || isMountLetter(t, w) || ordinary(t, w) {
				continue
			}
			with := slices.DeleteFunc(slices.Clone(fit), func(e lensEntry) bool {
				return !(e.has(w) && (w != "bokeh" || e.letters.has(w))) && !t.r.hasMount(e.gear, w) && !(w == "m" && slices.Contains(e.gear.Mounts(), "Leica M"))
			})
			if len(with) > 0 || !soft {
				fit = with
			}
		}
	}
	if len(fit) > 1 && !slices.Contains(mentioned, "z") && !slices.Contains(mentioned, "rf") {
		fit = narrow(fit, func(e lensEntry) bool { return !e.later() })
	}
	return mentioned, fit
}

// later reports whether a lens is for the later of two mounts of its maker, whose letter sellers write.
func (e *lensEntry) later() bool { return e.letters.has("z") || e.letters.has("rf") }

// ordinary reports whether a word of a title is an ordinary one, although lenses of other brands have
// it in their names: "al" in "pari al nuovo".
func ordinary(t *title, w string) bool {
	if len(w) > 2 || !knownWords[w] || len(t.brands) == 0 {
		return false
	}
	for brand := range t.brands {
		if t.r.lenses.short[[2]string{brand, w}] {
			return false
		}
	}
	return true
}

// hasMount reports whether a word stands for a mount of a lens by a maker of lenses for others: "fe"
// of a Samyang for Sony E.
func (r *Resolver) hasMount(g *Gear, w string) bool {
	if !r.lensMakers[g.BrandSlug] {
		return false
	}
	for _, name := range r.mounts[w] {
		if len(name.words) == 1 && !name.maker && slices.ContainsFunc(name.mounts, func(mount string) bool { return slices.Contains(g.Mounts(), mount) }) {
			return true
		}
	}
	return false
}

// opens reports whether a lens may have one of the f-numbers of a title.
func (e *lensEntry) opens(apertures []float64) bool {
	return len(apertures) == 0 || e.gear.Aperture == 0 || slices.ContainsFunc(apertures, func(n float64) bool { return math.Abs(e.gear.Aperture-n) < 0.06 })
}

// narrow returns the lenses to keep, or all if there are none.
func narrow(fit []lensEntry, keep func(e lensEntry) bool) []lensEntry {
	if with := slices.DeleteFunc(slices.Clone(fit), func(e lensEntry) bool { return !keep(e) }); len(with) > 0 {
		return with
	}
	return fit
}

// markAperture marks an f-number or T-number at a word as a quantity: "70-200 f4" is no Nikon F4.
func (t *title) markAperture(i int) {
	w := t.text(i)
	if isFNumber(w) || isTNumber(w) {
		t.words[i].quantity = true
	}
	switch next := t.text(i + 1); {
	case commonFNumbers[strings.TrimPrefix(w, "f")] && len(next) == 1 && models.IsDigit(next[0]):
		t.words[i+1].quantity = true // "2.8-4"
	case len(w) == 1 && models.IsDigit(w[0]) && commonFNumbers[next]:
		t.words[i].quantity = true // "4-5.6"
	}
}

func looksLikeAperture(w string) bool {
	n, err := strconv.ParseFloat(w, 64)
	return err == nil && strings.Contains(w, ".") && n >= 0.7 && n < 12
}

// apertures returns the possible f-numbers next to the focal length at a word,
// or nil, as for a negative index. Decimal points may be missing: "f1 8", "f 2 8". For "f 4 5 6" it
// returns both readings, f/4-5.6 and f/4.5-6.
func (t *title) apertures(at int) []float64 {
	if at < 0 {
		return nil
	}
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
		case strings.Contains(w, "."), i == at+1 && (w == "2" || w == "4" || w == "8") && t.words[at].text != "mm" && !countWords[t.text(i+1)] && lostDecimal(t.text(i+1)) == 0 && !commonFNumbers[t.text(i+1)]:
			return []float64{n}
		case i > at && i+1 < len(t.words) && commonFNumbers[t.words[i+1].text]:
			return []float64{n} // "4-5.6"
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
	if len(w) == 0 || len(w) > 2 || !models.IsDigit(w[0]) || len(w) == 2 && (models.IsDigit(w[1]) || w[1] == 'x') {
		return 0
	}
	return float64(w[0]-'0') / 10
}

// afterDi reports whether the generation at a word is Tamron's line: "Di III".
func afterDi(words []string, i int) bool { return i > 0 && words[i-1] == "di" }

// lensLetters returns the distinct words of a title that occur in lens names,
// and the generation.
func (t *title) lensLetters() (mentioned []string, generation string) {
	if t.lettersRead {
		return t.mentioned, t.generation
	}
	sigma := t.brands["sigma"]
	for i, w := range t.words[:t.offered] {
		text := w.text
		if long := sigmaLines[text]; sigma && long != "" {
			text = long
		}
		switch {
		case isGeneration(text) && t.text(i-1) != "di":
			generation = text
		case negations[t.text(i-1)] && (slices.Contains(stabilizers, text) || lensFeatures[text]):
		case listWords[text] && changesNothing(t.text(i-1)) && changesNothing(t.text(i+1)): // "scontrino e garanzia"
		case len(text) == 1 && t.text(i+1) == "system": // "H-System"
		case len(text) == 1 && mixed(t.text(i+1)) && !t.words[i+1].quantity: // an order code: "H-F008"
		case t.r.lenses.letters[text] && !w.quantity && !(i > t.focalEnd && models.IsNumber(text)) && !slices.Contains(mentioned, text):
			mentioned = append(mentioned, text)
		}
	}
	t.mentioned, t.generation, t.lettersRead = mentioned, generation, true
	return mentioned, generation
}

// lacks reports whether a title says that it offers no lens with the stabilizer or motor of this one.
func (t *title) lacks(e lensEntry) bool {
	for i, w := range t.words {
		if next := t.text(i + 1); negations[w.text] && (slices.Contains(stabilizers, next) || lensFeatures[next]) && e.letters.has(next) {
			return true
		}
	}
	return false
}

// belongsToBody reports whether the focal length at a word is that of a lens
// sold with a body that is not in the catalogue.
func (t *title) belongsToBody(at int) bool {
	named := false // a word before it does not occur in lens names
	for i, w := range t.words[:at] {
		if named && (withWords[w.text] && t.text(i-1) != "auto" || w.text == "kit") {
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
	if t.brands[g.BrandSlug] {
		return true
	}
	if len(t.brands) > 0 {
		for brand := range t.brands {
			if sameBrand(brand, g.BrandSlug) {
				return true
			}
		}
		return false
	}
	for _, w := range t.words {
		if lensSeries[w.text] == g.BrandSlug || t.r.lenses.names[w.text] == g.BrandSlug {
			return true
		}
	}
	return false
}

// optionalLensWords are words in lens names that people add, omit or use as
// praise. One that matches no lens of the focal length is ignored.
var optionalLensWords = models.WordSet("bokeh pancake art contemporary sports if ed telephoto auto standard for prime tele wide x m t mc")

// praise are words in lens names that sellers add to any lens.
var praise = models.WordSet("pancake mc t classic auto stm")

// sigmaLines are the letters of Sigma's product lines.
var sigmaLines = map[string]string{"c": "contemporary", "a": "art", "s": "sports", "sport": "sports"}

var lensMakers = models.WordSet("sigma tamron tokina samyang rokinon zeiss helios laowa viltrox meike soligor vivitar")

// lensSeries maps lens series to brands.
var lensSeries = map[string]string{
	"ef": "canon", "rf": "canon", "fd": "canon", "nd": "canon", "nikkor": "nikon", "fe": "sony", "gm": "sony", "sal": "sony",
	"xf": "fujifilm", "xc": "fujifilm", "zuiko": "olympus", "takumar": "pentax", "rokkor": "minolta",
	"dg": "sigma", "dn": "sigma", "hsm": "sigma",
}
