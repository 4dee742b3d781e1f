package portfolio

import (
	"cmp"
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Kit is the page of the photographer's gear and its current value.
type Kit struct {
	Title       string        `json:"title"`
	Description string        `json:"description,omitempty"`
	Body        string        `json:"body,omitempty" jsonschema:"text as Markdown"`
	Worth       *models.Money `json:"worth,omitempty" jsonschema:"sum of the known values"`
	Items       []KitItem     `json:"items"`
	Unknown     int           `json:"unknown" jsonschema:"number of items with too few sales to value"`
	Method      string        `json:"method" jsonschema:"how the values are calculated"`
	Links       []ui.Link     `json:"links"`
	Notice      string        `json:"notice,omitempty"`
	html        string
	site        *ui.Site
}

// KitItem is one item of a kit.
type KitItem struct {
	ui.GearCard
	Condition models.Condition `json:"condition,omitempty"`
	Value     *models.Money    `json:"value,omitempty" jsonschema:"the estimate for the item's condition, or else the sold median: in the condition if it has enough sales; absent with too few"`
	Basis     string           `json:"value_of" jsonschema:"what the value is based on"`
	Photos    int              `json:"photos" jsonschema:"number of portfolio photos taken with it" min:"0"`
	Note      string           `json:"note,omitempty"`
	sales     int              // that the value is the median of, 0 for too few
	graded    bool             // they are of the item's condition
	estimated bool             // the value is an estimate
}

// KitMethod explains how the values of a kit are calculated.
var KitMethod = languages.Mark("We use our price estimate for the item's condition. Where there's none, we use the median of sales in the 12 months up to the last one: in that condition, or in any condition if fewer than 5 sold. " +
	"Items with no estimate and fewer than 5 sales aren't in the total.")

// KitLine holds an item of a kit with what is known about its gear.
type KitLine struct {
	Item  portfolio.KitItem
	Card  ui.GearCard
	Trend *prices.Trend // nil without sales
	// Estimate is in the item's condition, nil if too little is known.
	Estimate *prices.Estimate
	Photos   int
}

// NewKit returns the page of a kit.
func NewKit(site *ui.Site, kit *portfolio.Kit, lines []KitLine) *Kit {
	p := &Kit{Title: kit.Title, Description: kit.Description, Body: kit.Markdown, Items: []KitItem{}, Method: KitMethod, Notice: kit.Notice, html: content.HTML(kit.Markdown), site: site,
		Links: []ui.Link{{Href: "/portfolio", Label: "The photographs"}, {Href: "/guides/reading-a-price-trend", Label: "How to read price history"}, {Href: ui.SearchPath, Label: "Shop all"}}}
	var worth models.Cents
	for _, line := range lines {
		sold, graded := kitSales(line)
		value := sold.Median
		if line.Estimate != nil {
			value = line.Estimate.Stated(site.Currency()).Median
		}
		item := KitItem{GearCard: line.Card, Condition: line.Item.Condition, Value: site.Money(value), Photos: line.Photos, Note: line.Item.Note, sales: sold.Count, graded: graded, estimated: line.Estimate != nil}
		item.Basis = item.basis(context.Background())
		worth += value
		if value == 0 {
			p.Unknown++
		}
		p.Items = append(p.Items, item)
	}
	p.Worth = site.Money(worth)
	return p
}

// kitSales returns the sales that the value of an item is based on: those in its
// condition, or in all conditions when there are too few. It returns none when there are
// too few in all.
func kitSales(line KitLine) (sold prices.Stats, graded bool) {
	if line.Trend == nil {
		return prices.Stats{}, false
	}
	if s := line.Trend.ByCondition[line.Item.Condition]; s.Enough() {
		return s, true
	}
	if s := line.Trend.Summary; s.Enough() {
		return s, false
	}
	return prices.Stats{}, false
}

// basis describes the sales that the value is based on.
func (i *KitItem) basis(ctx context.Context) string {
	switch {
	case i.estimated:
		return ui.T(ctx, "our estimate")
	case i.sales == 0:
		return ui.T(ctx, "not enough sales")
	case i.graded:
		return ui.TN(ctx, i.sales, "%s sale in this condition", "%s sales in this condition")
	}
	return ui.TN(ctx, i.sales, "%s sale in every condition", "%s sales in every condition")
}

// body returns the text, which package content has sanitised.
func (p *Kit) body() templ.Component { return templ.Raw(p.html) }

// lead summarises the kit in one sentence.
func (p *Kit) lead(ctx context.Context) string {
	items := ui.TN(ctx, len(p.Items), "%s item", "%s items")
	switch {
	case len(p.Items) == 0:
		return ui.T(ctx, "Nothing in the kit yet.")
	case p.Worth == nil:
		return ui.T(ctx, "%s; not enough sales to value the kit.", items)
	case p.Unknown > 0:
		return ui.T(ctx, "%s, worth %s; %s left out (not enough sales).", items, ui.MoneyIn(ctx, *p.Worth), ui.NumberIn(ctx, p.Unknown))
	}
	return ui.T(ctx, "%s, worth %s by our price estimates.", items, ui.MoneyIn(ctx, *p.Worth))
}

// Head implements Page.
func (p *Kit) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, p.Title), Description: p.lead(ctx), Path: "/kit", Crumbs: []ui.Link{{Href: "/portfolio", Label: ui.T(ctx, "Portfolio")}}}
}

func (i *KitItem) conditionText(ctx context.Context) string {
	return cmp.Or(ui.T(ctx, i.Condition.Label()), "–")
}

// Markdown implements Page.
func (p *Kit) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, p.Title), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.lead(ctx))
	m.Paragraph(p.Description)
	if p.Body != "" {
		m.Body(p.Body)
	}
	if len(p.Items) > 0 {
		m.Section("Kit")
		m.Head("Model", "Category", "Year", "Price", "Sales", "For sale", "Lowest asking price", "Condition", "Value", "Basis", "Photographs", "Note")
		for i := range p.Items {
			item := &p.Items[i]
			m.Row(append(m.GearCells(&item.GearCard), item.conditionText(ctx), ui.MoneyOrIn(ctx, item.Value, "–"), item.basis(ctx), ui.NumberIn(ctx, item.Photos), ui.OrDash(item.Note))...)
		}
		m.Paragraph(ui.T(ctx, "Not valued: %s.", ui.NumberIn(ctx, p.Unknown)))
	}
	m.Section("Method")
	m.Raw(ui.MarkdownText(ui.T(ctx, p.Method)), "\n")
	m.Links(p.Links)
	return m.Done(w)
}
