package price

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Unpriced says of which models no price is stated, and how many more sales those nearest to one need.
type Unpriced struct {
	Gear    int            `json:"gear_count" jsonschema:"number of models that have too few sales for a price" min:"0"`
	Nearest []UnpricedGear `json:"nearest" jsonschema:"the models that need the fewest more sales, of those that have sold; at most 10"`
}

// UnpricedGear is a model with too few sales for a price.
type UnpricedGear struct {
	Gear       string `json:"gear"`
	Name       string `json:"gear_name"`
	SampleSize int    `json:"sample_size"`
	Missing    int    `json:"missing" jsonschema:"how many more sales it needs" min:"1" max:"5"`
}

// NewUnpriced returns the models without a price, nil if every model has one or u is nil.
func NewUnpriced(u *prices.Unpriced) *Unpriced {
	if u == nil || u.Gear == 0 {
		return nil
	}
	return &Unpriced{Gear: u.Gear, Nearest: ui.Each(u.Nearest, func(f *prices.FewSales) UnpricedGear {
		return UnpricedGear{Gear: f.Gear.Slug(), Name: f.Gear.Name(), SampleSize: f.Sales, Missing: f.Missing()}
	})}
}

// unpricedHeading is the heading of the section.
var unpricedHeading = languages.Mark("Models without a price")

// text says how many models have no price, and introduces the table.
func (u *Unpriced) text(ctx context.Context) string {
	text := ui.TN(ctx, u.Gear, "Not enough sales to estimate a price for %s model.", "Not enough sales to estimate a price for %s models.")
	if len(u.Nearest) == 0 {
		return text + " " + ui.T(ctx, "None has sold yet: up to %s more needed for each.", ui.NumberIn(ctx, prices.MinSales))
	}
	return text + " " + ui.T(ctx, "Nearest to a price:")
}

// unpricedHead names the columns of the table.
var unpricedHead = []string{languages.Mark("Model"), languages.Mark("Sales"), languages.Mark("More needed")}

// link returns the model with the address of its page.
func (g *UnpricedGear) link() ui.Link { return ui.Link{Href: ui.GearPath(g.Gear), Label: g.Name} }

// cells returns the columns of a model after the first.
func (g *UnpricedGear) cells(ctx context.Context) []string {
	return []string{ui.NumberIn(ctx, g.SampleSize), ui.NumberIn(ctx, g.Missing)}
}

// WriteUnpriced writes the section, nothing for nil.
func WriteUnpriced(m *ui.Markdown, u *Unpriced) {
	if u == nil {
		return
	}
	m.Section(unpricedHeading)
	m.Raw(ui.MarkdownText(u.text(m.Context)), "\n")
	if len(u.Nearest) == 0 {
		return
	}
	m.Raw("\n")
	m.Head(unpricedHead...)
	for i := range u.Nearest {
		g := &u.Nearest[i]
		m.Row(append([]string{m.Link(g.link())}, g.cells(m.Context)...)...)
	}
}
