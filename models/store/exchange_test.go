package store_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// ratesFile is a file in the format of the European Central Bank.
func ratesFile(days ...string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
	<Cube>` + strings.Join(days, "") + `</Cube>
</gesmes:Envelope>`
}

// ratesDay is a day of a file, from pairs of a currency and a rate.
func ratesDay(day string, pairs ...string) string {
	text := "<Cube time='" + day + "'>"
	for pair := range slices.Chunk(pairs, 2) {
		text += "<Cube currency='" + pair[0] + "' rate='" + pair[1] + "'/>"
	}
	return text + "</Cube>"
}

func currencyOf(t testing.TB, code string) models.Currency {
	t.Helper()
	c, err := models.ParseCurrency(code)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseRates(t *testing.T) {
	t.Parallel()
	days, err := models.ParseRates(strings.NewReader(ratesFile(ratesDay("2026-11-20", "USD", "1.1566", "JPY", "163.52"), ratesDay("2026-11-19", "USD", "1.15"))))
	if want := "[{2026-11-19 map[USD:1.15]} {2026-11-20 map[JPY:163.52 USD:1.1566]}]"; err != nil || fmt.Sprint(days) != want {
		t.Errorf("got %v, %v; want %s", days, err, want)
	}
	for name, c := range map[string]struct{ file, want string }{
		"empty":             {"", "the file has none"},
		"no days":           {ratesFile(), "the file has none"},
		"a day without any": {ratesFile(ratesDay("2026-11-20")), "2026-11-20 has no rates"},
		"cut off":           {ratesFile(ratesDay("2026-11-20", "USD", "1.1"))[:300], "unexpected EOF"},
		"not XML":           {"<html><p>Not found<br>", "syntax error"},
		"day":               {ratesFile(ratesDay("20.11.2026", "USD", "1.1")), `"20.11.2026" is not a day`},
		"day twice":         {ratesFile(ratesDay("2026-11-20", "USD", "1.1"), ratesDay("2026-11-20", "USD", "1.2")), "occurs twice"},
		"no day":            {ratesFile(`<Cube currency="USD" rate="1.1"/>`), "has no day"},
		"code":              {ratesFile(ratesDay("2026-11-20", "usd", "1.1")), `"usd" is not the code`},
		"the base":          {ratesFile(ratesDay("2026-11-20", "EUR", "1")), `"EUR" is not the code`},
		"currency twice":    {ratesFile(ratesDay("2026-11-20", "USD", "1.1", "USD", "1.1")), "occurs twice"},
		"zero":              {ratesFile(ratesDay("2026-11-20", "USD", "0.0")), `"0.0" is not a rate`},
		"negative":          {ratesFile(ratesDay("2026-11-20", "USD", "-1.1")), "is not a rate"},
		"exponent":          {ratesFile(ratesDay("2026-11-20", "USD", "1e9")), "is not a rate"},
		"fraction":          {ratesFile(ratesDay("2026-11-20", "USD", "1/3")), "is not a rate"},
		"not a number":      {ratesFile(ratesDay("2026-11-20", "USD", "N/A")), "is not a rate"},
		"too many digits":   {ratesFile(ratesDay("2026-11-20", "USD", "1.1234567890123")), "is not a rate"},
	} {
		if days, err := models.ParseRates(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) || days != nil {
			t.Errorf("%s: got %v, %v; want an error with %q", name, days, err, c.want)
		}
	}
}

// Every conversion is that of exact decimals, rounded once, half away from zero.
func TestConversionsAreExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(18, 7))
	codes := []string{"EUR", "USD", "GBP", "JPY", "KWD", "CHF", "IDR", "ISK"}
	for range 10_000 {
		rates := map[string]string{}
		for _, code := range codes[1:] {
			rates[code] = []string{fmt.Sprintf("%d.%04d", r.IntN(20000), 1+r.IntN(9999)), fmt.Sprintf("0.%06d", 1+r.IntN(999_999)), fmt.Sprint(1 + r.IntN(200))}[r.IntN(3)]
		}
		all, err := models.NewRates(currencyOf(t, "EUR"), models.DayRates{Day: "2026-11-20", Rates: rates})
		if err != nil {
			t.Fatal(err)
		}
		from, to := currencyOf(t, codes[r.IntN(len(codes))]), currencyOf(t, codes[r.IntN(len(codes))])
		amount := models.Cents(r.Int64N(int64(models.MaxAmount) + 1))
		if r.IntN(4) == 0 {
			amount = -amount
		}
		exact := decimal(from.Decimal(amount))
		if from != to {
			exact.Mul(exact, decimal(perEuro(rates, to.Code)))
			exact.Quo(exact, decimal(perEuro(rates, from.Code)))
		}
		got, ok := all.Convert(models.Amount{Cents: amount, Currency: from}, to)
		want := exact.FloatString(to.Digits) // rounds half away from zero
		if fits := new(big.Int).Quo(exact.Num(), exact.Denom()).BitLen() < 50; !ok && fits || ok && fits && decimal(to.Decimal(got.Cents)).Cmp(decimal(want)) != 0 {
			t.Fatalf("%s %s is %s %s, want %s, at %v", from.Decimal(amount), from.Code, to.Decimal(got.Cents), to.Code, want, rates)
		}
	}
}

func decimal(text string) *big.Rat {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return value
}

func perEuro(rates map[string]string, code string) string {
	if code == "EUR" {
		return "1"
	}
	return rates[code]
}

func TestStaleRates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		day  models.Day
		now  string
		want bool
	}{
		{"2026-11-20", "2026-11-20T18:00:00Z", false},
		{"2026-11-20", "2026-11-22T18:00:00Z", false}, // Friday and Sunday
		{"2026-11-20", "2026-11-26T18:00:00Z", false}, // four working days
		{"2026-11-20", "2026-11-27T00:00:00Z", true},
		{"2026-04-02", "2026-04-07T12:00:00Z", false}, // Easter
		{"2019-01-01", "2026-11-27T00:00:00Z", true},
		{"", "2026-11-27T00:00:00Z", true},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := models.StaleRates(c.day, now); got != c.want {
			t.Errorf("rates of %q at %s: stale is %v", c.day, c.now, got)
		}
	}
}

func TestRatesByDay(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), context.Background()
		eur, usd := currencyOf(t, "EUR"), currencyOf(t, "USD")
		save := func(want int, days ...string) {
			t.Helper()
			parsed, err := models.ParseRates(strings.NewReader(ratesFile(days...)))
			if err != nil {
				t.Fatal(err)
			}
			if n, err := s.Prices.SaveRates(ctx, parsed); err != nil || n != want {
				t.Fatalf("saved %d rates, %v; want %d", n, err, want)
			}
		}
		none, err := s.Prices.LatestRates(ctx, eur, true)
		if err != nil || none.Offered || fmt.Sprint(none.Codes()) != "[EUR]" {
			t.Fatalf("without rates: %+v, %v", none, err)
		}
		if _, ok := none.InMain(100, "USD"); ok {
			t.Error("converted without a rate")
		}
		if _, err := none.Currency("USD"); err == nil || err.Error() != "Prices are in EUR, not USD" {
			t.Errorf("another currency: %v", err)
		}

		save(3, ratesDay("2026-11-19", "USD", "1.25", "RUB", "90"), ratesDay("2026-11-20", "USD", "1.6"))
		save(0, ratesDay("2026-11-19", "USD", "1.25", "RUB", "90"), ratesDay("2026-11-20", "USD", "1.6"))
		save(1, ratesDay("2026-11-20", "USD", "2.0")) // a correction
		for _, c := range []struct {
			day  models.Day
			want string
		}{
			{"2026-11-18", ""}, {"2026-11-19", "80.00 2026-11-19"}, {"2026-11-20", "50.00 2026-11-20"}, {"2026-11-22", "50.00 2026-11-20"},
		} {
			rates, err := s.Prices.RatesOn(ctx, eur, c.day)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if a, ok := rates.Convert(models.Amount{Cents: 10000, Currency: usd}, eur); ok {
				got = eur.Decimal(a.Cents) + " " + string(a.Day)
			}
			if got != c.want {
				t.Errorf("$100 on %s are %q, want %q", c.day, got, c.want)
			}
		}
		latest, err := s.Prices.LatestRates(ctx, eur, true)
		if err != nil || fmt.Sprint(latest.Codes()) != "[EUR RUB USD]" || latest.Day != "2026-11-20" {
			t.Errorf("latest rates: %v of %s, %v", latest.Codes(), latest.Day, err)
		}
		if _, err := latest.Currency("gbp"); err == nil || err.Error() != `"GBP" isn't one of the currencies EUR, RUB, USD` {
			t.Errorf("a currency without a rate: %v", err)
		}
		rub, ok := latest.Convert(models.Amount{Cents: 9000, Currency: usd}, currencyOf(t, "RUB")) // the older day of the two
		if !ok || rub.Day != "2026-11-19" || rub.Cents != 405000 {
			t.Errorf("$90 are %+v", rub)
		}
		if other, err := s.Prices.LatestRates(ctx, currencyOf(t, "ARS"), true); err != nil || other.Offered {
			t.Errorf("offered without a rate of the site's currency: %+v, %v", other, err)
		}
	})
}

// A sale in another currency is in trends with the amount at the rate of its day.
func TestSaleInAnotherCurrency(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) // a Sunday
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), context.Background()
		members := []models.Member{{Handle: "anna", Name: "Anna", Region: "US"}}
		if err := s.Accounts.InsertMembers(ctx, members); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Prices.SaveRates(ctx, []models.DayRates{{Day: "2026-11-20", Rates: map[string]string{"USD": "1.1566"}}, {Day: "2026-11-23", Rates: map[string]string{"USD": "2"}}}); err != nil {
			t.Fatal(err)
		}
		listings := []models.Listing{{SellerID: members[0].ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6", Text: "Fine.", Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
			Price: 99999, Currency: "USD", Region: "US", Status: models.StatusActive}}
		if err := s.Listings.InsertListings(ctx, listings); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Listings.Advance(ctx, listings[0].ID, models.Move{Step: models.Sell, Price: 95000, At: models.TimeOf(now)}); err != nil {
			t.Fatal(err)
		}
		sales, err := s.Trades.SalesByListing(ctx, []string{listings[0].ID})
		if err != nil || len(sales) != 1 {
			t.Fatalf("sales %+v, %v", sales, err)
		}
		got := sales[listings[0].ID]
		if got.Price != 82137 || got.Paid != 95000 || got.Currency != "USD" || got.RateDay != "2026-11-20" || got.Amount(currencyOf(t, "EUR")).Plain() != "950" { // 950 ÷ 1.1566 = 821.373…
			t.Errorf("sale %+v", got)
		}
	})
}
