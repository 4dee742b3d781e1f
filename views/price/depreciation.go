package price

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Depreciation says how the price of a model and of the gear of its kind changes over the
// years, in the same condition.
type Depreciation struct {
	Changes []YearsChange `json:"changes" jsonschema:"after 1, 2, 3 and 5 years, as far as there are enough sales" maxItems:"4"`
	Text    string        `json:"text" jsonschema:"the depreciation in words, as far as its range leaves no doubt; empty otherwise" maxlength:"300"`
	ui.Ref
	category models.Category
}

// YearsChange is the change of prices in a number of years.
type YearsChange struct {
	Years      int          `json:"years" jsonschema:"number of years: 1, 2, 3 or 5" min:"1" max:"5"`
	Kind       *IndexChange `json:"kind,omitempty" jsonschema:"of the gear of the same kind"`
	Model      *IndexChange `json:"model,omitempty" jsonschema:"of this model; absent with fewer than 20 sales"`
	SampleSize int          `json:"sample_size,omitempty" jsonschema:"sales of this model that the change is based on" max:"1000000000"`
}

// NewDepreciation returns the depreciation of gear by an index that may be nil. It returns
// nil if nothing can be said.
func NewDepreciation(index *prices.PriceIndex, g *catalog.Gear) *Depreciation {
	kind, own := index.DepreciationOf(g)
	d := &Depreciation{Ref: ui.Ref{Href: "/api" + ui.ChartsPath + "depreciation", Page: ui.ChartsPath + "depreciation"}, category: g.Category}
	for _, years := range prices.DepreciationYears {
		row := YearsChange{Years: years}
		for i := range kind {
			if kind[i].Years == years {
				row.Kind = newIndexChange(&kind[i].IndexChange)
			}
		}
		for i := range own {
			if own[i].Years == years {
				row.Model, row.SampleSize = newIndexChange(&own[i].IndexChange), own[i].Sales
			}
		}
		if row.Kind != nil || row.Model != nil {
			d.Changes = append(d.Changes, row)
		}
	}
	if len(d.Changes) == 0 {
		return nil
	}
	d.Text = d.TextIn(context.Background())
	return d
}

// stated returns the change to show: over three years if known, preferring a period that
// both the kind and the model have.
func (d *Depreciation) stated() (best *YearsChange) {
	score := func(c *YearsChange) (n int) {
		if c.Kind != nil && c.Model != nil {
			n = 10
		}
		return n + map[int]int{3: 4, 2: 3, 1: 2, 5: 1}[c.Years]
	}
	for i := range d.Changes {
		if c := &d.Changes[i]; best == nil || score(c) > score(best) {
			best = c
		}
	}
	return best
}

// kindSubjects begin the sentence about the depreciation of a kind.
var kindSubjects = map[models.Category]string{
	"mirrorless": languages.Mark("A mirrorless camera"), "dslr": languages.Mark("A DSLR"), "rangefinder": languages.Mark("A rangefinder camera"), "film_slr": languages.Mark("A film SLR"),
	"medium_format": languages.Mark("A medium format camera"), "large_format": languages.Mark("A large format camera"), "compact": languages.Mark("A compact camera"),
	"instant": languages.Mark("An instant camera"), "action_cam": languages.Mark("An action camera"), "lens_prime": languages.Mark("A prime lens"), "lens_zoom": languages.Mark("A zoom lens"),
	"lens_macro": languages.Mark("A macro lens"), "lens_fisheye": languages.Mark("A fisheye lens"), "accessory": languages.Mark("An accessory"), "other": languages.Mark("Other gear"),
}

// inYears name the periods of models.DepreciationYears in a sentence.
var inYears = map[int]string{1: languages.Mark("in a year"), 2: languages.Mark("in 2 years"), 3: languages.Mark("in 3 years"), 5: languages.Mark("in 5 years")}

// direction returns -1 for a loss, 1 for a gain, and 0 if the range leaves that open or the change
// is small.
func (c *IndexChange) direction() int {
	switch {
	case c.High < 0 && c.Percent <= -0.5:
		return -1
	case c.Low > 0 && c.Percent >= 0.5:
		return 1
	}
	return 0
}

// steady reports whether prices hardly change: the whole range is within 5 %.
func (c *IndexChange) steady() bool { return c.Low > -5 && c.High < 5 }

// share returns the size of a change in whole percent, without its sign.
func (c *IndexChange) share(ctx context.Context) string {
	return strings.TrimPrefix(ui.PercentIn(ctx, math.Round(math.Abs(c.Percent))), "+")
}

// TextIn states the depreciation, "" for nil: "A mirrorless camera loses 38 % in 3 years; this
// one 31 %."
func (d *Depreciation) TextIn(ctx context.Context) string {
	if d == nil {
		return ""
	}
	c := d.stated()
	period, text := ui.T(ctx, inYears[c.Years]), ""
	if c.Kind != nil {
		text = d.sentence(ctx, ui.T(ctx, kindSubjects[d.category]), c.Kind, period)
	}
	if text == "" && c.Model != nil {
		text = d.sentence(ctx, ui.T(ctx, "This model"), c.Model, period)
	} else if text != "" && c.Model != nil {
		text += d.addition(ctx, c)
	}
	if text == "" {
		return ""
	}
	return text + "."
}

// addition compares the change of the model with that of its kind.
func (*Depreciation) addition(ctx context.Context, c *YearsChange) (text string) {
	switch way := c.Model.direction(); {
	case way == 0 && !c.Model.steady():
		text += ui.T(ctx, "; not enough sales of this one to say")
	case way == 0 && c.Kind.direction() == 0:
		text += ui.T(ctx, ", and so does this one")
	case way == 0:
		text += ui.T(ctx, "; this one holds its price")
	case way == c.Kind.direction():
		text += ui.T(ctx, "; this one %s", c.Model.share(ctx))
	case way < 0:
		text += ui.T(ctx, "; this one loses %s", c.Model.share(ctx))
	default:
		text += ui.T(ctx, "; this one gains %s", c.Model.share(ctx))
	}
	return text
}

// sentence states a change, without the full stop, "" if its range leaves the direction open.
func (*Depreciation) sentence(ctx context.Context, subject string, c *IndexChange, period string) string {
	switch c.direction() {
	case -1:
		return ui.T(ctx, "%s loses %s %s", subject, c.share(ctx), period)
	case 1:
		return ui.T(ctx, "%s gains %s %s", subject, c.share(ctx), period)
	}
	if !c.steady() {
		return ""
	}
	return ui.T(ctx, "%s holds its price %s", subject, period)
}

// link links to the depreciation of all kinds.
func (d *Depreciation) link() ui.Link {
	return ui.Link{Href: d.Page, Label: languages.Mark("Depreciation by category")}
}

// modelDepreciationHead names the columns of the table of the depreciation of a model.
var modelDepreciationHead = []string{languages.Mark("Years"), languages.Mark("This category"), languages.Mark("This model"), languages.Mark("Sales")}

// cells returns the figures of a number of years for its row in the table.
func (c *YearsChange) cells(ctx context.Context) []string {
	sales := "–"
	if c.SampleSize > 0 {
		sales = ui.NumberIn(ctx, c.SampleSize)
	}
	return []string{c.Kind.text(ctx), c.Model.text(ctx), sales}
}

// WriteDepreciation writes the depreciation and its link, nothing for nil.
func WriteDepreciation(m *ui.Markdown, d *Depreciation) {
	if d == nil {
		return
	}
	m.Raw("\n", ui.MarkdownText(d.TextIn(m.Context)), " ", m.Link(d.link()), "\n\n")
	m.Head(modelDepreciationHead...)
	for i := range d.Changes {
		m.Row(append([]string{ui.NumberIn(m.Context, d.Changes[i].Years)}, d.Changes[i].cells(m.Context)...)...)
	}
}

// setDepreciation sets the rows of the chart of the depreciation by kind.
func (p *PriceChart) setDepreciation(index *prices.PriceIndex) {
	p.Method = DepreciationMethod
	for _, d := range index.Depreciation {
		label := models.Category(d.Kind).Label()
		for _, c := range d.Years {
			p.Rows = append(p.Rows, IndexRow{Name: d.Kind, Label: label, Years: c.Years, Value: tenths(c.Percent), Low: tenths(c.Low), High: tenths(c.High), SampleSize: c.Sales})
		}
	}
	for _, r := range index.RepeatSales {
		p.RepeatSales = append(p.RepeatSales, RepeatSales{r.Kind, models.Category(r.Kind).Label(), r.Pairs, r.Years, r.Percent, r.Same, r.Worse, r.Better})
	}
}

// DepreciationMethod explains how the depreciation is computed.
var DepreciationMethod = languages.Mark("We compare six-month periods over the last ten years, for the same model in the same condition. Models " +
	"that sell more count for more. A category needs five models, and 20 sales in both the earlier and the " +
	"later periods; the 80% range shows how certain the average is. Later years cover fewer models, because " +
	"newer ones haven't been on sale that long. Items that sold here twice, matched by serial number, are also " +
	"shown separately; a category with fewer than five of them has no such figure. Updated nightly.")

// repeatText explains the table of items that sold twice.
var repeatText = languages.Mark("Items that sold here twice, at least six months apart, matched by serial number. The change is in the price paid, whatever the condition.")

// kindCurve is the depreciation of a kind, by the position in models.DepreciationYears.
type kindCurve struct {
	name, label string
	years       []*IndexRow // nil if unknown
	pairs       int         // items that sold twice, 0 if they are fewer than models.MinRepeatSales
}

// curves returns the depreciation of each kind.
func (p *PriceChart) curves() (list []kindCurve) {
	for i := range p.Rows {
		r := &p.Rows[i]
		if len(list) == 0 || list[len(list)-1].name != r.Name {
			list = append(list, kindCurve{r.Name, r.Label, make([]*IndexRow, len(prices.DepreciationYears)), p.pairs(r.Name)})
		}
		list[len(list)-1].years[slices.Index(prices.DepreciationYears, r.Years)] = r
	}
	return list
}

// pairs returns the number of items of a kind that sold twice, 0 if they are too few.
func (p *PriceChart) pairs(kind string) int {
	for i := range p.RepeatSales {
		if p.RepeatSales[i].Kind == kind {
			return p.RepeatSales[i].Pairs
		}
	}
	return 0
}

// depreciationHead names the columns of the table of the depreciation.
func depreciationHead(ctx context.Context) []string {
	head := []string{ui.T(ctx, "Category")}
	for _, years := range prices.DepreciationYears {
		head = append(head, ui.TN(ctx, years, "%s year", "%s years"))
	}
	return append(head, ui.T(ctx, "Sold twice"))
}

// cells returns the figures of a kind for its row in the table.
func (c *kindCurve) cells(ctx context.Context) (cells []string) {
	for _, r := range c.years {
		if r == nil {
			cells = append(cells, "–")
			continue
		}
		cells = append(cells, ui.PercentIn(ctx, r.Value))
	}
	if c.pairs == 0 {
		return append(cells, "–")
	}
	return append(cells, ui.NumberIn(ctx, c.pairs))
}

// repeatHead names the columns of the table of items that sold twice.
var repeatHead = []string{languages.Mark("Category"), languages.Mark("Sold twice"), languages.Mark("Years between"), languages.Mark("Price change"), languages.Mark("Same condition"), languages.Mark("Worse condition"), languages.Mark("Better condition")}

// cells returns the figures of a kind for its row in the table.
func (r *RepeatSales) cells(ctx context.Context) []string {
	return []string{ui.NumberIn(ctx, r.Pairs), languages.Of(ctx).Decimal(strconv.FormatFloat(r.Years, 'f', 1, 64)), ui.PercentIn(ctx, r.Percent), ui.NumberIn(ctx, r.Same), ui.NumberIn(ctx, r.Worse), ui.NumberIn(ctx, r.Better)}
}

// writeDepreciationTables writes the tables of the depreciation by kind.
func writeDepreciationTables(m *ui.Markdown, p *PriceChart) {
	if p.drawn() {
		m.Raw("\n")
		m.Head(depreciationHead(m.Context)...)
		for _, c := range p.curves() {
			m.Row(append([]string{ui.MarkdownText(ui.T(m.Context, c.label))}, c.cells(m.Context)...)...)
		}
	}
	if len(p.RepeatSales) > 0 {
		m.Paragraph(ui.T(m.Context, repeatText))
		m.Raw("\n")
		m.Head(repeatHead...)
		for i := range p.RepeatSales {
			r := &p.RepeatSales[i]
			m.Row(append([]string{ui.MarkdownText(ui.T(m.Context, r.Label))}, r.cells(m.Context)...)...)
		}
	}
}
