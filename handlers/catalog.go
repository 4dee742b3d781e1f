package handlers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/views"
)

// unknownGear returns the field error for gear that is not in the catalogue.
func (s *app) unknownGear(slug string) error {
	hint := "Find the slug with GET /api/gear?keyword=…"
	var near []string
	for _, g := range s.catalog.Nearest(strings.ToLower(slug), 3) {
		near = append(near, g.Slug())
	}
	if len(near) > 0 {
		hint = "Did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return web.InvalidField("gear", fmt.Sprintf("The catalogue has no gear %q.", slug), hint)
}

// suggest returns the gear that a title may refer to, most likely first.
func (s *app) suggest(title string) []*models.Gear {
	if title == "" {
		return nil
	}
	var all []*models.Gear
	add := func(g *models.Gear) {
		if g != nil && g.ModelSlug != "" && len(all) < suggestionsShown && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	add(s.resolve(title).Gear)
	found, _ := s.catalog.Lookup().Gear(title)
	for _, g := range found {
		add(g)
	}
	if words := strings.Fields(title); len(all) == 0 && len(words) > 3 { // the name usually comes first in a title
		found, _ = s.catalog.Lookup().Gear(strings.Join(words[:3], " "))
		for _, g := range found {
			add(g)
		}
	}
	return all
}

// gearName returns the display name of gear, or "" if the catalogue does not have it.
func (s *app) gearName(slug string) string {
	if g := s.catalog.Gear(slug); g != nil {
		return g.Name()
	}
	return ""
}

// resolve returns the gear that a title refers to.
func (s *app) resolve(title string) models.Resolution { return s.catalog.Resolver().Resolve(title) }

// gearOf returns the camera and the lens of an exposure that are in the catalogue.
func (s *app) gearOf(x *picture.Exposure) (gear []*models.Gear) {
	for _, g := range []*models.Gear{x.Camera(s.catalog), x.Lens(s.catalog)} {
		if g != nil {
			gear = append(gear, g)
		}
	}
	return gear
}

// names holds the catalogue names that requests may use.
type names struct {
	brands     []string          // slugs
	models     map[string]bool   // model slugs without their brand
	mounts     map[string]string // display name by slug
	mountSlugs []string
}

// namesOf collects the names of a catalogue.
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

// wordsOf returns the display names of slugs.
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

// readBrands returns the slugs of brands given by slug or name: "Voigtländer" is voigtlander.
func (s *app) readBrands(given []string, fieldErrors *web.FieldErrors) []string {
	var slugs []string
	for _, name := range given {
		slug := models.Slug(name)
		if s.catalog.Brand(slug) == nil {
			fieldErrors.Add("brand", fmt.Sprintf("The catalogue has no brand %q.", name), didYouMean(slug, s.names.brands, "GET /api/gear lists every brand."))
		} else if !slices.Contains(slugs, slug) {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}

// readModel returns the slug of a model, given with or without its brand.
func (s *app) readModel(slug string, fieldErrors *web.FieldErrors) string {
	slug = strings.ToLower(strings.TrimSpace(slug))
	if slug == "" || s.catalog.Gear(slug) != nil || s.names.models[slug] {
		return slug
	}
	hint := "Find the slug with GET /api/gear?keyword=…"
	if near := s.catalog.Nearest(slug, 1); len(near) > 0 {
		hint = "Did you mean " + near[0].Slug() + "? " + hint
	}
	fieldErrors.Add("model", fmt.Sprintf("The catalogue has no model %q.", slug), hint)
	return ""
}

// readMount returns the name of a mount given by name or slug: "canon-rf" is Canon RF.
func (s *app) readMount(name string, fieldErrors *web.FieldErrors) string {
	if strings.TrimSpace(name) == "" {
		return ""
	}
	slug := models.Slug(name)
	mount := s.names.mounts[slug]
	if mount == "" {
		fieldErrors.Add("mount", fmt.Sprintf("The catalogue has no mount %q.", name), didYouMean(slug, s.names.mountSlugs, "The mount facet of a search lists all mounts."))
	}
	return mount
}

// didYouMean prefixes a hint with the candidate nearest to word, if there is one.
func didYouMean(word string, candidates []string, hint string) string {
	if near := fuzzy.NearestName(word, candidates); near != "" {
		return "Did you mean " + near + "? " + hint
	}
	return hint
}

// gearNotFound returns gear_not_found with links to the nearest gear.
func (s *app) gearNotFound(slug string) error {
	err := &problem.Error{Kind: problem.NotFound, Code: "gear_not_found",
		Message: fmt.Sprintf("The catalogue has no gear with the slug %q.", slug),
		Hint:    "Find the slug with GET /api/gear?keyword=…"}
	near := s.catalog.Nearest(slug, 3)
	if len(near) == 0 {
		return err
	}
	var slugs []string
	for _, g := range near {
		slugs = append(slugs, g.Slug())
		err.Links = append(err.Links, problem.Link{Href: "/gear/" + g.Slug(), Label: g.Name()})
	}
	err.Hint = "Did you mean " + strings.Join(slugs, " or ") + "? Or find the slug with GET /api/gear?keyword=…"
	return err
}

// photographs returns the current portfolio; it is empty if there is none.
func (s *app) photographs() *portfolio.Portfolio {
	if s.library == nil {
		return &portfolio.Portfolio{}
	}
	return s.library.Portfolio()
}
