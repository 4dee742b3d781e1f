// Package mcp serves the operations of a site over the Model Context Protocol: as tools,
// resources, apps and subscriptions.
package mcp

import (
	"context"
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
)

// Endpoint is the MCP endpoint of a site: its tools, resources, apps and subscriptions.
// Create one with NewEndpoint.
type Endpoint struct {
	site  *web.Site
	host  Host
	tools []*tool // in the order in which they are listed
}

// Host is what an Endpoint needs of the server that it is part of.
type Host struct {
	Stream      func(http.Handler) fiber.Handler                          // sends what a handler flushes immediately
	OpenStream  func(limit.Client) (release func(), err error)            // counts a stream of a client
	WatchAccess func(*fasthttp.RequestCtx) func(context.Context) bool     // reports whether credentials are still valid
	Challenge   func(ctx *fasthttp.RequestCtx, code, scope string) string // WWW-Authenticate field of an error
	Charge      func(caller *web.Caller, cost int) error                  // counts requests of a tool's caller
	Measure     func(*web.Caller, *web.Operation) (stop func())           // charges the processor time of a tool until stop
	ReadQuota   func(*fasthttp.RequestCtx)                                // reads the quota of a request again, with what its tools cost
	Stopping    context.Context                                           // done when the server stops
}

// tool is a Tool and its operations, one for each action.
type tool struct {
	web.Tool
	ops        []*web.Operation
	definition func() *mcp.Tool // what tools/list says, made once
}

func (s *Endpoint) icons(tag string) []mcp.Icon { return web.Icons(s.site.BaseURL, tag) }
