package listing

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/listing"
)

// listingEditOps holds the operations that create and edit listings.
type listingEditOps struct{ Deps }

// createInput holds the fields of a new listing.
type createInput struct{ ListingFields }

func (s listingEditOps) createListing() web.Operation {
	return web.Op[createInput, *views.Listing]{
		Name: "create_listing", Method: http.MethodPost, Path: "/api/listings",
		Access: web.Members, Scope: string(models.ListingsWrite), Creates: true, Tag: "Selling",
		Title:   "Create a listing",
		Summary: "Creates a draft listing.",
		Description: "Creates a draft that only you can see. Add photos with add_photos, then put it on sale with publish_listing. " +
			"Set gear to a slug from find_gear, or use a title the catalogue recognizes; an item that is not in the catalogue needs a category. Use get_price first to find out what the item sells for.",
		Overrides: newListingFields,
		Errors:    []string{"invalid_parameter", "too_many_listings"},
		Sample:    s.sampleListing(models.StatusDraft),
		Check:     func(ctx context.Context, in *createInput) error { _, err := s.newListing(ctx, in); return err },
		Do:        s.doCreateListing,
	}.Operation()
}

func (s listingEditOps) doCreateListing(ctx context.Context, in *createInput) (*views.Listing, error) {
	l, err := s.newListing(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := s.Listings.CreateListing(ctx, l); err != nil {
		return nil, err
	}
	if err := s.proposeModel(ctx, l, in.NewModel); err != nil {
		return nil, err
	}
	page, err := s.listingPage(ctx, l)
	if err != nil {
		return nil, err
	}
	return page.AtEditor(), nil
}

// newListing returns the listing that the input describes. The error lists every invalid
// field.
func (s listingEditOps) newListing(ctx context.Context, in *createInput) (*models.Listing, error) {
	var fieldErrors web.FieldErrors
	l := &models.Listing{SellerID: caller.ID(ctx)}
	s.setListing(l, &in.ListingFields, &fieldErrors)
	s.setGear(l, in.Gear, &fieldErrors)
	s.setNewModel(l, in.NewModel, &fieldErrors)
	return l, checkListing(l, &fieldErrors)
}

// setNewModel gives a listing without gear a model that the catalogue lacks, by its brand and model.
func (s Deps) setNewModel(l *models.Listing, name *string, fieldErrors *web.FieldErrors) {
	if name == nil || strings.TrimSpace(*name) == "" || l.Gear != "" {
		return
	}
	known, proposal, err := s.Catalog.ProposeModel(*name, l.Category)
	switch {
	case err != nil:
		fieldErrors.AddErr("", err)
	case known != nil:
		l.Gear, l.Category = known.Slug(), known.Category
	default:
		l.Gear = proposal.Gear
	}
}

// proposeModel proposes the model of a listing to the owner if the catalogue lacks it.
func (s Deps) proposeModel(ctx context.Context, l *models.Listing, name *string) error {
	if name == nil || l.Gear == "" || s.Catalog.Gear(l.Gear) != nil {
		return nil
	}
	_, proposal, err := s.Catalog.ProposeModel(*name, l.Category)
	if err != nil || proposal == nil || proposal.Gear != l.Gear {
		return err
	}
	proposal.MemberID, proposal.Source = l.SellerID, s.Site.BaseURL+"/listings/"+l.ID
	return s.Store.Site.ProposeGear(ctx, *proposal)
}

// setListing sets the fields of a listing that the input has, except its gear.
func (s listingEditOps) setListing(l *models.Listing, in *ListingFields, fieldErrors *web.FieldErrors) {
	if in.Price != nil {
		s.Amounts.ReadPrice(l, *in.Price, fieldErrors)
	}
	in.SetItem(l)
	l.Functional = cmp.Or(l.Functional, models.Untested)
	if in.Postage != nil {
		l.Postage = s.Amounts.ReadPostage(*in.Postage, s.Site.Currency().Or(l.Currency), l.Region, fieldErrors)
	}
}

// checkListing adds the invalid fields of a listing and returns the error for all of
// them, or nil.
func checkListing(l *models.Listing, fieldErrors *web.FieldErrors) error {
	fieldErrors.AddErr("", l.Check(true))
	return fieldErrors.Err()
}

// setGear sets the gear and category of a listing: those given, or else those the title
// identifies with confidence.
func (s listingEditOps) setGear(l *models.Listing, gear *string, fieldErrors *web.FieldErrors) {
	if gear != nil && strings.TrimSpace(*gear) != "" {
		if g := s.Gear.ReadGear("gear", "", *gear, fieldErrors); g != nil {
			l.Gear, l.Category = g.Slug(), g.Category
			l.Title = cmp.Or(l.Title, g.Name())
			return
		}
		// The gear would have set what is missing.
		l.Category, l.Title = cmp.Or(l.Category, "other"), cmp.Or(l.Title, *gear)
		return
	}
	l.Gear = ""
	found := s.Gear.Resolve(l.Title)
	if gear == nil && found.Confident() && (l.Category == "" || l.Category == found.Gear.Category) {
		l.Gear, l.Category = found.Gear.Slug(), found.Gear.Category
		return
	}
	if l.Category != "" || l.Title == "" {
		return // Listing.Check reports missing fields
	}
	hint := problem.Programf("Set gear to a slug from GET /api/gear?keyword=…, or set the category.")
	if near := s.Catalog.Candidates(l.Title, nearShown, s.Gear.Popularity); len(near) > 0 {
		var names, slugs []string
		for _, g := range near {
			names, slugs = append(names, g.Name()), append(slugs, g.Slug())
		}
		hint = problem.Textf("Is it %s?", strings.Join(names, ", ")).ForPrograms("Is it %s?", strings.Join(slugs, ", ")).And(hint)
	}
	fieldErrors.AddCode("category", "missing_parameter", problem.Textf("We couldn't match the title to a model, so choose a category."), hint)
}

// nearShown is the number of gear that a hint names.
const nearShown = 3

// editInput holds the fields of a listing to change.
type editInput struct {
	ID      string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	IfMatch string `json:"if_match,omitempty" in:"If-Match" jsonschema:"ETag from GET, or the version of the listing being changed" example:"1"`
	ListingFields
}

func (s listingEditOps) editListing() web.Operation {
	return web.Op[editInput, *views.Listing]{
		Name: "edit_listing", Method: http.MethodPatch, Path: "/api/listings/{id}",
		Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title:   "Edit a listing",
		Summary: "Updates one of your drafts or active listings.",
		Description: "Updates the given fields only. If-Match (if_match in tools) is required: the ETag or version from get_listing. If the listing has changed since then, the edit fails with listing_changed. " +
			"A new price is added to the price history.",
		Errors:  []string{"invalid_parameter", "listing_not_found", "not_yours", "wrong_status", "listing_changed", "precondition_required"},
		Example: sample.Listing,
		Sample:  s.sampleListing(models.StatusActive),
		Do:      s.doEditListing,
	}.Operation()
}

// errNoIfMatch is returned for an edit without If-Match.
var errNoIfMatch = &problem.Error{Kind: problem.Changed, Code: "precondition_required",
	Message: problem.Programf("Editing a listing requires If-Match."),
	Hint:    problem.Programf("Get the listing with GET /api/listings/{id} and send its ETag in If-Match, or its version as if_match.")}

func (s listingEditOps) doEditListing(ctx context.Context, in *editInput) (*views.Listing, error) {
	id, err := input.ListingID(in.ID)
	if err != nil {
		return nil, err
	}
	if in.IfMatch == "" {
		return nil, errNoIfMatch
	}
	l, err := s.Listings.EditListing(ctx, id, caller.ID(ctx), input.EditedVersion(in.IfMatch), func(l *models.Listing) error { return s.change(l, in) })
	if err != nil {
		return nil, err
	}
	if err := s.proposeModel(ctx, l, in.NewModel); err != nil {
		return nil, err
	}
	page, err := s.listingPage(ctx, l)
	if err != nil {
		return nil, err
	}
	return page.AtEditor(), nil
}

// change applies an edit to a listing and checks the result.
func (s listingEditOps) change(l *models.Listing, in *editInput) error {
	var fieldErrors web.FieldErrors
	s.setListing(l, &in.ListingFields, &fieldErrors)
	gear := &l.Gear
	if in.Gear != nil {
		gear = in.Gear
	}
	if *gear != l.Gear || *gear != "" && s.Catalog.Gear(*gear) != nil {
		s.setGear(l, gear, &fieldErrors)
	}
	s.setNewModel(l, in.NewModel, &fieldErrors)
	return checkListing(l, &fieldErrors)
}

// prepareInput is the listing to edit, and the values that its form shows instead of the
// stored ones.
type prepareInput struct {
	ID        string           `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Suggested string           `json:"suggested_gear,omitempty" jsonschema:"gear to suggest, as detected from a photo" example:"canon/eos-r6"`
	Condition models.Condition `json:"condition,omitempty" jsonschema:"grade of the price guide; default: that of the listing" example:"good"`
}

func (s listingEditOps) prepareListing() web.Operation {
	return web.Op[prepareInput, *views.ListingEditor]{
		Name: "prepare_listing", Page: "/sell/{id}", Access: web.Members, Scope: string(models.ListingsWrite), Tag: "Selling",
		Title: "Edit your listing", Summary: "Shows the form that edits one of your listings.",
		Description: "Returns the form of a draft or active listing, with its photos and next steps. Programs use get_listing and edit_listing.",
		Errors:      []string{"listing_not_found"},
		Example:     sample.Listing,
		Sample: func() *views.ListingEditor {
			sample := &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Status: models.StatusDraft}
			return views.NewListingEditor(s.Site, s.sampleListing(models.StatusDraft)(), views.NewListingForm(s.Site, sample, s.Gear.Name))
		},
		Do: s.doPrepareListing,
	}.Operation()
}

func (s listingEditOps) doPrepareListing(ctx context.Context, in *prepareInput) (*views.ListingEditor, error) {
	id, err := input.ListingID(in.ID)
	if err != nil {
		return nil, err
	}
	l, err := s.Listings.OwnListing(ctx, id, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	page, err := s.listingPage(ctx, l)
	if err != nil {
		return nil, err
	}
	l.Condition = cmp.Or(in.Condition, l.Condition)
	form, err := s.listingForm(ctx, l)
	if err != nil {
		return nil, err
	}
	form.TakenBy = s.Catalog.Gear(in.Suggested)
	editor := views.NewListingEditor(s.Site, page, form)
	if l.Status.Open() {
		if editor.Possession, err = s.possessionPage(ctx, l); err != nil {
			return nil, err
		}
	}
	return editor, nil
}
