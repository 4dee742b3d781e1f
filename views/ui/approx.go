package ui

import (
	"slices"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Approx is a price in the reader's currency. The price of the listing counts; this one was
// converted from it, exactly, and rounded once.
type Approx struct {
	Amount   string     `json:"amount" jsonschema:"decimal amount, such as 929.87"`
	Currency string     `json:"currency" jsonschema:"ISO 4217 code of the reader's currency"`
	RateDay  models.Day `json:"rate_day" jsonschema:"day of the exchange rate"`
	Stale    bool       `json:"stale,omitempty" jsonschema:"true if the exchange rate is more than four working days old"`
}

// newApprox returns a converted price.
func newApprox(a models.Approx, now time.Time) *Approx {
	m := a.Money()
	return &Approx{Amount: m.Amount, Currency: m.Currency, RateDay: a.Day, Stale: models.StaleRates(a.Day, now)}
}

// approx converts an amount of a stored currency to that of the site. It returns nil if it
// is in it, or if there is no rate.
func (s *Site) approx(amount models.Cents, currency string) *Approx {
	if currency == "" || amount == 0 {
		return nil
	}
	a, ok := s.Rates().InMain(amount, currency)
	if !ok {
		return nil
	}
	return newApprox(a, s.Now())
}

// In returns the currency stored with a listing or an offer: "" is that of the site.
func (s *Site) In(code string) models.Currency { return s.Currency().Or(code) }

// Text describes the price in a language: "about €929.87, rate of 20 Nov 2026".
func (a *Approx) Text(l *languages.Language) string {
	if a == nil {
		return ""
	}
	text := l.Text("about %s, rate of %s", l.Money(a.Amount, a.Currency), localDay(l, string(a.RateDay)))
	if a.Stale {
		text += " (" + l.Text("out of date") + ")"
	}
	return text
}

// AppendApprox appends a price in the reader's currency to the JSON of a card.
func AppendApprox(site *Site, card []byte, a models.Approx) []byte {
	return append(AppendAny(append(slices.Clip(card[:len(card)-1]), `,"approx":`...), newApprox(a, site.Now())), '}')
}

// StaleRates returns a warning that exchange rates are out of date, none if they are not.
func StaleRates(site *Site) []Warning {
	if rates := site.Rates(); rates.Day != "" && models.StaleRates(rates.Day, site.Now()) {
		return []Warning{{Code: "stale_rates", Field: "currency", Message: "The exchange rates are out of date: they are of " + string(rates.Day)}}
	}
	return nil
}
