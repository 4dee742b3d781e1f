// Package serve answers HTTP requests with the operations of a site: middleware, cache,
// errors, documents, streams and the listener.
package serve

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/handlers/web/mcp"
	"github.com/secondlight/secondlight/handlers/web/openapi"
)

// Server serves the operations of a site over HTTP. Create one with New.
type Server struct {
	responder
	*mcp.Endpoint
	*openapi.Describer
	app       *fiber.App
	exact     map[string]bool   // paths whose extension is not a format's suffix
	allowed   map[string]string // Allow header of paths that patterns with other methods match
	apiPages  map[string]bool   // first elements of the paths of pages that are in the API too
	documents []string          // path prefixes of XML documents

	listener      atomic.Pointer[limitListener] // nil until Listen is called
	shared        *limit.Shared                 // the limiter, nil if it is local
	bodies        limit.Bodies
	streams       streamCount
	building      singleflight.Group // of XML documents
	passCookie    []byte             // name of the cookie of web.PassPage, with "="
	sessionCookie []byte             // name of the session cookie, with "="
	files         sync.Map           // fileVariant to *cachedResponse

	free     map[string]bool // API paths that are not charged
	draining atomic.Bool     // see Drain

	conns         atomic.Int64  // open connections
	rejectedConns atomic.Uint64 // connections beyond the limits

	stopping context.Context // cancelled when Shutdown is called
	stop     context.CancelFunc
}

// App returns the router, for tests.
func (s *Server) App() *fiber.App { return s.app }

// Get adds a route for a handler that is not an operation.
func (s *Server) Get(path string, handler fiber.Handler) { s.app.Get(path, handler) }

// Post adds a route for a form handler that is not an operation.
func (s *Server) Post(path string, handler fiber.Handler) { s.app.Post(path, handler) }

// RateLimits returns the number of requests per minute that a client may make to the
// API and to pages.
func (s *Server) RateLimits() (api, pages int) { return s.apiPolicy.Limit, s.pagePolicy.Limit }
