package handlers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// Op is one thing the site can do: a typed function with a typed result that
// knows its faces. From this one value come the page route, the API route, the
// OpenAPI operation and the reference page.
//
// In is a struct whose fields are the operation's parameters; see bindPlan for
// its tags. Out is a pointer to the page it answers with.
type Op[In any, Out views.Page] struct {
	// Name is the operation's identifier, snake_case: "search_listings".
	Name string
	// Method is how programs ask: GET, which is "", or the method of a write.
	Method string
	// Path is the API address, whose first face is JSON: "/api/gear/{brand}". Empty for none.
	Path string
	// Page is the page's address, whose first face is HTML: "/gear/{brand}". Empty
	// for none. A write has a page where a form is posted to, and ends at its answer's page.
	Page string
	// Form is the page that shows a write's form, and shows it again with what is
	// wrong when it was refused. Empty for Page.
	Form string
	// Access is who may do it: everybody unless it says otherwise.
	Access Access
	// Scope is what a token needs to do it. Nobody needs one for what everybody may.
	Scope models.Scope
	// Creates marks a write that makes something new: the API answers 201 with Location.
	Creates bool
	// Destructive marks a write that takes away what nothing brings back.
	Destructive bool
	// Done is what the page says after a form was taken: "Your listing is for sale."
	Done string
	// Tag groups operations in the reference: "Listings".
	Tag string
	// Title names the operation in two or three words, Summary says in one line
	// what it does, Description tells somebody who must choose among operations
	// when to use it, what it returns, and what to do next.
	Title, Summary, Description string
	// Example gives values of parameters that exist here now, such as the id of a
	// listing, where the example in a field's tag cannot. It may be nil.
	Example func() map[string]string
	// List names the pages worth listing at an address with parameters, such as
	// every guide. It may be nil.
	List func() []views.Link
	// Errors are the codes it can fail with, beyond those every operation has.
	Errors []string
	// Faces are the faces its page has beyond HTML, Markdown and JSON.
	Faces []Face
	// Text marks pages that change only with the program: llms.txt names each and
	// llms-full.txt holds them whole. Where the address has parameters, List names them.
	Text bool
	// FeedQuery are parameters a feed of the page has unless its address says
	// otherwise: a feed is the newest first, whatever the page is.
	FeedQuery string
	// Live marks an answer that is true only now: it is never kept or cached.
	Live bool
	// Unlisted marks a page that is a step of signing in or out: it is in no document
	// of what there is to read.
	Unlisted bool
	// Sample is an answer of invented values, for the documents that show one and the
	// tests that read one, where asking for one has consequences or needs a member.
	Sample func() Out
	// Do does it. The input is bound and checked; errors the reader can repair are *models.Error.
	Do func(context.Context, *In) (Out, error)
}

// Operation is an Op whose types are known only at run time, as the registry keeps it.
type Operation struct {
	Op[any, views.Page]
	plan      *bindPlan
	out       reflect.Type
	pageFaces []Face // that its page has, its own first
}

// Operation puts the Op into the form the registry keeps. It panics when the
// input's tags are wrong, so that a server with a wrong operation never starts.
func (o Op[In, Out]) Operation() Operation {
	plan, err := planFor(reflect.TypeFor[In](), o.Path, o.Page)
	if err == nil && (o.Access == Members || o.Access == Operators) != (o.Scope != "") {
		err = errors.New("what members or operators may needs a scope, and nothing else does")
	}
	if err != nil {
		panic(fmt.Sprintf("operation %s: %v", o.Name, err))
	}
	plan.body = o.Method == http.MethodPost || o.Method == http.MethodPut || o.Method == http.MethodPatch
	op := Operation{
		Op: Op[any, views.Page]{
			Name: o.Name, Method: cmp.Or(o.Method, http.MethodGet), Path: o.Path, Page: o.Page, Form: cmp.Or(o.Form, o.Page), Tag: o.Tag,
			Access: o.Access, Scope: o.Scope, Creates: o.Creates, Destructive: o.Destructive, Done: o.Done,
			Title: o.Title, Summary: o.Summary, Description: o.Description,
			Errors: o.Errors, Example: o.Example, List: o.List, Faces: o.Faces, Text: o.Text, FeedQuery: o.FeedQuery, Live: o.Live, Unlisted: o.Unlisted,
			Do: func(ctx context.Context, in *any) (views.Page, error) { return o.Do(ctx, (*in).(*In)) },
		},
		plan: plan,
		out:  reflect.TypeFor[Out]().Elem(),
	}
	if o.Sample != nil {
		op.Sample = func() views.Page { return o.Sample() }
	}
	op.pageFaces = op.offers(false)
	return op
}

// Writes reports whether the operation changes anything.
func (o *Operation) Writes() bool { return o.Method != http.MethodGet }

// published reports whether programs are told of the operation: all but what
// members do in a browser alone.
func (o *Operation) published() bool { return o.Path != "" || o.Open() }

// Open reports whether everybody may ask for it as often as they like: it reads,
// and needs nobody.
func (o *Operation) Open() bool { return o.Access == Everybody && !o.Writes() && !o.Unlisted }

// offers are the faces an address of the operation answers with, its own first.
func (o *Operation) offers(api bool) []Face {
	first := []Face{HTML, Markdown, JSON}
	if api {
		first = []Face{JSON, Markdown, HTML}
	}
	return append(first, o.Faces...)
}

// ID is the operation's identifier as OpenAPI writes it: "searchListings".
func (o *Operation) ID() string {
	words := strings.Split(o.Name, "_")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}
