package catalog

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/fuzzy"
)

// maxTitle is the number of bytes of a title that are read.
const maxTitle = 400

// title is a parsed marketplace title.
type title struct {
	r        *Resolver
	words    []titleWord
	raw      string   // in lower case
	plain    []string // before brands and series are joined
	joined   string   // all words as one, see joinWords
	brands   map[string]bool
	offered  int  // number of words that name what is for sale; the rest is what it fits
	digital  bool // mentions megapixels or "digital"
	foreign  bool // has words of another script that are not known
	recorded bool // written by a camera
	kits     bool // names one of kitBrands, or no brand

	matches []match  // gear that the title names
	mounts  []string // mounts that the lens may be for; nil if the title names none

	mentioned   []string // words that occur in the names of lenses
	generation  string   // "mk2", or "" if the title names none
	lettersRead bool     // whether mentioned and generation are read

	megapixels float64 // 0 if unknown
	focal      focal   // first focal length offered
	focalEnd   int     // index of its last word, or −1
}

type titleWord struct {
	text       string
	start, end int    // in joined
	brand      string // slug, if it is a brand
	series     *series
	quantity   bool // a count or measure, not part of a name
	mount      bool // part of the name of a mount; also a quantity
	filler     bool // irrelevant to the model
}

var titleReplacer = strings.NewReplacer(
	"boîtier", "body", "boîte", "boite", "î", " ", "â", " ", "Î", " ", "Â", " ", // Greek letters and dashes decoded wrongly twice
	", d'", " comma ", ", l'", " comma ", " d'", " ", " l'", " ", " d’", " ", " l’", " ", "dell'", " ", "(i)", " ", `"`, " inch ", "”", " inch ", "&", " and ", ", ", " comma ", " +", " and ", "|", " bar ",
	"cameras & camcorders", " ",
)

// shopSuffixes start the text that shops append to titles.
var shopSuffixes = []string{" - buy ", "price comparison at", " on sale for ", " today at "}

func (r *Resolver) parseTitle(text string) *title {
	text = Clip(text, maxTitle)
	text = strings.ToLower(text)
	if i := strings.LastIndex(text, " | "); i >= 0 && strings.Contains(text[i:], " reviews - ") {
		text = text[i:] // it is preceded by a visitor's question
	}
	for _, tail := range shopSuffixes {
		if i := strings.Index(text, tail); i > 0 {
			text = text[:i]
		}
	}
	t := &title{r: r, brands: map[string]bool{}}
	text = r.plainOptics(joinCodes(spaceOptics(text)))
	t.raw = text
	t.plain = plainWords(text)
	words := r.grouped(t.plain)
	t.classify(words)
	t.joined = joinWords(words)
	at := 0
	for i, w := range words {
		if i > 0 && runTogether(words[i-1], w) {
			at++
		}
		t.words[i].start, t.words[i].end = at, at+len(w)
		at += len(w)
	}
	t.markQuantities()
	t.offered = t.offerEnd()
	if t.focalEnd, t.focal = t.readFocal(); t.focalEnd >= 0 {
		t.words[t.focalEnd].quantity = true
		if t.focal.min != t.focal.max {
			t.words[t.focalEnd-1].quantity = true
		}
		t.markAperture(t.focalEnd + 1)
	}
	t.readMounts()
	for _, w := range t.words[:t.offered] {
		if w.brand != "" {
			t.brands[w.brand] = true
			t.kits = t.kits || kitBrands[w.brand]
		}
	}
	t.kits = t.kits || len(t.brands) == 0
	return t
}

// Clip truncates text to at most n bytes at a character boundary.
func Clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// phrase returns the brand or series that starts words, as one word, and its
// number of words.
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

// removeNoise removes meaningless words ("x series", "mark I", a repeated
// generation) and the m that Sony writes before a generation ("rx100m ii").
func removeNoise(words []string) []string {
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
		case sonyRevisions[w] != "" && strings.HasPrefix(last, "a7") && n <= 3:
			w = sonyRevisions[w]
		case isGeneration(w) && n > 2 && last[n-1] == 'm' && models.IsDigit(last[n-2]):
			out[len(out)-1] = last[:n-1]
		}
		out = append(out, w)
	}
	return out
}

// joinCodes joins the parts of model codes, so that the first is not read as another model:
// "h3d-39", "3m-5a".
func joinCodes(text string) string {
	for i := 2; i+1 < len(text); i++ {
		if text[i] != '-' || !isLetterByte(text[i-1]) || !models.IsDigit(text[i-2]) || !models.IsDigit(text[i+1]) {
			continue
		}
		end := i + 1
		for end < len(text) && models.IsDigit(text[end]) {
			end++
		}
		if end < len(text) && text[end] == 'a' {
			end++
		}
		if end-i <= 4 && (end == len(text) || text[end] == ' ') {
			text = text[:i] + text[i+1:]
		}
	}
	return text
}

// spaceOptics separates a focal length from the letters before it and the f-number after it, which cameras
// join: "xf18-55mmf2.8-4".
func spaceOptics(text string) string {
	i := strings.Index(text, "mmf")
	if i < 1 || i+3 >= len(text) || !models.IsDigit(text[i-1]) || !models.IsDigit(text[i+3]) {
		return text
	}
	from := i
	for from > 0 && isOpticsByte(text[from-1]) {
		from--
	}
	return text[:from] + " " + text[from:i+2] + " " + text[i+2:]
}

// splitWord splits a word with a generation ("7rm3" is "7r", "mk3"), a letter
// after a generation ("s5iix", "iiis"), or letters before millimetres
// ("ef50mm"). It returns nil if there is nothing to split.
func splitWord(w string) []string {
	if n := len(w); n > 2 && strings.IndexByte("xsn", w[n-1]) >= 0 {
		base := strings.TrimRight(w[:n-1], "iv")
		if g := models.SpelledGeneration(w[len(base) : n-1]); g != "" && (base == "" || models.IsDigit(base[len(base)-1])) {
			return slices.DeleteFunc([]string{base, g, w[n-1:]}, func(part string) bool { return part == "" })
		}
	}
	if strings.HasSuffix(w, "m3a") || strings.HasSuffix(w, "m4a") {
		w = w[:len(w)-1] // Sony's revisions of the Alpha 7
	}
	if n := len(w); n > 3 && w[n-2] == 'm' && w[n-1] >= '2' && w[n-1] <= '7' && strings.ContainsAny(w[:n-2], "0123456789") {
		return []string{w[:n-2], "mk" + w[n-1:]}
	}
	switch w {
	case "ais":
		return []string{"ai", "s"}
	case "nfd", "fdn":
		return []string{"new", "fd"}
	case "atx", "efs", "efm", "afs", "afp", "rfs":
		return []string{w[:2], w[2:]}
	}
	if n := len(w); n >= 3 && n <= 6 && strings.HasSuffix(w, "cm") && models.IsNumber(w[:n-2]) {
		if cm, err := strconv.ParseFloat(w[:n-2], 64); err == nil && cm >= 2 && cm <= 40 {
			return []string{formatNumber(cm*10) + "mm"} // "5cm f/2"
		}
	}
	if focal, ok := strings.CutSuffix(w, "mm"); ok {
		if i := strings.IndexAny(focal, "0123456789"); i > 0 && models.IsNumber(focal[i:]) {
			return []string{w[:i], w[i:]}
		}
	}
	return nil
}

// text returns the word at index i, or "" if out of range.
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
		if s := seriesWords[w]; s != nil {
			t.words[i].series = s
			if t.words[i].brand == "" {
				t.words[i].brand = s.brand
			}
		}
		known = known || t.words[i].brand != ""
		t.foreign = t.foreign || strings.IndexFunc(w, isForeign) >= 0
	}
	if !known {
		t.correctTypos(words)
	}
	t.dropOrdinaryBrands()
}

// dropOrdinaryBrands reads a brand that is an ordinary word as such if another is named: "Mint Nikon F3".
func (t *title) dropOrdinaryBrands() {
	ordinary := func(w titleWord) bool { return w.filler || knownWords[w.text] }
	if !slices.ContainsFunc(t.words, func(w titleWord) bool { return w.brand != "" && !ordinary(w) }) {
		return
	}
	for i, w := range t.words {
		if w.brand != "" && ordinary(w) {
			t.words[i].brand, t.words[i].series = "", nil
		}
	}
}

// correctTypos corrects the first brand or series with one wrong letter.
func (t *title) correctTypos(words []string) {
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
			if s := seriesWords[meant]; s != nil {
				t.words[i].series, t.words[i].brand = s, s.brand
			}
			return
		}
	}
}

// markQuantities marks megapixels, millimetres, zooms, counts and bar codes.
// The first number of "12 1 mp" is not marked, as it may be a model: "pentax k
// 3 24 mp".
func (t *title) markQuantities() {
	for i := range t.words {
		w := &t.words[i]
		next := t.text(i + 1)
		switch {
		case models.IsDigit(w.text[0]) && !models.IsNumber(w.text) && units[strings.TrimLeft(w.text, "0123456789.")],
			models.IsNumber(w.text) && (strings.Contains(w.text, ".") || len(w.text) >= 8 || countWords[next] && (len(w.text) <= 3 || next != "inch")),
			i > 0 && t.isYear(i),
			models.IsNumber(w.text) && (t.isZoom(i) || t.isBareZoom(i) || i > 0 && t.isBareZoom(i-1)),
			len(w.text) > 2 && w.text[0] == 'f' && models.IsNumber(w.text[1:]) && strings.Contains(w.text, "."):
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
			for j := i + 1; j < min(i+5, len(t.words)) && len(t.words[j].text) <= 2 && models.IsDigit(t.words[j].text[0]); j++ {
				t.words[j].quantity = true
			}
		}
	}
}

// isYear reports whether a word is the year of the gear, and no part of its name: "SL2-S (2020)".
func (t *title) isYear(i int) bool {
	w := t.words[i].text
	return len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && models.IsNumber(w) && !strings.Contains(w, ".") && !t.r.nameWords[w]
}

// startsAperture reports whether an f-number without its decimal point starts
// at a word: "f 3 5 5 6", "f1 8g", "f2", and "1 4" after millimetres.
func (t *title) startsAperture(i int) bool {
	w := t.words[i].text
	behind := i > 0 && t.isMillimetres(i-1)
	next := t.text(i + 1)
	lost := next != "" && models.IsDigit(next[0]) && len(next) <= 2 && !t.words[i+1].quantity
	switch {
	case w == "f", len(w) == 1 && models.IsDigit(w[0]) && behind:
		return lost
	case isFNumber(w) && strings.Contains(w, "."):
		return lost // "f2.8-4"
	case len(w) <= 3 && isFNumber(w):
		return lost || behind
	}
	return false
}

// wholeNumber returns the number at a word. If a decimal point is missing, the
// word before it is the integer part: "12 1mp".
func (t *title) wholeNumber(i int) float64 {
	digits := strings.TrimRight(t.words[i].text, "abcdefghijklmnopqrstuvwxyz+")
	if before := t.text(i - 1); len(digits) == 1 && models.IsNumber(before) && len(before) <= 2 {
		digits = before
	}
	n, _ := strconv.ParseFloat(digits, 64)
	return n
}

// shortGeneration expands the generation in "5d2" or "1d 4". It returns the
// name and the index after its last word, or 0 if there is no generation.
func (t *title) shortGeneration(key string, to int) (name string, end int) {
	if next := t.text(to); len(next) == 1 && models.IsDigit(next[0]) && !t.words[to].quantity && !t.startsQuantity(to) {
		return key + "mk" + next, to + 1
	}
	if n := len(key); n > 2 && models.IsDigit(key[n-1]) && !models.IsDigit(key[n-2]) && strings.ContainsAny(key[:n-2], "0123456789") {
		return key[:n-1] + "mk" + key[n-1:], to
	}
	return "", 0
}

// isMillimetres reports whether a word is a number of millimetres: "55mm", "55
// mm".
func (t *title) isMillimetres(i int) bool {
	if mm, ok := strings.CutSuffix(t.words[i].text, "mm"); ok {
		return models.IsNumber(mm)
	}
	return models.IsNumber(t.words[i].text) && t.text(i+1) == "mm"
}

// isZoom reports whether a number and the millimetres after it are the focal
// lengths of an existing zoom, unlike "helios 44 58mm".
func (t *title) isZoom(i int) bool {
	if i+1 >= len(t.words) || !t.isMillimetres(i+1) {
		return false
	}
	if slices.ContainsFunc(t.r.names[t.text(i-1)+t.text(i)], spelling.isLens) {
		return false // "jupiter 12 35mm"
	}
	return t.r.lenses.has(t.text(i), strings.TrimSuffix(t.text(i+1), "mm"))
}

// isFilm reports whether "35mm" at a word is the film format.
func (t *title) isFilm(i int) bool {
	return t.words[i].text == "35mm" && filmWords[t.text(i+1)]
}

// offerEnd returns the index at which the title stops naming what is for sale
// and starts naming what it fits: "battery | for nikon d90".
func (t *title) offerEnd() int {
	for i, w := range t.words {
		switch {
		case w.text == "fits" || w.text == "compatible" || w.text == "replaces":
			return i
		case !forOthers[w.text]:
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

// startsModel reports whether a word is a brand, series or model code.
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

// allows reports whether the words [from, to) can mean a gear in their context.
func (t *title) allows(g *Gear, from, to int) bool {
	if !t.allowsBrand(g, from, to) || t.digital && film(g) {
		return false
	}
	if g.Category.Family() == models.FamilyLens && t.focalEnd >= 0 && (focal{g.FocalMin, g.FocalMax} != t.focal) {
		return false
	}
	if mp := reusedNames[g.Slug()]; mp > 0 && t.megapixels > 0 && (t.megapixels > 2*mp || t.megapixels < mp/2) {
		return false
	}
	if from > 0 {
		before := t.words[from-1]
		if lensSeries[before.text] != "" && t.focalEnd < 0 && g.Category.Family() == models.FamilyCamera {
			return false // the adapter "EF-EOS R"
		}
		if before.series != nil && !before.series.includes(g) {
			return false
		}
		if (before.text == "dc" || before.text == "dmc") && g.BrandSlug == "panasonic" && !hasCode(g, before.text+"-") {
			return false
		}
		if len(before.text) == 1 && strings.Contains("cdegklmpqstvxz", before.text) && t.words[from].brand == "" {
			return false // part of another name: "x s10"
		}
	}
	if s := t.words[from].series; s != nil && !s.includes(g) {
		return false
	}
	return to == len(t.words) || t.allowsNext(g, from, to)
}

func (t *title) allowsBrand(g *Gear, from, to int) bool {
	if len(t.brands) == 0 {
		return t.words[to-1].end-t.words[from].start >= 4
	}
	for brand := range t.brands {
		if sameBrand(brand, g.BrandSlug) {
			return true
		}
	}
	return false
}

// allowsNext reports whether the name ends at to: the next word must not make
// it the name of another model.
func (t *title) allowsNext(g *Gear, from, to int) bool {
	next, last := t.words[to], t.words[to-1].text
	name := t.joined[t.words[from].start:t.words[to-1].end]
	switch {
	case models.IsNumber(next.text) && len(next.text) <= 3 && !next.quantity && (!t.startsQuantity(to) || t.isFocal(to+1) && g.Category.Family() == models.FamilyLens) && (t.r.numbers[name] || t.r.numbers[brandWord(g.BrandSlug)+name]):
		return false // the H4D is not the H4D-31
	case isGeneration(next.text), len(next.text) > 1 && strings.Trim(next.text, "ivx") == "", next.text == "mark", next.text == "mk", next.text == "typ", next.text == "hs":
		return false
	case next.quantity || t.startsQuantity(to):
		return true
	case strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") != "": // contains a digit
		return !t.continuesName(g, to)
	case models.IsNumber(next.text) && len(next.text) <= 4:
		return false // the Coolpix A is not the Coolpix A 100
	case len(last) == 1 && to-from <= 2 && !t.hasDigit(match{from: from, to: to}):
		return next.filler || next.brand != "" || knownWords[next.text] && len(next.text) > 3 && t.words[from].brand != "" // a short name needs evidence
	}
	return !t.continuesName(g, to)
}

// continuesName reports whether the word after the name of a gear makes it
// another model's name: a letter that is not a kit suffix, or a word in
// r.endings.
func (t *title) continuesName(g *Gear, to int) bool {
	next := t.words[to].text
	ending := t.r.endings[[2]string{g.BrandSlug, next}] && next != "w" && next != "a"
	if len(next) == 1 && (strings.Contains("cehnrstvx", next) || film(g) && strings.Contains("bdfgklmp", next)) {
		again := listWords[next] && t.startsModel(to+1) || hasModelNumber(t.text(to+1)) && !t.words[to+1].quantity && !t.startsQuantity(to+1) && len(t.r.names[next+t.text(to+1)]) > 0 // "c 450 c 450"
		return !again && (ending || !isKitSuffix(g, next))
	}
	itself := slices.ContainsFunc(t.r.names[next], func(s spelling) bool { return s.gear == g }) || // "500d t1i"
		ending && slices.ContainsFunc(g.Aliases, func(alias string) bool { return slices.Contains(strings.Fields(strings.ToLower(alias)), next) })
	return ending && !itself && !isKitSuffix(g, next)
}

// startsQuantity reports whether the number at a word is the integer part of a
// quantity without its decimal point ("18 0 mp", "12 1mp") or the short end of
// a zoom.
func (t *title) startsQuantity(i int) bool {
	w := t.words[i].text
	if !models.IsNumber(w) || i+1 >= len(t.words) {
		return false
	}
	next := t.words[i+1]
	switch {
	case strings.Contains(next.text, "."):
		return commonFNumbers[next.text] // "50 1.8"
	case next.quantity && (len(w) <= 2 && !t.isYear(i+1) || strings.HasSuffix(next.text, "mm")):
		return true
	}
	return models.IsNumber(next.text) && countWords[t.text(i+2)]
}

// isFocal reports whether the focal length of a lens ends at a word.
func (t *title) isFocal(i int) bool { return i < len(t.words) && t.isMillimetres(i) }

// mayBeQuantity reports whether a word is a number that could be either part of
// a name or a quantity.
func (t *title) mayBeQuantity(i int) bool {
	return models.IsNumber(t.words[i].text) && t.startsQuantity(i)
}

func (t *title) hasDigit(m match) bool {
	return strings.ContainsAny(t.joined[t.words[m.from].start:t.words[m.to-1].end], "0123456789")
}

// bare reports whether no brand or series is next to the words [from, to).
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
		case !w.filler && !w.quantity && !t.startsQuantity(i) && !models.IsNumber(w.text):
			return true
		}
	}
	return true
}

// unknownModel reports whether a model code follows a brand or series outside
// the match.
func (t *title) unknownModel(m match) bool {
	beside := false
	for i, w := range t.words {
		switch {
		case w.brand != "":
			beside = true
		case i >= m.from && i < m.to:
			beside = false
		case w.quantity || t.startsQuantity(i) || w.filler, m.gear != nil && w.text == t.joined[t.words[m.from].start:t.words[m.to-1].end]:
		case beside && len(w.text) <= 8 && strings.ContainsAny(w.text, "0123456789"):
			return true
		case len(w.text) > 3:
			beside = false
		}
	}
	return false
}

// video reports whether a title offers a video, web or security camera.
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

// isKnown reports whether a word is part of a name of gear, or one that changes nothing.
func (t *title) isKnown(i int) bool {
	w := t.words[i].text
	if changesNothing(w) || mountWords[w] || forOthers[w] || t.r.nameWords[w] && !accessoryFirst[w] || t.r.lenses.letters[w] || lensSeries[w] != "" || sigmaLines[w] != "" {
		return true
	}
	if accessoryWords[w] && !t.isAccessory(i) {
		return true // "2 batteries"
	}
	switch next := t.text(i + 1); next {
	case "edition", "version":
		return true
	case "count", "actuations", "clicks":
		return w == "shutter"
	}
	if w == "shutter" && i > 0 && models.IsDigit(t.words[i-1].text[0]) {
		return true // "12k shutter"
	}
	return len(w) < 2 || slices.ContainsFunc(compoundEnds, func(end string) bool { return strings.HasSuffix(w, end) })
}

// wanted reports whether a title asks for gear, or compares something with it.
func (t *title) wanted() bool {
	n := len(t.words)
	for i := range min(2, n) {
		if wantedWords[t.text(i)] || i == 0 && wantedFirst[t.text(i)] {
			return true
		}
	}
	return n > 0 && wantedLast[t.text(n-1)] || t.text(0) == "looking" && t.text(1) == "for"
}

func (t *title) lot() bool {
	if first := t.text(0); len(first) == 1 && first >= "2" && first <= "9" && t.text(1) != "" && (t.words[1].brand != "" || t.text(1) == "x") {
		return true
	}
	if first := t.text(0); len(first) == 2 && first[1] == 'x' && first[0] >= '2' && first[0] <= '9' || lotWords[first] || (first == "pair" || first == "set") && partitives[t.text(1)] {
		return true
	}
	for i, w := range t.words {
		next := t.text(i + 1)
		if w.text == "konvolut" || w.text == "lot" && (next == "" || next == "de" || next == "of" || models.IsNumber(next) && len(next) <= 2 || t.text(i-1) == "job") {
			return true
		}
	}
	return false
}

// accessory reports whether a title offers an accessory: it names one before
// any evidence that the camera itself is for sale, or that the accessory is
// included with it.
func (t *title) accessory() bool {
	if t.text(0) == "box" && t.text(1) == "only" || t.endsWith("box", "only") || t.endsWith("empty", "box") || t.brands["lego"] || t.brands["nerf"] {
		return true
	}
	if accessoryFirst[t.text(0)] || packed[t.text(0)] && accessoryFirst[t.text(1)] || t.text(0) == "t" && t.text(1) == "shirt" {
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
	if before := t.text(i - 1); i > 2 && len(before) == 1 && t.words[i-1].quantity && t.text(i-2) != "f" || i > 2 && (includedWords[next] || next == "not" && includedWords[t.text(i+2)]) {
		return false // "with 2 batteries", "case included"
	}
	switch t.words[i].text {
	case "manual":
		return !manualThings[next] // "manual focus" is not a book
	case "kit":
		return partsOfKits[t.text(i-1)]
	case "memory":
		return next == "card"
	case "screen":
		return t.text(i-1) == "focusing" || t.text(i-1) == "focussing"
	case "back", "magazine":
		return filmBacks[t.text(i-1)]
	case "fuoco":
		return t.text(i-2) == "messa" // focusing screen
	case "empty":
		return next == "box"
	case "film":
		return filmThings[next] || makesFilm(t) && i > 0 && t.words[i-1].brand != "fujifilm" && !testedWords[next] && !slices.ContainsFunc(t.words, func(w titleWord) bool { return cameraWords[w.text] })
	}
	return accessoryWords[t.words[i].text]
}

// makesFilm reports whether a title names a brand of film: "Rollei 35 film Retro 80S".
func makesFilm(t *title) bool {
	return slices.ContainsFunc(filmMakers, func(brand string) bool { return t.brands[brand] })
}

func (t *title) endsWith(first, second string) bool {
	n := len(t.words)
	return t.text(n-2) == first && t.text(n-1) == second
}

// isEvidence reports whether a word shows that a camera is for sale, unlike
// "camera" before "battery".
func (t *title) isEvidence(i int) bool {
	return cameraWords[t.words[i].text] && !accessoryWords[t.text(i+1)] || t.isMegapixels(i)
}

// isMegapixels reports whether a word is a number of megapixels: "12mp", "12
// mp".
func (t *title) isMegapixels(i int) bool {
	w, next := t.words[i].text, t.text(i+1)
	if mp, ok := strings.CutSuffix(w, "mp"); ok {
		return models.IsNumber(mp)
	}
	return models.IsNumber(w) && next != "mps" && (strings.HasPrefix(next, "mp") || strings.HasPrefix(next, "mega"))
}

// camera reports whether a title says that it offers a camera, named or not.
func (t *title) camera() bool {
	for i, w := range t.words[:t.offered] {
		if !lensWordsToo[w.text] && t.isEvidence(i) {
			return true
		}
	}
	return false
}

// includes reports whether gear can be of a series.
func (s *series) includes(g *Gear) bool {
	if g.Category.Family() == models.FamilyLens {
		return true
	}
	return sameBrand(s.brand, g.BrandSlug) && (len(s.kinds) == 0 || slices.Contains(s.kinds, g.Category)) &&
		(s.code == "" || hasCode(g, s.code))
}

// hasCode reports whether a name of a gear contains a maker's code.
func hasCode(g *Gear, code string) bool {
	has := func(name string) bool { return strings.Contains(strings.ToLower(name), code) }
	return has(g.Model) || slices.ContainsFunc(g.Aliases, has)
}

func film(g *Gear) bool {
	return g.Category == "film_slr" || g.Category == "large_format" || strings.Contains(g.Format, "film") || strings.HasPrefix(g.Format, "6x")
}

// canonicalBrand returns one slug for all brands of a maker.
func canonicalBrand(brand string) string {
	if first, ok := brandAliases[brand]; ok {
		return first
	}
	return brand
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
		if f.max, _ = strconv.ParseFloat(mm, 64); f.max == 0 {
			continue // "0mm"
		}
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
	if len(next) == 1 && models.IsDigit(next[0]) && i > 0 && t.r.lenses.letters[t.text(i-1)] && t.r.lenses.hasAperture(t.text(i), next) && !countWords[t.text(i+2)] {
		return true // "Flektogon 20 4"
	}
	return models.IsNumber(t.text(i)) && (commonFNumbers[next] || isFNumber(next)) && !countWords[t.text(i+2)] && t.r.lenses.has(t.text(i), t.text(i))
}

// commonFNumbers are numbers that are almost always f-numbers.
var commonFNumbers = models.WordSet("0.95 1.1 1.2 1.4 1.5 1.7 1.8 1.9 2.2 2.4 2.5 2.8 3.5 4.5 5.6 6.3")

var filmWords = models.WordSet("film slr camera cameras rangefinder format point compact")

// plainMounts are names of mounts of one word that are nothing else in a title.
var plainMounts = models.WordSet("cy fourthirds mft m43 m42 m39 l39 ltm pk qbm adaptall")

// zeissMounts are letters that makers of lenses append to their names for a mount.
var zeissMounts = models.WordSet("ze zf zk zm vm")

// mountWords stand before or after the name of a mount.
var mountWords = models.WordSet("mount mounts mt fit fitting bajonett bayonet bayoneta baionetta anschluss monture montura attacco innesto")

func (r *Resolver) addMountName(written string, mounts []string) {
	words := r.words(written)
	branded := r.brands[words[0]] != ""
	name := mountName{words: words, mounts: mounts, plain: branded && len(words) > 1 || plainMounts[words[0]] || len(words) > 2 && words[0] == "micro" || plainMounts[joinWords(words)], maker: branded && len(words) == 1}
	r.mounts[words[0]] = append(r.mounts[words[0]], name)
}

// nameAt returns the longest name of a mount at a word of a title.
func (names titleMounts) nameAt(t *title, at int) (mountName, bool) {
	for _, name := range names[t.words[at].text] {
		if at+len(name.words) > len(t.words) {
			continue
		}
		same := true
		for i, w := range name.words[1:] {
			same = same && t.words[at+1+i].text == w
		}
		if same {
			return name, true
		}
	}
	return mountName{}, false
}

// readMounts marks the words that name the mount of a lens, and collects the mounts.
func (t *title) readMounts() {
	for i := 0; i < len(t.words); i++ {
		name, ok := t.r.mounts.nameAt(t, i)
		if !ok {
			continue
		}
		end := i + len(name.words)
		from, to := i, end
		if mountWords[t.text(end)] {
			to++
		} else if i > 0 && mountWords[t.text(i-1)] {
			from--
		}
		if beside := from < i || to > end; !t.isMount(name, i, end, beside) {
			continue
		}
		t.mounts = append(t.mounts, name.mounts...)
		t.markMount(from, to)
		i = to - 1
	}
}

// isMount reports whether the name of a mount at the words [from, to) is that of a lens that the
// title offers, and not a camera.
func (t *title) isMount(name mountName, from, to int, beside bool) bool {
	behind := t.focalEnd >= 0 && from > t.focalEnd || t.focalEnd < 0 && t.onlyLensesBefore(from)
	switch {
	case name.maker:
		return t.lensMakerBefore(from) && (beside || (behind || t.offered <= from) && !t.startsModel(to))
	case beside:
		return t.focalEnd >= 0 || t.lensMakerBefore(len(t.words))
	case !name.plain && !(zeissMounts[name.words[0]] && t.lensMakerBefore(from)):
		return false
	}
	return (behind || t.offered <= from) && !t.continuesModel(to) && (t.offered <= from || !t.addsMore(from-1))
}

// onlyLensesBefore reports whether a maker of lenses who makes no cameras is named before a word.
func (t *title) onlyLensesBefore(at int) bool {
	for _, w := range t.words[:at] {
		if w.brand != "" && t.r.lensMakers[w.brand] && !t.r.cameraMakers[w.brand] {
			return true
		}
	}
	return false
}

// continuesModel reports whether the word after the name of a mount makes it a camera.
func (t *title) continuesModel(i int) bool {
	w := t.text(i)
	return isGeneration(w) || w == "typ" || w == "body" || w == "camera" || models.IsNumber(w) && !t.words[i].quantity && !t.startsQuantity(i)
}

// lensMakerBefore reports whether a maker of lenses for other makers' cameras is named before a
// word.
func (t *title) lensMakerBefore(at int) bool {
	for _, w := range t.words[:at] {
		if w.brand != "" && t.r.lensMakers[w.brand] {
			return true
		}
	}
	return false
}

// markMount marks the words [from, to) as those of a mount. Its maker is that of the lens only
// if the title names no other.
func (t *title) markMount(from, to int) {
	other := false
	for i, w := range t.words[:min(t.offered, len(t.words))] {
		other = other || w.brand != "" && (i < from || i >= to)
	}
	for i := from; i < to; i++ {
		w := &t.words[i]
		if w.brand != "" && !other {
			continue
		}
		w.brand, w.series, w.mount, w.quantity = "", nil, true, true
	}
}

// fitsMounts reports whether a lens has one of the mounts that the title names.
func (t *title) fitsMounts(g *Gear) bool {
	for _, mount := range t.mounts {
		if strings.Contains(g.Mount, mount) && slices.Contains(g.Mounts(), mount) {
			return true
		}
	}
	return false
}

// isMountLetter reports whether a word of a lens name stands for one of the mounts that the title
// names: "ze" for Canon EF.
func isMountLetter(t *title, w string) bool {
	for _, name := range t.r.mounts[w] {
		if len(name.words) == 1 && slices.ContainsFunc(name.mounts, func(mount string) bool { return slices.Contains(t.mounts, mount) }) {
			return true
		}
	}
	return false
}
