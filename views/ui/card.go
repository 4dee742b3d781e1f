package ui

import (
	"cmp"
	"context"
	"html"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// Card is a listing as lists show it. It holds every string that a format needs.
type Card struct {
	ID string `json:"id" jsonschema:"UUID of the listing"`
	Ref
	Title      string            `json:"title" untrusted:"true"`
	Gear       string            `json:"gear,omitempty" jsonschema:"catalogue slug such as canon/eos-r6; absent when the item is not in the catalogue"`
	GearName   string            `json:"gear_name,omitempty"`
	Category   models.Category   `json:"category"`
	Mount      string            `json:"mount,omitempty"`
	Condition  models.Condition  `json:"condition"`
	Functional models.Functional `json:"functional"`
	Price      models.Money      `json:"price" jsonschema:"asking price, in the currency of the listing"`
	Approx     *Approx           `json:"approx,omitempty" jsonschema:"asking price in the reader's currency, if that is another"`
	// EarlierPrice and SoldPrice are nil where they don't apply.
	EarlierPrice *models.Money `json:"earlier_price,omitempty" jsonschema:"lowest earlier asking price, if the asking price is now below it"`
	SoldPrice    *models.Money `json:"sold_price,omitempty" jsonschema:"price of the confirmed sale"`
	Deal         *Deal         `json:"deal,omitempty" jsonschema:"asking price compared with what this gear sells for in its condition and function; absent if unknown"`
	Region       models.Region `json:"region"`
	Seller       string        `json:"seller" jsonschema:"handle of the seller"`
	Status       models.Status `json:"status"`
	PublishedAt  string        `json:"published_at,omitempty" jsonschema:"when it was first published; absent for drafts"`
	VerifiedAt   string        `json:"verified_at,omitempty" jsonschema:"when an operator confirmed a photo of the item beside a code from the site"`
	Photo        *Photo        `json:"photo,omitempty"`
	Demo         bool          `json:"demo,omitempty" jsonschema:"true for demonstration data"`
	Shutter      int           `json:"shutter_count,omitempty" jsonschema:"shutter actuations; absent if unknown"`
	Fit          *Fit          `json:"fit,omitempty" jsonschema:"how it goes on the gear of fits; only in searches with it"`
	Delivery     *Delivery     `json:"delivery,omitempty" jsonschema:"what it costs delivered to ship_to; only in searches with it"`
}

// Fit says how gear goes on other gear.
type Fit struct {
	Kind    string `json:"kind" enum:"native,adapter" jsonschema:"whether it needs an adapter"`
	Adapter string `json:"adapter,omitempty" jsonschema:"name of the adapter that it needs"`
	Note    string `json:"note,omitempty" jsonschema:"what works differently"`
}

// NewFit returns how gear goes on other gear, nil if it doesn't.
func NewFit(f catalog.Fit, fits bool) *Fit {
	switch {
	case !fits:
		return nil
	case f.Adapter == "":
		return &Fit{Kind: "native", Note: f.Note}
	}
	return &Fit{Kind: "adapter", Adapter: f.Adapter, Note: f.Note}
}

// text says what is needed: "native", "adapter: Metabones EF-E", "" for nil.
func (f *Fit) text() string {
	switch {
	case f == nil:
		return ""
	case f.Adapter == "":
		return f.Kind
	}
	return "adapter: " + f.Adapter
}

// Deal compares an asking price with what the gear sells for: the estimate, or without one
// the sold median.
type Deal struct {
	Percent int           `json:"percent" jsonschema:"difference from the typical price in whole percent: -12 is 12% below"`
	Typical models.Money  `json:"typical" jsonschema:"what it sells for in its condition and function: the estimate, or without low and high the median of its sales"`
	Low     *models.Money `json:"low,omitempty" jsonschema:"8 of 10: low to high; absent without estimate"`
	High    *models.Money `json:"high,omitempty" jsonschema:"8 of 10: low to high; absent without estimate"`
	Sales   int           `json:"sample_size" jsonschema:"number of sales of this gear that typical is based on, at least 5"`
	Text    string        `json:"text" jsonschema:"description, such as: 12% below market (34 sales)"`
}

// NewCard returns the card of a listing. gear is nil when the listing is not in the
// catalogue, deal is nil when too little is known.
func NewCard(site *Site, l *models.Listing, gear *catalog.Gear, seller string, deal *prices.Deal) Card {
	own := site.In(l.Currency)
	c := Card{
		ID: l.ID, Ref: ListingRef(l.ID), Title: cmp.Or(l.Title, untitled), Category: l.Category, Condition: l.Condition, Functional: cmp.Or(l.Functional, models.Untested),
		Price: own.Money(l.Price), Approx: site.approx(l.Price, l.Currency), Deal: newDeal(site, deal), Region: l.Region, Seller: seller,
		Status: l.Status, Shutter: l.Shutter, PublishedAt: l.PublishedAt.RFC3339(), VerifiedAt: l.VerifiedAt.RFC3339(), Demo: l.Demo,
	}
	if l.EarlierPrice > l.Price {
		c.EarlierPrice = MoneyOf(own, l.EarlierPrice)
	}
	if gear != nil {
		c.Gear, c.GearName, c.Mount = gear.Slug(), gear.Name(), gear.Mount
	}
	if len(l.Photos) > 0 {
		p := NewPhoto(site, l, 0)
		c.Photo = &p
	}
	return c
}

// NewSoldCard returns the card of a listing whose sale is confirmed.
func NewSoldCard(site *Site, l *models.Listing, gear *catalog.Gear, seller string) Card {
	c := NewCard(site, l, gear, seller, nil)
	c.SoldPrice, c.Approx = MoneyOf(site.In(l.Currency), l.SoldPrice), nil
	return c
}

func newDeal(site *Site, d *prices.Deal) *Deal {
	if d == nil {
		return nil
	}
	deal := &Deal{Percent: d.Percent, Typical: site.Currency().Money(d.Price), Sales: d.Sales}
	if d.Estimated() {
		deal.Low, deal.High = site.Money(d.Low), site.Money(d.High)
	}
	deal.Text = deal.TextIn(context.Background())
	return deal
}

// TextIn describes a deal: "12% below market (34 sales)".
func (d *Deal) TextIn(ctx context.Context) string {
	return d.short(ctx) + d.count(ctx)
}

// Long describes a deal with the number of sales and the typical price:
// "12% below market (34 sales); estimate €1,035 (80% sell for €920 to €1,165)".
func (d *Deal) Long(ctx context.Context) string {
	if d.Low == nil {
		return d.TextIn(ctx) + "; " + T(ctx, "median %s", d.TypicalText(ctx))
	}
	return d.TextIn(ctx) + "; " + T(ctx, "estimate %s", d.TypicalText(ctx))
}

// TypicalText returns the typical price with its range, if it is estimated.
func (d *Deal) TypicalText(ctx context.Context) string {
	if d.Low == nil || d.High == nil {
		return MoneyIn(ctx, d.Typical)
	}
	return T(ctx, "%s (80%% sell for %s to %s)", MoneyIn(ctx, d.Typical), MoneyIn(ctx, *d.Low), MoneyIn(ctx, *d.High))
}

// price returns the typical price with its range, shorter than TypicalText because a page
// shows many deals: "estimate €1,035 (€920–€1,165)".
func (d *Deal) price(ctx context.Context) string {
	if d.Low == nil || d.High == nil {
		return T(ctx, "median %s", MoneyIn(ctx, d.Typical))
	}
	return T(ctx, "estimate %s", MoneyIn(ctx, d.Typical)+" ("+MoneyIn(ctx, *d.Low)+"–"+MoneyIn(ctx, *d.High)+")")
}

// count returns the number of sales that a deal is based on: " (34 sales)".
func (d *Deal) count(ctx context.Context) string {
	return " (" + TN(ctx, d.Sales, "%s sale", "%s sales") + ")"
}

// short describes a deal without its number of sales: "12% below market".
func (d *Deal) short(ctx context.Context) string {
	switch {
	case d.Percent < 0:
		return T(ctx, "%d%% below market", -d.Percent)
	case d.Percent > 0:
		return T(ctx, "%d%% above market", d.Percent)
	}
	return T(ctx, "at the market price")
}

// Path returns the path of the listing's page.
func (c *Card) Path() string { return ListingPath(c.ID) }

// AskingIn returns the asking price in a language, which a draft may not have yet.
func (c *Card) AskingIn(l *languages.Language) string {
	if Units(&c.Price) == 0 {
		return l.Text("No price yet")
	}
	return l.Money(c.Price.Amount, c.Price.Currency)
}

// Comparable returns the asking price in the currency of the site, in which other prices are.
func (c *Card) Comparable() *models.Money {
	if c.Approx != nil {
		return &models.Money{Amount: c.Approx.Amount, Currency: c.Approx.Currency}
	}
	return &c.Price
}

// PriceText returns PriceIn in English.
func (c *Card) PriceText() string { return c.PriceIn(languages.English) }

// PriceIn returns the asking price in a language, followed by the status unless the
// listing is for sale: "€1,249", "€1,249, reserved", "€1,180, Sold for €1,180 (asking price €1,249)".
func (c *Card) PriceIn(l *languages.Language) string {
	price := c.AskingIn(l)
	switch {
	case c.SoldPrice != nil && *c.SoldPrice != c.Price:
		return l.Text("Sold for %s (asking price %s)", l.Money(c.SoldPrice.Amount, c.SoldPrice.Currency), price)
	case c.ForSale():
		return price + c.ApproxIn(l)
	}
	return price + ", " + l.TextIn("status", StatusWord(c.Status))
}

// ApproxIn returns what the asking price is in the reader's currency, as an addition to it:
// " (about €1,000, rate of 20 Nov 2026)", or "" if it is in that currency or not for sale.
func (c *Card) ApproxIn(l *languages.Language) string {
	if c.Approx == nil || !c.ForSale() {
		return ""
	}
	return " (" + c.Approx.Text(l) + ")"
}

// dropText returns by how much the asking price was reduced, such as "−12%", or "" if
// it was not, or by less than half a percent.
func (c *Card) dropText(l *languages.Language) string {
	if c.EarlierPrice == nil || !c.ForSale() {
		return ""
	}
	was, err1 := strconv.ParseFloat(c.EarlierPrice.Amount, 64)
	is, err2 := strconv.ParseFloat(c.Price.Amount, 64)
	percent := int(math.Round((was - is) * 100 / was))
	if err1 != nil || err2 != nil || percent <= 0 {
		return ""
	}
	return l.Percent("−" + strconv.Itoa(percent))
}

// ForSale reports whether the listing is for sale.
func (c *Card) ForSale() bool { return c.Status == models.StatusActive || c.Status == "" }

// published returns when the listing was first published, or the zero time.
func (c *Card) published() time.Time {
	t, err := time.Parse(time.RFC3339, c.PublishedAt)
	if err != nil {
		return time.Time{}
	}
	return t
}

// since renders how long a listing has been published, with a badge for new ones that
// are for sale.
func since(published, now time.Time, forSale bool) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		text := html.EscapeString(agoIn(ctx, published, now))
		if forSale && isNew(published, now) {
			text += ` <b class="new">` + html.EscapeString(languages.Of(ctx).TextIn("listing", "New")) + `</b>`
		}
		_, err := io.WriteString(w, text)
		return err
	})
}

// untitled stands for the title of a draft that has none yet.
var untitled = languages.Mark("Untitled draft")

// TitleIn returns the title, or untitled in the reader's language.
func (c *Card) TitleIn(ctx context.Context) string {
	if c.Title == untitled {
		return T(ctx, untitled)
	}
	return c.Title
}

// NotGraded stands for the grade of a draft that has none yet.
var NotGraded = languages.Mark("No condition yet")

// ConditionText returns ConditionIn in English.
func (c *Card) ConditionText() string { return c.ConditionIn(languages.English) }

// ConditionIn returns the grade in a language, followed by the functional state unless
// everything works.
func (c *Card) ConditionIn(l *languages.Language) string {
	grade := l.Text(cmp.Or(c.Condition.Label(), NotGraded))
	if c.Functional == models.FullyWorking || c.Functional == "" {
		return grade
	}
	return grade + ", " + l.TextIn("after the grade", strings.ToLower(c.Functional.Label()))
}

// StateText returns the grade, and the shutter count if it is known: "Excellent, 18,204
// actuations".
func (c *Card) StateText(ctx context.Context) string {
	state := c.ConditionIn(languages.Of(ctx))
	if c.Shutter == 0 {
		return state
	}
	return state + ", " + TN(ctx, c.Shutter, "%s actuation", "%s actuations")
}

// KindText returns the category and the mount in the reader's language: "Prime lens ·
// Canon RF".
func (c *Card) KindText(ctx context.Context) string {
	kind := T(ctx, c.Category.Label())
	if c.Mount == "" {
		return kind
	}
	return kind + " · " + c.Mount
}

// StatusWord returns a status for the middle of a sentence.
func StatusWord(s models.Status) string {
	if s == models.StatusActive {
		return "for sale"
	}
	return string(s)
}

// StatusIn returns a status for the middle of a sentence, in the reader's language.
func StatusIn(ctx context.Context, s models.Status) string {
	return languages.Of(ctx).TextIn("status", StatusWord(s))
}

// cardSizes is the sizes attribute of a card's photo, short because a page has many. On a phone it says half
// of the width, so that screens with 2 and 3 pixels a point load 320 pixels: a page of cards then has 200 kB
// of photos instead of 450, and they have 1.8 pixels a point.
const cardSizes = "(min-width:40rem) 15rem,24vw"

// Chip describes the deal without its number of sales: "12% below market".
func (d *Deal) Chip(ctx context.Context) string {
	if d.Percent == 0 {
		return T(ctx, "At the market price")
	}
	return d.short(ctx)
}

// Class returns the CSS classes of a deal's badge.
func (d *Deal) Class() string {
	switch {
	case d.Percent < 0:
		return "deal under"
	case d.Percent > 0:
		return "deal over"
	}
	return "deal"
}

// VerifiedText is the badge of a listing whose seller has shown that they have the item.
var VerifiedText = languages.Mark("Photo-verified")

// VerifiedTitle explains the badge.
func (c *Card) VerifiedTitle(ctx context.Context) string {
	return T(ctx, "On %s we confirmed a photo of the item next to a code from us.", DayIn(ctx, c.VerifiedAt))
}
