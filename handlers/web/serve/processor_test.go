//go:build linux

package serve

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
)

// TestProcessorTime tests that a client that takes too much processor time waits for the
// next window, as one that sends too many requests does, at every server. It still gets what
// costs nothing: cached pages, files and what monitors ask.
func TestProcessorTime(t *testing.T) {
	for name, shared := range map[string]bool{"one server": false, "two servers": true} {
		t.Run(name, func(t *testing.T) {
			now := testNow
			configure := func(c *web.Config) { c.RateLimit, c.Clock = 100, func() time.Time { return now } }
			if shared {
				redis := startRedis(t)
				local := configure
				configure = func(c *web.Config) { local(c); c.Redis = redis.address }
			}
			dear, other := newTestServer(t, configure), newTestServer(t, configure)
			dear.timePolicy.Limit, other.timePolicy.Limit = 3*int(dearTime.Milliseconds())/2, 3*int(dearTime.Milliseconds())/2
			for range 3 {
				dear.do(t, "GET", "/probes/cached", "Accept", "text/html")
			}
			for i, want := range []int{200, 200, 429} {
				if resp, _ := dear.do(t, "GET", fmt.Sprintf("/api/probes/dear?list=%d", i)); resp.StatusCode != want {
					t.Errorf("request %d is %d, want %d", i, resp.StatusCode, want)
				}
			}
			resp, body := dear.do(t, "GET", "/api/probes/cheap")
			if resp.Header.Get("RateLimit") != fmt.Sprintf(`"default";r=0;t=%s`, resp.Header.Get("Retry-After")) || !strings.Contains(body, `"code":"rate_limited"`) || !strings.Contains(body, "100 requests per minute") {
				t.Errorf("%d %v %s", resp.StatusCode, resp.Header, body)
			}
			statuses := map[string]int{"/probes/cached": 200, "/robots.txt": 200, "/probes/new": 429, "/page": 429}
			for target, want := range statuses {
				if resp, _ := dear.do(t, "GET", target, "Accept", "text/html, */*"); resp.StatusCode != want {
					t.Errorf("%s is %d, want %d", target, resp.StatusCode, want)
				}
			}
			other.do(t, "GET", "/api/probes/dear")
			if resp, _ := other.do(t, "GET", "/api/probes/cheap"); (resp.StatusCode == 429) != shared {
				t.Errorf("another server answers with %d", resp.StatusCode)
			}
			now = now.Add(time.Minute)
			if resp, _ := dear.do(t, "GET", "/api/probes/cheap"); !shared && resp.StatusCode != 200 {
				t.Errorf("%d in the next window", resp.StatusCode)
			}
		})
	}
}

// TestUnknownParametersAreCached tests that a page is rendered once for all queries with
// parameters that it doesn't have.
func TestUnknownParametersAreCached(t *testing.T) {
	s := newTestServer(t)
	get := func(target string) string {
		resp, body := s.do(t, "GET", target, "Accept", "text/html")
		if resp.StatusCode != 200 {
			t.Fatalf("%s is %d", target, resp.StatusCode)
		}
		return body
	}
	for base, others := range map[string][]string{
		"/page":                    {"/page?", "/page?utm_source=a", "/page?x=%41&&y", "/page?a=b&a=c", "/page?word=x"},
		"/probes/long":             {"/probes/long?x=1", "/probes/long?%78=1"},
		"/probes/long?sort=-price": {"/probes/long?utm=1&sort=-price", "/probes/long?sort=-price&utm=1", "/probes/long?x&sort=-price&y"},
		"/probes/long.json":        {"/probes/long.json?x=1"},
	} {
		want := get(base)
		get(base)
		for _, target := range others {
			before := s.CacheHits()
			if body := get(target); body != want || s.CacheHits() != before+1 {
				t.Errorf("%s is not from the cache, or not the same", target)
			}
		}
	}
	before := s.CacheHits()
	if get("/probes/long?sort=price&utm=1"); s.CacheHits() != before {
		t.Error("a page with another parameter is from the cache")
	}
	for target, want := range map[string]int{"/api/probes/long?x=1": 400, "/page?x=%zz": 400} {
		if resp, _ := s.do(t, "GET", target); resp.StatusCode != want {
			t.Errorf("%s is %d, want %d", target, resp.StatusCode, want)
		}
	}
}
