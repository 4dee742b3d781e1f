package listing

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

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

// priceBar draws the asking price on the scale of the sold prices of the same gear: a line
// and in it a box, a stroke for the median and a mark for the asking price. By an estimate
// the line covers 80% of sales and the box half of them; otherwise the line is from the
// lowest to the highest sale and the box from the 25th to the 75th percentile. Positions
// are in percent, so that the drawing stretches and its text does not. It draws nothing
// with too few sales. All is in the currency of the site.
func (p *Listing) priceBar() templ.Component {
	s, of := p.marketStats()
	if s == nil && p.Estimate == nil {
		return templ.NopComponent
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		asked := p.Comparable()
		asking := ui.T(ctx, "Asking price %s", ui.MoneyIn(ctx, *asked))
		bar := p.estimatedBar(ctx)
		if p.Estimate == nil {
			bar = soldBar(ctx, s, ui.T(ctx, of))
		}
		scale := priceviews.NewScale(bar.low, bar.high, asked)
		about := ui.T(ctx, "Asking price %s: %s", ui.MoneyIn(ctx, *asked), bar.about)
		var b strings.Builder
		fmt.Fprintf(&b, `<figure class="bar"><svg role="img" aria-labelledby="bar-about"><title id="bar-about">%s</title>`, templ.EscapeString(about))
		scale.Line(&b, "range", bar.low, bar.high, 46)
		scale.Line(&b, "half", bar.halfLow, bar.halfHigh, 46)
		scale.Mark(&b, "middle", bar.median, 32, 60)
		scale.Mark(&b, "asked", asked, 24, 64)
		scale.Label(&b, "asked", asked, 16, asking)
		middle, ends := 80, 100
		if math.Abs(scale.At(asked)-scale.At(bar.median)) > 55 { // room for both in one line
			middle, ends = 16, 80
		}
		scale.Label(&b, "", bar.median, middle, bar.middle)
		scale.Ends(&b, bar.low, bar.high, ends, bar.from, bar.to)
		fmt.Fprintf(&b, `</svg><figcaption>%s</figcaption></figure>`, templ.EscapeString(bar.caption))
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// marketBar is what a price bar compares the asking price with, and its texts.
type marketBar struct {
	low, halfLow, median, halfHigh, high *models.Money
	about, middle, from, to, caption     string
}

// soldBar returns the bar of sold prices; of names the sales that it shows.
func soldBar(ctx context.Context, s *priceviews.Stats, of string) marketBar {
	price := func(m *models.Money) string { return ui.MoneyIn(ctx, *m) }
	return marketBar{
		s.Low, s.P25, s.Median, s.P75, s.High,
		ui.T(ctx, "sold %s between %s and %s; half sold for %s to %s; median %s.", of, price(s.Low), price(s.High), price(s.P25), price(s.P75), price(s.Median)),
		ui.T(ctx, "Median %s", price(s.Median)), ui.T(ctx, "Lowest %s", price(s.Low)), ui.T(ctx, "Highest %s", price(s.High)),
		ui.TN(ctx, s.SampleSize, "Half of the %s sale %s was between %s and %s.", "Half of the %s sales %s were between %s and %s.", of, price(s.P25), price(s.P75)),
	}
}

// estimatedBar returns the bar of the estimate. There must be one, otherwise it is empty.
func (p *Listing) estimatedBar(ctx context.Context) marketBar {
	e := p.Estimate
	if e == nil {
		return marketBar{}
	}
	caption := ui.T(ctx, "80% of sales are on the line, and half are in the box.")
	return marketBar{&e.Low, &e.HalfLow, &e.Median, &e.HalfHigh, &e.High, e.RangesText(ctx), ui.T(ctx, "Estimate %s", ui.MoneyIn(ctx, e.Median)), ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High), caption}
}
