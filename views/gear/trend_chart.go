package gear

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/a-h/templ"
	"github.com/secondlight/secondlight/content/languages"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// SVG writes the chart as a standalone SVG file with its own light and dark colours.
func (p *Trend) SVG(ctx context.Context, w io.Writer) error {
	const width, height, head = 880, 330, 34
	title, about := p.chartAbout(ctx)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title about"><title id="title">%s</title><desc id="about">%s</desc>%s`,
		width, height+head, templ.EscapeString(title), templ.EscapeString(about), priceviews.ChartStyle)
	fmt.Fprintf(&b, `<text class="name" x="14" y="24">%s</text>`, templ.EscapeString(p.svgHeading(ctx, title)))
	if c := priceviews.NewChart(languages.Of(ctx), p.chartData(), width, height); c != nil {
		fmt.Fprintf(&b, `<g transform="translate(0 %d)">`, head)
		c.Draw(&b, p.site.Currency().Code)
		b.WriteString(`</g>`)
	} else {
		fmt.Fprintf(&b, `<text x="14" y="60">%s</text>`, templ.EscapeString(about))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Chart renders the chart for a page.
func (p *Trend) Chart() templ.Component {
	return priceviews.SeriesChart(p.chartData(), p.site.Currency().Code, p.chartAbout)
}

// chartAbout returns the accessible title and description of the chart.
func (p *Trend) chartAbout(ctx context.Context) (title, description string) {
	title = ui.T(ctx, "Sold prices of the %s by month", p.Name)
	if p.Grade != "" {
		title = ui.T(ctx, "Sold prices of the %s in %s condition by month", p.Name, ui.WithinSentence(ctx, p.Grade.Label()))
	}
	description = priceviews.SeriesAbout(ctx, p.Series)
	if forecast := p.Estimate.ForecastText(ctx); forecast != "" {
		description += " " + forecast
	}
	return title, description
}

// chartCaption explains the chart.
func (p *Trend) chartCaption(ctx context.Context) string {
	if len(p.Estimate.Months()) > 0 {
		return p.soldCaption(ctx) + " " + ui.T(ctx, "The fan shows the forecast for “%s” condition. We expect 80%% of sales to fall within it.", ui.T(ctx, p.Estimate.Condition.Label()))
	}
	return p.soldCaption(ctx)
}

func (p *Trend) chartData() priceviews.ChartData {
	return priceviews.ChartData{Months: p.Series, Overall: p.overall, Fan: p.Estimate}
}

// soldCaption explains what the chart shows of sales.
func (p *Trend) soldCaption(ctx context.Context) string {
	if p.Grade != "" {
		return ui.T(ctx, "Solid line: monthly median in %s condition. Shaded band: middle half of prices. Dashed line: median for all conditions. Completed sales only.",
			ui.WithinSentence(ctx, p.Grade.Label()))
	}
	return ui.T(ctx, "The line is the monthly median; the shaded band covers the middle half of prices. Completed sales only.")
}

// svgHeading returns the heading inside the file, which names the site and marks
// demonstration data.
func (p *Trend) svgHeading(ctx context.Context, title string) string {
	if p.Notice != "" {
		title += " (" + ui.T(ctx, "demo data") + ")"
	}
	return title + " – " + p.site.Name()
}
