package mcp

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/problem"
)

// ToolsFor returns the tools that a caller may call, of toolsets, separated by commas, or, if
// there are none, the first of all.
func (s *Endpoint) ToolsFor(c *web.Caller, toolset string) []*mcp.Tool {
	tools := []*mcp.Tool{}
	for _, t := range s.tools {
		if t.in(toolset) && slices.ContainsFunc(t.ops, func(op *web.Operation) bool { return !s.site.Hides(op) && op.Authorize(c) == nil }) {
			tools = append(tools, t.definition())
		}
	}
	limit := web.MaxTools
	if c.Identity == nil {
		limit = web.MaxAnonymousTools
	}
	if toolset == "" {
		tools = tools[:min(len(tools), limit)]
	}
	return tools
}

// in reports whether the tool belongs to one of toolsets; "" stands for all.
func (t *tool) in(toolset string) bool {
	if toolset == "" {
		return !t.Apart
	}
	return slices.ContainsFunc(toolsetsIn(toolset), func(name string) bool { return slices.Contains(t.Toolsets, name) })
}

// toolsetsIn returns the toolsets that an address names.
func toolsetsIn(given string) []string {
	return strings.FieldsFunc(given, func(r rune) bool { return r == ',' || r == ' ' })
}

// listTools is middleware that lists the tools the caller may call, in their order. The
// SDK lists all tools by name. A call of an operation that is an action of a tool is
// refused with the tool's name.
func (s *Endpoint) listTools(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if list, ok := result.(*mcp.ListToolsResult); ok && err == nil {
			toolset, _ := ctx.Value(toolsetKey{}).(string)
			list.Tools = s.ToolsFor(web.CallerOf(ctx), toolset)
			if request, ok := req.(*mcp.ListToolsRequest); ok && !showsApps(request.ClientCapabilities()) {
				list.Tools = withoutApps(list.Tools)
			}
		}
		if call, ok := req.(*mcp.CallToolRequest); ok && err != nil {
			if name := call.Params.Name; s.ToolPhrase(name) != name && mayCall(s, web.CallerOf(ctx), name) { // models know operations from the documents
				err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q: call %s", name, s.ToolPhrase(name))}
			}
		}
		return result, err
	}
}

// mayCall reports whether a caller, or a member that they may become, may call an operation.
func mayCall(s *Endpoint, c *web.Caller, operation string) bool {
	return slices.ContainsFunc(s.site.API(), func(op *web.Operation) bool {
		return op.Name == operation && !s.site.Hides(op) && (op.Access != web.Operators || op.Authorize(c) == nil)
	})
}

// toolsetKey is the context key of the toolset in the address.
type toolsetKey struct{}

// toolsetParameter is the query parameter that chooses a toolset.
const toolsetParameter = "toolset"

// withToolset passes the toolset in the address to listTools.
func withToolset(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		toolset := r.URL.Query().Get(toolsetParameter)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), toolsetKey{}, toolset)))
	})
}

// checkToolset returns an error if an address names an unknown toolset.
func (s *Endpoint) checkToolset(given string) error {
	named := toolsetsIn(given)
	i := slices.IndexFunc(named, func(name string) bool { return !slices.Contains(s.site.Config.API.Toolsets, name) })
	if i < 0 {
		return nil
	}
	toolset := named[i]
	p := bind.Param{Name: toolsetParameter, Enum: s.site.Config.API.Toolsets}
	wrong := p.NotAllowed(toolset)
	if toolset == "all" {
		wrong.Hint = problem.Programf("Leave %s out for the most used tools.", toolsetParameter)
	}
	return bind.InvalidRequest([]bind.FieldError{*wrong})
}
