package price

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Counting says which sales the figures of a trend count.
type Counting struct {
	Rules     string        `json:"rules" jsonschema:"which sales count"`
	Sources   []SalesSource `json:"sources" jsonschema:"where the counted sales of the window come from"`
	Uncounted []NotCounted  `json:"uncounted" jsonschema:"confirmed sales of the window that do not count, by reason"`
}

// SalesSource is a source of counted sales.
type SalesSource struct {
	Source string `json:"source" jsonschema:"members: both confirmed the sale; shop: sold by the operators' own shop; import: imported by the operators" enum:"members,shop,import"`
	Name   string `json:"name,omitempty" jsonschema:"name of an imported source"`
	Sales  int    `json:"sample_size" min:"1"`
}

// NotCounted is the number of sales that do not count for one reason.
type NotCounted struct {
	Reason string `json:"reason" jsonschema:"unusual_price: an operator has yet to check it; same_members: more than two sales between the same members; seller_limit: more than a fifth of the sales by one seller; new_members: sales by new members that would move the median too far" enum:"unusual_price,same_members,seller_limit,new_members"`
	Sales  int    `json:"count" min:"1"`
}

// countingRules summarises the rules of models.NewTrend.
var countingRules = languages.Mark("A sale counts once the seller and the buyer have confirmed it. Sales that only a seller reports never count; sales by our own shop and imported sales do, and are named. " +
	"In each condition the same two members count twice at most, and one seller makes up a fifth of the sales at most, or 2 sales if that is more. " +
	"A price over four times the median, or under a quarter of it, waits for our check. " +
	"Sales by members who joined less than 30 days before make no price public and move none by more than 1 %.")

func NewCounting(t *prices.Trend) Counting {
	c := Counting{Rules: countingRules, Sources: []SalesSource{}, Uncounted: []NotCounted{}}
	for _, s := range t.Sources {
		c.Sources = append(c.Sources, SalesSource{string(s.Source), s.Name, s.Sales})
	}
	for _, reason := range []NotCounted{
		{"unusual_price", t.Uncounted.Held},
		{"same_members", t.Uncounted.Repeated},
		{"seller_limit", t.Uncounted.OverLimit},
		{"new_members", t.Uncounted.Newcomers},
	} {
		if reason.Sales > 0 {
			c.Uncounted = append(c.Uncounted, reason)
		}
	}
	return c
}

// Sentences returns the sources and the numbers of uncounted sales as text.
func (c *Counting) Sentences(ctx context.Context) (sentences []string) {
	var sources, uncounted []string
	for _, s := range c.Sources {
		sources = append(sources, ui.NumberIn(ctx, s.Sales)+" "+s.text(ctx))
	}
	for _, r := range c.Uncounted {
		uncounted = append(uncounted, ui.NumberIn(ctx, r.Sales)+" "+r.text(ctx))
	}
	if len(sources) > 0 {
		sentences = append(sentences, ui.T(ctx, "Counted here: %s.", ui.Join(sources)))
	}
	if len(uncounted) > 0 {
		sentences = append(sentences, ui.T(ctx, "Not counted: %s.", ui.Join(uncounted)))
	}
	return sentences
}

func (s *SalesSource) text(ctx context.Context) string {
	switch {
	case s.Source == string(models.SaleByMembers):
		return ui.T(ctx, "between members")
	case s.Source == string(models.SaleByShop):
		return ui.T(ctx, "by our own shop")
	case s.Name != "":
		return ui.T(ctx, "imported from %s", s.Name)
	}
	return ui.T(ctx, "imported")
}

func (r *NotCounted) text(ctx context.Context) string {
	switch r.Reason {
	case "unusual_price":
		return ui.T(ctx, "with an unusual price")
	case "same_members":
		return ui.T(ctx, "between the same members")
	case "seller_limit":
		return ui.T(ctx, "over the seller limit")
	}
	return ui.T(ctx, "by new members")
}
