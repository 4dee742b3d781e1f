package price

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/secondlight/secondlight/views/ui"
)

// MarketResult is the result of a chart of the price index.
type MarketResult struct {
	Chart string      `json:"chart"`
	Rows  []MarketRow `json:"rows" jsonschema:"the highest and the lowest; none with too few sales"`
	page  *PriceChart
}

// MarketRow is a row of a chart. A change is in percent.
type MarketRow struct {
	Name   string             `json:"name" jsonschema:"category, brand, catalogue slug or month"`
	Index  float64            `json:"index,omitempty" jsonschema:"100 in its first month"`
	Change *float64           `json:"change,omitempty" jsonschema:"movers and indexes: in 12 months; holders: in 3 years; seasons: from the average of the year; absent if unknown"`
	Years  map[string]float64 `json:"change_by_years,omitempty" jsonschema:"depreciation after so many years"`
	text   string
}

// marketRows is the maximum number of rows of each end of a chart, and marketGroups of
// categories and brands.
const (
	marketRows   = 3
	marketGroups = 6
)

// Result returns what get_market returns.
func (p *PriceChart) Result(*ui.NoOptions) *MarketResult {
	r := &MarketResult{Chart: p.Chart, Rows: []MarketRow{}, page: p}
	switch {
	case len(p.Groups) > 0:
		for i := range p.Groups[:min(len(p.Groups), marketGroups)] {
			r.Rows = append(r.Rows, p.Groups[i].marketRow())
		}
	case p.Chart == "depreciation":
		r.Rows = p.depreciationRows()
	default:
		r.Rows = ui.Each(p.extremes(), (*IndexRow).marketRow)
	}
	return r
}

// extremes returns the rows with the highest and the lowest values, in that order.
func (p *PriceChart) extremes() []IndexRow {
	rows := slices.SortedStableFunc(slices.Values(p.Rows), func(a, b IndexRow) int { return cmp.Compare(b.Value, a.Value) })
	if p.Chart == "holders" {
		return rows[:min(len(rows), 2*marketRows)]
	}
	if len(rows) > 2*marketRows {
		rows = slices.Delete(rows, marketRows, len(rows)-marketRows)
	}
	return rows
}

// marketRow returns the row of a group of gear.
func (g *IndexGroup) marketRow() MarketRow {
	row := MarketRow{Name: g.Name, Index: g.Value, text: "index " + fmt.Sprintf("%.1f", g.Value)}
	if g.Change12 != nil {
		row.Change = &g.Change12.Percent
		row.text += ", 12 months " + g.Change12.text(context.Background())
	}
	return row
}

// marketRow returns the row of a model or a month.
func (r *IndexRow) marketRow() MarketRow {
	change := tenths(r.Value)
	return MarketRow{Name: r.Name, Change: &change, text: rangeOfChange(context.Background(), r.Value, r.Low, r.High)}
}

// depreciationRows returns a row for each kind, the best-selling first.
func (p *PriceChart) depreciationRows() (rows []MarketRow) {
	for _, r := range p.Rows {
		if len(rows) == 0 || rows[len(rows)-1].Name != r.Name {
			rows = append(rows, MarketRow{Name: r.Name, Years: map[string]float64{}})
		}
		row := &rows[len(rows)-1]
		row.Years[fmt.Sprint(r.Years)] = tenths(r.Value)
		row.text = ui.Commas(row.text, fmt.Sprintf("%.0f%% in %d y", r.Value, r.Years))
	}
	return rows[:min(len(rows), marketGroups)]
}

// Text implements web.ToolResult.
func (r *MarketResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.Title, "")
	m.Demo(r.page.Notice != "")
	if len(r.Rows) == 0 {
		m.Paragraph(r.page.lead(context.Background()))
	}
	for i := range r.Rows {
		m.Raw("- ", r.Rows[i].Name, ": ", r.Rows[i].text, "\n")
	}
	return m.Done(w)
}

// AccuracyResult is the result of the accuracy of the estimates.
type AccuracyResult struct {
	Day      string  `json:"estimated_on,omitempty"`
	Months   int     `json:"months,omitempty" jsonschema:"whose sales were predicted from earlier ones"`
	Sales    int     `json:"sample_size" jsonschema:"sales that were predicted"`
	Error    float64 `json:"median_error,omitempty" jsonschema:"half of the estimates were closer to the price, in percent of it"`
	Within10 float64 `json:"within_10,omitempty" jsonschema:"share of estimates within 10 % of the price, in percent"`
	InMost   float64 `json:"in_range_80,omitempty" jsonschema:"share of prices in the range that should hold 80 %"`
	page     *Accuracy
}

// Result returns what get_market returns of the accuracy.
func (p *Accuracy) Result(*ui.NoOptions) *AccuracyResult {
	r := &AccuracyResult{Day: string(p.Day), Months: p.Months, page: p}
	if all := p.All; all != nil {
		r.Sales, r.Error, r.Within10, r.InMost = all.Stated, all.Error, all.Within10, all.InMost
	}
	return r
}

// Text implements web.ToolResult.
func (r *AccuracyResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.title(context.Background()), "")
	m.Demo(r.page.Notice != "")
	m.Paragraph(r.page.lead(context.Background()))
	return m.Done(w)
}
