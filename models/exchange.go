package models

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// DayRates are the exchange rates of one day: units of each currency for one euro, as
// decimals.
type DayRates struct {
	Day   Day
	Rates map[string]string
}

// Limits of a file of exchange rates.
const (
	MaxRatesFile     = 32 << 20 // bytes; all days since 1999 take 8 MB
	maxRateDays      = 20_000
	maxDayCurrencies = 200
	maxRateDigits    = 12
)

// rateBase is the base currency of rates: a rate is the price of one unit of it.
const rateBase = "EUR"

// ParseRates parses a file in the format of the European Central Bank: eurofxref-daily.xml
// or eurofxref-hist.xml. It returns the days in ascending order. A file with any mistake
// is refused as a whole.
func ParseRates(r io.Reader) ([]DayRates, error) {
	p := ratesParser{days: map[Day]map[string]string{}}
	from := xml.NewDecoder(io.LimitReader(r, MaxRatesFile))
	for {
		token, err := from.Token()
		if err == io.EOF {
			return p.result()
		}
		if err != nil {
			return nil, fmt.Errorf("exchange rates: %w", err)
		}
		if err := p.token(token); err != nil {
			return nil, fmt.Errorf("exchange rates: %w", err)
		}
	}
}

// ratesParser collects the rates of a file.
type ratesParser struct {
	days map[Day]map[string]string
	day  Day // of the elements that follow
}

func (p *ratesParser) token(token xml.Token) error {
	element, ok := token.(xml.StartElement)
	if !ok || element.Name.Local != "Cube" {
		return nil
	}
	values := map[string]string{}
	for _, a := range element.Attr {
		values[a.Name.Local] = a.Value
	}
	if day, ok := values["time"]; ok {
		return p.startDay(day)
	}
	if len(values) == 0 {
		return nil
	}
	return p.addRate(values["currency"], values["rate"])
}

func (p *ratesParser) startDay(text string) error {
	day, err := ParseDay(text)
	if err != nil {
		return err
	}
	if p.days[day] != nil {
		return fmt.Errorf("the day %s occurs twice", day)
	}
	if len(p.days) == maxRateDays {
		return fmt.Errorf("there are more than %d days", maxRateDays)
	}
	p.day, p.days[day] = day, map[string]string{}
	return nil
}

func (p *ratesParser) addRate(code, rate string) error {
	rates := p.days[p.day]
	switch {
	case rates == nil:
		return fmt.Errorf("the rate of %q has no day", code)
	case !isCurrencyCode(code) || code == rateBase:
		return fmt.Errorf("%s: %q is not the code of a currency such as USD", p.day, code)
	case rates[code] != "":
		return fmt.Errorf("%s: the currency %s occurs twice", p.day, code)
	case len(rates) == maxDayCurrencies:
		return fmt.Errorf("%s: there are more than %d currencies", p.day, maxDayCurrencies)
	}
	if _, err := parseRate(rate); err != nil {
		return fmt.Errorf("%s: %s: %w", p.day, code, err)
	}
	rates[code] = rate
	return nil
}

// result returns the days in ascending order.
func (p *ratesParser) result() (all []DayRates, err error) {
	for _, day := range slices.Sorted(maps.Keys(p.days)) {
		if len(p.days[day]) == 0 {
			return nil, fmt.Errorf("exchange rates: %s has no rates", day)
		}
		all = append(all, DayRates{day, p.days[day]})
	}
	if len(all) == 0 {
		return nil, errors.New("exchange rates: the file has none: it must be in the format of eurofxref-daily.xml of the European Central Bank")
	}
	return all, nil
}

// isCurrencyCode reports whether a text has the form of an ISO 4217 code.
func isCurrencyCode(code string) bool {
	return len(code) == 3 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// parseRate parses a positive decimal.
func parseRate(text string) (*big.Rat, error) {
	whole, frac, dotted := strings.Cut(text, ".")
	rate, ok := new(big.Rat).SetString(text)
	if !ok || len(whole)+len(frac) > maxRateDigits || !allDigits(whole) || !allDigits(frac) || whole == "" || dotted && frac == "" || rate.Sign() <= 0 {
		return nil, fmt.Errorf("%q is not a rate such as 1.1566", text)
	}
	return rate, nil
}

// Rates are the exchange rates of a day: of each currency the last that is known on the
// day. All amounts are converted exactly and rounded once, half away from zero.
type Rates struct {
	// Main is the currency of the site.
	Main Currency
	// Day is the last day with rates.
	Day Day
	// Offered reports whether members may use other currencies than the site's.
	Offered bool

	Rates map[string]DayRate // by code
}

// DayRate is a rate of a currency for one euro.
type DayRate struct {
	rate *big.Rat
	day  Day
}

// NewRates returns the last rate of each currency in all.
func NewRates(main Currency, all ...DayRates) (*Rates, error) {
	r := &Rates{Main: main, Rates: map[string]DayRate{}}
	for _, d := range all {
		for code, text := range d.Rates {
			if err := r.Add(code, d.Day, text); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// Add adds a rate, unless there is a later one of the currency.
func (r *Rates) Add(code string, day Day, text string) error {
	rate, err := parseRate(text)
	if err != nil {
		return fmt.Errorf("exchange rate of %s on %s: %w", code, day, err)
	}
	if day >= r.Rates[code].day {
		r.Rates[code] = DayRate{rate, day}
	}
	r.Day = max(r.Day, day)
	return nil
}

// Offer sets Offered, if the currency of the site has a rate.
func (r *Rates) Offer(offered bool) {
	_, _, ok := r.Factor(Currency{Code: rateBase}, Currency{Code: r.Main.Code})
	r.Offered = offered && ok && len(r.Rates) > 0
}

// Codes returns the currencies that members may use: that of the site, and then, if they
// are offered, the others that amounts can be converted to, in alphabetical order.
func (r *Rates) Codes() []string {
	codes := []string{r.Main.Code}
	if !r.Offered {
		return codes
	}
	for _, code := range slices.Sorted(maps.Keys(r.Rates)) {
		if _, err := ParseCurrency(code); err == nil && code != r.Main.Code {
			codes = append(codes, code)
		}
	}
	if r.Main.Code != rateBase {
		codes = append(codes, rateBase)
		slices.Sort(codes[1:])
	}
	return codes
}

// Currency returns the currency that a member may use by its code, ignoring case; "" is
// that of the site. The error says which there are.
func (r *Rates) Currency(code string) (Currency, error) {
	code = strings.ToUpper(strings.TrimSpace(code))
	codes := r.Codes()
	if code == "" || code == r.Main.Code {
		return r.Main, nil
	}
	if !slices.Contains(codes, code) {
		if len(codes) == 1 {
			return Currency{}, problem.Errorf("Prices are in %s, not %s.", codes[0], code)
		}
		return Currency{}, problem.Errorf("%q isn't one of the currencies %s.", code, strings.Join(codes, ", "))
	}
	return ParseCurrency(code)
}

// Of returns the currency stored with a listing or a sale; "" stands for the site's.
func (r *Rates) Of(code string) Currency { return r.Main.Or(code) }

// Or returns the currency with a stored code, or c for "".
func (c Currency) Or(code string) Currency {
	if code == "" || code == c.Code {
		return c
	}
	other, err := ParseCurrency(code)
	if err != nil {
		return Currency{Code: code, Digits: 2}
	}
	return other
}

// ParseAmount parses an amount as people write it, in a currency or in another that members
// may use. Its errors are those of Currency.ParseAmount and Rates.Currency.
func (r *Rates) ParseAmount(text string, own Currency) (a Amount, err error) {
	if a.Currency, err = r.CurrencyIn(text, own); err != nil {
		return a, err
	}
	a.Cents, err = a.Currency.ParseAmount(text)
	return a, err
}

// CurrencyIn returns the currency whose code or sign an amount, or a range of amounts, has:
// own if it has none.
func (r *Rates) CurrencyIn(text string, own Currency) (Currency, error) {
	_, unit := CutCurrency(text)
	if unit == "" || own.IsUnit(unit) || CurrencyOf(unit) == "" {
		return own, nil
	}
	return r.Currency(CurrencyOf(unit))
}

// SetPrice sets the price of a listing and its currency. Postage in another currency is
// removed. It returns an error if the price is out of range in the currency of the site.
func (l *Listing) SetPrice(price Amount, rates *Rates) error {
	code := rates.Stored(price.Currency)
	if code != l.Currency && l.Postage != PickupOnly && l.Postage != postageFree {
		l.Postage = ""
	}
	l.Price, l.Currency = price.Cents, code
	if in, ok := rates.InMain(l.Price, l.Currency); !ok || in.Cents > MaxAmount {
		return problem.Errorf("The price is more than the maximum of %s %s.", rates.Main.Decimal(MaxAmount), rates.Main.Code)
	}
	return nil
}

// Stored returns the code with which a currency is stored: "" for that of the site.
func (r *Rates) Stored(c Currency) string {
	if c.Code == r.Main.Code {
		return ""
	}
	return c.Code
}

// Approx is an amount that was converted at the rate of a day.
type Approx struct {
	Amount
	Day Day // of the rate
}

// Convert converts an amount. It returns false if a rate is missing.
func (r *Rates) Convert(a Amount, to Currency) (Approx, bool) {
	factor, day, ok := r.Factor(a.Currency, to)
	if !ok {
		return Approx{}, false
	}
	cents, ok := Times(a.Cents, factor)
	return Approx{Amount{cents, to}, day}, ok
}

// InMain converts an amount of a stored currency to that of the site. It returns false if
// a rate is missing.
func (r *Rates) InMain(cents Cents, code string) (Approx, bool) {
	if code == "" {
		return Approx{Amount: Amount{cents, r.Main}}, true
	}
	return r.Convert(Amount{cents, r.Of(code)}, r.Main)
}

// Factor returns the exact number of minor units of a currency for one minor unit of
// another, and the day of the older of the two rates. It returns false if one is missing.
func (r *Rates) Factor(from, to Currency) (factor *big.Rat, day Day, ok bool) {
	if from.Code == to.Code {
		return big.NewRat(1, 1), "", true
	}
	f, ok1 := r.perEuro(from.Code)
	t, ok2 := r.perEuro(to.Code)
	if !ok1 || !ok2 {
		return nil, "", false
	}
	factor = new(big.Rat).Quo(t.rate, f.rate)
	factor.Mul(factor, new(big.Rat).SetFrac(powerOfTen(to.Digits), powerOfTen(from.Digits)))
	return factor, min(f.day, t.day), true
}

// perEuro returns the rate of a currency.
func (r *Rates) perEuro(code string) (DayRate, bool) {
	if code == rateBase {
		return DayRate{big.NewRat(1, 1), r.Day}, len(r.Rates) > 0
	}
	rate, ok := r.Rates[code]
	return rate, ok
}

func powerOfTen(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Times returns an amount times a factor, rounded half away from zero. It returns false
// if the product is out of range.
func Times(amount Cents, factor *big.Rat) (Cents, bool) {
	n := new(big.Int).Mul(big.NewInt(int64(amount)), factor.Num())
	n.Abs(n).Lsh(n, 1).Add(n, factor.Denom())
	n.Quo(n, new(big.Int).Lsh(factor.Denom(), 1))
	if amount < 0 {
		n.Neg(n)
	}
	return Cents(n.Int64()), n.IsInt64()
}

// staleRates is the number of working days after which rates are stale. The longest pause
// of the European Central Bank, at Easter, has two.
const staleRates = 4

// StaleRates reports whether the rates of a day are out of date: more than four working days
// have begun since.
func StaleRates(day Day, now time.Time) bool {
	at, ok := day.Start()
	if !ok {
		return true
	}
	today := now.UTC().Truncate(24 * time.Hour)
	if today.Sub(at) > 30*24*time.Hour {
		return true
	}
	working := 0
	for at = at.AddDate(0, 0, 1); !at.After(today); at = at.AddDate(0, 0, 1) {
		if at.Weekday() != time.Saturday && at.Weekday() != time.Sunday {
			working++
		}
	}
	return working > staleRates
}

// LatestDay is later than every other day.
const LatestDay Day = "9999-12-31"
