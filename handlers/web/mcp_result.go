package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resultOf returns the Result of an operation, or nil if its tool returns the page.
func (s *Endpoint) resultOf(op *Operation) *Result {
	var found *Result
	for i := range s.site.Results {
		if r := &s.site.Results[i]; r.page == op.out && (r.writes && !op.readOnly() || !r.writes && found == nil) {
			found = r
		}
	}
	return found
}

// resultType returns the type whose JSON encoding is the structured content of an
// operation's tool, without the pointer.
func (s *Endpoint) resultType(op *Operation) reflect.Type {
	if r := s.resultOf(op); r != nil {
		return r.out
	}
	return op.out
}

// detailOption is the option of reads to return the whole page.
type detailOption struct {
	Detail string `json:"detail,omitempty" enum:"full" jsonschema:"full: everything"`
}

var detailPlan = must(planFor(reflect.TypeFor[detailOption]()))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// hasDetail reports whether the tool of an operation has detailOption.
func (s *Endpoint) hasDetail(op *Operation) bool { return s.resultOf(op) != nil && op.readOnly() }

// optionParams returns the parameters of the options of an operation's tool.
func (s *Endpoint) optionParams(op *Operation) []param {
	var params []param
	if r := s.resultOf(op); r != nil {
		params = append(params, r.options.params...)
	}
	if s.hasDetail(op) {
		params = append(params, detailPlan.params...)
	}
	return params
}

// ToolInput returns the schema of the arguments of an operation's tool: the operation's
// parameters and the options of its result.
func (s *Endpoint) ToolInput(op *Operation) *jsonschema.Schema {
	input := op.InputSchema()
	for _, p := range s.optionParams(op) {
		schema := s.site.Vocabulary.schemaOf(&p)
		schema.Description = p.Description
		input.Properties[p.Name] = schema
	}
	return input
}

// bindTool binds the arguments of an operation's tool. It returns the operation's input,
// even if some of it is invalid, and a function that renders the operation's page as the arguments ask for.
func (s *Endpoint) bindTool(op *Operation, req *request) (in *bound, render func(Page) (*mcp.CallToolResult, error), err error) {
	// One plan binds both, so that all invalid arguments are reported at once. Its input
	// is a struct of the operation's input, the options of the result and detailOption.
	r := s.resultOf(op)
	plans := []*bindPlan{op.plan}
	if r != nil {
		plans = append(plans, r.options)
	}
	if s.hasDetail(op) {
		plans = append(plans, detailPlan)
	}
	all, err := joinPlans(plans).bindRequest(req, true)
	if all.in == nil {
		return &all, nil, err
	}
	part := func(i int) any { return reflect.ValueOf(all.in).Elem().Field(i).Addr().Interface() }
	in = &bound{in: part(0)}
	if err != nil {
		return in, nil, err
	}
	full := s.hasDetail(op) && part(2).(*detailOption).Detail == "full"
	return in, func(page Page) (*mcp.CallToolResult, error) {
		if r == nil || full {
			return s.pageResult(page)
		}
		return s.shortResult(r.make(page, part(1)))
	}, nil
}

// joinPlans returns a plan that binds to a struct with a field for the input of each
// plan.
func joinPlans(plans []*bindPlan) *bindPlan {
	joined := &bindPlan{body: plans[0].body}
	var fields []reflect.StructField
	for i, plan := range plans {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Part%d", i), Type: plan.in})
		for _, p := range plan.params {
			p.index = slices.Concat([]int{i}, p.index)
			joined.params = append(joined.params, p)
		}
	}
	joined.in = reflect.StructOf(fields)
	return joined
}

// shortResult returns a ToolResult as MCP defines it.
func (s *Endpoint) shortResult(result ToolResult) (*mcp.CallToolResult, error) {
	structured, err := EncodeJSON(result)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := result.Text(&text); err != nil {
		return nil, err
	}
	return newToolResult(nextInJSON.ReplaceAllFunc(structured, s.nameTools), nextInText.ReplaceAllFunc(text.Bytes(), s.nameTools)), nil
}

// The next steps of a ToolResult, which name operations. In JSON text, a string cannot
// contain the name of a member.
var (
	nextInJSON = regexp.MustCompile(`"next":\[[^\]]*\]`)
	nextInText = regexp.MustCompile(`\bNext: .*`)
	stepName   = regexp.MustCompile(`\b([a-z]+(?:_[a-z]+)+)\b( \()?`)
)

// nameTools replaces the names of operations in next steps with those of their tools:
// "get_offer (id)" is "read_offers (action=get, id)".
func (s *Endpoint) nameTools(steps []byte) []byte {
	return stepName.ReplaceAllFunc(steps, func(step []byte) []byte {
		name, arguments := bytes.CutSuffix(step, []byte(" ("))
		tool, action := s.ToolOf(string(name))
		switch {
		case tool == "":
			return step
		case action == "" && arguments:
			return []byte(tool + " (")
		case action == "":
			return []byte(tool)
		case arguments:
			return []byte(tool + " (action=" + action + ", ")
		}
		return []byte(tool + " (action=" + action + ")")
	})
}

// pageResult returns a page as a tool result: its JSON, and its Markdown without links.
func (s *Endpoint) pageResult(page Page) (*mcp.CallToolResult, error) {
	structured, err := s.site.renderSafely(context.Background(), page, JSON)
	if err != nil {
		return nil, err
	}
	text, err := s.site.renderSafely(context.Background(), page, Markdown)
	if err != nil {
		return nil, err
	}
	return newToolResult(structured, compactMarkdown(text)), nil
}

func newToolResult(structured, text []byte) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		StructuredContent: json.RawMessage(structured),
		Content:           []mcp.Content{&mcp.TextContent{Text: string(text)}},
	}
}

var (
	markdownImage = regexp.MustCompile(`(?m)^- !\[.*\n`)
	markdownLink  = regexp.MustCompile(`([^\\])\]\([^()\s]+\)`)
	emptyLines    = regexp.MustCompile(`\n{3,}`)
)

// compactMarkdown returns the Markdown of a page without pictures and link targets, and
// without its section of links.
func compactMarkdown(text []byte) []byte {
	if i := bytes.LastIndex(text, []byte("\n## Next steps\n")); i >= 0 {
		text = text[:i+1]
	}
	text = markdownImage.ReplaceAll(text, nil)
	text = markdownLink.ReplaceAll(text, []byte("$1]"))
	return emptyLines.ReplaceAll(text, []byte("\n\n"))
}

// newStoredTool returns the tool result of a write with default options.
func (s *Endpoint) newStoredTool(op *Operation, page Page) (*storedTool, error) {
	result, err := s.defaultResult(op, page)
	if err != nil {
		return nil, err
	}
	return &storedTool{result.StructuredContent.(json.RawMessage), result.Content[0].(*mcp.TextContent).Text}, nil
}

// defaultResult returns the tool result of a page with default options.
func (s *Endpoint) defaultResult(op *Operation, page Page) (*mcp.CallToolResult, error) {
	r := s.resultOf(op)
	if r == nil {
		return s.pageResult(page)
	}
	options, err := r.options.bindRequest(&request{}, true)
	if err != nil {
		return nil, err
	}
	return s.shortResult(r.make(page, options.in))
}

// ToolResult returns what the tool of an operation returns for a page, with default
// options.
func (s *Endpoint) ToolResult(op *Operation, page Page) (*mcp.CallToolResult, error) {
	return s.defaultResult(op, page)
}

// replayTool returns the tool result for a write that was done before.
func replayTool(previous *storedResult) *mcp.CallToolResult {
	result := newToolResult(previous.Formats[JSON], compactMarkdown(previous.Formats[Markdown]))
	if tool := previous.Tool; tool != nil {
		result = newToolResult(tool.Structured, []byte(tool.Text))
	}
	result.Meta = mcp.Meta{"io.github.secondlight/idempotency-replayed": true}
	return result
}

// runTool binds the arguments of a tool, runs its operation and returns the result.
func (s *Endpoint) runTool(ctx context.Context, op *Operation, arguments json.RawMessage) (_ *mcp.CallToolResult, err error) {
	ctx, done := s.observeTool(ctx, op)
	defer func() { done(err) }()
	if err := op.authorize(CallerOf(ctx)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, operationTimeout)
	defer cancel()
	pairs, err := parseJSONObject(arguments, op.plan)
	if err != nil {
		return nil, err
	}
	key, pairs := op.cutKeyArgument(pairs)
	req := &request{pairs: pairs}
	in, render, err := s.bindTool(op, req)
	if err == nil {
		err = s.host.Charge(CallerOf(ctx), op.extraCost(in))
	}
	if err != nil {
		return nil, op.allFaults(ctx, in, err)
	}
	page, previous, err := s.site.doIdempotent(ctx, op, key, req, JSON, func(ctx context.Context) (Page, error) { return op.Do(ctx, &in.in) })
	if err != nil {
		return nil, err
	}
	if previous != nil {
		return replayTool(previous), nil
	}
	if released, ok := page.(ReleasedPage); ok {
		defer released.Release()
	}
	return render(page)
}
