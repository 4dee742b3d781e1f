package views

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
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

// newEstimate returns an estimate, or nil for nil.
func newEstimate(s *Site, e *prices.Estimate) *Estimate {
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
		pricing.Version, s.URL(accuracyPath), s.URL(priceWorkingPath(e.Gear) + ".csv"), forecast, e.Gear, e.Works}
}

// text states the estimate, "" for nil.
func (e *Estimate) text(ctx context.Context) string {
	if e == nil {
		return ""
	}
	return t(ctx, "Estimate for condition “%s”: about %s.", e.itemText(ctx), moneyIn(ctx, e.Median)) + " " + e.rangesText(ctx) + " " + t(ctx, "Based on %s, as of %s.", e.basisText(ctx), dayIn(ctx, e.Day))
}

// itemText returns the condition that the estimate is for, and what doesn't work.
func (e *Estimate) itemText(ctx context.Context) string {
	text := t(ctx, e.Condition.Label())
	if e.works != "" {
		text += ", " + withinSentence(ctx, e.works.Label())
	}
	return text
}

// rangesText states both ranges of the estimate.
func (e *Estimate) rangesText(ctx context.Context) string {
	return t(ctx, "8 of 10 sell for %s to %s, half of them for %s to %s.", moneyIn(ctx, e.Low), moneyIn(ctx, e.High), moneyIn(ctx, e.HalfLow), moneyIn(ctx, e.HalfHigh))
}

// forecast returns the coming months, none for nil.
func (e *Estimate) forecast() []ForecastMonth {
	if e == nil {
		return nil
	}
	return e.Forecast
}

// forecastText states the last month of the forecast, "" without any.
func (e *Estimate) forecastText(ctx context.Context) string {
	months := e.forecast()
	if len(months) == 0 {
		return ""
	}
	last := &months[len(months)-1]
	return t(ctx, "Expected in %s: about %s, 8 of 10 sales from %s to %s.", monthIn(ctx, last.Period), moneyIn(ctx, last.Median), moneyIn(ctx, last.Low), moneyIn(ctx, last.High))
}

// asking says how an asking price compares with the range.
func (e *Estimate) asking(ctx context.Context, price *models.Money) string {
	switch {
	case amountLess(price, &e.Low):
		return t(ctx, "The asking price is below this range.")
	case amountLess(&e.High, price):
		return t(ctx, "The asking price is above this range.")
	}
	return t(ctx, "The asking price is within this range.")
}

// basisText says which sales the estimate is based on.
func (e *Estimate) basisText(ctx context.Context) string {
	switch e.Basis {
	case prices.OwnSales:
		return tn(ctx, e.SampleSize, "%s sale of this model", "%s sales of this model")
	case prices.OwnAndSimilar:
		return tn(ctx, e.SampleSize, "%s sale of this model and sales of similar ones", "%s sales of this model and sales of similar ones")
	}
	return t(ctx, "sales of similar models (%s of this one)", numberIn(ctx, e.SampleSize))
}

// RangeText returns the range of the estimate.
func (e *Estimate) rangeText(ctx context.Context) string {
	return t(ctx, "%s to %s", moneyIn(ctx, e.Low), moneyIn(ctx, e.High))
}

// path returns the path of the page that explains the estimate.
func (e *Estimate) path() string { return priceWorkingPath(e.gear) }

// links returns where an estimate is explained and can be recomputed. Their labels are in
// English.
func (e *Estimate) links() []Link {
	return []Link{
		{accuracyPath, languages.Mark("How accurate are the estimates?")},
		{e.path(), languages.Mark("How is it computed?")},
		{e.path() + ".csv", languages.Mark("Its prices as CSV")},
	}
}

// shortText states the estimate of an item in a list.
func (e *Estimate) shortText(ctx context.Context) string {
	return t(ctx, "Estimate for condition “%s”: %s (%s), based on %s, as of %s", t(ctx, e.Condition.Label()), moneyIn(ctx, e.Median), e.rangeText(ctx), e.basisText(ctx), dayIn(ctx, e.Day))
}

// facts returns the figures for display.
func (e *Estimate) facts(ctx context.Context) []fact {
	return []fact{
		{Name: "Estimate", Value: moneyIn(ctx, e.Median)},
		{Name: "8 of 10 sell for", Value: moneyIn(ctx, e.Low) + " – " + moneyIn(ctx, e.High)},
		{Name: "Half sell for", Value: moneyIn(ctx, e.HalfLow) + " – " + moneyIn(ctx, e.HalfHigh)},
		{Name: "Condition", Value: t(ctx, e.Condition.Label())},
		{Name: "Based on", Value: e.basisText(ctx), Href: e.path()},
		{Name: "As of", Value: dayIn(ctx, e.Day)},
	}
}

// EstimateBrief is an estimate as tools return it.
type EstimateBrief struct {
	Condition  models.Condition     `json:"condition" jsonschema:"condition that it is for"`
	Median     AmountText           `json:"median"`
	Low        AmountText           `json:"low" jsonschema:"8 of 10 sales are from low to high"`
	High       AmountText           `json:"high"`
	Basis      prices.EstimateBasis `json:"basis"`
	SampleSize int                  `json:"sample_size" jsonschema:"sales of this model that were used" max:"1000000000"`
	Day        models.Day           `json:"estimated_on" jsonschema:"day of the estimate"`
}

// brief returns the estimate as tools return it, nil for nil.
func (e *Estimate) brief() *EstimateBrief {
	if e == nil {
		return nil
	}
	return &EstimateBrief{e.Condition, amountText(e.Median), amountText(e.Low), amountText(e.High), e.Basis, e.SampleSize, e.Day}
}

// writeEstimate writes an estimate and its links, nothing for nil.
func writeEstimate(m *markdown, e *Estimate) {
	if e != nil {
		m.text(e.text(m.ctx))
		writeEstimateLinks(m, e)
	}
}

// writeEstimateLinks writes the links of an estimate.
func writeEstimateLinks(m *markdown, e *Estimate) {
	var links []string
	for _, l := range e.links() {
		links = append(links, m.link(l))
	}
	m.raw("\n", strings.Join(links, " · "), "\n")
}

// cells returns the figures of a month for its row in the table.
func (f *ForecastMonth) cells(ctx context.Context) []string {
	return []string{moneyIn(ctx, f.Median), moneyIn(ctx, f.Low), moneyIn(ctx, f.High)}
}
