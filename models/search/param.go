package search

import (
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// GearFilter restricts a search to gear with certain specifications, or that fits a
// camera or lens. Gear whose
// specification is unknown does not match. A lens or a camera with a fixed lens matches
// a range of focal lengths if it can be set to one of them: a zoom whose own range
// overlaps it, so that from 200 mm finds every lens that reaches 200 mm.
type GearFilter struct {
	FocalMin      catalog.Focal   `json:"focal_min,omitempty" jsonschema:"lenses whose longest focal length is at least this, in mm" example:"70"`
	FocalMax      catalog.Focal   `json:"focal_max,omitempty" jsonschema:"lenses whose shortest focal length is at most this, in mm" example:"200"`
	EquivalentMin catalog.Focal   `json:"equivalent_min,omitempty" jsonschema:"focal_min converted to full frame" example:"24"`
	EquivalentMax catalog.Focal   `json:"equivalent_max,omitempty" jsonschema:"focal_max converted to full frame" example:"35"`
	ApertureMax   catalog.FNumber `json:"aperture_max,omitempty" jsonschema:"f-number wide open, at most" example:"2.8"`
	Sensor        catalog.Sensor  `json:"sensor,omitempty" jsonschema:"sensor or film format: full_frame, aps_c, micro_four_thirds, 35mm_film; of a lens, the largest it covers" example:"full_frame"`
	Fits          string          `json:"fits,omitempty" jsonschema:"gear compatible with this model, natively or with an adapter, including lenses that crop" example:"canon/eos-r6"`
	ReleasedMin   int             `json:"released_min,omitempty" jsonschema:"earliest release year" min:"1800" max:"2100" example:"2018"`
}

// Filter restricts a search. The zero value has no restrictions. A listing must meet
// all restrictions, and match one of the values of those with several. No listing
// matches an unknown value.
//
// The struct tags describe each field as an input parameter. Every field needs an
// entry in Params, and one of a number that few listings have a row of rare.
type Filter struct {
	Keyword    string              `json:"keyword,omitempty" jsonschema:"model, nickname or words of a listing" maxlength:"200" example:"r6 mk ii"`
	Category   models.Kind         `json:"category,omitempty" jsonschema:"a category, or camera or lens for the family" enum:"camera,lens,mirrorless,dslr,rangefinder,film_slr,medium_format,large_format,compact,instant,action_cam,lens_prime,lens_zoom,lens_macro,lens_fisheye,accessory,other" example:"camera"`
	Brands     []string            `json:"brand,omitempty" jsonschema:"brand by any common name, or several" example:"canon"`
	Model      string              `json:"model,omitempty" jsonschema:"one model by any common name, or its slug" example:"canon/eos-r6"`
	Mount      string              `json:"mount,omitempty" jsonschema:"lens mount by any common name" example:"Canon RF"`
	Conditions []models.Condition  `json:"condition,omitempty" jsonschema:"grade, or several" example:"excellent"`
	Functional []models.Functional `json:"functional,omitempty" jsonschema:"working state, or several" example:"fully_working"`
	Defects    []models.Defect     `json:"defects,omitempty" jsonschema:"a defect that the item has, or several, of which it has one" example:"brassing"`
	// WithoutDefects are defects of which the item has none, as far as the seller says.
	WithoutDefects []models.Defect `json:"without_defects,omitempty" jsonschema:"defects that the item must not have" example:"fungus"`
	// Deal is BelowRange or "": the asking price is less than the low end of the range of the
	// estimate of the gear in its condition. Listings without such a range don't match.
	Deal    prices.Verdict  `json:"deal,omitempty" jsonschema:"below: asking price under the 80% range" enum:"below" example:"below"`
	Regions []models.Region `json:"region,omitempty" jsonschema:"country by name or code (DE), subdivision (US-CA), or EU, or several" maxvalues:"20" example:"DE"`
	Seller  string          `json:"seller,omitempty" jsonschema:"handle of a seller"`
	GearFilter
	ShutterMax int   `json:"shutter_max,omitempty" jsonschema:"shutter count at most, if known" min:"1" max:"10000000" example:"50000"`
	Demo       *bool `json:"demo,omitempty" jsonschema:"true: only demonstration data; false: none" example:"false"`
}

// Params lists the parameters of a search in the order of its URL. Cursors, URLs, forms,
// JSON and the arguments of the tool are derived from it.
//
// The index matches specifications of gear by shape.admits, properties with few values by a
// row of dimensions, and numbers that few listings have by a row of rare.
var Params = [...]Param{
	{Name: "keyword", Label: "Keyword", field: keyword{}},
	{Name: "category", Label: "Category", Argument: "camera, lens: family", field: one(func(q *Query) *models.Kind { return &q.Category }), Facet: func(f *Facets) *[]Count { return &f.Category }},
	{Name: "brand", Label: "Brand", field: many(func(q *Query) *[]string { return &q.Brands }, nil), Facet: func(f *Facets) *[]Count { return &f.Brand }},
	{Name: "model", Label: "Model", Argument: "any name", field: one(func(q *Query) *string { return &q.Model })},
	{Name: "mount", Label: "Mount", field: one(func(q *Query) *string { return &q.Mount }), Facet: func(f *Facets) *[]Count { return &f.Mount }},
	{Name: "condition", Label: "Condition", field: many(func(q *Query) *[]models.Condition { return &q.Conditions }, models.Conditions), Facet: func(f *Facets) *[]Count { return &f.Condition }},
	{Name: "functional", Label: "Working order", field: many(func(q *Query) *[]models.Functional { return &q.Functional }, models.Functionals), Facet: func(f *Facets) *[]Count { return &f.Functional }},
	{Name: "defects", Label: "Defects", Argument: "one of", field: many(func(q *Query) *[]models.Defect { return &q.Defects }, models.Defects), Facet: func(f *Facets) *[]Count { return &f.Defects }},
	{Name: "without_defects", Label: "Without defects", Argument: "none of", field: many(func(q *Query) *[]models.Defect { return &q.WithoutDefects }, models.Defects), Facet: func(f *Facets) *[]Count { return &f.WithoutDefects }},
	{Name: Budget, Label: "Price", Argument: "-800, 500-800, 500-", field: budget{}},
	{Name: "deal", Label: "Deal", Argument: "below its fair range", field: one(func(q *Query) *prices.Verdict { return &q.Deal })},
	{Name: "region", Label: "Region", Argument: "DE, US-CA, EU", field: many(func(q *Query) *[]models.Region { return &q.Regions }, nil), Facet: func(f *Facets) *[]Count { return &f.Region }, Replaces: overlap},
	{Name: "seller", Label: "Seller", field: one(func(q *Query) *string { return &q.Seller })},
	{Name: "focal_min", Label: "Focal length from", field: numeric("%s mm and longer", func(q *Query) *catalog.Focal { return &q.FocalMin }),
		Control: &Control{Group: "Focal length", Label: "From", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "focal_max", Label: "Focal length to", field: numeric("up to %s mm", func(q *Query) *catalog.Focal { return &q.FocalMax }),
		Control: &Control{Group: "Focal length", Label: "To", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "equivalent_min", Label: "Full-frame equivalent from", field: numeric("equivalent to %s mm and longer", func(q *Query) *catalog.Focal { return &q.EquivalentMin }),
		Control: &Control{Group: "Full-frame equivalent", Label: "From", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "equivalent_max", Label: "Full-frame equivalent to", field: numeric("equivalent to %s mm at most", func(q *Query) *catalog.Focal { return &q.EquivalentMax }),
		Control: &Control{Group: "Full-frame equivalent", Label: "To", Unit: "mm", Min: "1", Step: "any"}},
	{Name: "aperture_max", Label: "Aperture", Argument: "f-number", field: numeric("f/%s or faster", func(q *Query) *catalog.FNumber { return &q.ApertureMax }),
		Control: &Control{Group: "Maximum aperture", Label: "Maximum aperture (at least)", Before: "f/", Min: "0.5", Step: "any"}},
	{Name: "sensor", Label: "Format", field: one(func(q *Query) *catalog.Sensor { return &q.Sensor }),
		Control: &Control{Group: "Format", Label: "Format", Hidden: true, Options: sensorOptions()}},
	{Name: "fits", Label: "Compatibility", Argument: "gear", field: one(func(q *Query) *string { return &q.Fits }),
		Control: &Control{Group: "Camera or lens", Label: "Fits my camera or lens", Hidden: true, Gear: true}},
	{Name: "released_min", Label: "Year released", field: numeric("released %s or later", func(q *Query) *int { return &q.ReleasedMin }),
		Control: &Control{Group: "Year released", Label: "From", Min: "1839", Step: "1"}},
	{Name: "shutter_max", Label: "Shutter count", field: numeric("at most %s shutter actuations", func(q *Query) *int { return &q.ShutterMax }),
		Control: &Control{Group: "Shutter count", Label: "Up to", Unit: "shots", Min: "1", Step: "1"}},
	{Name: "demo", Label: "Demonstration", field: choice{func(q *Query) **bool { return &q.Demo }, "demo data only", "no demo data"}},
	{Name: "currency", field: one(func(q *Query) *string { return &q.Currency })},
	{Name: "ship_to", Argument: "country", field: many(func(q *Query) *[]models.Region { return &q.ShipTo }, nil)},
	{Name: "sort", field: order{}},
	{Name: "limit", field: limit{}},
}

// rare lists the columns of the numbers that few listings have, with the filters on them.
var rare = [...]rareColumn{
	{func(l *models.Listing) uint32 { return clamp32(l.Shutter) }, func(q *Query) (low, high uint32) { return upTo(q.ShutterMax) }},
}

// Budget is the name of the parameter for Query.Min and Query.Max.
const Budget = "budget"

// Param describes a parameter of a search: the fields of Query it sets and how its
// values are written.
type Param struct {
	Name  string // in URLs and JSON
	Label string // displayed name; "" if it does not restrict the search

	// Argument describes the parameter in the list of tools, "" if its name says enough.
	Argument string

	// Control is the parameter's control in the form for specifications. It is nil for
	// parameters with a facet or a form of their own.
	Control *Control

	// Facet returns the counts of the parameter's values in a result. It is nil for
	// parameters without a facet, and for the budget, whose facet is Facets.Price.
	Facet func(*Facets) *[]Count

	// Replaces reports whether a value that is chosen takes the place of another one, so that a
	// country is narrowed to a subdivision. It is nil if values are added.
	Replaces func(value, other string) bool

	field
}

// overlap reports whether one of two regions is in the other.
func overlap(a, b string) bool {
	return models.Region(a).Covers(models.Region(b)) || models.Region(b).Covers(models.Region(a))
}

// Control describes a control of a form: a selection if it has options, the name of gear
// or a number.
type Control struct {
	Group   string // heading; adjacent parameters share one
	Label   string
	Hidden  bool     // the label is for screen readers, because the heading says the same
	Options []Option // of a selection, the default first
	Gear    bool     // gear, whose slug is displayed as its name

	// Before and Unit are written before and after a number. Min and Step are its
	// attributes.
	Before, Unit, Min, Step string
}

// Option is a value of a selection.
type Option struct{ Value, Label string }

// sensorOptions returns the sensor and film formats to choose from.
func sensorOptions() []Option {
	options := []Option{{"", "Any"}}
	for _, s := range catalog.Sensors {
		options = append(options, Option{string(s), s.Label()})
	}
	return options
}

// ParamIndex returns the index in Params of the parameter with a name, or -1.
func ParamIndex(name string) int {
	return slices.IndexFunc(Params[:], func(p Param) bool { return p.Name == name })
}

// Without returns a copy of q without the i-th value of the parameter.
func (p *Param) Without(q Query, i int) Query {
	p.Remove(&q, i)
	return q
}
