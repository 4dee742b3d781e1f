package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// unsure is the highest score of a resolution that asks.
const unsure = 0.75

// claim is the claim that a title means gear.
type claim struct {
	*title
	gear *Gear
}

// doubt lowers the confidence in gear if the title may mean another: if it has words or numbers that
// neither the name of the gear nor the words of sellers explain, or omits what tells the gear from others.
func (t *title) doubt(found Resolution) Resolution {
	g := found.Gear
	if g == nil {
		return found
	}
	c := claim{t, g}
	if t.foreign || // a word of another script may be its name
		t.r.reused[g] && !t.digital && !(film(g) && slices.ContainsFunc(t.words, func(w titleWord) bool { return filmStock[w.text] })) ||
		c.namesOtherMaker() || // "OM System OM-2"
		c.asks() || c.unread() || c.listsAnother() || c.omitsVersion() {
		found.Confidence = min(found.Confidence, unsure)
	}
	return found
}

// namesOtherMaker reports whether a title names a maker of cameras and not that of gear, which is sold by
// several: Olympus and OM System.
func (t claim) namesOtherMaker() bool {
	g := t.gear
	if t.brands[g.BrandSlug] {
		return false
	}
	for brand := range t.brands {
		if t.r.cameraMakers[brand] && !accessoryFirst[brand] { // "light seals"
			return true
		}
	}
	return false
}

// asks reports whether a later word of a title says that gear is wanted.
func (t claim) asks() bool {
	return slices.ContainsFunc(t.words, func(w titleWord) bool { return wantedWords[w.text] && !purchased[w.text] })
}

// unread reports whether a title has a word that may name a part, an accessory or another model. Words
// after "with" say what comes with the gear. Words for accessories are those of a part of the gear, unless
// it is an accessory.
func (t claim) unread() bool {
	g := t.gear
	var own []string
	if g.Category == "accessory" {
		own = t.r.words(strings.ToLower(g.Model))
	}
	camera, named := g.Category.Family() == models.FamilyCamera, false
	for i, w := range t.words[:t.offered] {
		switch {
		case w.brand != "" || w.series != nil || w.quantity || t.matched(i):
			named = true
		case w.text == "comma":
		case named && own == nil && (withWords[w.text] || camera && (w.text == "kit" || w.text == "set")):
			return false
		case strings.ContainsAny(w.text, "0123456789"):
			if !t.explains(i) {
				return true
			}
			named = true
		case slices.Contains(own, w.text), own != nil && accessoryKinds[w.text]:
		case countWords[w.text] && i > 0 && t.words[i-1].quantity:
		case !t.isKnown(i), camera && t.namesOtherCamera(i):
			return true
		}
	}
	return false
}

// matched reports whether a word is part of the name of gear of the catalogue.
func (t claim) matched(i int) bool {
	return slices.ContainsFunc(t.matches, func(m match) bool { return i >= m.from && i < m.to })
}

// explains reports whether a word with digits names gear itself, or counts or measures something.
func (t claim) explains(i int) bool {
	g := t.gear
	w, before := t.words[i].text, t.text(i-1)
	switch n, err := strconv.Atoi(w); {
	case len(w) >= 12 && len(w) <= 14 && models.IsNumber(w):
		return true // a bar code
	case isGeneration(w), knownWords[w], fillers[w], t.startsQuantity(i), printedFormats[w] || len(w) == 3 && w[1] == 'x', strings.HasSuffix(w, "0s"):
		return true
	case err == nil && n >= 1000 && n%100 == 0, strings.HasSuffix(w, "k") && models.IsNumber(w[:len(w)-1]):
		return true // exposures
	case isOrderCode(w, g.BrandSlug), g.BrandSlug == "sigma" && len(w) == 3 && sigmaLines[before[:min(1, len(before))]] == before:
		return true // "Art 024"
	case g.Category.Family() != models.FamilyLens && err == nil && n < 1000 && g.Mount != "" && i > 0 && (t.r.lenses.letters[before] || t.words[i-1].brand != "" && !sameBrand(t.words[i-1].brand, g.BrandSlug)):
		return true // a camera with "Rokkor 50"
	case g.Category.Family() == models.FamilyLens && (t.r.lenses.letters[w] || i == t.focalEnd || isFNumber(w)):
		return true
	}
	m, ok := t.r.longestMatch(t.title, i)
	return ok && m.gear == g || slices.ContainsFunc(t.r.names[w], func(s spelling) bool { return s.gear == g })
}

// isOrderCode reports whether a word is a number under which a maker sells cameras and lenses: Leica's
// "11879", Sony's "SEL2450G". Those of accessories are others.
func isOrderCode(w, brand string) bool {
	switch brand {
	case "leica":
		return len(w) == 5 && models.IsNumber(w) && leicaCodes[w[:2]]
	case "sony":
		return strings.HasPrefix(w, "sel")
	}
	return false
}

// namesOtherCamera reports whether a word beside a camera belongs to names that it doesn't have: "Pro" of
// the Mamiya 645 Pro, the letters "EF" of the Konica C35 EF, or two letters that are unknown.
func (t claim) namesOtherCamera(i int) bool {
	g := t.gear
	w := t.words[i].text
	letters := t.r.lenses.letters[w]
	switch {
	case changesNothing(w), listWords[w], withWords[w], forOthers[w], negations[w]:
		return false
	case t.r.nameWords[w] && !letters, g.Mount == "" && letters && len(w) <= 3, len(w) <= 2 && !letters:
		return !slices.ContainsFunc(append([]string{g.Model}, g.Aliases...), func(name string) bool { return slices.Contains(t.r.words(strings.ToLower(name)), w) })
	}
	return false
}

// listsAnother reports whether "and" or a comma stands before the name of another camera of a camera's
// brand: "Nikon F3 und FE".
func (t claim) listsAnother() bool {
	g := t.gear
	if g.Category.Family() != models.FamilyCamera {
		return false
	}
	brand := brandWord(g.BrandSlug)
	for i := 1; i < t.offered; i++ {
		if w := t.words[i]; !listWords[t.text(i-1)] || w.brand != "" || models.IsNumber(w.text) || changesNothing(w.text) || t.r.lenses.short[[2]string{g.BrandSlug, w.text}] {
			continue
		}
		for to := i + 1; to <= min(i+3, t.offered); to++ {
			named := t.r.names[brand+t.joined[t.words[i].start:t.words[to-1].end]]
			if slices.ContainsFunc(named, func(s spelling) bool { return s.gear.Category.Family() == models.FamilyCamera }) &&
				!slices.ContainsFunc(named, func(s spelling) bool { return s.gear == g }) {
				return true
			}
		}
	}
	return false
}

// omitsVersion reports whether a title omits words of the name of a lens, and the catalogue has another that
// agrees with the title, or may lack one: lenses of film days, and of makers of lenses only, are not all known.
func (t claim) omitsVersion() bool {
	g := t.gear
	if g.Category.Family() != models.FamilyLens || t.recorded {
		return false
	}
	alike := t.r.lenses.byFocal[focal{g.FocalMin, g.FocalMax}]
	i := slices.IndexFunc(alike, func(e lensEntry) bool { return e.gear == g })
	if i < 0 {
		return false
	}
	own := alike[i]
	missing, independent := own.missing(t.title), !t.r.cameraMakers[g.BrandSlug] || g.BrandSlug == "sigma"
	if missing > 0 && g.Year < 1990 && (g.Year > 0 || len(g.EXIF) == 0) || missing > 1 && (g.Year == 0 || independent) {
		return true
	}
	apertures := t.apertures(t.focalEnd)
	if len(apertures) == 0 && missing > 0 && independent {
		return true // "Sigma 18-250"
	}
	return slices.ContainsFunc(alike, func(e lensEntry) bool {
		return e.gear != g && sameBrand(e.gear.BrandSlug, g.BrandSlug) && e.opens(apertures) && t.agrees(e, own) &&
			(missing > 0 || len(apertures) == 0 || e.generation == own.generation && (g.Year < 1996 || len(own.letters) < 2)) // "EF 50mm f/1.8" may be the STM
	})
}

// complete reports whether a title has all words of the name of gear, or gear is no lens.
func (t claim) complete() bool {
	g := t.gear
	for _, e := range t.r.lenses.byFocal[focal{g.FocalMin, g.FocalMax}] {
		if e.gear == g {
			return e.missing(t.title) == 0
		}
	}
	return true
}

// agrees reports whether a title that means a lens may mean another of its focal lengths as well.
func (t claim) agrees(e, own lensEntry) bool {
	mentioned, generation := t.lensLetters()
	return (generation == "" || e.generation == generation) && !t.lacks(e) && e.later() == own.later() &&
		!(t.brands[own.gear.BrandSlug] && !t.brands[e.gear.BrandSlug]) &&
		!(len(t.mounts) > 0 && t.fitsMounts(own.gear) && !t.fitsMounts(e.gear)) &&
		!slices.ContainsFunc(mentioned, func(w string) bool { return own.has(w) && !e.has(w) && !t.r.hasMount(e.gear, w) })
}
