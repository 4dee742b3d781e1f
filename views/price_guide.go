package views

import (
	"io"
	"net/url"

	"github.com/secondlight/secondlight/models"
)

// PriceGuideParts holds what a price guide is made of.
type PriceGuideParts struct {
	Gear            *models.Gear
	Condition       models.Condition // "" for all conditions
	Trend           *models.Trend    // nil without sales
	Times           map[models.Condition]models.SellingTime
	Active          int
	Lowest, Average models.Cents
}

// PriceGuide is the page of what gear sold for and how long that took.
type PriceGuide struct {
	URL         string           `json:"url"`
	Gear        string           `json:"gear"`
	GearName    string           `json:"gear_name"`
	Condition   models.Condition `json:"condition,omitempty"`
	Basis       string           `json:"basis" enum:"sold"`
	Sold        Stats            `json:"sold_for" jsonschema:"sold prices of the last 12 months, in the condition or in all conditions"`
	TimeToSell  SellingTime      `json:"time_to_sell"`
	ByCondition []ConditionStats `json:"by_condition"`
	Active      Active           `json:"asked" jsonschema:"current asking prices, separate from sales"`
	Text        string           `json:"text"`
	Links       []Link           `json:"links"`
	Notice      string           `json:"notice,omitempty"`
	site        *Site
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

// NewPriceGuide returns a price guide.
func NewPriceGuide(site *Site, parts PriceGuideParts) *PriceGuide {
	g, t := parts.Gear, parts.Trend
	if t == nil {
		t = &models.Trend{}
	}
	p := &PriceGuide{
		Gear: g.Slug(), GearName: g.Name(), Condition: parts.Condition, Basis: "sold", Sold: newStats(site, t.Summary),
		TimeToSell: newSellingTime(parts.Times[parts.Condition]), ByCondition: []ConditionStats{},
		Active: Active{parts.Active, site.money(parts.Lowest), site.money(parts.Average)}, Notice: site.notice(), site: site,
	}
	if p.Condition != "" {
		p.Sold = newStats(site, t.ByCondition[p.Condition])
	}
	for _, c := range models.Conditions {
		p.ByCondition = append(p.ByCondition, ConditionStats{c, c.Label(), newStats(site, t.ByCondition[c])})
	}
	p.URL, p.Text = site.URL(p.path()), p.advice()
	p.Links = []Link{{gearPath(p.Gear), "The whole trend"}, {sellPath(p.Gear, ""), "Sell one"}, {"/guides/reading-a-price-trend", "Reading a price trend"}, {"/guides/condition-grades", "What the grades mean"}}
	return p
}

// path returns the canonical path of the page.
func (p *PriceGuide) path() string {
	q := url.Values{"gear": {p.Gear}}
	if p.Condition != "" {
		q.Set("condition", string(p.Condition))
	}
	return "/sell/price?" + q.Encode()
}

// what returns the gear with its condition: "Canon EOS R6, excellent".
func (p *PriceGuide) what() string {
	if p.Condition == "" {
		return p.GearName
	}
	return p.GearName + ", " + p.Condition.Label()
}

// advice summarises the guide in two sentences.
func (p *PriceGuide) advice() string {
	text := "There are too few sales to say what it sells for: " + countText(p.Sold.SampleSize, "sale", "sales") + " in 12 months. Look at what is asked for others, and be patient."
	if p.Sold.Median != nil {
		text = "Half of them sold between " + MoneyText(*p.Sold.P25) + " and " + MoneyText(*p.Sold.P75) + ", the median is " + MoneyText(*p.Sold.Median) +
			" (" + countText(p.Sold.SampleSize, "sale", "sales") + " in 12 months)."
	}
	return text + " " + p.timeText()
}

// timeText describes how long listings took to sell.
func (p *PriceGuide) timeText() string {
	t := p.TimeToSell
	if t.Status != "ok" {
		return "How long they take to sell is not known: " + countText(t.SampleSize, "sale", "sales") + " of listings here."
	}
	return "Half of the listings here sold within " + countText(t.MedianDays, "day", "days") + ", the middle half of them within " + numberText(t.P25Days) + " to " + countText(t.P75Days, "day", "days") +
		" (" + countText(t.SampleSize, "sale", "sales") + ")."
}

// askedText describes the current asking prices.
func (p *PriceGuide) askedText() string {
	if p.Active.Count == 0 || p.Active.Lowest == nil {
		return "None is for sale now."
	}
	return countText(p.Active.Count, "is", "are") + " for sale now, from " + MoneyText(*p.Active.Lowest) + ", " + moneyOr(p.Active.Average, "") + " on average."
}

// Head implements Page.
func (p *PriceGuide) Head() Head {
	return Head{Title: "What to ask for " + p.what(), Description: "What " + p.what() + " sold for, and how long it took.", Path: p.path(), NoIndex: true,
		Crumbs: []Link{{"/gear", "Gear"}, {gearPath(p.Gear), p.GearName}}}
}

// Markdown implements Page.
func (p *PriceGuide) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "What to ask for "+p.what(), p.Notice)
	m.text(p.Text)
	m.text(p.askedText())
	m.section("What it sold for")
	m.statsHead("Sold in 12 months")
	m.statsRow(p.soldLabel(), &p.Sold)
	for i := range p.ByCondition {
		m.statsRow(p.ByCondition[i].Label, &p.ByCondition[i].Stats)
	}
	m.raw("\nGear: ", m.link(Link{gearPath(p.Gear), p.GearName}), " (`", p.Gear, "`). Address: ", p.URL, "\n")
	m.links(p.Links)
	return m.done(w)
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
		m.raw(mdText(g.Text), " ", mdText(g.askedText()), " ", m.link(Link{g.path(), "The price guide"}), "\n")
	}
}
