package views

import (
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// GuideParts are what a price guide is made of.
type GuideParts struct {
	Gear            *models.Gear
	Condition       models.Condition // "" for all together
	Trend           *models.Trend    // nil without sales
	Times           map[models.Condition]models.SellingTime
	Active          int
	Lowest, Average models.Cents
}

// PriceGuide is what a gear sold for, and how long it took.
type PriceGuide struct {
	URL         string           `json:"url"`
	Gear        string           `json:"gear"`
	GearName    string           `json:"gear_name"`
	Condition   models.Condition `json:"condition,omitempty"`
	Basis       string           `json:"basis" enum:"sold"`
	Sold        Stats            `json:"sold_for" jsonschema:"what it sold for over 12 months, in this condition or without one in all"`
	TimeToSell  SellingTime      `json:"time_to_sell"`
	ByCondition []ConditionStats `json:"by_condition"`
	Active      Active           `json:"asked" jsonschema:"what is asked for it now, kept apart from its sales"`
	Text        string           `json:"text"`
	Links       []Link           `json:"links"`
	Notice      string           `json:"notice,omitempty"`
	site        *Site
}

// SellingTime is how many days listings took to sell.
type SellingTime struct {
	Status     string `json:"status" jsonschema:"ok, or insufficient_data under five sales" enum:"ok,insufficient_data"`
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

// NewPriceGuide makes a price guide.
func NewPriceGuide(site *Site, parts GuideParts) *PriceGuide {
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

func (p *PriceGuide) path() string {
	q := url.Values{"gear": {p.Gear}}
	if p.Condition != "" {
		q.Set("condition", string(p.Condition))
	}
	return "/sell/price?" + q.Encode()
}

// what is the gear with its condition: "Canon EOS R6, excellent".
func (p *PriceGuide) what() string {
	if p.Condition == "" {
		return p.GearName
	}
	return p.GearName + ", " + p.Condition.Label()
}

// advice is the guide in a sentence or two.
func (p *PriceGuide) advice() string {
	text := "There are too few sales to say what it sells for: " + countText(p.Sold.SampleSize, "sale", "sales") + " in 12 months. Look at what is asked for others, and be patient."
	if p.Sold.Median != nil {
		text = "Half of them sold between " + MoneyText(*p.Sold.P25) + " and " + MoneyText(*p.Sold.P75) + ", the median is " + MoneyText(*p.Sold.Median) +
			" (" + countText(p.Sold.SampleSize, "sale", "sales") + " in 12 months)."
	}
	return text + " " + p.timeText()
}

// timeText says how long such listings took to sell.
func (p *PriceGuide) timeText() string {
	t := p.TimeToSell
	if t.Status != "ok" {
		return "How long they take to sell is not known: " + countText(t.SampleSize, "sale", "sales") + " of listings here."
	}
	return "Half of the listings here sold within " + countText(t.MedianDays, "day", "days") + ", the middle half of them within " + numberText(t.P25Days) + " to " + countText(t.P75Days, "day", "days") +
		" (" + countText(t.SampleSize, "sale", "sales") + ")."
}

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

func (p *PriceGuide) soldLabel() string {
	if p.Condition == "" {
		return "All conditions"
	}
	return "This condition"
}

// OwnCard is a listing as its seller sees it in a list.
type OwnCard struct {
	Card
	Version   int64        `json:"version"`
	ExpiresAt string       `json:"expires_at,omitempty"`
	Attention []string     `json:"attention,omitempty"`
	Steps     []SellerStep `json:"steps"`
}

// NewOwnCard makes a card of a listing for its seller. offers is how many wait for an answer.
func NewOwnCard(site *Site, l *models.Listing, gear *models.Gear, seller string, offers int, now models.Time) OwnCard {
	c := OwnCard{Card: NewCard(site, l, gear, seller, nil), Version: l.Version, Steps: list(stepsOf(l.ID, l.Status))}
	note := func(text string) { c.Attention = append(c.Attention, text) }
	if l.Status == models.StatusActive {
		c.ExpiresAt = l.ExpiresAt.RFC3339()
	}
	if offers > 0 {
		note(countText(offers, "offer waits", "offers wait") + " for your answer.")
	}
	const week = 7 * 24 * 60 * 60 * 1000
	switch {
	case l.Status == models.StatusDraft:
		note("Is a draft: nobody sees it until you publish it.")
	case l.Status == models.StatusActive && l.ExpiresAt != 0 && l.ExpiresAt-now < week:
		note("Expires on " + DayText(c.ExpiresAt) + ".")
	case l.Status == models.StatusReserved && now-l.UpdatedAt > week:
		note("Is reserved since " + DayText(l.UpdatedAt.RFC3339()) + ".")
	case l.Status == models.StatusExpired:
		note("Has expired: put it back on sale if you still have it.")
	}
	if l.Status.Open() && len(l.Photos) == 0 {
		note("Has no photograph.")
	}
	return c
}

// StatusCount is how many of one's listings are in a status.
type StatusCount struct {
	Status models.Status `json:"status"`
	Count  int           `json:"count"`
	Href   string        `json:"href"`
}

// MineParts are what the page of one's own listings is made of.
type MineParts struct {
	Counts   map[models.Status]int
	Order    []models.Status
	Status   models.Status // the only one shown, "" for all
	Listings []OwnCard     // in that order
	Next     string
	Export   func(io.Writer) error
}

// MyListings are one's own listings.
type MyListings struct {
	Counts     []StatusCount `json:"counts"`
	Listings   []OwnCard     `json:"listings" jsonschema:"yours, by status"`
	NextCursor string        `json:"next_cursor,omitempty"`
	Links      []Link        `json:"links"`
	only       models.Status
	export     func(io.Writer) error
	site       *Site
}

const minePath = "/account/listings"

// NewMyListings makes the page of one's own listings.
func NewMyListings(site *Site, parts MineParts) *MyListings {
	p := &MyListings{Counts: []StatusCount{}, Listings: list(parts.Listings), NextCursor: parts.Next, only: parts.Status, export: parts.Export, site: site}
	for _, status := range parts.Order {
		if n := parts.Counts[status]; n > 0 {
			p.Counts = append(p.Counts, StatusCount{status, n, minePath + "?status=" + string(status)})
		}
	}
	p.Links = []Link{{"/sell", "Sell something"}, {minePath + ".csv", "Export all of them as CSV"}}
	if p.only != "" {
		p.Links = append(p.Links, Link{minePath, "All your listings"})
	}
	return p
}

// Head implements Page.
func (p *MyListings) Head() Head {
	h := Head{Title: "Your listings", Description: "What you sell and have sold.", Path: minePath, NoIndex: true, Crumbs: []Link{{"/account", "Your account"}},
		Alternates: []Alternate{{minePath + ".csv", "text/csv"}}}
	if p.only != "" {
		h.Path += "?status=" + string(p.only)
	}
	return h
}

// Next is where the list goes on, as a page or in the API.
func (p *MyListings) Next(api bool) string {
	if p.NextCursor == "" {
		return ""
	}
	path := minePath
	if api {
		path = "/api/me/listings"
	}
	return path + "?status=" + string(p.only) + "&cursor=" + url.QueryEscape(p.NextCursor)
}

// CSV writes every listing of the member, whatever the page shows.
func (p *MyListings) CSV(w io.Writer) error {
	if p.export == nil {
		return nil
	}
	return p.export(w)
}

// Markdown implements Page.
func (p *MyListings) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Your listings", "")
	if len(p.Counts) == 0 {
		m.text("You have none yet.")
	} else {
		m.raw("\n")
		m.head("Status", "Listings")
		for _, c := range p.Counts {
			m.row(m.link(Link{c.Href, string(c.Status)}), numberText(c.Count))
		}
		m.section("Listings")
		m.head("Listing", "Id", "Status", "Version", "Price", "Condition", "Region", "Published", "For sale until", "Needs attention", "Next steps")
		for i := range p.Listings {
			c := &p.Listings[i]
			m.row(m.link(Link{c.path(), c.Title}), c.ID, string(c.Status), strconv.FormatInt(c.Version, 10), MoneyText(c.Price), c.conditionText(), RegionName(c.Region), DayText(c.PublishedAt), DayText(c.ExpiresAt), mdText(strings.Join(c.Attention, " ")), mdText(c.stepText()))
		}
	}
	if next := p.Next(false); next != "" {
		m.raw("\n", m.link(Link{next, "More of them"}), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}

func (c *OwnCard) stepText() string {
	names := make([]string, len(c.Steps))
	for i, s := range c.Steps {
		names[i] = s.Name
	}
	return join(names)
}

// pressing are the listings that need attention.
func (p *MyListings) pressing() []OwnCard {
	var all []OwnCard
	for _, c := range p.Listings {
		if len(c.Attention) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// inStatus are the listings of the page in a status.
func (p *MyListings) inStatus(status models.Status) []OwnCard {
	var all []OwnCard
	for _, c := range p.Listings {
		if c.Status == status {
			all = append(all, c)
		}
	}
	return all
}

var shelfNames = map[models.Status]string{
	models.StatusDraft: "Drafts", models.StatusActive: "For sale", models.StatusReserved: "Reserved", models.StatusSold: "Sold",
	models.StatusEnded: "Ended", models.StatusExpired: "Expired", models.StatusRemoved: "Removed by the operator",
}

// RejectedRow is a row of a file that was not imported.
type RejectedRow struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	Hint   string `json:"hint"`
}

// ImportParts are what became of a file.
type ImportParts struct {
	Report      models.ImportReport
	Rejected    []RejectedRow
	Published   int
	Unpublished string // why no more were published, "" for no reason
}

// ImportReport is what became of a file of listings.
type ImportReport struct {
	Rows        int           `json:"rows"`
	Inserted    int           `json:"inserted"`
	Updated     int           `json:"updated"`
	Unchanged   int           `json:"unchanged"`
	Published   int           `json:"published"`
	Unpublished string        `json:"unpublished,omitempty" jsonschema:"why the other drafts of the file were not published"`
	Rejected    []RejectedRow `json:"rejected" jsonschema:"the first 100 rows that were not imported"`
	NotImported int           `json:"rejected_total" jsonschema:"how many rows were not imported"`
	Links       []Link        `json:"links"`
	site        *Site
}

// NewImportReport makes the report of an import.
func NewImportReport(site *Site, parts ImportParts) *ImportReport {
	r := parts.Report
	return &ImportReport{Rows: r.Rows, Inserted: r.Inserted, Updated: r.Updated, Unchanged: r.Unchanged, Published: parts.Published, Unpublished: parts.Unpublished,
		Rejected: list(parts.Rejected), NotImported: r.Rejected, Links: []Link{{minePath, "Your listings"}, {minePath + ".csv", "Export all of them as CSV"}}, site: site}
}

// Shown makes the report the answer to the form that brought the file.
func (p *ImportReport) Shown() bool { return true }

// Head implements Page.
func (p *ImportReport) Head() Head {
	return Head{Title: "Import of listings", Description: "What became of the file.", Path: minePath, NoIndex: true, Crumbs: []Link{{minePath, "Your listings"}}}
}

// said is what became of the file, in words.
func (p *ImportReport) said() string {
	text := countText(p.Rows, "row", "rows") + ": " + numberText(p.Inserted) + " new, " + numberText(p.Updated) + " brought up to date, " + numberText(p.Unchanged) + " as they were, " +
		numberText(p.NotImported) + " not taken. " + countText(p.Published, "listing", "listings") + " put on sale."
	if p.Unpublished != "" {
		text += " The rest stay drafts: " + p.Unpublished
	}
	return text
}

// firstRejected says that only the first rejected rows are listed, "" when all are.
func (p *ImportReport) firstRejected() string {
	if p.NotImported <= len(p.Rejected) {
		return ""
	}
	return "These are the first " + numberText(len(p.Rejected)) + " of " + numberText(p.NotImported) + "."
}

// Markdown implements Page.
func (p *ImportReport) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Import of listings", "")
	m.text(p.said())
	if len(p.Rejected) > 0 {
		m.section("Rows that were not taken")
		m.text(p.firstRejected())
		m.head("Line", "Reason", "Hint")
		for _, r := range p.Rejected {
			m.row(numberText(r.Line), mdText(r.Reason), mdText(r.Hint))
		}
	}
	m.links(p.Links)
	return m.done(w)
}
