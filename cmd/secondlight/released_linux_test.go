//go:build !race

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/secondlight/secondlight/models/storetest"
)

// releasedWrites is how many writes of each writer TestReleasedProgram waits for.
const releasedWrites = 30

// TestReleasedProgram runs the program of the last release on the schema of this one, with
// readers and writers: beside this program on PostgreSQL, as during an upgrade, and alone on
// SQLite, as after going back. All requests are answered, nothing acknowledged is lost, and on
// PostgreSQL each program shows what the other wrote.
func TestReleasedProgram(t *testing.T) {
	released := buildReleased(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		programs := []string{released}
		if !strings.HasPrefix(url, "sqlite:") {
			programs = append(programs, buildProgram(t))
		}
		o := newOutages(t, url, nil, programs...)
		ctx, cancel := context.WithCancel(t.Context())
		var load sync.WaitGroup
		o.load(ctx, t, &load)
		for _, w := range o.writers {
			for range releasedWrites {
				w.await(t)
			}
		}
		cancel()
		load.Wait()
		o.check(t)
		for _, w := range o.writers {
			price := fmt.Sprintf(`"amount":"%d.%02d"`, w.price/100, w.price%100)
			for i, c := range o.servers {
				c.awaitBody(t, "/api/listings/"+w.listing, price)
				t.Logf("program %d shows the last price of %s", i, w.name)
			}
		}
		for name, statuses := range o.statuses {
			if n := statuses[http.StatusServiceUnavailable]; n > 0 {
				t.Errorf("%d of %s are 503", n, name)
			}
		}
		o.report(t)
	})
}

// buildReleased returns the program of the last release, whose commit testdata/released names.
// It is built once and stored in the user's cache folder.
func buildReleased(t *testing.T) string {
	t.Helper()
	commit := strings.TrimSpace(readRoot(t, "cmd/secondlight/testdata/released"))
	if exec.Command("git", "cat-file", "-e", commit+"^{commit}").Run() != nil {
		fmt.Fprintf(os.Stderr, "SKIPPED %s: this clone lacks the commit of the last release, %s\n", t.Name(), commit)
		t.SkipNow()
	}
	cache, err := os.UserCacheDir()
	mustDo(t, err)
	program := filepath.Join(cache, "secondlight", "released-"+commit)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	mustDo(t, os.MkdirAll(filepath.Dir(program), 0o700))
	source := t.TempDir()
	// Without optimization it takes half the time to build.
	build := exec.Command("sh", "-euc", `git archive --format=tar "$1" | tar -x -C "$2"
cd "$2" && go build -buildvcs=false -gcflags='github.com/secondlight/secondlight/...=-N -l' -ldflags='-s -w' -o "$3.new" ./cmd/secondlight && mv "$3.new" "$3"`, "sh", commit, source, program)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", commit, err, out)
	}
	return program
}

// awaitBody waits until a response contains a text.
func (c *crash) awaitBody(t *testing.T, path, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for body := ""; !strings.Contains(body, text); {
		if ctx.Err() != nil {
			t.Fatalf("%s has no %s: %.300s", path, text, body)
		}
		_, _, body = c.ask(t, &outageReader{path: path})
	}
}
