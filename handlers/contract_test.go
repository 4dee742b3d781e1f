package handlers

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/static"
)

// TestEveryResponseKeepsTheContract requests one response of every kind.
func TestEveryResponseKeepsTheContract(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	resp, _ := s.do(t, "GET", "/about")
	etag := resp.Header.Get("ETag")
	asset := static.Path("favicon.svg")
	for _, c := range []struct {
		method, target string
		header         []string
		status         int
	}{
		{"GET", "/about", nil, 200},
		{"GET", "/api/listings/search", nil, 200},
		{"HEAD", "/about", nil, 200},
		{"HEAD", "/api/health", nil, 200},
		{"GET", "/about", []string{"If-None-Match", etag}, 304},
		{"HEAD", "/about", []string{"If-None-Match", etag}, 304},
		{"GET", "/about/", nil, 308},
		{"OPTIONS", "/about", nil, 204},
		{"OPTIONS", "/api/health", []string{"Origin", "https://other.example", "Access-Control-Request-Method", "GET"}, 204},
		{"OPTIONS", "/nothing", nil, 404},
		{"GET", "/api/health?nope=1", nil, 400},
		{"GET", "/api/listings/search?limit=%zz", nil, 400},
		{"GET", "/probes/lens?limit=1000", nil, 400},
		{"GET", "/nothing", nil, 404},
		{"GET", "/api/nothing", nil, 404},
		{"GET", "/api/trends/canon/nothing", nil, 404},
		{"GET", "/about.md.json", nil, 404},
		{"POST", "/about", nil, 405},
		{"DELETE", "/api/health", nil, 405},
		{"BREW", "/about", nil, 501},
		{"POST", "/about", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"POST", "/api/health", []string{"Origin", "https://other.example"}, 403},
		{"POST", "/api/health", []string{"Origin", "https://secondlight.example"}, 405},
		{"GET", "/about", []string{"Accept", "image/png"}, 406},
		{"GET", "/api/probes/panic", nil, 500},
		{"GET", "/probes/panic", nil, 500},
		{"GET", "/probes/panic.md", nil, 500},
		{"GET", "/probes/busy", nil, 503},
		{"GET", asset, nil, 200},
		{"GET", asset, []string{"If-None-Match", "*"}, 304},
		{"GET", "/static/favicon.svg", nil, 200},
		{"GET", "/static/nothing.css", nil, 404},
		{"GET", "/robots.txt", nil, 200},
		{"GET", "/livez", nil, 200},
		{"HEAD", "/readyz", nil, 200},
		{"GET", "/favicon.ico", nil, 200},
		{"GET", "/photos/nothing-320.jpg", nil, 404},
		{"GET", "/openapi.json", nil, 200},
		{"GET", "/openapi-admin.json", nil, 200},
		{"GET", "/openapi-health.json", nil, 200},
		{"GET", "/openapi.yaml", []string{"Accept-Encoding", "br"}, 200},
		{"GET", "/openapi.json", []string{"If-None-Match", "*"}, 304},
	} {
		s.conn.CheckExchange(t, c.method, c.target, c.header, c.status)
	}
}

// TestErrorsInEveryFormat tests that an error says the same three facts in every format
// for programs, under the id that the log has, and what they mean on pages.
func TestErrorsInEveryFormat(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, c := range []struct{ target, accept, contentType string }{
		{"/api/probes/missing", "", "application/problem+json; charset=utf-8"},
		{"/api/probes/missing", "text/markdown", "text/markdown; charset=utf-8"},
		{"/api/probes/missing", "text/html", "text/html; charset=utf-8"},
		{"/probes/missing", "", "text/html; charset=utf-8"},
		{"/probes/missing", "application/json", "application/problem+json; charset=utf-8"},
		{"/probes/missing.md", "", "text/markdown; charset=utf-8"},
		{"/probes/missing.json", "text/html", "application/problem+json; charset=utf-8"},
		{"/probes/missing.csv", "", "application/problem+json; charset=utf-8"},
	} {
		resp, body := s.do(t, "GET", c.target, "Accept", c.accept)
		if got := resp.Header.Get("Content-Type"); got != c.contentType {
			t.Errorf("%s with Accept %q is %s, want %s", c.target, c.accept, got, c.contentType)
		}
		facts := []string{"gear_not_found", "No gear is called missing.", "Use one of the links", "404", "/gear", resp.Header.Get("X-Request-Id")}
		if strings.HasPrefix(c.contentType, "text/html") { // for people, without what only programs use
			facts = []string{"Gear not found", "We couldn&#39;t find this camera or lens", "404", "/gear"}
		}
		for _, fact := range facts {
			if !strings.Contains(body, fact) {
				t.Errorf("%s with Accept %q does not say %q: %s", c.target, c.accept, fact, body)
			}
		}
	}
}
