package views

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
	ItemDetails
}

// ItemBrief is Item in the results of tools, which leave out what there is none of.
type ItemBrief struct {
	Defects  []string `json:"defects,omitempty"`
	Included []string `json:"included,omitempty" untrusted:"true"`
	ItemDetails
}

// ItemDetails are the fields of an item that are the same in all results, and absent if
// they are unknown. New fields of models.Item stand here.
type ItemDetails struct {
	Shutter int `json:"shutter_count,omitempty"`
}

// newItem returns what a page says about an item, with its defects as defect returns them.
func newItem[D any](i *models.Item, defect func(models.Defect) D) Item[D] {
	item := Item[D]{Defects: make([]D, 0, len(i.Defects)), Included: list(i.Included), ItemDetails: ItemDetails{Shutter: i.Shutter}}
	for _, d := range i.Defects {
		item.Defects = append(item.Defects, defect(d))
	}
	return item
}

// namedDefect returns a defect with its label.
func namedDefect(d models.Defect) Named { return Named{string(d), d.Label()} }

// codeOfDefect returns a defect as its code alone.
func codeOfDefect(d models.Defect) models.Defect { return d }

// newItemBrief returns what the result of a tool says about an item.
func newItemBrief(i *Item[Named]) ItemBrief {
	return ItemBrief{Defects: codes(i.Defects), Included: i.Included, ItemDetails: i.ItemDetails}
}

// itemFacts returns the facts of an item for display, from its condition to the last that
// is known. quote marks what members wrote: asWritten or untrusted.
func itemFacts(ctx context.Context, i *models.Item, quote func(string) string) (rows []fact) {
	for _, f := range models.ItemFields {
		if !f.Private {
			rows = append(rows, fact{f.Label, itemText(ctx, f, i, quote), ""})
		}
	}
	return rows
}

// itemText returns the value of a field of an item for display, "" if it is unknown.
func itemText(ctx context.Context, f *models.ItemField, i *models.Item, quote func(string) string) string {
	values := f.Values(i)
	switch first := cmp.Or(strings.Join(values, ", "), f.Default); f.Kind {
	case models.CodeField:
		return t(ctx, f.LabelOf(first))
	case models.CodesField:
		labels := make([]string, len(values))
		for n, value := range values {
			labels[n] = t(ctx, f.LabelOf(value))
		}
		return cmp.Or(strings.Join(labels, ", "), t(ctx, f.None))
	case models.NumberField:
		if n := f.Number(i); n > 0 {
			return numberIn(ctx, n)
		}
		return ""
	case models.DayField:
		return dayIn(ctx, first)
	default:
		return quote(first)
	}
}
