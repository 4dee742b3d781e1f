package price

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// MarketBar draws an asking price on the scale of the estimate, or else of the sold prices of the same
// gear: a line and in it a box, a stroke for the median and a mark for the asking price. By an
// estimate the line covers 80% of sales and the box half of them; otherwise the line is from the
// lowest to the highest sale and the box from the 25th to the 75th percentile. Positions
// are in percent, so that the drawing stretches and its text does not. It draws nothing
// with too few sales. All is in the currency of the site; of names the sales.
func MarketBar(asked *models.Money, e *Estimate, s *Stats, of string) templ.Component {
	if e == nil && !s.spans() {
		return templ.NopComponent
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		asking := ui.T(ctx, "Asking price %s", ui.MoneyIn(ctx, *asked))
		bar := estimatedBar(ctx, e)
		if e == nil {
			bar = soldBar(ctx, s, ui.T(ctx, of))
		}
		scale := NewScale(bar.low, bar.high, asked)
		about := ui.T(ctx, "Asking price %s: %s", ui.MoneyIn(ctx, *asked), bar.about)
		var b strings.Builder
		fmt.Fprintf(&b, `<figure class="bar"><svg role="img" aria-labelledby="bar-about"><title id="bar-about">%s</title>`, templ.EscapeString(about))
		scale.Line(&b, "range", bar.low, bar.high, 46)
		scale.Line(&b, "half", bar.halfLow, bar.halfHigh, 46)
		scale.Mark(&b, "middle", bar.median, 32, 60)
		scale.Mark(&b, "asked", asked, 24, 64)
		scale.Label(&b, "asked", asked, 16, asking)
		scale.Label(&b, "", bar.median, 80, bar.middle)
		scale.Ends(&b, bar.low, bar.high, 100, bar.from, bar.to)
		fmt.Fprintf(&b, `</svg><figcaption>%s</figcaption></figure>`, templ.EscapeString(bar.caption))
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// spans reports whether s has all figures that a bar shows.
func (s *Stats) spans() bool {
	return s != nil && s.Median != nil && s.P25 != nil && s.P75 != nil && s.Low != nil && s.High != nil
}

// marketBar is what a price bar compares the asking price with, and its texts.
type marketBar struct {
	low, halfLow, median, halfHigh, high *models.Money
	about, middle, from, to, caption     string
}

// soldBar returns the bar of sold prices; of names the sales that it shows.
func soldBar(ctx context.Context, s *Stats, of string) marketBar {
	price := func(m *models.Money) string { return ui.MoneyIn(ctx, *m) }
	return marketBar{
		s.Low, s.P25, s.Median, s.P75, s.High,
		ui.T(ctx, "sold %s between %s and %s; half sold for %s to %s; median %s.", of, price(s.Low), price(s.High), price(s.P25), price(s.P75), price(s.Median)),
		ui.T(ctx, "Median %s", price(s.Median)), price(s.Low), price(s.High),
		ui.TN(ctx, s.SampleSize, "Half of the %s sale %s was between %s and %s.", "Half of the %s sales %s were between %s and %s.", of, price(s.P25), price(s.P75)) +
			" " + ui.T(ctx, "The line runs from the lowest price to the highest."),
	}
}

// estimatedBar returns the bar of an estimate, or an empty one without.
func estimatedBar(ctx context.Context, e *Estimate) marketBar {
	if e == nil {
		return marketBar{}
	}
	caption := ui.T(ctx, "80% of sales are on the line, and half are in the box.")
	return marketBar{&e.Low, &e.HalfLow, &e.Median, &e.HalfHigh, &e.High, e.RangesText(ctx), ui.T(ctx, "Estimate %s", ui.MoneyIn(ctx, e.Median)), ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High), caption}
}
