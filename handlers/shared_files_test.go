package handlers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/storetest"
)

// newSharingReplica returns a server with its own disk, which shares a database and a bucket
// with others.
func newSharingReplica(t *testing.T, url string, bucket blob.Bucket) *testServer {
	t.Helper()
	cfg, dir := quiet(m()), t.TempDir()
	cfg.Store = storetest.Open(t, url, nil)
	cfg.Index = search.New(cfg.Catalog.Lookup())
	cfg.DataDir, cfg.Files = dir, bucket
	cfg.Mirror = blob.NewMirror(bucket, blob.Folder(dir), backup.OwnerFiles...)
	cfg.Library = portfolio.Open(os.DirFS(dir), cfg.Catalog, filepath.Join(dir, "photos"), cfg.Log)
	feed := search.NewFeed(cfg.Index, cfg.Store, market.CardRenderer(&testSite, cfg.Catalog), cfg.Log)
	cfg.Feed = feed
	s := build(cfg)
	if err := feed.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { _ = feed.Run(ctx) })
	work.Go(func() { _ = cfg.Mirror.Run(ctx, cfg.Log, s.UseFiles) })
	t.Cleanup(func() { cancel(); work.Wait() })
	return serveTest(t, s)
}

// on returns a member who uses another server.
func (m *testMember) on(s *testServer) *testMember {
	return &testMember{Member: m.Member, server: s, token: m.token, cookie: m.cookie}
}

// TestServersShareFiles runs three servers with a disk of their own on one PostgreSQL and one
// S3 service. Photos are uploaded at any server while all sweep, and every server has every
// file, with the same bytes.
func TestServersShareFiles(t *testing.T) {
	s3, url := blobtest.NewS3(t), storetest.Postgres(t)
	var servers []*testServer
	for range 3 {
		servers = append(servers, newSharingReplica(t, url, s3.Bucket))
	}
	anna := servers[0].join(t, "anna", models.RoleMember)
	const listings, each = 11, 6
	var photos, pages []string
	for i := range listings {
		id := anna.draft(t, models.StatusActive)
		pages = append(pages, "/listings/"+id)
		for j := range each {
			at := servers[rand.IntN(len(servers))]
			var sweeping sync.WaitGroup
			if j == 0 {
				sweeping.Go(func() { sweepAll(t, servers) })
			}
			status, answer := anna.on(at).upload(t, id, jpegPart(t, "a.jpg", 100+i*each+j, 100))
			sweeping.Wait()
			if status != 201 {
				t.Fatalf("upload: %d %v", status, answer)
			}
			keys, _ := keysOf(answer)
			photos = append(photos, keys[len(keys)-1])
		}
	}
	for _, key := range photos {
		for _, width := range models.PhotoWidths {
			sameEverywhere(t, servers, fmt.Sprintf("/photos/%s-%d.jpg", key, width))
		}
	}
	for _, page := range pages {
		_, body := servers[0].do(t, "GET", page, "Accept", "text/html")
		m := ogImage.FindStringSubmatch(body)
		if m == nil {
			t.Fatalf("%s has no preview", page)
		}
		sameEverywhere(t, servers, m[1])
	}
	for _, s := range servers {
		if err := s.bulk.Refresh(t.Context()); err != nil && !errors.Is(err, job.ErrNotDue) {
			t.Error(err)
		}
	}
	sameEverywhere(t, servers, "/data/manifest.json")
	sameEverywhere(t, servers, "/data/listings.jsonl.gz")
	t.Logf("%d photos, %d previews on %d servers", len(photos), len(pages), len(servers))
}

// sweepAll sweeps photos on all servers at once, as if everything were old.
func sweepAll(t *testing.T, servers []*testServer) {
	var sweeping sync.WaitGroup
	for _, s := range servers {
		sweeping.Go(func() {
			if _, err := s.photoStore.Sweep(t.Context(), s.store.Listings, time.Now().Add(24*time.Hour), true); err != nil {
				t.Error(err)
			}
		})
	}
	sweeping.Wait()
}

// sameEverywhere checks that all servers send a file with the same bytes, and the same range
// of it.
func sameEverywhere(t *testing.T, servers []*testServer, path string) {
	t.Helper()
	var first string
	for i, s := range servers {
		resp, body := s.do(t, "GET", path)
		if first == "" {
			first = body
		}
		if resp.StatusCode != 200 || body != first || body == "" {
			t.Errorf("server %d: %s is %d with %d bytes, elsewhere %d", i, path, resp.StatusCode, len(body), len(first))
			continue
		}
		part, body := s.do(t, "GET", path, "Range", "bytes=10-19", "If-Range", resp.Header.Get("Etag"))
		if part.StatusCode != http.StatusPartialContent || body != first[10:20] || part.Header.Get("Content-Range") != fmt.Sprintf("bytes 10-19/%d", len(first)) {
			t.Errorf("server %d: a range of %s is %d with %q, %s", i, path, part.StatusCode, body, part.Header.Get("Content-Range"))
		}
		if again, _ := s.do(t, "GET", path, "If-None-Match", resp.Header.Get("Etag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("server %d: %s with its ETag is %d", i, path, again.StatusCode)
		}
	}
}

// TestServersSharePortfolio edits a project on three servers in turns, with the parts of an
// upload, and looks at it on each.
func TestServersSharePortfolio(t *testing.T) {
	s3, url := blobtest.NewS3(t), storetest.Postgres(t)
	var servers []*testServer
	for range 3 {
		servers = append(servers, newSharingReplica(t, url, s3.Bucket))
	}
	op := servers[0].join(t, "the-operator", models.RoleOperator)
	op.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	file := picturetest.JPEG(t, 900, 600)
	size := int64(len(file))
	ends := []int64{size / 3, size / 2, size}
	for i, at := range []int64{0, ends[0], ends[1]} {
		end := ends[i]
		if n, err := servers[i].editor.Upload("iceland", "a.jpg", size, at, file[at:end]); err != nil || n != end {
			t.Fatalf("part %d: %d of %d bytes, %v", i, n, size, err)
		}
	}
	op.on(servers[1]).ask(t, "PUT", "/api/admin/portfolio/iceland", `{"title":"Iceland","visibility":"public","description":"In June."}`, 200)
	if names, err := blob.Names(t.Context(), s3.Bucket, "uploads/"); err != nil || len(names) != 0 {
		t.Errorf("left %q, %v", names, err)
	}
	var photo string
	for _, s := range servers {
		for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			resp, body := s.do(t, "GET", "/api/portfolio/iceland")
			if resp.StatusCode == 200 && strings.Contains(body, "In June.") && len(s.library.Portfolio().Photos()) == 1 {
				photo = fmt.Sprintf("/photos/%s-480.jpg", s.library.Portfolio().Photos()[0].Key)
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("the project is %d: %.300s", resp.StatusCode, body)
			}
		}
	}
	sameEverywhere(t, servers, photo)
}

// TestStorageUnavailable tests that pages are answered while the storage service is down or
// hangs, that photos and uploads are 503 in time, and that nothing is lost.
func TestStorageUnavailable(t *testing.T) {
	s3 := blobtest.NewS3(t)
	s := newMarketServer(t, func(c *Config) { c.DataDir, c.Files = t.TempDir(), s3.Bucket })
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusActive)
	status, answer := anna.upload(t, id, jpegPart(t, "a.jpg", 300, 200))
	if status != 201 {
		t.Fatalf("%d %v", status, answer)
	}
	keys, _ := keysOf(answer)
	photo := "/photos/" + keys[0] + "-320.jpg"
	for name, state := range map[string]func(){"down": s3.Fail, "hung": s3.Hang} {
		state()
		for path, want := range map[string]int{"/": 200, "/listings/" + id: 200, photo: 503} {
			started := time.Now()
			resp, body := s.do(t, "GET", path)
			if took := time.Since(started); resp.StatusCode != want || took > 5*time.Second || want == 503 && resp.Header.Get("Retry-After") == "" {
				t.Errorf("%s while storage is %s: %d after %v: %.200s", path, name, resp.StatusCode, took, body)
			}
		}
		started := time.Now()
		status, answer := anna.upload(t, id, jpegPart(t, "b.jpg", 310, 200))
		if took := time.Since(started); status != 503 || took > 5*time.Second {
			t.Errorf("an upload while storage is %s: %d %v after %v", name, status, answer, took)
		}
	}
	s3.Up()
	if resp, _ := s.do(t, "GET", photo); resp.StatusCode != 200 {
		t.Errorf("afterwards the photo is %d", resp.StatusCode)
	}
	status, answer = anna.upload(t, id, jpegPart(t, "b.jpg", 310, 200))
	if keys, _ := keysOf(answer); status != 201 || len(keys) != 2 {
		t.Errorf("afterwards an upload is %d %v", status, answer)
	}
}
