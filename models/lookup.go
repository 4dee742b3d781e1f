package models

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/fuzzy"
)

// Lookup finds gear by keyword. A keyword's words (KeywordWords) match gear
// when they can be cut, in order, into runs of one to three neighbours each of
// which, written as one, is a term of the gear: so "xt3", "x t3" and "X-T3" find
// the X-T3, while "d80" does not find the D800.
//
// The terms of gear are the words of its brand, model, mount, category and
// format, of the other names it is sold under and of the names cameras write into
// pictures; two to four neighbouring words of one name written as one; and for
// lenses "50mm", "50", "f1.8" and "1.8", for zooms only the whole range ("24-70").
// A brand in a mount's name counts only together with the rest: "canon" does not
// find a Sigma lens for Canon EF, "canon ef" does.
//
// Gear is numbered from 0, so that brand, category and mount are the same in
// neighbours. The last numbers, one for each of Categories, stand for whatever is
// not in the catalogue: gear without brand, model and mount. A Lookup never
// changes and may be used by many at once.
type Lookup struct {
	gear   []*Gear
	number map[string]int      // by slug
	terms  map[string][]uint16 // which gear has a term, ascending
	said   map[string][]uint16 // the same and the zooms whose range ends at it, for such terms
	names  map[string][]uint16 // which gear has this very name, written as one word
	words  map[int][]string    // terms that a misspelt word may have meant, by length, sorted
}

// KeywordLimit is how many words of a keyword are looked at.
const KeywordLimit = 12

// MaxRun is how many neighbouring words of a keyword may be one term.
const MaxRun = 3

// NewLookup prepares the gear of a catalogue, at most 65,000 of them.
func NewLookup(gear []*Gear) *Lookup {
	l := &Lookup{
		gear: slices.Clone(gear), number: make(map[string]int, len(gear)),
		terms: map[string][]uint16{}, said: map[string][]uint16{}, names: map[string][]uint16{}, words: map[int][]string{},
	}
	slices.SortStableFunc(l.gear, func(a, b *Gear) int {
		return cmp.Or(cmp.Compare(a.BrandSlug, b.BrandSlug), cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.Mount, b.Mount), cmp.Compare(a.ModelSlug, b.ModelSlug))
	})
	for i, g := range l.gear {
		l.number[g.Slug()] = i
	}
	for _, c := range Categories {
		l.gear = append(l.gear, &Gear{Category: c})
	}
	common, brands := commonWords(l.gear), brandWords(l.gear)
	for i, g := range l.gear {
		for term := range termsOf(g, brands) {
			l.terms[term] = append(l.terms[term], uint16(i))
		}
		for name := range namesOf(g, common) {
			l.names[name] = append(l.names[name], uint16(i))
		}
	}
	l.collectWords()
	l.collectEnds()
	return l
}

// Size is how many numbers there are, those for gear outside the catalogue included.
func (l *Lookup) Size() int { return len(l.gear) }

// At is the gear of a number.
func (l *Lookup) At(i int) *Gear { return l.gear[i] }

// Number is the number of a slug; of a slug that is not in the catalogue, the
// number that stands for everything outside it in a category. An unknown
// category counts as "other".
func (l *Lookup) Number(slug string, c Category) int {
	if i, ok := l.number[slug]; ok {
		return i
	}
	at := slices.Index(Categories, c)
	if at < 0 {
		at = len(Categories) - 1
	}
	return len(l.gear) - len(Categories) + at
}

// Catalogued is the number of a slug; false when it is not in the catalogue.
func (l *Lookup) Catalogued(slug string) (number int, ok bool) {
	number, ok = l.number[slug]
	return number, ok
}

// HasTerm reports whether any gear has a term.
func (l *Lookup) HasTerm(term string) bool { return len(l.terms[term]) > 0 }

// Has reports whether the gear of a number has a term.
func (l *Lookup) Has(term string, number int) bool {
	_, ok := slices.BinarySearch(l.terms[term], uint16(number))
	return ok
}

// Numbers is the gear that has a term, ascending. It is shared.
func (l *Lookup) Numbers(term string) []uint16 { return l.terms[term] }

// Said is the gear that already says what a term in a title would: gear that has
// the term, and zooms that end at the focal length. Ascending and shared.
func (l *Lookup) Said(term string) []uint16 {
	if said, ok := l.said[term]; ok {
		return said
	}
	return l.terms[term]
}

// GearWith adds the gear that has a term to a set.
func (l *Lookup) GearWith(set GearSet, term string) { set.addAll(l.terms[term]) }

// Named is the gear that a stretch of the words names in full: "canon 5d body"
// names the EOS 5D, though the 5D Mark II has all its words too.
func (l *Lookup) Named(words []string) GearSet {
	set := l.NewSet()
	for from := range words {
		name := ""
		for _, w := range words[from:] {
			name += w
			set.addAll(l.names[name])
		}
	}
	return set
}

// Match is the gear that a keyword's words match.
func (l *Lookup) Match(words []string) GearSet {
	reach := make([]GearSet, len(words)+1)
	reach[0] = l.NewSet()
	reach[0].fill(len(l.gear))
	for i := 1; i <= len(words); i++ {
		reach[i] = l.NewSet()
		for k := 1; k <= min(MaxRun, i); k++ {
			run := l.NewSet()
			l.GearWith(run, strings.Join(words[i-k:i], ""))
			run.And(reach[i-k])
			reach[i].Or(run)
		}
	}
	return reach[len(words)]
}

// Gear is the gear of the catalogue a keyword matches: first what it names in
// full, then by how few words of their names it leaves out, the newest first.
// When it matches nothing, misspelt words are corrected as Correct does; the
// second value is the keyword that was looked for then, else "".
func (l *Lookup) Gear(keyword string) (gear []*Gear, corrected string) {
	words, _ := KeywordWords(keyword)
	if len(words) == 0 {
		return nil, ""
	}
	found := l.Match(words)
	if found.Empty() {
		if fixed := l.correctAll(words); fixed != nil {
			words, corrected = fixed, strings.Join(fixed, " ")
			found = l.Match(words)
		}
	}
	named := l.Named(words)
	type ranked struct {
		gear   *Gear
		named  bool
		length int
	}
	var list []ranked
	for i := range found.All() {
		if g := l.gear[i]; g.ModelSlug != "" {
			list = append(list, ranked{g, named.Has(i), len(Words(g.Model))})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		if a.named != b.named {
			if a.named {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(b.gear.Year, a.gear.Year), cmp.Compare(a.gear.Slug(), b.gear.Slug()))
	})
	for _, r := range list {
		gear = append(gear, r.gear)
	}
	return gear, corrected
}

// correctAll corrects every word that is in no term; nil when it changed nothing.
func (l *Lookup) correctAll(words []string) []string {
	fixed, changed := slices.Clone(words), false
	for i, w := range words {
		if KnownWord(words, i, l.HasTerm) {
			continue
		}
		if better := l.Correct(w, func(term string) int { return len(l.terms[term]) }); better != "" {
			fixed[i], changed = better, true
		}
	}
	if !changed {
		return nil
	}
	return fixed
}

// KnownWord reports whether has knows the word at i, alone or in a run.
func KnownWord(words []string, i int, has func(term string) bool) bool {
	for from := max(0, i-MaxRun+1); from <= i; from++ {
		for to := i + 1; to <= min(len(words), from+MaxRun); to++ {
			if has(strings.Join(words[from:to], "")) {
				return true
			}
		}
	}
	return false
}

// Correct is the term of the catalogue that a misspelt word most likely meant:
// the nearest, then the one with the greatest weight, then the first by
// alphabet. "" when the word cannot be corrected (Correctable) or nothing is near.
func (l *Lookup) Correct(word string, weight func(term string) int) string {
	if !Correctable(word) {
		return ""
	}
	return NearestWord(word, func(yield func(string) bool) {
		for n := utf8.RuneCountInString(word) - tolerance(word); n <= utf8.RuneCountInString(word)+tolerance(word); n++ {
			for _, term := range l.words[n] {
				if !Filler(term) && !yield(term) {
					return
				}
			}
		}
	}, weight)
}

// Correctable reports whether a word may be a misspelling: at least four
// characters and no digit, because another number is another model.
func Correctable(word string) bool {
	return utf8.RuneCountInString(word) >= 4 && strings.IndexFunc(word, unicode.IsDigit) < 0
}

// tolerance is how many slips a word is forgiven: one, and two from seven letters on.
func tolerance(word string) int {
	if utf8.RuneCountInString(word) >= 7 {
		return 2
	}
	return 1
}

// NearestWord returns, among the candidates within a word's tolerance, the
// nearest, then the weightiest, then the first by alphabet; "" when there is none.
func NearestWord(word string, candidates iter.Seq[string], weight func(string) int) string {
	return fuzzy.Nearest(word, candidates, tolerance(word), weight)
}

// Filler reports whether a word names nothing and is left out of keywords and titles.
func Filler(word string) bool {
	return word == "and" || word == "the" || word == "with" || word == "for"
}

// KeywordWords are the words a keyword is looked up by: Words without fillers,
// at most KeywordLimit; cut says that there were more.
func KeywordWords(keyword string) (words []string, cut bool) {
	words = slices.DeleteFunc(Words(keyword), Filler)
	if len(words) > KeywordLimit {
		return words[:KeywordLimit:KeywordLimit], true
	}
	return words, false
}

// collectWords gathers the terms that a misspelt word may have meant.
func (l *Lookup) collectWords() {
	seen := map[string]bool{}
	for _, g := range l.gear {
		for _, phrase := range append(namePhrases(g), g.Brand, g.Mount) {
			for _, w := range Words(phrase) {
				seen[w] = true
			}
		}
		for _, w := range kindWords(g) {
			seen[w] = true
		}
	}
	for w := range seen {
		if n := utf8.RuneCountInString(w); n >= 3 && strings.IndexFunc(w, unicode.IsDigit) < 0 {
			l.words[n] = append(l.words[n], w)
		}
	}
	for _, list := range l.words {
		slices.Sort(list)
	}
}

// collectEnds fills said.
func (l *Lookup) collectEnds() {
	for i, g := range l.gear {
		for end := range zoomEnds(g) {
			l.said[end] = append(l.said[end], uint16(i))
		}
	}
	for end, zooms := range l.said {
		said := append(zooms, l.terms[end]...)
		slices.Sort(said)
		l.said[end] = slices.Compact(said)
	}
}

// maxTerm keeps joined words short: nobody writes a whole lens as one word.
const maxTerm = 20

// termsOf is every term of gear.
func termsOf(g *Gear, brands map[string]bool) map[string]bool {
	terms := map[string]bool{}
	ends := zoomEnds(g)
	for _, phrase := range append(namePhrases(g), g.Brand) {
		words := Words(phrase)
		for _, w := range words {
			if !ends[w] {
				addWord(terms, w)
			}
		}
		addJoined(terms, words)
		addShortGenerations(terms, words)
	}
	for _, mount := range g.Mounts() {
		words := Words(mount)
		for _, w := range words {
			if !brands[w] {
				terms[w] = true
			}
		}
		addJoined(terms, words)
	}
	for _, w := range append(kindWords(g), nicknames[g.BrandSlug]...) {
		terms[w] = true
	}
	if g.Category.Family() == FamilyLens {
		addOptics(terms, g)
	}
	delete(terms, "")
	return terms
}

// addJoined adds two to four neighbouring words written as one.
func addJoined(terms map[string]bool, words []string) {
	for i := range words {
		for n := 2; n <= 4 && i+n <= len(words); n++ {
			if joined := strings.Join(words[i:i+n], ""); len(joined) <= maxTerm {
				terms[joined] = true
			}
		}
	}
}

// brandWords are the words of all brands' names.
func brandWords(gear []*Gear) map[string]bool {
	words := map[string]bool{}
	for _, g := range gear {
		for _, w := range Words(g.Brand) {
			words[w] = true
		}
	}
	return words
}

// namePhrases is what gear is called without its brand. What lenses write into
// pictures is no name: it is often no more than a focal length.
func namePhrases(g *Gear) []string {
	names := append([]string{g.Model}, g.Aliases...)
	if g.Category.Family() != FamilyLens {
		for _, name := range g.EXIF {
			names = append(names, name.Model)
		}
	}
	return names
}

// addWord adds a word, and the number in it.
func addWord(terms map[string]bool, w string) {
	terms[w] = true
	if n := BareNumber(w); n != "" {
		terms[n] = true
	}
}

// BareNumber is the number in "50mm" and "f1.8", which shoppers leave bare; ""
// for other words. "f2" has none, as it may be a camera.
func BareNumber(w string) string {
	if n, ok := strings.CutSuffix(w, "mm"); ok && isNumber(n) {
		return n
	}
	if n, ok := strings.CutPrefix(w, "f"); ok && isNumber(n) && strings.Contains(n, ".") {
		return n
	}
	return ""
}

// addShortGenerations adds "5d3" for the 5D Mark III. After a digit it would be
// another number, so there is no "r62".
func addShortGenerations(terms map[string]bool, words []string) {
	for i := 1; i < len(words); i++ {
		base, n := words[i-1], strings.TrimPrefix(words[i], "mk")
		if len(n) == 1 && n != words[i] && strings.IndexFunc(base, unicode.IsDigit) >= 0 && !isDigit(base[len(base)-1]) {
			terms[base+n] = true
		}
	}
}

// nicknames are what shoppers call brands.
var nicknames = map[string][]string{
	"fujifilm": {"fuji"}, "hasselblad": {"hassy"}, "zeiss": {"carl"}, "ttartisan": {"ttartisans"}, "panasonic": {"lumix"},
}

// kindWords are the words for what kind of thing gear is.
func kindWords(g *Gear) []string {
	words := append(Words(string(g.Category)), kinds[g.Category]...)
	switch family := g.Category.Family(); family {
	case FamilyCamera:
		words = append(words, "camera", "cameras")
		for _, w := range Words(g.Format) {
			if !strings.HasSuffix(w, "mm") {
				words = append(words, w)
			}
		}
	case FamilyLens:
		words = append(words, "lens", "lenses")
	}
	if g.Category == "film-slr" || strings.Contains(g.Format, "film") {
		words = append(words, "film", "analog", "analogue")
	}
	return words
}

var kinds = map[Category][]string{
	"mirrorless": {"digital"}, "dslr": {"digital", "slr", "dslrs"}, "film-slr": {"slrs"}, "rangefinder": {"rangefinders"},
	"compact": {"compacts"}, "action-cam": {"actioncam"}, "lens-prime": {"primes"}, "lens-zoom": {"zooms"},
	"accessory": {"accessories"},
}

// addOptics adds the focal length and aperture of a lens as shoppers write them.
func addOptics(terms map[string]bool, g *Gear) {
	from, to := plainNumber(g.FocalMin), plainNumber(g.FocalMax)
	switch {
	case g.FocalMin == 0:
	case from == to:
		addWord(terms, from+"mm")
	default:
		terms[from+to], terms[from+to+"mm"] = true, true
	}
	if g.Aperture > 0 {
		addWord(terms, "f"+plainNumber(g.Aperture))
	}
}

// zoomEnds are the words for one end of a zoom's range, which are no terms: who
// looks for 50mm does not mean an 18-50mm.
func zoomEnds(g *Gear) map[string]bool {
	if g.FocalMin == g.FocalMax || g.Category.Family() != FamilyLens {
		return nil
	}
	from, to := plainNumber(g.FocalMin), plainNumber(g.FocalMax)
	return map[string]bool{from: true, to: true, from + "mm": true, to + "mm": true}
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// commonWords counts in how many gear of a brand each word of a model stands.
func commonWords(gear []*Gear) map[[2]string]int {
	count := map[[2]string]int{}
	for _, g := range gear {
		seen := map[string]bool{}
		for _, phrase := range namePhrases(g) {
			for _, w := range Words(phrase) {
				if !seen[w] {
					seen[w] = true
					count[[2]string{g.BrandSlug, w}]++
				}
			}
		}
	}
	return count
}

// lineSize is how many gear of a brand share a word that names a line ("EOS").
const lineSize = 8

// namesOf is every name that means exactly this gear, each written as one word:
// the model and its other names, with and without the brand and the name of the
// line in front.
func namesOf(g *Gear, common map[[2]string]int) map[string]bool {
	names := map[string]bool{}
	for _, phrase := range namePhrases(g) {
		words := Words(phrase)
		for i, w := range words {
			names[strings.Join(words[i:], "")] = true
			line := len(w) > 1 && strings.IndexFunc(w, unicode.IsDigit) < 0 && common[[2]string{g.BrandSlug, w}] >= lineSize
			if !line {
				break
			}
		}
	}
	delete(names, "")
	return names
}
