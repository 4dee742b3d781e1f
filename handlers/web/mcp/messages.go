package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/secondlight/secondlight/handlers/web"
)

// mcpMiddleware wraps the handling of every message. It cancels the context when the
// client disconnects, ends subscriptions when the server shuts down, and turns a
// panic into an error response.
func (s *Endpoint) mcpMiddleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				s.site.Log.Error("handle MCP message", "request_id", requestIDOf(req), "method", method, "err", web.PanicError(r))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: web.NewError("internal_error").Message.String()}
			}
		}()
		ctx, cancel := web.WithDisconnect(ctx)
		defer cancel()
		if method == listenMethod {
			defer context.AfterFunc(s.host.Stopping, cancel)()
		}
		result, err = next(ctx, method, req)
		if initialized, ok := result.(*mcp.InitializeResult); ok {
			initialized.Capabilities = withoutSubscribe(initialized.Capabilities)
		}
		return result, err
	}
}

// requestIDOf returns the id of the HTTP request that carried a message.
func requestIDOf(req mcp.Request) string {
	if extra := req.GetExtra(); extra != nil {
		return extra.Header.Get("X-Request-Id")
	}
	return ""
}

// withoutSubscribe returns the capabilities for clients of older protocol versions: their
// subscriptions need a session, which this server doesn't keep.
func withoutSubscribe(c *mcp.ServerCapabilities) *mcp.ServerCapabilities {
	if c == nil || c.Resources == nil {
		return c
	}
	older, resources := *c, *c.Resources
	resources.Subscribe = false
	older.Resources = &resources
	return &older
}

// listenMethod is the method of a request for subscriptions. Its response is a stream of
// notifications (protocol version 2026-07-28).
const listenMethod = "subscriptions/listen"

// rpcError returns err as a JSON-RPC error whose data is the error response.
func (s *Endpoint) rpcError(req mcp.Request, err error) error {
	p := s.site.Problem(err, requestIDOf(req))
	s.speakTools(p)
	code := int64(jsonrpc.CodeInvalidParams)
	if p.Status >= 500 {
		s.site.Log.Error("handle MCP message", "request_id", p.RequestID, "err", err)
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: p.Message.String(), Data: web.EncodePage(s.site.Layout.Problem(p))}
}
