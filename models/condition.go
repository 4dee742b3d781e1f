package models

// Condition is the grade of an item's looks and wear. Whether it works is said
// apart, by Functional.
type Condition string

// The grades, best first. The guide /guides/condition-grades maps them to the
// scales of MPB, KEH, eBay and Reverb.
const (
	ConditionNew         Condition = "new"
	ConditionLikeNew     Condition = "like_new"
	ConditionExcellent   Condition = "excellent"
	ConditionGood        Condition = "good"
	ConditionWellUsed    Condition = "well_used"
	ConditionHeavilyUsed Condition = "heavily_used"
	ConditionFaulty      Condition = "faulty"
)

// Conditions lists every grade, best first.
var Conditions = []Condition{
	ConditionNew, ConditionLikeNew, ConditionExcellent, ConditionGood,
	ConditionWellUsed, ConditionHeavilyUsed, ConditionFaulty,
}

type conditionFacts struct {
	rank                   int
	label, meaning, schema string
}

var conditions = map[Condition]conditionFacts{
	ConditionNew:         {7, "New", "Unused, in its original packaging.", "https://schema.org/NewCondition"},
	ConditionLikeNew:     {6, "Like new", "Used a little; no mark you would find without looking for it.", "https://schema.org/UsedCondition"},
	ConditionExcellent:   {5, "Excellent", "Light signs of use, such as a faint mark on the baseplate.", "https://schema.org/UsedCondition"},
	ConditionGood:        {4, "Good", "Clear signs of use: small scuffs, some shine on the grip.", "https://schema.org/UsedCondition"},
	ConditionWellUsed:    {3, "Well used", "Heavy cosmetic wear: paint loss, worn rubber; works as it should.", "https://schema.org/UsedCondition"},
	ConditionHeavilyUsed: {2, "Heavily used", "Dents, missing covers or deep wear; bought for use, not for looks.", "https://schema.org/UsedCondition"},
	ConditionFaulty:      {1, "Faulty", "Has a fault that affects use; for repair or parts.", "https://schema.org/DamagedCondition"},
}

// Valid reports whether c is one of Conditions.
func (c Condition) Valid() bool { _, ok := conditions[c]; return ok }

// Rank is 7 for new down to 1 for faulty, 0 for a code that does not exist.
func (c Condition) Rank() int { return conditions[c].rank }

// Label is the grade in words: "Like new".
func (c Condition) Label() string { return conditions[c].label }

// Meaning is one sentence a shopper can check an item against.
func (c Condition) Meaning() string { return conditions[c].meaning }

// SchemaOrg is the schema.org OfferItemCondition the grade maps to.
func (c Condition) SchemaOrg() string { return conditions[c].schema }

// Functional says whether an item works, whatever it looks like.
type Functional string

// Every value of Functional.
const (
	FullyWorking Functional = "fully_working"
	MinorFault   Functional = "minor_fault"
	NotWorking   Functional = "not_working"
	Untested     Functional = "untested"
)

// Functionals lists every value of Functional, best first.
var Functionals = []Functional{FullyWorking, MinorFault, NotWorking, Untested}

var functionalLabels = map[Functional]string{
	FullyWorking: "Fully working", MinorFault: "Minor fault",
	NotWorking: "Not working", Untested: "Untested",
}

// Valid reports whether f is one of Functionals.
func (f Functional) Valid() bool { _, ok := functionalLabels[f]; return ok }

// Label is the value in words: "Fully working".
func (f Functional) Label() string { return functionalLabels[f] }

// Defect is one named flaw of an item.
type Defect string

// Defects lists every flaw a listing can name.
var Defects = []Defect{
	"fungus", "haze", "dust", "oil", "scratches", "balsam_separation", "coating_marks",
	"sticky_shutter", "slow_aperture", "light_seals", "dead_pixels", "sensor_marks",
	"dents", "brassing", "sticky_rubber", "loose_mount", "battery_door", "screen_scratches", "meter_fault",
}

var defectLabels = map[Defect]string{
	"fungus": "Fungus", "haze": "Haze", "dust": "Internal dust", "oil": "Oil on the blades", "scratches": "Scratches on glass",
	"balsam_separation": "Balsam separation", "coating_marks": "Coating marks", "sticky_shutter": "Sticky shutter",
	"slow_aperture": "Slow aperture", "light_seals": "Light seals need replacing", "dead_pixels": "Dead pixels",
	"sensor_marks": "Marks on the sensor", "dents": "Dents", "brassing": "Brassing", "sticky_rubber": "Sticky rubber",
	"loose_mount": "Loose mount", "battery_door": "Damaged battery door", "screen_scratches": "Scratched screen",
	"meter_fault": "Meter is off",
}

// Valid reports whether d is one of Defects.
func (d Defect) Valid() bool { _, ok := defectLabels[d]; return ok }

// Label is the flaw in words: "Oil on the blades".
func (d Defect) Label() string { return defectLabels[d] }
