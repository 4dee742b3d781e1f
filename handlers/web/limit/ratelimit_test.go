package limit

import (
	"log/slog"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
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
	shared := NewShared(parseRedis(t, "redis://"+redis.Addr()), slog.New(slog.DiscardHandler))
	t.Cleanup(func() { shared.redis.Close() })
	for name, l := range map[string]Limiter{"local": NewLocal(), "shared": shared} {
		t.Run(name, func(t *testing.T) {
			p := NewPolicy("default", 3)
			var now time.Duration
			for _, c := range steps {
				redis.FastForward(c.after - now)
				now = c.after
				q := l.Charge(Client{Addr: c.addr}, p, c.cost, start.Add(now))
				if q.remaining != c.remaining || q.Reset != c.reset || q.Over != c.over {
					t.Errorf("%s: %d left, %d s, over %v; want %d, %d s, %v", c.name, q.remaining, q.Reset, q.Over, c.remaining, c.reset, c.over)
				}
			}
		})
	}
}

func TestLimiterWhenTheClockGoesBack(t *testing.T) {
	l, p, c, now := NewLocal(), NewPolicy("default", 3), Client{Addr: netip.MustParseAddr("192.0.2.1")}, time.Now()
	l.Charge(c, p, 3, now)
	if q := l.Charge(c, p, 1, now.Add(-time.Minute)); q.remaining != 2 || q.Reset != 60 {
		t.Errorf("%d left, %d s", q.remaining, q.Reset)
	}
}

func TestLimiterIsBounded(t *testing.T) {
	l, p := NewLocal(), NewPolicy("default", 3)
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for i := range 400_000 {
		l.Charge(Client{Addr: netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})}, p, 1, now)
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
	l.Charge(Client{Addr: netip.MustParseAddr("192.0.2.1")}, p, 1, now.Add(time.Hour))
	if q := l.Charge(Client{Addr: netip.MustParseAddr("192.0.2.1")}, p, 1, now.Add(time.Hour)); q.remaining != 1 {
		t.Errorf("a client that came when all was full has %d left, want 1", q.remaining)
	}
}

func TestLimiterCountsExactlyUnderLoad(t *testing.T) {
	l, p := NewLocal(), NewPolicy("default", 500)
	now, addr := time.Now(), netip.MustParseAddr("192.0.2.1")
	var wg sync.WaitGroup
	var mu sync.Mutex
	passed := 0
	for range 10 {
		wg.Go(func() {
			for range 100 {
				if q := l.Charge(Client{Addr: addr}, p, 1, now); !q.Over {
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
