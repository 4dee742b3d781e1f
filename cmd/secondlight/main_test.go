package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/storetest"
)

// patience is the timeout for anything that must happen.
const patience = 3 * time.Minute

// call runs the program and returns its exit status and output.
func call(t *testing.T, env []string, in string, args ...string) (status int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, env, strings.NewReader(in), &o, &e)
	return status, o.String(), e.String()
}

func TestExitStatus(t *testing.T) {
	env := []string{"DATA_DIR=" + t.TempDir(), "LISTEN_ADDR=127.0.0.1:0"}
	for _, c := range []struct {
		name string
		env  []string
		args []string
		want int
		says string // in either output
	}{
		{"version", env, []string{"version"}, exitOK, "secondlight devel ("},
		{"version as a flag", env, []string{"--version"}, exitOK, "secondlight devel ("},
		{"help", env, []string{"--help"}, exitOK, "migrate"},
		{"help of a command lists the settings", env, []string{"serve", "--help"}, exitOK, "TRUSTED_PROXIES"},
		{"unknown command", env, []string{"sell"}, exitUsage, "sell"},
		{"unknown flag", env, []string{"migrate", "--fast"}, exitUsage, "--fast"},
		{"wrong setting", append(env, "RATE_LIMIT=lots"), []string{"migrate"}, exitUsage, `RATE_LIMIT: "lots" is not a whole number such as 100`},
		{"database that does not open", append(env, "DATABASE_URL=sqlite:/nowhere/at/all.db"), []string{"migrate"}, exitFailed, "database"},
		{"migrate", env, []string{"migrate"}, exitOK, "up to date"},
		{"rebuild of nothing", env, []string{"trends", "rebuild"}, exitOK, "0 trends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, errOut := call(t, c.env, "", c.args...)
			if status != c.want {
				t.Errorf("exit status %d, want %d\n%s%s", status, c.want, out, errOut)
			}
			if !strings.Contains(out+errOut, c.says) {
				t.Errorf("output does not contain %q:\n%s%s", c.says, out, errOut)
			}
		})
	}
}

// panicReader is a reader that panics with itself.
type panicReader struct{}

func (r panicReader) Read([]byte) (int, error) { panic(r) }

func TestRunDoesNotHidePanics(t *testing.T) {
	defer func() {
		if got := recover(); got != (panicReader{}) {
			t.Errorf("recovered %v, want the panic of the command", got)
		}
	}()
	status := run(t.Context(), []string{"catalog", "resolve"}, nil, panicReader{}, io.Discard, io.Discard)
	t.Errorf("run returned exit status %d", status)
}

func TestCatalogResolveAnswersLineByLine(t *testing.T) {
	status, out, errOut := call(t, nil, "canon rebel t5i body w 18-55\nleather bag for nikon d90\n\nnikon d90 body\n", "catalog", "resolve")
	if status != exitOK {
		t.Fatal(errOut)
	}
	var slugs []string
	for line := range strings.Lines(out) {
		slug, confidence, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || confidence == "" {
			t.Errorf("line %q is not a slug, a tab and a confidence", line)
		}
		slugs = append(slugs, slug)
	}
	want := []string{"canon/eos-700d", "", "", "nikon/d90"}
	if strings.Join(slugs, "|") != strings.Join(want, "|") {
		t.Errorf("resolved to %q, want %q", slugs, want)
	}
}

// TestBackupAndRestore moves a site from each engine to each, and checks that nothing is
// replaced without --force.
func TestBackupAndRestore(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		dir := t.TempDir()
		env := []string{"DATABASE_URL=" + url, "DATA_DIR=" + dir, "LISTEN_ADDR=127.0.0.1:1"}
		copied, folder := filepath.Join(t.TempDir(), "copy.zip"), filepath.Join(t.TempDir(), "copies")
		photo := filepath.Join("portfolio", "streets", "one.jpg")
		mustDo(t, os.MkdirAll(filepath.Join(dir, "portfolio", "streets"), 0o700))
		mustDo(t, os.WriteFile(filepath.Join(dir, photo), []byte("a photograph"), 0o600))
		steps(t, env, []step{
			{[]string{"migrate"}, exitOK, "up to date"},
			{createJane, exitOK, ""},
			{[]string{"backup", copied}, exitOK, "1 files"},
			{[]string{"backup", copied}, exitFailed, "exists"},
			{[]string{"backup", folder}, exitOK, "1 files, 1 of them new"},
			{[]string{"backup", folder}, exitOK, "1 files, 0 of them new"},
			{[]string{"restore", "--check", copied}, exitOK, "is complete"},
			{[]string{"restore", "--check", folder}, exitOK, "is complete"},
			{[]string{"deliveries"}, exitOK, "are sent"},
		})
		storetest.EachEmpty(t, func(t *testing.T, target string) {
			elsewhere := t.TempDir()
			env := []string{"DATABASE_URL=" + target, "DATA_DIR=" + elsewhere, "LISTEN_ADDR=127.0.0.1:1"}
			again := step{[]string{"restore", "--force", copied}, exitOK, "restored"}
			if strings.HasPrefix(target, "postgres") {
				again = step{again.args, exitFailed, "not empty"}
			}
			steps(t, env, []step{
				{[]string{"restore", folder}, exitOK, "restored"},
				{[]string{"restore", copied}, exitUsage, "--force"},
				again,
				{[]string{"deliveries"}, exitOK, "are paused since"},
				{[]string{"deliveries", "resume"}, exitFailed, "no operator"},
				{createJane, exitFailed, "taken"},
				{[]string{"member", "create", "--handle", "olga", "--email", "olga@example.org", "--operator", "--password-stdin"}, exitOK, ""},
				{[]string{"deliveries", "resume"}, exitOK, "are sent again"},
				{[]string{"deliveries"}, exitOK, "are sent"},
			})
			if content, err := os.ReadFile(filepath.Join(elsewhere, photo)); err != nil || string(content) != "a photograph" {
				t.Errorf("restored %q, %v", content, err)
			}
		})
	})
}

// TestRestoreOldBackup restores a copy of an SQLite file, as the first release wrote, and
// refuses other files.
func TestRestoreOldBackup(t *testing.T) {
	old, nonsense := filepath.Join(t.TempDir(), "old.db"), filepath.Join(t.TempDir(), "nonsense.db")
	mustDo(t, os.WriteFile(nonsense, []byte("not a database"), 0o600))
	env := func(file string) []string {
		return []string{"DATABASE_URL=sqlite:" + file, "DATA_DIR=" + t.TempDir(), "LISTEN_ADDR=127.0.0.1:1"}
	}
	steps(t, env(old), []step{{[]string{"migrate"}, exitOK, ""}, {createJane, exitOK, ""}})
	steps(t, env(filepath.Join(t.TempDir(), "new.db")), []step{
		{[]string{"restore", nonsense}, exitFailed, "nonsense.db is not a complete backup"},
		{[]string{"restore", old}, exitOK, "restored"},
		{createJane, exitFailed, "taken"},
	})
}

var createJane = []string{"member", "create", "--handle", "jane", "--email", "jane@example.org", "--password-stdin"}

// step is a command with the exit status and a part of the output that it must have.
type step struct {
	args []string
	want int
	says string
}

func steps(t *testing.T, env []string, all []step) {
	t.Helper()
	for _, s := range all {
		if status, out, errOut := call(t, env, "correct horse battery", s.args...); status != s.want || !strings.Contains(out+errOut, s.says) {
			t.Fatalf("%v: exit status %d, want %d and %q\n%s%s", s.args, status, s.want, s.says, out, errOut)
		}
	}
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestServeDrains checks that a server which is asked to stop is not ready, serves until
// DRAIN_TIME is over, and exits with 0.
func TestServeDrains(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log, errOut := io.Pipe()
	status := make(chan int)
	go func() {
		env := []string{"DATA_DIR=" + t.TempDir(), "DEMO=false", "LISTEN_ADDR=127.0.0.1:0", "DRAIN_TIME=1s", "METRICS_ADDR=127.0.0.1:0", "ACCESS_LOG=1"}
		status <- run(ctx, nil, env, strings.NewReader(""), io.Discard, errOut)
		errOut.Close()
	}()
	lines := make(chan string, 1000) // all that are logged: requests wait for the log
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(log); in.Scan(); {
			lines <- in.Text()
		}
	}()
	await := func(pattern string) []string {
		t.Helper()
		for line := range lines {
			if m := regexp.MustCompile(pattern).FindStringSubmatch(line); m != nil {
				return m
			}
		}
		t.Fatalf("no %s in the log", pattern)
		return nil
	}
	site := await(`msg=serving address=(\S+)`)[1]
	expect := func(path string, want int) {
		t.Helper()
		resp, err := http.Get(site + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s is %d, want %d", path, resp.StatusCode, want)
		}
	}
	resp, err := http.Get(await(`msg="serving metrics" address=(\S+)`)[1])
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("metrics: %v, %v", resp, err)
	}
	expect("/readyz", 200)
	await(`level=INFO msg=request .* uri=/readyz status=200 `)
	stop()
	await("msg=stopping")
	for ready := 200; ready == 200; { // Drain follows the log message
		resp, err := http.Get(site + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		ready = resp.StatusCode
	}
	expect("/readyz", 503)
	expect("/livez", 200)
	expect("/about", 200)
	if got := <-status; got != exitOK {
		t.Errorf("exit status %d", got)
	}
}

func TestServeStopsWhenAsked(t *testing.T) {
	for _, line := range []string{"", "serving"} { // at once, and after it serves
		t.Run("after "+line, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			log, errOut := io.Pipe()
			go func() {
				for in := bufio.NewScanner(log); in.Scan(); {
					if strings.Contains(in.Text(), "msg=serving") {
						cancel()
					}
				}
			}()
			if line == "" {
				cancel()
			}
			env := []string{"DATA_DIR=" + t.TempDir(), "DEMO=false", "LISTEN_ADDR=127.0.0.1:0"}
			if status := run(ctx, nil, env, strings.NewReader(""), io.Discard, errOut); status != exitOK {
				t.Errorf("exit status %d", status)
			}
			errOut.Close()
		})
	}
}
