package models

import (
	"slices"
	"testing"
)

// TestDefectsOf checks that the form offers the defects of the category.
func TestDefectsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		category Category
		has, not []Defect
	}{
		{"mirrorless", []Defect{"dead_pixels", "sensor_marks", "sticky_shutter", "loose_mount", "screen_scratches", "dents"}, []Defect{"fungus", "haze", "oil", "balsam_separation", "light_seals", "meter_fault"}},
		{"dslr", []Defect{"dead_pixels", "battery_door"}, []Defect{"fungus", "slow_aperture", "light_seals"}},
		{"film_slr", []Defect{"light_seals", "meter_fault", "sticky_shutter", "brassing"}, []Defect{"dead_pixels", "sensor_marks", "fungus", "screen_scratches"}},
		{"rangefinder", []Defect{"light_seals", "dead_pixels", "haze"}, []Defect{"oil"}},
		{"compact", []Defect{"fungus", "dead_pixels", "slow_aperture"}, []Defect{"loose_mount"}},
		{"lens_prime", []Defect{"fungus", "haze", "dust", "oil", "scratches", "loose_mount"}, []Defect{"sticky_shutter", "dead_pixels", "battery_door", "light_seals"}},
		{"accessory", Defects, nil},
		{"", Defects, nil},
	} {
		got := DefectsOf(c.category)
		for _, d := range c.has {
			if !slices.Contains(got, d) {
				t.Errorf("%q can't have %s", c.category, d)
			}
		}
		for _, d := range c.not {
			if slices.Contains(got, d) {
				t.Errorf("%q can have %s", c.category, d)
			}
		}
	}
	for _, d := range Defects {
		if defectParts[d] == 0 {
			t.Errorf("%s belongs to no part", d)
		}
	}
	for _, c := range Categories {
		if c.Family() != "" && categoryParts[c] == 0 {
			t.Errorf("%s has no parts", c)
		}
	}
}
