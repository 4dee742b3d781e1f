package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// TestTraceparent tests that a request joins the trace its caller names, and that
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
	s := newTestServer(t, func(c *Config) { c.RateLimit, c.Clock = 11, func() time.Time { return now } })
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
