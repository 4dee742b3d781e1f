package handlers

import (
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/storetest"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.SiteID, c.Instance = "shop", "one" })
	resp, body := s.do(t, "GET", "/api/health")
	if want := `{"status":"ok","timestamp":"2026-11-21T09:00:00.123456Z","site":"shop","instance":"one"}`; resp.StatusCode != 200 || body != want {
		t.Errorf("health is %d %s, want 200 %s", resp.StatusCode, body, want)
	}
	if got := resp.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("health may be cached: %s", got)
	}
	if _, body = s.do(t, "GET", "/api/health", "Accept", "text/markdown"); !strings.Contains(body, "- status: ok") {
		t.Errorf("health in Markdown is %s", body)
	}
}

// TestProbes checks that the probes answer, that neither they nor the health check are
// charged, and that a server that drains serves while it is not ready.
func TestProbes(t *testing.T) {
	t.Parallel()
	const limit = 2
	s := newTestServer(t, func(cfg *Config) { cfg.RateLimit = limit })
	expect := func(path string, status int, part string) {
		t.Helper()
		if resp, body := s.do(t, "GET", path); resp.StatusCode != status || !strings.Contains(body, part) {
			t.Errorf("%s is %d %s, want %d %s", path, resp.StatusCode, body, status, part)
		} else if status == 503 && resp.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
	}
	for range 3 * limit {
		expect("/livez", 200, "ok")
		expect("/readyz", 200, "ok")
		expect("/api/health", 200, `"status":"ok"`)
	}
	for range limit {
		expect("/api/gear", 200, "")
	}
	expect("/api/gear", 429, "")
	expect("/api/health", 200, "")

	s.Drain()
	expect("/readyz", 503, "draining")
	expect("/livez", 200, "ok")
	resp, _ := s.do(t, "GET", "/about")
	if resp.StatusCode != 200 || !resp.Close {
		t.Errorf("a page is %d while the server drains, and its connection is closed: %t", resp.StatusCode, resp.Close)
	}
}

// TestDegradedHealth checks that the status is degraded while writes fail, and that
// health is a 503 only if nothing can be read.
func TestDegradedHealth(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	store := storetest.Open(t, url, nil)
	cfg := m()
	cfg.Store = store
	s := serveTest(t, New(quiet(cfg)))
	check := func(want int, part string) {
		t.Helper()
		s.health.checked = time.Time{}
		resp, body := s.do(t, "GET", "/api/health")
		if resp.StatusCode != want || !strings.Contains(body, part) {
			t.Errorf("health is %d %s, want %d %s", resp.StatusCode, body, want, part)
		}
	}
	check(200, `"status":"ok"`)
	storetest.FillDisk(t, url)
	check(200, `"status":"degraded"`)
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	check(503, `"code":"unavailable"`)
}
