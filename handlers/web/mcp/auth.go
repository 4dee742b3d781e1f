package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/problem"
)

// mcpCall is an MCP message that calls a tool.
type mcpCall struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string `json:"name"`
		Arguments struct {
			Action any `json:"action"`
		} `json:"arguments"`
	} `json:"params"`
}

// denyMCP responds to a message that its caller may not send: with 401 if it lacks a
// token, with 403 if the token lacks a scope. The WWW-Authenticate field tells an OAuth
// client what to ask the member for; the body is the result of the tool. It reports
// whether it responded, and returns an error for messages that are not tool calls.
func (s *Endpoint) denyMCP(c *fiber.Ctx, body []byte) (denied bool, err error) {
	ctx := c.Context()
	state := web.StateOf(ctx)
	var call mcpCall
	_ = json.Unmarshal(body, &call) // the MCP handler rejects what is not a message
	var op *web.Operation
	if call.Method == "tools/call" && len(call.ID) > 0 {
		op = s.toolOperation(call.Params.Name, call.Params.Arguments.Action)
	}
	if op != nil {
		err = op.Authorize(&state.Caller)
		state.Scope = s.neededScopes(&state.Caller, op.Scope)
	}
	if err == nil && state.Caller.Identity == nil && string(ctx.Path()) == web.MCPMemberPath {
		state.Scope = strings.Join(s.site.Scopes, " ")
		return false, web.ErrUnauthenticated
	}
	if perr, ok := err.(*problem.Error); !ok || perr != web.ErrUnauthenticated && perr.Code != "insufficient_scope" {
		return false, nil // the tool returns other errors
	}
	p := s.site.Problem(err, state.ID)
	challenge := s.host.Challenge(ctx, p.Code, state.Scope)
	result, err := s.pageResult(s.site.Layout.Problem(p))
	if err != nil {
		return false, err
	}
	result.IsError = true
	result.Meta = mcp.Meta{"mcp/www_authenticate": []string{challenge}}
	message, err := web.EncodeJSON(web.NewObject("jsonrpc", "2.0", "id", call.ID, "result", result))
	if err != nil {
		return false, err
	}
	c.Status(p.Status).Set("WWW-Authenticate", challenge)
	ctx.Response.Header.SetContentType(web.JSON.ContentType())
	ctx.Response.SetBodyRaw(message)
	return true, nil
}

// toolOperation returns the operation that a call of a tool runs, or nil if there is no
// such tool. Without a valid action it is the first of the tool's operations.
func (s *Endpoint) toolOperation(name string, action any) *web.Operation {
	i := slices.IndexFunc(s.tools, func(t *tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	t := s.tools[i]
	for i, a := range t.Actions {
		if a.Name == action {
			return t.ops[i]
		}
	}
	return t.ops[0]
}

// neededScopes returns the scopes that a caller has to ask for to use an operation. A
// caller without a token asks for all, since the member chooses among them, and some
// clients never ask again. Otherwise they include those of the token, which the client
// replaces with the new one.
func (s *Endpoint) neededScopes(c *web.Caller, scope string) string {
	scopes := slices.Clone(s.site.Scopes)
	if c.Identity != nil {
		scopes = slices.DeleteFunc(scopes, func(has string) bool { return !slices.Contains(c.Scopes, has) })
	}
	if !slices.Contains(scopes, scope) {
		scopes = append(scopes, scope)
	}
	return strings.Join(scopes, " ")
}
