package search

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// ComparisonResult is the result of comparing models or listings.
type ComparisonResult struct {
	Gear     []ModelComparison   `json:"gear,omitempty"`
	Listings []ListingComparison `json:"listings,omitempty"`
	Specs    []ComparedSpec      `json:"specifications"`
	page     *Comparison
}

// ModelComparison is a model in the result of a comparison.
type ModelComparison struct {
	Gear        string                    `json:"gear" jsonschema:"catalogue slug"`
	Name        string                    `json:"gear_name"`
	Estimate    *priceviews.EstimateBrief `json:"estimate,omitempty" jsonschema:"the price, in the condition that sells most"`
	Sold        priceviews.PriceRange     `json:"sold" jsonschema:"completed sales of the 12 months to sold_until, all conditions"`
	SoldUntil   models.Day                `json:"sold_until,omitempty" jsonschema:"day of the last sale"`
	ByCondition []priceviews.PriceRange   `json:"by_condition" jsonschema:"conditions with at least 5 sales, best first"`
	Change90    *float64                  `json:"change_90d,omitempty" jsonschema:"change of the median over 90 days in percent"`
	Change12    *float64                  `json:"change_12m,omitempty" jsonschema:"change of the median over 12 months in percent"`
	ForSale     int                       `json:"for_sale"`
	Lowest      ui.AmountText             `json:"lowest,omitempty" jsonschema:"lowest asking price"`
	MedianDays  int                       `json:"median_days,omitempty" jsonschema:"median days to sell"`
}

// ListingComparison is a listing in the result of a comparison.
type ListingComparison struct {
	ui.ListingBrief
	SoldPrice ui.AmountText `json:"sold_price,omitempty"`
	Postage   string        `json:"postage" jsonschema:"to the country of the comparison, or by region if that is unknown; empty if the seller has not said"`
	Total     ui.AmountText `json:"total,omitempty" jsonschema:"price and postage to the country of the comparison"`
	ui.ItemBrief
	Stars       *float64 `json:"seller_stars,omitempty"`
	Ratings     int      `json:"seller_ratings"`
	PublishedAt string   `json:"published_at"`
}

// Result returns what compare_gear returns.
func (p *Comparison) Result(*ui.NoOptions) *ComparisonResult {
	return &ComparisonResult{ui.Each(p.Models, (*ComparedModel).result), ui.Each(p.Listings, (*ComparedListing).result), p.Specifications, p}
}

func (m *ComparedModel) result() ModelComparison {
	byCondition := ui.Each(m.ByCondition, func(price *ConditionPrice) priceviews.PriceRange {
		return priceviews.PriceRange{Condition: string(price.Condition), Median: ui.NewAmountText(price.Median), Sales: price.SampleSize}
	})
	return ModelComparison{Gear: m.Gear, Name: m.Name, ByCondition: byCondition, Change90: m.Change90, Change12: m.Change12, ForSale: m.ForSale, Lowest: ui.AmountTextOr(m.Lowest), MedianDays: m.MedianDays, Estimate: m.Estimate.Brief(), SoldUntil: m.Sold.Window.To,
		Sold: priceviews.PriceRange{Condition: "", Median: ui.AmountTextOr(m.Sold.Median), P25: ui.AmountTextOr(m.Sold.P25), P75: ui.AmountTextOr(m.Sold.P75), Sales: m.Sold.SampleSize}}
}

func (l *ComparedListing) result() ListingComparison {
	c := ListingComparison{ListingBrief: l.Brief(), SoldPrice: ui.AmountTextOr(l.SoldPrice), Postage: l.Postage.Text(context.Background()), ItemBrief: ui.NewItemBrief(&l.Item),
		Stars: l.SellerCard.Stars, Ratings: l.SellerCard.Ratings, PublishedAt: l.PublishedAt}
	if l.PostageTo != nil {
		c.Postage, c.Total = l.PostageTo.Name+" "+ui.MoneyText(l.PostageTo.Price), ui.NewAmountText(l.PostageTo.Total)
	}
	return c
}

// Text implements web.ToolResult.
func (r *ComparisonResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, p.title(context.Background()), "")
	m.Demo(p.Notice != "")
	m.Paragraph(p.Text)
	m.Raw("\n")
	writeComparison(m, p)
	if p.ofListings {
		m.ToolNames([]string{"get_listing (id)"})
	} else {
		m.ToolNames([]string{"search_listings (model)"})
	}
	return m.Done(w)
}
