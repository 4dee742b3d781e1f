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
