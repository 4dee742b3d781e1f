package ui

import (
	"strings"

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
