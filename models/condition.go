package models

import "slices"

// Condition is the cosmetic grade of an item. Functional says whether it works.
type Condition string

// The grades, best first. The guide /guides/condition-grades maps them to those
// of MPB, KEH, eBay and Reverb.
const (
	ConditionNew         Condition = "new"
	ConditionLikeNew     Condition = "like_new"
	ConditionExcellent   Condition = "excellent"
	ConditionGood        Condition = "good"
	ConditionWellUsed    Condition = "well_used"
	ConditionHeavilyUsed Condition = "heavily_used"
	ConditionFaulty      Condition = "faulty"
)

// Conditions lists all grades, best first.
var Conditions = []Condition{
	ConditionNew, ConditionLikeNew, ConditionExcellent, ConditionGood,
	ConditionWellUsed, ConditionHeavilyUsed, ConditionFaulty,
}

type conditionFacts struct {
	rank                   int
	label, meaning, schema string
}

var conditions = map[Condition]conditionFacts{
	ConditionNew:         {7, "New", "Unused, in original packaging.", "https://schema.org/NewCondition"},
	ConditionLikeNew:     {6, "Like new", "Barely used. No marks unless you go looking for them.", "https://schema.org/UsedCondition"},
	ConditionExcellent:   {5, "Excellent", "Light wear, such as a faint mark on the baseplate.", "https://schema.org/UsedCondition"},
	ConditionGood:        {4, "Good", "Visible wear: small scuffs, some shine on the grip.", "https://schema.org/UsedCondition"},
	ConditionWellUsed:    {3, "Well used", "Heavy cosmetic wear, such as paint loss or worn rubber. Works as it should.", "https://schema.org/UsedCondition"},
	ConditionHeavilyUsed: {2, "Heavily used", "Dents, missing covers or deep wear. One to use, not to admire.", "https://schema.org/UsedCondition"},
	ConditionFaulty:      {1, "Faulty", "Has a fault that affects use. For spares or repair.", "https://schema.org/DamagedCondition"},
}

// Valid reports whether c is in Conditions.
func (c Condition) Valid() bool { _, ok := conditions[c]; return ok }

// Rank returns 7 for new down to 1 for faulty, and 0 for an invalid grade.
func (c Condition) Rank() int { return conditions[c].rank }

// Near returns the grade with those one step better and worse, best first.
func (c Condition) Near() []Condition {
	i := slices.Index(Conditions, c)
	if i < 0 {
		return nil
	}
	return Conditions[max(i-1, 0):min(i+2, len(Conditions))]
}

// Label returns the display name: "Like new".
func (c Condition) Label() string { return conditions[c].label }

// Meaning returns a one-sentence description.
func (c Condition) Meaning() string { return conditions[c].meaning }

// SchemaOrg returns the schema.org OfferItemCondition of the grade.
func (c Condition) SchemaOrg() string { return conditions[c].schema }

// Functional says whether an item works, regardless of its looks.
type Functional string

// The values of Functional.
const (
	FullyWorking Functional = "fully_working"
	MinorFault   Functional = "minor_fault"
	NotWorking   Functional = "not_working"
	Untested     Functional = "untested"
)

// Functionals lists all values of Functional, best first.
var Functionals = []Functional{FullyWorking, MinorFault, NotWorking, Untested}

var functionalLabels = map[Functional]string{
	FullyWorking: "Fully working", MinorFault: "Minor fault",
	NotWorking: "Not working", Untested: "Untested",
}

// Valid reports whether f is in Functionals.
func (f Functional) Valid() bool { _, ok := functionalLabels[f]; return ok }

// Label returns the display name: "Fully working".
func (f Functional) Label() string { return functionalLabels[f] }

// Defect is a known flaw of an item.
type Defect string

// Defects lists all defects a listing can disclose.
var Defects = []Defect{
	"fungus", "haze", "dust", "oil", "scratches", "balsam_separation", "coating_marks",
	"sticky_shutter", "slow_aperture", "light_seals", "dead_pixels", "sensor_marks",
	"dents", "brassing", "sticky_rubber", "loose_mount", "battery_door", "screen_scratches", "meter_fault",
}

var defectLabels = map[Defect]string{
	"fungus": "Fungus", "haze": "Haze", "dust": "Internal dust", "oil": "Oil on aperture blades", "scratches": "Scratches on glass",
	"balsam_separation": "Element separation", "coating_marks": "Coating marks", "sticky_shutter": "Sticky shutter",
	"slow_aperture": "Slow aperture blades", "light_seals": "Light seals need replacing", "dead_pixels": "Dead pixels",
	"sensor_marks": "Sensor marks", "dents": "Dents", "brassing": "Brassing (paint worn to metal)", "sticky_rubber": "Sticky rubber",
	"loose_mount": "Loose mount", "battery_door": "Damaged battery door", "screen_scratches": "Scratched screen",
	"meter_fault": "Light meter inaccurate",
}

// Valid reports whether d is in Defects.
func (d Defect) Valid() bool { _, ok := defectLabels[d]; return ok }

// Parts that items of a category have, and that defects are of.
const (
	partGlass  = 1 << iota // a lens, built in or not
	partSensor             // a digital sensor and a screen
	partFilm               // a film back or chamber, and a meter with a needle
	partBody               // a camera with a shutter and a battery
	partMount              // a lens mount
	partFinder             // an optical viewfinder
	anyPart    = -1
)

var categoryParts = map[Category]int{
	"mirrorless": partBody | partSensor | partMount, "dslr": partBody | partSensor | partMount,
	"rangefinder": partBody | partSensor | partFilm | partMount | partFinder, "film_slr": partBody | partFilm | partMount | partFinder,
	"medium_format": anyPart, "large_format": partBody | partFilm | partMount | partGlass,
	"compact": partBody | partSensor | partFilm | partGlass | partFinder, "instant": partBody | partFilm | partGlass | partFinder, "action_cam": partBody | partSensor | partGlass,
	"lens_prime": partGlass | partMount, "lens_zoom": partGlass | partMount, "lens_macro": partGlass | partMount, "lens_fisheye": partGlass | partMount,
}

var defectParts = map[Defect]int{
	"fungus": partGlass, "haze": partGlass | partFinder, "dust": partGlass | partFinder, "oil": partGlass, "scratches": partGlass, "balsam_separation": partGlass,
	"coating_marks": partGlass, "sticky_shutter": partBody, "slow_aperture": partGlass, "light_seals": partFilm, "dead_pixels": partSensor, "sensor_marks": partSensor,
	"dents": anyPart, "brassing": anyPart, "sticky_rubber": anyPart, "loose_mount": partMount, "battery_door": partBody, "screen_scratches": partSensor, "meter_fault": partFilm,
}

// DefectsOf returns the defects that an item of a category can have; all for a category
// without parts of its own, such as accessories.
func DefectsOf(c Category) []Defect {
	parts, known := categoryParts[c]
	if !known {
		return Defects
	}
	var possible []Defect
	for _, d := range Defects {
		if defectParts[d]&parts != 0 {
			possible = append(possible, d)
		}
	}
	return possible
}

// Label returns the display name: "Oil on aperture blades".
func (d Defect) Label() string { return defectLabels[d] }
