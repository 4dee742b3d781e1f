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

// SoldBrief is what gear sold for in a period.
type SoldBrief struct {
	PriceRange
	From       models.Day `json:"from,omitempty" jsonschema:"first day of the period"`
	To         models.Day `json:"to,omitempty" jsonschema:"day of the last sale, which may be years ago"`
	Confidence string     `json:"confidence" jsonschema:"of these figures" enum:"high,medium,low,insufficient_data"`
}

// Brief returns what gear sold for in a condition, "" for all, as tools return it.
func (s *Sold) Brief(condition models.Condition) SoldBrief {
	return SoldBrief{NewPriceRange(condition, &s.Stats), s.Window.From, s.Window.To, s.Confidence}
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
		m.Raw("\nMedian of these sales by condition: ", strings.Join(medians, ", "), ".\n")
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
	Gear         string            `json:"gear" jsonschema:"catalogue slug"`
	Name         string            `json:"gear_name"`
	Condition    models.Condition  `json:"condition,omitempty" jsonschema:"absent for all conditions"`
	Estimate     *EstimateBrief    `json:"estimate,omitempty" jsonschema:"the price: what it is likely to sell for now, in the condition or in the one that sells most; absent with too few sales"`
	Estimates    []GradeBrief      `json:"estimates,omitempty" jsonschema:"the price by condition, best first; without condition"`
	Sold         SoldBrief         `json:"sold" jsonschema:"completed sales of the 12 months up to the last one"`
	Functional   models.Functional `json:"functional,omitempty" jsonschema:"the given working state, unless it works fully"`
	Notes        []string          `json:"notes,omitempty" jsonschema:"what the working state and the shutter count change"`
	Depreciation string            `json:"depreciation,omitempty" jsonschema:"of its kind and of it" maxlength:"300"`
	Price        *PriceCheck       `json:"price,omitempty" jsonschema:"the given asking price compared with the estimate, or else with the sales; without condition with all estimates"`
	ListPrice    ui.AmountText     `json:"list_price,omitempty" jsonschema:"price to list at"`
	QuickPrice   ui.AmountText     `json:"quick_price,omitempty" jsonschema:"price for a quick sale"`
	TimeToSell   SellingTime       `json:"time_to_sell"`
	ByCondition  []PriceRange      `json:"by_condition" jsonschema:"conditions with at least 5 sales, best first"`
	Asking       AskingBrief       `json:"asking" jsonschema:"current listings; asking prices are not sales"`
	page         *PriceGuide
}

// Result returns what get_price returns.
func (p *PriceGuide) Result(*ui.NoOptions) *PriceGuideResult {
	r := &PriceGuideResult{Gear: p.Gear, Name: p.GearName, Condition: p.Condition, Functional: p.Functional, Notes: p.Notes, Sold: p.Sold.Brief(p.Condition),
		Estimate: p.Estimate.Brief(), Depreciation: p.Depreciation.TextIn(context.Background()), Price: p.Price, ListPrice: ui.AmountTextOr(p.Advice.ListPrice), QuickPrice: ui.AmountTextOr(p.Advice.QuickPrice),
		TimeToSell: p.TimeToSell, ByCondition: Ranges(p.ByCondition), Asking: NewAskingBrief(p.Active), page: p}
	if p.Condition == "" {
		r.Estimates = GradeBriefs(p.Estimates)
	}
	return r
}

// Text implements web.ToolResult.
func (r *PriceGuideResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.what(context.Background()), "")
	m.Demo(r.page.Notice != "")
	if r.Price != nil {
		m.Paragraph(r.Price.Text + ".")
	}
	m.Paragraph(r.page.Text)
	for _, note := range r.Notes {
		m.Paragraph(note)
	}
	WriteGradeLine(m, r.Estimates)
	m.Paragraph(r.page.Depreciation.TextIn(m.Context))
	m.Raw("\nBuyers: ", r.page.Advice.Buyer, "\n\nSellers: ", r.page.Advice.Seller, "\n")
	if r.page.Estimate != nil {
		m.Raw("\n", r.page.Sold.Text, "\n")
	}
	WriteConditionMedians(m, r.page.ByCondition)
	m.Raw("\nAsking now: ", AskingText(r.page.Active), "\n")
	return m.Done(w)
}

// WriteGradeLine writes estimates by condition on one line, nothing without any.
func WriteGradeLine(m *ui.Markdown, list []GradeBrief) {
	var grades []string
	for i := range list {
		g := &list[i]
		grades = append(grades, g.Condition.Label()+" "+string(g.Median)+" ("+string(g.Low)+" to "+string(g.High)+")")
	}
	if len(grades) > 0 {
		m.Raw("\nEstimates by condition (80% sell for): ", strings.Join(grades, ", "), ".\n")
	}
}
