package web

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// serveOnce does what the server does after rendering a response.
func serveOnce(c *responseCache, target string, f *cachedResponse, e epoch) {
	if c.admits([]byte(target)) {
		c.put(target, []Format{HTML}, HTML, IdentityEncoding, f, e)
	}
}

func serveTwice(c *responseCache, target string, body int, e epoch) {
	f := &cachedResponse{body: make([]byte, body)}
	serveOnce(c, target, f, e)
	serveOnce(c, target, f, e)
}

func TestCacheAdmitsSecondRequest(t *testing.T) {
	c, now := newResponseCache(), epoch{1, 1}
	f := &cachedResponse{}
	serveOnce(c, "/a", f, now)
	if c.get([]byte("/a"), now) != nil {
		t.Error("a response is cached at the first request")
	}
	serveOnce(c, "/a", f, now)
	if e := c.get([]byte("/a"), now); e == nil || e.variants[HTML][IdentityEncoding].Load() != f {
		t.Error("a response is not cached at the second request")
	}
	long := "/" + string(make([]byte, maxCacheKey))
	serveTwice(c, long, 1, now)
	if c.get([]byte(long), now) != nil {
		t.Error("a response to a very long target is cached")
	}
}

func TestCacheEndsWithEpoch(t *testing.T) {
	c := newResponseCache()
	serveTwice(c, "/a", 1, epoch{1, 1})
	for _, e := range []epoch{{2, 1}, {1, 2}, {0, 1}} {
		if c.get([]byte("/a"), e) != nil {
			t.Errorf("a response of version 1, day 1 is returned in %+v", e)
		}
	}
	serveTwice(c, "/b", 1, epoch{2, 1})
	if n := c.current.Load().entries.Len(); c.get([]byte("/b"), epoch{2, 1}) == nil || n != 1 {
		t.Errorf("the new epoch has %d targets, want 1", n)
	}
	serveTwice(c, "/late", 1, epoch{1, 1})
	if c.get([]byte("/late"), epoch{2, 1}) != nil || c.get([]byte("/b"), epoch{2, 1}) == nil {
		t.Error("a response of an earlier epoch was stored")
	}
}

func TestCacheIsBounded(t *testing.T) {
	c, now := newResponseCache(), epoch{1, 1}
	serveTwice(c, "/hot", 1<<20, now)
	for i := range 200 {
		serveTwice(c, fmt.Sprintf("/cold/%d", i), 1<<20, now)
		if c.get([]byte("/hot"), now) == nil {
			t.Fatalf("a response that is always read was evicted after %d others", i)
		}
		if size := c.current.Load().entries.Size(); size > cacheBytes {
			t.Fatalf("the cache has %d bytes, at most %d are allowed", size, cacheBytes)
		}
	}
	if n := c.current.Load().entries.Len(); n < 50 || n > 64 {
		t.Errorf("the cache has %d targets", n)
	}
}

func BenchmarkCacheGet(b *testing.B) {
	c, now := newResponseCache(), epoch{1, 1}
	for i := range 1000 {
		serveTwice(c, fmt.Sprintf("/listings?keyword=%d", i), 100, now)
	}
	target := []byte("/listings?keyword=500")
	b.ReportAllocs()
	for b.Loop() {
		if c.get(target, now) == nil {
			b.Fatal("not cached")
		}
	}
}

// TestAnswersFollowTheData holds that a cached response is never sent once the data changed.
func TestAnswersFollowTheData(t *testing.T) {
	var version atomic.Uint64
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var day atomic.Int64
	s := newTestServer(t, func(c *Config) {
		c.Clock = func() time.Time { return at.AddDate(0, 0, int(day.Load())) }
		c.Version = version.Load
	})
	isCached := func(target string) bool {
		return s.cache.get([]byte(target), epoch{version.Load(), s.clock().Unix() / 86400}) != nil
	}
	cached := func() bool { return isCached("/page") }
	ask := func() {
		for range 2 {
			s.do(t, "GET", "/page")
		}
	}
	if ask(); !cached() {
		t.Fatal("the page is not cached")
	}
	version.Add(1)
	if cached() {
		t.Error("the page is cached though the data changed")
	}
	if ask(); !cached() {
		t.Error("the page is not cached again")
	}
	day.Add(1)
	if cached() {
		t.Error("the page is cached though the day changed")
	}
	for range 3 {
		s.do(t, "GET", "/api/health")
		s.do(t, "GET", "/page.md", "Authorization", "Bearer x")
		s.do(t, "GET", "/page.json", "Cookie", "a=b")
		s.do(t, "GET", "/page.svg")
	}
	for _, target := range []string{"/api/health", "/page.md", "/page.json", "/page.svg"} {
		if isCached(target) {
			t.Errorf("%s is cached", target)
		}
	}
}
