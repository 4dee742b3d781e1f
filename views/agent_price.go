package views

import (
	"context"
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// PriceRange is what gear sold for. Prices are absent with fewer than 5 sales.
type PriceRange struct {
	Condition string     `json:"condition,omitempty" jsonschema:"absent for all conditions"`
	Median    AmountText `json:"median,omitempty"`
	P25       AmountText `json:"p25,omitempty"`
	P75       AmountText `json:"p75,omitempty"`
	Sales     int        `json:"sample_size"`
}

// newPriceRange returns the price range of statistics, of all conditions for "".
func newPriceRange(condition models.Condition, s *Stats) PriceRange {
	return PriceRange{string(condition), amountTextOr(s.Median), amountTextOr(s.P25), amountTextOr(s.P75), s.SampleSize}
}

// ranges returns the price ranges of the conditions with enough sales.
func ranges(all []ConditionStats) []PriceRange {
	found := []PriceRange{}
	for i := range all {
		if c := &all[i]; c.Median != nil {
			found = append(found, newPriceRange(c.Condition, &c.Stats))
		}
	}
	return found
}

// AskingBrief summarises the current asking prices of gear.
type AskingBrief struct {
	Count   int        `json:"count"`
	Lowest  AmountText `json:"lowest,omitempty"`
	Average AmountText `json:"average,omitempty"`
}

func newAskingBrief(a Active) AskingBrief {
	return AskingBrief{a.Count, amountTextOr(a.Lowest), amountTextOr(a.Average)}
}

// writeConditionMedians writes the medians of the conditions with enough sales on one line.
func writeConditionMedians(m *markdown, all []ConditionStats) {
	var medians []string
	for i := range all {
		if c := &all[i]; c.Median != nil {
			medians = append(medians, c.Label+" "+MoneyText(*c.Median)+" ("+numberText(c.SampleSize)+")")
		}
	}
	if len(medians) > 0 {
		m.raw("\nMedian by condition: ", strings.Join(medians, ", "), ".\n")
	}
}

// askingText describes the current asking prices.
func askingText(a Active) string {
	if a.Count == 0 || a.Lowest == nil {
		return "none for sale."
	}
	return numberText(a.Count) + " for sale, from " + MoneyText(*a.Lowest) + ", average " + moneyOr(a.Average, "") + "."
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
	ListPrice    AmountText       `json:"list_price,omitempty" jsonschema:"price to list at"`
	QuickPrice   AmountText       `json:"quick_price,omitempty" jsonschema:"price for a quick sale"`
	TimeToSell   SellingTime      `json:"time_to_sell"`
	ByCondition  []PriceRange     `json:"by_condition" jsonschema:"conditions with at least 5 sales, best first"`
	Asking       AskingBrief      `json:"asking" jsonschema:"current listings; asking prices are not sales"`
	page         *PriceGuide
}

// Result returns what get_price returns.
func (p *PriceGuide) Result(*NoOptions) *PriceGuideResult {
	return &PriceGuideResult{Gear: p.Gear, Name: p.GearName, Condition: p.Condition, Sold: newPriceRange(p.Condition, &p.Sold), Confidence: p.Confidence,
		Estimate: p.Estimate.brief(), Depreciation: p.Depreciation.text(context.Background()), Price: p.Price, ListPrice: amountTextOr(p.Advice.ListPrice), QuickPrice: amountTextOr(p.Advice.QuickPrice),
		TimeToSell: p.TimeToSell, ByCondition: ranges(p.ByCondition), Asking: newAskingBrief(p.Active), page: p}
}

// Text implements web.ToolResult.
func (r *PriceGuideResult) Text(w io.Writer) error {
	m := newMarkdown(r.page.site, r.page.what(context.Background()), "")
	m.demo(r.page.Notice != "")
	m.text(r.page.Text)
	m.text(r.page.Estimate.text(m.ctx))
	m.text(r.page.Depreciation.text(m.ctx))
	m.raw("\nBuyers: ", r.page.Advice.Buyer, "\n\nSellers: ", r.page.Advice.Seller, "\n")
	writeConditionMedians(m, r.page.ByCondition)
	m.raw("\nAsking now: ", askingText(r.page.Active), "\n")
	return m.done(w)
}
