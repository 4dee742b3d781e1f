package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/static"
)

// TestEveryResponseKeepsTheContract requests one response of every kind.
func TestEveryResponseKeepsTheContract(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	resp, _ := s.do(t, "GET", "/probes/lens")
	etag := resp.Header.Get("ETag")
	asset := static.Path("favicon.svg")
	for _, c := range []struct {
		method, target string
		header         []string
		status         int
	}{
		{"GET", "/probes/lens", nil, 200},
		{"GET", "/api/probes/lens", nil, 200},
		{"HEAD", "/probes/lens", nil, 200},
		{"HEAD", "/api/health", nil, 200},
		{"GET", "/probes/lens", []string{"If-None-Match", etag}, 304},
		{"HEAD", "/probes/lens", []string{"If-None-Match", etag}, 304},
		{"GET", "/probes/lens/", nil, 308},
		{"OPTIONS", "/probes/lens", nil, 204},
		{"OPTIONS", "/api/probes/lens", []string{"Origin", "https://other.example", "Access-Control-Request-Method", "GET"}, 204},
		{"OPTIONS", "/nothing", nil, 404},
		{"GET", "/api/probes/lens?nope=1", nil, 400},
		{"GET", "/api/probes/lens?limit=%zz", nil, 400},
		{"GET", "/probes/lens?limit=1000", nil, 400},
		{"GET", "/nothing", nil, 404},
		{"GET", "/api/nothing", nil, 404},
		{"GET", "/api/probes/missing", nil, 404},
		{"GET", "/probes/lens.md.json", nil, 200},
		{"POST", "/probes/lens", nil, 405},
		{"DELETE", "/api/probes/lens", nil, 405},
		{"BREW", "/probes/lens", nil, 501},
		{"POST", "/probes/lens", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"POST", "/api/probes/lens", []string{"Origin", "https://other.example", "Cookie", "a=b"}, 403},
		{"POST", "/api/probes/lens", []string{"Origin", "https://other.example"}, 405},
		{"POST", "/api/probes/lens", []string{"Origin", "https://secondlight.example"}, 405},
		{"GET", "/probes/lens", []string{"Accept", "image/png"}, 406},
		{"GET", "/api/probes/panic", nil, 500},
		{"GET", "/api/probes/broken", nil, 500},
		{"GET", "/api/probes/hidden", nil, 500},
		{"GET", "/probes/unrenderable.md", nil, 500},
		{"GET", "/api/probes/busy", nil, 503},
		{"GET", "/api/probes/late", nil, 503},
		{"GET", asset, nil, 200},
		{"GET", asset, []string{"If-None-Match", "*"}, 304},
		{"GET", "/static/favicon.svg", nil, 200},
		{"GET", "/static/nothing.css", nil, 404},
		{"GET", "/robots.txt", nil, 200},
		{"GET", "/favicon.ico", nil, 200},
	} {
		s.client.CheckExchange(t, c.method, c.target, c.header, c.status)
	}
}

// TestUnreadableRequests sends what never becomes a request.
func TestUnreadableRequests(t *testing.T) {
	s := newTestServer(t)
	for _, c := range []struct {
		name, request string
		status        int
	}{
		{"header over the limit", "GET / HTTP/1.1\r\nHost: x\r\nCookie: " + strings.Repeat("a", 20_000) + "\r\n\r\n", 431},
		{"body over the limit", fmt.Sprintf("POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", bodyBytes+1), 413},
		{"length and encoding", "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
		{"space in a name", "GET /api/health HTTP/1.1\r\nHost: x\r\nX Forwarded: 1\r\n\r\n", 400},
		{"space before the colon", "GET /api/health HTTP/1.1\r\nHost: x\r\nX-Forwarded : 1\r\n\r\n", 400},
		{"folded line", "GET /api/health HTTP/1.1\r\nHost: x\r\nX-Long: 1\r\n 2\r\n\r\n", 400},
		{"bare LF after a field", "GET /api/health HTTP/1.1\r\nHost: x\nX-Other: 1\r\n\r\n", 400},
		{"bare LF after the request line", "GET /api/health HTTP/1.1\nHost: x\r\n\r\n", 400},
		{"bare LF throughout", "GET /api/health HTTP/1.1\nHost: x\n\n", 400},
		{"no host", "GET / HTTP/1.1\r\n\r\n", 400},
		{"not HTTP", "nonsense\r\n\r\n", 400},
		{"encoding identity", "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\nGET /api/health HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"encoding gzip", "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 400},
		{"two encodings", "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
		{"an encoding after chunked", "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400},
		{"chunked twice", "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
		{"almost chunked", "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400},
		{"two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
	} {
		conn, err := s.client.Dial()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, c.request); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var failure problemPage
		if err := json.NewDecoder(resp.Body).Decode(&failure); err != nil || failure.Status != c.status || resp.StatusCode != c.status {
			t.Errorf("%s: status %d with %+v: %v; want %d", c.name, resp.StatusCode, failure, err, c.status)
		}
		webtest.CheckContract(t, c.name, resp.Header)
		if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%s: the connection stays open: %v", c.name, err)
		}
		conn.Close()
	}
}

// TestErrorsInEveryFormat tests that an error says the same three facts in every
// format, under the id that the log has.
func TestErrorsInEveryFormat(t *testing.T) {
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
		for _, fact := range []string{"probe_not_found", "No probe is called missing.", "Use one of the links", "404", "/probes", resp.Header.Get("X-Request-Id")} {
			if !strings.Contains(body, fact) {
				t.Errorf("%s with Accept %q does not say %q: %s", c.target, c.accept, fact, body)
			}
		}
	}
}

// TestInternalErrorsAreLogged tests that the cause is in the log under the
// request id the reader has.
func TestInternalErrorsAreLogged(t *testing.T) {
	var log bytes.Buffer
	s := newTestServer(t, func(c *web.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for _, word := range []string{"panic", "broken", "hidden"} {
		log.Reset()
		trace := "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
		resp, _ := s.do(t, "GET", "/api/probes/"+word, "Traceparent", trace)
		for _, want := range []string{webtest.Cause, resp.Header.Get("X-Request-Id"), trace, "/api/probes/" + word} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log of %s does not say %q: %s", word, want, &log)
			}
		}
	}
}

// TestRedirectsStayHere tests that a path cannot become another host.
func TestRedirectsStayHere(t *testing.T) {
	s := newTestServer(t)
	for target, want := range map[string]string{
		"/errors/":               "/errors",
		"/errors/?a=b":           "/errors?a=b",
		"/errors//":              "/errors",
		"///evil.example/":       "/evil.example",
		"/%0d%0aset-cookie:a/":   "/%0d%0aset-cookie:a",
		"/caf\u00e9/":            "/caf%C3%A9",
		"/probes/a/?x=%22%3Ey":   "/probes/a?x=%22%3Ey",
		"/\\evil.example/":       "/%5Cevil.example",
		"/api/health/":           "/api/health",
		"/gear/canon/eos-r6///?": "/gear/canon/eos-r6",
	} {
		resp, _ := s.do(t, "GET", target)
		if got := resp.Header.Get("Location"); resp.StatusCode != 308 || got != want {
			t.Errorf("%s leads to %d %q, want 308 %q", target, resp.StatusCode, got, want)
		}
	}
}

// TestClientAddress tests that a client cannot choose the address it is counted by.
func TestClientAddress(t *testing.T) {
	t.Parallel()
	peer := netip.MustParsePrefix("127.0.0.1/32")
	inner := netip.MustParsePrefix("10.0.0.0/8")
	for _, c := range []struct {
		name    string
		proxies []netip.Prefix
		first   []string // X-Forwarded-For of the first request
		second  []string // and of the second
		same    bool     // counted as one client
	}{
		{"no proxy is trusted", nil, []string{"1.1.1.1"}, []string{"2.2.2.2"}, true},
		{"a trusted proxy tells clients apart", []netip.Prefix{peer}, []string{"1.1.1.1"}, []string{"2.2.2.2"}, false},
		{"what the client wrote before it counts for nothing", []netip.Prefix{peer}, []string{"9.9.9.9, 1.1.1.1"}, []string{"8.8.8.8, 1.1.1.1"}, true},
		{"several trusted proxies", []netip.Prefix{peer, inner}, []string{"1.1.1.1, 10.0.0.7"}, []string{"2.2.2.2, 10.0.0.7"}, false},
		{"several lines", []netip.Prefix{peer, inner}, []string{"1.1.1.1", "10.0.0.7"}, []string{"2.2.2.2", "10.0.0.7"}, false},
		{"ports", []netip.Prefix{peer}, []string{"1.1.1.1:80"}, []string{"1.1.1.1:81"}, true},
		{"nonsense stops the walk", []netip.Prefix{peer}, []string{"1.1.1.1, nonsense"}, []string{"2.2.2.2, nonsense"}, true},
		{"an IPv6 network is one client", []netip.Prefix{peer}, []string{"2001:db8::1"}, []string{"2001:db8::2"}, true},
		{"two IPv6 networks are two", []netip.Prefix{peer}, []string{"2001:db8:0:1::1"}, []string{"[2001:db8:0:2::1]:443"}, false},
	} {
		s := newTestServer(t, func(cfg *web.Config) { cfg.TrustedProxies, cfg.RateLimit = c.proxies, 100 })
		ask := func(lines []string) string {
			var header []string
			for _, line := range lines {
				header = append(header, "X-Forwarded-For", line)
			}
			resp, _ := s.do(t, "GET", "/api/health", header...)
			return resp.Header.Get("RateLimit-Remaining")
		}
		ask(c.first)
		if got, want := ask(c.second), map[bool]string{true: "98", false: "99"}[c.same]; got != want {
			t.Errorf("%s: the second request has %s left, want %s", c.name, got, want)
		}
	}
}

// TestRequestID tests that only a trusted proxy may name a request.
func TestRequestID(t *testing.T) {
	open := newTestServer(t)
	behind := newTestServer(t, func(c *web.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	for _, c := range []struct {
		server *testServer
		given  string
		echoed bool
	}{{open, "abc-123", false}, {behind, "abc-123", true}, {behind, "a b", false}, {behind, strings.Repeat("a", 65), false}} {
		resp, _ := c.server.do(t, "GET", "/api/health", "X-Request-Id", c.given)
		if got := resp.Header.Get("X-Request-Id"); (got == c.given) != c.echoed || got == "" {
			t.Errorf("the id %q becomes %q", c.given, got)
		}
	}
}
