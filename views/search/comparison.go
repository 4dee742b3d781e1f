package search

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// Comparison compares models or listings side by side.
type Comparison struct {
	ui.Ref
	Models         []ComparedModel              `json:"gear" jsonschema:"the compared models, in the order of the request; empty if listings are compared"`
	Listings       []ComparedListing            `json:"listings" jsonschema:"the compared listings, in the order of the request; empty if models are compared"`
	To             models.Region                `json:"ship_to,omitempty" jsonschema:"country that postage_to is for; absent if it is unknown"`
	Specifications []ComparedSpec               `json:"specifications" jsonschema:"specifications known for at least one of the models, or for the gear of one of the listings"`
	Unresolved     []*priceviews.UnresolvedGear `json:"unresolved,omitempty" jsonschema:"names that do not say which gear is meant; only on the page"`
	Warnings       []string                     `json:"warnings,omitempty" jsonschema:"what was left out; only on the page"`
	Text           string                       `json:"text"`
	Links          []ui.Link                    `json:"links"`
	Notice         string                       `json:"notice,omitempty"`
	Missing        []string                     `json:"-"` // ids of listings that are not public
	omitted        int                          // models or listings
	ofListings     bool
	site           *ui.Site
}

// ComparedSpec is a specification of the compared models or listings.
type ComparedSpec struct {
	Name    string   `json:"name"`
	Values  []string `json:"values" jsonschema:"value of each model or listing, in their order; empty if unknown"`
	Differs bool     `json:"differs" jsonschema:"true if the values differ"`
}

// comparedGroup is a group of rows under a heading.
type comparedGroup struct {
	Heading string
	Rows    []comparedRow
}

// comparedRow is a row of the table: a heading and a cell for each column.
type comparedRow struct {
	Name    string
	Cells   []comparedCell
	Differs bool
}

// comparedCell is a text with, optionally, the path it links to and its CSS class.
type comparedCell struct{ Text, Href, Class string }

// comparedColumn is the heading of a column.
type comparedColumn struct {
	ui.Link
	Photo *ui.Photo
	About string // distinguishes columns with the same label
	Rest  string // path of the page without the column
}

// addRow adds a row with a text for each column, unless all are empty.
func addRow[T any](g *comparedGroup, name string, columns []T, text func(*T) string) {
	addCells(g, name, columns, func(column *T) comparedCell { return comparedCell{Text: text(column)} })
}

// addCells adds a row with a cell for each column, unless all are empty.
func addCells[T any](g *comparedGroup, name string, columns []T, cell func(*T) comparedCell) {
	row, known := comparedRow{Name: name}, false
	for i := range columns {
		c := cell(&columns[i])
		known = known || c.Text != ""
		if c.Text == "" {
			c.Text = "–"
		}
		row.Cells = append(row.Cells, c)
	}
	if known {
		g.Rows = append(g.Rows, row)
	}
}

// markDifferences marks the rows whose cells differ.
func (g *comparedGroup) markDifferences() {
	for i := range g.Rows {
		cells := g.Rows[i].Cells
		g.Rows[i].Differs = slices.ContainsFunc(cells, func(c comparedCell) bool { return c.Text != cells[0].Text })
	}
}

// ComparedModel holds the prices of one model of a comparison.
type ComparedModel struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
	ui.Ref
	Sold        PricePoint           `json:"sold_for" jsonschema:"sold prices of the 12 months up to the last sale, all conditions"`
	ByCondition []ConditionPrice     `json:"by_condition" jsonschema:"conditions with at least 5 sales, best first"`
	Estimate    *priceviews.Estimate `json:"estimate,omitempty" jsonschema:"what it is likely to sell for now; absent if too little is known"`
	Change90    *float64             `json:"change_90d" jsonschema:"change of the median over 90 days in percent"`
	Change12    *float64             `json:"change_12m,omitempty" jsonschema:"change of the median over 12 months in percent"`
	ForSale     int                  `json:"for_sale" jsonschema:"listings for sale now"`
	Lowest      *models.Money        `json:"lowest,omitempty" jsonschema:"lowest asking price now"`
	MedianDays  int                  `json:"median_days,omitempty" jsonschema:"median days to sell; absent with fewer than 5 sales"`
}

// ComparedListing is one listing of a comparison.
type ComparedListing struct {
	ui.Card
	ui.Item[ui.Named]
	ui.Postage                 // without rates if there is PostageTo
	PostageTo  *ui.PostageRate `json:"postage_to,omitempty" jsonschema:"postage to the country of the comparison; absent if that is unknown, or if it isn't shipped there"`
	SellerCard ui.SellerCard   `json:"seller_profile"`
	item       models.Item
}

// PricePoint is the middle half of sold prices.
type PricePoint struct {
	Status     string        `json:"status" jsonschema:"ok, or insufficient_data with fewer than 5 sales" enum:"ok,insufficient_data"`
	P25        *models.Money `json:"p25,omitempty"`
	Median     *models.Money `json:"median,omitempty"`
	P75        *models.Money `json:"p75,omitempty"`
	SampleSize int           `json:"sample_size"`
	// Window is the period of these sales.
	Window priceviews.Window `json:"window" jsonschema:"the period of these sales"`
}

// ConditionPrice is the sold median of one condition.
type ConditionPrice struct {
	Condition  models.Condition `json:"condition"`
	Median     models.Money     `json:"median"`
	SampleSize int              `json:"sample_size"`
}

// path returns the canonical path of the page.
func (p *Comparison) path() string {
	if p.ofListings {
		return p.listingsPath(p.ids()...)
	}
	return ui.ComparePath(p.slugs()...)
}

// warnings says what was left out: listings that are not public, and that more models or
// listings were asked for than a comparison takes.
func (p *Comparison) warnings(ctx context.Context) []string {
	var all []string
	switch n := len(p.Missing); {
	case n == 1:
		all = append(all, ui.T(ctx, "One of these listings is no longer available."))
	case n > 1:
		all = append(all, ui.T(ctx, "%s of the listings are no longer available.", ui.NumberIn(ctx, n)))
	}
	switch {
	case p.omitted == 0:
	case p.ofListings:
		all = append(all, ui.T(ctx, "You can compare up to %d listings at a time. The others were left out.", ui.MaxComparedListings))
	default:
		all = append(all, ui.T(ctx, "You can compare up to %d models at a time. The others were left out.", ui.MaxCompared))
	}
	return all
}

// slugs returns the slugs of the models.
func (p *Comparison) slugs() []string {
	return ui.Each(p.Models, func(m *ComparedModel) string { return m.Gear })
}

// ids returns the ids of the listings.
func (p *Comparison) ids() []string {
	return ui.Each(p.Listings, func(l *ComparedListing) string { return l.ID })
}

// listingsPath returns the path of the comparison of listings for the same reader.
func (p *Comparison) listingsPath(ids ...string) string {
	if len(ids) == 0 {
		return ui.ComparePath()
	}
	path := "/compare?listing=" + strings.Join(ids, ",")
	if p.To != "" {
		path += "&ship_to=" + string(p.To)
	}
	return path
}

// compareSpecs returns the specifications that at least one of the gear has, in the order
// of SpecsOf. Gear that is not in the catalogue is nil. The name is in the heading of the
// column already.
func compareSpecs(gear []*catalog.Gear) []ComparedSpec {
	rows := []ComparedSpec{}
	for i, g := range gear {
		at := 0 // where the next new row belongs
		for _, spec := range ui.SpecsOf(g) {
			if spec.Name == "Brand" || spec.Name == "Model" {
				continue
			}
			row := slices.IndexFunc(rows, func(r ComparedSpec) bool { return r.Name == spec.Name })
			if row < 0 {
				row = at
				rows = slices.Insert(rows, row, ComparedSpec{Name: spec.Name, Values: make([]string, len(gear))})
			}
			rows[row].Values[i] = spec.Value
			at = row + 1
		}
	}
	for i := range rows {
		first := rows[i].Values[0]
		rows[i].Differs = slices.ContainsFunc(rows[i].Values, func(v string) bool { return v != first })
	}
	return rows
}
