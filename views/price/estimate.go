package price

import (
	"context"
	"math"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/views/ui"
)

// Estimate is what gear in a condition is likely to sell for now.
type Estimate struct {
	Condition  models.Condition     `json:"condition" jsonschema:"condition that the estimate is for; if none is given, the one that sells most"`
	Low        models.Money         `json:"low" jsonschema:"8 of 10 sales are from low to high"`
	Median     models.Money         `json:"median" jsonschema:"half of the sales are above"`
	High       models.Money         `json:"high" jsonschema:"8 of 10 sales are from low to high"`
	HalfLow    models.Money         `json:"half_low" jsonschema:"half are from half_low to half_high"`
	HalfHigh   models.Money         `json:"half_high" jsonschema:"half are from half_low to half_high"`
	Seller     models.SellerKind    `json:"seller_kind,omitempty" jsonschema:"whose sales it is for; absent if too few sales say who sold" enum:"private"`
	Dealers    *int                 `json:"dealers_percent,omitempty" jsonschema:"how much more dealers get than private sellers, in percent; negative if less" min:"-100" max:"1000"`
	Basis      prices.EstimateBasis `json:"basis" jsonschema:"own_sales: of this model; own_and_similar: also of similar models, because it has few; similar_gear: of those alone"`
	Evidence   PriceEvidence        `json:"evidence" jsonschema:"the sales of this model up to now, and how accurate estimates like it were"`
	SampleSize int                  `json:"sample_size" jsonschema:"sales of this model that were used, in all conditions" max:"1000000000"`
	Day        models.Day           `json:"estimated_on" jsonschema:"day of the estimate; the sales until then are used" format:"date" maxlength:"10"`
	Version    int                  `json:"method_version" jsonschema:"version of the method" min:"1"`
	Method     string               `json:"method_url" jsonschema:"how estimates are made and how accurate they were" maxlength:"200"`
	SalesURL   string               `json:"sales_url" jsonschema:"the prices that it is made from, to recompute it" maxlength:"500"`
	Forecast   []ForecastMonth      `json:"forecast,omitempty" jsonschema:"the next 6 months; on the page of the model"`
	gear       string
	works      models.Functional // "" for fully
}

// PriceEvidence says what speaks for an estimate: the recent sales of the model, in all conditions, and
// the errors of estimates like it.
type PriceEvidence struct {
	Sales      int      `json:"sales_12_months" jsonschema:"sales of this model in the window; 0 if none lies in the last 12 months" min:"0" max:"1000000000"`
	Window     *Window  `json:"window,omitempty" jsonschema:"the 12 months up to the last sale; absent without one"`
	LastSoldAt string   `json:"last_sold_at,omitempty" jsonschema:"last sale of this model, however long ago; absent without one" format:"date-time" maxlength:"30"`
	Error      *float64 `json:"median_error,omitempty" jsonschema:"half of the estimates like this one were closer to the price paid, in percent of it; absent if there are too few to say" min:"0" max:"1000"`
}

// newEvidence returns the evidence of an estimate. The trend may be nil.
func newEvidence(s *ui.Site, e *prices.Estimate, t *prices.Trend) PriceEvidence {
	var v PriceEvidence
	if w := NewWindow(s, t); w.To != "" {
		v.Window, v.LastSoldAt = &w, t.Summary.LastSoldAt.RFC3339()
		if w.recent {
			v.Sales = t.Summary.Count
		}
	}
	if e.Error > 0 {
		percent := shareOf(e.Error)
		v.Error = &percent
	}
	return v
}

// SalesText says which sales an estimate is based on, and if none of them is recent.
func (e *Estimate) SalesText(ctx context.Context) string {
	text := ui.T(ctx, "Based on %s.", e.basisText(ctx))
	if v := &e.Evidence; v.Sales == 0 && v.LastSoldAt != "" {
		return noSaleText(ctx, v.LastSoldAt) + " " + text
	}
	return text
}

// basisText names the sales that an estimate is based on.
func (e *Estimate) basisText(ctx context.Context) string {
	if e.SampleSize == 0 {
		return ui.T(ctx, "sales of similar models (%s of this one)", ui.NumberIn(ctx, e.SampleSize))
	}
	based := []string{ui.TN(ctx, e.SampleSize, "%s sale of this model", "%s sales of this model")}
	if v := &e.Evidence; v.Sales > 0 {
		based[0] += " (" + languages.Of(ctx).TextIn("sales within a window", "%s in %s", ui.NumberIn(ctx, v.Sales), v.Window.TextIn(ctx)) + ")"
	}
	if e.Basis != prices.OwnSales {
		based = append(based, ui.T(ctx, "sales of similar models"))
	}
	return joinAnd(ctx, based)
}

// joinAnd joins texts in a sentence: "one, another and a third".
func joinAnd(ctx context.Context, texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return ui.Join(texts)
	}
	return ui.T(ctx, "%s and %s", ui.Join(texts[:last]), texts[last])
}

// errorText says how accurate estimates like one were, "" if that is unknown.
func (v *PriceEvidence) errorText(ctx context.Context) string {
	if v.Error == nil {
		return ""
	}
	return ui.T(ctx, "Half of our estimates like this one are within %s%% of the price paid.", ui.NumberIn(ctx, int(math.Round(*v.Error))))
}

// ForecastMonth is what gear in a condition is likely to sell for in a coming month.
type ForecastMonth struct {
	Period string       `json:"period" jsonschema:"month, such as 2027-03"`
	Low    models.Money `json:"low" jsonschema:"8 of 10 sales: low to high"`
	Median models.Money `json:"median" jsonschema:"half are above"`
	High   models.Money `json:"high" jsonschema:"8 of 10 sales: low to high"`
}

// NewEstimate returns an estimate, or nil for nil. The trend, which may be nil, is that of its gear.
func NewEstimate(s *ui.Site, e *prices.Estimate, t *prices.Trend) *Estimate {
	if e == nil {
		return nil
	}
	e = e.Stated(s.Currency())
	money := s.Currency().Money
	var forecast []ForecastMonth
	for i, f := range e.Forecast {
		month := models.MonthKey(monthNumber(monthOf(e.Day)) + 1 + i)
		forecast = append(forecast, ForecastMonth{month.String(), money(f.Low), money(f.Median), money(f.High)})
	}
	return &Estimate{e.Condition, money(e.Low), money(e.Median), money(e.High), money(e.HalfLow), money(e.HalfHigh), e.Seller, dealersPercent(e), e.Basis(), newEvidence(s, e, t), e.Sales, e.Day,
		pricing.Version, s.URL(ui.AccuracyPath), s.URL(ui.PriceWorkingPath(e.Gear) + ".csv"), forecast, e.Gear, e.Works}
}

// dealersPercent returns what dealers get more in whole percent, nil if that is unknown.
func dealersPercent(e *prices.Estimate) *int {
	if e.Seller == "" {
		return nil
	}
	percent := int(math.Round(100 * e.Dealers))
	return &percent
}

// SellerText says for whom the estimate is, and what dealers get, "" if that is unknown.
func (e *Estimate) SellerText(ctx context.Context) string {
	if e.Seller == "" {
		return ""
	}
	dealers := ui.T(ctx, "Dealers get about as much as private sellers.")
	switch percent := ui.NumberIn(ctx, max(*e.Dealers, -*e.Dealers)); {
	case *e.Dealers > 0:
		dealers = ui.T(ctx, "Dealers get about %s%% more than private sellers.", percent)
	case *e.Dealers < 0:
		dealers = ui.T(ctx, "Dealers get about %s%% less than private sellers.", percent)
	}
	return ui.T(ctx, "This is what private sellers get.") + " " + dealers
}

// Text states the estimate and what speaks for it, "" for nil.
func (e *Estimate) Text(ctx context.Context) string {
	if e == nil {
		return ""
	}
	return e.priceText(ctx) + " " + e.RangesText(ctx) + " " + e.evidenceText(ctx)
}

// priceText states the estimate alone.
func (e *Estimate) priceText(ctx context.Context) string {
	return ui.T(ctx, "Estimated price in “%s” condition: %s.", e.itemText(ctx), ui.MoneyIn(ctx, e.Median))
}

// evidenceText says what the estimate is based on, and how accurate others like it were.
func (e *Estimate) evidenceText(ctx context.Context) string {
	text := e.SalesText(ctx)
	for _, more := range []string{e.Evidence.errorText(ctx), e.SellerText(ctx)} {
		if more != "" {
			text += " " + more
		}
	}
	return text + " " + ui.T(ctx, "Estimated on %s.", ui.DayIn(ctx, e.Day))
}

// ItemText returns the condition that the estimate is for, and what doesn't work.
func (e *Estimate) itemText(ctx context.Context) string {
	text := ui.T(ctx, e.Condition.Label())
	if e.works != "" {
		text += ", " + ui.WithinSentence(ctx, e.works.Label())
	}
	return text
}

// RangesText states both ranges of the estimate.
func (e *Estimate) RangesText(ctx context.Context) string {
	return ui.T(ctx, "80%% sell for %s to %s, and half for %s to %s.", ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High), ui.MoneyIn(ctx, e.HalfLow), ui.MoneyIn(ctx, e.HalfHigh))
}

// Months returns the coming months, none for nil.
func (e *Estimate) Months() []ForecastMonth {
	if e == nil {
		return nil
	}
	return e.Forecast
}

// ForecastText states the last month of the forecast, "" without any.
func (e *Estimate) ForecastText(ctx context.Context) string {
	months := e.Months()
	if len(months) == 0 {
		return ""
	}
	last := &months[len(months)-1]
	return ui.T(ctx, "Expected in %s: about %s (80%% of sales between %s and %s).", ui.MonthIn(ctx, last.Period), ui.MoneyIn(ctx, last.Median), ui.MoneyIn(ctx, last.Low), ui.MoneyIn(ctx, last.High))
}

// Asking says how an asking price compares with the range.
func (e *Estimate) Asking(ctx context.Context, price *models.Money) string {
	switch {
	case ui.AmountLess(price, &e.Low):
		return ui.T(ctx, "The asking price is below this range.")
	case ui.AmountLess(&e.High, price):
		return ui.T(ctx, "The asking price is above this range.")
	}
	return ui.T(ctx, "The asking price is within this range.")
}

// RangeText returns the range of the estimate.
func (e *Estimate) rangeText(ctx context.Context) string {
	return ui.T(ctx, "%s to %s", ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High))
}

// path returns the path of the page that explains the estimate.
func (e *Estimate) path() string { return ui.PriceWorkingPath(e.gear) }

// links returns where an estimate is explained and can be recomputed. Their labels are in
// English.
func (e *Estimate) links() []ui.Link {
	return []ui.Link{
		{Href: ui.AccuracyPath, Label: languages.Mark("How accurate are our estimates?")},
		{Href: e.path(), Label: languages.Mark("How is it worked out?")},
		{Href: e.path() + ".csv", Label: languages.Mark("Price data (CSV)")},
	}
}

// shortText states the estimate of an item in a list.
func (e *Estimate) shortText(ctx context.Context) string {
	return ui.T(ctx, "Estimated price in “%s” condition: %s (80%% sell for %s), based on %s, updated %s", ui.T(ctx, e.Condition.Label()), ui.MoneyIn(ctx, e.Median), e.rangeText(ctx), e.basisText(ctx), ui.DayIn(ctx, e.Day))
}

// Facts returns the figures for display.
func (e *Estimate) Facts(ctx context.Context) []ui.Fact {
	return []ui.Fact{
		{Name: "Estimated price", Value: ui.MoneyIn(ctx, e.Median), Href: e.path()},
		{Name: "80% sell for", Value: ui.MoneyIn(ctx, e.Low) + " – " + ui.MoneyIn(ctx, e.High)},
		{Name: "Half sell for", Value: ui.MoneyIn(ctx, e.HalfLow) + " – " + ui.MoneyIn(ctx, e.HalfHigh)},
		{Name: "Condition", Value: ui.T(ctx, e.Condition.Label())},
	}
}

// EstimateBrief is an estimate as tools return it.
type EstimateBrief struct {
	Condition  models.Condition     `json:"condition" jsonschema:"condition that it is for"`
	Median     ui.AmountText        `json:"median"`
	Low        ui.AmountText        `json:"low" jsonschema:"8 of 10 sales are from low to high"`
	High       ui.AmountText        `json:"high"`
	Seller     models.SellerKind    `json:"seller_kind,omitempty" jsonschema:"whose sales it is for" enum:"private"`
	Dealers    *int                 `json:"dealers_percent,omitempty" jsonschema:"more than private sellers"`
	Basis      prices.EstimateBasis `json:"basis"`
	SampleSize int                  `json:"sample_size" jsonschema:"sales of this model that were used" max:"1000000000"`
	Recent     int                  `json:"sales_12_months" jsonschema:"of them in the 12 months to last_sold_on; 0 if none in the last 12 months" max:"1000000000"`
	LastSold   models.Day           `json:"last_sold_on,omitempty"`
	Error      *float64             `json:"median_error,omitempty" jsonschema:"percent: half of the estimates like it were closer"`
	Day        models.Day           `json:"estimated_on" jsonschema:"day of the estimate"`
}

// Brief returns the estimate as tools return it, nil for nil.
func (e *Estimate) Brief() *EstimateBrief {
	if e == nil {
		return nil
	}
	b := &EstimateBrief{Condition: e.Condition, Median: ui.NewAmountText(e.Median), Low: ui.NewAmountText(e.Low), High: ui.NewAmountText(e.High), Seller: e.Seller, Dealers: e.Dealers, Basis: e.Basis, SampleSize: e.SampleSize,
		Recent: e.Evidence.Sales, Error: e.Evidence.Error, Day: e.Day}
	if w := e.Evidence.Window; w != nil {
		b.LastSold = w.To
	}
	return b
}

// WriteEstimate writes an estimate and its links, nothing for nil.
func WriteEstimate(m *ui.Markdown, e *Estimate) {
	if e != nil {
		m.Paragraph(e.Text(m.Context))
		WriteEstimateLinks(m, e)
	}
}

// WriteEstimateLinks writes the links of an estimate.
func WriteEstimateLinks(m *ui.Markdown, e *Estimate) {
	var links []string
	for _, l := range e.links() {
		links = append(links, m.Link(l))
	}
	m.Raw("\n", strings.Join(links, " · "), "\n")
}

// Cells returns the figures of a month for its row in the table.
func (f *ForecastMonth) Cells(ctx context.Context) []string {
	return []string{ui.MoneyIn(ctx, f.Median), ui.MoneyIn(ctx, f.Low), ui.MoneyIn(ctx, f.High)}
}

// GradePrice is the estimate of one condition, and how an asking price compares with it.
type GradePrice struct {
	Condition models.Condition `json:"condition"`
	Median    models.Money     `json:"median" jsonschema:"estimate"`
	Low       models.Money     `json:"low" jsonschema:"8 of 10 sales are from low to high"`
	High      models.Money     `json:"high" jsonschema:"8 of 10 sales are from low to high"`
	Verdict   prices.Verdict   `json:"verdict,omitempty" jsonschema:"the given asking price against low to high; absent without one"`
	Percent   *int             `json:"percent,omitempty" jsonschema:"difference of the asking price from the estimate; negative if below"`
}

// NewGradePrices returns the estimates by condition and compares an asking price with them, unless
// it is 0.
func NewGradePrices(s *ui.Site, list []*prices.Estimate, asking models.Cents) []GradePrice {
	grades, money := []GradePrice{}, s.Currency().Money
	for _, e := range list {
		e = e.Stated(s.Currency())
		g := GradePrice{Condition: e.Condition, Median: money(e.Median), Low: money(e.Low), High: money(e.High)}
		if asking > 0 {
			verdict, percent := e.Typical().Verdict(asking)
			g.Verdict, g.Percent = verdict, &percent
		}
		grades = append(grades, g)
	}
	return grades
}

// GradeBrief is the estimate of one condition as tools return it.
type GradeBrief struct {
	Condition models.Condition `json:"condition"`
	Median    ui.AmountText    `json:"median"`
	Low       ui.AmountText    `json:"low" jsonschema:"8 of 10: low to high"`
	High      ui.AmountText    `json:"high"`
	Verdict   prices.Verdict   `json:"verdict,omitempty" jsonschema:"on the given asking price"`
}

// GradeBriefs returns estimates by condition as tools return them.
func GradeBriefs(list []GradePrice) []GradeBrief {
	return ui.Each(list, func(g *GradePrice) GradeBrief {
		return GradeBrief{g.Condition, ui.NewAmountText(g.Median), ui.NewAmountText(g.Low), ui.NewAmountText(g.High), g.Verdict}
	})
}

// cells returns the figures of a condition for its row in the table.
func (g *GradePrice) cells(ctx context.Context) []string {
	return []string{ui.MoneyIn(ctx, g.Median), ui.MoneyIn(ctx, g.Low) + " – " + ui.MoneyIn(ctx, g.High)}
}

// gradeHead names the columns of the table of estimates by condition.
var gradeHead = []string{languages.Mark("Condition"), languages.Mark("Estimated price"), languages.Mark("80% sell for")}

// WriteGradePrices writes the estimates by condition, nothing without any.
func WriteGradePrices(m *ui.Markdown, list []GradePrice) {
	if len(list) == 0 {
		return
	}
	m.Section("Price by condition")
	m.Head(gradeHead...)
	for i := range list {
		m.Row(append([]string{ui.T(m.Context, list[i].Condition.Label())}, list[i].cells(m.Context)...)...)
	}
}
