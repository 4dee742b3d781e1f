package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models/catalog"
)

// Relaxation is a search with fewer restrictions.
type Relaxation struct {
	Param *Param // that was left out, in full or in part; nil if only one is left, or none
	Query Query
	Total int // number of listings found
}

// Relax returns searches with fewer restrictions than one that finds nothing, those that find the most first:
// without one parameter or word of the keyword each or, if none of these finds anything, with a single
// parameter each, or else all listings.
func (x *core) Relax(q Query) []Relaxation {
	var restrictions []*Param
	for i := range Params {
		if p := &Params[i]; p.Label != "" && p.Len(&q) > 0 {
			restrictions = append(restrictions, p)
		}
	}
	var all []Relaxation
	add := func(p *Param, less Query) {
		less.Cursor = ""
		count := less
		count.Limit, count.NoFacets = 1, true
		if result, err := x.Search(count); err == nil && result.Total > 0 {
			all = append(all, Relaxation{p, less, result.Total})
		}
	}
	for _, p := range restrictions {
		if len(restrictions) > 1 {
			add(p, q.without(p))
		}
	}
	x.withFewerWords(q, add)
	if len(all) == 0 && len(restrictions) > 2 {
		for _, only := range restrictions {
			add(nil, q.without(slices.DeleteFunc(slices.Clone(restrictions), func(p *Param) bool { return p == only })...))
		}
	}
	if len(all) == 0 {
		add(nil, q.without(restrictions...))
	}
	slices.SortStableFunc(all, func(a, b Relaxation) int { return cmp.Compare(b.Total, a.Total) })
	return all[:min(len(all), maxRelaxations)]
}

// maxRelaxations is the number of searches with fewer restrictions.
const maxRelaxations = 8

// withFewerWords calls add with the searches for a keyword without one of its words.
func (x *core) withFewerWords(q Query, add func(*Param, Query)) {
	words := x.match(q.Keyword).words
	if len(words) < 2 || q.verbatim() {
		return
	}
	for i := range words {
		less := q
		less.Keyword = strings.Join(slices.Delete(slices.Clone(words), i, i+1), " ")
		add(&Params[0], less)
	}
}

// without returns a query without parameters.
func (q Query) without(params ...*Param) Query {
	for _, p := range params {
		for p.Len(&q) > 0 {
			p.Remove(&q, 0)
		}
	}
	return q
}

// Unmatched returns the words of a keyword that neither gear nor a title has.
func (x *core) Unmatched(keyword string) (words []string) {
	m := x.match(keyword)
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, i := range m.unknown {
		if !catalog.KnownWord(m.words, i, x.knows) {
			words = append(words, m.words[i])
		}
	}
	return words
}
