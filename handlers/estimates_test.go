package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// estimated returns a server with the estimates of a fit.
func estimated(t *testing.T) *testServer {
	t.Helper()
	s := newMarketServer(t)
	estimate := func(condition models.Condition, median models.Cents, sameGrade int) prices.Estimate {
		return prices.Estimate{Gear: "canon/eos-r6", Condition: condition, Day: "2026-11-21", Median: median, Low: median - 11111, High: median + 22222,
			HalfLow: median - 5000, HalfHigh: median + 6000, Sales: 44, SameGrade: sameGrade}
	}
	storeFit(t, s.store, learned(), estimate(models.ConditionExcellent, 123400, 12), estimate(models.ConditionGood, 101200, 30))
	must(s.estimates.Reload(t.Context()))
	return s
}

// learned says that half of the mirrorless cameras sell within 20 days at the estimate, and that
// those with a fault sell for a fifth less.
func learned() *pricing.ListingBasis {
	return &pricing.ListingBasis{
		Selling: &pricing.Selling{All: math.Log(math.Ln2 / 20), Steepness: -5},
		Works:   map[string]map[string]float64{"mirrorless": {"works minor_fault": math.Log(0.8)}},
	}
}

// storeFit stores what a fit has learned, and its estimates, all of the same day, as those of the
// last fit.
func storeFit(t *testing.T, store *store.Store, learned *pricing.ListingBasis, list ...prices.Estimate) {
	t.Helper()
	tuning := pricing.Fit(nil, nil, 1, pricing.Options{}).Tuning()
	must(store.Prices.StorePriceFit(t.Context(), &prices.PriceFit{Day: list[0].Day, MadeAt: store.Now(), Method: pricing.Version, Sales: 44, Gear: 1, Tuning: tuning, Listings: learned}, list))
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
		Gear []struct{ Estimate *priceviews.Estimate }
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

// TestEstimatesForSellers checks that estimates say for whom they are once it is known what dealers get,
// in all formats, and that listings of both are compared with the same range.
func TestEstimatesForSellers(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	basis := learned()
	basis.Sellers = map[string]map[string]float64{"mirrorless": {pricing.DealerTrait: math.Log(1.1)}}
	storeFit(t, s.store, basis, prices.Estimate{Gear: "canon/eos-r6", Condition: models.ConditionExcellent, Day: "2026-11-21", Median: 100000, Low: 90000, High: 110000, HalfLow: 95000, HalfHigh: 105000, Sales: 44, SameGrade: 30})
	must(s.estimates.Reload(t.Context()))
	ann, dora := s.join(t, "ann", models.RoleMember), s.join(t, "dora", models.RoleMember)
	member, err := s.store.Accounts.Member(t.Context(), "dora")
	must(err)
	must(s.store.Listings.SetSellerKind(t.Context(), member.ID, models.Dealer))
	ofAnn, ofDora := ann.sells(t, "Canon EOS R6", "canon/eos-r6", 115000), dora.sells(t, "Canon EOS R6", "canon/eos-r6", 115000)
	const dealers = "Dealers get about 10% more than private sellers."
	for address, want := range map[string][]string{
		"/prices?gear=canon/eos-r6&condition=excellent": {"private", "€1,000", `"median":{"amount":"1000.00"`},
		"/gear/canon/eos-r6?condition=excellent":        {"private", "€1,000", `"median":{"amount":"1000.00"`},
		"/listings/" + ofAnn:                            {"private", "€1,100", `"high":{"amount":"1100.00"`},
		"/listings/" + ofDora:                           {"private", "€1,100", `"high":{"amount":"1100.00"`},
	} {
		for accept, wants := range map[string][]string{
			"text/html":        {dealers, want[1]},
			"text/markdown":    {dealers, want[1]},
			"application/json": {`"seller_kind":"` + want[0] + `"`, `"dealers_percent":10`, want[2]},
		} {
			if resp, body := s.do(t, "GET", address, "Accept", accept); resp.StatusCode != 200 || !containsAll(unescaped(body), wants...) {
				t.Errorf("%s as %s is %d and does not state %q", address, accept, resp.StatusCode, wants)
			}
		}
	}
	for address, want := range map[string]string{"/listings/" + ofAnn: "above this range", "/listings/" + ofDora: "above this range"} {
		if _, body := s.do(t, "GET", address, "Accept", "text/markdown"); !strings.Contains(body, want) {
			t.Errorf("%s is not %s", address, want)
		}
	}
}

// TestFormatsStateTheSameRange checks that whatever compares a listing with what it sells for
// states the range of the estimate in all formats.
func TestFormatsStateTheSameRange(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	cheap := ann.sells(t, "Canon EOS R6, cheap", "canon/eos-r6", 98000)
	fair := ann.sells(t, "Canon EOS R6, fair", "canon/eos-r6", 123000)
	words, data := []string{"€1,123", "€1,456"}, []string{`"low":{"amount":"1123.00"`, `"high":{"amount":"1456.00"`}
	for _, page := range []struct {
		address string
		formats map[string][]string // what each states
	}{
		{"/listings?sort=deal", map[string][]string{"text/html": words, "text/markdown": words, "application/json": data, "application/atom+xml": words}},
		{"/listings/" + cheap, map[string][]string{"text/html": words, "text/markdown": words, "application/json": data}},
		{"/compare?listing=" + cheap + "," + fair, map[string][]string{"text/html": words, "text/markdown": words, "application/json": data}},
		{"/gear/canon/eos-r6?condition=excellent", map[string][]string{"text/html": words, "text/markdown": words, "application/json": data}},
		{"/prices?gear=canon/eos-r6&condition=excellent&price=980", map[string][]string{"text/html": append(words, "below the estimated range"), "text/markdown": append(words, "Cheap: €980 is €143 below"),
			"application/json": append(data, `"verdict":"below"`, `"percent":-21`, `"list_price":{"amount":"1234.00"`, `"quick_price":{"amount":"1184.00"`)}},
	} {
		for accept, want := range page.formats {
			resp, body := s.do(t, "GET", page.address, "Accept", accept)
			if body = unescaped(body); resp.StatusCode != 200 || !containsAll(body, want...) {
				t.Errorf("%s as %s is %d and does not state %q", page.address, accept, resp.StatusCode, want)
			}
		}
	}
	if page := bob.read(t, "/listings/"+cheap); !strings.Contains(page, "80% sell for €1,123 to €1,456") {
		t.Error("the form of an offer does not state the range")
	}
	var found struct{ Listings []ui.Card }
	s.json(t, "/api/listings/search?sort=deal", &found)
	if len(found.Listings) != 2 || found.Listings[0].ID != cheap || found.Listings[0].Deal.Percent != -21 || found.Listings[0].Deal.Sales != 44 {
		t.Errorf("the best deals are %+v", found.Listings)
	}
	_, value := s.send(t, "POST", "/api/valuations", `{"items":[{"name":"Canon EOS R6","condition":"excellent"}]}`, "Content-Type", "application/json")
	if !containsAll(value, `"status":"ok"`, `"low":{"amount":"1184.00"`, `"high":{"amount":"1294.00"`, data[0], data[1]) {
		t.Errorf("the valuation is %s", value)
	}
	// The next fit says nothing, and so do the cards.
	must(s.store.Prices.StorePriceFit(t.Context(), &prices.PriceFit{Day: "2026-11-22", MadeAt: s.store.Now() + 1}, nil))
	must(s.estimates.Reload(t.Context()))
	if _, body := s.do(t, "GET", "/api/listings/search"); strings.Contains(body, `"deal"`) {
		t.Errorf("deals are made up: %s", body)
	}
}

// TestDaysToSell checks that whatever suggests or assesses an asking price states how long
// listings take to sell at it, and that nothing is said where that is unknown.
func TestDaysToSell(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	mine := ann.sells(t, "Canon EOS R6, cheap", "canon/eos-r6", 98000)
	const asked, suggested = "Half of listings at this price sell within about 6 days.", "Half sell within about 2 weeks at €1,184, about 3 weeks at €1,234, about 4 weeks at €1,294."
	data := []string{`"days_to_sell":6`, `"list_days_to_sell":20,"quick_days_to_sell":16,"patient_days_to_sell":25`}
	for address, want := range map[string][]string{
		"/prices?gear=canon/eos-r6&condition=excellent&price=980":          {asked, suggested},
		"/prices.md?gear=canon/eos-r6&condition=excellent&price=980":       {asked, suggested},
		"/api/price-guide?gear=canon/eos-r6&condition=excellent&price=980": append(data, suggested),
		"/sell/" + mine:     {"a quarter sell for less; about 2 weeks to sell"},
		"/listings/" + mine: {asked},
	} {
		if _, body := s.do(t, "GET", address, "Cookie", ann.cookie); !containsAll(unescaped(body), want...) {
			t.Errorf("%s does not state %q: %s", address, want, body)
		}
	}
	if body := unescaped(bob.read(t, "/listings/"+mine)); strings.Contains(body, "sell within") {
		t.Error("the page of a listing tells others how long it takes to sell")
	}
	for _, address := range []string{"/prices?gear=canon/eos-r6&condition=faulty&price=980", "/api/price-guide?gear=canon/eos-r6&price=980", "/api/price-guide?gear=canon/eos-r6&condition=excellent&price=9800"} {
		if _, body := s.do(t, "GET", address); strings.Contains(body, "at this price") || strings.Contains(body, `"days_to_sell"`) {
			t.Errorf("%s makes up how long it takes to sell", address)
		}
	}
	if _, body := s.do(t, "GET", "/prices?gear=canon/eos-r6&condition=excellent&price=980", "Accept-Language", "de"); !strings.Contains(body, "Verkaufsdauer zu diesem Preis: typisch etwa 6 Tage") {
		t.Error("the German page does not state the days")
	}
}

// TestDealsOfFaults checks that a listing with a fault is compared with what such gear sells for,
// and not at all where that is unknown: neither with an estimate nor with a median.
func TestDealsOfFaults(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	ann := s.join(t, "ann", models.RoleMember)
	list := func(works models.Functional, price models.Cents) string {
		return ann.sellsOne(t, "Canon EOS R6", "canon/eos-r6", works, price)
	}
	fair, cheap, unknown := list(models.MinorFault, 98000), list(models.MinorFault, 80000), list(models.NotWorking, 50000)
	var found struct{ Listings []ui.Card }
	s.json(t, "/api/listings/search?sort=deal", &found)
	for i, want := range []struct {
		id           string
		percent      int
		median, from string
	}{{cheap, -19, "987.00", "898.00"}, {fair, -1, "987.00", "898.00"}, {id: unknown}} {
		got := found.Listings[i]
		if deal := got.Deal; got.ID != want.id || (deal == nil) != (want.median == "") || deal != nil && (deal.Percent != want.percent || deal.Typical.Amount != want.median || deal.Low.Amount != want.from) {
			t.Errorf("deal %d is %s, %+v, want %+v", i, got.ID, got.Deal, want)
		}
		if page := unescaped(ann.read(t, "/listings/"+want.id)); strings.Contains(page, "Estimated price in “Excellent, minor fault” condition: €987.") != (want.median != "") || strings.Contains(page, "€1,123") {
			t.Errorf("the page of listing %d does not state its estimate", i)
		}
	}
	s.json(t, "/api/listings/search?deal=below", &found)
	if len(found.Listings) != 1 || found.Listings[0].ID != cheap {
		t.Errorf("below the range are %+v", found.Listings)
	}
}

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// TestPriceIndexPages checks the index in all formats, and that a site without one says
// nothing about it.
func TestPriceIndexPages(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	if _, body := s.do(t, "GET", "/api/prices"); strings.Contains(body, `"index"`) {
		t.Errorf("without sales the index is %s", body)
	}
	if _, body := s.do(t, "GET", "/prices/charts/kinds.svg"); !strings.Contains(body, "Not enough sales") {
		t.Errorf("the chart of no sales is %s", body)
	}
	series := prices.IndexSeries{Name: "mirrorless", Sales: 999, Year: &prices.IndexChange{Percent: -8.7, Low: -9.5, High: -7.9}}
	for m := range models.MonthKey(24) {
		series.Points = append(series.Points, prices.IndexPoint{Month: 2024*12 + 10 + m, Value: 100 - float64(m), Low: 99 - float64(m), High: 101 - float64(m), Sales: 20})
	}
	index := &prices.PriceIndex{Day: "2026-11-21", All: series, Kinds: []prices.IndexSeries{series},
		Falling: []prices.GearChange{{Gear: "canon/eos-r6", IndexChange: prices.IndexChange{Percent: -12.3, Low: -15, High: -9.1}, Sales: 44}}}
	must(s.store.Prices.StorePriceIndex(t.Context(), index))
	must(s.estimates.Reload(t.Context()))
	for address, want := range map[string][]string{
		"/prices":                    {"8.7% less than a year ago", "Canon EOS R6", "−12.3%", "<svg", "/prices/charts/movers.csv"},
		"/prices.md":                 {"8.7% less than a year ago", "−12.3% (−15% to −9.1%)"},
		"/api/prices":                {`"month":"2026-10"`, `"percent":-8.7`, `"href":"/api/prices/charts/movers"`},
		"/prices.csv":                {"kinds,mirrorless,2026-10,77.0,76.0,78.0,20,,", "movers,canon/eos-r6,,-12.3,-15.0,-9.1,44,,"},
		"/prices/charts/kinds":       {"<svg", "Oct 2026", "76.0 to 78.0"},
		"/prices/charts/kinds.md":    {"| Oct 2026 | 77.0 | 76.0 to 78.0 | 20 |"},
		"/api/prices/charts/kinds":   {`"period":"2026-10","value":77,"low":76,"high":78`},
		"/prices/charts/kinds.csv":   {"kinds,mirrorless,2026-10,77.0,76.0,78.0,20,,"},
		"/prices/charts/movers.svg":  {"<svg xmlns", "−12.3%"},
		"/prices/charts/movers.json": {`"name":"canon/eos-r6"`, `"value":-12.3,"low":-15,"high":-9.1`},
	} {
		if resp, body := s.do(t, "GET", address); resp.StatusCode != 200 || !containsAll(unescaped(body), want...) {
			t.Errorf("%s is %d and does not state %q", address, resp.StatusCode, want)
		}
	}
	for range 2 { // the second is from the cache
		for address, styled := range map[string]bool{"/prices/charts/movers.svg": true, "/prices/charts/movers": false} {
			resp, body := s.do(t, "GET", address)
			if policy := resp.Header.Get("Content-Security-Policy"); strings.Contains(policy, "'unsafe-inline'") != styled || strings.Contains(body, "<style>") != styled {
				t.Errorf("the policy of %s is %s", address, policy)
			}
		}
	}
	if resp, _ := s.do(t, "GET", "/api/prices/charts/nothing"); resp.StatusCode != 400 {
		t.Errorf("an unknown chart is %d", resp.StatusCode)
	}
}

// TestDepreciationInAllFormats checks that the depreciation is the same in all formats, and
// that nothing is said of gear whose kind has none.
func TestDepreciationInAllFormats(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	years := func(percent ...float64) (list []prices.YearsChange) {
		for i, p := range percent {
			list = append(list, prices.YearsChange{Years: prices.DepreciationYears[i], IndexChange: prices.IndexChange{Percent: p, Low: p - 1.3, High: p + 1.2}, Sales: 44 + i})
		}
		return list
	}
	must(s.store.Prices.StorePriceIndex(t.Context(), &prices.PriceIndex{Day: "2026-11-21",
		Depreciation:     []prices.Depreciation{{Kind: "mirrorless", Years: years(-15.2, -27.4, -38.1, -54.6)}},
		GearDepreciation: map[string][]prices.YearsChange{"canon/eos-r6": years(-11.3, -21.9, -30.9)},
		RepeatSales:      []prices.RepeatSales{{Kind: "mirrorless", Pairs: 12, Years: 2.1, Percent: -24, Same: 7, Worse: 4, Better: 1}}}))
	must(s.estimates.Reload(t.Context()))
	const text = "A mirrorless camera loses 38% in 3 years; this one 31%."
	model := []string{text, "−30.9% (−32.2% to −29.7%)", "−38.1% (−39.4% to −36.9%)"}
	data := []string{`"text":"` + text, `"years":3,"kind":{"percent":-38.1,"low":-39.4,"high":-36.9},"model":{"percent":-30.9,"low":-32.2,"high":-29.7},"sample_size":46`}
	kinds := []string{"−38.1% (−39.4% to −36.9%)", "Mirrorless", "−24%"}
	for address, want := range map[string][]string{
		"/gear/canon/eos-r6":                 append(model, "/prices/charts/depreciation"),
		"/gear/canon/eos-r6.md":              model,
		"/api/trends/canon/eos-r6":           data,
		"/prices?gear=canon/eos-r6":          model,
		"/api/price-guide?gear=canon/eos-r6": data,
		"/gear/canon/eos-r5":                 {"A mirrorless camera loses 38% in 3 years."},
		"/prices/charts/depreciation":        append(kinds, "<svg"),
		"/prices/charts/depreciation.md":     kinds,
		"/prices/charts/depreciation.svg":    {"<svg xmlns", "Mirrorless", "5 years"},
		"/prices/charts/depreciation.csv":    {"depreciation,mirrorless,,-38.1,-39.4,-36.9,46,,", ",3,12\r\n"},
		"/api/prices/charts/depreciation":    {`"years":3,"value":-38.1,"low":-39.4,"high":-36.9,"sample_size":46`, `"pairs":12,"years":2.1,"percent":-24,"same_grade":7,"worse_grade":4,"better_grade":1`},
	} {
		if resp, body := s.do(t, "GET", address); resp.StatusCode != 200 || !containsAll(unescaped(body), want...) {
			t.Errorf("%s is %d and does not state %q", address, resp.StatusCode, want)
		}
	}
	session := s.connect(t, web.MCPPath, eras[0])
	for tool, arguments := range map[string]map[string]any{"get_trend": {"brand": "canon", "model": "eos-r6"}, "get_price": {"gear": "canon/eos-r6"}} {
		result, err := session.CallTool(t.Context(), s.toolCall(tool, arguments))
		must(err)
		answer, err := json.Marshal(result)
		must(err)
		if strings.Count(string(answer), text) != 2 { // as text and as data
			t.Errorf("%s does not state the depreciation: %s", tool, answer)
		}
	}
	if _, body := s.do(t, "GET", "/gear/leica/m6", "Accept-Language", "de"); strings.Contains(body, "verliert") {
		t.Error("a depreciation is made up")
	}
	if _, body := s.do(t, "GET", "/gear/canon/eos-r6", "Accept-Language", "de"); !strings.Contains(body, "Eine Systemkamera verliert in 3 Jahren 38\u00a0%; dieses Modell 31\u00a0%.") {
		t.Error("the German page does not state the depreciation")
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
	_, _, err := replicas[0].store.Trades.ImportSales(t.Context(), sales)
	must(err)
	work := func(s *testServer, asked bool) error { return s.estimates.Refresh(t.Context(), asked) }
	for _, s := range replicas {
		s.estimates.Clock = func() time.Time { return now }
		if err := work(s, false); !errors.Is(err, job.ErrNotDue) {
			t.Errorf("at the start: %v", err)
		}
		if _, page := s.do(t, "GET", "/prices/accuracy.md"); !strings.Contains(page, "haven't tested our estimates") {
			t.Errorf("before the first fit: %s", page)
		}
	}
	held, err := replicas[1].store.Lease(t.Context(), market.EstimatesJob, "other", time.Minute)
	must(err)
	now = now.Add(market.FitDelay)
	if err := work(replicas[0], false); !held || !errors.Is(err, job.ErrNotDue) {
		t.Errorf("while another server fits: %v", err)
	}
	must(replicas[1].store.ReleaseLease(t.Context(), market.EstimatesJob, "other"))
	must(work(replicas[0], false))
	for _, s := range replicas {
		if err := work(s, false); !errors.Is(err, job.ErrNotDue) {
			t.Errorf("again: %v", err)
		}
		if e := s.estimates.Of("canon/eos-r6", "good"); e == nil || e.Sales != 150 {
			t.Errorf("the estimate is %+v", e)
		}
		if _, page := s.do(t, "GET", "/prices/accuracy.md"); !strings.Contains(page, "half of our estimates") || !strings.Contains(page, "## Models without a price") {
			t.Errorf("after the fit: %s", page)
		}
	}
	_, _, err = replicas[0].store.Trades.ImportSales(t.Context(), []models.Sale{{Gear: "canon/eos-r6", Condition: "good", Price: 90_000, SoldAt: models.TimeOf(time.Now().AddDate(0, 0, -3)), Region: "DE"}})
	must(err)
	if err := work(replicas[1], false); !errors.Is(err, job.ErrNotDue) {
		t.Errorf("soon after the last update: %v", err)
	}
	now = now.Add(market.UpdateInterval)
	if err := work(replicas[1], false); err != nil {
		t.Fatal("after another sale:", err)
	}
	for _, s := range replicas {
		_ = work(s, false)
		if e := s.estimates.Of("canon/eos-r6", "good"); e == nil || e.Sales != 151 {
			t.Errorf("after another sale the estimate is %+v", e)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := replicas[0].estimates.Refresh(ended, true); err == nil {
		t.Error("a job that was stopped did not say so")
	}
}
