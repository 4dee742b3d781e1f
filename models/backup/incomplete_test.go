package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestIncompleteBackups damages each file of a photograph in each way, and checks that every kind
// of backup is written without it, names it, deletes no older backup, and succeeds again when the
// file is back; and that a check of the backup names it, too.
func TestIncompleteBackups(t *testing.T) {
	key, err := age.GenerateX25519Identity()
	must(t, err)
	damages := map[string]struct {
		width int // only the largest has its checksum in its name
		do    func(name string, content []byte) error
	}{
		"missing": {320, func(name string, _ []byte) error { return os.Remove(name) }},
		"cut off": {640, func(name string, content []byte) error { return os.WriteFile(name, content[:len(content)/2], 0o600) }},
		"empty":   {1280, func(name string, _ []byte) error { return os.WriteFile(name, nil, 0o600) }},
		"another": {1280, func(name string, content []byte) error {
			changed := append([]byte(nil), content...)
			changed[len(changed)/2] ^= 1
			return os.WriteFile(name, changed, 0o600)
		}},
	}
	for kind, recipients := range map[string][]age.Recipient{"folder": nil, "encrypted folder": {key.Recipient()}, "file": nil} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := openSite(t, storetest.SQLite(t))
			s.fill(t)
			photo := s.addPhoto(t, s.sell(t, 7), 8)
			folder := &backup.Folder{Path: t.TempDir(), Recipients: recipients, Keep: 1}
			write := func() (string, *backup.Manifest, error) {
				if kind == "file" {
					name := filepath.Join(t.TempDir(), "backup.zip")
					m, err := backup.WriteFile(t.Context(), name, s.Store, blob.Folder(s.dir), ignore)
					return name, m, err
				}
				r, err := folder.Write(t.Context(), s.Store, blob.Folder(s.dir), ignore)
				return r.File, r.Manifest, err
			}
			before, whole, err := write()
			must(t, err)
			for what, damage := range damages {
				name := picture.Folder + picture.FileName(photo, damage.width)
				path := filepath.Join(s.dir, name)
				content, err := os.ReadFile(path)
				must(t, err)
				must(t, damage.do(path, content))
				for again := range 2 {
					file, m, err := write()
					found := new(backup.Incomplete)
					if !errors.As(err, &found) || !reflect.DeepEqual(found.Files, []string{name}) || (found.Missing == 1) != (what == "missing") {
						t.Errorf("%s, %s: %v", what, name, err)
					}
					if m.Rows() != whole.Rows() || m.Files < whole.Files-1 {
						t.Errorf("%s: %d rows and %d files, want %d and %d", what, m.Rows(), m.Files, whole.Rows(), whole.Files)
					}
					if again == 1 {
						continue
					}
					if err := check(t, file, key); err == nil || !strings.Contains(err.Error(), name) {
						t.Errorf("%s: the check of the backup says %v", what, err)
					}
					if _, err := os.Stat(before); err != nil {
						t.Errorf("%s: an older backup was deleted: %v", what, err)
					}
				}
				must(t, os.WriteFile(path, content, 0o600))
				before, _, err = write()
				must(t, err)
			}
			must(t, check(t, before, key))
		})
	}
}

// TestUnfinishedBackups checks that a backup deletes what killed ones left, and nothing that is
// being written.
func TestUnfinishedBackups(t *testing.T) {
	s := openSite(t, storetest.SQLite(t))
	dir := t.TempDir()
	old := time.Now().Add(-time.Minute)
	for _, write := range []func() error{
		func() error {
			_, err := (&backup.Folder{Path: dir}).Write(t.Context(), s.Store, blob.Folder(s.dir), ignore)
			return err
		},
		func() error {
			_, err := backup.WriteFile(t.Context(), filepath.Join(dir, "backup.zip"), s.Store, blob.Folder(s.dir), ignore)
			return err
		},
	} {
		left := filepath.Join(dir, durable.TempPrefix+"left")
		must(t, os.WriteFile(left, []byte("half"), 0o600))
		must(t, os.Chtimes(left, old, old))
		running, err := durable.CreateTemp(dir)
		must(t, err)
		must(t, os.Chtimes(running.Name(), old, old))
		must(t, write())
		if _, err := os.Stat(left); !os.IsNotExist(err) {
			t.Errorf("what a killed backup left: %v", err)
		}
		if _, err := os.Stat(running.Name()); err != nil {
			t.Errorf("what a running one writes: %v", err)
		}
		must(t, running.Close())
	}
}
