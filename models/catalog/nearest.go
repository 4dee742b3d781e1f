package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/fuzzy"
)

// minSimilarity is the minimum similarity of a suggestion.
const minSimilarity = 0.4

// similarTo is Catalog.Nearest.
func (c *catalog) similarTo(slug string, n int) []*Gear {
	if n < 1 {
		return nil
	}
	brand, model, branded := strings.Cut(slug, "/")
	if !branded {
		brand, model = "", slug
	}
	brandSimilarities := c.brandSimilarities(models.Slug(brand))
	query, names := newName(nil, models.Slug(model)), c.names()
	best, least := map[*Gear]float64{}, minSimilarity
	for i, common := range names.commonWords(query) {
		known, factor := &names.all[i], 1.0
		if brand != "" {
			factor = 0.4 + 0.6*brandSimilarities[known.gear.BrandSlug]
		}
		if s := factor * query.similarity(known, common, least/factor); s >= least && s > best[known.gear] {
			best[known.gear] = s
		}
		if len(best) > 3*n {
			nearest := mostSimilar(best, n)
			maps.DeleteFunc(best, func(g *Gear, _ float64) bool { return !slices.Contains(nearest, g) })
			least = max(least, best[nearest[len(nearest)-1]])
		}
	}
	return mostSimilar(best, n)
}

// mostSimilar returns up to n gear, the most similar first.
func mostSimilar(similarities map[*Gear]float64, n int) []*Gear {
	nearest := slices.SortedFunc(maps.Keys(similarities), func(a, b *Gear) int { return cmp.Or(cmp.Compare(similarities[b], similarities[a]), bySlug(a, b)) })
	return nearest[:min(n, len(nearest))]
}

func (c *catalog) brandSimilarities(brand string) map[string]float64 {
	similarities := map[string]float64{}
	for _, b := range c.brands {
		similarities[b.Slug] = editSimilarity(brand, b.Slug, 0)
	}
	return similarities
}

// names are all names of gear.
type names struct {
	all    []name
	byWord map[string][]int // names with a word, each once, ascending
}

// allNames returns all model slugs and aliases.
func (c *catalog) allNames() *names {
	n := &names{byWord: map[string][]int{}}
	for _, g := range c.gear {
		n.add(newName(g, g.ModelSlug))
		for _, alias := range g.Aliases {
			n.add(newName(g, models.Slug(alias)))
		}
	}
	return n
}

func (n *names) add(known name) {
	for word := range models.WordSet(strings.Join(known.words, " ")) {
		n.byWord[word] = append(n.byWord[word], len(n.all))
	}
	n.all = append(n.all, known)
}

func newName(g *Gear, slug string) name {
	words := strings.Split(slug, "-")
	for i, word := range words {
		if number, ok := generationNumbers[word]; ok {
			words[i] = number
		}
	}
	return name{g, slug, words}
}

var generationNumbers = map[string]string{"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "mk": "mark"}

// commonWords returns how many words each name has in common with a query.
func (n *names) commonWords(query name) []int {
	common := make([]int, len(n.all))
	for word := range models.WordSet(strings.Join(query.words, " ")) {
		for _, i := range n.byWord[word] {
			common[i]++
		}
	}
	return common
}

// similarity returns the similarity of two names, with a number of common words, from 0 to
// 1: the mean of common words and edit similarity, or the edit similarity alone if that is
// higher. Names without a common word whose lengths differ by more than half have similarity
// 0. A similarity below least may be any value below it, which is much cheaper.
func (a *name) similarity(b *name, common int, least float64) float64 {
	if short, long := min(len(a.slug), len(b.slug)), max(len(a.slug), len(b.slug)); common == 0 && 2*short < long {
		return 0
	}
	words := float64(2*common) / float64(len(a.words)+len(b.words))
	letters := editSimilarity(a.slug, b.slug, min(2*least-words, least/0.75))
	return max((words+letters)/2, 0.75*letters)
}

// editSimilarity returns the similarity of two slugs from 0 to 1 by edit distance, or a
// value below least if it is below. A common prefix increases it.
func editSimilarity(a, b string, least float64) float64 {
	long := max(len(a), len(b))
	if long == 0 {
		return 0
	}
	commonPrefix := 0
	for commonPrefix < min(len(a), len(b)) && a[commonPrefix] == b[commonPrefix] {
		commonPrefix++
	}
	weight := 1 - 0.25*float64(commonPrefix)/float64(long)
	limit := int(min((1-least)/weight+1e-6, 1) * float64(long))
	if limit < 0 {
		return 0
	}
	return 1 - float64(fuzzy.Distance(a, b, limit))/float64(long)*weight
}

// Nearest returns up to n gear with names similar to an unknown slug, most
// similar first, for a "Did you mean" suggestion. Common words count, then
// letters. A slug without a brand ("eos-r6") is compared with models only.
func (c *Catalog) Nearest(slug string, n int) []*Gear { return c.now().similarTo(slug, n) }
