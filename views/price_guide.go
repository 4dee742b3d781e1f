package views

import (
	"context"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// PriceGuideParts holds what a price guide is made of.
type PriceGuideParts struct {
	Gear      *models.Gear
	Condition models.Condition // "" for all conditions
	Price     models.Cents     // asking price to assess, 0 for none
	Trend     *models.Trend    // nil without sales
	Times     map[models.Condition]models.SellingTime
	Asked     Asking // in all conditions
	InGrade   Asking // in the condition; zero for all conditions
}

// Asking summarises the listings for sale. Its amounts are 0 without listings.
type Asking struct {
	Count           int
	Lowest, Average models.Cents
}

// PriceGuide is what gear sold for, how long that took, and advice for buyers and
// sellers.
type PriceGuide struct {
	Ref
	Gear        string           `json:"gear"`
	GearName    string           `json:"gear_name"`
	Condition   models.Condition `json:"condition,omitempty"`
	Basis       string           `json:"basis" enum:"sold"`
	Sold        Stats            `json:"sold_for" jsonschema:"sold prices of the last 12 months, in the condition or in all conditions; p25 to p75 is the typical range"`
	Confidence  string           `json:"confidence" jsonschema:"high from 30 sales, medium from 12, low from 5, insufficient_data below" enum:"high,medium,low,insufficient_data"`
	Change      Change           `json:"trend"`
	TimeToSell  SellingTime      `json:"time_to_sell"`
	ByCondition []ConditionStats `json:"by_condition" jsonschema:"conditions with sales, best first"`
	Active      Active           `json:"asked" jsonschema:"current asking prices in all conditions, separate from sales"`
	InCondition *Active          `json:"asked_in_condition,omitempty" jsonschema:"current asking prices in the condition"`
	Price       *PriceCheck      `json:"price,omitempty" jsonschema:"the given asking price compared with the sales"`
	Advice      Advice           `json:"advice" jsonschema:"what the figures mean for a buyer and for a seller"`
	Text        string           `json:"text"`
	Links       []Link           `json:"links"`
	Notice      string           `json:"notice,omitempty"`
	parts       PriceGuideParts
	site        *Site
}

// PriceCheck compares an asking price with sold prices.
type PriceCheck struct {
	Asking  models.Money   `json:"asking" jsonschema:"the given asking price"`
	Verdict models.Verdict `json:"verdict" jsonschema:"below, within or above the typical range (p25 to p75), or insufficient_data"`
	Percent *int           `json:"percent,omitempty" jsonschema:"difference from the median in percent, negative if below"`
}

// Advice is what the figures mean for a buyer and for a seller.
type Advice struct {
	Buyer        string        `json:"buyer" jsonschema:"whether the asking price is fair, or what a fair price is"`
	Seller       string        `json:"seller" jsonschema:"what to ask, in a hurry and with patience" maxlength:"300"`
	ListPrice    *models.Money `json:"list_price,omitempty" jsonschema:"price to list at: the median"`
	QuickPrice   *models.Money `json:"quick_price,omitempty" jsonschema:"price for a quick sale: the lower quartile"`
	PatientPrice *models.Money `json:"patient_price,omitempty" jsonschema:"price with patience: the upper quartile"`
}

// SellingTime holds how many days listings took to sell.
type SellingTime struct {
	Status     string `json:"status" jsonschema:"ok, or insufficient_data with fewer than 5 sales" enum:"ok,insufficient_data"`
	MedianDays int    `json:"median_days,omitempty"`
	P25Days    int    `json:"p25_days,omitempty"`
	P75Days    int    `json:"p75_days,omitempty"`
	SampleSize int    `json:"sample_size"`
}

func newSellingTime(t models.SellingTime) SellingTime {
	if !t.Enough() {
		return SellingTime{Status: InsufficientData, SampleSize: t.Count}
	}
	return SellingTime{"ok", t.Median, t.P25, t.P75, t.Count}
}

// newActive returns current asking prices.
func (s *Site) newActive(a Asking) Active {
	return Active{a.Count, s.money(a.Lowest), s.money(a.Average)}
}

// NewPriceGuide returns a price guide.
func NewPriceGuide(site *Site, parts PriceGuideParts) *PriceGuide {
	if parts.Trend == nil {
		parts.Trend = &models.Trend{}
	}
	g, t := parts.Gear, parts.Trend
	p := &PriceGuide{
		Gear: g.Slug(), GearName: g.Name(), Condition: parts.Condition, Basis: "sold", Change: newChange(t),
		TimeToSell: newSellingTime(parts.Times[parts.Condition]), ByCondition: conditionStats(site, t),
		Active: site.newActive(parts.Asked), Notice: site.notice(), parts: parts, site: site,
	}
	p.Sold, p.Confidence = newStats(site, p.sold()), confidence(p.sold().Count)
	if p.Condition != "" {
		active := site.newActive(parts.InGrade)
		p.InCondition = &active
	}
	if parts.Price > 0 {
		verdict, percent := p.sold().Verdict(parts.Price)
		p.Price = &PriceCheck{Asking: site.Currency().Money(parts.Price), Verdict: verdict}
		if verdict != models.VerdictUnknown {
			p.Price.Percent = &percent
		}
	}
	p.Ref, p.Text, p.Advice = p.ref(), p.summary(), p.advice()
	p.Links = []Link{
		{gearPath(p.Gear), "Price trend"}, {p.searchPath(), "For sale now"}, {comparePath(p.Gear), "Compare with another model"},
		{sellPath(p.Gear, ""), "Sell yours"}, {"/guides/condition-grades", "Condition grades"},
	}
	return p
}

// conditionStats returns the statistics of the conditions with sales.
func conditionStats(site *Site, t *models.Trend) []ConditionStats {
	rows := []ConditionStats{}
	for _, c := range models.Conditions {
		if s := t.ByCondition[c]; s.Count > 0 {
			rows = append(rows, ConditionStats{c, c.Label(), newStats(site, s)})
		}
	}
	return rows
}

// sold returns the sales of the condition, or of all conditions.
func (p *PriceGuide) sold() models.Stats {
	if p.Condition == "" {
		return p.parts.Trend.Summary
	}
	return p.parts.Trend.ByCondition[p.Condition]
}

// path returns the canonical path of the page.
// ref returns the reference to the price guide.
func (p *PriceGuide) ref() Ref {
	page := p.path()
	return Ref{"/api/price-guide" + strings.TrimPrefix(page, "/prices"), page}
}

func (p *PriceGuide) path() string {
	price := ""
	if p.parts.Price > 0 {
		price = p.site.Currency().Plain(p.parts.Price)
	}
	return pricesPath(p.Gear, string(p.Condition), price)
}

// pricesPath returns the path of the price guide. Every argument may be "".
func pricesPath(gear, condition, price string) string {
	q := url.Values{}
	for name, value := range map[string]string{"gear": gear, "condition": condition, "price": price} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/prices"
	}
	return "/prices?" + strings.ReplaceAll(q.Encode(), "%2F", "/")
}

// searchPath returns the path of the search for the gear in the condition.
func (p *PriceGuide) searchPath() string {
	f := search.Filter{Model: p.Gear}
	if p.Condition != "" {
		f.Conditions = []models.Condition{p.Condition}
	}
	return pathOf(f)
}

// what returns the gear with its condition: "Canon EOS R6, excellent".
func (p *PriceGuide) what() string {
	if p.Condition == "" {
		return p.GearName
	}
	return p.GearName + ", " + strings.ToLower(p.Condition.Label())
}

// rangeText returns the typical range. There must be enough sales.
func (p *PriceGuide) rangeText() string {
	return MoneyText(*p.Sold.P25) + " to " + MoneyText(*p.Sold.P75)
}

// summary states the typical price and the time to sell.
func (p *PriceGuide) summary() string {
	text := "Not enough sales to state a price: " + countText(p.Sold.SampleSize, "sale", "sales") + " in 12 months."
	if p.Sold.Median != nil {
		text = "Typically sells for " + p.rangeText() + ", the median is " + MoneyText(*p.Sold.Median) +
			" (" + countText(p.Sold.SampleSize, "sale", "sales") + " in 12 months)."
	}
	return text + " " + p.timeText()
}

// advice returns the advice for buyers and sellers.
func (p *PriceGuide) advice() Advice {
	if p.Sold.Median == nil {
		known := p.nearbyText()
		return Advice{Buyer: "Too few sales to say what is fair. " + known, Seller: "Too few sales to suggest a price. " + known}
	}
	return Advice{
		Buyer: p.buyerText(), ListPrice: p.Sold.Median, QuickPrice: p.Sold.P25, PatientPrice: p.Sold.P75,
		Seller: "List at about " + MoneyText(*p.Sold.Median) + ". For a quick sale ask " + MoneyText(*p.Sold.P25) + "; if you can wait, up to " + MoneyText(*p.Sold.P75) + ".",
	}
}

// buyerText returns the advice for buyers. There must be enough sales.
func (p *PriceGuide) buyerText() string {
	if p.Price == nil {
		return "A fair price is " + p.rangeText() + ". If it costs less, check the condition and what's included; if it costs more, make an offer."
	}
	s, asking := p.sold(), p.parts.Price
	money := func(c models.Cents) string { return MoneyText(p.site.Currency().Money(c)) }
	against := differenceText(*p.Price.Percent)
	switch p.Price.Verdict {
	case models.BelowRange:
		return "Cheap: " + money(asking) + " is " + money(s.P25-asking) + " below the typical range of " + p.rangeText() + " and " + against + ". Check the condition and what's included before you buy."
	case models.AboveRange:
		return "Expensive: " + money(asking) + " is " + money(asking-s.P75) + " above the typical range of " + p.rangeText() + " and " + against + ". Offer about " + money(s.Median) + "."
	}
	return "Fair: " + money(asking) + " is within the typical range of " + p.rangeText() + ", " + against + "."
}

// differenceText describes the difference of a price from the median, in percent.
func differenceText(percent int) string {
	switch {
	case percent < 0:
		return numberText(-percent) + " % below the median"
	case percent > 0:
		return numberText(percent) + " % above the median"
	}
	return "at the median"
}

// nearbyText states the prices of the neighbouring conditions.
func (p *PriceGuide) nearbyText() string {
	var known []string
	state := func(label string, s models.Stats) {
		known = append(known, label+" "+MoneyText(p.site.Currency().Money(s.Median))+" ("+countText(s.Count, "sale", "sales")+")")
	}
	for _, c := range p.parts.Trend.Neighbours(p.Condition) {
		state(c.Label(), p.parts.Trend.ByCondition[c])
	}
	if s := p.parts.Trend.Summary; p.Condition != "" && s.Enough() {
		state("all conditions", s)
	}
	if len(known) == 0 {
		return "Compare what others ask."
	}
	return "Medians nearby: " + join(known) + "."
}

// timeText describes how long listings took to sell.
func (p *PriceGuide) timeText() string {
	t := p.TimeToSell
	if all := p.parts.Times[""]; t.Status != "ok" && all.Enough() {
		return "In all conditions, half of the listings here sold within " + countText(all.Median, "day", "days") + " (" + countText(all.Count, "sale", "sales") + "); " +
			numberText(t.SampleSize) + " in this one."
	}
	if t.Status != "ok" && t.SampleSize == 0 {
		return "None has sold here yet to say how long it takes."
	}
	if t.Status != "ok" {
		return "Too few listings sold here to say how long it takes (" + countText(t.SampleSize, "sale", "sales") + ")."
	}
	return "Half of the listings here sold within " + countText(t.MedianDays, "day", "days") + ", most in " + numberText(t.P25Days) + " to " + countText(t.P75Days, "day", "days") +
		" (" + countText(t.SampleSize, "sale", "sales") + ")."
}

// askedText describes the current asking prices.
func (p *PriceGuide) askedText() string {
	text := activeText(&p.Active, "for sale now")
	if p.InCondition != nil {
		text += " In this condition: " + lowerFirst(activeText(p.InCondition, "for sale"))
	}
	return text
}

// activeText describes asking prices: "3 are for sale now, from €900, €950 on average."
func activeText(a *Active, forSale string) string {
	if a.Count == 0 || a.Lowest == nil {
		return "None is " + forSale + "."
	}
	text := countText(a.Count, "is", "are") + " " + forSale + ", from " + MoneyText(*a.Lowest)
	if a.Average != nil {
		text += ", " + MoneyText(*a.Average) + " on average"
	}
	return text + "."
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// changeSentence describes how the median changes.
func (p *PriceGuide) changeSentence() string {
	c := &p.Change
	if c.unknown() {
		return "There are too few sales to say where the price is going."
	}
	return "Median of all conditions: " + words(c.Direction) + ". 30 days: " + changeText(c.Days30) + ". 90 days: " + changeText(c.Days90) + ". 12 months: " + changeText(c.Months12) + "."
}

// Head implements Page.
func (p *PriceGuide) Head(ctx context.Context) Head {
	return Head{Title: p.what() + ": what it's worth", Description: p.Text, Path: p.path(), NoIndex: true, Crumbs: []Link{{"/prices", "Price check"}}}
}

// Markdown implements Page.
func (p *PriceGuide) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.what()+": what it's worth", p.Notice)
	m.priceGuide(p)
	m.links(p.Links)
	return m.done(w)
}

// priceGuide writes the body of a price guide.
func (m *markdown) priceGuide(p *PriceGuide) {
	if p.Price != nil {
		m.raw("\n**", p.verdictText(), "**\n")
	}
	m.text(p.Text)
	m.raw("\n- Buyer: ", mdText(p.Advice.Buyer), "\n- Seller: ", mdText(p.Advice.Seller), "\n- ", mdText(p.askedText()), "\n- ", mdText(p.changeSentence()),
		"\n- Confidence: ", words(p.Confidence), "\n\n")
	m.statsHead("Sold in 12 months")
	if p.listsSold() {
		m.statsRow(p.soldLabel(), &p.Sold)
	}
	for i := range p.ByCondition {
		m.statsRow(p.ByCondition[i].Label, &p.ByCondition[i].Stats)
	}
	m.raw("\nGear: `", p.Gear, "`. Page: ", p.site.URL(p.Page), "\n")
}

// verdictText returns the verdict on the asking price: "€900: below the typical range".
func (p *PriceGuide) verdictText() string {
	asking := MoneyText(p.Price.Asking)
	switch p.Price.Verdict {
	case models.VerdictUnknown:
		return asking + ": insufficient data"
	case models.WithinRange:
		return asking + ": fair, within the typical range"
	}
	return asking + ": " + string(p.Price.Verdict) + " the typical range"
}

// listsSold reports whether the first row of the table is not one of the conditions that
// follow.
func (p *PriceGuide) listsSold() bool {
	return !slices.ContainsFunc(p.ByCondition, func(c ConditionStats) bool { return c.Condition == p.Condition })
}

// soldLabel returns the label of the first row of the table.
func (p *PriceGuide) soldLabel() string {
	if p.Condition == "" {
		return "All conditions"
	}
	return "This condition"
}

// priceHelper writes a summary of the price guide, nothing for nil.
func (m *markdown) priceHelper(g *PriceGuide) {
	if g != nil {
		m.section("What to ask")
		m.raw(mdText(g.Text), " ", mdText(g.Advice.Seller), " ", mdText(g.askedText()), " ", m.link(Link{g.path(), "Price check"}), "\n")
	}
}
