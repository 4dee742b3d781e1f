package listing

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/listing"
)

// possessionOps holds the operations of a seller who proves that they have the item.
type possessionOps struct{ Deps }

func (s possessionOps) getPossession() web.Operation {
	return web.Op[ownListingInput, *views.Possession]{
		Name: "get_possession", Path: "/api/listings/{id}/possession", NoTool: true,
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title:       "Get a proof of possession",
		Summary:     "Returns the code of one of your listings, and what has become of its photo.",
		Description: "Returns the code to put beside the item, until when it can be used, and whether an operator has confirmed the photo.",
		Errors:      []string{"listing_not_found"},
		Sample:      s.samplePossession,
		Do: func(ctx context.Context, in *ownListingInput) (*views.Possession, error) {
			id := strings.ToLower(in.ID)
			l, err := s.Listings.OwnListing(ctx, id, caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			return s.possessionPage(ctx, l)
		},
	}.Operation()
}

// possessionPage returns the proof of possession of a listing of the caller.
func (s Deps) possessionPage(ctx context.Context, l *models.Listing) (*views.Possession, error) {
	p, err := s.Listings.Possession(ctx, l.ID, l.SellerID)
	if err != nil {
		return nil, err
	}
	return views.NewPossession(s.Site, l, p, s.Store.Now()), nil
}

func (s possessionOps) startPossession() web.Operation {
	return web.Op[ownListingInput, *views.Possession]{
		Name: "start_possession", Method: http.MethodPost, Path: "/api/listings/{id}/possession", Page: "/sell/{id}/possession", Form: "/sell/{id}", NoTool: true,
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title:       "Get a code for a proof of possession",
		Summary:     "Gives you a code to put beside the item of one of your listings.",
		Description: "Returns a code for a draft or an open listing. Write it on paper, put it beside the item, and send a photo of both with send_possession within 7 days. A code that can still be used stays as it is.",
		Errors:      []string{"listing_not_found", "not_yours", "wrong_status"},
		Sample:      s.samplePossession,
		Do: func(ctx context.Context, in *ownListingInput) (*views.Possession, error) {
			id, seller := strings.ToLower(in.ID), caller.ID(ctx)
			if _, err := s.Listings.StartPossession(ctx, id, seller); err != nil {
				return nil, err
			}
			l, err := s.Listings.OwnListing(ctx, id, seller)
			if err != nil {
				return nil, err
			}
			return s.possessionPage(ctx, l)
		},
	}.Operation()
}

type sendPossessionInput struct {
	ID    string     `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Photo web.Upload `json:"photo" jsonschema:"photo of the item beside the handwritten code, JPEG, PNG, WebP, HEIC or AVIF"`
	Show  bool       `json:"show_photo,omitempty" jsonschema:"whether the photo joins those of the listing once it is confirmed" default:"false" example:"false"`
}

func (s possessionOps) sendPossession() web.Operation {
	return web.Op[sendPossessionInput, *views.Possession]{
		Name: "send_possession", Method: http.MethodPost, Path: "/api/listings/{id}/possession/photo", Page: "/sell/{id}/possession/photo", Form: "/sell/{id}", NoTool: true,
		Access: web.Members, Scope: string(models.ListingsWrite), Creates: true, Tag: "Selling",
		Done:        "Thanks. We'll check your photo and email you.",
		Title:       "Send a proof of possession",
		Summary:     "Sends the photo of an item beside its code.",
		Description: "Sends a photo that an operator looks at: no program reads the code. Once it is confirmed, the listing is photo-verified (verified_at). Only you and the operators can see the photo, unless you set show_photo. A new photo replaces one that isn't confirmed.",
		Errors:      append([]string{"unavailable", "photo_storage_full", "possession_code_expired"}, photoErrors...),
		Sample:      s.samplePossession,
		Do: func(ctx context.Context, in *sendPossessionInput) (*views.Possession, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), photo.UploadTime)
			defer cancel()
			id, seller := strings.ToLower(in.ID), caller.ID(ctx)
			l, err := s.Listings.OwnListing(ctx, id, seller)
			if err != nil {
				return nil, err
			}
			before, err := s.Listings.Possession(ctx, id, seller)
			if err != nil {
				return nil, err
			}
			_, err = s.Uploads.SavePrivate(ctx, in.Photo, func(photo models.Photo) error {
				_, err := s.Listings.SendPossession(ctx, id, seller, photo, in.Show)
				return err
			})
			if err != nil {
				return nil, err
			}
			s.Uploads.Delete(ctx, before.Photo)
			return s.possessionPage(ctx, l)
		},
	}.Operation()
}

// samplePossession returns an example proof of possession.
func (s possessionOps) samplePossession() *views.Possession {
	return views.NewPossession(s.Site, &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Canon EOS R6, boxed"},
		&models.Possession{Code: "K7R-4MX", Status: models.PossessionOpen, ExpiresAt: sample.Day}, sample.Day-1000)
}
