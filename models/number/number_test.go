package number

import (
	"encoding/json"
	"errors"
	"testing"
)

// TestRange checks ranges of prices as people write them in English and German.
func TestRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, low, high string }{
		{"800", "", "800"}, {"-800", "", "800"}, {"500-", "500", ""}, {"500 –", "500", ""}, {"500+", "500", ""}, {"500-800", "500", "800"}, {"500 – 800 €", "500", "800 €"},
		{"€500 to €800", "€500", "€800"}, {"500..800", "500", "800"}, {"500, 800", "500", "800"}, {"500,1000", "500", "1000"}, {"500;800", "500", "800"},
		{"between 500 and 800", "500", "800"}, {"zwischen 500 und 800 Euro", "500", "800 Euro"}, {"von 500 bis 800", "500", "800"}, {"500 bis zu 800", "500", "800"}, {"500€ bis 1.100€", "500€", "1.100€"},
		{"bis 500€", "", "500€"}, {"bis zu 500 €", "", "500 €"}, {"unter 2500", "", "2500"}, {"under $800", "", "$800"}, {"up to 800", "", "800"}, {"max. 500 EUR", "", "500 EUR"}, {"höchstens 500", "", "500"}, {"<500", "", "500"},
		{"nicht mehr als 500", "", "500"}, {"500 max", "", "500"}, {"500 or less", "", "500"}, {"500 oder weniger", "", "500"}, {"less than 1k", "", "1k"},
		{"ab 500", "500", ""}, {"über 1.000 €", "1.000 €", ""}, {"mindestens 500", "500", ""}, {"mind. 500", "500", ""}, {"at least 500", "500", ""}, {"500 and up", "500", ""}, {"500 € aufwärts", "500 €", ""}, {"≥ 500", "500", ""},
		{"min 200 max 500", "200", "500"}, {"ab 200, höchstens 500", "200", "500"}, {"over 200 under 500", "200", "500"}, {">200 <500", "200", "500"},
		{"2.500,-", "", "2.500"}, {"2.500,- €", "", "2.500 €"}, {"500,- bis 800,-", "500", "800"}, {"500.-800", "500.", "800"}, {"bis 800.–", "", "800"},
		{"1-2k", "1k", "2k"}, {"500-1k", "500", "1k"}, {"1,5-2k", "1,5k", "2k"}, {"12,000", "", "12,000"}, {"1,250", "", "1,250"}, {"€12,500", "", "€12,500"}, {"12.500", "", "12.500"}, {"bis 12,500", "", "12,500"},
	} {
		if low, high, err := Range(c.text); low != c.low || high != c.high || err != nil {
			t.Errorf("%q is from %q to %q (%v), want from %q to %q", c.text, low, high, err, c.low, c.high)
		}
	}
	for _, text := range []string{"500,800", "500 800", "€500,800", "500,800 EUR", "50,100", "12,500", "12 500"} {
		if _, _, err := Range(text); !errors.As(err, new(*Ambiguous)) {
			t.Errorf("%q is not ambiguous: %v", text, err)
		}
	}
}

// TestJSON checks that numbers of JSON keep their value, and are no groups of three digits.
func TestJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[json.Number]string{"24": "24", "24.0": "24", "2.4e1": "24", "1.5": "1.5", "1.250": "1.25", "12.345": "12.3450", "9007199254740993": "9007199254740993", "-3": "-3"} {
		if got := JSON(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}
