package serve

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
	stats := Stats{CacheHits: s.cache.hits.Load(), CacheEntries: s.cache.entries.Len(), CacheBytes: s.cache.entries.Size(),
		Conns: int(s.conns.Load()), RejectedConns: s.rejectedConns.Load(), BodyBytes: s.bodies.Size()}
	if s.shared != nil {
		stats.RateLimit = &SharedRateLimit{Shared: s.shared.Answers(), Fallbacks: s.shared.Fallbacks.Load()}
	}
	return stats
}
