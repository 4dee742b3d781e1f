package serve

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
)

// TestErrorsTakeTheFormatOfTheClient tests errors that arise before and during
// negotiation.
func TestErrorsTakeTheFormatOfTheClient(t *testing.T) {
	for _, c := range []struct {
		target, accept string
		limit          int // 0 for one that is used up
		status         int
		contentType    string
	}{
		{"/probes/lens.json", "", 0, 429, "application/problem+json"},
		{"/probes/lens.md", "text/html", 0, 429, "text/markdown"},
		{"/probes/lens", "application/json", 0, 429, "application/problem+json"},
		{"/probes/lens", "text/html", 0, 429, "text/html"},
		{"/probes/lens", "image/png", 100, 406, "application/problem+json"},
		{"/probes/lens", "application/xml", 100, 406, "application/problem+json"},
		{"/probes/lens", "text/plain", 100, 406, "text/markdown"},
		{"/api/probes/lens", "text/plain;q=0, image/png", 100, 406, "application/problem+json"},
		{"/api/probes/lens", "text/calendar", 100, 406, "text/markdown"},
	} {
		s := newTestServer(t, func(cfg *web.Config) { cfg.RateLimit = max(c.limit, 1) })
		if c.limit == 0 {
			for range 2 * 10 { // pages have ten times the limit
				s.do(t, "GET", c.target)
			}
		}
		resp, body := s.do(t, "GET", c.target, "Accept", c.accept)
		if resp.StatusCode != c.status || !strings.HasPrefix(resp.Header.Get("Content-Type"), c.contentType) {
			t.Errorf("%s for %q is %d as %s, want %d as %s: %.200s", c.target, c.accept, resp.StatusCode, resp.Header.Get("Content-Type"), c.status, c.contentType, body)
		}
	}
}

func TestFoldPath(t *testing.T) {
	for path, want := range map[string]string{"/gear/Canon/EOS-R6": "/gear/canon/eos-r6", "/gear/canon": "", "/gear/%C3%89": "", "/gear/A%C3": "/gear/a%C3", "/%4": "", "/%": ""} {
		got, folded := foldPath([]byte(path))
		if got != want || folded != (want != "") {
			t.Errorf("%s is folded to %q, want %q", path, got, want)
		}
		if again, folded := foldPath([]byte(got)); folded {
			t.Errorf("%s is folded again to %s", got, again)
		}
	}
}
