package models

import (
	"slices"
	"strings"
)

// Resolver finds the one gear that a marketplace title offers. Titles are
// messy: "cannon 5dmkii body w/ 50mm", "dmc fz200k 12 1mp", "battery for nikon
// d90". It compares whole model names only, never digits that are nearly right:
// a camera that the catalogue does not have is left unresolved.
//
// It is an index of every way a name is written, all words of it glued
// ("eos5dmk2", "5dmk2"), over which the words of a title are laid, so that the
// cost of a title depends on its length and not on the size of the catalogue.
// A Resolver never changes and may be used by many at once.
type Resolver struct {
	names   map[string][]spelling
	lenses  *lensIndex
	brands  map[string]string  // brand as one word, and other ways to write it → brand slug
	phrases map[string]string  // brands and series of several words → as one; the first words of such → ""
	endings map[[2]string]bool // brand, and a word that makes a shorter name of its another: "leica", "monochrom"
	typos   []string           // words that are worth reading past a typing error
}

// Resolution is what a title offers.
type Resolution struct {
	Gear       *Gear   // nil when the title names none of the catalogue, or not exactly one
	Confidence float64 // 0 for none to 1; below 0.8 somebody should look
	Reason     string  // one of the Reason constants
}

// Sure reports whether a title names its gear so clearly that nobody need look.
func (r Resolution) Sure() bool { return r.Gear != nil && r.Confidence >= surely }

// Why a title resolved, or did not.
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
	ReasonAmbiguous = "fits several lenses"
)

// spelling is one way to write the name of a gear.
type spelling struct {
	gear    *Gear
	derived bool   // shortened by us, gives way to what is written in the catalogue
	lead    string // the last word that was left out before it
}

func (s spelling) isLens() bool { return s.gear.Category.Family() == FamilyLens }

// longestName is the number of words in the longest name that is looked for.
const longestName = 7

// NewResolver makes the index of a catalogue. It takes some 50 ms.
func NewResolver(c *Catalog) *Resolver {
	r := &Resolver{
		names:   map[string][]spelling{},
		brands:  map[string]string{},
		phrases: map[string]string{},
		endings: map[[2]string]bool{},
	}
	r.learnBrands(c)
	r.lenses = newLensIndex()
	for _, g := range c.All() {
		r.learn(g)
	}
	for _, g := range c.All() {
		r.learnEndings(g)
	}
	return r
}

// Resolve finds the gear that a title offers. Of a long title it reads the
// first maxTitle bytes.
func (r *Resolver) Resolve(text string) Resolution {
	t := r.read(text)
	switch {
	case t.video():
		return Resolution{Reason: ReasonVideo}
	case t.lot():
		return Resolution{Reason: ReasonLot}
	}
	found := r.bodies(t)
	if t.accessory() {
		return Resolution{Reason: ReasonAccessory}
	}
	if !t.camera() {
		lens, words := r.lens(t)
		if lens.Gear != nil && t.within(found, words) || lens.Reason != "" && len(found) == 0 {
			return lens
		}
	}
	switch {
	case len(found) == 1 && !(found[0].bare && t.unknownModel(found[0])):
		return found[0].resolution()
	case len(found) > 1:
		return Resolution{Reason: ReasonSeveral}
	case t.unknownModel(match{from: -1}):
		return Resolution{Reason: ReasonUnknown}
	}
	return Resolution{Reason: ReasonNoModel}
}

// within tells whether all that was found is only a part of the name of a lens,
// of which these are the words: "xpan" in "XPan 45mm f/4".
func (t *title) within(found []match, lens map[string]bool) bool {
	for _, m := range found {
		for _, w := range t.words[m.from:m.to] {
			if w.brand == "" && !lens[w.text] {
				return false
			}
		}
	}
	return true
}

// match is gear found in the words from–to of a title.
type match struct {
	gear     *Gear
	from, to int
	bare     bool // neither brand nor series stand before it
	code     bool // the maker's letters for colour, kit or region were cut off
}

func (m match) resolution() Resolution {
	switch {
	case m.bare:
		return Resolution{m.gear, 0.8, ReasonBare}
	case m.code:
		return Resolution{m.gear, 0.9, ReasonCode}
	}
	return Resolution{m.gear, 0.97, ReasonName}
}

// bodies is the gear named in a title, each once: that which stands beside its
// brand or series, or else that which does not.
func (r *Resolver) bodies(t *title) []match {
	var all []match
	for i := 0; i < t.offered; {
		m, ok := r.longest(t, i)
		if !ok {
			i++
			continue
		}
		if n := len(all); n > 0 && all[n-1].to == m.from {
			m.bare = m.bare && all[n-1].bare
			if !t.hasDigit(all[n-1]) {
				all = all[:n-1] // "digital rebel" before "t3i" only leads to it
			}
		}
		all = append(all, m)
		i = m.to
	}
	all = camerasFirst(all)
	beside := distinct(all, false)
	if len(beside) > 0 {
		return beside
	}
	return distinct(all, true)
}

// camerasFirst leaves lenses out where there are cameras: they come with them.
func camerasFirst(all []match) []match {
	cameras := slices.DeleteFunc(slices.Clone(all), func(m match) bool { return m.gear.Category.Family() == FamilyLens })
	if len(cameras) > 0 {
		return cameras
	}
	return all
}

func distinct(all []match, bare bool) []match {
	var out []match
next:
	for _, m := range all {
		if m.bare != bare {
			continue
		}
		for _, other := range out {
			if other.gear == m.gear {
				continue next
			}
		}
		out = append(out, m)
	}
	return out
}

// longest is the longest name that starts at a word.
func (r *Resolver) longest(t *title, from int) (match, bool) {
	end := from
	named := t.words[from].brand != "" // then figures may be part of the name: "rolleiflex 2.8f"
	for end < t.offered && end < from+longestName && end != t.focalEnd && (!t.words[end].quantity || named && !t.isMillimetres(end) && !t.isZoom(end)) {
		end++
	}
	for to := end; to > from; to-- {
		key := t.glued[t.words[from].start:t.words[to-1].end]
		if t.perhapsQuantity(to-1) && to-1 > from && t.only(r.names[t.glued[t.words[from].start:t.words[to-2].end]], from, to-1, "") != nil {
			continue // "1d 4 15 mp" has 4.15 megapixels
		}
		if later, end := t.shortGeneration(key, to); end > 0 {
			if g := t.only(r.names[later], from, end, ""); g != nil {
				return match{gear: g, from: from, to: end, bare: t.bare(from, end)}, true
			}
		}
		if g := t.only(r.names[key], from, to, ""); g != nil {
			return match{gear: g, from: from, to: to, bare: t.bare(from, to)}, true
		}
		for cut := len(key) - 1; cut > 0 && key[cut] >= 'a' && key[cut] <= 'z'; cut-- {
			if g := t.only(r.names[key[:cut]], from, to, key[cut:]); g != nil {
				return match{gear: g, from: from, to: to, bare: t.bare(from, to), code: true}, true
			}
		}
	}
	return match{}, false
}

// only is the gear among spellings that the words from–to can mean, if it is
// exactly one.
func (t *title) only(spellings []spelling, from, to int, letters string) *Gear {
	var written, derived *Gear
	var clash, derivedClash bool
	for _, s := range spellings {
		switch {
		case letters != "" && !kitLetters(s.gear, letters), !t.allows(s.gear, from, to), from > 0 && otherRegion(s.lead, t.words[from-1].text):
		case s.derived:
			derivedClash = derivedClash || derived != nil && derived != s.gear
			derived = s.gear
		default:
			clash = clash || written != nil && written != s.gear
			written = s.gear
		}
	}
	switch {
	case written != nil && !clash:
		return written
	case written == nil && !derivedClash:
		return derived
	}
	return nil
}

// otherRegion tells whether two of Canon's series count their models
// differently: the IXUS 510 HS is the ELPH 530 HS.
func otherRegion(a, b string) bool {
	return a != b && (a == "elph" || a == "ixus" || a == "ixy") && (b == "elph" || b == "ixus" || b == "ixy")
}

// learn indexes the ways to write the names of a gear.
func (r *Resolver) learn(g *Gear) {
	names := append([]string{g.Model}, g.Aliases...)
	isLens := g.Category.Family() == FamilyLens
	if isLens {
		r.lenses.add(g, r)
	} else {
		for _, e := range g.EXIF {
			names = append(names, e.Model)
		}
	}
	for _, name := range names {
		words, derived := r.words(name), false
		for len(words) > 1 && r.brands[words[0]] == g.BrandSlug {
			words = words[1:]
		}
		if rest := withoutOptics(g, words); isLens && len(rest) < len(words) {
			if !slices.ContainsFunc(rest, hasFigure) {
				continue // "ef usm" names no lens; "helios 44 2" does
			}
			words, derived = rest, true
		}
		r.spell(words, spelling{gear: g, derived: derived})
		for _, short := range shortened(g, words) {
			r.spell(short.words, spelling{g, true, short.lead})
		}
	}
}

// learnEndings collects the words that turn the name of one camera into that of
// another of the brand.
func (r *Resolver) learnEndings(g *Gear) {
	if g.Category.Family() != FamilyCamera {
		return
	}
	for _, name := range append([]string{g.Model}, g.Aliases...) {
		words := r.words(name)
		for i := 1; i < len(words); i++ {
			for _, s := range r.names[brandWord(g.BrandSlug)+glue(words[:i])] {
				if !s.derived && s.gear != g && s.gear.BrandSlug == g.BrandSlug && !fillers[words[i]] && !trailingWords[words[i]] {
					r.endings[[2]string{g.BrandSlug, words[i]}] = true
				}
			}
		}
	}
}

// withoutOptics is what the name of a lens says besides focal length and
// aperture.
func withoutOptics(g *Gear, words []string) []string {
	var rest []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case isFNumber(w):
			if i+1 < len(words) && isNumber(words[i+1]) { // f/4-8
				i++
			}
		case strings.HasSuffix(w, "mm"), strings.Contains(w, "."):
		case g.FocalMin < g.FocalMax && w == figure(g.FocalMin) && i+1 < len(words) && words[i+1] == figure(g.FocalMax)+"mm":
		default:
			rest = append(rest, w)
		}
	}
	return rest
}

// spell indexes one way to write a name, alone where it is distinctive enough
// for that, and behind the brand.
func (r *Resolver) spell(words []string, s spelling) {
	if len(words) == 0 {
		return
	}
	key := glue(words)
	if s.derived && len(key) < 3 && isNumber(key) {
		return // of "EOS 7" no "Canon 7" is left
	}
	if distinctive(words, key) {
		r.add(key, s)
	}
	r.add(glue(append([]string{brandWord(s.gear.BrandSlug)}, words...)), s)
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

// distinctive tells whether a name says something without its brand: it mixes
// letters and digits ("d90"), or is a series and more ("rebel xti").
func distinctive(words []string, key string) bool {
	if len(words) == 1 && isGeneration(key) {
		return false
	}
	hasDigits := strings.ContainsAny(key, "0123456789")
	hasLetters := strings.Trim(key, "0123456789.") != ""
	if hasDigits && hasLetters {
		return len(key) > 1
	}
	_, series := seriesWords[words[0]]
	return len(words) > 1 && (series || hasLetters && len(key) >= 8)
}

// short is a name with something left out.
type short struct {
	words []string
	lead  string // see spelling
}

// shortened is a name without the series before it ("PowerShot SX50 HS" is
// "sx50hs") and without the features behind it ("sx50"), as people leave them out.
func shortened(g *Gear, words []string) []short {
	var out []short
	for end := len(words); end > 0; end-- {
		lead := ""
		for start := 0; start < end; start++ {
			if (start > 0 || end < len(words)) && slices.ContainsFunc(words[start:end], hasFigure) {
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
			out = append(out, shortened(g, without)...)
		}
	}
	return out
}

// hasFigure tells whether a word has a number that is no generation.
func hasFigure(w string) bool { return strings.ContainsAny(w, "0123456789") && !isGeneration(w) }

// glue writes words as one, with a point only where two numbers would run together.
func glue(words []string) string {
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
	return a != "" && b != "" && isDigit(a[len(a)-1]) && isDigit(b[0])
}

// brandWord is a brand slug as one word.
func brandWord(slug string) string { return strings.ReplaceAll(slug, "-", "") }

// kitLetters tells whether the letters that stand behind a model code are only
// its maker's letters for colour, kit or region.
func kitLetters(g *Gear, letters string) bool {
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
