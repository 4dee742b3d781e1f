package price

import (
	"context"
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// PriceRange is what gear sold for. Prices are absent with fewer than 5 sales.
type PriceRange struct {
	Condition string        `json:"condition,omitempty" jsonschema:"absent for all conditions"`
	Median    ui.AmountText `json:"median,omitempty"`
	P25       ui.AmountText `json:"p25,omitempty"`
	P75       ui.AmountText `json:"p75,omitempty"`
	Sales     int           `json:"sample_size"`
}

// NewPriceRange returns the price range of statistics, of all conditions for "".
func NewPriceRange(condition models.Condition, s *Stats) PriceRange {
	return PriceRange{string(condition), ui.AmountTextOr(s.Median), ui.AmountTextOr(s.P25), ui.AmountTextOr(s.P75), s.SampleSize}
}

// Ranges returns the price ranges of the conditions with enough sales.
func Ranges(all []ConditionStats) []PriceRange {
	found := []PriceRange{}
	for i := range all {
		if c := &all[i]; c.Median != nil {
			found = append(found, NewPriceRange(c.Condition, &c.Stats))
		}
	}
	return found
}

// AskingBrief summarises the current asking prices of gear.
type AskingBrief struct {
	Count   int           `json:"count"`
	Lowest  ui.AmountText `json:"lowest,omitempty"`
	Average ui.AmountText `json:"average,omitempty"`
}

func NewAskingBrief(a Active) AskingBrief {
	return AskingBrief{a.Count, ui.AmountTextOr(a.Lowest), ui.AmountTextOr(a.Average)}
}

// WriteConditionMedians writes the medians of the conditions with enough sales on one line.
func WriteConditionMedians(m *ui.Markdown, all []ConditionStats) {
	var medians []string
	for i := range all {
		if c := &all[i]; c.Median != nil {
			medians = append(medians, c.Label+" "+ui.MoneyText(*c.Median)+" ("+ui.NumberText(c.SampleSize)+")")
		}
	}
	if len(medians) > 0 {
		m.Raw("\nMedian by condition: ", strings.Join(medians, ", "), ".\n")
	}
}

// AskingText describes the current asking prices.
func AskingText(a Active) string {
	if a.Count == 0 || a.Lowest == nil {
		return "none for sale."
	}
	return ui.NumberText(a.Count) + " for sale, from " + ui.MoneyText(*a.Lowest) + ", average " + ui.MoneyOr(a.Average, "") + "."
}

// PriceGuideResult is the result of a price guide.
type PriceGuideResult struct {
	Gear         string           `json:"gear" jsonschema:"catalogue slug"`
	Name         string           `json:"gear_name"`
	Condition    models.Condition `json:"condition,omitempty" jsonschema:"absent for all conditions"`
	Sold         PriceRange       `json:"sold" jsonschema:"completed sales of 12 months"`
	Confidence   string           `json:"confidence" enum:"high,medium,low,insufficient_data"`
	Estimate     *EstimateBrief   `json:"estimate,omitempty" jsonschema:"what it is likely to sell for now"`
	Depreciation string           `json:"depreciation,omitempty" jsonschema:"of its kind and of it" maxlength:"300"`
	Price        *PriceCheck      `json:"price,omitempty" jsonschema:"the given asking price compared with the estimate, or else with the sales"`
	ListPrice    ui.AmountText    `json:"list_price,omitempty" jsonschema:"price to list at"`
	QuickPrice   ui.AmountText    `json:"quick_price,omitempty" jsonschema:"price for a quick sale"`
	TimeToSell   SellingTime      `json:"time_to_sell"`
	ByCondition  []PriceRange     `json:"by_condition" jsonschema:"conditions with at least 5 sales, best first"`
	Asking       AskingBrief      `json:"asking" jsonschema:"current listings; asking prices are not sales"`
	page         *PriceGuide
}

// Result returns what get_price returns.
func (p *PriceGuide) Result(*ui.NoOptions) *PriceGuideResult {
	return &PriceGuideResult{Gear: p.Gear, Name: p.GearName, Condition: p.Condition, Sold: NewPriceRange(p.Condition, &p.Sold), Confidence: p.Confidence,
		Estimate: p.Estimate.Brief(), Depreciation: p.Depreciation.TextIn(context.Background()), Price: p.Price, ListPrice: ui.AmountTextOr(p.Advice.ListPrice), QuickPrice: ui.AmountTextOr(p.Advice.QuickPrice),
		TimeToSell: p.TimeToSell, ByCondition: Ranges(p.ByCondition), Asking: NewAskingBrief(p.Active), page: p}
}

// Text implements web.ToolResult.
func (r *PriceGuideResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.what(context.Background()), "")
	m.Demo(r.page.Notice != "")
	m.Paragraph(r.page.Text)
	m.Paragraph(r.page.Estimate.Text(m.Context))
	m.Paragraph(r.page.Depreciation.TextIn(m.Context))
	m.Raw("\nBuyers: ", r.page.Advice.Buyer, "\n\nSellers: ", r.page.Advice.Seller, "\n")
	WriteConditionMedians(m, r.page.ByCondition)
	m.Raw("\nAsking now: ", AskingText(r.page.Active), "\n")
	return m.Done(w)
}
