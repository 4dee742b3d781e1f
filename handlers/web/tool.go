package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/secondlight/secondlight/handlers/web/bind"
)

// Tool defines a tool of the MCP server: one operation, or several of one kind, among
// which the argument action chooses. An operation without a Tool has a tool of its own,
// unless it has NoTool.
type Tool struct {
	// Name is the name of the tool. It is also that of the operation, unless the tool has
	// actions.
	Name string
	// Title and Description replace those of the operation. Tools with actions need them.
	// A description says what the tool does, when to use it and when not, for a model
	// that has to choose among tools.
	Title, Description string
	// Actions are the operations of the tool; nil for one operation. They must have the
	// same Access and Scope, so that a caller may use all of them or none.
	Actions []Action
	// Toolsets are the sets that the tool belongs to.
	Toolsets []string
	// Arguments are descriptions of arguments by name, where those of the parameters are
	// too long or differ between actions.
	Arguments map[string]string
	// Omit are arguments that the tool accepts but does not list, because others say the
	// same.
	Omit []string
	// App is the URI of the App that shows the tool's results; "" for none.
	App string
	// Apart is set for tools that only lists of their toolsets have.
	Apart bool
}

// Action is one of the operations of a Tool, which may have several actions of one
// operation.
type Action struct {
	Name, Operation string
	Preset          map[string]string // arguments that the action stands for; nil for none
}

// App is an HTML document in which a client shows the result of a tool to a person. It
// gets the result from the client, and may load pictures from the site and nothing else.
type App struct {
	URI         string // "ui://secondlight/search"; tools name it
	Title       string
	Description string
	HTML        string
}

// A ToolResult is what a tool returns to a model instead of a page: the facts that a
// decision needs. Its JSON encoding is the structured content.
type ToolResult interface {
	// Text writes the text content as Markdown, for clients that show a model only text.
	Text(w io.Writer) error
}

// Result derives the ToolResult of the tools whose operations return a page type. See
// ResultOf.
type Result struct {
	Page    reflect.Type // page type, without the pointer
	Out     reflect.Type // ToolResult type, without the pointer
	Writes  bool         // applies to writes only
	Options *bind.Plan   // additional arguments of the tools
	Make    func(page Page, options any) ToolResult
}

// ResultOf returns the Result of the page type P. Each exported field of Options is an
// argument of the tools, defined by the same tags as a parameter of an operation. It
// panics if a tag is invalid.
func ResultOf[P Page, Options any, R ToolResult](shorten func(P, *Options) R) Result {
	plan, err := bind.PlanFor(reflect.TypeFor[Options]())
	if err != nil {
		panic(fmt.Sprintf("options of %s: %v", reflect.TypeFor[R](), err))
	}
	return Result{Page: reflect.TypeFor[P]().Elem(), Out: reflect.TypeFor[R]().Elem(), Options: plan,
		Make: func(page Page, options any) ToolResult { return shorten(page.(P), options.(*Options)) }}
}

// ForWrites returns r for writes only. They have no option to return the whole page.
func (r Result) ForWrites() Result {
	r.Writes = true
	return r
}

// Updates reports when pages change.
type Updates interface {
	// Subscribe returns a function that calls updated with the path of each page, among
	// paths, that changes from now on, until ctx is done or updated returns an error. It
	// returns an error if the caller may not read one of the pages.
	Subscribe(ctx context.Context, paths []string) (follow func(ctx context.Context, updated func(path string) error) error, err error)
}

// Completer completes arguments whose values the operations do not define.
type Completer interface {
	// Complete returns the values of an argument that match text, best first, given the
	// values chosen for other arguments. It reports false for an argument that it does
	// not know.
	Complete(argument, text string, chosen map[string]string) (values []string, ok bool)
}

// MaxCompletions is the maximum number of values in a completion. The protocol
// defines it.
const MaxCompletions = 100

// Matching returns the candidates that start with text, then those that contain it.
// The candidates must be in lower case.
func Matching(candidates []string, text string) []string {
	text = strings.ToLower(text)
	begin, contain := []string{}, []string{}
	for _, c := range candidates {
		switch {
		case strings.HasPrefix(c, text):
			begin = append(begin, c)
		case strings.Contains(c, text):
			contain = append(contain, c)
		}
	}
	return append(begin, contain...)
}

// ToolDoc documents a tool.
type ToolDoc struct {
	Name, Title, Description string
	Toolsets                 []string
	Operations               []*Operation // one for each action
	Actions                  []string     // nil for a tool of one operation
}

// StoredTool is a tool result as stored under an idempotency key.
type StoredTool struct {
	Structured json.RawMessage
	Text       string
}
