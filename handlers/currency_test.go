package handlers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// inDollars is a listing in JSON whose price is in another currency than the site's.
const inDollars = `{"gear":"canon/eos-r6","title":"Canon EOS R6 from Boston","price":{"amount":"1156.60","currency":"USD"},"condition":"excellent",
	"functional":"fully_working","region":"US","postage":"US 20, world 50"}`

// newCurrencyServer starts a server with rates of a day.
func newCurrencyServer(t *testing.T, day models.Day) *testServer {
	t.Helper()
	s := newMarketServer(t, func(cfg *Config) { cfg.ExchangeRates = "rates.xml" })
	_, err := s.store.Prices.SaveRates(t.Context(), []models.DayRates{{Day: day, Rates: map[string]string{"USD": "1.1566", "JPY": "180.00"}}})
	must(err)
	eventually(t, "the site uses the rates", func() bool { return s.site.Rates().Day == day })
	return s
}

// A member sells in dollars; readers search in euros, dollars and yen, and offers, the
// agreement and the sale are in dollars.
func TestListingInAnotherCurrency(t *testing.T) {
	t.Parallel()
	s := newCurrencyServer(t, models.DayAt(testNow))
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	id := ann.list(t, inDollars)
	ann.list(t, r6)
	day := s.site.Rates().Day
	find := func(query string) map[string]any {
		t.Helper()
		var found map[string]any
		s.json(t, "/api/listings/search?"+query, &found)
		return found
	}
	eventually(t, "both listings are found", func() bool { return find("")["total"] == 2.0 })

	// $1,156.60 ÷ 1.1566 is exactly €1,000.00; €1,249.00 × 1.1566 is $1,444.5934.
	for _, c := range []struct {
		query string
		total float64
		first string
	}{
		{"sort=price", 2, "1000.00 EUR"}, {"budget=1000", 1, "1000.00 EUR"}, {"budget=999.99", 0, ""}, {"sort=-price&currency=USD", 2, "1444.59 USD"},
		{"currency=USD&budget=1444.59-1444.59", 1, "1444.59 USD"}, {"currency=USD&budget=1444.58-1444.58", 0, ""}, {"budget=1156.60-1156.60+USD", 1, ""},
		{"currency=JPY&sort=price", 2, "180000 JPY"}, {"currency=JPY&budget=180000-180000", 1, "180000 JPY"},
	} {
		found := find(c.query)
		if found["total"] != c.total {
			t.Errorf("%s finds %v, want %v", c.query, found["total"], c.total)
		}
		if c.first == "" {
			continue
		}
		card := found["listings"].([]any)[0].(map[string]any)
		approx, _ := card["approx"].(map[string]any)
		if got := fmt.Sprint(approx["amount"], " ", approx["currency"]); got != c.first || approx["rate_day"] != string(day) {
			t.Errorf("%s: the first costs about %v, want %s", c.query, approx, c.first)
		}
	}
	for accept, want := range map[string]string{"text/html": "$1,156.60", "text/markdown": "about €1,000, rate of"} {
		for _, page := range []string{"/listings", "/listings/" + id} {
			if _, body := s.do(t, "GET", page, "Accept", accept); !strings.Contains(body, want) {
				t.Errorf("%s as %s does not say %s", page, accept, want)
			}
		}
	}
	if _, body := s.do(t, "GET", "/listings/"+id, "Accept", "text/html", "Accept-Language", "de"); !strings.Contains(body, "etwa 1.000 €, Kurs vom") && !strings.Contains(body, "etwa 1.000\u00a0€, Kurs vom") {
		t.Error("the German page does not say what it costs in euros")
	}
	if _, body := s.do(t, "GET", "/listings?ship_to=US&currency=USD", "Accept", "text/html"); !strings.Contains(body, "$1,176.60") {
		t.Error("the total with postage is not in dollars")
	}

	if e := ben.ask(t, "POST", "/api/listings/"+id+"/offers", `{"amount":"1000 EUR"}`, 400); !strings.Contains(fmt.Sprint(e), "prices are in USD, not EUR") && !strings.Contains(fmt.Sprint(e), "Prices are in USD, not EUR") {
		t.Errorf("an offer in euros: %v", e)
	}
	offer := ben.ask(t, "POST", "/api/listings/"+id+"/offers", `{"amount":"1100"}`, 201)
	if amount := fmt.Sprint(offer["amount"]); amount != "map[amount:1100.00 currency:USD]" {
		t.Errorf("the offer is %s", amount)
	}
	if e := ann.ask(t, "PATCH", "/api/listings/"+id, `{"price":"1000 EUR"}`, 409, "If-Match", "*"); e["code"] != "currency_fixed" {
		t.Errorf("another currency after publication: %v", e)
	}
	if e := ann.ask(t, "POST", "/api/listings", strings.Replace(inDollars, "USD", "GBP", 1), 400); !strings.Contains(fmt.Sprint(e), "EUR, JPY, USD") {
		t.Errorf("a currency without a rate: %v", e)
	}
	if form := ann.read(t, "/sell"); !strings.Contains(form, `<option value="JPY"`) {
		t.Error("the form does not offer yen")
	}
}

// Rates that are out of date are said to be, and a site without rates has one currency.
func TestStaleRatesAreSaid(t *testing.T) {
	t.Parallel()
	s := newCurrencyServer(t, "2019-01-02")
	ann := s.join(t, "ann", models.RoleMember)
	id := ann.list(t, inDollars)
	var found struct {
		Total    int
		Warnings []struct{ Code, Message string }
		Listings []struct{ Approx struct{ Stale bool } }
	}
	eventually(t, "the listing is found", func() bool {
		s.json(t, "/api/listings/search", &found)
		return found.Total == 1
	})
	if len(found.Warnings) != 1 || found.Warnings[0].Code != "stale_rates" || !strings.Contains(found.Warnings[0].Message, "2019-01-02") || !found.Listings[0].Approx.Stale {
		t.Errorf("%+v", found)
	}
	for _, accept := range []string{"text/html", "text/markdown"} {
		if _, body := s.do(t, "GET", "/listings/"+id, "Accept", accept); !strings.Contains(body, "rate of 2 Jan 2019 (out of date)") {
			t.Errorf("the page as %s does not say that the rate is out of date", accept)
		}
	}

	single := newMarketServer(t)
	ben := single.join(t, "ben", models.RoleMember)
	if e := ben.ask(t, "POST", "/api/listings", inDollars, 400); !strings.Contains(fmt.Sprint(e), "rices are in EUR, not USD") {
		t.Errorf("without rates: %v", e)
	}
	if resp, body := single.do(t, "GET", "/api/listings/search?currency=USD"); resp.StatusCode != 400 || !strings.Contains(body, "rices are in EUR, not USD") {
		t.Errorf("a search in dollars is %d: %s", resp.StatusCode, body)
	}
}
