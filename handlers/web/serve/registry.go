package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
)

// Mount adds the routes of the operations, in order: a path without parameters must
// come before the patterns that match it. It panics if two operations have the same
// name, or if a page does not implement a format of its operation. It must be called
// once.
func (s *Server) Mount(ops []web.Operation) {
	s.Ops = ops
	s.mountShadowed()
	names := map[string]bool{}
	for i := range s.Ops {
		op := &s.Ops[i]
		if names[op.Name] {
			panic(fmt.Sprintf("two operations are named %s", op.Name))
		}
		names[op.Name] = true
		op.MustHaveFormats()
		op.Plan.Describe(s.Vocabulary)
		if op.Page != "" && (op.Path != "" || slices.ContainsFunc(ops, func(o web.Operation) bool { return o.Path == "/api"+op.Page })) {
			s.apiPages[string(firstElement([]byte(op.Page)))] = true
		}
		if op.Free {
			s.free[op.Path] = true
		}
		switch {
		case op.Writes():
			if op.Page != "" {
				s.app.Post(web.FiberPath(op.Page), s.writeHandler(op, web.Pages))
			}
			if op.Path != "" {
				s.app.Add(op.Method, web.FiberPath(op.Path), s.writeHandler(op, web.API))
			}
		default:
			if op.Page != "" {
				s.app.Get(web.FiberPath(op.Page), s.readHandler(op, web.Pages))
			}
			if op.Path != "" {
				s.app.Get(web.FiberPath(op.Path), s.readHandler(op, web.API))
			}
		}
	}
	s.DefineTools()
}

// route is a method and a path pattern that an operation is served at.
type route struct{ method, path string }

// routes returns where the operation is served: its API address and its page.
func routes(o *web.Operation) []route {
	var all []route
	if o.Path != "" {
		all = append(all, route{o.Method, o.Path})
	}
	if o.Page != "" && o.Writes() {
		all = append(all, route{http.MethodPost, o.Page})
	} else if o.Page != "" {
		all = append(all, route{http.MethodGet, o.Page})
	}
	return all
}

// mountShadowed refuses the methods that a path without parameters does not take
// but a pattern that matches it does: "search" in DELETE /api/listings/search is
// not the id of a listing.
func (s *Server) mountShadowed() {
	var patterns []route
	methods := map[string][]string{} // of the paths without parameters
	for i := range s.Ops {
		for _, r := range routes(&s.Ops[i]) {
			if bind.PathName.MatchString(r.path) {
				patterns = append(patterns, r)
			} else {
				methods[r.path] = append(methods[r.path], r.method)
			}
		}
	}
	for path, own := range methods {
		for _, r := range patterns {
			if web.MatchesPattern(r.path, path) && !slices.Contains(own, r.method) {
				s.app.Add(r.method, path, func(*fiber.Ctx) error { return fiber.ErrMethodNotAllowed })
				s.allowed[path] = allowText(own)
			}
		}
	}
}

// allowText returns the methods of an Allow header without OPTIONS.
func allowText(methods []string) string {
	if slices.Contains(methods, http.MethodGet) {
		methods = append(slices.Clone(methods), http.MethodHead)
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(methods))), ", ")
}
