package handlers

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/models"
)

// maxCompletions is how many values one completion may have, by the protocol.
const maxCompletions = 100

// completeArgument proposes values for an argument of a prompt or of a resource
// template by the argument's name.
func (s *Server) completeArgument(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	name, text := req.Params.Argument.Name, strings.TrimSpace(req.Params.Argument.Value)
	brand := ""
	if c := req.Params.Context; c != nil {
		brand = models.Slug(c.Arguments["brand"])
	}
	var values []string
	switch name {
	case "gear":
		values = s.completeGear(text)
	case "model":
		values = matching(s.modelsOf(brand), text)
	case "brand":
		values = matching(s.names.brands, text)
	case "mount":
		values = matching(s.names.mountSlugs, text)
	case "code":
		var codes []string
		for _, c := range errorCodes {
			codes = append(codes, c.Code)
		}
		values = matching(codes, text)
	default:
		values = matching(s.wordsFor(name), text)
	}
	shown := values[:min(len(values), maxCompletions)]
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: shown, Total: len(values), HasMore: len(shown) < len(values)}}, nil
}

// completeGear proposes slugs for any name gear is sold under, "5d mk" or "canon/e".
func (s *Server) completeGear(text string) []string {
	slugs := []string{}
	for _, g := range s.catalog.All() {
		if g.ModelSlug != "" && strings.HasPrefix(g.Slug(), strings.ToLower(text)) {
			slugs = append(slugs, g.Slug())
		}
	}
	found, _ := s.lookup.Gear(text)
	for _, g := range found {
		if !slices.Contains(slugs, g.Slug()) {
			slugs = append(slugs, g.Slug())
		}
		if len(slugs) > maxCompletions {
			break
		}
	}
	return slugs
}

// modelsOf are the model slugs of a brand, or of all.
func (s *Server) modelsOf(brand string) []string {
	gear := s.catalog.All()
	if b := s.catalog.Brand(brand); b != nil {
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

// wordsFor are the values a parameter has in the operations that fix them, or
// the names of the pages an operation lists.
func (s *Server) wordsFor(name string) []string {
	var words []string
	for i := range s.ops {
		for _, p := range s.ops[i].plan.params {
			if p.Name == name {
				words = append(words, p.Enum...)
			}
			if p.Name == name && p.Path && s.ops[i].List != nil {
				for _, l := range s.ops[i].List() {
					words = append(words, path.Base(l.Href))
				}
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// matching are the candidates that begin with a text, then those that contain it.
func matching(candidates []string, text string) []string {
	text = strings.ToLower(text)
	begin, contain := []string{}, []string{}
	for _, c := range candidates {
		switch {
		case strings.HasPrefix(c, text):
			begin = append(begin, c)
		case strings.Contains(c, text):
			contain = append(contain, c)
		}
	}
	return append(begin, contain...)
}
