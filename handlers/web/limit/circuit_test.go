package limit

import (
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

func TestCircuit(t *testing.T) {
	var c circuit
	now := time.Now()
	for i, step := range []struct {
		do             func() bool
		after          time.Duration
		allowed, retry bool
	}{
		{nil, 0, true, false},
		{func() bool { return c.open(now) }, 0, false, false},
		{func() bool { return !c.open(now) }, redisPause - 1, false, false},
		{nil, redisPause, true, true},
		{nil, redisPause, false, false},
		{nil, 2 * redisPause, true, true},
		{func() bool { c.close(); return true }, 2 * redisPause, true, false},
	} {
		if step.do != nil && !step.do() {
			t.Errorf("step %d: not the first failure", i)
		}
		if allowed, retry := c.allows(now.Add(step.after)); allowed != step.allowed || retry != step.retry {
			t.Errorf("step %d: %v %v", i, allowed, retry)
		}
	}
}

// TestFallbackContinues checks that a server that is on its own continues from what it saw.
func TestFallbackContinues(t *testing.T) {
	redis, p := webtest.StartRedis(t), NewPolicy("default", 10)
	address := parseRedis(t, redis.URL)
	newLimiter := func() *Shared {
		l := NewShared(address, slog.New(slog.DiscardHandler))
		t.Cleanup(func() { l.redis.Close() })
		return l
	}
	c := Client{Addr: netip.MustParseAddr("192.0.2.1")}
	one, other := newLimiter(), newLimiter()
	charge := func() (counted bool) {
		other.Charge(c, p, 6, time.Now())
		one.Charge(c, p, 1, time.Now())
		return one.Fallbacks.Load()+other.Fallbacks.Load() == 0
	}
	for !charge() { // Redis was too slow, on a busy machine
		c.Addr = c.Addr.Next()
		one, other = newLimiter(), newLimiter()
	}
	redis.Kill()
	if q := one.Charge(c, p, 1, time.Now()); q.remaining != 2 {
		t.Errorf("%d of 10 are left after 8", q.remaining)
	}
}

// parseRedis parses the URL of a Redis.
func parseRedis(t *testing.T, url string) *Redis {
	t.Helper()
	address, err := ParseRedis(url)
	if err != nil {
		t.Fatal(err)
	}
	return address
}
