package views

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Agreement is what both sides of an accepted offer agreed on: the listing as it was
// then, and the price.
type Agreement struct {
	AgreedAt    string          `json:"agreed_at" jsonschema:"when the offer was accepted"`
	Amount      models.Money    `json:"amount" jsonschema:"agreed price"`
	Title       string          `json:"title" jsonschema:"title of the listing" maxlength:"200" untrusted:"true"`
	Gear        string          `json:"gear,omitempty"`
	GearName    string          `json:"gear_name,omitempty"`
	Condition   Named           `json:"grade" jsonschema:"agreed condition"`
	Functional  Named           `json:"working_state" jsonschema:"agreed working state"`
	Defects     []models.Defect `json:"defects"`
	Included    []string        `json:"included" untrusted:"true"`
	Shutter     int             `json:"shutter_count,omitempty"`
	Description string          `json:"description" maxlength:"10000" untrusted:"true"`
	Region      models.Region   `json:"region"`
	Photos      []Photo         `json:"photos"`
}

// NewAgreement returns an agreement for both sides. gear is nil when the item is not
// in the catalogue.
func NewAgreement(site *Site, a *models.Agreement, gear *models.Gear) *Agreement {
	l := &a.Listing
	p := &Agreement{
		AgreedAt: a.AgreedAt.RFC3339(), Amount: site.in(l.Currency).Money(a.Amount), Title: l.Title, Gear: l.Gear,
		Condition:  Named{string(l.Condition), l.Condition.Label()},
		Functional: Named{string(l.Functional), l.Functional.Label()},
		Defects:    list(l.Defects), Included: list(l.Included), Shutter: l.Shutter,
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
	rows := []fact{
		{"Price", moneyIn(ctx, a.Amount), ""},
		{"Gear", a.GearName, ""},
		{"Condition", t(ctx, a.Condition.Label), ""},
		{"Works", t(ctx, a.Functional.Label), ""},
		{"Defects", defectLabels(ctx, a.Defects), ""},
		{"Included", quote(strings.Join(a.Included, ", ")), ""},
	}
	if len(a.Defects) == 0 {
		rows[4].Value = t(ctx, "None disclosed")
	}
	if a.Shutter > 0 {
		rows = append(rows, fact{"Shutter count", numberIn(ctx, a.Shutter), ""})
	}
	return append(rows, fact{"Region", regionIn(ctx, a.Region), ""}, fact{"Agreed", momentIn(ctx, a.AgreedAt), ""})
}

// defectLabels returns the labels of defects on one line.
func defectLabels(ctx context.Context, defects []models.Defect) string {
	named := make([]string, len(defects))
	for i, d := range defects {
		named[i] = t(ctx, d.Label())
	}
	return strings.Join(named, ", ")
}

// agreement writes what was agreed on.
func (m *markdown) agreement(a *Agreement) {
	m.section("What you agreed on")
	m.factRows(append([]fact{{"Title", untrusted(a.Title), ""}}, a.facts(m.ctx, untrusted)...))
	if a.Description != "" {
		m.raw("\n")
		m.quote(a.Description)
	}
	m.photos(a.Photos)
}
