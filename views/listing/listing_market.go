package listing

import (
	"context"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// ListedSale is a sale with the listing that was sold, nil if there was none.
type ListedSale struct {
	Sale    *models.Sale
	Listing *models.Listing
}

func newRecentSales(site *ui.Site, sales []ListedSale) []RecentSale {
	all := make([]RecentSale, len(sales))
	for i, s := range sales {
		all[i] = RecentSale{SoldAt: s.Sale.SoldAt.RFC3339(), Condition: s.Sale.Condition, Price: site.Currency().Money(s.Sale.Price)}
		if s.Listing != nil && s.Listing.Status.Public() {
			all[i].Included = ui.Join(s.Listing.Included)
			ref := ui.ListingRef(s.Listing.ID)
			all[i].Href, all[i].Page = ref.Href, ref.Page
		}
	}
	return all
}

// writeRecentSales writes the sales that the listing can be compared with.
func writeRecentSales(m *ui.Markdown, sales []RecentSale) {
	if len(sales) == 0 {
		return
	}
	m.Section("Recently sold")
	m.Head("Sold", "Condition", "Price", "Included")
	for i := range sales {
		s := &sales[i]
		day := ui.DayIn(m.Context, s.SoldAt)
		if s.Page != "" {
			day = m.Link(ui.Link{Href: s.Page, Label: day})
		}
		m.Row(day, ui.T(m.Context, s.Condition.Label()), ui.MoneyIn(m.Context, s.Price), ui.MarkdownText(ui.Untrusted(s.Included)))
	}
}

// marketStats returns the statistics that the asking price is compared with, those of
// the listing's condition if it has enough sales, and which sales they are of. It
// returns nil with too few sales.
func (p *Listing) marketStats() (s *priceviews.Stats, of string) {
	if p.Trend == nil {
		return nil, ""
	}
	s, of = &p.Trend.Condition, languages.Mark("in this condition")
	if s.Median == nil {
		s, of = &p.Trend.Summary, languages.Mark("in all conditions")
	}
	if s.Median == nil || s.P25 == nil || s.P75 == nil || s.Low == nil || s.High == nil {
		return nil, ""
	}
	return s, of
}

// verdict compares the price of the listing with what its gear sells for.
func (p *Listing) verdict(ctx context.Context) string {
	s, of := p.marketStats()
	switch {
	case p.Deal != nil && p.Deal.Low != nil:
		return ui.T(ctx, "%s is %s.", ui.MoneyIn(ctx, p.Price), p.Deal.TextIn(ctx))
	case p.Deal != nil:
		return ui.T(ctx, "%s is %s. The typical price in this condition is %s.", ui.MoneyIn(ctx, p.Price), p.Deal.TextIn(ctx), ui.MoneyIn(ctx, p.Deal.Typical))
	case s == nil:
		return p.Trend.Summary.FewText(ctx)
	}
	return ui.T(ctx, "The median %s is %s, based on %s.", ui.T(ctx, of), ui.MoneyIn(ctx, *s.Median), ui.TN(ctx, s.SampleSize, "%s sale", "%s sales"))
}

// soldText says of which period the sold figures are.
func (p *Listing) soldText(ctx context.Context) string {
	text := p.Trend.Window.SalesText(ctx, p.Trend.Summary.SampleSize)
	if p.Trend.Change90 != nil {
		text += " " + ui.T(ctx, "Change in median, all conditions: %s.", ui.T(ctx, "%s in 90 days", ui.PercentIn(ctx, *p.Trend.Change90)))
	}
	return text
}

// estimateText states the estimate and how the asking price compares. There must be one.
func (p *Listing) estimateText(ctx context.Context) string {
	return p.Estimate.Text(ctx) + " " + p.Estimate.Asking(ctx, p.Comparable())
}

// priceBar draws the asking price on the scale of the sold prices of the same gear.
func (p *Listing) priceBar() templ.Component {
	s, of := p.marketStats()
	return priceviews.MarketBar(p.Comparable(), p.Estimate, s, of)
}
