// Package pricing estimates what used gear sells for from its sales. It is pure
// and deterministic: the same gear and sales always give the same estimates.
//
// The logarithm of a price is the level of the gear, which drifts in time, plus
// the effect of the grade, the season and noise. Gear with few sales borrows
// from its kind, and from gear with a similar name, brand, optics and age.
// docs/price-method.md describes the method, its sources and its accuracy.
package pricing

import "math"

// Grades is the number of grades. Grade 0 is the best.
const Grades = 7

// reference is the grade that levels refer to, "excellent".
const reference = 2

// Gear describes a camera or lens model. Zero means unknown.
type Gear struct {
	Slug   string // identifies the gear
	Name   string // without the brand: "EOS R6 Mark II"
	Brand  string
	Kind   string // what it shares its depreciation with: "mirrorless"
	Family string // what it may be compared with, if it hasn't sold: "camera"

	Mount              string  // several are separated by commas
	Format             string  // of the sensor or film
	FocalMin, FocalMax float64 // millimetres
	Aperture           float64 // f-number
	Year               int     // of the launch
	LaunchPrice        float64 // in any unit that all gear shares
	Successor          string  // slug

	replaced int // day since which the successor sells, 0 for none or unknown
}

// Sale is a sale that counts. See models.NewTrend for the rules.
type Sale struct {
	Gear          string // slug
	Grade         int    // 0 to Grades-1
	Day           int    // days since 1 January 1970 UTC
	Price         int64  // minor units of the main currency
	Seller, Buyer string // members, or "" if the operators vouch for the sale

	// Traits are what else is known to change a price: where it was sold, what does not work,
	// what was included. Estimates are for gear without known traits.
	Traits []string
}

// valid reports whether a sale can be used.
func (s *Sale) valid() bool {
	return s.Grade >= 0 && s.Grade < Grades && s.Price > 0 && s.Day > -maxDay && s.Day < maxDay
}

// maxDay bounds days to 1,000 years around 1970, so that no sum overflows.
const maxDay = 365_250

// Range is a range of prices in minor units.
type Range struct{ Low, High int64 }

// Estimate states what gear sells for on a day.
type Estimate struct {
	Price   int64 // the point estimate, in minor units
	Half    Range // holds half of the sales
	Most    Range // holds 80 % of the sales
	Quick   int64 // sells quickly: a quarter of the sales are below
	Patient int64 // takes patience: a quarter of the sales are above

	Direction Direction // of the next 6 months

	Sales     int // of the gear, in all grades
	SameGrade int // of them in the grade
	FirstDay  int // of the gear's sales, 0 without any
	LastDay   int
	Borrowed  float64 // share of the level that comes from similar gear, 0 to 1
}

// Direction is the expected change of a price in the next 6 months: −0.05 is 5 %
// down. Low and High are the ends of an 80 % range.
type Direction struct{ Change, Low, High float64 }

// daysPerYear converts days to years.
const daysPerYear = 365.25

// age returns the years from the middle of the year of launch to a day, and false
// if the year is unknown.
func (g *Gear) age(day int) (float64, bool) {
	if g.Year < 1800 || g.Year > 2500 {
		return 0, false
	}
	return max(0, float64(day)/daysPerYear-(float64(g.Year)-1969.5)), true
}

// cents rounds the exponential of a logarithm to minor units, within what fits.
func cents(log float64) int64 {
	return int64(math.Round(math.Exp(min(max(log, 0), 41))))
}
