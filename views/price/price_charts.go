package price

import (
	"context"

	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// PriceChart is a picture of the index, with its rows.
type PriceChart struct {
	ui.Ref
	Chart       string        `json:"chart" jsonschema:"name of the chart" enum:"kinds,brands,movers,holders,seasons,depreciation"`
	Title       string        `json:"title" maxlength:"100"`
	Groups      []IndexGroup  `json:"groups,omitempty" jsonschema:"of kinds and brands, the most sold first"`
	Rows        []IndexRow    `json:"rows,omitempty" jsonschema:"months of kinds and brands; changes of models in percent; calendar months; changes of kinds after some years"`
	RepeatSales []RepeatSales `json:"repeat_sales,omitempty" jsonschema:"of the depreciation: kinds with at least five items that sold twice" maxItems:"15"`
	Method      string        `json:"method,omitempty" maxlength:"1000"`
	Links       []ui.Link     `json:"links,omitempty"`
	Notice      string        `json:"notice,omitempty"`
	about       string        // explains the chart
	site        *ui.Site
}

// IndexRow is a row of the data of a chart.
type IndexRow struct {
	Name       string   `json:"name" jsonschema:"kind, brand, catalogue slug, or month of the year" maxlength:"200"`
	Label      string   `json:"label" maxlength:"200"`
	Period     string   `json:"period,omitempty" jsonschema:"month of an index" maxlength:"7"`
	Years      int      `json:"years,omitempty" jsonschema:"of the depreciation: after so many years" min:"1" max:"5"`
	Value      float64  `json:"value" jsonschema:"index, or change in percent" min:"-100"`
	Low        float64  `json:"low" jsonschema:"end of the range of 80 %" min:"-100"`
	High       float64  `json:"high" jsonschema:"end of the range of 80 %" min:"-100"`
	SampleSize int      `json:"sample_size,omitempty" max:"1000000000"`
	Share      *float64 `json:"share,omitempty" jsonschema:"of the sales of a year, in percent" min:"0" max:"100"`
}

// IndexChange is a change in percent with its range of 80 %.
type IndexChange struct {
	Percent float64 `json:"percent" min:"-100"`
	Low     float64 `json:"low" jsonschema:"end of the range of 80 %" min:"-100"`
	High    float64 `json:"high" jsonschema:"end of the range of 80 %" min:"-100"`
}

func newIndexChange(c *prices.IndexChange) *IndexChange {
	if c == nil {
		return nil
	}
	return &IndexChange{tenths(c.Percent), tenths(c.Low), tenths(c.High)}
}

// text states a change with its range, "–" for nil.
func (c *IndexChange) text(ctx context.Context) string {
	if c == nil {
		return "–"
	}
	return rangeOfChange(ctx, c.Percent, c.Low, c.High)
}

// RepeatSales sums up what happened to items of a kind that sold here twice.
type RepeatSales struct {
	Kind    string  `json:"category" jsonschema:"the kind" maxlength:"100"`
	Label   string  `json:"label" maxlength:"100"`
	Pairs   int     `json:"pairs" jsonschema:"items that sold twice, by serial number, at least half a year apart" min:"5" max:"1000000000"`
	Years   float64 `json:"years" jsonschema:"between the two sales, on average" min:"0"`
	Percent float64 `json:"percent" jsonschema:"mean change from the first price paid to the second, in whole percent" min:"-100"`
	Same    int     `json:"same_grade" jsonschema:"pairs with the same condition grade" min:"0" max:"1000000000"`
	Worse   int     `json:"worse_grade" jsonschema:"pairs sold in a worse grade the second time" min:"0" max:"1000000000"`
	Better  int     `json:"better_grade" jsonschema:"pairs sold in a better grade the second time" min:"0" max:"1000000000"`
}
