//go:build unix

package durable_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/secondlight/secondlight/models/durable"
)

func TestWriteFile(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	name := filepath.Join(t.TempDir(), "new", "file")
	for _, want := range []string{"first", "second"} {
		err := durable.WriteFile(name, func(w io.Writer) error { _, err := io.WriteString(w, want); return err })
		if got, readErr := os.ReadFile(name); err != nil || readErr != nil || string(got) != want {
			t.Errorf("wrote %q: %q, %v, %v", want, got, err, readErr)
		}
	}
	for path, want := range map[string]os.FileMode{name: durable.FileMode, filepath.Dir(name): durable.FolderMode} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
}

// TestFailedWrite checks that a write that fails leaves the old file and nothing else.
func TestFailedWrite(t *testing.T) {
	name, failure := filepath.Join(t.TempDir(), "file"), errors.New("no space left")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := durable.WriteFile(name, func(w io.Writer) error {
		_, err := io.WriteString(w, "half of the n")
		return errors.Join(err, failure)
	})
	if !errors.Is(err, failure) {
		t.Errorf("error %v, want %v", err, failure)
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if got, readErr := os.ReadFile(name); err != nil || readErr != nil || string(got) != "old" || len(entries) != 1 {
		t.Errorf("left %q and %d files, %v, %v", got, len(entries), err, readErr)
	}
}

func TestRestrict(t *testing.T) {
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "file"), filepath.Join(dir, "folder")
	if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Chmod(file, 0o644), os.Mkdir(folder, 0o755), os.Chmod(folder, 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := durable.Restrict(file, folder, filepath.Join(dir, "missing")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{file: 0o600, folder: 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
}
