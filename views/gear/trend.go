package gear

import (
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// Trend is the page of one gear: its specifications, its price trend and its
// listings for sale.
type Trend struct {
	Gear         string                      `json:"gear" jsonschema:"catalogue slug brand/model"`
	Name         string                      `json:"gear_name"`
	Brand        string                      `json:"brand"`
	Model        string                      `json:"model"`
	Aliases      []string                    `json:"aliases" jsonschema:"other names it is sold under"`
	Category     models.Category             `json:"category"`
	Specs        []ui.Spec                   `json:"specifications"`
	Sources      []FactSource                `json:"sources" jsonschema:"where the specifications are from"`
	Estimate     *priceviews.Estimate        `json:"estimate,omitempty" jsonschema:"the price: what it is likely to sell for now, in the condition or in the one that sells most; absent if too little is known"`
	Estimates    []priceviews.GradePrice     `json:"estimates" jsonschema:"the price by condition, best first; empty if too little is known"`
	Sold         priceviews.Sold             `json:"sold_for" jsonschema:"sold prices of the 12 months up to the last sale, all conditions"`
	Basis        string                      `json:"basis" jsonschema:"deprecated: of sold_for" enum:"sold"`
	Window       priceviews.Window           `json:"window" jsonschema:"deprecated: of sold_for"`
	Summary      priceviews.Stats            `json:"summary" jsonschema:"deprecated: in sold_for"`
	ByCondition  []priceviews.ConditionStats `json:"by_condition" jsonschema:"one row for every condition, best first"`
	Series       []priceviews.Month          `json:"series" jsonschema:"by month, oldest first; months without sales are absent"`
	Years        int                         `json:"years,omitempty" jsonschema:"years of the series; absent for all"`
	Grade        models.Condition            `json:"condition,omitempty" jsonschema:"condition of the sales in the series; absent for all"`
	Depreciation *priceviews.Depreciation    `json:"depreciation,omitempty" jsonschema:"change of prices over the years; absent if too little is known"`
	Change       priceviews.Change           `json:"trend"`
	Active       priceviews.Active           `json:"active" jsonschema:"current asking prices, separate from sales"`
	Confidence   string                      `json:"confidence" jsonschema:"deprecated: of sold_for" enum:"high,medium,low,insufficient_data"`
	Method       string                      `json:"method" jsonschema:"how the figures are calculated"`
	Counting     priceviews.Counting         `json:"counting" jsonschema:"which sales the figures count, and where they come from"`
	Photo        *ui.Photo                   `json:"photo,omitempty" jsonschema:"the best photo of a listing for sale, else one taken with it"`
	Fits         *Fits                       `json:"fits,omitempty" jsonschema:"lenses that fit the camera, or cameras that the lens fits; absent if the lens is fixed"`
	Listings     []ui.Card                   `json:"listings" jsonschema:"listings for sale, in the condition if one is given, best deals first, at most 8"`
	Photos       []portfolioviews.PhotoCard  `json:"photos" jsonschema:"photos of the portfolio taken with it, at most 6"`
	Links        []ui.Link                   `json:"links"`
	ui.Ref
	Demo    bool               `json:"demo,omitempty"`
	Notice  string             `json:"notice,omitempty"`
	medians []float64          // by month, for the preview image
	overall []priceviews.Month // all conditions, if the series is of one
	forSale []ui.Card          // marks of the price range
	inGrade int                // number of listings for sale in Grade
	months  int                // from the first month with sales to the last
	highest models.Cents       // asking price, 0 if not known
	site    *ui.Site
}

// FactSource is where specifications of a gear are from.
type FactSource struct {
	Source  string     `json:"source" jsonschema:"a version of a database, an address, or general knowledge"`
	Checked models.Day `json:"checked,omitempty" jsonschema:"day on which the values were compared with the source; absent if they weren't"`
	Names   []string   `json:"names" jsonschema:"names of the specifications"`
}

// TrendBrief is the price trend on the page of a listing.
type TrendBrief struct {
	ui.Ref
	Window    priceviews.Window `json:"window" jsonschema:"the period of these figures"`
	Summary   priceviews.Stats  `json:"summary" jsonschema:"sold in all conditions"`
	Condition priceviews.Stats  `json:"condition" jsonschema:"sold in this condition"`
	Change90  *float64          `json:"change_90d"`
}

// TrendParts holds what the page of one gear is made of.
type TrendParts struct {
	Gear  *catalog.Gear
	Trend *prices.Trend // nil without sales
	// Number of listings for sale with their lowest, average and highest asking price, 0 without listings.
	Active                   int
	Lowest, Average, Highest models.Cents
	Listings                 []ui.Card // for sale now in Grade, best deals first
	InGrade                  int       // number of listings for sale in Grade
	Photos                   []portfolioviews.PhotoCard
	Fits                     []catalog.Fitting
	Popularity               func(slug string) int // ranks what fits
	Estimate                 *prices.Estimate      // nil if nothing can be said
	Grades                   []*prices.Estimate    // of all conditions, best first
	Recent                   []models.Sale         // the last sales, newest first
	Index                    *prices.PriceIndex    // nil if there is none

	// What the series shows: the last Years, 0 for all, and the Months of one Grade, "" for all.
	Years  int
	Grade  models.Condition
	Months []prices.TrendMonth
}
