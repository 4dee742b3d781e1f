package ui

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// The tools of the MCP server return results instead of pages: the facts that a
// decision needs, as JSON and as a short text, and the names of the tools to call next.
// The text is for clients that show a model nothing else, and has what the person is
// told; what only a program needs is in the JSON alone. Amounts are strings such as
// "1249.00 EUR", which parameters accept as well.

// NoOptions are the options of results without options.
type NoOptions struct{}

// MaxResultText is the maximum number of characters of a text by a member, such as a
// description, in a result.
const MaxResultText = 400

// AmountText is an amount as results contain it: "1249.00 EUR".
type AmountText string

func NewAmountText(m models.Money) AmountText { return AmountText(m.Amount + " " + m.Currency) }

// AmountTextOr returns "" for nil.
func AmountTextOr(m *models.Money) AmountText {
	if m == nil {
		return ""
	}
	return NewAmountText(*m)
}

// codes returns the codes of named values.
func codes(named []Named) []string {
	return Each(named, func(n *Named) string { return n.Code })
}

// Commas joins the parts that are not empty with commas.
func Commas(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// ToolNames writes the tools to call next.
func (m *Markdown) ToolNames(next []string) {
	if len(next) > 0 {
		m.Raw("\nNext: ", strings.Join(next, ", "), ".\n")
	}
}

// MoreWith writes the cursor of the next page, nothing for "".
func (m *Markdown) MoreWith(cursor string) {
	if cursor != "" {
		m.Raw("\nMore with cursor=", cursor, "\n")
	}
}

// Demo writes the notice of demonstration data.
func (m *Markdown) Demo(demo bool) {
	if demo {
		m.Raw("\nDemo data: made up.\n")
	}
}

// ListingBrief is a listing in a list.
type ListingBrief struct {
	ID         string            `json:"id" jsonschema:"argument of get_listing"`
	Title      string            `json:"title" untrusted:"true"`
	Gear       string            `json:"gear,omitempty" jsonschema:"catalogue slug"`
	Price      AmountText        `json:"price" jsonschema:"asking price"`
	Approx     string            `json:"approx,omitempty" jsonschema:"asking price in the reader's currency, with the day of the exchange rate; absent if it is the same currency"`
	Deal       *int              `json:"deal,omitempty" jsonschema:"percent from what it sells for in this condition: -12 is 12 % below; absent with fewer than 5 sales"`
	DealSales  int               `json:"deal_sample_size,omitempty" jsonschema:"sales of this gear behind it"`
	Total      AmountText        `json:"total_price,omitempty" jsonschema:"with postage to ship_to, if it ships there"`
	Shipping   string            `json:"shipping,omitempty" jsonschema:"absent if it ships to ship_to"`
	Mount      string            `json:"mount,omitempty"`
	Fit        string            `json:"fit,omitempty" jsonschema:"native, or the adapter that it needs; only with fits"`
	Shutter    int               `json:"shutter_count,omitempty"`
	Condition  models.Condition  `json:"condition"`
	Functional models.Functional `json:"functional,omitempty" jsonschema:"absent if fully working"`
	Region     models.Region     `json:"region"`
	Seller     string            `json:"seller"`
	Status     models.Status     `json:"status,omitempty" jsonschema:"absent if for sale"`
	Photo      string            `json:"photo,omitempty" jsonschema:"URL of the first photo; with include=photos"`
}

// Brief returns the listing of a card.
func (c *Card) Brief() ListingBrief {
	b := ListingBrief{ID: c.ID, Title: Excerpt(c.Title, 80), Gear: c.Gear, Price: NewAmountText(c.Price), Approx: c.Approx.Text(languages.English), Mount: c.Mount, Fit: c.Fit.text(), Shutter: c.Shutter, Condition: c.Condition, Region: c.Region, Seller: c.Seller}
	if c.Deal != nil {
		b.Deal, b.DealSales = &c.Deal.Percent, c.Deal.Sales
	}
	if c.Functional != models.FullyWorking {
		b.Functional = c.Functional
	}
	if c.Delivery != nil && c.Delivery.Total != nil {
		b.Total = NewAmountText(*c.Delivery.Total)
	} else if c.Delivery != nil {
		b.Shipping = c.Delivery.TextIn(context.Background())
	}
	if c.Status != models.StatusActive {
		b.Status = c.Status
	}
	return b
}

func Briefs(cards []Card) []ListingBrief { return Each(cards, (*Card).Brief) }

// line returns the listing on one line of text.
func (c *Card) line() string {
	deal := ""
	if c.Deal != nil {
		deal = c.Deal.Text
	}
	return "- " + Commas(MarkdownText(Untrusted(Excerpt(c.Title, 60))), c.PriceText(), c.Delivery.TextIn(context.Background()), deal, c.ConditionText(), c.Fit.text(), string(c.Region)) + ": " + c.ID + "\n"
}

func (m *Markdown) Lines(cards []Card) {
	for i := range cards {
		m.Raw(cards[i].line())
	}
}
