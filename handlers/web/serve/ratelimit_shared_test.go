package serve

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// redisServer is a redis-server under test and its address.
type redisServer struct {
	*webtest.Redis
	address *limit.Redis
}

// startRedis starts the installed redis-server, or skips the test if there is none.
func startRedis(t *testing.T) *redisServer {
	t.Helper()
	s := &redisServer{Redis: webtest.StartRedis(t)}
	var err error
	if s.address, err = limit.ParseRedis(s.URL); err != nil {
		t.Fatal(err)
	}
	return s
}

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), part)
}

// TestLimitOfAllServers checks that a client has one quota at three servers.
func TestLimitOfAllServers(t *testing.T) {
	redis, log := startRedis(t), &lines{}
	var passed atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		s := newTestServer(t, func(c *web.Config) {
			c.RateLimit, c.Redis, c.Log = 100, redis.address, slog.New(slog.NewTextHandler(log, nil))
		})
		for range 4 {
			wg.Go(func() {
				for range 20 {
					resp, _ := s.do(t, "GET", "/api/health")
					switch {
					case resp.StatusCode == 200:
						passed.Add(1)
					case resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "":
						t.Errorf("%d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
					}
				}
			})
		}
	}
	wg.Wait()
	if log.count("level=WARN") > 0 {
		t.Skip("Redis took more than 50 ms: this machine is too busy, and servers counted on their own")
	}
	if n := passed.Load(); n < 98 || n > 102 {
		t.Errorf("%d of 240 requests passed a limit of 100", n)
	}
}

// TestRedisFails checks that servers limit clients on their own while Redis does not answer,
// that no answer waits until it is back, and that the log says so once. The slowest answer
// is logged: a limit of 50 ms would fail when the machine is busy with something else.
func TestRedisFails(t *testing.T) {
	for _, c := range []struct {
		name           string
		fail, comeBack func(*testing.T, *redisServer)
	}{
		{"killed", func(_ *testing.T, r *redisServer) { r.Kill() }, func(t *testing.T, r *redisServer) { r.Start(t) }},
		{"hung", func(_ *testing.T, r *redisServer) { r.Process.Signal(syscall.SIGSTOP) }, func(_ *testing.T, r *redisServer) { r.Process.Signal(syscall.SIGCONT) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			redis, log := startRedis(t), &lines{}
			s := newTestServer(t, func(c *web.Config) { c.Redis, c.Log = redis.address, slog.New(slog.NewTextHandler(log, nil)) })
			slowest := func(d time.Duration) (slowest time.Duration) {
				for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
					started := time.Now()
					if resp, body := s.do(t, "GET", "/api/health"); resp.StatusCode != 200 {
						t.Fatalf("%d: %s", resp.StatusCode, body)
					}
					slowest = max(slowest, time.Since(started))
				}
				return slowest
			}
			normal := slowest(200 * time.Millisecond)
			c.fail(t, redis)
			failing := slowest(2500 * time.Millisecond)
			t.Logf("the slowest answer took %s, and %s without Redis", normal, failing)
			if failing > time.Second {
				t.Errorf("an answer took %s without Redis", failing)
			}
			if stats := s.Stats().RateLimit; stats.Shared || stats.Fallbacks == 0 || log.count("\n") != 1 || log.count("share the rate limit") != 1 {
				t.Errorf("without Redis: %+v, %s", stats, &log.text)
			}
			c.comeBack(t, redis)
			for deadline := time.Now().Add(5 * time.Second); !s.Stats().RateLimit.Shared && time.Now().Before(deadline); {
				slowest(20 * time.Millisecond)
			}
			if stats := s.Stats().RateLimit; !stats.Shared || log.count("\n") != 2 || log.count("shared again") != 1 {
				t.Errorf("with Redis again: %+v, %s", stats, &log.text)
			}
			other := newTestServer(t, func(c *web.Config) { c.Redis = redis.address })
			before, _ := s.do(t, "GET", "/api/health")
			after, _ := other.do(t, "GET", "/api/health")
			var left, leftAfter int
			fmt.Sscan(before.Header.Get("RateLimit-Remaining"), &left)
			fmt.Sscan(after.Header.Get("RateLimit-Remaining"), &leftAfter)
			if leftAfter != left-1 {
				t.Errorf("%d requests are left at one server, then %d at another", left, leftAfter)
			}
		})
	}
}
