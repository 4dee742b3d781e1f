package admin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// adminCatalogOps holds the operations that correct the catalogue.
type adminCatalogOps struct{ Deps }

const (
	adminCatalogPage = "/admin/catalog"
	adminGearPage    = adminCatalogPage + "/{brand_slug}/{model_slug}"
	adminGearPath    = "/api/admin/catalog/{brand_slug}/{model_slug}"
)

// gearPictureSize is the longest side of a picture of gear in pixels.
const gearPictureSize = 960

// MountGearPictures serves /gear-pictures/{name}.jpg, the owner's pictures of gear.
func (s Deps) MountGearPictures(routes web.Routes) {
	routes.Get("/gear-pictures/:file", func(c *fiber.Ctx) error { return web.SendPicture(c, ".jpg", "image/jpeg", s.Records.GearPicture) })
}

// adminCatalogInput selects gear of the catalogue.
type adminCatalogInput struct {
	Keyword string `json:"keyword,omitempty" jsonschema:"model by any common name" example:"canon r6"`
	Show    string `json:"show,omitempty" jsonschema:"all, corrections, or redundant (corrections now in the shipped catalogue)" enum:"all,corrections,redundant" default:"all" example:"corrections"`
	Limit   int    `json:"limit,omitempty" jsonschema:"gear per page, 1 to 100" min:"1" max:"100" default:"24" example:"24"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s adminCatalogOps) searchCatalog() web.Operation {
	return web.Op[adminCatalogInput, *views.AdminCatalog]{
		Name: "search_catalog", Path: "/api/admin/catalog", Page: adminCatalogPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Catalogue",
		Summary:     "Searches the catalogue and lists the owner's corrections.",
		Description: "Returns gear of the catalogue with whether it is as shipped, added or corrected by the owner, and the number of corrections. Corrections survive updates of the program; one that the shipped catalogue has by now is redundant.",
		Errors:      []string{"invalid_parameter", "invalid_cursor"},
		Sample: func() *views.AdminCatalog {
			return views.NewAdminCatalog(s.Site, "", views.ShowAllGear, 1, []views.CatalogGear{views.NewCatalogGear(s.Catalog.Gear("canon/eos-r6"), views.GearShipped)}, ui.Next{})
		},
		Do: s.doSearchCatalog,
	}.Operation()
}

func (s adminCatalogOps) doSearchCatalog(ctx context.Context, in *adminCatalogInput) (*views.AdminCatalog, error) {
	keyword := strings.Join(strings.Fields(in.Keyword), " ")
	gear := s.Catalog.All()
	if keyword != "" {
		gear, _ = s.Catalog.Lookup().RankedGear(keyword, s.Gear.Popularity)
	}
	if in.Show != views.ShowAllGear {
		gear = slices.DeleteFunc(slices.Clone(gear), func(g *catalog.Gear) bool {
			state := s.gearState(g.Slug())
			return state == views.GearShipped || in.Show == views.ShowRedundant && state != string(catalog.GearRedundant)
		})
	}
	page, next, err := web.PageOf(gear, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	rows := make([]views.CatalogGear, len(page))
	for i, g := range page {
		rows[i] = views.NewCatalogGear(g, s.gearState(g.Slug()))
	}
	p := views.NewAdminCatalog(s.Site, keyword, in.Show, len(gear), rows, ui.NewNext(next, in.Limit, 24))
	for _, c := range s.Catalog.Corrections() {
		switch s.Catalog.StateOf(&c) {
		case catalog.GearAdded:
			p.Added++
		case catalog.GearCorrected:
			p.Corrected++
		case catalog.GearRedundant:
			p.Redundant++
		}
	}
	return p, nil
}

// gearState says how gear relates to the catalogue as shipped.
func (s Deps) gearState(slug string) string {
	if c := s.Catalog.Correction(slug); c != nil {
		return string(s.Catalog.StateOf(c))
	}
	return views.GearShipped
}

// adminGearInput names gear.
type adminGearInput struct {
	Brand string `json:"brand_slug" in:"path" jsonschema:"slug of the brand" example:"canon"`
	Model string `json:"model_slug" in:"path" jsonschema:"slug of the model" example:"eos-r6"`
}

func (s adminCatalogOps) getGear() web.Operation {
	return web.Op[adminGearInput, *views.AdminGear]{
		Name: "get_gear", Path: adminGearPath, Page: adminGearPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Gear of the catalogue",
		Summary:     "Returns the values of gear, and which of them the owner corrected.",
		Description: "Returns everything the catalogue says of gear, the names of the values that differ from the catalogue as shipped, and the shipped ones.",
		Errors:      []string{"gear_not_found"},
		Sample:      s.sampleGear,
		Do: func(_ context.Context, in *adminGearInput) (*views.AdminGear, error) {
			return s.gearPage(in.Brand + "/" + in.Model)
		},
	}.Operation()
}

func (s adminCatalogOps) newGear() web.Operation {
	return web.Op[struct{}, *views.AdminGear]{
		Name: "new_gear", Page: adminCatalogPage + "/new",
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Add gear",
		Summary:     "Shows the form that adds gear to the catalogue.",
		Description: "Returns the fields of gear, empty. Send them to add_gear.",
		Do: func(context.Context, *struct{}) (*views.AdminGear, error) {
			return views.NewAdminGear(s.Site, nil, nil, nil, ""), nil
		},
	}.Operation()
}

// gearPage returns the page of gear.
func (s adminCatalogOps) gearPage(slug string) (*views.AdminGear, error) {
	g := s.Catalog.Gear(slug)
	if g == nil {
		return nil, s.Gear.NotFound(slug)
	}
	return views.NewAdminGear(s.Site, g, s.Catalog.Correction(slug), s.Catalog.Shipped(slug), s.gearState(slug)), nil
}

// gearValuesInput holds values of gear; nil fields keep their value. Numbers are text, so
// that a form can leave them empty.
type gearValuesInput struct {
	Category      *models.Category `json:"category,omitempty" jsonschema:"category of the gear" example:"mirrorless"`
	Mount         *string          `json:"mount,omitempty" jsonschema:"mounts, the most usual first, separated by commas; empty for a fixed lens" maxlength:"200" example:"Canon RF"`
	Format        *string          `json:"format,omitempty" jsonschema:"sensor or film; of a lens, the largest that it covers" maxlength:"40" example:"Full frame"`
	FocalMin      *string          `json:"focal_min,omitempty" jsonschema:"shortest focal length in millimetres; empty if unknown" maxlength:"10" example:"24"`
	FocalMax      *string          `json:"focal_max,omitempty" jsonschema:"longest focal length in millimetres; empty for that of focal_min" maxlength:"10" example:"105"`
	Aperture      *string          `json:"aperture,omitempty" jsonschema:"largest aperture as an f-number; empty if unknown" maxlength:"10" example:"4"`
	Year          *string          `json:"year,omitempty" jsonschema:"year of introduction; empty if unknown" maxlength:"4" example:"2020"`
	LaunchPrice   *string          `json:"launch_price,omitempty" jsonschema:"launch price, in the site's currency or with a code" maxlength:"30" example:"2499.00 EUR"`
	Aliases       *[]string        `json:"aliases,omitempty" jsonschema:"all other names and nicknames" sep:"lines" maxlength:"120" example:"R6"`
	Picture       []web.Upload     `json:"picture,omitempty" jsonschema:"JPEG, PNG, WebP, HEIC or AVIF, at most 5 MB; none keeps the picture"`
	RemovePicture bool             `json:"remove_picture,omitempty" jsonschema:"whether to remove the picture" default:"false" example:"false"`
}

// addGearInput is gear that the catalogue lacks.
type addGearInput struct {
	Brand string `json:"brand" jsonschema:"brand by its name" maxlength:"120" example:"Canon"`
	Model string `json:"model" jsonschema:"name of the model without the brand" maxlength:"120" example:"EOS R6 Mark III"`
	gearValuesInput
}

func (s adminCatalogOps) addGear() web.Operation {
	return web.Op[addGearInput, *views.AdminGear]{
		Name: "add_gear", Method: http.MethodPost, Path: "/api/admin/catalog", Page: adminCatalogPage, Form: adminCatalogPage + "/new",
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Add gear", Creates: true, Done: "Added to the catalogue.",
		Summary: "Adds gear that the catalogue lacks.",
		Description: "Adds a camera or lens. Its slug is made from the brand and the model and never changes. Searches, titles and imports use it immediately, on every server. " +
			"One error names everything that is invalid.",
		Errors: []string{"invalid_parameter", "too_many_corrections"},
		Sample: s.sampleGear,
		Check:  func(_ context.Context, in *addGearInput) error { _, _, err := s.readAdded(in); return err },
		Do: func(ctx context.Context, in *addGearInput) (*views.AdminGear, error) {
			correction, jpeg, err := s.readAdded(in)
			if err != nil {
				return nil, err
			}
			return s.save(ctx, correction, jpeg)
		},
	}.Operation()
}

// readAdded reads gear to add.
func (s adminCatalogOps) readAdded(in *addGearInput) (*catalog.GearCorrection, []byte, error) {
	return s.read("", catalog.GearValues{Brand: in.Brand, Model: in.Model}, &in.gearValuesInput)
}

// correctGearInput corrects gear.
type correctGearInput struct {
	BrandSlug string  `json:"brand_slug" in:"path" jsonschema:"slug of the brand" example:"canon"`
	ModelSlug string  `json:"model_slug" in:"path" jsonschema:"slug of the model" example:"eos-r6"`
	Brand     *string `json:"brand,omitempty" jsonschema:"another spelling of the brand, for all of its gear" maxlength:"120" example:"Canon"`
	Model     *string `json:"model,omitempty" jsonschema:"name of the model without the brand" maxlength:"120" example:"EOS R6"`
	gearValuesInput
}

func (s adminCatalogOps) correctGear() web.Operation {
	return web.Op[correctGearInput, *views.AdminGear]{
		Name: "correct_gear", Method: http.MethodPatch, Path: "/api/admin/catalog/{brand_slug}/{model_slug}", Page: adminCatalogPage + "/{brand_slug}/{model_slug}",
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Correct gear", Done: "Your changes are live.",
		Summary: "Corrects what the catalogue says of gear.",
		Description: "Changes the given values and leaves the others. They take precedence over the shipped catalogue, even after an update, and apply immediately on every server. " +
			"The slug stays. One error names everything that is invalid.",
		Errors:  []string{"gear_not_found", "invalid_parameter", "too_many_corrections"},
		Example: func() map[string]string { return map[string]string{"brand_slug": "canon", "model_slug": "eos-r6"} },
		Sample:  s.sampleGear,
		Check:   func(_ context.Context, in *correctGearInput) error { _, _, err := s.readCorrected(in); return err },
		Do: func(ctx context.Context, in *correctGearInput) (*views.AdminGear, error) {
			correction, jpeg, err := s.readCorrected(in)
			if err != nil {
				return nil, err
			}
			return s.save(ctx, correction, jpeg)
		},
	}.Operation()
}

// readCorrected reads the correction of gear.
func (s adminCatalogOps) readCorrected(in *correctGearInput) (*catalog.GearCorrection, []byte, error) {
	slug := in.BrandSlug + "/" + in.ModelSlug
	g := s.Catalog.Gear(slug)
	if g == nil {
		return nil, nil, s.Gear.NotFound(slug)
	}
	values := catalog.ValuesOf(g)
	input.SetIf(&values.Brand, in.Brand)
	input.SetIf(&values.Model, in.Model)
	return s.read(slug, values, &in.gearValuesInput)
}

// read returns the correction that gives gear values, those in a request over others, with
// its picture if that is new. slug is "" for gear to add. The error lists all invalid
// values.
func (s adminCatalogOps) read(slug string, values catalog.GearValues, in *gearValuesInput) (correction *catalog.GearCorrection, jpeg []byte, err error) {
	var fieldErrors web.FieldErrors
	in.apply(&values, &fieldErrors)
	name, jpeg := readGearPicture(in.Picture, &fieldErrors)
	if name != "" {
		values.Picture = name
	}
	correction, err = s.Catalog.NewCorrection(slug, values, s.Site.Currency())
	fieldErrors.AddErr("", err)
	return correction, jpeg, fieldErrors.Err()
}

// save stores a correction and uses it on this server.
func (s adminCatalogOps) save(ctx context.Context, correction *catalog.GearCorrection, jpeg []byte) (*views.AdminGear, error) {
	if jpeg != nil {
		if err := s.Records.AddGearPicture(ctx, correction.Values.Picture, jpeg); err != nil {
			return nil, err
		}
	}
	if err := s.Records.SaveGearCorrection(ctx, caller.ID(ctx), correction); err != nil {
		return nil, err
	}
	if err := s.Records.CorrectCatalog(ctx, s.Catalog); err != nil {
		return nil, err
	}
	return s.gearPage(correction.Gear)
}

// apply sets the given values, and adds an error for each number that isn't one.
func (in *gearValuesInput) apply(v *catalog.GearValues, fieldErrors *web.FieldErrors) {
	input.SetIf(&v.Category, in.Category)
	input.SetIf(&v.Mount, in.Mount)
	input.SetIf(&v.Format, in.Format)
	input.SetIf(&v.LaunchPrice, in.LaunchPrice)
	input.SetIf(&v.Aliases, in.Aliases)
	number := func(field string, to *float64, from *string) {
		if from == nil {
			return
		}
		text := strings.Replace(strings.TrimSpace(*from), ",", ".", 1)
		n, err := strconv.ParseFloat(text, 64)
		if text != "" && err != nil {
			fieldErrors.Add(field, problem.Textf("%q isn't a number.", text), problem.Textf("Write one such as 50 or 1.8."))
		}
		*to = n
	}
	number("focal_min", &v.FocalMin, in.FocalMin)
	number("focal_max", &v.FocalMax, in.FocalMax)
	number("aperture", &v.Aperture, in.Aperture)
	year := float64(v.Year)
	number("year", &year, in.Year)
	v.Year = int(max(-1, min(year, 10_000)))
	if in.RemovePicture {
		v.Picture = ""
	}
}

// readGearPicture returns an uploaded picture as a JPEG, with its name: a hash, and its
// width and height. Without an upload the name is "".
func readGearPicture(files []web.Upload, fieldErrors *web.FieldErrors) (name string, jpeg []byte) {
	if len(files) == 0 || len(files[0].Bytes) == 0 {
		return "", nil
	}
	img, err := decodeSitePicture(files[0], gearPictureSize, gearPictureSize)
	if err == nil {
		jpeg, err = picture.Encode(img)
	}
	if refused := picture.Refusal(err); refused != nil {
		fieldErrors.Add("picture", refused.Reason, refused.Hint)
		return "", nil
	} else if err != nil {
		fieldErrors.Add("picture", problem.Textf("The image can't be decoded."), problem.Textf("Use another JPEG, PNG, WebP, HEIC or AVIF."))
		return "", nil
	}
	sum := sha256.Sum256(jpeg)
	return fmt.Sprintf("%s-%dx%d", hex.EncodeToString(sum[:8]), img.Rect.Dx(), img.Rect.Dy()), jpeg
}

func (s adminCatalogOps) removeCorrection() web.Operation {
	return web.Op[adminGearInput, *views.AdminCatalog]{
		Name: "remove_correction", Method: http.MethodDelete, Path: adminGearPath, Page: adminGearPage + "/remove", Form: adminGearPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Remove a correction", Destructive: true, Done: "Your change has been removed.",
		Summary:     "Removes the owner's correction of gear.",
		Description: "Gives gear the values of the shipped catalogue again. Gear that the owner added leaves the catalogue; that is refused while listings or sales are of it. Returns the remaining corrections.",
		Errors:      []string{"gear_not_found", "gear_in_use"},
		Sample:      s.searchCatalogSample,
		Do:          s.doRemoveCorrection,
	}.Operation()
}

func (s adminCatalogOps) doRemoveCorrection(ctx context.Context, in *adminGearInput) (*views.AdminCatalog, error) {
	slug := in.Brand + "/" + in.Model
	if s.Catalog.Gear(slug) == nil {
		return nil, s.Gear.NotFound(slug)
	}
	if s.Catalog.Correction(slug) != nil {
		if err := s.Records.RemoveGearCorrection(ctx, caller.ID(ctx), slug, s.Catalog.Shipped(slug)); err != nil {
			return nil, err
		}
		if err := s.Records.CorrectCatalog(ctx, s.Catalog); err != nil {
			return nil, err
		}
	}
	return s.doSearchCatalog(ctx, &adminCatalogInput{Show: views.ShowCorrections, Limit: 24})
}

func (s adminCatalogOps) exportCatalog() web.Operation {
	return web.Op[struct{}, *views.CatalogExport]{
		Name: "export_catalog", Path: "/api/admin/catalog/export", Page: adminCatalogPage + "/export",
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Export corrections",
		Summary:     "Returns the owner's additions and corrections as a file of the catalogue.",
		Description: "Returns the gear that the owner added or corrected in the format of content/catalog/additions.csv, to send upstream. As text/csv it is the file itself; as JSON it is signed, for import_gear_proposals of other sites. Redundant corrections and pictures are left out.",
		Formats:     []web.Format{web.CSV},
		Sample: func() *views.CatalogExport {
			return views.NewCatalogExport(s.Site, catalog.Share(s.Site.URL("/"), "brand,model\nCanon,EOS R6\n", make([]byte, 32)))
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.CatalogExport, error) {
			var file bytes.Buffer
			if err := s.Catalog.WriteCorrections(&file); err != nil {
				return nil, err
			}
			shared, err := s.Records.ShareCorrections(ctx, s.Site.BaseURL, file.String())
			return views.NewCatalogExport(s.Site, shared), err
		},
	}.Operation()
}

// sampleGear returns an example response.
func (s adminCatalogOps) sampleGear() *views.AdminGear {
	g := s.Catalog.Gear("canon/eos-r6")
	return views.NewAdminGear(s.Site, g, nil, g, views.GearShipped)
}

// searchCatalogSample returns an example response.
func (s adminCatalogOps) searchCatalogSample() *views.AdminCatalog {
	return views.NewAdminCatalog(s.Site, "", views.ShowCorrections, 0, nil, ui.Next{})
}
