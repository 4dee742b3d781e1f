package document

import (
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/ucp"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/static"
)

// implementation returns the name and version of the MCP server, for its card, the
// registry and connecting clients.
func (s Documents) implementation() *mcp.Implementation {
	return &mcp.Implementation{
		Name:        "io.github.secondlight/secondlight",
		Title:       s.Site.Name(),
		Description: "Used cameras and lenses for sale, and what each model really sold for.",
		Version:     APIVersion,
		WebsiteURL:  s.Site.BaseURL,
		Icons:       web.Icons(s.Site.BaseURL, ""),
	}
}

// CardType is the media type of an MCP server card.
const CardType = "application/mcp-server-card+json"

// cardFields are the header fields of server cards. They allow scripts of every
// origin to read and revalidate them.
var cardFields = []string{
	"Cache-Control", web.CacheShort,
	"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS",
	"Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match",
}

// mountWellKnown serves the documents at well-known URLs, by which programs discover
// the APIs of a host.
func (s Documents) mountWellKnown(server *serve.Server) {
	for _, path := range []string{web.MCPPath + "/server-card", "/.well-known/mcp/server-card.json", "/.well-known/mcp.json"} {
		server.MountObject(path, CardType, s.serverCard, cardFields...)
	}
	server.MountObject("/.well-known/mcp/manifest.json", web.JSON.ContentType(), s.mcpManifest, cardFields...)
	for _, path := range []string{"/.well-known/ai-catalog.json", "/.well-known/ard.json"} {
		server.MountObject(path, "application/ai-catalog+json", s.aiCatalog)
	}
	server.MountObject("/.well-known/api-catalog", linksetType, s.apiCatalog, "Link", `</.well-known/api-catalog>; rel="api-catalog"`)
	server.MountRedirect("/.well-known/change-password", "/account/settings")
	server.MountText("/.well-known/security.txt", web.PlainText, s.securityText)
}

// serverCard returns the MCP server card:
// https://modelcontextprotocol.io/seps/2127-mcp-server-cards. It also has the members
// serverInfo, transport and capabilities of earlier drafts.
func (s Documents) serverCard() web.Object {
	me := s.implementation()
	return web.NewObject(
		"$schema", "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		"name", me.Name,
		"version", me.Version,
		"title", me.Title,
		"description", me.Description,
		"websiteUrl", me.WebsiteURL,
		"icons", me.Icons,
		"remotes", []web.Object{web.NewObject(
			"type", "streamable-http",
			"url", s.Site.BaseURL+web.MCPPath,
			"supportedProtocolVersions", web.MCPProtocols,
			"headers", []web.Object{web.NewObject(
				"name", "Authorization", "description", "Bearer followed by a member's token. Required by tools that act for a member; all other tools are public. See "+s.Site.BaseURL+"/auth.md for how to get a token.",
				"value", "Bearer {token}", "isRequired", false, "isSecret", true,
				"variables", web.NewObject("token", web.NewObject("description", "Personal token, sl_…", "isRequired", true, "isSecret", true)),
			)},
		)},
		"serverInfo", me,
		"transport", web.NewObject("type", "streamable-http", "endpoint", s.Site.BaseURL+web.MCPPath),
		"capabilities", web.MCPCapabilities(),
		"authentication", web.NewObject("required", false, "schemes", []string{"bearer"}, "credentials", s.Site.BaseURL+"/auth.md"),
	)
}

// mcpManifest returns the server card with a list of all tools. A client gets those that
// it may use.
func (s Documents) mcpManifest() web.Object {
	var tools []web.Object
	for _, tool := range s.MCP.Tools() {
		entry := web.NewObject("name", tool.Name, "title", tool.Title, "description", tool.Description+tool.Operations[0].TokenRequirement(), "toolsets", tool.Toolsets)
		if tool.Actions != nil {
			entry = entry.With("actions", tool.Actions)
		}
		tools = append(tools, entry)
	}
	return s.serverCard().With("toolsets", s.Toolsets).With("tools", tools)
}

// aiCatalog returns the catalog of the MCP server, the API and the skills:
// https://ai-catalog.io/spec/.
func (s Documents) aiCatalog() web.Object {
	entry := func(kind, name, title, mediaType, path, about string) web.Object {
		return web.NewObject(
			"identifier", "urn:air:"+s.Reference.Host()+":"+kind+":"+name,
			"displayName", title,
			"type", mediaType,
			"url", s.Site.BaseURL+path,
			"description", about,
		)
	}
	entries := []web.Object{
		entry("mcp", "market", s.Site.Name()+" MCP server", CardType, web.MCPPath+"/server-card", "Tools to find gear, check prices, sell, make offers and watch listings."),
		entry("api", "market", s.Site.Name()+" API", "application/json", "/openapi.json", "The HTTP API, described by OpenAPI 3.1."),
		entry("api", "catalog", s.Site.Name()+" API catalog", "application/linkset+json", "/.well-known/api-catalog", "Links to the API and its documentation."),
	}
	for _, skill := range content.Skills() {
		entries = append(entries, entry("skill", skill.Name, skill.Name, "application/agent-skills+md", SkillPath(skill), skill.Description))
	}
	return web.NewObject(
		"specVersion", "1.0",
		"host", web.NewObject(
			"displayName", s.Site.Name(),
			"identifier", s.Reference.Host(),
			"documentationUrl", s.Site.BaseURL+"/developers",
			"logoUrl", s.Site.BaseURL+static.Path("favicon.svg"),
		),
		"entries", entries,
	)
}

// linksetType is the media type of an API catalog: RFC 9264 in the profile of RFC 9727.
const linksetType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`

// apiCatalog returns the links to the APIs and their documentation: RFC 9727.
func (s Documents) apiCatalog() web.Object {
	link := func(path, mediaType string) web.Object {
		return web.NewObject("href", s.Site.BaseURL+path, "type", mediaType)
	}
	sets := []web.Object{web.NewObject(
		"anchor", s.Site.BaseURL+"/",
		"service-desc", []web.Object{link("/openapi.json", "application/json"), link("/openapi.yaml", "application/yaml"), link("/openapi-admin.json", "application/json")},
		"service-doc", []web.Object{link("/developers", "text/html"), link("/developers.md", "text/markdown")},
		"service-meta", []web.Object{link("/llms.txt", "text/plain"), link("/agent.txt", "text/plain"), link("/auth.md", "text/markdown")},
		"status", []web.Object{link("/api/health", "application/json")},
	), web.NewObject(
		"anchor", s.Site.BaseURL+web.MCPPath,
		"service-desc", []web.Object{link(web.MCPPath+"/server-card", CardType)},
		"service-doc", []web.Object{link("/agent.txt", "text/plain")},
	), web.NewObject(
		"anchor", s.Site.BaseURL+ucp.EndpointPath,
		"service-desc", []web.Object{link(ucp.ProfilePath, "application/json")},
	)}
	return web.NewObject("linkset", sets)
}

// securityValid is how long security.txt is valid. The file is renewed daily.
const securityValid = 180 * 24 * time.Hour

// securityText returns security.txt, which has the contact for reporting
// vulnerabilities: RFC 9116.
func (s Documents) securityText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Contact: %s\n", s.securityContact())
	fmt.Fprintf(&b, "Expires: %s\n", s.Clock().UTC().Truncate(24*time.Hour).Add(securityValid).Format(time.RFC3339))
	fmt.Fprintf(&b, "Preferred-Languages: en\nCanonical: %s/.well-known/security.txt\n", s.Site.BaseURL)
	return b.String()
}

// securityContact returns the configured security contact, or that of the
// Secondlight project.
func (s Documents) securityContact() string {
	if s.Site.SecurityContact != "" {
		return s.Site.SecurityContact
	}
	return "https://github.com/secondlight/secondlight/security/advisories/new"
}
