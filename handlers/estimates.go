package handlers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Limits of the job that fits and updates price estimates.
const (
	estimatesJob   = "price estimates" // name of its lease
	fitDelay       = 3 * time.Minute   // after the start of the server
	updateInterval = 10 * time.Minute  // between updates after sales: pages that show estimates are then rendered again
	checkedMonths  = 12                // that are predicted to see how accurate estimates are
)

// estimates holds the price estimates of the last fit, whichever server made it.
type estimates struct {
	Prices    *store.Prices
	Store     *store.Store
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Feed      *search.Feed
	Leases    *leases
	StartedAt time.Time
	Server    *serve.Server
	Log       *slog.Logger
	Clock     models.Clock

	loading sync.Mutex
	version int64        // of what is loaded
	updated atomic.Int64 // Unix milliseconds of the last update by this server
	current atomic.Pointer[fittedPrices]

	notified atomic.Int64 // when the fit was made whose values the owners of kits were told
}

// fittedPrices are the estimates of a fit.
type fittedPrices struct {
	fit   *prices.PriceFit   // nil if there is none
	index *prices.PriceIndex // nil if there is none
	gear  map[string]*gearEstimates
}

// gearEstimates are the estimates of one gear.
type gearEstimates struct {
	conditions map[models.Condition]*prices.Estimate
	usual      *prices.Estimate // in the condition that sells most
}

// load reads the last fit unless it is loaded, and reports whether it did.
func (e *estimates) load(ctx context.Context) (bool, error) {
	e.loading.Lock()
	defer e.loading.Unlock()
	version, err := e.Prices.PriceFitVersion(ctx)
	if err != nil || version == e.version {
		return false, err
	}
	fit, err := e.Prices.PriceFit(ctx)
	if err != nil {
		return false, err
	}
	list, err := e.Prices.PriceEstimates(ctx)
	if err != nil {
		return false, err
	}
	index, err := e.Prices.PriceIndex(ctx)
	if err != nil {
		return false, err
	}
	e.version = version
	e.current.Store(&fittedPrices{fit, index, byGear(list)})
	return true, nil
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

// estimate returns what gear is likely to sell for in a condition, or in the condition
// that sells most for "". It returns nil if nothing can be said. Everything that shows an
// estimate gets it here.
func (s *estimates) estimate(gear string, condition models.Condition) *prices.Estimate {
	g := s.current.Load().gear[gear]
	switch {
	case g == nil:
		return nil
	case condition == "":
		return g.usual
	}
	return g.conditions[condition]
}

// forecastEstimate returns an estimate with its forecast.
func (s *estimates) forecastEstimate(ctx context.Context, gear string, condition models.Condition) (*prices.Estimate, error) {
	e := s.estimate(gear, condition)
	if e == nil {
		return nil, nil
	}
	whole := *e
	var err error
	whole.Forecast, err = s.Prices.PriceForecast(ctx, gear, e.Condition)
	return &whole, err
}

// estimateOf returns what the gear of a listing is likely to sell for in its condition and
// functional state. It returns nil if nothing can be said.
func (s *estimates) estimateOf(l *models.Listing) *prices.Estimate {
	e, gear := s.estimate(l.Gear, l.Condition), s.Catalog.Gear(l.Gear)
	if e == nil || gear == nil {
		return nil
	}
	return e.For(l.Functional, gear.Category, s.current.Load().fit)
}

// daysToSell returns the days in which half of the listings like one sell at its asking price,
// 0 if they are unknown, given its estimate. They are learned from items that work fully.
func (s *estimates) daysToSell(l *models.Listing, e *prices.Estimate) int {
	price, ok := s.Site.Rates().InMain(l.Price, l.Currency)
	if e == nil || !ok || l.Functional != models.FullyWorking {
		return 0
	}
	return e.DaysToSell(s.current.Load().fit.Selling(), s.Catalog.Gear(l.Gear).Category, price.Cents)
}

// deal compares the asking price of a listing with the estimate of its gear in its
// condition and functional state, or else, if it works fully, with the median of its sales.
// It returns nil if too little is known. The trend may be nil.
func (s *estimates) deal(l *models.Listing, trend *prices.Trend) *prices.Deal {
	var typical prices.Typical
	if e := s.estimateOf(l); e != nil && e.Comparable() {
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

// refresh fits the prices once a day and updates those of gear that has sold, on one server,
// and loads what it or another server has estimated. It returns errNotDue if there was nothing
// to do.
func (e *estimates) refresh(ctx context.Context, now bool) error {
	if err := e.reload(ctx); err != nil {
		return err
	}
	toUpdate := e.Clock().Sub(time.UnixMilli(e.updated.Load())) >= updateInterval
	if !now && !toUpdate && e.Clock().Before(e.due()) {
		return errNotDue
	}
	return e.Leases.exclusively(ctx, estimatesJob, func(ctx context.Context) error {
		if err := e.reload(ctx); err != nil { // another server may have finished since
			return err
		}
		if now || !e.Clock().Before(e.due()) {
			return e.fit(ctx)
		}
		return e.update(ctx)
	})
}

// update updates the estimates of gear that has sold since the last fit or update.
func (e *estimates) update(ctx context.Context) error {
	e.updated.Store(e.Clock().UnixMilli())
	updated, err := e.Prices.UpdatePrices(ctx, e.Catalog)
	if err == nil && updated == 0 {
		return errNotDue
	}
	return errors.Join(err, e.reload(ctx))
}

// fit fits the prices, computes the price index, and then checks how accurate the estimates
// were, which takes ten times as long.
func (e *estimates) fit(ctx context.Context) error {
	if err := e.Prices.FitPrices(ctx, e.Catalog.All()); err != nil {
		return err
	}
	if err := e.Prices.IndexPrices(ctx, e.Catalog); err != nil {
		return err
	}
	if err := e.reload(ctx); err != nil {
		return err
	}
	if err := e.Prices.CheckPrices(ctx, e.Catalog, checkedMonths); err != nil {
		return err
	}
	return e.reload(ctx)
}

// reload loads the last fit if it is new, for new responses and the cards of the index.
func (e *estimates) reload(ctx context.Context) error {
	loaded, err := e.load(ctx)
	if !loaded {
		return err
	}
	if e.Feed != nil {
		err = e.Feed.LoadEstimates(ctx)
	}
	e.Server.Changed()
	return err
}

// due returns when prices are fitted next: now if there is no fit of today, or after
// midnight UTC; in any case a while after the start, which has other work to do.
func (e *estimates) due() time.Time {
	soonest := e.StartedAt.Add(fitDelay)
	today := e.Clock().UTC().Truncate(24 * time.Hour)
	if fit := e.current.Load().fit; fit != nil && fit.Day >= models.DayAt(today) {
		today = today.Add(24 * time.Hour)
	}
	if today.Before(soonest) {
		return soonest
	}
	return today
}

// start loads the last fit when the server starts.
func (e *estimates) start() {
	e.current.Store(&fittedPrices{})
	ctx, cancel := context.WithTimeout(context.Background(), reloadTime)
	defer cancel()
	if _, err := e.load(ctx); err != nil {
		e.Log.Error("read price estimates", "err", err)
	}
}

// sampleEstimate returns an example estimate.
func sampleEstimate() *prices.Estimate {
	return &prices.Estimate{Gear: "canon/eos-r6", Condition: models.ConditionExcellent, Day: "2026-11-21", Median: 103500, Low: 92000, High: 116500, HalfLow: 97500, HalfHigh: 110000, Sales: 64, SameGrade: 31}
}

// kitValue returns the value that the kit shows of an item, and its alert watches: the
// estimate, or else the median of sales. It returns false if too little is known. The trend
// may be nil.
func (s *estimates) kitValue(item *models.KitItem, trend *prices.Trend) (value models.Cents, ok bool) {
	if e := s.estimate(item.Gear, item.Condition); e != nil {
		return e.Stated(s.Site.Currency()).Median, true
	}
	sold, ok := trend.RangeOf(item.Condition)
	if !ok {
		return 0, false
	}
	return sold.Median, true
}
