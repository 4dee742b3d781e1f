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
	Reason string `json:"reason" jsonschema:"unusual_price: an operator has yet to check it; same_members: between members whom sales of the model connect already; seller_limit: more than a fifth of the sales by one seller; new_members: neither the seller nor the buyer is established" enum:"unusual_price,same_members,seller_limit,new_members"`
	Sales  int    `json:"count" min:"1"`
}

// countingRules summarises the rules of models.NewTrend.
var countingRules = languages.Mark("We count a sale once both buyer and seller have confirmed it, never on the seller's word alone. Sales " +
	"from our own shop and imported sales count too, and are labelled. A sale between members counts only if " +
	"one of them is established: a member for 30 days, whose trades with at least two others connect them with " +
	"twelve. We don't count sales between members whom sales of the model already connect, directly or through " +
	"others. For each condition, at most a fifth of sales count from any one seller, so a price needs five " +
	"sellers. We check a price more than four times the median, less than a quarter of it, or far from our " +
	"estimate, before it counts.")

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
		sentences = append(sentences, ui.T(ctx, "Counted: %s.", ui.Join(sources)))
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
		return ui.T(ctx, "from our own shop")
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
		return ui.T(ctx, "between members who had traded this model before")
	case "seller_limit":
		return ui.T(ctx, "above the limit for one seller")
	}
	return ui.T(ctx, "between new members")
}
