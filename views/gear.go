package views

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
)

// GearIndex is the page of all brands, of one brand's gear, or of a search in the
// catalogue.
type GearIndex struct {
	Brand      string      `json:"brand,omitempty" jsonschema:"name of the brand, on the page of one brand"`
	BrandSlug  string      `json:"brand_slug,omitempty"`
	Keyword    string      `json:"keyword,omitempty"`
	Total      int         `json:"total" jsonschema:"number of models in the catalogue, of this brand, or found"`
	Brands     []BrandCard `json:"brands" jsonschema:"all brands; empty on the page of one brand"`
	Gear       []GearCard  `json:"gear" jsonschema:"models in the catalogue"`
	NextCursor string      `json:"next_cursor,omitempty"`
	Links      []Link      `json:"links"`
	Notice     string      `json:"notice,omitempty"`
	next       Next
	site       *Site
}

// BrandCard is a brand as the index shows it.
type BrandCard struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Gear    int    `json:"count" jsonschema:"models in the catalogue" min:"0"`
	ForSale int    `json:"for_sale" jsonschema:"listings for sale now"`
	Ref
}

// Method explains how the figures of a trend are calculated.
var Method = languages.Mark("Completed sales only, never asking prices. The window is the 12 months that end with the last sale. " +
	"Median and quartiles are interpolated between neighbouring prices (R-7). " +
	"A figure needs at least 5 sales; with fewer there is none. " +
	"A change compares the median of the last 30 or 90 days with that of the 30 or 90 days before, and over 12 months the last 90 days with the same days a year earlier.")

// NewBrandCard returns a brand as the index shows it. gear and forSale count its
// models and its listings.
func NewBrandCard(site *Site, slug, name string, gear, forSale int) BrandCard {
	return BrandCard{Slug: slug, Name: name, Gear: gear, ForSale: forSale, Ref: newRef(gearPath(slug))}
}

// NewGearIndex returns the page of every brand and of the gear with the highest
// number of sales.
func NewGearIndex(site *Site, total int, brands []BrandCard, popular []GearCard) *GearIndex {
	return newGearIndex(site, &GearIndex{Total: total, Brands: brands, Gear: popular})
}

// NewBrandPage returns a page of one brand's gear. total counts all gear of the
// brand.
func NewBrandPage(site *Site, slug, name string, total int, gear []GearCard, next Next) *GearIndex {
	return newGearIndex(site, &GearIndex{Brand: name, BrandSlug: slug, Total: total, Gear: gear, next: next})
}

// NewGearSearch returns a page of a search in the catalogue. total counts all
// results.
func NewGearSearch(site *Site, keyword string, total int, gear []GearCard, next Next) *GearIndex {
	return newGearIndex(site, &GearIndex{Keyword: keyword, Total: total, Gear: gear, next: next})
}

// newGearIndex fills in the notice, the links and the empty lists of p.
func newGearIndex(site *Site, p *GearIndex) *GearIndex {
	p.site, p.Notice, p.NextCursor = site, site.notice(), p.next.Cursor
	p.Brands = list(p.Brands)
	p.Gear = list(p.Gear)
	p.Links = p.links(context.Background())
	return p
}

func (p *GearIndex) links(ctx context.Context) []Link {
	links := []Link{}
	if next := p.next.path(p.path()); next != "" {
		links = append(links, Link{next, "Next page"})
	}
	if p.Brand != "" {
		links = append(links, Link{pathOf(search.Filter{Brands: []string{p.BrandSlug}}), t(ctx, "Everything by %s for sale", p.Brand)})
	}
	if p.path() != "/gear" {
		links = append(links, Link{"/gear", "All brands"})
	}
	return append(links, Link{searchPath, "Shop all"})
}

// After implements web.PagedPage.
func (p *GearIndex) After() string { return p.NextCursor }

// path returns the canonical path of the page.
func (p *GearIndex) path() string {
	switch {
	case p.BrandSlug != "":
		return gearPath(p.BrandSlug)
	case p.Keyword != "":
		return "/gear?keyword=" + string(appendEscaped(nil, p.Keyword))
	}
	return "/gear"
}

func (p *GearIndex) title(ctx context.Context) string {
	switch {
	case p.Brand != "":
		return p.Brand
	case p.Keyword != "":
		return t(ctx, "Gear like “%s”", p.Keyword)
	}
	return t(ctx, "Cameras and lenses")
}

// lead summarises the page in one sentence.
func (p *GearIndex) lead(ctx context.Context) string {
	count := tn(ctx, p.Total, "%s camera or lens", "%s cameras and lenses")
	switch {
	case p.Brand != "":
		return t(ctx, "%s by %s, with what each sold for in the last 12 months.", count, p.Brand)
	case p.Keyword != "":
		return t(ctx, "%s found in the catalogue.", count)
	}
	return t(ctx, "%s by %s, each with what it sold for.", count, tn(ctx, len(p.Brands), "%s brand", "%s brands"))
}

// Head implements Page.
func (p *GearIndex) Head(ctx context.Context) Head {
	h := Head{Title: p.title(ctx), Description: p.lead(ctx), Path: p.path(), NoIndex: p.Keyword != ""}
	if p.path() != "/gear" {
		h.Crumbs = []Link{{"/gear", gearCrumb(ctx)}}
	}
	return h
}

// Markdown implements Page.
func (p *GearIndex) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.title(ctx), t(ctx, p.Notice)).in(ctx)
	m.text(p.lead(ctx))
	if p.NextCursor != "" {
		m.more(withCursor(p.path(), p.NextCursor))
	}
	if len(p.Brands) > 0 {
		m.section("Brands")
		m.head("Brand", "Models", "For sale")
		for _, b := range p.Brands {
			m.row(m.link(Link{gearPath(b.Slug), b.Name}), numberIn(ctx, b.Gear), numberIn(ctx, b.ForSale))
		}
	}
	if len(p.Gear) > 0 {
		m.section("Gear")
		m.gearTable(p.Gear)
	}
	m.links(p.links(ctx))
	return m.done(w)
}

// NewTrend returns the page of one gear.
func NewTrend(site *Site, parts TrendParts) *Trend {
	g, t := parts.Gear, parts.Trend
	if t == nil {
		t = &prices.Trend{}
	}
	p := &Trend{
		Gear: g.Slug(), Name: g.Name(), Brand: g.Brand, Model: g.Model, Aliases: list(g.Aliases), Category: g.Category,
		Specs: specsOf(g), Basis: "sold", Window: newWindow(t), Summary: newStats(site, t.Summary),
		ByCondition: make([]ConditionStats, 0, len(models.Conditions)), Series: make([]Month, 0, len(t.Months)), Change: newChange(t),
		Estimate: newEstimate(site, parts.Estimate), Depreciation: newDepreciation(parts.Index, g),
		Active:     Active{parts.Active, site.money(parts.Lowest), site.money(parts.Average)},
		Confidence: confidence(t.Summary.Count), Method: Method, Counting: newCounting(t), Listings: list(parts.Listings), Photos: list(parts.Photos),
		Ref: newRef(gearPath(g.Slug())), Demo: site.Demo(), Notice: site.notice(), site: site,
	}
	for _, c := range models.Conditions {
		p.ByCondition = append(p.ByCondition, ConditionStats{c, c.Label(), newStats(site, t.ByCondition[c])})
	}
	p.setSeries(t.Months, &parts)
	p.medians = medians(t.Months)
	p.Photo = bestPhoto(parts.Listings, parts.Photos)
	if g := parts.Gear; g.Picture != "" {
		p.Photo = gearPicture(site, g)
	}
	p.Fits = newFits(g, parts.Fits, parts.Popularity)
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
	recent := func(months []prices.TrendMonth) (series []Month) {
		for _, month := range months {
			if p.Years == 0 || last-month.Month < models.MonthKey(12*p.Years) {
				series = append(series, newMonth(p.site, month))
			}
		}
		return series
	}
	if p.Grade == "" {
		p.Series = list(recent(all))
		return
	}
	p.Series, p.overall = list(recent(parts.Months)), recent(all)
}

// gearPicture returns the owner's picture of gear. Its name ends with its size.
func gearPicture(site *Site, g *catalog.Gear) *Photo {
	p := &Photo{Src: site.URL(gearPicturePath(g.Picture)), Alt: g.Name()}
	_, size, _ := strings.Cut(g.Picture, "-")
	width, height, _ := strings.Cut(size, "x")
	p.Width, _ = strconv.Atoi(width)
	p.Height, _ = strconv.Atoi(height)
	p.SrcSet = p.Src + " " + width + "w"
	return p
}

// bestPhoto returns the photo of the listing in the best condition, uploaded ones before
// demonstration ones, or else the first photo taken with the gear; nil if there is none.
func bestPhoto(listings []Card, taken []PhotoCard) *Photo {
	var best *Card
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

func newWindow(t *prices.Trend) Window {
	var w Window
	if t.AsOf != 0 {
		w.From, w.To = day(t.WindowFrom), day(t.AsOf)
	}
	w.Text = w.text(context.Background())
	return w
}

// allForSale links to every listing of the gear.
func (p *Trend) allForSale(ctx context.Context) Link {
	return Link{p.searchPath(), t(ctx, "All %s", numberIn(ctx, p.Active.Count))}
}

func (p *Trend) links(ctx context.Context) []Link {
	brand, _, _ := strings.Cut(p.Gear, "/")
	links := []Link{
		{p.searchPath(), t(ctx, "Every %s for sale", p.Name)},
		{gearPath(p.Gear) + ".csv", "The months as CSV"},
		{gearPath(p.Gear) + ".svg", "The chart as SVG"},
		{pricesPath(p.Gear, "", ""), "Check a price"},
		{comparePath(p.Gear), "Compare with another model"},
		{gearPath(brand), t(ctx, "All gear by %s", p.Brand)},
		{accuracyPath, "Accuracy of the estimates"},
		{"/guides/condition-grades", "What the grades mean"},
	}
	if len(p.Photos) > 0 {
		links = append(links, p.photosLink())
	}
	return links
}

// photosLink links to every portfolio photo taken with the gear.
func (p *Trend) photosLink() Link {
	f := portfolio.Filter{Camera: p.Gear}
	if p.Category.Family() == models.FamilyLens {
		f = portfolio.Filter{Lens: p.Gear}
	}
	return Link{filterPath(f), "Every photograph taken with it"}
}

// searchPath returns the path of the search for this gear.
func (p *Trend) searchPath() string { return pathOf(search.Filter{Model: p.Gear}) }

// Head implements Page.
func (p *Trend) Head(ctx context.Context) Head {
	brand, _, _ := strings.Cut(p.Gear, "/")
	return Head{
		Title:       t(ctx, "%s: used price and listings", p.Name),
		Description: p.lead(ctx),
		Path:        gearPath(p.Gear),
		Crumbs:      []Link{{"/gear", gearCrumb(ctx)}, {gearPath(brand), p.Brand}},
		Alternates: append([]Alternate{{gearPath(p.Gear) + ".csv", "text/csv"}, {gearPath(p.Gear) + ".svg", "image/svg+xml"}},
			feedAlternates(searchPath+"?model="+p.Gear)...),
	}
}

// lead summarises the price and its change in one sentence.
func (p *Trend) lead(ctx context.Context) string {
	if p.Summary.Median == nil {
		return t(ctx, "Too few sales of the %s to say what it is worth: %s in %s.", p.Name, tn(ctx, p.Summary.SampleSize, "%s sale", "%s sales"), p.window(ctx))
	}
	price, of := moneyIn(ctx, *p.Summary.Median), tn(ctx, p.Summary.SampleSize, "%s sale", "%s sales")
	if p.Change.Days90 == nil {
		return t(ctx, "The %s sells for %s (median of %s in %s).", p.Name, price, of, p.window(ctx))
	}
	return t(ctx, "The %s sells for %s (median of %s in %s), %s: %s in 90 days.", p.Name, price, of, p.window(ctx),
		t(ctx, words(p.Change.Direction)), percentIn(ctx, *p.Change.Days90))
}

// window describes the period the summary covers.
func (p *Trend) window(ctx context.Context) string {
	if p.Window.To == "" {
		return t(ctx, "all")
	}
	return p.Window.text(ctx)
}

// forSaleText summarises the listings: "From €560 · 26 for sale".
func (p *Trend) forSaleText(ctx context.Context) string {
	return t(ctx, "From %s · %s for sale", moneyOrIn(ctx, p.Active.Lowest, "–"), numberIn(ctx, p.Active.Count))
}

// alertPath returns the path of the form that saves the search for the gear.
func (p *Trend) alertPath() string {
	return searchesPath + "/new?query=" + string(appendEscaped(nil, "model="+p.Gear))
}

// sold returns the conditions with enough sales to state prices.
func (p *Trend) sold() []ConditionStats {
	return slices.DeleteFunc(slices.Clone(p.ByCondition), func(c ConditionStats) bool { return c.Median == nil })
}

// fewText names the conditions with too few sales, "" if there are none.
func (p *Trend) fewText(ctx context.Context) string {
	var few []string
	for i := range p.ByCondition {
		if c := &p.ByCondition[i]; c.Median == nil {
			few = append(few, t(ctx, c.Label)+" ("+c.soldText(ctx)+")")
		}
	}
	if len(few) == 0 {
		return ""
	}
	return t(ctx, "Too few sales to state a price: %s.", strings.Join(few, ", "))
}

// seriesHeading says what the series shows: "Sold by month, excellent".
func (p *Trend) seriesHeading(ctx context.Context) string {
	if p.Grade == "" {
		return t(ctx, "Sold by month")
	}
	return t(ctx, "Sold by month: %s", withinSentence(ctx, p.Grade.Label()))
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
		return gearPath(p.Gear)
	}
	return gearPath(p.Gear) + "?" + q.Encode()
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
			all = append(all, chartChoice{tn(ctx, years, "%s year", "%s years"), p.seriesPath(years, p.Grade), p.Years == years})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return append(all, chartChoice{t(ctx, "All"), p.seriesPath(0, p.Grade), p.Years == 0})
}

// grades lists the conditions whose prices the chart can show.
func (p *Trend) grades(ctx context.Context) []chartChoice {
	var all []chartChoice
	for i := range p.ByCondition {
		if c := &p.ByCondition[i]; c.Median != nil || c.Condition == p.Grade {
			all = append(all, chartChoice{t(ctx, c.Label), p.seriesPath(p.Years, c.Condition), c.Condition == p.Grade})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return append([]chartChoice{{t(ctx, "All conditions"), p.seriesPath(p.Years, ""), p.Grade == ""}}, all...)
}

// gearPhotoSizes is the sizes attribute of the photo at the top of the page. On phones it
// is half the real width, so that a dense screen loads the medium size.
const gearPhotoSizes = "(min-width: 52rem) 20rem, 50vw"

// summaryFacts returns the statistics of the window for display.
func (p *Trend) summaryFacts(ctx context.Context) []fact {
	s := &p.Summary
	rows := []fact{{Name: "Sales", Value: numberIn(ctx, s.SampleSize)}}
	if s.Median != nil {
		rows = []fact{
			{Name: "Median", Value: moneyIn(ctx, *s.Median)},
			{Name: "Average", Value: moneyOrIn(ctx, s.Average, "")},
			{Name: "Middle half", Value: moneyOrIn(ctx, s.P25, "") + " – " + moneyOrIn(ctx, s.P75, "")},
			{Name: "Lowest to highest", Value: moneyOrIn(ctx, s.Low, "") + " – " + moneyOrIn(ctx, s.High, "")},
			{Name: "Sales", Value: numberIn(ctx, s.SampleSize)},
		}
	}
	return append(rows,
		fact{Name: "Last sold", Value: dayIn(ctx, s.LastSoldAt)},
		fact{Name: "Confidence", Value: t(ctx, words(p.Confidence))})
}

// changeFacts returns the changes of the median for display.
func (p *Trend) changeFacts(ctx context.Context) []fact {
	if p.Change.unknown() {
		return []fact{{Name: "Direction", Value: t(ctx, "too few sales")}}
	}
	return []fact{
		{Name: "Direction", Value: t(ctx, words(p.Change.Direction))},
		{Name: "30 days", Value: changeIn(ctx, p.Change.Days30)},
		{Name: "90 days", Value: changeIn(ctx, p.Change.Days90)},
		{Name: "12 months", Value: changeIn(ctx, p.Change.Months12)},
	}
}

// activeFacts returns the current asking prices for display.
func (p *Trend) activeFacts(ctx context.Context) []fact {
	return []fact{
		{Name: "For sale", Value: numberIn(ctx, p.Active.Count)},
		{Name: "Lowest asked", Value: moneyOrIn(ctx, p.Active.Lowest, "–")},
		{Name: "Average asked", Value: moneyOrIn(ctx, p.Active.Average, "–")},
	}
}

// Markdown implements Page.
func (p *Trend) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.Name, t(ctx, p.Notice)).in(ctx)
	m.text(p.lead(ctx))
	if p.Active.Count > 0 {
		m.text(p.forSaleText(ctx) + ".")
	}
	if len(p.Aliases) > 0 {
		m.text(t(ctx, "Also called: %s.", strings.Join(p.Aliases, ", ")))
	}
	m.section(t(ctx, "Sold, %s", p.Window.text(ctx)))
	m.factRows(p.summaryFacts(ctx))
	writeEstimate(m, p.Estimate)
	m.section("Price trend")
	m.factRows(p.changeFacts(ctx))
	writeDepreciation(m, p.Depreciation)
	m.section("Asking prices")
	m.factRows(p.activeFacts(ctx))
	m.section("By condition")
	if sold := p.sold(); len(sold) > 0 {
		writeStatsHead(m, "Condition")
		for i := range sold {
			writeStatsRow(m, sold[i].Label, &sold[i].Stats)
		}
		m.raw("\n")
	}
	if few := p.fewText(ctx); few != "" {
		m.text(few)
	}
	m.cards("For sale now", p.Listings)
	writePhotoTable(m, "Photographs taken with it", p.Photos)
	m.specs(p.Specs)
	writeFits(m, p.Fits)
	m.section(p.seriesHeading(ctx))
	writeMonths(m, p.Series)
	writeForecast(m, p.Estimate)
	m.section("Method")
	m.raw(mdText(t(ctx, p.Method)), "\n")
	m.section("Which sales count")
	m.raw(mdText(t(ctx, p.Counting.Rules)), "\n\n")
	for _, sentence := range p.Counting.sentences(ctx) {
		m.text(sentence)
	}
	m.links(p.links(ctx))
	return m.done(w)
}

// writeForecast writes the coming months, nothing without any.
func writeForecast(m *markdown, e *Estimate) {
	months := e.forecast()
	if len(months) == 0 {
		return
	}
	m.section(forecastHeading(m.ctx, e))
	m.head(forecastHead...)
	for i := range months {
		m.row(append([]string{monthIn(m.ctx, months[i].Period)}, months[i].cells(m.ctx)...)...)
	}
}

// forecastHead names the columns of the table of a forecast.
var forecastHead = []string{languages.Mark("Month"), languages.Mark("Median"), languages.Mark("8 of 10 from"), languages.Mark("to")}

// forecastHeading returns the heading of a forecast.
func forecastHeading(ctx context.Context, e *Estimate) string {
	return t(ctx, "Forecast for condition “%s”", t(ctx, e.Condition.Label()))
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
		c.Write([]string{s.Period, s.Status, strconv.Itoa(s.Count), amount(s.Average), amount(s.Median), amount(s.P25), amount(s.P75), currency, string(p.Grade), "", "", demo})
	}
	forecast := p.Estimate.forecast()
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
func (p *Trend) Schema() thing {
	if p.Demo || p.Active.Count == 0 || p.Active.Lowest == nil {
		return nil
	}
	return newThing("Product", "name", p.Name, "description", p.lead(context.Background()), "sku", p.Gear, "url", p.site.URL(p.Page), "category", p.Category.Label(),
		"brand", brandThing(p.Brand), "model", p.Model, "image", p.site.URL(previewPath(p.site, p)),
		"offers", newThing("AggregateOffer", "offerCount", p.Active.Count, "lowPrice", p.Active.Lowest.Amount, "priceCurrency", p.Active.Lowest.Currency,
			"availability", "https://schema.org/InStock", "url", p.site.URL(p.Page)))
}

// Schema describes the gear of the page as a list.
func (p *GearIndex) Schema() thing {
	urls := make([]string, len(p.Gear))
	for i := range p.Gear {
		urls[i] = p.site.URL(p.Gear[i].Page)
	}
	return itemList(p.title(context.Background()), p.Total, urls)
}

func (p *Trend) Preview() Preview {
	v := Preview{Kind: "What it sells for", Title: p.Name, Demo: p.Demo}
	if p.Summary.Median != nil {
		v.Price = MoneyText(*p.Summary.Median)
		v.Lines = []string{"Median of " + countText(p.Summary.SampleSize, "sale", "sales") + ", " + p.Window.Text, "90 days: " + changeText(p.Change.Days90)}
	} else {
		v.Lines = []string{p.lead(context.Background())}
	}
	v.Trend = p.medians
	return v
}
