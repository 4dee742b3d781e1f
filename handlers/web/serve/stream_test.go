package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/secondlight/secondlight/handlers/web/webtest"
)

// eras are the protocols of clients that keep no session, and of older ones.
var eras = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// patience is how long tests wait for what must come: far longer than it takes on
// a slow machine.
const patience = 2 * time.Minute

// streamPath is where tests mount tools that take their time.
const streamPath = "/api/stream-test"

// slowTool is a tool that tells its progress once, and then waits until it is
// let go or its caller leaves.
type slowTool struct {
	let     chan struct{} // closed to let it end
	running atomic.Int64
	left    atomic.Int64 // calls whose context ended
}

func (tool *slowTool) server() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, tool.call)
	return server
}

func (tool *slowTool) call(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	tool.running.Add(1)
	defer tool.running.Add(-1)
	err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p", Progress: 1, Total: 2})
	if err != nil && ctx.Err() == nil {
		return nil, nil, err
	}
	select {
	case <-tool.let:
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
	case <-ctx.Done():
		tool.left.Add(1)
		return nil, nil, ctx.Err()
	}
}

// callWait is a request of the tool as it stands on the wire.
func callWait(era string) string {
	meta := `"progressToken":"p"`
	header := "Mcp-Protocol-Version: " + era + "\r\n"
	if era == eras[0] {
		meta += `,"io.modelcontextprotocol/protocolVersion":"` + era + `","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`
		header += "Mcp-Method: tools/call\r\nMcp-Name: wait\r\n"
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{},"_meta":{` + meta + `}}}`
	return "POST " + streamPath + " HTTP/1.1\r\nHost: secondlight.example\r\nContent-Type: application/json\r\n" +
		"Accept: application/json, text/event-stream\r\n" + header + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// begin calls the tool and reads until its progress has come.
func begin(addr, era string) (net.Conn, *http.Response, *bufio.Reader, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, nil, nil, err
	}
	if _, err := io.WriteString(conn, callWait(era)); err != nil {
		return conn, nil, nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return conn, nil, nil, err
	}
	events := bufio.NewReader(resp.Body)
	for {
		line, err := events.ReadString('\n')
		if err != nil {
			return conn, resp, events, fmt.Errorf("%s before any progress: %w", resp.Status, err)
		}
		if strings.Contains(line, "notifications/progress") {
			return conn, resp, events, nil
		}
	}
}

// TestProgressComesBeforeTheResult lets the tool end only when its progress has
// been read: a transport that holds it back would wait for ever.
func TestProgressComesBeforeTheResult(t *testing.T) {
	for _, era := range eras {
		tool := &slowTool{let: make(chan struct{})}
		server := newProbes()
		server.MountMCP(streamPath, tool.server)
		conn, resp, events, err := begin(webtest.ServeTCP(t, server), era)
		if err != nil {
			t.Fatalf("%s: %v", era, err)
		}
		defer conn.Close()
		if resp.Header.Get("X-Accel-Buffering") != "no" || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("RateLimit") == "" || resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: header %v", era, resp.Header)
		}
		if tool.running.Load() != 1 {
			t.Errorf("%s: the tool has ended", era)
		}
		close(tool.let)
		rest, err := io.ReadAll(events)
		if err != nil || !strings.Contains(string(rest), `"text":"done"`) {
			t.Errorf("%s: %v, then %s", era, err, rest)
		}

		// The connection serves the next request as if nothing had been.
		if _, err := io.WriteString(conn, "GET /api/health HTTP/1.1\r\nHost: secondlight.example\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		next, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || next.StatusCode != http.StatusOK {
			t.Errorf("%s: next request: %v, %v", era, next, err)
		}
	}
}

// TestClientsThatLeave drops a thousand calls in the middle: every tool is notified,
// and nothing of them stays.
func TestClientsThatLeave(t *testing.T) {
	clients := 1000
	if testing.Short() {
		clients = 100
	}
	before := goleak.IgnoreCurrent()
	tool := &slowTool{let: make(chan struct{})}
	t.Run("clients", func(t *testing.T) {
		server := newProbes()
		server.MountMCP(streamPath, tool.server)
		addr := webtest.ServeTCP(t, server)
		var wait sync.WaitGroup
		slots := make(chan struct{}, 50)
		for i := range clients {
			wait.Add(1)
			slots <- struct{}{}
			go func() {
				defer func() { <-slots; wait.Done() }()
				conn, _, _, err := begin(addr, eras[i%len(eras)])
				if err != nil {
					t.Errorf("client %d: %v", i, err)
				}
				if conn == nil {
					return
				}
				if i%2 == 0 {
					_ = conn.(*net.TCPConn).SetLinger(0) // leave with a reset
				}
				conn.Close()
			}()
		}
		wait.Wait()
		for end := time.Now().Add(patience); tool.left.Load() < int64(clients) && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		if left := tool.left.Load(); left != int64(clients) {
			t.Errorf("%d of %d tools were notified that their client left", left, clients)
		}
	})
	webtest.CheckGoroutines(t, before)
}

// TestStreamOutlivesTheWriteTimeout streams for several times as long as a
// response may take that does not stream.
func TestStreamOutlivesTheWriteTimeout(t *testing.T) {
	t.Parallel()
	server := newProbes()
	const timeout = 2 * time.Second // within which each piece leaves, on a slow machine too
	server.App().Server().WriteTimeout = timeout
	server.Get(streamPath, server.streamHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := range 6 {
			fmt.Fprintln(w, i)
			w.(http.Flusher).Flush()
			time.Sleep(timeout / 2)
		}
	})))
	resp, err := http.Get("http://" + webtest.ServeTCP(t, server) + streamPath)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "0\n1\n2\n3\n4\n5\n" {
		t.Errorf("%q, %v", body, err)
	}
}

// TestClientsThatDoNotRead loses those who keep the connection and take nothing.
func TestClientsThatDoNotRead(t *testing.T) {
	server := newProbes()
	server.App().Server().WriteTimeout = 200 * time.Millisecond
	ended := make(chan error, 1)
	server.Get(streamPath, server.streamHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		for {
			_, _ = w.Write(make([]byte, 1<<20))
			if err := control.Flush(); err != nil {
				<-r.Context().Done()
				ended <- err
				return
			}
		}
	})))
	conn, err := net.Dial("tcp", webtest.ServeTCP(t, server))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET "+streamPath+" HTTP/1.1\r\nHost: secondlight.example\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("the handler got %v", err)
		}
	case <-time.After(patience):
		t.Error("the handler still writes")
	}
}

// TestShutdownLetsCallsFinish stops the server in the middle of a call.
func TestShutdownLetsCallsFinish(t *testing.T) {
	tool := &slowTool{let: make(chan struct{})}
	server := newProbes()
	server.MountMCP(streamPath, tool.server)
	addr := webtest.ServeTCP(t, server)
	conn, _, events, err := begin(addr, eras[0])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stopped := make(chan error, 1)
	go func() { stopped <- server.Shutdown(context.Background()) }()
	for { // until nobody can come any more
		late, err := net.Dial("tcp", addr)
		if err != nil {
			break
		}
		late.Close()
	}
	select {
	case err := <-stopped:
		t.Fatalf("the server stopped with a call under way: %v", err)
	default:
	}
	close(tool.let)
	rest, err := io.ReadAll(events)
	if err != nil || !strings.Contains(string(rest), `"text":"done"`) {
		t.Errorf("%v, then %s", err, rest)
	}
	conn.Close()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestShutdownEndsSubscriptions: nobody else would.
func TestShutdownEndsSubscriptions(t *testing.T) {
	server := newProbes()
	fixture := (&slowTool{}).server()
	server.MountMCP(streamPath, func() *mcp.Server { return fixture })
	addr := webtest.ServeTCP(t, server)
	const body = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	req, err := http.NewRequest("POST", "http://"+addr+streamPath, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range [][2]string{{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}, {"Mcp-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "subscriptions/listen"}} {
		req.Header.Set(field[0], field[1])
	}
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	events := bufio.NewReader(resp.Body)
	if line, err := events.ReadString('\n'); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %s %v", resp.Status, line, err)
	}
	go func() { _ = server.Shutdown(context.Background()) }()
	if rest, err := io.ReadAll(events); err != nil {
		t.Errorf("%v after %s", err, rest)
	}
}

// TestBridge looks at what handlers of net/http may do.
func TestBridge(t *testing.T) {
	type answer struct {
		status int
		length int64 // -1 when it streams
		body   string
	}
	for name, test := range map[string]struct {
		do   http.HandlerFunc
		want answer
	}{
		"nothing": {func(http.ResponseWriter, *http.Request) {}, answer{200, 0, ""}},
		"plain":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201); fmt.Fprint(w, "made") }, answer{201, 4, "made"}},
		"streamed": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "a")
			w.(http.Flusher).Flush()
			fmt.Fprint(w, "b")
		}, answer{200, -1, "ab"}},
		"flushed empty": {func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush(); fmt.Fprint(w, "b") }, answer{200, -1, "b"}},
		"echo": {func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
			fmt.Fprintf(w, "%s %s %s %s %v", r.Method, r.URL.RawQuery, r.Header.Get("X-Word"), body, addr != nil)
		}, answer{200, 24, "POST a=%20b said told true"}},
		"panic":         {func(http.ResponseWriter, *http.Request) { panic("no") }, answer{500, 0, "internal_error"}},
		"plain failure": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "not like that", 400) }, answer{400, 0, `"message":"Not like that."`}},
	} {
		t.Run(name, func(t *testing.T) {
			server := newProbes()
			server.Post(streamPath, server.streamHandler(test.do))
			req, err := http.NewRequest("POST", "http://"+webtest.ServeTCP(t, server)+streamPath+"?a=%20b", strings.NewReader("told"))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("X-Word", "said")
			resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != test.want.status || !strings.Contains(string(body), test.want.body) {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			if streamed := resp.ContentLength < 0; streamed != (test.want.length < 0) {
				t.Errorf("Content-Length %d", resp.ContentLength)
			}
		})
	}
}

// TestBridgePanicsAfterAFlush breaks the connection, so that the client does not
// take half an answer for a whole one.
func TestBridgePanicsAfterAFlush(t *testing.T) {
	server := newProbes()
	server.Get(streamPath, server.streamHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "half")
		w.(http.Flusher).Flush()
		panic("no")
	})))
	resp, err := http.Get("http://" + webtest.ServeTCP(t, server) + streamPath)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("a whole answer: %q", body)
	}
}
