package web

import (
	"strings"
	"time"

	"github.com/valyala/fasthttp"
)

// Limits of a member's request to an address that accepts files.
const (
	uploadBytes = 32 << 20
	uploadRead  = 2 * time.Minute
)

// requestLimits returns the limits of a request's body, given its header. Zero
// values stand for the limits of the server.
func (s *Server) requestLimits(h *fasthttp.RequestHeader) (limits fasthttp.RequestConfig) {
	if !h.IsPost() {
		return limits
	}
	path, _, _ := strings.Cut(string(h.RequestURI()), "?")
	if !s.acceptsFiles(path) {
		return limits
	}
	if id, _, err := s.identityFromHeader(h); err == nil && id != nil && !id.Suspended {
		limits.MaxRequestBodySize, limits.ReadTimeout = uploadBytes, uploadRead
	}
	return limits
}

// acceptsFiles reports whether files may be sent to a path: that of an operation with
// a file parameter, or the MCP endpoint.
func (s *Server) acceptsFiles(path string) bool {
	if path == MCPPath {
		return true
	}
	for i := range s.ops {
		if op := &s.ops[i]; op.plan.acceptsFiles() && (op.Path != "" && matchesPattern(op.Path, path) || op.Page != "" && matchesPattern(op.Page, path)) {
			return true
		}
	}
	return false
}
