package handlers

import (
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// completer completes the arguments of prompts and resource templates from the
// catalogue.
type completer struct{ *app }

// Complete implements web.Completer.
func (c completer) Complete(argument, text string, chosen map[string]string) (values []string, ok bool) {
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
		for _, code := range c.server.ErrorCodes() {
			codes = append(codes, code.Code)
		}
		return web.Matching(codes, text), true
	}
	return nil, false
}

// completeGear returns the slugs of gear that match the beginning of a slug or a
// name, such as "canon/e" or "5d mk".
func (c completer) completeGear(text string) []string {
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
func (c completer) modelsOf(brand string) []string {
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
