package views

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
)

// Listing is the page of one listing.
type Listing struct {
	Card
	Brand       string `json:"brand,omitempty"`
	Model       string `json:"model,omitempty"`
	Description string `json:"description" untrusted:"true"`
	Grade       Grade  `json:"grade"`
	Item[Named]
	Specs  []Spec  `json:"specifications"`
	Photos []Photo `json:"photos"`
	Postage
	SellerCard  SellerCard    `json:"seller_profile"`
	Trend       *TrendBrief   `json:"trend,omitempty" jsonschema:"sold prices of this gear; absent when it is not in the catalogue"`
	Estimate    *Estimate     `json:"estimate,omitempty" jsonschema:"what it is likely to sell for now; absent if too little is known or it isn't for sale"`
	UpdatedAt   string        `json:"updated_at"`
	ClosedAt    string        `json:"closed_at,omitempty" jsonschema:"when it was sold, ended or expired"`
	SoldPrice   *models.Money `json:"sold_price,omitempty"`
	Sale        *OwnSale      `json:"sale,omitempty" jsonschema:"its last sale; only for its seller"`
	ExpiresAt   string        `json:"expires_at,omitempty" jsonschema:"when the listing expires"`
	EndReason   string        `json:"end_reason,omitempty"`
	Edition     int64         `json:"version"`
	Past        []PastPrice   `json:"price_history"`
	RecentSales []RecentSale  `json:"recent_sales" jsonschema:"last sales of this gear in this or the next better or worse condition, newest first"`
	Steps       []SellerStep  `json:"steps,omitempty"`
	Similar     []Card        `json:"similar" jsonschema:"other listings for sale of the same or similar gear"`
	FromSeller  []Card        `json:"from_seller" jsonschema:"other listings for sale by the same seller"`
	Links       []Link        `json:"links"`
	Notice      string        `json:"notice,omitempty"`
	Held        bool          `json:"held,omitempty" jsonschema:"an operator is checking it before it is for sale; only for its seller"`
	editor      string        // path of the seller's form, if that is its page
	medians     []float64     // of this gear by month, for the preview image
	daysToSell  int           // in which half of the listings like it sell; 0 if unknown, or for others than its seller
	item        models.Item   // as it is stored, or untested
	site        *Site
	watched     bool // by the viewer
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
		return Grade{Label: notGraded, Meaning: languages.Mark("Choose a grade before you publish.")}
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
	Similar       []Card
	FromSeller    []Card
}

// NewListing returns the page of a listing.
func NewListing(site *Site, parts ListingParts) *Listing {
	l, gear := parts.Listing, parts.Gear
	p := &Listing{
		Card:        NewCard(site, l, gear, parts.Seller.Handle, parts.Deal),
		Description: l.Text,
		Grade:       newGrade(l.Condition),
		Item:        newItem(&l.Item, namedDefect),
		item:        l.Item,
		Specs:       specsOf(gear),
		Photos:      make([]Photo, 0, len(l.Photos)),
		SellerCard:  NewSellerCard(site, parts.Seller, parts.SellerForSale, parts.SellerSold),
		Postage:     newPostage(site.in(l.Currency), l.Price, l.PostageOr(parts.Seller.Postage)),
		UpdatedAt:   l.UpdatedAt.RFC3339(),
		ClosedAt:    l.ClosedAt.RFC3339(),
		EndReason:   l.EndReason,
		Edition:     l.Version,
		Past:        make([]PastPrice, 0, len(parts.Past)),
		RecentSales: newRecentSales(site, parts.Recent),
		Similar:     list(parts.Similar),
		FromSeller:  list(parts.FromSeller),
		site:        site,
	}
	if parts.Sale == nil || parts.Own || parts.Sale.Eligible() {
		p.SoldPrice = moneyOf(site.in(l.Currency), l.SoldPrice)
	}
	p.SellerCard.rate(parts.Ratings, parts.Responses)
	if l.Demo {
		p.Notice = DemoNotice
	}
	if l.Status == models.StatusActive {
		p.ExpiresAt, p.Estimate = l.ExpiresAt.RFC3339(), newEstimate(site, parts.Estimate)
	}
	for _, past := range parts.Past {
		p.Past = append(p.Past, PastPrice{site.in(l.Currency).Money(past.Price), past.Until.RFC3339()})
	}
	if parts.Own {
		p.Sale, p.Held = newOwnSale(site, parts.Sale), parts.Held
		p.daysToSell = parts.DaysToSell
		p.Steps = stepsOf(l.ID, l.Status)
	}
	for i := range l.Photos {
		p.Photos = append(p.Photos, newPhoto(site, l, i))
	}
	if gear != nil {
		p.Brand, p.Model = gear.Brand, gear.Model
		if parts.Trend != nil {
			p.medians = medians(parts.Trend.Months)
		}
		p.Trend = newTrendBrief(site, gear, parts.Trend, l.Condition)
	}
	p.Links = p.links(context.Background())
	return p
}

func newTrendBrief(site *Site, gear *catalog.Gear, t *prices.Trend, c models.Condition) *TrendBrief {
	if t == nil {
		t = &prices.Trend{}
	}
	return &TrendBrief{
		Ref:       newRef(gearPath(gear.Slug())),
		Summary:   newStats(site, t.Summary),
		Condition: newStats(site, t.ByCondition[c]),
		Change90:  percentOf(t.Change90d),
	}
}

func (p *Listing) links(ctx context.Context) []Link {
	var links []Link
	if p.Gear != "" {
		links = append(links,
			Link{gearPath(p.Gear), t(ctx, "What %s sells for", p.GearName)},
			Link{pathOf(search.Filter{Model: p.Gear}), t(ctx, "Every %s for sale", p.GearName)})
	}
	return append(links,
		Link{sellerPath(p.Seller), t(ctx, "Everything from %s", p.Seller)},
		Link{pathOf(search.Filter{Category: models.Kind(p.Category)}), t(ctx, "Everything in %s", withinSentence(ctx, cmp.Or(p.Category.Label(), "All categories")))},
		Link{"/guides/condition-grades", t(ctx, "What the grades mean")})
}

// Head implements Page.
func (p *Listing) Head(ctx context.Context) Head {
	h := Head{
		Title:       p.Title + ", " + p.priceIn(languages.Of(ctx)),
		Description: p.Title + ": " + withinSentence(ctx, p.conditionIn(languages.Of(ctx))) + ", " + p.priceIn(languages.Of(ctx)) + ", " + regionIn(ctx, p.Region) + ".",
		Path:        p.pagePath(),
		NoIndex:     p.Status != models.StatusActive && p.Status != models.StatusReserved,
		Crumbs:      p.crumbs(ctx),
	}
	if len(p.Photos) > 0 {
		h.Image = p.site.local(p.Photos[0].largest())
	}
	return h
}

func (p *Listing) crumbs(ctx context.Context) []Link {
	if p.Gear == "" {
		return []Link{{searchPath, t(ctx, "For sale")}}
	}
	brand, _, _ := strings.Cut(p.Gear, "/")
	return []Link{{"/gear", gearCrumb(ctx)}, {gearPath(brand), p.Brand}, {gearPath(p.Gear), p.Model}}
}

// StatusSentence describes the status of the listing in English, "" while it is for sale.
func (p *Listing) StatusSentence() string { return p.statusSentence(context.Background()) }

// statusSentence describes the status of the listing, "" while it is for sale.
func (p *Listing) statusSentence(ctx context.Context) string {
	when := ""
	if p.ClosedAt != "" {
		when = t(ctx, " on %s", dayIn(ctx, p.ClosedAt))
	}
	if p.Sale != nil && p.Sale.State == "voided" && p.Status == models.StatusEnded {
		return t(ctx, p.Sale.Text)
	}
	switch p.Status {
	case models.StatusReserved:
		return t(ctx, "Reserved for a buyer. It may come back on sale.")
	case models.StatusSold:
		if p.SoldPrice != nil {
			s := t(ctx, "Sold%s for %s.", when, moneyIn(ctx, *p.SoldPrice))
			if p.Sale != nil {
				s += " " + t(ctx, p.Sale.Text)
			}
			return s
		}
		return t(ctx, "Sold%s.", when)
	case models.StatusEnded:
		if why := endReasons[p.EndReason]; why != "" {
			return t(ctx, "Ended by the seller%s: %s.", when, t(ctx, why))
		}
		return t(ctx, "Ended by the seller%s. No longer for sale.", when)
	case models.StatusExpired:
		return t(ctx, "Expired%s. No longer for sale.", when)
	case models.StatusDraft:
		return t(ctx, "Draft. Only you can see it.")
	case models.StatusRemoved:
		if p.Held {
			return t(ctx, "We're checking this listing before it's for sale. Only you can see it. We'll email you.")
		}
		return t(ctx, "Removed by an operator. Only you can see it.")
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
	text := t(ctx, "Sold on %s.", dayIn(ctx, p.ClosedAt))
	if p.Sale != nil {
		text += " " + t(ctx, p.Sale.Text)
	}
	return text
}

// forSale reports whether buyers can still get the item.
func (p *Listing) forSale() bool {
	return p.Status == models.StatusActive || p.Status == models.StatusReserved
}

// reducedFrom returns the last asking price if it was higher: "Reduced from €1,399",
// otherwise "".
func (p *Listing) reducedFrom(ctx context.Context) string {
	if len(p.Past) == 0 || units(&p.Past[len(p.Past)-1].Price) <= units(&p.Price) {
		return ""
	}
	return t(ctx, "Reduced from %s", moneyIn(ctx, p.Past[len(p.Past)-1].Price))
}

// lastPriceText describes the current asking price in the price history.
func (p *Listing) lastPriceText(ctx context.Context) string {
	if p.forSale() {
		return t(ctx, "now")
	}
	return t(ctx, "last")
}

// actionPath returns the path of the form with a field. It leads signed-out visitors
// to sign in, and back.
func (p *Listing) actionPath(ctx context.Context, field string) templ.SafeURL {
	if viewerOf(ctx).Handle == "" {
		return templ.SafeURL(signInPath(p.path() + "#" + field))
	}
	return templ.SafeURL("#" + field)
}

// alternatives links a listing that is not for sale to listings that are.
func (p *Listing) alternatives(ctx context.Context) Link {
	switch {
	case len(p.Similar) > 0:
		return Link{"#similar", t(ctx, "See similar for sale")}
	case p.Gear != "":
		return Link{pathOf(search.Filter{Model: p.Gear}), t(ctx, "See %s for sale", p.GearName)}
	}
	return Link{}
}

// factsBelowGrade returns the facts about the item below its grade.
func (p *Listing) factsBelowGrade(ctx context.Context) []fact {
	model := fact{"Model", p.GearName, ""}
	if p.Gear != "" {
		model.Href = gearPath(p.Gear)
	}
	return append(itemFacts(ctx, &p.item, asWritten)[1:], model, fact{"Type", p.kindText(ctx), ""})
}

// gradeText describes a grade on the scale of all: "Grade 5 of 7, from Faulty to New".
func gradeText(ctx context.Context, c models.Condition) string {
	return t(ctx, "Grade %d of %d, from %s to %s", c.Rank(), len(models.Conditions), t(ctx, models.ConditionFaulty.Label()), t(ctx, models.ConditionNew.Label()))
}

// facts returns the facts of the listing for display. quote marks what its seller
// wrote: asWritten or untrusted.
func (p *Listing) facts(ctx context.Context, quote func(string) string) []fact {
	item := itemFacts(ctx, &p.item, quote)
	item[0].Value = t(ctx, p.Grade.Label) + ": " + t(ctx, p.Grade.Meaning)
	rows := append([]fact{{"Gear", p.GearName, ""}, {"Kind", p.kindText(ctx), ""}}, item...)
	if p.Gear != "" {
		rows[0].Href = gearPath(p.Gear)
	}
	if p.VerifiedAt != "" {
		rows = append(rows, fact{verifiedText, p.verifiedTitle(ctx), ""})
	}
	rows = append(rows,
		fact{"Region", regionIn(ctx, p.Region), ""})
	rows = append(rows, p.Postage.facts(ctx)...)
	rows = append(rows,
		fact{"Seller", quote(p.SellerCard.Name), sellerPath(p.Seller)},
		fact{"Published", dayIn(ctx, p.PublishedAt), ""}, // empty for a draft
		fact{"Updated", dayIn(ctx, p.UpdatedAt), ""},
	)
	if p.ClosedAt != "" {
		rows = append(rows, fact{"Closed", dayIn(ctx, p.ClosedAt), ""})
	}
	if p.ExpiresAt != "" {
		rows = append(rows, fact{"For sale until", dayIn(ctx, p.ExpiresAt), ""})
	}
	if len(p.Past) > 0 {
		rows = append(rows, fact{"Asked before", p.pastText(ctx), ""})
	}
	return rows
}

// daysText states to its seller how long the listing is likely to take to sell, "" if that is
// unknown.
func (p *Listing) daysText(ctx context.Context) string {
	if !p.forSale() {
		return ""
	}
	return expectedText(ctx, p.daysToSell)
}

// Markdown implements Page.
func (p *Listing) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, untrusted(p.Title), t(ctx, p.Notice)).in(ctx)
	m.raw("\n**", moneyIn(ctx, p.Price), "**", p.approxIn(languages.Of(ctx)), ", ", statusIn(ctx, p.Status), ".")
	if p.Deal != nil {
		m.raw(" ", p.Deal.long(ctx), ".")
	}
	m.raw("\n")
	m.text(p.daysText(ctx))
	m.text(p.statusSentence(ctx))
	m.raw("\n")
	m.factRows(append(p.facts(ctx, untrusted), fact{"Listing", t(ctx, "%s, version %d", p.ID, p.Edition), ""}))
	m.row(t(ctx, "Address"), p.site.URL(p.Page))
	if p.Description != "" {
		m.section("What the seller says")
		m.quote(p.Description)
	}
	m.specs(p.Specs)
	writeTrendBrief(m, p)
	writeRecentSales(m, p.RecentSales)
	m.photos(p.Photos)
	m.section("Seller")
	m.seller(&p.SellerCard)
	m.cards("Similar listings", p.Similar)
	m.cards("More from this seller", p.FromSeller)
	writeSteps(m, p.Steps)
	m.links(p.links(ctx))
	return m.done(w)
}

// writeSteps writes what the seller can do with a listing, nothing without steps.
func writeSteps(m *markdown, steps []SellerStep) {
	if len(steps) == 0 {
		return
	}
	m.section("What you can do")
	for _, s := range steps {
		m.raw("- ", mdText(t(m.ctx, s.Label)), ": `", s.API, "` (", s.Name, ")\n")
	}
}

func writeTrendBrief(m *markdown, p *Listing) {
	if p.Trend == nil && p.Estimate == nil {
		return
	}
	m.section("What it sells for")
	if p.Estimate != nil {
		m.text(p.estimateText(m.ctx))
		writeEstimateLinks(m, p.Estimate)
	}
	if p.Trend == nil {
		return
	}
	writeStatsHead(m, "Sold")
	writeStatsRow(m, "All conditions, 12 months", &p.Trend.Summary)
	writeStatsRow(m, t(m.ctx, "%s, 12 months", t(m.ctx, p.Grade.Label)), &p.Trend.Condition)
	m.raw("\n", t(m.ctx, "Change of the median over 90 days: %s.", changeIn(m.ctx, p.Trend.Change90)), " ",
		m.link(Link{gearPath(p.Gear), "The whole trend"}), "\n")
}

// SellerStep is something the seller can do next with a listing.
type SellerStep struct {
	Name  string `json:"name" jsonschema:"name of the operation"`
	Label string `json:"label"`
	API   string `json:"api" jsonschema:"API path"`
}

// stepNames maps the steps of a listing to their operations, their paths and the
// labels of their buttons.
var stepNames = map[models.Step]struct{ operation, path, label string }{
	models.Publish: {"publish_listing", "/publish", "Publish"},
	models.Reserve: {"reserve_listing", "/reserve", "Reserve for a buyer"},
	models.Sell:    {"mark_sold", "/sold", "Mark as sold"},
	models.End:     {"end_listing", "/end", "End without a sale"},
	models.Relist:  {"relist_listing", "/relist", "Put back on sale"},
	models.Discard: {"discard_draft", "", "Discard the draft"},
}

// stepsOf returns what the seller of a listing can do in a status.
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

// soldHelp says what becomes of the price of a sale that its seller declares alone.
func soldHelp(operator bool) string {
	if operator {
		return languages.Mark("Sales of the site's own shop count in the price trend.")
	}
	return languages.Mark("Only you will see this. A sale you mark yourself never moves a price trend: sell through an offer to have it count.")
}

// endReasons describes why a listing was ended, for the end of a sentence.
var endReasons = map[string]string{
	"sold_elsewhere": languages.Mark("it was sold elsewhere"),
	"kept":           languages.Mark("the seller keeps it"),
	"broken":         languages.Mark("it broke"),
	"mistake":        languages.Mark("the listing was a mistake"),
}

// endChoices returns the reasons for ending a listing.
func endChoices() []Choice {
	labels := map[string]string{
		"sold_elsewhere": languages.Mark("Sold elsewhere"),
		"kept":           languages.Mark("I keep it"),
		"broken":         languages.Mark("It broke"),
		"mistake":        languages.Mark("The listing was a mistake"),
		"other":          languages.Mark("Another reason"),
	}
	var all []Choice
	for _, code := range models.EndReasons {
		all = append(all, Choice{Value: code, Label: labels[code]})
	}
	return all
}

// Resource returns the path of the listing in the API.
func (p *Listing) Resource() string { return "/api" + p.path() }

// pastText returns the earlier asking prices: "€1,299 until 3 Nov 2026".
func (p *Listing) pastText(ctx context.Context) string {
	all := make([]string, len(p.Past))
	for i, past := range p.Past {
		all[i] = t(ctx, "%s until %s", moneyIn(ctx, past.Price), dayIn(ctx, past.Until))
	}
	return strings.Join(all, t(ctx, ", then "))
}

// Version returns the version of the listing that If-Match is compared with.
func (p *Listing) Version() int64 { return p.Edition }

// can reports whether the seller can take a step now.
func (p *Listing) can(step models.Step) bool { return p.Status.Allows(step) }

// Schema describes the listing as a product with the terms of its sale. Those are an
// Offer in schema.org; an offer of this site is a buyer's price proposal.
func (p *Listing) Schema() thing {
	if p.Demo {
		return nil
	}
	offer := newThing("Offer", "url", p.site.URL(p.Page), "price", p.Price.Amount, "priceCurrency", p.Price.Currency, "availability", availability(p.Status),
		"itemCondition", p.Grade.SchemaOrg, "seller", newThing("Person", "name", p.SellerCard.Name, "url", p.site.URL(p.SellerCard.Page)))
	var pictures []string
	for i := range p.Photos {
		pictures = append(pictures, p.Photos[i].largest())
	}
	return newThing("Product", "name", p.Title, "description", p.Description, "sku", p.ID, "url", p.site.URL(p.Page), "category", p.Category.Label(),
		"brand", brandThing(p.Brand), "model", p.Model, "image", pictures, "itemCondition", p.Grade.SchemaOrg, "offers", offer)
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

func (p *Listing) Preview() Preview {
	v := Preview{Kind: "For sale", Title: p.Title, Price: p.priceText(), Lines: []string{p.conditionText() + ", " + RegionName(p.Region)}, Demo: p.Demo}
	if p.Deal != nil {
		v.Lines = append(v.Lines, p.Deal.Text)
	}
	if len(p.Photos) > 0 {
		v.Photo = p.site.local(p.Photos[0].Src)
	}
	v.Trend = p.medians
	return v
}

// MarkWatched marks the listing as watched by the viewer.
func (p *Listing) MarkWatched() { p.watched = true }
