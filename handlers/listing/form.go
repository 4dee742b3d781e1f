package listing

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// listingFormOps holds the operations of the form that sells. It saves a draft at every
// change, complete or not, and publishes it.
type listingFormOps struct{ Deps }

// listingFormInput holds the fields of the form as a person types them. Nil fields keep
// their value.
type listingFormInput struct {
	ID      string `json:"id" in:"path" jsonschema:"UUID of the listing, or that of a new draft" example:"019aa7d2-7c00-7000-8000-000000000000"`
	IfMatch string `json:"if_match,omitempty" in:"If-Match" jsonschema:"version of the listing that the form shows; default: no check" example:"1"`

	ListingFields
	Price    *string `json:"price,omitempty" jsonschema:"asking price" example:"€1,250"`
	Currency *string `json:"currency,omitempty" jsonschema:"currency of the price and the postage of a draft, ISO 4217; that of the site by default" maxlength:"3" example:"EUR"`
	UsePrice string  `json:"use_price,omitempty" jsonschema:"suggested price to ask, in place of price"`
	input.PostageRows
	UsePostage string `json:"use_postage,omitempty" jsonschema:"suggested price within the seller's country, in place of postage"`
	UseGear    string `json:"use_gear,omitempty" jsonschema:"suggested gear, in place of gear"`

	Uploads []web.Upload `json:"photo,omitempty" jsonschema:"photos to add"`
	Photos  []string     `json:"photos,omitempty" jsonschema:"keys of the photos that alt describes"`
	Alts    []string     `json:"alt,omitempty" sep:"none" jsonschema:"alt text of each photo"`
	Earlier string       `json:"earlier,omitempty" jsonschema:"key of a photo to move up"`
	Later   string       `json:"later,omitempty" jsonschema:"key of a photo to move down"`
	Remove  string       `json:"remove,omitempty" jsonschema:"key of a photo to delete"`

	Then          string `json:"then,omitempty" jsonschema:"preview shows the listing afterwards" enum:"preview"`
	WithoutPhotos bool   `json:"without_photos,omitempty" jsonschema:"true publishes a listing that has no photos"`

	Rejected web.FieldErrors // fields that can't be read
}

// photosChanged reports whether the form was sent to change the photos.
func (in *listingFormInput) photosChanged() bool {
	return len(in.Uploads) > 0 || in.Earlier+in.Later+in.Remove != ""
}

func (s listingFormOps) saveListing() web.Operation {
	return web.Op[listingFormInput, *views.Listing]{
		Name: "save_listing", Method: http.MethodPost, Page: "/sell/{id}", Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title: "Save a listing", Summary: "Saves the form of a listing.",
		Description: "Saves a draft, complete or not, or changes a published listing. Programs use create_listing and edit_listing.",
		Done:        "Saved.",
		Overrides:   typedFields,
		Errors:      []string{"invalid_parameter", "listing_not_found", "not_yours", "wrong_status", "listing_changed", "offer_accepted", "too_many_listings"},
		Example:     sample.Listing, Sample: s.sampleListing(models.StatusDraft),
		Do: s.doSaveListing,
	}.Operation()
}

func (s listingFormOps) doSaveListing(ctx context.Context, in *listingFormInput) (*views.Listing, error) {
	saved, err := s.save(ctx, in)
	if err == nil {
		err = saved.fieldErrors.Err()
	}
	if err != nil {
		return nil, err
	}
	page, err := s.listingPage(ctx, saved.listing)
	switch {
	case err != nil:
		return nil, err
	case in.Then == "preview":
		return page, nil
	case in.photosChanged():
		return page.AtPhotos(saved.suggested), nil
	}
	return page.AtEditor(), nil
}

// errNoPhotos asks before a listing without photos is published.
var errNoPhotos = &problem.Error{Kind: problem.Conflict, Code: "no_photos",
	Message: problem.Textf("The listing has no photos."), Hint: problem.Textf("Add photos, or choose to publish without.")}

func (s listingFormOps) publishDraft() web.Operation {
	return web.Op[listingFormInput, *views.Listing]{
		Name: "publish_draft", Method: http.MethodPost, Page: "/sell/{id}/publish", Form: "/sell/{id}", Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title: "Publish your draft", Summary: "Saves the form of a draft and puts it on sale.",
		Description: "Asks first if the draft has no photos. Programs use publish_listing.",
		Done:        "Your listing is for sale.",
		Overrides:   typedFields,
		Errors:      append([]string{"invalid_parameter", "no_photos", "listing_changed"}, stepErrors...),
		Example:     sample.Listing, Sample: s.sampleListing(models.StatusActive),
		Do: s.doPublishDraft,
	}.Operation()
}

func (s listingFormOps) doPublishDraft(ctx context.Context, in *listingFormInput) (*views.Listing, error) {
	saved, err := s.save(ctx, in)
	if err != nil {
		return nil, err
	}
	addMissing(saved.listing, &saved.fieldErrors)
	if err := saved.fieldErrors.Err(); err != nil {
		return nil, err
	}
	if len(saved.listing.Photos) == 0 && !in.WithoutPhotos {
		return nil, errNoPhotos
	}
	l, err := s.Listings.Advance(ctx, saved.listing.ID, models.Move{Step: models.Publish, Seller: caller.ID(ctx)})
	if err == nil {
		err = s.proposeModel(ctx, l, in.NewModel)
	}
	if err != nil {
		return nil, err
	}
	return s.listingPage(ctx, l)
}

// savedForm is what became of a form: the listing as it is stored, the gear that a photo
// was taken with, and the fields that were not stored.
type savedForm struct {
	listing     *models.Listing
	suggested   *catalog.Gear
	fieldErrors web.FieldErrors
}

// save stores what can be read of a form, and creates the draft if it is a new one. A
// published listing keeps all its fields if one of them can't be stored.
func (s listingFormOps) save(ctx context.Context, in *listingFormInput) (*savedForm, error) {
	id, err := input.ListingID(in.ID)
	if err != nil {
		return nil, err
	}
	member := caller.Identity(ctx).Member
	if err := s.Listings.StartDraft(ctx, id, member.ID, member.Region); err != nil {
		return nil, err
	}
	var saved savedForm
	if err := s.saveFields(ctx, id, in, &saved.fieldErrors); err != nil {
		return nil, err
	}
	if err := s.savePhotos(ctx, id, in, &saved); err != nil {
		return nil, err
	}
	saved.listing, err = s.Listings.OwnListing(ctx, id, member.ID)
	return &saved, err
}

func (s listingFormOps) saveFields(ctx context.Context, id string, in *listingFormInput, fieldErrors *web.FieldErrors) error {
	version := int64(0)
	if in.IfMatch != "" {
		version = input.EditedVersion(in.IfMatch)
	}
	l, err := s.Listings.EditListing(ctx, id, caller.ID(ctx), version, func(l *models.Listing) error {
		*fieldErrors = slices.Clone(in.Rejected)
		stored := *l
		s.setFields(l, in, fieldErrors)
		fieldErrors.AddErr("", l.Check(false))
		if l.Status == models.StatusDraft {
			restore(l, &stored, fieldErrors.Fields())
			return nil
		}
		addMissing(l, fieldErrors)
		return fieldErrors.Err()
	})
	if err == nil && l.Status != models.StatusDraft {
		err = s.proposeModel(ctx, l, in.NewModel)
	}
	return addFieldErrors(fieldErrors, err)
}

// restore sets the texts and the fields of the item with errors to what is stored. Fields of
// other types are not set to what can't be stored.
func restore(l, stored *models.Listing, wrong map[string]bool) {
	if wrong["title"] {
		l.Title = stored.Title
	}
	if wrong["description"] {
		l.Text = stored.Text
	}
	for _, f := range models.ItemFields {
		if wrong[f.Name] {
			f.Copy(&l.Item, &stored.Item)
		}
	}
}

// addFieldErrors adds the field errors of an error, and returns an error without any.
func addFieldErrors(fieldErrors *web.FieldErrors, err error) error {
	var e *problem.Error
	if errors.As(err, &e) && len(e.Fields) > 0 {
		fieldErrors.AddErr("", err)
		return nil
	}
	return err
}

// setFields sets the fields of a listing that the form has and that can be read.
func (s listingFormOps) setFields(l *models.Listing, in *listingFormInput, fieldErrors *web.FieldErrors) {
	in.SetItem(l)
	s.setFormGear(l, in, fieldErrors)
	if price := cmp.Or(in.UsePrice, valueOf(in.Price)); in.Price != nil || in.UsePrice != "" {
		s.readFormPrice(l, price, in, fieldErrors)
	}
	if in.UsePostage != "" {
		in.Postage = &in.UsePostage
	}
	if in.Postage != nil {
		read := len(*fieldErrors)
		if p := s.Amounts.ReadPostage(in.PostageRows.Text(*in.Postage), s.Site.Currency().Or(l.Currency), l.Region, fieldErrors); len(*fieldErrors) == read {
			l.Postage = p
		}
	}
}

// valueOf returns what a pointer points to, "" for nil.
func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// setFormGear sets the gear that was chosen, or else the one that the title identifies
// with confidence, and its category.
func (s listingFormOps) setFormGear(l *models.Listing, in *listingFormInput, fieldErrors *web.FieldErrors) {
	if in.Gear == nil && in.UseGear == "" {
		return
	}
	chosen := cmp.Or(in.UseGear, valueOf(in.Gear))
	if chosen == ui.NoGear {
		l.Gear, l.Category = "", cmp.Or(l.Category, "other")
		s.setNewModel(l, in.NewModel, fieldErrors)
		return
	}
	if l.Gear != "" && in.Category == nil {
		l.Category = "" // it was that of the gear
	}
	l.Gear = ""
	var gear *catalog.Gear
	if chosen != "" {
		gear = s.Gear.ReadGear("gear", "", chosen, fieldErrors)
	} else if found := s.Gear.Resolve(l.Title); found.Confident() && (l.Category == "" || l.Category == found.Gear.Category) {
		gear = found.Gear
	}
	if gear != nil {
		l.Gear, l.Category, l.Title = gear.Slug(), gear.Category, cmp.Or(l.Title, gear.Name())
	}
}

// addMissing adds an error for each field that a published listing needs.
func addMissing(l *models.Listing, fieldErrors *web.FieldErrors) {
	known := fieldErrors.Fields()
	for _, field := range []struct {
		name    string
		missing bool
		message problem.Text
	}{
		{"title", l.Title == "", problem.Textf("Tell us what you're selling.")},
		{"gear", l.Title != "" && l.Gear == "" && l.Category == "", problem.Textf("Choose the model, or “Not in the catalogue”.")},
		{"condition", l.Condition == "", problem.Textf("Select a condition.")},
		{"functional", l.Functional == "", problem.Textf("Tell us whether it works.")},
		{"price", l.Price == 0, problem.Textf("Enter a price.")},
		{"region", l.Region == "", problem.Textf("Tell us where the item is.")},
	} {
		if field.missing && !known[field.name] {
			fieldErrors.AddCode(field.name, "missing_parameter", field.message, nil)
		}
	}
}

// savePhotos adds, describes, moves and removes the photos that a form asks for.
func (s listingFormOps) savePhotos(ctx context.Context, id string, in *listingFormInput, saved *savedForm) error {
	if err := s.arrange(ctx, id, in); err != nil {
		return err
	}
	if in.Remove != "" {
		if _, err := s.Listings.RemovePhoto(ctx, id, caller.ID(ctx), in.Remove); err != nil {
			return err
		}
		s.Uploads.Delete(ctx, in.Remove)
	}
	if len(in.Uploads) == 0 {
		return nil
	}
	added, err := photoOps(s).doAddPhotos(ctx, &addPhotosInput{ID: id, Photos: in.Uploads})
	if err == nil {
		saved.suggested = s.Catalog.Gear(added.SuggestedGear)
	}
	return addFieldErrors(&saved.fieldErrors, err)
}

// arrange describes and moves photos. It ignores descriptions of photos that another
// window has removed.
func (s listingFormOps) arrange(ctx context.Context, id string, in *listingFormInput) error {
	if len(in.Alts) == 0 && in.Earlier+in.Later == "" {
		return nil
	}
	l, err := s.Listings.OwnListing(ctx, id, caller.ID(ctx))
	if err != nil {
		return err
	}
	alts := map[string]string{}
	for _, p := range l.Photos {
		alts[p.Key] = p.Alt
	}
	for i, key := range in.Photos {
		if _, kept := alts[key]; kept && i < len(in.Alts) {
			alts[key] = input.OneLine(in.Alts[i])
		}
	}
	_, err = s.Listings.ArrangePhotos(ctx, id, caller.ID(ctx), 0, store.Arrangement{Alts: alts, MoveUp: in.Earlier, MoveDown: in.Later})
	return err
}

// readFormPrice reads the asking price of the form, in the currency that it names, or else
// in that of the listing. A suggested price is in the currency of the site.
func (s listingFormOps) readFormPrice(l *models.Listing, text string, in *listingFormInput, fieldErrors *web.FieldErrors) {
	rates := s.Site.Rates()
	own := rates.Of(l.Currency)
	if in.UsePrice != "" {
		own = rates.Main
	} else if in.Currency != nil {
		chosen, err := rates.Currency(*in.Currency)
		if err != nil && !strings.EqualFold(*in.Currency, own.Code) {
			fieldErrors.Add("currency", problem.TextOf(err), nil)
			return
		}
		if err == nil {
			own = chosen
		}
	}
	price := models.Amount{Currency: own}
	if strings.TrimSpace(text) != "" {
		var err error
		if price, err = rates.ParseAmount(text, own); err != nil {
			fieldErrors.Add("price", problem.TextOf(err), nil)
			return
		}
	}
	if err := l.SetPrice(price, rates); err != nil {
		fieldErrors.Add("price", problem.TextOf(err), nil)
	}
}
