package web

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web/bind"
)

// PathValues returns the parameters of a path by the names in its pattern.
func PathValues(pattern, path string) map[string]string {
	values := map[string]string{}
	names, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	for i, name := range names {
		if m := bind.PathName.FindStringSubmatch(name); m != nil && i < len(parts) {
			values[m[1]] = parts[i]
		}
	}
	return values
}

// LocalPath returns the path to redirect to after signing in: next if it is a path
// of this site, else "/account".
func LocalPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") || !bind.ValidText(next) {
		return "/account"
	}
	return next
}

// MCPPath is the path of the MCP endpoint.
const MCPPath = "/api/mcp"

// MCPMemberPath is the path of an MCP endpoint that requires a token for every message,
// for clients that never ask for one otherwise.
const MCPMemberPath = MCPPath + "/member"

// IsMCP reports whether a path is that of an MCP endpoint.
func IsMCP(path string) bool { return path == MCPPath || path == MCPMemberPath }

// ResourceMetadataPath is the path of the metadata of the site as an OAuth resource (RFC
// 9728). Followed by MCPPath or MCPMemberPath it is that of the endpoint.
const ResourceMetadataPath = "/.well-known/oauth-protected-resource"

// MatchesPattern reports whether a path matches a pattern such as "/gear/{brand}".
func MatchesPattern(pattern, path string) bool {
	names, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(names) != len(parts) {
		return false
	}
	for i, name := range names {
		if name != parts[i] && !bind.PathName.MatchString(name) {
			return false
		}
	}
	return true
}

// PathParams returns a function that returns decoded path parameters. Values that
// cannot be decoded are returned as they are.
func PathParams(c *fiber.Ctx) func(string) string {
	return func(name string) string {
		raw := c.Params(name)
		if s, err := url.PathUnescape(raw); err == nil && bind.ValidText(s) {
			return strings.Clone(s)
		}
		return strings.Clone(raw)
	}
}

// UploadBytes is the maximum size of a member's request to an address that accepts files,
// such as the MCP endpoint.
const UploadBytes = 32 << 20
