package web

import (
	"fmt"
	"log/slog"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

func TestLimiter(t *testing.T) {
	start := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	a, b := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	steps := []struct {
		name             string
		addr             netip.Addr
		cost             int
		after            time.Duration
		remaining, reset int
		over             bool
	}{
		{"looking costs nothing", a, 0, 0, 3, 60, false},
		{"first", a, 1, 0, 2, 60, false},
		{"second", a, 1, 500 * time.Millisecond, 1, 60, false},
		{"third", a, 1, 18 * time.Second, 0, 42, false},
		{"over", a, 1, 59*time.Second + time.Millisecond, 0, 1, true},
		{"looking while over", a, 0, 59*time.Second + time.Millisecond, 0, 1, true},
		{"another client", b, 1, 59*time.Second + time.Millisecond, 2, 60, false},
		{"the next window", a, 1, 60 * time.Second, 2, 60, false},
		{"more than one", a, 3, 61 * time.Second, 0, 59, true},
	}
	redis := miniredis.RunT(t)
	shared := newSharedLimiter(redisAt(t, "redis://"+redis.Addr()), slog.New(slog.DiscardHandler))
	t.Cleanup(func() { shared.redis.Close() })
	for name, l := range map[string]limiter{"local": newLocalLimiter(), "shared": shared} {
		t.Run(name, func(t *testing.T) {
			p := newPolicy("default", 3)
			var now time.Duration
			for _, c := range steps {
				redis.FastForward(c.after - now)
				now = c.after
				q := l.charge(client{addr: c.addr}, p, c.cost, start.Add(now))
				if q.remaining != c.remaining || q.reset != c.reset || q.over != c.over {
					t.Errorf("%s: %d left, %d s, over %v; want %d, %d s, %v", c.name, q.remaining, q.reset, q.over, c.remaining, c.reset, c.over)
				}
			}
		})
	}
}

func TestLimiterWhenTheClockGoesBack(t *testing.T) {
	l, p, c, now := newLocalLimiter(), newPolicy("default", 3), client{addr: netip.MustParseAddr("192.0.2.1")}, time.Now()
	l.charge(c, p, 3, now)
	if q := l.charge(c, p, 1, now.Add(-time.Minute)); q.remaining != 2 || q.reset != 60 {
		t.Errorf("%d left, %d s", q.remaining, q.reset)
	}
}

func TestLimiterIsBounded(t *testing.T) {
	l, p := newLocalLimiter(), newPolicy("default", 3)
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for i := range 400_000 {
		l.charge(client{addr: netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})}, p, 1, now)
	}
	total := 0
	for i := range l.shards {
		if n := len(l.shards[i].clients); n > clientsPerShard {
			t.Errorf("shard %d holds %d clients", i, n)
		} else {
			total += n
		}
	}
	if total < limiterShards*clientsPerShard/2 {
		t.Errorf("only %d clients are remembered", total)
	}
	l.charge(client{addr: netip.MustParseAddr("192.0.2.1")}, p, 1, now.Add(time.Hour))
	if q := l.charge(client{addr: netip.MustParseAddr("192.0.2.1")}, p, 1, now.Add(time.Hour)); q.remaining != 1 {
		t.Errorf("a client that came when all was full has %d left, want 1", q.remaining)
	}
}

func TestLimiterCountsExactlyUnderLoad(t *testing.T) {
	l, p := newLocalLimiter(), newPolicy("default", 500)
	now, addr := time.Now(), netip.MustParseAddr("192.0.2.1")
	var wg sync.WaitGroup
	var mu sync.Mutex
	passed := 0
	for range 10 {
		wg.Go(func() {
			for range 100 {
				if q := l.charge(client{addr: addr}, p, 1, now); !q.over {
					mu.Lock()
					passed++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if passed != 500 {
		t.Errorf("%d requests passed, want 500", passed)
	}
}

// TestOverTheLimit uses a client's quota up and holds what happens then.
func TestOverTheLimit(t *testing.T) {
	s := newTestServer(t, func(c *Config) { c.RateLimit = 5 })
	for i := range 5 {
		resp, _ := s.do(t, "GET", "/api/health")
		if want := fmt.Sprintf(`"default";r=%d;t=60`, 4-i); resp.StatusCode != 200 || resp.Header.Get("RateLimit") != want {
			t.Errorf("request %d: %d %s, want %s", i, resp.StatusCode, resp.Header.Get("RateLimit"), want)
		}
		if got := resp.Header.Get("RateLimit-Policy"); got != `"default";q=5;w=60` {
			t.Errorf("RateLimit-Policy is %s", got)
		}
	}
	for _, c := range []struct{ target, accept, contentType string }{
		{"/api/health", "", "application/problem+json; charset=utf-8"},
		{"/api/probes/lens", "text/markdown", "text/markdown; charset=utf-8"},
		{"/api/nothing", "text/html", "text/html; charset=utf-8"},
	} {
		resp, body := s.do(t, "GET", c.target, "Accept", c.accept)
		if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "60" || resp.Header.Get("Content-Type") != c.contentType || len(body) < 100 {
			t.Errorf("%s over the limit: %d, Retry-After %q, %s: %s", c.target, resp.StatusCode, resp.Header.Get("Retry-After"), resp.Header.Get("Content-Type"), body)
		}
		webtest.CheckContract(t, c.target, resp.Header)
	}
	for _, target := range []string{"/page", "/robots.txt", "/static/favicon.svg"} {
		resp, _ := s.do(t, "GET", target)
		if resp.StatusCode != 200 || resp.Header.Get("RateLimit-Policy") != `"pages";q=50;w=60` {
			t.Errorf("%s is %d under %s: pages have their own policy", target, resp.StatusCode, resp.Header.Get("RateLimit-Policy"))
		}
	}
	before, _ := s.do(t, "GET", "/robots.txt")
	after, _ := s.do(t, "GET", "/static/favicon.svg")
	if before.Header.Get("RateLimit-Remaining") != after.Header.Get("RateLimit-Remaining") {
		t.Error("files are charged")
	}
}

// TestCachedPagesAreCharged tests that the fast path counts too.
func TestCachedPagesAreCharged(t *testing.T) {
	s := newTestServer(t, func(c *Config) { c.RateLimit = 1 })
	for i := range 10 {
		if resp, _ := s.do(t, "GET", "/page"); resp.StatusCode != 200 {
			t.Errorf("request %d: %d", i, resp.StatusCode)
		}
	}
	if resp, _ := s.do(t, "GET", "/page"); resp.StatusCode != 429 {
		t.Errorf("the eleventh page of ten: %d", resp.StatusCode)
	}
}
