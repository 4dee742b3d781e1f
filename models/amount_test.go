package models

import "testing"

// TestParseAmount checks prices as people type them into a form.
func TestParseAmount(t *testing.T) {
	t.Parallel()
	euro, yen, dinar := Currency{"EUR", 2}, Currency{"JPY", 0}, Currency{"KWD", 3}
	for _, c := range []struct {
		currency Currency
		text     string
		want     Cents // -1 for an error
	}{
		{euro, "€580", 58000}, {euro, "580 €", 58000}, {euro, "580,-", 58000}, {euro, "580", 58000}, {euro, " 580.5 ", 58050},
		{euro, "1,250", 125000}, {euro, "€1,250", 125000}, {euro, "1.250", 125000}, {euro, "€ 1.250", 125000}, {euro, "1.250 EUR", 125000},
		{euro, "1.250,00", 125000}, {euro, "1,250.00", 125000}, {euro, "1 250,50 €", 125050}, {euro, "1'250.-", 125000}, {euro, "12,400", 1240000},
		{euro, "12,40", 1240}, {euro, "1,2", 120}, {euro, "1.2k", 120000}, {euro, "12.345.678", -1},
		{euro, "0.250", -1}, {euro, "0,250", -1}, {euro, "1250.005", -1}, {euro, "12,34,56", -1}, {euro, "1.25.0", -1},
		{euro, "$580", -1}, {euro, "about 580", -1}, {euro, "", -1}, {euro, "-580", -1}, {euro, "580-600", -1},
		{yen, "58,000", 58000}, {yen, "58.000", 58000}, {yen, "¥58000", 58000}, {yen, "58000.5", -1},
		{dinar, "1.250", 1250},
	} {
		got, err := c.currency.ParseAmount(c.text)
		if err != nil {
			got = -1
		}
		if got != c.want {
			t.Errorf("%q in %s is %d, want %d (%v)", c.text, c.currency.Code, got, c.want, err)
		}
	}
}

// TestParseCount checks shutter counts as people type them.
func TestParseCount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"12400": 12400, "12,400": 12400, "12.400": 12400, "12 400": 12400, "12'400": 12400, " 900 ": 900, "1,250,000": 1250000, "12k": 12000, "12.4k": 12400, "0": 0,
		"": -1, "12,40": -1, "12.4": -1, "about 12,400": -1, "12,400 shots": -1, "-3": -1, "0x10": -1, "1e5": -1, "99999999999999999999": -1,
	} {
		got, err := ParseCount(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q is %d, want %d (%v)", text, got, want, err)
		}
	}
}

// TestWhole checks how amounts are rounded to the major unit.
func TestWhole(t *testing.T) {
	t.Parallel()
	euro, yen := Currency{"EUR", 2}, Currency{"JPY", 0}
	for _, c := range []struct {
		currency     Currency
		amount, want Cents
	}{{euro, 103125, 103100}, {euro, 103150, 103200}, {euro, 100, 100}, {euro, 49, 0}, {yen, 5801, 5801}} {
		if got := c.currency.Whole(c.amount); got != c.want {
			t.Errorf("%d is %d in %s, want %d", c.amount, got, c.currency.Code, c.want)
		}
	}
}
