package handlers

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/storetest"
)

// mirrorFor is how long TestMirror makes 50 writes a second, with the recipes in all
// languages; 0 makes it write a few, with the recipe in Python.
var mirrorFor = flag.Duration("mirror", 0, "time for which TestMirror writes")

// newMirrored returns a server of a database with its own files, and a member who joined so long
// ago that they may publish any number of listings.
func newMirrored(t *testing.T, database string) (*testServer, *testMember) {
	t.Helper()
	var ago atomic.Int64
	ago.Store(int64(30 * 24 * time.Hour))
	clock := func() time.Time { return time.Now().Add(-time.Duration(ago.Load())) }
	cfg := quiet(emptyMarket(t))
	cfg.Store = storetest.Open(t, database, clock)
	cfg.Files = blob.Folder(cfg.DataDir)
	cfg.Clock = clock
	feed := search.NewFeed(cfg.Index, cfg.Store, market.CardRenderer(&testSite, cfg.Catalog), cfg.Log)
	feed.Estimate(cfg.Site.Currency())
	cfg.Feed = feed
	s := serveTest(t, build(cfg))
	must(feed.Load(t.Context()))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- feed.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	ann := s.join(t, "ann", models.RoleMember)
	ago.Store(0)
	return s, ann
}

// recipe returns the command that runs the program of the site in a language, or nil if this
// machine can't.
func (s *testServer) recipe(t *testing.T, name, site, file string) func() *exec.Cmd {
	_, text := s.do(t, "GET", "/data/"+name)
	program := filepath.Join(t.TempDir(), name)
	command := []string{"python3"}
	switch filepath.Ext(name) {
	case ".go":
		command = []string{"go", "run"}
	case ".ts":
		command = []string{"node"}
		compile := exec.Command("node", "-e", `process.stdout.write(require(process.argv[1]).transpileModule(require('fs').readFileSync(0, 'utf8'), {compilerOptions: {target: 'ES2022', module: 'ESNext'}}).outputText)`,
			must1(filepath.Abs("../e2e/node_modules/typescript")))
		compile.Stdin = strings.NewReader(text)
		out, err := compile.Output()
		if err != nil {
			return nil
		}
		program, text = strings.TrimSuffix(program, ".ts")+".mjs", string(out)
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return nil
	}
	must(os.WriteFile(program, []byte(text), 0o600))
	return func() *exec.Cmd {
		return exec.Command(command[0], append(command[1:], program, site, file, "--once")...)
	}
}

// TestMirror keeps copies of a site with the programs that it offers, while members write: from
// files that are made in between. In the end each copy has the listings for sale in the database.
func TestMirror(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	for engine, database := range map[string]func(testing.TB) string{"SQLite": storetest.SQLite, "PostgreSQL": storetest.Postgres} {
		t.Run(engine, func(t *testing.T) {
			s, ann := newMirrored(t, database(t))
			site := httptest.NewServer(&httputil.ReverseProxy{Transport: s.client.Transport, Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(&url.URL{Scheme: "http", Host: "secondlight.example"})
			}})
			t.Cleanup(site.Close)
			writers := make([]mirrorWriter, 5)
			for i := range writers {
				writers[i].member = ann
				writers[i].writeFor(t, 0, 4)
			}
			must(s.bulk.MakeFiles(t.Context()))
			names := []string{"mirror.py"}
			if *mirrorFor > 0 {
				names = []string{"mirror.py", "mirror.ts", "mirror.go"}
			}
			var writing atomic.Bool
			writing.Store(true)
			var written sync.WaitGroup
			start := time.Now()
			for i := range writers {
				written.Go(func() { writers[i].writeFor(t, *mirrorFor, 12) })
			}
			copies := map[string]string{}
			var running sync.WaitGroup
			for _, name := range names {
				file := filepath.Join(t.TempDir(), "copy.json")
				run := s.recipe(t, name, site.URL, file)
				if run == nil {
					t.Logf("%s can't run here", name)
					continue
				}
				copies[name] = file
				running.Go(func() {
					for last := false; !last; {
						last = !writing.Load()
						if out, err := run().CombinedOutput(); err != nil {
							t.Errorf("%s: %v: %s", name, err, out)
							return
						}
					}
				})
			}
			written.Wait()
			rate := float64(writesOf(writers)) / time.Since(start).Seconds()
			writing.Store(false)
			running.Wait()
			want := s.forSale(t)
			for name, file := range copies {
				if got := copyOf(t, file); !slices.Equal(got, want) {
					t.Errorf("after %d writes the copy of %s has %d listings, want %d: \n%v\n%v", writesOf(writers), name, len(got), len(want), got, want)
				}
			}
			t.Logf("%d writes, %.0f a second, %d listings, %d copies", writesOf(writers), rate, len(want), len(copies))
		})
	}
}

// mirrorWriter is one of five that write listings as a member, who may have 1,000 open ones.
type mirrorWriter struct {
	member        *testMember
	ids, reserved []string
	writes        int
}

// writeFor makes ten writes a second for a time, at least some.
func (w *mirrorWriter) writeFor(t *testing.T, period time.Duration, least int) {
	start, next := time.Now(), time.Now()
	for n := 0; n < least || time.Since(start) < period; n++ {
		w.write(t)
		next = next.Add(time.Second / 10)
		if period > 0 {
			time.Sleep(time.Until(next))
		}
	}
}

func writesOf(writers []mirrorWriter) (n int) {
	for i := range writers {
		n += writers[i].writes
	}
	return n
}

// write publishes a listing, or changes, reserves or ends one.
func (w *mirrorWriter) write(t *testing.T) {
	w.writes++
	if len(w.reserved) > 20 {
		w.member.ask(t, "POST", "/api/listings/"+w.reserved[0]+"/end", `{"reason":"kept"}`, 200)
		w.reserved = w.reserved[1:]
		return
	}
	if len(w.ids) < 5 || len(w.ids) < 100 && rand.IntN(3) == 0 {
		w.ids = append(w.ids, w.member.list(t, r6))
		return
	}
	i := rand.IntN(len(w.ids))
	path := "/api/listings/" + w.ids[i]
	switch rand.IntN(4) {
	case 0:
		end := [][2]string{{"/end", `{"reason":"kept"}`}, {"/reserve", ""}, {"/sold", `{"price":"900"}`}}[rand.IntN(3)]
		w.member.ask(t, "POST", path+end[0], end[1], 200)
		if end[0] == "/reserve" {
			w.reserved = append(w.reserved, w.ids[i])
		}
		w.ids = slices.Delete(w.ids, i, i+1)
	default:
		version := fmt.Sprint(w.member.ask(t, "GET", path, "", 200)["version"])
		w.member.ask(t, "PATCH", path, fmt.Sprintf(`{"price":"%d.00"}`, 500+rand.IntN(900)), 200, "If-Match", version)
	}
}

// forSale returns the listings for sale in the database, a line each.
func (s *testServer) forSale(t *testing.T) (lines []string) {
	ids := map[string]bool{}
	for cursor := ""; ; {
		page := s.askJSON(t, "/api/listings/search?limit=100&cursor="+url.QueryEscape(cursor))
		for _, l := range page["listings"].([]any) {
			ids[l.(map[string]any)["id"].(string)] = true
		}
		next, more := page["next_cursor"].(string)
		if cursor = next; !more {
			break
		}
	}
	for id := range ids {
		l := s.askJSON(t, "/api/listings/"+id)
		lines = append(lines, fmt.Sprint(l["id"], l["title"], l["price"], l["status"]))
	}
	slices.Sort(lines)
	return lines
}

// copyOf returns the listings of a copy, a line each.
func copyOf(t *testing.T, file string) (lines []string) {
	var copied struct {
		Gear     map[string]any
		Listings map[string]map[string]any
	}
	must(json.Unmarshal(must1(os.ReadFile(file)), &copied))
	if len(copied.Gear) == 0 {
		t.Errorf("%s has no gear", file)
	}
	for _, l := range copied.Listings {
		lines = append(lines, fmt.Sprint(l["id"], l["title"], l["price"], l["status"]))
	}
	slices.Sort(lines)
	return lines
}
