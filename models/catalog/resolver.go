package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Resolver identifies the gear offered by a marketplace title. Titles are
// messy: "cannon 5dmkii body w/ 50mm", "dmc fz200k 12 1mp", "battery for nikon
// d90". It matches whole model names only, never similar digits, so that a
// camera missing from the catalogue is not mistaken for another.
//
// It indexes all spellings of all names, each as one word ("eos5dmk2",
// "5dmk2"), and looks up runs of words of the title, so that the cost depends
// on the length of the title and not on the size of the catalogue. A Resolver
// is immutable and safe for concurrent use.
type Resolver struct {
	names       map[string][]spelling
	lenses      *lensIndex
	brands      map[string]string  // spelling of a brand as one word → brand slug
	phrases     map[string]string  // brand or series of several words → as one word; the first words of such phrases → ""
	endings     map[[2]string]bool // brand and word that extends the name of another of its models: "leica", "monochrom"
	endingWords map[string]bool    // the words of endings
	typos       []string           // words eligible for typo correction
	nameWords   map[string]bool    // words of the names of cameras
	numbers     map[string]bool    // names that a number makes those of other models: "hasselbladh4d" of the H4D-40

	mounts     titleMounts
	lensMakers map[string]bool // brands of lenses for the mounts of others

	cameraMakers map[string]bool     // brands of cameras
	full         map[string][]uint16 // the names of the Lookup
	gear         []*Gear             // by the numbers of the Lookup
	reused       map[*Gear]bool      // film and digital cameras of the same name: "Leica CL"
}

// Resolution is the result of resolving a title.
type Resolution struct {
	Gear       *Gear   // nil if the title names no gear of the catalogue, or several
	Confidence float64 // share of such titles that are right, 0 to 1
	Reason     string  // one of the Reason constants
}

// Confident reports whether the title names its gear without doubt.
func (r Resolution) Confident() bool { return r.Gear != nil && r.Confidence >= ConfidenceThreshold }

// Reasons for a result.
const (
	ReasonName      = "named with its brand or series"
	ReasonCode      = "named by the maker's order code"
	ReasonBare      = "named without its brand beside it"
	ReasonLens      = "lens by its focal length, aperture and letters"
	ReasonNoModel   = "no model named"
	ReasonUnknown   = "model not in the catalogue"
	ReasonAccessory = "accessory"
	ReasonVideo     = "security, web or video camera"
	ReasonSeveral   = "several models"
	ReasonLot       = "lot"
	ReasonWanted    = "wanted, not offered"
	ReasonAmbiguous = "fits several lenses"
	ReasonUnsure    = "not certain"
)

// spelling is a spelling of the name of a gear.
type spelling struct {
	gear    *Gear
	derived bool  // shortened by the resolver; yields to names in the catalogue
	region  uint8 // index of the last word omitted before it in regionalSeries, or 0
}

func (s spelling) isLens() bool { return s.gear.Category.Family() == models.FamilyLens }

// longestName is the number of words of a title that may be all name.
const longestName = 12

// maxNameWords is the maximum number of words in a name.
const maxNameWords = 7

// newResolver builds a Resolver for a catalogue. It takes about 50 ms.
func newResolver(c *catalog) *Resolver {
	r := &Resolver{
		names:   map[string][]spelling{},
		brands:  map[string]string{},
		phrases: map[string]string{},
		endings: map[[2]string]bool{},
		numbers: map[string]bool{}, nameWords: map[string]bool{},
	}
	r.addBrands(c)
	r.addMounts(c)
	r.lenses = newLensIndex()
	for _, g := range c.gear {
		r.addGear(g)
	}
	for _, g := range c.gear {
		r.addEndings(g)
	}
	r.endingWords = map[string]bool{}
	for ending := range r.endings {
		r.endingWords[ending[1]] = true
	}
	r.addReused(c)
	r.full, r.gear = c.lookup().names, c.lookup().gear
	for _, ending := range uncataloguedEndings {
		r.endings[ending] = true
	}
	return r
}

// resolve identifies the gear of a title that is no lot and not wanted.
func (r *Resolver) resolve(t *title) Resolution {
	matches := r.bodies(t)
	t.matches = matches
	if t.accessory() {
		if len(matches) == 1 && matches[0].gear.Category == "accessory" && !slices.ContainsFunc(t.words[:matches[0].from], func(w titleWord) bool { return w.brand == "" }) {
			return matches[0].resolution()
		}
		return Resolution{Reason: ReasonAccessory}
	}
	var lens Resolution
	if !t.camera() {
		var words wordList
		lens, words = r.lens(t)
		if slices.ContainsFunc(matches, func(m match) bool { return m.gear == lens.Gear }) {
			lens.Confidence = max(lens.Confidence, 0.9) // its code is named, too
		}
		with := slices.ContainsFunc(matches, func(m match) bool { return m.gear.Category.Family() == models.FamilyCamera && t.adds(m.to, t.focalEnd) }) // "XPan + 45mm"
		if lens.Gear != nil && !with && t.within(matches, lens.Gear, words) || lens.Reason != "" && len(matches) == 0 {
			return lens
		}
	}
	switch {
	case len(matches) == 1 && matches[0].gear.Category == "medium_format" && lens.Confidence > sure && lens.Gear.Mount == matches[0].gear.Mount && !t.adds(matches[0].to, t.focalEnd):
		return Resolution{Reason: ReasonSeveral} // "Mamiya RZ67 Sekor Z 150mm f/3.5": a lens, or a camera with it
	case len(matches) > 0 && t.focalEnd >= 0 && matches[0].from > t.focalEnd && len(t.apertures(t.focalEnd)) > 0 && !t.camera() && !t.adds(t.focalEnd, matches[0].from):
		return Resolution{Reason: ReasonSeveral} // a lens, and the camera it is for
	case len(matches) == 1 && t.namesMount(matches[0]):
		return Resolution{Reason: ReasonSeveral}
	case len(matches) == 1 && !(matches[0].bare && t.unknownModel(matches[0])):
		return doubtEnding(t, matches[0])
	case len(matches) > 1:
		return Resolution{Reason: ReasonSeveral}
	case t.unknownModel(match{from: -1}):
		return Resolution{Reason: ReasonUnknown}
	}
	return Resolution{Reason: ReasonNoModel}
}

// doubtEnding returns the resolution of a match, less certain if the word after it may make it the name of
// a model that the catalogue lacks: "Super", "AF2", "LK".
func doubtEnding(t *title, m match) Resolution {
	found := m.resolution()
	if lensBeside(t, m) ||
		otherFormat(t, m.gear) || otherLens(t, m.gear) || namesAnother(t, m) || mayContinue(t, m) {
		found.Confidence = min(found.Confidence, unsure)
	}
	return found
}

// lensBeside reports whether an f-number stands before a camera with interchangeable lenses, or right after
// it, so that the title may offer a lens: "Sekor C 90 3.8 RB67", "Nikon Z 50 0.7".
func lensBeside(t *title, m match) bool {
	if m.gear.Mount == "" || t.focalEnd >= 0 {
		return false
	}
	for i := 0; i <= min(m.to, len(t.words)-1); i++ {
		if w := t.words[i].text; (i < m.from || i == m.to) && looksLikeAperture(w) && !filmStock[w] {
			return true
		}
	}
	return false
}

// mayContinue reports whether the word after a camera may be part of the name of another.
func mayContinue(t *title, m match) bool {
	if m.to >= t.offered || m.gear.Category.Family() != models.FamilyCamera {
		return false
	}
	w, next := t.words[m.to], t.text(m.to+1)
	switch {
	case w.quantity || w.brand != "" || w.series != nil || t.startsQuantity(m.to),
		withWords[w.text] || forOthers[w.text] || listWords[w.text] || negations[w.text] || t.r.mounts[w.text] != nil || slices.ContainsFunc(t.r.names[w.text], func(s spelling) bool { return s.gear == m.gear }):
		return false
	case (versionWords[w.text] || accessoryFirst[w.text]) && (len(next) < 3 || !changesNothing(next)):
		return true
	}
	return !changesNothing(w.text) && (t.r.endingWords[w.text] || len(w.text) < 4 && !models.IsDigit(w.text[0]) || isCode(w.text))
}

// adds reports whether a word between two others joins two things that are sold together.
func (t *title) adds(from, to int) bool {
	for i := from; i < to; i++ {
		if t.addsMore(i) {
			return true
		}
	}
	return false
}

// match is gear named by the words [from, to) of a title.
type match struct {
	gear     *Gear
	from, to int
	bare     bool // without brand or series before it
	code     bool // a suffix for colour, kit or region was removed
}

// others returns the cameras named without their brand after another: "Nikon F3 and FM2".
func (t *title) others(all, branded []match) (others []match) {
	for i, m := range all {
		if i == 0 || !m.bare || all[i-1].to != m.from-1 || !listWords[t.text(m.from-1)] || m.gear.Category.Family() != models.FamilyCamera {
			continue
		}
		if !slices.ContainsFunc(branded, func(b match) bool { return b.gear == m.gear }) {
			others = append(others, m)
		}
	}
	return others
}

// addGear indexes the spellings of a gear.
func (r *Resolver) addGear(g *Gear) {
	names := append([]string{g.Model}, g.Aliases...)
	isLens := g.Category.Family() == models.FamilyLens
	if isLens {
		r.lenses.add(g, r)
	} else {
		for _, e := range g.EXIF {
			names = append(names, e.Model)
		}
	}
	for _, name := range names {
		words, derived := r.words(name), false
		if g.Category.Family() == models.FamilyCamera {
			for _, w := range words {
				r.nameWords[w] = true
			}
		}
		for len(words) > 1 && r.brands[words[0]] == g.BrandSlug {
			words = words[1:]
		}
		if rest := withoutOptics(g, words); isLens && len(rest) < len(words) {
			if !slices.ContainsFunc(rest, hasModelNumber) {
				continue // "ef usm" does not identify a lens; "helios 44 2" does
			}
			words, derived = rest, true
		}
		r.addSpelling(words, spelling{gear: g, derived: derived})
		for _, short := range shortNames(g, words) {
			r.addSpelling(short.words, spelling{g, true, uint8(max(0, slices.Index(regionalSeries, short.lead)))})
		}
	}
}

// addEndings collects the words that turn the name of one camera into that of
// another of the same brand.
func (r *Resolver) addEndings(g *Gear) {
	if g.Category.Family() != models.FamilyCamera {
		if words := withoutOptics(g, r.words(g.Model)); len(words) > 2 && models.IsNumber(words[1]) && models.IsNumber(words[2]) {
			r.numbers[brandWord(g.BrandSlug)+joinWords(words[:2])] = true // "helios 44 2"
		}
		return
	}
	for _, name := range append([]string{g.Model}, g.Aliases...) {
		words := r.words(name)
		for i := 1; i < len(words); i++ {
			if models.IsNumber(words[i]) && len(words[i]) <= 3 {
				r.numbers[brandWord(g.BrandSlug)+joinWords(words[:i])] = true
			}
			for _, s := range r.names[brandWord(g.BrandSlug)+joinWords(words[:i])] {
				if !s.derived && s.gear != g && s.gear.BrandSlug == g.BrandSlug && !fillers[words[i]] && !trailingWords[words[i]] {
					r.endings[[2]string{g.BrandSlug, words[i]}] = true
				}
			}
		}
	}
}

// withoutOptics returns the words of a lens name other than focal length and
// aperture.
func withoutOptics(g *Gear, words []string) []string {
	var rest []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case isFNumber(w):
			if i+1 < len(words) && models.IsNumber(words[i+1]) { // f/4-8
				i++
			}
		case strings.HasSuffix(w, "mm"), strings.Contains(w, "."):
		case g.FocalMin < g.FocalMax && w == formatNumber(g.FocalMin) && i+1 < len(words) && words[i+1] == formatNumber(g.FocalMax)+"mm":
		default:
			rest = append(rest, w)
		}
	}
	return rest
}

// addReused collects the film and digital cameras that differ only by what their model has in brackets.
func (r *Resolver) addReused(c *catalog) {
	r.reused = map[*Gear]bool{}
	named := map[string][]*Gear{}
	for _, g := range c.gear {
		if g.Category.Family() == models.FamilyCamera {
			model, _, _ := strings.Cut(g.Model, " (")
			key := canonicalBrand(g.BrandSlug) + strings.Join(models.Words(model), "")
			named[key] = append(named[key], g)
		}
	}
	for _, all := range named {
		if slices.ContainsFunc(all, film) && slices.ContainsFunc(all, func(g *Gear) bool { return !film(g) }) {
			for _, g := range all {
				r.reused[g] = g.BrandSlug != "om-system" // which names itself
			}
		}
	}
}

// addSpelling indexes a spelling with the brand and, if it is distinctive,
// without.
func (r *Resolver) addSpelling(words []string, s spelling) {
	if len(words) == 0 {
		return
	}
	key := joinWords(words)
	if s.derived && len(key) < 3 && models.IsNumber(key) {
		return // "EOS 7" is not "Canon 7"
	}
	if distinctive(words, key) {
		r.add(key, s)
	}
	r.add(joinWords(append([]string{brandWord(s.gear.BrandSlug)}, words...)), s)
}

func (r *Resolver) add(key string, s spelling) {
	for i, other := range r.names[key] {
		if other.gear == s.gear {
			if other.derived && !s.derived {
				r.names[key][i] = s
			}
			return
		}
	}
	r.names[key] = append(r.names[key], s)
}

// distinctive reports whether a name is unambiguous without its brand: it mixes
// letters and digits ("d90"), or is a series with a model ("rebel xti").
func distinctive(words []string, key string) bool {
	if len(words) == 1 && isGeneration(key) || len(words) == 2 && models.IsNumber(words[0]) && fillers[words[1]] {
		return false // "4 black"
	}
	hasDigits := strings.ContainsAny(key, "0123456789")
	hasLetters := strings.Trim(key, "0123456789.") != ""
	if hasDigits && hasLetters {
		return len(key) > 1
	}
	_, series := seriesWords[words[0]]
	return len(words) > 1 && (series || hasLetters && len(key) >= 8)
}

// short is a shortened name.
type short struct {
	words []string
	lead  string // last word omitted before it
}

// shortNames returns names as people shorten them: without the series before
// the model ("sx50hs" for "PowerShot SX50 HS") and without the features after
// it ("sx50").
func shortNames(g *Gear, words []string) []short {
	var out []short
	for end := len(words); end > 0; end-- {
		lead := ""
		for start := 0; start < end; start++ {
			if (start > 0 || end < len(words)) && slices.ContainsFunc(words[start:end], hasModelNumber) {
				out = append(out, short{words[start:end], lead})
			}
			if lead = words[start]; !leadingWords[lead] {
				break
			}
		}
		if !trailingWords[words[end-1]] {
			break
		}
	}
	if len(words) > 2 && words[0] == "powershot" && words[1] == "elph" {
		out = append(out, short{append([]string{words[0]}, words[2:]...), ""})
	}
	if i := slices.Index(words, "typ"); i > 0 {
		out = append(out, short{words[:i], ""})
	}
	if i := slices.Index(words, "digital"); i >= 0 && len(words) > 2 && g.BrandSlug == "canon" {
		without := append(slices.Clone(words[:i]), words[i+1:]...)
		if _, series := seriesWords[without[len(without)-1]]; !series {
			out = append(out, short{without, ""})
			out = append(out, shortNames(g, without)...)
		}
	}
	return out
}

// hasModelNumber reports whether a word has digits and is not a generation.
func hasModelNumber(w string) bool { return strings.ContainsAny(w, "0123456789") && !isGeneration(w) }

// joinWords concatenates words, with a point only between two digits.
func joinWords(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 && runTogether(words[i-1], w) {
			b.WriteByte('.')
		}
		b.WriteString(w)
	}
	return b.String()
}

func runTogether(a, b string) bool {
	return a != "" && b != "" && models.IsDigit(a[len(a)-1]) && models.IsDigit(b[0])
}

// brandWord returns a brand slug as one word.
func brandWord(slug string) string { return strings.ReplaceAll(slug, "-", "") }

// maxKitSuffix is the number of letters that may denote a kit.
const maxKitSuffix = 8

// isKitSuffix reports whether the letters after a model code only denote a
// colour, kit or region.
func isKitSuffix(g *Gear, letters string) bool {
	if letters == "plus" {
		return g.Category == "dslr" || g.Category == "mirrorless" // "d90+ 18-55mm"
	}
	switch g.BrandSlug {
	case "sony":
		if strings.HasPrefix(g.ModelSlug, "rx") || strings.Contains(g.ModelSlug, "-rx") {
			return letters == "b" || letters == "s"
		}
		if g.Category == "compact" {
			return len(letters) <= 2 && strings.Trim(letters, "bswplrgndtc") == ""
		}
		return len(letters) <= 2 && strings.Trim(letters, "klymxqzdbw") == ""
	case "panasonic":
		if strings.Contains(g.ModelSlug, "dmc-") {
			for _, region := range [...]string{"eb", "eg", "ef", "ec", "ee", "gk", "gn", "gc", "gd", "pu", "pp", "pc", "sg"} {
				letters = strings.TrimPrefix(letters, region)
			}
			return len(letters) <= 2 && strings.Trim(letters, "kswpratnvdghcx") == ""
		}
		return letters == "k" || letters == "ebk" || letters == "egk"
	case "casio":
		return len(letters) == 2 && strings.Contains(" bk rd be pk sr we gd pe gn bn vt eo yw ", " "+letters+" ")
	case "samsung":
		return len(letters) >= 3 && letters[0] == 'z'
	case "olympus":
		return letters == "ihs"
	}
	return false
}

// ConfidenceThreshold is the minimum confidence at which a resolved gear is accepted without asking.
// A wrong gear spoils a price, and a question costs a click: at most one in twenty may be wrong.
const ConfidenceThreshold = 0.95

// confidence returns the share of labelled titles with a score that were right.
func confidence(score float64) float64 {
	switch {
	case score == 0:
		return 0
	case score < sure:
		return 0.66
	case score < sure+0.1:
		return 0.98
	}
	return 0.99
}

// sure is the score from which almost all titles are right.
const sure = 0.8

// namesMount reports whether the name of a camera is also that of its mount, and a focal length
// follows: "Contax 645 Planar 80mm f/2" and "RZ67 Sekor Z 150mm" are lenses for it.
func (t *title) namesMount(m match) bool {
	if t.focalEnd < m.to || m.gear.Category.Family() != models.FamilyCamera || t.camera() || t.adds(m.to, t.focalEnd) {
		return false
	}
	name, ok := t.r.mounts.nameAt(t, m.from)
	return ok && m.from+len(name.words) == m.to && slices.Contains(name.mounts, m.gear.Mount)
}

// namesAnother reports whether a word after a camera is the name of another of its brand: "Polaroid 600
// Impulse".
func namesAnother(t *title, m match) bool {
	for i := m.to; i < t.offered && m.gear.Category.Family() == models.FamilyCamera && !withWords[t.text(i)]; i++ {
		w := t.words[i]
		if w.quantity || w.brand != "" || changesNothing(w.text) || models.IsNumber(w.text) || t.startsQuantity(i) || isGeneration(t.text(i+1)) {
			continue
		}
		named := t.r.names[brandWord(m.gear.BrandSlug)+w.text]
		if len(named) > 0 && !slices.ContainsFunc(named, func(s spelling) bool { return s.gear == m.gear || s.isLens() }) {
			return true
		}
	}
	return false
}

// otherLens reports whether a title names words of lenses that a lens has not: "HD" with the name of an
// smc Pentax.
func otherLens(t *title, g *Gear) bool {
	alike := t.r.lenses.byFocal[focal{g.FocalMin, g.FocalMax}]
	i := slices.IndexFunc(alike, func(e lensEntry) bool { return e.gear == g })
	if i < 0 {
		return false
	}
	mentioned, _ := t.lensLetters()
	return namesOther(t, alike[i], mentioned)
}

// otherFormat reports whether a title names formats of roll film that a camera has not: "Ikonta 6x6".
func otherFormat(t *title, g *Gear) bool {
	names := func(w titleWord) bool { return len(w.text) == 3 && strings.HasPrefix(w.text, "6x") }
	return strings.HasPrefix(g.Format, "6x") && slices.ContainsFunc(t.words, names) &&
		!slices.ContainsFunc(t.words, func(w titleWord) bool { return names(w) && strings.HasPrefix(g.Format, w.text) })
}

// lensIndex finds lenses by focal length. Words such as "usm", "vr" and "macro"
// distinguish lenses with the same focal length.
type lensIndex struct {
	byFocal map[focal][]lensEntry
	letters map[string]bool    // words in the names of lenses
	names   map[string]string  // words in the names of lenses of one brand only → brand; "" if of several
	short   map[[2]string]bool // brands and words of up to two letters in the names of their lenses
}

type focal struct{ min, max float64 }

type lensEntry struct {
	gear       *Gear
	letters    wordList // words of the name other than focal length and aperture
	also       wordList // such words of its other names
	generation string   // "mk2", or "" for the first
	variable   bool     // the aperture of a zoom is not constant
}

// wordList is a set of a few words.
type wordList []string

func (l wordList) has(w string) bool { return slices.Contains(l, w) }

// with returns the list with a word.
func (l wordList) with(w string) wordList {
	if l.has(w) {
		return l
	}
	return append(l, w)
}

func newLensIndex() *lensIndex {
	return &lensIndex{byFocal: map[focal][]lensEntry{}, letters: map[string]bool{}, names: map[string]string{}, short: map[[2]string]bool{}}
}

func (x *lensIndex) add(g *Gear, r *Resolver) {
	if g.FocalMin == 0 {
		return
	}
	entry := lensEntry{gear: g, variable: variableAperture.MatchString(g.Model)}
	words := withoutOptics(g, r.words(g.Model))
	for i, w := range words {
		switch {
		case isGeneration(w) && !afterDi(words, i):
			entry.generation = w
		case r.brands[w] == "" && w != "lens":
			entry.letters = entry.letters.with(w)
			if brand, seen := x.names[w]; !seen && len(w) > 4 {
				x.names[w] = g.BrandSlug
			} else if brand != g.BrandSlug {
				x.names[w] = ""
			}
			x.letters[w] = true
			if len(w) <= 2 {
				x.short[[2]string{g.BrandSlug, w}] = true
			}
		}
	}
	for _, alias := range g.Aliases {
		for _, w := range withoutOptics(g, r.words(alias)) {
			if !entry.letters.has(w) && r.brands[w] == "" && !isGeneration(w) && !slices.Contains(stabilizers, w) {
				entry.also = entry.also.with(w)
			}
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

func isFNumber(w string) bool { return len(w) > 1 && w[0] == 'f' && models.IsNumber(w[1:]) }

func isGeneration(w string) bool {
	return len(w) == 3 && strings.HasPrefix(w, "mk") && models.IsDigit(w[2])
}

// words returns the words of a title or name. Brands and series are single
// words, and generations are separate.
func (r *Resolver) words(text string) []string { return r.grouped(plainWords(text)) }

// plainWords returns the words of a title, as names in the Lookup have them.
func plainWords(text string) []string { return models.Words(titleReplacer.Replace(spellStops(text))) }

// grouped joins and splits plain words as Resolver.words does.
func (r *Resolver) grouped(raw []string) []string {
	out := make([]string, 0, len(raw)+4)
	for i := 0; i < len(raw); i++ {
		w := raw[i]
		if whole, n := r.phrase(raw[i:]); n > 0 {
			out = append(out, whole)
			i += n - 1
			continue
		}
		if slug := r.brands[w]; slug != "" {
			w = brandWord(slug)
		}
		if parts := splitWord(w); parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, w)
		}
	}
	return removeNoise(out)
}

// addBrands collects the spellings of the brands in a catalogue, and the
// uncataloguedBrands.
func (r *Resolver) addBrands(c *catalog) {
	for phrase, whole := range phrases {
		r.phrases[phrase] = whole
	}
	for _, stranger := range uncataloguedBrands {
		r.brands[stranger] = stranger
	}
	for _, b := range c.brands {
		r.brands[brandWord(b.Slug)] = b.Slug
		if strings.Contains(b.Slug, "-") {
			r.phrases[strings.ReplaceAll(b.Slug, "-", " ")] = brandWord(b.Slug)
		}
	}
	for written, slug := range brandSpellings(c.gear, splitter{}.commonWords(c.gear)) {
		if strings.Contains(written, " ") {
			r.phrases[written] = brandWord(slug)
		}
		r.brands[strings.ReplaceAll(written, " ", "")] = slug
	}
	for phrase := range r.phrases {
		first, _, _ := strings.Cut(phrase, " ")
		r.phrases[first] += ""
	}
	for word := range r.brands {
		if len(word) >= 5 {
			r.typos = append(r.typos, word)
		}
	}
	for word := range seriesWords {
		if len(word) >= 6 {
			r.typos = append(r.typos, word)
		}
	}
	slices.Sort(r.typos)
}

// titleMounts are the names of mounts in titles, by their first word.
type titleMounts map[string][]mountName

// addMounts collects the names of the mounts of a catalogue. It must be called after addBrands.
func (r *Resolver) addMounts(c *catalog) {
	r.mounts, r.lensMakers, r.cameraMakers = titleMounts{}, map[string]bool{}, map[string]bool{}
	known := map[string]bool{}
	for _, g := range c.gear {
		if g.Category.Family() == models.FamilyCamera {
			r.cameraMakers[g.BrandSlug] = true
		}
		for _, mount := range g.Mounts() {
			known[mount] = true
			maker := r.brands[r.words(mount)[0]]
			if g.Category.Family() == models.FamilyLens && maker != "" && !sameBrand(maker, g.BrandSlug) {
				r.lensMakers[g.BrandSlug] = true
			}
		}
	}
	for mount := range known {
		r.addMountName(mount, []string{mount})
	}
	for written, means := range models.Synonyms()["mount"] {
		if means = slices.DeleteFunc(slices.Clone(means), func(mount string) bool { return !known[mount] }); len(means) > 0 {
			r.addMountName(written, means)
		}
	}
	for _, names := range r.mounts {
		slices.SortFunc(names, func(a, b mountName) int { return len(b.words) - len(a.words) })
	}
}

// addsMore reports whether a word says that something else is sold with the lens before it.
func (t *title) addsMore(i int) bool {
	w := t.text(i)
	return withWords[w] && w != "comma" && w != "w" // the letter is part of names such as "Sekor Z 110mm f/2.8 W"
}

// mountName is a name of a mount as words of a title: "fujifilm", "x".
type mountName struct {
	words  []string
	mounts []string // that it may mean
	plain  bool     // it needs no word such as "mount" beside it
	maker  bool     // it is only the maker: "canon"
}

// whole returns the gear whose full name, with its brand or with more than a short code, is all words
// of a title, or nil if there is none or more than one.
func (r *Resolver) whole(words []string) (found *Gear) {
	brand := ""
	for len(words) > 1 {
		slug, n := r.brandAt(words)
		if slug == "" || brand != "" && !sameBrand(brand, slug) {
			break
		}
		brand, words = slug, words[n:]
	}
	name := strings.Join(words, "")
	if brand == "" {
		if len(words) < 2 || !distinctive(words, name) || onlyOptics(words) {
			return nil
		}
		brand = seriesBrand(words[0])
	}
	for _, i := range r.full[name] {
		g := r.gear[i]
		switch {
		case brand != "" && !sameBrand(brand, g.BrandSlug):
		case found == nil || brand == g.BrandSlug && found.BrandSlug != brand:
			found = g
		case brand != found.BrandSlug || brand == g.BrandSlug:
			return nil
		}
	}
	return found
}

// onlyOptics reports whether words are only a focal length and an aperture.
func onlyOptics(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !isFNumber(w) && !models.IsDigit(w[0]) })
}

// brandAt returns the brand that starts words, and its number of words, or "".
func (r *Resolver) brandAt(words []string) (slug string, n int) {
	if whole, n := r.phrase(words); n > 0 {
		return r.brands[whole], n
	}
	return r.brands[words[0]], 1
}
