package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/fuzzy"
)

// Lookup finds gear by keyword. The words of a keyword (see KeywordWords) match
// gear if they can be split, in order, into runs of one to three adjacent words
// such that each run, concatenated, is a term of the gear: "xt3", "x t3" and
// "X-T3" match the X-T3, but "d80" does not match the D800.
//
// The terms of a gear are the words of its brand, model, mount, category,
// format, aliases and EXIF names; two to four adjacent words of a name,
// concatenated; and for lenses "50mm", "50", "f1.8" and "1.8", for zooms only
// the whole range ("24-70"). A brand in the name of a mount counts only
// together with the rest: "canon" does not match a Sigma lens for Canon EF, but
// "canon ef" does.
//
// Gear is numbered from 0, grouped by brand, category and mount. The last
// numbers, one for each of Categories, represent items that are not in the
// catalogue: they have no brand, model or mount. A Lookup is immutable and safe
// for concurrent use.
type Lookup struct {
	gear    []*Gear
	number  map[string]int      // by slug
	terms   map[string][]uint16 // term → gear numbers, ascending
	implied map[string][]uint16 // as terms, including the zooms whose range ends at a focal length
	names   map[string][]uint16 // full name as one word → gear numbers
	words   map[int][]string    // terms used for spelling correction, by length, sorted
	fits    *fits
	read    func(title string) Resolution

	sortedTerms, sortedNames []string // keys of terms and names, in which prefixes are found
}

// KeywordLimit is the number of words of a keyword that are used.
const KeywordLimit = 12

// MaxRun is the maximum number of adjacent words of a keyword that may form a term.
const MaxRun = 3

// newLookup builds a Lookup of at most 65,000 gear. Read reads titles.
func newLookup(gear []*Gear, fits *fits, read func(title string) Resolution) *Lookup {
	l := &Lookup{
		gear: slices.Clone(gear), number: make(map[string]int, len(gear)),
		terms: make(map[string][]uint16, 6*len(gear)), implied: map[string][]uint16{}, names: map[string][]uint16{}, words: map[int][]string{}, fits: fits, read: read,
	}
	slices.SortStableFunc(l.gear, func(a, b *Gear) int {
		return cmp.Or(cmp.Compare(a.BrandSlug, b.BrandSlug), cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.Mount, b.Mount), cmp.Compare(a.ModelSlug, b.ModelSlug))
	})
	for i, g := range l.gear {
		l.number[g.Slug()] = i
	}
	for _, c := range models.Categories {
		l.gear = append(l.gear, &Gear{Category: c})
	}
	split := splitter{}
	common, brands, spellings := split.commonWords(l.gear), split.brandWords(l.gear), map[string][]string{}
	for written, slug := range brandSpellings(l.gear, common) {
		if models.Correctable(written) && fuzzy.Distance(written, slug, 2) <= 2 {
			continue // "nikkon": a typo, which searches correct and mention
		}
		spellings[slug] = append(spellings[slug], strings.ReplaceAll(written, " ", ""))
	}
	for i, g := range l.gear {
		for term := range split.termsOf(g, brands, spellings) {
			l.terms[term] = append(l.terms[term], uint16(i))
		}
		for name := range split.namesOf(g, common) {
			l.names[name] = append(l.names[name], uint16(i))
		}
	}
	l.collectWords(split)
	l.collectImplied()
	l.sortedTerms, l.sortedNames = slices.Sorted(maps.Keys(l.terms)), slices.Sorted(maps.Keys(l.names))
	return l
}

// Size returns the number of gear numbers, including those for items outside
// the catalogue.
func (l *Lookup) Size() int { return len(l.gear) }

// At returns the gear with the given number.
func (l *Lookup) At(i int) *Gear { return l.gear[i] }

// Number returns the number of a slug. If the slug is not in the catalogue it
// returns the number that represents such items in category c, or in "other" if
// c is unknown.
func (l *Lookup) Number(slug string, c models.Category) int {
	if i, ok := l.number[slug]; ok {
		return i
	}
	at := slices.Index(models.Categories, c)
	if at < 0 {
		at = len(models.Categories) - 1
	}
	return len(l.gear) - len(models.Categories) + at
}

// Catalogued returns the number of a slug and whether it is in the catalogue.
func (l *Lookup) Catalogued(slug string) (number int, ok bool) {
	number, ok = l.number[slug]
	return number, ok
}

// HasTerm reports whether any gear has the term.
func (l *Lookup) HasTerm(term string) bool { return len(l.terms[term]) > 0 }

// Has reports whether the gear with the given number has the term.
func (l *Lookup) Has(term string, number int) bool {
	_, ok := slices.BinarySearch(l.terms[term], uint16(number))
	return ok
}

// Numbers returns the numbers of the gear with the term, ascending. The slice
// is shared and must not be modified.
func (l *Lookup) Numbers(term string) []uint16 { return l.terms[term] }

// Implied returns the numbers of the gear for which a term in a title adds
// nothing: gear that has the term, and zooms whose range ends at that focal
// length. The slice is ascending, shared, and must not be modified.
func (l *Lookup) Implied(term string) []uint16 {
	if implied, ok := l.implied[term]; ok {
		return implied
	}
	return l.terms[term]
}

// AddMatches adds the gear with the term to set.
func (l *Lookup) AddMatches(set GearSet, term string) { set.addAll(l.terms[term]) }

// Named returns the gear of a set whose full name occurs in the words: "canon 5d
// body" names the EOS 5D but not the 5D Mark II. It is only the gear that a title of the words
// names, if that is one of the set.
func (l *Lookup) Named(words []string, among GearSet) GearSet {
	set := l.exactNames(words)
	set.And(among)
	if all := among.Len(); all == 0 || all > fewGear && set.Empty() {
		return set
	}
	if g := l.Read(words); g != nil && among.Has(l.number[g.Slug()]) {
		clear(set)
		set.Add(l.number[g.Slug()])
	}
	return set
}

// fewGear is the number of gear up to which a keyword may name one of them like a title.
const fewGear = 24

// Read returns the gear that a title of the words names without doubt, or nil.
func (l *Lookup) Read(words []string) *Gear {
	if found := l.read(strings.Join(words, " ")); found.Confident() {
		return found.Gear
	}
	return nil
}

// exactNames returns the gear whose full name occurs in the words.
func (l *Lookup) exactNames(words []string) GearSet {
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

// Match returns the gear that matches all words of a keyword.
func (l *Lookup) Match(words []string) GearSet { return l.reach(words)[len(words)] }

// reach returns, for each number of words, the gear that matches that many words of the
// beginning of a keyword.
func (l *Lookup) reach(words []string) []GearSet {
	reach := make([]GearSet, len(words)+1)
	reach[0] = l.NewSet()
	reach[0].fill(len(l.gear))
	for i := 1; i <= len(words); i++ {
		reach[i] = l.NewSet()
		for k := 1; k <= min(MaxRun, i); k++ {
			run := l.NewSet()
			l.AddMatches(run, strings.Join(words[i-k:i], ""))
			run.And(reach[i-k])
			reach[i].Or(run)
		}
	}
	return reach
}

// Gear returns the gear in the catalogue that matches a keyword: exact names
// first, then shorter model names, then newer gear. If nothing matches,
// misspelt words are corrected as by Correct, and corrected is the keyword that
// was used instead.
func (l *Lookup) Gear(keyword string) (gear []*Gear, corrected string) {
	return l.RankedGear(keyword, func(string) int { return 0 })
}

// RankedGear is like Gear, but exact names and the rest are each sorted by
// popularity first.
func (l *Lookup) RankedGear(keyword string, popularity Popularity) (gear []*Gear, corrected string) {
	words, _ := KeywordWords(keyword)
	if len(words) == 0 {
		return nil, ""
	}
	matches := l.Match(words)
	if matches.Empty() {
		if fixed := l.correctAll(words); fixed != nil {
			words, corrected = fixed, strings.Join(fixed, " ")
			matches = l.Match(words)
		}
	}
	exact := l.Named(words, matches)
	type ranked struct {
		gear    *Gear
		exact   bool
		popular int
		length  int
	}
	var list []ranked
	for i := range matches.All() {
		if g := l.gear[i]; g.ModelSlug != "" {
			list = append(list, ranked{g, exact.Has(i), popularity(g.Slug()), len(models.Words(g.Model))})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		if a.exact != b.exact {
			if a.exact {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.popular, a.popular), cmp.Compare(a.length, b.length), cmp.Compare(b.gear.Year, a.gear.Year), cmp.Compare(a.gear.Slug(), b.gear.Slug()))
	})
	for _, r := range list {
		gear = append(gear, r.gear)
	}
	return gear, corrected
}

// correctAll corrects all unknown words. It returns nil if none could be
// corrected.
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

// KnownWord reports whether the word at index i, alone or in a run, is a term
// according to has.
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

// Correct returns the term closest to a misspelt word; ties are broken by
// greater weight, then alphabetically. It returns "" if the word is not
// Correctable or no term is close enough.
func (l *Lookup) Correct(word string, weight func(term string) int) string {
	if !models.Correctable(word) {
		return ""
	}
	return models.NearestWord(word, func(yield func(string) bool) {
		for n := utf8.RuneCountInString(word) - models.Tolerance(word); n <= utf8.RuneCountInString(word)+models.Tolerance(word); n++ {
			for _, term := range l.words[n] {
				if !IsStopWord(term) && !yield(term) {
					return
				}
			}
		}
	}, weight)
}

// IsStopWord reports whether a word is ignored in keywords and titles.
func IsStopWord(word string) bool { return stopWords[word] }

// KeywordWords returns the words of a keyword without stop words, at most
// KeywordLimit, and whether it was truncated.
func KeywordWords(keyword string) (words []string, cut bool) {
	words = slices.DeleteFunc(models.Words(keyword), IsStopWord)
	if len(words) > KeywordLimit {
		return words[:KeywordLimit:KeywordLimit], true
	}
	return words, false
}

// collectWords collects the terms used for spelling correction.
func (l *Lookup) collectWords(split splitter) {
	seen := map[string]bool{}
	for _, g := range l.gear {
		for _, phrase := range append(namePhrases(g), g.Brand, g.Mount) {
			for _, w := range split.words(phrase) {
				seen[w] = true
			}
		}
		for _, w := range split.kindWords(g) {
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

// collectImplied fills l.implied.
func (l *Lookup) collectImplied() {
	for i, g := range l.gear {
		for end := range zoomEnds(g) {
			l.implied[end] = append(l.implied[end], uint16(i))
		}
	}
	for end, zooms := range l.implied {
		implied := append(zooms, l.terms[end]...)
		slices.Sort(implied)
		l.implied[end] = slices.Compact(implied)
	}
}

// maxTerm limits the length of concatenated terms, in bytes.
const maxTerm = 20

// splitter keeps the words of the texts it has split: a new Lookup asks for those of a name
// several times, and brands and mounts are those of many gear. The words must not be modified.
type splitter map[string][]string

func (s splitter) words(text string) []string {
	words, ok := s[text]
	if !ok {
		words = slices.Clip(models.Words(text))
		s[text] = words
	}
	return words
}

// termsOf returns all terms of a gear.
func (s splitter) termsOf(g *Gear, brands map[string]bool, spellings map[string][]string) map[string]bool {
	terms := make(map[string]bool, 48)
	ends := zoomEnds(g)
	for _, phrase := range append(namePhrases(g), g.Brand) {
		words := s.words(phrase)
		for _, w := range words {
			if !ends[w] {
				addWord(terms, w)
			}
		}
		addJoined(terms, words)
		addShortGenerations(terms, words)
	}
	for _, mount := range g.Mounts() {
		words := s.words(mount)
		for _, w := range words {
			if !brands[w] {
				terms[w] = true
			}
		}
		addJoined(terms, words)
	}
	for _, w := range append(s.kindWords(g), spellings[g.BrandSlug]...) {
		terms[w] = true
	}
	if g.BrandSlug == "panasonic" {
		terms["lumix"] = true // its Leica lenses, too
	}
	if g.Category.Family() == models.FamilyLens {
		addOptics(terms, g)
	}
	delete(terms, "")
	return terms
}

// addJoined adds every two to four adjacent words, concatenated.
func addJoined(terms map[string]bool, words []string) {
	for i := range words {
		for n := 2; n <= 4 && i+n <= len(words); n++ {
			if joined := strings.Join(words[i:i+n], ""); len(joined) <= maxTerm {
				terms[joined] = true
			}
		}
	}
}

// brandWords returns the words of all brand names.
func (s splitter) brandWords(gear []*Gear) map[string]bool {
	words := map[string]bool{}
	for _, g := range gear {
		for _, w := range s.words(g.Brand) {
			words[w] = true
		}
	}
	return words
}

// namePhrases returns the names of a gear without its brand. It omits the EXIF
// names of lenses, which often are only a focal length.
func namePhrases(g *Gear) []string {
	names := append([]string{g.Model}, g.Aliases...)
	if g.Category.Family() != models.FamilyLens {
		for _, name := range g.EXIF {
			names = append(names, name.Model)
		}
	}
	return names
}

// addWord adds a word and its BareNumber.
func addWord(terms map[string]bool, w string) {
	terms[w] = true
	if n := BareNumber(w); n != "" {
		terms[n] = true
	}
}

// BareNumber returns the number in words such as "50mm" and "f1.8", and "" for
// other words, including "f2", which may be a camera.
func BareNumber(w string) string {
	if n, ok := strings.CutSuffix(w, "mm"); ok && models.IsNumber(n) {
		return n
	}
	if n, ok := strings.CutPrefix(w, "f"); ok && models.IsNumber(n) && strings.Contains(n, ".") {
		return n
	}
	return ""
}

// addShortGenerations adds "5d3" for the 5D Mark III. It adds nothing after a digit: "r62" would be a different number.
func addShortGenerations(terms map[string]bool, words []string) {
	for i := 1; i < len(words); i++ {
		base, n := words[i-1], strings.TrimPrefix(words[i], "mk")
		if len(n) == 1 && n != words[i] && strings.IndexFunc(base, unicode.IsDigit) >= 0 && !models.IsDigit(base[len(base)-1]) {
			terms[base+n] = true
		}
	}
}

// kindWords returns the words for the category of a gear.
func (s splitter) kindWords(g *Gear) []string {
	words := append(s.words(string(g.Category)), kinds[g.Category]...)
	switch family := g.Category.Family(); family {
	case models.FamilyCamera:
		words = append(words, "camera", "cameras")
		for _, w := range s.words(g.Format) {
			if !strings.HasSuffix(w, "mm") {
				words = append(words, w)
			}
		}
	case models.FamilyLens:
		words = append(words, "lens", "lenses")
	}
	if g.Category == "film_slr" || strings.Contains(g.Format, "film") {
		words = append(words, "film", "analog", "analogue")
	}
	return words
}

var kinds = map[models.Category][]string{
	"mirrorless": {"digital"}, "dslr": {"digital", "slr", "dslrs"}, "film_slr": {"slrs"}, "rangefinder": {"rangefinders"},
	"compact": {"compacts"}, "action_cam": {"actioncam"}, "lens_prime": {"primes"}, "lens_zoom": {"zooms"},
	"accessory": {"accessories"},
}

// addOptics adds the focal length and aperture of a lens.
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

// zoomEnds returns the words for the ends of a zoom's range, which are not
// terms: a search for 50mm should not find an 18-50mm.
func zoomEnds(g *Gear) map[string]bool {
	if g.FocalMin == g.FocalMax || g.Category.Family() != models.FamilyLens {
		return nil
	}
	from, to := plainNumber(g.FocalMin), plainNumber(g.FocalMax)
	return map[string]bool{from: true, to: true, from + "mm": true, to + "mm": true}
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// commonWords returns, for each brand and word, the number of gear with that
// word in a name.
func (s splitter) commonWords(gear []*Gear) map[[2]string]int {
	count := map[[2]string]int{}
	for _, g := range gear {
		seen := map[string]bool{}
		for _, phrase := range namePhrases(g) {
			for _, w := range s.words(phrase) {
				if !seen[w] {
					seen[w] = true
					count[[2]string{g.BrandSlug, w}]++
				}
			}
		}
	}
	return count
}

// lineSize is the minimum number of gear of a brand that share the name of a
// product line ("EOS").
const lineSize = 8

// namesOf returns the full names of a gear, each as one word: its model and
// aliases, with and without the product line.
func (s splitter) namesOf(g *Gear, common map[[2]string]int) map[string]bool {
	names := map[string]bool{}
	for _, phrase := range namePhrases(g) {
		words := s.words(phrase)
		for i, w := range words {
			names[strings.Join(words[i:], "")] = true
			line := len(w) > 1 && !onlyOptics(words[i+1:]) && strings.IndexFunc(w, unicode.IsDigit) < 0 && common[[2]string{g.BrandSlug, w}] >= lineSize
			if !line {
				break
			}
		}
	}
	delete(names, "")
	return names
}

// Fitting returns the gear that fits the gear with a slug and keeps all functions:
// natively, or by an adapter that is not manual. It is empty for unknown gear. The set is
// shared and must not be modified.
func (l *Lookup) Fitting(slug string) GearSet {
	if set, ok := l.fits.sets.Load(slug); ok {
		return set.(GearSet)
	}
	set := l.NewSet()
	n, known := l.Catalogued(slug)
	if !known {
		return set
	}
	camera := l.gear[n]
	for i, other := range l.gear {
		a, b := camera, other
		if camera.Category.Family() == models.FamilyLens {
			a, b = other, camera
		}
		if fit, ok := l.fits.of(a, b); ok && !fit.Manual {
			set.Add(i)
		}
	}
	l.fits.sets.Store(slug, set)
	return set
}

// Popularity returns how often the gear with a slug is sold and for sale. It ranks
// gear that a name may mean.
type Popularity func(slug string) int

// NewSet returns an empty set.
func (l *Lookup) NewSet() GearSet { return make(GearSet, (len(l.gear)+63)/64) }
