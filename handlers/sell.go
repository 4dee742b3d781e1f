package handlers

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// sellOps holds the operations that come before a listing: choosing gear and a price.
type sellOps struct{ *app }

// sellInput is the item to sell.
type sellInput struct {
	Title string `json:"title,omitempty" jsonschema:"name of the item, or title of the listing" maxlength:"200" example:"Canon EOS R6 body, boxed"`
	Gear  string `json:"gear,omitempty" jsonschema:"catalogue slug, or none if the item is not in the catalogue" maxlength:"200" example:"canon/eos-r6"`
}

// suggestionsShown limits the gear that is suggested for a title.
const suggestionsShown = 8

func (s sellOps) startListing() web.Operation {
	return web.Op[sellInput, *views.SellStart]{
		Name: "start_listing", Page: "/sell", Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title: "Start selling", Summary: "Shows the form of a new listing, with gear that matches a title.",
		Description: "Returns the form of a new listing and the gear in the catalogue that matches a name or title. Programs use find_gear and create_listing.",
		Sample:      func() *views.SellStart { return views.NewSellStart(&s.site, "", nil, nil, "", s.gearName) },
		Do: func(ctx context.Context, in *sellInput) (*views.SellStart, error) {
			title := oneLine(in.Title)
			gear, _ := s.catalog.FindGear("", in.Gear, s.popularity)
			suggestions := s.suggest(title)
			chosen := in.Gear
			if gear == nil && in.Gear != views.NoGear {
				chosen = ""
				if found := s.resolve(title); found.Confident() {
					gear = found.Gear
				}
			}
			if gear != nil {
				chosen = gear.Slug()
			}
			form := views.ListingForm{Gear: chosen, Title: title, Region: identityOf(ctx).Member.Region}
			if title == "" && gear != nil {
				form.Title = gear.Name()
			}
			page := views.NewSellStart(&s.site, title, suggestions, &form, chosen, s.gearName)
			if gear != nil {
				guide, err := s.priceGuide(ctx, gear, "", 0)
				if err != nil {
					return nil, err
				}
				page.Guide = guide
			}
			return page, nil
		},
	}.Operation()
}
