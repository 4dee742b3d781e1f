package listing

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// AtEditor makes the seller's form the page of the listing, and returns the listing.
// Operations of the form redirect to it.
func (p *Listing) AtEditor() *Listing {
	p.editor = ui.EditListingPath(p.ID)
	return p
}

// AtPhotos makes the photos in the seller's form the page of the listing, and returns the
// listing. The form suggests gear unless it is nil.
func (p *Listing) AtPhotos(suggested *catalog.Gear) *Listing {
	gear := ""
	if suggested != nil {
		gear = suggested.Slug()
	}
	p.editor = ui.PhotoFormPath(p.ID, gear)
	return p
}

// ListingForm is the form of a listing: its stored values, and what helps to fill it in.
type ListingForm struct {
	ID                 string
	Status             models.Status // "" for a draft that is not stored yet
	Photos             []ui.Photo
	Gear, Title, Price string
	NewModel           string // brand and model of gear that the catalogue lacks
	Currency           string // of Price and Postage
	models.Item
	Description string
	Postage     ui.PostageForm
	BuyNow      models.BuyNow
	Region      models.Region
	Category    models.Category
	Version     int64

	Matching []*catalog.Gear        // gear that matches the title, likeliest first
	TakenBy  *catalog.Gear          // gear that took a photo, nil for none
	Guide    *priceviews.PriceGuide // of the gear in the condition, nil without gear
	card     ui.Card                // as searches show it
	names    func(slug string) string
	site     *ui.Site

	unsetPostage string // what no postage means, "" if the seller has no default
}

// NewListingForm returns the form of a listing, which may be a draft that is not stored
// yet. names returns the name of gear by its slug, "" for none.
func NewListingForm(site *ui.Site, l *models.Listing, names func(slug string) string) *ListingForm {
	f := &ListingForm{
		ID: l.ID, Status: l.Status, Gear: l.Gear, Title: l.Title, Item: l.Item, Description: l.Text, Region: l.Region, Category: l.Category, Version: l.Version,
		Postage: ui.PostageForm{Postage: l.Postage, Home: l.Region, Currency: site.In(l.Currency)}, BuyNow: l.BuyNow, Currency: site.In(l.Currency).Code, names: names, site: site,
	}
	if l.Price > 0 {
		f.Price = site.In(l.Currency).Plain(l.Price)
	}
	if names(l.Gear) == "" {
		f.NewModel = strings.ReplaceAll(l.Gear, "/", " ")
	}
	f.Photos = ui.NewPhotos(site, l)
	f.card = ui.NewCard(site, l, nil, "", nil)
	return f
}

// WithDefaultPostage says that the seller's default postage holds for a listing that has none of
// its own, and returns the form.
func (l *ListingForm) WithDefaultPostage(postage models.Postage) *ListingForm {
	if postage != "" {
		l.unsetPostage = languages.Mark("As in your settings")
	}
	return l
}

// draft reports whether nobody else sees the listing yet.
func (l *ListingForm) draft() bool { return l.Status == models.StatusDraft || l.Status == "" }

// mode tells the script of the form whether it may save at every change.
func (l *ListingForm) mode() string {
	if l.draft() {
		return "draft"
	}
	return "published"
}

// savedText says whether the draft is stored.
func (l *ListingForm) savedText(ctx context.Context) string {
	switch l.Status {
	case models.StatusDraft:
		return ui.T(ctx, "Draft saved. Only you can see it.")
	case "":
		return ui.T(ctx, "We save your draft as you go.")
	}
	return ""
}

// chosenGear returns the slug of the gear, NoGear, or "" while neither is known.
func (l *ListingForm) chosenGear() string {
	if l.Category != "" && l.names(l.Gear) == "" {
		return ui.NoGear
	}
	return l.Gear
}

// ListingEditor is the page where a seller edits a listing.
type ListingEditor struct {
	Listing *Listing               `json:"listing" jsonschema:"the listing"`
	Guide   *priceviews.PriceGuide `json:"price_guide,omitempty"`
	Links   []ui.Link              `json:"links"`
	// Possession is nil for a listing that is closed.
	Possession *Possession `json:"possession,omitempty" jsonschema:"proof that you have the item"`
	form       *ListingForm
	site       *ui.Site
}

// NewListingEditor returns the page where a seller edits a listing.
func NewListingEditor(site *ui.Site, l *Listing, form *ListingForm) *ListingEditor {
	p := &ListingEditor{Listing: l, Guide: form.Guide, form: form, site: site}
	p.Links = []ui.Link{{Href: l.Path(), Label: "View your listing"}, {Href: "/account/listings", Label: "Your listings"}, {Href: "/guides/selling-well", Label: "Selling well"}}
	if !l.Status.Public() {
		p.Links[0].Label = languages.Mark("Preview your listing")
	}
	return p
}

// Head implements Page.
func (p *ListingEditor) Head(ctx context.Context) ui.Head {
	return ui.Head{
		Title: ui.T(ctx, "Your listing: %s", p.Listing.TitleIn(ctx)), Description: ui.T(ctx, "Edit your listing."), Path: ui.EditListingPath(p.Listing.ID), NoIndex: true,
		Crumbs: []ui.Link{{Href: "/account/listings", Label: ui.T(ctx, "Your listings")}},
	}
}

// Markdown implements Page.
func (p *ListingEditor) Markdown(ctx context.Context, w io.Writer) error {
	if err := p.Listing.Markdown(ctx, w); err != nil {
		return err
	}
	m := &ui.Markdown{Site: p.site, Context: ctx}
	priceviews.WritePriceHelper(m, p.Guide)
	m.Links(p.Links)
	return m.Done(w)
}

// formOrder lists the fields of the form from top to bottom.
var formOrder = slices.Concat([]string{"photo", "title", "gear", "category"}, fieldNames(stateFields), fieldNames(stateFieldsByCategory),
	[]string{"price", "postage", "buy_now", "region", "description"}, fieldNames(storyFields))

// sellForm returns the form of a listing as it was rejected, saved or published, or an
// empty form. Its errors are in the order of the fields, and the first one has the focus.
func sellForm(ctx context.Context) *ui.Form {
	f := &ui.Form{Operation: "save_listing"}
	if sent := ui.ViewerOf(ctx).Form; sent != nil && (sent.Operation == "save_listing" || sent.Operation == "publish_draft" || sent.Operation == "add_photos") {
		f.Values, f.Error = sent.Values, sent.Error
	}
	if f.Error == nil || len(f.Error.Errors) == 0 {
		return f
	}
	place := func(e ui.FieldError) int {
		if i := slices.Index(formOrder, e.Field); i >= 0 {
			return i
		}
		return len(formOrder)
	}
	sorted := *f.Error
	sorted.Errors = slices.SortedStableFunc(slices.Values(f.Error.Errors), func(a, b ui.FieldError) int { return place(a) - place(b) })
	f.Error, f.Focus = &sorted, sorted.Errors[0].Field
	return f
}

// gearChoices returns the choices of the gear field: nothing yet, the current one, those
// that match the title, and none of the catalogue.
func (l *ListingForm) gearChoices(f *ui.Form) []ui.Choice {
	all := []ui.Choice{{Value: "", Label: "Match my title"}}
	add := func(slug, name string) {
		if name != "" && !slices.ContainsFunc(all, func(c ui.Choice) bool { return c.Value == slug }) {
			all = append(all, ui.Choice{Value: slug, Label: name})
		}
	}
	for _, slug := range []string{f.Value("gear", l.Gear), l.Gear} {
		add(slug, l.names(slug))
	}
	for _, g := range l.Matching {
		add(g.Slug(), g.Name())
	}
	return append(all, ui.Choice{Value: ui.NoGear, Label: "Not in the catalogue"})
}

// The fields of an item in its form: those about its state, of every item and by its
// category, and those of its story.
var (
	stateFields           = itemFieldsOf(func(in *models.ItemInput) bool { return !in.Story && !in.ByCategory() })
	stateFieldsByCategory = itemFieldsOf(func(in *models.ItemInput) bool { return !in.Story && in.ByCategory() })
	storyFields           = itemFieldsOf(func(in *models.ItemInput) bool { return in.Story })
)

func itemFieldsOf(is func(*models.ItemInput) bool) (fields []*models.ItemField) {
	for _, f := range models.ItemFields {
		if is(&f.Form) {
			fields = append(fields, f)
		}
	}
	return fields
}

func fieldNames(fields []*models.ItemField) (names []string) {
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// choiceMeanings describes the choices of fields to sellers, by field and code.
var choiceMeanings = map[string]map[string]string{
	"functional": {
		string(models.FullyWorking): languages.Mark("Tested, and everything works."),
		string(models.MinorFault):   languages.Mark("Something minor doesn't work. Say what in the description."),
		string(models.NotWorking):   languages.Mark("Not usable. For spares or repair."),
		string(models.Untested):     languages.Mark("You haven't been able to test it."),
	},
}

// has reports whether the item has a field, by its category or because it is filled in.
func (l *ListingForm) has(field *models.ItemField) bool {
	return field.Form.Applies == nil || field.Form.Applies(l.Category) || len(field.Values(&l.Item)) > 0
}

// itemChoices returns the choices of a field that an item of the category can have, and
// those that it has already.
func (l *ListingForm) itemChoices(field *models.ItemField) (all []ui.Choice) {
	possible, values := field.Choices, field.Values(&l.Item)
	if field.Form.Possible != nil {
		possible = field.Form.Possible(l.Category)
	}
	for _, code := range field.Choices {
		chosen := slices.Contains(values, code)
		if chosen || slices.Contains(possible, code) {
			all = append(all, ui.Choice{Value: code, Label: field.LabelOf(code), Meaning: choiceMeanings[field.Name][code], Chosen: chosen})
		}
	}
	return all
}

// itemControl returns the control of a field of the item.
func (l *ListingForm) itemControl(ctx context.Context, field *models.ItemField) ui.Input {
	in := ui.Input{Name: field.Name, Label: field.Form.Label, Help: field.Form.Help, Required: field.Required, Rows: field.Form.Rows}
	values := field.Values(&l.Item)
	switch field.Kind {
	case models.NumberField:
		in.InputMode, in.Autocomplete, in.MaxLength = "numeric", "off", maxNumberText
		if n := field.Number(&l.Item); n > 0 {
			in.Value = ui.NumberIn(ctx, n)
		}
	case models.TextField:
		in.Value, in.Autocomplete, in.MaxLength = strings.Join(values, " "), "off", field.Max
	case models.DayField:
		in.Type, in.Value = "date", strings.Join(values, " ")
	default:
		in.Value = strings.Join(values, "\n")
	}
	return in
}

// maxNumberText is the maximum length of a number as it is typed, in characters.
const maxNumberText = 20
