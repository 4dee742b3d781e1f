package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
)

// confirmation names the question whether the person agrees to a call.
const confirmation = "confirm"

// ask returns a result that makes the client ask the person, if the operation commits them and
// the client can. It returns nil if they have agreed, or if the client can't ask, and an error
// if they have not. If what they are asked has changed, they are asked again.
func ask(ctx context.Context, op *web.Operation, in *bind.Bound, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if op.Confirm == nil || !canAsk(call.ClientCapabilities()) {
		return nil, nil
	}
	question, err := op.Confirm(ctx, &in.In)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(question))
	state := hex.EncodeToString(sum[:])
	answer, _ := call.Params.InputResponses[confirmation].(*mcp.ElicitResult)
	if answer == nil || call.Params.RequestState != state {
		form := &mcp.ElicitParams{Mode: "form", Message: question, RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{confirmation: form}, RequestState: state}, nil
	}
	if answer.Action != "accept" {
		return nil, web.NewError("not_confirmed")
	}
	return nil, nil
}

// canAsk reports whether a client can ask the person with a form. Clients of protocol versions
// before 2026-07-28 say so only when they initialize, which this server doesn't remember.
func canAsk(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}
