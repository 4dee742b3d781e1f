package document

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Completer completes the arguments of prompts and resource templates from the
// catalogue.
type Completer struct {
	catalog *catalog.Catalog
	codes   func() []web.ErrorCode
	names   atomic.Pointer[names]
}

// NewCompleter returns a completer of the names of a catalogue, and of error codes.
func NewCompleter(catalog *catalog.Catalog, codes func() []web.ErrorCode) *Completer {
	c := &Completer{catalog: catalog, codes: codes}
	c.Update()
	return c
}

// Update reads the names of the catalogue again.
func (c *Completer) Update() { c.names.Store(namesOf(c.catalog)) }

// Complete implements web.Completer.
func (c *Completer) Complete(argument, text string, chosen map[string]string) (values []string, ok bool) {
	switch argument {
	case "gear":
		return c.completeGear(text), true
	case "model":
		return web.Matching(c.modelsOf(models.Slug(chosen["brand"])), text), true
	case "brand":
		return web.Matching(c.names.Load().brands, text), true
	case "mount":
		return web.Matching(c.names.Load().mountSlugs, text), true
	case "code":
		var codes []string
		for _, code := range c.codes() {
			codes = append(codes, code.Code)
		}
		return web.Matching(codes, text), true
	}
	return nil, false
}

// completeGear returns the slugs of gear that match the beginning of a slug or a
// name, such as "canon/e" or "5d mk".
func (c *Completer) completeGear(text string) []string {
	slugs, prefix := []string{}, strings.ToLower(text)
	for _, g := range c.catalog.All() {
		if g.ModelSlug != "" && strings.HasPrefix(g.Slug(), prefix) {
			slugs = append(slugs, g.Slug())
		}
	}
	found, _ := c.catalog.Lookup().Gear(text)
	for _, g := range found {
		if !slices.Contains(slugs, g.Slug()) {
			slugs = append(slugs, g.Slug())
		}
		if len(slugs) > web.MaxCompletions {
			break
		}
	}
	return slugs
}

// modelsOf returns the model slugs of a brand, or of all brands if it is unknown.
func (c *Completer) modelsOf(brand string) []string {
	gear := c.catalog.All()
	if b := c.catalog.Brand(brand); b != nil {
		gear = b.Gear
	}
	var slugs []string
	for _, g := range gear {
		if g.ModelSlug != "" {
			slugs = append(slugs, g.ModelSlug)
		}
	}
	slices.Sort(slugs)
	return slices.Compact(slugs)
}

// names holds the catalogue names that requests may use.
type names struct {
	brands     []string          // slugs
	mounts     map[string]string // display name by slug
	mountSlugs []string
}

// namesOf collects the names of a catalogue.
func namesOf(catalog *catalog.Catalog) *names {
	n := &names{mounts: map[string]string{}}
	for _, b := range catalog.Brands() {
		n.brands = append(n.brands, b.Slug)
	}
	for _, g := range catalog.All() {
		for _, mount := range g.Mounts() {
			n.mounts[models.Slug(mount)] = mount
		}
	}
	n.mountSlugs = slices.Sorted(maps.Keys(n.mounts))
	return n
}
