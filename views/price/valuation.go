package price

import (
	"context"
	"io"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Valuation is the page that values a list of items.
type Valuation struct {
	Items    []ValuedItem  `json:"items" jsonschema:"the items, in the order of the request"`
	Sum      *ValuationSum `json:"sum,omitempty" jsonschema:"sum of the valued items; absent if there are none"`
	Estimate *EstimateSum  `json:"estimate,omitempty" jsonschema:"sum of the estimates, also of items with too few sales; absent if there are none"`
	Text     string        `json:"text" jsonschema:"the sum in words, and the items left out of it"`
	Method   string        `json:"method"`
	Links    []ui.Link     `json:"links"`
	Notice   string        `json:"notice,omitempty"`
	given    []prices.ValuationItem
	site     *ui.Site
}

// ValuedItem is an item of a valuation with its price range, or the reason why it has
// none.
type ValuedItem struct {
	Name       string           `json:"name" jsonschema:"the name as given"`
	Status     string           `json:"status" jsonschema:"ok: valued; ambiguous: ask which of candidates is meant; not_found; insufficient_data: no estimate and fewer than 5 sales; invalid: text says why" enum:"ok,ambiguous,not_found,insufficient_data,invalid"`
	Gear       string           `json:"gear,omitempty"`
	GearName   string           `json:"gear_name,omitempty"`
	Condition  models.Condition `json:"condition,omitempty"`
	Count      int              `json:"count" jsonschema:"number of such items"`
	Low        *models.Money    `json:"low,omitempty" jsonschema:"for one, in a quick sale: a quarter sells for less"`
	Median     *models.Money    `json:"median,omitempty" jsonschema:"for one: half sells for more"`
	High       *models.Money    `json:"high,omitempty" jsonschema:"for one, with patience: a quarter sells for more"`
	Estimate   *Estimate        `json:"estimate,omitempty" jsonschema:"what one is likely to sell for now; absent if too little is known"`
	Text       string           `json:"text" jsonschema:"the sales the range is based on, or why there is none"`
	Candidates []GearCandidate  `json:"candidates,omitempty" jsonschema:"what the name may mean, most sold first"`
	text       func(context.Context) string
}

// ValuationSum is the sum of the valued items, each times its count.
type ValuationSum struct {
	Low    models.Money `json:"low" jsonschema:"if all sell quickly"`
	Median models.Money `json:"median" jsonschema:"likely"`
	High   models.Money `json:"high" jsonschema:"with patience"`
	Items  int          `json:"items" jsonschema:"number of items in the sum" min:"0"`
}

// ValuationMethod explains how the ranges are calculated.
var ValuationMethod = languages.Mark("Low, median and high come from our estimate: half of sales fall between low and high. Where there's no " +
	"estimate, they're the quartiles of sales in the 12 months up to the last one: in that condition, or in " +
	"any condition if there were fewer than 5. Items with no estimate and fewer than 5 sales are left out. " +
	"Fees and postage aren't included.")

// ValuationParts holds what an item of a valuation is made of.
type ValuationParts struct {
	Item       prices.ValuationItem
	Gear       *catalog.Gear    // nil if the name does not say which
	Candidates []*catalog.Gear  // what the name may mean, without Gear
	Trend      *prices.Trend    // nil without sales
	Estimate   *prices.Estimate // nil if nothing can be said
}

// NewValuation returns a valuation. Without items it is the page of the form.
func NewValuation(site *ui.Site, items []ValuationParts) *Valuation {
	p := &Valuation{Items: []ValuedItem{}, Method: ValuationMethod, Notice: site.Notice(), site: site,
		Links: []ui.Link{{Href: "/prices", Label: "Check one price"}, {Href: ui.AccuracyPath, Label: "Accuracy of the estimates"}, {Href: "/sell", Label: "Sell a camera or lens"}, {Href: "/guides/selling-well", Label: "Selling well"}, {Href: "/guides/condition-grades", Label: "Condition grades"}}}
	var low, median, high models.Cents
	counted := 0
	for _, parts := range items {
		item, r := newValuedItem(site, &parts)
		p.Items, p.given = append(p.Items, item), append(p.given, parts.Item)
		if item.Status == "ok" {
			n := models.Cents(item.Count)
			low, median, high, counted = low+n*r.Low, median+n*r.Median, high+n*r.High, counted+item.Count
		}
	}
	if counted > 0 {
		p.Sum = &ValuationSum{site.Currency().Money(low), site.Currency().Money(median), site.Currency().Money(high), counted}
	}
	p.Estimate = sumEstimates(site, items)
	p.Text = p.lead(context.Background())
	return p
}

// valid reports whether the item can be valued.
func (p *ValuationParts) valid() bool {
	_, known := p.Item.Grade()
	return known && p.Item.Name != "" && p.Item.Count >= 0 && p.Item.Count <= prices.MaxItemCount
}

// newValuedItem returns an item and its price range.
func newValuedItem(s *ui.Site, parts *ValuationParts) (ValuedItem, prices.PriceRange) {
	condition, known := parts.Item.Grade()
	item := ValuedItem{Name: parts.Item.Name, Count: max(parts.Item.Count, 1), Condition: condition}
	if parts.Gear != nil {
		item.Gear, item.GearName = parts.Gear.Slug(), parts.Gear.Name()
	}
	r, enough := parts.Trend.RangeOf(condition)
	if parts.valid() && parts.Estimate != nil {
		item.Estimate = NewEstimate(s, parts.Estimate, parts.Trend)
		r, enough = parts.Estimate.Stated(s.Currency()).Range(), true
	}
	set := func(status string, text func(context.Context) string) {
		item.Status, item.text, item.Text = status, text, text(context.Background())
	}
	switch {
	case item.Name == "":
		set("invalid", func(ctx context.Context) string { return ui.T(ctx, "Enter a name.") })
	case !known:
		set("invalid", func(ctx context.Context) string {
			return ui.T(ctx, "“%s” is not a condition; use %s.", parts.Item.Condition, conditionNames(ctx))
		})
	case parts.Item.Count < 0 || parts.Item.Count > prices.MaxItemCount:
		set("invalid", func(ctx context.Context) string {
			return ui.T(ctx, "The number must be from 1 to %s.", ui.NumberIn(ctx, prices.MaxItemCount))
		})
	case parts.Gear == nil && len(parts.Candidates) > 0:
		set("ambiguous", func(ctx context.Context) string { return ui.T(ctx, "Which one is it?") })
		item.Candidates = NewUnresolvedGear("", parts.Candidates).Candidates
	case parts.Gear == nil:
		set("not_found", func(ctx context.Context) string {
			return ui.T(ctx, "Not in the catalogue. Check the spelling, or give brand and model.")
		})
	case !enough:
		missing := prices.MinSales - r.Sales
		set(InsufficientData, func(ctx context.Context) string {
			return ui.T(ctx, "Not enough sales: %s more needed.", ui.NumberIn(ctx, missing))
		})
	default:
		set("ok", func(ctx context.Context) string { return rangeBasis(ctx, condition, r) })
		item.Low, item.Median, item.High = s.Money(r.Low), s.Money(r.Median), s.Money(r.High)
	}
	return item, r
}

// rangeBasis describes the sales that the range of an item in a condition is based on.
func rangeBasis(ctx context.Context, condition models.Condition, r prices.PriceRange) string {
	sales := ui.TN(ctx, r.Sales, "%s sale", "%s sales")
	if r.Estimated {
		return ui.T(ctx, "our estimate")
	}
	if condition != "" && r.Condition == "" {
		return ui.T(ctx, "%s in all conditions: not enough in this one", sales)
	}
	return sales
}

// ConditionNames lists the conditions.
func conditionNames(ctx context.Context) string {
	var names []string
	for _, c := range models.Conditions {
		names = append(names, ui.WithinSentence(ctx, c.Label()))
	}
	return ui.Join(names)
}

// lead states the sum and names what is left out of it.
func (p *Valuation) lead(ctx context.Context) string {
	if len(p.Items) == 0 {
		return ui.T(ctx, "Paste a list of your gear, one item per line, to see what each sells for and the total.")
	}
	text := ui.T(ctx, "We couldn't value any of these items.")
	if s := p.Sum; s != nil {
		text = ui.TN(ctx, s.Items, "%s item, worth about %s: %s for a quick sale, up to %s if you can wait.", "%s items, worth about %s: %s for a quick sale, up to %s if you can wait.",
			ui.MoneyIn(ctx, s.Median), ui.MoneyIn(ctx, s.Low), ui.MoneyIn(ctx, s.High))
	}
	var left []string
	for _, item := range p.Items {
		if item.Status != "ok" {
			left = append(left, item.Name+" ("+item.statusText(ctx)+")")
		}
	}
	if len(left) > 0 {
		text += " " + ui.T(ctx, "Not included: %s.", ui.Join(left))
	}
	return text
}

// statusText returns the status of an item in words.
func (i *ValuedItem) statusText(ctx context.Context) string {
	switch i.Status {
	case "ambiguous":
		return ui.T(ctx, "more than one match")
	case "not_found":
		return ui.T(ctx, "not found")
	case "invalid":
		return ui.T(ctx, "invalid")
	}
	return ui.T(ctx, Words(i.Status))
}

// title returns the heading of the page.
func (p *Valuation) title(ctx context.Context) string { return ui.T(ctx, "What's my gear worth?") }

// Head implements Page.
func (p *Valuation) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.title(ctx), Description: ui.T(ctx, "What your gear sells for, item by item and in total."), Path: ui.ValuationPath, Crumbs: []ui.Link{{Href: "/prices", Label: ui.T(ctx, "Price check")}}}
}

// Shown implements web.ShownPage: a form is answered with the valuation.
func (p *Valuation) Shown() bool { return true }

// lines returns the items as they are entered into the form.
func (p *Valuation) lines(ctx context.Context) string {
	var lines []string
	for _, item := range p.given {
		if c, known := item.Grade(); known && c != "" {
			item.Condition = strings.ToLower(ui.T(ctx, c.Label()))
		}
		lines = append(lines, item.String())
	}
	return strings.Join(lines, "\n")
}

// asks reports whether any item has candidates to choose from.
func (p *Valuation) asks() bool {
	for _, item := range p.Items {
		if len(item.Candidates) > 0 {
			return true
		}
	}
	return false
}

// chosen returns an item as a line with a candidate for its name.
func (p *Valuation) chosen(i int, c GearCandidate) string {
	item := p.given[i]
	item.Name = c.Gear
	return item.String()
}

// what returns the gear of an item, or its name if it is not known, with the number.
func (i *ValuedItem) what(ctx context.Context) string {
	name := i.GearName
	if name == "" {
		name = i.Name
	}
	if i.Count != 1 {
		name = ui.NumberIn(ctx, i.Count) + " × " + name
	}
	return name
}

// detail returns the condition and the basis of an item's range.
func (i *ValuedItem) detail(ctx context.Context) string {
	detail := i.text(ctx)
	if i.Condition != "" {
		detail = ui.T(ctx, i.Condition.Label()) + "; " + detail
	}
	if i.Median != nil && i.Count > 1 {
		detail += "; " + ui.T(ctx, "price each")
	}
	return detail
}

// Markdown implements Page.
func (p *Valuation) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.lead(ctx))
	if len(p.Items) > 0 {
		m.Raw("\n")
		m.Head("Item", "You entered", "Low", "Median", "High", "Basis")
		for i := range p.Items {
			item := &p.Items[i]
			name := ui.MarkdownText(item.what(ctx))
			if item.Gear != "" {
				name += " `" + item.Gear + "`"
			}
			detail := ui.MarkdownText(item.detail(ctx))
			for _, c := range item.Candidates {
				detail += " " + ui.MarkdownText(c.Name) + " `" + c.Gear + "`."
			}
			if item.Estimate != nil {
				detail += ". " + m.Link(ui.Link{Href: item.Estimate.path(), Label: item.Estimate.shortText(ctx)})
			}
			m.Row(name, ui.MarkdownText(item.Name), ui.MoneyOrIn(ctx, item.Low, "–"), ui.MoneyOrIn(ctx, item.Median, "–"), ui.MoneyOrIn(ctx, item.High, "–"), item.statusText(ctx)+"; "+detail)
		}
		if s := p.Sum; s != nil {
			m.Row("**"+ui.T(ctx, "Total of %s", ui.TN(ctx, s.Items, "%s item", "%s items"))+"**", "", ui.MoneyIn(ctx, s.Low), ui.MoneyIn(ctx, s.Median), ui.MoneyIn(ctx, s.High), "")
		}
	}
	if p.Estimate != nil {
		m.Paragraph(p.Estimate.text(ctx))
	}
	m.Paragraph(ui.T(ctx, p.Method))
	m.Links(p.Links)
	return m.Done(w)
}

// sumEstimates returns the sum of the estimates of items, or nil without any.
func sumEstimates(s *ui.Site, items []ValuationParts) *EstimateSum {
	var low, median, high models.Cents
	counted := 0
	for _, item := range items {
		if e := item.Estimate; e != nil && item.valid() {
			n := models.Cents(max(item.Item.Count, 1))
			e = e.Stated(s.Currency())
			low, median, high, counted = low+n*e.Low, median+n*e.Median, high+n*e.High, counted+int(n)
		}
	}
	if counted == 0 {
		return nil
	}
	money := s.Currency().Money
	return &EstimateSum{money(low), money(median), money(high), counted}
}

// EstimateSum is the sum of the estimates of items, each times its count.
type EstimateSum struct {
	Low    models.Money `json:"low" jsonschema:"sum of the low ends"`
	Median models.Money `json:"median" jsonschema:"likely"`
	High   models.Money `json:"high" jsonschema:"sum of the high ends"`
	Items  int          `json:"items" jsonschema:"number of items with an estimate" min:"1" max:"100000"`
}

// text states the sum, "" for nil.
func (s *EstimateSum) text(ctx context.Context) string {
	if s == nil {
		return ""
	}
	return ui.TN(ctx, s.Items, "Estimate for %s item: %s (%s to %s).", "Estimate for %s items: %s (%s to %s).", ui.MoneyIn(ctx, s.Median), ui.MoneyIn(ctx, s.Low), ui.MoneyIn(ctx, s.High))
}
