package blob_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/blob/blobtest"
)

// TestMirror tests that folders of two servers follow a bucket, and that files which were
// never in the bucket stay.
func TestMirror(t *testing.T) {
	s3, ctx := blobtest.NewS3(t), t.Context()
	a, b := blob.Folder(t.TempDir()), blob.Folder(t.TempDir())
	must(t, blob.WriteBytes(ctx, b, "portfolio/own/a.jpg", []byte("only here")))
	must(t, blob.WriteBytes(ctx, s3.Bucket, "photos/a.jpg", []byte("not mirrored")))
	one, two := blob.NewMirror(s3.Bucket, a, "portfolio/", "kit.md"), blob.NewMirror(s3.Bucket, b, "portfolio/", "kit.md")
	pull := func(m *blob.Mirror, want bool) {
		t.Helper()
		if changed, err := m.Pull(ctx); err != nil || changed != want {
			t.Errorf("Pull = %v, %v, want %v", changed, err, want)
		}
	}
	expect := func(f blob.Folder, name, want string) {
		t.Helper()
		body, err := f.Read(ctx, name)
		if want == "" && !errors.Is(err, fs.ErrNotExist) || want != "" && string(body) != want {
			t.Errorf("%s is %q, %v, want %q", name, body, err, want)
		}
	}
	must(t, one.Write(ctx, "portfolio/x/index.md", []byte("first")))
	must(t, one.Write(ctx, "kit.md", []byte("kit")))
	pull(one, false)
	pull(two, true)
	pull(two, false)
	expect(b, "portfolio/x/index.md", "first")
	expect(b, "kit.md", "kit")
	expect(b, "photos/a.jpg", "")
	must(t, two.Write(ctx, "portfolio/x/index.md", []byte("other")))
	pull(one, true)
	expect(a, "portfolio/x/index.md", "other")
	must(t, one.Rename(ctx, "portfolio/x/index.md", "portfolio/x/.removed"))
	pull(two, true)
	expect(b, "portfolio/x/index.md", "")
	expect(b, "portfolio/x/.removed", "other")
	must(t, a.Delete(ctx, "kit.md")) // a damaged disk
	pull(blob.NewMirror(s3.Bucket, a, "portfolio/", "kit.md"), true)
	expect(a, "kit.md", "kit")
	expect(b, "portfolio/own/a.jpg", "only here")

	s3.Fail()
	if _, err := two.Pull(ctx); !blob.IsUnavailable(err) {
		t.Errorf("Pull from a service that is down: %v", err)
	}
	if err := two.Write(ctx, "kit.md", []byte("lost")); !blob.IsUnavailable(err) {
		t.Errorf("Write to a service that is down: %v", err)
	}
	expect(b, "kit.md", "kit")
	s3.Up()

	same := blob.NewMirror(a, a, "portfolio/")
	must(t, same.Write(ctx, "portfolio/y", []byte("y")))
	must(t, same.Rename(ctx, "portfolio/y", "portfolio/z"))
	pull(same, false)
	expect(a, "portfolio/z", "y")
	expect(a, "portfolio/y", "")
}

// TestMirrorOfWrongBucket tests that a folder keeps its files if the bucket is suddenly empty, and
// follows it if only some are gone.
func TestMirrorOfWrongBucket(t *testing.T) {
	right, dir := blob.Folder(t.TempDir()), blob.Folder(t.TempDir())
	m := blob.NewMirror(right, dir, "portfolio/")
	for i := range 30 {
		must(t, m.Write(t.Context(), fmt.Sprintf("portfolio/%d.jpg", i), []byte("a photograph")))
	}
	count := func(want int) {
		t.Helper()
		if names, err := blob.Names(t.Context(), dir, "portfolio/"); err != nil || len(names) != want {
			t.Errorf("%d files are left, %v, want %d", len(names), err, want)
		}
	}
	if _, err := blob.NewMirror(blob.Folder(t.TempDir()), dir, "portfolio/").Pull(t.Context()); err == nil {
		t.Error("an empty bucket is mirrored")
	}
	count(30)
	for i := range 12 {
		must(t, right.Delete(t.Context(), fmt.Sprintf("portfolio/%d.jpg", i)))
	}
	if _, err := blob.NewMirror(right, dir, "portfolio/").Pull(t.Context()); err != nil {
		t.Error(err)
	}
	count(18)
}
