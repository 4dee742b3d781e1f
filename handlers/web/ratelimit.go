package web

import (
	"hash/maphash"
	"math"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// window is how long a quota lasts.
const window = 60 * time.Second

// policy is a quota of requests per client and window.
type policy struct {
	name      string
	limit     int
	header    []byte // the RateLimit-Policy field
	limitText []byte // the limit in digits
}

// newPolicy returns a policy with a name and a number of requests per window.
func newPolicy(name string, limit int) *policy {
	return &policy{
		name:      name,
		limit:     limit,
		header:    []byte(`"` + name + `";q=` + strconv.Itoa(limit) + `;w=60`),
		limitText: []byte(strconv.Itoa(limit)),
	}
}

// quota is what a client has left under a policy.
type quota struct {
	policy    *policy
	remaining int
	reset     int  // seconds until the window ends, at least 1
	over      bool // the request is beyond the limit
}

// writeHeaders writes the RateLimit fields of the IETF draft, and the three
// fields that older clients read.
func (q quota) writeHeaders(h *fasthttp.ResponseHeader) {
	var b [64]byte
	remaining := strconv.AppendInt(b[:0], int64(q.remaining), 10)
	reset := strconv.AppendInt(b[24:24], int64(q.reset), 10)
	h.SetCanonical(hdrRateLimitPolicy, q.policy.header)
	h.SetCanonical(hdrRateLimitLimit, q.policy.limitText)
	h.SetCanonical(hdrRateLimitRemaining, remaining)
	h.SetCanonical(hdrRateLimitReset, reset)

	var line [96]byte
	l := append(line[:0], '"')
	l = append(l, q.policy.name...)
	l = append(l, `";r=`...)
	l = append(l, remaining...)
	l = append(l, `;t=`...)
	l = append(l, reset...)
	h.SetCanonical(hdrRateLimit, l)
}

// limiter counts the requests of each client in fixed windows that start with the
// client's first request.
type limiter interface {
	// charge adds cost, 0 or more, to the requests of a client and returns its quota.
	charge(c client, p *policy, cost int, now time.Time) quota
}

// Size of a localLimiter: 64 × 4,096 clients, about 20 MB.
const (
	limiterShards   = 64
	clientsPerShard = 4096
)

// localLimiter counts the requests to this server. If there are more clients than it can
// hold, it forgets one at random.
type localLimiter struct {
	seed   maphash.Seed
	shards [limiterShards]limiterShard
}

// limiterShard holds a part of the clients, to reduce contention.
type limiterShard struct {
	mu        sync.Mutex
	clients   map[clientKey]counter
	lastSweep int64
}

// client identifies who is charged: a member, whatever their tokens, sessions and
// addresses, or else an address.
type client struct {
	addr   netip.Addr
	member string // id, "" for an anonymous client
}

// String returns the client for log messages.
func (c client) String() string {
	if c.member != "" {
		return "member " + c.member
	}
	return c.addr.String()
}

// charged returns who shares a quota with the client.
func (c client) charged() client {
	if c.member != "" {
		return client{member: c.member}
	}
	return client{addr: RateLimitAddr(c.addr)}
}

// clientKey is who is charged and a policy.
type clientKey struct {
	client client
	policy *policy
}

// counter counts the requests of one window.
type counter struct {
	start int64 // unix milliseconds
	count int
}

func newLocalLimiter() *localLimiter {
	l := &localLimiter{seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].clients = map[clientKey]counter{}
	}
	return l
}

// charge implements limiter.
func (l *localLimiter) charge(c client, p *policy, cost int, now time.Time) quota {
	key := clientKey{c.charged(), p}
	shard := l.shard(key)
	at, length := now.UnixMilli(), window.Milliseconds()

	shard.mu.Lock()
	t, known := shard.clients[key]
	if !known || at-t.start >= length || at < t.start {
		t = counter{start: at}
	}
	t.count = min(t.count, math.MaxInt-cost) + cost
	if cost > 0 {
		shard.store(key, t, at)
	}
	shard.mu.Unlock()
	return p.quota(t, at)
}

// learn replaces the counter of a client by one that other servers count in, too.
func (l *localLimiter) learn(key clientKey, t counter, now time.Time) {
	shard := l.shard(key)
	shard.mu.Lock()
	shard.store(key, t, now.UnixMilli())
	shard.mu.Unlock()
}

// shard returns the shard of a client.
func (l *localLimiter) shard(key clientKey) *limiterShard {
	return &l.shards[maphash.Comparable(l.seed, key)%limiterShards]
}

// quota returns what a counter leaves of the policy at a time in unix milliseconds.
func (p *policy) quota(t counter, at int64) quota {
	return quota{
		policy:    p,
		remaining: max(p.limit-t.count, 0),
		reset:     int((t.start + window.Milliseconds() - at + 999) / 1000),
		over:      t.count > p.limit,
	}
}

// store stores the counter of a client, in the place of another if the shard is full.
func (s *limiterShard) store(key clientKey, t counter, at int64) {
	if _, known := s.clients[key]; !known && len(s.clients) >= clientsPerShard {
		s.evict(at, window.Milliseconds())
	}
	s.clients[key] = t
}

// evict makes room for a client: it removes windows that have ended, at most once a
// second, and if there are none, an arbitrary client.
func (s *limiterShard) evict(at, length int64) {
	if at-s.lastSweep >= 1000 {
		s.lastSweep = at
		for key, t := range s.clients {
			if at-t.start >= length {
				delete(s.clients, key)
			}
		}
	}
	for key := range s.clients {
		if len(s.clients) < clientsPerShard {
			return
		}
		delete(s.clients, key)
	}
}

// RateLimitAddr returns the address that stands for a client: the /64 prefix of an
// IPv6 address, because a subscriber has a whole one.
func RateLimitAddr(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return addr
}

// Names of response header fields in canonical form, for SetCanonical.
var (
	hdrRateLimit          = []byte("RateLimit")
	hdrRateLimitPolicy    = []byte("RateLimit-Policy")
	hdrRateLimitLimit     = []byte("RateLimit-Limit")
	hdrRateLimitRemaining = []byte("RateLimit-Remaining")
	hdrRateLimitReset     = []byte("RateLimit-Reset")
)
