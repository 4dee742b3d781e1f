package listing

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/listing"
)

// photoOps holds the operations on the photos of a listing.
type photoOps struct{ Deps }

// photoErrors are the error codes of operations that change photos.
var photoErrors = []string{"invalid_parameter", "listing_not_found", "not_yours", "wrong_status"}

type ownListingInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

func (s photoOps) listPhotos() web.Operation {
	return web.Op[ownListingInput, *views.ListingPhotos]{
		Name: "list_photos", Path: "/api/listings/{id}/photos",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title:       "List the photos of a listing",
		Summary:     "Lists the photos of one of your listings in order, with their keys.",
		Description: "Returns the key of each photo, which arrange_photos and remove_photo take, and how many more photos the listing can have.",
		Errors:      []string{"listing_not_found"},
		Sample:      s.samplePhotos,
		Do: func(ctx context.Context, in *ownListingInput) (*views.ListingPhotos, error) {
			l, err := s.Listings.OwnListing(ctx, strings.ToLower(in.ID), caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			return views.NewListingPhotos(s.Site, l, nil), nil
		},
	}.Operation()
}

type addPhotosInput struct {
	ID     string       `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Photos []web.Upload `json:"photo" jsonschema:"one or more photos, JPEG, PNG, WebP, HEIC or AVIF, best first"`
	Alts   []string     `json:"alt,omitempty" sep:"none" maxlength:"300" jsonschema:"alt text of each photo, in the same order; default: derived from the title" example:"The front, with a scratch left of the mount"`
}

func (s photoOps) addPhotos() web.Operation {
	return web.Op[addPhotosInput, *views.ListingPhotos]{
		Name: "add_photos", Method: http.MethodPost, Path: "/api/listings/{id}/photos", Page: "/sell/{id}/photos", Form: "/sell/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Creates: true, Tag: "Selling",
		Done:    "Photos added.",
		Title:   "Add photos to a listing",
		Summary: "Adds photos to the end of one of your drafts or open listings.",
		Description: fmt.Sprintf("Send multipart/form-data with one photo part per file, or JSON with photo as a list of base64 strings. At most %d photos per listing, 32 MB per request and %d MB of stored photos per member. If any file is rejected, none is added and the error says what is wrong with each file. ", models.MaxPhotos, store.MaxPhotoStorage/1_000_000) +
			"Location, serial numbers and all other metadata are removed. If the listing has no gear, suggested_gear is the gear a photo was taken with. Adding the same photo again has no effect.",
		Errors: append([]string{"unavailable", "photo_storage_full"}, photoErrors...),
		Sample: s.samplePhotos,
		Do:     s.doAddPhotos,
	}.Operation()
}

func (s photoOps) doAddPhotos(ctx context.Context, in *addPhotosInput) (*views.ListingPhotos, error) {
	id, seller := strings.ToLower(in.ID), caller.ID(ctx)
	l, err := s.Listings.EditableListing(ctx, id, seller)
	switch {
	case err != nil:
		return nil, err
	case len(l.Photos)+len(in.Photos) > models.MaxPhotos:
		return nil, store.TooManyPhotos(len(l.Photos) + len(in.Photos))
	case len(in.Alts) > len(in.Photos):
		return nil, web.InvalidField("alt", problem.Textf("There are %d alt texts for %d photos.", len(in.Alts), len(in.Photos)), problem.Textf("Send one alt for each photo, empty for none."))
	}
	rendered, err := s.Uploads.Store(ctx, in.Photos, func(ctx context.Context, photos []models.Photo, rendered []*picture.Rendered) error {
		if err := s.Listings.AddPhotoFacts(ctx, id, picture.Facts(s.Catalog, rendered)); err != nil {
			return err
		}
		for i, alt := range in.Alts {
			photos[i].Alt = input.OneLine(alt)
		}
		l, err = s.Listings.AddPhotos(ctx, id, seller, photos)
		return err
	})
	if err != nil {
		return nil, err
	}
	return views.NewListingPhotos(s.Site, l, s.detectGear(l, rendered)), nil
}

// detectGear returns the gear of the first photo whose metadata names any, or nil. It
// returns nil for a listing that has gear.
func (s photoOps) detectGear(l *models.Listing, rendered []*picture.Rendered) *catalog.Gear {
	for _, t := range rendered {
		if gear := s.Gear.GearOf(&t.Exposure); l.Gear == "" && len(gear) > 0 {
			return gear[0]
		}
	}
	return nil
}

type arrangePhotosInput struct {
	ID      string   `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	IfMatch string   `json:"if_match,omitempty" in:"If-Match" jsonschema:"ETag from GET, or the version of the listing; default: no check"`
	Photos  []string `json:"photos,omitempty" jsonschema:"keys of all photos of the listing in the new order; default: the current order" example:"6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1"`
	Alts    []string `json:"alt,omitempty" sep:"none" maxlength:"300" jsonschema:"alt text of each photo, in the order of photos; default: derived from the title" example:"The front, with a scratch left of the mount"`
	Earlier string   `json:"earlier,omitempty" jsonschema:"key of a photo to move up by one"`
	Later   string   `json:"later,omitempty" jsonschema:"key of a photo to move down by one"`
}

func (s photoOps) arrangePhotos() web.Operation {
	return web.Op[arrangePhotosInput, *views.ListingPhotos]{
		Name: "arrange_photos", Method: http.MethodPatch, Path: "/api/listings/{id}/photos", Page: "/sell/{id}/photos/order", Form: "/sell/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Done:    "Photo order saved.",
		Title:   "Arrange the photos of a listing",
		Summary: "Reorders the photos of one of your listings and sets their alt texts.",
		Description: "The first photo represents the listing in lists. Get the keys from list_photos; omitted fields keep their value. " +
			"With If-Match the change fails if the listing has changed.",
		Errors: append([]string{"listing_changed"}, photoErrors...),
		Sample: s.samplePhotos,
		Do:     s.doArrangePhotos,
	}.Operation()
}

func (s photoOps) doArrangePhotos(ctx context.Context, in *arrangePhotosInput) (*views.ListingPhotos, error) {
	id, version := strings.ToLower(in.ID), int64(0)
	if in.IfMatch != "" {
		version = input.EditedVersion(in.IfMatch)
	}
	a := store.Arrangement{Order: in.Photos, MoveUp: in.Earlier, MoveDown: in.Later}
	if len(in.Alts) > 0 {
		keys := in.Photos
		if keys == nil {
			l, err := s.Listings.EditableListing(ctx, id, caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			for _, p := range l.Photos {
				keys = append(keys, p.Key)
			}
		}
		if len(keys) != len(in.Alts) {
			return nil, web.InvalidField("alt", problem.Textf("There are %d alt texts for %d photos.", len(in.Alts), len(keys)), problem.Textf("Send one alt for each photo, empty for none."))
		}
		a.Alts = map[string]string{}
		for i, key := range keys {
			a.Alts[key] = input.OneLine(in.Alts[i])
		}
	}
	l, err := s.Listings.ArrangePhotos(ctx, id, caller.ID(ctx), version, a)
	if err != nil {
		return nil, err
	}
	return views.NewListingPhotos(s.Site, l, nil), nil
}

type removePhotoInput struct {
	ID    string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Photo string `json:"photo" in:"path" jsonschema:"key of the photo" example:"6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1"`
}

func (s photoOps) removePhoto() web.Operation {
	return web.Op[removePhotoInput, *views.ListingPhotos]{
		Name: "remove_photo", Method: http.MethodDelete, Path: "/api/listings/{id}/photos/{photo}",
		Access: web.Members, Scope: string(models.ListingsWrite), Destructive: true, Tag: "Selling",
		Title:       "Delete a photo",
		Summary:     "Removes a photo from one of your listings.",
		Description: "Removes a photo, deletes its files unless another listing uses it, and returns the remaining photos. Get the key from list_photos.",
		Errors:      []string{"listing_not_found", "photo_not_found", "not_yours", "wrong_status"},
		Sample:      s.samplePhotos,
		Do: func(ctx context.Context, in *removePhotoInput) (*views.ListingPhotos, error) {
			l, err := s.Listings.RemovePhoto(ctx, strings.ToLower(in.ID), caller.ID(ctx), in.Photo)
			if err != nil {
				return nil, err
			}
			s.Uploads.Delete(ctx, in.Photo)
			return views.NewListingPhotos(s.Site, l, nil), nil
		},
	}.Operation()
}

// samplePhotos returns the photos of an example listing.
func (s photoOps) samplePhotos() *views.ListingPhotos {
	return views.NewListingPhotos(s.Site, &models.Listing{
		ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Canon EOS R6, boxed", Status: models.StatusDraft, Version: 2,
		Photos: []models.Photo{{Key: "6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1", Alt: "The front, with a scratch left of the mount", Width: 6000, Height: 4000}},
	}, nil)
}
