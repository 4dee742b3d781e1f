// Package listing renders a listing, its form and the pages of its seller about it.
package listing

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	gearviews "github.com/secondlight/secondlight/views/gear"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// Listing is the page of one listing.
type Listing struct {
	ui.Card
	Brand       string `json:"brand,omitempty"`
	Model       string `json:"model,omitempty"`
	NewModel    string `json:"new_model,omitempty" jsonschema:"slug of a model that the seller proposed and the catalogue does not have yet"`
	Description string `json:"description" untrusted:"true"`
	Grade       Grade  `json:"grade"`
	ui.Item[ui.Named]
	Specs  []ui.Spec  `json:"specifications"`
	Photos []ui.Photo `json:"photos"`
	ui.Postage
	BuyNow      models.BuyNow         `json:"buy_now,omitempty" jsonschema:"it can be bought at its price: confirm if the seller confirms each purchase within 48 hours, or instant; absent if it can't"`
	SellerCard  ui.SellerCard         `json:"seller_profile"`
	Trend       *gearviews.TrendBrief `json:"trend,omitempty" jsonschema:"sold prices of this gear; absent when it is not in the catalogue"`
	Estimate    *priceviews.Estimate  `json:"estimate,omitempty" jsonschema:"what it is likely to sell for now; absent if too little is known or it isn't for sale"`
	UpdatedAt   string                `json:"updated_at"`
	ClosedAt    string                `json:"closed_at,omitempty" jsonschema:"when it was sold, ended or expired"`
	SoldPrice   *models.Money         `json:"sold_price,omitempty"`
	Sale        *OwnSale              `json:"sale,omitempty" jsonschema:"its last sale; only for its seller"`
	ExpiresAt   string                `json:"expires_at,omitempty" jsonschema:"when the listing expires"`
	EndReason   string                `json:"end_reason,omitempty"`
	Edition     int64                 `json:"version"`
	Past        []PastPrice           `json:"price_history"`
	RecentSales []RecentSale          `json:"recent_sales" jsonschema:"last sales of this gear in this or the next better or worse condition, newest first"`
	Steps       []SellerStep          `json:"steps,omitempty"`
	Similar     []ui.Card             `json:"similar" jsonschema:"other listings for sale of the same or similar gear"`
	FromSeller  []ui.Card             `json:"from_seller" jsonschema:"other listings for sale by the same seller"`
	Links       []ui.Link             `json:"links"`
	Notice      string                `json:"notice,omitempty"`
	Held        bool                  `json:"held,omitempty" jsonschema:"an operator is checking it before it is for sale; only for its seller"`
	editor      string                // path of the seller's form, if that is its page
	medians     []float64             // of this gear by month, for the preview image
	daysToSell  int                   // in which half of the listings like it sell; 0 if unknown, or for others than its seller
	item        models.Item           // as it is stored, or untested
	site        *ui.Site
	watched     bool           // by the viewer
	watchers    int            // of all members, for a signed-in viewer
	terms       models.Postage // what delivery costs
	cents       models.Cents   // asking price
	deliver     *ui.Delivery   // to the country of the viewer, nil if it is unknown
}

// PastPrice is an earlier asking price of a listing.
type PastPrice struct {
	Price models.Money `json:"price"`
	Until string       `json:"until"`
}

// Grade is a condition with its meaning.
type Grade struct {
	Code      models.Condition `json:"code"`
	Label     string           `json:"label"`
	Meaning   string           `json:"meaning"`
	SchemaOrg string           `json:"schema_org"`
}

// newGrade returns a grade with its meaning. A draft may not have one yet.
func newGrade(c models.Condition) Grade {
	if c == "" {
		return Grade{Label: ui.NotGraded, Meaning: languages.Mark("Select a condition before you publish.")}
	}
	return Grade{c, c.Label(), c.Meaning(), c.SchemaOrg()}
}

// ListingParts holds what the page of a listing is made of.
type ListingParts struct {
	Listing       *models.Listing
	Gear          *catalog.Gear    // nil when it is not in the catalogue
	Trend         *prices.Trend    // nil without sales
	Estimate      *prices.Estimate // of the gear in the listing's condition and functional state, nil if nothing can be said
	DaysToSell    int              // in which half of the listings like it sell, 0 if unknown or for others than its seller
	Deal          *prices.Deal     // its asking price compared with what the gear sells for, nil if too little is known
	Recent        []ListedSale     // sales to compare with
	Seller        *models.Member
	SellerForSale int
	SellerSold    int
	Ratings       models.RatingSummary // of the seller
	Past          []models.PastPrice
	Own           bool                 // the viewer is its seller
	Held          bool                 // an operator is checking it
	Responses     models.ResponseStats // of the seller
	Sale          *models.Sale         // its last sale, nil for none
	Similar       []ui.Card
	FromSeller    []ui.Card
}

// crumbs returns the category pages that show the listing, and the page of its gear.
func (p *Listing) crumbs(ctx context.Context) []ui.Link {
	crumbs := ui.UsedCrumbs(languages.Of(ctx), p.Category, p.Mount)
	if len(crumbs) == 0 {
		crumbs = []ui.Link{{Href: ui.SearchPath, Label: ui.T(ctx, "For sale")}}
	}
	if p.Gear != "" {
		crumbs = append(crumbs, ui.Link{Href: ui.GearPath(p.Gear), Label: p.GearName})
	}
	return crumbs
}

// StatusSentence describes the status of the listing in English, "" while it is for sale.
func (p *Listing) StatusSentence() string { return p.statusSentence(context.Background()) }

// statusSentence describes the status of the listing, "" while it is for sale.
func (p *Listing) statusSentence(ctx context.Context) string {
	when := ""
	if p.ClosedAt != "" {
		when = ui.T(ctx, " on %s", ui.DayIn(ctx, p.ClosedAt))
	}
	if p.Sale != nil && p.Sale.State == "voided" && p.Status == models.StatusEnded {
		return ui.T(ctx, p.Sale.Text)
	}
	switch p.Status {
	case models.StatusReserved:
		return ui.T(ctx, "Reserved. It may become available again.")
	case models.StatusSold:
		if p.SoldPrice != nil {
			s := ui.T(ctx, "Sold%s for %s.", when, ui.MoneyIn(ctx, *p.SoldPrice))
			if p.Sale != nil {
				s += " " + ui.T(ctx, p.Sale.Text)
			}
			return s
		}
		return ui.T(ctx, "Sold%s.", when)
	case models.StatusEnded:
		if why := endReasons[p.EndReason]; why != "" {
			return ui.T(ctx, "The seller ended this listing%s: %s.", when, ui.T(ctx, why))
		}
		return ui.T(ctx, "The seller ended this listing%s.", when)
	case models.StatusExpired:
		return ui.T(ctx, "This listing expired%s.", when)
	case models.StatusDraft:
		return ui.T(ctx, "Draft. Only you can see it.")
	case models.StatusRemoved:
		if p.Held {
			return ui.T(ctx, "We're checking this listing before it's for sale. Only you can see it. We'll email you.")
		}
		return ui.T(ctx, "We removed this listing. Only you can see it.")
	}
	return ""
}

// Undone reports that the listing was held instead of put on sale. It implements
// web.UndonePage.
func (p *Listing) Undone() bool { return p.Held }

// closedText describes the status of the listing beside its headline, which states the
// price of a sale; "" while it is for sale.
func (p *Listing) closedText(ctx context.Context) string {
	if p.Status != models.StatusSold || p.SoldPrice == nil {
		return p.statusSentence(ctx)
	}
	text := ui.T(ctx, "Sold on %s.", ui.DayIn(ctx, p.ClosedAt))
	if p.Sale != nil {
		text += " " + ui.T(ctx, p.Sale.Text)
	}
	return text
}

// ForSale reports whether buyers can still get the item.
func (p *Listing) ForSale() bool {
	return p.Status == models.StatusActive || p.Status == models.StatusReserved
}

// reducedFrom returns the last asking price if it was higher: "Reduced from €1,399",
// otherwise "".
func (p *Listing) reducedFrom(ctx context.Context) string {
	if len(p.Past) == 0 || ui.Units(&p.Past[len(p.Past)-1].Price) <= ui.Units(&p.Price) {
		return ""
	}
	return ui.T(ctx, "Reduced from %s", ui.MoneyIn(ctx, p.Past[len(p.Past)-1].Price))
}

// lastPriceText describes the current asking price in the price history.
func (p *Listing) lastPriceText(ctx context.Context) string {
	if p.ForSale() {
		return ui.T(ctx, "now")
	}
	return ui.T(ctx, "last")
}

// modelText returns the name of the gear, or that of one that is not yet in the catalogue.
func (p *Listing) modelText(ctx context.Context) string {
	if p.NewModel != "" {
		return ui.T(ctx, "%s (not yet in the catalogue)", strings.ReplaceAll(p.NewModel, "/", " "))
	}
	return p.GearName
}

// gradeText describes a grade on the scale of all: "Grade 5 of 7, from Faulty to New".
func gradeText(ctx context.Context, c models.Condition) string {
	return ui.T(ctx, "Condition %d of %d, where 1 is %s and 7 is %s", c.Rank(), len(models.Conditions), ui.T(ctx, models.ConditionFaulty.Label()), ui.T(ctx, models.ConditionNew.Label()))
}

// facts returns the facts of the listing for display. quote marks what its seller
// wrote: AsWritten or untrusted.
func (p *Listing) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	item := ui.ItemFacts(ctx, &p.item, quote)
	item[0].Value = ui.T(ctx, p.Grade.Label) + ": " + ui.T(ctx, p.Grade.Meaning)
	rows := append([]ui.Fact{{Name: "Model", Value: p.modelText(ctx)}, {Name: "Category", Value: p.KindText(ctx)}}, item...)
	if p.Gear != "" {
		rows[0].Href = ui.GearPath(p.Gear)
	}
	if p.VerifiedAt != "" {
		rows = append(rows, ui.Fact{Name: ui.VerifiedText, Value: p.VerifiedTitle(ctx)})
	}
	rows = append(rows,
		ui.Fact{Name: "Region", Value: ui.RegionIn(ctx, p.Region)})
	rows = append(rows, p.Postage.Facts(ctx)...)
	rows = append(rows,
		ui.Fact{Name: "Seller", Value: quote(p.SellerCard.Name), Href: ui.SellerPath(p.Seller)},
		ui.Fact{Name: "Listed", Value: ui.DayIn(ctx, p.PublishedAt)}, // empty for a draft
		ui.Fact{Name: "Updated", Value: ui.DayIn(ctx, p.UpdatedAt)},
	)
	if p.ClosedAt != "" {
		rows = append(rows, ui.Fact{Name: "Closed", Value: ui.DayIn(ctx, p.ClosedAt)})
	}
	if p.ExpiresAt != "" {
		rows = append(rows, ui.Fact{Name: "Listing ends", Value: ui.DayIn(ctx, p.ExpiresAt)})
	}
	if len(p.Past) > 0 {
		rows = append(rows, ui.Fact{Name: "Previous price", Value: p.pastText(ctx)})
	}
	return rows
}

// daysText states to its seller how long the listing is likely to take to sell, "" if that is
// unknown.
func (p *Listing) daysText(ctx context.Context) string {
	if !p.ForSale() {
		return ""
	}
	return priceviews.ExpectedText(ctx, p.daysToSell)
}

// writeSteps writes what the seller can do with a listing, nothing without steps.
func writeSteps(m *ui.Markdown, steps []SellerStep) {
	if len(steps) == 0 {
		return
	}
	m.Section("What you can do")
	for _, s := range steps {
		m.Raw("- ", ui.MarkdownText(ui.T(m.Context, s.Label)), ": `", s.API, "` (", s.Name, ")\n")
	}
}

// SellerStep is something the seller can do next with a listing.
type SellerStep struct {
	Name  string `json:"name" jsonschema:"name of the operation"`
	Label string `json:"label"`
	API   string `json:"api" jsonschema:"API path"`
}

// stepTools returns the tools of the steps that a seller can take.
func stepTools(steps []SellerStep) []string {
	return ui.Each(steps, func(s *SellerStep) string { return s.Name })
}

// stepNames maps the steps of a listing to their operations, their paths and the
// labels of their buttons.
var stepNames = map[models.Step]struct{ operation, path, label string }{
	models.Publish: {"publish_listing", "/publish", "Publish"},
	models.Reserve: {"reserve_listing", "/reserve", "Reserve for a buyer"},
	models.Sell:    {"mark_sold", "/sold", "Mark as sold"},
	models.End:     {"end_listing", "/end", "End listing"},
	models.Relist:  {"relist_listing", "/relist", "Relist"},
	models.Discard: {"discard_draft", "", "Discard the draft"},
}

// stepsOf returns what the seller of a listing can do in a status.
func stepsOf(id string, status models.Status) []SellerStep {
	var steps []SellerStep
	for _, step := range status.Steps() {
		n := stepNames[step]
		steps = append(steps, SellerStep{n.operation, n.label, "/api" + ui.ListingPath(id) + n.path})
	}
	if status.Open() {
		steps = append(steps, SellerStep{"edit_listing", "Edit", "/api" + ui.ListingPath(id)})
	}
	return steps
}

// soldHelp says what becomes of the price of a sale that its seller declares alone.
func soldHelp(operator bool) string {
	if operator {
		return languages.Mark("Sales by our own shop count towards price history.")
	}
	return languages.Mark("Only you can see this price. Sales you mark yourself don't count towards price history; sales through an offer do.")
}

// endReasons describes why a listing was ended, for the end of a sentence.
var endReasons = map[string]string{
	"sold_elsewhere": languages.Mark("it was sold elsewhere"),
	"kept":           languages.Mark("the seller kept it"),
	"broken":         languages.Mark("it broke"),
	"mistake":        languages.Mark("it was listed by mistake"),
}

// endChoices returns the reasons for ending a listing.
func endChoices() []ui.Choice {
	labels := map[string]string{
		"sold_elsewhere": languages.Mark("Sold elsewhere"),
		"kept":           languages.Mark("I'm keeping it"),
		"broken":         languages.Mark("It's broken"),
		"mistake":        languages.Mark("Listed by mistake"),
		"other":          languages.Mark("Another reason"),
	}
	var all []ui.Choice
	for _, code := range models.EndReasons {
		all = append(all, ui.Choice{Value: code, Label: labels[code]})
	}
	return all
}

// Resource returns the path of the listing in the API.
func (p *Listing) Resource() string { return "/api" + p.Path() }

// pastText returns the earlier asking prices: "€1,299 until 3 Nov 2026".
func (p *Listing) pastText(ctx context.Context) string {
	all := make([]string, len(p.Past))
	for i, past := range p.Past {
		all[i] = ui.T(ctx, "%s until %s", ui.MoneyIn(ctx, past.Price), ui.DayIn(ctx, past.Until))
	}
	return strings.Join(all, ui.T(ctx, ", then "))
}

// Version returns the version of the listing that If-Match is compared with.
func (p *Listing) Version() int64 { return p.Edition }

// can reports whether the seller can take a step now.
func (p *Listing) can(step models.Step) bool { return p.Status.Allows(step) }

// Schema describes the listing as a product with the terms of its sale. Those are an
// Offer in schema.org; an offer of this site is a buyer's price proposal.
func (p *Listing) Schema() ui.Thing {
	if p.Demo {
		return nil
	}
	offer := ui.NewThing("Offer", "url", p.site.URL(p.Page), "price", p.Price.Amount, "priceCurrency", p.Price.Currency, "availability", availability(p.Status),
		"itemCondition", p.Grade.SchemaOrg, "seller", ui.NewThing("Person", "name", p.SellerCard.Name, "url", p.site.URL(p.SellerCard.Page)))
	var shipping []ui.Thing
	for i := range p.Rates {
		if r := &p.Rates[i]; len(r.To) == 2 && r.To != "EU" {
			shipping = append(shipping, ui.NewThing("OfferShippingDetails", "shippingRate", ui.NewThing("MonetaryAmount", "value", r.Price.Amount, "currency", r.Price.Currency),
				"shippingDestination", ui.NewThing("DefinedRegion", "addressCountry", r.To)))
		}
	}
	if len(shipping) > 0 {
		offer["shippingDetails"] = shipping
	}
	var pictures []string
	for i := range p.Photos {
		pictures = append(pictures, p.Photos[i].Largest())
	}
	return ui.NewThing("Product", "name", p.Title, "description", p.Description, "sku", p.ID, "url", p.site.URL(p.Page), "category", p.Category.Label(),
		"brand", ui.BrandThing(p.Brand), "model", p.Model, "image", pictures, "itemCondition", p.Grade.SchemaOrg, "offers", offer)
}

// availability returns the schema.org availability of a status.
func availability(s models.Status) string {
	switch s {
	case models.StatusActive:
		return "https://schema.org/InStock"
	case models.StatusReserved:
		return "https://schema.org/LimitedAvailability"
	case models.StatusSold:
		return "https://schema.org/SoldOut"
	}
	return "https://schema.org/Discontinued"
}

func (p *Listing) Preview(ctx context.Context) ui.Preview {
	l := languages.Of(ctx)
	v := ui.Preview{Kind: l.TextIn("a listing", "For sale"), Title: p.Title, Price: p.PriceIn(l), Lines: []string{p.ConditionIn(l) + ", " + ui.RegionIn(ctx, p.Region)}, Demo: p.Demo}
	if p.Deal != nil {
		v.Lines = append(v.Lines, p.Deal.TextIn(ctx))
	}
	if len(p.Photos) > 0 {
		v.Photo = p.site.Local(p.Photos[0].Src)
	}
	v.Trend = p.medians
	return v
}

// SetWatch sets whether the viewer watches the listing, and how many members do.
func (p *Listing) SetWatch(watched bool, watchers int) { p.watched, p.watchers = watched, watchers }

// watchText labels the button that watches the listing: "Watch (3)".
func (p *Listing) watchText(ctx context.Context) string {
	text := ui.T(ctx, "Watch")
	if p.watched {
		text = ui.T(ctx, "Watching")
	}
	if p.watchers > 0 {
		text += " (" + ui.NumberIn(ctx, p.watchers) + ")"
	}
	return text
}

// RecentSale is a sale that a listing can be compared with.
type RecentSale struct {
	SoldAt    string           `json:"sold_at"`
	Condition models.Condition `json:"condition"`
	Price     models.Money     `json:"price"`
	Included  string           `json:"included,omitempty" jsonschema:"what came with it, if known" maxlength:"2000" untrusted:"true"`
	Href      string           `json:"href,omitempty" jsonschema:"path in the API of the listing that was sold, if it was listed here"`
	Page      string           `json:"page,omitempty" jsonschema:"path of the same as a page"`
}

// pagePath returns the path of the public page, or of the form after AtEditor.
func (p *Listing) pagePath() string {
	if p.editor != "" {
		return p.editor
	}
	return p.Path()
}
