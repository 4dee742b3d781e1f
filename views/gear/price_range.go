package gear

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// maxListings is the number of listings that a result has.
const maxListings = 8

// grade returns the condition that the page is about: the chosen one, or that of the estimate.
func (p *Trend) grade() models.Condition {
	if p.Grade == "" && p.Estimate != nil {
		return p.Estimate.Condition
	}
	return p.Grade
}

// gradeText names the condition that the page is about.
func (p *Trend) gradeText(ctx context.Context) string {
	if p.grade() == "" {
		return ui.T(ctx, "All conditions")
	}
	return ui.T(ctx, p.grade().Label())
}

// seeText labels the link to the listings: "See 15 for sale".
func (p *Trend) seeText(ctx context.Context) string {
	if p.Grade != "" {
		return ui.T(ctx, "See %s in %s condition", ui.NumberIn(ctx, p.inGrade), ui.WithinSentence(ctx, p.Grade.Label()))
	}
	return ui.T(ctx, "See %s for sale", ui.NumberIn(ctx, p.Active.Count))
}

// changeText states how prices changed in a year or else in 90 days: "Down 23% in a year";
// "" if the sales don't tell.
func (p *Trend) changeText(ctx context.Context) string {
	for _, c := range []struct {
		percent          *float64
		down, up, steady string
	}{
		{p.Change.Months12, languages.Mark("Down %s%% in a year"), languages.Mark("Up %s%% in a year"), languages.Mark("About the same as a year ago")},
		{p.Change.Days90, languages.Mark("Down %s%% in 90 days"), languages.Mark("Up %s%% in 90 days"), languages.Mark("About the same as 90 days ago")},
	} {
		if c.percent == nil {
			continue
		}
		switch percent := ui.NumberIn(ctx, int(math.Round(math.Abs(*c.percent)))); {
		case *c.percent <= -0.5:
			return ui.T(ctx, c.down, percent)
		case *c.percent >= 0.5:
			return ui.T(ctx, c.up, percent)
		}
		return ui.T(ctx, c.steady)
	}
	return ""
}

// headFacts returns what the page says below its price.
func (p *Trend) headFacts(ctx context.Context) []string {
	facts := []string{p.changeText(ctx), strings.TrimSuffix(p.Window.SalesText(ctx, p.Sold.SampleSize), ".")}
	if p.Estimate != nil {
		facts[1] = strings.TrimSuffix(p.Estimate.SalesText(ctx), ".")
		facts = append(facts, p.Estimate.SellerText(ctx))
	}
	if p.Active.Count > 0 {
		facts = append(facts, p.forSaleText(ctx))
	}
	return slices.DeleteFunc(facts, func(fact string) bool { return fact == "" })
}

// Widths of a mark, in percent of a narrow and of a wide drawing, and how many rows of marks
// there may be.
const narrowMark, wideMark, rangeRows = 8.4, 2.6, 6

// rangeMark is a listing on the price range.
type rangeMark struct {
	card         *ui.Card
	x            float64 // percent
	narrow, wide int     // row of the mark in a narrow and in a wide drawing, from 0
}

// rangeMarks places listings on the scale, so that none covers another. Those that don't fit
// into the rows are left out.
func rangeMarks(cards []ui.Card, scale priceviews.Scale) []rangeMark {
	var marks []rangeMark
	for i := range cards {
		marks = append(marks, rangeMark{card: &cards[i], x: scale.At(cards[i].Comparable())})
	}
	slices.SortStableFunc(marks, func(a, b rangeMark) int { return cmp.Compare(a.x, b.x) })
	var narrow, wide [rangeRows]float64 // position after the last mark of a row
	row := func(after *[rangeRows]float64, x, width float64) int {
		for i, free := range after {
			if x >= free {
				after[i] = x + width
				return i
			}
		}
		return rangeRows
	}
	for i := range marks {
		marks[i].narrow, marks[i].wide = row(&narrow, marks[i].x, narrowMark), row(&wide, marks[i].x, wideMark)
	}
	return slices.DeleteFunc(marks, func(m rangeMark) bool { return max(m.narrow, m.wide) == rangeRows })
}

// sellRange is what the gear sells for: 80% of sales are from low to high, and half of them from
// halfLow to halfHigh.
type sellRange struct {
	low, halfLow, median, halfHigh, high *models.Money
	about                                string
}

// sellRange returns the range of the estimate, or else of the sales; its median is nil if too
// little is known.
func (p *Trend) sellRange(ctx context.Context) sellRange {
	if e := p.Estimate; e != nil {
		return sellRange{&e.Low, &e.HalfLow, &e.Median, &e.HalfHigh, &e.High, e.RangesText(ctx)}
	}
	s := &p.Sold.Stats
	return sellRange{s.Low, s.P25, s.Median, s.P75, s.High, p.Sold.TextIn(ctx)}
}

// priceRange draws what 80% of the gear sells for as a line, half of it as a box, and the
// listings for sale above it as marks that link to them. It draws nothing without a price.
func (p *Trend) priceRange() templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		r := p.sellRange(ctx)
		if r.median == nil {
			return nil
		}
		prices := []*models.Money{r.low, r.high}
		for i := range p.forSale {
			prices = append(prices, p.forSale[i].Comparable())
		}
		scale := priceviews.NewScale(prices...)
		var b strings.Builder
		b.WriteString(`<figure class="bar gear-range" data-markdown-ignore>`)
		p.drawMarks(ctx, &b, rangeMarks(p.forSale, scale))
		fmt.Fprintf(&b, `<svg role="img" aria-label="%s">`, templ.EscapeString(r.about))
		scale.Line(&b, "range", r.low, r.high, 14)
		scale.Line(&b, "half", r.halfLow, r.halfHigh, 14)
		scale.Mark(&b, "middle", r.median, 0, 28)
		scale.Ends(&b, r.low, r.high, 48, ui.MoneyIn(ctx, *r.low), ui.MoneyIn(ctx, *r.high))
		fmt.Fprintf(&b, `</svg><figcaption>%s</figcaption></figure>`, templ.EscapeString(p.rangeCaption(ctx)))
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// drawMarks writes the listings above the price range.
func (p *Trend) drawMarks(ctx context.Context, b *strings.Builder, marks []rangeMark) {
	if len(marks) == 0 {
		return
	}
	var narrow, wide int
	for _, m := range marks {
		narrow, wide = max(narrow, m.narrow+1), max(wide, m.wide+1)
	}
	fmt.Fprintf(b, `<svg class="gear-marks n%d w%d" role="group" aria-label="%s">`, narrow, wide, templ.EscapeString(ui.T(ctx, "For sale now")))
	for _, m := range marks {
		class := ""
		if m.card.Condition == p.grade() {
			class = " same"
		}
		c := m.card
		fmt.Fprintf(b, `<a href="%s" class="n%d w%d%s"><title>%s</title><circle cx="%s%%" r="6"/></a>`, c.Path(), m.narrow, m.wide, class,
			templ.EscapeString(c.PriceIn(languages.Of(ctx))+", "+c.ConditionIn(languages.Of(ctx))+", "+ui.RegionIn(ctx, c.Region)), priceviews.Coordinate(m.x))
	}
	b.WriteString(`</svg>`)
}

// rangeCaption explains the price range.
func (p *Trend) rangeCaption(ctx context.Context) string {
	text := ui.T(ctx, "Line: 80% of sales. Box: half of them.")
	switch {
	case len(p.forSale) == 0:
		return text
	case p.Grade != "" || p.Estimate == nil:
		return text + " " + ui.T(ctx, "Dots: for sale now.")
	}
	return text + " " + ui.T(ctx, "Dots: for sale now, filled in “%s” condition.", ui.T(ctx, p.grade().Label()))
}
