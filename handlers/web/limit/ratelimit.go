// Package limit limits the requests of clients, on one server or on all with Redis, and the
// memory of bodies.
package limit

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

// Policy is a quota of requests, or of milliseconds of processor time, per client and window.
type Policy struct {
	name      string
	Limit     int
	header    []byte // the RateLimit-Policy field
	limitText []byte // the limit in digits
}

// NewPolicy returns a policy with a name and a number of requests per window.
func NewPolicy(name string, limit int) *Policy {
	return &Policy{
		name:      name,
		Limit:     limit,
		header:    []byte(`"` + name + `";q=` + strconv.Itoa(limit) + `;w=60`),
		limitText: []byte(strconv.Itoa(limit)),
	}
}

// Quota is what a client has left under a policy.
type Quota struct {
	Policy    *Policy
	remaining int
	Reset     int  // seconds until the window ends, at least 1
	Over      bool // the request is beyond the limit
}

// Spent returns the quota of a client that has used up another one, for the time until that
// is reset.
func (q Quota) Spent(other Quota) Quota {
	q.remaining, q.Reset, q.Over = 0, other.Reset, true
	return q
}

// WriteHeaders writes the RateLimit fields of the IETF draft, and the three
// fields that older clients read.
func (q Quota) WriteHeaders(h *fasthttp.ResponseHeader) {
	var b [64]byte
	remaining := strconv.AppendInt(b[:0], int64(q.remaining), 10)
	reset := strconv.AppendInt(b[24:24], int64(q.Reset), 10)
	h.SetCanonical(hdrRateLimitPolicy, q.Policy.header)
	h.SetCanonical(hdrRateLimitLimit, q.Policy.limitText)
	h.SetCanonical(hdrRateLimitRemaining, remaining)
	h.SetCanonical(hdrRateLimitReset, reset)

	var line [96]byte
	l := append(line[:0], '"')
	l = append(l, q.Policy.name...)
	l = append(l, `";r=`...)
	l = append(l, remaining...)
	l = append(l, `;t=`...)
	l = append(l, reset...)
	h.SetCanonical(hdrRateLimit, l)
}

// Limiter counts the requests of each client in fixed windows that start with the
// client's first request.
type Limiter interface {
	// charge adds cost, 0 or more, to the requests of a client and returns its quota.
	Charge(c Client, p *Policy, cost int, now time.Time) Quota
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

// Client identifies who is charged: a member, whatever their tokens, sessions and
// addresses, or else an address.
type Client struct {
	Addr   netip.Addr
	Member string // id, "" for an anonymous client
}

// String returns the client for log messages.
func (c Client) String() string {
	if c.Member != "" {
		return "member " + c.Member
	}
	return c.Addr.String()
}

// Charged returns who shares a quota with the client.
func (c Client) Charged() Client {
	if c.Member != "" {
		return Client{Member: c.Member}
	}
	return Client{Addr: Addr(c.Addr)}
}

// clientKey is who is charged and a policy.
type clientKey struct {
	client Client
	policy *Policy
}

// counter counts the requests of one window.
type counter struct {
	start int64 // unix milliseconds
	count int
}

func NewLocal() *localLimiter {
	l := &localLimiter{seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].clients = map[clientKey]counter{}
	}
	return l
}

// Charge implements limiter.
func (l *localLimiter) Charge(c Client, p *Policy, cost int, now time.Time) Quota {
	key := clientKey{c.Charged(), p}
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
func (p *Policy) quota(t counter, at int64) Quota {
	return Quota{
		Policy:    p,
		remaining: max(p.Limit-t.count, 0),
		Reset:     int((t.start + window.Milliseconds() - at + 999) / 1000),
		Over:      t.count > p.Limit,
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

// Addr returns the address that stands for a client: the /64 prefix of an
// IPv6 address, because a subscriber has a whole one.
func Addr(addr netip.Addr) netip.Addr {
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
