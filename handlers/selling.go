package handlers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// sellingOperations are what sellers do about their listings. The price guide
// comes first: its address is one of a draft's otherwise.
func (s *Server) sellingOperations() []Operation {
	return []Operation{
		s.estimatePrice(),
		s.startListing(),
		s.createListing(),
		s.prepareListing(),
		s.editListing(),
		s.publishListing(),
		s.reserveListing(),
		s.markSold(),
		s.endListing(),
		s.relistListing(),
		s.discardDraft(),
		s.listMyListings(),
		s.importListings(),
	}
}

// cents reads an amount of money that a field gives, in the site's currency or
// without one. A decimal comma is one.
func (s *Server) cents(field string, m models.Money) (models.Cents, error) {
	c := s.site.Currency
	if m.Currency != "" && !strings.EqualFold(m.Currency, c.Code) {
		if _, err := models.ParseCurrency(m.Currency); err != nil {
			return 0, refuse([]fault{{models.FieldError{Field: field, Code: "invalid_value",
				Message: fmt.Sprintf("%q is not an amount: write digits, such as %s.", m.Amount+" "+m.Currency, c.Decimal(124900))}, ""}})
		}
		return 0, refuse([]fault{{models.FieldError{Field: field, Code: "invalid_value", Message: fmt.Sprintf("Prices here are in %s, not in %s.", c.Code, m.Currency)},
			fmt.Sprintf("Give %s in %s.", field, c.Code)}})
	}
	amount, err := c.ParseDecimal(strings.Replace(m.Amount, ",", ".", 1))
	if err != nil {
		return 0, refuse([]fault{{models.FieldError{Field: field, Code: "invalid_value", Message: sentence(err.Error())}, ""}})
	}
	return amount, nil
}

// createInput is a listing as its seller describes it.
type createInput struct {
	Gear        *string           `json:"gear,omitempty" jsonschema:"catalogue slug brand/model; without it the title says which gear it is, and empty it is none of the catalogue" example:"canon/eos-r6"`
	Title       string            `json:"title,omitempty" jsonschema:"heading, at most 200 characters; the gear's name when it is not given" maxlength:"200" example:"Canon EOS R6, boxed, 18,000 exposures"`
	Price       models.Money      `json:"price" jsonschema:"asking price" example:"1249.00 EUR"`
	Condition   models.Condition  `json:"condition" jsonschema:"grade of wear; /guides/condition-grades says what each means" example:"excellent"`
	Functional  models.Functional `json:"functional,omitempty" jsonschema:"whether it works" default:"untested" example:"fully_working"`
	Defects     []models.Defect   `json:"defects,omitempty" jsonschema:"every flaw you know of" example:"dust"`
	Included    []string          `json:"included,omitempty" jsonschema:"what comes with it, one thing each" sep:"lines" maxlength:"80" example:"battery"`
	Shutter     int               `json:"shutter_count,omitempty" jsonschema:"exposures made, where known" min:"0" max:"10000000" example:"18204"`
	Description string            `json:"description,omitempty" jsonschema:"plain text; blank lines part paragraphs" maxlength:"10000" example:"Bought new in 2021 and used at weekends."`
	Region      models.Region     `json:"region,omitempty" jsonschema:"where the item is, ISO 3166: DE or US-CA; yours when it is not given" maxlength:"6" example:"DE"`
	Category    models.Category   `json:"category,omitempty" jsonschema:"kind of item; follows from the gear, and must be given for what is not in the catalogue" example:"mirrorless"`
	Serial      string            `json:"serial,omitempty" jsonschema:"serial number, kept private: it is shown to you alone" maxlength:"60" example:"012345678"`
}

func (s *Server) createListing() Operation {
	return Op[createInput, *views.Listing]{
		Name: "create_listing", Method: http.MethodPost, Path: "/api/listings", Page: "/sell",
		Access: Members, Scope: models.ListingsWrite, Creates: true, Tag: "Selling",
		Done:    "Your draft is kept. Add photographs, look it over, and publish it.",
		Title:   "Create a listing",
		Summary: "Makes a draft of a listing of your own.",
		Description: "Answers with the draft, which nobody else sees: add photographs, then publish_listing puts it on sale. " +
			"Give gear as find_gear names it, or a title the catalogue understands; what is in no catalogue needs a category. Ask estimate_price first for what such an item sells for.",
		Errors: []string{"invalid_parameter", "too_many_listings"},
		Sample: s.sampleListing(models.StatusDraft),
		Do:     s.doCreateListing,
	}.Operation()
}

func (s *Server) doCreateListing(ctx context.Context, in *createInput) (*views.Listing, error) {
	price, err := s.cents("price", in.Price)
	if err != nil {
		return nil, err
	}
	l := &models.Listing{
		SellerID: memberID(ctx), Title: oneLine(in.Title), Price: price, Condition: in.Condition, Functional: in.Functional, Defects: in.Defects,
		Included: oneLines(in.Included), Shutter: in.Shutter, Text: wholeText(in.Description), Region: cmp.Or(upper(in.Region), callerOf(ctx).Member.Region),
		Category: in.Category, Serial: oneLine(in.Serial),
	}
	if err := s.findListed(l, in.Gear); err != nil {
		return nil, err
	}
	if err := s.store.CreateListing(ctx, l); err != nil {
		return nil, err
	}
	page, err := s.listingPage(ctx, l)
	if err != nil {
		return nil, err
	}
	return page.AtDesk(), nil
}

// findListed gives a listing its gear and category: those that were named, else
// what the title says surely.
func (s *Server) findListed(l *models.Listing, gear *string) error {
	if gear != nil && *gear != "" {
		g := s.catalog.Gear(strings.ToLower(*gear))
		if g == nil {
			return s.unknownGear(*gear)
		}
		l.Gear, l.Category = g.Slug(), g.Category
		l.Title = cmp.Or(l.Title, g.Name())
		return nil
	}
	l.Gear = ""
	found := s.resolve(l.Title)
	if gear == nil && found.Sure() && (l.Category == "" || l.Category == found.Gear.Category) {
		l.Gear, l.Category = found.Gear.Slug(), found.Gear.Category
		return nil
	}
	if l.Category != "" || l.Title == "" {
		return nil // the check says what is missing
	}
	hint := "Give gear, as GET /api/gear?keyword=… finds it, or the category."
	if found.Gear != nil {
		hint = "Is it " + found.Gear.Slug() + "? " + hint
	}
	return refuse([]fault{{models.FieldError{Field: "category", Code: "missing_parameter", Message: "The title does not say which gear of the catalogue it is, so its category is needed."}, hint}})
}

// unknownGear refuses gear the catalogue does not have.
func (s *Server) unknownGear(slug string) error {
	hint := "Find the slug with GET /api/gear?keyword=…"
	var near []string
	for _, g := range s.catalog.Nearest(strings.ToLower(slug), 3) {
		near = append(near, g.Slug())
	}
	if len(near) > 0 {
		hint = "Did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return refuse([]fault{{models.FieldError{Field: "gear", Code: "invalid_value", Message: fmt.Sprintf("The catalogue has no gear %q.", slug)}, hint}})
}

// oneLine is text without line breaks and double spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func oneLines(list []string) []string {
	lines := make([]string, 0, len(list))
	for _, s := range list {
		if s = oneLine(s); s != "" && !slices.Contains(lines, s) {
			lines = append(lines, s)
		}
	}
	return lines
}

// wholeText is text of several lines, whose ends are all written alike.
func wholeText(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"))
}

func upper(r models.Region) models.Region { return models.Region(strings.ToUpper(string(r))) }

// editInput is what changes of a listing; what is not given stays.
type editInput struct {
	ID          string             `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	IfMatch     string             `json:"if_match,omitempty" in:"If-Match" jsonschema:"what the change is a change of: the ETag that GET answered with, or its version" example:"1"`
	Gear        *string            `json:"gear,omitempty" jsonschema:"catalogue slug brand/model; empty for none of the catalogue" example:"canon/eos-r6"`
	Title       *string            `json:"title,omitempty" jsonschema:"heading" maxlength:"200" example:"Canon EOS R6, boxed"`
	Price       *models.Money      `json:"price,omitempty" jsonschema:"asking price; the earlier one is remembered and shown" example:"1199.00 EUR"`
	Condition   *models.Condition  `json:"condition,omitempty" jsonschema:"grade of wear" example:"good"`
	Functional  *models.Functional `json:"functional,omitempty" jsonschema:"whether it works" example:"fully_working"`
	Defects     *[]models.Defect   `json:"defects,omitempty" jsonschema:"every flaw you know of" example:"dust"`
	Included    *[]string          `json:"included,omitempty" jsonschema:"what comes with it, one thing each" sep:"lines" maxlength:"80" example:"battery"`
	Shutter     *int               `json:"shutter_count,omitempty" jsonschema:"exposures made, where known" min:"0" max:"10000000" example:"18204"`
	Description *string            `json:"description,omitempty" jsonschema:"plain text; blank lines part paragraphs" maxlength:"10000" example:"Bought new in 2021 and used at weekends."`
	Region      *models.Region     `json:"region,omitempty" jsonschema:"where the item is, ISO 3166" maxlength:"6" example:"DE"`
	Category    *models.Category   `json:"category,omitempty" jsonschema:"kind of item; counts only for what is not in the catalogue" example:"mirrorless"`
	Serial      *string            `json:"serial,omitempty" jsonschema:"serial number, kept private" maxlength:"60" example:"012345678"`
}

func (s *Server) editListing() Operation {
	return Op[editInput, *views.Listing]{
		Name: "edit_listing", Method: http.MethodPatch, Path: "/api/listings/{id}", Page: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling",
		Done:    "Your changes are kept.",
		Title:   "Edit a listing",
		Summary: "Changes a draft or a listing of yours that is for sale.",
		Description: "Only what is given changes. Say with If-Match (if_match in tools) what you change: the ETag or the version that get_listing answered with; when somebody changed the listing meanwhile it is refused with listing_changed. " +
			"A changed price is shown with the earlier ones.",
		Errors:  []string{"invalid_parameter", "listing_not_found", "not_yours", "wrong_status", "listing_changed", "precondition_required"},
		Example: exampleListing,
		Sample:  s.sampleListing(models.StatusActive),
		Do:      s.doEditListing,
	}.Operation()
}

// errNoIfMatch refuses an edit that does not say what it is an edit of.
var errNoIfMatch = &models.Error{Kind: models.Changed, Code: "precondition_required",
	Message: "A change of a listing must say what it is a change of.",
	Hint:    "Read it with GET /api/listings/{id} and send its ETag in If-Match, or its version as if_match."}

// editedVersion is the version an edit is made of: an ETag, or the version alone.
func editedVersion(ifMatch string) int64 {
	if n, err := strconv.ParseInt(ifMatch, 10, 64); err == nil && n > 0 {
		return n
	}
	return versionIn(ifMatch)
}

func (s *Server) doEditListing(ctx context.Context, in *editInput) (*views.Listing, error) {
	id, err := listingID(in.ID)
	if err != nil {
		return nil, err
	}
	if in.IfMatch == "" {
		return nil, errNoIfMatch
	}
	l, err := s.store.EditListing(ctx, id, memberID(ctx), editedVersion(in.IfMatch), func(l *models.Listing) error { return s.change(l, in) })
	if err != nil {
		return nil, err
	}
	page, err := s.listingPage(ctx, l)
	if err != nil {
		return nil, err
	}
	return page.AtDesk(), nil
}

// change makes an edit of a listing.
func (s *Server) change(l *models.Listing, in *editInput) error {
	if in.Price != nil {
		price, err := s.cents("price", *in.Price)
		if err != nil {
			return err
		}
		l.Price = price
	}
	setIf(&l.Condition, in.Condition)
	setIf(&l.Functional, in.Functional)
	setIf(&l.Category, in.Category)
	setIf(&l.Defects, in.Defects)
	setIf(&l.Shutter, in.Shutter)
	setIf(&l.Region, in.Region)
	l.Region, l.Functional = upper(l.Region), cmp.Or(l.Functional, models.Untested)
	if in.Title != nil {
		l.Title = oneLine(*in.Title)
	}
	if in.Description != nil {
		l.Text = wholeText(*in.Description)
	}
	if in.Serial != nil {
		l.Serial = oneLine(*in.Serial)
	}
	if in.Included != nil {
		l.Included = oneLines(*in.Included)
	}
	gear := &l.Gear
	if in.Gear != nil {
		gear = in.Gear
	}
	if *gear != l.Gear || *gear != "" && s.catalog.Gear(*gear) != nil {
		if err := s.findListed(l, gear); err != nil {
			return err
		}
	}
	return l.Check(true)
}

// setIf sets what a request gives.
func setIf[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// stepInput is the listing a step is taken of.
type stepInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of your listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

// listingStep is the operation that takes a step of a listing which needs nothing said.
func (s *Server) listingStep(o Op[stepInput, *views.Listing], step models.Step) Operation {
	o.Do = func(ctx context.Context, in *stepInput) (*views.Listing, error) {
		return s.advance(ctx, in.ID, models.Move{Step: step})
	}
	return o.Operation()
}

// advance takes a step of the caller's listing.
func (s *Server) advance(ctx context.Context, given string, move models.Move) (*views.Listing, error) {
	id, err := listingID(given)
	if err != nil {
		return nil, err
	}
	move.Seller = memberID(ctx)
	l, err := s.store.Advance(ctx, id, move)
	if err != nil {
		return nil, err
	}
	return s.listingPage(ctx, l)
}

// stepErrors are the codes every step of a listing may fail with.
var stepErrors = []string{"listing_not_found", "not_yours", "wrong_status"}

func (s *Server) publishListing() Operation {
	return s.listingStep(Op[stepInput, *views.Listing]{
		Name: "publish_listing", Method: http.MethodPost, Path: "/api/listings/{id}/publish", Page: "/sell/{id}/publish", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling", Done: "Your listing is for sale.",
		Title: "Publish a listing", Summary: "Puts a draft of yours on sale.",
		Description: "The listing is found by everybody from then on, and expires after 60 days unless it is put back on sale.",
		Errors:      append([]string{"invalid_parameter"}, stepErrors...), Example: exampleListing, Sample: s.sampleListing(models.StatusActive),
	}, models.Publish)
}

func (s *Server) reserveListing() Operation {
	return s.listingStep(Op[stepInput, *views.Listing]{
		Name: "reserve_listing", Method: http.MethodPost, Path: "/api/listings/{id}/reserve", Page: "/sell/{id}/reserve", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling", Done: "Your listing is reserved: it is not found any more until you put it back on sale.",
		Title: "Reserve a listing", Summary: "Keeps a listing of yours for a buyer.",
		Description: "Searches do not find it any more; its page says that it is reserved. Then mark_sold, or relist_listing when nothing came of it. Accepting an offer reserves the listing by itself.",
		Errors:      stepErrors, Example: exampleListing, Sample: s.sampleListing(models.StatusReserved),
	}, models.Reserve)
}

func (s *Server) relistListing() Operation {
	return s.listingStep(Op[stepInput, *views.Listing]{
		Name: "relist_listing", Method: http.MethodPost, Path: "/api/listings/{id}/relist", Page: "/sell/{id}/relist", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling", Done: "Your listing is for sale again.",
		Title: "Put a listing back on sale", Summary: "Puts a reserved, ended or expired listing of yours back on sale.",
		Description: "It is for sale for another 60 days.",
		Errors:      append([]string{"invalid_parameter", "offer_accepted"}, stepErrors...), Example: exampleListing, Sample: s.sampleListing(models.StatusActive),
	}, models.Relist)
}

type soldInput struct {
	ID       string       `json:"id" in:"path" jsonschema:"UUID of your listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Price    models.Money `json:"price" jsonschema:"what it was sold for" example:"1180.00 EUR"`
	SoldHere bool         `json:"sold_here,omitempty" jsonschema:"whether it was sold through this site; what was sold elsewhere counts in no trend" default:"true" example:"true"`
}

func (s *Server) markSold() Operation {
	return Op[soldInput, *views.Listing]{
		Name: "mark_sold", Method: http.MethodPost, Path: "/api/listings/{id}/sold", Page: "/sell/{id}/sold", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling", Done: "Sold. Well done.", Destructive: true,
		Title: "Mark a listing as sold", Summary: "Says that a listing of yours is sold, and for how much.",
		Description: "The price goes into the trend of its gear, without your name, unless it was sold elsewhere (sold_here=false). There is no way back. A listing of which an offer was accepted is sold with complete_offer instead.",
		Errors:      append([]string{"invalid_parameter", "offer_accepted"}, stepErrors...), Example: exampleListing, Sample: s.sampleListing(models.StatusSold),
		Do: func(ctx context.Context, in *soldInput) (*views.Listing, error) {
			price, err := s.cents("price", in.Price)
			if err != nil {
				return nil, err
			}
			return s.advance(ctx, in.ID, models.Move{Step: models.Sell, Price: price, Away: !in.SoldHere})
		},
	}.Operation()
}

type endInput struct {
	ID     string `json:"id" in:"path" jsonschema:"UUID of your listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Reason string `json:"reason" jsonschema:"why it is not for sale any more" enum:"sold_elsewhere,kept,broken,mistake,other" example:"kept"`
}

func (s *Server) endListing() Operation {
	return Op[endInput, *views.Listing]{
		Name: "end_listing", Method: http.MethodPost, Path: "/api/listings/{id}/end", Page: "/sell/{id}/end", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling", Done: "Your listing is ended.",
		Title: "End a listing", Summary: "Takes a listing of yours off sale without a sale.",
		Description: "Its page stays and says why. relist_listing puts it back on sale. Use mark_sold for what was sold.",
		Errors:      append([]string{"invalid_parameter", "offer_accepted"}, stepErrors...), Example: exampleListing, Sample: s.sampleListing(models.StatusEnded),
		Do: func(ctx context.Context, in *endInput) (*views.Listing, error) {
			return s.advance(ctx, in.ID, models.Move{Step: models.End, Reason: in.Reason})
		},
	}.Operation()
}

// exampleID is the id of the listing that samples show.
const exampleID = "019aa7d2-7c00-7000-8000-000000000000"

func exampleListing() map[string]string { return map[string]string{"id": exampleID} }

// sampleListing is an invented listing of the reader's own in a status.
func (s *Server) sampleListing(status models.Status) func() *views.Listing {
	return func() *views.Listing {
		gear := s.catalog.Gear("canon/eos-r6")
		at := models.Time(1794214800000) // 2026-11-09T09:00:00Z
		l := &models.Listing{
			ID: exampleID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6, boxed, 18,000 exposures", Condition: models.ConditionExcellent,
			Text:       "Bought new in 2021 and used at weekends. There is a faint mark on the baseplate; the sensor is clean.",
			Functional: models.FullyWorking, Included: []string{"battery", "charger", "box"}, Shutter: 18204, Price: 124900, Region: "DE", Status: status,
			CreatedAt: at, UpdatedAt: at + 3600_000, Version: 2,
		}
		if status != models.StatusDraft {
			l.PublishedAt = at + 3600_000
		}
		switch status {
		case models.StatusActive:
			l.ExpiresAt = l.PublishedAt + models.Time(models.ListingTime.Milliseconds())
		case models.StatusSold:
			l.ClosedAt, l.SoldPrice = at+7200_000, 118000
		case models.StatusEnded:
			l.ClosedAt, l.EndReason = at+7200_000, "kept"
		}
		member := &models.Member{Handle: "anna-keller", Name: "Anna Keller", Region: "DE", JoinedAt: at}
		return views.NewListing(&s.site, views.ListingParts{Listing: l, Gear: gear, Seller: member, Own: true})
	}
}

// sellInput is what somebody sells, as far as they have said.
type sellInput struct {
	Title string `json:"title,omitempty" jsonschema:"what is sold, by name or as a listing's title" maxlength:"200" example:"Canon EOS R6 body, boxed"`
	Gear  string `json:"gear,omitempty" jsonschema:"catalogue slug, or none for what is not in the catalogue" maxlength:"200" example:"canon/eos-r6"`
}

// suggestionsShown is how much gear the start of selling suggests.
const suggestionsShown = 8

func (s *Server) startListing() Operation {
	return Op[sellInput, *views.SellStart]{
		Name: "start_listing", Page: "/sell", Access: Members, Scope: models.ListingsWrite, Tag: "Selling",
		Title: "Start selling", Summary: "The form of a new listing, with the gear a title means.",
		Description: "Says which gear of the catalogue a name or a pasted title means. Programs use find_gear and create_listing.",
		Sample:      func() *views.SellStart { return views.NewSellStart(&s.site, "", nil, nil, "", s.gearName) },
		Do: func(ctx context.Context, in *sellInput) (*views.SellStart, error) {
			title := oneLine(in.Title)
			gear := s.catalog.Gear(strings.ToLower(in.Gear))
			suggestions := s.suggest(title)
			chosen := in.Gear
			if gear == nil && in.Gear != views.NoGear {
				chosen = ""
				if found := s.resolve(title); found.Sure() {
					gear = found.Gear
				}
			}
			if gear != nil {
				chosen = gear.Slug()
			}
			form := views.ListingForm{Gear: chosen, Title: title, Region: callerOf(ctx).Member.Region}
			if title == "" && gear != nil {
				form.Title = gear.Name()
			}
			page := views.NewSellStart(&s.site, title, suggestions, &form, chosen, s.gearName)
			if gear != nil {
				guide, err := s.priceGuide(ctx, gear, "")
				if err != nil {
					return nil, err
				}
				page.Guide = guide
			}
			return page, nil
		},
	}.Operation()
}

// suggest is the gear that a title may mean, the likeliest first.
func (s *Server) suggest(title string) []*models.Gear {
	if title == "" {
		return nil
	}
	var all []*models.Gear
	add := func(g *models.Gear) {
		if g != nil && g.ModelSlug != "" && len(all) < suggestionsShown && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	add(s.resolve(title).Gear)
	found, _ := s.lookup.Gear(title)
	for _, g := range found {
		add(g)
	}
	if words := strings.Fields(title); len(all) == 0 && len(words) > 3 { // a title says more than the name
		found, _ = s.lookup.Gear(strings.Join(words[:3], " "))
		for _, g := range found {
			add(g)
		}
	}
	return all
}

// gearName is gear of the catalogue for people, by its slug.
func (s *Server) gearName(slug string) string {
	if g := s.catalog.Gear(slug); g != nil {
		return g.Name()
	}
	return ""
}

// deskInput is a listing to work on, and what a photograph says of it.
type deskInput struct {
	ID        string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Suggested string `json:"suggested_gear,omitempty" jsonschema:"gear that a photograph was taken with, to be offered" example:"canon/eos-r6"`
}

func (s *Server) prepareListing() Operation {
	return Op[deskInput, *views.Desk]{
		Name: "prepare_listing", Page: "/sell/{id}", Access: Members, Scope: models.ListingsWrite, Tag: "Selling",
		Title: "Work on a listing", Summary: "A listing of yours with everything that can be done about it.",
		Description: "The form of a draft or a listing that is for sale, its photographs, and its next steps. Programs use get_listing and edit_listing.",
		Errors:      []string{"listing_not_found"},
		Example:     exampleListing,
		Sample: func() *views.Desk {
			return views.NewDesk(&s.site, s.sampleListing(models.StatusDraft)(), views.ListingForm{}, s.gearName)
		},
		Do: func(ctx context.Context, in *deskInput) (*views.Desk, error) {
			id, err := listingID(in.ID)
			if err != nil {
				return nil, err
			}
			l, err := s.store.OwnListing(ctx, id, memberID(ctx))
			if err != nil {
				return nil, err
			}
			page, err := s.listingPage(ctx, l)
			if err != nil {
				return nil, err
			}
			page.TakenWith(s.catalog.Gear(in.Suggested))
			form := views.NewListingForm(&s.site, l)
			for _, g := range s.suggest(l.Title) {
				form.Suggested = append(form.Suggested, g.Slug())
			}
			desk := views.NewDesk(&s.site, page, form, s.gearName)
			if gear := s.catalog.Gear(l.Gear); gear != nil {
				if desk.Guide, err = s.priceGuide(ctx, gear, l.Condition); err != nil {
					return nil, err
				}
			}
			return desk, nil
		},
	}.Operation()
}

// priceInput is what somebody wants to sell, or has been offered.
type priceInput struct {
	Gear      string           `json:"gear" jsonschema:"catalogue slug brand/model, or the name as people write it" maxlength:"200" example:"canon/eos-r6"`
	Condition models.Condition `json:"condition,omitempty" jsonschema:"grade of wear; without it all conditions together" example:"excellent"`
}

func (s *Server) estimatePrice() Operation {
	return Op[priceInput, *views.PriceGuide]{
		Name: "estimate_price", Path: "/api/price-guide", Page: "/sell/price", Tag: "Selling",
		Title: "Estimate a price", Summary: "What a gear in a condition sold for, and how long it took.",
		Description: "Answers with the median, the quartiles and the number of completed sales of this gear in this condition over the last 12 months, how many days such listings took to sell, and what is asked for others now. " +
			"Use it before create_listing, or to judge an offer. Figures made of fewer than five sales say insufficient_data.",
		Errors: []string{"gear_not_found", "invalid_parameter"},
		Do: func(ctx context.Context, in *priceInput) (*views.PriceGuide, error) {
			gear := s.catalog.Gear(strings.ToLower(in.Gear))
			if gear == nil {
				found := s.resolve(in.Gear)
				if !found.Sure() {
					return nil, s.gearNotFound(in.Gear)
				}
				gear = found.Gear
			}
			return s.priceGuide(ctx, gear, in.Condition)
		},
	}.Operation()
}

// priceGuide is what a gear sold for, and how fast.
func (s *Server) priceGuide(ctx context.Context, gear *models.Gear, condition models.Condition) (*views.PriceGuide, error) {
	trend, err := s.store.Trend(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	times, err := s.store.SellingTimes(ctx, gear.Slug(), models.TimeOf(s.clock()))
	if err != nil {
		return nil, err
	}
	parts := views.GuideParts{Gear: gear, Condition: condition, Trend: trend, Times: times}
	parts.Active, parts.Lowest, parts.Average = s.index.Asking(gear.Slug())
	return views.NewPriceGuide(&s.site, parts), nil
}

// mineInput are which of one's own listings to show.
type mineInput struct {
	Status models.Status `json:"status,omitempty" jsonschema:"only listings in this status; without it some of each" example:"active"`
	Limit  int           `json:"limit,omitempty" jsonschema:"listings of a status, 1 to 100" min:"1" max:"100" default:"24" example:"24"`
	Cursor string        `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is; with status"`
}

// shelfOrder is the order in which one's own listings are shown.
var shelfOrder = []models.Status{models.StatusDraft, models.StatusActive, models.StatusReserved, models.StatusExpired, models.StatusEnded, models.StatusSold, models.StatusRemoved}

func (s *Server) listMyListings() Operation {
	return Op[mineInput, *views.MyListings]{
		Name: "list_my_listings", Path: "/api/me/listings", Page: "/account/listings", Access: Members, Scope: models.AccountRead, Tag: "Selling",
		Title: "Your listings", Summary: "Your own listings by status, drafts included, with what needs attention.",
		Description: "Answers with the listings of the member whose token is sent: how many there are in each status, some of each, or with status all of one page by page. Each names what needs attention and the next steps.",
		Errors:      []string{"invalid_parameter", "invalid_cursor"},
		Faces:       []Face{CSV},
		Sample: func() *views.MyListings {
			l := s.sampleListing(models.StatusActive)()
			return views.NewMyListings(&s.site, views.MineParts{Counts: map[models.Status]int{models.StatusActive: 1}, Order: shelfOrder,
				Listings: []views.OwnCard{{Card: l.Card, Version: 2, ExpiresAt: l.ExpiresAt, Attention: []string{"Has no photograph."}, Steps: l.Steps}}})
		},
		Do: s.readMine,
	}.Operation()
}

func (s *Server) readMine(ctx context.Context, in *mineInput) (*views.MyListings, error) {
	me := callerOf(ctx).Member
	at, id, err := readCursor(in.Cursor)
	if err == nil && in.Cursor != "" && in.Status == "" {
		err = &models.Error{Kind: models.Invalid, Code: "invalid_cursor", Message: "A cursor is that of the listings in one status.",
			Hint: "Pass next_cursor on with the same status, or leave cursor out to begin again."}
	}
	if err != nil {
		return nil, err
	}
	counts, err := s.store.CountBySeller(ctx, me.ID)
	if err != nil {
		return nil, err
	}
	waiting, err := s.waitingOffers(ctx, me.ID)
	if err != nil {
		return nil, err
	}
	parts := views.MineParts{Counts: counts, Order: shelfOrder, Status: in.Status, Export: s.exportListings(&me)}
	for _, status := range shelfOrder {
		if in.Status != "" && in.Status != status || counts[status] == 0 {
			continue
		}
		found, err := s.store.ListingsBySeller(ctx, me.ID, []models.Status{status}, models.ListingKey{PublishedAt: at, ID: id}, in.Limit+1)
		if err != nil {
			return nil, err
		}
		if len(found) > in.Limit {
			found = found[:in.Limit]
			if last := found[in.Limit-1]; in.Status != "" {
				parts.Next = writeCursor(last.PublishedAt, last.ID)
			}
		}
		for _, l := range found {
			parts.Listings = append(parts.Listings, views.NewOwnCard(&s.site, l, s.catalog.Gear(l.Gear), me.Handle, waiting[l.ID], models.TimeOf(s.clock())))
		}
	}
	return views.NewMyListings(&s.site, parts), nil
}

// waitingOffers counts the offers that wait for a seller's answer, by listing.
func (s *Server) waitingOffers(ctx context.Context, seller string) (map[string]int, error) {
	offers, err := s.store.OffersLike(ctx, seller, models.OfferFilter{Role: "seller", Status: models.OfferPending}, models.OfferKey{}, 200)
	waiting := map[string]int{}
	for _, o := range offers {
		waiting[o.ListingID]++
	}
	return waiting, err
}

// exportBatch is how many listings an export reads at a time.
const exportBatch = 200

// exportListings writes every listing of a member as a file that can be imported.
func (s *Server) exportListings(me *models.Member) func(io.Writer) error {
	return func(w io.Writer) error {
		ctx, cancel := context.WithTimeout(context.Background(), workTime)
		defer cancel()
		return models.WriteListings(w, s.catalog, s.site.Currency, me.Handle, func(yield func(*models.Listing) error) error {
			for after := (models.ListingKey{}); ; {
				found, err := s.store.ListingsBySeller(ctx, me.ID, shelfOrder, after, exportBatch)
				if err != nil {
					return err
				}
				for _, l := range found {
					if err := yield(l); err != nil {
						return err
					}
					after = models.ListingKey{PublishedAt: l.PublishedAt, ID: l.ID}
				}
				if len(found) < exportBatch {
					return nil
				}
			}
		})
	}
}

func (s *Server) discardDraft() Operation {
	return Op[stepInput, *views.MyListings]{
		Name: "discard_draft", Method: http.MethodDelete, Path: "/api/listings/{id}", Page: "/sell/{id}/discard", Form: "/sell/{id}",
		Access: Members, Scope: models.ListingsWrite, Tag: "Selling", Done: "The draft is gone.", Destructive: true,
		Title: "Discard a draft", Summary: "Deletes a draft of yours.",
		Description: "Nothing brings it back. A listing that was published is ended with end_listing instead. Answers with your other listings.",
		Errors:      stepErrors, Example: exampleListing,
		Sample: func() *views.MyListings { return views.NewMyListings(&s.site, views.MineParts{Order: shelfOrder}) },
		Do: func(ctx context.Context, in *stepInput) (*views.MyListings, error) {
			id, err := listingID(in.ID)
			if err != nil {
				return nil, err
			}
			if _, err := s.store.Advance(ctx, id, models.Move{Step: models.Discard, Seller: memberID(ctx)}); err != nil {
				return nil, err
			}
			return s.readMine(ctx, &mineInput{Limit: 24})
		},
	}.Operation()
}

// importInput is a file of one's own listings.
type importInput struct {
	File    upload `json:"file" jsonschema:"CSV in UTF-8 with the columns external_id, title, condition, price, region, and gear, description, included and others where you have them"`
	Publish bool   `json:"publish,omitempty" jsonschema:"whether to put the drafts of the file on sale at once" example:"false"`
}

func (s *Server) importListings() Operation {
	return Op[importInput, *views.ImportReport]{
		Name: "import_listings", Method: http.MethodPost, Path: "/api/me/listings", Page: "/account/listings", Access: Members, Scope: models.ListingsWrite, Tag: "Selling",
		Title: "Import listings", Summary: "Makes and updates listings of yours from a CSV file.",
		Description: "A row is known by its external_id: new ones become drafts, or go on sale with publish=true, and known ones that are open are brought up to date, so that the same file twice changes nothing. " +
			"Rows that cannot be taken are told by line, with a reason and a hint; the others are kept. The file that /account/listings.csv exports can be read again.",
		Errors: []string{"invalid_parameter", "too_many_listings"},
		Sample: func() *views.ImportReport {
			return views.NewImportReport(&s.site, views.ImportParts{Report: models.ImportReport{Rows: 2, Inserted: 1, Rejected: 1},
				Rejected: []views.RejectedRow{{Line: 3, Reason: "The price is empty.", Hint: "Fill it in."}}})
		},
		Do: s.doImport,
	}.Operation()
}

func (s *Server) doImport(ctx context.Context, in *importInput) (*views.ImportReport, error) {
	me := callerOf(ctx).Member
	var parts views.ImportParts
	var drafts []string
	importer := &models.Importer{Store: s.store, Catalog: s.catalog, Resolver: s.resolver(), Currency: s.site.Currency, Seller: me.Handle, Own: true,
		Rejected: func(line int, reason, hint string) {
			parts.Rejected = append(parts.Rejected, views.RejectedRow{Line: line, Reason: reason, Hint: hint})
		},
		Kept: func(l *models.Listing) {
			if l.Status == models.StatusDraft {
				drafts = append(drafts, l.ID)
			}
		},
	}
	report, err := importer.Listings(ctx, bytes.NewReader(in.File.Bytes), io.Discard)
	var told *models.Error
	if errors.As(err, &told) {
		if _, known := errorCode(told.Code); !known {
			err = refuse([]fault{{models.FieldError{Field: "file", Code: "invalid_value", Message: told.Message}, told.Hint}})
		}
	}
	if err != nil {
		return nil, err
	}
	parts.Report = report
	ctx = models.Repeatable(ctx)
	for _, id := range drafts {
		if !in.Publish {
			break
		}
		if _, err := s.store.Advance(ctx, id, models.Move{Step: models.Publish, Seller: me.ID}); errors.As(err, &told) {
			parts.Unpublished = told.Message
			break
		} else if err != nil {
			return nil, err
		}
		parts.Published++
	}
	return views.NewImportReport(&s.site, parts), nil
}

// resolve is what a title offers.
func (s *Server) resolve(title string) models.Resolution { return s.resolver().Resolve(title) }
