package web

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/web/bind"
)

// PageAt returns the operation's page at a path, without query parameters.
func (o *Operation) PageAt(ctx context.Context, path string) (Page, error) {
	params := PathValues(o.Page, path)
	in, err := o.Plan.Bind(func(name string) string { return params[name] }, "", false)
	if err != nil {
		return nil, err
	}
	return o.Do(ctx, &in.In)
}

// RequiredQuery returns a pattern of the query parameters of every example,
// "?keyword={keyword}", or "" if there are none.
func (o *Operation) RequiredQuery() string {
	query := ""
	for i := range o.Plan.Params {
		if p := &o.Plan.Params[i]; o.inExample(p) {
			query += "&" + p.Name + "={" + p.Name + "}"
		}
	}
	return strings.Replace(query, "&", "?", 1)
}

// TokenNote returns a note about the token that the operation requires, with a
// leading space, or "" if it requires none.
func (o *Operation) TokenNote() string {
	switch o.Access {
	case Members:
		return " (token: " + o.Scope + ")"
	case Operators:
		return " (operator's token: " + o.Scope + ")"
	}
	return ""
}

// HasPathParameters reports whether the path of the page has parameters.
func (o *Operation) HasPathParameters() bool { return len(bind.PathNames(o.Page)) > 0 }
