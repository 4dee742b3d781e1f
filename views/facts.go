package views

import (
	"context"
	"strings"
)

// fact is a name with a value for display and, optionally, the path it links to.
type fact struct{ Name, Value, Href string }

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

// labels joins the labels of named codes.
func labels(ctx context.Context, named []Named) string {
	all := make([]string, len(named))
	for i, n := range named {
		all[i] = t(ctx, n.Label)
	}
	return strings.Join(all, ", ")
}
