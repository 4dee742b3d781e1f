package serve

import (
	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
)

// MountMCP serves the MCP server that build returns at a path: see Endpoint.Handler. The
// rate limits and errors of the API apply. It must be called before Listen.
func (s *Server) MountMCP(path string, build func() *mcp.Server) {
	handler := s.Endpoint.Handler(build)
	post := func(c *fiber.Ctx) error {
		err := handler(c)
		state := web.StateOf(c.Context())
		state.Quota = s.limiter.Charge(state.Client, s.apiPolicy, 0, state.At) // with what the tools cost
		return err
	}
	s.app.Post(path, post)
	if path == web.MCPPath && s.Scopes != nil {
		s.app.Post(web.MCPMemberPath, post)
	}
}
