package models

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/fuzzy"
)

// maxTitle is how much of a title is read, in bytes.
const maxTitle = 400

// title is a marketplace title, read.
type title struct {
	r       *Resolver
	words   []titleWord
	glued   string // all words as one, see glue
	brands  map[string]bool
	offered int  // the words before this one name what is for sale; what follows is what it is for
	digital bool // says megapixels, or digital

	megapixels float64 // 0 when none are said
	focal      focal   // the first focal length that is for sale
	focalEnd   int     // the word it ends at; −1 when there is none
}

type titleWord struct {
	text       string
	start, end int    // in glued
	brand      string // slug, when it is one
	series     *series
	quantity   bool // counts or measures something: no part of a name
	filler     bool // says nothing about the model
}

var mangled = strings.NewReplacer(
	"î", " ", "â", " ", "Î", " ", "Â", " ", // what is left of Greek letters and dashes after two wrong decodings
	`"`, " inch ", "”", " inch ", "&", " and ", ", ", " and ", " +", " and ", "|", " bar ",
	"cameras & camcorders", " ",
)

// tails open what shops put behind every title.
var tails = []string{" - buy ", "price comparison at", " on sale for ", " today at "}

func (r *Resolver) read(text string) *title {
	text = clip(text, maxTitle)
	text = strings.ToLower(text)
	if i := strings.LastIndex(text, " | "); i >= 0 && strings.Contains(text[i:], " reviews - ") {
		text = text[i:] // before it stands what a visitor asked
	}
	for _, tail := range tails {
		if i := strings.Index(text, tail); i > 0 {
			text = text[:i]
		}
	}
	t := &title{r: r, brands: map[string]bool{}}
	words := r.words(text)
	t.classify(words)
	t.glued = glue(words)
	at := 0
	for i, w := range words {
		if i > 0 && runTogether(words[i-1], w) {
			at++
		}
		t.words[i].start, t.words[i].end = at, at+len(w)
		at += len(w)
	}
	t.markQuantities()
	t.offered = t.offer()
	if t.focalEnd, t.focal = t.readFocal(); t.focalEnd >= 0 {
		t.words[t.focalEnd].quantity = true
		if t.focal.min != t.focal.max {
			t.words[t.focalEnd-1].quantity = true
		}
	}
	for _, w := range t.words[:t.offered] {
		if w.brand != "" {
			t.brands[w.brand] = true
		}
	}
	return t
}

// clip cuts text to at most n bytes without cutting a letter.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// words are the words of a title or name, with brands and series as one word
// each and generations apart.
func (r *Resolver) words(text string) []string {
	raw := Words(mangled.Replace(spellPlus(text)))
	var out []string
	for i := 0; i < len(raw); i++ {
		w := raw[i]
		if whole, n := r.phrase(raw[i:]); n > 0 {
			out = append(out, whole)
			i += n - 1
			continue
		}
		if other, ok := sameWord[w]; ok {
			w = other
		} else if slug := r.brands[w]; slug != "" {
			w = brandWord(slug)
		}
		out = append(out, apart(w)...)
	}
	return tidy(out)
}

// phrase is the brand or series that the first words of some are, as one word,
// and how many words that are.
func (r *Resolver) phrase(words []string) (whole string, n int) {
	if _, starts := r.phrases[words[0]]; !starts {
		return "", 0
	}
	for n = min(len(words), 3); n > 1; n-- {
		if whole := r.phrases[strings.Join(words[:n], " ")]; whole != "" {
			return whole, n
		}
	}
	return "", 0
}

// tidy leaves out what says nothing ("x series", "mark I", a generation said
// twice) and the m that Sony writes before one ("rx100m ii").
func tidy(words []string) []string {
	out := words[:0]
	for _, w := range words {
		last := ""
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		switch n := len(last); {
		case w == "series" && n > 0 && n <= 2 && !strings.ContainsAny(last, "0123456789"):
			out = out[:len(out)-1]
			continue
		case w == "mk1", isGeneration(w) && w == last, isGeneration(last) && w == last[:1]+last[2:]:
			continue
		case isGeneration(w) && n > 2 && last[n-1] == 'm' && isDigit(last[n-2]):
			out[len(out)-1] = last[:n-1]
		}
		out = append(out, w)
	}
	return out
}

// spellPlus keeps the plus that ends a name: the Hero3+ is another camera than
// the Hero3.
func spellPlus(text string) string {
	if !strings.Contains(text, "+") {
		return text
	}
	words := strings.Fields(text)
	for i, w := range words {
		if name, ok := strings.CutSuffix(w, "+"); ok && name != "" && !strings.HasSuffix(name, "+") {
			words[i] = name + "plus"
		}
	}
	return strings.Join(words, " ")
}

// apart cuts a word in two: Sony's and Panasonic's generations ("7rm3" is "7r",
// "mk3"), a letter behind a generation ("s5iix", "iiis"), and letters before
// millimetres ("ef50mm").
func apart(w string) []string {
	if n := len(w); n > 2 && strings.IndexByte("xsn", w[n-1]) >= 0 {
		base := strings.TrimRight(w[:n-1], "iv")
		if g := spelledGeneration(w[len(base) : n-1]); g != "" && (base == "" || isDigit(base[len(base)-1])) {
			return slices.DeleteFunc([]string{base, g, w[n-1:]}, func(part string) bool { return part == "" })
		}
	}
	if n := len(w); n > 3 && w[n-2] == 'm' && w[n-1] >= '2' && w[n-1] <= '7' && strings.ContainsAny(w[:n-2], "0123456789") {
		return []string{w[:n-2], "mk" + w[n-1:]}
	}
	switch w {
	case "efs", "efm", "afs", "afp", "rfs":
		return []string{w[:2], w[2:]}
	}
	if focal, ok := strings.CutSuffix(w, "mm"); ok {
		if i := strings.IndexAny(focal, "0123456789"); i > 0 && isNumber(focal[i:]) {
			return []string{w[:i], w[i:]}
		}
	}
	return []string{w}
}

// text is a word of the title; empty outside of it.
func (t *title) text(i int) string {
	if i < 0 || i >= len(t.words) {
		return ""
	}
	return t.words[i].text
}

func (t *title) classify(words []string) {
	t.words = make([]titleWord, len(words))
	known := false
	for i, w := range words {
		t.words[i] = titleWord{text: w, brand: t.r.brands[w], filler: fillers[w]}
		if s, ok := seriesWords[w]; ok {
			t.words[i].series = &s
			if t.words[i].brand == "" {
				t.words[i].brand = s.brand
			}
		}
		known = known || t.words[i].brand != ""
	}
	if !known {
		t.readTypos(words)
	}
}

// readTypos looks for a brand or series that has one letter wrong.
func (t *title) readTypos(words []string) {
	for i, w := range words {
		if len(w) < 5 || strings.ContainsAny(w, "0123456789") || fillers[w] || accessoryWords[w] {
			continue
		}
		for _, meant := range t.r.typos {
			if fuzzy.Distance(w, meant, 1) != 1 {
				continue
			}
			words[i] = meant
			t.words[i].text, t.words[i].brand = meant, t.r.brands[meant]
			if s, ok := seriesWords[meant]; ok {
				t.words[i].series, t.words[i].brand = &s, s.brand
			}
			return
		}
	}
}

// markQuantities finds megapixels, millimetres, zooms, counts and bar codes.
// Of "12 1 mp" the first number is only probably one: in "pentax k 3 24 mp" it
// is the model, so a name may still claim it.
func (t *title) markQuantities() {
	for i := range t.words {
		w := &t.words[i]
		next := t.text(i + 1)
		switch {
		case units[strings.TrimLeft(w.text, "0123456789.")] && isDigit(w.text[0]) && !isNumber(w.text),
			isNumber(w.text) && (strings.Contains(w.text, ".") || len(w.text) >= 8 || countWords[next] && (len(w.text) <= 3 || next != "inch")),
			isNumber(w.text) && t.isZoom(i),
			len(w.text) > 2 && w.text[0] == 'f' && isNumber(w.text[1:]) && strings.Contains(w.text, "."):
			w.quantity = true
		}
		if t.isMegapixels(i) {
			t.megapixels = t.wholeNumber(i)
		}
		t.digital = t.digital || t.megapixels > 0 || w.text == "digital" || w.text == "dslr"
	}
	for i := range t.words {
		if t.startsAperture(i) {
			t.words[i].quantity = true
			for j := i + 1; j < min(i+5, len(t.words)) && len(t.words[j].text) <= 2 && isDigit(t.words[j].text[0]); j++ {
				t.words[j].quantity = true
			}
		}
	}
}

// startsAperture tells whether an f-number starts at a word that has lost its
// point, or has none: "f 3 5 5 6", "f1 8g", "f2" and "1 4" behind millimetres.
func (t *title) startsAperture(i int) bool {
	w := t.words[i].text
	behind := i > 0 && t.isMillimetres(i-1)
	next := t.text(i + 1)
	lost := next != "" && isDigit(next[0]) && len(next) <= 2 && !t.words[i+1].quantity
	switch {
	case w == "f", len(w) == 1 && isDigit(w[0]) && behind:
		return lost
	case isFNumber(w) && strings.Contains(w, "."):
		return lost // "f2.8-4"
	case len(w) <= 3 && isFNumber(w):
		return lost || behind
	}
	return false
}

// wholeNumber is the number at a word; the word before it is its whole part
// where a point was lost: "12 1mp".
func (t *title) wholeNumber(i int) float64 {
	digits := strings.TrimRight(t.words[i].text, "abcdefghijklmnopqrstuvwxyz+")
	if before := t.text(i - 1); len(digits) == 1 && isNumber(before) && len(before) <= 2 {
		digits = before
	}
	n, _ := strconv.ParseFloat(digits, 64)
	return n
}

// shortGeneration reads "5d2" and "1d 4": a name that ends before a word, with
// its generation written out, and the word where that ends; 0 when there is none.
func (t *title) shortGeneration(key string, to int) (name string, end int) {
	if next := t.text(to); len(next) == 1 && isDigit(next[0]) && !t.words[to].quantity && !t.counts(to) {
		return key + "mk" + next, to + 1
	}
	if n := len(key); n > 2 && isDigit(key[n-1]) && !isDigit(key[n-2]) && strings.ContainsAny(key[:n-2], "0123456789") {
		return key[:n-1] + "mk" + key[n-1:], to
	}
	return "", 0
}

// isMillimetres tells whether a word is a number of millimetres: "55mm", "55 mm".
func (t *title) isMillimetres(i int) bool {
	if mm, ok := strings.CutSuffix(t.words[i].text, "mm"); ok {
		return isNumber(mm)
	}
	return isNumber(t.words[i].text) && t.text(i+1) == "mm"
}

// isZoom tells whether a number and the millimetres behind it are the focal
// lengths of a zoom that exists; "helios 44 58mm" is none.
func (t *title) isZoom(i int) bool {
	if i+1 >= len(t.words) || !t.isMillimetres(i+1) {
		return false
	}
	if slices.ContainsFunc(t.r.names[t.text(i-1)+t.text(i)], spelling.isLens) {
		return false // "jupiter 12 35mm"
	}
	return t.r.lenses.has(t.text(i), strings.TrimSuffix(t.text(i+1), "mm"))
}

// isFilm tells whether "35mm" at a word is the film.
func (t *title) isFilm(i int) bool {
	return t.words[i].text == "35mm" && filmWords[t.text(i+1)]
}

// offer is where what is for sale ends and what it fits begins: "battery | for
// nikon d90".
func (t *title) offer() int {
	for i, w := range t.words {
		switch {
		case w.text == "fits" || w.text == "compatible" || w.text == "replaces":
			return i
		case w.text != "for" && w.text != "from":
			continue
		}
		j := i + 1
		for forWords[t.text(j)] {
			j++
		}
		if t.startsModel(j) {
			return i
		}
	}
	return len(t.words)
}

// startsModel tells whether a brand, series or model code is at a word.
func (t *title) startsModel(i int) bool {
	if i >= len(t.words) {
		return false
	}
	code := t.words[i].text
	if len(code) == 1 {
		code += t.text(i + 1) // "x t3"
	}
	return t.words[i].brand != "" || !t.words[i].quantity && mixed(code)
}

func mixed(w string) bool {
	return strings.ContainsAny(w, "0123456789") && strings.Trim(w, "0123456789.") != ""
}

// allows tells whether the words from–to of a title can mean a gear, by what
// stands around them.
func (t *title) allows(g *Gear, from, to int) bool {
	if !t.allowsBrand(g, from, to) || t.digital && film(g) {
		return false
	}
	if g.Category.Family() == FamilyLens && t.focalEnd >= 0 && (focal{g.FocalMin, g.FocalMax} != t.focal) {
		return false
	}
	if mp := reusedNames[g.Slug()]; mp > 0 && t.megapixels > 0 && (t.megapixels > 2*mp || t.megapixels < mp/2) {
		return false
	}
	if from > 0 {
		before := t.words[from-1]
		if before.series != nil && !before.series.holds(g) {
			return false
		}
		if (before.text == "dc" || before.text == "dmc") && g.BrandSlug == "panasonic" && !hasCode(g, before.text+"-") {
			return false
		}
		if len(before.text) == 1 && strings.Contains("cdegklmpqstvxz", before.text) && t.words[from].brand == "" {
			return false // the second half of another name: "x s10"
		}
	}
	if s := t.words[from].series; s != nil && !s.holds(g) {
		return false
	}
	return to == len(t.words) || t.allowsNext(g, from, to)
}

func (t *title) allowsBrand(g *Gear, from, to int) bool {
	if len(t.brands) == 0 {
		return t.words[to-1].end-t.words[from].start >= 4
	}
	for brand := range t.brands {
		if kin(brand) == kin(g.BrandSlug) {
			return true
		}
	}
	return false
}

// allowsNext tells whether the name ends where it was found to end: what stands
// behind must not make it another model's.
func (t *title) allowsNext(g *Gear, from, to int) bool {
	next, last := t.words[to], t.words[to-1].text
	switch {
	case isGeneration(next.text), next.text == "mark", next.text == "mk", next.text == "typ", next.text == "hs":
		return false
	case next.quantity || t.counts(to):
		return true
	case strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") != "": // ends in a figure, or in one and letters
		return !t.goesOn(g, to)
	case isNumber(next.text) && len(next.text) <= 4:
		return false // the Coolpix A is no Coolpix A 100
	case len(last) == 1 && to-from <= 2 && !t.hasDigit(match{from: from, to: to}):
		return next.filler || next.brand != "" // so short a name wants to be sure
	}
	return !t.goesOn(g, to)
}

// goesOn tells whether the word behind the name of a gear makes it another
// model's: a letter that is none of its maker's for a kit or colour, or a word
// that ends the name of another model of the brand.
func (t *title) goesOn(g *Gear, to int) bool {
	next := t.words[to].text
	ending := t.r.endings[[2]string{g.BrandSlug, next}] && next != "w" && next != "a"
	if len(next) == 1 && strings.Contains("cehnrstvx", next) {
		again := hasFigure(t.text(to+1)) && !t.words[to+1].quantity && !t.counts(to+1) // "c 450 c 450"
		return !again && (ending || !kitLetters(g, next))
	}
	itself := slices.ContainsFunc(t.r.names[next], func(s spelling) bool { return s.gear == g }) // "500d t1i"
	return ending && !itself && !kitLetters(g, next)
}

// counts tells whether the number at a word is the whole part of a quantity
// that lost its point ("18 0 mp", "12 1mp") or the near end of a zoom.
func (t *title) counts(i int) bool {
	w := t.words[i].text
	if !isNumber(w) || i+1 >= len(t.words) {
		return false
	}
	next := t.words[i+1]
	switch {
	case strings.Contains(next.text, "."):
		return stops[next.text] // "50 1.8"
	case next.quantity && (len(w) <= 2 || strings.HasSuffix(next.text, "mm")):
		return true
	}
	return isNumber(next.text) && countWords[t.text(i+2)]
}

// perhapsQuantity tells whether a word is a number that a name has a claim on as
// well as a quantity.
func (t *title) perhapsQuantity(i int) bool { return isNumber(t.words[i].text) && t.counts(i) }

func (t *title) hasDigit(m match) bool {
	return strings.ContainsAny(t.glued[t.words[m.from].start:t.words[m.to-1].end], "0123456789")
}

// bare tells whether neither brand nor series stand beside the words from–to.
func (t *title) bare(from, to int) bool {
	for _, w := range t.words[from:min(to+1, len(t.words))] {
		if w.brand != "" {
			return false
		}
	}
	for i := from - 1; i >= 0; i-- {
		switch w := t.words[i]; {
		case w.brand != "":
			return false
		case !w.filler && !w.quantity && !t.counts(i) && !isNumber(w.text):
			return true
		}
	}
	return true
}

// unknownModel tells whether a model code stands behind a brand or series,
// elsewhere than in the match.
func (t *title) unknownModel(m match) bool {
	beside := false
	for i, w := range t.words {
		switch {
		case w.brand != "":
			beside = true
		case i >= m.from && i < m.to:
			beside = false
		case w.quantity || t.counts(i) || w.filler, m.gear != nil && w.text == t.glued[t.words[m.from].start:t.words[m.to-1].end]:
		case beside && len(w.text) <= 8 && strings.ContainsAny(w.text, "0123456789"):
			return true
		case len(w.text) > 3:
			beside = false
		}
	}
	return false
}

// video tells whether a title offers something that takes no still pictures.
func (t *title) video() bool {
	for i, w := range t.words {
		if videoWords[w.text] {
			return true
		}
		if videoKinds[t.text(i-1)] && (w.text == "camera" || w.text == "cam" || w.text == "cameras" || w.text == "monitor") {
			return true
		}
	}
	return false
}

func (t *title) lot() bool {
	for i, w := range t.words {
		next := t.text(i + 1)
		if w.text == "lot" && (next == "of" || isNumber(next) && len(next) <= 2 || t.text(i-1) == "job") {
			return true
		}
	}
	return false
}

// accessory tells whether a title offers something for a camera or a lens: it
// names such a thing before anything says that the camera itself is sold, or
// that the thing only comes with it.
func (t *title) accessory() bool {
	if t.endsWith("box", "only") || t.endsWith("empty", "box") {
		return true
	}
	for i, w := range t.words {
		switch {
		case t.isAccessory(i):
			return true
		case withWords[w.text], t.isEvidence(i):
			return false
		}
	}
	return t.offered == 0
}

func (t *title) isAccessory(i int) bool {
	next := t.text(i + 1)
	switch t.words[i].text {
	case "manual":
		return !manualThings[next] // "manual focus" is no book
	case "memory":
		return next == "card"
	case "empty":
		return next == "box"
	case "film":
		return filmThings[next] || next == "" && (t.brands["polaroid"] || t.brands["fujifilm"])
	}
	return accessoryWords[t.words[i].text]
}

func (t *title) endsWith(first, second string) bool {
	n := len(t.words)
	return t.text(n-2) == first && t.text(n-1) == second
}

// isEvidence tells whether a word says that a camera is sold; "camera" before
// "battery" does not.
func (t *title) isEvidence(i int) bool {
	return cameraWords[t.words[i].text] && !accessoryWords[t.text(i+1)] || t.isMegapixels(i)
}

// isMegapixels tells whether a word is a number of megapixels: "12mp", "12 mp".
func (t *title) isMegapixels(i int) bool {
	w, next := t.words[i].text, t.text(i+1)
	if mp, ok := strings.CutSuffix(w, "mp"); ok {
		return isNumber(mp)
	}
	return isNumber(w) && (strings.HasPrefix(next, "mp") || strings.HasPrefix(next, "mega"))
}

// camera tells whether a title says that it offers a camera, named or not.
func (t *title) camera() bool {
	for i, w := range t.words[:t.offered] {
		if !lensWordsToo[w.text] && t.isEvidence(i) {
			return true
		}
	}
	return false
}

// holds tells whether gear can be of a series.
func (s *series) holds(g *Gear) bool {
	if g.Category.Family() == FamilyLens {
		return true
	}
	return kin(s.brand) == kin(g.BrandSlug) && (len(s.kinds) == 0 || slices.Contains(s.kinds, g.Category)) &&
		(s.code == "" || hasCode(g, s.code))
}

// hasCode tells whether one of the names of a gear has a maker's code in it.
func hasCode(g *Gear, code string) bool {
	has := func(name string) bool { return strings.Contains(strings.ToLower(name), code) }
	return has(g.Model) || slices.ContainsFunc(g.Aliases, has)
}

func film(g *Gear) bool {
	return g.Category == "film-slr" || g.Category == "large-format" || strings.Contains(g.Format, "film") || strings.HasPrefix(g.Format, "6x")
}

// kin is one name for brands that are one maker's.
func kin(brand string) string {
	if first, ok := kinBrands[brand]; ok {
		return first
	}
	return brand
}
