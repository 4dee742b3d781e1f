package price

import (
	"context"
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
	Basis      prices.EstimateBasis `json:"basis" jsonschema:"own_sales: of this model; own_and_similar: also of similar models, because it has few; similar_gear: of those alone"`
	SampleSize int                  `json:"sample_size" jsonschema:"sales of this model that were used, in all conditions" max:"1000000000"`
	Day        models.Day           `json:"estimated_on" jsonschema:"day of the estimate; the sales until then are used" format:"date" maxlength:"10"`
	Version    int                  `json:"method_version" jsonschema:"version of the method" min:"1"`
	Method     string               `json:"method_url" jsonschema:"how estimates are made and how accurate they were" maxlength:"200"`
	SalesURL   string               `json:"sales_url" jsonschema:"the prices that it is made from, to recompute it" maxlength:"500"`
	Forecast   []ForecastMonth      `json:"forecast,omitempty" jsonschema:"the next 6 months; on the page of the model"`
	gear       string
	works      models.Functional // "" for fully
}

// ForecastMonth is what gear in a condition is likely to sell for in a coming month.
type ForecastMonth struct {
	Period string       `json:"period" jsonschema:"month, such as 2027-03"`
	Low    models.Money `json:"low" jsonschema:"8 of 10 sales: low to high"`
	Median models.Money `json:"median" jsonschema:"half are above"`
	High   models.Money `json:"high" jsonschema:"8 of 10 sales: low to high"`
}

// NewEstimate returns an estimate, or nil for nil.
func NewEstimate(s *ui.Site, e *prices.Estimate) *Estimate {
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
	return &Estimate{e.Condition, money(e.Low), money(e.Median), money(e.High), money(e.HalfLow), money(e.HalfHigh), e.Basis(), e.Sales, e.Day,
		pricing.Version, s.URL(ui.AccuracyPath), s.URL(ui.PriceWorkingPath(e.Gear) + ".csv"), forecast, e.Gear, e.Works}
}

// Text states the estimate, "" for nil.
func (e *Estimate) Text(ctx context.Context) string {
	if e == nil {
		return ""
	}
	return ui.T(ctx, "Estimate for condition “%s”: about %s.", e.itemText(ctx), ui.MoneyIn(ctx, e.Median)) + " " + e.RangesText(ctx) + " " + ui.T(ctx, "Based on %s, as of %s.", e.basisText(ctx), ui.DayIn(ctx, e.Day))
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
	return ui.T(ctx, "8 of 10 sell for %s to %s, half of them for %s to %s.", ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High), ui.MoneyIn(ctx, e.HalfLow), ui.MoneyIn(ctx, e.HalfHigh))
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
	return ui.T(ctx, "Expected in %s: about %s, 8 of 10 sales from %s to %s.", ui.MonthIn(ctx, last.Period), ui.MoneyIn(ctx, last.Median), ui.MoneyIn(ctx, last.Low), ui.MoneyIn(ctx, last.High))
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

// basisText says which sales the estimate is based on.
func (e *Estimate) basisText(ctx context.Context) string {
	switch e.Basis {
	case prices.OwnSales:
		return ui.TN(ctx, e.SampleSize, "%s sale of this model", "%s sales of this model")
	case prices.OwnAndSimilar:
		return ui.TN(ctx, e.SampleSize, "%s sale of this model and sales of similar ones", "%s sales of this model and sales of similar ones")
	}
	return ui.T(ctx, "sales of similar models (%s of this one)", ui.NumberIn(ctx, e.SampleSize))
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
		{Href: ui.AccuracyPath, Label: languages.Mark("How accurate are the estimates?")},
		{Href: e.path(), Label: languages.Mark("How is it computed?")},
		{Href: e.path() + ".csv", Label: languages.Mark("Its prices as CSV")},
	}
}

// shortText states the estimate of an item in a list.
func (e *Estimate) shortText(ctx context.Context) string {
	return ui.T(ctx, "Estimate for condition “%s”: %s (%s), based on %s, as of %s", ui.T(ctx, e.Condition.Label()), ui.MoneyIn(ctx, e.Median), e.rangeText(ctx), e.basisText(ctx), ui.DayIn(ctx, e.Day))
}

// Facts returns the figures for display.
func (e *Estimate) Facts(ctx context.Context) []ui.Fact {
	return []ui.Fact{
		{Name: "Estimate", Value: ui.MoneyIn(ctx, e.Median)},
		{Name: "8 of 10 sell for", Value: ui.MoneyIn(ctx, e.Low) + " – " + ui.MoneyIn(ctx, e.High)},
		{Name: "Half sell for", Value: ui.MoneyIn(ctx, e.HalfLow) + " – " + ui.MoneyIn(ctx, e.HalfHigh)},
		{Name: "Condition", Value: ui.T(ctx, e.Condition.Label())},
		{Name: "Based on", Value: e.basisText(ctx), Href: e.path()},
		{Name: "As of", Value: ui.DayIn(ctx, e.Day)},
	}
}

// EstimateBrief is an estimate as tools return it.
type EstimateBrief struct {
	Condition  models.Condition     `json:"condition" jsonschema:"condition that it is for"`
	Median     ui.AmountText        `json:"median"`
	Low        ui.AmountText        `json:"low" jsonschema:"8 of 10 sales are from low to high"`
	High       ui.AmountText        `json:"high"`
	Basis      prices.EstimateBasis `json:"basis"`
	SampleSize int                  `json:"sample_size" jsonschema:"sales of this model that were used" max:"1000000000"`
	Day        models.Day           `json:"estimated_on" jsonschema:"day of the estimate"`
}

// Brief returns the estimate as tools return it, nil for nil.
func (e *Estimate) Brief() *EstimateBrief {
	if e == nil {
		return nil
	}
	return &EstimateBrief{e.Condition, ui.NewAmountText(e.Median), ui.NewAmountText(e.Low), ui.NewAmountText(e.High), e.Basis, e.SampleSize, e.Day}
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
