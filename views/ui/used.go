package ui

import (
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// UsedPrefix begins the paths of category pages: "/used/lenses/fujifilm-x".
const UsedPrefix = "/used/"

// families has the first part of the paths of the families of categories.
var families = map[models.Kind]string{models.FamilyCamera: "cameras", models.FamilyLens: "lenses"}

// UsedPath returns the path of the category page that shows the same as a search, "" if there is none: for a
// category, lenses for a mount, a brand, and its cameras or lenses.
func UsedPath(f *search.Filter) string {
	q := search.Query{Filter: *f}
	q.Category, q.Brands, q.Mount = "", nil, ""
	if q.Keyword != "" || q.Restricted() || len(f.Brands) > 1 {
		return ""
	}
	family, category := families[f.Category], models.Category(f.Category)
	switch brand := len(f.Brands) == 1; {
	case brand && f.Mount == "" && f.Category == "":
		return UsedPrefix + f.Brands[0]
	case brand && f.Mount == "" && family != "":
		return UsedPrefix + f.Brands[0] + "/" + family
	case brand:
		return ""
	case f.Mount != "" && f.Category == models.FamilyLens:
		return UsedPrefix + family + "/" + models.Slug(f.Mount)
	case f.Mount != "":
		return ""
	case family != "":
		return UsedPrefix + family
	case category == "accessory":
		return UsedPrefix + "accessories"
	case category.Family() != "":
		return UsedPrefix + families[models.Kind(category.Family())] + "/" + models.Slug(strings.TrimPrefix(string(category), "lens_"))
	}
	return ""
}

// usedTitles are the titles of the pages of a category.
var usedTitles = map[models.Kind]string{
	models.FamilyCamera: languages.Mark("Used cameras"), models.FamilyLens: languages.Mark("Used lenses"),
	"mirrorless": languages.Mark("Used mirrorless cameras"), "dslr": languages.Mark("Used DSLRs"), "rangefinder": languages.Mark("Used rangefinder cameras"),
	"film_slr": languages.Mark("Used film SLRs"), "medium_format": languages.Mark("Used medium format cameras"), "large_format": languages.Mark("Used large format cameras"),
	"compact": languages.Mark("Used compact cameras"), "instant": languages.Mark("Used instant cameras"), "action_cam": languages.Mark("Used action cameras"),
	"lens_prime": languages.Mark("Used prime lenses"), "lens_zoom": languages.Mark("Used zoom lenses"), "lens_macro": languages.Mark("Used macro lenses"),
	"lens_fisheye": languages.Mark("Used fisheye lenses"), "accessory": languages.Mark("Used accessories"),
}

// UsedTitle returns the title of the page of a category, or of lenses for a mount.
func UsedTitle(l *languages.Language, category models.Kind, mount string) string {
	if mount != "" {
		return l.Text("Used lenses for %s", mount)
	}
	return l.Text(usedTitles[category])
}

// UsedCrumbs returns links to the category pages that show an item: of its family, and of its
// category or, for a lens, its mount.
func UsedCrumbs(l *languages.Language, category models.Category, mount string) (crumbs []Link) {
	family := models.Kind(category.Family())
	own := search.Filter{Category: models.Kind(category)}
	if family == models.FamilyLens && mount != "" {
		own = search.Filter{Category: family, Mount: mount}
	}
	for _, f := range []search.Filter{{Category: family}, own} {
		if path := UsedPath(&f); path != "" {
			crumbs = append(crumbs, Link{path, UsedTitle(l, f.Category, f.Mount)})
		}
	}
	return crumbs
}

// UsedFilters returns the filters of all category pages, given the names of mounts and the slugs of brands.
func UsedFilters(mounts, brands []string) (all []search.Filter) {
	kinds := []models.Kind{models.FamilyCamera, models.FamilyLens}
	for _, c := range models.Categories {
		if c != "other" {
			kinds = append(kinds, models.Kind(c))
		}
	}
	for _, kind := range kinds {
		all = append(all, search.Filter{Category: kind})
	}
	for _, mount := range mounts {
		all = append(all, search.Filter{Category: models.FamilyLens, Mount: mount})
	}
	for _, brand := range brands {
		for _, kind := range []models.Kind{"", models.FamilyCamera, models.FamilyLens} {
			all = append(all, search.Filter{Brands: []string{brand}, Category: kind})
		}
	}
	return all
}
