// Package sentence reads searches as people type them, in English and German: "35mm lens for my
// fuji under 400 in germany no fungus". It knows words for filters; names of gear, brands,
// mounts, categories, grades and regions are read as everywhere else on the site.
package sentence

import (
	"slices"
	"strings"
	"sync"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/cache"
	"github.com/secondlight/secondlight/models/catalog"
)

// Part is a filter with the words that say it.
type Part struct {
	Words string // as they were typed
	Terms []Term
}

// Term is a parameter of a search with a value as people write it. A parameter with several
// values has a term for each.
type Term struct{ Param, Value string }

// Sentence is a search as it was read.
type Sentence struct {
	Parts   []Part
	Keyword string   // the words that are names, or that nothing is known about
	Ignored []string // words that say something that can't be searched for
}

// Reader reads sentences. It is safe for concurrent use.
type Reader struct {
	Catalog    *catalog.Catalog
	Popularity catalog.Popularity // decides between gear of the same name

	read memo
}

// Limits of a sentence: words, characters, and words of a phrase.
const (
	maxWords  = 30
	maxText   = 200
	maxPhrase = 5
)

// memoLimit is the capacity of a memo in bytes, enough for some 10,000 sentences.
const memoLimit = 4 << 20

// Read reads a text. It returns nil for one that is no sentence: the name of gear, words of a
// title, or a text in quotation marks. The sentence is shared and must not be modified.
func (r *Reader) Read(text string) *Sentence {
	if text == "" || len(text) > maxText || strings.HasPrefix(text, `"`) {
		return nil
	}
	lookup := r.Catalog.Lookup()
	known := r.read.of(lookup)
	if s, ok := known.Get(text); ok {
		return s
	}
	text = strings.Clone(text) // the caller may reuse its buffer
	return known.Add(text, r.newReading(lookup, text).sentence(), 200+4*len(text))
}

// reading is a sentence that is being read.
type reading struct {
	*Reader
	lookup  *catalog.Lookup
	words   []word
	shutter bool // a word says that a number is a shutter count

	parts   []Part
	left    []string // words of the keyword
	ignored []string
	read    bool // a word is more than a part of a name
}

// word is a word of a sentence.
type word struct {
	text string // as typed, without punctuation
	key  string // folded
	ends bool   // punctuation follows
}

// newReading splits a text into words.
func (r *Reader) newReading(lookup *catalog.Lookup, text string) *reading {
	s := &reading{Reader: r, lookup: lookup}
	for _, field := range fields(text) {
		plain := strings.Trim(field, `,;:!?()"'“”„`)
		if strings.HasSuffix(plain, ".") && plain != "ca." && plain != "max." && plain != "min." && plain != "mind." {
			plain = strings.TrimSuffix(plain, ".")
		}
		if plain == "" || len(s.words) == maxWords {
			continue
		}
		key := models.Fold(plain)
		s.words = append(s.words, word{plain, key, !strings.HasSuffix(field, plain)})
		s.shutter = s.shutter || shutterWords[key]
	}
	return s
}

// fields splits a text at its spaces, and runs of East Asian characters at the concepts in them.
func fields(text string) (all []string) {
	for _, field := range strings.Fields(text) {
		runes, rest := []rune(field), 0
		for i := 0; i < len(runes) && runes[len(runes)-1] >= firstEastAsian; i++ {
			for end := len(runes); end > i+1; end-- {
				if _, known := concepts[models.Fold(string(runes[i:end]))]; known && runes[i] >= firstEastAsian {
					if rest < i {
						all = append(all, string(runes[rest:i]))
					}
					all, rest, i = append(all, string(runes[i:end])), end, end-1
					break
				}
			}
		}
		if rest < len(runes) {
			all = append(all, string(runes[rest:]))
		}
	}
	return all
}

// firstEastAsian is the first character of the scripts that are written without spaces.
const firstEastAsian = 0x2e80

// sentence reads all words.
func (s *reading) sentence() *Sentence {
	if s.isName() {
		return nil
	}
	for i := 0; i < len(s.words); {
		n := 0
		for _, rule := range rules {
			if n = rule(s, i); n > 0 {
				break
			}
		}
		if n == 0 {
			s.left = append(s.left, s.words[i].text)
			n = 1
		}
		i += n
	}
	s.readNames()
	if !s.read {
		return nil
	}
	s.tidy()
	return &Sentence{Parts: s.parts, Keyword: strings.Join(s.left, " "), Ignored: s.ignored}
}

// rules read the words from an index on, and return how many they have read.
var rules []func(s *reading, i int) int

func init() { // they call each other
	rules = []func(s *reading, i int) int{
		(*reading).readAmount, (*reading).readAbout, (*reading).readConcept, (*reading).readWithout, (*reading).readDelivery,
		(*reading).readPlace, (*reading).readFor, (*reading).readKind, (*reading).readMount, (*reading).readCondition,
	}
}

// isName reports whether the words are the name of gear and nothing else.
func (s *reading) isName() bool {
	words := models.Words(s.text(0, len(s.words)))
	found := s.lookup.Match(words)
	return !found.Empty() && !s.lookup.Named(words, found).Empty()
}

// text returns the words from an index up to another as typed.
func (s *reading) text(from, to int) string {
	texts := make([]string, 0, to-from)
	for _, w := range s.words[from:to] {
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

// keys returns the words from an index up to another, folded.
func (s *reading) keys(from, to int) string {
	keys := make([]string, 0, to-from)
	for _, w := range s.words[from:to] {
		keys = append(keys, w.key)
	}
	return strings.Join(keys, " ")
}

// add adds a filter said by the words from an index up to another.
func (s *reading) add(from, to int, terms ...Term) int {
	s.parts = append(s.parts, Part{s.text(from, to), slices.Clone(terms)}) // those of concepts are shared
	s.read = true
	return to - from
}

// end returns the end of a phrase that begins at an index: it has at most limit words, and
// none after punctuation.
func (s *reading) end(from, limit int) int {
	to := from
	for to < len(s.words) && to-from < limit {
		if to++; s.words[to-1].ends {
			break
		}
	}
	return to
}

// longest calls read with the ends of ever shorter phrases that begin at an index, until it
// returns true, and returns the end of that phrase, or from if there is none.
func (s *reading) longest(from, limit int, read func(to int) bool) int {
	for to := s.end(from, limit); to > from; to-- {
		if read(to) {
			return to
		}
	}
	return from
}

// value returns the value of a parameter that has been read, "" for none.
func (s *reading) value(param string) string {
	for _, p := range s.parts {
		for _, t := range p.Terms {
			if t.Param == param {
				return t.Value
			}
		}
	}
	return ""
}

// remove removes terms, and the parts that have no others.
func (s *reading) remove(drop func(t Term) bool) {
	for i := range s.parts {
		s.parts[i].Terms = slices.DeleteFunc(slices.Clone(s.parts[i].Terms), drop)
	}
	s.parts = slices.DeleteFunc(s.parts, func(p Part) bool { return len(p.Terms) == 0 })
}

// family returns the family of the categories that the sentence names, "" for none.
func (s *reading) family() string {
	switch kind := s.value("category"); kind {
	case models.FamilyCamera, models.FamilyLens:
		return kind
	default:
		return models.Category(kind).Family()
	}
}

// tidy settles terms that depend on others.
func (s *reading) tidy() {
	s.settleCategory()
	if s.value("model") != "" { // says the same and more
		s.remove(func(t Term) bool {
			return t.Param == "category" || t.Param == "brand" || t.Param == "mount" || t.Param == "sensor"
		})
	}
	if s.family() != models.FamilyLens && s.value("mount") == "" && s.value("fits") == "" { // a fast camera
		s.remove(func(t Term) bool { return t.Param == "aperture_max" && t.Value == fast })
	}
	seen := map[Term]bool{}
	s.remove(func(t Term) bool { // the first counts
		if !repeated[t.Param] {
			t.Value = ""
		}
		again := seen[t]
		seen[t] = true
		return again
	})
	if s.value("ship_to") != "" {
		s.replace(Term{"sort", "price"}, "total")
	}
}

// repeated are the parameters that have several values.
var repeated = models.WordSet("region condition functional without_defects defects ship_to brand")

// settleCategory leaves the narrowest of several categories: "wide angle" and "zoom" are a zoom.
func (s *reading) settleCategory() {
	best := s.value("category")
	for _, p := range s.parts {
		for _, t := range p.Terms {
			if t.Param == "category" && models.Category(t.Value).Family() == best {
				best = t.Value
			}
		}
	}
	if s.value("aperture_max") == fast && best == "lens_zoom" {
		s.replace(Term{"aperture_max", fast}, "2.8") // that of a fast zoom
	}
	s.remove(func(t Term) bool { return t.Param == "category" && t.Value != best })
}

// replace replaces the value of all terms that are the same as one.
func (s *reading) replace(same Term, value string) {
	for i := range s.parts {
		for n := range s.parts[i].Terms {
			if t := &s.parts[i].Terms[n]; *t == same {
				t.Value = value
			}
		}
	}
}

// fast is the aperture of a fast lens.
const fast = "2"

// memo caches the sentences of an edition of the catalogue.
type memo struct {
	mu     sync.Mutex
	lookup *catalog.Lookup
	cache  *cache.Cache[string, *Sentence]
}

// of returns the cache for a lookup.
func (m *memo) of(lookup *catalog.Lookup) *cache.Cache[string, *Sentence] {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lookup != lookup {
		m.lookup, m.cache = lookup, cache.New[string, *Sentence](memoLimit)
	}
	return m.cache
}
