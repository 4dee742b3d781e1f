package views

import "github.com/secondlight/secondlight/models"

// GearIndex is the page of all brands, or of one brand's gear, or of a search
// in the catalogue.
type GearIndex struct {
	Brand      string      `json:"brand,omitempty" jsonschema:"the brand's name when the page is of one brand"`
	BrandSlug  string      `json:"brand_slug,omitempty"`
	Keyword    string      `json:"keyword,omitempty"`
	Total      int         `json:"total" jsonschema:"number of gear in the catalogue, or of this brand, or found"`
	Brands     []BrandCard `json:"brands" jsonschema:"every brand; empty on the page of one brand"`
	Gear       []GearCard  `json:"gear"`
	NextCursor string      `json:"next_cursor,omitempty"`
	Links      []Link      `json:"links"`
	Notice     string      `json:"notice,omitempty"`
	site       *Site
}

// BrandCard is a brand as the index shows it.
type BrandCard struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Gear    int    `json:"gear" jsonschema:"models in the catalogue"`
	ForSale int    `json:"for_sale" jsonschema:"listings for sale now"`
	URL     string `json:"url"`
}

// GearCard is gear as lists show it.
type GearCard struct {
	Slug     string          `json:"gear" jsonschema:"catalogue slug brand/model"`
	Name     string          `json:"name"`
	URL      string          `json:"url"`
	Category models.Category `json:"category"`
	Mount    string          `json:"mount,omitempty"`
	Year     int             `json:"year,omitempty" jsonschema:"year of introduction"`
	ForSale  int             `json:"for_sale" jsonschema:"listings for sale now"`
	Lowest   *models.Money   `json:"lowest,omitempty" jsonschema:"lowest asking price now"`
	Median   *models.Money   `json:"median,omitempty" jsonschema:"median of the sales of 12 months; absent with fewer than 5"`
	Sales    int             `json:"sales" jsonschema:"sales of 12 months"`
}

// Trend is the page of one gear: what it is, what it sells for, what is for sale.
type Trend struct {
	Gear        string           `json:"gear" jsonschema:"catalogue slug brand/model"`
	Name        string           `json:"name"`
	Brand       string           `json:"brand"`
	Model       string           `json:"model"`
	Aliases     []string         `json:"aliases" jsonschema:"other names it is sold under"`
	Category    models.Category  `json:"category"`
	Specs       []Spec           `json:"specifications"`
	Basis       string           `json:"basis" jsonschema:"always sold: made of completed sales, never of asking prices"`
	Window      Window           `json:"window"`
	Summary     Stats            `json:"summary"`
	ByCondition []ConditionStats `json:"by_condition" jsonschema:"one row for every condition, best first"`
	Series      []Month          `json:"series" jsonschema:"by month, oldest first; months without sales are absent"`
	Change      Change           `json:"trend"`
	Active      Active           `json:"active" jsonschema:"asking prices now, kept apart from sales"`
	Confidence  string           `json:"confidence" jsonschema:"high from 30 sales in the window, medium from 12, low from 5, insufficient_data below"`
	Method      string           `json:"method" jsonschema:"how the figures are made"`
	Listings    []Card           `json:"listings" jsonschema:"for sale now, best deals first, at most 12"`
	Links       []Link           `json:"links"`
	URL         string           `json:"url"`
	Demo        bool             `json:"demo,omitempty"`
	Notice      string           `json:"notice,omitempty"`
	site        *Site
}

// InsufficientData is what a figure says when there are fewer than five sales.
const InsufficientData = "insufficient_data"

// Window is the time the summary covers.
type Window struct {
	From string `json:"from" jsonschema:"day, ISO 8601; empty without sales"`
	To   string `json:"to"`
	Text string `json:"text" jsonschema:"the same in words"`
}

// Stats are the figures of a set of sales. Status is ok or insufficient_data;
// without enough sales only sample_size and last_sold_at are there.
type Stats struct {
	Status     string        `json:"status" jsonschema:"ok, or insufficient_data under five sales"`
	Average    *models.Money `json:"average,omitempty"`
	Median     *models.Money `json:"median,omitempty"`
	Low        *models.Money `json:"low,omitempty"`
	High       *models.Money `json:"high,omitempty"`
	P25        *models.Money `json:"p25,omitempty"`
	P75        *models.Money `json:"p75,omitempty"`
	SampleSize int           `json:"sample_size"`
	LastSoldAt string        `json:"last_sold_at,omitempty"`
}

// ConditionStats are the figures of one condition.
type ConditionStats struct {
	Condition models.Condition `json:"condition"`
	Label     string           `json:"label"`
	Stats
}

// Month is one month of a series. With fewer than five sales the month states
// its count and status alone.
type Month struct {
	Period  string        `json:"period" jsonschema:"month, such as 2026-11"`
	Status  string        `json:"status" jsonschema:"ok, or insufficient_data under five sales"`
	Average *models.Money `json:"average,omitempty"`
	Median  *models.Money `json:"median,omitempty"`
	P25     *models.Money `json:"p25,omitempty"`
	P75     *models.Money `json:"p75,omitempty"`
	Count   int           `json:"count"`
}

// Change is where the median goes. A change is in percent with one decimal, or
// null when there are too few sales on either side.
type Change struct {
	Direction string   `json:"direction" jsonschema:"rising, falling, steady (within 3 % over 90 days) or insufficient_data"`
	Days30    *float64 `json:"change_30d" jsonschema:"percent"`
	Days90    *float64 `json:"change_90d" jsonschema:"percent"`
	Months12  *float64 `json:"change_12m" jsonschema:"percent"`
}

// Active is what is asked for now.
type Active struct {
	Count   int           `json:"count"`
	Lowest  *models.Money `json:"lowest,omitempty"`
	Average *models.Money `json:"average,omitempty"`
}

// TrendBrief is a trend in one line, for a listing's page.
type TrendBrief struct {
	URL       string   `json:"url"`
	Summary   Stats    `json:"summary" jsonschema:"all conditions, 12 months"`
	Condition Stats    `json:"condition" jsonschema:"this condition, 12 months"`
	Change90  *float64 `json:"change_90d"`
}
