package handlers

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// everywhere is an address of every kind: operations, documents, files, errors.
func (s *testServer) everywhere() []string {
	all := []string{"/robots.txt", "/favicon.ico", "/static/favicon.svg", "/static/nothing.css", "/photos/nothing-320.jpg",
		"/nothing", "/api/nothing", "/api", "/api/probes/lens?nope=1", "/errors/", "/probes/lens.md.json"}
	for path := range s.exact {
		all = append(all, path)
	}
	for _, target := range s.targets() {
		all = append(all, target.address)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestHEADIsGETWithoutABody holds that HEAD tells what GET would.
func TestHEADIsGETWithoutABody(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, address := range s.everywhere() {
		for _, coding := range []string{"identity", "gzip"} {
			get, body := s.do(t, "GET", address, "Accept-Encoding", coding)
			head, nothing := s.do(t, "HEAD", address, "Accept-Encoding", coding)
			if nothing != "" || head.StatusCode != get.StatusCode {
				t.Errorf("HEAD %s is %d with %d bytes, GET is %d", address, head.StatusCode, len(nothing), get.StatusCode)
			}
			if n, err := strconv.Atoi(get.Header.Get("Content-Length")); err != nil || n != len(body) {
				t.Errorf("GET %s says %q of %d bytes", address, get.Header.Get("Content-Length"), len(body))
			}
			if get.StatusCode >= 400 { // the request id stands in the body
				get.Header.Del("Etag")
			}
			for _, own := range []string{"Date", "X-Request-Id", "Ratelimit", "Ratelimit-Remaining"} {
				get.Header.Del(own)
				head.Header.Del(own)
			}
			if !maps.EqualFunc(get.Header, head.Header, slices.Equal) {
				t.Errorf("%s: HEAD has the fields %v, GET %v", address, head.Header, get.Header)
			}
		}
	}
}

// TestOPTIONSEverywhere holds that every address says which methods it takes, and
// lets scripts of other sites read what is public.
func TestOPTIONSEverywhere(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, address := range s.everywhere() {
		get, _ := s.do(t, "GET", address)
		if get.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("GET %s may not be read by scripts of other sites", address)
		}
		for _, name := range []string{"RateLimit", "RateLimit-Policy", "Retry-After", "ETag", "Link", "X-Request-Id"} {
			if !slices.Contains(strings.Split(get.Header.Get("Access-Control-Expose-Headers"), ", "), name) {
				t.Errorf("GET %s does not expose %s", address, name)
			}
		}
		resp, body := s.do(t, "OPTIONS", address, "Origin", "https://other.example",
			"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "accept")
		checkContract(t, "OPTIONS "+address, resp.Header)
		if get.StatusCode == 404 && resp.StatusCode == 404 {
			continue
		}
		if address == "/errors/" { // GET leads on, OPTIONS does not
			continue
		}
		if resp.StatusCode != 204 || body != "" || resp.Header.Get("Allow") != s.allowed(address) {
			t.Errorf("OPTIONS %s is %d, Allow %q, body %q", address, resp.StatusCode, resp.Header.Get("Allow"), body)
		}
		for name, want := range map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET", "Access-Control-Allow-Headers": "Accept", "Access-Control-Max-Age": "86400"} {
			if !strings.Contains(resp.Header.Get(name), want) {
				t.Errorf("OPTIONS %s: %s is %q", address, name, resp.Header.Get(name))
			}
		}
	}
}

// allowed are the methods of everything that is mounted at an address of which GET is one.
func (s *testServer) allowed(address string) string {
	path, _, _ := strings.Cut(address, "?")
	methods := []string{"GET", "HEAD"}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} { // in the router's order
		if slices.ContainsFunc(s.ops, func(op Operation) bool {
			return op.Writes() && (op.Method == method && op.Path != "" && matches(op.Path, path) || method == "POST" && op.Page != "" && matches(op.Page, path))
		}) {
			methods = append(methods, method)
		}
	}
	return strings.Join(append(methods, "OPTIONS"), ", ")
}

// TestUnknownAPIAddresses holds that a program that asks for what is not there is
// told so in JSON, whatever its method.
func TestUnknownAPIAddresses(t *testing.T) {
	s := newTestServer(t)
	for _, address := range []string{"/api", "/api/nothing", "/api/trends/canon", "/api/health/more", "/api/health.json", "/api/../api/nothing", "/api/%00"} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"} {
			resp, body := s.do(t, method, address)
			if resp.StatusCode != 404 || resp.Header.Get("Content-Type") != problemType {
				t.Errorf("%s %s is %d %s", method, address, resp.StatusCode, resp.Header.Get("Content-Type"))
			}
			if method != "HEAD" && !strings.Contains(body, `"code":"page_not_found"`) {
				t.Errorf("%s %s says %s", method, address, body)
			}
			checkContract(t, method+" "+address, resp.Header)
		}
	}
}

// TestTraceparent holds that a request joins the trace its caller names, and that
// what does not keep the standard counts for nothing.
func TestTraceparent(t *testing.T) {
	var log bytes.Buffer
	s := newTestServer(t, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, c := range []struct {
		value string
		taken bool
	}{
		{"00-" + trace + "-" + parent + "-01", true},
		{"00-" + trace + "-" + parent + "-00", true},
		{"cc-" + trace + "-" + parent + "-01", true},
		{"cc-" + trace + "-" + parent + "-01-what-comes", true},
		{"ff-" + trace + "-" + parent + "-01", false},
		{"00-" + trace + "-" + parent + "-01-more", false},
		{"cc-" + trace + "-" + parent + "-01.more", false},
		{"00-" + strings.Repeat("0", 32) + "-" + parent + "-01", false},
		{"00-" + trace + "-" + strings.Repeat("0", 16) + "-01", false},
		{"00-" + strings.ToUpper(trace) + "-" + parent + "-01", false},
		{"00-" + trace + "-" + parent, false},
		{"nonsense", false},
	} {
		log.Reset()
		resp, _ := s.do(t, "GET", "/api/health", "Traceparent", c.value)
		if id := resp.Header.Get("X-Request-Id"); !strings.Contains(log.String(), "request_id="+id) {
			t.Errorf("the log does not know the request %s: %s", id, &log)
		}
		if taken := strings.Contains(log.String(), "traceparent="); taken != c.taken || resp.StatusCode != 200 {
			t.Errorf("%s: taken %v, status %d", c.value, taken, resp.StatusCode)
		}
	}
	log.Reset()
	value := "00-" + trace + "-" + parent + "-01"
	if s.do(t, "GET", "/api/health", "Traceparent", value, "Traceparent", value); strings.Contains(log.String(), "traceparent=") {
		t.Error("two traces are taken for one")
	}
}

// TestQuotaRunsOut follows a client through its quota on every kind of answer:
// what is left falls by one each time, and at the end Retry-After waits at least
// until the window does.
func TestQuotaRunsOut(t *testing.T) {
	now := testNow
	s := newTestServer(t, func(c *Config) { c.RateLimit, c.Clock = 12, func() time.Time { return now } })
	left := int64(12)
	for i, c := range []struct {
		method, address string
		header          []string
		status          int
	}{
		{"GET", "/api/health", nil, 200},
		{"HEAD", "/api/probes/lens", nil, 200},
		{"GET", "/api/probes/lens", []string{"If-None-Match", "*"}, 304},
		{"OPTIONS", "/api/probes/lens", nil, 204},
		{"GET", "/api/probes/lens/", nil, 308},
		{"GET", "/api/probes/lens?nope=1", nil, 400},
		{"POST", "/api/probes/lens", []string{"Origin", "https://other.example"}, 403},
		{"GET", "/api/nothing", nil, 404},
		{"DELETE", "/api/probes/lens", nil, 405},
		{"GET", "/api/probes/lens", []string{"Accept", "image/png"}, 406},
		{"GET", "/api/probes/panic", nil, 500},
		{"GET", "/api/probes/busy", nil, 503},
		{"GET", "/api/health", nil, 429},
		{"HEAD", "/api/nothing", nil, 429},
	} {
		now = now.Add(1500 * time.Millisecond)
		what := fmt.Sprintf("%d: %s %s", i, c.method, c.address)
		resp, _ := s.do(t, c.method, c.address, c.header...)
		checkContract(t, what, resp.Header)
		_, rate := rateItem(t, what, resp.Header, "RateLimit", "r", "t")
		left = max(left-1, 0)
		if resp.StatusCode != c.status || rate[0] != left {
			t.Errorf("%s: status %d with %d left, want %d with %d", what, resp.StatusCode, rate[0], c.status, left)
		}
		if wait, err := strconv.Atoi(resp.Header.Get("Retry-After")); c.status == http.StatusTooManyRequests && (err != nil || int64(wait) < rate[1]) {
			t.Errorf("%s: Retry-After is %q, the window ends in %d s", what, resp.Header.Get("Retry-After"), rate[1])
		}
	}
}
