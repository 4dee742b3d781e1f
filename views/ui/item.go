package ui

import (
	"cmp"
	"context"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Item is what pages say about an item besides its condition and whether it works, which
// stand on cards. D is a defect: with its label, or its code alone.
type Item[D any] struct {
	Defects  []D      `json:"defects"`
	Included []string `json:"included" untrusted:"true"`
	models.ItemDetails
}

// ItemBrief is Item in the results of tools, which leave out what there is none of.
type ItemBrief struct {
	Defects  []string `json:"defects,omitempty"`
	Included []string `json:"included,omitempty" untrusted:"true"`
	models.ItemDetails
}

// NewItem returns what a page says about an item, with its defects as defect returns them.
func NewItem[D any](i *models.Item, defect func(models.Defect) D) Item[D] {
	item := Item[D]{Defects: make([]D, 0, len(i.Defects)), Included: List(i.Included), ItemDetails: i.ItemDetails}
	for _, d := range i.Defects {
		item.Defects = append(item.Defects, defect(d))
	}
	return item
}

// NamedDefect returns a defect with its label.
func NamedDefect(d models.Defect) Named { return Named{string(d), d.Label()} }

// CodeOfDefect returns a defect as its code alone.
func CodeOfDefect(d models.Defect) models.Defect { return d }

// NewItemBrief returns what the result of a tool says about an item.
func NewItemBrief(i *Item[Named]) ItemBrief {
	return ItemBrief{Defects: codes(i.Defects), Included: i.Included, ItemDetails: i.ItemDetails}
}

// ItemFacts returns the facts of an item for display, from its condition to the last that
// is known. quote marks what members wrote: AsWritten or untrusted.
func ItemFacts(ctx context.Context, i *models.Item, quote func(string) string) (rows []Fact) {
	for _, f := range models.ItemFields {
		if !f.Private {
			rows = append(rows, Fact{f.Label, ItemText(ctx, f, i, quote), ""})
		}
	}
	return rows
}

// ItemText returns the value of a field of an item for display, "" if it is unknown.
func ItemText(ctx context.Context, f *models.ItemField, i *models.Item, quote func(string) string) string {
	values := f.Values(i)
	switch first := cmp.Or(strings.Join(values, ", "), f.Default); f.Kind {
	case models.CodeField:
		return T(ctx, f.LabelOf(first))
	case models.CodesField:
		labels := make([]string, len(values))
		for n, value := range values {
			labels[n] = T(ctx, f.LabelOf(value))
		}
		return cmp.Or(strings.Join(labels, ", "), T(ctx, f.None))
	case models.NumberField:
		if n := f.Number(i); n > 0 {
			return NumberIn(ctx, n)
		}
		return ""
	case models.DayField:
		return DayIn(ctx, first)
	default:
		return quote(first)
	}
}
