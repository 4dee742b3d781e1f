package blob_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/durable"
)

// buckets returns an empty bucket of each engine.
func buckets(t *testing.T) map[string]blob.Bucket {
	return map[string]blob.Bucket{"folder": blob.Folder(t.TempDir()), "s3": blobtest.NewS3(t).Bucket}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestBucket tests what both engines have in common.
func TestBucket(t *testing.T) {
	for engine, b := range buckets(t) {
		t.Run(engine, func(t *testing.T) {
			ctx := t.Context()
			for _, name := range []string{"photos/a-320.jpg", "photos/b-320.jpg", "portfolio/streets/Ünï code & 1.jpg", "kit.md"} {
				if _, err := b.Read(ctx, name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("Read of a missing file: %v", err)
				}
				if _, err := b.Stat(ctx, name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("Stat of a missing file: %v", err)
				}
				if _, _, err := b.Open(ctx, name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("Open of a missing file: %v", err)
				}
				must(t, b.Delete(ctx, name))
				must(t, blob.WriteBytes(ctx, b, name, []byte("old")))
				must(t, blob.WriteBytes(ctx, b, name, []byte("new of "+name)))
				body, err := b.Read(ctx, name)
				if err != nil || string(body) != "new of "+name {
					t.Errorf("Read(%q) = %q, %v", name, body, err)
				}
				info, err := b.Stat(ctx, name)
				if err != nil || info.Name != name || info.Size != int64(len(body)) || time.Since(info.Modified).Abs() > time.Minute {
					t.Errorf("Stat(%q) = %+v, %v", name, info, err)
				}
				in, _, err := b.Open(ctx, name)
				must(t, err)
				_, err = in.Seek(4, io.SeekStart)
				must(t, err)
				if rest, err := io.ReadAll(in); err != nil || string(rest) != "of "+name {
					t.Errorf("the rest of %q is %q, %v", name, rest, err)
				}
				must(t, in.Close())
			}
			for prefix, want := range map[string]string{
				"": "kit.md photos/a-320.jpg photos/b-320.jpg portfolio/streets/Ünï code & 1.jpg", "photos/": "photos/a-320.jpg photos/b-320.jpg",
				"photos/a-": "photos/a-320.jpg", "portfolio/str": "portfolio/streets/Ünï code & 1.jpg", "kit.md": "kit.md", "none/": "", "phot": "photos/a-320.jpg photos/b-320.jpg"} {
				names, err := blob.Names(ctx, b, prefix)
				slices.Sort(names)
				if got := strings.Join(names, " "); err != nil || got != want {
					t.Errorf("List(%q) = %q, %v, want %q", prefix, got, err, want)
				}
			}
			for range b.List(ctx, "") {
				break // the rest is not asked for
			}
			must(t, b.Delete(ctx, "kit.md"))
			if _, err := b.Stat(ctx, "kit.md"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a deleted file: %v", err)
			}
			must(t, blob.Try(ctx, b, "try"))
		})
	}
}

// TestFolder tests that names lead nowhere else, and that unfinished files are not listed.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	b, ctx := blob.Folder(filepath.Join(dir, "data")), t.Context()
	must(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600))
	for _, name := range []string{"../secret", "", ".", "/etc/passwd", "a/../../secret"} {
		if _, err := b.Read(ctx, name); err == nil {
			t.Errorf("Read(%q) succeeded", name)
		}
		if err := blob.WriteBytes(ctx, b, name, nil); err == nil {
			t.Errorf("Write(%q) succeeded", name)
		}
	}
	must(t, blob.WriteBytes(ctx, b, "a/"+durable.TempPrefix+"1", nil))
	if names, err := blob.Names(ctx, b, ""); err != nil || len(names) != 0 {
		t.Errorf("List = %v, %v", names, err)
	}
}

// TestS3Unavailable tests that a service that fails or does not answer is reported in time.
func TestS3Unavailable(t *testing.T) {
	s := blobtest.NewS3(t)
	must(t, blob.WriteBytes(t.Context(), s.Bucket, "a", []byte("a")))
	for name, state := range map[string]func(){"failing": s.Fail, "hanging": s.Hang} {
		state()
		for op, do := range map[string]func() error{
			"read": func() error { _, err := s.Bucket.Read(t.Context(), "a"); return err },
			"open": func() error { _, _, err := s.Bucket.Open(t.Context(), "a"); return err },
			"stat": func() error { _, err := s.Bucket.Stat(t.Context(), "a"); return err },
			"list": func() error { _, err := blob.Names(t.Context(), s.Bucket, ""); return err },
		} {
			started := time.Now()
			err := do()
			if took := time.Since(started); !blob.IsUnavailable(err) || errors.Is(err, fs.ErrNotExist) || took > 5*time.Second {
				t.Errorf("%s while %s: %v after %v", op, name, err, took)
			}
		}
	}
	s.Up()
	if body, err := s.Bucket.Read(t.Context(), "a"); err != nil || string(body) != "a" {
		t.Errorf("afterwards: %q, %v", body, err)
	}
}

// TestOpen tests the addresses of buckets.
func TestOpen(t *testing.T) {
	for address, ok := range map[string]bool{
		"data": true, "/srv/data": true, "file:///srv/data": true, "s3://shop?region=eu-central-1": true, "s3://shop/files?endpoint=http://minio:9000": true,
		"s3://shop": false, "s3://?region=eu": false, "s3://key:secret@shop?region=eu": false, "s3://shop?endpoint=minio:9000": false, "s3://shop?endpoint=https://a/b": false, "s3://shop?regin=eu": false, "gs://shop": false,
	} {
		if b, err := blob.Open(address); (err == nil) != ok {
			t.Errorf("Open(%q) = %v, %v", address, b, err)
		}
	}
}

// TestCopy tests that a copy is complete, can be repeated and repairs what differs, between
// the engines in both directions.
func TestCopy(t *testing.T) {
	ctx := t.Context()
	for engine, from := range buckets(t) {
		to := buckets(t)[map[string]string{"folder": "s3", "s3": "folder"}[engine]]
		t.Run("from "+engine, func(t *testing.T) {
			for i := range 30 {
				must(t, blob.WriteBytes(ctx, from, fmt.Sprintf("photos/%d.jpg", i), []byte(strings.Repeat("x", i*1000+1))))
			}
			must(t, blob.WriteBytes(ctx, from, "cache/1", []byte("left out")))
			pick := func(name string) bool { return !strings.HasPrefix(name, "cache/") }
			for _, step := range []struct {
				change            func()
				copied, unchanged int
			}{
				{func() {}, 30, 0},
				{func() {}, 0, 30},
				{func() { must(t, to.Delete(ctx, "photos/7.jpg")) }, 1, 29},
				{func() { must(t, blob.WriteBytes(ctx, to, "photos/7.jpg", []byte(strings.Repeat("y", 7001)))) }, 1, 29},
				{func() { must(t, blob.WriteBytes(ctx, to, "photos/7.jpg", []byte("half"))) }, 1, 29},
			} {
				step.change()
				last := 0 // the calls come one at a time
				report, err := blob.Copy(ctx, from, to, pick, func(done, total int) { last = total - done })
				if err != nil || report.Copied != step.copied || report.Unchanged != step.unchanged || last != 0 {
					t.Errorf("Copy = %+v, %v, want %d copied and %d unchanged", report, err, step.copied, step.unchanged)
				}
			}
			if body, err := to.Read(ctx, "photos/7.jpg"); err != nil || string(body) != strings.Repeat("x", 7001) {
				t.Errorf("a file has %d bytes, %v", len(body), err)
			}
			if names, _ := blob.Names(ctx, to, ""); len(names) != 30 {
				t.Errorf("%d files were copied", len(names))
			}
		})
	}
}
