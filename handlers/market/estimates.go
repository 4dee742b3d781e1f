package market

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Limits of the job that fits and updates price estimates.
const (
	EstimatesJob   = "price estimates" // name of its lease
	FitDelay       = 3 * time.Minute   // after the start of the server
	UpdateInterval = 10 * time.Minute  // between updates after sales: pages that show estimates are then rendered again
	checkedMonths  = 12                // that are predicted to see how accurate estimates are
)

// Estimates holds the price estimates of the last fit, whichever server made it.
type Estimates struct {
	Prices    *store.Prices
	Store     *store.Store
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Feed      *search.Feed
	Leases    *job.Leases
	StartedAt time.Time
	Changed   func(tags ...string) // drops cached responses
	Log       *slog.Logger
	Clock     models.Clock

	loading sync.Mutex
	version int64        // of what is loaded
	updated atomic.Int64 // Unix milliseconds of the last update by this server
	Current atomic.Pointer[fittedPrices]

	Notified atomic.Int64 // when the fit was made whose values the owners of kits were told
}

// fittedPrices are the estimates of a fit.
type fittedPrices struct {
	Fit   *prices.PriceFit   // nil if there is none
	Index *prices.PriceIndex // nil if there is none
	Gear  map[string]*gearEstimates
}

// gearEstimates are the estimates of one gear.
type gearEstimates struct {
	conditions map[models.Condition]*prices.Estimate
	usual      *prices.Estimate // in the condition that sells most
}

// load reads the last fit unless it is loaded, and reports whether it did.
func (s *Estimates) load(ctx context.Context) (bool, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	version, err := s.Prices.PriceFitVersion(ctx)
	if err != nil || version == s.version {
		return false, err
	}
	fit, err := s.Prices.PriceFit(ctx)
	if err != nil {
		return false, err
	}
	list, err := s.Prices.PriceEstimates(ctx)
	if err != nil {
		return false, err
	}
	index, err := s.Prices.PriceIndex(ctx)
	if err != nil {
		return false, err
	}
	s.version = version
	s.addErrors(fit, list)
	s.Current.Store(&fittedPrices{fit, index, byGear(list)})
	return true, nil
}

// addErrors sets what errors estimates like those of a fit had in its back-test, and what dealers get.
func (s *Estimates) addErrors(fit *prices.PriceFit, list []prices.Estimate) {
	for i := range list {
		e := &list[i]
		gear := s.Catalog.Gear(e.Gear)
		if gear == nil {
			continue
		}
		e.SetDealers(gear.Category, fit)
		if like := fit.Accuracy.Like(string(gear.Category), e.Sales, slices.Index(models.Conditions, e.Condition)); like != nil {
			e.Error = like.Error
		}
	}
}

// byGear returns the estimates of each gear.
func byGear(list []prices.Estimate) map[string]*gearEstimates {
	gear := map[string]*gearEstimates{}
	for i := range list {
		estimate := &list[i]
		g := gear[estimate.Gear]
		if g == nil {
			g = &gearEstimates{conditions: map[models.Condition]*prices.Estimate{}}
			gear[estimate.Gear] = g
		}
		g.conditions[estimate.Condition] = estimate
		if g.usual == nil || moreUsual(estimate, g.usual) {
			g.usual = estimate
		}
	}
	return gear
}

// moreUsual reports whether gear sells more often in the condition of one estimate than
// in that of another: excellent, if it has not sold.
func moreUsual(estimate, other *prices.Estimate) bool {
	if estimate.SameGrade != other.SameGrade {
		return estimate.SameGrade > other.SameGrade
	}
	return estimate.Condition == models.ConditionExcellent
}

// Of returns what gear is likely to sell for in a condition, or in the condition
// that sells most for "". It returns nil if nothing can be said. Everything that shows an
// estimate gets it here.
func (s *Estimates) Of(gear string, condition models.Condition) *prices.Estimate {
	g := s.Current.Load().Gear[gear]
	switch {
	case g == nil:
		return nil
	case condition == "":
		return g.usual
	}
	return g.conditions[condition]
}

// ByGrade returns the estimates of gear in each condition that has one, best first.
func (s *Estimates) ByGrade(gear string) (list []*prices.Estimate) {
	for _, condition := range models.Conditions {
		if e := s.Of(gear, condition); e != nil {
			list = append(list, e)
		}
	}
	return list
}

// Unpriced returns the models without a price, nil before the first fit.
func (s *Estimates) Unpriced(ctx context.Context) (*prices.Unpriced, error) {
	current := s.Current.Load()
	if current.Fit == nil {
		return nil, nil
	}
	sales, err := s.Prices.SalesByGear(ctx)
	if err != nil {
		return nil, err
	}
	return prices.NewUnpriced(s.Catalog.All(), sales, func(gear string) bool { return current.Gear[gear] != nil }), nil
}

// Forecast returns an estimate with its forecast.
func (s *Estimates) Forecast(ctx context.Context, gear string, condition models.Condition) (*prices.Estimate, error) {
	e := s.Of(gear, condition)
	if e == nil {
		return nil, nil
	}
	whole := *e
	var err error
	whole.Forecast, err = s.Prices.PriceForecast(ctx, gear, e.Condition)
	return &whole, err
}

// OfListing returns what the gear of a listing is likely to sell for in its condition and
// functional state. It returns nil if nothing can be said.
func (s *Estimates) OfListing(l *models.Listing) *prices.Estimate {
	e, gear := s.Of(l.Gear, l.Condition), s.Catalog.Gear(l.Gear)
	if e == nil || gear == nil {
		return nil
	}
	return e.For(l.Functional, gear.Category, s.Current.Load().Fit)
}

// DaysToSell returns the days in which half of the listings like one sell at its asking price,
// 0 if they are unknown, given its estimate. They are learned from items that work fully.
func (s *Estimates) DaysToSell(l *models.Listing, e *prices.Estimate) int {
	price, ok := s.Site.Rates().InMain(l.Price, l.Currency)
	if e == nil || !ok || l.Functional != models.FullyWorking {
		return 0
	}
	return e.DaysToSell(s.Current.Load().Fit.Selling(), s.Catalog.Gear(l.Gear).Category, price.Cents)
}

// Deal compares the asking price of a listing with the estimate of its gear in its
// condition and functional state, or else, if it works fully, with the median of its sales.
// It returns nil if too little is known. The trend may be nil.
func (s *Estimates) Deal(l *models.Listing, trend *prices.Trend) *prices.Deal {
	var typical prices.Typical
	if e := s.OfListing(l); e != nil && e.Comparable() {
		typical = e.Stated(s.Site.Currency()).Typical()
	} else if trend == nil || l.Functional != models.FullyWorking {
		return nil
	} else if sold, ok := trend.TypicalOf(l.Condition, s.Store.Now()); ok {
		typical = sold
	} else {
		return nil
	}
	price, ok := s.Site.Rates().InMain(l.Price, l.Currency)
	if !ok {
		return nil
	}
	deal := typical.Deal(price.Cents)
	return &deal
}

// Refresh fits the prices once a day and updates those of gear that has sold, on one server,
// and loads what it or another server has estimated. It returns ErrNotDue if there was nothing
// to do.
func (s *Estimates) Refresh(ctx context.Context, now bool) error {
	if err := s.Reload(ctx); err != nil {
		return err
	}
	toUpdate := s.Clock().Sub(time.UnixMilli(s.updated.Load())) >= UpdateInterval
	if !now && !toUpdate && s.Clock().Before(s.Due()) {
		return job.ErrNotDue
	}
	return s.Leases.Exclusively(ctx, EstimatesJob, func(ctx context.Context) error {
		if err := s.Reload(ctx); err != nil { // another server may have finished since
			return err
		}
		if now || !s.Clock().Before(s.Due()) {
			return s.fit(ctx)
		}
		return s.update(ctx)
	})
}

// update updates the estimates of gear that has sold since the last fit or update.
func (s *Estimates) update(ctx context.Context) error {
	s.updated.Store(s.Clock().UnixMilli())
	updated, err := s.Prices.UpdatePrices(ctx, s.Catalog)
	if err == nil && updated == 0 {
		return job.ErrNotDue
	}
	return errors.Join(err, s.Reload(ctx))
}

// fit fits the prices, computes the price index, and then checks how accurate the estimates
// were, which takes ten times as long.
func (s *Estimates) fit(ctx context.Context) error {
	if err := s.Prices.FitPrices(ctx, s.Catalog.All()); err != nil {
		return err
	}
	if err := s.Prices.IndexPrices(ctx, s.Catalog); err != nil {
		return err
	}
	if err := s.Reload(ctx); err != nil {
		return err
	}
	if err := s.Prices.CheckPrices(ctx, s.Catalog, checkedMonths); err != nil {
		return err
	}
	return s.Reload(ctx)
}

// Reload loads the last fit if it is new, for new responses and the cards of the index.
func (s *Estimates) Reload(ctx context.Context) error {
	loaded, err := s.load(ctx)
	if !loaded {
		return err
	}
	if s.Feed != nil {
		err = s.Feed.LoadEstimates(ctx)
	}
	s.Changed()
	return err
}

// Due returns when prices are fitted next: now if there is no fit of today, or after
// midnight UTC; in any case a while after the start, which has other work to do.
func (s *Estimates) Due() time.Time {
	soonest := s.StartedAt.Add(FitDelay)
	today := s.Clock().UTC().Truncate(24 * time.Hour)
	if fit := s.Current.Load().Fit; fit != nil && fit.Day >= models.DayAt(today) {
		today = today.Add(24 * time.Hour)
	}
	if today.Before(soonest) {
		return soonest
	}
	return today
}

// Start loads the last fit when the server starts.
func (s *Estimates) Start() {
	s.Current.Store(&fittedPrices{})
	ctx, cancel := context.WithTimeout(context.Background(), settings.ReloadTime)
	defer cancel()
	if _, err := s.load(ctx); err != nil {
		s.Log.Error("read price estimates", "err", err)
	}
}

// SampleEstimate returns an example estimate.
func SampleEstimate() *prices.Estimate {
	return &prices.Estimate{Gear: "canon/eos-r6", Condition: models.ConditionExcellent, Day: "2026-11-21", Median: 103500, Low: 92000, High: 116500, HalfLow: 97500, HalfHigh: 110000, Sales: 64, SameGrade: 31}
}

// KitValue returns the value that the kit shows of an item, and its alert watches: the
// estimate, or else the median of sales. It returns false if too little is known. The trend
// may be nil.
func (s *Estimates) KitValue(item *models.KitItem, trend *prices.Trend) (value models.Cents, ok bool) {
	if e := s.Of(item.Gear, item.Condition); e != nil {
		return e.Stated(s.Site.Currency()).Median, true
	}
	sold, ok := trend.RangeOf(item.Condition)
	if !ok {
		return 0, false
	}
	return sold.Median, true
}

// SampleUnpriced returns an example of models without a price.
func SampleUnpriced(catalog *catalog.Catalog) *prices.Unpriced {
	return &prices.Unpriced{Gear: 318, Nearest: []prices.FewSales{{Gear: catalog.Gear("canon/eos-r6"), Sales: 3}}}
}
