package trade

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views/ui"
)

// Agreement is what both sides of an accepted offer agreed on: the listing as it was
// then, and the price.
type Agreement struct {
	AgreedAt   string       `json:"agreed_at" jsonschema:"when the offer was accepted"`
	Amount     models.Money `json:"amount" jsonschema:"agreed price"`
	Title      string       `json:"title" jsonschema:"title of the listing" maxlength:"200" untrusted:"true"`
	Gear       string       `json:"gear,omitempty"`
	GearName   string       `json:"gear_name,omitempty"`
	Condition  ui.Named     `json:"grade" jsonschema:"agreed condition"`
	Functional ui.Named     `json:"working_state" jsonschema:"agreed working state"`
	ui.Item[models.Defect]
	Description string        `json:"description" maxlength:"10000" untrusted:"true"`
	Region      models.Region `json:"region"`
	Photos      []ui.Photo    `json:"photos"`
	item        models.Item
}

// NewAgreement returns an agreement for both sides. gear is nil when the item is not
// in the catalogue.
func NewAgreement(site *ui.Site, a *models.Agreement, gear *catalog.Gear) *Agreement {
	l := &a.Listing
	p := &Agreement{
		AgreedAt: a.AgreedAt.RFC3339(), Amount: site.In(l.Currency).Money(a.Amount), Title: l.Title, Gear: l.Gear,
		Condition:  ui.Named{Code: string(l.Condition), Label: l.Condition.Label()},
		Functional: ui.Named{Code: string(l.Functional), Label: l.Functional.Label()},
		Item:       ui.NewItem(&l.Item, ui.CodeOfDefect), item: l.Item,
		Description: l.Text, Region: l.Region, Photos: ui.NewPhotos(site, l),
	}
	if gear != nil {
		p.GearName = gear.Name()
	}
	return p
}

// Facts returns the facts of the agreement for display. quote marks what members
// wrote: AsWritten or untrusted.
func (a *Agreement) Facts(ctx context.Context, quote func(string) string) []ui.Fact {
	rows := append([]ui.Fact{{Name: "Price", Value: ui.MoneyIn(ctx, a.Amount)}, {Name: "Model", Value: a.GearName}}, ui.ItemFacts(ctx, &a.item, quote)...)
	return append(rows, ui.Fact{Name: "Region", Value: ui.RegionIn(ctx, a.Region)}, ui.Fact{Name: "Agreed", Value: ui.MomentIn(ctx, a.AgreedAt)})
}

// writeAgreement writes what was agreed on.
func writeAgreement(m *ui.Markdown, a *Agreement) {
	m.Section("What you agreed")
	m.FactRows(append([]ui.Fact{{Name: "Title", Value: ui.Untrusted(a.Title)}}, a.Facts(m.Context, ui.Untrusted)...))
	if a.Description != "" {
		m.Raw("\n")
		m.Quote(a.Description)
	}
	m.Photos(a.Photos)
}
