package price

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
	listingviews "github.com/secondlight/secondlight/views/listing"
	views "github.com/secondlight/secondlight/views/price"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// compareInput are the models or the listings to compare.
type compareInput struct {
	Gear    []string      `json:"gear,omitempty" jsonschema:"2 to 6 cameras or lenses, each by any name or its slug" maxlength:"200" example:"canon/eos-r6,sony/alpha-7-iii"`
	Listing []string      `json:"listing,omitempty" jsonschema:"instead of gear: ids of 2 to 4 listings" maxlength:"36" example:"019aa7d2-7c00-7000-8000-000000000000,019aa7d2-7c00-7000-8000-000000000001"`
	To      models.Region `json:"ship_to,omitempty" jsonschema:"country to state the postage of listings for; default: the member's" example:"DE"`
}

// check returns the error for input that names both models and listings.
func (in *compareInput) check() error {
	if len(in.Gear) > 0 && len(in.Listing) > 0 {
		return web.InvalidField("listing", problem.Textf("Compare either models or listings, not both."), problem.Programf("Leave out `gear` or `listing`."))
	}
	return nil
}

func (s priceOps) compareGear() web.Operation {
	return web.Op[compareInput, *searchviews.Comparison]{
		Name: "compare_gear", Path: "/api/compare", Tag: "Prices", DependsOn: comparisonSources,
		Title: "Compare models or listings", Summary: "Compares 2 to 6 models, or 2 to 4 listings, side by side.",
		Description: "For models (gear, any names) returns specifications, sold prices by condition, what is for sale and days to sell. " +
			"For listings (listing): price against the market, postage, condition, what is included, seller and specifications. For one model use get_price.",
		Errors:   []string{"missing_parameter", "unresolved_name", "gear_not_found", "invalid_parameter"},
		Exampled: []string{"gear"},
		Do: func(ctx context.Context, in *compareInput) (*searchviews.Comparison, error) {
			if err := in.check(); err != nil {
				return nil, err
			}
			if len(in.Listing) > 0 {
				return s.compareListings(ctx, in)
			}
			return s.compareModels(ctx, in.Gear)
		},
	}.Operation()
}

// compareModels returns the comparison of the models with the given names.
func (s priceOps) compareModels(ctx context.Context, names []string) (*searchviews.Comparison, error) {
	if len(names) == 0 {
		var fieldErrors web.FieldErrors
		fieldErrors.AddCode("gear", "missing_parameter", problem.Textf("gear or listing is required."), problem.Programf("Name 2 to 6 models in `gear`, or give the ids of 2 to 4 listings in `listing`."))
		return nil, fieldErrors.Err()
	}
	gear, unresolved, err := s.findAllNamed(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, u := range unresolved {
		if len(u.Candidates) == 0 {
			return nil, s.Gear.NotFound(u.Name)
		}
	}
	if len(unresolved) > 0 {
		return nil, ambiguousGear(unresolved)
	}
	if len(gear) < ui.MinCompared || len(gear) > ui.MaxCompared {
		return nil, web.InvalidField("gear", problem.Textf("A comparison takes %d to %d different models; the request has %d.", ui.MinCompared, ui.MaxCompared, len(gear)), nil)
	}
	return s.comparison(ctx, gear, nil, 0)
}

// compareListings returns the comparison of the listings of a request.
func (s priceOps) compareListings(ctx context.Context, in *compareInput) (*searchviews.Comparison, error) {
	listings, missing, err := s.findListings(ctx, in.Listing)
	if err != nil {
		return nil, err
	}
	var fieldErrors web.FieldErrors
	for _, id := range missing {
		fieldErrors.Add("listing", problem.Programf("There is no listing with the id %q.", input.OneLine(id)), problem.Programf("Get ids from GET /api/listings/search?keyword=…."))
	}
	if n := len(listings); len(missing) == 0 && (n < ui.MinCompared || n > ui.MaxComparedListings) {
		fieldErrors.Add("listing", problem.Textf("A comparison takes %d to %d different listings; the request has %d.", ui.MinCompared, ui.MaxComparedListings, n), nil)
	}
	if err := fieldErrors.Err(); err != nil {
		return nil, err
	}
	return s.listingComparison(ctx, listings, in.To, nil, 0)
}

func (s priceOps) showComparison() web.Operation {
	return web.Op[compareInput, *searchviews.Comparison]{
		Name: "show_comparison", Page: "/compare", Tag: "Prices", DependsOn: comparisonSources,
		Title: "Compare", Summary: "The page that compares models or listings side by side.",
		Description: "Shows up to 6 models or up to 4 listings side by side, leaves out listings that are not public, and asks which model is meant if a name does not say. Programs use compare_gear.",
		Errors:      []string{"invalid_parameter"},
		Do: func(ctx context.Context, in *compareInput) (*searchviews.Comparison, error) {
			if err := in.check(); err != nil {
				return nil, err
			}
			if len(in.Listing) > 0 {
				return s.showListings(ctx, in)
			}
			gear, unresolved, err := s.findAllNamed(ctx, in.Gear)
			if err != nil {
				return nil, err
			}
			omitted := max(0, len(gear)-ui.MaxCompared)
			return s.comparison(ctx, gear[:len(gear)-omitted], unresolved, omitted)
		},
	}.Operation()
}

// showListings returns the page of the comparison of listings.
func (s priceOps) showListings(ctx context.Context, in *compareInput) (*searchviews.Comparison, error) {
	listings, missing, err := s.findListings(ctx, in.Listing)
	if err != nil {
		return nil, err
	}
	omitted := max(0, len(listings)-ui.MaxComparedListings)
	return s.listingComparison(ctx, listings[:len(listings)-omitted], in.To, missing, omitted)
}

// findListings returns the public listings with the given ids, each once, and the ids
// that have none.
func (s priceOps) findListings(ctx context.Context, ids []string) (listings []*models.Listing, missing []string, err error) {
	wanted := make([]string, 0, len(ids))
	for _, id := range ids {
		if id = strings.ToLower(id); !slices.Contains(wanted, id) {
			wanted = append(wanted, id)
		}
	}
	if listings, err = s.Listings.ListingsByID(ctx, wanted); err != nil {
		return nil, nil, err
	}
	for _, id := range wanted {
		if !slices.ContainsFunc(listings, func(l *models.Listing) bool { return l.ID == id }) {
			missing = append(missing, id)
		}
	}
	return listings, missing, nil
}

// listingComparison returns the comparison of listings, with the postage to a country, by
// default that of the member.
func (s priceOps) listingComparison(ctx context.Context, listings []*models.Listing, to models.Region, missing []string, omitted int) (*searchviews.Comparison, error) {
	if reader := caller.ID(ctx); to == "" && reader != "" {
		member, err := s.Accounts.MemberByID(ctx, reader)
		if err != nil {
			return nil, err
		}
		to = member.Region
	}
	parts := make([]listingviews.ListingParts, len(listings))
	for i, l := range listings {
		var err error
		if parts[i], err = s.ListingParts(ctx, l); err != nil {
			return nil, err
		}
	}
	return searchviews.NewListingComparison(s.Site, parts, to, missing, omitted), nil
}

// maxComparedNames is the number of names of a comparison that are read.
const maxComparedNames = 2 * ui.MaxCompared

// findAllNamed returns the gear that names mean, each once, and the names that do not say
// which gear they mean.
func (s priceOps) findAllNamed(ctx context.Context, names []string) (all []*catalog.Gear, unresolved []*views.UnresolvedGear, err error) {
	names = names[:min(len(names), maxComparedNames)]
	err = s.Gear.FindAllNamed(ctx, names, func(i int, gear *catalog.Gear, candidates []*catalog.Gear) {
		switch {
		case gear == nil:
			unresolved = append(unresolved, views.NewUnresolvedGear(input.OneLine(names[i]), candidates))
		case !slices.Contains(all, gear):
			all = append(all, gear)
		}
	})
	return all, unresolved, err
}

// comparison returns the comparison of gear.
func (s priceOps) comparison(ctx context.Context, gear []*catalog.Gear, unresolved []*views.UnresolvedGear, omitted int) (*searchviews.Comparison, error) {
	parts := make([]searchviews.ComparedParts, len(gear))
	now := models.TimeOf(s.Clock())
	for i, g := range gear {
		trend, err := s.Prices.Trend(ctx, g.Slug())
		if err != nil {
			return nil, err
		}
		times, err := s.Prices.SellingTimes(ctx, g.Slug(), now)
		if err != nil {
			return nil, err
		}
		parts[i] = searchviews.ComparedParts{Gear: g, Trend: trend, Estimate: s.Estimates.Of(g.Slug(), ""), Time: times[""], Asked: s.Guides.Asking(g)}
	}
	return searchviews.NewComparison(s.Site, parts, unresolved, omitted), nil
}

// comparisonSources returns what a comparison is made of. The order of candidates depends
// on all sales.
func comparisonSources(p *searchviews.Comparison) []string {
	if len(p.Unresolved) > 0 {
		return []string{cachetag.Market}
	}
	var tags []string
	for i := range p.Models {
		tags = append(tags, cachetag.Gear(p.Models[i].Gear))
	}
	for i := range p.Listings {
		l := &p.Listings[i]
		tags = append(tags, cachetag.Listing(l.ID), cachetag.Member(l.Seller), cachetag.Gear(l.Gear))
	}
	for _, id := range p.Missing {
		tags = append(tags, cachetag.Listing(id))
	}
	return tags
}
