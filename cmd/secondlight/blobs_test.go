package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/blob/blobtest"
)

// TestCopyBlobs moves the files of a site to object storage and back, and has doctor check it.
func TestCopyBlobs(t *testing.T) {
	s3, dir := blobtest.NewS3(t), t.TempDir()
	files := blob.Folder(dir)
	for i := range 20 {
		write(t, files, fmt.Sprintf("photos/%032x-320.jpg", i))
	}
	for _, name := range []string{"portfolio/iceland/index.md", "portfolio/iceland/a.jpg", "pages/de/terms.md", "themes/mine/theme.json", "kit.md",
		"photos/0123456789abcdef-480.jpg", "previews/x.jpg", "bulk/manifest.json", "outbox/1.eml", "backups/b.zip"} {
		write(t, files, name)
	}
	env := []string{"DATA_DIR=" + dir, "BLOB_URL=" + s3.Address, "LISTEN_ADDR=127.0.0.1:1"}
	if out, _ := runWith(t, env, 0, "migrate"); out == "" {
		t.Error("migrate says nothing")
	}
	if out, _ := runWith(t, env, -1, "doctor"); !strings.Contains(out, "blobs copy "+dir) {
		t.Errorf("doctor doesn't say that the bucket is empty: %s", out)
	}
	back := filepath.Join(t.TempDir(), "back")
	for _, step := range []struct{ from, to, says string }{
		{dir, s3.Address, "25 files: 25 copied"}, {dir, s3.Address, "25 files: 0 copied (0 KB), 25 unchanged"}, {"file://" + dir, s3.Address, "25 unchanged"}, {s3.Address, back, "25 files: 25 copied"},
	} {
		if out, _ := runWith(t, nil, 0, "blobs", "copy", step.from, step.to); !strings.Contains(out, step.says) {
			t.Errorf("copy says %q, want %q", out, step.says)
		}
	}
	if _, err := os.Stat(filepath.Join(back, "secondlight.db")); err == nil {
		t.Error("the database was copied")
	}
	if body, err := os.ReadFile(filepath.Join(back, "portfolio", "iceland", "a.jpg")); err != nil || string(body) != "portfolio/iceland/a.jpg" {
		t.Errorf("a file is %q, %v", body, err)
	}
	if out, _ := runWith(t, env, -1, "doctor"); strings.Contains(out, "bucket") {
		t.Errorf("doctor complains about the bucket: %s", out)
	}
	s3.Fail()
	if out, _ := runWith(t, env, 1, "doctor"); !strings.Contains(out, "the bucket of BLOB_URL can't be used") {
		t.Errorf("doctor doesn't complain about the bucket: %s", out)
	}
	if _, errOut := runWith(t, nil, 1, "blobs", "copy", dir, s3.Address); !strings.Contains(errOut, "repeat the command") {
		t.Errorf("copy says %q", errOut)
	}
	runWith(t, nil, 2, "blobs", "copy", dir, "gs://shop")
	runWith(t, []string{"BLOB_URL=" + dir}, 2, "migrate")
}

func write(t *testing.T, files blob.Bucket, name string) {
	t.Helper()
	if err := blob.WriteBytes(t.Context(), files, name, []byte(name)); err != nil {
		t.Fatal(err)
	}
}

// runWith runs a command and checks its exit status, unless that is -1.
func runWith(t *testing.T, env []string, want int, args ...string) (out, errOut string) {
	t.Helper()
	status, out, errOut := call(t, env, "", args...)
	if want >= 0 && status != want {
		t.Errorf("%v: exit status %d, want %d\n%s%s", args, status, want, out, errOut)
	}
	return out, errOut
}
