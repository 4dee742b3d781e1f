package ui

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Fact is a name with a value for display and, optionally, the path it links to.
type Fact struct{ Name, Value, Href string }

// Named is a code with its label.
type Named struct {
	Code  string `json:"code"`
	Label string `json:"label"`
}

// Spec is one row of a specification table.
type Spec struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ValueIn returns the value in the reader's language.
func (s Spec) ValueIn(ctx context.Context) string {
	if amount, code := models.CutCurrency(s.Value); s.Name == launchPrice {
		return languages.Of(ctx).Money(amount, code)
	}
	return T(ctx, s.Value)
}

// Labels joins the labels of named codes.
func Labels(ctx context.Context, named []Named) string {
	return strings.Join(Each(named, func(n *Named) string { return T(ctx, n.Label) }), ", ")
}
