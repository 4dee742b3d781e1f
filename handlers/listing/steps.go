package listing

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// listingStepOps holds the operations that change the status of a listing.
type listingStepOps struct{ Deps }

// stepInput names a listing of the caller.
type stepInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of your listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

// listingStep completes an operation that takes a step without further input.
func (s listingStepOps) listingStep(o web.Op[stepInput, *views.Listing], step models.Step) web.Operation {
	o.Do = func(ctx context.Context, in *stepInput) (*views.Listing, error) {
		return s.advance(ctx, in.ID, models.Move{Step: step})
	}
	return o.Operation()
}

// advance takes a step of the caller's listing and returns its page.
func (s listingStepOps) advance(ctx context.Context, given string, move models.Move) (*views.Listing, error) {
	id, err := input.ListingID(given)
	if err != nil {
		return nil, err
	}
	move.Seller = caller.ID(ctx)
	l, err := s.Listings.Advance(ctx, id, move)
	if err != nil {
		return nil, err
	}
	return s.listingPage(ctx, l)
}

// stepErrors are the error codes of every step of a listing.
var stepErrors = []string{"listing_not_found", "not_yours", "wrong_status"}

func (s listingStepOps) publishListing() web.Operation {
	return s.listingStep(web.Op[stepInput, *views.Listing]{
		Name: "publish_listing", Method: http.MethodPost, Path: "/api/listings/{id}/publish",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title: "Publish a listing", Summary: "Puts one of your drafts on sale.",
		Description: "Makes the listing public and searchable. It expires after 60 days unless it is relisted.",
		Errors:      append([]string{"invalid_parameter"}, stepErrors...), Example: sample.Listing, Sample: s.sampleListing(models.StatusActive),
		Confirm: s.publishQuestion,
	}, models.Publish)
}

// publishQuestion returns what is asked before a draft of the caller is published.
func (s listingStepOps) publishQuestion(ctx context.Context, in *stepInput) (string, error) {
	id, err := input.ListingID(in.ID)
	if err != nil {
		return "", err
	}
	l, err := s.Listings.OwnListing(ctx, id, caller.ID(ctx))
	if err != nil {
		return "", err
	}
	return ui.Question(ui.T(ctx, "Publish"), l.Title, ui.MoneyIn(ctx, s.Site.In(l.Currency).Money(l.Price))), nil
}

func (s listingStepOps) reserveListing() web.Operation {
	return s.listingStep(web.Op[stepInput, *views.Listing]{
		Name: "reserve_listing", Method: http.MethodPost, Path: "/api/listings/{id}/reserve", Page: "/sell/{id}/reserve", Form: "/sell/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling", Done: "Your listing is reserved. It won't appear in searches until you relist it.",
		Title: "Reserve a listing", Summary: "Reserves one of your listings for a buyer.",
		Description: "Hides the listing from searches; its page shows that it is reserved. Continue with mark_sold, or with relist_listing if the sale falls through. Accepting an offer reserves the listing automatically.",
		Errors:      stepErrors, Example: sample.Listing, Sample: s.sampleListing(models.StatusReserved),
	}, models.Reserve)
}

func (s listingStepOps) relistListing() web.Operation {
	return s.listingStep(web.Op[stepInput, *views.Listing]{
		Name: "relist_listing", Method: http.MethodPost, Path: "/api/listings/{id}/relist", Page: "/sell/{id}/relist", Form: "/sell/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling", Done: "Your listing is for sale again.",
		Title: "Put a listing back on sale", Summary: "Puts one of your reserved, ended or expired listings back on sale.",
		Description: "Makes the listing active for another 60 days.",
		Errors:      append([]string{"invalid_parameter", "offer_accepted"}, stepErrors...), Example: sample.Listing, Sample: s.sampleListing(models.StatusActive),
	}, models.Relist)
}

type soldInput struct {
	ID       string       `json:"id" in:"path" jsonschema:"UUID of your listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Price    models.Money `json:"price" jsonschema:"sale price" example:"1180.00 EUR"`
	SoldHere bool         `json:"sold_here,omitempty" jsonschema:"deprecated, has no effect: a sale you mark yourself is never part of a price trend" default:"true" example:"true"`
}

func (s listingStepOps) markSold() web.Operation {
	return web.Op[soldInput, *views.Listing]{
		Name: "mark_sold", Method: http.MethodPost, Path: "/api/listings/{id}/sold", Page: "/sell/{id}/sold", Form: "/sell/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling", Done: "Marked as sold. Congratulations!", Destructive: true,
		Title: "Mark a listing as sold", Summary: "Marks one of your listings as sold, with the sale price.",
		Description: "For a sale without an offer on this site. Only you see the price: a sale that the seller declares alone never moves a public price, unless the seller is the site's own shop. To have a sale count, sell through an offer and use complete_offer. This can't be undone.",
		Errors:      append([]string{"invalid_parameter", "offer_accepted"}, stepErrors...), Example: sample.Listing, Sample: s.sampleListing(models.StatusSold),
		Do: func(ctx context.Context, in *soldInput) (*views.Listing, error) {
			price, err := s.Amounts.AmountIn(ctx, "price", in.ID, in.Price)
			if err != nil {
				return nil, err
			}
			return s.advance(ctx, in.ID, models.Move{Step: models.Sell, Price: price})
		},
	}.Operation()
}

type endInput struct {
	ID     string `json:"id" in:"path" jsonschema:"UUID of your listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Reason string `json:"reason" jsonschema:"why the listing ends" enum:"sold_elsewhere,kept,broken,mistake,other" example:"kept"`
}

func (s listingStepOps) endListing() web.Operation {
	return web.Op[endInput, *views.Listing]{
		Name: "end_listing", Method: http.MethodPost, Path: "/api/listings/{id}/end", Page: "/sell/{id}/end", Form: "/sell/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling", Done: "Your listing has ended.", Destructive: true,
		Title: "End a listing", Summary: "Ends one of your listings without a sale.",
		Description: "Takes the listing off sale; its page stays and shows the reason. Put it back on sale with relist_listing. For a sold item use mark_sold.",
		Errors:      append([]string{"invalid_parameter", "offer_accepted"}, stepErrors...), Example: sample.Listing, Sample: s.sampleListing(models.StatusEnded),
		Do: func(ctx context.Context, in *endInput) (*views.Listing, error) {
			return s.advance(ctx, in.ID, models.Move{Step: models.End, Reason: in.Reason})
		},
	}.Operation()
}
