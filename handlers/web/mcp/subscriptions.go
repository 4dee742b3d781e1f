package mcp

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
)

// maxSubscriptions is the number of resources that one request may subscribe to.
const maxSubscriptions = 100

// listens reports whether an HTTP request is one for subscriptions. The SDK rejects
// those whose body has another method than their header.
func (s *Endpoint) listens(r *http.Request) bool {
	return s.site.Updates != nil && r.Header.Get("Mcp-Method") == listenMethod
}

// serveListen serves a request for subscriptions, which counts as a stream of its client.
func (s *Endpoint) serveListen(c *fiber.Ctx, handler http.Handler) error {
	release, err := s.host.OpenStream(web.StateOf(c.Context()).Client)
	if err != nil {
		return err
	}
	access := s.host.WatchAccess(c.Context())
	err = s.host.Stream(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer release()
		handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accessKey{}, access)))
	}))(c)
	if err != nil {
		release()
	}
	return err
}

// listenServer returns an MCP server for one request for subscriptions. As it has no
// other clients, one that reads slowly delays nobody.
func (s *Endpoint) listenServer() *mcp.Server {
	accept := func(context.Context, *mcp.SubscribeRequest) error { return nil } // followUpdates has checked it
	server := mcp.NewServer(s.site.Config.API.Implementation(), &mcp.ServerOptions{
		Capabilities: web.MCPCapabilities(), SubscribeHandler: accept,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	server.AddReceivingMiddleware(s.mcpMiddleware, s.followUpdates(server))
	return server
}

// followUpdates returns the middleware that sends the notifications of subscriptions.
func (s *Endpoint) followUpdates(server *mcp.Server) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			listen, ok := req.(*mcp.SubscriptionsListenRequest)
			if !ok || listen.Params == nil || listen.Params.Notifications == nil {
				return next(ctx, method, req)
			}
			uris := map[string][]string{} // by path
			for _, uri := range listen.Params.Notifications.ResourceSubscriptions {
				path := s.pagePath(uri)
				uris[path] = append(uris[path], uri)
			}
			if len(listen.Params.Notifications.ResourceSubscriptions) > maxSubscriptions {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("At most %d resources can be subscribed to at once.", maxSubscriptions)}
			}
			paths := make([]string, 0, len(uris))
			for path := range uris {
				paths = append(paths, path)
			}
			follow, err := s.site.Updates.Subscribe(ctx, paths)
			if err != nil {
				return nil, s.rpcError(req, err)
			}
			ctx, cancel := context.WithCancel(ctx)
			var work sync.WaitGroup
			defer work.Wait()
			defer cancel()
			work.Go(func() {
				defer cancel()
				defer endWithAccess(ctx, cancel)()
				err := follow(ctx, func(path string) error {
					if !mayStream(ctx) {
						return web.ErrStreamEnded
					}
					for _, uri := range uris[path] {
						if err := server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil && ctx.Err() == nil && err != web.ErrStreamEnded {
					s.site.Log.Error("follow subscriptions", "request_id", requestIDOf(req), "err", err)
				}
			})
			return next(ctx, method, req)
		}
	}
}

// pagePath returns the path of the page that a URI of a resource stands for: its own in
// any format, or an address in the API of the same operation.
func (s *Endpoint) pagePath(uri string) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(uri, s.site.BaseURL), "?")
	for i := range s.site.Ops {
		if op := &s.site.Ops[i]; op.Path != "" && op.Page != "" && !op.Writes() && web.MatchesPattern(op.Path, path) {
			values := web.PathValues(op.Path, path)
			return bind.PathName.ReplaceAllStringFunc(op.Page, func(name string) string { return values[strings.Trim(name, "{}")] })
		}
	}
	for _, format := range resourceFormats {
		path = strings.TrimSuffix(path, format.Suffix())
	}
	return path
}

// accessKey is the context key of the function of a stream that watchAccess returns.
type accessKey struct{}

// mayStream reports whether the credentials of a stream are still valid.
func mayStream(ctx context.Context) bool {
	access, ok := ctx.Value(accessKey{}).(func(context.Context) bool)
	return !ok || access(ctx)
}

// endWithAccess calls cancel when the credentials of a stream are no longer valid, until
// stop is called.
func endWithAccess(ctx context.Context, cancel func()) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(web.StreamInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if !mayStream(ctx) {
					cancel()
				}
			}
		}
	}()
	return end
}
