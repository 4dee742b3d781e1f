//go:build !race

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/storetest"
)

var faults = flag.Int("faults", 0, "rounds of every fault in TestFaultyDisk")

// fault is an operation that fails on files whose path in the folder matches a pattern.
type fault struct{ operation, err, files string }

// onDatabase and onFiles are the patterns of the embedded database, and of photos, emails
// and other files of DATA_DIR.
const (
	onDatabase = `^site\.db`
	onFiles    = `^data/`
)

// TestFaultyDisk runs the real program on a disk that fails, full or broken, under the writes of
// TestNothingIsLostWhenKilled: its files, and the embedded database. While it fails, every
// request is done or a 503, and pages answer. When it works again, the program does without
// a restart. Then the power fails: the program is killed, and writes that no fsync followed
// are lost. What was acknowledged must be there. `make faults` builds FAULTFS, which needs
// the right to mount.
func TestFaultyDisk(t *testing.T) {
	if *faults == 0 {
		t.Skip("runs with -faults")
	}
	program := buildProgram(t)
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		all := []fault{}
		for _, f := range []fault{{"write", "ENOSPC", ""}, {"write", "EIO", ""}, {"fsync", "EIO", ""}, {"short", "-", ""}, {"read", "EIO", ""}} {
			all = append(all, fault{f.operation, f.err, onFiles})
			if strings.HasPrefix(url, "sqlite:") {
				all = append(all, fault{f.operation, f.err, onDatabase})
			}
		}
		disk := mountFaultyDisk(t)
		if strings.HasPrefix(url, "sqlite:") {
			url = "sqlite:" + filepath.Join(disk.folder, "site.db")
		}
		rounds := *faults * len(all)
		c := newCrash(t, program, url, filepath.Join(disk.folder, "data"), rounds*12, 2+rounds/10)
		rows := map[fault]*faultRow{}
		for _, f := range all {
			rows[f] = &faultRow{}
		}
		c.files = filepath.Join(disk.below, "data")
		done := c.run(t, func(ctx context.Context) int {
			for i := range rounds {
				f := all[i%len(all)]
				if c.failDisk(ctx, t, disk, f, rows[f]); ctx.Err() != nil || t.Failed() {
					return i
				}
			}
			return rounds
		})
		t.Logf("%d of %d rounds, %d acknowledged writes", done, rounds, c.acknowledged.Load())
		for _, f := range all {
			t.Logf("%-6s %-7s %-12s %+v", f.operation, f.err, f.files, *rows[f])
		}
		if done < rounds {
			t.Errorf("%d of %d rounds", done, rounds)
		}
	})
}

// faultRow counts what happened while an operation failed.
type faultRow struct {
	Rounds, Failed, Acknowledged, Unavailable, Pages int
	Unsynced                                         int           // writes that the power cuts lost
	Recovered                                        time.Duration // longest time until writes succeeded again
}

// failDisk lets an operation fail for some requests, waits until the program works again
// without a restart, and cuts the power.
func (c *crash) failDisk(ctx context.Context, t *testing.T, disk *faultyDisk, f fault, row *faultRow) {
	until := func(done func() bool) {
		for deadline := time.Now().Add(patience); !done() && ctx.Err() == nil && !t.Failed(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("%v: the program does not go on", f)
			}
		}
	}
	from := c.acknowledged.Load()
	until(func() bool { return c.acknowledged.Load() >= from+10 })
	acknowledged, unavailable := c.acknowledged.Load(), c.unavailable.Load()
	disk.do(t, "fail "+f.operation+" "+f.err+" "+f.files)
	until(func() bool {
		for _, path := range []string{"/", "/api/health", "/listings/" + c.trades[0].listing, "/api/me/listings"} {
			row.Pages++
			c.getDespite(t, f, path)
		}
		return c.waiting.Load() == c.writing.Load() || c.acknowledged.Load() >= acknowledged+25
	})
	row.Failed += disk.do(t, "clear")
	row.Rounds++
	row.Acknowledged += int(c.acknowledged.Load() - acknowledged)
	row.Unavailable += int(c.unavailable.Load() - unavailable)
	cleared := time.Now()
	until(func() bool { return c.works() })
	row.Recovered = max(row.Recovered, time.Since(cleared).Round(time.Millisecond))
	c.kill()
	c.gate.Lock()
	defer c.gate.Unlock()
	row.Unsynced += disk.do(t, "cut")
	c.check(t)
	c.start(t)
}

// getDespite gets a page while the disk fails. It may be a 503, but no other server error.
func (c *crash) getDespite(t *testing.T, f fault, path string) {
	req, err := http.NewRequest(http.MethodGet, c.address+path, nil)
	if err != nil {
		t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+c.sellers[0])
	resp, err := c.client.Do(req)
	if err != nil {
		t.Errorf("%v: %v", f, err)
		return
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); resp.StatusCode >= 500 && resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%v: GET %s is %d: %.300s", f, path, resp.StatusCode, text)
	}
}

// works reports whether a listing with a photo can be created.
func (c *crash) works() bool {
	created, answer := c.send(post{token: c.sellers[0], path: "/api/listings", body: `{"gear":"canon/eos-r6","title":"Probe","condition":"good","functional":"fully_working","region":"DE","price":{"amount":"900.00","currency":"EUR"}}`})
	if created/100 != 2 {
		return false
	}
	photo, _ := json.Marshal(map[string]any{"photo": []string{photographOf(int(c.lives.Load()))}}) // strings
	added, _ := c.send(post{token: c.sellers[0], path: fmt.Sprintf("/api/listings/%s/photos", answer["id"]), body: string(photo)})
	return added/100 == 2
}

// faultyDisk is a folder whose operations can fail: see bench/faultfs.
type faultyDisk struct {
	folder  string
	below   string // the folder that is mounted, which works
	in      io.Writer
	answers *bufio.Scanner
}

// mountFaultyDisk mounts a folder until the test ends.
func mountFaultyDisk(t *testing.T) *faultyDisk {
	t.Helper()
	disk := &faultyDisk{folder: t.TempDir(), below: t.TempDir()}
	command := exec.Command(os.Getenv("FAULTFS"), disk.below, disk.folder)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	mustDo(t, err)
	out, err := command.StdoutPipe()
	mustDo(t, err)
	mustDo(t, command.Start())
	disk.in, disk.answers = in, bufio.NewScanner(out)
	t.Cleanup(func() {
		in.Close()
		_ = command.Wait()
	})
	if !disk.answers.Scan() || disk.answers.Text() != "mounted" {
		t.Fatal("FAULTFS did not mount a folder")
	}
	return disk
}

// do sends a command and returns the number that answers it, 0 for "ok".
func (d *faultyDisk) do(t *testing.T, command string) int {
	if _, err := fmt.Fprintln(d.in, command); err != nil || !d.answers.Scan() {
		t.Errorf("%s: %v", command, err)
		return 0
	}
	n, err := strconv.Atoi(d.answers.Text())
	if err != nil && d.answers.Text() != "ok" {
		t.Errorf("%s: %s", command, d.answers.Text())
	}
	return n
}
