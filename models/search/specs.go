package search

import (
	"slices"

	"github.com/secondlight/secondlight/models/catalog"
)

// GearFilter restricts a search to gear with certain specifications, or that fits a
// camera or lens. Gear whose
// specification is unknown does not match. A lens or a camera with a fixed lens matches
// a range of focal lengths if it can be set to one of them: a zoom whose own range
// overlaps it, so that from 200 mm finds every lens that reaches 200 mm.
type GearFilter struct {
	FocalMin      catalog.Focal   `json:"focal_min,omitempty" jsonschema:"lenses that reach this focal length in mm" example:"70"`
	FocalMax      catalog.Focal   `json:"focal_max,omitempty" jsonschema:"lenses that go down to this focal length in mm" example:"200"`
	EquivalentMin catalog.Focal   `json:"equivalent_min,omitempty" jsonschema:"focal_min converted to full frame" example:"24"`
	EquivalentMax catalog.Focal   `json:"equivalent_max,omitempty" jsonschema:"focal_max converted to full frame" example:"35"`
	ApertureMax   catalog.FNumber `json:"aperture_max,omitempty" jsonschema:"f-number wide open, at most" example:"2.8"`
	Sensor        catalog.Sensor  `json:"sensor,omitempty" jsonschema:"sensor or film format: full_frame, aps_c, micro_four_thirds, 35mm_film; of a lens, the largest it covers" example:"full_frame"`
	Fits          string          `json:"fits,omitempty" jsonschema:"what fits this gear, natively or by an adapter; lenses that crop too" example:"canon/eos-r6"`
	ReleasedMin   int             `json:"released_min,omitempty" jsonschema:"year: released then or later" min:"1800" max:"2100" example:"2018"`
}

// specs holds the specifications of a gear, 0 for unknown ones: a compact copy of the
// catalogue's, so that a scan accesses adjacent memory.
type specs struct {
	focal, equivalent focalRange
	aperture          float32
	year              int16
	sensor            uint16 // index in shape.sensors
}

// focalRange is a range of focal lengths, equal for a prime.
type focalRange struct{ low, high float32 }

// specsOf returns the specifications of gear.
func (sh *shape) specsOf(g *catalog.Gear) specs {
	low, high := g.Equivalent()
	return specs{
		focal:      focalRange{float32(g.FocalMin), float32(g.FocalMax)},
		equivalent: focalRange{float32(low), float32(high)},
		aperture:   float32(g.Aperture), year: int16(g.Year), sensor: sh.sensorNumber(g.Sensor()),
	}
}

// sensorNumber returns the index of a sensor in sensors, and adds it if it is new.
func (sh *shape) sensorNumber(sensor catalog.Sensor) uint16 {
	n := slices.Index(sh.sensors, sensor)
	if n < 0 {
		n = len(sh.sensors)
		sh.sensors = append(sh.sensors, sensor)
	}
	return uint16(n)
}

// overlaps reports whether the range has a focal length from low to high, 0 for no
// bound.
func (r focalRange) overlaps(low, high catalog.Focal) bool {
	return low == 0 && high == 0 || r.high > 0 && r.high >= float32(low) && (high == 0 || r.low <= float32(high))
}

// admits reports whether gear meets a filter.
func (sh *shape) admits(f *GearFilter, gear uint16) bool {
	s := &sh.specs[gear]
	return s.focal.overlaps(f.FocalMin, f.FocalMax) &&
		s.equivalent.overlaps(f.EquivalentMin, f.EquivalentMax) &&
		(f.ApertureMax == 0 || s.aperture > 0 && s.aperture <= float32(f.ApertureMax)) &&
		int(s.year) >= f.ReleasedMin &&
		(f.Sensor == "" || f.Sensor.Covers(sh.sensors[s.sensor]))
}
