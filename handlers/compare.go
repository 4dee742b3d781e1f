package handlers

import (
	"context"
	"fmt"
	"slices"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// compareInput are the models to compare.
type compareInput struct {
	Gear []string `json:"gear" jsonschema:"2 to 6 cameras or lenses, each by any name or its slug" maxlength:"200" example:"canon/eos-r6,sony/alpha-7-iii"`
}

func (s priceOps) compareGear() web.Operation {
	return web.Op[compareInput, *views.Comparison]{
		Name: "compare_gear", Path: "/api/compare", Tag: "Prices", Shared: true, DependsOn: comparisonSources,
		Title: "Compare gear", Summary: "Compares 2 to 6 cameras or lenses side by side.",
		Description: "Returns the specifications of each model with what differs, sold prices overall and by condition, what is for sale and days to sell. Takes any names. For one model use get_price.",
		Errors:      []string{"unresolved_name", "gear_not_found", "invalid_parameter"},
		Do: func(ctx context.Context, in *compareInput) (*views.Comparison, error) {
			gear, unresolved := s.findAllNamed(in.Gear)
			for _, u := range unresolved {
				if len(u.Candidates) == 0 {
					return nil, s.gearNotFound(u.Name)
				}
			}
			if len(unresolved) > 0 {
				return nil, ambiguousGear(unresolved)
			}
			if len(gear) < views.MinCompared || len(gear) > views.MaxCompared {
				return nil, web.InvalidField("gear", fmt.Sprintf("A comparison takes %d to %d different models; the request has %d.", views.MinCompared, views.MaxCompared, len(gear)), "")
			}
			return s.comparison(ctx, gear, nil)
		},
	}.Operation()
}

// comparisonInput is what is entered on the page of a comparison.
type comparisonInput struct {
	Gear []string `json:"gear,omitempty" jsonschema:"up to 6 cameras or lenses, each by any name or its slug" maxlength:"200" example:"canon/eos-r6,sony/alpha-7-iii"`
}

func (s priceOps) showComparison() web.Operation {
	return web.Op[comparisonInput, *views.Comparison]{
		Name: "show_comparison", Page: "/compare", Tag: "Prices", Shared: true, DependsOn: comparisonSources,
		Title: "Compare models", Summary: "The page that compares models side by side.",
		Description: "Shows up to 6 models side by side, and asks which model is meant if a name does not say. Programs use compare_gear.",
		Errors:      []string{"invalid_parameter"},
		Do: func(ctx context.Context, in *comparisonInput) (*views.Comparison, error) {
			gear, unresolved := s.findAllNamed(in.Gear)
			if len(gear) > views.MaxCompared {
				return nil, web.InvalidField("gear", fmt.Sprintf("You can compare up to %d models at a time.", views.MaxCompared), "Remove a model.")
			}
			return s.comparison(ctx, gear, unresolved)
		},
	}.Operation()
}

// findAllNamed returns the gear that names mean, each once, and the names that do not say
// which gear they mean.
func (s priceOps) findAllNamed(names []string) (all []*models.Gear, unresolved []*views.UnresolvedGear) {
	for _, name := range names {
		gear, candidates := s.findNamed(name)
		switch {
		case gear == nil:
			unresolved = append(unresolved, views.NewUnresolvedGear(oneLine(name), candidates))
		case !slices.Contains(all, gear):
			all = append(all, gear)
		}
	}
	return all, unresolved
}

// comparison returns the comparison of gear.
func (s priceOps) comparison(ctx context.Context, gear []*models.Gear, unresolved []*views.UnresolvedGear) (*views.Comparison, error) {
	parts := make([]views.ComparedParts, len(gear))
	now := models.TimeOf(s.clock())
	for i, g := range gear {
		trend, err := s.store.Trend(ctx, g.Slug())
		if err != nil {
			return nil, err
		}
		times, err := s.store.SellingTimes(ctx, g.Slug(), now)
		if err != nil {
			return nil, err
		}
		parts[i] = views.ComparedParts{Gear: g, Trend: trend, Time: times[""], Asked: s.asking(g)}
	}
	return views.NewComparison(&s.site, parts, unresolved), nil
}

// comparisonSources returns what a comparison is made of. The order of candidates depends
// on all sales.
func comparisonSources(p *views.Comparison) []string {
	if len(p.Unresolved) > 0 {
		return []string{marketTag}
	}
	var tags []string
	for _, m := range p.Models {
		tags = append(tags, gearTag(m.Gear))
	}
	return tags
}
