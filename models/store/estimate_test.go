package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestPriceFit stores fits, of which the second has gear that the first had not and the
// other way round.
func TestPriceFit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		if fit, err := s.Prices.PriceFit(ctx); fit != nil || err != nil {
			t.Errorf("before the first: %+v, %v", fit, err)
		}
		estimate := func(gear string, day models.Day, median models.Cents) prices.Estimate {
			return prices.Estimate{Gear: gear, Condition: models.ConditionGood, Day: day, Median: median, Low: median / 2, High: 2 * median, HalfLow: median - 1, HalfHigh: median + 1,
				Sales: 7, SameGrade: 3, Borrowed: 4}
		}
		tuning := pricing.Fit(nil, nil, 1, pricing.Options{}).Tuning()
		store := func(day models.Day, at models.Time, estimates ...prices.Estimate) {
			t.Helper()
			must(t, s.Prices.StorePriceFit(ctx, &prices.PriceFit{Day: day, MadeAt: at, Method: pricing.Version, Sales: 40, Gear: 2, Tuning: tuning}, estimates))
		}
		store("2026-11-21", 5, estimate("a/old", "2026-11-21", 900), estimate("a/both", "2026-11-21", 800))
		report := &pricing.Report{Version: pricing.Version, Months: 12, All: pricing.Accuracy{Sales: 3, Error: 0.05}}
		must(t, s.Prices.StorePriceAccuracy(ctx, report))
		version, err := s.Prices.PriceFitVersion(ctx)
		must(t, err)
		want := []prices.Estimate{estimate("a/both", "2026-11-22", 700), estimate("a/new", "2026-11-22", 600)}
		store("2026-11-22", 6, want...)
		got, err := s.Prices.PriceEstimates(ctx)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v", got, err)
		}
		fit, err := s.Prices.PriceFit(ctx)
		must(t, err)
		if fit.Day != "2026-11-22" || fit.Sales != 40 || !reflect.DeepEqual(fit.Tuning, tuning) || !reflect.DeepEqual(fit.Accuracy, report) || fit.AccuracyAt == 0 {
			t.Errorf("got %+v", fit)
		}
		if now, err := s.Prices.PriceFitVersion(ctx); err != nil || now == version {
			t.Errorf("the version is still %d, %v", now, err)
		}
	})
}

// TestEstimateBasis checks what estimates say they are based on.
func TestEstimateBasis(t *testing.T) {
	t.Parallel()
	for want, e := range map[prices.EstimateBasis]prices.Estimate{
		prices.OwnSales: {Sales: 30, Borrowed: 10}, prices.OwnAndSimilar: {Sales: 2, Borrowed: 11}, prices.SimilarGear: {Borrowed: 100},
	} {
		if got := e.Basis(); got != want {
			t.Errorf("%+v is based on %s, want %s", e, got, want)
		}
	}
}

// TestFitPrices fits the sales of two models and checks them.
func TestFitPrices(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		catalog, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
		must(t, err)
		var sales []models.Sale
		day := models.Time(24 * 3600 * 1000)
		for i := range 400 {
			gear, price := "canon/eos-r6", 100_000
			if i%2 == 0 {
				gear, price = "sony/alpha-7-iii", 80_000
			}
			sales = append(sales, models.Sale{Gear: gear, Condition: models.ConditionGood, Price: models.Cents(price + 997*(i*7%13)), SoldAt: s.Now() - models.Time(400-i)*2*day, Region: "DE"})
		}
		_, _, err = s.Trades.ImportSales(ctx, sales)
		must(t, err)
		must(t, s.Prices.FitPrices(ctx, catalog.All()))
		must(t, s.Prices.CheckPrices(ctx, catalog, 2))
		fit, err := s.Prices.PriceFit(ctx)
		must(t, err)
		if fit.Sales != 400 || fit.Gear < 2 || fit.Accuracy == nil || fit.Accuracy.All.Sales == 0 {
			t.Errorf("got %+v", fit)
		}
		estimates, err := s.Prices.PriceEstimates(ctx)
		must(t, err)
		found := false
		for _, e := range estimates {
			if e.Gear != "canon/eos-r6" || e.Condition != models.ConditionGood {
				continue
			}
			found = true
			if e.Median < 98_000 || e.Median > 114_000 || e.Low > e.HalfLow || e.HalfLow > e.Median || e.Median > e.HalfHigh || e.HalfHigh > e.High || e.Sales != 200 || e.SameGrade != 200 || e.Day != fit.Day {
				t.Errorf("got %+v", e)
			}
		}
		if !found {
			t.Error("no estimate")
		}
		months, err := s.Prices.PriceForecast(ctx, "canon/eos-r6", models.ConditionGood)
		must(t, err)
		if len(months) != prices.ForecastMonths {
			t.Fatalf("the forecast has %d months", len(months))
		}
		for i, m := range months {
			if m.Low >= m.Median || m.Median >= m.High || i > 0 && m.High*months[i-1].Low <= months[i-1].High*m.Low {
				t.Errorf("month %d of the forecast is %+v after %+v", i, m, months[max(0, i-1)])
			}
		}
		estimated := func(gear string) (found prices.Estimate) {
			t.Helper()
			estimates, err := s.Prices.PriceEstimates(ctx)
			must(t, err)
			for _, e := range estimates {
				if e.Gear == gear && e.Condition == models.ConditionGood {
					found = e
				}
			}
			return found
		}
		if n, err := s.Prices.UpdatePrices(ctx, catalog); n != 0 || err != nil {
			t.Errorf("%d prices are updated without a sale, %v", n, err)
		}
		before, other := estimated("canon/eos-r6"), estimated("sony/alpha-7-iii")
		version, err := s.Prices.PriceFitVersion(ctx)
		must(t, err)
		var cheap []models.Sale
		for range 5 {
			cheap = append(cheap, models.Sale{Gear: "canon/eos-r6", Condition: models.ConditionGood, Price: before.Median * 9 / 10, SoldAt: s.Now(), Region: "DE"})
		}
		_, _, err = s.Trades.ImportSales(ctx, cheap)
		must(t, err)
		if n, err := s.Prices.UpdatePrices(ctx, catalog); n != 1 || err != nil {
			t.Errorf("%d prices are updated, %v", n, err)
		}
		after := estimated("canon/eos-r6")
		if after.Sales != 205 || after.Day != before.Day || after.Median >= before.Median || after.Median < before.Median*9/10 || !reflect.DeepEqual(estimated("sony/alpha-7-iii"), other) {
			t.Errorf("after cheap sales: %+v, before: %+v", after, before)
		}
		working, on, err := s.Prices.PriceWorking(ctx, "canon/eos-r6")
		if err != nil || on != after.Day || len(working.Terms) < 205 {
			t.Errorf("the working is %+v of %s, %v", working, on, err)
		}
		if n, err := s.Prices.UpdatePrices(ctx, catalog); n != 0 || err != nil {
			t.Errorf("%d prices are updated again, %v", n, err)
		}
		if now, err := s.Prices.PriceFitVersion(ctx); err != nil || now == version {
			t.Errorf("the version is still %d, %v", now, err)
		}
		ended, end := context.WithCancel(ctx)
		end()
		if err := s.Prices.FitPrices(ended, catalog.All()); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// TestFitAfterVoiding has forged sales counted in a fit. Once they are voided, a fit is byte for byte
// what it was: it follows from the sales that count alone, not from earlier fits.
func TestFitAfterVoiding(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		catalog, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
		must(t, err)
		operator, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		gear := catalog.All()[:12]
		sell := func(n int, factor float64) (sales []models.Sale) {
			for i := range n {
				g := gear[i%len(gear)]
				price := factor * float64(80_000+7_001*(i%len(gear))+2_003*(i*7%13))
				sales = append(sales, models.Sale{Gear: g.Slug(), Condition: models.Conditions[i%5], Price: models.Cents(price), SoldAt: s.Now() - models.Time(n-i)*models.DayMillis, Region: "DE"})
			}
			_, _, err := s.Trades.ImportSales(ctx, sales)
			must(t, err)
			return sales
		}
		fitted := func() string {
			must(t, s.Prices.FitPrices(ctx, gear))
			estimates, err := s.Prices.PriceEstimates(ctx)
			must(t, err)
			fit, err := s.Prices.PriceFit(ctx)
			must(t, err)
			all := []any{estimates, fit.Tuning, fit.Sales}
			for _, g := range gear {
				working, _, err := s.Prices.PriceWorking(ctx, g.Slug())
				must(t, err)
				months, err := s.Prices.PriceForecast(ctx, g.Slug(), models.ConditionGood)
				must(t, err)
				all = append(all, working, months)
			}
			text, err := json.Marshal(all)
			must(t, err)
			return string(text)
		}
		sell(600, 1)
		before := fitted()
		forged := sell(90, 0.6)
		if fitted() == before {
			t.Error("the forged sales don't count, so that voiding them shows nothing")
		}
		for _, sale := range forged {
			_, err := s.Trades.ReviewSale(ctx, operator.ID, sale.ID, models.VoidSale, "It never took place.")
			must(t, err)
		}
		if fitted() != before {
			t.Error("after voiding, the fit differs from that before")
		}
	})
}
