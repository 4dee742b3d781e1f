package catalog

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Focal is a focal length in millimetres, 0 for none.
type Focal float64

// maxFocal is the longest focal length of a lens in the catalogue.
const maxFocal = 5000

// Set parses a focal length as people write it: "85", "85mm", "18.5 mm".
func (f *Focal) Set(text string) error {
	number := strings.TrimSpace(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "mm"))
	n, ok := readDecimal(number, maxFocal)
	if !ok {
		return problem.Errorf("%q isn't a focal length in millimetres, such as 85.", text)
	}
	*f = Focal(n)
	return nil
}

// FNumber is the f-number of an aperture, 0 for none.
type FNumber float64

// maxFNumber is the narrowest aperture that can be parsed.
const maxFNumber = 64

// Set parses an f-number as people write it: "2.8", "f/2.8", "F2,8", "1:2.8".
func (f *FNumber) Set(text string) error {
	number := strings.ToLower(strings.TrimSpace(text))
	for _, prefix := range [...]string{"ƒ", "f", "1:", "t", "/"} {
		number = strings.TrimPrefix(number, prefix)
	}
	n, ok := readDecimal(number, maxFNumber)
	if !ok {
		return problem.Errorf("%q isn't an f-number such as 2.8.", text)
	}
	*f = FNumber(n)
	return nil
}

// readDecimal parses a number above 0 and up to most, with a decimal point or comma.
// It is rounded to two decimals.
func readDecimal(text string, most float64) (n float64, ok bool) {
	if strings.Trim(text, "0123456789.,") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	n = math.Round(n*100) / 100
	return n, err == nil && n > 0 && n <= most
}

// Sensor is the code of a sensor or film format: "full_frame".
type Sensor string

// SensorMedium stands for all medium format sensors, whatever their size.
const SensorMedium Sensor = "medium_format"

// newSensor returns the code of a format, given its name.
func newSensor(name string) Sensor { return Sensor(strings.ReplaceAll(models.Slug(name), "-", "_")) }

// sensorFormat is a sensor or film format of the catalogue.
type sensorFormat struct {
	name string // as in Gear.Format
	crop float64
}

// sensorFormats lists the formats of the catalogue, those that are asked for most first,
// with the crop factors that makers state: the diagonal of 24×36 mm divided by that of
// the picture.
var sensorFormats = [...]sensorFormat{
	{"Full frame", 1}, {"APS-C", 1.5}, {"Micro Four Thirds", 2}, {"Four Thirds", 2}, {"1-inch", 2.7}, {"APS-H", 1.3}, {"Super 35", 1.4}, {"1.5-inch", 1.85},
	{"44x33 medium format", 0.79}, {"45x30 medium format", 0.8}, {"48x36 medium format", 0.72},
	{"2/3-inch", 3.93}, {"1/1.6-inch", 4.35}, {"1/1.7-inch", 4.55}, {"1/1.8-inch", 4.84}, {"1/2-inch", 5.4}, {"1/2.3-inch", 5.6},
	{"1/2.5-inch", 6}, {"1/2.7-inch", 6.5}, {"1/3.2-inch", 7.6},
	{"35mm film", 1}, {"35mm half frame", 1.44}, {"6x4.5", 0.62}, {"6x6", 0.55}, {"6x7", 0.49}, {"6x8", 0.46}, {"6x9", 0.43},
	{"6x12", 0.35}, {"6x17", 0.24}, {"4x5", 0.28}, {"8x10", 0.14}, {"Minox 8x11", 3.18}, {"110 film", 2}, {"126 film", 1.09}, {"APS film", 1.25},
	{"Instax Mini", 0.56}, {"Instax Square", 0.49}, {"Instax Wide", 0.37}, {"SX-70 film", 0.39}, {"600 film", 0.39}, {"i-Type film", 0.39},
	{"Spectra film", 0.37}, {"Go film", 0.66}, {"Packfilm", 0.36},
}

// canonCrop is the crop factor of Canon's APS-C cameras.
const canonCrop = 1.6

// Sensor returns the format of the gear's sensor or film, or of the largest one that a
// lens covers. It is "" if unknown.
func (g *Gear) Sensor() Sensor { return newSensor(g.Format) }

// Covers reports whether a search for s finds gear with another format.
func (s Sensor) Covers(other Sensor) bool {
	return s == other || s == SensorMedium && strings.HasSuffix(string(other), "_"+string(SensorMedium))
}

// Label returns the display name: "Full frame".
func (s Sensor) Label() string {
	if s == SensorMedium {
		return "Medium format"
	}
	for _, format := range sensorFormats {
		if newSensor(format.name) == s {
			return format.name
		}
	}
	return string(s)
}

// Sensors lists the formats to choose from, those that are asked for most first.
var Sensors = func() (all []Sensor) {
	for _, format := range sensorFormats {
		if format.name == "44x33 medium format" {
			all = append(all, SensorMedium)
		}
		all = append(all, newSensor(format.name))
	}
	return all
}()

// sensorWords are other words for formats, without spaces and punctuation.
var sensorWords = map[string]Sensor{
	"ff": "full_frame", "fullframe": "full_frame", "fx": "full_frame", "24x36": "full_frame", "vollformat": "full_frame", "kleinbild": "full_frame",
	"apsc": "aps_c", "dx": "aps_c", "apsh": "aps_h",
	"mft": "micro_four_thirds", "m43": "micro_four_thirds", "m4/3": "micro_four_thirds", "microfourthirds": "micro_four_thirds",
	"43": "four_thirds", "4/3": "four_thirds",
	"1inch": "1_inch", "1\"": "1_inch", "type1": "1_inch",
	"mediumformat": SensorMedium, "mittelformat": SensorMedium, "645": "6x4_5", "halfframe": "35mm_half_frame", "apsfilm": "aps_film",
}

// ParseSensor returns the format that a text names, by its code, its name or another
// word for it, and whether there is one.
func ParseSensor(text string) (Sensor, bool) {
	if s := newSensor(text); slices.Contains(Sensors, s) {
		return s, true
	}
	word := strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-', '_':
			return -1
		}
		return r
	}, strings.ToLower(text))
	s, ok := sensorWords[word]
	return s, ok
}

// CropFactor returns the factor by which focal lengths on the gear's format are
// converted to full frame, or 0 if the format is unknown. That of a lens is of the
// format it was made for.
func (g *Gear) CropFactor() float64 {
	if g.Format == "APS-C" && g.Brand == "Canon" || g.Format == "APS-C" && g.onlyCanon() {
		return canonCrop
	}
	for _, format := range sensorFormats {
		if format.name == g.Format {
			return format.crop
		}
	}
	return 0
}

// onlyCanon reports whether all mounts of the gear are Canon's.
func (g *Gear) onlyCanon() bool {
	mounts := g.Mounts()
	return len(mounts) > 0 && !slices.ContainsFunc(mounts, func(mount string) bool { return !strings.HasPrefix(mount, "Canon ") })
}

// Equivalent returns the focal lengths of the gear converted to full frame, rounded to
// whole millimetres, or zeros if they are unknown.
func (g *Gear) Equivalent() (low, high float64) {
	crop := g.CropFactor()
	return math.Round(g.FocalMin * crop), math.Round(g.FocalMax * crop)
}
