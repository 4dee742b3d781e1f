package ui

import (
	"context"
	"strings"
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

// Labels joins the labels of named codes.
func Labels(ctx context.Context, named []Named) string {
	all := make([]string, len(named))
	for i, n := range named {
		all[i] = T(ctx, n.Label)
	}
	return strings.Join(all, ", ")
}
