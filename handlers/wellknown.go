package handlers

import (
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/static"
)

// mcpProtocols are the protocol versions the MCP server speaks, newest first.
var mcpProtocols = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// implementation is the MCP server as it introduces itself, on its card, in the
// registry, and to a client that connects.
func (s *Server) implementation() *mcp.Implementation {
	return &mcp.Implementation{
		Name:        "io.github.secondlight/secondlight",
		Title:       s.site.Name,
		Description: "Used cameras and lenses for sale, and what each model really sold for.",
		Version:     APIVersion,
		WebsiteURL:  s.site.BaseURL,
		Icons:       s.icons(""),
	}
}

// capabilities are what the MCP server can do beyond answering.
func (s *Server) capabilities() *mcp.ServerCapabilities {
	return &mcp.ServerCapabilities{
		Tools:       &mcp.ToolCapabilities{},
		Resources:   &mcp.ResourceCapabilities{},
		Prompts:     &mcp.PromptCapabilities{},
		Completions: &mcp.CompletionCapabilities{},
	}
}

// cardType is the media type of an MCP server card.
const cardType = "application/mcp-server-card+json"

// cardFields let scripts of any site read a card, and ask whether it changed.
var cardFields = []string{
	"Cache-Control", cacheShort,
	"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS",
	"Access-Control-Allow-Headers", "Accept, Content-Type, If-None-Match",
}

// mountWellKnown serves the documents whose addresses are agreed on, so that a
// program that knows only the host finds what there is.
func (s *Server) mountWellKnown() {
	for _, path := range []string{mcpPath + "/server-card", "/.well-known/mcp/server-card.json", "/.well-known/mcp.json"} {
		s.mountObject(path, cardType, s.serverCard, cardFields...)
	}
	s.mountObject("/.well-known/mcp/manifest.json", JSON.ContentType(), s.mcpManifest, cardFields...)
	for _, path := range []string{"/.well-known/ai-catalog.json", "/.well-known/ard.json"} {
		s.mountObject(path, "application/ai-catalog+json", s.aiCatalog)
	}
	s.mountObject("/.well-known/api-catalog", linksetType, s.apiCatalog, "Link", `</.well-known/api-catalog>; rel="api-catalog"`)
	s.mountText("/.well-known/security.txt", plainText, s.securityText)
}

// serverCard describes the MCP server to a client that has not connected yet:
// https://modelcontextprotocol.io/seps/2127-mcp-server-cards, and beside its
// fields serverInfo, transport and capabilities, which earlier readers look for.
func (s *Server) serverCard() object {
	me := s.implementation()
	return object{
		{"$schema", "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"},
		{"name", me.Name},
		{"version", me.Version},
		{"title", me.Title},
		{"description", me.Description},
		{"websiteUrl", me.WebsiteURL},
		{"icons", me.Icons},
		{"remotes", []object{{
			{"type", "streamable-http"},
			{"url", s.site.BaseURL + mcpPath},
			{"supportedProtocolVersions", mcpProtocols},
			{"headers", []object{{
				{"name", "Authorization"}, {"description", "Bearer and a member's token, for the tools that act for a member; " + s.site.BaseURL + "/auth.md says how to get one. Every other tool is open."},
				{"value", "Bearer {token}"}, {"isRequired", false}, {"isSecret", true},
				{"variables", object{{"token", object{{"description", "Personal token, sl_…"}, {"isRequired", true}, {"isSecret", true}}}}},
			}}},
		}}},
		{"serverInfo", me},
		{"transport", object{{"type", "streamable-http"}, {"endpoint", s.site.BaseURL + mcpPath}}},
		{"capabilities", s.capabilities()},
		{"authentication", object{{"required", false}, {"schemes", []string{"bearer"}}, {"credentials", s.site.BaseURL + "/auth.md"}}},
	}
}

// mcpManifest is the card with the tools, for a reader that decides by them.
func (s *Server) mcpManifest() object {
	var tools []object
	for _, op := range s.publicAPI() {
		tools = append(tools, object{{"name", op.Name}, {"title", op.Title}, {"description", op.Description + op.need()}})
	}
	return s.serverCard().with("tools", tools)
}

// publicAPI is every operation that programs can call.
func (s *Server) publicAPI() []*Operation {
	var all []*Operation
	for i := range s.ops {
		if s.ops[i].Path != "" {
			all = append(all, &s.ops[i])
		}
	}
	return all
}

// aiCatalog lists what agents can use here: https://ai-catalog.io/spec/.
func (s *Server) aiCatalog() object {
	entry := func(kind, name, title, mediaType, path, about string) object {
		return object{
			{"identifier", "urn:air:" + s.host() + ":" + kind + ":" + name},
			{"displayName", title},
			{"type", mediaType},
			{"url", s.site.BaseURL + path},
			{"description", about},
		}
	}
	entries := []object{
		entry("mcp", "market", s.site.Name+" MCP server", cardType, mcpPath+"/server-card", "A tool for every operation: find gear, judge prices, sell, offer, watch."),
		entry("api", "market", s.site.Name+" API", "application/json", "/openapi.json", "The HTTP API, described by OpenAPI 3.1."),
		entry("api", "catalog", s.site.Name+" API catalog", "application/linkset+json", "/.well-known/api-catalog", "Where the API and its descriptions are."),
	}
	for _, skill := range content.Skills() {
		entries = append(entries, entry("skill", skill.Name, skill.Name, "application/agent-skills+md", skillPath(skill), skill.Description))
	}
	return object{
		{"specVersion", "1.0"},
		{"host", object{
			{"displayName", s.site.Name},
			{"identifier", s.host()},
			{"documentationUrl", s.site.BaseURL + "/developers"},
			{"logoUrl", s.site.BaseURL + static.Path("favicon.svg")},
		}},
		{"entries", entries},
	}
}

// linksetType is the media type of an API catalog: RFC 9264 in the profile of RFC 9727.
const linksetType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`

// apiCatalog says where the APIs and their descriptions are: RFC 9727.
func (s *Server) apiCatalog() object {
	link := func(path, mediaType string) object {
		return object{{"href", s.site.BaseURL + path}, {"type", mediaType}}
	}
	sets := []object{{
		{"anchor", s.site.BaseURL + "/"},
		{"service-desc", []object{link("/openapi.json", "application/json"), link("/openapi.yaml", "application/yaml")}},
		{"service-doc", []object{link("/developers", "text/html"), link("/developers.md", "text/markdown")}},
		{"service-meta", []object{link("/llms.txt", "text/plain"), link("/agent.txt", "text/plain"), link("/auth.md", "text/markdown")}},
		{"status", []object{link("/api/health", "application/json")}},
	}, {
		{"anchor", s.site.BaseURL + mcpPath},
		{"service-desc", []object{link(mcpPath+"/server-card", cardType)}},
		{"service-doc", []object{link("/agent.txt", "text/plain")}},
	}}
	return object{{"linkset", sets}}
}

// securityValid is how long the word about security holds; the file is made
// again each day.
const securityValid = 180 * 24 * time.Hour

// securityText says where to report a hole: RFC 9116.
func (s *Server) securityText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Contact: %s\n", s.securityContact())
	fmt.Fprintf(&b, "Expires: %s\n", s.clock().UTC().Truncate(24*time.Hour).Add(securityValid).Format(time.RFC3339))
	fmt.Fprintf(&b, "Preferred-Languages: en\nCanonical: %s/.well-known/security.txt\n", s.site.BaseURL)
	return b.String()
}

// securityContact is the setting, else where the people who make the program
// that runs here are told about holes in it.
func (s *Server) securityContact() string {
	if s.site.SecurityContact != "" {
		return s.site.SecurityContact
	}
	return "https://github.com/secondlight/secondlight/security/advisories/new"
}
