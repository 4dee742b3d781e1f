package mcp

import (
	"bytes"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/problem"
)

// How long clients may cache lists, in milliseconds. Those of resources and prompts
// change only with the program, those of tools also with what the member's token allows.
const (
	mcpListTTL = 3600_000
	mcpToolTTL = 300_000
)

// NewMCP returns an MCP server with the tools of all API operations, a resource for every
// public page, and the apps. The caller adds prompts.
func (s *Endpoint) NewMCP() *mcp.Server {
	server := mcp.NewServer(s.site.Config.API.Implementation(), &mcp.ServerOptions{
		Instructions:      s.site.Config.API.Instructions,
		CompletionHandler: s.completeArgument,
		Capabilities:      web.MCPCapabilities(),
		SetCacheable: func(ctx context.Context, req mcp.Request, c *mcp.Cacheable) {
			if c.CacheScope = "public"; web.MemberID(ctx) != "" {
				c.CacheScope = "private"
			}
			switch req := req.(type) {
			case *mcp.ReadResourceRequest: // pages are not cached, as over HTTP
				if strings.HasPrefix(req.Params.URI, appScheme) {
					c.TTLMs = mcpListTTL
				}
			case *mcp.ListToolsRequest:
				c.TTLMs = mcpToolTTL
			default:
				c.TTLMs = mcpListTTL
			}
		},
	})
	for _, t := range s.tools {
		server.AddTool(t.definition(), s.handlerOf(t))
	}
	server.AddReceivingMiddleware(s.listTools)
	s.addSchemas(server)
	for i := range s.site.Config.API.Apps {
		s.addApp(server, &s.site.Config.API.Apps[i])
	}
	for i := range s.site.Ops {
		op := &s.site.Ops[i]
		if op.Page != "" && op.Open() {
			s.addResources(server, op)
		}
	}
	return server
}

// namedMCP builds an MCP server, and again when the name of the site changes.
type namedMCP struct {
	build func() *mcp.Server

	mu     sync.Mutex
	name   string
	server *mcp.Server
}

// get returns the server of the site with a name.
func (m *namedMCP) get(name string) *mcp.Server {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.server == nil || m.name != name {
		m.name, m.server = name, m.build()
	}
	return m.server
}

// Handler returns the handler of the MCP endpoint, which serves the MCP server that build
// returns over streamable HTTP; the first request builds it. It supports protocol version
// 2026-07-28, which is stateless, and older clients, which send initialize.
func (s *Endpoint) Handler(build func() *mcp.Server) fiber.Handler {
	named := &namedMCP{build: func() *mcp.Server {
		server := build()
		server.AddReceivingMiddleware(s.mcpMiddleware)
		return server
	}}
	serverOf := func(r *http.Request) *mcp.Server {
		if s.listens(r) {
			return s.listenServer()
		}
		return named.get(s.site.Name())
	}
	options := mcp.StreamableHTTPOptions{
		Stateless: true,
		// The protection against DNS rebinding is needed only for a server on a
		// loopback address. Behind a local proxy it would reject every request,
		// since they arrive from a loopback address with the public host name.
		DisableLocalhostProtection: !isLoopback(s.site.BaseURL),
		// The body has been read already, within the limit that applies to the caller.
		MaxRequestBodyBytes: web.UploadBytes,
	}
	plain := options
	plain.JSONResponse = true
	handler := mcp.NewStreamableHTTPHandler(serverOf, &options)
	stream := s.host.Stream(withToolset(tolerant(handler, mcp.NewStreamableHTTPHandler(serverOf, &plain))))
	return func(c *fiber.Ctx) error {
		if err := web.StateOf(c.Context()).Caller.AuthErr; err != nil {
			return err
		}
		if err := s.checkToolset(c.Query(toolsetParameter)); err != nil {
			return err
		}
		body := bytes.TrimLeft(c.Context().Request.Body(), " \t\r\n")
		if len(body) > 0 && body[0] == '[' {
			return errBatch
		}
		if err := bind.CheckJSONSize(body); err != nil {
			return err
		}
		if denied, err := s.denyMCP(c, body); denied || err != nil {
			return err
		}
		if string(c.Request().Header.Peek("Mcp-Method")) == listenMethod {
			return s.serveListen(c, handler)
		}
		err := stream(c)
		s.host.ReadQuota(c.Context())
		return err
	}
}

// errBatch is the error for JSON-RPC batches. The protocol has removed them, and one
// request could carry thousands of calls past the rate limit.
var errBatch = &problem.Error{Kind: problem.Invalid, Code: "bad_request",
	Message: problem.Programf("JSON-RPC batches aren't supported."),
	Hint:    problem.Programf("Send each message in a separate request.")}

// isLoopback reports whether the host of a URL is reachable from this machine only.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// NewEndpoint returns the endpoint of a site. Call Define when the operations are mounted.
func NewEndpoint(site *web.Site, host Host) *Endpoint {
	s := &Endpoint{site: site, host: host}
	site.StoreTool = s.newStoredTool
	return s
}
