package price

import (
	"context"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// PriceGuideParts holds what a price guide is made of.
type PriceGuideParts struct {
	Gear      *catalog.Gear
	Condition models.Condition // "" for all conditions
	Price     models.Cents     // asking price to assess, 0 for none
	Trend     *prices.Trend    // nil without sales
	Times     map[models.Condition]prices.SellingTime
	Asked     Asking             // in all conditions
	InGrade   Asking             // in the condition; zero for all conditions
	Estimate  *prices.Estimate   // of the condition, or of the one that sells most; nil if nothing can be said
	Grades    []*prices.Estimate // of all conditions, best first
	Selling   *pricing.Selling   // nil if unknown
	Index     *prices.PriceIndex // nil if there is none

	Works        models.Functional // of the item, "" if it works fully
	WorksUnknown bool              // it is unknown what that costs: estimates are for working gear
	Shutter      Shutters          // zero if the count is not given
}

// Shutters compares a shutter count with those of the listings of the same gear.
type Shutters struct {
	Count int // the given one
	Known int // listings with a shutter count
	Fewer int // of them, with at most Count
}

// PriceGuide is what gear sold for, how long that took, and advice for buyers and
// sellers.
type PriceGuide struct {
	ui.Ref
	Gear         string            `json:"gear"`
	GearName     string            `json:"gear_name"`
	Condition    models.Condition  `json:"condition,omitempty"`
	Estimate     *Estimate         `json:"estimate,omitempty" jsonschema:"the price: what it is likely to sell for now, in the condition or in the one that sells most; absent if too little is known"`
	Estimates    []GradePrice      `json:"estimates" jsonschema:"the price by condition, best first; empty if too little is known"`
	Basis        string            `json:"basis" jsonschema:"deprecated: of sold_for" enum:"sold"`
	Sold         Sold              `json:"sold_for" jsonschema:"sold prices of the 12 months up to the last sale, in the condition or in all conditions"`
	Confidence   string            `json:"confidence" jsonschema:"deprecated: of sold_for" enum:"high,medium,low,insufficient_data"`
	Depreciation *Depreciation     `json:"depreciation,omitempty" jsonschema:"change of prices over the years; absent if too little is known"`
	Change       Change            `json:"trend"`
	TimeToSell   SellingTime       `json:"time_to_sell"`
	ByCondition  []ConditionStats  `json:"by_condition" jsonschema:"conditions with sales, best first"`
	Active       Active            `json:"asked" jsonschema:"current asking prices in all conditions, separate from sales"`
	InCondition  *Active           `json:"asked_in_condition,omitempty" jsonschema:"current asking prices in the condition"`
	Price        *PriceCheck       `json:"price,omitempty" jsonschema:"the given asking price compared with the estimate, or else with the sales"`
	Advice       Advice            `json:"advice" jsonschema:"what the figures mean for a buyer and for a seller"`
	Functional   models.Functional `json:"functional,omitempty" jsonschema:"the given working state, unless it works fully"`
	Notes        []string          `json:"notes,omitempty" jsonschema:"what the working state and the shutter count change" maxItems:"2"`
	Text         string            `json:"text"`
	Links        []ui.Link         `json:"links"`
	Notice       string            `json:"notice,omitempty"`
	parts        PriceGuideParts
	site         *ui.Site
}

// PriceCheck compares an asking price with the estimate, or else with sold prices.
type PriceCheck struct {
	Asking  models.Money   `json:"asking" jsonschema:"the given asking price"`
	Verdict prices.Verdict `json:"verdict" jsonschema:"against the range of the estimate (low to high), or without an estimate the middle half of the sales (p25 to p75). Without a condition it is for that of the estimate: see estimates for the others"`
	Percent *int           `json:"percent,omitempty" jsonschema:"difference from the estimate, or from the median, in percent; negative if below"`
	Text    string         `json:"text" jsonschema:"the verdict in words; by condition if none is given" maxlength:"300"`
	Days    int            `json:"days_to_sell,omitempty" jsonschema:"median days to sell at it"`
}

// Advice is what the figures mean for a buyer and for a seller.
type Advice struct {
	Buyer        string        `json:"buyer" jsonschema:"whether the asking price is fair, or what a fair price is"`
	Seller       string        `json:"seller" jsonschema:"what to ask, in a hurry and with patience" maxlength:"300"`
	ListPrice    *models.Money `json:"list_price,omitempty" jsonschema:"price to list at: the estimate, or else the median"`
	QuickPrice   *models.Money `json:"quick_price,omitempty" jsonschema:"price for a quick sale: a quarter sells for less"`
	PatientPrice *models.Money `json:"patient_price,omitempty" jsonschema:"price with patience: a quarter sells for more"`
	ListDays     int           `json:"list_days_to_sell,omitempty" jsonschema:"median days to sell"`
	QuickDays    int           `json:"quick_days_to_sell,omitempty" jsonschema:"median days to sell"`
	PatientDays  int           `json:"patient_days_to_sell,omitempty" jsonschema:"median days to sell"`
}

// SellingTime holds how many days listings took to sell.
type SellingTime struct {
	Status     string `json:"status" jsonschema:"ok, or insufficient_data with fewer than 5 sales" enum:"ok,insufficient_data"`
	MedianDays int    `json:"median_days,omitempty"`
	P25Days    int    `json:"p25_days,omitempty"`
	P75Days    int    `json:"p75_days,omitempty"`
	SampleSize int    `json:"sample_size"`
}

func newSellingTime(t prices.SellingTime) SellingTime {
	if !t.Enough() {
		return SellingTime{Status: InsufficientData, SampleSize: t.Count}
	}
	return SellingTime{"ok", t.Median, t.P25, t.P75, t.Count}
}

// NewPriceGuide returns a price guide.
func NewPriceGuide(site *ui.Site, parts PriceGuideParts) *PriceGuide {
	if parts.Trend == nil {
		parts.Trend = &prices.Trend{}
	}
	g, t := parts.Gear, parts.Trend
	p := &PriceGuide{
		Gear: g.Slug(), GearName: g.Name(), Condition: parts.Condition, Basis: "sold", Change: NewChange(t), Estimates: NewGradePrices(site, parts.Grades, parts.Price),
		TimeToSell: newSellingTime(parts.Times[parts.Condition]), ByCondition: conditionStats(site, t),
		Active: newActive(site, parts.Asked), Estimate: NewEstimate(site, parts.Estimate, t), Depreciation: NewDepreciation(parts.Index, g), Notice: site.Notice(), parts: parts, site: site,
	}
	p.Sold = NewSold(site, t, p.sold())
	p.Confidence = p.Sold.Confidence
	if p.Condition != "" {
		active := newActive(site, parts.InGrade)
		p.InCondition = &active
	}
	if parts.Price > 0 {
		verdict, percent := p.sold().Verdict(parts.Price)
		if e := p.estimated(); e != nil {
			verdict, percent = e.Typical().Verdict(parts.Price)
		}
		p.Price = &PriceCheck{Asking: site.Currency().Money(parts.Price), Verdict: verdict, Days: p.daysToSell(parts.Price)}
		if verdict != prices.VerdictUnknown {
			p.Price.Percent = &percent
		}
		p.Price.Text = p.verdictText(context.Background())
	}
	p.Functional, p.Notes = parts.Works, p.notes(context.Background())
	p.Ref, p.Text, p.Advice = p.ref(), p.summary(context.Background()), p.advice(context.Background())
	p.Links = []ui.Link{
		{Href: ui.GearPath(p.Gear), Label: "Price history"}, {Href: p.searchPath(), Label: "For sale now"}, {Href: ui.ComparePath(p.Gear), Label: "Compare with another model"},
		{Href: ui.SellPath(p.Gear, ""), Label: "Sell one"}, {Href: ui.AccuracyPath, Label: "Accuracy of the estimates"}, {Href: "/guides/condition-grades", Label: "Condition grades"},
	}
	return p
}

// notes say what the working state and the shutter count change.
func (p *PriceGuide) notes(ctx context.Context) (notes []string) {
	works := ui.WithinSentence(ctx, p.parts.Works.Label())
	switch {
	case p.parts.WorksUnknown:
		notes = append(notes, ui.T(ctx, "We can't say yet what “%s” takes off the price. These prices are for gear that works fully.", works))
	case p.parts.Works != "":
		notes = append(notes, ui.T(ctx, "Estimated for “%s”.", works))
	}
	if s := p.parts.Shutter; s.Count > 0 && s.Known > 0 {
		notes = append(notes, ui.T(ctx, "For sale with a known shutter count: %s, %s of them with at most %s. The estimate doesn't include the shutter count.", ui.NumberIn(ctx, s.Known), ui.NumberIn(ctx, s.Fewer), ui.NumberIn(ctx, s.Count)))
	} else if s.Count > 0 {
		notes = append(notes, ui.T(ctx, "The estimate doesn't include the shutter count, and none for sale states one."))
	}
	return notes
}

// conditionStats returns the statistics of the conditions with sales.
func conditionStats(site *ui.Site, t *prices.Trend) []ConditionStats {
	rows := []ConditionStats{}
	for _, c := range models.Conditions {
		if s := t.ByCondition[c]; s.Count > 0 {
			rows = append(rows, ConditionStats{c, c.Label(), NewStats(site, s)})
		}
	}
	return rows
}

// sold returns the sales of the condition, or of all conditions.
func (p *PriceGuide) sold() prices.Stats {
	if p.Condition == "" {
		return p.parts.Trend.Summary
	}
	return p.parts.Trend.ByCondition[p.Condition]
}

// estimated returns the estimate that asking prices are compared with, as it is stated, nil if
// there is none.
func (p *PriceGuide) estimated() *prices.Estimate {
	if p.parts.Estimate == nil {
		return nil
	}
	return p.parts.Estimate.Stated(p.site.Currency())
}

// daysToSell returns the days in which half of the listings sell at an asking price, 0 if they are
// unknown, or without a condition.
func (p *PriceGuide) daysToSell(price models.Cents) int {
	e := p.estimated()
	if e == nil || p.Condition == "" {
		return 0
	}
	return e.DaysToSell(p.parts.Selling, p.parts.Gear.Category, price)
}

// ref returns the reference to the price guide.
func (p *PriceGuide) ref() ui.Ref {
	page := p.path()
	return ui.Ref{Href: "/api/price-guide" + strings.TrimPrefix(page, "/prices"), Page: page}
}

// path returns the canonical path of the page.
func (p *PriceGuide) path() string {
	price := ""
	if p.parts.Price > 0 {
		price = p.site.Currency().Plain(p.parts.Price)
	}
	return ui.PricesPath(p.Gear, string(p.Condition), price)
}

// SearchPath returns the path of the search for the gear in the condition.
func (p *PriceGuide) searchPath() string {
	f := search.Filter{Model: p.Gear}
	if p.Condition != "" {
		f.Conditions = []models.Condition{p.Condition}
	}
	return ui.PathOf(f)
}

// what returns the gear with its condition: "Canon EOS R6, excellent".
func (p *PriceGuide) what(ctx context.Context) string {
	if p.Condition == "" {
		return p.GearName
	}
	return languages.Of(ctx).TextIn("gear and its grade", "%s, %s", p.GearName, ui.WithinSentence(ctx, p.Condition.Label()))
}

// priced returns the gear with the condition of its estimate.
func (p *PriceGuide) priced(ctx context.Context) string {
	if p.Estimate == nil {
		return p.what(ctx)
	}
	return languages.Of(ctx).TextIn("gear and its grade", "%s, %s", p.GearName, ui.WithinSentence(ctx, p.Estimate.Condition.Label()))
}

// title returns the heading of the page.
func (p *PriceGuide) title(ctx context.Context) string {
	return ui.T(ctx, "%s: what it's worth", p.what(ctx))
}

// fairRange returns the range that asking prices are compared with: that of the estimate,
// or else the middle half of the sales. It returns false if too little is known.
func (p *PriceGuide) fairRange() (low, median, high models.Cents, ok bool) {
	if e := p.estimated(); e != nil {
		return e.Low, e.Median, e.High, true
	}
	s := p.sold()
	return s.P25, s.Median, s.P75, p.Sold.Median != nil
}

// summary states the price and the time to sell.
func (p *PriceGuide) summary(ctx context.Context) string {
	return p.priceText(ctx) + " " + p.timeText(ctx)
}

// priceText states the estimate, or else what it sold for.
func (p *PriceGuide) priceText(ctx context.Context) string {
	switch {
	case p.Estimate != nil:
		return p.Estimate.Text(ctx)
	case p.Sold.Median == nil:
		return p.Sold.FewText(ctx) + " " + p.Sold.TextIn(ctx)
	}
	return p.Sold.TextIn(ctx)
}

// advice returns the advice for buyers and sellers.
func (p *PriceGuide) advice(ctx context.Context) Advice {
	advice := Advice{ListPrice: p.Sold.Median, QuickPrice: p.Sold.P25, PatientPrice: p.Sold.P75}
	if e := p.estimated(); e != nil {
		advice = Advice{ListPrice: p.site.Money(e.Median), QuickPrice: p.site.Money(e.HalfLow), PatientPrice: p.site.Money(e.HalfHigh),
			ListDays: p.daysToSell(e.Median), QuickDays: p.daysToSell(e.HalfLow), PatientDays: p.daysToSell(e.HalfHigh)}
	}
	if advice.ListPrice == nil {
		known := p.nearbyText(ctx)
		return Advice{Buyer: ui.T(ctx, "Not enough sales to say what's fair.") + " " + known, Seller: p.Sold.FewText(ctx) + " " + known}
	}
	advice.Buyer = p.ofGrade(ctx, p.buyerText(ctx))
	advice.Seller = p.ofGrade(ctx, ui.T(ctx, "List at about %s. For a quick sale, ask %s. If you can wait, ask up to %s.", ui.MoneyIn(ctx, *advice.ListPrice), ui.MoneyIn(ctx, *advice.QuickPrice), ui.MoneyIn(ctx, *advice.PatientPrice)))
	var times []string
	for _, at := range []struct {
		days  int
		price *models.Money
	}{{advice.QuickDays, advice.QuickPrice}, {advice.ListDays, advice.ListPrice}, {advice.PatientDays, advice.PatientPrice}} {
		if at.days > 0 {
			times = append(times, ui.T(ctx, "%s at %s", aboutDays(ctx, at.days), ui.MoneyIn(ctx, *at.price)))
		}
	}
	if len(times) > 0 {
		advice.Seller += " " + ui.T(ctx, "Half sell within %s.", ui.Join(times))
	}
	return advice
}

// ofGrade says which condition a sentence is about, if none was given.
func (p *PriceGuide) ofGrade(ctx context.Context, sentence string) string {
	if p.Condition != "" || p.Estimate == nil {
		return sentence
	}
	return sentence + " " + ui.T(ctx, "We've assumed “%s” condition.", ui.T(ctx, p.Estimate.Condition.Label()))
}

// daysText states how long half of the listings take to sell at the asking price, "" if that is
// unknown.
func (p *PriceGuide) daysText(ctx context.Context) string {
	if p.Price == nil {
		return ""
	}
	return ExpectedText(ctx, p.Price.Days)
}

// ExpectedText states in how many days half of the listings sell at an asking price, "" for 0.
func ExpectedText(ctx context.Context, days int) string {
	if days == 0 {
		return ""
	}
	return ui.T(ctx, "Half of listings at this price sell within %s.", aboutDays(ctx, days))
}

// aboutDays states a number of days as precisely as it is known: "about 12 days", "about 3
// weeks", "about 4 months".
func aboutDays(ctx context.Context, days int) string {
	const aWeek, aMonth = 7, 30.4
	switch {
	case days <= 2*aWeek:
		return ui.T(ctx, "about %s", ui.TN(ctx, days, "%s day", "%s days"))
	case days <= 8*aWeek:
		return ui.T(ctx, "about %s", ui.TN(ctx, (days+aWeek/2)/aWeek, "%s week", "%s weeks"))
	}
	return ui.T(ctx, "about %s", ui.TN(ctx, int(math.Round(float64(days)/aMonth)), "%s month", "%s months"))
}

// buyerText returns the advice for buyers. There must be a fair range.
func (p *PriceGuide) buyerText(ctx context.Context) string {
	low, median, high, _ := p.fairRange()
	money := func(c models.Cents) string { return ui.MoneyIn(ctx, p.site.Currency().Money(c)) }
	fair := ui.T(ctx, "%s to %s", money(low), money(high))
	if p.Price == nil {
		return ui.T(ctx, "A fair price is %s. If it's cheaper, check the condition and what's included. If it's dearer, make an offer.", fair)
	}
	asking := p.parts.Price
	if p.estimated() != nil {
		against := estimateDifference(ctx, *p.Price.Percent)
		switch p.Price.Verdict {
		case prices.BelowRange:
			return ui.T(ctx, "Cheap: %s is %s below the estimated range of %s and %s. Check the condition and what's included before you buy.", money(asking), money(low-asking), fair, against)
		case prices.AboveRange:
			return ui.T(ctx, "Expensive: %s is %s above the estimated range of %s and %s. Offer about %s.", money(asking), money(asking-high), fair, against, money(median))
		}
		return ui.T(ctx, "Fair: %s is within the estimated range of %s, %s.", money(asking), fair, against)
	}
	against := differenceText(ctx, *p.Price.Percent)
	switch p.Price.Verdict {
	case prices.BelowRange:
		return ui.T(ctx, "Cheap: %s is %s below the typical range of %s and %s. Check the condition and what's included before you buy.", money(asking), money(low-asking), fair, against)
	case prices.AboveRange:
		return ui.T(ctx, "Expensive: %s is %s above the typical range of %s and %s. Offer about %s.", money(asking), money(asking-high), fair, against, money(median))
	}
	return ui.T(ctx, "Fair: %s is within the typical range of %s, %s.", money(asking), fair, against)
}

// estimateDifference describes the difference of a price from the estimate, in percent.
func estimateDifference(ctx context.Context, percent int) string {
	switch {
	case percent < 0:
		return ui.T(ctx, "%s%% below the estimate", ui.NumberIn(ctx, -percent))
	case percent > 0:
		return ui.T(ctx, "%s%% above the estimate", ui.NumberIn(ctx, percent))
	}
	return ui.T(ctx, "at the estimate")
}

// differenceText describes the difference of a price from the median, in percent.
func differenceText(ctx context.Context, percent int) string {
	switch {
	case percent < 0:
		return ui.T(ctx, "%s%% below the median", ui.NumberIn(ctx, -percent))
	case percent > 0:
		return ui.T(ctx, "%s%% above the median", ui.NumberIn(ctx, percent))
	}
	return ui.T(ctx, "at the median")
}

// nearbyText states the prices of the neighbouring conditions.
func (p *PriceGuide) nearbyText(ctx context.Context) string {
	var known []string
	state := func(label string, s prices.Stats) {
		known = append(known, label+" "+ui.MoneyIn(ctx, p.site.Currency().Money(s.Median))+" ("+ui.TN(ctx, s.Count, "%s sale", "%s sales")+")")
	}
	for _, c := range p.parts.Trend.Neighbours(p.Condition) {
		state(ui.T(ctx, c.Label()), p.parts.Trend.ByCondition[c])
	}
	if s := p.parts.Trend.Summary; p.Condition != "" && s.Enough() {
		state(ui.WithinSentence(ctx, "All conditions"), s)
	}
	if len(known) == 0 {
		return ui.T(ctx, "See what other sellers are asking.")
	}
	return ui.T(ctx, "Typical prices in other conditions: %s.", ui.Join(known))
}

// timeText describes how long listings took to sell.
func (p *PriceGuide) timeText(ctx context.Context) string {
	took := p.TimeToSell
	days := func(n int) string { return ui.TN(ctx, n, "%s day", "%s days") }
	sales := ui.TN(ctx, took.SampleSize, "%s sale", "%s sales")
	if all := p.parts.Times[""]; took.Status != "ok" && all.Enough() {
		return ui.T(ctx, "In all conditions, half sell within %s (%s; %s in this one).",
			days(all.Median), ui.TN(ctx, all.Count, "%s sale", "%s sales"), ui.NumberIn(ctx, took.SampleSize))
	}
	if took.Status != "ok" && took.SampleSize == 0 {
		return ui.T(ctx, "None sold on this site yet, so we can't say how long it takes.")
	}
	if took.Status != "ok" {
		return ui.T(ctx, "Not enough sold on this site to say how long it takes (%s).", sales)
	}
	return ui.T(ctx, "Half sell within %s, most in %s to %s (%s).", days(took.MedianDays), ui.NumberIn(ctx, took.P25Days), days(took.P75Days), sales)
}

// askedText describes the current asking prices.
func (p *PriceGuide) askedText(ctx context.Context) string {
	text := ui.T(ctx, "For sale now: %s.", p.Active.text(ctx))
	if p.InCondition != nil {
		text += " " + ui.T(ctx, "In this condition: %s.", p.InCondition.text(ctx))
	}
	return text
}

// Head implements Page.
func (p *PriceGuide) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.title(ctx), Description: p.summary(ctx), Path: p.path(), NoIndex: true, Crumbs: []ui.Link{{Href: "/prices", Label: ui.T(ctx, "Price check")}}}
}

// Markdown implements Page.
func (p *PriceGuide) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	writePriceGuide(m, p)
	m.Links(p.Links)
	return m.Done(w)
}

// writePriceGuide writes the body of a price guide.
func writePriceGuide(m *ui.Markdown, p *PriceGuide) {
	ctx := m.Context
	if p.Price != nil {
		m.Raw("\n**", p.verdictText(ctx), "**\n")
		m.Paragraph(p.daysText(ctx))
	}
	m.Paragraph(p.summary(ctx))
	for _, note := range p.notes(ctx) {
		m.Paragraph(note)
	}
	if p.Estimate != nil {
		WriteEstimateLinks(m, p.Estimate)
	}
	WriteGradePrices(m, p.Estimates)
	m.Section("Advice")
	advice := p.advice(ctx)
	for _, line := range []string{
		ui.T(ctx, "Buyer: %s", advice.Buyer), ui.T(ctx, "Seller: %s", advice.Seller), p.askedText(ctx),
	} {
		m.Raw("- ", ui.MarkdownText(line), "\n")
	}
	WriteDepreciation(m, p.Depreciation)
	m.Section("What it sold for")
	m.Raw(ui.MarkdownText(p.Sold.TextIn(ctx)), " ", ui.MarkdownText(p.Change.TextIn(ctx)), "\n\n")
	WriteStatsHead(m, "Condition")
	if p.listsSold() {
		WriteStatsRow(m, p.soldLabel(), &p.Sold.Stats)
	}
	for i := range p.ByCondition {
		WriteStatsRow(m, p.ByCondition[i].Label, &p.ByCondition[i].Stats)
	}
	m.Raw("\n", ui.T(ctx, "Model"), ": `", p.Gear, "`. ", ui.T(ctx, "Page"), ": ", p.site.URL(p.Page), "\n")
}

// gradeVerdicts are the words for a verdict on an asking price in several conditions.
var gradeVerdicts = []struct {
	verdict prices.Verdict
	text    string
}{{prices.BelowRange, languages.Mark("cheap in %s condition")}, {prices.WithinRange, languages.Mark("fair in %s condition")}, {prices.AboveRange, languages.Mark("expensive in %s condition")}}

// gradesText returns the verdicts on the asking price by condition: "€450: cheap in “Like new” and
// “Excellent” condition; fair in “Good” condition".
func (p *PriceGuide) gradesText(ctx context.Context) string {
	var all []string
	for _, v := range gradeVerdicts {
		var grades []string
		for i := range p.Estimates {
			if g := &p.Estimates[i]; g.Verdict == v.verdict {
				grades = append(grades, ui.T(ctx, "“%s”", ui.T(ctx, g.Condition.Label())))
			}
		}
		if len(grades) > 0 {
			all = append(all, ui.T(ctx, v.text, joinAnd(ctx, grades)))
		}
	}
	return ui.MoneyIn(ctx, p.Price.Asking) + ": " + strings.Join(all, "; ")
}

// verdictText returns the verdict on the asking price: "€900: below the estimated range".
func (p *PriceGuide) verdictText(ctx context.Context) string {
	if p.Condition == "" && len(p.Estimates) > 0 {
		return p.gradesText(ctx)
	}
	asking := ui.MoneyIn(ctx, p.Price.Asking)
	if p.estimated() != nil {
		switch p.Price.Verdict {
		case prices.BelowRange:
			return ui.T(ctx, "%s: below the estimated range", asking)
		case prices.AboveRange:
			return ui.T(ctx, "%s: above the estimated range", asking)
		}
		return ui.T(ctx, "%s: fair, within the estimated range", asking)
	}
	switch p.Price.Verdict {
	case prices.BelowRange:
		return ui.T(ctx, "%s: below the typical range", asking)
	case prices.WithinRange:
		return ui.T(ctx, "%s: fair, within the typical range", asking)
	case prices.AboveRange:
		return ui.T(ctx, "%s: above the typical range", asking)
	}
	return asking + ": " + ui.T(ctx, "not enough sales")
}

// listsSold reports whether the first row of the table is not one of the conditions that
// follow.
func (p *PriceGuide) listsSold() bool {
	return !slices.ContainsFunc(p.ByCondition, func(c ConditionStats) bool { return c.Condition == p.Condition })
}

// soldLabel returns the label of the first row of the table.
func (p *PriceGuide) soldLabel() string {
	if p.Condition == "" {
		return languages.Mark("All conditions")
	}
	return languages.Mark("This condition")
}

// soldOf returns which sales the first row of the table is of.
func (p *PriceGuide) soldOf() string {
	if p.Condition == "" {
		return languages.Mark("in all conditions")
	}
	return languages.Mark("in this condition")
}

// WritePriceHelper writes a summary of the price guide, nothing for nil.
func WritePriceHelper(m *ui.Markdown, g *PriceGuide) {
	if g != nil {
		m.Section("What to charge")
		m.Raw(ui.MarkdownText(g.summary(m.Context)), " ", ui.MarkdownText(g.advice(m.Context).Seller), " ", ui.MarkdownText(g.askedText(m.Context)), " ", m.Link(ui.Link{Href: g.path(), Label: "Price check"}), "\n")
		if g.Estimate != nil {
			WriteEstimateLinks(m, g.Estimate)
		}
	}
}

// priceChoice is a price that the seller may ask, and what it stands for.
type priceChoice struct {
	label, meaning string
	price          models.Money
	plain          string // as it is typed
	days           int    // in which half of the listings sell at it, 0 if unknown
}

// text says what the price stands for, and how long it takes to sell at it.
func (c *priceChoice) text(ctx context.Context) string {
	if c.days == 0 {
		return ui.T(ctx, c.meaning)
	}
	return ui.T(ctx, "%s; %s to sell", ui.T(ctx, c.meaning), aboutDays(ctx, c.days))
}

// choices returns the prices that a seller may ask, rounded: those of the estimate, or else
// those of the sales, or none if there are too few.
func (p *PriceGuide) choices() []priceChoice {
	e := p.estimated()
	if e == nil && p.Advice.ListPrice == nil {
		return nil
	}
	choice := func(label, meaning string, amount models.Cents) priceChoice {
		c := p.site.Currency()
		amount = c.Whole(amount)
		return priceChoice{label, meaning, c.Money(amount), c.Plain(amount), p.daysToSell(amount)}
	}
	if e != nil {
		return []priceChoice{
			choice(languages.Mark("Quick sale"), languages.Mark("a quarter sell for less"), e.HalfLow),
			choice(languages.Mark("Typical"), languages.Mark("half sell for more"), e.Median),
			choice(languages.Mark("If you can wait"), languages.Mark("a quarter sell for more"), e.HalfHigh),
		}
	}
	sold := p.sold()
	return []priceChoice{
		choice(languages.Mark("Quick sale"), languages.Mark("a quarter sold for less"), sold.P25),
		choice(languages.Mark("Typical"), languages.Mark("half sold for more"), sold.Median),
		choice(languages.Mark("If you can wait"), languages.Mark("a quarter sold for more"), sold.P75),
	}
}

// askingValue returns the asking price as it is entered into the form.
func (p *PriceGuide) askingValue() string {
	if p.parts.Price == 0 {
		return ""
	}
	return p.site.Currency().Plain(p.parts.Price)
}
