package search

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// newMatch returns the match of words. cut reports whether the keyword had more words.
func newMatch(x *core, words []string, cut bool) *match {
	m := &match{words: words, cut: cut, all: len(words) == 0}
	m.read(x)
	m.whole, m.part = x.shape.divide(m.reach[len(words)], nil, nil)
	if m.all {
		return m
	}
	matching := x.lookup.NewSet()
	addAll(matching, m.reach[len(words)])
	for gear := range x.lookup.Named(words, matching).All() {
		m.named = append(m.named, uint16(gear))
		if len(m.slugs) < NamedLimit {
			m.slugs = append(m.slugs, x.lookup.At(gear).Slug())
		}
	}
	return m
}

// read looks up all runs and computes runs, reach and unknown.
func (m *match) read(x *core) {
	m.runs, m.reach = make([][catalog.MaxRun]run, len(m.words)), make([][]uint16, len(m.words)+1)
	m.reach[0] = x.shape.every
	known := make([]bool, len(m.words))
	for i := range m.words {
		for k := 0; k < catalog.MaxRun && k <= i; k++ {
			r := &m.runs[i][k]
			r.term = m.words[i]
			if k > 0 {
				r.term = strings.Join(m.words[i-k:i+1], "")
			}
			if r.gear = x.lookup.Numbers(r.term); len(r.gear) > 0 {
				m.reach[i+1] = either(m.reach[i+1], common(r.gear, m.reach[i-k]))
				for at := i - k; at <= i; at++ {
					known[at] = true
				}
			}
		}
	}
	for i := range known {
		if !known[i] {
			m.unknown = append(m.unknown, i)
		}
	}
}

// knows reports whether a term is known: gear of the catalogue or a title has it.
func (x *core) knows(term string) bool {
	if x.lookup.HasTerm(term) {
		return true
	}
	for s := range x.states {
		if s.titles.count(term) > 0 {
			return true
		}
	}
	return false
}

// listings returns the number of listings that have a term, by gear or by title.
func (x *core) listings(term string) (n int) {
	for s := range x.states {
		n += s.titles.count(term)
		for _, g := range x.lookup.Numbers(term) {
			n += len(s.postings[g].byPublished)
		}
	}
	return n
}

// correct replaces each unknown word by the term of the catalogue, or else of a title,
// that was most likely meant. It returns nil if it replaces none.
func (x *core) correct(m *match) (fixed []string, warnings []Warning) {
	for _, i := range m.unknown {
		w := m.words[i]
		if !models.Correctable(w) || catalog.KnownWord(m.words, i, x.knows) {
			continue
		}
		better := x.lookup.Correct(w, x.listings)
		if better == "" {
			better = models.NearestWord(w, x.titleWords, x.listings)
		}
		if better == "" {
			continue
		}
		if fixed == nil {
			fixed = slices.Clone(m.words)
		}
		fixed[i] = better
		warnings = append(warnings, Warning{"corrected", "keyword", w + " → " + better})
	}
	return fixed, warnings
}

// leaveOut returns the words of a keyword without those that neither gear nor a title has, and these. It leaves
// out nothing of a keyword in quotation marks, no word with a digit, which may tell a model from others, and
// no word if the search would have no restriction left.
func (x *core) leaveOut(q *Query, m *match) (rest, unmatched []string) {
	if len(m.unknown) == 0 || q.verbatim() {
		return nil, nil
	}
	for i, w := range m.words {
		if slices.Contains(m.unknown, i) && !strings.ContainsAny(w, "0123456789") && !catalog.KnownWord(m.words, i, x.knows) {
			unmatched = append(unmatched, w)
		} else {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 && !q.Restricted() {
		return nil, nil
	}
	return rest, unmatched
}

// Restricted reports whether a query has a restriction other than the keyword.
func (q *Query) Restricted() bool {
	return slices.ContainsFunc(Params[:], func(p Param) bool { return p.Label != "" && p.Name != "keyword" && p.Len(q) > 0 })
}

// titleWords yields the terms of all titles that are candidates for correcting a misspelt
// word.
func (x *core) titleWords(yield func(string) bool) {
	for s := range x.states {
		for word := range s.titles.words {
			if !yield(word) {
				return
			}
		}
	}
}

// words yields the terms of titles that are candidates for correcting a misspelt word.
func (t *titles) words(yield func(string) bool) {
	for term := range t.common {
		if models.Correctable(term) && !yield(term) {
			return
		}
	}
	for term := range t.rare {
		if models.Correctable(term) && !yield(term) {
			return
		}
	}
}

// matchWords is like match for words.
func (x *core) matchWords(words []string) *match { return x.match(strings.Join(words, " ")) }

// match returns the match of a keyword, from the cache if it is there.
func (x *core) match(keyword string) *match {
	if m, ok := x.memo.Get(keyword); ok {
		return m
	}
	keyword = strings.Clone(keyword) // the caller may reuse its buffer
	words, cut := catalog.KeywordWords(keyword)
	m := newMatch(x, words, cut)
	if len(keyword) > keywordLimit {
		return m
	}
	return x.memo.Add(strings.Clone(keyword), m, m.size(keyword))
}

// MatchesGear returns a function that reports whether gear, by its slug, meets the
// restrictions of a query on gear: keyword, category, brand, model, mount and
// specifications. The others, such as the price, and what is for sale don't matter.
func (x *core) MatchesGear(q Query) func(slug string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	m := x.match(q.Keyword)
	if fixed, _ := x.correct(m); fixed != nil {
		m = x.matchWords(fixed)
	}
	flags := make([]uint8, len(x.shape.groups))
	x.shape.flag(flags, &q)
	models := x.modelGear(q.Model)
	return func(slug string) bool {
		n, ok := x.lookup.Catalogued(slug)
		if !ok || meetsAll(flags[x.shape.groupOf[n]]) == 0 || !x.shape.admits(&q.GearFilter, uint16(n)) {
			return false
		}
		_, inModel := slices.BinarySearch(models, uint16(n))
		_, named := slices.BinarySearch(m.reach[len(m.words)], uint16(n))
		return inModel && named
	}
}

// instead returns a keyword for one without results: the name of the gear that its words name as a
// title, if it has results, else withoutOne.
func (x *core) instead(words []string, count func(words []string) int) (keyword string) {
	if g := x.lookup.Read(words); g != nil {
		if name, _ := catalog.KeywordWords(g.Name()); count(name) > 0 {
			return strings.Join(name, " ")
		}
	}
	return withoutOne(words, count)
}

// withoutOne returns the keyword with the most results among those with one word left
// out, the first of several. It returns "" if none has results.
func withoutOne(words []string, count func(words []string) int) (keyword string) {
	if len(words) < 2 {
		return ""
	}
	highest := 0
	for i := range words {
		fewer := slices.Delete(slices.Clone(words), i, i+1)
		if n := count(fewer); n > highest {
			highest, keyword = n, strings.Join(fewer, " ")
		}
	}
	return keyword
}
