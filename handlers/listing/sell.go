package listing

import (
	"cmp"
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// sellOps holds the operations that come before a listing: choosing gear and a price.
type sellOps struct{ Deps }

// sellInput is the item to sell.
type sellInput struct {
	Title string `json:"title,omitempty" jsonschema:"name of the item, or title of the listing" maxlength:"200" example:"Canon EOS R6 body, boxed"`
	Kit   string `json:"kit,omitempty" jsonschema:"id of an item of your kit that the form is filled in with" maxlength:"40"`
	Gear  string `json:"gear,omitempty" jsonschema:"catalogue slug, or none if the item is not in the catalogue" maxlength:"200" example:"canon/eos-r6"`
}

func (s sellOps) startListing() web.Operation {
	return web.Op[sellInput, *views.SellStart]{
		Name: "start_listing", Page: "/sell", Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title: "Start selling", Summary: "Shows the form of a new listing, with gear that matches a title.",
		Description: "Returns the form of a new listing and the gear in the catalogue that matches a name or title. Programs use find_gear and create_listing.",
		Sample:      func() *views.SellStart { return views.NewSellStart(s.Site, "", nil, nil) },
		Do:          s.doStartListing,
	}.Operation()
}

// draftsShown limits the drafts that the page where a listing begins links to.
const draftsShown = 5

func (s sellOps) doStartListing(ctx context.Context, in *sellInput) (*views.SellStart, error) {
	member := caller.Identity(ctx).Member
	draft := &models.Listing{ID: models.NewID(s.Clock()), SellerID: member.ID, Title: input.OneLine(in.Title), Region: member.Region}
	if in.Kit != "" {
		item, err := s.Watches.KitItem(ctx, strings.ToLower(in.Kit), member.ID)
		if err != nil {
			return nil, err
		}
		in.Gear, draft.Title, draft.Condition, draft.Serial = item.Gear, item.Name, item.Condition, item.Serial
	}
	gear := s.Catalog.Gear(in.Gear)
	if found := s.Gear.Resolve(draft.Title); gear == nil && in.Gear != ui.NoGear && found.Confident() {
		gear = found.Gear
	}
	if gear != nil {
		draft.Gear, draft.Category, draft.Title = gear.Slug(), gear.Category, cmp.Or(draft.Title, gear.Name())
	}
	form, err := s.listingForm(ctx, draft)
	if err != nil {
		return nil, err
	}
	drafts, err := s.Listings.ListingsBySeller(ctx, member.ID, []models.Status{models.StatusDraft}, store.ListingKey{}, draftsShown)
	if err != nil {
		return nil, err
	}
	return views.NewSellStart(s.Site, input.OneLine(in.Title), form, drafts), nil
}
