package listing

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// TypicalText returns the typical price of the listing's gear, shown beside the
// price of an offer.
func (p *Listing) typicalText(ctx context.Context) string {
	switch e := p.Estimate; {
	case e != nil:
		return ui.T(ctx, "Estimated price: %s.", ui.T(ctx, "%s (8 of 10 for %s to %s)", ui.MoneyIn(ctx, e.Median), ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High)))
	case p.Deal != nil:
		return ui.T(ctx, "Sold in this condition for a median of %s.", ui.MoneyIn(ctx, p.Deal.Typical)) + " " + p.soldText(ctx)
	case p.Trend != nil && p.Trend.Summary.Median != nil:
		return ui.T(ctx, "Sold in all conditions for a median of %s.", ui.MoneyIn(ctx, *p.Trend.Summary.Median)) + " " + p.soldText(ctx)
	case p.Trend != nil:
		return p.Trend.Summary.FewText(ctx)
	}
	return ""
}

// Reasons maps the reasons for reporting a listing to their labels.
var Reasons = map[string]ui.Choice{
	"counterfeit": {Label: "Counterfeit", Meaning: "It is not what the brand made"},
	"stolen":      {Label: "Stolen", Meaning: "It belongs to somebody else"},
	"misleading":  {Label: "Misleading", Meaning: "Description or photographs are of something else"},
	"prohibited":  {Label: "Prohibited", Meaning: "It may not be sold, or not here"},
	"spam":        {Label: "Spam", Meaning: "It sells nothing, or the same again and again"},
	"offensive":   {Label: "Offensive", Meaning: "It insults or threatens"},
	"other":       {Label: "Something else", Meaning: "Say what below"},
}

func ReasonChoices() []ui.Choice {
	choices := make([]ui.Choice, len(models.ReportReasons))
	for i, code := range models.ReportReasons {
		choices[i] = ui.Choice{Value: code, Label: Reasons[code].Label, Meaning: Reasons[code].Meaning}
	}
	return choices
}
