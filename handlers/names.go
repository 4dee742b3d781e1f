package handlers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// names are the words of the catalogue that a request may use, prepared once.
type names struct {
	brands     []string          // slugs
	models     map[string]bool   // model slugs without their brand
	mounts     map[string]string // display name by slug
	mountSlugs []string
}

func namesOf(catalog *models.Catalog) names {
	n := names{models: map[string]bool{}, mounts: map[string]string{}}
	for _, b := range catalog.Brands() {
		n.brands = append(n.brands, b.Slug)
	}
	for _, g := range catalog.All() {
		n.models[g.ModelSlug] = true
		for _, mount := range g.Mounts() {
			n.mounts[models.Slug(mount)] = mount
		}
	}
	n.mountSlugs = slices.Sorted(maps.Keys(n.mounts))
	return n
}

// wordsOf is how the site writes what addresses name by slug.
func wordsOf(site *views.Site, catalog *models.Catalog) *views.Vocabulary {
	return views.NewVocabulary(site, views.Names{
		Brand: func(slug string) string {
			if b := catalog.Brand(slug); b != nil {
				return b.Name
			}
			return slug
		},
		Gear: func(slug string) string {
			if g := catalog.Gear(slug); g != nil {
				return g.Name()
			}
			return slug
		},
	})
}

// readBrands reads brands by slug or name: "Voigtländer" is voigtlander.
func (s *Server) readBrands(given []string, faults *faults) []string {
	var slugs []string
	for _, name := range given {
		slug := models.Slug(name)
		if s.catalog.Brand(slug) == nil {
			faults.add("brand", fmt.Sprintf("The catalogue has no brand %q.", name), didYouMean(slug, s.names.brands, "GET /api/gear lists every brand."))
		} else if !slices.Contains(slugs, slug) {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}

// readModel reads a model by its slug, with or without the brand's.
func (s *Server) readModel(slug string, faults *faults) string {
	slug = strings.ToLower(strings.TrimSpace(slug))
	if slug == "" || s.catalog.Gear(slug) != nil || s.names.models[slug] {
		return slug
	}
	hint := "Find the slug with GET /api/gear?keyword=…"
	if near := s.catalog.Nearest(slug, 1); len(near) > 0 {
		hint = "Did you mean " + near[0].Slug() + "? " + hint
	}
	faults.add("model", fmt.Sprintf("The catalogue has no model %q.", slug), hint)
	return ""
}

// readMount reads a mount by name or slug: "canon-rf" is Canon RF.
func (s *Server) readMount(name string, faults *faults) string {
	if strings.TrimSpace(name) == "" {
		return ""
	}
	slug := models.Slug(name)
	mount := s.names.mounts[slug]
	if mount == "" {
		faults.add("mount", fmt.Sprintf("The catalogue has no mount %q.", name), didYouMean(slug, s.names.mountSlugs, "The mount facet of a search lists mounts."))
	}
	return mount
}

// didYouMean begins a hint with the nearest candidate, if there is one.
func didYouMean(word string, candidates []string, hint string) string {
	if near := nearest(word, candidates); near != "" {
		return "Did you mean " + near + "? " + hint
	}
	return hint
}
