//go:build linux

// Command scale measures the whole program with many listings and sales on PostgreSQL: how long
// it takes to start, its memory, searches and pages over HTTP, and publishing.
//
//	DATABASE_URL=postgres://… go run ./bench/scale -listings 10000000 -sales 30000000
//
// DATABASE_URL names an empty database, or one that this command filled before: it adds what
// is missing. The rows are copies of the demonstration data at other times and prices.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	_ "github.com/lib/pq"
)

func main() {
	listings := flag.Int("listings", 1_000_000, "how many listings")
	sales := flag.Int("sales", 3_000_000, "how many sales")
	data := flag.String("data", "", "folder for DATA_DIR; a temporary one when empty")
	fit := flag.Bool("fit", true, "fit the price estimates")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, *listings, *sales, *data, *fit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, listings, sales int, data string, fit bool) error {
	temporary, err := os.MkdirTemp("", "scale")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if data == "" {
		data = temporary
	}
	p := &program{path: filepath.Join(temporary, "secondlight"), data: data}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", p.path, "./cmd/secondlight").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	if err := p.run(ctx, "migrate", "migrate"); err != nil {
		return err
	}
	s, err := p.start(ctx) // fills an empty database with demonstration data
	if err != nil {
		return err
	}
	if err := s.stop(); err != nil {
		return err
	}
	m, err := fill(ctx, listings, sales)
	if err != nil {
		return err
	}
	if err := p.run(ctx, "trends rebuild", "trends", "rebuild"); err != nil {
		return err
	}
	if fit {
		if err := p.run(ctx, "prices fit", "prices", "fit"); err != nil {
			return err
		}
	}
	token, err := p.token(ctx)
	if err != nil {
		return err
	}
	os.Remove(filepath.Join(data, "search.index"))
	return p.measure(ctx, m, token)
}

// market is what is asked for.
type market struct {
	gear     []string // a sample
	titles   []string
	listings []string // ids
}

// fill adds listings and sales until the database has as many as wanted.
func fill(ctx context.Context, listings, sales int) (*market, error) {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	began := time.Now()
	for _, table := range []struct{ name, where, values string }{
		{"listings", "status = 'active'", `(t.price * (80 + n % 41) / 10000 + 1) * 100, t.published_at - n * 7919`},
		{"sales", "source = 'import'", `(t.price * (97 + n % 7) / 10000 + 1) * 100, t.sold_at - n * 7919`},
	} {
		wanted := map[string]int{"listings": listings, "sales": sales}[table.name]
		if err := copies(ctx, db, table.name, table.where, table.values, wanted); err != nil {
			return nil, fmt.Errorf("fill %s: %w", table.name, err)
		}
	}
	fmt.Printf("filled in %s\n", time.Since(began).Round(time.Second))

	m := &market{}
	rows, err := db.QueryContext(ctx, `SELECT l.id, l.title, l.gear FROM listings l
		WHERE l.status = 'active' AND l.published_at > 0 ORDER BY l.published_at DESC LIMIT 20000`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, title, gear string
		if err := rows.Scan(&id, &title, &gear); err != nil {
			return nil, err
		}
		m.listings, m.titles = append(m.listings, id), append(m.titles, title)
		if gear != "" {
			m.gear = append(m.gear, gear)
		}
	}
	return m, rows.Err()
}

// copies fills a table with copies of its first rows, without its indexes, which are built at
// the end.
func copies(ctx context.Context, db *sql.DB, table, where, values string, wanted int) error {
	var have, patterns int
	if err := db.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(*) FILTER (WHERE demo) FROM `+table+` WHERE `+where).Scan(&have, &patterns); err != nil {
		return err
	}
	if wanted <= have {
		return nil
	}
	indexes, err := texts(ctx, db, `SELECT indexdef FROM pg_indexes WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint)`, table)
	if err != nil {
		return err
	}
	names, err := texts(ctx, db, `SELECT indexname FROM pg_indexes WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint)`, table)
	if err != nil {
		return err
	}
	others, err := texts(ctx, db, `SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND column_name NOT IN ('id', 'external_id', 'demo', 'price', 'published_at', 'sold_at') ORDER BY ordinal_position`, table)
	if err != nil {
		return err
	}
	at := map[string]string{"listings": "published_at", "sales": "sold_at"}[table]
	statements := []string{`SET session_replication_role = replica`}
	for _, name := range names {
		statements = append(statements, `DROP INDEX `+name)
	}
	first := have / patterns // copies made before
	statements = append(statements, fmt.Sprintf(
		`INSERT INTO %[1]s (id, demo, price, %[2]s, %[3]s)
		SELECT left(t.id, 24) || lpad(to_hex(n * 131072 + t.row), 12, '0'), FALSE, %[4]s, %[3]s
		FROM generate_series(%[5]d, %[6]d) n, (SELECT *, row_number() OVER (ORDER BY id) AS row FROM %[1]s WHERE demo AND %[7]s) t
		LIMIT %[8]d`,
		table, at, strings.Join(others, ", "), values, first, (wanted+patterns-1)/patterns, where, wanted-have))
	statements = append(statements, indexes...)
	statements = append(statements, `VACUUM ANALYZE `+table, `SET session_replication_role = origin`)
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func texts(ctx context.Context, db *sql.DB, query string, arguments ...any) (list []string, err error) {
	rows, err := db.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

const address = "127.0.0.1:18093"

// program is the built program with its settings.
type program struct{ path, data string }

func (p *program) command(ctx context.Context, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, arguments...)
	cmd.Env = append(os.Environ(), "LISTEN_ADDR="+address, "DATA_DIR="+p.data, "RATE_LIMIT=100000000", "DEMO=true", "LOG_LEVEL=error")
	return cmd
}

// run runs a command to its end and prints its time and the most memory it took.
func (p *program) run(ctx context.Context, name string, arguments ...string) error {
	cmd := p.command(ctx, arguments...)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	fmt.Printf("%-28s %8s  %6d MB\n", name, time.Since(began).Round(100*time.Millisecond), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
	return nil
}

// token makes a member who can sell, and a token of theirs.
func (p *program) token(ctx context.Context) (string, error) {
	handle := "bench-" + strconv.FormatInt(time.Now().Unix(), 36)
	create := p.command(ctx, "member", "create", "--handle", handle, "--email", handle+"@example.org", "--operator", "--password-stdin")
	create.Stdin = strings.NewReader("four words in a row " + handle + "\n")
	if out, err := create.CombinedOutput(); err != nil {
		return "", fmt.Errorf("member create: %w\n%s", err, out)
	}
	out, err := p.command(ctx, "token", "create", "--handle", handle, "--scope", "listings:write").Output()
	return strings.TrimSpace(string(out)), err
}

// server is a running program.
type server struct {
	cmd  *exec.Cmd
	said bytes.Buffer
}

// start starts the program and waits until it is ready.
func (p *program) start(ctx context.Context) (*server, error) {
	s := &server{cmd: p.command(ctx, "serve")}
	s.cmd.Stderr = &s.said
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(15 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if response, err := http.Get("http://" + address + "/readyz"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return s, nil
			}
		}
		if err := s.cmd.Process.Signal(syscall.Signal(0)); err != nil {
			break
		}
	}
	s.cmd.Process.Kill()
	s.cmd.Wait()
	return nil, fmt.Errorf("not ready:\n%s", s.said.String())
}

func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("stop: %w\n%s", err, s.said.String())
	}
	return nil
}

// memory is the resident memory in MB.
func (s *server) memory() int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.Atoi(fields[0])
	return kilobytes >> 10
}

func (p *program) measure(ctx context.Context, m *market, token string) error {
	for _, name := range []string{"start, all listings read", "start from the snapshot"} {
		began := time.Now()
		s, err := p.start(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("%-28s %8s  %6d MB\n", name, time.Since(began).Round(10*time.Millisecond), s.memory())
		if name == "start from the snapshot" {
			err := s.measure(ctx, m, token)
			if err != nil {
				s.stop()
				return err
			}
		}
		began = time.Now()
		if err := s.stop(); err != nil {
			return err
		}
		fmt.Printf("%-28s %8s\n", "stop, with a snapshot", time.Since(began).Round(10*time.Millisecond))
	}
	return nil
}

func (s *server) measure(ctx context.Context, m *market, token string) error {
	time.Sleep(10 * time.Second) // what follows the start in the background
	dice := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[dice.IntN(len(list))] }
	words := func() string {
		fields := strings.Fields(pick(m.titles))
		return url.QueryEscape(strings.Join(fields[:min(len(fields), 1+dice.IntN(3))], " "))
	}
	for _, page := range []struct {
		name  string
		count int
		path  func() string
	}{
		{"search, JSON", 4000, func() string {
			return "/api/search?q=" + words() + "&max_price=" + strconv.Itoa(100+dice.IntN(3000))
		}},
		{"search page", 1000, func() string { return "/search?q=" + words() + "&max_price=" + strconv.Itoa(100+dice.IntN(3000)) }},
		{"gear page", 500, func() string { return "/gear/" + pick(m.gear) }},
		{"listing page", 500, func() string { return "/listings/" + pick(m.listings) }},
		{"home", 100, func() string { return "/?" + strconv.Itoa(dice.IntN(1e9)) }},
		{"sitemap index", 10, func() string { return "/sitemap.xml" }},
	} {
		if err := latencies(page.name, page.count, page.path); err != nil {
			return err
		}
	}
	if err := publish(ctx, m, token, 20*time.Second); err != nil {
		return err
	}
	fmt.Printf("%-28s %8s  %6d MB\n", "memory after it", "", s.memory())
	return nil
}

// latencies asks for pages one after another.
func latencies(name string, count int, path func() string) error {
	var took []time.Duration
	statuses := map[int]int{}
	for range count {
		at := path()
		began := time.Now()
		response, err := http.Get("http://" + address + at)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err != nil {
			return err
		}
		took = append(took, time.Since(began))
		if statuses[response.StatusCode]++; response.StatusCode != http.StatusOK && statuses[response.StatusCode] == 1 {
			fmt.Printf("%s: %s\n", at, response.Status)
		}
	}
	slices.Sort(took)
	fmt.Printf("%-28s p50 %8s  p99 %8s  %v\n", name, took[count/2].Round(10*time.Microsecond), took[count*99/100].Round(10*time.Microsecond), statuses)
	return nil
}

// publish publishes listings over 8 connections and prints how many a second.
func publish(ctx context.Context, m *market, token string, duration time.Duration) error {
	var (
		work  sync.WaitGroup
		mutex sync.Mutex
		took  []time.Duration
		bad   = map[string]int{}
	)
	end := time.Now().Add(duration)
	for range 8 {
		work.Go(func() {
			for time.Now().Before(end) && ctx.Err() == nil {
				began := time.Now()
				_, err := publishOne(ctx, m, token)
				mutex.Lock()
				if err != nil {
					bad[err.Error()]++
				} else {
					took = append(took, time.Since(began))
				}
				mutex.Unlock()
			}
		})
	}
	work.Wait()
	for text, count := range bad {
		fmt.Printf("%d × %s\n", count, text)
	}
	if len(took) == 0 {
		return fmt.Errorf("nothing was published")
	}
	slices.Sort(took)
	fmt.Printf("%-28s p50 %8s  p99 %8s  %.0f a second\n", "create and publish", took[len(took)/2].Round(100*time.Microsecond), took[len(took)*99/100].Round(100*time.Microsecond), float64(len(took))/duration.Seconds())
	return nil
}

// publishOne creates a draft and publishes it.
func publishOne(ctx context.Context, m *market, token string) (id string, err error) {
	body, err := json.Marshal(map[string]any{
		"title": m.titles[rand.IntN(len(m.titles))], "gear": m.gear[rand.IntN(len(m.gear))], "condition": "good", "functional": "fully_working", "region": "DE", "description": "Works well.",
		"price": map[string]string{"amount": strconv.Itoa(100 + rand.IntN(900)), "currency": "EUR"},
	})
	if err != nil {
		return "", err
	}
	id, err = post(ctx, "/api/listings", token, body)
	if err != nil {
		return "", err
	}
	return post(ctx, "/api/listings/"+id+"/publish", token, nil)
}

// post posts a body and returns the id in the answer.
func post(ctx context.Context, path, token string, body []byte) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+path, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("If-Match", "*")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode >= 300 {
		return "", fmt.Errorf("%s: %.300s", response.Status, text)
	}
	var listing struct{ ID string }
	return listing.ID, json.Unmarshal(text, &listing)
}
