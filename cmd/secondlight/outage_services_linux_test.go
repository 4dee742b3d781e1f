//go:build !race

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestServiceOutages kills Redis and the S3 service under two servers with readers, writers and
// uploads, and makes them hang. Without Redis everything is answered, and the servers share
// their limit again within a second after its return. Without S3 all but photographs and
// uploads is answered, which get 503 within 5 seconds and are as before within a second after
// its return; every photograph whose upload was acknowledged is there, on both servers.
func TestServiceOutages(t *testing.T) {
	if *hang == 0 {
		t.Skip("takes minutes; make outages runs it")
	}
	socket := filepath.Join(t.TempDir(), "redis.sock")
	redis, process := startRedis(t, socket)
	s3, program := blobtest.NewS3(t), buildProgram(t)
	o := newOutages(t, storetest.Postgres(t), []string{"BLOB_URL=" + s3.Address, "REDIS_URL=" + redis}, program, program)
	for i := range o.readers { // the database is there
		o.readers[i].cached = true
	}
	uploaders := o.newUploaders(t)
	photograph := outageReader{name: "photograph", path: uploaders[0].upload(t)}
	o.readers = append(o.readers, photograph)
	o.awaited = append(o.awaited, photograph.name)
	o.says = "the rate limit is shared again"

	ctx, cancel := context.WithCancel(t.Context())
	var load sync.WaitGroup
	t.Cleanup(func() { cancel(); load.Wait() })
	o.load(ctx, t, &load)
	for _, u := range uploaders {
		load.Go(func() { u.run(ctx, t) })
	}
	time.Sleep(working)

	limits := func(name string, begin, end func()) {
		t.Helper()
		before := o.count(http.StatusServiceUnavailable)
		o.outage(t, name, func() { begin(); time.Sleep(*hang) }, end)
		if n := o.count(http.StatusServiceUnavailable) - before; n > 0 {
			t.Errorf("%s: %d requests are 503", name, n)
		}
	}
	signal := func(s os.Signal) func() { return func() { mustDo(t, process.Signal(s)) } }
	limits("Redis killed", signal(syscall.SIGKILL), func() { _, process = startRedis(t, socket) })
	limits("Redis hung", signal(syscall.SIGSTOP), signal(syscall.SIGCONT))
	o.says = ""

	files := func(name string, begin, end func()) {
		t.Helper()
		o.outage(t, name, func() { begin(); time.Sleep(*hang) }, end)
		for _, u := range uploaders {
			u.await(t)
		}
	}
	files("S3 killed", s3.Kill, s3.Start)
	files("S3 hung", s3.Hang, s3.Up)

	cancel()
	load.Wait()
	o.check(t)
	for _, u := range uploaders {
		u.check(t)
	}
	o.report(t)
	for _, name := range []string{"photograph", "upload"} {
		if o.statuses[name][http.StatusServiceUnavailable] == 0 {
			t.Errorf("no %s was refused: the outage did not happen", name)
		}
	}
	for name, statuses := range o.statuses {
		if n := statuses[http.StatusServiceUnavailable]; n > 0 && name != "photograph" && name != "upload" {
			t.Errorf("%d of %s are 503", n, name)
		}
	}
}

// count returns how many responses had a status.
func (o *outages) count(status int) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, statuses := range o.statuses {
		n += statuses[status]
	}
	return n
}

// logSize returns how many bytes a server has logged.
func (c *crash) logSize(t *testing.T) int64 {
	info, err := c.log.Stat()
	if err != nil {
		t.Error(err)
		return 0
	}
	return info.Size()
}

// awaitLog waits until a server has logged a text after the first bytes of its log, and returns
// how long after a moment that is.
func (c *crash) awaitLog(t *testing.T, from int64, text string, since time.Time) time.Duration {
	for time.Since(since) < patience {
		said, err := os.ReadFile(c.log.Name())
		if err != nil {
			t.Error(err)
		}
		if bytes.Contains(said[from:], []byte(text)) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(since)
}

// outageUploader adds photographs to listings of the writer of a server.
type outageUploader struct {
	*outageWriter
	listings []string
	sent     int

	mu   sync.Mutex
	keys []string // of acknowledged photographs
}

// newUploaders returns an uploader for each server, with listings for more photographs than
// it uploads.
func (o *outages) newUploaders(t *testing.T) (uploaders []*outageUploader) {
	t.Helper()
	s := storetest.Open(t, o.url, nil)
	for _, w := range o.writers {
		uploaders = append(uploaders, &outageUploader{outageWriter: w, listings: o.insertOf(t, s, w.member, "photographed", 400)})
	}
	return uploaders
}

// run uploads until ctx ends.
func (u *outageUploader) run(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil && !t.Failed() {
		u.upload(t)
		time.Sleep(100 * time.Millisecond)
	}
}

// upload uploads a photograph and returns its path if it was acknowledged.
func (u *outageUploader) upload(t *testing.T) (path string) {
	listing := u.listings[u.sent/models.MaxPhotos%len(u.listings)]
	photo := randomPhoto(t, uint64(len(u.name)+u.sent)<<1|uint64(u.name[len(u.name)-1]&1))
	u.sent++
	body, _ := json.Marshal(map[string]any{"photo": []string{base64.StdEncoding.EncodeToString(photo)}}) // has no error
	began := time.Now()
	status, header, text := u.server.ask(t, &outageReader{method: http.MethodPost, path: "/api/listings/" + listing + "/photos", body: string(body),
		header: []string{"Authorization", "Bearer " + u.token, "Content-Type", "application/json", "If-Match", "*"}})
	u.record(t, "upload", began, status, header, text, false)
	if status != http.StatusCreated {
		return ""
	}
	var answer struct{ Photos []struct{ Key string } }
	if err := json.Unmarshal([]byte(text), &answer); err != nil || len(answer.Photos) == 0 {
		t.Errorf("an upload is answered %.300s (%v)", text, err)
		return ""
	}
	key := answer.Photos[len(answer.Photos)-1].Key
	u.mu.Lock()
	defer u.mu.Unlock()
	u.keys = append(u.keys, key)
	return photoPath(key)
}

func photoPath(key string) string {
	return fmt.Sprintf("/photos/%s-%d.jpg", key, models.PhotoWidths[0])
}

// await waits until another upload is acknowledged.
func (u *outageUploader) await(t *testing.T) {
	t.Helper()
	count := func() int { u.mu.Lock(); defer u.mu.Unlock(); return len(u.keys) }
	before := count()
	for deadline := time.Now().Add(patience); count() == before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) || t.Failed() {
			t.Fatalf("%s does not upload again", u.name)
		}
	}
}

// check compares the photographs on all servers.
func (u *outageUploader) check(t *testing.T) {
	t.Helper()
	for _, key := range u.keys {
		var first string
		for i, c := range u.servers {
			status, _, body := c.ask(t, &outageReader{path: photoPath(key)})
			if status != http.StatusOK || body == "" || i > 0 && body != first {
				t.Errorf("a photograph that was acknowledged is %d on server %d: %.100q", status, i, body)
			}
			first = body
		}
	}
	t.Logf("%s: %d of %d photographs were acknowledged, and are on all servers", u.name, len(u.keys), u.sent)
}
