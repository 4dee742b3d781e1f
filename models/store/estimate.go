package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
)

// updatedTrendsSetting is the cursor after which UpdatePrices has not read the changes of trends.
const updatedTrendsSetting = "price_estimates"

// FitPrices fits the model of package pricing to the sales of gear before today and stores
// what it estimates. What it stores follows from these sales and the listings alone, not from earlier fits.
func (s *Prices) FitPrices(ctx context.Context, of []*catalog.Gear) error {
	log, position, err := s.ChangeLog(ctx)
	if err != nil {
		return err
	}
	gear, sample, err := s.pricedMarket(ctx, of)
	if err != nil {
		return err
	}
	asked, err := s.listings.askedListings(ctx)
	if err != nil {
		return err
	}
	day := models.DayNumber(s.clock())
	var model *pricing.Model
	var listings *pricing.ListingBasis
	estimates, err := unlessEnded(ctx, func() []prices.Estimate {
		model = pricing.Fit(gear, sample.Sales, day, pricing.Options{Counts: sample.Counts})
		listings = &pricing.ListingBasis{Selling: model.LearnDays(asked), Works: model.Effects(prices.WorksClass), Sellers: model.Effects(pricing.SellerClass)}
		return prices.EstimatesOf(model, of)
	})
	if err != nil {
		return err
	}
	if err := s.storeWorkings(ctx, model, sample.Sales); err != nil {
		return err
	}
	fit := &prices.PriceFit{Day: models.DayOf(day), MadeAt: s.now(), Method: pricing.Version, Sales: model.Sales(), Gear: gearOf(estimates), Tuning: model.Tuning(), Basis: model.Basis(), Listings: listings}
	if err := s.StorePriceFit(ctx, fit, estimates); err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error { return t.setSetting(ctx, updatedTrendsSetting, models.Cursor(log, position)) })
}

// UpdatePrices updates the estimates of gear whose trend has changed since the last fit or
// update, with what that fit has learned from all gear. It returns the number of gear updated.
func (s *Prices) UpdatePrices(ctx context.Context, catalog *catalog.Catalog) (updated int, err error) {
	basis, err := s.priceBasis(ctx)
	if err != nil || basis == nil {
		return 0, err
	}
	for {
		changes, err := s.trendChanges(ctx, updatedTrendsSetting)
		if err != nil {
			return updated, err
		}
		for i := range changes.Entries {
			gear := catalog.Gear(changes.Entries[i].Subject)
			if gear == nil {
				continue
			}
			if err := s.updatePrice(ctx, basis, gear); err != nil {
				return updated, err
			}
			updated++
		}
		if changes.from == changes.to {
			return updated, nil
		}
		if err := s.update(ctx, func(t *tx) error {
			if updated > 0 {
				if _, err := t.ExecContext(ctx, `UPDATE price_fits SET updated_at = $1`, s.now()); err != nil {
					return err
				}
			}
			return t.setSetting(ctx, updatedTrendsSetting, changes.to)
		}); err != nil || !changes.More {
			return updated, err
		}
	}
}

// updatePrice updates the estimates of one gear, with its sales of the day of the fit.
func (s *Prices) updatePrice(ctx context.Context, basis *pricing.Basis, gear *catalog.Gear) error {
	sample, err := s.pricedSales(ctx, gear.Slug(), basis.Day+1)
	if err != nil {
		return err
	}
	model := basis.Model(gear.Priced(), sample.Sales, sample.Counts)
	workings, err := appendWorking(nil, model, gear.Slug(), sample.Sales)
	if err != nil {
		return err
	}
	estimates := prices.EstimatesOf(model, []*catalog.Gear{gear})
	return s.update(ctx, func(t *tx) error {
		for _, table := range []string{"price_estimates", "price_workings"} {
			if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE gear = $1`, gear.Slug()); err != nil {
				return err
			}
		}
		if err := upsertWorkings(ctx, t, model.Day, workings); err != nil {
			return err
		}
		return upsertEstimates(ctx, t, estimates)
	})
}

// priceBasis returns the basis of the last fit, or nil if there is none of this version of the
// method.
func (s *Prices) priceBasis(ctx context.Context) (basis *pricing.Basis, err error) {
	err = s.readJSON(ctx, &basis, `SELECT basis FROM price_fits WHERE basis <> '' AND method = $1`, pricing.Version)
	if err != nil {
		return nil, fmt.Errorf("read basis of price estimates: %w", err)
	}
	return basis, nil
}

// jsonUnlessNil returns a value as JSON, "" for nil.
func jsonUnlessNil[T any](value *T) (string, error) {
	if value == nil {
		return "", nil
	}
	text, err := json.Marshal(value)
	return string(text), err
}

// readJSON reads the JSON that a query selects into value, which stays as it is if the query
// selects no row.
func (s *Prices) readJSON(ctx context.Context, value any, query string, args ...any) error {
	var texts []string
	if err := s.read.SelectContext(ctx, &texts, query, args...); err != nil || len(texts) == 0 {
		return err
	}
	return json.Unmarshal([]byte(texts[0]), value)
}

// CheckPrices predicts the sales of each of the last months from those before the month
// and stores how accurate that was. There must be a fit.
func (s *Prices) CheckPrices(ctx context.Context, catalog *catalog.Catalog, months int) error {
	gear, sample, err := s.pricedMarket(ctx, catalog.All())
	if err != nil {
		return err
	}
	fit, err := s.PriceFit(ctx)
	if err != nil || fit == nil {
		return err
	}
	type result struct {
		report *pricing.Report
		err    error
	}
	r, err := unlessEnded(ctx, func() result {
		report, err := pricing.NewReport(ctx, gear, sample.Sales, models.DayNumber(s.clock()), months, fit.Tuning)
		return result{report, err}
	})
	if err = cmp.Or(err, r.err); err != nil {
		return err
	}
	return s.StorePriceAccuracy(ctx, r.report)
}

// pricedMarket returns what the model is fitted to.
func (s *Prices) pricedMarket(ctx context.Context, of []*catalog.Gear) (gear []pricing.Gear, sample *pricing.Sample, err error) {
	sample, err = s.PricedSales(ctx)
	return catalog.PricedGear(of), sample, err
}

// unlessEnded returns what do returns, or the error of a context as soon as it ends: do
// then goes on, and nobody waits for it.
func unlessEnded[T any](ctx context.Context, do func() T) (result T, err error) {
	done := make(chan T, 1)
	go func() { done <- do() }()
	select {
	case result = <-done:
		return result, nil
	case <-ctx.Done():
		return result, ctx.Err()
	}
}

// GearOf returns the number of gear with estimates, which are in order of gear.
func gearOf(estimates []prices.Estimate) (n int) {
	for i := range estimates {
		if i == 0 || estimates[i].Gear != estimates[i-1].Gear {
			n++
		}
	}
	return n
}

// estimateColumns are the columns of an Estimate.
const estimateColumns = `gear, condition, day, median, low, high, half_low, half_high, sales, same_grade, borrowed`

// estimatesPerWrite bounds the rows of a transaction, so that others don't wait long.
const estimatesPerWrite = 1000

// StorePriceFit stores a fit and its estimates in place of the one before, whose report
// of accuracy stays. The fit is written last: readers load the estimates when it changes.
func (s *Prices) StorePriceFit(ctx context.Context, fit *prices.PriceFit, estimates []prices.Estimate) error {
	tuning, err := json.Marshal(fit.Tuning)
	if err != nil {
		return fmt.Errorf("store price fit: %w", err)
	}
	basis, err := jsonUnlessNil(fit.Basis)
	if err != nil {
		return fmt.Errorf("store price fit: %w", err)
	}
	listings, err := jsonUnlessNil(fit.Listings)
	if err != nil {
		return fmt.Errorf("store price fit: %w", err)
	}
	for start := 0; start < len(estimates); start += estimatesPerWrite {
		part := estimates[start:min(start+estimatesPerWrite, len(estimates))]
		if err := s.update(ctx, func(t *tx) error { return upsertEstimates(ctx, t, part) }); err != nil {
			return err
		}
	}
	return s.update(ctx, func(t *tx) error {
		for _, table := range []string{"price_estimates", "price_workings"} {
			if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE day <> $1`, fit.Day); err != nil {
				return err
			}
		}
		_, err := t.ExecContext(ctx, `INSERT INTO price_fits (id, day, made_at, method, sales, gear, tuning, basis, listings, accuracy_at, accuracy) VALUES (1, $1, $2, $3, $4, $5, $6, $7, $8, 0, '')
			ON CONFLICT (id) DO UPDATE SET day = excluded.day, made_at = excluded.made_at, method = excluded.method, sales = excluded.sales, gear = excluded.gear, tuning = excluded.tuning, basis = excluded.basis, listings = excluded.listings`,
			fit.Day, fit.MadeAt, fit.Method, fit.Sales, fit.Gear, string(tuning), basis, listings)
		return err
	})
}

func upsertEstimates(ctx context.Context, t *tx, estimates []prices.Estimate) error {
	return t.insert(ctx, `price_estimates (`+estimateColumns+`, forecast)`, `ON CONFLICT (gear, condition) DO UPDATE SET day = excluded.day, median = excluded.median,
		low = excluded.low, high = excluded.high, half_low = excluded.half_low, half_high = excluded.half_high,
		sales = excluded.sales, same_grade = excluded.same_grade, borrowed = excluded.borrowed, forecast = excluded.forecast`, len(estimates), func(i int) []any {
		e := &estimates[i]
		forecast, _ := json.Marshal(e.Forecast) // numbers always have JSON
		return []any{e.Gear, e.Condition, e.Day, e.Median, e.Low, e.High, e.HalfLow, e.HalfHigh, e.Sales, e.SameGrade, e.Borrowed, string(forecast)}
	})
}

// workingsPerWrite bounds the rows of a transaction, which have up to 1,000 sales each.
const workingsPerWrite = 50

// storeWorkings stores how the estimates of a model follow from the sales that it is fitted
// to, which are in order of gear.
func (s *Prices) storeWorkings(ctx context.Context, model *pricing.Model, sales []pricing.Sale) error {
	byGear := map[string][]pricing.Sale{}
	for from, to := 0, 0; from < len(sales); from = to {
		for to = from; to < len(sales) && sales[to].Gear == sales[from].Gear; to++ {
		}
		byGear[sales[from].Gear] = sales[from:to]
	}
	for gear := range slices.Chunk(model.Gear(), workingsPerWrite) {
		var rows []gearWorking
		for _, slug := range gear {
			var err error
			if rows, err = appendWorking(rows, model, slug, byGear[slug]); err != nil {
				return err
			}
		}
		if err := s.update(ctx, func(t *tx) error { return upsertWorkings(ctx, t, model.Day, rows) }); err != nil {
			return err
		}
	}
	return nil
}

// gearWorking is the working of a gear as JSON.
type gearWorking struct{ gear, working string }

// appendWorking appends the working of a gear, unless nothing is stated.
func appendWorking(rows []gearWorking, model *pricing.Model, slug string, sales []pricing.Sale) ([]gearWorking, error) {
	working, ok := model.Working(slug, sales)
	if !ok {
		return rows, nil
	}
	text, err := json.Marshal(working)
	if err != nil {
		return nil, fmt.Errorf("store price workings: %w", err)
	}
	return append(rows, gearWorking{slug, string(text)}), nil
}

func upsertWorkings(ctx context.Context, t *tx, day int, rows []gearWorking) error {
	return t.insert(ctx, `price_workings (gear, day, working)`, `ON CONFLICT (gear) DO UPDATE SET day = excluded.day, working = excluded.working`, len(rows),
		func(i int) []any { return []any{rows[i].gear, models.DayOf(day), rows[i].working} })
}

// PriceWorking returns how the estimates of a gear follow from its sales, and the day of
// the fit, or nil if there is no estimate.
func (s *Prices) PriceWorking(ctx context.Context, gear string) (working *pricing.Working, day models.Day, err error) {
	var rows []struct {
		Day     models.Day
		Working string
	}
	err = s.read.SelectContext(ctx, &rows, `SELECT day, working FROM price_workings WHERE gear = $1`, gear)
	if err != nil || len(rows) == 0 {
		return nil, "", err
	}
	if err := json.Unmarshal([]byte(rows[0].Working), &working); err != nil {
		return nil, "", fmt.Errorf("read price working of %s: %w", gear, err)
	}
	return working, rows[0].Day, nil
}

// StorePriceAccuracy stores how accurate estimates were. There must be a fit.
func (s *Prices) StorePriceAccuracy(ctx context.Context, report *pricing.Report) error {
	text, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("store price accuracy: %w", err)
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE price_fits SET accuracy_at = $1, accuracy = $2`, s.now(), string(text))
		return err
	})
}

// PriceFit returns the last fit, or nil if there is none. A tuning or a report of another
// version of the method is left out.
func (s *Prices) PriceFit(ctx context.Context) (*prices.PriceFit, error) {
	var rows []struct {
		Day              models.Day
		MadeAt           models.Time
		Method           int
		Sales, Gear      int
		Tuning, Listings string
		Accuracy         string
		AccuracyAt       models.Time
	}
	err := s.read.SelectContext(ctx, &rows, `SELECT day, made_at, method, sales, gear, tuning, listings, accuracy_at, accuracy FROM price_fits`)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	r := &rows[0]
	fit := &prices.PriceFit{Day: r.Day, MadeAt: r.MadeAt, Method: r.Method, Sales: r.Sales, Gear: r.Gear, AccuracyAt: r.AccuracyAt}
	if r.Method == pricing.Version {
		if err := json.Unmarshal([]byte(r.Tuning), &fit.Tuning); err != nil {
			return nil, fmt.Errorf("read price fit: %w", err)
		}
	}
	if r.Listings != "" {
		if err := json.Unmarshal([]byte(r.Listings), &fit.Listings); err != nil {
			return nil, fmt.Errorf("read price fit: %w", err)
		}
	}
	if r.Accuracy != "" {
		if err := json.Unmarshal([]byte(r.Accuracy), &fit.Accuracy); err != nil {
			return nil, fmt.Errorf("read price accuracy: %w", err)
		}
		if fit.Accuracy.Version != pricing.Version {
			fit.Accuracy, fit.AccuracyAt = nil, 0
		}
	}
	return fit, nil
}

// PriceFitVersion returns a number that changes with the fit, its report of accuracy, the price
// index or an update, 0 without a fit.
func (s *Prices) PriceFitVersion(ctx context.Context) (version int64, err error) {
	err = s.read.GetContext(ctx, &version, `SELECT COALESCE(MAX(made_at + accuracy_at + market_at + updated_at), 0) FROM price_fits`)
	return version, err
}

// PriceForecast returns what gear in a condition is likely to sell for in the coming months,
// the first a month after the day of the estimate, or nothing if that is unknown.
func (s *Prices) PriceForecast(ctx context.Context, gear string, condition models.Condition) (months []prices.Forecast, err error) {
	err = s.readJSON(ctx, &months, `SELECT forecast FROM price_estimates WHERE gear = $1 AND condition = $2 AND forecast <> ''`, gear, condition)
	if err != nil {
		return nil, fmt.Errorf("read price forecast of %s: %w", gear, err)
	}
	return months, nil
}

// PriceEstimates returns all estimates without forecasts, in order of gear and from the dearest
// condition to the cheapest.
func (s *Prices) PriceEstimates(ctx context.Context) (estimates []prices.Estimate, err error) {
	err = s.scan.SelectContext(ctx, &estimates, `SELECT `+estimateColumns+` FROM price_estimates ORDER BY gear, median DESC, condition`)
	return estimates, err
}

// PricedSales returns the sales that price estimates are fitted to: the eligible ones
// of gear in the catalogue, without those that NewTrend leaves out. The model limits what each member counts. Of gear with
// many sales it returns some.
func (s *Prices) PricedSales(ctx context.Context) (*pricing.Sample, error) {
	return s.pricedSales(ctx, "", models.DayNumber(s.clock()))
}

// pricedSales returns those of PricedSales before a day, of one gear or of all for "".
func (s *Prices) pricedSales(ctx context.Context, gear string, day int) (*pricing.Sample, error) {
	sample := pricing.NewSample(day)
	err := s.eachPricedSale(ctx, gear, prices.DetailsOfSale, func(sale *models.Sale, details string) {
		priced := sale.Priced()
		priced.Traits = prices.TraitsOf(details)
		sample.Add(priced)
	})
	sample.Finish()
	return sample, err
}

// itemOfSale identifies the item that a sale s was of, by the hash of its serial number, if
// other listings have the same; otherwise it is empty. The hash must not be published.
const itemOfSale = `COALESCE((SELECT n.hash FROM listing_serials n WHERE n.listing_id = s.listing_id
	AND EXISTS (SELECT 1 FROM listing_serials o WHERE o.hash = n.hash AND o.listing_id <> n.listing_id)), '')`

// eachPricedSale calls each for every sale that prices may be estimated from, in order of gear
// and time, those of one gear or of all for "", with the value of an SQL expression for the sale s.
func (s *Prices) eachPricedSale(ctx context.Context, gear, expression string, each func(sale *models.Sale, value string)) error {
	pool, condition, args := s.scan, `s.gear <> ''`, []any{}
	if gear != "" {
		pool, condition, args = s.read, `s.gear = $1`, []any{gear}
	}
	rows, err := pool.QueryxContext(ctx, `SELECT `+trendSaleColumns+`, s.gear, `+expression+`
		FROM sales s WHERE `+condition+` AND `+eligibleSale+` ORDER BY s.gear, s.sold_at, s.id`, args...)
	if err != nil {
		return err
	}
	state := prices.NewTrendState("")
	return eachRow(rows, func(rows *sqlx.Rows) error {
		var sale models.Sale
		var value string
		if err := scanForTrend(&sale, rows, &sale.Gear, &value); err != nil {
			return err
		}
		if sale.Gear != state.Gear {
			state = prices.NewTrendState(sale.Gear)
		}
		omitted := len(state.LeftOut)
		state.Add(&sale)
		if len(state.LeftOut) == omitted {
			each(&sale, value)
		}
		return nil
	})
}
