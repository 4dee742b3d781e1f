package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/fuzzy"
)

// minSimilarity is the minimum similarity of a suggestion.
const minSimilarity = 0.4

// similarTo is Catalog.Nearest.
func (c *catalog) similarTo(slug string, n int) []*Gear {
	brand, model, branded := strings.Cut(slug, "/")
	if !branded {
		brand, model = "", slug
	}
	brandSimilarities := c.brandSimilarities(models.Slug(brand))
	query := newName(nil, models.Slug(model))
	best := map[*Gear]float64{}
	for _, known := range c.names() {
		similarity := query.similarity(known)
		if brand != "" {
			similarity *= 0.4 + 0.6*brandSimilarities[known.gear.BrandSlug]
		}
		if similarity >= minSimilarity && similarity > best[known.gear] {
			best[known.gear] = similarity
		}
	}
	nearest := make([]*Gear, 0, len(best))
	for g := range best {
		nearest = append(nearest, g)
	}
	slices.SortFunc(nearest, func(a, b *Gear) int { return cmp.Or(cmp.Compare(best[b], best[a]), bySlug(a, b)) })
	return nearest[:max(0, min(n, len(nearest)))]
}

func (c *catalog) brandSimilarities(brand string) map[string]float64 {
	similarities := map[string]float64{}
	for _, b := range c.brands {
		similarities[b.Slug] = editSimilarity(brand, b.Slug)
	}
	return similarities
}

// allNames returns all model slugs and aliases.
func (c *catalog) allNames() []name {
	var names []name
	for _, g := range c.gear {
		names = append(names, newName(g, g.ModelSlug))
		for _, alias := range g.Aliases {
			names = append(names, newName(g, models.Slug(alias)))
		}
	}
	return names
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

// similarity returns the similarity of two names from 0 to 1: the mean of
// common words and edit similarity, or the edit similarity alone if that is
// higher. Names without a common word whose lengths differ by more than half
// have similarity 0.
func (a name) similarity(b name) float64 {
	common := 0
	for i, word := range a.words {
		if slices.Contains(b.words, word) && !slices.Contains(a.words[:i], word) {
			common++
		}
	}
	if short, long := min(len(a.slug), len(b.slug)), max(len(a.slug), len(b.slug)); common == 0 && 2*short < long {
		return 0
	}
	words := float64(2*common) / float64(len(a.words)+len(b.words))
	letters := editSimilarity(a.slug, b.slug)
	return max((words+letters)/2, 0.75*letters)
}

// editSimilarity returns the similarity of two words from 0 to 1 by edit
// distance. A common prefix increases it.
func editSimilarity(a, b string) float64 {
	long := max(len(a), len(b))
	if long == 0 {
		return 0
	}
	commonPrefix := 0
	for commonPrefix < min(len(a), len(b)) && a[commonPrefix] == b[commonPrefix] {
		commonPrefix++
	}
	changed := float64(fuzzy.Distance(a, b, long)) / float64(long)
	return 1 - changed*(1-0.25*float64(commonPrefix)/float64(long))
}

// Nearest returns up to n gear with names similar to an unknown slug, most
// similar first, for a "Did you mean" suggestion. Common words count, then
// letters. A slug without a brand ("eos-r6") is compared with models only.
func (c *Catalog) Nearest(slug string, n int) []*Gear { return c.now().similarTo(slug, n) }
