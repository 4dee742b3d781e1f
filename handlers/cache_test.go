package handlers

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// ask is what the server does for a request it has rendered an answer to.
func ask(c *cache, key string, f *finished, e epoch) {
	if c.wants([]byte(key)) {
		c.put(key, []Face{HTML}, HTML, Identity, f, e)
	}
}

func keepTwice(c *cache, key string, body int, e epoch) {
	f := &finished{body: make([]byte, body)}
	ask(c, key, f, e)
	ask(c, key, f, e)
}

func TestCacheKeepsWhatIsAskedForTwice(t *testing.T) {
	c, now := newCache(), epoch{1, 1}
	f := &finished{}
	ask(c, "/a", f, now)
	if c.get([]byte("/a"), now) != nil {
		t.Error("an address is kept at its first request")
	}
	ask(c, "/a", f, now)
	if e := c.get([]byte("/a"), now); e == nil || e.variants[HTML][Identity].Load() != f {
		t.Error("an address is not kept at its second request")
	}
	long := "/" + string(make([]byte, maxCacheKey))
	keepTwice(c, long, 1, now)
	if c.get([]byte(long), now) != nil {
		t.Error("a very long address is kept")
	}
}

func TestCacheForgetsWithItsEpoch(t *testing.T) {
	c := newCache()
	keepTwice(c, "/a", 1, epoch{1, 1})
	for _, e := range []epoch{{2, 1}, {1, 2}, {0, 1}} {
		if c.get([]byte("/a"), e) != nil {
			t.Errorf("an answer of version 1, day 1 is given in %+v", e)
		}
	}
	keepTwice(c, "/b", 1, epoch{2, 1})
	if c.get([]byte("/b"), epoch{2, 1}) == nil || len(c.entries) != 1 {
		t.Errorf("the new epoch holds %d addresses, want 1", len(c.entries))
	}
	keepTwice(c, "/late", 1, epoch{1, 1})
	if c.get([]byte("/late"), epoch{2, 1}) != nil || c.get([]byte("/b"), epoch{2, 1}) == nil {
		t.Error("an answer made from older data came in late and was kept")
	}
}

func TestCacheIsBounded(t *testing.T) {
	c, now := newCache(), epoch{1, 1}
	keepTwice(c, "/hot", 1<<20, now)
	for i := range 200 {
		keepTwice(c, fmt.Sprintf("/cold/%d", i), 1<<20, now)
		if c.get([]byte("/hot"), now) == nil {
			t.Fatalf("what is read all the time was evicted after %d others", i)
		}
		if c.size > cacheBytes {
			t.Fatalf("the cache holds %d bytes", c.size)
		}
	}
	if n := len(c.ring); n != len(c.entries) || n < 50 || n > 64 {
		t.Errorf("the cache holds %d addresses in a ring of %d", len(c.entries), n)
	}
}

// TestAnswersFollowTheData holds that a kept answer is never given once the data changed.
func TestAnswersFollowTheData(t *testing.T) {
	var version atomic.Uint64
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var day atomic.Int64
	s := newTestServer(t, func(c *Config) {
		c.Clock = func() time.Time { return at.AddDate(0, 0, int(day.Load())) }
	})
	s.version = version.Load
	kept := func() bool {
		s.cache.mu.RLock()
		defer s.cache.mu.RUnlock()
		return s.cache.entries["/errors"] != nil && s.cache.epoch == epoch{version.Load(), s.clock().Unix() / 86400}
	}
	ask := func() {
		for range 2 {
			s.do(t, "GET", "/errors")
		}
	}
	if ask(); !kept() {
		t.Fatal("the page is not kept")
	}
	version.Add(1)
	if kept() {
		t.Error("the page is kept though the data changed")
	}
	if ask(); !kept() {
		t.Error("the page is not kept again")
	}
	day.Add(1)
	if kept() {
		t.Error("the page is kept though the day changed")
	}
	for range 3 {
		s.do(t, "GET", "/api/health")
		s.do(t, "GET", "/errors.md", "Authorization", "Bearer x")
		s.do(t, "GET", "/errors.json", "Cookie", "a=b")
		s.do(t, "GET", "/errors.svg")
	}
	for _, target := range []string{"/api/health", "/errors.md", "/errors.json", "/errors.svg"} {
		if s.cache.entries[target] != nil {
			t.Errorf("%s is kept", target)
		}
	}
}
