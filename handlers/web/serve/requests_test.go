package serve

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// TestTraceparent tests that a request joins the trace its caller names, and that
// what does not keep the standard counts for nothing.
func TestTraceparent(t *testing.T) {
	var log bytes.Buffer
	s := newTestServer(t, func(c *web.Config) {
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
	s := newTestServer(t, func(c *web.Config) { c.RateLimit, c.Clock = 11, func() time.Time { return now } })
	left := int64(11)
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
		{"POST", "/api/probes/lens", []string{"Origin", "https://other.example", "Cookie", "a=b"}, 403},
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
		webtest.CheckContract(t, what, resp.Header)
		_, rate := webtest.RateItem(t, what, resp.Header, "RateLimit", "r", "t")
		if c.method != "OPTIONS" { // it is free
			left = max(left-1, 0)
		}
		if resp.StatusCode != c.status || rate[0] != left {
			t.Errorf("%s: status %d with %d left, want %d with %d", what, resp.StatusCode, rate[0], c.status, left)
		}
		if wait, err := strconv.Atoi(resp.Header.Get("Retry-After")); c.status == http.StatusTooManyRequests && (err != nil || int64(wait) < rate[1]) {
			t.Errorf("%s: Retry-After is %q, the window ends in %d s", what, resp.Header.Get("Retry-After"), rate[1])
		}
	}
}

// TestOverTheLimit uses a client's quota up and holds what happens then.
func TestOverTheLimit(t *testing.T) {
	s := newTestServer(t, func(c *web.Config) { c.RateLimit = 5 })
	for i := range 5 {
		resp, _ := s.do(t, "GET", "/api/health")
		if want := fmt.Sprintf(`"default";r=%d;t=60`, 4-i); resp.StatusCode != 200 || resp.Header.Get("RateLimit") != want {
			t.Errorf("request %d: %d %s, want %s", i, resp.StatusCode, resp.Header.Get("RateLimit"), want)
		}
		if got := resp.Header.Get("RateLimit-Policy"); got != `"default";q=5;w=60` {
			t.Errorf("RateLimit-Policy is %s", got)
		}
	}
	for _, c := range []struct{ target, accept, contentType string }{
		{"/api/health", "", "application/problem+json; charset=utf-8"},
		{"/api/probes/lens", "text/markdown", "text/markdown; charset=utf-8"},
		{"/api/nothing", "text/html", "text/html; charset=utf-8"},
	} {
		resp, body := s.do(t, "GET", c.target, "Accept", c.accept)
		if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "60" || resp.Header.Get("Content-Type") != c.contentType || len(body) < 100 {
			t.Errorf("%s over the limit: %d, Retry-After %q, %s: %s", c.target, resp.StatusCode, resp.Header.Get("Retry-After"), resp.Header.Get("Content-Type"), body)
		}
		webtest.CheckContract(t, c.target, resp.Header)
	}
	for _, target := range []string{"/page", "/robots.txt", "/static/favicon.svg"} {
		resp, _ := s.do(t, "GET", target)
		if resp.StatusCode != 200 || resp.Header.Get("RateLimit-Policy") != `"pages";q=50;w=60` {
			t.Errorf("%s is %d under %s: pages have their own policy", target, resp.StatusCode, resp.Header.Get("RateLimit-Policy"))
		}
	}
	before, _ := s.do(t, "GET", "/robots.txt")
	after, _ := s.do(t, "GET", "/static/favicon.svg")
	if before.Header.Get("RateLimit-Remaining") != after.Header.Get("RateLimit-Remaining") {
		t.Error("files are charged")
	}
}

// TestCachedPagesAreCharged tests that the fast path counts too.
func TestCachedPagesAreCharged(t *testing.T) {
	s := newTestServer(t, func(c *web.Config) { c.RateLimit = 1 })
	for i := range 10 {
		if resp, _ := s.do(t, "GET", "/page"); resp.StatusCode != 200 {
			t.Errorf("request %d: %d", i, resp.StatusCode)
		}
	}
	if resp, _ := s.do(t, "GET", "/page"); resp.StatusCode != 429 {
		t.Errorf("the eleventh page of ten: %d", resp.StatusCode)
	}
}

// TestBodies tests bodies of every kind and length on one connection: the request after a
// body is the next one, never a part of it.
func TestBodies(t *testing.T) {
	t.Parallel()
	s := newWriteServer(t)
	note := func(n int) string { return `{"text":"` + strings.Repeat("x", n) + `"}` }
	chunked := func(body string) string {
		var b strings.Builder
		for len(body) > 0 {
			n := min(len(body), 10_000)
			fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
			body = body[n:]
		}
		return b.String() + "0\r\n\r\n"
	}
	for _, c := range []struct {
		what, head, body string
		status           int
		open             bool
	}{
		{"a short body", "POST /api/notes", note(10), 201, true},
		{"a long body", "POST /api/notes", note(900), 201, true},
		{"a value that is too long", "POST /api/notes", note(300_000), 400, true},
		{"the longest body", "POST /api/notes", note(anonymousBytes - 11), 400, true},
		{"a body that is too long", "POST /api/notes", note(anonymousBytes - 10), 413, false},
		{"a body of a GET", "GET /api/health", note(100_000), 200, true},
		{"a body of a GET of a cached page", "GET /robots.txt", "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n", 200, true},
		{"a rejected body", "POST /api/notes HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nCookie: a=b", note(100_000), 403, true},
		{"a long rejected body", "POST /api/notes HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nCookie: a=b", note(maxDiscard), 403, false},
		{"no body", "POST /api/notes", "", 400, true},
	} {
		for _, encoding := range []string{"", "chunked"} {
			conn, err := s.client.Dial()
			if err != nil {
				t.Fatal(err)
			}
			head, body := c.head, c.body
			if !strings.Contains(head, "HTTP/1.1") {
				head += " HTTP/1.1"
			}
			if encoding == "" {
				head += fmt.Sprintf("\r\nContent-Length: %d", len(body))
			} else {
				head, body = head+"\r\nTransfer-Encoding: chunked", chunked(body)
			}
			reader := bufio.NewReader(conn)
			go func() { // a rejected connection may be closed while this writes
				_, _ = io.WriteString(conn, head+"\r\nHost: x\r\nContent-Type: application/json\r\n\r\n"+body)
			}()
			resp, err := http.ReadResponse(reader, nil)
			if err != nil || resp.StatusCode != c.status || resp.Close == c.open {
				t.Errorf("%s, %s: %+v %v, want %d", c.what, encoding, resp, err, c.status)
				continue
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			if c.open {
				_, _ = io.WriteString(conn, "GET /api/missing HTTP/1.1\r\nHost: x\r\n\r\n")
				if next, err := http.ReadResponse(reader, nil); err != nil || next.StatusCode != 404 {
					t.Errorf("%s, %s: the next response is %+v %v", c.what, encoding, next, err)
				}
			}
			conn.Close()
		}
	}
	waitFor(t, func() bool {
		s.bodies.Mu.Lock()
		defer s.bodies.Mu.Unlock()
		return s.bodies.Held == 0
	})
}
