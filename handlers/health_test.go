package handlers

import (
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	resp, body := s.do(t, "GET", "/api/health")
	if want := `{"status":"ok","timestamp":"2026-11-21T09:00:00.123456Z"}`; resp.StatusCode != 200 || body != want {
		t.Errorf("health is %d %s, want 200 %s", resp.StatusCode, body, want)
	}
	if got := resp.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("health may be cached: %s", got)
	}
	if _, body = s.do(t, "GET", "/api/health", "Accept", "text/markdown"); !strings.Contains(body, "- status: ok") {
		t.Errorf("health in Markdown is %s", body)
	}
}
