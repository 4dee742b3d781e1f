package price

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// MyKit is the page of the gear that a member owns, with its value.
type MyKit struct {
	Items    []MyKitCard   `json:"items" jsonschema:"your items, the first added first"`
	Sum      *ValuationSum `json:"sum,omitempty" jsonschema:"sum of the items with a value; absent if there are none"`
	Estimate *EstimateSum  `json:"estimate,omitempty" jsonschema:"sum of the estimates, also of items with too few sales; absent if there are none"`
	Text     string        `json:"text" jsonschema:"the sum in words, and how many items have no value"`
	Method   string        `json:"method" jsonschema:"how the values are calculated"`
	Links    []ui.Link     `json:"links"`
	Notice   string        `json:"notice,omitempty"`
	site     *ui.Site
}

// MyKitCard is an item of a member's kit as lists show it.
type MyKitCard struct {
	ID        string           `json:"id"`
	Name      string           `json:"name" jsonschema:"what the member calls it" untrusted:"true"`
	Gear      string           `json:"gear,omitempty"`
	GearName  string           `json:"gear_name,omitempty"`
	Condition models.Condition `json:"condition,omitempty"`
	BoughtOn  models.Day       `json:"bought_on,omitempty" jsonschema:"day of the purchase" format:"date" maxlength:"10"`
	Paid      *models.Money    `json:"paid,omitempty" jsonschema:"price paid"`
	Insured   bool             `json:"insured" jsonschema:"whether it is insured"`
	Alert     bool             `json:"alert" jsonschema:"whether you get an email when its value moves by 5% or more"`
	Low       *models.Money    `json:"low,omitempty" jsonschema:"lower quartile of the sold prices: a quick sale; absent with fewer than 5 sales"`
	Median    *models.Money    `json:"median,omitempty" jsonschema:"median of the sold prices; absent with fewer than 5 sales"`
	High      *models.Money    `json:"high,omitempty" jsonschema:"upper quartile of the sold prices: with patience"`
	Estimate  *Estimate        `json:"estimate,omitempty" jsonschema:"what it is likely to sell for now; absent if too little is known"`
	Text      string           `json:"text" jsonschema:"the sales the value is based on, or why there is none"`
	Version   int64            `json:"version" jsonschema:"version for If-Match" min:"1"`
	ui.Ref
	value ValuedItem
}

// MyKitParts holds what an item of a member's kit is made of.
type MyKitParts struct {
	Item     *models.KitItem
	Gear     *catalog.Gear    // nil if it is not in the catalogue
	Trend    *prices.Trend    // nil without sales
	Estimate *prices.Estimate // nil if nothing can be said
}

// NewMyKit returns the page of a member's kit.
func NewMyKit(site *ui.Site, items []MyKitParts) *MyKit {
	valued := make([]ValuationParts, len(items))
	for i, parts := range items {
		valued[i] = parts.valuation()
	}
	value := NewValuation(site, valued)
	p := &MyKit{Items: []MyKitCard{}, Sum: value.Sum, Estimate: value.Estimate, Method: ValuationMethod, Notice: site.Notice(), site: site,
		Links: []ui.Link{{Href: ui.MyKitPath + "/new", Label: "Add gear"}, {Href: exportKitPath, Label: "List for your insurer"}, {Href: ui.AccuracyPath, Label: "Accuracy of the estimates"}, {Href: "/guides/reading-a-price-trend", Label: "How to read price history"}, {Href: "/guides/selling-well", Label: "Selling well"}}}
	for i, parts := range items {
		p.Items = append(p.Items, newMyKitCard(site, parts.Item, value.Items[i]))
	}
	p.Text = p.lead(context.Background())
	return p
}

// valuation returns what the value of the item is made of.
func (p *MyKitParts) valuation() ValuationParts {
	return ValuationParts{Item: prices.ValuationItem{Name: p.Item.Name, Condition: string(p.Item.Condition)}, Gear: p.Gear, Trend: p.Trend, Estimate: p.Estimate}
}

func newMyKitCard(site *ui.Site, item *models.KitItem, value ValuedItem) MyKitCard {
	c := MyKitCard{ID: item.ID, Name: item.Name, Gear: value.Gear, GearName: value.GearName, Condition: item.Condition, BoughtOn: item.BoughtOn, Paid: site.Money(item.Paid),
		Insured: item.Insured, Alert: item.Alert, Low: value.Low, Median: value.Median, High: value.High, Estimate: value.Estimate, Version: item.Version,
		Ref: ui.NewRef(myKitItemPath(item.ID)), value: value}
	c.Text = c.basis(context.Background())
	return c
}

// basis describes the sales that the value is based on, or says why there is none.
func (c *MyKitCard) basis(ctx context.Context) string {
	if c.Gear == "" {
		return ui.T(ctx, "No value: we don't have this model in our catalogue.")
	}
	return c.value.text(ctx)
}

// myKitItemPath returns the path of the page of an item of a member's kit.
func myKitItemPath(id string) string { return ui.MyKitPath + "/" + id }

// lead states the sum and names what is left out of it.
func (p *MyKit) lead(ctx context.Context) string {
	if len(p.Items) == 0 {
		return ui.T(ctx, "Add the cameras and lenses you own to see what they're worth, track how that changes, and get a list for your insurer.")
	}
	text := ui.T(ctx, "We couldn't value any of these items.")
	valued := 0
	if s := p.Sum; s != nil {
		valued = s.Items
		text = ui.TN(ctx, s.Items, "%s item, worth about %s: %s for a quick sale, up to %s if you can wait.", "%s items, worth about %s: %s for a quick sale, up to %s if you can wait.",
			ui.MoneyIn(ctx, s.Median), ui.MoneyIn(ctx, s.Low), ui.MoneyIn(ctx, s.High))
	}
	if n := len(p.Items) - valued; n > 0 && valued > 0 {
		text += " " + ui.TN(ctx, n, "We can't value %s item yet.", "We can't value %s items yet.")
	}
	return text
}

// Head implements Page.
func (p *MyKit) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your kit"), Description: ui.T(ctx, "The gear you own, and what it is worth."), Path: ui.MyKitPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// kitCrumbs lead to the pages below the kit.
var kitCrumbs = []ui.Link{ui.AccountCrumb, {Href: ui.MyKitPath, Label: "Your kit"}}

// ownText says when and for how much the item was bought, and whether it is insured.
func (c *MyKitCard) ownText(ctx context.Context) string {
	insured, alert := "", ""
	if c.Insured {
		insured = ui.T(ctx, "insured")
	}
	if c.Alert {
		alert = ui.T(ctx, "alert on")
	}
	return ui.Commas(ui.T(ctx, c.Condition.Label()), c.boughtText(ctx), insured, alert)
}

// boughtText says when and for how much the item was bought, "" if both are unknown.
func (c *MyKitCard) boughtText(ctx context.Context) string {
	switch {
	case c.BoughtOn != "" && c.Paid != nil:
		return ui.T(ctx, "bought on %s for %s", ui.DayIn(ctx, c.BoughtOn), ui.MoneyIn(ctx, *c.Paid))
	case c.BoughtOn != "":
		return ui.T(ctx, "bought on %s", ui.DayIn(ctx, c.BoughtOn))
	case c.Paid != nil:
		return ui.T(ctx, "bought for %s", ui.MoneyIn(ctx, *c.Paid))
	}
	return ""
}

// modelText returns the name of the gear if the member calls it otherwise.
func (c *MyKitCard) modelText() string {
	if c.GearName == c.Name {
		return ""
	}
	return c.GearName
}

// SellPath returns the path of the form of a listing that is filled in with the item.
func (c *MyKitCard) sellPath() string { return "/sell?kit=" + c.ID }

// Markdown implements Page.
func (p *MyKit) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your kit"), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.lead(ctx))
	if len(p.Items) > 0 {
		m.Raw("\n")
		m.Head("Item", "Id", "Version", "Model", "Details", "Low", "Median", "High", "Basis")
		for i := range p.Items {
			c := &p.Items[i]
			basis := c.basis(ctx)
			if c.Estimate != nil {
				basis += ". " + m.Link(ui.Link{Href: c.Estimate.path(), Label: c.Estimate.shortText(ctx)})
			}
			m.Row(m.Link(ui.Link{Href: c.Page, Label: ui.Untrusted(c.Name)}), c.ID, strconv.FormatInt(c.Version, 10), c.gearCell(), ui.MarkdownText(c.ownText(ctx)),
				ui.MoneyOrIn(ctx, c.Low, "–"), ui.MoneyOrIn(ctx, c.Median, "–"), ui.MoneyOrIn(ctx, c.High, "–"), basis)
		}
		if s := p.Sum; s != nil {
			m.Row("**"+ui.T(ctx, "Total of %s", ui.TN(ctx, s.Items, "%s item", "%s items"))+"**", "", "", "", "", ui.MoneyIn(ctx, s.Low), ui.MoneyIn(ctx, s.Median), ui.MoneyIn(ctx, s.High), "")
		}
	}
	if p.Estimate != nil {
		m.Paragraph(p.Estimate.text(ctx))
	}
	m.Paragraph(ui.T(ctx, p.Method))
	m.Links(p.Links)
	return m.Done(w)
}

// gearCell returns the gear of the item for a table.
func (c *MyKitCard) gearCell() string {
	if c.Gear == "" {
		return "–"
	}
	return ui.MarkdownText(c.GearName) + " `" + c.Gear + "`"
}

// MyKitItem is the page of one item of a member's kit.
type MyKitItem struct {
	MyKitCard
	Serial string    `json:"serial,omitempty" jsonschema:"serial number; only you see it" maxlength:"60" untrusted:"true"`
	Note   string    `json:"note,omitempty" untrusted:"true"`
	Public bool      `json:"public" jsonschema:"whether it is on the kit page of the site; only for operators"`
	Series []Month   `json:"series" jsonschema:"sold prices of the gear in all conditions, by month since the purchase"`
	Links  []ui.Link `json:"links"`
	Notice string    `json:"notice,omitempty"`
	form   kitForm
	site   *ui.Site
}

// KitChoices is what helps to fill in the form of an item.
type KitChoices struct {
	Matching []*catalog.Gear // gear that the name may mean, likeliest first
	Public   bool            // whether the member may show it on the kit page of the site
}

// NewMyKitItem returns the page of an item of a member's kit. The trend has its months.
func NewMyKitItem(site *ui.Site, parts *MyKitParts, choices KitChoices) *MyKitItem {
	valuation, item := parts.valuation(), parts.Item
	value, _ := newValuedItem(site, &valuation)
	p := &MyKitItem{MyKitCard: newMyKitCard(site, item, value), Serial: item.Serial, Note: item.Note, Public: item.Public, Series: []Month{}, Notice: site.Notice(),
		form: newKitForm(site, item, value.GearName, choices), site: site}
	if parts.Trend != nil {
		from, known := item.BoughtMonth()
		for _, month := range parts.Trend.Months {
			if !known || month.Month >= from {
				p.Series = append(p.Series, NewMonth(site, month))
			}
		}
	}
	if p.Gear != "" {
		p.Links = append(p.Links, ui.Link{Href: ui.GearPath(p.Gear), Label: "Price history and listings of this model"})
	}
	if p.Estimate != nil {
		p.Links = append(p.Links, ui.Link{Href: ui.AccuracyPath, Label: "Accuracy of the estimates"})
	}
	p.Links = append(p.Links, ui.Link{Href: p.sellPath(), Label: "Sell this"}, ui.Link{Href: ui.MyKitPath, Label: "Your kit"})
	return p
}

// Head implements Page.
func (p *MyKitItem) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.Name, Description: p.valueText(ctx), Path: p.Page, NoIndex: true, Crumbs: kitCrumbs}
}

// Resource returns the path of the item in the API.
func (p *MyKitItem) Resource() string { return "/api/me/kit/" + p.ID }

// valueText says what the item is worth now.
func (p *MyKitItem) valueText(ctx context.Context) string {
	if p.Median == nil {
		return p.basis(ctx)
	}
	return ui.T(ctx, "Worth about %s: %s for a quick sale, up to %s if you can wait.", ui.MoneyIn(ctx, *p.Median), ui.MoneyIn(ctx, *p.Low), ui.MoneyIn(ctx, *p.High))
}

// SinceText compares the value with the price paid, "" if one of them is unknown.
func (p *MyKitItem) sinceText(ctx context.Context) string {
	if p.Median == nil || p.Paid == nil || ui.Units(p.Paid) == 0 {
		return ""
	}
	percent := int(math.Round((ui.Units(p.Median)/ui.Units(p.Paid) - 1) * 100))
	switch {
	case percent > 0:
		return ui.T(ctx, "%s%% more than you paid", ui.NumberIn(ctx, percent))
	case percent < 0:
		return ui.T(ctx, "%s%% less than you paid", ui.NumberIn(ctx, -percent))
	}
	return ui.T(ctx, "what you paid")
}

// facts returns the facts of the item for display. quote marks what the member wrote:
// AsWritten or untrusted.
func (p *MyKitItem) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	model := ui.Link{}
	if p.Gear != "" {
		model = ui.Link{Href: ui.GearPath(p.Gear), Label: p.GearName}
	}
	insured := ui.T(ctx, "No")
	if p.Insured {
		insured = ui.T(ctx, "Yes")
	}
	estimate := ui.Link{}
	if p.Estimate != nil {
		estimate = ui.Link{Href: p.Estimate.path(), Label: p.Estimate.shortText(ctx)}
	}
	return []ui.Fact{{Name: "Model", Value: model.Label, Href: model.Href}, {Name: "Condition", Value: ui.T(ctx, p.Condition.Label())}, {Name: "Bought", Value: ui.DayIn(ctx, p.BoughtOn)}, {Name: "Paid", Value: ui.MoneyOrIn(ctx, p.Paid, "")},
		{Name: "Value now", Value: p.sinceText(ctx)}, {Name: "Value based on", Value: p.basis(ctx)}, {Name: "Price estimate", Value: estimate.Label, Href: estimate.Href}, {Name: "Insured", Value: insured}, {Name: "Serial number", Value: quote(p.Serial)}, {Name: "Note", Value: quote(p.Note)}}
}

// historyHeading returns the heading of the chart.
func (p *MyKitItem) historyHeading(ctx context.Context) string {
	if p.BoughtOn == "" {
		return ui.T(ctx, "Its value over time")
	}
	return ui.T(ctx, "Its value since you bought it")
}

// chart renders the sold prices of the gear by month.
func (p *MyKitItem) chart() templ.Component {
	return SeriesChart(ChartData{Months: p.Series}, p.site.Currency().Code, func(ctx context.Context) (title, about string) {
		return ui.T(ctx, "Sold prices of the %s by month", p.GearName), SeriesAbout(ctx, p.Series)
	})
}

// Markdown implements Page.
func (p *MyKitItem) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.Untrusted(p.Name), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.valueText(ctx))
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "Id"), "`"+p.ID+"`")
	m.Row(ui.T(ctx, "Address"), p.site.URL(p.Page))
	m.Row(ui.T(ctx, "Version"), strconv.FormatInt(p.Version, 10))
	m.Row(ui.T(ctx, "Model"), p.gearCell())
	for _, f := range p.facts(ctx, ui.Untrusted) {
		value := ui.MarkdownText(cmp.Or(f.Value, "–"))
		if f.Href != "" {
			value = m.Link(ui.Link{Href: f.Href, Label: f.Value})
		}
		m.Row(ui.T(ctx, f.Name), value)
	}
	m.Section(p.historyHeading(ctx))
	WriteMonths(m, p.Series)
	m.Links(p.Links)
	return m.Done(w)
}

// NewKitItem is the page where an item is added to a member's kit.
type NewKitItem struct {
	Name string `json:"name" jsonschema:"suggested name"`
	Gear string `json:"gear,omitempty"`
	form kitForm
	site *ui.Site
}

// NewNewKitItem returns the page where an item is added, filled in with gear, which may
// be nil.
func NewNewKitItem(site *ui.Site, gear *catalog.Gear, choices KitChoices) *NewKitItem {
	p := &NewKitItem{site: site}
	if gear != nil {
		p.Name, p.Gear = gear.Name(), gear.Slug()
	}
	p.form = newKitForm(site, &models.KitItem{Name: p.Name, Gear: p.Gear}, p.Name, choices)
	return p
}

// Head implements Page.
func (p *NewKitItem) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Add gear"), Description: ui.T(ctx, "Add a camera or lens to your kit."), Path: ui.MyKitPath + "/new", NoIndex: true, Crumbs: kitCrumbs}
}

// Markdown implements Page.
func (p *NewKitItem) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Add gear"), "").In(ctx)
	m.Paragraph(ui.T(ctx, "Add a camera or lens to your kit."))
	if p.Gear != "" {
		m.Raw("\n", ui.MarkdownText(p.Name), " `", p.Gear, "`\n")
	}
	m.Raw("\n", ui.T(ctx, "Add it with `POST /api/me/kit`."), "\n")
	m.Links([]ui.Link{{Href: ui.MyKitPath, Label: "Your kit"}})
	return m.Done(w)
}

// kitForm holds the values of the form of an item.
type kitForm struct {
	operation string
	item      *models.KitItem
	gearName  string
	paid      string
	currency  string
	choices   KitChoices
}

func newKitForm(site *ui.Site, item *models.KitItem, gearName string, choices KitChoices) kitForm {
	f := kitForm{operation: "add_to_kit", item: item, gearName: gearName, currency: site.Currency().Code, choices: choices}
	if item.ID != "" {
		f.operation = "edit_kit_item"
	}
	if item.Paid > 0 {
		f.paid = site.Currency().Plain(item.Paid)
	}
	return f
}

// action returns the path that the form is posted to.
func (f *kitForm) action() string {
	if f.item.ID != "" {
		return myKitItemPath(f.item.ID)
	}
	return ui.MyKitPath
}

// gearChoices returns the gear that the item may be.
func (f *kitForm) gearChoices() []ui.Choice {
	var all []ui.Choice
	if f.item.Gear != "" {
		all = append(all, ui.Choice{Value: f.item.Gear, Label: f.gearName})
	}
	for _, g := range f.choices.Matching {
		if g.Slug() != f.item.Gear {
			all = append(all, ui.Choice{Value: g.Slug(), Label: g.Name()})
		}
	}
	return append(all, ui.Choice{Value: ui.NoGear, Label: "Not in the catalogue"})
}

// shownGear returns the gear that is chosen.
func (f *kitForm) shownGear() string { return cmp.Or(f.item.Gear, ui.NoGear) }

// gearHelp asks which gear the item is, if its name may mean several.
func (f *kitForm) gearHelp() string {
	if f.item.Gear == "" && len(f.choices.Matching) > 0 {
		return languages.Mark("Which one is it? Select it to see its value.")
	}
	return ""
}

// exportKitPath is the path of the list for an insurer.
const exportKitPath = ui.MyKitPath + "/export"

// KitExport is a member's kit as a list for an insurer, with serial numbers.
type KitExport struct {
	Owner  string        `json:"owner" jsonschema:"your name" maxlength:"60" untrusted:"true"`
	At     string        `json:"exported_at" jsonschema:"when the list was made" format:"date-time"`
	Items  []ExportedKit `json:"items" jsonschema:"your items, the first added first"`
	Sum    *ValuationSum `json:"sum,omitempty" jsonschema:"sum of the items with a value; absent if there are none"`
	Method string        `json:"method" jsonschema:"how the values are calculated"`
	Notice string        `json:"notice,omitempty"`

	site     *ui.Site
	language *languages.Language
}

// ExportedKit is an item in the list for an insurer.
type ExportedKit struct {
	Name      string           `json:"name" jsonschema:"what the member calls it" untrusted:"true"`
	GearName  string           `json:"gear_name,omitempty"`
	Serial    string           `json:"serial,omitempty" jsonschema:"serial number" maxlength:"60" untrusted:"true"`
	Condition models.Condition `json:"condition,omitempty"`
	BoughtOn  models.Day       `json:"bought_on,omitempty" jsonschema:"day of the purchase" format:"date" maxlength:"10"`
	Paid      *models.Money    `json:"paid,omitempty" jsonschema:"price paid"`
	Insured   bool             `json:"insured" jsonschema:"whether it is insured"`
	Low       *models.Money    `json:"low,omitempty" jsonschema:"lower quartile of the sold prices"`
	Median    *models.Money    `json:"median,omitempty" jsonschema:"median of the sold prices"`
	High      *models.Money    `json:"high,omitempty" jsonschema:"upper quartile of the sold prices"`
	Text      string           `json:"text" jsonschema:"the sales the value is based on, or why there is none"`
	Note      string           `json:"note,omitempty" untrusted:"true"`
	card      MyKitCard
}

// NewKitExport returns the list for an insurer of a member's kit. Its CSV is in the language of ctx.
func NewKitExport(ctx context.Context, site *ui.Site, owner string, at models.Time, items []MyKitParts) *KitExport {
	kit := NewMyKit(site, items)
	p := &KitExport{Owner: owner, At: at.RFC3339(), Items: []ExportedKit{}, Sum: kit.Sum, Method: kit.Method, Notice: kit.Notice, site: site, language: languages.Of(ctx)}
	for i, c := range kit.Items {
		p.Items = append(p.Items, ExportedKit{Name: c.Name, GearName: c.GearName, Serial: items[i].Item.Serial, Condition: c.Condition, BoughtOn: c.BoughtOn, Paid: c.Paid,
			Insured: c.Insured, Low: c.Low, Median: c.Median, High: c.High, Text: c.Text, Note: items[i].Item.Note, card: c})
	}
	return p
}

// Head implements Page.
func (p *KitExport) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "%s's camera gear", p.Owner), Description: ui.T(ctx, "Your kit as a list for an insurer."), Path: exportKitPath, NoIndex: true, Crumbs: kitCrumbs,
		Alternates: []ui.Alternate{{Href: exportKitPath + ".csv", Type: "text/csv"}}}
}

// sumText says what the kit is worth.
func (p *KitExport) sumText(ctx context.Context) string {
	if p.Sum == nil {
		return ""
	}
	return ui.T(ctx, "Estimated value of %s: %s (%s to %s)", ui.TN(ctx, p.Sum.Items, "%s item", "%s items"), ui.MoneyIn(ctx, p.Sum.Median), ui.MoneyIn(ctx, p.Sum.Low), ui.MoneyIn(ctx, p.Sum.High))
}

// insuredText says whether the item is insured.
func (i *ExportedKit) insuredText(ctx context.Context) string {
	if i.Insured {
		return ui.T(ctx, "Yes")
	}
	return ui.T(ctx, "No")
}

// RangeText returns the range of the value, "" if it has none.
func (i *ExportedKit) rangeText(ctx context.Context) string {
	if i.Median == nil {
		return ""
	}
	return ui.T(ctx, "%s to %s", ui.MoneyIn(ctx, *i.Low), ui.MoneyIn(ctx, *i.High))
}

// Markdown implements Page.
func (p *KitExport) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "%s's camera gear", ui.Untrusted(p.Owner)), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(ui.T(ctx, "As of %s.", ui.MomentIn(ctx, p.At)))
	m.Paragraph(p.sumText(ctx))
	m.Raw("\n")
	m.Head("Item", "Model", "Serial number", "Condition", "Bought", "Paid", "Value", "Range", "Basis", "Insured", "Note")
	for i := range p.Items {
		item := &p.Items[i]
		m.Row(ui.MarkdownText(ui.Untrusted(item.Name)), ui.OrDash(item.GearName), ui.OrDash(ui.Untrusted(item.Serial)), ui.OrDash(ui.T(ctx, item.Condition.Label())), ui.OrDash(ui.DayIn(ctx, item.BoughtOn)), ui.MoneyOrIn(ctx, item.Paid, "–"),
			ui.MoneyOrIn(ctx, item.Median, "–"), ui.OrDash(item.rangeText(ctx)), ui.MarkdownText(item.card.basis(ctx)), item.insuredText(ctx), ui.OrDash(ui.Untrusted(item.Note)))
	}
	m.Paragraph(ui.T(ctx, p.Method))
	m.Links([]ui.Link{{Href: ui.MyKitPath, Label: "Your kit"}})
	return m.Done(w)
}

// exportedColumns are the headings of the CSV.
var exportedColumns = []string{languages.Mark("Item"), languages.Mark("Model"), languages.Mark("Serial number"), languages.Mark("Condition"), languages.Mark("Bought"), languages.Mark("Paid"),
	languages.Mark("Value"), languages.Mark("Value from"), languages.Mark("Value to"), languages.Mark("Currency"), languages.Mark("Insured"), languages.Mark("Note")}

// CSV writes the list for a spreadsheet of the member: headings, grades, decimals and the separator
// are those of their language. A byte order mark says that it is UTF-8.
func (p *KitExport) CSV(w io.Writer) error {
	ctx := p.language.NewContext(context.Background())
	amount := func(m *models.Money) string { return p.language.Decimal(ui.Amount(m)) }
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	c.UseCRLF, c.Comma = true, p.language.Separator()
	var head []string
	for _, column := range exportedColumns {
		head = append(head, p.language.Text(column))
	}
	c.Write(head)
	for i := range p.Items {
		item := &p.Items[i]
		c.Write([]string{models.CellOf(item.Name), item.GearName, models.CellOf(item.Serial), ui.T(ctx, item.Condition.Label()), string(item.BoughtOn), amount(item.Paid),
			amount(item.Median), amount(item.Low), amount(item.High), p.site.Currency().Code, item.insuredText(ctx), models.CellOf(item.Note)})
	}
	c.Flush()
	return c.Error()
}

// KitEmail returns the email about items of a kit whose value moved.
func KitEmail(ctx context.Context, site *ui.Site, changes []models.KitChange) *ui.Email {
	money := func(amount models.Cents) string { return ui.MoneyIn(ctx, site.Currency().Money(amount)) }
	name := func(c *models.KitChange) string { return ui.WithoutLinks(ctx, c.Item.Name) }
	e := &ui.Email{
		Subject: ui.TN(ctx, len(changes), "Your kit: %s item has changed in value", "Your kit: %s items have changed in value"),
		Lead:    []string{ui.T(ctx, "The value of your kit has changed, based on recent sales:")},
		Button:  ui.Link{Href: ui.MyKitPath, Label: ui.T(ctx, "Your kit")}, Notes: []string{ui.T(ctx, "You can turn off alerts on each item's page.")},
	}
	if len(changes) == 1 {
		e.Subject = ui.T(ctx, "%s: now worth %s", name(&changes[0]), money(changes[0].Value))
	}
	for i := range changes {
		c := &changes[i]
		e.Items = append(e.Items, ui.EmailItem{Title: name(c), Facts: ui.T(ctx, "now %s, before %s", money(c.Value), money(c.Item.Told)), Href: site.URL(myKitItemPath(c.Item.ID))})
	}
	return e
}
