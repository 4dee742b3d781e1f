package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/english"
	"github.com/secondlight/secondlight/models/problem"
)

// Op defines an operation of the site: a function from typed parameters to a page.
// Its routes, its MCP tool and its documentation are derived from it.
//
// In is a struct whose fields are the operation's parameters; see Plan for
// its tags. Out is a pointer to the page type that the operation returns.
type Op[In any, Out Page] struct {
	// Name identifies the operation, in snake case: "search_listings".
	Name string
	// Method is the HTTP method in the API. Empty means GET.
	Method string
	// Path is the path in the API, where the default format is JSON:
	// "/api/gear/{brand}". Empty if it is not in the API.
	Path string
	// Page is the path of the page, where the default format is HTML:
	// "/gear/{brand}". Empty if there is none. For a write it is the path that the
	// form is posted to; the browser is then redirected to the resulting page.
	Page string
	// Form is the path of the page that contains the form of a write. It is
	// displayed again if the form is rejected. Empty means Page.
	Form string
	// Access says who may call the operation. The default is Everybody.
	Access Access
	// Scope is the scope that a token needs, "" if Access is Everybody or SignedIn.
	Scope string
	// Creates is set for a write that creates a resource. The API responds with 201
	// and Location.
	Creates bool
	// ReadOnly is set for a POST that changes nothing, such as a calculation from a long
	// list.
	ReadOnly bool
	// Cost returns the number of requests that a write counts as in the client's quota;
	// nil means 1.
	Cost func(*In) int
	// Destructive is set for a write that cannot be undone, or that commits the member
	// or affects others, such as accepting an offer or hiding a listing. Edits and
	// deletions (PATCH and DELETE) are destructive without it.
	Destructive bool
	// Done is the notice displayed after a form was accepted: "Your listing is for
	// sale."
	Done string
	// Tag is the group of the operation in the documentation: "Listings".
	Tag string
	// Title names the operation in two or three words. Summary says in one line what
	// it does. Description says when to use it, what it returns and what to call next.
	Title, Summary, Description string
	// Overrides replace what the tags of In say about parameters, by name.
	Overrides map[string]bind.Override
	// Example returns values of parameters that exist in the site's data, such as the
	// id of a listing. They replace those in the tags of In. It may be nil.
	Example func() map[string]string
	// Exampled names the parameters of an example, if not all with an example can be
	// combined. Those of a query are in every example, as if they were required.
	Exampled []string
	// List returns links to the pages of an operation with path parameters that are
	// listed in the documents, such as every guide. It may be nil.
	List func() []Link
	// Errors are the error codes of the operation, in addition to those that every
	// operation can return.
	Errors []string
	// Formats are the formats of the page in addition to HTML, Markdown and JSON.
	Formats []Format
	// Text is set for pages that change only with the program or the owner's files. llms.txt links to them
	// and llms-full.txt contains them. Those with path parameters are taken from List.
	Text bool
	// FeedQuery is a query string with the default parameters of the page's feeds,
	// such as their sort order.
	FeedQuery string
	// Canonical returns the path of the page that the path parameters mean, if they can
	// be written in several ways, such as "/gear/canon" for CANON Inc.; "" if they mean
	// none. Requests for the page at another path are redirected there. It may be nil.
	Canonical func(param func(name string) string) string
	// Moved returns the path that a page with path parameters has moved to for good, "" if
	// it has not. It may be nil.
	Moved func(param func(name string) string) string
	// Live is set for responses that must not be cached.
	Live bool
	// Free is set for operations of the API that don't count towards the rate limit, such
	// as those of monitors.
	Free bool
	// Shared is set for pages that are the same for every caller, except for what the
	// layout adds. Text pages are shared too.
	Shared bool
	// Framed is set for pages whose SVG other sites may show in a frame.
	Framed bool
	// MaxAge is the number of seconds that a client may use a public response again
	// without asking.
	MaxAge int
	// DependsOn returns tags that name the data a page was made of, in the words of
	// Server.Changed. A cached page is dropped when one of them changes; nil drops it
	// at every change of public data.
	DependsOn func(Out) []string
	// NoTool is set for operations in the API that are of no use to agents, such as the
	// health check. They have no MCP tool.
	NoTool bool
	// Unlisted is set for operations that no document lists, such as steps of signing in.
	Unlisted bool
	// Sample returns an example result, for operations that cannot be called to
	// document them: writes, and those that need a member. It may be nil.
	Sample func() Out
	// Check returns the error that Do would return for the values of its input. It is
	// called for input that is invalid according to its tags, whose invalid fields are
	// unset, so that one error lists all invalid fields. It may be nil.
	Check func(context.Context, *In) error
	// Confirm returns the question that a person answers before a call that commits them, in
	// the words of the page. Clients of the MCP server that can ask it do; nil means none.
	Confirm func(context.Context, *In) (string, error)
	// Do executes the operation. The input is valid according to its tags. Errors
	// that the caller can fix are a *problem.Error.
	Do func(context.Context, *In) (Out, error)
}

// Operation is an Op without type parameters, as Mount takes it.
type Operation struct {
	Op[any, Page]
	Plan        *bind.Plan
	Out         reflect.Type // page type, without the pointer
	PageFormats []Format     // formats of the page, the default first
}

// typed are the functions of an Op, without its types. All are set, even if those of the Op
// are nil.
type typed struct {
	do        func(context.Context, *any) (Page, error)
	check     func(context.Context, *any) error
	confirm   func(context.Context, *any) (string, error)
	sample    func() Page
	cost      func(*any) int
	dependsOn func(Page) []string
}

// Operation returns o as an Operation. It panics if the tags of In are invalid, or if
// Access and Scope do not match.
func (o Op[In, Out]) Operation() Operation {
	return newOperation(reflect.ValueOf(&o).Elem(), reflect.TypeFor[In](), reflect.TypeFor[Out]().Elem(), typed{
		do:        func(ctx context.Context, in *any) (Page, error) { return o.Do(ctx, (*in).(*In)) },
		check:     func(ctx context.Context, in *any) error { return o.Check(ctx, (*in).(*In)) },
		confirm:   func(ctx context.Context, in *any) (string, error) { return o.Confirm(ctx, (*in).(*In)) },
		sample:    func() Page { return o.Sample() },
		cost:      func(in *any) int { return o.Cost((*in).(*In)) },
		dependsOn: func(page Page) []string { return o.DependsOn(page.(Out)) },
	})
}

// newOperation returns the operation of an Op, which is compiled for each pair of types: so
// everything that does not depend on them is done here.
func newOperation(o reflect.Value, in, out reflect.Type, functions typed) Operation {
	op := Operation{Out: out}
	untyped := reflect.ValueOf(&op.Op).Elem()
	for i := range untyped.NumField() {
		if field := o.Field(i); field.Type() == untyped.Field(i).Type() {
			untyped.Field(i).Set(field)
		}
	}
	op.Method, op.Form, op.Shared = cmp.Or(op.Method, http.MethodGet), cmp.Or(op.Form, op.Page), op.Shared || op.Text
	op.Do = functions.do
	if !o.FieldByName("Check").IsNil() {
		op.Check = functions.check
	}
	if !o.FieldByName("Confirm").IsNil() {
		op.Confirm = functions.confirm
	}
	if !o.FieldByName("Sample").IsNil() {
		op.Sample = functions.sample
	}
	if !o.FieldByName("Cost").IsNil() {
		op.Cost = functions.cost
	}
	if !o.FieldByName("DependsOn").IsNil() {
		op.DependsOn = functions.dependsOn
	}
	var err error
	op.Plan, err = bind.PlanFor(in, op.Path, op.Page)
	if err == nil {
		err = op.Plan.Override(op.Overrides)
	}
	if err == nil && (op.Access == Members || op.Access == Operators) != (op.Scope != "") {
		err = errors.New("a scope is required if Access is Members or Operators, and not allowed otherwise")
	}
	if err != nil {
		panic(fmt.Sprintf("operation %s: %v", op.Name, err))
	}
	op.Plan.Body = op.Method == http.MethodPost || op.Method == http.MethodPut || op.Method == http.MethodPatch
	op.PageFormats = op.AllFormats(false)
	return op
}

// Writes reports whether the operation has a method other than GET.
func (o *Operation) Writes() bool { return o.Method != http.MethodGet }

// ChangesNothing reports whether the operation changes nothing.
func (o *Operation) ChangesNothing() bool { return o.ReadOnly || !o.Writes() }

// ExtraCost returns the number of requests that a call counts as, in addition to the
// one it is.
func (o *Operation) ExtraCost(in *bind.Bound) int {
	if o.Cost == nil {
		return 0
	}
	return max(o.Cost(&in.In)-1, 0)
}

// Tool reports whether the operation is an MCP tool.
func (o *Operation) Tool() bool { return o.Path != "" && !o.NoTool }

// Published reports whether the API documentation includes the operation: if it is listed
// and has an API path, or is open.
func (o *Operation) Published() bool { return o.Path != "" && !o.Unlisted || o.Open() }

// Open reports whether the operation is a listed read that everybody may call.
func (o *Operation) Open() bool { return o.Access == Everybody && !o.Writes() && !o.Unlisted }

// ForOperators reports whether only operators may call the operation.
func (o *Operation) ForOperators() bool { return o.Access == Operators }

// AllFormats returns the formats of the operation in the API or as a page, the
// default first.
func (o *Operation) AllFormats(api bool) []Format {
	first := []Format{HTML, Markdown, JSON}
	if api {
		first = []Format{JSON, Markdown, HTML}
	}
	return append(first, o.Formats...)
}

// OutputType returns the type of the operation's page, without the pointer.
func (o *Operation) OutputType() reflect.Type { return o.Out }

// ID returns the operationId in OpenAPI: "searchListings".
func (o *Operation) ID() string {
	words := strings.Split(o.Name, "_")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// inExample reports whether a parameter is in the query of every example.
func (o *Operation) inExample(p *bind.Param) bool {
	return p.InQuery() && !o.Plan.Body && (p.Required || slices.Contains(o.Exampled, p.Name))
}

// TagExamples returns the example values in the tags of In, by parameter name.
func (o *Operation) TagExamples() map[string]string {
	values := o.Plan.Examples()
	for i := range o.Plan.Params {
		if p := &o.Plan.Params[i]; o.Exampled != nil && p.InQuery() && !slices.Contains(o.Exampled, p.Name) {
			delete(values, p.Name)
		}
	}
	return values
}

// ParameterDescriptions returns the descriptions of the operation's parameters by
// name.
func (o *Operation) ParameterDescriptions() map[string]string {
	all := map[string]string{}
	for i := range o.Plan.Params {
		all[o.Plan.Params[i].Name] = english.Sentence(o.Plan.Params[i].Description)
	}
	return all
}

// MustHaveFormats panics if the page does not implement a format of the operation.
func (o *Operation) MustHaveFormats() {
	page := newPage(o)
	for _, f := range o.Formats {
		_, csv := page.(CSVPage)
		_, svg := page.(SVGPage)
		_, feed := page.(FeedPage)
		if f == CSV && !csv || f == SVG && !svg || f.Feed() && !feed || f <= JSON {
			panic(fmt.Sprintf("operation %s: its page has no %s format", o.Name, f))
		}
	}
}

// newPage returns a zero value of the operation's page type.
func newPage(o *Operation) Page { return reflect.New(o.Out).Interface().(Page) }

// AllFaults adds the field errors that the operation's Check finds to an error of
// binding, so that one response lists all of them.
func (o *Operation) AllFaults(ctx context.Context, in *bind.Bound, bindErr error) error {
	var first, more *problem.Error
	if o.Check == nil || in.In == nil || !errors.As(bindErr, &first) || len(first.Fields) == 0 || !errors.As(o.Check(ctx, &in.In), &more) {
		return bindErr
	}
	all := bind.FieldErrors(bind.FieldErrorsOf(first))
	all.AddErr("", more)
	return all.Err()
}

// InputSchema returns the schema of the operation's parameters as one object.
func (o *Operation) InputSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for i := range o.Plan.Params {
		p := &o.Plan.Params[i]
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
		property := p.Schema.CloneSchemas()
		property.Description = p.Description
		s.Properties[p.Name] = property
	}
	if o.AcceptsKey() {
		s.Properties[KeyArgument] = KeySchema(KeyDescription)
	}
	return s
}

// Success returns the status of a successful response.
func (o *Operation) Success() int {
	if o.Creates {
		return http.StatusCreated
	}
	return http.StatusOK
}

// FiberPath returns a path in the syntax of the router: "/gear/:brand".
func FiberPath(path string) string { return bind.PathName.ReplaceAllString(path, ":$1") }

// Authorize returns an error if the caller may not call the operation.
func (o *Operation) Authorize(c *Caller) error {
	switch {
	case c.Unknown && o.Access == Everybody && !o.Writes():
		return nil // as anonymous
	case c.AuthErr != nil && !o.Live:
		return c.AuthErr
	case o.Access == Everybody:
		return nil
	case c.Identity == nil:
		return ErrUnauthenticated
	case o.Writes() && c.Suspended && o.Access != SignedIn:
		return ErrSuspended
	case o.Access == SignedIn && !c.Session:
		return errSessionOnly
	case o.Access == Operators && !slices.Contains(c.Staff, o.Scope):
		return errNotOperator
	case o.Scope != "" && !slices.Contains(c.Scopes, o.Scope):
		return &problem.Error{Kind: problem.Forbidden, Code: "insufficient_scope",
			Message: problem.Programf("This needs a token with the scope %s; the token has %q.", o.Scope, c.Scopes),
			Hint:    problem.Programf("Create a token with the scope %s at /account/tokens.", o.Scope)}
	}
	return nil
}

// An idempotency key is sent in a header field, or as an argument of a tool.
const (
	KeyHeader      = "Idempotency-Key"
	KeyArgument    = "idempotency_key"
	KeyReplayed    = "Idempotency-Replayed"
	maxKeyLength   = 255
	KeyDescription = "identifies this write, such as a new UUID: a retry with the same key within 24 hours is not executed again and gets the first response"
	KeyExample     = "6f1c0a52-8a3e-4c55-9d0f-2f6f0d3b7a11"
)

// AcceptsKey reports whether the operation accepts an idempotency key.
func (o *Operation) AcceptsKey() bool {
	return o.Writes() && o.Path != "" && (o.Access == Members || o.Access == Operators)
}

// NeedsKey reports whether doing the operation twice would do more than doing it once, so
// that a retry needs an idempotency key. Other writes accept one too.
func (o *Operation) NeedsKey() bool { return o.AcceptsKey() && o.Creates }

// KeySchema returns the schema of an idempotency key.
func KeySchema(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1), MaxLength: jsonschema.Ptr(maxKeyLength), Description: description}
}

// What operations say of their input, from package bind.
type (
	Upload      = bind.Upload
	FieldErrors = bind.FieldErrors
)

// InvalidField reports an invalid value of a field: see bind.InvalidField.
var InvalidField = bind.InvalidField
