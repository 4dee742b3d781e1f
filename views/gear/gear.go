// Package gear renders the catalogue and the page of a gear.
package gear

import (
	"context"
	"encoding/csv"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// GearIndex is the page of all brands, of one brand's gear, or of a search in the
// catalogue.
type GearIndex struct {
	Brand      string        `json:"brand,omitempty" jsonschema:"name of the brand, on the page of one brand"`
	BrandSlug  string        `json:"brand_slug,omitempty"`
	Keyword    string        `json:"keyword,omitempty"`
	Total      int           `json:"total" jsonschema:"number of models in the catalogue, of this brand, or found"`
	Brands     []BrandCard   `json:"brands" jsonschema:"all brands; empty on the page of one brand"`
	Gear       []ui.GearCard `json:"gear" jsonschema:"models in the catalogue"`
	NextCursor string        `json:"next_cursor,omitempty"`
	Links      []ui.Link     `json:"links"`
	Notice     string        `json:"notice,omitempty"`
	next       ui.Next
	site       *ui.Site
}

// BrandCard is a brand as the index shows it.
type BrandCard struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Gear    int    `json:"count" jsonschema:"models in the catalogue" min:"0"`
	ForSale int    `json:"for_sale" jsonschema:"listings for sale now"`
	ui.Ref
}

// Method explains how the figures of a trend are calculated.
var Method = languages.Mark("Completed sales only, never asking prices, from the 12 months up to the last sale. We need at least 5 " +
	"sales to show a figure. Changes compare the median of the last 30 or 90 days with the 30 or 90 days " +
	"before; the 12-month change compares the last 90 days with the same 90 days a year earlier. Quartiles are " +
	"interpolated (R-7).")

// NewBrandCard returns a brand as the index shows it. gear and ForSale count its
// models and its listings.
func NewBrandCard(site *ui.Site, slug, name string, gear, forSale int) BrandCard {
	return BrandCard{Slug: slug, Name: name, Gear: gear, ForSale: forSale, Ref: ui.NewRef(ui.GearPath(slug))}
}

// NewGearIndex returns the page of every brand and of the gear with the highest
// number of sales.
func NewGearIndex(site *ui.Site, total int, brands []BrandCard, popular []ui.GearCard) *GearIndex {
	return newGearIndex(site, &GearIndex{Total: total, Brands: brands, Gear: popular})
}

// NewBrandPage returns a page of one brand's gear. total counts all gear of the
// brand.
func NewBrandPage(site *ui.Site, slug, name string, total int, gear []ui.GearCard, next ui.Next) *GearIndex {
	return newGearIndex(site, &GearIndex{Brand: name, BrandSlug: slug, Total: total, Gear: gear, next: next})
}

// NewGearSearch returns a page of a search in the catalogue. total counts all
// results.
func NewGearSearch(site *ui.Site, keyword string, total int, gear []ui.GearCard, next ui.Next) *GearIndex {
	return newGearIndex(site, &GearIndex{Keyword: keyword, Total: total, Gear: gear, next: next})
}

// newGearIndex fills in the notice, the links and the empty lists of p.
func newGearIndex(site *ui.Site, p *GearIndex) *GearIndex {
	p.site, p.Notice, p.NextCursor = site, site.Notice(), p.next.Cursor
	p.Brands = ui.List(p.Brands)
	p.Gear = ui.List(p.Gear)
	p.Links = p.links(context.Background())
	return p
}

func (p *GearIndex) links(ctx context.Context) []ui.Link {
	links := []ui.Link{}
	if next := p.next.Path(p.path()); next != "" {
		links = append(links, ui.Link{Href: next, Label: "Next page"})
	}
	if p.Brand != "" {
		links = append(links, ui.Link{Href: ui.PathOf(search.Filter{Brands: []string{p.BrandSlug}}), Label: ui.T(ctx, "Shop all %s", p.Brand)})
	}
	if p.path() != "/gear" {
		links = append(links, ui.Link{Href: "/gear", Label: "All brands"})
	}
	return append(links, ui.Link{Href: ui.SearchPath, Label: "Shop all"})
}

// After implements web.PagedPage.
func (p *GearIndex) After() string { return p.NextCursor }

// path returns the canonical path of the page.
func (p *GearIndex) path() string {
	switch {
	case p.BrandSlug != "":
		return ui.GearPath(p.BrandSlug)
	case p.Keyword != "":
		return "/gear?keyword=" + string(ui.AppendEscaped(nil, p.Keyword))
	}
	return "/gear"
}

func (p *GearIndex) title(ctx context.Context) string {
	switch {
	case p.Brand != "":
		return p.Brand
	case p.Keyword != "":
		return ui.T(ctx, "Models matching “%s”", p.Keyword)
	}
	return ui.T(ctx, "Cameras and lenses")
}

// lead summarises the page in one sentence.
func (p *GearIndex) lead(ctx context.Context) string {
	count := ui.TN(ctx, p.Total, "%s camera or lens", "%s cameras and lenses")
	switch {
	case p.Brand != "":
		return ui.T(ctx, "%s by %s, with prices.", count, p.Brand)
	case p.Keyword != "":
		return ui.T(ctx, "%s found.", count)
	}
	return ui.T(ctx, "%s by %s, with prices.", count, ui.TN(ctx, len(p.Brands), "%s brand", "%s brands"))
}

// Head implements Page.
func (p *GearIndex) Head(ctx context.Context) ui.Head {
	h := ui.Head{Title: p.title(ctx), Description: p.lead(ctx), Path: p.path(), NoIndex: p.Keyword != ""}
	if p.path() != "/gear" {
		h.Crumbs = []ui.Link{{Href: "/gear", Label: ui.GearCrumb(ctx)}}
	}
	return h
}

// Markdown implements Page.
func (p *GearIndex) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.lead(ctx))
	if p.NextCursor != "" {
		m.More(ui.WithCursor(p.path(), p.NextCursor))
	}
	if len(p.Brands) > 0 {
		m.Section("Brands")
		m.Head("Brand", "Models", "For sale")
		for _, b := range p.Brands {
			m.Row(m.Link(ui.Link{Href: ui.GearPath(b.Slug), Label: b.Name}), ui.NumberIn(ctx, b.Gear), ui.NumberIn(ctx, b.ForSale))
		}
	}
	if len(p.Gear) > 0 {
		m.Section("Gear")
		m.GearTable(p.Gear)
	}
	m.Links(p.links(ctx))
	return m.Done(w)
}

// NewTrend returns the page of one gear.
func NewTrend(site *ui.Site, parts TrendParts) *Trend {
	g, t := parts.Gear, parts.Trend
	if t == nil {
		t = &prices.Trend{}
	}
	p := &Trend{
		Gear: g.Slug(), Name: g.Name(), Brand: g.Brand, Model: g.Model, Aliases: ui.List(g.Aliases), Category: g.Category,
		Specs: ui.SpecsOf(g), Basis: "sold", Window: priceviews.NewWindow(site, t), Summary: priceviews.NewStats(site, t.Summary), Sold: priceviews.NewSold(site, t, t.Summary),
		ByCondition: make([]priceviews.ConditionStats, 0, len(models.Conditions)), Series: make([]priceviews.Month, 0, len(t.Months)), Change: priceviews.NewChange(t),
		Estimate: priceviews.NewEstimate(site, parts.Estimate, t), Estimates: priceviews.NewGradePrices(site, parts.Grades, 0), Depreciation: priceviews.NewDepreciation(parts.Index, g),
		Active:     priceviews.Active{Count: parts.Active, Lowest: site.Money(parts.Lowest), Average: site.Money(parts.Average)},
		Confidence: priceviews.Confidence(t.Summary.Count), Method: Method, Counting: priceviews.NewCounting(t), Listings: ui.List(parts.Listings[:min(len(parts.Listings), maxListings)]), Photos: ui.List(parts.Photos), forSale: parts.Listings, inGrade: parts.InGrade, highest: parts.Highest,
		Ref: ui.NewRef(ui.GearPath(g.Slug())), Demo: site.Demo(), Notice: site.Notice(), site: site,
	}
	for _, c := range models.Conditions {
		p.ByCondition = append(p.ByCondition, priceviews.ConditionStats{Condition: c, Label: c.Label(), Stats: priceviews.NewStats(site, t.ByCondition[c])})
	}
	p.Sold.AddRecent(site, parts.Recent)
	p.setSeries(t.Months, &parts)
	p.medians = priceviews.Medians(t.Months)
	p.Photo = bestPhoto(parts.Listings, parts.Photos)
	if g := parts.Gear; g.Picture != "" {
		p.Photo = gearPicture(site, g)
	}
	p.Fits = newFits(g, parts.Fits, parts.Popularity)
	p.Sources = sourcesOf(g, p.Specs)
	p.Links = p.links(context.Background())
	return p
}

// setSeries sets the months that the page shows, given those of all conditions.
func (p *Trend) setSeries(all []prices.TrendMonth, parts *TrendParts) {
	p.Years, p.Grade = parts.Years, parts.Grade
	if len(all) == 0 {
		return
	}
	last := all[len(all)-1].Month
	p.months = int(last-all[0].Month) + 1
	recent := func(months []prices.TrendMonth) (series []priceviews.Month) {
		for _, month := range months {
			if p.Years == 0 || last-month.Month < models.MonthKey(12*p.Years) {
				series = append(series, priceviews.NewMonth(p.site, month))
			}
		}
		return series
	}
	if p.Grade == "" {
		p.Series = ui.List(recent(all))
		return
	}
	p.Series, p.overall = ui.List(recent(parts.Months)), recent(all)
}

// gearPicture returns the owner's picture of gear. Its name ends with its size.
func gearPicture(site *ui.Site, g *catalog.Gear) *ui.Photo {
	p := &ui.Photo{Src: site.URL(ui.GearPicturePath(g.Picture)), Alt: g.Name()}
	_, size, _ := strings.Cut(g.Picture, "-")
	width, height, _ := strings.Cut(size, "x")
	p.Width, _ = strconv.Atoi(width)
	p.Height, _ = strconv.Atoi(height)
	p.SrcSet = p.Src + " " + width + "w"
	return p
}

// bestPhoto returns the photo of the listing in the best condition, uploaded ones before
// demonstration ones, or else the first photo taken with the gear; nil if there is none.
func bestPhoto(listings []ui.Card, taken []portfolioviews.PhotoCard) *ui.Photo {
	var best *ui.Card
	for i := range listings {
		c := &listings[i]
		if c.Photo != nil && (best == nil || best.Demo && !c.Demo || best.Demo == c.Demo && c.Condition.Rank() > best.Condition.Rank()) {
			best = c
		}
	}
	switch {
	case best != nil:
		return best.Photo
	case len(taken) > 0:
		return &taken[0].Picture.Photo
	}
	return nil
}

// allForSale links to every listing of the gear.
func (p *Trend) allForSale(ctx context.Context) ui.Link {
	return ui.Link{Href: ui.PathOf(search.Filter{Model: p.Gear}), Label: ui.T(ctx, "All %s", ui.NumberIn(ctx, p.Active.Count))}
}

func (p *Trend) links(ctx context.Context) []ui.Link {
	brand, _, _ := strings.Cut(p.Gear, "/")
	links := []ui.Link{
		{Href: ui.PathOf(search.Filter{Model: p.Gear}), Label: ui.T(ctx, "Shop all %s", p.Name)},
		{Href: ui.GearPath(p.Gear) + ".csv", Label: "Monthly data (CSV)"},
		{Href: ui.GearPath(p.Gear) + ".svg", Label: "Chart (SVG)"},
		{Href: ui.PricesPath(p.Gear, "", ""), Label: "Check a price"},
		{Href: ui.ComparePath(p.Gear), Label: "Compare with another model"},
		{Href: ui.GearPath(brand), Label: ui.T(ctx, "All %s gear", p.Brand)},
		{Href: ui.AccuracyPath, Label: "Accuracy of the estimates"},
		{Href: "/guides/condition-grades", Label: "What each condition means"},
	}
	if len(p.Photos) > 0 {
		links = append(links, p.photosLink())
	}
	return links
}

// photosLink links to every portfolio photo taken with the gear.
func (p *Trend) photosLink() ui.Link {
	f := portfolio.Filter{Camera: p.Gear}
	if p.Category.Family() == models.FamilyLens {
		f = portfolio.Filter{Lens: p.Gear}
	}
	return ui.Link{Href: ui.FilterPath(f), Label: "See photographs taken with it"}
}

// searchPath returns the path of the search for this gear, in the condition of the page.
func (p *Trend) searchPath() string {
	f := search.Filter{Model: p.Gear}
	if p.Grade != "" {
		f.Conditions = []models.Condition{p.Grade}
	}
	return ui.PathOf(f)
}

// Head implements Page.
func (p *Trend) Head(ctx context.Context) ui.Head {
	brand, _, _ := strings.Cut(p.Gear, "/")
	return ui.Head{
		Title:       ui.T(ctx, "%s: used price and listings", p.Name),
		Description: p.lead(ctx),
		Path:        ui.GearPath(p.Gear),
		Crumbs:      []ui.Link{{Href: "/gear", Label: ui.GearCrumb(ctx)}, {Href: ui.GearPath(brand), Label: p.Brand}},
		Alternates: append([]ui.Alternate{{Href: ui.GearPath(p.Gear) + ".csv", Type: "text/csv"}, {Href: ui.GearPath(p.Gear) + ".svg", Type: "image/svg+xml"},
			{Href: ui.OEmbedPath + "?url=" + url.QueryEscape(p.site.URL(ui.GearPath(p.Gear))), Type: "application/json+oembed"}},
			ui.FeedAlternates(ui.SearchPath+"?model="+p.Gear)...),
	}
}

// lead states the price: the estimate, or else what it sold for.
func (p *Trend) lead(ctx context.Context) string {
	e := p.Estimate
	switch {
	case e != nil:
		return ui.T(ctx, "The %s sells for about %s in “%s” condition. 80%% sell for %s to %s.", p.Name, ui.MoneyIn(ctx, e.Median), ui.T(ctx, e.Condition.Label()), ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High))
	case p.Sold.Median == nil:
		return p.Sold.FewText(ctx) + " " + p.Sold.TextIn(ctx)
	}
	return p.Sold.TextIn(ctx)
}

// forSaleText summarises the listings: "From €560 · 26 for sale".
func (p *Trend) forSaleText(ctx context.Context) string {
	return ui.T(ctx, "From %s · %s for sale", ui.MoneyOrIn(ctx, p.Active.Lowest, "–"), ui.NumberIn(ctx, p.Active.Count))
}

// alertPath returns the path of the form that saves the search for the gear.
func (p *Trend) alertPath() string {
	return ui.SearchesPath + "/new?query=" + string(ui.AppendEscaped(nil, "model="+p.Gear))
}

// sold returns the conditions with enough sales to state prices.
func (p *Trend) sold() []priceviews.ConditionStats {
	return slices.DeleteFunc(slices.Clone(p.ByCondition), func(c priceviews.ConditionStats) bool { return c.Median == nil })
}

// fewText names the conditions with too few sales, "" if there are none.
func (p *Trend) fewText(ctx context.Context) string {
	var few []string
	for i := range p.ByCondition {
		if c := &p.ByCondition[i]; c.Median == nil {
			few = append(few, ui.T(ctx, c.Label)+" ("+c.SoldText(ctx)+")")
		}
	}
	if len(few) == 0 {
		return ""
	}
	return ui.T(ctx, "Not enough sales for a price: %s.", strings.Join(few, ", "))
}

// seriesHeading says what the series shows: "Sold by month, excellent".
func (p *Trend) seriesHeading(ctx context.Context) string {
	if p.Grade == "" {
		return ui.T(ctx, "Sold by month")
	}
	return ui.T(ctx, "Sold by month: %s", ui.WithinSentence(ctx, p.Grade.Label()))
}

// seriesPath returns the path of the page with a series of the last years, 0 for all, in
// one condition, "" for all.
func (p *Trend) seriesPath(years int, grade models.Condition) string {
	q := url.Values{}
	if years > 0 {
		q.Set("years", strconv.Itoa(years))
	}
	if grade != "" {
		q.Set("condition", string(grade))
	}
	if len(q) == 0 {
		return ui.GearPath(p.Gear)
	}
	return ui.GearPath(p.Gear) + "?" + q.Encode()
}

// formatPath returns the path of the series in another format.
func (p *Trend) formatPath(suffix string) string {
	path, query, _ := strings.Cut(p.seriesPath(p.Years, p.Grade), "?")
	if query == "" {
		return path + suffix
	}
	return path + suffix + "?" + query
}

// chartChoice is a link to another series of the chart.
type chartChoice struct {
	label, path string
	active      bool
}

// ranges lists the periods of the chart that differ from all months.
func (p *Trend) ranges(ctx context.Context) []chartChoice {
	var all []chartChoice
	for _, years := range []int{1, 5} {
		if p.months > 12*years {
			all = append(all, chartChoice{ui.TN(ctx, years, "%s year", "%s years"), p.seriesPath(years, p.Grade), p.Years == years})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return append(all, chartChoice{ui.T(ctx, "All"), p.seriesPath(0, p.Grade), p.Years == 0})
}

// grades lists the conditions whose prices the chart can show besides all: that of the page, whose
// menu has the others, or each of them without a menu.
func (p *Trend) grades(ctx context.Context) []chartChoice {
	var all []chartChoice
	for i := range p.ByCondition {
		if c := &p.ByCondition[i]; (c.Condition == p.grade() || len(p.Estimates) == 0) && (c.Median != nil || c.Condition == p.Grade) {
			all = append(all, chartChoice{ui.T(ctx, c.Label), p.seriesPath(p.Years, c.Condition), c.Condition == p.Grade})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return append([]chartChoice{{ui.T(ctx, "All conditions"), p.seriesPath(p.Years, ""), p.Grade == ""}}, all...)
}

// gearPhotoSizes is the sizes attribute of the photo at the top of the page. On phones it
// is half the real width, so that a dense screen loads the medium size.
const gearPhotoSizes = "(min-width: 52rem) 20rem, 50vw"

// soldText says what it sold for, and how the median changed.
func (p *Trend) soldText(ctx context.Context) string {
	if p.Window.To == "" {
		return p.Sold.TextIn(ctx)
	}
	return p.Sold.TextIn(ctx) + " " + p.Change.TextIn(ctx)
}

// soldRows returns the figures of all conditions and of those with enough sales.
func (p *Trend) soldRows() []priceviews.ConditionStats {
	if p.Summary.Median == nil {
		return nil
	}
	return append([]priceviews.ConditionStats{{Label: languages.Mark("All conditions"), Stats: p.Summary}}, p.sold()...)
}

// ActiveFacts returns the current asking prices for display.
func (p *Trend) ActiveFacts(ctx context.Context) []ui.Fact {
	return []ui.Fact{
		{Name: "For sale", Value: ui.NumberIn(ctx, p.Active.Count)},
		{Name: "Lowest asking price", Value: ui.MoneyOrIn(ctx, p.Active.Lowest, "–")},
		{Name: "Average asking price", Value: ui.MoneyOrIn(ctx, p.Active.Average, "–")},
	}
}

// Markdown implements Page.
func (p *Trend) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.Name, ui.T(ctx, p.Notice)).In(ctx)
	if p.Estimate == nil {
		m.Paragraph(p.lead(ctx))
	}
	priceviews.WriteEstimate(m, p.Estimate)
	if change := p.changeText(ctx); change != "" {
		m.Paragraph(change + ".")
	}
	if p.Active.Count > 0 {
		m.Paragraph(p.forSaleText(ctx) + ".")
	}
	if len(p.Aliases) > 0 {
		m.Paragraph(ui.T(ctx, "Also known as: %s.", strings.Join(p.Aliases, ", ")))
	}
	priceviews.WriteGradePrices(m, p.Estimates)
	m.Section("Asking prices")
	m.FactRows(p.ActiveFacts(ctx))
	m.Section("What it sold for")
	m.Raw(ui.MarkdownText(p.soldText(ctx)), "\n")
	priceviews.WriteDepreciation(m, p.Depreciation)
	if sold := p.soldRows(); len(sold) > 0 {
		m.Raw("\n")
		priceviews.WriteStatsHead(m, "Condition")
		for i := range sold {
			priceviews.WriteStatsRow(m, sold[i].Label, &sold[i].Stats)
		}
		m.Raw("\n")
	}
	if few := p.fewText(ctx); few != "" {
		m.Paragraph(few)
	}
	priceviews.WriteRecent(m, p.Sold.Recent)
	m.Cards("For sale now", p.Listings)
	portfolioviews.WritePhotoTable(m, "Photographs taken with it", p.Photos)
	m.Specs(p.Specs)
	for i := range p.Sources {
		m.Raw("- ", ui.MarkdownText(p.Sources[i].text(ctx)), "\n")
	}
	writeFits(m, p.Fits)
	m.Section(p.seriesHeading(ctx))
	priceviews.WriteMonths(m, p.Series)
	writeForecast(m, p.Estimate)
	m.Section("Method")
	m.Raw(ui.MarkdownText(ui.T(ctx, p.Method)), "\n")
	m.Section("Which sales we count")
	m.Raw(ui.MarkdownText(ui.T(ctx, p.Counting.Rules)), "\n\n")
	for _, sentence := range p.Counting.Sentences(ctx) {
		m.Paragraph(sentence)
	}
	m.Links(p.links(ctx))
	return m.Done(w)
}

// writeForecast writes the coming months, nothing without any.
func writeForecast(m *ui.Markdown, e *priceviews.Estimate) {
	months := e.Months()
	if len(months) == 0 {
		return
	}
	m.Section(forecastHeading(m.Context, e))
	m.Head(forecastHead...)
	for i := range months {
		m.Row(append([]string{ui.MonthIn(m.Context, months[i].Period)}, months[i].Cells(m.Context)...)...)
	}
}

// forecastHead names the columns of the table of a forecast.
var forecastHead = []string{languages.Mark("Month"), languages.Mark("Median"), languages.Mark("80% from"), languages.Mark("to")}

// forecastHeading returns the heading of a forecast.
func forecastHeading(ctx context.Context, e *priceviews.Estimate) string {
	return ui.T(ctx, "Forecast for “%s” condition", ui.T(ctx, e.Condition.Label()))
}

// CSV writes the monthly series as CSV (RFC 4180), and then the forecast, whose status is
// "forecast". Amounts are decimals, empty when there are too few sales. Each row says
// whether it is demonstration data.
func (p *Trend) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	c.Write([]string{"period", "status", "count", "average", "median", "p25", "p75", "currency", "condition", "low", "high", "demo"})
	currency, demo := p.site.Currency().Code, strconv.FormatBool(p.Demo)
	for i := range p.Series {
		s := &p.Series[i]
		c.Write([]string{s.Period, s.Status, strconv.Itoa(s.Count), ui.Amount(s.Average), ui.Amount(s.Median), ui.Amount(s.P25), ui.Amount(s.P75), currency, string(p.Grade), "", "", demo})
	}
	forecast := p.Estimate.Months()
	for i := range forecast {
		f := &forecast[i]
		c.Write([]string{f.Period, "forecast", "0", "", f.Median.Amount, "", "", currency, string(p.Estimate.Condition), f.Low.Amount, f.High.Amount, demo})
	}
	c.Flush()
	return c.Error()
}

// gearHeading returns the heading of the gear table.
func (p *GearIndex) gearHeading() string {
	if len(p.Brands) > 0 {
		return languages.Mark("Most sold")
	}
	return languages.Mark("Cameras and lenses")
}

// Schema describes the gear as a product with its current asking prices, nil without
// listings.
func (p *Trend) Schema() ui.Thing {
	if p.Demo || p.Active.Count == 0 || p.Active.Lowest == nil {
		return nil
	}
	highest := ""
	if p.highest > 0 {
		highest = p.site.Currency().Decimal(p.highest)
	}
	return ui.NewThing("Product", "name", p.Name, "description", p.lead(context.Background()), "sku", p.Gear, "url", p.site.URL(p.Page), "category", p.Category.Label(),
		"brand", ui.BrandThing(p.Brand), "model", p.Model, "image", p.site.URL(ui.PreviewPathOf(context.Background(), p.site, p)),
		"offers", ui.NewThing("AggregateOffer", "offerCount", p.Active.Count, "lowPrice", p.Active.Lowest.Amount, "highPrice", highest, "priceCurrency", p.Active.Lowest.Currency,
			"availability", "https://schema.org/InStock", "url", p.site.URL(p.Page)))
}

// Schema describes the gear of the page as a list.
func (p *GearIndex) Schema() ui.Thing {
	urls := ui.Each(p.Gear, func(c *ui.GearCard) string { return p.site.URL(c.Page) })
	return ui.ItemList(p.title(context.Background()), p.Total, urls)
}

func (p *Trend) Preview(ctx context.Context) ui.Preview {
	v := ui.Preview{Kind: ui.T(ctx, "Price history"), Title: p.Name, Demo: p.Demo}
	switch e := p.Estimate; {
	case e != nil:
		v.Price = ui.MoneyIn(ctx, e.Median)
		v.Lines = []string{ui.T(ctx, "%s, estimated", ui.T(ctx, e.Condition.Label())), ui.T(ctx, "80%% sell for %s to %s", ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High))}
	case p.Summary.Median != nil:
		v.Price = ui.MoneyIn(ctx, *p.Summary.Median)
		v.Lines = []string{ui.T(ctx, "Median, %s in %s", ui.TN(ctx, p.Summary.SampleSize, "%s sale", "%s sales"), p.Window.TextIn(ctx))}
	default:
		v.Lines = []string{p.lead(ctx)}
	}
	v.Trend = p.medians
	return v
}
