package serve

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/handlers/web"
)

// serveOnce does what the server does after rendering a response.
func serveOnce(c *responseCache, target string, f *cachedResponse, e web.Epoch, of sources) {
	if c.admits([]byte(target)) {
		f.validity = newValidity(of, e)
		c.put(target, &cacheEntry{available: []web.Format{web.HTML}, variants: make([]variants, 1)}, 0, web.HTML, web.IdentityEncoding, f)
	}
}

func serveTwice(c *responseCache, target string, body int, e web.Epoch, of sources) {
	f := &cachedResponse{body: make([]byte, body)}
	serveOnce(c, target, f, e, of)
	serveOnce(c, target, f, e, of)
}

// cached reports whether the cache has a valid response to a target.
func (c *responseCache) cached(target string, now web.Epoch) bool {
	e := c.get([]byte(target))
	return e != nil && c.valid(e.variant(0, web.HTML, web.IdentityEncoding).Load(), now)
}

func TestCacheAdmitsSecondRequest(t *testing.T) {
	c, now := newResponseCache(), web.Epoch{Version: 1, Day: 1}
	f := &cachedResponse{}
	serveOnce(c, "/a", f, now, sources{})
	if c.cached("/a", now) {
		t.Error("a response is cached at the first request")
	}
	serveOnce(c, "/a", f, now, sources{})
	if !c.cached("/a", now) {
		t.Error("a response is not cached at the second request")
	}
	long := "/" + string(make([]byte, maxCacheKey))
	serveTwice(c, long, 1, now, sources{})
	if c.cached(long, now) {
		t.Error("a response to a very long target is cached")
	}
}

// TestCacheAdmitsTargetsOfOneSlot requests two pages in turn that share a slot of the
// admission filter.
func TestCacheAdmitsTargetsOfOneSlot(t *testing.T) {
	slots := func(target string) (first, second uint64) {
		h := xxh3.HashString(target)
		return h % admissionSlots, h >> 32 % admissionSlots
	}
	for _, shared := range []string{"first", "second"} {
		a, b := "/listings/1", ""
		first, second := slots(a)
		for i := 2; b == ""; i++ {
			target := fmt.Sprintf("/listings/%d", i)
			if f, s := slots(target); shared == "first" && f == first && s != second || shared == "second" && s == second && f != first {
				b = target
			}
		}
		c, now := newResponseCache(), web.Epoch{Version: 1, Day: 1}
		for range 2 {
			serveOnce(c, a, &cachedResponse{}, now, sources{})
			serveOnce(c, b, &cachedResponse{}, now, sources{})
		}
		if !c.cached(a, now) || !c.cached(b, now) {
			t.Errorf("%s and %s share the %s slot: cached %t and %t", a, b, shared, c.cached(a, now), c.cached(b, now))
		}
	}
}

func TestCacheFollowsChanges(t *testing.T) {
	brand, category := sources{slots: []uint16{slotOf("brand:canon")}}, sources{slots: []uint16{slotOf("category:lens"), slotOf("brand:sony")}}
	all, nothing := sources{all: true}, sources{}
	for name, test := range map[string]struct {
		tags  []string
		of    sources
		valid bool
	}{
		"another tag":            {[]string{"brand:sony"}, brand, true},
		"its tag":                {[]string{"brand:sony", "brand:canon"}, brand, false},
		"one of its tags":        {[]string{"brand:sony"}, category, false},
		"everything, one tag":    {nil, brand, false},
		"everything, no tag":     {nil, nothing, false},
		"a tag, no tag":          {[]string{"brand:canon"}, nothing, true},
		"a tag, all public data": {[]string{"brand:canon"}, all, false},
	} {
		c := newResponseCache()
		c.changes.record([]string{"brand:canon", "brand:sony", "category:lens"}) // before it is rendered
		now := web.Epoch{Change: c.changes.count.Load()}
		serveTwice(c, "/a", 1, now, test.of)
		if !c.cached("/a", now) {
			t.Errorf("%s: not cached", name)
		}
		c.changes.record(test.tags)
		if got := c.cached("/a", now); got != test.valid {
			t.Errorf("%s: cached after the change is %t, want %t", name, got, test.valid)
		}
	}
}

// TestCacheRefusesLateResponses stores a response that was rendered before a change.
func TestCacheRefusesLateResponses(t *testing.T) {
	c := newResponseCache()
	began := web.Epoch{Change: c.changes.count.Load()}
	c.changes.record([]string{"gear:leica/m6"})
	serveTwice(c, "/a", 1, began, sources{slots: []uint16{slotOf("gear:leica/m6")}})
	if c.cached("/a", web.Epoch{Change: c.changes.count.Load()}) {
		t.Error("a response from before the change is sent after it")
	}
}

func TestCacheEndsWithDayAndVersion(t *testing.T) {
	c := newResponseCache()
	serveTwice(c, "/a", 1, web.Epoch{Version: 1, Day: 1}, sources{})
	for _, e := range []web.Epoch{{Version: 2, Day: 1}, {Version: 1, Day: 2}, {Day: 1}} {
		if c.cached("/a", e) {
			t.Errorf("a response of version 1, day 1 is returned in %+v", e)
		}
	}
	serveTwice(c, "/a", 10, web.Epoch{Version: 2, Day: 1}, sources{})
	if n := c.entries.Size(); !c.cached("/a", web.Epoch{Version: 2, Day: 1}) || n != 2*entryOverhead+10 {
		t.Errorf("after it was replaced the cache has %d bytes", n)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c, now := newResponseCache(), web.Epoch{Version: 1, Day: 1}
	serveTwice(c, "/hot", 1<<20, now, sources{})
	for i := range 200 {
		serveTwice(c, fmt.Sprintf("/cold/%d", i), 1<<20, now, sources{})
		if !c.cached("/hot", now) {
			t.Fatalf("a response that is always read was evicted after %d others", i)
		}
		if size := c.entries.Size(); size > cacheBytes {
			t.Fatalf("the cache has %d bytes, at most %d are allowed", size, cacheBytes)
		}
	}
	if n := c.entries.Len(); n < 50 || n > 64 {
		t.Errorf("the cache has %d targets", n)
	}
}

func BenchmarkCacheGet(b *testing.B) {
	c, now := newResponseCache(), web.Epoch{Version: 1, Day: 1}
	for i := range 1000 {
		serveTwice(c, fmt.Sprintf("/listings?keyword=%d", i), 100, now, sources{slots: []uint16{1, 2, 3}})
	}
	b.ReportAllocs()
	for b.Loop() {
		if !c.cached("/listings?keyword=500", now) {
			b.Fatal("not cached")
		}
	}
}

// TestAnswersFollowTheData holds that a cached response is never sent once the data changed.
func TestAnswersFollowTheData(t *testing.T) {
	var version atomic.Uint64
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var day atomic.Int64
	s := newTestServer(t, func(c *web.Config) {
		c.Clock = func() time.Time { return at.AddDate(0, 0, int(day.Load())) }
		c.Version = version.Load
	})
	isCached := func(target string) bool {
		return s.cache.cached(target, web.Epoch{Version: version.Load(), Day: s.Clock().Unix() / 86400})
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
		s.do(t, "GET", "/page.json", "Cookie", "notice=sign_in")
		s.do(t, "GET", "/page.svg")
	}
	for _, target := range []string{"/api/health", "/page.md", "/page.json", "/page.svg"} {
		if isCached(target) {
			t.Errorf("%s is cached", target)
		}
	}
}
