package handlers

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

// policy is a quota of requests a client has per window.
type policy struct {
	name   string
	limit  int
	header []byte // the RateLimit-Policy field
	number []byte // the limit in digits
}

func newPolicy(name string, limit int) *policy {
	return &policy{
		name:   name,
		limit:  limit,
		header: []byte(`"` + name + `";q=` + strconv.Itoa(limit) + `;w=60`),
		number: []byte(strconv.Itoa(limit)),
	}
}

// quota is what a client has left under a policy.
type quota struct {
	policy    *policy
	remaining int
	reset     int  // seconds until the window ends, at least 1
	over      bool // the request is beyond the limit
}

// writeHeaders states the quota in the fields of the IETF draft, and in the
// three that older clients read.
func (q quota) writeHeaders(h *fasthttp.ResponseHeader) {
	var b [64]byte
	remaining := strconv.AppendInt(b[:0], int64(q.remaining), 10)
	reset := strconv.AppendInt(b[24:24], int64(q.reset), 10)
	h.SetCanonical(hdrRateLimitPolicy, q.policy.header)
	h.SetCanonical(hdrRateLimitLimit, q.policy.number)
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

// Limits of what the limiter remembers: 64 × 4,096 clients, about 20 MB.
const (
	limiterShards   = 64
	clientsPerShard = 4096
)

// limiter counts the requests of each client in fixed windows that begin with
// the client's first request. It forgets windows that ended, and when there are
// more clients than it can hold, some client at random.
type limiter struct {
	seed   maphash.Seed
	shards [limiterShards]limiterShard
}

type limiterShard struct {
	mu      sync.Mutex
	clients map[clientKey]tally
	swept   int64
}

// client is who is counted: a token, else an address.
type client struct {
	addr  netip.Addr
	token string // its id, "" for none
}

// String names the client in the log.
func (c client) String() string {
	if c.token != "" {
		return "token " + c.token
	}
	return c.addr.String()
}

// clientKey is a client under a policy.
type clientKey struct {
	client client
	policy *policy
}

// tally is the requests of one window.
type tally struct {
	start int64 // unix milliseconds
	count int
}

func newLimiter() *limiter {
	l := &limiter{seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].clients = map[clientKey]tally{}
	}
	return l
}

// take charges cost requests, 0 or 1, to a client and returns what is left.
func (l *limiter) take(c client, p *policy, cost int, now time.Time) quota {
	c.addr = limitedAs(c.addr)
	key := clientKey{c, p}
	shard := &l.shards[maphash.Comparable(l.seed, key)%limiterShards]
	at, length := now.UnixMilli(), window.Milliseconds()

	shard.mu.Lock()
	t, known := shard.clients[key]
	if !known || at-t.start >= length || at < t.start {
		t = tally{start: at}
	}
	t.count = min(t.count, math.MaxInt-1) + cost
	if cost > 0 {
		if !known && len(shard.clients) >= clientsPerShard {
			shard.makeRoom(at, length)
		}
		shard.clients[key] = t
	}
	shard.mu.Unlock()

	return quota{
		policy:    p,
		remaining: max(p.limit-t.count, 0),
		reset:     int((t.start + length - at + 999) / 1000),
		over:      t.count > p.limit,
	}
}

// makeRoom forgets the windows that ended, at most once a second, and if that
// frees nothing, any one client.
func (s *limiterShard) makeRoom(at, length int64) {
	if at-s.swept >= 1000 {
		s.swept = at
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

// limitedAs is the address a client is counted by: an IPv6 subscriber has a whole /64.
func limitedAs(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return addr
}
