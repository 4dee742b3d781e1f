package handlers

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// testServer is a server that listens in memory, and a client of it that
// neither decompresses nor follows redirects.
type testServer struct {
	*Server
	conn   *webtest.Client
	client *http.Client // of conn

	store   *store.Store // these are of the server's configuration
	catalog *catalog.Catalog
	index   *search.Index
	feed    *search.Feed
	library *portfolio.Library
	site    *ui.Site
	files   blob.Bucket
	dataDir string
	clock   models.Clock
	log     *slog.Logger
}

// newTestServer starts a server with a fixed clock.
func newTestServer(t testing.TB, change ...func(*Config)) *testServer {
	t.Helper()
	cfg := quiet(m())
	for _, c := range change {
		c(&cfg)
	}
	return serveTest(t, build(cfg, testOperations()...))
}

// quiet returns a configuration for tests: no rate limits, a fixed clock and no log.
func quiet(cfg Config) Config {
	cfg.RateLimit = 1_000_000
	cfg.Clock = func() time.Time { return testNow }
	cfg.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	return cfg
}

func serveTest(t testing.TB, server *Server) *testServer {
	t.Helper()
	client := webtest.Serve(t, server)
	cfg := server.cfg
	return &testServer{Server: server, conn: client, client: client.Client,
		store: cfg.Store, catalog: cfg.Catalog, index: cfg.Index, feed: cfg.Feed, library: cfg.Library, site: &cfg.Site, files: cfg.Files, dataDir: cfg.DataDir, clock: cfg.Clock, log: cfg.Log}
}

// dial connects to the server as 127.0.0.1.
func (s *testServer) dial() (net.Conn, error) { return s.conn.Dial() }

// do sends one request; target is sent as it is written, header is name, value, ….
func (s *testServer) do(t testing.TB, method, target string, header ...string) (*http.Response, string) {
	t.Helper()
	return s.conn.Send(t, method, target, "", header...)
}

// send is do with a body.
func (s *testServer) send(t testing.TB, method, target, content string, header ...string) (*http.Response, string) {
	t.Helper()
	return s.conn.Send(t, method, target, content, header...)
}
