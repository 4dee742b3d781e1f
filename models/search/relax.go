package search

import (
	"cmp"
	"slices"

	"github.com/secondlight/secondlight/models/catalog"
)

// Relaxation is a search without one of its parameters.
type Relaxation struct {
	Param *Param
	Query Query // without the parameter
	Total int   // number of listings found without it
}

// Relax returns the parameters without which a search that finds nothing would find
// listings, those that give the most first. It returns none for a search with a single
// parameter.
func (x *core) Relax(q Query) []Relaxation {
	var restrictions []*Param
	for i := range Params {
		if p := &Params[i]; p.Label != "" && p.Len(&q) > 0 {
			restrictions = append(restrictions, p)
		}
	}
	if len(restrictions) < 2 {
		return nil
	}
	var all []Relaxation
	result := &Result{}
	for _, p := range restrictions {
		less := q
		less.Cursor = ""
		for p.Len(&less) > 0 {
			p.Remove(&less, 0)
		}
		if err := x.SearchInto(result, less); err == nil && result.Total > 0 {
			all = append(all, Relaxation{p, less, result.Total})
		}
	}
	slices.SortStableFunc(all, func(a, b Relaxation) int { return cmp.Compare(b.Total, a.Total) })
	return all
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
