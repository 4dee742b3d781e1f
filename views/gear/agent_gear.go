package gear

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// TrendOptions are the options of the result of a price trend.
type TrendOptions struct {
	Months  int      `json:"months,omitempty" min:"0" max:"60" default:"6" jsonschema:"months of the series, 0 to 60" example:"12"`
	Include []string `json:"include,omitempty" enum:"listings,specifications,fits,method,quartiles" jsonschema:"listings for sale, specifications with their sources, what fits or can damage it, how the figures are calculated, quartiles of each month"`
}

// TrendResult is the result of reading a price trend.
type TrendResult struct {
	Gear         string                    `json:"gear" jsonschema:"catalogue slug"`
	Name         string                    `json:"gear_name"`
	Estimate     *priceviews.EstimateBrief `json:"estimate,omitempty" jsonschema:"the price: what it is likely to sell for now, in the condition that sells most"`
	Sold         priceviews.SoldBrief      `json:"sold" jsonschema:"completed sales of the 12 months up to the last one, all conditions"`
	ByCondition  []priceviews.PriceRange   `json:"by_condition" jsonschema:"conditions with at least 5 sales, best first"`
	Change       TrendChange               `json:"change" jsonschema:"of the median"`
	Depreciation string                    `json:"depreciation,omitempty" jsonschema:"of its kind and of it" maxlength:"300"`
	Series       []MonthBrief              `json:"series,omitempty" jsonschema:"oldest month first"`
	Asking       priceviews.AskingBrief    `json:"asking" jsonschema:"current listings; asking prices are not sales"`
	Listings     []ui.ListingBrief         `json:"listings,omitempty" jsonschema:"best deals first"`
	Specs        []ui.Spec                 `json:"specifications,omitempty"`
	Sources      []FactSource              `json:"sources,omitempty" jsonschema:"where the specifications are from"`
	Fits         []FitGroup                `json:"fits,omitempty" jsonschema:"what can damage it first, then what fits, then what does not"`
	Method       string                    `json:"method,omitempty"`
	page         *Trend
}

// TrendChange is the change of a median in percent. A change is absent if there are too
// few sales, or if it may be chance.
type TrendChange struct {
	Direction string   `json:"direction" enum:"rising,falling,steady,insufficient_data"`
	Days30    *float64 `json:"30d,omitempty"`
	Days90    *float64 `json:"90d,omitempty"`
	Months12  *float64 `json:"12m,omitempty"`
}

// MonthBrief is a month of a price trend.
type MonthBrief struct {
	Month  string        `json:"month"`
	Median ui.AmountText `json:"median,omitempty" jsonschema:"absent with fewer than 5 sales"`
	P25    ui.AmountText `json:"p25,omitempty" jsonschema:"with include=quartiles"`
	P75    ui.AmountText `json:"p75,omitempty"`
	Sales  int           `json:"sample_size"`
}

// Result returns what get_trend returns.
func (p *Trend) Result(o *TrendOptions) *TrendResult {
	c := &p.Change
	r := &TrendResult{Gear: p.Gear, Name: p.Name, Sold: p.Sold.Brief(""), ByCondition: priceviews.Ranges(p.ByCondition),
		Change: TrendChange{c.Direction, c.Days30, c.Days90, c.Months12}, Asking: priceviews.NewAskingBrief(p.Active), Estimate: p.Estimate.Brief(), Depreciation: p.Depreciation.TextIn(context.Background()), page: p}
	r.Series = ui.Each(p.Series[max(0, len(p.Series)-o.Months):], func(month *priceviews.Month) MonthBrief {
		return MonthBrief{Month: month.Period, Median: ui.AmountTextOr(month.Median), Sales: month.Count}
	})
	for _, part := range o.Include {
		switch part {
		case "listings":
			r.Listings = ui.Briefs(p.Listings)
		case "specifications":
			r.Specs, r.Sources = p.Specs, p.Sources
		case "fits":
			if p.Fits != nil {
				r.Fits = p.Fits.Groups
			}
		case "method":
			r.Method = p.Method
		case "quartiles":
			r.addQuartiles(p.Series)
		}
	}
	return r
}

// addQuartiles adds the quartiles of the last months of a series.
func (r *TrendResult) addQuartiles(series []priceviews.Month) {
	series = series[len(series)-len(r.Series):]
	for i := range r.Series {
		r.Series[i].P25, r.Series[i].P75 = ui.AmountTextOr(series[i].P25), ui.AmountTextOr(series[i].P75)
	}
}

// Text implements web.ToolResult.
func (r *TrendResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, p.Name, "")
	m.Raw(p.site.URL(p.Page), "\n")
	m.Demo(p.Demo)
	if p.Estimate == nil {
		m.Paragraph(p.lead(m.Context))
	}
	m.Paragraph(p.Estimate.Text(m.Context))
	m.Paragraph(p.Estimate.ForecastText(m.Context))
	if p.Estimate != nil {
		m.Paragraph(p.soldText(m.Context))
	}
	m.Paragraph(p.Depreciation.TextIn(m.Context))
	priceviews.WriteConditionMedians(m, p.ByCondition)
	m.Raw("\nAsking now: ", priceviews.AskingText(p.Active), "\n")
	if len(r.Listings) > 0 {
		m.Raw("\n")
		m.Lines(p.Listings)
	}
	for i := range r.Fits {
		g := &r.Fits[i]
		m.Raw("\n", ui.MarkdownText(g.heading(m.Context)), ", ", ui.NumberIn(m.Context, g.Total), ". ", ui.MarkdownText(g.note(m.Context)), "\n")
	}
	m.ToolNames([]string{"search_listings (model=" + p.Gear + ")"})
	return m.Done(w)
}

// GearOptions are the options of the result of a catalogue search or a brand.
type GearOptions struct {
	Include []string `json:"include,omitempty" enum:"all" jsonschema:"all: figures of every model, not only of those that sell best"`
}

// GearResult is the result of a catalogue search, of a brand, or all brands.
type GearResult struct {
	Total      int           `json:"total" jsonschema:"number of models found"`
	Gear       []GearBrief   `json:"gear" jsonschema:"models; of a brand those that sell best"`
	Others     []string      `json:"others,omitempty" jsonschema:"slugs of the brand's other models on this page"`
	Brands     []BrandCounts `json:"brands,omitempty" jsonschema:"all brands, without a keyword"`
	NextCursor string        `json:"next_cursor,omitempty"`
	page       *GearIndex
}

// GearBrief is gear in a list.
type GearBrief struct {
	Gear     string           `json:"gear" jsonschema:"catalogue slug brand/model"`
	Name     string           `json:"gear_name"`
	Category models.Category  `json:"category"`
	Mount    string           `json:"mount,omitempty"`
	Year     int              `json:"year,omitempty"`
	Estimate ui.AmountText    `json:"estimate,omitempty" jsonschema:"the price, in the condition that sells most"`
	Grade    models.Condition `json:"estimate_condition,omitempty"`
	Median   ui.AmountText    `json:"median,omitempty" jsonschema:"sold, all conditions; only without an estimate"`
	Sales    int              `json:"sample_size"`
	ForSale  int              `json:"for_sale"`
	Lowest   ui.AmountText    `json:"lowest,omitempty" jsonschema:"lowest asking price"`
}

// BrandCounts is a brand with the numbers of its models and listings.
type BrandCounts struct {
	Brand   string `json:"brand" jsonschema:"slug"`
	Gear    int    `json:"count" jsonschema:"models"`
	ForSale int    `json:"for_sale,omitempty" jsonschema:"absent for none"`
}

func newGearBrief(c *ui.GearCard) GearBrief {
	b := GearBrief{Gear: c.Slug, Name: c.Name, Category: c.Category, Mount: c.Mount, Year: c.Year, Estimate: ui.AmountTextOr(c.Estimate), Grade: c.Grade, Sales: c.Sales, ForSale: c.ForSale, Lowest: ui.AmountTextOr(c.Lowest)}
	if c.Estimate == nil {
		b.Median = ui.AmountTextOr(c.Median)
	}
	return b
}

// brandGearShown is the number of a brand's models in a result with their figures.
const brandGearShown = 20

// Result returns what the tools of the catalogue return.
func (p *GearIndex) Result(o *GearOptions) *GearResult {
	r := &GearResult{Total: p.Total, Gear: []GearBrief{}, NextCursor: p.NextCursor, page: p}
	cards := p.Gear
	if p.BrandSlug != "" {
		cards = slices.Clone(cards)
		slices.SortStableFunc(cards, func(a, b ui.GearCard) int {
			return cmp.Or(cmp.Compare(b.Sales, a.Sales), cmp.Compare(b.ForSale, a.ForSale))
		})
	}
	for i := range cards {
		if p.BrandSlug != "" && i >= brandGearShown && len(o.Include) == 0 {
			r.Others = append(r.Others, strings.TrimPrefix(cards[i].Slug, p.BrandSlug+"/"))
			continue
		}
		r.Gear = append(r.Gear, newGearBrief(&cards[i]))
	}
	r.Brands = ui.Each(p.Brands, func(b *BrandCard) BrandCounts { return BrandCounts{b.Slug, b.Gear, b.ForSale} })
	return r
}

// Text implements web.ToolResult.
func (r *GearResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.title(context.Background()), "")
	m.Paragraph(r.page.lead(m.Context))
	m.Demo(r.page.Notice != "")
	m.Raw("\n")
	for i := range r.Gear {
		g := &r.Gear[i]
		m.Raw("- ", ui.MarkdownText(g.Name), " (", g.Gear, "): ", cmp.Or(string(cmp.Or(g.Estimate, g.Median)), "not enough sales"), ", ", ui.NumberText(g.ForSale), " for sale\n")
	}
	if len(r.Others) > 0 {
		m.Raw("\n", ui.CountText(len(r.Others), "other model", "other models"), " sold less.\n")
	}
	m.MoreWith(r.NextCursor)
	m.ToolNames([]string{"get_trend (brand, model)", "search_listings (model)"})
	return m.Done(w)
}
