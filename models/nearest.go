package models

import (
	"cmp"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models/fuzzy"
)

// name is one of the names of a gear: its slug, and the words of it with
// generations as figures, for "mark-3" is asked for as "mark-iii".
type name struct {
	gear  *Gear
	slug  string
	words []string
}

// nearEnough is the least likeness that is worth a "did you mean".
const nearEnough = 0.4

// Nearest is up to n gear with a name most like a slug that names nothing, the
// likest first: for "did you mean". Words in common count, then letters; what
// has little in common is left out. A slug without a brand ("eos-r6") is
// compared with models alone.
func (c *Catalog) Nearest(slug string, n int) []*Gear {
	brand, model, branded := strings.Cut(slug, "/")
	if !branded {
		brand, model = "", slug
	}
	brandLikeness := c.likenessOfBrands(Slug(brand))
	asked := newName(nil, Slug(model))
	best := map[*Gear]float64{}
	for _, known := range c.names() {
		like := asked.likeness(known)
		if brand != "" {
			like *= 0.4 + 0.6*brandLikeness[known.gear.BrandSlug]
		}
		if like >= nearEnough && like > best[known.gear] {
			best[known.gear] = like
		}
	}
	found := make([]*Gear, 0, len(best))
	for g := range best {
		found = append(found, g)
	}
	slices.SortFunc(found, func(a, b *Gear) int { return cmp.Or(cmp.Compare(best[b], best[a]), bySlug(a, b)) })
	return found[:max(0, min(n, len(found)))]
}

func (c *Catalog) likenessOfBrands(brand string) map[string]float64 {
	likeness := map[string]float64{}
	for _, b := range c.brands {
		likeness[b.Slug] = lettersInCommon(brand, b.Slug)
	}
	return likeness
}

// allNames is every model slug and alias.
func (c *Catalog) allNames() []name {
	var names []name
	for _, g := range c.gear {
		names = append(names, newName(g, g.ModelSlug))
		for _, alias := range g.Aliases {
			names = append(names, newName(g, Slug(alias)))
		}
	}
	return names
}

func newName(g *Gear, slug string) name {
	words := strings.Split(slug, "-")
	for i, word := range words {
		if figure, ok := generations[word]; ok {
			words[i] = figure
		}
	}
	return name{g, slug, words}
}

var generations = map[string]string{"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "mk": "mark"}

// likeness is how much two names have in common, from 0 to 1: half the words,
// half the letters, or the letters alone where no word is right. Names that
// share no word and differ much in length have nothing in common.
func (a name) likeness(b name) float64 {
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
	letters := lettersInCommon(a.slug, b.slug)
	return max((words+letters)/2, 0.75*letters)
}

// lettersInCommon is how little must be changed to make one word of another,
// from 0 to 1; the beginning tells more than the end.
func lettersInCommon(a, b string) float64 {
	long := max(len(a), len(b))
	if long == 0 {
		return 0
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	changed := float64(fuzzy.Distance(a, b, long)) / float64(long)
	return 1 - changed*(1-0.25*float64(same)/float64(long))
}
