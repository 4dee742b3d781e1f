package web

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/secondlight/secondlight/static"
)

// MCPProtocols are the supported MCP protocol versions, newest first.
var MCPProtocols = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// MCPCapabilities returns the capabilities of the MCP server.
func MCPCapabilities() *mcp.ServerCapabilities {
	return &mcp.ServerCapabilities{
		Tools:       &mcp.ToolCapabilities{},
		Resources:   &mcp.ResourceCapabilities{Subscribe: true},
		Prompts:     &mcp.PromptCapabilities{},
		Completions: &mcp.CompletionCapabilities{},
	}
}

// Icons returns the icon of the operations with a tag, or that of the site if there
// is none.
func Icons(baseURL, tag string) []mcp.Icon {
	name := "icons/" + strings.ToLower(tag) + ".svg"
	if _, ok := static.ByName(name); !ok {
		name = "favicon.svg"
	}
	return []mcp.Icon{{Source: baseURL + static.Path(name), MIMEType: "image/svg+xml", Sizes: []string{"any"}}}
}

// Limits of a list of tools: clients and models refuse or misread long ones.
const (
	MaxAnonymousTools = 12
	MaxTools          = 25
)
