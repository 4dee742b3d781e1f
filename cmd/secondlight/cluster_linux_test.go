//go:build !race

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/storetest"
)

var (
	clusterRequests = flag.Int("requests", 0, "requests in TestCluster while servers restart, which is skipped if 0")
	clusterServers  = flag.Int("servers", 3, "servers in TestCluster")
	clusterNginx    = flag.String("nginx", "../../deploy/nginx.conf", "configuration of nginx in TestCluster")
	clusterPhotos   = flag.Int("photos", 1000, "photographs uploaded in TestCluster")
	clusterListings = flag.Int("listings", 1000, "listings for sale in TestCluster")
	clusterRate     = flag.Int("rate", 500, "requests per second in TestCluster")
)

const (
	clusterMaxAnswer  = time.Second
	clusterLimit      = 100 // requests per minute of one client
	clusterLimitRange = 2
	photosPerListing  = 10
	clusterSellers    = 100
	clusterGear       = 100 // one of so many models of the catalogue has listings
)

// TestCluster runs servers with separate disks behind nginx and HAProxy, on one
// PostgreSQL, Redis and S3. The rate limit counts the requests to all servers. Photographs
// uploaded at any server are on every server, and so are the previews, byte for byte. While
// deploy/rolling restarts the servers again and again under load, no request fails or takes longer
// than a second, no write is lost, and every server exits with 0.
func TestCluster(t *testing.T) {
	if *clusterRequests == 0 {
		t.Skip("takes 20 minutes; make cluster runs it")
	}
	c := newCluster(t)
	t.Run("limit", c.testLimit)
	for _, s := range c.servers {
		s.restart(t, "RATE_LIMIT=1000000")
	}
	t.Run("photographs", c.testPhotos)
	t.Run("restarts", c.testRestarts)
}

// cluster is servers behind two load balancers.
type cluster struct {
	servers   []*clusterServer
	balancers []string // addresses of nginx and HAProxy
	step      atomic.Pointer[clusterStep]
	listings  []clusterListing  // those that get photographs
	tokens    map[string]string // of their sellers, by id of the listing
	client    *http.Client
}

// clusterListing is a listing that is read and written.
type clusterListing struct {
	id   string
	gear *catalog.Gear
}

// clusterStep is a step of a restart, which slow requests are reported with.
type clusterStep struct {
	what  string
	began time.Time
}

func (s *clusterStep) String() string {
	return fmt.Sprintf("%v after %s", time.Since(s.began).Round(time.Millisecond), s.what)
}

// clusterServer is a server with a disk and an address of its own.
type clusterServer struct {
	crash
	cluster  *cluster
	settings []string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	database, s3 := storetest.NewServer(t), blobtest.NewS3(t)
	database.Set("autovacuum", "on") // as operators have it
	redis, _ := startRedis(t, filepath.Join(t.TempDir(), "redis.sock"))
	program := buildProgram(t)
	c := &cluster{client: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 200}}}
	var addresses []string
	for range *clusterServers {
		address := freeAddress(t)
		addresses = append(addresses, address)
		s := &clusterServer{cluster: c, crash: crash{program: program, url: database.URL, data: t.TempDir(), client: c.client}}
		s.settings = append(os.Environ(), "DATABASE_URL="+database.URL, "DATA_DIR="+s.data, "BLOB_URL="+s3.Address, "REDIS_URL="+redis, "LISTEN_ADDR="+address,
			"BASE_URL=", "DRAIN_TIME=5s", "LOG_FORMAT=text", "DEMO=false", "MIGRATE=off", "TRUSTED_PROXIES=127.0.0.1")
		s.env = append(s.settings, fmt.Sprintf("RATE_LIMIT=%d", clusterLimit))
		log, err := os.Create(filepath.Join(s.data, "log"))
		mustDo(t, err)
		s.log = log
		t.Cleanup(func() {
			s.kill()
			log.Close()
			if said, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
				t.Logf("log of %s:\n%s", address, said[max(0, len(said)-6000):])
			}
		})
		c.servers = append(c.servers, s)
	}
	if out, err := c.servers[0].command("migrate").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.fill(t, database.URL)
	for _, s := range c.servers {
		s.start(t)
	}
	c.balancers = []string{startNginx(t, addresses), startHAProxy(t, addresses)}
	return c
}

// fill adds sellers and listings of many models.
func (c *cluster) fill(t *testing.T, databaseURL string) {
	t.Helper()
	then := time.Now().AddDate(-1, 0, 0) // accounts of last year are not subject to the limits of new ones
	store := storetest.Open(t, databaseURL, func() time.Time { return then })
	gears, err := catalog.ReadCatalog(content.Catalog())
	mustDo(t, err)
	var gear []*catalog.Gear
	for i, g := range gears.All() {
		if i%clusterGear == 0 {
			gear = append(gear, g)
		}
	}
	var sellers, tokens []string
	for i := range clusterSellers {
		handle := fmt.Sprintf("seller-%d", i)
		seller, err := store.Accounts.CreateAccount(t.Context(), models.Registration{Handle: handle, Email: handle + "@example.org", Password: "correct horse battery"}, models.RoleMember)
		mustDo(t, err)
		token, err := store.Tokens.CreateToken(t.Context(), seller.ID, &models.Token{Name: "test", Scopes: models.RoleMember.Scopes()})
		mustDo(t, err)
		sellers, tokens = append(sellers, seller.ID), append(tokens, token)
	}
	c.tokens = map[string]string{}
	n := max(*clusterListings, *clusterPhotos/photosPerListing)
	for first := 0; first < n; first += 5000 {
		batch := make([]models.Listing, min(5000, n-first))
		for i := range batch {
			g := gear[(first+i)%len(gear)]
			batch[i] = models.Listing{SellerID: sellers[(first+i)%len(sellers)], Gear: g.Slug(), Category: g.Category, Title: fmt.Sprintf("%.150s %d", g.Name(), first+i), Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
				Price: models.Cents(50_000 + (first+i)%90_000), Region: "DE", Status: models.StatusActive, PublishedAt: models.TimeOf(time.Now())}
		}
		mustDo(t, store.Listings.InsertListings(t.Context(), batch))
		for i := range batch {
			if len(c.listings) < max(100, *clusterPhotos/photosPerListing) {
				c.listings = append(c.listings, clusterListing{batch[i].ID, gear[(first+i)%len(gear)]})
				c.tokens[batch[i].ID] = tokens[(first+i)%len(tokens)]
			}
		}
	}
}

// restart stops the server as an operator does and starts it again with another setting, or
// the settings it had. It returns how long the server did not serve. Servers that have a
// machine each don't take processors from each other, so one that starts has a lower priority
// here, if the test may raise it again.
func (s *clusterServer) restart(t *testing.T, setting ...string) time.Duration {
	t.Helper()
	if setting != nil {
		s.env = append(s.settings[:len(s.settings):len(s.settings)], setting...)
	}
	s.note("SIGTERM")
	mustDo(t, s.process.Process.Signal(syscall.SIGTERM))
	if err := s.process.Wait(); err != nil {
		t.Errorf("the server does not exit with 0: %v", err)
	}
	s.note("the start")
	began := time.Now()
	s.start(t)
	defer s.prioritise(0)
	for time.Since(began) < patience {
		s.prioritise(19)
		if resp, err := s.client.Get(s.address + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				s.note("it was ready")
				return time.Since(began)
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the server does not get ready")
	return patience
}

// prioritise sets the nice value of the threads that the server has.
func (s *clusterServer) prioritise(nice int) {
	if os.Geteuid() != 0 {
		return
	}
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", s.process.Process.Pid))
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, id, nice) // the thread may have ended
		}
	}
}

// note remembers a step of a server.
func (s *clusterServer) note(what string) { s.cluster.step.Store(&clusterStep{what, time.Now()}) }

// testLimit checks that one client gets as many answers in a minute from all servers as a
// server allows.
func (c *cluster) testLimit(t *testing.T) {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}} // which is no trusted proxy
	client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}, Timeout: clusterMaxAnswer}
	answers := map[int]int{}
	began := time.Now()
	for i := range 3 * clusterLimit {
		resp, err := client.Get(c.balancers[i%len(c.balancers)] + "/api/listings/search?keyword=r6")
		mustDo(t, err)
		resp.Body.Close()
		answers[resp.StatusCode]++
	}
	t.Logf("%v in %v", answers, time.Since(began).Round(time.Millisecond))
	if n := answers[http.StatusOK]; n < clusterLimit-clusterLimitRange || n > clusterLimit+clusterLimitRange || n+answers[http.StatusTooManyRequests] != 3*clusterLimit {
		t.Errorf("one client is answered %v, want %d ± %d with 200, the others with 429", answers, clusterLimit, clusterLimitRange)
	}
}

// ogImage matches the address of the preview in a page.
var ogImage = regexp.MustCompile(`<meta property="og:image" content="[^"]*(/previews/[^"]+)"`)

// testPhotos uploads photographs at random servers and compares them, and the previews of
// their listings, on all servers.
func (c *cluster) testPhotos(t *testing.T) {
	var missing, compared atomic.Int32
	same := func(path string) (body string) {
		for i, s := range c.servers {
			status, text := c.do(t, http.MethodGet, s.address+path, nil)
			if status != http.StatusOK {
				missing.Add(1)
				t.Errorf("%s is %d on server %d", path, status, i)
			}
			if i > 0 && text != body {
				t.Errorf("%s on server %d is not what it is on server 0", path, i)
			}
			body = text
		}
		compared.Add(1)
		return body
	}
	var uploads sync.WaitGroup
	next := make(chan int)
	for range 2 * len(c.servers) {
		uploads.Go(func() {
			for i := range next {
				id := c.listings[i].id
				photos := make([]string, photosPerListing)
				for j := range photos {
					photos[j] = base64.StdEncoding.EncodeToString(randomPhoto(t, uint64(i*photosPerListing+j)))
				}
				server := c.servers[rand.IntN(len(c.servers))]
				status, text := c.do(t, http.MethodPost, server.address+"/api/listings/"+id+"/photos", map[string]any{"photo": photos})
				if status/100 != 2 {
					t.Errorf("uploading is %d: %.300s", status, text)
					continue
				}
				status, text = c.do(t, http.MethodGet, server.address+"/api/listings/"+id+"/photos", nil)
				var stored struct{ Photos []struct{ Key string } }
				if err := json.Unmarshal([]byte(text), &stored); err != nil || status != http.StatusOK || len(stored.Photos) != photosPerListing {
					t.Errorf("the photos of a listing are %d %.300s", status, text)
					continue
				}
				for _, photo := range stored.Photos {
					for _, width := range models.PhotoWidths {
						same(fmt.Sprintf("/photos/%s-%d.jpg", photo.Key, width))
					}
				}
				c.awaitPreview(t, id, same)
			}
		})
	}
	for i := range *clusterPhotos / photosPerListing {
		next <- i
	}
	close(next)
	uploads.Wait()
	t.Logf("%d photographs uploaded; %d files and previews compared on %d servers, %d missing", *clusterPhotos, compared.Load(), len(c.servers), missing.Load())
}

// awaitPreview waits until the pages of a listing on all servers name the same preview, which
// takes as long as a change takes to reach every server, and compares it.
func (c *cluster) awaitPreview(t *testing.T, id string, same func(path string) string) {
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		paths := map[string]bool{}
		for _, s := range c.servers {
			_, page := c.do(t, http.MethodGet, s.address+"/listings/"+id, nil)
			if found := ogImage.FindStringSubmatch(page); found != nil {
				paths[found[1]] = true
			} else {
				paths[""] = true
			}
		}
		for path := range paths {
			if len(paths) == 1 && path != "" {
				same(strings.ReplaceAll(path, "&amp;", "&"))
				return
			}
		}
		if time.Now().After(deadline) {
			t.Errorf("the pages of a listing name the previews %v", paths)
			return
		}
	}
}

// randomPhoto returns a JPEG picture that no other seed has.
func randomPhoto(t *testing.T, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	m := image.NewRGBA(image.Rect(0, 0, 640, 480))
	for y := 0; y < 480; y += 16 {
		for x := 0; x < 640; x += 16 {
			tile := color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255}
			for i := range 256 {
				m.SetRGBA(x+i%16, y+i/16, tile)
			}
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Error(err)
	}
	return b.Bytes()
}

// do sends a request: with a body in JSON, or for the list of photographs, as the seller, others
// without a token, as shoppers do.
func (c *cluster) do(t *testing.T, method, address string, body any) (status int, text string) {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			t.Error(err)
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequest(method, address, content)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	if body != nil || strings.HasSuffix(address, "/photos") {
		_, path, _ := strings.Cut(address, "/listings/")
		id, _, _ := strings.Cut(path, "/")
		req.Header.Set("Authorization", "Bearer "+c.tokens[id])
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("If-Match", "*")
	}
	if strings.Contains(address, "/listings/") && !strings.Contains(address, "/api/") {
		req.Header.Set("Accept", "text/html")
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(read)
}

// maxFailures is how many of the requests that fail are reported.
const maxFailures = 20

// clusterLoad counts the requests during the restarts.
type clusterLoad struct {
	requests, writes, slow atomic.Int64
	failed                 [2]atomic.Int64 // by load balancer
	mu                     sync.Mutex
	slowest                time.Duration
}

// rolling returns the command that restarts all servers one after the other, and a function that
// returns how long the longest was without serving. The servers are processes of the test, so
// that what restarts one asks the test to.
func (c *cluster) rolling(t *testing.T) (command func() *exec.Cmd, longest func() time.Duration) {
	var most atomic.Int64
	operator := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.URL.Path[1:])
		mustDo(t, err)
		most.Store(max(most.Load(), int64(c.servers[i].restart(t))))
	}))
	t.Cleanup(operator.Close)
	var args []string
	for i, s := range c.servers {
		args = append(args, s.address, fmt.Sprintf("curl --silent --fail %s/%d", operator.URL, i))
	}
	return func() *exec.Cmd { return exec.CommandContext(t.Context(), "../../deploy/rolling", args...) }, func() time.Duration { return time.Duration(most.Load()) }
}

// testRestarts restarts the servers one after the other under load.
func (c *cluster) testRestarts(t *testing.T) {
	const workers = 100
	var load clusterLoad
	var sending sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	for i := range workers {
		sending.Go(func() { c.send(ctx, t, &load, i, workers) })
	}
	rolling, longest := c.rolling(t)
	restarts := 0
	for ; load.requests.Load() < int64(*clusterRequests); restarts += len(c.servers) {
		if said, err := rolling().CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, said)
			break
		}
	}
	took := time.Since(began)
	cancel()
	sending.Wait()
	t.Logf("%d listings, %d restarts in %v, the longest %v without serving; %d requests (%.0f/s), %d of them writes: %d failed behind nginx and %d behind HAProxy, %d over %v, the slowest %v",
		*clusterListings, restarts, took.Round(time.Second), longest().Round(time.Millisecond), load.requests.Load(), float64(load.requests.Load())/took.Seconds(), load.writes.Load(),
		load.failed[0].Load(), load.failed[1].Load(), load.slow.Load(), clusterMaxAnswer, load.slowest.Round(time.Millisecond))
}

// send sends the share of the load of one of the workers until ctx ends: one request of
// twenty raises the price of a listing of its own, whose next read must have it. The
// workers write at different times, as sellers do.
func (c *cluster) send(ctx context.Context, t *testing.T, load *clusterLoad, worker, workers int) {
	listing, price := c.listings[worker%len(c.listings)], 100_000
	id, name := listing.id, url.QueryEscape(listing.gear.Name())
	reads := []string{"/listings?keyword=" + name, "/api/listings/search?keyword=" + name, "/listings/" + id, "/gear/" + listing.gear.Slug(), "/api/listings/" + id}
	every := time.Duration(workers) * time.Second / time.Duration(*clusterRate)
	time.Sleep(every * time.Duration(worker) / time.Duration(workers))
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := 0; ctx.Err() == nil; n++ {
		balancer := c.balancers[n%len(c.balancers)]
		began := time.Now()
		var status int
		var text, what string
		if n%20 == worker%20 {
			price++
			amount := fmt.Sprintf("%d.%02d", price/100, price%100)
			what = "write"
			status, text = c.do(t, http.MethodPatch, balancer+"/api/listings/"+id, map[string]any{"price": map[string]string{"amount": amount, "currency": "EUR"}})
			load.writes.Add(1)
			if status == http.StatusOK && !strings.Contains(text, amount) {
				t.Errorf("the answer to a write has not its price %s: %.300s", amount, text)
			}
		} else {
			what = reads[(n+worker)%len(reads)]
			status, text = c.do(t, http.MethodGet, balancer+what, nil)
		}
		took := time.Since(began)
		load.requests.Add(1)
		load.mu.Lock()
		load.slowest = max(load.slowest, took)
		load.mu.Unlock()
		if status != http.StatusOK {
			if load.failed[n%len(c.balancers)].Add(1) <= maxFailures {
				t.Errorf("%s at %s is %d, %v of a server: %.300s", what, balancer, status, c.step.Load(), text)
			}
			t.Fail()
		}
		if took > clusterMaxAnswer {
			load.slow.Add(1)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	status, text := c.do(t, http.MethodGet, c.servers[0].address+"/api/listings/"+id, nil)
	if amount := fmt.Sprintf("%d.%02d", price/100, price%100); price > 100_000 && (status != http.StatusOK || !strings.Contains(text, amount)) {
		t.Errorf("the last price written was %s, the listing is %d %.300s", amount, status, text)
	}
}

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	mustDo(t, err)
	defer l.Close()
	return l.Addr().String()
}

// startRedis starts a Redis server and returns its URL, and the process.
func startRedis(t *testing.T, socket string) (address string, process *os.Process) {
	t.Helper()
	process = startDaemon(t, "redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", filepath.Dir(socket))
	awaitDial(t, "unix", socket)
	return (&url.URL{Scheme: "unix", Path: socket}).String(), process
}

// startNginx starts nginx with the upstream and the proxy settings of deploy/nginx.conf,
// without TLS, and returns its address.
func startNginx(t *testing.T, servers []string) string {
	t.Helper()
	address, dir := freeAddress(t), t.TempDir()
	text, err := os.ReadFile(*clusterNginx)
	mustDo(t, err)
	deployed := string(text)
	_, location, _ := strings.Cut(deployed, "client_max_body_size")
	_, upstream, _ := strings.Cut(deployed, "upstream secondlight {")
	upstream, _, _ = strings.Cut(upstream, "}")
	line := regexp.MustCompile(`\tserver 127\.0\.0\.1:8080.*;`).FindString(upstream)
	var lines []string
	for _, s := range servers {
		lines = append(lines, strings.Replace(line, "127.0.0.1:8080", s, 1))
	}
	upstream = strings.Replace(upstream, line, strings.Join(lines, "\n"), 1)
	config := fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log %[1]s/error.log; user root;
events { worker_connections 1000; }
http {
access_log off;
client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
upstream secondlight { %[2]s }
server { listen %[3]s; client_max_body_size%[4]s
}
`, dir, upstream, address, location)
	mustDo(t, os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(config), 0o600))
	startDaemon(t, "nginx", "-c", filepath.Join(dir, "nginx.conf"))
	awaitDial(t, "tcp", address)
	return "http://" + address
}

// startHAProxy starts HAProxy, which asks the servers whether they are ready, and returns
// its address.
func startHAProxy(t *testing.T, servers []string) string {
	t.Helper()
	address, file := freeAddress(t), filepath.Join(t.TempDir(), "haproxy.cfg")
	var backend strings.Builder
	for i, s := range servers {
		fmt.Fprintf(&backend, "\tserver site%d %s check\n", i+1, s)
	}
	config := fmt.Sprintf(`defaults
	mode http
	timeout connect 2s
	timeout client 60s
	timeout server 60s
	option forwardfor
	option redispatch
	retries 3
frontend secondlight
	bind %s
	default_backend secondlight
backend secondlight
	option httpchk GET /readyz?exclude=database
	default-server inter 500ms fall 1 rise 1
%s`, address, backend.String())
	mustDo(t, os.WriteFile(file, []byte(config), 0o600))
	startDaemon(t, "haproxy", "-db", "-f", file)
	awaitDial(t, "tcp", address)
	return "http://" + address
}

// startDaemon starts a program of the system in the foreground, to be killed when the test
// ends. If it is not installed the test is skipped.
func startDaemon(t *testing.T, name string, args ...string) *os.Process {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if path = "/usr/sbin/" + name; exec.Command(path, "-v").Run() != nil {
			t.Skipf("NOT TESTED: %s is not installed", name)
		}
	}
	cmd := exec.Command(path, args...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	mustDo(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	return cmd.Process
}

// awaitDial waits until an address takes connections.
func awaitDial(t *testing.T, network, address string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial(network, address); err == nil {
			conn.Close()
			return
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
