package views

import (
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// Card is a listing as lists show it, finished: every string a face needs is in it.
type Card struct {
	ID          string            `json:"id" jsonschema:"UUID of the listing"`
	URL         string            `json:"url" jsonschema:"absolute address of the listing's page"`
	Title       string            `json:"title"`
	Gear        string            `json:"gear,omitempty" jsonschema:"catalogue slug brand/model, such as canon/eos-r6; absent when not in the catalogue"`
	GearName    string            `json:"gear_name,omitempty"`
	Category    models.Category   `json:"category"`
	Mount       string            `json:"mount,omitempty"`
	Condition   models.Condition  `json:"condition"`
	Functional  models.Functional `json:"functional"`
	Price       models.Money      `json:"price" jsonschema:"asking price"`
	Deal        *Deal             `json:"deal,omitempty" jsonschema:"asking price against the sold median of this gear in this condition; absent with fewer than 5 sales"`
	Region      models.Region     `json:"region"`
	Seller      string            `json:"seller" jsonschema:"handle of the seller"`
	Status      models.Status     `json:"status"`
	PublishedAt string            `json:"published_at,omitempty" jsonschema:"when it was first published; absent from a draft"`
	Photo       *Photo            `json:"photo,omitempty"`
	Demo        bool              `json:"demo,omitempty" jsonschema:"true when the item is invented for demonstration"`
}

// Deal says what a price is worth.
type Deal struct {
	Percent int          `json:"percent" jsonschema:"asking price against the sold median, rounded: -12 is 12 % under"`
	Typical models.Money `json:"typical" jsonschema:"sold median of this gear in this condition over 12 months"`
	Sales   int          `json:"sales" jsonschema:"number of sales the median is made of"`
	Text    string       `json:"text" jsonschema:"the same in words: 12 % under typical (34 sales)"`
}

// Photo is a picture with its sizes.
type Photo struct {
	Src    string `json:"src" jsonschema:"absolute address of a middle size"`
	SrcSet string `json:"srcset" jsonschema:"every size, as HTML's srcset writes it"`
	Alt    string `json:"alt"`
	Width  int    `json:"width" jsonschema:"pixels of src"`
	Height int    `json:"height" jsonschema:"pixels of src"`
}

// Listing is the page of one listing.
type Listing struct {
	Card
	Brand       string        `json:"brand,omitempty"`
	Model       string        `json:"model,omitempty"`
	Description string        `json:"description"`
	Grade       Grade         `json:"grade"`
	Defects     []Named       `json:"defects"`
	Included    []string      `json:"included"`
	Shutter     int           `json:"shutter_count,omitempty"`
	Specs       []Spec        `json:"specifications"`
	Photos      []Photo       `json:"photos"`
	SellerCard  SellerCard    `json:"seller_profile"`
	Trend       *TrendBrief   `json:"trend,omitempty" jsonschema:"what this gear sells for; absent when the gear is not in the catalogue"`
	UpdatedAt   string        `json:"updated_at"`
	ClosedAt    string        `json:"closed_at,omitempty" jsonschema:"when it was sold, ended or expired"`
	SoldPrice   *models.Money `json:"sold_price,omitempty"`
	ExpiresAt   string        `json:"expires_at,omitempty" jsonschema:"until when it is for sale"`
	EndReason   string        `json:"end_reason,omitempty"`
	Edition     int64         `json:"version"`
	Past        []PastPrice   `json:"price_history"`
	Steps       []SellerStep  `json:"steps,omitempty"`
	Similar     []Card        `json:"similar" jsonschema:"other listings for sale of the same or similar gear"`
	FromSeller  []Card        `json:"from_seller" jsonschema:"other listings for sale of the same seller"`
	Links       []Link        `json:"links"`
	Notice      string        `json:"notice,omitempty"`
	desk        bool          // its own page is where its seller works on it
	taken       *models.Gear  // that a photograph says it was taken with, nil for none
	medians     []float64     // of this gear by month, for the preview
	site        *Site
	watched     bool // by its reader
}

// PastPrice is an asking price a listing had.
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

// Named is a code with its label.
type Named struct {
	Code  string `json:"code"`
	Label string `json:"label"`
}

// Spec is one row of a specification table.
type Spec struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// NewCard makes the card of a listing. gear is nil when it is not in the
// catalogue, deal when there are too few sales to say.
func NewCard(site *Site, l *models.Listing, gear *models.Gear, seller string, deal *models.Deal) Card {
	c := Card{
		ID: l.ID, URL: site.URL(listingPath(l.ID)), Title: l.Title, Category: l.Category, Condition: l.Condition, Functional: l.Functional,
		Price: site.Currency.Money(l.Price), Deal: newDeal(site, deal), Region: l.Region, Seller: seller,
		Status: l.Status, PublishedAt: l.PublishedAt.RFC3339(), Demo: l.Demo,
	}
	if gear != nil {
		c.Gear, c.GearName, c.Mount = gear.Slug(), gear.Name(), gear.Mount
	}
	if len(l.Photos) > 0 {
		p := newPhoto(site, l, 0)
		c.Photo = &p
	}
	return c
}

func newDeal(site *Site, d *models.Deal) *Deal {
	if d == nil {
		return nil
	}
	return &Deal{Percent: d.Percent, Typical: site.Currency.Money(d.Typical), Sales: d.Sales, Text: dealText(d.Percent, d.Sales)}
}

// dealText is a deal in words: "12 % under typical (34 sales)".
func dealText(percent, sales int) string {
	of := " (" + countText(sales, "sale", "sales") + ")"
	switch {
	case percent < 0:
		return strconv.Itoa(-percent) + " % under typical" + of
	case percent > 0:
		return strconv.Itoa(percent) + " % over typical" + of
	}
	return "at the typical price" + of
}

// The width of a photograph's src; srcset has them all.
const photoWidth = 640

// newPhoto is a photograph of a listing. One that nobody has described is told by
// its place: no picture is without words.
func newPhoto(site *Site, l *models.Listing, i int) Photo {
	p := l.Photos[i]
	if p.Alt == "" {
		p.Alt = defaultAlt(l.Title, i)
	}
	base := site.URL("/photos/" + p.Key + "-")
	var set strings.Builder
	for i, w := range models.PhotoWidths {
		if i > 0 {
			set.WriteString(", ")
		}
		set.WriteString(base + strconv.Itoa(w) + ".jpg " + strconv.Itoa(w) + "w")
	}
	photo := Photo{Src: base + strconv.Itoa(photoWidth) + ".jpg", SrcSet: set.String(), Alt: p.Alt, Width: photoWidth, Height: photoWidth * 3 / 4}
	if p.Width > 0 && p.Height > 0 {
		photo.Height = (photoWidth*p.Height + p.Width/2) / p.Width
	}
	return photo
}

// largest is the address of the photograph's largest size.
func (p *Photo) largest() string {
	widest := models.PhotoWidths[len(models.PhotoWidths)-1]
	return strings.Replace(p.Src, "-"+strconv.Itoa(photoWidth)+".", "-"+strconv.Itoa(widest)+".", 1)
}

func listingPath(id string) string    { return "/listings/" + id }
func sellerPath(handle string) string { return "/sellers/" + handle }
func gearPath(slug string) string     { return "/gear/" + slug }

func (c *Card) path() string { return listingPath(c.ID) }

// priceText is the asking price, or why there is none any more: "€1,249",
// "€1,249, reserved".
func (c *Card) priceText() string {
	price := MoneyText(c.Price)
	if c.Status == models.StatusActive || c.Status == "" {
		return price
	}
	return price + ", " + statusWord(c.Status)
}

// conditionText is the grade, and whether it works unless it fully does.
func (c *Card) conditionText() string {
	if c.Functional == models.FullyWorking || c.Functional == "" {
		return c.Condition.Label()
	}
	return c.Condition.Label() + ", " + strings.ToLower(c.Functional.Label())
}

// kindText is the category and the mount: "Prime lens · Canon RF".
func (c *Card) kindText() string {
	if c.Mount == "" {
		return c.Category.Label()
	}
	return c.Category.Label() + " · " + c.Mount
}

// statusWord is a status in words, for the middle of a sentence.
func statusWord(s models.Status) string {
	if s == models.StatusActive {
		return "for sale"
	}
	return string(s)
}

// ListingParts are what the page of a listing is made of.
type ListingParts struct {
	Listing       *models.Listing
	Gear          *models.Gear  // nil when it is not in the catalogue
	Trend         *models.Trend // nil without sales
	Seller        *models.Member
	SellerForSale int
	SellerSold    int
	Standing      models.Standing // of the seller
	Past          []models.PastPrice
	Own           bool // its seller reads it
	Similar       []Card
	FromSeller    []Card
}

// NewListing makes the page of a listing.
func NewListing(site *Site, parts ListingParts) *Listing {
	l, gear := parts.Listing, parts.Gear
	var deal *models.Deal
	if parts.Trend != nil && l.Status.Public() {
		if d, ok := parts.Trend.DealOf(l.Price, l.Condition); ok {
			deal = &d
		}
	}
	p := &Listing{
		Card:        NewCard(site, l, gear, parts.Seller.Handle, deal),
		Description: l.Text,
		Grade:       Grade{l.Condition, l.Condition.Label(), l.Condition.Meaning(), l.Condition.SchemaOrg()},
		Defects:     make([]Named, 0, len(l.Defects)),
		Included:    list(l.Included),
		Shutter:     l.Shutter,
		Specs:       specsOf(gear),
		Photos:      make([]Photo, 0, len(l.Photos)),
		SellerCard:  NewSellerCard(site, parts.Seller, parts.SellerForSale, parts.SellerSold),
		UpdatedAt:   l.UpdatedAt.RFC3339(),
		ClosedAt:    l.ClosedAt.RFC3339(),
		SoldPrice:   site.money(l.SoldPrice),
		EndReason:   l.EndReason,
		Edition:     l.Version,
		Past:        make([]PastPrice, 0, len(parts.Past)),
		Similar:     list(parts.Similar),
		FromSeller:  list(parts.FromSeller),
		site:        site,
	}
	p.SellerCard.rate(parts.Standing)
	if l.Demo {
		p.Notice = DemoNotice
	}
	if l.Status == models.StatusActive {
		p.ExpiresAt = l.ExpiresAt.RFC3339()
	}
	for _, past := range parts.Past {
		p.Past = append(p.Past, PastPrice{site.Currency.Money(past.Price), past.Until.RFC3339()})
	}
	if parts.Own {
		p.Steps = stepsOf(l.ID, l.Status)
	}
	for _, d := range l.Defects {
		p.Defects = append(p.Defects, Named{string(d), d.Label()})
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
	p.Links = p.links(gear)
	return p
}

func newTrendBrief(site *Site, gear *models.Gear, t *models.Trend, c models.Condition) *TrendBrief {
	if t == nil {
		t = &models.Trend{}
	}
	return &TrendBrief{
		URL:       site.URL(gearPath(gear.Slug())),
		Summary:   newStats(site, t.Summary),
		Condition: newStats(site, t.ByCondition[c]),
		Change90:  percentOf(t.Change90d),
	}
}

func (p *Listing) links(gear *models.Gear) []Link {
	var links []Link
	if gear != nil {
		links = append(links,
			Link{gearPath(gear.Slug()), "What " + gear.Name() + " sells for"},
			Link{pathOf(search.Filter{Model: gear.Slug()}), "Every " + gear.Name() + " for sale"})
	}
	return append(links,
		Link{sellerPath(p.Seller), "Everything from " + p.SellerCard.Name},
		Link{pathOf(search.Filter{Category: string(p.Category)}), "Everything in " + strings.ToLower(p.Category.Label())},
		Link{"/guides/condition-grades", "What the grades mean"})
}

// Head implements Page.
func (p *Listing) Head() Head {
	h := Head{
		Title:       p.Title + ", " + p.priceText(),
		Description: p.Title + ": " + strings.ToLower(p.conditionText()) + ", " + p.priceText() + ", " + RegionName(p.Region) + ".",
		Path:        p.place(),
		NoIndex:     p.Status != models.StatusActive && p.Status != models.StatusReserved,
		Crumbs:      p.crumbs(),
	}
	if len(p.Photos) > 0 {
		h.Image = p.site.local(p.Photos[0].largest())
	}
	return h
}

func (p *Listing) crumbs() []Link {
	if p.Gear == "" {
		return []Link{{searchPath, "For sale"}}
	}
	brand, _, _ := strings.Cut(p.Gear, "/")
	return []Link{{"/gear", "Gear"}, {gearPath(brand), p.Brand}, {gearPath(p.Gear), p.Model}}
}

// StatusSentence says what became of the listing, "" while it is for sale.
func (p *Listing) StatusSentence() string {
	when := ""
	if p.ClosedAt != "" {
		when = " on " + DayText(p.ClosedAt)
	}
	switch p.Status {
	case models.StatusReserved:
		return "Reserved: a buyer and the seller are about to agree."
	case models.StatusSold:
		if p.SoldPrice != nil {
			return "Sold" + when + " for " + MoneyText(*p.SoldPrice) + "."
		}
		return "Sold" + when + "."
	case models.StatusEnded:
		if why := endReasons[p.EndReason]; why != "" {
			return "Ended by the seller" + when + ": " + why + "."
		}
		return "Ended by the seller" + when + "; not for sale any more."
	case models.StatusExpired:
		return "Expired" + when + "; not for sale any more."
	case models.StatusDraft:
		return "Draft: nobody but you sees it."
	case models.StatusRemoved:
		return "Removed by the operator of the site; nobody but you sees it."
	}
	return ""
}

// fact is a name with a value for people and, where there is one, a place to go.
type fact struct{ Name, Value, Href string }

// facts are what the listing says about itself, row by row, for every face.
func (p *Listing) facts() []fact {
	rows := []fact{
		{"Gear", p.GearName, ""},
		{"Kind", p.kindText(), ""},
		{"Condition", p.Grade.Label + ": " + p.Grade.Meaning, ""},
		{"Works", p.Functional.Label(), ""},
		{"Defects", labels(p.Defects), ""},
		{"Included", strings.Join(p.Included, ", "), ""},
	}
	if p.Gear != "" {
		rows[0].Href = gearPath(p.Gear)
	}
	if len(p.Defects) == 0 {
		rows[4].Value = "None named"
	}
	if p.Shutter > 0 {
		rows = append(rows, fact{"Shutter count", numberText(p.Shutter), ""})
	}
	rows = append(rows,
		fact{"Region", RegionName(p.Region), ""},
		fact{"Seller", p.SellerCard.Name, sellerPath(p.Seller)},
		fact{"Published", DayText(p.PublishedAt), ""}, // a draft is not
		fact{"Updated", DayText(p.UpdatedAt), ""},
	)
	if p.ClosedAt != "" {
		rows = append(rows, fact{"Closed", DayText(p.ClosedAt), ""})
	}
	if p.ExpiresAt != "" {
		rows = append(rows, fact{"For sale until", DayText(p.ExpiresAt), ""})
	}
	if len(p.Past) > 0 {
		rows = append(rows, fact{"Asked before", p.pastText(), ""})
	}
	return append(rows, fact{"Listing", p.ID + ", version " + strconv.FormatInt(p.Edition, 10), ""})
}

func labels(named []Named) string {
	all := make([]string, len(named))
	for i, n := range named {
		all[i] = n.Label
	}
	return strings.Join(all, ", ")
}

// Markdown implements Page.
func (p *Listing) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.Notice)
	m.raw("\n**", MoneyText(p.Price), "**, ", statusWord(p.Status), ".")
	if p.Deal != nil {
		m.raw(" ", p.Deal.Text, "; typical is ", MoneyText(p.Deal.Typical), ".")
	}
	m.raw("\n")
	m.text(p.StatusSentence())
	m.raw("\n")
	m.factRows(p.facts())
	m.row("Address", p.URL)
	if p.Description != "" {
		m.section("What the seller says")
		m.quote(p.Description)
	}
	m.specs(p.Specs)
	m.trendBrief(p)
	m.photos(p.Photos)
	m.section("Seller")
	m.seller(&p.SellerCard)
	m.cards("Similar listings", p.Similar)
	m.cards("More from this seller", p.FromSeller)
	m.steps(p.Steps)
	m.links(p.Links)
	return m.done(w)
}

// steps is what the seller can do with a listing; nobody else is told any.
func (m *markdown) steps(steps []SellerStep) {
	if len(steps) == 0 {
		return
	}
	m.section("What you can do")
	for _, s := range steps {
		m.raw("- ", mdText(s.Label), ": `", s.API, "` (", s.Name, ")\n")
	}
}

func (m *markdown) factRows(rows []fact) {
	m.head("Fact", "Value")
	for _, f := range rows {
		switch {
		case f.Value == "":
		case f.Href != "":
			m.row(f.Name, m.link(Link{f.Href, f.Value}))
		default:
			m.row(f.Name, mdText(f.Value))
		}
	}
}

func (m *markdown) specs(specs []Spec) {
	if len(specs) == 0 {
		return
	}
	m.section("Specifications")
	m.head("Fact", "Value")
	for _, s := range specs {
		m.row(mdText(s.Name), mdText(s.Value))
	}
}

func (m *markdown) trendBrief(p *Listing) {
	if p.Trend == nil {
		return
	}
	m.section("What it sells for")
	m.statsHead("Sold")
	m.statsRow("All conditions, 12 months", &p.Trend.Summary)
	m.statsRow(p.Grade.Label+", 12 months", &p.Trend.Condition)
	m.raw("\nChange of the median over 90 days: ", changeText(p.Trend.Change90), ". ",
		m.link(Link{gearPath(p.Gear), "The whole trend"}), "\n")
}

func (m *markdown) photos(photos []Photo) {
	if len(photos) == 0 {
		return
	}
	m.section("Photographs")
	for i := range photos {
		m.raw("- ![", mdText(photos[i].Alt), "](", photos[i].Src, ")\n")
	}
}
