package handlers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/storetest"
	"github.com/secondlight/secondlight/views"
)

// estimated returns a server with the estimates of a fit.
func estimated(t *testing.T) *testServer {
	t.Helper()
	s := newMarketServer(t)
	estimate := func(condition models.Condition, median models.Cents, sameGrade int) models.Estimate {
		return models.Estimate{Gear: "canon/eos-r6", Condition: condition, Day: "2026-11-21", Median: median, Low: median - 11111, High: median + 22222,
			HalfLow: median - 5000, HalfHigh: median + 6000, Sales: 44, SameGrade: sameGrade}
	}
	storeFit(t, s.store, estimate(models.ConditionExcellent, 123400, 12), estimate(models.ConditionGood, 101200, 30))
	must(s.estimates.reload(t.Context()))
	return s
}

func storeFit(t *testing.T, store *models.Store, list ...models.Estimate) {
	t.Helper()
	tuning := pricing.Fit(nil, nil, 1, pricing.Options{}).Tuning()
	must(store.StorePriceFit(t.Context(), &models.PriceFit{Day: "2026-11-21", MadeAt: store.Now(), Method: pricing.Version, Sales: 44, Gear: 1, Tuning: tuning}, list))
}

// TestEstimates checks that pages with a price state the estimate in all formats, and that
// sold figures stay as they are.
func TestEstimates(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	plain := newMarketServer(t)
	for _, page := range []string{"/prices?gear=canon/eos-r6&condition=excellent", "/gear/canon/eos-r6?condition=excellent"} {
		for accept, want := range map[string]string{"text/html": "€1,123", "text/markdown": "€1,123", "application/json": `"low":{"amount":"1123.00"`} {
			if _, body := s.do(t, "GET", page, "Accept", accept); !strings.Contains(body, want) {
				t.Errorf("%s as %s does not say %s", page, accept, want)
			}
			if _, body := plain.do(t, "GET", page, "Accept", accept); strings.Contains(body, "estimated_on") || strings.Contains(body, "8 of 10") {
				t.Errorf("%s as %s states an estimate that there is none of", page, accept)
			}
		}
	}
	read := func(s *testServer, address string) (answer struct {
		Estimate struct {
			Condition string `json:"condition"`
			Basis     string `json:"basis"`
		} `json:"estimate"`
		Sold map[string]any `json:"sold_for"`
	}) {
		s.json(t, address, &answer)
		return answer
	}
	usual, before := read(s, "/api/price-guide?gear=canon/eos-r6"), read(plain, "/api/price-guide?gear=canon/eos-r6")
	if usual.Estimate.Condition != "good" || usual.Estimate.Basis != "own_sales" || fmt.Sprint(usual.Sold) != fmt.Sprint(before.Sold) {
		t.Errorf("%+v, without estimates %+v", usual, before)
	}
	if faulty := read(s, "/api/price-guide?gear=canon/eos-r6&condition=faulty"); faulty.Estimate.Condition != "" {
		t.Errorf("an estimate that there is none of: %+v", faulty)
	}
	var compared struct {
		Gear []struct{ Estimate *views.Estimate }
	}
	s.json(t, "/api/compare?gear=canon/eos-r6,canon/eos-r5", &compared)
	if m := compared.Gear; len(m) != 2 || m[0].Estimate == nil || m[0].Estimate.Condition != "good" || m[1].Estimate != nil {
		t.Errorf("the comparison is %+v", compared)
	}
	_, value := s.send(t, "POST", "/api/valuations", `{"items":[{"name":"Canon EOS R6","condition":"excellent","count":2},{"name":"canon/eos-r5"}]}`, "Content-Type", "application/json")
	if !strings.Contains(value, `"estimate":{"low":{"amount":"2246.00"`) || strings.Count(value, "estimated_on") != 1 {
		t.Errorf("the valuation is %s", value)
	}
}

// TestEstimatesInKit checks the estimate and the sum of a member's kit.
func TestEstimatesInKit(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	ann := s.join(t, "ann", models.RoleMember)
	ann.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6","condition":"excellent"}`, 201)
	kit := ann.ask(t, "GET", "/api/me/kit", "", 200)
	if get(t, kit, "estimate.median.amount") != "1234.00" || get(t, kit, "items.0.estimate.basis") != "own_sales" {
		t.Errorf("the kit is %v", kit)
	}
	if page := ann.read(t, "/account/kit"); !strings.Contains(page, "Estimate for 1 item: €1,234") {
		t.Error("the page does not state the estimate")
	}
}

// TestEstimatesAreFittedOnce runs the job of two servers on one database: one fits, both
// show what it estimated, and there is nothing more to do on that day.
func TestEstimatesAreFittedOnce(t *testing.T) {
	skipUnderRace(t)
	database := storetest.Postgres(t)
	now := testNow
	replicas := []*testServer{newReplica(t, database), newReplica(t, database)}
	var sales []models.Sale
	for i := range 300 {
		sales = append(sales, models.Sale{Gear: []string{"canon/eos-r6", "sony/alpha-7-iii"}[i%2], Condition: "good", Price: models.Cents(90_000 + 997*(i*7%13)),
			SoldAt: models.TimeOf(time.Now().AddDate(0, 0, -2*(301-i))), Region: "DE"})
	}
	_, _, err := replicas[0].store.ImportSales(t.Context(), sales)
	must(err)
	job := func(s *testServer, asked bool) error { return s.estimates.refresh(t.Context(), asked) }
	for _, s := range replicas {
		s.app.clock = func() time.Time { return now }
		if err := job(s, false); !errors.Is(err, errNotDue) {
			t.Errorf("at the start: %v", err)
		}
		if _, page := s.do(t, "GET", "/prices/accuracy.md"); !strings.Contains(page, "not been checked") {
			t.Errorf("before the first fit: %s", page)
		}
	}
	held, err := replicas[1].store.Lease(t.Context(), estimatesJob, "other", time.Minute)
	must(err)
	now = now.Add(fitDelay)
	if err := job(replicas[0], false); !held || !errors.Is(err, errNotDue) {
		t.Errorf("while another server fits: %v", err)
	}
	must(replicas[1].store.ReleaseLease(t.Context(), estimatesJob, "other"))
	must(job(replicas[0], false))
	for _, s := range replicas {
		if err := job(s, false); !errors.Is(err, errNotDue) {
			t.Errorf("again: %v", err)
		}
		if e := s.estimate("canon/eos-r6", "good"); e == nil || e.Sales != 150 {
			t.Errorf("the estimate is %+v", e)
		}
		if _, page := s.do(t, "GET", "/prices/accuracy.md"); !strings.Contains(page, "Half of our estimates") {
			t.Errorf("after the fit: %s", page)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := replicas[0].estimates.refresh(ended, true); err == nil {
		t.Error("a job that was stopped did not say so")
	}
}
