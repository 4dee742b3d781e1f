//go:build linux

// Command scale measures the whole program on PostgreSQL against the number of listings: how
// long it takes to start, its memory, searches in the process and over HTTP, pages, and
// publishing. There are three sales for each listing, and a member for each fifty.
//
//	DATABASE_URL=postgres://… go run ./bench/scale -data /var/tmp/scale -listings 60000,1000000,10000000
//
// DATABASE_URL is a server on which it makes one database for each number of listings,
// scale_60000 for example, by a role that may create databases and set
// session_replication_role. The rows are copies of the demonstration data with other ids,
// titles, times and prices. A database that is there is used again, with the listings that
// were published before, and so is what an earlier run has measured, with -keep.
//
// Processor time is given beside the time on the clock, because it is the same on a busy
// machine. That of PostgreSQL is not in it.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	_ "github.com/lib/pq"

	"github.com/secondlight/secondlight/bench/program"
)

func main() {
	sizes := flag.String("listings", "60000,1000000,10000000", "numbers of listings, separated by commas")
	data := flag.String("data", "", "folder for snapshots and results; a temporary one when empty")
	keep := flag.Bool("keep", false, "don't measure again what an earlier run has measured")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *sizes, *data, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, sizes, data string, keep bool) error {
	temporary, err := os.MkdirTemp("", "scale")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if data == "" {
		data = temporary
	}
	b := &bench{server: os.Getenv("DATABASE_URL"), program: filepath.Join(temporary, "secondlight"), data: data}
	if err := program.Build(ctx, b.program); err != nil {
		return err
	}
	var all []*measured
	for word := range strings.SplitSeq("0,"+sizes, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return err
		}
		m, err := b.measured(ctx, n, keep)
		if err != nil {
			return fmt.Errorf("%d listings: %w", n, err)
		}
		all = append(all, m)
	}
	printTable(all[0], all[1:])
	return nil
}

// bench is where the program and its data are.
type bench struct {
	server  string // URL of PostgreSQL
	program string
	data    string
}

// measured is what a site with some listings costs. It is stored between runs.
type measured struct {
	Listings, Sales int

	Load, Resume             took // from the start to the first answer, from all rows and from the snapshot
	Snapshot                 int  // bytes
	LoadedMemory             int  // resident bytes after the start from all rows
	ResumedMemory            int  // after the start from the snapshot
	SearchedMemory           int  // after searches, pages and publishing
	Indexed                  quantiles
	Search, Page, Gear, Home quantiles
	Listing, Sitemap         quantiles
	PublishRate              float64 // a second
	Publish                  quantiles
}

// took is a time on the clock and of the processors.
type took struct{ Clock, Processor time.Duration }

func (t took) String() string {
	return fmt.Sprintf("%.2f s (%.2f s)", t.Clock.Seconds(), t.Processor.Seconds())
}

// quantiles are those of a kind of request, with the processor time of one on average.
type quantiles struct{ P50, P99, Processor time.Duration }

func (q quantiles) String() string {
	return fmt.Sprintf("%s %s (%s)", milliseconds(q.P50), milliseconds(q.P99), milliseconds(q.Processor))
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds()*1e3, 'f', 2, 64)
}

// measured measures a size, or reads what an earlier run has measured.
func (b *bench) measured(ctx context.Context, listings int, keep bool) (*measured, error) {
	folder := filepath.Join(b.data, strconv.Itoa(listings))
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, err
	}
	stored := filepath.Join(folder, "measured.json")
	m := new(measured)
	text, err := os.ReadFile(stored)
	if keep && err == nil {
		return m, json.Unmarshal(text, m)
	}
	if keep && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s, err := b.open(ctx, listings, folder)
	if err != nil {
		return nil, err
	}
	defer s.db.Close()
	if m, err = s.measure(ctx); err != nil {
		return nil, err
	}
	if text, err = json.MarshalIndent(m, "", "\t"); err != nil {
		return nil, err
	}
	return m, os.WriteFile(stored, text, 0o640)
}

// site is a database with some listings, and the program that serves it.
type site struct {
	*bench
	listings int
	folder   string // DATA_DIR
	database string // URL
	db       *sql.DB
}

// open opens the database of a size, which it makes and fills if it isn't there.
func (b *bench) open(ctx context.Context, listings int, folder string) (*site, error) {
	name := "scale_" + strconv.Itoa(listings)
	address, err := url.Parse(b.server)
	if err != nil {
		return nil, err
	}
	address.Path = "/" + name
	s := &site{bench: b, listings: listings, folder: folder, database: address.String()}
	if s.db, err = sql.Open("postgres", s.database); err != nil {
		return nil, err
	}
	if s.db.PingContext(ctx) != nil {
		if err := create(ctx, b.server, name); err != nil {
			return nil, err
		}
	}
	if err := s.run(ctx, "migrate"); err != nil {
		return nil, err
	}
	if err := s.fill(ctx); err != nil {
		return nil, err
	}
	// Prices are fitted at night, and another server writes the bulk files: not while requests are measured.
	tomorrow := time.Now().AddDate(0, 0, 1)
	if _, err := s.db.ExecContext(ctx, `INSERT INTO leases (name, holder, until) VALUES ('bulk files', 'another server', $1)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until`, tomorrow.UnixMilli()); err != nil {
		return nil, err
	}
	_, err = s.db.ExecContext(ctx, `INSERT INTO price_fits (id, day, made_at, method, sales, gear, tuning, accuracy_at, accuracy) VALUES (1, $1, 1, 0, 0, 0, '', 0, '')
		ON CONFLICT (id) DO UPDATE SET day = excluded.day`, tomorrow.Format(time.DateOnly))
	return s, err
}

// create makes an empty database.
func create(ctx context.Context, server, name string) error {
	db, err := sql.Open("postgres", server)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `CREATE DATABASE `+name)
	return err
}

// measure measures the program on a filled database.
func (s *site) measure(ctx context.Context) (*measured, error) {
	m := &measured{Listings: s.listings}
	if err := s.db.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM sales), (SELECT COUNT(*) FROM listings WHERE status = 'active')`).Scan(&m.Sales, &m.Listings); err != nil {
		return nil, err
	}
	shop, err := s.openShop(ctx)
	if err != nil {
		return nil, err
	}
	defer shop.store.Close()
	snapshot := filepath.Join(s.folder, "search.index")
	if err := os.RemoveAll(snapshot); err != nil {
		return nil, err
	}

	p, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	m.Load = p.ready
	fmt.Printf("%d listings, %d sales: started from all rows in %s\n", m.Listings, m.Sales, m.Load)
	if _, err := shop.publish(ctx, 0); err != nil { // without changes there is no snapshot
		return nil, errors.Join(err, p.Stop())
	}
	m.LoadedMemory = p.memory()
	if err := p.Stop(); err != nil {
		return nil, err
	}
	if info, err := os.Stat(snapshot); err == nil {
		m.Snapshot = int(info.Size())
	}
	if err := shop.insert(ctx); err != nil {
		return nil, err
	}
	if p, err = s.start(ctx); err != nil {
		return nil, err
	}
	m.Resume = p.ready
	m.ResumedMemory = p.memory()
	fmt.Printf("%d listings: started from the snapshot in %s, %d MB\n", m.Listings, m.Resume, m.ResumedMemory>>20)
	if err := errors.Join(shop.requests(ctx, p, m), p.Stop()); err != nil {
		return nil, err
	}
	m.Indexed, err = shop.searches(ctx, snapshot)
	return m, err
}

// printTable prints what the sizes have cost. The memory of a listing is what the process has
// more than that of an empty site.
func printTable(empty *measured, all []*measured) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, value func(m *measured) string) {
		fmt.Fprint(w, name, "\t")
		for _, m := range all {
			fmt.Fprint(w, value(m), "\t")
		}
		fmt.Fprintln(w)
	}
	memory := func(of func(m *measured) int) func(m *measured) string {
		return func(m *measured) string {
			return fmt.Sprintf("%d MB, %d B", of(m)>>20, (of(m)-of(empty))/max(m.Listings, 1))
		}
	}
	fmt.Printf("%s, %d processors; in brackets: processor time; B: bytes a listing more than an empty site\n", runtime.Version(), runtime.GOMAXPROCS(0))
	row("listings", func(m *measured) string { return strconv.Itoa(m.Listings) })
	row("sales", func(m *measured) string { return strconv.Itoa(m.Sales) })
	row("start from all rows", func(m *measured) string { return m.Load.String() })
	row("start from the snapshot, with changes", func(m *measured) string { return m.Resume.String() })
	row("snapshot", func(m *measured) string { return fmt.Sprintf("%d MB", m.Snapshot>>20) })
	row("memory after reading all rows", memory(func(m *measured) int { return m.LoadedMemory }))
	row("memory after reading the snapshot", memory(func(m *measured) int { return m.ResumedMemory }))
	row("memory after all requests", memory(func(m *measured) int { return m.SearchedMemory }))
	for _, kind := range []struct {
		name string
		of   func(m *measured) quantiles
	}{
		{"search in the process, p50 p99 ms", func(m *measured) quantiles { return m.Indexed }},
		{"search over HTTP, JSON", func(m *measured) quantiles { return m.Search }},
		{"search page", func(m *measured) quantiles { return m.Page }},
		{"gear page", func(m *measured) quantiles { return m.Gear }},
		{"listing page", func(m *measured) quantiles { return m.Listing }},
		{"home", func(m *measured) quantiles { return m.Home }},
		{"page of the sitemap", func(m *measured) quantiles { return m.Sitemap }},
		{"create and publish", func(m *measured) quantiles { return m.Publish }},
	} {
		row(kind.name, func(m *measured) string { return kind.of(m).String() })
	}
	row("published a second", func(m *measured) string { return fmt.Sprintf("%.0f", m.PublishRate) })
	w.Flush()
}
