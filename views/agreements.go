package views

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Agreement is what both sides of an accepted offer agreed on: the listing as it was
// then, and the price.
type Agreement struct {
	AgreedAt   string       `json:"agreed_at" jsonschema:"when the offer was accepted"`
	Amount     models.Money `json:"amount" jsonschema:"agreed price"`
	Title      string       `json:"title" jsonschema:"title of the listing" maxlength:"200" untrusted:"true"`
	Gear       string       `json:"gear,omitempty"`
	GearName   string       `json:"gear_name,omitempty"`
	Condition  Named        `json:"grade" jsonschema:"agreed condition"`
	Functional Named        `json:"working_state" jsonschema:"agreed working state"`
	Item[models.Defect]
	Description string        `json:"description" maxlength:"10000" untrusted:"true"`
	Region      models.Region `json:"region"`
	Photos      []Photo       `json:"photos"`
	item        models.Item
}

// NewAgreement returns an agreement for both sides. gear is nil when the item is not
// in the catalogue.
func NewAgreement(site *Site, a *models.Agreement, gear *catalog.Gear) *Agreement {
	l := &a.Listing
	p := &Agreement{
		AgreedAt: a.AgreedAt.RFC3339(), Amount: site.in(l.Currency).Money(a.Amount), Title: l.Title, Gear: l.Gear,
		Condition:  Named{string(l.Condition), l.Condition.Label()},
		Functional: Named{string(l.Functional), l.Functional.Label()},
		Item:       newItem(&l.Item, codeOfDefect), item: l.Item,
		Description: l.Text, Region: l.Region, Photos: make([]Photo, len(l.Photos)),
	}
	if gear != nil {
		p.GearName = gear.Name()
	}
	for i := range l.Photos {
		p.Photos[i] = newPhoto(site, l, i)
	}
	return p
}

// facts returns the facts of the agreement for display. quote marks what members
// wrote: asWritten or untrusted.
func (a *Agreement) facts(ctx context.Context, quote func(string) string) []fact {
	rows := append([]fact{{"Price", moneyIn(ctx, a.Amount), ""}, {"Gear", a.GearName, ""}}, itemFacts(ctx, &a.item, quote)...)
	return append(rows, fact{"Region", regionIn(ctx, a.Region), ""}, fact{"Agreed", momentIn(ctx, a.AgreedAt), ""})
}

// writeAgreement writes what was agreed on.
func writeAgreement(m *markdown, a *Agreement) {
	m.section("What you agreed on")
	m.factRows(append([]fact{{"Title", untrusted(a.Title), ""}}, a.facts(m.ctx, untrusted)...))
	if a.Description != "" {
		m.raw("\n")
		m.quote(a.Description)
	}
	m.photos(a.Photos)
}
