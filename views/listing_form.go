package views

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/secondlight/secondlight/models"
)

// editListingPath returns the path of the page where a seller edits a listing.
func editListingPath(id string) string { return "/sell/" + id }

// AtEditor makes the seller's form the page of the listing, and returns the listing.
// Operations of the form redirect to it.
func (p *Listing) AtEditor() *Listing {
	p.atEditor = true
	return p
}

// pagePath returns the path of the public page, or of the form after AtEditor.
func (p *Listing) pagePath() string {
	if p.atEditor {
		return editListingPath(p.ID)
	}
	return p.path()
}

// NoGear stands for the slug of gear that is not in the catalogue.
const NoGear = "none"

// ListingForm holds the values of a listing's form.
type ListingForm struct {
	Gear, Title, Price  string
	Condition           models.Condition
	Functional          models.Functional
	Defects             []models.Defect
	Included            []string
	Shutter             int
	Description, Serial string
	Postage             string
	Region              models.Region
	Category            models.Category
	Version             int64
	Suggested           []string // slugs of gear that match the title
	names               func(slug string) string
}

// NewListingForm returns the form of a stored listing.
func NewListingForm(site *Site, l *models.Listing) ListingForm {
	return ListingForm{
		Gear: l.Gear, Title: l.Title, Price: site.Currency.Decimal(l.Price), Condition: l.Condition, Functional: l.Functional, Defects: l.Defects,
		Included: l.Included, Shutter: l.Shutter, Description: l.Text, Serial: l.Serial, Region: l.Region, Category: l.Category, Version: l.Version,
		Postage: l.Postage.Text(site.Currency),
	}
}

// ListingEditor is the page where a seller edits a listing.
type ListingEditor struct {
	Listing *Listing    `json:"listing" jsonschema:"the listing"`
	Guide   *PriceGuide `json:"price_guide,omitempty"`
	Links   []Link      `json:"links"`
	// Possession is nil for a listing that is closed.
	Possession *Possession `json:"possession,omitempty" jsonschema:"proof that you have the item"`
	form       ListingForm
	site       *Site
}

// NewListingEditor returns the page where a seller edits a listing. names returns
// the name of gear by its slug.
func NewListingEditor(site *Site, l *Listing, form ListingForm, names func(string) string) *ListingEditor {
	form.names = names
	p := &ListingEditor{Listing: l, form: form, site: site}
	p.Links = []Link{{l.path(), "View your listing"}, {"/account/listings", "Your listings"}, {"/guides/selling-well", "Selling well"}}
	if !l.Status.Public() {
		p.Links[0].Label = "Preview your listing"
	}
	return p
}

// Head implements Page.
func (p *ListingEditor) Head(ctx context.Context) Head {
	return Head{
		Title: "Your listing: " + p.Listing.Title, Description: "Edit your listing.", Path: editListingPath(p.Listing.ID), NoIndex: true,
		Crumbs: []Link{{"/account/listings", "Your listings"}},
	}
}

// Markdown implements Page.
func (p *ListingEditor) Markdown(ctx context.Context, w io.Writer) error {
	if err := p.Listing.Markdown(ctx, w); err != nil {
		return err
	}
	m := &markdown{site: p.site}
	m.priceHelper(p.Guide)
	m.links(p.Links)
	return m.done(w)
}

// gearChoices returns the choices of the gear field, the current one first.
func (l *ListingForm) gearChoices(f *Form) []Choice {
	var all []Choice
	add := func(slug string) {
		if name := l.names(slug); name != "" && !slices.ContainsFunc(all, func(c Choice) bool { return c.Value == slug }) {
			all = append(all, Choice{Value: slug, Label: name})
		}
	}
	add(f.value("gear", l.Gear))
	add(l.Gear)
	for _, slug := range l.Suggested {
		add(slug)
	}
	return append(all, Choice{Value: "", Label: "Not in the catalogue"})
}

func categoryChoices() []Choice {
	all := []Choice{{Value: "", Label: "From the catalogue"}}
	for _, c := range models.Categories {
		all = append(all, Choice{Value: string(c), Label: c.Label()})
	}
	return all
}

func conditionChoices() []Choice {
	var all []Choice
	for _, c := range models.Conditions {
		all = append(all, Choice{Value: string(c), Label: c.Label(), Meaning: c.Meaning()})
	}
	return all
}

// functionalMeanings describes the functional states to sellers.
var functionalMeanings = map[models.Functional]string{
	models.FullyWorking: "Everything works; you've tested it.",
	models.MinorFault:   "Something small doesn't work; say what in the description.",
	models.NotWorking:   "It can't take pictures; for repair or parts.",
	models.Untested:     "You couldn't test it.",
}

func functionalChoices() []Choice {
	var all []Choice
	for _, f := range models.Functionals {
		all = append(all, Choice{Value: string(f), Label: f.Label(), Meaning: functionalMeanings[f]})
	}
	return all
}

func (l *ListingForm) defectChoices() []Choice {
	var all []Choice
	for _, d := range models.Defects {
		all = append(all, Choice{Value: string(d), Label: d.Label(), Chosen: slices.Contains(l.Defects, d)})
	}
	return all
}

// shutterText returns the shutter count, "" when it is not known.
func (l *ListingForm) shutterText() string {
	if l.Shutter == 0 {
		return ""
	}
	return strconv.Itoa(l.Shutter)
}
