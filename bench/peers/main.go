//go:build linux

// Command peers serves the same market with this program and with others that a team might choose
// instead, sends all of them the same searches in one run, and compares what they find and what
// it costs.
//
//	go run ./bench/peers                                # 60,000 listings, 3 rounds, about ten minutes
//	go run ./bench/peers -only postgres,bleve           # some of them
//	go run ./bench/peers -data /var/tmp/peers           # keep the databases for the next run
//
// The other programs are in bench/peers/servers. Each stores what a search returns of a listing
// as text, so that none spends time on writing JSON, and each is set up as its guide says.
// PostgreSQL is left out if it isn't installed, and so is nginx.
//
// Every program is measured in turn, then the next round begins, so that other work on the machine
// takes from all alike. The client shares the processors with them. It needs Linux.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/secondlight/secondlight/bench/load"
	"github.com/secondlight/secondlight/bench/market"
	"github.com/secondlight/secondlight/bench/program"
	"github.com/secondlight/secondlight/bench/reference"
	"github.com/secondlight/secondlight/bench/shopper"
	"github.com/secondlight/secondlight/models/search"
)

type settings struct {
	listings, rounds, compared int
	seed                       uint64
	time                       time.Duration
	data, only                 string
}

func main() {
	reference.ServeFixed()
	var s settings
	flag.IntVar(&s.listings, "listings", 60_000, "how many listings")
	flag.IntVar(&s.rounds, "rounds", 3, "how often each program is measured")
	flag.IntVar(&s.compared, "compared", 300, "how many searches are compared by what they find")
	flag.Uint64Var(&s.seed, "seed", 1, "of the listings and the searches")
	flag.DurationVar(&s.time, "time", 3*time.Second, "how long each program is loaded in a round")
	flag.StringVar(&s.data, "data", "", "folder that keeps the databases between runs; a temporary one when empty")
	flag.StringVar(&s.only, "only", "", "measure only these other programs, separated by commas: postgres, sqlite, bleve, pocketbase")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer stop()
	if err := run(ctx, &s); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s *settings) error {
	folder := s.data
	if folder == "" {
		temporary, err := os.MkdirTemp("", "secondlight-peers-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		folder = temporary
	}
	b := &benchmark{settings: s, folder: folder}
	defer b.stop()
	if err := b.start(ctx); err != nil {
		return err
	}
	for _, p := range b.programs {
		p.server.Settle(ctx)
	}
	fmt.Printf("%s, %d processors shared by client and servers, %d rounds of %s each\n", runtime.Version(), runtime.GOMAXPROCS(0), s.rounds, s.time)
	if err := b.compare(); err != nil {
		return err
	}
	if err := b.warmUp(ctx); err != nil {
		return err
	}
	for _, connections := range []int{4, 32} {
		if err := b.measure(ctx, connections); err != nil {
			return err
		}
	}
	b.printSizes()
	return nil
}

// benchmark is a market and the programs that serve it.
type benchmark struct {
	*settings
	folder   string
	market   *market.Market
	shop     *shopper.Shopper
	size     int // of a response of this program, bytes
	programs []*side
}

// side is one program, which answers searches or sends a fixed body.
type side struct {
	name      string
	server    *program.Server
	address   func(*search.Query) string // of a search; nil for a fixed body
	total     string                     // field of the response with the number of listings found; "" if it has none
	load      time.Duration              // of all listings; 0 if they were loaded by an earlier run
	startTime time.Duration
	shared    bool // the server is that of the previous side
}

// start builds, fills and starts all programs.
func (b *benchmark) start(ctx context.Context) error {
	if err := os.MkdirAll(b.folder, 0o711); err != nil {
		return err
	}
	if err := os.Chmod(b.folder, 0o711); err != nil { // PostgreSQL runs as another user
		return err
	}
	if err := b.startSite(ctx); err != nil {
		return err
	}
	if err := b.startPeers(ctx); err != nil {
		return err
	}
	return b.startReferences(ctx)
}

func (b *benchmark) startSite(ctx context.Context) error {
	data, file := filepath.Join(b.folder, "site"), filepath.Join(b.folder, "secondlight")
	if err := program.Build(ctx, file); err != nil {
		return err
	}
	store, err := market.Open(ctx, data)
	if err != nil {
		return err
	}
	b.market, err = market.Fill(ctx, store, b.listings, b.seed)
	if err := store.Close(); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	began := time.Now()
	server, err := program.StartSite(ctx, file, data)
	if err != nil {
		return err
	}
	b.shop = shopper.New(b.market.Catalog, b.market.Patterns, b.seed)
	site := &side{name: "Secondlight", server: server, address: shopper.Address, total: "total", startTime: time.Since(began)}
	if b.market.Added > 0 {
		site.load = time.Duration(float64(b.market.Took) * float64(b.listings) / float64(b.market.Added))
	}
	b.programs = append(b.programs, site)
	return nil
}

// startPeers loads the listings into each program that does not have them, and starts it.
func (b *benchmark) startPeers(ctx context.Context) error {
	listings := filepath.Join(b.folder, "listings.jsonl")
	if err := b.export(listings); err != nil {
		return fmt.Errorf("export listings: %w", err)
	}
	file := filepath.Join(b.folder, "servers")
	if out, err := exec.CommandContext(ctx, "go", "-C", "bench/peers/servers", "build", "-o", file, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	for _, peer := range peers {
		if b.only != "" && !slices.Contains(strings.Split(b.only, ","), peer.key) {
			continue
		}
		if missing := peer.missing(); missing != "" {
			fmt.Printf("%s: SKIPPED, %s\n", peer.name, missing)
			continue
		}
		started, err := peer.start(ctx, file, filepath.Join(b.folder, peer.key), listings)
		if err != nil {
			return fmt.Errorf("%s: %w", peer.name, err)
		}
		b.programs = append(b.programs, started)
		if peer.partial != nil {
			b.programs = append(b.programs, &side{name: peer.name + ", no total", server: started.server, address: peer.partial, shared: true})
		}
	}
	return nil
}

// startReferences starts the servers that send a fixed body as long as a response of this program.
func (b *benchmark) startReferences(ctx context.Context) error {
	const samples = 1000
	size := 0
	var body []byte
	for range samples {
		q := b.query()
		var err error
		if body, err = get(b.programs[0].server.Address + b.programs[0].address(&q)); err != nil {
			return err
		}
		size += len(body)
	}
	b.size = size / samples
	body = append(body, make([]byte, b.size)...)[:b.size]
	references := []struct {
		name  string
		start reference.Start
	}{{"fixed body, nginx", reference.Nginx}, {"fixed body, Fiber", reference.Fixed}}
	if !reference.HasNginx() {
		fmt.Println("nginx: SKIPPED, it is not installed")
		references = references[1:]
	}
	for _, r := range references {
		server, err := r.start(ctx, body, b.size, "application/json")
		if err != nil {
			return err
		}
		b.programs = append(b.programs, &side{name: r.name, server: server})
	}
	return nil
}

func (b *benchmark) stop() {
	for _, p := range b.programs {
		if p.shared {
			continue
		}
		if err := p.server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, p.name+":", err)
		}
	}
}

// query returns the next search. The order by deal, which other programs don't have, is replaced.
func (b *benchmark) query() search.Query {
	q := b.shop.Next()
	if q.Sort == search.Deal {
		q.Sort = search.Newest
	}
	return q
}

// mostQueries is how many searches a program is sent in a round at most.
const mostQueries = 60_000

// warmUp sends searches to every program for as long as all rounds take, so that each has
// the plans, pages and keywords in its caches that it has after a day of searches.
func (b *benchmark) warmUp(ctx context.Context) error {
	clients := load.Load{Connections: 32, Time: b.time * time.Duration(b.rounds)}
	queries := b.queries()
	for _, p := range b.programs {
		if _, err := clients.Run(ctx, p.server, "application/json", "", p.requests(queries), p.address == nil); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// measure sends searches to every program in turn, and prints the medians of the rounds.
func (b *benchmark) measure(ctx context.Context, connections int) error {
	outcomes := make([][]*load.Outcome, len(b.programs))
	clients := load.Load{Connections: connections, Time: b.time}
	for range b.rounds {
		queries := b.queries()
		for i, p := range b.programs {
			outcome, err := clients.Run(ctx, p.server, "application/json", "", p.requests(queries), p.address == nil)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			outcomes[i] = append(outcomes[i], outcome)
		}
	}
	b.print(connections, outcomes)
	return nil
}

// queries returns as many searches as a program answers in a round at most.
func (b *benchmark) queries() []search.Query {
	queries := make([]search.Query, mostQueries)
	for i := range queries {
		queries[i] = b.query()
	}
	return queries
}

// requests returns the searches as a program takes them.
func (p *side) requests(queries []search.Query) []load.Request {
	if p.address == nil {
		return []load.Request{{URI: "/"}}
	}
	requests := make([]load.Request, len(queries))
	for i := range queries {
		requests[i].URI = p.address(&queries[i])
	}
	return requests
}
