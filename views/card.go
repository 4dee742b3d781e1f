package views

import (
	"cmp"
	"context"
	"math"
	"strconv"
	"strings"
	"time"

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
	Delivery     *Delivery     `json:"delivery,omitempty" jsonschema:"what it costs delivered to ship_to; only in searches with it"`
}

// Deal compares an asking price with what the gear sells for: the estimate, or without one
// the sold median.
type Deal struct {
	Percent int           `json:"percent" jsonschema:"difference from the typical price in whole percent: -12 is 12 % below"`
	Typical models.Money  `json:"typical" jsonschema:"what it sells for in its condition and function: the estimate, or else the sold median of 12 months"`
	Low     *models.Money `json:"low,omitempty" jsonschema:"8 of 10: low to high; absent without estimate"`
	High    *models.Money `json:"high,omitempty" jsonschema:"8 of 10: low to high; absent without estimate"`
	Sales   int           `json:"sample_size" jsonschema:"number of sales of this gear that typical is based on"`
	Text    string        `json:"text" jsonschema:"description, such as: 12 % under typical (34 sales)"`
}

// NewCard returns the card of a listing. gear is nil when the listing is not in the
// catalogue, deal is nil when too little is known.
func NewCard(site *Site, l *models.Listing, gear *catalog.Gear, seller string, deal *prices.Deal) Card {
	own := site.in(l.Currency)
	c := Card{
		ID: l.ID, Ref: listingRef(l.ID), Title: cmp.Or(l.Title, untitled), Category: l.Category, Condition: l.Condition, Functional: cmp.Or(l.Functional, models.Untested),
		Price: own.Money(l.Price), Approx: site.approx(l.Price, l.Currency), Deal: newDeal(site, deal), Region: l.Region, Seller: seller,
		Status: l.Status, PublishedAt: l.PublishedAt.RFC3339(), VerifiedAt: l.VerifiedAt.RFC3339(), Demo: l.Demo,
	}
	if l.EarlierPrice > l.Price {
		c.EarlierPrice = moneyOf(own, l.EarlierPrice)
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

// NewSoldCard returns the card of a listing whose sale is confirmed.
func NewSoldCard(site *Site, l *models.Listing, gear *catalog.Gear, seller string) Card {
	c := NewCard(site, l, gear, seller, nil)
	c.SoldPrice, c.Approx = moneyOf(site.in(l.Currency), l.SoldPrice), nil
	return c
}

func newDeal(site *Site, d *prices.Deal) *Deal {
	if d == nil {
		return nil
	}
	deal := &Deal{Percent: d.Percent, Typical: site.Currency().Money(d.Price), Sales: d.Sales}
	if d.Estimated() {
		deal.Low, deal.High = site.money(d.Low), site.money(d.High)
	}
	deal.Text = deal.text(context.Background())
	return deal
}

// text describes a deal: "12 % under typical (34 sales)".
func (d *Deal) text(ctx context.Context) string {
	return d.short(ctx) + d.count(ctx)
}

// long describes a deal with the number of sales and the typical price:
// "12 % under typical (34 sales); typical €1,035 (8 of 10 for €920 to €1,165)".
func (d *Deal) long(ctx context.Context) string {
	return d.text(ctx) + "; " + t(ctx, "typical %s", d.typicalText(ctx))
}

// typicalText returns the typical price with its range, if it is estimated.
func (d *Deal) typicalText(ctx context.Context) string {
	if d.Low == nil || d.High == nil {
		return moneyIn(ctx, d.Typical)
	}
	return t(ctx, "%s (8 of 10 for %s to %s)", moneyIn(ctx, d.Typical), moneyIn(ctx, *d.Low), moneyIn(ctx, *d.High))
}

// price returns the typical price with its range, shorter than typicalText because a page
// shows many deals: "typical €1,035 (€920–€1,165)".
func (d *Deal) price(ctx context.Context) string {
	typical := moneyIn(ctx, d.Typical)
	if d.Low != nil && d.High != nil {
		typical += " (" + moneyIn(ctx, *d.Low) + "–" + moneyIn(ctx, *d.High) + ")"
	}
	return t(ctx, "typical %s", typical)
}

// count returns the number of sales that a deal is based on: " (34 sales)".
func (d *Deal) count(ctx context.Context) string {
	return " (" + tn(ctx, d.Sales, "%s sale", "%s sales") + ")"
}

// short describes a deal without its number of sales: "12 % under typical".
func (d *Deal) short(ctx context.Context) string {
	switch {
	case d.Percent < 0:
		return t(ctx, "%d %% under typical", -d.Percent)
	case d.Percent > 0:
		return t(ctx, "%d %% over typical", d.Percent)
	}
	return t(ctx, "at the typical price")
}

// path returns the path of the listing's page.
func (c *Card) path() string { return listingPath(c.ID) }

// askingIn returns the asking price in a language, which a draft may not have yet.
func (c *Card) askingIn(l *languages.Language) string {
	if units(&c.Price) == 0 {
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

// priceText returns priceIn in English.
func (c *Card) priceText() string { return c.priceIn(languages.English) }

// priceIn returns the asking price in a language, followed by the status unless the
// listing is for sale: "€1,249", "€1,249, reserved", "€1,180, sold (asked €1,249)".
func (c *Card) priceIn(l *languages.Language) string {
	price := c.askingIn(l)
	switch {
	case c.SoldPrice != nil && *c.SoldPrice != c.Price:
		return l.Text("%s, sold (asked %s)", l.Money(c.SoldPrice.Amount, c.SoldPrice.Currency), price)
	case c.forSale():
		return price + c.approxIn(l)
	}
	return price + ", " + l.TextIn("status", statusWord(c.Status))
}

// approxIn returns what the asking price is in the reader's currency, as an addition to it:
// " (about €1,000, rate of 20 Nov 2026)", or "" if it is in that currency or not for sale.
func (c *Card) approxIn(l *languages.Language) string {
	if c.Approx == nil || !c.forSale() {
		return ""
	}
	return " (" + c.Approx.text(l) + ")"
}

// dropText returns by how much the asking price was reduced, such as "−12 %", or "" if
// it was not, or by less than half a percent.
func (c *Card) dropText() string {
	if c.EarlierPrice == nil || !c.forSale() {
		return ""
	}
	was, err1 := strconv.ParseFloat(c.EarlierPrice.Amount, 64)
	is, err2 := strconv.ParseFloat(c.Price.Amount, 64)
	percent := int(math.Round((was - is) * 100 / was))
	if err1 != nil || err2 != nil || percent <= 0 {
		return ""
	}
	return "−" + strconv.Itoa(percent) + " %"
}

// forSale reports whether the listing is for sale.
func (c *Card) forSale() bool { return c.Status == models.StatusActive || c.Status == "" }

// published returns when the listing was first published, or the zero time.
func (c *Card) published() time.Time {
	t, err := time.Parse(time.RFC3339, c.PublishedAt)
	if err != nil {
		return time.Time{}
	}
	return t
}

// untitled stands for the title of a draft that has none yet.
var untitled = languages.Mark("Untitled draft")

// title returns the title, or untitled in the reader's language.
func (c *Card) title(ctx context.Context) string {
	if c.Title == untitled {
		return t(ctx, untitled)
	}
	return c.Title
}

// notGraded stands for the grade of a draft that has none yet.
var notGraded = languages.Mark("Not graded yet")

// conditionText returns conditionIn in English.
func (c *Card) conditionText() string { return c.conditionIn(languages.English) }

// conditionIn returns the grade in a language, followed by the functional state unless
// everything works.
func (c *Card) conditionIn(l *languages.Language) string {
	grade := l.Text(cmp.Or(c.Condition.Label(), notGraded))
	if c.Functional == models.FullyWorking || c.Functional == "" {
		return grade
	}
	return grade + ", " + l.TextIn("after the grade", strings.ToLower(c.Functional.Label()))
}

// kindText returns the category and the mount in the reader's language: "Prime lens ·
// Canon RF".
func (c *Card) kindText(ctx context.Context) string {
	kind := t(ctx, c.Category.Label())
	if c.Mount == "" {
		return kind
	}
	return kind + " · " + c.Mount
}

// statusWord returns a status for the middle of a sentence.
func statusWord(s models.Status) string {
	if s == models.StatusActive {
		return "for sale"
	}
	return string(s)
}

// statusIn returns a status for the middle of a sentence, in the reader's language.
func statusIn(ctx context.Context, s models.Status) string {
	return languages.Of(ctx).TextIn("status", statusWord(s))
}

// cardSizes is the sizes attribute of a card's photo.
const cardSizes = "(min-width: 64rem) 15rem, (min-width: 40rem) 30vw, 46vw"

// chip describes the deal without its number of sales: "12 % under the typical price".
func (d *Deal) chip(ctx context.Context) string {
	switch {
	case d.Percent < 0:
		return t(ctx, "%d %% under the typical price", -d.Percent)
	case d.Percent > 0:
		return t(ctx, "%d %% over the typical price", d.Percent)
	}
	return t(ctx, "At the typical price")
}

// class returns the CSS classes of a deal's badge.
func (d *Deal) class() string {
	switch {
	case d.Percent < 0:
		return "deal under"
	case d.Percent > 0:
		return "deal over"
	}
	return "deal"
}

// verifiedText is the badge of a listing whose seller has shown that they have the item.
var verifiedText = languages.Mark("Photo-verified")

// verifiedTitle explains the badge.
func (c *Card) verifiedTitle(ctx context.Context) string {
	return t(ctx, "On %s an operator confirmed a photo of the item beside a code from us.", dayIn(ctx, c.VerifiedAt))
}
