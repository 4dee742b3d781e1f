package web

import (
	"context"
	"strings"

	"github.com/valyala/fasthttp"
)

// PageAt returns the public page at a path of the site.
func (s *Site) PageAt(ctx context.Context, path string) (Page, error) {
	for i := range s.ops {
		op := &s.ops[i]
		if op.Page != "" && op.Open() && !s.hidden(op) && matchesPattern(op.Page, path) {
			return op.PageAt(ctx, path)
		}
	}
	return nil, NewError("page_not_found")
}

// StatusOf returns the status that somebody who isn't signed in gets at an address of the
// site, a path that may have a query. Call it after everything is mounted.
func (s *Server) StatusOf(address string) int {
	var req fasthttp.Request
	req.SetRequestURI(address)
	req.SetHost(strings.TrimPrefix(strings.TrimPrefix(s.BaseURL, "https://"), "http://"))
	req.Header.Set("Accept", "text/html, */*;q=0.5")
	var ctx fasthttp.RequestCtx
	ctx.Init(&req, nil, nil)
	s.Handler()(&ctx)
	return ctx.Response.StatusCode()
}

// PageAt returns the operation's page at a path, without query parameters.
func (o *Operation) PageAt(ctx context.Context, path string) (Page, error) {
	params := pathValues(o.Page, path)
	in, err := o.plan.bind(func(name string) string { return params[name] }, "", false)
	if err != nil {
		return nil, err
	}
	return o.Do(ctx, &in.in)
}

// matchesPattern reports whether a path matches a pattern such as "/gear/{brand}".
func matchesPattern(pattern, path string) bool {
	names, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(names) != len(parts) {
		return false
	}
	for i, name := range names {
		if name != parts[i] && !pathName.MatchString(name) {
			return false
		}
	}
	return true
}

// RequiredQuery returns a pattern of the query parameters of every example,
// "?keyword={keyword}", or "" if there are none.
func (o *Operation) RequiredQuery() string {
	query := ""
	for i := range o.plan.params {
		if p := &o.plan.params[i]; o.inExample(p) {
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
func (o *Operation) HasPathParameters() bool { return len(pathNames(o.Page)) > 0 }
