package views

import (
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// SellerStep is something the seller of a listing can do with it next.
type SellerStep struct {
	Name  string `json:"name" jsonschema:"the operation, as /developers and the tools name it"`
	Label string `json:"label"`
	API   string `json:"api" jsonschema:"where to ask for it"`
}

// stepNames are the operations that take the steps of a listing, and how a
// button names them.
var stepNames = map[models.Step]struct{ operation, path, label string }{
	models.Publish: {"publish_listing", "/publish", "Publish"},
	models.Reserve: {"reserve_listing", "/reserve", "Reserve for a buyer"},
	models.Sell:    {"mark_sold", "/sold", "Mark as sold"},
	models.End:     {"end_listing", "/end", "End without a sale"},
	models.Relist:  {"relist_listing", "/relist", "Put back on sale"},
	models.Discard: {"discard_draft", "", "Discard the draft"},
}

// stepsOf are what the seller of a listing can do with it.
func stepsOf(id string, status models.Status) []SellerStep {
	var steps []SellerStep
	for _, step := range status.Steps() {
		n := stepNames[step]
		steps = append(steps, SellerStep{n.operation, n.label, "/api" + listingPath(id) + n.path})
	}
	if status.Open() {
		steps = append(steps, SellerStep{"edit_listing", "Edit", "/api" + listingPath(id)})
	}
	return steps
}

// endReasons are why a listing was ended, for the end of a sentence.
var endReasons = map[string]string{
	"sold_elsewhere": "it was sold elsewhere", "kept": "the seller keeps it", "broken": "it broke", "mistake": "the listing was a mistake",
}

// endChoices are the reasons to choose from.
func endChoices() []Choice {
	labels := map[string]string{"sold_elsewhere": "Sold elsewhere", "kept": "I keep it", "broken": "It broke", "mistake": "The listing was a mistake", "other": "Another reason"}
	var all []Choice
	for _, code := range models.EndReasons {
		all = append(all, Choice{Value: code, Label: labels[code]})
	}
	return all
}

// deskPath is where a seller works on a listing.
func deskPath(id string) string { return "/sell/" + id }

// AtDesk is the listing as a page whose address is where its seller works on it.
func (p *Listing) AtDesk() *Listing {
	p.desk = true
	return p
}

func (p *Listing) place() string {
	if p.desk {
		return deskPath(p.ID)
	}
	return p.path()
}

// Resource is where the API has the listing.
func (p *Listing) Resource() string { return "/api" + p.path() }

// pastText are the earlier asking prices: "€1,299 until 3 Nov 2026".
func (p *Listing) pastText() string {
	all := make([]string, len(p.Past))
	for i, past := range p.Past {
		all[i] = MoneyText(past.Price) + " until " + DayText(past.Until)
	}
	return strings.Join(all, ", then ")
}

// Version implements the ETag that an edit is sent with.
func (p *Listing) Version() int64 { return p.Edition }

// NoGear is said in the place of a slug for what is not in the catalogue.
const NoGear = "none"

// ListingForm is what the form of a listing shows: what is so now.
type ListingForm struct {
	Gear, Title, Price  string
	Condition           models.Condition
	Functional          models.Functional
	Defects             []models.Defect
	Included            []string
	Shutter             int
	Description, Serial string
	Region              models.Region
	Category            models.Category
	Version             int64
	Suggested           []string // slugs of gear that the title may mean
	names               func(slug string) string
}

// NewListingForm is the form of a listing as it is kept.
func NewListingForm(site *Site, l *models.Listing) ListingForm {
	return ListingForm{
		Gear: l.Gear, Title: l.Title, Price: site.Currency.Decimal(l.Price), Condition: l.Condition, Functional: l.Functional, Defects: l.Defects,
		Included: l.Included, Shutter: l.Shutter, Description: l.Text, Serial: l.Serial, Region: l.Region, Category: l.Category, Version: l.Version,
	}
}

// GearSuggestion is gear that a title may mean.
type GearSuggestion struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
	Href string `json:"href" jsonschema:"the form for this gear"`
}

// SellStart is where selling begins: what is it, and the form for it.
type SellStart struct {
	Keyword   string           `json:"keyword,omitempty"`
	Gear      string           `json:"gear,omitempty"`
	GearName  string           `json:"gear_name,omitempty"`
	Suggested []GearSuggestion `json:"suggestions"`
	Guide     *PriceGuide      `json:"price_guide,omitempty"`
	Links     []Link           `json:"links"`

	form ListingForm
	none bool // it is in no catalogue
	site *Site
}

// NewSellStart makes the start of selling. names is gear for people by its slug;
// form is nil for a sample.
func NewSellStart(site *Site, title string, suggested []*models.Gear, form *ListingForm, chosen string, names func(string) string) *SellStart {
	p := &SellStart{Keyword: title, Suggested: []GearSuggestion{}, site: site}
	if form != nil {
		p.form = *form
	}
	p.form.names = names
	if p.none = chosen == NoGear; p.none {
		p.form.Gear = ""
	} else if chosen != "" {
		p.Gear, p.GearName = chosen, names(chosen)
	}
	for _, g := range suggested {
		p.form.Suggested = append(p.form.Suggested, g.Slug())
		if g.Slug() != p.Gear {
			p.Suggested = append(p.Suggested, GearSuggestion{g.Slug(), g.Name(), sellPath(g.Slug(), title)})
		}
	}
	p.Links = []Link{{"/account/listings", "Your listings"}, {"/guides/selling-well", "Selling well"}, {"/guides/condition-grades", "What the grades mean"}}
	return p
}

func sellPath(gear, title string) string {
	q := url.Values{}
	for name, value := range map[string]string{"gear": gear, "title": title} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/sell"
	}
	return "/sell?" + q.Encode()
}

// Head implements Page.
func (p *SellStart) Head() Head {
	return Head{Title: "Sell a camera or a lens", Description: "Put a used camera or lens on sale.", Path: "/sell", NoIndex: true}
}

// Markdown implements Page.
func (p *SellStart) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Sell a camera or a lens", "")
	if p.Keyword != "" {
		m.text("You sell: " + p.Keyword)
	}
	if p.Gear != "" {
		m.raw("\nThat is ", m.link(Link{gearPath(p.Gear), p.GearName}), " (`", p.Gear, "`).\n")
	}
	if len(p.Suggested) > 0 {
		m.section("Which gear it may be")
		for _, g := range p.Suggested {
			m.raw("- ", m.link(Link{gearPath(g.Gear), g.Name}), " (`", g.Gear, "`)\n")
		}
	}
	m.priceHelper(p.Guide)
	m.text("Create the draft with POST /api/listings, or the tool create_listing; then publish it.")
	m.links(p.Links)
	return m.done(w)
}

// chosen is the gear of the form as an address says it.
func (p *SellStart) chosen() string {
	if p.none {
		return NoGear
	}
	return p.Gear
}

// shows reports whether the form is shown: when it is known what is sold, and
// when a form was refused.
func (p *SellStart) shows(f *Form) bool { return p.Gear != "" || p.none || f.Error != nil }

// Desk is where a seller works on a listing.
type Desk struct {
	Listing *Listing    `json:"listing" jsonschema:"the listing"`
	Guide   *PriceGuide `json:"price_guide,omitempty"`
	Links   []Link      `json:"links"`
	form    ListingForm
	site    *Site
}

// NewDesk makes the page on which a seller works on a listing.
func NewDesk(site *Site, l *Listing, form ListingForm, names func(string) string) *Desk {
	form.names = names
	p := &Desk{Listing: l, form: form, site: site}
	p.Links = []Link{{l.path(), "See the listing as others do"}, {"/account/listings", "Your listings"}, {"/guides/selling-well", "Selling well"}}
	if !l.Status.Public() {
		p.Links[0].Label = "Preview: the listing as others will see it"
	}
	return p
}

// Head implements Page.
func (p *Desk) Head() Head {
	return Head{
		Title: "Your listing: " + p.Listing.Title, Description: "Work on your listing.", Path: deskPath(p.Listing.ID), NoIndex: true,
		Crumbs: []Link{{"/account/listings", "Your listings"}},
	}
}

// Markdown implements Page.
func (p *Desk) Markdown(w io.Writer) error {
	if err := p.Listing.Markdown(w); err != nil {
		return err
	}
	m := &markdown{site: p.site}
	m.priceHelper(p.Guide)
	m.links(p.Links)
	return m.done(w)
}

// can reports whether the seller can take a step now.
func (p *Listing) can(step models.Step) bool { return p.Status.May(step) }

// gearChoices are what the form lets choose as gear, the present choice first.
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
	all := []Choice{{Value: "", Label: "As the catalogue says"}}
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

var functionalMeanings = map[models.Functional]string{
	models.FullyWorking: "Everything does what it should; you tried it.",
	models.MinorFault:   "Something small does not work; the description says what.",
	models.NotWorking:   "It cannot take pictures; for repair or parts.",
	models.Untested:     "You could not try it.",
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

func (l *ListingForm) shutterText() string {
	if l.Shutter == 0 {
		return ""
	}
	return strconv.Itoa(l.Shutter)
}

func (m *markdown) priceHelper(g *PriceGuide) {
	if g != nil {
		m.section("What to ask")
		m.raw(mdText(g.Text), " ", mdText(g.askedText()), " ", m.link(Link{g.path(), "The price guide"}), "\n")
	}
}

func (c *OwnCard) deskLabel() string {
	if c.Status.Open() {
		return "Edit"
	}
	return "Work on it"
}
