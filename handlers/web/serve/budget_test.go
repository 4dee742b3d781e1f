package serve

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// maxErrorBody is the size in bytes that no error response exceeds.
const maxErrorBody = 64 << 10

// manyNames returns n distinct parameter names, each of which is formatted and followed
// by a separator.
func manyNames(n int, format, separator string) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(names, separator)
}

// parts returns a multipart form of n fields.
func parts(n int) (body, contentType string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := range n {
		_ = w.WriteField(fmt.Sprintf("budget%d", i), "1") // to memory
	}
	w.Close()
	return b.String(), w.FormDataContentType()
}

// TestErrorsAreBounded tests that an error response is small whatever the request
// contains, in every format.
func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	s := newWriteServer(t)
	form, formType := parts(7_000)
	const size = anonymousBytes
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_note","arguments":` + arguments + `}}`
	}
	long := strings.Repeat("é", size/2-100)
	for name, c := range map[string]struct{ path, contentType, body string }{
		"names in JSON":      {"/api/notes", "application/json", "{" + manyNames(60_000, `"budget%d":1`, ",") + "}"},
		"names in a form":    {"/api/notes", "application/x-www-form-urlencoded", manyNames(60_000, "budget%d=1", "&")},
		"one name in a form": {"/api/notes", "application/x-www-form-urlencoded", strings.Repeat("a=&", size/3)},
		"names in parts":     {"/api/notes", formType, form},
		"names of a tool":    {web.MCPPath, "application/json", call("{" + manyNames(2000, `"budget%d":1`, ",") + "}")},
		"a few names":        {web.MCPPath, "application/json", call("{" + manyNames(150, `"budget%d":1`, ",") + "}")},
		"a long name":        {"/api/notes", "application/json", `{"` + long + `":1}`},
		"a long value":       {"/api/notes", "application/json", `{"sort":"` + long + `"}`},
		"a long number":      {"/api/notes", "application/json", `{"limit":` + strings.Repeat("1", size-100) + `}`},
		"a long list":        {"/api/notes", "application/json", `{"list":[` + strings.Repeat("1,", size/2-100) + `1]}`},
		"a list of commas":   {"/api/notes", "application/x-www-form-urlencoded", "list=" + strings.Repeat(",", size-100)},
		"deep lists":         {"/api/notes", "application/json", strings.Repeat("[", size)},
		"deep arguments":     {web.MCPPath, "application/json", strings.Repeat(`{"a":`, messageBytes/5)},
		"deep lists of MCP":  {web.MCPPath, "application/json", strings.Repeat("[", messageBytes)},
		"a page's form":      {"/notes", "application/x-www-form-urlencoded", "sort=" + strings.Repeat("%3C", size/3-100)},
		"a long form":        {"/notes", "application/x-www-form-urlencoded", manyNames(200, "list=%%3C%d"+strings.Repeat("x", 900), "&")},
	} {
		for _, accept := range []string{"", "text/html", "text/markdown"} {
			if c.path == web.MCPPath {
				accept = "application/json, text/event-stream"
			}
			resp, body := s.client.Send(t, "POST", c.path, c.body, "Content-Type", c.contentType, "Accept", accept)
			tool := resp.StatusCode == 200 && c.path == web.MCPPath && strings.Contains(body, `"isError":true`)
			if resp.StatusCode != 400 && !tool || len(body) > maxErrorBody {
				t.Errorf("%s as %q: status %d with %d bytes: %.200s", name, accept, resp.StatusCode, len(body), body)
			}
			webtest.CheckContract(t, name, resp.Header)
		}
	}
}

// TestReportedErrors tests that a response lists at most maxFieldErrors of the invalid
// fields, and that up to MaxParams parameters are checked.
func TestReportedErrors(t *testing.T) {
	t.Parallel()
	plan, err := bind.PlanFor(probeOperations()[0].Plan.In)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{1: 1, 19: 19, 20: 20, bind.MaxParams: 20, bind.MaxParams + 1: 0} {
		_, err := plan.Bind(func(string) string { return "lens" }, manyNames(n, "budget%d=1", "&"), true)
		e := newProbes().Problem(err, "")
		if len(e.Fields) != want || e.Status != 400 {
			t.Errorf("%d unknown names: %d reported with status %d: %s", n, len(e.Fields), e.Status, e.Message)
		}
	}
}

// TestConnectionLimit tests that an address has maxConnsPerAddr connections, that the
// next is told so, and that others are served.
func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *web.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")} })
	dial := func(address string) net.Conn {
		conn, err := s.client.DialAs(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	// ask returns the response to a request.
	ask := func(conn net.Conn) *http.Response {
		_, _ = io.WriteString(conn, "GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n") // a rejected connection may be closed
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	for _, network := range []struct{ own, next, other string }{
		{"192.0.2.1", "192.0.2.1", "192.0.2.2"},
		{"2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1"},
	} {
		var open []net.Conn
		for range maxConnsPerAddr {
			open = append(open, dial(network.own))
		}
		ask(open[maxConnsPerAddr-1]) // all of them are accepted
		resp := ask(dial(network.next))
		if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/problem+json") || !resp.Close {
			t.Errorf("connection %d of %s: %d %v", maxConnsPerAddr+1, network.own, resp.StatusCode, resp.Header)
		}
		webtest.CheckContract(t, "a rejected connection", resp.Header)
		if resp := ask(dial(network.other)); resp.StatusCode != 200 {
			t.Errorf("%s: %d beside %s", network.other, resp.StatusCode, network.own)
		}
		open[0].Close()
		waitFor(t, func() bool { return ask(dial(network.next)).StatusCode == 200 })
	}
	for range maxConnsPerAddr + 1 {
		dial("10.0.0.1")
	}
	if resp := ask(dial("10.0.0.1")); resp.StatusCode != 200 {
		t.Errorf("a trusted proxy: %d", resp.StatusCode)
	}
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come to hold")
		}
	}
}

// TestConnectionShare tests that one address cannot take a tenth of all connections.
func TestConnectionShare(t *testing.T) {
	if maxConnsPerAddr > maxConns/10 {
		t.Errorf("an address may have %d of %d connections", maxConnsPerAddr, maxConns)
	}
	l := newProbes().newLimitListener(nil)
	accepted := 0
	for i := range 2 * maxConns {
		if l.admit(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})) == nil {
			accepted++
		}
	}
	if accepted != maxConns {
		t.Errorf("%d connections are accepted, want %d", accepted, maxConns)
	}
}

// TestUploadsOfOneClient tests that a client has MaxUploads large bodies in progress, that
// bodies without content cost nothing, and that an end of one makes room.
func TestUploadsOfOneClient(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	// begin starts a request with a body of which only a part is sent.
	begin := func(address string, sent int) net.Conn {
		conn, err := s.client.DialAs(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		if _, err := fmt.Fprintf(conn, "POST /api/probes/lens HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", anonymousBytes, strings.Repeat("x", sent)); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	uploads := func(owner string) int {
		s.bodies.Mu.Lock()
		defer s.bodies.Mu.Unlock()
		return s.bodies.Uploads[owner]
	}
	var open []net.Conn
	for range 20 {
		begin("192.0.2.1", 10)
	}
	for range limit.MaxUploads {
		open = append(open, begin("192.0.2.1", 2*limit.SmallBody))
	}
	waitFor(t, func() bool { return uploads("192.0.2.1") == limit.MaxUploads })
	resp, err := http.ReadResponse(bufio.NewReader(begin("192.0.2.1", 2*limit.SmallBody)), nil)
	if err != nil || resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("upload %d: %v %v", limit.MaxUploads+1, resp, err)
	}
	begin("192.0.2.2", 2*limit.SmallBody)
	waitFor(t, func() bool { return uploads("192.0.2.2") == 1 })
	for _, conn := range open {
		conn.Close()
	}
	waitFor(t, func() bool { return uploads("192.0.2.1") == 0 })
}

// TestChargesBySuffix tests which policy the formats of a page are charged under.
func TestChargesBySuffix(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for target, policy := range map[string]string{
		"/probes/lens": "pages", "/probes/lens.json": "default", "/probes/lens.md": "default", "/probes/lens.csv": "pages", "/api/probes/lens": "default",
		"/page.md": "pages", "/page.json": "pages", "/probes.json?keyword=a": "default", "/probes/lens.json?list=.md": "default",
	} {
		resp, _ := s.do(t, "GET", target)
		if got := resp.Header.Get("RateLimit-Policy"); !strings.HasPrefix(got, `"`+policy+`"`) {
			t.Errorf("%s is charged under %s, want %s", target, got, policy)
		}
	}
}

// newWriteServer returns a server with an operation that anybody may write with, and
// its tool.
func newWriteServer(t *testing.T) *testServer {
	t.Helper()
	s := newProbes(func(c *web.Config) {
		c.API.Implementation = func() *mcp.Implementation { return &mcp.Implementation{Name: "probes", Version: "1"} }
	})
	s.MountMCP(web.MCPPath, s.NewMCP)
	return &testServer{s, webtest.Serve(t, s)}
}
