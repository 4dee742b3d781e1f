package web

import (
	"context"
	"time"

	"github.com/valyala/fasthttp"
)

// Observation describes a response or the result of a tool call, for metrics.
type Observation struct {
	Operation string // name of the operation, "file" for files and photographs, "other" for anything else
	Format    string // "html", "json", "mcp" for a tool call; "" for anything but an operation
	Status    int    // of HTTP; that of the error for a tool call
	Took      time.Duration
}

// observe reports a response to Config.Observe.
func (s *responder) observe(ctx *fasthttp.RequestCtx, state *requestState) {
	if s.Observe != nil {
		s.Observe(s.observation(ctx, state))
	}
}

// observation describes a response.
func (s *responder) observation(ctx *fasthttp.RequestCtx, state *requestState) Observation {
	o := Observation{Operation: "other", Status: ctx.Response.StatusCode(), Took: s.Clock().Sub(state.at)}
	switch {
	case state.op != nil:
		o.Operation, o.Format = state.op.Name, formatNames[state.sent]
	case state.section == assets:
		o.Operation = "file"
	}
	return o
}

// observeTool returns a context for a tool call, and a function that reports its result to
// Config.Observe and Config.Tracer.
func (s *Endpoint) observeTool(ctx context.Context, op *Operation) (_ context.Context, done func(error)) {
	started := s.site.Clock()
	ctx, end := s.startToolSpan(ctx, op)
	return ctx, func(err error) {
		status := fasthttp.StatusOK
		if err != nil {
			status = s.site.problem(err, "").Status
		}
		end(status)
		if s.site.Observe != nil {
			s.site.Observe(Observation{op.Name, "mcp", status, s.site.Clock().Sub(started)})
		}
	}
}

// formatNames are the formats in metrics.
var formatNames = [formats]string{HTML: "html", Markdown: "markdown", JSON: "json", CSV: "csv", SVG: "svg", Atom: "atom", JSONFeed: "json_feed"}

// Stats describes what the server is doing.
type Stats struct {
	CacheHits                uint64           // responses from the cache since the start
	CacheEntries, CacheBytes int              // in the cache
	Conns                    int              // open connections
	RejectedConns            uint64           // connections beyond the limits since the start
	BodyBytes                int              // request bodies in memory
	RateLimit                *SharedRateLimit // nil if each server has its own
}

// SharedRateLimit describes a rate limit for all servers.
type SharedRateLimit struct {
	Shared    bool   // Redis answered last
	Fallbacks uint64 // requests that this server counted on its own since the start
}

// Stats returns what the server is doing.
func (s *Server) Stats() Stats {
	s.bodies.mu.Lock()
	bodies := s.bodies.held
	s.bodies.mu.Unlock()
	stats := Stats{CacheHits: s.cache.hits.Load(), CacheEntries: s.cache.entries.Len(), CacheBytes: s.cache.entries.Size(),
		Conns: int(s.conns.Load()), RejectedConns: s.rejectedConns.Load(), BodyBytes: bodies}
	if s.shared != nil {
		stats.RateLimit = &SharedRateLimit{Shared: s.shared.circuit.next.Load() == 0, Fallbacks: s.shared.fallbacks.Load()}
	}
	return stats
}
