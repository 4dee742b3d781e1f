package ui

import (
	"cmp"
	"context"
	"strconv"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// GearCard is gear as lists show it.
type GearCard struct {
	Slug string `json:"gear" jsonschema:"catalogue slug brand/model"`
	Name string `json:"gear_name"`
	Ref
	Category models.Category `json:"category"`
	Mount    string          `json:"mount,omitempty"`
	Year     int             `json:"year,omitempty" jsonschema:"year of introduction"`
	ForSale  int             `json:"for_sale" jsonschema:"listings for sale now"`
	Lowest   *models.Money   `json:"lowest,omitempty" jsonschema:"lowest asking price now"`
	// Estimate and its Grade are absent if too little is known.
	Estimate *models.Money    `json:"estimate,omitempty" jsonschema:"the price: what it is likely to sell for now, in estimate_condition; absent if too little is known"`
	Grade    models.Condition `json:"estimate_condition,omitempty" jsonschema:"condition that the estimate is for, the one that sells most"`
	Median   *models.Money    `json:"median,omitempty" jsonschema:"median of the sales of the 12 months up to the last one, all conditions; absent with fewer than 5 sales"`
	Sales    int              `json:"sample_size" jsonschema:"number of sales in the 12 months up to the last one"`
}

// KindText returns the category and the mount: "Prime lens · Canon RF".
func (c *GearCard) kindText(ctx context.Context) string {
	if c.Mount == "" {
		return T(ctx, c.Category.Label())
	}
	return T(ctx, c.Category.Label()) + " · " + c.Mount
}

// NewGearCard returns gear as lists show it. lowest is the lowest asking price, 0
// without listings; trend is nil without sales, and the estimate if too little is known.
func NewGearCard(site *Site, g *catalog.Gear, forSale int, lowest models.Cents, trend *prices.Trend, estimate *prices.Estimate) GearCard {
	c := GearCard{
		Slug: g.Slug(), Name: g.Name(), Ref: NewRef(GearPath(g.Slug())), Category: g.Category, Mount: g.Mount, Year: g.Year,
		ForSale: forSale, Lowest: site.Money(lowest),
	}
	if estimate != nil {
		c.Estimate, c.Grade = site.Money(estimate.Stated(site.Currency()).Median), estimate.Condition
	}
	if trend != nil {
		c.Sales = trend.Summary.Count
		if trend.Summary.Enough() {
			c.Median = site.Money(trend.Summary.Median)
		}
	}
	return c
}

// launchPrice is the name of the specification that is an amount.
var launchPrice = languages.Mark("Launch price")

// SpecsOf returns the specifications of gear, an empty list for nil.
func SpecsOf(g *catalog.Gear) []Spec {
	specs := []Spec{}
	if g == nil {
		return specs
	}
	add := func(name, value string) {
		if value != "" {
			specs = append(specs, Spec{name, value})
		}
	}
	format := languages.Mark("Sensor or film")
	if g.Category.Family() == models.FamilyLens {
		format = languages.Mark("Covers")
	}
	add("Brand", g.Brand)
	add("Model", g.Model)
	add("Category", g.Category.Label())
	add("Mount", cmp.Or(g.Mount, fixedLens(g)))
	add(format, g.Format)
	add("Focal length", focalText(g.FocalMin, g.FocalMax))
	if g.Aperture > 0 {
		add(languages.Mark("Maximum aperture"), "f/"+Decimal(g.Aperture))
	}
	if g.Year > 0 {
		add("Released", strconv.Itoa(g.Year))
	}
	add(launchPrice, g.LaunchPrice)
	return specs
}

func (m *Markdown) GearCells(c *GearCard) []string {
	return []string{
		m.Link(Link{GearPath(c.Slug), c.Name}), MarkdownText(c.kindText(m.Context)), YearText(c.Year), c.priceText(m.Context),
		NumberIn(m.Context, c.Sales), NumberIn(m.Context, c.ForSale), MoneyOrIn(m.Context, c.Lowest, "–"),
	}
}

func (m *Markdown) GearTable(cards []GearCard) {
	m.Head("Model", "Category", "Year", "Price", "Sales", "For sale", "Lowest asking price")
	for i := range cards {
		m.Row(m.GearCells(&cards[i])...)
	}
}

// fixedLens says that a camera's lens can't be changed, or returns "".
func fixedLens(g *catalog.Gear) string {
	if g.Mount == "" && g.Category.Family() == models.FamilyCamera && (g.FocalMin > 0 || g.Category == "compact") {
		return languages.Mark("Built-in lens")
	}
	return ""
}

// focalText formats a range of focal lengths in mm.
func focalText(low, high float64) string {
	switch {
	case low == 0:
		return ""
	case high == 0 || low == high:
		return Decimal(low) + " mm"
	}
	return Decimal(low) + "–" + Decimal(high) + " mm"
}

// Price returns the price of the gear and which it is: the estimate with its condition, or else
// the sold median. It returns nil if there are too few sales for both.
func (c *GearCard) Price(ctx context.Context) (price *models.Money, of string) {
	if c.Estimate != nil {
		return c.Estimate, WithinSentence(ctx, c.Grade.Label())
	}
	return c.Median, T(ctx, "median sold price")
}

// priceText returns the price and which it is on one line.
func (c *GearCard) priceText(ctx context.Context) string {
	price, of := c.Price(ctx)
	if price == nil {
		return T(ctx, "not enough sales")
	}
	return MoneyIn(ctx, *price) + " (" + of + ")"
}
