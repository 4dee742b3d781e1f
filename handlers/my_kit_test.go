package handlers

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// sold imports sales of gear in good condition, one a day until yesterday.
func (s *testServer) sold(t testing.TB, clock *turnedClock, gear string, price models.Cents, n int) {
	t.Helper()
	sales := make([]models.Sale, n)
	for i := range sales {
		sales[i] = models.Sale{Gear: gear, Condition: "good", Price: price, SoldAt: models.TimeOf(clock.now().AddDate(0, 0, i-n)), Region: "DE"}
	}
	_, _, err := s.store.Trades.ImportSales(context.Background(), sales)
	must(err)
}

func TestMyKit(t *testing.T) {
	t.Parallel()
	s, clock := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	s.sold(t, clock, "canon/eos-r6", 100000, 8)
	s.sold(t, clock, "sony/alpha-7-iii", 70000, 4)

	for _, wrong := range []string{`{}`, `{"name":" "}`, `{"name":"X","bought_on":"May 2024"}`, `{"name":"X","paid":"plenty"}`,
		`{"name":"X","public":true}`} {
		ann.ask(t, "POST", "/api/me/kit", wrong, 400)
	}
	ann.ask(t, "POST", "/api/me/kit", `{"name":"X","gear":"canon/none-such"}`, 422)
	item := ann.ask(t, "POST", "/api/me/kit", `{"name":"canon  r6","condition":"good","bought_on":"2024-05-17","paid":"1890","serial":"SN-4711","insured":true,"note":"Boxed."}`, 201)
	at := "/api/me/kit/" + item["id"].(string)
	if item["gear"] != "canon/eos-r6" || item["name"] != "canon r6" || get(t, item, "median.amount") != "1000.00" || get(t, item, "paid.amount") != "1890.00" || item["serial"] != "SN-4711" || len(item["series"].([]any)) == 0 {
		t.Errorf("added %v", item)
	}
	ann.ask(t, "POST", "/api/me/kit", `{"name":"a7 iii"}`, 201)
	ann.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6 strap","gear":"none"}`, 201)
	kit := ann.ask(t, "GET", "/api/me/kit", "", 200)
	if get(t, kit, "sum.median.amount") != "1000.00" || get(t, kit, "sum.items") != 1.0 || get(t, kit, "items.1.gear") != "sony/alpha-7-iii" || get(t, kit, "items.1").(map[string]any)["median"] != nil ||
		get(t, kit, "items.2").(map[string]any)["gear"] != nil {
		t.Errorf("the kit is %v", kit)
	}
	for _, path := range []string{"/api/me/kit", "/account/kit", "/account/kit.md", "/kit", "/sellers/ann", "/account"} {
		if strings.Contains(ann.read(t, path), "SN-4711") {
			t.Errorf("%s shows a serial number", path)
		}
	}
	for _, path := range []string{"/account/kit/export", "/account/kit/export.csv", "/account/kit/export.md", "/api/me/kit/export", "/account/export.json", "/sell?kit=" + item["id"].(string)} {
		if !strings.Contains(ann.read(t, path), "SN-4711") {
			t.Errorf("%s lacks the serial number", path)
		}
	}

	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		bob.ask(t, method, at, "", 404)
	}
	if resp, _ := s.do(t, "GET", "/sell?kit="+item["id"].(string), "Cookie", bob.cookie); resp.StatusCode != 404 {
		t.Errorf("selling what is somebody else's is %d", resp.StatusCode)
	}
	edited := ann.ask(t, "PATCH", at, `{"note":"","paid":"","alert":true}`, 200, "If-Match", "1")
	if edited["paid"] != nil || edited["note"] != nil || edited["version"] != 2.0 || edited["condition"] != "good" {
		t.Errorf("edited %v", edited)
	}
	if code := ann.ask(t, "PATCH", at, `{"note":"Late"}`, 412, "If-Match", `"v1-0"`)["code"]; code != "kit_item_changed" {
		t.Errorf("a late change is %v", code)
	}

	form := url.Values{"name": {"Canon EOS R6"}, "gear": {"none"}, "condition": {""}, "bought_on": {""}, "paid": {"1.250"}, "serial": {""}, "insured": {""}, "alert": {"", "true"}, "if_match": {"2"}}
	resp, body := ann.post(t, "/account/kit/"+item["id"].(string), form.Encode())
	if resp.StatusCode != 303 {
		t.Errorf("the form is %d: %s", resp.StatusCode, body)
	}
	stored := ann.ask(t, "GET", at, "", 200)
	if stored["gear"] != nil || stored["condition"] != nil || stored["insured"] != false || stored["alert"] != true || get(t, stored, "paid.amount") != "1250.00" {
		t.Errorf("the form stored %v", stored)
	}
	if left := ann.ask(t, "DELETE", at, "", 200)["items"].([]any); len(left) != 2 {
		t.Errorf("left: %v", left)
	}
}

// TestKitOfTheOwner checks that the kit page shows the public items of operators in place of
// those of kit.md, and follows their changes.
func TestKitOfTheOwner(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	olga := s.join(t, "olga", models.RoleOperator)
	items := func() []any { return olga.ask(t, "GET", "/api/kit", "", 200)["items"].([]any) }
	before := len(items())
	olga.ask(t, "POST", "/api/me/kit", `{"name":"Nikon Z6","serial":"SN-4711"}`, 201)
	item := olga.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6","condition":"good","note":"Every day.","serial":"SN-4712","public":true}`, 201)
	eventually(t, "the kit page shows the item", func() bool { return len(items()) == 1 })
	page := olga.read(t, "/kit")
	if !strings.Contains(page, "Every day.") || strings.Contains(page, "SN-471") || strings.Contains(page, "Nikon Z6") {
		t.Errorf("the kit page is %s", page)
	}
	olga.ask(t, "PATCH", "/api/me/kit/"+item["id"].(string), `{"public":false}`, 200)
	eventually(t, "the kit page shows the files again", func() bool { return len(items()) == before })
}

// TestKitAlertsWatchEstimates checks that members are told when a new fit moves the estimate of
// an item, by one of two servers and once, and that sales don't matter as long as there is one.
func TestKitAlertsWatchEstimates(t *testing.T) {
	t.Parallel()
	s, clock := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	fit := func(day models.Day, median models.Cents) {
		storeFit(t, s.store, nil, prices.Estimate{Gear: "canon/eos-r6", Condition: models.ConditionGood, Day: day, Median: median, Low: median - 9000, High: median + 9000,
			HalfLow: median - 5000, HalfHigh: median + 5000, Sales: 44, SameGrade: 30})
		must(s.estimates.Reload(t.Context()))
	}
	fit("2026-11-21", 100033)
	ann.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6","condition":"good","alert":true}`, 201)
	ann.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6","condition":"faulty","alert":true}`, 201) // without an estimate
	bob.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6","condition":"good"}`, 201)
	for _, c := range []struct {
		median models.Cents // of the fit
		sold   models.Cents
		mails  int
	}{{100033, 0, 0}, {96000, 0, 0}, {94000, 0, 1}, {93000, 50000, 0}} {
		clock.add(24 * time.Hour)
		fit(models.DayAt(clock.now()), c.median)
		if c.sold > 0 {
			s.sold(t, clock, "canon/eos-r6", c.sold, 20)
		}
		for range 2 {
			must(s.NotifyTrends(t.Context()))
			s.estimates.Notified.Store(0) // as on another server
		}
		mails := s.queued(t)
		if len(mails) != c.mails {
			t.Fatalf("after a fit of %d and sales at %d: %d emails: %+v", c.median, c.sold, len(mails), mails)
		}
		for _, m := range mails {
			if m.Recipient != "ann@example.org" || m.Subject != "Canon EOS R6: now worth €940" || !strings.Contains(m.Body, "now €940, before €1,000") {
				t.Errorf("email %+v", m)
			}
		}
	}
}

// TestKitAlerts checks that members are told when the value of an item moves.
func TestKitAlerts(t *testing.T) {
	t.Parallel()
	s, clock := newClockedMarket(t)
	ann := s.join(t, "ann", models.RoleMember)
	s.sold(t, clock, "canon/eos-r6", 100000, 5)
	item := ann.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6","condition":"good","alert":true}`, 201)
	ann.ask(t, "POST", "/api/me/kit", `{"name":"Canon EOS R6","note":"without an alert"}`, 201)
	for _, c := range []struct {
		price models.Cents
		sales int
		mails int
	}{{0, 0, 0}, {98000, 20, 0}, {80000, 60, 1}, {80000, 1, 0}} {
		clock.add(24 * time.Hour)
		s.sold(t, clock, "canon/eos-r6", c.price, c.sales)
		for range 2 { // as two servers do
			must(s.NotifyTrends(context.Background()))
		}
		mails := s.queued(t)
		if len(mails) != c.mails {
			t.Fatalf("after %d sales at %d: %d emails", c.sales, c.price, len(mails))
		}
		for _, m := range mails {
			if m.Recipient != "ann@example.org" || m.Subject != "Canon EOS R6: now worth €800" || !strings.Contains(m.Body, "now €800, before €1,000") || !strings.Contains(m.Body, "/account/kit/"+item["id"].(string)) {
				t.Errorf("email %+v", m)
			}
		}
	}
}
