package catalog

import (
	"reflect"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// GearCorrection is what the owner says of a gear: one that the catalogue lacks, or some
// values that it has wrong.
type GearCorrection struct {
	Gear   string      `json:"-"` // slug
	Values GearValues  `json:"values"`
	Fields []string    `json:"fields"` // names of the corrected values, as in JSON
	At     models.Time `json:"-"`
}

// GearValues are the values of a gear that the owner can correct.
type GearValues struct {
	Brand       string          `json:"brand"`
	Model       string          `json:"model"`
	Category    models.Category `json:"category"`
	Mount       string          `json:"mount,omitempty"`
	Format      string          `json:"format,omitempty"`
	FocalMin    float64         `json:"focal_min,omitempty"`
	FocalMax    float64         `json:"focal_max,omitempty"`
	Aperture    float64         `json:"aperture,omitempty"`
	Year        int             `json:"year,omitempty"`
	LaunchPrice string          `json:"launch_price,omitempty"` // "2499.00 EUR"
	Aliases     []string        `json:"aliases,omitempty"`
	Picture     string          `json:"picture,omitempty"` // name of a gear picture
}

// Limits of corrections, in characters unless they say otherwise.
const (
	MaxGearCorrections = 5000 // on the site
	MaxGearName        = 120
	MaxGearAliases     = 30 // of a gear
)

// ValuesOf returns the values of a gear.
func ValuesOf(g *Gear) GearValues {
	return GearValues{Brand: g.Brand, Model: g.Model, Category: g.Category, Mount: g.Mount, Format: g.Format, FocalMin: g.FocalMin, FocalMax: g.FocalMax,
		Aperture: g.Aperture, Year: g.Year, LaunchPrice: g.LaunchPrice, Aliases: slices.Clone(g.Aliases), Picture: g.Picture}
}

// set replaces the values of a gear, except for the brand.
func (v *GearValues) set(g *Gear) {
	g.Model, g.Category, g.Mount, g.Format, g.FocalMin, g.FocalMax = v.Model, v.Category, v.Mount, v.Format, v.FocalMin, v.FocalMax
	g.Aperture, g.Year, g.LaunchPrice, g.Aliases, g.Picture = v.Aperture, v.Year, v.LaunchPrice, slices.Clone(v.Aliases), v.Picture
}

// eachField calls f with the name of each value, as in JSON, and its index.
func eachField(f func(name string, i int)) {
	values := reflect.TypeFor[GearValues]()
	for i := range values.NumField() {
		name, _, _ := strings.Cut(values.Field(i).Tag.Get("json"), ",")
		f(name, i)
	}
}

// differing returns the names of the values that differ.
func (v *GearValues) differing(from *GearValues) (names []string) {
	now, before := reflect.ValueOf(*v), reflect.ValueOf(*from)
	eachField(func(name string, i int) {
		a, b := now.Field(i), before.Field(i)
		if a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
			return
		}
		if !reflect.DeepEqual(a.Interface(), b.Interface()) {
			names = append(names, name)
		}
	})
	return names
}

// over returns base with the named values of v.
func (v *GearValues) over(base GearValues, names []string) GearValues {
	from, to := reflect.ValueOf(*v), reflect.ValueOf(&base).Elem()
	eachField(func(name string, i int) {
		if slices.Contains(names, name) {
			to.Field(i).Set(from.Field(i))
		}
	})
	return base
}

// CorrectionState says how a correction relates to the catalogue as shipped.
type CorrectionState string

// The states of corrections.
const (
	GearAdded     CorrectionState = "added"     // the shipped catalogue lacks the gear
	GearCorrected CorrectionState = "corrected" // it has other values
	GearRedundant CorrectionState = "redundant" // it has the same by now
)
