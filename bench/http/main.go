//go:build linux

// Command http measures the server from outside: it builds the real program,
// serves a filled database with it, serves a fixed body of the same size and type
// with Fiber beside it, and loads the two in turn. What counts is the
// ratio of a pair: both run in the same minute, on the same machine, under the same
// client, so a busy neighbour or a slow processor takes from both alike.
//
//	go run ./bench/http                                  # 60,000 and 1,000,000 listings
//	go run ./bench/http -listings 60000 -rounds 3        # a quick look
//	go run ./bench/http -data /var/tmp/bench             # keep the databases for the next run
//	go run ./bench/http -metrics -only 'hot HTML'        # what METRICS_ADDR costs
//
// Each pair is measured over few connections and over many. Over few the server waits
// for its next request again and again, and both sides pay for being woken; over many
// there is always another request, by which the fixed body gains more.
//
// CPU is the processor time the server took for one answer. Unlike the ratio it does
// not hold what the client costs, and it stays what it is on a busy machine.
//
// Client and server share the processors, so what the client costs pulls a ratio
// towards one. Its work is kept small, and alike for both sides: see client. It
// needs Linux.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/bench/load"
	"github.com/secondlight/secondlight/bench/program"
	"github.com/secondlight/secondlight/bench/reference"
)

type settings struct {
	listings, connections numbers
	data                  string
	seed                  uint64
	rounds                int
	load                  load.Load
	only                  string // measure only the pairs with this text in their name
	metrics               bool   // measure the program with metrics beside the program without
}

// numbers is a flag of several numbers above 0.
type numbers []int

func (n numbers) MarshalText() ([]byte, error) {
	return []byte(strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(n)), " ", ","), "[]")), nil
}

func (n *numbers) UnmarshalText(text []byte) error {
	*n = nil
	for word := range strings.SplitSeq(string(text), ",") {
		number, err := strconv.Atoi(word)
		if err != nil || number < 1 {
			return fmt.Errorf("%q is not a number above 0", word)
		}
		*n = append(*n, number)
	}
	return nil
}

func main() {
	reference.ServeFixed()
	var s settings
	s.listings, s.connections = numbers{60_000, 1_000_000}, numbers{4, 32}
	flag.TextVar(&s.listings, "listings", s.listings, "how many listings, several sizes separated by commas")
	flag.TextVar(&s.connections, "connections", s.connections, "how many kept-alive connections, several numbers separated by commas")
	flag.StringVar(&s.data, "data", "", "folder that keeps the databases between runs; a temporary one when empty")
	flag.Uint64Var(&s.seed, "seed", 1, "of the listings and the queries")
	flag.IntVar(&s.rounds, "rounds", 7, "how often each pair is measured")
	flag.IntVar(&s.load.Addresses, "queries", 60_000, "at most so many searches a round; none is asked twice")
	flag.DurationVar(&s.load.Time, "time", 2*time.Second, "how long each side is loaded in a round")
	flag.StringVar(&s.only, "only", "", "measure only what has this text in its name")
	flag.BoolVar(&s.metrics, "metrics", false, "set METRICS_ADDR, and measure the program without it in place of a fixed body")
	flag.Parse()

	// SIGPIPE too: servers must not outlive who reads no further, such as head.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer stop()
	if err := measure(ctx, &s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, s *settings) error {
	data, cleanUp, err := dataFolder(s.data)
	if err != nil {
		return err
	}
	defer cleanUp()
	file := filepath.Join(data, "secondlight")
	if err := program.Build(ctx, file); err != nil {
		return err
	}
	fmt.Printf("%s %s/%s, %d processors shared by client and server, %d rounds of %s a side\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), s.rounds, s.load.Time)
	for _, n := range s.listings {
		if err := measureSize(ctx, s, file, data, n); err != nil {
			return err
		}
	}
	return nil
}

func dataFolder(keep string) (folder string, cleanUp func(), err error) {
	if keep != "" {
		return keep, func() {}, os.MkdirAll(keep, 0o750)
	}
	folder, err = os.MkdirTemp("", "secondlight-bench-")
	return folder, func() { os.RemoveAll(folder) }, err
}

func measureSize(ctx context.Context, s *settings, file, data string, listings int) error {
	folder := filepath.Join(data, strconv.Itoa(listings))
	market, err := openMarket(ctx, folder, listings, s.seed)
	if err != nil {
		return err
	}
	metrics := ""
	if s.metrics {
		metrics = "127.0.0.1:0"
	}
	site, err := program.StartSite(ctx, file, folder, "METRICS_ADDR="+metrics)
	if err != nil {
		return err
	}
	defer site.Stop()
	site.Settle(ctx)

	const html, gzip = "text/html", "Accept-Encoding: gzip\r\n"
	queries := market.Queries(s.seed) // none is asked twice by any pair
	pages := func() string { return "/listings?" + strings.SplitN(queries(), "?", 2)[1] }
	signedIn := "Cookie: " + market.cookie + "\r\n"
	pairs := []*pair{
		{name: "search, 24 cards of JSON, every query another", contentType: "application/json", next: queries, once: true},
		{name: "search without facets, 24 cards of JSON, every query another", contentType: "application/json", next: func() string { return queries() + "&facets=false" }, once: true},
		{name: "search page, every query another", contentType: html, next: pages, once: true},
		{name: "search page, every query another, gzip", contentType: html, header: gzip, next: pages, once: true},
		{name: "search page for a member, every query another", contentType: html, header: signedIn, next: pages, once: true},
		{name: "search page for a member, every query another, gzip", contentType: html, header: signedIn + gzip, next: pages, once: true},
		{name: "search page, hot HTML", contentType: html, next: always("/listings")},
		{name: "search page, hot HTML, cookie of another program", contentType: html, header: "Cookie: _ga=GA1.1.2; theme=dark\r\n", next: always("/listings")},
		{name: "gear page, hot HTML: " + market.Popular, contentType: html, next: always("/gear/" + market.Popular)},
		{name: "price badge, hot SVG, beside a static file", contentType: "image/svg+xml", next: always("/gear/" + market.Popular + "/badge.svg"), beside: "static file", reference: ownFile(site), file: "/static/favicon.svg"},
		{name: "search page, hot HTML, gzip, beside nginx with gzip_static", contentType: html, header: gzip, next: always("/listings"), reference: reference.Nginx},
	}
	pairs = slices.DeleteFunc(pairs, func(p *pair) bool { return !strings.Contains(p.name, s.only) })
	if s.metrics {
		other := folder + "-without-metrics"
		if err := os.CopyFS(other, os.DirFS(folder)); err != nil {
			return err
		}
		defer os.RemoveAll(other)
		for _, p := range pairs {
			p.beside = "without"
			p.reference = func(ctx context.Context, _ []byte, _ int, _ string) (*program.Server, error) {
				return program.StartSite(ctx, file, other, "METRICS_ADDR=")
			}
		}
	}
	for _, p := range pairs {
		if strings.Contains(p.name, "nginx") && !s.metrics && !reference.HasNginx() {
			fmt.Printf("\n%s: SKIPPED, nginx is not installed\n", p.name)
			continue
		}
		for _, connections := range s.connections {
			if err := p.measure(ctx, s, site, connections); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			p.print(listings, connections)
		}
	}
	for _, connections := range s.connections {
		if strings.Contains(writesName, s.only) {
			if err := market.measureWrites(ctx, s, site, connections); err != nil {
				return fmt.Errorf("%s: %w", writesName, err)
			}
		}
	}
	return nil
}

// ownFile returns the reference that is the program itself, asked for a static file.
func ownFile(site *program.Server) reference.Start {
	return func(context.Context, []byte, int, string) (*program.Server, error) { return site, nil }
}

func always(uri string) func() string { return func() string { return uri } }

// pair is one kind of request, measured against the reference.
type pair struct {
	name        string
	contentType string          // what is asked for and must come
	next        func() string   // the address of the next request
	header      string          // further header fields of each request, with line ends
	once        bool            // no address may be asked of the site twice
	reference   reference.Start // what it is measured against; nil is Fiber with a fixed body
	beside      string          // names the reference; "" is a fixed body
	file        string          // the address that the reference is asked for; "" is that of the site

	size   int // of a body on average, bytes
	rounds []round
}

type round struct{ ours, fixed *load.Outcome }

func (r round) ratio() float64 { return r.ours.PerSecond() / r.fixed.PerSecond() }

func (p *pair) measure(ctx context.Context, s *settings, site *program.Server, connections int) error {
	body, size, contentType, err := sample(site.Address, p)
	if err != nil {
		return err
	}
	p.size = size
	start := p.reference
	if start == nil {
		start = reference.Fixed
	}
	fixed, err := start(ctx, body, size, contentType)
	if err != nil {
		return err
	}
	if fixed != site {
		defer fixed.Stop()
	}

	// The first round warms both sides up and is forgotten. Then each side goes
	// first in turn.
	pressed := s.load
	pressed.Connections, p.rounds = connections, nil
	for i := range s.rounds + 1 {
		asks := make([]load.Request, pressed.Addresses)
		for j := range asks {
			asks[j].URI = p.next()
		}
		fixedAsks := asks
		if p.file != "" {
			fixedAsks = []load.Request{{URI: p.file}}
		}
		var r round
		sides := []func() error{
			func() (err error) {
				r.ours, err = pressed.Run(ctx, site, p.contentType, p.header, asks, !p.once)
				return err
			},
			func() (err error) {
				r.fixed, err = pressed.Run(ctx, fixed, p.contentType, p.header, fixedAsks, true)
				return err
			},
		}
		if i%2 == 1 {
			slices.Reverse(sides)
		}
		for _, side := range sides {
			if err := side(); err != nil {
				return err
			}
		}
		if i > 0 {
			p.rounds = append(p.rounds, r)
		}
	}
	return nil
}

// sample asks for some pages before anything is measured, for the size of the
// fixed body and its exact type.
func sample(address string, p *pair) (body []byte, size int, contentType string, err error) {
	const requests = 500
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	for range requests {
		uri := p.next()
		req.Reset() // cookies would accumulate
		req.SetRequestURI("http://" + address + uri)
		req.Header.Set("Accept", p.contentType)
		for line := range strings.SplitSeq(strings.TrimSuffix(p.header, "\r\n"), "\r\n") {
			if name, value, ok := strings.Cut(line, ": "); ok {
				req.Header.Set(name, value)
			}
		}
		if err := fasthttp.Do(req, resp); err != nil {
			return nil, 0, "", err
		}
		if resp.StatusCode() != fasthttp.StatusOK || !strings.HasPrefix(string(resp.Header.ContentType()), p.contentType) {
			return nil, 0, "", fmt.Errorf("GET %s: %d %s\n%.1000s", uri, resp.StatusCode(), resp.Header.ContentType(), resp.Body())
		}
		size += len(resp.Body())
	}
	return bytes.Clone(resp.Body()), size / requests, string(resp.Header.ContentType()), nil
}

func (p *pair) print(listings, connections int) {
	fmt.Printf("\n%s listings, %s, %.1f KB, %d connections\n", thousands(listings), p.name, float64(p.size)/1000, connections)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "round\trequests/s\tp50\tp99\tCPU\t%s/s\tp50\tp99\tCPU\tratio\t\n", cmp.Or(p.beside, "fixed body"))
	var ratios, costs []float64
	for i, r := range p.rounds {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%.0f µs\t%s\t%s\t%s\t%.0f µs\t%.2f\t\n", i+1,
			thousands(int(r.ours.PerSecond())), milliseconds(r.ours.Quantile(50)), milliseconds(r.ours.Quantile(99)), r.ours.PerRequest(),
			thousands(int(r.fixed.PerSecond())), milliseconds(r.fixed.Quantile(50)), milliseconds(r.fixed.Quantile(99)), r.fixed.PerRequest(), r.ratio())
		ratios, costs = append(ratios, r.ratio()), append(costs, r.ours.PerRequest()/r.fixed.PerRequest())
	}
	w.Flush()
	slices.Sort(ratios)
	fmt.Printf("median ratio %.2f\n", ratios[len(ratios)/2])
	slices.Sort(costs)
	fmt.Printf("median ratio of processor times %.3f\n", costs[len(costs)/2])
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
