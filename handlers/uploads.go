package handlers

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/views"
)

// photoOperations are what sellers do about the photographs of a listing.
func (s *Server) photoOperations() []Operation {
	return []Operation{
		s.listPhotos(),
		s.addPhotos(),
		s.arrangePhotos(),
		s.removePhoto(),
		s.identifyGear(),
	}
}

// photoErrors are the codes that what changes photographs fails with.
var photoErrors = []string{"invalid_parameter", "listing_not_found", "not_yours", "wrong_status"}

type ownListingInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

func (s *Server) listPhotos() Operation {
	return Op[ownListingInput, *views.ListingPhotos]{
		Name: "list_photos", Path: "/api/listings/{id}/photos",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling",
		Title:       "List the photographs of a listing",
		Summary:     "The photographs of a listing of yours in their order, with their keys.",
		Description: "Answers with each photograph's key, by which arrange_photos orders and describes it and remove_photo takes it off, and how many more the listing may have.",
		Errors:      []string{"listing_not_found"},
		Sample:      s.samplePhotos,
		Do: func(ctx context.Context, in *ownListingInput) (*views.ListingPhotos, error) {
			l, err := s.store.OwnListing(ctx, strings.ToLower(in.ID), memberID(ctx))
			if err != nil {
				return nil, err
			}
			return views.NewListingPhotos(&s.site, l, nil), nil
		},
	}.Operation()
}

type addPhotosInput struct {
	ID     string   `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Photos []upload `json:"photo" jsonschema:"one or more photographs, JPEG or PNG, the best first"`
	Alts   []string `json:"alt,omitempty" sep:"none" maxlength:"300" jsonschema:"what each photograph shows, in the same order, for those who cannot see it; made of the title where it is empty" example:"The front, with a scratch left of the mount"`
}

func (s *Server) addPhotos() Operation {
	return Op[addPhotosInput, *views.ListingPhotos]{
		Name: "add_photos", Method: http.MethodPost, Path: "/api/listings/{id}/photos", Page: "/sell/{id}/photos", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Creates: true, Tag: "Selling",
		Done:    "Your photographs are added.",
		Title:   "Add photographs to a listing",
		Summary: "Adds photographs to a draft or an open listing of yours, behind those it has.",
		Description: fmt.Sprintf("Send multipart/form-data with a part photo for each file, or JSON with photo as a list of base64. At most %d photographs a listing and 32 MB a request; either all are taken or none, and the answer says of each file what is wrong. ", models.MaxPhotos) +
			"Position, serial numbers and every other metadata are removed. Where the listing has no gear, suggested_gear is what a photograph says it was taken with. Sending the same photograph again adds nothing.",
		Errors: append([]string{"unavailable"}, photoErrors...),
		Sample: s.samplePhotos,
		Do:     s.doAddPhotos,
	}.Operation()
}

// uploadTime is how long the photographs of a request may take, waiting for
// their turn included.
const uploadTime = 60 * time.Second

func (s *Server) doAddPhotos(ctx context.Context, in *addPhotosInput) (*views.ListingPhotos, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), uploadTime)
	defer cancel()
	id, seller := strings.ToLower(in.ID), memberID(ctx)
	l, err := s.store.EditableListing(ctx, id, seller)
	switch {
	case err != nil:
		return nil, err
	case len(l.Photos)+len(in.Photos) > models.MaxPhotos:
		return nil, models.TooManyPhotos(len(l.Photos) + len(in.Photos))
	case len(in.Alts) > len(in.Photos):
		return nil, refuse([]fault{{models.FieldError{Field: "alt", Code: "invalid_value",
			Message: fmt.Sprintf("There are %d texts and %d photographs.", len(in.Alts), len(in.Photos))}, "Give one alt for each photo, empty where there is none."}})
	}
	taken, err := s.takePhotos(ctx, in.Photos)
	if err != nil {
		return nil, err
	}
	photos, keys := make([]models.Photo, len(taken)), make([]string, len(taken))
	for i, t := range taken {
		photos[i], keys[i] = t.Photo, t.Key
		if i < len(in.Alts) {
			photos[i].Alt = altText(in.Alts[i])
		}
	}
	err = s.shelf.Keep(taken, func() error {
		l, err = s.store.AddPhotos(ctx, id, seller, photos)
		return err
	})
	if err != nil {
		s.dropPhotos(ctx, keys...)
		return nil, err
	}
	return views.NewListingPhotos(&s.site, l, s.gearTaken(l, taken)), nil
}

// altText is a text on one line.
func altText(s string) string { return strings.Join(strings.Fields(s), " ") }

// takePhotos makes photographs of files, or says of every file that is none why.
func (s *Server) takePhotos(ctx context.Context, files []upload) ([]*picture.Taken, error) {
	taken, refused := make([]*picture.Taken, len(files)), make([]error, len(files))
	var work errgroup.Group
	for i, f := range files {
		work.Go(func() (err error) {
			taken[i], err = s.shelf.Take(ctx, f.Name, f.Bytes)
			if picture.Refusal(err) != nil {
				refused[i], err = err, nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		if ctx.Err() != nil {
			err = &models.Error{Kind: models.Unavailable, Code: "unavailable", Message: "Too many photographs are being taken in.", Hint: "Send them again in a minute, or fewer at once.", Cause: err}
		}
		return nil, err
	}
	var faults []fault
	for i, err := range refused {
		if err != nil {
			faults = append(faults, photoFault(files[i].Name, i, err))
		}
	}
	if faults != nil {
		return nil, refuse(faults)
	}
	return taken, nil
}

// photoFault names a file and why it is no photograph.
func photoFault(name string, place int, err error) fault {
	why := picture.Refusal(err)
	return fault{models.FieldError{Field: "photo", Code: "invalid_value", Message: fileName(name, place) + ": " + why.Reason}, why.Hint}
}

// fileName is what a message calls a file: its own name as far as it can be
// shown, else its place.
func fileName(name string, place int) string {
	const most = 60
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(filepath.Base(strings.ReplaceAll(name, `\`, "/")), ""))
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
	}
	if strings.Trim(name, "./ ") == "" {
		return fmt.Sprintf("Photograph %d", place+1)
	}
	return name
}

// gearTaken is the gear that the first photograph which knows any was taken with,
// where the listing has none.
func (s *Server) gearTaken(l *models.Listing, taken []*picture.Taken) *models.Gear {
	for _, t := range taken {
		if gear := s.gearOf(&t.Exposure); l.Gear == "" && len(gear) > 0 {
			return gear[0]
		}
	}
	return nil
}

// gearOf are the camera and the lens an exposure was made with, as far as the
// catalogue has them.
func (s *Server) gearOf(x *picture.Exposure) (gear []*models.Gear) {
	for _, g := range []*models.Gear{x.Camera(s.catalog), x.Lens(s.catalog)} {
		if g != nil {
			gear = append(gear, g)
		}
	}
	return gear
}

type arrangePhotosInput struct {
	ID      string   `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	IfMatch string   `json:"if_match,omitempty" in:"If-Match" jsonschema:"what the change is a change of: the ETag that GET answered with, or the version; without it the change is made of whatever is there"`
	Photos  []string `json:"photos,omitempty" jsonschema:"the key of every photograph the listing has, in the order they shall have; the order stays when it is not given" example:"6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1"`
	Alts    []string `json:"alt,omitempty" sep:"none" maxlength:"300" jsonschema:"what each photograph shows, in the order of photos; made of the title where it is empty" example:"The front, with a scratch left of the mount"`
	Earlier string   `json:"earlier,omitempty" jsonschema:"key of a photograph that moves one place to the front"`
	Later   string   `json:"later,omitempty" jsonschema:"key of a photograph that moves one place to the back"`
}

func (s *Server) arrangePhotos() Operation {
	return Op[arrangePhotosInput, *views.ListingPhotos]{
		Name: "arrange_photos", Method: http.MethodPatch, Path: "/api/listings/{id}/photos", Page: "/sell/{id}/photos/order", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling",
		Done:    "The photographs are in order.",
		Title:   "Arrange the photographs of a listing",
		Summary: "Puts the photographs of a listing of yours in order, and says what each shows.",
		Description: "The first photograph stands for the listing wherever it is shown. Take the keys from list_photos; what is not given stays. " +
			"If-Match makes sure that nobody changed the listing meanwhile.",
		Errors: append([]string{"listing_changed"}, photoErrors...),
		Sample: s.samplePhotos,
		Do:     s.doArrangePhotos,
	}.Operation()
}

func (s *Server) doArrangePhotos(ctx context.Context, in *arrangePhotosInput) (*views.ListingPhotos, error) {
	id, version := strings.ToLower(in.ID), int64(0)
	if in.IfMatch != "" {
		version = versionIn(in.IfMatch)
		if n, err := strconv.ParseInt(in.IfMatch, 10, 64); err == nil && n > 0 {
			version = n
		}
	}
	a := models.Arrangement{Order: in.Photos, Earlier: in.Earlier, Later: in.Later}
	if len(in.Alts) > 0 {
		keys := in.Photos
		if keys == nil {
			l, err := s.store.EditableListing(ctx, id, memberID(ctx))
			if err != nil {
				return nil, err
			}
			for _, p := range l.Photos {
				keys = append(keys, p.Key)
			}
		}
		if len(keys) != len(in.Alts) {
			return nil, refuse([]fault{{models.FieldError{Field: "alt", Code: "invalid_value",
				Message: fmt.Sprintf("There are %d texts and %d photographs.", len(in.Alts), len(keys))}, "Give one alt for each photograph, empty where there is none."}})
		}
		a.Alts = map[string]string{}
		for i, key := range keys {
			a.Alts[key] = altText(in.Alts[i])
		}
	}
	l, err := s.store.ArrangePhotos(ctx, id, memberID(ctx), version, a)
	if err != nil {
		return nil, err
	}
	return views.NewListingPhotos(&s.site, l, nil), nil
}

type removePhotoInput struct {
	ID    string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Photo string `json:"photo" in:"path" jsonschema:"key of the photograph" example:"6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1"`
}

func (s *Server) removePhoto() Operation {
	return Op[removePhotoInput, *views.ListingPhotos]{
		Name: "remove_photo", Method: http.MethodDelete, Path: "/api/listings/{id}/photos/{photo}", Page: "/sell/{id}/photos/{photo}/delete", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Destructive: true, Tag: "Selling",
		Done:        "The photograph is deleted.",
		Title:       "Delete a photograph",
		Summary:     "Takes a photograph off a listing of yours, and deletes it where no other listing shows it.",
		Description: "Answers with the photographs that are left. Take the key from list_photos.",
		Errors:      []string{"listing_not_found", "photo_not_found", "not_yours", "wrong_status"},
		Sample:      s.samplePhotos,
		Do: func(ctx context.Context, in *removePhotoInput) (*views.ListingPhotos, error) {
			l, err := s.store.RemovePhoto(ctx, strings.ToLower(in.ID), memberID(ctx), in.Photo)
			if err != nil {
				return nil, err
			}
			s.dropPhotos(ctx, in.Photo)
			return views.NewListingPhotos(&s.site, l, nil), nil
		},
	}.Operation()
}

// dropPhotos throws away photographs that no listing shows. What stays behind is
// swept up later.
func (s *Server) dropPhotos(ctx context.Context, keys ...string) {
	var ours []string
	for _, key := range keys {
		if picture.IsKey(key) {
			ours = append(ours, key)
		}
	}
	if err := s.shelf.Drop(ctx, s.store.UsedPhotos, ours...); err != nil {
		s.log.Warn("photographs are left behind", "err", err)
	}
}

// SweepPhotos throws away the photographs that no listing has.
func (s *Server) SweepPhotos(ctx context.Context) error {
	return s.shelf.Sweep(ctx, s.store.UsedPhotos, s.clock())
}

type identifyGearInput struct {
	Photo upload `json:"photo" jsonschema:"a photograph taken with the gear, JPEG or PNG, as it came out of the camera"`
}

func (s *Server) identifyGear() Operation {
	return Op[identifyGearInput, *views.GearOfPhoto]{
		Name: "identify_gear", Method: http.MethodPost, Path: "/api/gear-by-photo", Page: "/sell/photo", Form: "/sell",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling",
		Title:   "Find gear by a photograph",
		Summary: "The camera and the lens that a photograph was taken with.",
		Description: "Reads what the camera wrote into the file (EXIF), finds it in the catalogue, and keeps nothing. A photograph of a camera, taken with another one, names the other one. " +
			"By name, find_gear finds more.",
		Errors: []string{"invalid_parameter"},
		Sample: func() *views.GearOfPhoto {
			return views.NewGearOfPhoto(&s.site, s.catalog.All()[:1], "Canon Canon EOS R6", "RF35mm F1.8 Macro IS STM")
		},
		Do: func(_ context.Context, in *identifyGearInput) (*views.GearOfPhoto, error) {
			x, err := picture.Look(in.Photo.Name, in.Photo.Bytes)
			if picture.Refusal(err) != nil {
				return nil, refuse([]fault{photoFault(in.Photo.Name, 0, err)})
			}
			if err != nil {
				return nil, err
			}
			camera, lens := strings.TrimSpace(x.Make+" "+x.Model), strings.TrimSpace(x.LensMake+" "+x.LensModel)
			gear := s.gearOf(&x)
			if len(gear) == 0 {
				reason := "It does not say which camera took it."
				if camera != "" {
					reason = "It was taken with a " + camera + ", which the catalogue does not have."
				}
				return nil, refuse([]fault{{models.FieldError{Field: "photo", Code: "invalid_value", Message: fileName(in.Photo.Name, 0) + ": " + reason},
					"Send a photograph as it came out of the camera, or find the gear by name with GET /api/gear?keyword=…"}})
			}
			return views.NewGearOfPhoto(&s.site, gear, camera, lens), nil
		},
	}.Operation()
}

// samplePhotos are the photographs of a listing that nobody has.
func (s *Server) samplePhotos() *views.ListingPhotos {
	return views.NewListingPhotos(&s.site, &models.Listing{
		ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Canon EOS R6, boxed", Status: models.StatusDraft, Version: 2,
		Photos: []models.Photo{{Key: "6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1", Alt: "The front, with a scratch left of the mount", Width: 6000, Height: 4000}},
	}, nil)
}

// Limits of a request that brings files, from a member. Everybody else's are
// those of every request.
const (
	uploadBytes = 32 << 20
	uploadRead  = 2 * time.Minute
)

// roomFor is what the body of a request may take, once its header is here.
func (s *Server) roomFor(h *fasthttp.RequestHeader) (room fasthttp.RequestConfig) {
	if !h.IsPost() {
		return room
	}
	path, _, _ := strings.Cut(string(h.RequestURI()), "?")
	if !s.takesFiles(path) {
		return room
	}
	if id, _, err := s.identityIn(h); err == nil && id != nil && !id.Account.Suspended() {
		room.MaxRequestBodySize, room.ReadTimeout = uploadBytes, uploadRead
	}
	return room
}

// takesFiles reports whether an address takes files: that of an operation, or
// the one where agents call it.
func (s *Server) takesFiles(path string) bool {
	if path == mcpPath {
		return true
	}
	for i := range s.ops {
		if op := &s.ops[i]; op.plan.takesFiles() && (op.Path != "" && matches(op.Path, path) || op.Page != "" && matches(op.Page, path)) {
			return true
		}
	}
	return false
}
