package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
)

// The extension MCP Apps: https://github.com/modelcontextprotocol/ext-apps.
const (
	appExtension = "io.modelcontextprotocol/ui"
	appMediaType = "text/html;profile=mcp-app"
	appScheme    = "ui://"
	appKey       = "ui" // of metadata
)

// addApp adds the document of an app as a resource.
func (s *Endpoint) addApp(server *mcp.Server, app *web.App) {
	meta := mcp.Meta{appKey: map[string]any{
		"csp":           map[string]any{"resourceDomains": []string{s.site.BaseURL}},
		"prefersBorder": true,
	}}
	resource := &mcp.Resource{URI: app.URI, Name: strings.TrimPrefix(app.URI, appScheme), Title: app.Title, Description: app.Description,
		MIMEType: appMediaType, Icons: s.icons(""), Meta: meta}
	server.AddResource(resource, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: app.URI, MIMEType: appMediaType, Text: app.HTML, Meta: meta}}}, nil
	})
}

// showsApps reports whether a client may show apps. Clients of protocol versions before
// 2026-07-28 say so only when they initialize, which this server doesn't remember, so
// they may.
func showsApps(c *mcp.ClientCapabilities) bool {
	if c == nil {
		return true
	}
	var settings struct {
		MIMETypes []string `json:"mimeTypes"`
	}
	text, err := json.Marshal(c.Extensions[appExtension])
	return err == nil && json.Unmarshal(text, &settings) == nil && slices.Contains(settings.MIMETypes, appMediaType)
}

// withoutApps returns tools without the metadata of their apps.
func withoutApps(tools []*mcp.Tool) []*mcp.Tool {
	plain := slices.Clone(tools)
	for i, t := range plain {
		if t.Meta[appKey] != nil {
			copied := *t
			copied.Meta = maps.Clone(t.Meta)
			delete(copied.Meta, appKey)
			plain[i] = &copied
		}
	}
	return plain
}
