// Package webtest serves sites in memory for tests, and checks what every response
// of package web promises.
package webtest

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp/fasthttputil"
	"go.uber.org/goleak"
)

// Server is a server under test, as web.Server is one.
type Server interface {
	App() *fiber.App
	Listen(ln net.Listener) error
	Shutdown(ctx context.Context) error
}

// Client sends requests to a server that listens in memory. It neither
// decompresses nor follows redirects.
type Client struct {
	*http.Client
	listener *fasthttputil.InmemoryListener
}

// Serve starts a server in memory until the test ends, and returns a client of it.
func Serve(t testing.TB, server Server) *Client {
	t.Helper()
	c := &Client{listener: fasthttputil.NewInmemoryListener()}
	c.Client = &http.Client{
		Transport: &http.Transport{
			DisableCompression: true,
			DialContext:        func(context.Context, string, string) (net.Conn, error) { return c.Dial() },
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(c.CloseIdleConnections)
	listen(t, server, c.listener)
	conn, err := c.Dial() // it listens now: a shutdown before would stop nothing
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	return c
}

// ServeTCP starts a server on a real connection, which alone can tell that a client
// left, until the test ends. It returns the server's host and port.
func ServeTCP(t testing.TB, server Server) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listen(t, server, ln)
	return ln.Addr().String()
}

// listen serves until the test ends, when a server that does not stop fails it.
func listen(t testing.TB, server Server, ln net.Listener) {
	// Idle workers end soon, so that a test can see that none is left.
	server.App().Server().MaxIdleWorkerDuration = 50 * time.Millisecond
	stopped := make(chan error, 1)
	go func() { stopped <- server.Listen(ln) }()
	t.Cleanup(func() {
		if err := server.Shutdown(context.Background()); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-stopped; err != nil {
			t.Errorf("listen: %v", err)
		}
	})
}

// Dial connects to the server as 127.0.0.1.
func (c *Client) Dial() (net.Conn, error) { return c.DialAs("127.0.0.1") }

// DialAs connects to the server as an IP address.
func (c *Client) DialAs(address string) (net.Conn, error) {
	return c.listener.DialWithLocalAddr(&net.TCPAddr{IP: net.ParseIP(address), Port: 40000})
}

// Send sends one request and returns the response with its body. The target is sent
// as it is written; header holds names and values in turn.
func (c *Client) Send(t testing.TB, method, target, content string, header ...string) (*http.Response, string) {
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
	resp, err := c.Do(req)
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

// CheckGoroutines fails the test when goroutines that were not there before do not
// end. They have a minute: the last of them may wait for their turn.
func CheckGoroutines(t testing.TB, before goleak.Option) {
	t.Helper()
	// fasthttp keeps one clock for the Date field of all servers.
	clock := goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1")
	left := goleak.Find(before, clock)
	for end := time.Now().Add(time.Minute); left != nil && time.Now().Before(end); {
		left = goleak.Find(before, clock)
	}
	if left != nil {
		t.Error(left)
	}
}
