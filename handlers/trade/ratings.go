package trade

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/trade"
)

// ratingOps holds the operations on ratings.
type ratingOps struct{ Deps }

type ratingInput struct {
	ID    string `json:"id" in:"path" jsonschema:"UUID of the offer" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Stars int    `json:"stars" jsonschema:"1 (bad) to 5 (very good)" min:"1" max:"5" example:"5"`
	Text  string `json:"text,omitempty" jsonschema:"review, plain text" maxlength:"1000" example:"As described, and packed with care."`
}

func (s ratingOps) rateTrade() web.Operation {
	return web.Op[ratingInput, *views.Rating]{
		Name: "rate_trade", Method: http.MethodPost, Path: "/api/offers/{id}/rating", Page: "/account/offers/{id}/rating", Form: "/account/offers/{id}",
		Access: web.Members, Scope: string(models.OffersWrite), Creates: true, Destructive: true, Done: "Thanks for your review. It'll appear once the sale is confirmed.",
		Tag: "Trust", Title: "Rate a trade",
		Summary: "Rates the other member of a completed offer.",
		Description: "Each side of a completed offer can rate the other once, with stars and a short review. The rating is public on the other member's page once the sale is confirmed, and can't be changed. " +
			"Find completed offers with list_offers.",
		Errors: []string{"offer_not_found", "wrong_status", "rated_already"},
		Sample: func() *views.Rating {
			return views.NewRating(s.Site, &models.Rating{OfferID: "019aa7d2-7c00-7000-8000-000000000000", Stars: 5, Text: "As described, and packed with care.", At: 1_795_251_600_000},
				&models.Member{Handle: "ada-o", Name: "Ada Ortega"}, &models.Member{Handle: "kleine-blende", Name: "Kleine Blende"})
		},
		Do: func(ctx context.Context, in *ratingInput) (*views.Rating, error) {
			r, err := s.Trades.Rate(ctx, strings.ToLower(in.ID), caller.ID(ctx), in.Stars, in.Text)
			if err != nil {
				return nil, err
			}
			rated, err := s.Accounts.MemberByID(ctx, r.RatedID)
			if err != nil {
				return nil, err
			}
			return views.NewRating(s.Site, r, &caller.Identity(ctx).Member, rated), nil
		},
	}.Operation()
}
