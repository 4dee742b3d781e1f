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
		return ui.T(ctx, "Estimated price: %s.", ui.T(ctx, "%s (80%% sell for %s to %s)", ui.MoneyIn(ctx, e.Median), ui.MoneyIn(ctx, e.Low), ui.MoneyIn(ctx, e.High)))
	case p.Deal != nil:
		return ui.T(ctx, "Median sold price in this condition: %s.", ui.MoneyIn(ctx, p.Deal.Typical)) + " " + p.soldText(ctx)
	case p.Trend != nil && p.Trend.Summary.Median != nil:
		return ui.T(ctx, "Median sold price in all conditions: %s.", ui.MoneyIn(ctx, *p.Trend.Summary.Median)) + " " + p.soldText(ctx)
	case p.Trend != nil:
		return p.Trend.Summary.FewText(ctx)
	}
	return ""
}

// Reasons maps the reasons for reporting a listing to their labels.
var Reasons = map[string]ui.Choice{
	"counterfeit": {Label: "Counterfeit", Meaning: "It's a fake"},
	"stolen":      {Label: "Stolen", Meaning: "It belongs to someone else"},
	"misleading":  {Label: "Misleading", Meaning: "The description or photos don't match the item"},
	"prohibited":  {Label: "Prohibited", Meaning: "It's not allowed here"},
	"spam":        {Label: "Spam", Meaning: "Nothing's for sale, or it's a repeat"},
	"offensive":   {Label: "Offensive", Meaning: "It's abusive or threatening"},
	"other":       {Label: "Something else", Meaning: "Tell us below"},
}

func ReasonChoices() []ui.Choice {
	choices := make([]ui.Choice, len(models.ReportReasons))
	for i, code := range models.ReportReasons {
		choices[i] = ui.Choice{Value: code, Label: Reasons[code].Label, Meaning: Reasons[code].Meaning}
	}
	return choices
}
