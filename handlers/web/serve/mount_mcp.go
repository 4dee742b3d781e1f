package serve

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
)

// MountMCP serves the MCP server that build returns at a path: see Endpoint.Handler. The
// rate limits and errors of the API apply. It must be called before Listen.
func (s *Server) MountMCP(path string, build func() *mcp.Server) {
	handler := s.Endpoint.Handler(build)
	s.app.Post(path, handler)
	if path == web.MCPPath && s.Scopes != nil {
		s.app.Post(web.MCPMemberPath, handler)
	}
}
