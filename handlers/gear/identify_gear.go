package gear

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/gear"
)

type identifyGearInput struct {
	Photo web.Upload `json:"photo" jsonschema:"unedited photo taken with the gear, JPEG, PNG, WebP, HEIC or AVIF"`
}

func (s gearOps) identifyGear() web.Operation {
	return web.Op[identifyGearInput, *views.IdentifiedGear]{
		Name: "identify_gear", Method: http.MethodPost, Path: "/api/gear-by-photo",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title:   "Identify gear from a photo",
		Summary: "Identifies the camera and lens a photo was taken with.",
		Description: "Reads the camera and lens from the EXIF metadata of the file and looks them up in the catalogue. The photo is not stored. It identifies the camera that took the photo, not a camera shown in it. " +
			"To search by name use find_gear.",
		Errors: []string{"invalid_parameter"},
		Sample: func() *views.IdentifiedGear {
			return views.NewIdentifiedGear(s.Site, s.Catalog.All()[:1], "Canon Canon EOS R6", "RF35mm F1.8 Macro IS STM")
		},
		Do: func(_ context.Context, in *identifyGearInput) (*views.IdentifiedGear, error) {
			x, err := picture.ReadExposure(in.Photo.Name, in.Photo.Bytes)
			if picture.Refusal(err) != nil {
				var errs web.FieldErrors
				photo.AddPhotoError(&errs, in.Photo.Name, 0, err)
				return nil, errs.Err()
			}
			if err != nil {
				return nil, err
			}
			camera, lens := strings.TrimSpace(x.Make+" "+x.Model), strings.TrimSpace(x.LensMake+" "+x.LensModel)
			gear := s.Gear.GearOf(&x)
			if len(gear) == 0 {
				reason := problem.Textf("We can't tell which camera took this photo.")
				if camera != "" {
					reason = problem.Textf("It was taken with a %s, which isn't in our catalogue.", camera)
				}
				return nil, web.InvalidField("photo", problem.Textf("%s: %s", input.FileName(in.Photo.Name, 0), reason),
					problem.Programf("Send the original file from the camera, or find the gear by name with GET /api/gear?keyword=…"))
			}
			return views.NewIdentifiedGear(s.Site, gear, camera, lens), nil
		},
	}.Operation()
}
