package serve

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestStarting checks what is answered before a server is ready, and that it can then use
// the listener.
func TestStarting(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	site := "http://" + ln.Addr().String()
	starting := NewStarting(ln)
	for _, c := range []struct {
		path   string
		status int
		part   string
	}{
		{"/livez", 200, "ok"},
		{"/readyz", 503, "loading"},
		{"/", 503, "is starting"},
		{"/api/health", 503, `"code":"unavailable"`},
	} {
		resp, err := http.Get(site + c.path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.part) {
			t.Errorf("%s is %d %s, want %d %s", c.path, resp.StatusCode, body, c.status, c.part)
		}
		if (resp.Header.Get("Retry-After") != "") != (c.status == 503) {
			t.Errorf("%s: Retry-After is %q", c.path, resp.Header.Get("Retry-After"))
		}
	}
	starting.Stop()
	server := http.Server{Handler: http.NotFoundHandler()}
	defer server.Close()
	go server.Serve(ln)
	resp, err := http.Get(site)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 404 {
		t.Errorf("the server that follows is %d, want 404", resp.StatusCode)
	}
}
