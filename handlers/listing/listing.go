package listing

import (
	"context"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// listingOps holds the operations that read one listing.
type listingOps struct{ Deps }

type listingInput struct {
	ID     string        `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	ShipTo models.Region `json:"ship_to,omitempty" jsonschema:"country to deliver to; adds postage and total" example:"DE"`
}

func (s listingOps) getListing() web.Operation {
	return web.Op[listingInput, *views.Listing]{
		Name:      "get_listing",
		Path:      "/api/listings/{id}",
		Page:      "/listings/{id}",
		Tag:       "Listings",
		DependsOn: listingSources,
		Title:     "Get a listing",
		Summary:   "Returns one listing in full.",
		Description: "Returns everything about one listing: condition and its meaning, defects, included items, photos, the seller, " +
			"sold prices of the same gear, previous asking prices and similar listings. Sold and ended listings stay readable, with their status; only the seller can read a draft. " +
			"For the seller it also returns the available steps, and the version that edit_listing takes as if_match. " +
			"Get the id from search_listings.",
		Errors:  []string{"listing_not_found"},
		Example: s.Cards.NewestExample("id", func(c *ui.Card) string { return c.ID }),
		Do:      s.readListing,
	}.Operation()
}

// readListing returns the page of a public listing, or of a draft of the caller.
func (s listingOps) readListing(ctx context.Context, in *listingInput) (*views.Listing, error) {
	id, err := input.ListingID(in.ID)
	if err != nil {
		return nil, err
	}
	listing, err := s.Listings.Listing(ctx, id)
	if member := caller.ID(ctx); input.IsNotFound(err) && member != "" {
		listing, err = s.Listings.OwnListing(ctx, id, member) // a draft
	}
	if err != nil {
		return nil, err
	}
	page, err := s.listingPage(ctx, listing)
	if err != nil {
		return nil, err
	}
	switch id := caller.Identity(ctx); {
	case in.ShipTo == models.RegionEU:
		return nil, web.InvalidField("ship_to", problem.Textf("Postage depends on the country. Choose a country, not the EU."), problem.Textf("Name the country, such as DE."))
	case in.ShipTo != "":
		page.Deliver(in.ShipTo.Country())
	case id != nil:
		page.DeliverToReader(id.Member.Region.Country())
	}
	return page, nil
}
