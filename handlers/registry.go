package handlers

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/secondlight/secondlight/views"
)

// operations is everything the site can do, in the order the reference shows it. An
// address without parameters stands before those it would be one of.
func (s *Server) operations() []Operation {
	public := []Operation{
		s.searchListings(),
		s.getListing(),
		s.findGear(),
		s.getBrand(),
		s.getTrend(),
		s.getSeller(),
		s.listPortfolio(),
		s.getProject(),
		s.getPhoto(),
		s.getKit(),
		s.getHome(),
		s.listGuides(),
		s.getGuide(),
		s.listJournal(),
		s.getJournalEntry(),
		s.getAbout(),
		s.readReference(),
		s.listErrors(),
		s.getError(),
		s.checkHealth(),
	}
	return slices.Concat(public, s.accountOperations(), s.tokenOperations(), s.photoOperations(), s.sellingOperations(),
		s.offerOperations(), s.messageOperations(), s.trustOperations(), s.watchingOperations())
}

// mount gives every operation its routes. It panics on two operations of one
// name, or a face a page does not have, so that such a server never starts.
func (s *Server) mount(ops []Operation) {
	s.ops = ops
	s.site.Tools = map[string]views.FormTool{}
	names := map[string]bool{}
	for i := range s.ops {
		op := &s.ops[i]
		if names[op.Name] {
			panic(fmt.Sprintf("two operations are named %s", op.Name))
		}
		names[op.Name] = true
		op.mustHaveFaces()
		s.site.Tools[op.Name] = op.formTool()
		switch {
		case op.Writes():
			if op.Page != "" {
				s.app.Post(fiberPath(op.Page), s.take(op, pages))
			}
			if op.Path != "" {
				s.app.Add(op.Method, fiberPath(op.Path), s.take(op, api))
			}
		default:
			if op.Page != "" {
				s.app.Get(fiberPath(op.Page), s.answer(op, pages))
			}
			if op.Path != "" {
				s.app.Get(fiberPath(op.Path), s.answer(op, api))
			}
		}
	}
}

// formTool is the operation as forms tell it.
func (o *Operation) formTool() views.FormTool {
	tool := views.FormTool{Name: o.Name, Description: o.Summary, Params: map[string]string{}}
	for i := range o.plan.params {
		tool.Params[o.plan.params[i].Name] = sentence(o.plan.params[i].Description)
	}
	return tool
}

// fiberPath writes a path the way the router wants it: "/gear/:brand".
func fiberPath(path string) string { return pathName.ReplaceAllString(path, ":$1") }

// mustHaveFaces panics when the page cannot write a face the operation promises.
func (o *Operation) mustHaveFaces() {
	page := newPage(o)
	for _, f := range o.Faces {
		_, csv := page.(CSVPage)
		_, svg := page.(SVGPage)
		_, feed := page.(views.FeedPage)
		if f == CSV && !csv || f == SVG && !svg || f.feed() && !feed || f <= JSON {
			panic(fmt.Sprintf("operation %s: its page has no %s face", o.Name, f))
		}
	}
}

// newPage is an empty page of the operation's type.
func newPage(o *Operation) views.Page { return reflect.New(o.out).Interface().(views.Page) }
