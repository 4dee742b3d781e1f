package views

import (
	"context"

	"github.com/secondlight/secondlight/models"
)

// typicalText returns the typical price of the listing's gear, shown beside the
// price of an offer.
func (p *Listing) typicalText(ctx context.Context) string {
	switch {
	case p.Deal != nil:
		if p.Deal.Low != nil && p.Deal.High != nil {
			return t(ctx, "Typical in this condition: %s.", p.Deal.typicalText(ctx))
		}
		return t(ctx, "Typical in this condition: %s (%s in 12 months).", moneyIn(ctx, p.Deal.Typical), tn(ctx, p.Deal.Sales, "%s sale", "%s sales"))
	case p.Trend != nil && p.Trend.Summary.Median != nil:
		return t(ctx, "Typical in any condition: %s (%s in 12 months).", moneyIn(ctx, *p.Trend.Summary.Median), tn(ctx, p.Trend.Summary.SampleSize, "%s sale", "%s sales"))
	}
	return t(ctx, "Too few sales to say what is typical.")
}

// reasons maps the reasons for reporting a listing to their labels.
var reasons = map[string]Choice{
	"counterfeit": {Label: "Counterfeit", Meaning: "It is not what the brand made"},
	"stolen":      {Label: "Stolen", Meaning: "It belongs to somebody else"},
	"misleading":  {Label: "Misleading", Meaning: "Description or photographs are of something else"},
	"prohibited":  {Label: "Prohibited", Meaning: "It may not be sold, or not here"},
	"spam":        {Label: "Spam", Meaning: "It sells nothing, or the same again and again"},
	"offensive":   {Label: "Offensive", Meaning: "It insults or threatens"},
	"other":       {Label: "Something else", Meaning: "Say what below"},
}

func reasonChoices() []Choice {
	choices := make([]Choice, len(models.ReportReasons))
	for i, code := range models.ReportReasons {
		choices[i] = Choice{Value: code, Label: reasons[code].Label, Meaning: reasons[code].Meaning}
	}
	return choices
}
