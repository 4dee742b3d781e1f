package catalog

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// brandNames returns the Names of a catalogue's brands, those with the most gear
// first.
func brandNames(c *catalog) *models.Names {
	brands := slices.Clone(c.brands)
	slices.SortStableFunc(brands, func(a, b Brand) int { return len(b.Gear) - len(a.Gear) })
	slugs := make([]string, len(brands))
	for i, b := range brands {
		slugs[i] = b.Slug
	}
	return models.NewNames("brand", nil, slugs, func(slug string) string { return c.byBrand[slug].Name }, "brand corp corporation inc ltd co ag ab kk gmbh")
}

// mountNames returns the Names of a catalogue's mounts, those with the most gear
// first.
func mountNames(c *catalog) *models.Names {
	count := map[string]int{}
	for _, g := range c.gear {
		for _, m := range g.Mounts() {
			count[m]++
		}
	}
	mounts := make([]string, 0, len(count))
	for m := range count {
		mounts = append(mounts, m)
	}
	slices.SortFunc(mounts, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	return models.NewNames("mount", nil, mounts, models.Same, "mount mounts lens lenses bayonet bajonett fit system mt the")
}

// brandSpellings returns other spellings of the brands of gear, as words: "fujinon", "carl zeiss". It
// omits those that are a product line, such as "eos", and several words of which one is part of a model.
// Count is what commonWords returns for the gear.
func brandSpellings(gear []*Gear, count map[[2]string]int) map[string]string {
	size := map[string]int{}
	for _, g := range gear {
		size[g.BrandSlug]++
	}
	spellings := map[string]string{}
	for written, means := range models.Synonyms()["brand"] {
		words := models.Words(written)
		last, most := words[len(words)-1], 0
		if len(words) == 1 {
			most = size[means[0]] / 10
		}
		if len(means) == 1 && size[means[0]] > 0 && !cameraWords[last] && !fillers[last] && !slices.ContainsFunc(words, func(w string) bool {
			return seriesBrand(w) != "" || count[[2]string{means[0], w}] > most
		}) {
			spellings[strings.Join(words, " ")] = means[0]
		}
	}
	return spellings
}
