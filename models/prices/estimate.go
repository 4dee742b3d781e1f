package prices

import (
	"math"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/pricing"
)

// Estimate is what gear in a condition is likely to sell for, by a nightly fit of the
// model of package pricing.
type Estimate struct {
	Gear      string
	Condition models.Condition
	Works     models.Functional `db:"-"` // of the item that it is for, see For; "" for one that works fully
	Seller    models.SellerKind `db:"-"` // whom it is for, see SetDealers; "" if that is unknown
	Dealers   float64           `db:"-"` // what dealers get more than private sellers, relative to the price of those
	Day       models.Day        // of the fit
	Median    models.Cents
	Low       models.Cents // 8 of 10 sales are from Low to High
	High      models.Cents
	HalfLow   models.Cents // half of the sales are from HalfLow to HalfHigh
	HalfHigh  models.Cents
	Sales     int        // of the gear that were used, in all conditions
	SameGrade int        // of them in the condition
	Borrowed  int        // percent of the level that comes from similar gear
	Forecast  []Forecast // of the coming months, stored apart: see Store.PriceForecast
	Error     float64    `db:"-"` // that half of the estimates like it had in the back-test, relative to the price; 0 if unknown
}

// ForecastMonths is the number of months that prices are forecast for.
const ForecastMonths = 6

// Forecast is what gear in a condition is likely to sell for in a coming month: 8 of 10
// sales are from Low to High.
type Forecast struct {
	Median models.Cents `json:"median"`
	Low    models.Cents `json:"low"`
	High   models.Cents `json:"high"`
}

// EstimateBasis is what an estimate is based on.
type EstimateBasis string

// The bases of estimates.
const (
	OwnSales        EstimateBasis = "own_sales"
	OwnAndSimilar   EstimateBasis = "own_and_similar"
	SimilarGear     EstimateBasis = "similar_gear"
	borrowedPercent               = 10 // from which similar gear counts as a basis
)

// EstimateBases lists the bases of estimates.
var EstimateBases = []EstimateBasis{OwnSales, OwnAndSimilar, SimilarGear}

// Basis returns what the estimate is based on.
func (e *Estimate) Basis() EstimateBasis {
	switch {
	case e.Sales == 0:
		return SimilarGear
	case e.Borrowed > borrowedPercent:
		return OwnAndSimilar
	}
	return OwnSales
}

// Stated returns the estimate as it is stated: in whole units of a currency, except for
// amounts that would be 0.
func (e Estimate) Stated(c models.Currency) *Estimate {
	state := func(amounts ...*models.Cents) {
		for _, amount := range amounts {
			if whole := c.Whole(*amount); whole > 0 {
				*amount = whole
			}
		}
	}
	state(&e.Median, &e.Low, &e.High, &e.HalfLow, &e.HalfHigh)
	e.Forecast = slices.Clone(e.Forecast)
	for i := range e.Forecast {
		f := &e.Forecast[i]
		state(&f.Median, &f.Low, &f.High)
	}
	return &e
}

// Range returns the range of the estimate that holds half of the sales.
func (e *Estimate) Range() PriceRange {
	return PriceRange{e.HalfLow, e.Median, e.HalfHigh, e.Sales, e.Condition, true}
}

// Typical returns the price that asking prices are compared with.
func (e *Estimate) Typical() Typical { return Typical{e.Median, e.Low, e.High, e.Sales} }

// For returns the estimate for an item of a category that works fully or not. If it doesn't,
// prices are those of the estimate times the effect of that on what gear of the category sells
// for. It returns nil if the fit, which may be nil, doesn't know it.
func (e *Estimate) For(works models.Functional, category models.Category, fit *PriceFit) *Estimate {
	if works == models.FullyWorking {
		return e
	}
	if fit == nil {
		return nil
	}
	effect, ok := fit.Listings.Effect(string(category), worksTrait(works))
	if !ok {
		return nil
	}
	item := *e
	item.Works, item.Forecast = works, nil
	for _, amount := range []*models.Cents{&item.Median, &item.Low, &item.High, &item.HalfLow, &item.HalfHigh} {
		*amount = models.Cents(math.Round(float64(*amount) * math.Exp(effect)))
	}
	if item.Low < 1 || item.High > models.MaxAmount {
		return nil
	}
	return &item
}

// SetDealers sets what dealers get more for gear of a category, by a fit. Estimates of a fit that knows
// it are for private sellers.
func (e *Estimate) SetDealers(category models.Category, fit *PriceFit) {
	if effect, ok := fit.Listings.Effect(string(category), pricing.DealerTrait); ok {
		e.Seller, e.Dealers = models.PrivateSeller, math.Expm1(effect)
	}
}

// DaysToSell returns the days in which half of the listings of gear of a category sell at an
// asking price. It returns 0 if that is unknown, or if the estimate is not comparable.
func (e *Estimate) DaysToSell(selling *pricing.Selling, category models.Category, price models.Cents) int {
	if days, ok := selling.Days(string(category), int64(price), int64(e.Median)); ok && e.Comparable() {
		return days
	}
	return 0
}

// Comparable reports whether the estimate is certain enough to call the price of a listing
// a deal: it has to be from at least MinSales sales of the gear.
func (e *Estimate) Comparable() bool { return e.Sales >= MinSales }

// PriceFit is a fit of the model of package pricing to the sales before a day.
type PriceFit struct {
	Day        models.Day
	MadeAt     models.Time
	Method     int // pricing.Version
	Sales      int
	Gear       int // with an estimate
	Tuning     *pricing.Tuning
	Listings   *pricing.ListingBasis // nil for none
	Basis      *pricing.Basis        // what UpdatePrices needs; not read by PriceFit
	AccuracyAt models.Time           // 0 for never
	Accuracy   *pricing.Report       // nil for none
}

// Selling returns how fast listings sell, nil if that is unknown. The fit may be nil.
func (f *PriceFit) Selling() *pricing.Selling {
	if f == nil || f.Listings == nil {
		return nil
	}
	return f.Listings.Selling
}

// EstimatesOf returns the estimates of a model for all gear on the day of its fit, in
// order of gear and then of condition, the best first.
func EstimatesOf(model *pricing.Model, catalog []*catalog.Gear) (estimates []Estimate) {
	for _, g := range catalog {
		for grade, condition := range models.Conditions {
			if e, ok := estimateOn(model, g.Slug(), grade, model.Day); ok {
				estimates = append(estimates, Estimate{Gear: g.Slug(), Condition: condition, Day: models.DayOf(model.Day), Median: models.Cents(e.Price),
					Low: models.Cents(e.Most.Low), High: models.Cents(e.Most.High), HalfLow: models.Cents(e.Half.Low), HalfHigh: models.Cents(e.Half.High),
					Sales: e.Sales, SameGrade: e.SameGrade, Borrowed: int(math.Round(100 * e.Borrowed)), Forecast: forecast(model, g.Slug(), grade)})
			}
		}
	}
	return estimates
}

// estimateOn returns what gear in a grade sells for on a day. It returns false if too little is
// known, or if its range is not within the amounts that can be stated.
func estimateOn(model *pricing.Model, gear string, grade, day int) (pricing.Estimate, bool) {
	e, ok := model.Estimate(gear, grade, day)
	return e, ok && e.Most.High <= int64(models.MaxAmount) && e.Most.Low > 0
}

// forecast returns the estimates for gear in a grade 1, 2 and more months after the fit,
// until they are too uncertain.
func forecast(model *pricing.Model, gear string, grade int) (months []Forecast) {
	for n := range ForecastMonths {
		ahead := int(math.Round(float64(n+1) * 365.25 / 12))
		e, ok := estimateOn(model, gear, grade, model.Day+ahead)
		if !ok {
			break
		}
		months = append(months, Forecast{models.Cents(e.Price), models.Cents(e.Most.Low), models.Cents(e.Most.High)})
	}
	return months
}
