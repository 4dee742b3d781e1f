package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/problem"
)

// resultOf returns the Result of an operation, or nil if its tool returns the page.
func (s *Endpoint) resultOf(op *web.Operation) *web.Result {
	var found *web.Result
	for i := range s.site.Results {
		if r := &s.site.Results[i]; r.Page == op.Out && (r.Writes && !op.ChangesNothing() || !r.Writes && found == nil) {
			found = r
		}
	}
	return found
}

// resultType returns the type whose JSON encoding is the structured content of an
// operation's tool, without the pointer.
func (s *Endpoint) resultType(op *web.Operation) reflect.Type {
	if r := s.resultOf(op); r != nil {
		return r.Out
	}
	return op.Out
}

// detailOption is the option of reads to return the whole page.
type detailOption struct {
	Detail string `json:"detail,omitempty" enum:"full" jsonschema:"full: everything"`
}

var detailPlan = must(bind.PlanFor(reflect.TypeFor[detailOption]()))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// hasDetail reports whether the tool of an operation has detailOption.
func (s *Endpoint) hasDetail(op *web.Operation) bool {
	return s.resultOf(op) != nil && op.ChangesNothing()
}

// optionParams returns the parameters of the options of an operation's tool.
func (s *Endpoint) optionParams(op *web.Operation) []bind.Param {
	var params []bind.Param
	if r := s.resultOf(op); r != nil {
		params = append(params, r.Options.Params...)
	}
	if s.hasDetail(op) {
		params = append(params, detailPlan.Params...)
	}
	return params
}

// ToolInput returns the schema of the arguments of an operation's tool: the operation's
// parameters and the options of its result.
func (s *Endpoint) ToolInput(op *web.Operation) *jsonschema.Schema {
	input := op.InputSchema()
	for _, p := range s.optionParams(op) {
		schema := s.site.Vocabulary.ParamSchema(&p)
		schema.Description = p.Description
		input.Properties[p.Name] = schema
	}
	return input
}

// toolPlan returns the plan that binds all arguments of an operation's tool, so that all
// that are invalid are reported at once. Its input is a struct of the operation's input, the
// options of the result and detailOption.
func (s *Endpoint) toolPlan(op *web.Operation) *bind.Plan {
	plans := []*bind.Plan{op.Plan}
	if r := s.resultOf(op); r != nil {
		plans = append(plans, r.Options)
	}
	if s.hasDetail(op) {
		plans = append(plans, detailPlan)
	}
	return bind.JoinPlans(plans)
}

// bindTool binds the arguments of an operation's tool by its plan. It returns the operation's input,
// even if some of it is invalid, and a function that renders the operation's page as the arguments ask for.
func (s *Endpoint) bindTool(op *web.Operation, plan *bind.Plan, req *bind.Request) (in *bind.Bound, render func(web.Page) (*mcp.CallToolResult, error), err error) {
	r := s.resultOf(op)
	all, err := plan.BindRequest(req, true)
	if all.In == nil {
		return &all, nil, err
	}
	part := func(i int) any { return reflect.ValueOf(all.In).Elem().Field(i).Addr().Interface() }
	in = &bind.Bound{In: part(0)}
	if err != nil {
		return in, nil, err
	}
	full := s.hasDetail(op) && part(2).(*detailOption).Detail == "full"
	return in, func(page web.Page) (*mcp.CallToolResult, error) {
		if r == nil || full {
			return s.pageResult(page)
		}
		return s.shortResult(r.Make(page, part(1)))
	}, nil
}

// shortResult returns a ToolResult as MCP defines it.
func (s *Endpoint) shortResult(result web.ToolResult) (*mcp.CallToolResult, error) {
	structured, err := web.EncodeJSON(result)
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
func (s *Endpoint) pageResult(page web.Page) (*mcp.CallToolResult, error) {
	structured, err := s.site.RenderSafely(context.Background(), page, web.JSON)
	if err != nil {
		return nil, err
	}
	text, err := s.site.RenderSafely(context.Background(), page, web.Markdown)
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
func (s *Endpoint) newStoredTool(op *web.Operation, page web.Page) (*web.StoredTool, error) {
	result, err := s.defaultResult(op, page)
	if err != nil {
		return nil, err
	}
	return &web.StoredTool{Structured: result.StructuredContent.(json.RawMessage), Text: result.Content[0].(*mcp.TextContent).Text}, nil
}

// defaultResult returns the tool result of a page with default options.
func (s *Endpoint) defaultResult(op *web.Operation, page web.Page) (*mcp.CallToolResult, error) {
	r := s.resultOf(op)
	if r == nil {
		return s.pageResult(page)
	}
	options, err := r.Options.BindRequest(&bind.Request{}, true)
	if err != nil {
		return nil, err
	}
	return s.shortResult(r.Make(page, options.In))
}

// ToolResult returns what the tool of an operation returns for a page, with default
// options.
func (s *Endpoint) ToolResult(op *web.Operation, page web.Page) (*mcp.CallToolResult, error) {
	return s.defaultResult(op, page)
}

// replayTool returns the tool result for a write that was done before.
func replayTool(previous *web.StoredResult) *mcp.CallToolResult {
	result := newToolResult(previous.Formats[web.JSON], compactMarkdown(previous.Formats[web.Markdown]))
	if tool := previous.Tool; tool != nil {
		result = newToolResult(tool.Structured, []byte(tool.Text))
	}
	result.Meta = mcp.Meta{"io.github.secondlight/idempotency-replayed": true}
	return result
}

// runTool binds the arguments of a tool, runs its operation and returns the result.
func (s *Endpoint) runTool(ctx context.Context, op *web.Operation, call *mcp.CallToolRequest) (_ *mcp.CallToolResult, err error) {
	defer s.host.Measure(web.CallerOf(ctx), op)()
	ctx, done := s.observeTool(ctx, op)
	defer func() { done(err) }()
	if err := op.Authorize(web.CallerOf(ctx)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, web.OperationTimeout)
	defer cancel()
	plan := s.toolPlan(op)
	pairs, err := bind.ParseJSONObject(s.rename(op, plan, call.Params.Arguments), op.Plan)
	if err != nil {
		return nil, err
	}
	key, pairs := op.CutKeyArgument(pairs)
	req := &bind.Request{Pairs: pairs}
	in, render, err := s.bindTool(op, plan, req)
	if err == nil {
		err = s.host.Charge(web.CallerOf(ctx), op.ExtraCost(in))
	}
	if err != nil {
		return nil, op.AllFaults(ctx, in, err)
	}
	if question, err := ask(ctx, op, in, call); question != nil || err != nil {
		return question, err
	}
	page, previous, err := s.site.DoIdempotent(ctx, op, key, req, s.site.ResultIn(op, web.JSON), func(ctx context.Context) (web.Page, error) { return op.Do(ctx, &in.In) })
	if err != nil {
		return nil, err
	}
	if previous != nil {
		return replayTool(previous), nil
	}
	if released, ok := page.(web.ReleasedPage); ok {
		defer released.Release()
	}
	return render(page)
}

// rename returns the arguments of a tool with the names of the parameters that they mean. The
// name of gear is divided if brand and model are parameters.
func (s *Endpoint) rename(op *web.Operation, plan *bind.Plan, arguments json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if bind.CheckJSONSize(arguments) != nil || json.Unmarshal(arguments, &members) != nil {
		return arguments
	}
	accepts := func(name string) bool { return plan.Accepts(name, &bind.Request{}) }
	known, divided := !dropIgnored(members, plan), strings.Contains(op.Path, "{brand}/{model}")
	for name, value := range members {
		known = known && accepts(name) && string(value) != `"null"`
	}
	if known && !divided {
		return arguments
	}
	if split := s.site.Config.API.SplitName; divided && split != nil {
		splitName(members, accepts, split)
	}
	plan.Rename(members)
	renamed, err := json.Marshal(members)
	if err != nil {
		return arguments
	}
	return renamed
}

// dropIgnored removes the arguments that tools ignore, and reports whether there were any.
func dropIgnored(members map[string]json.RawMessage, plan *bind.Plan) (dropped bool) {
	for i := range plan.Params {
		if p := &plan.Params[i]; p.NoTool && members[p.Name] != nil {
			delete(members, p.Name)
			dropped = true
		}
	}
	return dropped
}

// splitName replaces the name of gear in the arguments of a tool by its brand and model.
func splitName(members map[string]json.RawMessage, accepts func(name string) bool, split func(string) (brand, model string)) {
	if members["brand"] != nil {
		return
	}
	for _, name := range []string{"model", "gear", "slug", "name", "id"} {
		var text string
		if name != "model" && accepts(name) || json.Unmarshal(members[name], &text) != nil {
			continue
		}
		if brand, model := split(text); brand != "" {
			delete(members, name)
			members["brand"], _ = json.Marshal(brand) // a string
			members["model"], _ = json.Marshal(model)
		}
		return
	}
}

// ToolHandler returns the handler of an operation's tool. An error of the operation is a
// tool result with IsError set.
func (s *Endpoint) ToolHandler(op *web.Operation) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := s.runTool(web.WithProgress(ctx, req), op, req)
		if err == nil {
			return result, nil
		}
		return s.toolError(ctx, req, err)
	}
}

// toolError returns an error as a tool result. Errors with a status of 500 or above are
// logged.
func (s *Endpoint) toolError(ctx context.Context, req *mcp.CallToolRequest, err error) (*mcp.CallToolResult, error) {
	id := requestIDOf(req)
	p := s.site.Problem(err, id)
	s.speakTools(p)
	if p.Status >= 500 && ctx.Err() == nil {
		s.site.Log.Error("call tool", "request_id", id, "tool", req.Params.Name, "err", err)
	}
	return shortError(p)
}

// ToolError is the result of a tool that failed.
type ToolError struct {
	Status     int             `json:"status" jsonschema:"status of HTTP"`
	Code       string          `json:"code" jsonschema:"stable code of the error"`
	Message    problem.Text    `json:"message" jsonschema:"what is wrong"`
	Hint       problem.Text    `json:"hint,omitempty" jsonschema:"how to repair the call"`
	Candidates []Candidate     `json:"candidates,omitempty" jsonschema:"values of the invalid argument that may have been meant, the likeliest first"`
	Errors     []ArgumentError `json:"errors,omitempty" jsonschema:"the invalid arguments, if there are several"`
	RequestID  string          `json:"request_id,omitempty" jsonschema:"for questions about errors of the server"`
}

// Candidate is a value that may have been meant.
type Candidate struct {
	Value string `json:"value"`
}

// ArgumentError is an invalid argument of a tool.
type ArgumentError struct {
	Field      string       `json:"field"`
	Code       string       `json:"code"`
	Message    problem.Text `json:"message,omitempty"`
	Candidates []string     `json:"candidates,omitempty" jsonschema:"values that may have been meant"`
}

// shortError returns a problem as a tool result.
func shortError(p *web.Problem) (*mcp.CallToolResult, error) {
	short := ToolError{Status: p.Status, Code: p.Code, Message: p.Message, Hint: p.Hint}
	if p.Status >= 500 {
		short.RequestID = p.RequestID
	}
	text := fmt.Appendf(nil, "# %s\n\n%s %s\n", p.Title, p.Message, p.Hint)
	switch {
	case len(p.Fields) > 1:
		for _, f := range p.Fields {
			short.Errors = append(short.Errors, ArgumentError(f))
			text = fmt.Appendf(text, "- %s: %s\n", f.Field, f.Message)
		}
	case len(p.Fields) == 1:
		for _, value := range p.Fields[0].Candidates {
			short.Candidates = append(short.Candidates, Candidate{value})
		}
	}
	structured, err := web.EncodeJSON(short)
	result := newToolResult(structured, text)
	result.IsError = true
	return result, err
}
