package handlers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
)

// ratesFile is a file of exchange rates of one day, from pairs of a currency and a rate.
func ratesFile(day string, pairs ...string) string {
	text := "<Envelope><Cube><Cube time='" + day + "'>"
	for i := 0; i < len(pairs); i += 2 {
		text += fmt.Sprintf("<Cube currency='%s' rate='%s'/>", pairs[i], pairs[i+1])
	}
	return text + "</Cube></Cube></Envelope>"
}

// A file is read when it changes, and refused as a whole if it has a mistake.
func TestExchangeRatesFromFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "rates.xml")
	s := newMarketServer(t, func(cfg *Config) { cfg.ExchangeRates = file })
	read := func() error { return s.rates.Refresh(t.Context(), false) }
	write := func(text string, at time.Time) {
		t.Helper()
		must(os.WriteFile(file, []byte(text), 0o600))
		must(os.Chtimes(file, at, at))
	}
	rate := func() string {
		rates, err := s.store.Prices.LatestRates(t.Context(), s.site.Currency(), true)
		must(err)
		usd, ok := rates.InMain(10000, "USD")
		if !ok {
			return ""
		}
		return usd.Plain() + " " + string(usd.Day)
	}
	if err := read(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	write(ratesFile("2026-11-20", "USD", "1.25"), testNow)
	if err := read(); err != nil || rate() != "80 2026-11-20" {
		t.Errorf("%v, %s", err, rate())
	}
	if err := read(); !errors.Is(err, job.ErrNotDue) {
		t.Errorf("again: %v", err)
	}
	write(ratesFile("2026-11-21", "USD", "2", "JPY", "x"), testNow.Add(time.Second))
	if err := read(); err == nil || !strings.Contains(err.Error(), `"x" is not a rate`) || rate() != "80 2026-11-20" {
		t.Errorf("a mistake: %v, %s", err, rate())
	}
	write(ratesFile("2030-01-01", "USD", "2"), testNow.Add(2*time.Second))
	if err := read(); err == nil || !strings.Contains(err.Error(), "in the future") {
		t.Errorf("the future: %v", err)
	}
	write(ratesFile("2026-11-21", "USD", "2"), testNow.Add(3*time.Second))
	held, err := s.store.Lease(t.Context(), market.RatesJob, "other", time.Minute)
	must(err)
	if err := read(); !held || !errors.Is(err, job.ErrNotDue) {
		t.Errorf("while another server reads: %v", err)
	}
	must(s.store.ReleaseLease(t.Context(), market.RatesJob, "other"))
	if err := read(); err != nil || rate() != "50 2026-11-21" {
		t.Errorf("%v, %s", err, rate())
	}
	eventually(t, "the site uses the rates", func() bool { return s.site.Rates().Day == "2026-11-21" })
}

// An address is fetched once a working day, by the rules of webhooks.
func TestExchangeRatesFromAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		day       models.Day
		now, want string
	}{
		{"", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"},
		{"2026-11-19", "2026-11-19T16:00:00Z", "2026-11-20T15:15:00Z"},
		{"2026-11-20", "2026-11-20T16:00:00Z", "2026-11-23T15:15:00Z"}, // after a Friday
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		must(err)
		if got := market.NextPublication(c.day, now).Format(time.RFC3339); got != c.want {
			t.Errorf("after %q the next is %s, want %s", c.day, got, c.want)
		}
	}
	refused := newMarketServer(t, func(cfg *Config) { cfg.ExchangeRates = "https://127.0.0.1/rates.xml" })
	if err := refused.rates.Refresh(t.Context(), false); err == nil || errors.Is(err, job.ErrNotDue) || refused.site.Rates().Day != "" {
		t.Errorf("an address of this machine: %v", err)
	}
	if err := refused.rates.Refresh(t.Context(), false); !errors.Is(err, job.ErrNotDue) {
		t.Errorf("at once again: %v", err)
	}
}
