package handlers

import (
	"net/http"
	"strings"
	"testing"
)

func TestPrimitivesAreForDevelopment(t *testing.T) {
	t.Parallel()
	if resp, _ := newTestServer(t).do(t, "GET", "/ui", "Accept", "text/html"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("GET /ui answers %d", resp.StatusCode)
	}
	server := newTestServer(t, func(cfg *Config) { cfg.Dev = true })
	resp, body := server.do(t, "GET", "/ui", "Accept", "text/html")
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("GET /ui in development answers %d", resp.StatusCode)
	}
	for _, primitive := range []string{`class="swatches"`, `class="cards"`, `class="tiles"`, `class="chart wide"`, `class="facts"`, `class="onward"`} {
		if !strings.Contains(body, primitive) {
			t.Errorf("the page does not show %s", primitive)
		}
	}
}
