package catalog

import (
	"maps"
	"testing"
)

// TestSuccessors names the next generations of gear, and none of gear that only has a similar name.
func TestSuccessors(t *testing.T) {
	var gear []*Gear
	for _, g := range []struct {
		model string
		year  int
	}{
		{"EOS R6", 2020}, {"EOS R6 Mark II", 2022}, {"EOS R6 Mark III", 2025}, {"EOS R6 V", 2026}, {"Z 6", 2018}, {"Z 6II", 2020}, {"Z 7", 2018}, {"X-T3", 2018}, {"X-T4", 2020},
		{"X-T30", 2019}, {"E-M1", 2013}, {"E-M5", 2012}, {"24-70mm f/2.8L USM", 2002}, {"24-70mm f/2.8L II USM", 2012}, {"K-5", 0}, {"K-5 II", 2012}, {"X-A1", 2014}, {"X-A2", 2014}, {"1 V1", 2011}, {"1 V2", 2012},
	} {
		gear = append(gear, &Gear{Brand: "A", BrandSlug: "a", Model: g.model, ModelSlug: g.model, Category: "mirrorless", Year: g.year})
	}
	want := map[string]string{"a/EOS R6": "a/EOS R6 Mark II", "a/EOS R6 Mark II": "a/EOS R6 Mark III", "a/Z 6": "a/Z 6II", "a/X-T3": "a/X-T4", "a/24-70mm f/2.8L USM": "a/24-70mm f/2.8L II USM"}
	if next := successors(gear); !maps.Equal(next, want) {
		t.Errorf("%v, want %v", next, want)
	}
}
