package handlers

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/valyala/fasthttp/fasthttputil"
)

// testServer is a server that listens in memory, and a client of it that
// neither decompresses nor follows redirects.
type testServer struct {
	*Server
	listener *fasthttputil.InmemoryListener
	client   *http.Client
}

// newTestServer starts a server whose clock stands still.
func newTestServer(t testing.TB, change ...func(*Config)) *testServer {
	t.Helper()
	cfg := quiet(market())
	for _, c := range change {
		c(&cfg)
	}
	return serveTest(t, build(cfg, testOperations()...))
}

// quiet is a configuration for tests: no limit to reach, a clock that stands
// still, and nothing logged.
func quiet(cfg Config) Config {
	cfg.RateLimit = 1_000_000
	cfg.Clock = func() time.Time { return testNow }
	cfg.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	return cfg
}

func serveTest(t testing.TB, server *Server) *testServer {
	s := &testServer{Server: server, listener: fasthttputil.NewInmemoryListener()}
	s.client = &http.Client{
		Transport: &http.Transport{
			DisableCompression: true,
			DialContext:        func(context.Context, string, string) (net.Conn, error) { return s.dial() },
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	// Idle workers end soon, so that a test can see that none is left.
	s.App().Server().MaxIdleWorkerDuration = 50 * time.Millisecond
	stopped := make(chan error, 1)
	go func() { stopped <- s.Listen(s.listener) }()
	conn, err := s.dial() // it listens now: a shutdown before would stop nothing
	must(err)
	conn.Close()
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		if err := s.Shutdown(context.Background()); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-stopped; err != nil {
			t.Errorf("listen: %v", err)
		}
	})
	return s
}

// dial connects to the server as 127.0.0.1.
func (s *testServer) dial() (net.Conn, error) {
	return s.listener.DialWithLocalAddr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40000})
}

// do sends one request; target is sent as it is written, header is name, value, ….
func (s *testServer) do(t testing.TB, method, target string, header ...string) (*http.Response, string) {
	t.Helper()
	return s.send(t, method, target, "", header...)
}

// send is do with a body.
func (s *testServer) send(t testing.TB, method, target, content string, header ...string) (*http.Response, string) {
	t.Helper()
	var reader io.Reader
	if content != "" {
		reader = strings.NewReader(content)
	}
	req, err := http.NewRequest(method, "http://secondlight.example/", reader)
	if err != nil {
		t.Fatal(err)
	}
	req.URL.Opaque = target
	req.Header.Set("User-Agent", "")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	resp, err := s.client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	return resp, string(body)
}
